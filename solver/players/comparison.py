"""Which search plays a game best at equal time: found out once, by short matches between those that may.

No rule tells it beforehand. Alpha-beta by a game's `value` wins all games against random games in one bundled game and
loses three of four in another; without a `value` it loses to random games where plans count, and beats them where sharp
threats do. So they play each other (a race, as algorithms are selected by trial elsewhere): pairs of games from
the same random openings, a few thousandths of a second of processor time for each move, until one leads clearly.

First each kind of search finds out what helps it: alpha-beta whether it looks at the moves alone that patterns propose,
where patterns come with the game, and the tree search whether RAVE does. Then the two play each other; where none leads
they go on with four times the time, as one of them may gain more by it: in one bundled game each wins half of the games
at 0.005 s a move, and the tree search two of three at 0.02 s. The winner plays the search of games of connection, where
the rules are shown to be such a game. What was found is kept on disk beside the game's kernel.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import attrs

from interpreter.game import Position
from interpreter.kernel.engine import quickened
from interpreter.model.state import DRAW
from solver.players.candidates import ALPHABETA, CONNECTING, MCTS, MCTS_RAVE, PATTERNS, RAVE, Candidates, Search
from solver.players.iterative_deepening import Deepening, Limit
from solver.players.kept import keep, kept_at
from solver.players.matches import random_openings

MOVING = 0.005
"""Processor seconds for a move."""
SECONDS, GAMES = 3.0, 40
"""Processor seconds, and games, after which a match ends in any case."""
LEAD, LEAST_LEAD = 6, 3
"""Points by which one must lead for the match to end before, and to be preferred to what would be chosen without it.

RAVE, by which most games of moving pieces lose two of three, must lead by as much as ends the match, or win every game:
three points of eight games come by chance so often that it was taken in one game in eight where it does harm. So must
the search of games of connection."""
LONGER, FURTHER = 4, 1.7
"""Times the time for a move in a second match where the first showed nothing, and times the seconds for all of it; who
has more points in that one is preferred."""
_OPENING = 3
"""Random moves before the two begin."""
_LONGEST = 400
"""Moves after which a game counts as drawn."""
_FIRST = {ALPHABETA: 2_000, PATTERNS: 500, MCTS: 100, MCTS_RAVE: 100, CONNECTING: 20}
"""Positions, and random games, of a search before its speed is known."""
_TREE = 1 << 17
_TABLE_MIB = 8


@attrs.frozen
class Contest:
    """A match between two searches, and what it showed."""

    one: str
    other: str
    points: tuple[float, float]
    """1 for a win, a half for a draw."""
    longer: bool = False
    """Whether it was a second match, with more time, as the first had shown nothing."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return round(sum(self.points))

    def better(self, otherwise: str) -> str:
        """The search that plays the game better; the one `otherwise` chosen where the match does not show it."""
        lead = self.points[0] - self.points[1]
        if abs(lead) < (1 if self.longer else LEAST_LEAD):
            return otherwise
        return self.one if lead > 0 else self.other

    @property
    def clear(self) -> bool:
        """Whether the first leads by so many points that a match ends, or won all games of one that time ended."""
        return self.points[0] - self.points[1] >= (LEAD if self.points[1] else LEAST_LEAD)


@attrs.frozen
class Comparison:
    """What the matches between searches showed."""

    chosen: str
    """The search that plays."""
    estimating: str
    """Which alpha-beta plays the game better: ALPHABETA or PATTERNS."""
    sampling: str
    """Which tree search does: MCTS or MCTS_RAVE."""
    contests: tuple[Contest, ...] = ()

    def reason(self, name: str) -> str:
        """Why a search plays, in words: what its last match showed."""
        last = next((contest for contest in reversed(self.contests) if name in (contest.one, contest.other)), None)
        if last is None:
            return name
        (own, against), other = last.points, last.other
        if name == last.other:
            own, against, other = against, own, last.one
        return f"{name}, which had {own:g} points to {against:g} in a match with {other}"


class _Side:
    """A search that takes the same processor time for each move: so many nodes as it was seen to search in it."""

    def __init__(self, name: str, search: Search) -> None:
        self.name, self.search, self.nodes, self.moving = name, search, float(_FIRST[name]), MOVING

    def given_longer(self) -> _Side:
        """The same search with `LONGER` times the time for a move."""
        self.moving, self.nodes = LONGER * MOVING, LONGER * self.nodes
        return self

    def move(self, position: Position, seed: int) -> tuple[Position, int | None]:
        """The position after the search's move, and who is proven to win; None where nobody is."""
        began = time.thread_time()
        limit = Limit(nodes=max(1, round(self.nodes)))
        result = self.search.search(position.state, limit, history=position.history, seed=seed)
        result.report.check_interrupted()
        spent = max(1e-5, time.thread_time() - began)
        done = result.report.nodes if isinstance(self.search, Deepening) else result.report.leaves or 0
        if 2 * done >= self.nodes:  # a search that saw the end of the game says nothing of its speed
            self.nodes = (self.nodes + done * self.moving / spent) / 2
        return position.play(result.move), None if result.winner == DRAW else result.winner


def compare(candidates: Candidates, *, seconds: float = SECONDS, games: int = GAMES) -> Comparison:
    """Have searches play each other from the game's start, each match for so many `SECONDS`.

    Raises RuleError where a rule fails.
    """
    contests: list[Contest] = []

    def side(name: str) -> _Side:
        if name == CONNECTING:
            return _Side(name, candidates.joining(_TREE))
        if name in (ALPHABETA, PATTERNS):
            return _Side(name, candidates.deepening(name, _TABLE_MIB))
        return _Side(name, candidates.tree(name, _TREE))

    def match(one: _Side, other: _Side, share: float, *, longer: bool = False) -> Contest:
        points = _match(candidates, one, other, share * seconds, games)
        contests.append(Contest(one.name, other.name, points, longer))
        return contests[-1]

    estimating, sampling = ALPHABETA, MCTS
    if candidates.patterns is not None:
        estimating = match(side(PATTERNS), side(ALPHABETA), 1.0).better(ALPHABETA)
    if candidates.helped and match(side(MCTS_RAVE), side(MCTS), 0.5).clear:
        sampling = MCTS_RAVE
    one, other = side(estimating), side(sampling)
    found = match(one, other, 1.0)
    if found.better("") == "":
        found = match(one.given_longer(), other.given_longer(), FURTHER, longer=True)
    chosen = found.better(estimating if candidates.valued else sampling)
    if candidates.connecting and match(side(CONNECTING), side(chosen), 1.0).clear:
        chosen = CONNECTING
    return Comparison(chosen, estimating, sampling, tuple(contests))


def _match(candidates: Candidates, one: _Side, other: _Side, seconds: float, games: int) -> tuple[float, float]:
    """The points of two searches in a match that ends when one leads clearly, or the time is over."""
    game = quickened(candidates.entries.game, candidates.entries.kernel)
    sides = (one, other)
    openings = random_openings(game, games // 2, _OPENING) or [()]
    for side in sides:
        side.move(game.start(), 0)  # what is compiled is not counted
    points = [0.0, 0.0]
    until = time.thread_time() + seconds
    for number in range(games):
        if time.thread_time() >= until or (number % 2 == 0 and abs(points[0] - points[1]) >= LEAD):
            break
        position = game.start()
        for text in openings[number // 2 % len(openings)]:
            position = position.play(text)
        for side in sides:
            side.search.forget()
        proven: int | None = None
        while not position.over and proven is None and len(position.played) < _LONGEST:
            position, proven = sides[(position.state.to_move + number) % 2].move(position, number)
        outcome = position.state.outcome if position.over else proven
        if outcome is None or outcome < 0:
            points = [points[0] + 0.5, points[1] + 0.5]
        else:
            points[(outcome + number) % 2] += 1
    return points[0], points[1]


def compared(candidates: Candidates) -> Comparison:
    """The same, taken from disk where it was kept, and kept there."""
    known = compared_before(candidates)
    if known is None:
        known = compare(candidates)
        keep(_path(candidates), attrs.asdict(known))
    return known


def compared_before(candidates: Candidates) -> Comparison | None:
    """What matches showed that were played before and kept on disk; None where nothing is there."""
    try:
        return _read(_path(candidates).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, LookupError):
        return None


def _path(candidates: Candidates) -> Path:
    """Where the matches of a game are kept."""
    patterns = None if candidates.patterns is None else candidates.patterns.text
    settings = MOVING, SECONDS, GAMES, LEAD, LEAST_LEAD, LONGER, FURTHER, RAVE, candidates.connecting, patterns
    return kept_at("searches", candidates.entries, settings, candidates.trained)


def _read(text: str) -> Comparison:
    """What a file holds. Raises ValueError, TypeError or LookupError where it is none of these files."""
    kept = json.loads(text)
    contests = tuple(Contest(_known(item["one"]), _known(item["other"]), (float(item["points"][0]),
                                                                          float(item["points"][1])),
                             bool(item["longer"])) for item in kept["contests"])
    return Comparison(_known(kept["chosen"]), _known(kept["estimating"]), _known(kept["sampling"]), contests)


def _known(name: object) -> str:
    """The name of a search. Raises ValueError."""
    if name not in _FIRST:
        raise ValueError(f"no search: {name!r}")
    return str(name)
