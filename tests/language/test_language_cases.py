"""Definitions by cases, directions that are chosen or computed, and values listed in braces.

Each test is a small game and its expected result, worked out by hand; kernels play all of them alongside the
interpreter.
"""

from __future__ import annotations

import pytest

import dslgame
from dsl.syntax.formatter import format_text
from interpreter.analysis.dynamic_checks import try_out
from interpreter.analysis.symmetry_proof import suspects
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

HEAD = """\
game "Probe"
players Red, Blue
board square(3, 3)
pieces tiger of each, goat of each

start:
    "b1" := tiger[Red]
    "a1" := goat[Red]
    "b3" := tiger[Blue]

"""
STEP = """\
move step(c in mine, d in {way} where c.d is empty):
    carry c to c.d

win mover when no theirs
no moves draws
repetition draws
notation step "{{c}}{{d}}"
"""


def game_of(*parts: str) -> Game:
    """A game of tigers and goats with these declarations, whose kernel is checked against the interpreter."""
    text = HEAD + "\n\n".join(part.strip("\n") for part in parts) + "\n"
    assert format_text(format_text(text)) == format_text(text)
    game = dslgame.loads(text)
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.05, plies=8)
    return game


def moves_of(*parts: str, after: str = "") -> set[str]:
    """The legal moves of such a game after some moves."""
    position = game_of(*parts).start()
    for text in after.split():
        position = position.play(text)
    return set(position.moves())


def test_case_of_a_piece_of_each_player_is_that_of_both() -> None:
    """One case applies to the tigers of both players."""
    parts = ("define steps[tiger] = orthogonals", "define steps[goat] = diagonals", STEP.format(way="steps[piece(c)]"))
    assert moves_of(*parts) == {"b1north", "b1east", "a1northeast"}
    assert moves_of(*parts, after="b1north") == {"b3east", "b3west"}


def test_case_of_one_players_piece() -> None:
    """The piece of each player may have its own case; cases for all players cover the kind."""
    parts = (
        "define steps[goat[Blue]] = {south}",
        "define steps[goat[Red]] = {north}",
        "define steps[tiger] = {west}",
        STEP.format(way="steps[piece(c)]"),
    )
    assert moves_of(*parts) == {"a1north"}
    assert moves_of(*parts, after="a1north") == {"b3west"}


def test_case_with_parameters() -> None:
    """Parameters follow the case, in the definition and in its use; each case may name its own."""
    parts = (
        "define reach[tiger](c) = neighbours(c)",
        "define reach[goat](from) = ray(from, north, empty)",
        "move go(c in mine, to in reach[piece(c)](c) and empty):\n    carry c to to",
        'win mover when no theirs\nno moves draws\nrepetition draws\nnotation go "{c}{to}"',
    )
    assert moves_of(*parts) == {"b1b2", "b1c1", "a1a2", "a1a3"}


def test_case_named_by_a_piece_of_each_player() -> None:
    """`worth[tiger]` needs no player if both players' tigers have the same case."""
    parts = (
        "define worth[tiger] = 3",
        "define worth[goat] = 1",
        "move put(c in empty where c.row < worth[goat] or c.column = worth[tiger] - 1):\n    c := goat[mover]",
        "no moves draws",
    )
    assert moves_of(*parts) == {"a3", "c3", "c2", "c1"}


def test_comparison_with_a_piece_of_each_player() -> None:
    """`piece(c) = tiger` holds for the tiger of either player."""
    parts = (
        "move put(c in cells where piece(c) = tiger or piece(c) != goat and c is top):\n    c := empty",
        "win mover when no theirs\nlose mover when no mine\nno moves draws\nrepetition draws",
    )
    assert moves_of(*parts) == {"a3", "b3", "c3", "b1"}


@pytest.mark.parametrize("way", ["c.ahead[mover]", "c.opposite(back[mover])", "c.toward(mover)"])
def test_step_in_a_direction_that_is_picked_or_calculated(way: str) -> None:
    """The direction after the dot can be an indexed variable, a definition with brackets, or `opposite(...)`."""
    parts = (
        "var ahead[player] in directions",
        "start:\n    \"b1\" := goat[Red]\n    \"b3\" := goat[Blue]\n    ahead[Red] := north\n    ahead[Blue] := south",
        "define back[Red] = south\ndefine back[Blue] = north",
        "define toward(p) = ahead[p]",
        f"move go(c in mine where {way} is empty):\n    carry c to {way}",
        "win mover when no theirs or back[mover] = back[opponent] or ahead[mover] = toward(opponent)\nno moves draws",
    )
    text = HEAD[: HEAD.index("start:")] + "\n\n".join(parts) + "\n"
    game = dslgame.loads(text)
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.05, plies=8)
    assert game.start().moves() == ("b1",)
    position = game.start().play("b1")
    assert position.outcome == "draw"
    assert str(position).splitlines()[1:3] == ["2 . G .", "1 . . ."]


def test_slide_in_a_direction_that_is_calculated() -> None:
    """`slide S opposite(d)`, `slide S way[mover]`."""
    parts = (
        "define way[Red] = east\ndefine way[Blue] = west",
        "move push(d in {north, west}):\n    slide cells opposite(d)\n    slide row(2) way[mover]",
        "win mover when no theirs\nlose mover when no mine\ndraw when no occupied\nno moves draws\nrepetition draws",
    )
    position = game_of(*parts).start()
    assert set(position.moves()) == {"north", "west"}
    assert "\n".join(str(position.play("west")).splitlines()[:3]) == "3 . . t\n2 . . .\n1 . . G"


def test_directions_in_braces_are_chosen_in_board_order() -> None:
    """A direction listed twice counts once."""
    game = game_of(STEP.format(way="{east, north, north}"))
    assert game.start().moves() == ("a1north", "b1north", "b1east")


def test_test_against_values_in_braces() -> None:
    """`in {...}` works for directions, players, pieces and words."""
    parts = (
        "values phase = early, middle, late\nvar now in phase",
        "move put(c in empty, d in directions where d in {north, south} and now in {early, late}):\n"
        "    c := goat[mover]\n    now := middle",
        "move drop(c in empty where mover in {Blue} and piece(c.south) in {tiger, empty}):\n    c := goat[mover]",
        "no moves draws",
    )
    assert len(moves_of(*parts)) == 12
    assert moves_of(*parts, after="put:c3-north") == {"drop:b2", "drop:c2", "drop:a3"}


def test_symmetry_of_listed_directions_is_proven_and_refused() -> None:
    """`{east, west}` is invariant under the mirror, `{east}` is not."""
    end = "draw when no empty\nno moves draws"
    text = 'game "S"\nplayers Red, Blue\nboard square(3, 3)\npieces red of Red, blue of Blue\n'
    move = "move put(c in empty, d in {WAYS} where c.d is empty):\n    c := own\n"
    good = dslgame.loads(text + move.replace("WAYS", "east, west") + end + "\nsymmetry left right mirror\n")
    bad = dslgame.loads(text + move.replace("WAYS", "east") + end + "\nsymmetry left right mirror\n")
    assert "G307" not in {item.code for item in try_out(good)}
    assert "G307" in {item.code for item in try_out(bad)}
    assert not any(suspects(good.rules, good.board, element) for element in good.symmetries)
    assert any(suspects(bad.rules, bad.board, element) for element in bad.symmetries)


def test_pieces_in_braces_are_chosen() -> None:
    """`p in {tiger[mover], goat[mover]}` binds a piece; where cells are needed, the braces are the pieces' cells."""
    parts = (
        "define kinds = {tiger[mover], goat[mover]}",
        "move put(c in empty and top, p in kinds where c.south is not kinds):\n    c := p",
        "no moves draws",
    )
    assert moves_of(*parts) == {"a3-T", "a3-G", "c3-T", "c3-G"}
    assert moves_of(*parts, after="c3-T") == {"a3-t", "a3-g"}


def test_values_in_braces_that_depend_on_the_position() -> None:
    """Equal values count once; `none` is left out."""
    parts = (
        "var last in directions or none",
        "move step(c in mine, d in {last, opposite(last), north, east} where c.d is empty) when last != none:\n"
        "    carry c to c.d\n    last := d",
        "move point(d in {east, north}) when last = none:\n    last := d",
        "win mover when last not in {last, north} and no empty\nno moves draws\nrepetition draws",
    )
    assert moves_of(*parts) == {"point:north", "point:east"}
    assert moves_of(*parts, after="point:east") == {"step:b3-west", "step:b3-east"}


def test_numbers_in_braces() -> None:
    """Numbers come in ascending order, each once, also if they are conditional or use params."""
    game = game_of(
        "param wide = 2 in 1..2\nvar tilt in -3..3",
        "move tip(w in {wide, -1, 2, 1 - wide} where tilt + w in -3..3):\n    tilt += w",
        "win mover when tilt in {3, -3}\nno moves draws\nrepetition draws",
    )
    assert game.start().moves() == ("2",)
    assert game.start().play("2").moves() == ("-1", "2")


def test_set_of_values_given_to_a_definition() -> None:
    """A parameter can stand for a set of values, constant or not."""
    parts = (
        "var last in directions",
        "define leads(c, s) = exactly one d in s: c.d is empty",
        "move put(c in mine where leads(c, {last, east}) or leads(c, diagonals)):\n    c := empty",
        "win mover when no theirs or last = south\nlose mover when no mine\nno moves draws",
    )
    assert moves_of(*parts) == {"a1"}


def test_kind_and_owner_of_a_piece() -> None:
    """`p is tiger` holds for any player's; `p is mine`, `owner(p)`; a test of no piece is false."""
    parts = (
        "move mark(c in cells, let p = piece(c), let q = piece(c.east) where p is tiger and p is mine or q is theirs"
        " and owner(q) = opponent and p is not occupied or p is goat[Red] and q is not goat or q is {goat} and "
        "p is empty):\n    c := empty",
        "win mover when no p in pieces: some p and p is theirs\nno moves draws\nrepetition draws",
    )
    assert moves_of(*parts) == {"b1", "a1", "a3"}


def test_piece_of_a_kind() -> None:
    """`kind(p)[mover]` is the mover's piece of that kind; a name may hold a kind; a piece without owner has none."""
    parts = (
        "pieces tiger of each, goat of each, rock",
        "move turn(c in theirs, let k = kind(piece(c)) where k is {tiger, rock}):\n    c := k[mover]",
        "move swap_two(c in mine where kind(piece(c)) != kind(piece(c.west)) and tiger = kind(piece(c))):\n"
        "    c := kind(piece(c.west))[opponent]",
        "win mover when every p in pieces: kind(p)[Red] != none and p is not rock\nno moves draws\nrepetition draws",
    )
    head = HEAD.replace("pieces tiger of each, goat of each\n\n", "\n")
    game = dslgame.loads(head + "\n\n".join(parts) + "\n")
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.05, plies=8)
    assert set(game.start().moves()) == {"turn:b3", "swap_two:b1"}
    assert str(game.start().play("turn:b3")).splitlines()[0] == "3 . T ."
    assert str(game.start().play("swap_two:b1")).splitlines()[2] == "1 G g ."


def test_case_with_several_parameters() -> None:
    """Each kind of piece has its own case, and a missing case is refused."""
    parts = (
        "define steps[tiger](c, far) = neighbours(c) if far = 1 else leap(c, 1, 1)",
        "define steps[goat](c, far) = {c.north} if far = 1 else {}",
        "move go(c in mine, far in {1, 2}, d in steps[piece(c)](c, far) and empty):\n    carry c to d",
        'win mover when no theirs\nno moves draws\nrepetition draws\nnotation go "{c}{d}{far}"',
    )
    assert moves_of(*parts) == {"a1a21", "b1b21", "b1c11", "b1a22", "b1c22"}
    with pytest.raises(dslgame.GameFileError, match="G228"):
        game_of(*parts[1:])


def test_symmetry_of_kinds_is_proven() -> None:
    """Swapping the players keeps kinds that both players have, also if a local name holds them."""
    end = "win mover when no theirs\nno moves draws\nrepetition draws\nsymmetry swapping players\n"
    rule = "move turn(c in theirs, let k = kind(piece(c)) where k is {A}):\n    c := k[mover]\n"
    text = HEAD[: HEAD.index("start:")] + rule.replace("A", "tiger") + end
    assert not any(suspects(game.rules, game.board, element) for game in [dslgame.loads(text)]
                   for element in game.symmetries)
