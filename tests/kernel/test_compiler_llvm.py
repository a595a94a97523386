"""Machine code compiled from IR by LLVM: it agrees with plain Python and accepts arguments from Python and Numba."""

from __future__ import annotations

import ast
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from itertools import count, product
from operator import xor
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dslgame
from interpreter.compiler import ir
from interpreter.compiler.emit import llvm, llvm_values, python
from interpreter.compiler.reader import read_functions
from interpreter.compiler.signs import Signs
from interpreter.kernel import loading, machine_code, plain
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.machine_code import MachineCode
from tests.random_ir import arguments, functions
from tests.random_ir import module_of as random_module

pytestmark = pytest.mark.skipif(not machine_code.usable(), reason="this llvmlite, NumPy or Python is another")
_MARKS = count()
_NEAR = ir.Table("NEAR", (6, 9, (1 << 64) - 1, 0), ir.ROW)
_STEP = ir.Table("STEP", (2, -1, 0, 3), ir.LINE)
_WIDE = 5
"""The number of words of the sets that are vectors."""


def module_of(text: str, cells: ir.Sort = ir.WORD) -> ir.Module:
    """A module of the given functions, with two tables and a constant."""
    named: dict[str, ir.Sort] = {_NEAR.name: _NEAR.sort, _STEP.name: _STEP.sort, "WIDTH": ir.INT}
    texts = ["def " + part for part in text.split("def ")[1:]]
    marked = ["@entry\n" + part if part.startswith("def main") else part for part in texts]
    return ir.Module("", (ir.Constant("WIDTH", (3,), ir.INT),), (_NEAR, _STEP), read_functions(marked, cells, named))


def compiled(module: ir.Module, name: str = "main", *, inlined: bool = True) -> Callable[..., int]:
    """An entry compiled to machine code."""
    return MachineCode(module, f"test-{next(_MARKS)}", None, inlined=inlined)[name]


def in_python(module: ir.Module, name: str = "main") -> Callable[..., int]:
    """The same entry in plain Python."""
    names: dict[str, Any] = {**vars(plain), **{table.name: list(table.values) for table in module.tables}}
    emitter = python.PlainEmitter(module)
    for function in module.functions:
        assert isinstance(function, ir.Function)
        exec(compile(ast.Module([emitter.function(function)], []), "<kernel>", "exec"), names)
    found: Callable[..., int] = names[name]
    return found


def words(*values: int) -> Any:
    """A row of the given words."""
    return np.array(values, np.uint64)


# ---- random functions


def _defined(node: ir.Expr) -> ir.Expr:
    """Make an expression defined everywhere: no first cell of an empty set, and no word too large for `number`."""
    match node:
        case ir.Call(function="lowest" | "highest" as name, arguments=(cells,)):
            return ir.Call(name, (ir.Binary("|", cells, ir.Name("ONE", ir.WORD), ir.WORD),), ir.INT)
        case ir.Call(function="number", arguments=(cells,)):
            return ir.Call("number", (ir.Binary("&", cells, ir.Literal(0xFFFF, ir.WORD), ir.WORD),), ir.INT)
    return node


@given(functions(), arguments())
@settings(max_examples=40, deadline=None)
def test_random_functions_do_as_in_plain_python(function: ir.Function, given_: list[Any]) -> None:
    """Results and changed arrays agree."""
    body = ir.with_expressions(function.body, lambda node: ir.transformed(node, _defined))
    module = random_module(attrs.evolve(function, body=body, entry=True))
    arrays = [np.array([value & (1 << 64) - 1 for value in item] if parameter.sort == ir.ROW else list(item),
                       np.uint64 if parameter.sort == ir.ROW else np.int64)
              if isinstance(parameter.sort, ir.Array) else item
              for item, parameter in zip(given_, function.parameters, strict=True)]
    assert compiled(module, "act")(*arrays) == in_python(module, "act")(*given_)
    for array, item, parameter in zip(arrays, given_, function.parameters, strict=True):
        if isinstance(parameter.sort, ir.Array):
            assert array.tolist() == list(item)


# ---- numbers


_EDGES = (0, 1, -1, 2, -2, 3, 7, -7, 8, 64, (1 << 63) - 1, -(1 << 63))


def test_quotients_are_rounded_down() -> None:
    """Quotients round down as in Python; division by 0 and overflow give 0 and do not end the process."""
    divide = compiled(module_of("def main(a: Int, b: Int):\n    return a // b\n"))
    rest = compiled(module_of("def main(a: Int, b: Int):\n    return a % b\n"))
    for a, b in product(_EDGES, _EDGES):
        bad = b == 0 or (a == -(1 << 63) and b == -1)
        assert (divide(a, b), rest(a, b)) == ((0, 0) if bad else (a // b, a % b))


@pytest.mark.parametrize("by", [1, 2, 3, 8, 10])
def test_quotients_by_a_known_number(by: int) -> None:
    """Division by constants, where powers of two become shifts and masks."""
    divide = compiled(module_of(f"def main(a: Int):\n    return a // {by}\n"))
    rest = compiled(module_of(f"def main(a: Int):\n    return a % {by}\n"))
    assert [divide(a) for a in _EDGES] == [a // by for a in _EDGES]
    assert [rest(a) for a in _EDGES] == [a % by for a in _EDGES]


def test_words_have_no_sign() -> None:
    """Words are compared, divided and shifted as unsigned; an integer argument keeps its bits."""
    text = """
def main(a: Word, b: Word, S: Row):
    S[0] = a // b
    S[1] = a % b
    S[2] = a >> 1
    S[3] = ~a
    if a > b:
        return 1
    return number(a)
"""
    row = words(0, 0, 0, 0)
    top = (1 << 64) - 2
    assert compiled(module_of(text))(top, 10, row) == 1
    assert row.tolist() == [top // 10, top % 10, top >> 1, 1]
    assert compiled(module_of(text))(np.uint64(3), 10, row) == 3
    assert compiled(module_of("def main(a: Word):\n    return number(a)\n"))(top) == -2


def test_what_is_not_needed_is_not_computed() -> None:
    """Short-circuit evaluation of `and`, `or`, chained comparisons and conditional expressions."""
    text = """
def mark(S: Row, k: Int) -> Bool:
    S[k] = ONE
    return True
def value(S: Row, k: Int) -> Int:
    S[k] = ONE
    return 5
def main(S: Row, c: Int) -> Int:
    found = 0
    if c > 0 and mark(S, 0):
        found += 1
    if c == 0 or mark(S, 1):
        found += 2
    if 1 < c < value(S, 2):
        found += 4
    other = value(S, 3) if c > 1 else 7
    return found + 10 * other
"""
    main = compiled(module_of(text))
    for c, wanted, marks in ((0, 72, [0, 0, 0, 0]), (1, 73, [1, 1, 0, 0]), (2, 57, [1, 1, 1, 1])):
        row = words(0, 0, 0, 0)
        assert (main(row, c), row.tolist()) == (wanted, marks)


@pytest.mark.parametrize("way", ["nth_at_once", "nth_by_halves"])
def test_the_cell_at_a_place(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`nth` works with the deposit instruction of the processor and by halving."""
    if way == "nth_at_once" and not machine_code.deposits():
        pytest.skip("this processor cannot")
    monkeypatch.setattr(machine_code, "deposits", lambda: way == "nth_at_once")
    nth = compiled(module_of("def main(cells: Word, k: Int):\n    return nth(cells, k)\n"))
    for cells in (1, 1 << 63, 0xF0F0F0F0F0F0F0F0, (1 << 64) - 1, 0x8000000180000001):
        assert [nth(cells, k) for k in range(cells.bit_count())] == [c for c in range(64) if cells >> c & 1]


def test_random_words_are_those_of_plain_kernels() -> None:
    """The same seed gives the same random numbers."""
    module = module_of("""
def main(seed: Word, S: Row):
    seed = stir(seed)
    S[0] = scramble(seed)
    return below(S[0], 1000)
""")
    for seed in (0, 1, 0x123456789ABCDEF):
        row, plain_row = words(0), [0]
        assert compiled(module)(seed, row) == in_python(module)(seed, plain_row)
        assert row.tolist() == plain_row


# ---- arrays, tuples and sets of many words


def test_places_in_arrays() -> None:
    """Negative indices count from the end, slices start at an index, and tables and new arrays are indexed alike."""
    text = """
def main(E: Lines, c: Int):
    m = line(WIDTH)
    m[c] = 5
    new = numbers(2, WIDTH)
    new[1, 2] = 100
    E[c] [0] = m[WIDTH - 1] + len(E) * 10
    part = E[1:]
    return STEP[c] + part[0, 1] + new[1][2] + m[0]
"""
    found = np.arange(6, dtype=np.int64).reshape(2, 3)
    main = compiled(module_of(text.replace("E[c] [0]", "E[c][0]")))
    assert main(found, -1) == 3 + 4 + 100
    assert found.tolist() == [[0, 1, 2], [25, 4, 5]]
    assert main(found, 0) == 2 + 4 + 100 + 5


def test_tuples_are_given_back_and_taken_apart() -> None:
    """Nested tuples and items at a computed index work as well."""
    text = """
def pair(S: Row, k: Int) -> tuple[tuple[Word, Word], Bool]:
    if k < 0:
        return ((ONE, EMPTY), False)
    return ((S[k], S[0]), True)
def main(S: Row, k: Int):
    cells, good = pair(S, k)
    found = number(cells[0]) * 100 + number(cells[1]) * 10
    for place in range(2):
        found += number(cells[place])
    return found if good else -found
"""
    for k, wanted in ((1, 70 * 10 + 30 + 10), (-1, -101)):
        assert compiled(module_of(text))(words(3, 7), k) == wanted


def test_loops_and_what_leaves_them() -> None:
    """A loop's name keeps its last value, and assignments to it in the body last only for that round."""
    text = """
def main(S: Row, n: Int):
    k = -5
    rounds = 0
    for k in range(2, n):
        rounds += 1
        k += 10
        if rounds == 4:
            break
    for j in range(n, 0, -1):
        if j % 2 == 0:
            continue
        S[0] = S[0] << 1 | ONE
    while True:
        rounds += 100
        if rounds > 500:
            return k + rounds
"""
    row, same = words(0), [0]
    module = module_of(text)
    for n in (0, 3, 20):
        assert compiled(module)(row, n) == in_python(module)(same, n)
        assert row.tolist() == same


@st.composite
def _sets(draw: Any) -> tuple[int, ...]:
    return tuple(draw(st.integers(0, (1 << 64) - 1)) for _ in range(_WIDE))


_SETS = """
def main(S: Row, c: Int):
    a = read(S, 0, OTHER)
    b = read(S, 5, OTHER)
    write(S, 10, both(a, b))
    write(S, 15, either(a, single(c, a)))
    write(S, 20, minus(a, b))
    write(S, 25, shift(a, 70))
    write(S, 30, shift(b, -64))
    write(S, 35, shift(b, -3))
    S[40] = a[c >> 6]
    if some(minus(a, b)) and not equal(a, b):
        return count(a)
    return -1
"""


@given(_sets(), _sets(), st.integers(0, 64 * _WIDE - 1))
@example((0,) * _WIDE, (0,) * _WIDE, 0)
@settings(max_examples=20, deadline=None)
def test_sets_that_are_vectors(one: tuple[int, ...], other: tuple[int, ...], cell: int) -> None:
    """All operations on vector sets agree with plain Python."""
    sort = ir.cells_sort(_WIDE, vector=True)
    constant = ir.Constant("OTHER", (0,) * _WIDE, sort)
    read = read_functions([f"@entry{_SETS}"], sort, {"OTHER": sort})
    module = ir.Module("", (constant,), (), read)
    row = words(*one, *other, *[0] * 31)
    given_ = [*one, *other, *[0] * 31]
    names: dict[str, Any] = {}
    exec(python.text_of(module).replace("from SUPPORT import", "TABLES = {}\nfrom interpreter.kernel.plain import"),
         names)
    assert compiled(module)(row, cell) == names["main"](given_, cell)
    assert row.tolist() == given_


# ---- calls


_TAKING = """
def main(S: Row, E: Lines, good: Bool, key_: Word):
    if good:
        S[0] = key_
        E[1, 1] += 1
    return number(S[1]) + E[0, 0]
"""


def test_arguments() -> None:
    """Arrays need the right type, but any layout; NumPy numbers are accepted; a TypeError names any other argument."""
    main = compiled(module_of(_TAKING))
    row, entries = words(1, 2), np.ones((2, 2), np.int64)
    assert main(row, entries, np.bool_(True), np.uint64(1 << 63)) == 3
    assert row.tolist() == [1 << 63, 2]
    wide = np.ones((2, 4), np.int64)
    strided = wide[:, ::2]
    assert main(words(1, 2), strided, True, 5) == 3
    assert wide.tolist() == [[1, 1, 1, 1], [1, 1, 2, 1]]
    fixed = words(1, 2)
    fixed.flags.writeable = False
    assert main(fixed, entries, False, 5) == 3
    with pytest.raises(TypeError, match=r"^main\(\): S is an array of int64, expected an array of uint64$"):
        main(np.zeros(2, np.int64), entries, True, 5)
    with pytest.raises(TypeError, match=r"^main\(\): E is of the type list, expected an array of int64$"):
        main(row, [[1, 2], [3, 4]], True, 5)
    with pytest.raises(TypeError, match=r"^main\(\) takes 4 arguments, 2 are given$"):
        main(row, entries)
    with pytest.raises(TypeError, match=r"S: Row, E: Lines, good: Bool, key_: Word"):
        main(row, np.zeros(2, np.int64), True, 5)
    with pytest.raises(TypeError, match="integer"):
        main(row, entries, True, "five")
    assert main(row, entries, False, 5) == 3  # all of that changed nothing


def test_arguments_are_refused_beside_numba() -> None:
    """Numba registers its own symbols for Python's errors with LLVM; ours have other names."""
    numba = pytest.importorskip("numba")

    @numba.njit  # type: ignore[untyped-decorator]  # Numba has no types
    def raising(number: int) -> int:
        if number:
            raise TypeError
        return number

    raising(0)
    with pytest.raises(TypeError, match="S is of the type int"):
        compiled(module_of(_TAKING))(1, 2, 3, 4)


def test_flags_are_bytes() -> None:
    """Arrays of flags are NumPy arrays of bool."""
    main = compiled(module_of("""
def main(marks: FlagRows, k: Int):
    marks[1, k] = not marks[0, k]
    return 0
"""))
    marks = np.array([[True, False], [True, False]])
    main(marks, 0)
    main(marks, 1)
    assert marks.tolist() == [[True, False], [False, True]]


def test_threads_that_ask_for_the_same_entry_at_once() -> None:
    """The entry is compiled once and runs in several threads at once."""
    main = compiled(module_of("def main(n: Int):\n    found = 0\n    for k in range(n):\n        found ^= k\n"
                              "    return found\n"))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(main, [10_000] * 8)) == [reduce(xor, range(10_000))] * 8


def test_numba_calls_entries() -> None:
    """Numba code can take entries as function arguments."""
    numba = pytest.importorskip("numba")
    from interpreter.kernel import signatures

    main = compiled(module_of("def main(S: Row, P: Row):\n    P[1] = S[0]\n    return len(S) * 10 + len(P)\n"))
    call = numba.njit(lambda function, S, P: function(S, P))
    call.compile((signatures.PACK, signatures.ROW, signatures.ROW))
    call.disable_compile()
    packed = words(0, 0)
    assert call(main, words(7, 8, 9), packed) == 32
    assert packed.tolist() == [0, 7]


# ---- where it cannot be


@pytest.mark.slow
@pytest.mark.parametrize("what", ["_OLDEST", "_HEAD", "_numpy_fits"])
def test_another_version_leaves_it_to_numba(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an older LLVM or another layout of objects or arrays, Numba compiles the kernel, with the same results."""
    game = dslgame.loads('game "Two"\nplayers A\nboard square(1, 2)\npieces a of A\n'
                         "move put(c in empty):\n    c := own\nwin A when no empty\n")
    direct = Kernel.of(game, kept=False)
    assert isinstance(direct.functions, MachineCode)
    machine_code.usable.cache_clear()
    other: Any = {"_OLDEST": 999, "_HEAD": 8, "_numpy_fits": lambda: False}[what]
    monkeypatch.setattr(machine_code, what, other)
    try:
        kernel = Kernel.of(game, kept=False)
        assert not isinstance(kernel.functions, MachineCode)
        assert kernel.perft(2) == direct.perft(2) == ([2, 2], 2)
    finally:
        machine_code.usable.cache_clear()


def test_numba_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable selects Numba."""
    monkeypatch.setenv(loading.COMPILER, "numba")
    assert not isinstance(Kernel.of(dslgame.load("nim"), kept=False).functions, MachineCode)


def test_functions_that_are_not_ir_are_left_to_numba() -> None:
    """Entries that return no number are also unsupported."""
    foreign = ir.Foreign("act", (), ir.NOTHING, "def act():\n    pass\n")
    with pytest.raises(llvm_values.Unsupported, match="act"):
        MachineCode(ir.Module("", (), (), (foreign,)), "foreign", None, inlined=True)
    with pytest.raises(llvm_values.Unsupported, match="an entry that gives Bool"):
        compiled(module_of("def main(c: Int):\n    return c > 0\n"))(1)


# ---- signs


def test_what_cannot_be_negative() -> None:
    """Counters, cell indices and parameters that get only such values; not values from rows, or after subtraction."""
    module = module_of("""
def inner(S: Row, at: Int, way: Int):
    return at + way
def main(S: Row, n: Int):
    found = 0
    for k in range(3):
        found += inner(S, k, number(S[0]))
        found += inner(S, lowest(S[1] | ONE), 2)
    less = k
    less -= 1
    for j in range(n):
        found += j % 7
    part = 0
    part += 1
    place = (part << 6) + lowest(S[1])
    far = part << n
    return found
""")
    found = [function for function in module.functions if isinstance(function, ir.Function)]
    signs = Signs(found, module.constants, module.tables)
    for function, name, wanted in (("inner", "at", True), ("inner", "way", False), ("main", "k", True),
                                   ("main", "less", False), ("main", "j", True), ("main", "n", False),
                                   ("main", "found", False), ("main", "place", True),
                                   ("main", "far", False)):
        assert signs.is_positive(function, ir.Name(name, ir.INT)) == wanted, name


def test_only_what_an_entry_reaches_is_written() -> None:
    """The text contains only reachable functions and the tables that they name."""
    text = module_of("""
def unused(c: Int):
    return STEP[c]
def used(c: Int):
    return number(NEAR[c])
def main(c: Int):
    return used(c)
""")
    written = llvm.ModuleWriter(text, inlined=True, deposits=True).text("main")
    assert '@"table NEAR"' in written
    assert "unused" not in written
    assert "STEP" not in written
