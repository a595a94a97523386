"""Static checks of patterns on the game's board.

They find patterns that can never match, links that no two cells with such an offset have, patterns too large for the
board, and duplicates of other patterns, perhaps mirrored. `interpreter.patterns.matching` calls them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import Bounds
from dsl.diagnostics import Diagnostic, Label, error, warning
from dsl.patterns import rules as pattern_rules
from dsl.patterns.meaning import Offset, ResolvedPattern, Test
from dsl.resolve.sorts import CELLS
from dsl.syntax.source import Span
from interpreter.patterns.frames import Frame
from interpreter.semantics.networks import LinkLayer

if TYPE_CHECKING:
    from interpreter.patterns.matching import Book

_MOST_CELLS = 2500
"""The most cells of a board on which it is checked that each pattern fits."""


def check_book(book: Book) -> list[Diagnostic]:
    """All errors and warnings about the patterns of a book."""
    result = [*_no_way(book)]
    if result:
        return result
    sound = []
    for pattern in book.patterns:
        problems = [*_links(book, pattern), *_contradictions(book, pattern)]
        problems = problems or [*_fit(book, pattern)]
        result += problems
        if not problems:
            sound.append(pattern)
    return [*result, *_twins(book, sound)]


def _no_way(book: Book) -> Iterator[Diagnostic]:
    """An error where patterns head for goals that are not sides of the board, so that no direction leads to them."""
    for number, start in enumerate(book.resolved.starts):
        if not start.toward:
            continue
        users = [pattern for pattern in book.patterns if pattern.start == number]
        sites = [site for player in book.sites for site in player[number]]
        if users and not any(site.frames for site in sites):
            yield error("G607", "no direction leads to the game's goals, which are no sides of the board",
                        users[0].rule.span, help="leave out 'toward goal'")


# ---- links


def _layer_tests(book: Book, pattern: ResolvedPattern) -> Iterator[tuple[Test, str, LinkLayer, bool]]:
    """The tests of links between two places: 'free' or 'linked', the kind of link, and whether negated."""
    for test in pattern.tests:
        term = book.resolved.predicates[test.predicate].term
        negated = isinstance(term, hir.Not)
        inner = term.operand if isinstance(term, hir.Not) else term
        if isinstance(inner, hir.Apply) and inner.function in ("free", "linked") and len(test.places) == 2:
            layer = inner.arguments[2]
            if isinstance(layer, hir.Literal) and layer.value is not None:
                yield test, inner.function, book.game.board.layers[layer.value], negated


def _links(book: Book, pattern: ResolvedPattern) -> Iterator[Diagnostic]:
    """Errors for tests of links between places that no two cells of the board have."""
    frames = {frame for player in book.sites for site in player[pattern.start] for frame in site.frames}
    for test, _, layer, _ in _layer_tests(book, pattern):
        one, other = test.places
        known = any(layer.number(cell, end) >= 0 for frame in frames for cell in range(book.game.board.size)
                    if (end := _between(book, cell, frame, one, other)) >= 0)
        if not known:
            yield error("G604", f"no {layer.name} goes from {_text(one)} to {_text(other)} on this board",
                        _span_of(pattern, test))


def _between(book: Book, cell: int, frame: Frame, one: Offset, other: Offset) -> int:
    return book._place(cell, frame, (other[0] - one[0], other[1] - one[1]))


# ---- contradictions


def _contradictions(book: Book, pattern: ResolvedPattern) -> Iterator[Diagnostic]:
    """Errors for places with incompatible contents, and for tests of links that exclude each other."""
    players = range(len(book.game.players))
    blamed: Test | None = None
    for mover in players:
        blamed = _clash(book, pattern, mover)
        if blamed is None:
            break
    if blamed is not None:
        yield error("G609", f"the pattern '{pattern.name}' can never match: this is never so together with what stands "
                    "before it", _span_of(pattern, blamed))
        return
    outside = set(pattern.outside) & pattern.places
    if outside:
        place = _text(min(outside))
        yield error("G609", f"the pattern '{pattern.name}' can never match: {place} is to be on the board and outside",
                    pattern.rule.span)
        return
    tests = list(_layer_tests(book, pattern))
    for (one, how, layer, no), (other, other_how, other_layer, other_no) in combinations(tests, 2):
        if layer is not other_layer or no or other_no:
            if layer is other_layer and one.places == other.places and how == other_how and no != other_no:
                yield _never(pattern, other, "the link is asked for and excluded")
            continue
        if one.places == other.places and how != other_how:
            yield _never(pattern, other, "a link that exists is not possible any more")
        elif how != other_how and _cross(book, one, other, layer):
            yield _never(pattern, other, "a link that exists crosses this one")
        elif how == other_how == "linked" and _cross(book, one, other, layer):
            yield _never(pattern, other, "two links that exist cross")


def _never(pattern: ResolvedPattern, test: Test, why: str) -> Diagnostic:
    return error("G609", f"the pattern '{pattern.name}' can never match: {why}", _span_of(pattern, test))


def _clash(book: Book, pattern: ResolvedPattern, mover: int) -> Test | None:
    """The first test that contradicts those before it, for a player to move; None where all may hold."""
    rules = book.game.rules
    known = Bounds(rules, mover)
    holds: dict[Offset, int] = {}
    start = book.resolved.starts[pattern.start]
    if start.cells is not None:
        holds[0, 0] = known.held(start.cells)
    for test in pattern.tests:
        term = book.resolved.predicates[test.predicate].term
        negated = isinstance(term, hir.Not)
        inner = term.operand if isinstance(term, hir.Not) else term
        if not isinstance(inner, hir.Contains) or inner.collection.sort != CELLS or len(test.places) != 1 or (
                not isinstance(inner.element, hir.Local)):
            continue
        (place,) = test.places
        before = holds.get(place, known.every_piece)
        if negated:
            after = before & ~known.excluded(inner.collection)
        else:
            after = before & known.held(inner.collection)
        if not after:
            return test
        holds[place] = after
    play = pattern.play
    move = rules.moves[play.rule]
    if len(play.predicates) == 1 and len(move.choices) == 1 and play.predicates[0].places:
        choice = move.choices[0]
        if choice.domain.sort == CELLS and isinstance(
                book.resolved.predicates[play.predicates[0].predicate].term, hir.Local):
            place = play.predicates[0].places[0]
            if not holds.get(place, known.every_piece) & known.held(choice.domain):
                return play.predicates[0]
    return None


def _cross(book: Book, one: Test, other: Test, layer: LinkLayer) -> bool:
    """Whether two links between relative places cross: tested at one cell in one frame, as it is the same in all."""
    frame = next((frame for player in book.sites for sites in player for site in sites for frame in site.frames), None)
    if frame is None:
        return False
    for cell in range(book.game.board.size):
        ends = [book._place(cell, frame, place) for test in (one, other) for place in test.places]
        if min(ends) >= 0:
            first, second = layer.number(ends[0], ends[1]), layer.number(ends[2], ends[3])
            if min(first, second) >= 0:
                return bool(layer.crossing[first] >> second & 1)
    return False


# ---- the board


def _fit(book: Book, pattern: ResolvedPattern) -> Iterator[Diagnostic]:
    """A warning where the pattern is too large for the board: some place is off it wherever the pattern begins."""
    size = book.game.board.size
    if size > _MOST_CELLS or book.game.board.unbounded:
        return
    frames = {frame for player in book.sites for site in player[pattern.start] for frame in site.frames}
    places = sorted(pattern.places)
    for frame in frames:
        for cell in range(size):
            if all(book._place(cell, frame, place) >= 0 for place in places):
                return
    far = max(places, key=lambda place: max(abs(place[0]), abs(place[1])))
    yield warning("G606", f"the pattern '{pattern.name}' is too large for this board: with (0, 0) on it, {_text(far)} "
                  "or another place never is", pattern.rule.span)


# ---- duplicate patterns


def _twins(book: Book, patterns: list[ResolvedPattern]) -> Iterator[Diagnostic]:
    """Warnings for patterns that equal another one, as it is or in an orientation that is tried anyway."""
    known: dict[object, ResolvedPattern] = {}
    for pattern in patterns:
        sites = [site for player in book.sites for site in player[pattern.start] if site.frames]
        if not sites:
            continue
        frames = sites[0].frames[:1] if pattern.rule.symmetric else sites[0].frames
        plain = _laid(pattern, sites[0].frames[0])
        images = [_laid(pattern, frame) for frame in frames]
        twin = next((known[image] for image in [plain, *images] if image in known), None)
        if twin is not None:
            what = "says the same as" if _laid(twin, sites[0].frames[0]) == plain else "is a mirror image of"
            yield warning("G610", f"the pattern '{pattern.name}' {what} '{twin.name}'", pattern.rule.span,
                          help="remove one of them, or make both symmetric",
                          labels=[Label(twin.rule.span, "the other one")])
        for image in images:
            known.setdefault(image, pattern)


def _laid(pattern: ResolvedPattern, frame: Frame) -> object:
    tests = frozenset((test.predicate, _places(test, frame)) for test in pattern.tests)
    outside = frozenset(frame.offset(*place) for place in pattern.outside)
    play = tuple((value.predicate, tuple(frame.offset(*place) for place in value.places))
                 for value in pattern.play.predicates)
    return pattern.rule.kind, pattern.start, pattern.play.rule, tests, outside, play


def _places(test: Test, frame: Frame) -> object:
    """The offsets of a test's places; those of a link's two ends in sorted order."""
    steps = tuple(frame.offset(*place) for place in test.places)
    return tuple(sorted(steps)) if len(steps) == 2 else steps


def _text(place: Offset) -> str:
    return f"({place[0]}, {place[1]})"


def _span_of(pattern: ResolvedPattern, test: Test) -> Span:
    """The source line of a test."""
    texts = {_text(place) for place in test.places}
    plays = [line for line in pattern.rule.statements if isinstance(line, pattern_rules.Play)]
    if test in pattern.play.predicates and test not in pattern.tests and plays:
        return plays[0].span
    for line in reversed(pattern.rule.statements):
        places = getattr(line, "places", None)
        if places is not None and texts <= {place.text for place in places}:
            return line.span
    return pattern.rule.span
