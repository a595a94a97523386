"""Shared games, which people play together from several machines: their routes, and the event stream of each game.

Sharing a game gives a key for each seat. A request about a shared game names it by its id; the key decides which viewer
the answer is for, and whose moves the request may make. Every move is made by a worker from the game as stored here,
never from what the page sends. Each page listens to a stream of server-sent events, which give the number of moves and
who is present, and requests the position then; so a page that lost its connection, or whose server was restarted, goes
on as soon as the next event comes. Where a game hides something, each viewer is told only of the moves that it noticed,
and all numbers of moves count these.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

import attrs
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from dsl.syntax import source
from dslgame.web.pool import Pool
from dslgame.web.positions import Kept
from dslgame.web.request_schema import (
    EVERYTHING,
    SPECTATOR,
    Asked,
    At,
    AtT,
    Choosing,
    Joining,
    Moving,
    Playing,
    Refused,
    SharedAt,
    SharedChoosing,
    SharedMoving,
    at,
    described,
    is_natures,
    job_of,
    moved,
    noticed,
    read,
)
from dslgame.web.requests import answering, body_of
from dslgame.web.shared_games import SharedGame, SharedGames
from interpreter.happening import MOST

JoiningT = TypeVar("JoiningT", bound=Joining)
HEARTBEAT = 15.0
"""Seconds between the keep-alive comments of an idle stream."""
BUSY = 1.0
"""Seconds until a request is repeated that the busy server refused."""
_DRAWN = "random"
"""The kind of player with which a worker draws a move of chance."""
MOST_STREAMS, MOST_OF_ONE = 1_000, 250
"""The most pages that listen to all games together, and to one game."""


@attrs.define(eq=False)
class _Listener:
    """A page that listens to a game's event stream."""

    seat: int
    news: asyncio.Event = attrs.field(factory=asyncio.Event)


@attrs.frozen
class _Noticed:
    """Which moves of a game each viewer noticed."""

    moves: int
    """The number of moves."""
    plies: Sequence[Sequence[int]] | None
    """For each seat, and last for spectators, the plies that were noticed; None where nothing is hidden."""

    def by(self, seat: int) -> Sequence[int]:
        """The plies of the moves that the viewer of a seat noticed."""
        return range(1, self.moves + 1) if self.plies is None else self.plies[seat if seat != SPECTATOR else -1]


class Sharing:
    """The shared games of a server: their routes and their listeners."""

    def __init__(self, kept: SharedGames, pool: Pool, files: Mapping[str, str]) -> None:
        self.kept, self.pool, self.files = kept, pool, files
        self._listeners: dict[str, list[_Listener]] = {}
        self._moving: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._texts: dict[str, tuple[tuple[int, int], str]] = {}
        self._noticed: Kept[_Noticed] = Kept(MOST_STREAMS)
        self._ended = False

    def routes(self) -> list[Route]:
        """The routes of shared games."""
        game = "/api/shared/{id}"
        return [
            Route("/api/share", answering(self._share), methods=["POST"]),
            Route(game, answering(self._joined), methods=["POST"]),
            Route(f"{game}/position", answering(self._position), methods=["POST"]),
            Route(f"{game}/choices", answering(self._choices), methods=["POST"]),
            Route(f"{game}/move", answering(self._move), methods=["POST"]),
            Route(f"{game}/events", answering(self._events)),
        ]

    def end(self) -> None:
        """End all streams, so that the server can shut down."""
        self._ended = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.news.set()

    # ---- requests

    async def _share(self, request: Request) -> Response:
        """Share a game with the moves made so far; the answer has its id, and the key of each seat."""
        asked = read(At, await body_of(request))
        status, answer = await self.pool.ask(job_of("position", asked, self.files))
        if status == 200:  # the game can be played so far
            rules = Asked(game=asked.game, text=asked.text, params=asked.params)
            status, answer = await self.pool.ask(job_of("game", rules, self.files))
        if status != 200:
            return Response(answer, status, media_type="application/json")
        text, seats, hides = described(answer)
        identity, keys = self.kept.create(name=asked.game, text=text, params=asked.params, start=asked.start,
                                          moves=asked.moves, seats=seats)
        if not hides:
            self._noticed.put(identity, _Noticed(0, None))
        await self._throw(identity)
        return JSONResponse({"id": identity, "keys": keys})

    async def _joined(self, request: Request) -> Response:
        """A shared game's rules or name, its params, its news, and the seat that a key opens."""
        asked, game = await self._asked(request, Joining)
        named, seat = self._named(game), game.seat(asked.key)
        hides = (await self._noticed_in(game)).plies is not None
        return JSONResponse({"game": named, "text": None if named else game.text, "params": dict(game.params),
                             "start": None if hides else game.start, "seat": seat, "seats": len(game.keys),
                             **await self._news(game.id, seat)})

    async def _position(self, request: Request) -> Response:
        """A position of a shared game; with `last` also the effects of the last move."""
        asked, game = await self._asked(request, SharedAt)
        plies = (await self._noticed_in(game)).by(game.seat(asked.key))
        moves = game.moves if asked.ply is None or asked.ply >= len(plies) else game.moves[: plies[asked.ply] - 1]
        return await self._answered("last" if asked.last else "position", At, game, asked.key, moves)

    async def _choices(self, request: Request) -> Response:
        """The moves of a shared game that begin with the choices made so far."""
        asked, game = await self._asked(request, SharedChoosing)
        return await self._answered("choices", Choosing, game, asked.key, game.moves, chosen=asked.chosen)

    async def _move(self, request: Request) -> Response:
        """Make a move of a shared game, stored before the request is answered."""
        asked = read(SharedMoving, await body_of(request))
        identity = request.path_params["id"]
        lock = self._moving.setdefault(identity, asyncio.Lock())
        async with lock:
            game = self.kept.get(identity)
            seat = game.seat(asked.key)
            if seat == SPECTATOR:
                raise Refused(403, "seat", "you watch this game; its players have links of their own")
            moves = len((await self._noticed_in(game)).by(seat))
            if asked.ply != moves:
                raise Refused(409, "ply", f"the game has {moves} moves already, not {asked.ply}")
            answer = await self._answered("move", Moving, game, asked.key, game.moves, move=asked.move)
            if answer.status_code == 200:
                self.kept.add(identity, len(game.moves), moved(bytes(answer.body)))
                await self._throw(identity)
                self._tell(identity)
        return answer

    async def _throw(self, identity: str) -> None:
        """Draw and store the moves of chance until a player is to move or the game is over."""
        for _ in range(MOST):
            game = self.kept.get(identity)
            position = self._at(At, game, EVERYTHING, game.moves)
            status, answer = await self.pool.ask(job_of("position", position, self.files))
            if status != 200 or not is_natures(answer):
                return
            chance = self._at(Playing, game, EVERYTHING, game.moves, player=_DRAWN)
            status, answer = await self.pool.ask(job_of("choose", chance, self.files))
            if status != 200:
                return
            self.kept.add(identity, len(game.moves), moved(answer))

    async def _events(self, request: Request) -> Response:
        """The event stream of a shared game: `{"moves", "present", "watching"}`, at once and whenever one of these
        changes."""
        game = self.kept.get(request.path_params["id"])
        here = self._listeners.get(game.id, [])
        if sum(map(len, self._listeners.values())) >= MOST_STREAMS or len(here) >= MOST_OF_ONE:
            raise Refused(503, "busy", "too many people watch at the moment; try again later")
        listener = _Listener(game.seat(request.query_params.get("key")))
        return StreamingResponse(self._stream(game.id, listener), media_type="text/event-stream")

    # ---- streams

    async def _stream(self, identity: str, listener: _Listener) -> AsyncIterator[bytes]:
        self._listeners.setdefault(identity, []).append(listener)
        self._tell(identity)
        told: dict[str, object] = {}
        try:
            yield b"retry: 1000\n\n"
            while not self._ended:
                if listener.news.is_set():
                    listener.news.clear()
                    news = await self._soon(identity, listener)
                    if news != told:  # even the fact of a move may be hidden
                        told = news
                        yield b"data: " + json.dumps(news).encode() + b"\n\n"
                try:
                    await asyncio.wait_for(listener.news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            listeners = self._listeners[identity]
            listeners.remove(listener)
            if not listeners:
                del self._listeners[identity]
            self._tell(identity)

    async def _soon(self, identity: str, listener: _Listener) -> dict[str, object]:
        """The news for a listener; retries while the server is too busy. Raises Refused."""
        while True:
            try:
                return await self._news(identity, listener.seat)
            except Refused as problem:
                if problem.kind != "busy" or self._ended:
                    raise
                await asyncio.sleep(BUSY)

    def _tell(self, identity: str) -> None:
        """Wake all listeners of a game."""
        for listener in self._listeners.get(identity, ()):
            listener.news.set()

    async def _news(self, identity: str, seat: int) -> dict[str, object]:
        """The number of a game's moves that a seat noticed, which seats are present, and the number of spectators."""
        game = self.kept.get(identity)
        moves = len((await self._noticed_in(game)).by(seat))
        here = [listener.seat for listener in self._listeners.get(identity, ())]
        return {"moves": moves, "present": [seat in here for seat in range(len(game.keys))],
                "watching": here.count(SPECTATOR)}

    async def _noticed_in(self, game: SharedGame) -> _Noticed:
        """The moves that each seat noticed, found by a worker where the game hides something. Raises Refused."""
        known = self._noticed.get(game.id)
        if known is not None and (known.plies is None or known.moves == len(game.moves)):
            return attrs.evolve(known, moves=len(game.moves))
        status, answer = await self.pool.ask(job_of("noticed", self._at(At, game, EVERYTHING, game.moves), self.files))
        if status != 200:
            raise Refused(503, "busy", "what is to be seen of the game is not known at the moment; try again later")
        result = _Noticed(len(game.moves), noticed(answer))
        self._noticed.put(game.id, result)
        return result

    # ---- games as jobs

    async def _asked(self, request: Request, kind: type[JoiningT]) -> tuple[JoiningT, SharedGame]:
        asked = read(kind, await body_of(request))
        return asked, self.kept.get(request.path_params["id"])

    async def _answered(self, do: str, kind: type[AtT], game: SharedGame, key: str | None, moves: Sequence[str],
                        **more: object) -> Response:
        """A worker's answer about a shared game after some moves, for the viewer of a key."""
        asked = self._at(kind, game, game.seat(key), moves, **more)
        status, answer = await self.pool.ask(job_of(do, asked, self.files))
        return Response(answer, status, media_type="application/json")

    def _at(self, kind: type[AtT], game: SharedGame, viewer: int, moves: Sequence[str], **more: object) -> AtT:
        """A request about a shared game after some moves, for a viewer."""
        named = self._named(game)
        return at(kind, game=named, text=None if named else game.text, params=dict(game.params), start=game.start,
                  moves=list(moves), viewer=viewer, **more)

    def _named(self, game: SharedGame) -> str | None:
        """The name of a game whose file still has the rules it began with; None where its rules must be sent as a
        text."""
        path = self.files.get(game.name or "")
        if path is None:
            return None
        try:
            result = Path(path).stat()
        except OSError:
            return None
        when = result.st_mtime_ns, result.st_size
        if self._texts.get(path, (None, ""))[0] != when:
            text = source.read(path)
            self._texts[path] = when, "" if isinstance(text, source.Unreadable) else text.text
        return game.name if self._texts[path][1] == game.text else None
