"""Serves the page's static files from memory, each compressed once and reloaded when it changes.

The page's HTML names all modules, so that the browser need not wait for one module to discover its imports; those that
the first request needs come first.
"""

from __future__ import annotations

import gzip
import html
import mimetypes
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import attrs
from starlette.requests import Request
from starlette.responses import Response

PAGE = Path(__file__).resolve().parent / "page"
FIRST, ENTRY = "early.js", "main.js"
"""The module that requests the first board, and the one that wires the others together."""
INDEX = "index.html"
SMALL = 500
"""The size in bytes up to which compressing is not worth it."""
_IMPORTED = re.compile(r'^(?:import|export) [^;]*?from "\./([^"]+)"', re.MULTILINE)


@attrs.frozen
class _Kept:
    """A cached file, plain and compressed."""

    stamp: tuple[int, int]
    kind: str
    body: bytes
    packed: bytes | None

    @property
    def tag(self) -> str:
        """The ETag, which changes with the file."""
        return f'"{self.stamp[0]:x}-{self.stamp[1]:x}"'


class PageFiles:
    """Answers requests for the page's files, which it caches."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def answer(self, request: Request) -> Response:
        """Send the file of a request's path; 404 where the page has none of that name."""
        name: str = request.path_params["name"]
        result = self._file(name)
        if result is None:
            return Response("Not Found", 404, media_type="text/plain")
        if request.headers.get("if-none-match") == result.tag:
            return Response(status_code=304, headers={"etag": result.tag})
        return sent(request, result.body, result.packed, result.kind, {"etag": result.tag})

    def _file(self, name: str) -> _Kept | None:
        if name not in names():
            return None
        path = PAGE / name
        status = path.stat()
        stamp = status.st_mtime_ns, status.st_size
        known = self._kept.get(name)
        if known is None or known.stamp != stamp:
            body = path.read_bytes()
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            known = self._kept[name] = _Kept(stamp, kind, body, packed(body))
        return known


@cache
def names() -> frozenset[str]:
    """The names of the files, except the page's HTML, which has an address of its own."""
    return frozenset(path.name for path in PAGE.iterdir()) - {INDEX}


def packed(body: bytes) -> bytes | None:
    """A body compressed with gzip; None where that is not worth it."""
    return gzip.compress(body, 9, mtime=0) if len(body) > SMALL else None


def sent(request: Request, body: bytes, compressed: bytes | None, kind: str, headers: Mapping[str, str]) -> Response:
    """A response with a body, compressed where the browser accepts gzip."""
    if compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(body, media_type=kind, headers=dict(headers))
    return Response(compressed, media_type=kind,
                    headers={**headers, "content-encoding": "gzip", "vary": "accept-encoding"})


def modules(entry: str) -> list[str]:
    """A module and all its direct and indirect imports, each once, in breadth-first order."""
    result = [entry]
    for name in result:
        result += [other for other in _imports(name) if other not in result]
    return result


def _imports(name: str) -> Iterator[str]:
    yield from dict.fromkeys(_IMPORTED.findall((PAGE / name).read_text(encoding="utf-8")))


@cache
def index(usual: str) -> str:
    """The page's HTML; `usual` is the game that is shown where the address names none."""
    first = modules(FIRST)
    others = [name for name in modules(ENTRY) if name not in first and name != ENTRY]
    lines = [*(f'<link rel="modulepreload" href="/page/{name}">' for name in first[1:]),
             f'<script type="module" src="/page/{FIRST}"></script>',
             *(f'<link rel="modulepreload" href="/page/{name}">' for name in others),
             f'<script type="module" src="/page/{ENTRY}"></script>']
    text = (PAGE / INDEX).read_text(encoding="utf-8")
    return text.replace("<!-- modules -->", "\n".join(lines)).replace("<!-- usual -->", html.escape(usual))
