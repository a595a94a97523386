"""Resolving choices and effects: from rule objects to `hir.Choice` and `hir.Effect`.

`Effects(world, scope, further=...)` resolves the choices and the block of one rule; `dsl.resolve.declarations` makes
one for each move, forced rule and start position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, error
from dsl.dispatch import dispatched
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import ANY_INTEGER, CELL, CELLS, DIRECTION, PIECE, UNKNOWN, Integer, Unknown
from dsl.syntax import rules

_TWO_MOVES = "write two moves, one with 'where P' and the 'then', one with 'where not P' and without it"
_ONE_BY_ONE = "'each' goes through a set by itself; where the player chooses, 'then c in S:' comes after the 'each'"


class Effects:
    """Resolves choices and effects of one rule; `chosen` collects every chosen name for the notation."""

    def __init__(self, world: World, scope: Scope, *, further: bool, moves: Sequence[str] = ()) -> None:
        self.world = world
        self.moves = moves
        self.terms = ExprResolver(world, scope)
        self.further = further
        self.chosen: dict[str, hir.Local] = {}

    def choices(self, items: Iterable[rules.Choice]) -> tuple[hir.Choice, ...]:
        """Choices in order; each sees the names of those before it."""
        result = []
        for item in items:
            domain, locals_, guard = self.terms.chosen(item)
            self.chosen.update({local.name: local for local in locals_})
            result.append(hir.Choice(tuple(local.slot for local in locals_), tuple(local.name for local in locals_),
                                         domain, guard, span=item.span))
        return tuple(result)

    def block(self, items: Sequence[rules.Effect], *, inside: str = "") -> tuple[hir.Effect, ...]:
        """The effects of a block; `inside` is the effect that the block belongs to, 'if' or 'each', or ''."""
        result = []
        for number, item in enumerate(items):
            if isinstance(item, (rules.Then, rules.Proceed)) and self.further and (inside or number < len(items) - 1):
                self.world.report(self._misplaced(item, inside))
                continue
            result.append(self._effect(item))
        return tuple(result)

    def _misplaced(self, item: rules.Then | rules.Proceed, inside: str) -> Diagnostic:
        """For a `then` that is not the end of the move."""
        if inside:
            return error("G218", f"'then' stands inside '{inside}', expected it as the last effect of the whole move",
                         item.span, help=_ONE_BY_ONE if inside == "each" else _TWO_MOVES)
        return error("G218", "'then' is not the last effect of the move, expected it at the end", item.span,
                     help="what follows the further choice goes inside it")

    @dispatched
    def _effect(self, item: rules.Effect) -> hir.Effect:
        raise TypeError(f"no resolution for {type(item).__name__}")

    @_effect.register
    def _assign(self, item: rules.Assign) -> hir.Effect:
        guard = None if item.guard is None else self.terms.condition(item.guard)
        variable = self._target_variable(item.target)
        if variable is not None:
            value = self.terms.value(item.value, variable.sort)
            kind = self.world.variable_kinds[variable.number]
            nothing = isinstance(value, hir.Literal) and value.value is None
            if nothing and not kind.or_none and value.sort != UNKNOWN:
                self.world.report(error("G206", f"'{kind.name}' cannot be none", item.value.span,
                                        help="declare it with 'or none'"))
            return hir.SetVariable(variable.number, variable.index, value, guard, span=item.span)
        cells = self._target_cells(item.target)
        if isinstance(item.target, rules.Name) and isinstance(cells, (hir.CellsOf, hir.CellsHolding)):
            piece = self.terms.value(item.value)
            if piece.sort == CELL:
                self.terms.report("G206", "found a cell, expected a piece", item.value.span,
                                  "the cell comes first: 'c := own'")
                return hir.SetPiece(cells, self.terms.unknown(item.value.span), guard, span=item.span)
        piece = self.terms.value(item.value, PIECE)
        return hir.SetPiece(cells, piece, guard, span=item.span)

    @_effect.register
    def _change(self, item: rules.Change) -> hir.Effect:
        guard = None if item.guard is None else self.terms.condition(item.guard)
        known = len(self.world.diagnostics)
        variable = self._target_variable(item.target)
        told = len(self.world.diagnostics) > known
        amount = self.terms.value(item.value, ANY_INTEGER)
        if told:
            return hir.SetVariable(0, None, amount, guard, span=item.span)
        if variable is None or not isinstance(variable.sort, (Integer, Unknown)):
            phrase = f"'{item.operator}' needs a variable with a range, expected for instance score[mover]"
            called = item.target.name.text if isinstance(item.target, rules.Call) else ""
            self.world.report(error("G206", phrase, item.target.span, help=f"write {called}[...] with square brackets"
                                    if called in self.world.variables else ""))
            return hir.SetVariable(0, None, amount, guard, span=item.span)
        value = self.terms.arithmetic(item.operator[0], variable, amount, item.span)
        return hir.SetVariable(variable.number, variable.index, value, guard, span=item.span)

    def _target_variable(self, target: rules.Expression) -> hir.Variable | None:
        name = target if isinstance(target, rules.Name) else target.name if isinstance(target, rules.Index) else None
        if name is None or name.text not in self.world.variables or name.text in self.terms.scope.names:
            return None
        before = set(self.world.used)
        term = self.terms.value(target)
        if name.text not in before:
            self.world.used.discard(name.text)  # setting a variable is not using it
        return term if isinstance(term, hir.Variable) else None

    def _target_cells(self, target: rules.Expression) -> hir.Expr:
        term = self.terms.resolved(target, CELLS) if isinstance(target, rules.Braces) else self.terms.value(target)
        if isinstance(term, hir.Apply) and term.function == "piece":
            self.terms.report("G232", "a piece on a cell cannot be set, expected the cell", target.span,
                              "write 'c := own'")
            return self.terms.unknown(target.span)
        if term.sort == PIECE:
            term = self.terms.cells(target)
        if term.sort not in (CELL, CELLS) and not isinstance(term.sort, Unknown):
            phrase = f"a {term.sort} cannot be set, expected a cell, a set of cells or a variable"
            self.world.report(error("G232", phrase, target.span))
            return attrs.evolve(term, sort=UNKNOWN)
        return term

    @_effect.register
    def _carry(self, item: rules.Carry) -> hir.Effect:
        return hir.Carry(self.terms.value(item.origin, CELL), self.terms.value(item.destination, CELL),
                             span=item.span)

    @_effect.register
    def _slide(self, item: rules.Slide) -> hir.Effect:
        cells = self.terms.value(item.cells)
        if cells.sort == DIRECTION:
            self.terms.report("G206", "found a direction, expected a set of cells", item.cells.span,
                              "first the cells, then the direction: slide row(r) west")
            return hir.Slide(self.terms.unknown(item.span), self.terms.unknown(item.span), span=item.span)
        return hir.Slide(self.terms.cells(item.cells), self.terms.direction(item.direction), span=item.span)

    @_effect.register
    def _rotate(self, item: rules.Rotate) -> hir.Effect:
        ways = ("clockwise", "counterclockwise")
        if item.way.text not in ways:
            self.world.unknown(item.way, iter(ways), "way to turn")
        if not self.world.board.rows_and_columns:
            phrase = f"'turn' needs a board with rows and columns, found {self.world.board.title}"
            self.world.report(error("G215", phrase, item.span))
        return hir.Rotate(self.terms.cells(item.cells), item.way.text == "clockwise", span=item.span)

    @_effect.register
    def _link_effect(self, item: rules.Link) -> hir.Effect:
        return self._link(item, there=True)

    @_effect.register
    def _unlink(self, item: rules.Unlink) -> hir.Effect:
        return self._link(item, there=False)

    def _link(self, item: rules.Link | rules.Unlink, *, there: bool) -> hir.Effect:
        layer = self.world.layers.get(item.layer.text)
        if layer is None:
            self.world.unknown(item.layer, iter(self.world.layers), "kind of link")
        ends = self.terms.value(item.origin, CELL), self.terms.value(item.destination, CELL)
        return hir.Link(*ends, layer or 0, there, span=item.span)

    @_effect.register
    def _each(self, item: rules.Each) -> hir.Effect:
        if item.choice.unordered:
            self.world.report(error("G212", "'each' takes one name at a time, expected 'each c in ...'",
                                    item.choice.span))
        outer, self.terms = self.terms, self.terms.inner()
        binding = self.terms.binding(item.choice)
        body = self.block(item.body, inside="each")
        self.terms = outer
        return hir.Each(binding, body, span=item.span)

    @_effect.register
    def _if(self, item: rules.If) -> hir.Effect:
        condition = self.terms.condition(item.condition)
        yes, no = self.block(item.yes, inside="if"), self.block(item.no, inside="if")
        return hir.If(condition, yes, no, span=item.span)

    @_effect.register
    def _then(self, item: rules.Then) -> hir.Effect:
        if not self.further:
            self.world.report(error("G218", "'then' makes a choice, which only a move can do", item.span,
                                    help="use 'each' for all cells of a set"))
        choices = self.choices(item.choices)
        return hir.Then(choices, self.block(item.body), span=item.span)

    @_effect.register
    def _proceed(self, item: rules.Proceed) -> hir.Effect:
        if not self.further:
            self.world.report(error("G218", "'then' makes a choice, which only a move can do", item.span))
        if item.move.text not in self.moves:
            self.world.unknown(item.move, iter(self.moves), "move")
            return hir.Proceed(0, (), item.may_stop, span=item.span)
        given = []
        for name in item.given:
            local = self.terms.scope.names.get(name.text)
            if not isinstance(local, hir.Local):
                self.world.unknown(name, iter(self.terms.scope.names), "chosen name")
            else:
                given.append(local)
        return hir.Proceed(self.moves.index(item.move.text), tuple(given), item.may_stop, span=item.span)
