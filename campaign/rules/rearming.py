"""Between battles: how weapons are set, and what magazines and hangars are loaded with.

Pulsers and fusion arrays are set by their crews, anywhere, with the orders of the week. Missiles and fighters are what
a base supplies: a ship that docks there for a week is loaded otherwise at its end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from campaign.rules.bases import base_for
from campaign.rules.designs import tech_base_of
from campaign.rules.orders import Rearming
from campaign.rules.own_keys import unknown_ship
from campaign.rules.queries import holder_of, ship_classes
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship
from engine.core.errors import Violation, place
from engine.core.reason import reason
from engine.design.loads import RELOADED, fitting_at, load_of, load_words, read_load, reloaded
from engine.design.techbase import HANGARS, TechBase, missing
from engine.design.value import Design
from engine.notation.designs import design_json, load_sheet, parse_design
from engine.ruleset import ruleset
from engine.ship_profiles import full_stock
from engine.weapons.registry import all_weapons, derived

MOST_LOADS = 200  # different ones that are judged at once


@dataclass(frozen=True, slots=True)
class Settable:
    """A system that can be set or loaded otherwise. `modes`: the choices of a weapon; a load has none and is text.

    `usual`: how the class has it.
    """

    id: str
    type: str
    modes: tuple[str, ...]
    usual: str


def type_of(system: str) -> str:
    """The type of a system by its id: `pulser-1` is a pulser."""
    return system.rpartition("-")[0]


@derived
def settings_of(type_: str) -> tuple[str, ...]:
    """The settings of a type of weapon, the first where nothing is said; none where it cannot be.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    return next((weapon.settings[""] for weapon in all_weapons() if weapon.type == type_ and "" in weapon.settings), ())


def settables(cls: ShipClass) -> tuple[Settable, ...]:
    """The systems of a class that can be set or loaded otherwise, in the sheet's order.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19, "Specialized types" 8.14 [camp.refit]
    """
    found = []
    for system in cls.systems:
        type_ = type_of(system)
        if modes := settings_of(type_):
            found.append(Settable(system, type_, modes, modes[0]))
        elif type_ in RELOADED:
            design = _design(cls)
            at = fitting_at(design, system)
            if at is not None:
                row = design.systems[at]
                found.append(
                    Settable(system, type_, (), load_words(load_of(row, design), row.mods, type_, design.edition))
                )
    return tuple(found)


def _design(cls: ShipClass) -> Design:
    return _parsed(json.dumps(cls.design, sort_keys=True))


@lru_cache(maxsize=128)
def _parsed(text: str) -> Design:
    return parse_design(json.loads(text))


def setting_of(cls: ShipClass, ship: Ship, system: str) -> str:
    """The setting or load of a system of a ship now."""
    usual = next((item.usual for item in settables(cls) if item.id == system), "")
    return dict(ship.settings).get(system, usual)


def as_loaded(cls: ShipClass, ship: Ship) -> dict[str, Any]:
    """The design of a ship with what its magazines and hangars hold now.

    Rules: Continuum "Specialized types" 8.14 [camp.refit]
    """
    loads = [(system, text) for system, text in ship.settings if type_of(system) in RELOADED]
    if not loads:
        return cls.design
    design = _design(cls)
    for system, text in loads:
        given = read_load(text, type_of(system), design.edition)
        assert given is not None  # it was judged when it was ordered
        design = reloaded(design, system, *given)
    return design_json(design)


def full_stock_of(cls: ShipClass, ship: Ship) -> tuple[tuple[str, int], ...]:
    """(name, full) of all that a ship carries, with what its magazines hold now.

    Rules: Continuum "Mountings and magazines" 6.6 [camp.refit]
    """
    if not any(type_of(system) in RELOADED for system, _ in ship.settings):
        return cls.stock
    sheet = load_sheet(as_loaded(cls, ship))
    return tuple(sorted(full_stock(sheet).items()))


def as_set(ship: Ship) -> dict[str, str]:
    """The settings of a ship's weapons, of those that are set otherwise than their class.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    return {system: setting for system, setting in ship.settings if settings_of(type_of(system))}


def rearm_violations(
    scenario: Scenario, view: View, refits: tuple[Rearming, ...], fleets: Mapping[str, Fleet], ships: Mapping[str, Ship]
) -> list[Violation]:
    """The faults of refits; `fleets` and `ships` are the faction's own after its detachments and docks.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19, "Specialized types" 8.14 [camp.refit]
    """
    classes, base = ship_classes(scenario), tech_base_of(scenario, view.faction)
    found: list[Violation] = []
    seen: dict[tuple[str, str], int] = {}
    loads: dict[tuple[str, str, str], list[Violation]] = {}  # the faults of each load of a class, judged once
    for n, item in enumerate(refits):
        where = place("refit", n)
        ship = ships.get(item.ship)
        if ship is None:
            found.append(unknown_ship(f"{where}.ship", item.ship))
            continue
        if (item.ship, item.system) in seen:
            words = reason(
                "already-set-refit",
                "'{}' of {} is already set in refit[{}]",
                item.system,
                ship.name,
                seen[item.ship, item.system],
            )
            found.append(Violation(f"{where}.system", "twice", words))
        seen.setdefault((item.ship, item.system), n)
        cls = classes[ship.cls]
        known = next((one for one in settables(cls) if one.id == item.system), None)
        if known is None:
            words = reason("no-set-loaded", "{} has no '{}' that can be set or loaded", ship.name, item.system)
            found.append(Violation(f"{where}.system", "not-settable", words))
        elif known.modes:
            if item.setting and item.setting not in known.modes:
                words = reason("set-not", "a {} is set {}, not '{}'", known.type, ", ".join(known.modes), item.setting)
                found.append(Violation(f"{where}.setting", "unknown-setting", words))
        else:
            found.extend(_at_dock(base_for(scenario, view, fleets[ship.fleet]), ship, known, f"{where}.system"))
            load = (cls.name, known.id, item.setting or known.usual)
            if load not in loads:
                if len(loads) >= MOST_LOADS:
                    words = reason(
                        "most-different-loads-ordered", "at most {} different loads can be ordered at once", MOST_LOADS
                    )
                    return [*found, Violation("refit", "too-many", words)]
                loads[load] = _load_faults(scenario, cls, known, load[2], base)
            found.extend(replace(fault, where=f"{where}.setting") for fault in loads[load])
    return found


def _at_dock(base: Facility | None, ship: Ship, known: Settable, where: str) -> list[Violation]:
    """Missiles and fighters come from a base that has them."""
    if not ship.docked or base is None:
        words = reason("loaded-only-base-order", "{} can be loaded only at a base: order it to dock", ship.name)
    elif known.type in HANGARS and not base.fighters:
        words = reason("base-no-fighters-exchange", "the base here has no fighters to exchange")
    elif not base.replenishes:
        words = reason("base-not-replenish-ships", "the base here does not replenish ships")
    else:
        return []
    return [Violation(where, "not-at-a-base", words)]


def _load_faults(
    scenario: Scenario, cls: ShipClass, known: Settable, text: str, base: TechBase | None
) -> list[Violation]:
    """A design with that load has to be one that the yards would build."""
    if text == known.usual:
        return []
    design = _design(cls)
    given = read_load(text, known.type, design.edition)
    if given is None:
        example = "heavy attack" if known.type in HANGARS else "2 standard, 1 extended"
        return [Violation("", "bad-load", reason("bad-load", "'{}' is not a load; write it like '{}'", text, example))]
    after = reloaded(design, known.id, *given)
    rules = ruleset(design.edition, scenario.options)
    before = {fault.message for fault in missing(design, base)}
    found = [Violation("", fault.code, fault.message) for fault in rules.yard.violations(after, rules, ())]
    lacks = [fault for fault in missing(after, base) if fault.message not in before]
    return list(dict.fromkeys((*found, *(Violation("", fault.code, fault.message) for fault in lacks))))


def apply_rearming(
    classes: Mapping[str, ShipClass], ships: Mapping[str, Ship], refits: Iterable[Rearming]
) -> dict[str, Ship]:
    """Ships by key with their weapons set as ordered, and what they want loaded otherwise noted until the week's end.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    found = dict(ships)
    for item in refits:
        ship = found.get(item.ship)
        if ship is None:
            continue
        if settings_of(type_of(item.system)):
            found[item.ship] = _set(classes[ship.cls], ship, ((item.system, item.setting),))
        else:
            wanted = {**dict(ship.refit), item.system: item.setting}
            found[item.ship] = replace(ship, refit=tuple(sorted(wanted.items())))
    return found


def rearmed(cls: ShipClass, base: Facility, ship: Ship) -> Ship:
    """A docked ship with the loads it wanted, as far as the base supplies them; what is loaded otherwise is full.

    A magazine or hangar that does not work is loaded when it does.

    Rules: Continuum "Specialized types" 8.14, "Mountings and magazines" 6.6 [camp.refit]
    """
    done = tuple(
        (system, setting)
        for system, setting in ship.refit
        if base.replenishes and system not in ship.lost and (type_of(system) not in HANGARS or base.fighters)
    )
    changed = {system for system, setting in done if setting_of(cls, ship, system) != setting}
    after = _set(cls, ship, done)
    return (
        replace(after, stock=tuple(item for item in after.stock if holder_of(item[0]) not in changed))
        if changed
        else after
    )


def _set(cls: ShipClass, ship: Ship, given: Iterable[tuple[str, str]]) -> Ship:
    """The ship with these settings; what is as its class has it is not written down."""
    usual = {item.id: item.usual for item in settables(cls)}
    settings = {**dict(ship.settings), **dict(given)}
    kept = tuple(sorted((key, value) for key, value in settings.items() if value and value != usual.get(key)))
    return ship if kept == ship.settings else replace(ship, settings=kept)
