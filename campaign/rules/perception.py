"""A faction's View of a world, built from its own assets and the reports addressed to it.

Nothing here copies the truth and removes parts. Every part starts empty and takes in what the
faction owns, what is where it has observers, and what it remembers. Therefore hidden objects cannot
change a number, an order or a length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from campaign.events.contacts import Survivors
from campaign.events.event import WeekEvent
from campaign.events.registry import event_from
from campaign.kinds import StageKind
from campaign.rules.forces import initial_world
from campaign.rules.markers import open_markers, own_dummies, own_marks, reserve_of
from campaign.rules.queries import side_of
from campaign.rules.scenario import Choice, Scenario, ShipClass
from campaign.rules.view import (
    BATTLE,
    SCAN,
    WITHDRAWAL,
    GroundDamage,
    HostileContact,
    KnownSystem,
    LostShip,
    Notice,
    OpenDecision,
    Sighting,
    SightingSource,
    View,
)
from campaign.rules.world import Fleet, Scan, Ship, World

Counts = tuple[tuple[str, int], ...]  # (classification, contacts), sorted
ScanKey = tuple[str, str, str]  # viewer, hex, target

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
    return View(
        faction=faction,
        week=world.week,
        stage=world.stage,
        fleets=own_fleets,
        ships=tuple(sorted(ships, key=attrgetter("key"))),
        systems=_systems(scenario, world, faction, observers, own_fleets, previous),
        sightings=_sightings(world, observers, previous, notices),
        open_decisions=_open_decisions(world, faction, own_fleets),
        in_contact=_hostile_contacts(world, faction),
        fighting=_fighting(world, faction),
        losses=_losses(world, faction),
        notices=tuple(
            sorted(notices, key=lambda n: (n.week, n.stage, n.hex, n.code, repr(n.facts)))
        ),
        result=world.result,
        winner=world.winner,
        markers=open_markers(scenario, world),
        marks=own_marks(world, faction),
        dummies=own_dummies(world, faction),
        reserve=reserve_of(world, faction),
        classes=_classes(world, faction),
        works=tuple(work for work in world.works if work.faction == faction),
        funds=next((points for owner, points in world.funds if owner == faction), 0),
        ground=_ground(scenario, world, faction, own_fleets, previous),
    )


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
                notice = Notice(week, stage, event.code, event.hex, facts)
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
    sailed = {ship.cls for ship in world.ships if ship.faction == faction}
    known_classes = (
        item.cls for item in world.designs if item.faction == faction or item.cls.name in sailed
    )
    return tuple(sorted(known_classes, key=lambda cls: cls.name))


def initial_view(scenario: Scenario, faction: str) -> View:
    """Return the View before the deployment: the public owners of the systems, and nothing else."""
    return build_view(scenario, initial_world(scenario), faction, None, ())


def watched_systems(
    scenario: Scenario, fleets: Iterable[Fleet], observers: Sequence[str]
) -> frozenset[str]:
    """Return the ids of the systems that these factions observe.

    They observe systems with one of their `fleets` (not in FTL space) or a settlement of theirs.
    """
    occupied = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    systems: set[str] = set()
    for system in scenario.systems:
        if system.hex in occupied or (
            system.settled and system.owner is not None and system.owner in observers
        ):
            systems.add(system.id)
    return frozenset(systems)


def _systems(
    scenario: Scenario,
    world: World,
    faction: str,
    observers: Sequence[str],
    fleets: Sequence[Fleet],
    previous: View | None,
) -> tuple[KnownSystem, ...]:
    visible = present = watched_systems(scenario, fleets, (faction,))
    if len(observers) > 1:
        visible = watched_systems(
            scenario, [fleet for fleet in world.fleets if fleet.faction in observers], observers
        )
    memory: Mapping[str, KnownSystem]
    if previous is None:
        memory = {}
    else:
        memory = {remembered.system: remembered for remembered in previous.systems}
    holdings = {}
    for holding in world.holdings:
        if holding.system in visible:
            holdings[holding.system] = holding
    known_systems = []
    for system in sorted(scenario.systems, key=lambda s: s.id):
        here = system.id in present
        if system.id in visible and system.id in holdings:
            now = holdings[system.id]
            known_systems.append(
                KnownSystem(system.id, world.week, now.holder, now.state, now.superior, here)
            )
        else:
            remembered = memory.get(system.id)
            if remembered is None:
                known_systems.append(KnownSystem(system.id, 0, system.owner, "held", None, here))
            else:
                known_systems.append(
                    KnownSystem(
                        remembered.system,
                        remembered.week,
                        remembered.holder,
                        remembered.state,
                        remembered.superior,
                        here,
                    )
                )
    return tuple(known_systems)


def _sightings(
    world: World,
    observers: Sequence[str],
    previous: View | None,
    notices: Iterable[Notice],
) -> tuple[Sighting, ...]:
    """Return the newest knowledge of each week about each foe at each hex, sorted.

    A long range scan counts until the faction learns more in the same week: that foes withdrew, or
    what a battle left of them.
    """
    sightings: dict[tuple[int, str, str], Sighting] = {}
    if previous is not None:
        sightings = {(old.week, old.hex, old.faction): old for old in previous.sightings}
    after_battle = []
    for notice in notices:
        if notice.code == Survivors.code:
            after_battle.append(_sighting_after_battle(notice))
    from_scans = []
    for scan in sorted(world.scans, key=attrgetter("viewer")):
        if scan.viewer in observers and scan.target not in observers:
            from_scans.append(
                Sighting(world.week, scan.hex, scan.target, tuple(sorted(scan.counts)))
            )
    just_scanned = world.stage == StageKind.DECISIONS
    for item in after_battle:
        sightings[item.week, item.hex, item.faction] = item
    for item in from_scans:
        earlier = sightings.get((item.week, item.hex, item.faction))
        if just_scanned or earlier is None or earlier.source == SCAN:
            sightings[item.week, item.hex, item.faction] = item
    return tuple(sightings[key] for key in sorted(sightings))


def _sighting_after_battle(notice: Notice) -> Sighting:
    """Return the sighting of survivors that a notice reports, newer than this week's scan."""
    event = Survivors.from_facts((), notice.hex, notice.facts)
    counts = tuple(sorted(event.counts))
    source: SightingSource
    if notice.stage == StageKind.BATTLES:
        source = BATTLE
    else:
        source = WITHDRAWAL
    return Sighting(notice.week, notice.hex, event.faction, counts, source)


def _ground(
    scenario: Scenario, world: World, faction: str, fleets: Sequence[Fleet], previous: View | None
) -> tuple[GroundDamage, ...]:
    """Return the known damage of ground targets.

    It is up to date for the faction's own targets and in systems with its fleets; elsewhere it is
    what the faction saw last.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    here = {fleet.hex for fleet in fleets if not fleet.in_ftl}
    now = {(entry.system, entry.number): entry for entry in world.ground}
    before = {}
    for entry in () if previous is None else previous.ground:
        before[(entry.system, entry.number)] = entry
    damage = []
    for system in scenario.systems:
        for number, target in enumerate(system.ground, 1):
            if target.faction == faction or system.hex in here:
                source = now
            else:
                source = before
            damage += [source[system.id, number]] if (system.id, number) in source else []
    return tuple(sorted(damage, key=attrgetter("system", "number")))


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
    if world.stage != StageKind.DECISIONS:
        return ()
    scans = index_scans(world.scans)
    fleets_at = _group_by_hex(fleets)
    decisions = []
    for pair in world.pairs:
        if faction in (pair.a, pair.b):
            toward, mine = (pair.b, pair.choice_a) if faction == pair.a else (pair.a, pair.choice_b)
            counts = scans.get((faction, pair.hex, toward))
            standing = standing_choice_at(fleets_at.get(pair.hex, ()), pair.hex, counts)
            decisions.append(OpenDecision(pair.hex, toward, standing, mine))
    return tuple(sorted(decisions, key=lambda a: (a.hex, a.toward)))


def _group_by_hex(fleets: Iterable[Fleet]) -> dict[str, list[Fleet]]:
    groups: dict[str, list[Fleet]] = {}
    for fleet in fleets:
        groups.setdefault(fleet.hex, []).append(fleet)
    return groups


def _hostile_contacts(world: World, faction: str) -> tuple[HostileContact, ...]:
    touches = []
    for contact in world.contacts:
        if faction in (contact.a, contact.b):
            if faction == contact.a:
                toward = contact.b
            else:
                toward = contact.a
            touches.append(HostileContact(contact.hex, toward, contact.state))
    return tuple(sorted(touches, key=lambda t: (t.hex, t.toward)))


def _fighting(world: World, faction: str) -> tuple[str, ...]:
    if world.stage != StageKind.BATTLES:
        return ()
    return tuple(
        sorted(e.hex for e in world.engagements if any(faction in side for side in e.sides))
    )


def _losses(world: World, faction: str) -> tuple[LostShip, ...]:
    mine = (loss for loss in world.losses if loss.ship.faction == faction)
    lost_ships = (
        LostShip(loss.ship.name, loss.ship.cls, loss.week, loss.hex, loss.cause, loss.ship.cargo)
        for loss in mine
    )
    return tuple(sorted(lost_ships, key=lambda lost: (lost.week, lost.hex, lost.name)))
