"""What goes wrong, each with the exit status of the command line that tells it.

The README lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SUCCESS, REFUSED, USAGE, NOT_LOGGED_IN, UNREACHABLE, TIMED_OUT = range(6)
NOT_THERE = 404
STOPPED = 130  # by Ctrl-C, as shells say it


class ClientError(Exception):
    """Something that cannot be done, in words. `status`: the exit status."""

    status = REFUSED


class UsageError(ClientError):
    """A command or a file that cannot be understood."""

    status = USAGE


class NotLoggedIn(ClientError):
    """There is no login, or the server does not take it."""

    status = NOT_LOGGED_IN


class TooManyAttempts(NotLoggedIn):
    """Too many wrong passwords: the server takes none for a while."""


class Unreachable(ClientError):
    """The server does not answer, or is too busy."""

    status = UNREACHABLE


class WaitTimeout(ClientError):
    """What was waited for has not come in time."""

    status = TIMED_OUT


class ApiError(ClientError):
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
        message = f"{words} ({status}{f' {self.code}' if self.code else ''})"
        super().__init__("\n  ".join([message, *fault_words(self.violations)]))

    def with_violations(self, violations: list[dict[str, Any]]) -> ApiError:
        """The same with these faults: the places of what was handed in."""
        return ApiError(self.http, {**self.problem, "violations": violations}, self.words)

    def with_words(self, words: str) -> ApiError:
        """The same in these words, where it is what is asked for that is not there: a site says
        that of all alike.
        """
        return ApiError(self.http, self.problem, words) if self.http == NOT_THERE else self


def fault_words(violations: Sequence[Mapping[str, Any]], default_place: str = "") -> list[str]:
    """Faults in words, each with its place: the line of a file where that is known.

    `whole`: the place of the rest.
    """
    lines = []
    for violation in violations:
        where = violation["where"] or default_place
        if "line" in violation:
            where = f"line {violation['line']}"
        lines.append(f"{where}: {violation['message']}" if where else violation["message"])
    return lines
