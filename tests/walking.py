"""Random games in which a kernel is compared with the interpreter, ply by ply."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from dslgame.testing.engines import Lockstep
from dslgame.testing.properties import Ply, Unchecked
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel


class Walk:
    """Random games in which a kernel is compared with the interpreter on all moves of each ply.

    One row also goes through each game, so that the words that the kernel keeps from move to move are tested.
    """

    def __init__(self, game: Game, kernel: Kernel, *, may_fail: bool = False) -> None:
        self.game, self.kernel, self.may_fail = game, kernel, may_fail
        self.claim = Lockstep(game, "kernel", lambda game: kernel)
        self.plies = 0
        self.games = 0

    def play(self, seed: int, until: float, plies: int = 400) -> None:
        """Play one game, to its end or until the time is over. Raises Disagreement."""
        dice = random.Random(seed)
        try:
            state = self.game.engine.start()
            row = self.kernel.row(state)
            for _ in range(plies):
                ply = Ply(Position(self.game, state))
                with suppress(Unchecked):  # a move that is too long for the kernel
                    self.claim.check(ply)
                self.plies += 1
                if not ply.followers or time.process_time() > until:
                    break
                move, state = dice.choice(ply.followers)
                assert self.kernel.apply(row, self.kernel.coded(move))
                assert self.kernel.state(row) == state
        except RuleError as problem:  # in both; a limit is one that both meet, as the window of an unbounded board
            if not (problem.is_limit or self.may_fail):
                raise
        self.games += 1

    def walk(self, games: int, seconds: float, plies: int = 400) -> None:
        """Play up to `games` games, within `seconds` of CPU time."""
        until = time.process_time() + seconds
        for seed in range(games):
            if self.games and time.process_time() > until:
                break
            self.play(seed, until, plies)
