"""What players see of a position, and what they know of a game: by the `hidden` declarations of its file.

`Observer.view(state, player)` is a position as a player sees it. `Knowledge` is what a player who forgets nothing
knows: all that was seen, and the own moves, in their order. Time passes unseen while nothing changes that the player
sees, so that nobody counts the tries of an opponent. Those who show, send or solve games with hidden things ask these
two, and nobody else says what is hidden.
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
"""Of a digest."""


class Observer:
    """Says what each player of a game sees."""

    def __init__(self, rules: hir.Rules, board: Board, evaluator: Evaluator, start: State) -> None:
        self.rules = rules
        self.sees_all = not rules.hidden
        """Whether nothing is hidden from anybody, ever."""
        self._start = start
        self._hidden = [_Compiled(item, board, evaluator, rules.hidden) for item in rules.hidden]

    def of_chance(self, move: Move) -> bool:
        """Whether a move is one that nobody chooses."""
        return move.rule >= 0 and self.rules.moves[move.rule].is_chance

    def view(self, state: State, player: int) -> State:
        """A position as a player sees it: hidden cells hold what they seem to hold, hidden values are the first ones.

        Equal for positions that look the same to the player: nothing says what is hidden and what is so indeed.
        """
        if self.sees_all:
            return state
        return self._view(state, (player,), common=False)

    def common(self, state: State) -> State:
        """A position as somebody sees it who may be told nothing that any player does not know.

        That is less than what all players see: that the other one has found a cell, too, is news for its owner. So what
        a declaration hides from anybody is hidden, and where it is said by hidden things from whom, at all times.
        """
        if self.sees_all:
            return state
        return self._view(state, range(len(self.rules.players)), common=True)

    def _view(self, state: State, players: Iterable[int], *, common: bool) -> State:
        """What is left of a position without what is hidden from some players."""
        table = WorkingState(state)
        seen = table.copy()
        unseen: set[int] = set()
        for player in players:
            table.mover = table.to_move = player ^ state.seats
            for item in self._hidden:
                for cell in item.cells(table, common=common):
                    seen.put(1 << cell, item.seems(table))
                unseen.update(item.values(table, common=common))
        for place in unseen:
            seen.values[place] = self._start.values[place]
        return state._replace(pieces=tuple(seen.pieces), values=tuple(seen.values))


@attrs.frozen
class Knowledge:
    """What a player knows who forgets nothing: the own moves and what was seen, in their order.

    Equal exactly for games that the player cannot tell apart.
    """

    player: int
    events: tuple[State | Move, ...]
    """What was seen at the start, then each own move and each change of what is seen."""
    _last: State = attrs.field(eq=False)

    @classmethod
    def begun(cls, observer: Observer, player: int, start: State) -> Knowledge:
        """What a player knows before the first move."""
        seen = observer.view(start, player)
        return cls(player, (seen,), seen)

    def after(self, observer: Observer, before: State, move: Move, after: State) -> Knowledge:
        """What the player knows after a move of anybody, or of nature."""
        events = self.events
        if before.to_move == self.player and not observer.of_chance(move):
            events += (move,)
        seen = observer.view(after, self.player)
        if seen != self._last:
            events += (seen,)
        return self if events is self.events else Knowledge(self.player, events, seen)


@attrs.frozen
class Digested:
    """What a player knows as a digest of `Knowledge`, for files and programs that keep it by a text."""

    player: int
    digest: str
    _last: State = attrs.field(eq=False)

    @classmethod
    def begun(cls, observer: Observer, player: int, start: State) -> Digested:
        """What a player knows before the first move."""
        seen = observer.view(start, player)
        return cls(player, digested("", seen), seen)

    def after(self, observer: Observer, before: State, move: Move, after: State) -> Digested:
        """What the player knows after a move of anybody, or of nature."""
        digest = self.digest
        if before.to_move == self.player and not observer.of_chance(move):
            digest = digested(digest, (-1, move))
        seen = observer.view(after, self.player)
        if seen != self._last:
            digest = digested(digest, seen)
        return self if digest is self.digest else Digested(self.player, digest, seen)


def digested(before: str, event: State | tuple[int, Move]) -> str:
    """The digest of what is known after one more event: something seen, or an own move with a mark that it is one."""
    return sha256(f"{before}{tuple(event)!r}".encode()).hexdigest()[:DIGITS]


class _Compiled:
    """One `hidden` declaration."""

    def __init__(self, item: hir.Hidden, board: Board, evaluator: Evaluator, hidden: Sequence[hir.Hidden]) -> None:
        self._item, self._everywhere = item, members(board.everything)
        binding = item.cells
        says = {"condition": item.condition, "guard": None if binding is None else binding.guard,
                "domain": None if binding is None else binding.domain}
        self._told = {part for part, term in says.items() if _open(term, hidden)}
        """What of the declaration is said by things that everybody sees."""
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
        """The cells whose contents the player does not see who is the mover; `common` as in `Observer.common`."""
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
        """The piece that these cells seem to hold."""
        if self._seems is None:
            return 0
        return int(self._seems(table, [None] * self._item.slots) or 0)

    def values(self, table: WorkingState, *, common: bool = False) -> list[int]:
        """The places of the values that the player does not see who is the mover; `common` as in `Observer.common`."""
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
    """Whether a term is said by what everybody sees; a set of pieces itself is, as all of it is hidden then."""
    if says is None or isinstance(says, hir.Owned | hir.CellsOf | hir.Region):
        return True
    variables = {item.variable for item in hidden}
    unseen = Reads.POSITION if any(item.cells is not None for item in hidden) else Reads.POSITION & ~Reads.PIECES
    return not any(part.number in variables if isinstance(part, hir.Variable) else reads_itself(part) & unseen
                   for part in hir.walk(says))
