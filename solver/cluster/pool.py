"""Workers on this machine without Dask: processes that exchange results as memory-mapped files.

Only steps, the names of files, and small results pass through the coordinator. A worker that dies is replaced, and its
queued steps are run again; its earlier results are files, and remain.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing import connection as connections
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

import attrs

from solver.cluster import nursery
from solver.cluster.executors import TRIES, Handle, Results, Step
from solver.cluster.results import InFile, Part, Stored
from solver.errors import Refused

_AHEAD = 2
"""The number of steps in a worker's queue, the running one included, so that it never waits for the next."""
_ENDING = 10.0
"""Seconds that processes have to exit by themselves before they are killed."""
_KEEPING = {"MALLOC_MMAP_THRESHOLD_": f"{1 << 30}", "MALLOC_TRIM_THRESHOLD_": f"{1 << 30}",
            "MALLOC_TOP_PAD_": f"{1 << 24}"}
"""Makes the C library of Linux keep freed memory for the next arrays: with pages cleared by the system each time, that
took a tenth of all processor time."""


@attrs.define(eq=False)
class _Task:
    """A submitted step, and its result or exception once it is finished."""

    number: int
    step: Step
    arguments: tuple[object, ...]
    missing: int = 0
    """How many of the tasks in its arguments are not finished."""
    wanted_by: list[_Task] = attrs.field(factory=list)
    result: Stored | None = None
    problem: Exception | None = None
    tries: int = 0

    @property
    def done(self) -> bool:
        """Whether it has a result or failed."""
        return self.result is not None or self.problem is not None

    def load(self) -> object:
        """Load the result. Raises what the step raised."""
        if self.problem is not None:
            raise self.problem
        assert self.result is not None
        return self.result.load()


@attrs.frozen(eq=False)
class _Made:
    """A function to be applied to a task's result, by each process that needs it."""

    task: _Task
    step: Step
    arguments: tuple[object, ...]

    def load(self) -> object:
        """Load the task's result, and apply the function to it."""
        return self.step(self.task.load(), *self.arguments)


@attrs.define(eq=False)
class _Worker:
    """A worker's connection, and its queue of tasks, in the order in which it runs them."""

    connection: Connection
    tasks: deque[_Task] = attrs.field(factory=deque)


class _Source(Protocol):
    """Starts worker processes."""

    def prepare(self, step: Step, arguments: tuple[object, ...]) -> None:
        """Have a step run in advance, where that makes the start of workers cheaper."""

    def worker(self) -> Connection:
        """Start a worker, and return the connection to it."""

    def close(self) -> None:
        """Wait until all workers have exited; their connections are closed already."""


@attrs.define(eq=False)
class _Nursery:
    """Has workers forked by a prepared process, the nursery; starts a new one where it has died."""

    folder: str
    memory: int
    _process: subprocess.Popen[bytes] | None = None
    _connection: Connection | None = None
    _prepared: list[tuple[Step, tuple[object, ...]]] = attrs.field(factory=list)

    def prepare(self, step: Step, arguments: tuple[object, ...]) -> None:
        """Have a step run in the nursery, and in each one that replaces it."""
        self._prepared.append((step, arguments))
        if self._connection is not None:
            self._connection.send_bytes(pickle.dumps((nursery.PREPARE, step, arguments)))

    def worker(self) -> Connection:
        """Have a worker forked, and return the connection to it."""
        own, other = connections.Pipe()
        try:
            try:
                self._fork(other)
            except OSError:  # the nursery has died
                self.close()
                self._fork(other)
        finally:
            other.close()
        return own

    def _fork(self, connection: Connection) -> None:
        """Have a worker forked that serves the connection passed to it. Raises OSError where the nursery has died."""
        from multiprocessing.reduction import send_handle

        process, told = self._begun()
        told.send_bytes(pickle.dumps((nursery.FORK, None, None)))
        send_handle(told, connection.fileno(), process.pid)

    def _begun(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._process is None or self._connection is None:
            own, other = connections.Pipe()
            path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
            program = (f"from solver.cluster.nursery import main; "
                       f"main({other.fileno()}, {self.folder!r}, {self.memory})")
            self._process = subprocess.Popen([sys.executable, "-c", program],
                                             env={**_KEEPING, **os.environ, "PYTHONPATH": path},
                                             pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)
            other.close()
            self._connection = own
            for step, arguments in self._prepared:
                own.send_bytes(pickle.dumps((nursery.PREPARE, step, arguments)))
        return self._process, self._connection

    def close(self) -> None:
        """Let the nursery exit, and kill it where it does not in time."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            try:
                self._process.wait(_ENDING)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = self._connection = None


@attrs.define(eq=False)
class _Spawned:
    """Starts each worker as a new process, for systems on which forking is not safe."""

    folder: str
    memory: int
    _processes: list[Any] = attrs.field(factory=list)

    def prepare(self, step: Step, arguments: tuple[object, ...]) -> None:
        """Do nothing: a new process inherits no memory."""

    def worker(self) -> Connection:
        """Start a worker, and return the connection to it."""
        own, other = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=nursery.work, args=(other, self.folder, self.memory), daemon=True)
        process.start()
        other.close()
        self._processes.append(process)
        return own

    def close(self) -> None:
        """Wait until all workers have exited, and kill those that do not in time."""
        for process in self._processes:
            process.join(_ENDING)
            if process.is_alive():
                process.kill()
                process.join()


@attrs.define(eq=False)
class Pool:
    """Runs steps in worker processes on this machine."""

    workers: int
    memory: int
    """MiB of memory per worker."""
    folder: Path
    _source: _Source
    dashboard: str = ""
    _alive: list[_Worker] = attrs.field(factory=list)
    _ready: deque[_Task] = attrs.field(factory=deque)
    _numbers: int = 0
    _stored: int = 0

    @classmethod
    def of(cls, workers: int, memory: int, *, forked: bool = sys.platform == "linux") -> Pool:
        """Create a pool of workers with `memory` MiB each. Raises OSError where no folder for results can be made."""
        folder = Path(tempfile.mkdtemp(prefix="dslgame-", dir=os.environ.get("DASK_TEMPORARY_DIRECTORY")))
        return cls(workers, memory, folder, (_Nursery if forked else _Spawned)(str(folder), memory))

    def prepare(self, step: Step, *arguments: object) -> None:
        """Run a step once for all workers that are not yet started, where they are forked."""
        self._source.prepare(step, arguments)

    def submit(self, step: Step, *arguments: object) -> Handle:
        """Queue a step, to run once its arguments are available; return the handle of its result."""
        self._numbers += 1
        task = _Task(self._numbers, step, arguments)
        for needed in _tasks_in(arguments):
            if not needed.done:
                task.missing += 1
                needed.wanted_by.append(task)
            task.problem = task.problem or needed.problem
        if not task.missing and task.problem is None:
            self._ready.append(task)
        return task

    def derive(self, step: Step, handle: Handle, *arguments: object) -> Handle:
        """A handle of what a function makes of a result; each process that needs it calls the function itself."""
        assert isinstance(handle, _Task)
        return _Made(handle, step, arguments)

    def results(self, handles: Sequence[Handle]) -> Results:
        """Yield the results in the order of their completion, each with its handle."""
        waiting: dict[_Task, list[_Task | _Made]] = {}
        for handle in handles:
            assert isinstance(handle, (_Task, _Made))
            waiting.setdefault(handle if isinstance(handle, _Task) else handle.task, []).append(handle)
        while waiting:
            done = [task for task in waiting if task.done]
            for task in done:
                for handle in waiting.pop(task):
                    yield handle, handle.load()
            if not done:
                self._turn()

    def everywhere(self, step: Step, *arguments: object) -> list[object]:
        """Run a step once, in this process, since all workers are on this machine."""
        return [step(*arguments)]

    def close(self) -> None:
        """Stop the workers, and remove the folder of results."""
        for worker in self._alive:
            worker.connection.close()
        self._alive.clear()
        self._source.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- scheduling

    def _turn(self) -> None:
        """Start missing workers, give them ready tasks, then wait for replies and process them."""
        while len(self._alive) < self.workers:
            self._alive.append(_Worker(self._source.worker()))
        for ahead in range(_AHEAD):
            for worker in list(self._alive):
                if self._ready and len(worker.tasks) == ahead:
                    self._give(worker, self._ready.popleft())
        by_connection: Mapping[object, _Worker] = {worker.connection: worker for worker in self._alive}
        for ready in connections.wait([worker.connection for worker in self._alive]):
            self._take(by_connection[ready])

    def _give(self, worker: _Worker, task: _Task) -> None:
        worker.tasks.append(task)
        self._stored += 1
        try:
            worker.connection.send_bytes(pickle.dumps(
                (self._stored, task.step, tuple(_sent(argument) for argument in task.arguments))))
        except OSError:
            self._replace(worker)

    def _take(self, worker: _Worker) -> None:
        try:
            reply = worker.connection.recv_bytes()
        except (EOFError, OSError):
            self._replace(worker)
            return
        _, well, result = pickle.loads(reply)
        task = worker.tasks.popleft()
        if well:
            task.result = result
            if isinstance(result, InFile):
                weakref.finalize(task, result.remove)
        elif isinstance(result, MemoryError):
            task.problem = Refused(f"a worker needs more than its {self.memory:,} MiB of memory: give it more by "
                                   "--memory, with fewer workers")
        else:
            task.problem = result
        self._tell(task)

    def _tell(self, task: _Task) -> None:
        """Update the tasks that waited for a finished one: queue those that are ready, or fail all if it failed."""
        task.arguments = ()  # so that the results in them can be removed
        for other in task.wanted_by:
            other.missing -= 1
            if task.problem is not None and other.problem is None:
                other.problem = task.problem
                self._tell(other)
            elif not other.missing and other.problem is None:
                self._ready.append(other)
        task.wanted_by.clear()

    def _replace(self, worker: _Worker) -> None:
        """Remove a worker that died, and put its tasks back at the front of the queue.

        Raises Refused where too many workers died at the same task.
        """
        worker.connection.close()
        self._alive.remove(worker)
        if worker.tasks:
            first = worker.tasks[0]
            first.tries += 1
            if first.tries > TRIES:
                raise Refused(f"{first.tries} workers died at the same step: each may have too little memory, which "
                              "--memory gives them, with fewer workers")
        self._ready.extendleft(reversed(worker.tasks))


def _tasks_in(arguments: object) -> Iterator[_Task]:
    if isinstance(arguments, _Task):
        yield arguments
    elif isinstance(arguments, _Made):
        yield arguments.task
    elif isinstance(arguments, (list, tuple)):
        for item in arguments:
            yield from _tasks_in(item)
    elif isinstance(arguments, dict):
        for item in arguments.values():
            yield from _tasks_in(item)


def _sent(argument: object) -> object:
    """An argument as it is sent to a worker: tasks are replaced by their stored results."""
    if isinstance(argument, _Task):
        return argument.result
    if isinstance(argument, _Made):
        assert argument.task.result is not None
        return Part(argument.task.result, argument.step, argument.arguments)
    if isinstance(argument, list):
        return [_sent(item) for item in argument]
    if isinstance(argument, dict):
        return {key: _sent(item) for key, item in argument.items()}
    return argument
