"""What goes wrong, each with the exit status of the command line that tells it. The README lists them."""

from __future__ import annotations

from typing import Any

DONE, REFUSED, MISUSED, NOT_LOGGED_IN, NOT_REACHED, NOT_YET = range(6)
STOPPED = 130  # by Ctrl-C, as shells say it


class Failed(Exception):
    """Something that cannot be done, in words. `status`: the exit status."""

    status = REFUSED


class Misused(Failed):
    """A command or a file that cannot be understood."""

    status = MISUSED


class NotLoggedIn(Failed):
    """There is no login, or the server does not take it."""

    status = NOT_LOGGED_IN


class NotReached(Failed):
    """The server does not answer, or is too busy."""

    status = NOT_REACHED


class NotYet(Failed):
    """What was waited for has not come in time."""

    status = NOT_YET


class Refused(Failed):
    """The server said no. `code` is stable (`already-sealed`); `violations`: faults as {code, where, message};
    `problem`: all that it said.
    """

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.http, self.problem = status, problem
        self.code = str(problem.get("code", ""))
        self.violations: list[dict[str, str]] = list(problem.get("violations", []))
        words = problem.get("detail") or ("; ".join(fault_words(self.violations))) or problem.get("title") or "refused"
        super().__init__(f"{words} ({status}{f' {self.code}' if self.code else ''})")


def fault_words(violations: list[dict[str, str]]) -> list[str]:
    """Faults in words, each with its place."""
    return [f"{one['where']}: {one['message']}" if one["where"] else one["message"] for one in violations]
