"""`dslgame completion`: the completion script of a shell, for commands, options, games and params."""

from __future__ import annotations

import click

from dslgame.cli.common import Words, examples

_HOW = """\
To load it in every shell, add this to ~/.bashrc or ~/.zshrc:
  eval "$(dslgame completion bash)"       # or zsh
and for fish:
  dslgame completion fish > ~/.config/fish/completions/dslgame.fish"""


@click.command(epilog=examples('eval "$(dslgame completion bash)"', further=_HOW))
@click.argument("shell", type=Words(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a SHELL."""
    from click.shell_completion import get_completion_class

    result = get_completion_class(shell)
    assert result is not None, "click knows these shells"
    program = ctx.find_root().command
    click.echo(result(program, {}, "dslgame", "_DSLGAME_COMPLETE").source())
