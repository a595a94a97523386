"""What a term reads of a position: the one answer to "can this be another thing in another position?".

`TERMS` has an answer for each class of term, `WORDS` for each function of the language, each for the term or function
itself without its parts; `reads(node)` joins the answers of a node and everything inside it. A kind of term or a word
without an answer raises KeyError, so that none is taken for fixed by mistake. Asked by the resolver (links must not
depend on the position), by `interpreter.analysis.fixed`, `interpreter.analysis.connections`,
`interpreter.analysis.termination` and the compiler.
"""

from __future__ import annotations

from enum import Flag, auto
from functools import reduce
from operator import or_

import attrs

from dsl import hir


class Reads(Flag):
    """Parts of a position, and who moves in it."""

    NOTHING = 0
    PIECES = auto()
    """What stands on cells."""
    VARIABLES = auto()
    LINKS = auto()
    MOVER = auto()
    """Who makes the move, or who moves next."""
    POSITION = PIECES | VARIABLES | LINKS


@attrs.frozen
class Word:
    """The answer for a function of the language."""

    reads: Reads = Reads.NOTHING
    """What it reads itself; its arguments are asked by themselves."""
    grows: bool = False
    """Whether it gives a set that only grows when the sets among its arguments do, all else being the same."""
    floods: bool = False
    """Whether it follows a network, so that it may go through the whole board."""


TERMS: dict[type[hir.Expr], Reads] = {
    hir.Literal: Reads.NOTHING,
    hir.NamedCell: Reads.NOTHING,
    hir.Local: Reads.NOTHING,
    hir.Role: Reads.MOVER,
    hir.OwnPiece: Reads.NOTHING,
    hir.Variable: Reads.VARIABLES,
    hir.CellsOf: Reads.PIECES,
    hir.CellsHolding: Reads.PIECES,
    hir.Owned: Reads.PIECES | Reads.MOVER,
    hir.Region: Reads.NOTHING,
    hir.Listing: Reads.NOTHING,
    hir.Numbers: Reads.NOTHING,
    hir.CellSet: Reads.NOTHING,
    hir.Linked: Reads.LINKS,
    hir.Track: Reads.PIECES,
    hir.Comprehension: Reads.NOTHING,
    hir.Quantified: Reads.NOTHING,
    hir.Only: Reads.NOTHING,
    hir.Aggregate: Reads.NOTHING,
    hir.Let: Reads.NOTHING,
    hir.Arithmetic: Reads.NOTHING,
    hir.SetArithmetic: Reads.NOTHING,
    hir.Comparison: Reads.NOTHING,
    hir.Contains: Reads.NOTHING,
    hir.Exists: Reads.NOTHING,
    hir.Not: Reads.NOTHING,
    hir.All: Reads.NOTHING,
    hir.Any: Reads.NOTHING,
    hir.IfElse: Reads.NOTHING,
    hir.NoMoves: Reads.POSITION | Reads.MOVER,
}
"""Each class of term but `hir.Apply`, whose answer is that of its function."""
WORDS: dict[str, Word] = {
    "step": Word(),
    "coordinate_row": Word(),
    "coordinate_column": Word(),
    "cell": Word(),
    "row": Word(),
    "column": Word(),
    "neighbours": Word(grows=True),
    "degree": Word(),
    "ray": Word(grows=True),
    "group": Word(grows=True, floods=True),
    "leap": Word(),
    "opposite": Word(),
    "piece": Word(Reads.PIECES),
    "joined": Word(floods=True),
    "distance": Word(floods=True),
    "arrivals": Word(floods=True),
    "ways": Word(floods=True),
    "loop": Word(floods=True),
    "spans": Word(Reads.PIECES, floods=True),
    "free": Word(Reads.LINKS),
    "linked": Word(Reads.LINKS),
    "linked_to": Word(Reads.LINKS),
    "facing": Word(Reads.PIECES),
    "side": Word(),
    "line": Word(),
    "lines": Word(grows=True),
    "abs": Word(),
    "count": Word(),
    "sum": Word(),
    "min": Word(),
    "max": Word(),
    "union": Word(grows=True),
}
"""Each function that rules can name, and those that the resolver makes of other words: of `c.north`, `c.row`, ..."""


def reads_itself(node: object) -> Reads:
    """What a node reads without its parts. Raises KeyError for a kind of term, or a function, that has no answer."""
    if isinstance(node, hir.Apply):
        return WORDS[node.function].reads
    if isinstance(node, hir.Expr):
        return TERMS[type(node)]
    return Reads.POSITION if isinstance(node, hir.Effect) else Reads.NOTHING


def reads(node: object) -> Reads:
    """What a node and everything inside it read."""
    return reduce(or_, map(reads_itself, hir.walk(node)), Reads.NOTHING)


def reads_position(node: object) -> bool:
    """Whether a term can be another thing in another position with the same player to move."""
    return any(reads_itself(part) & Reads.POSITION for part in hir.walk(node))


def grows(term: hir.Apply) -> bool:
    """Whether a function gives a set that only grows when the sets among its arguments do."""
    return WORDS[term.function].grows
