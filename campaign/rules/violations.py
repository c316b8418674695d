"""The faults of a faction's orders, all of them, judged by the faction's own View alone.

Because nothing but the View and the public scenario is asked, what is legal tells nobody what is hidden.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.codec import ORDERS_PARTS
from campaign.rules.designs import design_faults, designed
from campaign.rules.dock_violations import dock_violations
from campaign.rules.fleet_violations import battle_setting_violations, detach_violations, setting_violations
from campaign.rules.forces import deploy_violations
from campaign.rules.lookup import furnished, grounded, in_sight, ship_classes, ships_by_fleet
from campaign.rules.markers import dummies_after, dummy_violations
from campaign.rules.movement import apply_detach, apply_dock, move_faults
from campaign.rules.order_limits import limit_faults
from campaign.rules.orders import Decide, Move, Orders
from campaign.rules.refit import refit_violations
from campaign.rules.scenario import Scenario
from campaign.rules.towing import apply_tow, hold_tows, tow_violations
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, StageKind
from engine.core.errors import Violation, place

# The parts of orders each stage reads.
PARTS: dict[StageKind, tuple[str, ...]] = {
    "deploy": ("deploy", "designs", "dummies"),
    "orders": ("settings", "detach", "dock", "refit", "tow", "weasels", "dummies", "decide", "moves"),
    "decisions": ("decide",),
    "battles": ("settings",),
    "over": (),
}


def order_violations(scenario: Scenario, view: View, orders: Orders, where: str = "") -> tuple[Violation, ...]:
    """Every fault of the orders for the View's stage; none: they may be sealed. `where` goes before each place."""
    if beyond := limit_faults(view, orders):
        return tuple(replace(item, where=f"{where}.{item.where}") if where else item for item in beyond)
    found = _refused(view, orders)
    scenario = in_sight(scenario, view)
    if view.stage == "deploy":
        found.extend(design_faults(scenario, view.faction, orders))
        drawn = furnished(scenario, designed(scenario, view.faction, orders.designs))
        found.extend(deploy_violations(drawn, view.faction, orders.deploy))
        found.extend(dummy_violations(scenario, view, orders))
    elif view.stage == "orders":
        found.extend(_week_orders(scenario, view, orders))
    elif view.stage == "decisions":
        found.extend(_decisions(view, orders.decide))
    elif view.stage == "battles":
        fleets = {fleet.key: fleet for fleet in view.fleets}
        found.extend(setting_violations(scenario, orders.settings, fleets, ships_by_fleet(view.ships)))
        found.extend(battle_setting_violations(view, orders.settings))
    prefixed = found if not where else [replace(item, where=f"{where}.{item.where}") for item in found]
    return tuple(sorted(set(prefixed)))


def _refused(view: View, orders: Orders) -> list[Violation]:
    words = f"this cannot be ordered in the stage '{view.stage}'"
    mine = PARTS[view.stage]
    return [Violation(p, "not-now", words) for p in ORDERS_PARTS if p not in mine and getattr(orders, p)]


def _week_orders(scenario: Scenario, view: View, orders: Orders) -> list[Violation]:
    fleets: dict[str, Fleet] = {fleet.key: fleet for fleet in view.fleets}
    ships: dict[str, Ship] = {ship.key: ship for ship in view.ships}
    found = detach_violations(view, orders.detach)
    if orders.detach and not found:
        fleets, ships = apply_detach(fleets, ships, orders.detach)
    faulty = bool(found)
    found.extend(_weasels(scenario, orders.weasels, ships))
    found.extend(dock_violations(scenario, view, orders.dock, fleets, ships))
    ships = apply_dock(ships, orders.dock, ())
    found.extend(refit_violations(scenario, view, orders.refit, fleets, ships))
    towing = tow_violations(scenario, orders.tow, ships)
    found.extend(fault for fault in towing if not faulty or fault.code != "not-together")
    ships = apply_tow(ships, orders.tow)
    if not towing:
        ships, _ = hold_tows(ship_classes(scenario), ships)
    crews = ships_by_fleet(ships.values())
    known = orders.settings
    moves = list(enumerate(orders.moves))
    if faulty:  # what a faulty detachment would form is not judged further
        formed = {item.into for item in orders.detach} - set(fleets)
        known = tuple(setting for setting in known if setting.fleet not in formed)
        moves = [(n, move) for n, move in moves if move.fleet not in formed]
    found.extend(setting_violations(scenario, known, fleets, crews))
    found.extend(_contact_choices(view, orders, fleets))
    found.extend(dummy_violations(scenario, view, orders))
    found.extend(_moves(scenario, view, moves, fleets | dummies_after(view, orders.dummies), crews))
    return found


def _weasels(scenario: Scenario, weasels: tuple[str, ...], ships: dict[str, Ship]) -> list[Violation]:
    classes = ship_classes(scenario)
    found: list[Violation] = []
    seen: set[str] = set()
    for n, key in enumerate(weasels):
        where = place("weasels", n)
        ship = ships.get(key)
        if ship is None:
            found.append(Violation(where, "unknown-ship", f"you have no ship '{key}'"))
        elif not classes[ship.cls].weasel:
            found.append(Violation(where, "no-weasel", f"{ship.name} has no weasel system"))
        elif any(system.startswith("weasel") for system in ship.lost):
            found.append(Violation(where, "no-weasel", f"the weasel system of {ship.name} is lost"))
        if key in seen:
            found.append(Violation(where, "twice", f"'{key}' is named twice"))
        seen.add(key)
    return found


def _contact_choices(view: View, orders: Orders, fleets: dict[str, Fleet]) -> list[Violation]:
    touching = {(touch.hex, touch.toward) for touch in view.in_contact}
    found = _choices(orders.decide, touching, "you are not in contact with '{toward}' in {hex}")
    going = (fleets[move.fleet] for move in orders.moves if move.fleet in fleets)
    leaving = {fleet.hex for fleet in going if not fleet.in_ftl}
    for n, item in enumerate(orders.decide):
        if item.choice != "withdraw" and item.hex in leaving and (item.hex, item.toward) in touching:
            words = f"one of your fleets moves out of {item.hex}: that means withdraw, not '{item.choice}'"
            found.append(Violation(place("decide", n, "choice"), "moves-out", words))
    return found


def _decisions(view: View, decide: tuple[Decide, ...]) -> list[Violation]:
    asked = {(item.hex, item.toward) for item in view.asked if item.fixed is None}
    return _choices(decide, asked, "you have no decision to make about '{toward}' in {hex}")


def _choices(decide: tuple[Decide, ...], allowed: set[tuple[str, str]], words: str) -> list[Violation]:
    found: list[Violation] = []
    seen: dict[tuple[str, str], int] = {}
    for n, item in enumerate(decide):
        about = (item.hex, item.toward)
        if about not in allowed:
            text = words.format(toward=item.toward, hex=item.hex)
            found.append(Violation(place("decide", n), "not-asked", text))
        if about in seen:
            text = f"this is already decided in decide[{seen[about]}]"
            found.append(Violation(place("decide", n), "twice", text))
        seen.setdefault(about, n)
    return found


def _moves(
    scenario: Scenario,
    view: View,
    moves: list[tuple[int, Move]],
    fleets: dict[str, Fleet],
    crews: dict[str, list[Ship]],
) -> list[Violation]:
    classes = ship_classes(scenario)
    found: list[Violation] = []
    seen: dict[str, int] = {}
    for n, move in moves:
        where = f"moves[{n}]"
        fleet = fleets.get(move.fleet)
        if fleet is None:
            found.append(Violation(f"{where}.fleet", "unknown-fleet", f"you have no fleet '{move.fleet}'"))
            continue
        if move.fleet in seen:
            words = f"{fleet.name} already moves in moves[{seen[move.fleet]}]"
            found.append(Violation(f"{where}.fleet", "twice", words))
        seen.setdefault(move.fleet, n)
        found.extend(move_faults(scenario, classes, fleet, crews.get(fleet.key, ()), move, view.week, where))
    for fleet in fleets.values():
        if fleet.must_leave and fleet.key not in seen and not grounded(classes, crews.get(fleet.key, ())):
            words = f"{fleet.name} withdrew and must leave {fleet.hex} this week: order it to move"
            found.append(Violation("moves", "must-leave", words))
    return found
