"""Child processes forked from a prepared parent: started, restarted and ended together.

The parent imports and prepares everything once; a child starts as its copy at almost no cost. A
child that dies is restarted after a pause that doubles from half a second up to half a minute, and
is reset once a child has lived for a minute. However the parent ends, even by `kill -9`, the
children end too: a pipe that only the parent holds open closes, and each child then ends itself
(`end_with_pipe`).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import IO

GRACE = 10.0  # seconds between TERM and a forced exit after the pipe closed

ENDS_WITHIN = 10.0  # seconds between TERM and KILL
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between a death and the next start
UPKEEP_SECONDS = 60.0  # seconds between two calls of `upkeep`
STABLE_SECONDS = 60.0  # a child that lived this long resets the pause
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Run = Callable[[], int]


def end_with_pipe(reading_end: int) -> None:
    """End this process when the pipe closes: first by TERM, then by a forced exit."""
    os.set_inheritable(reading_end, False)

    def wait() -> None:
        # Nothing is ever written: this returns when the last writer is gone.
        os.read(reading_end, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, name="tether", daemon=True).start()


@dataclass
class Child:
    """A child process.

    Attributes:
        pid: 0 while the child is not running.
        began: When it was started last (time.monotonic).
        pause: Seconds before the next restart.
        next_start: When a child that is not running is started again (time.monotonic).
    """

    name: str
    run: Run
    pid: int = 0
    began: float = 0.0
    pause: float = FIRST_PAUSE
    next_start: float = 0.0


class Children:
    """The children of this process.

    Must be created in the main thread, before any thread is started.

    Args:
        log: The file for the children's output; without it they share the parent's.
        report: Called with a line for the operator when a child has died.
        upkeep: Called about once a minute while the children run.
    """

    def __init__(
        self,
        log: IO[bytes] | None = None,
        report: Callable[[str], None] = lambda _line: None,
        upkeep: Callable[[], None] | None = None,
    ) -> None:
        self._log = log
        self._report = report
        self._upkeep = upkeep
        self._children: list[Child] = []
        self._tether, self._tether_writer = os.pipe()
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waking, False)
        self.ending = False
        for number in ENDING_SIGNALS:
            signal.signal(number, self._asked_to_end)
        signal.signal(signal.SIGCHLD, self._child_ended)

    def start(self, name: str, run: Run) -> None:
        """Fork a child in a session of its own; it exits with the status that `run` returns."""
        child = Child(name, run)
        self._children.append(child)
        self._fork(child)

    def dead_child(self) -> str:
        """Return the name of a child that is not running, or an empty string."""
        self._note_ended_children()
        return next((child.name for child in self._children if not child.pid), "")

    def watch(self) -> None:
        """Wait until asked to end, and restart children that end before that."""
        while not self.ending:
            self._note_ended_children()
            now = time.monotonic()
            for child in self._children:
                if not child.pid and child.next_start <= now and not self.ending:
                    self._fork(child)
            waiting = [child.next_start for child in self._children if not child.pid]
            if self._upkeep is not None:
                self._upkeep()
                waiting.append(now + UPKEEP_SECONDS)
            self._sleep(max(0.0, min(waiting) - time.monotonic()) if waiting else None)

    def end(self) -> None:
        """End every child by TERM, then by KILL. A second request to end shortens the wait."""
        running = self._running()
        for child in running:
            os.kill(child.pid, signal.SIGTERM)
        self.ending = False
        deadline = time.monotonic() + ENDS_WITHIN
        groups = [child.pid for child in running]
        while self._running() and not self.ending and time.monotonic() < deadline:
            self._sleep(deadline - time.monotonic())
            self._reap()
        for pid in groups:  # includes processes that a child left in its session
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        for child in self._running():
            os.waitpid(child.pid, 0)
            child.pid = 0

    def _running(self) -> list[Child]:
        """Return the children that have not been seen to end."""
        return [child for child in self._children if child.pid]

    def _fork(self, child: Child) -> None:
        """Start a child; if that is impossible now, schedule another attempt."""
        sys.stdout.flush()
        sys.stderr.flush()
        child.began = time.monotonic()
        try:
            pid = os.fork()
        except OSError as error:  # no process or memory available at the moment
            self._retry_later(child, f"could not be started ({error.strerror})")
            return
        if pid:
            child.pid = pid
            return
        status = 1
        try:
            self._become_child()
            status = child.run()
        except SystemExit as leaving:
            if isinstance(leaving.code, int):
                status = leaving.code
            else:
                status = int(leaving.code is not None)
        except BaseException:  # noqa: BLE001 nothing of the parent may go on in a child
            with contextlib.suppress(OSError):
                traceback.print_exc()
        finally:
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def _become_child(self) -> None:
        """Separate a forked process from its parent: session, signals, pipes, input and output."""
        os.setsid()
        for number in (*ENDING_SIGNALS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for descriptor in (self._tether_writer, self._woken, self._waking):
            os.close(descriptor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        if self._log is not None:
            os.dup2(self._log.fileno(), 1)
            os.dup2(self._log.fileno(), 2)
        end_with_pipe(self._tether)

    def _note_ended_children(self) -> None:
        """Find children that have ended, and schedule their restart."""
        for child, status in self._reap():
            if self.ending:
                continue
            code = os.waitstatus_to_exitcode(status)
            if code < 0:
                outcome = f"was killed by {signal.Signals(-code).name}"
            else:
                outcome = f"ended with status {code}"
            self._retry_later(child, outcome)

    def _retry_later(self, child: Child, outcome: str) -> None:
        """Schedule the next start of a child, and report why it is not running."""
        now = time.monotonic()
        if now - child.began >= STABLE_SECONDS:
            child.pause = FIRST_PAUSE
        child.next_start = now + child.pause
        self._report(f"{child.name} {outcome}; it is started again in {child.pause:g} s")
        child.pause = min(2 * child.pause, LONGEST_PAUSE)

    def _reap(self) -> list[tuple[Child, int]]:
        """Return the children that have ended since the last call, with their wait status."""
        ended = []
        for child in self._running():
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                child.pid = 0
                ended.append((child, status))
        return ended

    def _sleep(self, seconds: float | None) -> None:
        """Wait for a signal, or for this many seconds."""
        select.select([self._woken], [], [], seconds)
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken, 1024)

    def wait(self, seconds: float) -> None:
        """Pause until a signal arrives, or for this many seconds."""
        self._sleep(seconds)

    def _asked_to_end(self, _number: int, _frame: FrameType | None) -> None:
        self.ending = True
        self._wake()

    def _child_ended(self, _number: int, _frame: FrameType | None) -> None:
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes it as well
            os.write(self._waking, b".")
