"""Recognises forced rules of gravity: `forced fall(c in occupied where c.south is empty): carry c to c.south`.

The rule moves a piece one step at a time. Pieces fall along fixed lines and never pass each other, so that they come to
rest at the same places if each is carried all the way at once, in any order. This requires that the rule is the only
forced one, that it has no other condition, and that its direction leads off the board from every cell.
"""

from __future__ import annotations

from dsl import hir
from interpreter.boards import Board


def direction_of_fall(rules: hir.Rules, board: Board) -> int | None:
    """The direction in which the forced rule makes pieces fall; None where it is not a rule of gravity."""
    if len(rules.forced) != 1 or rules.after or board.unbounded:
        return None
    rule = rules.forced[0]
    match rule:
        case hir.Forced(choices=(hir.Choice(
                slots=(slot,), domain=hir.CellsOf(pieces=pieces), guard=hir.Contains(
                    element=hir.Apply(function="step", arguments=(
                        hir.Local(slot=below), hir.Literal(value=int(way)))),
                    collection=hir.CellsOf(pieces=(0,)))),), when=None, until=None, body=(hir.Carry(
                    origin=hir.Local(slot=origin), destination=hir.Apply(function="step", arguments=(
                        hir.Local(slot=there), hir.Literal(value=onward)))),)):
            same = below == slot == origin == there and way == onward
            if same and 0 not in pieces and _ends(board, way):
                return way
    return None


def _ends(board: Board, way: int) -> bool:
    """Whether a direction leads off the board from every cell."""
    for cell in range(board.size):
        for _ in range(board.size):
            cell = board.steps[cell][way]
            if cell < 0:
                break
        else:
            return False
    return True
