"""Matches between two players: games from the same openings with sides swapped, and the score with its error.

`play_match` plays a match; `Match` is the result: wins, draws and losses of the first player, its score, and the 95%
confidence interval of its true score.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import DRAW

if TYPE_CHECKING:
    from interpreter.hooks import Hooks
    from interpreter.patterns.matching import Book
    from solver.players.choice import Player
    from solver.players.iterative_deepening import Deepening

CONFIDENCE = 1.959964
"""The half-width of the interval in standard errors: 95% of a normal distribution."""
BALANCED_PLIES = 4
"""The depth of the searches that decide whether an opening is balanced."""
BALANCED_NODES = 100_000
"""The node limit of these searches: with thousands of moves in a position, four plies would take hours."""
CANDIDATES = 3
"""The number of random openings of which the most balanced one is taken."""
FRUITLESS = 10
"""The number of times in succession that no candidate is balanced after which no more are tried."""
TRIES = 20
"""The number of random games that are begun for each random opening that is wanted, where they end or are known."""
LONGEST = 1_000
"""Moves after which a game counts as drawn."""


@attrs.frozen
class Played:
    """One game of a match."""

    opening: tuple[str, ...]
    """The moves of the opening, which neither player chose."""
    moves: tuple[str, ...]
    """All moves, including those of the opening."""
    first: bool
    """Whether the first player of the match had the side that moves first."""
    points: float
    """The points of the match's first player: 1 for a win, a half for a draw, 0 for a loss."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """The thinking time of each player of the match."""


@attrs.frozen(repr=False)
class Match:
    """The result of a match."""

    games: tuple[Played, ...]

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return sum(game.points == 1 for game in self.games)

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return sum(game.points == 0.5 for game in self.games)

    @property
    def losses(self) -> int:
        """Games that the second player won."""
        return sum(game.points == 0 for game in self.games)

    @property
    def score(self) -> float:
        """The first player's mean points per game, from 0 to 1; 0.5 without games."""
        return sum(game.points for game in self.games) / len(self.games) if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the first player's true score; draws count as halves."""
        return interval(self.score, len(self.games))

    @property
    def text(self) -> str:
        """The result in a line: `12-3-5 of 20 (won-drawn-lost), score 68% (46%..83%)`."""
        low, high = self.interval
        return (f"{self.wins}-{self.draws}-{self.losses} of {len(self.games)} (won-drawn-lost), "
                f"score {self.score:.0%} ({low:.0%}..{high:.0%})")


    def __repr__(self) -> str:
        return f"<Match: {self.text}>"

    def _repr_html_(self) -> str:
        """The result as HTML for notebooks, with a bar of won, drawn and lost games."""
        from interpreter.pictures.html import Html, table
        from interpreter.pictures.palette import DRAW, LOSS, WIN

        parts = ((self.wins, WIN), (self.draws, DRAW), (self.losses, LOSS))
        bar = "".join(f"<span style='background:{colour};flex:{count}'></span>" for count, colour in parts)
        low, high = self.interval
        return table(("games", "won", "drawn", "lost", "score", "with 95% confidence", ""), [(
            len(self.games), self.wins, self.draws, self.losses, f"{self.score:.0%}", f"{low:.0%} to {high:.0%}",
            Html(f"<div style='display:flex;width:12em;height:1em'>{bar}</div>"))])


def interval(score: float, count: int) -> tuple[float, float]:
    """The 95% confidence interval of a true score, given the mean score of `count` games (Wilson's interval)."""
    if not count:
        return 0.0, 1.0
    square = CONFIDENCE**2
    middle = (score + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(score * (1 - score) / count + square / (4 * count * count))
    reach = CONFIDENCE * spread / (1 + square / count)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def random_openings(game: Game, count: int, plies: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Return `count` different openings of random moves that do not end the game; fewer where not enough are found.

    Those of a smaller count come first.
    """
    return _found(_tries(game, plies, seed), count)


def _tries(game: Game, plies: int, seed: int) -> Iterator[tuple[str, ...] | None]:
    """Yield openings of random moves without end; None for one that ends the game, or was there before."""
    chance = random.Random(seed)
    known: set[tuple[str, ...]] = set()
    while True:
        position = game.start()
        for _ in range(plies):
            position = position.play(drawn(position, chance) if position.by_chance else chance.choice(position.legal()))
            if position.over:
                break
        if position.over or position.played in known:
            yield None
        else:
            known.add(position.played)
            yield position.played


def _found(tries: Iterator[tuple[str, ...] | None], count: int) -> list[tuple[str, ...]]:
    """The next `count` openings; fewer where `TRIES` times as many tries do not find them."""
    return list(islice((opening for opening in islice(tries, TRIES * count) if opening is not None), count))


def balanced_openings(game: Game, count: int, plies: int, seed: int = 0, *, depth: int = BALANCED_PLIES,
                      hooks: Hooks | None = None, patterns: Book | None = None) -> list[tuple[str, ...]]:
    """Return `count` openings of random moves after which neither player is ahead, by searches of `depth` plies.

    Searches that exceed `BALANCED_NODES` count at their deepest completed depth. Where there are `patterns`, they
    look only at the moves that these propose.

    Of every `CANDIDATES` random openings the one with the score nearest to 0 is taken, unless either player has a
    proven win after each. So those of a smaller count come first, and a match can be extended. A score is the mean of
    two searches, one of them a ply shallower, because the player who moved last looks better. Fewer openings are
    returned where `FRUITLESS` times in succession there was none to take. Where the game cannot be searched, the
    openings are random.
    """
    if game.rules.has_chance or len(game.players) != 2:
        return random_openings(game, count, plies, seed)
    search = _balancing(game, hooks, patterns)
    if search is None:
        return random_openings(game, count, plies, seed)
    result: list[tuple[str, ...]] = []
    tries, fruitless = _tries(game, plies, seed), 0
    while len(result) < count and fruitless < FRUITLESS:
        scores = {opening: _balance(search, game, opening, depth) for opening in _found(tries, CANDIDATES)}
        level = {opening: abs(score) for opening, score in scores.items() if score is not None}
        if level:
            result.append(min(level, key=lambda opening: level[opening]))
        fruitless = 0 if level else fruitless + 1
    return result


def _balancing(game: Game, hooks: Hooks | None, patterns: Book | None) -> Deepening | None:
    """The search that scores openings, by patterns if they can be compiled; None where the game cannot be searched."""
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.entries import Entries
    from solver.players.candidates import PROPOSED
    from solver.players.iterative_deepening import Deepening

    for book in (None,) if patterns is None else (patterns, None):
        try:
            return Deepening(Entries.of(game, hooks, book), table_mib=1, choosing=None if book is None else PROPOSED)
        except (ValueError, NotLowered):
            continue
    return None


def _balance(search: Deepening, game: Game, opening: tuple[str, ...], depth: int) -> float | None:
    """The score after an opening for the player to move, the mean of two depths; None where a win is found.

    Where the nodes are not enough for a depth, the deepest completed one and the one below it count; the position's
    value stands for depth 0.
    """
    from solver.native.scores import MOST
    from solver.players.limits import Limit

    position = game.start()
    for move in opening:
        position = position.play(move)
    scores: list[int] = []
    while depth > 0 and len(scores) < 2:
        search.forget()  # the table holds results of deeper searches
        result = search.search(position.state, Limit(plies=depth, nodes=BALANCED_NODES), history=position.history)
        result.report.check_interrupted()
        if result.winner is not None:
            return 0.0 if result.winner == DRAW else None
        whole = result.report.depth
        if whole == depth:
            if abs(result.score) > MOST:  # a win among the proposed moves, which is no proof
                return None
            scores.append(result.score)
        depth = whole if whole < depth else depth - 1
    if len(scores) < 2:
        scores.append(search.value(position.state))
    return sum(scores) / len(scores)


def play_match(game: Game, one: Player, other: Player, games: int, *, openings: Sequence[Sequence[str]] = ((),),
               progress: Callable[[Match], None] | None = None) -> Match:
    """Play a match of `games` games: each opening twice with sides swapped, then the openings again.

    Chance moves use the same random sequence in both games of an opening. An interruption (KeyboardInterrupt) ends the
    match with the games so far. Raises ValueError for games that are not for two players, IllegalMove where an opening
    is not legal.
    """
    import time

    if len(game.players) != 2:
        raise ValueError(f"a match needs a game for two players; {game.title} has {len(game.players)}")
    played: list[Played] = []
    try:
        for number in range(games):
            opening = openings[number // 2 % len(openings)] if openings else ()
            first = number % 2 == 0
            players = (one, other) if first else (other, one)
            position = game.start()
            for move in opening:
                position = position.play(move)
            seconds, dice = [0.0, 0.0], random.Random(number // 2)
            while not position.over and len(position.played) < LONGEST:
                if position.by_chance:
                    position = position.play(drawn(position, dice))
                    continue
                mover = position.state.to_move
                clock = time.perf_counter()
                choice = players[mover].choose(position)
                choice.check_interrupted()
                position = position.play(choice.move)
                seconds[mover if first else 1 - mover] += time.perf_counter() - clock
            played.append(Played(tuple(opening), position.played, first, _points(position, first),
                                 (seconds[0], seconds[1])))
            if progress is not None:
                progress(Match(tuple(played)))
    except KeyboardInterrupt:
        pass
    return Match(tuple(played))


def _points(position: Position, first: bool) -> float:
    """The points of the match's first player in a game."""
    outcome = position.state.outcome
    if outcome is None or outcome < 0:
        return 0.5
    return 1.0 if (outcome == 0) == first else 0.0
