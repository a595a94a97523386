"""Lowering effects: each becomes lines that change the row that a kernel's function works on.

What `interpreter.semantics.effects` does, these lines must do. A failure of a rule is noted in the row and the function
goes on with something harmless, so that the text needs no way out; the interpreter says what failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import hir
from dsl.dispatch import dispatched
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, Integer
from interpreter.kernel import numbers
from interpreter.kernel.dependence import Bound
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.terms import Terms
from interpreter.semantics.effects import code_of_no_piece

_MOST_CHOSEN = 4096
"""Numbers of which `each` can note which meet its condition; each 64 take a word."""


class Effects:
    """Lowers the effects of one function."""

    def __init__(self, terms: Terms) -> None:
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
        sure = isinstance(effect, (hir.SetPiece, hir.Carry, hir.SetVariable, hir.Link)) and (
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

    # ---- pieces

    @_write.register
    def _(self, effect: hir.SetPiece) -> None:
        terms, writer = self.terms, self.writer
        condition = "True" if effect.guard is None else terms.test(effect.guard)
        if condition == "False":
            return
        if condition != "True":
            writer.open(f"if {condition}:")
        if effect.cells.sort == CELL:
            cell = terms.value(effect.cells)
            if terms.may_be_none(effect.cells):
                cell = terms.name(cell, "cell")
                terms.fail("G401", f"{cell} < 0")
                writer.open(f"if {cell} >= 0:")
                self._put(terms.name(cell, "cell"), self._piece(effect.piece), single=True)
                writer.close()
            else:
                self._put(terms.name(cell, "cell"), self._piece(effect.piece), single=True)
        else:
            cells = terms.name(terms.cells(effect.cells), "cells")
            self._put(cells, self._piece(effect.piece), single=False)
        if condition != "True":
            writer.close()
        writer.forget()

    def _piece(self, piece: hir.Expr) -> str:
        terms = self.terms
        text = terms.value(piece)
        if terms.may_be_none(piece):
            text = terms.name(text, "piece")
            terms.fail(code_of_no_piece(piece), f"{text} < 0")
            text = f"max({text}, 0)"
        return text if text.isdigit() else terms.name(text, "piece")

    def _put(self, cells: str, piece: str, *, single: bool) -> None:
        """Put a piece on one cell, or on every cell of a set."""
        words, count, row = self.sets.words, len(self.program.rules.pieces), self.terms.row
        if not single:
            self._forget()
        elif self.program.passes.contents:
            before = self.terms.contents.holding.get(cells)
            self.terms.contents.put_on(cells, piece)
            if before == piece:
                return
            if before is not None:
                bit = self.writer.fresh("bit")
                if words == 1:
                    self.writer.line(f"{bit} = ONE << {cells}")
                    self.writer.line(f"{row}[{before}] ^= {bit}")
                    self.writer.line(f"{row}[{piece}] |= {bit}")
                    return
                part = self.writer.fresh("part")
                self.writer.line(f"{bit} = ONE << ({cells} & 63)")
                self.writer.line(f"{part} = {cells} >> 6")
                self.writer.line(f"{row}[{before} * {words} + {part}] ^= {bit}")
                self.writer.line(f"{row}[{piece} * {words} + {part}] |= {bit}")
                return
        if single:
            if piece.isdigit() and count <= 4 and words == 1:
                bit = self.writer.fresh("bit")
                self.writer.line(f"{bit} = ONE << {cells}")
                for other in range(count):
                    if other != int(piece):
                        self.writer.line(f"{row}[{other}] &= ~{bit}")
                self.writer.line(f"{row}[{piece}] |= {bit}")
                return
            self.writer.line(f"{self._put_one()}({row}, {cells}, {piece})")
            return
        self.writer.line(f"{self._put_all()}({row}, {cells}, {piece})")

    def _put_one(self) -> str:
        """The function that puts a piece on a cell."""
        return self.program.library.put("put", pieces=len(self.program.rules.pieces))

    def _put_all(self) -> str:
        """The function that puts a piece on every cell of a set."""
        return self.program.library.put("put_all", pieces=len(self.program.rules.pieces))

    @_write.register
    def _(self, effect: hir.Carry) -> None:
        terms, writer = self.terms, self.writer
        here, there = (terms.name(terms.value(part), wish) for part, wish in
                       ((effect.origin, "here"), (effect.destination, "there")))
        tests = [f"{text} < 0" for text, part in ((here, effect.origin), (there, effect.destination))
                 if terms.may_be_none(part)]
        if tests:
            terms.fail("G401", " or ".join(tests))
            writer.open(f"if not ({' or '.join(tests)}):")
        if self.program.passes.contents:
            terms.contents.recall(here, effect.origin)
            terms.contents.recall(there, effect.destination)
        piece = terms.contents.holding.get(here, "")
        if not piece:
            piece = writer.fresh("piece")
            writer.line(f"{piece} = {self.program.piece_function()}({terms.row}, {here})")
        self._put(here, "0", single=True)
        self._put(there, piece, single=True)
        if tests:
            writer.close()
        writer.forget()

    @_write.register
    def _(self, effect: hir.Slide) -> None:
        terms = self.terms
        window = terms.name(terms.cells(effect.cells), "window")
        way = terms.known(effect.direction)
        name = self.program.library.put(
            "slide", steps=self.sets.steps_table(), directions=len(terms.board.directions),
            pieces=len(terms.rules.pieces))
        self.writer.line(f"{name}({terms.row}, {window}, {way})")
        self.writer.forget()

    @_write.register
    def _(self, effect: hir.Rotate) -> None:
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
        name = self.program.library.put(
            "turn", "turn_clockwise" if effect.clockwise else "turn_counterclockwise", pieces=len(terms.rules.pieces),
            xs=tables.table("point_x", [point[0] for point in board.points]),
            ys=tables.table("point_y", [point[1] for point in board.points]),
            from_x=a, from_y=b, to_x=c, to_y=d, low_x=low_x, low_y=low_y, high=high, wide=wide,
            cell_of=tables.table("cell_of_point", grid))
        terms.fail("G409", f"not {name}({terms.row}, {window})")
        self.writer.forget()

    # ---- links

    @_write.register
    def _(self, effect: hir.Link) -> None:
        terms, writer, program = self.terms, self.writer, self.program
        here, there = (terms.name(terms.value(part), wish) for part, wish in
                       ((effect.origin, "here"), (effect.destination, "there")))
        none = [f"{text} < 0" for text, part in ((here, effect.origin), (there, effect.destination))
                if terms.may_be_none(part)]
        if none:
            terms.fail("G401", " or ".join(none))
            here, there = f"max({here}, 0)", f"max({there}, 0)"
        link = writer.fresh("link")
        writer.line(f"{link} = {program.link_number(effect.layer)}({here}, {there})")
        terms.fail("G410", f"{link} < 0")
        writer.open(f"if {link} >= 0:")
        start = program.layout.links[effect.layer]
        place = f"{terms.row}[{start} + ({link} >> 6)]"
        if effect.there:
            terms.fail("G410", f"{program.crossed(effect.layer)}({terms.row}, {link})")
            writer.line(f"{place} |= ONE << ({link} & 63)")
        else:
            writer.line(f"{place} &= ~(ONE << ({link} & 63))")
        writer.close()
        writer.forget()

    # ---- variables

    @_write.register
    def _(self, effect: hir.SetVariable) -> None:
        terms, writer = self.terms, self.writer
        kind = terms.rules.variables[effect.number]
        condition = "True" if effect.guard is None else terms.test(effect.guard)
        if condition == "False":
            return
        if condition != "True":
            writer.open(f"if {condition}:")
        value = terms.value(effect.value, kind.sort)
        if effect.value.sort == BOOLEAN and isinstance(effect.value, (hir.Comparison,)):
            value = f"(1 if {terms.test(effect.value)} else 0)"
        value = terms.name(value, "value")
        none = terms.may_be_none(effect.value)
        fails = 0  # a variable never has a value that it cannot have: what reads it would read beyond a table
        if none and not kind.or_none:
            fails += self._unless("G401", f"{value} == {terms.none_of(kind.sort)}")
        if isinstance(kind.sort, Integer):
            low, high = kind.sort.low, kind.sort.high
            if value.lstrip("-").isdigit():
                if not low <= int(value) <= high:
                    fails += self._unless("G402", "True")
            else:
                outside = f"{value} < {low} or {value} > {high}"
                fails += self._unless("G402", f"({outside}) and {value} != NO_NUMBER" if none else outside)
        place = numbers.place(terms, effect.number, effect.index)
        writer.line(f"{terms.row}[{place}] = word({value})")
        writer.close(fails)
        if condition != "True":
            writer.close()
        writer.forget()

    def _unless(self, code: str, condition: str) -> int:
        """Note a failure where a condition holds, and open the block of what is done otherwise; 1, a block."""
        self.writer.open(f"if {condition}:")
        self.terms.fail(code)
        self.writer.otherwise()
        return 1

    # ---- control

    @_write.register
    def _(self, effect: hir.Each) -> None:
        terms, writer = self.terms, self.writer
        binding = effect.binding
        if binding.guard is not None and binding.domain.sort == CELLS:
            # All elements are found before the first effect.
            comprehension = hir.Comprehension(binding, sort=CELLS, span=effect.span)
            before = terms.bound.get(binding.slot)
            found = terms.name(terms.cells(comprehension), "found")
            slot = _free_slot(terms)
            terms.bound[slot] = Bound(found)
            domain: hir.Expr = hir.Local(slot, found, sort=CELLS, span=effect.span)
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
            domain: hir.Expr = hir.Local(slot, cells, sort=CELLS, span=binding.domain.span)
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
        chosen = [writer.fresh("chosen") for _ in range(0, many, 64)]
        for name in chosen:
            writer.line(f"{name} = EMPTY")
        with terms.each(binding) as value:
            place = self.terms.name(f"{value} - {low}" if low else value, "place")
            for number, name in enumerate(chosen):
                bit = f"{name} |= ONE << ({place} & 63)"
                writer.line(bit if len(chosen) == 1 else f"if {place} >> 6 == {number}:")
                if len(chosen) > 1:
                    writer.line(f"    {bit}")
        bare = hir.Binding(binding.slot, binding.name, binding.domain, None)
        writer.forget()
        with terms.each(bare) as value:
            place = self.terms.name(f"{value} - {low}" if low else value, "place")
            tests = [f"({name} >> ({place} & 63)) & ONE != EMPTY" for name in chosen]
            terms.guard(f"({tests[0]})" if len(chosen) == 1 else "(" + " or ".join(
                f"({place} >> 6 == {number} and {test})" for number, test in enumerate(tests)) + ")")
            self.block(effect.body)
            writer.forget()

    @_write.register
    def _(self, effect: hir.If) -> None:
        writer = self.writer
        condition = self.terms.test(effect.condition)
        if condition in ("True", "False"):
            self.block(effect.yes if condition == "True" else effect.no)
            return
        writer.open(f"if {condition}:")
        self.block(effect.yes)
        if effect.no:
            writer.otherwise()
            writer.forget()
            self._forget()
            # What the first branch changed, the condition's values are still those before it.
            self.block(effect.no)
        writer.close()
        writer.forget()


def _free_slot(terms: Terms) -> int:
    """A slot that no rule uses, for a set of the compiler's own."""
    slot = 10_000
    while slot in terms.bound:
        slot += 1
    return slot

