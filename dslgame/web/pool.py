"""The pool of worker processes: jobs have time limits, and slow jobs do not delay quick ones.

A `Lane` is a group of workers for one kind of job, with its queue. The page has four: for playing the server's games,
for rules sent as a text, and for searches in either, which take seconds; so a slow text or a search delays only jobs of
its own kind. A worker that exceeds its time is killed and replaced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

import attrs

from dslgame.packages import python_command
from dslgame.web.request_schema import Asked, Job, Refused, ended
from dslgame.web.worker import LENGTH, PART, READY, STATUS, STOP

_START = "from dslgame.web.worker import main; main(int(sys.argv[1]))"


STOPPING = 2.0
"""Seconds that an unwanted streamed answer has to end; after that its process is killed as soon as other jobs wait."""
Part = Callable[[bytes], None]


class Ended(Exception):
    """A worker exited during a job, as it does where memory runs out."""


class Worker:
    """One worker process, started by its first job."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.last: object = None
        """The subject of its last job, which it has cached: further jobs about it are quicker."""
        self.jobs = 0
        """The number of jobs it has done."""
        self._process: asyncio.subprocess.Process | None = None
        self._greeted = False

    @property
    def running(self) -> bool:
        """Whether its process is running."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process unless it is running."""
        if self._process is None or not self.running:
            self._greeted = False
            self._process = await asyncio.create_subprocess_exec(
                *python_command(_START, str(self.patience)), stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, start_new_session=True)
        return self._process

    async def ready(self) -> None:
        """Wait until the process is ready. Raises Ended."""
        process = await self.start()
        assert process.stdout is not None
        if not self._greeted:
            try:
                await process.stdout.readexactly(len(READY))
            except asyncio.IncompleteReadError:
                raise Ended from None
            self._greeted = True

    async def ask(self, body: bytes, part: Part | None = None) -> tuple[int, bytes]:
        """Send a job, and return its final answer; interim parts go to `part`. The process must be ready. Raises
        Ended."""
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
        """Ask the process to end a streamed answer; whether it did, so that the process can be used further.

        A kernel that is being compiled is finished first, for at most `seconds`, unless `wanted` says that another job
        waits.
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
        """Kill the process and start a new one."""
        await self.end()
        await self.start()

    async def end(self) -> None:
        """Kill the process, whatever it is doing."""
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
    """The limits of a lane."""

    workers: int
    seconds: float
    """For one job, from its start."""
    waiting: int
    """The most jobs that may wait; further ones are refused."""
    patience: int = 0
    jobs: int = 0
    """The number of jobs after which a worker is replaced; 0 for never."""


class Lane:
    """A group of workers, and the queue of jobs for them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting = 0
        self._idle = [Worker(limits.patience) for _ in range(limits.workers)]
        self._all = list(self._idle)
        self._turn = asyncio.Semaphore(limits.workers)

    async def start(self) -> None:
        """Start all workers, so that the first jobs need not wait for their start."""
        await asyncio.gather(*(worker.start() for worker in self._all))

    async def ask(self, job: Job[Asked], about: object, part: Part | None = None) -> tuple[int, bytes]:
        """Answer a job with its status and JSON; `about` is its subject, such as the game, for choosing the worker.

        Interim results go to `part`. Raises Refused where too many jobs wait, or the job exceeds its time or memory. A
        job whose caller is cancelled is ended.
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
            if work is not None:
                work.cancel()
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
        """Put a running worker in the place of one that was not started yet; whether there was one."""
        unused = next((item for item in self._idle if not item.running), None)
        if unused is None:
            return False
        for workers in (self._idle, self._all):
            workers[workers.index(unused)] = worker
        return True

    async def end(self) -> None:
        """Kill all workers of the lane."""
        await asyncio.gather(*(worker.end() for worker in self._all))


THINKING = ("values", "analyse", "choose", "treepicture", "variants")
"""The kinds of jobs that take seconds."""
WARM_UP = Job("warm", Asked())


class Pool:
    """The lanes of a server."""

    def __init__(self, limits: Mapping[str, Limits]) -> None:
        self.lanes = {name: Lane(result) for name, result in limits.items()}

    def lane(self, job: Job[Asked]) -> Lane:
        """The lane of a job."""
        if job.do in THINKING:
            return self.lanes["draft" if job.asked.text is not None else "think"]
        return self.lanes["text" if job.asked.text is not None else "play"]

    async def start(self) -> None:
        """Start the workers for playing; the others start on demand."""
        await self.lanes["play"].start()

    async def end(self) -> None:
        """Kill all workers of the server."""
        await asyncio.gather(*(lane.end() for lane in self.lanes.values()))

    async def warm_up(self) -> bool:
        """Compile the searches in a worker that then joins the lane for thinking; whether that succeeded.

        The first analysis of a server shows its values a second sooner for it, as nothing has to be loaded. An analysis
        requested meanwhile runs in another worker and does not wait.
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
        """Answer a job in its lane with its status and JSON; interim results go to `part`. Raises Refused."""
        if job.do in ("choose", "values") and part is None:
            return await self._improving(job)
        about = (job.path, job.asked.text, tuple(sorted(job.asked.params.items())))
        return await self.lane(job).ask(job, about, part)


    async def _improving(self, job: Job[Asked]) -> tuple[int, bytes]:
        """The move of a player, or the values of moves; where the time is over, the last that was found."""
        found: list[bytes] = []
        try:
            return await self.ask(job, found.append)
        except Refused as refused:
            if refused.kind != "limit" or not found:
                raise
            return 200, ended(found[-1])


def limits(workers: int) -> dict[str, Limits]:
    """The limits of a server's lanes, with `workers` workers for playing."""
    return {
        "play": Limits(workers, 10, 1_000),
        "text": Limits(1, 10, 50),
        "think": Limits(1, 60, 20, patience=10),# the first search on a machine includes compiling
        "draft": Limits(1, 60, 20, patience=10, jobs=40),# the memory of compiled code is never freed
    }
