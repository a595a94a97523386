"""Request handling that the page's endpoints share: limits of bodies, and refusals as JSON answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from dslgame.web.request_schema import MOST_BYTES, Refused

DoneT = TypeVar("DoneT")
Endpoint = Callable[[Request], Awaitable[Response]]


def answering(endpoint: Endpoint) -> Endpoint:
    """Wrap an endpoint so that refusals become JSON answers, and disconnected clients get status 499."""
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return JSONResponse(refused.plain(), refused.status)
        except ClientDisconnect:
            return Response(status_code=499)

    return answered


async def body_of(request: Request) -> bytes:
    """Read the body of a request. Raises Refused where its content type is not JSON, or as soon as it is too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # browsers do not let other sites' pages send this
        raise Refused(415, "request", "the request is no JSON, expected the content type application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refused(413, "request", f"the request is larger than {MOST_BYTES // 1024} KiB")
    return bytes(body)


async def while_wanted(request: Request, work: Awaitable[DoneT]) -> DoneT:
    """Await long work, and cancel it when the client disconnects. Raises ClientDisconnect then."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return await task
    finally:
        for item in (task, gone):
            item.cancel()
            with suppress(asyncio.CancelledError, Refused):
                await item


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
