"""What a term reads of a position, and so whether its value can differ between positions.

`TERMS` has an entry for each class of term, `dsl.words` for each function word, each for the term or word itself
without its parts; `reads(node)` joins the entries of a node and everything inside it. A class of term or a word without
an entry raises KeyError, so that none is taken for constant by mistake. Used by the resolver (links must not depend on
the position), by `interpreter.analysis.fixed`, `interpreter.analysis.connections`, `interpreter.analysis.termination`
and the compiler.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from dsl import hir
from dsl.words import WORDS, Reads

TERMS: dict[type[hir.Expr], Reads] = {
    hir.Literal: Reads.NOTHING,
    hir.NamedCell: Reads.NOTHING,
    hir.Local: Reads.NOTHING,
    hir.Role: Reads.MOVER,
    hir.OwnPiece: Reads.NOTHING,
    hir.Pair: Reads.NOTHING,
    hir.Variable: Reads.VARIABLES,
    hir.CellsOf: Reads.PIECES,
    hir.CellsHolding: Reads.PIECES,
    hir.Owned: Reads.PIECES | Reads.MOVER,
    hir.Region: Reads.NOTHING,
    hir.Listing: Reads.NOTHING,
    hir.Listed: Reads.NOTHING,
    hir.Numbers: Reads.NOTHING,
    hir.CellSet: Reads.NOTHING,
    hir.Linked: Reads.LINKS,
    hir.Cut: Reads.VARIABLES,
    hir.Track: Reads.PIECES,
    hir.Comprehension: Reads.NOTHING,
    hir.Quantified: Reads.NOTHING,
    hir.Only: Reads.NOTHING,
    hir.Aggregate: Reads.NOTHING,
    hir.Closure: Reads.NOTHING,
    hir.Cheapest: Reads.NOTHING,
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
"""What each class of term reads itself; `hir.Apply` is missing, as it depends on the function."""


def reads_itself(node: object) -> Reads:
    """What a node itself reads, without its parts. Raises KeyError for a class of term, or a function, without an
    entry."""
    if isinstance(node, hir.Apply):
        return WORDS[node.function].reads
    if isinstance(node, hir.Expr):
        return TERMS[type(node)]
    return Reads.POSITION if isinstance(node, hir.Effect) else Reads.NOTHING


def reads(node: object) -> Reads:
    """What a node and everything inside it read."""
    return reduce(or_, map(reads_itself, hir.walk(node)), Reads.NOTHING)


def reads_position(node: object) -> bool:
    """Whether the value of a term can differ between positions with the same player to move."""
    return any(reads_itself(part) & Reads.POSITION for part in hir.walk(node))


def grows(term: hir.Apply) -> bool:
    """Whether the result of a function only grows, or stays true, when the sets among its arguments grow."""
    return WORDS[term.function].grows
