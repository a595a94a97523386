"""An HTTP server with the web interface for local players; see `dslgame.programs.protocols.http`."""

from __future__ import annotations

import json
import socket
import threading
import uuid
from collections.abc import Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dslgame import serving
from dslgame.programs.boards import Unplain, position_of
from dslgame.programs.failures import sayable, told
from dslgame.programs.plugins import Crashed, Plugin, PluginPlayer
from dslgame.programs.seats import PluginSeat, seat_of
from dslgame.serving import HERE, HostCheck, Hosts
from interpreter.errors import IllegalMove
from interpreter.game import Game, Position

MOST_BYTES = 1 << 22
"""The most bytes of a request."""
MOST_MOVES = 10_000
MOST_GAMES = 32
"""The most games of one player in a file that are played at the same time."""
HUMAN = "Human"
"""The name of a player that is not on this server."""


class Mistaken(Exception):
    """Raised for a request that cannot be answered; the message says why."""


class Hosted:
    """A player of the server, with a lock, so that it handles one request at a time.

    A level plays all its games at once. A player in a file may keep what it was told of a game: each side of a game
    that is played has a player of its own, which plays another when that is over. Games without an id begin anew at
    each move.
    """

    def __init__(self, game: Game, text: str, seed: int) -> None:
        """Make the player that `text` names. Raises what `seat_of` does."""
        self.game = game
        self.seat, self.name = seat_of(game, text, seed)
        self.plugin = self.seat.plugin if isinstance(self.seat, PluginSeat) else None
        self.description = text if self.plugin is None else self.plugin.description
        self.lock = threading.Lock()
        self._playing: dict[tuple[str, int], PluginPlayer] = {}
        """The players of the games that are played, by the games' ids and their sides."""
        self._free = [self.seat.player] if isinstance(self.seat, PluginSeat) else []

    def start(self, data: Mapping[str, object], side: int, game_id: str) -> None:
        """Begin a game."""
        with self.lock:
            if self.plugin is None:
                self.seat.begin(side)
            else:
                self._begin(self.plugin, data, side, game_id)

    def _begin(self, plugin: Plugin, data: Mapping[str, object], side: int, game_id: str) -> PluginPlayer:
        """Begin a game of a player in a file. Beyond `MOST_GAMES` the oldest counts as over: it may have been left."""
        self._end((game_id, side))
        if len(self._playing) == MOST_GAMES:
            self._end(next(iter(self._playing)))
        player = self._free.pop() if self._free else PluginPlayer(plugin, self.game)
        try:
            player.begin(game_id, side, data.get("boardsize"), data.get("opponentId", HUMAN))
        except BaseException:
            self._free.append(player)
            raise
        self._playing[game_id, side] = player
        return player

    def _end(self, which: tuple[str, int]) -> None:
        if which in self._playing:
            self._free.append(self._playing.pop(which))

    def move(self, data: Mapping[str, object]) -> str:
        """Choose the move that a request asks for; a game that was not begun begins with it."""
        with self.lock:
            if isinstance(self.seat, PluginSeat) and self.seat.plugin.on_boards:
                if not isinstance(data.get("board"), dict):
                    raise Mistaken("'board' is no object")
                return self.seat.player.move_on(data["board"], data.get("gameId"), data.get("playerId"))
            position = _position(self.game, data)
            if self.plugin is None:
                return self.seat.move(position, None)
            game_id, side = _game_of(data), position.state.to_move
            player = self._playing.get((game_id, side)) if game_id else None
            return (player or self._begin(self.plugin, data, side, game_id)).move(position, game_id)

    def over(self, data: Mapping[str, object]) -> None:
        """End a game."""
        with self.lock:
            self.seat.rest()
            for side in range(len(self.game.players)):
                self._end((_game_of(data), side))
            if isinstance(self.seat, PluginSeat):
                self.seat.player.end_on(data.get("board"), data.get("gameId"), data.get("playerId"),
                                        data.get("winnerId"))


def _game_of(data: Mapping[str, object]) -> str:
    """The id of a request's game; '' where it has none."""
    return "" if data.get("gameId") is None else str(data["gameId"])


def _position(game: Game, data: Mapping[str, object]) -> Position:
    """The position of a request: by its moves if it has them, otherwise by its board. Raises Mistaken."""
    moves = data.get("moves")
    if moves is not None:
        if not isinstance(moves, list) or len(moves) > MOST_MOVES or not all(isinstance(move, str) for move in moves):
            raise Mistaken("'moves' is no list of texts")
        if data.get("params", game.params) != game.params:
            raise Mistaken(f"this server plays {game.title} with {game.params}")
        position = game.start()
        for move in moves:
            position = position.play(move)
    else:
        board, player = data.get("board"), data.get("playerId")
        if not isinstance(board, dict):
            raise Mistaken("'board' is no object")
        if type(player) is not int:
            raise Mistaken("'playerId' is no number")
        position = position_of(game, board, player)
    if position.over:
        raise Mistaken("the game is over")
    return position


def application(players: list[Hosted], *, hosts: Hosts = HERE) -> Starlette:
    """The server's application, which answers only requests for `hosts`."""
    named = {hosted.name: hosted for hosted in players}

    def hosted(request: Request) -> Hosted:
        name = request.path_params["name"]
        if name not in named:
            raise Mistaken(f"there is no player '{name[:80]}'; there are {', '.join(named)}")
        return named[name]

    async def listed(request: Request) -> Response:
        return JSONResponse({"ok": {item.name: item.description for item in players}})

    def answering(do: Callable[[Request, dict[str, object]], object]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":  # a page of another site cannot send this type from a browser
                return JSONResponse({"error": "expected the content type application/json"}, 415)
            try:
                data = await _data(request)
            except Mistaken as mistaken:
                return JSONResponse({"error": sayable(str(mistaken))}, 400)
            except ClientDisconnect:
                return Response(status_code=499)
            try:
                return JSONResponse({"ok": await run_in_threadpool(do, request, data)})
            except (Mistaken, Unplain, IllegalMove, Crashed) as problem:
                return JSONResponse({"error": sayable(str(problem))})
            except Exception as problem:  # a player's own code may raise anything
                return JSONResponse({"error": sayable(told(problem))})

        return endpoint

    def move(request: Request, data: dict[str, object]) -> str:
        return hosted(request).move(data)

    def start(request: Request, data: dict[str, object]) -> str:
        side = data.get("playerId")
        if type(side) is not int:
            raise Mistaken("'playerId' is no number")
        player = hosted(request)
        if not 0 <= side < len(player.game.players):
            raise Mistaken(f"'playerId' is {side}, and there are {len(player.game.players)} players, from 0 on")
        player.start(data, side, _game_of(data))
        return "ok"

    def over(request: Request, data: dict[str, object]) -> str:
        hosted(request).over(data)
        return "ok"

    def begin(request: Request, data: dict[str, object]) -> list[str]:
        names = [str(data.get("player1", HUMAN)), str(data.get("player2", HUMAN))]
        games = [str(uuid.uuid4()), str(uuid.uuid4())]
        for side, name in enumerate(names):
            if name == HUMAN:
                continue
            if name not in named:
                raise Mistaken(f"there is no player '{name[:80]}'; there are {', '.join(named)}")
            named[name].start({**data, "opponentId": names[1 - side]}, side, games[side])
        return games

    return Starlette(routes=[
        Route("/algos", listed),
        Route("/algos/{name}", answering(move), methods=["POST"]),
        Route("/startgame/{name}", answering(start), methods=["POST"]),
        Route("/gameover/{name}", answering(over), methods=["POST"]),
        Route("/newgame", answering(begin), methods=["POST"]),
    ], middleware=[Middleware(HostCheck, hosts=hosts)])


async def _data(request: Request) -> dict[str, object]:
    """Read the JSON object in a request's body. Raises Mistaken."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Mistaken(f"the request is larger than {MOST_BYTES >> 20} MiB")
    try:
        result = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise Mistaken("the request is no JSON") from None
    if not isinstance(result, dict):
        raise Mistaken("the request is no JSON object")
    return result


def serve(listening: socket.socket, players: list[Hosted], hosts: Hosts) -> None:
    """Serve on a listening socket until the process is interrupted."""
    serving.run(application(players, hosts=hosts), listening)
