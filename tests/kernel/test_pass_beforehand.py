"""Conditions that are evaluated before a position is copied: small texts of IR before and after the pass."""

from __future__ import annotations

from textwrap import indent

import pytest

from interpreter.compiler import ir
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.passes.beforehand import asked_before_copies
from interpreter.compiler.printer import printed_function
from interpreter.compiler.verify import verify_ir

MODULE = """FAILURES = ["", "G401"]
FAILED: Int = 7

def put(S: Row, c: Int, piece: Int) -> None:
    S[piece] |= ONE << c

def f(S: Row, E: Lines, n: Int, X: Rows) -> Int:
    for c in members(S[0]):
        T = X[2]
        for k in range(9):
            T[k] = S[k]
{effects}
        if {test}:
            for d in members(T[0]):
                E[n, 0] = d
                n += 1
        else:
            if n >= len(E):
                return n
            E[n, 0] = {value}
            n += 1
    return n

FAR: Line = [1, 0, 0, 1]
NEXT: Line = [1, 2, 3, -1]
"""
CARRIED = "put(T, c, 2)\nT[8] = word(3)"


def changed(effects: str, test: str, value: str = "c") -> tuple[str, str]:
    """The statements of the loop before and after the pass."""
    module = read_module(MODULE.format(effects=indent(effects, "        "), test=test, value=value))
    verify_ir(module)
    done = asked_before_copies(module)
    verify_ir(done, after="beforehand")
    found = []
    for part in (module, done):
        function = part.functions[-1]
        assert isinstance(function, ir.Function)
        found.append(printed_function(function).partition("members(S[0]):\n")[2])
    return found[0], found[1]


def asked_first(effects: str, test: str) -> str | None:
    """The condition under which the position is copied; None if it always is."""
    before, after = changed(effects, test)
    if after == before:
        return None
    first, _, rest = after.partition(":\n")
    assert rest.startswith("            T = X[2]\n"), "the copy is made where the condition holds"
    assert rest.count("return n\n") == before.count("return n\n") + 1, "else the move ends"
    return first.strip().removeprefix("if ")


@pytest.mark.parametrize(("effects", "test", "asked"), [
    (CARRIED, "FAR[c] != 0", "FAR[c] != 0"),
    (CARRIED, "T[1] != EMPTY and FAR[c] != 0 and T[2] != EMPTY", "FAR[c] != 0"),
    (f"{CARRIED}\ne = NEXT[c]\ng = e + 1", "g > 2 and T[1] != EMPTY", "NEXT[c] + 1 > 2"),
    (f"{CARRIED}\ntest = FAR[c] != 0\nif test:\n    mine = T[2]\n    test = mine != EMPTY", "test", "FAR[c] != 0"),
    (CARRIED, "S[1] != EMPTY and T[1] != EMPTY", "S[1] != EMPTY"),
    (f"there = NEXT[c]\nif there < 0 and S[FAILED] == EMPTY:\n    S[FAILED] = word(1)\n{CARRIED}", "FAR[c] != 0",
     "FAR[c] != 0 or NEXT[c] < 0"),
    ("there = NEXT[c]\nif there < 0:\n    if S[FAILED] == EMPTY:\n        S[FAILED] = word(1)\nelse:\n"
     "    put(T, there, 1)", "FAR[c] != 0", "FAR[c] != 0 or NEXT[c] < 0"),
])
def test_what_effects_cannot_change_is_asked_before_the_copy(effects: str, test: str, asked: str) -> None:
    assert asked_first(effects, test) == asked


@pytest.mark.parametrize(("effects", "test"), [
    (CARRIED, "T[1] != EMPTY"),
    (f"{CARRIED}\nmine = T[1]", "mine != EMPTY"),
    (f"{CARRIED}\nn += 1", "FAR[c] != 0"),
    (f"{CARRIED}\nS[1] = EMPTY", "FAR[c] != 0"),
    (f"{CARRIED}\nif T[1] != EMPTY and S[FAILED] == EMPTY:\n    S[FAILED] = word(1)", "FAR[c] != 0"),
    (f"{CARRIED}\nif S[FAILED] == EMPTY:\n    S[FAILED] = word(1)", "FAR[c] != 0"),
    (f"there = number(S[5])\n{CARRIED}", "there >= 0 and FAR[there] != 0 and T[1] != EMPTY"),
])
def test_nothing_is_asked_before_the_copy_that_effects_decide(effects: str, test: str) -> None:
    if "there >= 0" in test:
        assert asked_first(effects, test) == "number(S[5]) >= 0"  # the table only where there is a cell
    else:
        assert asked_first(effects, test) is None


def test_a_copy_that_is_looked_at_where_the_move_ends_is_made() -> None:
    before, after = changed(f"{CARRIED}\ne = NEXT[c]", "FAR[c] != 0", "e")
    assert after == before


def test_only_what_is_left_is_asked_of_the_copy() -> None:
    _, after = changed(CARRIED, "FAR[c] != 0 and T[2] != EMPTY")
    assert after == """\
        if FAR[c] != 0:
            T = X[2]
            for k in range(9):
                T[k] = S[k]
            put(T, c, 2)
            T[8] = word(3)
            if T[2] != EMPTY:
                for d in members(T[0]):
                    E[n, 0] = d
                    n += 1
            else:
                if n >= len(E):
                    return n
                E[n, 0] = c
                n += 1
        else:
            if n >= len(E):
                return n
            E[n, 0] = c
            n += 1
    return n
"""
