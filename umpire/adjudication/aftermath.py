"""The aftermath of a week's battles: losses, who is in FTL space, what stays in contact, what is captured at dock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.rules.queries import plain_class
from campaign.rules.world import Contact, Engagement, Fleet, Holding, Loss, Ship, World
from engine.core.errors import RuleViolations, Violation
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import BattleResult, Happening, ShipAfter
from umpire.adjudication.prizes import ADRIFT, Taken, captor_of, field_holders
from umpire.adjudication.stores import as_left, told

GONE = ("destroyed", *ADRIFT)


def missing_results(world: World, results: Mapping[str, BattleResult]) -> tuple[Violation, ...]:
    """A fault for every engagement without a result, and for every result without an engagement."""
    keys = {engagement.key for engagement in world.engagements}
    lacking = [Violation(key, "no-result", "this battle has no result yet") for key in sorted(keys - set(results))]
    extra = [Violation(key, "no-such-battle", "no such battle is fought") for key in sorted(set(results) - keys)]
    return tuple(lacking + extra)


@dataclass(frozen=True, slots=True)
class Fought:
    """What battles made of the ships: those left, those lost, keys of those in FTL space, those that changed hands."""

    ships: list[Ship]
    losses: list[Loss]
    jumped: frozenset[str]
    taken: list[Taken]
    heard: list[Happening]


def ships_after(book: Book, world: World, results: Mapping[str, BattleResult]) -> Fought:
    """Every ship after the battles, and what the owners hear.

    Ships captured, struck or left as hulks are recovered by the side that holds the field: its own lie up, others are
    prizes. Where nobody holds it they are lost to all.

    Rules: 2E "When fleets meet" [camp.battle]; PC "Boarding actions" [camp.prizes]; PC "Core systems" [camp.prizes]
    """
    faults = missing_results(world, results)
    if faults:
        raise RuleViolations(faults)
    after = {item.ship: (item, fight) for fight in world.engagements for item in results[fight.key].ships}
    found = Fought([], [], frozenset(key for key, (item, _) in after.items() if item.status == "ftl"), [], [])
    fallen: list[tuple[Ship, ShipAfter, Engagement]] = []
    survivors: dict[str, list[Ship]] = {fight.key: [] for fight in world.engagements}
    for before in world.ships:
        if before.key not in after:
            found.ships.append(before)
            continue
        item, fight = after[before.key]
        ship = as_left(book.classes[before.cls], before, item)
        own = before.faction in field_holders(fight, results[fight.key])
        gone = item.status in GONE and not (own and item.status in ADRIFT)
        found.heard.extend(told(before, ship, fight.hex, gone=gone))
        if gone:
            fallen.append((ship, item, fight))
        elif item.status in ADRIFT:
            found.ships.append(replace(ship, laid_up=True))
            facts = (("ship", ship.name), ("class", plain_class(ship.cls)), ("how", item.status))
            found.heard.append(Happening("recovered", (ship.faction,), fight.hex, facts))
        else:
            found.ships.append(ship)
            if item.status != "ftl":
                survivors[fight.key].append(ship)
    for ship, item, fight in fallen:
        _fall(book, world, found, ship, item, fight, results[fight.key], survivors[fight.key])
    return found


def _fall(
    book: Book,
    world: World,
    found: Fought,
    ship: Ship,
    item: ShipAfter,
    fight: Engagement,
    result: BattleResult,
    survivors: Sequence[Ship],
) -> None:
    """A ship its owner has lost: to nobody, or to whoever holds the field."""
    found.losses.append(Loss(ship, world.week, fight.hex, item.status))
    facts: tuple[tuple[str, str | int], ...] = (
        ("ship", ship.name),
        ("class", plain_class(ship.cls)),
        ("how", item.status),
    )
    captor = captor_of(book, field_holders(fight, result), item.captor, survivors) if item.status in ADRIFT else ""
    if captor:
        found.taken.append(Taken(ship, fight.hex, captor, item.status))
        facts = (*facts, ("captor", captor))
    found.heard.append(Happening("ship-lost", (ship.faction,), fight.hex, facts))


def drones_after(fleets: Sequence[Fleet], results: Mapping[str, BattleResult]) -> list[Fleet]:
    """Fleets without the drones a tactical scan found out.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    lost: dict[str, int] = {}
    for result in results.values():
        for key, many in result.decoys_lost:
            lost[key] = lost.get(key, 0) + many
    if not lost:
        return list(fleets)
    return [
        replace(fleet, decoys_out=max(0, fleet.decoys_out - lost[fleet.key])) if fleet.key in lost else fleet
        for fleet in fleets
    ]


def contacts_after(
    muster: Muster, stand_offs: Sequence[Contact], engagements: Sequence[Engagement]
) -> tuple[Contact, ...]:
    """The contacts that last into the next week: stand-offs of which both sides remain; where both sides of a battle
    remain after it, the system is contested.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    found: dict[tuple[str, str, str], Contact] = {}
    for contact in stand_offs:
        present = muster.present(contact.hex)
        if contact.a in present and contact.b in present:
            found[contact.hex, contact.a, contact.b] = contact
    for engagement in engagements:
        for a, b in engagement.hostile:
            if all(any(not ship.helpless for ship in muster.ships(engagement.hex, name)) for name in (a, b)):
                found[engagement.hex, a, b] = Contact(engagement.hex, a, b, "contested", "")
    return tuple(found[key] for key in sorted(found))


def taken_at_dock(
    book: Book, muster: Muster, holdings: Sequence[Holding], week: int
) -> tuple[list[Loss], list[Taken], list[Happening]]:
    """Helpless ships where the enemy alone holds the system: captured as they are, unless docked and ordered scuttled.

    Rules: 2E "Repairs" [camp.repairs] [camp.prizes]
    """
    by_system = {holding.system: holding for holding in holdings}
    losses: list[Loss] = []
    taken: list[Taken] = []
    heard: list[Happening] = []
    for hex_, present in muster.at.items():
        holding = by_system[book.system_at[hex_].id]
        captor = holding.superior
        if holding.state != "held" or captor is None:
            continue
        for faction in present:
            if not book.hostile(faction, captor):
                continue
            for ship in muster.ships(hex_, faction):
                if ship.helpless:
                    how = "scuttled" if ship.docked and ship.scuttle else "captured"
                    losses.append(Loss(ship, week, hex_, how))
                    facts = (("ship", ship.name), ("class", plain_class(ship.cls)), ("how", how), ("captor", captor))
                    heard.append(Happening("ship-lost", (faction,), hex_, facts))
                    heard.extend(told(ship, ship, hex_, gone=True))
                    if how == "captured":
                        taken.append(Taken(ship, hex_, captor, how, at_dock=ship.docked))
                    else:
                        wreck = (("class", plain_class(ship.cls)), ("owner", faction), ("how", how), ("ship", ""))
                        heard.append(Happening("taken-at-dock", (captor,), hex_, wreck))
    return losses, taken, heard


def tell_battles(world: World, results: Mapping[str, BattleResult]) -> list[Happening]:
    """How each battle ended, for those who fought in it: turns, winner, how many ships of each faction fell.

    Not who got away: a bogey that left unscanned may have been a drone.
    """
    owner = {ship.key: ship.faction for ship in world.ships}
    heard: list[Happening] = []
    for engagement in world.engagements:
        result = results[engagement.key]
        fought = tuple(sorted(name for side in engagement.sides for name in side))
        facts: list[tuple[str, str | int]] = [("turns", result.turns), ("winner", result.winner or "")]
        for name in fought:
            fallen = sum(item.status in GONE and owner.get(item.ship) == name for item in result.ships)
            facts.append((f"{name}-lost", fallen))
        heard.append(Happening("battle-over", fought, engagement.hex, tuple(facts)))
    return heard
