"""Weak solving on a game's kernel: the value of a position and of each of its moves, by search.

Each distinct position after a first move is searched with one question after another until its value is known; the
position searched least so far is next. The searches share a transposition table, and several can run at once. With
`proof` the questions ask which player wins, by proof-number search (`solver.native.dfpn`). In connection games the
question is who wins, answered by carriers (`solver.native.connection`) or by virtual connections
(`solver.native.connecting`). Otherwise they are null-window questions to alpha-beta (`solver.native.alphabeta`), which
first ask whether one of the players wins within n plies, for growing n. These need no history, and what they prove
holds despite cycles, but they prove a draw only where all play ends within the plies searched. In games where all play
is shown to end, they soon give way to the questions whether the player to move wins at all, and whether he avoids a
loss.

Questions with growing n then find the remoteness of wins: always with `remoteness` True, not at all with False, and
with None within a limit of positions (see `_CHEAP` and `_FEW`).

With `value_only` the questions are about the root itself. `solver.drivers.scheduler` runs the searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.hopes import hoping
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State
from solver.budget import Budget, OutOfBudget, memory_used
from solver.drivers import carriers, connecting
from solver.drivers.closing import AllValued, Closing
from solver.drivers.connection_question import ConnectionQuestion, NobodyJoined
from solver.drivers.null_window import MANY, WIN, NullWindowSearch, Shared
from solver.drivers.proof_number import ProofNumberSearch, SharedProofs
from solver.drivers.scheduler import AnySearch, Scheduler, Task
from solver.drivers.search_context import Child, Outgrown, SearchContext, TranspositionTable
from solver.drivers.search_report import FinishedStats, known_value, principal_variation, report_of, value_of
from solver.methods import ALPHABETA, CARRIERS, CONNECTIONS, PROOF
from solver.report import Report
from solver.solve import INTERRUPTED, Solution, answer_from, answer_of
from solver.strong import Value

if TYPE_CHECKING:
    from interpreter.patterns.matching import Book
    from solver.game_space import GameSpace
    from solver.packed_space import PackedValues

_QUICK = 2_000
"""Positions searched for short wins after each first move, before the questions that search all play to its end."""
_CHEAP = 1_000_000
"""Positions that the search for remoteness may always take; where all first moves are searched, it may take as many as
the values did. Not so where carriers gave the values, of which alpha-beta knows nothing: on 36 cells as many positions
took 240 s of 350 s, and found no remoteness."""
_FEW = 20_000
"""The same where virtual connections gave the values; on boards where the remoteness can be found, it took fewer."""
_END = 100_000
"""Positions that each search for the end of a principal variation may take."""
_TABLE_SHARE = 0.6
_DEFAULT_TABLE, _LARGEST_TABLE = 1024, 8192
"""MiB for tables where no memory budget is given, and at most where one is."""


@attrs.frozen(eq=False)
class WeakResult:
    """The result of a search: the value of each distinct child of the root, and a report of what the search did."""

    values: tuple[Value | None, ...]
    answers: tuple[int | None, ...]
    """For each of them a cell with which the player to move wins, where the search for the value found one."""
    nodes: int
    reason: str | None
    """Why it stopped early; None where all that was asked is known."""
    report: Report
    enumerated: PackedValues | None = None
    """The values of all positions, where their enumeration finished before the search."""


@attrs.define(eq=False)
class Weak:
    """Finds a weak solution: makes the questions and has a scheduler run their searches."""

    context: SearchContext
    root: State
    acyclic: bool
    budget: Budget
    threads: int = 1
    remoteness: bool | None = None
    method: str = ALPHABETA
    """The method that finds the values: alpha-beta, proof numbers, carriers or virtual connections; it must suit the
    game. On 4x4 cells carriers need 450 times fewer positions than alpha-beta."""
    value_only: bool = False
    """Whether the root itself is searched, as the only child."""
    closing: Closing | None = None
    """Enumerates the positions alongside the search, where play can go round in circles."""
    scheduler: Scheduler = attrs.field(init=False)
    _memory: int = 0
    """MiB available for tables."""

    def __attrs_post_init__(self) -> None:
        limit = self.budget.memory
        free = self._memory = _DEFAULT_TABLE if limit is None else max(1, min(_LARGEST_TABLE, int(
            _TABLE_SHARE * (limit - memory_used()))))
        count = len(self.context.kernel.game.players) if self.method == PROOF else 1
        tables = [TranspositionTable.of(self.context.arrays, self.context.width, free // count) for _ in range(count)]
        self.scheduler = Scheduler(self.context, self.budget, self.threads, tables,
                         "positions" if self.value_only else "first moves")

    def solve(self, children: list[Child]) -> WeakResult:
        """Find the values of the distinct children of the root. Raises RuleError where a rule fails."""
        try:
            return self._solve(children)
        except NobodyJoined:
            self.method = ALPHABETA
            self.scheduler.tasks.clear()
            return self._solve(children)

    def _solve(self, children: list[Child]) -> WeakResult:
        make, scheduler = self._maker(), self.scheduler
        for number, child in enumerate(children):
            question = make(child)
            if len(self.context.kernel.game.players) == 1:
                question.lower = 0  # a puzzle is solved or not
            scheduler.tasks.append(Task(child, number, question, iter(())))
        reason, enumerated = None, None
        if self.closing is not None:
            scheduler.between = self.closing.look
        try:
            scheduler.work(self._values)
            if self.remoteness is not False:
                spent = scheduler.nodes
                cheap = self.value_only or self.method in (CARRIERS, CONNECTIONS)
                few = _FEW if self.method == CONNECTIONS else _CHEAP
                most = None if self.remoteness else spent + max(few, 0 if cheap else spent)
                self._measure_plies()
                scheduler.work(self._remoteness, most, "measured in plies")
        except AllValued as known:
            enumerated = known.values
        except (OutOfBudget, Outgrown) as limit:
            reason = str(limit)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        players = len(self.context.kernel.game.players)
        values = tuple(value_of(task.child, task.question.lower, task.question.upper, players)
                       for task in scheduler.tasks)
        scored = all(isinstance(task.question, NullWindowSearch) for task in scheduler.tasks)
        line = principal_variation(self.context, self.root, scheduler.tables[0], self._search_end if reason is None
                                   and self.acyclic else lambda state: None) if scored else ()
        report = report_of(self.method, scheduler.nodes, time.perf_counter() - scheduler.started, scheduler.questions(),
                           scheduler.tables, scheduler.depths, line)
        answers = tuple(map(self._answer, scheduler.tasks))
        return WeakResult(values, answers, scheduler.nodes, reason, report, enumerated)

    def _search_end(self, state: State) -> None:
        """Search the positions after a position into the table, as large searches leave out those near the end."""
        if self.scheduler.nodes < MANY:
            return
        shared = Shared(self.context, self.scheduler.tables[0])
        for child in self.context.children(state):
            question = NullWindowSearch(shared, child.row, 0, shared.history)
            for asked in (1, 0) if child.outcome is None else ():
                if question.open(asked):
                    question.ask(asked)
                    question.go_on(_END)

    def _answer(self, task: Task) -> int | None:
        asked = [task.question, *self.scheduler.earlier[task.number:task.number + 1]]
        return next((question.answer for question in asked if isinstance(question, ConnectionQuestion)), None)

    # ---- questions

    def _maker(self) -> Callable[[Child], AnySearch]:
        """Return the function that makes the question about a child, by the method in use."""
        game = self.context.kernel.game
        if self.method == CONNECTIONS and (joining := connecting.usable(game)) is not None:
            boards = [connecting.SharedBoard(self.context, joining) for _ in range(self.threads)]
            self.scheduler.per_thread = boards
            return lambda child: connecting.ConnectingQuestion(boards[0], self.context.kernel.state(child.row))
        if self.method == CARRIERS and (connection := carriers.usable(game)) is not None:
            share = self._memory // self.threads
            per_thread = [carriers.SharedCarriers(self.context, connection, share) for _ in range(self.threads)]
            self.scheduler.per_thread = per_thread
            return lambda child: carriers.CarrierSearch(per_thread[0], self.context.kernel.state(child.row))
        if self.method != PROOF:
            shared = Shared(self.context, self.scheduler.tables[0], self.threads)
            return lambda child: NullWindowSearch(shared, child.row, 0, shared.history)
        proofs = SharedProofs(self.context, self.scheduler.tables, not self.acyclic)
        return lambda child: ProofNumberSearch(proofs, child.row, child.to_move)

    def _measure_plies(self) -> None:
        """Replace questions that cannot count plies by those of alpha-beta, which keep the bounds found so far."""
        if not any(isinstance(task.question, ProofNumberSearch | ConnectionQuestion) for task in self.scheduler.tasks):
            return
        if self.method == PROOF:  # the memory of the proof tables goes to the new one
            memory = sum(table.most * (table.width + 1) * 8 for table in self.scheduler.tables) >> 20
            self.scheduler.earlier = [FinishedStats.of(task.question) for task in self.scheduler.tasks]
            self.scheduler.tables = (TranspositionTable.of(self.context.arrays, self.context.width, memory),)
        else:
            self.scheduler.earlier = [task.question for task in self.scheduler.tasks]
        shared = Shared(self.context, self.scheduler.tables[0], self.threads)
        for task in self.scheduler.tasks:
            before = task.question
            task.question = NullWindowSearch(shared, task.child.row, 0, shared.history, before.lower, before.upper)

    def _values(self, task: Task) -> Iterator[int]:
        """Yield the questions to ask until a position's value is known."""
        question = task.question
        if self.method == PROOF:
            yield from range(len(self.scheduler.tables))
            return
        if isinstance(question, ConnectionQuestion):
            yield 0
            return
        finite = self.acyclic and not self.context.kernel.game.board.unbounded
        plies = 0
        while not self._settled(question) and plies < WIN - 4:
            if finite and question.nodes >= _QUICK:
                # after a first move ask first whether the opponent avoids a loss: if not, the root's player wins
                yield from (0, 1) if task.child.move is not None else (1, 0)
                return
            plies += 1
            yield WIN - plies
            if not self._settled(question):
                yield plies + 1 - WIN

    @staticmethod
    def _settled(question: AnySearch) -> bool:
        return question.lower > 0 or question.upper < 0 or question.lower == question.upper == 0

    def _remoteness(self, task: Task) -> Iterator[int]:
        """Yield the questions to ask until the number of plies to a win is known."""
        question = task.question
        plies = 0
        while question.lower > 0 and question.lower < question.upper:
            plies = max(plies + 1, WIN - question.upper)
            yield WIN - plies
        while question.upper < 0 and question.lower < question.upper:
            plies = max(plies + 1, WIN + question.lower)
            yield plies + 1 - WIN


def search_on_kernel(space: GameSpace, budget: Budget, reason: str, *, threads: int = 1, native: bool = True,
                     remoteness: bool | None = None, method: str = CARRIERS, value_only: bool = False,
                     patterns: Book | None = None, hopes: bool = True) -> Solution[State, Move]:
    """Return the values of the root and its moves, found by a search on the game's kernel.

    The method is ALPHABETA, PROOF, CARRIERS or CONNECTIONS; alpha-beta replaces the last two for games that they do not
    suit. With `value_only` only the root's value is searched for, and its moves have the values that come out on the
    way. Alpha-beta tries the moves that `patterns` propose first, and with `hopes` it cuts off where the players in
    question cannot win any more. Raises NotLowered where the compiler cannot lower a rule, RuleError where a rule
    fails.
    """
    game = space.game
    shown = {CARRIERS: carriers.usable, CONNECTIONS: connecting.usable}
    if method in shown and shown[method](game) is None:
        method = ALPHABETA
    hopeful = hoping(game) if hopes and method == ALPHABETA else None
    kernel = Kernel.of(hopeful or game, native=native, patterns=None if method == PROOF else patterns)
    number = {id(element): place for place, element in enumerate(game.symmetries)}
    usable = all(symmetry.condition is None for symmetry, _ in game.declared)
    context = SearchContext.of(kernel, [number[id(element)] for element in space.maps] if usable else [0],
                               hoping_for=None if hopeful is None else game)
    children = context.children(space.root) if space.root.outcome is None else []
    keys: dict[tuple[int, ...], int] = {}
    groups = [keys.setdefault(tuple(int(word) for word in child.key), len(keys)) for child in children]
    different = [children[groups.index(group)] for group in range(len(keys))]
    value_only = value_only and bool(children)
    closing = None if space.acyclic else Closing(space, budget, native)
    weak = Weak(context, space.root, space.acyclic, budget, threads, remoteness, method, value_only, closing)
    result = weak.solve([context.child(space.root)] if value_only else different)
    if result.enumerated is not None:
        known = result.enumerated
        count = len(known.strong.states)
        answer = answer_from(space, known, count, f"{reason}; play can go round in circles, on more lines than the "
                             f"search could follow, so that all {count:,} positions were valued")
        return attrs.evolve(answer, report=result.report)
    root, found = None, result.values
    if value_only:
        root = result.values[0]
        players = len(game.players)
        table = weak.scheduler.tables[0]
        found = tuple(None if method == PROOF else known_value(child, table, players) for child in different)
        (cell,) = result.answers
        if cell is not None and root is not None:
            won = groups[children.index(_placing(children, cell))]
            found = tuple(Value(root.winner, None) if value is None and number == won else value
                          for number, value in enumerate(found))
    values = [(child.move, group, found[group]) for child, group in zip(children, groups, strict=True)
              if child.move is not None]
    answer = answer_of(space, values, root, result.nodes, result.nodes, result.report.method, result.reason or reason,
                       None, None)
    moves = list(answer.moves)
    if not value_only:
        for group, cell in enumerate(result.answers):
            if cell is not None:
                replies = context.children(kernel.state(different[group].row))
                place = groups.index(group)
                moves[place] = attrs.evolve(moves[place], reply=_placing(replies, cell).move)
    return attrs.evolve(answer, moves=tuple(moves), complete=result.reason is None, report=result.report,
                        interrupted=result.reason == INTERRUPTED)


def _placing(children: Sequence[Child], cell: int) -> Child:
    """Return the child whose move has the cell as its first choice."""
    return next(child for child in children if child.move is not None and child.move.values[0] == cell)
