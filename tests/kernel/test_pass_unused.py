"""Removal of unused code: small functions of IR before and after."""

from __future__ import annotations

from textwrap import dedent

import attrs
import pytest
from hypothesis import given, settings

from interpreter.compiler import ir
from interpreter.compiler.analysis.uses import pure_functions
from interpreter.compiler.module_reader import read_function, read_module
from interpreter.compiler.passes.unused import without_copies, without_unused, without_unused_values
from interpreter.compiler.printer import printed, printed_function
from interpreter.compiler.verify import verify_ir
from tests.random_ir import functions, module_of


def of(text: str) -> ir.Function:
    """A function of IR."""
    return read_function(dedent(text))


def body(function: ir.Function) -> str:
    """The body of a function, without the `def` line."""
    return dedent(printed_function(function).partition("\n")[2]).strip()


def lines(text: str) -> str:
    """The lines of a text in the form of `body`."""
    return dedent(text).strip()


COPIES = {
    "a second name": ("""
        def f(S: Row) -> Word:
            a = S[0] & S[1]
            b = a
            c = b
            return c
        """, """
        a = S[0] & S[1]
        return a
        """),
    "in the place of a parameter": ("""
        def f(S: Row, c: Int) -> Word:
            d = c
            return S[d]
        """, "return S[c]"),
    "of a value that changes": ("""
        def f(c: Int) -> Int:
            d = c
            c += 1
            return d
        """, """
        d = c
        c += 1
        return d
        """),
    "that is given another value": ("""
        def f(c: Int, e: Int) -> Int:
            d = c
            if e > 0:
                d = e
            return d
        """, """
        d = c
        if e > 0:
            d = e
        return d
        """),
    "of what a loop counts": ("""
        def f(S: Row) -> Int:
            most = 0
            for k in range(8):
                here = k
                if S[here] > ONE:
                    most = here
            return most
        """, """
        most = 0
        for k in range(8):
            if S[k] > ONE:
                most = k
        return most
        """),
    "in a condition alone": ("""
        def f(c: Int) -> Int:
            if c > 0:
                d = c
            else:
                return 1
            return d
        """, """
        if not c > 0:
            return 1
        return c
        """),
}
UNUSED = {
    "a value that is not read": ("""
        def f(S: Row) -> Word:
            a = S[0]
            b = popcount(a)
            c = b + 1
            return S[1]
        """, "return S[1]"),
    "and what changes it": ("""
        def f(S: Row) -> Word:
            n = 0
            for k in range(4):
                n += 1
                S[k] = S[k] + ONE
            return S[0]
        """, """
        for k in range(4):
            S[k] = S[k] + ONE
        return S[0]
        """),
    "with its condition": ("""
        def f(S: Row) -> Word:
            n = 0
            if S[0] > ONE:
                n = 1
            return S[0]
        """, "return S[0]"),
    "not what one of several is": ("""
        def f(c: Int) -> Int:
            a, b = (c + 1, c + 2)
            return a
        """, """
        a, b = (c + 1, c + 2)
        return a
        """),
    "not what a loop asks": ("""
        def f(S: Row) -> Int:
            rest = S[0]
            n = 0
            while rest != EMPTY:
                rest &= rest - ONE
                n += 1
            return n
        """, """
        rest = S[0]
        n = 0
        while rest != EMPTY:
            rest &= rest - ONE
            n += 1
        return n
        """),
}


@pytest.mark.parametrize("what", COPIES)
def test_copies(what: str) -> None:
    before, after = COPIES[what]
    assert body(without_copies(of(before))) == lines(after)


@pytest.mark.parametrize("what", UNUSED)
def test_values_that_are_not_read(what: str) -> None:
    before, after = UNUSED[what]
    assert body(without_unused_values(of(before))) == lines(after)


MODULE = '''
FAILED: Int = 9


@entry
def main(S: Row) -> Int:
    a = count_of(S)
    b = noted(S)
    return 1


def count_of(S: Row) -> Int:
    return STEP[popcount(S[0])]


def noted(S: Row) -> Int:
    S[0] = ONE
    return 1


def never(S: Row) -> Int:
    return FAR[popcount(S[0])]


STEP: Line = [1, 2, 3]
FAR: Line = [4, 5, 6]
'''


def test_functions_and_tables_without_users() -> None:
    """A call with side effects is kept; a pure one is removed, and so are its function and table."""
    module = read_module(MODULE)
    assert pure_functions(module) == {"count_of", "never"}
    found = without_unused(module)
    verify_ir(found)
    assert [function.name for function in found.functions] == ["main", "noted"]
    assert "b = noted(S)" in printed(found)
    assert not found.tables


def test_hooks_may_name_anything() -> None:
    hook = ir.Foreign("ends", (), ir.INT, "def ends(S):\n    return never(S) + STEP[0]\n", entry=True)
    module = read_module(MODULE)
    found = without_unused(attrs.evolve(module, functions=(*module.functions, hook)))
    assert {function.name for function in found.functions} == {"main", "noted", "never", "ends"}
    assert [table.name for table in found.tables] == ["STEP", "FAR"]


@given(functions())
@settings(max_examples=60, deadline=None)
def test_random_functions_stay_right(function: ir.Function) -> None:
    """The result is valid IR, and a second pass removes nothing more."""
    module = without_unused(module_of(attrs.evolve(function, entry=True)))
    verify_ir(module)
    assert without_unused(module) == module
