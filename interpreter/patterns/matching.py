"""Pattern matching: the moves that patterns propose in a position.

This is the reference implementation, in plain Python on states: it tries every cell where a pattern can begin, every
frame there, and the pattern's tests one after another. `interpreter.compiler.lowering.patterns` does the same for
native search, and must agree with it. `Book.of` makes a book of a file for a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, GameFileError, error, has_errors, in_source_order
from dsl.patterns import rules as pattern_rules
from dsl.patterns.meaning import Chain, Offset, Resolved, ResolvedPattern, Start, Test
from dsl.patterns.parser import parse_patterns
from dsl.patterns.resolver import resolve_patterns
from dsl.resolve.declarations import resolve
from dsl.resolve.scope import World
from dsl.resolve.sorts import CELLS
from dsl.syntax.parser import parse
from dsl.syntax.source import Source, Span
from interpreter.boards import members
from interpreter.game import Game
from interpreter.model.state import Move, State, WorkingState
from interpreter.patterns.frames import Frame, frames_of, heading_for, turned_as
from interpreter.semantics.functions import Function


@attrs.frozen
class Site:
    """The cells at which patterns begin for one player to move, and their frames there."""

    cells: hir.Expr | None
    """None for the cells of the last move."""
    player: int
    """The player that `mine` means in the term."""
    goal: int
    """The cells that patterns head for, a bitset; 0 where they have no heading."""
    frames: tuple[Frame, ...]


@attrs.frozen
class Match:
    """A match of a pattern: the cell where it begins, its frame, and the move that it proposes."""

    pattern: ResolvedPattern
    cell: int
    frame: Frame
    place: int
    """The cell at which the move is played."""
    move: Move


@attrs.frozen
class Proposed:
    """A proposed move, with the first pattern of highest priority that proposes it."""

    move: Move
    pattern: int
    priority: int


@attrs.frozen(eq=False, slots=False)
class Book:
    """The patterns of a file, for a game."""

    game: Game
    file: pattern_rules.PatternFile
    resolved: Resolved
    warnings: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(cls, source: Source, game: Game) -> Book:
        """The book of a file. Raises GameFileError with all diagnostics where the file has an error."""
        book, result = examine_patterns(source, game)
        if book is None:
            raise GameFileError(source, result)
        return book

    @property
    def patterns(self) -> tuple[ResolvedPattern, ...]:
        """The patterns, in the order of the file."""
        return self.resolved.patterns

    # ---- matching

    def matches(self, state: State, before: State | None = None, *, only: int | None = None) -> Iterator[Match]:
        """Every match in a state, pattern by pattern, or of one pattern; `before` is the state before the last move."""
        legal = set(self.game.engine.legal(state))
        table = WorkingState(state)
        for pattern in self.patterns if only is None else self.patterns[only : only + 1]:
            for site in self.sites[table.mover][pattern.start]:
                for cell in members(self.cells_of(site, state, before)):
                    for frame in self.frames_of(pattern, site):
                        if self._holds(pattern, table, site, cell, frame):
                            move = self._move(pattern, table, site, cell, frame)
                            if move in legal:
                                yield Match(pattern, cell, frame, self._place(cell, frame, pattern.play.place), move)

    def proposed(self, state: State, before: State | None = None) -> list[Proposed]:
        """The moves that patterns propose, each once, ordered by priority, then pattern, then move."""
        result: dict[Move, Proposed] = {}
        for match in self.matches(state, before):
            known = result.get(match.move)
            if known is None or match.pattern.priority > known.priority:
                result[match.move] = Proposed(match.move, match.pattern.number, match.pattern.priority)
        return sorted(result.values(), key=lambda item: (-item.priority, item.pattern, item.move))

    def frames_of(self, pattern: ResolvedPattern, site: Site) -> tuple[Frame, ...]:
        """The frames of a pattern at a site, without those in which it looks the same as in an earlier one."""
        if pattern.rule.symmetric:
            return site.frames[:1]
        key = pattern.number, site.frames
        if key not in self._laid:
            laid: dict[object, Frame] = {}
            for frame in site.frames:
                tests = frozenset((test.predicate, tuple(frame.offset(*place) for place in test.places))
                                  for test in pattern.tests)
                outside = frozenset(frame.offset(*place) for place in pattern.outside)
                play = tuple(tuple(frame.offset(*place) for place in value.places) for value in pattern.play.predicates)
                laid.setdefault((tests, outside, play), frame)
            self._laid[key] = tuple(laid.values())
        return self._laid[key]

    @cached_property
    def _laid(self) -> dict[tuple[int, tuple[Frame, ...]], tuple[Frame, ...]]:
        return {}

    def cells_of(self, site: Site, state: State, before: State | None) -> int:
        """The cells at which patterns begin in a state, for a site of the player to move."""
        if site.cells is None:
            return 0 if before is None else placed(state, before)
        table = WorkingState(state, site.player)
        return int(self._function(site.cells)(table, [None] * hir.slots_of(site.cells)))

    def _place(self, cell: int, frame: Frame, place: Offset) -> int:
        """The cell at a place; -1 off the board."""
        row, column = self.game.board.points[cell]
        down, across = frame.offset(*place)
        return self._at_point.get((row + down, column + across), -1)

    @cached_property
    def _at_point(self) -> dict[tuple[int, int], int]:
        return {point: cell for cell, point in enumerate(self.game.board.points)}

    def _holds(self, pattern: ResolvedPattern, table: WorkingState, site: Site, cell: int, frame: Frame) -> bool:
        """Whether a pattern matches at a cell in a frame; its places must be on the board, those in `outside` off it.
        """
        if any(self._place(cell, frame, place) >= 0 for place in pattern.outside):
            return False
        if any(self._place(cell, frame, place) < 0 for place in pattern.places):
            return False
        return all(self._value(test, table, site, cell, frame) for test in pattern.tests)

    def _value(self, test: Test, table: WorkingState, site: Site, cell: int, frame: Frame) -> int | None:
        predicate = self.resolved.predicates[test.predicate]
        bound: list[int | None] = [self._place(cell, frame, place) for place in test.places]
        bound += [site.goal] * predicate.asks_goal
        bound += [None] * (predicate.slots - len(bound))
        value: int | None = self._function(predicate.term)(table, bound)
        return value

    def _move(self, pattern: ResolvedPattern, table: WorkingState, site: Site, cell: int, frame: Frame) -> Move | None:
        play = pattern.play
        values = [self._value(value, table, site, cell, frame) for value in play.predicates]
        if any(value is None for value in values):
            return None
        numbers = [int(value) for value in values if value is not None]
        for group in play.sorted_values:
            ordered = sorted(numbers[place] for place in group)
            for place, number in zip(group, ordered, strict=True):
                numbers[place] = number
        return Move(play.rule, tuple(numbers))

    def move_at(self, pattern: ResolvedPattern, state: State, site: Site, cell: int) -> Move | None:
        """The move that a pattern proposes where it begins at a cell, in the site's first frame, legal or not; or None.
        """
        if any(self._place(cell, site.frames[0], place) < 0 for place in pattern.places):
            return None
        return self._move(pattern, WorkingState(state), site, cell, site.frames[0])

    def _function(self, term: hir.Expr) -> Function:
        if term not in self._functions:
            self._functions[term] = self.game.engine.evaluator.compile(term)
        return self._functions[term]

    @cached_property
    def _functions(self) -> dict[hir.Expr, Function]:
        return {}

    # ---- where patterns begin

    @cached_property
    def sites(self) -> tuple[tuple[tuple[Site, ...], ...], ...]:
        """The sites for each player to move and each start of the book."""
        return tuple(tuple(tuple(self._sites_of(start, player)) for start in self.resolved.starts)
                     for player in range(len(self.game.players)))

    def _sites_of(self, start: Start, mover: int) -> Iterator[Site]:
        if start.chain_of:
            for chain in self._chains(start.chain_of, mover):
                for toward, other in chain_sides(chain):
                    term = hir.Apply("arrivals", (chain.network, toward, other, chain.extra), sort=CELLS,
                                         span=chain.network.span)
                    goal = self.goal(chain, toward)
                    yield Site(term, chain.player, goal, heading_for(self.game.board, goal))
        elif start.toward:
            for chain in self._chains(start.toward, mover):
                for side in chain.sides:
                    goal = self.goal(chain, side)
                    yield Site(self._pieces_of(chain, start.cells), mover, goal, heading_for(self.game.board, goal))
        else:
            yield Site(start.cells, mover, 0, turned_as(self.game, self.resolved.turns))

    def _chains(self, side: str, mover: int) -> list[Chain]:
        return [chain for chain in self.resolved.chains if (chain.player == mover) == (side == "own")]

    def _pieces_of(self, chain: Chain, cells: hir.Expr | None) -> hir.Expr | None:
        """The cells of an anchor; of `enemy piece` only those with pieces of the chain's player."""
        if not isinstance(cells, hir.Owned) or cells.mine or len(self.game.players) == 2:
            return cells
        pieces = tuple(number for number, kind in enumerate(self.game.rules.pieces) if kind.owner == chain.player)
        return hir.CellsOf(pieces, sort=CELLS, span=cells.span)

    def goal(self, chain: Chain, side: hir.Expr) -> int:
        """The cells of a side, a bitset."""
        table = WorkingState(self.game.engine.start(), chain.player)
        return int(self._function(side)(table, [None] * hir.slots_of(side)))


def chain_sides(chain: Chain) -> Iterator[tuple[hir.Expr, hir.Expr]]:
    """The ordered pairs of different sides of a chain: the goal, and the side from which ways lead to it."""
    for toward in chain.sides:
        for other in chain.sides:
            if other is not toward:
                yield toward, other


def placed(state: State, before: State) -> int:
    """The cells, as a bitset, on which a move put a piece that was not there before."""
    cells = 0
    for now, then in zip(state.pieces[1:], before.pieces[1:], strict=True):
        cells |= now & ~then
    return cells


@lru_cache(maxsize=8)
def _resolved_world(game: Game) -> World:
    return resolve(parse(game.rules.source).file, game.params)[1]


def _world(game: Game) -> World:
    """The cached names of a game, without the diagnostics of earlier lookups."""
    world = _resolved_world(game)
    world.diagnostics.clear()
    world.reported.clear()
    world.expanded = 0
    return world


def examine_patterns(source: Source, game: Game) -> tuple[Book | None, list[Diagnostic]]:
    """The book of a file, or None where it has errors, and all diagnostics in source order."""
    from interpreter.patterns.checks import check_book

    parsed = parse_patterns(source)
    result = list(parsed.diagnostics)
    if not any(parsed.file.patterns()):
        return None, in_source_order(result)
    if not frames_of(game.board):
        phrase = f"patterns need a board with rows and columns, found {game.board.kind.title}"
        return None, [error("G607", phrase, Span.at(1, 1))]
    world = _world(game)
    resolved, problems = resolve_patterns(parsed.file, game.rules, world)
    result += problems
    book = Book(game, parsed.file, resolved)
    result += check_book(book)
    if has_errors(result):
        return None, in_source_order(result)
    return attrs.evolve(book, warnings=tuple(result)), in_source_order(result)
