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
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import attrs

from interpreter.kernel.kernel import Kernel
from interpreter.state import DRAW, Move, State
from solver.budget import Budget, OutOfBudget, memory_used
from solver.report import Deepened, Report
from solver.searches import carriers
from solver.searches.proofs import ProofQuestion, SharedProofs
from solver.searches.questions import WIN, Question, Shared
from solver.searches.working import Board, Child, Outgrown, Table
from solver.solve import Solution, answer_of
from solver.strong import Value

if TYPE_CHECKING:
    from solver.game_space import GameSpace

_FIRST_SLICE, _LONGEST_SLICE = 2_000, 400_000
"""Positions that a question is worked on at a time: as many as it had before, between these."""
_QUICK = 2_000
"""Positions that short wins are looked for in, for each first move, before all play is searched to its end."""
_CHEAP = 1_000_000
"""Positions that looking for remoteness may take in any case."""
_TABLE_SHARE = 0.6
_DEFAULT_TABLE = 1024
"""MiB."""
_LONGEST_LINE = 200
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
    seconds: float = 0.0
    pending: bool = False


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
    """Whether to search by proof numbers; remoteness is then not looked for."""
    carriers: bool = True
    """Whether games of connection are searched with carriers. On 4x4 cells 450 times fewer positions than without."""
    tables: tuple[Table, ...] = attrs.field(init=False)
    earlier: list[AnyQuestion] = attrs.field(factory=list)
    """Questions that are done with."""
    tasks: list[Task] = attrs.field(factory=list)
    depths: dict[int, list[float]] = attrs.field(factory=dict)
    """For each number of plies that was asked about the positions and seconds that it took."""
    _started: float = attrs.field(factory=time.perf_counter)

    def __attrs_post_init__(self) -> None:
        limit = self.budget.memory
        free = _DEFAULT_TABLE if limit is None else max(1, min(_DEFAULT_TABLE, int(
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
            if self.remoteness is not False and not self.proof:
                spent = self.nodes
                most = None if self.remoteness else spent + max(_CHEAP, spent)
                self._measure_plies()
                self._work(lambda task: self._remoteness(task), most)
        except (OutOfBudget, Outgrown) as limit:
            reason = str(limit)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        values = tuple(self._value(task) for task in self.tasks)
        return WeakResult(values, self.nodes, reason, self._report())

    # ---- questions

    def _maker(self) -> Callable[[Child], AnyQuestion]:
        """What makes the questions about a position."""
        connection = carriers.usable(self.board.kernel.game) if self.carriers and not self.proof else None
        if connection is not None:
            self.threads = 1  # the lists of carriers are not to be shared
            lists = carriers.SharedCarriers(self.board, connection)
            return lambda child: carriers.CarrierQuestion(lists, self.board.kernel.state(child.row))
        if not self.proof:
            shared = Shared(self.board, self.tables[0])
            return lambda child: Question(shared, child.row, 0, shared.history)
        proofs = SharedProofs(self.board, self.tables, not self.acyclic)
        return lambda child: ProofQuestion(proofs, child.row, child.to_move)

    def _measure_plies(self) -> None:
        """Where values come of a search that has no plies, go on with questions that have."""
        shared = Shared(self.board, self.tables[0])
        for task in self.tasks:
            if isinstance(task.question, carriers.CarrierQuestion):
                before = task.question
                self.earlier.append(before)
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
                yield 0
                if question.lower >= 0 and question.upper > 0:
                    yield 1
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

    def _questions(self) -> list[AnyQuestion]:
        return [*self.earlier, *(task.question for task in self.tasks)]

    def _work(self, script: object, most: int | None = None) -> None:
        """Work on all tasks in turn until their scripts are through, or so many positions were searched.

        Raises OutOfBudget past a limit; what was proven stays.
        """
        assert callable(script)
        queue: list[tuple[int, int]] = []
        for task in self.tasks:
            task.script = script(task)
            if task.child.outcome is None and self._next(task):
                heapq.heappush(queue, (self._turn(task), task.number))
        total = len(queue)
        with ThreadPoolExecutor(self.threads, thread_name_prefix="dslgame") as pool:
            running: dict[Future[None], Task] = {}
            try:
                while queue or running:
                    if most is not None and self.nodes > most:
                        break
                    while queue and len(running) < self.threads and not (self._cramped() and running):
                        if self._cramped():
                            for table in self.tables:
                                table.grow()
                        _, number = heapq.heappop(queue)
                        task = self.tasks[number]
                        running[pool.submit(self._slice, task)] = task
                    done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
                    for future in done:
                        task = running.pop(future)
                        future.result()
                        if not task.question.answered or self._next(task):
                            heapq.heappush(queue, (self._turn(task), task.number))
                    left = len(queue) + len(running)
                    self._look(f"{total - left} of {total} first moves answered")
            finally:
                wait(running)

    def _turn(self, task: Task) -> int:
        """Which task is next: the one with the least number."""
        if isinstance(task.question, carriers.CarrierQuestion):  # one after another: each finds carriers for the next
            return carriers.off_centre(self.board.kernel.game, task.child.move.values[0])
        return task.question.nodes

    def _cramped(self) -> bool:
        """Whether the table should grow, for which all searches must stand still."""
        table = self.tables[0]
        if table.entries >= table.most:
            return False
        return table.wants_to_grow(sum(question.counts.get("filled", 0) for question in self._questions()))

    def _next(self, task: Task) -> bool:
        """Ask a task's next question that the table of bounds does not answer; whether there is one."""
        question = task.question
        for asked in task.script:
            if not question.open(asked):
                continue
            task.asked = asked
            for table in self.tables:
                table.age += 1
            question.ask(asked)
            return True
        return False

    def _slice(self, task: Task) -> None:
        began, nodes = time.perf_counter(), task.question.nodes
        task.question.go_on(min(_LONGEST_SLICE, max(_FIRST_SLICE, nodes)))
        seconds = time.perf_counter() - began
        task.seconds += seconds
        plies = 0 if self.proof or task.asked in (0, 1) else WIN - abs(task.asked) + (task.asked < 0)
        spent = self.depths.setdefault(plies, [0, 0.0])
        spent[0] += task.question.nodes - nodes
        spent[1] += seconds

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

    # ---- answers

    def _value(self, task: Task) -> Value | None:
        """The value of a child of the root, as far as it is known."""
        child, question = task.child, task.question
        if child.outcome is not None:
            return Value(child.outcome, 0)
        players = len(self.board.kernel.game.players)
        other = 1 - child.to_move if players == 2 else DRAW
        exact = question.lower == question.upper
        if question.lower > 0:
            return Value(child.to_move, WIN - question.lower if exact else None)
        if question.upper < 0:
            return Value(other, WIN + question.upper if exact and players == 2 else None)
        return Value(DRAW, None) if question.lower == question.upper == 0 else None

    def _report(self) -> Report:
        counts: dict[str, int] = {}
        plies: list[int] = []
        for question in self._questions():
            for name, number in question.counts.items():
                counts[name] = counts.get(name, 0) + number
            for ply, number in enumerate(question.plies):
                plies += [0] * (ply + 1 - len(plies))
                plies[ply] += number
        table = {"places": sum(table.entries for table in self.tables), "used": counts.get("filled", 0),
                 "bytes": sum(table.bytes for table in self.tables)}
        table |= {name: counts.get(key, 0) for name, key in (
            ("asked", "probes"), ("hits", "hits"), ("stored", "stored"), ("replaced", "replaced"))}
        names = {"by end": "a finished child", "by table": "the table", "first cuts": "the first child searched",
                 "cuts": "any child", "repeated": "a repetition", "won at once": "a win at once",
                 "lost at once": "a threat twice", "by carrier": "a carrier", "by musts": "the lack of a must",
                 "twins": "the same way to a repetition"}
        pruned = {name: counts[key] for key, name in names.items() if key in counts}
        depths = tuple(Deepened(depth, int(nodes), seconds, "", ()) for depth, (nodes, seconds) in
                       sorted(self.depths.items()) if depth)
        return Report("proof" if self.proof else "alphabeta", self.nodes, time.perf_counter() - self._started,
                      leaves=counts.get("leaves", 0), ends=counts.get("leaves", 0), moves=counts.get("children", 0),
                      pruned=pruned, spared=counts.get("spared"), table=table, depths=depths, plies=tuple(plies),
                      line=() if self.proof else self._line())

    def _line(self) -> tuple[str, ...]:
        """The principal variation as far as the table has it."""
        game = self.board.kernel.game
        state = self.root
        found: list[str] = []
        while len(found) < _LONGEST_LINE and state.outcome is None:
            move = self._best(state)
            if move is None:
                break
            found.append(game.notation.write(state, move))
            after = game.engine.apply(state, move)
            assert after is not None
            state = after
        return tuple(found)

    def _best(self, state: State) -> Move | None:
        """A move with the best proven score; None where nothing is proven of the moves."""
        best: tuple[int, int] | None = None
        chosen = None
        for child in self.board.children(state):
            if child.outcome is not None:
                score = 0 if child.outcome == DRAW else WIN if child.outcome == child.to_move else -WIN
                low = high = score
            else:
                bounds = self.tables[0].known(child.key)
                if bounds is None:
                    continue
                low, high = bounds
            if child.to_move != state.to_move:
                low, high = -high, -low
            rank = (1, low) if low > 0 else (0, low) if low == high == 0 else (-1, high)
            if best is None or rank > best:
                best, chosen = rank, child.move
        return chosen


def search_on_kernel(space: GameSpace, budget: Budget, reason: str, *, threads: int = 1, native: bool = True,
                     remoteness: bool | None = None, proof: bool = False,
                     with_carriers: bool = True) -> Solution[State, Move]:
    """The values of a root and its moves, by alpha-beta or proof-number search on the game's kernel.

    Raises NotLowered where the compiler has no words for a rule, RuleError where a rule fails.
    """
    game = space.game
    kernel = Kernel.of(game, native=native)
    number = {id(element): place for place, element in enumerate(game.symmetries)}
    usable = all(symmetry.condition is None for symmetry, _ in game.declared)
    board = Board.of(kernel, [number[id(element)] for element in space.maps] if usable else [0])
    children = board.children(space.root) if space.root.outcome is None else []
    keys: dict[tuple[int, ...], int] = {}
    groups = [keys.setdefault(tuple(int(word) for word in child.key), len(keys)) for child in children]
    different = [children[groups.index(group)] for group in range(len(keys))]
    weak = Weak(board, space.root, space.acyclic, budget, threads, remoteness, proof, with_carriers)
    result = weak.solve(different)
    if weak.carriers and not proof and carriers.usable(game) is not None:
        reason += "; a game of connection, in which only one can be joined: by the cells that proofs need"
    values = [(child.move, group, result.values[group]) for child, group in zip(children, groups, strict=True)]
    answer = answer_of(space, values, None, result.nodes, result.nodes, result.report.method, result.reason or reason,
                       None, None)
    return attrs.evolve(answer, complete=result.reason is None, report=result.report)
