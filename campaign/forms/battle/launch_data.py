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
from engine.weapons.ordnance import STAGE, Ordnance, grade_of

Data = dict[str, Any]
# The faults of a launch that only lacks its target
TARGET_MISSING = (NO_POINT, NO_TARGET_SHIP)
# The fields of a launcher, by their key on the card
LAUNCHER_FIELDS: dict[str, Field] = {"aim": AIM, "load": LOAD, "fuse": FUSE, "prey": SHIP_TARGET}
CRAFT_ARCS = ["F", "FS", "FP"]  # arcs that craft launch into
STAGE_ARCS = ["F"]  # arc of a missile's further stage
MIRRORED_ARCS = str.maketrans("SP", "PS")  # the arcs of a ship flying upside down


def launch_data(sight: FormSight, advice: Mapping[str, Any]) -> Data:
    """Return a side's cards at its plots.

    Args:
        advice: The captain's proposal.
    """
    rows = _rows_with_advice(sight, advice)
    names_on_page: set[str] = set()
    captain_values: dict[str, str] = {}
    for row in rows:
        names_on_page |= row.names
        captain_values |= filled_fields(row)
    cards: list[Data] = []
    for ship in sight.ships:
        for fit, grades in launchers(ship):
            cards.append(
                _launcher_card(sight, ship, fit=fit, grades=grades, names_on_page=names_on_page)
            )
    for group in sight.groups:
        for load in launchable_loads(group):
            cards.append(_load_card(sight, group, load))
    for marker in staged_markers(sight):
        cards.append(_stage_card(sight, marker))
    for card in cards:
        card["captain"] = _values_on_card(card, captain_values)
    return {"launches": cards, "boarders": _boarders(sight)}


def _rows_with_advice(sight: FormSight, advice: Mapping[str, Any]) -> tuple[OrderRow, ...]:
    """Return the form's rows of launches and craft, filled with the captain's proposal."""
    ship_rows = [OrderRow(key=ship.id, name="") for ship in sight.ships]
    return (*rows_with_launches(sight, ship_rows, advice, {}), *craft_rows(sight, advice, {}))


def _values_on_card(card: Data, values: Mapping[str, str]) -> dict[str, str]:
    """Return those field values whose fields a card writes."""
    names = set()
    for field_key in (*LAUNCHER_FIELDS, "rounds"):
        if field_key in card:
            names.add(card[field_key])
    return {name: value for name, value in values.items() if name in names}


def _launcher_card(
    sight: FormSight, ship: ShipState, fit: Fit, grades: dict[str, int], names_on_page: set[str]
) -> Data:
    """Return the card of a ship's launcher, or of a gun with flak.

    Args:
        grades: The remaining rounds by grade, if the launcher has a magazine.
    """
    index = ship.profile.index_of[fit.id]
    weapon = ship.profile.weapons[index]
    card = _card(sight, ship, fit.id, fit.type) | {"turn": ship.course + bool(ship.sheet.beta)}
    for field_key, field in LAUNCHER_FIELDS.items():
        name = field.name(ship.id, fit.id)
        if name in names_on_page:
            card[field_key] = name
    order_without_target = Launch(fit.id, None, "", next(iter(grades), ""))
    fault = launch_fault(
        sight.state, ship, launch=order_without_target, weapons_used=[], stock_used={}
    )
    if fault and fault not in TARGET_MISSING:
        card["why"] = fault
    if weapon.ordnance is None:
        card["loads"] = [["", 0, 0.0, weapon.reach(fit, FLAK)]]
        arc_bits = firing_arcs(sight.state, ship, index, 0)
    else:
        if grades:
            card["holds"] = f"{ship.id}/{fit.magazine}"
        counts = grades or {grade_of(fit): int(weapon.once)}
        card["loads"] = _load_ranges(weapon.ordnance, counts)
        arc_bits = arcs_of_launch(sight.state, ship, index, 0)
    arcs = [name for bit, name in SIX_ARC_NAMES.items() if arc_bits & bit]
    if ship.record.rolled:
        arcs = [name.translate(MIRRORED_ARCS) for name in arcs]
    card["arcs"] = arcs
    if "prey" in card:
        card["targets"] = _targets(sight, ship, _possible_target_ships(sight, ship, fit))
    return card


def _load_ranges(ordnance: Ordnance, counts: Mapping[str, int]) -> list[list[Any]]:
    """Return [grade, rounds, least range, greatest range in MU] for each grade of ordnance."""
    # Ordnance launched at a ship hits by range bands, which are the same for all grades
    greatest_range = ordnance.needs[-1][0] if ordnance.needs else 0.0
    default = (0.0, greatest_range)
    loads = []
    for grade, count in counts.items():
        ranges = default if greatest_range else ordnance.reach.get(grade, default)
        loads.append([grade, count, *ranges])
    return loads


def _possible_target_ships(sight: FormSight, ship: ShipState, fit: Fit) -> list[str]:
    """Return the ships and boats that a launcher can fire at now."""
    names = []
    for name, _ in (*sight.other_ships(), *hostile_boats(sight)):
        if not launch_fault(
            sight.state, ship, launch=Launch(fit.id, None, name), weapons_used=[], stock_used={}
        ):
            names.append(name)
    return names


def _load_card(sight: FormSight, group: Group, load: Armament) -> Data:
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
        return card | {
            "loads": [["", rounds_left, 0.0, load.reach]],
            "targets": _targets(sight, group, _possible_load_targets(sight, group, load)),
            "prey": SHIP_TARGET.name(key),
            "rounds": ROUNDS.name(key),
        }
    card |= {
        "loads": [["", rounds_left, 0.0, MISSILE_FLIGHT_MU]],
        "aim": AIM.name(key),
        "arcs": CRAFT_ARCS,
    }
    fault = load_fault(sight.state, group, Launch(load.name, (group.x, group.y)), {})
    return card | ({"why": fault} if fault == NOT_TRACKED else {})


def _possible_load_targets(sight: FormSight, group: Group, load: Armament) -> list[str]:
    """Return the ships and boats that a group can launch this load at now."""
    names = []
    for name, _ in (*sight.other_ships(), *hostile_boats(sight)):
        if not load_fault(sight.state, group, Launch(load.name, None, name), {}):
            names.append(name)
    return names


def _stage_card(sight: FormSight, marker: Marker) -> Data:
    """Return the card of a missile in flight that has a further stage."""
    full_name = phrase("{} of {}", system_words(marker.id), sight.display_name(marker.ship))
    return _card(sight, marker, "", marker.type) | {
        "turn": marker.course,
        "aim": AIM.name(marker.id),
        "name": capitalize_first(full_name),
        "loads": [["", 0, *STAGE]],
        "arcs": STAGE_ARCS,
    }


def _card(sight: FormSight, piece: ShipState | Group | Marker, system: str, type_: str) -> Data:
    """Return what all cards have: whose it is, its name and type, and where it is."""
    name = phrase("{}: {}", sight.display_name(piece.id), system_words(system).lower())
    return {
        "of": piece.id,
        "name": name,
        "type": type_,
        "x": round(piece.x, 2),
        "y": round(piece.y, 2),
    }


def _targets(
    sight: FormSight, launcher: ShipState | Group, names: Iterable[str]
) -> list[list[Any]]:
    """Return possible targets with their distance in MU, nearest first."""
    pieces: Iterable[ShipState | Group] = (*sight.state.ships, *sight.state.pieces_of(Group))
    distance_to: dict[str, float] = {}
    for piece in pieces:
        distance_to[piece.id] = dist((launcher.x, launcher.y), (piece.x, piece.y))
    targets = []
    for name in sorted(names, key=lambda target: distance_to[target]):
        targets.append([name, sight.display_name(name), round(distance_to[name], 1)])
    return targets


def _boarders(sight: FormSight) -> Data:
    """Return the ships that can board others by moving alongside, with their people and targets."""
    boarders: Data = {}
    for ship in sight.ships:
        slots = possible_slots(sight.state, ship, BoardAlongside)
        target_slot = slots[0] if slots else None
        if not isinstance(target_slot, OneOf):
            continue
        targets = []
        for name in target_slot.values:
            if sight.is_hostile(sight.state.ship_by_name(name).commander):
                targets.append(name)
        boarders[ship.id] = {
            "name": phrase("{}: board by moving alongside", sight.display_name(ship.id)),
            "marines": len(marines_of(ship)),
            "parties": parties_of(ship),
            "targets": targets,
        }
    return boarders
