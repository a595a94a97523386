"""Weak solving on a game's kernel: the value of a position and of each of its moves, by search.

Each different position after a first move gets questions until its value is known, the one that has taken least so far
next; they share a table, and several can be worked on at once. With `proof` the questions are which player wins, by
proof-number search (`solver.searches.compiled.proof`); in games of connection who wins, by carriers
(`solver.searches.compiled.carriers`); else those of alpha-beta (`solver.searches.compiled.alphabeta`). The first of
these are whether one of the players wins within n plies, for growing n: they need no history, and what they prove holds
with cycles; a draw is proven by them only where all play ends within the plies that were searched. Where it is shown
that all play ends, they soon give way to the questions whether the player to move wins at all, and does not lose.

Then the same questions for growing n give the remoteness of wins: as far as they take no more positions than the
values did (`remoteness` None), always (True) or not at all (False).

Threads beyond the questions that are open help with one of them: each searches the same position in an order of its
own, and what one finds, the others meet in the table; the first answer counts (lazy SMP). With `value_only` there is
one question from the start, about the root itself.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.kernel.kernel import Kernel
from interpreter.state import Move, State
from solver.budget import Budget, OutOfBudget, memory_used
from solver.report import Report
from solver.searches import carriers
from solver.searches.proofs import ProofQuestion, SharedProofs
from solver.searches.questions import WIN, Question, Shared
from solver.searches.telling import Counted, Done, known_value, principal_variation, report_of, value_of
from solver.searches.working import Board, Child, Outgrown, Table
from solver.solve import Solution, answer_of
from solver.strong import Value

if TYPE_CHECKING:
    from interpreter.patterns import Book
    from solver.game_space import GameSpace

_FIRST_SLICE, _LONGEST_SLICE = 2_000, 400_000
"""Positions that a question is worked on at a time: as many as it had before, between these."""
_QUICK = 2_000
"""Positions that short wins are looked for in, for each first move, before all play is searched to its end."""
_CHEAP = 1_000_000
"""Positions that looking for remoteness may take in any case."""
_HELPED = 50_000
"""Positions after which a question gets the help of threads that are free."""
_TABLE_SHARE = 0.6
_DEFAULT_TABLE, _LARGEST_TABLE = 1024, 8192
"""MiB where no budget is given, and where one is."""
INTERRUPTED = "interrupted"


AnyQuestion = Question | ProofQuestion | carriers.CarrierQuestion


@attrs.define(eq=False)
class Task:
    """A position after a first move, and what is being asked about it."""

    child: Child
    number: int
    question: AnyQuestion
    script: Iterator[int]
    """The questions to ask, each after the answer to the one before."""
    asked: int = 0
    serial: int = 0
    """Goes up with every question."""
    helpers: list[Helper] = attrs.field(factory=list)
    found: list[tuple[int, int]] = attrs.field(factory=list)
    """Bounds that helpers found while the question was worked on."""


@attrs.define(eq=False)
class Helper:
    """A second search for the answer to a task's question."""

    question: Question
    serial: int = -1
    """Which of the task's questions it works on."""


@attrs.frozen(eq=False)
class WeakResult:
    """What is known: for each different child of the root its value for the game, and what the search did."""

    values: tuple[Value | None, ...]
    nodes: int
    reason: str | None
    """Why it stopped early; None where all that was asked is known."""
    report: Report


@attrs.define(eq=False)
class Weak:
    """A weak solution in the making."""

    board: Board
    root: State
    acyclic: bool
    budget: Budget
    threads: int = 1
    remoteness: bool | None = None
    proof: bool = False
    """Whether to search by proof numbers first."""
    carriers: bool = True
    """Whether games of connection are searched with carriers. On 4x4 cells 450 times fewer positions than without."""
    value_only: bool = False
    """Whether the children are the root itself."""
    tables: tuple[Table, ...] = attrs.field(init=False)
    earlier: Sequence[Counted] = attrs.field(factory=list)
    """Questions that are done with."""
    tasks: list[Task] = attrs.field(factory=list)
    depths: dict[int, list[float]] = attrs.field(factory=dict)
    """For each number of plies that was asked about the positions and seconds that it took."""
    _memory: int = 0
    """MiB for tables."""
    _lanes: list[Any] = attrs.field(factory=list)
    """For games of connection what a thread works with that has it to itself."""
    _started: float = attrs.field(factory=time.perf_counter)

    def __attrs_post_init__(self) -> None:
        limit = self.budget.memory
        free = self._memory = _DEFAULT_TABLE if limit is None else max(1, min(_LARGEST_TABLE, int(
            _TABLE_SHARE * (limit - memory_used()))))
        many = len(self.board.kernel.game.players) if self.proof else 1
        self.tables = tuple(Table.of(self.board.arrays, self.board.width, free // many) for _ in range(many))

    def solve(self, children: list[Child]) -> WeakResult:
        """Find the values of different children of the root. Raises RuleError where a rule fails."""
        try:
            return self._solve(children)
        except carriers.NobodyJoined:
            self.carriers = False
            self.tasks.clear()
            return self._solve(children)

    def _solve(self, children: list[Child]) -> WeakResult:
        make = self._maker()
        for number, child in enumerate(children):
            question = make(child)
            if len(self.board.kernel.game.players) == 1:
                question.lower = 0  # a puzzle is solved or not
            task = Task(child, number, question, iter(()))
            self.tasks.append(task)
        reason = None
        try:
            self._work(lambda task: self._values(task))
            if self.remoteness is not False:
                spent = self.nodes
                most = None if self.remoteness else spent + max(_CHEAP, spent)
                self._measure_plies()
                self._work(lambda task: self._remoteness(task), most)
        except (OutOfBudget, Outgrown) as limit:
            reason = str(limit)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        players = len(self.board.kernel.game.players)
        values = tuple(value_of(task.child, task.question.lower, task.question.upper, players) for task in self.tasks)
        method = "proof" if self.proof else "alphabeta"
        scored = all(isinstance(task.question, Question) for task in self.tasks)
        line = principal_variation(self.board, self.root, self.tables[0]) if scored else ()
        report = report_of(method, self.nodes, time.perf_counter() - self._started, self._questions(), self.tables,
                           self.depths, line)
        return WeakResult(values, self.nodes, reason, report)

    # ---- questions

    def _maker(self) -> Callable[[Child], AnyQuestion]:
        """What makes the questions about a position."""
        connection = carriers.usable(self.board.kernel.game) if self.carriers and not self.proof else None
        if connection is not None:
            share = self._memory // self.threads
            lanes = [carriers.SharedCarriers(self.board, connection, share) for _ in range(self.threads)]
            self._lanes = lanes
            return lambda child: carriers.CarrierQuestion(lanes[0], self.board.kernel.state(child.row))
        if not self.proof:
            shared = Shared(self.board, self.tables[0])
            return lambda child: Question(shared, child.row, 0, shared.history)
        proofs = SharedProofs(self.board, self.tables, not self.acyclic)
        return lambda child: ProofQuestion(proofs, child.row, child.to_move)

    def _measure_plies(self) -> None:
        """Where values come of a search that has no plies, go on with questions that have."""
        if not any(isinstance(task.question, ProofQuestion | carriers.CarrierQuestion) for task in self.tasks):
            return
        if self.proof:  # what proofs needed makes room
            memory = sum(table.most * (table.width + 1) * 8 for table in self.tables) >> 20
            self.earlier = [Done.of(task.question) for task in self.tasks]
            self.tables = (Table.of(self.board.arrays, self.board.width, memory),)
        else:
            self.earlier = [task.question for task in self.tasks]
        shared = Shared(self.board, self.tables[0])
        for task in self.tasks:
            before = task.question
            task.question = Question(shared, task.child.row, 0, shared.history, before.lower, before.upper)

    def _values(self, task: Task) -> Iterator[int]:
        """What to ask until a position's value is known."""
        question = task.question
        if self.proof:
            yield from range(len(self.tables))
            return
        if isinstance(question, carriers.CarrierQuestion):
            yield 0
            return
        finite = self.acyclic and not self.board.kernel.game.board.unbounded
        plies = 0
        while not self._settled(question) and plies < WIN - 4:
            if finite and question.nodes >= _QUICK:
                # after a first move it is the opponent who is asked first, so that the root's player may be seen to win
                yield from (0, 1) if task.child.move is not None else (1, 0)
                return
            plies += 1
            yield WIN - plies
            if not self._settled(question):
                yield plies + 1 - WIN

    @staticmethod
    def _settled(question: AnyQuestion) -> bool:
        return question.lower > 0 or question.upper < 0 or question.lower == question.upper == 0

    def _remoteness(self, task: Task) -> Iterator[int]:
        """What to ask until the plies to a win are known."""
        question = task.question
        plies = 0
        while question.lower > 0 and question.lower < question.upper:
            plies = max(plies + 1, WIN - question.upper)
            yield WIN - plies
        while question.upper < 0 and question.lower < question.upper:
            plies = max(plies + 1, WIN + question.lower)
            yield plies + 1 - WIN

    # ---- working

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return sum(question.nodes for question in self._questions())

    def _questions(self) -> list[Counted]:
        helpers = [helper.question for task in self.tasks for helper in task.helpers]
        return [*self.earlier, *(task.question for task in self.tasks), *helpers]

    def _work(self, script: Callable[[Task], Iterator[int]], most: int | None = None) -> None:
        """Work on all tasks in turn until their scripts are through, or so many positions were searched.

        Raises OutOfBudget past a limit; what was proven stays.
        """
        queue: list[tuple[int, int]] = []
        for task in self.tasks:
            task.script = script(task)
            if task.child.outcome is None and self._next(task):
                heapq.heappush(queue, (self._turn(task), task.number))
        open_tasks = total = len(queue)
        with ThreadPoolExecutor(self.threads, thread_name_prefix="dslgame") as pool:
            running: dict[Future[None], tuple[Task, Helper | None]] = {}
            try:
                while open_tasks:
                    if most is not None and self.nodes > most:
                        break
                    while len(running) < self.threads and not (self._cramped() and running):
                        if self._cramped():
                            for table in self.tables:
                                table.grow()
                        if queue:
                            task = self.tasks[heapq.heappop(queue)[1]]
                            self._give_lane(task.question, [task.question for task, _ in running.values()])
                            running[pool.submit(self._slice, task, task.question)] = task, None
                            continue
                        busy = [task for task, helper in running.values() if helper is None]
                        helper = self._helper(busy, [helper for _, helper in running.values()])
                        if helper is None:
                            break
                        running[pool.submit(self._slice, helper[0], helper[1].question)] = helper
                    done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
                    for future in done:
                        task, by = running.pop(future)
                        future.result()
                        if by is not None:
                            if by.question.answered and by.serial == task.serial:
                                task.found.append((by.question.lower, by.question.upper))
                            continue
                        self._merge(task)
                        if not task.question.answered or self._next(task):
                            heapq.heappush(queue, (self._turn(task), task.number))
                        else:
                            open_tasks -= 1
                    self._look(f"{total - open_tasks} of {total} {self._named} answered")
            finally:
                wait(running)

    def _give_lane(self, question: AnyQuestion, busy: list[AnyQuestion]) -> None:
        """Have a question about a game of connection go on with what no other thread works with."""
        if isinstance(question, carriers.CarrierQuestion):
            taken = [id(other.shared) for other in busy if isinstance(other, carriers.CarrierQuestion)]
            question.shared = next(lane for lane in self._lanes if id(lane) not in taken)

    @property
    def _named(self) -> str:
        return "positions" if self.value_only else "first moves"

    def _helper(self, tasks: list[Task], busy: list[Helper | None]) -> tuple[Task, Helper] | None:
        """A helper for the task that has taken most, set to work on its question; None where there is none to help."""
        tasks = [task for task in tasks if isinstance(task.question, Question) and task.question.nodes >= _HELPED]
        if not tasks:
            return None
        task = max(tasks, key=lambda task: task.question.nodes)
        question = task.question
        assert isinstance(question, Question)
        helper = next((helper for helper in task.helpers if helper not in busy), None)
        if helper is None:
            helper = Helper(question.second(len(task.helpers) + 1))
            task.helpers.append(helper)
        if helper.serial != task.serial:
            helper.serial = task.serial
            helper.question.lower, helper.question.upper = question.lower, question.upper
            helper.question.ask(task.asked)
        return None if helper.question.answered else (task, helper)

    @staticmethod
    def _merge(task: Task) -> None:
        """Take over what helpers found."""
        question = task.question
        for lower, upper in task.found:
            question.lower, question.upper = max(question.lower, lower), min(question.upper, upper)
        task.found.clear()
        question.answered = question.answered or not question.open(task.asked)

    def _turn(self, task: Task) -> int:
        """Which task is next: the one with the least number."""
        if isinstance(task.question, carriers.CarrierQuestion):  # one after another: each finds carriers for the next
            move = task.child.move
            return 0 if move is None else carriers.off_centre(self.board.kernel.game, move.values[0])
        return task.question.nodes

    def _cramped(self) -> bool:
        """Whether the table should grow, for which all searches must stand still."""
        table = self.tables[0]
        if table.entries >= table.most:
            return False
        return table.wants_to_grow(sum(question.counts.get("filled", 0) for question in self._questions()
                                       if not isinstance(question, Done)))

    def _next(self, task: Task) -> bool:
        """Ask a task's next question that the table of bounds does not answer; whether there is one."""
        question = task.question
        for asked in task.script:
            if not question.open(asked):
                continue
            task.asked = asked
            task.serial += 1
            for table in self.tables:
                table.age += 1
            question.ask(asked)
            return True
        return False

    def _slice(self, task: Task, question: AnyQuestion) -> None:
        began, nodes = time.perf_counter(), question.nodes
        longest = _LONGEST_SLICE if question is task.question else _HELPED
        question.go_on(min(longest, max(_FIRST_SLICE, nodes)))
        plies = WIN - abs(task.asked) + (task.asked < 0)
        if isinstance(question, ProofQuestion) or task.asked in (0, 1):
            plies = 0
        spent = self.depths.setdefault(plies, [0, 0.0])
        spent[0] += question.nodes - nodes
        spent[1] += time.perf_counter() - began

    def _look(self, phase: str) -> None:
        """Raises OutOfBudget past a limit; tells how far the work is."""
        budget = self.budget
        nodes = self.nodes
        if budget.nodes is not None and nodes >= budget.nodes:
            raise OutOfBudget(f"the limit of {budget.nodes:,} positions is reached")
        if budget.memory is not None and memory_used() > budget.memory:
            raise OutOfBudget(f"the limit of {budget.memory:,} MiB of memory is reached")
        if budget.progress is not None:
            rate = nodes / max(1e-3, time.perf_counter() - self._started)
            budget.progress(nodes, nodes, f"{phase}, {rate:,.0f} positions a second")


def search_on_kernel(space: GameSpace, budget: Budget, reason: str, *, threads: int = 1, native: bool = True,
                     remoteness: bool | None = None, proof: bool = False, with_carriers: bool = True,
                     value_only: bool = False, patterns: Book | None = None) -> Solution[State, Move]:
    """The values of a root and its moves, by alpha-beta or proof-number search on the game's kernel.

    With `value_only` the root's is searched for, and only what comes with it is known of its moves. Alpha-beta tries
    the moves that `patterns` propose before others. Raises NotLowered where the compiler has no words for a rule,
    RuleError where a rule fails.
    """
    game = space.game
    kernel = Kernel.of(game, native=native, patterns=None if proof else patterns)
    number = {id(element): place for place, element in enumerate(game.symmetries)}
    usable = all(symmetry.condition is None for symmetry, _ in game.declared)
    board = Board.of(kernel, [number[id(element)] for element in space.maps] if usable else [0])
    children = board.children(space.root) if space.root.outcome is None else []
    keys: dict[tuple[int, ...], int] = {}
    groups = [keys.setdefault(tuple(int(word) for word in child.key), len(keys)) for child in children]
    different = [children[groups.index(group)] for group in range(len(keys))]
    value_only = value_only and bool(children)
    weak = Weak(board, space.root, space.acyclic, budget, threads, remoteness, proof, with_carriers, value_only)
    result = weak.solve([board.child(space.root)] if value_only else different)
    if weak.carriers and not proof and carriers.usable(game) is not None:
        reason += "; a game of connection, in which only one can be joined: by the cells that proofs need"
    root, found = None, result.values
    if value_only:
        root = result.values[0]
        players = len(game.players)
        asked = weak.tasks[0].question
        found = tuple(None if proof else known_value(child, weak.tables[0], players) for child in different)
        if isinstance(asked, carriers.CarrierQuestion) and asked.answer is not None:
            won = [child.move is not None and child.move.values[0] == asked.answer for child in children]
            found = tuple(root if number == groups[won.index(True)] else value for number, value in enumerate(found))
    values = [(child.move, group, found[group]) for child, group in zip(children, groups, strict=True)
              if child.move is not None]
    answer = answer_of(space, values, root, result.nodes, result.nodes, result.report.method, result.reason or reason,
                       None, None)
    return attrs.evolve(answer, complete=result.reason is None, report=result.report)
