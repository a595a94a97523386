"""What holds for every game: each file in `games/` is found and held to this, at its own params and at those of its
perft file.

What random games can show is in `dslgame.testing`; here it has so much time for each game that many games can be
tested. Nothing here knows a game.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from dslgame import perft_files
from dslgame.perft_files import Expected
from dslgame.testing import check_game
from interpreter.engine import Engine
from interpreter.game import Game, examine
from interpreter.state import State
from interpreter.symmetries import StateMap, canonical
from interpreter.trial import try_out
from tests.discovery import GameCase, found_cases, found_counts, found_games

CASES = found_cases()
SECONDS = 0.8
"""For the random games of one game file, all its cases together; an example may take longer."""
QUICK = 25_000
"""Moves tried for the counts of one game, about; further counts are slow tests."""

for_every_game = pytest.mark.parametrize("case", CASES, ids=str)


def test_games_are_found() -> None:
    """The suite looks where the games are."""
    assert found_games()
    assert {case.path for case in CASES} == set(found_games())


# ---- the file


@for_every_game
def test_file_has_no_errors_and_no_warnings(case: GameCase) -> None:
    """Nothing is said about a game that comes with the project, which has counts from elsewhere beside it."""
    game, diagnostics = examine(case.source, dict(case.params))
    assert diagnostics == []
    assert game is not None
    assert game.params.items() >= dict(case.params).items()
    assert perft_files.read(case.perft_path)


@pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)
def test_play_finds_nothing_wrong_with_the_game(path: Path) -> None:
    """What `dslgame check` looks for: ranges, endless cascades, dead rules, symmetries that the rules do not have."""
    assert [item for item in try_out(GameCase(path).load()) if item.severity != "note"] == []


# ---- play


@for_every_game
def test_game_starts_unfinished(case: GameCase) -> None:
    """There is something to play, and nothing was played."""
    start = case.load().start()
    assert not start.over
    assert start.outcome is None
    assert start.moves()
    assert start.history == ()
    assert start.played == ()
    assert start.to_move == start.game.players[0]


@for_every_game
def test_play_keeps_what_is_true_of_every_game(case: GameCase) -> None:
    """Every claim of `dslgame.testing`, on the first positions and in random games."""
    cases = sum(other.path == case.path for other in CASES)
    check_game(case.load(), games=50, plies=150, seconds=SECONDS / cases)


@pytest.mark.slow
@for_every_game
def test_much_play_keeps_what_is_true_of_every_game(case: GameCase) -> None:
    """The same with more games."""
    check_game(case.load(), games=300, plies=400, seconds=20)


# ---- symmetry


def maps_of(game: Game) -> list[StateMap]:
    """The declared symmetries."""
    return [element for _, maps in game.declared for element in maps]


@for_every_game
def test_symmetries_are_a_group(case: GameCase) -> None:
    """Every product of two symmetries is one of them, and those that fix the first position are closed as well."""
    game = case.load()
    start = game.start()
    sample = start
    for _ in range(3):
        if not sample.over:
            sample = sample.play(sample.legal()[-1])
    images = {element.of_state(sample.state) for element in game.symmetries}
    assert {element.of_state(image) for element in maps_of(game) for image in images} <= images
    fixing = game.fixing(start.state)
    assert fixing[0] is game.symmetries[0]
    assert all(element.of_state(start.state) == start.state for element in fixing)
    assert len(game.symmetries) % len(fixing) == 0


# ---- counts


def successors(engine: Engine, state: State) -> list[State]:
    """The states after one move, one for each move."""
    return [after for _, after in engine.successors(state)]


class Levels:
    """The states after 0, 1, 2, ... moves, each with the number of ways to it; equal states are counted together."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.totals = [1]
        """Sequences of 0, 1, 2, ... moves, as far as they are counted."""
        self._last = Counter({state: 1})
        """The states one move before those of the last total, with the number of ways; at first the root."""

    def total(self, depth: int) -> int:
        """Sequences of so many moves."""
        while len(self.totals) <= depth:
            if len(self.totals) > 1:
                following: Counter[State] = Counter()
                for before, ways in self._last.items():
                    for after in successors(self.engine, before):
                        following[after] += ways
                self._last = following
            self.totals.append(sum(ways * len(self._legal(state)) for state, ways in self._last.items()))
        return self.totals[depth]

    def _legal(self, state: State) -> list[object]:
        return [*self.engine.legal(state)]


@lru_cache(maxsize=2)
def levels(case: GameCase, moves: tuple[str, ...], ignore_ends: bool) -> Levels:
    """The levels under a position of a game; consecutive tests ask for the same ones."""
    game = case.load()
    return Levels(game.endless if ignore_ends else game.engine, after_moves(game, moves))


def after_moves(game: Game, moves: tuple[str, ...]) -> State:
    """The state after some moves from the start."""
    position = game.start()
    for text in moves:
        position = position.play(text)
    return position.state


def reachable(engine: Engine, state: State, maps: tuple[StateMap, ...]) -> int:
    """How many states can be reached, one for each set of images."""
    found = {canonical(state, maps)}
    waiting = [state]
    while waiting:
        for after in successors(engine, waiting.pop()):
            representative = canonical(after, maps)
            if representative not in found:
                found.add(representative)
                waiting.append(representative)
    return len(found)


def counted(case: GameCase, expected: Expected) -> int:
    """The game's own count of what a perft file expects."""
    if expected.depth or expected.kind in ("perft", "nodes"):
        below = levels(case, expected.moves, expected.ignore_ends)
        if expected.kind == "perft":
            return below.total(expected.depth)
        return sum(below.total(depth) for depth in range(expected.depth + 1))
    game = case.load()
    state = after_moves(game, expected.moves)
    merged = expected.kind == "positions merged"
    engine = game.endless if expected.ignore_ends else game.engine
    return reachable(engine, state, game.fixing(state) if merged else game.symmetries[:1])


def effort(case: GameCase, item: Expected, counts: list[tuple[GameCase, Expected]]) -> float:
    """About how many moves must be tried for a count: those before the last one, and all moves of every position."""
    if not item.depth:
        return 8 * item.count
    before = [other.count for its_case, other in counts
              if its_case == case and (other.kind, other.moves, other.ignore_ends, other.depth)
              == (item.kind, item.moves, item.ignore_ends, item.depth - 1)]
    most = max(item.count, *before) if before else item.count
    return (before[0] if before else most ** ((item.depth - 1) / item.depth)) + most / 20


def count_parameters() -> Iterator[object]:
    """Every expected count as a test parameter; from the quickest of a game on, as many as are quick by default."""
    for path in found_games():
        counts = [(case, item) for case, item in found_counts() if case.path == path]
        efforts = {number: effort(case, item, counts) for number, (case, item) in enumerate(counts)}
        slow: set[int] = set()
        spent = 0.0
        for number in sorted(efforts, key=lambda number: efforts[number]):
            spent += efforts[number]
            if spent > QUICK:
                slow.add(number)
        for number, (case, item) in enumerate(counts):
            marks = [pytest.mark.slow] if number in slow else []
            yield pytest.param(case, item, id=f"{path.stem} {item}", marks=marks)


@pytest.mark.parametrize(("case", "expected"), list(count_parameters()))
def test_counts_are_those_of_the_perft_file(case: GameCase, expected: Expected) -> None:
    """On a mismatch: the board, and the count below each move."""
    found = counted(case, expected)
    assert found == expected.count, f"{case.perft_path.name}:{expected.line}\n{divided(case.load(), expected)}"


def divided(game: Game, expected: Expected) -> str:
    """The position that is counted from, with the number of sequences that begin with each move."""
    state = after_moves(game, expected.moves)
    engine = game.endless if expected.ignore_ends else game.engine
    rows = [game.drawing(state)]
    if expected.depth:
        for move, after in engine.successors(state):
            rows.append(f"{game.notation.write(state, move)}: {Levels(engine, after).total(expected.depth - 1)}")
    return "\n".join(rows)


# ---- chance


def random_game(game: Game, seed: int) -> tuple[str, ...]:
    """The moves of a game played by dice, to its end or until many moves were seen."""
    dice = random.Random(seed)
    position = game.start()
    seen = 0
    while not position.over and seen < 1000:
        legal = position.legal()
        seen += 10 + len(legal)
        position = position.play(dice.choice(legal))
    return position.played


@for_every_game
def test_same_seed_plays_the_same_game(case: GameCase) -> None:
    """Moves come in the same order from two games loaded apart."""
    assert [random_game(case.load(), seed) for seed in range(2)] == [
        random_game(case.load(), seed) for seed in range(2)
    ]


def test_moves_come_in_the_same_order_in_every_process() -> None:
    """Python's hashing, which differs from process to process, does not show."""
    program = (
        "from tests.discovery import GameCase, found_games\n"
        "from tests.test_conformance import random_game\n"
        "print([random_game(GameCase(path).load(), 1) for path in found_games()])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=found_games()[0].parent.parent,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
