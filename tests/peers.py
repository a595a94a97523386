"""Programs that play against others in tests: well behaved and not, over stdin, sockets and HTTP."""

from __future__ import annotations

import shlex
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import dslgame
from dslgame.programs.protocols.lines import Seat
from interpreter.game import Game, Position


class First(Seat):
    """Plays the first legal move, and records how games ended."""

    def __init__(self) -> None:
        self.ends: list[int | None] = []

    def move(self, position: Position, seconds: float | None) -> str:
        """The first legal move."""
        return position.moves()[0]

    def end(self, position: Position, side: int, winner: int | None) -> None:
        """Record the winner."""
        self.ends.append(winner)


def nought(game: str = "tic_tac_toe", **params: int) -> Game:
    """The small default game, or another one."""
    return dslgame.load(game, **params)


def script(folder: Path, name: str, text: str) -> list[str]:
    """The command that runs a Python script without loading site packages."""
    path = folder / f"{name}.py"
    path.write_text("import sys, time, os\n" + text, encoding="utf-8")
    return [sys.executable, "-I", "-S", "-u", str(path)]


def typed(command: list[str]) -> str:
    """A command as typed in a shell."""
    return shlex.join(command)


GOOD = """
cells = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "moves": cells = words[1:]
    if words[0] == "game": cells = []
    if words[0] == "start": print("ready tester")
    if words[0] == "played": cells.append(words[1])
    if words[0] == "go":
        free = [c + r for r in "123" for c in "abc" if c + r not in cells]
        cells.append(free[0])
        print("# thinking"); print("move " + free[0])
    if words[0] == "quit": break
"""
"""Plays noughts and crosses by the line protocol."""

BAD = {
    "silent": ("time", "start", "time.sleep(60)"),
    "slow": ("time", "go", "time.sleep(60)"),
    "illegal": ("illegal", "go", "print('move a1'); print('move a1')"),
    "garbage": ("garbage", "go", "print('\\x00\\x1b[2J' * 50)"),
    "flood": ("garbage", "go", "sys.stdout.write('x' * 200000); time.sleep(60)"),
    "chatter": ("garbage", "go", "print('# well' * 1 + '\\n' + '# well\\n' * 120000)"),
    "exits": ("crash", "go", "sys.exit(3)"),
    "raises": ("crash", "go", "raise ValueError('oh no')"),
    "killed": ("crash", "go", "os.kill(os.getpid(), 9)"),
    "closes": ("crash", "go", "os.close(1); time.sleep(60)"),
    "resigns": ("resignation", "go", "print('resign')"),
    "refuses": ("garbage", "start", "print('no')"),
}
"""What a program does wrong: the kind of failure, the word that triggers it, and the action."""


def bad(folder: Path, name: str) -> list[str]:
    """A program that misbehaves in the given way."""
    _, word, action = BAD[name]
    return script(folder, name, f"""
for line in sys.stdin:
    words = line.split()
    if words[0] == {word!r}:
        {action}
    elif words[0] == "start": print("ready tester")
""")


@contextmanager
def talking(talk: Callable[[socket.socket], None]) -> Iterator[socket.socket]:
    """A connection whose other end is served by a thread; an exception there is raised at the end."""
    here, there = socket.socketpair()
    problems: list[BaseException] = []

    def work() -> None:
        try:
            talk(there)
        except BaseException as problem:
            problems.append(problem)
        finally:
            there.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.close()
        thread.join(10)
    if problems:
        raise problems[0]


def expect(connected: socket.socket, text: str) -> None:
    """Read exactly this text."""
    connected.settimeout(5)
    found = b""
    while len(found) < len(text.encode()):
        part = connected.recv(len(text.encode()) - len(found))
        assert part, f"expected {text!r}, found {found!r}"
        found += part
    assert found.decode() == text


@contextmanager
def web_server(answer: Callable[[str, bytes], tuple[int, bytes] | None]) -> Iterator[int]:
    """The port of a server that answers requests by a function of path and body; None leaves a request waiting."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

        def _answer(self, body: bytes) -> None:
            found = answer(self.path, body)
            if found is None:
                ending.wait(20)
                return
            self.send_response(found[0])
            self.send_header("Content-Length", str(len(found[1])))
            self.end_headers()
            self.wfile.write(found[1])

        def log_message(self, format: str, *args: object) -> None:
            pass

    ending = threading.Event()
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        ending.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
