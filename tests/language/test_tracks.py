"""Tracks: sequences of cells, steps and rays along them; values by hand from the sample board.

    3 S . .
    2 . B .
    1 R R B
      a b c
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from dsl.diagnostics import GameFileError
from interpreter.analysis.symmetry_proof import suspects
from interpreter.boards import members
from interpreter.boards.courses import Course, around, ray_along, reach_along
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state_maps import state_map
from tests.probe import PLACE, cells, loaded, named, shown
from tests.walking import Walk

RIM = 'track rim = "a1" to "c1", "c2" to "c3", "b3" to "a3", "a2" cyclic'
SAME = 'track rim = "a1" to "c1" to "c3" to "a3" to "a2" cyclic'
WAY = 'track way = "a1" to "a3", "c3"'
TRACK_WORDS = ("around",)
"""The functions for tracks alone, tested here; `next`, `ray`, `reach` and `opposite` take a track or a direction."""
EIGHT = 'track eight = "a2" to "c2", "b3" to "b1" cyclic'


@pytest.mark.parametrize(("expression", "value"), [
    ('next("a1", rim)', "b1"),
    ('next("a2", rim)', "a1"),
    ('next("a1", rim, 4)', "c3"),
    ('next("a1", rim, 8)', "a1"),
    ('next("a1", rim, -1)', "a2"),
    ('next("a1", rim, -9)', "a2"),
    ('next("a1", opposite(rim))', "a2"),
    ('next("a1", opposite(opposite(rim)), 2)', "c1"),
    ('next("a1", rim, count(mine))', "c1"),
    ('next("a3", way)', "c3"),
    ('next("c3", opposite(way))', "a3"),
])
def test_next_cell(expression: str, value: str) -> None:
    """A cyclic track continues at its first cell; negative numbers step backwards."""
    assert shown(expression, RIM, WAY) == value


@pytest.mark.parametrize("expression", [
    'next("b2", rim)', 'next("c3", way)', 'next("a1", way, -1)', 'next("a1", way, 9)', 'next("a1".west, rim)',
    'next("a1".west, rim, 2)',
])
def test_no_next_cell(expression: str) -> None:
    """There is none for a cell off the track, past its ends, or from no cell."""
    assert shown(f"{expression} = none", RIM, WAY) == "yes"


@pytest.mark.parametrize(("expression", "expected"), [
    ("rim", "a1 b1 c1 c2 c3 b3 a3 a2"),
    ("rim and mine", "a1 b1"),
    ('ray("a3", way)', "c3"),
    ('ray("a1", rim)', "b1 c1 c2 c3 b3 a3 a2"),
    ('ray("c1", rim, empty)', "c2 c3 b3"),
    ('ray("c1", opposite(rim), mine)', "b1 a1"),
    ('ray("a1", opposite(way))', ""),
    ('ray("b2", rim)', ""),
    ('ray("a1".west, rim)', ""),
    ('ray("b2", eight)', "a2 b1 b2 b3 c2"),
    ('ray("b2", eight, empty)', "c2 b3"),
    ('reach("c1", rim)', "c2 c3 b3 a3"),
    ('reach("c1", rim, {})', "c2"),
    ('reach("a1", way)', "a2 a3"),
    ('reach("b1", eight)', "a2 b2"),
    ('reach("b2", eight)', "b1 b2 b3 c2"),
    ('around("c1", rim)', "c2 c3 b3 a3"),
    ('around("b1", rim)', ""),
    ('around("b2", eight)', "a2 b1 b2 b3 c2"),
])
def test_cells_met_on_a_track(expression: str, expected: str) -> None:
    """All places at which the track visits the cell count; the cell itself does not block the way."""
    assert cells(f"({expression})", RIM, WAY, EIGHT) == named(expected)


def test_around_asks_for_a_bend() -> None:
    """`around` goes both ways and needs a bend before the first piece met."""
    pieces = ('"b1" := red', '"b3" := blue')
    assert cells('around("a2", rim)', RIM, effects=pieces) == named("a1 b1 a3 b3")
    assert cells('around("a2", way)', WAY, effects=pieces) == named("c3")
    assert cells('around("a1", rim)', RIM, effects=pieces) == named("a2 a3 b3")
    assert cells('around("a1", rim, {})', RIM, effects=pieces) == named("a2")


def test_lines_one_after_another() -> None:
    """Both tracks have the same cells, but one bends only at the end of a stretch."""
    (rim, _), (same, _) = loaded(RIM, PLACE).board.courses, loaded(SAME, PLACE).board.courses
    assert rim.cells == same.cells
    assert sum(rim.bends) == 4
    assert sum(same.bends) == 1


def test_a_line_may_be_one_cell() -> None:
    """A stretch may consist of one cell, as a param may set its length."""
    (one, _) = loaded('track one = "a1" to "a1", "b1" to "c1"', PLACE).board.courses
    assert len(one.cells) == 3


@pytest.mark.parametrize(("track", "code"), [
    ('"a1" to "b3"', "G281"), ('"a1", "a1"', "G281"), ('"a1"', "G281"), ('"a1" to "a3", "a1" cyclic', "G281"),
    ('"a1".west, "b1"', "G281"), ('"a9", "b1"', "G234"), ('red, "b1"', "G206"),
])
def test_tracks_that_cannot_be(track: str, code: str) -> None:
    """Each mistake gives exactly one error."""
    with pytest.raises(GameFileError) as caught:
        loaded(f"track lap = {track}", PLACE)
    assert [item.code for item in caught.value.diagnostics if item.severity == "error"] == [code]


def test_tracks_of_each_player() -> None:
    """A definition by cases can select a track, and a parameter can stand for one."""
    way = "define lap[Red] = rim\ndefine lap[Blue] = opposite(rim)\ndefine after(c, t) = next(next(c, t), t)"
    assert shown('next("a1", lap[mover])', RIM, way) == "b1"
    assert shown('next("a1", lap[opponent], 2)', RIM, way) == "a3"
    assert shown('after("a1", lap[opponent])', RIM, way) == "a3"
    assert cells("lap[mover]", RIM, way) == named("a1 b1 c1 c2 c3 b3 a3 a2")


def test_tracks_on_graphs() -> None:
    """`a to b` follows a path of the board."""
    game = dslgame.loads("""game "Ring"
players Red, Blue
board graph:
    p - q - r - s - p
    q - s
pieces red of Red, blue of Blue
track ring = p to s cyclic
track short = s to q
move go(v in cells where v is empty and next(v, ring) is empty):
    v := own
no moves loses
""")
    names = game.board.names
    assert [[names[cell] for cell in course.cells] for course in game.board.courses] == [
        list("pqrs"), list("srqp"), list("srq"), list("qrs")]
    assert game.start().moves() == ("p", "q", "r", "s")
    assert game.start().play("p").moves() == ("q", "r")


# ---- images under symmetries

def _suspected(condition: str, phrase: str, *, swapping: bool = False) -> bool:
    game = loaded(RIM, EIGHT, WAY, "move place(c in empty):\n    c := own", f"turn again when {condition}",
                  "draw when no empty")
    maps = [state_map(game.rules, game.board, cells, swapping=swapping, reversing=())
            for cells in game.board.symmetry(phrase)]
    return any(game.rules.again[0] in suspects(game.rules, game.board, element) for element in maps)


@pytest.mark.parametrize(("condition", "phrase", "suspected"), [
    ("some c in mine: next(c, rim) is mine", "left right mirror", True),
    ("some c in mine: some (ray(c, rim) and mine)", "half turn", True),
    ("some c in mine: some (around(c, eight) and mine)", "half turn", False),
    ("some c in mine: some (reach(c, eight) and mine)", "antidiagonal mirror", True),
    ("some c in mine: some (around(c, eight) and mine)", "antidiagonal mirror", False),
    ("some (mine and rim)", "half turn", True),
])
def test_images_of_tracks(condition: str, phrase: str, suspected: bool) -> None:
    """A track that a symmetry does not map onto itself with the same orientation is suspected."""
    assert _suspected(condition, phrase) is suspected


# ---- against walks step by step

@st.composite
def courses(draw: st.DrawFn) -> Course:
    """A random track on nine cells, which may cross itself."""
    steps = draw(st.lists(st.integers(0, 8), min_size=2, max_size=9))
    found = [steps[0]]
    for cell in steps[1:]:
        found += [cell] if cell != found[-1] else []
    cyclic = draw(st.booleans()) and found[0] != found[-1]
    bends = tuple(draw(st.booleans()) for _ in found)
    return Course("track", tuple(found), bends, cyclic)


@given(course=courses(), cell=st.integers(0, 8), within=st.integers(0, 511), bends=st.integers(0, 2))
def test_what_is_met_is_what_is_walked_over(course: Course, cell: int, within: int, bends: int) -> None:
    """Compared with a walk, place by place, along the track written out twice."""
    length = len(course.cells)
    met, reached = 0, 0
    for place in (place for place in range(length) if course.cells[place] == cell):
        inside, through, passed = True, True, 0
        for at in range(place + 1, place + length):
            if at >= length and not course.cyclic:
                break
            passed += course.bends[(at - 1) % length]
            other = course.cells[at % length]
            inside = inside and bool(within >> other & 1)
            met |= inside << other
            reached |= (through and passed >= bends) << other
            through = through and bool(within >> other & 1)
    assert ray_along(course, cell, within) == met
    assert reach_along(course, cell, within, bends) == reached


@given(course=courses())
def test_a_track_back_and_back_again_is_the_same(course: Course) -> None:
    """A reversed track passes the same bends, and reversing it twice gives the original."""
    back = course.back()
    assert back.cells == course.cells[::-1]
    assert back.back().same_as(course)
    assert sum(back.bends) == sum(course.bends)
    for cell in members(course.everything):
        assert around(course, cell, course.everything) == around(back, cell, course.everything)


@pytest.mark.parametrize("seed", range(12))
def test_kernels_walk_along_random_tracks(seed: int) -> None:
    """Moves, ends and extra turns by self-crossing tracks agree in kernel and interpreter."""
    game = random_game(random.Random(seed))
    Walk(game, Kernel.of(game, native=False), may_fail=True).walk(3, 0.1, plies=9)


def random_game(chance: random.Random) -> Game:
    """A game with two random tracks on a square board, one of which visits no cell twice."""
    names = [f"{column}{row}" for column in "abc" for row in "123"]
    crossing = [chance.choice(names)]
    while len(crossing) < 8:
        crossing += [name for name in [chance.choice(names)] if name != crossing[-1] and len(crossing) < 8]
    if crossing[0] == crossing[-1]:
        crossing.pop()
    once = chance.sample(names, chance.randint(3, 9))
    lists = [", ".join(f'"{name}"' for name in cells) + chance.choice(("", " cyclic")) for cells in (crossing, once)]
    steps = chance.choice(("", ", 2", ", -1", ", count(mine)"))
    away = chance.choice(("around(c, knot)", "reach(c, knot, empty)", "ray(c, knot, empty)", "ray(c, lap[mover])",
                          "reach(c, opposite(knot))"))
    return dslgame.loads(f'''game "Random tracks"
players X, O
board square(3, 3)
pieces x of X, o of O
track knot = {lists[0]}
track once = {lists[1]}
define lap[X] = once
define lap[O] = opposite(once)
move place(c in empty where next(c, lap[mover]{steps}) is not mine):
    c := own
move go(c in mine, d in {away} - mine):
    carry c to d
turn again when some c in mine: next(c, once) is theirs
win mover when count(mine and knot) > 3
no moves draws
repetition draws
''')


def test_bends_are_drawn_as_arcs() -> None:
    """If cells are drawn as points, each corner bend is an arc of three quarters of a circle, without diagonals."""
    text = ('game "Loops"\nplayers X, O\nboard square(4, 4) with diagonals\npieces x of X, o of O\n'
            'track loops = "a2" to "d2", "c1" to "c4", "d3" to "a3", "b4" to "b1" cyclic\n'
            "move place(c in empty where some around(c, loops)):\n    c := own\ndraw when no empty\n")
    pointed, plain = (dslgame.loads(text + more).start().svg() for more in ("show cells drawn points\n", ""))
    assert pointed.count("<path") == 4
    assert 'd="M3 2A1 1 0 1 1 2 3"' in pointed
    assert pointed.count("<line") == 24
    assert "<path" not in plain
