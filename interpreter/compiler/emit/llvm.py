"""Emits LLVM IR, as text, for all functions that one entry of a kernel reaches.

Numba reads Python's bytecode, infers types and builds LLVM IR as objects; the types are known here already, so the text
is written directly. `interpreter.kernel.machine_code` has LLVM compile it. Processor time to the first perft, without
that for the kernel and imports: 0.12 s for a board of nine cells (by Numba 1.1 s), 0.4 s for a game of jumps (2.7 s),
nearly all of it in LLVM. The compiled code plays as fast as Numba's, and counts 0.8 to 1.06 times as fast.

Loops are written with their test at the end, and once before (loop inversion): LLVM's code for loops that test first is
a tenth slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from interpreter.compiler import ir
from interpreter.compiler.emit import llvm_primitives
from interpreter.compiler.emit.llvm_expressions import ExpressionWriter, Known
from interpreter.compiler.emit.llvm_values import (
    Unsupported,
    Value,
    parts_of,
    result_type,
    stored_type,
    types_of,
    value_of,
)
from interpreter.compiler.signs import Signs

_MOST_INLINED: Final = 100
"""The greatest weight of functions that are always inlined, whatever LLVM's own heuristics decide."""
_ATTRIBUTES: Final = "nounwind"
_ABREAST: Final = "!abreast"
"""Placeholder for the metadata number of a loop that may be vectorised."""


class FunctionWriter(ExpressionWriter):
    """Writes one function."""

    def __init__(self, known: Known, function: ir.Function) -> None:
        super().__init__(known, function)
        self._loops: list[tuple[str, str, list[bool], list[bool]]] = []
        """For each open loop, the labels of its next iteration and of its end, whether anything jumps to its end, and
        whether a `continue` jumps to its next iteration."""
        self._borrowed: list[str] = []
        """The stack slots with the addresses of arrays to free."""
        self._statements: dict[type, Callable[[Any], None]] = {
            ir.Assign: self._assign, ir.Update: self._update, ir.Evaluate: self._evaluate, ir.If: self._if,
            ir.While: self._while, ir.For: self._for, ir.Break: self._break, ir.Continue: self._continue,
            ir.Return: self._return, ir.Comment: lambda _: None}

    def text(self, linkage: str = "internal", *, inlined: bool = False) -> str:
        """Write the function."""
        function, code = self.function, self.code
        changed = _changed(function)
        parameters: list[str] = []
        for parameter in function.parameters:
            names = [f"%p{len(parameters) + index}" for index, _ in enumerate(types_of(parameter.sort))]
            parameters += [f"{kind} {name}" for kind, name in zip(types_of(parameter.sort), names, strict=True)]
            value = value_of(parameter.sort, iter(names))
            if parameter.name in changed:
                code.keep(parameter.name, parameter.sort, value)
            else:
                self.given[parameter.name] = value
        self._block(function.body)
        if code.open:
            if function.result == ir.NOTHING:
                self._leave("ret void")
            else:
                code.line("unreachable")
        marks = f"{_ATTRIBUTES} alwaysinline" if inlined else _ATTRIBUTES
        head = f'define {linkage} {result_type(function.result)} @"{function.name}"({", ".join(parameters)}) {marks} {{'
        cleared = [f"  store ptr null, ptr {place}" for place in self._borrowed]
        return "\n".join([head, "start:", *code.places, *cleared, *code.lines, "}"])

    def borrow(self, count: str) -> str:
        """Allocate `count` zeros of 8 bytes; freed on return, or when the same allocation runs again."""
        place = self.code.room("ptr")
        self._borrowed.append(place)
        self.code.line(f"call void @PyMem_RawFree(ptr {self.code.new(f'load ptr, ptr {place}')})")
        result = self.code.new(f"call ptr @PyMem_RawCalloc(i64 {count}, i64 8)")
        self.code.line(f"store ptr {result}, ptr {place}")
        return result

    def _leave(self, how: str) -> None:
        """Return from the function, after freeing what it allocated."""
        for place in self._borrowed:
            self.code.line(f"call void @PyMem_RawFree(ptr {self.code.new(f'load ptr, ptr {place}')})")
        self.code.line(how)
        self.code.open = False

    # ---- statements

    def _block(self, block: Iterable[ir.Statement]) -> None:
        for statement in block:
            if not self.code.open:
                return
            self._statements[type(statement)](statement)

    def _assign(self, node: ir.Assign) -> None:
        self._give(node.target, self.value(node.value))

    def _give(self, target: ir.Expr, value: Value) -> None:
        match target:
            case ir.Name(name=name, sort=sort):
                self.code.keep(name, sort, value)
            case ir.Tuple(items=items):
                assert isinstance(value, tuple)
                for item, part in zip(items, value, strict=True):
                    self._give(item, part)
            case ir.Element():
                assert isinstance(value, str)
                self.store(self.address(target)[1], target.sort, value)

    def _update(self, node: ir.Update) -> None:
        target = node.target
        if isinstance(target, ir.Name):
            old = self.one(target)
            self.code.keep(target.name, target.sort, self._changed(node, old))
            return
        address = self.address(target)[1]
        self.store(address, target.sort, self._changed(node, self.load(address, target.sort)))

    def _changed(self, node: ir.Update, old: str) -> str:
        return self.computed(node.operator, node.target, node.value, old, self.one(node.value))

    def _evaluate(self, node: ir.Evaluate) -> None:
        self.value(node.call)

    def _if(self, node: ir.If) -> None:
        code = self.code
        yes, end = code.label(), code.label()
        no = code.label() if node.no else end
        self.test(node.test, yes, no)
        reached = not node.no
        for label, block in ((yes, node.yes), (no, node.no)):
            if block:
                code.begin(label)
                self._block(block)
                if code.open:
                    reached = True
                    code.jump(end)
            elif label == yes:
                code.begin(label)
                code.jump(end)
                reached = True
        if reached:
            code.begin(end)

    def _while(self, node: ir.While) -> None:
        code = self.code
        again, inside, end = code.label(), code.label(), code.label()
        self.test(node.test, inside, end)
        code.begin(inside)
        reached = [not (isinstance(node.test, ir.Literal) and bool(node.test.value))]
        continued = [False]
        self._loops.append((again, end, reached, continued))
        self._block(node.body)
        self._loops.pop()
        if code.open and continued[0]:
            code.jump(again)
        if continued[0]:
            code.begin(again)
        if code.open:
            self.test(node.test, inside, end)  # repeated at the end: LLVM optimises this better
        if reached[0]:
            code.begin(end)

    def _for(self, node: ir.For) -> None:
        code = self.code
        inside, onward, end = (code.label() for _ in range(3))
        first, stop = self.one(node.start), self.one(node.stop)
        counter = code.room("i64")
        code.line(f"store i64 {first}, ptr {counter}")
        relation = "slt" if node.step == 1 else "sgt"
        code.fork(code.new(f"icmp {relation} i64 {first}, {stop}"), inside, end)
        code.begin(inside)
        code.keep(node.name.name, ir.INT, code.new(f"load i64, ptr {counter}"))
        self._loops.append((onward, end, [True], [True]))
        self._block(node.body)
        self._loops.pop()
        if code.open:
            code.jump(onward)
        code.begin(onward)
        after = code.new(f"add nsw i64 {code.new(f'load i64, ptr {counter}')}, {node.step}")
        code.line(f"store i64 {after}, ptr {counter}")
        code.fork(code.new(f"icmp {relation} i64 {after}, {stop}"), inside, end)
        if node.abreast:
            code.lines[-1] += f", !llvm.loop {_ABREAST}"
        code.begin(end)

    def _break(self, node: ir.Break) -> None:
        _, end, left, _ = self._loops[-1]
        left[0] = True
        self.code.jump(end)

    def _continue(self, node: ir.Continue) -> None:
        again, _, _, continued = self._loops[-1]
        continued[0] = True
        self.code.jump(again)

    def _return(self, node: ir.Return) -> None:
        if node.value is None:
            self._leave("ret void")
            return
        kinds, parts = types_of(self.function.result), parts_of(self.value(node.value))
        whole = result_type(self.function.result)
        if len(kinds) == 1:
            self._leave(f"ret {kinds[0]} {parts[0]}")
            return
        found = "poison"
        for index, (kind, part) in enumerate(zip(kinds, parts, strict=True)):
            found = self.code.new(f"insertvalue {whole} {found}, {kind} {part}, {index}")
        self._leave(f"ret {whole} {found}")


def _changed(function: ir.Function) -> set[str]:
    """The names that a function assigns to."""
    result: set[str] = set()
    for statement in ir.statements(function.body):
        match statement:
            case ir.Assign(target=target):
                result.update(node.name for node in ir.walk(target) if isinstance(node, ir.Name))
            case ir.Update(target=ir.Name(name=name)) | ir.For(name=ir.Name(name=name)):
                result.add(name)
    return result


# ---- modules


class ModuleWriter:
    """Writes the functions that entries of a module reach. Raises Unsupported where one of them is not IR."""

    def __init__(self, module: ir.Module, *, inlined: bool, deposits: bool) -> None:
        self._inlined = inlined
        """Whether small functions are always inlined."""
        self._all = {function.name: function for function in module.functions}
        functions = {name: function for name, function in self._all.items() if isinstance(function, ir.Function)}
        self.known = Known(
            functions, {constant.name: constant for constant in module.constants},
            {table.name: table for table in module.tables},
            Signs(functions.values(), module.constants, module.tables), deposits)

    def text(self, entry: str) -> str:
        """Write all that an entry reaches, with the entry itself as a function for callers in LLVM IR."""
        texts: list[str] = []
        tables: dict[str, None] = {}
        called: dict[str, None] = {}
        left, result = [entry], {entry}
        vectors: set[int] = set()
        while left:
            name = left.pop()
            function = self._all[name]
            if not isinstance(function, ir.Function):
                raise Unsupported(f"{name}, which is not IR")
            weight = 0
            for node in ir.expressions(function.body):
                weight += 1
                if isinstance(node, ir.Call):
                    called[node.function] = None
                    weight += 6
                    if node.function in self._all and node.function not in result:
                        result.add(node.function)
                        left.append(node.function)
                elif isinstance(node, ir.Name) and node.name in self.known.tables:
                    tables[node.name] = None
                elif isinstance(node, ir.Element):
                    weight += 3
                if isinstance(node.sort, ir.Vector):
                    vectors.add(node.sort.words)
            inlined = self._inlined and name != entry and weight <= _MOST_INLINED
            texts.append(FunctionWriter(self.known, function).text(inlined=inlined))
        functions = "\n".join(texts)
        loops = range(1, functions.count(_ABREAST) + 1)
        for number in loops:
            functions = functions.replace(_ABREAST, f"!{number}", 1)
        marks = ['!0 = !{!"llvm.loop.vectorize.enable", i1 true}'] if loops else []
        marks += [f"!{number} = distinct !{{!{number}, !0}}" for number in loops]
        return "\n".join([*self._head(tables, called, vectors), functions, *marks]) + "\n"

    def _head(self, tables: Iterable[str], called: Iterable[str], vectors: Iterable[int]) -> list[str]:
        result = [llvm_primitives.DECLARED, *map(llvm_primitives.vectors, sorted(vectors))]
        if llvm_primitives.ARRAYS & set(called):
            result.append("declare noalias ptr @PyMem_RawCalloc(i64, i64)\ndeclare void @PyMem_RawFree(ptr)\n")
        bits = {"extract", "deposit"} & set(called)
        if bits:
            result.append(llvm_primitives.BITS)
        if "nth" in called:
            name = llvm_primitives.NTH_AT_ONCE if self.known.deposits else llvm_primitives.NTH_BY_HALVES
            text = llvm_primitives.HELPERS[name]
            result.append(text.partition("\n")[2] if bits and text.startswith("declare") else text)
        for name in tables:
            table = self.known.tables[name]
            kind = stored_type(table.sort.element)
            values = ", ".join([f"{kind} {value}" for value in table.values])
            result.append(f'@"table {name}" = private unnamed_addr constant [{len(table.values)} x {kind}] [{values}]')
        return result
