"""Data of the fire table: weapons, expected effects and targets of the side's units. Pure.

The units are the side's own ships and, under the second edition, its groups in flight. The
expectations are those of the computer captains (`engine.captains.continuum.expected_fire`), from
the battle as the side knows it. A bogey is not a target, and unseen defences do not count. Scripts
add up the figures; the form's fields hold the actual orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.forms.battle.boarding import ABOARD
from campaign.forms.battle.fight_form import AIM_POINT, MODE, SYSTEM, FormSight
from campaign.forms.battle.phase_forms import (
    FIRE_TARGET,
    FIRE_TEXT,
    FIRING_ORDER,
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
    advised = fire_by_ship(advice)
    keys = frozenset(units_able_to_fire(sight))
    groups = {}
    for group in sight.groups:
        if group.id in keys:
            groups[group.id] = {"firecons": 0, "captain": advised.get(group.id, [])} | _strikes(
                sight, group
            )
    return groups | {
        ship.id: {
            "firecons": ship.firecons,
            "captain": advised.get(ship.id, []),
        }
        | _weapons(sight, ship)
        | arcs_data(ship)
        for ship in sight.ships
        if ship.id in keys
    }


def targets_data(sight: FormSight) -> dict[str, dict[str, Any]]:
    """Return all possible targets by id: {left, ends, name?}.

    `left` is the remaining damage points, `ends` the points to the end of the hull row. For hostile
    groups both are the number of craft.
    """
    targets: dict[str, dict[str, Any]] = {}
    for ship in sight.identified_ships():
        armour = sum(map(sum, ship.armour))
        ends, damage_left = 0, ship.damage
        for row in ship.sheet.rows:
            if damage_left < row:
                ends = row - damage_left + armour
                break
            damage_left -= row
        targets[ship.id] = {"left": sum(ship.sheet.rows) - ship.damage + armour, "ends": ends}
    hostile = sight.state.hostile[sight.side]
    for group in sight.state.pieces_of(Group):
        if hostile >> group.side & 1:
            name = sight.names.get(group.id, group.id)
            targets[group.id] = {"left": group.craft, "ends": group.craft, "name": name}
    return targets


def pack_fires(fires: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the same data as it is sent: {sheets, ships}, with shared parts only once.

    `sheets` holds weapon lists without `ok` and `t`. A ship has the index of its list in `sheet`,
    the `t` of each weapon in `on`, and the indexes of weapons that are not `ok` in `out`. Points
    without screens are left out if equal. `captain` is a text (`campaign.words.fire_text`);
    `details` holds the captain's fires that the text cannot express in full.
    """
    sheets: list[list[dict[str, Any]]] = []
    ships: dict[str, dict[str, Any]] = {}
    for key, fire_row in fires.items():
        weapons = []
        for row in fire_row["weapons"]:
            weapons.append({name: value for name, value in row.items() if name not in ("ok", "t")})
        if weapons not in sheets:
            sheets.append(weapons)
        bears = []
        for at in fire_row["bears"]:
            bears.append(
                {
                    target: [dice, points]
                    if points == bare and not people
                    else [dice, points, bare, *people]
                    for target, (dice, points, bare, *people) in at.items()
                }
            )
        rest = {}
        for name, value in fire_row.items():
            if name not in ("weapons", "bears", "captain"):
                rest[name] = value
        details = [fire for fire in fire_row["captain"] if set(fire) - {"weapon", "target"}]
        ships[key] = rest | {
            "sheet": sheets.index(weapons),
            "on": [row["t"] for row in fire_row["weapons"]],
            "out": [place for place, row in enumerate(fire_row["weapons"]) if not row["ok"]],
            "bears": bears,
            "captain": fires_text(fire_row["captain"]),
            **({"details": details} if details else {}),
        }
    return {"sheets": sheets, "ships": ships}


def _weapons(sight: FormSight, ship: ShipState) -> dict[str, Any]:
    by_weapon: dict[str, dict[str, list[float]]] = {}
    for prospect in sight.prospects(ship):
        by_weapon.setdefault(prospect.weapon, {})[prospect.target] = [
            prospect.dice,
            prospect.points,
            prospect.bare,
            *([prospect.people] if prospect.people else []),
        ]
    bears: list[dict[str, list[float]]] = [{}]
    weapon_rows = []
    for mount in mounts_of(ship.profile, ship.sheet):
        fit = ship.sheet.fits[mount.place]
        works = bool(ship.alive[mount.place] and (ship.stock[mount.place] or not mount.kind.once))
        at = by_weapon.get(fit.id, {})
        if at not in bears:
            bears.append(at)
        weapon_rows.append(_weapon(fit, mount.kind, works, bears.index(at)))
    return {"weapons": weapon_rows, "bears": bears}


def _strikes(sight: FormSight, group: Group) -> dict[str, Any]:
    by_weapon: dict[str, dict[str, list[float]]] = {}
    for strike in expected_strikes(sight.state, group):
        by_weapon.setdefault(strike.weapon, {})[strike.target] = [
            group.craft,
            strike.mean,
            strike.mean,
        ]
    bears = [by_weapon.get(strike.name, {}) for strike in group.row.armaments]
    weapons = [
        {
            "id": strike.name,
            "type": "fighter-bay",
            "key": strike.name,
            "name": system_words(strike.name),
            "arcs": ["F"],
            "ok": not strike.rounds or bool(group.rounds(strike)),
            "fc": "",
            "t": place,
        }
        for place, strike in enumerate(group.row.armaments)
    ]
    return {
        "name": sight.names.get(group.id, group.id),
        "craft": group.craft,
        "weapons": weapons,
        "bears": bears,
        "reach": max((strike.reach for strike in group.row.armaments), default=0.0),
        "course": group.course,
        "cover": {},
        "x": round(group.x, 2),
        "y": round(group.y, 2),
    }


def _weapon(fit: Fit, kind: Weapon, works: bool, bears: int) -> dict[str, Any]:
    label = f"{fit.size or fit.variant}"
    name = system_words(fit.type)
    if label:
        name = join_phrases(" ", (name, label))
    return {
        "id": fit.id,
        "type": fit.type,
        "key": "/".join((fit.type, label, *fit.flags)),
        "name": name,
        "arcs": list(fit.arcs),
        "ok": works,
        "fc": kind.control if kind.controlled else "",
        "t": bears,
    }
