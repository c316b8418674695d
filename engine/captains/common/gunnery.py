"""A captain's fire: which ship fires first and at whom, so that fire is focused but not wasted.

Each edition says what each weapon may fire at and how much that is worth; this module distributes
the fire. It orders only what a ship's FireCons can direct.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import Foe
from engine.continuum.fire_control import FireControl, fire_mode_of
from engine.core.geometry import length_of
from engine.core.orders import Fire, FireOrders
from engine.core.ship import ShipState
from engine.core.terms import Terms
from engine.core.versions import FIRE_SPREAD
from engine.weapons.weapon import Trait

SPREADS = Trait.SPREADS
MAX_TARGETS = 6  # targets named for a weapon, most wanted first
# Weight of a foe that the side cannot hurt, and the addition for one it kills this turn.
URGENCY = (0.5, 1.5)
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


class Policy(NamedTuple):
    """How a side distributes its fire.

    Attributes:
        least_left: Share of its boxes that a foe is assumed to keep although it should be destroyed
            by now.
        enough: Enough fire at a foe, as a multiple of the boxes that it has left.
        spreads: No weapon fires beyond what is enough while another foe needs it, and ships choose
            again when all have chosen.
    """

    least_left: float
    enough: float
    spreads: bool


PILING = Policy(least_left=0.25, enough=1.25, spreads=False)  # by the rules of 1.0
SPREADING = Policy(least_left=0.05, enough=1.0, spreads=True)


def policy_of(terms: Terms) -> Policy:
    """Return how captains distribute fire by the version of the rules."""
    return SPREADING if terms.follows(FIRE_SPREAD) else PILING


Setting = tuple[int, str, str]  # of a FireCon: a foe, a system, a control
Plan = tuple[ShipState, list[Aim]]
NO_OTHER_FIRE: tuple[tuple[Fire, ...], bool] = ((), False)


def fire_orders(
    plans: list[Plan],
    foes: list[Foe],
    doctrine: Doctrine,
    other_fire: Callable[[ShipState, list[Aim]], tuple[tuple[Fire, ...], bool]] | None = None,
    spread: Spread | None = None,
    *,
    policy: Policy,
) -> FireOrders:
    """Return the fire of a side, the heaviest first.

    A foe's value grows with its weight and with the chance that the side kills it this turn; no
    more fire is planned at it than it can take. The lists of targets let later ships switch once a
    foe is dead.

    Args:
        plans: What each ship's weapons may fire at.
        other_fire: Returns a ship's other fire, and whether that is all it may fire.
        spread: Returns the systems that EMP hits are assigned to.
        policy: Which fire is enough, and whether ships choose again.
    """
    if doctrine.style == "straight":
        return [(ship.id, _at_nearest(ship, aims, foes, spread)) for ship, aims in plans if aims]
    plans = [plan for plan in plans if plan[1] or other_fire is not None]
    weights = _weights_with_urgency(plans, foes)
    by_nearness = doctrine.targets == "nearest"
    points_planned = [0.0] * len(foes)
    salvos: list[_Salvo] = []
    for ship, aims in sorted(plans, key=_heaviest):
        fires, is_all = other_fire(ship, aims) if other_fire is not None else NO_OTHER_FIRE
        foe_weights = _nearness(ship, foes) if by_nearness else weights
        plan = _Salvo(ship, [] if is_all else aims, foe_weights, fires)
        if plan.aims:
            plan.plan(foes, points_planned, spread, policy)
        salvos.append(plan)
    for plan in reversed(salvos):
        if policy.spreads and plan.wastes_fire(foes, points_planned):
            plan.plan(foes, points_planned, spread, policy)
    orders: FireOrders = []
    for plan in salvos:
        fires = plan.all_fires()
        if fires:
            orders.append((plan.ship.id, fires))
    return orders


@dataclass(slots=True)
class _Salvo:
    """The fire of one ship, which can be planned again once that of the others is known.

    Attributes:
        aims: What its guns may be aimed at; empty if they may not fire.
        other_fires: Its fire apart from that of its guns.
        points: The points expected from its guns at each foe, as they are planned now.
    """

    ship: ShipState
    aims: list[Aim]
    foe_weights: Sequence[float]
    other_fires: tuple[Fire, ...]
    guns: tuple[Fire, ...] = ()
    points: list[float] = field(default_factory=list)

    def plan(
        self,
        foes: list[Foe],
        points_planned: list[float],
        spread: Spread | None,
        policy: Policy,
    ) -> None:
        """Plan the fire of its guns, in place of what was planned for them before."""
        for foe, points in enumerate(self.points):
            points_planned[foe] -= points
        before = list(points_planned)
        self.guns = salvo(
            self.ship,
            self.aims,
            foes,
            foe_weights=self.foe_weights,
            points_planned=points_planned,
            spread=spread,
            policy=policy,
        )
        self.points = [new - old for new, old in zip(points_planned, before, strict=True)]

    def wastes_fire(self, foes: list[Foe], points_planned: list[float]) -> bool:
        """Return whether it fires at a foe that dies without it, but could fire at another."""
        if len({aim.foe for aim in self.aims}) < 2:
            return False
        for points, planned, foe in zip(self.points, points_planned, foes, strict=False):
            if points and planned > foe.boxes_left:
                return True
        return False

    def all_fires(self) -> tuple[Fire, ...]:
        """Return all its fire, as far as its FireCons can direct it."""
        if self.other_fires and self.aims:
            return within_fire_control(self.ship, self.other_fires + self.guns)
        return self.other_fires or self.guns


def _weights_with_urgency(plans: list[Plan], foes: list[Foe]) -> list[float]:
    """Return each foe's weight, raised by the chance that the side kills it this turn."""
    total = [0.0] * len(foes)
    for _, aims in plans:
        for places, foe, worth, _, _, _ in aims:
            total[foe] += worth * len(places)
    weights = []
    for points, target in zip(total, foes, strict=True):
        share = min(points / max(target.boxes_left, 1), 1.0)
        weights.append(target.weight * (URGENCY[0] + URGENCY[1] * share))
    return weights


def _heaviest(plan: Plan) -> float:
    """Return a sort key that puts the ship first that can do most to a single foe."""
    points_by_foe: dict[int, float] = {}
    for places, foe, worth, _, _, _ in plan[1]:
        points_by_foe[foe] = points_by_foe.get(foe, 0.0) + worth * len(places)
    return -max(points_by_foe.values(), default=0.0)


def _nearness(ship: ShipState, foes: list[Foe]) -> list[float]:
    """Return weights for foes that are higher the nearer a foe is to the ship."""
    nearness: list[float] = []
    for foe in foes:
        distance = length_of(foe.x - ship.x, foe.y - ship.y)
        nearness.append(10.0 / (1.0 + distance))
    return nearness


def salvo(
    ship: ShipState,
    aims: list[Aim],
    foes: list[Foe],
    foe_weights: Sequence[float],
    points_planned: list[float],
    spread: Spread | None,
    policy: Policy = PILING,
) -> tuple[Fire, ...]:
    """Return a ship's fire, with each FireCon set to where idle weapons are worth most.

    Weapons beyond what a foe can take fire at the next best of the engaged foes. After its target a
    weapon names others it bears on, in case the first is destroyed earlier; one aimed at a system
    names no others.

    Args:
        points_planned: The points expected from the side's fire at each foe so far; this ship's are
            added.
    """
    aims_by_setting, idle_points = _aims_by_setting(aims)
    if len(aims_by_setting) == 1 and spread is None:
        setting, points = idle_points.popitem()
        points_planned[setting[0]] += points
        return _all_at_one(ship, aims, foes[setting[0]], system=setting[1])
    assigned: dict[int, Aim] = {}
    settings: list[Setting] = []
    firecons = max(ship.firecons, 1)
    for number in range(1, firecons + 1):
        best_setting = _best_setting(idle_points, foes, foe_weights, points_planned, policy)
        if best_setting is None:
            break
        del idle_points[best_setting]
        settings.append(best_setting)
        foe = best_setting[0]
        limit = 1e9
        if policy.spreads or (number < firecons and idle_points):
            limit = _remaining_points(foes[foe], points_planned[foe], policy) * policy.enough
        points_planned[foe] += _assign(aims_by_setting[best_setting], assigned, limit)
        if number < firecons:
            for setting in idle_points:
                idle_points[setting] = _idle_worth(aims_by_setting[setting], assigned)
    engaged_aims = [aim for setting in settings for aim in aims_by_setting[setting]]
    if policy.spreads:
        _assign_rest(engaged_aims, assigned, foes, foe_weights, points_planned)
    else:  # weapons that were held back for another foe, but there was none
        _assign(engaged_aims, assigned, 1e9)
    return _fires(
        ship,
        aims,
        foes,
        foe_weights,
        assigned=assigned,
        engaged_foes=[setting[0] for setting in settings],
        spread=spread,
        has_free_firecon=len(settings) < firecons,
    )


def _all_at_one(ship: ShipState, aims: list[Aim], foe: Foe, system: str) -> tuple[Fire, ...]:
    """Return the fire of all weapons at the only foe they can be aimed at."""
    fits = ship.sheet.fits
    targets = (foe.contact.id,)
    result: list[Fire] = []
    for aim in aims:
        for place in aim.places:
            result.append(fire_at(fits[place].id, targets, system, aim.mode))
    return tuple(result)


def _aims_by_setting(aims: list[Aim]) -> tuple[dict[Setting, list[Aim]], dict[Setting, float]]:
    """Return the aims for each setting of a FireCon, and their total worth."""
    aims_by_setting: dict[Setting, list[Aim]] = {}
    totals: dict[Setting, float] = {}
    for aim in aims:
        places, foe, worth, _, system, control = aim
        setting = (foe, system, control)
        if setting in aims_by_setting:
            aims_by_setting[setting].append(aim)
            totals[setting] += worth * len(places)
        else:
            aims_by_setting[setting] = [aim]
            totals[setting] = worth * len(places)
    return aims_by_setting, totals


def _best_setting(
    idle_points: dict[Setting, float],
    foes: list[Foe],
    foe_weights: Sequence[float],
    points_planned: list[float],
    policy: Policy,
) -> Setting | None:
    """Return the setting of a FireCon that is worth most, or None if none is worth anything.

    Args:
        idle_points: What the idle weapons would do by each setting.
    """
    best_worth = 0.0
    best_setting = None
    for setting, points in idle_points.items():
        foe = setting[0]
        worth = _worth(points, foes[foe], points_planned[foe], policy) * foe_weights[foe]
        if worth > best_worth:
            best_worth = worth
            best_setting = setting
    return best_setting


def _idle_worth(aims: list[Aim], assigned: dict[int, Aim]) -> float:
    """Return the worth of weapons that are not assigned yet."""
    worth = 0.0
    for places, _, worth_each, _, _, _ in aims:
        for place in places:
            if place not in assigned:
                worth += worth_each
    return worth


def _assign(aims: list[Aim], assigned: dict[int, Aim], limit: float) -> float:
    """Assign idle weapons to their aims until their points reach a limit; return the points."""
    points = 0.0
    for aim in aims:
        for place in aim.places:
            if place not in assigned and points < limit:
                assigned[place] = aim
                points += aim.worth
    return points


def _assign_rest(
    aims: list[Aim],
    assigned: dict[int, Aim],
    foes: list[Foe],
    foe_weights: Sequence[float],
    points_planned: list[float],
) -> None:
    """Assign each idle weapon to the engaged foe at which it is still worth most.

    Args:
        aims: The aims at what the ship's FireCons are set to.
        points_planned: As of `salvo`; the points of these weapons are added.
    """
    aims_by_place: dict[int, list[Aim]] = {}
    for aim in aims:
        for place in aim.places:
            if place not in assigned:
                aims_by_place.setdefault(place, []).append(aim)
    for place, possible in aims_by_place.items():
        best_aim = possible[0]
        best_worth = -1.0
        for aim in possible:
            foe = aim.foe
            worth = aim.worth * foe_weights[foe]
            if points_planned[foe] >= foes[foe].boxes_left:
                worth *= OVERKILL_WORTH
            if worth > best_worth:
                best_aim = aim
                best_worth = worth
        assigned[place] = best_aim
        points_planned[best_aim.foe] += best_aim.worth


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


def _remaining_points(foe: Foe, points_planned: float, policy: Policy) -> float:
    """Return the points a foe is assumed to have left when a ship fires at it."""
    boxes = foe.boxes_left
    remaining = boxes - points_planned
    remaining = max(remaining, boxes * policy.least_left)
    if remaining > 1.0:
        return remaining
    return 1.0


def _worth(points: float, foe: Foe, points_planned: float, policy: Policy) -> float:
    """Return the worth of points at a foe; those beyond what it can take count little."""
    remaining = _remaining_points(foe, points_planned, policy)
    if points <= remaining:
        return points
    return remaining + (points - remaining) * OVERKILL_WORTH


def _fires(
    ship: ShipState,
    aims: list[Aim],
    foes: list[Foe],
    foe_weights: Sequence[float],
    assigned: dict[int, Aim],
    engaged_foes: list[int],
    spread: Spread | None,
    *,
    has_free_firecon: bool,
) -> tuple[Fire, ...]:
    """Return the fire of assigned weapons, then that of weapons without an assigned target.

    The latter need a free FireCon, unless they need none.
    """
    gain, aims_by_weapons = _aims_by_weapons(aims, foe_weights)
    other_foes = [foe for foe in gain if foe not in engaged_foes]
    other_foes.sort(key=lambda foe: (-gain[foe], foe))
    ranked = [*dict.fromkeys(engaged_foes), *other_foes][:MAX_TARGETS]
    fires: list[Fire] = []
    idle_fires: list[Fire] = []
    fits = ship.sheet.fits
    profile = ship.profile
    for places, aim_by_foe in aims_by_weapons.items():
        # All targets of these weapons, by the first target and the mode.
        target_lists: dict[tuple[int, str], tuple[str, ...]] = {}
        for place in places:
            aim = assigned.get(place)
            is_assigned = aim is not None
            if aim is None and (has_free_firecon or not profile.weapons[place].controlled):
                aim = next((aim_by_foe[foe] for foe in other_foes if foe in aim_by_foe), None)
            if aim is None:
                continue
            _, target, _, mode, system, _ = aim
            systems: tuple[str, ...] = ()
            if spread and SPREADS in profile.weapons[place].traits:
                systems = spread(foes[target], len(fires))
            if system or systems:
                targets: tuple[str, ...] = (foes[target].contact.id,)
            else:
                if (target, mode) not in target_lists:
                    target_lists[target, mode] = _target_list(
                        foes, aim_by_foe, ranked, first=target, mode=mode
                    )
                targets = target_lists[target, mode]
            fire = fire_at(fits[place].id, targets, system, mode, spread=systems)
            (fires if is_assigned else idle_fires).append(fire)
    return (*fires, *idle_fires)


def _aims_by_weapons(
    aims: list[Aim], foe_weights: Sequence[float]
) -> tuple[dict[int, float], dict[tuple[int, ...], dict[int, Aim]]]:
    """Return what all weapons gain at each foe, and the first aim of each weapon at each foe."""
    gain: dict[int, float] = {}
    aims_by_weapons: dict[tuple[int, ...], dict[int, Aim]] = {}
    for aim in aims:
        places, foe, worth, _, _, _ = aim
        gain[foe] = gain.get(foe, 0.0) + worth * len(places) * foe_weights[foe]
        if places in aims_by_weapons:
            aims_by_weapons[places].setdefault(foe, aim)
        else:
            aims_by_weapons[places] = {foe: aim}
    return gain, aims_by_weapons


def _target_list(
    foes: list[Foe], aim_by_foe: dict[int, Aim], ranked: list[int], *, first: int, mode: str
) -> tuple[str, ...]:
    """Return the first target and, best first, the others that the same mode can fire at."""
    targets = [foes[first].contact.id]
    for foe in ranked:
        if foe != first and foe in aim_by_foe and aim_by_foe[foe].mode == mode:
            targets.append(foes[foe].contact.id)
    return tuple(targets)


def _at_nearest(
    ship: ShipState, aims: list[Aim], foes: list[Foe], spread: Spread | None
) -> tuple[Fire, ...]:
    """Return the fire of a "straight" captain: everything at the nearest foe in arc."""
    nearness = _nearness(ship, foes)
    nearest_foe = max(sorted({aim.foe for aim in aims}), key=lambda place: nearness[place])
    return salvo(
        ship,
        aims=[aim for aim in aims if aim.foe == nearest_foe],
        foes=foes,
        foe_weights=nearness,
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
