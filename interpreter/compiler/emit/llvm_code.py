"""The LLVM IR of one function, as basic blocks and branches between them."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler import ir
from interpreter.compiler.emit.llvm_values import ArrayValue, Unsupported, Value, parts_of, types_of, value_of


class Code:
    """Writes instructions to the current block; where `open` is False it has ended, and nothing may be written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[str] = []
        """The stack allocations of locals, at the start of the function."""
        self.block = "start"
        """The label of the current block."""
        self.open = True
        self._locals: dict[str, tuple[ir.Sort, list[str]]] = {}
        self._count = 0

    # ---- lines and blocks

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"  {text}")

    def new(self, text: str) -> str:
        """Write an instruction; the name of its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def label(self) -> str:
        """Make a label for a new block."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.block, self.open = label, True

    def jump(self, label: str) -> None:
        """End the block with a jump to another."""
        self.line(f"br label %{label}")
        self.open = False

    def fork(self, condition: str, yes: str, no: str) -> None:
        """End the block with a conditional branch to one of two others."""
        self.line(f"br i1 {condition}, label %{yes}, label %{no}")
        self.open = False

    def either(self, condition: str, yes: str, no: str, kind: str = "i64") -> str:
        """Select one of two values by a condition."""
        return self.new(f"select i1 {condition}, {kind} {yes}, {kind} {no}")

    def met(self, sort: ir.Sort, result: Sequence[tuple[Value, str]]) -> Value:
        """The value at a join of blocks (phi nodes), from the value and the label of each."""
        every = [(parts_of(value), label) for value, label in result]
        parts = []
        for index, kind in enumerate(types_of(sort)):
            ways = ", ".join(f"[ {values[index]}, %{label} ]" for values, label in every)
            parts.append(self.new(f"phi {kind} {ways}"))
        return value_of(sort, iter(parts))

    def call(self, name: str, result: str, arguments: Sequence[str]) -> str:
        """Call a function with typed arguments; the name of its result."""
        text = f"call {result} @{name}({', '.join(arguments)})"
        if result != "void":
            return self.new(text)
        self.line(text)
        return ""

    # ---- local values

    def room(self, kind: str) -> str:
        """Allocate a stack slot."""
        self._count += 1
        self.places.append(f"  %v{self._count} = alloca {kind}")
        return f"%v{self._count}"

    def keep(self, name: str, sort: ir.Sort, value: Value) -> None:
        """Store a value in a local."""
        if name not in self._locals:
            self._locals[name] = sort, [self.room(kind) for kind in types_of(sort)]
        known, places = self._locals[name]
        if known != sort:
            raise Unsupported(f"a local value of two sorts: {name}")
        for place, kind, part in zip(places, types_of(sort), parts_of(value), strict=True):
            self.line(f"store {kind} {part}, ptr {place}")

    def kept(self, name: str, sort: ir.Sort) -> Value:
        """Load the value of a local."""
        if name not in self._locals:  # assigned further on in the text, as in a loop
            self._locals[name] = sort, [self.room(kind) for kind in types_of(sort)]
        known, places = self._locals[name]
        result = [self.new(f"load {kind}, ptr {place}") for place, kind in zip(places, types_of(known), strict=True)]
        return value_of(known, iter(result))

    # ---- arrays

    def element_at(self, array: ArrayValue, indices: Sequence[str], kind: str) -> str:
        """The address of an element of an array, or with fewer indices, of a subarray."""
        at = indices[0]
        for size, index in zip(array.sizes[1:], indices[1:], strict=False):
            at = self.new(f"add i64 {self.new(f'mul i64 {at}, {size}')}, {index}")
        for size in array.sizes[len(indices):]:
            at = self.new(f"mul i64 {at}, {size}")
        return self.new(f"getelementptr inbounds {kind}, ptr {array.pointer}, i64 {at}")


