"""The page's HTTP server: routes, limits of requests, and headers.

`application` makes it, `serve` runs it. It stores no games but those that people share. Every request that needs a game
is validated, passed to a worker, and answered with JSON; errors are an object `{"error": {"kind", "message"}}` with a
status of 400 and above.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dsl.syntax import heading
from dslgame import bundled, serving
from dslgame.editing.vocabulary import page_words
from dslgame.serving import HERE, HostCheck, Hosts
from dslgame.web.page_files import PAGE, SMALL, PageFiles, index
from dslgame.web.pool import THINKING, Limits, Pool, limits
from dslgame.web.request_schema import ASKED, MOST_BYTES, Valuing, job, read
from dslgame.web.requests import Endpoint, answering, body_of, while_wanted
from dslgame.web.saved import when_saved
from dslgame.web.shared_games import SharedGames
from dslgame.web.sharing import Sharing
from dslgame.web.streaming import analysed

VIEWER = PAGE.parents[1] / "treeview"
"""The folder of the tree viewer's files, which the page serves as well."""
_HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; "
                                b"base-uri 'none'; form-action 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-cache",
}


def catalogue(files: Sequence[Path]) -> dict[str, str]:
    """The server's games, names with paths: first the given files, then the bundled games."""
    result: dict[str, str] = {}
    for path in [*files, *map(bundled.path_of, bundled.names())]:
        name = path.name.removesuffix(bundled.SUFFIX)
        while name in result and result[name] != str(path.resolve()):
            name += " (2)"
        result[name] = str(path.resolve())
    return result


def title_and_genre(path: str) -> tuple[str, str]:
    """The title and the genre of a game file, without parsing its rules; the file's name where it has no title."""
    return _heading(path, when_saved(path))


@lru_cache(maxsize=4_096)
def _heading(path: str, saved: str | None) -> tuple[str, str]:
    """The same, cached by the file's stamp: reading all files takes 50 ms."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            text = stream.read(1 << 16)
    except OSError:
        text = ""
    result = heading.heading(text)
    title = heading.title(text) or Path(path).stem
    return title, "" if result is None else result.genre


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return MOST_BYTES


def application(files: Sequence[Path] = (), *, hosts: Hosts = HERE, lanes: Mapping[str, Limits] | None = None,
                shared: SharedGames | None = None, warm: bool = False) -> Starlette:
    """The page's application for the bundled games and some further files; requests to hosts outside of `hosts` are
    refused.

    Shared games are stored in `shared`, in memory if that is not given. With `warm` the searches are compiled in the
    background from the start. `end_streams` of its state ends the event streams.
    """
    games = catalogue(files)
    usual = next(iter(games)) if files else min(games, key=lambda name: _size(games[name]))  # short rules
    pool = Pool(lanes or limits(2))
    kept = shared or SharedGames()
    sharing = Sharing(kept, pool, games)
    warming = asyncio.Event()
    if not warm:
        warming.set()

    async def listed(request: Request) -> Response:
        from dslgame.web.thinking import players

        own = len(games) - len(bundled.names())
        shown = [(name, *title_and_genre(path)) for name, path in games.items()]
        return JSONResponse({
            "games": [{"name": name, "title": title, "genre": genre or bundled.OTHER, "own": number < own}
                      for number, (name, title, genre) in enumerate(shown)],
            "players": players(),
            "words": page_words(),
            "ready": warming.is_set(),
        })

    async def ready(request: Request) -> Response:
        return JSONResponse({"ready": warming.is_set()})

    async def saved(request: Request) -> Response:
        path = games.get(request.path_params["name"])
        return JSONResponse({"saved": None if path is None else when_saved(path)})

    async def explaining(request: Request) -> Response:
        from dslgame.web.writing import explained

        return JSONResponse(explained(request.path_params["code"]))

    async def make_ready() -> None:
        try:
            await pool.warm_up()
        finally:
            warming.set()

    def asking(do: str) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            work = pool.ask(job(do, await body_of(request), games))
            status, answer = await (while_wanted(request, work) if do in THINKING else work)
            return Response(answer, status, media_type="application/json")

        return answering(endpoint)

    async def analyse(request: Request) -> Response:
        return await analysed(pool, games, read(Valuing, await body_of(request)))

    async def viewer(request: Request) -> Response:
        return FileResponse(VIEWER / request.url.path.rpartition("/")[2])

    async def page(request: Request) -> Response:
        return HTMLResponse(index(usual))

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await pool.start()
        task = asyncio.create_task(make_ready()) if warm else None
        try:
            yield
        finally:
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            sharing.end()
            await pool.end()
            kept.close()

    # Single answers are compressed; the parts of streams must be sent at once, and answers about shared games are
    # small.
    small = [Middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=4)]
    routes = [
        Route("/", page, middleware=small),
        Route("/api/games", listed, middleware=small),
        Route("/api/ready", ready),
        Route("/api/saved/{name:path}", saved),
        Route("/api/explain/{code}", answering(explaining)),
        Route("/api/analyse", answering(analyse), methods=["POST"]),
        *(Route(f"/api/{do}", asking(do), methods=["POST"], middleware=small) for do in ASKED if do != "analyse"),
        *sharing.routes(),
        *(Route(f"/tree/{name}", viewer) for name in ("viewer.html", "viewer.css", "viewer.js")),
        Route("/page/{name}", PageFiles().answer),
    ]
    app = Starlette(routes=routes, lifespan=life, middleware=[
        Middleware(HostCheck, hosts=hosts), Middleware(_Headers),
    ])
    app.state.end_streams = sharing.end
    return app


class _Headers:
    """Middleware that adds the security headers to every answer, so that nothing is loaded from elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS.items()]
            await send(message)

        await self.app(scope, receive, sending)


# ---- running it


def serve(listening: socket.socket, files: Sequence[Path], hosts: Hosts, workers: int, shared: SharedGames) -> None:
    """Serve the page on a socket until the process is interrupted."""
    app = application(files, hosts=hosts, lanes=limits(workers), shared=shared, warm=True)
    serving.run(app, listening, ending=app.state.end_streams)
