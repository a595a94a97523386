"""The printed form of IR: it reads back unchanged and does the same."""

from __future__ import annotations

import copy
from typing import Any

import attrs
import pytest
from hypothesis import given, settings

from dsl.syntax.source import Span
from interpreter.compiler import ir
from interpreter.compiler.module_reader import read_function, read_module
from interpreter.compiler.printer import printed, printed_function
from interpreter.compiler.reader import IRError
from interpreter.compiler.verify import problems
from tests.kernel.test_compiler_emit import run_plain, run_text
from tests.random_ir import arguments, functions, module_of

_MODULE = '''"""A game: the kernel that dslgame made of its rules."""

Cells = tuple[Word, Word]

FAILURES = ['', 'G408']

FAILED: Int = 7
NO: Int = -1
TOP: Cells = (0x7ff, 0x0)
LAST: Word = 0x8000000000000000


def both(a: Cells, b: Cells) -> Cells:
    """What is in both of two sets."""
    return (a[0] & b[0], a[1] & b[1])


@entry
def act(S: Row, mover: Int, X: Rows) -> None:
    # rule place
    # at its first place
    if mover == NO:
        S[FAILED] = word(1)
    else:
        # not yet
        pass
    for k in unrolled(range(2)):
        for c in members(both((S[k], LAST), TOP)):
            X[0, c] |= ONE << STEP[c]


@entry
@foreign(Int, S=Row, cells=Cells)
def ends(S, cells):
    return number(S[0])  # as it is


STEP: Line = [12, 13, -1]
NEAR: Row = [18446744073709551615]
'''


def outcome(function: Any, given: list[Any]) -> tuple[Any, list[Any]]:
    """The result of a function, and its arguments after the call."""
    mine = copy.deepcopy(given)
    return function(*mine), mine


def test_a_module_is_read_and_printed_as_it_was() -> None:
    """Constants, tables, failures, functions, comments, and Python functions."""
    module = read_module(_MODULE)
    assert printed(module) == _MODULE
    assert read_module(printed(module)) == module
    assert module.failures == ("", "G408")
    assert module.function("act") == attrs.evolve(module.functions[1])
    foreign = module.function("ends")
    assert isinstance(foreign, ir.Foreign)
    assert foreign.text == "def ends(S, cells):\n    return number(S[0])  # as it is\n"
    assert foreign.entry


def test_tables_are_abbreviated_for_people() -> None:
    """Long tables show their beginning and length; such a text cannot be read back."""
    long = ir.Module("", (), (ir.Table("STEP", tuple(range(480)), ir.LINE), ir.Table("NEAR", (1, 2), ir.ROW)), ())
    text = printed(long, complete=False)
    assert text == "STEP: Line = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 480 numbers]\nNEAR: Row = [1, 2]\n"
    assert read_module(printed(long)) == long
    with pytest.raises(IRError, match=r"^the table STEP is abbreviated: print the module complete to read it$"):
        read_module(text)


def test_places_in_the_rules() -> None:
    """With `spans`, functions and comments show where in the rules they come from."""
    comment = ir.Comment("rule place", Span.at(7, 3))
    function = ir.Function("act", (), ir.INT, "", (comment, ir.Return(ir.Literal(1, ir.INT))), span=Span.at(12, 1))
    assert printed_function(function, spans=True) == (
        "def act() -> Int:  # 12:1\n    # rule place  [7:3]\n    return 1\n")
    assert printed_function(function) == "def act() -> Int:\n    # rule place\n    return 1\n"
    assert read_function(printed_function(function)) == function


def test_comments_of_people() -> None:
    """Comments stay in their block; comments that belong to no statement of a block are left out."""
    function = read_function('''
def act(c: Int) -> Int:  # the head
    if c > 0:
        # first
        c = 1  # beside
        # last of the block
    # between
    elif c < -1:
        c = 2
    # before

    # the end
    return c
''')
    assert printed_function(function) == '''def act(c: Int) -> Int:
    if c > 0:
        # first
        c = 1
        # last of the block
    elif c < -1:
        c = 2
    # before
    # the end
    return c
'''


@pytest.mark.parametrize(("text", "problem"), [
    ("x = 1\n", "line 1: no such part of a module: x = 1"),
    ("x: Int\n", "line 1: no such part of a module: x: Int"),
    ("def f(:\n    pass\n", "line 1: invalid syntax"),
    ("x: Nothing = 1\n", "'Nothing' is no sort, expected one of: Cells, "),
    ("x: Int = [1]\n", "x: a table cannot be Int"),
    ("def f() -> Word:\n    return 1\n", "f: gives Int, and says that it gives Word"),
    ("def f():\n    return g()\n", "f: nothing is called 'g'"),
])
def test_what_cannot_be_read(text: str, problem: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(IRError) as caught:
        read_module(text)
    assert str(caught.value).startswith(problem)
    with pytest.raises(IRError, match=r"^0 functions, expected one$"):
        read_function("")


@pytest.mark.parametrize("sort", [
    ir.INT, ir.BOOL, ir.WORD, ir.ROW, ir.ROWS, ir.LINE, ir.LINES, ir.PAGES, ir.Array(ir.BOOL), ir.Array(ir.BOOL, 2),
    ir.cells_sort(2), ir.cells_sort(13, vector=True), ir.Product((ir.INT, ir.cells_sort(3))), ir.Product((ir.INT,)),
    ir.Product((ir.INT, ir.Vector(14)))])
def test_sorts_are_read_as_they_are_printed(sort: ir.Sort) -> None:
    """As parameters and as results."""
    value = ir.Name("value", sort)
    module = ir.Module("", (), (), (ir.Function("same", (value,), sort, "", (ir.Return(value),)),))
    assert read_module(printed(module)) == module


@given(functions())
@settings(max_examples=75, deadline=None)
def test_random_functions_are_read_back_as_they_were(function: ir.Function) -> None:
    """The module read back is equal, and the verifier finds no problem."""
    module = module_of(function)
    assert problems(module) == []
    assert read_module(printed(module)) == module


@pytest.mark.slow
@given(functions(), arguments())
@settings(max_examples=150, deadline=None)
def test_random_functions_do_the_same_in_every_form(function: ir.Function, given_: list[Any]) -> None:
    """As Python text for Numba, as simplified plain Python, and after reading back."""
    module = module_of(function)
    expected = outcome(run_text(module)["act"], given_)
    assert outcome(run_plain(module)["act"], given_) == expected
    assert outcome(run_plain(read_module(printed(module)))["act"], given_) == expected
