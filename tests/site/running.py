"""The whole site in separate processes: web server, worker, clock, with a given database and
broker.

It serves on a free local port and ends with the block, or with the tests' process if that is
killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any

from tests.site.people import RUN

ROOT = Path(__file__).resolve().parents[2]
HERE = "127.0.0.1"
STARTS_WITHIN = 60.0  # seconds
ENDS_WITHIN = 15.0
LINES = 40  # lines of the log shown after a failure


@dataclass(frozen=True)
class SiteAnswer:
    """An answer of the site."""

    status: int
    headers: Message  # by name, case-insensitive
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass
class Site:
    """A running site.

    Attributes:
        tokens: API tokens by name.
        sessions: Browser sessions by name.
        registrar: The process that creates people, if there are any.
    """

    address: str
    environment: dict[str, str] = field(repr=False)  # can contain secrets
    log: Path
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    sessions: dict[str, str] = field(default_factory=dict, repr=False)
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)
    registrar: subprocess.Popen[str] | None = None

    def python(self, *arguments: str) -> str:
        """Run a program in the site's environment; return its output."""
        process = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, f"{arguments}: {process.stderr[-3000:]}"
        return process.stdout

    def people(self, *names: str) -> None:
        """Create people with tokens and sessions."""
        for name, (token, session) in self._ask_registrar(*names).items():
            self.tokens[name], self.sessions[name] = token, session

    def run(self, module: str, *arguments: str) -> str:
        """Run a module's `main` in the process that creates people; return its output."""
        printed: str = self._ask_registrar(RUN, module, *arguments)
        return printed

    def _ask_registrar(self, *words: str) -> Any:
        """Return the answer of the process that creates people."""
        if self.registrar is None:
            with self.log.open("ab") as log:
                self.registrar = subprocess.Popen(
                    [sys.executable, "-m", "tests.site.people"],
                    cwd=ROOT,
                    env=self.environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
        assert self.registrar.stdin is not None
        assert self.registrar.stdout is not None
        print(*words, file=self.registrar.stdin, flush=True)
        answer = self.registrar.stdout.readline()
        assert answer, f"nothing is made of {words}\n{self.last_lines()}"
        return json.loads(answer)

    def call(
        self, user_name: str, method: str, path: str, body: Any = None, **headers: str
    ) -> SiteAnswer:
        """Call the API; `path` begins after /api/."""
        request = urllib.request.Request(
            f"{self.address}/api/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Token {self.tokens[user_name]}",
                **({} if body is None else {"Content-Type": "application/json"}),
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return SiteAnswer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as refused:
            return SiteAnswer(refused.code, refused.headers, refused.read())

    def start(self, *arguments: str) -> None:
        """Start a process of the site in its own session."""
        with self.log.open("ab") as log:
            self.children.append(
                subprocess.Popen(
                    [sys.executable, *arguments],
                    cwd=ROOT,
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    pass_fds=[int(self.environment["TEST_TETHER"])],
                )
            )

    def alive(self) -> bool:
        return all(child.poll() is None for child in self.children)

    def last_lines(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-LINES:])

    def end(self) -> None:
        """End every process and wait for it: with SIGTERM first, then by killing it."""
        if self.registrar is not None:
            self.registrar.communicate()
            self.registrar = None
        for child in self.children:
            child.terminate()
        deadline = time.monotonic() + ENDS_WITHIN
        for child in self.children:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(max(0.1, deadline - time.monotonic()))
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


@contextmanager
def run_site(
    folder: Path,
    database: str = "",
    broker: str = "",
    with_own_worker: bool = False,
    collected: bool = False,
    migrated: bool = False,
) -> Iterator[Site]:
    """Yield a migrated site that answers.

    Without a database and a broker it is like `bin/serve`, all in `folder`.

    Args:
        migrated: The database is migrated already.
        beside: Worker and clock are Celery's own programs, as on a server, not the embedded worker.
        collected: Static files are collected first, and served under names with their hashes.
    """
    port = _free_port()
    reading, writing = os.pipe()
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "BLINDJUMP_VAR": str(folder / "var"),
        "DATABASE_URL": database or f"sqlite:///{folder}/site.sqlite3",
        "CELERY_BROKER_URL": broker,
        "ALLOWED_HOSTS": HERE,
        "SITE_URL": f"http://{HERE}:{port}",
        "TEST_TETHER": str(reading),
        **({"STATIC_COLLECTED": "1"} if collected else {}),
    }
    site = Site(f"http://{HERE}:{port}", environment, folder / "site.log")
    try:
        if not migrated:
            site.python("manage.py", "migrate", "--verbosity", "0")
        if with_own_worker:
            site.start("-m", "config.web", f"{HERE}:{port}", "2", str(reading))
            clock = [
                "-B",
                "-s",
                str(folder / "beat"),
                "--pool",
                "prefork",
                "-c",
                "1",
                "-l",
                "WARNING",
            ]
            site.start("-m", "celery", "-A", "config", "worker", *clock)
        else:
            site.start(
                "-m",
                "tests.site.family",
                f"{HERE}:{port}",
                str(reading),
                *(["collected"] if collected else []),
            )
        _await(site, port)
        yield site
        assert site.alive(), f"a process of the site has ended\n{site.last_lines()}"
    finally:
        site.end()
        os.close(writing)
        os.close(reading)


def _await(site: Site, port: int) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while not _answers(port):
        assert site.alive(), f"the site does not start\n{site.last_lines()}"
        assert time.monotonic() < deadline, f"the site does not answer\n{site.last_lines()}"
        time.sleep(0.1)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HERE}:{port}/health/web/", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        port: int = probe.getsockname()[1]
        return port
