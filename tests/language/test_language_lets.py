"""Local names: `let e = c.d` in expressions, between choices and among effects.

Each test is a small game and its expected result, worked out by hand; kernels play all of them alongside the
interpreter.
"""

from __future__ import annotations

import pytest

import dslgame
from dsl.diagnostics import GameFileError
from dsl.syntax.formatter import format_text
from interpreter.analysis.dynamic_checks import try_out
from interpreter.analysis.symmetry_proof import suspects
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

HEAD = """\
game "Probe"

players Red, Blue
board square(3, 4)
pieces man of each, king of each
var taken[player] in 0..8

start:
    bottom := man[Red]
    "b2" := man[Blue]
    top := man[Blue]

no moves draws
repetition draws
"""


def game_of(*parts: str) -> Game:
    """A game with these declarations, whose kernel is checked against the interpreter."""
    head = HEAD if not parts[0].startswith("start:") else HEAD[: HEAD.index("start:")] + HEAD[HEAD.index("no moves"):]
    text = head + "\n" + "\n\n".join(part.strip("\n") for part in parts) + "\n"
    assert format_text(format_text(text)) == format_text(text)
    game = dslgame.loads(text)
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.05, plies=8)
    return game


USE = "win mover when taken[mover] > 7 and count(man) < 2 and no king"


def board(position: dslgame.Position) -> str:
    """The rows of the board, the lowest first."""
    return "/".join(line[2:].replace(" ", "") for line in reversed(str(position).splitlines()[:3]))


def test_name_between_choices() -> None:
    """A name is not a choice; the `where` after it restricts the choice before it."""
    game = game_of("move go(c in mine, d in directions, let e = c.d where e is empty):\n    carry c to e\n"
                   "    taken[mover] := 0", USE, 'notation go "{c}{e}{d}"')
    assert "a1a2north" in game.start().moves()
    assert game.start().play("a1a2north").state.values == (0, 0)


def test_name_keeps_what_it_was_before_the_effects() -> None:
    """`let p = piece(e)` between choices keeps its value, whatever the effects do."""
    game = game_of("move swap_two(c in mine, e in theirs, let p = piece(e), let many = count(theirs)):\n"
                   "    e := piece(c)\n    c := p\n    e := empty\n    taken[mover] := many", USE)
    after = game.start().play("a1-b2")
    assert board(after) == "mMMM/..../mmmm"
    assert after.state.values == (5, 0)


def test_name_among_effects() -> None:
    """A name has its value at the `let`, to the end of the block and in further choices."""
    game = game_of(
        "move take(c in mine):\n    let before = mine\n    c := empty\n    let p = piece(c)\n    let after = mine\n"
        "    taken[mover] := count(before - after)\n    if no (before and empty and top):\n"
        "        let k = king[mover]\n        c := k if p = empty\n"
        "    then e in before where (let d = e.north: d is not after):\n"
        "        taken[mover] += count(after)\n        e := p", USE)
    after = game.start().play("a1-d1")
    assert board(after) == "KMM./.m../mmmm"
    assert after.state.values == (4, 0)


def test_name_in_an_expression() -> None:
    """Names may hold values of any sort, in conditions, numbers, sets, definitions and ends."""
    game = game_of(
        "define beyond(c) = let e = c.north: let f = e.north: f if e is empty else e",
        "define near(s) = let n = neighbours(s): n - s",
        "move go(c in mine where (let e = beyond(c): e is theirs and (let many = count(near(e)): many > 2))):\n"
        "    carry c to (let s = beyond(c): s)\n    taken[let p = mover: p] += (let k = 1: k + k)",
        "win mover when taken[mover] > 3 and (let ways = {north, south}: some d in ways: some c in mine: c.d = none)",
        USE)
    assert set(game.start().moves()) == {"a1", "b1", "c1", "d1"} - {"a1", "d1"} | {"c1"}


def test_values_of_a_name_that_may_be_none() -> None:
    """A step off the board can be named and is `none`; using it where `none` is not allowed fails."""
    game = game_of("move go(c in mine, let e = c.east):\n    let p = piece(e)\n    c := p if e != none", USE)
    assert set(game.start().moves()) == {"a1", "b1", "c1", "d1"}
    assert board(game.start().play("d1")) == "MMMM/.m../mmmm"
    failing = dslgame.loads(
        HEAD + "move go(c in mine, let e = c.east):\n    let r = e.row\n    taken[mover] := r\n" + USE)
    assert "G403" in {item.code for item in try_out(failing)}


def test_name_in_a_forced_rule_and_the_start() -> None:
    """`let` is allowed wherever effects are."""
    game = game_of("start:\n    let row_of_men = row(2)\n    row_of_men := man[Red]\n    \"a3\" := man[Blue]",
                   "move go(c in mine, d in orthogonals, let e = c.d where e is empty):\n    carry c to e\n"
                   "    taken[mover] := 0",
                   "forced crown(c in man[mover], let r = c.row where r = 0):\n    let k = king[mover]\n    c := k",
                   USE)
    position = game.start().play("a1-north").play("a3-east").play("a2-north")
    assert board(position) == ".MMM/..../Kk.."


def test_symmetry_of_local_names_is_proven_and_refused() -> None:
    """Local values are mapped like everything else."""
    text = HEAD.replace('    "b2" := man[Blue]\n', "") + (
        "move go(c in mine, d in {WAYS}, let e = c.d where e is empty):\n    let p = piece(c)\n    c := empty\n"
        "    e := p\n    taken[mover] := 0\n") + USE + "\nsymmetry left right mirror\n"
    good = dslgame.loads(text.replace("WAYS", "north, south, east, west"))
    bad = dslgame.loads(text.replace("WAYS", "north, south, east"))
    assert not any(suspects(good.rules, good.board, element) for element in good.symmetries)
    assert any(suspects(bad.rules, bad.board, element) for element in bad.symmetries)
    assert "G307" in {item.code for item in try_out(bad)}


@pytest.mark.parametrize(("code", "rule"), [
    ("G252", "move go(c in mine, let e = none):\n    c := empty if c = e"),
    ("G253", "move go(let e = mine where some e, c in e):\n    c := empty"),
    ("G254", "move go(c in mine, let e = c.north where e is empty):\n    carry c to e\n    then go(e)"),
    ("G254", "move go(c in mine, d in cells):\n    let p = piece(c)\n    c := empty\n    d := p\n    then go(p)"),
    ("G204", "move go(c in mine, let c = 3):\n    c := empty"),
    ("G203", "move go(c in mine):\n    if some mine:\n        let p = piece(c)\n        c := p\n    c := p"),
    ("G203", 'move go(c in mine):\n    let p = piece(c)\n    c := p\n\nnotation go "{c}{p}"'),
])
def test_mistakes(code: str, rule: str) -> None:
    """Each mistake gives exactly one error."""
    with pytest.raises(GameFileError) as caught:
        dslgame.loads(HEAD + rule + "\n")
    assert [item.code for item in caught.value.diagnostics if item.severity == "error"] == [code]


def test_name_that_nothing_uses_is_worth_a_warning() -> None:
    """An unused name gives a warning, in an expression, between choices and among effects; a notation is a use."""
    rule = ("move go(c in mine, let e = c.north, let f = c.south):\n    let p = piece(c)\n    c := empty if "
            '(let k = 3: c = none)\n\nnotation go "{c}{f}"\n')
    diagnostics = dslgame.loads(HEAD + rule).warnings
    assert [item.phrase.split("'")[1] for item in diagnostics if item.code == "G255"] == ["e", "p", "k"]
