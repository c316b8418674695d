"""Repairs and replenishment of docked ships, and what a base can do for whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.events.bases import InService, NotRepaired, Rearmed, Repaired, Replenished
from campaign.events.event import WeekEvent
from campaign.rules.bases import still_short
from campaign.rules.queries import holder_of
from campaign.rules.rearming import full_stock_of, rearmed
from campaign.rules.scenario import Facility, ShipClass, StarSystem
from campaign.rules.world import Holding, Ship
from engine.continuum.cores import CORE, noted_system
from engine.core.dice import Dice
from engine.pricelists.continuum import TORPEDOES
from umpire.adjudication.muster import Book, Muster

SYSTEM_REPAIRED = 3  # on this D6 or more
SYSTEMS_A_WEEK = 3  # a ship


def base_works(book: Book, system: StarSystem, holding: Holding, week: int) -> bool:
    """Whether a system's base works for its holder's side at the end of a week.

    Not while it is contested or nobody's; one that was captured works after one full week.

    Rules: 2E "Repairs" [camp.repairs]; 2E "The Lafayette sector" [camp.facility-limits]
    """
    if system.facility is None or holding.holder is None or holding.state == "contested":
        return False
    if system.owner is not None and book.side[system.owner] == book.side[holding.holder]:
        return True
    return holding.since == 0 or week - holding.since >= 2


def can_repair(book: Book, facility: Facility, ship: Ship) -> bool:
    """Whether a base repairs ships of this MASS.

    Rules: 2E "The Lafayette sector" [camp.facility-limits]
    """
    limit = facility.repair_mass_limit
    return facility.repairs and (limit is None or book.classes[ship.cls].mass <= limit)


def repaired(cls: ShipClass, ship: Ship, dice: Dice) -> tuple[Ship, list[tuple[str, int, bool]]]:
    """A docked ship after a week of repairs, and each die: (what for, die, success).

    A D6 of damage points; each system named, three at most, on 3 or more. Each success at a drive
    gives back one of its two steps. What was laid up is fit for service again, with core systems
    that work. What works has no note any more of how it was hit.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs] [camp.prizes]; Continuum "Core systems"
    10.3 [camp.prizes]
    """
    rolls: list[tuple[str, int, bool]] = []
    damage, lost = ship.damage, list(ship.lost)
    if damage:
        die = dice.roll("repair", f"{ship.key}/hull")
        rolls.append(("hull", die, True))
        damage = max(0, damage - die)
    for system in [name for name in ship.repair if name in lost][:SYSTEMS_A_WEEK]:
        if system not in lost:
            continue
        die = dice.roll("repair", f"{ship.key}/{system}")
        rolls.append((system, die, die >= SYSTEM_REPAIRED))
        if die >= SYSTEM_REPAIRED:
            lost.remove(system)
    if ship.laid_up:
        lost = [system for system in lost if system not in CORE]
    after = replace(
        ship, damage=damage, lost=tuple(lost), notes=notes_of(ship.notes, lost), laid_up=False
    )
    return _empty(cls, ship, after), rolls


def notes_of(notes: Sequence[tuple[str, int]], lost: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """The notes of a sheet without those about systems that are not `lost`."""
    return tuple((name, value) for name, value in notes if noted_system(name) in ("", *lost))


def _empty(cls: ShipClass, before: Ship, after: Ship) -> Ship:
    """What was lost held nothing, and holds nothing when it works again, but for magazines of
    torpedoes.
    """
    mended = {system for system in before.lost if system not in after.lost}
    full = (name for name, _ in full_stock_of(cls, before) if name.rpartition("/")[2] != TORPEDOES)
    again = [(name, 0) for name in full if holder_of(name) in mended]
    return (
        replace(after, stock=tuple(sorted({**dict(after.stock), **dict(again)}.items())))
        if again
        else after
    )


def replenished(base: Facility, ship: Ship) -> Ship:
    """A docked ship with all its bays, packs and minelayers full that the base supplies; drones
    used stay used. Armour hung anew has no scars.

    Rules: 2E "Repairs" [camp.replenish]; Continuum "Regenerative armour" 7.8 [camp.replenish]
    """
    stock = still_short(base, ship)
    if stock == ship.stock:
        return ship
    return replace(
        ship,
        stock=stock,
        notes=tuple(item for item in ship.notes if not item[0].startswith("scarred")),
    )


def at_the_bases(
    book: Book, muster: Muster, holdings: Sequence[Holding], week: int, dice: Dice
) -> tuple[Mapping[str, Ship], list[WeekEvent]]:
    """The ships changed by a week at a base, by key, and what their owners hear.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs] [camp.replenish]; Continuum 8.14
    [camp.refit]
    """
    changed: dict[str, Ship] = {}
    heard: list[WeekEvent] = []
    by_system = {holding.system: holding for holding in holdings}
    for hex_, present in muster.at.items():
        system = book.system_at[hex_]
        holding = by_system[system.id]
        facility = system.facility
        if (
            facility is None
            or holding.holder is None
            or not base_works(book, system, holding, week)
        ):
            continue
        here = dice.at(hex_)
        for faction in present:
            if book.hostile(faction, holding.holder):
                continue
            for ship in muster.ships(hex_, faction):
                if not ship.docked:
                    continue
                after = ship
                if can_repair(book, facility, ship) and (
                    ship.damage or ship.repair or ship.laid_up
                ):
                    after, rolls = repaired(book.classes[ship.cls], ship, here)
                    heard.extend(_told(ship, hex_, rolls))
                    if ship.laid_up:
                        heard.append(InService((faction,), hex_, ship.name))
                if ship.replenish and still_short(facility, after) != after.stock:
                    after = replenished(facility, after)
                    heard.append(Replenished((faction,), hex_, ship.name))
                armed = rearmed(book.classes[ship.cls], facility, after) if ship.refit else after
                if armed.settings != after.settings:
                    heard.extend(_rearmed(after, armed, hex_))
                after = armed
                if after is not ship:
                    changed[ship.key] = after
    return changed, heard


def _rearmed(before: Ship, after: Ship, hex_: str) -> list[WeekEvent]:
    """What the owner hears of the loads that were changed."""
    return [
        Rearmed((before.faction,), hex_, before.name, system, load)
        for system, load in after.refit
        if dict(after.settings).get(system, "") != dict(before.settings).get(system, "")
    ]


def _told(ship: Ship, hex_: str, rolls: Sequence[tuple[str, int, bool]]) -> list[WeekEvent]:
    return [
        (Repaired if success else NotRepaired)((ship.faction,), hex_, ship.name, what, die)
        for what, die, success in rolls
    ]
