"""Writes IR expressions as LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import bound_names
from interpreter.compiler.emit import llvm_primitives
from interpreter.compiler.emit.llvm_code import Code
from interpreter.compiler.emit.llvm_values import (
    ArrayValue,
    Unsupported,
    Value,
    constant,
    parts_of,
    result_type,
    stored_type,
    types_of,
    value_of,
)
from interpreter.compiler.primitives import CONSTANTS
from interpreter.compiler.signs import Signs

_COUNTING: Final = ("+", "-", "*")
"""Operators marked `nsw`, as Numba does: numbers do not overflow 64 bits, so LLVM can infer that array indices are not
negative, also those that come from another function."""
_OPERATORS: Final[dict[str, str]] = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl"}
_RELATIONS: Final[dict[str, str]] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_LEAST: Final = str(-(1 << 63))


@attrs.frozen
class Known:
    """The symbols that functions of a module can refer to."""

    functions: Mapping[str, ir.Function]
    constants: Mapping[str, ir.Constant]
    tables: Mapping[str, ir.Table]
    signs: Signs
    deposits: bool
    """Whether the processor has instructions to extract and deposit bits by a mask (PEXT and PDEP)."""

    def value(self, name: str) -> Value:
        """A constant or table."""
        if (result := self.constants.get(name)) is not None:
            return constant(result.values, result.sort)
        if (table := self.tables.get(name)) is not None:
            return ArrayValue(f'@"table {name}"', (str(len(table.values)),))
        if name in CONSTANTS:
            return constant(*CONSTANTS[name])
        raise Unsupported(f"the name {name}")


class ExpressionWriter:
    """Writes the expressions of one function."""

    def __init__(self, known: Known, function: ir.Function) -> None:
        self.known, self.function = known, function
        self.code = Code()
        self.own = bound_names(function)
        self.given: dict[str, Value] = {}
        """The values of parameters that are never reassigned."""
        self._expressions: dict[type, Callable[[Any], Value]] = {
            ir.Literal: self._literal, ir.Name: self._name, ir.Unary: self._unary, ir.Binary: self._binary,
            ir.Comparison: self._comparison, ir.Logical: self._logical, ir.Conditional: self._conditional,
            ir.Element: self._element, ir.Tail: self._tail, ir.Call: self._call, ir.Tuple: self._tuple}

    def value(self, node: ir.Expr) -> Value:
        """The value of an expression."""
        return self._expressions[type(node)](node)

    def one(self, node: ir.Expr) -> str:
        """The value of an expression that is a number, word, condition or vector."""
        result = self.value(node)
        assert isinstance(result, str)
        return result

    # ---- conditions

    def test(self, node: ir.Expr, yes: str, no: str) -> None:
        """Branch to one of two blocks on a condition."""
        match node:
            case ir.Literal(value=value):
                self.code.jump(yes if value else no)
            case ir.Unary(operator="not", operand=operand):
                self.test(operand, no, yes)
            case ir.Logical(operator=operator, operands=operands):
                for operand in operands[:-1]:
                    onward = self.code.label()
                    self.test(operand, *((onward, no) if operator == "and" else (yes, onward)))
                    self.code.begin(onward)
                self.test(operands[-1], yes, no)
            case _:
                self.code.fork(self.one(node), yes, no)

    def _logical(self, node: ir.Logical) -> Value:
        if all(_is_at_hand(operand) for operand in node.operands[1:]):
            result = self.one(node.operands[0])
            for operand in node.operands[1:]:
                result = self.code.new(f"{node.operator} i1 {result}, {self.one(operand)}")
            return result
        return self._as_value(node)

    def _as_value(self, node: ir.Expr) -> Value:
        yes, no, end = (self.code.label() for _ in range(3))
        self.test(node, yes, no)
        for label in (yes, no):
            self.code.begin(label)
            self.code.jump(end)
        self.code.begin(end)
        return self.code.met(ir.BOOL, [("true", yes), ("false", no)])

    def _conditional(self, node: ir.Conditional) -> Value:
        if _is_at_hand(node.yes) and _is_at_hand(node.no):
            condition = self.one(node.test)
            yes, no = parts_of(self.value(node.yes)), parts_of(self.value(node.no))
            parts = [self.code.either(condition, one, other, kind)
                     for one, other, kind in zip(yes, no, types_of(node.sort), strict=True)]
            return value_of(node.sort, iter(parts))
        first, second, end = (self.code.label() for _ in range(3))
        self.test(node.test, first, second)
        result: list[tuple[Value, str]] = []
        for label, part in ((first, node.yes), (second, node.no)):
            self.code.begin(label)
            result.append((self.value(part), self.code.block))
            self.code.jump(end)
        self.code.begin(end)
        return self.code.met(node.sort, result)

    def _comparison(self, node: ir.Comparison) -> Value:
        if not all(_is_at_hand(operand) for operand in node.operands[2:]):
            return self._chain(node)
        values = [self.one(operand) for operand in node.operands]
        result = ""
        for index, relation in enumerate(node.relations):
            here = self._compared(relation, node.operands[index].sort, values[index], values[index + 1])
            result = self.code.new(f"and i1 {result}, {here}") if result else here
        return result

    def _chain(self, node: ir.Comparison) -> Value:
        """Compare values in a chain that stops at the first comparison that fails; later operands are not computed."""
        end = self.code.label()
        result: list[tuple[Value, str]] = []
        left = self.one(node.operands[0])
        last = len(node.relations) - 1
        for index, relation in enumerate(node.relations):
            right = self.one(node.operands[index + 1])
            here = self._compared(relation, node.operands[index].sort, left, right)
            if index == last:
                result.append((here, self.code.block))
                self.code.jump(end)
                break
            onward = self.code.label()
            result.append(("false", self.code.block))
            self.code.fork(here, onward, end)
            self.code.begin(onward)
            left = right
        self.code.begin(end)
        return self.code.met(ir.BOOL, result)

    def _compared(self, relation: str, sort: ir.Sort, left: str, right: str) -> str:
        kind = "i1" if sort == ir.BOOL else "i64"
        if relation in _RELATIONS:
            return self.code.new(f"icmp {'s' if sort == ir.INT else 'u'}{_RELATIONS[relation]} {kind} {left}, {right}")
        return self.code.new(f"icmp {'eq' if relation == '==' else 'ne'} {kind} {left}, {right}")

    # ---- numbers and words

    def _literal(self, node: ir.Literal) -> Value:
        return constant(node.value, node.sort)

    def _name(self, node: ir.Name) -> Value:
        name = node.name
        if name in self.given:
            return self.given[name]
        return self.code.kept(name, node.sort) if name in self.own else self.known.value(name)

    def _unary(self, node: ir.Unary) -> Value:
        result = self.one(node.operand)
        if node.operator == "not":
            return self.code.new(f"xor i1 {result}, true")
        return self.code.new(f"sub i64 0, {result}" if node.operator == "-" else f"xor i64 {result}, -1")

    def _binary(self, node: ir.Binary) -> Value:
        left = self.one(node.left)
        return self.computed(node.operator, node.left, node.right, left, self.one(node.right))

    def computed(self, operator: str, one: ir.Expr, other: ir.Expr, left: str, right: str) -> str:
        """The result of an operator on the values `left` and `right` of two expressions."""
        if operator in _OPERATORS:
            fits = " nsw" if one.sort == ir.INT and operator in _COUNTING else ""
            return self.code.new(f"{_OPERATORS[operator]}{fits} i64 {left}, {right}")
        word = one.sort == ir.WORD
        if operator == ">>":
            return self.code.new(f"{'lshr' if word else 'ashr'} i64 {left}, {right}")
        divides = operator == "//"
        literal = other.value if isinstance(other, ir.Literal) else self._number(other)
        if literal is not None and literal > 0:
            if word or self.known.signs.is_positive(self.function.name, one):
                return self.code.new(f"{'udiv' if divides else 'urem'} i64 {left}, {right}")
            if literal & literal - 1 == 0:
                return self.code.new(f"ashr i64 {left}, {literal.bit_length() - 1}" if divides else
                                     f"and i64 {left}, {literal - 1}")
        return self._divided(left, right, word=word, divides=divides)

    def _number(self, node: ir.Expr) -> int | None:
        """The value of a constant number; None where the expression is not one."""
        if isinstance(node, ir.Name) and node.name not in self.own and node.name in self.known.constants:
            return self.known.constants[node.name].values[0]
        return None

    def _divided(self, left: str, right: str, *, word: bool, divides: bool) -> str:
        """A floored quotient, or its remainder; 0 where it is undefined, so that the process does not crash."""
        new, either = self.code.new, self.code.either
        wrong = new(f"icmp eq i64 {right}, 0")
        if not word:
            least, minus = new(f"icmp eq i64 {left}, {_LEAST}"), new(f"icmp eq i64 {right}, -1")
            wrong = new(f"or i1 {wrong}, {new(f'and i1 {least}, {minus}')}")
        by = either(wrong, "1", right)
        if word:
            return either(wrong, "0", new(f"{'udiv' if divides else 'urem'} i64 {left}, {by}"))
        rest = new(f"srem i64 {left}, {by}")
        other = new(f"icmp slt i64 {new(f'xor i64 {rest}, {by}')}, 0")
        past = new(f"and i1 {new(f'icmp ne i64 {rest}, 0')}, {other}")
        if not divides:
            return either(wrong, "0", new(f"add i64 {rest}, {either(past, by, '0')}"))
        result = new(f"sdiv i64 {left}, {by}")
        return either(wrong, "0", new(f"sub i64 {result}, {new(f'zext i1 {past} to i64')}"))

    # ---- arrays and tuples

    def index(self, node: ir.Expr, size: str) -> str:
        """An index into an array: negative numbers count from its end, as in Python."""
        result = self.one(node)
        if node.sort == ir.WORD or self.known.signs.is_positive(self.function.name, node):
            return result
        return self.code.either(self.code.new(f"icmp slt i64 {result}, 0"), self.code.new(f"add i64 {result}, {size}"),
                                result)

    def address(self, node: ir.Element) -> tuple[ArrayValue, str]:
        """The array of an element, and the address of the element."""
        array = self.value(node.collection)
        assert isinstance(array, ArrayValue)
        assert isinstance(node.collection.sort, ir.Array)
        indices = [self.index(index, size) for index, size in zip(node.indices, array.sizes, strict=False)]
        return array, self.code.element_at(array, indices, stored_type(node.collection.sort.element))

    def load(self, address: str, sort: ir.Sort) -> str:
        """Load the element at an address."""
        if sort == ir.BOOL:
            return self.code.new(f"icmp ne i8 {self.code.new(f'load i8, ptr {address}')}, 0")
        return self.code.new(f"load i64, ptr {address}")

    def store(self, address: str, sort: ir.Sort, value: str) -> None:
        """Store an element at an address."""
        if sort == ir.BOOL:
            self.code.line(f"store i8 {self.code.new(f'zext i1 {value} to i8')}, ptr {address}")
        else:
            self.code.line(f"store i64 {value}, ptr {address}")

    def _element(self, node: ir.Element) -> Value:
        of = node.collection.sort
        if isinstance(of, ir.Array):
            array, address = self.address(node)
            if len(node.indices) < of.dimensions:
                return ArrayValue(address, array.sizes[len(node.indices):])
            return self.load(address, node.sort)
        result = self.value(node.collection)
        place = node.indices[0]
        if isinstance(of, ir.Vector):
            assert isinstance(result, str)
            return self.code.new(
                f"extractelement <{of.words} x i64> {result}, i64 {self.index(place, str(of.words))}")
        assert isinstance(result, tuple)
        if isinstance(place, ir.Literal):
            return result[place.value]
        return self._chosen(node.sort, self.index(place, str(len(result))), result)

    def _chosen(self, sort: ir.Sort, at: str, items: tuple[Value, ...]) -> Value:
        """The item of a tuple at an index known only at run time, by a switch.

        With a chain of selects, each iteration of a loop over the words of a set would evaluate all words; with jumps,
        words that are not visited cost nothing.
        """
        labels, end = [self.code.label() for _ in items], self.code.label()
        ways = " ".join(f"i64 {number}, label %{label}" for number, label in enumerate(labels[:-1]))
        self.code.line(f"switch i64 {at}, label %{labels[-1]} [{ways}]")
        self.code.open = False
        for label in labels:
            self.code.begin(label)
            self.code.jump(end)
        self.code.begin(end)
        return self.code.met(sort, list(zip(items, labels, strict=True)))

    def _tail(self, node: ir.Tail) -> Value:
        """A view of an array from a start index on, which is clamped to the array's range."""
        array, new, either = self.value(node.array), self.code.new, self.code.either
        assert isinstance(array, ArrayValue)
        assert isinstance(node.array.sort, ir.Array)
        size = array.sizes[0]
        start = self.index(node.start, size)
        start = either(new(f"icmp slt i64 {start}, 0"), "0", start)
        start = either(new(f"icmp sgt i64 {start}, {size}"), size, start)
        pointer = self.code.element_at(array, [start], stored_type(node.array.sort.element))
        return ArrayValue(pointer, (new(f"sub i64 {size}, {start}"), *array.sizes[1:]))

    def _tuple(self, node: ir.Tuple) -> Value:
        return tuple([self.value(item) for item in node.items])

    # ---- calls

    def _call(self, node: ir.Call) -> Value:
        function = self.known.functions.get(node.function)
        if function is None:
            return self._primitive(node)
        arguments = []
        for argument in node.arguments:
            kinds = types_of(argument.sort)
            arguments += [f"{kind} {part}" for kind, part in zip(kinds, parts_of(self.value(argument)), strict=True)]
        found = self.code.call(f'"{node.function}"', result_type(function.result), arguments)
        kinds = types_of(function.result)
        if len(kinds) > 1:
            parts = [self.code.new(f"extractvalue {result_type(function.result)} {found}, {index}")
                     for index in range(len(kinds))]
            return value_of(function.result, iter(parts))
        return found

    def _primitive(self, node: ir.Call) -> Value:
        values = [self.value(argument) for argument in node.arguments]
        sorts: Sequence[ir.Sort] = [argument.sort for argument in node.arguments]
        make = llvm_primitives.PRIMITIVES.get(node.function)
        if make is not None:
            return make(self.code, values, sorts)
        if node.function in llvm_primitives.ARRAYS:
            return self._array(node, [value for value in values if isinstance(value, str)])
        if node.function == "nth":
            nth = llvm_primitives.NTH_AT_ONCE if self.known.deposits else llvm_primitives.NTH_BY_HALVES
            return self.code.call(nth, "i64", [f"i64 {value}" for value in values])
        raise Unsupported(f"the function {node.function}")

    def _array(self, node: ir.Call, sizes: list[str]) -> Value:
        """Allocate an array of zeros, which the function frees on return."""
        count = sizes[0] if len(sizes) == 1 else self.code.new(f"mul i64 {sizes[0]}, {sizes[1]}")
        return ArrayValue(self.borrow(count), tuple(sizes))

    def borrow(self, count: str) -> str:
        """Allocate `count` zeros of 8 bytes; their address."""
        raise NotImplementedError


def _is_at_hand(node: ir.Expr) -> bool:
    """Whether a value costs nothing to compute and has no side effects, so that it may be computed needlessly."""
    return isinstance(node, (ir.Literal, ir.Name))
