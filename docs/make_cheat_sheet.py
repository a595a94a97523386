"""Writes docs/cheat-sheet.md from the records of the language: run `python docs/make_cheat_sheet.py` after a new word.

A form of the language is the first line of its rule object's docstring, a function is the example of its record, and
names are those that the resolver and the boards have. Nothing is listed here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from dsl.boards import KINDS  # noqa: E402
from dsl.resolve import declarations, indices, presentation, scope  # noqa: E402
from dsl.syntax import rules  # noqa: E402
from dsl.words import CALLED  # noqa: E402
from dslgame.editing.vocabulary import form_of, rule_classes  # noqa: E402

PAGE = ROOT / "docs" / "cheat-sheet.md"
HEAD = """\
# Cheat sheet

Every word of the language on one page. S and T are sets, c and n cells, d a direction, P and Q conditions; what each
means is in [the language book](language.md), and how to say usual things in [How do I say](how-do-i-say.md).

<!-- Written by docs/make_cheat_sheet.py from the records of the language; changes here are lost. -->
"""
LAYOUT = """\
A declaration begins in the first column with its word; what belongs to it is indented by four spaces after a `:`.
`#` begins a comment. Names in `"..."` are cells: `"b2"`.
"""


def table(kinds: Iterator[type[rules.Node]]) -> str:
    """Forms with what they are; those that are written in the same way once."""
    rows: dict[str, None] = {}
    for kind in kinds:
        form = form_of(kind)
        assert form is not None, f"{kind.__name__}: expected a docstring that begins with a form in backticks"
        rows.setdefault(f"| {cell(form.code)} | {cell(form.meaning)} |")
    return "\n".join(["| | |", "|---|---|", *rows]) + "\n"


def cell(text: str) -> str:
    """A text that can stand in a table."""
    return text.replace("|", "\\|")


def quoted(words: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    """Words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


def boards() -> str:
    """Each kind of board with its directions, sets of them, regions and symmetries."""
    rows = ["| board | directions, regions | symmetries |", "|---|---|---|"]
    for kind in KINDS.values():
        given = f"({', '.join(kind.arguments)})" if kind.arguments else ""
        here = quoted([*kind.directions, *kind.direction_sets, *kind.regions])
        rows.append(f"| `board {kind.word}{given}` | {here} | {quoted([*kind.symmetries])} |")
    return "\n".join(rows) + "\n"


def parts() -> Iterator[type[rules.Node]]:
    """The rule objects that are parts of others: choices, pieces, tiles."""
    whole = {kind for base in (rules.Declaration, rules.Effect, rules.Expression) for kind in rule_classes(base)}
    return (kind for kind in rule_classes(rules.Node) if kind not in whole and form_of(kind))


def page_text() -> str:
    """The whole page."""
    return "\n".join([
        HEAD, "## A file\n", LAYOUT, table(rule_classes(rules.Declaration)), "## Choices and parts\n", table(parts()),
        "## Effects\n", table(rule_classes(rules.Effect)), "## Expressions\n", table(rule_classes(rules.Expression)),
        "## Functions\n", quoted([call for word in CALLED.values() for call in word.example.split(" or ")]) + ".\n",
        "## Names\n",
        f"Every game has {quoted(scope.BUILTIN_VALUES)}; boards with rows and columns have `rows`, `columns`; games "
        f"with tiles {quoted(scope.TILE_VALUES)}. `no moves` {quoted([*declarations._NO_MOVES])}; `repetition` "
        f"{quoted([*declarations._REPETITION])}. Variables are indexed by {quoted([*indices.INDICES])}, a "
        "`values` name.\n",
        f"Colours: {quoted(presentation.COLOURS)}. Pieces are drawn as {quoted([*presentation.SHAPES])}, cells as "
        f"{quoted([*presentation.CELLS])}.\n",
        "## Boards\n", boards(),
    ])


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
