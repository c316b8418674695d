"""When a captain cloaks ships: all together to deny the foe targets, or one that would be lost.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from engine.captains.common.move_options import Option
from engine.captains.common.move_search import fire_worth
from engine.captains.common.range_tables import compass_of
from engine.captains.continuum.stealth_and_decoys import fire_exchange
from engine.captains.continuum.targets import (
    Target,
    armour_boxes,
    armour_ratio_of,
    defence_of,
    drift_of,
    max_fire,
)
from engine.continuum.defence_orders import cloak_kind
from engine.core.geometry import length_of
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.systems.defences import CLOAKS, DEVICE, FIELD, is_too_fast_to_cloak

UNDER_DEVICE = 0.2  # share of fire that still hits a ship under a cloaking device
# How much the fire avoided must outweigh the fire given up.
HIDES: Mapping[str, float] = {DEVICE: 0.7, FIELD: 1.2}
MIN_FIRE = 0.2  # points of expected damage below which no ship hides
IDLE = 0.3  # share of its best fire below which a ship is not in the fight yet
LONGEST = 3  # most turns that a ship vanishes for
# Share of its boxes left: a ship that could be lost hides rather than do less damage than that.
LAST_SHARE = 0.5


def usable_cloak(
    state: BattleState, ship: ShipState, option: Option, never: tuple[str, ...]
) -> str:
    """Return the kind of cloak that a ship can use this turn, or "".

    Args:
        option: Its move; too fast a move rules out a cloaking device.
        never: The types of system that the doctrine leaves unused.
    """
    is_free = ship.status == FIGHTING and not ship.warm and ship.docking == FREE
    stays_cloaked = ship.record.cloaked > state.turn
    if not is_free or stays_cloaked:
        return ""
    fitted = [type_ for type_ in CLOAKS if type_ in ship.profile.indexes_by_type]
    if all(type_ in never for type_ in fitted):
        return ""
    kind = cloak_kind(ship)
    speed = int(sqrt(option.gx * option.gx + option.gy * option.gy) + 0.5)
    if kind == DEVICE and is_too_fast_to_cloak(speed):
        return ""
    return kind


def choose_hiders(
    state: BattleState, options: Mapping[str, Option], targets: list[Target], never: tuple[str, ...]
) -> dict[str, int]:
    """Return the ships that hide, each with the number of turns.

    No ship vanishes for an ambush while friends that cannot are under fire.

    Args:
        options: The moves of the side's ships.
    """
    own_ships = [ship for ship in state.ships if ship.id in options and ship.status == FIGHTING]
    cloaks: dict[ShipId, str] = {}
    for ship in own_ships:
        if kind := usable_cloak(state, ship, options[ship.id], never):
            cloaks[ship.id] = kind
    if not cloaks or not targets:
        return {}
    feared = {ship.id: _fire_at(state, ship, options[ship.id], targets) for ship in own_ships}
    able = [ship for ship in own_ships if ship.id in cloaks]
    own_fire: dict[ShipId, float] = {}
    for ship in able:
        exchange = fire_exchange(state, ship, option=options[ship.id], targets=targets, never=never)
        own_fire[ship.id] = exchange.dealt
    if together := _hide_together(cloaks, feared, own_fire):
        return dict.fromkeys(together, 1)
    may_ambush = not _is_any_exposed(feared, cloaks)
    turns_by_ship: dict[str, int] = {}
    for ship in able:
        dealt = own_fire[ship.id]
        turns = 0
        if may_ambush:
            turns = _ambush(
                ship, option=options[ship.id], targets=targets, own_fire=dealt, never=never
            )
        if not turns and _would_be_lost(ship, sum(feared[ship.id]), dealt):
            turns = 1
        if turns:
            turns_by_ship[ship.id] = turns
    return turns_by_ship


def _is_any_exposed(feared: Mapping[ShipId, list[float]], cloaks: Mapping[ShipId, str]) -> bool:
    """Return whether a ship that cannot hide is under fire."""
    without_cloak = [fires for name, fires in feared.items() if name not in cloaks]
    return any(sum(fires) > MIN_FIRE for fires in without_cloak)


def _would_be_lost(ship: ShipState, feared: float, dealt: float) -> bool:
    """Return whether a ship could be lost this turn without doing enough damage to be worth it."""
    boxes_left = ship.sheet.boxes - ship.damage + armour_boxes(ship)
    return feared > boxes_left and dealt < boxes_left * LAST_SHARE


def _hide_together(
    cloaks: Mapping[ShipId, str], feared: dict[ShipId, list[float]], own_fire: dict[ShipId, float]
) -> list[ShipId]:
    """Return the ships that hide together, those that give up least first.

    The fire that the foe loses must outweigh their own. Ships that can vanish completely all do it,
    or none does.

    Args:
        cloaks: The kind of cloak of each ship that can hide.
        feared: The fire of each foe at each ship.
        own_fire: The fire of each ship if it does not hide.
    """
    order = sorted(cloaks, key=lambda name: (own_fire[name] / (sum(feared[name]) + MIN_FIRE), name))
    most_feared = _most_from_each_foe(list(feared.values()))
    best_gain = MIN_FIRE
    best_count = 0
    for count in range(1, len(order) + 1):
        hidden = order[:count]
        still_feared = []
        for name, fires in feared.items():
            if name in hidden:
                share = UNDER_DEVICE if cloaks[name] == DEVICE else 0.0
                still_feared.append([fire * share for fire in fires])
            else:
                still_feared.append(fires)
        spared = most_feared - _most_from_each_foe(still_feared)
        gain = spared - sum(own_fire[name] * HIDES[cloaks[name]] for name in hidden)
        if gain > best_gain:
            best_gain = gain
            best_count = count
    if DEVICE in cloaks.values() or best_count == len(order):
        return order[:best_count]
    return []


def _most_from_each_foe(fires_by_ship: list[list[float]]) -> float:
    """Return the fire of all foes if each fires at the ship at which it does most.

    Args:
        fires_by_ship: For each ship the fire of each foe.
    """
    return float(sum(map(max, zip(*fires_by_ship, strict=True))))


def _ambush(
    ship: ShipState, option: Option, targets: list[Target], own_fire: float, never: tuple[str, ...]
) -> int:
    """Return the turns to vanish for to reappear near the foe; 0 if in the fight or far away."""
    if own_fire > max_fire(ship, never) * IDLE:
        return 0

    def distance(target: Target) -> float:
        return length_of(target.x - option.x, target.y - option.y)

    nearest = min(targets, key=distance)
    foe_x, foe_y = drift_of(nearest.contact)
    own_speed = length_of(option.gx, option.gy)
    closing_speed = own_speed + sqrt(foe_x * foe_x + foe_y * foe_y) + ship.thrust
    turns = int(distance(nearest) / max(closing_speed, 1.0) + 0.5)
    if 1 <= turns <= LONGEST:
        return turns
    return 0


def _fire_at(
    state: BattleState, ship: ShipState, option: Option, targets: list[Target]
) -> list[float]:
    """Return the fire each foe could direct at a ship at the end of a move."""
    defence, range_factor = defence_of(state, ship)
    armour_ratio = armour_ratio_of(ship)
    slope = compass_of(ship.sheet.edition).slope
    result: list[float] = []
    for target in targets:
        result.append(
            fire_worth(
                target.fire_at(defence, armour_ratio),
                dx=option.x - target.x,
                dy=option.y - target.y,
                facing=(target.ux, target.uy),
                slope=slope,
                range_factor=range_factor,
            )
        )
    return result
