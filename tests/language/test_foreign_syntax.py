"""The tables of foreign syntax: they refer to existing words, and their examples are right."""

from __future__ import annotations

import re

import pytest

from dsl.boards import KINDS
from dsl.resolve.presentation import COLOURS
from dsl.resolve.scope import BUILTIN_VALUES, TILE_VALUES
from dsl.syntax import foreign_syntax
from dsl.syntax.grammar import DECLARATIONS, spellings
from dsl.syntax.parser import parse
from dsl.syntax.source import Source
from dsl.words import CALLED


def known_words() -> set[str]:
    """Every word that a rule can use without declaring it."""
    words = {*CALLED, *BUILTIN_VALUES, *TILE_VALUES, *spellings().values(), *COLOURS, "rows", "columns", "each"}
    words |= {"cell", "row", "column", "player", "direction", "piece", "loses", "wins", "draws", "passes", "forbidden"}
    for word, kind in KINDS.items():
        words |= {word, *kind.words, *kind.symmetries}
    return words


def test_every_declaration_has_an_example() -> None:
    """Messages about a declaration show one."""
    assert list(foreign_syntax.EXAMPLES) == list(DECLARATIONS)


@pytest.mark.parametrize("word", DECLARATIONS)
def test_examples_can_be_parsed(word: str) -> None:
    """The text that a message suggests can be parsed."""
    text = foreign_syntax.EXAMPLES[word]
    text = re.sub(r": and lines such as (.*)", r":\n    \1", text)
    text = text.replace(": and indented lines", ":\n    c := empty")
    assert text.startswith(word)
    assert not parse(Source("example", text + "\n")).diagnostics


@pytest.mark.parametrize(
    "table", [foreign_syntax.NAMES, foreign_syntax.SYMMETRIES, foreign_syntax.RESULTS, foreign_syntax.COLOURS,
              foreign_syntax.INDEXES]
)
def test_other_words_lead_to_words_of_the_language(table: dict[str, str]) -> None:
    """Synonyms lead to existing words."""
    assert set(table.values()) <= known_words()


def test_other_words_for_declarations_are_no_declarations() -> None:
    """Each synonym leads to a declaration's keyword and is none itself."""
    assert set(foreign_syntax.DECLARATIONS.values()) <= set(DECLARATIONS)
    assert not set(foreign_syntax.DECLARATIONS) & set(DECLARATIONS)


def test_other_words_for_effects_begin_no_effect() -> None:
    """No synonym is a keyword that begins an effect."""
    effects = {"carry", "slide", "turn", "link", "unlink", "each", "if", "then", "else"}
    assert not set(foreign_syntax.EFFECTS) & effects
