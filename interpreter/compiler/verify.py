"""Verification of IR: sorts match, names have values before they are used, every failure number has a message.

`verify_ir` raises an error that lists all violations, each with its function and expression. It checks the results of
passes and IR written by hand. All kernels made in tests are checked (`verified`), which takes about as long as writing
their text: 10 to 40 ms a kernel.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Final

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import bound_names, called_names, cells_of, given_by, root, targets
from interpreter.compiler.emit.python import Emitter
from interpreter.compiler.primitives import CONSTANTS, primitives_for
from interpreter.compiler.reader import IRError
from interpreter.compiler.sorts import sort_text

ASKED: Final = "DSLGAME_VERIFY_IR"
"""The environment variable that turns on verification of every kernel's IR."""
FAILED: Final = "FAILED"
"""The constant with the index of the failure number in a row."""
_NUMBERS: Final = (ir.INT, ir.WORD)
_SHIFTS: Final = ("<<", ">>")
_MOST_TOLD: Final = 10
_LIMITS: Final = {ir.INT: (-(1 << 63), (1 << 63) - 1), ir.WORD: (0, (1 << 64) - 1), ir.BOOL: (0, 1)}
"""The smallest and the greatest value of a sort."""
Bound = set[str] | None
"""The names that are definitely assigned at a point of a function; None where it is unreachable."""


def verified(module: ir.Module, *, after: str = "") -> ir.Module:
    """Return a module as it is, after verifying it if DSLGAME_VERIFY_IR is set. Raises IRError."""
    if os.environ.get(ASKED):
        verify_ir(module, after=after)
    return module


def verify_ir(module: ir.Module, *, after: str = "") -> None:
    """Verify a module. Raises IRError, which lists the violations.

    `after` is the name of the step that made the module, for the error message.
    """
    result = problems(module)
    if result:
        raise _wrong(result, after)


def _wrong(result: list[str], after: str) -> IRError:
    more = [f"and {len(result) - _MOST_TOLD} more"] if len(result) > _MOST_TOLD else []
    return IRError("\n".join([f"wrong IR{f' after {after}' if after else ''}:", *result[:_MOST_TOLD], *more]))


def verify_step(before: ir.Module, module: ir.Module, *, after: str) -> None:
    """Verify the functions that a step changed, if DSLGAME_VERIFY_IR is set. Raises IRError.

    Calls of functions that were missing before the step already, such as those that hooks add, are allowed.
    """
    if not os.environ.get(ASKED):
        return
    old = {id(function) for function in before.functions}
    changed = {function.name for function in module.functions if id(function) not in old}
    missing = {name for function in before.functions if isinstance(function, ir.Function)
               for name in called_names(function)} - {function.name for function in before.functions}
    result = problems(module, of=changed, missing=missing) if changed else []
    if result:
        raise _wrong(result, after)


def verify_rest(before: ir.Module, module: ir.Module) -> ir.Module:
    """Return a module from which functions were removed, after verifying it if DSLGAME_VERIFY_IR is set.

    The functions that changed must be correct, and no removed function may be called. Raises IRError.
    """
    if os.environ.get(ASKED):
        verify_step(before, module, after="unused")
        there = {function.name for function in module.functions}
        gone = {function.name for function in before.functions} - there
        result = [f"{function.name}: calls {name}, which is gone" for function in module.functions
                  if gone and isinstance(function, ir.Function) for name in sorted(called_names(function) & gone)]
        if result:
            raise _wrong(result, "unused")
    return module


def problems(module: ir.Module, *, of: Container[str] | None = None, missing: Container[str] = ()) -> list[str]:
    """The violations in a module, each as a line that names the function and the expression.

    Only the functions in `of` are checked, all of them where it is None. Functions in `missing` may be called.
    """
    result = _of_names(module)
    for constant in module.constants:
        result += _of_constant(constant)
    for table in module.tables:
        result += _of_table(table)
    functions = {function.name: function for function in module.functions}
    named = {name: sort for name, (_, sort) in CONSTANTS.items()}
    named |= {constant.name: constant.sort for constant in module.constants}
    named |= {table.name: table.sort for table in module.tables}
    cells = cells_of(module)
    for function in module.functions:
        if isinstance(function, ir.Function) and (of is None or function.name in of):
            result += _Function(function, functions, named, len(module.failures), cells, missing).problems()
    return result


def _of_names(module: ir.Module) -> list[str]:
    known: set[str] = set()
    result = []
    for name in [*(constant.name for constant in module.constants), *(table.name for table in module.tables),
                 *(function.name for function in module.functions)]:
        if name in known:
            result.append(f"{name}: there are two of this name")
        known.add(name)
    return result


def _of_constant(constant: ir.Constant) -> list[str]:
    sort, values = constant.sort, constant.values
    if sort in _LIMITS:
        wanted, of = 1, sort
    elif isinstance(sort, ir.Vector):
        wanted, of = sort.words, ir.WORD
    elif isinstance(sort, ir.Product) and set(sort.items) == {ir.WORD}:
        wanted, of = len(sort.items), ir.WORD
    else:
        return [f"{constant.name}: a constant cannot be {sort_text(sort)}"]
    if len(values) != wanted:
        return [f"{constant.name}: has {len(values)} values, {sort_text(sort)} has {wanted}"]
    return _in_range(constant.name, values, of)


def _of_table(table: ir.Table) -> list[str]:
    if table.sort not in (ir.LINE, ir.ROW):
        return [f"{table.name}: a table cannot be {sort_text(table.sort)}"]
    return _in_range(table.name, table.values, table.sort.element)


def _in_range(name: str, values: tuple[int, ...], sort: ir.Sort) -> list[str]:
    assert isinstance(sort, ir.Scalar)
    least, most = _LIMITS[sort]
    wrong = [value for value in (min(values), max(values)) if not least <= value <= most] if values else []
    return [f"{name}: {wrong[0]} is no {sort_text(sort)}"] if wrong else []


class _Function:
    """Checks one function."""

    def __init__(self, function: ir.Function, functions: Mapping[str, ir.Function | ir.Foreign],
                 named: Mapping[str, ir.Sort], failures: int, cells: ir.Sort, missing: Container[str]) -> None:
        self.function, self.functions, self.named, self.failures = function, functions, named, failures
        self.primitives, self.missing = primitives_for(cells), missing
        self.found: list[str] = []
        self.locals: dict[str, ir.Sort] = {}
        self.bound: Bound = {parameter.name for parameter in function.parameters}
        self.loops: list[list[Bound]] = []
        """For each open loop, the names bound at each of its `break`s."""
        self._expressions: dict[type, Callable[[Any], ir.Sort | None]] = {
            ir.Literal: self._literal, ir.Name: self._name, ir.Unary: self._unary, ir.Binary: self._binary,
            ir.Comparison: self._comparison, ir.Logical: self._logical, ir.Conditional: self._conditional,
            ir.Element: self._element, ir.Tail: self._tail, ir.Call: self._call, ir.Tuple: self._tuple}
        self._statements: dict[type, Callable[[Any], None]] = {
            ir.Assign: self._assign, ir.Update: self._update, ir.Evaluate: self._evaluate, ir.If: self._if,
            ir.While: self._while, ir.For: self._for, ir.ForEach: self._for_each, ir.Let: self._let,
            ir.Break: self._break,
            ir.Continue: self._continue, ir.Return: self._return, ir.Comment: lambda _: None}

    def problems(self) -> list[str]:
        """Check the function, and return its violations."""
        function = self.function
        for parameter in function.parameters:
            if parameter.name in self.locals:
                self._wrong(f"two parameters are called '{parameter.name}'")
            self.locals[parameter.name] = parameter.sort
        self.scope = bound_names(function)
        self._block(function.body)
        if self.bound is not None and function.result != ir.NOTHING:
            self._wrong(f"a way through it gives nothing, expected {sort_text(function.result)}")
        return self.found

    def _wrong(self, what: str, at: ir.Expr | None = None) -> None:
        where = "" if at is None else f"{_shown(at)}: "
        span = "" if self.function.span is None else f" ({self.function.span})"
        self.found.append(f"{self.function.name}{span}: {where}{what}")

    # ---- statements

    def _block(self, block: Iterable[ir.Statement]) -> None:
        for statement in block:
            self._statements[type(statement)](statement)

    def _assign(self, node: ir.Assign) -> None:
        given = self._sort(node.value)
        self._target(node.target, given, node.value)
        if self.bound is not None:
            self.bound.update(name.name for name in targets(node.target))
        if isinstance(node.target, ir.Element):
            self._failure(node.target, node.value)

    def _target(self, target: ir.Expr, given: ir.Sort | None, value: ir.Expr) -> None:
        """Check that a value of a sort can be assigned to a target."""
        if isinstance(target, ir.Name):
            self._can_be_bound(target)
            self._fits(target.sort, given, value, f"'{target.name}'")
        elif isinstance(target, ir.Element):
            self._can_be_changed(target)
            self._fits(self._sort(target), given, value, _shown(target))
        elif isinstance(target, ir.Tuple):
            if not isinstance(given, ir.Product) or len(given.items) != len(target.items):
                self._wrong(f"cannot be given {_sort_text(given)}", target)
                return
            for item, sort in zip(target.items, given.items, strict=True):
                self._target(item, sort, value)
        else:
            self._wrong("cannot be given a value", target)

    def _can_be_bound(self, name: ir.Name) -> None:
        if name.name in self.named:
            self._wrong("is a constant, and cannot be given a value", name)
        known = self.locals.setdefault(name.name, name.sort)
        if known != name.sort:
            self._wrong(f"is {sort_text(known)} and {sort_text(name.sort)}", name)
        if isinstance(known, ir.Array) and any(name.name == parameter.name for parameter in self.function.parameters):
            self._wrong("is an array that the caller gives, and cannot be given another", name)

    def _can_be_changed(self, target: ir.Element) -> None:
        of = root(target)
        if not isinstance(of, (ir.Name, ir.Call)) or not isinstance(of.sort, ir.Array):
            self._wrong("is no element of an array, and cannot be changed", target)
        elif isinstance(of, ir.Name) and of.name in self.named and of.name not in self.scope:
            self._wrong(f"is an element of the table '{of.name}', and cannot be changed", target)

    def _failure(self, target: ir.Element, value: ir.Expr) -> None:
        """Check that a literal failure number that is written to a row has a message."""
        if not isinstance(target.indices[-1], ir.Name) or target.indices[-1].name != FAILED:
            return
        if isinstance(value, ir.Call) and value.function == "word":
            value = value.arguments[0]
        if isinstance(value, ir.Literal) and not 0 <= value.value < max(self.failures, 1):
            self._wrong(f"nothing fails with the number {value.value}", target)

    def _update(self, node: ir.Update) -> None:
        target = node.target
        changed = self._sort(target)
        if isinstance(target, ir.Name):
            if target.name in self.named:
                self._wrong("is a constant, and cannot be changed", target)
        else:
            self._can_be_changed(target)
        given = self._sort(node.value)
        if changed is not None and given is not None:
            self._operands(node.operator, changed, given, target)

    def _evaluate(self, node: ir.Evaluate) -> None:
        self._sort(node.call)

    def _if(self, node: ir.If) -> None:
        self._condition(node.test)
        before = None if node.test == ir.TRUE else _copied(self.bound)
        if node.test == ir.FALSE:
            self.bound = None
        self._block(node.yes)
        after = self.bound
        self.bound = before
        self._block(node.no)
        self.bound = _both(after, self.bound)

    def _while(self, node: ir.While) -> None:
        self._condition(node.test)
        left = None if node.test == ir.TRUE else _copied(self.bound)
        self._loop(node.body)
        self.bound = self._left(left)

    def _for(self, node: ir.For) -> None:
        for bound in (node.start, node.stop):
            sort = self._sort(bound)
            if sort not in (None, ir.INT):
                self._wrong(f"is {_sort_text(sort)}, expected Int", bound)
        if node.step not in (1, -1):
            self._wrong(f"goes by {node.step}, expected 1 or -1", node.name)
        left = self._rounds(node)
        if self._runs(node):
            left = self.bound  # after its last iteration
        self.bound = self._left(left)

    def _for_each(self, node: ir.ForEach) -> None:
        sort = self._sort(node.cells)
        if sort is not None and not _is_set(sort):
            self._wrong(f"is {sort_text(sort)}, expected a set of cells", node.cells)
        self.bound = self._left(self._rounds(node))

    def _let(self, node: ir.Let) -> None:
        last = node.body[-1] if node.body else None
        if not (isinstance(last, ir.Assign) and last.target == node.name):
            self._wrong("its statements do not end with its value", node.name)
        own = {name.name for statement in ir.statements(node.body) for name in given_by(statement)}
        before, loops = _copied(self.bound), self.loops
        for name in sorted(own & (before or set())):
            self._wrong(f"'{name}' has a value before the statements that find this one", node.name)
        self.loops = []
        self._block(node.body)
        self.loops = loops
        if any(isinstance(statement, ir.Return) for statement in ir.statements(node.body)):
            self._wrong("its statements leave the function", node.name)
        if before is not None:
            self.bound = before | {node.name.name}

    def _rounds(self, node: ir.For | ir.ForEach) -> Bound:
        """Check the body of a loop; the names bound before the loop."""
        if node.name.sort != ir.INT:
            self._wrong(f"is {sort_text(node.name.sort)}, expected Int", node.name)
        self._can_be_bound(node.name)
        before = _copied(self.bound)
        if self.bound is not None:
            self.bound.add(node.name.name)
        self._loop(node.body)
        return before

    def _runs(self, node: ir.For) -> bool:
        """Whether a loop is known to run at least once, without `break` or `continue`."""
        match node:
            case ir.For(start=ir.Literal(value=start), stop=ir.Literal(value=stop), step=step):
                return (start < stop if step == 1 else start > stop) and not any(
                    isinstance(inner, (ir.Break, ir.Continue)) for inner in ir.statements(node.body))
        return False

    def _loop(self, body: tuple[ir.Statement, ...]) -> None:
        self.loops.append([])
        self._block(body)

    def _left(self, left: Bound) -> Bound:
        """The names bound after a loop, which ends by its condition (with the names `left`) or by a `break`."""
        for bound in self.loops.pop():
            left = _both(left, bound)
        return left

    def _break(self, node: ir.Break) -> None:
        if not self.loops:
            self._wrong("'break' outside a loop")
        else:
            self.loops[-1].append(_copied(self.bound))
        self.bound = None

    def _continue(self, node: ir.Continue) -> None:
        if not self.loops:
            self._wrong("'continue' outside a loop")
        self.bound = None

    def _return(self, node: ir.Return) -> None:
        wanted = self.function.result
        given: ir.Sort | None = ir.NOTHING if node.value is None else self._sort(node.value)
        if given is not None and given != wanted:
            self._wrong(f"returns {sort_text(given)}, expected {sort_text(wanted)}", node.value)
        self.bound = None

    # ---- expressions

    def _sort(self, node: ir.Expr) -> ir.Sort | None:
        """The sort of an expression, computed from its operands; None where it has a violation."""
        result = self._expressions[type(node)](node)
        if result is not None and result != node.sort:
            self._wrong(f"is {sort_text(result)}, and says that it is {sort_text(node.sort)}", node)
            return None
        return result

    def _sorts(self, nodes: Iterable[ir.Expr]) -> list[ir.Sort] | None:
        """The sorts of several expressions; None where one has a violation."""
        result = [self._sort(node) for node in nodes]
        return None if None in result else [sort for sort in result if sort is not None]

    def _condition(self, node: ir.Expr) -> None:
        sort = self._sort(node)
        if sort not in (None, ir.BOOL):
            self._wrong(f"is {_sort_text(sort)}, expected Bool", node)

    def _fits(self, wanted: ir.Sort | None, given: ir.Sort | None, value: ir.Expr, what: str) -> None:
        if wanted is not None and given is not None and wanted != given:
            self._wrong(f"is {sort_text(given)}, {what} is {sort_text(wanted)}", value)

    def _literal(self, node: ir.Literal) -> ir.Sort | None:
        sort = node.sort
        if isinstance(sort, ir.Scalar) and sort in _LIMITS:
            least, most = _LIMITS[sort]
        elif isinstance(sort, (ir.Vector, ir.Product)) and _is_set(sort):
            words = sort.words if isinstance(sort, ir.Vector) else len(sort.items)
            least, most = 0, (1 << 64 * words) - 1
        else:
            self._wrong(f"a literal cannot be {sort_text(sort)}")
            return None
        if not least <= node.value <= most:
            self._wrong(f"{node.value} is no {sort_text(sort)}")
        return sort

    def _name(self, node: ir.Name) -> ir.Sort | None:
        name = node.name
        if name in self.scope:
            if self.bound is not None and name not in self.bound:
                self._wrong("has no value on some way that leads here", node)
                return None
            return self.locals.get(name, node.sort)
        if name in self.named:
            return self.named[name]
        self._wrong("there is no such name", node)
        return None

    def _unary(self, node: ir.Unary) -> ir.Sort | None:
        if node.operator == "not":
            self._condition(node.operand)
            return ir.BOOL
        sort = self._sort(node.operand)
        if sort is not None and sort not in _NUMBERS:
            self._wrong(f"'{node.operator}' of {sort_text(sort)}", node)
            return None
        return sort

    def _binary(self, node: ir.Binary) -> ir.Sort | None:
        left, right = self._sort(node.left), self._sort(node.right)
        if left is None or right is None or not self._operands(node.operator, left, right, node):
            return None
        return left

    def _operands(self, operator: ir.Operator, left: ir.Sort, right: ir.Sort, at: ir.Expr) -> bool:
        good = left in _NUMBERS and (left == right or (operator in _SHIFTS and right == ir.INT))
        if not good:
            self._wrong(f"'{operator}' of {sort_text(left)} and {sort_text(right)}", at)
        return good

    def _comparison(self, node: ir.Comparison) -> ir.Sort | None:
        if len(node.operands) != len(node.relations) + 1:
            self._wrong(f"{len(node.relations)} relations of {len(node.operands)} values", node)
            return None
        sorts = self._sorts(node.operands)
        if sorts is None:
            return None
        for one, other, relation in zip(sorts, sorts[1:], node.relations, strict=False):
            if one != other or one not in (*_NUMBERS, ir.BOOL) or (one == ir.BOOL and relation not in ("==", "!=")):
                self._wrong(f"'{relation}' of {sort_text(one)} and {sort_text(other)}", node)
        return ir.BOOL

    def _logical(self, node: ir.Logical) -> ir.Sort | None:
        for operand in node.operands:
            self._condition(operand)
        return ir.BOOL

    def _conditional(self, node: ir.Conditional) -> ir.Sort | None:
        self._condition(node.test)
        yes, no = self._sort(node.yes), self._sort(node.no)
        if yes is not None and no is not None and yes != no:
            self._wrong(f"is {sort_text(yes)} or {sort_text(no)}", node)
            return None
        return yes and no

    def _element(self, node: ir.Element) -> ir.Sort | None:
        of = self._sort(node.collection)
        indices = self._sorts(node.indices)
        if of is None or indices is None:
            return None
        if any(sort not in _NUMBERS for sort in indices):
            self._wrong("an index is a number", node)
            return None
        match of:
            case ir.Array(element=element, dimensions=dimensions) if 1 <= len(indices) <= dimensions:
                left = dimensions - len(indices)
                return ir.Array(element, left) if left else element
            case ir.Vector() if len(indices) == 1:
                return ir.WORD
            case ir.Product(items=items) if len(indices) == 1:
                return self._item(node, items)
        self._wrong(f"{sort_text(of)} has no such element", node)
        return None

    def _item(self, node: ir.Element, items: tuple[ir.Sort, ...]) -> ir.Sort | None:
        """The sort of an item of a tuple; where the index is not a literal, all items must have the same sort."""
        place = node.indices[0]
        if isinstance(place, ir.Literal):
            if 0 <= place.value < len(items):
                return items[place.value]
        elif len(set(items)) == 1:
            return items[0]
        self._wrong(f"{sort_text(ir.Product(items))} has no such element", node)
        return None

    def _tail(self, node: ir.Tail) -> ir.Sort | None:
        of, start = self._sort(node.array), self._sort(node.start)
        if of is not None and start is not None and not (isinstance(of, ir.Array) and start == ir.INT):
            self._wrong(f"{sort_text(of)} has no part from {sort_text(start)} on", node)
            return None
        return of

    def _call(self, node: ir.Call) -> ir.Sort | None:
        given = self._sorts(node.arguments)
        called = self.functions.get(node.function)
        if called is None and node.function not in self.primitives:
            if node.function in self.missing:
                return node.sort
            self._wrong("there is no such function", node)
        if given is None:
            return None
        if isinstance(called, ir.Foreign) and not called.parameters:
            return called.result
        if called is not None:
            wanted = [parameter.sort for parameter in called.parameters]
            if given == wanted:
                return called.result
            takes = f", it takes ({', '.join(map(sort_text, wanted))})"
        elif node.function in self.primitives:
            found = self.primitives[node.function].sort(given)
            if found is not None:
                return found
            takes = ""
        else:
            return None
        self._wrong(f"{node.function} is given ({', '.join(map(sort_text, given))}){takes}", node)
        return None

    def _tuple(self, node: ir.Tuple) -> ir.Sort | None:
        sorts = self._sorts(node.items)
        return None if sorts is None else ir.Product(tuple(sorts))


def _is_set(sort: ir.Sort) -> bool:
    return sort == ir.WORD or isinstance(sort, ir.Vector) or (
        isinstance(sort, ir.Product) and set(sort.items) == {ir.WORD})


def _copied(bound: Bound) -> Bound:
    return None if bound is None else set(bound)


def _both(one: Bound, other: Bound) -> Bound:
    """The names bound where two control flow paths join."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _sort_text(sort: ir.Sort | None) -> str:
    return "nothing known" if sort is None else sort_text(sort)


def _shown(node: ir.Expr) -> str:
    return ast.unparse(Emitter().expression(node))
