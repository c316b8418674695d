"""bin/serve with real processes, as its operator meets it: started, read, asked to end, and looked
into.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180.0  # seconds; what many tests at once on a small machine may need
CHILDREN = 4  # two web processes and two of the worker


class Served:
    """One bin/serve on a port of its own."""

    def __init__(
        self,
        var: Path,
        *,
        terminal: bool = False,
        port: int = 0,
        before: Callable[[], None] | None = None,
    ) -> None:
        self.var = var
        self.port = port or free_port()
        environment = {name: value for name, value in os.environ.items() if name not in KEPT_OUT}
        environment |= {"BLINDJUMP_VAR": str(var), "PYTHONUNBUFFERED": "1"}
        self.screen, output = os.openpty() if terminal else os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.serve", "--port", str(self.port)],
            cwd=ROOT,
            env=environment,
            stdin=output if terminal else subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=own_terminal if terminal else before,  # noqa: PLW1509 nothing else runs in this process
        )
        os.close(output)
        self.family: list[int] = []
        self.said = ""

    def begun(self) -> Served:
        """Wait for the screen; remember the children that live."""
        self.read(lambda: "Press Ctrl-C to stop" in self.said)
        assert "Press Ctrl-C to stop" in self.said, self.said
        deadline = time.monotonic() + PATIENCE
        self.family = []
        while len(self.family) < CHILDREN:
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)
            self.family = [pid for pid in descendants(self.process.pid) if alive(pid)]
        return self

    def read(self, enough: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not enough():
            assert time.monotonic() < deadline, self.said
            if not select.select([self.screen], [], [], 1.0)[0]:
                continue
            if not (some := os.read(self.screen, 10_000)):
                return
            self.said += some.decode()

    def ended(self) -> int:
        """Wait until it and all of its children are gone; its exit status."""
        status = self.process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while left := [pid for pid in self.family if alive(pid)]:
            assert time.monotonic() < deadline, left
            time.sleep(0.1)
        return status

    def close(self) -> None:
        for pid in [self.process.pid, *self.family]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(PATIENCE)


KEPT_OUT = ("DATABASE_URL", "CELERY_BROKER_URL", "ALLOWED_HOSTS", "SECRET_KEY", "SITE_URL")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def deaf_to_interrupts() -> None:
    """As a shell starts what it puts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def processes() -> dict[int, tuple[int, str]]:
    """Every process: its parent and its state."""
    told = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split() for line in told.splitlines())
    return {int(pid): (int(parent), state) for pid, parent, state in rows}


def descendants(pid: int) -> list[int]:
    known = processes()
    found = [one for one, (parent, _) in known.items() if parent == pid]
    return found + [further for one in found for further in descendants(one)]


def alive(pid: int) -> bool:
    _, state = processes().get(pid, (0, "Z"))
    return not state.startswith("Z")
