"""Endgame table lookup for players: the value of a position in a running game, from files of `dslgame endgames`.

Such a file holds values of the game without the counters that only end it, such as moves without a capture. A position
is looked up without its counters. A draw in the table is a draw with counters; a win counts only where it comes before
a counter can end the game on any line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from interpreter.game import Game
from interpreter.model.state import DRAW, Move, State
from solver.counters import Counter, check_counters, counters_of
from solver.endgames import without_counters
from solver.errors import Refused
from solver.strong import Value
from solver.tables.saved import SavedSolution


@attrs.frozen(eq=False)
class EndgameTables:
    """The endgame tables of one game, and the counters that they leave out."""

    game: Game
    tables: tuple[SavedSolution, ...]
    counters: tuple[Counter, ...]

    @classmethod
    def open(cls, game: Game, paths: Iterable[str | Path]) -> EndgameTables:
        """Open files that `dslgame endgames --save` wrote.

        Raises OSError, and Refused where the game can have no endgame tables or a file does not fit it.
        """
        check_counters(game)
        plain = without_counters(game)
        tables = []
        for path in paths:
            table = SavedSolution.open(path)
            if (table.game.rules.source.text, table.game.params) != (plain.rules.source.text, plain.params):
                raise Refused(f"{path} has endgames of {table.game.title}, with other rules or params than those that "
                              f"are played here: make it by `dslgame endgames` from the same file, with the same -p")
            tables.append(table)
        return cls(game, tuple(tables), counters_of(game) or ())

    def stored(self, state: State) -> Value | None:
        """The value of a position in the game without counters; None where no table has it."""
        if state.outcome is not None:
            return Value(state.outcome, 0)
        for table in self.tables:
            values = list(state.values)
            for counter in self.counters:
                values[counter.place] = table.space.root.values[counter.place]
            result = table.value(state._replace(values=tuple(values)))
            if result is not None:
                return result
        return None

    def value(self, state: State) -> Value | None:
        """The value of a position; None where no table has it, or a counter may end the game before a win."""
        result = self.stored(state)
        if result is None or state.outcome is not None or result.winner == DRAW:
            return result
        plies = result.remoteness
        sure = plies is not None and all(counter.allows(state, plies) for counter in self.counters)
        return result if sure else None

    def moves(self, state: State, history: Sequence[State]) -> dict[Move, Value]:
        """The known values of moves, with the remoteness from this position.

        A win is left out where an earlier position that may repeat has a smaller remoteness for the same winner. On the
        way to other wins the remoteness only falls, so that no position repeats; positions that no table has are not on
        the way.
        """
        line = (*history, state)
        past = [known for before in line if self.game.looks_back and self.game.repetition.holds(before, line)
                and (known := self.stored(before)) is not None]
        result = {}
        for move, after in self.game.engine.successors(state):
            value = self.value(after)
            if value is None:
                continue
            plies = None if value.remoteness is None else value.remoteness + 1
            if value.winner == DRAW or not any(
                    before.winner == value.winner and (before.remoteness or 0) < (plies or 0) for before in past):
                result[move] = Value(value.winner, plies)
        return result
