"""Hidden information: what players see of a position and know of a game, by the `hidden` declarations of its file.

`Observer.view(state, player)` is a position as a player sees it. `Knowledge` is the information state of a player with
perfect recall: all observations and own moves, in order. Nothing is recorded while nothing changes that the player
sees, so that players cannot count the attempts of an opponent. All code that shows, sends or solves games with hidden
information uses these two; no other code decides what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import attrs

from dsl import hir
from dsl.checks.reads import reads_itself
from dsl.words import Reads
from interpreter.boards import Board, members
from interpreter.model.state import Move, State, WorkingState
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.functions import Bound, Function

DIGITS = 20
"""The number of hexadecimal digits of a digest."""


class Observer:
    """Computes what each player of a game sees of a position."""

    def __init__(self, rules: hir.Rules, board: Board, evaluator: Evaluator, first: Sequence[int | None]) -> None:
        self.rules = rules
        self.sees_all = not rules.hidden
        """Whether the game has perfect information: nothing is ever hidden from anybody."""
        self.choices_only = not self.sees_all and all(item.choice for item in rules.hidden)
        """Whether nothing is hidden but what players who move together have chosen, until all have chosen."""
        self._first, self._piles = first, evaluator.piles
        self._hidden = [_Compiled(item, board, evaluator, rules.hidden) for item in rules.hidden]

    def of_chance(self, move: Move) -> bool:
        """Whether a move is made by chance, not chosen by a player."""
        return move.rule >= 0 and self.rules.moves[move.rule].is_chance

    def view(self, state: State, player: int) -> State:
        """A position as a player sees it: hidden cells hold what they seem to hold, hidden values their initial ones.

        Views are equal for positions that look the same to the player: they do not mark which contents are hidden.
        """
        if self.sees_all:
            return state
        return self._view(state, (player,), common=False)

    def common(self, state: State) -> State:
        """A position as an observer sees it who may learn nothing that some player does not know.

        That is less than what all players see: that an opponent has discovered a cell is news to its owner, too. So
        everything is hidden that a declaration hides from any player, and a part of a declaration that depends on
        hidden things counts as hiding always.
        """
        if self.sees_all:
            return state
        return self._view(state, range(len(self.rules.players)), common=True)

    def public(self, state: State) -> bool:
        """Whether all players know a position, whatever led to it: nothing is hidden in it."""
        return self.sees_all or (self.choices_only and self.common(state) == state)

    def unseen(self, view: State, player: int | None) -> set[int]:
        """The indices of the values that a view, of a player or for None of all, says to be hidden; see `view`, whose
        other initial values are known. Raises RuleError where a condition fails in a view."""
        table = WorkingState(view)
        result: set[int] = set()
        for viewer in range(len(self.rules.players)) if player is None else (player,):
            table.mover = table.to_move = viewer ^ view.seats
            for item in self._hidden:
                result.update(item.values(table, common=player is None))
        return result

    def _view(self, state: State, players: Iterable[int], *, common: bool) -> State:
        """A position without what is hidden from at least one of some players."""
        table = WorkingState(state)
        seen = table.copy()
        unseen: set[int] = set()
        for player in players:
            with table.played_by(player ^ state.seats):
                for item in self._hidden:
                    for cell in item.cells(table, common=common):
                        seen.put(1 << cell, item.seems(table))
                        if self._piles is not None:
                            self._piles.clear(seen, 1 << cell)
                    unseen.update(item.values(table, common=common))
        for place in unseen:
            seen.values[place] = self._first[place]
        return state._replace(pieces=tuple(seen.pieces), values=tuple(seen.values))


@attrs.frozen
class Knowledge:
    """The information state of a player with perfect recall: the player's own moves and observations, in order.

    Equal exactly for games that the player cannot tell apart.
    """

    player: int
    events: tuple[State | Move, ...]
    """The view at the start, then each own move and each view that differs from the one before."""
    _last: State = attrs.field(eq=False)

    @classmethod
    def begun(cls, observer: Observer, player: int, start: State) -> Knowledge:
        """What a player knows before the first move."""
        seen = observer.view(start, player)
        return cls(player, (seen,), seen)

    def after(self, observer: Observer, before: State, move: Move, after: State) -> Knowledge:
        """What the player knows after a move of any player, or of chance."""
        events = self.events
        if before.to_move == self.player and not observer.of_chance(move):
            events += (move,)
        seen = observer.view(after, self.player)
        if seen != self._last:
            events += (seen,)
        return self if events is self.events else Knowledge(self.player, events, seen)


@attrs.frozen
class Digested:
    """What a player knows as a digest of `Knowledge`, for files and programs that use a text as its key."""

    player: int
    digest: str
    _last: State = attrs.field(eq=False)

    @classmethod
    def begun(cls, observer: Observer, player: int, start: State) -> Digested:
        """What a player knows before the first move."""
        seen = observer.view(start, player)
        return cls(player, digested("", seen), seen)

    def after(self, observer: Observer, before: State, move: Move, after: State) -> Digested:
        """What the player knows after a move of any player, or of chance."""
        digest = self.digest
        if before.to_move == self.player and not observer.of_chance(move):
            digest = digested(digest, (-1, move))
        seen = observer.view(after, self.player)
        if seen != self._last:
            digest = digested(digest, seen)
        return self if digest is self.digest else Digested(self.player, digest, seen)


def digested(before: str, event: State | tuple[int, Move]) -> str:
    """The digest after one more event: a view, or an own move, marked by a -1 before it."""
    return sha256(f"{before}{tuple(event)!r}".encode()).hexdigest()[:DIGITS]


class _Compiled:
    """A compiled `hidden` declaration."""

    def __init__(self, item: hir.Hidden, board: Board, evaluator: Evaluator, hidden: Sequence[hir.Hidden]) -> None:
        self._item, self._everywhere = item, members(board.everything)
        binding = item.cells
        says = {"condition": item.condition, "guard": None if binding is None else binding.guard,
                "domain": None if binding is None else binding.domain}
        self._told = {part for part, term in says.items() if _open(term, hidden)}
        """The parts of the declaration that depend only on what everybody sees."""
        self._condition: Function | None = evaluator.optional(item.condition)
        self._seems: Function | None = evaluator.optional(item.shown)
        self._domain: Function | None = None if binding is None else evaluator.compile(binding.domain)
        self._guard: Function | None = None if binding is None else evaluator.optional(binding.guard)
        self._places = range(0)
        if item.variable is not None:
            first = evaluator.offsets[item.variable]
            self._places = range(first, first + evaluator.sizes[item.variable])

    def _holds(self, table: WorkingState, bound: Bound, *, common: bool) -> bool:
        return self._condition is None or (common and "condition" not in self._told) or bool(
            self._condition(table, bound))

    def cells(self, table: WorkingState, *, common: bool = False) -> list[int]:
        """The cells whose contents are hidden from the mover; `common` as in `Observer.common`."""
        binding = self._item.cells
        if binding is None or self._domain is None:
            return []
        bound: Bound = [None] * self._item.slots
        result = []
        known = not common or "domain" in self._told
        for cell in members(self._domain(table, bound)) if known else self._everywhere:
            bound[binding.slot] = cell
            shown = self._guard is not None and (not common or "guard" in self._told) and not self._guard(table, bound)
            if not shown and self._holds(table, bound, common=common):
                result.append(cell)
        return result

    def seems(self, table: WorkingState) -> int:
        """The piece that the hidden cells seem to hold."""
        if self._seems is None:
            return 0
        return int(self._seems(table, [None] * self._item.slots) or 0)

    def values(self, table: WorkingState, *, common: bool = False) -> list[int]:
        """The indices of the values that are hidden from the mover; `common` as in `Observer.common`."""
        bound: Bound = [None] * self._item.slots
        slot = self._item.index
        if slot is None:
            return list(self._places) if self._places and self._holds(table, bound, common=common) else []
        result = []
        for index, place in enumerate(self._places):
            bound[slot] = index
            if self._holds(table, bound, common=common):
                result.append(place)
        return result


def _open(says: hir.Expr | None, hidden: Sequence[hir.Hidden]) -> bool:
    """Whether a term depends only on what everybody sees; a bare set of pieces counts, as all of it is hidden then."""
    if says is None or isinstance(says, hir.Owned | hir.CellsOf | hir.Region):
        return True
    variables = {item.variable for item in hidden}
    unseen = Reads.POSITION if any(item.cells is not None for item in hidden) else Reads.POSITION & ~Reads.PIECES
    return not any(part.number in variables if isinstance(part, hir.Variable) else reads_itself(part) & unseen
                   for part in hir.walk(says))
