"""Settings of weapons, and loads of magazines and hangars, between battles.

Crews set pulsers and fusion arrays anywhere, with the orders of the week. Missiles and fighters
come from a base: a ship that docks there for a week gets its new load at the end of the week.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.queries import holder_of
from campaign.rules.scenario import Facility, ShipClass
from campaign.rules.world import Ship
from engine.design.loads import RELOADED, fitting_at, load_of, load_words, read_load, with_load
from engine.design.techbase import HANGARS
from engine.design.value import Design
from engine.notation.designs import design_json, parse_design, unchecked_sheet
from engine.ship_profiles import full_stock
from engine.weapons.registry import all_weapons


@dataclass(frozen=True, slots=True)
class Settable:
    """A system whose setting or load can be changed.

    Attributes:
        modes: The settings of a weapon; empty for a load, which is text.
        usual: The setting or load in its class.
    """

    id: str
    type: str
    modes: tuple[str, ...]
    usual: str


def type_of(system: str) -> str:
    """Return the type of a system by its id: `pulser-1` is a pulser."""
    return system.rpartition("-")[0]


def settings_of(type_: str) -> tuple[str, ...]:
    """Return the settings of a type of weapon, the default first; empty if it has none.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    for weapon in all_weapons():
        if weapon.type == type_ and "" in weapon.settings:
            return weapon.settings[""]
    return ()


def settables(cls: ShipClass) -> tuple[Settable, ...]:
    """Return the systems of a class whose setting or load can be changed, in the sheet's order.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19, "Specialized types" 8.14 [camp.refit]
    """
    result = []
    for system in cls.systems:
        type_ = type_of(system)
        modes = settings_of(type_)
        if modes:
            result.append(Settable(system, type_, modes, modes[0]))
        elif type_ in RELOADED:
            design = parsed_design(cls)
            row_number = fitting_at(design, system)
            if row_number is not None:
                row = design.systems[row_number]
                usual = load_words(load_of(row, design), row.mods, type_, design.edition)
                result.append(Settable(system, type_, (), usual))
    return tuple(result)


def parsed_design(cls: ShipClass) -> Design:
    """Return the engine's design of a class."""
    return _parsed(json.dumps(cls.design, sort_keys=True))


def _parsed(text: str) -> Design:
    return parse_design(json.loads(text))


def setting_of(cls: ShipClass, ship: Ship, system: str) -> str:
    """Return the present setting or load of a ship's system."""
    usual = next((item.usual for item in settables(cls) if item.id == system), "")
    return dict(ship.settings).get(system, usual)


def loaded_design(cls: ShipClass, ship: Ship) -> dict[str, Any]:
    """Return the design of a ship with the present loads of its magazines and hangars.

    Rules: Continuum "Specialized types" 8.14 [camp.refit]
    """
    loads = []
    for system, text in ship.settings:
        if type_of(system) in RELOADED:
            loads.append((system, text))
    if not loads:
        return cls.design
    design = parsed_design(cls)
    for system, text in loads:
        load = read_load(text, type_of(system), design.edition)
        assert load is not None  # it was judged when it was ordered
        design = with_load(design, system, *load)
    return design_json(design)


def full_stock_of(cls: ShipClass, ship: Ship) -> tuple[tuple[str, int], ...]:
    """Return (name, full amount) of all stores of a ship with its present loads.

    Rules: Continuum "Mountings and magazines" 6.6 [camp.refit]
    """
    if not any(type_of(system) in RELOADED for system, _ in ship.settings):
        return cls.stock
    sheet = unchecked_sheet(loaded_design(cls, ship))
    return tuple(sorted(full_stock(sheet).items()))


def weapon_settings(ship: Ship) -> dict[str, str]:
    """Return the settings of a ship's weapons that differ from its class.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    result: dict[str, str] = {}
    for system, setting in ship.settings:
        if settings_of(type_of(system)):
            result[system] = setting
    return result


def rearm_ship(cls: ShipClass, base: Facility, ship: Ship) -> Ship:
    """Return a docked ship with the loads that it requested and that the base supplies.

    Changed loads are full. A magazine or hangar that does not work keeps its request until it
    works.

    Rules: Continuum "Specialized types" 8.14, "Mountings and magazines" 6.6 [camp.refit]
    """
    supplied = []
    for system, setting in ship.refit:
        if system not in ship.lost and _can_supply(base, type_of(system)):
            supplied.append((system, setting))
    changed = set()
    for system, setting in supplied:
        if setting_of(cls, ship, system) != setting:
            changed.add(system)
    after = with_settings(cls, ship, supplied)
    if not changed:
        return after
    stock = tuple(item for item in after.stock if holder_of(item[0]) not in changed)
    return replace(after, stock=stock)


def _can_supply(base: Facility, type_: str) -> bool:
    """Return whether a base has loads for a type of system; hangars need its fighters."""
    return base.replenishes and (type_ not in HANGARS or base.fighters)


def with_settings(cls: ShipClass, ship: Ship, new_settings: Iterable[tuple[str, str]]) -> Ship:
    """Return the ship with these settings. Only those that differ from its class are stored."""
    usual = {item.id: item.usual for item in settables(cls)}
    settings = {**dict(ship.settings), **dict(new_settings)}
    different = []
    for system, setting in sorted(settings.items()):
        if setting and setting != usual.get(system):
            different.append((system, setting))
    if tuple(different) == ship.settings:
        return ship
    return replace(ship, settings=tuple(different))
