"""Faults in input from people and programs: all of them at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

from engine.core.phrase import phrase
from engine.core.phrase_data import reason_data

MAX_LISTED = 100  # faults in one answer; further ones are only counted
LONGEST_MESSAGE = 1000  # bytes as JSON or HTML, because messages quote the input
LONGEST_PLACE = 200
# Bytes that a page or JSON needs for the character: &quot; has six.
WIDTHS = {"'": 6, '"': 6, "&": 5, "<": 4, ">": 4, "\\": 2}
WIDEST = 12  # bytes of any other character: JSON writes a surrogate pair, \ud83d\ude00


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One fault in an input.

    Attributes:
        where: A path such as `sides[0].ships[2].design.thrust`.
        code: A code that stays the same when the message is reworded.
    """

    where: str
    code: str
    message: str

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "where": self.where, "message": self.message}


class RuleViolations(ValueError):
    """Raised instead of using faulty input; carries every fault, and nothing was changed."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        super().__init__("; ".join(f"{v.where}: {v.message}" for v in self.limited_violations))

    @property
    def limited_violations(self) -> tuple[Violation, ...]:
        """The faults that an answer lists."""
        return limit_violations(self.violations)

    def __reduce__(self) -> tuple[type[RuleViolations], tuple[tuple[Violation, ...]]]:
        """Pickle the faults, not only their text."""
        return type(self), (self.violations,)


def limit_violations(
    violations: Iterable[Violation], most: int = MAX_LISTED
) -> tuple[Violation, ...]:
    """Return the first `most` faults, and one more that counts the rest.

    Places and messages that quote very long input are truncated.
    """
    faults = tuple(violations)
    limited = tuple(_with_short_texts(fault) for fault in faults[:most])
    rest_count = len(faults) - len(limited)
    if not rest_count:
        return limited
    if rest_count > 1:
        words = phrase("{} more faults are not listed", rest_count)
    else:
        words = phrase("1 more fault is not listed")
    return (*limited, Violation("", "more-faults", words))


def faults_json(violations: Iterable[Violation]) -> list[dict[str, str]]:
    """Return the faults that an answer lists, as JSON."""
    return [fault.to_json() for fault in limit_violations(violations)]


class StoredFault(TypedDict):
    """A fault in a stored document.

    Attributes:
        reason: The message as data (`engine.core.phrase_data.reason_data`).
    """

    code: str
    where: str
    reason: dict[str, Any]


def faults_stored(violations: Iterable[Violation]) -> list[StoredFault]:
    """Return the faults for storage in a document, as many as an answer lists."""
    result: list[StoredFault] = []
    for fault in limit_violations(violations):
        result.append(
            {"code": fault.code, "where": fault.where, "reason": reason_data(fault.message)}
        )
    return result


def fault_path(*parts: str | int) -> str:
    """Return the path of a fault: `fault_path("sides", 0, "name")` is `sides[0].name`."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def _with_short_texts(fault: Violation) -> Violation:
    """Return a fault whose place and message are at most as long as an answer allows."""
    where = _truncate(fault.where, LONGEST_PLACE)
    return Violation(where, fault.code, _truncate(fault.message, LONGEST_MESSAGE))


def _truncate(text: str, most: int) -> str:
    """Return the text, truncated to `most` bytes as JSON or HTML."""
    if len(text) * WIDEST <= most:
        return text
    bytes_left = most
    for n, letter in enumerate(text):
        bytes_left -= WIDTHS.get(letter, 1) if letter.isascii() else WIDEST
        if bytes_left < 0:
            return f"{text[:n]}…"
    return text
