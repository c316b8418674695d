"""Data of the task tables: what each unit can do in a phase, at whom, and what to expect. Pure.

A table is an aid beside the form: a choice in it writes the form's own fields, and only those are
read. There are tables for craft, point defence, damage control and boarding. Expectations come from
the engine (`engine.captains.continuum.expected_attacks`), from the battle as the side knows it.
Orders that no table offers are given in the form's fields.

    {key: {at?, course?, rings?, point?, budget?, still?, head,
           cols: [[id, name, note]], rows: [row], captain: {field: value}}}

A row is {name, type, fields, cells: {col: [figure, unit, value, title]}, free?}. A cell sets all of
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
from campaign.forms.battle.control_form import PARTIES
from campaign.forms.battle.craft_attack_form import ATTACK_TARGET
from campaign.forms.battle.craft_form import DOGFIGHT, FLY_TO, SECOND_MOVE
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.ordnance_form import marker_words
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
from engine.continuum.damage_control import MAX_PARTIES
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
Unit = ShipState | Group | Marker
NO_TABLE: Data = {"head": "", "cols": [], "rows": []}


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
        unit = _unit(sight, row.key)
        table = NO_TABLE
        if isinstance(unit, Group):
            table = _group_table(phase, sight, unit, row)
        elif isinstance(unit, ShipState):
            table = _ship_table(phase, sight, unit, row)
        result[row.key] = _position(unit) | table | {"captain": captain.get(row.key, {})}
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


def _unit(sight: FormSight, key: str) -> Unit | None:
    """Return the ship, group or marker with this id, or None."""
    pieces: Iterable[Unit] = (
        *sight.state.ships,
        *sight.state.pieces_of(Group),
        *sight.state.pieces_of(Marker),
    )
    return next((piece for piece in pieces if piece.id == key), None)


def _position(unit: Unit | None) -> Data:
    if unit is None:
        return {}
    return {"at": [round(unit.x, 2), round(unit.y, 2)], "course": unit.course}


def _group_table(phase: str, sight: FormSight, group: Group, row: OrderRow) -> Data:
    """Return a group's table: its attacks, its dogfights, or what its boats on guard fire at."""
    if phase == ATTACK:
        return _attack_table(sight, group, row)
    if phase == FIGHTERS:
        table = _expectation_table(
            sight,
            group,
            expected_dogfights(sight.state, group),
            weapon_by_field={DOGFIGHT.name(group.id): group.row.guns.name},
            head=phrase("Dogfight with (expected kills)"),
        )
        if FLY_TO.name(group.id) in row.names:
            table["point"] = FLY_TO.name(group.id)
        return table | {"rings": [group.row.speed]}
    if phase == DEFEND:
        table = _expectation_table(
            sight,
            group,
            expected_guard_fire(sight.state, group),
            weapon_by_field={DEFENCE_TARGET.name(group.id, 0): BOATS},
            head=phrase("Expected kills, all boats"),
        )
        return table | {"rings": [max(guns.reach for guns in guards_of(group.row))]}
    return NO_TABLE


def _attack_table(sight: FormSight, group: Group, row: OrderRow) -> Data:
    """Return the table of a group's attacks, with rings for its range and its second move."""
    attacks = expected_attacks(sight.state, group)
    weapon_by_field = {}
    for attack in attacks:
        weapon_by_field[ATTACK_TARGET.name(group.id, attack.weapon)] = attack.weapon
    table = _expectation_table(
        sight,
        group,
        attacks,
        weapon_by_field=weapon_by_field,
        head=phrase("Expected effect"),
    )
    rings = [max((armament.reach for armament in group.row.armaments), default=0.0)]
    second_move = SECOND_MOVE.name(group.id)
    if second_move in row.names and not is_robot(group.row):
        rings.append(secondary_speed(group.row))
        table["point"] = second_move
    return table | {"rings": rings}


def _ship_table(phase: str, sight: FormSight, ship: ShipState, row: OrderRow) -> Data:
    """Return a ship's table: its point defence, its damage control, or boarding it."""
    if phase == DEFEND and is_by_level(sight.state):
        return _level_table(ship, row)
    if phase == DEFEND:
        shots = expected_point_defence(sight.state, ship)
        weapon_by_field = {}
        for shot in shots:
            weapon_by_field[DEFENCE_TARGET.name(ship.id, shot.weapon)] = shot.weapon
        return _expectation_table(
            sight, ship, shots, weapon_by_field=weapon_by_field, head=phrase("Expected kills")
        )
    if phase == CONTROL and ship.commander != sight.side:
        return board_table(ship, row)
    if phase == CONTROL:
        return _repair_table(sight, ship, row)
    return NO_TABLE


def _expectation_table(
    sight: FormSight,
    unit: Unit,
    attacks: list[ExpectedAttack],
    *,
    weapon_by_field: Mapping[str, str],
    head: str,
) -> Data:
    """Return a row for each kind of weapon and a column for each target, nearest first.

    Weapons of a type with the same expectations share a row, which shows their total.
    """
    attack_at = {(attack.weapon, attack.target): attack for attack in attacks}
    distance_to = _distances(sight, unit, {attack.target for attack in attacks})
    targets = sorted(distance_to, key=lambda name: (distance_to[name], name))
    cols = []
    for name in targets:
        cols.append([name, _target_name(sight, name), f"{distance_to[name]:.0f} MU"])
    fields_by_effect: dict[tuple[str, tuple[tuple[str, float], ...]], list[str]] = {}
    for field, weapon in weapon_by_field.items():
        means = []
        for name in targets:
            if (weapon, name) in attack_at:
                means.append((name, attack_at[weapon, name].mean))
        if means:
            effect = (_type_of_id(weapon), tuple(means))
            fields_by_effect.setdefault(effect, []).append(field)
    rows = []
    for (type_, means_by_target), fields in fields_by_effect.items():
        weapon = weapon_by_field[fields[0]]
        cells = {}
        for name, mean in means_by_target:
            cells[name] = _effect_cell(name, mean * len(fields), attack_at[weapon, name].unit)
        rows.append({"name": system_words(type_), "type": type_, "fields": fields, "cells": cells})
    return {"head": head, "cols": cols, "rows": rows}


def _distances(sight: FormSight, unit: Unit, names: Iterable[str]) -> dict[str, float]:
    """Return the distance in MU from a unit to each of these units on the table."""
    distance_to = {}
    for name in names:
        target = _unit(sight, name)
        if target is not None:
            distance_to[name] = dist((unit.x, unit.y), (target.x, target.y))
    return distance_to


def _effect_cell(target: str, total: float, unit: str) -> list[str]:
    """Return the cell of what to expect against a target; without a figure if nothing is known."""
    if not total:
        return ["–", unit, target, phrase("no estimate")]
    figure = f"{total:.1f}"
    return [figure, unit, target, phrase("{} {} expected", figure, unit)]


def _type_of_id(system: str) -> str:
    """Return the type of a system from its id: `battery` of `battery-2`."""
    return system.rstrip("0123456789").rstrip("-")


def _level_table(ship: ShipState, row: OrderRow) -> Data:
    """Return the table of point defence by level.

    It has a row for weapons that add the same, and a column for each ship they can protect.
    """
    fields_by_level: dict[tuple[str, float], list[str]] = {}
    name_by_ship: dict[str, str] = {}
    for pick in row.picks:
        weapon = DEFENCE_TARGET.name_suffix(pick.name, ship.id)
        if weapon is None:
            continue
        guard = guard_of(ship, ship.profile.index_of[weapon])
        mean = 0.0 if guard is None else round(level_mean(guard), 2)
        fields_by_level.setdefault((_type_of_id(weapon), mean), []).append(pick.name)
        name_by_ship |= {value: label for value, label in pick.options if value}
    rows = []
    for (type_, mean), fields in fields_by_level.items():
        total = f"{mean * len(fields):.1f}"
        title = phrase("{} levels expected", total)
        cells = {name: [total, phrase("levels"), name, title] for name in name_by_ship}
        rows.append({"name": system_words(type_), "type": type_, "fields": fields, "cells": cells})
    cols = [[name, label, ""] for name, label in name_by_ship.items()]
    return {"head": phrase("Defence level"), "cols": cols, "rows": rows}


def _target_name(sight: FormSight, name: str) -> str:
    """Return a target's name, with what a marker attacks and how many craft a group has."""
    unit = _unit(sight, name)
    if isinstance(unit, Marker):
        return marker_words(sight, unit)
    if isinstance(unit, Group):
        return phrase("{} ({})", sight.display_name(name), unit.craft)
    return sight.display_name(name)


def _repair_table(sight: FormSight, ship: ShipState, row: OrderRow) -> Data:
    """Return the table of damage control: a row for each repairable system, columns by parties.

    A die roll up to the number of parties repairs the system. With boarders aboard there are rows
    for repelling them.
    """
    party_count = parties_of(ship)
    counts = range(1, min(party_count, MAX_PARTIES) + 1)
    rows = []
    for pick in row.picks:
        system = PARTIES.name_suffix(pick.name, ship.id)
        if system is not None:
            cells = {str(count): _repair_cell(count) for count in counts}
            rows.append(
                {
                    "name": pick.label,
                    "type": _type_of_id(system),
                    "fields": [pick.name],
                    "cells": cells,
                }
            )
    repels = repel_rows(sight, ship, row)
    most = 0
    for table_row in (*rows, *repels):
        most = max(most, *map(int, table_row["cells"]))
    cols = []
    for count in range(1, most + 1):
        label = str(count) if repels else counted_noun(count, "party")
        cols.append([str(count), label, ""])
    return {
        "head": phrase("Number (expected result)") if repels else phrase("Chance of repair"),
        "cols": cols,
        "rows": rows + repels,
        "budget": [party_count, phrase("parties")],
        "still": True,
    }


def _repair_cell(count: int) -> list[str]:
    """Return the cell with the chance that this many parties repair a system."""
    return [
        per_cent(count * 100 / 6),
        phrase("{} in 6", count),
        str(count),
        phrase("repaired on {} or less", count),
    ]
