"""The IR of every game's kernel: it is valid, and printing and reading it back gives the same IR."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from interpreter import hooks
from interpreter.compiler import ir
from interpreter.compiler.analysis.names import cells_of
from interpreter.compiler.emit import python
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.printer import printed
from interpreter.compiler.reader import Reader, Signature
from interpreter.compiler.sorts import sort_text
from interpreter.compiler.verify import problems
from interpreter.kernel.kernel import Kernel
from tests.discovery import GameCase, found_games, one_in


def kernel_of(path: Path) -> Kernel:
    """A game's kernel in plain Python, with the hooks of the file beside it."""
    beside = path.with_suffix(".py")
    return Kernel.of(GameCase(path).load(), native=False, hooks=hooks.load(beside) if beside.exists() else None)


def reread(text: str, module: ir.Module) -> tuple[ir.Function, ...]:
    """The functions read back from a module's text, with the parameter sorts of the module, which the text lacks."""
    sources = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    cells, foreign = cells_of(module), {}
    for function in module.functions:
        if isinstance(function, ir.Foreign):
            foreign[function.name] = Signature((), function.result)
            del sources[function.name]
            continue
        for argument, parameter in zip(sources[function.name].args.args, function.parameters, strict=True):
            argument.annotation = ast.parse(sort_text(parameter.sort, cells), mode="eval").body
    named: dict[str, ir.Sort] = {constant.name: constant.sort for constant in module.constants}
    named |= {table.name: table.sort for table in module.tables}
    reader = Reader(cells, named, sources, foreign=foreign)
    return tuple(map(reader.function, sources))


@pytest.mark.parametrize("path", one_in(6, found_games(), 1, rest=2))
def test_kernels_hold_what_ir_must(path: Path) -> None:
    """The verifier finds no problem in sorts, names, returns, calls, failures and tables."""
    assert problems(kernel_of(path).assembled.module) == []


@pytest.mark.parametrize("path", one_in(12, found_games(), 3, rest=3))
def test_printed_kernels_are_read_back(path: Path) -> None:
    """Constants, tables, functions, comments and hooks are read back unchanged."""
    module = kernel_of(path).assembled.module
    assert read_module(printed(module)) == module


@pytest.mark.parametrize("path", one_in(12, found_games(), 5, rest=3))
def test_the_text_of_kernels_says_what_the_ir_says(path: Path) -> None:
    """The Python text that Numba compiles reads back as the IR that it was written from."""
    module = kernel_of(path).assembled.module
    own = tuple(function for function in module.functions if isinstance(function, ir.Function))
    assert reread(python.text_of(module), module) == own
