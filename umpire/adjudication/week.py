"""A week of the campaign, stage by stage, as the rulebook tells it: pure, from frozen values to
frozen values.

Who comes onto the map stands here too: the deployment of each faction, or its default force, and
reinforcements.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from campaign.events.event import WeekEvent
from campaign.events.war import Deployed, Reinforced, WarOver
from campaign.kinds import StageKind
from campaign.orders.codec import canonical_orders
from campaign.orders.defaults import default_orders
from campaign.orders.preparation import prepare
from campaign.orders.registry import scanned_hexes
from campaign.rules.designs import with_designs
from campaign.rules.forces import default_force, deploy_force, initial_world, reinforce
from campaign.rules.movement import move_fleets, release_decoys
from campaign.rules.orders import Orders
from campaign.rules.perceive import perceive
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish, skirmish_end, skirmish_world
from campaign.rules.world import Fleet, Loss, Scan, Ship, World
from engine.core.dice import Dice
from umpire.adjudication import contacts, dummies, outcome
from umpire.adjudication.aftermath import (
    cast_off,
    contacts_after,
    drones_after,
    prizes_made,
    ships_after,
    taken_at_dock,
    tell_battles,
    tell_survivors,
)
from umpire.adjudication.bombardment import bombarded
from umpire.adjudication.contacts import into_ftl, meetings, part_fleets, scans_at
from umpire.adjudication.muster import Book, Muster, book_of, by_key
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.repairs import at_the_bases
from umpire.adjudication.superiority import abandoned, changes, holdings_after, judge
from umpire.adjudication.yards import at_the_yards, income


def deployed(
    book: Book, orders: Mapping[str, Orders]
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """The fleets and ships of all factions, and what each hears of its own.

    Rules: 2E "Campaign set-up" [camp.lafayette]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    heard: list[WeekEvent] = []
    for faction in book.factions:
        sealed = orders[faction].deploy if faction in orders else ()
        own, crew = deploy_force(
            book.scenario, faction, sealed or default_force(book.scenario, faction)
        )
        fleets.extend(own)
        ships.extend(crew)
        heard.append(Deployed((faction,), "", len(own), len(crew), book.points(crew)))
    return fleets, ships, heard


def arrivals(
    book: Book, fleets: Sequence[Fleet], ships: Sequence[Ship], losses: Sequence[Loss], week: int
) -> tuple[list[Fleet], list[Ship], list[WeekEvent]]:
    """All fleets and ships with those that arrive at the start of `week`; only their owner hears of
    it.

    Fleets and ships come in the order of their keys, and leave in it.

    Rules: 2E "Repairs" [camp.reinforcements]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    heard: list[WeekEvent] = []
    due = [arrival for arrival in book.scenario.reinforcements if arrival.week == week]
    if not due:
        return all_fleets, all_ships, heard
    for arrival in sorted(due, key=lambda arrival: (arrival.faction, arrival.id)):
        gone = [loss.ship for loss in losses]
        fleet, crew = reinforce(book.scenario, arrival, all_fleets, all_ships, gone)
        all_fleets.append(fleet)
        all_ships.extend(crew)
        points = book.points(crew)
        heard.append(Reinforced((arrival.faction,), arrival.hex, fleet.name, len(crew), points))
    return sorted(all_fleets, key=lambda f: f.key), sorted(all_ships, key=lambda s: s.key), heard


def start(scenario: Scenario) -> World:
    """The world before the deployment: week 0, every system its owner's, no fleet anywhere; or a
    single battle's.
    """
    return skirmish_world(scenario) if is_skirmish(scenario) else initial_world(scenario)


def resolve(
    scenario: Scenario,
    world: World,
    orders: Mapping[str, Orders],
    results: Mapping[str, BattleResult],
    dice: Dice,
) -> StageOutcome:
    """The stage the world stands in, resolved: the world of the next stage, and what happened with
    its audience.

    A faction without orders is given the default ones. `results`: that of every engagement, by its
    key, in the stage of battles. Every stage is held every week, even when nobody met. Raises
    RuleViolations where a result is missing, ValueError when the war is over.
    """
    if world.stage == StageKind.OVER:
        raise ValueError("the war is over: there is no stage left to resolve")
    book = book_of(scenario, world)
    with _uncollected():
        world = by_key(world)
        sealed = {
            faction: canonical_orders(orders[faction])
            for faction in book.factions
            if faction in orders
        }
        return dummies.outcome_numbered(book, _resolved(book, world, sealed, results, dice), dice)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles while the block runs: frozen values make none, and looking through all
    of a large war's fleets and ships again and again takes a quarter of a week's time.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def _resolved(
    book: Book,
    world: World,
    sealed: dict[str, Orders],
    results: Mapping[str, BattleResult],
    dice: Dice,
) -> StageOutcome:
    if world.stage == StageKind.DEPLOY:
        return _deployment(book, world, sealed)
    if world.stage == StageKind.BATTLES:
        return _battles(
            book, world, results, dice
        )  # fought by now: what was sealed for them is in the results
    for faction in book.factions:
        if faction not in sealed:
            sealed[faction] = default_orders(
                book.scenario, perceive(book.scenario, world, faction, None, ())
            )
    if world.stage == StageKind.ORDERS:
        return _orders(book, world, sealed, dice)
    return _decisions(book, world, sealed, dice)


def _deployment(book: Book, world: World, orders: Mapping[str, Orders]) -> StageOutcome:
    """Forces are set up in secret; then the first week begins."""
    world = replace(world, designs=with_designs(book.scenario, world.designs, orders))
    book = book_of(book.scenario, world)
    fleets, ships, heard = deployed(book, orders)
    world, dropped = dummies.set_up(
        book, by_key(replace(world, fleets=tuple(fleets), ships=tuple(ships))), orders
    )
    heard += outcome.dropped(dropped)
    holdings = holdings_after(book, Muster(book, world), world.holdings, (), world.week)
    return _next_week(book, replace(world, holdings=holdings), heard)


def _orders(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> StageOutcome:
    """Fleets are formed, those in contact choose, everybody moves in secret, and hostile fleets
    meet and scan.
    """
    scenario = book.scenario
    prepared = prepare(scenario, world, orders)
    world = prepared.world
    if world.designs:
        book = book_of(scenario, world)
    heard = [*outcome.dropped(prepared.dropped), *prepared.events]

    # Fleets in contact: moving out is withdrawing, and it is diced before movement.
    touching = contacts.choices_given(book, world, prepared.orders, dice)
    heard += touching.heard
    fleets, ships, going = part_fleets(world.fleets, world.ships, touching.ships_going)
    fleets = [replace(fleet, must_leave=True) if fleet.key in going else fleet for fleet in fleets]
    world = replace(
        world, fleets=tuple(fleets), ships=tuple(ships)
    )  # both are in the order of their keys

    # Movement.
    bound = touching.fleets_bound(world)
    world = dummies.numbered(book, world, dice)
    start_hexes = dummies.standing_before(world)
    moves = {
        move.fleet: move
        for sheet in prepared.orders.values()
        for move in sheet.moves
        if move.fleet not in bound
    }
    unmanned = {item.key: moves.pop(item.key) for item in world.dummies if item.key in moves}
    crews = ships_by_fleet(world.ships)
    moved = move_fleets(scenario, world, moves, () if touching.ships_going else moves, crews)
    world, dropped = dummies.moved(book, world, unmanned)
    heard += outcome.dropped((*moved.dropped, *dropped))
    settings = [setting for sheet in prepared.orders.values() for setting in sheet.settings]
    world = replace(world, fleets=release_decoys(scenario, moved.fleets, settings, world.ships))

    # Meetings and long range scans.
    muster = Muster(book, world, crews)
    world, told = dummies.found_out(book, muster, dummies.remembered(world, start_hexes))
    heard += told
    pairs = meetings(book, muster, {(pair.hex, pair.a, pair.b): pair for pair in touching.pairs})
    scans = [
        scan
        for hex_, present in muster.at.items()
        for scan in scans_at(book, muster, hex_, present)
    ]
    afar = contacts.scans_from_afar(
        book, muster, scanned_hexes(scenario, world, prepared.orders, start_hexes)
    )
    if afar:
        scans = _once_each((*afar, *scans))
    heard += outcome.scanned(scans)
    empty = [hex_ for hex_ in touching.both_withdrew if hex_ not in muster.at]
    holdings = abandoned(book, world.holdings, empty, world.week)
    world = replace(
        world, stage=StageKind.DECISIONS, pairs=tuple(pairs), scans=tuple(scans), holdings=holdings
    )
    return StageOutcome(world, tuple(heard))


def _decisions(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> StageOutcome:
    """The choices are revealed: some get away, some glare at each other, some fight."""
    met = contacts.choices_revealed(book, world, orders, dice)
    fleets, ships, going = part_fleets(world.fleets, world.ships, met.ships_going)
    crew, told = cast_off(book, into_ftl(fleets, going), ships, met.engagements)
    world = replace(world, fleets=tuple(into_ftl(fleets, going)), ships=crew)
    empty: list[str] = []
    if met.both_withdrew:
        there = Muster(book, world).at
        empty = [hex_ for hex_ in met.both_withdrew if hex_ not in there]
    world = replace(
        world,
        stage=StageKind.BATTLES,
        holdings=abandoned(book, world.holdings, empty, world.week),
        contacts=contacts.stand_offs(book, world, met.pairs),
        engagements=met.engagements,
        pairs=met.pairs,
    )
    return StageOutcome(world, tuple(met.heard + told))


def _battles(
    book: Book, world: World, results: Mapping[str, BattleResult], dice: Dice
) -> StageOutcome:
    """The aftermath: losses, contested systems, superiority, bases, objectives; then the next week
    or the end.
    """
    # Losses, and who is in FTL space.
    after = ships_after(book, world, results)
    heard = tell_battles(world, results) + after.heard
    fleets, ships, going = part_fleets(
        drones_after(world.fleets, results), after.ships, after.jumped
    )
    fought = replace(world, fleets=tuple(into_ftl(fleets, going)), ships=tuple(ships))
    muster = Muster(book, fought)

    # Contested systems and stand-offs; superiority and ownership.
    lasting = contacts_after(muster, world.contacts, world.engagements)
    heard += outcome.still_in_contact(lasting)
    holdings = holdings_after(book, muster, world.holdings, lasting, world.week)
    heard += changes(book, muster, world.holdings, holdings)
    ground, told = bombarded(book, world, muster, holdings, results)
    heard += told

    # Ships taken at dock; repairs and replenishment of the others; prizes under their new flag.
    at_dock, taken, told = taken_at_dock(book, muster, holdings, world.week)
    heard += told
    mended, told = at_the_bases(book, muster, holdings, world.week, dice)
    heard += told
    losses = (*world.losses, *after.losses, *at_dock)
    lost_keys = {loss.ship.key for loss in at_dock}
    mended_too = [mended.get(ship.key, ship) for ship in fought.ships] if mended else fought.ships
    ships = [
        _week_done(ship) if ship.repair or ship.replenish or ship.refit else ship
        for ship in mended_too
        if ship.key not in lost_keys
    ]
    gone = [loss.ship for loss in losses]
    fleets, ships, told = prizes_made(book, fought.fleets, ships, gone, (*after.taken, *taken))
    heard += told
    heard += tell_survivors(book, world, results, holdings, (*after.taken, *taken))
    manned = {ship.fleet for ship in ships}

    world = replace(
        fought,
        fleets=tuple(fleet for fleet in fleets if fleet.key in manned),
        ships=tuple(ships),
        holdings=holdings,
        contacts=lasting,
        losses=tuple(sorted(losses, key=lambda loss: (loss.week, loss.ship.key))),
        ground=ground,
    )

    # Ships built and modified.
    world, told = at_the_yards(book, world)
    heard += told

    # Objectives.
    end = judge(book, holdings, world.week, ground)
    if is_skirmish(book.scenario):
        end = skirmish_end(
            book.scenario, next((result.winner for result in results.values()), None)
        )
    if end is not None:
        heard.append(WarOver(book.factions, "", end.result, end.winner or ""))
        world = replace(
            world,
            stage=StageKind.OVER,
            pairs=(),
            engagements=(),
            scans=(),
            result=end.result,
            winner=end.winner,
        )
        return StageOutcome(world, tuple(heard))
    return _next_week(book, world, heard)


def _next_week(book: Book, world: World, heard: list[WeekEvent]) -> StageOutcome:
    """The next week begins: reinforcements arrive, and orders are asked for."""
    week = world.week + 1
    fleets, ships, told = arrivals(book, world.fleets, world.ships, world.losses, week)
    world = replace(
        world,
        week=week,
        stage=StageKind.ORDERS,
        fleets=tuple(fleets),
        ships=tuple(ships),
        pairs=(),
        engagements=(),
        scans=(),
        funds=income(book, world.funds),
    )
    return StageOutcome(world, tuple(heard + told))


def _week_done(ship: Ship) -> Ship:
    """A ship at the end of a week: what it wanted of the base is done."""
    return replace(ship, repair=(), replenish=False, refit=())


def _once_each(scans: Iterable[Scan]) -> list[Scan]:
    """One scan for each hex, viewer and target, in their order; of several the last."""
    found = {(scan.hex, scan.viewer, scan.target): scan for scan in scans}
    return [found[key] for key in sorted(found)]
