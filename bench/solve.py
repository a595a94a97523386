"""Times of solving the bundled games, beside what OpenSpiel and easyAI offer for the same questions.

    python -m bench.solve [--rounds N] [--only NAME] [--json]

`dslgame` values every position that can be reached, symmetries merged, from the rules as the interpreter plays them.
The peers do less, each row says what: OpenSpiel lists the positions or searches for the value of the root, and so does
easyAI. A peer that is not installed is left out and named.
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
    """Solving a game from its start."""

    def solve(random: Random) -> int:
        solution = solve_game(game, method=method, symmetry=symmetry)
        assert solution.complete
        return 1

    return solve


# ---- the peers' sides


def all_states(name: str) -> Side:
    """OpenSpiel's list of all positions of a game written in C++: no values. Raises ImportError if not installed."""
    pyspiel: Any = importlib.import_module("pyspiel")
    lister: Any = importlib.import_module("open_spiel.python.algorithms.get_all_states")
    game = pyspiel.load_game(name)

    def solve(random: Random) -> int:
        lister.get_all_states(game, -1, True, False, to_string=str)
        return 1

    return solve


def alpha_beta(name: str) -> Side:
    """OpenSpiel's alpha-beta search on a game written in C++: the root's value. Raises ImportError if not installed."""
    pyspiel: Any = importlib.import_module("pyspiel")
    minimax: Any = importlib.import_module("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game(name)

    def solve(random: Random) -> int:
        minimax.alpha_beta_search(game)
        return 1

    return solve


def iterative_deepening() -> Side:
    """easyAI's solver with a table of positions: the root's value. Raises ImportError if not installed."""
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
    """A game to solve, and what the peers have for it."""

    name: str
    params: Mapping[str, int]
    peers: Mapping[str, Callable[[], Side]]
    """By what the peer does; the function raises ImportError where the peer is not installed."""

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
    """A row for each side: the time of one answer, and how many times as long ours takes."""
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
    """The rows as a table."""
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
