"""What the tables of choices at a stop are made of: for each ship or group what it may do, at whom,
and what to expect.

Pure. A table stands beside the form: a choice writes the form's own fields, which alone are read.
Of craft, point defence, damage control and boarding. Expectations are the engine's
(`engine.captains.continuum.sorties`), of the battle as the side knows it; what has no choice in a
table is left to the form's fields.

    {key: {at?, course?, rings?, point?, budget?, still?, head, cols: [[id, name, said]], rows: [row],
           captain: {field: value}}}

Row: {name, type, fields, cells: {col: [figure, said, value, title]}, free?}: a cell says all of
`fields` with `value`. `point`: a field that takes the place where the table is hit; `budget`: [how
many there are, of what], shared by the rows that are not `free`; `still`: its columns are no
targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist
from typing import Any

from campaign.forms.battle.boarding import board_table, repel_rows
from campaign.forms.battle.boat_guard_form import MEET
from campaign.forms.battle.craft_form import AGAIN, ATTACK_TARGET, DOGFIGHT, FLY_TO
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.ordnance_form import marker_words
from campaign.forms.battle.stop_forms import PARTIES
from engine.asks.attack import ATTACK
from engine.asks.defend import DEFEND
from engine.captains.continuum.level_runs import level_mean
from engine.captains.continuum.sorties import Sortie, dogfights, guards, intercepts, sorties
from engine.continuum.craft.moves import is_robot, secondary_speed
from engine.continuum.craft.on_guard import guards_of
from engine.continuum.damage_control import MOST_PARTIES
from engine.continuum.defence_level import by_level
from engine.continuum.defence_plans import guard_of
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import CONTROL, FIGHTERS
from engine.craft.gunboats import BOATS
from engine.english import counted_noun, per_cent, system_words
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import parties_of

Data = dict[str, Any]
Where = ShipState | Group | Marker


def tasks_data(
    stop: str, seen: FormSight, rows: Iterable[OrderRow], advised: Iterable[OrderRow]
) -> dict[str, Data]:
    """The table of every row, by its key.

    `advised`: the rows as the captain's proposal fills them.
    """
    captain = {row.key: fields_said(row) for row in advised}
    return {
        row.key: _place(seen, row) | _table(stop, seen, row) | {"captain": captain.get(row.key, {})}
        for row in rows
    }


def fields_said(row: OrderRow) -> dict[str, str]:
    """The fields of a row that say anything, with what they say."""
    found = {
        pick.name: pick.chosen[0]
        for pick in row.picks
        if pick.chosen and pick.chosen[0] not in ("", "0")
    }
    found |= {field.name: field.value for field in row.written if field.value}
    if row.raw is not None and row.raw.value:
        found[row.raw.name] = row.raw.value
    return found | {tick.name: tick.value for tick in row.ticks if tick.on}


def _unit(seen: FormSight, key: str) -> Where | None:
    pieces: Iterable[Where] = (*seen.state.ships, *seen.state.of(Group), *seen.state.of(Marker))
    return next((one for one in pieces if one.id == key), None)


def _place(seen: FormSight, row: OrderRow) -> Data:
    unit = _unit(seen, row.key)
    return (
        {} if unit is None else {"at": [round(unit.x, 2), round(unit.y, 2)], "course": unit.course}
    )


def _table(stop: str, seen: FormSight, row: OrderRow) -> Data:
    unit, names = _unit(seen, row.key), row.names
    if isinstance(unit, Group) and stop == ATTACK:
        further = AGAIN.name(unit.id)
        at_all = {
            ATTACK_TARGET.name(unit.id, one.weapon): one.weapon for one in sorties(seen.state, unit)
        }
        found = _choices(seen, unit, sorties(seen.state, unit), at_all, phrase("What to expect"))
        reach = max((one.reach for one in unit.row.armaments), default=0.0)
        point = further in names and not is_robot(unit.row)
        rings = [reach, *([secondary_speed(unit.row)] if point else [])]
        return found | {"rings": rings} | ({"point": further} if point else {})
    if isinstance(unit, Group) and stop == FIGHTERS:
        met = {DOGFIGHT.name(unit.id): unit.row.guns.name}
        found = _choices(
            seen, unit, dogfights(seen.state, unit), met, phrase("Dogfight with, craft to expect")
        )
        found |= {"point": FLY_TO.name(unit.id)} if FLY_TO.name(unit.id) in names else {}
        return found | {"rings": [unit.row.speed]}
    if isinstance(unit, ShipState) and stop == DEFEND and by_level(seen.state):
        return _levels(unit, row)
    if isinstance(unit, ShipState) and stop == DEFEND:
        guns = {MEET.name(unit.id, one.weapon): one.weapon for one in intercepts(seen.state, unit)}
        return _choices(
            seen, unit, intercepts(seen.state, unit), guns, phrase("What it takes, to expect")
        )
    if isinstance(unit, Group) and stop == DEFEND:
        found = _choices(
            seen,
            unit,
            guards(seen.state, unit),
            {MEET.name(unit.id, 0): BOATS},
            phrase("What all take, to expect"),
        )
        return found | {"rings": [max(guns.reach for guns in guards_of(unit.row))]}
    if isinstance(unit, ShipState) and stop == CONTROL and unit.commander != seen.side:
        return board_table(unit, row)
    if isinstance(unit, ShipState) and stop == CONTROL:
        return _parties(seen, unit, row)
    return {"head": "", "cols": [], "rows": []}


def _choices(
    seen: FormSight, unit: Where, found: list[Sortie], fields: Mapping[str, str], head: str
) -> Data:
    """A row for weapons that are alike, a column for whatever any of them may be used on, the
    nearest first.
    """
    at = {(one.weapon, one.target): one for one in found}
    targets = {name: _unit(seen, name) for name in dict.fromkeys(one.target for one in found)}
    away = {
        name: dist((unit.x, unit.y), (one.x, one.y))
        for name, one in targets.items()
        if one is not None
    }
    cols = [
        [name, _called(seen, name), f"{away[name]:.0f} MU"]
        for name in sorted(away, key=lambda n: (away[n], n))
    ]
    alike: dict[tuple[str, tuple[tuple[str, float], ...]], list[str]] = {}
    for field, weapon in fields.items():
        does = tuple((name, at[weapon, name].mean) for name in away if (weapon, name) in at)
        if does:
            alike.setdefault((weapon.rstrip("0123456789").rstrip("-"), does), []).append(field)
    rows = []
    for (type_, does), named in alike.items():
        weapon = fields[named[0]]
        cells = {}
        for name, mean in does:
            unit_ = at[weapon, name].unit
            whole = f"{mean * len(named):.1f}" if mean else "–"
            title = phrase("{} {} to expect", whole, unit_) if mean else phrase("not foretold")
            cells[name] = [whole, unit_, name, title]
        rows.append({"name": system_words(type_), "type": type_, "fields": named, "cells": cells})
    return {"head": head, "cols": cols, "rows": rows}


def _levels(ship: ShipState, row: OrderRow) -> Data:
    """Where point defence goes by level: a row for weapons that add as much, a column for each ship
    they may guard.
    """
    alike: dict[tuple[str, float], list[str]] = {}
    cols: dict[str, str] = {}
    for pick in row.picks:
        weapon = MEET.rest(pick.name, ship.id)
        if weapon is not None:
            guard = guard_of(ship, ship.profile.index_of[weapon])
            mean = round(level_mean(guard), 2) if guard is not None else 0.0
            alike.setdefault((weapon.rstrip("0123456789").rstrip("-"), mean), []).append(pick.name)
            cols |= {value: words for value, words in pick.options if value}
    rows = []
    for (type_, mean), fields in alike.items():
        whole = f"{mean * len(fields):.1f}"
        cells = {
            name: [whole, phrase("levels"), name, phrase("{} levels to expect", whole)]
            for name in cols
        }
        rows.append({"name": system_words(type_), "type": type_, "fields": fields, "cells": cells})
    return {
        "head": phrase("Levels of defence"),
        "cols": [[name, words, ""] for name, words in cols.items()],
        "rows": rows,
    }


def _called(seen: FormSight, name: str) -> str:
    unit = _unit(seen, name)
    if isinstance(unit, Marker):
        return marker_words(seen, unit)
    called = seen.names.get(name, name)
    return phrase("{} ({})", called, unit.craft) if isinstance(unit, Group) else called


def _parties(seen: FormSight, ship: ShipState, row: OrderRow) -> Data:
    """A row for each system that may be brought back, a column for so many parties: a die no higher
    repairs it. Where boarders are aboard, rows for who repels them.
    """
    there = parties_of(ship)
    counts = range(1, min(there, MOST_PARTIES) + 1)
    rows = [
        {
            "name": pick.label,
            "type": system.rstrip("0123456789").rstrip("-"),
            "fields": [pick.name],
            "cells": {
                str(n): [
                    per_cent(n * 100 / 6),
                    phrase("{} of 6", n),
                    str(n),
                    phrase("repaired with {} or less", n),
                ]
                for n in counts
            },
        }
        for pick in row.picks
        if (system := PARTIES.rest(pick.name, ship.id)) is not None
    ]
    repels = repel_rows(seen, ship, row)
    most = max((int(n) for one in (*rows, *repels) for n in one["cells"]), default=0)
    cols = [
        [str(n), str(n) if repels else counted_noun(n, "party"), ""] for n in range(1, most + 1)
    ]
    head = phrase("How many, to expect") if repels else phrase("Chance to repair")
    return {
        "head": head,
        "cols": cols,
        "rows": rows + repels,
        "budget": [there, phrase("parties")],
        "still": True,
    }
