"""Resolving expressions: from rule objects to terms with sorts.

`Terms(world, scope)` resolves the expressions of one rule. What is wanted at a place is passed down, so that `red` is a
piece where a piece is wanted and the cells that hold it where a set is. Every mistake is reported once and gives a term
of unknown sort, which fits everywhere. Functions of the language are in the table at the end.

Long because every form of expression has its method here, and they call each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from itertools import pairwise

import attrs

from dsl import meaning, rules
from dsl.diagnostics import did_you_mean, error
from dsl.functions import FUNCTIONS, as_choice
from dsl.habits import SAYINGS
from dsl.scope import TILES_PHRASE, DefinitionName, PieceName, Scope, World
from dsl.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    CELLS,
    DIRECTION,
    LAYER,
    NETWORK,
    NOTHING,
    PIECE,
    PLAYER,
    UNKNOWN,
    Integer,
    SetOf,
    Sort,
    Unknown,
    fits,
    join,
)
from dsl.source import Span

_ORDER = ("<", "<=", ">", ">=")
MAX_NUMBER = 10**30
"""The largest number that rules can reach."""
MAX_EXPANDED_WORDS = 200_000
"""How long all rules together may become when definitions are put in for their names."""
MAX_EXPANDED = 100
"""How deep definitions may nest, all their bodies together."""
MAX_RANGE = 100_000
"""How many numbers there can be to choose from."""


class Terms:
    """Resolves the expressions of one rule in its scope."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world = world
        self.scope = scope

    # ---- what callers use

    def value(self, node: rules.Expression, wanted: Sort | None = None) -> meaning.Term:
        """A term for an expression, converted to the wanted sort where that can be done; else reported."""
        term = self._resolve(node, wanted)
        return term if wanted is None else self._converted(term, wanted)

    def condition(self, node: rules.Expression) -> meaning.Term:
        """A term that is true or false."""
        if isinstance(node, rules.Constant) and node.value is None:
            self.report("G206", "found a none, expected a condition", node.span)
            return self.unknown(node.span)
        return self.value(node, BOOLEAN)

    def cells(self, node: rules.Expression) -> meaning.Term:
        """A term that is a set of cells."""
        return self.value(node, CELLS)

    def domain(self, node: rules.Expression, *, most: int = MAX_RANGE) -> tuple[meaning.Term, Sort]:
        """What a bound name ranges over, at most so many numbers, and the sort of its values."""
        if isinstance(node, rules.Name) and node.text in ("rows", "columns") and node.text in self.world.params:
            term = self._builtin(node, None)  # a param may be called so: `param rows = 6`; only its set can be meant
        else:
            term = self._resolve(node, None)
        if term.sort == CELL or term.sort == PIECE:
            term = self._converted(term, CELLS)
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

    def binding(self, choice: rules.Choice) -> meaning.Binding:
        """Bind the one name of a choice, in this scope."""
        domain, sort = self.domain(choice.domain)
        local = self.scope.bind(choice.names[0], sort, self.world)
        guard = None if choice.guard is None else self.condition(choice.guard)
        return meaning.Binding(local.slot, local.name, domain, guard)

    def inner(self) -> Terms:
        """For a part with bound names of its own."""
        return type(self)(self.world, self.scope.inner())

    def direction(self, name: rules.Name) -> meaning.Term:
        """A direction by name, or a bound name, variable or definition that stands for one."""
        directions = self.world.words_of_board.directions
        local = self.scope.names.get(name.text)
        if local is not None:
            return self._converted(attrs.evolve(local, span=name.span), DIRECTION)
        if name.text in directions:
            return meaning.Literal(directions.index(name.text), sort=DIRECTION, span=name.span)
        if name.text in self.world.variables or name.text in self.world.definitions:
            return self.value(name, DIRECTION)
        bound = [known for known, term in self.scope.names.items() if term.sort == DIRECTION]
        self.world.unknown(name, iter([*directions, *bound]), "direction")
        return self.unknown(name.span)

    # ---- reporting

    def report(self, code: str, phrase: str, span: Span, help_text: str = "", suggestion: str = "") -> None:
        """Report an error."""
        self.world.report(error(code, phrase, span, help=help_text, suggestion=suggestion))

    def unknown(self, span: Span) -> meaning.Term:
        """The term of what was reported: its sort fits everywhere."""
        return meaning.Literal(None, sort=UNKNOWN, span=span)

    # ---- conversion

    def _converted(self, term: meaning.Term, wanted: Sort) -> meaning.Term:
        found = term.sort
        if isinstance(found, Unknown) or isinstance(wanted, Unknown):
            return term
        if wanted == NETWORK and found != NETWORK:
            return self._converted(term, CELLS)
        if wanted == CELLS and found == PIECE:
            if isinstance(term, meaning.Literal) and term.value is not None:
                return meaning.CellsOf((term.value,), sort=CELLS, span=term.span)
            return meaning.CellsHolding(term, sort=CELLS, span=term.span)
        if wanted == CELLS and found == CELL:
            return meaning.CellSet((term,), sort=CELLS, span=term.span)
        if isinstance(found, type(NOTHING)) and _has_none(wanted):
            return attrs.evolve(term, sort=wanted)
        if fits(found, wanted):
            return term
        self.report("G206", f"found a {found}, expected a {wanted}", term.span, self._conversion_help(found, wanted))
        return self.unknown(term.span)

    def _conversion_help(self, found: Sort, wanted: Sort) -> str:
        if wanted == BOOLEAN and found == CELLS:
            return "test a set with 'some ...' or 'no ...'"
        if wanted == BOOLEAN and isinstance(found, Integer):
            return "compare the number, for instance with '> 0'"
        if wanted == PIECE and found == CELLS:
            return "name one piece; a set of cells holds many"
        if wanted == PIECE and found == PLAYER:
            return "name a piece of the player, or 'own'"
        if wanted == PIECE and found == CELL:
            return "what stands on a cell is 'piece(c)'; 'carry a to b' moves it"
        if wanted == CELL and found == CELLS:
            return "choose one with 'c in ...'; whether a cell is in a set is 'c in S' or 'c is empty'"
        if wanted == CELL and found == PIECE:
            return "a piece stands for all its cells; choose one with 'c in ...', test one with 'c is red'"
        if wanted == CELL and found == PLAYER:
            return "what each player has is written with [...]: score[mover]"
        if wanted == CELLS and found == PLAYER:
            return "name a piece of the player, or 'mine' and 'theirs'"
        if found == NETWORK:
            return "networks are asked with joined, group, loop, spans and distance; a set that is linked stands in " \
                   "brackets: (S and T) linked by road"
        if wanted == CELLS and isinstance(found, Integer):
            return "count(...) is the number of cells of a set"
        if wanted == PLAYER and found in (CELL, CELLS, PIECE):
            return "players are 'mover', 'opponent' and the names in 'players'"
        if isinstance(wanted, Integer) and found == CELLS:
            return "count(...) is the number of cells of a set"
        return ""

    # ---- dispatch on the expression's class

    @singledispatchmethod
    def _resolve(self, node: rules.Expression, wanted: Sort | None) -> meaning.Term:
        raise TypeError(f"no resolution for {type(node).__name__}")

    @_resolve.register
    def _(self, node: rules.Number, wanted: Sort | None) -> meaning.Term:
        return meaning.Literal(node.value, sort=Integer(node.value, node.value), span=node.span)

    @_resolve.register
    def _(self, node: rules.Constant, wanted: Sort | None) -> meaning.Term:
        if node.value is None:
            return meaning.Literal(None, sort=NOTHING, span=node.span)
        return meaning.Literal(int(node.value), sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Text, wanted: Sort | None) -> meaning.Term:
        return meaning.NamedCell(node.value, sort=CELL, span=node.span)

    @_resolve.register
    def _(self, node: rules.Name, wanted: Sort | None) -> meaning.Term:
        local = self.scope.names.get(node.text)
        if local is not None:
            return attrs.evolve(local, span=node.span)
        world = self.world
        if node.text in world.declared:
            world.used.add(node.text)
        if node.text in world.params:
            number = world.params[node.text]
            return meaning.Literal(number, sort=Integer(number, number), span=node.span)
        if node.text in world.definitions:
            return self._expand(world.definitions[node.text], (), None, node, wanted)
        if node.text in world.variables:
            return self._variable(node, None, node.span)
        if node.text in world.piece_names:
            return self._piece(world.piece_names[node.text], node, wanted)
        if node.text in world.players:
            return meaning.Literal(world.players.index(node.text), sort=PLAYER, span=node.span)
        if node.text in world.words:
            sort, index = world.words[node.text]
            return meaning.Literal(index, sort=sort, span=node.span)
        if node.text in world.enumerations:
            enumerated = world.enumerations[node.text]
            return meaning.Listing(tuple(range(len(enumerated.values))), sort=SetOf(enumerated), span=node.span)
        if node.text in world.graph_cells:
            return meaning.Literal(world.graph_cells[node.text], sort=CELL, span=node.span)
        if node.text in world.layers:
            return meaning.Literal(world.layers[node.text], sort=LAYER, span=node.span)
        return self._builtin(node, wanted)

    def _builtin(self, node: rules.Name, wanted: Sort | None) -> meaning.Term:
        world, span = self.world, node.span
        board = world.words_of_board
        if node.text in board.regions:
            return meaning.Region(node.text, sort=CELLS, span=span)
        if node.text in board.directions:
            return meaning.Literal(board.directions.index(node.text), sort=DIRECTION, span=span)
        if node.text in board.direction_sets:
            indices = tuple(board.directions.index(name) for name in board.direction_sets[node.text])
            return meaning.Listing(indices, sort=SetOf(DIRECTION), span=span)
        everything = tuple(range(1, len(world.pieces)))
        match node.text:
            case "empty" if wanted == PIECE:
                return meaning.Literal(0, sort=PIECE, span=span)
            case "empty":
                return meaning.CellsOf((0,), sort=CELLS, span=span)
            case "occupied":
                return meaning.CellsOf(everything, sort=CELLS, span=span)
            case "mine" | "theirs" | "mover" | "opponent" | "own" if self.scope.nobody:
                self.report("G235", f"found '{node.text}' in {self.scope.nobody}, where nobody moves, "
                            "expected a piece or a player by name", span)
                return self.unknown(span)
            case "mine" | "theirs":
                return meaning.Owned(node.text == "mine", sort=CELLS, span=span)
            case "mover":
                return meaning.Role("mover", sort=PLAYER, span=span)
            case "opponent":
                if len(world.players) != 2:
                    if world.doubtful("players"):
                        return self.unknown(span)
                    self.report("G214", f"'opponent' needs exactly two players, found {len(world.players)}", span)
                    return self.unknown(span)
                return meaning.Role("opponent", sort=PLAYER, span=span)
            case "own":
                return self._own(node, wanted)
            case "players":
                return meaning.Listing(tuple(range(len(world.players))), sort=SetOf(PLAYER), span=span)
            case "track" if world.tiles:
                self.report("G211", "'track' is one for each player, expected track[...]", span,
                            "for instance track[mover]")
                return self.unknown(span)
            case "tiles" if world.tiles:
                return meaning.Listing(world.tiles, sort=SetOf(PIECE), span=span)
            case "pieces":
                world.used.update(world.piece_names)
                return meaning.Listing(everything, sort=SetOf(PIECE), span=span)
            case "boolean":
                return meaning.Listing((0, 1), sort=SetOf(BOOLEAN), span=span)
            case "rows" | "columns" if board.rows_and_columns:
                count = world.row_count if node.text == "rows" else world.column_count
                role = node.text[:-1]
                low, high = (meaning.Literal(n, sort=Integer(n, n), span=span) for n in (0, count - 1))
                return meaning.Numbers(low, high, sort=SetOf(Integer(0, count - 1, role)), span=span)
        world.unknown(node, bound=self.scope.names)
        return self.unknown(span)

    def _own(self, node: rules.Name, wanted: Sort | None) -> meaning.Term:
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
            found = f"{player} owns {names}" if pieces else f"{player} owns no piece"
            self.report("G308", f"'own' is ambiguous: {found}, expected exactly one piece for each player", node.span,
                         "name the piece, for instance man[mover] for 'man of each'" if pieces else
                         "give each player a piece: pieces red of Red, ...")
            return self.unknown(node.span)
        mover = meaning.Role("mover", sort=PLAYER, span=node.span)
        return meaning.OwnPiece(mover, tuple(pieces[0] for pieces in owned), sort=PIECE, span=node.span)

    def _piece(self, piece: PieceName, node: rules.Name, wanted: Sort | None) -> meaning.Term:
        if len(piece.indices) == 1 and wanted != CELLS:
            return meaning.Literal(piece.indices[0], sort=PIECE, span=node.span)
        if wanted == PIECE:
            self.report("G308", f"'{piece.name}' is ambiguous: each player has one, expected one player's", node.span,
                         f"write {piece.name}[mover] or {piece.name}[{self.world.players[0]}]")
            return self.unknown(node.span)
        return meaning.CellsOf(piece.indices, sort=CELLS, span=node.span)

    @_resolve.register
    def _(self, node: rules.That, wanted: Sort | None) -> meaning.Term:
        found = self.scope.those.get(node.name.text)
        if found is None:
            name = node.name.text
            self.report("G207", f"'that {name}' refers to nothing, expected 'exactly one {name} in ...' before it",
                        node.span)
            return self.unknown(node.span)
        return attrs.evolve(found, span=node.span)

    @_resolve.register
    def _(self, node: rules.Negation, wanted: Sort | None) -> meaning.Term:
        return meaning.Not(self.condition(node.operand), sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Negative, wanted: Sort | None) -> meaning.Term:
        operand = self.value(node.operand, ANY_INTEGER)
        zero = meaning.Literal(0, sort=Integer(0, 0), span=node.span)
        return self.arithmetic("-", zero, operand, node.span)

    @_resolve.register
    def _(self, node: rules.Arithmetic, wanted: Sort | None) -> meaning.Term:
        left = self._resolve(node.left, wanted)
        right = self._resolve(node.right, wanted)
        setlike = (CELLS, CELL, PIECE)
        if node.operator in "+-" and (left.sort in setlike or right.sort in setlike):
            left, right = self._converted(left, CELLS), self._converted(right, CELLS)
            return meaning.SetArithmetic(node.operator, left, right, sort=CELLS, span=node.span)
        left, right = self._converted(left, ANY_INTEGER), self._converted(right, ANY_INTEGER)
        return self.arithmetic(node.operator, left, right, node.span)

    def arithmetic(self, operator: str, left: meaning.Term, right: meaning.Term, span: Span) -> meaning.Term:
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
        return meaning.Arithmetic(operator, left, right, sort=sort, span=span)

    @_resolve.register
    def _(self, node: rules.Compare, wanted: Sort | None) -> meaning.Term:
        left = self._resolve(node.left, None)
        right = self._resolve(node.right, left.sort)
        if left.sort != right.sort and right.sort == PIECE and isinstance(node.left, rules.Name):
            left = self._resolve(node.left, PIECE)
        if left.sort == NETWORK:
            left = self._converted(left, CELLS)
        if node.operator in _ORDER:
            left, right = self._converted(left, ANY_INTEGER), self._converted(right, ANY_INTEGER)
        elif isinstance(left.sort, type(NOTHING)):
            left = self._converted(left, right.sort)
        else:
            right = self._converted(right, left.sort)
        return meaning.Comparison(node.operator, left, right, sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.IsIn, wanted: Sort | None) -> meaning.Term:
        element = self._resolve(node.element, None)
        if element.sort == CELL or isinstance(element.sort, Unknown):
            collection = self._converted(self._resolve(node.collection, CELLS), CELLS)
        else:
            collection = self._resolve(node.collection, None)
            if collection.sort != UNKNOWN and element.sort != UNKNOWN and not (
                isinstance(collection.sort, SetOf) and fits(element.sort, collection.sort.element)
            ):
                self.report("G206", f"found a {element.sort} in a {collection.sort}, expected a cell in a set of cells"
                             " or a value in a set of its sort", node.span, self._is_in_help(element.sort))
                return self.unknown(node.span)
        test: meaning.Term = meaning.Contains(element, collection, sort=BOOLEAN, span=node.span)
        return meaning.Not(test, sort=BOOLEAN, span=node.span) if node.negated else test

    def _is_in_help(self, sort: Sort) -> str:
        if sort == CELLS:
            return "that a set has an element is 'some S', that it has none 'no S'; what two sets share is 'S and T'"
        return "to compare a piece or a number, use '='" if sort in (PIECE, PLAYER) or isinstance(sort, Integer) else ""

    @_resolve.register
    def _(self, node: rules.AllOf, wanted: Sort | None) -> meaning.Term:
        first = self._resolve(node.operands[0], wanted)
        if isinstance(first.sort, Unknown):  # sets or conditions: nobody knows
            for operand in node.operands[1:]:
                self._resolve(operand, None)
            return self.unknown(node.span)
        if first.sort in (CELLS, CELL) or (first.sort == PIECE and wanted != BOOLEAN):
            result = self._converted(first, CELLS)
            for operand in node.operands[1:]:
                result = meaning.SetArithmetic("and", result, self.cells(operand), sort=CELLS, span=node.span)
            return result
        rest = [self._condition_after(before, operand) for before, operand in pairwise(node.operands)]
        return meaning.All((self._converted(first, BOOLEAN), *rest), sort=BOOLEAN, span=node.span)

    def _condition_after(self, before: rules.Expression, operand: rules.Expression) -> meaning.Term:
        """A condition after `and`; a set after `some S` was probably meant to be cut with S."""
        term = self._resolve(operand, BOOLEAN)
        if isinstance(before, rules.SetTest) and term.sort in (CELLS, CELL, PIECE):
            self.report("G206", f"found a {term.sort}, expected a condition", term.span,
                        f"'{before.kind} (S and T)' with brackets tests what is in both sets")
            return self.unknown(term.span)
        return self._converted(term, BOOLEAN)

    @_resolve.register
    def _(self, node: rules.AnyOf, wanted: Sort | None) -> meaning.Term:
        operands = tuple(self.condition(operand) for operand in node.operands)
        return meaning.Any(operands, sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.Conditional, wanted: Sort | None) -> meaning.Term:
        condition = self.condition(node.condition)
        yes, no = self._alike(self._resolve(node.yes, wanted), self._resolve(node.no, wanted), wanted)
        return meaning.IfElse(condition, yes, no, sort=join(yes.sort, no.sort), span=node.span)

    def _alike(self, yes: meaning.Term, no: meaning.Term, wanted: Sort | None) -> tuple[meaning.Term, meaning.Term]:
        """Two terms of which one is taken, converted to the same sort where that can be done."""
        setlike = (CELLS, CELL, PIECE)
        if yes.sort != no.sort and yes.sort in setlike and no.sort in setlike and wanted not in (CELL, PIECE):
            return self._converted(yes, CELLS), self._converted(no, CELLS)
        if isinstance(yes.sort, type(NOTHING)):
            return self._converted(yes, no.sort), no
        return yes, self._converted(no, yes.sort)

    @_resolve.register
    def _(self, node: rules.Range, wanted: Sort | None) -> meaning.Term:
        assert node.high is not None  # the grammar allows open ranges in params only
        low, high = self.value(node.low, ANY_INTEGER), self.value(node.high, ANY_INTEGER)
        if not isinstance(low.sort, Integer) or not isinstance(high.sort, Integer):
            return self.unknown(node.span)
        if low.sort.low > high.sort.high:
            phrase = f"the range {low.sort.low}..{high.sort.high} is empty, expected the smaller number first"
            self.report("G209", phrase, node.span)
            return self.unknown(node.span)
        return meaning.Numbers(low, high, sort=SetOf(Integer(low.sort.low, high.sort.high)), span=node.span)

    @_resolve.register
    def _(self, node: rules.Member, wanted: Sort | None) -> meaning.Term:
        base = self._resolve(node.base, None)
        if base.sort == PIECE and self.world.tiles:
            side = self.direction(node.name)
            return self.unknown(node.span) if side.sort == UNKNOWN else meaning.Apply(
                "side", (base, side), sort=PLAYER, span=node.span)
        base = self._converted(base, CELL)
        board = self.world.words_of_board
        if node.name.text in ("row", "column") and board.rows_and_columns:
            count = self.world.row_count if node.name.text == "row" else self.world.column_count
            sort = Integer(0, count - 1, node.name.text)
            return meaning.Apply("coordinate_" + node.name.text, (base,), sort=sort, span=node.span)
        if base.sort == UNKNOWN:
            return self.unknown(node.span)
        if node.name.text in ("row", "column") and node.name.text not in self.scope.names:
            phrase = f"'.{node.name.text}' needs a board with rows and columns, found {self.world.this_board}"
            self.report("G215", phrase, node.name.span)
            return self.unknown(node.span)
        direction = self.direction(node.name)
        if direction.sort == UNKNOWN:
            return self.unknown(node.span)
        return meaning.Apply("step", (base, direction), sort=CELL, span=node.span)

    @_resolve.register
    def _(self, node: rules.Index, wanted: Sort | None) -> meaning.Term:
        world, name = self.world, node.name
        if name.text in world.declared:
            world.used.add(name.text)
        if name.text in world.variables:
            return self._variable(name, node.index, node.span)
        if name.text in world.definitions:
            return self._expand(world.definitions[name.text], (), node.index, node, wanted)
        if name.text in world.piece_names:
            return self._piece_of(world.piece_names[name.text], node)
        if name.text == "track" and world.tiles:
            return meaning.Track(self.value(node.index, PLAYER), sort=NETWORK, span=node.span)
        local = self.scope.names.get(name.text)
        if local is not None or name.text in FUNCTIONS:
            self.report("G210", f"'{name.text}' has no values to pick from, expected no [...] after it", node.span,
                         "a step is written c.north" if local is not None
                         else f"functions take round brackets: {FUNCTIONS[name.text].example}")
            return self.unknown(node.span)
        indexed = [n for n, i in world.variables.items() if world.variable_kinds[i].index]
        world.unknown(name, iter([*indexed, *world.definitions]), "variable")
        return self.unknown(node.span)

    def _piece_of(self, piece: PieceName, node: rules.Index) -> meaning.Term:
        player = self.value(node.index, PLAYER)
        if piece.by_player is None:
            self.report("G210", f"'{piece.name}' is one piece, expected no [...] after it", node.span,
                         f"declare it as '{piece.name} of each' to give one to each player")
            return self.unknown(node.span)
        return meaning.OwnPiece(player, piece.by_player, sort=PIECE, span=node.span)

    def _variable(self, name: rules.Name, index: rules.Expression | None, span: Span) -> meaning.Term:
        world = self.world
        number = world.variables[name.text]
        kind = world.variable_kinds[number]
        if not kind.index and index is not None:
            self.report("G210", f"'{name.text}' is one value for the whole game, expected no [...] after it", span)
            return self.unknown(span)
        if kind.index and index is None:
            examples = {"player": "mover", "cell": "c", "row": "r", "column": "k", "direction": "north"}
            example = examples.get(kind.index, "...")
            self.report("G211", f"'{name.text}' has a value for each {kind.index}, expected {name.text}[...]", span,
                        f"for instance {name.text}[{example}]")
            return self.unknown(span)
        term = None if index is None else self.value(index, index_sort(kind.index, world))
        return meaning.Variable(number, term, sort=kind.sort, span=span)

    @_resolve.register
    def _(self, node: rules.Braces, wanted: Sort | None) -> meaning.Term:
        if any(item.loop is not None for item in node.items):
            self.report("G212", "found 'for' inside braces, expected {c in S where P} or {a, b}", node.span)
            return self.unknown(node.span)
        if len(node.items) == 1 and (choice := as_choice(node.items[0])) is not None:
            inner = self.inner()
            binding = inner.binding(choice)
            return meaning.Comprehension(binding, sort=CELLS, span=node.span) if fits(
                inner.scope.names[binding.name].sort, CELL
            ) else self._not_cells(node.span)
        items = []
        for item in node.items:
            if item.guard is not None:
                self.report("G212", "found 'where' in a list, expected {c in S where P} or {a, b}", item.span)
            items.append(self.cells(item.value))
        return meaning.CellSet(tuple(items), sort=CELLS, span=node.span)

    def _not_cells(self, span: Span) -> meaning.Term:
        self.report("G206", "found a set of other things in braces, expected cells", span)
        return self.unknown(span)

    @_resolve.register
    def _(self, node: rules.Quantifier, wanted: Sort | None) -> meaning.Term:
        inner = self.inner()
        choice = rules.Choice((node.name,), node.domain, node.guard, span=node.name.span)
        binding = inner.binding(choice)
        body = None if node.body is None else inner.condition(node.body)
        if (node.kind, node.number) == ("exactly", 1):
            element = inner.scope.names[binding.name].sort
            self.scope.those[node.name.text] = meaning.Only(binding, body, sort=element, span=node.span)
        return meaning.Quantified(node.kind, node.number, binding, body, sort=BOOLEAN, span=node.span)

    @_resolve.register
    def _(self, node: rules.SetTest, wanted: Sort | None) -> meaning.Term:
        test: meaning.Term = meaning.Exists(self.cells(node.operand), sort=BOOLEAN, span=node.span)
        return meaning.Not(test, sort=BOOLEAN, span=node.span) if node.kind == "no" else test

    @_resolve.register
    def _(self, node: rules.Linked, wanted: Sort | None) -> meaning.Term:
        cells = self.cells(node.cells)
        layer = self.world.layers.get(node.layer.text)
        if layer is None:
            self.world.unknown(node.layer, iter(self.world.layers), "kind of link")
            return self.unknown(node.span)
        self.world.used.add(node.layer.text)
        return meaning.Linked(cells, layer, sort=NETWORK, span=node.span)

    @_resolve.register
    def _(self, node: rules.NoMoves, wanted: Sort | None) -> meaning.Term:
        if not self.scope.in_end:
            self.report("G213", "'no moves' can only stand in 'win', 'lose' and 'draw' rules", node.span,
                         "moves and forced rules cannot depend on which moves there are")
            return self.unknown(node.span)
        return meaning.NoMoves(node.anyone, sort=BOOLEAN, span=node.span)

    # ---- calls

    @_resolve.register
    def _(self, node: rules.Call, wanted: Sort | None) -> meaning.Term:
        name = node.name.text
        if name in self.world.definitions:
            self.world.used.add(name)
            plain = self.plain(node)
            return self.unknown(node.span) if plain is None else self._expand(
                self.world.definitions[name], plain, None, node, wanted)
        function = FUNCTIONS.get(name)
        if function is None:
            help_text, suggestion = did_you_mean(name, [*FUNCTIONS, *self.world.definitions])
            if name in self.world.variables or name in self.world.piece_names:
                help_text, suggestion = f"write {name}[...] with square brackets", ""
            if name in (*self.scope.names, *self.world.words_of_board.directions):
                help_text, suggestion = "a step is written c.north", ""
            help_text = help_text or SAYINGS.get(name.lower(), "")
            if name not in self.world.guesses:
                self.report("G203", f"unknown function '{name}'", node.name.span, help_text, suggestion)
            return self.unknown(node.span)
        if function.needs_rows and not self.world.words_of_board.rows_and_columns:
            self.report("G215", f"'{name}' needs a board with rows and columns, found {self.world.this_board}",
                        node.name.span)
            return self.unknown(node.span)
        if function.needs_tiles and not self.world.tiles:
            if not self.world.doubtful("tiles"):
                self.report("G240", f"'{name}' needs tiles, expected a declaration 'tiles {TILES_PHRASE}:'",
                            node.name.span)
            return self.unknown(node.span)
        if function.boards and self.world.board not in function.boards:
            self.report("G215", f"'{name}' needs a {' or '.join(function.boards)} board, found {self.world.this_board}",
                        node.name.span)
            return self.unknown(node.span)
        return function.resolve(self, node, function)

    def plain(self, node: rules.Call) -> tuple[rules.Expression, ...] | None:
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
                         node.span, f"for instance {example}")
            return None
        return plain

    def _expand(self, definition: DefinitionName, arguments: Sequence[rules.Expression],
                index: rules.Expression | None, node: rules.Expression, wanted: Sort | None) -> meaning.Term:
        """A use of a definition: its body, resolved anew with the arguments bound."""
        if definition.name in self.scope.expanding:
            circle = " -> ".join([*self.scope.expanding, definition.name])
            if not definition.failed:
                self.report("G217", f"'{definition.name}' is defined by itself: {circle}", definition.span)
            for name in self.scope.expanding:
                self.world.definitions[name].failed = True
            return self.unknown(node.span)
        world = self.world
        if world.expanded > MAX_EXPANDED_WORDS:
            return self.unknown(node.span)
        world.expanded += definition.weight
        if world.expanded > MAX_EXPANDED_WORDS:
            whole = world.definitions[self.scope.expanding[0]] if self.scope.expanding else definition
            self.report("G236", f"with '{whole.name}' put in, the rules grow past {MAX_EXPANDED_WORDS} words",
                        whole.span,
                         "every use of a definition counts, and the uses inside it again")
            return self.unknown(node.span)
        if self.scope.depth + definition.depth > MAX_EXPANDED:
            world.report_once(error("G007", f"definitions inside definitions nest more than {MAX_EXPANDED} deep",
                                    definition.span))
            return self.unknown(node.span)
        if definition.bodies[0].case is not None:
            return self._expand_case(definition, index, node, wanted)
        body = definition.bodies[0]
        if index is not None or len(arguments) != len(body.parameters):
            names = ", ".join(parameter.text for parameter in body.parameters)
            shape = f"{definition.name}({names})" if names else definition.name
            self.report("G216", f"'{definition.name}' is used with {len(arguments)} arguments"
                         f"{' and an index' * (index is not None)}, expected {shape}", node.span)
            return self.unknown(node.span)
        inner = Terms(self.world, self.scope.empty(definition))
        values = []
        for parameter, argument in zip(body.parameters, arguments, strict=True):
            value = self._resolve(argument, None)
            values.append((inner.scope.bind(parameter, value.sort, self.world), value))
        term = inner._resolve(body.body, wanted)
        for local, value in reversed(values):
            term = meaning.Let(local.slot, value, term, sort=term.sort, span=node.span)
        use = meaning.Use(definition.name, tuple(value for _, value in values))
        return attrs.evolve(term, span=node.span, used=use)

    def _expand_case(self, definition: DefinitionName, index: rules.Expression | None, node: rules.Expression,
                     wanted: Sort | None) -> meaning.Term:
        """A use of a definition by cases: the case of the index, chosen when it is known."""
        if index is None:
            self.report("G211", f"'{definition.name}' is defined by cases, expected {definition.name}[...]", node.span)
            return self.unknown(node.span)
        at = self._resolve(index, None)
        inner = Terms(self.world, self.scope.empty(definition))
        result: meaning.Term | None = None
        for body in reversed(definition.bodies):
            assert body.case is not None
            case = inner.value(body.case, at.sort)
            term = inner._resolve(body.body, wanted)
            if result is None:
                result = term
            else:
                test = meaning.Comparison("=", at, case, sort=BOOLEAN, span=node.span)
                term, result = inner._alike(term, result, wanted)
                result = meaning.IfElse(test, term, result, sort=join(term.sort, result.sort), span=node.span)
        assert result is not None
        return attrs.evolve(result, span=node.span, used=meaning.Use(definition.name, (at,)))


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
