"""Streamed answers: each interim result is sent as soon as it is known, one JSON object per line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from starlette.responses import Response, StreamingResponse

from dslgame.web.pool import Pool
from dslgame.web.request_schema import Refused, Valuing, ended, job_of, next_round


async def analysed(pool: Pool, games: Mapping[str, str], asked: Valuing) -> Response:
    """The streamed answer to an analysis; closing the connection ends it. Raises Refused.

    Between its rounds the worker is free for other jobs.
    """
    parts: asyncio.Queue[bytes | None] = asyncio.Queue()

    last: list[bytes] = []

    def tell(part: bytes) -> None:
        last[:] = [part]
        parts.put_nowait(part)

    async def rounds(asked: Valuing | None) -> tuple[int, bytes]:
        status, answer = 0, b""
        while asked is not None:
            try:
                status, answer = await pool.ask(job_of("analyse", asked, games), tell)
            except Refused as refused:
                if refused.kind != "limit" or not last:
                    raise
                parts.put_nowait(ended(last[0]))  # what was found before the time was over
                return 200, last[0]
            asked = next_round(asked, answer) if status == 200 else None
        return status, answer

    work = asyncio.create_task(rounds(asked))
    work.add_done_callback(lambda done: _ended(done, parts))
    first = await parts.get()
    if first is None:  # it was refused
        status, answer = await work
        return Response(answer, status, media_type="application/json")
    return StreamingResponse(_lines(first, parts, work), media_type="application/x-ndjson")


async def _lines(first: bytes, parts: asyncio.Queue[bytes | None], work: asyncio.Task[tuple[int, bytes]],
                 ) -> AsyncIterator[bytes]:
    try:
        part: bytes | None = first
        while part is not None:
            yield part + b"\n"
            part = await parts.get()
        try:
            status, answer = await work
        except Refused as refused:
            status, answer = refused.status, refused.encoded()
        if status != 200:  # a successful answer was already sent as a part
            yield answer + b"\n"
    finally:
        work.cancel()  # not awaited: a cancellation here would be passed on and kill its worker


def _ended(work: asyncio.Task[tuple[int, bytes]], parts: asyncio.Queue[bytes | None]) -> None:
    parts.put_nowait(None)
    if not work.cancelled():
        work.exception()  # retrieved, so that asyncio does not report it as never retrieved
