"""Schedules the searches of several positions on a thread pool; idle threads help the slowest.

A task is a position and the questions to ask about it, one after another. It is searched in slices: each slice searches
as many positions as the task has had so far, within limits, and the task with the fewest positions is next. Idle
threads help an open task: each searches the same position with a move order of its own and leaves for last what another
thread is searching. They share the transposition table, so that each finds what the others found; the first answer
counts.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import attrs

from solver.budget import Budget, OutOfBudget, memory_used
from solver.drivers.carriers import CarrierSearch, SharedCarriers, off_centre
from solver.drivers.connecting import ConnectingQuestion, SharedBoard
from solver.drivers.connection_question import ConnectionQuestion
from solver.drivers.null_window import WIN, NullWindowSearch
from solver.drivers.proof_number import ProofNumberSearch
from solver.drivers.search_context import Child, SearchContext, TranspositionTable
from solver.drivers.search_report import SearchStats

_FIRST_SLICE, _LONGEST_SLICE = 2_000, 400_000
"""The fewest and the most positions of a slice; between these, as many as the question has had so far."""
_HELPED = 50_000
"""Positions after which idle threads help with a question, and the most in a helper's slice."""

_SHOWN = 3
"""The number of moves that the progress line shows of the line being searched."""

AnySearch = NullWindowSearch | ProofNumberSearch | CarrierSearch | ConnectingQuestion


@attrs.define(eq=False)
class Task:
    """A position, usually after a first move, and the questions asked about it."""

    child: Child
    number: int
    question: AnySearch
    script: Iterator[int]
    """Yields the questions to ask, each after the answer to the one before."""
    asked: int = 0
    serial: int = 0
    """Incremented with every question."""
    helpers: list[Helper] = attrs.field(factory=list)
    found: list[tuple[int, int]] = attrs.field(factory=list)
    """Bounds that helpers found and that are not merged yet."""


@attrs.define(eq=False)
class Helper:
    """A second search for the answer to a task's question."""

    question: NullWindowSearch
    serial: int = -1
    """The serial of the task's question that it works on."""


@attrs.define(eq=False)
class Scheduler:
    """Runs the searches of tasks on a thread pool."""

    context: SearchContext
    budget: Budget
    threads: int
    tables: Sequence[TranspositionTable]
    named: str = "first moves"
    """What the progress line calls the tasks."""
    tasks: list[Task] = attrs.field(factory=list)
    per_thread: Sequence[SharedCarriers | SharedBoard] = ()
    """For connection games the working data, one for each thread, that no two threads may use at once."""
    earlier: Sequence[SearchStats] = ()
    """Finished questions."""
    depths: dict[int, list[float]] = attrs.field(factory=dict)
    """For each number of plies asked about, the positions and seconds spent on it."""
    started: float = attrs.field(factory=time.perf_counter)
    between: Callable[[int], None] | None = None
    """Called between slices with the number of positions searched so far; may stop the work by an exception."""
    _where: str = ""
    """The first moves of the line being searched, as text for the progress line."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return sum(question.nodes for question in self.questions())

    def questions(self) -> list[SearchStats]:
        """Return all questions, including finished ones and those of helpers."""
        helpers = [helper.question for task in self.tasks for helper in task.helpers]
        return [*self.earlier, *(task.question for task in self.tasks), *helpers]

    def work(self, script: Callable[[Task], Iterator[int]], limit: int | None = None, status: str = "answered") -> None:
        """Search all tasks in turn until their scripts are exhausted, or more than `limit` positions were searched.

        `status` is the word for finished tasks in the progress line. Raises OutOfBudget past a limit of the budget; the
        bounds proven so far are kept.
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
                    if limit is not None and self.nodes > limit:
                        break
                    while len(running) < self.threads and not (self._cramped() and running):
                        if self._cramped():
                            for table in self.tables:
                                table.grow()
                        if queue:
                            task = self.tasks[heapq.heappop(queue)[1]]
                            self._give_own(task.question, [task.question for task, _ in running.values()])
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
                        self._note_where(task.question)
                        self._merge(task)
                        if not task.question.answered or self._next(task):
                            heapq.heappush(queue, (self._turn(task), task.number))
                        else:
                            open_tasks -= 1
                    self._look(f"{total - open_tasks} of {total} {self.named} {status}{self._where}")
                    if self.between is not None and done and open_tasks:
                        self.between(self.nodes)
            finally:
                wait(running)

    def _give_own(self, question: AnySearch, busy: list[AnySearch]) -> None:
        """Give a question about a connection game the working data that no busy thread uses."""
        if isinstance(question, ConnectionQuestion):
            taken = [id(other.shared) for other in busy if isinstance(other, ConnectionQuestion)]
            free: Any = next(own for own in self.per_thread if id(own) not in taken)
            question.shared = free

    def _helper(self, tasks: list[Task], busy: list[Helper | None]) -> tuple[Task, Helper] | None:
        """Return a helper with its question asked, for the task with the most positions; None where none needs help."""
        tasks = [task for task in tasks
                 if isinstance(task.question, NullWindowSearch) and task.question.nodes >= _HELPED]
        if not tasks:
            return None
        task = max(tasks, key=lambda task: task.question.nodes)
        question = task.question
        assert isinstance(question, NullWindowSearch)
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
        """Merge the bounds that helpers found into the task's question."""
        question = task.question
        for lower, upper in task.found:
            question.lower, question.upper = max(question.lower, lower), min(question.upper, upper)
        task.found.clear()
        question.answered = question.answered or not question.open(task.asked)

    def _turn(self, task: Task) -> int:
        """Return the task's key in the queue; the task with the least key is next."""
        if isinstance(task.question, CarrierSearch):  # one task after another: each finds carriers for the next
            move = task.child.move
            return 0 if move is None else off_centre(self.context.kernel.game, move.values[0])
        return task.question.nodes

    def _cramped(self) -> bool:
        """Whether the table should grow, for which all searches must pause."""
        table = self.tables[0]
        if table.entries >= table.most:
            return False
        return table.wants_to_grow(sum(question.filled for question in self.questions()))

    def _next(self, task: Task) -> bool:
        """Ask the task's next question that its bounds do not answer yet; return whether there is one."""
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

    def _slice(self, task: Task, question: AnySearch) -> None:
        began, nodes = time.perf_counter(), question.nodes
        longest = _LONGEST_SLICE if question is task.question else _HELPED
        question.go_on(min(longest, max(_FIRST_SLICE, nodes)))
        plies = WIN - abs(task.asked) - (task.asked < 0)
        if isinstance(question, ProofNumberSearch) or task.asked in (0, 1):
            plies = 0
        spent = self.depths.setdefault(plies, [0, 0.0])
        spent[0] += question.nodes - nodes
        spent[1] += time.perf_counter() - began

    def _note_where(self, question: AnySearch) -> None:
        if self.budget.progress is not None and isinstance(question, NullWindowSearch):
            moves = [f"{move} ({place} of {count})" for move, place, count in question.whereabouts(_SHOWN)]
            self._where = ", at " + " ".join(moves) if moves else ""

    def _look(self, phase: str) -> None:
        """Check the limits and report progress. Raises OutOfBudget past a limit."""
        budget = self.budget
        nodes = self.nodes
        if budget.nodes is not None and nodes >= budget.nodes:
            raise OutOfBudget(f"the limit of {budget.nodes:,} positions is reached")
        if budget.memory is not None and memory_used() > budget.memory:
            raise OutOfBudget(f"the limit of {budget.memory:,} MiB of memory is reached")
        if budget.progress is not None:
            rate = nodes / max(1e-3, time.perf_counter() - self.started)
            budget.progress(nodes, nodes, f"{phase}, {rate:,.0f} positions a second")
