"""Emits IR as JavaScript: functions with the constants, tables and sets that they need, each written once.

`interpreter.compiler.emit.javascript_functions` writes a function, `interpreter.compiler.emit.javascript_game` a whole
game; `support.js` has the primitives.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import called_names
from interpreter.compiler.each import without_each
from interpreter.compiler.emit.javascript_functions import FunctionWriter
from interpreter.compiler.emit.javascript_text import Ints, Names, halves
from interpreter.compiler.reader import IRError

_KEYWORDS: Final = """
    arguments as async await break case catch class const continue debugger default delete do else enum eval
    export extends false finally for from function get if implements import in instanceof interface let new
    null of package private protected public return set static super switch this throw true try typeof
    undefined var void while with yield Array BigInt Error Float64Array Int32Array Map Math Number Object Set
    String facts game kernel"""
_TOP_NAME: Final = re.compile(r"^(?:export )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_WIDTH: Final = 118
SAFE_BITS: Final = 53
"""The number of bits up to which JavaScript's numbers are exact."""


def support_text() -> str:
    """The text of `support.js`."""
    return files("interpreter.compiler.emit").joinpath("support.js").read_text(encoding="utf-8")


def reachable(module: ir.Module, wanted: Iterable[str]) -> tuple[ir.Function, ...]:
    """The functions `wanted` of a module and all that they call, in the module's order.

    Raises KeyError for unknown functions, IRError where one of them is not IR.
    """
    known = {function.name: function for function in module.functions}
    result: dict[str, ir.Function] = {}
    left = list(wanted)
    while left:
        name = left.pop()
        if name in result:
            continue
        function = known[name]
        if isinstance(function, ir.Foreign):
            raise IRError(f"{name} is written in Python, which JavaScript cannot call")
        result[name] = function
        left += called_names(function) & known.keys()
    return tuple(result[function.name] for function in module.functions if function.name in result)


def emitted(module: ir.Module, wanted: Iterable[str], *, big: bool = False) -> str:
    """Emit functions of a module and all that they need of it, without `support.js`; `big`: with BigInts as numbers.

    Raises IRError.
    """
    functions = [attrs.evolve(function, body=without_each(function)) for function in reachable(module, wanted)]
    used = {node.name for function in functions for node in ir.expressions(function.body) if isinstance(node, ir.Name)}
    tables = [table for table in module.tables if table.name in used]
    names = Names(Ints(big), {function.name: function for function in functions}, _narrow(functions, tables),
                  taken_names())
    texts, most = [], 2
    for function in functions:
        writer = FunctionWriter(names, function)
        texts.append(writer.text())
        most = max(most, writer.most_results)
    registers = [f"let {', '.join(f'r{index}' for index in range(2, most))};"] if most > 2 else []
    constants = [line for constant in module.constants if constant.name in used for line in _constant(constant, names)]
    words = max((node.sort.words for function in functions for node in ir.expressions(function.body)
                 if isinstance(node.sort, ir.Vector)), default=0)
    sets = [line for value, name in names.vectors.items() for line in _lines(
        name, "Array", [half for index in range(words) for half in halves(value >> 64 * index)])]
    return "\n\n".join(["\n".join([*registers, *constants, *sets]),
                        *("\n".join(_table(table, names)) for table in tables), *texts])


def taken_names() -> frozenset[str]:
    """Names that no value or function of a kernel can have."""
    return frozenset(_KEYWORDS.split()) | frozenset(_TOP_NAME.findall(support_text()))


def _narrow(functions: Iterable[ir.Function], tables: Iterable[ir.Table]) -> frozenset[str]:
    """The tables of numbers that are only indexed or measured by `len`: these need no high halves."""
    elsewhere: set[str] = set()

    def look(node: ir.Expr) -> None:
        match node:
            case ir.Name(name=name):
                elsewhere.add(name)
                return
            case ir.Element(collection=ir.Name(), indices=parts):
                pass
            case ir.Call(function="len", arguments=(ir.Name(),)):
                return
            case _:
                parts = ir.operands(node)
        for part in parts:
            look(part)

    for function in functions:
        for statement in ir.statements(function.body):
            for node in ir.expressions_of(statement):
                look(node)
    return frozenset(table.name for table in tables if table.sort == ir.LINE and table.name not in elsewhere
                     and max(map(abs, table.values), default=0) >> SAFE_BITS == 0)


def _constant(constant: ir.Constant, names: Names) -> list[str]:
    written = [half for value in constant.values for half in halves(value)]
    if isinstance(constant.sort, ir.Vector):
        return _lines(names.of(constant.name), "Array", written)
    if constant.sort in (ir.INT, ir.BOOL):
        literal = names.ints.literal if constant.sort == ir.INT else str
        written = [literal(value) for value in constant.values]
    parts = names.parts(constant.name, constant.sort)
    return [f"const {part} = {value};" for part, value in zip(parts, written, strict=True)]


def _table(table: ir.Table, names: Names) -> list[str]:
    name = names.of(table.name)
    if table.name not in names.narrow:
        return _lines(name, "Int32Array", [half for value in table.values for half in halves(value)])
    small = all(-(1 << 31) <= value < 1 << 31 for value in table.values)
    return _lines(name, "Int32Array" if small else "Float64Array", list(map(str, table.values)))


def _lines(name: str, kind: str, values: list[str]) -> list[str]:
    """Write an array of numbers, wrapped to lines."""
    array = f"[{', '.join(values)}]"
    made = array if kind == "Array" else f"{kind}.from({array})"
    return textwrap.wrap(f"const {name} = {made};", _WIDTH, subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)
