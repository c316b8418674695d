"""The aftermath of a week's battles: losses, who is in FTL space, what stays in contact, what is captured at dock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.rules.world import Contact, Engagement, Fleet, Holding, Loss, Ship, World
from engine.errors import RuleViolations, Violation
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import BattleResult, Happening, ShipAfter

GONE = ("destroyed", "captured")


def missing_results(world: World, results: Mapping[str, BattleResult]) -> tuple[Violation, ...]:
    """A fault for every engagement without a result, and for every result without an engagement."""
    keys = {engagement.key for engagement in world.engagements}
    lacking = [Violation(key, "no-result", "this battle has no result yet") for key in sorted(keys - set(results))]
    extra = [Violation(key, "no-such-battle", "no such battle is fought") for key in sorted(set(results) - keys)]
    return tuple(lacking + extra)


def ships_after(
    world: World, results: Mapping[str, BattleResult]
) -> tuple[list[Ship], list[Loss], frozenset[str], list[Happening]]:
    """Ships and losses after the battles, the keys of the ships in FTL space, and what the owners hear.

    Rules: 2E "When fleets meet" [camp.battle]
    """
    faults = missing_results(world, results)
    if faults:
        raise RuleViolations(faults)
    where = {engagement.key: engagement.hex for engagement in world.engagements}
    after: dict[str, tuple[ShipAfter, str]] = {}
    for engagement in world.engagements:
        for item in results[engagement.key].ships:
            after[item.ship] = (item, where[engagement.key])
    ships: list[Ship] = []
    losses: list[Loss] = []
    jumped: list[str] = []
    heard: list[Happening] = []
    for ship in world.ships:
        found = after.get(ship.key)
        if found is None:
            ships.append(ship)
            continue
        item, hex_ = found
        ship = _as_left(ship, item)
        if item.status in GONE:
            losses.append(Loss(ship, world.week, hex_, item.status))
            facts = (("ship", ship.name), ("class", ship.cls), ("how", item.status))
            heard.append(Happening("ship-lost", (ship.faction,), hex_, facts))
            continue
        if item.status == "ftl":
            jumped.append(ship.key)
        ships.append(ship)
    return ships, losses, frozenset(jumped), heard


def _as_left(ship: Ship, item: ShipAfter) -> Ship:
    if (ship.damage, ship.lost, ship.spent) == (item.damage, item.lost, item.spent):
        return ship
    return replace(ship, damage=item.damage, lost=item.lost, spent=item.spent)


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
            if all(any(not ship.docked for ship in muster.ships(engagement.hex, name)) for name in (a, b)):
                found[engagement.hex, a, b] = Contact(engagement.hex, a, b, "contested", "")
    return tuple(found[key] for key in sorted(found))


def taken_at_dock(
    book: Book, muster: Muster, holdings: Sequence[Holding], week: int
) -> tuple[list[Loss], list[Happening]]:
    """Docked ships where the enemy alone holds the system: captured as they are, unless ordered scuttled.

    Rules: 2E "Repairs" [camp.repairs]
    """
    by_system = {holding.system: holding for holding in holdings}
    losses: list[Loss] = []
    heard: list[Happening] = []
    for hex_, present in muster.at.items():
        holding = by_system[book.system_at[hex_].id]
        if holding.state != "held" or holding.superior is None:
            continue
        for faction in present:
            if not book.hostile(faction, holding.superior):
                continue
            for ship in muster.ships(hex_, faction):
                if ship.docked:
                    how = "scuttled" if ship.scuttle else "captured"
                    losses.append(Loss(ship, week, hex_, how))
                    facts = (("ship", ship.name), ("class", ship.cls), ("how", how), ("captor", holding.superior))
                    heard.append(Happening("ship-lost", (faction,), hex_, facts))
                    prize = (("class", ship.cls), ("owner", faction), ("how", how))
                    heard.append(Happening("taken-at-dock", (holding.superior,), hex_, prize))
    return losses, heard


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
