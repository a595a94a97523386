"""Makes certificates of the claims in docs/solutions.md, and times their checks by the interpreter and the kernel.

    python -m bench.certificates [--only NAME] [--most MB] [--seconds N] [--no-plain] [--markdown | --json]

There is one row for each claim. A claim is skipped, with the reason in its row, if solving takes more than `--seconds`
of processor time on two threads, by docs/solutions.md, or if its proofs have too many positions for a file of `--most`.
The seconds of a row are processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import attrs

import dslgame
from bench.command import title_of
from bench.measure import machine, markdown, short, table
from dslgame import bundled
from dslgame.cli.memory import cores, most_memory
from interpreter.game import Game
from interpreter.patterns.matching import Book
from solver.budget import Budget, OutOfBudget
from solver.certificates.checker import check, read
from solver.certificates.compiled import CompiledRules
from solver.certificates.prove import Made, certify
from solver.errors import Refused
from solver.game_space import solve_game

PER_POSITION = 0.05
"""A lower bound of the bytes per position of a proof in a file; the smallest measured is 0.098, of TwixT 5x5."""
ENDINGS = "the claim is about all positions with some pieces, and a certificate is about one"


@attrs.frozen
class Case:
    """A claim of docs/solutions.md."""

    name: str
    params: Mapping[str, int]
    value: str
    """The winner's name, or "draw"; the solver's name for a puzzle."""
    seconds: float
    """Processor time to solve it, in round numbers, by docs/solutions.md."""
    method: str = "strong"
    patterns: bool = False
    positions: int | None = None
    """Positions of the game, if all of them were counted, here or by others; sizes are estimated from them."""
    never: str = ""
    """Why there can be no certificate of the claim; '' if there can."""

    @property
    def title(self) -> str:
        """The name with the params."""
        return title_of(self.name, self.params)


def _four(columns: int, rows: int, value: str, seconds: float, method: str = "strong", *, patterns: bool = False,
          positions: int | None = None) -> Case:
    return Case("connect_four", {"columns": columns, "rows": rows}, value, seconds, method, patterns, positions)


CASES = (
    Case("tic_tac_toe", {}, "draw", 0.1, positions=5_478),
    Case("nex", {"rows": 3, "columns": 3}, "Black", 0.1, positions=36_397),
    Case("nex", {"rows": 3, "columns": 4}, "Black", 1.1, positions=2_159_137),
    Case("nex", {"rows": 4, "columns": 3}, "White", 1.1, positions=2_192_919),
    Case("nex", {"rows": 4, "columns": 4}, "Black", 35, "alphabeta"),
    _four(4, 4, "draw", 0.1, positions=161_029),
    _four(5, 4, "draw", 0.5),
    _four(4, 5, "draw", 0.5),
    _four(5, 5, "draw", 7.3, positions=69_763_700),
    _four(6, 4, "Red", 12, positions=94_910_577),
    _four(7, 4, "draw", 7, "alphabeta", patterns=True),
    _four(6, 5, "draw", 2, "alphabeta", positions=1_044_334_437),
    _four(7, 5, "draw", 14, "alphabeta"),
    _four(7, 6, "Yellow", 815, "alphabeta", positions=4_531_985_219_092),
    *(Case("connect_four", {"columns": columns, "rows": rows, "length": 3}, value, 0.1)
      for columns, rows, value in ((4, 3, "Yellow"), (3, 4, "draw"), (4, 4, "Yellow"))),
    Case("shift_tac_toe", {}, "One", 0.1, positions=108_786),
    *(Case("shift_tac_toe", {"rows": rows, "columns": columns, "length": length}, value, seconds, positions=positions)
      for rows, columns, length, value, seconds, positions in (
          (3, 4, 3, "One", 1, 1_197_088), (4, 3, 3, "One", 1, 1_604_046), (4, 4, 3, "One", 15, 25_739_772),
          (3, 4, 4, "draw", 2, 2_471_960), (4, 3, 4, "draw", 2, 4_361_618), (4, 4, 4, "One", 110, 115_043_686))),
    *(Case("hex", {"size": size}, "Red", seconds, "carriers")
      for size, seconds in ((2, 0.1), (3, 0.1), (4, 0.1), (5, 3.3), (6, 146))),
    Case("twixt", {"rows": 5, "columns": 5, "swap": 0}, "draw", 0.2, "alphabeta"),
    Case("teeko", {}, "draw", 130, positions=171_875_046),
    Case("quixo", {"size": 3}, "X", 0.1),
    Case("quixo", {"size": 4}, "X", 35, positions=82_497_861),
    Case("dobutsu_shogi", {}, "Gote", 831, positions=213_993_388),
    Case("peg_solitaire", {}, "Solver", 110, positions=187_636_299),
    Case("chess", {}, "KQk, KRk", 28, "endgames", never=ENDINGS),
)


class Row(NamedTuple):
    """The measurements of a claim; seconds are processor time, None stands for what was not done."""

    game: str
    value: str
    positions: int | None = None
    size: int | None = None
    """Bytes of the certificate."""
    made: float | None = None
    """Seconds to solve the game and write the proof."""
    plain: float | None = None
    kernel: float | None = None
    note: str = ""
    """Why there is no certificate; '' where there is one."""
    known: int | None = None
    """Positions of the game, where they were counted."""


class WrongValue(Exception):
    """A game has another value than docs/solutions.md says."""


class TooLarge(Exception):
    """A proof has more positions than fit into a file of the largest size; the message says how many."""


def measured(case: Case, *, most: float, seconds: float, plain: bool) -> Row:
    """Make and check the certificate of a claim, of at most `most` MB, where solving takes at most `seconds`.

    Raises WrongValue where the game has another value, and Refuted where a certificate is not accepted.
    """
    known = case.positions
    if case.never:
        return Row(case.title, case.value, note=case.never)
    if case.seconds > seconds:
        return Row(case.title, case.value, note=f"not made: solving takes {case.seconds:,.0f} s", known=known)
    game = dslgame.load(case.name, **case.params)
    started = time.process_time()
    try:
        made = _made(game, case, int(most * 1e6))
    except (TooLarge, Refused, OutOfBudget) as problem:
        return Row(case.title, case.value, made=time.process_time() - started, note=str(problem), known=known)
    row = Row(case.title, case.value, made.positions, len(made.data), time.process_time() - started, known=known)
    if row.size is not None and row.size > most * 1e6:
        return row._replace(note=f"larger than {most:g} MB")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proof"
        file.write_bytes(made.data)
        certificate = read(file)
        rules = CompiledRules(certificate.game)
        rules.expand([rules.root(certificate.root.state)[0]], [-1])  # compiles, so that what is measured is play
        return row._replace(kernel=_seconds(lambda: check(certificate, rules)),
                            plain=_seconds(lambda: check(certificate)) if plain else None)


def _made(game: Game, case: Case, most: int) -> Made:
    """Make the certificate of a claim. Raises TooLarge, Refused, OutOfBudget, and WrongValue for another value."""
    source = bundled.patterns_of(game) if case.patterns else None
    solution = solve_game(game, method=case.method, value_only=case.method == "alphabeta", threads=cores(),
                          memory=most_memory(), patterns=Book.of(source, game) if source is not None else None)
    if solution.winner is None:
        raise OutOfBudget(f"not solved: {solution.reason}")
    if game.outcome_name(solution.winner) != case.value:
        raise WrongValue(f"{case.title} has the value {game.outcome_name(solution.winner)}, and not {case.value}")
    positions = math.ceil(most / PER_POSITION)

    def tell(done: int, known: int, phase: str) -> None:
        if known > positions:
            raise TooLarge(f"too large: one of its proofs has more than {known:,} positions")

    return certify(game.start(), solution, budget=Budget(None, most_memory(), tell))


def _seconds(work: Callable[[], object]) -> float:
    """Call a function and return the processor seconds that it took."""
    started = time.process_time()
    work()
    return time.process_time() - started


# ---- what is printed


def estimates(rows: Sequence[Row], cases: Sequence[Case]) -> list[Row]:
    """Add an estimate of the size to rows without a certificate, from the certificates of smaller boards of the game.

    Fits a line to the logarithms of positions and bytes by least squares, which takes at least two boards.
    """
    found = []
    for row, case in zip(rows, cases, strict=True):
        points = [(math.log(other.known), math.log(other.size)) for other, of in zip(rows, cases, strict=True)
                  if of.name == case.name and other.known is not None and other.size is not None]
        if row.size is not None or row.known is None or len({x for x, _ in points}) < 2:
            found.append(row)
            continue
        x_mean, y_mean = (sum(values) / len(points) for values in zip(*points, strict=True))
        slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)
        size = math.exp(y_mean + slope * (math.log(row.known) - x_mean))
        found.append(row._replace(note=f"{row.note}; about {short(size / 1e6)} MB, as those of {len(points)} smaller "
                                       "boards grow"))
    return found


def texts(rows: Sequence[Row]) -> list[list[str]]:
    """Format the rows as texts for a table, with a header."""
    head = ["game", "value", "positions", "bytes", "made", "interpreter", "kernel", ""]
    return [head, *([row.game, row.value, _number(row.positions), _number(row.size), _time(row.made),
                     _time(row.plain), _time(row.kernel), row.note] for row in rows)]


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _time(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if value < 1 else short(value)


def main() -> None:
    """Measure every claim and print it."""
    parser = argparse.ArgumentParser(prog="python -m bench.certificates", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="only this game, or this game with its params as printed")
    parser.add_argument("--most", type=float, default=100, metavar="MB", help="size of a file (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60,
                        help="leave out what takes more processor time to solve (%(default)s)")
    parser.add_argument("--no-plain", action="store_true", help="check with the kernel alone, in a tenth of the time")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--markdown", action="store_true", help="print the table as docs/certificates.md has it")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in (None, case.name, case.title)]
    if not cases:
        parser.error(f"docs/solutions.md claims nothing of {options.only}; it does of "
                     f"{', '.join(dict.fromkeys(case.name for case in CASES))}")
    rows = estimates([measured(case, most=options.most, seconds=options.seconds, plain=not options.no_plain)
                      for case in cases], cases)
    if options.json:
        print(json.dumps({"benchmark": "certificates", "date": date.today().isoformat(), "machine": machine(),
                          "rows": [row._asdict() for row in rows]}))
        return
    print((markdown if options.markdown else table)(texts(rows)))
    print(", ".join(f"{part} {value}" for part, value in machine().items()))


if __name__ == "__main__":
    main()
