"""A captain's fire: which ship fires first and at whom, so that fire is focused but not wasted.

Each edition says what each weapon may fire at and how much that is worth; this module distributes
the fire. It orders only what a ship's FireCons can direct.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import Foe
from engine.continuum.fire_control import FireControl, fire_mode_of
from engine.core.orders import Fire, FireOrders
from engine.core.ship import ShipState
from engine.weapons.weapon import Trait

SPREADS = Trait.SPREADS
MAX_TARGETS = 6  # targets named for a weapon, most wanted first
# Weight of a foe that the side cannot hurt, and the addition for one it kills this turn.
URGENCY = (0.5, 1.5)
# Share of its boxes that a foe is assumed to keep although it should be destroyed by now.
MIN_REMAINING = 0.25
OVERKILL = 1.25  # enough fire at a foe, as a multiple of its boxes left
OVERKILL_WORTH = 0.05  # worth of a point beyond what a foe can take

# The systems of a foe that EMP hits are assigned to, for the projector of this number.
Spread = Callable[[Foe, int], tuple[str, ...]]


class Aim(NamedTuple):
    """A target for weapons that are alike, and its worth.

    Attributes:
        places: The indexes of the weapons in `fits`.
        foe: The index of the target among the foes.
        worth: The expected worth of each weapon's shot in points.
        mode: The mode to fire in.
        system: The system aimed at.
        control: What else a FireCon must be set to, apart from the foe and the system.
    """

    places: tuple[int, ...]
    foe: int
    worth: float
    mode: str
    system: str = ""
    control: str = ""


Setting = tuple[int, str, str]  # of a FireCon: a foe, a system, a control
Plan = tuple[ShipState, list[Aim]]


def fire_orders(
    plans: list[Plan],
    foes: list[Foe],
    doctrine: Doctrine,
    other_fire: Callable[[ShipState, list[Aim]], tuple[tuple[Fire, ...], bool]] | None = None,
    spread: Spread | None = None,
) -> FireOrders:
    """Return the fire of a side, the heaviest first.

    A foe's value grows with its weight and with the chance that the side kills it this turn; no
    more fire is planned at it than it can take. The lists of targets let later ships switch once a
    foe is dead.

    Args:
        plans: What each ship's weapons may fire at.
        other_fire: Returns a ship's other fire, and whether that is all it may fire.
        spread: Returns the systems that EMP hits are assigned to.
    """
    if doctrine.style == "straight":
        return [(ship.id, _at_nearest(ship, aims, foes, spread)) for ship, aims in plans if aims]
    plans = [plan for plan in plans if plan[1] or other_fire is not None]
    if not plans:
        return []
    total = [0.0] * len(foes)
    for _, aims in plans:
        for places, foe, worth, _, _, _ in aims:
            total[foe] += worth * len(places)
    weights = [
        foe.weight * (URGENCY[0] + URGENCY[1] * min(total[place] / max(foe.boxes_left, 1), 1.0))
        for place, foe in enumerate(foes)
    ]
    points_planned = [0.0] * len(foes)
    orders: FireOrders = []
    for ship, aims in sorted(plans, key=_heaviest):
        if doctrine.targets == "nearest":
            likes = _nearness(ship, foes)
        else:
            likes = weights
        fires, alone = other_fire(ship, aims) if other_fire is not None else ((), False)
        if not alone and aims:
            guns = salvo(ship, aims, foes, likes, points_planned=points_planned, spread=spread)
            if fires:
                fires = within_fire_control(ship, fires + guns)
            else:
                fires = guns
        if fires:
            orders.append((ship.id, fires))
    return orders


def _heaviest(plan: Plan) -> float:
    most: dict[int, float] = {}
    for places, foe, worth, _, _, _ in plan[1]:
        most[foe] = most.get(foe, 0.0) + worth * len(places)
    return -max(most.values(), default=0.0)


def _nearness(ship: ShipState, foes: list[Foe]) -> list[float]:
    nearness: list[float] = []
    for foe in foes:
        nearness.append(10.0 / (1.0 + ((foe.x - ship.x) ** 2 + (foe.y - ship.y) ** 2) ** 0.5))
    return nearness


def salvo(
    ship: ShipState,
    aims: list[Aim],
    foes: list[Foe],
    likes: Sequence[float],
    points_planned: list[float],
    spread: Spread | None,
) -> tuple[Fire, ...]:
    """Return a ship's fire, with each FireCon set to where idle weapons are worth most.

    Weapons beyond what a foe can take fire at the next one if a FireCon is free. After its target a
    weapon names others it bears on, in case the first is destroyed earlier; one aimed at a system
    names no others.

    Args:
        points_planned: The points expected from the side's fire at each foe so far; this ship's are
            added.
    """
    ways, totals = _aims_by_setting(aims)
    fits = ship.sheet.fits
    if len(ways) == 1 and spread is None:
        setting, points = totals.popitem()
        points_planned[setting[0]] += points
        targets = (foes[setting[0]].contact.id,)
        result: list[Fire] = []
        for aim in aims:
            for place in aim.places:
                result.append(fire_at(fits[place].id, targets, setting[1], aim.mode))
        return tuple(result)
    assigned: dict[int, Aim] = {}
    settings: list[Setting] = []
    firecons = max(ship.firecons, 1)
    for number in range(1, firecons + 1):
        chosen = _best_setting(totals, foes, likes, points_planned)
        if chosen is None:
            break
        del totals[chosen]
        settings.append(chosen)
        foe = chosen[0]
        is_last = number == firecons or not totals
        if is_last:
            limit = 1e9
        else:
            limit = _remaining_points(foes[foe], points_planned[foe]) * OVERKILL
        points_planned[foe] += _assign(ways[chosen], assigned, limit)
        if number < firecons:
            for setting in totals:
                totals[setting] = _idle(ways[setting], assigned)
    # Weapons that were held back for another foe, but there was none.
    for setting in settings:
        _assign(ways[setting], assigned, 1e9)
    targets_chosen = [setting[0] for setting in settings]
    free = len(settings) < firecons
    return _fires(
        ship, aims, foes, likes, assigned=assigned, chosen=targets_chosen, spread=spread, free=free
    )


def _aims_by_setting(aims: list[Aim]) -> tuple[dict[Setting, list[Aim]], dict[Setting, float]]:
    """Return the aims for each setting of a FireCon, and their total worth."""
    ways: dict[Setting, list[Aim]] = {}
    totals: dict[Setting, float] = {}
    for aim in aims:
        places, foe, worth, _, system, control = aim
        setting = (foe, system, control)
        if setting in ways:
            ways[setting].append(aim)
            totals[setting] += worth * len(places)
        else:
            ways[setting] = [aim]
            totals[setting] = worth * len(places)
    return ways, totals


def _best_setting(
    totals: dict[Setting, float],
    foes: list[Foe],
    likes: Sequence[float],
    points_planned: list[float],
) -> Setting | None:
    """Return the setting of a FireCon that is worth most, or None if none is worth anything."""
    best, chosen = 0.0, None
    for setting, points in totals.items():
        foe = setting[0]
        value = _worth(points, foes[foe], points_planned[foe]) * likes[foe]
        if value > best:
            best, chosen = value, setting
    return chosen


def _assign(aims: list[Aim], assigned: dict[int, Aim], limit: float) -> float:
    """Assign idle weapons to their aims until their points reach a limit; return the points."""
    points = 0.0
    for aim in aims:
        for place in aim.places:
            if place not in assigned and points < limit:
                assigned[place] = aim
                points += aim.worth
    return points


def _idle(aims: list[Aim], assigned: dict[int, Aim]) -> float:
    """Return the worth of weapons that are not assigned yet."""
    worth = 0.0
    for places, _, worth_each, _, _, _ in aims:
        for place in places:
            if place not in assigned:
                worth += worth_each
    return worth


@lru_cache(maxsize=16384)
def fire_at(
    weapon: str,
    targets: tuple[str, ...],
    system: str = "",
    mode: str = "",
    spread: tuple[str, ...] = (),
) -> Fire:
    """Return a weapon's fire, cached because the same fire recurs often."""
    return Fire(weapon, targets, system, mode, spread=spread)


def _remaining_points(foe: Foe, points_planned: float) -> float:
    """Return the points a foe is assumed to have left when a ship fires at it."""
    boxes = foe.boxes_left
    remaining = boxes - points_planned
    remaining = max(remaining, boxes * MIN_REMAINING)
    if remaining > 1.0:
        return remaining
    return 1.0


def _worth(points: float, foe: Foe, points_planned: float) -> float:
    """Return the worth of points at a foe; those beyond what it can take count little."""
    remaining = _remaining_points(foe, points_planned)
    if points <= remaining:
        return points
    return remaining + (points - remaining) * OVERKILL_WORTH


def _fires(
    ship: ShipState,
    aims: list[Aim],
    foes: list[Foe],
    likes: Sequence[float],
    assigned: dict[int, Aim],
    chosen: list[int],
    spread: Spread | None,
    *,
    free: bool,
) -> tuple[Fire, ...]:
    """Return the fire of assigned weapons, then that of weapons without an assigned target.

    The latter need a free FireCon, unless they need none.
    """
    gain: dict[int, float] = {}
    by_weapons: dict[tuple[int, ...], dict[int, Aim]] = {}
    for aim in aims:
        places, foe, worth, _, _, _ = aim
        gain[foe] = gain.get(foe, 0.0) + worth * len(places) * likes[foe]
        if places in by_weapons:
            by_weapons[places].setdefault(foe, aim)
        else:
            by_weapons[places] = {foe: aim}
    other_foes = sorted(
        (foe for foe in gain if foe not in chosen), key=lambda foe: (-gain[foe], foe)
    )
    ranked = [*dict.fromkeys(chosen), *other_foes][:MAX_TARGETS]
    fires: list[Fire] = []
    idle: list[Fire] = []
    fits = ship.sheet.fits
    profile = ship.profile
    for places, aim_by_foe in by_weapons.items():
        # All targets of these weapons, by the first target and the mode.
        after: dict[tuple[int, str], tuple[str, ...]] = {}
        for place in places:
            first = assigned.get(place)
            sure = first is not None
            if first is None and (free or not profile.weapons[place].controlled):
                first = next((aim_by_foe[foe] for foe in other_foes if foe in aim_by_foe), None)
            if first is None:
                continue
            _, target, _, mode, system, _ = first
            systems = (
                spread(foes[target], len(fires))
                if spread and SPREADS in profile.weapons[place].traits
                else ()
            )
            if system or systems:
                targets: tuple[str, ...] = (foes[target].contact.id,)
            else:
                if (target, mode) not in after:
                    others_too = [
                        foe
                        for foe in ranked
                        if foe in aim_by_foe and foe != target and aim_by_foe[foe].mode == mode
                    ]
                    after[target, mode] = tuple(
                        [foes[foe].contact.id for foe in (target, *others_too)]
                    )
                targets = after[target, mode]
            (fires if sure else idle).append(
                fire_at(fits[place].id, targets, system, mode, spread=systems)
            )
    return (*fires, *idle)


def _at_nearest(
    ship: ShipState, aims: list[Aim], foes: list[Foe], spread: Spread | None
) -> tuple[Fire, ...]:
    """Return the fire of a "straight" captain: everything at the nearest foe in arc."""
    near = _nearness(ship, foes)
    foe = max(sorted({aim.foe for aim in aims}), key=lambda place: near[place])
    return salvo(
        ship,
        aims=[aim for aim in aims if aim.foe == foe],
        foes=foes,
        likes=near,
        points_planned=[0.0] * len(foes),
        spread=spread,
    )


def within_fire_control(ship: ShipState, fires: tuple[Fire, ...]) -> tuple[Fire, ...]:
    """Return a ship's fire as far as its FireCons can direct it, in order.

    Fire without a FireCon for its first target goes to another of its targets that has one, or is
    left out.
    """
    control = FireControl()
    directed_fires: list[Fire] = []
    for fire in fires:
        index = ship.profile.index_of[fire.weapon]
        weapon = ship.profile.weapons[index]
        if not fire.targets or not (weapon.controlled or weapon.along):
            directed_fires.append(fire)
            continue
        if fire_mode_of(ship, index, fire.mode) in weapon.snipes:
            system = fire.system
        else:
            system = ""
        free = ship.firecons - control.set_firecons()
        first = next((name for name in fire.targets if control.needs(name, system) <= free), None)
        if first is None:
            continue
        control.set_to(first, system)
        rest = tuple(name for name in fire.targets if name != first)
        directed_fires.append(
            fire if first == fire.targets[0] else replace(fire, targets=(first, *rest))
        )
    return tuple(directed_fires)
