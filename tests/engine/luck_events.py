"""A small battle of Continuum with an event for each part that the luck account counts."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]
GROUP = "nac/s1/hangar-1"
SCREENS = ({"type": "advanced-screen"},)


def _event(kind: str, **fields: object) -> Line:
    return {"event": kind, "ship": "nac/s1", **fields}


def small_battle(fighters: str = "standard") -> tuple[Line, list[Line]]:
    """Return the file of the battle and its events.

    Args:
        fighters: The type of its craft.
    """
    hangar = {"type": "hangar", "load": {fighters: 6}}
    grasers = {"type": "heavy-graser", "count": 2}
    intense = {"type": "heavy-graser", "model": "high-intensity"}
    ship = {"id": "nac/s1", "design": {"systems": [hangar, grasers, intense]}}
    target = {"id": "esu/s2", "design": {"systems": [{"type": "advanced-screen"}]}}
    mixed = {"id": "esu/s3", "design": {"systems": [{"type": "screen"}, *SCREENS]}}
    file: Line = {
        "edition": "continuum",
        "options": [],
        "sides": [{"name": "nac", "ships": [ship, target, mixed]}],
    }
    gun = {"weapon": "k-gun-1", "screens": 0, "needed": 3, "dice": [4]}
    events = [
        _event("fire", **gun, damage=[2], hits=4),  # a class 2 gun: doubled
        _event("fire", **gun, damage=[6], hits=3),  # a class 3 gun: not doubled
        _event("fire", **{**gun, "dice": [2]}, damage=[], hits=0),
        _event("fire", **{**gun, "weapon": "emp-1"}, damage=[], hits=0),
        *_beams(),
        *_defence_at_ordnance(),
        _event("ordnance-struck", die=5, dice=[3, 4], screens=1, points=5),
        _event("explosion-damage", dice=[6, 1], screens=1, points=5),
        _event("point-defence-at-craft", weapon="pds-1", dice=[6, 4], hits=3),
        _event("fighters-fired", group=GROUP, armament="strike", screens=0)
        | {"turn": 1, "dice": [5, 6, 1], "hits": 3},
        *(_event("evaded", group=GROUP) for _ in range(4)),
        _event("fighters-fired", group=GROUP, armament="dogfight", screens=0)
        | {"turn": 2, "dice": [5], "hits": 1},
        _event("fighters-fired", group=GROUP, armament="dogfight", screens=0)  # exhausted
        | {"turn": 3, "dice": [6], "hits": 1},
    ]
    return file, events


def _beams() -> list[Line]:
    """Return shots of weapons whose dice depend on designs, modes or advanced screens."""
    seen = {"needed": 0, "mode": "", "damage": []}
    screened = {**seen, "screens": 1, "target": "esu/s2"}
    return [
        _event("fire", weapon="phaser-1", screens=0, **{**seen, "dice": [6, 1], "damage": [3]})
        | {"hits": 3},
        _event("fire", weapon="phaser-1", screens=1, **{**seen, "mode": "needle", "needed": 4})
        | {"dice": [6, 2], "hits": 1},
        _event("fire", weapon="heavy-graser-2", screens=0, **{**seen, "dice": [6], "hits": 9}),
        _event("fire", weapon="heavy-graser-3", screens=0, **{**seen, "dice": [2], "hits": 0}),
        _event("fire", weapon="submunition-1", **{**screened, "dice": [5], "hits": 1}),
        _event("fire", weapon="fusion-array-1", **{**screened, "needed": 3})
        | {"dice": [4], "damage": [6, 1], "hits": 2},
        _event("fire", weapon="submunition-1", **{**screened, "target": "esu/s3"})
        | {"dice": [5], "hits": 1},
    ]


def _defence_at_ordnance() -> list[Line]:
    """Return point defence at a salvo, at a bolt, and at missiles that no ship launched."""
    kind = "point-defence-at-ordnance"
    return [
        _event("ordnance-launched", weapon="salvo-rack-1", marker="marker-1"),
        _event("shaped-bolt", weapon="plasma-bolt-1", marker="marker-2"),
        _event(kind, weapon="k-gun-1", marker="marker-1", dice=[6, 3], hits=1),
        _event(kind, weapon="scattergun-1", marker="marker-1", dice=[6], hits=6),
        _event(kind, weapon="pds-1", marker="marker-2", dice=[6], hits=1),
        _event(kind, weapon="pds-1", marker="marker-3", dice=[5], hits=1),
    ]
