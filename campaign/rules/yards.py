"""Shipyards: what they hold, the faults of building orders, and what a faction's yards have to do.

A yard is part of a base, or a system of an installation, of any mass. A ship built or modified in it weighs up to twice
the yard, and so do all those together that are in it in one week.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from campaign.rules.designs import design_faults, designed, with_designs
from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import lacks_by_class, last_number
from campaign.rules.orders import Orders
from campaign.rules.queries import furnished, plain_class, ship_classes, systems_by_hex
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.view import Fleet, Ship, View
from campaign.rules.world import Work, World
from engine.core.errors import Violation, place
from engine.core.kinds import INSTALLATION
from engine.core.limits import ships_of_a_navy
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.notation.designs import load_sheet

YARD = "shipyard"
TIMES = 2  # its own mass, of ships in one week
MOST_WORKS = 40  # of a faction's yards
LEAST_SHARE = 10  # a modified ship costs at least that part of its new points


def yards_of(sheet: Sheet, lost: Sequence[str] = ()) -> dict[str, int]:
    """The working yards of an installation by their ids, each with the mass of ships it takes a week.

    Ships and system defence boats have none.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if sheet.kind != INSTALLATION:
        return {}
    return {fit.id: TIMES * fit.mass for fit in sheet.fits if fit.type == YARD and fit.id not in lost}


def yards_at(
    classes: Mapping[str, ShipClass], system: StarSystem | None, holds: bool, ships: Iterable[Ship]
) -> tuple[int, ...]:
    """The mass of ships that each yard of a faction in one hex takes a week, smallest first.

    `holds`: whether the system's base is the faction's and works; `ships`: its own there, stations among them.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    found: list[int] = []
    if holds and system is not None and system.facility is not None and system.facility.yard:
        found.append(TIMES * system.facility.yard)
    for ship in ships:
        cls = classes[ship.cls]
        if not ship.helpless and any(id_.rpartition("-")[0] == YARD for id_ in cls.systems):
            found.extend(yards_of(load_sheet(cls.design), ship.lost).values())
    return tuple(sorted(found))


def taken_in(room: Sequence[int], mass: int) -> tuple[int, ...] | None:
    """The room left in the yards with a ship of that mass in the smallest that takes it; None where none does.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    for n, left in enumerate(room):
        if mass <= left:
            return tuple(sorted((*room[:n], left - mass, *room[n + 1 :])))
    return None


def price(cls: ShipClass, before: ShipClass | None) -> int:
    """The points a yard asks for: a new ship's own; of one modified what it is dearer by, a tenth of its own at least.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    return cls.points if before is None else max(cls.points - before.points, -(-cls.points // LEAST_SHARE))


def own_yards(scenario: Scenario, view: View, fleets: Mapping[str, Fleet], ships: Iterable[Ship]) -> dict[str, int]:
    """The hexes where a faction's yards are, each with the mass of the largest ship that is built there."""
    classes, systems = ship_classes(scenario), systems_by_hex(scenario)
    held = {known.system for known in view.systems if known.holder == view.faction and known.state != "contested"}
    there: dict[str, list[Ship]] = {system.hex: [] for system in scenario.systems if system.id in held}
    for ship in ships:
        fleet = fleets[ship.fleet]
        if not fleet.in_ftl and any(id_.rpartition("-")[0] == YARD for id_ in classes[ship.cls].systems):
            there.setdefault(fleet.hex, []).append(ship)
    found = {}
    for label in sorted(there):
        system = systems.get(label)
        yards = yards_at(classes, system, system is not None and system.id in held, there[label])
        if yards:
            found[label] = yards[-1]
    return found


def may_build(faction: str, cls: ShipClass) -> bool:
    """Whether a class is the catalogue's or of the faction's own design: a prize's is its designer's."""
    designer, slash, _ = cls.name.partition("/")
    return not slash or designer == faction


def build_violations(
    scenario: Scenario, view: View, orders: Orders, fleets: Mapping[str, Fleet], ships: Mapping[str, Ship]
) -> list[Violation]:
    """The faults of building orders; `fleets` and `ships` are the faction's own after its detachments and docks.

    What there are no points for yet, or no room this week, is no fault: it waits.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    found = _designs(scenario, view, orders)
    scenario = furnished(scenario, designed(scenario, view.faction, orders.designs))
    classes, yards = ship_classes(scenario), own_yards(scenario, view, fleets, ships.values())
    lacks = lacks_by_class(scenario, view.faction, [item.cls for item in orders.build])
    going = {work.key for work in view.works}
    for n, key in enumerate(orders.cancel):
        if key not in going:
            found.append(
                Violation(
                    place("cancel", n), "unknown-work", reason("unknown-work", "your yards have no work '{}'", key)
                )
            )
        going.discard(key)
    kept = [work for work in view.works if work.key in going]
    names = {ship.name for ship in ships.values()} | {work.name for work in kept if not work.ship}
    busy = {work.ship for work in kept if work.ship}
    if len(kept) + len(orders.build) > MOST_WORKS:
        found.append(
            Violation(
                "build",
                "too-many",
                reason("yards-told-too-much", "your yards can be told of at most {} ships", MOST_WORKS),
            )
        )
    begun = sum(not work.ship for work in kept) + sum(not item.ship for item in orders.build)
    most = ships_of_a_navy(len(scenario.factions))
    if begun and len(ships) + begun > most:
        found.append(
            Violation("build", "too-many-ships", reason("navy-too-large", "your navy can have at most {} ships", most))
        )
    for n, item in enumerate(orders.build):
        where = place("build", n)
        cls = classes.get(item.cls)
        if cls is None or not may_build(view.faction, cls):
            words = reason("your-yards-know-no", "your yards know no class '{}'", plain_class(item.cls))
            found.append(Violation(f"{where}.cls", "unknown-class", words))
            continue
        found.extend(Violation(f"{where}.cls", *fault) for fault in lacks.get(item.cls, ()))
        if item.hex not in yards:
            found.append(
                Violation(f"{where}.hex", "no-yard", reason("no-yard", "you have no working shipyard in {}", item.hex))
            )
        elif cls.mass > yards[item.hex]:
            words = reason(
                "mass-yard-takes-ships",
                "'{}' has mass {}; the yard takes ships of up to {}",
                plain_class(item.cls),
                cls.mass,
                yards[item.hex],
            )
            found.append(Violation(f"{where}.cls", "ship-too-large", words))
        if item.ship:
            found.extend(_modified(classes, cls, ships.get(item.ship), fleets, item.hex, where))
            if item.ship in busy:
                found.append(
                    Violation(
                        f"{where}.ship",
                        "twice",
                        reason("yards-ship-modify-already", "the yards have that ship to modify already"),
                    )
                )
            busy.add(item.ship)
        else:
            found.extend(name_faults(item.name, f"{where}.name"))
            if item.name in names:
                found.append(
                    Violation(f"{where}.name", "twice", reason("name-used", "the name '{}' is already used", item.name))
                )
            names.add(item.name)
    return found


def _designs(scenario: Scenario, view: View, orders: Orders) -> list[Violation]:
    found = design_faults(scenario, view.faction, orders)
    known = {cls.name: cls for cls in view.classes}
    for n, document in enumerate(orders.designs):
        for cls in designed(scenario, view.faction, [document]):
            if cls.name in known and known[cls.name].design != cls.design:
                words = reason(
                    "ships-another-built-give",
                    "ships of another '{}' were built: give the new class its own name",
                    plain_class(cls.name),
                )
                found.append(Violation(f"{place('designs', n)}.class", "class-twice", words))
    return found


def _modified(
    classes: Mapping[str, ShipClass],
    cls: ShipClass,
    ship: Ship | None,
    fleets: Mapping[str, Fleet],
    label: str,
    where: str,
) -> list[Violation]:
    """Only what lies at dock at the yard, and keeps its mass, is modified."""
    if ship is None:
        return [Violation(f"{where}.ship", "unknown-ship", reason("you-no-such-ship", "you have no such ship"))]
    found = []
    if not ship.docked or fleets[ship.fleet].hex != label:
        found.append(
            Violation(
                f"{where}.ship",
                "not-docked",
                reason("not-docked", "{} must dock in {} to be modified", ship.name, label),
            )
        )
    if ship.cls == cls.name:
        found.append(Violation(f"{where}.cls", "same-class", reason("same-class", "{} is of that class", ship.name)))
    elif classes[ship.cls].mass != cls.mass or classes[ship.cls].damage_points != cls.damage_points:
        words = reason(
            "become-only-ship-mass",
            "{} can become only a ship of its mass and hull: {}, not {}",
            ship.name,
            classes[ship.cls].mass,
            cls.mass,
        )
        found.append(Violation(f"{where}.cls", "other-hull", words))
    return found


def works_after(faction: str, works: Sequence[Work], orders: Orders) -> list[Work]:
    """Return what a faction's yards have to do after its lawful orders, in that order.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    number = last_number(work.key for work in works)
    found = [work for work in works if work.key not in orders.cancel]
    for n, item in enumerate(orders.build, start=number + 1):
        found.append(Work(f"{faction}/w{n}", faction, item.hex, item.cls, item.name, item.ship))
    return found


def apply_builds(scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> World:
    """The world with the work that yards are told to do, each faction's after what it had; and the new designs.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if not any(sheet.build or sheet.cancel or sheet.designs for sheet in orders.values()):
        return world
    works: list[Work] = []
    for faction in sorted({work.faction for work in world.works} | set(orders)):
        theirs = [work for work in world.works if work.faction == faction]
        works.extend(works_after(faction, theirs, orders.get(faction, Orders())))
    return replace(world, works=tuple(works), designs=with_designs(scenario, world.designs, orders))
