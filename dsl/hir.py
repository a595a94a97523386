"""Resolved rules: the meaning of a game file once names are resolved and sorts match.

`dsl.resolve.declarations` creates these from rule objects; the interpreter reads nothing else. Values are plain
integers: a cell is its number in board order, a player, piece (0 is empty), direction or word of a `values` declaration
its index; none is None. A bound name is a slot: an index into the list of values that a rule works with.

Effects and rules are defined here, expressions in `dsl.hir_expressions`; import all of them from this module.
"""

# ruff: noqa: F405 -- names that come with all of a module
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any as Any_

import attrs

from dsl.boards.kind import Diagonals
from dsl.by_fields import ByFields
from dsl.hir_expressions import *  # noqa: F403
from dsl.resolve.sorts import Covered, Enumerated, Sort
from dsl.syntax.source import Source, Span
from dsl.visitor import parts as parts
from dsl.visitor import walk as walk
from dsl.visitor import with_parts as with_parts

# ---- effects


@attrs.frozen(eq=False, repr=False)
class Effect(ByFields):
    """A change of the position."""

    span: Span = attrs.field(kw_only=True, eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Keep(Effect):
    """Bind a slot to what a term is now, for the effects and choices after it; the position stays as it is."""

    slot: int
    name: str
    value: Expr


@attrs.frozen(eq=False, repr=False)
class SetPiece(Effect):
    """Put a piece on a cell, or on every cell of a set."""

    cells: Expr
    piece: Expr
    guard: Expr | None


@attrs.frozen(eq=False, repr=False)
class SetVariable(Effect):
    """Give a variable a value."""

    number: int
    index: Expr | None
    value: Expr
    guard: Expr | None


@attrs.frozen(eq=False, repr=False)
class Carry(Effect):
    """Move a piece from one cell to another."""

    origin: Expr
    destination: Expr


@attrs.frozen(eq=False, repr=False)
class CarryPile(Effect):
    """Move the pile of a cell, or so many pieces off its top, onto or under what is on another; their order stays."""

    amount: Expr | None
    """The number of pieces; None for the whole pile."""
    origin: Expr
    destination: Expr
    under: bool


@attrs.frozen(eq=False, repr=False)
class Put(Effect):
    """Put a piece onto the pile of a cell, or under it."""

    piece: Expr
    cell: Expr
    under: bool


@attrs.frozen(eq=False, repr=False)
class Remove(Effect):
    """Take so many pieces off the top of a pile, or from under it."""

    amount: Expr
    cell: Expr
    under: bool


@attrs.frozen(eq=False, repr=False)
class Slide(Effect):
    """Move all pieces of a set one step; what would leave the set is lost."""

    cells: Expr
    direction: Expr


@attrs.frozen(eq=False, repr=False)
class Rotate(Effect):
    """Turn all pieces of a set about its centre, one step of the board's turns."""

    cells: Expr
    clockwise: bool


@attrs.frozen(eq=False, repr=False)
class Link(Effect):
    """Set, or take away, the link between two cells."""

    origin: Expr
    destination: Expr
    layer: int
    there: bool


@attrs.frozen(eq=False, repr=False)
class Each(Effect):
    """Effects for every element of a set, as the set is before the first of them."""

    binding: Binding
    body: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class If(Effect):
    """Effects that depend on a condition."""

    condition: Expr
    yes: tuple[Effect, ...]
    no: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class Then(Effect):
    """A further choice; always the last effect of its block."""

    choices: tuple[Choice, ...]
    body: tuple[Effect, ...]
    condition: Expr | None = None
    """Evaluated after the effects before it: where it does not hold, the move ends there."""


@attrs.frozen(eq=False, repr=False)
class Proceed(Effect):
    """The move goes on by a move rule, its first choices given; always the last effect of its block."""

    rule: int
    given: tuple[Local, ...]
    may_stop: bool
    condition: Expr | None = None
    """Evaluated after the effects before it: where it does not hold, the move ends there."""


@attrs.frozen(eq=False, repr=False)
class Perform(Effect):
    """The effects of an `effect` declaration, in slots of their own: first its parameters get their values."""

    name: str
    slots: tuple[int, ...]
    values: tuple[Expr, ...]
    body: tuple[Effect, ...]


# ---- rules


@attrs.frozen(eq=False, repr=False)
class Choice(ByFields):
    """One or more names chosen from a set; several names of one choice are unordered and different."""

    slots: tuple[int, ...]
    names: tuple[str, ...]
    domain: Expr
    guard: Expr | None
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Move(ByFields):
    """A move rule."""

    name: str
    choices: tuple[Choice, ...]
    when: Expr | None
    body: tuple[Effect, ...]
    slots: int
    span: Span = attrs.field(eq=False, repr=False)
    rare: bool = attrs.field(default=False, eq=False)
    """Whether the file says that random play hardly ever reaches it."""
    otherwise: bool = False
    """Whether it offers moves only where no move rule before it does."""
    is_step: bool = False
    """Whether moves only continue with it, after `then`: it offers no moves by itself."""
    is_chance: bool = False
    """Whether it is a chance rule, whose moves no player chooses."""
    weight: Expr | None = None
    """The weight of a move by a chance rule relative to the others; None where all are equally likely."""


@attrs.frozen(eq=False, repr=False)
class Forced(ByFields):
    """A forced rule."""

    name: str
    choices: tuple[Choice, ...]
    when: Expr | None
    until: Expr | None
    body: tuple[Effect, ...]
    slots: int
    span: Span = attrs.field(eq=False, repr=False)
    mover: int | None = None
    """The player who is the mover in it, whoever moves; None for the player who moves."""


@attrs.frozen(eq=False, repr=False)
class Condition(ByFields):
    """A condition that stands by itself in the file."""

    term: Expr
    slots: int
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class CellLook(ByFields):
    """`show cells drawn wedges on S`: how some cells are drawn, a word of `dsl.resolve.presentation.CELLS`."""

    look: str
    cells: Condition | None
    """The cells: the set is evaluated at the start; None for all cells."""


@attrs.frozen(eq=False, repr=False)
class End(ByFields):
    """`win`, `lose` or `draw`; `player` is a Literal or Role, None for a draw."""

    kind: str
    player: Expr | None
    condition: Condition
    names_param: bool = False
    """Whether the condition names a param: with other values of it the end may decide."""

    @property
    def span(self) -> Span:
        """The span of the rule."""
        return self.condition.span


@attrs.frozen(eq=False, repr=False)
class Pie(ByFields):
    """The second player may swap sides once `turn` moves have been made: by a symmetry, or by exchanging seats."""

    turn: int
    condition: Condition | None
    by_seats: bool
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Symmetry(ByFields):
    """A board symmetry ('' for none), perhaps with the players swapped and some variables' ranges reversed."""

    phrase: str
    swapping: bool
    reversing: tuple[int, ...]
    condition: Condition | None
    """The positions for which it is claimed; None for all."""
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Field(ByFields):
    """A value in a notation: a term and how it is written ('' plain, else `a`, `A`, `0`, `1`)."""

    term: Expr
    style: str


Template = tuple[str | Field, ...]


@attrs.frozen(eq=False, repr=False)
class PieceKind(ByFields):
    """A piece: its name, owner's index (None: nobody's), glyph and colour."""

    name: str
    owner: int | None
    glyph: str
    colour: str
    sign: str = ""
    """The sign of a tile in the text of moves; '' for other pieces."""
    sides: tuple[int, ...] = ()
    """For each direction the player whose track is at that side of a tile, -1 for none; () for other pieces."""
    shape: str = "disc"
    """How it is drawn in pictures, a word of `dsl.resolve.presentation.SHAPES`."""
    size: int = 0
    """The size it is drawn at, relative to the game's other pieces; 0 where the file does not say."""
    sized_by: str = ""
    """What determines its size instead: `row` or `column` of its cell, or a variable of its cell; '' for none."""


@attrs.frozen(eq=False, repr=False)
class LayerKind(ByFields):
    """A kind of link: for each cell, bound to `slot`, those that it can be linked to; evaluated on the empty board."""

    name: str
    slot: int
    slots: int
    others: Expr
    never_crossing: bool
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class CourseKind(ByFields):
    """A track: stretches, each of one cell or straight from one to the next; evaluated on the empty board."""

    name: str
    stretches: tuple[tuple[Expr, ...], ...]
    slots: int
    cyclic: bool
    """Whether the first cell follows the last one."""
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class VariableKind(ByFields):
    """A variable: what it is indexed by, its sort, whether it may be none, its first value.

    The index is '' for the whole game, and `cell, player` for pairs.
    """

    name: str
    index: str
    sort: Sort
    or_none: bool
    initial: Expr | None
    span: Span = attrs.field(eq=False, repr=False)
    aside: bool = False
    """Whether positions that differ in it alone are the same for the repetition rule."""
    drawn: bool = True
    """Whether boards and what stands beside them show it; it is `drawn nothing` otherwise."""

    @property
    def indices(self) -> tuple[str, ...]:
        """The names of its indices: none, one or two."""
        return tuple(self.index.split(", ")) if self.index else ()


@attrs.frozen(eq=False, repr=False)
class BoardKind(ByFields):
    """Which board, of which shape; `without` is evaluated on the full board."""

    kind: str
    shape: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]
    without: Expr | None
    coordinates: str | None
    span: Span = attrs.field(eq=False, repr=False)
    coordinates_span: Span | None = attrs.field(default=None, eq=False, repr=False)
    diagonals: Diagonals | None = None
    """Which cells are also neighbours of the cells that they touch at a corner."""


@attrs.frozen(eq=False, repr=False)
class Hidden(ByFields):
    """What a player does not see. In its terms `mover` is the player who looks, whoever is to move."""

    variable: int | None
    """The variable that is hidden; None where the contents of cells are hidden."""
    index: int | None
    """The slot of the variable's index, where the rule names it."""
    cells: Binding | None
    """The cells whose contents are hidden."""
    condition: Expr | None
    """Where it does not hold, the player sees it."""
    shown: Expr | None
    """What the cells appear to hold; None for nothing."""
    slots: int
    choice: bool = False
    """Whether it hides what a player has chosen where players move together, and is not declared in the file."""
    span: Span = attrs.field(eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class Payoff(ByFields):
    """What a finished game is worth to a player."""

    player: int
    mover: int
    """The player who is `mover` in the term: the one whose payoff the file declares."""
    value: Expr
    slots: int
    negated: bool = False
    """Whether it is the negated payoff of the other of two players, as the file declares only that."""
    span: Span = attrs.field(eq=False, repr=False, kw_only=True)


@attrs.frozen(eq=False, repr=False)
class Rules(ByFields):
    """A whole game, ready to be played."""

    source: Source = attrs.field(eq=False, repr=False)
    title: str
    params: Mapping[str, int]
    players: tuple[str, ...]
    board: BoardKind
    pieces: tuple[PieceKind, ...]
    """Index 0 is empty."""
    layers: tuple[LayerKind, ...]
    courses: tuple[CourseKind, ...]
    variables: tuple[VariableKind, ...]
    enumerations: tuple[Enumerated, ...]
    start: tuple[Effect, ...]
    start_slots: int
    moves: tuple[Move, ...]
    after: tuple[Forced, ...]
    """`after every move`: effects after each move, applied once and before forced rules; without choices."""
    forced: tuple[Forced, ...]
    illegal: tuple[Condition, ...]
    passing: Condition | None
    pies: tuple[Pie, ...]
    again: tuple[Condition, ...]
    passes: tuple[Condition, ...]
    """`turn passes when`: after which chance moves the next player has the turn."""
    ends: tuple[End, ...]
    no_moves: str
    """'loses', 'wins', 'draws', 'passes', or '' where the file does not say."""
    repetition: str
    """'draws', 'loses', 'forbidden', or ''."""
    repetition_at: int
    """At which occurrence of a position the repetition rule applies: 2 where the file does not say."""
    symmetries: tuple[Symmetry, ...]
    notations: Mapping[int, tuple[Template, ...]]
    """By number of the move rule; -1 for the pass, -2 for the swap."""
    value: Condition | None
    empty_glyph: str
    order: tuple[int, ...] = ()
    """`turn order`: the player to move at each place; empty where players take turns in the order of their declaration.
    """
    loop: int = 0
    """The place that follows the last one of the order."""
    teams: Mapping[str, tuple[int, ...]] = attrs.field(factory=dict)
    """The players of each team, in their order, by its name."""
    genre: str = ""
    """The genre under which lists of games show it; '' where the file does not say."""
    piles: int = 0
    """The maximum number of pieces on a cell; 0 where there are no piles. The pieces under the tops are stored in the
    last variables, of the sort `Covered`."""
    cells_drawn: tuple[CellLook, ...] = ()
    """How cells are drawn in pictures: where several looks apply to a cell, the last one counts; plain where none does.
    """
    hidden: tuple[Hidden, ...] = ()
    """The information that is hidden from some players."""
    together: bool = False
    """Whether all players choose before any of their moves is carried out: see `dsl.resolve.together`."""
    payoffs: tuple[Payoff, ...] = ()
    """The payoff of each player at the end, in their order; () where winning is worth 1 and losing -1."""
    ranking: Condition | None = None
    """`only moves with`: a number evaluated after each move; only the legal moves with the greatest are kept."""
    no_moves_span: Span | None = attrs.field(default=None, eq=False, repr=False)
    repetition_span: Span | None = attrs.field(default=None, eq=False, repr=False)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """For each player the one under whose number a win is counted: the first of the team, or the player alone."""
        first = {player: team[0] for team in self.teams.values() for player in team}
        return tuple(first.get(player, player) for player in range(len(self.players)))

    @cached_property
    def own(self) -> tuple[tuple[int, ...], ...]:
        """For each player the pieces that the player owns: those of `mine`."""
        return tuple(tuple(index for index, piece in enumerate(self.pieces) if index and piece.owner == player)
                     for player in range(len(self.players)))

    @cached_property
    def others(self) -> tuple[tuple[int, ...], ...]:
        """For each player the pieces of the players on other sides: those of `theirs`."""
        return tuple(tuple(index for index, piece in enumerate(self.pieces) if index and piece.owner is not None
                           and self.sides[piece.owner] != self.sides[player]) for player in range(len(self.players)))

    def movers(self, rule: object) -> Sequence[int]:
        """The players who can be the mover in a rule: all, unless it is carried out for one of them."""
        mover = rule.mover if isinstance(rule, Forced | Payoff) else None
        return range(len(self.players)) if mover is None else (mover,)

    @cached_property
    def has_precedence(self) -> bool:
        """Whether a move rule applies only where others offer no move."""
        return any(rule.otherwise for rule in self.moves)

    @cached_property
    def breaks_off(self) -> bool:
        """Whether a condition can stop forced rules at different places, by the order in which they are applied."""
        return any(rule.until is not None or rule.when is not None for rule in self.forced)

    @cached_property
    def has_chance(self) -> bool:
        """Whether there is a chance rule."""
        return any(rule.is_chance for rule in self.moves)

    @cached_property
    def is_weighted(self) -> bool:
        """Whether chance moves may have different weights."""
        return any(rule.weight is not None for rule in self.moves)

    @cached_property
    def nodes(self) -> tuple[object, ...]:
        """Every term, binding, choice and effect except those of the board, each before its parts; computed once."""
        _, *result = walk((self.pieces, self.layers, self.courses, self.variables, self.start, self.moves, self.after,
                           self.forced, self.illegal, _some(self.passing), self.pies, self.again, self.passes,
                           self.ends, self.symmetries, tuple(self.notations.values()), _some(self.value),
                           self.hidden, self.payoffs, _some(self.ranking)))
        return tuple(result)


def said_variables(rules: Rules) -> tuple[VariableKind, ...]:
    """The variables that the file declares, without those for the pieces in piles, which are the last ones."""
    return tuple(kind for kind in rules.variables if not isinstance(kind.sort, Covered))


def drawn_variables(rules: Rules) -> tuple[tuple[int, VariableKind], ...]:
    """The declared variables that are shown to players, with their numbers."""
    return tuple((number, kind) for number, kind in enumerate(said_variables(rules)) if kind.drawn)


def kinds_of(pieces: Iterable[PieceKind]) -> tuple[str, ...]:
    """The kinds of pieces in the order of their declarations; a name stands once for the pieces of all players."""
    return tuple(dict.fromkeys(piece.name for piece in pieces if piece.name != "empty" and not piece.sides))


def slots_of(term: Expr) -> int:
    """The number of slots of a term that stands by itself."""
    return 1 + max((part.slot for part in walk(term) if isinstance(part, (Local, Binding, Let))), default=-1)


_BOUND: Mapping[type, Callable[[Any_], tuple[int, ...]]] = {
    **dict.fromkeys((Binding, Let), lambda node: (node.slot,)),
    Perform: lambda node: node.slots,
    **dict.fromkeys((Comprehension, Quantified, Only, Aggregate, Closure, Each), lambda node: (node.binding.slot,)),
    Cheapest: lambda node: (node.origin.slot, node.step.slot),
}


def bound_in(node: object) -> tuple[int, ...]:
    """The slots that a node itself binds for its parts."""
    result = _BOUND.get(node.__class__)
    return () if result is None else result(node)


def walk_rules(rules: Rules) -> Iterator[object]:
    """Every term, binding, choice and effect of a game's rules, except those of the board."""
    return iter(rules.nodes)


def _some(condition: Condition | None) -> tuple[Condition, ...]:
    return () if condition is None else (condition,)
