"""Random games of kernels with repetition rules agree with positions that keep their history."""

from __future__ import annotations

from typing import Any

import pytest

import dslgame
from dslgame import measuring
from interpreter.compiler.lowering import history
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from tests.discovery import FOLDER, found_games, one_in

TURNING = """
game "Turning"
players One, Two
board square(1, 4)
pieces one of One, two of Two
var n in 0..4
start:
    "a1" := one
    "d1" := two
move step(d in -1..1 where d != 0 and n + d in 0..4):
    n := n + d
move jump(c in empty where n = 4):
    mine := empty
    c := own
turn again when n = 2
win mover when n = 3 and "b1" in mine
"""
"""A game that goes back and forth, with moves after which the same player moves again."""
RULES = ("repetition draws", "repetition loses", "repetition forbidden\nno moves loses",
         "repetition forbidden\nno moves draws",
         "repetition forbidden\nno moves wins\nillegal when n = 1 and \"b1\" in two",
         "repetition draws at third", "repetition loses at third", "repetition forbidden at fourth\nno moves loses",
         "var clock in 0..3 aside\nrepetition draws at third\nafter every move:\n    clock := (clock + 1) mod 4",
         "var clock in 0..3 aside\nrepetition forbidden\nno moves loses\n"
         "after every move:\n    clock := (clock + 1) mod 4")
GAMES = [path.stem for path in found_games() if "\nrepetition " in path.read_text(encoding="utf-8")]


def follow(game: Game, kernel: Kernel, seed: int, limit: int) -> Position:
    """Follow a random game of the kernel: each position must result from a legal move in the one before."""
    position, plies = game.start(), 0
    while plies < limit:
        plies += 1
        row = kernel.start()
        played = kernel.play_out(row, seed, plies)
        state = kernel.state(row)
        if played < plies:  # it was over before
            assert state == position.state
            assert position.over
            return position
        after = {moved.state: moved for moved in map(position.play, position.legal())}
        assert same(state, after), game.drawing(state)
        position = same(state, after) or position
    return position


def same(state: State, after: dict[State, Position]) -> Position | None:
    """The position with a given state; if every remaining move repeats, the kernel detects the end one ply later."""
    if state in after or state.outcome is not None:
        return after.get(state)
    return next((moved for found, moved in after.items() if found._replace(outcome=None) == state), None)


@pytest.mark.parametrize("rules", RULES)
def test_games_that_turn(rules: str) -> None:
    """Every kind of repetition rule."""
    game = dslgame.loads(TURNING + rules + "\n")
    kernel = Kernel.of(game, native=False)
    ends = [follow(game, kernel, seed, 60) for seed in range(30)]
    assert all(end.over for end in ends)
    assert any(len(end.history) > 5 for end in ends)


@pytest.mark.parametrize("name", one_in(10, GAMES, 0))
def test_bundled_games(name: str) -> None:
    """The bundled games that have a repetition rule."""
    game = dslgame.load(name)
    follow(game, Kernel.of(game, native=False), 5, 25)


def test_long_games_begin_to_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """After `MOST` positions the table is full and is cleared; positions since then are known."""
    monkeypatch.setattr(history, "MOST", 7)
    text = (FOLDER / "tower_of_hanoi.game").read_text(encoding="utf-8")
    game = dslgame.loads(text.replace("\nwin Player", "\nrepetition draws\nwin Player"))
    kernel = Kernel.of(game, native=False)
    lengths = []
    for seed in range(10):
        row = kernel.start()
        lengths.append(kernel.play_out(row, seed))
        assert game.outcome_name(kernel.state(row).outcome)
    assert max(lengths) > 7


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go", "teeko"])
def test_compiled(name: str) -> None:
    """Compiled random games equal uncompiled ones, and are as long as the interpreter's."""
    game = dslgame.load(name)
    native, plain = Kernel.of(game), Kernel.of(game, native=False)
    for seed in range(5):
        ends: list[Any] = []
        for kernel in (native, plain):
            row = kernel.start()
            ends.append((kernel.play_out(row, seed, 300), kernel.state(row)))
        assert ends[0] == ends[1]
    one, other = (way.play(150, 3, 1000) for way in (measuring.interpreted(game), measuring.kernel_way("", native)))
    assert 0.7 < one.moves / other.moves < 1.4
