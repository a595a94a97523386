"""Solving a game: which method, and the answer in one form whatever the method.

`solve(space)` values the root and each of its moves. An answer is exact or unknown: past a limit the root may still be
known (a won move decides it), and what is not known is None.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

import attrs

from solver.budget import Budget, OutOfBudget, Progress
from solver.pace import Pace, Slow
from solver.report import Report
from solver.search import Search
from solver.space import DRAW, MoveT, Space, StateT
from solver.strong import Strong, Value

if TYPE_CHECKING:
    from solver.packed_space import PackedSpace
    from solver.tables.table import TableSolver

_AskedT = TypeVar("_AskedT", contravariant=True)
_PlayedT = TypeVar("_PlayedT", covariant=True)
Method = Literal["auto", "strong", "alphabeta", "proof"]
TRIAL = 30_000
"""Positions that `auto` enumerates by the definition alone before it asks whether enumerating all is sensible."""
STEEP = 2.0
"""A game whose breadth-first layers still grow by this factor then is searched instead."""
STEEPER = 4.0
"""The same where positions may come back: their number grows more slowly later on."""
FEW = 300
"""Positions that the definition enumerates before the kernel is made: that takes a tenth of a second."""
COMPILED_TRIAL = 5_000_000
"""Positions that the kernel enumerates before `auto` asks the same."""
MANY = 8
"""A game is searched, too, where so many are not even the first tiers, and more than this follow."""
INTERRUPTED = "interrupted"
"""Why an answer is not known."""
ASKED = "as asked for"
VALUED = "every position that can occur was valued"
"""What was done, and why, in the words that are printed after an answer."""


class Solved(Protocol[_AskedT, _PlayedT]):
    """The values of all positions that can be reached, however they were found."""

    def value(self, state: _AskedT, /) -> Value | None:
        """The value of any reachable state; None for one that is not."""

    def unmerged(self) -> int:
        """How many positions there are without merging by symmetry."""

    def tally(self) -> dict[str, int]:
        """How many positions, unmerged, the player to move wins, loses and draws; finished ones included."""

    def longest(self) -> int:
        """The largest remoteness."""

    def cyclic(self) -> bool:
        """Whether a position can come back."""

    def line(self, state: _AskedT, /, limit: int = 200) -> Iterator[_PlayedT]:
        """Best play from a state."""


@attrs.frozen
class MoveValue(Generic[MoveT]):
    """What a move of the root leads to. Winner and remoteness (from after the move, plus one) or None when unknown."""

    move: MoveT
    winner: int | None
    remoteness: int | None
    group: int
    """Moves with the same number are the same by symmetry."""
    reply: MoveT | None = None
    """A best answer, where the search for the value came upon it."""


@attrs.frozen
class Solution(Generic[StateT, MoveT]):
    """The value of a root and of its moves."""

    to_move: int
    winner: int | None
    """A player's number, DRAW, or None when unknown."""
    remoteness: int | None
    """Plies to the end under best play, as in `solver.strong`; None when it is not known (`alphabeta` never knows a
    draw's) or when a draw has no end."""
    best: MoveT | None
    moves: tuple[MoveValue[MoveT], ...]
    positions: int
    """Positions that were looked at; with the strong method all that can be reached, symmetries not merged."""
    positions_merged: int
    """The same, merged by symmetry."""
    method: str
    seconds: float
    reason: str
    """Why this method, or why the answer is not known."""
    cyclic: bool | None
    """Whether a position can come back; None when that was not found out."""
    complete: bool
    """Whether no limit was reached."""
    strong: Solved[StateT, MoveT] | None = attrs.field(default=None, repr=False, eq=False)
    """The values of all positions, where they were enumerated."""
    engine: str = "interpreter"
    """What the rules were played by: "interpreter", "plain kernel" (as plain Python), or "kernel" (compiled)."""
    report: Report | None = attrs.field(default=None, repr=False, eq=False)
    """What a search on the game's kernel did."""

    def __repr__(self) -> str:
        winner = "draw" if self.winner == DRAW else self.winner
        return (f"<Solution: to_move={self.to_move} winner={winner} remoteness={self.remoteness} "
                f"moves={len(self.moves)} positions={self.positions} method={self.method}"
                + " complete=False" * (not self.complete) + ">")


Searcher = Callable[[Budget, str], Solution[StateT, MoveT]]
"""A search for the values of the root's moves, given the reason for choosing it."""


@attrs.frozen
class Engines:
    """What else enumerates a space besides the definition."""

    tabulate: Callable[[Budget], TableSolver | None]
    """Gives what solves the space with a compiled kernel; None where the rules cannot be compiled."""
    packed: Callable[[], PackedSpace | None] | None = None
    """Gives the same positions by the kernel as plain Python; None where a compiled kernel is wanted at once."""
    compiling: Callable[[], float] = float
    """Foretells how many seconds the compiled kernel takes before it begins."""
    most: float | None = None
    """Expected positions from which on `auto` searches instead."""
    too_many: Callable[[Slow], str] | None = None
    """Told what enumerating would take: why `auto` searches instead, '' where it need not."""
    anyway: bool = True
    """Whether what is hopeless is begun where it was asked for."""


def solve(space: Space[StateT, MoveT], *, method: Method = "auto", nodes: int | None = None, memory: int | None = None,
          progress: Progress | None = None, engines: Engines | None = None,
          search: Searcher[StateT, MoveT] | None = None) -> Solution[StateT, MoveT]:
    """Solve a space from its root.

    `nodes` and `memory` (MiB) limit what is stored; `progress` is told how far the work is. `engines` enumerate the
    same space faster where there are more than a few positions. `search` is the search, if not that by the definition.
    Raises ValueError for impossible limits or more than two players.
    """
    if space.players not in (1, 2):
        raise ValueError(f"the game has {space.players} players; only games for one or two can be solved")
    for name, limit in (("nodes", nodes), ("memory", memory)):
        if limit is not None and limit < 1:
            raise ValueError(f"the limit {name} is {limit}, expected at least 1")
    started = time.perf_counter()
    budget = Budget(nodes, memory, progress)
    answer = _by_method(space, method, budget, engines, search or partial(solve_by_search, space))
    return attrs.evolve(answer, seconds=time.perf_counter() - started)


def _by_method(space: Space[StateT, MoveT], method: Method, budget: Budget, engines: Engines | None,
               search: Searcher[StateT, MoveT]) -> Solution[StateT, MoveT]:
    if method in ("alphabeta", "proof"):
        return search(budget, ASKED)
    strong = Strong(space, budget)
    trial = method == "auto"
    reason = VALUED if trial else f"{VALUED}, {ASKED}"
    try:
        if engines is not None and (engines.packed is None or not strong.enumerate_until(FEW)):
            answer = _by_engines(space, engines, budget, reason, search, trial=trial)
            if answer is not None:
                return answer
        if trial and space.acyclic and not strong.enumerate_until(TRIAL) and strong.growth() > STEEP:
            known = len(strong.states)
            del strong
            return _searched(search, budget, _too_many(known))
        strong.enumerate_until()
        strong.value_all()
    except OutOfBudget as limit:
        return _unknown(space, len(strong.states), str(limit))
    return answer_from(space, strong, len(strong.states), reason)


def _by_engines(space: Space[Any, Any], engines: Engines, budget: Budget, reason: str, search: Searcher[Any, Any], *,
                trial: bool) -> Solution[Any, Any] | None:
    """The answer by the kernel: as plain Python, or compiled where that takes less; None where there is none."""
    from solver.packed_space import PackedValues

    packed = None if engines.packed is None else engines.packed()
    if packed is not None:
        pace = Pace(packed, engines.compiling(), engines.most if trial else None, budget.nodes)
        fast = Strong(packed, budget, until=pace.look)
        try:
            fast.enumerate_until()
            fast.value_all()
            answer = answer_from(space, PackedValues(packed, fast), len(fast.states), reason)
            return attrs.evolve(answer, engine="plain kernel")
        except OutOfBudget as limit:
            return attrs.evolve(_unknown(space, len(fast.states), str(limit)), engine="plain kernel")
        except Slow as slow:
            known = len(fast.states)
            del fast, packed
            why = "" if engines.too_many is None else engines.too_many(slow)
            if trial and not why and engines.most is not None and slow.positions > engines.most:
                why = _too_many(known)
            if trial and why:
                return _searched(search, budget, why)
            if why and not engines.anyway:
                return attrs.evolve(_unknown(space, known, f"not begun: {why}"), engine="plain kernel")
    solver = engines.tabulate(budget)
    return None if solver is None else _by_table(space, solver, budget, reason, search, trial=trial)


def _searched(search: Searcher[StateT, MoveT], budget: Budget, why: str) -> Solution[StateT, MoveT]:
    """The answer of a search, which says why it was chosen also where it reached a limit."""
    answer = search(budget, why)
    said = answer.reason.startswith(why)
    return answer if said else attrs.evolve(answer, reason=f"{why}; {answer.reason}")


def _too_many(known: int, step: str = "ply") -> str:
    return f"there are too many positions to value: after {known:,} their number still grew fast with each {step}"


class _Steep(Exception):
    """There are many positions, and far more will follow; the text says why."""


def _by_table(space: Space[Any, Any], solver: TableSolver, budget: Budget, reason: str, search: Searcher[Any, Any], *,
              trial: bool) -> Solution[Any, Any]:
    """The answer by compiled rules; the budget's limits hold."""
    from solver.tables.enumeration import Enumeration, TooLarge

    steep = STEEP if space.acyclic else STEEPER

    def ask(enumeration: Enumeration) -> None:
        known = enumeration.positions
        if known <= COMPILED_TRIAL:
            return
        tiers = enumeration.kernel.assembled.tiers
        if enumeration.growth() > steep:
            raise _Steep(_too_many(known, "ply" if tiers.strict or len(enumeration.tiers) == 1 else "tier"))
        left = enumeration.amounts_left()
        if left > MANY:
            raise _Steep(f"there are too many positions to value: after {known:,} not yet all with the first number "
                         f"for '{tiers.names[0]}', which can change {left} times")

    if trial:
        solver.until = ask
    try:
        table = solver.run()
    except _Steep as steepness:
        del solver
        return _searched(search, budget, str(steepness))
    except (OutOfBudget, TooLarge) as limit:
        answer = _unknown(space, solver.enumeration.positions, str(limit))
    else:
        answer = answer_from(space, table, table.merged, reason)
    return attrs.evolve(answer, engine="kernel")


# ---- answers


def answer_from(space: Space[StateT, MoveT], strong: Solved[StateT, MoveT], merged: int,
                reason: str) -> Solution[StateT, MoveT]:
    """The answer for the root of a space, which is one of the positions with known values."""
    values: list[tuple[MoveT, Hashable, Value | None]] = []
    for move, after in _moves(space):
        value = strong.value(after)
        assert value is not None  # every successor of the root was enumerated
        values.append((move, space.canonical(after), value))
    root = strong.value(space.start())
    assert root is not None
    return answer_of(space, values, root, strong.unmerged(), merged, "strong", reason, strong.cyclic(), strong)


def solve_by_search(space: Space[StateT, MoveT], budget: Budget, reason: str) -> Solution[StateT, MoveT]:
    """Search by the definition, `solver.search`."""
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
                     "alphabeta", reason, None, None)
    return attrs.evolve(answer, complete=complete)


def _unknown(space: Space[StateT, MoveT], count: int, reason: str) -> Solution[StateT, MoveT]:
    """The answer when a limit stopped the enumeration: only what the moves themselves show."""
    values: list[tuple[MoveT, Hashable, Value | None]] = [
        (move, place, _finished(space, after)) for place, (move, after) in enumerate(_moves(space))]
    answer = answer_of(space, values, _finished(space, space.start()), count, count, "strong", reason, None, None)
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
    """Put an answer together; the root's value follows from the moves where it is not given."""
    mover = space.to_move(space.start())
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
    if best is not None and root is not None and best.winner != root.winner:
        best = None  # the value is known of the root alone
    winner = None if root is None else root.winner
    remoteness = None if root is None else root.remoteness
    if winner == mover and any(move.winner is None for move in moves):
        reason = f"{reason}; some moves are not known"
    return Solution(mover, winner, remoteness, None if best is None else best.move, moves, positions, merged, method,
                    0.0, reason, cyclic, True, strong)


def _best(moves: tuple[MoveValue[MoveT], ...], mover: int) -> MoveValue[MoveT] | None:
    """The best move: the fastest win, else the shortest draw, else one not known to lose, else the slowest loss."""

    def rank(move: MoveValue[MoveT]) -> tuple[int, int]:
        plies = move.remoteness
        if move.winner == mover:
            return 0, 1 << 30 if plies is None else plies
        if move.winner == DRAW:
            return 1, 1 << 30 if plies is None else plies
        if move.winner is None:
            return 2, 0
        return 3, -(plies or 0)

    return min(moves, key=rank, default=None)
