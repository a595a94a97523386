"""Times to solve bundled games, against what OpenSpiel and easyAI offer for the same games.

    python -m bench.solve [--rounds N] [--only NAME] [--json]

`dslgame` computes the value of every reachable position, with symmetries merged, from the rules of the game file. The
peers do less, as their rows say: OpenSpiel lists the positions, or searches for the value of the root; easyAI searches
for the value of the root. A peer that is not installed is named and left out.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import attrs

import dslgame
from bench.command import found_peers, options_of, report, title_of
from bench.measure import Side, Spread, rates, ratios, short, table
from solver.game_space import solve_game

ROUNDS = 5


# ---- our side


def ours(game: dslgame.Game, method: str, *, symmetry: bool = True) -> Side:
    """Solves a game from its start."""

    def solve(random: Random) -> int:
        solution = solve_game(game, method=method, symmetry=symmetry)
        assert solution.complete
        return 1

    return solve


# ---- the peers' sides


def all_states(name: str) -> Side:
    """Lists all positions of an OpenSpiel game in C++, without values. Raises ImportError if not installed."""
    pyspiel: Any = importlib.import_module("pyspiel")
    lister: Any = importlib.import_module("open_spiel.python.algorithms.get_all_states")
    game = pyspiel.load_game(name)

    def solve(random: Random) -> int:
        lister.get_all_states(game, -1, True, False, to_string=str)
        return 1

    return solve


def alpha_beta(name: str) -> Side:
    """Runs OpenSpiel's alpha-beta search of the root of a game in C++. Raises ImportError if not installed."""
    pyspiel: Any = importlib.import_module("pyspiel")
    minimax: Any = importlib.import_module("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game(name)

    def solve(random: Random) -> int:
        minimax.alpha_beta_search(game)
        return 1

    return solve


def iterative_deepening() -> Side:
    """Runs easyAI's solver with a transposition table for the root's value. Raises ImportError if not installed."""
    easy_ai: Any = importlib.import_module("easyAI")
    base: Any = importlib.import_module("easyAI.games.TicTacToe").TicTacToe
    keyed = type("Keyed", (base,), {"ttentry": lambda self: tuple(self.board)})

    def solve(random: Random) -> int:
        easy_ai.solve_with_iterative_deepening(keyed([None, None]), ai_depths=range(2, 10), win_score=100,
                                               tt=easy_ai.TranspositionTable(), verbose=False)
        return 1

    return solve


@attrs.frozen
class Case:
    """A game to solve, and the peers' sides for it."""

    name: str
    params: Mapping[str, int]
    peers: Mapping[str, Callable[[], Side]]
    """By label, functions that make the peer's side; they raise ImportError where the peer is not installed."""

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


LISTS, ROOT = "OpenSpiel: lists positions, no values", "OpenSpiel: alpha-beta, root only"
CASES = (
    Case("tic_tac_toe", {}, {
        LISTS: lambda: all_states("tic_tac_toe"),
        ROOT: lambda: alpha_beta("tic_tac_toe"),
        "easyAI: deepening, root only": iterative_deepening,
    }),
    Case("nex", {"rows": 2, "columns": 2}, {}),
    Case("nex", {"rows": 3, "columns": 3}, {}),
    Case("shift_tac_toe", {}, {}),
    Case("hex", {"size": 3}, {
        LISTS: lambda: all_states("hex(board_size=3)"),
        ROOT: lambda: alpha_beta("hex(board_size=3)"),
    }),
    Case("connect_four", {"rows": 4, "columns": 4}, {
        LISTS: lambda: all_states("connect_four(rows=4,columns=4,x_in_row=4)"),
    }),
)
ALL, UNMERGED = "dslgame: every value", "dslgame: every value, symmetries off"


def measured(case: Case, *, rounds: int) -> list[dict[str, object]]:
    """Measure the time of one solution by every side, and how many times as long ours takes: a row per side."""
    game = dslgame.load(case.name, **case.params)
    solution = solve_game(game, method="strong")
    plain = solve_game(game, method="strong", symmetry=False)
    sides: dict[str, Side] = {ALL: ours(game, "strong"), UNMERGED: ours(game, "strong", symmetry=False)}
    missing = found_peers(sides, case.peers, case.title)
    found = rates(sides, rounds=rounds, seconds=0.1)
    counts = {ALL: solution.positions_merged, UNMERGED: plain.positions}
    rows: list[dict[str, object]] = [
        {"game": case.title, "side": name,
         "seconds": attrs.asdict(Spread.of([1 / value for value in values])),
         "positions": counts.get(name),
         "positions_per_second": counts[name] * Spread.of(values).median if name in counts else None,
         "our_time_over_this": None if name == ALL else attrs.asdict(ratios(values, found[ALL]))}
        for name, values in found.items()
    ]
    return rows + missing


def shown(rows: list[dict[str, Any]]) -> str:
    """Format the rows as a table."""
    texts = [("game", "side", "seconds", "positions", "positions/s", "our time / this")]
    for row in rows:
        if "missing" in row:
            texts.append((row["game"], row["side"], "not installed", "", "", ""))
            continue
        ratio, counted = row["our_time_over_this"], row["positions"]
        texts.append((row["game"], row["side"], short(row["seconds"]["median"]), f"{counted:,}" if counted else "",
                      short(row["positions_per_second"]) if counted else "", str(Spread(**ratio)) if ratio else "1"))
    return table(texts)


def main() -> None:
    """Measure every case and print it."""
    parser = options_of("solve", __doc__, rounds=ROUNDS)
    parser.add_argument("--only", metavar="NAME", help="only this game")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for case in CASES:
        if options.only in (None, case.name):
            rows += measured(case, rounds=options.rounds)
    report("solve", options, rows, lambda drawn: shown(rows))


if __name__ == "__main__":
    main()
