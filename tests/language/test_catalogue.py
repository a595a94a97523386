"""The catalogue of diagnostic codes: complete, unique, and consistent with the checker."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dslgame
from dsl.diagnostics.catalogue import ENTRIES
from dsl.syntax.source import Source
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import examine
from interpreter.patterns.matching import examine_patterns

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("dsl", "interpreter") for path in sorted((ROOT / folder).rglob("*.py"))]
FILES = {"G001", "G002", "G003", "G004", "G005"}
"""Errors of a file that has no readable text; tests/language/test_robustness.py makes such files."""
NO_TEXT = FILES | {"G009", "G117", "G320", "G612", "G613"}
"""Codes whose example is not the text itself."""
LONG = {"G236", "G412", "G413"}
"""Codes of limits whose examples reach the limit, which takes seconds."""
PARAMS = {"G501": {"rows": 3}, "G502": {"size": 10}}


def codes_in_sources() -> set[str]:
    return {code for path in SOURCES for code in re.findall(r'"(G\d{3})"', path.read_text(encoding="utf-8"))}


def test_every_code_has_an_entry_and_every_entry_a_code() -> None:
    """Each diagnostic code has an entry, and each entry's code is used."""
    assert codes_in_sources() == set(ENTRIES)


def test_entries_are_in_order_of_their_codes() -> None:
    """The file is meant to be read in this order."""
    assert list(ENTRIES) == sorted(ENTRIES)


def test_titles_are_unique() -> None:
    """No two codes share a title."""
    titles = [entry.title for entry in ENTRIES.values()]
    assert len(set(titles)) == len(titles)


def test_every_entry_is_complete() -> None:
    """Every part is non-empty; titles begin in lower case, the others are sentences."""
    for code, entry in ENTRIES.items():
        assert entry.code == code
        assert entry.title, code
        assert not entry.title.endswith("."), code
        assert not entry.title[0].isupper(), code
        for text in (entry.what, entry.why, entry.fix):
            assert text[0].isupper() or text[0] in "`'", code
            assert text.rstrip("`").endswith((".", "]", ":", "show.")), code
        assert entry.example.strip(), code


@pytest.mark.parametrize("code", [pytest.param(code, marks=pytest.mark.slow if code in LONG else ())
                                  for code in sorted(set(ENTRIES) - NO_TEXT)])
def test_an_example_gives_its_code(code: str) -> None:
    """The example of each entry really produces its code."""
    source = Source("example.game", ENTRIES[code].example + "\n")
    game, found = examine(source, PARAMS.get(code))
    if code.startswith("G6"):  # for patterns, of a game that has links
        found = examine_patterns(Source("example.pattern", source.text), dslgame.load("twixt"))[1]
    elif game is not None:
        found = [*found, *try_out(game)]
    assert code in {item.code for item in found}, [f"{item.code} {item.phrase}" for item in found]
    if source.text.startswith('game "T"') and code not in PARAMS:
        assert {item.code for item in found if item.severity == "error"} <= {code} | (
            {"G301"} if code == "G301" else set()
        )
