"""Processor time of strong solutions: the value of every reachable position, by compiled rules.

    python -m bench.strong [--rounds N] [--only NAME] [--large] [--json] [--markdown]

The times are compared with those of hand-written C programs: GamesmanClassic, and for Nex the search of one value by
nexC. Those were measured once, on the machine of the README's figures, and are constants here. A measurement begins
with the loaded and compiled game and ends with all values and totals. The rounds run one after another in one process;
a first one, which compiles or loads kernels, does not count.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import attrs

import dslgame
from bench.measure import Spread, machine, markdown, short, table
from solver.budget import Budget
from solver.engines import table_solver
from solver.game_space import GameSpace
from solver.tables.saved import identity_of, save
from solver.tables.table import SolvedTable

ROUNDS = 5


@attrs.frozen
class Case:
    """A game, its number of positions, and the seconds that a hand-written program takes."""

    name: str
    params: Mapping[str, int]
    positions: int | None = None
    by_hand: float | None = None
    program: str = "GamesmanClassic"
    large: bool = False

    @property
    def title(self) -> str:
        """The name with the parameters: `nex rows=3 columns=4`."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.params.items())])


CASES = (
    Case("tic_tac_toe", {}, 5_478, 0.01),
    Case("shift_tac_toe", {}, 108_786, 0.45),
    Case("connect_four", {"columns": 4, "rows": 4}, 161_029, 0.10),
    Case("connect_four", {"columns": 4, "rows": 5}, 1_706_255, 0.92),
    Case("connect_four", {"columns": 5, "rows": 4}, 3_945_711, 2.6),
    Case("connect_four", {"columns": 5, "rows": 5}, 69_763_700, 50.6, large=True),
    Case("hex", {"size": 3}, 5_514),
    Case("nex", {"rows": 3, "columns": 3}, 36_397, 11.5, "nexC, one value"),
    Case("nex", {"rows": 3, "columns": 4}),
    Case("nex", {"rows": 4, "columns": 3}),
    Case("hexplode", {"side": 2}),
    Case("three_mens_morris", {}),
    Case("nine_mens_morris", {"men": 3}),
    Case("peg_solitaire", {}, large=True),
)


def measured(case: Case, *, rounds: int) -> dict[str, Any]:
    """Measure a case: positions, seconds of solving and saving, and bytes per position."""
    space = GameSpace(dslgame.load(case.name, **case.params))
    seconds = []
    for number in range(-1, rounds):
        solver = table_solver(space, Budget())
        assert solver is not None
        gc.collect()
        start = time.process_time()
        found = solver.run()
        if number >= 0:
            seconds.append(time.process_time() - start)
    assert isinstance(found, SolvedTable)
    assert solver is not None
    assert case.positions in (None, found.unmerged())
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        size = save(found, Path(folder) / "solution", identity_of(space, solver.kernel), lambda count: None)
        saving = time.process_time() - start
    value = found.value(space.root)
    assert value is not None
    spread = Spread.of(seconds)
    return {
        "game": case.title, "winner": space.game.outcome_name(value.winner), "remoteness": value.remoteness,
        "positions": found.unmerged(), "positions_merged": found.merged, "moves": found.enumeration.edges,
        "side": "dslgame", "tally": found.tally(), "seconds": attrs.asdict(spread), "saving_seconds": saving,
        "bytes_per_position": size / found.unmerged(), "by_hand_seconds": case.by_hand,
        "program": case.program if case.by_hand else None,
        "times_as_fast": None if case.by_hand is None else case.by_hand / spread.median,
    }


def shown(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Format the rows as texts for a table."""
    texts = [["game", "value", "positions", "up to symmetry", "seconds", "positions/s", "by hand in C", "times as fast",
              "bytes a position"]]
    for row in rows:
        seconds = Spread(**row["seconds"])
        plies = "" if row["remoteness"] is None else f" in {row['remoteness']}"
        by_hand = "" if row["by_hand_seconds"] is None else f"{row['by_hand_seconds']} s, {row['program']}"
        texts.append([row["game"], f"{row['winner']}{plies}", f"{row['positions']:,}", f"{row['positions_merged']:,}",
                      str(seconds), short(row["positions"] / seconds.median), by_hand,
                      "" if row["times_as_fast"] is None else short(row["times_as_fast"]),
                      f"{row['bytes_per_position']:.2f}"])
    return texts


def main() -> None:
    """Measure every case and print it."""
    parser = argparse.ArgumentParser(prog="python -m bench.strong", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="counted rounds (%(default)s)")
    parser.add_argument("--only", metavar="NAME", help="only this game")
    parser.add_argument("--large", action="store_true", help="also games that take a minute or a gigabyte")
    parser.add_argument("--markdown", action="store_true", help="print a table as in README.md")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rows = [measured(case, rounds=options.rounds) for case in CASES
            if options.only in (None, case.name) and (options.large or not case.large)]
    if options.json:
        print(json.dumps({"benchmark": "strong", "date": date.today().isoformat(), "machine": machine(),
                          "rounds": options.rounds, "rows": rows}))
        return
    print(markdown(shown(rows)) if options.markdown else table(shown(rows)))
    print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
