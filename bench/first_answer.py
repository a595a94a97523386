"""Time to a game's first answer: in a process that compiles the game's kernel, and in one that loads it from disk.

    python -m bench.first_answer [NAME ...] [--rounds N] [--json | --markdown]

Each process is `dslgame perft NAME -d 2 --method kernel --no-hooks`; its processor time from start to end is measured.
Games with hooks are also measured with them. As a yardstick of the machine, a further process has Numba compile a
function that does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from statistics import median
from typing import Any

import dslgame
from bench.measure import machine, markdown, short, table
from dslgame import bundled

ROUNDS = 3
COLD, CACHED, BARE, HOOKED = "first", "from disk", "Numba alone", "with hooks"
_BARE = "import numba\n@numba.njit\ndef nothing():\n    pass\nnothing()"


def processor_seconds(command: Sequence[str], cache: str) -> float:
    """Run a process; return its processor time with its children's. Raises SystemExit with its errors if it fails."""
    before = os.times()
    done = subprocess.run(command, env={**os.environ, "DSLGAME_CACHE": cache}, capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def measured(name: str, rounds: int) -> dict[str, Any]:
    """Measure a game: the median seconds of each kind of process."""
    command = [sys.executable, "-m", "dslgame", "perft", name, "-d", "2", "--method", "kernel"]
    plain = [*command, "--no-hooks"]
    found: dict[str, list[float]] = {BARE: [], COLD: [], CACHED: []}
    hooked = bundled.hooks_of(dslgame.load(name)) is not None
    if hooked:
        found[HOOKED] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            found[BARE].append(processor_seconds([sys.executable, "-c", _BARE], cache))
            found[COLD].append(processor_seconds(plain, cache))
            found[CACHED].append(processor_seconds(plain, cache))
        if hooked:
            with tempfile.TemporaryDirectory() as cache:
                found[HOOKED].append(processor_seconds(command, cache))
    return {"game": name, "seconds": {kind: median(values) for kind, values in found.items()},
            "first_over_bare": median(one / bare for one, bare in zip(found[COLD], found[BARE], strict=True))}


def shown(rows: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Format the rows as texts for a table."""
    heads = "game", "first answer, s", "from disk, s", "with hooks, s", "Numba alone, s", "first / Numba alone"
    texts: list[tuple[str, ...]] = [heads]
    for row in rows:
        seconds = row["seconds"]
        texts.append((row["game"], *(short(seconds[kind]) if kind in seconds else ""
                                     for kind in (COLD, CACHED, HOOKED, BARE)), short(row["first_over_bare"])))
    return texts


def main() -> None:
    """Measure the games and print them."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_answer", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="bundled games (all of them)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="processes of each kind (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--markdown", action="store_true", help="print the table as one of a page")
    options = parser.parse_args()
    rows = []
    for name in options.names or bundled.names():
        rows.append(measured(name, options.rounds))
        if sys.stderr.isatty():
            print(f"{name}: {short(rows[-1]['seconds'][COLD])} s", file=sys.stderr)
    if options.json:
        print(json.dumps({"benchmark": "first_answer", "date": date.today().isoformat(), "machine": machine(),
                          "rounds": options.rounds, "rows": rows}))
        return
    print((markdown if options.markdown else table)(shown(rows)))
    print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
