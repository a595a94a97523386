"""Writes IR expressions as JavaScript, with words as pairs of 32-bit integers.

JavaScript's 64-bit integers (`BigInt`) are objects, so a word is two numbers, its low and its high 32 bits, in the
range of JavaScript's bit operations, from -2**31 to 2**31 - 1. A value of sort WORD is two variables (`cells`,
`cells$h`), a product has those of its items, a number or truth value is one. A row is an `Int32Array` with two elements
for each word or number, so that it can hold any 64-bit number, and what is written as a number can be read as a word.
Numbers in computations are safe integers, below 2**53, or BigInts in a module whose numbers can be larger
(`javascript_text.Ints`). Two-dimensional arrays are arrays of rows, vectors immutable
arrays of halves. A function returns its first number, and leaves the others in the globals `r1`, `r2` and so on, which
the caller reads at once.

An expression becomes text without side effects, parenthesised where it has an operator. What has a side effect, or must
not be computed twice, is assigned to a temporary before (`$1`, `$2`); a condition assigns its temporaries inside its
own text, with the comma operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.emit.javascript_text import (
    ATOM,
    LITERAL,
    Names,
    Parts,
    Place,
    bare,
    bits,
    halves,
    joined,
    suffixes,
)
from interpreter.compiler.ir import BOOL, INT, WORD
from interpreter.compiler.primitives import CONSTANTS, PRIMITIVES
from interpreter.compiler.reader import IRError
from interpreter.compiler.sorts import sort_text

RELATIONS: Final = {"==": "===", "!=": "!=="}
_TWO_HALVES: Final = frozenset(("extract", "deposit", "scramble", "stir"))
"""The primitives that return a word."""
_MADE: Final = frozenset(("row", "rows", "line", "numbers"))
_OF_NUMBERS: Final = frozenset(("abs", "min", "max"))


class ExpressionWriter:
    """Writes the expressions of one function."""

    def __init__(self, names: Names, function: ir.Function) -> None:
        self.names, self.function, self.ints = names, function, names.ints
        self.most_results = len(suffixes(function.result))
        """The greatest number of results, in numbers, of this function and those that it calls."""
        self._setups: list[str] = []
        """The assignments to run before the current expression."""
        self._temporary: list[str] = []

    # ---- temporaries

    @contextmanager
    def _aside(self) -> Iterator[list[str]]:
        """Collect the setups of an expression in a list of their own."""
        outer, self._setups = self._setups, []
        inner = self._setups
        yield inner
        self._setups = outer

    def _new(self) -> str:
        name = f"${len(self._temporary) + 1}"
        self._temporary.append(name)
        return name

    def _kept(self, text: str, *, force: bool = False) -> str:
        """Assign a value to a temporary, unless it is a name or literal; the text that reads it."""
        if (ATOM.fullmatch(text) and not force) or LITERAL.fullmatch(text):
            return text
        name = self._new()
        self._setups.append(f"{name} = {text}")
        return name

    def _all_kept(self, parts: Parts, *, force: bool = False) -> Parts:
        return [self._kept(part, force=force) for part in parts]

    def _one(self, node: ir.Expr, sort: ir.Sort | None = None) -> str:
        """The text of an expression of one number, with its setups in it."""
        with self._aside() as setups:
            (text,) = self._as(node, sort or node.sort)
        return joined(setups, text)

    def _test(self, node: ir.Expr) -> str:
        return self._one(node, BOOL)

    def _acts(self, node: ir.Expr) -> bool:
        """Whether an expression calls a function of the module, which may have side effects."""
        return any(isinstance(part, ir.Call) and part.function in self.names.functions for part in ir.walk(node))

    def _in_order(self, nodes: Sequence[ir.Expr], sorts: Sequence[ir.Sort] | None = None) -> list[Parts]:
        """Compute expressions in order; those followed by one with side effects are kept in temporaries."""
        result = []
        for index, node in enumerate(nodes):
            parts = self._as(node, node.sort if sorts is None else sorts[index])
            if any(map(self._acts, nodes[index + 1 :])):
                parts = self._all_kept(parts)
            result.append(parts)
        return result

    # ---- expressions

    def _as(self, node: ir.Expr, sort: ir.Sort) -> Parts:
        """The numbers of an expression, converted to a sort."""
        given = node.sort
        if sort == WORD and given == INT:
            return self._halves(node)
        parts = self._parts(node)
        if given == sort or {given, sort} <= {INT, ir.LINE} or isinstance(sort, (ir.Array, ir.Vector)):
            return parts
        if sort == BOOL and given == INT:
            return [f"({parts[0]} !== {self.ints.literal(0)})"]
        if sort == BOOL and given == WORD:
            return [f"(({parts[0]} | {parts[1]}) !== 0)"]
        if sort == INT and given == BOOL:
            return [f"({parts[0]} ? {self.ints.literal(1)} : {self.ints.literal(0)})"]
        if sort == INT and given == WORD:
            return [self.ints.of_word(*parts)]
        if isinstance(sort, ir.Product) and isinstance(given, ir.Product) and len(suffixes(sort)) == len(parts):
            return parts
        raise IRError(f"{self.function.name}: {sort_text(given)} is not {sort_text(sort)}")

    def _halves(self, node: ir.Expr) -> Parts:
        """The low and the high half of a number or word."""
        match node:
            case ir.Call(function="number" | "word", arguments=(inner,)):
                return self._halves(inner)
            case ir.Literal(value=value):
                return halves(value)
            case ir.Element(collection=collection, sort=sort) if sort == INT and isinstance(collection.sort, ir.Array):
                place = self._place(node, twice=True)
                if not place.narrow:
                    return place.halves
                number = self._kept(f"{place.base}[{place.index}]")
                return [f"({number} | 0)", f"high({number})"]
            case ir.Binary(operator="&" | "|" | "^" as operator, left=left, right=right):
                pairs = self._in_order((left, right), (WORD, WORD))
                return [bits(operator, a, b) for a, b in zip(*pairs, strict=True)]
        if node.sort == WORD:
            return self._parts(node)
        return self.ints.halves(self._kept(self._as(node, INT)[0]))

    def _parts(self, node: ir.Expr) -> Parts:
        """The numbers of an expression."""
        match node:
            case ir.Literal():
                return self._literal(node)
            case ir.Name(name=name, sort=sort):
                if name in CONSTANTS:
                    return halves(CONSTANTS[name][0])
                return self.names.parts(name, sort)
            case ir.Unary():
                return self._unary(node)
            case ir.Binary(operator=operator, left=left, right=right):
                one, other = self._in_order((left, right))
                return self._combined(operator, left.sort, one, other, right.sort)
            case ir.Comparison():
                return [self._comparison(node)]
            case ir.Logical(operator=operator, operands=operands):
                between = " && " if operator == "and" else " || "
                text = f"({between.join(map(self._test, operands))})"
                return [self._kept(text) if self._acts(node) else text]
            case ir.Conditional():
                return self._conditional(node)
            case ir.Element():
                return self._element(node)
            case ir.Tail(array=array, start=start):
                (base,), (first,) = self._in_order((array, start))
                assert isinstance(array.sort, ir.Array)
                first = self.ints.index(first)
                return [f"{base}.slice({first})" if array.sort.dimensions > 1 else f"{base}.subarray(2 * {first})"]
            case ir.Call():
                return self._call(node)
            case ir.Tuple(items=items):
                return [part for parts in self._in_order(items) for part in parts]

    def _literal(self, node: ir.Literal) -> Parts:
        value = node.value
        match node.sort:
            case ir.Vector():
                return [self.names.vectors.setdefault(value, f"SET$${len(self.names.vectors) + 1}")]
            case ir.Product(items=items):
                return [half for index in range(len(items)) for half in halves(value >> 64 * index)]
        if node.sort == BOOL:
            return ["true" if value else "false"]
        return halves(value) if node.sort == WORD else [self.ints.literal(value)]

    def _unary(self, node: ir.Unary) -> Parts:
        operand = node.operand
        if node.operator == "not":
            return [f"!{self._kept_test(operand)}"]
        parts = self._parts(operand)
        if operand.sort == WORD and node.operator == "~":
            return [f"~{part}" if not LITERAL.fullmatch(part) else str(~int(part)) for part in parts]
        if operand.sort == WORD or node.sort != INT:
            raise IRError(f"{self.function.name}: no {node.operator} of {sort_text(operand.sort)}")
        return [f"({self.ints.literal(0 if node.operator == '-' else -1)} - {parts[0]})"]

    def _kept_test(self, node: ir.Expr) -> str:
        """The text of a condition as an operand, its setups left to the enclosing expression."""
        return self._as(node, BOOL)[0]

    def _comparison(self, node: ir.Comparison) -> str:
        operands = node.operands
        sorts = {operand.sort for operand in operands}
        if INT in sorts and WORD in sorts:
            result = self._in_order(operands, [WORD] * len(operands))
        else:
            result = self._in_order(operands)
        if len(operands) > 2:
            result[1:-1] = map(self._all_kept, result[1:-1])
        product = operands[0].sort if WORD not in sorts else WORD
        tests = [self._compared(relation, product, one, other)
                 for relation, one, other in zip(node.relations, result, result[1:], strict=False)]
        return tests[0] if len(tests) == 1 else f"({' && '.join(tests)})"

    def _compared(self, relation: ir.Relation, sort: ir.Sort, one: Parts, other: Parts) -> str:
        if relation in RELATIONS:
            if other == ["0", "0"] and sort == WORD:
                return f"(({one[0]} | {one[1]}) {RELATIONS[relation]} 0)"
            tests = [f"{a} {RELATIONS[relation]} {b}" for a, b in zip(one, other, strict=True)]
            return f"({(' && ' if relation == '==' else ' || ').join(tests)})"
        if sort == WORD:
            first, second = (one, other) if relation in ("<", ">=") else (other, one)
            text = f"wordLess({', '.join([*first, *second])})"
            return text if relation in ("<", ">") else f"!{text}"
        if len(one) != 1:
            raise IRError(f"{self.function.name}: no order of {sort_text(sort)}")
        return f"({one[0]} {relation} {other[0]})"

    def _conditional(self, node: ir.Conditional) -> Parts:
        test = self._test(node.test)
        sort = node.sort
        with self._aside() as first:
            yes = self._as(node.yes, sort)
        with self._aside() as second:
            no = self._as(node.no, sort)
        if len(yes) == 1:
            text = f"({test} ? {joined(first, yes[0])} : {joined(second, no[0])})"
            return [self._kept(text) if self._acts(node) else text]
        if not first and not second:
            known = self._kept(test)
            return [f"({known} ? {a} : {b})" for a, b in zip(yes, no, strict=True)]
        names = [self._new() for _ in yes]
        branches = [", ".join([*setups, *(f"{name} = {part}" for name, part in zip(names, parts, strict=True))])
                    for setups, parts in ((first, yes), (second, no))]
        self._setups.append(f"{test} ? ({branches[0]}) : ({branches[1]})")
        return names

    # ---- elements

    def _place(self, node: ir.Element, *, twice: bool = False) -> Place:
        """Where an element of an array is."""
        sort = node.collection.sort
        assert isinstance(sort, (ir.Array, ir.Vector))
        (base,), *result = self._in_order((node.collection, *node.indices),
                                          [sort, *(INT if place.sort == INT else WORD for place in node.indices)])
        indices = [self._index(place, parts) for place, parts in zip(node.indices, result, strict=True)]
        for index in indices[:-1]:
            base = f"{base}[{bare(index)}]"
        last = indices[-1]
        if twice or node.sort == WORD:
            last = self._kept(last)
        if twice and len(indices) > 1:
            base = self._kept(base)
        narrow = isinstance(node.collection, ir.Name) and node.collection.name in self.names.narrow
        return Place(base, last, narrow)

    def _index(self, node: ir.Expr, parts: Parts) -> str:
        """An index, distance or other small number, of which a word has only the low half."""
        return self.ints.index(parts[0]) if node.sort == INT else parts[0]

    def _element(self, node: ir.Element) -> Parts:
        collection = node.collection
        match collection.sort:
            case ir.Product(items=items):
                return self._item(node, items)
            case ir.Array(dimensions=dimensions) if len(node.indices) < dimensions:
                (base,), *result = self._in_order((collection, *node.indices))
                return [base + "".join(f"[{bare(self._index(place, parts))}]"
                                       for place, parts in zip(node.indices, result, strict=True))]
        place = self._place(node)
        if place.narrow:
            return [self.ints.made(f"{place.base}[{bare(place.index)}]")]
        return place.halves if node.sort == WORD else [self.ints.read(place.base, place.index)]

    def _item(self, node: ir.Element, items: tuple[ir.Sort, ...]) -> Parts:
        """An item of a product, selected at run time where its index is not a literal."""
        parts = self._parts(node.collection)
        wanted = node.indices[0]
        if isinstance(wanted, ir.Literal):
            start = sum(len(suffixes(item)) for item in items[: wanted.value])
            return parts[start : start + len(suffixes(items[wanted.value]))]
        index = self._kept(self._as(wanted, INT)[0])
        width = len(suffixes(items[0]))
        columns = [parts[place::width] for place in range(width)]
        return ["(" + "".join(f"{index} === {self.ints.literal(number)} ? {part} : "
                              for number, part in enumerate(column[:-1]))
                + f"{column[-1]})" for column in columns]

    # ---- operators

    def _combined(self, operator: ir.Operator, sort: ir.Sort, one: Parts, other: Parts, other_sort: ir.Sort) -> Parts:
        """The numbers of a binary operation."""
        if sort == INT:
            right = other[0] if other_sort == INT else self.ints.of_word(*other)
            return [self.ints.combined(operator, one[0], right)]
        if sort != WORD:
            raise IRError(f"{self.function.name}: no {operator} of {sort_text(sort)}")
        if operator in ("<<", ">>"):
            return self._shifted(operator, one, self.ints.index(other[0]) if other_sort == INT else other[0])
        if other_sort == INT:
            number = self._kept(other[0])
            value = self.ints.known(number)
            other = self.ints.halves(number) if value is None else halves(value)
        if operator in ("&", "|", "^"):
            return [bits(operator, a, b) for a, b in zip(one, other, strict=True)]
        return self._sum(operator, self._all_kept(one), self._all_kept(other))

    def _sum(self, operator: ir.Operator, one: Parts, other: Parts) -> Parts:
        (a, a_high), (b, b_high) = one, other
        match operator:
            case "+":
                low = self._kept(f"(({a} + {b}) | 0)")
                return [low, f"(({a_high} + {b_high} + ({low} >>> 0 < {a} >>> 0 ? 1 : 0)) | 0)"]
            case "-":
                borrow = f"{a} === 0" if b == "1" else f"{a} >>> 0 < {b} >>> 0"
                return [f"(({a} - {b}) | 0)", f"(({a_high} - {b_high} - ({borrow} ? 1 : 0)) | 0)"]
            case "*":
                return [f"Math.imul({a}, {b})", f"timesHigh({a}, {a_high}, {b}, {b_high})"]
        name = "wordQuotient" if operator == "//" else "wordRemainder"
        return self._taken(f"{name}({a}, {a_high}, {b}, {b_high})", 2)

    def _shifted(self, operator: str, word: Parts, by: str) -> Parts:
        if not LITERAL.fullmatch(by):
            by = self._kept(by)
            if word == ["1", "0"] and operator == "<<":
                return [f"bitLow({by})", f"bitHigh({by})"]
            low, high = self._all_kept(word)
            if operator == "<<":
                return [f"leftLow({low}, {by})", f"leftHigh({low}, {high}, {by})"]
            return [f"rightLow({low}, {high}, {by})", f"rightHigh({high}, {by})"]
        distance = int(by)
        if distance == 0:
            return word
        if distance >= 64:
            return ["0", "0"]
        low, high = word if distance >= 32 else self._all_kept(word)
        back = 32 - distance
        if operator == "<<":
            if distance >= 32:
                return ["0", f"({low} << {distance - 32})" if distance > 32 else low]
            return [f"({low} << {distance})", f"({high} << {distance} | {low} >>> {back})"]
        if distance >= 32:
            return [f"({high} >>> {distance - 32})" if distance > 32 else high, "0"]
        return [f"({low} >>> {distance} | {high} << {back})", f"({high} >>> {distance})"]

    # ---- calls

    def _called(self, node: ir.Call) -> str:
        """The text of a call, without its further results."""
        function = self.names.functions.get(node.function)
        if function is None:
            return self._primitive(node, [given.sort for given in node.arguments])
        arguments = self._in_order(node.arguments, [name.sort for name in function.parameters])
        return f"{self.names.of(node.function)}({', '.join(bare(part) for parts in arguments for part in parts)})"

    def _primitive(self, node: ir.Call, sorts: Sequence[ir.Sort]) -> str:
        """The text of a call of a primitive with arguments of some sorts; it takes and gives JavaScript's numbers."""
        name, arguments = node.function, self._in_order(node.arguments, sorts)
        if name not in _OF_NUMBERS:
            arguments = [[self.ints.index(parts[0])] if sort == INT else parts
                         for sort, parts in zip(sorts, arguments, strict=True)]
        text = f"{self.ints.function(name)}({', '.join(bare(part) for parts in arguments for part in parts)})"
        return self.ints.made(text) if node.sort == INT and name not in _OF_NUMBERS else text

    def _taken(self, text: str, count: int) -> Parts:
        """Store the results of a call in temporaries."""
        self.most_results = max(self.most_results, count)
        names = [self._new() for _ in range(count)]
        self._setups.append(f"{names[0]} = {text}")
        self._setups += [f"{name} = r{index}" for index, name in enumerate(names[1:], start=1)]
        return names

    def _call(self, node: ir.Call) -> Parts:
        name = node.function
        function = self.names.functions.get(name)
        if function is not None:
            text = self._called(node)
            count = len(suffixes(function.result))
            if count == 0:
                raise IRError(f"{self.function.name}: {name} gives nothing")
            return self._taken(text, count)
        match name:
            case "number":
                return [self._number(node.arguments[0])]
            case "word":
                return self._halves(node.arguments[0])
            case "len":
                array = node.arguments[0]
                (base,) = self._parts(array)
                assert isinstance(array.sort, ir.Array)
                narrow = isinstance(array, ir.Name) and array.name in self.names.narrow
                whole = array.sort.dimensions > 1 or narrow
                return [self.ints.made(f"{base}.length" if whole else f"({base}.length >> 1)")]
        if name in PRIMITIVES:
            text = self._primitive(node, [
                given.sort if wanted is None else wanted
                for wanted, given in zip(PRIMITIVES[name].parameters, node.arguments, strict=True)])
        else:
            text = self._called(node)
        if name in _TWO_HALVES:
            return self._taken(text, 2)
        return [self._kept(text) if name in _MADE else text]

    def _number(self, node: ir.Expr) -> str:
        """A word as a number."""
        if isinstance(node, ir.Element) and node.sort == WORD and isinstance(node.collection.sort, ir.Array):
            place = self._place(attrs.evolve(node, sort=INT))
            return self.ints.read(place.base, place.index)
        return self._as(node, INT)[0]
