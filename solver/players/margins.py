"""Measurement of ProbCut margins: how far a search of a few plies moves a score from the static value of a position.

It seldom moves far from the game's `value`. The difference is measured in self-play of the search: `Margins` holds, for
each number of plies, the interval in which most differences lie. Alpha-beta prunes a position whose value is so far
above beta, or below alpha, that a search of the remaining plies would hardly bring it back (ProbCut, Buro 1995, with
the static value as the shallow search; above beta also called reverse futility pruning). Wins and losses within the
plies count as the largest static value in the sample, with their sign, and only few of them may lie outside a margin:
finding them is what a search is for.

The margins are cached on disk beside the game's kernel.
"""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

from interpreter.game import Position
from interpreter.kernel.engine import quickened
from solver.native.scores import MOST
from solver.players.iterative_deepening import Choosing, Deepening, Margins
from solver.players.kept import keep, kept_at
from solver.players.kinds import valued
from solver.players.limits import Limit

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained

PLIES = 4
"""The most remaining plies at which a position is pruned by its value."""
SHARE = 0.1
"""The share of scores that lie outside a margin, on each side."""
ENDS = 0.01
"""The largest share of all positions that may have a win, or a loss, within the plies outside a margin."""
SAMPLES = 250
"""Positions that are measured."""
NODES = 1_000_000
"""The limit on the nodes of all searches together: about five seconds."""
SECONDS = 30.0
"""The limit on processor seconds, for games in which a node takes long."""
FEWEST = 40
"""The fewest positions for a margin."""
_MOST_NODES = 50_000
"""The node limit of one search, which is abandoned there."""
GIVEN_UP = 0.1
"""The largest share of abandoned searches of a depth (`_FEW` are always allowed); above it the depth has no margin."""
_FEW = 3
_TABLE_MIB = 1
_OPENING = 6
"""The most random moves at the beginning of a game."""
_STRAYING = 4
"""One in this many moves is random, like the moves that a search tries."""
_LONGEST = 300


def measure(entries: Entries, choosing: Choosing | None = None, trained: Trained | None = None, *,
            samples: int = SAMPLES, nodes: int = NODES, seconds: float | None = SECONDS,
            share: float = SHARE) -> Margins:
    """Measure margins by searches of up to `PLIES` plies in positions from self-play of a one-ply search.

    Unless the time limit ends it, the same game gives the same margins. A game without a value, learned or written, has
    none. Raises RuleError where a rule fails.
    """
    if not valued(entries.game, trained):
        return Margins()
    search = Deepening(entries, table_mib=_TABLE_MIB, choosing=choosing, trained=trained)
    game = quickened(entries.game, entries.kernel)
    chance = random.Random(0)
    scores: list[list[tuple[int, int]]] = [[] for _ in range(PLIES)]
    deepest = PLIES
    given_up = [0] * PLIES
    search.search(game.start().state, Limit(plies=1))  # compiles before the time starts
    until = None if seconds is None else time.thread_time() + seconds

    def enough() -> bool:
        """Whether enough positions were measured, or the nodes or the time are spent."""
        spent = visited >= nodes or (until is not None and time.thread_time() >= until)
        return spent or len(scores[0]) >= samples

    visited = 0
    for _ in range(samples):  # games
        if enough():
            break
        position = _opened(game.start(), chance)
        for _ in range(_LONGEST):
            if position.over or enough():
                break
            value, best = search.value(position.state), None
            for plies in range(1, deepest + 1):
                search.forget()
                result = search.search(position.state, Limit(plies=plies, nodes=_MOST_NODES), first=plies,
                                       history=position.history)
                result.report.check_interrupted()
                visited += result.report.nodes
                if not result.report.whole:
                    given_up[plies - 1] += 1
                    if given_up[plies - 1] > max(_FEW, GIVEN_UP * len(scores[plies - 1])):
                        deepest = plies - 1
                    break
                best = best or result.move
                scores[plies - 1].append((value, result.score))
            if deepest == 0:
                return Margins()
            if best is None or chance.randrange(_STRAYING) == 0:
                best = chance.choice(position.legal())
            position = position.play(best)
    pairs = tuple(_between(some, share) for some in scores[:deepest] if len(some) >= FEWEST)
    return Margins(pairs, whole=until is None or time.thread_time() < until)


def _opened(position: Position, chance: random.Random) -> Position:
    """The position after 1 to `_OPENING` random moves."""
    for _ in range(chance.randint(1, _OPENING)):
        if position.over:
            break
        position = position.play(chance.choice(position.legal()))
    return position


def _between(scores: list[tuple[int, int]], share: float) -> tuple[int, int]:
    """The interval of the differences score - value without a share at each end, widened for wins and losses by `ENDS`.

    `scores` has pairs of value and score.
    """
    far = max(abs(value) for value, _ in scores)
    gains = sorted(max(-far, min(far, score)) - value for value, score in scores)
    wins = sorted(max(0, far - value) for value, score in scores if score > MOST)
    losses = sorted(min(0, -far - value) for value, score in scores if score < -MOST)
    place, few = int(share * len(scores)), int(ENDS * len(scores))
    least, most = gains[place], gains[-1 - place]
    if len(losses) > few:
        least = min(least, losses[few])
    if len(wins) > few:
        most = max(most, wins[-1 - few])
    return least, most


def measured(entries: Entries, choosing: Choosing | None = None, trained: Trained | None = None, *,
             share: float = SHARE, kept: bool = True) -> Margins:
    """Return the result of `measure`, from the cache on disk where it is there; written to it if `kept`.

    Raises RuleError where a rule fails.
    """
    path = kept_at("margins", entries, (choosing, PLIES, share, ENDS, SAMPLES, NODES, GIVEN_UP), trained)
    try:
        return Margins(tuple((int(least), int(most)) for least, most in json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        result = measure(entries, choosing, trained, share=share)
        if kept and result.whole:
            keep(path, result.pairs)
        return result
