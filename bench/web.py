"""Load test of the web server: how long many players wait for it, and whether their games stay separate.

    python -m bench.web [--clients N] [--moves N] [--pause S] [--workers N] [--most MS] [--json]

Starts `dslgame web` on a free local port and plays random games over HTTP from this process, one game per client: the
client asks for the position with its legal moves, makes one of them, pauses as a person would, and so on. At the end
the interpreter replays each game, which must reach the last position that the server sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

import dslgame

ROOT = Path(__file__).parent.parent
GAMES = ("tic_tac_toe", "nex", "connect_four", "hex", "reversi", "shift_tac_toe", "hexplode", "nine_mens_morris")
"""The games that are played; the clients take them in turn."""


@attrs.define
class Played:
    """The results of all clients: seconds of each call, refused requests, and games that went wrong."""

    clients: int
    pause: float
    waits: dict[str, list[float]] = attrs.field(factory=lambda: {"position": [], "move": []})
    refused: list[str] = attrs.field(factory=list)
    wrong: list[str] = attrs.field(factory=list)
    seconds: float = 0.0
    processor: float = 0.0
    """Processor seconds of the server and its workers."""

    def share(self, call: str, part: float) -> float:
        """The quantile `part` of the waits for a call, in seconds."""
        waits = sorted(self.waits[call])
        return waits[min(len(waits) - 1, int(part * len(waits)))] if waits else 0.0

    def plain(self) -> dict[str, Any]:
        """The results as JSON values; call times are in milliseconds."""
        found: dict[str, Any] = {"clients": self.clients, "pause": self.pause, "seconds": round(self.seconds, 2),
                                 "refused": len(self.refused), "wrong_games": len(self.wrong)}
        for call, waits in self.waits.items():
            found[call] = {"calls": len(waits), **{f"p{round(100 * part)}": round(1000 * self.share(call, part), 1)
                                                   for part in (0.5, 0.95, 0.99)}}
        calls = max(1, sum(map(len, self.waits.values())))
        found["calls_per_second"] = round(calls / max(self.seconds, 1e-9), 1)
        found["processor_ms_per_call"] = round(1000 * self.processor / calls, 2)
        return found


class Connection:
    """An HTTP client that keeps one connection to a server open."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, what: str, **fields: object) -> tuple[int, Any]:
        """Post a request; return the status and the JSON answer. Reconnects once if the connection was closed."""
        body = json.dumps(fields).encode()
        request = (f"POST /api/{what} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\ncontent-type: application/json\r\n"
                   f"content-length: {len(body)}\r\n\r\n").encode() + body
        if self._streams is not None:
            try:
                return await self._exchange(*self._streams, request)
            except (OSError, asyncio.IncompleteReadError):
                self.close()
        self._streams = await asyncio.open_connection(self.host, self.port)
        return await self._exchange(*self._streams, request)

    @staticmethod
    async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, Any]:
        writer.write(request)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        return int(head.split()[1]), json.loads(await reader.readexactly(length))

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()


async def client(number: int, host: str, port: int, moves: int, played: Played) -> None:
    """Play one player's game, then replay it with the interpreter."""
    chance = random.Random(number)
    game, made, end = GAMES[number % len(GAMES)], list[str](), ""
    connection = Connection(host, port)

    async def ask(call: str, **fields: object) -> Any:
        started = time.perf_counter()
        status, found = await connection.ask(call, game=game, moves=made, **fields)
        played.waits[call].append(time.perf_counter() - started)
        if status != 200:
            played.refused.append(found["error"]["message"])
            return None
        return found

    await asyncio.sleep(chance.random() * max(played.pause, 0.5))
    for _ in range(moves):
        position = await ask("position")
        if position is None or position["over"]:
            break
        after = await ask("move", move=chance.choice(chance.choice(position["moves"])[1]))
        if after is None:
            break
        made, end = [*made, after["move"]], after["after"]["position"]
        if after["after"]["played"] != made:
            played.wrong.append(f"{game}: {made}")
        await asyncio.sleep(played.pause * (0.5 + chance.random()))
    connection.close()
    at = dslgame.load(game).start()
    for move in made:
        at = at.play(move)
    if made and at.text != end:
        played.wrong.append(f"{game}: {made}")


async def play(clients: int, moves: int, pause: float, workers: int) -> Played:
    """Start a server, play all clients' games against it, and stop it."""
    command = [sys.executable, "-m", "dslgame", "web", "--port", "0", "--workers", str(workers)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    try:
        address = urlsplit(server.stdout.readline().strip())
        host, port = address.hostname or "", address.port or 0
        first = Connection(host, port)
        for game in GAMES:  # load the games, as on a server that is in use
            await first.ask("position", game=game)
        first.close()
        played = Played(clients, pause)
        started = time.perf_counter()
        await asyncio.gather(*(client(number, host, port, moves, played) for number in range(clients)))
        played.seconds = time.perf_counter() - started
    finally:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        server.terminate()
        server.wait(20)
        server.stdout.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    played.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return played


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if requests were refused, games were lost or mixed up, or moves took too long."""
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--moves", type=int, default=10, help="moves of each client at most")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between a client's moves, on average")
    parser.add_argument("--workers", type=int, default=2, help="as for dslgame web")
    parser.add_argument("--most", type=float, metavar="MS",
                        help="fail where more than 5 of 100 moves take longer than so many milliseconds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    played = asyncio.run(play(options.clients, options.moves, options.pause, options.workers))
    found = played.plain()
    if options.json:
        print(json.dumps(found))
    else:
        print(f"{found['clients']} clients, {found['calls_per_second']} calls a second, {found['seconds']} s, "
              f"{found['processor_ms_per_call']} ms of processor time a call")
        for call in played.waits:
            print(f"  {call:9} {found[call]['calls']:6,} calls: "
                  + ", ".join(f"{name} {found[call][name]:,} ms" for name in ("p50", "p95", "p99")))
        print(f"  refused: {found['refused']}, lost or mixed games: {found['wrong_games']}")
    slow = options.most is not None and found["move"]["p95"] > options.most
    return int(bool(played.refused or played.wrong or slow))


if __name__ == "__main__":
    raise SystemExit(main())
