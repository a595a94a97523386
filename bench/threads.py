"""Levels with several threads against the same with one: wall-clock and processor time of the same searches.

    python -m bench.threads [--threads N] [--rounds N] [--positions N] [--only NAME] [--json] [--markdown]

Each level searches the same positions after random moves: alpha-beta to a fixed depth, Monte-Carlo tree search a fixed
number of nodes. The two sides alternate, position by position. The machine must have a free processor for each thread.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import attrs

import dslgame
from bench.command import options_of, report, title_of
from bench.measure import Spread, short
from solver.players.level_players import SearchingPlayer
from solver.players.levels import Level
from solver.players.matches import random_openings

PLIES = 6
"""Random moves before each position."""


@attrs.frozen
class Case:
    """A game and the level that plays it."""

    name: str
    params: Mapping[str, int]
    level: str

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


CASES = (
    Case("twixt", {"swap": 0, "early_draw": 1}, "patterns plies=7 probcut=0.25 seconds=none"),
    Case("twixt", {"swap": 0, "early_draw": 1}, "patterns plies=6 probcut=0.25 seconds=none"),
    Case("connect_four", {}, "alphabeta plies=13 seconds=none"),
    Case("reversi", {}, "alphabeta plies=7 seconds=none trained=none"),
    Case("hex", {"size": 9}, "alphabeta plies=4 seconds=none"),
    Case("hex", {"size": 11}, "connecting nodes=1000 seconds=none"),
    Case("hex", {"size": 11}, "mcts nodes=30000 seconds=none"),
    Case("hex", {"size": 11}, "mcts nodes=30000 seconds=none rave=500"),
    Case("connect_four", {}, "mcts nodes=100000 seconds=none"),
    Case("breakthrough", {}, "mcts nodes=30000 seconds=none"),
)


def measured(case: Case, *, threads: int, positions: int, rounds: int) -> dict[str, Any]:
    """Measure wall-clock seconds per position by one thread and by several, and the ratios of both kinds of time."""
    game = dslgame.load(case.name, **case.params)
    at = []
    for opening in random_openings(game, positions, PLIES, seed=1):
        position = game.start()
        for move in opening:
            position = position.play(move)
        at.append(position)
    players = [dslgame.player(game, text) for text in (case.level, f"{case.level} threads={threads}")]
    for player in players:
        player.choose(game.start())  # compiles
    times = [[[0.0, 0.0] for _ in players] for _ in range(rounds)]
    for spent in times:
        for position in at:
            for player, sums in zip(players, spent, strict=True):
                assert isinstance(player, SearchingPlayer)
                player.rest()
                clock, processor = time.perf_counter(), time.process_time()
                player.choose(position)
                sums[0] += time.perf_counter() - clock
                sums[1] += time.process_time() - processor
    one = min(spent[0][0] for spent in times) / len(at)
    several = min(spent[1][0] for spent in times) / len(at)
    return {
        "game": case.title, "level": str(Level.of(case.level)), "threads": threads, "positions": len(at),
        "seconds": one, "seconds_with_threads": several,
        "times_as_fast": attrs.asdict(Spread.of([spent[0][0] / spent[1][0] for spent in times])),
        "processor": attrs.asdict(Spread.of([spent[1][1] / spent[0][1] for spent in times])),
    }


def shown(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Format the rows as texts for a table."""
    texts = [["game", "level", "ms by one thread", "by several", "times as fast", "times the processor"]]
    for row in rows:
        texts.append([row["game"], f"`{row['level']}`", short(1000 * row["seconds"]),
                      short(1000 * row["seconds_with_threads"]), str(Spread(**row["times_as_fast"])),
                      str(Spread(**row["processor"]))])
    return texts


def main() -> None:
    """Measure every case and print it."""
    parser = options_of("threads", __doc__, rounds=3, pages=True)
    parser.add_argument("--threads", type=int, default=2, help="threads of a search (%(default)s)")
    parser.add_argument("--positions", type=int, default=20, help="positions of each game (%(default)s)")
    parser.add_argument("--only", metavar="NAME", help="only this game")
    options = parser.parse_args()
    rows = [measured(case, threads=options.threads, positions=options.positions, rounds=options.rounds)
            for case in CASES if options.only in (None, case.name)]
    report("threads", options, rows, lambda form: form(shown(rows)))


if __name__ == "__main__":
    main()
