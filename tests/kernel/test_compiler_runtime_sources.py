"""The texts of the compiler's runtime functions, found without parsing the modules they are in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from interpreter.compiler import ir, runtime
from interpreter.compiler.library import Library
from interpreter.compiler.reader import IRError
from interpreter.compiler.runtime_sources import Sources, own, own_numbers

MODULES = sorted(Path(runtime.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_functions_found_are_those_of_the_module(path: Path) -> None:
    """Each function is found whole, with its decorators, and nothing else is."""
    text = path.read_text(encoding="utf-8")
    wanted = {node.name: ast.dump(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    found = Sources([text])
    assert list(found) == list(wanted)
    assert {name: ast.dump(node) for name, node in found.items()} == wanted


def test_sorts_that_depend_on_numbers_are_found() -> None:
    """A tuple of as many items as a number says that is put in, wherever its lines are broken; a loop is none."""
    sources = Sources([
        "def loop(n: Static) -> Int:\n    a = 0\n    for k in range(n):\n        a += k\n    return a\n",
        "def several(n: Static) -> Int:\n    a = tuple(k for k in range(n))\n    return a[0]\n",
        "def broken(n: Static) -> Int:\n    a = tuple(\n        k\n        for k in range(n))\n    return a[0]\n",
        "def of_words(words: Static) -> Int:\n    a = tuple(k for k in range(words))\n    return a[0]\n"])
    assert {name: sources.source(name).generic for name in sources} == {
        "loop": False, "several": True, "broken": True, "of_words": False}


def test_numbers_of_every_kernel_are_those_declared() -> None:
    """The names of the numbers are those that the module of declarations gives values."""
    path = next(path for path in MODULES if path.stem == "game")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert own_numbers() == {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(
        node.target, ast.Name)}
    assert len(own_numbers()) > 10
    assert "carry_out" in own()


def test_two_functions_of_one_name_are_an_error() -> None:
    """Names are the runtime's, whatever module they are in."""
    with pytest.raises(IRError, match="two runtime functions are called 'twice'"):
        Sources(["def twice(a: Int) -> Int:\n    return a\n", "def twice(b: Int) -> Int:\n    return b\n"])


def test_kernels_with_the_same_sets_and_numbers_read_functions_once() -> None:
    """What is read for one kernel is there for the next, and each kernel has functions of its own."""
    made = []
    for _ in range(2):
        library = Library(ir.WORD, {"words": 1, "players": 2}, lambda: ir.Name("EMPTY", ir.WORD), lambda wish: wish)
        library.use("neighbours", near=ir.Name("NEAR", ir.ROW))
        made.append(library)
    one, other = made
    assert one._reader is other._reader
    assert one.functions == other.functions
    assert one.functions is not other.functions
    wide = Library(ir.cells_sort(2), {"words": 2, "players": 2}, lambda: ir.Name("EMPTY", ir.WORD), lambda wish: wish)
    assert wide._reader is not one._reader
