"""Random well-sorted IR functions, for tests that read, write, verify and transform IR."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

from interpreter.compiler import ir
from interpreter.kernel.plain import Grid

LENGTH = 4
"""The length of the arrays given to random functions, and of each row of `E`."""
PARAMETERS = (ir.Name("S", ir.ROW), ir.Name("T", ir.ROW), ir.Name("m", ir.LINE), ir.Name("E", ir.LINES),
              ir.Name("c", ir.INT), ir.Name("d", ir.INT), ir.Name("w", ir.WORD), ir.Name("x", ir.WORD),
              ir.Name("t", ir.BOOL))
CONSTANTS = (ir.Constant("LENGTH", (LENGTH,), ir.INT), ir.Constant("NO", (-1,), ir.INT),
             ir.Constant("TOP", (0xff00,), ir.WORD))
TABLES = (ir.Table("STEP", (2, -1, 0, 3), ir.LINE), ir.Table("NEAR", (6, 9, 1, 0), ir.ROW))
GIVEN: dict[str, ir.Sort] = {item.name: item.sort for item in PARAMETERS}
CONSTANT: dict[str, ir.Sort] = {
    **{item.name: item.sort for item in CONSTANTS}, **{item.name: item.sort for item in TABLES},
    "ONE": ir.WORD, "EMPTY": ir.WORD, "FULL": ir.WORD}
_PAIR = ir.Product((ir.INT, ir.WORD))
_SORTS: tuple[ir.Sort, ...] = (ir.INT, ir.WORD, ir.BOOL)
_RELATIONS: tuple[ir.Relation, ...] = ("==", "!=", "<", "<=", ">", ">=")
_INT_OPERATORS: tuple[ir.Operator, ...] = ("+", "-", "&", "|", "^")
_WORD_OPERATORS: tuple[ir.Operator, ...] = ("&", "|", "^")
_ROUNDS = 3


def _int(value: int) -> ir.Expr:
    return ir.Literal(value, ir.INT)

Int: TypeAlias = int
Bool: TypeAlias = bool
"""Aliases of types, as the class below has methods of these names."""


class _Maker:
    """Draws one function. Every loop ends, every index is in range, and nothing divides by 0."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.locals: dict[str, ir.Sort] = {}
        self.bound: set[str] = set(GIVEN)
        self.counters = 0

    def one(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def number(self, least: Int, most: Int) -> Int:
        return int(self.draw(st.integers(least, most)))

    # ---- expressions

    def expression(self, sort: ir.Sort, depth: Int) -> ir.Expr:
        if isinstance(sort, ir.Product):
            return ir.Tuple(tuple(self.expression(item, depth) for item in sort.items))
        if depth <= 0:
            return self.leaf(sort)
        return {ir.INT: self.int, ir.WORD: self.word, ir.BOOL: self.bool}[sort](depth - 1)  # type: ignore[index]

    def leaf(self, sort: ir.Sort) -> ir.Expr:
        names = [name for name in sorted(self.bound) if {**GIVEN, **self.locals}[name] == sort]
        names += [name for name, of in CONSTANT.items() if of == sort]
        if names and self.number(0, 2):
            return ir.Name(self.one(*names), sort)
        if sort == ir.BOOL:
            return ir.TRUE if self.one(True, False) else ir.FALSE
        least = -3 if sort == ir.INT else 0
        return ir.Literal(self.number(least, self.one(3, 70)), sort)

    def place(self, depth: Int) -> ir.Expr:
        """A random index into an array."""
        if self.number(0, 1):
            return _int(self.number(0, LENGTH - 1))
        return ir.Binary("&", self.expression(ir.INT, depth), _int(LENGTH - 1), ir.INT)

    def int(self, depth: Int) -> ir.Expr:
        match self.number(0, 10):
            case 0:
                return ir.Unary(self.one("-", "~"), ir.Name(self.one("c", "d"), ir.INT), ir.INT)
            case 1 | 2:
                return ir.Binary(self.one(*_INT_OPERATORS), self.expression(ir.INT, depth),
                                 self.expression(ir.INT, depth), ir.INT)
            case 3:
                return ir.Binary(self.one("*", "//", "%"), self.expression(ir.INT, depth), _int(self.number(1, 5)),
                                 ir.INT)
            case 4:
                return ir.Conditional(self.expression(ir.BOOL, depth), self.expression(ir.INT, depth),
                                      self.expression(ir.INT, depth))
            case 5:
                return ir.Element(ir.Name(self.one("m", "STEP"), ir.LINE), (self.place(depth),), ir.INT)
            case 6:
                return ir.Element(ir.Name("E", ir.LINES), (self.place(depth), self.place(depth)), ir.INT)
            case 7:
                return ir.Call("number", (self.expression(ir.WORD, depth),), ir.INT)
            case 8:
                return ir.Call("popcount", (self.masked(depth),), ir.INT)
            case 9:
                nonzero = ir.Binary("|", self.masked(depth), ir.Name("ONE", ir.WORD), ir.WORD)
                names = [name for name in sorted(self.bound) if {**GIVEN, **self.locals}[name] == ir.WORD]
                return ir.Call(self.one("lowest", "highest"), (self.one(nonzero, ir.Name(self.one(*names), ir.WORD)),),
                               ir.INT)
            case _:
                return ir.Call(self.one("min", "max"), (self.expression(ir.INT, depth), self.expression(ir.INT, depth)),
                               ir.INT)

    def masked(self, depth: Int) -> ir.Expr:
        """A word reduced to 64 bits, as plain Python may postpone that."""
        return ir.Binary("&", self.expression(ir.WORD, depth), ir.Name("FULL", ir.WORD), ir.WORD)

    def word(self, depth: Int) -> ir.Expr:
        match self.number(0, 6):
            case 0 | 1:
                return ir.Binary(self.one(*_WORD_OPERATORS), self.expression(ir.WORD, depth),
                                 self.expression(ir.WORD, depth), ir.WORD)
            case 2:
                by = ir.Binary("&", self.expression(ir.INT, depth), _int(63), ir.INT)
                shifted = ir.Binary(self.one("<<", ">>"), self.expression(ir.WORD, depth), by, ir.WORD)
                return ir.Binary("&", shifted, ir.Name("FULL", ir.WORD), ir.WORD)
            case 3:
                return ir.Binary("&", ir.Unary("~", self.expression(ir.WORD, depth), ir.WORD),
                                 ir.Name(self.one("TOP", "w"), ir.WORD), ir.WORD)
            case 4:
                return ir.Element(ir.Name(self.one("S", "T", "NEAR"), ir.ROW), (self.place(depth),), ir.WORD)
            case 5:
                return ir.Conditional(self.expression(ir.BOOL, depth), self.expression(ir.WORD, depth),
                                      self.expression(ir.WORD, depth))
            case _:
                return ir.Call("word", (ir.Binary("&", self.expression(ir.INT, depth), _int(255), ir.INT),), ir.WORD)

    def bool(self, depth: Int) -> ir.Expr:
        match self.number(0, 3):
            case 0:
                return ir.Unary("not", self.expression(ir.BOOL, depth), ir.BOOL)
            case 1:
                return ir.Logical(self.one("and", "or"), tuple(
                    self.expression(ir.BOOL, depth) for _ in range(self.number(2, 3))))
            case _:
                many = self.number(1, 2)
                sort = self.one(ir.INT, ir.WORD)
                return ir.Comparison(tuple(self.one(*_RELATIONS) for _ in range(many)),
                                     tuple(self.expression(sort, depth) for _ in range(many + 1)))

    # ---- statements

    def block(self, depth: Int, *, loop: Bool) -> tuple[ir.Statement, ...]:
        found = [statement for _ in range(self.number(1, 3)) for statement in self.statement(depth, loop)]
        return tuple(found)

    def inner(self, depth: Int, *, loop: Bool) -> tuple[ir.Statement, ...]:
        """A block after which the names that it bound first are unbound."""
        before = set(self.bound)
        found = self.block(depth, loop=loop)
        self.bound = before
        return found

    def statement(self, depth: Int, loop: Bool) -> list[ir.Statement]:
        kind = self.number(0, 10 if depth > 0 else 4)
        if kind <= 1:
            return [self.assignment()]
        if kind == 2:
            target = self.element()
            operators = _INT_OPERATORS if target.sort == ir.INT else _WORD_OPERATORS
            return [ir.Update(target, self.one(*operators), self.expression(target.sort, 2))]
        if kind == 3:
            name = self.one(*(name for name in sorted(self.bound) if {**GIVEN, **self.locals}[name] in _SORTS[:2]))
            sort = {**GIVEN, **self.locals}[name]
            operators = ("+", "-", "^") if sort == ir.INT else _WORD_OPERATORS
            return [ir.Update(ir.Name(name, sort), self.one(*operators), self.expression(sort, 2))]
        if kind == 4:
            if loop and self.number(0, 1):
                return [ir.If(self.expression(ir.BOOL, 1), (self.one(ir.Break(), ir.Continue()),))]
            return [ir.Comment(self.one("a rule", "two\nlines", "'quoted' \"twice\" # and \\ more")), self.assignment()]
        if kind in (5, 6):
            return [self.branches(depth)] if not loop else [self.branches(depth, loop=True)]
        if kind == 7:
            return [self.copying()]
        if kind == 8:
            return [ir.If(self.expression(ir.BOOL, 1), (ir.Return(self.expression(ir.INT, 1)),))]
        return self.loop(depth)

    def element(self) -> ir.Element:
        if self.number(0, 1):
            return ir.Element(ir.Name(self.one("S", "T"), ir.ROW), (self.place(1),), ir.WORD)
        if self.number(0, 1):
            return ir.Element(ir.Name("m", ir.LINE), (self.place(1),), ir.INT)
        return ir.Element(ir.Name("E", ir.LINES), (self.place(1), self.place(1)), ir.INT)

    def local(self, sort: ir.Sort) -> ir.Name:
        """Assignment target: a local name of a sort, perhaps a new one."""
        letter = {ir.INT: "i", ir.WORD: "v", ir.BOOL: "b"}[sort]  # type: ignore[index]
        name = ir.Name(f"{letter}{self.number(0, 2)}", sort)
        self.locals[name.name] = sort
        return name

    def assignment(self) -> ir.Statement:
        match self.number(0, 3):
            case 0:
                value = self.expression(_PAIR, 1)
                target = ir.Tuple((self.local(ir.INT), self.local(ir.WORD)))
                self.bound.update(name.name for name in target.items if isinstance(name, ir.Name))
                return ir.Assign(target, value)
            case 1:
                to = self.element()
                return ir.Assign(to, self.expression(to.sort, 2))
            case _:
                sort = self.one(*_SORTS)
                given = self.expression(sort, 3)
                name = self.local(sort)
                self.bound.add(name.name)
                return ir.Assign(name, given)

    def branches(self, depth: Int, *, loop: Bool = False) -> ir.Statement:
        test = self.expression(ir.BOOL, 2)
        before = set(self.bound)
        yes = self.block(depth - 1, loop=loop)
        after, self.bound = self.bound, before
        no = self.block(depth - 1, loop=loop) if self.number(0, 1) else ()
        self.bound = self.bound & after
        return ir.If(test, yes, no)

    def copying(self) -> ir.Statement:
        """A loop that copies elements of an array."""
        k = ir.Name("k", ir.INT)
        self.locals["k"] = ir.INT
        first, last = self.number(0, 2), self.number(0, LENGTH)
        to, given = (ir.Element(ir.Name(self.one("S", "T"), ir.ROW), (k,), ir.WORD) for _ in range(2))
        return ir.For(k, _int(first), _int(last), (ir.Assign(to, given),))

    def loop(self, depth: Int) -> list[ir.Statement]:
        """A loop that ends: over numbers, or as long as a number that nothing else changes is small."""
        self.counters += 1
        if self.number(0, 1):
            name = ir.Name(f"k{self.counters}", ir.INT)
            self.locals[name.name] = ir.INT
            before = set(self.bound)
            self.bound.add(name.name)
            body = self.block(depth - 1, loop=True)
            self.bound = before
            step = self.one(1, -1)
            start, stop = self.number(0, _ROUNDS), self.number(0, _ROUNDS)
            return [ir.For(name, _int(start), _int(stop), body, step)]
        rounds = ir.Name(f"n{self.counters}", ir.INT)
        less = ir.Comparison(("<",), (rounds, _int(_ROUNDS)))
        body = self.inner(depth - 1, loop=True)
        return [ir.Assign(rounds, _int(0)), ir.While(less, (ir.Update(rounds, "+", _int(1)), *body))]


@st.composite
def functions(draw: Any) -> ir.Function:
    """A random function of `PARAMETERS` that returns a number."""
    maker = _Maker(draw)
    body = maker.block(3, loop=False)
    last = ir.Return(maker.expression(ir.INT, 2))
    return ir.Function("act", PARAMETERS, ir.INT, draw(st.sampled_from(("", "What it does.", "A \"quoted\" 'word' \\ .",
                                                                       "long " * 40 + "end"))),
                       (*body, last), draw(st.booleans()))


def module_of(function: ir.Function) -> ir.Module:
    """A module with one function."""
    return ir.Module("A random kernel.", CONSTANTS, TABLES, (function,))


@st.composite
def arguments(draw: Any) -> list[Any]:
    """Random arguments for a random function."""
    words = st.lists(st.integers(0, (1 << 64) - 1), min_size=LENGTH, max_size=LENGTH)
    numbers = st.lists(st.integers(-3, 70), min_size=LENGTH, max_size=LENGTH)
    word = st.integers(1, (1 << 64) - 1)
    return [draw(words), draw(words), draw(numbers), Grid(draw(numbers) for _ in range(LENGTH)),
            draw(st.integers(-3, 70)), draw(st.integers(-3, 70)), draw(word), draw(word), draw(st.booleans())]
