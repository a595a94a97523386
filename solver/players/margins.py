"""How far a search moves a score away from the value of a position: what alpha-beta may leave out by.

A search of a few plies seldom moves a score far from the game's `value`. How far is measured in games of the search
against itself: `Margins` has for each number of plies what most scores lie between. A position whose value is so far
above beta, or below alpha, that a search of the plies that are left would hardly bring it back is not searched
(ProbCut, Buro 1995, with the value itself as the shallow search; above beta also called reverse futility pruning). Wins
and losses within the plies count as the highest and lowest values that were seen, and few of them may lie outside of a
margin: they are what a search is for.

What was measured is kept on disk beside the game's kernel.
"""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

from interpreter.game import Position
from interpreter.kernel.engine import quickened
from solver.native.scores import MOST
from solver.players.iterative_deepening import Choosing, Deepening, Limit, Margins
from solver.players.kept import keep, kept_at

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained

PLIES = 4
"""At most so many plies before the end of a search positions are left out by their value."""
SHARE = 0.1
"""The share of scores that lie outside of a margin, on each side."""
ENDS = 0.01
"""The share of positions at most whose win, or loss, within some plies lies outside."""
SAMPLES = 250
"""Positions in which is measured."""
NODES = 1_000_000
"""Nodes of all searches together after which no more positions are measured: about five seconds."""
SECONDS = 30.0
"""Processor seconds after which no more are measured either, where a node takes long."""
FEWEST = 40
"""No margin is told of fewer positions."""
_MOST_NODES = 50_000
"""A search that visits so many positions is given up."""
GIVEN_UP = 0.1
"""The share of searches of a depth that are given up at most, after a few; else the depth has no margin."""
_FEW = 3
_TABLE_MIB = 1
_OPENING = 6
"""At most so many random moves begin a game."""
_STRAYING = 4
"""One move of so many is by chance, as moves are that a search tries."""
_LONGEST = 300


def measure(entries: Entries, choosing: Choosing | None = None, trained: Trained | None = None, *,
            samples: int = SAMPLES, nodes: int = NODES, seconds: float | None = SECONDS,
            share: float = SHARE) -> Margins:
    """Search positions of games that a search of one ply plays against itself, each with up to `PLIES` plies.

    Unless the time of the processor ends it, the same game has the same margins. A game without a value, learned or
    written, has none. Raises RuleError where a rule fails.
    """
    if entries.game.rules.value is None and trained is None:
        return Margins()
    search = Deepening(entries, table_mib=_TABLE_MIB, choosing=choosing, trained=trained)
    game = quickened(entries.game, entries.kernel)
    chance = random.Random(0)
    scores: list[list[tuple[int, int]]] = [[] for _ in range(PLIES)]
    deepest = PLIES
    given_up = [0] * PLIES
    search.search(game.start().state, Limit(plies=1))  # compiled before the time runs
    until = None if seconds is None else time.thread_time() + seconds

    def enough() -> bool:
        """Whether so many positions were measured, or the nodes or the time are spent."""
        spent = visited >= nodes or (until is not None and time.thread_time() >= until)
        return spent or len(scores[0]) >= samples

    visited = 0
    for _ in range(samples):  # at most so many games
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
    """A position after some random moves."""
    for _ in range(chance.randint(1, _OPENING)):
        if position.over:
            break
        position = position.play(chance.choice(position.legal()))
    return position


def _between(scores: list[tuple[int, int]], share: float) -> tuple[int, int]:
    """What the gains of all but a share are at least, and at most; see `ENDS`. Each score stands with the value."""
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
    """The same, taken from disk where it was kept, and written there where `kept`. Raises RuleError."""
    path = kept_at("margins", entries, (choosing, PLIES, share, ENDS, SAMPLES, NODES, GIVEN_UP), trained)
    try:
        return Margins(tuple((int(least), int(most)) for least, most in json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        result = measure(entries, choosing, trained, share=share)
        if kept and result.whole:
            keep(path, result.pairs)
        return result
