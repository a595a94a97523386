"""Shared effects: `effect NAME(...)`, `after every move`, steps, and further choices under a condition."""

from __future__ import annotations

import textwrap

import pytest

import dslgame
from dsl.syntax.source import Source
from dslgame import GameFileError, Position
from dslgame.testing import check_game
from interpreter.game import examine

HEAD = """
game "Shared"
players White, Black
board square(3, 3)
pieces man of each, king of each
var clock in 0..9
var last in cells or none
start:
    "a1" := man[White]
    "c3" := man[Black]
"""
TAIL = """
draw when clock = 9
no moves loses
"""


def game(text: str, tail: str = TAIL) -> dslgame.Game:
    """The game with some rules between its head and its end; its kernel is checked against the interpreter."""
    found = dslgame.loads(HEAD + textwrap.dedent(text) + tail)
    check_game(found, games=6, seed=1)
    return found


def play(text: str, *moves: str) -> Position:
    """The position after some moves of such a game."""
    position = game(text).start()
    for move in moves:
        position = position.play(move)
    return position


def codes(text: str) -> list[str]:
    """The codes of the findings in such a game."""
    return [item.code for item in examine(Source("test.game", HEAD + textwrap.dedent(text) + TAIL))[1]]


STEP = """
move step(a in mine, b in neighbours(a) - mine):
    carry a to b
"""


def test_effects_follow_every_move_before_forced_rules() -> None:
    """A forced rule sees the clock as `after every move` left it; a pass does not trigger it."""
    position = play(STEP + """
after every move:
    clock += 1
after every move:
    clock += 1 if clock = 2
forced crown(c in man[mover]) when clock = 3:
    c := king[mover]
pass
""", "a1-a2", "pass", "a2-a3")
    assert position.variables["clock"] == 3
    assert position.pieces["a3"] == "White king"


def test_a_named_effect_binds_its_parameters_before_its_first_effect() -> None:
    """A parameter keeps the value that it had before the effect's first statement."""
    position = play("""
    effect take(c, many):
        c := empty
        clock += many
        note(c)

    effect note(place):
        last := place

    move shoot(a in mine, b in theirs):
        take(b, count(occupied) + 1)
    """, "a1-c3")
    assert position.variables["clock"] == 3
    last = position.variables["last"]
    assert isinstance(last, int)
    assert position.game.board.names[last] == "c3"
    assert position.pieces == {"a1": "White man"}


def test_parameters_can_be_sets_pieces_and_players() -> None:
    """An effect can also be used in a forced rule, in `each` and in `start`."""
    found = dslgame.loads(textwrap.dedent("""
    game "Sorts"
    players White, Black
    board square(2, 3)
    pieces man of each, king of each
    var score[player] in 0..9
    effect fill(s, p):
        s := p
    effect pay(who, n):
        score[who] += n
    start:
        fill({"a1", "b1"}, man[White])
        fill("c2", king[Black])
        fill("c1", king[Black])
        fill("c1", empty)
    move grow(c in empty):
        fill(c, man[mover])
        each n in neighbours(c) and theirs:
            pay(mover, 1)
    win mover when score[mover] > 1
    draw when no empty
    """))
    check_game(found, games=6, seed=1)
    position = found.start()
    assert position.pieces == {"a1": "White man", "b1": "White man", "c2": "Black king"}
    assert position.play("b2").variables["score"] == (1, 0)


@pytest.mark.parametrize(("text", "code"), [
    ("effect loop(c):\n    loop(c)\n" + STEP, "G271"),
    ("move go(a in mine):\n    neighbours(a)\n", "G270"),
    ("move go(a in mine):\n    vanish(a)\n", "G203"),
    ("effect take(c):\n    c := empty\nmove go(a in mine):\n    take(a, a)\n", "G216"),
    ("effect take(c):\n    c := empty\neffect take(c):\n    c := own\nmove go(a in mine):\n    take(a)\n", "G201"),
    ("effect take(c):\n    then d in empty:\n        d := empty\nmove go(a in mine):\n    take(a)\n", "G218"),
    ("effect take(c):\n    c := wrong\n" + STEP, "G203"),
    ("effect take(c):\n    c := empty\n" + STEP, "G302"),
    (STEP + "after every move:\n    then c in empty:\n        c := empty\n", "G218"),
    (STEP + "step on(a in mine, b in empty):\n    carry a to b\n", "G272"),
    (STEP + "repetition draws at last\n", "G220"),
])
def test_mistakes(text: str, code: str) -> None:
    """Each mistake is found when the file is checked."""
    assert code in codes(text)


CROWN = """
move step(a in mine, b in neighbours(a) - mine):
    carry a to b
    then crowned in boolean when b is man and b is top:
        b := king[mover] if crowned
notation step "{a}{b}={crowned}"
"""


def test_a_further_choice_may_depend_on_what_was_done() -> None:
    """On the far row the player chooses whether to crown; elsewhere the move and its text end."""
    position = play(CROWN + "pass\n", "a1a2", "pass")
    assert set(position.moves()) == {"a2a3=no", "a2a3=yes", "a2b2", "a2a1", "pass"}
    assert position.play("a2a3=yes").pieces["a3"] == "White king"
    assert position.play("a2b2").pieces["b2"] == "White man"


def test_steps_are_no_moves_and_go_on_where_their_condition_holds() -> None:
    """A step is only a continuation, and only if the condition after it holds."""
    text = """
    step on(a in mine, b in {a.north} and empty):
        carry a to b
        then on(b) if b.row > 1

    move walk(a in mine, b in {a.east, a.north} and empty):
        carry a to b
        clock += 1
        then on(b) or stop if b is left

    notation walk "{a}{b}"
    notation on "{a}{b}"
    """
    position = game(text).start()
    assert set(position.moves()) == {"a1a2a3", "a1a2", "a1b1"}
    assert position.play("a1a2a3").pieces["a3"] == "White man"


def test_kernels_without_passes_do_the_same() -> None:
    """The perft counts of a plain kernel agree with the interpreter."""
    from interpreter.kernel.kernel import Kernel

    found = game(CROWN)
    kernel = Kernel.of(found, native=False)
    counts, _ = kernel.perft(3)
    positions, expected = [found.start()], []
    for _ in range(3):
        positions = [position.play(move) for position in positions for move in position.legal()]
        expected.append(len(positions))
    assert counts == expected


def test_a_broken_use_gives_no_game() -> None:
    """The error is a GameFileError."""
    with pytest.raises(GameFileError, match="G216"):
        dslgame.loads(HEAD + "effect take(c):\n    c := empty\nmove go(a in mine):\n    take()\n" + TAIL)
