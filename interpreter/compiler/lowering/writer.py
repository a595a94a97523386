"""Builds a kernel's functions: `Writer` keeps the open blocks of one function, `Tables` constant tables and names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from interpreter.compiler import ir
from interpreter.compiler.build import Given, call, expr, line

Statements = tuple[ir.Statement, ...]


@attrs.define(eq=False)
class _Block:
    made: Callable[[Statements], ir.Statement]
    """Makes the statement that the block's statements are part of."""
    statements: list[ir.Statement] = attrs.field(factory=list)


class Tables:
    """The constant tables of a kernel and the names of its functions; equal tables are kept once."""

    def __init__(self) -> None:
        self.values: dict[str, list[int]] = {}
        self.words: dict[str, bool] = {}
        self._names: dict[tuple[bool, tuple[int, ...]], str] = {}
        self.used: set[str] = set()
        """The names that are taken."""

    def name(self, wish: str) -> str:
        """A name that no table or function has yet."""
        name, number = wish, 2
        while name in self.used:
            name, number = f"{wish}_{number}", number + 1
        self.used.add(name)
        return name

    def table(self, wish: str, values: list[int], *, words: bool = False) -> str:
        """The name of a table with these values, words or numbers."""
        key = words, tuple(values)
        if key not in self._names:
            name = self.name(wish.upper())
            self._names[key] = name
            self.values[name], self.words[name] = values, words
        return self._names[key]

    def numbers(self, wish: str, values: list[int]) -> ir.Name:
        """A table of numbers."""
        return line(self.table(wish, values))


class Writer:
    """Builds the statements of one function."""

    def __init__(self, parameters: Sequence[str] = ()) -> None:
        self._blocks = [_Block(lambda _: ir.Return())]
        self._count: dict[str, int] = dict.fromkeys(parameters, 1)

    @property
    def body(self) -> Statements:
        """The statements at the outermost level."""
        return tuple(self._blocks[0].statements)

    # ---- statements

    def add(self, *statements: ir.Statement) -> None:
        """Add statements at the end of the innermost block."""
        self._blocks[-1].statements += statements

    def assign(self, target: ir.Name | ir.Element | ir.Tuple, value: Given) -> None:
        """Assign a value to a name or an element."""
        self.add(ir.Assign(target, expr(value)))

    def update(self, target: ir.Name | ir.Element, operator: ir.Operator, value: Given) -> None:
        """Update a name or an element by an operator."""
        self.add(ir.Update(target, operator, expr(value)))

    def evaluate(self, call: ir.Call) -> None:
        """Call a function for its side effects."""
        self.add(ir.Evaluate(call))

    def give(self, value: Given | None = None) -> None:
        """Return from the function, with a value where one is given."""
        self.add(ir.Return(None if value is None else expr(value)))

    def leave(self) -> None:
        """Break out of the innermost loop."""
        self.add(ir.Break())

    # ---- names

    def name(self, wish: str) -> str:
        """A name not used yet in this function."""
        wish = wish.rstrip("0123456789_") or "x"
        number = self._count.get(wish, 0) + 1
        self._count[wish] = number
        return wish if number == 1 else f"{wish}_{number}"

    def fresh(self, wish: str, sort: ir.Sort = ir.INT) -> ir.Name:
        """A name not used yet in this function, for a value of a sort."""
        return ir.Name(self.name(wish), sort)

    def let(self, wish: str, value: Given, sort: ir.Sort | None = None) -> ir.Name:
        """Assign a value to a new name in the innermost block; return the name."""
        given = expr(value)
        name = self.fresh(wish, sort or given.sort)
        self.assign(name, given)
        return name

    def room(self, wish: str, size: int) -> ir.Name:
        """An array for `size` numbers, allocated once, where the function begins."""
        name = self.fresh(wish, ir.LINE)
        self._blocks[0].statements.insert(0, ir.Assign(name, call("line", size, gives=ir.LINE)))
        return name

    # ---- blocks

    def _open(self, made: Callable[[Statements], ir.Statement]) -> None:
        self._blocks.append(_Block(made))

    def open_if(self, condition: ir.Expr) -> None:
        """Begin a block that runs where a condition holds; `otherwise` or `close` ends it."""
        self._open(lambda body: ir.If(condition, body))

    def open_while(self, condition: ir.Expr) -> None:
        """Begin a loop that runs as long as a condition holds."""
        self._open(lambda body: ir.While(condition, body))

    def open_range(self, name: ir.Name, start: Given, stop: Given) -> None:
        """Begin a loop over numbers from `start` to below `stop`."""
        self._open(lambda body: ir.For(name, expr(start), expr(stop), body))

    def open_each(self, name: ir.Name, cells: ir.Expr) -> None:
        """Begin a loop over the cells of a set, which is computed before the first iteration."""
        self._open(lambda body: ir.ForEach(name, cells, body))

    def close(self, count: int = 1) -> None:
        """End the `count` innermost blocks."""
        for _ in range(count):
            block = self._blocks.pop()
            self._blocks[-1].statements.append(block.made(tuple(block.statements)))

    def otherwise(self) -> None:
        """End the innermost block, an `if`, and begin its `else`."""
        block = self._blocks.pop()
        yes = tuple(block.statements)

        def made(no: Statements) -> ir.Statement:
            whole = block.made(yes)
            assert isinstance(whole, ir.If)
            return attrs.evolve(whole, no=no)

        self._open(made)

    @contextmanager
    def when(self, condition: ir.Expr) -> Iterator[None]:
        """Put what follows inside a block that runs where a condition holds."""
        self.open_if(condition)
        yield
        self.close()

    @contextmanager
    def repeat(self, condition: ir.Expr) -> Iterator[None]:
        """Put what follows inside a loop."""
        self.open_while(condition)
        yield
        self.close()

    @contextmanager
    def count(self, name: ir.Name, start: Given, stop: Given) -> Iterator[None]:
        """Put what follows inside a loop over numbers."""
        self.open_range(name, start, stop)
        yield
        self.close()

    @contextmanager
    def apart(self) -> Iterator[Apart]:
        """Collect the statements that follow instead of adding them to the innermost block; `Apart.put` adds them."""
        self._open(lambda _: ir.Return())
        result = Apart(self, self._blocks[-1])
        yield result
        self._blocks.remove(result.block)

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return len(self._blocks)


@attrs.frozen
class Apart:
    """Statements that are not yet part of a function."""

    writer: Writer
    block: _Block

    @property
    def needed(self) -> bool:
        """Whether there are any statements."""
        return bool(self.block.statements)

    @property
    def statements(self) -> Statements:
        """The statements."""
        return tuple(self.block.statements)

    def put(self) -> None:
        """Put them at the end of the writer's innermost block."""
        self.writer.add(*self.statements)
