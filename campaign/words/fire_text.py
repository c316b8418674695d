"""A ship's fire as one short text, for forms that do not show its weapons one by one: `beam-1 8b5c
ac0f; beam-2 8b5c`.

A weapon, then whom it fires at in order of preference. What is said of a weapon besides stands in
fields of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def targets_of(fire: Mapping[str, Any]) -> list[str]:
    """Whom a payload's fire is aimed at, in order of preference."""
    target_value = fire.get("target", [])
    return (
        [str(target) for target in target_value]
        if isinstance(target_value, list)
        else [str(target_value)]
    )


def fires_text(fires: Iterable[Mapping[str, Any]]) -> str:
    """The text of a ship's fire."""
    return "; ".join(" ".join([str(fire.get("weapon")), *targets_of(fire)]) for fire in fires)


def parse_fires(text: str) -> dict[str, list[str]]:
    """Targets by weapon, in the order of the text."""
    parts = [part.split() for part in text.split(";")]
    return {part[0]: part[1:] for part in parts if part}
