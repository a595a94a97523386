"""The primitives of a kernel's text on a GPU: the names of `interpreter.kernel.plain`, compiled by numba-cuda.

`names(words)` returns them for bitsets of a number of words. A word is a uint64, a number an int64; a set of several
words is a tuple of them, and its functions are unrolled for its length, since numba-cuda has no vectors.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numba import cuda as untyped_cuda

from interpreter.kernel.plain import FIRST_FACTOR, SECOND_FACTOR, STEP

cuda: Any = untyped_cuda

ARRAYS: Mapping[str, tuple[int, str]] = {
    "rows": (2, "uint64"), "numbers": (2, "int64"), "row": (1, "uint64"), "line": (1, "int64")}
"""The functions that allocate scratch arrays, with the number of dimensions and the element type of each.

On a GPU these arrays are in the thread's local memory.
"""

_OF_SETS = ("of_words", "either", "both", "minus", "some", "equal", "count", "single", "shift", "read",
            "write")
_MOST_OF_TUPLE = 30
"""The most elements of a tuple display: Python builds longer ones from a list, which a GPU does not support."""
_ONE = np.uint64(1)
_NONE = np.uint64(0)
_FIRST, _SECOND, _STEP = np.uint64(FIRST_FACTOR), np.uint64(SECOND_FACTOR), np.uint64(STEP)


def part(function: Callable[..., object]) -> Callable[..., object]:
    """Compile a device function."""
    result: Callable[..., object] = cuda.jit(device=True)(function)
    return result


def _popcount(cells: np.uint64) -> np.int64:
    return np.int64(cuda.popc(cells))


def _lowest(cells: np.uint64) -> np.int64:
    return np.int64(cuda.ffs(cells)) - 1


def _highest(cells: np.uint64) -> np.int64:
    return 63 - np.int64(cuda.clz(cells))


def _nth(cells: np.uint64, place: int) -> np.int64:
    for _ in range(place):
        cells &= cells - _ONE
    return np.int64(cuda.ffs(cells)) - 1


def _extract(cells: np.uint64, mask: np.uint64) -> np.uint64:
    result, place = _NONE, _NONE
    while mask != _NONE:
        least = mask & (~mask + _ONE)
        if cells & least != _NONE:
            result |= _ONE << place
        mask ^= least
        place += _ONE
    return result


def _deposit(bits: np.uint64, mask: np.uint64) -> np.uint64:
    result = _NONE
    while mask != _NONE:
        least = mask & (~mask + _ONE)
        if bits & _ONE != _NONE:
            result |= least
        mask ^= least
        bits >>= _ONE
    return result


def _scramble(seed: np.uint64) -> np.uint64:
    seed = (seed ^ (seed >> np.uint64(30))) * _FIRST
    seed = (seed ^ (seed >> np.uint64(27))) * _SECOND
    return seed ^ (seed >> np.uint64(31))


def _stir(seed: np.uint64) -> np.uint64:
    return seed + _STEP


def _below(random: np.uint64, limit: int) -> np.int64:
    return np.int64((random >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))


def _less(one: np.int64, other: np.int64) -> np.int64:
    return one if one < other else other


def _more(one: np.int64, other: np.int64) -> np.int64:
    return one if one > other else other


@cache
def names(words: int) -> dict[str, object]:
    """The names that a kernel's text can import, for bitsets of `words` words."""
    result: dict[str, object] = {
        "cuda": cuda, "uint64": np.uint64, "int64": np.int64, "word": np.uint64, "number": np.int64, "ONE": _ONE,
        "EMPTY": _NONE, "FULL": np.uint64((1 << 64) - 1), "jit": part, "called": part, "entry": part,
        "signed": np.uint64, "stored": np.uint64,
    }
    for function in (_popcount, _lowest, _highest, _nth, _extract, _deposit, _scramble, _stir, _below):
        result[function.__name__[1:]] = part(function)
    result |= {"min": part(_less), "max": part(_more)}  # numba-cuda has none of two arguments
    if words > 1:
        made: dict[str, Any] = {"word": np.uint64, "popcount": result["popcount"]}
        exec(compile(_sets_text(words), "<sets>", "exec"), made)
        result["constant_set"] = made["of_words"]
        made |= {name: part(made[name]) for name in ("part_of", *_OF_SETS)}
        result |= {name: made[name] for name in _OF_SETS}
    return result


def _sets_text(words: int) -> str:
    """The text of the functions of bitsets of `words` words, unrolled."""
    def each(text: str, joint: str = ", ") -> str:
        parts = [text.format(i=i) for i in range(words)]
        if joint == ", " and words > _MOST_OF_TUPLE:
            return " + ".join(f"({', '.join(parts[at:at + _MOST_OF_TUPLE])},)"
                              for at in range(0, words, _MOST_OF_TUPLE))
        return joint.join(parts)

    moved = ["    c, rest = whole >> 6, whole & 63", "    up, down = word(rest), word(64 - rest)"]
    return "\n".join([
        f"def of_words(words):\n    return ({each('word(words[{i}])')})",
        f"def either(a, b):\n    return ({each('a[{i}] | b[{i}]')})",
        f"def both(a, b):\n    return ({each('a[{i}] & b[{i}]')})",
        f"def minus(a, b):\n    return ({each('a[{i}] & ~b[{i}]')})",
        f"def some(a):\n    return ({each('a[{i}]', ' | ')}) != word(0)",
        f"def equal(a, b):\n    return {each('a[{i}] == b[{i}]', ' and ')}",
        f"def count(a):\n    return {each('popcount(a[{i}])', ' + ')}",
        "def single(c, like):\n    bit = word(1) << word(c & 63)\n    at = c >> 6\n    none = word(0)",
        f"    return ({each('bit if at == {i} else none')})",
        "def part_of(a, k):\n    none = word(0)",
        *(f"    if k == {i}:\n        return a[{i}]" for i in range(words)),
        "    return none",
        "def shift(a, by):\n    none = word(0)\n    whole = by if by > 0 else -by", *moved,
        "    if by > 0:",
        f"        return ({each('(part_of(a, {i} - c) << up) | (part_of(a, {i} - c - 1) >> down if rest else none)')})",
        f"    return ({each('(part_of(a, {i} + c) >> up) | (part_of(a, {i} + c + 1) << down if rest else none)')})",
        f"def read(row, at, like):\n    return ({each('row[at + {i}]')})",
        "def write(row, at, a):",
        *(f"    row[at + {i}] = a[{i}]" for i in range(words)),
    ]) + "\n"


class OnDevice(ast.NodeTransformer):
    """Adapts a kernel's text to GPUs: removes imports, and allocates scratch arrays in a thread's local memory."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Remove imports, as the names are provided by `names`."""

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Make constant sets on the host, by `constant_set`."""
        for statement in node.body:
            if isinstance(statement, ast.Assign):
                for name in ast.walk(statement):
                    if isinstance(name, ast.Name) and name.id == "of_words":
                        name.id = "constant_set"
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Rewrite `rows(2, WIDTH)` as `cuda.local.array((2, WIDTH), uint64)`."""
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in ARRAYS:
            return node
        count, held = ARRAYS[node.func.id]
        sizes = ast.Tuple(node.args, ast.Load()) if count > 1 else node.args[0]
        array = ast.parse("cuda.local.array", mode="eval").body
        return ast.copy_location(ast.Call(array, [sizes, ast.Name(held, ast.Load())], []), node)
