"""Making a kernel's functions: blocks, names, tables, and values that are computed once and used again.

A `Writer` keeps the open blocks of one function. What was computed in an open block can be used again inside it, as
long as nothing changed it (`forget`), and what does not depend on a loop can be computed before the loop (`outside`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from interpreter.compiler import ir
from interpreter.compiler.build import Given, expr, line

Statements = tuple[ir.Statement, ...]


@attrs.define(eq=False)
class _Block:
    made: Callable[[Statements], ir.Statement]
    """The statement that a block's statements are part of."""
    loop: bool
    names: set[str] = attrs.field(factory=set)
    """The names that get their values in this block."""
    statements: list[ir.Statement] = attrs.field(factory=list)
    known: dict[Hashable, ir.Expr] = attrs.field(factory=dict)


class Tables:
    """The constant tables of a kernel and the names of its functions; equal tables are kept once."""

    def __init__(self) -> None:
        self.values: dict[str, list[int]] = {}
        self.words: dict[str, bool] = {}
        self._names: dict[tuple[bool, tuple[int, ...]], str] = {}
        self.used: set[str] = set()
        """Names that nothing new may have."""

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
    """Makes the statements of one function."""

    def __init__(self, parameters: Sequence[str] = ()) -> None:
        self._blocks = [_Block(lambda _: ir.Return(), loop=False, names=set(parameters))]
        self._count: dict[str, int] = dict.fromkeys(parameters, 1)
        self.steady = True
        """Whether the position does not change while the function runs, so that values can be moved before loops."""

    @property
    def body(self) -> Statements:
        """What was made, at the outermost level."""
        return tuple(self._blocks[0].statements)

    # ---- statements

    def add(self, *statements: ir.Statement) -> None:
        """Put statements at the end of the innermost block."""
        self._blocks[-1].statements += statements

    def assign(self, target: ir.Name | ir.Element | ir.Tuple, value: Given) -> None:
        """Give a name or an element a value."""
        self.add(ir.Assign(target, expr(value)))

    def update(self, target: ir.Name | ir.Element, operator: ir.Operator, value: Given) -> None:
        """Change a name or an element by an operator."""
        self.add(ir.Update(target, operator, expr(value)))

    def evaluate(self, call: ir.Call) -> None:
        """Call a function for what it does."""
        self.add(ir.Evaluate(call))

    def give(self, value: Given | None = None) -> None:
        """Leave the function with a value."""
        self.add(ir.Return(None if value is None else expr(value)))

    def leave(self) -> None:
        """Leave the innermost loop."""
        self.add(ir.Break())

    # ---- names

    def name(self, wish: str) -> str:
        """A name not used yet in this function; its value is not of the innermost block, but of one to come."""
        wish = wish.rstrip("0123456789_") or "x"
        number = self._count.get(wish, 0) + 1
        self._count[wish] = number
        return wish if number == 1 else f"{wish}_{number}"

    def fresh(self, wish: str, sort: ir.Sort = ir.INT) -> ir.Name:
        """A name not used yet in this function, for a value of the innermost block."""
        name = self.name(wish)
        self._blocks[-1].names.add(name)
        return ir.Name(name, sort)

    def let(self, wish: str, value: Given, sort: ir.Sort | None = None) -> ir.Name:
        """A new name with a value in the innermost block."""
        given = expr(value)
        name = self.fresh(wish, sort or given.sort)
        self.assign(name, given)
        return name

    # ---- blocks

    def _open(self, made: Callable[[Statements], ir.Statement], *names: ir.Name, loop: bool = True) -> None:
        self._blocks.append(_Block(made, loop, {name.name for name in names}))

    def open_if(self, condition: ir.Expr) -> None:
        """Begin a block that runs where a condition holds; `otherwise` or `close` ends it."""
        self._open(lambda body: ir.If(condition, body), loop=False)

    def open_while(self, condition: ir.Expr, *names: ir.Name) -> None:
        """Begin a loop in which some names get their values."""
        self._open(lambda body: ir.While(condition, body), *names)

    def open_range(self, name: ir.Name, start: Given, stop: Given, *names: ir.Name) -> None:
        """Begin a loop over numbers from `start` to below `stop`."""
        self._open(lambda body: ir.For(name, expr(start), expr(stop), body), name, *names)

    def close(self, count: int = 1) -> None:
        """End so many blocks."""
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

        self._open(made, loop=False)

    @contextmanager
    def when(self, condition: ir.Expr) -> Iterator[None]:
        """Put what follows inside a block that runs where a condition holds."""
        self.open_if(condition)
        yield
        self.close()

    @contextmanager
    def repeat(self, condition: ir.Expr, *names: ir.Name) -> Iterator[None]:
        """Put what follows inside a loop."""
        self.open_while(condition, *names)
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
        """Collect what follows instead of putting it into the innermost block: `Apart.put` does, if it is wanted."""
        self._open(lambda _: ir.Return(), loop=False)
        found = Apart(self, self._blocks[-1])
        yield found
        self._blocks.remove(found.block)

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return len(self._blocks)

    @property
    def names_here(self) -> set[str]:
        """The names that get their values in the innermost block."""
        return self._blocks[-1].names

    # ---- values used again

    def known(self, key: Hashable) -> ir.Expr | None:
        """The value that was computed before in a block that is still open."""
        for block in reversed(self._blocks):
            if key in block.known:
                return block.known[key]
        return None

    def know(self, key: Hashable, value: ir.Expr) -> None:
        """Remember a value of the innermost block."""
        self._blocks[-1].known[key] = value

    def forget(self) -> None:
        """Something changed: nothing that was computed holds any more."""
        for block in self._blocks:
            block.known.clear()

    @contextmanager
    def keeping(self, holds: Callable[[Hashable], bool]) -> Iterator[None]:
        """Whatever is forgotten meanwhile, remember afterwards what was known of keys for which something holds."""
        before = [{key: value for key, value in block.known.items() if holds(key)} for block in self._blocks]
        yield
        for block, kept in zip(self._blocks, before, strict=False):
            block.known.update(kept)

    @contextmanager
    def outside(self, names: set[str]) -> Iterator[None]:
        """Put what follows as far out as values with these names are known, if that is before some loop."""
        place = len(self._blocks) - 1
        best = place
        while place > 0 and not names & self._blocks[place].names:
            if self._blocks[place].loop:
                best = place - 1
            place -= 1
        if not self.steady or best == len(self._blocks) - 1:
            yield
            return
        inner = self._blocks[best + 1 :]
        del self._blocks[best + 1 :]
        yield
        self._blocks += inner


@attrs.frozen
class Apart:
    """Statements that are not yet part of a function."""

    writer: Writer
    block: _Block

    @property
    def needed(self) -> bool:
        """Whether there are any."""
        return bool(self.block.statements)

    def put(self) -> None:
        """Put them at the end of the writer's innermost block, with the names and values that they make known."""
        block = self.writer._blocks[-1]
        block.statements += self.block.statements
        block.names |= self.block.names
        block.known.update(self.block.known)
