"""Matches between two players: games from the same openings with sides changed, and the score with its error.

`play_match` plays them; `Match` has the result: wins, draws and losses of the first player, its score, and the interval
in which its true score lies at a confidence of 95%.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import DRAW

if TYPE_CHECKING:
    from interpreter.hooks import Hooks
    from interpreter.patterns.matching import Book
    from solver.players.iterative_deepening import Deepening
    from solver.players.levels import Player

CONFIDENCE = 1.959964
"""How many standard errors the interval reaches on either side: 95% of a normal distribution."""
BALANCED_PLIES = 4
"""How deep openings are searched to see whether they are balanced;"""
BALANCED_NODES = 100_000
"""and in how many nodes: where there are thousands of moves, four plies would take hours."""
LONGEST = 1_000
"""Moves after which a game counts as drawn."""


@attrs.frozen
class Played:
    """One game of a match."""

    opening: tuple[str, ...]
    """The moves that both players were given."""
    moves: tuple[str, ...]
    """All moves, those of the opening included."""
    first: bool
    """Whether the first player of the match had the side that moves first."""
    points: float
    """The first player's: 1 for a win, a half for a draw, 0 for a loss."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """How long each player of the match thought."""


@attrs.frozen(repr=False)
class Match:
    """A match that was played."""

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
        """The first player's points for each game, from 0 to 1."""
        return sum(game.points for game in self.games) / len(self.games) if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Where the first player's true score lies, with 95% confidence; draws count as halves."""
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
        """What notebooks show: the result, with a bar of won, drawn and lost games."""
        from interpreter.pictures.html import Html, table
        from interpreter.pictures.palette import DRAW, LOSS, WIN

        parts = ((self.wins, WIN), (self.draws, DRAW), (self.losses, LOSS))
        bar = "".join(f"<span style='background:{colour};flex:{count}'></span>" for count, colour in parts)
        low, high = self.interval
        return table(("games", "won", "drawn", "lost", "score", "with 95% confidence", ""), [(
            len(self.games), self.wins, self.draws, self.losses, f"{self.score:.0%}", f"{low:.0%} to {high:.0%}",
            Html(f"<div style='display:flex;width:12em;height:1em'>{bar}</div>"))])


def interval(score: float, count: int) -> tuple[float, float]:
    """Where a true score lies by one from so many games, with 95% confidence (Wilson's interval)."""
    if not count:
        return 0.0, 1.0
    square = CONFIDENCE**2
    middle = (score + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(score * (1 - score) / count + square / (4 * count * count))
    reach = CONFIDENCE * spread / (1 + square / count)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def random_openings(game: Game, count: int, plies: int, seed: int = 0) -> list[tuple[str, ...]]:
    """So many different openings of random moves, none of which ends the game; fewer where there are not so many."""
    chance = random.Random(seed)
    result: dict[tuple[str, ...], None] = {}
    for _ in range(20 * count):
        if len(result) == count:
            break
        position = game.start()
        for _ in range(plies):
            position = position.play(drawn(position, chance) if position.by_chance else chance.choice(position.legal()))
            if position.over:
                break
        else:
            result[position.played] = None
    return list(result)


def balanced_openings(game: Game, count: int, plies: int, seed: int = 0, *, depth: int = BALANCED_PLIES,
                      hooks: Hooks | None = None, patterns: Book | None = None) -> list[tuple[str, ...]]:
    """So many openings of random moves after which neither player is ahead, as a search of so many plies sees it, of
    fewer where these have many nodes; among the moves that `patterns` propose, where there are some.

    Of three times as many random openings those are left out after which a win is seen, whoever's it is. Of the others
    those are taken whose score is nearest to 0; it is the mean of two searches, one a ply less deep, as whoever moved
    last looks better. Where the game cannot be searched they are random openings.
    """
    if game.rules.has_chance or len(game.players) != 2:
        return random_openings(game, count, plies, seed)
    openings = random_openings(game, 3 * count, plies, seed)
    search = _balancing(game, hooks, patterns)
    if search is None:
        return openings[:count]
    scores: dict[tuple[str, ...], float] = {}
    for opening in openings:
        score = _balance(search, game, opening, depth)
        if score is not None:
            scores[opening] = score
    kept = set(sorted(scores, key=lambda opening: (abs(scores[opening]), opening))[:count])
    return [opening for opening in openings if opening in kept]


def _balancing(game: Game, hooks: Hooks | None, patterns: Book | None) -> Deepening | None:
    """The search that says which openings are balanced, by patterns if they can be compiled; None where there is
    none."""
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
    """The score after an opening for its player to move, the mean of two depths; None where a win is seen.

    Where the nodes are not enough for a depth, it is that of the deepest which they are enough for.
    """
    from solver.native.scores import MOST
    from solver.players.iterative_deepening import Limit

    position = game.start()
    for move in opening:
        position = position.play(move)
    scores: list[int] = []
    while depth > 0 and len(scores) < 2:
        search.forget()  # the table would tell what is seen from deeper
        result = search.search(position.state, Limit(plies=depth, nodes=BALANCED_NODES), history=position.history)
        result.report.check_interrupted()
        if result.winner is not None:
            return 0.0 if result.winner == DRAW else None
        whole = result.report.depth
        if whole == depth:
            if abs(result.score) > MOST:  # by the moves that patterns propose
                return None
            scores.append(result.score)
        depth = whole if whole < depth else depth - 1
    if len(scores) < 2:
        scores.append(search.value(position.state))
    return sum(scores) / len(scores)


def play_match(game: Game, one: Player, other: Player, games: int, *, openings: Sequence[Sequence[str]] = ((),),
               progress: Callable[[Match], None] | None = None) -> Match:
    """Play so many games: every opening twice with sides changed, then the openings again.

    Chance makes its own moves, by the same sequence in both games of an opening. An interruption (KeyboardInterrupt)
    ends the match with the games so far. Raises ValueError for games that are not for two players, IllegalMove where an
    opening is not legal.
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
    """What the first player of the match has of a game."""
    outcome = position.state.outcome
    if outcome is None or outcome < 0:
        return 0.5
    return 1.0 if (outcome == 0) == first else 0.0
