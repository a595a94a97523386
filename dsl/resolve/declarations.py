"""Resolves declarations: from a parsed file and parameter values to `hir.Rules`.

Declarations are resolved in the order in which they depend on each other (params, players, board, pieces, variables,
definitions, then rules), whatever their order in the file. Errors are reported to the world; the result is None where
there was one. Other code calls `dsl.checker`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from dsl import hir
from dsl.boards import ASSUMED
from dsl.checks.bounds import certainly
from dsl.diagnostics import Diagnostic, Label, did_you_mean, error, has_errors
from dsl.diagnostics.wording import either
from dsl.resolve import piles
from dsl.resolve.boards import board_kind
from dsl.resolve.chance import chance_weight, check_names, turn_passes
from dsl.resolve.courses import declared_courses
from dsl.resolve.cuts import declare_cut
from dsl.resolve.definitions import check_unused, declare_definitions
from dsl.resolve.drawn_start import drawn_effects
from dsl.resolve.effects import Effects, after_rule, declare_effects
from dsl.resolve.expressions import MAX_NUMBER, ExprResolver
from dsl.resolve.hidden import hidden_things
from dsl.resolve.indices import declared_indices
from dsl.resolve.layers import declared_layers
from dsl.resolve.lets import check_used
from dsl.resolve.notes import Notes
from dsl.resolve.payoffs import payoffs
from dsl.resolve.presentation import Looks
from dsl.resolve.rankings import ranking
from dsl.resolve.scope import PieceName, Scope, World
from dsl.resolve.shapes import drawn_shapes
from dsl.resolve.sites import declare_sites
from dsl.resolve.sorts import (
    ANY_INTEGER,
    BOOLEAN,
    CELL,
    DIRECTION,
    PIECE,
    PLAYER,
    UNKNOWN,
    Enumerated,
    Integer,
    SetOf,
    Sort,
    Unknown,
    fits,
)
from dsl.resolve.symmetries import all_symmetries
from dsl.resolve.tiles import add_tiles
from dsl.resolve.together import made_together
from dsl.resolve.turns import declare_teams, turn_order
from dsl.syntax import rules
from dsl.syntax.parser import parse_expression
from dsl.syntax.source import NOWHERE, Span
from dsl.visitor import walk

MAX_PARAM = 10**9
"""The maximum absolute value of a parameter given from outside."""
_NO_MOVES = ("loses", "wins", "draws", "passes")
_REPETITION = ("draws", "loses", "forbidden")
_TIMES = ("second", "third", "fourth", "fifth", "sixth")
"""At which occurrence of a position the repetition rule applies; the first of them is the second."""
_Declaration = TypeVar("_Declaration", bound=rules.Declaration)


def resolve(file: rules.GameFile, params: Mapping[str, int],
            notes: Notes | None = None) -> tuple[hir.Rules | None, World]:
    """Resolve a file with some parameters overridden: its rules, and the world with the findings; fills `notes`, if
    given."""
    resolver = DeclarationResolver(file, params)
    if notes is not None:
        resolver.world.notes, notes.world = notes, resolver.world
    return resolver.run()


def resolve_condition(file: rules.GameFile, params: Mapping[str, int], text: str,
                      move: str = "") -> hir.Condition | Diagnostic:
    """Resolve a condition that is not in the file, with the file's names and, where a move is named, those of its
    choices.

    The file itself must be without errors.
    """
    resolver = DeclarationResolver(file, params)
    resolver.run()
    known = len(resolver.world.diagnostics)
    span = Span.at(1, 1)
    names: dict[str, hir.Expr] = {}
    if move:
        moves = [item.name.text for item in file.all(rules.MoveRule)]
        if move not in moves:
            return error("G203", f"the game has no move '{move}', expected {' or '.join(moves)}", span)
        names = dict(resolver.names_of_move[moves.index(move)])
    node = parse_expression(text, span)
    if not isinstance(node, rules.Expression):
        return node
    slots = max(map(hir.slots_of, names.values()), default=0)
    terms = ExprResolver(resolver.world, Scope(names=names, counter=[slots], in_end=not move))
    term = terms.condition(node)
    for result in resolver.world.diagnostics[known:]:
        if result.severity == "error":
            return result
    return hir.Condition(term, terms.scope.slots, span=span)


def _before(terms: ExprResolver, choices: Sequence[rules.Choice | rules.LetClause]) -> ExprResolver:
    """The resolver for the `when` of a rule, which is evaluated before its choices are made."""
    result = terms.inner()
    names = (choice.names if isinstance(choice, rules.Choice) else (choice.name,) for choice in choices)
    result.scope.ahead = frozenset(name.text for several in names for name in several)
    return result


class DeclarationResolver:
    """Resolves the declarations of one file."""

    def __init__(self, file: rules.GameFile, overrides: Mapping[str, int]) -> None:
        self.file = file
        self.overrides = overrides
        self.world = World(guesses=file.guesses)
        self.names_of_move: list[dict[str, hir.Expr]] = []

    # ---- finding declarations

    def all(self, kind: type[_Declaration]) -> list[_Declaration]:
        """The declarations of a class."""
        return self.file.all(kind)

    def one(self, kind: type[_Declaration], what: str) -> _Declaration | None:
        """The one declaration of a kind; more than one is an error."""
        result = self.all(kind)
        for other in result[1:]:
            self.world.report(error("G219", f"a second {what}, expected only one", other.span,
                                    labels=[Label(result[0].span, "the first")]))
        return result[0] if result else None

    def error(self, code: str, phrase: str, span: Span, help_text: str = "", suggestion: str = "") -> None:
        """Report an error."""
        self.world.report(error(code, phrase, span, help=help_text, suggestion=suggestion))

    def choose(self, name: rules.Name, known: Sequence[str], what: str) -> str:
        """A word from a fixed list, or '' with an error."""
        if name.text in known:
            return name.text
        help_text, suggestion = did_you_mean(name.text, known)
        self.error("G220", f"unknown {what} '{name.text}', expected {either(known)}", name.span,
                    help_text, suggestion)
        return ""

    # ---- the whole

    def run(self) -> tuple[hir.Rules | None, World]:
        """Resolve the file: its rules, None where there is an error, and the world with what its names mean."""
        world = self.world
        title = self.one(rules.GameTitle, "title")
        world.later = {item.name.text: "definition" for item in self.all(rules.Definition)}
        world.later |= {item.name.text: "variable" for item in self.all(rules.Variable)}
        world.later |= {piece.name.text: "piece" for item in self.all(rules.Pieces) for piece in item.pieces}
        world.later |= {value.name.text: "value" for item in self.all(rules.Enumeration) for value in item.values}
        world.later |= {name.text: "player" for item in self.all(rules.Players) for name in item.names}
        self._params()
        board = board_kind(self)
        if board is None and (self.world.doubtful("board") or self.all(rules.Board)):
            self.world.doubt("board")
        world.later = {}
        self._players()
        declare_teams(self)
        self._enumerations()
        declare_sites(self, holes=board is not None and board.without is not None)
        self._pieces()
        self._variables()
        courses = declared_courses(self)
        piles.declare(self)
        layers = declared_layers(self)
        declare_cut(self)
        declare_definitions(world, self.all(rules.Definition))
        declare_effects(world, self.all(rules.EffectRule))
        looks = Looks(self.file, world, self.names_of_move)
        shown = looks.shown()
        holes = board is not None and board.without is not None
        start, start_slots = self._start(shown, looks.empty_glyph(), holes=holes)
        moves = tuple(self._move(item) for item in self.all(rules.MoveRule))
        after = tuple(after_rule(world, item) for item in self.all(rules.AfterRule))
        self._check_onward(moves)
        self._check_precedence(moves)
        forced = tuple(self._forced(item) for item in self.all(rules.ForcedRule))
        illegal = tuple(self.condition(item.condition, item.span) for item in self.all(rules.Illegal))
        again = tuple(self.condition(item.condition, item.span) for item in self.all(rules.TurnAgain))
        passes = turn_passes(self)
        order, loop = turn_order(self)
        passing = self._passing()
        symmetries = tuple(all_symmetries(self))
        pies = tuple(self._pies(symmetries))
        ends = tuple(self._end(item) for item in self.all(rules.End))
        no_moves = self.one(rules.NoMovesRule, "'no moves' rule")
        repetition = self.one(rules.Repetition, "'repetition' rule")
        notations, value = looks.notations(), _value_of(self)
        hidden, worth, best = hidden_things(self), payoffs(self), ranking(self)
        check_unused(world)
        check_used(world, self.file.declarations)
        result = hir.Rules(
            source=self.file.source,
            title=title.title if title else "",
            genre=title.genre if title else "",
            params=dict(world.params),
            players=world.players,
            board=board or hir.BoardKind(ASSUMED.word, (1,) * len(ASSUMED.arguments), (), None, None, span=NOWHERE),
            pieces=shown, piles=world.piles,
            cells_drawn=looks.cells(),
            layers=layers,
            courses=courses,
            variables=looks.variables(),
            enumerations=tuple(world.enumerations.values()),
            start=start,
            start_slots=start_slots,
            moves=moves,
            after=after,
            forced=forced,
            illegal=illegal,
            passing=passing,
            pies=pies,
            again=again,
            passes=passes,
            order=order, loop=loop, teams=dict(world.teams),
            ends=ends,
            no_moves=self.choose(no_moves.result, _NO_MOVES, "result of having no moves") if no_moves else "",
            repetition=self.choose(repetition.result, _REPETITION, "result of a repetition") if repetition else "",
            repetition_at=_time_of(self, repetition),
            symmetries=symmetries,
            notations=notations,
            value=value,
            empty_glyph=looks.empty_glyph(),
            no_moves_span=no_moves.span if no_moves else None,
            repetition_span=repetition.span if repetition else None,
            hidden=hidden,
            payoffs=worth, ranking=best,
        )
        result = made_together(self, result)
        self._missing(title, moves)
        return (None if has_errors(world.diagnostics) else result), world

    def _missing(self, title: rules.GameTitle | None, moves: Sequence[hir.Move]) -> None:
        """Report missing declarations that every game must have; silent where a broken declaration may be the one."""
        needs = (
            (title, "game", "a title", 'game "Name"'),
            (self.all(rules.Players), "players", "players", "players Black, White"),
            ([*self.all(rules.Board), *self.all(rules.PathBoard)], "board", "a board", "board square(3, 3)"),
            (moves, "move", "a move", "move place(c in empty): ..."),
        )
        for result, word, what, example in needs:
            if not result and not self.world.doubtful(word):
                self.error("G301", f"the game has no {what.removeprefix('a ')}, expected {what}", Span.at(1, 1),
                            f"for instance: {example}")

    # ---- the table

    def _params(self) -> None:
        for item in self.all(rules.Param):
            default = self.constant(item.default, "the default of a param")
            if not -MAX_PARAM <= self.overrides.get(item.name.text, 0) <= MAX_PARAM:
                self.error("G502", f"the number given for {item.name.text} is too large, expected at most {MAX_PARAM}",
                            item.span)
                default = None
            if item.limits is not None and default is not None:
                low = self.constant(item.limits.low, "the least value of a param")
                top = item.limits.high
                high = MAX_PARAM if top is None else self.constant(top, "the most a param can be")
                if low is not None and high is not None and not self._within(item, default, low, high):
                    self.world.doubt(item.name.text)
                    continue
            if default is None:
                self.world.doubt(item.name.text)
            elif self.world.declare(item.name, "param"):
                self.world.params[item.name.text] = self.overrides.get(item.name.text, default)
        known = [item.name.text for item in self.all(rules.Param)]
        for name in self.overrides:
            if name not in known and not self.world.doubtful("param"):
                help_text, suggestion = did_you_mean(name, known)
                listing = f"its params are {', '.join(known)}" if known else "the game has no params"
                self.error("G501", f"the game has no param '{name if len(name) <= 60 else name[:60] + '…'}'",
                            Span.at(1, 1), help_text or listing, suggestion)

    def _within(self, item: rules.Param, default: int, low: int, high: int) -> bool:
        limits = item.limits
        assert limits is not None
        shown = f"{low}.." + ("" if limits.high is None else str(high))
        if low > high:
            self.error("G209", f"the range {shown} is empty, expected the smaller number first", limits.span)
            return False
        if item.name.text not in self.overrides and not low <= default <= high:
            self.error("G221", f"the default {default} is outside {shown}", item.default.span)
            return False
        given = self.overrides.get(item.name.text, default)
        if not low <= given <= high:
            self.error("G502", f"{item.name.text}={given} is outside {shown}", item.span,
                        f"give {item.name.text} a value in {shown}")
            return False
        return True

    def constant(self, node: rules.Expression, what: str) -> int | None:
        """The value of an expression of numbers and params."""
        term = ExprResolver(self.world, Scope(nobody=what)).value(node)
        if isinstance(term, hir.Literal) and term.sort == BOOLEAN:
            return term.value
        if isinstance(term.sort, Integer) and term.sort.low == term.sort.high:
            return term.sort.low
        doubtful = any(self.world.doubtful(name.text) for name in walk(node) if isinstance(name, rules.Name))
        if not isinstance(term.sort, Unknown) and not doubtful and not self.world.doubtful("param"):
            self.error("G222", f"{what} must be known before the game starts, expected numbers and params", node.span)
        return None

    def _players(self) -> None:
        item = self.one(rules.Players, "'players' declaration")
        if item is None:
            return
        names = [name.text for name in item.names if self.world.declare(name, "player")]
        self.world.players = tuple(names)
        check_names(self, item)

    def _enumerations(self) -> None:
        for item in self.all(rules.Enumeration):
            sort = Enumerated(item.name.text, tuple(value.name.text for value in item.values), drawn_shapes(self, item))
            if self.world.declare(item.name, "set of values"):
                self.world.enumerations[item.name.text] = sort
            for index, value in enumerate(item.values):
                if self.world.declare(value.name, "value"):
                    self.world.words[value.name.text] = (sort, index)

    def _pieces(self) -> None:
        world = self.world
        for declaration in self.all(rules.Pieces):
            for item in declaration.pieces:
                if not world.declare(item.name, "piece"):
                    world.doubt("pieces")
                    continue
                owners = self._owners(item)
                indices = []
                for owner in owners:
                    indices.append(len(world.pieces))
                    world.pieces.append(hir.PieceKind(item.name.text, owner, "", ""))
                by_player = tuple(indices) if item.owner is not None and item.owner.text == "each" else None
                world.piece_names[item.name.text] = PieceName(item.name.text, item.name.span, tuple(indices), by_player)

        for tiles in self.all(rules.Tiles):
            add_tiles(world, tiles)

    def _owners(self, item: rules.Piece) -> list[int | None]:
        if item.owner is None:
            return [None]
        players = self.world.players
        if item.owner.text == "each":
            return list(range(len(players))) or [None]
        if item.owner.text in players:
            return [players.index(item.owner.text)]
        self.world.unknown(item.owner, iter([*players, "each"]), "player")
        self.world.doubt("pieces")
        return [None]

    def _variables(self) -> None:
        world = self.world
        for item in self.all(rules.Variable):
            if not world.declare(item.name, "variable"):
                continue
            indices = declared_indices(self, item)
            index = ", ".join(indices)
            sort = self._variable_sort(item)
            if not world.board.bounded and ("cell" in indices or sort == CELL):
                phrase = "the cells of an unbounded board shift as it grows, expected a variable without them"
                self.error("G241", phrase, item.span)
            initial = None
            if item.initial is not None:
                initial = ExprResolver(world, Scope(nobody="a first value")).value(item.initial, sort)
                if isinstance(sort, Integer) and isinstance(initial.sort, Integer) and not (
                    sort.low <= initial.sort.low and initial.sort.high <= sort.high
                ):
                    self.error("G305", f"the first value {initial.sort.low} is outside {sort.low}..{sort.high}",
                                item.initial.span)
            elif sort == CELL and not item.or_none:
                self.error("G226", f"'{item.name.text}' has no first value, expected '= ...' or 'or none'", item.span,
                            f"for instance: var {item.name.text} in cells or none")
            world.variables[item.name.text] = len(world.variable_kinds)
            world.variable_kinds.append(hir.VariableKind(item.name.text, index, sort, item.or_none, initial,
                                                             span=item.name.span, aside=item.aside))

    def _variable_sort(self, item: rules.Variable) -> Sort:
        """The sort of a variable's values, which must be a whole fixed set; unknown after a mistake, which is reported
        once."""
        before = len(self.world.diagnostics)
        term, sort = ExprResolver(self.world, Scope()).domain(item.domain, most=MAX_NUMBER)
        if len(self.world.diagnostics) > before:
            return UNKNOWN
        if isinstance(sort, Integer):
            low = _constant_bound(self, term, item)
            return low if low is not None else UNKNOWN
        whole = isinstance(sort, Unknown) or (
            isinstance(item.domain, rules.Name) and (sort != CELL or item.domain.text == "cells"))
        named = sort in (BOOLEAN, CELL, PLAYER, PIECE, DIRECTION) or isinstance(sort, (Enumerated, Unknown))
        if not whole or not named:
            self.error("G227",
                        "a variable's values must be a fixed range or a whole set, such as 0..3, cells or players",
                        item.domain.span)
            return UNKNOWN
        return sort

    def _start(self, pieces: Sequence[hir.PieceKind], empty: str, *,
               holes: bool) -> tuple[tuple[hir.Effect, ...], int]:
        item = self.one(rules.StartPosition, "start position")
        if item is None:
            return (), 0
        effects = Effects(self.world, Scope(nobody="'start'"), further=False)
        drawn = () if item.drawing is None else drawn_effects(self, item.drawing, pieces, empty, holes=holes)
        return effects.block((*drawn, *item.body)), effects.terms.scope.slots

    # ---- rules

    def _move(self, item: rules.MoveRule) -> hir.Move:
        for other in self.all(rules.MoveRule):
            if other.name.text == item.name.text and other is not item:
                if other.span.line < item.span.line:
                    self.error("G201", f"a second move '{item.name.text}', expected another name", item.name.span)
                break
        names = [rule.name.text for rule in self.all(rules.MoveRule)]
        further = not isinstance(item, rules.ChanceRule)
        effects = Effects(self.world, Scope(), further=further, moves=names)
        when = None if item.when is None else _before(effects.terms, item.choices).condition(item.when)
        choices = effects.choices(item.choices)
        weight = chance_weight(effects, item)
        body = effects.block(item.body)
        self.names_of_move.append({**effects.chosen, **effects.named})
        return hir.Move(item.name.text, choices, when, body, effects.terms.scope.slots, span=item.span,
                            rare=item.rare, otherwise=item.otherwise, is_step=isinstance(item, rules.StepRule),
                            is_chance=isinstance(item, rules.ChanceRule), weight=weight)

    def _check_precedence(self, moves: Sequence[hir.Move]) -> None:
        """Report an `otherwise` move rule that comes before every other move rule."""
        first = next((rule for rule in moves if not rule.is_chance and not rule.is_step), None)
        if first is not None and first.otherwise:
            self.error("G371", f"'otherwise' before the first move rule, '{first.name}', expected a rule before it",
                       first.span, "leave out 'otherwise', or put the rule behind those that go before it")

    def _check_onward(self, moves: Sequence[hir.Move]) -> None:
        """Report a `then` with a rule whose first choices do not match the names given to it."""
        for part in hir.walk(moves):
            if not isinstance(part, hir.Proceed) or has_errors(self.world.diagnostics):
                continue
            rule = moves[part.rule]
            firsts = rule.choices[: len(part.given)]
            shape = f"{rule.name}({', '.join(name for choice in rule.choices for name in choice.names)})"
            if len(part.given) >= len(rule.choices) or any(len(choice.slots) > 1 for choice in firsts):
                self.error("G216", f"'then {rule.name}(...)' gives {len(part.given)} of the first choices of {shape}, "
                            "expected fewer, and none of unordered ones", part.span)
                continue
            for local, choice in zip(part.given, firsts, strict=True):
                element = choice.domain.sort.element if isinstance(choice.domain.sort, SetOf) else UNKNOWN
                if not fits(local.sort, element):
                    phrase = f"found a {local.sort}, expected a {element} for '{choice.names[0]}' of {shape}"
                    self.error("G206", phrase, part.span)

    def _forced(self, item: rules.ForcedRule) -> hir.Forced:
        effects = Effects(self.world, Scope(), further=False)
        terms = effects.terms
        when = None if item.when is None else _before(terms, item.choices).condition(item.when)
        until = None if item.until is None else terms.inner().condition(item.until)
        choices = effects.choices(item.choices)
        body = effects.block(item.body)
        return hir.Forced(item.name.text, choices, when, until, body, terms.scope.slots, span=item.span)

    def condition(self, node: rules.Expression, span: Span, *, in_end: bool = False) -> hir.Condition:
        """Resolve a condition, with the number of slots that it binds."""
        terms = ExprResolver(self.world, Scope(in_end=in_end))
        term = terms.condition(node)
        return hir.Condition(term, terms.scope.slots, span=span)

    def _passing(self) -> hir.Condition | None:
        item = self.one(rules.PassRule, "'pass' rule")
        if item is None:
            return None
        if item.condition is None:
            return hir.Condition(hir.Literal(1, sort=BOOLEAN, span=item.span), 0, span=item.span)
        return self.condition(item.condition, item.span)

    def _pies(self, symmetries: Sequence[hir.Symmetry]) -> Iterator[hir.Pie]:
        """The pie rules, except those whose condition never holds with these params."""
        for item in self.all(rules.PieRule):
            if item.turn < 1:
                self.error("G309", f"the pie rule is after turn {item.turn}, expected 1 or more", item.span)
            condition = None if item.condition is None else self.condition(item.condition, item.span)
            if condition is not None and certainly(condition.term) is False:
                continue
            if not item.by_seats and not any(symmetry.swapping for symmetry in symmetries):
                phrase = "the pie rule has no symmetry that swaps the players, expected one to swap sides by"
                self.error("G309", phrase, item.span,
                            "add for instance: symmetry swapping players; or let the players exchange their seats: "
                            "pie rule after turn 1 by seats")
            if item.by_seats and len(self.world.players) != 2 and not self.world.doubtful("players"):
                self.error("G309", f"seats are exchanged by two players, found {len(self.world.players)}", item.span)
            yield hir.Pie(item.turn, condition, item.by_seats, span=item.span)

    def _end(self, item: rules.End) -> hir.End:
        player: hir.Expr | None = None
        if item.player is not None:
            known = [*self.world.players, "mover", "opponent", *self.world.teams]
            team = self.world.teams.get(item.player.text)
            if team is not None:
                player = hir.Literal(team[0], sort=PLAYER, span=item.player.span)
            elif item.player.text in known:
                player = ExprResolver(self.world, Scope()).value(item.player, PLAYER)
            else:
                self.world.unknown(item.player, iter(known), "player")
        params = {param.name.text for param in self.all(rules.Param)}
        names_param = any(isinstance(node, rules.Name) and node.text in params for node in rules.walk(item.condition))
        return hir.End(item.kind, player, self.condition(item.condition, item.span, in_end=True), names_param)


def _value_of(resolver: DeclarationResolver) -> hir.Condition | None:
    """The expression of a `value` declaration, the value of a position."""
    item = resolver.one(rules.Value, "'value'")
    if item is None:
        return None
    terms = ExprResolver(resolver.world, Scope())
    term = terms.value(item.expression, ANY_INTEGER)
    return hir.Condition(term, terms.scope.slots, span=item.span)


def _time_of(resolver: DeclarationResolver, rule: rules.Repetition | None) -> int:
    """At which occurrence of a position the repetition rule applies."""
    if rule is None or rule.time is None:
        return 2
    return 2 + _TIMES.index(resolver.choose(rule.time, _TIMES, "time of a repetition") or _TIMES[0])


def _constant_bound(resolver: DeclarationResolver, term: hir.Expr, item: rules.Variable) -> Integer | None:
    if isinstance(term, hir.Numbers):
        bounds = (term.low.sort, term.high.sort)
        if all(isinstance(b, Integer) and b.low == b.high for b in bounds):
            low, high = bounds
            assert isinstance(low, Integer)
            assert isinstance(high, Integer)
            if low.low > high.low:
                resolver.error("G209", f"the range {low.low}..{high.low} is empty, expected the smaller number first",
                               item.domain.span)
                return None
            element = term.sort.element if isinstance(term.sort, SetOf) else None
            role = element.role if isinstance(element, Integer) else ""
            return Integer(low.low, high.high, role)
    resolver.error("G227", "a variable's range must be known before the game starts, expected numbers and params",
                item.domain.span)
    return None
