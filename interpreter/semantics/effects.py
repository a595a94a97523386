"""Carrying out effects: each becomes a function that changes a table.

`Effects(evaluator).block(effects)` gives one function for a block. A further choice (`then`) is left out: the engine
makes it, see `interpreter.semantics.engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from dsl import hir
from dsl.dispatch import dispatched
from dsl.resolve.sorts import CELL, Integer
from interpreter.boards import mask_of, members
from interpreter.errors import RuleError
from interpreter.model.piles import Piles
from interpreter.model.state import WorkingState
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.functions import Bound
from interpreter.semantics.piles import carry_pile, moved, put, remove

Action = Callable[[WorkingState, Bound], None]


def code_of_no_piece(piece: hir.Expr) -> str:
    """The code of the failure where a piece to be put is none: that of a cell that is not there, or a value."""
    asked = any(isinstance(part, hir.Apply) and part.function in ("piece", "below") for part in hir.walk(piece))
    return "G401" if asked else "G406"


class Effects:
    """Makes functions of effects for one game on one board."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    @property
    def piles(self) -> Piles:
        """Where states hold what lies in piles; asked in games that have any."""
        assert self.evaluator.piles is not None
        return self.evaluator.piles

    def block(self, effects: Sequence[hir.Effect]) -> Action:
        """One function for effects in sequence, further choices left out."""
        further = (hir.Then, hir.Proceed)
        actions = [self._compile(effect) for effect in effects if not isinstance(effect, further)]
        if len(actions) == 1:
            return actions[0]

        def run(table: WorkingState, bound: Bound) -> None:
            for action in actions:
                action(table, bound)

        return run

    def _guarded(self, guard: hir.Expr | None, action: Action) -> Action:
        if guard is None:
            return action
        test = self.evaluator.compile(guard)

        def run(table: WorkingState, bound: Bound) -> None:
            if test(table, bound):
                action(table, bound)

        return run

    @dispatched
    def _compile(self, effect: hir.Effect) -> Action:
        raise TypeError(f"no action for {type(effect).__name__}")

    @_compile.register
    def _keep(self, effect: hir.Keep) -> Action:
        slot, value = effect.slot, self.evaluator.bound_to(effect.slot, effect.value)

        def run(table: WorkingState, bound: Bound) -> None:
            bound[slot] = value(table, bound)

        return run

    @_compile.register
    def _set_piece(self, effect: hir.SetPiece) -> Action:
        cells, piece, span = self.evaluator.compile(effect.cells), self.evaluator.compile(effect.piece), effect.span
        single, code = effect.cells.sort == CELL, code_of_no_piece(effect.piece)
        piles = self.evaluator.piles

        def run(table: WorkingState, bound: Bound) -> None:
            target = cells(table, bound)
            if target is None:
                raise RuleError("G401", "a piece is put on no cell: a step left the board", span)
            index = piece(table, bound)
            if index is None:
                raise RuleError(code, "the piece of no cell is put somewhere: a step left the board" if code == "G401"
                                else "the piece that is put somewhere is none, expected one that is known", span)
            place = 1 << target if single else target
            table.put(place, index)
            if piles is not None:
                piles.clear(table, place)

        return self._guarded(effect.guard, run)

    @_compile.register
    def _set_variable(self, effect: hir.SetVariable) -> Action:
        evaluator = self.evaluator
        kind = evaluator.rules.variables[effect.number]
        place, value, span = evaluator.place(effect.number, effect.index), evaluator.compile(effect.value), effect.span
        index = None if effect.index is None else evaluator.compile(effect.index)
        low, high = (kind.sort.low, kind.sort.high) if isinstance(kind.sort, Integer) else (None, None)

        def run(table: WorkingState, bound: Bound) -> None:
            result = value(table, bound)
            if result is None:
                if not kind.or_none:
                    raise RuleError("G401", f"'{kind.name}' would become none, but is declared without 'or none'", span)
            elif low is not None and high is not None and not low <= result <= high:
                at = ""
                if index is not None and effect.index is not None:
                    with suppress(RuleError):  # the value fails first, whatever becomes of its place
                        at = f"[{evaluator.show(effect.index, index(table, bound))}]"
                raise RuleError("G402", f"{kind.name}{at} would become {result}, outside its range {low}..{high}", span)
            table.values[place(table, bound)] = None if result is None else int(result)

        return self._guarded(effect.guard, run)

    @_compile.register
    def _carry(self, effect: hir.Carry) -> Action:
        origin, destination = self.evaluator.compile(effect.origin), self.evaluator.compile(effect.destination)
        span, piles = effect.span, self.evaluator.piles

        def run(table: WorkingState, bound: Bound) -> None:
            here, there = origin(table, bound), destination(table, bound)
            if here is None or there is None:
                raise RuleError("G401", "a piece is carried from or to no cell: a step left the board", span)
            piece = table.piece_at(here)
            if piles is not None:
                under = piles.under(table.values, here)
                piles.clear(table, 1 << here)
                piles.cover(table, there, under)
            table.put(1 << here, 0)
            table.put(1 << there, piece)

        return run

    _compile.add({hir.CarryPile: carry_pile, hir.Put: put, hir.Remove: remove})

    @_compile.register
    def _slide(self, effect: hir.Slide) -> Action:
        cells, direction = self.evaluator.compile(effect.cells), self.evaluator.known(effect.direction)
        steps, piles = self.evaluator.board.steps, self.evaluator.piles

        def run(table: WorkingState, bound: Bound) -> None:
            window, way = cells(table, bound), direction(table, bound)

            def target(cell: int) -> int:
                goal = steps[cell][way]
                return goal if goal >= 0 and window >> goal & 1 else -1

            if piles is not None:
                moved(piles, table, window, target)
            held = [holding & window for holding in table.pieces]
            table.put(window, 0)
            for piece, holding in enumerate(held):
                if piece:
                    for cell in members(holding):
                        goal = target(cell)
                        if goal >= 0:
                            table.put(1 << goal, piece)

        return run

    @_compile.register
    def _rotate(self, effect: hir.Rotate) -> Action:
        cells, clockwise, span = self.evaluator.compile(effect.cells), effect.clockwise, effect.span
        board, piles = self.evaluator.board, self.evaluator.piles

        def run(table: WorkingState, bound: Bound) -> None:
            window = cells(table, bound)
            turn = board.turned_within(window, clockwise=clockwise)
            if turn is None:
                phrase = "the set that is turned does not come onto itself, expected one that does"
                raise RuleError("G409", phrase, span)
            if piles is not None:
                moved(piles, table, window, turn.__getitem__)
            held = [holding & window for holding in table.pieces]
            table.put(window, 0)
            for piece, holding in enumerate(held):
                if piece:
                    table.put(mask_of(turn[cell] for cell in members(holding)), piece)

        return run

    @_compile.register
    def _link(self, effect: hir.Link) -> Action:
        evaluator = self.evaluator
        origin, destination = evaluator.compile(effect.origin), evaluator.compile(effect.destination)
        number, there, span = effect.layer, effect.there, effect.span
        layer, names = evaluator.board.layers[number], evaluator.board.names

        def run(table: WorkingState, bound: Bound) -> None:
            here, target = origin(table, bound), destination(table, bound)
            if here is None or target is None:
                raise RuleError("G401", "a link leads to no cell: a step left the board", span)
            link = layer.number(here, target)
            if link < 0:
                raise RuleError("G410", f"{names[here]} and {names[target]} cannot be linked by '{layer.name}'", span)
            if not there:
                table.links[number] &= ~(1 << link)
            elif table.links[number] & layer.crossing[link]:
                raise RuleError("G410", f"the link from {names[here]} to {names[target]} would cross another", span)
            else:
                table.links[number] |= 1 << link

        return run

    @_compile.register
    def _each(self, effect: hir.Each) -> Action:
        values, slot, body = self.evaluator.bound_values(effect.binding), effect.binding.slot, self.block(effect.body)

        def run(table: WorkingState, bound: Bound) -> None:
            for value in list(values(table, bound)):
                bound[slot] = value
                body(table, bound)

        return run

    @_compile.register
    def _perform(self, effect: hir.Perform) -> Action:
        compiled = map(self.evaluator.bound_to, effect.slots, effect.values)
        values = list(zip(effect.slots, compiled, strict=True))
        body = self.block(effect.body)

        def run(table: WorkingState, bound: Bound) -> None:
            for slot, value in values:
                bound[slot] = value(table, bound)
            body(table, bound)

        return run

    @_compile.register
    def _if(self, effect: hir.If) -> Action:
        condition, yes, no = self.evaluator.compile(effect.condition), self.block(effect.yes), self.block(effect.no)

        def run(table: WorkingState, bound: Bound) -> None:
            if condition(table, bound):
                yes(table, bound)
            else:
                no(table, bound)

        return run
