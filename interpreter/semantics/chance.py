"""Chance: the moves that no player chooses, their probabilities, and the positions that they lead to.

A position in which a rule of chance offers a move with a weight above 0 is a chance node: such a move is made there;
no player chooses it. It is drawn from the moves of all applicable rules of chance, with probabilities proportional to
the weights. `Engine.chance` is the `Chance` of an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from interpreter.errors import RuleError
from interpreter.model.state import Move, State, WorkingState

if TYPE_CHECKING:
    from interpreter.semantics.engine import Engine
    from interpreter.semantics.functions import Bound, Function
    from interpreter.semantics.stages import Condition


class Outcome(NamedTuple):
    """One position that chance can lead to: the first move that does, the position's probability, and the position."""

    move: Move
    probability: Fraction
    state: State


class Chance:
    """The rules of chance of one game."""

    def __init__(self, engine: Engine, passes: Sequence[Condition]) -> None:
        self._engine = engine
        self._passes = passes
        """The conditions of `turn passes when`: after which moves of chance the next player has the turn."""
        moves = engine.rules.moves
        self.rules = tuple(number for number, rule in enumerate(moves) if rule.is_chance)
        """The numbers of the move rules that are of chance."""
        self.others = tuple(number for number, rule in enumerate(moves) if not rule.is_chance and not rule.is_step)
        """The numbers of the move rules by which players begin a move."""
        self._weights: dict[int, Function] = {
            number: engine.evaluator.compile(weight) for number in self.rules
            if (weight := moves[number].weight) is not None}

    def decides(self, state: State) -> bool:
        """Whether chance makes the next move, not a player."""
        if not self.rules or state.outcome is not None:
            return False
        engine, moves = self._engine, self.happening(state)
        if not engine.rules.illegal:
            return bool(moves)
        return any(engine.apply(state, move, ends=False) is not None for move in moves)

    def happening(self, state: State) -> list[Move]:
        """The moves of chance in a position without outcome, before `illegal when` is checked; empty where none can
        happen.
        """
        return [move for move in self._engine.offered(WorkingState(state), self.rules) if self.weight(state, move)]

    def next_player(self, table: WorkingState) -> int:
        """The player who has the turn after a move of chance: the same one, unless the turn passes."""
        passes = any(condition.holds(table) for condition in self._passes)
        return self._engine.turns.next(table) if passes else table.mover

    def weight(self, state: State, move: Move) -> int:
        """The weight of a move of chance relative to the others. Raises RuleError where it is negative."""
        function = self._weights.get(move.rule)
        if function is None:
            return 1
        rule = self._engine.rules.moves[move.rule]
        bound: Bound = [None] * rule.slots
        slots = (slot for choice in rule.choices for slot in choice.slots)
        for slot, value in zip(slots, move.values, strict=True):
            bound[slot] = value
        result = int(function(WorkingState(state), bound))
        if result < 0:
            assert rule.weight is not None
            raise RuleError("G430", f"a weight of chance is {result}, expected 0 or more", rule.weight.span)
        return result

    def probabilities(self, state: State) -> list[tuple[Move, Fraction]]:
        """The legal moves of chance, each with its probability; empty where chance does not decide."""
        if not self.decides(state):
            return []
        moves = [move for move in self._engine.legal(state) if move.rule in self.rules]
        weights = [self.weight(state, move) for move in moves]
        whole = sum(weights)
        return [(move, Fraction(weight, whole)) for move, weight in zip(moves, weights, strict=True)]

    def outcomes(self, state: State) -> list[Outcome]:
        """The positions that chance can lead to, each once with its total probability; empty where it does not decide.
        """
        result: dict[State, Outcome] = {}
        for move, probability in self.probabilities(state):
            after = self._engine.apply(state, move)
            assert after is not None  # the move is legal
            before = result.get(after)
            result[after] = Outcome(move, probability, after) if before is None else before._replace(
                probability=before.probability + probability)
        return list(result.values())
