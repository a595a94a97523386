"""What a move did, for pictures: the cells that it named or changed, and those that forced rules changed after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import CELL, SetOf
from interpreter.boards import mask_of, members
from interpreter.model.state import Move, State
from interpreter.semantics.forced import Applied

if TYPE_CHECKING:
    from interpreter.game import Game, Position


@attrs.frozen
class Marks:
    """The cells to mark, as they are numbered after the move."""

    last: frozenset[int] = frozenset()
    forced: frozenset[int] = frozenset()


def marks_of(game: Game, before: State, move: Move) -> Marks:
    """The marks of a legal move in a state. Passing and swapping have none."""
    if move.rule < 0:
        return Marks()
    applied: list[Applied] = []
    after, _ = game.engine.watch(before, move, applied)
    settled = applied[0].before if applied else after.pieces
    own = frozenset(chosen_cells(game, move))
    own |= _changed(before.pieces, settled) if not own else _gone_to(before.pieces, settled, own)
    forced = _changed(applied[0].before, applied[-1].after) if applied else frozenset()
    if before.pieces == after.pieces:
        forced = _counted(game, before, after)
    elif applied:
        forced -= own
        own = _come_to_lie(own, settled, applied[-1].after)
    if not game.board.unbounded:
        return Marks(own, forced - own)
    raw = applied[-1].after if applied else _raw(game, before, move)
    by = game.board.settled(game.board.everything & ~raw[0]) or 0
    return Marks(frozenset(cell + by for cell in own), frozenset(cell + by for cell in forced - own))


def last_marks(position: Position) -> Marks:
    """The marks of the last move that was played; none at the start."""
    if not position.history:
        return Marks()
    game, before = position.game, position.history[-1]
    result = game.notation.read(before, position.played[-1], game.engine.legal(before))
    return marks_of(game, before, result[0]) if len(result) == 1 else Marks()


def chosen_cells(game: Game, move: Move) -> tuple[int, ...]:
    """The cells among the values that a move's choices have, in their order; passing and swapping have none."""
    if move.rule < 0:
        return ()
    rule = game.rules.moves[move.rule]
    sorts: list[object] = []
    for choice in rule.choices:
        element = choice.domain.sort.element if isinstance(choice.domain.sort, SetOf) else choice.domain.sort
        sorts += [element] * len(choice.slots)
    for effect in rule.body:
        if isinstance(effect, hir.Then):
            for choice in effect.choices:
                element = choice.domain.sort.element if isinstance(choice.domain.sort, SetOf) else choice.domain.sort
                sorts += [element] * len(choice.slots)
    return tuple(value for value, sort in zip(move.values, sorts, strict=False) if sort == CELL)


def _gone_to(before: Sequence[int], after: Sequence[int], cells: frozenset[int]) -> frozenset[int]:
    """Where the piece went that a move took from the only cells it named: without that, nobody sees what it did."""
    named = mask_of(cells)
    if named & ~after[0]:
        return frozenset()
    for one, other in zip(before[1:], after[1:], strict=True):
        new = other & ~one
        if one & named and new and not new & (new - 1):
            return frozenset(members(new))
    return frozenset()


def _changed(before: Sequence[int], after: Sequence[int]) -> frozenset[int]:
    """The cells that hold something else."""
    result = 0
    for one, other in zip(before, after, strict=True):
        result |= one ^ other
    return frozenset(members(result))


def _come_to_lie(cells: frozenset[int], before: Sequence[int], after: Sequence[int]) -> frozenset[int]:
    """Cells, and instead of one that a piece left by what was forced the one where it lies now."""
    result = set(cells)
    for cell in cells:
        kind = next((piece for piece, there in enumerate(before) if there >> cell & 1), 0)
        new = after[kind] & ~before[kind]
        if kind and after[0] >> cell & 1 and new and not new & (new - 1):
            result.remove(cell)
            result |= set(members(new))
    return frozenset(result)


def _counted(game: Game, before: State, after: State) -> frozenset[int]:
    """The cells of which variables say something else: where seeds were sown, say."""
    result: set[int] = set()
    for number, kind in hir.drawn_variables(game.rules):
        if kind.index == "cell":
            pairs = zip(game.variable_values(before, number), game.variable_values(after, number), strict=True)
            result |= {cell for cell, (one, other) in enumerate(pairs) if one != other}
    return frozenset(result)


def _raw(game: Game, before: State, move: Move) -> tuple[int, ...]:
    """The pieces after a move that forces nothing, before the window follows them."""
    pieces = list(before.pieces)
    for cell in chosen_cells(game, move):
        pieces[0] &= ~(1 << cell)
    return tuple(pieces)
