"""The servers' protection: which hosts are answered, and clients that send half a request or read no answer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from dslgame import serving
from dslgame.serving import Bounds, HostCheck, Hosts

REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
PATIENT = 60.0
"""A limit in seconds for anything to happen, even on a busy machine."""
LONG = 3_000.0


# ---- hosts


def hosts_at(host: str, more: Sequence[str] = ()) -> tuple[Hosts, int]:
    """The accepted hosts of a server that listens at an address, and its port."""
    with closing(serving.listen(host, 0)) as listening:
        return Hosts.of(host, listening, more), listening.getsockname()[1]


@pytest.mark.parametrize("bound", ["127.0.0.1", "127.0.0.2", "127.9.8.7", "localhost"])
def test_a_loopback_address_answers_its_own_names_only(bound: str) -> None:
    """A server on any loopback address accepts loopback names at its own port only."""
    hosts, port = hosts_at(bound)
    for name in (bound, "localhost", "127.0.0.1", "LOCALHOST", "localhost.", "[::1]"):
        assert hosts.accepts(f"{name}:{port}"), name
        assert not hosts.accepts(f"{name}:{port % 65535 + 1}"), name
        assert not hosts.accepts(name), "without a port it is port 80"
    for name in ("evil.example", "127.0.0.1.evil.example", "192.0.2.1", "localhost.evil", "", " ", "[", "[]", "@",
                 f"localhost:{port}@evil", f"evil@localhost:{port}", f"127.0.0.1:{port}:{port}", "127.0.0.1:x", ":",
                 socket.gethostname() + ".evil", "\u017focalhost"):
        assert not hosts.accepts(f"{name}:{port}"), name
        assert not hosts.accepts(name), name


def test_an_answer_does_not_wait_until_its_head_is_confirmed() -> None:
    """asyncio disables Nagle's algorithm (TCP_NODELAY) only for sockets that name their protocol."""
    with closing(serving.listen("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_every_address_is_answered_by_its_number_and_this_machines_names() -> None:
    """A server on all addresses accepts any IP address and this machine's names, but not other names."""
    hosts, port = hosts_at("0.0.0.0")
    for name in ("192.0.2.1", "[2001:db8::1]", "127.0.0.1", "localhost", socket.gethostname()):
        assert hosts.accepts(f"{name}:{port}"), name
    assert not hosts.accepts(f"evil.example:{port}")


def test_a_host_can_be_allowed() -> None:
    """An allowed host is accepted at the server's port, or at the port given with it, as for a proxy."""
    hosts, port = hosts_at("127.0.0.1", ["Games.Example", "proxy.example:443"])
    assert hosts.accepts(f"games.example:{port}")
    assert not hosts.accepts("games.example")
    assert hosts.accepts("proxy.example:443")
    assert not hosts.accepts(f"proxy.example:{port}")


def test_a_request_must_name_one_host() -> None:
    """A request with no host, two hosts or a wrong host is refused before the application sees it."""
    async def fine(request: Request) -> Response:
        return PlainTextResponse("fine")

    client = TestClient(HostCheck(Starlette(routes=[Route("/", fine)]), Hosts(frozenset({"here"}), 80)))
    assert client.get("/", headers={"host": "here"}).text == "fine"
    for headers in ([("host", "there")], [("host", "")], [("host", "here"), ("host", "here")]):
        assert client.get("/", headers=headers).status_code == 400
    assert "--allow-host" in client.get("/", headers={"host": "there"}).text


# ---- slow clients


async def _body(request: Request) -> Response:
    if request.method == "POST":
        return PlainTextResponse(str(len(await request.body())))
    return PlainTextResponse("fine")


async def _much(request: Request) -> Response:
    return Response(b"x" * (64 << 20))


@contextmanager
def running(bounds: Bounds) -> Iterator[int]:
    """Run a server in a thread and yield its port."""
    app = Starlette(routes=[Route("/", _body, methods=["GET", "POST"]), Route("/much", _much)])
    listening = serving.listen("127.0.0.1", 0)
    server = serving.server(app, bounds)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENT)
        listening.close()
    assert not thread.is_alive()


def connected(port: int, data: bytes = b"") -> socket.socket:
    """A connection on which data was sent."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENT)
    if data:
        client.sendall(data)
    return client


def answer(client: socket.socket) -> bytes:
    """All data until the server closes the connection."""
    found = b""
    try:
        while part := client.recv(1 << 16):
            found += part
    except ConnectionError:
        pass
    return found


def push(client: socket.socket, data: bytes) -> bool:
    """Send data again and again and return whether the other side closed the connection."""
    end = time.monotonic() + PATIENT
    try:
        while time.monotonic() < end:
            client.sendall(data)
            time.sleep(0.02)
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize("half", [b"", b"G", REQUEST[:-2], REQUEST[:30],
                                  b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf",
                                  b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nha"])
def test_half_a_request_is_waited_for_so_long(half: bytes) -> None:
    """An incomplete request is answered by status 408 when its time is over."""
    with running(Bounds(head=0.2, body=0.2)) as port, closing(connected(port, half)) as client:
        assert answer(client).startswith(b"HTTP/1.1 408 ")


def test_a_client_gains_no_time_byte_by_byte() -> None:
    """The time limit is for the whole head, not for each byte."""
    with running(Bounds(head=0.5)) as port, closing(connected(port)) as client:
        assert push(client, b"x")


def test_a_kept_connection_gets_its_time_anew() -> None:
    """Each further request on a kept connection has the full time."""
    request = REQUEST.replace(b"Connection: close\r\n", b"")
    with running(Bounds(head=LONG, body=LONG)) as port, closing(connected(port)) as client:
        for _ in range(3):
            client.sendall(request)
            found = b""
            while not found.endswith(b"fine"):
                found += client.recv(1000)
        client.sendall(b"POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 4\r\n\r\nha")
        client.sendall(b"lf")
        assert answer(client).endswith(b"4")


@pytest.mark.parametrize("half", [b"", REQUEST[:20], b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf"])
def test_many_half_requests_lock_nobody_out(half: bytes) -> None:
    """Above the limit for one client the oldest incomplete requests are closed, and complete ones are answered."""
    with running(Bounds(head=LONG, body=LONG, for_one=20)) as port, ExitStack() as stack:
        clients = [stack.enter_context(closing(connected(port, half))) for _ in range(120)]
        for _ in range(5):
            with closing(connected(port, REQUEST)) as client:
                assert answer(client).endswith(b"fine")
        answer(clients[0])  # closed by the server; else this would wait for the socket's timeout


def test_idle_connections_give_way() -> None:
    """Above the limit the oldest idle connections are closed, and newer ones stay usable."""
    request = REQUEST.replace(b"Connection: close\r\n", b"")
    with running(Bounds(idle=10)) as port, ExitStack() as stack:
        clients = []
        for _ in range(30):
            client = stack.enter_context(closing(connected(port, request)))
            assert client.recv(1000)
            clients.append(client)
        for client in clients[:15]:
            answer(client)
        clients[-1].sendall(REQUEST)
        assert answer(clients[-1]).endswith(b"fine")


def test_who_does_not_read_is_not_waited_for() -> None:
    """A connection whose client does not read the answer is closed."""
    with running(Bounds(reading=0.2)) as port, closing(connected(port, REQUEST.replace(b"/ ", b"/much ", 1))) as client:
        assert push(client, b"x")
