"""Answers that reviews found wrong: plies of losses, unknown moves, and labels and tables of unusual games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dslgame
from dslgame.env import Environment
from solver.endgames import endgames
from solver.game_space import solve_game
from solver.tables.saved import SavedSolution
from solver.trees.labels import label
from solver.trees.tree import Tree

CLAIMED_SOMETIMES = """
game "EG2"

players X, O
board graph:
    w - p - q - r - v
    q - s - v
pieces mark, x of X, o of O

start:
    w := mark
    p := x
    q := o

move go(c in mine, d in neighbours(c) - mine - mark):
    carry c to d

win mover when no theirs
win mover when w is not mark and some (mine and r)
no moves loses
repetition draws
symmetry all symmetries when w is mark
show mark as "M", x as "x", o as "o"
"""
ASIDE = """
game "Aside"

players X, O
board square(1, 4)
pieces x of X, o of O
var clock in 0..5 aside

start:
    "a1" := x
    "d1" := o

move step(c in mine, d in neighbours(c) and empty where (c.column < 2) = (d.column < 2)):
    carry c to d

after every move:
    clock += 1 if clock < 5

win X when clock = 5
repetition draws
no moves loses
"""
PUZZLE = """
game "Puzzle"

players Solver
board square(1, 4)
pieces x of Solver, rock
var n in 0..3

move place(c in empty):
    c := own
    n += 1

move wait when n < 3:
    n += 1

move mark(c in empty):
    c := rock

win Solver when count(x) = 4 and n < 3
draw when n = 3
no moves loses
"""


def test_a_loss_of_unknown_length_is_not_passed_over_for_a_fast_one() -> None:
    """Where proofs tell who wins but not how soon, neither the plies nor a move that loses at once are claimed."""
    game = dslgame.load("chomp")
    position = game.start().play("c3").state
    known = solve_game(game, position)
    assert known.remoteness == 11
    proven = solve_game(game, position, method="proof")
    assert proven.winner == known.winner
    assert proven.remoteness in (None, 11)
    worth = {item.move: item.remoteness for item in proven.moves}
    assert proven.best is not None
    assert worth[proven.best] in (None, 11)


def test_endgame_tables_merge_by_no_symmetry_that_only_some_placements_have() -> None:
    """Every placement has the value that solving it alone gives."""
    game = dslgame.loads(CLAIMED_SOMETIMES)
    found = endgames(game, "Mxo")
    for tally in found.tallies:
        assert sorted(tally.wins) == [49, 71]
        assert tally.longest == 6
    for text, winner, plies in ((".o.Mx. O", 1, 3), (".o.Mx. X", 0, 5)):
        state = game.read_position(text).state
        value = found.table.value(state)
        assert value is not None
        assert (value.winner, value.remoteness) == (winner, plies)
        alone = solve_game(game, state)
        assert (alone.winner, alone.remoteness) == (winner, plies)


def test_trees_prove_nothing_where_a_repetition_ignores_variables() -> None:
    """A draw by a rule that ignores a clock depends on the moves before, and no label says otherwise."""
    game = dslgame.loads(ASIDE)
    assert solve_game(game).winner == -1
    for merge in ("none", "all"):
        tree = Tree.of(game, merge=merge, colours="with players" if merge == "all" else "without players")
        tree.grow(12)
        assert label(tree).name(0) == "unknown"


def test_positions_that_were_not_stored_are_unknown_beside_a_win(tmp_path: Path) -> None:
    """With take_wins a move beside one that wins at once may lead to a position without a value."""
    game = dslgame.load("tic_tac_toe")
    state = game.read_position("XX./OO./... X").state
    solution = solve_game(game, state, method="strong", take_wins=True, save=tmp_path / "t.solution")
    assert (solution.winner, solution.remoteness) == (0, 1)
    assert None in {item.winner for item in solution.moves}
    saved = SavedSolution.open(tmp_path / "t.solution")
    value = saved.value(state)
    assert value is not None
    assert (value.winner, value.remoteness) == (0, 1)


@pytest.mark.parametrize("method", ["auto", "strong", "shallow"])
def test_puzzles_that_cannot_be_won_have_the_plies_of_the_shortest_end_or_none(method: str) -> None:
    """A search of few plies does not know the shortest one."""
    solution = solve_game(dslgame.loads(PUZZLE), method=method)
    assert solution.winner == -1
    assert solution.remoteness == (None if method == "shallow" else 3)


def test_environments_refuse_states_of_another_shape_and_stay_as_they_are() -> None:
    """Seeds may be NumPy integers."""
    environment = Environment("tic_tac_toe", 4, seed=int(np.int64(5)))
    before = environment.texts(0)
    with pytest.raises(ValueError, match=r"states are \(4, 1\), expected"):
        environment.reset(states=np.zeros((4, 1), np.uint64))
    assert environment.texts(0) == before
    environment.reset(seed=np.int64(3))  # type: ignore[arg-type]
    assert environment.texts(0) == before
