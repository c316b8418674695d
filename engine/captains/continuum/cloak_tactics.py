"""When a captain cloaks ships: all together to deny the foe targets, or one that would be lost.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.captains.common.move_options import Option
from engine.captains.common.move_search import fire_worth
from engine.captains.common.range_tables import compass_of
from engine.captains.continuum.stealth_and_decoys import fire_exchange
from engine.captains.continuum.targets import (
    Target,
    armour_boxes,
    armour_share,
    defence_of,
    drift_of,
    max_fire,
)
from engine.continuum.defence_orders import cloak_kind
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
    """Return the kind of cloak that a ship can use this turn, or ""."""
    if (
        ship.status != FIGHTING
        or ship.warm
        or ship.docking != FREE
        or ship.record.cloaked > state.turn
    ):
        return ""
    if all(type_ in never for type_ in CLOAKS if type_ in ship.profile.indexes_by_type):
        return ""
    kind = cloak_kind(ship)
    fast = is_too_fast_to_cloak(int((option.gx * option.gx + option.gy * option.gy) ** 0.5 + 0.5))
    if kind == DEVICE and fast:
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
    ways = {
        ship.id: kind
        for ship in own_ships
        if (kind := usable_cloak(state, ship, options[ship.id], never))
    }
    if not ways or not targets:
        return {}
    feared = {ship.id: _fire_at(state, ship, options[ship.id], targets) for ship in own_ships}
    own_fire = {
        ship.id: fire_exchange(
            state, ship, option=options[ship.id], targets=targets, never=never
        ).dealt
        for ship in own_ships
        if ship.id in ways
    }
    if together := _hide_together(ways, feared, own_fire):
        return dict.fromkeys(together, 1)
    friends_exposed = any(
        sum(fires) > MIN_FIRE for name, fires in feared.items() if name not in ways
    )
    turns_by_ship: dict[str, int] = {}
    for ship in own_ships:
        if ship.id not in ways:
            continue
        boxes_left = ship.sheet.boxes - ship.damage + armour_boxes(ship)
        if not friends_exposed and (
            turns := _ambush(
                ship,
                option=options[ship.id],
                targets=targets,
                own_fire=own_fire[ship.id],
                never=never,
            )
        ):
            turns_by_ship[ship.id] = turns
        elif sum(feared[ship.id]) > boxes_left and own_fire[ship.id] < boxes_left * LAST_SHARE:
            turns_by_ship[ship.id] = 1
    return turns_by_ship


def _hide_together(
    ways: Mapping[ShipId, str], feared: dict[ShipId, list[float]], own_fire: dict[ShipId, float]
) -> list[ShipId]:
    """Return the ships that hide together, those that give up least first.

    The fire that the foe loses must outweigh their own. Ships that can vanish completely all do it,
    or none does.

    Args:
        feared: The fire of each foe at each ship.
        own_fire: The fire of each ship if it does not hide.
    """
    order = sorted(ways, key=lambda name: (own_fire[name] / (sum(feared[name]) + MIN_FIRE), name))
    leaks = {name: UNDER_DEVICE if kind == DEVICE else 0.0 for name, kind in ways.items()}
    best, together = MIN_FIRE, 0
    for number in range(1, len(order) + 1):
        under = order[:number]
        through = [
            [fire * leaks[name] for fire in fires] if name in under else fires
            for name, fires in feared.items()
        ]
        spared = sum(map(max, zip(*feared.values(), strict=True))) - sum(
            map(max, zip(*through, strict=True))
        )
        gain = spared - sum(own_fire[name] * HIDES[ways[name]] for name in under)
        if gain > best:
            best, together = gain, number
    if DEVICE in ways.values() or together == len(order):
        return order[:together]
    return []


def _ambush(
    ship: ShipState, option: Option, targets: list[Target], own_fire: float, never: tuple[str, ...]
) -> int:
    """Return the turns to vanish for to reappear near the foe; 0 if in the fight or far away."""
    if own_fire > max_fire(ship, never) * IDLE:
        return 0
    away, target = min(
        (((target.x - option.x) ** 2 + (target.y - option.y) ** 2) ** 0.5, n)
        for n, target in enumerate(targets)
    )
    gx, gy = drift_of(targets[target].contact)
    speed = (option.gx**2 + option.gy**2) ** 0.5 + (gx * gx + gy * gy) ** 0.5 + ship.thrust
    turns = int(away / max(speed, 1.0) + 0.5)
    if 1 <= turns <= LONGEST:
        return turns
    return 0


def _fire_at(
    state: BattleState, ship: ShipState, option: Option, targets: list[Target]
) -> list[float]:
    """Return the fire each foe could direct at a ship at the end of a move."""
    defence, stretch = defence_of(state, ship)
    shell = armour_share(ship)
    slope = compass_of(ship.sheet.edition).slope
    result: list[float] = []
    for target in targets:
        result.append(
            fire_worth(
                target.fire_at(defence, shell),
                dx=option.x - target.x,
                dy=option.y - target.y,
                facing=(target.ux, target.uy),
                slope=slope,
                stretch=stretch,
            )
        )
    return result
