"""What terms read of a position: each kind of term and each function declares it, and the declaration is right."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given

import dslgame
from dsl import hir
from dsl.checks.reads import TERMS, reads
from dsl.words import WORDS, Reads
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import WorkingState
from interpreter.semantics.evaluate import Evaluator
from tests.discovery import found_games
from tests.expressions import Expression, conditions
from tests.language.test_language_values import ASKED

LINKS = """game "Reading"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue, stone
links bridge between c and leap(c, 1, 2)
track rim = "a1" to "a3", "b3" to "c3", "c2" to "c1", "b1" cyclic
piles up to 3
values shape = ell as "x./xx", bar as "xx"
var at in cells = "a1"
start:
    {"a1", "b1"} := red
    {"c1", "b2"} := blue
    "a3" := stone
move place(c in empty):
    c := own
    link c to c.north.north.east by bridge
turn again when CONDITION
draw when no empty
"""
TILES = """game "Reading"
players White, Red
board square(3, 3)
tiles with a track of each player:
    "/" joins north west, east south
    "+" joins north south, east west
move lay(c in empty, t in tiles):
    c := t
turn again when CONDITION
draw when no empty
"""
PARTS = {"pieces": Reads.PIECES, "piece_at": Reads.PIECES, "values": Reads.VARIABLES, "links": Reads.LINKS,
         "mover": Reads.MOVER, "to_move": Reads.MOVER}


class Watched(WorkingState):
    """A working state that records what is read of it."""

    __slots__ = ("seen",)

    def __init__(self, game: Game) -> None:
        self.seen = Reads.NOTHING
        super().__init__(game.engine.start())
        self.seen = Reads.NOTHING

    def __getattribute__(self, name: str) -> Any:
        if name in PARTS:
            self.seen |= PARTS[name]
        return super().__getattribute__(name)


@cache
def asked(text: str) -> tuple[Game, hir.Condition]:
    """A game whose `turn again` rule has this condition, and the condition."""
    game = dslgame.loads((TILES if "tiles" in text or "facing" in text else LINKS).replace("CONDITION", text))
    return game, game.rules.again[0]


def read(game: Game, condition: hir.Condition) -> Reads:
    """What evaluating a condition at the start reads, up to a failure."""
    table = Watched(game)
    evaluator = Evaluator(game.rules, game.board, remember=False)
    evaluator.no_moves = lambda table, anyone: bool(game.engine.evaluator.no_moves(table, anyone))
    with suppress(RuleError):
        evaluator.compile(condition.term)(table, [None] * condition.slots)
    return table.seen


def kinds(of: type[hir.Expr]) -> set[type[hir.Expr]]:
    """All subclasses, direct and indirect."""
    return {kind for part in of.__subclasses__() for kind in (part, *kinds(part))}


def test_each_kind_of_term_has_its_answer() -> None:
    assert set(TERMS) == kinds(hir.Expr) - {hir.Apply}


@pytest.mark.parametrize("word", ASKED)
def test_functions_read_what_they_say(word: str) -> None:
    """Each function reads exactly what it declares."""
    game, condition = asked(ASKED[word])
    names = {part.function for part in hir.walk(condition.term) if isinstance(part, hir.Apply)}
    assert word in names | {part.kind for part in hir.walk(condition.term) if isinstance(part, hir.Aggregate)} | {
        "reached" for part in hir.walk(condition.term) if isinstance(part, hir.Closure)} | {
        "cheapest" for part in hir.walk(condition.term) if isinstance(part, hir.Cheapest)}
    assert read(game, condition) == reads(condition.term) == WORDS[word].reads


@pytest.mark.parametrize(("text", "expected"), [
    ("some empty", Reads.PIECES),
    ("some mine", Reads.PIECES | Reads.MOVER),
    ("mover = Red", Reads.MOVER),
    ('at = "a1"', Reads.VARIABLES),
    ("joined(cells linked by bridge, top, bottom)", Reads.LINKS),
    ("some c in left: c in top", Reads.NOTHING),
    ("own = red", Reads.MOVER),
    ('some {c in cells where piece(c) = own} - "a1"', Reads.PIECES | Reads.MOVER),
])
def test_terms_read_what_they_say(text: str, expected: Reads) -> None:
    """One case for each part of a position."""
    game, condition = asked(text)
    assert read(game, condition) == reads(condition.term) == expected


@given(expression=conditions())
def test_random_conditions_read_no_more_than_they_say(expression: Expression) -> None:
    """They may read less, as evaluation short-circuits."""
    try:
        game, condition = asked(expression.text)
    except dslgame.GameFileError:  # a condition that always holds
        return
    assert not read(game, condition) & ~reads(condition.term)


@pytest.mark.slow
def test_conditions_of_every_game_read_no_more_than_they_say() -> None:
    """Ends, extra turns and `illegal when`."""
    for path in found_games():
        game = dslgame.load(path)
        for condition in (*game.rules.illegal, *game.rules.again, *(end.condition for end in game.rules.ends)):
            assert not read(game, condition) & ~reads(condition.term), (path.stem, condition.span)
