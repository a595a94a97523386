"""Rule objects: the content of a `.game` file as values.

Frozen classes, each with its span and with fields in the order of the grammar; class names match the grammar's rules.
Nothing is resolved here: names are names. `dsl.syntax.parser` creates the objects, `dsl.resolve.declarations` reads
them. Effects and declarations are defined here, expressions in `dsl.syntax.expressions`; import all of them from this
module.
"""

# ruff: noqa: F405 -- names that come with all of a module
from __future__ import annotations

from typing import TypeVar

import attrs

from dsl.boards.kind import Diagonals
from dsl.by_fields import ByFields
from dsl.syntax.expressions import *  # noqa: F403
from dsl.syntax.source import Source
from dsl.visitor import parts
from dsl.visitor import walk as walk

# ---- effects


@attrs.frozen(eq=False, repr=False)
class Effect(Node):
    """Something that changes the position."""


@attrs.frozen(eq=False, repr=False)
class LetEffect(Effect):
    """`let p = piece(c)`: a name for what a value is here, to the end of the block."""

    name: Name
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Assign(Effect):
    """`c := own if P`, `wall[a], wall[b] := true`"""

    targets: tuple[Expression, ...]
    value: Expression
    guard: Expression | None


@attrs.frozen(eq=False, repr=False)
class Change(Effect):
    """`count[c] += 1 if P`, `count[c], total += 1`"""

    targets: tuple[Expression, ...]
    operator: str
    value: Expression
    guard: Expression | None


@attrs.frozen(eq=False, repr=False)
class Carry(Effect):
    """`carry c to d`: the piece on one cell goes to another."""

    origin: Expression
    destination: Expression


@attrs.frozen(eq=False, repr=False)
class CarryPile(Effect):
    """`carry a onto b`, `carry 2 from a under b`: the pile of one cell, or the top of it, joins that of another."""

    amount: Expression | None
    origin: Expression
    destination: Expression
    under: bool


@attrs.frozen(eq=False, repr=False)
class Put(Effect):
    """`put own on c`, `put own under c`: a piece comes onto, or under, the pile of a cell."""

    piece: Expression
    cell: Expression
    under: bool


@attrs.frozen(eq=False, repr=False)
class Remove(Effect):
    """`remove 2 from c`, `remove 1 from under c`: the top pieces of a pile, or the lowest ones, leave the board."""

    amount: Expression
    cell: Expression
    under: bool


@attrs.frozen(eq=False, repr=False)
class Slide(Effect):
    """`slide row(r) west`, `slide S towards d if P else e`: every piece of a set one step; what leaves it is lost."""

    cells: Expression
    direction: Expression


@attrs.frozen(eq=False, repr=False)
class Rotate(Effect):
    """`turn block(b) clockwise`: every piece of a set goes round the set's centre."""

    cells: Expression
    way: Name


@attrs.frozen(eq=False, repr=False)
class Link(Effect):
    """`link c to n by bridge`: two cells are linked."""

    origin: Expression
    destination: Expression
    layer: Name


@attrs.frozen(eq=False, repr=False)
class Unlink(Effect):
    """`unlink c to n by bridge`: the link between two cells is taken away."""

    origin: Expression
    destination: Expression
    layer: Name


@attrs.frozen(eq=False, repr=False)
class Each(Effect):
    """`each n in S where P:` and effects, for every element in board order."""

    choice: Choice
    body: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class If(Effect):
    """`if P:` effects, `else:` effects"""

    condition: Expression
    yes: tuple[Effect, ...]
    no: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class Then(Effect):
    """`then b in S:` and effects: a further choice in the same move, made after the effects so far."""

    choices: tuple[Choice | LetClause, ...]
    body: tuple[Effect, ...]
    when: Expression | None = None
    """The condition; where it does not hold, the move ends instead."""


@attrs.frozen(eq=False, repr=False)
class Proceed(Effect):
    """`then jump(b) or stop if P`: the same move goes on by a move rule, its first choices given."""

    move: Name
    given: tuple[Name, ...]
    may_stop: bool
    guard: Expression | None = None
    """The condition; where it does not hold, the move ends instead."""


@attrs.frozen(eq=False, repr=False)
class Perform(Effect):
    """`capture(c)`: the effects of an `effect` declaration, its parameters bound to values."""

    name: Name
    arguments: tuple[Argument, ...]


# ---- declarations


@attrs.frozen(eq=False, repr=False)
class Declaration(Node):
    """One item of a file."""


_Declaration = TypeVar("_Declaration", bound="Declaration")


@attrs.frozen(eq=False, repr=False)
class GameTitle(Declaration):
    """`game "TITLE" in "GENRE"`"""

    title: str
    genre: str = ""
    """The genre under which lists of games show it; '' where the file does not say."""


@attrs.frozen(eq=False, repr=False)
class Param(Declaration):
    """`param size = 11 in 1..26`; several with commas, `param rows = 3 in 1..9, columns = 4 in 1..9`"""

    name: Name
    default: Expression
    limits: Range | None


@attrs.frozen(eq=False, repr=False)
class Players(Declaration):
    """`players Red, Blue`"""

    names: tuple[Name, ...]


@attrs.frozen(eq=False, repr=False)
class Board(Declaration):
    """`board rhombus(6, 6) without corners`, `board square(8, 8) with diagonals`, `... with alternate diagonals`, \
`... cut by wall`"""

    words: tuple[Name, ...]
    arguments: tuple[Argument, ...]
    without: Expression | None
    diagonals: Diagonals | None = None
    cut: Name | None = None
    """The variable of borders: no step leads across a border where it holds."""


@attrs.frozen(eq=False, repr=False)
class PathBoard(Declaration):
    """`board graph:` and lines `a - b - c`, each a path of neighbours."""

    words: tuple[Name, ...]
    paths: tuple[tuple[Name, ...], ...]


@attrs.frozen(eq=False, repr=False)
class Piece(Node):
    """`red of Red`, `neutral`, `man of each`"""

    name: Name
    owner: Name | None


@attrs.frozen(eq=False, repr=False)
class Pieces(Declaration):
    """`pieces red of Red, blue of Blue`"""

    pieces: tuple[Piece, ...]


@attrs.frozen(eq=False, repr=False)
class TileShape(Node):
    """`"/" joins north west, south east`: a sign, and the sides that each track of the tile joins."""

    sign: Text
    tracks: tuple[tuple[Name, ...], ...]


@attrs.frozen(eq=False, repr=False)
class Tiles(Declaration):
    """`tiles with a track of each player:` and a line for each shape."""

    words: tuple[Name, ...]
    shapes: tuple[TileShape, ...]


@attrs.frozen(eq=False, repr=False)
class Piles(Declaration):
    """`piles up to 5`: a cell holds a pile of so many pieces at most."""

    most: Expression


@attrs.frozen(eq=False, repr=False)
class LinksLayer(Declaration):
    """`links bridge between c and leap(c, 1, 2) never crossing`: which cells can be linked."""

    name: Name
    cell: Name
    others: Expression
    never_crossing: bool


@attrs.frozen(eq=False, repr=False)
class Stretch(Node):
    """A part of a track: one cell, or those on straight lines from one to the next, `"a1" to "c1" to "c3"`."""

    points: tuple[Expression, ...]


@attrs.frozen(eq=False, repr=False)
class Course(Declaration):
    """`track inner = "a2" to "f2", "e1" to "e6" cyclic`: cells one after another; tiles have tracks, too."""

    name: Name
    stretches: tuple[Stretch, ...]
    cyclic: bool


@attrs.frozen(eq=False, repr=False)
class NamedValue(Node):
    """`placing`; `ell as "x./xx"`, a value with a shape."""

    name: Name
    drawing: Text | None


@attrs.frozen(eq=False, repr=False)
class Enumeration(Declaration):
    """`values phase = placing, moving`; `values tile = ell as "x./xx", bar as "xx"`"""

    name: Name
    values: tuple[NamedValue, ...]


@attrs.frozen(eq=False, repr=False)
class Coordinates(Declaration):
    """`coordinates "{column:a}{row:1 up}"`"""

    template: Text


@attrs.frozen(eq=False, repr=False)
class Variable(Declaration):
    """`var shift[row] in 0..reach = 1`, `var seen[cell, player] in boolean, clock in 0..100 aside`"""

    name: Name
    index: Name | None
    second: Name | None
    """The other index, where it has two."""
    domain: Expression
    or_none: bool
    initial: Expression | None
    aside: bool = False
    """Whether positions that differ in it alone are the same for the repetition rule."""


@attrs.frozen(eq=False, repr=False)
class StartPosition(Declaration):
    """`start:` and effects; `start as "rr/2/bb"`, perhaps with `:` and effects behind it"""

    body: tuple[Effect, ...]
    drawing: Text | None = None


@attrs.frozen(eq=False, repr=False)
class Definition(Declaration):
    """`define wiped_out = ...`, `define goal(p) = ...`, or one case `define goal[Red] = ...`"""

    name: Name
    parameters: tuple[Name, ...]
    case: Name | Index | None
    """The case in brackets: a name, or one player's piece, `man[Red]`."""
    body: Expression

    @property
    def case_text(self) -> str:
        """The case as it is written in the file, or ''."""
        if isinstance(self.case, Index):
            assert isinstance(self.case.index, Name)
            return f"{self.case.name.text}[{self.case.index.text}]"
        return "" if self.case is None else self.case.text


@attrs.frozen(eq=False, repr=False)
class MoveRule(Declaration):
    """`move place(c in empty) when P:` and effects, perhaps with `rare` or `otherwise` before it"""

    name: Name
    choices: tuple[Choice | LetClause, ...]
    when: Expression | None
    body: tuple[Effect, ...]
    rare: bool = False
    """Whether random play hardly ever reaches it."""
    otherwise: bool = False


@attrs.frozen(eq=False, repr=False)
class StepRule(MoveRule):
    """`step jump(a in S, b in T):` and effects, perhaps with `rare` before it: how moves only go on, after `then`"""


@attrs.frozen(eq=False, repr=False)
class ChanceRule(MoveRule):
    """`chance roll(d in 1..6) weight w[d] when P:` and effects: a move that nobody chooses"""

    weight: Expression | None = None
    """The weight of a choice relative to the others, a whole number; None where all are equally likely."""


@attrs.frozen(eq=False, repr=False)
class EffectRule(Declaration):
    """`effect capture(c):` and effects: a name for effects that several rules share"""

    name: Name
    parameters: tuple[Name, ...]
    body: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class AfterRule(Declaration):
    """`after every move:` and effects"""

    body: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class ForcedRule(Declaration):
    """`forced fall(c in S where P) until Q:` and effects"""

    name: Name
    choices: tuple[Choice | LetClause, ...]
    when: Expression | None
    until: Expression | None
    body: tuple[Effect, ...]


@attrs.frozen(eq=False, repr=False)
class Illegal(Declaration):
    """`illegal when P`"""

    condition: Expression


@attrs.frozen(eq=False, repr=False)
class OnlyMoves(Declaration):
    """`only moves with most E`, `only moves with least E`"""

    kind: str
    expression: Expression


@attrs.frozen(eq=False, repr=False)
class PassRule(Declaration):
    """`pass`, `pass when P`"""

    condition: Expression | None


@attrs.frozen(eq=False, repr=False)
class PieRule(Declaration):
    """`pie rule after turn 1`, `pie rule after turn 1 by seats when P`"""

    turn: int
    condition: Expression | None
    by_seats: bool = False


@attrs.frozen(eq=False, repr=False)
class TurnAgain(Declaration):
    """`turn again when P`"""

    condition: Expression


@attrs.frozen(eq=False, repr=False)
class TurnOrder(Declaration):
    """`turn order White then Black, Black, White, White`"""

    first: tuple[Name, ...]
    """The players of the turns before the cycle, which are taken once."""
    cycle: tuple[Name, ...]


@attrs.frozen(eq=False, repr=False)
class Team(Declaration):
    """`team Blue = North, South`"""

    name: Name
    players: tuple[Name, ...]


@attrs.frozen(eq=False, repr=False)
class TurnPasses(Declaration):
    """`turn passes when P`, asked after a move of chance"""

    condition: Expression


@attrs.frozen(eq=False, repr=False)
class End(Declaration):
    """`win Red when P`, `lose mover when P`, `draw when P`"""

    kind: str
    player: Name | None
    condition: Expression


@attrs.frozen(eq=False, repr=False)
class NoMovesRule(Declaration):
    """`no moves loses`"""

    result: Name


@attrs.frozen(eq=False, repr=False)
class Repetition(Declaration):
    """`repetition draws`, `repetition draws at third`"""

    result: Name
    time: Name | None = None
    """At which occurrence of a position the rule applies: a word such as `third`."""


@attrs.frozen(eq=False, repr=False)
class SymmetryRule(Declaration):
    """`symmetry half turn, diagonal mirror swapping players`, `symmetry left right mirror reversing shift`"""

    phrase: tuple[Name, ...]
    swapping: tuple[Name, ...]
    reversing: tuple[Name, ...]
    condition: Expression | None = None


@attrs.frozen(eq=False, repr=False)
class Notation(Declaration):
    """`notation generate "{own}{a}?{b}" or "?{b}{own}{a}", place "{c}"`: the first of a move is written, all are read.

    Several moves can have the same, `notation deal, exchange "{k}"`.
    """

    moves: tuple[Name, ...]
    templates: tuple[Text, ...]


@attrs.frozen(eq=False, repr=False)
class Value(Declaration):
    """`value count(mine) - count(theirs)`"""

    expression: Expression


@attrs.frozen(eq=False, repr=False)
class Hidden(Declaration):
    """`hidden hand[p] from others of p`, `hidden c in theirs where not found[c] as back when P`"""

    what: Choice | Index | Name
    """Cells to iterate over, a variable with a name for its index, or a variable or set of cells by its name."""
    shown: Expression | None
    """What hidden cells appear to hold."""
    viewer: Expression | None
    """The player who does not see it, or with `others` the only one who does; None for everyone."""
    others: bool
    condition: Expression | None


@attrs.frozen(eq=False, repr=False)
class Together(Declaration):
    """`players move together`"""


@attrs.frozen(eq=False, repr=False)
class Payoff(Declaration):
    """`payoff X = won[X] - won[O]`, `payoff each = won[mover]`"""

    player: Name
    value: Expression


@attrs.frozen(eq=False, repr=False)
class Show(Declaration):
    """`show red as "X" drawn cross sized 2 in red, man[White] as "m"`, `show cells drawn wedges on S`"""

    piece: Name
    glyph: Text | None
    drawn: Name | None
    """Its shape in pictures."""
    sized: Name | None
    """Its size in pictures: a number, or an expression that has one."""
    colour: str | None
    on: Expression | None = None
    """The cells that are drawn this way; None for all."""
    whose: Name | None = None
    """The player whose piece is meant; None for the pieces of all players."""


@attrs.frozen(eq=False, repr=False)
class GameFile(ByFields):
    """A whole file: its source and declarations in order."""

    source: Source
    declarations: tuple[Declaration, ...]
    guesses: frozenset[str] = frozenset()
    """Words in declarations that could not be parsed: an unknown name may refer to one of them."""

    def all(self, kind: type[_Declaration]) -> list[_Declaration]:
        """The declarations of a kind, in order."""
        return [item for item in self.declarations if isinstance(item, kind)]


def depth(node: Node) -> tuple[int, Node]:
    """The depth of the tree of a node, and a deepest node; computed without recursion, so that any depth can be
    measured."""
    deepest, place = 0, node
    stack: list[tuple[int, Node]] = [(1, node)]
    while stack:
        level, current = stack.pop()
        if level > deepest:
            deepest, place = level, current
        stack.extend((level + 1, child) for child in parts(current))
    return deepest, place
