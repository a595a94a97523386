"""Turns Lark's parse trees into rule objects.

`Builder` is a non-recursive Lark transformer with one method for each rule of `game.lark`, which creates the class of
the same name in `dsl.syntax.rules`. It knows the line where the parsed text begins, so that spans are positions in the
file. What the grammar accepts but no rule object can hold is reported as a diagnostic.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import attrs
from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from dsl.boards.kind import Diagonals
from dsl.diagnostics import Diagnostic, error
from dsl.syntax import rules
from dsl.syntax.source import Span

_Thing = TypeVar("_Thing")
Items = list[Any]  # what Lark hands over: tokens, rule objects and None for absent optional parts


@attrs.frozen
class _Clause:
    """A `when` or `until` clause with its condition, before it becomes part of a rule."""

    kind: str
    condition: rules.Expression


def _clause(items: Items, kind: str) -> rules.Expression | None:
    return next((item.condition for item in items if isinstance(item, _Clause) and item.kind == kind), None)


def _expressions(items: Items) -> list[rules.Expression]:
    return [item for item in items if isinstance(item, rules.Expression)]


def _effects(items: Items) -> tuple[rules.Effect, ...]:
    return tuple(item for item in items if isinstance(item, rules.Effect))


MAX_NAMES = 40
"""The maximum number of players, of choices of a rule, and of parameters or cases of a definition."""


def _choices(items: Items) -> tuple[rules.Choice | rules.LetClause, ...]:
    return tuple(item for item in items if isinstance(item, (rules.Choice, rules.LetClause)))


class _Parts(Transformer_NonRecursive):  # type: ignore[type-arg]  # generic only in Lark's stubs
    """Creates spans, names, texts and numbers; `line` is the number in the file of the first parsed line."""

    def __init__(self, line: int) -> None:
        super().__init__(visit_tokens=False)
        self.offset = line - 1
        self.diagnostics: list[Diagnostic] = []

    # ---- places and small parts

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span.at(1 + self.offset, 1)
        return Span(meta.line + self.offset, meta.column, meta.end_line + self.offset, meta.end_column)

    def _token_span(self, token: Token) -> Span:
        line, column = token.line or 1, token.column or 1
        return Span(line + self.offset, column, (token.end_line or line) + self.offset,
                    token.end_column or column + len(token))

    def _name(self, token: Token) -> rules.Name:
        return rules.Name(str(token), span=self._token_span(token))

    def _names(self, items: Items) -> tuple[rules.Name, ...]:
        return tuple(self._name(item) for item in items if isinstance(item, Token) and item.type == "NAME")

    def _named(self, item: Token | rules.Index | rules.Call) -> rules.Name | rules.Index | rules.Call:
        return self._name(item) if isinstance(item, Token) else item

    def _string(self, token: Token) -> rules.Text:
        return rules.Text(str(token)[1:-1], span=self._token_span(token))

    def _integer(self, token: Token) -> int:
        if len(token) > 9:
            self.diagnostics.append(error("G113", f"the number {token[:12]}… is too large, expected at most 999999999",
                                          self._token_span(token)))
            return 0
        return int(token)

    def _few(self, things: tuple[_Thing, ...], what: str, meta: Meta) -> tuple[_Thing, ...]:
        """Return the items, cut to `MAX_NAMES` with an error where there are more."""
        if len(things) > MAX_NAMES:
            phrase = f"found {len(things)} {what}, expected at most {MAX_NAMES}"
            self.diagnostics.append(error("G008", phrase, self._span(meta)))
            return things[:MAX_NAMES]
        return things


@v_args(meta=True)
class _Players(_Parts):
    """Rules about hidden information, turn order, teams and payoffs."""

    def hidden_rule(self, meta: Meta, items: Items) -> rules.Hidden:
        what, shown, viewer, condition = items
        others, player = viewer if viewer is not None else (False, None)
        return rules.Hidden(what, shown, player, others, _clause([condition], "when"), span=self._span(meta))

    def from_whom(self, meta: Meta, items: Items) -> tuple[bool, rules.Expression]:
        return items[0] is not None, items[1]

    def together(self, meta: Meta, items: Items) -> rules.Together:
        return rules.Together(span=self._span(meta))

    def payoff(self, meta: Meta, items: Items) -> rules.Payoff:
        return rules.Payoff(self._name(items[0]), items[1], span=self._span(meta))

    def index_names(self, meta: Meta, items: Items) -> tuple[rules.Name, ...]:
        return self._names(items)

    order_part = index_names

    def turn_order(self, meta: Meta, items: Items) -> rules.TurnOrder:
        parts: list[tuple[rules.Name, ...]] = [item for item in items if isinstance(item, tuple)]
        first, cycle = parts if len(parts) == 2 else ((), parts[0])
        return rules.TurnOrder(first, cycle, span=self._span(meta))

    def team(self, meta: Meta, items: Items) -> rules.Team:
        name, *players = self._names(items)
        return rules.Team(name, tuple(players), span=self._span(meta))


@v_args(meta=True)
class _Loops(_Players):
    """Domains that names range over: choices, and the loops of calls."""

    def choice(self, meta: Meta, items: Items) -> rules.Choice:
        name, domain, guard = items
        return rules.Choice((self._name(name),), domain, guard, span=self._span(meta))

    for_choice = choice

    def for_start(self, meta: Meta, items: Items) -> rules.Choice:
        return attrs.evolve(self.choice(meta, items), begins=True)

    def for_way(self, meta: Meta, items: Items) -> rules.Way:
        origin, step, *rest = items
        return rules.Way(self._name(origin), self._name(step), *rest, span=self._span(meta))

    def unordered_choice(self, meta: Meta, items: Items) -> rules.Choice:
        domain, guard = items[-2:]
        return rules.Choice(self._few(self._names(items), "names", meta), domain, guard, True, span=self._span(meta))


@v_args(meta=True)
class _Lists(_Loops):
    """Declarations that can list several items on one line."""

    def params(self, meta: Meta, items: Items) -> tuple[rules.Declaration, ...]:
        """The items of one declaration; the span of the first is extended to the declaration's keyword."""
        first, *others = items
        return attrs.evolve(first, span=self._span(meta).to(first.span)), *others

    variables = symmetry_rules = notations = shows = params

    def param(self, meta: Meta, items: Items) -> rules.Param:
        return rules.Param(self._name(items[0]), items[1], items[2], span=self._span(meta))

    def variable(self, meta: Meta, items: Items) -> rules.Variable:
        name, indices, domain, or_none, initial, aside = items
        index, second = (*(indices or ()), None, None)[:2]
        return rules.Variable(self._name(name), index, second, domain, or_none is True, initial, aside is True,
                              span=self._span(meta))

    def symmetry_rule(self, meta: Meta, items: Items) -> rules.SymmetryRule:
        phrase, swapping, reversing = (item or () for item in items[:3])
        return rules.SymmetryRule(phrase, swapping, reversing, _clause(items, "when"), span=self._span(meta))

    def claim(self, meta: Meta, items: Items) -> rules.SymmetryRule:
        phrase, swapping = items
        return rules.SymmetryRule(phrase, swapping or (), (), span=self._span(meta))

    def swap_claim(self, meta: Meta, items: Items) -> rules.SymmetryRule:
        return rules.SymmetryRule((), items[0], (), span=self._span(meta))

    phrase = _Players.index_names

    def swapping(self, meta: Meta, items: Items) -> tuple[rules.Name, ...]:
        names: tuple[rules.Name, ...] = items[0]
        return names

    reversing = _Players.index_names

    def notation(self, meta: Meta, items: Items) -> rules.Notation:
        names = self._names(items)
        texts = tuple(self._string(item) for item in items[len(names) :] if isinstance(item, Token))
        return rules.Notation(names, texts, span=self._span(meta))

    def show(self, meta: Meta, items: Items) -> rules.Show:
        whose = None if items[1] is None else self._name(items[1])
        glyph = None if items[2] is None else self._string(items[2])
        drawn, sized, colour = items[3:]
        return rules.Show(self._name(items[0]), glyph, drawn, sized, colour, whose=whose, span=self._span(meta))

    def show_on(self, meta: Meta, items: Items) -> rules.Show:
        return rules.Show(self._name(items[0]), None, items[1], None, None, items[2], span=self._span(meta))

    def drawn(self, meta: Meta, items: Items) -> rules.Name:
        return self._name(items[0])

    def colour(self, meta: Meta, items: Items) -> str:
        return str(items[0]).strip('"')


@v_args(meta=True)
class Builder(_Lists):
    """Creates the rule objects of one parsed declaration."""

    # ---- expressions

    def number(self, meta: Meta, items: Items) -> rules.Number:
        return rules.Number(self._integer(items[0]), span=self._span(meta))

    def text(self, meta: Meta, items: Items) -> rules.Text:
        return self._string(items[0])

    def name(self, meta: Meta, items: Items) -> rules.Name:
        return self._name(items[0])

    def constant(self, meta: Meta, items: Items) -> rules.Constant:
        return rules.Constant({"true": True, "false": False, "none": None}[str(items[0])], span=self._span(meta))

    def that(self, meta: Meta, items: Items) -> rules.That:
        return rules.That(self._name(items[0]), span=self._span(meta))

    def negation(self, meta: Meta, items: Items) -> rules.Negation:
        return rules.Negation(_expressions(items)[0], span=self._span(meta))

    def negative(self, meta: Meta, items: Items) -> rules.Negative:
        return rules.Negative(items[0], span=self._span(meta))

    def conditional(self, meta: Meta, items: Items) -> rules.Conditional:
        return rules.Conditional(*items, span=self._span(meta))

    def any_of(self, meta: Meta, items: Items) -> rules.AnyOf:
        return rules.AnyOf(tuple(items), span=self._span(meta))

    def all_of(self, meta: Meta, items: Items) -> rules.AllOf:
        return rules.AllOf(tuple(items), span=self._span(meta))

    def both(self, meta: Meta, items: Items) -> rules.AllOf:
        return rules.AllOf(tuple(items), span=self._span(meta))

    def compare(self, meta: Meta, items: Items) -> rules.Expression:
        left, operator, right = items
        if isinstance(operator, Token):
            return rules.Compare(str(operator), left, right, span=self._span(meta))
        return rules.IsIn(left, right, operator, span=self._span(meta))

    def is_in(self, meta: Meta, items: Items) -> bool:
        return any(item.type == "NOT" for item in items)

    def range(self, meta: Meta, items: Items) -> rules.Range:
        return rules.Range(items[0], items[1], span=self._span(meta))

    param_range = range

    def sum(self, meta: Meta, items: Items) -> rules.Expression:
        result: rules.Expression = items[0]
        for operator, right in zip(items[1::2], items[2::2], strict=True):
            result = rules.Arithmetic(str(operator), result, right, span=result.span.to(right.span))
        return result

    product = sum

    def member(self, meta: Meta, items: Items) -> rules.Member:
        return rules.Member(items[0], self._named(items[1]), span=self._span(meta))

    def index(self, meta: Meta, items: Items) -> rules.Index:
        name, first, second, *given = items
        arguments = tuple(item for item in given if item is not None)
        return rules.Index(self._name(name), first, arguments, second, span=self._span(meta))

    def call(self, meta: Meta, items: Items) -> rules.Call:
        arguments = tuple(item for item in items[1:] if item is not None)
        return rules.Call(self._name(items[0]), arguments, span=self._span(meta))

    def picked(self, meta: Meta, items: Items) -> rules.Picked:
        return rules.Picked(items[0], items[1], span=self._span(meta))

    def argument(self, meta: Meta, items: Items) -> rules.Argument:
        value, rest = items[0], items[1]
        loop = rest if isinstance(rest, (rules.Choice, rules.Way)) else None
        return rules.Argument(value, rest if loop is None else None, loop, span=self._span(meta))

    def braces(self, meta: Meta, items: Items) -> rules.Braces:
        return rules.Braces(tuple(item for item in items if item is not None), span=self._span(meta))

    def exactly(self, meta: Meta, items: Items) -> tuple[str, int]:
        kind, number = items
        return " ".join(str(kind).split()), 1 if number.type == "ONE" else self._integer(number)

    def let_in(self, meta: Meta, items: Items) -> rules.LetIn:
        name, value, body = items
        return rules.LetIn(self._name(name), value, body, span=self._span(meta))

    def quantifier(self, meta: Meta, items: Items) -> rules.Quantifier:
        how, name, domain, guard, body = items
        kind, number = (str(how), 0) if isinstance(how, Token) else how
        if kind != "some" and kind != "no" and guard is None and body is None:
            self.diagnostics.append(error(
                "G112", f"'{kind} {name} in ...' says nothing about {name}, expected ': ' and a condition",
                self._span(meta), help=f"write '{kind} c in S: P'; that all of S is in T is 'no (S - T)'"))
        return rules.Quantifier(kind, number, self._name(name), domain, guard, body, span=self._span(meta))

    def set_test(self, meta: Meta, items: Items) -> rules.SetTest:
        return rules.SetTest(str(items[0]), items[1], span=self._span(meta))

    def linked(self, meta: Meta, items: Items) -> rules.Linked:
        return rules.Linked(items[0], self._name(items[1]), span=self._span(meta))

    def cut(self, meta: Meta, items: Items) -> rules.Cut:
        return rules.Cut(items[0], self._name(items[1]), span=self._span(meta))

    def no_moves(self, meta: Meta, items: Items) -> rules.NoMoves:
        return rules.NoMoves(any(item is True for item in items), span=self._span(meta))

    def for_anyone(self, meta: Meta, items: Items) -> bool:
        return True

    or_stop = never_crossing = cyclic = aside = or_none = rare = otherwise = by_seats = for_anyone

    # ---- choices and effects

    def where(self, meta: Meta, items: Items) -> rules.Expression:
        expression: rules.Expression = items[0]
        return expression

    def when(self, meta: Meta, items: Items) -> _Clause:
        return _Clause("when", items[0])

    def weight(self, meta: Meta, items: Items) -> _Clause:
        return _Clause("weight", items[0])

    def until(self, meta: Meta, items: Items) -> _Clause:
        return _Clause("until", items[0])

    def let_clause(self, meta: Meta, items: Items) -> rules.LetClause:
        name, value, guard = items
        return rules.LetClause(self._name(name), value, guard, span=self._span(meta))

    def let_effect(self, meta: Meta, items: Items) -> rules.LetEffect:
        return rules.LetEffect(self._name(items[0]), items[1], span=self._span(meta))

    def targets(self, meta: Meta, items: Items) -> tuple[rules.Expression, ...]:
        return self._few(tuple(items), "targets", meta)

    def assign(self, meta: Meta, items: Items) -> rules.Assign:
        guard = items[2] if len(items) > 2 else None
        return rules.Assign(items[0], items[1], guard, span=self._span(meta))

    guarded_assign = assign

    def change(self, meta: Meta, items: Items) -> rules.Change:
        guard = items[3] if len(items) > 3 else None
        return rules.Change(items[0], str(items[1]), items[2], guard, span=self._span(meta))

    guarded_change = change

    def carry(self, meta: Meta, items: Items) -> rules.Carry:
        return rules.Carry(*items, span=self._span(meta))

    def carry_pile(self, meta: Meta, items: Items) -> rules.CarryPile:
        origin, where, destination = items
        return rules.CarryPile(None, origin, destination, str(where) == "under", span=self._span(meta))

    def carry_some(self, meta: Meta, items: Items) -> rules.CarryPile:
        amount, origin, where, destination = items
        return rules.CarryPile(amount, origin, destination, str(where) == "under", span=self._span(meta))

    def put(self, meta: Meta, items: Items) -> rules.Put:
        piece, where, cell = items
        return rules.Put(piece, cell, str(where) == "under", span=self._span(meta))

    def remove(self, meta: Meta, items: Items) -> rules.Remove:
        amount, under, cell = items
        return rules.Remove(amount, cell, under is not None, span=self._span(meta))

    def slide(self, meta: Meta, items: Items) -> rules.Slide:
        direction = self._name(items[1]) if isinstance(items[1], Token) else items[1]
        return rules.Slide(items[0], direction, span=self._span(meta))

    def rotate(self, meta: Meta, items: Items) -> rules.Rotate:
        return rules.Rotate(items[0], self._name(items[1]), span=self._span(meta))

    def link(self, meta: Meta, items: Items) -> rules.Link:
        origin, destination, layer = items
        return rules.Link(origin, destination, self._name(layer), span=self._span(meta))

    def unlink(self, meta: Meta, items: Items) -> rules.Unlink:
        origin, destination, layer = items
        return rules.Unlink(origin, destination, self._name(layer), span=self._span(meta))

    def each(self, meta: Meta, items: Items) -> rules.Each:
        return rules.Each(items[0], _effects(items), span=self._span(meta))

    def if_block(self, meta: Meta, items: Items) -> rules.If:
        other = items[-1] if isinstance(items[-1], tuple) else ()
        return rules.If(items[0], _effects(items), other, span=self._span(meta))

    def else_block(self, meta: Meta, items: Items) -> tuple[rules.Effect, ...]:
        return _effects(items)

    else_if = else_block

    def then(self, meta: Meta, items: Items) -> rules.Then:
        choices = self._few(_choices(items), "choices", meta)
        return rules.Then(choices, _effects(items), _clause(items, "when"), span=self._span(meta))

    def proceed(self, meta: Meta, items: Items) -> rules.Proceed:
        move, *given = self._names(items)
        few = self._few(tuple(given), "names", meta)
        return rules.Proceed(move, few, items[-2] is True, items[-1], span=self._span(meta))

    def perform(self, meta: Meta, items: Items) -> rules.Perform:
        called: rules.Call = items[0]
        return rules.Perform(called.name, called.arguments, span=self._span(meta))

    # ---- declarations

    def game_title(self, meta: Meta, items: Items) -> rules.GameTitle:
        title, genre = items
        return rules.GameTitle(str(title)[1:-1], "" if genre is None else str(genre)[1:-1], span=self._span(meta))

    def players(self, meta: Meta, items: Items) -> rules.Players:
        return rules.Players(self._few(self._names(items), "players", meta), span=self._span(meta))

    def board(self, meta: Meta, items: Items) -> rules.Board:
        arguments = tuple(item for item in items if isinstance(item, rules.Argument))
        diagonals = next((item for item in items if item in get_args(Diagonals)), None)
        cut = _clause(items, "cut by")
        return rules.Board(self._names(items), arguments, _clause(items, "without"), diagonals,
                           cut if isinstance(cut, rules.Name) else None, span=self._span(meta))

    def without(self, meta: Meta, items: Items) -> _Clause:
        return _Clause("without", items[0])

    def cut_by(self, meta: Meta, items: Items) -> _Clause:
        return _Clause("cut by", self._name(items[0]))

    def diagonals(self, meta: Meta, items: Items) -> Diagonals:
        return "all" if items[0] is None else "alternate"

    def path_board(self, meta: Meta, items: Items) -> rules.PathBoard:
        paths = tuple(item for item in items if isinstance(item, tuple))
        return rules.PathBoard(self._names(items), paths, span=self._span(meta))

    def path(self, meta: Meta, items: Items) -> tuple[rules.Name, ...]:
        return tuple(items)

    def node(self, meta: Meta, items: Items) -> rules.Name:
        return self._name(items[0])

    def pieces(self, meta: Meta, items: Items) -> rules.Pieces:
        return rules.Pieces(tuple(items), span=self._span(meta))

    def piece(self, meta: Meta, items: Items) -> rules.Piece:
        owner = self._name(items[1]) if items[1] is not None else None
        return rules.Piece(self._name(items[0]), owner, span=self._span(meta))

    def enumeration(self, meta: Meta, items: Items) -> rules.Enumeration:
        return rules.Enumeration(self._name(items[0]), tuple(items[1:]), span=self._span(meta))

    def named_value(self, meta: Meta, items: Items) -> rules.NamedValue:
        drawing = None if items[1] is None else self._string(items[1])
        return rules.NamedValue(self._name(items[0]), drawing, span=self._span(meta))

    def coordinates(self, meta: Meta, items: Items) -> rules.Coordinates:
        return rules.Coordinates(self._string(items[0]), span=self._span(meta))

    def tiles(self, meta: Meta, items: Items) -> rules.Tiles:
        shapes = tuple(item for item in items if isinstance(item, rules.TileShape))
        return rules.Tiles(self._names(items), shapes, span=self._span(meta))

    def tile_shape(self, meta: Meta, items: Items) -> rules.TileShape:
        return rules.TileShape(self._string(items[0]), tuple(items[1:]), span=self._span(meta))

    track = _Players.index_names

    def piles(self, meta: Meta, items: Items) -> rules.Piles:
        return rules.Piles(items[0], span=self._span(meta))

    def links_layer(self, meta: Meta, items: Items) -> rules.LinksLayer:
        name, cell, others, never = items
        return rules.LinksLayer(self._name(name), self._name(cell), others, never is True, span=self._span(meta))

    def course(self, meta: Meta, items: Items) -> rules.Course:
        name, *stretches, cyclic = items
        return rules.Course(self._name(name), tuple(stretches), cyclic is True, span=self._span(meta))

    def stretch(self, meta: Meta, items: Items) -> rules.Stretch:
        return rules.Stretch(tuple(items), span=self._span(meta))

    def start_position(self, meta: Meta, items: Items) -> rules.StartPosition:
        return rules.StartPosition(_effects(items), span=self._span(meta))

    def drawn_start(self, meta: Meta, items: Items) -> rules.StartPosition:
        return rules.StartPosition(_effects(items[1:]), self._string(items[0]), span=self._span(meta))

    def definition(self, meta: Meta, items: Items) -> rules.Definition:
        name, *parameters = self._names(items)
        bound = self._few(tuple(parameters), "parameters", meta)
        return rules.Definition(name, bound, None, items[-1], span=self._span(meta))

    def definition_case(self, meta: Meta, items: Items) -> rules.Definition:
        parameters = self._few(self._names(items[2:-1]), "parameters", meta)
        return rules.Definition(self._name(items[0]), parameters, items[1], items[-1], span=self._span(meta))

    def case(self, meta: Meta, items: Items) -> rules.Name | rules.Index:
        name, *rest = self._names(items)
        return rules.Index(name, rest[0], span=self._span(meta)) if rest else name

    def move_rule(self, meta: Meta, items: Items) -> rules.MoveRule:
        rare, otherwise, name, *rest = items
        return rules.MoveRule(self._name(name), self._few(_choices(rest), "choices", meta), _clause(rest, "when"),
                              _effects(rest), rare is True, otherwise is True, span=self._span(meta))

    def step_rule(self, meta: Meta, items: Items) -> rules.StepRule:
        rare, name, *rest = items
        return rules.StepRule(self._name(name), self._few(_choices(rest), "choices", meta), None, _effects(rest),
                              rare is True, span=self._span(meta))

    def chance_rule(self, meta: Meta, items: Items) -> rules.ChanceRule:
        choices = self._few(_choices(items), "choices", meta)
        return rules.ChanceRule(self._name(items[0]), choices, _clause(items, "when"), _effects(items),
                                weight=_clause(items, "weight"), span=self._span(meta))

    def effect_rule(self, meta: Meta, items: Items) -> rules.EffectRule:
        name, *parameters = self._names([item for item in items if not isinstance(item, rules.Effect)])
        bound = self._few(tuple(parameters), "parameters", meta)
        return rules.EffectRule(name, bound, _effects(items), span=self._span(meta))

    def after_rule(self, meta: Meta, items: Items) -> rules.AfterRule:
        return rules.AfterRule(_effects(items), span=self._span(meta))

    def forced_rule(self, meta: Meta, items: Items) -> rules.ForcedRule:
        choices = self._few(_choices(items), "choices", meta)
        return rules.ForcedRule(self._name(items[0]), choices, _clause(items, "when"),
                                _clause(items, "until"), _effects(items), span=self._span(meta))

    def only_moves(self, meta: Meta, items: Items) -> rules.OnlyMoves:
        return rules.OnlyMoves(str(items[0]), items[1], span=self._span(meta))

    def illegal(self, meta: Meta, items: Items) -> rules.Illegal:
        return rules.Illegal(items[0], span=self._span(meta))

    def pass_rule(self, meta: Meta, items: Items) -> rules.PassRule:
        return rules.PassRule(_clause(items, "when"), span=self._span(meta))

    def pie_rule(self, meta: Meta, items: Items) -> rules.PieRule:
        condition = _clause(items, "when")
        return rules.PieRule(self._integer(items[0]), condition, items[1] is True, span=self._span(meta))

    def turn_again(self, meta: Meta, items: Items) -> rules.TurnAgain:
        return rules.TurnAgain(items[0], span=self._span(meta))

    def turn_passes(self, meta: Meta, items: Items) -> rules.TurnPasses:
        return rules.TurnPasses(items[0], span=self._span(meta))

    def end(self, meta: Meta, items: Items) -> rules.End:
        return rules.End(str(items[0]), self._name(items[1]), items[2], span=self._span(meta))

    def draw(self, meta: Meta, items: Items) -> rules.End:
        return rules.End("draw", None, items[0], span=self._span(meta))

    def no_moves_rule(self, meta: Meta, items: Items) -> rules.NoMovesRule:
        return rules.NoMovesRule(self._name(items[0]), span=self._span(meta))

    def repetition(self, meta: Meta, items: Items) -> rules.Repetition:
        time = None if items[1] is None else self._name(items[1])
        return rules.Repetition(self._name(items[0]), time, span=self._span(meta))

    def value(self, meta: Meta, items: Items) -> rules.Value:
        return rules.Value(items[0], span=self._span(meta))
