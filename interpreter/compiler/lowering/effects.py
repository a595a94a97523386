"""Lowering effects: each becomes statements that change the row that a kernel's function works on.

What `interpreter.semantics.effects` does, these statements must do. A failure of a rule is noted in the row and the
function goes on with something harmless, so that it needs no way out; the interpreter says what failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import hir
from dsl.dispatch import dispatched
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, Integer
from interpreter.compiler import ir
from interpreter.compiler.build import (
    NO_BITS,
    all_of,
    any_of,
    as_word,
    binary,
    bit,
    call,
    compared,
    element,
    expr,
    has_bit,
    inverted,
    known,
    minus,
    negated,
    plus,
    times,
)
from interpreter.compiler.library import Given
from interpreter.compiler.lowering import numbers, piles
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.passes.known_contents import NO_PIECE
from interpreter.semantics.effects import code_of_no_piece

_MOST_CHOSEN = 4096
"""Numbers of which `each` can note which meet its condition; each 64 take a word."""


class Effects:
    """Lowers the effects of one function."""

    def __init__(self, terms: ExprLowering) -> None:
        self.terms = terms
        self.program = terms.program
        self.writer = terms.writer
        self.sets = terms.sets

    def block(self, effects: Sequence[hir.Effect]) -> None:
        """Write effects in sequence, further choices left out."""
        for effect in effects:
            if not isinstance(effect, (hir.Then, hir.Proceed)):
                self._lower(effect)

    def _lower(self, effect: hir.Effect) -> None:
        """Write one effect; what is known of cells does not outlive what may or may not happen."""
        sure = isinstance(effect, (hir.SetPiece, hir.Carry, hir.SetVariable, hir.Link, hir.Keep)) and (
            getattr(effect, "guard", None) is None)
        if not sure:
            self._forget()
        self._write(effect)
        if not sure:
            self._forget()

    def _forget(self) -> None:
        """Nothing is known of cells any more."""
        self.terms.contents.forget()

    @dispatched
    def _write(self, effect: hir.Effect) -> None:
        raise NotLowered(f"the effect {type(effect).__name__}")

    @_write.register
    def _keep(self, effect: hir.Keep) -> None:
        terms = self.terms
        terms.keep(effect.slot, effect.value, effect.name)

    # ---- pieces

    @_write.register
    def _set_piece(self, effect: hir.SetPiece) -> None:
        terms, writer = self.terms, self.writer
        condition = ir.TRUE if effect.guard is None else terms.test(effect.guard)
        if condition == ir.FALSE:
            return
        if condition != ir.TRUE:
            writer.open_if(condition)
        if effect.cells.sort == CELL:
            cell = terms.value(effect.cells)
            if terms.may_be_none(effect.cells):
                cell = terms.name(cell, "cell")
                terms.fail("G401", compared(cell, "<", 0))
                writer.open_if(compared(cell, ">=", 0))
                self._put(terms.name(cell, "cell"), self.piece(effect.piece), single=True)
                piles.clear(self, cell, single=True)
                writer.close()
                self._forget()  # what was noted may name what has a value only in the branch
            else:
                cell = terms.name(cell, "cell")
                self._put(cell, self.piece(effect.piece), single=True)
                piles.clear(self, cell, single=True)
        else:
            cells = terms.name(terms.cells(effect.cells), "cells")
            self._put(cells, self.piece(effect.piece), single=False)
            piles.clear(self, cells, single=False)
        if condition != ir.TRUE:
            writer.close()
        writer.forget()

    def piece(self, piece: hir.Expr) -> ir.Expr:
        """A piece that is put somewhere; a failure is noted where it is none."""
        terms = self.terms
        value = terms.value(piece)
        if terms.may_be_none(piece):
            value = terms.name(value, "piece")
            terms.fail(code_of_no_piece(piece), compared(value, "<", 0))
            value = call("max", value, 0, gives=ir.INT)
        return terms.name(value, "piece")

    def _put(self, cells: ir.Expr, piece: ir.Expr, *, single: bool) -> None:
        """Put a piece on one cell, or on every cell of a set."""
        words, count, row = self.sets.words, len(self.program.rules.pieces), self.terms.row
        if not single:
            self._forget()
        elif self.terms.contents.on:
            before = self.terms.contents.holding.get(cells)
            self.terms.contents.put_on(cells, piece)
            if before == piece:
                return
            if before is not None:
                self._exchange(cells, before, piece)
                return
        number = known(piece)
        if single and number is not None and count <= 4 and words == 1:
            there = self.writer.let("bit", bit(cells))
            for other in range(count):
                if other != number:
                    self.writer.update(element(row, other), "&", inverted(there))
            self.writer.update(element(row, number), "|", there)
            return
        name = self.program.library.put("put" if single else "put_all", pieces=count)
        self.writer.evaluate(self.sets.called(name, row, cells, piece))

    def _exchange(self, cell: ir.Expr, before: ir.Expr, piece: ir.Expr) -> None:
        """Put a piece on a cell on which another is known to stand."""
        words, row, writer = self.sets.words, self.terms.row, self.writer
        if words == 1:
            there = writer.let("bit", bit(cell))
            writer.update(element(row, before), "^", there)
            writer.update(element(row, piece), "|", there)
            return
        there = writer.let("bit", bit(binary("&", cell, 63)))
        part = writer.let("part", binary(">>", cell, 6))
        writer.update(element(row, plus(times(before, words), part)), "^", there)
        writer.update(element(row, plus(times(piece, words), part)), "|", there)

    @_write.register
    def _carry(self, effect: hir.Carry) -> None:
        terms, writer = self.terms, self.writer
        here, there = (terms.name(terms.value(part), wish) for part, wish in
                       ((effect.origin, "here"), (effect.destination, "there")))
        tests = [compared(cell, "<", 0) for cell, part in ((here, effect.origin), (there, effect.destination))
                 if terms.may_be_none(part)]
        if tests:
            terms.fail("G401", any_of(tests))
            writer.open_if(negated(any_of(tests)))
        terms.contents.recall(here, effect.origin)
        terms.contents.recall(there, effect.destination)
        piece = terms.contents.holding.get(here)
        if piece is None:
            piece = writer.let("piece", self.sets.called(self.program.piece_function(), terms.row, here))
        piles.carry_covered(self, here, there)
        self._put(here, NO_PIECE, single=True)
        self._put(there, piece, single=True)
        if tests:
            writer.close()
            self._forget()  # what was noted may name what has a value only in the branch
        writer.forget()

    @_write.register
    def _slide(self, effect: hir.Slide) -> None:
        terms = self.terms
        window = terms.name(terms.cells(effect.cells), "window")
        way = terms.known(effect.direction)
        name = self.program.library.put(
            "slide", steps=self.sets.steps_table(), directions=len(terms.board.directions),
            pieces=len(terms.rules.pieces))
        way = terms.name(way, "way")
        piles.slide_covered(self, window, way)
        self.writer.evaluate(self.sets.called(name, terms.row, window, way))
        self.writer.forget()

    @_write.register
    def _rotate(self, effect: hir.Rotate) -> None:
        terms, board, tables = self.terms, self.terms.board, self.program.tables
        window = terms.name(terms.cells(effect.cells), "window")
        (a, b), (c, d) = board.kind.matrices[board.kind.turn]
        if not effect.clockwise:  # the inverse: the determinant is 1
            a, b, c, d = d, -b, -c, a
        low_x, low_y = (min(point[axis] for point in board.points) for axis in (0, 1))
        wide = max(point[1] for point in board.points) - low_y + 1
        high = max(point[0] for point in board.points) - low_x + 1
        grid = [-1] * (wide * high)
        for cell, (x, y) in enumerate(board.points):
            grid[(x - low_x) * wide + y - low_y] = cell
        given: dict[str, Given] = {
            "xs": tables.table("point_x", [point[0] for point in board.points]),
            "ys": tables.table("point_y", [point[1] for point in board.points]),
            "from_x": a, "from_y": b, "to_x": c, "to_y": d, "low_x": low_x, "low_y": low_y, "high": high, "wide": wide,
            "cell_of": tables.table("cell_of_point", grid)}
        name = self.program.library.put(
            "turn", "turn_clockwise" if effect.clockwise else "turn_counterclockwise", pieces=len(terms.rules.pieces),
            **given)
        piles.turn_covered(self, window, **given)
        terms.fail("G409", negated(self.sets.called(name, terms.row, window)))
        self.writer.forget()

    _write.add({hir.CarryPile: piles.carry_pile, hir.Put: piles.put, hir.Remove: piles.remove})

    # ---- links

    @_write.register
    def _link(self, effect: hir.Link) -> None:
        terms, writer, program = self.terms, self.writer, self.program
        here, there = (terms.name(terms.value(part), wish) for part, wish in
                       ((effect.origin, "here"), (effect.destination, "there")))
        none = [compared(cell, "<", 0) for cell, part in ((here, effect.origin), (there, effect.destination))
                if terms.may_be_none(part)]
        if none:
            terms.fail("G401", any_of(none))
            here, there = (call("max", cell, 0, gives=ir.INT) for cell in (here, there))
        link = writer.let("link", self.sets.called(program.link_number(effect.layer), here, there))
        terms.fail("G410", compared(link, "<", 0))
        writer.open_if(compared(link, ">=", 0))
        start = program.layout.links[effect.layer]
        place = element(terms.row, plus(start, binary(">>", link, 6)))
        own = bit(binary("&", link, 63))
        if effect.there:
            terms.fail("G410", self.sets.called(program.crossed(effect.layer), terms.row, link))
            writer.update(place, "|", own)
        else:
            writer.update(place, "&", inverted(own))
        writer.close()
        writer.forget()

    # ---- variables

    @_write.register
    def _set_variable(self, effect: hir.SetVariable) -> None:
        terms, writer = self.terms, self.writer
        kind = terms.rules.variables[effect.number]
        condition = ir.TRUE if effect.guard is None else terms.test(effect.guard)
        if condition == ir.FALSE:
            return
        if condition != ir.TRUE:
            writer.open_if(condition)
        value = terms.value(effect.value, kind.sort)
        if effect.value.sort == BOOLEAN and isinstance(effect.value, (hir.Comparison,)):
            value = ir.Conditional(terms.test(effect.value), expr(1), expr(0))
        value = terms.name(value, "value")
        none = terms.may_be_none(effect.value)
        fails = 0  # a variable never has a value that it cannot have: what reads it would read beyond a table
        if none and not kind.or_none:
            fails += self.unless("G401", compared(value, "==", terms.none_of(kind.sort)))
        if isinstance(kind.sort, Integer):
            low, high = kind.sort.low, kind.sort.high
            plain = known(value)
            if plain is None:
                outside = any_of([compared(value, "<", low), compared(value, ">", high)])
                some = compared(value, "!=", terms.none_of(kind.sort))
                fails += self.unless("G402", all_of([outside, some]) if none else outside)
            elif not low <= plain <= high:
                fails += self.unless("G402", ir.TRUE)
        place = numbers.place(terms, effect.number, effect.index)
        writer.assign(element(terms.row, place), as_word(value))
        writer.close(fails)
        if condition != ir.TRUE:
            writer.close()
        writer.forget()

    def unless(self, code: str, condition: ir.Expr) -> int:
        """Note a failure where a condition holds, and open the block of what is done otherwise; 1, a block."""
        self.writer.open_if(condition)
        self.terms.fail(code)
        self.writer.otherwise()
        return 1

    # ---- control

    @_write.register
    def _each_write(self, effect: hir.Each) -> None:
        terms, writer = self.terms, self.writer
        binding = effect.binding
        if binding.guard is not None and binding.domain.sort == CELLS:
            # All elements are found before the first effect.
            comprehension = hir.Comprehension(binding, sort=CELLS, span=effect.span)
            before = terms.bound.get(binding.slot)
            found = terms.name(terms.cells(comprehension), "found")
            slot = _free_slot(terms)
            terms.bound[slot] = Bound(found)
            domain: hir.Expr = hir.Local(slot, "found", sort=CELLS, span=effect.span)
            bare = hir.Binding(binding.slot, binding.name, domain, None)
            self._each(bare, effect.body)
            del terms.bound[slot]
            if before is not None:
                terms.bound[binding.slot] = before
        elif binding.guard is not None:
            self._each_listed(effect)
        else:
            self._each(binding, effect.body)
        writer.forget()

    def _each(self, binding: hir.Binding, body: Sequence[hir.Effect]) -> None:
        terms = self.terms
        if binding.domain.sort == CELLS:
            cells = terms.name(terms.cells(binding.domain), "cells")
            slot = _free_slot(terms)
            terms.bound[slot] = Bound(cells)
            domain: hir.Expr = hir.Local(slot, "cells", sort=CELLS, span=binding.domain.span)
            binding = hir.Binding(binding.slot, binding.name, domain, None)
        self.writer.forget()
        with terms.each(binding):
            self.block(body)
            self.writer.forget()

    def _each_listed(self, effect: hir.Each) -> None:
        """Effects for listed values with a condition: those that hold are noted in a word first."""
        terms, writer, binding = self.terms, self.writer, effect.binding
        low, many = 0, 0
        match binding.domain:
            case hir.Listing(values=values):
                low, many = min(values), max(values) - min(values) + 1
            case hir.Numbers(low=first, high=last):
                assert isinstance(first.sort, Integer)
                assert isinstance(last.sort, Integer)
                low, many = first.sort.low, last.sort.high - first.sort.low + 1
        if many > _MOST_CHOSEN:
            raise NotLowered(f"'each' with a condition over more than {_MOST_CHOSEN} numbers")
        chosen = [writer.let("chosen", NO_BITS) for _ in range(0, many, 64)]

        def place_of(value: ir.Expr) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
            place = terms.name(minus(value, low) if low else value, "place")
            return place, binary(">>", place, 6), binary("&", place, 63)

        with terms.each(binding) as value:
            _, part, within = place_of(value)
            for number, name in enumerate(chosen):
                noted = ir.Update(name, "|", bit(within))
                writer.add(noted if len(chosen) == 1 else ir.If(compared(part, "==", number), (noted,)))
        bare = hir.Binding(binding.slot, binding.name, binding.domain, None)
        writer.forget()
        with terms.each(bare) as value:
            _, part, within = place_of(value)
            tests = [has_bit(name, within) for name in chosen]
            terms.guard(tests[0] if len(chosen) == 1 else any_of([
                all_of([compared(part, "==", number), test]) for number, test in enumerate(tests)]))
            self.block(effect.body)
            writer.forget()

    @_write.register
    def _perform(self, effect: hir.Perform) -> None:
        terms = self.terms
        given = []
        for value in effect.values:
            found = terms.cells(value) if value.sort == CELLS else terms.value(value)
            none = value.sort != CELLS and terms.may_be_none(value)
            given.append(Bound(terms.name(found, effect.name), none, value.sort))
        before = {slot: terms.bound.get(slot) for slot in effect.slots}
        terms.bound.update(zip(effect.slots, given, strict=True))
        self.block(effect.body)
        for slot, bound in before.items():
            if bound is None:
                del terms.bound[slot]
            else:
                terms.bound[slot] = bound

    @_write.register
    def _if(self, effect: hir.If) -> None:
        writer = self.writer
        condition = self.terms.test(effect.condition)
        if isinstance(condition, ir.Literal):
            self.block(effect.yes if condition.value else effect.no)
            return
        writer.open_if(condition)
        self.block(effect.yes)
        if effect.no:
            writer.otherwise()
            writer.forget()
            self._forget()
            # What the first branch changed, the condition's values are still those before it.
            self.block(effect.no)
        writer.close()
        writer.forget()


def _free_slot(terms: ExprLowering) -> int:
    """A slot that no rule uses, for a set of the compiler's own."""
    slot = 10_000
    while slot in terms.bound:
        slot += 1
    return slot

