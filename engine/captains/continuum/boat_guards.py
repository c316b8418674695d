"""Where a captain's boats on guard fly, and what they meet: what his ships leave of what comes at
them, and what comes near themselves.

Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat", "Scatterpack gunboat" 9.2
[pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import dist

from engine.captains.common.doctrine import Post
from engine.captains.common.expected import THROWS, EvenDice
from engine.captains.common.flying import SHORT
from engine.continuum.craft.on_guard import Boat, BoatPlan, modifier_at, silent
from engine.continuum.defences import protection_of
from engine.continuum.legs import leg_of
from engine.core.geometry import Point
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Defence, Flight
from engine.core.state import BattleState
from engine.craft.craft_type import GROUP, Armament
from engine.craft.fire import meeting
from engine.craft.gunboats import BOATS
from engine.pieces.group import Group
from engine.pieces.quarry import Prey, quarry_of
from engine.view.side_view import SideView
from engine.weapons.guard import SUPPORT_REACH, Quarry

LEAST = 0.5  # of what comes that has to be left for boats to fire at it
PACKED = 3.0  # of it that a scatterpack is worth
KEPT = 3  # turns of endurance that are kept for what attacks a ship

Coming = tuple[
    Prey, bool, float
]  # what comes, whether it attacks a ship, and how much of it nobody is likely to take


def mean_met(
    guns: Armament, quarry: Quarry, modifier: int, away: float = 0.0, screens: int = 0
) -> float:
    """What one shot of what craft carry takes of what point defence meets, so many MU away, in the
    mean.

    `screens`: levels of area screens that cover it.
    """
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        _, taken = meeting(guns, 1, quarry, modifier, away, "", dice, "", screens)
        total += taken
    return total / THROWS


def takes(state: BattleState, boats: Sequence[Boat], prey: Prey, away: float) -> float:
    """What boats take of what they meet, in the mean."""
    quarry = quarry_of(state, prey)
    screens = protection_of(state, prey).screens
    total = 0.0
    for boat in boats:
        modifier = modifier_at(boat.armament, prey, quarry)
        mean = mean_met(boat.armament, quarry, modifier, float(round(away)), screens)
        total += boat.shots * mean
    return total


def keeps_watch(
    post: Post, view: SideView, group: Group, far: float, sent: dict[str, float]
) -> Flight | None:
    """Where boats on guard fly that can go so far: within reach of the ships that are worth most
    together where these end their moves, those less that others guard already (`sent`, by ship, in
    boats, which is told of these).

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    ships = [ship for ship in view.own if ship.status == FIGHTING and not ship.record.veiled]
    ends = {ship.id: leg_of(ship, post.plotted.get(ship.id, HOLD)).path[-1] for ship in ships}
    worth = {ship.id: ship.sheet.points / (1.0 + sent.get(ship.id, 0.0) / GROUP) for ship in ships}

    def near(at: Point) -> list[ShipId]:
        return [name for name, end in ends.items() if dist(at, end) <= SUPPORT_REACH - SHORT]

    places = [
        *ends.values(),
        *(_middle(one, other) for one, other in combinations(ends.values(), 2)),
    ]
    here = (group.x, group.y)
    able = [(round(x, 2), round(y, 2)) for x, y in places if dist(here, (x, y)) <= far - SHORT]
    best = max(
        able, key=lambda at: (sum(worth[name] for name in near(at)), -dist(here, at)), default=None
    )
    if best is None:
        return None
    sent |= {name: sent.get(name, 0.0) + group.craft for name in near(best)}
    width, height = view.table
    return Flight(to=best) if 0.0 <= best[0] <= width and 0.0 <= best[1] <= height else None


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def guarded_by_boats(
    state: BattleState, view: SideView, coming: Sequence[Coming]
) -> dict[str, tuple[Defence, ...]]:
    """The orders of a side's boats on guard, by squadron: as many at each thing as are likely to
    take what is left.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    left = {prey.id: size for prey, _, size in coming}
    found: dict[str, tuple[Defence, ...]] = {}
    for own in view.own_of(Group):
        group = state.find(Group, own.id)
        if group is None or silent(state, group):
            continue
        plan = BoatPlan(state, group)
        given: list[Defence] = []
        for prey, attacks, _ in sorted(coming, key=lambda one: (not one[1], -left[one[0].id])):
            if not attacks and not group.lasts(KEPT):
                continue
            order, taken = _order(state, plan, prey, attacks=attacks, left=left[prey.id])
            if order is not None and not plan.take(order):
                given.append(order)
                left[prey.id] -= taken
        if given:
            found[group.id] = tuple(given)
    return found


def _order(
    state: BattleState, plan: BoatPlan, prey: Prey, *, attacks: bool, left: float
) -> tuple[Defence | None, float]:
    """As many boats at a target as are likely to take what is left of it, and what they take; None
    where it is not worth their fire. Packs are kept for much of what attacks a ship.
    """
    able = plan.able(prey.id)
    if isinstance(able, str) or left < LEAST:
        return None, 0.0
    aim, boats = able
    firing: list[Boat] = []
    taken = 0.0
    for boat in boats:
        if taken >= left or (boat.armament.rounds and not (attacks and left - taken >= PACKED)):
            break
        firing.append(boat)
        taken += takes(state, (boat,), prey, aim.away)
    if taken <= 0.0:
        return None, 0.0
    return Defence(BOATS, (prey.id,), count=0 if len(firing) == len(boats) else len(firing)), taken
