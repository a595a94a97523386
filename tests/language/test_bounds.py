"""Bounds are sound: the value that the interpreter finds lies within them, however few cells are known."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dsl import hir
from dsl.checks.bounds import Bounds, CellBounds, Interval, OneOf
from dsl.resolve.sorts import CELL, CELLS
from dsl.words import WORDS
from interpreter.analysis.bounds import BoardBounds, Unclear
from interpreter.analysis.dependence import MOVER, free_slots
from interpreter.boards import mask_of
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.model.state import State, WorkingState
from interpreter.semantics.evaluate import Evaluator
from tests.expressions import Expression, conditions
from tests.language.test_language_values import ASKED
from tests.language.test_reads import asked

ENOUGH = 100_000


def closed(condition: hir.Expr) -> list[hir.Expr]:
    """The subexpressions of a condition without free names, including itself."""
    return [part for part in hir.walk(condition) if isinstance(part, hir.Expr) and free_slots(part, {}) <= {MOVER}]


def piece_at(state: State, cell: int) -> int:
    return next(piece for piece, cells in enumerate(state.pieces) if cells >> cell & 1)


def contradicted(game: Game, state: State, term: hir.Expr, known: BoardBounds) -> bool:
    """Whether the bounds of an expression exclude its value in a position."""
    evaluator = Evaluator(game.rules, game.board, remember=False)
    evaluator.no_moves = lambda table, anyone: bool(game.engine.evaluator.no_moves(table, anyone))
    try:
        value: Any = evaluator.compile(term)(WorkingState(state), [None] * (hir.slots_of(term) + 1))
    except RuleError:
        return False
    try:
        bounds = known.of(term)
    except Unclear:
        return False
    if isinstance(bounds, CellBounds):
        if isinstance(value, tuple):  # of pieces, players, ...
            value = mask_of(value)
        return bool(bounds.least & ~value or value & ~bounds.most)
    if isinstance(bounds, Interval):
        return value is not None and not bounds.low <= value <= bounds.high
    if isinstance(bounds, OneOf):
        return not bounds.none if value is None else not bounds.values >> value & 1
    return bounds is not None and bounds is not bool(value)


def looked_at(game: Game, state: State, seen: int) -> BoardBounds:
    """The bounds known if some cells of a position are seen, for the player to move."""
    known = BoardBounds(game.rules, state.to_move, board=game.board, left=ENOUGH)
    for cell in range(game.board.size):
        if seen >> cell & 1:
            known.put(cell, 1 << piece_at(state, cell))
    return known


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("seen", [0, 0b1011, -1])
def test_words_are_within_their_bounds(word: str, seen: int) -> None:
    """With no cells, some cells and all cells seen."""
    game, condition = asked(ASKED[word])
    state = game.engine.start()
    for part in closed(condition.term):
        assert not contradicted(game, state, part, looked_at(game, state, seen))


@settings(deadline=None)
@given(expression=conditions(), seen=st.integers(0, 511), plies=st.integers(0, 3))
def test_expressions_are_within_their_bounds(expression: Expression, seen: int, plies: int) -> None:
    """Every subexpression of a random condition, after some moves."""
    try:
        game, condition = asked(expression.text)
    except dslgame.GameFileError:  # a condition that always holds
        return
    position = game.start()
    with suppress(RuleError):
        for _ in range(plies):
            position = position.play(position.moves()[0])
    for part in closed(condition.term):
        assert not contradicted(game, position.state, part, looked_at(game, position.state, seen))


@settings(deadline=None)
@given(expression=conditions())
def test_bounds_without_a_board_are_true(expression: Expression) -> None:
    """The bounds of a condition, and of the contents of its cells, before any position is known."""
    try:
        game, condition = asked(expression.text)
    except dslgame.GameFileError:
        return
    state = game.engine.start()
    evaluator = Evaluator(game.rules, game.board, remember=False)
    for part in closed(condition.term):
        try:
            value: Any = evaluator.compile(part)(WorkingState(state), [None] * (hir.slots_of(part) + 1))
        except RuleError:
            continue
        known = Bounds(game.rules, state.to_move)
        if part.sort == CELLS:
            held = known.held(part)
            assert all(held >> piece_at(state, cell) & 1 for cell in range(game.board.size) if value >> cell & 1)
        elif part.sort != CELL:
            bounds = known.of(part)
            assert not isinstance(bounds, bool) or bounds is bool(value)
            assert not isinstance(bounds, Interval) or bounds.low <= value <= bounds.high


@pytest.mark.parametrize("text", [
    "some (red - blue)", "some (edges - mine)", "some (occupied and top)", "some (left - (red + blue))",
    "some group(\"a1\", mine + top)", "some group(left, occupied)", "some neighbours(mine)",
    "some (ray(\"a1\", east) - theirs)", "some ray(\"a1\", north, empty)", "some lines(mine + theirs, 2)",
    "count(mine) > count(theirs)", "degree(\"a1\") = 2", "some {c in mine where c.north is empty}",
    "every c in mine: c.east is red", "no c in theirs: c in top", "some union(ray(c, north) for c in mine)",
    "piece(\"a1\") = own", "at.north is empty", "abs(count(mine) - 4) = 2", "joined(mine + theirs, left, right)",
    "cheapest(1 if y is mine else 2 for x to y in neighbours(x) where y is empty or x is mine from left to theirs) > 3",
    "cheapest(1 for x to y in {x.north} from mine to top and empty) > 9",
    "line(occupied, 3)", "some (red if some blue else empty)", "joined(mine, left, right)",
])
def test_expressions_are_within_their_bounds_whatever_is_seen(text: str) -> None:
    """With each possible set of seen cells of the sample position."""
    game, condition = asked(text)
    state = game.engine.start()
    parts = closed(condition.term)
    for seen in range(1 << game.board.size):
        for part in parts:
            assert not contradicted(game, state, part, looked_at(game, state, seen))


def test_knowledge_narrows_bounds() -> None:
    """With all cells seen, conditions on their contents are decided; with none they are open."""
    game, condition = asked("some c in mine: c.north is empty")
    state = game.engine.start()
    assert looked_at(game, state, 0).truth(condition.term) is None
    assert looked_at(game, state, -1).truth(condition.term) is True
    game, condition = asked("joined(mine, left, right)")
    assert looked_at(game, state, -1).truth(condition.term) is False
    game, condition = asked("cheapest(1 for x to y in neighbours(x) where y is mine from left to right) < 9")
    assert looked_at(game, state, 0).truth(condition.term) is None
    assert looked_at(game, state, -1).truth(condition.term) is False
    game, condition = asked("cheapest(1 for x to y in neighbours(x) from left to mine) > 0")
    assert looked_at(game, state, 0).truth(condition.term) is None
    assert looked_at(game, state, -1).truth(condition.term) is False
    game, condition = asked("count(mine + theirs) > 6")
    assert looked_at(game, state, -1).truth(condition.term) is False
    game, condition = asked("count(mine + theirs) > 5")
    assert looked_at(game, state, 0b1011).truth(condition.term) is None
