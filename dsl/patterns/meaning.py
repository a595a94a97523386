"""Resolved patterns: what a pattern file means for a game, once its words are known.

`dsl.patterns.resolver` makes these, `interpreter.patterns.matching` matches them. A condition is a predicate, a term of
the game's language over bound cells, and the relative places that its cells are; patterns share predicates.
"""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.patterns import rules as pattern_rules
from dsl.syntax.source import Source

Offset = tuple[int, int]
"""A relative place: so many cells across, so many ahead."""


@attrs.frozen
class Predicate:
    """A condition on some cells, bound to the first slots of a term in order."""

    term: hir.Expr
    cells: int
    """How many cells it is about."""
    asks_goal: bool = attrs.field(eq=False)
    """Whether the slot after those of the cells is the set of the goal's cells."""
    slots: int = attrs.field(eq=False)


@attrs.frozen
class Test:
    """A predicate at relative places."""

    predicate: int
    """Its number in the book."""
    places: tuple[Offset, ...]


@attrs.frozen
class Chain:
    """A network that a player wants to join: between which sides, and through which cells it may still grow."""

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
    """Whose goals the pattern heads for, 'own' or 'enemy'; '' where it heads nowhere."""


@attrs.frozen
class Proposal:
    """The move that a pattern proposes: a move rule and the values of its choices."""

    rule: int
    predicates: tuple[Test, ...]
    """Each value, as a term over the cells at relative places."""
    sorted_values: tuple[tuple[int, ...], ...]
    """Places of values that are chosen together, in any order."""
    place: Offset
    """Where it is played: the first relative place that it names."""


@attrs.frozen
class ResolvedPattern:
    """A pattern, resolved."""

    rule: pattern_rules.Pattern
    number: int
    group: str
    start: int
    """The number of its start in the book."""
    priority: int
    tests: tuple[Test, ...]
    outside: tuple[Offset, ...]
    play: Proposal

    @property
    def name(self) -> str:
        """Its name."""
        return self.rule.name

    @property
    def places(self) -> frozenset[Offset]:
        """Every place that must be on the board."""
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
    """How patterns that head nowhere are turned: a phrase of `TURNS`."""


OF_THE_GAME = ""
"""Patterns are turned as the game's declared symmetries turn the board."""
TURNS = ("none", "left right mirror", "all turns", "all turns and mirrors")
"""What can stand behind `symmetries`."""
