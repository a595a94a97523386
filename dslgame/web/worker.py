"""A worker process: reads jobs from its standard input and writes answers to its standard output, one at a time.

Each message is its length in four bytes, then JSON; an answer's JSON follows its HTTP status in two bytes, which is
`PART` where more follows. Before the first answer a worker writes `READY`. `STOP` in place of a job ends the current
streamed answer. `pool` starts workers, and kills one that takes too long. The worker limits its own memory, and exits
when its input ends.
"""

from __future__ import annotations

import json
import os
import queue
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from dslgame.web.answers import Answers
    from dslgame.web.request_schema import Asked, Job

LENGTH, STATUS = struct.Struct(">I"), struct.Struct(">H")
READY = b"ready"
"""What a worker writes when it is ready for jobs."""
PART = 100
"""The status of a part of a streamed answer, such as an interim result of an analysis."""
STOP = b"stop"
"""The message that ends the current streamed answer."""
MEMORY = 3 << 30
"""The most bytes of address space of a worker."""


def limit_memory() -> None:
    """Limit the process's address space to `MEMORY`, where the system supports that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main(patience: int = 0) -> None:
    """Answer jobs until the input ends; `patience` is the nice value of the process."""
    with suppress(AttributeError, OSError):
        os.nice(patience)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output that a library prints must not mix with answers
    limit_memory()
    from dslgame.web.answers import Answers
    from dslgame.web.request_schema import Job

    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    stopped = threading.Event()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs, stopped), daemon=True).start()

    def write(status: int, answer: bytes) -> None:
        with suppress(BrokenPipeError):
            answers.write(LENGTH.pack(STATUS.size + len(answer)) + STATUS.pack(status) + answer)
            answers.flush()

    def part(value: object) -> bool:
        write(PART, _json(value))
        return not stopped.is_set()
    here = Answers()
    answers.write(READY)
    answers.flush()
    while True:
        body = jobs.get()
        stopped.clear()
        write(*answered(here, Job.decoded(body), part))


def answered(answers: Answers, job: Job[Asked], part: Callable[[object], bool] | None = None) -> tuple[int, bytes]:
    """The HTTP status and the JSON of a job's answer, errors included.

    Interim results go to `part`, which returns whether to go on.
    """
    from dslgame.web.request_schema import Refused

    try:
        return 200, _json(answers.answer(job, part))
    except Refused as refused:
        return refused.status, _json(refused.plain())
    except Exception as problem:
        if os.environ.get("DSLGAME_DEBUG"):
            sys.excepthook(type(problem), problem, problem.__traceback__)
        message = f"this is a mistake in dslgame: {type(problem).__name__}: {problem}"
        print(f"dslgame web: {message} (job: {job.do})", file=sys.stderr)
        return 500, _json(Refused(500, "internal", message).plain())


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _read(stream: IO[bytes], jobs: queue.SimpleQueue[bytes], stopped: threading.Event) -> None:
    """Put incoming jobs into the queue; exit the process when the input ends, even during a job."""
    while True:
        head = stream.read(LENGTH.size)
        body = stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""
        if not body:
            os._exit(0)
        if body == STOP:
            stopped.set()
        else:
            jobs.put(body)
