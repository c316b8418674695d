"""bin/serve: the site, its worker and its clock on one machine, started and stopped together.

This process is the supervisor. It updates the database and the static files, loads the site, and
forks the web and worker processes (config/children.py). Then it prints the site's address and
waits. A child that dies is restarted. Ctrl-C, TERM and a closed terminal stop everything.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import gc
import http.client
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from config.log_files import log_rotate, open_log

if TYPE_CHECKING:
    from config.children import Children

ROOT = Path(__file__).resolve().parent.parent
LOCALHOST = "127.0.0.1"
ALL_INTERFACES = "0.0.0.0"  # noqa: S104 only where --lan asks for it
STARTS_WITHIN = 60.0  # seconds
MIN_DISK_BYTES = 1_000_000  # free bytes below which the disk counts as full
LOG_TAIL_LINES = 15  # lines of the log shown if a start fails


class StartError(Exception):
    """The site cannot start, as the text explains."""


def main(arguments: Sequence[str]) -> int:
    """Run bin/serve with these arguments, and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="bin/serve", description="Serve Blind Jump from this machine."
    )
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument(
        "--lan", action="store_true", help="also accept phones and laptops in your network"
    )
    options = parser.parse_args(arguments)
    began = time.monotonic()
    gc.disable()  # until all is loaded: none of it is garbage
    try:
        return serve(options.port, lan_address() if options.lan else "", began)
    except StartError as error:
        say(f"bin/serve: {error}")
        return 1
    except KeyboardInterrupt:  # before there was anything to stop
        say("\nInterrupted.")
        return 130


def serve(port: int, lan: str, began: float) -> int:
    """Serve until asked to end; return 0.

    Raises:
        StartError: The site cannot start.
    """
    settle_environment(f"http://{lan or LOCALHOST}:{port}", lan)
    import django

    with start_errors_reported():
        django.setup()
    from django.conf import settings

    from config import web, worker
    from config.children import Children

    var = Path(settings.VAR_DIR)
    with contextlib.ExitStack() as opened:
        with start_errors_reported():
            guard = opened.enter_context((var / "serve.lock").open("w"))
        take_serve_lock(guard, var)
        listening = opened.enter_context(listening_at(ALL_INTERFACES if lan else LOCALHOST, port))
        path = var / "log" / "serve.log"
        with start_errors_reported():
            link = prepare(var)
            log = opened.enter_context(open_log(path))
        application = web.load_site()

        def released() -> None:
            listening.close()
            guard.close()

        def web_process(part: int) -> int:
            guard.close()
            return web.serve(application, listening, part)

        children = Children(log, lambda line: tell(line, log), lambda: rotate_log(path))
        try:
            web.start(children, web_process, web.PROCESSES)
            await_health(children, port, host_to_ask(settings.ALLOWED_HOSTS), path)
            # The workers start last: on a small machine the web processes would wait for them.
            worker.start(children, released)
            if not children.ending:
                say(welcome_text(settings.SITE_URL, link, var, time.monotonic() - began))
            children.watch()
        finally:
            children.end()
    say("Stopped. All data is kept; start bin/serve again to continue.")
    return 0


def settle_environment(address: str, lan: str) -> None:
    """Set environment variables for this process and its children, unless the operator has set
    them.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SITE_URL", address)
    names = ["localhost", LOCALHOST]
    if lan:
        names += [lan, socket.gethostname(), f"{socket.gethostname()}.local"]
    os.environ.setdefault("ALLOWED_HOSTS", ",".join(names))
    os.environ["STATIC_COLLECTED"] = "1"


def prepare(var: Path) -> str:
    """Update the database and the static files.

    Returns:
        The path of the link for the first account, or an empty string if there is an account.
    """
    from django.conf import settings

    from config import scenarios
    from config.accounts import accounts_exist, first_link
    from config.start import migrate, one_at_a_time
    from config.static import collect

    # Messages are only hints, because the jobs are stored in rows.
    for old_message in (var / "broker").glob("*.*"):
        old_message.unlink(missing_ok=True)
    with one_at_a_time(var / "migrate.lock"):
        migrate()
        scenarios.load(var / "scenarios.json")
    collect(Path(settings.STATIC_ROOT))
    if accounts_exist():
        return ""
    return first_link()


@contextlib.contextmanager
def start_errors_reported() -> Iterator[None]:
    """Turn database and file errors in the block into StartError."""
    from django.db import OperationalError

    try:
        yield
    except (OSError, OperationalError) as error:
        var = Path(os.environ.get("BLINDJUMP_VAR", ROOT / "var"))
        existing = next(folder for folder in (var, *var.parents) if folder.exists())
        reason = str(error)
        if shutil.disk_usage(existing).free < MIN_DISK_BYTES:
            reason += "; there is no room on the disk"
        raise StartError(f"database or files cannot be used ({reason})") from error


def take_serve_lock(guard: IO[str], var: Path) -> None:
    """Take the lock that allows only one bin/serve. Raises StartError if it is taken."""
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StartError(
            f"another bin/serve already uses {var}; set BLINDJUMP_VAR to use another folder"
        ) from None


def listening_at(host: str, port: int) -> socket.socket:
    """Return the socket for browsers. Raises StartError if the port cannot be used."""
    from config.web import listening_at as listening

    try:
        return listening(host, port)
    except (OSError, OverflowError) as error:
        raise StartError(f"port {port} is not free ({error}); try another with --port") from None


def host_to_ask(allowed: Sequence[str]) -> str:
    """Return a host name that the site accepts."""
    host = next((name for name in allowed if name != "*"), LOCALHOST)
    return host.removeprefix(".")


def await_health(children: Children, port: int, host: str, log: Path) -> None:
    """Wait until the site responds.

    Raises:
        StartError: It does not respond within a minute, or a child dies first.
    """
    deadline = time.monotonic() + STARTS_WITHIN
    while not children.ending and not answers(port, host):
        if dead := children.dead_child():
            raise StartError(f"{dead} does not start. The log's last lines:\n{last_lines(log)}")
        if time.monotonic() > deadline:
            raise StartError("the site does not answer")
        children.wait(0.05)


def answers(port: int, host: str) -> bool:
    """Return whether the site reports that it is healthy.

    `http.client` does not look up proxies, which is unsafe before a fork on macOS.
    """
    connection = http.client.HTTPConnection(LOCALHOST, port, timeout=5)
    try:
        connection.request("GET", "/health/web/", headers={"Host": host})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):  # refused, reset, or damaged
        return False
    finally:
        connection.close()


def welcome_text(address: str, link: str, var: Path, seconds: float) -> str:
    """Return the text printed for the operator after a start."""
    first_account = ""
    if link:
        first_account = (
            f"\n  First account  {address}{link}\n"
            "                 works once; the owner of this account runs the server\n"
        )
    return (
        f"\n  Blind Jump     {address}/\n{first_account}"
        f"\n  Data           {var}\n  Log            {var}/log/serve.log\n"
        f"\nStarted in {seconds:.1f} s. Press Ctrl-C to stop."
    )


def lan_address() -> str:
    """Return this machine's address in its network.

    Nothing is sent: connecting a datagram socket only selects the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOCALHOST
        return str(probe.getsockname()[0])


def rotate_log(path: Path) -> None:
    """Rotate the log if it is large. On a full disk it stays as it is until there is room."""
    with contextlib.suppress(OSError):
        log_rotate(path)


def last_lines(path: Path) -> str:
    """Return the end of the log, for an error message."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-LOG_TAIL_LINES:])


def tell(line: str, log: IO[bytes]) -> None:
    """Write a line for the operator to the screen and the log."""
    say(line)
    with contextlib.suppress(OSError):  # a full disk: the screen shows it
        log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n".encode())


def say(words: str) -> None:
    """Print a text; without a terminal any more, print nothing from now on."""
    try:
        print(words, flush=True)
    except OSError:  # the terminal is closed
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 kept to the end of the process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
