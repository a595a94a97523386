"""Loops over the cells of sets as loops over words: those of few words have a loop for each."""

from __future__ import annotations

import pytest

from interpreter.compiler import ir
from interpreter.compiler.each import without_each

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
