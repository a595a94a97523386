"""A kernel's functions in plain Python, each made on first access."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any

from interpreter.compiler import ir
from interpreter.compiler.emit.python import PlainEmitter
from interpreter.compiler.primitives import CONSTANTS, OF_VECTORS, PRIMITIVES
from interpreter.kernel import plain


class _Nested(ast.NodeTransformer):
    """Rewrites indexing by tuples as nested indexing, as `PlainEmitter` does, in functions given as text."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Rewrite `A[i, j]` as `A[i][j]`."""
        self.generic_visit(node)
        place = node.slice
        if not isinstance(place, ast.Tuple) or any(isinstance(part, ast.Slice) for part in place.elts):
            return node
        *first, last = place.elts
        result = node.value
        for index in first:
            result = ast.copy_location(ast.Subscript(result, index, ast.Load()), node)
        return ast.copy_location(ast.Subscript(result, last, node.ctx), node)


class PlainFunctions(Mapping[str, Any]):
    """The functions, constants and tables of a kernel by name.

    A function is made on first access, together with those that it calls: listing and playing moves need a quarter of a
    kernel. Threads may share the mapping.
    """

    def __init__(self, module: ir.Module) -> None:
        self._functions = {function.name: function for function in module.functions}
        self._emitter = PlainEmitter(module)
        self._globals: dict[str, Any] = {
            name: getattr(plain, name) for name in (*PRIMITIVES, *OF_VECTORS, *CONSTANTS) if hasattr(plain, name)}
        self._globals |= {"abreast": plain.abreast}
        self._globals |= {"rows": plain.lists, "numbers": plain.lists}  # plain nested lists suffice: see `_Nested`
        own: dict[str, Any] = {
            table.name: plain.as_table(list(table.values), words=table.sort == ir.ROW) for table in module.tables}
        own |= {constant.name: constant.values[0] if constant.sort in (ir.INT, ir.WORD) else constant.values
                for constant in module.constants}
        self._globals |= own
        self._ready = own
        self._lock = Lock()

    def __getitem__(self, name: str) -> Any:
        """A function, or the value of a constant or table. Raises KeyError."""
        if name not in self._ready:
            if name not in self._functions:
                raise KeyError(name)
            with self._lock:  # a function is published once all that it calls is made
                self._ready.update(self._made(name))
        return self._ready[name]

    def _made(self, name: str) -> dict[str, Any]:
        """A function, and those that it calls and that are not made yet, by name."""
        made: dict[str, Any] = {}
        wanted = [name]
        while wanted:
            name = wanted.pop()
            if name in made or name in self._ready:
                continue
            function = self._functions[name]
            node = _Nested().visit(ast.parse(function.text)) if isinstance(function, ir.Foreign) else ast.Module(
                [self._emitter.function(function)], [])
            code = compile(node, f"<kernel: {name}>", "exec")
            exec(code, self._globals)
            made[name] = self._globals[name]
            wanted += [called for called in made[name].__code__.co_names if called in self._functions]
        return made

    def __iter__(self) -> Iterator[str]:
        return iter({**self._ready, **self._functions})

    def __len__(self) -> int:
        return len({**self._ready, **self._functions})
