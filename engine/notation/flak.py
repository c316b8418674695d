"""Moves flak that a battle file lists with the ships' fire to the launches, where it belongs.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.terms import FLAK

ENGAGE, LAUNCH = "engage", "launch"


def flak_with_launches(turn: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the turn with its flak among each ship's launches.

    Entries that do not have the shape of orders stay unchanged.
    """
    engage = turn.get(ENGAGE)
    launch = turn.get(LAUNCH, {})
    if not isinstance(launch, Mapping) or not isinstance(engage, (Mapping, list)):
        return turn
    rows = list(engage.items()) if isinstance(engage, Mapping) else engage
    launches: dict[Any, list[Any]] = {}
    other_rows: list[Any] = []
    for row in rows:
        name, bursts = _bursts(row)
        if not bursts or not isinstance(launch.get(name, []), list):
            other_rows.append(row)
            continue
        launches[name] = [*launch.get(name, []), *map(_without_mode, bursts)]
        other_rows.append([name, [fire for fire in row[1] if fire not in bursts]])
    if not launches:
        return turn
    return {
        **turn,
        ENGAGE: dict(other_rows) if isinstance(engage, Mapping) else other_rows,
        LAUNCH: {**launch, **launches},
    }


def _bursts(row: Any) -> tuple[Any, list[Mapping[Any, Any]]]:
    """Return the ship of a row of fire orders, and its flak; none if it is no such row."""
    is_row = isinstance(row, (tuple, list)) and len(row) == 2 and isinstance(row[1], list)
    if not is_row:
        return None, []
    name, fires = row
    bursts = []
    for fire in fires:
        if isinstance(fire, Mapping) and fire.get("mode") == FLAK and "at" in fire:
            bursts.append(fire)
    return name, bursts


def _without_mode(fire: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return an order to fire as a launch, which has no mode."""
    return {key: value for key, value in fire.items() if key != "mode"}
