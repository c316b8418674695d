"""The form of an entry of `tools.bench.systems`, and how systems are written in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

System = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A fleet, class by class, that both sides have.

    Attributes:
        never: What one side's captain leaves unused.
        more: Further keys of the battle file.
        velocity: The velocity of all ships at the start.
        without: Further keys for every ship of the side that does without, if this does not depend
            on its captain.
        apart: The distance between two ships, in MU.
    """

    never: tuple[str, ...]
    fleet: tuple[dict[str, Any], ...]
    velocity: int = 6
    extra: dict[str, Any] = field(default_factory=dict)
    without: dict[str, Any] = field(default_factory=dict)
    edition: str = "second-edition"
    gap: int = 12


def system(type_: str, count: int = 1, **extra: Any) -> System:
    return {"type": type_, "count": count, **extra}
