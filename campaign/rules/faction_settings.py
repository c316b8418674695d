"""What a scenario sets for the ships of a faction in battles: movement, rams and dogfights.

A setting counts only with the option to which it belongs, because hosts may choose the options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.rules.scenario import Faction, Scenario
from engine.continuum.craft.morale import is_limited_by_endurance
from engine.core.terms import (
    DOGFIGHT_ACTIONS,
    MIXED_MOVEMENT,
    NO_RAMMING,
    RAM_ON,
    VECTOR,
)
from engine.craft.registry import craft_type
from engine.notation.battle_file import ShipEntry, SideEntry
from engine.notation.designs import stored_sheet
from engine.ruleset import rules_of
from engine.ship_profiles import craft_type_of_bay


def add_movement(scenario: Scenario, entry: ShipEntry, faction: str, cls: str = "") -> None:
    """Say in a ship's entry that it moves by vectors, if its class or its faction does.

    Args:
        cls: The class of the ship; "" for decoys, which move as their faction does.

    Rules: Continuum "Vector movement system" 12.12 [camp.mixed-drives]
    """
    if MIXED_MOVEMENT not in scenario.options:
        return
    movement = dict(scenario.class_movement).get(cls) or _faction(scenario, faction).movement
    if movement == VECTOR:
        entry["movement"] = VECTOR


def add_dogfight_figures(scenario: Scenario, entry: ShipEntry, faction: str) -> None:
    """Give the fighters of a ship the figures that its faction has for dogfights by actions.

    Rules: Dogfight actions [dog.actions]
    """
    figures = _faction(scenario, faction).dogfights
    if DOGFIGHT_ACTIONS not in scenario.options or not figures or "design" not in entry:
        return
    bays = _fighter_bays(entry["design"], scenario.options)
    if bays:
        entry["squadrons"] = {bay: dict(figures) for bay in bays}


def _fighter_bays(design: Mapping[str, Any], options: Sequence[str]) -> list[str]:
    """Return the bays of a design whose craft dogfight by actions."""
    sheet = stored_sheet(design, options)
    bay_types = rules_of(sheet.edition).profile.bays
    bays = []
    for fit in sheet.fits:
        craft = craft_type_of_bay(sheet.edition, bay_types, fit)
        if craft and is_limited_by_endurance(craft_type(craft)):
            bays.append(fit.id)
    return bays


def add_ram_die(scenario: Scenario, entry: SideEntry, factions: Sequence[str]) -> None:
    """Say in a side's entry from which die on its crews ram, if any faction of the war says so.

    The lowest die of several allies counts. A faction that says nothing follows the options.

    Rules: 2E "Collisions and ramming" [camp.side-daring]; Continuum 16.7 [pc.ramming]
    """
    if NO_RAMMING in scenario.options:
        return
    if all(faction.ram_on is None for faction in scenario.factions):
        return
    usual = min((int(option[-1]) for option in RAM_ON if option in scenario.options), default=6)
    entry["ram_on"] = min(_faction(scenario, name).ram_on or usual for name in factions)


def _faction(scenario: Scenario, key: str) -> Faction:
    """Return the faction with a key."""
    return next(faction for faction in scenario.factions if faction.id == key)
