"""Positions searched and processor time of weak solutions: several search methods compared.

    python -m bench.searches [--rounds N] [--only NAME] [--large] [--json] [--markdown]

Each game is searched only for its value, in the ways that apply to it: alpha-beta, with the game's patterns, without
its `value`, with carriers, by virtual connections, by proof numbers. Ratios are to the first way. The ways alternate in
one process; a first round, which compiles or loads kernels, does not count. Nex is compared with nexC's search of one
value. For Hexplode the search is one move of a player, four plies deep, compared with the published minimax. The times
of nexC and of the minimax were measured once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

import attrs

import dslgame
from bench.command import options_of, report, title_of
from bench.measure import short
from dslgame import bundled
from interpreter.game import Game
from interpreter.patterns.matching import Book
from solver.budget import Budget
from solver.drivers.weak import search_on_kernel
from solver.game_space import GameSpace

Way = Callable[[Game], int]
"""Searches a game and returns the number of positions searched."""


def _search(game: Game, **options: Any) -> int:
    found = search_on_kernel(GameSpace(game), Budget(), "asked for", value_only=True, remoteness=False, **options)
    assert found.winner is not None
    return found.positions


def _alphabeta(game: Game) -> int:
    return _search(game, method="alphabeta")


def _with_patterns(game: Game) -> int:
    source = bundled.patterns_of(game)
    assert source is not None
    return _search(game, method="alphabeta", patterns=Book.of(source, game))


def _without_value(game: Game) -> int:
    lines = [line for line in game.rules.source.text.splitlines() if not line.startswith("value ")]
    params: dict[str, Any] = dict(game.params)
    return _search(dslgame.loads("\n".join(lines), **params), method="alphabeta")


def _carriers(game: Game) -> int:
    return _search(game)


def _connections(game: Game) -> int:
    return _search(game, method="connections")


def _proof(game: Game) -> int:
    return _search(game, method="proof")


def _threads(game: Game) -> int:
    return _search(game, method="alphabeta", threads=2)


def _move(game: Game) -> int:
    choice = dslgame.player(game, "alphabeta plies=4").choose(game.start())
    return 0 if choice.report is None else choice.report.nodes


WAYS: Mapping[str, Way] = {
    "alpha-beta": _alphabeta, "with patterns": _with_patterns, "without value": _without_value, "carriers": _carriers,
    "virtual connections": _connections, "proof numbers": _proof, "two threads": _threads, "a move, 4 plies": _move,
}


@attrs.frozen
class Case:
    """A game, and the ways to search it; ratios are to the first way."""

    name: str
    params: Mapping[str, int]
    ways: tuple[str, ...]
    seconds: float | None = None
    """The time of a hand-written program, if there is one."""
    program: str = ""
    large: bool = False

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


CASES = (
    Case("nex", {"rows": 3, "columns": 3}, ("alpha-beta", "proof numbers", "without value"), 11.5, "nexC"),
    Case("nex", {"rows": 4, "columns": 4}, ("alpha-beta",), large=True),
    Case("connect_four", {"rows": 5, "columns": 5}, ("alpha-beta", "with patterns", "two threads")),
    Case("connect_four", {"rows": 4, "columns": 6}, ("alpha-beta", "with patterns", "two threads")),
    Case("connect_four", {"rows": 4, "columns": 7}, ("alpha-beta", "with patterns", "two threads"), large=True),
    Case("connect_four", {"rows": 5, "columns": 6}, ("alpha-beta",), large=True),
    Case("hex", {"size": 4}, ("alpha-beta", "with patterns", "without value", "carriers", "virtual connections",
                            "proof numbers")),
    Case("hex", {"size": 5}, ("carriers", "virtual connections")),
    Case("twixt", {"rows": 5, "columns": 5, "swap": 0}, ("alpha-beta", "with patterns")),
    Case("domineering", {"rows": 5, "columns": 6}, ("alpha-beta", "proof numbers")),
    Case("amazons", {"size": 4}, ("alpha-beta", "proof numbers")),
    Case("havannah", {"size": 3}, ("alpha-beta", "proof numbers")),
    Case("hexplode", {"side": 4}, ("a move, 4 plies",), 20, "the published minimax"),
)


def measured(case: Case, *, rounds: int) -> list[dict[str, Any]]:
    """Measure positions and median seconds of each way: a row per way."""
    game = dslgame.load(case.name, **case.params)
    times: dict[str, list[float]] = {way: [] for way in case.ways}
    positions: dict[str, int] = {}
    for number in range(-1, rounds):
        for way in case.ways:
            start = time.process_time()
            positions[way] = WAYS[way](game)
            if number >= 0:
                times[way].append(time.process_time() - start)
    first = case.ways[0]
    rows = []
    for way in case.ways:
        seconds, base = median(times[way]), median(times[first])
        rows.append({
            "game": case.title, "way": way, "positions": positions[way], "seconds": seconds,
            "positions_ratio": positions[way] / max(1, positions[first]), "seconds_ratio": seconds / base,
            "by_hand_seconds": case.seconds, "program": case.program or None,
            "times_as_fast": None if case.seconds is None else case.seconds / seconds,
        })
    return rows


def shown(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Format the rows as texts for a table."""
    texts = [["game", "way", "positions", "seconds", "positions / first way's", "seconds / first way's", "by hand",
              "times as fast"]]
    for row in rows:
        by_hand = "" if row["by_hand_seconds"] is None else f"{row['by_hand_seconds']} s, {row['program']}"
        texts.append([row["game"], row["way"], f"{row['positions']:,}", short(row["seconds"]),
                      short(row["positions_ratio"]), short(row["seconds_ratio"]), by_hand,
                      "" if row["times_as_fast"] is None else short(row["times_as_fast"])])
    return texts


def main() -> None:
    """Measure every case and print it."""
    parser = options_of("searches", __doc__, rounds=3, pages=True)
    parser.add_argument("--only", metavar="NAME", help="only this game")
    parser.add_argument("--large", action="store_true", help="also games that take half a minute or more")
    options = parser.parse_args()
    rows = [row for case in CASES if options.only in (None, case.name) and (options.large or not case.large)
            for row in measured(case, rounds=options.rounds)]
    report("searches", options, rows, lambda form: form(shown(rows)))


if __name__ == "__main__":
    main()
