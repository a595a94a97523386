"""Syntactic proof of symmetries: renames directions, sides, pieces and players in the rules, and compares the result.

`suspects(rules, board, map)` returns the ends, moves and conditions whose renamed form is not among the rules. If there
are none, the symmetry is proved, except for the order in which forced rules and `each` apply, which renaming does not
reveal. A suspect need not break the symmetry, as the same rule can be written in two ways;
`interpreter.analysis.dynamic_checks` then searches for a position that refutes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import attrs

from dsl import hir
from dsl.dispatch import dispatched
from dsl.resolve.sorts import CELL, COURSE, DIRECTION, PIECE, PLAYER, Integer, Kind, Sort
from dsl.words import WORDS
from interpreter.boards import Board
from interpreter.effects import EFFECTS
from interpreter.model.pieces import kinds
from interpreter.model.state_maps import StateMap
from interpreter.words import MEANINGS

Key = tuple[Any, ...]
"""A rule in normal form: nested tuples of strings and numbers. Rules with equal normal forms are equivalent."""


class Unclear(Exception):
    """The image of a part of a rule is not known."""


def suspects(rules: hir.Rules, board: Board,
             element: StateMap) -> list[hir.Move | hir.Forced | hir.End | hir.Condition]:
    """The rules whose image under a symmetry is not among the rules, or not known."""
    plain, mapped = Renaming(rules, board, None), Renaming(rules, board, element)
    groups: list[Iterable[Any]] = [rules.ends, rules.moves, rules.after, rules.illegal, rules.again, rules.passes,
                                     [] if rules.ranking is None else [rules.ranking]]
    result = []
    for group in groups:
        items = list(group)
        keys = {_key_of(item, plain) for item in items}
        for item in items:
            image = _key_of(item, mapped)
            if image is None or image not in keys:
                result.append(item)
    return result


def _key_of(item: hir.Move | hir.Forced | hir.End | hir.Condition, renaming: Renaming) -> Key | None:
    try:
        return renaming.rule(item)
    except Unclear:
        return None


def _sorted(keys: Iterable[Key]) -> Key:
    return tuple(sorted(keys, key=repr))


@attrs.define
class Renaming:
    """Computes normal forms of rules, of their images under `element`, or of the rules themselves where it is None."""

    rules: hir.Rules
    board: Board
    element: StateMap | None

    # ---- rules

    def rule(self, item: hir.Move | hir.Forced | hir.End | hir.Condition) -> Key:
        """The normal form of a rule. Raises Unclear."""
        if isinstance(item, hir.End):
            player = () if item.player is None else self.term(item.player)
            return ("end", item.kind, player, self.term(item.condition.term))
        if isinstance(item, hir.Condition):
            return ("condition", self.term(item.term))
        if isinstance(item, hir.Forced):
            mover = () if item.mover is None else self.term(hir.Literal(item.mover, sort=PLAYER, span=item.span))
            return ("after", mover, self.effects(item.body))
        return ("move", item.is_step, item.is_chance, item.otherwise, self.optional(item.when),
                self.choices(item.choices), self.optional(item.weight), self.effects(item.body))

    def choices(self, choices: Iterable[hir.Choice]) -> Key:
        """The normal form of the choices of a rule."""
        return tuple((choice.slots, self.term(choice.domain), self.optional(choice.guard)) for choice in choices)

    def binding(self, binding: hir.Binding) -> Key:
        """The normal form of a binding."""
        return (binding.slot, self.term(binding.domain), self.optional(binding.guard))

    def effects(self, effects: Iterable[hir.Effect]) -> Key:
        """The normal form of effects, in order."""
        return tuple(self.effect(effect) for effect in effects)

    def effect(self, effect: hir.Effect) -> Key:
        """The normal form of an effect. Raises Unclear."""
        return EFFECTS[type(effect)].image(self, effect)

    def in_any_order(self, terms: Iterable[hir.Expr]) -> Key:
        """The normal forms of terms whose order does not matter, sorted."""
        return _sorted(self.term(term) for term in terms)

    def unclear(self) -> NoReturn:
        """Raise Unclear: the image of a part is not known."""
        raise Unclear

    def turning(self, clockwise: bool) -> bool:
        """The image of a sense of rotation: a mirror reverses it."""
        if self.element is None:
            return clockwise
        directions = self.element.cells.directions
        count = len(directions)
        return clockwise if (directions[1] - directions[0]) % count == 1 else not clockwise

    # ---- terms

    def optional(self, term: hir.Expr | None) -> Key:
        """The normal form of a term that may be absent."""
        return () if term is None else self.term(term)

    def unreversed(self, number: int) -> None:
        """Raise Unclear for a variable whose range the symmetry reverses: renaming does not handle its values."""
        if self.element is not None and number in self.element.reversing:
            raise Unclear

    @dispatched
    def term(self, term: hir.Expr) -> Key:
        """The normal form of a term. Raises Unclear."""
        raise Unclear

    @term.register
    def _literal(self, term: hir.Literal) -> Key:
        value = term.value
        if value is not None and self.element is not None:
            images = {PIECE: self.element.pieces, CELL: self.element.cells.cells,
                      DIRECTION: self.element.cells.directions}
            if term.sort == PLAYER:
                value = self.element.of_player(value)
            elif term.sort == COURSE:
                value = self.course(value)
            elif isinstance(term.sort, Kind):
                value = self.kind(value)
            elif term.sort in images:
                value = images[term.sort][value]
        return ("literal", value)

    def course(self, number: int) -> int:
        """The number of the track that is the image of a track. Raises Unclear where there is none."""
        assert self.element is not None
        images = self.element.cells.cells
        course = self.board.courses[number]
        image = attrs.evolve(course, cells=tuple(images[cell] for cell in course.cells))
        result = next((other for other, course in enumerate(self.board.courses) if course.same_as(image)), None)
        if result is None:
            raise Unclear
        return result

    def kind(self, kind: int) -> int:
        """The image of a kind of piece. Raises Unclear where its pieces become several kinds."""
        assert self.element is not None
        of_pieces = kinds(self.rules)
        images = {of_pieces[self.element.pieces[piece]] for piece, own in enumerate(of_pieces) if own == kind}
        if len(images) != 1:
            raise Unclear
        return images.pop()

    @term.register
    def _named_cell(self, term: hir.NamedCell) -> Key:
        cell = self.board.cell_named(term.name)
        if cell is None:
            raise Unclear
        return ("literal", cell if self.element is None else self.element.cells.cells[cell])

    @term.register
    def _local(self, term: hir.Local) -> Key:
        return ("local", term.slot)

    @term.register
    def _role_term(self, term: hir.Role) -> Key:
        return ("role", term.name)

    @term.register
    def _own_piece(self, term: hir.OwnPiece) -> Key:
        pieces = term.pieces
        if self.element is not None:
            images = [0] * len(pieces)
            for player, piece in enumerate(pieces):
                images[self.element.of_player(player)] = self.element.pieces[piece]
            pieces = tuple(images)
        return ("piece of", self.term(term.player), pieces)

    @term.register
    def _pair(self, term: hir.Pair) -> Key:
        return ("pair", self.term(term.first), self.term(term.second), term.count)

    @term.register
    def _variable(self, term: hir.Variable) -> Key:
        self.unreversed(term.number)
        return ("variable", term.number, self.optional(term.index))

    @term.register
    def _cells_of(self, term: hir.CellsOf) -> Key:
        pieces = term.pieces if self.element is None else tuple(self.element.pieces[piece] for piece in term.pieces)
        return ("cells of", tuple(sorted(pieces)))

    @term.register
    def _cells_holding(self, term: hir.CellsHolding) -> Key:
        return ("cells holding", self.term(term.piece))

    @term.register
    def _owned(self, term: hir.Owned) -> Key:
        return ("owned", term.mine)

    @term.register
    def _region(self, term: hir.Region) -> Key:
        cells = self.board.regions[term.name]
        return ("region", cells if self.element is None else self.element.cells.of_set(cells))

    @term.register
    def _listing(self, term: hir.Listing) -> Key:
        values = term.values
        element = getattr(term.sort, "element", None)
        if self.element is not None:
            if element == DIRECTION:
                values = tuple(self.element.cells.directions[value] for value in values)
            elif element == PLAYER:
                values = tuple(self.element.of_player(value) for value in values)
            elif element == PIECE:
                values = tuple(self.element.pieces[value] for value in values)
            elif isinstance(element, Kind):
                values = tuple(self.kind(value) for value in values)
        return ("listing", tuple(sorted(values)))

    @term.register
    def _numbers(self, term: hir.Numbers) -> Key:
        # `rows` and `columns` have a role; `number` checks that the symmetry keeps their order
        return ("numbers", self.number(term.low), self.number(term.high))

    @term.register
    def _cell_set(self, term: hir.CellSet) -> Key:
        return ("cells", _sorted(self.term(item) for item in term.items))

    @term.register
    def _comprehension(self, term: hir.Comprehension) -> Key:
        return ("those", self.binding(term.binding))

    @term.register
    def _linked(self, term: hir.Linked) -> Key:
        return ("linked", self.term(term.cells), term.layer)

    @term.register
    def _cut(self, term: hir.Cut) -> Key:
        return ("cut", self.term(term.cells), term.variable)

    @term.register
    def _track(self, term: hir.Track) -> Key:
        return ("track", self.term(term.player))

    @term.register
    def _quantified(self, term: hir.Quantified) -> Key:
        return ("quantified", term.kind, term.number, self.binding(term.binding), self.optional(term.body))

    @term.register
    def _only(self, term: hir.Only) -> Key:
        return ("only", self.binding(term.binding), self.optional(term.body))

    @term.register
    def _aggregate(self, term: hir.Aggregate) -> Key:
        return ("aggregate", term.kind, self.binding(term.binding), self.optional(term.body))

    @term.register
    def _closure(self, term: hir.Closure) -> Key:
        return ("closure", self.term(term.start), self.binding(term.binding), self.term(term.body))

    @term.register
    def _cheapest(self, term: hir.Cheapest) -> Key:
        return ("cheapest way", self.term(term.start), self.term(term.goal), self.binding(term.origin),
                self.binding(term.step), self.number(term.cost))

    @term.register
    def _let(self, term: hir.Let) -> Key:
        return ("let", term.slot, self.term(term.value), self.term(term.body))

    @term.register
    def _arithmetic(self, term: hir.Arithmetic) -> Key:
        sides = (self.number(term.left), self.number(term.right))
        return ("arithmetic", term.operator, _sorted(sides) if term.operator in "+*" else sides)

    @term.register
    def _set_arithmetic(self, term: hir.SetArithmetic) -> Key:
        sides = (self.term(term.left), self.term(term.right))
        return ("sets", term.operator, sides if term.operator == "-" else _sorted(sides))

    @term.register
    def _comparison(self, term: hir.Comparison) -> Key:
        if term.operator in ("=", "!="):
            role = _role(term.left) or _role(term.right)
            read: Callable[[hir.Expr], Key] = self.term if not role else lambda side: self.stripe(side, role)
            return ("compare", term.operator, _sorted((read(term.left), read(term.right))))
        return ("compare", term.operator, self.number(term.left), self.number(term.right))

    @term.register
    def _contains(self, term: hir.Contains) -> Key:
        return ("contains", self.term(term.element), self.term(term.collection))

    @term.register
    def _exists(self, term: hir.Exists) -> Key:
        return ("exists", self.term(term.collection))

    @term.register
    def _not(self, term: hir.Not) -> Key:
        return ("not", self.term(term.operand))

    @term.register
    def _all(self, term: hir.All) -> Key:
        return ("all", _sorted(self.term(operand) for operand in term.operands))

    @term.register
    def _any(self, term: hir.Any) -> Key:
        return ("any", _sorted(self.term(operand) for operand in term.operands))

    @term.register
    def _if_else(self, term: hir.IfElse) -> Key:
        return ("if", self.term(term.condition), self.term(term.yes), self.term(term.no))

    @term.register
    def _no_moves(self, term: hir.NoMoves) -> Key:
        return ("no moves", term.anyone)

    @term.register
    def _apply(self, term: hir.Apply) -> Key:
        return MEANINGS[term.function].image(self, term)

    def keeps_lines(self, length: hir.Expr) -> None:
        """Raise Unclear unless lines of a length are mapped to lines, where a game declares paths."""
        if self.board.paths and self.element is not None:
            lines = self.board.lines(length.value or 1) if isinstance(length, hir.Literal) else ()
            if not lines or {self.element.cells.of_set(line) for line in lines} != set(lines):
                raise Unclear

    def keeps_kinds(self) -> None:
        """Raise Unclear unless every kind of piece has an image."""
        if self.element is not None:
            for kind in range(len(hir.kinds_of(self.rules.pieces))):
                self.kind(kind)

    def arguments(self, term: hir.Apply) -> list[Key]:
        """The normal forms of a word's arguments; those whose order does not matter are sorted."""
        word = WORDS[term.function]
        keys = list(map(self.argument, term.arguments, word.arguments))
        first, stop = word.unordered
        return [*keys[:first], _sorted(keys[first:stop]), *keys[stop:]]

    def argument(self, term: hir.Expr, wanted: Sort) -> Key:
        """The normal form of a function's argument: a number is either the name of a row or column, or a quantity."""
        if not isinstance(wanted, Integer):
            return self.term(term)
        return self.stripe(term, wanted.role) if wanted.role else self.number(term)

    # ---- numbers of rows and columns

    def keeps_order(self, role: str) -> None:
        """Raise Unclear unless each row (column) is mapped to itself, as arithmetic on their numbers requires."""
        if self.element is None:
            return
        images = self.element.cells.rows if role == "row" else self.element.cells.columns
        if images is None or list(images) != list(range(len(images))):
            raise Unclear

    def number(self, term: hir.Expr) -> Key:
        """The normal form of a number used in arithmetic or compared by size."""
        role = _role(term)
        if role:
            self.keeps_order(role)
        return self.term(term)

    def stripe(self, term: hir.Expr, role: str) -> Key:
        """The normal form of a number that only names a row or column: the image is the number of the image."""
        if self.element is None:
            return self.term(term)
        images = self.element.cells.rows if role == "row" else self.element.cells.columns
        if images is None:
            raise Unclear
        if isinstance(term, hir.Literal) and term.value is not None:
            if not 0 <= term.value < len(images):
                raise Unclear
            return ("literal", images[term.value])
        if _role(term) != role:
            self.keeps_order(role)
        return self.term(term)


def _role(term: hir.Expr) -> str:
    return term.sort.role if isinstance(term.sort, Integer) else ""
