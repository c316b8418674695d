"""Data of the fire table: weapons, expected effects and targets of the side's units. Pure.

The units are the side's own ships and, under the second edition, its groups in flight. The
expectations are those of the computer captains (`engine.captains.continuum.expected_fire`), from
the battle as the side knows it. A bogey is not a target, and unseen defences do not count. Scripts
add up the figures; the form's fields hold the actual orders.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from campaign.forms.battle.boarding import ABOARD
from campaign.forms.battle.fight_form import AIM_POINT, MODE, SYSTEM, FormSight
from campaign.forms.battle.phase_forms import (
    FIRE_TARGET,
    FIRE_TEXT,
    FIRING_ORDER,
    FIRING_SHIP,
    FURTHER_TARGETS,
    fire_by_ship,
    units_able_to_fire,
)
from campaign.forms.battle.plot_data import arcs_data
from campaign.forms.field import for_scripts
from campaign.words.fire_text import fires_text
from engine.captains.common.range_tables import mounts_of
from engine.captains.continuum.expected_attacks import expected_strikes
from engine.core.phrase import join_phrases
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.english import system_words
from engine.pieces.group import Group
from engine.weapons.weapon import Weapon

# The fields that the fire script writes.
FIRE_FIELDS = for_scripts(
    target=FIRE_TARGET,
    point=AIM_POINT,
    further=FURTHER_TARGETS,
    order=FIRING_ORDER,
    ship=FIRING_SHIP,
    brief=FIRE_TEXT,
    system=SYSTEM,
    mode=MODE,
    aboard=ABOARD,
)


def fires_data(sight: FormSight, advice: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return all units that may fire, by id: {firecons, weapons, bears, captain} and arcs.

    `weapons` is [{id, type, key, name, arcs, ok, fc, t}]. Weapons with the same `key` differ only
    in their arcs. `fc` is what a FireCon is set to for the weapon, "" if it needs none. `t` is its
    index in `bears`. Weapons with equal chances share an entry there: {target: [dice, points,
    points without its screens, people landed?]}. `captain` is the captain's fire in the form of
    orders. A group also has `name`, `craft` and `reach`.
    """
    captain_fires = fire_by_ship(advice)
    ids = frozenset(units_able_to_fire(sight))
    units: dict[str, dict[str, Any]] = {}
    for group in sight.groups:
        if group.id in ids:
            fires = {"firecons": 0, "captain": captain_fires.get(group.id, [])}
            units[group.id] = fires | _group_weapons(sight, group)
    for ship in sight.ships:
        if ship.id in ids:
            fires = {"firecons": ship.firecons, "captain": captain_fires.get(ship.id, [])}
            units[ship.id] = fires | _ship_weapons(sight, ship) | arcs_data(ship)
    return units


def targets_data(sight: FormSight) -> dict[str, dict[str, Any]]:
    """Return all possible targets by id: {left, ends, name?}.

    `left` is the remaining damage points, `ends` the points to the end of the hull row. For hostile
    groups both are the number of craft.
    """
    targets: dict[str, dict[str, Any]] = {}
    for ship in sight.identified_ships():
        armour = sum(map(sum, ship.armour))
        points_left = sum(ship.sheet.rows) - ship.damage + armour
        targets[ship.id] = {"left": points_left, "ends": _points_to_row_end(ship, armour)}
    for group in sight.state.pieces_of(Group):
        if sight.is_hostile(group.side):
            name = sight.display_name(group.id)
            targets[group.id] = {"left": group.craft, "ends": group.craft, "name": name}
    return targets


def _points_to_row_end(ship: ShipState, armour: int) -> int:
    """Return the damage points, with armour, to the end of a ship's current hull row, or 0."""
    damage_left = ship.damage
    for boxes in ship.sheet.rows:
        if damage_left < boxes:
            return boxes - damage_left + armour
        damage_left -= boxes
    return 0


def pack_fires(fires: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the same data as it is sent: {sheets, ships}, with shared parts only once.

    `sheets` holds weapon lists without `ok` and `t`. A ship has the index of its list in `sheet`,
    the `t` of each weapon in `on`, and the indexes of weapons that are not `ok` in `out`. Points
    without screens are left out if equal. `captain` is a text (`campaign.words.fire_text`);
    `details` holds the captain's fires that the text cannot express in full.
    """
    sheets: list[list[dict[str, Any]]] = []
    ships: dict[str, dict[str, Any]] = {}
    for key, unit in fires.items():
        sheet = [_without(weapon, ("ok", "t")) for weapon in unit["weapons"]]
        if sheet not in sheets:
            sheets.append(sheet)
        details = [fire for fire in unit["captain"] if set(fire) - {"weapon", "target"}]
        ships[key] = _without(unit, ("weapons", "bears", "captain")) | {
            "sheet": sheets.index(sheet),
            "on": [weapon["t"] for weapon in unit["weapons"]],
            "out": [place for place, weapon in enumerate(unit["weapons"]) if not weapon["ok"]],
            "bears": [_packed_chances(chances) for chances in unit["bears"]],
            "captain": fires_text(unit["captain"]),
        }
        if details:
            ships[key]["details"] = details
    return {"sheets": sheets, "ships": ships}


def _without(data: Mapping[str, Any], keys: Container[str]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}


def _packed_chances(chances: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the chances at each target, without the points without screens if they are equal."""
    packed = {}
    for target, (dice, points, points_without_screens, *people) in chances.items():
        if points == points_without_screens and not people:
            packed[target] = [dice, points]
        else:
            packed[target] = [dice, points, points_without_screens, *people]
    return packed


def _ship_weapons(sight: FormSight, ship: ShipState) -> dict[str, Any]:
    """Return a ship's `weapons` and `bears`."""
    chances_by_weapon: dict[str, dict[str, list[float]]] = {}
    for shot in sight.prospects(ship):
        chances = [shot.dice, shot.points, shot.bare]
        if shot.people:
            chances.append(shot.people)
        chances_by_weapon.setdefault(shot.weapon, {})[shot.target] = chances
    bears: list[dict[str, list[float]]] = [{}]
    weapons = []
    for mount in mounts_of(ship.profile, ship.sheet):
        fit = ship.sheet.fits[mount.place]
        is_used_up = mount.kind.once and not ship.stock[mount.place]
        weapon_chances = chances_by_weapon.get(fit.id, {})
        if weapon_chances not in bears:
            bears.append(weapon_chances)
        weapons.append(
            _weapon_data(
                fit,
                mount.kind,
                is_working=bool(ship.alive[mount.place] and not is_used_up),
                bears_index=bears.index(weapon_chances),
            )
        )
    return {"weapons": weapons, "bears": bears}


def _group_weapons(sight: FormSight, group: Group) -> dict[str, Any]:
    """Return a group's `weapons` and `bears`, its name, number of craft, range and position."""
    chances_by_weapon: dict[str, dict[str, list[float]]] = {}
    for strike in expected_strikes(sight.state, group):
        chances = [group.craft, strike.mean, strike.mean]
        chances_by_weapon.setdefault(strike.weapon, {})[strike.target] = chances
    weapons = []
    bears = []
    for place, armament in enumerate(group.row.armaments):
        bears.append(chances_by_weapon.get(armament.name, {}))
        weapons.append(
            {
                "id": armament.name,
                "type": "fighter-bay",
                "key": armament.name,
                "name": system_words(armament.name),
                "arcs": ["F"],
                "ok": not armament.rounds or bool(group.rounds(armament)),
                "fc": "",
                "t": place,
            }
        )
    return {
        "name": sight.display_name(group.id),
        "craft": group.craft,
        "weapons": weapons,
        "bears": bears,
        "reach": max((armament.reach for armament in group.row.armaments), default=0.0),
        "course": group.course,
        "cover": {},
        "x": round(group.x, 2),
        "y": round(group.y, 2),
    }


def _weapon_data(fit: Fit, kind: Weapon, *, is_working: bool, bears_index: int) -> dict[str, Any]:
    """Return a ship's weapon as an entry of `weapons`."""
    label = str(fit.size or fit.variant)
    name = system_words(fit.type)
    if label:
        name = join_phrases(" ", (name, label))
    return {
        "id": fit.id,
        "type": fit.type,
        "key": "/".join((fit.type, label, *fit.flags)),
        "name": name,
        "arcs": list(fit.arcs),
        "ok": is_working,
        "fc": kind.control if kind.controlled else "",
        "t": bears_index,
    }
