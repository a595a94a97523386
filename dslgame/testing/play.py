"""Checks claims on positions: the first positions breadth first, then random games drawn by Hypothesis.

All claims check the same games. When one fails, its game is shortened while the others wait; then that claim is
dropped, and the others go on. Breadth first, the first failing game is a shortest one; Hypothesis shrinks random games.

A claim that must try many moves per position checks only some positions of a long game, chosen at random, but all of
them while its game is shortened.

Time is processor time, so that a busy machine tests as much as an idle one. Every claim checks the start, even if the
time is over by then.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from dslgame.testing.against import Against
from dslgame.testing.disagreement import Disagreement
from dslgame.testing.engines import KernelEngine, Lockstep
from dslgame.testing.properties import BY_CODE, Ply, Property, Ranges, Unchecked
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.model.state import Move, State

if TYPE_CHECKING:
    from hypothesis import strategies as st

    from interpreter.game import Game

Found = TypeVar("Found")

FIRST_POSITIONS = 400
"""The breadth-first part ends when it has found more positions than this."""
FIRST_WORK = 20_000
"""The breadth-first part ends when all claims together have tried more moves than this."""
GAME_WORK = 400
"""About how many moves one claim tries in a random game."""
GUESSED_PLIES = 30
"""The least assumed length of games, and the assumption before any was played."""
SHORTENING_PLIES = 20_000
"""The most positions checked while a failing game is shortened."""
SHORTENING_SECONDS = 60.0
"""The most processor time spent on shortening a failing game."""
KERNEL_GAMES, PLAIN_GAMES = 100, 5
"""For each random game of the interpreter the number of those of the kernel: compiled, and in plain Python."""
COMPILED_FROM = 50
"""The number of random games from which on a kernel is compiled for its own, which takes some seconds."""
BEFORE_KERNEL = 0.75
"""The share of the time after which the interpreter's random games end where those of the kernel follow."""
CHOICES = 2**16
"""Hypothesis draws a number below this for each move, taken modulo the number of moves."""


class _Enough(BaseException):
    """Stops a search by Hypothesis, which takes other exceptions for failures of what it tests."""


class _GameEnds(Exception):
    """Ends a game in which a limit is met, or a rule fails that no current claim is about."""


class Play:
    """Checks several claims on the positions of a game."""

    def __init__(self, game: Game, claims: Sequence[Property], *, plies: int, seed: int | None = None,
                 seconds: float | None = None, progress: Callable[[str], None] | None = None) -> None:
        self.game = game
        self.active = [claim for claim in claims if not claim.nothing_to_check()]
        self._all = tuple(self.active)
        self.failures: dict[Property, Disagreement] = {}
        self.games = 0
        """Random games played by the interpreter."""
        self.kernel_games = 0
        """Random games played by the kernel alone, except for a sample."""
        self.positions = 0
        """Positions checked, without those of games being shortened."""
        self.complete = False
        """Whether every reachable position was checked."""
        self._plies, self._seed, self._seconds = plies, seed, seconds
        self._started = time.process_time()
        self._progress = progress
        self._dice = random.Random(seed or 0)
        # while a game is shortened:
        self._failing: Property | None = None
        self._best: Disagreement | None = None
        self._shortened = 0
        self._failed_at = 0.0
        self.late = False
        """Whether time ran out before all games were played."""
        # why a search was broken off:
        self._broken_off = self._interrupted = False

    # ---- breadth first

    def breadth_first(self) -> None:
        """Check all claims on the first positions, until a limit is met: positions, work or a quarter of the time."""
        first = self._begin()
        known, queue = {first.position.state}, deque([first])
        seconds = None if self._seconds is None else self._seconds / 4
        work, broken_off = 0, False
        while queue and self.active:
            if self.positions and (len(known) > FIRST_POSITIONS or work > FIRST_WORK or self._is_late(seconds)):
                return
            ply = queue.popleft()
            self.positions += 1
            self._tell(f"{self.positions:,} positions")
            for claim in tuple(self.active):
                if self.positions > 1 and self._is_late(seconds):
                    return
                try:
                    work += self._ask(claim, ply)
                except Disagreement as result:
                    self._leave_out(self._claim_of(result), result)
                except _GameEnds:
                    broken_off = True
            try:
                for move in self._legal(ply):
                    after = self._after(ply, move)
                    if after.position.state not in known and len(after.position.played) <= self._plies:
                        known.add(after.position.state)
                        queue.append(after)
                    broken_off |= len(after.position.played) > self._plies
            except Disagreement as result:
                self._leave_out(self._claim_of(result), result)
                queue.append(ply)
            except _GameEnds:
                broken_off = True
        self.complete = not queue and not broken_off and not self.game.rules.repetition

    def _begin(self) -> Ply:
        """The start position; a claim whose second implementation fails to give one is dropped."""
        try:
            return self._first()
        except Disagreement as result:
            self._leave_out(self._claim_of(result), result)
            return self._begin()

    # ---- random games

    def random_games(self, games: int) -> None:
        """Play random games; after a failure, drop the failed claim and play anew for the others."""
        while self.active and games:
            if self._is_late(self._before_kernel):
                self.late = True
                return
            self._best, self._shortened, self._broken_off = None, 0, False
            self._search(games)
            self._failing = None
            if self._best is None:
                return
            self._leave_out(self._claim_of(self._best), self._best)

    def _search(self, games: int) -> None:
        """Let Hypothesis search for a failing game and shrink it."""
        from hypothesis import HealthCheck, Phase, Verbosity, given, settings
        from hypothesis import seed as seeded
        from hypothesis import strategies as st
        from hypothesis.errors import Flaky

        @settings(max_examples=games, deadline=None, database=None, derandomize=False, print_blob=False,
                  suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink],
                  report_multiple_bugs=False, verbosity=Verbosity.quiet)
        @given(data=st.data())
        def search(data: st.DataObject) -> None:
            self._example(data)

        try:
            (search if self._seed is None else seeded(self._seed)(search))()
        except _Enough:
            pass
        except Disagreement as result:
            if self._best is None or len(result.moves) <= len(self._best.moves):
                self._best = result
        except Flaky:  # Hypothesis raises this for an example that was broken off
            if self._interrupted:
                raise KeyboardInterrupt from None
            if not self._broken_off:
                raise

    def _example(self, data: st.DataObject) -> None:
        """Play a random game, and record its failure if it has one."""
        try:
            self._one_game(data)
        except KeyboardInterrupt:
            self._interrupted = True
            raise
        except Disagreement as result:
            if self._failing is None:
                self._failing, self._failed_at = self._claim_of(result), time.process_time()
            if result.is_slow:
                self._best, self._broken_off = result, True
                raise _Enough from None
            if self._best is None or len(result.moves) < len(self._best.moves):
                self._best = result
            raise
        if self._failing is None:
            self.games += 1
            self._tell(f"{self.games:,} games, {self.positions:,} positions")

    def _one_game(self, data: st.DataObject) -> None:
        from hypothesis import strategies as st

        numbers = st.integers(0, CHOICES - 1)
        try:
            ply = self._first()
            for _ in range(self._plies + 1):
                self._look(ply)
                legal = self._legal(ply)
                if not legal:
                    break
                ply = self._after(ply, legal[data.draw(numbers) % len(legal)])
        except _GameEnds:
            pass

    def _look(self, ply: Ply) -> None:
        """Check a position of a random game: all claims that are due, or only the one whose game is shortened."""
        if self._failing is not None:
            self._shortened += 1
            self._tell(f"shortening a game of {len(self._best.moves) if self._best else 0} moves")
            self._ask_in_game(self._failing, ply)
        else:
            self.positions += 1
            for claim in self.active:
                self._ask_in_game(claim, ply)
        self._stop_if_late()

    def _ask_in_game(self, claim: Property, ply: Ply) -> None:
        """Check a claim on a position of a random game, if it is due.

        A rule that fails for the check alone does not end the game: which claims are due differs from time to time, and
        Hypothesis must find the same choices in the same game.
        """
        with suppress(_GameEnds):
            if claim is self._failing or self._is_due(claim, ply):
                self._ask(claim, ply)

    def _is_due(self, claim: Property, ply: Ply) -> bool:
        """Whether a claim checks this position: at random, with a probability that falls with its cost."""
        cost = self._by_rules(ply, lambda: claim.cost(ply))
        plies = max(GUESSED_PLIES, self.positions // max(1, self.games))
        return self._dice.random() * cost * plies <= GAME_WORK

    def _stop_if_late(self) -> None:
        if self._failing is None:
            self.late = stop = self._is_late(self._before_kernel)
        else:
            stop = (self._shortened > SHORTENING_PLIES
                    or time.process_time() - self._failed_at > SHORTENING_SECONDS)
        if stop:
            self._broken_off = True
            raise _Enough

    # ---- random games of the kernel

    def _playing(self) -> tuple[Lockstep, KernelEngine] | None:
        """The claim on the kernel, if it is being checked, with the kernel."""
        return next(((claim, claim.engine) for claim in self.active
                     if isinstance(claim, Lockstep) and type(claim.engine) is KernelEngine), None)

    @property
    def _before_kernel(self) -> float | None:
        """The time after which the interpreter's random games end."""
        return self._seconds if self._seconds is None or not self._playing() else BEFORE_KERNEL * self._seconds

    def random_games_of_kernel(self, games: int) -> None:
        """Play many times as many random games by the kernel, whose failures the interpreter repeats.

        It also repeats each game whose number is a power of two. After a failure only shorter games are played on, to
        find the shortest one.
        """
        playing = self._playing() if games and not self._is_late() else None
        if playing is None:
            return
        claim, engine = playing
        games *= KERNEL_GAMES if games >= COMPILED_FROM and engine.compile() else PLAIN_GAMES
        found: dict[Property, Disagreement] = {}
        plies = self._plies
        for number in range(1, games + 1):
            if self._is_late():
                self.late = True
                break
            seed = self._dice.getrandbits(63)
            try:
                try:
                    engine.played(seed, plies)
                    fails = False
                except RuleError as problem:
                    fails = not problem.is_limit
                if fails or not number & (number - 1):
                    self._repeat(claim, engine, seed, plies)
            except NotLowered:  # a move is too long for a kernel
                break
            except Disagreement as failure:
                plies = min(plies, len(failure.moves))
                of = self._claim_of(failure)
                if of not in found or len(failure.moves) < len(found[of].moves):
                    found[of] = failure
            self.kernel_games += 1
            self._tell(f"{self.kernel_games:,} games of the kernel")
        for of, result in found.items():
            self._leave_out(of, result)

    def _repeat(self, claim: Lockstep, engine: KernelEngine, seed: int, plies: int) -> None:
        """Play a game of the kernel again by the interpreter. Raises Disagreement where they differ, or a rule fails.
        """
        ply = Ply(self.game.start())
        for number in range(1, plies + 1):
            try:
                state, played = engine.played(seed, number)
            except RuleError as problem:
                if not problem.is_limit:
                    self._blame(claim, ply, problem)
                return
            if played < number:
                if state.outcome != ply.position.state.outcome:
                    raise claim.fail(ply, "a random game ends otherwise in the kernel")
                return
            try:
                move = next((move for move in self._legal(ply) if self._leads_to(ply, move, state)), None)
            except _GameEnds:
                return
            if move is None:
                raise claim.fail(ply, "a random move of the kernel is none of the legal moves")
            ply = Ply(ply.position.play(move), (*ply.moves, move))

    def _leads_to(self, ply: Ply, move: Move, state: State) -> bool:
        """Whether a move leads to a state, apart from the outcome, which may depend on the history."""
        try:
            after = self.game.engine.apply(ply.position.state, move)
        except RuleError:
            return False
        return after is not None and after._replace(outcome=state.outcome) == state

    def _followed(self, ply: Ply) -> tuple[Move, ...]:
        """The legal moves of a position, which lead on. Raises Disagreement or _GameEnds where a rule fails."""
        self._by_rules(ply, lambda: ply.followers)
        return self._legal(ply)

    def _blame(self, claim: Lockstep, ply: Ply, problem: RuleError) -> None:
        """Raise Disagreement for the rule that fails in the position or, where no move is left, after the next move."""
        try:
            for move in self._followed(ply):
                self._followed(Ply(ply.position.play(move), (*ply.moves, move)))
        except _GameEnds:  # that the rule fails is known
            return
        raise claim.fail(ply, f"in a random game a rule fails in the kernel alone ({problem.code})")

    # ---- positions

    def _watching(self) -> list[Property]:
        """The claims that check the current game."""
        return self.active if self._failing is None else [self._failing]

    def _first(self) -> Ply:
        partners = [claim.start() for claim in self._watching()]
        return Ply(self.game.start(), (), next((partner for partner in partners if partner is not None), None))

    def _legal(self, ply: Ply) -> tuple[Move, ...]:
        return self._by_rules(ply, lambda: ply.legal)

    def _after(self, ply: Ply, move: Move) -> Ply:
        """The position after a move, with that of the second implementation."""
        text = ply.text(move)
        partners = [claim.after(ply, text) for claim in self._watching()]
        position = self._by_rules(ply, lambda: ply.position.play(move))
        partner = next((partner for partner in partners if partner is not None), None)
        return Ply(position, (*ply.moves, move), partner)

    def _ask(self, claim: Property, ply: Ply) -> int:
        """Check a claim on a position, and return its cost."""
        with suppress(Unchecked):
            self._by_rules(ply, lambda: claim.check(ply))
            claim.checked += self._failing is None
        return claim.cost(ply)

    def _by_rules(self, ply: Ply, ask: Callable[[], Found]) -> Found:
        """The result of `ask`; a failing rule contradicts the current claim about it, or ends the game without one."""
        try:
            return ask()
        except RuleError as problem:
            if problem.is_limit:
                raise _GameEnds from None
            about: type[Property] = BY_CODE.get(problem.code, Ranges)
            if not any(isinstance(claim, about) for claim in self._all):
                about = Against  # no other claim reports the file's failure, and the reference goes on
            claim = next((claim for claim in self._watching() if isinstance(claim, about)), None)
            if claim is None:
                raise _GameEnds from None
            source = problem.source or self.game.rules.source
            place = f"{source.name}:{problem.span.line}:{problem.span.column}"
            raise claim.fail(ply, f"{place}: error[{problem.code}]: {problem.phrase}{_culprit(ply)}") from None

    # ---- small things

    def _claim_of(self, result: Disagreement) -> Property:
        return next(claim for claim in self.active if claim.claim == result.claim)

    def _leave_out(self, claim: Property, result: Disagreement) -> None:
        self.failures[claim] = result
        self.active.remove(claim)

    def _is_late(self, seconds: float | None = None) -> bool:
        most = self._seconds if seconds is None else seconds
        return most is not None and time.process_time() - self._started > most

    def _tell(self, text: str) -> None:
        if self._progress is not None:
            self._progress(text)


def _culprit(ply: Ply) -> str:
    """The end of a message that names the move after which a rule fails; empty where none does."""
    engine, state = ply.game.engine, ply.position.state
    try:
        for move in engine.candidates(state):
            try:
                engine.apply(state, move)
            except RuleError:
                return f", after the move {ply.text(move)}"
    except RuleError:
        pass
    return ""
