"""Values that are computed only once: small texts of IR before and after the pass."""

from __future__ import annotations

from textwrap import indent

import pytest

from interpreter.compiler import ir
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.sharing import with_values_shared, without_lets
from interpreter.compiler.printer import printed, printed_function
from interpreter.compiler.reader import IRError
from interpreter.compiler.verify import verify_ir

HEAD = """FAILURES = ["", "G403"]
FAILED: Int = 7

def change(S: Row) -> None:
    S[0] = EMPTY

def look(S: Row) -> Word:
    return S[0]

def f(S: Row, T: Row, X: Rows, E: Lines, c: Int, who: Int) -> Int:
"""
NEAR = "\n\nNEAR: WordTable = [2, 5, 10, 4]\n"


def of(body: str) -> ir.Module:
    """A verified module with a function of the given statements."""
    module = read_module(HEAD + indent(body, "    ") + NEAR)
    verify_ir(module)
    assert read_module(printed(module)) == module
    return module


def body_of(module: ir.Module) -> str:
    """The statements of the module's last function."""
    return printed_function(module.functions[-1]).partition("\n")[2].replace("\n    ", "\n")[4:]


def shared(body: str) -> str:
    """The statements that the pass makes of some others, verified."""
    module = with_values_shared(of(body))
    verify_ir(module, after="sharing")
    return body_of(module)


AROUND = """\
found = EMPTY
rest = S[1]
while rest != EMPTY:
    a = lowest(rest)
    rest &= rest - ONE
    found = found | NEAR[a]
"""
COUNTED = "with let({name}):\n" + indent(AROUND, "    ") + "    {name} = popcount(found)\n"
"""A value that takes a loop to compute and does not depend on an outer loop."""
IN_A_LOOP = "n = 0\nfor k in range(9):\n" + indent(COUNTED.format(name="x"), "    ") + "    n += x + k\nreturn n\n"


def test_a_value_with_a_loop_of_its_own_is_computed_before_loops_that_do_not_change_it() -> None:
    assert shared(IN_A_LOOP) == (
        f"n = 0\n{AROUND}x = popcount(found)\nfor k in range(9):\n    n += x + k\nreturn n\n")


def test_a_value_is_computed_as_far_out_as_it_is_the_same() -> None:
    """Its parts are moved further out where they are constant."""
    assert shared("""\
n = 0
for k in range(4):
    for j in range(4):
        with let(x):
            with let(mine):
                mine = S[who]
            x = popcount(mine & NEAR[k])
        n += x + j
return n
""") == """\
n = 0
mine = S[who]
for k in range(4):
    x = popcount(mine & NEAR[k])
    for j in range(4):
        n += x + j
return n
"""


def test_equal_values_are_computed_once_whatever_their_own_names_are() -> None:
    other = COUNTED.format(name="y").replace("found", "seen").replace("rest", "left").replace("a = ", "b = ").replace(
        "(a)", "(b)").replace("[a]", "[b]")
    assert shared(f"{COUNTED.format(name='x')}{other}return x + y\n").endswith("x = popcount(found)\nreturn x + x\n")
    unlike = other.replace("S[1]", "S[2]")
    assert shared(f"{COUNTED.format(name='x')}{unlike}return x + y\n").endswith("y = popcount(seen)\nreturn x + y\n")


EMPTIES = """\
with let({name}):
    {name} = S[0] & NEAR[c]
"""


@pytest.mark.parametrize(("between", "again"), [
    ("S[0] |= ONE", True),
    ("change(S)", True),
    ("T[0] = look(S)", False),
    ("E[0, 0] = 5", False),
    ("S[FAILED] = word(1)", False),
    ("c = 2", True),
    ("who = 2", False),
    ("if who > 0:\n    S[0] = ONE", True),
    ("if who > 0:\n    S[0] = ONE\n    return 5", False),
    ("for k in range(3):\n    S[0] = ONE", True),
], ids=lambda value: str(value))
def test_a_value_is_used_again_until_what_it_is_made_of_changes(between: str, again: bool) -> None:
    found = shared(f"{EMPTIES.format(name='x')}n = popcount(x)\n{between}\n{EMPTIES.format(name='y')}"
                   "return n + popcount(y)\n")
    assert ("y = S[0]" in found) == again
    assert found.endswith("return n + popcount(y)\n" if again else "return n + popcount(x)\n")


def test_rows_of_an_array_at_places_that_differ_are_different_rows() -> None:
    text = """\
A = X[2]
B = X[{place}]
with let(x):
    x = A[0]
B[0] = x
with let(y):
    y = A[0]
return popcount(y)
"""
    assert "y = A[0]" not in shared(text.format(place="3"))
    assert "y = A[0]" in shared(text.format(place="who"))


@pytest.mark.parametrize(("after", "before_the_loop"), [
    ("E[k, 0] = 1", True),
    ("S[0] |= ONE", False),
    ("S[0] |= ONE\n    return n", True),
    ("if k > 3:\n        S[0] |= ONE\n        return n", True),
    ("if k > 3:\n        S[0] |= ONE\n        continue\n    n += 1", False),
    ("change(S)\n    break", True),
], ids=lambda value: str(value))
def test_a_value_stays_in_a_loop_whose_rounds_change_it(after: str, before_the_loop: bool) -> None:
    """A change just before the function or the loop is left affects no later iteration."""
    value = indent(EMPTIES.format(name="y"), "    ")
    found = shared(f"n = 0\nfor k in range(9):\n{value}    n += popcount(y)\n    {after}\nreturn n\n")
    assert (found.index("y = S[0]") < found.index("for k")) == before_the_loop


def test_what_was_changed_before_in_the_same_round_is_not_moved_before_the_loop() -> None:
    found = shared("""\
for k in range(4):
    S[0] |= ONE
    with let(x):
        x = S[0]
    return popcount(x)
return 0
""")
    assert found.index("x = S[0]") > found.index("S[0] |= ONE")


FAILING = """\
with let({name}):
    if c < 0 and S[FAILED] == EMPTY:
        S[FAILED] = word(1)
    {name} = S[0] & NEAR[max(c, 0)]
"""


def test_a_value_that_may_fail_stays_where_it_is_asked_for_and_is_used_again() -> None:
    found = shared("n = 0\nfor k in range(9):\n" + indent(FAILING.format(name="x") + FAILING.format(name="y"), "    ")
                   + "    n += popcount(x) + popcount(y)\nreturn n\n")
    assert found == """\
n = 0
for k in range(9):
    if c < 0 and S[FAILED] == EMPTY:
        S[FAILED] = word(1)
    x = S[0] & NEAR[max(c, 0)]
    n += popcount(x) + popcount(x)
return n
"""


def test_what_is_made_of_a_value_that_takes_room_stays_behind_it() -> None:
    """Its statements write to a row, so it is computed wherever it is used."""
    found = shared("""\
n = 0
for k in range(9):
    with let(x):
        T[0] = S[1]
        x = popcount(T[0])
    with let(y):
        y = x + popcount(S[2])
    with let(z):
        T[0] = S[1]
        z = popcount(T[0])
    n += y + z
return n
""")
    assert found == """\
n = 0
for k in range(9):
    T[0] = S[1]
    x = popcount(T[0])
    y = x + popcount(S[2])
    T[0] = S[1]
    z = popcount(T[0])
    n += y + z
return n
"""


@pytest.mark.parametrize("guard", ["if there < 0:\n        continue", "if there >= 0 and k > 2:\n        continue"])
def test_a_value_of_a_cell_that_is_asked_about_stays_behind_the_question(guard: str) -> None:
    """The cell may be no cell before the test."""
    found = shared("there = number(S[5])\nn = 0\nfor k in range(9):\n"
                   f"    {guard}\n    with let(y):\n        y = NEAR[there]\n    n += popcount(y)\nreturn n\n")
    assert found.index("y = NEAR[there]") > found.index("continue")


def test_a_value_is_known_in_both_branches_and_after_them_unless_one_changes_it() -> None:
    text = f"""\
{EMPTIES.format(name="x")}n = popcount(x)
if who > 0:
    S[{{place}}] = ONE
{indent(EMPTIES.format(name="y"), "    ")}    n += popcount(y)
else:
{indent(EMPTIES.format(name="z"), "    ")}    n += popcount(z)
{EMPTIES.format(name="w")}return n + popcount(w)
"""
    found = shared(text.format(place="0"))
    assert "y = S[0]" in found
    assert "z = S[0]" not in found
    assert "w = S[0]" in found
    found = shared(text.format(place="0").replace("S[0] = ONE", "T[0] = ONE"))
    assert found.count("S[0]") == 1


def test_conditions_between_which_no_statements_are_left_are_one_condition() -> None:
    assert shared("""\
with let(mine):
    mine = S[1]
test = c > 0
if test:
    with let(again):
        again = S[1]
    test = again != EMPTY
if not test:
    return 1
flag = who == 0
if not flag:
    flag = c == 5
other = not flag
if other:
    return popcount(mine)
return 0
""") == """\
mine = S[1]
if not (c > 0 and mine != EMPTY):
    return 1
if not (who == 0 or c == 5):
    return popcount(mine)
return 0
"""


def test_without_the_pass_values_are_computed_where_they_are_asked_for() -> None:
    module = without_lets(of(IN_A_LOOP))
    verify_ir(module)
    assert body_of(module) == "n = 0\nfor k in range(9):\n" + indent(
        f"{AROUND}x = popcount(found)\nn += x + k\n", "    ") + "return n\n"


@pytest.mark.parametrize(("body", "problem"), [
    ("with let(x):\n    y = 5\n    x = y\nreturn y\n", "y: has no value"),
    ("y = 3\nwith let(x):\n    y = 5\n    x = y\nreturn x\n", "'y' has a value before the statements that find"),
    ("with let(x):\n    x = 5\n    y = x\nreturn x\n", "its statements do not end with its value"),
    ("with let(x):\n    if who > 1:\n        x = 5\n        return 5\n    x = 7\nreturn x\n", "leave the function"),
    ("for k in range(3):\n    with let(x):\n        if k > 1:\n            break\n        x = 7\nreturn 0\n",
     "outside a loop"),
])
def test_a_value_whose_statements_do_something_else_is_wrong(body: str, problem: str) -> None:
    with pytest.raises(IRError, match=problem):
        verify_ir(read_module(HEAD + indent(body, "    ") + NEAR))


def test_a_value_in_a_branch_is_found_as_a_whole_first() -> None:
    """A value computed inside a branch is unknown outside it."""
    value = """\
with let({name}):
    if who == 0:
        with let({name}_1):
            {name}_1 = S[1]
        {name}_2 = {name}_1
    else:
        {name}_2 = S[2]
    {name} = {name}_2
"""
    found = shared(value.format(name="x") + "n = popcount(x)\nfor k in range(3):\n" + indent(
        value.format(name="y"), "    ") + "    n += popcount(y)\nreturn n\n")
    assert found.count("S[1]") == 1
    assert found.endswith("for k in range(3):\n    n += popcount(x)\nreturn n\n")


def test_room_of_a_value_goes_with_it() -> None:
    """An array that the value fills before reading is private to it."""
    value = """\
with let({name}):
    {room}[0] = number(S[1])
    {name} = {room}[0] + 1
"""
    found = shared("a = line(1)\nb = line(1)\nn = 0\nfor k in range(3):\n" + indent(
        value.format(name="x", room="a") + value.format(name="y", room="b"), "    ") + "    n += x + y\nreturn n\n")
    assert found == """\
a = line(1)
b = line(1)
n = 0
a[0] = number(S[1])
x = a[0] + 1
for k in range(3):
    n += x + x
return n
"""
