"""The IR verifier: what it accepts, and its messages about what it rejects."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.compiler import ir
from interpreter.compiler.reader import IRError, Signature, read_functions
from interpreter.compiler.verify import problems, verify_ir
from tests.kernel.test_compiler_emit import module_of, run_plain
from tests.random_ir import arguments, functions
from tests.random_ir import module_of as random_module

_C, _A = ir.Name("c", ir.INT), ir.Name("a", ir.WORD)
_S = ir.Name("S", ir.ROW)
_ZERO = ir.Literal(0, ir.INT)
_FAILED = ir.Constant("FAILED", (7,), ir.INT)
_NO_VALUE = "x: has no value on some way that leads here"
_HEAD = "def act(S: Row, c: Int, a: Word, t: Bool):\n    "


def read(text: str) -> ir.Module:
    """A module of one function with a few parameters."""
    return module_of(_HEAD + text.replace("\n", "\n    "))


def problems_of(*body: ir.Statement, result: ir.Sort = ir.NOTHING) -> list[str]:
    """The problems of a function with these statements."""
    function = ir.Function("act", (_S, _C, _A), result, "", body)
    table = ir.Table("STEP", (1,), ir.LINE)
    return problems(ir.Module("", (_FAILED,), (table,), (function,), ("", "G408")))


@pytest.mark.parametrize("text", [
    "if t:\n    x = 1\nelse:\n    x = 2\nreturn x",
    "if t:\n    x = 1\nelse:\n    return 3\nreturn x",
    "while True:\n    x = 1\n    if t:\n        break\nreturn x",
    "while True:\n    if t:\n        return c\n    c += 1",
    "for k in range(3):\n    x = k\nreturn x",
    "x = 0\nfor k in members(a & ~ONE):\n    x += k\nreturn x",
    "x, y = 1, a\ny |= ONE << x\nreturn y >> ONE",
    "if True:\n    return TOP\nreturn a",
    "if True:\n    return c",
    "S[c] ^= ~a & TOP\nreturn number(S[c]) + STEP[number(a & ONE)]",
    "r = row(3)\nr[0] = a\nreturn 0 <= c < WIDTH and (t or not t) and t == (a != EMPTY)",
    "for k in range(WIDTH, NO, -1):\n    if t:\n        continue\n    S[k] = word(k)",
    "return max(abs(c), min(c, len(S)))",
])
def test_what_holds(text: str) -> None:
    """Values are defined on every path, sorts fit, and every path returns."""
    assert problems(read(text)) == []


@pytest.mark.parametrize(("text", "problem"), [
    ("if t:\n    x = 1\nreturn x", _NO_VALUE),
    ("while t:\n    x = 1\nreturn x", _NO_VALUE),
    ("for k in range(c):\n    x = k\nreturn x", _NO_VALUE),
    ("for k in range(3):\n    if t:\n        continue\n    x = k\nreturn x", _NO_VALUE),
    ("for k in range(3):\n    if t:\n        break\n    x = k\nreturn x", _NO_VALUE),
    ("while True:\n    if t:\n        break\n    x = 1\nreturn x", _NO_VALUE),
    ("x = 1\nwhile t:\n    y = x\n    x = y\nreturn y", "y: has no value on some way that leads here"),
    ("for k in members(a):\n    x = k\nreturn x", _NO_VALUE),
    ("for k in members(c):\n    return", "c: is Int, expected a set of cells"),
    ("if t:\n    return c", "a way through it gives nothing, expected Int"),
    ("while t:\n    return c", "a way through it gives nothing, expected Int"),
    ("return c + a", "c + a: '+' of Int and Word"),
    ("return a << a * c", "a * c: '*' of Word and Int"),
    ("c |= a", "c: '|' of Int and Word"),
    ("return c == a", "c == a: '==' of Int and Word"),
    ("return t < t", "t < t: '<' of Bool and Bool"),
    ("return -t", "-t: '-' of Bool"),
    ("if c:\n    return", "c: is Int, expected Bool"),
    ("while a & ONE:\n    S[c] = a", "a & ONE: is Word, expected Bool"),
    ("return 1 if a else 2", "a: is Word, expected Bool"),
    ("return t and c", "c: is Int, expected Bool"),
    ("return not c", "c: is Int, expected Bool"),
    ("return c if t else a", "c if t else a: is Int or Word"),
    ("return S[t]", "S[t]: an index is a number"),
    ("S[c] = c", "c: is Int, S[c] is Word"),
    ("for k in range(a):\n    return", "a: is Word, expected Int"),
    ("STEP[c] = 1", "STEP[c]: is an element of the table 'STEP', and cannot be changed"),
    ("STEP[c] += 1", "STEP[c]: is an element of the table 'STEP', and cannot be changed"),
    ("S = row(3)", "S: is an array that the caller gives, and cannot be given another"),
    ("x = (c, a)\nx[0] = c", "x[0]: is no element of an array, and cannot be changed"),
    ("if t:\n    x = 1\n    y = x\nc = y", "y: has no value on some way that leads here"),
])
def test_what_does_not_hold_of_what_the_reader_reads(text: str, problem: str) -> None:
    """Each message gives the function and the expression."""
    assert problems(read(text)) == [f"act: {problem}"]


@pytest.mark.parametrize(("statement", "problem"), [
    (ir.Assign(_C, _A), "a: is Word, 'c' is Int"),
    (ir.Assign(ir.Name("FAILED", ir.INT), _C), "FAILED: is a constant, and cannot be given a value"),
    (ir.Update(ir.Name("FAILED", ir.INT), "+", _C), "FAILED: is a constant, and cannot be changed"),
    (ir.Assign(_C, ir.Name("nobody", ir.INT)), "nobody: there is no such name"),
    (ir.Assign(_C, ir.Name("a", ir.INT)), "a: is Word, and says that it is Int"),
    (ir.Assign(_C, ir.Binary("+", _C, _C, ir.WORD)), "c + c: is Int, and says that it is Word"),
    (ir.Assign(_C, ir.Element(_S, (_C,), ir.INT)), "S[c]: is Word, and says that it is Int"),
    (ir.Assign(_C, ir.Element(_S, (_C, _C), ir.INT)), "S[c, c]: Row has no such element"),
    (ir.Assign(_C, ir.Element(ir.Tuple((_C, _A)), (ir.Literal(2, ir.INT),), ir.INT)),
     "(c, a)[2]: tuple[Int, Word] has no such element"),
    (ir.Assign(_C, ir.Element(ir.Tuple((_C, _A)), (_C,), ir.INT)), "(c, a)[c]: tuple[Int, Word] has no such element"),
    (ir.Assign(ir.Name("x", ir.ROW), ir.Tail(_S, _A)), "S[a:]: Row has no part from Word on"),
    (ir.Assign(_C, ir.Literal(1 << 63, ir.INT)), "9223372036854775808 is no Int"),
    (ir.Assign(_A, ir.Literal(-1, ir.WORD)), "-1 is no Word"),
    (ir.Assign(ir.Name("x", ir.ROW), ir.Literal(1, ir.ROW)), "a literal cannot be Row"),
    (ir.Assign(ir.Tuple((_C, _C)), _C), "(c, c): cannot be given Int"),
    (ir.Assign(_C, ir.Comparison(("<", "<"), (_C, _C))), "c < c: 2 relations of 2 values"),
    (ir.Break(), "'break' outside a loop"),
    (ir.Continue(), "'continue' outside a loop"),
    (ir.Return(_C), "c: returns Int, expected None"),
    (ir.For(ir.Name("k", ir.INT), _ZERO, _C, (), 2), "k: goes by 2, expected 1 or -1"),
    (ir.For(_A, _ZERO, _C, ()), "a: is Word, expected Int"),
    (ir.Evaluate(ir.Call("nobody", (), ir.NOTHING)), "nobody(): there is no such function"),
    (ir.Evaluate(ir.Call("act", (_S, _C), ir.NOTHING)),
     "act(S, c): act is given (Row, Int), it takes (Row, Int, Word)"),
    (ir.Evaluate(ir.Call("act", (_S, _A, _C), ir.NOTHING)),
     "act(S, a, c): act is given (Row, Word, Int), it takes (Row, Int, Word)"),
    (ir.Evaluate(ir.Call("lowest", (_C,), ir.INT)), "lowest(c): lowest is given (Int)"),
    (ir.Evaluate(ir.Call("count", (_A,), ir.INT)), "count(a): there is no such function"),
    (ir.Assign(ir.Element(_S, (ir.Name("FAILED", ir.INT),), ir.WORD), ir.Literal(2, ir.WORD)),
     "S[FAILED]: nothing fails with the number 2"),
    (ir.Assign(ir.Element(_S, (ir.Name("FAILED", ir.INT),), ir.WORD), ir.Literal(1, ir.WORD)), None),
])
def test_what_does_not_hold_of_nodes(statement: ir.Statement, problem: str | None) -> None:
    """Invalid nodes that the reader would not make but a pass could."""
    assert problems_of(statement) == ([] if problem is None else [f"act: {problem}"])


def test_constants_and_tables() -> None:
    """Values must fit the sort, and names must be unique."""
    pair, wide = ir.cells_sort(2), ir.cells_sort(13, vector=True)
    good = ir.Module("", (ir.Constant("A", (1, 2), pair), ir.Constant("B", (0,) * 13, wide)), (), ())
    assert problems(good) == []
    bad = ir.Module("", (
        ir.Constant("A", (1,), pair), ir.Constant("B", (-1,), ir.WORD), ir.Constant("C", (1,), ir.ROW),
        ir.Constant("D", (0, 1 << 64), pair)), (
        ir.Table("D", (0, -1), ir.ROW), ir.Table("E", (1 << 63,), ir.LINE), ir.Table("F", (), ir.ROWS),
        ir.Table("G", (), ir.LINE)), ())
    assert problems(bad) == [
        "D: there are two of this name",
        "A: has 1 values, tuple[Word, Word] has 2", "B: -1 is no Word", "C: a constant cannot be Row",
        "D: 18446744073709551616 is no Word",
        "D: -1 is no Word", "E: 9223372036854775808 is no Int", "F: a table cannot be Rows"]


def test_the_error_names_the_step_and_all_that_is_wrong() -> None:
    """The error names the pass that made the module and lists the problems, up to a number of lines."""
    verify_ir(read("return c"))
    with pytest.raises(IRError) as caught:
        verify_ir(read("return c + a"), after="shifts")
    assert str(caught.value) == "wrong IR after shifts:\nact: c + a: '+' of Int and Word"
    with pytest.raises(IRError, match=r"^wrong IR:\n") as caught:
        verify_ir(read("\n".join(["c = c + a"] * 12)))
    assert str(caught.value).endswith("\nact: c + a: '+' of Int and Word\nand 2 more")


def test_functions_given_as_python_are_called_with_anything() -> None:
    """The parameter sorts of a Python function may be unknown; the sort of its result is not."""
    functions = read_functions(["def act(c: Int):\n    return hook(c) + 1"], ir.WORD, {},
                               {"hook": Signature((), ir.INT)})
    module = ir.Module("", (), (), functions)
    assert problems(module) == ["act: hook(c): there is no such function"]
    hook = ir.Foreign("hook", (), ir.INT, "def hook(c):\n    return c\n")
    assert problems(attrs.evolve(module, functions=(*functions, hook))) == []


def without(block: tuple[ir.Statement, ...], number: int) -> tuple[tuple[ir.Statement, ...], int]:
    """Remove the statement with the given number, counting nested ones; also return the remaining count."""
    found: list[ir.Statement] = []
    for statement in block:
        number -= 1
        if number == -1:
            continue
        match statement:
            case ir.If():
                yes, number = without(statement.yes, number)
                no, number = without(statement.no, number)
                found.append(attrs.evolve(statement, yes=yes, no=no))
            case ir.While() | ir.For():
                body, number = without(statement.body, number)
                found.append(attrs.evolve(statement, body=body))
            case _:
                found.append(statement)
    return tuple(found), number


@given(functions(), arguments(), st.integers(0, 20))
@settings(max_examples=150, deadline=None)
def test_what_holds_runs(function: ir.Function, given_: list[Any], number: int) -> None:
    """A random function without one of its statements that passes the verifier runs and returns a number."""
    fewer = attrs.evolve(function, body=without(function.body, number)[0])
    if any(isinstance(part, ir.While) and not any(isinstance(inner, ir.Update) and isinstance(
            inner.target, ir.Name) and inner.target.name.startswith("n") for inner in part.body)
            for part in ir.statements(fewer.body)):
        return  # the removed statement is what ends the loop
    if not problems(random_module(fewer)):
        assert isinstance(run_plain(random_module(fewer))["act"](*given_), int)
