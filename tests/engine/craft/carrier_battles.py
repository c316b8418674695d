"""Carriers for tests: ships with loaded hangars, groups in flight, and turns of craft in one line."""

from __future__ import annotations

from typing import Any

from engine.battle import Battle
from engine.pieces.group import Group
from tests.engine.defences.battles import facing

CARRIER = "launch-tube launch-tube hangar hangar hangar"
N1, N2, N3 = (f"r1/hangar-{number}" for number in (1, 2, 3))
S1, S2 = "r1/gunboat-rack-1", "r1/gunboat-rack-2"
F1 = "b1/gunboat-rack-1"
E1, E2, E3 = (f"b1/hangar-{number}" for number in (1, 2, 3))


def carriers(
    ours: str, theirs: str, distance: float = 40.0, *, mods: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return `r1` with hangars of the type `ours`, facing `b1` with hangars of `theirs` ("": none).

    Args:
        beside: Further systems of `r1`.
        guard: Further systems of `b1`.
    """
    beside = more.pop("beside", "")
    guard = more.pop("guard", "")
    document = facing(
        f"{CARRIER} {beside}",
        f"{CARRIER if theirs else ''} {guard}",
        distance,
        table=[120, 120],
        **more,
    )
    for side, type_ in zip(document["sides"], (ours, theirs), strict=True):
        systems = side["ships"][0]["design"]["systems"]
        for system in systems:
            if system["type"] in ("hangar", "combined-hangar", "fighter-rack") and type_:
                system["load"] = {type_: 8 if "light" in mods else 6}
                if mods:
                    system["mods"] = list(mods)
    return document


def squadrons(
    boats: str, distance: float = 20.0, *, mods: tuple[str, ...] = (), theirs: str = "", **more: Any
) -> dict[str, Any]:
    """Return `r1` with two racks of such gunboats, and `b1` with a rack of `theirs` if any.

    `beside` and `guard` are as in `carriers`.
    """
    beside, guard = more.pop("beside", ""), more.pop("guard", "")
    racks = "gunboat-rack" if theirs else ""
    document = facing(
        f"gunboat-rackx2 {beside}", f"{racks} {guard}", distance, table=[120, 120], **more
    )
    for side, type_, changed in zip(document["sides"], (boats, theirs), (mods, ()), strict=True):
        for system in side["ships"][0]["design"]["systems"]:
            if system["type"] == "gunboat-rack":
                system |= {"load": {type_: 6}} | ({"mods": list(changed)} if changed else {})
    return document


def turn(
    plot: dict[str, str] | None = None,
    fighters: dict[str, str] | None = None,
    secondary: dict[str, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a turn; `attack` has words `group: weapon>target`, or entries."""
    attack = {
        group: [
            dict(zip(("weapon", "target"), item.split(">"), strict=True))
            if isinstance(item, str)
            else item
            for item in ([entries] if isinstance(entries, (str, dict)) else entries)
        ]
        for group, entries in more.pop("attack", {}).items()
    }
    return {
        "plot": plot or {},
        "fighters": fighters or {},
        "secondary": secondary or {},
        "attack": attack,
        **more,
    }


def launch(*bays: str, ship: str = "r1") -> dict[str, str]:
    """Return the plot of a ship that launches from these bays."""
    return {ship: "launch " + " ".join(bays or ("hangar-1",))}


def group(battle: Battle, name: str) -> Group:
    return battle.state.piece(Group, name)


def flying_groups(battle: Battle) -> list[str]:
    return [group.id for group in battle.state.pieces_of(Group)]
