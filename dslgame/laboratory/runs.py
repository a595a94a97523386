"""Solves a family: each different game once, on several processes, reusing the results of earlier runs.

`Run.of(instances, ...)` groups instances that are proven to be the same game (by `identity`, or by a map of one board
onto the other). `run()` takes the results that `store` has and solves the rest. Each result is stored as soon as it is
known, so that an interrupted run can be resumed.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

import attrs

from dslgame.laboratory.family import Instance
from dslgame.laboratory.identity import digest
from dslgame.laboratory.known import Known, Worth
from dslgame.laboratory.solving import Found, Job, Limits, Plain, solve
from dslgame.laboratory.store import Store
from interpreter.analysis.isomorphism import isomorphism
from interpreter.model.outcomes import result_of

_GRACE = 10.0
"""Seconds past the limit of a job after which its process is killed: compilation does not check the time limit."""
_ENDED = 0.5
"""A process that is gone within this many seconds of being given a job ended after the job before."""
Told = Callable[["Result", int, int], None]
"""Called with each result as it comes, the number of results so far, and their total number."""


@attrs.frozen
class Result:
    """An instance with its result."""

    instance: Instance
    found: Found
    same_as: int | None = None
    """The number of the instance that was solved instead, where both are proven to be the same game."""
    why_same: str = ""
    """`names` where both have the same rules up to names, else the name of the map of one board onto the other."""
    kept: bool = False
    """Whether the result is from an earlier run."""

    @property
    def winner(self) -> str | None:
        """A player's name, "draw" ("lost" for a player alone), or None where it is not known."""
        game = self.instance.game
        return None if game is None else game.outcome_name(self.found.winner)

    @property
    def expected(self) -> Worth | None:
        """The expected value for the first player in any game whose value is known; None where it is unknown."""
        game, winner = self.instance.game, self.found.winner
        if game is None or winner is None or self.found.worth is not None:
            return self.found.worth
        return Worth.of_winner(winner, len(game.players))

    @property
    def openings(self) -> Mapping[str, int]:
        """The numbers of first moves that win, draw and lose for the player to move, and of those not known."""
        counts = {"win": 0, "draw": 0, "lose": 0, "unknown": 0}
        for _, winner, _ in self.found.openings:
            counts["unknown" if winner is None else self._result(winner)] += 1
        return counts

    def _result(self, winner: int) -> str:
        """A first move's result for the player to move."""
        game = self.instance.game
        return result_of(winner, self.found.to_move, 2 if game is None else len(game.players))

    def first_moves(self, result: str = "win") -> tuple[str, ...] | None:
        """The first moves with a result, in the instance's notation; None where the solved instance has another board.
        """
        game = self.instance.game
        if game is None or self.why_same not in ("", "names"):
            return None
        from interpreter.model.state import Move

        start = game.start().state
        return tuple(game.notation.write(start, Move(rule, values)) for rule, winner, values in self.found.openings
                     if winner is not None and self._result(winner) == result)


@attrs.define
class Run:
    """Solves the instances of a family."""

    instances: Sequence[Instance]
    limits: Limits
    store: Store | None
    """None to store nothing."""
    jobs: int = 1
    """The number of processes; 1 solves in this process."""
    cluster: str = ""
    """The address of the scheduler of a Dask cluster whose workers solve; '' for processes of this machine."""
    _leaders: dict[str, Instance] = attrs.field(factory=dict)
    """The first instance of each digest."""
    _same: dict[int, tuple[int, str]] = attrs.field(factory=dict)
    _digests: dict[int, str] = attrs.field(factory=dict)

    @classmethod
    def of(cls, instances: Sequence[Instance], limits: Limits, *, store: Store | None = None, jobs: int = 1,
           cluster: str = "") -> Run:
        """Group the instances that are the same game, without solving any."""
        run = cls(instances, limits, store, jobs, cluster)
        run._group()
        return run

    @property
    def different(self) -> list[Instance]:
        """The instances to solve: the first of each game."""
        return [item for item in self.instances if item.game is not None and item.number not in self._same]

    def run(self, told: Told | None = None) -> list[Result]:
        """Solve the instances that are not in the store, and return a result for each instance, in order."""
        found: dict[int, Result] = {}
        todo: list[Instance] = []
        waiting: dict[int, list[Instance]] = {}
        for item in self.instances:
            if item.number in self._same:
                waiting.setdefault(self._same[item.number][0], []).append(item)

        def done(result: Result) -> None:
            found[result.instance.number] = result
            if told is not None:
                told(result, len(found), len(self.instances))
            for other in waiting.get(result.instance.number, ()):
                leader, why = self._same[other.number]
                done(Result(other, result.found, leader, why, result.kept))

        for item in self.instances:
            if item.game is None:
                done(Result(item, Found(tuple(sorted(Known.all(2).possible)), None, 0, None, "", 0.0, item.problem,
                                        False)))
            elif item.number not in self._same:
                kept = None if self.store is None else self.store.get(self._digests[item.number], self.limits)
                if kept is None:
                    todo.append(item)
                else:
                    done(Result(item, kept, kept=True))
        for item, answer in self._answers(todo):
            if self.store is not None and answer.method:  # failures are not stored, so that the next run tries again
                self.store.put(self._digests[item.number], self.limits, answer)
            done(Result(item, answer))
        return [found[item.number] for item in self.instances]

    def _group(self) -> None:
        frames: dict[object, list[Instance]] = {}
        for item in self.instances:
            if item.game is None:
                continue
            key = self._digests[item.number] = digest(item.game)
            if key in self._leaders:
                leader = self._leaders[key].number
                self._same[item.number] = self._same.get(leader, (leader, "names"))  # its moves may be another board's
                continue
            self._leaders[key] = item
            board = item.game.board
            frame = (board.kind.word, board.size, tuple(sorted(board.shape)), len(item.game.rules.ends))
            for other in frames.setdefault(frame, []):
                assert other.game is not None  # only games are kept
                cells = isomorphism(other.game, item.game)
                if cells is not None:
                    self._same[item.number] = (other.number, cells.name)
                    break
            else:
                frames[frame].append(item)

    def _answers(self, todo: Sequence[Instance]) -> Iterator[tuple[Instance, Found]]:
        jobs = [Job(item.source.name, item.source.text, dict(item.params), self.limits) for item in todo]
        if self.cluster:
            for number, answer in on_cluster(jobs, self.cluster):
                yield todo[number], answer
            return
        if self.jobs <= 1 or len(jobs) <= 1:
            for item, job in zip(todo, jobs, strict=True):
                yield item, solve(job)
            return
        for number, answer in in_processes(jobs, min(self.jobs, len(jobs))):
            yield todo[number], answer


def on_cluster(jobs: Sequence[Job], address: str) -> Iterator[tuple[int, Found]]:
    """Solve jobs on the workers of a Dask cluster, and yield the number and answer of each as it is done.

    Raises Refused where there is no such cluster. The answer to a job that fails on its worker says that nothing is
    known.
    """
    from dslgame.laboratory.worker import solved
    from solver.cluster.executors import OnDask

    executor = OnDask.at(address)
    try:
        numbers = {executor.submit(_tried, solved, job.as_object()): number for number, job in enumerate(jobs)}
        for handle, answer in executor.results(list(numbers)):
            assert isinstance(answer, dict)  # the result of `_tried`
            yield numbers[handle], Found.of(answer)
    finally:
        executor.close()


def _tried(step: Callable[[Plain], Plain], job: Plain) -> Plain:
    """Solve a job on a worker; an exception, which must not end the other jobs, becomes the reason of the answer."""
    try:
        return step(job)
    except Exception as problem:
        return _nothing(f"the worker that solved it failed: {type(problem).__name__}: {problem}").as_object()


def in_processes(jobs: Sequence[Job], count: int) -> Iterator[tuple[int, Found]]:
    """Solve jobs on `count` processes, and yield the number and answer of each as it is done.

    A process that exceeds the time limit of its job, or dies, is replaced; the answer to its job says that nothing is
    known.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(jobs)):
        waiting.put(number)
    answered: queue.SimpleQueue[tuple[int, Found] | BaseException] = queue.SimpleQueue()
    ended = threading.Event()
    threads = [threading.Thread(target=_serve, args=(jobs, waiting, answered, ended), daemon=True)
               for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        for _ in jobs:
            answer = answered.get()
            if isinstance(answer, BaseException):
                raise answer
            yield answer
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _serve(jobs: Sequence[Job], waiting: queue.SimpleQueue[int],
           answered: queue.SimpleQueue[tuple[int, Found] | BaseException], ended: threading.Event) -> None:
    """Let one process solve jobs until none is waiting, and replace it where it ends."""
    process: _Process | None = None
    try:
        while not ended.is_set():
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            began = time.monotonic()
            found = None if process is None else process.answer(jobs[number], ended)
            if process is None or (found is None and time.monotonic() < began + _ENDED):
                if process is not None:
                    process.end()
                process = _Process()
                found = process.answer(jobs[number], ended)
            answered.put((number, found or _nothing("the process that solved it died, perhaps of too little memory")))
    except BaseException as problem:  # raised again by the thread that waits for answers
        answered.put(problem)
    finally:
        if process is not None:
            process.end()


class _Process:
    """A process that solves one job after another."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, "-m", "dslgame.laboratory.worker"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None  # as it was started
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def answer(self, job: Job, ended: threading.Event) -> Found | None:
        """Solve a job; None where the process ends before it answers.

        The answer says that nothing is known where the process takes too long, or `ended` is set.
        """
        assert self._process.stdin is not None  # as it was started
        try:
            self._process.stdin.write(json.dumps(job.as_object()) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):  # it has ended, or was ended
            return None
        left = None if job.limits.seconds is None else job.limits.seconds + _GRACE
        while not ended.is_set() and (left is None or left > 0):
            try:
                line = self._lines.get(timeout=0.2)
            except queue.Empty:
                left = None if left is None else left - 0.2
                continue
            return Found.of(json.loads(line)) if line else None
        self.end()
        return _nothing(f"the limit of {job.limits.seconds:g} seconds is reached" if job.limits.seconds else
                        "it was interrupted")

    def end(self) -> None:
        """Kill the process and close its streams."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _nothing(reason: str) -> Found:
    return Found(tuple(sorted(Known.all(2).possible)), None, 0, None, "", 0.0, reason, False)
