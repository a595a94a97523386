"""The parser caches declarations, without changing its results."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.syntax import parser
from dsl.syntax.parser import MAX_REMEMBERED, Parsed, parse
from dsl.syntax.source import Source
from tests.discovery import found_games, one_in

GAME = """game "T"
players X, O
board square(3, 3)
pieces x of X, o of O

move m(c in empty):
    c := own
"""


def forget() -> None:
    """Clear the cache."""
    parser._remembered.cache_clear()


def parsed(text: str) -> Parsed:
    """Parse a text."""
    return parse(Source("t", text))


def test_only_what_is_new_is_parsed() -> None:
    forget()
    one = parsed(GAME).file.declarations
    other = parsed(GAME.replace("own", "x")).file.declarations
    assert all(a is b for a, b in zip(one[:-1], other[:-1], strict=True))
    assert one[-1] != other[-1]
    assert parser._remembered.cache_info().misses == len(one) + 1


def test_what_stands_elsewhere_has_its_own_place() -> None:
    one, other = parsed(GAME).file.declarations, parsed(f"\n{GAME}").file.declarations
    assert [item.span.line + 1 for item in one] == [item.span.line for item in other]


def test_mistakes_are_found_again() -> None:
    text = GAME.replace("c := own", "c := := own\n    d = 1 +")
    forget()
    first = parsed(text).diagnostics
    assert len(first) > 1
    assert parsed(text).diagnostics == first


def test_long_declarations_are_not_kept() -> None:
    text = GAME + "\n".join(f"    c := own  # {'x' * 80}" for _ in range(MAX_REMEMBERED // 80)) + "\n"
    forget()
    parsed(text)
    assert parser._remembered.cache_info().currsize == len(parsed(GAME).file.declarations) - 1


@pytest.mark.parametrize("path", one_in(6, found_games(), 2))
def test_remembered_declarations_are_those_that_would_be_parsed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games and truncated ones."""
    text = path.read_text(encoding="utf-8")
    texts = [text, *(text[:end] for end in range(0, len(text), 97)), text]
    found = [parsed(each) for each in texts]
    monkeypatch.setattr(parser, "_remembered", parser._parse_anew)
    for each, kept in zip(texts, found, strict=True):
        anew = parsed(each)
        assert anew.diagnostics == kept.diagnostics
        assert anew.file.guesses == kept.file.guesses
        assert [(item, item.span) for item in anew.file.declarations] == [
            (item, item.span) for item in kept.file.declarations]
