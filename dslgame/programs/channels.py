"""Communication with other programs under a deadline: a process by lines, a connection by bytes.

Every fault of a peer raises `Failed`: it ends, closes the connection, does not answer in time, or sends too much.
"""

from __future__ import annotations

import math
import queue
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from dslgame.programs.failures import Failed, quoted
from dslgame.programs.processes import Started

MOST_LINE = 1 << 16
"""The most bytes of a line, or characters of an unframed message."""
MOST_WAITING = 200
"""The most lines that are buffered; a program that writes more blocks."""
MOST_COMMENTS = 100_000
"""The most comments and empty lines that a program may write before its answer."""
LAST_WORDS = 0.5
"""Seconds to wait for the error output of a program that ended, and for a program to end when it is told to."""


class Deadline:
    """A point in time, `seconds` from now; None for no deadline."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The seconds left, at least a thousandth; None without a deadline."""
        return None if self._end == math.inf else max(0.001, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self._end

    def missed(self) -> Failed:
        """The failure to raise where no answer came in time."""
        return Failed("time", f"no answer within {self.seconds:g} s" if self.seconds is not None else "no answer")


class Program:
    """A program in its own process that reads and writes lines; `close` ends it with all processes that it started."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program. Raises Failed where it cannot be started."""
        try:
            self._started = Started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except (OSError, ValueError) as problem:
            raise Failed("crash", f"cannot be started: {getattr(problem, 'strerror', None) or problem}") from None
        self._process = self._started.process
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_WAITING)
        self._ending = threading.Event()
        self._said: deque[str] = deque(maxlen=5)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._words = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._words.start()

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(ValueError, OSError):
            while line := stream.readline(MOST_LINE + 1):
                self._put(line)
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        while not self._ending.is_set():
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return

    def _listen(self, stream: IO[bytes]) -> None:
        with suppress(ValueError, OSError):
            while line := stream.readline(MOST_LINE):
                text = line.decode(errors="replace").strip()
                if text:
                    self._said.append(text)

    def processor(self) -> float | None:
        """The processor time in seconds that it has used so far; None where it cannot be measured."""
        return self._started.processor()

    def send(self, line: str) -> None:
        """Write a line. Raises Failed where the program has ended or closed its input."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def receive(self, deadline: Deadline) -> str:
        """The next line, without white space at its ends. Raises Failed."""
        try:
            line = self._lines.get(timeout=deadline.left)
        except queue.Empty:
            raise deadline.missed() from None
        if line is None:
            self._put(None)
            raise self._ended()
        if len(line) > MOST_LINE:
            raise Failed("garbage", f"a line of more than {MOST_LINE // 1024} KiB: {quoted(line)}")
        return line.decode(errors="replace").strip()

    def answer(self, deadline: Deadline) -> str:
        """The next line that is neither empty nor a comment, a line that begins with #. Raises Failed."""
        for _ in range(MOST_COMMENTS):
            line = self.receive(deadline)
            if line and not line.startswith("#"):
                return line
            if deadline.over:
                raise deadline.missed()
        raise Failed("garbage", f"{MOST_COMMENTS:,} comments and no answer")

    def _ended(self) -> Failed:
        """The failure of a program that ended: its exit code or signal, and its last line on the standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS)
        self._words.join(LAST_WORDS)
        code = self._process.returncode
        if code is None:
            text = "closed its output"
        elif code < 0:
            text = f"was ended by signal {-code}"
        else:
            text = f"ended with exit code {code}"
        return Failed("crash", text + (f": {quoted(self._said[-1])}" if self._said else ""))

    def close(self, *, patience: float = LAST_WORDS) -> None:
        """Close the program's input, and kill the program if it does not end within `patience` seconds."""
        self._ending.set()
        with suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self._started.end()
        for thread, stream in ((self._reader, self._process.stdout), (self._words, self._process.stderr)):
            thread.join(LAST_WORDS)
            if stream is not None and not thread.is_alive():  # another process may still hold the other end
                with suppress(OSError, ValueError):
                    stream.close()


class Connection:
    """A connection for unframed texts: the reader has to know when a text is complete."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        with suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.text = ""
        """The text that was received and not yet consumed."""
        self.closed = False

    def fileno(self) -> int:
        """The file number, to wait for several connections at once; -1 where it is closed."""
        return self._socket.fileno()

    def send(self, text: str) -> None:
        """Send a text. Raises Failed where the other side has closed the connection or does not read."""
        self._socket.settimeout(10)
        try:
            self._socket.sendall(text.encode())
        except OSError:
            raise Failed("disconnect", "the connection is closed") from None

    def more(self, deadline: Deadline) -> bool:
        """Wait for more data; False where none came in time. Raises Failed where the other side closed the connection.
        """
        self._socket.settimeout(deadline.left)
        try:
            result = self._socket.recv(4096)
        except TimeoutError:
            return False
        except OSError:
            result = b""
        if not result:
            raise Failed("disconnect", "the connection was closed" +
                         (f" after {quoted(self.text)}" if self.text.strip() else ""))
        self.text += result.decode(errors="replace")
        if len(self.text) > MOST_LINE:
            raise Failed("garbage", f"more than {MOST_LINE // 1024} KiB without a move: {quoted(self.text)}")
        return True

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
