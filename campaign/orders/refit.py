"""Refit: a system of a ship gets another setting or load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import Order, OrderContext, OwnForces, Wording, ships_limit, tables
from campaign.rules.bases import base_for
from campaign.rules.designs import tech_base_of
from campaign.rules.orders import Orders, Rearming
from campaign.rules.rearming import (
    Settable,
    parsed_design,
    settables,
    settings_of,
    type_of,
    with_settings,
)
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.design.loads import read_load, with_load
from engine.design.techbase import HANGARS, TechBase, missing_technologies
from engine.design.value import Design
from engine.english import system_words
from engine.ruleset import ruleset

MAX_REFITS = 20  # of one ship
MAX_LOADS = 200  # different loads, because each is judged as a design


class RefitOrder(Order):
    """The refits of a week."""

    key = "refit"
    value = Rearming
    fault_anchor = ("ship", "ship")
    ship_names = ("ship",)
    lines = (
        Line(
            "refit",
            "refit SHIP SYSTEM [SETTING]",
            ("ship", "system", Word("setting", is_optional=True)),
            "without a setting: as in its class",
        ),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.ship, item.system, item.setting)))

    def limit(self, view: View) -> int:
        return ships_limit(view) * MAX_REFITS

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return the faults of refits after the detachments and docks of the week.

        Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19, "Specialized types" 8.14 [camp.refit]
        """
        faults: list[Violation] = []
        first_place: dict[tuple[str, str], int] = {}
        load_judge = _LoadJudge(context)
        for n, item in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            ship = context.ships.get(item.ship)
            if ship is None:
                faults.append(context.unknown_ship(f"{where}.ship", item.ship))
                continue
            system = (item.ship, item.system)
            if system in first_place:
                words = reason(
                    "already-set-refit",
                    "'{}' of {} is already set in refit[{}]",
                    item.system,
                    ship.name,
                    first_place[system],
                )
                faults.append(Violation(f"{where}.system", "twice", words))
            first_place.setdefault(system, n)
            cls = context.classes[ship.cls]
            settable = _settable_system(cls, item.system)
            if settable is None:
                words = reason(
                    "no-set-loaded",
                    "{} has no '{}' that can be set or loaded",
                    ship.name,
                    item.system,
                )
                faults.append(Violation(f"{where}.system", "not-settable", words))
            elif settable.modes:
                faults += _mode_faults(settable, item, where)
            else:
                base = base_for(context.scenario, context.view, context.fleets[ship.fleet])
                faults += _base_faults(base, ship, settable, f"{where}.system")
                load = item.setting or settable.usual
                if not load_judge.can_judge(cls, settable, load):
                    words = reason(
                        "most-different-loads-ordered",
                        "at most {} different loads can be ordered at once",
                        MAX_LOADS,
                    )
                    return [*faults, Violation(self.key, "too-many", words)]
                for fault in load_judge.faults(cls, settable, load):
                    faults.append(replace(fault, where=f"{where}.setting"))
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.change_ships(changed_by_refits(own.classes, own.ships, self.items(orders)))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        words: list[str] = []
        for item in tables(items):
            words.append(refit_words(wording.name_of(item.get("ship")), item))
        return words


class _LoadJudge:
    """Judges the loads of one faction's refits, each different load only once."""

    def __init__(self, context: OrderContext) -> None:
        self.scenario = context.scenario
        self.tech_base = tech_base_of(context.scenario, context.view.faction)
        # By class, system and load.
        self.known_faults: dict[tuple[str, str, str], list[Violation]] = {}

    def can_judge(self, cls: ShipClass, settable: Settable, load: str) -> bool:
        """Return whether the load was judged already, or fewer than MAX_LOADS were."""
        is_known = (cls.name, settable.id, load) in self.known_faults
        return is_known or len(self.known_faults) < MAX_LOADS

    def faults(self, cls: ShipClass, settable: Settable, load: str) -> list[Violation]:
        """Return the faults of a load for a system, without their places."""
        key = (cls.name, settable.id, load)
        if key not in self.known_faults:
            self.known_faults[key] = _load_faults(
                self.scenario, cls, settable, text=load, tech_base=self.tech_base
            )
        return self.known_faults[key]


def _settable_system(cls: ShipClass, system: str) -> Settable | None:
    """Return a system of a class whose setting or load can be changed; None without it."""
    for candidate in settables(cls):
        if candidate.id == system:
            return candidate
    return None


def changed_by_refits(
    classes: Mapping[str, ShipClass],
    ships: Mapping[str, Ship],
    refits: Iterable[Rearming],
) -> dict[str, Ship]:
    """Return the ships whose weapons are set, or that request other loads from their base.

    Loads are exchanged at the end of the week.

    Rules: Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    changed: dict[str, Ship] = {}
    for item in refits:
        ship = changed.get(item.ship) or ships.get(item.ship)
        if ship is None:
            continue
        if settings_of(type_of(item.system)):
            setting = (item.system, item.setting)
            changed[item.ship] = with_settings(classes[ship.cls], ship, [setting])
        else:
            requested_loads = dict(ship.refit)
            requested_loads[item.system] = item.setting
            changed[item.ship] = replace(ship, refit=tuple(sorted(requested_loads.items())))
    return changed


def _mode_faults(settable: Settable, item: Rearming, where: str) -> list[Violation]:
    """Return the fault of a setting that a weapon does not have."""
    if not item.setting or item.setting in settable.modes:
        return []
    modes = ", ".join(settable.modes)
    words = reason("set-not", "a {} can be set to {}, not '{}'", settable.type, modes, item.setting)
    return [Violation(f"{where}.setting", "unknown-setting", words)]


def _base_faults(
    base: Facility | None, ship: Ship, settable: Settable, where: str
) -> list[Violation]:
    """Return the fault of a load that the base here cannot exchange."""
    if not ship.docked or base is None:
        words = reason(
            "loaded-only-base-order",
            "{} can be loaded only at a base: order it to dock",
            ship.name,
        )
    elif settable.type in HANGARS and not base.fighters:
        words = reason("base-no-fighters-exchange", "the base here has no fighters to exchange")
    elif not base.replenishes:
        words = reason("base-not-replenish-ships", "the base here does not replenish ships")
    else:
        return []
    return [Violation(where, "not-at-a-base", words)]


def _load_faults(
    scenario: Scenario,
    cls: ShipClass,
    settable: Settable,
    *,
    text: str,
    tech_base: TechBase | None,
) -> list[Violation]:
    """Return the faults of a load's text, and of the class's design with that load."""
    if text == settable.usual:
        return []
    design = parsed_design(cls)
    load = read_load(text, settable.type, design.edition)
    if load is None:
        if settable.type in HANGARS:
            example = "heavy attack"
        else:
            example = "2 standard, 1 extended"
        words = reason("bad-load", "'{}' is not a load; write it like '{}'", text, example)
        return [Violation("", "bad-load", words)]
    loaded = with_load(design, settable.id, *load)
    rules = ruleset(design.edition, scenario.options)
    faults = [
        *rules.yard.violations(loaded, rules, ()),
        *_newly_missing(design, loaded, tech_base),
    ]
    without_places = [Violation("", fault.code, fault.message) for fault in faults]
    return list(dict.fromkeys(without_places))


def _newly_missing(
    design: Design,
    loaded: Design,
    tech_base: TechBase | None,
) -> list[Violation]:
    """Return the technologies that a design lacks only because of its new load."""
    missing_before = {fault.message for fault in missing_technologies(design, tech_base)}
    result: list[Violation] = []
    for fault in missing_technologies(loaded, tech_base):
        if fault.message not in missing_before:
            result.append(fault)
    return result


def refit_words(name: str, item: Mapping[str, Any]) -> str:
    """Return a refit of a ship in one line."""
    system = str(item.get("system"))
    setting = str(item.get("setting", ""))
    is_set = bool(settings_of(type_of(system)))
    if setting:
        action = phrase("set to") if is_set else phrase("loaded with")
        return phrase("{}: {} is {} {}", name, system_words(system), action, setting)
    action = phrase("set") if is_set else phrase("loaded")
    return phrase("{}: {} is {} as designed", name, system_words(system), action)


REFIT = RefitOrder()
