"""`dslgame lsp`: run the language server for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click

from dslgame.cli.common import examples


@click.command("lsp", short_help="Run a language server for editors.", epilog=examples(
    "dslgame lsp",
    further="Editors start it themselves; the folder editors/ has their configurations.",
))
@click.option("--stdio", is_flag=True, help="Use standard input and output (the default).")
def lsp(stdio: bool) -> None:
    """Run a language server for .game and .pattern files, and for games in Markdown.

    It speaks the Language Server Protocol: diagnostics as you type, and those found by playing after a pause;
    completion, hover, definitions, references, renaming, symbols, folding, semantic colours, formatting, quick fixes,
    inlay hints with the sorts of names, and code lenses. Needs pip install 'dslgame[editors]'.
    """
    if find_spec("pygls") is None:
        raise click.ClickException("the language server needs pygls: pip install 'dslgame[editors]'")
    from dslgame.lsp.server import serve

    serve()
