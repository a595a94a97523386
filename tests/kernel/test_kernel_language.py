"""Kernels of the language: each construct is lowered, and its kernel agrees with the interpreter.

The small games of the language's tests are played by their kernels: some whenever they are made (`tests.probe`), many
in the slow test here. This module has the constructs that those leave out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dslgame
from dslgame.testing.engines import KernelEngine, Lockstep
from dslgame.testing.properties import Ply, Unchecked
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.errors import RuleError
from interpreter.kernel.kernel import Kernel
from tests.probe import SAMPLED
from tests.walking import Walk

HEAD = """
game "Probe"
players Red, Blue
board square(4, 4)
pieces red of Red, blue of Blue, stone
"""
PARTS = {
    "names, braces of values, kinds and owners": """
pieces man of each, king of each
var last in directions or none
var taken in 0..9
start:
    "a1" := man[Red]
    "b2" := king[Red]
    "d4" := man[Blue]
    "c2" := blue
define beyond(c, d) = let e = c.d: e if e is not occupied else none
move go(c in mine, d in {north, opposite(north), east, last}, let e = beyond(c, d) where e != none, let p = piece(e.d))
        when last != none:
    let q = piece(c)
    let s = theirs
    c := empty
    e := kind(q)[opponent] if q is {man, king} and p is theirs else q
    last := d
    taken := max(0, min(9, taken + count(s) - count(theirs))) if owner(p) != none and kind(p) is not stone
    then w in {1, -1, taken - 8}, let t = taken where w + t in {0, 1, 2, 8}:
        taken := max(0, min(9, t + w))
        slide row(0) towards last if w > 0 else west
move begin(d in {north, east}) when last = none:
    last := d
forced fall(c in stone, let e = c.south where e is empty):
    carry c to e
win mover when taken = 9 or no p in pieces: some p and p is theirs
notation go "{c}{e}{d}{p}{w}"
no moves draws
repetition draws
""",
    "piles: every effect, and pieces of a cell in several words": """
piles up to 40
var n in 0..3
start:
    {c in cells where c is not corners} := red
    {"b1", "b2"} := blue
    put stone on "b2"
    put stone under "a2"
    put blue on "b2"
move stack(c in cells, d in neighbours(c) and occupied where height(c) < 30):
    put piece(d) on c
    put piece(d) on c
    n := height(c) mod 4
move tuck(c in occupied where height(c) < 36 and below(c, 1) != empty):
    put own under c
    put below(c, 1) under c
    carry 1 from c under c
move top(c in occupied, k in 1..height(c), d in neighbours(c) where k + height(d) < 20):
    carry k from c onto d
    then e in neighbours(d) and occupied:
        carry min(k, height(e)) - 1 from e onto c
move low(c in occupied, d in cells where n <= height(c) and height(c) + height(d) < 30):
    carry n from c under d
move whole(c in occupied, d in left where c = d or height(c) + height(d) < 30):
    carry c onto d
    n := copies(stone) mod 4
move all_under(c in mine, d in neighbours(c) where height(c) + height(d) < 30):
    carry c under d
    carry 1 from d under d
move less(c in occupied, k in 0..height(c) where height("b2") >= n):
    remove k from c
    if c != "b2":
        remove n from under "b2"
move replace(c in theirs where below(c, 1) = red or below(c, height(c) - 1) = stone):
    c := stone if copies(stone) < 2 else own
    {"a1", "b2"} := empty
move away(c in mine - bottom where height(c) > 1):
    carry c to c.south
move slip(r in rows):
    slide row(r) east
    turn {d in cells where d.row < 3 and d.column < 3} clockwise
win mover when some c in mine: height(c) > 20
draw when sum(height(c) for c in cells) > 90
no moves draws
symmetry swapping players
""",
    "piles: effects that fail": """
piles up to 3
var n in 0..3
start:
    {"a1", "b1"} := red
    put stone on "b1"
move stack(c in cells, d in orthogonals):
    put piece(c.d) on c
    n := height(c)
move top(c in occupied, k in 0..n, d in orthogonals where some {c.d}):
    carry k from c onto c.d
move low(c in occupied, d in orthogonals):
    carry n from c under c.d
move less(c in occupied):
    remove n - 1 from c
    remove 1 from under c.north
draw when count(occupied) > 9
no moves draws
""",
    "definitions by cases with parameters, one of several listings to choose from": """
define paths[red] = {north, east}
define paths[blue] = orthogonals
define paths[stone] = {}
define reach[red](c) = neighbours(c)
define reach[blue](c) = ray(c, south) + c
define reach[stone](c) = c
move step(c in mine, d in paths[piece(c)] where c.d is empty):
    carry c to c.d
move put(c in empty, d in paths[own] where c in reach[own](c.opposite(d)) and d in {north, south, west}):
    c := own
    slide row(0) opposite(d)
draw when no empty
no moves draws
""",
    "walls between cells, and what they cut": """
var wall[border] in boolean
var post[vertex] in boolean
var last in border or none
move build(b in borders where not wall[b] and some (beside(b) and empty) and count(borders_of(b)) > 0):
    wall[b] := true
    last := b
move plant(v in vertices where not post[v] and count(beside(v)) = 4, d in {north, east}):
    post[v] := true
    each c in beside(v) where border(c, d) != none:
        wall[border(c, d)] := not wall[border(c, d)]
move go(c in mine, d in orthogonals where c.d is empty and not wall[border(c, d)]):
    carry c to c.d
move put(c in empty where some (group("b2", cells cut by wall) and c) and vertex(c, northeast) != none):
    c := own
define borders_of(b) = beside(b) - stone
turn again when last != none and joined(empty cut by wall, top, bottom) and loop(cells cut by wall)
win mover when distance(mine cut by wall, left, right, empty) = 0
draw when no empty
no moves draws
repetition draws
""",
    "tracks that cross themselves, of a player, and the other way": """
var n in 0..3
track knot = "a2" to "c2", "b3" to "b1", "a1" cyclic
track way = "a1" to "a3" to "c3"
define lap[Red] = way
define lap[Blue] = opposite(way)
move put(c in empty where next(c, lap[mover], n) is not mine and c not in reach("a2", lap[mover])):
    c := own
    n := (n + 1) mod 4
move go(c in mine, d in around(c, knot) + reach(c, opposite(knot), empty) + (ray(c, knot) and way) - mine):
    carry c to d
turn again when some c in mine: next(c, opposite(way)) is theirs
win mover when count(mine and knot) > 3
draw when no empty
no moves draws
repetition draws
""",
    "steps by numbers that change, forwards, backwards and in computed directions": """
var n in -2..3
var way in directions
move put(c in empty where next(c, way, n) is not mine):
    c := own
    n := -2 + (n + 3) mod 6
move go(c in mine, d in directions, k in -3..3 where next(c, d, k) is empty):
    carry c to next(c, d, k)
    way := opposite(d)
turn again when some c in mine: next(c.north, east, n) is theirs or next(c, south) is stone
draw when no empty
no moves draws
repetition draws
""",
    "leaps by numbers that change": """
var n in 0..3
move put(c in empty where no (leap(c, n, 1) and mine)):
    c := own
    n := (n + 1) mod 4
draw when no empty
no moves draws
""",
    "what a ray meets, where it does not depend on what is met": """
move put(c in empty where no x in ray(c.southeast, north) where joined(mine + stone, red, ray(c, southwest))):
    c := own
draw when no empty
no moves draws
""",
    "lines in lengths that change": """
var n in 1..6
move put(c in empty):
    c := own
    n := 1 + (n + 2) mod 6
win mover when line(mine, n)
draw when count(lines(mine, n)) > 2
draw when no empty
""",
    "lines of no length": """
var n in 0..6
move put(c in empty):
    c := own
    n := (n + 2) mod 7
win mover when line(mine, n)
draw when no empty
""",
    "effects for many numbers with a condition": """
var m in 0..99
move put(c in empty):
    c := own
    each i in 0..98 where i < 4 or (i > 66 and m < 90):
        m := (m + i) mod 97
draw when no empty
""",
    "networks as parameters": """
define met(net) = joined(net, top, bottom)
move put(c in empty):
    c := own
win mover when met(mine)
draw when no empty
""",
    "names of the kernel's own functions": """
define number = count(empty)
var S in 0..9
move apply(close in empty, has_move in 1..2):
    close := own
    S := has_move
    then k in empty where k != close:
        k := stone
forced flood(word in mine where word in top and count(mine) > 3):
    word := stone
win mover when some image in mine: image in bottom and S = 2
draw when number < 2
no moves draws
""",
    "moves that go on without end": """
start:
    "a1" := red
move go(a in red, b in neighbours(a) and empty):
    carry a to b
    then go(b) or stop
draw when no red
""",
    "nobody says what happens without a move": """
move put(c in empty) when count(mine) < 2:
    c := own
win mover when line(mine, 4)
""",
    "illegal moves, and passes where none is left": """
move put(c in empty):
    c := own
illegal when count(mine and left) > 1
illegal when count(mine and right) > 1
no moves passes
win Red when count(empty) < 3
draw when no empty
""",
}


@pytest.mark.parametrize("construct", PARTS)
def test_kernel_means_the_same(construct: str) -> None:
    """In plain Python."""
    game = dslgame.loads(HEAD + PARTS[construct].lstrip())
    walk = Walk(game, Kernel.of(game, native=False), may_fail=True)
    walk.walk(4, 0.4, plies=20)
    assert walk.games


@pytest.mark.slow
@pytest.mark.parametrize("construct", PARTS)
def test_compiled_kernel_means_the_same(construct: str) -> None:
    """The same with compiled kernels."""
    game = dslgame.loads(HEAD + PARTS[construct].lstrip())
    Walk(game, Kernel.of(game), may_fail=True).walk(20, 4, plies=20)


def test_rule_that_fails_fails_in_random_games_too() -> None:
    """No rule says what happens to a player without a move."""
    game = dslgame.loads(HEAD + PARTS["nobody says what happens without a move"].lstrip())
    kernel = Kernel.of(game, native=False)
    with pytest.raises(RuleError) as caught:
        kernel.play_outs(5)
    assert caught.value.code == "G407"
    with pytest.raises(RuleError):
        kernel.perft(6)


ONE_IN = 4
"""One in so many games of the language tests. `DSLGAME_KERNEL_OF_ONE_IN=1 pytest tests/language` plays all of them."""


@pytest.mark.slow
def test_kernels_play_many_games_of_the_language_tests() -> None:
    """Some hundreds of small games; those of the docs' pages are in `test_docs`."""
    folder = Path(__file__).parents[1] / "language"
    files = sorted(str(path) for path in folder.glob("test_language*.py") if path.stem != "test_language_random")
    assert files
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *files],
        cwd=folder.parents[1], env={**os.environ, SAMPLED: str(ONE_IN)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]


WALKING = """
game "Walking"
players One
board square(1, 70)
pieces walker of One, print
var more in 0..99
start:
    "a1" := walker
move walk(a in mine, b in {a.east, a.west} and SO_FAR):
    a := print
    b := own
    GOING
win mover when no empty
no moves draws
"""


def test_a_move_of_very_many_values() -> None:
    """A move with one value for each of 70 cells."""
    game = dslgame.loads(WALKING.replace("SO_FAR", "empty").replace("GOING", "then walk(b)"))
    start = game.engine.start()
    (move,) = game.engine.legal(start)
    assert len(move.values) == 70
    kernel = Kernel.of(game, native=False)
    assert kernel.legal(start) == [move]
    assert kernel.after(start, move) == game.engine.apply(start, move)


def test_a_move_of_too_many_values_is_refused() -> None:
    """The kernel refuses the move and names the limit; the interpreter lists it, and lockstep says nothing."""
    game = dslgame.loads(WALKING.replace("SO_FAR", "(empty + print)").replace("GOING", """more += 1
    then walk(b)""").replace("b in {a.east, a.west}", "b in {a.east if a.east is empty else a.west}").replace(
        "square(1, 70)", "square(1, 40)").replace("GOING", "then walk(b)"))
    start = game.engine.start()
    assert len(game.engine.legal(start)[0].values) > 60
    with pytest.raises(NotLowered, match="moves of more than 60 values"):
        Kernel.of(game, native=False).legal(start)
    with pytest.raises(Unchecked):
        Lockstep(game, "kernel", KernelEngine).check(Ply(game.start()))
