"""Data of the task tables: what each unit can do in a phase, at whom, and what to expect. Pure.

A table is an aid beside the form: a choice in it writes the form's own fields, and only those are
read. There are tables for craft, point defence, damage control and boarding. Expectations come from
the engine (`engine.captains.continuum.expected_attacks`), from the battle as the side knows it.
Orders that no table offers are given in the form's fields.

    {key: {at?, course?, rings?, point?, budget?, still?, head,
           cols: [[id, name, said]], rows: [row], captain: {field: value}}}

A row is {name, type, fields, cells: {col: [figure, said, value, title]}, free?}. A cell sets all of
`fields` to `value`. `point` is the field that takes the position of a click on the table. `budget`
is [how many, of what], shared by the rows that are not `free`. With `still` the columns are not
targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist
from typing import Any

from campaign.forms.battle.boarding import board_table, repel_rows
from campaign.forms.battle.boat_guard_form import DEFENCE_TARGET
from campaign.forms.battle.craft_attack_form import ATTACK_TARGET
from campaign.forms.battle.craft_form import DOGFIGHT, FLY_TO, SECOND_MOVE
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.ordnance_form import marker_words
from campaign.forms.battle.phase_forms import PARTIES
from engine.captains.continuum.defence_level_tactics import level_mean
from engine.captains.continuum.expected_attacks import (
    ExpectedAttack,
    expected_attacks,
    expected_dogfights,
    expected_guard_fire,
    expected_point_defence,
)
from engine.continuum.craft.guard_boats import guards_of
from engine.continuum.craft.moves import is_robot, secondary_speed
from engine.continuum.damage_control import MOST_PARTIES
from engine.continuum.defence_level import is_by_level
from engine.continuum.defence_plans import guard_of
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import CONTROL, FIGHTERS
from engine.craft.gunboats import BOATS
from engine.english import counted_noun, per_cent, system_words
from engine.order_requests.attack import ATTACK
from engine.order_requests.defend import DEFEND
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import parties_of

Data = dict[str, Any]
Where = ShipState | Group | Marker


def tasks_data(
    phase: str, sight: FormSight, rows: Iterable[OrderRow], advised: Iterable[OrderRow]
) -> dict[str, Data]:
    """Return the table of each row, by key.

    Args:
        advised: The rows filled with the captain's proposal.
    """
    captain = {row.key: filled_fields(row) for row in advised}
    result: dict[str, Data] = {}
    for row in rows:
        result[row.key] = (
            _place(sight, row) | _table(phase, sight, row) | {"captain": captain.get(row.key, {})}
        )
    return result


def filled_fields(row: OrderRow) -> dict[str, str]:
    """Return the fields of a row that have a value."""
    values = {}
    for pick in row.picks:
        if pick.chosen and pick.chosen[0] not in ("", "0"):
            values[pick.name] = pick.chosen[0]
    values |= {field.name: field.value for field in row.inputs if field.value}
    if row.raw is not None and row.raw.value:
        values[row.raw.name] = row.raw.value
    return values | {tick.name: tick.value for tick in row.ticks if tick.is_on}


def _unit(sight: FormSight, key: str) -> Where | None:
    pieces: Iterable[Where] = (
        *sight.state.ships,
        *sight.state.pieces_of(Group),
        *sight.state.pieces_of(Marker),
    )
    return next((piece for piece in pieces if piece.id == key), None)


def _place(sight: FormSight, row: OrderRow) -> Data:
    unit = _unit(sight, row.key)
    if unit is None:
        return {}
    return {"at": [round(unit.x, 2), round(unit.y, 2)], "course": unit.course}


def _table(phase: str, sight: FormSight, row: OrderRow) -> Data:
    unit = _unit(sight, row.key)
    names = row.names
    if isinstance(unit, Group) and phase == ATTACK:
        further = SECOND_MOVE.name(unit.id)
        at_all = {}
        for item in expected_attacks(sight.state, unit):
            at_all[ATTACK_TARGET.name(unit.id, item.weapon)] = item.weapon
        table = _choices(
            sight, unit, expected_attacks(sight.state, unit), at_all, phrase("Expected effect")
        )
        reach = max((item.reach for item in unit.row.armaments), default=0.0)
        point = further in names and not is_robot(unit.row)
        rings = [reach, *([secondary_speed(unit.row)] if point else [])]
        return table | {"rings": rings} | ({"point": further} if point else {})
    if isinstance(unit, Group) and phase == FIGHTERS:
        dogfight_fields = {DOGFIGHT.name(unit.id): unit.row.guns.name}
        table = _choices(
            sight,
            unit,
            expected_dogfights(sight.state, unit),
            dogfight_fields,
            phrase("Dogfight with (expected kills)"),
        )
        table |= {"point": FLY_TO.name(unit.id)} if FLY_TO.name(unit.id) in names else {}
        return table | {"rings": [unit.row.speed]}
    if isinstance(unit, ShipState) and phase == DEFEND and is_by_level(sight.state):
        return _levels(unit, row)
    if isinstance(unit, ShipState) and phase == DEFEND:
        guns = {}
        for item in expected_point_defence(sight.state, unit):
            guns[DEFENCE_TARGET.name(unit.id, item.weapon)] = item.weapon
        return _choices(
            sight,
            unit,
            expected_point_defence(sight.state, unit),
            guns,
            phrase("Expected kills"),
        )
    if isinstance(unit, Group) and phase == DEFEND:
        table = _choices(
            sight,
            unit,
            expected_guard_fire(sight.state, unit),
            {DEFENCE_TARGET.name(unit.id, 0): BOATS},
            phrase("Expected kills, all boats"),
        )
        return table | {"rings": [max(guns.reach for guns in guards_of(unit.row))]}
    if isinstance(unit, ShipState) and phase == CONTROL and unit.commander != sight.side:
        return board_table(unit, row)
    if isinstance(unit, ShipState) and phase == CONTROL:
        return _parties(sight, unit, row)
    return {"head": "", "cols": [], "rows": []}


def _choices(
    sight: FormSight,
    unit: Where,
    sorties: list[ExpectedAttack],
    fields: Mapping[str, str],
    head: str,
) -> Data:
    """Return a row for each kind of weapon and a column for each target, nearest first."""
    at = {(item.weapon, item.target): item for item in sorties}
    targets = {}
    for name in dict.fromkeys(item.target for item in sorties):
        targets[name] = _unit(sight, name)
    away = {}
    for name, item in targets.items():
        if item is not None:
            away[name] = dist((unit.x, unit.y), (item.x, item.y))
    cols = [
        [name, _display_name(sight, name), f"{away[name]:.0f} MU"]
        for name in sorted(away, key=lambda n: (away[n], n))
    ]
    fields_by_effect: dict[tuple[str, tuple[tuple[str, float], ...]], list[str]] = {}
    for field, weapon in fields.items():
        effects = tuple((name, at[weapon, name].mean) for name in away if (weapon, name) in at)
        if effects:
            fields_by_effect.setdefault(
                (weapon.rstrip("0123456789").rstrip("-"), effects), []
            ).append(field)
    rows = []
    for (type_, effects), field_names in fields_by_effect.items():
        weapon = fields[field_names[0]]
        cells = {}
        for name, mean in effects:
            unit_ = at[weapon, name].unit
            if mean:
                total = f"{mean * len(field_names):.1f}"
            else:
                total = "–"
            if mean:
                title = phrase("{} {} expected", total, unit_)
            else:
                title = phrase("no estimate")
            cells[name] = [total, unit_, name, title]
        rows.append(
            {"name": system_words(type_), "type": type_, "fields": field_names, "cells": cells}
        )
    return {"head": head, "cols": cols, "rows": rows}


def _levels(ship: ShipState, row: OrderRow) -> Data:
    """Return the table of point defence by level.

    It has a row for weapons that add the same, and a column for each ship they can protect.
    """
    fields_by_level: dict[tuple[str, float], list[str]] = {}
    cols: dict[str, str] = {}
    for pick in row.picks:
        weapon = DEFENCE_TARGET.name_suffix(pick.name, ship.id)
        if weapon is not None:
            guard = guard_of(ship, ship.profile.index_of[weapon])
            if guard is not None:
                mean = round(level_mean(guard), 2)
            else:
                mean = 0.0
            fields_by_level.setdefault((weapon.rstrip("0123456789").rstrip("-"), mean), []).append(
                pick.name
            )
            cols |= {value: words for value, words in pick.options if value}
    rows = []
    for (type_, mean), fields in fields_by_level.items():
        total = f"{mean * len(fields):.1f}"
        cells = {}
        for name in cols:
            cells[name] = [total, phrase("levels"), name, phrase("{} levels expected", total)]
        rows.append({"name": system_words(type_), "type": type_, "fields": fields, "cells": cells})
    return {
        "head": phrase("Defence level"),
        "cols": [[name, words, ""] for name, words in cols.items()],
        "rows": rows,
    }


def _display_name(sight: FormSight, name: str) -> str:
    unit = _unit(sight, name)
    if isinstance(unit, Marker):
        return marker_words(sight, unit)
    name_text = sight.names.get(name, name)
    if isinstance(unit, Group):
        return phrase("{} ({})", name_text, unit.craft)
    return name_text


def _parties(sight: FormSight, ship: ShipState, row: OrderRow) -> Data:
    """Return the table of damage control: a row for each repairable system, columns by parties.

    A die roll up to that number repairs the system. With boarders aboard there are rows for
    repelling them.
    """
    party_count = parties_of(ship)
    counts = range(1, min(party_count, MOST_PARTIES) + 1)
    rows = [
        {
            "name": pick.label,
            "type": system.rstrip("0123456789").rstrip("-"),
            "fields": [pick.name],
            "cells": {
                str(n): [
                    per_cent(n * 100 / 6),
                    phrase("{} in 6", n),
                    str(n),
                    phrase("repaired on {} or less", n),
                ]
                for n in counts
            },
        }
        for pick in row.picks
        if (system := PARTIES.name_suffix(pick.name, ship.id)) is not None
    ]
    repels = repel_rows(sight, ship, row)
    most = max((int(n) for table_row in (*rows, *repels) for n in table_row["cells"]), default=0)
    cols = []
    for n in range(1, most + 1):
        cols.append([str(n), str(n) if repels else counted_noun(n, "party"), ""])
    if repels:
        head = phrase("Number (expected result)")
    else:
        head = phrase("Chance of repair")
    return {
        "head": head,
        "cols": cols,
        "rows": rows + repels,
        "budget": [party_count, phrase("parties")],
        "still": True,
    }
