"""Data of the launch cards beside the plots, for ordnance and boarders. Pure.

There is a card for each launcher, each load of craft and each missile in flight: what it holds, its
range, arcs and targets, and the captain's order.

    {launches: [launch], boarders: {ship: {name, marines, parties, targets: [id]}}}

A launch is {of, name, type, x, y, turn, loads: [[grade, left, least, most]], holds?, arcs?, why?,
targets?: [[id, name, MU]], many?: [at most, a launch at most], aim?, load?, fuse?, prey?, rounds?,
captain: {field: value}}.

`of` is the ship, group or marker; `holds` the magazine, which others may share; `turn` the clock
direction from which its arcs count; `why` the reason it cannot launch now; `many` the rounds to
share out. `aim` and the keys after it are names of form fields. A card writes these, and only they
are read. With `many`, `aim` holds several points. The module finds out who can launch, and at whom,
by asking the engine about the battle as the side knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist
from typing import Any

from campaign.forms.battle.craft_form import ROUNDS, craft_rows
from campaign.forms.battle.fight_form import SHIP_TARGET, FormSight, OrderRow
from campaign.forms.battle.ordnance_form import (
    AIM,
    FUSE,
    LOAD,
    hostile_boats,
    launchers,
    rows_with_launches,
    staged_markers,
)
from campaign.forms.battle.task_data import filled_fields
from campaign.forms.field import Field
from engine.continuum.aiming import firing_arcs
from engine.continuum.boarding_orders import BoardAlongside
from engine.continuum.craft.loads import (
    MISSILE_FLIGHT_MU,
    NOT_TRACKED,
    launchable_loads,
    load_fault,
)
from engine.continuum.launching import NO_POINT, NO_TARGET_SHIP, arcs_of_launch, launch_fault
from engine.core.geometry import SIX_ARC_NAMES
from engine.core.orders import Launch
from engine.core.phrase import capitalize_first, phrase
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.slots import OneOf
from engine.core.terms import FLAK
from engine.craft.craft_type import Armament
from engine.english import system_words
from engine.order_requests.plot_choices import possible_slots
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import marines_of, parties_of
from engine.weapons.ordnance import STAGE, grade_of

Data = dict[str, Any]
# The only faults of a launch that lacks its target
NO_WHERE = (NO_POINT, NO_TARGET_SHIP)
# The fields of a launcher
FIELDS: dict[str, Field] = {"aim": AIM, "load": LOAD, "fuse": FUSE, "prey": SHIP_TARGET}
# The arcs craft launch into, and the arc of a missile's further stage
BEFORE, AHEAD = ["F", "FS", "FP"], ["F"]
MIRRORED = str.maketrans("SP", "PS")  # the arcs of a ship flying upside down


def launch_data(sight: FormSight, advice: Mapping[str, Any]) -> Data:
    """Return a side's cards at its plots.

    Args:
        advice: The captain's proposal.
    """
    bare = [OrderRow(ship.id, "", "", "", (), (), (), None, ()) for ship in sight.ships]
    rows = (*rows_with_launches(sight, bare, advice, {}), *craft_rows(sight, advice, {}))
    names_on_page = set()
    for row in rows:
        for name in row.names:
            names_on_page.add(name)
    captain_values = {}
    for row in rows:
        for name, value in filled_fields(row).items():
            captain_values[name] = value
    cards: list[Data] = []
    for ship in sight.ships:
        cards += [
            _launcher(sight, ship, fit, grades, names_on_page) for fit, grades in launchers(ship)
        ]
    cards += [
        _load(sight, group, load) for group in sight.groups for load in launchable_loads(group)
    ]
    cards += [_stage(sight, marker) for marker in staged_markers(sight)]
    for card in cards:
        names_on_card = set()
        for field_key in (*FIELDS, "rounds"):
            if field_key in card:
                names_on_card.add(card[field_key])
        card["captain"] = {
            name: value for name, value in captain_values.items() if name in names_on_card
        }
    return {"launches": cards, "boarders": _boarders(sight)}


def _launcher(
    sight: FormSight, ship: ShipState, fit: Fit, grades: dict[str, int], names_on_page: set[str]
) -> Data:
    """Return the card of a ship's launcher, or of a gun with flak."""
    index = ship.profile.index_of[fit.id]
    kind = ship.profile.weapons[index]
    card = _card(sight, ship, fit.id, fit.type) | {"turn": ship.course + bool(ship.sheet.beta)}
    card |= {
        field_key: name
        for field_key, field in FIELDS.items()
        if (name := field.name(ship.id, fit.id)) in names_on_page
    }
    fault = launch_fault(
        sight.state, ship, Launch(fit.id, None, "", next(iter(grades), "")), [], {}
    )
    card |= {"why": fault} if fault and fault not in NO_WHERE else {}
    if kind.ordnance is None:
        card["loads"] = [["", 0, 0.0, kind.reach(fit, FLAK)]]
        bits = firing_arcs(sight.state, ship, index, 0)
    else:
        load_counts = grades or {grade_of(fit): int(kind.once)}
        card |= {"holds": f"{ship.id}/{fit.magazine}"} if grades else {}
        if kind.ordnance.needs:
            needs = (0.0, kind.ordnance.needs[-1][0])
        else:
            needs = (0.0, 0.0)
        reach = {}
        for grade in load_counts:
            reach[grade] = needs if any(needs) else kind.ordnance.reach.get(grade, needs)
        card["loads"] = [[grade, number, *reach[grade]] for grade, number in load_counts.items()]
        bits = arcs_of_launch(sight.state, ship, index, 0)
    names = [name for bit, name in SIX_ARC_NAMES.items() if bits & bit]
    card["arcs"] = [name.translate(MIRRORED) if ship.record.rolled else name for name in names]
    if "prey" in card:
        hits = [
            name
            for name, _ in (*sight.other_ships(), *hostile_boats(sight))
            if not launch_fault(sight.state, ship, Launch(fit.id, None, name), [], {})
        ]
        card["targets"] = _targets(sight, ship, hits)
    return card


def _load(sight: FormSight, group: Group, load: Armament) -> Data:
    """Return the card of what a group in flight launches."""
    key = f"{group.id}-{load.name}"
    rounds_left = group.rounds(load)
    card = _card(sight, group, load.name, load.launches) | {
        "turn": group.course,
        "many": [rounds_left, load.salvo or rounds_left],
    }
    if load.dropped:
        return card | {"loads": [["", rounds_left, 0.0, 0.0]], "rounds": ROUNDS.name(key)}
    if load.at_target:
        orders = (
            (name, Launch(load.name, None, name))
            for name, _ in (*sight.other_ships(), *hostile_boats(sight))
        )
        hits = []
        for name, order in orders:
            if not load_fault(sight.state, group, order, {}):
                hits.append(name)
        reach = [["", rounds_left, 0.0, load.reach]]
        fields = {"prey": SHIP_TARGET.name(key), "rounds": ROUNDS.name(key)}
        return card | {"loads": reach, "targets": _targets(sight, group, hits)} | fields
    fault = load_fault(sight.state, group, Launch(load.name, (group.x, group.y)), {})
    card |= {
        "loads": [["", rounds_left, 0.0, MISSILE_FLIGHT_MU]],
        "aim": AIM.name(key),
        "arcs": BEFORE,
    }
    return card | ({"why": fault} if fault == NOT_TRACKED else {})


def _stage(sight: FormSight, marker: Marker) -> Data:
    """Return the card of a missile in flight that has a further stage."""
    card = _card(sight, marker, "", marker.type) | {
        "turn": marker.course,
        "aim": AIM.name(marker.id),
    }
    full_name = phrase("{} of {}", system_words(marker.id), _display_name(sight, marker.ship))
    return card | {"name": capitalize_first(full_name), "loads": [["", 0, *STAGE]], "arcs": AHEAD}


def _card(sight: FormSight, piece: ShipState | Group | Marker, system: str, type_: str) -> Data:
    name = phrase("{}: {}", _display_name(sight, piece.id), system_words(system).lower())
    return {
        "of": piece.id,
        "name": name,
        "type": type_,
        "x": round(piece.x, 2),
        "y": round(piece.y, 2),
    }


def _display_name(sight: FormSight, name: str) -> str:
    return sight.names.get(name, name)


def _targets(
    sight: FormSight, launcher: ShipState | Group, names: Iterable[str]
) -> list[list[Any]]:
    """Return possible targets with their distance in MU, nearest first."""
    pieces: Iterable[ShipState | Group] = (*sight.state.ships, *sight.state.pieces_of(Group))
    away: dict[str, float] = {}
    for piece in pieces:
        away[piece.id] = dist((launcher.x, launcher.y), (piece.x, piece.y))
    return [
        [name, _display_name(sight, name), round(away[name], 1)]
        for name in sorted(names, key=lambda target: away[target])
    ]


def _boarders(sight: FormSight) -> Data:
    """Return the ships that can board others by moving alongside, with their people and targets."""
    boarders: Data = {}
    for ship in sight.ships:
        slots = possible_slots(sight.state, ship, BoardAlongside)
        target_slot = slots[0] if slots else None
        if isinstance(target_slot, OneOf):
            foes = []
            for name in target_slot.values:
                if sight.state.hostile[sight.side] >> _side(sight, name) & 1:
                    foes.append(name)
            boarders[ship.id] = {
                "name": phrase("{}: board by moving alongside", _display_name(sight, ship.id)),
                "marines": len(marines_of(ship)),
                "parties": parties_of(ship),
                "targets": foes,
            }
    return boarders


def _side(sight: FormSight, name: str) -> int:
    return sight.state.ship_by_name(name).commander
