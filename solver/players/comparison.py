"""Selection of the search that plays a game best at equal time, by short matches between the candidates, once per game.

No rule predicts it. Alpha-beta by a game's `value` wins all games against MCTS in one bundled game and loses three of
four in another; without a `value` it loses to MCTS where plans count, and beats it where sharp threats do. So the
searches play each other (a race, as in algorithm selection by trial): pairs of games from the same random openings,
with a few milliseconds of processor time for each move, until one leads clearly.

First each kind of search selects its variant: alpha-beta whether it looks only at the moves that patterns propose,
where patterns come with the game, and the tree search whether it uses RAVE, or PUCT where positions have a value (with
the same moves as alpha-beta). Then the two play each other. Where neither
leads they play a second match with four times the time, as one of them may gain more by it: in one bundled game each
wins half of the games at 0.005 s a move, and the tree search two of three at 0.02 s. The winner plays against the
search for games of connection, where the rules are shown to be such a game. The result is cached on disk beside the
game's kernel.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import attrs

from interpreter.game import Position
from interpreter.kernel.engine import quickened
from interpreter.model.state import DRAW
from solver.players.candidates import (
    ALPHABETA,
    CONNECTING,
    MCTS,
    MCTS_RAVE,
    PATTERNS,
    PUCT,
    PUCT_PROPOSED,
    RAVE,
    Candidates,
    Search,
)
from solver.players.iterative_deepening import Deepening
from solver.players.kept import keep, kept_at
from solver.players.limits import Limit
from solver.players.matches import random_openings
from solver.players.mcts import MctsOptions

MOVING = 0.005
"""Processor seconds for a move."""
SECONDS, GAMES = 3.0, 40
"""The most processor seconds, and the most games, of a match."""
LEAD, LEAST_LEAD = 6, 3
"""The lead in points that ends a match early, and the lead that a search needs to replace the default choice.

RAVE, which loses two of three games in most games of moving pieces, needs the lead that ends a match, or a win in every
game: a lead of three points in eight games is chance so often that RAVE was chosen in one in eight of the games that it
harms. The same holds for the search for games of connection."""
LONGER, FURTHER = 4, 1.7
"""The factors for the time per move and for the seconds of a second match, which follows where the first was undecided;
the search with more points in it is preferred."""
_OPENING = 3
"""Random moves of an opening."""
_LONGEST = 400
"""Moves after which a game counts as drawn."""
_FIRST = {ALPHABETA: 2_000, PATTERNS: 500, MCTS: 100, MCTS_RAVE: 100, PUCT: 50, PUCT_PROPOSED: 50, CONNECTING: 20}
"""The node limit (positions, or random games) of a search before its speed is measured."""
_TREE = 1 << 17
_TABLE_MIB = 8


@attrs.frozen
class Contest:
    """The result of a match between two searches."""

    one: str
    other: str
    points: tuple[float, float]
    """The points of `one` and of `other`: 1 for a win, a half for a draw."""
    longer: bool = False
    """Whether this was a second match, with more time, after an undecided first one."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return round(sum(self.points))

    def better(self, otherwise: str) -> str:
        """The search that plays better; `otherwise` where the lead is too small to tell."""
        lead = self.points[0] - self.points[1]
        if abs(lead) < (1 if self.longer else LEAST_LEAD):
            return otherwise
        return self.one if lead > 0 else self.other

    @property
    def clear(self) -> bool:
        """Whether `one` leads by `LEAD` points, or by `LEAST_LEAD` without a point for `other`."""
        return self.points[0] - self.points[1] >= (LEAD if self.points[1] else LEAST_LEAD)


@attrs.frozen
class Comparison:
    """The results of the matches between the searches of a game."""

    chosen: str
    """The search that plays."""
    estimating: str
    """Which alpha-beta plays the game better: ALPHABETA or PATTERNS."""
    sampling: str
    """Which tree search plays the game better: MCTS, MCTS_RAVE, PUCT or PUCT_PROPOSED."""
    contests: tuple[Contest, ...] = ()

    def reason(self, name: str) -> str:
        """Why a search was chosen, in words: the result of its last match."""
        last = next((contest for contest in reversed(self.contests) if name in (contest.one, contest.other)), None)
        if last is None:
            return name
        (own, against), other = last.points, last.other
        if name == last.other:
            own, against, other = against, own, last.one
        return f"{name}, which had {own:g} points to {against:g} in a match with {other}"


class _Side:
    """A search in a match, whose node limit is adapted so that each move takes the same processor time."""

    def __init__(self, name: str, search: Search) -> None:
        self.name, self.search, self.nodes, self.moving = name, search, float(_FIRST[name]), MOVING

    def given_longer(self) -> _Side:
        """The same search with `LONGER` times the time for a move."""
        self.moving, self.nodes = LONGER * MOVING, LONGER * self.nodes
        return self

    def move(self, position: Position, seed: int) -> tuple[Position, int | None]:
        """The position after the search's move, and the player who is proven to win, or None."""
        began = time.thread_time()
        limit = Limit(nodes=max(1, round(self.nodes)))
        result = self.search.search(position.state, limit, history=position.history, seed=seed)
        result.report.check_interrupted()
        spent = max(1e-5, time.thread_time() - began)
        done = result.report.nodes if isinstance(self.search, Deepening) else result.report.leaves or 0
        if 2 * done >= self.nodes:  # a search that a proof ended early says nothing about its speed
            self.nodes = (self.nodes + done * self.moving / spent) / 2
        return position.play(result.move), None if result.winner == DRAW else result.winner


def compare(candidates: Candidates, *, seconds: float = SECONDS, games: int = GAMES) -> Comparison:
    """Select the best search by matches of up to `seconds` processor seconds and `games` games each.

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
    if candidates.guided:
        guided = PUCT_PROPOSED if estimating == PATTERNS else PUCT
        if match(side(guided), side(sampling), 0.5).clear:
            sampling = guided
    one, other = side(estimating), side(sampling)
    found = match(one, other, 1.0)
    if found.better("") == "":
        found = match(one.given_longer(), other.given_longer(), FURTHER, longer=True)
    chosen = found.better(estimating if candidates.valued else sampling)
    if candidates.connecting and match(side(CONNECTING), side(chosen), 1.0).clear:
        chosen = CONNECTING
    return Comparison(chosen, estimating, sampling, tuple(contests))


def _match(candidates: Candidates, one: _Side, other: _Side, seconds: float, games: int) -> tuple[float, float]:
    """Play a match until one search leads clearly or the time is up, and return the points of both."""
    game = quickened(candidates.entries.game, candidates.entries.kernel)
    sides = (one, other)
    openings = random_openings(game, games // 2, _OPENING) or [()]
    for side in sides:
        side.move(game.start(), 0)  # compiles before the time starts
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
    """Return the result of `compare`, cached on disk."""
    known = compared_before(candidates)
    if known is None:
        known = compare(candidates)
        keep(_path(candidates), attrs.asdict(known))
    return known


def compared_before(candidates: Candidates) -> Comparison | None:
    """The result of earlier matches, from disk; None where there is none."""
    try:
        return _read(_path(candidates).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, LookupError):
        return None


def _path(candidates: Candidates) -> Path:
    """The cache file of the matches of a game."""
    patterns = None if candidates.patterns is None else candidates.patterns.text
    settings = (MOVING, SECONDS, GAMES, LEAD, LEAST_LEAD, LONGER, FURTHER, RAVE, MctsOptions.puct(),
                candidates.connecting, patterns)
    return kept_at("searches", candidates.entries, settings, candidates.trained)


def _read(text: str) -> Comparison:
    """Parse a cache file. Raises ValueError, TypeError or LookupError where it is not one."""
    kept = json.loads(text)
    contests = tuple(Contest(_known(item["one"]), _known(item["other"]), (float(item["points"][0]),
                                                                          float(item["points"][1])),
                             bool(item["longer"])) for item in kept["contests"])
    return Comparison(_known(kept["chosen"]), _known(kept["estimating"]), _known(kept["sampling"]), contests)


def _known(name: object) -> str:
    """Return the name of a known search. Raises ValueError for any other."""
    if name not in _FIRST:
        raise ValueError(f"no search: {name!r}")
    return str(name)
