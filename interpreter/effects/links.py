"""The effect on links: links two cells, or removes their link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.analysis.change import Change
from interpreter.compiler import ir
from interpreter.compiler.build import any_of, binary, bit, call, compared, element, inverted, plus
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects


class _Link(EffectMeaning[hir.Link]):
    """`link c to d by bridge`, `unlink ...`."""

    def action(self, effects: Effects, effect: hir.Link) -> Action:
        evaluator = effects.evaluator
        origin, destination = evaluator.compile(effect.origin), evaluator.compile(effect.destination)
        number, there, span = effect.layer, effect.there, effect.span
        layer, names = evaluator.board.layers[number], evaluator.board.names

        def link_cells(table: WorkingState, bound: Bound) -> None:
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

        return link_cells

    def write(self, effects: EffectsLowering, effect: hir.Link) -> None:
        terms, writer, program = effects.terms, effects.writer, effects.program
        here, there, none = effects.ends(effect.origin, effect.destination)
        if none:
            terms.fail("G401", any_of(none))
            here, there = (call("max", cell, 0, gives=ir.INT) for cell in (here, there))
        link = writer.let("link", effects.sets.called(program.link_number(effect.layer), here, there))
        terms.fail("G410", compared(link, "<", 0))
        writer.open_if(compared(link, ">=", 0))
        start = program.layout.links[effect.layer]
        place = element(terms.row, plus(start, binary(">>", link, 6)))
        own = bit(binary("&", link, 63))
        if effect.there:
            terms.fail("G410", effects.sets.called(program.crossed(effect.layer), terms.row, link))
            writer.update(place, "|", own)
        else:
            writer.update(place, "&", inverted(own))
        writer.close()

    def image(self, renaming: Renaming, effect: hir.Link) -> Key:
        ends = renaming.in_any_order((effect.origin, effect.destination))
        return ("link", *ends, effect.layer, effect.there)

    def change(self, watch: Watch, effect: hir.Link) -> Change:
        return Change()

    def move(self, look: Look, effect: hir.Link, certain: bool) -> None:
        """No piece moves."""


EFFECTS = {hir.Link: _Link()}
