"""Pie rules: several of them, conditions and seat swaps; and symmetries that are declared for some positions only."""

from __future__ import annotations

from functools import cache

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dsl.syntax.source import Source
from dslgame import IllegalMove
from interpreter.analysis.dynamic_checks import try_out
from interpreter.game import Game, Position, examine
from interpreter.model.state import State
from tests.probe import PLACE, loaded, played, started

SEATS = "pie rule after turn 1 by seats"
SIDES = "win Red when joined(red, top, bottom)\nwin Blue when joined(blue, left, right)"
MOVE = "move place(c in empty):\n    c := own"
MIRROR = "symmetry diagonal mirror swapping players"

# ---- seats


def test_exchanged_seats_exchange_pieces_and_goals() -> None:
    """The player who swaps continues with the first player's pieces; players keep their turn order and names."""
    position = started(MOVE, SIDES, SEATS, moves="a1")
    assert position.to_move == "Blue"
    assert "swap" in position.moves()
    swapped = position.play("swap")
    assert (swapped.to_move, swapped.pieces) == ("Red", {"a1": "red"})
    assert "swap" not in swapped.moves()
    after = swapped.play("b1")
    assert (after.to_move, after.pieces) == ("Blue", {"a1": "red", "b1": "blue"})
    after = after.play("a2")
    assert after.pieces["a2"] == "red"
    assert (after.to_move, after.outcome) == ("Red", None)


def test_winner_is_who_plays_the_winning_side() -> None:
    """Without a swap Red's goal wins for Red, after a swap for Blue, who then plays it; the other goal likewise."""
    start = started(MOVE, SIDES, SEATS)
    assert played(start, "a1 swap b1 a2 c1 a3").outcome == "Blue"
    assert played(start, "b2 swap a1 c3 b1 a3 c1").outcome == "Red"
    assert played(start, "a1 b1 a2 c1 a3").outcome == "Red"
    assert played(start, "a1 b1 a2 c1 c2 b2 a3").outcome == "Red"


def test_mover_and_opponent_win_and_lose_as_people() -> None:
    """`win mover` refers to the person who moved, whichever pieces they play."""
    start = started(MOVE, "win mover when line(mine, 3)", "lose mover when \"c3\" is mine", "draw when no empty", SEATS)
    assert played(start, "a1 swap c1 b1 c2 a2 b2").outcome is None
    assert played(start, "a1 swap c1 b1 c2 a2 b2 a3").outcome == "Blue"
    assert played(start, "a1 swap c3").outcome == "Blue"
    assert played(start, "a1 swap b3 c3").outcome == "Red"
    assert played(start, "a1 c3").outcome == "Red"


def test_no_moves_is_about_people() -> None:
    """The person to move who has no move loses."""
    start = started("move place(c in empty and top):\n    c := own", "no moves loses", SEATS)
    assert played(start, "a3 b3 c3").outcome == "Red"  # Blue cannot move
    assert played(start, "a3 swap b3 c3").outcome == "Blue"


def test_variables_of_players_stay_with_the_side() -> None:
    """`score[mover]` is the score of the side that the mover plays now."""
    position = started("move place(c in empty):\n    c := own\n    score[mover] += 1", "var score[player] in 0..9",
                       "win Red when score[Red] = 3", "win Blue when score[Blue] = 3", SEATS,
                       "value score[mover] * 10 + score[opponent]")
    position = played(position, "a1 swap")
    assert position.variables == {"score": (1, 0)}
    assert (position.to_move, position.value()) == ("Red", 1)
    assert played(position, "b1 a2 b2").variables == {"score": (2, 2)}
    assert played(position, "b1 a2 b2 a3").outcome == "Blue"


def test_turn_again_keeps_the_seat() -> None:
    """The same person moves again, with the same pieces."""
    position = started(MOVE, "turn again when count(mine) = 2", "draw when no empty", SEATS, moves="a1 swap b1 a2")
    assert position.to_move == "Blue"
    assert position.play("a3").pieces["a3"] == "red"


def test_seats_are_part_of_the_position() -> None:
    """The same pieces with other seats are a different position and drawn differently."""
    start = started(MOVE, SIDES, SEATS)
    one, other = played(start, "a1 b1 a2"), played(start, "a1 swap b1 a2")
    assert one.pieces == other.pieces
    assert one != other
    assert "seats" not in str(one)
    assert str(other).splitlines()[-1] == "seats: Red in the place of Blue, Blue in the place of Red"


def test_repetition_counts_seats() -> None:
    """A position with swapped seats does not repeat the one before."""
    position = started("move step(c in cells):\n    c := empty", "repetition draws", SEATS, moves="a1 swap a1")
    assert position.outcome is None
    assert position.play("a1").outcome == "draw"


def winner(position: Position, known: dict[State, str]) -> str:
    """The winner under best play, by exhaustive search."""
    if position.outcome is not None:
        return position.outcome
    if position.state not in known:
        outcomes = {winner(position.play(move), known) for move in position.moves()}
        other = next(name for name in position.game.players if name != position.to_move)
        known[position.state] = position.to_move if position.to_move in outcomes else (
            "draw" if "draw" in outcomes else other)
    return known[position.state]


@pytest.mark.parametrize("rules", [
    (), (SEATS,), ("pie rule after turn 1", MIRROR), ("pie rule after turn 2 by seats",),
])
def test_solver_knows_of_seats(rules: tuple[str, ...]) -> None:
    """The solver agrees with exhaustive search on a small game."""
    game = loaded(MOVE, SIDES, *rules, board="rhombus(2, 2)")
    answer = dslgame.solve(game)
    assert game.outcome_name(answer.winner) == winner(game.start(), {})


def test_a_first_move_that_wins_is_taken_over() -> None:
    """With either kind of swap the second player wins what the first would have won."""
    plain, seats, mirrored = (loaded(MOVE, SIDES, *rules, board="rhombus(3, 3)") for rules in
                              ((), (SEATS,), ("pie rule after turn 1", MIRROR)))
    winners = [game.outcome_name(dslgame.solve(game).winner) for game in (plain, seats, mirrored)]
    assert winners == ["Red", "Blue", "Blue"]


def test_both_ways_of_swapping_are_as_good() -> None:
    """Mirroring the sides and swapping the seats give the same value after each first move and a swap."""
    seats, mirrored = (loaded(MOVE, SIDES, rule, MIRROR, board="rhombus(2, 2)")
                       for rule in (SEATS, "pie rule after turn 1"))
    for move in seats.start().moves():
        one, other = (game.start().play(move).play("swap") for game in (seats, mirrored))
        assert winner(one, {}) == winner(other, {})


def test_symmetries_need_not_commute_with_the_swap() -> None:
    """The swapped image of a position is an image of the swapped position, by another symmetry."""
    game = loaded(MOVE, SIDES, "no moves draws", "pie rule after turn 1", "symmetry quarter turn swapping players",
                  "symmetry left right mirror", "symmetry half turn")
    assert [item.code for item in try_out(game)] == []
    after = game.start().play("a2")
    one, other = after.play("swap"), game.start().play("c2").play("swap")
    assert one != other
    assert one.canonical() == other.canonical()


# ---- several pie rules


@cache
def choosing() -> Game:
    return loaded(MOVE, SIDES, 'pie rule after turn 1 when "b2" is occupied',
                  'pie rule after turn 1 by seats when "a1" is occupied or "b2" is occupied',
                  "pie rule after turn 3 by seats", MIRROR)


def test_first_pie_rule_that_holds_counts() -> None:
    """The middle is swapped by the mirror, the corner by seats, and other first moves cannot be swapped."""
    start = choosing().start()
    assert "seats" not in str(start.play("b2").play("swap"))
    assert start.play("b2").play("swap").pieces == {"b2": "blue"}
    assert "seats" in str(start.play("a1").play("swap"))
    assert "swap" not in start.play("c3").moves()


def test_pie_rules_of_other_turns() -> None:
    """After three moves there is another swap; a swap counts as a move."""
    start = choosing().start()
    assert "swap" not in played(start, "c3 c2").moves()
    assert "swap" in played(start, "c3 c2 c1").moves()
    assert "swap" not in played(start, "c3 c2 c1 a3").moves()
    assert "swap" in played(start, "a1 swap c1").moves()
    back = played(start, "a1 swap c1 swap")
    assert "seats" not in str(back)
    assert back.to_move == "Red"


@pytest.mark.parametrize(("swap", "offered", "seats"), [(0, False, False), (1, True, False), (2, True, True)])
def test_param_chooses_among_pie_rules(swap: int, offered: bool, seats: bool) -> None:
    """A rule whose condition is false for the params is ignored, so that it needs no symmetry."""
    text = ('game "G"\nparam swap = 0 in 0..2\nplayers Red, Blue\nboard rhombus(3, 3)\n'
            f"pieces red of Red, blue of Blue\n{MOVE}\n{SIDES}\npie rule after turn 1 when swap = 1\n"
            "pie rule after turn 1 by seats when swap = 2\n"
            f"{MIRROR + ' when swap = 1' if not seats else ''}\n")
    game = dslgame.loads(text, swap=swap)
    position = game.start().play("b2")
    assert ("swap" in position.moves()) is offered
    assert ("turn=" in position.text) is offered
    if offered:
        assert ("seats" in str(position.play("swap"))) is seats


def test_swap_is_not_offered_elsewhere() -> None:
    """Not at the start, not later, and not twice."""
    start = started(MOVE, SIDES, SEATS)
    for moves in ("", "a1 b1", "a1 b1 c1", "a1 swap", "a1 swap b1"):
        position = played(start, moves)
        assert "swap" not in position.moves()
        with pytest.raises(IllegalMove):
            position.play("swap")


@pytest.mark.parametrize(("rules", "message"), [
    (("pie rule after turn 0 by seats",), "the pie rule is after turn 0"),
    (("pie rule after turn 1",), "no symmetry that swaps the players"),
    (("pie rule after turn 1", "symmetry half turn"), "no symmetry that swaps the players"),
    (("pie rule after turn 1", MIRROR + " when 1 > 2"), "no symmetry that swaps the players"),
    (("pie rule after turn 1 by seats", "pie rule after turn 1"), "no symmetry that swaps the players"),
])
def test_pie_rule_that_cannot_work_is_refused(rules: tuple[str, ...], message: str) -> None:
    """A pie rule that cannot work is refused with G309."""
    with pytest.raises(GameFileError, match="G309") as caught:
        loaded(MOVE, SIDES, *rules)
    assert any(message in item.phrase for item in caught.value.diagnostics)


@pytest.mark.parametrize("players", ["Solo", "Ann, Bob, Cid"])
def test_seats_are_exchanged_by_two(players: str) -> None:
    """A game for one player or for three has no seat swap."""
    with pytest.raises(GameFileError, match="G309"):
        loaded(PLACE, SEATS, players=players)


# ---- symmetries with a condition


FREE = """
move place(c in (empty if some occupied else left)):
    c := own

win mover when line(mine, 3)
draw when no empty
"""


def errors(*parts: str) -> list[str]:
    """The phrases of the errors that `dslgame check` finds."""
    source = loaded(*parts).rules.source
    game, found = examine(Source(source.name, source.text))
    assert game is not None
    return [item.phrase for item in [*found, *try_out(game)] if item.severity == "error"]


def test_symmetry_is_claimed_for_some_positions() -> None:
    """The first move breaks the symmetry, later moves do not."""
    assert errors(FREE, "symmetry left right mirror") == [
        "the rules do not have this symmetry: 'move place' (line 5) breaks it"]
    assert errors(FREE, "symmetry left right mirror when some occupied") == []
    assert errors(FREE, "symmetry all turns and mirrors when some occupied", "symmetry top bottom mirror") == []


def test_canonical_positions_follow_the_claims() -> None:
    """Positions for which no symmetry is declared are not merged."""
    game = loaded("move place(c in (empty if count(occupied) != 1 else left and empty)):\n    c := own",
                  "draw when no empty", "symmetry left right mirror when count(occupied) > 1")
    start = game.start()
    assert start.play("a1").canonical() != start.play("c1").canonical()
    assert start.play("b1").play("a1").canonical() != start.play("b1").canonical()
    two, other = start.play("c1").play("a1"), start.play("c2").play("a2")
    assert two.canonical() == game.read_position(".../.../B.R Red").canonical()
    assert two.canonical() == game.read_position(".../.../R.B Red").canonical()
    assert two.canonical() != other.canonical()


def test_solver_merges_only_what_is_claimed() -> None:
    """The values and the number of positions are the same with and without symmetries."""
    rules = "move place(c in (empty if some occupied else left)):\n    c := own"
    game = loaded(rules, "win mover when line(mine, 2)", "draw when no empty",
                  "symmetry left right mirror when some occupied", "symmetry top bottom mirror", board="square(2, 3)")
    merged, plain = dslgame.solve(game), dslgame.solve(game, symmetry=False)
    assert (merged.winner, merged.positions) == (plain.winner, plain.positions)
    assert merged.positions_merged < plain.positions
    after = game.start().play("a1")
    merged, plain = dslgame.solve(game, after.state), dslgame.solve(game, after.state, symmetry=False)
    assert (merged.winner, merged.positions) == (plain.winner, plain.positions)


def test_condition_must_stay() -> None:
    """A condition that stops holding after a move is refused, as solvers could not use the symmetry."""
    found = errors(FREE, "symmetry all turns and mirrors when count(occupied) = 2")
    assert found == ["the condition of this symmetry stops holding after a move"]


def test_condition_must_hold_for_the_image() -> None:
    """The condition must hold for the image of a position if it holds for the position."""
    rules = "move place(c in (empty if some occupied else left)):\n    c := own"
    found = errors(rules, "draw when no empty", 'symmetry left right mirror when "a1" is occupied')
    assert found == ["the condition of this symmetry holds for a position and not for its image"]


@pytest.mark.parametrize(("condition", "claimed"), [
    ("size = 3", True), ("size > 3", False), ("size > 2 and true", True),
])
def test_condition_of_params_decides_once(condition: str, claimed: bool) -> None:
    """A condition on params only decides once whether the symmetry is declared."""
    game = loaded("param size = 3", PLACE, f"symmetry quarter turn when {condition}")
    assert len(game.symmetries) == (4 if claimed else 1)
    assert [symmetry.condition for symmetry, _ in game.declared] == [None] * claimed


def test_condition_does_not_speak_of_the_mover() -> None:
    """A symmetry's condition cannot use `mine`, as it has no mover."""
    with pytest.raises(GameFileError, match="G2"):
        loaded(PLACE, "symmetry quarter turn when some mine")


def test_symmetry_of_a_board_that_is_not_square_is_refused_where_it_is_claimed() -> None:
    """It is not refused if its condition is false for the params."""
    rule = "symmetry quarter turn when rows = columns"
    params = "param rows = 2\nparam columns = 3"
    assert loaded(params, PLACE, rule, board="square(rows, columns)").declared == ()
    with pytest.raises(GameFileError, match="G306"):
        loaded(params, PLACE, "symmetry quarter turn when rows < columns", board="square(rows, columns)")
