"""The aftermath of a week's battles: losses, stores used up, tows, FTL space, contact, prizes,
hulks, captures at dock.

Who holds the field recovers what lies on it, and a captor sails what he took. Craft, packs and
mines, cargo and passengers are lost and used up besides hulls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import floor

from campaign.events.battles import (
    BattleOver,
    CargoLost,
    LossCause,
    PrizeTaken,
    ShipLost,
    ShipRecovered,
    StoresShort,
    TakenAtDock,
    TowEnded,
)
from campaign.events.contacts import Survivors
from campaign.events.event import WeekEvent
from campaign.rules.battle_sightings import counts_after
from campaign.rules.fleet_names import MOST_LETTERS, names_taken, unique_name
from campaign.rules.forces import last_number
from campaign.rules.queries import class_name, plain_class
from campaign.rules.scenario import ShipClass
from campaign.rules.towing import rides
from campaign.rules.world import Cargo, Contact, Engagement, Fleet, Holding, Loss, Pair, Ship, World
from engine.continuum.damage import room_left
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import ShipStatus
from engine.core.phrase import phrase
from engine.notation.designs import parse_design
from engine.ruleset import ruleset
from umpire.adjudication.decisions import by_hex
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import CARRIED_OFF, BattleResult, ShipAfter

# How a ship may end a battle that somebody can recover afterwards.
ADRIFT = (ShipStatus.CAPTURED, ShipStatus.STRUCK, ShipStatus.HULK)
PRIZES = (*ADRIFT, ShipStatus.LANDED)
WRECKED = 2  # times that a drive stands among what is lost
SIDES_JOINED = "+"

GONE = (ShipStatus.DESTROYED, CARRIED_OFF, *ADRIFT)


def as_left(cls: ShipClass, ship: Ship, after: ShipAfter) -> Ship:
    """A ship as a battle left it, its cargo with it. Rules: 2E "Repairs" [camp.replenish]"""
    cargo = ship.cargo and _cargo_left(cls, ship, ship.cargo, after)
    left = (after.damage, after.lost, after.stock, after.notes, cargo)
    if (ship.damage, ship.lost, ship.stock, ship.notes, ship.cargo) == left:
        return ship
    return replace(
        ship,
        damage=after.damage,
        lost=after.lost,
        stock=after.stock,
        notes=after.notes,
        cargo=cargo,
    )


def _cargo_left(cls: ShipClass, ship: Ship, cargo: Cargo, after: ShipAfter) -> Cargo:
    before, left = _room(cls, ship.lost), _room(cls, after.lost)
    if before is None or left is None:
        return cargo_after(cargo, cls.damage_points, ship.damage, after.damage)
    return cargo_in_holds(cargo, before, left)


def _room(cls: ShipClass, lost: Sequence[str]) -> Fraction | None:
    """The share of a class's holds and berths that is left, None where its sheet shows none."""
    if not cls.design:
        return None
    design = parse_design(cls.design)
    rules = ruleset(design.edition)
    return room_left(rules.yard.fits(design, rules), lost)


def cargo_in_holds(cargo: Cargo, before: Fraction, after: Fraction) -> Cargo:
    """Cargo after a ship went from a share `before` of its holds whole to a share `after`.

    What was in a hold that is lost is gone; what a repaired hold lost does not come back.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    gone = floor(cargo.amount * before) - floor(cargo.amount * after)
    return replace(cargo, left=max(0, cargo.left - max(0, gone)))


def cargo_after(cargo: Cargo, boxes: int, before: int, after: int) -> Cargo:
    """Cargo after a hull of so many boxes went from `before` to `after` points of damage.

    As much of the load goes as of the hull; what a repaired hold lost does not come back.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    gone = (
        cargo.amount * (boxes - before) // boxes
        - cargo.amount * (boxes - min(after, boxes)) // boxes
    )
    return replace(cargo, left=max(0, cargo.left - max(0, gone)))


def told(before: Ship, after: Ship, hex_: str, *, gone: bool) -> list[WeekEvent]:
    """The notices to the owner of a ship's stores and cargo; of one that is `gone` only that its
    cargo is.
    """
    heard: list[WeekEvent] = []
    short = tuple(
        (system, left) for system, left in after.stock if (system, left) not in before.stock
    )
    if short and not gone:
        heard.append(StoresShort((before.faction,), hex_, before.name, short))
    left = 0 if gone or after.cargo is None else after.cargo.left
    if before.cargo is not None and left < before.cargo.left:
        what, lost = before.cargo.what, before.cargo.left - left
        heard.append(CargoLost((before.faction,), hex_, before.name, what, lost, left))
    return heard


def cast_off(
    book: Book, fleets: Iterable[Fleet], ships: Sequence[Ship], engagements: Sequence[Engagement]
) -> tuple[tuple[Ship, ...], list[WeekEvent]]:
    """The ships with all tows let go where a battle begins, but for battleriders, which come to it
    aboard; and what the owners hear.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "Battleriders and motherships" 11.7
    [pc.tugs]
    """
    if not engagements:
        return tuple(ships), []
    fought = {
        (item.hex, faction) for item in engagements for side in item.sides for faction in side
    }
    where = {
        fleet.key: fleet.hex
        for fleet in fleets
        if not fleet.in_ftl and (fleet.hex, fleet.faction) in fought
    }
    cls_of = {ship.key: book.classes[ship.cls] for ship in ships}
    towed = [ship for ship in ships if ship.tug and ship.fleet in where]
    towed = [
        ship
        for ship in towed
        if ship.tug not in cls_of or not rides(cls_of[ship.key], ship, cls_of[ship.tug])
    ]
    let_go = {ship.key for ship in towed}
    heard: list[WeekEvent] = [
        TowEnded((ship.faction,), where[ship.fleet], ship.name) for ship in towed
    ]
    return tuple(replace(ship, tug="") if ship.key in let_go else ship for ship in ships), heard


@dataclass(frozen=True, slots=True)
class Taken:
    """A ship that changed hands at a hex: as it was under its old flag, who has it now, and how he
    came by it.
    """

    ship: Ship
    hex: str
    captor: str
    how: str
    at_dock: bool = False


def field_holders(engagement: Engagement, result: BattleResult) -> tuple[str, ...]:
    """The factions of the side a battle left alone on the field; none where both remain, or
    nobody.
    """
    return next((side for side in engagement.sides if SIDES_JOINED.join(side) == result.winner), ())


def captor_of(book: Book, holders: Sequence[str], named: str, survivors: Iterable[Ship]) -> str:
    """The faction of the side that holds the field that gets a prize: who took it, else the
    strongest there, in points.

    Empty where none of them has a ship left that is not helpless.
    """
    points: dict[str, int] = {}
    for ship in survivors:
        if ship.faction in holders and not ship.helpless:
            points[ship.faction] = points.get(ship.faction, 0) + book.classes[ship.cls].points
    if named in points:
        return named
    return min(points, key=lambda faction: (-points[faction], faction), default="")


def prizes_made(
    book: Book,
    fleets: Sequence[Fleet],
    ships: Sequence[Ship],
    gone: Iterable[Ship],
    taken: Sequence[Taken],
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """All fleets and ships with the prizes, each hex's in a new fleet of its captor, and what the
    captors hear.

    Fleets and ships come in the order of their keys, and leave in it. A prize is as it was taken,
    laid up until a base has worked on it. Its key and name are the captor's own, so that neither
    tells how many ships its old flag has. `gone`: ships lost, whose keys are never given again.

    Rules: PC "Boarding actions" [camp.prizes]; PC "Core systems" [camp.prizes]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    heard: list[WeekEvent] = []
    if not taken:
        return all_fleets, all_ships, heard
    last_ship = _last_numbers((*ships, *gone), "s")
    last_fleet = _last_numbers(fleets, "f")
    by_place: dict[tuple[str, str], list[Taken]] = {}
    for item in taken:
        by_place.setdefault((item.captor, item.hex), []).append(item)
    captors = {captor for captor, _ in by_place}
    fleet_names = {captor: names_taken(fleets, captor) for captor in captors}
    for (captor, hex_), here in sorted(by_place.items()):
        last_fleet[captor] += 1
        wanted = phrase("Prizes of {}", book.system_at[hex_].name)[:MOST_LETTERS].strip()
        name = unique_name(wanted, fleet_names[captor])
        fleet_names[captor].add(name.casefold())
        fleet = Fleet(key=f"{captor}/f{last_fleet[captor]}", faction=captor, name=name, hex=hex_)
        all_fleets.append(fleet)
        for item in sorted(here, key=lambda item: (item.ship.cls, item.ship.damage, item.ship.key)):
            last_ship[captor] += 1
            prize = _prize(book, fleet, item.ship, last_ship[captor])
            all_ships.append(prize)
            event = TakenAtDock if item.at_dock else PrizeTaken
            cls = plain_class(prize.cls)
            heard.append(event((captor,), hex_, cls, item.ship.faction, item.how, prize.name))
    return sorted(all_fleets, key=lambda f: f.key), sorted(all_ships, key=lambda s: s.key), heard


def _last_numbers(things: Iterable[Fleet | Ship], letter: str) -> Counter[str]:
    """Return the highest number in keys such as `esu/s12`, by faction; 0 where there is none."""
    keys_of: dict[str, list[str]] = {}
    for thing in things:
        faction, _, tail = thing.key.partition("/")
        if tail.startswith(letter):
            keys_of.setdefault(faction, []).append(thing.key)
    return Counter({faction: last_number(keys) for faction, keys in keys_of.items()})


def _prize(book: Book, fleet: Fleet, ship: Ship, number: int) -> Ship:
    captor = fleet.faction
    name = phrase("{} prize {}", class_name(book.scenario, captor, ship.cls), number)
    return replace(
        ship,
        key=f"{captor}/s{number}",
        faction=captor,
        name=name,
        fleet=fleet.key,
        docked=False,
        scuttle=False,
        weasel_on=False,
        repair=(),
        replenish=False,
        refit=(),
        tug="",
        laid_up=True,
    )


def missing_results(world: World, results: Mapping[str, BattleResult]) -> tuple[Violation, ...]:
    """A fault for every engagement without a result, and for every result without an engagement."""
    keys = {engagement.key for engagement in world.engagements}
    lacking = [
        Violation(key, "no-result", phrase("this battle has no result yet"))
        for key in sorted(keys - set(results))
    ]
    extra = [
        Violation(key, "no-such-battle", phrase("no such battle is fought"))
        for key in sorted(set(results) - keys)
    ]
    return tuple(lacking + extra)


@dataclass(frozen=True, slots=True)
class ShipsAfter:
    """The ships after battles: those left, those lost, keys of those in FTL space, those that
    changed hands.
    """

    ships: list[Ship]
    losses: list[Loss]
    jumped: frozenset[str]
    taken: list[Taken]
    heard: list[WeekEvent]


def ships_after(book: Book, world: World, results: Mapping[str, BattleResult]) -> ShipsAfter:
    """Every ship after the battles, and what the owners hear.

    Ships captured, struck or left as hulks are recovered by the side that holds the field: its own
    lie up, others are prizes. Where nobody holds it they are lost to all. What came down on a
    planet is a prize where a foe holds the field; else it takes off again, or lies up where its
    drive is wrecked.

    Rules: 2E "When fleets meet" [camp.battle]; PC "Boarding actions" [camp.prizes]; PC "Core
    systems" [camp.prizes]; Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    faults = missing_results(world, results)
    if faults:
        raise RuleViolations(faults)
    after = {
        item.ship: (item, fight) for fight in world.engagements for item in results[fight.key].ships
    }
    found = ShipsAfter(
        [],
        [],
        frozenset(key for key, (item, _) in after.items() if item.status == ShipStatus.FTL),
        [],
        [],
    )
    fallen: list[tuple[Ship, ShipAfter, Engagement]] = []
    survivors: dict[str, list[Ship]] = {fight.key: [] for fight in world.engagements}
    for before in world.ships:
        if before.key not in after:
            found.ships.append(before)
            continue
        item, fight = after[before.key]
        ship = as_left(book.classes[before.cls], before, item)
        holders = field_holders(fight, results[fight.key])
        own = before.faction in holders
        gone = item.status in GONE and not (own and item.status in ADRIFT)
        gone = gone or (item.status == ShipStatus.LANDED and bool(holders) and not own)
        found.heard.extend(told(before, ship, fight.hex, gone=gone))
        if gone:
            fallen.append((ship, item, fight))
        elif item.status in ADRIFT or (
            item.status == ShipStatus.LANDED and item.lost.count("drive") == WRECKED
        ):
            found.ships.append(replace(ship, laid_up=True))
            cls = plain_class(ship.cls)
            found.heard.append(
                ShipRecovered((ship.faction,), fight.hex, ship.name, cls, item.status)
            )
        else:
            found.ships.append(ship)
            if item.status != ShipStatus.FTL:
                survivors[fight.key].append(ship)
    for ship, item, fight in fallen:
        _fall(book, world, found, ship, item, fight, results[fight.key], survivors[fight.key])
    return found


def _fall(
    book: Book,
    world: World,
    found: ShipsAfter,
    ship: Ship,
    item: ShipAfter,
    fight: Engagement,
    result: BattleResult,
    survivors: Sequence[Ship],
) -> None:
    """A ship its owner has lost: to nobody, or to whoever holds the field."""
    holders = field_holders(fight, result)
    taken_along = item.status == CARRIED_OFF and item.captor in holders
    how = ShipStatus.CAPTURED if item.status == CARRIED_OFF else item.status
    found.losses.append(Loss(ship, world.week, fight.hex, how))
    captor = (
        captor_of(book, holders, item.captor, survivors)
        if item.status in PRIZES or taken_along
        else ""
    )
    if captor:
        found.taken.append(Taken(ship, fight.hex, captor, how))
    cls = plain_class(ship.cls)
    found.heard.append(ShipLost((ship.faction,), fight.hex, ship.name, cls, how, captor))


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
        replace(fleet, decoys_out=max(0, fleet.decoys_out - lost[fleet.key]))
        if fleet.key in lost
        else fleet
        for fleet in fleets
    ]


def contacts_after(
    muster: Muster, stand_offs: Sequence[Contact], engagements: Sequence[Engagement]
) -> tuple[Contact, ...]:
    """The contacts that last into the next week: stand-offs of which both sides remain; where both
    sides of a battle remain after it, the system is contested.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    found: dict[tuple[str, str, str], Contact] = {}
    for contact in stand_offs:
        present = muster.present(contact.hex)
        if contact.a in present and contact.b in present:
            found[contact.hex, contact.a, contact.b] = contact
    for engagement in engagements:
        for a, b in engagement.hostile:
            if all(
                any(not ship.helpless for ship in muster.ships(engagement.hex, name))
                for name in (a, b)
            ):
                found[engagement.hex, a, b] = Contact(engagement.hex, a, b, "contested", "")
    return tuple(found[key] for key in sorted(found))


def taken_at_dock(
    book: Book, muster: Muster, holdings: Sequence[Holding], week: int
) -> tuple[list[Loss], list[Taken], list[WeekEvent]]:
    """Helpless ships where the enemy alone holds the system: captured as they are, unless docked
    and ordered scuttled.

    Rules: 2E "Repairs" [camp.repairs] [camp.prizes]
    """
    by_system = {holding.system: holding for holding in holdings}
    losses: list[Loss] = []
    taken: list[Taken] = []
    heard: list[WeekEvent] = []
    for hex_, present in muster.at.items():
        holding = by_system[book.system_at[hex_].id]
        captor = holding.unchallenged
        if captor is None:
            continue
        for faction in present:
            if not book.hostile(faction, captor):
                continue
            for ship in muster.ships(hex_, faction):
                if ship.helpless:
                    how = LossCause.SCUTTLED if ship.docked and ship.scuttle else LossCause.CAPTURED
                    losses.append(Loss(ship, week, hex_, how))
                    cls = plain_class(ship.cls)
                    heard.append(ShipLost((faction,), hex_, ship.name, cls, how, captor))
                    heard.extend(told(ship, ship, hex_, gone=True))
                    if how == LossCause.CAPTURED:
                        taken.append(Taken(ship, hex_, captor, how, at_dock=ship.docked))
                    else:
                        heard.append(TakenAtDock((captor,), hex_, cls, faction, how))
    return losses, taken, heard


def tell_survivors(
    book: Book,
    world: World,
    results: Mapping[str, BattleResult],
    holdings: Iterable[Holding],
    taken: Sequence[Taken],
) -> list[WeekEvent]:
    """The notices of what those who fought know to be left of each foe at the hex of a battle.

    Only those who read the foe by long range scan before the battle are told, and allies who share
    their sight. `world` is the world before the battles, `holdings` are those after them.
    """
    holding_of = {holding.system: holding for holding in holdings}
    scans = {(scan.hex, scan.viewer, scan.target): scan.counts for scan in world.scans}
    pairs_at = by_hex(world.pairs)
    prizes_of = _prizes(book, taken)
    heard: list[WeekEvent] = []
    for engagement in world.engagements:
        hex_, result = engagement.hex, results[engagement.key]
        holding = holding_of[book.system_at[hex_].id]
        withdrew = _got_away(pairs_at.get(hex_, ()), engagement)
        for side, foe in permutations(engagement.sides, 2):
            side_name, foe_name = SIDES_JOINED.join(side), SIDES_JOINED.join(foe)
            seen = [one for one in result.seen if (one.viewer, one.of) == (side_name, foe_name)]
            for viewers in book.sharing_sight(side):
                read = {
                    faction: scans[hex_, viewers[0], faction]
                    for faction in foe
                    if (hex_, viewers[0], faction) in scans
                }
                if not read:
                    continue
                after = counts_after(
                    foe_name,
                    read,
                    seen,
                    winner=result.winner,
                    withdrew=withdrew,
                    has_system=_has_to_itself(book, holding, viewers[0]),
                )
                for faction, counts in sorted(after.items()):
                    whole = Counter(dict(counts))
                    for viewer in viewers:
                        whole += prizes_of.get((hex_, viewer, faction), Counter())
                    heard.append(Survivors(viewers, hex_, faction, tuple(sorted(whole.items()))))
    return heard


def _got_away(pairs: Iterable[Pair], engagement: Engagement) -> frozenset[str]:
    """Return the factions of a battle whose other ships there withdrew: all but those caught.

    Args:
        pairs: The pairs of the battle's hex.
    """
    chose = {
        name
        for pair in pairs
        for name, choice in ((pair.a, pair.choice_a), (pair.b, pair.choice_b))
        if choice == "withdraw"
    }
    return frozenset(chose - set(engagement.caught))


def _has_to_itself(book: Book, holding: Holding, viewer: str) -> bool:
    """Return whether a viewer's side alone has a system now, so that no foe lies at dock there."""
    alone = holding.unchallenged
    return alone is not None and not book.hostile(alone, viewer)


def _prizes(book: Book, taken: Iterable[Taken]) -> dict[tuple[str, str, str], Counter[str]]:
    """Count the ships taken by classification, for each hex, faction that lost them and captor."""
    prizes: dict[tuple[str, str, str], Counter[str]] = {}
    for item in taken:
        counts = prizes.setdefault((item.hex, item.ship.faction, item.captor), Counter())
        counts[book.classes[item.ship.cls].classification] += 1
    return prizes


def tell_battles(world: World, results: Mapping[str, BattleResult]) -> list[WeekEvent]:
    """The notices of how each battle ended, for those who fought in it: turns, winner, how many
    ships of each faction fell.

    Not who got away: a bogey that left unscanned may have been a drone.
    """
    owner = {ship.key: ship.faction for ship in world.ships} if world.engagements else {}
    heard: list[WeekEvent] = []
    for engagement in world.engagements:
        result = results[engagement.key]
        fought = tuple(sorted(name for side in engagement.sides for name in side))
        fallen = Counter(owner.get(item.ship) for item in result.ships if item.status in GONE)
        losses = tuple((name, fallen[name]) for name in fought)
        winner = result.winner or ""
        heard.append(BattleOver(fought, engagement.hex, result.turns, winner, losses))
    return heard
