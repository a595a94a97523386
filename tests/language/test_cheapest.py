"""`cheapest`: the cost of the cheapest path, compared with another search; in kernels; and mistakes.

Its values on the sample board are in `tests.language.test_language_values`.
"""

from __future__ import annotations

import re
from random import Random

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from tests.probe import shown
from tests.walking import Walk

BOARDS = {
    "one word": "square(5, 6)",
    "words in a tuple": "square(9, 9)",
    "diagonals, three words": "square(13, 11) with diagonals",
    "hexagons": "hexagon(5)",
    "a graph": "graph:\n    a1 - b - c - d - a1\n    b - e - f",
    "many words": "square(24, 24)",
}
GAME = """
game "Ways"

players Red, Blue
board {board}
pieces red of Red, blue of Blue
var toll in 0..3
define near = {{"a1"}} + neighbours("a1")
define far = cells - near - neighbours(near)
define price(x, y) = 0 if y is mine else 3 + toll if y is theirs else 1 if x is mine else 2
define worth = cheapest(
    price(x, y) for x to y in neighbours(x) where y is not theirs or x is not theirs from near to far)

move place(c in empty):
    c := own
    toll := count(neighbours(c) and mine) mod 4

turn again when worth mod 3 = 0
draw when count(occupied) > 60 or no empty
value worth
"""

UNBOUNDED = """
game "Ways"

players Red, Blue
board {board}
pieces red of Red, blue of Blue

define open = neighbours(occupied) - occupied if some occupied else origin

move place(c in open):
    c := own

turn again when cheapest(1 if y is mine else 3 for x to y in neighbours(x) and occupied from mine to theirs) mod 2 = 0
draw when count(occupied) > 12
value cheapest(1 for x to y in neighbours(x) from origin to theirs)
"""


def searched(position: Position) -> int:
    """The value by the Bellman-Ford algorithm."""
    state, board = position.state, position.game.board
    me = state.to_move
    toll = state.values[0]
    assert me is not None
    assert toll is not None
    mine, theirs = state.pieces[1 + me], state.pieces[2 - me]
    first = board.cell_named("a1")
    assert first is not None
    near = 1 << first | board.neighbours[first]
    around = near
    for cell in range(board.size):
        if near >> cell & 1:
            around |= board.neighbours[cell]
    costs: dict[int, int] = {cell: 0 for cell in range(board.size) if near >> cell & 1}
    changed = True
    while changed:
        changed = False
        for cell in list(costs):
            for other in range(board.size):
                here, there = 1 << cell, 1 << other
                if not board.neighbours[cell] & there or (theirs & here and theirs & there):
                    continue
                price = 0 if mine & there else 3 + toll if theirs & there else 1 if mine & here else 2
                if costs[cell] + price < costs.get(other, 1 << 30):
                    costs[other] = costs[cell] + price
                    changed = True
    return min((cost for cell, cost in costs.items() if not around >> cell & 1), default=6 * board.size)


def random_positions(game: Game, seed: int, plies: int, every: int) -> list[Position]:
    """Every `every`-th position of a random game."""
    dice, found, position = Random(seed), [], game.start()
    for ply in range(plies):
        if position.over:
            break
        if ply % every == 0:
            found.append(position)
        position = position.play(dice.choice(list(position.moves())))
    return found


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_it_is_what_another_search_finds(board: str) -> None:
    """Interpreter and plain kernel agree with it in random positions."""
    game = dslgame.loads(GAME.format(board=board))
    kernel = Kernel.of(game, native=False)
    large = game.board.size > 300
    for seed in range(1 if large else 3):
        for position in random_positions(game, seed, 50, 25 if large else 7):
            assert position.value() == searched(position) == kernel.value(position.state)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_compiled_kernels_find_the_same(board: str) -> None:
    """On sets of one word, a few words and many words."""
    game = dslgame.loads(GAME.format(board=board))
    kernel = Kernel.of(game)
    for seed in range(5):
        for position in random_positions(game, seed, 60, 5):
            assert position.value() == kernel.value(position.state)
    Walk(game, kernel).walk(2, 2)


@pytest.mark.slow
def test_compiled_kernels_ask_it_in_loops() -> None:
    """All rounds of a loop share one buffer of costs."""
    game = dslgame.loads(ASKED_OFTEN)
    Walk(game, Kernel.of(game)).walk(3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["unbounded square", "unbounded hexagon"])
def test_on_boards_without_an_end(board: str) -> None:
    """The cells are those of the window."""
    game = dslgame.loads(UNBOUNDED.format(board=board))
    Walk(game, Kernel.of(game, native=False)).walk(2, 4, plies=8)


ASKED_OFTEN = """
game "Ways"

players Red, Blue
board square(4, 4)
pieces red of Red, blue of Blue
define price(y) = 0 if y is mine else 1 if y is empty else 5

move place(c in empty where cheapest(price(y) for x to y in neighbours(x) from c to right) < 5):
    c := own

illegal when some c in corners: cheapest(price(y) for x to y in leap(x, 1, 2) where y.row != x.row
    from c to corners - c) > 4 + cheapest(1 for x to y in neighbours(x) from c to mine)
turn again when max(cheapest(price(y) for x to y in neighbours(x) from {c} to left) for c in right) > 6
no moves loses
draw when no empty
"""


def test_it_is_asked_in_loops_and_by_itself() -> None:
    """In a loop all rounds share one buffer of costs; nested searches have their own."""
    game = dslgame.loads(ASKED_OFTEN)
    Walk(game, Kernel.of(game, native=False)).walk(3, 3)
    assert shown("cheapest(cheapest(1 for i to j in neighbours(i) from x to y) for x to y in leap(x, 1, 2) "
                 'from "a1" to "c3")') == "12"


FAILING = """
game "Ways"

players Red, Blue
board square(4, 4)
pieces red of Red, blue of Blue
var toll[cell] in 0..9 or none = 1
start:
    toll["c2"] := none
move place(c in empty):
    c := own
draw when cheapest(toll[y] + 1 if y is empty else 0 for x to y in neighbours(x) from "a4" to mine) > 30
draw when no empty
"""


def test_costs_that_are_not_known_fail_alike() -> None:
    """A step without a known cost fails only if the search reaches it before the goal."""
    game = dslgame.loads(FAILING)
    kernel = Kernel.of(game, native=False)
    Walk(game, kernel, may_fail=True).walk(6, 2)
    assert game.start().play("a3").outcome is None
    with pytest.raises(RuleError, match="none here"):
        game.start().play("d1")


@pytest.mark.parametrize(("text", "said"), [
    ("cheapest(y.row - 1 for x to y in neighbours(x) from top to bottom)", "G299.*a step may cost -1.*max"),
    ("cheapest(abs(y.row) * 100000000 for x to y in neighbours(x) from top to bottom)",
     "G299.*at most 111111111 on 9 cells.*min"),
    ("cheapest(y for x to y in neighbours(x) from top to bottom)", "G206.*a cell, expected a number"),
    ("cheapest(1 for x to y in 0..3 from top to bottom)", "G206.*expected a set of cells"),
    ("cheapest(1 for x to x in neighbours(x) from top to bottom)", "G204"),
    ("cheapest(1 for x to y in neighbours(y) from top to bottom)", "G203.*unknown name 'y'"),
    ("cheapest(1 for x to y in neighbours(x) from x to bottom)", "G203.*unknown name 'x'"),
    ("cheapest(1 for x to y in neighbours(x) where 3 from top to bottom)", "G206.*expected a condition"),
    ("cheapest(1 for x in cells)", "G216.*expected cheapest.*from S to T"),
    ("cheapest(neighbours(x) for x from top)", "G216.*expected cheapest.*from S to T"),
    ("cheapest(red, top, bottom, empty)", "G216.*expected cheapest.*from S to T"),
    ("sum(1 for x to y in neighbours(x) from top to bottom)", "G216.*expected sum"),
    ("count(reached(neighbours(x) for x to y in neighbours(x) from top to bottom))", "G216.*expected reached"),
    ("line(mine for x to y in neighbours(x) from top to bottom, 3)", "G212"),
    ("dijkstra(1 for x to y in neighbours(x) from top to bottom)", "G203.*cheapest"),
    ("cheapest(1 for x to y in neighbours(x) from top to bottom where y is empty)", "G101.*where P from S to T"),
    ("cheapest(1 for x to y in neighbours(x))", "G101.*expected 'from' or 'where'.*where P from S to T"),
    ("cheapest(1 for x to y in neighbours(x) from top)", "G101.*'to'.*where P from S to T"),
    ("cheapest(1 for x to y from top to bottom)", "G101.*'in'"),
])
def test_mistakes_are_told(text: str, said: str) -> None:
    """The error gives its code and what to write instead."""
    with pytest.raises(GameFileError) as caught:
        shown(text)
    assert re.search(said, str(caught.value), re.DOTALL), str(caught.value)
