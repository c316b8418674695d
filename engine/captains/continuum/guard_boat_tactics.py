"""Where a captain's guarding gunboats fly, and what they fire at.

They take on what the ships' point defence leaves, and what comes near themselves.

Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat", "Scatterpack gunboat" 9.2
[pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.expected_damage import THROWS, EvenDice
from engine.captains.common.fighter_tactics import ROUNDING_MARGIN
from engine.continuum.craft.guard_boats import Boat, BoatPlan, guard_fault, modifier_at
from engine.continuum.defences import guard_cover
from engine.continuum.legs import leg_of
from engine.core.geometry import Point, dist
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Defence, Flight
from engine.core.state import BattleState
from engine.craft.craft_type import GROUP, Armament
from engine.craft.fire import interception_dice
from engine.craft.gunboats import BOATS
from engine.pieces.group import Group
from engine.pieces.point_defence_targets import IncomingUnit, point_defence_target
from engine.view.side_view import SideView
from engine.weapons.guard import SUPPORT_REACH, PointDefenceTarget

LEAST = 0.5  # targets that must be left over for boats to fire
PACKED = 3.0  # targets left over that are worth a scatterpack
TURNS_KEPT = 3  # turns of endurance kept for what attacks ships


def mean_hits(
    guns: Armament,
    target_kind: PointDefenceTarget,
    modifier: int,
    away: float = 0.0,
    screens: int = 0,
) -> float:
    """Return the mean hits of one shot of craft at a target of point defence.

    Args:
        away: The distance in MU.
        screens: Levels of area screens that cover the target.
    """
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        _, hits = interception_dice(
            guns,
            shots=1,
            target_kind=target_kind,
            modifier=modifier,
            away=away,
            subject="",
            dice=dice,
            purpose="",
            screens=screens,
        )
        total += hits
    return total / THROWS


def expected_taken(
    state: BattleState, boats: Sequence[Boat], prey: IncomingUnit, away: float
) -> float:
    """Return the mean hits of boats at a target."""
    target_kind = point_defence_target(state, prey)
    screens = guard_cover(state, prey).screens
    total = 0.0
    for boat in boats:
        modifier = modifier_at(boat.armament, prey, target_kind)
        mean = mean_hits(
            boat.armament, target_kind, modifier, away=float(round(away)), screens=screens
        )
        total += boat.shots * mean
    return total


def guard_flight(
    context: CaptainContext, view: SideView, group: Group, far: float, boats_sent: dict[str, float]
) -> Flight | None:
    """Return where guarding boats fly: near where the most valuable ships end their moves.

    Ships that others already guard count less.

    Args:
        far: The MU that the boats can fly.
        boats_sent: Boats that guard each ship, by id; these are added.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    ends: dict[ShipId, Point] = {}
    worths: dict[ShipId, float] = {}
    for ship in view.own_ships:
        if ship.status == FIGHTING and not ship.record.concealed:
            ends[ship.id] = leg_of(ship, context.plotted.get(ship.id, HOLD)).path[-1]
            worths[ship.id] = ship.sheet.points / (1.0 + boats_sent.get(ship.id, 0.0) / GROUP)

    here = (group.x, group.y)
    in_reach = []
    for x, y in _ends_and_middles(list(ends.values())):
        if dist(here, (x, y)) <= far - ROUNDING_MARGIN:
            in_reach.append((round(x, 2), round(y, 2)))

    def guarded_at(point: Point) -> list[ShipId]:
        reach = SUPPORT_REACH - ROUNDING_MARGIN
        return [name for name, end in ends.items() if dist(point, end) <= reach]

    def worth_of(point: Point) -> tuple[float, float]:
        return sum(worths[name] for name in guarded_at(point)), -dist(here, point)

    best = max(in_reach, key=worth_of, default=None)
    if best is None:
        return None
    for name in guarded_at(best):
        boats_sent[name] = boats_sent.get(name, 0.0) + group.craft
    width, height = view.table
    if 0.0 <= best[0] <= width and 0.0 <= best[1] <= height:
        return Flight(to=best)
    return None


def _ends_and_middles(ends: list[Point]) -> list[Point]:
    """Return points, and the middles between any two of them."""
    return [*ends, *(_middle(first, second) for first, second in combinations(ends, 2))]


def _middle(first: Point, second: Point) -> Point:
    """Return the point halfway between two others."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


class Threat(NamedTuple):
    """An incoming unit that point defence may fire at.

    Attributes:
        attacks: It attacks a ship.
        remaining: How much of it is likely to survive so far.
    """

    prey: IncomingUnit
    attacks: bool
    remaining: float


def guard_orders(
    state: BattleState, view: SideView, threats: Sequence[Threat]
) -> dict[str, tuple[Defence, ...]]:
    """Return the orders of a side's guarding boats, by squadron.

    As many fire at each target as are likely to destroy what is left of it.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    remaining = {threat.prey.id: threat.remaining for threat in threats}
    orders: dict[str, tuple[Defence, ...]] = {}
    for own_group in view.own_pieces_of(Group):
        group = state.find(Group, own_group.id)
        if group is None or guard_fault(state, group):
            continue
        plan = BoatPlan(state, group)
        has_spare_endurance = group.has_endurance_for(TURNS_KEPT)
        group_orders: list[Defence] = []
        most_urgent_first = sorted(
            threats, key=lambda threat: (not threat.attacks, -remaining[threat.prey.id])
        )
        for prey, attacks, _ in most_urgent_first:
            if not attacks and not has_spare_endurance:
                continue
            order, expected = _order(
                state, plan, prey, attacks=attacks, remaining=remaining[prey.id]
            )
            if order is not None and not plan.add_order(order):
                group_orders.append(order)
                remaining[prey.id] -= expected
        if group_orders:
            orders[group.id] = tuple(group_orders)
    return orders


def _order(
    state: BattleState, plan: BoatPlan, prey: IncomingUnit, *, attacks: bool, remaining: float
) -> tuple[Defence | None, float]:
    """Return an order for as many boats as a target needs, or None, and their mean hits.

    Scatterpacks are kept for large attacks on ships.
    """
    able = plan.boats_able_to_fire(prey.id)
    if isinstance(able, str) or remaining < LEAST:
        return None, 0.0
    aim, boats = able
    firing: list[Boat] = []
    expected = 0.0
    for boat in boats:
        is_large_attack = attacks and remaining - expected >= PACKED
        if expected >= remaining or (boat.armament.rounds and not is_large_attack):
            break
        firing.append(boat)
        expected += expected_taken(state, (boat,), prey, aim.distance)
    if expected <= 0.0:
        return None, 0.0
    count = len(firing) if len(firing) < len(boats) else 0  # 0 means all
    return Defence(BOATS, (prey.id,), count=count), expected
