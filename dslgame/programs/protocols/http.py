"""The web interface that asks players for moves: JSON over HTTP, with boards as cells with owners and counters.

| route | body | answer |
|---|---|---|
| GET `/algos` | | `{"ok": {name: description}}` |
| POST `/algos/NAME` | `board`, `gameId`, `playerId` | `{"ok": cell}` |
| POST `/startgame/NAME` | `gameId`, `playerId`, `boardsize`, `opponentId` | `{"ok": "ok"}` |
| POST `/gameover/NAME` | `board`, `gameId`, `playerId`, `winnerId` | `{"ok": "ok"}` |
| POST `/newgame` | `player1`, `player2`, `boardsize` | `{"ok": [gameId, gameId]}` |

The answer to a failed request is `{"error": text}`. `WebPlayer` also sends `params` and `moves`, from which our server
builds the position even where the board does not describe it completely. This is the client; the server is
`dslgame.programs.webserver`.
"""

from __future__ import annotations

import http.client
import json
import threading
import uuid
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from dslgame.programs.boards import Unplain, check_plain, plain_board, size_of
from dslgame.programs.channels import MOST_LINE, Deadline
from dslgame.programs.failures import Failed, quoted
from dslgame.programs.referee import TELLING, Clock, Contestant
from interpreter.game import Position


class WebPlayer(Contestant):
    """A player on a server, by its name there."""

    def __init__(self, name: str, host: str, port: int, player: str) -> None:
        super().__init__(name)
        self.host, self.port, self.player = host, port, player
        self._game = ""

    def _ask(self, method: str, path: str, body: dict[str, Any] | None, deadline: Deadline) -> Any:
        """Send a request; the value of `ok` in the answer. Raises Failed, by the deadline even if data comes slowly."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=deadline.left)
        found: list[tuple[int, bytes] | Exception] = []

        def asking() -> None:
            try:
                connection.request(method, path, None if body is None else json.dumps(body).encode(),
                                   {"Content-Type": "application/json"})
                response = connection.getresponse()
                found.append((response.status, response.read(MOST_LINE + 1)))
            except Exception as problem:
                found.append(problem)

        thread = threading.Thread(target=asking, daemon=True)
        thread.start()
        thread.join(deadline.left)
        late = not found  # read before the socket is shut down, which the thread would report as a disconnect
        with suppress(OSError):
            if connection.sock is not None:
                connection.sock.shutdown(2) if late else connection.sock.close()
            connection.close()
        if late:
            raise deadline.missed()
        result = found[0]
        if isinstance(result, TimeoutError):
            raise deadline.missed() from None
        if isinstance(result, OSError):
            raise Failed("disconnect", f"{result.strerror or result}") from None
        if isinstance(result, Exception):
            raise Failed("garbage", f"the answer is no HTTP: {type(result).__name__}") from None
        return self._read(path, *result)

    @staticmethod
    def _read(path: str, status: int, data: bytes) -> Any:
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            raise Failed("garbage", f"expected JSON from {path} (status {status}), found {quoted(data)}") from None
        if isinstance(answer, dict) and "error" in answer:
            last = str(answer["error"]).strip().splitlines()
            raise Failed("crash", f"an error: {quoted(last[-1] if last else '')}")
        if not isinstance(answer, dict) or "ok" not in answer:
            raise Failed("garbage", f"expected 'ok' or 'error' from {path} (status {status}), found {quoted(data)}")
        return answer["ok"]

    @property
    def _name(self) -> str:
        return quote(self.player, safe="")

    def processor(self) -> None:
        """None: the processor time of the server cannot be measured."""

    def begin(self, position: Position, side: int, clock: Clock, seed: int) -> None:
        """Check that the server has the player, and tell it that the game begins."""
        game = position.game
        try:
            if game.board.unbounded:
                check_plain(game)
        except Unplain as problem:
            raise Failed("refusal", str(problem)) from None
        there = self._ask("GET", "/algos", None, Deadline(TELLING))
        if not isinstance(there, dict) or self.player not in there:
            names = ", ".join(map(str, there))[:200] if isinstance(there, dict | list) else ""
            raise Failed("refusal", f"the server has no player '{self.player}'; it has {names or 'none'}")
        self._game = str(uuid.uuid4())
        self._ask("POST", f"/startgame/{self._name}", {
            "gameId": self._game, "playerId": side, "boardsize": size_of(game), "opponentId": "dslgame",
        }, Deadline(TELLING))

    def choose(self, position: Position, deadline: Deadline) -> str:
        """Ask for a move."""
        result = self._ask("POST", f"/algos/{self._name}", {
            "board": plain_board(position), "gameId": self._game, "playerId": position.state.to_move,
            "params": position.game.params, "moves": list(position.played),
        }, deadline)
        if not isinstance(result, str):
            raise Failed("garbage", f"expected the name of a cell, found {quoted(json.dumps(result))}")
        return result

    def end(self, position: Position, side: int, winner: int | None, reason: str) -> None:
        """Tell the server how the game ended."""
        self._ask("POST", f"/gameover/{self._name}", {
            "board": plain_board(position), "gameId": self._game, "playerId": side, "winnerId": winner,
        }, Deadline(TELLING))
