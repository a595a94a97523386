"""Worker processes, and which of them does what: work is bounded in time, and slow work does not hold up quick work.

A `Lane` is some workers for one kind of work, and whoever waits for them. The page has four: for playing the games
that there are, for texts that come from a page, and for thinking about either, which takes seconds; so a text that
takes long, or a search, is waited for by its like only. A worker that passes its time is ended and another takes its
place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

import attrs

from dslgame.packages import python_command
from dslgame.web.request_schema import Asked, Job, Refused
from dslgame.web.worker import LENGTH, PART, READY, STATUS, STOP

_START = "from dslgame.web.worker import main; main(int(sys.argv[1]))"


STOPPING = 2.0
"""Seconds in which an answer in parts must end when nobody wants it and others wait; then its process is ended."""
Part = Callable[[bytes], None]


class Ended(Exception):
    """A worker ended in the midst of its work, as it does where memory runs out."""


class Worker:
    """One worker process; started with its first job."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.last: object = None
        """What its last job was about: it answers about that more quickly."""
        self.jobs = 0
        """How many it has done."""
        self._process: asyncio.subprocess.Process | None = None
        self._greeted = False

    @property
    def running(self) -> bool:
        """Whether it has a process."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process where there is none."""
        if self._process is None or not self.running:
            self._greeted = False
            self._process = await asyncio.create_subprocess_exec(
                *python_command(_START, str(self.patience)), stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, start_new_session=True)
        return self._process

    async def ready(self) -> None:
        """Wait until the process can work. Raises Ended."""
        process = await self.start()
        assert process.stdout is not None
        if not self._greeted:
            try:
                await process.stdout.readexactly(len(READY))
            except asyncio.IncompleteReadError:
                raise Ended from None
            self._greeted = True

    async def ask(self, body: bytes, part: Part | None = None) -> tuple[int, bytes]:
        """The answer to a job, once the process is ready; `part` is given what comes before it. Raises Ended."""
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(LENGTH.pack(len(body)) + body)
            await process.stdin.drain()
            while True:
                head = await process.stdout.readexactly(LENGTH.size)
                answer = await process.stdout.readexactly(LENGTH.unpack(head)[0])
                status, = STATUS.unpack(answer[: STATUS.size])
                if status != PART:
                    break
                if part is not None:
                    part(answer[STATUS.size :])
        except (OSError, asyncio.IncompleteReadError):
            raise Ended from None
        self.jobs += 1
        return status, answer[STATUS.size :]

    async def stop(self, work: asyncio.Task[tuple[int, bytes]], seconds: float, wanted: Callable[[], bool]) -> bool:
        """Ask for the end of an answer in parts; whether it came, so that the process can go on.

        A kernel that is being compiled is finished first, at most for `seconds`, unless the process is wanted.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(LENGTH.pack(len(STOP)) + STOP)
        end = asyncio.get_running_loop().time() + seconds
        while not work.done() and asyncio.get_running_loop().time() < end:
            await asyncio.wait({work}, timeout=STOPPING)
            if wanted():
                break
        if not work.done():
            work.cancel()
        return not work.cancelled() and work.done() and work.exception() is None

    async def anew(self) -> None:
        """End the process and start another."""
        await self.end()
        await self.start()

    async def end(self) -> None:
        """End the process, whatever it does."""
        process, self._process, self.last, self.jobs = self._process, None, None, 0
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            transport = getattr(process, "_transport", None)
            if transport is not None:
                transport.close()


@attrs.frozen
class Limits:
    """What one lane allows."""

    workers: int
    seconds: float
    """For one job, from its start."""
    waiting: int
    """Jobs that may wait; more are refused."""
    patience: int = 0
    jobs: int = 0
    """After so many jobs a worker is ended, and another takes its place; 0 for never."""


class Lane:
    """Some workers, and the jobs that wait for them in their order."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting = 0
        self._idle = [Worker(limits.patience) for _ in range(limits.workers)]
        self._all = list(self._idle)
        self._turn = asyncio.Semaphore(limits.workers)

    async def start(self) -> None:
        """Start all workers, so that the first jobs need not wait for that."""
        await asyncio.gather(*(worker.start() for worker in self._all))

    async def ask(self, job: Job[Asked], about: object, part: Part | None = None) -> tuple[int, bytes]:
        """The status and the JSON that answer a job; `about` says what it shares with others, such as the game.

        `part` is given what is known before. Raises Refused where there is too much to do, or the job passed its time
        or memory. A job whose caller stops waiting (is cancelled) is ended.
        """
        if self.waiting >= self.limits.waiting:
            raise Refused(503, "busy", "the server has too much to do at the moment; try again in some seconds")
        body = job.encoded()
        self.waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self.waiting -= 1
        worker = next((item for item in self._idle if item.last == about), self._idle[0])
        self._idle.remove(worker)
        done, work = False, None
        try:
            await worker.ready()
            work = asyncio.create_task(worker.ask(body, part))
            async with asyncio.timeout(self.limits.seconds):
                answer = await (work if part is None else asyncio.shield(work))
            done, worker.last = True, about
            return answer
        except asyncio.CancelledError:
            if work is not None and part is not None:
                done = await asyncio.shield(worker.stop(work, self.limits.seconds, lambda: self.waiting > 0))
            raise
        except TimeoutError:
            raise Refused(503, "limit", f"this takes longer than the {self.limits.seconds:g} s that the page allows") \
                from None
        except Ended:
            raise Refused(503, "limit", "this needs more memory than the page allows") from None
        finally:
            if not done or worker.jobs == self.limits.jobs > 0:
                await asyncio.shield(worker.anew())
            self._idle.append(worker)
            self._turn.release()

    def take(self, worker: Worker) -> bool:
        """Have a worker that runs already take the place of one that has not begun; whether there was one."""
        unused = next((item for item in self._idle if not item.running), None)
        if unused is None:
            return False
        for workers in (self._idle, self._all):
            workers[workers.index(unused)] = worker
        return True

    async def end(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.end() for worker in self._all))


THINKING = ("values", "analyse", "choose", "treepicture", "variants")
"""What takes seconds."""
WARM_UP = Job("warm", Asked())


class Pool:
    """The lanes of a server."""

    def __init__(self, limits: Mapping[str, Limits]) -> None:
        self.lanes = {name: Lane(result) for name, result in limits.items()}

    def lane(self, job: Job[Asked]) -> Lane:
        """Where a job is done."""
        if job.do in THINKING:
            return self.lanes["draft" if job.asked.text is not None else "think"]
        return self.lanes["text" if job.asked.text is not None else "play"]

    async def start(self) -> None:
        """Start the workers for playing; the others are started when they are needed."""
        await self.lanes["play"].start()

    async def end(self) -> None:
        """End the workers."""
        await asyncio.gather(*(lane.end() for lane in self.lanes.values()))

    async def warm_up(self) -> bool:
        """Compile what searches need, by a worker that thinks from then on; whether that went well.

        The first analysis of a server has its values a second sooner for it, as nothing is to be loaded. One that is
        asked for meanwhile is done by another worker, and does not wait.
        """
        lane, kept = self.lanes["think"], False
        worker = Worker(lane.limits.patience)
        try:
            await worker.ready()
            status, _ = await worker.ask(WARM_UP.encoded())
            kept = status == 200 and lane.take(worker)
            return status == 200
        except Ended:
            return False
        finally:
            if not kept:
                await asyncio.shield(worker.end())

    async def ask(self, job: Job[Asked], part: Part | None = None) -> tuple[int, bytes]:
        """The status and the JSON that answer a job; `part` is given what is known before. Raises Refused."""
        about = (job.path, job.asked.text, tuple(sorted(job.asked.params.items())))
        return await self.lane(job).ask(job, about, part)


def limits(workers: int) -> dict[str, Limits]:
    """The lanes of a server with so many workers for playing."""
    return {
        "play": Limits(workers, 10, 1_000),
        "text": Limits(1, 10, 50),
        "think": Limits(1, 60, 20, patience=10),  # the first search on a machine is compiled, too
        "draft": Limits(1, 60, 20, patience=10, jobs=40),  # what is compiled there is never given back
    }
