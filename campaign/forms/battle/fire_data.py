"""What the fire table needs of a side's own ships and, by the second edition, groups in flight:
their weapons, what each bears on and may be expected to do; and what there is of every target.
Pure.

Expectations are the captains' own (`engine.captains.continuum.prospects`), of the battle as the
side knows it: a bogey is no target, and defences that nobody saw are not reckoned with. Scripts add
up; what is fired at whom the form's fields say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.forms.battle.boarding import ABOARD
from campaign.forms.battle.fight_form import AIM_POINT, MODE, SYSTEM, FormSight
from campaign.forms.battle.plot_data import arcs_data
from campaign.forms.battle.stop_forms import (
    FIRE_TEXT,
    FIRING_ORDER,
    FURTHER,
    TARGET,
    able,
    fire_said,
)
from campaign.forms.field import for_scripts
from campaign.words.fire_text import fires_text
from engine.captains.common.range_tables import mounts_of
from engine.captains.continuum.sorties import strikes
from engine.core.phrase import joined_phrases
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.english import system_words
from engine.pieces.group import Group
from engine.weapons.weapon import Weapon

# The fields that the script of fire writes.
FIRE_FIELDS = for_scripts(
    target=TARGET,
    point=AIM_POINT,
    further=FURTHER,
    order=FIRING_ORDER,
    brief=FIRE_TEXT,
    system=SYSTEM,
    mode=MODE,
    aboard=ABOARD,
)


def fires_data(seen: FormSight, advice: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every ship and group that may fire, by id: {firecons, weapons, bears, captain}, and its arcs.

    `weapons`: [{id, type, key, name, arcs, ok, fc, t}]; those of one `key` are alike but for arcs;
    `fc`: what a FireCon is set to for it, "" where it asks for none; `t`: its place in `bears`,
    where those that bear alike share one {target: [dice, points, points without its screens, people
    set down there?]}. `captain`: his fire, as orders have it. Of a group also `name`, `craft` and
    `reach`.
    """
    advised = fire_said(advice)
    keys = frozenset(able(seen))
    groups = {
        group.id: {"firecons": 0, "captain": advised.get(group.id, [])} | _strikes(seen, group)
        for group in seen.groups
        if group.id in keys
    }
    return groups | {
        ship.id: {
            "firecons": ship.firecons,
            "captain": advised.get(ship.id, []),
        }
        | _weapons(seen, ship)
        | arcs_data(ship)
        for ship in seen.ships
        if ship.id in keys
    }


def targets_data(seen: FormSight) -> dict[str, dict[str, Any]]:
    """What may be aimed at, by id: {left, ends, name?}: what is left of it, and of that to the end
    of its row of hull; of hostile groups their craft.
    """
    found: dict[str, dict[str, Any]] = {}
    for ship in seen.identified():
        armour = sum(map(sum, ship.armour))
        ends, done = 0, ship.damage
        for row in ship.sheet.rows:
            if done < row:
                ends = row - done + armour
                break
            done -= row
        found[ship.id] = {"left": sum(ship.sheet.rows) - ship.damage + armour, "ends": ends}
    hostile = seen.state.hostile[seen.side]
    for group in seen.state.of(Group):
        if hostile >> group.side & 1:
            name = seen.names.get(group.id, group.id)
            found[group.id] = {"left": group.craft, "ends": group.craft, "name": name}
    return found


def packed(fires: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The same as it is sent: {sheets, ships}, what ships have in common once.

    `sheets`: weapons without `ok` and `t`. Of a ship `sheet`: the place of its own there; `on`: `t`
    of each; `out`: the places of those that are not `ok`. Points without screens are left out where
    they are the same. `captain` is a text (`campaign.words.fire_text`), `details` those of his
    fires that say more.
    """
    sheets: list[list[dict[str, Any]]] = []
    ships: dict[str, dict[str, Any]] = {}
    for key, one in fires.items():
        weapons = [
            {name: value for name, value in row.items() if name not in ("ok", "t")}
            for row in one["weapons"]
        ]
        if weapons not in sheets:
            sheets.append(weapons)
        bears = [
            {
                target: [dice, points]
                if points == bare and not people
                else [dice, points, bare, *people]
                for target, (dice, points, bare, *people) in at.items()
            }
            for at in one["bears"]
        ]
        rest = {
            name: value
            for name, value in one.items()
            if name not in ("weapons", "bears", "captain")
        }
        details = [fire for fire in one["captain"] if set(fire) - {"weapon", "target"}]
        ships[key] = rest | {
            "sheet": sheets.index(weapons),
            "on": [row["t"] for row in one["weapons"]],
            "out": [place for place, row in enumerate(one["weapons"]) if not row["ok"]],
            "bears": bears,
            "captain": fires_text(one["captain"]),
            **({"details": details} if details else {}),
        }
    return {"sheets": sheets, "ships": ships}


def _weapons(seen: FormSight, ship: ShipState) -> dict[str, Any]:
    by_weapon: dict[str, dict[str, list[float]]] = {}
    for one in seen.prospects(ship):
        by_weapon.setdefault(one.weapon, {})[one.target] = [
            one.dice,
            one.points,
            one.bare,
            *([one.people] if one.people else []),
        ]
    bears: list[dict[str, list[float]]] = [{}]
    found = []
    for mount in mounts_of(ship.profile, ship.sheet):
        fit = ship.sheet.fits[mount.place]
        works = bool(ship.alive[mount.place] and (ship.stock[mount.place] or not mount.kind.once))
        at = by_weapon.get(fit.id, {})
        if at not in bears:
            bears.append(at)
        found.append(_weapon(fit, mount.kind, works, bears.index(at)))
    return {"weapons": found, "bears": bears}


def _strikes(seen: FormSight, group: Group) -> dict[str, Any]:
    by_weapon: dict[str, dict[str, list[float]]] = {}
    for one in strikes(seen.state, group):
        by_weapon.setdefault(one.weapon, {})[one.target] = [group.craft, one.mean, one.mean]
    bears = [by_weapon.get(one.name, {}) for one in group.row.armaments]
    weapons = [
        {
            "id": one.name, "type": "fighter-bay", "key": one.name, "name": system_words(one.name), "arcs": ["F"],
            "ok": not one.rounds or bool(group.rounds(one)), "fc": "", "t": place,
        }
        for place, one in enumerate(group.row.armaments)
    ]  # fmt: skip
    return {
        "name": seen.names.get(group.id, group.id), "craft": group.craft, "weapons": weapons, "bears": bears,
        "reach": max((one.reach for one in group.row.armaments), default=0.0), "course": group.course, "cover": {},
        "x": round(group.x, 2), "y": round(group.y, 2),
    }  # fmt: skip


def _weapon(fit: Fit, kind: Weapon, works: bool, bears: int) -> dict[str, Any]:
    label = f"{fit.size or fit.variant}"
    return {
        "id": fit.id, "type": fit.type, "key": "/".join((fit.type, label, *fit.flags)),
        "name": joined_phrases(" ", (system_words(fit.type), label)) if label else system_words(fit.type),
        "arcs": list(fit.arcs), "ok": works, "fc": kind.control if kind.controlled else "", "t": bears,
    }  # fmt: skip
