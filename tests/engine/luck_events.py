"""A small battle of Continuum with an event for each part that the luck account counts."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]


def _event(kind: str, **fields: object) -> Line:
    return {"event": kind, "ship": "nac/s1", **fields}


def small_battle(fighters: str = "standard") -> tuple[Line, list[Line]]:
    """Return the file of the battle and its events.

    Args:
        fighters: The type of its craft.
    """
    hangar = {"type": "hangar", "load": {fighters: 6}}
    ship = {"id": "nac/s1", "design": {"systems": [hangar]}}
    file: Line = {
        "edition": "continuum",
        "options": [],
        "sides": [{"name": "nac", "ships": [ship]}],
    }
    gun = {"weapon": "k-gun-1", "screens": 0, "needed": 3, "dice": [4]}
    events = [
        _event("fire", **gun, damage=[2], hits=4),  # a class 2 gun: doubled
        _event("fire", **gun, damage=[6], hits=3),  # a class 3 gun: not doubled
        _event("fire", **{**gun, "dice": [2]}, damage=[], hits=0),
        _event("fire", **{**gun, "weapon": "phaser-1"}, damage=[], hits=0),
        _event("ordnance-struck", die=5, dice=[3, 4], screens=1, points=5),
        _event("explosion-damage", dice=[6, 1], screens=1, points=5),
        _event("point-defence-at-craft", weapon="pds-1", dice=[6, 4], hits=3),
        _event("fighters-fired", group="nac/s1/hangar-1", armament="strike", screens=0)
        | {"dice": [5, 6, 1], "hits": 3},
        _event("fighters-fired", group="nac/s1/hangar-1", armament="dogfight", screens=0)
        | {"dice": [5], "hits": 1},
    ]
    return file, events
