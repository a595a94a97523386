"""`dslgame man`: print the manual page, generated from the help texts of the commands."""

from __future__ import annotations

import re

import click

import dslgame
from dslgame.cli.common import examples
from dslgame.exit_codes import MEANINGS

_HOW = """\
To install it where `man` finds it:
  mkdir -p ~/.local/share/man/man1
  dslgame man > ~/.local/share/man/man1/dslgame.1"""


@click.command(short_help="Print the manual page.", epilog=examples(
    "dslgame man | man -l -",
    "dslgame man > dslgame.1",
    further=_HOW,
))
@click.pass_context
def man(ctx: click.Context) -> None:
    """Print the manual page of dslgame, with all commands and their options."""
    root = ctx.find_root()
    program = root.command
    assert isinstance(program, click.Group)
    click.echo(page(program, root))


def page(program: click.Group, root: click.Context) -> str:
    """The manual page of a program, as roff source for `man`."""
    rows = [f'.TH DSLGAME 1 "" "dslgame {dslgame.__version__}" "User Commands"', ".SH NAME",
            "dslgame \\- board games written as text: check, play and solve them", ".SH SYNOPSIS",
            ".B dslgame", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]", ".SH DESCRIPTION",
            *_paragraphs(program.help or ""), ".SH COMMANDS"]
    for name in program.list_commands(root):
        command = program.get_command(root, name)
        if command is not None and not command.hidden:
            rows += _command(command, click.Context(command, info_name=name, parent=root))
    rows.append(".SH EXIT STATUS")
    for code, meaning in MEANINGS.items():
        rows += [".TP", f".B {code}", _escaped(meaning)]
    return "\n".join(rows)


def _command(command: click.Command, context: click.Context) -> list[str]:
    """The section of a command: its usage, description, options and examples."""
    usage = " ".join(command.collect_usage_pieces(context))
    rows = [f".SS {_escaped(f'dslgame {context.info_name} {usage}')}", *_paragraphs(command.help or "")]
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None and record[1]:
            rows += [".TP", f"\\fB{_escaped(record[0])}\\fR", _escaped(" ".join(record[1].split()))]
    if command.epilog:
        told = command.epilog.replace("\b\n", "").partition("\n\nExit codes:")[0]
        rows += [".PP", ".nf", *(_escaped(row) for row in told.splitlines()), ".fi"]
    return rows


def _paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a help text; those that begin with click's mark `\b` keep their line breaks."""
    rows = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        kept = paragraph.startswith("\b")
        lines = [_escaped(line.strip()) for line in paragraph.replace("\b", "").strip().splitlines()]
        rows += [".PP", ".nf", *lines, ".fi"] if kept else [".PP", *lines]
    return rows


def _escaped(text: str) -> str:
    """Escape backslashes, hyphens, and a first character that would begin a request, for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text
