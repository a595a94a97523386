"""Rule objects of pattern files: the content of a `.pattern` file as values, in either of its two forms.

Frozen classes, each with its span; class names match the rules of `pattern.lark`. Comments and blank lines are kept
among them, so that a file can be written again. Nothing is resolved here: names are names. `dsl.patterns.parser` and
`dsl.patterns.classic` create these, `dsl.patterns.writer` writes them, `dsl.patterns.resolver` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from dsl.syntax import rules
from dsl.syntax.source import Source

CLASSIC, READABLE = "classic", "readable"
"""The two forms of a file."""
OFFENSIVE, DEFENSIVE = "offensive", "defensive"
"""The two kinds of patterns."""


@attrs.frozen(eq=False, repr=False)
class Place(rules.Node):
    """`(2, -1)`: so many cells to the right of where the pattern begins, and so many ahead of it."""

    across: int
    ahead: int

    @property
    def text(self) -> str:
        """The text of the place."""
        return f"({self.across}, {self.ahead})"


@attrs.frozen(eq=False, repr=False)
class Line(rules.Node):
    """A line of the file."""

    comment: str = attrs.field(default="", kw_only=True, eq=False)
    """The comment at its end, `#` included; '' for none."""


@attrs.frozen(eq=False, repr=False)
class Comment(Line):
    """A line that is only a comment, or blank: its text is `comment`."""


# ---- lines in the first column


@attrs.frozen(eq=False, repr=False)
class PatternsFor(Line):
    """`patterns for "TITLE"`, or `patterns` for any game."""

    title: str | None


@attrs.frozen(eq=False, repr=False)
class Symmetries(Line):
    """`symmetries all turns and mirrors`: how patterns are turned that head nowhere."""

    phrase: tuple[rules.Name, ...]


@attrs.frozen(eq=False, repr=False)
class Toward(rules.Node):
    """`toward goal`, `toward enemy goal`: whose goals a pattern heads for; '' for those of the piece it begins at."""

    side: str


@attrs.frozen(eq=False, repr=False)
class Anchor(rules.Node):
    """Where patterns begin."""

    toward: Toward | None


@attrs.frozen(eq=False, repr=False)
class ChainEnd(Anchor):
    """`own chain end toward goal`: where shortest ways between a side's goals arrive at its chains."""

    side: str


@attrs.frozen(eq=False, repr=False)
class PieceAnchor(Anchor):
    """`enemy piece`"""

    side: str


@attrs.frozen(eq=False, repr=False)
class LastMove(Anchor):
    """`last move`: the cells on which it put a piece."""


@attrs.frozen(eq=False, repr=False)
class AnyCell(Anchor):
    """`any cell`"""


@attrs.frozen(eq=False, repr=False)
class CellIn(Anchor):
    """`cell in S`: a set of the game's language."""

    cells: rules.Expression
    text: str = attrs.field(eq=False)


@attrs.frozen(eq=False, repr=False)
class AnchorLine(Line):
    """`anchor own piece`, `anchor defensive enemy piece`: where the patterns below begin, or those of a kind."""

    kind: str
    """The kind of patterns; '' for both kinds."""
    anchor: Anchor


@attrs.frozen(eq=False, repr=False)
class Group(Line):
    """`group "edges"`: the patterns below belong together."""

    name: str


# ---- lines of a pattern


@attrs.frozen(eq=False, repr=False)
class Statement(Line):
    """A line of a pattern."""


@attrs.frozen(eq=False, repr=False)
class Holds(Statement):
    """`own (1, 2), (2, 1)`, `not own or empty (0, 1)`: what is on every one of some places."""

    negated: bool
    words: tuple[rules.Name, ...]
    places: tuple[Place, ...]


@attrs.frozen(eq=False, repr=False)
class Outside(Statement):
    """`outside (0, 3)`: the board has no such cells."""

    places: tuple[Place, ...]


@attrs.frozen(eq=False, repr=False)
class LinkTest(Statement):
    """`bridge possible (0, 0) (1, 2)`, `bridge exists (0, 0)`: a link between two places, or any at one place."""

    negated: bool
    layer: rules.Name
    exists: bool
    places: tuple[Place, ...]


@attrs.frozen(eq=False, repr=False)
class Condition(Statement):
    """`where P`: any condition of the game's language, in which `(1, 2)` is a cell."""

    expression: rules.Expression
    text: str = attrs.field(eq=False)


@attrs.frozen(eq=False, repr=False)
class Play(Statement):
    """`play (2, 1)`, `play drop((1, 0).column)`: the move to propose."""

    move: rules.Name | None
    arguments: tuple[rules.Expression, ...]
    text: str = attrs.field(eq=False)
    """The text after `play`."""


@attrs.frozen(eq=False, repr=False)
class Row(rules.Node):
    """A row of a diagram: a sign for each cell."""

    signs: str
    lead: int = attrs.field(default=0, eq=False)
    """The number of columns it is shifted to the right, as the rows of a rhombus are drawn."""


@attrs.frozen(eq=False, repr=False)
class Example(Statement):
    """`example rows=8 for Blue:` and a diagram of the board under it: what the pattern must propose there."""

    params: tuple[tuple[str, int], ...]
    player: rules.Name | None
    rows: tuple[Row, ...]


@attrs.frozen(eq=False, repr=False)
class Pattern(Line):
    """A pattern: its head, and its lines in order."""

    kind: str
    name: str
    symmetric: bool
    priority: int | None
    anchor: Anchor | None
    lines: tuple[Line, ...]
    spoilt: bool = attrs.field(default=False, eq=False)
    """Whether a line of it could not be parsed."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its lines without comments."""
        return tuple(line for line in self.lines if isinstance(line, Statement))


@attrs.frozen
class PatternFile:
    """A whole file: its source, its form, and its lines in order."""

    source: Source
    form: str
    lines: tuple[Line, ...]

    def patterns(self) -> Iterator[Pattern]:
        """The patterns, in order."""
        return (line for line in self.lines if isinstance(line, Pattern))

    @property
    def title(self) -> str | None:
        """The title of the game it is for, where it is given."""
        return next((line.title for line in self.lines if isinstance(line, PatternsFor)), None)
