"""Assembles a kernel: the functions of the rules, and those around them that are the same for every game.

A kernel is an IR module. Its entry points (`@entry`) take and return rows; `interpreter.kernel.kernel.Kernel` calls
them. `interpreter.semantics.engine` is the reference: `act`, `next_player`, `ends`, `has_move` and `apply` do what its
methods do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.checks.cost_bound import LONG_IN_PLAY, Effort
from dsl.syntax.source import Span
from interpreter.analysis.endings import Endings
from interpreter.analysis.exclusion import excluded
from interpreter.analysis.gravity import direction_of_fall
from interpreter.analysis.termination import descent
from interpreter.boards import Board
from interpreter.compiler import ir
from interpreter.compiler.build import (
    as_number,
    binary,
    compared,
    element,
    expr,
    minus,
    named_number,
    negated,
    plus,
)
from interpreter.compiler.emit import python
from interpreter.compiler.lowering import (
    batch,
    chance,
    history,
    hook_substitution,
    images,
    packing,
    payoffs,
    ranking,
    tiers,
)
from interpreter.compiler.lowering import layout as layout_of
from interpreter.compiler.lowering.dispatch import player_to_move
from interpreter.compiler.lowering.effects import Effects
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.failing import may_fail
from interpreter.compiler.lowering.general import General
from interpreter.compiler.lowering.hook_reading import with_hooks_read
from interpreter.compiler.lowering.layout import Layout, split
from interpreter.compiler.lowering.module_builder import ModuleBuilder, Passes
from interpreter.compiler.lowering.move_forms import VALUES
from interpreter.compiler.lowering.moves import Moves
from interpreter.compiler.lowering.names import DRAW, ENTRIES, GOING, MOVE, MOVER_NAME, POSITION, SEED, TURN, WORK
from interpreter.compiler.lowering.packing import Packing
from interpreter.compiler.lowering.refusals import refuse
from interpreter.compiler.lowering.suppositions import suppose
from interpreter.compiler.lowering.tiers import Tiers
from interpreter.compiler.lowering.turns import go_on_in_order, winner_against, winner_with
from interpreter.compiler.lowering.writer import Writer
from interpreter.compiler.passes.gravity import Fall
from interpreter.compiler.passes.sliding_attacks import Tried
from interpreter.compiler.passes.unused import without_unused
from interpreter.compiler.pipeline import Facts, completed, done_after, improved
from interpreter.compiler.symbols import with_own_names
from interpreter.compiler.verify import verified, verify_rest
from interpreter.errors import RuleError
from interpreter.hooks import Hooks
from interpreter.model import state
from interpreter.model.state_maps import StateMap

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.patterns.matching import Book

_CODE = re.compile(r"G\d+")
"""The form of the codes of diagnostics."""
_MOST_CONDITIONS = 8
"""The most conditions of declared symmetries; each combination of conditions that hold has a group of its own."""
_INLINED_WORDS = 4
"""In kernels whose sets have more words, functions are called instead of inlined, which is faster to compile."""


@attrs.frozen(eq=False)
class Assembled:
    """A kernel as IR, with the sizes that its callers need; compared by identity, so that it is a fast key."""

    module: ir.Module
    layout: Layout
    entry_width: int
    """The length of an entry, in numbers."""
    move_width: int
    """The length of a move, in numbers: its rule, how many values it has, the values."""
    scratch: int
    """The number of rows that the functions work on."""
    packing: Packing
    """How positions are packed."""
    tiers: Tiers
    """Which number the function `tier` gives a position."""
    inlined: bool
    """Whether functions are inlined into their callers; not in large kernels, which would be slow to compile."""
    not_ir: str = ""
    """Why a function is not IR, such as a hook that does more than IR can express; "" where all are."""

    @property
    def failures(self) -> tuple[str, ...]:
        """For each failure its code, or what the kernel has no room for."""
        return self.module.failures

    @cached_property
    def text(self) -> str:
        """The source of the kernel as a Python module."""
        return python.text_of(self.module, inlined=self.inlined)

    def problem(self, code: int, phrase: str, span: Span) -> Exception:
        """The exception for the number of a failure in a row: NotLowered where it is the kernel's own limit."""
        failure = self.failures[code]
        return RuleError(failure, phrase, span) if _CODE.fullmatch(failure) else NotLowered(failure)


class KernelCompiler:
    """Compiles the kernel of one game."""

    def __init__(self, rules: hir.Rules, board: Board, swap: StateMap | None, passes: Passes,
                 maps: Sequence[StateMap] = (), *, endless: bool = False, hooks: Hooks | None = None,
                 game: Game | None = None, patterns: Book | None = None, until: str = "") -> None:
        rules = chance.with_weights_asked(rules)
        if endless:
            rules = attrs.evolve(rules, ends=(), no_moves=rules.no_moves if rules.no_moves == "passes" else "")
        heaviest = max(Effort(rules, board.size).in_play(), key=lambda cost: cost.steps)
        if heaviest.steps > LONG_IN_PLAY:  # nothing would stop it
            raise NotLowered(f"{heaviest.what}, which can take {heaviest.steps:.0e} steps")
        refuse(rules, board.size)
        self.until = until
        """The step of the pipeline after which the module is returned as it is; "" for all steps."""
        self.endless = endless
        """Whether wins and draws do not end a game."""
        self.rules, self.board, self.swap, self.passes, self.maps = rules, board, swap, passes, maps
        self.hooks, self.game, self.patterns = hooks, game, patterns
        defined = {} if hooks is None or not done_after("hooks", until) else {
            hook.point[7:].strip(): hook.name for hook in hooks.hooks if hook.point.startswith("define ")}
        self.program = ModuleBuilder(rules, board, passes, defined)
        if hooks is not None:
            self.program.tables.used |= hooks.names
        self.moves = Moves(self.program)
        self.endings = Endings(rules, lambda term: may_fail(self._terms(POSITION, MOVER_NAME), term),
                               self.program.free)
        self.sets = self.program.sets
        self.players = len(rules.players)
        self.descent = descent(rules, board) if game is None else game.descent
        self.repetition = rules.repetition
        if endless or (self.descent.complete and not any(kind.aside for kind in rules.variables)):
            self.repetition = ""
        """What a repetition does in random games; '' where it does nothing, or cannot happen."""
        self.turns = max((pie.turn + 1 for pie in rules.pies), default=0)
        self.last_turn = max(self.turns, len(rules.order) - 1)
        """The last place in a turn order, or the last turn that is counted for a pie rule."""
        self.packing = Packing.of(self)
        self.not_ir = ""
        """Why hooks cannot be IR; "" where they can, or there are none."""
        self.symmetry_conditions: list[hir.Condition] = []
        """The distinct conditions of the declared symmetries."""
        if game is not None and len(self.maps) > 1:
            self.symmetry_conditions = list(dict.fromkeys(
                symmetry.condition for symmetry, _ in game.declared if symmetry.condition is not None))
        if len(self.symmetry_conditions) > _MOST_CONDITIONS:
            raise NotLowered(f"more than {_MOST_CONDITIONS} conditions of symmetries")
        self.tiers = Tiers.of(self)

    def assembled(self) -> Assembled:
        """Compile the kernel."""
        listing = self.moves.write(asking=False)
        asking = self.moves.write(asking=True)
        acting = self.moves.write_acts()
        self.heads = None if self.lists_by_hand else self.moves.split()
        rules = list(self.moves.functions.values())
        ends = [self._condition_function("illegal", "Whether a rule takes a move back.",
                                         [item.term for item in self.rules.illegal]),
                *ranking.functions(self._terms(POSITION, MOVER_NAME), self.rules), self._next_player(),
                *chance.functions(self), *self._follow(), *self._force(), self._ends()]
        calling = General(self).functions(listing, asking, acting)
        self.images = images.Images(self, self.maps_and_swap)
        self.images.define()
        self._define_settling()
        packing.define(self)
        tiers.define(self)
        batch.define(self)
        if self.repetition:
            history.define(self)
        more = [*self._extra_conditions(), *self._stuck(), self._value(), *payoffs.functions(self), *self._drawing(),
                self._claimed()]
        if self.patterns is not None:
            from interpreter.compiler.lowering import patterns as proposing

            more += proposing.Proposing(self, self.patterns).functions()
        hook_names = hook_substitution.names(self)
        layout = attrs.evolve(self.program.layout, kept=self.program.kept)
        move_width = 2 + max(self.moves.length, 1)
        entry_width = max(VALUES + self.moves.prefix + self.sets.words, move_width)
        names = {"TO_MOVE": layout.to_move, "TURN": layout.turn, "OUTCOME": layout.outcome, "SEATS": layout.seats,
                 "FAILED": layout.failed, "VALUES_FROM": layout.values, "POSITION": layout.position,
                 "WIDTH": layout.width,
                 "CHOICE": VALUES + self.moves.prefix, "GOING": layout_of.GOING, "DRAW": state.DRAW,
                 "NO_NUMBER": layout_of.NO_NUMBER,
                 "MOVE_WIDTH": move_width, "ENTRY_WIDTH": entry_width, "SCRATCH": self._scratch, **hook_names}
        names["PLAYING"] = self._scratch
        module = self._module(names, [*calling, *rules, *ends, *more])
        (width,) = (constant.values[0] for constant in module.constants if constant.name == "WIDTH")
        layout = attrs.evolve(layout, kept=layout.kept + width - layout.width)
        rows = self._scratch
        if self.repetition:
            rows += history.rows_of(layout.width)
            module = attrs.evolve(module, constants=tuple(
                attrs.evolve(constant, values=(rows,)) if constant.name == "PLAYING" else constant
                for constant in module.constants))
        return Assembled(module, layout, entry_width, move_width, rows, self.packing, self.tiers,
                         self.sets.words <= _INLINED_WORDS, self.not_ir)

    def _module(self, names: Mapping[str, int], functions: Sequence[ir.Function]) -> ir.Module:
        """Build the IR module from named numbers, the runtime functions and its own functions, and run the passes."""
        rules = self.rules
        constants = tuple(ir.Constant(name, (value,), ir.INT) for name, value in names.items())
        params = ", ".join(f"{name}={value}" for name, value in rules.params.items())
        doc = f"{rules.title}{f' ({params})' if params else ''}: the kernel that dslgame made of its rules."
        taken = () if self.hooks is None else tuple(self.hooks.names)
        own = ir.Module(doc, constants, (), tuple(functions), tuple(self.program.failures))
        module = completed(own, self.sets)
        if done_after("symbols", self.until):
            module = with_own_names(module, taken)
        on = [name for name, switched_on in attrs.asdict(self.passes).items() if switched_on]
        module = improved(module, self._facts(), on, taken, self.until)
        if self.hooks is not None and done_after("hooks", self.until):
            module, self.not_ir = with_hooks_read(hook_substitution.hooked(self, self.hooks, module))
        if self.passes.unused or done_after("symbols", self.until):
            verified(module)
        return verify_rest(module, without_unused(module)) if self.passes.unused else module

    def _facts(self) -> Facts:
        """The facts of the game that the IR-to-IR passes use."""
        listing = {f"moves_{self.moves.names[number]}" for number in excluded(self.rules, self.program.shapes)}
        way = direction_of_fall(self.rules, self.board)
        fall = None if way is None else Fall(f"force_{self.rules.forced[0].name}", way)
        tried = tuple(Tried(trial.name, trial.emptied) for trial in self.moves.tried)
        return Facts(self.sets, self.players, len(self.rules.pieces), frozenset(listing), self.endings.late, fall,
                     self.images, self.program.values, tried)

    @property
    def _scratch(self) -> int:
        return self.moves.scratch + 3

    # ---- the rules' conditions

    def _terms(self, *parameters: ir.Name) -> ExprLowering:
        return ExprLowering(self.program, Writer([parameter.name for parameter in parameters]))

    def _condition_function(self, name: str, doc: str, conditions: Sequence[hir.Expr]) -> ir.Function:
        """A function that tells whether any of some conditions holds."""
        terms = self._terms(POSITION, MOVER_NAME)
        for condition in conditions:
            terms.writer.add(ir.If(terms.test(condition), (ir.Return(ir.TRUE),)))
        terms.writer.give(ir.FALSE)
        return ir.Function(name, (POSITION, MOVER_NAME), ir.BOOL, doc, terms.writer.body)

    def _next_player(self) -> ir.Function:
        """The function that tells who moves after the mover."""
        terms = self._terms(POSITION, MOVER_NAME)
        for item in self.rules.again:
            terms.writer.add(ir.If(terms.test(item.term), (ir.Return(MOVER_NAME),)))
        if self.rules.order:
            go_on_in_order(terms)
        else:
            terms.writer.give({1: MOVER_NAME, 2: minus(1, MOVER_NAME)}.get(
                self.players, binary("%", plus(MOVER_NAME, 1), self.players)))
        return ir.Function("next_player", (POSITION, MOVER_NAME), ir.INT, "Who moves after the mover.",
                           terms.writer.body)

    def _follow(self) -> list[ir.Function]:
        """The functions that carry out the effects that follow every move; none where there are no such effects."""
        if not self.rules.after:
            return []
        body: list[ir.Statement] = []
        functions = []
        for index, rule in enumerate(self.rules.after, start=1):
            terms = self._terms(POSITION, MOVER_NAME)
            Effects(terms).block(rule.body)
            name = f"after_every_move_{index}"
            functions.append(ir.Function(name, (POSITION, MOVER_NAME), ir.NOTHING, "Effects that follow every move.",
                                         terms.writer.body, span=rule.span))
            mover = MOVER_NAME if rule.mover is None else expr(rule.mover)
            body.append(ir.Evaluate(ir.Call(name, (POSITION, mover), ir.NOTHING)))
        return [*functions, ir.Function("follow", (POSITION, MOVER_NAME), ir.NOTHING,
                                        "The effects that follow every move.", tuple(body))]

    def _force(self) -> list[ir.Function]:
        """The functions that apply forced rules."""
        functions, calls = [], []
        parameters = (POSITION, MOVER_NAME)
        for index, rule in enumerate(self.rules.forced, start=1):
            made = self._forced(f"force_{rule.name}", rule)
            functions.append(made)
            calls.append(ir.If(ir.Call(made.name, parameters, ir.BOOL), (ir.Return(expr(index)),)))
        doc = "Apply the first forced rule that can be; its number, 0 for none."
        return [*functions, ir.Function("force", parameters, ir.INT, doc, (*calls, ir.Return(expr(0))))]

    def _forced(self, name: str, rule: hir.Forced) -> ir.Function:
        """The function that applies a forced rule."""
        terms = self._terms(POSITION, MOVER_NAME)
        writer = terms.writer
        opened = writer.depth
        if rule.until is not None:
            writer.open_if(negated(terms.test(rule.until)))
        if rule.when is not None:
            writer.open_if(terms.test(rule.when))
        loops = []
        for choice in rule.choices:
            loop = terms.choosing(choice)
            loop.__enter__()
            loops.append(loop)
            suppose(terms, [terms.bound_value(slot) for slot in choice.slots], choice)
        Effects(terms).block(rule.body)
        writer.give(ir.TRUE)
        for loop in reversed(loops):
            loop.__exit__()
        writer.close(writer.depth - opened)
        writer.give(ir.FALSE)
        doc = f"Apply the forced rule {rule.name} at its first place, if it can be."
        return ir.Function(name, (POSITION, MOVER_NAME), ir.BOOL, doc, writer.body, span=rule.span)

    def _ends(self) -> ir.Function:
        """The function that tells the outcome after a move."""
        parameters = (POSITION, MOVER_NAME, ENTRIES, WORK)
        terms = self._terms(*parameters)
        self._asked_in_turn(terms, self.endings.first)
        doc = "The outcome by the ends in their order, GOING where none holds."
        return ir.Function("ends", parameters, ir.INT, doc, terms.writer.body)

    def _asked_in_turn(self, terms: ExprLowering, ends: Sequence[hir.End]) -> None:
        for end in ends:
            condition = terms.test(end.condition.term)
            if condition == ir.FALSE:
                continue
            with terms.writer.when(condition):
                if end.player is None:
                    terms.writer.give(DRAW)
                else:
                    who = terms.value(end.player)
                    terms.writer.give((winner_with if end.kind == "win" else winner_against)(terms, who))
            if condition == ir.TRUE:
                return
        terms.writer.give(GOING)

    # ---- passing, swapping, symmetries

    def _extra_conditions(self) -> tuple[ir.Function, ir.Function]:
        """Functions that tell whether the mover may pass, and whether sides may be swapped."""
        passing = [] if self.rules.passing is None else [self.rules.passing.term]
        terms = self._terms(POSITION, MOVER_NAME)
        for index, pie in enumerate(self.rules.pies):
            with terms.writer.when(compared(as_number(element(POSITION, TURN)), "==", pie.turn)):
                if pie.condition is None:
                    terms.writer.give(index)
                else:
                    terms.writer.add(ir.If(terms.test(pie.condition.term), (ir.Return(expr(index)),)))
        terms.writer.give(-1)
        return (self._condition_function("may_pass", "Whether the mover may pass.", passing),
                ir.Function("may_swap", (POSITION, MOVER_NAME), ir.INT,
                            "The pie rule by which sides may be swapped, -1 for none.", terms.writer.body))

    @cached_property
    def swap_map(self) -> int:
        """The number of the symmetry by which pieces swap sides, -1 where none does so."""
        if self.swap is None or all(pie.by_seats for pie in self.rules.pies):
            return -1
        return next(number for number, element in enumerate(self.maps_and_swap) if element.key == self.swap.key)

    @cached_property
    def maps_and_swap(self) -> list[StateMap]:
        """The game's symmetries, and the one by which pieces swap sides."""
        maps = [*self.maps]
        if self.swap is not None and any(not pie.by_seats for pie in self.rules.pies) and all(
                element.key != self.swap.key for element in maps):
            maps.append(self.swap)
        return maps

    def _claimed(self) -> ir.Function:
        """The function that tells which conditions of symmetries hold in a position."""
        terms, group = self._terms(POSITION, MOVER_NAME), named_number("group")
        terms.writer.assign(MOVER_NAME, player_to_move())
        terms.writer.assign(group, 0)
        for index, condition in enumerate(self.symmetry_conditions):
            terms.writer.add(ir.If(terms.test(condition.term), (ir.Update(group, "|", expr(1 << index)),)))
        terms.writer.give(group)
        return ir.Function("claimed", (POSITION,), ir.INT, "Which conditions of symmetries hold, as bits.",
                           terms.writer.body)

    def _define_settling(self) -> None:
        """Add the function that shifts everything on an unbounded board to the beginning of the window."""
        board, sets, program = self.board, self.sets, self.program
        if not board.unbounded:
            program.use("nothing_to_settle", "settle")
            return
        three_axes = board.window.third_axis
        program.use("settled", "settle", size=board.column_count, pieces=len(self.rules.pieces),
                    columns=sets.table("columns", board.columns),
                    sums=sets.table("sums", board.sums) if three_axes else "", three_axes=three_axes,
                    every=program.tables.table("every", split(board.everything, sets.words), words=True),
                    room=board.room, home=board.home, failure=program.failure("G411"))

    def _stuck(self) -> list[ir.Function]:
        """The function that tells the outcome where there is no move, by the ends that depend only on that."""
        if not self.endings.stuck:
            return []
        terms = self._terms(POSITION, MOVER_NAME)
        if self.endings.knows_mover:
            terms.writer.assign(MOVER_NAME, minus(1, player_to_move()))
        self._asked_in_turn(terms, self.endings.stuck)
        return [ir.Function("stuck_ends", (POSITION,), ir.INT,
                            "The outcome where there is no move, GOING where no end says it.", terms.writer.body)]

    def _value(self) -> ir.Function:
        """The function that gives a position's `value`."""
        terms = self._terms(POSITION, MOVER_NAME)
        terms.writer.assign(MOVER_NAME, player_to_move())
        terms.writer.give(0 if self.rules.value is None else terms.value(self.rules.value.term))
        return ir.Function("value", (POSITION,), ir.INT, "The game's value of a position for the player to move.",
                           terms.writer.body)

    def _drawing(self) -> list[ir.Function]:
        """The functions of the game that serve to draw moves without listing them."""
        if self._direct is not None:
            return [ir.Function("draw_in_parts", (POSITION, SEED, ENTRIES, WORK, MOVE), ir.Product((ir.WORD, ir.BOOL)),
                                "Draw a move, each legal one as likely as any other; whether there is one.",
                                self._direct)]
        if self.heads is None:
            return []
        most = expr(self.heads[1])
        return [ir.Function("most_ways", (POSITION,), ir.INT,
                            "The most ways in which a move can go on after its first choices.", (ir.Return(most),))]

    @cached_property
    def _direct(self) -> tuple[ir.Statement, ...] | None:
        """The statements that draw a move where each rule's moves are one set; None where some are not."""
        return None if self.lists_by_hand else self.moves.direct()

    @property
    def draws_directly(self) -> bool:
        """Whether a move is drawn without listing any."""
        return self._direct is not None

    @property
    def draws_by_hook(self) -> bool:
        """Whether a hook draws moves."""
        return self.hooks is not None and not self.rules.illegal and self.rules.ranking is None and any(
            hook.point == "draw" for hook in self.hooks.hooks)

    @property
    def lists_by_hand(self) -> bool:
        """Whether a hook lists the moves of some rule, so that they must be drawn from its list."""
        return self.hooks is not None and any(hook.point == "moves" or hook.point.startswith("move ")
                                              for hook in self.hooks.hooks)

    @property
    def lists_illegal(self) -> bool:
        """Whether illegal moves, which a rule takes back, are listed; not where a hook lists all legal moves."""
        return bool(self.rules.illegal) and not (
            self.hooks is not None and any(hook.point == "moves" for hook in self.hooks.hooks))
