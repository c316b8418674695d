"""The command `war`: play a war, or a part of one, as a script says.

The same script gives the same bytes. Battles are fought by computer captains.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.codec import parse_orders
from campaign.orders.set_up import without_faulty_places
from campaign.orders.validation import order_violations
from campaign.rules.markers import dummies_allowed
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.rules.stations import all_stations, station_forces
from campaign.rules.system_mines import THOUSANDTHS, sorted_mines
from campaign.rules.world import (
    Cargo,
    Contact,
    Delivery,
    Fleet,
    Holding,
    Loss,
    Mine,
    Ship,
    World,
)
from engine.core.dice import LeadingDice
from engine.core.errors import Violation, faults_json
from engine.notation.files import read_input
from umpire.adjudication.indexes import WorldIndex, index_scenario, sort_by_key
from umpire.adjudication.objectives import begin_objectives
from umpire.adjudication.superiority import holdings_after
from umpire.adjudication.week import create_world
from umpire.adjudication.yards import income
from umpire.cli.war_record import WarRecord
from umpire.cli.war_script import (
    Script,
    ScriptDelivery,
    ScriptFleet,
    ScriptLoss,
    ScriptShip,
    WarScript,
    hex_of,
    moment_number,
    read_script,
)
from umpire.rehearsal import WarInMemory


def run(args: Namespace) -> dict[str, Any]:
    """Return what happened in the war of a script.

    Raises:
        RuleViolations: With every fault of the script. Faults of orders are in the answer.
    """
    return play_script(read_script(read_input(args.file)))


def play_script(war_script: WarScript) -> dict[str, Any]:
    """Play a script and return its record as JSON.

    Raises:
        RuleViolations: A die of the script is not on the die that a rule rolls.
    """
    scenario = war_script.scenario
    script = war_script.script
    war = WarInMemory(scenario, script.seed, _first_world(scenario, script))
    record = WarRecord(scenario)
    first_dice = LeadingDice(script.dice)
    if StageKind(script.stage) == StageKind.DECISIONS:
        # By the default orders, so that docked ships stay docked.
        record.add(war.play_stage({}, first_dice=first_dice))
    while war_script.plays and not war.is_over and not _is_reached(script, war.world):
        orders = _orders(war, script, record)
        record.add(war.play_stage(orders, first_dice=first_dice))
    return record.to_json(war.world)


def _is_reached(script: Script, world: World) -> bool:
    """Return whether the war has reached the moment before which the script stops."""
    if script.until is None:
        return False
    now = moment_number(world.week, world.stage)
    return now >= moment_number(script.until.week, script.until.stage)


def _orders(war: WarInMemory, script: Script, record: WarRecord) -> dict[str, Orders]:
    """Return the orders of the current stage, and record the faults of those that are refused.

    The orders of the script count before those of an admiral. A faction whose orders are refused
    gets the default ones, like a faction without orders.
    """
    stages = script.orders.get(str(war.world.week), {})
    by_faction: Mapping[str, Any] = stages.get(war.world.stage, {})
    result: dict[str, Orders] = {}
    for faction in war.factions:
        if faction in by_faction:
            orders, faults = _read_orders(war, faction, by_faction[faction])
            if faults:
                record.refuse(war.world, faction, faults_json(faults))
            if orders is not None:
                result[faction] = orders
        elif faction in script.admirals:
            result[faction] = war.admiral_orders(faction)
    return result


def _read_orders(
    war: WarInMemory, faction: str, document: object
) -> tuple[Orders | None, tuple[Violation, ...]]:
    """Return the orders of a document, and all faults that they have for the faction now.

    Orders with faults are refused as a whole. Only the places of ships are refused one by one.
    """
    orders, faults = parse_orders(document)
    if orders is None:
        return None, faults
    faults = order_violations(war.scenario, war.views[faction], orders)
    if faults:
        orders = without_faulty_places(orders, faults)
        if orders is not None and order_violations(war.scenario, war.views[faction], orders):
            orders = None
    return orders, faults


def _first_world(scenario: Scenario, script: Script) -> World:
    """Return the world at the beginning of a script."""
    if script.fleets is None:
        return create_world(scenario)
    fleets = tuple(_fleet(scenario, fleet) for fleet in script.fleets)
    ships: list[Ship] = []
    station_classes = {station.key: station.cls for _, station in all_stations(scenario)}
    for fleet in script.fleets:
        for key, ship in fleet.ships.items():
            is_station = station_classes.get(fleet.id) == ship.cls
            ships.append(_ship(fleet, key, ship, station=fleet.id if is_station else ""))
    fleets, ships = _with_stations(scenario, script, fleets, ships)
    reserve = []
    for faction in scenario.factions:
        count = sum(fleet.faction == faction.id for fleet in fleets)
        reserve.append((faction.id, dummies_allowed(scenario, count)))
    usual_world = create_world(scenario)
    world = World(
        week=script.week,
        stage=StageKind.ORDERS,
        fleets=fleets,
        ships=tuple(ships),
        holdings=usual_world.holdings,
        contacts=tuple(_contacts(scenario, script)),
        losses=tuple(_loss(scenario, loss) for loss in script.losses),
        goods=usual_world.goods,
        mines=_mines(script, usual_world),
        deliveries=tuple(_delivery(delivery) for delivery in script.delivered),
        reserve=tuple(reserve) if scenario.open_play else (),
    )
    world = sort_by_key(world)
    index = index_scenario(scenario, world)
    world = replace(world, holdings=_holdings(scenario, script, world))
    world = replace(world, funds=income(index, world))
    return begin_objectives(index, world, _weeks_held(script))


def _fleet(scenario: Scenario, fleet: ScriptFleet) -> Fleet:
    return Fleet(
        key=fleet.id,
        faction=fleet.faction,
        name=fleet.name or fleet.id,
        hex=hex_of(scenario, fleet.at),
        back=hex_of(scenario, fleet.back),
        in_ftl=fleet.in_ftl,
        must_leave=fleet.must_leave,
        decoys=fleet.decoys,
        decoys_out=fleet.decoys_out,
        standing=fleet.standing,
        doctrine=fleet.doctrine,
        budget=fleet.budget,
    )


def _with_stations(
    scenario: Scenario, script: Script, fleets: tuple[Fleet, ...], ships: list[Ship]
) -> tuple[tuple[Fleet, ...], list[Ship]]:
    """Return fleets and ships with the stations that the script neither places nor has lost."""
    in_script = {fleet.key for fleet in fleets} | {loss.ship for loss in script.losses}
    all_fleets = list(fleets)
    all_ships = list(ships)
    for faction in scenario.factions:
        new_fleets, new_ships = station_forces(scenario, faction.id, fleets)
        all_fleets += [fleet for fleet in new_fleets if fleet.key not in in_script]
        all_ships += [ship for ship in new_ships if ship.key not in in_script]
    return tuple(all_fleets), all_ships


def _ship(fleet: ScriptFleet, key: str, ship: ScriptShip, station: str) -> Ship:
    cargo = None
    if ship.cargo is not None:
        cargo = Cargo(ship.cargo.what, ship.cargo.amount, ship.cargo.amount)
    return Ship(
        key=key,
        faction=fleet.faction,
        name=ship.name or key,
        cls=ship.cls,
        fleet=fleet.id,
        damage=ship.damage,
        lost=ship.lost,
        stock=tuple(sorted(ship.stock.items())),
        settings=tuple(sorted(ship.settings.items())),
        notes=tuple(sorted(ship.notes.items())),
        cargo=cargo,
        docked=ship.docked,
        laid_up=ship.laid_up,
        tug=ship.tug,
        station=station,
    )


def _contacts(scenario: Scenario, script: Script) -> list[Contact]:
    result = []
    for contact in script.contacts:
        first, second = sorted(contact.sides)
        hex_ = hex_of(scenario, contact.at)
        result.append(Contact(hex_, first, second, contact.state, contact.inner))
    return result


def _loss(scenario: Scenario, loss: ScriptLoss) -> Loss:
    ship = Ship(loss.ship, loss.faction, loss.ship, loss.cls, "")
    return Loss(ship, loss.week, hex_of(scenario, loss.at), loss.how)


def _delivery(delivery: ScriptDelivery) -> Delivery:
    return Delivery(
        delivery.faction,
        delivery.what,
        system=delivery.to,
        amount=delivery.amount,
        week=delivery.week,
    )


def _mines(script: Script, usual_world: World) -> tuple[Mine, ...]:
    """Return the mines of the script and, in systems that it leaves out, of the scenario."""
    mines = [mine for mine in usual_world.mines if mine.system not in script.mines]
    for system, placed in script.mines.items():
        for mine in placed:
            x, y = (round(length * THOUSANDTHS) for length in mine.at)
            mines.append(Mine(system, mine.faction, x, y))
    return sorted_mines(mines)


def _weeks_held(script: Script) -> dict[str, int]:
    """Return for how many weeks each system of the script has been held before the war begins."""
    weeks = {}
    for system, holding in script.holdings.items():
        weeks[system] = script.week - max(1, holding.since)
    return weeks


def _holdings(scenario: Scenario, script: Script, world: World) -> tuple[Holding, ...]:
    """Return who holds each system at the beginning.

    The week before has ended with these fleets in their places. A holding of the script counts
    before that; superiority there is its holder's, if no other side has it.
    """
    index = index_scenario(scenario, world)
    before = []
    for holding in world.holdings:
        scripted = script.holdings.get(holding.system)
        if scripted is not None:
            holding = replace(
                holding, holder=scripted.holder, since=scripted.since, superior=scripted.holder
            )
        before.append(holding)
    after = holdings_after(
        index, WorldIndex(index, world), before, world.contacts, max(0, script.week - 1)
    )
    result = []
    for given_holding, holding in zip(before, after, strict=True):
        if holding.system in script.holdings and holding.holder != given_holding.holder:
            holding = replace(
                holding, holder=given_holding.holder, since=given_holding.since, superior=None
            )
        result.append(holding)
    return tuple(result)
