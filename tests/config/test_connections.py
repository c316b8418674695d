"""Silent or slow connections do not block the site; through real sockets of bin/serve."""

from __future__ import annotations

import contextlib
import http.client
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from config import web
from tests.site.serving import PATIENCE, ServeProcess

IDLE, DRIBBLING = 300, 50
MAX_CONNECTIONS = 10  # connections of a server in this process
PAGE = "/accounts/login/"
HEAD = b"GET /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 500
BODY = b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n"
LONG = b"GET /long HTTP/1.1\r\n\r\n"  # answered with more than the sockets' buffers hold


@pytest.fixture(scope="module", autouse=True)
def files_enough() -> Iterator[None]:
    """Let this process hold as many connections as the tests open."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    web.connection_limit(4 * (IDLE + DRIBBLING))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def port(standing: ServeProcess) -> int:
    """Return the port of bin/serve."""
    return standing.port


class CountingServer(web.Server):
    """A server with few connections that counts them.

    It answers with the length of the body that it read.
    """

    def __init__(self) -> None:
        super().__init__(echo, web.listening_at("127.0.0.1", 0), MAX_CONNECTIONS)
        self.let_in = 0

    def handle_accept(self) -> None:
        super().handle_accept()
        self.let_in += 1

    def connected(self) -> socket.socket:
        """Return a new connection to it."""
        return socket.create_connection(("127.0.0.1", int(self.effective_port)), PATIENCE)


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [])
    if environ["PATH_INFO"] == "/long":
        return [b"x" * 8_000_000]
    return [str(len(environ["wsgi.input"].read())).encode()]


@pytest.fixture
def server() -> Iterator[CountingServer]:
    """Run a server in this process."""
    counting_server = CountingServer()
    thread = threading.Thread(target=counting_server.run)
    thread.start()
    yield counting_server
    counting_server.end()
    thread.join()
    for channel in list(counting_server.active_channels.values()):
        channel.handle_close()
    counting_server.close()


class Crowd:
    """Connections that are held open.

    Every second slow one sends its headers slowly, the others a body.
    """

    def __init__(self, port: int, idle: int, dribbling: int) -> None:
        self.idle = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(idle)]
        self.slow = [
            socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(dribbling)
        ]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._dribble)

    def __enter__(self) -> Crowd:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()
        for connection in (*self.idle, *self.slow):
            connection.close()

    def _dribble(self) -> None:
        for connection in self.slow[1::2]:
            connection.sendall(BODY)
        for at in range(1000):
            for connection in self.slow:
                with contextlib.suppress(OSError):  # it was disconnected
                    connection.send(HEAD[at % len(HEAD) :][:1])
            if self._over.wait(0.1):
                return


def page(port: int) -> float:
    """Request a page over a new connection; return the seconds it took."""
    began = time.monotonic()
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    asking.request("GET", PAGE)
    assert asking.getresponse().status == 200
    asking.close()
    return time.monotonic() - began


def is_closed(connection: socket.socket) -> bool:
    """Return whether the other side has closed it."""
    patience = connection.gettimeout()
    connection.settimeout(0)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        connection.settimeout(patience)


def test_page_is_served_beside_idle_and_slow_connections(port: int) -> None:
    alone = min(page(port) for _ in range(3))
    with Crowd(port, IDLE, DRIBBLING):
        assert min(page(port) for _ in range(3)) < max(1.0, 5 * alone)


def test_connection_is_kept_alive(port: int) -> None:
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    asking.request("GET", PAGE)
    asking.getresponse().read()
    used = asking.sock
    for _ in range(5):
        asking.request("GET", PAGE)
        assert asking.getresponse().read()
        assert asking.sock is used
    asking.close()


def test_excess_connections_replace_each_other(
    server: CountingServer,
) -> None:
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(server.connected()) for _ in range(2 * MAX_CONNECTIONS)]
        wait_until(lambda: server.let_in == len(crowd))
        assert len(server.active_channels) <= MAX_CONNECTIONS
        wait_until(lambda: sum(map(is_closed, crowd)) >= MAX_CONNECTIONS)
        assert not is_closed(crowd[-1])


@pytest.mark.parametrize(
    "data", [b"", b"GET / HTT", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1234", LONG]
)
def test_slow_client_is_disconnected(
    server: CountingServer, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("IDLE_SECONDS", "HEAD_WITHIN", "BODY_WITHIN", "SEND_WITHIN"):
        monkeypatch.setattr(web, name, 0.3)
    with server.connected() as connection:
        connection.sendall(data)
        wait_until(
            lambda: server.let_in == 1 and not server.active_channels,
            lambda: connection.send(b"x") if data[:1] == b"P" else 0,
        )


def test_chunked_body_is_read_completely(server: CountingServer) -> None:
    with server.connected() as connection:
        for piece in (b"POST / HT", b"TP/1.1\r\nContent-Len", b"gth: 9\r\n\r\n1234", b"56789"):
            connection.sendall(piece)
            time.sleep(0.02)
        assert body(connection) == b"9"


def test_unfinished_bodies_have_a_memory_limit(
    server: CountingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "UNFINISHED_BODIES", 100_000)
    monkeypatch.setattr(web, "BODY_WITHIN", PATIENCE)
    head = b"POST / HTTP/1.1\r\nContent-Length: 60000\r\n\r\n"
    with contextlib.ExitStack() as stack:
        crowd = []
        for number in range(3):
            crowd.append(stack.enter_context(server.connected()))
            crowd[-1].sendall(head + b"x" * 49_000)
            wait_until(lambda: open_connections(server) >= 49_000 * min(number + 1, 2))  # noqa: B023 called at once
        wait_until(lambda: is_closed(crowd[0]))
        assert not is_closed(crowd[1])
        crowd[2].sendall(b"x" * 11_000)
        assert body(crowd[2]) == b"60000"


def body(connection: socket.socket) -> bytes:
    """Return the whole body of the answer, which may come after its head."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.read()


def open_connections(server: CountingServer) -> int:
    """Return the bytes of incomplete bodies."""
    return sum(channel.unfinished_bytes() for channel in list(server.active_channels.values()))


def test_oversized_body_is_refused_unread(server: CountingServer) -> None:
    with server.connected() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 4000001\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


def wait_until(
    condition: Callable[[], bool], meanwhile: Callable[[], object] = lambda: None
) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        with contextlib.suppress(OSError):
            meanwhile()
        time.sleep(0.05)
