"""Solving a space: the common form of the answers of all methods.

`solve(space)` values the root and each of its moves; `solver.choice` picks the method. A value is exact or unknown:
when a limit is reached the root may still be known (a winning move decides it), and unknown values are None.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

import attrs

from interpreter.model.outcomes import is_open, results
from interpreter.wording import nobody_won
from solver.budget import Budget, OutOfBudget, Progress
from solver.methods import ALL, ALPHABETA, AUTO
from solver.report import Report
from solver.search import Search
from solver.space import DRAW, MoveT, Space, StateT, sides_of
from solver.strong import Value
from solver.task import Task

if TYPE_CHECKING:
    from solver.expected.value import Expected
    from solver.information.strategies import Strategies

_AskedT = TypeVar("_AskedT", contravariant=True)
_PlayedT = TypeVar("_PlayedT", covariant=True)
INTERRUPTED = "interrupted"
"""The reason of an answer that is unknown because the work was interrupted."""
VALUED = "every position that can occur was valued"
"""The reason that is printed after the answer where all positions were valued."""


VALUED_MANY = f"{VALUED}, each player maximising the own result"
"""`VALUED` for more than two players."""


class Solved(Protocol[_AskedT, _PlayedT]):
    """The values of all reachable positions, whatever method found them."""

    def value(self, state: _AskedT, /) -> Value | None:
        """The value of any reachable state; None for one that is not."""

    def unmerged(self) -> int:
        """The number of positions without merging by symmetry."""

    def tally(self) -> dict[str, int]:
        """The numbers of unmerged positions that the player to move wins, loses and draws; finished ones included."""

    def longest(self) -> int:
        """The largest remoteness."""

    def cyclic(self) -> bool:
        """Whether a position can repeat."""

    def line(self, state: _AskedT, /, limit: int = 200) -> Iterator[_PlayedT]:
        """Best play from a state."""


@runtime_checkable
class ManySolved(Protocol[_AskedT]):
    """What is additionally known of positions of more than two players."""

    def who_decides(self, state: _AskedT, /) -> tuple[int, ...]:
        """The players whose choices between equal results decide, where several outcomes are possible."""

    def forces(self, state: _AskedT, /) -> Mapping[int, int]:
        """What each player can force against all others: 2 for a win, 1 for a draw, 0 for nothing."""


@attrs.frozen
class MoveValue(Generic[MoveT]):
    """The value of a move of the root.

    The remoteness is that of the position after the move, plus one. Winner and remoteness are None where unknown.
    """

    move: MoveT
    winner: int | None
    remoteness: int | None
    group: int
    """Moves with the same number are equivalent by symmetry."""
    reply: MoveT | None = None
    """A best reply, where the search for the value found one."""
    expected: Expected | None = None
    """The expected value of the move for the first player, in games with chance."""


_MOST_SHOWN = 30
"""The most moves that a notebook shows."""


@attrs.frozen
class Names:
    """The names of a game and its players, and the moves of a solution in notation, in the solution's order."""

    title: str
    players: tuple[str, ...]
    moves: tuple[str, ...]


@attrs.frozen
class Solution(Generic[StateT, MoveT]):
    """The value of a root and of its moves."""

    to_move: int
    winner: int | None
    """A player's number, DRAW, or None when unknown. With more than two players, where choices between equal results
    decide, the number of a set of outcomes: see `interpreter.model.outcomes`."""
    remoteness: int | None
    """Plies to the end under best play, as in `solver.strong`; None when it is unknown (`alphabeta` never finds that of
    a draw) or when a draw goes on for ever."""
    best: MoveT | None
    moves: tuple[MoveValue[MoveT], ...]
    positions: int
    """The number of positions visited; with the strong method all reachable ones, not merged by symmetry."""
    positions_merged: int
    """The same number with positions merged by symmetry."""
    method: str
    seconds: float
    reason: str
    """Why this method was chosen, or why the answer is unknown."""
    cyclic: bool | None
    """Whether a position can repeat; None when that was not determined."""
    complete: bool
    """Whether no limit was reached."""
    strong: Solved[StateT, MoveT] | None = attrs.field(default=None, repr=False, eq=False)
    """The values of all positions, where they were enumerated."""
    engine: str = "interpreter"
    """The engine that played the rules: "interpreter", "plain kernel" (as plain Python), or "kernel" (compiled)."""
    report: Report | None = attrs.field(default=None, repr=False, eq=False)
    """What the method did, and, where `auto` chose it, what each method said of the task."""
    deciders: tuple[int, ...] = ()
    """The players whose choices between results that are equal to them decide, where several outcomes are possible."""
    forces: Mapping[int, int] = attrs.field(factory=dict)
    """With more than two players, what each can force against all others: 2 for a win, 1 for a draw, 0 for nothing. The
    first player of a team stands for the team."""
    strategies: Strategies | None = attrs.field(default=None, repr=False, eq=False)
    """Optimal strategies of both players and their value for the first, in games with imperfect information."""
    expected: Expected | None = None
    """The expected value of the root for the first player, in games with chance."""
    names: Names | None = attrs.field(default=None, repr=False, eq=False)
    """The names of the game, its players and its moves, where a game was solved."""
    interrupted: bool = attrs.field(default=False, repr=False, eq=False)
    """Whether Ctrl-C ended the search, which caught it to return what it had found."""

    def __repr__(self) -> str:
        winner = self._nobody if self.winner == DRAW else self.winner
        return (f"<Solution: to_move={self.to_move} winner={winner} remoteness={self.remoteness} "
                f"moves={len(self.moves)} positions={self.positions} method={self.method}"
                + " complete=False" * (not self.complete) + ">")


    @property
    def _nobody(self) -> str:
        """The name of an outcome without a winner."""
        return "draw" if self.names is None else nobody_won(len(self.names.players))

    def _repr_html_(self) -> str:
        """The HTML table that notebooks show: the value of the root, then of each move, the best first."""
        from interpreter.pictures.html import badge, table
        from interpreter.pictures.palette import DRAW as DRAWN
        from interpreter.pictures.palette import LOSS, UNKNOWN, WIN

        def shown(winner: int | None, plies: int | None) -> str:
            within = "" if plies is None else f" in {plies}"
            if winner is None:
                return badge("unknown", UNKNOWN)
            if winner == DRAW:
                return badge(self._nobody + within, DRAWN if self._nobody == "draw" else LOSS)
            won = winner == self.to_move
            return badge(("wins" if won else "loses") + within, WIN if won else LOSS)

        players = self.names.players if self.names else ()
        mover = players[self.to_move] if players else f"player {self.to_move}"
        texts = self.names.moves if self.names else tuple(str(item.move) for item in self.moves)
        order = {True: 0, False: 3}
        ranked = sorted(zip(texts, self.moves, strict=True), key=lambda pair: (
            2 if pair[1].winner is None else 1 if pair[1].winner == DRAW else order[pair[1].winner == self.to_move],
            (pair[1].remoteness or 0) * (1 if pair[1].winner == self.to_move else -1)))
        title = f"{self.names.title}: {mover} to move" if self.names else f"{mover} to move"
        rows = [("value", shown(self.winner, self.remoteness)),
                *((text, shown(item.winner, item.remoteness)) for text, item in ranked[:_MOST_SHOWN])]
        more = len(ranked) - _MOST_SHOWN
        about = f"{self.positions:,} positions, method {self.method}"
        return table(("", about), [*rows, *([(f"and {more} more", "")] if more > 0 else [])], title)


def solve(space: Space[StateT, MoveT], *, method: str = AUTO, nodes: int | None = None, memory: int | None = None,
          progress: Progress | None = None) -> Solution[StateT, MoveT]:
    """Solve a space from its root, by a method of `solver.methods` or by the one with the least expected cost.

    `nodes` and `memory` (MiB) limit what is stored; `progress` is called as the work proceeds. Raises ValueError for an
    unknown method or impossible limits, Refused where the method cannot be used.
    """
    from solver.choice import solve_task

    return solve_task(Task(space, Budget(nodes, memory, progress), method))


# ---- answers


def answer_from(space: Space[StateT, MoveT], strong: Solved[StateT, MoveT], merged: int,
                reason: str) -> Solution[StateT, MoveT]:
    """Make the solution of a space whose reachable positions have all been valued.

    Moves to positions that were not stored, beside one that wins at once, are unknown.
    """
    values: list[tuple[MoveT, Hashable, Value | None]] = []
    for move, after in _moves(space):
        value = strong.value(after)
        values.append((move, space.canonical(after), value))
    root = strong.value(space.start())
    assert root is not None
    answer = answer_of(space, values, root, strong.unmerged(), merged, ALL, reason, strong.cyclic(), strong)
    if not isinstance(strong, ManySolved):
        return answer
    return attrs.evolve(answer, deciders=strong.who_decides(space.start()), forces=strong.forces(space.start()))


def solve_by_search(space: Space[StateT, MoveT], budget: Budget, reason: str) -> Solution[StateT, MoveT]:
    """Solve a space by `solver.search`, without a kernel."""
    search = Search(space, budget)
    root = search.node(space.canonical(space.start()))
    moves = _moves(space)
    if moves:
        search.expand(root)
    kids = [search.node(space.canonical(after)) for _, after in moves]
    complete = True
    try:
        search.solve_moves(list(dict.fromkeys(kids)))
    except OutOfBudget as limit:
        reason, complete = str(limit), False
    search.tighten(root)
    values: list[tuple[MoveT, Hashable, Value | None]] = [
        (move, kid, search.known(kid)) for (move, _), kid in zip(moves, kids, strict=True)]
    answer = answer_of(space, values, search.known(root), len(search.states), len(search.states),
                     ALPHABETA, reason, None, None)
    return attrs.evolve(answer, complete=complete)


def unknown(space: Space[StateT, MoveT], count: int, reason: str, method: str) -> Solution[StateT, MoveT]:
    """Make the solution for a method that a limit stopped: only finished positions have values."""
    values: list[tuple[MoveT, Hashable, Value | None]] = [
        (move, index, _finished(space, after)) for index, (move, after) in enumerate(_moves(space))]
    answer = answer_of(space, values, _finished(space, space.start()), count, count, method, reason, None, None)
    return attrs.evolve(answer, complete=False)


def _moves(space: Space[StateT, MoveT]) -> list[tuple[MoveT, StateT]]:
    root = space.start()
    return [] if space.outcome(root) is not None else space.successors(root)


def _finished(space: Space[StateT, MoveT], state: StateT) -> Value | None:
    outcome = space.outcome(state)
    return None if outcome is None else Value(outcome, 0)


def answer_of(space: Space[StateT, MoveT], values: Sequence[tuple[MoveT, Hashable, Value | None]], root: Value | None,
              positions: int, merged: int, method: str, reason: str, cyclic: bool | None,
              strong: Solved[StateT, MoveT] | None) -> Solution[StateT, MoveT]:
    """Make a solution; the root's value follows from those of the moves where it is not given."""
    mover = sides_of(space)[space.to_move(space.start())]
    groups: dict[Hashable, int] = {}
    moves = tuple(
        MoveValue(move, None if value is None else value.winner,
                  None if value is None or value.remoteness is None else value.remoteness + 1,
                  groups.setdefault(kid, len(groups)))
        for move, kid, value in values
    )
    best = _best(moves, mover)
    if root is None and best is not None:
        settled = best.winner == mover or all(move.winner is not None for move in moves)
        root = Value(best.winner, best.remoteness) if settled and best.winner is not None else None
    if best is not None and root is not None and best.winner != root.winner and (
            space.players <= 2 or not is_open(root.winner)):
        best = None  # the root's value is known, but no move that reaches it
    winner = None if root is None else root.winner
    remoteness = None if root is None else root.remoteness
    if winner == mover and any(move.winner is None for move in moves):
        reason = f"{reason}; some moves are not known"
    return Solution(space.to_move(space.start()), winner, remoteness, None if best is None else best.move, moves,
                    positions, merged, method, 0.0, reason, cyclic, True, strong)


def _best(moves: tuple[MoveValue[MoveT], ...], mover: int) -> MoveValue[MoveT] | None:
    """The best move: the fastest win, else the shortest draw, else one not known to lose, else the slowest loss, or one
    that is not known to be faster.

    Moves with several possible outcomes are ranked by their worst outcome, then by their best.
    """

    def rank(move: MoveValue[MoveT]) -> tuple[int, int]:
        plies = move.remoteness
        if move.winner is not None and is_open(move.winner):
            least, most = results(move.winner, mover)
            return 3 - 2 * least, -most - (1 << 20)
        if move.winner == mover:
            return 0, 1 << 30 if plies is None else plies
        if move.winner == DRAW:
            return 1, 1 << 30 if plies is None else plies
        if move.winner is None:
            return 2, 0
        return 3, -(1 << 30 if plies is None else plies)  # one that is not known may last longer

    return min(moves, key=rank, default=None)
