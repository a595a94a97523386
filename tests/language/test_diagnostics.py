"""Diagnostics, as Markdown: every block of tests/diagnostics/*.md is a file with the findings it must give.

A finding is marked on its line, `# error: [G101]`, if needed with a column and a part of the message:
`# error: [G101] column 9: expected 'when'`. Where no comment can stand, `# error below: [G103]` or
`# error above: [G103]` marks the next or the previous line. `warning` and `note` work alike; errors must all be marked,
warnings and notes need not be.

After ``` comes `game`. A block without a title, players, board, pieces, move or end gets those of FRAME at its end, so
that only what is tested needs to be written; `game whole` is taken as it is. `params: rows=99` sets parameters, and
`play` tries the game out as `dslgame check` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

import dslgame
from dsl.diagnostics import Diagnostic, render
from dsl.syntax.source import Source
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import examine

FOLDER = Path(__file__).parents[1] / "diagnostics"
FRAME = {
    "game": 'game "Test"',
    "players": "players Red, Blue",
    "board": "board square(3, 3)",
    "pieces": "pieces red of Red, blue of Blue",
    "move": "move place(c in empty):\n    c := own",
    "draw": "draw when no empty",
}
MARK = re.compile(
    r"#\s*(error|warning|note)( below| above)?:\s*\[(G\d{3})\](?:\s*column (\d+))?(?::\s*(\S.*?))?\s*(?=#|$)"
)
FENCE = re.compile(r"^```(.*)$")


@attrs.frozen
class Case:
    """One block: the sentence above it, its text, and the options after ```."""

    name: str
    line: int
    sentence: str
    text: str
    options: str

    @property
    def params(self) -> dict[str, int]:
        """The parameters given from outside."""
        found = re.search(r"params:\s*(.*)", self.options)
        pairs = [pair.split("=") for pair in found.group(1).split()] if found else []
        return {name: int(value) for name, value in pairs}


@attrs.frozen
class Expected:
    """A finding that a block must give; `text` is part of its phrase or help."""

    severity: str
    code: str
    line: int
    column: int | None
    text: str

    def meets(self, found: Diagnostic) -> bool:
        """Whether a finding matches."""
        return (
            (found.severity, found.code, found.span.line) == (self.severity, self.code, self.line)
            and self.column in (None, found.span.column)
            and self.text in f"{found.phrase}; {found.help}"
        )


def cases() -> Iterator[Case]:
    """Every block of every file."""
    for path in sorted(FOLDER.glob("*.md")):
        rows = path.read_text(encoding="utf-8").splitlines()
        start, options, sentence = 0, "", ""
        for number, row in enumerate(rows, start=1):
            fence = FENCE.match(row)
            if fence and not start:
                start, options = number, fence.group(1).strip()
            elif fence:
                text = "\n".join(rows[start : number - 1]) + "\n"
                yield Case(f"{path.stem}:{start}", start, sentence, text, options)
                start, sentence = 0, ""
            elif not start and row.strip():
                sentence = row.strip()


def expectations(text: str) -> list[Expected]:
    """The findings that a block's marks require."""
    found = []
    for number, row in enumerate(text.splitlines(), start=1):
        for mark in MARK.finditer(row):
            severity, where, code, column, words = mark.groups()
            line = number + {None: 0, " below": 1, " above": -1}[where]
            found.append(Expected(severity, code, line, None if column is None else int(column), words or ""))
    return found


def framed(case: Case) -> str:
    """The block's text, with the missing declarations of FRAME at its end."""
    if "whole" in case.options:
        return case.text
    words = {row.split(maxsplit=1)[0].rstrip(":") for row in case.text.splitlines() if row.strip()}
    words |= {"draw"} & ({"draw"} if words & {"win", "lose", "no", "repetition"} else set())
    return case.text + "".join(f"{line}\n" for word, line in FRAME.items() if word not in words)


@cache
def findings(case: Case) -> tuple[Diagnostic, ...]:
    """The findings in a block."""
    game, found = examine(Source("test.game", framed(case)), case.params)
    if game is not None and "play" in case.options:
        found = [*found, *try_out(game)]
    return tuple(found)


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_block_gives_the_findings_it_marks_and_no_other_error(case: Case) -> None:
    """Each marked finding is at its place, and no error is unmarked."""
    source = Source("test.game", framed(case))
    found = findings(case)
    shown = "\n".join(render(item, source) for item in found)
    rest = list(found)
    for expected in expectations(case.text):
        met = next((item for item in rest if expected.meets(item)), None)
        assert met is not None, f"{case.sentence}\nnot found: {expected}\n{shown}"
        rest.remove(met)
    assert not [item for item in rest if item.severity == "error"], f"{case.sentence}\nnot marked:\n{shown}"


def test_every_block_has_a_sentence() -> None:
    """The files are meant to be read: each block has a sentence that says what it tests."""
    assert [case.name for case in CASES if not case.sentence.rstrip(":").strip() or case.sentence.startswith("#")
            or not case.options.startswith("game")] == []


def test_mistake_in_a_definition_names_the_calls() -> None:
    """A label marks the call that determines a parameter's sort, and each call in a chain of definitions."""
    text = "define big(s) = count(s) > 2\ndefine huge(t) = big(t)\ndraw when no empty and huge(Red)\n"
    (found,) = findings(Case("label", 1, "", text, "game"))
    assert (found.code, found.span.line, found.span.column) == ("G206", 1, 23)
    assert [(label.span.line, label.text) for label in found.labels] == [
        (2, "in this call s is a player"), (3, "in this call t is a player")]


def test_what_the_params_switch_off_is_not_out_of_reach() -> None:
    """A condition that is false only for these params is not reported as one that never holds."""
    text = (
        "param size = 3 in 2..9\nboard square(size, size)\nwin mover when size > 3 and line(mine, 4)\n"
        "lose mover when line(mine, 4) if size > 3 else line(mine, 3)\ndraw when no empty\n"
    )
    assert {item.code for item in findings(Case("reach", 1, "", text, "game play"))} == {"G316"}


def test_phrases_keep_their_style() -> None:
    """Phrases begin in lower case and have no full stop."""
    for phrase in {item.phrase for case in CASES for item in findings(case)}:
        assert not phrase.endswith("."), phrase
        assert not phrase[0].isupper() or phrase.split()[0] in ("Red", "Blue"), phrase


def test_there_are_many() -> None:
    """At least eighty blocks with mistakes."""
    assert sum(bool(expectations(case.text)) for case in CASES) >= 80


@pytest.mark.parametrize("value", ["3", 3.0, None])
def test_params_from_python_are_whole_numbers(value: Any) -> None:
    with pytest.raises(TypeError, match=r"the param size is .*, expected a whole number"):
        dslgame.load("hex", size=value)
