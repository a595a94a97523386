"""Loops over the cells of sets become loops over words; for sets of few words, one loop per word."""

from __future__ import annotations

import pytest

from interpreter.compiler import ir
from interpreter.compiler.each import without_each, without_loops_over_cells
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.printer import printed_function

SHORT = (ir.Update(ir.Name("found", ir.INT), "+", ir.Name("c", ir.INT)),)
LEAVING = (*SHORT, ir.If(ir.Comparison((">",), (ir.Name("c", ir.INT), ir.Literal(70, ir.INT))), (ir.Break(),)))


def _function(words: int, body: tuple[ir.Statement, ...]) -> ir.Function:
    sort = ir.Product((ir.WORD,) * words)
    loop = ir.ForEach(ir.Name("c", ir.INT), ir.Name("cells", sort), body)
    found = ir.Name("found", ir.INT)
    return ir.Function("total", (ir.Name("cells", sort),), ir.INT, "",
                       (ir.Assign(found, ir.Literal(0, ir.INT)), loop, ir.Return(found)))


@pytest.mark.parametrize(("words", "body", "loops"), [
    (2, SHORT, 2), (3, SHORT, 3), (4, SHORT, 2), (2, LEAVING, 2), (2, SHORT * 30, 2), (3, SHORT * 30, 2)])
def test_sets_of_few_words_have_a_loop_for_each(words: int, body: tuple[ir.Statement, ...], loops: int) -> None:
    statements = without_each(_function(words, body))
    whiles = [node for node in ir.statements(statements) if isinstance(node, ir.While)]
    at_once = [node for node in statements if isinstance(node, ir.While)]
    assert len(whiles) == loops
    assert len(at_once) == (words if body is SHORT and words < 4 else 1)


def test_loops_over_cells_of_a_module_become_loops_over_words() -> None:
    """New names do not clash, and the set is evaluated before the first iteration."""
    module = read_module("""
def other(S: Row) -> Word:
    return S[0]

def f(S: Row) -> Int:
    n = 0
    rest = S[0]
    for c in members(rest):
        for d in members(S[1] & ~rest):
            n += c + d
    return n
""")
    done = without_loops_over_cells(module)
    assert done.functions[0] is module.functions[0]
    assert isinstance(done.functions[1], ir.Function)
    assert printed_function(done.functions[1]) == """\
def f(S: Row) -> Int:
    n = 0
    rest = S[0]
    rest_2 = rest
    while rest_2 != EMPTY:
        c = lowest(rest_2)
        rest_2 &= rest_2 - ONE
        rest_3 = S[1] & ~rest
        while rest_3 != EMPTY:
            d = lowest(rest_3)
            rest_3 &= rest_3 - ONE
            n += c + d
    return n
"""
    assert without_loops_over_cells(done) is done
