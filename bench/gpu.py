"""Moves a second of random games on a GPU, beside the same games on the processors, by size of the batch.

    python -m bench.gpu [--seconds S] [GAME ...]

Needs a GPU and the extra `cuda`. Before a game is measured, 1,024 of its random games on the GPU are held to the same
games on the processors; a difference ends the run. Processors play with as many threads as there are.
"""

from __future__ import annotations

import argparse
import os
import time

import dslgame
from dslgame.device_measuring import measured
from interpreter.device.batch import DeviceBatch, NoDevice, NotOnDevice
from interpreter.game import Game
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


def main() -> None:
    """Measure games, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description="Measure random games on a GPU.")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    print("| game | games at once | moves a second | processors | ratio | compiled, s | bytes |")
    print("|---" * 7 + "|")
    for name in options.games:
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
