"""Faults in what people and programs hand in: all of them at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from engine.core.phrase import phrase
from engine.core.phrase_data import reason_data

MOST_LISTED = 100  # faults of one answer; those beyond are counted
LONGEST_MESSAGE = (
    1000  # bytes as JSON or HTML may write it, because messages quote what was handed in
)
LONGEST_PLACE = 200
WIDTHS = {
    "'": 6,
    '"': 6,
    "&": 5,
    "<": 4,
    ">": 4,
    "\\": 2,
}  # what a page or JSON writes for it: &quot; is six bytes
WIDEST = 12  # of any other character: JSON writes two halves of a pair, \ud83d\ude00


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One fault. `where` is a path such as `sides[0].ships[2].design.thrust`; `code` is stable."""

    where: str
    code: str
    message: str

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "where": self.where, "message": self.message}


class RuleViolations(ValueError):
    """Raised where input with faults would otherwise be used; carries every fault, and nothing was
    changed.
    """

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        super().__init__("; ".join(f"{v.where}: {v.message}" for v in self.limited_violations))

    @property
    def limited_violations(self) -> tuple[Violation, ...]:
        """The faults as an answer lists them."""
        return limit_violations(self.violations)

    def __reduce__(self) -> tuple[type[RuleViolations], tuple[tuple[Violation, ...]]]:
        """Between processes it carries its faults, not only its words."""
        return type(self), (self.violations,)


def limit_violations(
    violations: Iterable[Violation], most: int = MOST_LISTED
) -> tuple[Violation, ...]:
    """The faults as an answer lists them: the first 100 (or `most`), and one more that counts the
    others.

    Places and messages that quote very long input are cut.
    """
    faults = tuple(violations)
    limited = tuple(
        Violation(
            _truncate(fault.where, LONGEST_PLACE),
            fault.code,
            _truncate(fault.message, LONGEST_MESSAGE),
        )
        for fault in faults[:most]
    )
    rest_count = len(faults) - len(limited)
    if not rest_count:
        return limited
    words = (
        phrase("{} more faults are not listed", rest_count)
        if rest_count > 1
        else phrase("1 more fault is not listed")
    )
    return (*limited, Violation("", "more-faults", words))


def faults_json(violations: Iterable[Violation]) -> list[dict[str, str]]:
    """The faults as an answer lists them, as JSON."""
    return [fault.to_json() for fault in limit_violations(violations)]


class StoredFault(TypedDict):
    """A fault as documents store it.

    `reason`: its message as data (`engine.core.phrase_data.reason_data`).

    Older documents have the English text instead, as `message`.
    """

    code: str
    where: str
    reason: NotRequired[dict[str, Any]]
    message: NotRequired[str]


def faults_stored(violations: Iterable[Violation]) -> list[StoredFault]:
    """The faults as documents store them, as many as an answer lists."""
    return [
        {"code": fault.code, "where": fault.where, "reason": reason_data(fault.message)}
        for fault in limit_violations(violations)
    ]


def place(*parts: str | int) -> str:
    """The path of a fault from its parts: `place("sides", 0, "name")` is `sides[0].name`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text


def _truncate(text: str, most: int) -> str:
    """The text, or as much of its beginning as answers have room for."""
    if len(text) * WIDEST <= most:
        return text
    room = most
    for n, letter in enumerate(text):
        room -= (
            1
            if letter.isalnum() and letter.isascii()
            else WIDTHS.get(letter, 1 if letter.isascii() else WIDEST)
        )
        if room < 0:
            return f"{text[:n]}…"
    return text
