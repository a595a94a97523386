"""How a game ends: by the first of its ends that holds, or because a player has no move.

`Engine.ends` has the `Ends` of an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.errors import RuleError
from interpreter.model.state import DRAW, State, WorkingState
from interpreter.semantics.stages import Condition

if TYPE_CHECKING:
    from interpreter.semantics.engine import Engine


class Ends:
    """Evaluates the ends of one game, whose compiled conditions are given in order."""

    def __init__(self, engine: Engine, conditions: Sequence[Condition]) -> None:
        self._engine = engine
        self._ends = [(number, end, engine.evaluator.optional(end.player), condition) for number, (end, condition)
                      in enumerate(zip(engine.rules.ends, conditions, strict=True))]
        self._asked: dict[tuple[State, bool], bool] = {}
        """A cache of the last answers of `no_moves`."""
        engine.evaluator.no_moves = self.no_moves

    def outcome(self, table: WorkingState) -> int | None:
        """The outcome after a move; None where the game goes on. Raises RuleError."""
        result = self.deciding(table)
        return self.by_no_moves(table) if result is None else result[1]

    def deciding(self, table: WorkingState) -> tuple[int, int] | None:
        """The first end that holds: its number among the ends, and the outcome."""
        for number, end, player, condition in self._ends:
            if condition.holds(table):
                return number, DRAW if player is None else self._of(end.kind, int(player(table, [])))
        return None

    def by_no_moves(self, table: WorkingState) -> int | None:
        """The outcome by a `no moves` rule that ends the game; None without such a rule, or where there is a move."""
        if self._engine.rules.no_moves not in ("loses", "wins", "draws") or not self.no_moves(table, anyone=False):
            return None
        return self.of_no_moves(table.to_move)

    def of_no_moves(self, player: int) -> int:
        """The outcome where a player has no move, by a `no moves` rule that ends the game."""
        kind = self._engine.rules.no_moves
        return DRAW if kind == "draws" else self._of("win" if kind == "wins" else "lose", player)

    def _of(self, kind: str, player: int) -> int:
        """The outcome where a player wins or loses."""
        turns = self._engine.turns
        return turns.sides[player] if kind == "win" else turns.other(player)

    # ---- lack of moves

    def no_moves(self, table: WorkingState, anyone: bool) -> bool:
        """Whether the player to move, or with `anyone` every player, has no move. Raises RuleError."""
        state = table.state(None)
        answer = self._asked.get((state, anyone))  # several ends may ask the same
        if answer is None:
            players = range(self._engine.players) if anyone else (state.to_move,)
            answer = not any(self._finds_move(state, player) for player in players)
            if len(self._asked) >= 8:
                self._asked.clear()
            self._asked[state, anyone] = answer
        return answer

    def _finds_move(self, state: State, player: int) -> bool:
        """Whether a player would have a move; an error of a rule in such a trial move is marked with the player."""
        try:
            return self._engine.has_move(state._replace(to_move=player))
        except RuleError as problem:
            problem.trying = problem.trying or self._engine.rules.players[player]
            raise
