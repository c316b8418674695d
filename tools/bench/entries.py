"""A fleet for `tools.bench.systems`, and how its systems are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

System = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A fleet, class by class, for both sides. `never`: what one of them leaves unused.

    `more`: further keys of the battle file; `velocity`: of all ships at the start; `without`:
    further keys of every ship of the side that does without, where that is no matter of its
    captain; `apart`: MU between two ships.
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
