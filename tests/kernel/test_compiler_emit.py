"""IR written as Python: the text of a module, and functions in plain Python with simplified expressions."""

from __future__ import annotations

import ast
from typing import Any

import attrs
import pytest

from interpreter.compiler import ir
from interpreter.compiler.emit import python
from interpreter.compiler.reader import read_functions
from interpreter.kernel import plain

_CONSTANTS = (ir.Constant("WIDTH", (6,), ir.INT), ir.Constant("NO", (-1,), ir.INT),
              ir.Constant("TOP", (0x7000000000000007,), ir.WORD))
_STEP = ir.Table("STEP", (1, 2, -1), ir.LINE)


def module_of(*texts: str, cells: ir.Sort = ir.WORD, constants: tuple[ir.Constant, ...] = _CONSTANTS) -> ir.Module:
    """A module of functions, with some constants and a table."""
    named: dict[str, ir.Sort] = {**{constant.name: constant.sort for constant in constants}, _STEP.name: _STEP.sort}
    return ir.Module("A test's kernel.", constants, (_STEP,), read_functions(texts, cells, named))


def run_text(module: ir.Module) -> dict[str, Any]:
    """The functions of a module, from its text."""
    names: dict[str, Any] = {"TABLES": {table.name: list(table.values) for table in module.tables}}
    exec(python.text_of(module).replace("from SUPPORT import", "from interpreter.kernel.plain import"), names)
    return names


def run_plain(module: ir.Module) -> dict[str, Any]:
    """The functions of a module, in plain Python."""
    names: dict[str, Any] = {**vars(plain), **{table.name: list(table.values) for table in module.tables}}
    names |= {constant.name: tuple(constant.values) for constant in module.constants if len(constant.values) > 1}
    emitter = python.PlainEmitter(module)
    for function in module.functions:
        assert isinstance(function, ir.Function)
        exec(compile(ast.Module([emitter.function(function)], []), "<kernel>", "exec"), names)
    return names


def plain_text(text: str) -> str:
    """The body of a function in plain Python."""
    module = module_of(text)
    function = module.functions[0]
    assert isinstance(function, ir.Function)
    return "\n".join(map(ast.unparse, python.PlainEmitter(module).function(function).body))


def test_the_text_of_a_module() -> None:
    """The text imports the names it uses, defines constants, takes its tables, and has functions with docstrings."""
    module = module_of('''
@entry
def first(S: Row, c: Int):
    """The first cell of a set of a row, or -1 where the set is empty, which it is as long as nothing was put there, \
by no one."""
    cells = S[c] & TOP
    if cells == EMPTY:
        return NO
    return twice(lowest(cells))
''', "def twice(c: Int):\n    return STEP[c % WIDTH] * 2")
    assert python.text_of(module) == '''"""A test's kernel."""

from SUPPORT import (
    EMPTY, entry, jit, lowest, word,
)

WIDTH = 6
NO = -1

TOP = word(0x7000000000000007)

STEP = TABLES['STEP']


@entry
def first(S, c):
    """The first cell of a set of a row, or -1 where the set is empty, which it is as long as nothing was put there, by
    no one."""
    cells = S[c] & TOP
    if cells == EMPTY:
        return NO
    return twice(lowest(cells))


@jit
def twice(c):
    return STEP[c % WIDTH] * 2
'''
    assert "called as jit" in python.text_of(module, inlined=False)


def test_sets_of_several_words_in_a_text() -> None:
    """Constants and literals are tuples of words, or vectors made of them."""
    pair = ir.cells_sort(2)
    constants = (ir.Constant("ALL", (3, 5), pair),)
    module = module_of("def both(a: Cells):\n    return a[0] & ALL[0], a[1] & ALL[1]", cells=pair, constants=constants)
    assert "ALL = (word(0x3), word(0x5))" in python.text_of(module)
    assert run_text(module)["both"]((7, 4)) == run_plain(module)["both"]((7, 4)) == (3, 4)
    wide = ir.cells_sort(13, vector=True)
    function = ir.Function("made", (), wide, "", (ir.Return(ir.Literal(1 << 64 | 2, wide)),))
    text = python.text_of(ir.Module("", (ir.Constant("ALL", (1,) * 13, wide),), (), (function,)))
    assert "    jit, of_words, word," in text
    assert "ALL = of_words((word(0x1), " in text
    assert "return of_words((word(2), word(1), word(0), " in text


def test_what_is_nested_stays_nested() -> None:
    """Brackets are written where precedence requires them."""
    texts = ["(a - (b - c)) * 2", "-(a + b) % 3", "a - b - c", "(a if b < c else b) + 1", "a << b - c", "~(a | b) & c",
             "(a < b) == (b < c)", "not (a < b and (b < c or c < a))", "-(-a)", "a if (b if a < c else c) < 2 else c"]
    for text in texts:
        module = module_of(f"def value(a: Int, b: Int, c: Int):\n    return {text}")
        for found in (run_text(module), run_plain(module)):
            for a in range(3):
                assert found["value"](a, 2, 1) == eval(text, {"a": a, "b": 2, "c": 1}), text


def test_comments_are_comments_of_the_text() -> None:
    """Comments precede their statement; a block of comments alone gets a `pass`; plain Python has none."""
    where = ir.Name("c", ir.INT)
    function = ir.Function("turned", (where,), ir.INT, "", (
        ir.Comment("rule place: 'if' # c is \"0\"\n\nsecond line"),
        ir.If(ir.Comparison(("<",), (where, ir.Literal(0, ir.INT))), (ir.Comment("nothing to do"),)),
        ir.Return(where)))
    module = ir.Module("", (), (), (function,))
    assert python.text_of(module).endswith('''
def turned(c):
    # rule place: 'if' # c is "0"
    #
    # second line
    if c < 0:
        # nothing to do
        pass
    return c
''')
    assert run_text(module)["turned"](3) == run_plain(module)["turned"](3) == 3


@pytest.mark.parametrize(("text", "expected"), [
    ("return number(S[2]) + number(word(3))", "return S[2] + 3"),
    ("S[WIDTH] = TOP | ONE << 3", "S[6] = 8070450532247928839 | 1 << 3"),
    ("S[WIDTH] = word(NO)", "S[6] = -1"),
    ("E[1, 2] = E[c, NO] * EE[c, 2, 1]", "E[1][2] = E[c][-1] * EE[c][2][1]"),
    ("E[0, 1] += popcount(S[1])", "E[0][1] += S[1].bit_count()"),
    ("a = S[0]\nreturn lowest(a)", "a = S[0]\nreturn (a & -a).bit_length() - 1"),
    ("return lowest(S[0])", "return lowest(S[0])"),
    ("for k in range(WIDTH):\n    S[k] = T[k]", "S[0:6] = T[0:6]"),
    ("for k in range(2, WIDTH):\n    S[k] = T[k]", "S[2:6] = T[2:6]"),
    ("for k in range(c):\n    S[k] = T[k]", "for k in range(c):\n    S[k] = T[k]"),
    ("for k in range(3):\n    S[k] = T[c]", "for k in range(3):\n    S[k] = T[c]"),
    ("for k in range(3):\n    S[k] |= T[k]", "for k in range(3):\n    S[k] |= T[k]"),
    ("for k in range(2, NO, -1):\n    S[k] = T[k]", "for k in range(2, -1, -1):\n    S[k] = T[k]"),
    ("WIDTH = c\nreturn WIDTH", "WIDTH = c\nreturn WIDTH"),
])
def test_plain_python_says_it_in_fewer_steps(text: str, expected: str) -> None:
    """Conversions that only other targets need disappear."""
    inner = text.replace("\n", "\n    ")
    assert plain_text(f"def act(S: Row, T: Row, E: Lines, EE: Pages, c: Int):\n    {inner}") == expected


def test_functions_of_the_kernel_go_before_primitives_of_their_name() -> None:
    """A kernel may have its own `popcount`."""
    module = module_of("def popcount(a: Word):\n    return 7", "def size(a: Word):\n    return popcount(a)")
    assert run_plain(module)["size"](1) == run_text(module)["size"](1) == 7
    assert "popcount," not in python.text_of(module)


def test_functions_given_as_python() -> None:
    """Hooks are copied into the text unchanged, and the names that they use are imported."""
    module = module_of("def size(a: Word):\n    return 7")
    hook = ir.Foreign("ends", (), ir.INT, "def ends(S):\n    return highest(S[0])  # the last\n", entry=True)
    text = python.text_of(attrs.evolve(module, functions=(*module.functions, hook)))
    assert text.endswith("\n\n\n@entry\ndef ends(S):\n    return highest(S[0])  # the last\n")
    assert "    entry, highest, jit, word,\n" in text
