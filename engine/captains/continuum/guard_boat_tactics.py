"""Where a captain's boats on guard fly, and what they meet: what his ships leave of what comes at
them, and what comes near themselves.

Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat", "Scatterpack gunboat" 9.2
[pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import dist

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.expected_damage import THROWS, EvenDice
from engine.captains.common.fighter_tactics import ROUNDING_MARGIN
from engine.continuum.craft.guard_boats import Boat, BoatPlan, guard_fault, modifier_at
from engine.continuum.defences import protection_of
from engine.continuum.legs import leg_of
from engine.core.geometry import Point
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

LEAST = 0.5  # of what comes that has to be left for boats to fire at it
PACKED = 3.0  # of it that a scatterpack is worth
TURNS_KEPT = 3  # turns of endurance that are kept for what attacks a ship

Coming = tuple[
    IncomingUnit, bool, float
]  # what comes, whether it attacks a ship, and how much of it nobody is likely to take


def mean_hits(
    guns: Armament,
    target_kind: PointDefenceTarget,
    modifier: int,
    away: float = 0.0,
    screens: int = 0,
) -> float:
    """What one shot of what craft carry takes of what point defence meets, so many MU away, in the
    mean.

    `screens`: levels of area screens that cover it.
    """
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        _, hits = interception_dice(guns, 1, target_kind, modifier, away, "", dice, "", screens)
        total += hits
    return total / THROWS


def expected_taken(
    state: BattleState, boats: Sequence[Boat], prey: IncomingUnit, away: float
) -> float:
    """What boats take of what they meet, in the mean."""
    target_kind = point_defence_target(state, prey)
    screens = protection_of(state, prey).screens
    total = 0.0
    for boat in boats:
        modifier = modifier_at(boat.armament, prey, target_kind)
        mean = mean_hits(boat.armament, target_kind, modifier, float(round(away)), screens)
        total += boat.shots * mean
    return total


def guard_flight(
    context: CaptainContext, view: SideView, group: Group, far: float, boats_sent: dict[str, float]
) -> Flight | None:
    """Where boats on guard fly that can go so far: within reach of the ships that are worth most
    together where these end their moves, those less that others guard already (`sent`, by ship, in
    boats, which is told of these).

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    ships = [ship for ship in view.own_ships if ship.status == FIGHTING and not ship.record.veiled]
    ends = {ship.id: leg_of(ship, context.plotted.get(ship.id, HOLD)).path[-1] for ship in ships}
    worth = {
        ship.id: ship.sheet.points / (1.0 + boats_sent.get(ship.id, 0.0) / GROUP) for ship in ships
    }

    def near(at: Point) -> list[ShipId]:
        return [
            name for name, end in ends.items() if dist(at, end) <= SUPPORT_REACH - ROUNDING_MARGIN
        ]

    places = [
        *ends.values(),
        *(
            _middle(first_end, second_end)
            for first_end, second_end in combinations(ends.values(), 2)
        ),
    ]
    here = (group.x, group.y)
    able = [
        (round(x, 2), round(y, 2)) for x, y in places if dist(here, (x, y)) <= far - ROUNDING_MARGIN
    ]
    best = max(
        able, key=lambda at: (sum(worth[name] for name in near(at)), -dist(here, at)), default=None
    )
    if best is None:
        return None
    boats_sent |= {name: boats_sent.get(name, 0.0) + group.craft for name in near(best)}
    width, height = view.table
    return Flight(to=best) if 0.0 <= best[0] <= width and 0.0 <= best[1] <= height else None


def _middle(first: Point, second: Point) -> Point:
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def guard_orders(
    state: BattleState, view: SideView, coming: Sequence[Coming]
) -> dict[str, tuple[Defence, ...]]:
    """The orders of a side's boats on guard, by squadron: as many at each thing as are likely to
    take what is left.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    uncovered = {prey.id: size for prey, _, size in coming}
    orders: dict[str, tuple[Defence, ...]] = {}
    for own_group in view.own_pieces_of(Group):
        group = state.find(Group, own_group.id)
        if group is None or guard_fault(state, group):
            continue
        plan = BoatPlan(state, group)
        group_orders: list[Defence] = []
        for prey, attacks, _ in sorted(
            coming, key=lambda threat: (not threat[1], -uncovered[threat[0].id])
        ):
            if not attacks and not group.has_endurance_for(TURNS_KEPT):
                continue
            order, expected = _order(
                state, plan, prey, attacks=attacks, remaining=uncovered[prey.id]
            )
            if order is not None and not plan.take(order):
                group_orders.append(order)
                uncovered[prey.id] -= expected
        if group_orders:
            orders[group.id] = tuple(group_orders)
    return orders


def _order(
    state: BattleState, plan: BoatPlan, prey: IncomingUnit, *, attacks: bool, remaining: float
) -> tuple[Defence | None, float]:
    """As many boats at a target as are likely to take what is left of it, and what they take; None
    where it is not worth their fire. Packs are kept for much of what attacks a ship.
    """
    able = plan.boats_able_to_fire(prey.id)
    if isinstance(able, str) or remaining < LEAST:
        return None, 0.0
    aim, boats = able
    firing: list[Boat] = []
    expected = 0.0
    for boat in boats:
        if expected >= remaining or (
            boat.armament.rounds and not (attacks and remaining - expected >= PACKED)
        ):
            break
        firing.append(boat)
        expected += expected_taken(state, (boat,), prey, aim.distance)
    if expected <= 0.0:
        return None, 0.0
    return Defence(
        BOATS, (prey.id,), count=0 if len(firing) == len(boats) else len(firing)
    ), expected
