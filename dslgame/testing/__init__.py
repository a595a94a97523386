"""Property tests of games, for pytest and for the command `dslgame verify`.

`check_game` holds a game to what is true of every game that is written well, `check_against` to a second implementation
of its rules. Both look at all first positions and play random games, and raise `Disagreement` with the shortest game
that shows what is wrong. `verify` gives a report instead. Hypothesis plays: it comes with `dslgame[verify]`.

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

__all__ = ["Disagreement", "Reference", "Report", "Result", "check_against", "check_game", "verify"]

NEEDS = "property tests need Hypothesis, which is not installed: pip install 'dslgame[verify]'"


@attrs.frozen
class Result:
    """What became of one claim."""

    claim: str
    status: Literal["ok", "failed", "noted", "none"]
    """`noted`: it does not hold, and need not; `none`: there is nothing to check."""
    checked: int
    """How much was looked at, in units."""
    unit: str
    reason: str = ""
    """Why there is nothing to check."""
    disagreement: Disagreement | None = None
    """The shortest game that was found against it."""


@attrs.frozen
class Report:
    """What became of all claims."""

    results: tuple[Result, ...]
    games: int
    """Random games played."""
    positions: int
    """Positions looked at."""
    complete: bool
    """Whether these are all positions that can be reached; then no random games were needed."""
    late: bool = False
    """Whether the time was over before all games were played."""

    @property
    def failed(self) -> tuple[Result, ...]:
        """The claims that do not hold."""
        return tuple(result for result in self.results if result.status == "failed")


def check_game(game: Game, *, games: int = 100, plies: int = 200, seed: int | None = None,
               seconds: float | None = None, order: bool = False, kernel: bool = False,
               hooks: Hooks | None = None) -> None:
    """Hold a game to what is true of every game. Raises Disagreement, and ImportError where Hypothesis is missing.

    Random games are `games` in number and end after so many `plies`; after `seconds` no more are begun. The same `seed`
    plays the same games. With `order` the forced rules must give the same result in any order. With `kernel` the game's
    kernel must play as the interpreter does, and the kernel with `hooks` where these are given.
    """
    _raise_first(verify(game, games=games, plies=plies, seed=seed, seconds=seconds, order=order, kernel=kernel,
                        hooks=hooks))


def check_against(game: Game, reference: Reference, *, games: int = 100, plies: int = 200, seed: int | None = None,
                  seconds: float | None = None) -> None:
    """Hold a game to a second implementation, ply by ply: outcome, player to move, cells, variables and moves.

    Raises Disagreement, also where the reference raises, and ImportError where Hypothesis is missing.
    """
    _raise_first(_run(game, [Against(game, reference)], games, plies, seed, seconds, order=False))


def verify(game: Game, *, reference: Reference | None = None, name: str = "the reference", games: int = 100,
           plies: int = 200, seed: int | None = None, seconds: float | None = None, order: bool = False,
           kernel: bool = True, hooks: Hooks | None = None,
           progress: Callable[[str], None] | None = None) -> Report:
    """What becomes of every claim about a game; `name` is what the reference is called.

    With `kernel` all that plays the game besides the interpreter is compared with it. Raises ImportError where
    Hypothesis is missing.
    """
    claims = [*claims_of(game), *(lockstep_of(game, hooks) if kernel else [])]
    if reference is not None:
        claims.append(Against(game, reference, name))
    return _run(game, claims, games, plies, seed, seconds, order=order, progress=progress)


def _run(game: Game, claims: Sequence[Property], games: int, plies: int, seed: int | None, seconds: float | None, *,
         order: bool, progress: Callable[[str], None] | None = None) -> Report:
    if find_spec("hypothesis") is None:
        raise ImportError(NEEDS, name="hypothesis")
    # Where a rule fails, those that compare engines look first, as the failure ends the game for all others.
    first = sorted(claims, key=lambda claim: not isinstance(claim, Lockstep))
    play = Play(game, first, plies=plies, seed=seed, seconds=seconds, progress=progress)
    play.breadth_first()
    if not play.complete:
        play.random_games(games)
    return Report(tuple(_result(claim, play.failures.get(claim), order) for claim in claims), play.games,
                  play.positions, play.complete, play.late)


def _result(claim: Property, result: Disagreement | None, order: bool) -> Result:
    reason = claim.nothing_to_check()
    if reason:
        return Result(claim.claim, "none", 0, claim.unit, reason)
    if result is None:
        return Result(claim.claim, "ok", claim.checked, claim.unit)
    status: Literal["failed", "noted"] = "failed" if order or not isinstance(claim, ForcedRulesOrder) else "noted"
    return Result(claim.claim, status, claim.checked, claim.unit, disagreement=result)


def _raise_first(report: Report) -> None:
    for result in report.failed:
        if result.disagreement is not None:
            raise result.disagreement
