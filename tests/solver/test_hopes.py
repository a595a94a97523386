"""Who can still win: no player without hope wins, and searches find the same values with and without hopes."""

from __future__ import annotations

import random

import pytest

import dslgame
from dsl.boards import KINDS
from interpreter.analysis.hopes import OTHER, OWN, SCALE, hoping
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from solver.budget import Budget
from solver.drivers.weak import search_on_kernel
from solver.game_space import GameSpace

LINES = """\
game "Lines"
param k = 3 in 2..5
players X, O
board square(2, 4)
pieces x of X, o of O, wall

move place(c in empty):
    c := own

move block(c in empty - top where no wall):
    c := wall

win mover when line(mine, k)
lose O when line(theirs and bottom, 4) and k = 4
draw when no empty

value count(mine) - count(theirs)
"""
"""Lines, with a neutral stone, an end by which only one player can lose, and a value."""
FILLING = ["tic_tac_toe", "misere_tic_tac_toe", "wild_tic_tac_toe", "yavalath", "squava", "gomoku", "connect6"]
"""Games whose moves only place pieces on empty cells."""
OTHERS = ["nex", "connect_four", "reversi", "notakto", "pie_hex", "shift_tac_toe", "chomp", "kuhn_poker", "twixt"]
"""Games in which pieces change or fall, sides are swapped, or which end otherwise."""


def hopes_of(game: Game, state: object) -> int:
    value: int = game.heuristic(state)  # type: ignore[arg-type]  # a state, as positions have it
    return value % SCALE


@pytest.mark.parametrize("name", OTHERS)
def test_games_that_do_more_than_fill_have_no_hopes(name: str) -> None:
    """Games with other moves have no hopes, as nothing is known of what can still come."""
    assert hoping(dslgame.load(name)) is None


def test_boards_without_end_have_no_hopes() -> None:
    """Unbounded boards have no hopes, as the empty cells of the window are not all that can be filled."""
    text = """
game "Three"
players X, O
board square(5, 5)
pieces x of X, o of O

move place(c in empty):
    c := own

win mover when line(mine, 3)
no moves draws
"""
    assert hoping(dslgame.loads(text)) is not None
    for kind in (kind for kind in KINDS.values() if not kind.bounded):
        unbounded = text.replace("square(5, 5)", f"{kind.word}(9)").replace("empty", "neighbours(occupied) - occupied")
        assert hoping(dslgame.loads(unbounded)) is None


@pytest.mark.parametrize("source", [*FILLING, LINES])
def test_who_has_no_hope_does_not_win(source: str) -> None:
    """In random games a hope that was lost never returns, and the rest of the value is the game's own."""
    game = dslgame.loads(source) if "\n" in source else dslgame.load(source)
    hopeful = hoping(game)
    assert hopeful is not None
    for seed in range(4):
        chance, position = random.Random(seed), game.start()
        lost = {0: False, 1: False}
        while not position.over:
            value, mover = hopeful.heuristic(position.state), position.state.to_move
            assert value >> 2 == game.heuristic(position.state)
            for player, bit in ((mover, OWN), (1 - mover, OTHER)):
                hopeless = not value & bit
                assert hopeless or not lost[player]
                lost[player] = hopeless
            position = position.play(chance.choice(position.legal()))
        assert position.state.outcome is not None
        assert position.state.outcome < 0 or not lost[position.state.outcome]


def test_hopes_of_a_position_worked_by_hand() -> None:
    """At first both players have open lines, then only one player has."""
    game = hoping(dslgame.load("tic_tac_toe"))
    assert game is not None
    position = game.start()
    assert hopes_of(game, position.state) == OWN | OTHER
    for move in ["b2", "a1", "c1", "a3", "a2", "c2", "b1"]:  # X: b2 c1 a2 b1; O: a1 a3 c2
        position = position.play(move)
    # O to move: b3 and c3 are empty; X has b1 b2, O has a3, and row 3 is a3 b3 c3
    assert hopes_of(game, position.state) == OWN | OTHER
    position = position.play("b3")  # column b is closed to X, whose move it is; O lacks c3 in row 3
    assert hopes_of(game, position.state) == OTHER


@pytest.mark.parametrize("k", [2, 3, 4])
def test_values_with_hopes_are_those_without(k: int) -> None:
    """The values of the game and of each first move are the same, and the kernel has the interpreter's hopes."""
    game = dslgame.loads(LINES, k=k)
    found, wanted = (search_on_kernel(GameSpace(game), Budget(), "", native=False, hopes=hopes, remoteness=True)
                     for hopes in (True, False))
    assert [(item.move, item.winner, item.remoteness) for item in found.moves] == [
        (item.move, item.winner, item.remoteness) for item in wanted.moves]
    assert found.positions <= wanted.positions
    hopeful = hoping(game)
    assert hopeful is not None
    kernel, position = Kernel.of(hopeful, native=False), game.start()
    while not position.over:
        assert kernel.value(position.state) == hopeful.heuristic(position.state)
        position = position.play(position.legal()[0])
