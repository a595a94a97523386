"""Reads hooks as IR, so that LLVM compiles them with the kernel: their Python is read like that of runtime functions.

A hook has the sorts of the function that it replaces; a part has those of the first call of it that is read. What IR
cannot express stays Python, which Numba compiles: then the whole kernel is left to Numba, and the reason is given.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import cells_of
from interpreter.compiler.reader import IRError, Reader, Signature
from interpreter.compiler.sorts import sort_text
from interpreter.compiler.symbols import with_own_names
from interpreter.compiler.verify import problems


def with_hooks_read(module: ir.Module) -> tuple[ir.Module, str]:
    """A module whose hooks and parts are IR, and ""; or the module unchanged, and why they cannot be IR."""
    foreign = {function.name: function for function in module.functions if isinstance(function, ir.Foreign)}
    try:
        result = _read(module, foreign)
    except IRError as problem:
        return module, str(problem)
    functions = tuple(result[function.name] if function.name in foreign else function
                      for function in module.functions if function.name in result or function.name not in foreign)
    made = with_own_names(attrs.evolve(module, functions=functions), of=result.keys())
    wrong = problems(made, of=result.keys())
    return (module, wrong[0]) if wrong else (made, "")


def _read(module: ir.Module, foreign: Mapping[str, ir.Foreign]) -> dict[str, ir.Function]:
    """The functions given as Python, read as IR, without parts that nothing calls. Raises IRError."""
    cells = cells_of(module)
    known: dict[str, ir.Sort] = {constant.name: constant.sort for constant in module.constants}
    known |= {table.name: table.sort for table in module.tables}
    signatures = {function.name: Signature(tuple(parameter.sort for parameter in function.parameters), function.result)
                  for function in module.functions if isinstance(function, ir.Function)}
    sources = {name: _source(function) for name, function in foreign.items()}
    given = {name: tuple(parameter.sort for parameter in function.parameters)
             for name, function in foreign.items() if function.parameters}
    reader = Reader(cells, known, sources, foreign=signatures, given=given)
    for name, function in foreign.items():
        if function.parameters:
            read = reader.function(name)
            if read.result != function.result:
                raise IRError(f"{name}: gives {sort_text(read.result)}, expected {sort_text(function.result)}")
    return {name: attrs.evolve(read, entry=foreign[name].entry) for name, read in reader.done.items()}


def _source(function: ir.Foreign) -> ast.FunctionDef:
    """The source of a hook or part in a form that IR can express: each statement assigns one value to one target."""
    node = ast.parse(function.text).body[0]
    assert isinstance(node, ast.FunctionDef)
    result = _Plainer().visit(node)
    assert isinstance(result, ast.FunctionDef)
    return result


class _Plainer(ast.NodeTransformer):
    """Splits `a = b = value` into two statements."""

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """A statement for each target that is assigned the value."""
        first, *others = node.targets
        if not others or not isinstance(first, ast.Name):
            return node
        copied: list[ast.stmt] = [ast.copy_location(ast.Assign([other], ast.Name(first.id, ast.Load())), node)
                                  for other in others]
        return [ast.copy_location(ast.Assign([first], node.value), node), *copied]
