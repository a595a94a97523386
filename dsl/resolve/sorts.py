"""Sorts: the types of values.

Integers carry their range, so that the checker can tell whether a variable can leave its range.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Sort:
    """Base of all sorts; `str` gives the word used in messages."""

    def __str__(self) -> str:
        return type(self).__name__.lower()


@attrs.frozen
class Integer(Sort):
    """A whole number from `low` to `high`, both included; `role` is 'row' or 'column' for those, else ''."""

    low: int
    high: int
    role: str = ""

    def __str__(self) -> str:
        return self.role or "number"


@attrs.frozen
class Boolean(Sort):
    """True or false: a condition."""

    def __str__(self) -> str:
        return "condition"


@attrs.frozen
class Cell(Sort):
    """A cell of the board, or nothing where a step leaves the board."""


@attrs.frozen
class Piece(Sort):
    """A kind of piece with its owner, or empty."""


@attrs.frozen
class Player(Sort):
    """One of the players."""


@attrs.frozen
class Direction(Sort):
    """A direction of the board."""


@attrs.frozen
class Enumerated(Sort):
    """One of the words of a `values` declaration."""

    name: str
    values: tuple[str, ...]
    shapes: tuple[tuple[tuple[int, int], ...], ...] = attrs.field(default=(), repr=False)
    """For values that are drawn, how far up and to the right each cell of a shape is from where it is laid."""

    def __str__(self) -> str:
        return self.name


@attrs.frozen
class Covered(Sort):
    """Pieces in a pile under its top, as one number: a digit of `bits` bits for each, the highest piece first.

    0 stands for no piece. A variable of this sort holds `digits` pieces of a cell; rules cannot name it.
    """

    bits: int
    digits: int

    def __str__(self) -> str:
        return "pieces in a pile"


@attrs.frozen
class Kind(Enumerated):
    """A kind of piece, whoever owns it: one of the names of the `pieces` declarations."""

    def __str__(self) -> str:
        return "kind of piece"


@attrs.frozen
class Layer(Sort):
    """A kind of link between cells."""

    def __str__(self) -> str:
        return "kind of link"


@attrs.frozen
class Course(Sort):
    """A track that a game declares, in one of its two directions."""

    def __str__(self) -> str:
        return "track"


@attrs.frozen
class Network(Sort):
    """Cells with what joins them: links or tracks. A set of cells joined to their neighbours is accepted as one."""


@attrs.frozen
class SetOf(Sort):
    """A set of things of one sort."""

    element: Sort

    def __str__(self) -> str:
        return f"set of {self.element}s"


@attrs.frozen
class Nothing(Sort):
    """The sort of `none`."""

    def __str__(self) -> str:
        return "none"


@attrs.frozen
class Unknown(Sort):
    """The sort of what was already reported; fits everywhere, so that each mistake is reported once."""


@attrs.frozen
class Open(Unknown):
    """The sort of a parameter before a call determines it: fits everywhere, and terms made of it are checked."""


BOOLEAN, CELL, PIECE, PLAYER, DIRECTION = Boolean(), Cell(), Piece(), Player(), Direction()
CELLS = SetOf(CELL)
LAYER, NETWORK, COURSE = Layer(), Network(), Course()
SETLIKE: tuple[Sort, ...] = (CELLS, CELL, PIECE, COURSE)
"""Sorts of a set of cells, or of what stands for one: a cell, the cells that hold a piece, those of a track."""
UNKNOWN, OPEN, NOTHING = Unknown(), Open(), Nothing()
ANY_INTEGER = Integer(-(10**9), 10**9)


def fits(result: Sort, wanted: Sort) -> bool:
    """Whether a value of one sort can stand where the other is wanted; ranges of integers are ignored."""
    if isinstance(result, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(result, SetOf) and isinstance(wanted, SetOf):
        return fits(result.element, wanted.element)
    if isinstance(result, Integer) and isinstance(wanted, Integer):
        return True
    return result == wanted


def join(left: Sort, right: Sort) -> Sort:
    """The sort of a value that is one or the other; a number without a known range where one of them may be any."""
    if isinstance(left, SetOf) and isinstance(right, SetOf):
        return SetOf(join(left.element, right.element))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, (Unknown, Nothing)):
            return one if isinstance(one, Unknown) and isinstance(other, Integer) else other
    if isinstance(left, Integer) and isinstance(right, Integer):
        return Integer(min(left.low, right.low), max(left.high, right.high))
    return left
