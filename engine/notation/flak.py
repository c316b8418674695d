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
    if isinstance(engage, Mapping):
        rows = list(engage.items())
    else:
        rows = engage
    moved: dict[Any, list[Any]] = {}
    remaining: list[Any] = []
    for row in rows:
        if not isinstance(row, (tuple, list)) or len(row) != 2 or not isinstance(row[1], list):
            remaining.append(row)
            continue
        name, fires = row
        bursts = []
        for fire in fires:
            if isinstance(fire, Mapping) and fire.get("mode") == FLAK and "at" in fire:
                bursts.append(fire)
        if bursts and isinstance(launch.get(name, []), list):
            moved[name] = [
                {key: value for key, value in fire.items() if key != "mode"} for fire in bursts
            ]
            remaining.append([name, [fire for fire in fires if fire not in bursts]])
        else:
            remaining.append(row)
    if not moved:
        return turn
    launched = {
        **launch,
        **{name: [*launch.get(name, []), *bursts] for name, bursts in moved.items()},
    }
    return {
        **turn,
        ENGAGE: dict(remaining) if isinstance(engage, Mapping) else remaining,
        LAUNCH: launched,
    }
