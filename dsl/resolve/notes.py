"""Notes of the resolver for editors: where names are bound, where they are used, and what could stand at a place.

`resolve(file, params, notes)` fills a `Notes`. Without one, nothing is noted. To ask what could stand at a place, an
editor puts the name `PLACEHOLDER` there: the resolver reads it like any other name, and notes what it would accept.
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
    """What the resolver wanted in the place of a placeholder."""

    sort: Sort | None
    """The wanted sort; None for any sort."""
    names: dict[str, Sort]
    """The names that are bound at the place, with their sorts."""


@attrs.define
class Notes:
    """The notes made while a file was resolved."""

    sorts: dict[Span, Sort] = attrs.field(factory=dict)
    """The sort of each bound name and of each definition, by the span of its name."""
    uses: dict[Span, Span] = attrs.field(factory=dict)
    """For each use of a bound name the span where it is bound."""
    words: set[Span] = attrs.field(factory=set)
    """The spans where a name means the language's own word although the file declares the name."""
    expected: list[Expected] = attrs.field(factory=list)
    world: World | None = None
    """The declarations of the file."""

    def bind(self, place: Span, sort: Sort) -> None:
        """Note the sort of a bound name; a definition's parameters are bound again for every use of it."""
        known = self.sorts.get(place)
        if known is None or isinstance(known, Unknown):
            self.sorts[place] = sort

    def meet(self, name: rules.Name, wanted: Sort | None, scope: Scope) -> None:
        """Note a name in the place of a value, perhaps of a wanted sort."""
        place = scope.places.get(name.text) if name.text in scope.names else None
        if place is not None:
            self.uses[name.span] = place
        elif name.text == PLACEHOLDER:
            self.expected.append(Expected(wanted, {known: term.sort for known, term in scope.names.items()}))

    def refer(self, names: Iterable[rules.Name], scope: Scope) -> None:
        """Note names that can only refer to bound names."""
        for name in names:
            if name.text in scope.names and name.text in scope.places:
                self.uses[name.span] = scope.places[name.text]
