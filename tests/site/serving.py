"""bin/serve with real processes, as an operator sees it: started, read, stopped, inspected."""

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
PATIENCE = 180.0  # seconds; enough for many tests at once on a small machine
CHILDREN = 4  # two web processes and two of the worker


class ServeProcess:
    """A bin/serve on its own port."""

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
        environment = {
            name: value for name, value in os.environ.items() if name not in REMOVED_VARIABLES
        }
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
            preexec_fn=take_terminal if terminal else before,  # noqa: PLW1509 nothing else runs in this process
        )
        os.close(output)
        self.family: list[int] = []
        self.output = ""

    def wait_until_ready(self) -> ServeProcess:
        """Wait for its output, and remember its child processes."""
        self.read_until(lambda: "Press Ctrl-C to stop" in self.output)
        assert "Press Ctrl-C to stop" in self.output, self.output
        deadline = time.monotonic() + PATIENCE
        self.family = []
        while len(self.family) < CHILDREN:
            assert time.monotonic() < deadline, self.output
            time.sleep(0.1)
            self.family = [pid for pid in descendants(self.process.pid) if alive(pid)]
        return self

    def read_until(self, enough: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not enough():
            assert time.monotonic() < deadline, self.output
            if not select.select([self.screen], [], [], 1.0)[0]:
                continue
            if not (some := os.read(self.screen, 10_000)):
                return
            self.output += some.decode()

    def wait_until_ended(self) -> int:
        """Wait until it and all of its children are gone; return its exit status."""
        status = self.process.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while alive_pids := [pid for pid in self.family if alive(pid)]:
            assert time.monotonic() < deadline, alive_pids
            time.sleep(0.1)
        return status

    def close(self) -> None:
        for pid in [self.process.pid, *self.family]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(PATIENCE)


REMOVED_VARIABLES = ("DATABASE_URL", "CELERY_BROKER_URL", "ALLOWED_HOSTS", "SECRET_KEY", "SITE_URL")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def ignore_interrupts() -> None:
    """Ignore interrupts, like a process that a shell puts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def processes() -> dict[int, tuple[int, str]]:
    """Return every process with its parent and state."""
    listing = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split() for line in listing.splitlines())
    return {int(pid): (int(parent), state) for pid, parent, state in rows}


def descendants(pid: int) -> list[int]:
    parents = processes()
    children = [child for child, (parent, _) in parents.items() if parent == pid]
    return children + [further for child in children for further in descendants(child)]


def alive(pid: int) -> bool:
    _, state = processes().get(pid, (0, "Z"))
    return not state.startswith("Z")
