"""Resolving expressions: from rule objects to terms with sorts.

`ExprResolver(world, scope)` resolves the expressions of one rule. What is wanted at a place is passed down, so that
`red` is a piece where a piece is wanted and the cells that hold it where a set is. Every mistake is reported once and
gives a term of unknown sort, which fits everywhere. Functions of the language are in the table at the end.

Long because every form of expression has its method here, and they call each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import attrs

from dsl import hir
from dsl.boards import KINDS
from dsl.diagnostics import did_you_mean, error
from dsl.dispatch import dispatched
from dsl.resolve.functions import as_choice, resolved
from dsl.resolve.scope import TILES_PHRASE, PieceName, Scope, World
from dsl.resolve.sort_help import conversion_help, is_in_help
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    DIRECTION,
    LAYER,
    NETWORK,
    NOTHING,
    OPEN,
    PIECE,
    PLAYER,
    UNKNOWN,
    Direction,
    Enumerated,
    Integer,
    Player,
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

_LISTED = (Player, Direction, Enumerated)
"""Sorts whose values can be listed in braces, {north, east}; pieces only where they cannot mean the cells they hold."""
_ORDER = ("<", "<=", ">", ">=")
MAX_NUMBER = 10**30
"""The largest number that rules can reach."""
MAX_RANGE = 100_000
"""How many numbers there can be to choose from."""


class ExprResolver:
    """Resolves the expressions of one rule in its scope."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world = world
        self.scope = scope

    # ---- what callers use

    def value(self, node: rules.Expression, wanted: Sort | None = None) -> hir.Expr:
        """A term for an expression, converted to the wanted sort where that can be done; else reported."""
        term = self._resolve(node, wanted)
        return term if wanted is None else self.converted(term, wanted)

    def resolved(self, node: rules.Expression, wanted: Sort | None) -> hir.Expr:
        """A term for an expression, not converted; what is wanted only says how to read a name."""
        return self._resolve(node, wanted)

    def condition(self, node: rules.Expression) -> hir.Expr:
        """A term that is true or false."""
        if isinstance(node, rules.Constant) and node.value is None:
            self.report("G206", "found a none, expected a condition", node.span)
            return self.unknown(node.span)
        return self.value(node, BOOLEAN)

    def cells(self, node: rules.Expression) -> hir.Expr:
        """A term that is a set of cells."""
        return self.value(node, CELLS)

    def domain(self, node: rules.Expression, *, most: int = MAX_RANGE) -> tuple[hir.Expr, Sort]:
        """What a bound name ranges over, at most so many numbers, and the sort of its values."""
        if isinstance(node, rules.Name) and node.text in ("rows", "columns") and node.text in self.world.params:
            term = self._builtin(node, None)  # a param may be called so: `param rows = 6`; only its set can be meant
        else:
            term = self._resolve(node, None)
        if term.sort == CELL or term.sort == PIECE:
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
        """Bind the names of a choice in this scope: what they range over, the names, and their condition.

        Where it depends on the position which of several fixed sets they range over, they range over all of these, and
        the condition says which.
        """
        domain, sort = self.domain(choice.domain)
        names = [self.scope.bind(name, sort, self.world) for name in choice.names]
        self.scope.chosen.update(local.slot for local in names)
        guard = None if choice.guard is None else self.condition(choice.guard)
        leaves = list(_leaves(domain))
        if len(leaves) == 1 or not all(isinstance(leaf, hir.Listing) for leaf in leaves):
            return domain, names, guard
        values = {value for leaf in leaves if isinstance(leaf, hir.Listing) for value in leaf.values}
        tests = [_contains(local, domain, choice.domain.span) for local in names]
        tests += [] if guard is None else [guard]
        condition = hir.All(tuple(tests), sort=BOOLEAN, span=choice.domain.span)
        return hir.Listing(tuple(sorted(values)), sort=domain.sort, span=domain.span), names, condition

    def inner(self) -> ExprResolver:
        """For a part with bound names of its own."""
        return type(self)(self.world, self.scope.inner())

    def direction(self, node: rules.Name | rules.Index | rules.Call) -> hir.Expr:
        """A direction by name, or what stands for one: a bound name, a variable, a definition or `opposite(d)`."""
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
        if local is not None:
            return self.converted(attrs.evolve(local, span=node.span), DIRECTION)
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
        """Report an error; inside a definition with parameters, also the call that gives them their sorts."""
        self.world.report(error(code, phrase, span, help=help_text, suggestion=suggestion, labels=self.scope.calls))

    def unknown(self, span: Span) -> hir.Expr:
        """The term of what was reported: its sort fits everywhere."""
        return hir.Literal(None, sort=UNKNOWN, span=span)

    # ---- conversion

    def converted(self, term: hir.Expr, wanted: Sort) -> hir.Expr:
        """A term as the wanted sort where that can be done; else reported."""
        found = term.sort
        if isinstance(found, Unknown) or isinstance(wanted, Unknown):
            return term
        if wanted == NETWORK and found != NETWORK:
            return self.converted(term, CELLS)
        if wanted == CELLS and found == PIECE:
            if isinstance(term, hir.Literal) and term.value is not None:
                return hir.CellsOf((term.value,), sort=CELLS, span=term.span)
            return hir.CellsHolding(term, sort=CELLS, span=term.span)
        if wanted == CELLS and found == CELL:
            return hir.CellSet((term,), sort=CELLS, span=term.span)
        if isinstance(found, type(NOTHING)) and _has_none(wanted):
            return attrs.evolve(term, sort=wanted)
        if isinstance(wanted, SetOf) and wanted != CELLS and _is_empty(term):
            return hir.Listing((), sort=wanted, span=term.span)
        if fits(found, wanted):
            return term
        self.report("G206", f"found a {found}, expected a {wanted}", term.span, conversion_help(found, wanted))
        return self.unknown(term.span)

    # ---- dispatch on the expression's class

    @dispatched
    def _resolve(self, node: rules.Expression, wanted: Sort | None) -> hir.Expr:
        raise TypeError(f"no resolution for {type(node).__name__}")

    @_resolve.register
    def _(self, node: rules.Number, wanted: Sort | None) -> hir.Expr:
        return hir.Literal(node.value, sort=Integer(node.value, node.value), span=node.span)

    @_resolve.register
    def _(self, node: rules.Constant, wanted: Sort | None) -> hir.Expr:
        if node.value is None:
            return hir.Literal(None, sort=NOTHING, span=node.span)
        return hir.Literal(int(node.value), sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Text, wanted: Sort | None) -> hir.Expr:
        return hir.NamedCell(node.value, sort=CELL, span=node.span)

    @_resolve.register
    def _(self, node: rules.Name, wanted: Sort | None) -> hir.Expr:
        local = self.scope.names.get(node.text)
        if local is not None:
            return attrs.evolve(local, span=node.span)
        world = self.world
        if node.text in world.declared:
            world.used.add(node.text)
        if node.text in world.params:
            number = world.params[node.text]
            return hir.Literal(number, sort=Integer(number, number), span=node.span)
        if node.text in world.definitions:
            return expand(self, world.definitions[node.text], (), None, node, wanted)
        if node.text in world.variables:
            return self._variable(node, None, node.span)
        if node.text in world.piece_names:
            return self._piece(world.piece_names[node.text], node, wanted)
        if node.text in world.players:
            return hir.Literal(world.players.index(node.text), sort=PLAYER, span=node.span)
        if node.text in world.words:
            sort, index = world.words[node.text]
            return hir.Literal(index, sort=sort, span=node.span)
        if node.text in world.enumerations:
            enumerated = world.enumerations[node.text]
            return hir.Listing(tuple(range(len(enumerated.values))), sort=SetOf(enumerated), span=node.span)
        if node.text in world.graph_cells:
            return hir.Literal(world.graph_cells[node.text], sort=CELL, span=node.span)
        if node.text in world.layers:
            return hir.Literal(world.layers[node.text], sort=LAYER, span=node.span)
        return self._builtin(node, wanted)

    def _builtin(self, node: rules.Name, wanted: Sort | None) -> hir.Expr:
        world, span = self.world, node.span
        board = world.board
        if node.text in board.regions:
            return hir.Region(node.text, sort=CELLS, span=span)
        if node.text in board.directions:
            return hir.Literal(board.directions.index(node.text), sort=DIRECTION, span=span)
        if node.text in board.direction_sets:
            indices = tuple(board.directions.index(name) for name in board.direction_sets[node.text])
            return hir.Listing(indices, sort=SetOf(DIRECTION), span=span)
        everything = tuple(range(1, len(world.pieces)))
        match node.text:
            case "empty" if wanted == PIECE:
                return hir.Literal(0, sort=PIECE, span=span)
            case "empty":
                return hir.CellsOf((0,), sort=CELLS, span=span)
            case "occupied":
                return hir.CellsOf(everything, sort=CELLS, span=span)
            case "mine" | "theirs" | "mover" | "opponent" | "own" if self.scope.nobody:
                self.report("G235", f"found '{node.text}' in {self.scope.nobody}, where nobody moves, "
                            "expected a piece or a player by name", span)
                return self.unknown(span)
            case "mine" | "theirs":
                return hir.Owned(node.text == "mine", sort=CELLS, span=span)
            case "mover":
                return hir.Role("mover", sort=PLAYER, span=span)
            case "opponent":
                if len(world.players) != 2:
                    if world.doubtful("players"):
                        return self.unknown(span)
                    self.report("G214", f"'opponent' needs exactly two players, found {len(world.players)}", span)
                    return self.unknown(span)
                return hir.Role("opponent", sort=PLAYER, span=span)
            case "own":
                return self._own(node, wanted)
            case "players":
                return hir.Listing(tuple(range(len(world.players))), sort=SetOf(PLAYER), span=span)
            case "track" if world.tiles:
                self.report("G211", "'track' is one for each player, expected track[...]", span,
                            "for instance track[mover]")
                return self.unknown(span)
            case "tiles" if world.tiles:
                return hir.Listing(world.tiles, sort=SetOf(PIECE), span=span)
            case "pieces":
                world.used.update(world.piece_names)
                return hir.Listing(everything, sort=SetOf(PIECE), span=span)
            case "boolean":
                return hir.Listing((0, 1), sort=SetOf(BOOLEAN), span=span)
            case "rows" | "columns" if board.rows_and_columns:
                count = world.row_count if node.text == "rows" else world.column_count
                role = node.text[:-1]
                low, high = (hir.Literal(n, sort=Integer(n, n), span=span) for n in (0, count - 1))
                return hir.Numbers(low, high, sort=SetOf(Integer(0, count - 1, role)), span=span)
        world.unknown(node, bound=self.scope.names)
        return self.unknown(span)

    def _own(self, node: rules.Name, wanted: Sort | None) -> hir.Expr:
        """The piece of the mover: every player must own exactly one."""
        world = self.world
        owned = [[i for i, piece in enumerate(world.pieces) if i and piece.owner == p]
                 for p in range(len(world.players))]
        for player, pieces in zip(world.players, owned, strict=True):
            if len(pieces) == 1:
                continue
            if world.doubtful("pieces") or world.doubtful("players"):
                return self.unknown(node.span)
            names = ", ".join(world.pieces[i].name for i in pieces)
            found = f"the pieces of {player} are {names}" if pieces else f"there is no piece of {player}"
            shared = [f"{name}[mover]" for name, piece in world.piece_names.items() if piece.by_player is not None][:4]
            several = f"name the piece: {' or '.join(shared)}" if shared else "name the piece, or declare 'man of each'"
            self.report("G308", f"'own' is ambiguous: {found}, expected exactly one piece for each player", node.span,
                        several if pieces else "give each player a piece: pieces red of Red, ...")
            return self.unknown(node.span)
        mover = hir.Role("mover", sort=PLAYER, span=node.span)
        return hir.OwnPiece(mover, tuple(pieces[0] for pieces in owned), sort=PIECE, span=node.span)

    def _piece(self, piece: PieceName, node: rules.Name, wanted: Sort | None) -> hir.Expr:
        if len(piece.indices) == 1 and wanted != CELLS:
            return hir.Literal(piece.indices[0], sort=PIECE, span=node.span)
        if wanted == PIECE:
            self.report("G308", f"'{piece.name}' is ambiguous: each player has one, expected one player's", node.span,
                         f"write {piece.name}[mover] or {piece.name}[{self.world.players[0]}]")
            return self.unknown(node.span)
        return hir.CellsOf(piece.indices, sort=CELLS, span=node.span)

    @_resolve.register
    def _(self, node: rules.That, wanted: Sort | None) -> hir.Expr:
        found = self.scope.those.get(node.name.text)
        if found is None:
            name = node.name.text
            self.report("G207", f"'that {name}' refers to nothing, expected 'exactly one {name} in ...' before it",
                        node.span)
            return self.unknown(node.span)
        return attrs.evolve(found, span=node.span)

    @_resolve.register
    def _(self, node: rules.Negation, wanted: Sort | None) -> hir.Expr:
        return hir.Not(self.condition(node.operand), sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Negative, wanted: Sort | None) -> hir.Expr:
        operand = self.value(node.operand, ANY_INTEGER)
        zero = hir.Literal(0, sort=Integer(0, 0), span=node.span)
        return self.arithmetic("-", zero, operand, node.span)

    @_resolve.register
    def _(self, node: rules.Arithmetic, wanted: Sort | None) -> hir.Expr:
        left = self._resolve(node.left, wanted)
        right = self._resolve(node.right, wanted)
        setlike = (CELLS, CELL, PIECE)
        if node.operator in "+-" and (left.sort in setlike or right.sort in setlike):
            left, right = self.converted(left, CELLS), self.converted(right, CELLS)
            if UNKNOWN in (left.sort, right.sort):
                return self.unknown(node.span)
            return hir.SetArithmetic(node.operator, left, right, sort=CELLS, span=node.span)
        left, right = self.converted(left, ANY_INTEGER), self.converted(right, ANY_INTEGER)
        return self.arithmetic(node.operator, left, right, node.span)

    def arithmetic(self, operator: str, left: hir.Expr, right: hir.Expr, span: Span) -> hir.Expr:
        """A calculation, with the range its result lies in."""
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
        if operator == "mod":
            sort = Integer(0, max(abs(b.low), abs(b.high)) - 1) if b.low > 0 else Integer(b.low + 1, 0)
        return hir.Arithmetic(operator, left, right, sort=sort, span=span)

    @_resolve.register
    def _(self, node: rules.Compare, wanted: Sort | None) -> hir.Expr:
        left = self._resolve(node.left, None)
        if left.sort == PIECE and (either := self._either(node.right)) is not None and node.operator not in _ORDER:
            test: hir.Expr = hir.Contains(left, either, sort=BOOLEAN, span=node.span)
            return test if node.operator == "=" else hir.Not(test, sort=BOOLEAN, span=node.span)
        right = self._resolve(node.right, left.sort)
        if left.sort != right.sort and right.sort == PIECE and isinstance(node.left, rules.Name):
            left = self._resolve(node.left, PIECE)
        if left.sort == NETWORK:
            left = self.converted(left, CELLS)
        if right.sort == NOTHING and self._on_a_chosen_cell(left):
            self.report("G206", "what stands on a chosen cell is never none, expected 'empty'", node.right.span,
                        "that nothing stands there is 'c is empty'", "empty")
            return self.unknown(node.span)
        if node.operator in _ORDER:
            left, right = self.converted(left, ANY_INTEGER), self.converted(right, ANY_INTEGER)
        elif isinstance(left.sort, type(NOTHING)):
            left = self.converted(left, right.sort)
        else:
            right = self.converted(right, left.sort)
        return hir.Comparison(node.operator, left, right, sort=BOOLEAN, span=node.span)

    def _on_a_chosen_cell(self, term: hir.Expr) -> bool:
        """Whether a term is `piece(c)` of a cell that was chosen from a set, which is never none."""
        match term:
            case hir.Apply(function="piece", arguments=(hir.Local(name=name, slot=slot),)):
                return name in self.scope.names and slot in self.scope.chosen
        return False

    @_resolve.register
    def _(self, node: rules.IsIn, wanted: Sort | None) -> hir.Expr:
        element = self._resolve(node.element, None)
        if isinstance(element.sort, Unknown):
            collection = self._resolve(node.collection, None)
            if element.sort == UNKNOWN and not isinstance(collection.sort, SetOf):
                return self.unknown(node.span)  # what is asked for is not known
            if not isinstance(collection.sort, SetOf):
                collection = self.converted(collection, CELLS)
        elif element.sort == CELL:
            collection = self.converted(self._resolve(node.collection, CELLS), CELLS)
        else:
            collection = self._resolve(node.collection, SetOf(element.sort))
            if collection.sort != UNKNOWN and element.sort != UNKNOWN and not (
                isinstance(collection.sort, SetOf) and fits(element.sort, collection.sort.element)
            ):
                phrase = f"found a {element.sort} in a {collection.sort}, expected a cell in a set of cells or a " \
                         "value in a set of its sort"
                if not isinstance(collection.sort, SetOf) and element.sort != PIECE:
                    shown = "none" if collection.sort == NOTHING else f"a {collection.sort}"
                    phrase = f"found {shown} after 'is' or 'in', expected a set"
                elif element.sort == PIECE:
                    phrase = "found a piece before 'is' or 'in', expected a cell"
                none = "that there is nothing is 'c.north = none' of a cell, 'no S' of a set"
                self.report("G206", phrase, node.span, none if collection.sort == NOTHING else is_in_help(element.sort))
                return self.unknown(node.span)
        test = _contains(element, collection, node.span)
        return hir.Not(test, sort=BOOLEAN, span=node.span) if node.negated else test

    @_resolve.register
    def _(self, node: rules.AllOf, wanted: Sort | None) -> hir.Expr:
        first = self._resolve(node.operands[0], wanted)
        if isinstance(first.sort, Unknown):  # sets or conditions: nobody knows
            for operand in node.operands[1:]:
                self._resolve(operand, None)
            return self.unknown(node.span)
        if first.sort in (CELLS, CELL) or (first.sort == PIECE and wanted != BOOLEAN):
            result = self.converted(first, CELLS)
            for operand in node.operands[1:]:
                result = hir.SetArithmetic("and", result, self.cells(operand), sort=CELLS, span=node.span)
            return result
        rest = [self._condition_after(before, operand) for before, operand in pairwise(node.operands)]
        return hir.All((self.converted(first, BOOLEAN), *rest), sort=BOOLEAN, span=node.span)

    def _condition_after(self, before: rules.Expression, operand: rules.Expression) -> hir.Expr:
        """A condition after `and` or `or`; a value after a condition was probably meant to go on with it."""
        inner = operand.operand if isinstance(operand, rules.Negation) else operand
        term = self._resolve(inner, BOOLEAN)
        help_text = ""
        if isinstance(before, rules.SetTest) and term.sort in (CELLS, CELL, PIECE):
            help_text = f"'{before.kind} (S and T)' with brackets tests what is in both sets"
        elif isinstance(before, (rules.IsIn, rules.Compare)) and (
                term.sort in (CELLS, CELL, PIECE, PLAYER) or isinstance(term.sort, Integer)):
            help_text = "'and' and 'or' join whole conditions: 'c is top or c is bottom', 'n = 1 or n = 2'"
        if help_text:
            self.report("G206", f"found a {term.sort}, expected a condition", term.span, help_text)
            return self.unknown(term.span)
        term = self.converted(term, BOOLEAN)
        return hir.Not(term, sort=BOOLEAN, span=operand.span) if inner is not operand else term

    @_resolve.register
    def _(self, node: rules.AnyOf, wanted: Sort | None) -> hir.Expr:
        first = self.condition(node.operands[0])
        rest = [self._condition_after(before, operand) for before, operand in pairwise(node.operands)]
        if wanted != BOOLEAN and UNKNOWN in (first.sort, *(term.sort for term in rest)):
            return self.unknown(node.span)
        return hir.Any((first, *rest), sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Conditional, wanted: Sort | None) -> hir.Expr:
        condition = self.condition(node.condition)
        yes, no = self.alike(self._resolve(node.yes, wanted), self._resolve(node.no, wanted), wanted)
        return hir.IfElse(condition, yes, no, sort=join(yes.sort, no.sort), span=node.span)

    def alike(self, yes: hir.Expr, no: hir.Expr, wanted: Sort | None) -> tuple[hir.Expr, hir.Expr]:
        """Two terms of which one is taken, converted to the same sort where that can be done."""
        setlike = (CELLS, CELL, PIECE)
        if yes.sort != no.sort and yes.sort in setlike and no.sort in setlike and wanted not in (CELL, PIECE):
            return self.converted(yes, CELLS), self.converted(no, CELLS)
        if isinstance(yes.sort, type(NOTHING)) or _is_empty(yes):
            return self.converted(yes, no.sort), no
        return yes, self.converted(no, yes.sort)

    @_resolve.register
    def _(self, node: rules.Range, wanted: Sort | None) -> hir.Expr:
        assert node.high is not None  # the grammar allows open ranges in params only
        low, high = self.value(node.low, ANY_INTEGER), self.value(node.high, ANY_INTEGER)
        if not isinstance(low.sort, Integer) or not isinstance(high.sort, Integer):
            return self.unknown(node.span)
        if low.sort.low > high.sort.high:
            phrase = f"the range {low.sort.low}..{high.sort.high} is empty, expected the smaller number first"
            self.report("G209", phrase, node.span)
            return self.unknown(node.span)
        return hir.Numbers(low, high, sort=SetOf(Integer(low.sort.low, high.sort.high)), span=node.span)

    @_resolve.register
    def _(self, node: rules.Member, wanted: Sort | None) -> hir.Expr:
        base = self._resolve(node.base, None)
        if base.sort == PIECE and self.world.tiles:
            side = self.direction(node.name)
            return self.unknown(node.span) if side.sort == UNKNOWN else hir.Apply(
                "side", (base, side), sort=PLAYER, span=node.span)
        if base.sort == CELLS and isinstance(node.name, rules.Name) and node.name.text in ("count", "size", "length"):
            self.report("G206", "found a set of cells, expected a cell", base.span, MEMBERS[node.name.text])
            return self.unknown(node.span)
        base = self.converted(base, CELL)
        board = self.world.board
        if isinstance(node.name, rules.Name) and node.name.text in ("row", "column") and (
                node.name.text not in self.scope.names or board.rows_and_columns):
            return self._coordinate(base, node.name, node.span)
        if base.sort == UNKNOWN:
            return self.unknown(node.span)
        direction = self.direction(node.name)
        if direction.sort == UNKNOWN:
            return self.unknown(node.span)
        sort = OPEN if base.sort == OPEN and self.world.tiles else CELL
        return hir.Apply("step", (base, direction), sort=sort, span=node.span)

    def _coordinate(self, base: hir.Expr, name: rules.Name, span: Span) -> hir.Expr:
        """The row or column number of a cell."""
        if not self.world.board.rows_and_columns:
            if base.sort != UNKNOWN:
                phrase = f"'.{name.text}' needs a board with rows and columns, found {self.world.board.title}"
                self.report("G215", phrase, name.span)
            return self.unknown(span)
        count = self.world.row_count if name.text == "row" else self.world.column_count
        sort = Integer(0, count - 1, name.text)
        return hir.Apply("coordinate_" + name.text, (base,), sort=sort, span=span)

    @_resolve.register
    def _(self, node: rules.Index, wanted: Sort | None) -> hir.Expr:
        world, name = self.world, node.name
        if name.text in world.declared:
            world.used.add(name.text)
        if name.text in world.definitions:
            plain = self.plain(node)
            return self.unknown(node.span) if plain is None else expand(
                self, world.definitions[name.text], plain, node.index, node, wanted)
        if node.arguments:
            self.report("G216", f"'{name.text}[...]' takes no arguments, expected no (...) after it", node.span,
                        "the cases of a definition may have parameters: define steps[man](c) = ...")
            return self.unknown(node.span)
        if name.text in world.variables:
            return self._variable(name, node.index, node.span)
        if name.text in world.piece_names:
            return self._piece_of(world.piece_names[name.text], node)
        if name.text == "track" and world.tiles:
            return hir.Track(self.value(node.index, PLAYER), sort=NETWORK, span=node.span)
        local = self.scope.names.get(name.text)
        if local is not None or name.text in CALLED:
            self.report("G210", f"'{name.text}' has no values to pick from, expected no [...] after it", node.span,
                         "a step is written c.north" if local is not None
                         else f"functions take round brackets: {CALLED[name.text].example}")
            return self.unknown(node.span)
        indexed = [n for n, i in world.variables.items() if world.variable_kinds[i].index]
        indexed += [n for n, definition in world.definitions.items() if definition.bodies[0].case is not None]
        indexed += [n for n, piece in world.piece_names.items() if piece.by_player is not None]
        world.unknown(name, indexed, "variable", otherwise="" if indexed else
                      f"declare it, for instance: var {name.text}[player] in 0..9, or pieces {name.text} of each")
        return self.unknown(node.span)

    def _piece_of(self, piece: PieceName, node: rules.Index) -> hir.Expr:
        player = self.value(node.index, PLAYER)
        if piece.by_player is None:
            self.report("G210", f"'{piece.name}' is one piece, expected no [...] after it", node.span,
                         f"declare it as '{piece.name} of each' to give one to each player")
            return self.unknown(node.span)
        return hir.OwnPiece(player, piece.by_player, sort=PIECE, span=node.span)

    def _variable(self, name: rules.Name, index: rules.Expression | None, span: Span) -> hir.Expr:
        world = self.world
        number = world.variables[name.text]
        kind = world.variable_kinds[number]
        if not kind.index and index is not None:
            self.report("G210", f"'{name.text}' is one value for the whole game, expected no [...] after it", span,
                        f"for one each declare for instance: var {name.text}[player] in 0..9")
            return self.unknown(span)
        if kind.index and index is None:
            examples = {"player": "mover", "cell": "c", "row": "r", "column": "k", "direction": "north"}
            example = examples.get(kind.index, "...")
            self.report("G211", f"'{name.text}' has a value for each {kind.index}, expected {name.text}[...]", span,
                        f"for instance {name.text}[{example}]")
            return self.unknown(span)
        term = None if index is None else self.value(index, index_sort(kind.index, world))
        return hir.Variable(number, term, sort=kind.sort, span=span)

    @_resolve.register
    def _(self, node: rules.Braces, wanted: Sort | None) -> hir.Expr:
        if any(item.loop is not None for item in node.items):
            self.report("G212", "found 'for' inside braces, expected {c in S where P} or {a, b}", node.span)
            return self.unknown(node.span)
        if len(node.items) == 1 and (choice := as_choice(node.items[0])) is not None:
            inner = self.inner()
            binding = inner.binding(choice)
            return hir.Comprehension(binding, sort=CELLS, span=node.span) if fits(
                inner.scope.names[binding.name].sort, CELL
            ) else self._not_cells(node.span)
        for item in node.items:
            if item.guard is not None:
                self.report("G212", "found 'where' in a list, expected {c in S where P} or {a, b}", item.span)
        element = wanted.element if isinstance(wanted, SetOf) else CELL
        items = [self._either(item.value) or self._resolve(item.value, PIECE) if element == PIECE else
                 self._resolve(item.value, CELLS) for item in node.items]
        listed = next((item.sort for item in items if isinstance(item.sort, _LISTED)), element)
        if any(isinstance(item.sort, Integer) for item in items):
            self.report("G206", "found a number in braces, expected cells, directions, players or words", node.span,
                        "numbers to choose from are a range, 1..3; others are compared one by one: n = 1 or n = 3")
            return self.unknown(node.span)
        if isinstance(listed, (*_LISTED, type(PIECE))):
            return self._listing(listed, items, node)
        return hir.CellSet(tuple(self.converted(item, CELLS) for item in items), sort=CELLS, span=node.span)

    def _listing(self, sort: Sort, items: Sequence[hir.Expr], node: rules.Braces) -> hir.Expr:
        """Directions, players, words or pieces one by one."""
        values: set[int] = set()
        for item in items:
            if isinstance(item, hir.Listing) and item.sort == SetOf(sort):
                values.update(item.values)
                continue
            term = self.converted(item, sort)
            if isinstance(term, hir.Literal) and term.value is not None:
                values.add(term.value)
            elif not isinstance(term.sort, Unknown):
                self.report("G206", f"found a {sort} that is not fixed, expected each {sort} in the braces by name",
                            item.span, "compare one by one: d = a or d = b")
        return hir.Listing(tuple(sorted(values)), sort=SetOf(sort), span=node.span)

    def _not_cells(self, span: Span) -> hir.Expr:
        self.report("G206", "found a set of other things in braces, expected cells", span,
                    "choose with the condition itself: 'd in directions where P'")
        return self.unknown(span)

    @_resolve.register
    def _(self, node: rules.Quantifier, wanted: Sort | None) -> hir.Expr:
        inner = self.inner()
        choice = rules.Choice((node.name,), node.domain, node.guard, span=node.name.span)
        binding = inner.binding(choice)
        body = None if node.body is None else inner.condition(node.body)
        if (node.kind, node.number) == ("exactly", 1):
            element = inner.scope.names[binding.name].sort
            self.scope.those[node.name.text] = hir.Only(binding, body, sort=element, span=node.span)
        return hir.Quantified(node.kind, node.number, binding, body, sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.SetTest, wanted: Sort | None) -> hir.Expr:
        test: hir.Expr = hir.Exists(self.cells(node.operand), sort=BOOLEAN, span=node.span)
        return hir.Not(test, sort=BOOLEAN, span=node.span) if node.kind == "no" else test

    @_resolve.register
    def _(self, node: rules.Linked, wanted: Sort | None) -> hir.Expr:
        cells = self.cells(node.cells)
        layer = self.world.layers.get(node.layer.text)
        if layer is None:
            self.world.unknown(node.layer, iter(self.world.layers), "kind of link")
            return self.unknown(node.span)
        self.world.used.add(node.layer.text)
        return hir.Linked(cells, layer, sort=NETWORK, span=node.span)

    @_resolve.register
    def _(self, node: rules.NoMoves, wanted: Sort | None) -> hir.Expr:
        if not self.scope.in_end:
            self.report("G213", "'no moves' can only stand in 'win', 'lose' and 'draw' rules", node.span,
                         "moves and forced rules cannot depend on which moves there are")
            return self.unknown(node.span)
        return hir.NoMoves(node.anyone, sort=BOOLEAN, span=node.span)

    # ---- calls

    @_resolve.register
    def _(self, node: rules.Call, wanted: Sort | None) -> hir.Expr:
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
            if name not in self.world.guesses:
                self.report("G203", f"unknown function '{name}'", node.name.span, help_text, suggestion)
            return self.unknown(node.span)
        if function.needs_rows and not self.world.board.rows_and_columns:
            self.report("G215", f"'{name}' needs a board with rows and columns, found {self.world.board.title}",
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
        """For a name that is known, and is called like a function."""
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
        """The arguments as plain values; None, with an error, where one has a `for` or `where`."""
        for argument in node.arguments:
            if argument.loop is not None or argument.guard is not None:
                self.report("G212", f"found 'for' or 'where' in {node.name.text}(...), expected plain values",
                            argument.span)
                return None
        return tuple(argument.value for argument in node.arguments)

    def arity(self, node: rules.Call, least: int, most: int, example: str) -> tuple[rules.Expression, ...] | None:
        """The plain arguments, as many as there may be; None, with an error, otherwise."""
        plain = self.plain(node)
        if plain is not None and not least <= len(plain) <= most:
            count = str(least) if least == most else f"{least} to {most}"
            self.report("G216",
                        f"{node.name.text}(...) has {len(plain)} argument{'s' * (len(plain) != 1)}, expected {count}",
                         node.span, SAYINGS.get(node.name.text, f"for instance {example}"))
            return None
        return plain

    def case(self, node: rules.Name | rules.Index) -> hir.Expr:
        """What stands in the brackets of a definition's case; a piece of each player stands for both players'."""
        pieces = self._either(node)
        return self._resolve(node, None) if pieces is None else pieces

    def _either(self, node: rules.Expression) -> hir.Expr | None:
        """For the name of a piece of each player: the pieces of all players; None for anything else."""
        if not isinstance(node, rules.Name) or node.text in self.scope.names or node.text not in self.world.piece_names:
            return None
        piece = self.world.piece_names[node.text]
        self.world.used.add(piece.name)
        return None if piece.by_player is None else hir.Listing(piece.indices, sort=SetOf(PIECE), span=node.span)


def _leaves(term: hir.Expr) -> Iterator[hir.Expr]:
    """The sets that one of is taken."""
    match term:
        case hir.IfElse(yes=yes, no=no):
            yield from _leaves(yes)
            yield from _leaves(no)
        case hir.Let(body=body):
            yield from _leaves(body)
        case _:
            yield term


def _contains(element: hir.Expr, collection: hir.Expr, span: Span) -> hir.Expr:
    """Whether a value is in a set; where one of several sets of values is taken, it is asked of each."""
    if collection.sort != CELLS:
        match collection:
            case hir.IfElse(condition=condition, yes=yes, no=no):
                yes, no = _contains(element, yes, span), _contains(element, no, span)
                return hir.IfElse(condition, yes, no, sort=BOOLEAN, span=span)
            case hir.Let(slot=slot, value=value, body=body):
                return hir.Let(slot, value, _contains(element, body, span), sort=BOOLEAN, span=span)
    return hir.Contains(element, collection, sort=BOOLEAN, span=span)


def _is_empty(term: hir.Expr) -> bool:
    """Whether a set is `{}`, which is a set of anything."""
    return isinstance(term, hir.CellSet) and not term.items


def _has_none(sort: Sort) -> bool:
    """Whether `none` can stand where a sort is wanted: for one value, as of a variable, but not in a calculation."""
    if isinstance(sort, Integer):
        return sort.high < ANY_INTEGER.high
    return not isinstance(sort, SetOf)


def index_sort(index: str, world: World) -> Sort:
    """The sort of a variable's index by the word in its brackets."""
    plain: dict[str, Sort] = {
        "cell": CELL, "player": PLAYER, "piece": PIECE, "direction": DIRECTION,
        "row": Integer(0, world.row_count - 1, "row"), "column": Integer(0, world.column_count - 1, "column"),
    }
    if index in plain:
        return plain[index]
    return world.enumerations.get(index, UNKNOWN)


_CALCULATE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
