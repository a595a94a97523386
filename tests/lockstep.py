"""Two implementations of a game played side by side: every ply must agree.

Used by `test_lockstep` and `test_openspiel`; as a program, with a case as its argument, it plays that one case.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.conftest  # noqa: F401  # how Hypothesis searches, where this is the program
from dslgame import Position
from interpreter.game import Game
from tests.discovery import OracleCase
from tests.reference.rules import DRAW, Rules

LONGEST = 150
"""Plies after which a game is left."""
MOST_GAMES = settings().max_examples // 2


@attrs.define
class Pair:
    """One game played twice: by its file, and by another implementation.

    A repetition rule is applied for the other one, whose states need not know what was played before.
    """

    rules: Rules[Any]
    state: Any
    position: Position
    seen: set[Any]
    """The other one's states before this one."""
    repeated: bool = False
    """Whether this state is one of them."""
    mover: str = ""
    """Who made the last move."""

    @classmethod
    def start(cls, game: Game, rules: Rules[Any]) -> Pair:
        """Both before the first move."""
        return cls(rules, rules.start(), game.start(), set())

    def play(self, text: str) -> None:
        """The same move in both."""
        self.seen.add(self.state)
        self.mover = self.rules.to_move(self.state)
        self.state, self.position = self.rules.play(self.state, text), self.position.play(text)
        self.repeated = self.state in self.seen

    def outcome(self) -> str | None:
        """The other one's, and what a repetition makes of it."""
        outcome = self.rules.outcome(self.state)
        if outcome is not None:
            return outcome
        game = self.position.game
        if self.repeated and game.rules.repetition == "draws":
            return DRAW
        if self.repeated and game.rules.repetition == "loses":
            return next(name for name in game.players if name != self.mover) if len(game.players) == 2 else DRAW
        if game.rules.repetition == "forbidden" and not self._allowed():
            return game.outcome_name(game.engine.outcome_of_no_moves(self.position.state.to_move))
        return None

    def _allowed(self) -> list[str]:
        moves = self.rules.moves(self.state)
        if self.position.game.rules.repetition == "forbidden":
            seen = {*self.seen, self.state}
            moves = [move for move in moves if self.rules.after(self.state, move) not in seen]
        return moves

    def moves(self) -> list[str]:
        """The other one's moves."""
        return [] if self.outcome() is not None else self._allowed()

    def check(self) -> None:
        """Both show the same."""
        outcome = self.outcome()
        assert sorted(self.position.moves()) == sorted(self.moves())
        board, variables = self.rules.board(self.state), self.rules.variables(self.state)
        assert board is None or self.position.pieces == board
        if variables is not None:
            assert self.position.variables == {
                name: tuple(value) if isinstance(value, list) else value for name, value in variables.items()
            }
        assert self.position.outcome == outcome
        assert self.position.over == (outcome is not None)
        if outcome is None:
            assert self.position.to_move == self.rules.to_move(self.state)


def play_on(data: st.DataObject, pair: Pair, longest: int = LONGEST, *, check: bool = False) -> None:
    """Random moves until the end or the bound."""
    for _ in range(longest):
        moves = sorted(pair.moves())
        if not moves:
            break
        pair.play(moves[data.draw(st.integers(0, len(moves) - 1), label="move")])
        if check:
            pair.check()


def play_games(game: Game, rules: Rules[Any], *, seconds: float) -> None:
    """Games in lockstep, as many as there is time for."""
    for_games(lambda data: _one_game(data, Pair.start(game, rules)), seconds=seconds)


class _Enough(BaseException):
    """Ends a search of Hypothesis's, which takes no other exception for anything but a failure."""


def for_games(test: Callable[[st.DataObject], None], *, seconds: float) -> None:
    """Run a test of one game on as many games as there is time for, but on 2 at least and `MOST_GAMES` at most."""
    stop = time.perf_counter() + seconds
    count, failed = 0, False

    @settings(max_examples=MOST_GAMES)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        nonlocal count, failed
        try:
            test(data)
        except Exception:
            failed = True
            raise
        count += 1
        if count >= 2 and not failed and time.perf_counter() > stop:  # here, where the example is complete
            raise _Enough

    with suppress(_Enough):
        run()


def _one_game(data: st.DataObject, pair: Pair) -> None:
    pair.check()
    play_on(data, pair, check=True)


if __name__ == "__main__":
    case = OracleCase.read(sys.argv[1])
    play_games(case.game(), case.rules(), seconds=float(sys.argv[2]))
