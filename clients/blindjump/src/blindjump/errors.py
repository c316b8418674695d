"""What goes wrong, each with the exit status of the command line that tells it.

The README lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

DONE, REFUSED, MISUSED, NOT_LOGGED_IN, NOT_REACHED, NOT_YET = range(6)
NOT_THERE = 404
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


class LockedOut(NotLoggedIn):
    """Too many wrong passwords: the server takes none for a while."""


class NotReached(Failed):
    """The server does not answer, or is too busy."""

    status = NOT_REACHED


class NotYet(Failed):
    """What was waited for has not come in time."""

    status = NOT_YET


class Refused(Failed):
    """The server said no.

    `code` is stable (`already-sealed`); `violations`: faults as {code, where, message}; `problem`:
    all that it said.
    """

    def __init__(self, status: int, problem: dict[str, Any], words: str = "") -> None:
        self.http, self.problem, self.words = status, problem, words
        self.code = str(problem.get("code", ""))
        self.violations: list[dict[str, Any]] = list(problem.get("violations", []))
        if not words:
            words = problem.get("detail") or problem.get("title") or "refused"
            words = "there is no such thing, or not for you" if status == NOT_THERE else words
        told = f"{words} ({status}{f' {self.code}' if self.code else ''})"
        super().__init__("\n  ".join([told, *fault_words(self.violations)]))

    def placed(self, violations: list[dict[str, Any]]) -> Refused:
        """The same with these faults: the places of what was handed in."""
        return Refused(self.http, {**self.problem, "violations": violations}, self.words)

    def of(self, words: str) -> Refused:
        """The same in these words, where it is what is asked for that is not there: a site says
        that of all alike.
        """
        return Refused(self.http, self.problem, words) if self.http == NOT_THERE else self


def fault_words(violations: Sequence[Mapping[str, Any]], whole: str = "") -> list[str]:
    """Faults in words, each with its place: the line of a file where that is known.

    `whole`: the place of the rest.
    """
    found = []
    for one in violations:
        where = one["where"] or whole
        if "line" in one:
            where = f"line {one['line']}"
        found.append(f"{where}: {one['message']}" if where else one["message"])
    return found
