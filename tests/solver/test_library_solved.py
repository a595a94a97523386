"""Small library games solved, compared with well-known results and with the references.

Sources are named at each test. Results that follow from an elementary strategy name the strategy instead.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

import dslgame
from interpreter.model.state import Move, State
from solver.game_space import solve_game
from solver.solve import Solution
from tests.discovery import FOLDER, first_of_each
from tests.reference import (
    chain_reaction,
    chomp,
    col,
    cram,
    domineering,
    hare_and_hounds,
    kalah,
    kayles,
    knights_tour,
    lights_out,
    n_queens,
    nim,
    oware,
    peg_solitaire,
    sliding_puzzle,
    snort,
    solving,
    subtract_a_square,
    toads_and_frogs,
    tower_of_hanoi,
    wythoff,
)


def solved(name: str, **params: int) -> tuple[str | None, Solution[State, Move]]:
    """The winner of a bundled game, and its solution."""
    game = dslgame.load(FOLDER / f"{name}.game", **params)
    solution = solve_game(game)
    return game.outcome_name(solution.winner), solution


def winner(name: str, **params: int) -> str | None:
    """The winner of a bundled game."""
    return solved(name, **params)[0]


# ---- every opening, by the references


@pytest.mark.parametrize(
    ("module", "params"),
    first_of_each([
        (chain_reaction, {"rows": 2, "columns": 2}),
        (chain_reaction, {"rows": 2, "columns": 3}),
        (chomp, {"rows": 3, "columns": 3}),
        (chomp, {"rows": 2, "columns": 4, "misere": 1}),
        (col, {"rows": 3, "columns": 3}),
        (cram, {"rows": 3, "columns": 3}),
        (cram, {"rows": 2, "columns": 4, "misere": 1}),
        (domineering, {"rows": 3, "columns": 4}),
        (domineering, {"rows": 4, "columns": 3, "misere": 1}),
        (hare_and_hounds, {"patience": 1}),
        (kalah, {"houses": 2, "seeds": 3}),
        (kalah, {"houses": 3, "seeds": 1}),
        (kayles, {"pins": 8}),
        (kayles, {"pins": 7, "misere": 1}),
        (knights_tour, {"rows": 3, "columns": 4}),
        (lights_out, {"rows": 2, "columns": 3}),
        (lights_out, {"rows": 3, "columns": 3}),
        (n_queens, {"size": 6}),
        (nim, {"a": 0, "b": 2, "c": 3, "d": 4}),
        (nim, {"a": 1, "b": 1, "c": 2, "d": 3, "misere": 1}),
        (oware, {"houses": 2, "seeds": 2}),
        (oware, {"houses": 3, "seeds": 1}),
        (peg_solitaire, {"half": 0, "arm": 3}),
        (sliding_puzzle, {"rows": 2, "columns": 3}),
        (snort, {"rows": 3, "columns": 3}),
        (subtract_a_square, {}),
        (subtract_a_square, {"misere": 1}),
        (toads_and_frogs, {}),
        (tower_of_hanoi, {}),
        (wythoff, {"first": 5, "second": 4}),
        (wythoff, {"first": 3, "second": 5, "misere": 1}),
    ]),
    ids=lambda value: value.__name__.rpartition(".")[2] if hasattr(value, "__name__") else str(value),
)
def test_every_opening_is_valued_as_by_the_reference(module: Any, params: dict[str, int]) -> None:
    """Every first move has the reference's winner and remoteness, and the number of positions agrees."""
    rules = module.Reference(**params)
    values = solving.solve(rules)
    name = module.__name__.rpartition(".")[2]
    game = dslgame.load(FOLDER / f"{name}.game", **params)
    solution = solve_game(game, symmetry=False, method="strong")
    assert solution.positions == len(values)
    start = game.engine.start()
    found = {game.notation.write(start, item.move): item for item in solution.moves}
    expected = {move: values[rules.after(rules.start(), move)] for move in rules.moves(rules.start())}
    assert {text: game.outcome_name(item.winner) for text, item in found.items()} == {
        move: value.outcome if len(game.players) > 1 else value.outcome.replace("draw", "lost")
        for move, value in expected.items()}
    for move, value in expected.items():
        assert value.remoteness is None or found[move].remoteness == value.remoteness + 1
    merged = solve_game(game, method="strong")
    assert (merged.winner, merged.remoteness) == (solution.winner, solution.remoteness)


# ---- heaps


@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (0, 1, 2, 3), (0, 2, 2, 1), (1, 1, 1, 1), (0, 1, 1, 1), (2, 3, 4, 5)])
def test_nim_is_lost_when_the_heaps_add_up_to_nothing(heaps: tuple[int, ...]) -> None:
    """Bouton: a binary sum of zero without carry loses; in misere play too, unless all heaps have at most one stone."""
    params = dict(zip("abcd", heaps, strict=True))
    lost = reduce(xor, heaps) == 0
    assert winner("nim", **params) == ("Second" if lost else "First")
    lost_misere = lost if max(heaps) > 1 else not lost
    assert winner("nim", **params, misere=1) == ("Second" if lost_misere else "First")


def test_wythoffs_cold_positions() -> None:
    """(1, 2), (3, 5), (4, 7) and their mirrors are lost for the player to move, all others so small are won."""
    cold = {(1, 2), (3, 5), (4, 7)}
    for first, second in product(range(1, 6), range(1, 8)):
        lost = (first, second) in cold or (second, first) in cold
        assert winner("wythoff", first=first, second=second) == ("Right" if lost else "Left")


def test_subtract_a_square_is_lost_with_certain_heaps() -> None:
    """2, 5, 7, 10, 12, 15, 17, 20, 22, 34: A030193 of the encyclopedia of integer sequences."""
    lost = [stones for stones in range(1, 39) if winner("subtract_a_square", stones=stones) == "Second"]
    assert lost == [2, 5, 7, 10, 12, 15, 17, 20, 22, 34]


@pytest.mark.parametrize("pins", [*range(1, 11), pytest.param(12, marks=pytest.mark.slow)])
def test_kayles_is_won_from_every_row(pins: int) -> None:
    """The first player hits one or two pins in the middle and then mirrors."""
    assert winner("kayles", pins=pins) == "First"


def test_misere_kayles_is_lost_from_some_rows() -> None:
    """1, 4 and 9 pins: Sibert and Conway, Mathematical Kayles (1992)."""
    assert [pins for pins in range(1, 11) if winner("kayles", pins=pins, misere=1) == "Second"] == [1, 4, 9]


def test_chomp_is_won_from_every_bar_but_one_square() -> None:
    """Strategy stealing: if biting the corner loses, its winning reply can be the first move."""
    for rows, columns in product(range(1, 5), range(1, 5)):
        assert winner("chomp", rows=rows, columns=columns) == ("Second" if rows == columns == 1 else "First")


def test_chomp_of_a_square_is_won_next_to_the_poison_only() -> None:
    """The one winning move on square bars is b2, after which the first player mirrors."""
    game = dslgame.load(FOLDER / "chomp.game", rows=4, columns=4)
    start = game.engine.start()
    won = [game.notation.write(start, item.move) for item in solve_game(game).moves if item.winner == 0]
    assert won == ["b2"]


# ---- dominoes

CLASSES = {
    ("Vertical", "Vertical"): "who begins",
    ("Vertical", "Horizontal"): "Vertical",
    ("Horizontal", "Vertical"): "Horizontal",
    ("Horizontal", "Horizontal"): "who does not begin",
}
"""The class of a board, by the winner on it and the winner on the board turned by 90 degrees."""


@pytest.mark.parametrize(
    ("rows", "columns", "who"),
    [
        (2, 2, "who begins"),
        (2, 3, "who begins"),
        (2, 4, "Horizontal"),
        (2, 5, "Vertical"),
        (2, 6, "who begins"),
        (3, 3, "who begins"),
        (3, 4, "Horizontal"),
        (3, 5, "Horizontal"),
        (4, 4, "who begins"),
        pytest.param(4, 5, "Vertical", marks=pytest.mark.slow),
    ],
)
def test_domineering_is_won_as_published(rows: int, columns: int, who: str) -> None:
    """Breuker, Uiterwijk and van den Herik, Solving 8 x 8 Domineering (2000)."""
    upright = winner("domineering", rows=rows, columns=columns)
    turned = winner("domineering", rows=columns, columns=rows)
    assert CLASSES[str(upright), str(turned)] == who


@pytest.mark.slow
def test_domineering_on_5x5_is_lost_for_who_begins() -> None:
    """Source as above: Breuker, Uiterwijk and van den Herik (2000)."""
    game = dslgame.load(FOLDER / "domineering.game", rows=5, columns=5)
    assert game.outcome_name(solve_game(game, method="alphabeta").winner) == "Horizontal"


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(2, 2), (2, 4), (4, 2), (2, 6), (4, 4), (2, 3), (2, 5), (3, 2), (3, 4), (5, 2)],
)
def test_cram_is_won_by_mirroring(rows: int, columns: int) -> None:
    """By a half turn the second player mirrors if both sides are even, the first from the centre if one is."""
    assert winner("cram", rows=rows, columns=columns) == ("Second" if rows % 2 == columns % 2 == 0 else "First")


def test_cram_in_a_row_is_dawsons_kayles() -> None:
    """Lost with 1, 5, 9, 15, ... cells in a row: Guy and Smith (1956)."""
    assert [n for n in range(2, 15) if winner("cram", rows=1, columns=n) == "Second"] == [5, 9]


# ---- colours and animals


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (1, 6), (2, 2), (2, 3), (2, 5), (3, 4)])
def test_col_on_an_even_board_is_won_by_mirroring(rows: int, columns: int) -> None:
    """The second player mirrors by a half turn, and so never takes a cell next to one of the same colour."""
    assert winner("col", rows=rows, columns=columns) == "Red"


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (1, 7), (3, 3)])
def test_snort_on_an_odd_board_is_won_from_the_centre(rows: int, columns: int) -> None:
    """The first player takes the centre and then mirrors by a half turn."""
    assert winner("snort", rows=rows, columns=columns) == "Blue"


@pytest.mark.parametrize(
    ("toads", "gap", "frogs", "expected"),
    [
        (2, 1, 2, "Toads"),
        (2, 3, 2, "Toads"),
        (3, 3, 2, "Toads"),
        (2, 3, 3, "Frogs"),
        (2, 3, 4, "Frogs"),
        (5, 3, 3, "Toads"),
        (3, 3, 5, "Frogs"),
    ],
)
def test_toads_and_frogs_are_worth_what_erickson_says(toads: int, gap: int, frogs: int, expected: str) -> None:
    """Erickson, New Toads and Frogs Results (1996).

    With three cells between them, a toads and two frogs are worth {a - 2 | a - 2}, five and three 3/2; two and two with
    one cell between are won by whoever begins.
    """
    assert winner("toads_and_frogs", toads=toads, gap=gap, frogs=frogs) == expected


@pytest.mark.slow
def test_hounds_catch_the_hare() -> None:
    """The hounds always win: Gardner, Mathematical Games (1963)."""
    assert winner("hare_and_hounds") == "Hounds"


# ---- seeds and explosions


@pytest.mark.parametrize(
    ("houses", "results"),
    [(1, "DLWLWD"), (2, "WLLLWW"), (3, "DW"), (4, "W")],
)
def test_kalah_is_worth_what_is_published(houses: int, results: str) -> None:
    """Values for the first player with 1, 2, ... seeds a house: Irving, Donkers and Uiterwijk, Solving Kalah (2000)."""
    names = {"South": "W", "North": "L", "draw": "D"}
    found = [winner("kalah", houses=houses, seeds=seeds) for seeds in range(1, len(results) + 1)]
    assert "".join(names[str(result)] for result in found) == results


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "seeds", "expected"), [(3, 3, "South"), (5, 1, "draw")])
def test_kalah_with_more_seeds_is_worth_what_is_published(houses: int, seeds: int, expected: str) -> None:
    """Source as above: Irving, Donkers and Uiterwijk (2000)."""
    assert winner("kalah", houses=houses, seeds=seeds) == expected


@pytest.mark.parametrize(
    ("rows", "columns", "expected", "plies"),
    [
        (2, 2, "Green", 4),
        (2, 3, "Red", 7),
        pytest.param(2, 4, "Green", 12, marks=pytest.mark.slow),
    ],
)
def test_chain_reaction_is_won_on_small_boards(rows: int, columns: int, expected: str, plies: int) -> None:
    """Winners and lengths from two independent programs."""
    found, solution = solved("chain_reaction", rows=rows, columns=columns)
    assert (found, solution.remoteness) == (expected, plies)


@pytest.mark.slow
def test_gobblet_gobblers_is_won_by_the_first_player() -> None:
    """The win takes 13 plies, as other solvers found."""
    game = dslgame.load(FOLDER / "gobblet_gobblers.game")
    solution = solve_game(game, method="proof", remoteness=True)
    assert (game.outcome_name(solution.winner), solution.remoteness) == ("Orange", 13)


# ---- puzzles


@pytest.mark.parametrize(("pegs", "lengths"), [(3, [1, 3, 7, 15, 31, 63]), (4, [1, 3, 5, 9])])
def test_towers_need_so_many_moves(pegs: int, lengths: list[int]) -> None:
    """Three pegs: twice the moves and one for each disc more. Four: Frame and Stewart, proven by Bousch (2014)."""
    for discs, length in enumerate(lengths, start=1):
        found, solution = solved("tower_of_hanoi", discs=discs, pegs=pegs)
        assert (found, solution.remoteness) == ("Player", length)
        assert solution.positions == pegs**discs


@pytest.mark.parametrize(
    ("rows", "columns", "positions", "longest"),
    [
        (2, 2, 12, 6),
        (2, 3, 360, 21),
        pytest.param(3, 3, 181_440, 31, marks=pytest.mark.slow),
    ],
)
def test_sliding_puzzles_have_so_many_positions(rows: int, columns: int, positions: int, longest: int) -> None:
    """Half of all permutations, and the longest solutions: Karlemo and Ostergard, On Sliding Block Puzzles (2000)."""
    found, solution = solved("sliding_puzzle", rows=rows, columns=columns)
    assert (found, solution.positions) == ("Player", positions)
    assert solution.strong is not None
    assert solution.strong.longest() == longest


@pytest.mark.parametrize(("size", "presses", "positions"), [(1, 1, 2), (2, 4, 16), (3, 5, 512), (4, 4, 4096)])
def test_lights_go_out_with_so_few_presses(size: int, presses: int, positions: int) -> None:
    """A075462 of the encyclopedia of integer sequences. Positions: 2 to the rank of the presses, full but for 4 x 4."""
    found, solution = solved("lights_out", rows=size, columns=size)
    assert (found, solution.remoteness, solution.positions) == ("Player", presses, positions)


def test_lights_of_5x5_go_out_with_15_presses() -> None:
    """One of the four solutions, all of 15 presses."""
    position = dslgame.load(FOLDER / "lights_out.game").start()
    presses = "d5 e5 a4 b4 d4 e4 a3 b3 c3 b2 c2 d2 a1 c1 d1"
    for text in presses.split():
        assert not position.over
        position = position.play(text)
    assert position.outcome == "Player"


def test_peg_solitaire_can_be_solved() -> None:
    """A solution of the English board in 31 jumps."""
    position = dslgame.load(FOLDER / "peg_solitaire.game").start()
    jumps = (
        "b4d4 c2c4 a3c3 a5a3 c4c2 c1c3 c5a5 c7c5 d3b3 a3c3 d1d3 d3b3 d5b5 a5c5 d7d5 d5b5 f3d3 e1e3 e3c3 b3d3 d3d5 e5c5 "
        "b5d5 e7e5 e4e6 g5e5 d5f5 g3g5 g5e5 e6e4 f4d4"
    )
    for text in jumps.split():
        assert not position.over
        position = position.play(text)
    assert (position.outcome, position.pieces) == ("Player", {"d4": "peg"})


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [(3, 3, "lost"), (3, 4, "Player"), (3, 5, "lost"), (4, 4, "lost")],
)
def test_knights_tours_exist_on_some_boards(rows: int, columns: int, expected: str) -> None:
    """Open tours, of which 3 x 4 is the smallest board: Euler, and Cull and De Curtins (1978)."""
    assert winner("knights_tour", rows=rows, columns=columns) == expected


@pytest.mark.slow
def test_knights_tour_of_4_rows_and_5_columns_exists() -> None:
    """An open tour exists on 4 x 5, the next larger board."""
    assert winner("knights_tour", rows=4, columns=5) == "Player"


def test_queens_can_be_placed_but_for_two_and_three() -> None:
    """The n queens problem has solutions for 1 and from 4 on."""
    assert [size for size in range(1, 9) if winner("n_queens", size=size) == "Player"] == [1, 4, 5, 6, 7, 8]
