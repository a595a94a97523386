"""Which of two searches plays a game better at equal time: found out once, by a short match between them.

No rule tells it beforehand. Alpha-beta by a game's `value` wins all games against random games in one bundled game and
loses three of four in another; without a `value` it loses to random games where plans count, and beats them where sharp
threats do. So they play each other (a race, as algorithms are selected by trial elsewhere): pairs of games from
the same random openings, a few thousandths of a second of processor time for each move, until one leads clearly. Where
none does they go on with four times the time, as one of them may gain more by it: in one bundled game each wins half of
the games at 0.005 s a move, and the tree search two of three at 0.02 s. What was found is kept on disk beside the
game's kernel.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from interpreter.game import Position
from interpreter.kernel.engine import quickened
from interpreter.model.state import DRAW
from solver.players.iterative_deepening import Deepening, Limit
from solver.players.kept import keep, kept_at
from solver.players.matches import random_openings
from solver.players.mcts import MctsOptions, MonteCarloSearch

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained

Search = Literal["alphabeta", "mcts"]
MOVING = 0.005
"""Processor seconds for a move."""
SECONDS, GAMES = 3.0, 40
"""Processor seconds, and games, after which a match ends in any case."""
LEAD, LEAST_LEAD = 6, 3
"""Points by which one must lead for the match to end before, and to be preferred to what would be chosen without it.

`RAVE`, of which most games of moving pieces lose two of three, must lead by as much as ends the match, or win every
game: three points of eight games come by chance so often that it was taken in one game in eight where it does harm."""
RAVE = MctsOptions(rave=500)
"""What may help the tree search: it is found out first, by a match of its own, whether it does. At equal time it won 38
of 38 games of placing stones in rows and 36 of 40 of joining sides, and a third or less of those of moving pieces, of
turning over or of dropping stones (`bench/README.md`, Players)."""
LONGER, FURTHER = 4, 1.7
"""Times the time for a move in a second match where the first showed nothing, and times the seconds for all of it; who
has more points in that one is preferred."""
_OPENING = 3
"""Random moves before the two begin."""
_LONGEST = 400
"""Moves after which a game counts as drawn."""
_FIRST = {"alphabeta": 2_000, "mcts": 100}
"""Positions, and random games, of a search before its speed is known."""
_TREE = 1 << 17
_TABLE_MIB = 8


@attrs.frozen
class Comparison:
    """What a match between the two searches showed."""

    alphabeta: float
    """Points of alpha-beta: 1 for a win, a half for a draw."""
    mcts: float
    rave: bool = False
    """Whether the tree search was helped by `RAVE`, which had won a match without it."""
    longer: bool = False
    """Whether the points are those of a second match, with more time, as the first had shown nothing."""

    @property
    def names(self) -> dict[Search, str]:
        """The two as levels."""
        return {"alphabeta": "alphabeta", "mcts": f"mcts rave={RAVE.rave}" if self.rave else "mcts"}

    def reason(self, chosen: Search) -> str:
        """Why one of the two plays, in words."""
        one, other = (self.alphabeta, self.mcts) if chosen == "alphabeta" else (self.mcts, self.alphabeta)
        names = self.names
        against = names["mcts" if chosen == "alphabeta" else "alphabeta"]
        return f"{names[chosen]}, which had {one:g} points to {other:g} in a match with {against}"

    @property
    def games(self) -> int:
        """How many games were played."""
        return round(self.alphabeta + self.mcts)

    def better(self, otherwise: Search) -> Search:
        """The search that plays the game better; the one `otherwise` chosen where the match does not show it."""
        lead = self.alphabeta - self.mcts
        if abs(lead) < (1 if self.longer else LEAST_LEAD):
            return otherwise
        return "alphabeta" if lead > 0 else "mcts"


class _Side:
    """A search that takes the same processor time for each move: so many nodes as it was seen to search in it."""

    def __init__(self, name: Search, search: Deepening | MonteCarloSearch) -> None:
        self.search, self.nodes, self.moving = search, float(_FIRST[name]), MOVING

    def given_longer(self) -> _Side:
        """The same search with `LONGER` times the time for a move."""
        self.moving, self.nodes = LONGER * MOVING, LONGER * self.nodes
        return self

    def move(self, position: Position, seed: int) -> tuple[Position, int | None]:
        """The position after the search's move, and who is proven to win; None where nobody is."""
        began = time.thread_time()
        limit = Limit(nodes=max(1, round(self.nodes)))
        result = self.search.search(position.state, limit, history=position.history, seed=seed)
        spent = max(1e-5, time.thread_time() - began)
        done = (result.report.leaves or 0) if isinstance(self.search, MonteCarloSearch) else result.report.nodes
        if 2 * done >= self.nodes:  # a search that saw the end of the game says nothing of its speed
            self.nodes = (self.nodes + done * self.moving / spent) / 2
        return position.play(result.move), None if result.winner == DRAW else result.winner


def compare(entries: Entries, *, seconds: float | None = None, games: int = GAMES,
            trained: Trained | None = None) -> Comparison:
    """Have the two searches play each other from the game's start, each match for so many `SECONDS`.

    Raises RuleError where a rule fails.
    """
    rave, seconds = False, seconds or SECONDS
    if not entries.cyclic or entries.game.rules.repetition is None:
        helped = _match(entries, _Side("mcts", MonteCarloSearch(entries, options=RAVE, nodes=_TREE)),
                        _Side("mcts", MonteCarloSearch(entries, nodes=_TREE)), seconds / 2, games)
        rave = clearly(*helped)
    one = _Side("alphabeta", Deepening(entries, table_mib=_TABLE_MIB, trained=trained))
    other = _Side("mcts", MonteCarloSearch(entries, options=RAVE if rave else None, nodes=_TREE))
    points = _match(entries, one, other, seconds, games)
    if abs(points[0] - points[1]) >= LEAST_LEAD:
        return Comparison(*points, rave)
    further = _match(entries, one.given_longer(), other.given_longer(), FURTHER * seconds, games)
    return Comparison(*further, rave, longer=True)


def clearly(one: float, other: float) -> bool:
    """Whether the first leads by so many points that a match ends, or has won all games of a match that time ended."""
    return one - other >= (LEAD if other else LEAST_LEAD)


def _match(entries: Entries, one: _Side, other: _Side, seconds: float, games: int) -> tuple[float, float]:
    """The points of two searches in a match that ends when one leads clearly, or the time is over."""
    game = quickened(entries.game, entries.kernel)
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


def compared(entries: Entries, trained: Trained | None = None) -> Comparison:
    """The same, taken from disk where it was kept, and kept there."""
    known = compared_before(entries, trained)
    if known is None:
        known = compare(entries, trained=trained) if trained is not None else compare(entries)
        keep(_path(entries, trained), attrs.asdict(known))
    return known


def compared_before(entries: Entries, trained: Trained | None = None) -> Comparison | None:
    """What a match showed that was played before and kept on disk; None where none is there."""
    try:
        return _read(_path(entries, trained))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _path(entries: Entries, trained: Trained | None) -> Path:
    """Where the match of a game is kept."""
    return kept_at("searches", entries, (MOVING, SECONDS, GAMES, LEAD, LEAST_LEAD, LONGER, FURTHER, RAVE), trained)


def _read(path: Path) -> Comparison:
    """What a file holds. Raises OSError, ValueError, TypeError or KeyError where it is none of these files."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    return Comparison(float(kept["alphabeta"]), float(kept["mcts"]), bool(kept["rave"]), bool(kept["longer"]))
