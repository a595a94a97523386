"""How boards show values of variables, on cells and below, in text and pictures, without ambiguity."""

from __future__ import annotations

import re
from itertools import product

import pytest

import dslgame
from dsl.resolve.sorts import BOOLEAN, Enumerated, Integer
from dslgame.web import playing_alone
from interpreter.beside import blocks
from interpreter.board_values import in_words
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.pictures import svg
from interpreter.site_values import holding
from tests.probe import PLACE, loaded, start_of

KINDS = {
    "number": "in 0..12",
    "negative": "in -1..1",
    "from one": "in 1..2",
    "number or none": "in 0..2 or none",
    "condition": "in boolean",
    "condition or none": "in boolean or none",
    "word": "in mood",
    "word or none": "in mood or none",
    "player": "in players",
    "player or none": "in players or none",
    "piece": "in pieces",
    "piece or none": "in pieces or none",
    "cell or none": "in cells or none",
    "direction or none": "in directions or none",
}
LOOKS = {
    "as they come": (),
    "digits": ('show red as "1"', 'show blue as "-"'),
    "signs": ('show red as "*"', 'show blue as ":"', 'show empty as ","'),
    "alike": ('show red as "a" drawn block in green', 'show blue as "A" drawn block in green',
              'show stone as "B" drawn block in green'),
}


def made(*parts: str, board: str = "square(3, 3)", players: str = "Red, Blue",
         pieces: str = "red of Red, blue of Blue, stone") -> Game:
    """A game of these declarations."""
    return dslgame.loads("\n".join([f'game "Made"\nplayers {players}\nboard {board}\npieces {pieces}', *parts]) + "\n")


def annotated(*kinds: str, looks: tuple[str, ...] = ()) -> Game:
    """A game on two cells with a variable of each kind for each cell."""
    variables = [f"var v{number}[cell] {KINDS[kind]}" for number, kind in enumerate(kinds)]
    return made("values mood = cold, warm", *variables, PLACE, *looks, board="square(1, 2)")


def states(game: Game) -> list[State]:
    """All states of the first cell and its values; the second cell is as at the start."""
    start = game.start().state
    domains: list[list[int | None]] = []
    for kind in game.rules.variables:
        sort = kind.sort
        count = (2 if sort == BOOLEAN else len(sort.values) if isinstance(sort, Enumerated)
                 else {"player": 2, "piece": 4, "cell": 2, "direction": 8}.get(str(sort), 2))
        known = range(sort.low, sort.high + 1) if isinstance(sort, Integer) else range(count)
        domains.append([*([None] if kind.or_none else []), *known])
    found = []
    for piece, *values in product(range(len(start.pieces)), *domains):
        pieces = [0] * len(start.pieces)
        pieces[0] |= 2
        pieces[piece or 0] |= 1
        listed = list(start.values)
        for number, value in enumerate(values):
            listed[2 * number] = value
        found.append(start._replace(pieces=tuple(pieces), values=tuple(listed)))
    return found


PAIRS = [("number", "number"), ("number or none", "condition"), ("word", "number"), ("condition", "condition or none"),
         ("negative", "number or none"), ("piece", "player or none"), ("from one", "number")]


@pytest.mark.parametrize("looks", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), *PAIRS], ids=" and ".join)
def test_no_two_positions_are_drawn_alike(kinds: tuple[str, ...], looks: tuple[str, ...]) -> None:
    """Text and picture differ for any two contents of a cell and values of its variables."""
    game = annotated(*kinds, looks=looks)
    found = states(game)
    assert len({game.drawing(state) for state in found}) == len(found)
    assert len({svg(game, state) for state in found}) == len(found)


def shown(game: Game, move: str) -> str:
    """The first row of the board after a move, without its label."""
    return str(game.start().play(move)).split("\n")[0].removeprefix("1 ")


SET = ("move place(c in empty, i in 0..2, j in 0..2):\n    c := own\n    one[c] := i\n    other[c] := j\n\n"
       "draw when no empty")


def test_values_of_several_variables_are_told_apart_with_their_zeros() -> None:
    """Values are shown in file order, zeros included; if all are zero, nothing is shown."""
    game = made("var one[cell] in 0..30", "var other[cell] in 0..30", SET, board="square(1, 2)")
    assert shown(game, "a1-2-0") == "R2,0  ."
    assert shown(game, "a1-0-2") == "R0,2  ."
    assert shown(game, "a1-0-0") == "R ."


def test_first_value_of_a_variable_that_can_be_none_is_shown() -> None:
    """Zero and the first word are shown; `none` is not."""
    game = made("values mood = cold, warm", "var heat[cell] in mood or none",
                "move place(c in empty, m in mood):\n    c := own\n    heat[c] := m", "draw when no empty",
                board="square(1, 2)")
    assert shown(game, "a1-cold") == "R:cold   ."
    assert words_of(svg(game, game.start().play("a1-cold").state))[0] == "cold"
    assert in_words(game, game.start().play("a1-cold").state) == {0: "heat cold"}
    assert shown(game, "b1-warm") == "  .    R:warm"


def test_number_stands_alone_on_an_empty_cell() -> None:
    """A number is shown without a dot, unless a piece could be mistaken for it."""
    assert str(dslgame.load("sliding_puzzle").start()).split("\n")[0] == "3 . 8 7"
    assert str(annotated("from one").start()).split("\n")[0] == "1 1 1"
    assert str(annotated("from one", looks=LOOKS["digits"]).start()).split("\n")[0] == "1 .:1 .:1"


def words_of(picture: str) -> list[str]:
    """The texts in a picture."""
    return re.findall(r">([^<>]+)</text>", picture)


def test_number_does_not_hide_the_letter_of_a_piece() -> None:
    """A piece shown by a letter keeps it beside the number; a plain disc carries the number."""
    game = made("var age[cell] in 0..9", "move place(c in empty, p in pieces where p != empty):\n    c := p\n"
                "    age[c] := 7", "draw when no empty", board="square(1, 4)",
                pieces="monk of Red, knave of Red, crown of Blue, tall of Blue")
    position = game.start().play("a1-M").play("b1-K").play("c1-C").play("d1-T")
    assert words_of(svg(game, position.state))[:6] == ["7", "K", "7", "7", "T", "7"]
    game = dslgame.loads(game.rules.source.text + 'show monk as "m"\n')
    position = game.start().play("a1-m")
    assert words_of(svg(game, position.state))[:2] == ["M", "7"]


def test_values_by_index_are_labelled_and_empty_is_no_piece_to_count() -> None:
    """`hand[piece]` has a value for `empty`, which is shown only after a rule has changed it."""
    game = made("var hand[piece] in 0..4 = 3", "var seen[row] in 0..2",
                "move place(c in empty):\n    c := own\n    hand[own] -= 1\n    seen[c.row] += 1",
                "move clear(c in mine):\n    c := empty\n    hand[empty] -= 1",
                "draw when no empty")
    after = game.start().play("place:a3")
    assert str(after).split("\n")[4:] == ["hand: red=2, blue=3, stone=3", "seen: 3=1, 2=0, 1=0"]
    words = words_of(after.svg())
    said = ["Red", "hand:", "×2", "Blue", "hand:", "×3", "hand:", "×3", "seen: 3 1, 2 0, 1 0"]
    assert words[words.index("Red") : -1] == said
    after = after.play("place:a1").play("clear:a3")
    assert str(after).split("\n")[4] == "hand: empty=2, red=2, blue=2, stone=3"


def test_long_lines_under_a_picture_are_broken() -> None:
    """Long lines are wrapped, so that they do not widen the picture of a small board."""
    game = made("var count[piece] in 0..4 = 1", PLACE,
                pieces="red of Red, blue of Blue, " + ", ".join(f"piece_number_{n}" for n in range(12)))
    drawing = game.start().svg()
    counts = re.findall(r'y="([^"]*)"[^>]*>×1<', drawing)
    assert len(counts) == 14
    assert len(set(counts)) > 4  # a line for each player, and several for the others


def test_players_without_a_colour_get_none_that_another_has() -> None:
    """A player named Red gets red, so that no other player gets it from the palette."""
    game = made(PLACE, players="Alice, Red", pieces="a of Alice, b of Red")
    colours = set(re.findall(r'<circle[^>]* fill="(#\w+)"', game.start().play("a1").play("b1").svg()))
    assert len(colours) == 2


def test_variable_that_is_drawn_nothing_is_on_no_board() -> None:
    """Text boards, pictures, what stands beside them and words for cells leave it out; the position keeps it."""
    rules = ("var mark[cell] in 0..9", "var load[cell] in 0..9", "var wall[border] in boolean", "var laid in 0..9",
             "var last in cells or none", "var score[player] in 0..9",
             start_of('"a1" := red', 'load["a1"] := 3', 'mark["a1"] := 4', 'wall[border("b1", east)] := true',
                      "score[Blue] := 7", "laid := 1"),
             "move place(c in empty):\n    c := own\n    laid += 1\n    last := c\n    mark[c] := laid",
             "draw when no empty or laid + mark[last] + load[last] + score[Red] > 15 or wall[border(last, north)]")
    hiding = ", ".join(f"{name} drawn nothing" for name in ("mark", "wall", "laid", "last"))
    plain, hidden = (loaded(*rules, *more, board="square(1, 3)").start() for more in ((), (f"show {hiding}",)))
    assert str(hidden).splitlines() == ["1 R3 .  .", "  a  b  c", "score: Red=0, Blue=7"]
    assert [row.name for block in blocks(hidden.game, hidden.state) for row in block.rows] == ["score", "score"]
    assert in_words(hidden.game, hidden.state) == {0: "load 3"}
    assert "laid" not in hidden.svg()
    assert "laid" in plain.svg()
    assert len(list(holding(plain.game, plain.state, "border"))) == 1
    assert not list(holding(hidden.game, hidden.state, "border"))
    assert hidden.text == plain.text
    assert hidden.game.read_position(hidden.text) == hidden
    assert [line["name"] for line in playing_alone.picture(hidden.game)["lines"]] == ["score"]
