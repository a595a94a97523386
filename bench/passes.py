"""The gain of each compiler pass: random games per second with all passes, against all but this one.

    python -m bench.passes [NAME ...] [--rounds N] [--seconds S] [--pass PASS ...]
                            [--json | --markdown]

A number is the speed with the pass relative to the speed without it: above 1, the pass gains. For `images` the speed is
that of computing the least images of positions. `-` marks a pass that does not change the code of a game. Both sides
alternate in one process, as everywhere in this folder. Compiling takes most of the time of a first run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import attrs
import numpy as np

import dslgame
from bench.command import options_of, report
from bench.kernels import of_way
from bench.measure import Side, Spread, rates, ratios, short, table
from dslgame.measuring import kernel_way
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel, NotLowered
from interpreter.kernel.many import Batch

ROUNDS, SECONDS = 5, 0.2
GAMES = ("tic_tac_toe", "connect_four", "hex", "breakthrough", "reversi", "gomoku", "amazons", "english_draughts",
         "nine_mens_morris", "twixt", "trax", "lines_of_action")
ALL, IMAGES = "all", "images"


def passes_of(names: Sequence[str] = ()) -> list[str]:
    """Return the given names of passes, or all names if none are given. Raises SystemExit for an unknown name."""
    known = [field.name for field in attrs.fields(Passes)]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise SystemExit(f"there is no pass {', '.join(wrong)}; the passes are {', '.join(known)}")
    return list(names) or known


def measured(name: str, passes: Sequence[str], *, rounds: int, seconds: float) -> dict[str, Any]:
    """Measure a game: its playouts per second with all passes, and the gain of each pass."""
    game = dslgame.load(name)
    row: dict[str, Any] = {"game": name, "gains": {}, "problems": {}}
    kernels = {ALL: Kernel.of(game)}
    for off in passes:
        try:
            kernel = Kernel.of(game, passes=attrs.evolve(Passes(), **{off: False}))
        except NotLowered as problem:
            row["problems"][off] = str(problem)
            continue
        if kernel.text != kernels[ALL].text:
            kernels[off] = kernel
        else:
            row["gains"][off] = None
    sides: dict[str, Side] = {}
    if IMAGES in kernels:
        images = {off: _least_images(kernels[off]) for off in (ALL, IMAGES)}
        rated = rates(images, rounds=rounds, seconds=seconds)
        row["gains"][IMAGES] = attrs.asdict(ratios(rated[ALL], rated[IMAGES]))
        del kernels[IMAGES]
    for off, kernel in kernels.items():
        sides[off] = of_way(kernel_way(off, kernel))
        expected, found = (_sample(one) for one in (kernels[ALL], kernel))
        if expected != found:
            number = next(at for at, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1])
            row["problems"][off] = f"another game is played: {found[number]} instead of {expected[number]} at {number}"
        sides[off](Random(0))
    rated = rates(sides, rounds=rounds, seconds=seconds)
    row["playouts_per_second"] = attrs.asdict(Spread.of(rated[ALL]))
    row["gains"].update({off: attrs.asdict(ratios(rated[ALL], values)) for off, values in rated.items() if off != ALL})
    return row


def _least_images(kernel: Kernel) -> Side:
    """Computes the least images of a fixed batch of random positions."""
    batch = Batch(kernel)
    states = np.concatenate([batch.random_positions(200, plies, 1, over=True) for plies in range(2, 18, 3)])
    batch.canonical(states)

    def work(random: Random) -> int:
        return len(batch.canonical(states))

    return work


def _sample(kernel: Kernel) -> list[tuple[int, int]]:
    """Sample ten random games: for each of at most 40 plies, its number and the number of legal moves.

    The moves are drawn here, since passes may change how a kernel draws them.
    """
    random, found = Random(7), []
    for _ in range(10):
        row = kernel.start()
        for number in range(40):
            moves = kernel.moves(row)
            found.append((number, len(moves)))
            if not len(moves):
                break
            kernel.apply(row, moves[random.randrange(len(moves))])
    return found


def shown(rows: Sequence[dict[str, Any]], passes: Sequence[str],
          drawn: Callable[[Sequence[Sequence[str]]], str] = table) -> str:
    """Format the rows as a table with a column for each pass."""
    texts: list[tuple[str, ...]] = [("game", "playouts/s", *passes)]
    for row in rows:
        gains = [row["gains"].get(name) for name in passes]
        texts.append((row["game"], short(row["playouts_per_second"]["median"]),
                      *("-" if gain is None else short(gain["median"]) for gain in gains)))
    problems = [f"{row['game']} without {name}: {text}" for row in rows for name, text in row["problems"].items()]
    return "\n".join([drawn(texts), *problems])


def main() -> None:
    """Measure the games and print the gain of each pass."""
    parser = options_of("passes", __doc__, rounds=ROUNDS, seconds=SECONDS, pages=True)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="NAME", help="bundled games (%(default)s)")
    parser.add_argument("--pass", dest="passes", action="append", default=[], metavar="PASS", help="only this pass")
    options = parser.parse_args()
    passes = passes_of(options.passes)
    rows = []
    for name in options.games:
        if sys.stderr.isatty():
            print(name, end="\033[K\r", file=sys.stderr)
        rows.append(measured(name, passes, rounds=options.rounds, seconds=options.seconds))
    report("passes", options, rows, lambda drawn: shown(rows, passes, drawn))


if __name__ == "__main__":
    main()
