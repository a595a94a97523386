"""Lines, rays and draws from sets in kernels, compared with the board's, for sets of one word, tuples and vectors."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from interpreter.boards import Board, mask_of, members
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from tests.discovery import one_in

GAME = """game "Somewhere"

players A, B
board {board}
pieces a of A, b of B

move place(c in empty):
    c := own

draw when no empty
value {lines} + 100 * count(union(ray(c, {way}, mine) for c in theirs))
"""
BOARDS = ("square(3, 4)", "square(6, 9)", 'square(7, 9) without {"d4"}', "hexagon(5)", "square(8, 11)", "square(9, 15)",
          "square(15, 15)", 'square(14, 9) without {"d4", "e7"}', "rhombus(12, 12)", "square(17, 19)",
          "triangle(9)", "triangle(14)")
LENGTHS = range(2, 7)
COMPILED = ("square(3, 4)", "square(9, 15)", "square(17, 19)")
"""One-word sets, and vectors with an odd and an even number of words."""
WAY = "southeast"
DRAWN = 3_000


@cache
def game(board: str) -> Game:
    """A game on the given board."""
    lines = " + ".join(f"({1 << number} if line(mine, {length}) else 0)" for number, length in enumerate(LENGTHS))
    return dslgame.loads(GAME.format(board=board, lines=lines, way=WAY))


@cache
def kernel(board: str, *, native: bool = False, **passes: bool) -> Kernel:
    """The kernel of that game, with some passes off."""
    return Kernel.of(game(board), native=native, passes=Passes(**passes), kept=False)


def value_of(board: Board, mine: int, theirs: int) -> int:
    """The value that the rules give to some cells, computed from the board."""
    found = sum(1 << number for number, length in enumerate(LENGTHS)
                if any(line & mine == line for line in board.lines(length)))
    seen = 0
    for cell in members(theirs):
        for other in board.ray(cell, board.directions.index(WAY)):
            if not mine >> other & 1:
                break
            seen |= 1 << other
    return found + 100 * seen.bit_count()


def filled(board: Board, chance: random.Random, share: float) -> State:
    """A random position, with the given share of cells held by the first player."""
    kinds = chance.choices([0, 1, 2], [max(0.9 - share, 0.0), share, 0.1], k=board.size)
    return State(tuple(mask_of([cell for cell, kind in enumerate(kinds) if kind == piece]) for piece in range(3)),
                 (), 0, 0, None)


@pytest.mark.parametrize("board", one_in(3, BOARDS, 0))
@given(seed=st.integers(0, 1 << 30), share=st.sampled_from([0.2, 0.4, 0.6, 0.8]))
def test_lines_and_rays_are_those_of_the_board(board: str, seed: int, share: float) -> None:
    position = filled(game(board).board, random.Random(seed), share)
    expected = value_of(game(board).board, position.pieces[1], position.pieces[2])
    for off in ({}, {"vectors": False}, {"shifts": False}):
        assert kernel(board, **off).value(position) == expected


@pytest.mark.parametrize("board", COMPILED)
def test_compiled_lines_and_rays_are_those_of_the_board(board: str) -> None:
    compiled, chance = kernel(board, native=True), random.Random(1)
    for number in range(300):
        position = filled(game(board).board, chance, 0.2 + number % 7 / 10)
        assert compiled.value(position) == value_of(game(board).board, position.pieces[1], position.pieces[2])


def test_sets_are_vectors_where_steps_are_shifts() -> None:
    def wide(board: str, **passes: bool) -> bool:
        return "read(" in kernel(board, **passes).text

    assert wide("square(9, 15)")
    assert not wide("square(9, 15)", vectors=False)
    assert not wide("square(8, 11)")
    assert not wide('square(14, 14) without {"d4", "e7"}')


@pytest.mark.parametrize("board", ["square(9, 15)", "square(17, 19)"])
def test_each_empty_cell_is_drawn_as_often(board: str) -> None:
    """A chi-square test on the few empty cells of a position, spread over all words, within 6 standard deviations."""
    size, chance = game(board).board.size, random.Random(2)
    empty = mask_of(chance.sample(range(size), 40))
    taken = (1 << size) - 1 & ~empty
    position = State((empty, 0, taken), (), 0, 0, None)
    plain, counts = kernel(board), dict.fromkeys(members(empty), 0)
    for seed in range(DRAWN):
        row = plain.row(position)
        assert plain.play_out(row, seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1, limit=1) == 1
        (cell,) = members(plain.state(row).pieces[1])
        counts[cell] += 1
    expected = DRAWN / len(counts)
    found = sum((count - expected) ** 2 / expected for count in counts.values())
    assert abs(found - (len(counts) - 1)) < 6 * (2 * (len(counts) - 1)) ** 0.5


LENGTHS_OF_ENDS = """game "Lines"

players A, B
board {board}
pieces a of A, b of B

start:
    {{c in cells where (c.row * 7 + c.column * 3) mod 11 = 1}} := a

move place(c in empty):
    c := own
move take(c in mine) when count(empty) mod 3 = 0:
    c := empty

win mover when line(mine, 4) and count(theirs) > 3
lose mover when line(mine, 3)
draw when line(theirs, 5) or no empty
no moves draws
"""


@pytest.mark.parametrize("board", ["hexagon(3)", "hexagon(5)", "hexagon(6)", 'square(7, 9) without {"d4"}',
                                   "square(6, 9)", "square(9, 15)"])
def test_lines_of_several_lengths_end_games_as_the_interpreter_says(board: str) -> None:
    """The same row is used from move to move, so that it records which sets had no line."""
    lines = dslgame.loads(LENGTHS_OF_ENDS.format(board=board))
    chance, over = random.Random(board), 0
    for off in ({}, {"sliding_attacks": False}, {"last_move": False}):
        played = Kernel.of(lines, native=False, passes=Passes(**off))
        for _ in range(6):
            position, row = lines.start(), played.start()
            while not position.over:
                move = chance.choice(position.legal())
                position = position.play(move)
                assert played.apply(row, played.coded(move))
                assert played.state(row) == position.state
            over += 1
    assert over == 18


MASKS = """game "Masks"

players A, B
board {board}
pieces man of A, king of A, stone of B

start:
    {{c in cells where (c.row * 5 + c.column * 3) mod 4 = 1}} := man
    {{c in cells where (c.row * 5 + c.column * 3) mod 7 = 3}} := stone
    {{c in cells where (c.row + c.column * 3) mod 9 = 2}} := king

define ahead(c, t) = t.row < c.row if mover = A else t.row > c.row
define near(c) = {{t in neighbours(c) and empty where (c is king or ahead(c, t)) and count(neighbours(t)) > 2}}

move step(c in mine, t in near(c)):
    carry c to t
move side(c in mine, t in {{t in neighbours(c) where t.row = c.row and t in empty}}):
    carry c to t
move drop(t in {{t in empty where t.column > 1 and some (neighbours(t) and theirs)}}):
    t := king if mover = A else stone
move other(c in mine, t in {{t in neighbours(c) and empty where t in corners or ahead(c, t)}}):
    carry c to t

draw when no theirs
no moves loses
"""


@pytest.mark.parametrize("board", ['square(4, 5) without {"b2"}', "hexagon(3)", "square(5, 5)", "hexagon(6)"])
def test_fixed_conditions_of_sets_are_those_of_the_interpreter(board: str) -> None:
    masks = dslgame.loads(MASKS.format(board=board))
    kernels = [Kernel.of(masks, native=False, passes=Passes(whole_sets=on)) for on in (True, False)]
    assert kernels[0].text != kernels[1].text
    chance = random.Random(board)
    for _ in range(3):
        position = masks.start()
        for _ in range(25):
            if position.over:
                break
            for of_game in kernels:
                assert sorted(of_game.legal(position.state)) == sorted(position.legal())
            position = position.play(chance.choice(position.legal()))


JUMPS = """game "Jumps"

players A, B
board square(5, 5)
pieces a of A, b of B

start:
    {{c in cells where c.row > 2}} := a
    {{c in cells where c.row < 2}} := b

define over(c) = {{t in leap(c, 0, 2) and empty where some (leap(c, 0, 1) and leap(t, 0, 1) and theirs)}}

move step(c in mine, t in neighbours(c) and empty) when {when}:
    carry c to t
move jump(c in {first}, t in over(c)):
    (leap(c, 0, 1) and leap(t, 0, 1)) := empty
    carry c to t

no moves loses
"""


@pytest.mark.parametrize(("when", "first", "left_out"), [
    ("no c in mine: some over(c)", "mine", True), ("some mine and no c in mine: some over(c)", "mine", True),
    ("no c in mine: some (neighbours(c) and theirs)", "mine", False), ("no c in theirs: some over(c)", "mine", False),
    ("some c in mine: no over(c)", "mine", False), ("no c in mine: some over(c)", "occupied", False),
    ("count(mine) > 1", "mine", False)])
def test_moves_are_not_looked_for_where_another_rule_says_there_are_none(
        when: str, first: str, left_out: bool) -> None:
    jumps = dslgame.loads(JUMPS.format(when=when, first=first))
    kernels = [Kernel.of(jumps, native=False, passes=Passes(exclusion=exclusion)) for exclusion in (True, False)]
    assert (kernels[0].text != kernels[1].text) == left_out
    chance = random.Random(when)
    for _ in range(4):
        position = jumps.start()
        for _ in range(40):
            if position.over:
                break
            for of_game in kernels:
                assert sorted(of_game.legal(position.state)) == sorted(position.legal())
            position = position.play(chance.choice(position.legal()))
