"""The HTTP server: which hosts it answers, time limits for receiving requests, and limits of waiting connections.

Both servers, the page's and the one that hosts players, are run by `run`. Uvicorn has no time limit for receiving a
request, so that incomplete requests would hold their connections for ever: `guarded` adds limits to its protocol.
`HostCheck` refuses requests that name another host than the server's own: pages of other sites send them after their
name was made to resolve to this machine ("DNS rebinding").
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, Literal

import attrs
import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HEAD_SECONDS = 10.0
"""The time limit for a request's head, from the connection or from the first byte after another request."""
BODY_SECONDS = 30.0
"""The time limit for a request's body, from the end of its head."""
IDLE_SECONDS = 30
"""The time limit for another request on the same connection."""
CONNECTIONS = 2_000
READING_SECONDS = 30.0
"""The time limit for a client to read what was sent to it."""
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.%]+\]|[^\[\]:/@\s]+)(?::(?P<port>[0-9]{1,5}))?")


# ---- hosts


@attrs.frozen
class Hosts:
    """The hosts that are answered, as named in the Host header of a request."""

    names: frozenset[str]
    """In lower case, IPv6 addresses in brackets. One with a port is answered at that port only."""
    port: int | None = None
    """The server's own port, which names without a port require; None to accept any."""
    addresses: bool = False
    """Whether any IP address is answered, for a server that is reachable at addresses that it does not know."""

    @classmethod
    def of(cls, host: str, listening: socket.socket, more: Iterable[str] = ()) -> Hosts:
        """The hosts of a server that listens at `host`: that one, this machine's names, and `more`."""
        bound, port = listening.getsockname()[:2]
        address = ipaddress.ip_address(bound.partition("%")[0])
        names = {"localhost", "127.0.0.1", "[::1]", written(host), written(bound)}
        if not address.is_loopback:
            own = socket.gethostname()
            names |= {written(own), written(own.partition(".")[0]) + ".local"}
        return cls(frozenset(names | {written(name) for name in more}), port, address.is_unspecified)

    def accepts(self, header: str) -> bool:
        """Whether a Host header names one of the hosts."""
        match = _HOST.fullmatch(header.strip().lower())
        if match is None:
            return False
        name, port = match["name"].rstrip("."), int(match["port"] or 80)
        if f"{name}:{port}" in self.names:
            return True
        known = name in self.names or (self.addresses and _is_address(name))
        return known and (self.port is None or port == self.port)


def written(host: str) -> str:
    """A host as it is written in headers and addresses, an IPv6 address in brackets."""
    host = host.strip().lower().rstrip(".")
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    with suppress(ValueError):
        ipaddress.ip_address(name.strip("[]").partition("%")[0])
        return True
    return False


HERE = Hosts(frozenset({"localhost", "127.0.0.1", "testserver"}))
"""This machine at any port, and the name that Starlette's test client uses."""


class HostCheck:
    """Middleware that refuses requests that name no host, several, or one that is not the server's."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if len(named) != 1 or not self.hosts.accepts(named[0]):
                from starlette.responses import PlainTextResponse

                text = "This host is not answered. Whoever runs the server can allow it: --allow-host NAME\n"
                await PlainTextResponse(text, 400)(scope, receive, send)
                return
        await self.app(scope, receive, send)


# ---- connections


Phase = Literal["head", "body", "idle", "busy"]
"""What a connection waits for: the rest of a request's head, the rest of its body, another request, or the server."""


@attrs.frozen
class Bounds:
    """The limits of waiting connections: their number, and their time in seconds."""

    head: float = HEAD_SECONDS
    body: float = BODY_SECONDS
    reading: float = READING_SECONDS
    for_one: int = 100
    """The most connections of one address with an incomplete request; beyond that the oldest is closed."""
    for_all: int = 400
    """The same for all addresses together; the oldest of the address with the most connections is closed."""
    idle: int = 500
    """The most idle connections that are kept open; beyond that the oldest is closed."""


class _Waiting:
    """The connections that wait for their clients, oldest first."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._unfinished: dict[str, dict[_Guarded, None]] = {}
        self._idle: dict[_Guarded, None] = {}

    def put(self, connection: _Guarded, phase: Phase) -> None:
        """Register what a connection waits for, and close the oldest ones where too many wait."""
        self.drop(connection)
        if phase == "idle":
            self._idle[connection] = None
            if len(self._idle) > self.bounds.idle:
                next(iter(self._idle)).end()
        elif phase != "busy":
            own = self._unfinished.setdefault(connection.address, {})
            own[connection] = None
            if len(own) > self.bounds.for_one:
                next(iter(own)).end()
            elif sum(len(each) for each in self._unfinished.values()) > self.bounds.for_all:
                most = max(self._unfinished, key=lambda address: len(self._unfinished[address]))
                next(iter(self._unfinished[most])).end()

    def drop(self, connection: _Guarded) -> None:
        """Remove a connection."""
        self._idle.pop(connection, None)
        own = self._unfinished.get(connection.address)
        if own is not None:
            own.pop(connection, None)
            if not own:
                del self._unfinished[connection.address]


class _Guarded(H11Protocol):
    """Uvicorn's HTTP protocol, with time limits for its client."""

    bounds: ClassVar[Bounds]
    waiting: ClassVar[_Waiting]
    address = ""
    """The client's address."""
    _phase: Phase = "busy"
    _answered = False
    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in Uvicorn
        """Start to watch a new connection."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._look()

    def data_received(self, data: bytes) -> None:
        """Update the phase after data was received."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Update the phase after an answer was sent."""
        self._answered = True
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers of a lost connection."""
        self._enter("busy")
        self._stop_reading_timer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timer for a client that does not read what was sent."""
        super().pause_writing()
        self._reading = self.loop.call_later(self.bounds.reading, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timer, as the client reads again."""
        self._stop_reading_timer()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; abort it later if the client has not read the last answer by then."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(self.bounds.reading, self.transport.abort)

    def end(self) -> None:
        """Abort the connection at once."""
        self._enter("busy")
        self.transport.abort()

    def _look(self) -> None:
        """Find out what the connection waits for, and enter that phase."""
        state, (trailing, _) = self.conn.their_state, self.conn.trailing_data
        if self.transport.is_closing() or state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED, h11.ERROR):
            self._enter("busy")
        elif state is h11.SEND_BODY:
            self._enter("body")
        elif state is h11.IDLE:
            self._enter("idle" if self._answered and not trailing else "head")
        else:
            self._enter("busy")

    def _enter(self, phase: Phase) -> None:
        if phase == self._phase:  # sending byte by byte must not extend the time limit
            return
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seconds = {"head": self.bounds.head, "body": self.bounds.body}.get(phase)
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._late)
        if phase == "busy":
            self.waiting.drop(self)
        else:
            self.waiting.put(self, phase)

    def _late(self) -> None:
        """Handle a request that did not arrive in time: answer 408 where no answer has begun, and close the
        connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()
            self.loop.call_later(1, self.transport.abort)
        else:
            self.transport.abort()

    def _stop_reading_timer(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def guarded(bounds: Bounds | None = None) -> type[asyncio.Protocol]:
    """Uvicorn's protocol with bounds, as a class of its own for the connections of one server."""
    bounds = bounds or Bounds()

    class Guarded(_Guarded):
        """The connections of one server."""

    Guarded.bounds, Guarded.waiting = bounds, _Waiting(bounds)
    return Guarded


# ---- running


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError where the port is in use or the host is not this machine's.

    The protocol is given explicitly, as asyncio sends without delay (TCP_NODELAY) only then. Otherwise the body of an
    answer waits some 40 ms until the other side has confirmed the head.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(512)
    except BaseException:
        listening.close()
        raise
    return listening


class _Server(uvicorn.Server):
    """Uvicorn's server with a callback at its shutdown, which endless answers would otherwise delay."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None] | None) -> None:
        super().__init__(config)
        self.ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Call `ending`, then shut down."""
        if self.ending is not None:
            self.ending()
        await super().shutdown(sockets)


def server(app: Callable[..., object], bounds: Bounds | None = None,
           ending: Callable[[], None] | None = None) -> uvicorn.Server:
    """A server of an application; requests beyond `CONNECTIONS` get status 503.

    `ending` is called at the shutdown, to end answers that would go on for ever.
    """
    return _Server(uvicorn.Config(
        app, http=guarded(bounds), ws="none", log_level="warning", access_log=False, server_header=False,
        proxy_headers=False, timeout_graceful_shutdown=2, timeout_keep_alive=IDLE_SECONDS,
        limit_concurrency=CONNECTIONS), ending)


def run(app: Callable[..., object], listening: socket.socket, ending: Callable[[], None] | None = None) -> None:
    """Serve an application on a socket until the process is interrupted; see `server` for `ending`."""
    _allow_files(2 * CONNECTIONS)
    with suppress(KeyboardInterrupt):
        server(app, ending=ending).run(sockets=[listening])


def _allow_files(count: int) -> None:
    """Raise the process's limit of open files to `count`, as far as the system allows it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = count if most == resource.RLIM_INFINITY else min(count, most)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
