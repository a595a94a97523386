"""What the resolver can write down for editors: where names are bound, what uses them, and what could stand somewhere.

`resolve(file, params, notes)` fills a `Notes`. Without one, nothing is noted. A text that is asked "what could stand
here?" has the name `PLACEHOLDER` at the place: the resolver meets it as any other name, and notes what it would accept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics import PLACEHOLDER
from dsl.resolve.sorts import Sort, Unknown
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.scope import Scope, World


@attrs.frozen
class Expected:
    """What the resolver wanted where an expression was a placeholder."""

    sort: Sort | None
    """None where any sort will do."""
    names: dict[str, Sort]
    """The names that are bound there, with their sorts."""


@attrs.define
class Notes:
    """What was met while a file was resolved."""

    sorts: dict[Span, Sort] = attrs.field(factory=dict)
    """The sort of each bound name, and of each definition, by the place of its name."""
    uses: dict[Span, Span] = attrs.field(factory=dict)
    """For each use of a bound name the place where it is bound."""
    words: set[Span] = attrs.field(factory=set)
    """Where a name means the language's own word although the file declares one."""
    expected: list[Expected] = attrs.field(factory=list)
    world: World | None = None
    """What the file declares."""

    def bind(self, place: Span, sort: Sort) -> None:
        """A name is bound; a definition's parameters are, for every use of it."""
        known = self.sorts.get(place)
        if known is None or isinstance(known, Unknown):
            self.sorts[place] = sort

    def meet(self, name: rules.Name, wanted: Sort | None, scope: Scope) -> None:
        """A name stands where a value, perhaps of some sort, is wanted."""
        place = scope.places.get(name.text) if name.text in scope.names else None
        if place is not None:
            self.uses[name.span] = place
        elif name.text == PLACEHOLDER:
            self.expected.append(Expected(wanted, {known: term.sort for known, term in scope.names.items()}))

    def refer(self, names: Iterable[rules.Name], scope: Scope) -> None:
        """Names that stand for what is bound, and for nothing else."""
        for name in names:
            if name.text in scope.names and name.text in scope.places:
                self.uses[name.span] = scope.places[name.text]
