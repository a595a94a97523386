"""Plays the games of a match on several worker processes, each of which runs `main`.

A worker reads the setting, then the pairings to play, as JSON lines, and writes each game as a line when it is over.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NoReturn

import attrs

from dslgame.packages import python_command
from dslgame.programs.arena import Arena, Pairing, Setting
from dslgame.programs.processes import Started, end_all, undisturbed

_START = "from dslgame.programs.workers import main; main()"
ENDING = 5.0
"""Seconds for a worker to end the programs that play in its games."""
TRIES = 2
"""The number of times that a game is given to a worker, where workers end while they play it."""


class WorkerEnded(Exception):
    """A worker ended unexpectedly, or a game failed in it; the message says more."""


def play_all(setting: Setting, pairings: Iterable[Pairing], workers: int) -> Iterator[dict[str, object]]:
    """Play games on several processes, and yield each when it ends, in any order. Raises WorkerEnded.

    An interruption, or closing the iterator, ends the workers.
    """
    jobs: queue.SimpleQueue[tuple[Pairing, int]] = queue.SimpleQueue()
    results: queue.SimpleQueue[dict[str, object] | WorkerEnded | None] = queue.SimpleQueue()
    for pairing in pairings:
        jobs.put((pairing, 1))
    processes: list[Started] = []
    ending = threading.Event()
    threads = [threading.Thread(target=_drive, args=(setting, jobs, results, processes, ending), daemon=True)
               for _ in range(workers)]
    for thread in threads:
        thread.start()
    left = len(threads)
    try:
        while left:
            try:
                result = results.get(timeout=0.2)
            except queue.Empty:
                continue
            if result is None:
                left -= 1
            elif isinstance(result, WorkerEnded):
                raise result
            else:
                yield result
    finally:
        ending.set()
        with undisturbed():
            for started in processes:
                with suppress(OSError):
                    started.process.terminate()
            for started in processes:
                with suppress(subprocess.TimeoutExpired):  # the worker ends its programs meanwhile
                    started.process.wait(ENDING)
            for started in processes:
                started.end()
        for thread in threads:
            thread.join(2)
        for started in processes:
            for stream in (started.process.stdin, started.process.stdout):
                with suppress(OSError, ValueError):
                    if stream is not None:
                        stream.close()


def _drive(setting: Setting, jobs: queue.SimpleQueue[tuple[Pairing, int]],
           results: queue.SimpleQueue[dict[str, object] | WorkerEnded | None], processes: list[Started],
           ending: threading.Event) -> None:
    """Have games played until none is left; whatever happens, the last result is None, so that nobody waits for more.
    """
    try:
        _give(setting, jobs, results, processes, ending)
    except Exception as problem:
        results.put(WorkerEnded(f"a process for games failed: {type(problem).__name__}: {problem}"))
    finally:
        results.put(None)


def _give(setting: Setting, jobs: queue.SimpleQueue[tuple[Pairing, int]],
          results: queue.SimpleQueue[dict[str, object] | WorkerEnded | None], processes: list[Started],
          ending: threading.Event) -> None:
    """Give games to a worker process until none is left, and start a new one where it ends."""
    process: subprocess.Popen[bytes] | None = None
    while not ending.is_set():
        try:
            pairing, tries = jobs.get_nowait()
        except queue.Empty:
            break
        answer = b""
        with suppress(OSError):  # the process has ended
            if process is None:
                try:
                    started = Started(python_command(_START), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                except OSError as problem:
                    results.put(WorkerEnded(f"a process for games cannot be started: {problem.strerror or problem}"))
                    break
                processes.append(started)
                process = started.process
                _write(process, attrs.asdict(setting))
            _write(process, attrs.asdict(pairing))
            assert process.stdout is not None
            answer = process.stdout.readline()
        if answer.endswith(b"\n"):
            result = json.loads(answer)
            results.put(WorkerEnded(result["failure"]) if "failure" in result else result)
        elif process is not None and not ending.is_set():  # it ended, before its answer or within it
            code = process.wait()
            process = None
            if tries < TRIES:
                jobs.put((pairing, tries + 1))
            else:
                results.put(WorkerEnded(f"a process that played game {pairing.number + 1} ended "
                                        f"{f'by signal {-code}' if code < 0 else f'with exit code {code}'}, "
                                        f"{TRIES} times; out of memory?"))
                break
    if process is not None and process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()


def _write(process: subprocess.Popen[bytes], value: dict[str, object]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(value).encode() + b"\n")
    process.stdin.flush()


def main() -> None:
    """Play the pairings from the standard input until it ends."""
    signal.signal(signal.SIGTERM, _end)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps what libraries print out of the answers
    setting = json.loads(sys.stdin.buffer.readline())
    arena = Arena(Setting(**{**setting, "players": [tuple(player) for player in setting["players"]]}))
    try:
        for line in sys.stdin.buffer:
            pairing = json.loads(line)
            try:
                result = arena.play(Pairing(pairing["number"], tuple(pairing["players"]), tuple(pairing["opening"])))
            except Exception as problem:
                result = {"failure": str(problem)}
            answers.write(json.dumps(result).encode() + b"\n")
            answers.flush()
    except BrokenPipeError:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        arena.stop()
        end_all()


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(0)
