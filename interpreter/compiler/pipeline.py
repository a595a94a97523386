"""The pipeline of IR-to-IR passes of a kernel, and the facts about a game that passes use.

Facts about the rules that IR does not show are computed once, by analyses (`Facts`). Each pass is a function of a
module and some of these facts. Runtime functions, tables and sets of cells that its result refers to, and that the
module does not have yet, are added after it; then the changed functions are verified if that is turned on
(`interpreter.compiler.verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from interpreter.analysis.board_values import BoardValues
from interpreter.compiler import ir
from interpreter.compiler.each import without_loops_over_cells
from interpreter.compiler.lowering.images import Images
from interpreter.compiler.lowering.layout import split
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.passes.beforehand import asked_before_copies
from interpreter.compiler.passes.exclusion import left_early
from interpreter.compiler.passes.gravity import Fall, carried_all_the_way
from interpreter.compiler.passes.images import by_tables
from interpreter.compiler.passes.known_contents import with_contents_known, without_suppositions
from interpreter.compiler.passes.last_move import only_what_came
from interpreter.compiler.passes.late_stuck import seen_late
from interpreter.compiler.passes.one_group import flooded_once
from interpreter.compiler.passes.sharing import with_values_shared, without_lets
from interpreter.compiler.passes.shifts import by_shifts
from interpreter.compiler.passes.sliding_attacks import Tried, along_lines
from interpreter.compiler.passes.splitting import drawn_in_parts
from interpreter.compiler.passes.tables import computed, looked_up
from interpreter.compiler.passes.whole_sets import at_once
from interpreter.compiler.symbols import with_own_names
from interpreter.compiler.verify import verify_step


@attrs.frozen
class Facts:
    """The facts about a game that passes use."""

    sets: Sets
    """Its sets of cells, and the runtime functions, tables and sets of its kernel."""
    players: int = 2
    """The number of players."""
    pieces: int = 3
    """The number of kinds of pieces, empty included."""
    excluded: frozenset[str] = frozenset()
    """The functions that list the moves of rules that have none where an earlier rule has one."""
    late: bool = False
    """Whether it may be left to the next move listing to detect that there is no move."""
    fall: Fall | None = None
    """The pieces that fall by a forced rule; None where no forced rule has this form."""
    images: Images | None = None
    """The symmetries of positions; None where there are none."""
    values: BoardValues | None = None
    """The values that the board determines."""
    tries: tuple[Tried, ...] = ()
    """The functions that try one continuation of a drawn move."""


@attrs.frozen
class Pass:
    """A pass: its name, which is also that of its switch, and its function."""

    name: str
    run: Callable[[ir.Module, Facts], ir.Module]
    off: Callable[[ir.Module, Facts], ir.Module] = lambda module, facts: module
    """Runs instead where the pass is switched off: removes the marks that lowering made for it."""


PIPELINE: Final[Sequence[Pass]] = (
    Pass("splitting", lambda module, facts: drawn_in_parts(module)),
    Pass("tables", lambda module, facts: module if facts.values is None else looked_up(
        module, facts.sets, facts.values), lambda module, facts: module if facts.values is None else computed(
            module, facts.sets, facts.values)),
    Pass("whole_sets", lambda module, facts: at_once(module, facts.sets)),
    Pass("sharing", lambda module, facts: with_values_shared(module),
         lambda module, facts: without_lets(module)),
    Pass("one_group", lambda module, facts: flooded_once(module, facts.sets)),
    Pass("beforehand", lambda module, facts: asked_before_copies(module)),
    Pass("known_contents", lambda module, facts: with_contents_known(module, facts.sets, facts.pieces),
         lambda module, facts: without_suppositions(module)),
    Pass("last_move", lambda module, facts: only_what_came(module, facts.sets, facts.players)),
    Pass("shifts", lambda module, facts: by_shifts(module, facts.sets)),
    Pass("exclusion", lambda module, facts: left_early(module, facts.excluded) if facts.excluded else module),
    Pass("late_stuck", lambda module, facts: seen_late(module) if facts.late else module),
    Pass("gravity", lambda module, facts: module if facts.fall is None else carried_all_the_way(
        module, facts.fall, facts.sets)),
    Pass("sliding_attacks", lambda module, facts: along_lines(module, facts.sets, facts.tries)),
    Pass("images", lambda module, facts: module if facts.images is None else by_tables(module, facts.images)),
)
LOOPS: Final = Pass("loops", lambda module, facts: without_loops_over_cells(module))
"""Required, and without a switch: emitters do not support loops over cells."""


_PASSES: Final = tuple(field.name for field in attrs.fields(Passes))
_LAST: Final = "unused"
"""The pass that comes after hooks."""
STEPS: Final[Sequence[str]] = (
    "lowering", *(name for name in _PASSES if name != _LAST and name not in {step.name for step in PIPELINE}),
    "symbols", *(step.name for step in PIPELINE), LOOPS.name, "hooks", _LAST)
"""The steps that make a kernel, in order: the passes by name, and others. A module can be inspected after each
(`KernelCompiler.until`). Passes before `symbols` act during the lowering of rules, the others on the lowered module."""


def passes_until(step: str) -> Passes:
    """The passes that act up to and including a step."""
    done = STEPS[:STEPS.index(step) + 1]
    return Passes(**{name: name in done for name in _PASSES})


def done_after(step: str, until: str) -> bool:
    """Whether a step acts where the kernel is made up to step `until`; all do where that is ""."""
    return until == "" or STEPS.index(step) <= STEPS.index(until)


def improved(module: ir.Module, facts: Facts, names: Sequence[str], taken: Sequence[str] = (),
             until: str = "") -> ir.Module:
    """Run the passes in `names` on a module, up to a step; `taken` are names that no value in it may have.

    Raises IRError where a pass makes invalid IR.
    """
    for step in (*PIPELINE, LOOPS):
        if done_after(step.name, until):
            before = module
            module = (step.run if step.name in names or step is LOOPS else step.off)(module, facts)
            if module is not before:
                module = completed(module, facts.sets)
                there = {function.name: function for function in before.functions}
                module = with_own_names(module, taken, of={
                    function.name for function in module.functions if function is not there.get(function.name)})
                verify_step(before, module, after=step.name)
    return module


def completed(module: ir.Module, sets: Sets) -> ir.Module:
    """Add to a module all runtime functions, tables and sets that its kernel has by now."""
    tables, library = sets.tables, sets.library
    numbers = tuple(constant for constant in module.constants if constant.name not in sets.constants)
    cells = tuple(ir.Constant(name, tuple(split(result, sets.words)), sets.cells)
                  for name, result in sets.constants.items())
    there = {function.name: function for function in module.functions}
    functions = [there.get(name, function) for name, function in library.functions.items()]
    functions += [function for function in module.functions if function.name not in library.functions]
    arrays = {table.name: table for table in module.tables}
    arrays |= {name: ir.Table(name, tuple(values), ir.ROW if tables.words[name] else ir.LINE)
               for name, values in tables.values.items() if name not in arrays}
    return attrs.evolve(module, constants=(*numbers, *cells), functions=tuple(functions),
                        tables=tuple(arrays[name] for name in sorted(arrays)))
