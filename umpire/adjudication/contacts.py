"""Hostile factions in one system hex: long range scans, who meets whom, choices settled hex by hex,
fleets torn apart.

Scans are falsified by decoy drones and weasel boats. A fleet is torn apart where some of its ships
can leave and others stay.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from campaign.events.contacts import Survivors
from campaign.events.event import WeekEvent
from campaign.rules.battle_entries import DECOY_LABEL, label
from campaign.rules.orders import Orders
from campaign.rules.perceive import index_scans
from campaign.rules.scenario import Choice
from campaign.rules.towing import rides
from campaign.rules.world import Contact, Engagement, Fleet, Pair, Scan, Ship, World
from engine.core.dice import Dice
from umpire.adjudication import outcome
from umpire.adjudication.decisions import (
    Choosing,
    Settlement,
    by_hex,
    engagements,
    force,
    settle,
    standing_choice,
    with_choices,
)
from umpire.adjudication.muster import Book, Muster, Present

PairKey = tuple[str, str, str]  # hex, and the two factions in order


def decoys_seen(fleet: Fleet, ships: int) -> int:
    """The decoy drones a fleet shows: those deployed, at most one for each real ship.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    return min(fleet.decoys_out, ships)


def count_contacts(
    book: Book, muster: Muster, fleets: Iterable[Fleet]
) -> tuple[tuple[str, int], ...]:
    """(classification, contacts) of some fleets as a long range scan reads them, docked ships too,
    but no battleriders aboard their motherships; sorted.

    Rules: 2E "When fleets meet" [camp.scan]; Continuum "Battleriders and motherships" 11.7
    [pc.tugs]
    """
    counts: dict[str, int] = {}
    classes = book.classes
    for fleet in fleets:
        ships = muster.ships_of[fleet.key]
        for ship in ships:
            if ship.tug and _is_aboard(book, ship, ships):
                continue
            kind = label(classes, ship) if ship.weasel_on else classes[ship.cls].classification
            counts[kind] = counts.get(kind, 0) + 1
        decoys = decoys_seen(fleet, len(ships))
        if decoys:
            counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + decoys
    return tuple(sorted(counts.items()))


def _is_aboard(book: Book, ship: Ship, crew: Sequence[Ship]) -> bool:
    """Whether a ship in tow is aboard its mothership, among the ships of its fleet."""
    classes = book.classes
    mothers = (classes[other.cls] for other in crew if other.key == ship.tug)
    return any(rides(classes[ship.cls], ship, mother) for mother in mothers)


def scans_at(book: Book, muster: Muster, hex_: str, present: Present) -> list[Scan]:
    """Every long range scan read at a system hex: each faction there scans each hostile one.

    A settlement whose owner has no ships there scans what is hostile, and is found to have none.
    Allies read each other's scans only where the scenario says so.

    Rules: 2E "When fleets meet" [camp.scan]
    """
    system = book.system_at[hex_]
    there = set(present)
    if system.settled and system.owner is not None:
        there.add(system.owner)
    if len(there) < 2:
        return []
    watchers = sorted(there)
    read: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
    for target in watchers:
        viewers = [viewer for viewer in watchers if book.hostile(viewer, target)]
        if viewers:
            counts = count_contacts(book, muster, present.get(target, ()))
            read.update({(viewer, target): counts for viewer in viewers})
    _share(book, read)
    return [Scan(hex_, viewer, target, counts) for (viewer, target), counts in sorted(read.items())]


def scans_from_afar(
    book: Book, muster: Muster, wanted: Mapping[str, Collection[str]]
) -> list[Scan]:
    """Every long range scan that factions read outside the system hexes where they are.

    Each hostile faction with fleets in a scanned hex is read, between the stars too. Neither it
    nor anybody else is told.

    Args:
        wanted: The hexes that each faction scans.
    """
    if not any(wanted.values()):
        return []
    viewers_of: dict[str, list[str]] = {}
    for viewer in sorted(wanted):
        for hex_ in wanted[viewer]:
            viewers_of.setdefault(hex_, []).append(viewer)
    between_stars = muster.between_stars()
    scans: list[Scan] = []
    for hex_, viewers in sorted(viewers_of.items()):
        present = muster.at.get(hex_) or between_stars.get(hex_, {})
        read: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
        for target, fleets in present.items():
            readers = [viewer for viewer in viewers if book.hostile(viewer, target)]
            if readers:
                counts = count_contacts(book, muster, fleets)
                read.update({(viewer, target): counts for viewer in readers})
        _share(book, read)
        scans += [Scan(hex_, viewer, target, counts) for (viewer, target), counts in read.items()]
    return scans


def _share(book: Book, read: dict[tuple[str, str], tuple[tuple[str, int], ...]]) -> None:
    """Let allies read each other's scans, (viewer, target) -> counts, where the scenario says
    so.
    """
    if not book.scenario.shared_sight:
        return
    for (viewer, target), counts in list(read.items()):
        for ally in book.factions:
            if book.side[ally] == book.side[viewer]:
                read.setdefault((ally, target), counts)


def meetings(book: Book, muster: Muster, in_contact: Mapping[PairKey, Pair]) -> list[Pair]:
    """Every pair of hostile factions with ships in one system hex, in order of hex and factions.

    Fleets in FTL space and between the stars meet nobody. Pairs in contact since an earlier week
    (`in_contact`) come with the choices given in the orders; whoever joined their fleets since is
    bound by them.

    Rules: 2E "When fleets meet" [camp.meeting]
    """
    pairs: list[Pair] = []
    for hex_, present in muster.at.items():
        if len(present) < 2:
            continue
        factions = list(present)
        for place, a in enumerate(factions):
            for b in factions[place + 1 :]:
                if book.hostile(a, b):
                    known = in_contact.get((hex_, a, b))
                    pairs.append(
                        known if known is not None and known.settled != "gone" else Pair(hex_, a, b)
                    )
    return pairs


@dataclass(frozen=True, slots=True)
class Met:
    """The outcome of all pairs.

    `ships_going`: keys of the ships that get away; `held`: (faction, hex) that must stay.

    `both_withdrew`: hexes where two factions withdrew from each other.
    """

    pairs: tuple[Pair, ...]
    engagements: tuple[Engagement, ...]
    ships_going: frozenset[str]
    held: frozenset[tuple[str, str]]
    both_withdrew: tuple[str, ...]
    heard: list[WeekEvent]

    def fleets_bound(self, world: World) -> frozenset[str]:
        """The fleets that may not move: their faction is in contact and did not get away."""
        if not self.held:
            return frozenset()
        return frozenset(
            fleet.key
            for fleet in world.fleets
            if not fleet.in_ftl and (fleet.faction, fleet.hex) in self.held
        )


def choices_given(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> Met:
    """The choices of those in contact since an earlier week, settled before movement.

    A fleet that moves out withdraws, and with it all its faction has there; else the choice given
    holds, else the standing order, else they stand off.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    if not world.contacts:
        return Met((), (), frozenset(), frozenset(), (), [])
    muster = Muster(book, world)
    moving = {move.fleet for sheet in orders.values() for move in sheet.moves}
    leaving = {
        (fleet.hex, fleet.faction)
        for fleet in world.fleets
        if fleet.key in moving and not fleet.in_ftl
    }
    given = _given(orders)
    standing = partial(standing_choice, muster, index_scans(world.scans))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        if (hex_, faction) in leaving:
            return "withdraw"
        return given.get((hex_, faction, toward)) or standing(hex_, faction, toward)

    pairs = [
        Pair(contact.hex, contact.a, contact.b)
        for contact in world.contacts
        if contact.a in muster.present(contact.hex) and contact.b in muster.present(contact.hex)
    ]
    return _met(book, muster, world.week, pairs, choose, dice)


def choices_revealed(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> Met:
    """The choices of all who met this week, settled at the same moment with those given with the
    orders.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    muster = Muster(book, world)
    given = _given(orders)
    standing = partial(standing_choice, muster, index_scans(world.scans))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        return given.get((hex_, faction, toward)) or standing(hex_, faction, toward)

    met = _met(book, muster, world.week, world.pairs, choose, dice)
    met.heard.extend(outcome.joined(met.engagements))
    return met


def _given(orders: Mapping[str, Orders]) -> dict[tuple[str, str, str], Choice]:
    return {
        (item.hex, faction, item.toward): item.choice
        for faction, sheet in orders.items()
        for item in sheet.decide
    }


def _met(
    book: Book, muster: Muster, week: int, pairs: Iterable[Pair], choose: Choosing, dice: Dice
) -> Met:
    settled: list[Pair] = []
    fights: list[Engagement] = []
    going: set[str] = set()
    held: set[tuple[str, str]] = set()
    emptied: list[str] = []
    heard: list[WeekEvent] = []
    for hex_, here in by_hex(pairs).items():
        names = sorted({name for pair in here for name in (pair.a, pair.b)})
        forces = {name: force(book, muster, hex_, name) for name in names}
        asked = [with_choices(pair, choose) for pair in here]
        done = settle(asked, forces, dice)
        settled.extend(done.pairs)
        fights.extend(engagements(book, week, done.pairs))
        for name in names:
            if name in done.leaving:
                crew = muster.ships(hex_, name)
                going.update(ship.key for ship in crew if book.can_leave(ship, crew))
            else:
                held.add((name, hex_))
        if any(
            pair.settled == "gone" and {pair.a, pair.b} <= set(done.leaving) for pair in done.pairs
        ):
            emptied.append(hex_)
        heard.extend(outcome.chased(hex_, done.chases))
        heard.extend(
            outcome.decided(
                pair
                for pair, before in zip(done.pairs, here, strict=True)
                if before.settled is None
            )
        )
        heard.extend(outcome.withdrew(hex_, done.leaving))
        heard.extend(_seen_leaving(book, hex_, done))
    return Met(
        tuple(settled), tuple(fights), frozenset(going), frozenset(held), tuple(emptied), heard
    )


def _seen_leaving(book: Book, hex_: str, done: Settlement) -> list[WeekEvent]:
    """To those who stay at a hex: that nothing is left there of a foe who withdrew from them."""
    heard: list[WeekEvent] = []
    for pair in done.pairs:
        for stays, leaves in ((pair.a, pair.b), (pair.b, pair.a)):
            if pair.settled == "gone" and leaves in done.leaving and stays not in done.leaving:
                (viewers,) = book.sharing_sight((stays,))
                heard.append(Survivors(viewers, hex_, leaves))
    return heard


def stand_offs(book: Book, world: World, pairs: Iterable[Pair]) -> tuple[Contact, ...]:
    """The pairs that glare at each other: the occupant in the inner system, the newcomer on the
    fringe.

    Rules: 2E "The stand off" [camp.stand-off]
    """
    inner = {(contact.hex, contact.a, contact.b): contact.inner for contact in world.contacts}
    holders = {holding.system: holding.holder for holding in world.holdings}
    found = []
    for pair in pairs:
        if pair.settled == "apart":
            holder = holders[book.system_at[pair.hex].id]
            occupant = inner.get((pair.hex, pair.a, pair.b)) or (
                holder if holder in (pair.a, pair.b) else ""
            )
            found.append(Contact(pair.hex, pair.a, pair.b, "stand-off", occupant or ""))
    return tuple(found)


def part_fleets(
    fleets: Sequence[Fleet], ships: Sequence[Ship], going: Collection[str]
) -> tuple[list[Fleet], list[Ship], frozenset[str]]:
    """Fleets and ships with the ships `going` parted from those that stay, and the keys of the
    fleets that go.

    Those who go keep their fleet's key, name and the drones aboard; what stays of a torn fleet
    forms a new one with the drones that are out. Fleets without ships are gone.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]
    """
    if not going:
        manned = {ship.fleet for ship in ships}
        kept = [fleet for fleet in fleets if fleet.key in manned]
        return sorted(kept, key=attrgetter("key")), list(ships), frozenset()
    goers = {ship.fleet for ship in ships if ship.key in going}
    stayers = {ship.fleet for ship in ships if ship.key not in going}
    torn = goers & stayers
    taken = {fleet.key for fleet in fleets}
    remnant: dict[str, str] = {}
    after: list[Fleet] = []
    for fleet in fleets:
        if fleet.key in torn:
            remnant[fleet.key] = key = _spare_key(fleet.key, taken)
            after.append(replace(fleet, key=key, decoys=0))
            after.append(replace(fleet, decoys_out=0))
        elif fleet.key in goers or fleet.key in stayers:
            after.append(fleet)
    crews = [
        replace(ship, fleet=remnant[ship.fleet])
        if ship.fleet in remnant and ship.key not in going
        else ship
        for ship in ships
    ]
    return sorted(after, key=attrgetter("key")), crews, frozenset(goers)


def into_ftl(fleets: Sequence[Fleet], going: Container[str]) -> list[Fleet]:
    """Fleets with those that go in FTL space at their hex: unseen, holding nothing, and to move on
    their next move.

    Drones that are out are left behind.

    Rules: 2E "When fleets meet" [camp.must-leave]
    """
    return [
        replace(fleet, in_ftl=True, must_leave=True, decoys_out=0) if fleet.key in going else fleet
        for fleet in fleets
    ]


def _spare_key(key: str, taken: Container[str]) -> str:
    """The key of what stays behind: the fleet's own with the first number that is free."""
    number = 2
    while f"{key}.{number}" in taken:
        number += 1
    return f"{key}.{number}"
