"""The reference implementations against published counts and values, and against OpenSpiel.

These tests check `tests/reference` alone: the other tests use it as an oracle.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.reference import connect_four, hex, nex, shift_tac_toe, tic_tac_toe, triangular_peg_solitaire
from tests.reference.counting import Tree, perft, reachable, tree
from tests.reference.rules import DRAW, Rules, StateT
from tests.reference.solving import Value, openings, solve


class Case(NamedTuple):
    """A reference game and its perft from depth 1, by OpenSpiel 2.0.2 unless a comment says otherwise."""

    rules: Rules[Any]  # the state type differs from game to game; the tests do not inspect states
    perft: list[int]


CASES = {
    "tic-tac-toe": Case(tic_tac_toe.Reference(), [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
    "connect four": Case(connect_four.Reference(), [7, 49, 343, 2401, 16807, 117649]),
    "hex 3x3": Case(hex.Reference(size=3), [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960]),
    "hex 4x4": Case(hex.Reference(size=4), [16, 240, 3360, 43680, 524160]),
    # By GamesmanClassic, which, like the reference, plays on after a repeated position.
    "shift-tac-toe": Case(shift_tac_toe.Reference(), [9, 75, 591, 4494, 33446, 242736]),
    # By hand: 12 ordered pairs of cells, 2 of the cells left, then the board is full and Black has one transform.
    "nex 2x2": Case(nex.Reference(rows=2, columns=2), [12, 24, 24, 0]),
}


@pytest.mark.parametrize("name", CASES)
def test_perft_is_as_published(name: str) -> None:
    """Counts of move sequences; a game that ended earlier counts 0."""
    rules, counts = CASES[name]
    assert perft(rules, len(counts)) == counts


@pytest.mark.parametrize(("row", "column", "count"), [(0, 0, 29_760), (1, 0, 14_880), (2, 0, 85_258), (2, 1, 1_550)])
def test_solutions_of_triangular_peg_solitaire_are_as_published(row: int, column: int, count: int) -> None:
    """Solutions to a single peg on fifteen holes, for each hole that is empty at first (Bill Butler's counts)."""
    rules = triangular_peg_solitaire.Reference(hole_row=row, hole_column=column)

    @cache
    def ways(state: triangular_peg_solitaire.State) -> int:
        if len(state) == 1:
            return 1
        return sum(ways(rules.after(state, move)) for move in rules.options(state))

    assert ways(rules.start()) == count


@pytest.mark.slow
def test_connect_four_perft_8_is_as_published() -> None:
    """Depth 8, by OpenSpiel 2.0.2: the first depth below games that have already ended."""
    assert perft(connect_four.Reference(), 8)[6:] == [823536, 5673234]


@pytest.mark.parametrize("name", CASES)
def test_perft_equals_a_walk_of_the_tree(name: str) -> None:
    """Counting equal states together gives the same numbers as walking the whole tree."""

    def walk(rules: Rules[StateT], state: StateT, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(walk(rules, rules.play(state, move), depth - 1) for move in rules.moves(state))

    rules = CASES[name].rules
    assert perft(rules, 3) == [walk(rules, rules.start(), depth) for depth in (1, 2, 3)]


@pytest.mark.parametrize("name", CASES)
def test_random_games_keep_the_protocol(name: str) -> None:
    """A state has no moves exactly when it is over, moves are distinct and canonical, and turns alternate."""
    rules = CASES[name].rules
    for seed in range(10):
        chance = random.Random(seed)
        state = rules.start()
        assert rules.board(state) == {}
        for _ in range(60):  # Shift-Tac-Toe may go on for ever
            moves = rules.moves(state)
            assert (moves == []) == (rules.outcome(state) is not None)
            assert len(set(moves)) == len(moves)
            assert [rules.canonical_text(move) for move in moves] == moves
            if not moves:
                break
            following = rules.play(state, chance.choice(moves))
            assert rules.to_move(following) != rules.to_move(state)
            state = following


@pytest.mark.parametrize("name", CASES)
def test_illegal_text_is_refused(name: str) -> None:
    """`play` refuses text that is no move, and any move after the end of the game."""
    rules = CASES[name].rules
    state = rules.start()
    with pytest.raises(ValueError, match="illegal move 'z99'"):
        rules.play(state, "z99")
    chance = random.Random(0)
    while rules.outcome(state) is None:
        last = chance.choice(rules.moves(state))
        state = rules.play(state, last)
    with pytest.raises(ValueError, match="illegal move"):
        rules.play(state, last)


# Tic-tac-toe. Sources: the well-known counts (H. Bottomley; OEIS), and GamesmanClassic for the value.


def test_tic_tac_toe_has_255168_games() -> None:
    """The tree has 549,946 nodes with the root, 255,168 of which are finished games."""
    assert tree(tic_tac_toe.Reference()) == Tree(nodes=549_946, leaves=255_168)


def test_tic_tac_toe_is_a_draw_among_5478_positions() -> None:
    """By GamesmanClassic: 5,478 positions, a draw in 9 plies."""
    rules = tic_tac_toe.Reference()
    values = solve(rules)
    assert len(values) == 5_478
    assert values[rules.start()] == Value(DRAW, 9)


# Connect Four. Sources: GamesmanClassic, and a second independent solver.


@pytest.mark.slow
def test_connect_four_4x4_is_a_draw_among_161029_positions() -> None:
    """A draw in 16 plies, when the board is full."""
    rules = connect_four.Reference(rows=4, columns=4)
    values = solve(rules)
    assert len(values) == 161_029
    assert values[rules.start()] == Value(DRAW, 16)


def test_connect_four_names_cells_from_the_bottom() -> None:
    """Column 7 is g, and the first disc dropped into it lands on g1."""
    rules = connect_four.Reference()
    state = rules.play(rules.play(rules.start(), "7"), "7")
    assert rules.board(state) == {"g1": "yellow", "g2": "red"}


# Hex. Sources: openings and trees from two independent solvers (2x2 from one); 3x3 positions from GamesmanClassic.


def test_hex_2x2_tree_sizes() -> None:
    """The tree has 53 nodes when play stops at a win, 65 when it continues."""
    rules = hex.Reference(size=2)
    assert tree(rules).nodes == 53
    assert tree(rules, ignore_ends=True).nodes == 65


def test_hex_3x3_has_5514_positions_and_red_wins_in_5() -> None:
    """The published 5,514 counts every reachable position, the start and the 994 won ones included."""
    rules = hex.Reference(size=3)
    values = solve(rules)
    assert len(values) == 5_514
    assert sum(rules.outcome(state) is not None for state in values) == 994
    assert values[rules.start()] == Value("Red", 5)


@pytest.mark.parametrize(("size", "winning"), [(1, 1), (2, 2), (3, 5)])
def test_hex_winning_openings(size: int, winning: int) -> None:
    """The number of winning first moves; on 2x2 they are the cells of the short diagonal."""
    values = openings(hex.Reference(size=size))
    assert len(values) == size**2
    assert sum(value.outcome == "Red" for value in values.values()) == winning
    if size == 2:
        assert {move for move, value in values.items() if value.outcome == "Red"} == {"b1", "a2"}


# Nex. Source: an independent exhaustive solver.


def test_nex_2x2_is_won_by_two_openings_only() -> None:
    """The tree has 61 nodes and 37 positions; the other ten openings draw."""
    rules = nex.Reference(rows=2, columns=2)
    values = openings(rules)
    assert tree(rules).nodes == 61
    assert len(reachable(rules)) == 37
    assert {move for move, value in values.items() if value.outcome == "Black"} == {"Ba1?a2", "Bb2?b1"}
    assert Counter(value.outcome for value in values.values()) == {"Black": 2, DRAW: 10}


@pytest.mark.slow
def test_nex_3x3_is_won_by_42_openings() -> None:
    """36,397 positions; 42 openings win, 30 draw, none loses."""
    rules = nex.Reference()
    values = solve(rules)
    after_opening = [values[rules.play(rules.start(), move)] for move in rules.moves(rules.start())]
    assert len(values) == 36_397
    assert values[rules.start()].outcome == "Black"
    assert Counter(value.outcome for value in after_opening) == {"Black": 42, DRAW: 30}


def test_nex_understands_other_orders_of_a_move() -> None:
    """A generate move may name the neutral stone first, a transform its two cells in either order."""
    rules = nex.Reference()
    state = rules.start()
    assert rules.play(state, "?c2Ba1") == rules.play(state, "Ba1?c2")
    for move in ("Ba1?c2", "Wb1?b2", "Ba3?a2", "Wc1?c3"):
        state = rules.play(state, move)
    assert rules.moves(state).count("Ba2Bb2?a1") == 1
    assert "Bb2Ba2?a1" not in rules.moves(state)
    following = rules.play(state, "Bb2Ba2?a1")
    assert following == rules.play(state, "Ba2Bb2?a1")
    assert rules.board(following) == {
        "a1": "neutral",
        "a2": "black",
        "a3": "black",
        "b1": "white",
        "b2": "black",
        "c1": "white",
        "c2": "neutral",
        "c3": "neutral",
    }


@pytest.mark.parametrize("move", ["Wa1?c2", "Ba1?a1", "Ba1Ba2?b1", "Ba1", "?c2?a1", "Ba1Wc2"])
def test_nex_refuses_what_is_no_opening(move: str) -> None:
    """The opponent's colour, one cell twice, a transform without neutral stones, half a move."""
    rules = nex.Reference()
    with pytest.raises(ValueError, match="illegal move"):
        rules.play(rules.start(), move)


def test_nex_on_a_wide_board_joins_by_the_short_diagonal() -> None:
    """On 2 rows and 4 columns, a2 and b1 are neighbours; a1 and b2 are not."""
    rules = nex.Reference(rows=2, columns=4)
    state = rules.play(rules.play(rules.start(), "Ba1?a4"), "Wb4?b3")
    assert rules.outcome(rules.play(state, "Bb2?a2")) is None
    state = rules.play(rules.play(rules.start(), "Ba2?a4"), "Wb4?b3")
    assert rules.outcome(rules.play(state, "Bb1?a1")) == "Black"


def test_nex_without_a_legal_move_is_a_draw() -> None:
    """On a single cell no generate move is possible."""
    rules = nex.Reference(rows=1, columns=1)
    assert rules.outcome(rules.start()) == DRAW


# Shift-Tac-Toe. Sources: the C++ program STTGameTree, an independent re-derivation of it, and GamesmanClassic.


@pytest.mark.slow
def test_shift_tac_toe_is_won_in_13_by_the_centre_drop_only() -> None:
    """108,786 states; the side drops draw and every shift loses."""
    rules = shift_tac_toe.Reference()
    values = solve(rules)
    after_opening = {move: values[rules.play(rules.start(), move)] for move in rules.moves(rules.start())}
    assert len(values) == 108_786
    assert values[rules.start()] == Value("One", 13)
    assert {move: value.outcome for move, value in after_opening.items()} == {
        "0": DRAW,
        "1": "One",
        "2": DRAW,
        **dict.fromkeys("345678", "Two"),
    }


@pytest.mark.slow
def test_shift_tac_toe_with_the_movers_line_first() -> None:
    """Win, loss and draw counts for the side to move by GamesmanClassic, where completing both lines wins."""

    class MoversLineFirst(shift_tac_toe.Reference):
        def outcome(self, state: shift_tac_toe.State) -> str | None:
            both = super().outcome(state) == DRAW
            return shift_tac_toe.OTHER[state.mover] if both else super().outcome(state)

    rules = MoversLineFirst()
    values = solve(rules)
    assert values[rules.start()] == Value("One", 13)
    assert Counter(
        DRAW if value.outcome == DRAW else "win" if value.outcome == state.mover else "lose"
        for state, value in values.items()
    ) == {"win": 57_548, "lose": 48_894, DRAW: 2_344}


class FilteredTree(NamedTuple):
    """The tree that STTGameTree builds: the nodes up to each level, root included, and the leaves of each kind."""

    nodes: list[int]
    leaves: Counter[str]


def filtered_tree(depth: int) -> FilteredTree:
    """Build the tree to a depth with STTGameTree's filters.

    The root has no drop into column 2, empty rows are not shifted, and a configuration (ignoring the side to move) that
    equals an ancestor's is a leaf.
    """
    rules = shift_tac_toe.Reference()
    nodes = [1]
    leaves: Counter[str] = Counter()
    level = [(rules.start(), frozenset({rules.digits(rules.start())}))]  # inner nodes, with their path from the root
    for _ in range(depth):
        following = []
        nodes.append(nodes[-1])
        for state, path in level:
            for move in rules.moves(state):
                shifts_empty_row = int(move) > 2 and not any(state.rows[(int(move) - 3) // 2])
                if shifts_empty_row or (state == rules.start() and move == "2"):
                    continue
                child = rules.play(state, move)
                configuration = rules.digits(child)
                nodes[-1] += 1
                if (outcome := rules.outcome(child)) is not None:
                    leaves[outcome] += 1
                elif configuration in path:
                    leaves["loop"] += 1
                else:
                    following.append((child, path | {configuration}))
        level = following
    return FilteredTree(nodes[1:], leaves)


def test_shift_tac_toe_filtered_tree_to_level_6_is_as_published() -> None:
    """Node counts of STTGameTree, level by level."""
    assert filtered_tree(6).nodes == [3, 13, 62, 304, 1_597, 8_325]


@pytest.mark.slow
def test_shift_tac_toe_filtered_tree_to_level_8_is_as_published() -> None:
    """Node counts and leaves of STTGameTree; the first games that end with lines of both colours end at level 8."""
    assert filtered_tree(7).leaves == {"One": 3_217, "Two": 368, "loop": 1_606}
    nodes, leaves = filtered_tree(8)
    assert nodes[6:] == [44_405, 227_926]
    assert leaves == {"One": 8_921, "Two": 9_492, DRAW: 5, "loop": 8_553}


def test_shift_tac_toe_shift_loses_a_piece_and_lets_others_fall() -> None:
    """A shift left of the bottom row takes its left piece out for good; the piece above falls."""
    rules = shift_tac_toe.Reference()
    state = rules.start()
    for move in ("0", "0", "2", "7"):
        state = rules.play(state, move)
    # One on a1 and c1, Two on a2; then the bottom row moves left: a1 is lost, c1 moves to b1, a2 falls to a1.
    assert rules.board(state) == {"a1": "two", "b1": "one"}
    assert rules.variables(state) == {"shift": [1, 1, 2]}
    assert "7" not in rules.moves(state)
    assert rules.digits(state) == "000000210112"


def test_shift_tac_toe_key_comes_again_after_a_shift_and_its_reverse() -> None:
    """A shift and its reverse restore the start with the same player to move, and so do four shifts."""
    rules = shift_tac_toe.Reference()
    state = rules.start()
    keys = [rules.key(state)]
    for move in ("3", "4", "3", "4"):
        state = rules.play(state, move)
        keys.append(rules.key(state))
    assert [key == keys[0] for key in keys] == [True, False, True, False, True]


def test_shift_tac_toe_reach_bounds_the_shifts() -> None:
    """With reach 1 no row can be shifted left at the start; with reach 3 a row can be shifted left twice."""
    short, long = shift_tac_toe.Reference(reach=1), shift_tac_toe.Reference(reach=3)
    assert short.moves(short.start()) == ["0", "1", "2", "4", "6", "8"]
    state = long.play(long.play(long.start(), "3"), "3")
    assert long.variables(state) == {"shift": [3, 1, 1]}
    assert "3" not in long.moves(state)


# OpenSpiel, in lockstep.


class Match(NamedTuple):
    """A reference game, and how OpenSpiel loads it and numbers its moves."""

    rules: Rules[Any]  # as in Case
    loads_as: str
    text_of: Callable[[int], str]  # OpenSpiel's action to our move
    players: tuple[str, str]


def _hex_match(size: int) -> Match:
    return Match(
        hex.Reference(size=size),
        f"hex(board_size={size})",
        lambda action: f"{'abcdefghijk'[action % size]}{action // size + 1}",
        ("Red", "Blue"),
    )


def _connect_four_match(rows: int, columns: int, length: int) -> Match:
    return Match(
        connect_four.Reference(rows=rows, columns=columns, length=length),
        f"connect_four(rows={rows},columns={columns},x_in_row={length})",
        lambda action: str(action + 1),
        ("Yellow", "Red"),
    )


MATCHES = {
    "tic-tac-toe": Match(
        tic_tac_toe.Reference(),
        "tic_tac_toe",
        lambda action: f"{'abc'[action % 3]}{3 - action // 3}",
        ("X", "O"),
    ),
    "connect four": _connect_four_match(6, 7, 4),
    "connect four 4x4": _connect_four_match(4, 4, 4),
    "connect three 4x5": _connect_four_match(4, 5, 3),
    **{f"hex {size}x{size}": _hex_match(size) for size in range(3, 12)},
}


@pytest.mark.parametrize("name", MATCHES)
def test_random_games_agree_with_openspiel(name: str) -> None:
    """The same player to move, the same legal moves at every ply, the same winner at the end."""
    pyspiel = pytest.importorskip("pyspiel")
    rules, loads_as, text_of, players = MATCHES[name]
    game = pyspiel.load_game(loads_as)
    for seed in range(30):
        chance = random.Random(seed)
        theirs, ours = game.new_initial_state(), rules.start()
        while not theirs.is_terminal():
            action_of = {text_of(action): action for action in theirs.legal_actions()}
            assert set(rules.moves(ours)) == set(action_of)
            assert rules.to_move(ours) == players[theirs.current_player()]
            move = chance.choice(sorted(action_of))
            theirs.apply_action(action_of[move])
            ours = rules.play(ours, move)
        assert rules.moves(ours) == []
        assert rules.outcome(ours) == {1.0: players[0], -1.0: players[1], 0.0: DRAW}[theirs.returns()[0]]


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four", "connect three 4x5", "hex 3x3"])
def test_perft_agrees_with_openspiel(name: str) -> None:
    """Walk OpenSpiel's tree to depth 6, where some games have ended (none of connect four)."""
    pyspiel = pytest.importorskip("pyspiel")
    rules, loads_as, _, _ = MATCHES[name]

    def walk(state: Any, depth: int) -> int:  # a pyspiel.State; pyspiel has no types to import
        if depth == 0:
            return 1
        return sum(walk(state.child(action), depth - 1) for action in state.legal_actions())

    start = pyspiel.load_game(loads_as).new_initial_state()
    assert perft(rules, 6) == [walk(start, depth) for depth in range(1, 7)]
