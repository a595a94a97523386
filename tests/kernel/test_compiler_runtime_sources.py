"""The sources of the compiler's runtime functions, found without parsing their modules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from interpreter.compiler import ir, runtime
from interpreter.compiler.library import Library
from interpreter.compiler.reader import IRError
from interpreter.compiler.runtime_sources import Sources, own, own_numbers

RECORD = re.compile(r"^class (\w+)\(NamedTuple\)", re.MULTILINE)
MODULES = sorted(Path(runtime.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_functions_found_are_those_of_the_module(path: Path) -> None:
    """Each function is found completely, with its decorators, and nothing else is."""
    text = path.read_text(encoding="utf-8")
    wanted = {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    found = Sources([text])
    assert list(found) == list(wanted)
    records = {name for module in MODULES for name in RECORD.findall(module.read_text(encoding="utf-8"))}
    for name, node in found.items():
        taken = {argument.annotation.id for argument in ast.walk(ast.parse(wanted[name])) if isinstance(
            argument, ast.arg) and isinstance(argument.annotation, ast.Name)} & records
        assert taken or ast.dump(node) == ast.dump(ast.parse(wanted[name]).body[0])


RECORDS = """class Turn(NamedTuple):
    \"\"\"A turn.\"\"\"

    by: Static
    goals: Table
    \"\"\"Where cells go.\"\"\"


"""


def test_a_record_is_read_as_its_fields() -> None:
    """Records are expanded into fields where they are taken, accessed and passed on; other attributes stay."""
    found = Sources([
        f"{RECORDS}def one(c: Int, turn: Turn) -> Int:\n    return turn.goals[c + turn.by]\n",
        "def two(S: Row, turn: Turn, words: Static) -> Int:\n    return one(S.size, turn) + turn.by\n"])
    assert ast.unparse(found["one"]) == "def one(c: Int, by: Static, goals: Table) -> Int:\n    return goals[c + by]"
    assert ast.unparse(found["two"]) == (
        "def two(S: Row, by: Static, goals: Table, words: Static) -> Int:\n    return one(S.size, by, goals) + by")
    assert found.source("two").static == {"by": "Static", "goals": "Table", "words": "Static"}


def test_a_field_that_is_called_like_a_parameter_is_an_error() -> None:
    """A function cannot have two parameters of one name."""
    sources = Sources([f"{RECORDS}def one(by: Int, turn: Turn) -> Int:\n    return by + turn.by\n"])
    with pytest.raises(IRError, match="one: by twice"):
        sources["one"]


def test_sorts_that_depend_on_numbers_are_found() -> None:
    """A tuple whose length is a constant parameter is recognised, however its lines are broken; a loop is not one."""
    sources = Sources([
        "def loop(n: Static) -> Int:\n    a = 0\n    for k in range(n):\n        a += k\n    return a\n",
        "def several(n: Static) -> Int:\n    a = tuple(k for k in range(n))\n    return a[0]\n",
        "def broken(n: Static) -> Int:\n    a = tuple(\n        k\n        for k in range(n))\n    return a[0]\n",
        "def of_words(words: Static) -> Int:\n    a = tuple(k for k in range(words))\n    return a[0]\n"])
    assert {name: sources.source(name).generic for name in sources} == {
        "loop": False, "several": True, "broken": True, "of_words": False}


def test_numbers_of_every_kernel_are_those_declared() -> None:
    """The names are those that the module of declarations defines."""
    path = next(path for path in MODULES if path.stem == "game")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert own_numbers() == {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(
        node.target, ast.Name)}
    assert len(own_numbers()) > 10
    assert "carry_out" in own()


def test_two_functions_of_one_name_are_an_error() -> None:
    """Names are shared by all modules of the runtime."""
    with pytest.raises(IRError, match="two runtime functions are called 'twice'"):
        Sources(["def twice(a: Int) -> Int:\n    return a\n", "def twice(b: Int) -> Int:\n    return b\n"])


def test_kernels_with_the_same_sets_and_numbers_read_functions_once() -> None:
    """Functions are parsed once for kernels with the same sets and numbers, but each kernel has its own functions."""
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
