"""A faction's View of a world, built from its own assets and the reports addressed to it.

Nothing here copies the truth and removes parts. Every part starts empty and takes in what the
faction owns, what is where it has observers, and what it remembers. Therefore hidden objects cannot
change a number, an order or a length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from campaign.events.bases import StationSeen
from campaign.events.battles import BattleOver
from campaign.events.contacts import Survivors
from campaign.events.event import WeekEvent
from campaign.events.mines import MinesSeen, MinesSwept, places_in
from campaign.events.registry import event_from
from campaign.events.umpire import ContactReported
from campaign.kinds import StageKind
from campaign.rules.forces import initial_world
from campaign.rules.known_objectives import final_states, known_states
from campaign.rules.markers import open_markers, own_dummies, own_marks, reserve_of
from campaign.rules.queries import side_of
from campaign.rules.scenario import Choice, Scenario, ShipClass, StarSystem
from campaign.rules.stations import all_stations, new_state, state_of, station_ships
from campaign.rules.view import (
    BATTLE,
    REPORT,
    SCAN,
    WITHDRAWAL,
    GroundDamage,
    HostileContact,
    KnownGoods,
    KnownMine,
    KnownStation,
    KnownSystem,
    LostShip,
    Notice,
    OpenDecision,
    Sighting,
    SightingSource,
    View,
)
from campaign.rules.world import Fleet, Holding, Scan, Ship, World

Counts = tuple[tuple[str, int], ...]  # (classification, contacts), sorted
ScanKey = tuple[str, str, str]  # viewer, hex, target

# Notices to those who know from then on which mines are in a system.
MINE_NOTICES = (BattleOver.code, MinesSeen.code, MinesSwept.code)
DEFAULT_CHOICE: Choice = "stand-off"  # the choice of a fleet without a standing order


def build_view(
    scenario: Scenario,
    world: World,
    faction: str,
    previous: View | None,
    notices: Sequence[Notice],
    fleets: Iterable[Fleet] | None = None,
    ships: Iterable[Ship] | None = None,
) -> View:
    """Return the View of a faction after a stage.

    Args:
        previous: The faction's last View, as its memory.
        notices: The notices addressed to it.
        fleets: The faction's fleets, if the caller has them already.
        ships: The faction's ships, if the caller has them already.

    Rules: 2E "Use of an umpire" [camp.hidden], [camp.open-play]; 2E "When fleets meet" [camp.scan]
    """
    if scenario.shared_sight:
        observers = side_of(scenario, faction)
    else:
        observers = (faction,)
    if fleets is None:
        fleets = [fleet for fleet in world.fleets if fleet.faction == faction]
    if ships is None:
        ships = [ship for ship in world.ships if ship.faction == faction]
    own_fleets = tuple(sorted(fleets, key=attrgetter("key")))
    view = View(
        faction=faction,
        week=world.week,
        stage=world.stage,
        fleets=own_fleets,
        ships=tuple(sorted(ships, key=attrgetter("key"))),
        systems=_known_systems(
            scenario,
            world,
            faction,
            observers=observers,
            fleets=own_fleets,
            previous=previous,
        ),
        sightings=_sightings(world, observers, previous, notices),
        open_decisions=_open_decisions(world, faction, own_fleets),
        in_contact=_hostile_contacts(world, faction),
        fighting=_fighting(world, faction),
        losses=_losses(world, faction),
        notices=tuple(sorted(notices, key=_notice_order)),
        result=world.result,
        winner=world.winner,
        markers=open_markers(scenario, world),
        marks=own_marks(world, faction),
        dummies=own_dummies(world, faction),
        reserve=reserve_of(world, faction),
        classes=_classes(world, faction),
        works=tuple(work for work in world.works if work.faction == faction),
        funds=next((points for owner, points in world.funds if owner == faction), 0),
        ground=_ground_damage(scenario, world, faction, fleets=own_fleets, previous=previous),
        goods=_known_goods(scenario, world, faction, fleets=own_fleets, previous=previous),
        deliveries=tuple(item for item in world.deliveries if item.faction == faction),
        late=tuple(item for item in world.late if item.fleet.faction == faction),
        stations=_known_stations(scenario, world, faction, own_fleets, previous, notices),
        mines=_known_mines(scenario, world, faction, previous=previous, notices=notices),
    )
    if not scenario.objectives:
        return view
    if world.stage == StageKind.OVER:
        return replace(view, objectives=final_states(scenario, world.objectives, faction))
    states = known_states(scenario, view, previous.objectives if previous is not None else ())
    return replace(view, objectives=states)


def _notice_order(notice: Notice) -> tuple[int, str, str, str, str]:
    """Return the sort key of notices in a View."""
    return (notice.week, notice.stage, notice.hex, notice.code, repr(notice.facts))


def notices_by_faction(
    events: Iterable[WeekEvent], week: int, stage: str
) -> dict[str, list[Notice]]:
    """Return each faction's notices of the events of a stage, in order.

    This is the only way from an event to a faction: the audience decides which factions are
    notified, the marks of the fields which facts they read (`WeekEvent.facts_for`).
    """
    notices: dict[str, list[Notice]] = {}
    for event in events:
        for faction in event.audience:
            facts = event.facts_for(faction)
            if facts is not None:
                notice = Notice(week=week, stage=stage, code=event.code, hex=event.hex, facts=facts)
                notices.setdefault(faction, []).append(notice)
    return notices


def event_of_notice(notice: Notice) -> WeekEvent:
    """Return the event of a notice, with the facts that the faction may read.

    Raises:
        KeyError: The code is unknown.
    """
    return event_from(notice.code, notice.hex, notice.facts)


def _classes(world: World, faction: str) -> tuple[ShipClass, ...]:
    """Return the classes beyond the catalogue that a faction designed or has ships of."""
    if not world.designs:
        return ()
    classes_in_service = {ship.cls for ship in world.ships if ship.faction == faction}
    known_classes = []
    for design in world.designs:
        if design.faction == faction or design.cls.name in classes_in_service:
            known_classes.append(design.cls)
    return tuple(sorted(known_classes, key=lambda cls: cls.name))


def initial_view(scenario: Scenario, faction: str) -> View:
    """Return the View before the deployment: the public owners of the systems, and nothing else."""
    return build_view(scenario, initial_world(scenario), faction, previous=None, notices=())


def watched_systems(
    scenario: Scenario, fleets: Iterable[Fleet], observers: Sequence[str]
) -> frozenset[str]:
    """Return the ids of the systems that these factions observe.

    They observe systems with one of their `fleets` (not in FTL space) or a settlement of theirs.
    """
    occupied = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    systems: set[str] = set()
    for system in scenario.systems:
        has_settlement = system.settled and system.owner is not None and system.owner in observers
        if has_settlement or system.hex in occupied:
            systems.add(system.id)
    return frozenset(systems)


def _known_systems(
    scenario: Scenario,
    world: World,
    faction: str,
    *,
    observers: Sequence[str],
    fleets: Sequence[Fleet],
    previous: View | None,
) -> tuple[KnownSystem, ...]:
    """Return all systems: as they are where a faction or its allies watch, else as remembered.

    Args:
        observers: The factions whose observations the faction shares, itself included.
        fleets: The faction's own fleets.
    """
    watched = watched_systems(scenario, fleets, (faction,))
    visible = watched
    if len(observers) > 1:
        side_fleets = [fleet for fleet in world.fleets if fleet.faction in observers]
        visible = watched_systems(scenario, side_fleets, observers)
    holdings = {}
    for holding in world.holdings:
        if holding.system in visible:
            holdings[holding.system] = holding
    memory = {}
    if previous is not None:
        memory = {known_system.system: known_system for known_system in previous.systems}
    known_systems = []
    for system in sorted(scenario.systems, key=attrgetter("id")):
        known_systems.append(
            _known_system(
                system,
                world.week,
                holdings.get(system.id),
                memory.get(system.id),
                is_present=system.id in watched,
            )
        )
    return tuple(known_systems)


def _known_system(
    system: StarSystem,
    week: int,
    holding: Holding | None,
    remembered: KnownSystem | None,
    *,
    is_present: bool,
) -> KnownSystem:
    """Return what a faction knows of a system.

    Args:
        holding: The truth of this week, if the faction sees it.
        remembered: What it knew before; None: only the public owner of the start.
        is_present: Whether it watches the system itself now.
    """
    if holding is not None:
        return KnownSystem(
            system=system.id,
            week=week,
            holder=holding.holder,
            state=holding.state,
            superior=holding.superior,
            present=is_present,
        )
    if remembered is not None:
        if remembered.present == is_present:
            return remembered
        return replace(remembered, present=is_present)
    return KnownSystem(
        system=system.id,
        week=0,
        holder=system.owner,
        state="held",
        superior=None,
        present=is_present,
    )


def _sightings(
    world: World,
    observers: Sequence[str],
    previous: View | None,
    notices: Iterable[Notice],
) -> tuple[Sighting, ...]:
    """Return the newest knowledge of each week about each foe at each hex, sorted.

    A long range scan counts until the faction learns more in the same week: that foes withdrew, or
    what a battle left of them. A contact that the umpire reports counts only where the faction
    itself has seen nothing in that week.
    """
    sightings: dict[tuple[int, str, str], Sighting] = {}
    if previous is not None:
        for sighting in previous.sightings:
            sightings[_sighting_key(sighting)] = sighting
    for notice in notices:
        if notice.code == Survivors.code:
            sighting = _sighting_after_battle(notice)
            sightings[_sighting_key(sighting)] = sighting
        elif notice.code == ContactReported.code:
            sighting = _reported_sighting(notice)
            sightings.setdefault(_sighting_key(sighting), sighting)
    is_just_scanned = world.stage == StageKind.DECISIONS
    for sighting in _sightings_by_scan(world, observers):
        key = _sighting_key(sighting)
        earlier = sightings.get(key)
        if is_just_scanned or earlier is None or earlier.source in (SCAN, REPORT):
            sightings[key] = sighting
    return tuple(sightings[key] for key in sorted(sightings))


def _sighting_key(sighting: Sighting) -> tuple[int, str, str]:
    """Return what a faction has one sighting of: a week, a hex, and the faction seen there."""
    return (sighting.week, sighting.hex, sighting.faction)


def _sightings_by_scan(world: World, observers: Sequence[str]) -> list[Sighting]:
    """Return what these factions scanned of others this week."""
    sightings = []
    for scan in sorted(world.scans, key=attrgetter("viewer")):
        if scan.viewer in observers and scan.target not in observers:
            counts = tuple(sorted(scan.counts))
            sightings.append(Sighting(world.week, scan.hex, scan.target, counts))
    return sightings


def _sighting_after_battle(notice: Notice) -> Sighting:
    """Return the sighting of survivors that a notice reports, newer than this week's scan."""
    event = Survivors.from_facts((), notice.hex, notice.facts)
    counts = tuple(sorted(event.counts))
    source: SightingSource
    if notice.stage == StageKind.BATTLES:
        source = BATTLE
    else:
        source = WITHDRAWAL
    return Sighting(
        week=notice.week, hex=notice.hex, faction=event.faction, counts=counts, source=source
    )


def _reported_sighting(notice: Notice) -> Sighting:
    """Return the sighting that a report of the umpire describes."""
    event = ContactReported.from_facts((), notice.hex, notice.facts)
    return Sighting(
        week=notice.week,
        hex=notice.hex,
        faction=event.faction,
        counts=tuple(sorted(event.counts)),
        source=REPORT,
    )


def _ground_damage(
    scenario: Scenario,
    world: World,
    faction: str,
    *,
    fleets: Sequence[Fleet],
    previous: View | None,
) -> tuple[GroundDamage, ...]:
    """Return the known damage of ground targets.

    It is up to date for the faction's own targets and in systems with its fleets; elsewhere it is
    what the faction saw last.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    hexes_with_fleets = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    damage_now = {(entry.system, entry.number): entry for entry in world.ground}
    damage_before = {}
    if previous is not None:
        damage_before = {(entry.system, entry.number): entry for entry in previous.ground}
    known_damage = []
    for system in scenario.systems:
        for number, target in enumerate(system.ground, 1):
            if target.faction == faction or system.hex in hexes_with_fleets:
                entry = damage_now.get((system.id, number))
            else:
                entry = damage_before.get((system.id, number))
            if entry is not None:
                known_damage.append(entry)
    return tuple(sorted(known_damage, key=attrgetter("system", "number")))


def _known_stations(
    scenario: Scenario,
    world: World,
    faction: str,
    fleets: Sequence[Fleet],
    previous: View | None,
    notices: Iterable[Notice],
) -> tuple[KnownStation, ...]:
    """Return the stations as the faction knows them, in the order of the scenario.

    Its own stations, and those of allies where it has fleets, are up to date. Of others it knows
    what battles showed, and where it has fleets also who has them now.

    Rules: 2E "Starbases and other installations" [camp.stations-at-war]
    """
    places = list(all_stations(scenario))
    if not places:
        return ()
    reported = _reported_stations(previous, notices)
    side = side_of(scenario, faction)
    hexes = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    ships = station_ships(world.ships)
    result = []
    for system, station in places:
        truth = state_of(system, station, ships.get(station.key), world.week)
        memory = reported.get(station.key) or new_state(system, station)
        is_present = system.hex in hexes
        if truth.faction == faction or (is_present and truth.faction in side):
            result.append(truth)
        elif is_present and truth.faction != memory.faction:
            result.append(replace(truth, damage=None, lost_gates=()))
        else:
            result.append(memory)
    return tuple(result)


def _reported_stations(previous: View | None, notices: Iterable[Notice]) -> dict[str, KnownStation]:
    """Return what a faction knew of stations before, and what notices of battles add."""
    reported = {}
    if previous is not None:
        reported = {item.key: item for item in previous.stations}
    for notice in notices:
        if notice.code == StationSeen.code:
            seen_in_battle = StationSeen.from_facts((), notice.hex, notice.facts)
            station = _station_after_battle(seen_in_battle, notice.week)
            reported[seen_in_battle.station] = station
    return reported


def _station_after_battle(seen: StationSeen, week: int) -> KnownStation:
    """Return what a notice of a battle says of a station."""
    lost_gates = tuple(seen.lost_gates.split())
    damage = seen.damage if seen.faction else None
    return KnownStation(seen.station, seen.system, seen.faction, damage, week, lost_gates)


def _known_goods(
    scenario: Scenario,
    world: World,
    faction: str,
    *,
    fleets: Sequence[Fleet],
    previous: View | None,
) -> tuple[KnownGoods, ...]:
    """Return the known goods of systems.

    They are up to date in systems with the faction's fleets, and in its own settlements while it
    holds them. Elsewhere they are what the faction saw last, or what was public at the start.
    """
    if not scenario.goods:
        return ()
    hexes = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    holders = {holding.system: holding.holder for holding in world.holdings}
    watched = watched_systems(scenario, fleets, (faction,))
    hex_of = {system.id: system.hex for system in scenario.systems}
    known_before = _public_goods(scenario) if previous is None else previous.goods
    visible = set()
    for system in watched:
        if hex_of[system] in hexes or holders.get(system) == faction:
            visible.add(system)
    result = [item for item in known_before if item.system not in visible]
    for stock in world.goods:
        if stock.system in visible and stock.amount:
            result.append(KnownGoods(stock.system, stock.what, stock.amount, world.week))
    return tuple(sorted(result, key=attrgetter("system", "what")))


def _known_mines(
    scenario: Scenario,
    world: World,
    faction: str,
    *,
    previous: View | None,
    notices: Sequence[Notice],
) -> tuple[KnownMine, ...]:
    """Return the mines that a faction knows: its own, and those of others where it searched.

    It searches a system by fighting or sweeping there, and then knows all mines of others.

    Rules: 2E "Mines" [camp.minefields]
    """
    mines = []
    for mine in world.mines:
        if mine.faction == faction:
            mines.append(KnownMine(mine.system, faction, mine.x, mine.y, world.week))
    system_at = {system.hex: system.id for system in scenario.systems}
    searches = [notice for notice in notices if notice.code in MINE_NOTICES]
    searched = {system_at[notice.hex] for notice in searches}
    for earlier in previous.mines if previous is not None else ():
        if not earlier.faction and earlier.system not in searched:
            mines.append(earlier)
    for notice in searches:
        mines += _mines_of_notice(notice, system_at[notice.hex])
    return tuple(sorted(mines, key=attrgetter("system", "faction", "x", "y")))


def _mines_of_notice(notice: Notice, system: str) -> list[KnownMine]:
    """Return the mines of others that a notice reports; none for other notices."""
    event = event_of_notice(notice)
    if not isinstance(event, MinesSeen):
        return []
    return [KnownMine(system, "", x, y, notice.week) for x, y in places_in(event.places)]


def _public_goods(scenario: Scenario) -> tuple[KnownGoods, ...]:
    """Return the goods of all systems at the start of the war, which everybody knows."""
    goods_at_start = []
    for goods in scenario.goods:
        for system, amount in goods.at:
            goods_at_start.append(KnownGoods(system, goods.name, amount, week=0))
    return tuple(goods_at_start)


def standing_choice_at(
    fleets: Iterable[Fleet], hex_: str, counts: Sequence[tuple[str, int]] | None
) -> Choice:
    """Return the choice of a faction at a hex by its standing orders.

    The first fleet there with a standing order decides: by the first condition that holds, else by
    its unconditional choice.

    Args:
        counts: What this week's long range scan shows of the other faction. None: there is no scan,
            and no condition holds.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    here = [fleet for fleet in fleets if fleet.hex == hex_ and not fleet.in_ftl]
    for fleet in sorted(here, key=attrgetter("key")):
        for answer in fleet.answers:
            if counts is not None and answer.holds(counts):
                return answer.choice
        if fleet.standing is not None:
            return fleet.standing
    return DEFAULT_CHOICE


def index_scans(scans: Iterable[Scan]) -> dict[ScanKey, Counts]:
    """Index this week's long range scans by viewer, hex and target."""
    return {(scan.viewer, scan.hex, scan.target): scan.counts for scan in scans}


def _open_decisions(
    world: World, faction: str, fleets: Sequence[Fleet]
) -> tuple[OpenDecision, ...]:
    """Return the decisions that a faction has to make in the decisions stage."""
    if world.stage != StageKind.DECISIONS:
        return ()
    scans = index_scans(world.scans)
    fleets_at = _group_by_hex(fleets)
    decisions = []
    for pair in world.pairs:
        if faction == pair.a:
            toward = pair.b
            choice = pair.choice_a
        elif faction == pair.b:
            toward = pair.a
            choice = pair.choice_b
        else:
            continue
        counts = scans.get((faction, pair.hex, toward))
        standing = standing_choice_at(fleets_at.get(pair.hex, ()), pair.hex, counts)
        decisions.append(OpenDecision(pair.hex, toward, default=standing, fixed=choice))
    return tuple(sorted(decisions, key=attrgetter("hex", "toward")))


def _group_by_hex(fleets: Iterable[Fleet]) -> dict[str, list[Fleet]]:
    """Return fleets by their hex, in order."""
    groups: dict[str, list[Fleet]] = {}
    for fleet in fleets:
        groups.setdefault(fleet.hex, []).append(fleet)
    return groups


def _hostile_contacts(world: World, faction: str) -> tuple[HostileContact, ...]:
    """Return the factions that this one has been in contact with since an earlier week."""
    hostile_contacts = []
    for contact in world.contacts:
        if faction == contact.a:
            hostile_contacts.append(HostileContact(contact.hex, contact.b, contact.state))
        elif faction == contact.b:
            hostile_contacts.append(HostileContact(contact.hex, contact.a, contact.state))
    return tuple(sorted(hostile_contacts, key=attrgetter("hex", "toward")))


def _fighting(world: World, faction: str) -> tuple[str, ...]:
    """Return the hexes where a faction has a battle in the battles stage."""
    if world.stage != StageKind.BATTLES:
        return ()
    hexes = []
    for engagement in world.engagements:
        if any(faction in side for side in engagement.sides):
            hexes.append(engagement.hex)
    return tuple(sorted(hexes))


def _losses(world: World, faction: str) -> tuple[LostShip, ...]:
    """Return the ships that a faction has lost."""
    lost_ships = []
    for loss in world.losses:
        ship = loss.ship
        if ship.faction == faction:
            lost_ships.append(
                LostShip(
                    name=ship.name,
                    cls=ship.cls,
                    week=loss.week,
                    hex=loss.hex,
                    cause=loss.cause,
                    cargo=ship.cargo,
                )
            )
    return tuple(sorted(lost_ships, key=attrgetter("week", "hex", "name")))
