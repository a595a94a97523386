"""Loops over cells that become operations on sets: small texts of IR before and after the passes.

The text before and the result are also run side by side on random rows.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from textwrap import indent
from types import SimpleNamespace
from typing import Any, cast

import pytest

from interpreter.boards import build
from interpreter.compiler import ir
from interpreter.compiler.analysis.numbers import Numbers
from interpreter.compiler.emit.python import standalone
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.one_group import flooded_once
from interpreter.compiler.passes.whole_sets import at_once
from interpreter.compiler.pipeline import completed
from interpreter.compiler.printer import printed, printed_function
from interpreter.compiler.verify import verify_ir

HEAD = """FAILURES = ["", "G403"]
FAILED: Int = 4

def f(S: Row, T: Row, c: Int, d: Int) -> Int:
"""


def sets_of(rows: int = 4, columns: int = 4) -> Sets:
    """The sets of a square board, with a table of steps to the south and one of steps in all directions."""
    sets = Sets(build("square", (rows, columns)), Tables(), {"players": 2})
    sets.tables.table("south", [-1, *(steps[4] for steps in sets.board.steps)])
    sets.steps_table()
    sets.ray(ir.Name("c", ir.INT), ir.Name("d", ir.INT), ir.Name("E", sets.cells))
    sets.flood(sets.nothing, sets.nothing)
    sets.has_line(sets.nothing, 3)
    sets.table("cell", sets.singles)
    sets.tables.table("column", [cell % columns for cell in range(sets.board.size)])
    sets.tables.table("apart", [abs(one - other) for one in range(sets.board.size) for other in range(sets.board.size)])
    return sets


def of(body: str, sets: Sets) -> ir.Module:
    """A verified module whose function f has the given statements."""
    own = completed(read_module("def f() -> Int:\n    return 0\n"), sets)
    module = read_module(f"{HEAD}{indent(body, '    ')}\n{printed(own).replace('def f() -> Int:', 'def g() -> Int:')}")
    verify_ir(module)
    return module


def body_of(module: ir.Module) -> str:
    """The statements of the function f."""
    function = next(part for part in module.functions if part.name == "f")
    assert isinstance(function, ir.Function)
    return printed_function(function).partition("\n")[2].replace("\n    ", "\n")[4:]


def runs(module: ir.Module) -> Callable[[list[int]], tuple[Any, list[int]]]:
    """A function that returns the result of f and the changed rows."""
    space: dict[str, Any] = {}
    exec(standalone(module), space)  # what we made of our own text

    def run(row: list[int]) -> tuple[Any, list[int]]:
        changed, other = list(row), [0] * len(row)
        return space["f"](changed, other, 6, 2), [*changed, *other]

    return run


def changed(body: str, *, one_group: bool = False) -> str:
    """The statements that a pass makes of some others, checked to do the same on random rows."""
    sets = sets_of()
    module = of(body, sets)
    done = flooded_once(module, sets) if one_group else at_once(module, sets)
    if done is module:
        return body
    done = completed(done, sets)
    verify_ir(done, after="whole_sets")
    random = Random(3)
    old, new = runs(module), runs(done)
    for _ in range(60):
        row = [random.getrandbits(16) & random.getrandbits(16) for _ in range(4)]
        row = [*row, 0, random.getrandbits(16)]
        assert new(row) == old(row), row
    return body_of(done)


CASES = {
    "a step": ("""\
found = EMPTY
for a in members(S[1]):
    with let(empty):
        empty = S[0]
    cell = SOUTH[a + 1]
    if not (cell >= 0 and empty >> cell & ONE != EMPTY):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
with let(empty):
    empty = S[0]
found = S[1] & (empty & REACHED_SOUTH) >> 4
return popcount(found)
"""),
    "two steps, and one that there is not": ("""\
found = S[2]
for a in members(S[1]):
    cell = SOUTH[a + 1]
    there = SOUTH[cell + 1]
    if not (there >= 0 and S[0] >> there & ONE != EMPTY or cell < 0):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
found = S[2]
found = found | S[1] & (((S[0] & REACHED_SOUTH) >> 4 & REACHED_SOUTH) >> 4 | \
EVERYWHERE & ~((EVERYWHERE & REACHED_SOUTH) >> 4))
return popcount(found)
"""),
    "cells that complete a line": ("""\
found = EMPTY
for a in members(S[0]):
    with let(asked):
        with let(cells):
            cells = S[1] | CELL[a]
        asked = has_line_3(cells)
    if not asked:
        continue
    found = found | ONE << a
return popcount(found)
""", """\
where = completing_3(S[1])
found = S[0] & where
return popcount(found)
"""),
    "cells that complete none": ("""\
found = EMPTY
for a in members(S[0]):
    if has_line_3(ONE << a | S[1]):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
where = completing_3(S[1])
found = S[0] & (EVERYWHERE & ~where)
return popcount(found)
"""),
    "a sum of small numbers": ("""\
total = 5
for a in members(S[1]):
    total += COLUMN[a]
total_2 = 0
for b in members(S[2]):
    if not S[0] >> b & ONE != EMPTY:
        continue
    total_2 += COLUMN[b]
return total - total_2
""", """\
total = 5
total += popcount(S[1] & COLUMN_BIT_0) + (popcount(S[1] & COLUMN_BIT_1) << 1)
total_2 = popcount(S[2] & S[0] & COLUMN_BIT_0) + (popcount(S[2] & S[0] & COLUMN_BIT_1) << 1)
return total - total_2
"""),
    "whether some do": ("""\
some_do = False
for a in members(S[1]):
    if not S[0] >> a & ONE != EMPTY:
        continue
    some_do = True
    break
return 1 if some_do else 0
""", """\
some_do = S[1] & S[0] != EMPTY
return 1 if some_do else 0
"""),
    "whether a move is there": ("""\
for a in members(S[1]):
    with let(asked):
        test = S[2] >> a & ONE != EMPTY
        if not test:
            test = S[0] >> a & ONE != EMPTY
        asked = test
    if not asked:
        continue
    return 5
return 0
""", """\
if S[1] & (S[2] | S[0]) != EMPTY:
    return 5
return 0
"""),
    "how many, at most": ("""\
many = 0
for a in members(S[1]):
    if S[0] >> a & ONE != EMPTY:
        continue
    many += 1
    if many > 2:
        break
return 1 if many == 2 else 0
""", """\
many = popcount(S[1] & (EVERYWHERE & ~S[0]))
return 1 if many == 2 else 0
"""),
    "a direction that is known only when it runs": ("""\
found = EMPTY
for a in members(S[1]):
    cell = STEP[a * 8 + (d + 4) % 8 + 8]
    if not (cell >= 0 and S[0] >> cell & ONE != EMPTY):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
found = S[1] & came_from(S[0], (d + 4) % 8)
return popcount(found)
"""),
    "directions, and what a ray meets": ("""\
found = EMPTY
for a in members(S[0]):
    some_do = False
    for w in range(2):
        cells = ray(a, w, S[2])
        met = False
        for e in members(cells):
            cell = STEP[e * 8 + w + 8]
            if not (cell >= 0 and S[1] >> cell & ONE != EMPTY):
                continue
            met = True
            break
        if met:
            caught = cells
        else:
            caught = EMPTY
        if not caught != EMPTY:
            continue
        some_do = True
        break
    if not some_do:
        continue
    found = found | ONE << a
return popcount(found)
""", """\
where = (seeing_north(S[2], (S[1] & REACHED_NORTH) << 4) & REACHED_NORTH) << 4 & (S[2] & REACHED_NORTH) << 4
where_2 = (seeing_northeast(S[2], (S[1] & REACHED_NORTHEAST) << 3) & REACHED_NORTHEAST) << 3 & \
(S[2] & REACHED_NORTHEAST) << 3
found = S[0] & (where | where_2)
return popcount(found)
"""),
    "what is done with the cells that remain": ("""\
n = 0
for a in members(S[1]):
    cell = SOUTH[a + 1]
    if not (cell >= 0 and S[0] >> cell & ONE != EMPTY):
        continue
    T[0] |= ONE << cell
    n += a
return n
""", """\
n = 0
for a in members(S[1] & (S[0] & REACHED_SOUTH) >> 4):
    cell = SOUTH[a + 1]
    T[0] |= ONE << cell
    n += a
return n
"""),
    "a round after which there is no other": ("""\
for a in members(S[1]):
    if not S[0] >> a & ONE != EMPTY:
        continue
    S[0] = EMPTY
    return a
return 0
""", """\
for a in members(S[1] & S[0]):
    S[0] = EMPTY
    return a
return 0
"""),
    "what the board decides": ("""\
found = EMPTY
for a in members(S[1]):
    x = max(SOUTH[a + 1], 3)
    if not (x > 6 and a != 5):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
found = S[1] & (A_WHERE & A_WHERE_2)
return popcount(found)
"""),
    "what the board and numbers decide": ("""\
n = 0
for w in range(1, 3 + 1):
    for b in members(S[2]):
        found = EMPTY
        for a in members(S[1]):
            if not APART[b * 16 + a] == w:
                continue
            if not S[0] >> a & ONE != EMPTY:
                continue
            found = found | ONE << a
        n += popcount(found)
return n
""", """\
n = 0
for w in range(1, 3 + 1):
    for b in members(S[2]):
        where = A_WHERE[b * 3 + (w - 1)]
        found = S[1] & (where & S[0])
        n += popcount(found)
return n
"""),
    "an entry that a number has in a table": ("""\
found = EMPTY
for a in members(S[1]):
    if not (S[0] >> c & ONE != EMPTY or COLUMN[a] <= COLUMN[c]):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
where = EVERYWHERE if S[0] >> c & ONE != EMPTY else EMPTY
where_2 = A_WHERE[c]
found = S[1] & (where | where_2)
return popcount(found)
"""),
    "conditions of which some are left": ("""\
n = 0
for a in members(S[1]):
    if not S[0] >> a & ONE != EMPTY:
        continue
    if not T[a % 4] == EMPTY:
        continue
    n += a
return n
""", """\
n = 0
for a in members(S[1] & S[0]):
    if not T[a % 4] == EMPTY:
        continue
    n += a
return n
"""),
    "what is the same for all cells": ("""\
found = EMPTY
for a in members(S[1]):
    if not (S[0] >> a & ONE != EMPTY and c > 5):
        continue
    found = found | ONE << a
return popcount(found)
""", """\
where = EVERYWHERE if c > 5 else EMPTY
found = S[1] & (S[0] & where)
return popcount(found)
"""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_loop_over_cells_becomes_operations_on_sets(case: str) -> None:
    before, after = CASES[case]
    assert changed(before) == after


LEFT = {
    "a row that the rounds change": ("S[0] >> a & ONE != EMPTY", "S[0] &= ~(ONE << a)"),
    "a name that the rounds change": ("n < 3 and S[0] >> a & ONE != EMPTY", "n += 1"),
    "a condition of numbers": ("a * c > 7", "n += a"),
    "a number that has no table": ("SOUTH[a + 1] == c", "n += a"),
    "too many numbers": ("APART[c * 16 + a] > APART[d * 16 + a] + COLUMN[number(S[3])]", "n += a"),
    "a set of each cell's own": ("flood(ONE << a, S[0]) != EMPTY", "n += a"),
    "a condition that fails": ("test", "n += a"),
    "a cell that may be none": ("c >= 0 and (CELL[c] & S[0]) >> a & ONE != EMPTY", "n += a"),
    "a number that may be none": ("c >= 0 and COLUMN[a] <= COLUMN[c]", "n += a"),
    "a value of the round before": ("n == 0 or S[n] >> a & ONE != EMPTY", "n = 2"),
}


@pytest.mark.parametrize("case", LEFT)
def test_other_loops_are_left(case: str) -> None:
    condition, action = LEFT[case]
    asked = """\
    with let(test):
        if c < 0 and S[FAILED] == EMPTY:
            S[FAILED] = word(1)
        test = S[0] >> a & ONE != EMPTY
""" if condition == "test" else ""
    guarded = f"    if not ({condition}):\n        continue\n    {action}\n"
    body = f"n = 0\nfor a in members(S[1]):\n{asked}{guarded}return n\n"
    assert changed(body) == body


def test_sets_of_many_words_and_boards_without_shifts_are_left() -> None:
    hexagon = Sets(build("hexagon", (3,)), Tables(), {"players": 2})
    assert not hexagon.by_shifts
    for sets in (Sets(build("square", (17, 17)), Tables(), {"players": 2}), hexagon):
        module = of("for a in members(S[1]):\n    return a\nreturn 0\n", sets)
        assert at_once(module, sets) is module


GROUP = """\
joined = True
mine = S[1]
for a in members(mine):
    reached = flood({start}, mine)
    missed = mine & ~reached
    if not not missed != EMPTY:
        joined = False
        break
return 1 if joined else 0
"""


@pytest.mark.parametrize("start", ["ONE << a", "CELL[a]"])
def test_a_set_is_flooded_from_one_of_its_cells(start: str) -> None:
    assert changed(GROUP.format(start=start), one_group=True) == """\
joined = True
mine = S[1]
if mine != EMPTY and (not flood(ONE << lowest(mine), mine) == mine):
    joined = False
return 1 if joined else 0
"""


@pytest.mark.parametrize(("old", "new"), [
    ("{start}", "ONE << c"), ("mine & ~reached", "S[0] & ~reached"), ("members(mine)", "members(S[0])"),
    ("joined = False", "S[3] = ONE << a"), ("reached = ", "S[3] = S[2]\n    reached = ")])
def test_other_floods_are_left(old: str, new: str) -> None:
    body = GROUP.replace(old, new).format(start="ONE << a")
    assert changed(body, one_group=True) == body


@pytest.mark.parametrize(("later", "expected"), [("z", {"x": range(5), "y": range(5)}), ("x", {})])
def test_a_copy_is_told_as_little_as_what_it_is_copied_from(later: str, expected: dict[str, range]) -> None:
    """In a loop a name may hold a value assigned after the copy, so the copy has no known range either."""
    names = {name: ir.Name(name, ir.INT) for name in ("x", "y", "z")}
    loop = ir.While(ir.TRUE, (ir.Assign(names["y"], names["x"]), ir.Assign(names[later], ir.Literal(500, ir.INT))))
    function = ir.Function("f", (), ir.INT, "", (
        ir.Assign(names["x"], ir.Call("count", (ir.Name("cells", ir.WORD),), ir.INT)), loop))
    sets = SimpleNamespace(board=SimpleNamespace(size=4))
    assert Numbers.of(function, cast(Sets, sets)).told == expected
