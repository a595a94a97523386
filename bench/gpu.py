"""Moves per second of random games on a GPU, against the same games on the processors, by batch size.

We have three figures: whole games in one launch; steps of an environment, launched one by one from Python; and steps
of which 64 are recorded and launched as one, as PGX and Ludax do.

    python -m bench.gpu [--seconds S] [--held PLIES] [GAME ...]
    python -m bench.gpu --status [--ptx] [GAME ...]

Needs a GPU and the extra `cuda`. Before a game is measured, 10 million moves of random games on the GPU are compared
with the same games on the processors; a difference ends the run. The processors use one thread each. PGX and Ludax,
where installed (`pip install "jax[cuda12]" pgx ludax==0.0.8`), play random games of the games that they have, in
batches of the same sizes on the same device. With NUMBA_ENABLE_CUDASIM=1 everything runs in batches of 4 with few
moves, to check that the program works; the figures mean nothing.

With --status nothing is measured and no GPU is needed: a table shows the bytes of a game's position, and whether the
game can run on GPUs or why not; with --ptx also how long the compiler takes to make the kernel of random games for an
H100, and the length of its PTX.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import dslgame
from dslgame import bundled
from dslgame.device_env import why_not_stepped
from dslgame.device_measuring import measured, steps_a_second
from interpreter.device.batch import DeviceBatch, NoDevice, NotOnDevice
from interpreter.device.program import Program, calls_itself, simulated
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel, NotLowered
from interpreter.kernel.many import Batch

Params = dict[str, int]
GAMES: tuple[tuple[str, Params], ...] = (
    ("tic_tac_toe", {}), ("connect_four", {}), ("hex", {"size": 11}), ("reversi", {}), ("go", {"size": 9}),
    ("go", {"size": 19}), ("breakthrough", {}), ("amazons", {}), ("chess", {}))
PGX = {"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four", "hex 11": "hex", "reversi": "othello",
       "go 9": "go_9x9", "go 19": "go_19x19", "chess": "chess", "backgammon": "backgammon", "kuhn_poker": "kuhn_poker",
       "leduc_poker": "leduc_holdem", "gardners_chess": "gardner_chess"}
"""PGX's names of games whose rules are the same as far as random games go."""
LUDAX = {"tic_tac_toe", "connect_four", "hex 11", "reversi"}
"""Games that Ludax has under the same name, with the same rules and boards."""
HELD, LIMIT = 1 << 14, 1000
"""The batch size of comparisons between the devices, and the largest number of moves of a game."""
HELD_PLIES = 10_000_000


def processors(game: Game, seconds: float) -> float:
    """Moves per second of random games on all processors."""
    batch = Batch.of(game, threads=os.cpu_count() or 1)
    batch.play_outs(64, 0, limit=LIMIT)
    plies, games, started = 0, 64, time.perf_counter()
    while time.perf_counter() - started < seconds:
        plies += batch.play_outs(games, plies, limit=LIMIT)[0]
        games = min(games * 2, 1 << 16)
    return plies / (time.perf_counter() - started)


def hold(game: Game, wanted: int) -> int:
    """Play the same games on both devices until `wanted` moves are played; return the number of moves.

    Raises AssertionError where the GPU plays other games than the processors.
    """
    there, here = DeviceBatch.of(game), Batch.of(game, threads=os.cpu_count() or 1)
    count, limit = (4, 20) if simulated() else (HELD, LIMIT)
    position, played, seed = here.kernel.assembled.layout.position, 0, 0
    while played < wanted:
        seed += 1
        theirs, ours = there.starts(count), here.starts(count)
        plies = there.play_out(theirs, seed, limit=limit).copy_to_host()
        assert (plies == here.play_out(ours, seed, limit=limit)).all(), f"{game.title}: other games, seed {seed}"
        assert (there.rows(theirs)[:, :position] == ours[:, :position]).all(), f"{game.title}: other positions, {seed}"
        assert (there.outcomes(theirs) == here.outcomes(ours)).all(), f"{game.title}: other outcomes, seed {seed}"
        played += int(plies.sum())
    return played


def title_of(name: str, params: Params) -> str:
    """A game's name with the values of its params, the key of PGX and LUDAX."""
    return " ".join([name, *map(str, params.values())])


def pgx_steps(name: str, params: Params, count: int, seconds: float) -> float:
    """Moves per second of PGX's random games; 0 where it is not installed or lacks the game."""
    known = PGX.get(title_of(name, params))
    if known is None or not (find_spec("pgx") and find_spec("jax")):
        return 0.0
    return jax_steps(import_module("pgx").make(known), count, seconds)


def ludax_steps(name: str, params: Params, count: int, seconds: float) -> float:
    """Moves per second of Ludax's random games; 0 where it or PGX is not installed, or it lacks the game."""
    if title_of(name, params) not in LUDAX or not (find_spec("ludax") and find_spec("pgx") and find_spec("jax")):
        return 0.0
    rules = files("ludax").joinpath("games", f"{name}.ldx").read_text(encoding="utf-8")
    return jax_steps(import_module("ludax").LudaxEnvironment(game_str=rules), count, seconds)


def jax_steps(env: Any, count: int, seconds: float) -> float:
    """Moves per second of random games, restarted when they end, of an environment with PGX's interface.

    Returns 0 where the device runs out of memory.
    """
    jax = import_module("jax")
    restarting = import_module("pgx.experimental.wrappers").auto_reset
    step, steps = restarting(env.step, env.init), 4 if simulated() else 64

    def advance(carried: Any, key: Any) -> tuple[Any, None]:
        keys = jax.random.split(key, 2 * count)
        logits = jax.numpy.where(carried.legal_action_mask, 0.0, -1e9)
        actions = jax.vmap(jax.random.categorical)(keys[:count], logits)
        return jax.vmap(step)(carried, actions, keys[count:]), None

    play = jax.jit(lambda carried, key: jax.lax.scan(advance, carried, jax.random.split(key, steps))[0])
    try:
        carried = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), count))
        jax.block_until_ready(play(carried, jax.random.PRNGKey(2)))
        started, done = time.perf_counter(), 0
        while done == 0 or time.perf_counter() - started < seconds:
            carried = play(carried, jax.random.PRNGKey(3 + done))
            jax.block_until_ready(carried)
            done += 1
    except jax.errors.JaxRuntimeError as problem:  # usually the device is out of memory
        if "RESOURCE_EXHAUSTED" not in str(problem):
            raise
        return 0.0
    return steps * count * done / (time.perf_counter() - started)


def env_steps(game: Game, count: int, seconds: float, *, recorded: bool) -> float:
    """Moves per second of our environment; 0 where the game has none on a GPU, or it does not fit into memory."""
    if why_not_stepped(game):
        return 0.0
    return steps_a_second(game, count, seconds, seed=1, limit=LIMIT, recorded=recorded)


def shown(theirs: float, mine: float) -> str:
    """Format a peer's moves per second, and how many times as fast we are."""
    return f"{theirs:,.0f} | {mine / theirs:.1f}" if theirs else " | "


def status(names: Sequence[str], *, compiling: bool = False) -> None:
    """Print which games can run on GPUs by their rules: as random games, and as environments."""
    print("| game | bytes | random games | environment |" + (" compiled, s | PTX, bytes |" if compiling else ""))
    print("|---" * (6 if compiling else 4) + "|")
    for name in names:
        game = dslgame.load(name)
        try:
            kernel = Kernel.of(game, native=False)
        except NotLowered as problem:
            print(f"| {name} | | no: the compiler does not know {problem} | |" + " | |" * compiling)
            continue
        stepped = why_not_stepped(game)
        games = "yes, on a stack: captures or moves go on" if calls_itself(kernel) else "yes"
        made = ""
        if compiling:
            began = time.process_time()
            try:
                text = Program.of(kernel).ptx("play_thread")
                made = f" {time.process_time() - began:.1f} | {len(text):,} |"
            except NotOnDevice as problem:
                games, made = f"no: {problem}", " | |"
        print(f"| {name} | {kernel.assembled.layout.width * 8} | {games} | {f'no: {stepped}' if stepped else 'yes'} |"
              f"{made}", flush=True)


def main() -> None:
    """Measure games, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description="Measure random games on a GPU.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--status", action="store_true")
    parser.add_argument("--ptx", action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--held", type=int, default=20 if simulated() else HELD_PLIES)
    options = parser.parse_args()
    if options.status:
        status(options.games or bundled.names(), compiling=options.ptx)
        return
    print("| game | games at once | moves a second | processors | ratio | steps a second | recorded | PGX | ratio | "
          "Ludax | ratio | compiled, s | bytes |")
    print("|---" * 13 + "|")
    for name, params in [(name, {}) for name in options.games] or GAMES:
        game = dslgame.load(name, **params)
        try:
            hold(game, options.held)
            ours = processors(game, options.seconds / 4)
            for speed in measured(game, options.seconds, seed=1, limit=LIMIT):
                mine = speed.moves_per_second
                stepped, steps = (env_steps(game, speed.games, options.seconds / 8, recorded=recorded)
                                  for recorded in (False, True))
                peers = [theirs(name, params, speed.games, options.seconds / 8) for theirs in (pgx_steps, ludax_steps)]
                print(f"| {title_of(name, params)} | {speed.games:,} | {mine:,.0f} | {ours:,.0f} | "
                      f"{mine / ours:.1f} | {f'{stepped:,.0f}' if stepped else ''} | "
                      f"{f'{steps:,.0f}' if steps else ''} | {shown(peers[0], steps or mine)} | "
                      f"{shown(peers[1], steps or mine)} | "
                      f"{speed.compile_seconds:.1f} | {speed.position_bytes} |", flush=True)
        except NotOnDevice as problem:
            print(f"| {name} | {problem}" + " |" * 12)
        except NoDevice as problem:
            raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main()
