"""Tugs and tenders: what they can have in tow, what ends a tow, and the faults of tow orders.

A tow is kept as the tug's key in the ship that is towed. It lasts from week to week until another order, or until it
cannot be kept: who docks, leaves the fleet or loses its FTL drive has nobody in tow and is in nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from campaign.rules.orders import Tow
from campaign.rules.own_keys import unknown_ship
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.world import Ship
from engine.core.edition import Edition
from engine.core.errors import Violation, place
from engine.core.reason import reason
from engine.core.transport import MOST_RIDER_MASS, left_out


def can_tow(cls: ShipClass, ship: Ship) -> bool:
    """Whether a ship can have others in tow now, or in tender bays: its drive works, and it is neither helpless nor in
    tow itself.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    return bool(cls.rooms(ship.lost)) and can_jump(cls, ship) and not ship.helpless and not ship.tug


def apply_tow(ships: Mapping[str, Ship], tows: Sequence[Tow]) -> dict[str, Ship]:
    """Ships by key with the tows ordered: a tug named has what is named and nothing else. Unknown ships count not."""
    found = dict(ships)
    if not tows:
        return found
    had: dict[str, list[str]] = {}
    for key, ship in ships.items():
        had.setdefault(ship.tug, []).append(key)
    for item in tows:
        named = ships.keys() & set(item.ships)
        for key in named:
            found[key] = replace(ships[key], tug=item.tug)
        for key in had.get(item.tug, ()):
            if key not in named and found[key].tug == item.tug:
                found[key] = replace(ships[key], tug="")
    return found


def hold_tows(classes: Mapping[str, ShipClass], ships: Mapping[str, Ship]) -> tuple[dict[str, Ship], tuple[Ship, ...]]:
    """Ships by key with only those tows that can be kept, and the ships put down, in the order of their keys.

    A tow is kept while both are of one fleet, neither docks, and the tug's drive works and carries all it has in tow;
    those first by key are kept first.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    towed = sorted([key for key, ship in ships.items() if ship.tug])
    if not towed:
        return dict(ships), ()
    rooms = {key: classes[ship.cls].rooms(ship.lost) for key, ship in ships.items() if can_tow(classes[ship.cls], ship)}
    taken: dict[str, list[int]] = {}
    found = dict(ships)
    put_down = []
    for key in towed:
        ship = ships[key]
        mass = classes[ship.cls].mass
        tug = ships.get(ship.tug)
        together = tug is not None and tug.fleet == ship.fleet and not ship.docked
        masses = [*taken.get(ship.tug, ()), mass]
        if together and not left_out(masses, rooms.get(ship.tug, ())):
            taken[ship.tug] = masses
        else:
            found[key] = replace(ship, tug="")
            put_down.append(ship)
    return found, tuple(put_down)


def rides(cls: ShipClass, ship: Ship, carrier: ShipClass) -> bool:
    """Whether a ship in tow comes to battle aboard its mothership: a battlerider, which never had an FTL drive.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    continuum = carrier.design.get("edition") == Edition.CONTINUUM
    return continuum and bool(ship.tug) and not cls.ftl and cls.mass <= MOST_RIDER_MASS


def tow_violations(scenario: Scenario, tows: tuple[Tow, ...], ships: Mapping[str, Ship]) -> list[Violation]:
    """The faults of tow orders; `ships` are the faction's own after its detachments and docks.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    if not tows:
        return []
    classes = ship_classes(scenario)
    after = apply_tow(ships, tows)
    towing = {ship.tug for ship in after.values()}
    found: list[Violation] = []
    tugs: dict[str, int] = {}
    towed: dict[str, str] = {}
    for n, item in enumerate(tows):
        where = place("tow", n)
        if item.tug in tugs:
            words = reason(
                "already-orders-tow-name",
                "{} already has orders in tow[{}]: name all its ships there",
                item.tug,
                tugs[item.tug],
            )
            found.append(Violation(f"{where}.tug", "twice", words))
        tugs.setdefault(item.tug, n)
        tug = after.get(item.tug)
        if tug is None:
            found.append(unknown_ship(f"{where}.tug", item.tug))
        elif item.ships:
            found.extend(_tug_faults(classes[tug.cls], tug, f"{where}.tug"))
        for m, key in enumerate(item.ships):
            found.extend(_ship_faults(after, tug, key, towed, towing, f"{where}.ships[{m}]"))
            towed.setdefault(key, f"{where}.ships[{m}]")
        if tug is not None:
            found.extend(_weight(classes, ships, tug, item, f"{where}.ships"))
    return found


def _tug_faults(cls: ShipClass, tug: Ship, where: str) -> list[Violation]:
    why = ""
    if not cls.rooms(tug.lost):
        why = reason("ship-not-tug", "is not a tug")
    elif not can_jump(cls, tug):
        why = reason("ship-lost-ftl-drive", "has lost its FTL drive")
    elif tug.docked:
        why = reason("ship-docked", "is docked")
    elif tug.laid_up:
        why = reason("ship-short-of-crew", "does not have enough crew")
    elif tug.tug and tug.tug != tug.key:
        why = reason("ship-in-tow", "is in tow")
    return [Violation(where, "cannot-tow", reason("cannot-tow", "{} {}: it cannot tow", tug.name, why))] if why else []


def _ship_faults(
    ships: Mapping[str, Ship], tug: Ship | None, key: str, towed: Mapping[str, str], towing: Collection[str], where: str
) -> list[Violation]:
    ship = ships.get(key)
    if ship is None:
        return [unknown_ship(where, key)]
    found = []
    if key in towed:
        found.append(
            Violation(where, "twice", reason("already-tow", "{} is already in tow in {}", ship.name, towed[key]))
        )
    if tug is not None and key == tug.key:
        return [*found, Violation(where, "tows-itself", reason("tows-itself", "{} cannot tow itself", ship.name))]
    if ship.docked:
        found.append(
            Violation(
                where, "docked", reason("docked-cannot-taken-tow", "{} is docked: it cannot be taken in tow", ship.name)
            )
        )
    if tug is not None and ship.fleet != tug.fleet:
        words = reason(
            "not-fleet-detach-into",
            "{} is not in the fleet of {}: detach it into that fleet first",
            ship.name,
            tug.name,
        )
        found.append(Violation(where, "not-together", words))
    if key in towing:
        found.append(
            Violation(
                where,
                "tows-others",
                reason("tows-others", "{} has ships in tow: it cannot be in tow itself", ship.name),
            )
        )
    return found


def _weight(
    classes: Mapping[str, ShipClass], ships: Mapping[str, Ship], tug: Ship, item: Tow, where: str
) -> list[Violation]:
    masses = [classes[ships[key].cls].mass for key in dict.fromkeys(item.ships) if key in ships and key != tug.key]
    cls = classes[tug.cls]
    if not cls.rooms() or not left_out(masses, cls.rooms(tug.lost)):
        return []
    words = reason(
        "mass-towed-carries-up",
        "MASS {} is to be towed; {} carries up to {}",
        sum(masses),
        tug.name,
        sum(cls.rooms(tug.lost)),
    )
    if sum(masses) <= sum(cls.rooms(tug.lost)):
        words = reason(
            "these-ships-not-all", "these ships do not all find room in the bays of {}, the largest first", tug.name
        )
    return [Violation(where, "too-heavy", words)]
