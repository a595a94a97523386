"""Turn orders and teams, construct by construct: the turn, winners, positions as text, kernels, mistakes."""

from __future__ import annotations

import pytest

import dslgame
from dsl.syntax.formatter import format_text
from dslgame.testing import check_game
from interpreter.errors import ImpossiblePosition
from interpreter.kernel.kernel import Kernel
from solver.game_space import solve_game
from tests.probe import played

SIX = """\
game "Six"

players Black, White
turn order Black then White, White, Black, Black
board square(3, 3)
pieces black of Black, white of White

move place(c in empty):
    c := own

win mover when line(mine, 3)
draw when no empty
"""
TEAMS = """\
game "Pairs"

players North, East, South, West
team Vertical = North, South
team Horizontal = East, West
board square(2, 4)
pieces n of North, e of East, s of South, w of West

move place(c in empty):
    c := own

win mover when line(mine + allies, 3)
lose mover when count(theirs) = 4 and mover in Horizontal
draw when no empty
"""


def test_the_order_comes_again_after_what_happens_once() -> None:
    """One move, then two each; the index into the order is part of the position."""
    game = dslgame.loads(SIX)
    position, movers = game.start(), []
    for move in ["a1", "b1", "a3", "b3", "c3", "c1", "a2"]:
        movers.append(position.to_move)
        position = position.play(move)
    assert movers == ["Black", "White", "White", "Black", "Black", "White", "White"]
    assert game.start().play("a1").state.turn == 1
    assert position.state.turn == 3


def test_the_first_of_the_order_begins() -> None:
    """The first player of the order begins, even if another is declared first."""
    game = dslgame.loads(SIX.replace("Black then White, White, Black, Black", "White, White, Black"))
    assert [played(game.start(), moves).to_move for moves in ("", "a1", "a1 b1", "a1 b1 c1")] == [
        "White", "White", "Black", "White"]


def test_another_turn_keeps_the_place() -> None:
    """`turn again` takes precedence over the order."""
    game = dslgame.loads(SIX + "turn again when count(occupied) = 1\n")
    assert [played(game.start(), moves).to_move for moves in ("", "a1", "a1 b1", "a1 b1 c2")] == [
        "Black", "Black", "White", "White"]
    assert game.start().play("a1").state.turn == 0


def test_positions_say_their_place() -> None:
    """A text without a place means the first in the repeating part; a place of another player is refused."""
    game = dslgame.loads(SIX)
    position = played(game.start(), "a1 b1")
    assert position.text.endswith("White turn=2")
    assert game.read_position(position.text).state == position.state
    assert game.read_position(".../.../BW. White").state.turn == 1
    assert game.read_position(".../.../... Black turn=0") == game.start()
    with pytest.raises(ImpossiblePosition, match="expected a place at which White moves: 1, 2"):
        game.read_position(".../.../BW. White turn=3")


def test_a_team_wins_together() -> None:
    """A team wins by the pieces of both members, and when an opponent loses."""
    game = dslgame.loads(TEAMS)
    won = played(game.start(), "a1 a2 b1 b2 c1")
    assert (won.outcome, won.state.outcome) == ("Vertical", 0)
    assert game.sides == (0, 1, 0, 1)
    lost = played(game.start(), "a1 a2 c1 c2 b2 d2 d1 b1")
    assert lost.outcome == "Vertical"


def test_allies_are_neither_mine_nor_theirs() -> None:
    """South after North: one piece of each kind."""
    text = TEAMS.split("move place")[0] + """\
var seen[player] in 0..99

move place(c in empty):
    seen[mover] := 16 * count(mine) + 4 * count(allies) + count(theirs)
    c := own

win Horizontal when some p in Vertical: seen[p] = 99
draw when no empty
"""
    position = played(dslgame.loads(text).start(), "a1 b1 c1 d1 a2")
    assert position.variables["seen"] == (16 + 4 + 2, 1, 4 + 1, 4 + 2)


def test_pieces_of_allies_are_not_theirs() -> None:
    """A piece is `theirs` where its cell is: in a team an ally's is neither mine nor theirs."""
    text = TEAMS.split("move place")[0] + """\
var seen[player] in 0..99

move place(c in empty):
    seen[mover] := 16 * count({d in cells where piece(d) is mine}) +
        4 * count({d in cells where piece(d) is allies}) + count({d in cells where piece(d) is theirs})
    c := own

move swap(c in theirs, d in occupied - theirs - mine):
    c := piece(d)

win Horizontal when some p in Vertical: seen[p] = 99
draw when no empty
"""
    game = dslgame.loads(text)  # not refused: there is a cell for `d`
    position = played(game.start(), "place:a1 place:b1 place:c1 place:d1 place:a2")
    assert position.variables["seen"] == (16 + 4 + 2, 1, 4 + 1, 4 + 2)
    check_game(game, games=2, plies=8, seed=1)


TOGETHER = """\
game "Together"

players North, East, South, West
team Vertical = North, South
team Horizontal = East, West
board square(1, 4)
pieces n of North, e of East, s of South, w of West
var foes[player] in 0..4
var friends[player] in 0..4
var own_cells[player] in 0..4
var rounds in 0..2

define enemies = count(theirs)

players move together

start:
    "a1" := n
    "b1" := e
    "c1" := s
    "d1" := w

move look when count(theirs) = 2:
    foes[mover] := count({c in cells where piece(c) is theirs}) + 3 * enemies - 3 * count(theirs)
    friends[mover] := count(allies)
    own_cells[mover] := count({c in cells where piece(c) = own})

after every move:
    rounds += 1

draw when rounds = 2
no moves draws
"""


def test_effects_of_moves_together_are_those_of_their_players() -> None:
    """Each of four players has one own piece, one ally and two foes, when all moves are carried out."""
    game = dslgame.loads(TOGETHER)
    position = played(game.start(), "look look look look")
    assert position.variables["foes"] == (2, 2, 2, 2)
    assert position.variables["friends"] == position.variables["own_cells"] == (1, 1, 1, 1)
    check_game(game, games=2, plies=8, seed=1)  # the kernel, too


@pytest.mark.parametrize("text", [SIX, TEAMS], ids=["order", "teams"])
def test_kernels_play_the_same(text: str) -> None:
    """All checks of `verify`, with the kernel in plain Python."""
    check_game(dslgame.loads(text), games=3, plies=10, seed=1)


def test_orders_and_teams_are_solved() -> None:
    """A two-player order is solved by two-player methods; with teams each player maximises the team's result."""
    game = dslgame.loads(SIX)
    plain = solve_game(game, engine="interpreter", method="strong")
    searched = solve_game(game, method="alphabeta", engine="interpreter")
    assert (game.outcome_name(plain.winner), plain.remoteness) == ("Black", 5)
    assert searched.winner == plain.winner
    game = dslgame.loads(TEAMS)
    answer = solve_game(game, engine="interpreter")
    assert game.outcome_name(answer.winner) in ("Vertical", "Horizontal", "draw")
    assert answer.forces.keys() == {0, 1}
    assert Kernel.of(game, native=False)


@pytest.mark.parametrize(("line", "code"), [
    ("turn order Black then White", "G287"), ("turn order Black", "G287"), ("turn order Black, Green, White", "G203"),
    ("pie rule after turn 1", "G288"), ("symmetry swapping players", "G288"), ("team Both = Black, White", "G289"),
    ("team One = Black, Black", "G289"), ("team One = Grey", "G203"), ("team Black = White", "G201"),
])
def test_mistakes_are_told(line: str, code: str) -> None:
    """Each mistake gives its code."""
    text = SIX.replace("turn order Black then White, White, Black, Black\n", "") if "order" in line else SIX
    with pytest.raises(dslgame.GameFileError) as raised:
        dslgame.loads(text + line + "\n")
    assert code in {found.code for found in raised.value.diagnostics}


def test_the_formatter_lays_them_out() -> None:
    """Spaces after commas, around '=' and 'then'."""
    text = "turn  order Black   then White,White ,Black\nteam A=North,South\n"
    assert format_text(text).endswith("turn order Black then White, White, Black\nteam A = North, South\n")
