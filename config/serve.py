"""bin/serve: the site, its worker and its clock on one machine, begun and ended together.

The supervisor brings the database and the static files up to date, starts two children (web; worker with the clock),
says where the site is, and waits. Ctrl-C, TERM, a closed terminal, the death of a child: all of it ends. Should the
supervisor itself be killed, the children notice by their tether (config/tether.py).
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
HERE = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 only where --lan asks for it
WEB_WORKERS = 2
STARTS_WITHIN = 60.0  # seconds
ENDS_WITHIN = 10.0  # seconds between TERM and KILL
LARGEST_LOG = 5_000_000  # bytes; a longer one is put aside at the start
SHOWN_OF_LOG = 15  # lines, after a crash


class Trouble(Exception):
    """It cannot start, or a part of it died; the text says why."""


class Household:
    """The children and how they end."""

    def __init__(self, log: IO[bytes]) -> None:
        self._log = log
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._reading, self._writing = os.pipe()
        self.ending = threading.Event()
        self.stirred = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked_to_end)
        signal.signal(signal.SIGCHLD, self._child_stirs)

    def start(self, name: str, *arguments: str) -> None:
        """Start a child in a session of its own; it gets the tether as its last argument."""
        self._children[name] = subprocess.Popen(
            [sys.executable, "-m", name, *arguments, str(self._reading)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=(self._reading,),
            start_new_session=True,
        )

    def dead(self) -> str:
        """The name of a child that has ended; empty while all live."""
        return next((name for name, child in self._children.items() if child.poll() is not None), "")

    def watch(self) -> str:
        """Wait until asked to end, or until a child has ended; that child's name."""
        while not self.ending.is_set():
            if name := self.dead():
                return name
            self.stirred.wait()
            self.stirred.clear()
        return ""

    def end(self) -> None:
        """End every child: politely, then not. Being asked again ends the waiting."""
        for child in self._children.values():
            if child.poll() is None:
                child.terminate()
        self.ending.clear()
        deadline = time.monotonic() + ENDS_WITHIN
        while any(child.poll() is None for child in self._children.values()):
            self.stirred.wait(max(0.0, deadline - time.monotonic()))
            self.stirred.clear()
            if self.ending.is_set() or time.monotonic() >= deadline:
                break
        for child in self._children.values():
            try:
                os.killpg(child.pid, signal.SIGKILL)  # and what it may have left behind
            except (ProcessLookupError, PermissionError):
                continue
        for child in self._children.values():
            child.wait()

    def _asked_to_end(self, _number: int, _frame: FrameType | None) -> None:
        self.ending.set()
        self.stirred.set()

    def _child_stirs(self, _number: int, _frame: FrameType | None) -> None:
        self.stirred.set()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/serve", description="Serve Blind Jump from this machine.")
    parser.add_argument("--port", type=int, default=8000, help="another port than 8000")
    parser.add_argument("--lan", action="store_true", help="let phones and laptops of your network in")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        return serve(options.port, lan_address() if options.lan else "", began)
    except Trouble as trouble:
        say(f"bin/serve: {trouble}")
        return 1
    except KeyboardInterrupt:  # before there was anything to end
        say("\nInterrupted.")
        return 130


def serve(port: int, lan: str, began: float) -> int:
    """Serve until asked to end (0) or until a part dies (raises Trouble)."""
    address = f"http://{lan or HERE}:{port}"
    settle_environment(address, lan)
    import django

    django.setup()
    from django.conf import settings

    var = Path(settings.VAR_DIR)
    with (var / "serve.lock").open("w") as guard:
        alone(guard, var)
        port_free(EVERYWHERE if lan else HERE, port)
        link = prepare(var)
        path = var / "log" / "serve.log"
        with log_opened(path) as log:
            household = Household(log)
            try:
                household.start("config.web", f"{EVERYWHERE if lan else HERE}:{port}", str(WEB_WORKERS))
                await_health(household, port, host_to_ask(settings.ALLOWED_HOSTS))
                household.start("config.worker")  # second: on a small machine the two would hold each other up
                if not household.ending.is_set():
                    say(screen(settings.SITE_URL, link, var, time.monotonic() - began))
                if dead := household.watch():
                    raise Trouble(f"{dead} has ended, so all of it ends. The log's last lines:\n{last_lines(path)}")
            finally:
                household.end()
    say("Stopped. Everything is kept; bin/serve goes on where it was.")
    return 0


def settle_environment(address: str, lan: str) -> None:
    """What this process and its children find in the environment, where the operator has said nothing else."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SITE_URL", address)
    names = ["localhost", HERE, *([lan, socket.gethostname(), f"{socket.gethostname()}.local"] if lan else [])]
    os.environ.setdefault("ALLOWED_HOSTS", ",".join(names))
    os.environ["STATIC_COLLECTED"] = "1"
    var = Path(os.environ.get("BLINDJUMP_VAR", ROOT / "var"))
    measures = var / "run" / "measures"
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(measures)
    measures.mkdir(parents=True, exist_ok=True)


def prepare(var: Path) -> str:
    """Bring database and static files up to date; the path of the first account's link, empty where there is one."""
    from django.conf import settings

    from campaign.services.scenarios import scenarios_load
    from config.accounts import accounts_exist, first_link
    from config.start import migrate, one_at_a_time
    from config.static import collect

    for folder in (Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]), var / "broker"):
        for left_over in folder.glob("*.*"):  # messages are only hints: the rows know what there is to do
            left_over.unlink(missing_ok=True)
    with one_at_a_time(var / "migrate.lock"):
        migrate()
        scenarios_load()
    collect(Path(settings.STATIC_ROOT))
    return "" if accounts_exist() else first_link()


def alone(guard: IO[str], var: Path) -> None:
    """Take the lock that one bin/serve holds. Raises Trouble."""
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Trouble(f"it already serves what is in {var}; BLINDJUMP_VAR names another folder") from None


def port_free(host: str, port: int) -> None:
    """Raises Trouble where the port is taken or may not be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise Trouble(f"port {port} is not free ({error}); try another with --port") from None


def host_to_ask(allowed: Sequence[str]) -> str:
    """A name the site answers to."""
    named = next((name for name in allowed if name != "*"), HERE)
    return named.removeprefix(".")


def await_health(household: Household, port: int, host: str) -> None:
    """Wait until the site answers. Raises Trouble where it does not within a minute."""
    deadline = time.monotonic() + STARTS_WITHIN
    while not household.ending.is_set() and not answers(port, host):
        if household.dead():
            return
        if time.monotonic() > deadline:
            raise Trouble("the site does not answer")
        time.sleep(0.05)


def answers(port: int, host: str) -> bool:
    """Whether the site says that it is well."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(f"http://{HERE}:{port}/health/", headers={"Host": host}), timeout=5
        ):
            return True
    except OSError:  # refused, reset, or an error's page
        return False


def screen(address: str, link: str, var: Path, seconds: float) -> str:
    """What the operator reads."""
    first = (
        f"\n  First account  {address}{link}\n                 works once; whoever opens it runs this server\n"
        if link
        else ""
    )
    return (
        f"\n  Blind Jump     {address}/\n{first}"
        f"\n  Kept in        {var}\n  Log            {var}/log/serve.log\n"
        f"\nStarted in {seconds:.1f} s. Ctrl-C ends it."
    )


def lan_address() -> str:
    """This machine's address in its network. Nothing is sent: a datagram socket only picks its way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return HERE
        return str(probe.getsockname()[0])


def log_opened(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size > LARGEST_LOG:
        shutil.move(path, path.with_suffix(".log.1"))
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", closefd=True)


def last_lines(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-SHOWN_OF_LOG:])


def say(words: str) -> None:
    try:
        print(words, flush=True)
    except OSError:  # the terminal has gone
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 kept to the end of the process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
