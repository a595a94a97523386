"""Tests of every game file in `games/`, at its own params and, in the slow tests, at those of its perft file.

The checks on random games are in `dslgame.testing`; here each game gets only a short time, so that many games can be
tested. Nothing here is specific to a game.
"""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
import time
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic
from dsl.resolve.chance import NATURE
from dslgame import perft_files
from dslgame.perft_files import Expected
from dslgame.testing import check_game
from interpreter.analysis import dynamic_checks
from interpreter.game import Game, examine
from interpreter.model.state import State
from interpreter.model.state_maps import StateMap, canonical
from interpreter.semantics.engine import Engine
from tests.discovery import GameCase, counts_of, every_case, found_cases, found_counts, found_games, one_in, one_in_slow
from tests.probe import play_less

CASES = found_cases()
SECONDS = 0.3
"""Time for the random games of one game file; a single check may take longer."""
QUICK = 300
"""The approximate number of moves tried for the counts of one game."""
COUNTING_SECONDS = 0.4
"""The time for these counts; larger counts are left to the slow tests."""
SLOW_FACTOR = 9
"""How many times as many moves and as much time the slow tests have; the thorough tests make every count."""

for_every_game = pytest.mark.parametrize("case", every_case())


def test_games_are_found() -> None:
    """The tests find game files, and there are cases for every one of them."""
    assert found_games()
    assert {case.path for case in CASES} == set(found_games())


DIAGNOSTICS: dict[GameCase, list[Diagnostic]] = {}
"""The diagnostics of each game that `loaded` has loaded."""


@cache
def loaded(case: GameCase) -> Game:
    """Load a game, shared by all tests that do not change it."""
    game, DIAGNOSTICS[case] = examine(case.source, dict(case.params))
    assert game is not None, DIAGNOSTICS[case]
    return game


# ---- the file


@for_every_game
def test_file_has_no_errors_and_no_warnings(case: GameCase) -> None:
    """A bundled game loads without diagnostics and has a perft file that is not empty."""
    game = loaded(case)
    assert DIAGNOSTICS[case] == []
    assert game.params.items() >= dict(case.params).items()
    assert perft_files.read(case.perft_path)


for_every_file = pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)


@pytest.mark.parametrize(("path", "share"), [
    pytest.param(*item.values, share, id=f"{item.id} 1 in {share}", marks=item.marks)
    for share, items in ((8, one_in(12, found_games(), 0)), (1, one_in_slow(12, found_games(), 1))) for item in items
])
def test_play_finds_nothing_wrong_with_the_game(path: Path, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find no overflowing ranges, endless cascades, dead rules, or symmetries that are wrong or not declared.

    The slow tests do the whole work of `dslgame check`; the others do a fraction of it and ignore notes, which may only
    mean that something rare was not seen.
    """
    play_less(monkeypatch, share)
    found = dynamic_checks.try_out(GameCase(path).load())
    assert [item for item in found if share == 1 or item.severity != "note"] == []


# ---- play


@for_every_game
def test_game_starts_unfinished(case: GameCase) -> None:
    """The start has legal moves, no outcome and an empty history."""
    start = loaded(case).start()
    assert not start.over
    assert start.outcome is None
    assert start.moves()
    assert start.history == ()
    assert start.played == ()
    assert start.to_move == (NATURE if start.game.engine.chance.decides(start.state) else start.game.players[0])


@pytest.mark.parametrize("case", every_case(3, 1, rest=2))
def test_play_keeps_what_is_true_of_every_game(case: GameCase) -> None:
    """Every check of `dslgame.testing`, on the first positions and in random games."""
    check_game(case.load(), games=50, plies=150, seconds=SECONDS / 2)


@pytest.mark.slow
@for_every_file
def test_more_play_keeps_what_is_true_of_every_game(path: Path) -> None:
    """The same checks with longer games, at the file's own params."""
    check_game(GameCase(path).load(), games=50, plies=400, seconds=1.5 * SECONDS)


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES, ids=str)
def test_much_play_keeps_what_is_true_of_every_game(case: GameCase) -> None:
    """The same checks with many games."""
    check_game(case.load(), games=300, plies=400, seconds=20)


# ---- symmetry


def maps_of(game: Game) -> list[StateMap]:
    """The declared symmetries."""
    return [element for _, maps in game.declared for element in maps]


@for_every_game
def test_symmetries_are_a_group(case: GameCase) -> None:
    """The symmetries are closed under the declared ones, and the order of the start's stabiliser divides theirs."""
    game = loaded(case)
    start = game.start()
    sample = start
    for _ in range(3):
        if not sample.over:
            sample = sample.play(sample.legal()[-1])
    images = {element.of_state(sample.state) for element in game.symmetries}
    assert {element.of_state(image) for element in maps_of(game) for image in images} <= images
    fixing = game.fixing(start.state)
    assert fixing[0].key == game.symmetries[0].key
    assert all(element.of_state(start.state) == start.state for element in fixing)
    assert len(game.symmetries) % len(fixing) == 0


# ---- counts


class TooSlow(Exception):
    """The time for the counts of a game is used up."""


class Clock:
    """Measures the processor time that is left for the counts of a game."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self._since = time.process_time()

    def __enter__(self) -> None:
        self._since = time.process_time()

    def __exit__(self, *exception: object) -> None:
        self.left -= time.process_time() - self._since

    def look(self) -> None:
        """Raise TooSlow once the time is used up."""
        if time.process_time() - self._since > self.left:
            raise TooSlow


CLOCKS = {path: Clock(COUNTING_SECONDS) for path in found_games()}
SLOW_CLOCKS = {path: Clock(SLOW_FACTOR * COUNTING_SECONDS) for path in found_games()}


class Counting:
    """Counts move sequences and states from one position with an engine; equal states are counted together."""

    def __init__(self, engine: Engine, state: State, clock: Clock) -> None:
        self.engine, self.state, self.clock = engine, state, clock
        self.totals = [1]
        """The numbers of sequences of 0, 1, 2, ... moves, as far as they are counted."""
        self.level = Counter({state: 1})
        """The states one ply above the last total (at first the root), with the number of move sequences to each."""

    def successors(self, state: State) -> list[State]:
        """The states after each legal move. Raises TooSlow."""
        self.clock.look()
        return [after for _, after in self.engine.successors(state)]

    def perft(self, depth: int) -> int:
        """The number of move sequences of this length. Raises TooSlow."""
        while len(self.totals) <= depth:
            if len(self.totals) > 1:
                following: Counter[State] = Counter()
                for before, ways in self.level.items():
                    for after in self.successors(before):
                        following[after] += ways
                self.level = following
            total = 0
            for state, ways in self.level.items():
                self.clock.look()
                total += ways * len(self.engine.legal(state))
            self.totals.append(total)
        return self.totals[depth]

    def reachable(self, maps: tuple[StateMap, ...]) -> int:
        """The number of reachable states, symmetric images counted once. Raises TooSlow."""
        found = {canonical(self.state, maps)}
        waiting = [self.state]
        while waiting:
            for after in self.successors(waiting.pop()):
                representative = canonical(after, maps)
                if representative not in found:
                    found.add(representative)
                    waiting.append(representative)
        return len(found)


@lru_cache(maxsize=8)
def counting(case: GameCase, position: str, moves: tuple[str, ...], ignore_ends: bool, clock: Clock) -> Counting:
    """Return the counter of a position, cached so that the next count continues from it."""
    game = case.load()
    start = Expected("perft", 0, 0, position=position, moves=moves).start(game)
    return Counting(game.endless if ignore_ends else game.engine, start.state, clock)


def counted(case: GameCase, expected: Expected, clock: Clock) -> int:
    """Compute the count that an entry of a perft file expects. Raises TooSlow."""
    below = counting(case, expected.position, expected.moves, expected.ignore_ends, clock)
    if expected.kind == "perft":
        return below.perft(expected.depth)
    if expected.kind == "nodes":
        return sum(below.perft(depth) for depth in range(expected.depth + 1))
    game = case.load()
    return below.reachable(game.fixing(below.state) if expected.kind == "positions merged" else game.symmetries[:1])


def effort(case: GameCase, item: Expected, counts: list[tuple[GameCase, Expected]]) -> float:
    """Estimate the moves tried for a count, from the count one ply less deep; 8 a position for position counts."""
    if item.kind not in ("perft", "nodes"):
        return 8 * item.count
    before = [other.count for its_case, other in counts
              if its_case == case and (other.kind, other.position, other.moves, other.ignore_ends, other.depth)
              == (item.kind, item.position, item.moves, item.ignore_ends, item.depth - 1)]
    most = max(item.count, *before) if before else item.count
    return (before[0] if before else most ** (1 - 1 / max(1, item.depth))) + most / 20


def counts_within(least: float, most: float) -> list[object]:
    """Select each game's counts in order of effort: those whose summed effort is above `least`, up to `most`."""
    found: list[object] = []
    for path in found_games():
        counts = [(GameCase(path, item.params), item) for item in counts_of(path) if not item.far]
        efforts = [effort(case, item, counts) for case, item in counts]
        spent = 0.0
        for number in sorted(range(len(counts)), key=lambda number: efforts[number]):
            case, item = counts[number]
            spent += efforts[number]
            if least < spent <= most:
                found.append(pytest.param(case, item, id=f"{path.stem} {item}"))
    return found


@pytest.mark.parametrize(("case", "expected"), counts_within(0, QUICK))
def test_counts_are_those_of_the_perft_file(case: GameCase, expected: Expected) -> None:
    """Compare the cheap counts; a mismatch shows the board and the count below each move."""
    count_in_time(case, expected, CLOCKS[case.path])


@pytest.mark.slow
@pytest.mark.parametrize(("case", "expected"), counts_within(QUICK, SLOW_FACTOR * QUICK))
def test_more_counts_are_those_of_the_perft_file(case: GameCase, expected: Expected) -> None:
    """Compare the counts that take longer."""
    count_in_time(case, expected, SLOW_CLOCKS[case.path])


def count_in_time(case: GameCase, expected: Expected, clock: Clock) -> None:
    """Compare one count; skip the test once the game's time is used up."""
    try:
        with clock:
            found = counted(case, expected, clock)
    except TooSlow:
        pytest.skip("left to the thorough tests")
    assert found == expected.count, f"{case.perft_path.name}:{expected.line}\n{divided(case.load(), expected)}"


@pytest.mark.thorough
@pytest.mark.parametrize(("case", "expected"), [
    pytest.param(case, item, id=f"{case.path.stem} {item}") for case, item in found_counts()
])
def test_all_counts_are_those_of_the_perft_file(case: GameCase, expected: Expected) -> None:
    """Compare every count, without a time limit."""
    found = counted(case, expected, ENDLESS)
    assert found == expected.count, f"{case.perft_path.name}:{expected.line}\n{divided(case.load(), expected)}"


ENDLESS = Clock(float("inf"))


def divided(game: Game, expected: Expected) -> str:
    """Draw the position and list the number of sequences below each of its moves."""
    state = expected.start(game).state
    engine = game.endless if expected.ignore_ends else game.engine
    rows = [game.drawing(state)]
    if expected.depth:
        for move, after in engine.successors(state):
            below = Counting(engine, after, ENDLESS).perft(expected.depth - 1)
            rows.append(f"{game.notation.write(state, move)}: {below}")
    return "\n".join(rows)


# ---- chance


def random_game(game: Game, seed: int) -> tuple[str, ...]:
    """Play a random game, to its end or until about 300 legal moves were listed, and return its moves."""
    dice = random.Random(seed)
    position = game.start()
    seen = 0
    while not position.over and seen < 300:
        legal = position.legal()
        seen += 10 + len(legal)
        position = position.play(dice.choice(legal))
    return position.played


@pytest.mark.parametrize("case", every_case(3, 2, rest=2))
def test_same_seed_plays_the_same_game(case: GameCase) -> None:
    """A game that is loaded twice lists its moves in the same order both times."""
    one, other = case.load(), case.load()
    assert [random_game(one, seed) for seed in range(2)] == [random_game(other, seed) for seed in range(2)]


@pytest.mark.slow
def test_moves_come_in_the_same_order_in_every_process() -> None:
    """The order of moves does not depend on Python's hash seed, which differs between processes."""
    program = (
        "from tests.discovery import GameCase, found_games\n"
        "from tests.games.test_conformance import random_game\n"
        "print([random_game(GameCase(path).load(), 1) for path in found_games()])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": "1"}, check=True,
                         cwd=found_games()[0].parent.parent, stdout=subprocess.PIPE, text=True)
    assert ast.literal_eval(run.stdout) == [random_game(GameCase(path).load(), 1) for path in found_games()]
