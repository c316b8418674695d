"""The faults of a faction's orders, all of them, judged by the faction's own View alone; and what of orders stands.

Because nothing but the View and the public scenario is asked, what is legal tells nobody what is hidden. More orders
than a faction can have to give are refused before any is judged. Of sealed orders the lawful part is carried out:
defaults, old seals and rulings may hold what cannot be done now, and such an item is dropped alone, with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.kinds import StageKind, StageText
from campaign.rules.bases import dock_violations
from campaign.rules.codec import ORDERS_PARTS
from campaign.rules.designs import MOST_DESIGNS, design_faults, designed
from campaign.rules.fleet_violations import battle_setting_violations, detach_violations, setting_violations
from campaign.rules.forces import deploy_violations
from campaign.rules.limits import MOST_SYSTEMS
from campaign.rules.markers import dummies_after, dummies_ordered, dummy_violations
from campaign.rules.movement import Dropped, apply_detach, apply_dock, gate_faults, move_faults
from campaign.rules.order_effects import carried_out
from campaign.rules.orders import Decide, Move, Orders
from campaign.rules.own_keys import unknown_fleet, unknown_ship
from campaign.rules.perceive import perceive
from campaign.rules.queries import (
    furnished,
    grounded,
    in_sight,
    in_truth,
    ship_classes,
    ships_by_faction,
    ships_by_fleet,
)
from campaign.rules.rearming import rearm_violations
from campaign.rules.scenario import MOST_DUMMIES, Scenario
from campaign.rules.towing import apply_tow, hold_tows, tow_violations
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from campaign.rules.yards import MOST_WORKS, apply_builds, build_violations
from engine.core.errors import Violation, place
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import phrase

SLACK = 10  # what is named once too often is told as such, not as too much
MOST_FLEETS = 500  # of a deployment
MOST_STEPS = 100  # hexes of a path
MOST_REPAIRS = 100  # systems of a ship
MOST_REFITS = 20  # of a ship

# The parts of orders each stage reads.
PARTS: dict[StageText, tuple[str, ...]] = {
    "deploy": ("deploy", "designs", "dummies"),
    "orders": (
        "settings",
        "detach",
        "dock",
        "refit",
        "tow",
        "weasels",
        "dummies",
        "decide",
        "moves",
        "designs",
        "build",
        "cancel",
    ),
    "decisions": ("decide",),
    "battles": ("settings",),
    "over": (),
}

MISSING = ("must-leave",)  # faults of what is not there: nothing can be dropped for them

_ITEM = re.compile(r"^([a-z]+)(?:\[([0-9]+)\])?")


def limit_faults(view: View, orders: Orders | Mapping[str, Any]) -> list[Violation]:
    """The faults of orders that are too many, whatever else is wrong with them. They may be as somebody wrote them."""
    ships = len(view.ships) + SLACK
    most = _most(view, ships)
    found = [
        Violation(part, "too-many", phrase("at most {} orders of this kind can be given, not {}", most[part], given))
        for part in most
        if (given := len(_listed(orders, part))) > most[part]
    ]
    return found or [
        Violation(where, "too-many", phrase("at most {} can be named, not {}", limit, given))
        for where, given, limit in _lists(orders, ships)
        if given > limit
    ]


def _most(view: View, ships: int) -> dict[str, int]:
    """How many orders of each kind there can be."""
    fleets = len(view.fleets) + len(view.dummies) + view.reserve + ships
    return {
        "deploy": MOST_FLEETS,
        "settings": fleets,
        "detach": ships,
        "dock": ships,
        "weasels": ships,
        "decide": len(view.in_contact) + len(view.asked) + SLACK,
        "moves": fleets,
        "tow": ships,
        "dummies": len(view.dummies) + MOST_DUMMIES + SLACK,
        "refit": ships * MOST_REFITS,
        "designs": MOST_DESIGNS,
        "build": MOST_WORKS + SLACK,
        "cancel": MOST_WORKS + SLACK,
    }


def _lists(orders: Orders | Mapping[str, Any], ships: int) -> Iterator[tuple[str, int, int]]:
    """The lists within orders: their places, how long they are and how long they may be."""
    yield "deploy", _together(orders, "deploy", "ships"), SHIPS_OF_A_WAR
    yield "designs", _together(orders, "designs", "systems"), MOST_SYSTEMS
    yield "detach", _together(orders, "detach", "ships"), 2 * ships
    yield "tow", _together(orders, "tow", "ships"), 2 * ships
    for n, path in enumerate(_paths(orders)):
        if path:
            yield place("moves", n, "path"), len(path), MOST_STEPS
    for n, item in enumerate(_listed(orders, "dock")):
        yield place("dock", n, "repair"), len(_listed(item, "repair")), MOST_REPAIRS


def _together(orders: Orders | Mapping[str, Any], part: str, name: str) -> int:
    return sum(len(_listed(item, name)) for item in _listed(orders, part))


def _paths(orders: Orders | Mapping[str, Any]) -> Sequence[Sequence[object]]:
    if isinstance(orders, Orders):
        return [move.path for move in orders.moves]
    return [_listed(item, "path") for item in _listed(orders, "moves")]


def _listed(item: object, name: str) -> Sequence[object]:
    """A list of an order, or of what somebody wrote for one; nothing where there is none."""
    found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
    return found if isinstance(found, (list, tuple)) else ()


def order_violations(scenario: Scenario, view: View, orders: Orders, where: str = "") -> tuple[Violation, ...]:
    """Every fault of the orders for the View's stage; none: they may be sealed. `where` goes before each place."""
    if beyond := limit_faults(view, orders):
        return tuple(replace(item, where=f"{where}.{item.where}") if where else item for item in beyond)
    found = _refused(view, orders)
    scenario = in_sight(scenario, view)
    if view.stage == StageKind.DEPLOY:
        found.extend(design_faults(scenario, view.faction, orders))
        drawn = furnished(scenario, designed(scenario, view.faction, orders.designs))
        found.extend(deploy_violations(drawn, view.faction, orders.deploy))
        found.extend(dummy_violations(scenario, view, orders))
    elif view.stage == StageKind.ORDERS:
        found.extend(_week_orders(scenario, view, orders))
    elif view.stage == StageKind.DECISIONS:
        found.extend(_decisions(view, orders.decide))
    elif view.stage == StageKind.BATTLES:
        fleets = {fleet.key: fleet for fleet in view.fleets}
        found.extend(setting_violations(scenario, orders.settings, fleets, ships_by_fleet(view.ships)))
        found.extend(battle_setting_violations(view, orders.settings))
    prefixed = found if not where else [replace(item, where=f"{where}.{item.where}") for item in found]
    return tuple(sorted(set(prefixed)))


def _refused(view: View, orders: Orders) -> list[Violation]:
    words = phrase("this cannot be ordered in the stage '{}'", view.stage)
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
    found.extend(rearm_violations(scenario, view, orders.refit, fleets, ships))
    if orders.build or orders.cancel or orders.designs:
        found.extend(build_violations(scenario, view, orders, fleets, ships))
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
            found.append(unknown_ship(where, key))
        elif not classes[ship.cls].weasel:
            found.append(Violation(where, "no-weasel", phrase("{} has no weasel system", ship.name)))
        elif any(system.startswith("weasel") for system in ship.lost):
            found.append(Violation(where, "no-weasel", phrase("the weasel system of {} is lost", ship.name)))
        if key in seen:
            found.append(Violation(where, "twice", phrase("'{}' is named twice", key)))
        seen.add(key)
    return found


def _contact_choices(view: View, orders: Orders, fleets: dict[str, Fleet]) -> list[Violation]:
    touching = {(touch.hex, touch.toward) for touch in view.in_contact}
    found = _choices(orders.decide, touching, phrase("you are not in contact with '{toward}' in {hex}"))
    going = (fleets[move.fleet] for move in orders.moves if move.fleet in fleets)
    leaving = {fleet.hex for fleet in going if not fleet.in_ftl}
    for n, item in enumerate(orders.decide):
        if item.choice != "withdraw" and item.hex in leaving and (item.hex, item.toward) in touching:
            words = phrase("one of your fleets moves out of {}: that means withdraw, not '{}'", item.hex, item.choice)
            found.append(Violation(place("decide", n, "choice"), "moves-out", words))
    return found


def _decisions(view: View, decide: tuple[Decide, ...]) -> list[Violation]:
    asked = {(item.hex, item.toward) for item in view.asked if item.fixed is None}
    return _choices(decide, asked, phrase("you have no decision to make about '{toward}' in {hex}"))


def _choices(decide: tuple[Decide, ...], allowed: set[tuple[str, str]], words: str) -> list[Violation]:
    found: list[Violation] = []
    seen: dict[tuple[str, str], int] = {}
    for n, item in enumerate(decide):
        about = (item.hex, item.toward)
        if about not in allowed:
            text = words.format(toward=item.toward, hex=item.hex)
            found.append(Violation(place("decide", n), "not-asked", text))
        if about in seen:
            text = phrase("this is already decided in decide[{}]", seen[about])
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
    going: list[tuple[str, Fleet, list[Ship], Move]] = []
    seen: dict[str, int] = {}
    for n, move in moves:
        where = f"moves[{n}]"
        fleet = fleets.get(move.fleet)
        if fleet is None:
            found.append(unknown_fleet(f"{where}.fleet", move.fleet))
            continue
        if move.fleet in seen:
            words = phrase("{} already moves in moves[{}]", fleet.name, seen[move.fleet])
            found.append(Violation(f"{where}.fleet", "twice", words))
        seen.setdefault(move.fleet, n)
        faults = move_faults(scenario, classes, fleet, crews.get(fleet.key, ()), move, view.week, where)
        found.extend(faults)
        if scenario.links and not faults:
            going.append((where, fleet, crews.get(fleet.key, []), move))
    found.extend(gate_faults(scenario, classes, going))
    for fleet in fleets.values():
        if fleet.must_leave and fleet.key not in seen and not grounded(classes, crews.get(fleet.key, ())):
            words = phrase("{} withdrew and must leave {} this week: order it to move", fleet.name, fleet.hex)
            found.append(Violation("moves", "must-leave", words))
    return found


@dataclass(frozen=True, slots=True)
class PreparedWeek:
    """The world with settings, detachments, docks, tows and weasels applied; each faction's lawful orders; the rest."""

    world: World
    orders: dict[str, Orders]
    dropped: tuple[Dropped, ...]


def lawful_orders(scenario: Scenario, view: View, orders: Orders) -> tuple[Orders, tuple[Dropped, ...]]:
    """The orders without the items that have faults, and those faults. A fault of a whole part drops the part."""
    dropped: list[Dropped] = []
    while True:
        faults = order_violations(scenario, view, orders)
        doomed: dict[str, set[int]] = {}
        for fault in faults:
            match = _ITEM.match(fault.where)
            part = match[1] if match else fault.where
            if fault.code in MISSING:
                continue
            items = doomed.setdefault(part, set())
            items.update([int(match[2])] if match and match[2] else range(len(getattr(orders, part))))
            dropped.append(Dropped(view.faction, fault.where, fault))
        if not doomed:
            return orders, tuple(dropped)
        for part in sorted(doomed):
            kept = tuple(item for n, item in enumerate(getattr(orders, part)) if n not in doomed[part])
            orders = replace(orders, **{part: kept})


def prepare(scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> PreparedWeek:
    """The orders stage up to the decisions of those in contact: who does what is settled, nobody has moved yet.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    public, scenario = scenario, in_truth(scenario, world)
    crews = ships_by_faction(world.ships)
    lawful: dict[str, Orders] = {}
    dropped: list[Dropped] = []
    for faction in sorted(orders):
        view = perceive(scenario, world, faction, None, (), crews)
        lawful[faction], faults = lawful_orders(public, view, orders[faction])
        dropped.extend(faults)
    classes = ship_classes(scenario)
    own: dict[str, dict[str, Fleet]] = {}
    for fleet in world.fleets:
        own.setdefault(fleet.faction, {})[fleet.key] = fleet
    fleets: dict[str, Fleet] = {}
    ships: dict[str, Ship] = {}
    for faction in sorted({*own, *crews}):
        crew = {ship.key: ship for ship in crews.get(faction, ())}
        formed = carried_out(classes, own.get(faction, {}), crew, lawful.get(faction, Orders()))
        fleets |= formed[0]
        ships |= formed[1]
    after = replace(
        world,
        fleets=tuple(map(fleets.__getitem__, sorted(fleets))),
        ships=tuple(map(ships.__getitem__, sorted(ships))),
    )
    after = apply_builds(public, after, lawful)
    return PreparedWeek(dummies_ordered(after, lawful), lawful, tuple(dropped))
