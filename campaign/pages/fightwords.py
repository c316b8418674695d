"""What the forms of a battle's plots and fire ask for beyond the second edition: further words of a plot, burns of
ships that move by vectors, ways in which a weapon fires, points of the table, systems that hits are laid on.

A part of `campaign.pages.fightform`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import number, text
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.ruleset import rules_of
from engine.weapons.weapon import Trait, Weapon

WORDS_HINT, BURNS_HINT = "roll; cloak 3", "MD4 TS2"


def limits(state: BattleState, ship: ShipState) -> tuple[int, int]:
    """The points of turn and of thrust that a form offers."""
    return rules_of(ship.sheet.edition).limits(state, ship)


def further_words(plot: Plot) -> str:
    """The further words of a plot as they are written."""
    return "; ".join(" ".join((word, *rest)) for word, rest in plot.also)


def burns(plot: Plot) -> str:
    return " ".join(f"{burn}{points}" for burn, points in plot.burns)


def has_words(ship: ShipState) -> bool:
    """Whether a ship's plot may say further words."""
    return bool(rules_of(ship.sheet.edition).grammar.words)


def modes_of(weapon: Weapon) -> tuple[str, ...]:
    """The ways in which a weapon may be told to fire, none where there is but one."""
    return weapon.modes if len(weapon.modes) > 1 else ()


def asks_system(weapon: Weapon) -> bool:
    """Whether a weapon may be aimed at a system, or its hits laid on some."""
    return weapon.picks_systems


def asks_point(weapon: Weapon) -> bool:
    """Whether a weapon may be fired at a point of the table."""
    return bool(weapon.at_point)


def system_text(fire: Mapping[str, Any]) -> str:
    """The system, or the systems, of a payload's fire as they are written."""
    named = fire.get("system", "")
    return ", ".join(map(str, named)) if isinstance(named, list) else str(named)


def point_text(fire: Mapping[str, Any]) -> str:
    """The point of a payload's fire as it is written."""
    at = fire.get("at")
    if not isinstance(at, list | tuple):
        return ""
    return " ".join(f"{one:g}" if isinstance(one, int | float) else str(one) for one in at)


def fire_details(posted: QueryDict, weapon: Weapon, name: str) -> dict[str, Any]:
    """What a form says of a weapon's fire besides its targets. `name`: of its fields, ship and weapon."""
    found: dict[str, Any] = {}
    systems = [
        part.strip().replace(" ", "-") for part in text(posted, f"system-{name}").lower().split(",") if part.strip()
    ]
    if systems:
        found["system"] = systems if Trait.SPREADS in weapon.traits else ", ".join(systems)
    if modes_of(weapon) and (mode := text(posted, f"mode-{name}")):
        found["mode"] = mode
    if asks_point(weapon) and (at := text(posted, f"at-{name}")):
        found["at"] = [_coordinate(part) for part in at.replace(",", " ").split()]
    return found


def _coordinate(part: str) -> object:
    whole = number(part)
    if isinstance(whole, int):
        return whole
    try:
        return float(part)
    except ValueError:
        return part
