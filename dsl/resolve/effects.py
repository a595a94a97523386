"""Resolves choices and effects: from rule objects to `hir.Choice` and `hir.Effect`.

`Effects(world, scope, further=...)` resolves the choices and the block of one rule; `dsl.resolve.declarations` creates
one for each move, forced rule and start position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, Label, error
from dsl.dispatch import dispatched
from dsl.resolve import lets, piles, targets
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope, World
from dsl.resolve.sorts import ANY_INTEGER, BOOLEAN, CELL, CELLS, DIRECTION, OPEN, PIECE, UNKNOWN, Integer, Unknown
from dsl.syntax import rules
from dsl.syntax.foreign_syntax import EFFECTS
from dsl.words import CALLED, WORDS

ABOUT_SORTS = frozenset({"G205", "G206"})
"""Codes of errors about a value of the wrong sort."""
_TWO_MOVES = "write two moves, one with 'where P' and the 'then', one with 'where not P' and without it"
_ONE_BY_ONE = "'each' goes through a set by itself; where the player chooses, 'then c in S:' comes after the 'each'"


class Effects:
    """Resolves the choices and effects of one rule; `chosen` collects every chosen name for the notation."""

    def __init__(self, world: World, scope: Scope, *, further: bool, moves: Sequence[str] = ()) -> None:
        self.world = world
        self.moves = moves
        self.terms = ExprResolver(world, scope)
        self.further = further
        self.performing: tuple[str, ...] = ()
        """The named effects whose bodies are being inlined, outermost first."""
        self.chosen: dict[str, hir.Local] = {}
        self.named: dict[str, hir.Expr] = {}
        """Local names that a notation can show, with their terms in the position before the move."""
        self._before: list[hir.Effect] = []
        """The effects that the next block begins with."""

    def choices(self, items: Iterable[rules.Choice | rules.LetClause], *, first: bool = True) -> tuple[hir.Choice, ...]:
        """Resolve choices in order; each sees the names of those before it. `first`: they are made before any effect.
        """
        result: list[hir.Choice] = []
        locals_to_keep: list[tuple[hir.Local, hir.Keep]] = []
        for item in items:
            if isinstance(item, rules.LetClause):
                value = lets.named(self.terms, item.name, item.value)
                local = lets.bind(self.terms, item.name, value)
                keep = lets.kept(local, value)
                if keep is not None:
                    locals_to_keep.append((local, keep))
                if first or keep is None:
                    self.named[item.name.text] = value
                self._guard(result, item)
                continue
            domain, locals_, guard = self.terms.chosen(item)
            self.chosen.update({local.name: local for local in locals_})
            result.append(hir.Choice(tuple(local.slot for local in locals_), tuple(local.name for local in locals_),
                                         domain, guard, span=item.span))
        for local, keep in locals_to_keep:
            self.terms.scope.names[local.name] = local
            self._before.append(keep)
        return tuple(result)

    def _guard(self, choices: list[hir.Choice], item: rules.LetClause) -> None:
        """Add the condition of a local name to the choice before it."""
        if item.guard is None:
            return
        test = self.terms.condition(item.guard)
        if not choices:
            self.terms.report("G253", "'where' after a local name with no choice before it", item.guard.span,
                              "a condition of the whole move stands behind the brackets: 'when P'")
            return
        last = choices[-1]
        guard = test if last.guard is None else hir.All((last.guard, test), sort=BOOLEAN, span=item.guard.span)
        choices[-1] = attrs.evolve(last, guard=guard)

    def block(self, items: Sequence[rules.Effect], *, inside: str = "") -> tuple[hir.Effect, ...]:
        """Resolve the effects of a block; `inside` is what the block belongs to: 'if', 'each', an effect's name, or ''.
        """
        result, self._before = self._before, []
        names = self.terms.scope.names
        self.terms.scope.names = dict(names)
        for number, item in enumerate(items):
            if isinstance(item, rules.LetEffect):
                result += self._let(item)
                continue
            further = self.further or self.performing
            if isinstance(item, (rules.Then, rules.Proceed)) and further and (inside or number < len(items) - 1):
                self.world.report(self._misplaced(item, inside))
                continue
            if isinstance(item, (rules.Assign, rules.Change)) and len(item.targets) > 1:
                each = [self._effect(attrs.evolve(item, targets=(target,))) for target in item.targets]
                result += targets.together(item, each, self.terms.scope)
                continue
            result.append(self._effect(item))
        self.terms.scope.names = names
        return tuple(result)

    def _let(self, item: rules.LetEffect) -> list[hir.Effect]:
        """Bind a name to the end of the block; returns the effect that keeps its value where other effects may change
        it."""
        value = lets.named(self.terms, item.name, item.value)
        local = lets.bind(self.terms, item.name, value)
        keep = lets.kept(local, value)
        if keep is None:
            return []
        self.terms.scope.names[item.name.text] = local
        return [keep]

    def _misplaced(self, item: rules.Then | rules.Proceed, inside: str) -> Diagnostic:
        """The diagnostic for a `then` that is not at the end of the move."""
        if self.performing:
            return error("G218", f"'then' stands in the effect '{self.performing[-1]}', expected it in the move that "
                         "uses the effect", item.span)
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
        target, = item.targets
        guard = None if item.guard is None else self.terms.condition(item.guard)
        variable = self._target_variable(target)
        if variable is not None:
            value = self.terms.value(item.value, variable.sort)
            kind = self.world.variable_kinds[variable.number]
            nothing = isinstance(value, hir.Literal) and value.value is None
            if nothing and not kind.or_none and value.sort != UNKNOWN:
                self.world.report(error("G206", f"'{kind.name}' cannot be none", item.value.span,
                                        help="declare it with 'or none'"))
            return hir.SetVariable(variable.number, variable.index, value, guard, span=item.span)
        cells = self._target_cells(target)
        if isinstance(target, rules.Name) and isinstance(cells, (hir.CellsOf, hir.CellsHolding)):
            piece = self.terms.value(item.value)
            if piece.sort == CELL:
                self.terms.report("G206", "found a cell, expected a piece", item.value.span,
                                  "the cell comes first: 'c := own'")
                return hir.SetPiece(cells, self.terms.unknown(item.value.span), guard, span=item.span)
        piece = self.terms.value(item.value, UNKNOWN if cells.sort == UNKNOWN else PIECE)
        return hir.SetPiece(cells, piece, guard, span=item.span)

    @_effect.register
    def _change(self, item: rules.Change) -> hir.Effect:
        target, = item.targets
        guard = None if item.guard is None else self.terms.condition(item.guard)
        known = len(self.world.diagnostics)
        variable = self._target_variable(target)
        told = len(self.world.diagnostics) > known
        amount = self.terms.value(item.value, ANY_INTEGER)
        name = target.name if isinstance(target, (rules.Index, rules.Call)) else target
        unclear = variable is None and isinstance(name, rules.Name) and self.world.doubtful(name.text)
        if told or unclear:
            return hir.SetVariable(0, None, amount, guard, span=item.span)
        if variable is None or not isinstance(variable.sort, (Integer, Unknown)):
            phrase = f"'{item.operator}' needs a variable with a range, expected for instance score[mover]"
            called = target.name.text if isinstance(target, rules.Call) else ""
            self.world.report(error("G206", phrase, target.span, help=f"write {called}[...] with square brackets"
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
        if isinstance(term, hir.Apply) and WORDS[term.function].stands:
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

    _effect.add({rules.CarryPile: piles.carry_pile, rules.Put: piles.put, rules.Remove: piles.remove})

    @_effect.register
    def _slide(self, item: rules.Slide) -> hir.Effect:
        cells = self.terms.value(item.cells)
        if cells.sort == DIRECTION:
            self.terms.report("G206", "found a direction, expected a set of cells", item.cells.span,
                              "first the cells, then the direction: slide row(r) west")
            return hir.Slide(self.terms.unknown(item.span), self.terms.unknown(item.span), span=item.span)
        if isinstance(item.direction, (rules.Name, rules.Index, rules.Call)):
            direction = self.terms.direction(item.direction)
        else:
            direction = self.terms.value(item.direction, DIRECTION)
        return hir.Slide(self.terms.cells(item.cells), direction, span=item.span)

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
        condition = None if item.when is None else self.terms.inner().condition(item.when)
        choices = self.choices(item.choices, first=False)
        return hir.Then(choices, self.block(item.body), condition, span=item.span)

    @_effect.register
    def _proceed(self, item: rules.Proceed) -> hir.Effect:
        if not self.further:
            self.world.report(error("G218", "'then' makes a choice, which only a move can do", item.span))
        if item.move.text not in self.moves:
            self.world.unknown(item.move, iter(self.moves), "move")
            return hir.Proceed(0, (), item.may_stop, span=item.span)
        given = []
        if self.world.notes is not None:
            self.world.notes.refer(item.given, self.terms.scope)
        for name in item.given:
            local = self.terms.scope.names.get(name.text)
            if isinstance(local, hir.Local) and local.slot not in self.terms.scope.chosen:
                local = None
            if name.text in self.terms.scope.names and not isinstance(local, hir.Local):
                self.terms.report("G254", f"'{name.text}' is a local name, expected a chosen one", name.span,
                                  self._chosen_instead(name.text))
            elif not isinstance(local, hir.Local):
                self.world.unknown(name, iter(self.terms.scope.names), "chosen name")
            else:
                given.append(local)
        condition = None if item.guard is None else self.terms.condition(item.guard)
        return hir.Proceed(self.moves.index(item.move.text), tuple(given), item.may_stop, condition, span=item.span)

    def _chosen_instead(self, name: str) -> str:
        """How to choose what a local name stands for."""
        if name in self.named:
            return f"choose among one: write '{name} in {{E}} where P' in place of 'let {name} = E where P'"
        return f"pass a chosen name; a local one can be chosen as one of one: then {name} in {{...}}:"

    @_effect.register
    def _perform(self, item: rules.Perform) -> hir.Effect:
        """Inline the body of a named effect, resolved anew with its parameters bound to the arguments."""
        world, rule = self.world, self.world.effects.get(item.name.text)
        nothing = hir.If(self.terms.unknown(item.span), (), (), span=item.span)
        if rule is None:
            if item.name.text in {*world.known_names(), *CALLED} or item.name.text in self.terms.scope.names:
                world.report(error("G270", f"'{item.name.text}' is no effect, expected one such as 'c := own'",
                                   item.span))
            else:
                otherwise = EFFECTS.get(item.name.text.lower(), "")
                world.unknown(item.name, iter(world.effects), "effect", otherwise=otherwise)
            return nothing
        if rule.name.text in self.performing:
            circle = " -> ".join([*self.performing, rule.name.text])
            world.report(error("G271", f"the effect '{rule.name.text}' uses itself: {circle}", rule.name.span))
            return nothing
        plain = all(argument.guard is None and argument.loop is None for argument in item.arguments)
        if len(item.arguments) != len(rule.parameters) or not plain:
            shape = f"{rule.name.text}({', '.join(name.text for name in rule.parameters)})"
            phrase = f"the effect '{rule.name.text}' is used with {len(item.arguments)} " \
                     f"argument{'s' * (len(item.arguments) != 1)}, expected {shape}"
            world.report(error("G216", phrase, item.span))
            return nothing
        world.performed.add(rule.name.text)
        arguments = [argument.value for argument in item.arguments]
        values = [self.terms.value(argument) for argument in arguments]
        for index, argument in enumerate(arguments):
            if self._names_a_piece(argument) and not self._fits(item, rule, values):
                values[index] = self.terms.value(argument, PIECE)
        return self._put_in(item, rule, values)

    def _names_a_piece(self, node: rules.Expression) -> bool:
        """Whether an expression is a word that can mean a piece or the cells that hold it."""
        return isinstance(node, rules.Name) and node.text not in self.terms.scope.names and (
            node.text == "empty" or node.text in self.world.piece_names)

    def _fits(self, item: rules.Perform, rule: rules.EffectRule, values: Sequence[hir.Expr]) -> bool:
        """Whether an effect can be inlined with these values without an error about sorts."""
        real, outer = self.world, self.terms
        self.world = attrs.evolve(real, diagnostics=[], reported=set(), used=set(real.used))
        self.terms = ExprResolver(self.world, attrs.evolve(outer.scope, counter=list(outer.scope.counter)))
        self._put_in(item, rule, values)
        result, self.world, self.terms = self.world.diagnostics, real, outer
        return all(problem.code not in ABOUT_SORTS for problem in result)

    def _put_in(self, item: rules.Perform, rule: rules.EffectRule, values: Sequence[hir.Expr]) -> hir.Perform:
        """Inline a named effect's body with its parameters bound."""
        world = self.world
        outer, self.terms = self.terms, ExprResolver(world, self.terms.scope.of_effect())
        slots = []
        for parameter, value in zip(rule.parameters, values, strict=True):
            slots.append(self.terms.scope.bind(parameter, value.sort, world).slot)
            if isinstance(value, hir.Local) and value.slot in outer.scope.chosen:
                self.terms.scope.chosen.add(slots[-1])
        self.performing = (*self.performing, rule.name.text)
        body = self.block(rule.body, inside=rule.name.text)
        self.performing, self.terms = self.performing[:-1], outer
        return hir.Perform(rule.name.text, tuple(slots), tuple(values), body, span=item.span)


def after_rule(world: World, item: rules.AfterRule) -> hir.Forced:
    """Resolve the effects after every move, as a forced rule without choices."""
    effects = Effects(world, Scope(), further=False)
    body = effects.block(item.body)
    return hir.Forced("after every move", (), None, None, body, effects.terms.scope.slots, span=item.span)


def declare_effects(world: World, items: Sequence[rules.EffectRule]) -> None:
    """Fill the world's table of named effects, and resolve each body once, so that mistakes in unused ones are
    reported."""
    for item in items:
        known = world.effects.get(item.name.text)
        if known is not None:
            world.report(error("G201", f"a second effect '{item.name.text}', expected another name", item.name.span,
                               labels=[Label(known.name.span, "the first")]))
            continue
        world.effects[item.name.text] = item
    for item in world.effects.values():
        effects = Effects(world, Scope(), further=False)
        effects.performing = (item.name.text,)
        for parameter in item.parameters:
            effects.terms.scope.bind(parameter, OPEN, world)
        effects.block(item.body, inside=item.name.text)
