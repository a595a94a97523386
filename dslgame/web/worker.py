"""A worker process: reads jobs from its standard input, writes answers to its standard output, one after another.

Each message is four bytes with its length, then JSON; an answer begins with its HTTP status in two bytes, or with
`PART` where more follows. Before the first answer a worker says that it is ready. `STOP` in place of a job ends one
that answers in parts. `pool` starts workers, and ends one that takes too long. The worker itself limits its memory, and
ends when its input does.
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
"""What a worker writes once it can work."""
PART = 100
"""The status of a part of an answer, such as what an analysis knows so far."""
STOP = b"stop"
"""What asks for the end of an answer in parts."""
MEMORY = 3 << 30
"""Bytes of address space that a worker may take."""


def limit_memory() -> None:
    """Keep the process from taking more memory than it may, where the system can do that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main(patience: int = 0) -> None:
    """Answer until the input ends; `patience` is what other processes go before this one (a nice value)."""
    with suppress(AttributeError, OSError):
        os.nice(patience)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
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
    """The HTTP status and the JSON of a job's answer; also where something goes wrong.

    `part` is given what is known before the end, and says whether to go on.
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
    """Put what comes in into a queue; end the process with the input, in the midst of work if need be."""
    while True:
        head = stream.read(LENGTH.size)
        body = stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""
        if not body:
            os._exit(0)
        if body == STOP:
            stopped.set()
        else:
            jobs.put(body)
