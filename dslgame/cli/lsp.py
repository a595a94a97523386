"""`dslgame lsp`: run the language server for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click

from dslgame.cli.common import examples


@click.command("lsp", short_help="Help editors: mistakes as you type, completion, names.", epilog=examples(
    "dslgame lsp",
    further="Editors start it by themselves: see the folder editors/ for how.",
))
@click.option("--stdio", is_flag=True, help="Answer on the standard input and output, which it does anyway.")
def lsp(stdio: bool) -> None:
    """Answer an editor's questions about .game and .pattern files, and about games in Markdown.

    Speaks the Language Server Protocol: mistakes as you type and those that playing shows after a pause, completion,
    hover, definitions, references, renaming, symbols, folding, colours, formatting, quick fixes, the sorts of names,
    and what can be run above a game. Needs pip install 'dslgame[editors]'.
    """
    if find_spec("pygls") is None:
        raise click.ClickException("the language server needs pygls: pip install 'dslgame[editors]'")
    from dslgame.lsp.server import serve

    serve()
