"""A game as the solvers see it: the symmetries that can be used from a root, and whether positions have values."""

from __future__ import annotations

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from interpreter.errors import RuleError
from solver.game_space import GameSpace, solve_game
from tests.app.test_cli import ASKEW, CIRCLING, OVERFLOWING


def test_symmetries_are_those_that_fix_the_root() -> None:
    """All eight symmetries fix the start, two fix a corner, and one is left on request; orbits count images."""
    game = dslgame.load("tic_tac_toe")
    assert len(GameSpace(game).maps) == 8
    corner = game.start().play("a1").state
    assert len(GameSpace(game, corner).maps) == 2
    assert len(GameSpace(game, symmetry=False).maps) == 1
    space = GameSpace(game)
    assert space.orbit_size(corner) == 4
    assert len({space.canonical(after) for _, after in space.successors(space.start())}) == 3


def test_symmetries_that_swap_players_are_not_used() -> None:
    """Symmetries that swap the players never keep the player to move."""
    game = dslgame.load("hex", size=3)
    assert len(game.symmetries) == 4
    assert len(GameSpace(game).maps) == 2


def test_ignoring_ends_goes_on_from_a_finished_position() -> None:
    """With `ignore_ends` the root's outcome is ignored too."""
    game = dslgame.load("tic_tac_toe")
    won = game.start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        won = won.play(move)
    assert GameSpace(game, won.state).successors(won.state) == []
    space = GameSpace(game, won.state, ignore_ends=True)
    assert len(space.successors(space.start())) == 4


def test_rule_that_fails_tells_where() -> None:
    """The error has the place in the file and the position."""
    with pytest.raises(RuleError) as caught:
        solve_game(dslgame.loads(OVERFLOWING, name="o.game"))
    assert str(caught.value).startswith("o.game:8:5: error[G402]")
    assert "n: 2" in caught.value.position


def test_symmetry_that_does_not_hold_is_refused() -> None:
    """A wrong symmetry is refused, unless it is unused on request or because the root breaks it."""
    game = dslgame.loads(ASKEW)
    with pytest.raises(GameFileError):
        solve_game(game)
    assert solve_game(game, symmetry=False).complete
    assert solve_game(game, game.start().play("a1").state).complete


@pytest.mark.parametrize("rule", ["loses", "forbidden"])
def test_history_matters_only_where_positions_come_back(rule: str) -> None:
    """Where positions repeat, lines of play are searched; a game that uses up its cells needs no history."""
    circling = solve_game(dslgame.loads(CIRCLING.format(rule=rule)))
    assert circling.complete
    assert "depend on the moves before" in circling.reason
    text = ASKEW.replace("symmetry quarter turn", f"repetition {rule}")
    assert solve_game(dslgame.loads(text)).winner == -1


@pytest.mark.parametrize(("ending", "winner"), [("loses", 1), ("wins", 0), ("draws", -1)])
def test_a_player_who_can_only_repeat_the_start_is_stuck(ending: str, winner: int) -> None:
    """Where that is forbidden the rule for a player without moves decides, although there are moves."""
    text = f"""\
game "Still"
players A, B
board square(1, 2)
pieces a of A, b of B
start:
    "a1" := a
    "b1" := b
move stay(c in mine):
    c := own
turn again when some occupied
repetition forbidden
no moves {ending}
"""
    solution = solve_game(dslgame.loads(text))
    assert (solution.winner, solution.complete) == (winner, True)


def test_play_without_end_is_a_draw_and_said() -> None:
    """Without a repetition rule endless play is a draw, and the reason says so."""
    text = CIRCLING.format(rule="draws").replace("repetition draws\n", "").replace("square(1, 4)", "square(1, 5)")
    solution = solve_game(dslgame.loads(text))
    assert solution.cyclic
    assert "play without end counts as a draw" in solution.reason


def test_a_symmetry_that_early_moves_break_is_refused() -> None:
    """The first plies of games are among the positions on which symmetries are tested before solving."""
    game = dslgame.loads("""\
game "Wrong Symmetry"
players X, O
board square(1, 5)
pieces x of X, o of O

move place(c in empty and ((cells - left) if count(occupied) = 2 else cells)):
    c := own

lose mover when line(mine, 3)
draw when no empty
no moves loses
symmetry left right mirror
""")
    with pytest.raises(GameFileError, match="G307"):
        solve_game(game)
    assert solve_game(game, symmetry=False).winner == -1
