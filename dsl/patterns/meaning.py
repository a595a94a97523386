"""Resolved patterns: the meaning of a pattern file for a game.

`dsl.patterns.resolver` creates these, `interpreter.patterns.matching` matches them. A condition is a predicate, a term
of the game's language over bound cells, together with the relative places of these cells; patterns share predicates.
"""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.patterns import rules as pattern_rules
from dsl.syntax.source import Source

Offset = tuple[int, int]
"""A relative place: the number of cells across, and the number ahead."""


@attrs.frozen
class Predicate:
    """A condition on some cells, which are bound to the first slots of a term in order."""

    term: hir.Expr
    cells: int
    """The number of cells it refers to."""
    asks_goal: bool = attrs.field(eq=False)
    """Whether the slot after those of the cells is the set of the goal's cells."""
    slots: int = attrs.field(eq=False)


@attrs.frozen
class Test:
    """A predicate at relative places."""

    predicate: int
    """The index of the predicate in `Resolved.predicates`."""
    places: tuple[Offset, ...]


@attrs.frozen
class Chain:
    """A network that a player wants to join: the sides to join, and the cells through which it may still grow."""

    player: int
    network: hir.Expr
    sides: tuple[hir.Expr, ...]
    extra: hir.Expr


@attrs.frozen
class Start:
    """Where patterns begin: a set of cells, the last move (neither), or the ends of a side's chains."""

    cells: hir.Expr | None
    chain_of: str
    """'own' or 'enemy' for the ends of chains, else ''."""
    toward: str
    """Whose goals the pattern heads for, 'own' or 'enemy'; '' for patterns without a goal."""


@attrs.frozen
class Proposal:
    """The move that a pattern proposes: a move rule and the values of its choices."""

    rule: int
    predicates: tuple[Test, ...]
    """A term over cells at relative places for each value."""
    sorted_values: tuple[tuple[int, ...], ...]
    """Groups of positions of values that are chosen together, in any order."""
    place: Offset
    """The cell it is played on: the first relative place that it names."""


@attrs.frozen
class ResolvedPattern:
    """A resolved pattern."""

    rule: pattern_rules.Pattern
    number: int
    group: str
    start: int
    """The index of its start in `Resolved.starts`."""
    priority: int
    tests: tuple[Test, ...]
    outside: tuple[Offset, ...]
    play: Proposal

    @property
    def name(self) -> str:
        """The name of the pattern."""
        return self.rule.name

    @property
    def places(self) -> frozenset[Offset]:
        """Every relative place that must be on the board."""
        result = {place for test in (*self.tests, *self.play.predicates) for place in test.places}
        return frozenset(result | {self.play.place})


@attrs.frozen
class Resolved:
    """A pattern file, resolved for a game."""

    source: Source = attrs.field(eq=False, repr=False)
    starts: tuple[Start, ...]
    predicates: tuple[Predicate, ...]
    patterns: tuple[ResolvedPattern, ...]
    chains: tuple[Chain, ...]
    turns: str
    """How patterns without a goal are turned: a phrase of `TURNS`."""


OF_THE_GAME = ""
"""Patterns are turned by the symmetries of the board that the game declares."""
TURNS = ("none", "left right mirror", "all turns", "all turns and mirrors")
"""The phrases that can follow `symmetries`."""
