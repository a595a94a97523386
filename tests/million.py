"""A million plies of compiled kernels beside the interpreter, shared out over all games.

    python -m tests.million --seconds 10
    python -m tests.million --seed 7 --part 2/10
    python -m tests.million --random --seed 7

Run it when kernels, the compiler or the interpreter change. --seconds limits the CPU time per game, besides compiling;
quicker games make up for the plies that slow ones leave. At each ply the kernel must list the interpreter's moves, in
the same order, and one of them, drawn at random, must lead to the same position in both; one row goes through the whole
game, with the words that the kernel keeps in it from move to move. Parts divide the games, so that each takes minutes;
the same seed plays the same games. With --random it plays a hundred thousand plies of random rule files
(`tests.random_games`), some hundred of each file; these kernels are compiled too.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import hypothesis
from hypothesis import strategies as st

import dslgame
from dsl.diagnostics import GameFileError
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move
from tests.discovery import found_games
from tests.random_games import rule_files, shooting_files

PLIES, RANDOM_PLIES = 1_000_000, 100_000
_EACH = 500
"""The plies played of each random rule file."""
_ROUND = 1_000_003
"""The distance between the seeds of consecutive rounds over the games."""


class Differs(Exception):
    """The kernel and the interpreter disagree; says where."""


def play(game: Game, kernel: Kernel, plies: int, seed: int, seconds: float | None = None) -> int:
    """Play `plies` plies of random games, fewer if the time is over; return their number. Raises Differs."""
    dice, played = random.Random(f"{game.title} {seed}"), 0
    _game(game, kernel, 1, random.Random(0), None)  # what is compiled when it is first called takes no play's time
    until = None if seconds is None else time.process_time() + seconds
    while played < plies and (until is None or time.process_time() < until):
        before = played
        try:
            played += _game(game, kernel, plies - played, dice, until)
        except RuleError as problem:
            if not problem.is_limit:
                raise
        if played == before:
            break
    return played


def _game(game: Game, kernel: Kernel, plies: int, dice: random.Random, until: float | None) -> int:
    """Play one game and return the number of its plies."""
    engine, state, moves = game.engine, game.engine.start(), list[Move]()
    row = kernel.row(state)
    for ply in range(plies):
        legal = engine.legal(state)
        here = f"{game.title} after {moves}"
        if [kernel.move(found) for found in kernel.moves(row)] != legal:
            raise Differs(f"{here}: the kernel has other moves")
        if not legal or (until is not None and time.process_time() > until):
            return ply
        move = dice.choice(legal)
        after = engine.apply(state, move)
        if not kernel.apply(row, kernel.coded(move)) or kernel.state(row) != after or after is None:
            raise Differs(f"{here}: {move} leads elsewhere in the kernel")
        moves.append(move)
        state = after
    return plies


def play_random(plies: int, seed: int) -> tuple[int, int, list[str]]:
    """Play `plies` plies of random rule files; return the numbers of plies and files, and the differences."""
    played, files, wrong = 0, 0, list[str]()

    def one(text: str) -> None:
        nonlocal played, files
        if played >= plies:
            return
        try:
            game = dslgame.loads(text)
            kernel = Kernel.of(game, kept=False)
        except (GameFileError, NotLowered):  # what the checker or the compiler refuses is not played
            return
        try:
            played += play(game, kernel, min(_EACH, plies - played), seed)
        except Differs as problem:
            wrong.append(f"{problem}\n{text}")
        files += 1
        if files % 50 == 0:
            print(f"{files} rule files: {played:,} plies", flush=True)

    round_ = 0
    while played < plies:
        before = files
        search = hypothesis.settings(max_examples=200, deadline=None, database=None, phases=[hypothesis.Phase.generate],
                                     suppress_health_check=list(hypothesis.HealthCheck))
        hypothesis.seed(f"{seed} {round_}")(search(hypothesis.given(st.one_of(rule_files(), shooting_files()))(one)))()
        round_ += 1
        if files == before:
            break
    return played, files, wrong


def main() -> None:
    """Play the games of a part; exit with 1 if a kernel differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, help=f"plies of all games together ({PLIES:,}, random {RANDOM_PLIES:,})")
    parser.add_argument("--random", action="store_true", help="random rule files in place of games")
    parser.add_argument("--part", default="1/1", help="2/10: every tenth game, from the second on")
    parser.add_argument("--seconds", type=float, help="processor time of each game in a round, at most")
    parser.add_argument("games", nargs="*", type=Path, help="game files; all bundled games without")
    given = parser.parse_args()
    if given.random:
        played, files, found = play_random(given.plies or RANDOM_PLIES, given.seed)
        print("\n".join(found), file=sys.stderr)
        print(f"seed {given.seed}: {played:,} plies of {files} random rule files, {len(found)} that differ")
        raise SystemExit(bool(found))
    part, parts = map(int, given.part.split("/"))
    paths = given.games or found_games()
    here = paths[part - 1::parts]
    total, wrong = play_all(here, -(-(given.plies or PLIES) * len(here) // len(paths)), given.seed, given.seconds)
    print(f"part {given.part}, seed {given.seed}: {total:,} plies, {wrong} games that differ")
    raise SystemExit(wrong > 0)


def play_all(paths: Sequence[Path], plies: int, seed: int, seconds: float | None) -> tuple[int, int]:
    """Play `plies` plies of all games together; return their number, and the number of games that differ.

    Each game plays its share. The plies that slow games leave are shared out again over the quick ones, in other random
    games; if all games are slow, over the quicker half of them.
    """
    total, wrong, round_ = 0, 0, 0
    quick = list(paths)
    while total < plies and quick:
        share, done = -(-(plies - total) // len(quick)), dict[Path, int]()
        for path in quick:
            game = dslgame.load(path)
            try:
                played = play(game, Kernel.of(game), share, seed + round_ * _ROUND, seconds)
            except Differs as problem:
                print(problem, file=sys.stderr)
                wrong += 1
                continue
            total += played
            print(f"{path.stem}: {played:,} plies, {total:,} of {plies:,}", flush=True)
            done[path] = played
            if total >= plies:
                break
        order = sorted(done, key=lambda path: -done[path])
        quick = [path for path in order if done[path] == share] or [path for path in order[:-(-len(order) // 2)]
                                                                     if done[path]]
        round_ += 1
    return total, wrong


if __name__ == "__main__":
    main()
