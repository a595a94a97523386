"""The base classes of function words, which join what the interpreter, the analyses and the compiler need of each.

Each word has its record in `dsl.words` and a `Meaning` in one module of this package. A missing method is an error when
the module is imported: a `Meaning` cannot be instantiated without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import Value
from dsl.words import WORDS
from interpreter.compiler import ir

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Function


class Meaning(ABC):
    """The meaning of one word, or of several that differ in their constructor's arguments."""

    @abstractmethod
    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        """Compile a call into the function that gives its value in a position, which is the definition of the word."""

    @abstractmethod
    def bounds(self, known: BoardBounds, term: hir.Apply) -> Value:
        """Bounds on a call's value where only part of the position is known. Raises Unclear."""

    @abstractmethod
    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        """The IR that gives a call's value: a number, a condition or a set, by the sort of the word."""

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """A call's normal form, seen through a symmetry of the board. Raises Unclear."""
        return (term.function, *renaming.arguments(term))

    def may_be_none(self, terms: ExprLowering, term: hir.Apply) -> bool:
        """Whether a call may give none, as far as the compiler knows its arguments."""
        return WORDS[term.function].may_be_none


class Unbounded(Meaning):
    """A word whose value has no bounds without a position."""

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Value:
        """All values of the word's sort."""
        return known.anything(term.sort)
