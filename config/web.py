"""The web server: waitress in several processes on one listening socket.

A connection uses only a file descriptor until a complete request has arrived: one loop reads all
connections, and threads receive only complete requests. Reading and writing requests have separate
threads, so that writers waiting for the database never delay readers. Clients that are idle, or
send or receive too slowly, are disconnected. When a process reaches its connection limit, the
connection that has been idle longest is closed.

`python -m config.web HOST:PORT PROCESSES` runs only the web server; bin/serve starts the same
processes.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from types import FrameType
from typing import Any

import structlog
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from config.children import Children, end_with_pipe

PROCESSES = 2  # of bin/serve
READERS, WRITERS = 8, 4  # threads per process
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CONNECTIONS = 1000  # per process, if it may open as many files
OTHER_FILES = 150  # files a process needs besides its connections
LARGEST_HEAD = 32_768  # bytes of a request line and headers
LARGEST_BODY = 4_000_000  # bytes of a request body; pages and API have smaller limits of their own
UNFINISHED_BODIES = 64_000_000  # bytes per process
# Time limits in seconds.
IDLE_SECONDS = 15.0  # for a connection without a request
HEAD_WITHIN = 10.0  # from the first byte of a request to the end of its headers
BODY_WITHIN = 30.0  # from the first byte of a request to its last
SEND_WITHIN = 120.0  # from the end of the response's generation to its last byte sent
ENDS_WITHIN = 5.0  # for requests in progress at shutdown

log = structlog.get_logger(__name__)
Application = Callable[..., Any]


class RedactingLogger:
    """A replacement for waitress's logger, whose lines contain page and client addresses.

    It logs where a failure happened, but not what was requested.
    """

    def exception(self, _line: str, *_args: Any, **_options: Any) -> None:
        log.exception("connection-failed")

    def log(self, level: int, _line: str, *_args: Any, **_options: Any) -> None:
        if sys.exc_info()[0] is not None:
            log.log(level, "connection-failed", exc_info=True)

    def info(self, _line: str, *_args: Any, **_options: Any) -> None:
        """Log nothing: the client disconnected before the response."""

    warning = info


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that records since when the server has been waiting for the client."""

    logger = RedactingLogger()

    def __init__(self, *args: Any, **options: Any) -> None:
        self.since = time.monotonic()  # start of the request, the idle time, or the sending
        super().__init__(*args, **options)

    def received(self, data: bytes) -> bool:
        before = self.request
        result: bool = super().received(data)
        if self.request is None or self.request is not before:
            self.since = time.monotonic()
        return result

    def service(self) -> None:
        super().service()
        self.since = time.monotonic()

    def readable(self) -> bool:
        return bool(self.connected and super().readable())

    def is_too_slow(self, now: float) -> bool:
        """Return whether the client has exceeded its time limit."""
        if self.requests:
            return False  # the client is waiting for the server
        if self.total_outbufs_len:
            limit = SEND_WITHIN
        elif self.request is None:
            limit = IDLE_SECONDS
        elif self.request.headers_finished:
            limit = BODY_WITHIN
        else:
            limit = HEAD_WITHIN
        return now - self.since > limit

    def unfinished_bytes(self) -> int:
        """Return the bytes received of an incomplete request body."""
        return self.request.body_bytes_received if self.request is not None else 0


class ThreadPools:
    """Separate thread pools for requests that read and requests that write."""

    def __init__(self, readers: int, writers: int) -> None:
        self.reading, self.writing = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        self.reading.set_thread_count(readers)
        self.writing.set_thread_count(writers)

    def add_task(self, channel: Channel) -> None:
        # A request too damaged to have a method is refused at once, by any thread.
        method = getattr(channel.requests[0], "command", "GET")
        pool = self.reading if method.upper() in SAFE_METHODS else self.writing
        pool.add_task(channel)

    def shutdown(self) -> None:
        """Let every thread end when it has nothing to do."""
        self.reading.set_thread_count(0)
        self.writing.set_thread_count(0)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """The server of one process, on a socket that is already listening."""

    channel_class = Channel
    logger = RedactingLogger()

    def __init__(
        self, application: Application, listening: socket.socket, connections: int
    ) -> None:
        self.max_connections = connections
        self.ending = False
        super().__init__(
            application,
            _sock=listening,
            dispatcher=ThreadPools(READERS, WRITERS),
            adj=adjustments(listening),
            bind_socket=False,
            sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        )

    def run(self) -> None:
        """Serve until `end` is called, then finish the requests in progress."""
        self._run_until(lambda: self.ending)
        self.accepting = False
        deadline = time.monotonic() + ENDS_WITHIN
        self._run_until(lambda: not self._is_busy() or time.monotonic() > deadline)
        self.task_dispatcher.shutdown()

    def end(self) -> None:
        """Ask the server to end. Safe to call from a signal handler."""
        self.ending = True
        self.pull_trigger()

    def handle_accept(self) -> None:
        if len(self.active_channels) >= self.max_connections:
            self._make_room()
        super().handle_accept()

    def maintenance(self, _now: float) -> None:
        """Disconnect clients that are too slow.

        If incomplete bodies use too much memory, also disconnect the slowest of their senders.
        """
        now = time.monotonic()
        for channel in list(self.active_channels.values()):  # a closed one leaves the mapping
            if channel.is_too_slow(now):
                channel.handle_close()
        channels = sorted(self.active_channels.values(), key=attrgetter("since"))
        total_bytes = sum(channel.unfinished_bytes() for channel in channels)
        for channel in channels:
            if total_bytes <= UNFINISHED_BODIES:
                break
            if channel.unfinished_bytes():
                total_bytes -= channel.unfinished_bytes()
                channel.handle_close()

    def _make_room(self) -> None:
        """Close the connection idle for longest, or else the slowest sender or receiver."""
        # A channel with requests waits for the server, not for its client.
        closable = [channel for channel in self.active_channels.values() if not channel.requests]
        if closable:
            min(closable, key=self._closing_order).handle_close()

    @staticmethod
    def _closing_order(channel: Channel) -> tuple[bool, float]:
        """Return a key that sorts idle connections first, and each kind by how long it waits."""
        is_transferring = channel.request is not None or channel.total_outbufs_len > 0
        return is_transferring, channel.since

    def _is_busy(self) -> bool:
        """Return whether any request is in progress or any response is not sent yet."""
        return any(
            channel.requests or channel.total_outbufs_len
            for channel in self.active_channels.values()
        )

    def _run_until(self, is_over: Callable[[], bool]) -> None:
        """Handle events of the connections until the condition is true."""
        while not is_over():
            wasyncore.loop(timeout=1, use_poll=True, map=self._map, count=1)


def adjustments(listening: socket.socket) -> Adjustments:
    """Return waitress's settings. The site itself interprets proxy headers."""
    return Adjustments(
        sockets=[listening],
        asyncore_use_poll=True,
        cleanup_interval=1,
        connection_limit=10 * CONNECTIONS,  # never reached: `Server` closes idle connections first
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=LARGEST_BODY + 1,  # bodies stay in memory: a full disk does not matter
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,
        ident="",
    )


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address.

    Raises:
        OSError: The address or port cannot be used.
        OverflowError: The port number is out of range.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except BaseException:
        listener.close()
        raise
    return listener


def load_site() -> Application:
    """Return the WSGI application, with pages and API already loaded.

    Must be called once, before forking.
    """
    from django.db import connections
    from django.urls import get_resolver

    from config.wsgi import application

    _ = get_resolver().url_patterns
    connections.close_all()  # a database connection must not be used on both sides of a fork
    gc.collect()
    gc.freeze()  # keeps memory shared after the fork
    gc.enable()
    return application


def stay_connected() -> None:
    """Keep this thread connected to an SQLite database for the life of the process.

    When the last connection closes, SQLite deletes two files that readers need, and on a full disk
    it cannot create them again.
    """
    from django.db import OperationalError, connection

    if connection.vendor == "sqlite":
        try:
            connection.ensure_connection()
        except OperationalError:
            log.warning("database-away", exc_info=True)


def serve(application: Application, listening: socket.socket, part: int) -> int:
    """Serve in this process until it receives TERM.

    Args:
        part: Index of the process, counted from 0.

    Returns:
        The exit status.
    """
    from config.observe import REQUESTS

    REQUESTS.join(part)
    stay_connected()
    server = Server(application, listening, connection_limit(CONNECTIONS))

    def asked_to_end(_number: int, _frame: FrameType | None) -> None:
        server.end()

    signal.signal(signal.SIGTERM, asked_to_end)
    signal.signal(signal.SIGINT, asked_to_end)
    server.run()
    return 0


def connection_limit(connections: int) -> int:
    """Return the number of connections this process may have, at most `connections`.

    Raises the process's limit of open files if needed.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files_needed = connections + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= files_needed:
        return connections
    if hard == resource.RLIM_INFINITY:
        soft = files_needed
    else:
        soft = min(files_needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, soft - OTHER_FILES)


def start(children: Children, process: Callable[[int], int], processes: int) -> None:
    """Start the web processes as children of this one.

    Args:
        process: Serves until TERM; called in each child with its index.
        processes: The number of processes.
    """
    from config.observe import REQUESTS

    REQUESTS.share(processes)
    for part in range(processes):
        children.start(f"web process {part + 1}", partial(process, part))


def main(arguments: Sequence[str]) -> int:
    """Serve until stopped.

    Args:
        arguments: HOST:PORT, the number of processes, and optionally the file descriptor of a
            supervisor's pipe (`end_with_pipe`).
    """
    address, processes, *tether = arguments
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    host, _, port = address.rpartition(":")
    listening = listening_at(host.strip("[]") or "0.0.0.0", int(port))  # noqa: S104 as its operator says
    application = load_site()
    children = Children(report=lambda line: print(line, file=sys.stderr, flush=True))
    try:
        start(children, lambda part: serve(application, listening, part), int(processes))
        if tether:
            end_with_pipe(int(tether[0]))
        children.watch()
    finally:
        children.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
