"""A captain's fire: which ship fires first and at whom, so that fire concentrates without being
wasted.

Every edition says what each weapon may fire at and what that is worth; how it is shared out is the
same for all.

Which of a ship's fire its FireCons can direct: a captain orders nothing beyond that.

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
MAX_TARGETS = 6  # targets named for a weapon, in order of preference
URGENCY = (
    0.5,
    1.5,
)  # how much a foe counts that nobody can hurt, and how much more one that this turn's fire ends
# Of its boxes: what a foe that should be gone by now is taken to have left, for it is still there
MIN_REMAINING = 0.25
OVERKILL = 1.25  # times the boxes a foe has left: more than that need not be thrown at it
OVERKILL_WORTH = 0.05  # what a point beyond what still hurts is worth

Spread = Callable[
    [Foe, int], tuple[str, ...]
]  # the systems hits are laid on: at whom, by the projector of this number


class Aim(NamedTuple):
    """What weapons alike (their places in `fits`) may fire at: a foe (its place among them), the
    expected worth of each in points, the mode they are told, the system they are aimed at.
    `control`: what a FireCon is set to beside the foe and the system.
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
    """Fire for a side, the heaviest fire first: `plans` say what each ship's weapons may fire at.

    What a foe is worth grows with its weight and with the chance that the side kills it this turn;
    but no more is thrown at it than it stands. `more`: a ship's other fire, and whether that is
    all. The lists of targets let later ships pass on once a foe is dead.
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
        likes = _nearness(ship, foes) if doctrine.targets == "nearest" else weights
        fires, alone = other_fire(ship, aims) if other_fire is not None else ((), False)
        if not alone and aims:
            guns = salvo(ship, aims, foes, likes, points_planned, spread)
            fires = within_fire_control(ship, fires + guns) if fires else guns
        if fires:
            orders.append((ship.id, fires))
    return orders


def _heaviest(plan: Plan) -> float:
    most: dict[int, float] = {}
    for places, foe, worth, _, _, _ in plan[1]:
        most[foe] = most.get(foe, 0.0) + worth * len(places)
    return -max(most.values(), default=0.0)


def _nearness(ship: ShipState, foes: list[Foe]) -> list[float]:
    return [10.0 / (1.0 + ((foe.x - ship.x) ** 2 + (foe.y - ship.y) ** 2) ** 0.5) for foe in foes]


def salvo(
    ship: ShipState,
    aims: list[Aim],
    foes: list[Foe],
    likes: Sequence[float],
    points_planned: list[float],
    spread: Spread | None,
) -> tuple[Fire, ...]:
    """A ship's fire: its FireCons set one by one to where weapons still idle are worth most;
    `spent`: points that are expected of the side's fire at each foe so far, this ship's added.

    Weapons beyond what a foe stands go at the next one while there is a FireCon for it. Behind its
    target a weapon names others it bears on, for when that is a wreck before its turn comes; one
    aimed at a system names none.
    """
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
    fits = ship.sheet.fits
    if len(ways) == 1 and spread is None:
        setting, points = totals.popitem()
        points_planned[setting[0]] += points
        targets = (foes[setting[0]].contact.id,)
        return tuple(
            fire_at(fits[place].id, targets, setting[1], aim.mode)
            for aim in aims
            for place in aim.places
        )
    assigned: dict[int, Aim] = {}
    chosen: list[int] = []
    settings: list[Setting] = []
    open_totals = dict(totals)
    firecons = max(ship.firecons, 1)
    for number in range(1, firecons + 1):
        best, chosen_setting = 0.0, None
        for setting, points in open_totals.items():
            value = _worth(points, foes[setting[0]], points_planned[setting[0]]) * likes[setting[0]]
            if value > best:
                best, chosen_setting = value, setting
        if chosen_setting is None:
            break
        del open_totals[chosen_setting]
        foe = chosen_setting[0]
        chosen.append(foe)
        settings.append(chosen_setting)
        enough = (
            _remaining_points(foes[foe], points_planned[foe]) * OVERKILL
            if number < firecons and open_totals
            else 1e9
        )
        points = 0.0
        for aim in ways[chosen_setting]:
            for place in aim.places:
                if place not in assigned and points < enough:
                    assigned[place] = aim
                    points += aim.worth
        points_planned[foe] += points
        if number < firecons:
            for setting in open_totals:
                open_totals[setting] = _idle(ways[setting], assigned)
    for setting in settings:  # what was kept back for another foe, and for which there was none
        for aim in ways[setting]:
            for place in aim.places:
                assigned.setdefault(place, aim)
    return _fires(ship, aims, foes, likes, assigned, chosen, spread, free=len(settings) < firecons)


def _idle(aims: list[Aim], assigned: dict[int, Aim]) -> float:
    """What weapons that are not assigned yet are worth."""
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
    """A weapon's fire; the same is made once."""
    return Fire(weapon, targets, system, mode, spread=spread)


def _remaining_points(foe: Foe, points_planned: float) -> float:
    """The points a foe is taken to stand when a ship's turn comes to fire at it."""
    boxes = foe.boxes_left
    remaining = boxes - points_planned
    remaining = max(remaining, boxes * MIN_REMAINING)
    return remaining if remaining > 1.0 else 1.0


def _worth(points: float, foe: Foe, points_planned: float) -> float:
    """What so many points at a foe are worth: those beyond what it stands are spilt."""
    remaining = _remaining_points(foe, points_planned)
    return points if points <= remaining else remaining + (points - remaining) * OVERKILL_WORTH


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
    """The fire of weapons at what they are assigned to, then that of those which bear on nothing
    their ship chose, as far as a FireCon is `free` for it or they ask for none.
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
    fits, profile = ship.sheet.fits, ship.profile
    for places, aim_by_foe in by_weapons.items():
        after: dict[
            tuple[int, str], tuple[str, ...]
        ] = {}  # the targets of these weapons, by the first and the mode
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
                fire_at(fits[place].id, targets, system, mode, systems)
            )
    return (*fires, *idle)


def _at_nearest(
    ship: ShipState, aims: list[Aim], foes: list[Foe], spread: Spread | None
) -> tuple[Fire, ...]:
    """The yardstick's fire: everything at the nearest foe it bears on."""
    near = _nearness(ship, foes)
    foe = max(sorted({aim.foe for aim in aims}), key=lambda place: near[place])
    return salvo(
        ship, [aim for aim in aims if aim.foe == foe], foes, near, [0.0] * len(foes), spread
    )


def within_fire_control(ship: ShipState, fires: tuple[Fire, ...]) -> tuple[Fire, ...]:
    """A ship's fire in its order, each as long as a FireCon is free for it or set to its target;
    what would find none goes first at another of its targets to which one is set, or is left out.
    """
    control = FireControl()
    directed_fires: list[Fire] = []
    for fire in fires:
        index = ship.profile.index_of[fire.weapon]
        weapon = ship.profile.weapons[index]
        if not fire.targets or not (weapon.controlled or weapon.along):
            directed_fires.append(fire)
            continue
        system = fire.system if fire_mode_of(ship, index, fire.mode) in weapon.snipes else ""
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
