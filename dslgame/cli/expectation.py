"""The output of expected results, for games with chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dslgame.cli.output import table

if TYPE_CHECKING:
    from interpreter.game import Position
    from interpreter.model.state import Move, State
    from solver.expected.value import Expected
    from solver.solve import Solution


def as_object(solution: Solution[State, Move], players: int) -> dict[str, object]:
    """The first player's expected result, as JSON keys: 1 for a win, 1/2 for a draw, 0 for a loss, or the `payoff`.

    In games for one player, everything but a win counts 0. Without chance the result follows from the winner; null
    with more than two players.
    """
    from solver.space import DRAW

    result = solution.expected
    if result is not None:
        return {"expected": result.value, "exact": result.fraction, "error": result.error}
    if solution.winner is None or players > 2:
        return {"expected": None, "exact": None}
    if solution.winner == DRAW and players == 2:
        return {"expected": 0.5, "exact": "1/2"}
    won = solution.winner == 0
    return {"expected": float(won), "exact": str(int(won))}


def verdict(position: Position, solution: Solution[State, Move]) -> str:
    """The value as a sentence."""
    game, result = position.game, solution.expected
    assert result is not None
    best = "" if solution.best is None else f", best move {game.notation.write(position.state, solution.best)}"
    if not result.known:
        return f"{position.to_move} to move: between {result.low:.6f} and {result.high:.6f} for {game.players[0]}"
    exact = f" = {result.fraction}" if result.fraction is not None else ""
    return f"{position.to_move} to move: expected {result.value:.6f}{exact} for {game.players[0]}{best}"


def table_of(position: Position, solution: Solution[State, Move],
             rows: Sequence[tuple[str, Expected | None, int]]) -> str:
    """The table of first moves, the best for the player to move first; moves of chance in their order, with their
    probabilities."""
    chances = [chance for _, chance in position.outcomes()]
    lines = [("move", "expected", "exact", "chance" if chances else "")]
    shown = [(move, worth, images, str(chances[index]) if len(chances) == len(rows) else "")
             for index, (move, worth, images) in enumerate(rows) if worth is not None]
    if not chances:
        shown.sort(key=lambda row: -row[1].value if position.state.to_move == 0 else row[1].value)
    for move, worth, images, chance in shown:
        more = f"and its {images} image{'s' * (images != 1)}" if images else ""
        lines.append((move, f"{worth.value:.6f}", worth.fraction or "", chance or more))
    return table(lines, right=(False, True, False, False))
