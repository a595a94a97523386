"""Functions for searches: packing and unpacking of positions, all successors, canonical forms."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.game import Game
from interpreter.kernel import plain
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from tests.discovery import found_games, one_in

PLIES = 6
NATIVE = ["connect_four", "nex", "hexplode"]


def walk(game: Game, plies: int, seed: int) -> list[State]:
    """The states of a random game."""
    chance, state, found = random.Random(seed), game.engine.start(), []
    for _ in range(plies):
        found.append(state)
        following = game.engine.successors(state)
        if not following:
            break
        state = chance.choice(following)[1]
    return [*found, state]


def check(kernel: Kernel, states: list[State], make_rows: Callable[[int, int], Any],
          make_numbers: Callable[[int, int], Any]) -> None:
    """Check these functions at some states, given the constructors of rows and numbers."""
    game, functions = kernel.game, kernel.functions
    packing, width = kernel.assembled.packing, kernel.assembled.layout.width
    room = 4096
    successors, images = make_rows(room, width), make_rows(2, width)
    entries, moves = make_numbers(room, kernel.assembled.entry_width), make_numbers(room, kernel.assembled.move_width)
    scratch = make_rows(kernel.assembled.scratch, width)
    elements = make_numbers(1, len(game.symmetries))[0]
    for number in range(len(elements)):
        elements[number] = number
    for state in states:
        packed, image = make_rows(2, packing.width)
        row = kernel.row(state)
        functions["pack_row"](row, packed)
        again = kernel.row(state)
        functions["unpack_row"](packed, again)
        assert kernel.state(again) == state
        assert packing.to_move.of(packed) == state.to_move
        assert packing.outcome.of(packed) == (0 if state.outcome is None else state.outcome + 2)
        many = functions["expand"](row, successors, moves, entries, scratch)
        found = [(kernel.move(moves[number]), kernel.state(successors[number])) for number in range(many)]
        assert found == ([] if state.outcome is not None else game.engine.successors(state))
        least = []
        for element in game.symmetries:
            same = functions["pack_least"](kernel.row(element.of_state(state)), image, elements, images)
            least.append([int(word) for word in image])
        assert all(one == least[0] for one in least)
        assert same * len({element.of_state(state) for element in game.symmetries}) == len(elements)


@pytest.mark.parametrize("path", one_in(6, found_games(), 0, rest=2))
def test_unjitted_entries_do_as_the_interpreter(path: Path) -> None:
    """Every game's kernel text, run as plain Python."""
    game = dslgame.load(path)
    check(Kernel.of(game, native=False), walk(game, PLIES, seed=1), plain.rows, plain.numbers)


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE)
def test_compiled_entries_do_as_the_interpreter(name: str) -> None:
    """The same with compiled kernels."""
    import numpy as np

    game = dslgame.load(name)
    check(Kernel.of(game), walk(game, PLIES, seed=2), lambda count, width: np.zeros((count, width), np.uint64),
          lambda count, width: np.zeros((count, width), np.int64))
