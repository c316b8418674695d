"""The aftermath of a week's battles.

It covers losses, expended stores, tows, ships in FTL space, contacts, prizes, hulks and captures at
dock. The side that holds the field recovers the ships left there, and captors keep the ships they
took. Besides hulls, battles also cost fighters, ordnance packs, mines, cargo and passengers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, permutations
from math import floor
from operator import attrgetter

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
from campaign.rules.fleet_names import MAX_NAME_LENGTH, unique_name, used_names
from campaign.rules.forces import last_number
from campaign.rules.goods import spaces_of_cargo
from campaign.rules.queries import class_name, short_class_name
from campaign.rules.scenario import ShipClass
from campaign.rules.towing import is_aboard
from campaign.rules.world import Cargo, Contact, Engagement, Fleet, Holding, Loss, Pair, Ship, World
from engine.continuum.damage import CARGO, cargo_share_left
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import ShipStatus
from engine.core.phrase import phrase
from engine.notation.designs import parse_design
from engine.ruleset import ruleset
from umpire.adjudication.decisions import group_by_hex
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex, hex_of_fighting_fleets
from umpire.adjudication.outcome import CARRIED_OFF, BattleResult, ShipAfter

# Statuses of a ship that the side holding the field can recover after a battle.
HELPLESS_STATUSES = (ShipStatus.CAPTURED, ShipStatus.SURRENDERED, ShipStatus.HULK)
PRIZE_STATUSES = (*HELPLESS_STATUSES, ShipStatus.LANDED)
WRECKED_DRIVE_HITS = 2  # entries of the drive in a ship's lost systems when it is wrecked
FACTION_SEPARATOR = "+"

LOSS_STATUSES = (ShipStatus.DESTROYED, CARRIED_OFF, *HELPLESS_STATUSES)


def ship_after_battle(
    cls: ShipClass, ship: Ship, after: ShipAfter, spaces: Collection[str] = CARGO
) -> Ship:
    """Return a ship, and its cargo, as a battle left it.

    Args:
        spaces: The types of systems that hold its cargo.

    Rules: 2E "Repairs" [camp.replenish]
    """
    cargo = ship.cargo and _remaining_cargo(cls, ship, ship.cargo, after, spaces)
    if after.is_free and ship.docked:
        ship = replace(ship, docked=False, scuttle=False, repair=(), replenish=False, refit=())
    state_after = (after.damage, after.lost, after.stock, after.notes, cargo)
    if (ship.damage, ship.lost, ship.stock, ship.notes, ship.cargo) == state_after:
        return ship
    return replace(
        ship,
        damage=after.damage,
        lost=after.lost,
        stock=after.stock,
        notes=after.notes,
        cargo=cargo,
    )


def _remaining_cargo(
    cls: ShipClass, ship: Ship, cargo: Cargo, after: ShipAfter, spaces: Collection[str]
) -> Cargo:
    """Return a ship's cargo after a battle: by the holds lost, or by hull damage without holds."""
    share_before = _hold_share(cls, ship.lost, spaces)
    share_after = _hold_share(cls, after.lost, spaces)
    if share_before is None or share_after is None:
        return cargo_after(cargo, cls.damage_points, ship.damage, after.damage)
    return cargo_in_holds(cargo, share_before, share_after)


def _hold_share(cls: ShipClass, lost: Sequence[str], spaces: Collection[str]) -> Fraction | None:
    """Return the share of a class's holds and berths that is left; None if its design has none."""
    if not cls.design:
        return None
    design = parse_design(cls.design)
    rules = ruleset(design.edition)
    return cargo_share_left(rules.yard.fits(design, rules), lost, spaces)


def cargo_in_holds(cargo: Cargo, before: Fraction, after: Fraction) -> Cargo:
    """Return the cargo of a ship after some of its holds were lost.

    Cargo in a lost hold is gone, and repairing the hold does not bring it back.

    Args:
        before: The share of the holds that was intact before.
        after: The share that is intact now.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    lost_amount = floor(cargo.amount * before) - floor(cargo.amount * after)
    return replace(cargo, remaining=max(0, cargo.remaining - max(0, lost_amount)))


def cargo_after(cargo: Cargo, boxes: int, before: int, after: int) -> Cargo:
    """Return the cargo of a ship after its hull took damage.

    The load shrinks in proportion to the hull. Repairing the hull does not bring lost cargo back.

    Args:
        boxes: The damage points of the whole hull.
        before: The points of damage before.
        after: The points of damage now.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    load_before = cargo.amount * (boxes - before) // boxes
    load_after = cargo.amount * (boxes - min(after, boxes)) // boxes
    lost_amount = max(0, load_before - load_after)
    return replace(cargo, remaining=max(0, cargo.remaining - lost_amount))


def loss_events(before: Ship, after: Ship, hex_: str, *, is_lost: bool) -> list[WeekEvent]:
    """Return the notices to a ship's owner about lost stores and cargo.

    Args:
        is_lost: Whether the ship itself is lost; then only its cargo is reported.
    """
    events: list[WeekEvent] = []
    owner = (before.faction,)
    new_shortages = tuple(store for store in after.stock if store not in before.stock)
    if new_shortages and not is_lost:
        events.append(StoresShort(owner, hex_, before.name, new_shortages))
    if is_lost or after.cargo is None:
        remaining = 0
    else:
        remaining = after.cargo.remaining
    if before.cargo is not None and remaining < before.cargo.remaining:
        events.append(
            CargoLost(
                owner,
                hex_,
                ship=before.name,
                what=before.cargo.what,
                lost=before.cargo.remaining - remaining,
                remaining=remaining,
            )
        )
    return events


def release_tows(
    index: ScenarioIndex,
    fleets: Iterable[Fleet],
    ships: Sequence[Ship],
    engagements: Sequence[Engagement],
) -> tuple[tuple[Ship, ...], list[WeekEvent]]:
    """Release all tows in the hexes where a battle begins, and return the ships and the notices to
    owners.

    Battleriders aboard their motherships are not released: they come to the battle aboard.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "Battleriders and motherships" 11.7
    [pc.tugs]
    """
    if not engagements:
        return tuple(ships), []
    hex_of_fleet = hex_of_fighting_fleets(fleets, engagements)
    class_of = {ship.key: index.classes[ship.cls] for ship in ships}
    after: list[Ship] = []
    events: list[WeekEvent] = []
    for ship in ships:
        tug_class = class_of.get(ship.tug)
        is_in_tow = ship.tug and ship.fleet in hex_of_fleet
        if is_in_tow and not (tug_class and is_aboard(class_of[ship.key], ship, tug_class)):
            after.append(replace(ship, tug=""))
            events.append(TowEnded((ship.faction,), hex_of_fleet[ship.fleet], ship.name))
        else:
            after.append(ship)
    return tuple(after), events


@dataclass(frozen=True, slots=True)
class CapturedShip:
    """A ship that changed hands.

    Attributes:
        ship: The ship under its old flag.
        hex: Where it was taken.
        captor: The faction that has it now.
        cause: How it was taken: the status or loss cause.
    """

    ship: Ship
    hex: str
    captor: str
    cause: str
    at_dock: bool = False


def field_holders(engagement: Engagement, result: BattleResult) -> tuple[str, ...]:
    """Return the factions of the side that won a battle and holds the field; empty if none does."""
    for side in engagement.sides:
        if FACTION_SEPARATOR.join(side) == result.winner:
            return side
    return ()


def captor_of(
    index: ScenarioIndex, holders: Sequence[str], taker: str, survivors: Iterable[Ship]
) -> str:
    """Return the faction, of the side that holds the field, that gets a prize.

    It is the faction that took the ship, else the strongest there by points. Empty if none of them
    has a ship left that is not helpless.
    """
    points: dict[str, int] = {}
    for ship in survivors:
        if ship.faction in holders and not ship.is_helpless:
            points[ship.faction] = points.get(ship.faction, 0) + index.classes[ship.cls].points
    if taker in points:
        return taker
    return min(points, key=lambda faction: (-points[faction], faction), default="")


def form_prize_fleets(
    index: ScenarioIndex,
    fleets: Sequence[Fleet],
    ships: Sequence[Ship],
    lost_ships: Iterable[Ship],
    captures: Sequence[CapturedShip],
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """Put the prizes of each hex into a new fleet of their captor.

    Fleets and ships must come sorted by key, and are returned sorted by key. A prize keeps its
    damage and is laid up until a base has worked on it. Its key and name follow the captor's
    numbering, so that neither reveals how many ships the old owner has.

    Args:
        lost_ships: Ships lost so far, whose keys are never reused.

    Returns:
        All fleets, all ships, and the notices to the captors.

    Rules: PC "Boarding actions" [camp.prizes]; PC "Core systems" [camp.prizes]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    events: list[WeekEvent] = []
    if not captures:
        return all_fleets, all_ships, events
    last_ship = _last_numbers((*ships, *lost_ships), "s")
    last_fleet = _last_numbers(fleets, "f")
    by_place: dict[tuple[str, str], list[CapturedShip]] = {}
    for item in captures:
        by_place.setdefault((item.captor, item.hex), []).append(item)
    captors = {captor for captor, _ in by_place}
    fleet_names = {captor: used_names(fleets, captor) for captor in captors}
    for (captor, hex_), captures_here in sorted(by_place.items()):
        last_fleet[captor] += 1
        base_name = phrase("Prizes of {}", index.system_at[hex_].name)[:MAX_NAME_LENGTH].strip()
        name = unique_name(base_name, fleet_names[captor])
        fleet_names[captor].add(name.casefold())
        fleet = Fleet(key=f"{captor}/f{last_fleet[captor]}", faction=captor, name=name, hex=hex_)
        all_fleets.append(fleet)
        captures_here.sort(key=attrgetter("ship.cls", "ship.damage", "ship.key"))
        for item in captures_here:
            last_ship[captor] += 1
            prize = _prize(index, fleet, item.ship, last_ship[captor])
            all_ships.append(prize)
            event = TakenAtDock if item.at_dock else PrizeTaken
            events.append(
                event(
                    (captor,),
                    hex_,
                    ship_class=short_class_name(prize.cls),
                    owner=item.ship.faction,
                    cause=item.cause,
                    ship=prize.name,
                )
            )
    all_fleets.sort(key=attrgetter("key"))
    all_ships.sort(key=attrgetter("key"))
    return all_fleets, all_ships, events


def _last_numbers(items: Iterable[Fleet | Ship], letter: str) -> Counter[str]:
    """Return the highest number in keys such as `esu/s12`, by faction; 0 where there is none."""
    keys_of: dict[str, list[str]] = {}
    for item in items:
        faction, _, tail = item.key.partition("/")
        if tail.startswith(letter):
            keys_of.setdefault(faction, []).append(item.key)
    return Counter({faction: last_number(keys) for faction, keys in keys_of.items()})


def _prize(index: ScenarioIndex, fleet: Fleet, ship: Ship, number: int) -> Ship:
    """Return a captured ship under its captor's flag, laid up and without the old owner's orders.

    Args:
        fleet: The captor's new fleet.
        number: The number of the ship in the captor's numbering.
    """
    captor = fleet.faction
    name = phrase("{} prize {}", class_name(index.scenario, captor, ship.cls), number)
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
        landing=None,
        supplies=(),
        sweeps=False,
        tug="",
        laid_up=True,
    )


def missing_results(world: World, results: Mapping[str, BattleResult]) -> tuple[Violation, ...]:
    """Return a violation for each engagement without a result, and for each result without one."""
    keys = {engagement.key for engagement in world.engagements}
    lacking = []
    for key in sorted(keys - set(results)):
        lacking.append(Violation(key, "no-result", phrase("this battle has no result yet")))
    extra = []
    for key in sorted(set(results) - keys):
        extra.append(Violation(key, "no-such-battle", phrase("no such battle is being fought")))
    return tuple(lacking + extra)


@dataclass(frozen=True, slots=True)
class ShipsAfter:
    """The ships after the week's battles.

    Attributes:
        ships: The ships that their owners still have.
        losses: The ships lost.
        jumped: Keys of the ships in FTL space.
        captures: The ships that changed hands.
    """

    ships: list[Ship]
    losses: list[Loss]
    jumped: frozenset[str]
    captures: list[CapturedShip]
    events: list[WeekEvent]

    def owners(self) -> dict[str, str]:
        """Return who has each ship after the battles, by its key before; lost ones are left out."""
        owners = {ship.key: ship.faction for ship in self.ships}
        owners |= {item.ship.key: item.captor for item in self.captures}
        return owners


def ships_after(
    index: ScenarioIndex, world: World, results: Mapping[str, BattleResult]
) -> ShipsAfter:
    """Return all ships after the battles, and the notices to their owners.

    Ships captured, surrendered or left as hulks are recovered by the side that holds the field.
    That side's own ships are laid up, the others become prizes. If no side holds the field, they
    are lost to everyone. A ship that landed on a planet becomes a prize if an enemy holds the
    field. Otherwise it takes off again, or is laid up if its drive is wrecked.

    Raises:
        RuleViolations: A battle has no result, or a result has no battle.

    Rules: 2E "When fleets meet" [camp.battle]; PC "Boarding actions" [camp.prizes]; PC "Core
    systems" [camp.prizes]; Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    faults = missing_results(world, results)
    if faults:
        raise RuleViolations(faults)
    fates: dict[str, _ShipFate] = {}
    for engagement in world.engagements:
        holders = field_holders(engagement, results[engagement.key])
        for item in results[engagement.key].ships:
            fates[item.ship] = _ShipFate(item, engagement, holders)
    jumped = [key for key, fate in fates.items() if fate.after.status == ShipStatus.FTL]
    result = ShipsAfter([], [], frozenset(jumped), [], [])
    lost_ships: list[tuple[Ship, _ShipFate]] = []
    survivors: dict[str, list[Ship]] = {fight.key: [] for fight in world.engagements}
    for before in world.ships:
        fate = fates.get(before.key)
        if fate is None:
            result.ships.append(before)
            continue
        spaces = spaces_of_cargo(index.scenario, before.cargo)
        ship = ship_after_battle(index.classes[before.cls], before, fate.after, spaces)
        hex_ = fate.engagement.hex
        is_lost = fate.is_lost_to(before.faction)
        result.events.extend(loss_events(before, ship, hex_, is_lost=is_lost))
        if is_lost:
            lost_ships.append((ship, fate))
        elif fate.is_recovered:
            result.ships.append(replace(ship, laid_up=True))
            cls = short_class_name(ship.cls)
            status = fate.after.status
            result.events.append(ShipRecovered((ship.faction,), hex_, ship.name, cls, status))
        else:
            result.ships.append(ship)
            if fate.after.status != ShipStatus.FTL:
                survivors[fate.engagement.key].append(ship)
    for ship, fate in lost_ships:
        captor = fate.captor(index, survivors[fate.engagement.key])
        _record_loss(result, ship, fate, captor, week=world.week)
    return result


@dataclass(frozen=True, slots=True)
class _ShipFate:
    """What a battle did to a ship.

    Attributes:
        after: The ship at the end of the battle.
        engagement: The battle.
        holders: The factions of the side that holds the field; empty if none does.
    """

    after: ShipAfter
    engagement: Engagement
    holders: tuple[str, ...]

    @property
    def is_recovered(self) -> bool:
        """Whether a ship that is not lost is laid up, because it is helpless or cannot take off."""
        status = self.after.status
        if status == ShipStatus.LANDED:
            return self.after.lost.count("drive") == WRECKED_DRIVE_HITS
        return status in HELPLESS_STATUSES

    def is_lost_to(self, owner: str) -> bool:
        """Return whether the owner loses the ship; one that holds the field recovers it."""
        status = self.after.status
        holds_field = owner in self.holders
        if status == ShipStatus.LANDED:
            return bool(self.holders) and not holds_field
        if status in HELPLESS_STATUSES:
            return not holds_field
        return status in LOSS_STATUSES

    def captor(self, index: ScenarioIndex, survivors: Iterable[Ship]) -> str:
        """Return the faction that gets a lost ship as a prize; empty if none does.

        Args:
            survivors: The ships that are left in the battle's hex.
        """
        taker = self.after.captor
        is_taken_along = self.after.status == CARRIED_OFF and taker in self.holders
        if self.after.status in PRIZE_STATUSES or is_taken_along:
            return captor_of(index, self.holders, taker, survivors)
        return ""


def _record_loss(
    result: ShipsAfter, ship: Ship, fate: _ShipFate, captor: str, *, week: int
) -> None:
    """Add a ship that its owner has lost to the result, and its capture if there is a captor."""
    hex_ = fate.engagement.hex
    status = fate.after.status
    cause = ShipStatus.CAPTURED if status == CARRIED_OFF else status
    result.losses.append(Loss(ship, week, hex_, cause))
    if captor:
        result.captures.append(CapturedShip(ship, hex_, captor, cause))
    result.events.append(_ship_lost(ship, hex_, cause, captor))


def _ship_lost(ship: Ship, hex_: str, cause: str, captor: str) -> ShipLost:
    """Return the notice to the owner of a lost ship."""
    return ShipLost(
        (ship.faction,),
        hex_,
        ship=ship.name,
        ship_class=short_class_name(ship.cls),
        cause=cause,
        captor=captor,
    )


def decoys_after(fleets: Sequence[Fleet], results: Mapping[str, BattleResult]) -> list[Fleet]:
    """Return the fleets without the decoys that tactical scans identified.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    lost_decoys: dict[str, int] = {}
    for result in results.values():
        for key, count in result.decoys_lost:
            lost_decoys[key] = lost_decoys.get(key, 0) + count
    if not lost_decoys:
        return list(fleets)
    after = []
    for fleet in fleets:
        if fleet.key in lost_decoys:
            remaining = max(0, fleet.decoys_out - lost_decoys[fleet.key])
            after.append(replace(fleet, decoys_out=remaining))
        else:
            after.append(fleet)
    return after


def contacts_after(
    world_index: WorldIndex, stand_offs: Sequence[Contact], engagements: Sequence[Engagement]
) -> tuple[Contact, ...]:
    """Return the contacts that last into the next week.

    A stand-off lasts while both sides remain. If both sides of a battle remain after it, the system
    is contested.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    result: dict[tuple[str, str, str], Contact] = {}
    for contact in stand_offs:
        present = world_index.present(contact.hex)
        if contact.a in present and contact.b in present:
            result[contact.hex, contact.a, contact.b] = contact
    for engagement in engagements:
        hex_ = engagement.hex
        for a, b in engagement.hostile:
            if _has_able_ships(world_index, hex_, a) and _has_able_ships(world_index, hex_, b):
                result[hex_, a, b] = Contact(hex_, a, b, state="contested", inner="")
    return tuple(result[key] for key in sorted(result))


def _has_able_ships(world_index: WorldIndex, hex_: str, faction: str) -> bool:
    """Return whether a faction has a ship in a hex that is not helpless."""
    return any(not ship.is_helpless for ship in world_index.ships(hex_, faction))


def capture_docked_ships(
    index: ScenarioIndex, world_index: WorldIndex, holdings: Sequence[Holding], week: int
) -> tuple[list[Loss], list[CapturedShip], list[WeekEvent]]:
    """Capture the helpless ships in systems that the enemy alone holds.

    Docked ships with orders to scuttle are scuttled instead.

    Rules: 2E "Repairs" [camp.repairs] [camp.prizes]
    """
    by_system = {holding.system: holding for holding in holdings}
    losses: list[Loss] = []
    captures: list[CapturedShip] = []
    events: list[WeekEvent] = []
    for hex_ in world_index.at:
        holding = by_system[index.system_at[hex_].id]
        captor = holding.unchallenged_holder
        if captor is None:
            continue
        for ship in _helpless_enemies(index, world_index, hex_, captor):
            is_scuttled = ship.docked and ship.scuttle
            cause = LossCause.SCUTTLED if is_scuttled else LossCause.CAPTURED
            losses.append(Loss(ship, week, hex_, cause))
            events.append(_ship_lost(ship, hex_, cause, captor))
            events.extend(loss_events(ship, ship, hex_, is_lost=True))
            if is_scuttled:
                cls = short_class_name(ship.cls)
                events.append(TakenAtDock((captor,), hex_, cls, ship.faction, cause))
            else:
                captures.append(CapturedShip(ship, hex_, captor, cause, at_dock=ship.docked))
    return losses, captures, events


def _helpless_enemies(
    index: ScenarioIndex, world_index: WorldIndex, hex_: str, captor: str
) -> list[Ship]:
    """Return the helpless ships in a hex that are hostile to a captor."""
    ships: list[Ship] = []
    for faction in world_index.present(hex_):
        if index.are_hostile(faction, captor):
            ships += [ship for ship in world_index.ships(hex_, faction) if ship.is_helpless]
    return ships


def survivor_events(
    index: ScenarioIndex,
    world: World,
    results: Mapping[str, BattleResult],
    holdings: Iterable[Holding],
    captures: Sequence[CapturedShip],
) -> list[WeekEvent]:
    """Return the notices of what the participants know to be left of each enemy where they fought.

    Only factions that read the enemy by long range scan before the battle are notified, and allies
    that share their sight.

    Args:
        world: The world before the battles.
        holdings: The holdings after the battles.
    """
    holding_of = {holding.system: holding for holding in holdings}
    scans = {(scan.hex, scan.viewer, scan.target): scan.counts for scan in world.scans}
    pairs_at = group_by_hex(world.pairs)
    prizes_of = _prizes(index, captures)
    events: list[WeekEvent] = []
    for engagement in world.engagements:
        hex_, result = engagement.hex, results[engagement.key]
        holding = holding_of[index.system_at[hex_].id]
        withdrew = _withdrawn_factions(pairs_at.get(hex_, ()), engagement)
        for side, enemies in permutations(engagement.sides, 2):
            sides = (FACTION_SEPARATOR.join(side), FACTION_SEPARATOR.join(enemies))
            contacts_seen = [
                item for item in result.contacts_seen if (item.viewer, item.of) == sides
            ]
            for viewers in index.sight_groups(side):
                keys = [(hex_, viewers[0], faction) for faction in enemies]
                scan_counts = {key[2]: scans[key] for key in keys if key in scans}
                if not scan_counts:
                    continue
                after = counts_after(
                    sides[1],
                    scan_counts,
                    contacts_seen,
                    winner=result.winner,
                    withdrew=withdrew,
                    has_system=_is_sole_holder(index, holding, viewers[0]),
                )
                for faction, counts in sorted(after.items()):
                    total = Counter(dict(counts))
                    for viewer in viewers:
                        total += prizes_of.get((hex_, viewer, faction), Counter())
                    events.append(Survivors(viewers, hex_, faction, tuple(sorted(total.items()))))
    return events


def _withdrawn_factions(pairs: Iterable[Pair], engagement: Engagement) -> frozenset[str]:
    """Return the factions of a battle whose other ships there withdrew: all but those caught.

    Args:
        pairs: The pairs of the battle's hex.
    """
    withdrawing = set()
    for pair in pairs:
        for name, choice in ((pair.a, pair.choice_a), (pair.b, pair.choice_b)):
            if choice == "withdraw":
                withdrawing.add(name)
    return frozenset(withdrawing - set(engagement.caught))


def _is_sole_holder(index: ScenarioIndex, holding: Holding, viewer: str) -> bool:
    """Return whether a viewer's side alone holds a system, so that no enemy is docked there."""
    holder = holding.unchallenged_holder
    return holder is not None and not index.are_hostile(holder, viewer)


def _prizes(
    index: ScenarioIndex, captures: Iterable[CapturedShip]
) -> dict[tuple[str, str, str], Counter[str]]:
    """Count the captured ships by classification, for each (hex, old owner, captor)."""
    prizes: dict[tuple[str, str, str], Counter[str]] = {}
    for item in captures:
        counts = prizes.setdefault((item.hex, item.ship.faction, item.captor), Counter())
        counts[index.classes[item.ship.cls].classification] += 1
    return prizes


def battle_over_events(world: World, results: Mapping[str, BattleResult]) -> list[WeekEvent]:
    """Return the notices of how each battle ended, for the factions that fought in it.

    They state the turns, the winner and how many ships each faction lost. They do not say who got
    away: a bogey that left unscanned may have been a decoy.
    """
    owner = {ship.key: ship.faction for ship in world.ships} if world.engagements else {}
    events: list[WeekEvent] = []
    for engagement in world.engagements:
        result = results[engagement.key]
        factions = tuple(sorted(chain.from_iterable(engagement.sides)))
        lost_ships = [item.ship for item in result.ships if item.status in LOSS_STATUSES]
        loss_counts = Counter(owner.get(key) for key in lost_ships)
        losses = tuple((name, loss_counts[name]) for name in factions)
        winner = result.winner or ""
        events.append(BattleOver(factions, engagement.hex, result.turns, winner, losses))
    return events
