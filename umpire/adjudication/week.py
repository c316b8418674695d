"""A week of the campaign, stage by stage, as in the rulebook: pure, frozen values in and out.

Deployment, default forces and reinforcements are here too.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from campaign.events.event import WeekEvent
from campaign.events.war import ForceDeployed, ReinforcementArrived, WarOver
from campaign.kinds import StageKind
from campaign.orders.codec import canonical_orders
from campaign.orders.defaults import default_orders
from campaign.orders.preparation import prepare_week
from campaign.orders.registry import scanned_hexes
from campaign.rules.designs import add_designs
from campaign.rules.forces import (
    arrive,
    default_force,
    deploy_force,
    initial_world,
    late_force,
    reinforce,
    split_late_force,
)
from campaign.rules.movement import move_fleets, moves_without_room, release_decoys
from campaign.rules.orders import Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.pilots import roll_pilots
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Condition, Scenario
from campaign.rules.skirmish import (
    deployed_skirmish_world,
    is_skirmish,
    skirmish_end,
    skirmish_world,
)
from campaign.rules.stations import station_forces, true_stations
from campaign.rules.world import Fleet, Holding, LateFleet, Loss, Scan, Ship, World
from engine.core.dice import Dice
from engine.core.versions import NEWEST
from umpire.adjudication import contacts, dummies, outcome
from umpire.adjudication.aftermath import (
    battle_over_events,
    capture_docked_ships,
    contacts_after,
    decoys_after,
    form_prize_fleets,
    release_tows,
    ships_after,
    survivor_events,
)
from umpire.adjudication.bombardment import ground_after
from umpire.adjudication.cargo import move_goods
from umpire.adjudication.contacts import (
    ContactOutcome,
    enter_ftl,
    find_meetings,
    scans_at,
    split_fleets,
)
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex, index_scenario, sort_by_key
from umpire.adjudication.minefields import mines_after_week
from umpire.adjudication.objectives import find_end, measure_objectives
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.repairs import work_at_bases
from umpire.adjudication.station_battles import station_events
from umpire.adjudication.superiority import (
    holding_events,
    holdings_after,
    release_abandoned,
)
from umpire.adjudication.sweeping import sweep_mines, with_newer_mine_notices
from umpire.adjudication.umpire_events import UmpireEvent, deliver_umpire_events
from umpire.adjudication.yards import income, work_at_yards


def deploy_all(
    index: ScenarioIndex, orders: Mapping[str, Orders], dice: Dice, rules: str
) -> tuple[list[Fleet], list[Ship], list[LateFleet], list[WeekEvent]]:
    """Deploy the forces of all factions; each faction is notified of its own.

    Returns:
        The fleets and ships that are there now, those that arrive later, and the notices.

    Rules: 2E "Campaign set-up" [camp.lafayette], [camp.late-forces]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    late_fleets: list[LateFleet] = []
    events: list[WeekEvent] = []
    for faction in index.factions:
        force = orders[faction].deploy if faction in orders else ()
        if not force:
            force = default_force(index.scenario, faction)
        if not force and is_skirmish(index.scenario):
            continue  # the scenario gives it its ships
        present, late = split_late_force(index.scenario, force)
        new_fleets, new_ships = deploy_force(index.scenario, faction, present)
        stations, station_ships = station_forces(index.scenario, faction, new_fleets)
        own_ships = (*new_ships, *station_ships)
        fleets.extend((*new_fleets, *stations))
        ships.extend(roll_pilots(index.scenario, index.classes, own_ships, dice, rules))
        late_fleets.extend(late_force(index.scenario, faction, late))
        points = index.points(new_ships)
        events.append(ForceDeployed((faction,), "", len(new_fleets), len(new_ships), points))
    return fleets, ships, late_fleets, events


def add_reinforcements(
    index: ScenarioIndex,
    fleets: Sequence[Fleet],
    ships: Sequence[Ship],
    losses: Sequence[Loss],
    week: int,
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """Add the ships that arrive at the start of a week; only their owner is notified.

    Fleets and ships must come sorted by key, and are returned sorted by key.

    Rules: 2E "Repairs" [camp.reinforcements]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    events: list[WeekEvent] = []
    due = [arrival for arrival in index.scenario.reinforcements if arrival.week == week]
    if not due:
        return all_fleets, all_ships, events
    for arrival in sorted(due, key=lambda arrival: (arrival.faction, arrival.id)):
        lost_ships = [loss.ship for loss in losses]
        fleet, new_ships = reinforce(index.scenario, arrival, all_fleets, all_ships, lost_ships)
        all_fleets.append(fleet)
        all_ships.extend(new_ships)
        points = index.points(new_ships)
        owner = (arrival.faction,)
        events.append(ReinforcementArrived(owner, arrival.hex, fleet.name, len(new_ships), points))
    all_fleets.sort(key=attrgetter("key"))
    all_ships.sort(key=attrgetter("key"))
    return all_fleets, all_ships, events


def add_late_fleets(index: ScenarioIndex, world: World) -> tuple[World, list[WeekEvent]]:
    """Let the fleets arrive that were bought at the deployment for this week.

    Rules: 2E "Repairs" [camp.late-forces]
    """
    due = [item for item in world.late if item.week <= world.week]
    if not due:
        return world, []
    fleets, ships = list(world.fleets), list(world.ships)
    lost_ships = [loss.ship for loss in world.losses]
    events: list[WeekEvent] = []
    for item in due:
        fleet, new_ships = arrive(item, fleets, ships, lost_ships)
        fleets.append(fleet)
        ships.extend(new_ships)
        points = index.points(new_ships)
        owner = (fleet.faction,)
        events.append(ReinforcementArrived(owner, fleet.hex, fleet.name, len(new_ships), points))
    world = replace(
        world,
        fleets=tuple(sorted(fleets, key=attrgetter("key"))),
        ships=tuple(sorted(ships, key=attrgetter("key"))),
        late=tuple(item for item in world.late if item.week > world.week),
    )
    return world, events


def create_world(scenario: Scenario) -> World:
    """Return the world before the deployment, or the world of a single battle.

    Before the deployment it is week 0, owners hold all their systems, and there are no fleets.
    """
    if is_skirmish(scenario):
        return skirmish_world(scenario)
    return initial_world(scenario)


def resolve(
    scenario: Scenario,
    world: World,
    orders: Mapping[str, Orders],
    results: Mapping[str, BattleResult],
    dice: Dice,
    rules: str = NEWEST,
    umpire_events: Sequence[UmpireEvent] = (),
) -> StageOutcome:
    """Resolve the world's current stage.

    Every stage is resolved every week, even if no factions met.

    Args:
        orders: The orders by faction; a faction without orders gets the default ones.
        results: The result of every engagement, by its key, in the battles stage.
        rules: The version of the rules.
        umpire_events: All that umpires have written for this war, in order.

    Returns:
        The world of the next stage, and the events with their audiences.

    Raises:
        RuleViolations: A result is missing.
        ValueError: The war is over.
    """
    if world.stage == StageKind.OVER:
        raise ValueError("the war is over: there is no stage left to resolve")
    index = index_scenario(scenario, world)
    with _without_garbage_collection():
        world = sort_by_key(world)
        sealed = {}
        for faction in index.factions:
            if faction in orders:
                sealed[faction] = canonical_orders(orders[faction])
        outcome_now = _resolve(index, world, sealed, results, dice, rules)
        outcome_now = deliver_umpire_events(index, outcome_now, umpire_events)
        return dummies.number_new_fleets(index, outcome_now, dice)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable the search for reference cycles in the block.

    Frozen values make no cycles, and searching all fleets and ships of a large war again and again
    takes a quarter of a week's time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _resolve(
    index: ScenarioIndex,
    world: World,
    sealed: dict[str, Orders],
    results: Mapping[str, BattleResult],
    dice: Dice,
    rules: str,
) -> StageOutcome:
    """Resolve the world's stage by its kind; a faction without sealed orders gets the default."""
    if world.stage == StageKind.DEPLOY:
        return _deployment(index, world, sealed, dice, rules)
    if world.stage == StageKind.BATTLES:
        # The battles are fought: their results include the orders sealed for them.
        return _battles(index, world, results, dice, rules)
    for faction in index.factions:
        if faction not in sealed:
            view = build_view(index.scenario, world, faction, None, ())
            sealed[faction] = default_orders(index.scenario, view)
    if world.stage == StageKind.ORDERS:
        return _orders(index, world, sealed, dice)
    return _decisions(index, world, sealed, dice)


def _deployment(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice, rules: str
) -> StageOutcome:
    """Set up the forces in secret, then begin the first week."""
    world = replace(world, designs=add_designs(index.scenario, world.designs, orders))
    index = index_scenario(index.scenario, world)
    fleets, ships, late, events = deploy_all(index, orders, dice, rules)
    if is_skirmish(index.scenario):
        battle_world = deployed_skirmish_world(index.scenario, fleets, ships)
        return StageOutcome(replace(battle_world, designs=world.designs), tuple(events))
    world = replace(world, fleets=tuple(fleets), ships=tuple(ships), late=tuple(late))
    world, dropped = dummies.set_up_dummies(index, sort_by_key(world), orders)
    events += outcome.dropped_events(dropped)
    holdings = holdings_after(index, WorldIndex(index, world), world.holdings, (), world.week)
    world = measure_objectives(index, replace(world, holdings=holdings), world.week)
    return _next_week(index, world, events)


def _orders(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice
) -> StageOutcome:
    """Form fleets, settle standing contacts, move in secret, and find meetings and scans."""
    scenario = index.scenario
    prepared = prepare_week(scenario, world, orders)
    world = prepared.world
    if world.designs:
        index = index_scenario(scenario, world)
    events = [*outcome.dropped_events(prepared.dropped), *prepared.events]

    # Fleets in contact. Moving out counts as withdrawing and is rolled for before movement.
    standing = contacts.settle_standing_contacts(index, world, prepared.orders, dice)
    events += standing.events
    fleets, ships, going = split_fleets(world.fleets, world.ships, standing.ships_going)
    fleets = [replace(fleet, must_leave=True) if fleet.key in going else fleet for fleet in fleets]
    world = replace(world, fleets=tuple(fleets), ships=tuple(ships))  # both are sorted by key

    # Movement.
    world = dummies.assign_marker_numbers(index, world, dice)
    start_hexes = dummies.hexes_before_move(world)
    fleet_moves, dummy_moves = _possible_moves(world, prepared.orders, standing)
    ships_of = ships_by_fleet(world.ships)
    fleet_moves, closed = moves_without_room(index.scenario, world, fleet_moves, ships_of)
    events += outcome.dropped_events(closed)
    checked_moves = () if standing.ships_going else fleet_moves
    movement = move_fleets(scenario, world, fleet_moves, checked_moves, ships_of)
    world, dropped = dummies.move_dummies(index, world, dummy_moves)
    events += outcome.dropped_events((*movement.dropped, *dropped))
    settings = chain.from_iterable(sheet.settings for sheet in prepared.orders.values())
    fleets_now = release_decoys(scenario, movement.fleets, list(settings), world.ships)
    world = replace(world, fleets=fleets_now)

    # Meetings and long range scans.
    world_index = WorldIndex(index, world, ships_of)
    world, new_events = dummies.reveal_dummies(
        index, world_index, dummies.record_start_hexes(world, start_hexes)
    )
    events += new_events
    in_contact = {(pair.hex, pair.a, pair.b): pair for pair in standing.pairs}
    pairs = find_meetings(index, world_index, in_contact)
    scanned = scanned_hexes(scenario, world, prepared.orders, start_hexes)
    scans = _all_scans(index, world_index, scanned)
    events += outcome.scan_events(scans)
    world = replace(
        world,
        stage=StageKind.DECISIONS,
        pairs=tuple(pairs),
        scans=tuple(scans),
        holdings=_without_abandoned(index, world, world_index, standing),
    )
    return StageOutcome(world, tuple(events))


def _possible_moves(
    world: World, orders: Mapping[str, Orders], standing: ContactOutcome
) -> tuple[dict[str, Move], dict[str, Move]]:
    """Return the moves of fleets that no contact holds, and those of dummy counters, by key."""
    bound = standing.fleets_bound(world)
    dummy_keys = {dummy.key for dummy in world.dummies}
    fleet_moves: dict[str, Move] = {}
    dummy_moves: dict[str, Move] = {}
    for sheet in orders.values():
        for move in sheet.moves:
            if move.fleet in dummy_keys:
                dummy_moves[move.fleet] = move
            elif move.fleet not in bound:
                fleet_moves[move.fleet] = move
    return fleet_moves, dummy_moves


def _all_scans(
    index: ScenarioIndex, world_index: WorldIndex, scanned: Mapping[str, Collection[str]]
) -> list[Scan]:
    """Return the scans of the factions that meet, and those of other hexes.

    Args:
        scanned: The other hexes that each faction scans.
    """
    scans: list[Scan] = []
    for hex_, present in world_index.at.items():
        scans += scans_at(index, world_index, hex_, present)
    afar = contacts.scans_from_afar(index, world_index, scanned)
    if afar:
        return _last_of_each((*afar, *scans))
    return scans


def _without_abandoned(
    index: ScenarioIndex, world: World, world_index: WorldIndex, settled: ContactOutcome
) -> tuple[Holding, ...]:
    """Return the holdings; systems that both sides left in a withdrawal have no holder any more."""
    empty = [hex_ for hex_ in settled.both_withdrew if hex_ not in world_index.at]
    return release_abandoned(index, world.holdings, empty, world.week)


def _decisions(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice
) -> StageOutcome:
    """Settle the choices: some forces get away, some stand off, some fight."""
    settled = contacts.settle_new_contacts(index, world, orders, dice)
    fleets, ships, going = split_fleets(world.fleets, world.ships, settled.ships_going)
    fleets = enter_ftl(fleets, going)
    free_ships, tow_events = release_tows(index, fleets, ships, settled.engagements)
    world = replace(world, fleets=tuple(fleets), ships=free_ships)
    holdings = world.holdings
    if settled.both_withdrew:
        holdings = _without_abandoned(index, world, WorldIndex(index, world), settled)
    world = replace(
        world,
        stage=StageKind.BATTLES,
        holdings=holdings,
        contacts=contacts.stand_off_contacts(index, world, settled.pairs),
        engagements=contacts.with_contacts(settled.engagements, world.contacts),
        pairs=settled.pairs,
    )
    return StageOutcome(world, tuple(settled.events + tow_events))


def _battles(
    index: ScenarioIndex, world: World, results: Mapping[str, BattleResult], dice: Dice, rules: str
) -> StageOutcome:
    """Apply the battles' results and end the week.

    This covers losses, contested systems, superiority, bases and objectives; then the next week
    begins or the war ends.
    """
    # Losses, and ships in FTL space.
    after = ships_after(index, world, results)
    events = battle_over_events(world, results) + after.events
    events += station_events(index, world, results, after.owners())
    fleets, ships, going = split_fleets(
        decoys_after(world.fleets, results), after.ships, after.jumped
    )
    world_after = replace(world, fleets=tuple(enter_ftl(fleets, going)), ships=tuple(ships))
    world_index = WorldIndex(index, world_after)

    # Contested systems and stand-offs; superiority and ownership.
    lasting = contacts_after(world_index, world.contacts, world.engagements)
    events += outcome.contact_events(lasting)
    holdings = holdings_after(index, world_index, world.holdings, lasting, world.week)
    events += holding_events(index, world_index, world.holdings, holdings)
    ground, new_events = ground_after(index, world, world_index, holdings, results)
    events += new_events

    # Captures at dock; repairs and replenishment of the other ships; prizes under their new flag.
    at_dock, dock_captures, new_events = capture_docked_ships(
        index, world_index, holdings, world.week
    )
    events += new_events
    stations = true_stations(index.scenario, world_after)
    repaired, new_events = work_at_bases(index, world_index, holdings, stations, world.week, dice)
    events += new_events
    losses = (*world.losses, *after.losses, *at_dock)
    lost_keys = {loss.ship.key for loss in at_dock}
    ships = []
    for ship in world_after.ships:
        if ship.key not in lost_keys:
            ships.append(_clear_base_orders(repaired.get(ship.key, ship)))
    captures = (*after.captures, *dock_captures)
    lost_ships = [loss.ship for loss in losses]
    fleets, ships, new_events = form_prize_fleets(
        index, world_after.fleets, ships, lost_ships=lost_ships, captures=captures
    )
    events += new_events
    events += survivor_events(index, world, results, holdings=holdings, captures=captures)
    manned = {ship.fleet for ship in ships}

    world = replace(
        world_after,
        fleets=tuple(fleet for fleet in fleets if fleet.key in manned),
        ships=tuple(ships),
        holdings=holdings,
        contacts=lasting,
        losses=tuple(sorted(losses, key=lambda loss: (loss.week, loss.ship.key))),
        ground=ground,
    )

    # Mines left on the tables, and mines swept.
    mines, new_events = mines_after_week(index, world, results)
    events += new_events
    world, new_events = sweep_mines(index, replace(world, mines=mines), dice, rules)
    events = with_newer_mine_notices(events, new_events)

    # Goods landed and ships supplied.
    world, new_events = move_goods(index, world)
    events += new_events

    # Ships built and modified.
    world, new_events = work_at_yards(index, world)
    events += new_events

    # Objectives.
    world = measure_objectives(index, world, world.week)
    if is_skirmish(index.scenario):
        winner = next((result.winner for result in results.values()), None)
        end: Condition | None = skirmish_end(index.scenario, winner)
    else:
        end = find_end(index, world)
    if end is not None:
        events.append(WarOver(index.factions, "", end.result, end.winner or ""))
        world = replace(
            world,
            stage=StageKind.OVER,
            pairs=(),
            engagements=(),
            scans=(),
            result=end.result,
            winner=end.winner,
        )
        return StageOutcome(world, tuple(events))
    return _next_week(index, world, events)


def _next_week(index: ScenarioIndex, world: World, events: list[WeekEvent]) -> StageOutcome:
    """Begin the next week: reinforcements arrive and factions get their income."""
    week = world.week + 1
    fleets, ships, new_events = add_reinforcements(
        index, world.fleets, world.ships, world.losses, week
    )
    world = replace(
        world,
        week=week,
        stage=StageKind.ORDERS,
        fleets=tuple(fleets),
        ships=tuple(ships),
        pairs=(),
        engagements=(),
        scans=(),
        funds=income(index, world),
    )
    world, late_events = add_late_fleets(index, world)
    return StageOutcome(world, tuple(events + new_events + late_events))


def _clear_base_orders(ship: Ship) -> Ship:
    """Return a ship without orders to its base, which the week has completed."""
    if ship.repair or ship.replenish or ship.refit:
        return replace(ship, repair=(), replenish=False, refit=())
    return ship


def _last_of_each(scans: Iterable[Scan]) -> list[Scan]:
    """Return the last scan of each (hex, viewer, target), sorted by these."""
    result = {(scan.hex, scan.viewer, scan.target): scan for scan in scans}
    return [result[key] for key in sorted(result)]
