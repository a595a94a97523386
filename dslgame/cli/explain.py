"""`dslgame explain`: explain the code of a diagnostic, from `dsl.diagnostics.catalogue`."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from dslgame.cli.common import examples, json_option
from dslgame.cli.output import print_json, table

if TYPE_CHECKING:
    from dsl.diagnostics.catalogue import Entry


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from dsl.diagnostics.catalogue import ENTRIES

    return [CompletionItem(code, help=entry.title) for code, entry in ENTRIES.items()
            if code.startswith(incomplete.upper())]


@click.command(short_help="Explain the CODE of a diagnostic.", epilog=examples(
    "dslgame explain            # all codes with their titles",
    "dslgame explain G101",
    "dslgame explain g101 --json",
    further='JSON: {"code", "title", "what", "why", "example", "fix"}, and without a CODE {"entries": [...]}.',
))
@click.argument("code", required=False, metavar="[CODE]", shell_complete=_complete)
@json_option
def explain(code: str | None, as_json: bool) -> None:
    """Explain the CODE of a diagnostic, such as G101; without a CODE, list all codes."""
    import attrs

    from dsl.diagnostics.catalogue import ENTRIES

    if code is None:
        if as_json:
            print_json({"entries": [attrs.asdict(entry) for entry in ENTRIES.values()]})
        else:
            rows = [(entry.code, entry.title) for entry in ENTRIES.values()]
            click.echo(table(rows, right=(False, False), indent=""))
            click.echo("\n`dslgame explain CODE` explains one.")
        return
    entry = ENTRIES.get(code.strip().strip("[]").upper())
    if entry is None:
        raise click.BadParameter(f"there is no code '{code}'; {_near(code.strip().upper(), list(ENTRIES))}",
                                 param_hint="CODE")
    if as_json:
        print_json(attrs.asdict(entry))
    else:
        click.echo(_page(entry))


def _near(code: str, known: list[str]) -> str:
    """A hint at the code that was probably meant."""
    from dsl.diagnostics import did_you_mean

    help_text, _ = did_you_mean(code, known)
    return help_text or "`dslgame explain` lists them all"


def _page(entry: Entry) -> str:
    """A catalogue entry as text."""
    parts = [f"{entry.code}: {entry.title}"]
    for name, text in (("What", entry.what), ("Why", entry.why), ("Example", entry.example), ("Fix", entry.fix)):
        if text.strip():
            parts.append(f"{name}\n{_indented(text, is_code=name == 'Example')}")
    return "\n\n".join(parts)


def _indented(text: str, *, is_code: bool) -> str:
    """Indent the text below a heading: prose is wrapped to the terminal's width, code and indented lines are kept."""
    text = text.strip("\n")
    if is_code:
        return textwrap.indent(text, "    ")
    width = max(40, min(100, shutil.get_terminal_size().columns))
    blocks = []
    for block in text.split("\n\n"):
        if any(line.startswith(" ") for line in block.splitlines()):
            blocks.append(textwrap.indent(block, "  "))
        else:
            blocks.append(textwrap.fill(" ".join(block.split()), width, initial_indent="  ", subsequent_indent="  ",
                                        break_on_hyphens=False, break_long_words=False))
    return "\n\n".join(blocks)
