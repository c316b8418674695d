"""A week of the campaign, stage by stage, as in the rulebook: pure, frozen values in and out.

Deployment, default forces and reinforcements are here too.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from campaign.events.event import WeekEvent
from campaign.events.war import ForceDeployed, ReinforcementArrived, WarOver
from campaign.kinds import StageKind
from campaign.orders.codec import canonical_orders
from campaign.orders.defaults import default_orders
from campaign.orders.preparation import prepare_week
from campaign.orders.registry import scanned_hexes
from campaign.rules.designs import add_designs
from campaign.rules.forces import default_force, deploy_force, initial_world, reinforce
from campaign.rules.movement import move_fleets, release_decoys
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish, skirmish_end, skirmish_world
from campaign.rules.world import Fleet, Loss, Scan, Ship, World
from engine.core.dice import Dice
from umpire.adjudication import contacts, dummies, outcome
from umpire.adjudication.aftermath import (
    battle_over_events,
    capture_docked_ships,
    contacts_after,
    drones_after,
    form_prize_fleets,
    release_tows,
    ships_after,
    survivor_events,
)
from umpire.adjudication.bombardment import ground_after
from umpire.adjudication.contacts import enter_ftl, find_meetings, scans_at, split_fleets
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex, index_scenario, sort_by_key
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.repairs import work_at_bases
from umpire.adjudication.superiority import (
    find_end_condition,
    holding_events,
    holdings_after,
    release_abandoned,
)
from umpire.adjudication.yards import income, work_at_yards


def deploy_all(
    index: ScenarioIndex, orders: Mapping[str, Orders]
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """Deploy the forces of all factions; each faction is notified of its own.

    Rules: 2E "Campaign set-up" [camp.lafayette]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    events: list[WeekEvent] = []
    for faction in index.factions:
        sealed = orders[faction].deploy if faction in orders else ()
        new_fleets, new_ships = deploy_force(
            index.scenario, faction, sealed or default_force(index.scenario, faction)
        )
        fleets.extend(new_fleets)
        ships.extend(new_ships)
        events.append(
            ForceDeployed((faction,), "", len(new_fleets), len(new_ships), index.points(new_ships))
        )
    return fleets, ships, events


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
        events.append(
            ReinforcementArrived(
                (arrival.faction,), arrival.hex, fleet.name, len(new_ships), points
            )
        )
    return sorted(all_fleets, key=lambda f: f.key), sorted(all_ships, key=lambda s: s.key), events


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
) -> StageOutcome:
    """Resolve the world's current stage.

    Every stage is resolved every week, even if no factions met.

    Args:
        orders: The orders by faction; a faction without orders gets the default ones.
        results: The result of every engagement, by its key, in the battles stage.

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
        return dummies.number_new_fleets(index, _resolve(index, world, sealed, results, dice), dice)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable the search for reference cycles in the block.

    Frozen values make no cycles, and searching all fleets and ships of a large war again and again
    takes a quarter of a week's time.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def _resolve(
    index: ScenarioIndex,
    world: World,
    sealed: dict[str, Orders],
    results: Mapping[str, BattleResult],
    dice: Dice,
) -> StageOutcome:
    if world.stage == StageKind.DEPLOY:
        return _deployment(index, world, sealed)
    if world.stage == StageKind.BATTLES:
        return _battles(
            index, world, results, dice
        )  # the battles are fought: their results include the orders sealed for them
    for faction in index.factions:
        if faction not in sealed:
            sealed[faction] = default_orders(
                index.scenario, build_view(index.scenario, world, faction, None, ())
            )
    if world.stage == StageKind.ORDERS:
        return _orders(index, world, sealed, dice)
    return _decisions(index, world, sealed, dice)


def _deployment(index: ScenarioIndex, world: World, orders: Mapping[str, Orders]) -> StageOutcome:
    """Set up the forces in secret, then begin the first week."""
    world = replace(world, designs=add_designs(index.scenario, world.designs, orders))
    index = index_scenario(index.scenario, world)
    fleets, ships, events = deploy_all(index, orders)
    world, dropped = dummies.set_up_dummies(
        index, sort_by_key(replace(world, fleets=tuple(fleets), ships=tuple(ships))), orders
    )
    events += outcome.dropped_events(dropped)
    holdings = holdings_after(index, WorldIndex(index, world), world.holdings, (), world.week)
    return _next_week(index, replace(world, holdings=holdings), events)


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
    bound = standing.fleets_bound(world)
    world = dummies.assign_marker_numbers(index, world, dice)
    start_hexes = dummies.hexes_before_move(world)
    moves = {
        move.fleet: move
        for sheet in prepared.orders.values()
        for move in sheet.moves
        if move.fleet not in bound
    }
    unmanned = {}
    for item in world.dummies:
        if item.key in moves:
            unmanned[item.key] = moves.pop(item.key)
    ships_of = ships_by_fleet(world.ships)
    movement = move_fleets(scenario, world, moves, () if standing.ships_going else moves, ships_of)
    world, dropped = dummies.move_dummies(index, world, unmanned)
    events += outcome.dropped_events((*movement.dropped, *dropped))
    settings = [setting for sheet in prepared.orders.values() for setting in sheet.settings]
    world = replace(world, fleets=release_decoys(scenario, movement.fleets, settings, world.ships))

    # Meetings and long range scans.
    world_index = WorldIndex(index, world, ships_of)
    world, new_events = dummies.reveal_dummies(
        index, world_index, dummies.record_start_hexes(world, start_hexes)
    )
    events += new_events
    pairs = find_meetings(
        index, world_index, {(pair.hex, pair.a, pair.b): pair for pair in standing.pairs}
    )
    scans = [
        scan
        for hex_, present in world_index.at.items()
        for scan in scans_at(index, world_index, hex_, present)
    ]
    afar = contacts.scans_from_afar(
        index, world_index, scanned_hexes(scenario, world, prepared.orders, start_hexes)
    )
    if afar:
        scans = _last_of_each((*afar, *scans))
    events += outcome.scan_events(scans)
    empty = [hex_ for hex_ in standing.both_withdrew if hex_ not in world_index.at]
    holdings = release_abandoned(index, world.holdings, empty, world.week)
    world = replace(
        world, stage=StageKind.DECISIONS, pairs=tuple(pairs), scans=tuple(scans), holdings=holdings
    )
    return StageOutcome(world, tuple(events))


def _decisions(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice
) -> StageOutcome:
    """Settle the choices: some forces get away, some stand off, some fight."""
    settled = contacts.settle_new_contacts(index, world, orders, dice)
    fleets, ships, going = split_fleets(world.fleets, world.ships, settled.ships_going)
    free_ships, tow_events = release_tows(
        index, enter_ftl(fleets, going), ships, settled.engagements
    )
    world = replace(world, fleets=tuple(enter_ftl(fleets, going)), ships=free_ships)
    empty: list[str] = []
    if settled.both_withdrew:
        there = WorldIndex(index, world).at
        empty = [hex_ for hex_ in settled.both_withdrew if hex_ not in there]
    world = replace(
        world,
        stage=StageKind.BATTLES,
        holdings=release_abandoned(index, world.holdings, empty, world.week),
        contacts=contacts.stand_off_contacts(index, world, settled.pairs),
        engagements=settled.engagements,
        pairs=settled.pairs,
    )
    return StageOutcome(world, tuple(settled.events + tow_events))


def _battles(
    index: ScenarioIndex, world: World, results: Mapping[str, BattleResult], dice: Dice
) -> StageOutcome:
    """Apply the battles' results and end the week.

    This covers losses, contested systems, superiority, bases and objectives; then the next week
    begins or the war ends.
    """
    # Losses, and ships in FTL space.
    after = ships_after(index, world, results)
    events = battle_over_events(world, results) + after.events
    fleets, ships, going = split_fleets(
        drones_after(world.fleets, results), after.ships, after.jumped
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
    repaired, new_events = work_at_bases(index, world_index, holdings, world.week, dice)
    events += new_events
    losses = (*world.losses, *after.losses, *at_dock)
    lost_keys = {loss.ship.key for loss in at_dock}
    ships_now = (
        [repaired.get(ship.key, ship) for ship in world_after.ships]
        if repaired
        else world_after.ships
    )
    ships = [
        _clear_base_orders(ship) if ship.repair or ship.replenish or ship.refit else ship
        for ship in ships_now
        if ship.key not in lost_keys
    ]
    lost_ships = [loss.ship for loss in losses]
    fleets, ships, new_events = form_prize_fleets(
        index, world_after.fleets, ships, lost_ships, (*after.captures, *dock_captures)
    )
    events += new_events
    events += survivor_events(index, world, results, holdings, (*after.captures, *dock_captures))
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

    # Ships built and modified.
    world, new_events = work_at_yards(index, world)
    events += new_events

    # Objectives.
    end = find_end_condition(index, holdings, world.week, ground)
    if is_skirmish(index.scenario):
        end = skirmish_end(
            index.scenario, next((result.winner for result in results.values()), None)
        )
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
        funds=income(index, world.funds),
    )
    return StageOutcome(world, tuple(events + new_events))


def _clear_base_orders(ship: Ship) -> Ship:
    """Return a ship without orders to its base, which the week has completed."""
    return replace(ship, repair=(), replenish=False, refit=())


def _last_of_each(scans: Iterable[Scan]) -> list[Scan]:
    """Return the last scan of each (hex, viewer, target), sorted by these."""
    result = {(scan.hex, scan.viewer, scan.target): scan for scan in scans}
    return [result[key] for key in sorted(result)]
