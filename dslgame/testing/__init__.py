"""Property tests of games, for pytest and for the command `dslgame verify`.

`check_game` checks the properties that hold for every correct game, `check_against` compares a game with a second
implementation of its rules. Both check the first positions breadth first, then play random games, and raise
`Disagreement` with the shortest game found that shows the error. `verify` returns a report instead. Random games are
drawn by Hypothesis, which `dslgame[verify]` installs.

>>> import dslgame
>>> from dslgame.testing import check_game
>>> check_game(dslgame.load("my.game"), games=20)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Literal

import attrs

from dslgame.testing.against import Against, Reference
from dslgame.testing.disagreement import Disagreement
from dslgame.testing.engines import Lockstep, lockstep_of
from dslgame.testing.play import Play
from dslgame.testing.properties import ForcedRulesOrder, Property, claims_of
from interpreter.game import Game
from interpreter.hooks import Hooks

__all__ = ["Disagreement", "NotTested", "Reference", "Report", "Result", "check_against", "check_game", "verify"]

NEEDS = "property tests need Hypothesis, which is not installed: pip install 'dslgame[verify]'"


@attrs.frozen
class Result:
    """The result of checking one claim."""

    claim: str
    status: Literal["ok", "failed", "noted", "none", "untested"]
    """`noted`: the claim does not hold, and need not; `none`: there is nothing to check; `untested`: nothing could be
    checked."""
    checked: int
    """How many units were checked."""
    unit: str
    reason: str = ""
    """Why there is nothing to check, or nothing was."""
    disagreement: Disagreement | None = None
    """The shortest game found that contradicts the claim."""


@attrs.frozen
class Report:
    """The results of checking all claims."""

    results: tuple[Result, ...]
    games: int
    """Random games played by the interpreter, with every other engine beside it."""
    kernel_games: int
    """Random games played by the kernel alone, of which the interpreter repeated a sample."""
    positions: int
    """Positions checked."""
    complete: bool
    """Whether all reachable positions were checked, so that no random games were needed."""
    late: bool = False
    """Whether time ran out before all games were played."""

    @property
    def failed(self) -> tuple[Result, ...]:
        """The claims that do not hold."""
        return tuple(result for result in self.results if result.status == "failed")

    @property
    def untested(self) -> tuple[Result, ...]:
        """The claims that were checked nowhere."""
        return tuple(result for result in self.results if result.status == "untested")


class NotTested(AssertionError):
    """A claim could be checked nowhere."""


def check_game(game: Game, *, games: int = 100, plies: int = 200, seed: int | None = None,
               seconds: float | None = None, order: bool = False, kernel: bool = False,
               hooks: Hooks | None = None) -> None:
    """Check the properties that hold for every game. Raises Disagreement, and ImportError where Hypothesis is missing.

    `games` is the number of random games and `plies` their greatest length; checking stops after `seconds` of processor
    time, unless a failing game is being shortened, but not before each property was checked at the start. The same
    `seed` plays the same games. With `order` the forced rules must give the same result in any order. With `kernel` the
    game's kernel must play as the interpreter does, and so must the kernel with `hooks` where these are given. Raises
    NotTested where a property could be checked nowhere.
    """
    _raise_first(verify(game, games=games, plies=plies, seed=seed, seconds=seconds, order=order, kernel=kernel,
                        hooks=hooks))


def check_against(game: Game, reference: Reference, *, games: int = 100, plies: int = 200, seed: int | None = None,
                  seconds: float | None = None) -> None:
    """Compare a game with a second implementation, ply by ply: outcome, player to move, cells, variables and moves.

    Raises Disagreement, also where the reference raises or, within `seconds`, hangs; NotTested where it could not be
    compared at all, and ImportError where Hypothesis is missing.
    """
    _raise_first(_run(game, [Against(game, reference, seconds=seconds)], games, plies, seed, seconds, order=False))


def verify(game: Game, *, reference: Reference | None = None, name: str = "the reference", games: int = 100,
           plies: int = 200, seed: int | None = None, seconds: float | None = None, order: bool = False,
           kernel: bool = True, hooks: Hooks | None = None,
           progress: Callable[[str], None] | None = None) -> Report:
    """Check every claim about a game and report the results; `name` is the reference's name in the report.

    With `kernel` every other engine that plays the game is compared with the interpreter. Raises ImportError where
    Hypothesis is missing.
    """
    claims = [*claims_of(game), *(lockstep_of(game, hooks) if kernel else [])]
    if reference is not None:
        claims.append(Against(game, reference, name, seconds=seconds))
    return _run(game, claims, games, plies, seed, seconds, order=order, progress=progress)


def _run(game: Game, claims: Sequence[Property], games: int, plies: int, seed: int | None, seconds: float | None, *,
         order: bool, progress: Callable[[str], None] | None = None) -> Report:
    if find_spec("hypothesis") is None:
        raise ImportError(NEEDS, name="hypothesis")
    # Claims that compare engines come first: where a rule fails, the failure ends the game for all other claims.
    first = sorted(claims, key=lambda claim: not isinstance(claim, Lockstep))
    play = Play(game, first, plies=plies, seed=seed, seconds=seconds, progress=progress)
    play.breadth_first()
    if not play.complete:
        play.random_games(games)
        play.random_games_of_kernel(games)
    return Report(tuple(_result(claim, play.failures.get(claim), order) for claim in claims), play.games,
                  play.kernel_games, play.positions, play.complete, play.late)


def _result(claim: Property, result: Disagreement | None, order: bool) -> Result:
    reason = claim.nothing_to_check()
    if reason:
        return Result(claim.claim, "none", 0, claim.unit, reason)
    if result is None and not claim.checked:
        return Result(claim.claim, "untested", 0, claim.unit, "it could not be checked in any position")
    if result is None:
        return Result(claim.claim, "ok", claim.checked, claim.unit)
    status: Literal["failed", "noted"] = "failed" if order or not isinstance(claim, ForcedRulesOrder) else "noted"
    return Result(claim.claim, status, claim.checked, claim.unit, disagreement=result)


def _raise_first(report: Report) -> None:
    for result in report.failed:
        if result.disagreement is not None:
            raise result.disagreement
    for result in report.untested:
        raise NotTested(f"not tested: {result.claim}: {result.reason}")
