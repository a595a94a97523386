"""Moves a second of random games on a GPU, beside the same games on the processors, by size of the batch.

    python -m bench.gpu [--seconds S] [GAME ...]
    python -m bench.gpu --status [GAME ...]

With --status nothing is measured and no GPU is needed: a table says which games can run on one, and why others cannot.
Needs a GPU and the extra `cuda`. Before a game is measured, 1,024 of its random games on the GPU are held to the same
games on the processors; a difference ends the run. Processors play with as many threads as there are.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence

import dslgame
from dslgame import bundled
from dslgame.device_env import why_not_stepped
from dslgame.device_measuring import measured
from interpreter.device.batch import DeviceBatch, NoDevice, NotOnDevice
from interpreter.device.program import calls_itself
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel, NotLowered
from interpreter.kernel.many import Batch

GAMES = ("tic_tac_toe", "connect_four", "hex", "reversi", "go", "breakthrough", "amazons", "chess")
HELD, LIMIT = 1024, 1000


def processors(game: Game, seconds: float) -> float:
    """Moves a second of random games on all processors."""
    batch = Batch.of(game, threads=os.cpu_count() or 1)
    batch.play_outs(HELD, 0, limit=LIMIT)
    plies, games, started = 0, HELD, time.perf_counter()
    while time.perf_counter() - started < seconds:
        plies += batch.play_outs(games, plies, limit=LIMIT)[0]
        games = min(games * 2, 1 << 16)
    return plies / (time.perf_counter() - started)


def hold(game: Game) -> None:
    """Raises AssertionError where a GPU plays other games than the processors."""
    there, here = DeviceBatch.of(game), Batch.of(game)
    theirs, ours = there.starts(HELD), here.starts(HELD)
    plies = there.play_out(theirs, 1, limit=LIMIT).copy_to_host()
    assert plies.tolist() == here.play_out(ours, 1, limit=LIMIT).tolist()
    assert there.outcomes(theirs).tolist() == here.outcomes(ours).tolist()


def status(names: Sequence[str]) -> None:
    """Print which games can run on GPUs, as far as their rules say: random games, and environments."""
    print("| game | bytes | random games | environment |\n|---|---|---|---|")
    for name in names:
        game = dslgame.load(name)
        try:
            kernel = Kernel.of(game, native=False)
        except NotLowered as problem:
            print(f"| {name} | | no: the compiler does not know {problem} | |")
            continue
        stepped = why_not_stepped(game)
        games = "yes, on a stack: captures or moves go on" if calls_itself(kernel) else "yes"
        print(f"| {name} | {kernel.assembled.layout.width * 8} | {games} | {f'no: {stepped}' if stepped else 'yes'} |")


def main() -> None:
    """Measure games, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description="Measure random games on a GPU.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--status", action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    if options.status:
        status(options.games or bundled.names())
        return
    print("| game | games at once | moves a second | processors | ratio | compiled, s | bytes |")
    print("|---" * 7 + "|")
    for name in options.games or GAMES:
        game = dslgame.load(name)
        try:
            hold(game)
            ours = processors(game, options.seconds / 4)
            for speed in measured(game, options.seconds, seed=1, limit=LIMIT):
                print(f"| {name} | {speed.games:,} | {speed.moves_per_second:,.0f} | {ours:,.0f} | "
                      f"{speed.moves_per_second / ours:.1f} | {speed.compile_seconds:.1f} | {speed.position_bytes} |",
                      flush=True)
        except NotOnDevice as problem:
            print(f"| {name} | {problem} | | | | | |")
        except NoDevice as problem:
            raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main()
