"""A ship's fire as one short text, for forms without a field for each weapon.

An example is `beam-1 8b5c ac0f; beam-2 8b5c`: each weapon is followed by its targets in order of
preference. Other settings of a weapon have fields of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def targets_of(fire: Mapping[str, Any]) -> list[str]:
    """Return the targets of a payload's fire, in order of preference."""
    entry = fire.get("target", [])
    if isinstance(entry, list):
        return [str(target) for target in entry]
    return [str(entry)]


def fires_text(fires: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of a ship's fire."""
    parts = []
    for fire in fires:
        parts.append(" ".join([str(fire.get("weapon")), *targets_of(fire)]))
    return "; ".join(parts)


def parse_fires(text: str) -> dict[str, list[str]]:
    """Return targets by weapon, in the order of the text."""
    parts = [part.split() for part in text.split(";")]
    return {part[0]: part[1:] for part in parts if part}
