"""Shared games, which people play together from several machines: their routes, and the event stream of each game.

Sharing a game gives a key for each seat. A request about a shared game names it by its id; the key decides which viewer
the answer is for, and whose moves the request may make. Every move is made by a worker from the game as stored here,
never from what the page sends. Each page listens to a stream of server-sent events, which give the number of moves and
who is present, and requests the position then; so a page that lost its connection, or whose server was restarted, goes
on as soon as the next event comes. Where a game hides something, each viewer is told only of the moves that it noticed,
and all numbers of moves count these.

A game can also be shared for one screen, with `seats`: then the server moves for the seats of computers, and the page
holds the keys of the others. The page plays games that hide something in this way, so that it never has what the person
before it may not see: not even the moves of chance and of computers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
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
    Beginning,
    Choosing,
    Joining,
    Moving,
    Playing,
    Refused,
    SharedAt,
    SharedChoosing,
    SharedMoving,
    SharedPlaying,
    SharedValuing,
    Turn,
    Valuing,
    at,
    described,
    job_of,
    moved,
    noticed,
    read,
    turn,
)
from dslgame.web.requests import answering, body_of, while_wanted
from dslgame.web.shared_games import SharedGame, SharedGames, sender_of
from dslgame.web.streaming import analysed

JoiningT = TypeVar("JoiningT", bound=Joining)
HEARTBEAT = 15.0
"""Seconds between the keep-alive comments of an idle stream."""
BUSY = 1.0
"""Seconds until a request is repeated that the busy server refused."""
PERSON, RANDOM = "person", "random"
"""Kinds of players: a person, and one that makes random moves, with which a worker also draws the moves of chance."""
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
    """As `Noticed.plies`."""
    nature: bool = False
    """Whether chance makes the next move; False where nothing is hidden."""

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
        self._computing: dict[str, asyncio.Task[None]] = {}
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
            Route(f"{game}/choose", answering(self._choose), methods=["POST"]),
            Route(f"{game}/analyse", answering(self._analyse), methods=["POST"]),
            Route(f"{game}/events", answering(self._events)),
        ]

    def end(self) -> None:
        """End all streams and the moves of computers, so that the server can shut down."""
        self._ended = True
        for task in list(self._computing.values()):
            task.cancel()
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.news.set()

    # ---- requests

    async def _share(self, request: Request) -> Response:
        """Share a game with the moves made so far; the answer has its id, and the key of each seat."""
        asked = read(Beginning, await body_of(request))
        here = At(game=asked.game, text=asked.text, params=asked.params, saved=asked.saved, start=asked.start,
                  moves=asked.moves)
        status, answer = await self.pool.ask(job_of("turn", here, self.files))
        if status == 200:  # the game can be played so far
            named = Asked(game=asked.game, text=asked.text, params=asked.params)
            status, answer = await self.pool.ask(job_of("game", named, self.files))
        if status != 200:
            return Response(answer, status, media_type="application/json")
        rules = described(answer)
        kinds = [PERSON] * rules.players if asked.seats is None else asked.seats
        if len(kinds) != rules.players or PERSON not in kinds or not set(kinds) <= set(rules.kinds):
            raise Refused(400, "request", f"'seats' is {', '.join(kinds)}, expected for each of the {rules.players} "
                                          f"players one of {', '.join(rules.kinds)}, and {PERSON} for one of them")
        identity, keys = self.kept.create(
            name=asked.game, text=rules.text, params=asked.params, start=asked.start, moves=asked.moves,
            people=[kind == PERSON for kind in kinds], seats=asked.seats,
            sender=sender_of(None if request.client is None else request.client.host))
        if not rules.hides:
            self._noticed.put(identity, _Noticed(0, None))
        await self._go_on(identity)
        return JSONResponse({"id": identity, "keys": keys})

    async def _joined(self, request: Request) -> Response:
        """A shared game's rules or name, its params, its news, who plays it, and the seat that a key opens."""
        asked, game = await self._asked(request, Joining)
        if game.seats is not None and game.id not in self._computing:
            await self._go_on(game.id)  # the server may have been stopped before a computer had moved
            game = self.kept.get(game.id)
        named, seat = self._named(game), game.seat(asked.key)
        hides = (await self._noticed_in(game)).plies is not None
        return JSONResponse({"game": named, "text": None if named else game.text, "params": dict(game.params),
                             "start": None if hides else game.start, "seat": seat, "seats": len(game.keys),
                             "kinds": game.seats,
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
                await self._go_on(identity)
                self._tell(identity)
        return answer

    async def _choose(self, request: Request) -> Response:
        """The move that a kind of computer player would make, in a game on one screen."""
        asked, game = await self._alone(request, SharedPlaying)
        return await while_wanted(request, self._answered("choose", Playing, game, asked.key, game.moves,
                                                          player=asked.player))

    async def _analyse(self, request: Request) -> Response:
        """The values of the moves, as a stream, in a game on one screen."""
        asked, game = await self._alone(request, SharedValuing)
        return await analysed(self.pool, self.files, self._at(Valuing, game, game.seat(asked.key), game.moves))

    async def _alone(self, request: Request, kind: type[JoiningT]) -> tuple[JoiningT, SharedGame]:
        """A request for help, and its game. Raises Refused where people play from several machines."""
        asked, game = await self._asked(request, kind)
        if game.seats is None:
            raise Refused(403, "seat", "the players of a shared game are not helped while it is played")
        return asked, game

    # ---- chance and computers

    async def _go_on(self, identity: str) -> None:
        """Draw and store the moves of chance, until a player is to move or the game is over; where that is a computer,
        let it move in the background."""
        while True:
            game = self.kept.get(identity)
            due = await self._turn(game)
            if due is None or not due.nature:
                break
            if not await self._moves_by(game, EVERYTHING, RANDOM):
                return
        if due is not None and self._computer(game, due) and identity not in self._computing:
            task = self._computing[identity] = asyncio.create_task(self._compute(identity))
            task.add_done_callback(lambda _: self._computing.pop(identity, None))

    async def _compute(self, identity: str) -> None:
        """Make the moves of computers, and of chance, until a person is to move or the game is over."""
        lock = self._moving.setdefault(identity, asyncio.Lock())
        with suppress(Refused):  # the game was removed
            while not self._ended:
                async with lock:
                    game = self.kept.get(identity)
                    due = await self._turn(game)
                    kind = None if due is None else self._computer(game, due)
                    if due is None or kind is None:
                        return
                    side = EVERYTHING if due.side is None else due.side
                    # A search that fails, as for its memory, must not end the game.
                    if not (await self._moves_by(game, side, kind) or await self._moves_by(game, side, RANDOM)):
                        return
                self._tell(identity)

    @staticmethod
    def _computer(game: SharedGame, due: Turn) -> str | None:
        """The kind of player that makes the next move; None where a person does, or nobody."""
        if due.nature:
            return RANDOM
        kind = None if game.seats is None or due.side is None else game.seats[due.side]
        return None if kind == PERSON else kind

    async def _turn(self, game: SharedGame) -> Turn | None:
        """Who moves next in a game; None where its rules fail."""
        status, answer = await self._patiently("turn", self._at(At, game, EVERYTHING, game.moves))
        return turn(answer) if status == 200 else None

    async def _moves_by(self, game: SharedGame, viewer: int, kind: str) -> bool:
        """Let a kind of player make the next move, which it chooses by what a viewer sees; whether it did."""
        status, answer = await self._patiently("choose", self._at(Playing, game, viewer, game.moves, player=kind))
        if status != 200:
            return False
        self.kept.add(game.id, len(game.moves), moved(answer), person=False)
        return True

    async def _patiently(self, do: str, asked: At) -> tuple[int, bytes]:
        """A worker's answer to a job of the server itself, which waits while the server is too busy."""
        while True:
            try:
                return await self.pool.ask(job_of(do, asked, self.files))
            except Refused as refused:
                if refused.kind != "busy" or self._ended:
                    return refused.status, refused.encoded()
            await asyncio.sleep(BUSY)

    async def _events(self, request: Request) -> Response:
        """The event stream of a shared game: `{"moves", "nature", "present", "watching"}`, at once and whenever one of
        these changes."""
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
        """The number of a game's moves that a seat noticed, whether chance is to move, which seats are present, and the
        number of spectators."""
        game = self.kept.get(identity)
        known = await self._noticed_in(game)
        here = [listener.seat for listener in self._listeners.get(identity, ())]
        return {"moves": len(known.by(seat)), "nature": known.nature,
                "present": [seat in here for seat in range(len(game.keys))], "watching": here.count(SPECTATOR)}

    async def _noticed_in(self, game: SharedGame) -> _Noticed:
        """The moves that each seat noticed, found by a worker where the game hides something. Raises Refused."""
        known = self._noticed.get(game.id)
        if known is not None and (known.plies is None or known.moves == len(game.moves)):
            return attrs.evolve(known, moves=len(game.moves))
        status, answer = await self.pool.ask(job_of("noticed", self._at(At, game, EVERYTHING, game.moves), self.files))
        if status != 200:
            raise Refused(503, "busy", "what is to be seen of the game is not known at the moment; try again later")
        found = noticed(answer)
        result = _Noticed(len(game.moves), found.plies, found.nature and found.plies is not None)
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
