"""Piles: every effect compared with lists of pieces; positions as text, symmetries, drawings and pictures."""

from __future__ import annotations

from random import Random

import pytest

import dslgame
from dslgame.programs.boards import Unplain, check_plain
from interpreter import board_values
from interpreter.errors import ImpossiblePosition, RuleError
from interpreter.game import Game
from interpreter.model.state_maps import state_map
from tests.probe import shown

RULES = """
game "Piles"
players X, O
board square(3, 3)
pieces man of each, king of each, rock
piles up to 6
move put(c in cells where height(c) < 6):
    put man[mover] on c
move tuck(c in cells where height(c) < 6):
    put rock under c
move take(c in occupied, n in 0..height(c)):
    remove n from c
move shave(c in occupied, n in 0..height(c)):
    remove n from under c
move onto(c in occupied, n in 0..height(c), d in cells where c = d or n + height(d) <= 6):
    carry n from c onto d
move under(c in occupied, n in 0..height(c), d in cells where c = d or n + height(d) <= 6):
    carry n from c under d
move whole(c in cells, d in cells where c = d or height(c) + height(d) <= 6):
    carry c onto d
move replace(c in cells, d in cells):
    carry c to d
move crown(c in mine):
    c := king[mover]
move slip(r in rows):
    slide row(r) east
move spin(c in top):
    turn neighbours("b2") + "b2" clockwise
no moves draws
symmetry swapping players
show man as "m" drawn glyph
show king as "k" drawn glyph
show rock as "#"
"""
Board = dict[str, list[str]]
ROUND = {"b3": "c2", "c2": "b1", "b1": "a2", "a2": "b3"}
"""Where cells move in a clockwise turn around the middle."""


@pytest.fixture(scope="module", name="game")
def of_rules() -> Game:
    """The game of the rules above."""
    return dslgame.loads(RULES)


def played(board: Board, mover: str, words: list[str]) -> Board:
    """Apply a move to lists of pieces."""
    rule, *values = words
    found = {cell: list(pile) for cell, pile in board.items()}
    if rule == "slip":
        for column, after in (("b", "c"), ("a", "b"), ("", "a")):
            row = 3 - int(values[0])
            found[f"{after}{row}"] = board.get(f"{column}{row}", [])
        return found
    if rule == "spin":
        for cell, after in ROUND.items():
            found[after] = board[cell]
        return found
    c = values[0]
    pile = found[c]
    match rule:
        case "put":
            pile.append(f"{mover} man")
        case "tuck":
            pile.insert(0, "rock")
        case "take":
            del pile[len(pile) - int(values[1]):]
        case "shave":
            del pile[: int(values[1])]
        case "onto" | "under":
            stay = len(pile) - int(values[1])
            moving = pile[stay:]
            del pile[stay:]
            there = found[values[2]]
            there[:] = there + moving if rule == "onto" else moving + there
        case "whole" | "replace":
            found[c] = []
            found[values[1]] = (found[values[1]] if rule == "whole" else []) + pile
        case "crown":
            found[c] = [f"{mover} king"]
    return found


@pytest.mark.slow
def test_effects_do_to_piles_what_lists_say(game: Game) -> None:
    """In random games every pile equals the list after each move."""
    dice, done = Random(1), set()
    for _ in range(8):
        position = game.start()
        board: Board = {name: [] for name in game.board.names}
        for _ in range(60):
            if position.over:
                break
            by_rule: dict[str, list[str]] = {}
            for text in position.moves():
                by_rule.setdefault(text.split(":")[0], []).append(text)
            text = dice.choice(by_rule[dice.choice(sorted(by_rule))])
            rule, values = text.split(":")
            done.add(rule)
            board = played(board, position.to_move, [rule, *values.split("-")])
            position = position.play(text)
            assert position.piles == {cell: tuple(pile) for cell, pile in board.items() if pile}
            assert position.pieces == {cell: pile[-1] for cell, pile in board.items() if pile}
            assert game.read_position(position.text).piles == position.piles
    assert done == {rule.name for rule in game.rules.moves}


PILED = ('put red on "a1"', 'put blue on "a1"', 'put stone on "a1"', 'put stone under "a1"', '"b2" := blue')
"""The pile on a1 is, from the bottom, a stone, red, blue and a stone; b2 has one blue piece."""
PILE_WORDS: dict[str, list[tuple[str, str]]] = {
    "height": [('height("a1")', "4"), ('height("b2")', "1"), ('height("c3")', "0"),
               ("sum(height(c) for c in cells)", "5")],
    "below": [('below("a1", 0) = stone', "yes"), ('below("a1", 1) = blue', "yes"), ('below("a1", 2) = red', "yes"),
              ('below("a1", 3) = stone', "yes"), ('below("a1", 4) = empty', "yes"), ('below("b2", 1) = empty', "yes"),
              ('below("c3", 0) = empty', "yes")],
    "copies": [("copies(stone)", "2"), ("copies(blue)", "2"), ("copies(red)", "1")],
}
"""The functions that exist for piles alone, with their values on the piles above."""


@pytest.mark.parametrize(("expression", "value"), [case for cases in PILE_WORDS.values() for case in cases])
def test_function_of_piles(expression: str, value: str) -> None:
    """Places count from the top; covered pieces count too."""
    assert shown(expression, "piles up to 5", effects=PILED) == value


def test_players_are_swapped_in_whole_piles(game: Game) -> None:
    """A map of the board moves whole piles."""
    state = game.read_position("mM#k,.,./.,.,./.,.,m X").state
    turn = game.board.symmetry("quarter turn")[0]
    image = state_map(game.rules, game.board, turn, swapping=True, reversing=()).of_state(state)
    assert game.position_text(image) in ("M,.,Mm#K/.,.,./.,.,. O", ".,.,Mm#K/.,.,./M,.,. O", "Mm#K,.,./.,.,./.,.,M O",
                                         ".,.,M/.,.,./Mm#K,.,. O", "M,.,./.,.,./.,.,Mm#K O")
    assert "Mm#K" in game.position_text(image)


@pytest.mark.parametrize(("text", "reason"), [
    ("mMmMmMm,.,./.,.,./.,.,.", "row 1 has 7 pieces for a3, expected at most 6"),
    ("m.,.,./.,.,./.,.,.", "row 1 has 'm.' for a3"),
    ("mx,.,./.,.,./.,.,.", "or several of them as a pile"),
    ("m,./.,.,./.,.,.", "row 1 has 2 cells, expected 3"),
])
def test_texts_that_are_no_piles_are_refused(game: Game, text: str, reason: str) -> None:
    """The error says what was found."""
    with pytest.raises(ImpossiblePosition, match=reason.replace("|", r"\|")):
        game.read_position(text)


def test_pieces_with_long_glyphs_are_written_apart() -> None:
    """They are separated by a character that no glyph contains."""
    game = dslgame.loads(RULES.replace('show rock as "#"', 'show rock as "st"'))
    text = "st+m+K,.,./.,.,./.,.,st O"
    assert game.read_position(text).piles["a3"] == ("rock", "X man", "O king")
    assert game.read_position(text).text == text
    assert "piles: a3=st+m+K" in str(game.read_position(text))


def test_drawings_show_tops_heights_and_piles(game: Game) -> None:
    """A cell shows the top piece and the height of its pile; the piles are listed below the board."""
    drawn = str(game.read_position("mM#k,.,./.,.,./.,.,m"))
    assert drawn.split("\n")[0].split() == ["3", "k4", ".", "."]
    assert drawn.rstrip().endswith("piles: a3=mM#k")
    assert "piles" not in str(game.read_position("m,.,./.,.,./.,.,m"))


def test_cells_say_in_words_what_lies_under_their_tops(game: Game) -> None:
    """A text for screen readers; the highest covered piece comes first."""
    words = board_values.in_words(game, game.read_position("mM#k,.,./.,.,./.,.,m").state)
    assert words == {game.board.cell_named("a3"): "on rock, O man, X man"}


def test_programs_that_know_one_piece_a_cell_are_told_so(game: Game) -> None:
    """A board with one piece and owner per cell cannot express covered pieces, so the export is refused."""
    with pytest.raises(Unplain, match="it has pieces that are nobody's"):
        check_plain(game)
    with pytest.raises(Unplain, match="pieces lie on each other"):
        check_plain(dslgame.loads("""
game "Two"
players X, O
board square(1, 3)
pieces x of X, o of O
piles up to 3
move lay(c in cells where height(c) < 3):
    put own on c
no moves loses
"""))


def test_pictures_show_every_piece_of_a_pile(game: Game) -> None:
    """One disc per piece, the lowest first and each above the previous one."""
    flat, piled = (game.read_position(text).svg() for text in (".,.,./.,k,./.,.,.", ".,.,./.,mM#k,./.,.,."))
    assert flat.count("<circle") == 0
    assert piled.count("<circle") == 4


@pytest.mark.parametrize(("effect", "code", "phrase"), [
    ('put own on "a1"', "G424", "the pile on a1 would be 3 pieces high, above 'piles up to 2'"),
    ('carry "b1" onto "a1"', "G424", "the pile on a1 would be 3 pieces high"),
    ('carry "b1" under "a1"', "G424", "the pile on a1 would be 3 pieces high"),
    ('remove 2 from "b1"', "G425", "2 pieces are taken off b1, which has 1"),
    ('remove 0 - 1 from under "b1"', "G425", "-1 pieces are taken off b1"),
    ('carry 3 from "a1" onto "b1"', "G425", "3 pieces are taken off a1, which has 2"),
    ('put piece("c1") on "b1"', "G426", "nothing is put on a pile"),
    ('put below("b1", 1) on "b1"', "G426", "nothing is put on a pile"),
    ('put own on "a1".west', "G401", "no cell"),
    ('put piece("a1".west) on "b1"', "G401", "no cell"),
    ('carry 1 from "a1" onto "a1".west', "G401", "no cell"),
    ('remove 1 from "a1".west', "G401", "no cell"),
    ('c := own if height("a1".west) = 1', "G403", "asked of no cell"),
])
def test_effects_that_cannot_be_fail(effect: str, code: str, phrase: str) -> None:
    """The error gives the cell and its content."""
    game = dslgame.loads(f"""
game "Failing"
players X, O
board square(1, 4)
pieces x of X, o of O
piles up to 2
start:
    "a1" := x
    put o on "a1"
    "b1" := x
move go(c in empty):
    {effect}
no moves draws
""")
    with pytest.raises(RuleError) as caught:
        game.start().play(game.start().moves()[0])
    assert (caught.value.code, phrase in caught.value.phrase) == (code, True), caught.value.phrase
