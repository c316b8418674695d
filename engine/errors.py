"""Faults in what people and programs hand in: all of them at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One fault. `where` is a path such as `sides[0].ships[2].design.thrust`; `code` is stable."""

    where: str
    code: str
    message: str

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "where": self.where, "message": self.message}


class RuleViolations(ValueError):
    """Raised where input with faults would otherwise be used; carries every fault, and nothing was changed."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        super().__init__("; ".join(f"{v.where}: {v.message}" for v in self.violations))

    def __reduce__(self) -> tuple[type[RuleViolations], tuple[tuple[Violation, ...]]]:
        """Between processes it carries its faults, not only its words."""
        return type(self), (self.violations,)


def place(*parts: str | int) -> str:
    """The path of a fault from its parts: `place("sides", 0, "name")` is `sides[0].name`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text
