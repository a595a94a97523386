"""Resolves expressions: from rule objects to terms with sorts.

`ExprResolver(world, scope)` resolves the expressions of one rule. The sort wanted at a place is passed down, so that
`red` is a piece where a piece is wanted, and the cells that hold it where a set is. Every mistake is reported once and
gives a term of unknown sort, which fits everywhere. Names are resolved in `dsl.resolve.names`, conditions in
`dsl.resolve.conditions`, calls of functions in `dsl.resolve.functions`.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from dsl import hir
from dsl.boards import KINDS
from dsl.diagnostics import did_you_mean, error
from dsl.dispatch import dispatched
from dsl.resolve import braces, conditions, kinds, lets, names
from dsl.resolve.functions import resolved
from dsl.resolve.scope import TILES_PHRASE, Scope, World
from dsl.resolve.sort_help import conversion_help
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    COURSE,
    DIRECTION,
    NETWORK,
    NOTHING,
    PIECE,
    SETLIKE,
    UNKNOWN,
    Integer,
    SetOf,
    Sort,
    Unknown,
    fits,
    join,
)
from dsl.resolve.uses import expand
from dsl.syntax import rules
from dsl.syntax.foreign_syntax import MEMBERS, SAYINGS
from dsl.syntax.source import Span
from dsl.words import CALLED

MAX_NUMBER = 10**30
"""The largest absolute value that numbers in rules can reach."""
MAX_RANGE = 100_000
"""The maximum size of a range of numbers to choose from."""


class ExprResolver:
    """Resolves the expressions of one rule in its scope."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world = world
        self.scope = scope
        self.expected = ""
        """The help for an unknown name that is similar to no known one."""

    # ---- what callers use

    def value(self, node: rules.Expression, wanted: Sort | None = None) -> hir.Expr:
        """Resolve an expression and convert it to the wanted sort; reported where that is impossible."""
        term = self.resolve(node, wanted)
        return term if wanted is None else self.converted(term, wanted)

    def resolved(self, node: rules.Expression, wanted: Sort | None) -> hir.Expr:
        """Resolve an expression without converting it; the wanted sort only decides how names are read."""
        return self.resolve(node, wanted)

    def condition(self, node: rules.Expression) -> hir.Expr:
        """Resolve an expression as a condition."""
        if isinstance(node, rules.Constant) and node.value is None:
            self.report("G206", "found a none, expected a condition", node.span)
            return self.unknown(node.span)
        return self.value(node, BOOLEAN)

    def cells(self, node: rules.Expression) -> hir.Expr:
        """Resolve an expression as a set of cells."""
        return self.value(node, CELLS)

    def domain(self, node: rules.Expression, *, most: int = MAX_RANGE) -> tuple[hir.Expr, Sort]:
        """Resolve what a bound name ranges over, with at most `most` numbers, and the sort of its values."""
        if isinstance(node, rules.Name) and node.text in ("rows", "columns") and node.text in self.world.params:
            # A param may have this name, `param rows = 6`; a domain can only mean the set.
            term = names.builtin(self, node, None)
            if self.world.notes is not None:
                self.world.notes.words.add(node.span)
        else:
            term = self.resolve(node, None)
        if term.sort in SETLIKE:
            term = self.converted(term, CELLS)
        if isinstance(term.sort, SetOf):
            element = term.sort.element
            if isinstance(element, Integer) and element.high - element.low >= most:
                count = element.high - element.low + 1
                self.report("G237", f"there are {count} numbers to go through, expected at most {most}", node.span)
            return term, element
        if not isinstance(term.sort, Unknown):
            self.report("G205", f"found a {term.sort}, expected a set to choose from", node.span,
                         "a range is written 0..9" if isinstance(term.sort, Integer) else "")
            return term, UNKNOWN
        return term, term.sort

    def binding(self, choice: rules.Choice) -> hir.Binding:
        """Bind the one name of a choice, in this scope."""
        domain, (local,), guard = self.chosen(choice)
        return hir.Binding(local.slot, local.name, domain, guard)

    def chosen(self, choice: rules.Choice) -> tuple[hir.Expr, list[hir.Local], hir.Expr | None]:
        """Bind the names of a choice in this scope: the domain that they range over, the names, and their condition.

        Where the position decides which of several fixed sets is the domain, the names range over all of these, and the
        condition tests the one that applies.
        """
        domain, sort = self.domain(choice.domain)
        names = [self.scope.bind(name, sort, self.world) for name in choice.names]
        self.scope.chosen.update(local.slot for local in names)
        guard = None if choice.guard is None else self.condition(choice.guard)
        whole = braces.wider(self, domain)
        if whole is None:
            return domain, names, guard
        span = choice.domain.span
        tests = [braces.contains(local, domain, span, self.world, self.scope.fresh) for local in names]
        tests += [] if guard is None else [guard]
        condition = tests[0] if len(tests) == 1 else hir.All(tuple(tests), sort=BOOLEAN, span=span)
        return whole, names, condition

    def inner(self) -> ExprResolver:
        """The resolver of a part that binds names of its own."""
        return type(self)(self.world, self.scope.inner())

    def direction(self, node: rules.Name | rules.Index | rules.Call) -> hir.Expr:
        """Resolve a direction: its name, a bound name, a variable, a definition or a call such as `opposite(d)`."""
        if isinstance(node, rules.Call) and node.name.text not in self.world.definitions:
            function = CALLED.get(node.name.text)
            if function is None:
                self._unknown_direction(node.name)
                return self.unknown(node.span)
            if function.result(self.world.cell_count) != DIRECTION:
                phrase = f"the function '{node.name.text}' gives no direction, expected one such as north"
                shown = f"functions take all they work on in brackets: {function.example}"
                help_text = MEMBERS.get(node.name.text, shown)
                self.report("G206", phrase, node.span, help_text)
                return self.unknown(node.span)
        if not isinstance(node, rules.Name):
            return self.value(node, DIRECTION)
        directions = self.world.board.directions
        local = self.scope.names.get(node.text)
        if self.world.notes is not None:
            self.world.notes.refer([node], self.scope)
        if local is not None:
            return self.converted(attrs.evolve(local, span=node.span), DIRECTION)
        if node.text in self.world.refused:
            return self.unknown(node.span)
        if node.text in directions:
            return hir.Literal(directions.index(node.text), sort=DIRECTION, span=node.span)
        if node.text in self.world.variables or node.text in self.world.definitions:
            return self.value(node, DIRECTION)
        self._unknown_direction(node)
        return self.unknown(node.span)

    def _unknown_direction(self, name: rules.Name) -> None:
        bound = [known for known, term in self.scope.names.items() if term.sort == DIRECTION]
        self.world.unknown(name, iter([*self.world.board.directions, *bound]), "direction")

    # ---- reporting

    def report(self, code: str, phrase: str, span: Span, help_text: str = "", suggestion: str = "") -> None:
        """Report an error; inside a definition with parameters, also label the call that gives them their sorts."""
        self.world.report(error(code, phrase, span, help=help_text, suggestion=suggestion, labels=self.scope.calls))

    def unknown(self, span: Span) -> hir.Expr:
        """The term that replaces what was reported: its sort fits everywhere."""
        return hir.Literal(None, sort=UNKNOWN, span=span)

    # ---- conversion

    def converted(self, term: hir.Expr, wanted: Sort) -> hir.Expr:
        """Convert a term to the wanted sort; reported where that is impossible."""
        result = term.sort
        if isinstance(result, Unknown) or isinstance(wanted, Unknown):
            return term
        if wanted == NETWORK and result != NETWORK:
            cells, number = self.converted(term, CELLS), self.world.cut
            return cells if number is None or cells.sort != CELLS else hir.Cut(
                cells, number, sort=NETWORK, span=term.span)
        if wanted == CELLS and result == PIECE:
            if isinstance(term, hir.Literal) and term.value is not None:
                return hir.CellsOf((term.value,), sort=CELLS, span=term.span)
            return hir.CellsHolding(term, sort=CELLS, span=term.span)
        if wanted == CELLS and result == CELL:
            return hir.CellSet((term,), sort=CELLS, span=term.span)
        if wanted == CELLS and result == COURSE:
            return hir.Apply("track_cells", (term,), sort=CELLS, span=term.span)
        if isinstance(result, type(NOTHING)) and _has_none(wanted):
            return attrs.evolve(term, sort=wanted)
        if isinstance(wanted, SetOf) and wanted != CELLS and _is_empty(term):
            return hir.Listing((), sort=wanted, span=term.span)
        if fits(result, wanted):
            return term
        self.report("G206", f"found a {result}, expected a {wanted}", term.span, conversion_help(term, wanted))
        return self.unknown(term.span)

    # ---- dispatch on the expression's class

    @dispatched
    def resolve(self, node: rules.Expression, wanted: Sort | None) -> hir.Expr:
        """Resolve an expression to a term; `wanted` is the sort that its place asks for."""
        raise TypeError(f"no resolution for {type(node).__name__}")

    @resolve.register
    def _number(self, node: rules.Number, wanted: Sort | None) -> hir.Expr:
        return hir.Literal(node.value, sort=Integer(node.value, node.value), span=node.span)

    @resolve.register
    def _constant(self, node: rules.Constant, wanted: Sort | None) -> hir.Expr:
        if node.value is None:
            return hir.Literal(None, sort=NOTHING, span=node.span)
        return hir.Literal(int(node.value), sort=BOOLEAN, span=node.span)

    @resolve.register
    def _text(self, node: rules.Text, wanted: Sort | None) -> hir.Expr:
        return hir.NamedCell(node.value, sort=CELL, span=node.span)

    @resolve.register
    def _negative(self, node: rules.Negative, wanted: Sort | None) -> hir.Expr:
        operand = self.value(node.operand, ANY_INTEGER)
        zero = hir.Literal(0, sort=Integer(0, 0), span=node.span)
        return self.arithmetic("-", zero, operand, node.span)

    @resolve.register
    def _arithmetic(self, node: rules.Arithmetic, wanted: Sort | None) -> hir.Expr:
        left, right = (self.resolve(side, CELLS if isinstance(side, rules.Braces) else wanted)
                       for side in (node.left, node.right))
        if node.operator in "+-" and (left.sort in SETLIKE or right.sort in SETLIKE):
            left, right = self.converted(left, CELLS), self.converted(right, CELLS)
            if UNKNOWN in (left.sort, right.sort):
                return self.unknown(node.span)
            return hir.SetArithmetic(node.operator, left, right, sort=CELLS, span=node.span)
        left, right = self.converted(left, ANY_INTEGER), self.converted(right, ANY_INTEGER)
        return self.arithmetic(node.operator, left, right, node.span)

    def arithmetic(self, operator: str, left: hir.Expr, right: hir.Expr, span: Span) -> hir.Expr:
        """An arithmetic term, with the range of its result."""
        if not isinstance(left.sort, Integer) or not isinstance(right.sort, Integer):
            return self.unknown(span)
        a, b = left.sort, right.sort
        if operator in ("div", "mod") and b.low <= 0 <= b.high:
            self.report("G208", "the divisor can be 0, expected a number that cannot", right.span)
            return self.unknown(span)
        corners = [_CALCULATE[operator](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        if max(map(abs, corners)) > MAX_NUMBER:
            self.report("G113", f"the number can grow past {MAX_NUMBER}", span)
            return self.unknown(span)
        sort = Integer(min(corners), max(corners))
        if operator == "mod" and (a.low < a.high or b.low < b.high):  # of two constants the result is known
            sort = Integer(0, max(abs(b.low), abs(b.high)) - 1) if b.low > 0 else Integer(b.low + 1, 0)
        return hir.Arithmetic(operator, left, right, sort=sort, span=span)

    @resolve.register
    def _conditional(self, node: rules.Conditional, wanted: Sort | None) -> hir.Expr:
        condition = self.condition(node.condition)
        yes, no = self.alike(self.resolve(node.yes, wanted), self.resolve(node.no, wanted), wanted)
        return hir.IfElse(condition, yes, no, sort=join(yes.sort, no.sort), span=node.span)

    def alike(self, yes: hir.Expr, no: hir.Expr, wanted: Sort | None) -> tuple[hir.Expr, hir.Expr]:
        """Convert both branches of a conditional to the same sort where possible."""
        if yes.sort != no.sort and yes.sort in SETLIKE and no.sort in SETLIKE and wanted not in (CELL, PIECE):
            return self.converted(yes, CELLS), self.converted(no, CELLS)
        if {yes.sort, no.sort} == {CELLS, SetOf(PIECE)}:
            return braces.as_cells(self, yes), braces.as_cells(self, no)
        if isinstance(yes.sort, type(NOTHING)) or _is_empty(yes):
            return self.converted(yes, no.sort), no
        return yes, self.converted(no, yes.sort)

    @resolve.register
    def _range(self, node: rules.Range, wanted: Sort | None) -> hir.Expr:
        assert node.high is not None  # the grammar allows open ranges in params only
        low, high = self.value(node.low, ANY_INTEGER), self.value(node.high, ANY_INTEGER)
        if not isinstance(low.sort, Integer) or not isinstance(high.sort, Integer):
            return self.unknown(node.span)
        first, last = low.sort.low, high.sort.high
        if first > last and not self._may_be_empty(node):
            self.report("G209", f"the range {first}..{last} is empty, expected the smaller number first", node.span)
            return self.unknown(node.span)
        return hir.Numbers(low, high, sort=SetOf(Integer(min(first, last), max(first, last))), span=node.span)

    def _may_be_empty(self, node: rules.Range) -> bool:
        """Whether a range is empty for the values of one call or params, and may have numbers for others."""
        return self.scope.called or any(isinstance(part, rules.Name) and part.text in self.world.params
                                        for part in rules.walk(node))

    resolve.add({rules.Name: names.name, rules.That: names.chosen_before, rules.Member: names.member,
                  rules.Index: names.index, rules.Braces: braces.braces, rules.LetIn: lets.let_in,
                 rules.Picked: kinds.picked})

    resolve.add({rules.Negation: conditions.negation, rules.Compare: conditions.comparison,
                  rules.IsIn: conditions.is_in, rules.AllOf: conditions.all_of, rules.AnyOf: conditions.any_of,
                  rules.Quantifier: conditions.quantifier, rules.SetTest: conditions.set_test,
                  rules.Linked: conditions.linked, rules.Cut: conditions.cut, rules.NoMoves: conditions.no_moves})

    # ---- calls

    @resolve.register
    def _call(self, node: rules.Call, wanted: Sort | None) -> hir.Expr:
        name = node.name.text
        if name in self.world.definitions:
            self.world.used.add(name)
            plain = self.plain(node)
            return self.unknown(node.span) if plain is None else expand(
                self, self.world.definitions[name], plain, None, node, wanted)
        function = CALLED.get(name)
        if function is None:
            help_text, suggestion = did_you_mean(name, [*CALLED, *self.world.definitions])
            help_text, suggestion = self._no_function_help(name) or help_text, suggestion
            help_text = help_text or SAYINGS.get(name.lower(), "")
            if not self.world.doubtful(name):
                self.report("G203", f"unknown function '{name}'", node.name.span, help_text, suggestion)
            return self.unknown(node.span)
        if function.needs_rows and not self.world.board.rows_and_columns:
            self.report("G215", f"'{name}' needs a board with rows and columns, found {self.world.board.title}",
                        node.name.span)
            return self.unknown(node.span)
        if function.needs_piles and not self.world.piles:
            if not self.world.doubtful("piles"):
                self.report("G260", f"'{name}' needs piles, expected a declaration such as 'piles up to 5'",
                            node.name.span)
            return self.unknown(node.span)
        if function.needs_tiles and not self.world.tiles:
            if not self.world.doubtful("tiles"):
                self.report("G240", f"'{name}' needs tiles, expected a declaration 'tiles {TILES_PHRASE}:'",
                            node.name.span)
            return self.unknown(node.span)
        if function.needs_right_angles and not self.world.board.right_angles:
            fitting = " or ".join(kind.word for kind in KINDS.values() if kind.right_angles)
            self.report("G215", f"'{name}' needs a {fitting} board, found {self.world.board.title}", node.name.span)
            return self.unknown(node.span)
        return resolved(self, node, function)

    def _no_function_help(self, name: str) -> str:
        """Help for a known name that is called like a function."""
        world = self.world
        shared = name in world.piece_names and world.piece_names[name].by_player is not None
        if name in world.variables or shared:
            return f"write {name}[...] with square brackets"
        if name in (*self.scope.names, *world.board.directions):
            return "a step is written c.north"
        if name in ("mover", "opponent", "own", "players", "pieces"):
            return f"'{name}' is a value by itself: leave out the brackets"
        if name in (*world.piece_names, *world.board.regions, "empty", "occupied", "mine", "theirs"):
            return f"whether a cell is one of them is 'c is {name}'"
        return ""

    def plain(self, node: rules.Call | rules.Index) -> tuple[rules.Expression, ...] | None:
        """The arguments as plain expressions; None, with an error, where one has a `for` or `where`."""
        for argument in node.arguments:
            if argument.loop is not None or argument.guard is not None:
                self.report("G212", f"found 'for' or 'where' in {node.name.text}(...), expected plain values",
                            argument.span)
                return None
        return tuple(argument.value for argument in node.arguments)

    def arity(self, node: rules.Call, least: int, most: int, example: str) -> tuple[rules.Expression, ...] | None:
        """The plain arguments; None, with an error, where there are not `least` to `most` of them."""
        plain = self.plain(node)
        if plain is not None and not least <= len(plain) <= most:
            count = str(least) if least == most else f"{least} to {most}"
            self.report("G216",
                        f"{node.name.text}(...) has {len(plain)} argument{'s' * (len(plain) != 1)}, expected {count}",
                         node.span, SAYINGS.get(node.name.text, f"for instance {example}"))
            return None
        return plain

    def case(self, node: rules.Name | rules.Index) -> hir.Expr:
        """Resolve the case in the brackets of a definition; the name of a piece of each player stands for the pieces of
        all."""
        pieces = self.either(node)
        if pieces is not None:
            return pieces
        name = node.text if isinstance(node, rules.Name) else node.name.text
        self.expected = f"what stands in brackets says for which piece, player or value the case is; a piece is " \
                        f"declared by 'pieces {name} of each'; a parameter stands in round brackets: ({name})"
        try:
            return self.resolve(node, None)
        finally:
            self.expected = ""

    def either(self, node: rules.Expression) -> hir.Expr | None:
        """The pieces of all players for the name of a piece of each; None for any other expression."""
        if not isinstance(node, rules.Name) or node.text in self.scope.names or node.text not in self.world.piece_names:
            return None
        piece = self.world.piece_names[node.text]
        self.world.used.add(piece.name)
        return None if piece.by_player is None else hir.Listing(piece.indices, sort=SetOf(PIECE), span=node.span)


def _is_empty(term: hir.Expr) -> bool:
    """Whether a term is `{}`, which is an empty set of any sort."""
    return isinstance(term, hir.CellSet) and not term.items


def _has_none(sort: Sort) -> bool:
    """Whether `none` can stand where a sort is wanted: it can for a single value, such as a variable's, but not in
    arithmetic."""
    if isinstance(sort, Integer):
        return (sort.low, sort.high) != (ANY_INTEGER.low, ANY_INTEGER.high)
    return not isinstance(sort, SetOf)


_CALCULATE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
