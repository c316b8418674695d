"""The errors of the client, each with the exit status of the command line.

The README lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SUCCESS, REFUSED, USAGE, NOT_LOGGED_IN, UNREACHABLE, TIMED_OUT = range(6)
NOT_THERE = 404
STOPPED = 130  # the exit status of shells for Ctrl-C


class ClientError(Exception):
    """An error with a message, and the exit status for it."""

    status = REFUSED


class UsageError(ClientError):
    """The command or a file cannot be understood."""

    status = USAGE


class NotLoggedIn(ClientError):
    """There is no login, or the server rejects it."""

    status = NOT_LOGGED_IN


class TooManyAttempts(NotLoggedIn):
    """The server accepts no passwords for a while after too many wrong ones."""


class Unreachable(ClientError):
    """The server does not answer, or is too busy."""

    status = UNREACHABLE


class WaitTimeout(ClientError):
    """The wait took too long."""

    status = TIMED_OUT


class ApiError(ClientError):
    """The server refused a request.

    Attributes:
        http: The HTTP status.
        code: A stable code such as `already-sealed`.
        violations: Faults as {code, where, message}.
        problem: The whole answer.
    """

    def __init__(self, status: int, problem: dict[str, Any], words: str = "") -> None:
        self.http, self.problem, self.words = status, problem, words
        self.code = str(problem.get("code", ""))
        self.violations: list[dict[str, Any]] = list(problem.get("violations", []))
        if not words:
            words = problem.get("detail") or problem.get("title") or "refused"
            if status == NOT_THERE:
                words = "this does not exist, or you may not see it"
        code = f"{status} {self.code}" if self.code else str(status)
        super().__init__("\n  ".join([f"{words} ({code})", *fault_words(self.violations)]))

    def with_violations(self, violations: list[dict[str, Any]]) -> ApiError:
        """Return the same error with these faults, whose places are in the user's file."""
        return ApiError(self.http, {**self.problem, "violations": violations}, self.words)

    def with_words(self, words: str) -> ApiError:
        """Return the same error with this message, if the status is 404.

        A site answers 404 both for what does not exist and for what the user may not see.
        """
        return ApiError(self.http, self.problem, words) if self.http == NOT_THERE else self


def fault_words(violations: Sequence[Mapping[str, Any]], default_place: str = "") -> list[str]:
    """Return faults as text with their places, or with lines of a file where known.

    Args:
        default_place: The place of faults that have none.
    """
    lines = []
    for violation in violations:
        where = violation["where"] or default_place
        if "line" in violation:
            where = f"line {violation['line']}"
        lines.append(f"{where}: {violation['message']}" if where else violation["message"])
    return lines
