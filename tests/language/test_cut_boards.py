"""Boards with `cut`: no step leads across a border at which the variable holds."""

from __future__ import annotations

import random

import pytest

import dslgame
from dsl.boards import KINDS
from dsl.boards.borders import BORDER
from dsl.diagnostics import GameFileError
from interpreter.boards import Board, build
from interpreter.kernel.kernel import Kernel
from tests.probe import PLACE, cells, loaded, shown
from tests.walking import Walk

WALL = "var wall[border] in boolean"
BOARDS = {"square(3, 4)": "east", "square(3, 3) with diagonals": "north", "hexagon(2)": "southeast",
          "rhombus(3, 3)": "west", "triangle(3)": "northeast"}
"""Boards, each with a straight direction."""
GAME = """game "Maze"
players Red, Blue
board square(3, 3) cut by wall
pieces red of Red, blue of Blue
var wall[border] in boolean
start:
    "a1" := red
    "c3" := blue
    wall[border("b2", north)], wall[border("b2", east)] := true
move go(c in mine, d in directions where c.d is empty):
    carry c to c.d
move run(c in mine, d in orthogonals, e in reach(c, d) - neighbours(c) - occupied):
    carry c to e
move leave(c in mine, d in directions, n in -2..2 where next(c, d, n) is empty):
    carry c to next(c, d, n)
move build(b in borders where count(beside(b)) = 2 and not wall[b]) when degree("b2") > 1:
    wall[b] := true
win mover when some (mine and (top if mover = Red else bottom)) or count(ray("b1", north)) = 0
illegal when not joined(cells, top, bottom)
draw when no p in occupied: some (ray(p, east, empty) + group(p, cells - "b2"))
no moves loses
repetition draws
symmetry half turn swapping players
"""


def walls(kind: str, seed: int) -> tuple[Board, set[int], str]:
    """A board, a random half of its borders shut, and the effect that shuts them."""
    word, _, rest = kind.partition("(")
    numbers, _, more = rest.partition(")")
    board = build(word, tuple(map(int, numbers.split(", "))), diagonals="all" if more else None)
    chance = random.Random(seed)
    names = board.sites(BORDER).sides
    shut = {number for number in range(len(names)) if chance.random() < 0.5}
    effects = ", ".join(f'wall[border("{board.names[names[number][0]]}", {board.directions[names[number][1]]})]'
                        for number in sorted(shut))
    return board, shut, f"{effects} := true"


def onward(board: Board, shut: set[int], cell: int, way: int) -> int:
    """The adjacent cell, or -1 if there is none or the border is shut."""
    return -1 if board.sites(BORDER).of_cell.get((cell, way)) in shut else board.steps[cell][way]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", BOARDS)
def test_words_do_not_cross_what_is_shut(kind: str, seed: int) -> None:
    """Steps, neighbours, rays and groups from one cell agree with Python code on the board's tables."""
    board, shut, effect = walls(kind, seed)
    cell = random.Random(seed).randrange(board.size)
    way = board.directions.index(BOARDS[kind])
    near = {target for other in range(len(board.directions)) if (target := onward(board, shut, cell, other)) >= 0
            and board.neighbours[cell] >> target & 1}
    ray, place = [], onward(board, shut, cell, way)
    while place >= 0:
        ray.append(place)
        place = onward(board, shut, place, way)
    group, waiting = {cell}, [cell]
    while waiting:
        place = waiting.pop()
        for other in range(len(board.directions)):
            target = onward(board, shut, place, other)
            if target >= 0 and board.neighbours[place] >> target & 1 and target not in group:
                group.add(target)
                waiting.append(target)
    name, direction = f'"{board.names[cell]}"', BOARDS[kind]
    cut = f"{kind} cut by wall"

    def called(found: set[int] | list[int]) -> set[str]:
        return {board.names[place] for place in found}

    def asked(expression: str) -> set[str]:
        return cells(expression, WALL, board=cut, effects=(effect,))

    assert asked(f"neighbours({name})") == called(near)
    assert shown(f"degree({name})", WALL, board=cut, effects=(effect,)) == str(len(near))
    assert asked(f"{{{name}.{direction}}}") == called(ray[:1])
    assert asked(f"ray({name}, {direction})") == called(ray)
    assert asked(f"reach({name}, {direction})") == called(ray)
    assert asked(f"{{next({name}, {direction})}}") == called(ray[:1])
    for number in range(1, 5):
        assert asked(f"{{next({name}, {direction}, {number})}}") == called(ray[number - 1:number])
        assert asked(f"{{next({name}, opposite({direction}), -{number})}}") == called(ray[number - 1:number])
    assert asked(f"{{next({name}, {direction}, 0)}}") == {board.names[cell]}
    assert asked(f"group({name}, cells)") == called(group)
    assert asked(f"neighbours(group({name}, cells)) - group({name}, cells)") == set()


def test_rays_end_at_what_is_not_in_their_set() -> None:
    """Rays end as on an uncut board, and none begins at `none`."""
    effects = ('"d1" := stone', 'wall[border("b2", east)] := true')
    for expression, expected in {
        'ray("a1", east, empty)': {"b1", "c1"}, 'reach("a1", east)': {"b1", "c1", "d1"},
        'reach("d1", west, stone)': {"c1"}, 'ray("a2", east, empty)': {"b2"}, 'reach("a2", east)': {"b2"},
        'ray("a2".west, east)': set(), 'reach("a2".west, east)': set(), '{"b2".east, "b2".northeast}': {"c3"},
        '{sight("a1", east), sight("a2", east)}': {"d1"}, 'neighbours("b2".east)': set(),
        'leap("b2", 0, 1)': {"a2", "c2", "b3", "b1"},
    }.items():
        assert cells(expression, WALL, board="square(3, 4) cut by wall", effects=effects) == expected, expression


def test_kernel_plays_a_game_on_a_cut_board() -> None:
    """The kernel agrees with the interpreter; the symmetry holds."""
    game = dslgame.loads(GAME)
    Walk(game, Kernel.of(game, native=False)).walk(6, 2.0)


@pytest.mark.parametrize(("board", "part", "code"), [
    ("square(3, 3) cut by wall", "var wall[cell] in boolean", "G285"),
    ("square(3, 3) cut by walls", WALL, "G285"),
    ("unbounded square cut by wall", WALL, "G284"),
    ("square(3, 3) without corners cut by wall", WALL, "G284"),
])
def test_board_that_cannot_be_cut(board: str, part: str, code: str) -> None:
    """The variable must be a condition indexed by borders, which the board must have."""
    with pytest.raises(GameFileError, match=code):
        loaded(part, PLACE, board=board)


def test_kinds_of_boards_with_borders_are_tested() -> None:
    """The tests cover each kind of board that has borders."""
    kinds = {kind.partition("(")[0] for kind in BOARDS}
    assert kinds == {name for name, kind in KINDS.items() if kind.bounded and not kind.of_paths}
