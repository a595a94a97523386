"""Passes from IR to IR, each tested on small texts before and after."""

from __future__ import annotations

from textwrap import dedent

import attrs
import pytest

import dslgame
from interpreter.boards import build
from interpreter.compiler import ir
from interpreter.compiler.lowering.images import Images
from interpreter.compiler.lowering.kernel_compiler import KernelCompiler
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.lowering.names import POSITION
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.exclusion import left_early
from interpreter.compiler.passes.gravity import Fall, carried_all_the_way
from interpreter.compiler.passes.images import by_tables
from interpreter.compiler.passes.known_contents import with_contents_known, without_suppositions
from interpreter.compiler.passes.last_move import only_what_came
from interpreter.compiler.passes.late_stuck import seen_late
from interpreter.compiler.passes.shifts import by_shifts
from interpreter.compiler.passes.sliding_attacks import Tried, along_lines
from interpreter.compiler.pipeline import PIPELINE, Facts, Pass, completed, improved
from interpreter.compiler.printer import printed_function
from interpreter.compiler.reader import IRError
from interpreter.compiler.verify import verify_ir

LISTING = """
def moves_step(state: Row, n: Int) -> Int:
    n += popcount(state[0])
    return n

def moves_jump(state: Row, n: Int) -> Int:
    n += popcount(state[1])
    return n
"""
OUTCOMES = """
OUTCOME: Int = 4
TO_MOVE: Int = 5
GOING: Int = -2

def has_move(state: Row, who: Int, entries: Lines, scratch: Rows) -> Bool:
    return state[who] != EMPTY

def stuck_outcome(state: Row) -> Int:
    return number(state[3])

def ends(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    return GOING

def outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    found = ends(state, mover, entries, scratch)
    if found == GOING and not has_move(state, number(state[TO_MOVE]), entries, scratch):
        found = 1 - number(state[TO_MOVE])
    return found

def quick_outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    return outcome(state, mover, entries, scratch)

def play(state: Row, entries: Lines, scratch: Rows) -> Int:
    plies = 7
    return plies
"""
SETS = Sets(build("square", (4, 4)), Tables(), {"players": 2})

FALLING = """
FAILURES = ["", "G408", "G403"]
FAILED: Int = 3
STEPS: Line = [-1, 3, 4, 5, 6, 7, 8, -1, -1, -1]

def force_fall(state: Row, mover: Int) -> Bool:
    rest = state[1] & (state[0] >> 3)
    while rest != EMPTY:
        c = lowest(rest)
        rest &= rest - ONE
        there = STEPS[c + 1]
        if there < 0 and state[FAILED] == EMPTY:
            state[FAILED] = word(2)
        if not there < 0:
            state[1] ^= ONE << c
            state[1] |= ONE << there
        return True
    return False
"""
LINES = """
def neighbours(a: Word) -> Word:
    return a

def flood(start: Word, region: Word) -> Word:
    return start

def has_line_3(a: Word) -> Bool:
    return False

def ends(state: Row) -> Bool:
    return has_line_3(flood(state[0], state[1]))
"""
SEEN = """
Cells = tuple[Word, Word]
WAYS: Line = [1, 3, 5, 7]
NOTHING: Cells = (0x0, 0x0)

def either(a: Cells, b: Cells) -> Cells:
    return (a[0] | b[0], a[1] | b[1])

def ray(c: Int, d: Int, within: Cells) -> Cells:
    return within

def count(a: Cells) -> Int:
    return popcount(a[0]) + popcount(a[1])

def pick(a: Cells, place: Int) -> Int:
    return nth(a[0], place)

def everywhere(c: Int, free: Cells) -> Cells:
    union = NOTHING
    for d in range(8):
        seen = ray(c, d, free)
        union = either(union, seen)
    return union

def some_ways(state: Row) -> Cells:
    found = NOTHING
    for k in range(4):
        d = WAYS[k]
        found = either(found, ray(number(state[4]), d, (state[0], state[1])))
    return found

def from_others(c: Int, free: Cells) -> Cells:
    union = NOTHING
    for d in range(8):
        union = either(union, ray(c + d, d, free))
    return union

def tries_shot(state: Row, mover: Int, scratch: Rows, move: Line, k: Int) -> Bool:
    b = move[3]
    union = NOTHING
    for d in range(8):
        union = either(union, ray(b, d, (state[0], state[1])))
    cells = union
    if k >= count(cells):
        return False
    t = pick(cells, k)
    move[4] = t
    return True

def most_ways(state: Row) -> Int:
    return 35
"""
THROUGH = """
def line_3_through(a: Word, c: Int) -> Bool:
    return False

def has_new_line_3(a: Word, fresh: Word) -> Bool:
    return line_3_through(a, lowest(fresh))
"""
NEW_LINES = """
WIDTH: Int = 9

def has_line_3(a: Word) -> Bool:
    return False

def has_line_4(a: Word) -> Bool:
    return False

def ends(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    mine = state[1 + mover]
    if state[0] != EMPTY and has_line_4(mine):
        return mover
    if has_line_3(mine):
        return 1 - mover
    rest = state[0]
    while rest != EMPTY:
        rest &= rest - ONE
        if has_line_3(rest):
            return -1
    return -2
"""
JOINED = """
Cells = tuple[Word, Word]
WIDTH: Int = 9
TOP: Cells = (0x1, 0x0)
BOTTOM: Cells = (0x2, 0x0)
LEFT: Cells = (0x4, 0x0)

def joined_2(state: Row, cells: Cells, player: Int, start: Cells, goal: Cells) -> Bool:
    return False

def ends(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    if joined_2(state, (state[2], state[3]), 0, TOP, BOTTOM):
        return 0
    theirs = (state[4], state[5])
    if joined_2(state, theirs, 0, TOP, BOTTOM) or joined_2(state, theirs, 0, LEFT, BOTTOM):
        return 1
    return -2
"""

MOVED = """
FAILURES = ["", "G408", "G403"]
FAILED: Int = 4
STEPS: Line = [-1, 1, 2, -1]

def piece_at(state: Row, c: Int) -> Int:
    return 0 if state[0] >> c & ONE != EMPTY else 1

def put(row: Row, c: Int, piece: Int) -> None:
    row[piece] |= ONE << c

def drop_covered(state: Row, c: Int) -> None:
    state[5 + c] = EMPTY

def do_step(state: Row, mover: Int, move: Line) -> None:
    c = move[2]
    suppose_on(state, c, 1 + mover)
    suppose_filled(state, c)
    suppose_on(state, STEPS[c + 1], 0)
    there = STEPS[c + 1]
    if there < 0:
        state[FAILED] = word(2)
    piece = piece_at(state, c)
    drop_covered(state, c)
    put(state, c, 0)
    put(state, there, piece)
    put(state, move[3], 2)
    n = move[4]
    put(state, n, 2)

def do_swap(state: Row, mover: Int, move: Line) -> None:
    c = move[2]
    n = move[3]
    suppose_on(state, c, 1)
    suppose_on(state, n, 1)
    if mover != 0:
        put(state, c, 2)
        put(state, n, 2)
    put(state, c, 0)

def moves_step(state: Row, mover: Int, entries: Lines, n: Int, scratch: Rows) -> Int:
    c = lowest(state[1])
    suppose_on(state, c, 1)
    T = scratch[2]
    for k in range(8):
        T[k] = state[k]
    put(T, c, 0)
    put(state, c, 2)
    for k_2 in range(3):
        put(T, c, 2)
    return n
"""


def of(text: str) -> ir.Module:
    """Read a module of IR and verify it."""
    module = read_module(dedent(text))
    verify_ir(module)
    return module


def shown(module: ir.Module, name: str) -> str:
    """Verify a module and print one of its functions."""
    verify_ir(module)
    function = module.function(name)
    assert isinstance(function, ir.Function)
    return printed_function(function)


def test_functions_of_excluded_rules_list_nothing_after_others() -> None:
    module = of(LISTING)
    done = left_early(module, {"moves_jump"})
    assert done.function("moves_step") is module.function("moves_step")
    assert shown(done, "moves_jump") == dedent("""\
        def moves_jump(state: Row, n: Int) -> Int:
            if n > 0:
                return n
            n += popcount(state[1])
            return n
        """)


def test_quick_outcome_leaves_open_whether_there_is_a_move_and_play_asks_at_its_end() -> None:
    done = seen_late(of(OUTCOMES))
    assert "has_move" in shown(done, "outcome")
    assert shown(done, "quick_outcome") == dedent("""\
        def quick_outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
            found = ends(state, mover, entries, scratch)
            return found
        """)
    assert shown(done, "play") == dedent("""\
        def play(state: Row, entries: Lines, scratch: Rows) -> Int:
            plies = 7
            if number(state[OUTCOME]) == GOING and (not has_move(state, number(state[TO_MOVE]), entries, scratch)):
                state[OUTCOME] = word(stuck_outcome(state))
            return plies
        """)


@pytest.mark.parametrize(("way", "found"), [("south", """\
        stop = RAYS_DOWN[c] & ~state[0]
        there = highest(RAYS_DOWN[c] & ~stop & stop - ONE)
"""), ("north", """\
        there = STEPS[c + 1]
        after = STEPS[there + 1]
        while after >= 0 and state[0] >> after & ONE != EMPTY:
            there = after
            after = STEPS[there + 1]
""")])
def test_what_falls_is_carried_to_where_it_comes_to_rest(way: str, found: str) -> None:
    board = build("square", (3, 3))
    number = board.directions.index(way)
    steps = [-1, *(steps[number] for steps in board.steps)]
    module = of(FALLING.replace("[-1, 3, 4, 5, 6, 7, 8, -1, -1, -1]", str(steps)))
    sets = Sets(board, Tables(), {})
    done = completed(carried_all_the_way(module, Fall("force_fall", number), sets), sets)
    lines = shown(done, "force_fall").partition("rest &= rest - ONE\n")[2]
    body, rest = lines.split("        state[1] ^= ", 1)
    assert body == found
    assert rest == dedent("""\
        ONE << c
                state[1] |= ONE << there
                return True
            return False
        """)
    assert carried_all_the_way(module, Fall("another", number), sets) == module


def test_functions_on_sets_become_shifts_where_steps_are_the_same_distance_from_every_cell() -> None:
    module = of(LINES)
    sets = Sets(build("square", (4, 5)), Tables(), {"players": 2})
    sets.has_line(sets.nothing, 3)
    sets.flood(sets.nothing, sets.nothing)
    done = completed(by_shifts(module, sets), sets)
    assert done.function("ends") == module.function("ends")
    assert "<<" in shown(done, "neighbours")
    assert ">>" in shown(done, "has_line_3")
    assert "while True" in shown(done, "flood")
    circle = Sets(build("hexagon", (3,)), Tables(), {"players": 2})
    circle.has_line(circle.nothing, 3)
    assert by_shifts(module, circle) is module


def test_rays_in_several_directions_become_one_look_along_lines() -> None:
    sets = Sets(build("square", (9, 9)), Tables(), {})
    sets.ray(0, 0, sets.nothing)
    sets.count(sets.nothing)
    sets.pick(sets.nothing, 0)
    module = of(SEEN)
    tries = [Tried("tries_shot", 1)]
    done = completed(along_lines(module, sets, tries), sets)
    assert "    union = sight_0_1_2_3_4_5_6_7(c, free)\n    return union\n" in shown(done, "everywhere")
    assert "    found = sight_1_3_5_7(number(state[4]), (state[0], state[1]))\n" in shown(done, "some_ways")
    assert done.function("from_others") is module.function("from_others")
    assert shown(done, "tries_shot").partition("b = move[3]\n")[2] == """\
    within = (state[0], state[1])
    union = both(at(SEEN_FROM, b * 2), within)
    cells = union
    if k >= count(cells):
        return False
    t = pick(cells, k)
    path = at(BETWEEN, (b * 81 + t) * 2)
    if some(minus(path, within)):
        return False
    move[4] = t
    return True
"""
    assert "return min(count((state[0], state[1])) + 1, 35)" in shown(done, "most_ways")
    unknown = along_lines(module, sets, [Tried("tries_shot", None)])
    assert unknown.function("most_ways") is module.function("most_ways")


def test_lines_through_a_cell_of_a_small_board_are_runs_in_whole_lines() -> None:
    sets = Sets(build("hexagon", (4,)), Tables(), {})
    sets.has_new_line(POSITION, None, sets.nothing, sets.nothing, 3)
    module = of(THROUGH)
    done = completed(along_lines(module, sets), sets)
    assert done.function("has_new_line_3") is module.function("has_new_line_3")
    assert "extract(cells, WHOLE_LINES[i])" in shown(done, "line_3_through")
    assert along_lines(module, Sets(build("hexagon", (4,)), Tables(), {})) is module


def test_functions_of_images_are_replaced_by_those_that_look_sets_up() -> None:
    game = dslgame.load("tic_tac_toe")
    compiler = KernelCompiler(game.rules, game.board, game.engine.swap, Passes(), game.symmetries, game=game)
    images = Images(compiler, compiler.maps_and_swap)
    images.define()
    library = compiler.sets.library
    assert "move_members" in printed_function(library.functions["image"])
    module = of("""
        def image(state: Row, g: Int, T: Row) -> None:
            T[0] = state[0]

        def least(state: Row, T: Row) -> None:
            image(state, 1, T)
    """)
    done = by_tables(module, images)
    assert [function.name for function in done.functions] == ["least"]
    assert "image_word" in printed_function(library.functions["image"])
    alone = KernelCompiler(game.rules, game.board, None, Passes(), game.symmetries[:1], game=game)
    assert by_tables(module, Images(alone, alone.maps_and_swap)) is module


def test_lines_are_sought_among_cells_that_came() -> None:
    """Shorter lines are tested first; a set that changes in a loop is not optimised."""
    sets = Sets(build("hexagon", (4,)), Tables(), {})
    for length in (3, 4):
        sets.has_line(sets.nothing, length)
    assert list(sets.asked_lines) == ["has_line_3", "has_line_4"]
    module = of(NEW_LINES)
    done = completed(only_what_came(module, sets, 2), sets)
    assert shown(done, "ends").partition("\n")[2] == """\
    mine = state[1 + mover]
    test_2 = state[0] != EMPTY
    if test_2:
        kept_at = 9 + mover
        fresh = mine & ~state[kept_at]
        test = has_new_line_3(mine, fresh)
        if not test:
            state[kept_at] = mine
        test_2 = test and has_new_line_4(mine, fresh)
    if test_2:
        return mover
    kept_at_2 = 9 + mover
    fresh_2 = mine & ~state[kept_at_2]
    test_3 = has_new_line_3(mine, fresh_2)
    if not test_3:
        state[kept_at_2] = mine
    if test_3:
        return 1 - mover
    rest = state[0]
    while rest != EMPTY:
        rest &= rest - ONE
        if has_line_3(rest):
            return -1
    return -2
"""
    assert [constant.values for constant in done.constants if constant.name == "WIDTH"] == [(11,)]
    shifted = Sets(build("square", (5, 5)), Tables(), {})
    shifted.has_line(shifted.nothing, 3)
    assert only_what_came(module, shifted, 2) is module


def test_cells_that_came_are_added_to_a_joined_part() -> None:
    """The pass does not apply to cells that are tested for several pairs of sets."""
    sets = Sets(build("rhombus", (9, 9)), Tables(), {})
    sets.asked_joined.add("joined_2")
    for name in ("some", "both"):
        sets.library.put(name)
    module = of(JOINED)
    done = completed(only_what_came(module, sets, 2), sets)
    lines = shown(done, "ends")
    assert "    if some(both(joining(state, 9, (state[2], state[3]), TOP), BOTTOM)):\n        return 0\n" in lines
    assert "    if joined_2(state, theirs, 0, TOP, BOTTOM) or joined_2(state, theirs, 0, LEFT, BOTTOM):\n" in lines
    assert [constant.values for constant in done.constants if constant.name == "WIDTH"] == [(13,)]
    assert only_what_came(module, Sets(build("rhombus", (9, 9)), Tables(), {}), 2) is module


def known_contents() -> Sets:
    """Sets whose functions `put` and `piece_at` are those of the test's text."""
    sets = Sets(build("square", (4, 4)), Tables(), {})
    sets.asked_put, sets.asked_piece = "put", "piece_at"
    return sets


def test_what_is_supposed_to_stand_on_cells_is_not_looked_up() -> None:
    """A cell's content is forgotten where a cell that may be the same was filled, or a block changed a row."""
    module = of(MOVED)
    done = with_contents_known(module, known_contents(), 3)
    assert shown(done, "do_step").partition("    state[FAILED] = word(2)\n")[2] == """\
    piece = 1 + mover
    drop_covered(state, c)
    bit = ONE << c
    state[1 + mover] ^= bit
    state[0] |= bit
    bit_2 = ONE << there
    state[0] ^= bit_2
    state[1 + mover] |= bit_2
    bit_3 = ONE << move[3]
    state[0] &= ~bit_3
    state[1] &= ~bit_3
    state[2] |= bit_3
    n = move[4]
    bit_4 = ONE << n
    state[0] &= ~bit_4
    state[1] &= ~bit_4
    state[2] |= bit_4
"""
    assert shown(done, "do_swap").partition("n = move[3]\n")[2] == """\
    if mover != 0:
        bit = ONE << c
        state[1] ^= bit
        state[2] |= bit
        bit_2 = ONE << n
        state[0] &= ~bit_2
        state[1] &= ~bit_2
        state[2] |= bit_2
    bit_3 = ONE << c
    state[1] &= ~bit_3
    state[2] &= ~bit_3
    state[0] |= bit_3
"""
    assert shown(done, "moves_step").partition("T[k] = state[k]\n")[2] == """\
    bit = ONE << c
    T[1] ^= bit
    T[0] |= bit
    bit_2 = ONE << c
    state[1] ^= bit_2
    state[2] |= bit_2
    for k_2 in range(3):
        bit_3 = ONE << c
        T[0] &= ~bit_3
        T[1] &= ~bit_3
        T[2] |= bit_3
    return n
"""


def test_suppositions_are_left_out_without_the_pass() -> None:
    module = of(MOVED)
    done = without_suppositions(module)
    assert "suppose" not in "".join(shown(done, function.name) for function in done.functions)
    assert "    put(state, c, 0)\n" in shown(done, "do_step")
    assert without_suppositions(of(LISTING)) == of(LISTING)


def test_passes_of_the_pipeline_have_switches_and_do_nothing_when_they_are_off_or_have_nothing_to_do() -> None:
    names = [field.name for field in attrs.fields(Passes)]
    assert [step.name for step in PIPELINE] == [name for name in names if name in {step.name for step in PIPELINE}]
    for text in (LISTING, OUTCOMES):
        module = of(text)
        assert improved(module, Facts(SETS), names) is module
        assert improved(module, Facts(SETS, excluded=frozenset({"moves_jump"}), late=True), []) is module


def test_a_pass_that_makes_wrong_ir_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(module: ir.Module, facts: Facts) -> ir.Module:
        function = module.functions[0]
        assert isinstance(function, ir.Function)
        body = (ir.Return(ir.Name("nobody", ir.INT)),)
        return attrs.evolve(module, functions=(attrs.evolve(function, body=body), *module.functions[1:]))

    monkeypatch.setattr("interpreter.compiler.pipeline.PIPELINE", (Pass("breaks", broken),))
    monkeypatch.setenv("DSLGAME_VERIFY_IR", "1")
    with pytest.raises(IRError, match=r"wrong IR after breaks:\n.*nobody"):
        improved(of(LISTING), Facts(SETS), ["breaks"])
