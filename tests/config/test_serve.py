"""bin/serve with real processes: it serves, and however it ends nothing of it goes on."""

from __future__ import annotations

import fcntl
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds
CHILDREN = 4  # the web server, its two processes, the worker


class Served:
    """One bin/serve on a port of its own."""

    def __init__(
        self, var: Path, *, terminal: bool = False, port: int = 0, before: Callable[[], None] | None = None
    ) -> None:
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
        """Wait for the screen; remember the children."""
        self.read(lambda: "Ctrl-C ends it" in self.said)
        deadline = time.monotonic() + PATIENCE
        while len(self.family) < CHILDREN:
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)
            self.family = descendants(self.process.pid)
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


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was set up and has ended."""
    var = tmp_path_factory.mktemp("serve") / "var"
    served = Served(var)
    try:
        served.begun()
        with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/health/", timeout=PATIENCE) as answer:
            assert answer.status == 200
        link = re.search(rf"http://127\.0\.0\.1:{served.port}(/welcome/\S+)", served.said)
        assert link, served.said
        served.process.terminate()
        assert served.ended() == 0
    finally:
        served.close()
    return var


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    running = Served(copied(prepared, tmp_path))
    try:
        yield running.begun()
    finally:
        running.close()


def copied(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "var"))


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
    told = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in told.splitlines())
    return {int(pid): (int(parent), state) for pid, parent, state in rows}


def descendants(pid: int) -> list[int]:
    known = processes()
    found = [one for one, (parent, _) in known.items() if parent == pid]
    return found + [further for one in found for further in descendants(one)]


def alive(pid: int) -> bool:
    _, state = processes().get(pid, (0, "Z"))
    return not state.startswith("Z")


def test_a_second_start_finds_all_in_place_and_interrupt_ends_it_even_in_the_background(
    prepared: Path, tmp_path: Path
) -> None:
    var = copied(prepared, tmp_path)
    gathered = (var / "static" / ".gathered").stat().st_mtime_ns
    served = Served(var, before=deaf_to_interrupts)
    try:
        served.begun()
        assert (var / "static" / ".gathered").stat().st_mtime_ns == gathered
        with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/metrics", timeout=PATIENCE) as answer:
            measures = answer.read().decode()
        assert "blindjump_job_age_seconds 0.0" in measures
        assert 'blindjump_request_seconds_count{method="GET",route="health/",status="200"}' in measures
        served.process.send_signal(signal.SIGINT)
        assert served.ended() == 0
    finally:
        served.close()


def test_when_the_supervisor_is_killed_its_children_end_themselves(served: Served) -> None:
    served.process.kill()
    assert served.ended() == -signal.SIGKILL


def test_when_a_child_dies_all_of_it_ends_and_says_so(served: Served) -> None:
    worker = next(pid for pid in served.family if not descendants(pid) and served.process.pid == processes()[pid][0])
    os.kill(worker, signal.SIGKILL)
    assert served.ended() == 1
    served.read(lambda: "config.worker has ended" in served.said)


def test_a_closed_terminal_ends_it(prepared: Path, tmp_path: Path) -> None:
    served = Served(copied(prepared, tmp_path), terminal=True)
    try:
        served.begun()
        os.close(served.screen)
        assert served.ended() == 0
    finally:
        served.close()


def test_one_folder_is_served_once_and_a_port_is_used_once(served: Served, prepared: Path, tmp_path: Path) -> None:
    for var, port, complaint in (
        (tmp_path / "var", 0, "it already serves what is in"),
        (tmp_path / "elsewhere", served.port, f"port {served.port} is not free"),
    ):
        second = Served(var, port=port)
        try:
            second.read(lambda: complaint in second.said)  # noqa: B023 called at once
            assert second.process.wait(PATIENCE) == 1
        finally:
            second.close()
