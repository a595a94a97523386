"""Functions specialised for one game: known values are inserted, and what they decide is removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler import ir
from interpreter.compiler.each import without_each
from interpreter.compiler.emit.python import function_text
from interpreter.compiler.module_reader import read_function
from interpreter.compiler.reader import IRError
from interpreter.compiler.specialise import folded, specialised


def made(text: str, **known: int | str) -> str:
    """The body of a function as Python, with some parameters bound."""
    function = read_function(text)
    sorts = {parameter.name: parameter.sort for parameter in function.parameters}
    bound: dict[str, ir.Expr] = {
        name: ir.Name(value, sorts[name]) if isinstance(value, str) else ir.Literal(value, sorts[name])
        for name, value in known.items()}
    return function_text(specialised(function, bound)).partition(":\n")[2].replace("\n    ", "\n").strip()


def test_a_branch_that_is_known_is_left_out() -> None:
    text = """
def f(a: Int, swaps: Static) -> Int:
    if swaps:
        a += 1
    if not swaps and a > 3:
        return 0
    return a
"""
    assert made(text, swaps=1) == "a += 1\nreturn a"
    assert made(text, swaps=0) == "if a > 3:\n    return 0\nreturn a"


def test_nothing_stands_after_a_return() -> None:
    text = """
def f(a: Int, early: Static) -> Int:
    if early:
        return 1
    a += 1
    return a
"""
    assert made(text, early=1) == "return 1"


def test_a_loop_is_written_out_for_each_number() -> None:
    text = """
def f(S: Row, many: Static) -> Word:
    found = EMPTY
    for k in unrolled(range(many)):
        found |= S[k + 1]
    return found
"""
    assert made(text, many=2) == "found = S[1] | S[2]\nreturn found"
    with pytest.raises(IRError, match="cannot be written out"):
        made(text)


def test_a_table_is_named_and_a_parameter_that_is_put_in_is_gone() -> None:
    function = read_function("def f(c: Int, near: WordTable) -> Word:\n    return near[c]\n")
    found = specialised(function, {"near": ir.Name("NEAR", ir.ROW)}, "near_of")
    assert function_text(found) == "@jit\ndef near_of(c):\n    return NEAR[c]"


def test_a_parameter_that_changes_is_not_put_in() -> None:
    function = read_function("def f(a: Static) -> Int:\n    a += 1\n    return a\n")
    with pytest.raises(IRError, match="the parameter 'a' is put in, and changed"):
        specialised(function, {"a": ir.Literal(1, ir.INT)})


@given(st.integers(-50, 50), st.integers(1, 50), st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^"]))
def test_arithmetic_of_known_numbers_is_that_of_python(one: int, other: int, sign: ir.Operator) -> None:
    node = ir.Binary(sign, ir.Literal(one, ir.INT), ir.Literal(other, ir.INT), ir.INT)
    assert folded(node, {}) == ir.Literal(eval(f"one {sign} other"), ir.INT)


@pytest.mark.parametrize("words", [1, 2, 14])
def test_a_loop_over_cells_goes_through_words(words: int) -> None:
    cells = ir.cells_sort(words, vector=words > 12)
    function = read_function("""
def f(a: Cells) -> Int:
    total = 0
    for c in members(a):
        if c == 3:
            continue
        total += c
    return total
""", cells)
    body = without_each(function)
    assert not any(isinstance(found, ir.ForEach) for found in ir.statements(body))
    names: dict[str, object] = {
        "jit": lambda made: made, "EMPTY": 0, "ONE": 1, "lowest": lambda word: (word & -word).bit_length() - 1}
    exec(function_text(ir.Function("f", function.parameters, function.result, "", body)), names)
    chosen = [0, 3, 5, 63] if words == 1 else [0, 3, 5, 63, 64, 64 * words - 1]
    parts = [sum(1 << cell % 64 for cell in chosen if cell // 64 == part) for part in range(words)]
    assert names["f"](parts[0] if words == 1 else tuple(parts)) == sum(chosen) - 3  # type: ignore[operator]
