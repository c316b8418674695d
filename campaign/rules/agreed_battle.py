"""The battle file of a single battle as its host has chosen the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.rules.scenario import Scenario
from engine.core.terms import (
    CIVIL_WAR,
    FLEET_MORALE,
    KNOWN_CONTACTS,
    NO_DECOYS,
    NO_RAMMING,
    STRIKING,
)
from engine.notation.restrictions import RESTRICTION_KEYS, restrictions_json


def agreed_battle(battle: Mapping[str, Any], scenario: Scenario) -> dict[str, Any]:
    """Return a battle file by the options and restrictions of a scenario.

    It is without what belongs to options that are not chosen, and without what options exclude.
    """
    file = {key: value for key, value in battle.items() if key not in RESTRICTION_KEYS}
    options = scenario.options
    if STRIKING not in options:
        file.pop("no_quarter", None)
    if KNOWN_CONTACTS in options:
        file["bogeys"] = False
    file["sides"] = [_agreed_side(side, options) for side in battle["sides"]]
    file["options"] = list(options)
    return {**file, **restrictions_json(scenario.restrictions)}


def _agreed_side(side: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
    """Return a side of a battle file as the options have it."""
    entry = dict(side)
    if FLEET_MORALE not in options:
        entry.pop("withdraws_at", None)
    if CIVIL_WAR not in options:
        entry.pop("navy", None)
    if NO_RAMMING in options:
        entry.pop("ram_on", None)
    if "ships" in side and (KNOWN_CONTACTS in options or NO_DECOYS in options):
        entry["ships"] = [ship for ship in side["ships"] if not ship.get("dummy")]
    return entry
