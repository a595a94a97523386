"""The gain of move patterns: moves searched with and without them, time per move, and matches between the two.

    python -m bench.patterns nodes      # moves searched at equal depth, and to solve a game
    python -m bench.patterns speed      # TwixT on 24x24: time for a move at three and five plies
    python -m bench.patterns matches [--games 200]

Matches give both sides equal wall-clock time per move, unless they limit plies: run nothing else beside them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import attrs

import dslgame
from dslgame import bundled
from interpreter.game import Game, Position
from interpreter.patterns.matching import Book
from solver.entries import Entries
from solver.players.choice import Choice
from solver.players.iterative_deepening import Choosing, Deepening
from solver.players.limits import Limit
from solver.players.matches import Match, play_match, random_openings

WIDTH = 16
"""The number of proposed moves that are searched, unless a match says otherwise."""
ALL, FIRST, PROPOSED = Choosing(), Choosing("proposed first"), Choosing("proposed", WIDTH)
BY_CHANCE = Choosing("by chance", WIDTH)


@attrs.frozen
class Depth:
    """A game in which searched moves are counted: the depth of the search, and the random moves before it."""

    name: str
    params: dict[str, int]
    plies: int
    opening: int
    solving: bool = False


DEPTHS = (
    Depth("twixt", {"rows": 24, "columns": 24, "swap": 0}, 3, 6),
    Depth("twixt", {"rows": 12, "columns": 12, "swap": 0}, 3, 6),
    Depth("hex", {"size": 9}, 3, 6),
    Depth("gomoku", {"size": 9}, 4, 6),
    Depth("connect_four", {}, 9, 6),
    Depth("connect_four", {"rows": 4, "columns": 5}, 99, 0, solving=True),
    Depth("connect_four", {"rows": 5, "columns": 5}, 99, 2, solving=True),
    Depth("hex", {"size": 4}, 99, 1, solving=True),
)


@attrs.frozen
class Pair:
    """A match: the game, the limit per move, and the two players."""

    name: str
    params: dict[str, int]
    limit: Limit
    one: Choosing
    other: Choosing
    opening: int = 2
    other_limit: Limit | None = None
    games: float = 1
    """The fraction of the requested games that this match plays."""


MATCHES = (
    Pair("twixt", {"rows": 12, "columns": 12, "swap": 0}, Limit(seconds=0.05), PROPOSED, ALL),
    Pair("twixt", {"swap": 0}, Limit(seconds=0.1), PROPOSED, ALL, games=0.2),
    Pair("twixt", {"swap": 0}, Limit(plies=3), PROPOSED, BY_CHANCE, games=0.5),
    Pair("twixt", {"swap": 0}, Limit(plies=5), PROPOSED, PROPOSED, other_limit=Limit(plies=3), games=0.5),
    Pair("hex", {"size": 9}, Limit(seconds=0.03), Choosing("proposed", 40), ALL),
    Pair("gomoku", {"size": 11}, Limit(seconds=0.05), PROPOSED, ALL, opening=4),
    Pair("connect_four", {}, Limit(seconds=0.01), FIRST, ALL, opening=4),
)


class Searching:
    """Plays by a search of the moves that `choosing` selects."""

    def __init__(self, game: Game, choosing: Choosing, limit: Limit) -> None:
        self.search, self.limit = Deepening(entries(game), choosing=choosing), limit
        self.moves = 0
        self.seconds = 0.0
        self.search.search(game.start().state, Limit(plies=2))  # compiles everything

    def choose(self, position: Position) -> Choice:
        """Search for a move and add up the time."""
        if self.limit.seconds is None:
            self.search.forget()
        clock = time.process_time()
        found = self.search.search(position.state, self.limit, history=position.history, seed=len(position.played))
        self.seconds += time.process_time() - clock
        self.moves += 1
        return Choice(found.move, position.game.notation.write(position.state, found.move))


def entries(game: Game) -> Entries:
    """A game's compiled rules with its bundled patterns."""
    source = bundled.patterns_of(game)
    assert source is not None
    return Entries.of(game, bundled.hooks_of(game), Book.of(source, game))


def named(name: str, params: dict[str, int]) -> str:
    """A game's name with its params, as on the command line."""
    return " ".join([name, *(f"{key}={value}" for key, value in params.items())])


def count_nodes(positions: int) -> None:
    """Print the nodes of searches to equal depth: of all moves, with proposed moves first, and of these alone."""
    print(f"{'moves searched':44}{'all':>12}{'proposed first':>16}{'proposed':>12}{'gain':>12}")
    for case in DEPTHS:
        game = dslgame.load(case.name, **case.params)
        own = entries(game)
        openings: Sequence[Sequence[str]] = [()]
        if case.opening:
            openings = random_openings(game, positions, case.opening, seed=1)
        totals = []
        for choosing in (ALL, FIRST) if case.solving else (ALL, FIRST, PROPOSED):
            search, total = Deepening(own, choosing=choosing), 0
            for opening in openings:
                position = game.start()
                for move in opening:
                    position = position.play(move)
                search.forget()
                total += search.search(position.state, Limit(plies=case.plies), history=position.history).report.nodes
            totals.append(total // len(openings))
        text = f"{named(case.name, case.params)}, {'solved' if case.solving else f'{case.plies} plies'}"
        alone = f"{totals[2]:12,}" if len(totals) > 2 else " " * 12
        gains = "  ".join(f"{totals[0] / max(total, 1):.1f}" for total in totals[1:])
        print(f"{text:44}{totals[0]:12,}{totals[1]:16,}{alone}{gains:>12}", flush=True)


def time_moves(games: int) -> None:
    """Print the time per move on 24x24 at three and five plies."""
    game = dslgame.load("twixt", swap=0)
    for plies in (3, 5):
        for width in (WIDTH, 24, 32):
            player = Searching(game, Choosing("proposed", width), Limit(plies=plies))
            slowest = 0.0
            for opening in random_openings(game, games, 2, seed=2):
                position = game.start()
                for move in opening:
                    position = position.play(move)
                while not position.over:
                    before = player.seconds
                    position = position.play(player.choose(position).move)
                    slowest = max(slowest, player.seconds - before)
            print(f"twixt, {plies} plies, width {width}: {1000 * player.seconds / player.moves:.1f} ms a move, "
                  f"the slowest {1000 * slowest:.0f} ms, {player.moves} moves", flush=True)


def play_matches(games: int, only: str) -> None:
    """Play the matches and print their results."""
    for pair in MATCHES:
        if only and pair.name != only:
            continue
        game = dslgame.load(pair.name, **pair.params)
        many = max(2, round(games * pair.games))
        one = Searching(game, pair.one, pair.limit)
        other = Searching(game, pair.other, pair.other_limit or pair.limit)

        def tell(match: Match) -> None:
            print(f"\r  {match.text}", end="", file=sys.stderr, flush=True)

        match = play_match(game, one, other, many, openings=random_openings(game, many // 2, pair.opening, seed=5),
                           progress=tell if sys.stderr.isatty() else None)
        print(f"{named(pair.name, pair.params)}: {told(pair.one, pair.limit)} against "
              f"{told(pair.other, pair.other_limit or pair.limit)}: {match.text}; "
              f"{1000 * one.seconds / one.moves:.0f} and {1000 * other.seconds / other.moves:.0f} ms a move",
              flush=True)


def told(choosing: Choosing, limit: Limit) -> str:
    """Describe a player in words."""
    width = f" width {choosing.width}" if choosing.width else ""
    return f"{choosing.which}{width}, {f'{limit.plies} plies' if limit.plies else f'{limit.seconds} s'}"


def main() -> None:
    """Run the requested measurement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("what", choices=("nodes", "speed", "matches"))
    parser.add_argument("--games", type=int, default=0, help="games of a match, games or positions")
    parser.add_argument("--only", default="", help="matches of this game alone")
    options = parser.parse_args()
    if options.what == "nodes":
        count_nodes(options.games or 8)
    elif options.what == "speed":
        time_moves(options.games or 4)
    else:
        play_matches(options.games or 200, options.only)


if __name__ == "__main__":
    main()
