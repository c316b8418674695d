"""A captain's point defence where it goes by level: what counts for its own ship, and whom an idle escort helps.

Rules: Fighters by point defence level 1.2 [pdl.sequence]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.captains.continuum.level_runs import level_mean, screen_mean
from engine.continuum.craft.level_runs import free_screens
from engine.continuum.defence_level import LevelPlan
from engine.continuum.defence_plans import guard_of
from engine.core.kinds import FIGHTING
from engine.core.orders import SCREENS, Defence
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.view.side_view import SideView
from engine.weapons.guard import Guard

ENOUGH = 7.0  # a level beyond which another die changes little
PLAIN_ENOUGH = 4.0  # a level that is worth no weapon of one shot


def shares(
    view: SideView, state: BattleState, targets: Iterable[str], never: tuple[str, ...]
) -> dict[str, tuple[Defence, ...]]:
    """What each ship of a side counts for: an attacked one guards itself, the others the friend that is attacked most.

    `targets`: the ships attacked, once for each attack. Weapons of one shot are used in the place of the others by an
    attacked ship whose others make too low a level.
    """
    attacks = Counter(targets)
    found: dict[str, tuple[Defence, ...]] = {}
    ships = [ship for ship in view.own if ship.status == FIGHTING]
    helped: list[str] = []
    for ship in (ship for ship in ships if ship.id in attacks):
        given = found[ship.id] = _own(state, ship, never)
        if not any(one.weapon == SCREENS or _bursts(ship, one) for one in given):
            helped.append(ship.id)
    helped.sort(key=lambda name: (-attacks[name], name))
    for ship in (ship for ship in ships if ship.id not in attacks):
        found[ship.id] = _helping(state, ship, helped, never)
    return {name: given for name, given in found.items() if given}


def _bursts(ship: ShipState, order: Defence) -> bool:
    """Whether what counts for a ship fires in bursts, which no other point defence stands beside."""
    guard = guard_of(ship, ship.profile.index_of[order.weapon])
    return guard is not None and guard.in_bursts


def _own(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> tuple[Defence, ...]:
    plain, bursts = _guns(ship, never)
    made, in_bursts = (sum(level_mean(guard) for _, guard in guns) for guns in (plain, bursts))
    if made < min(PLAIN_ENOUGH, in_bursts):
        plain, made = bursts, in_bursts
    screens = Defence(SCREENS, ())
    if sum(map(screen_mean, free_screens(state, ship))) > made and not LevelPlan(state, ship).take(screens):
        return (screens,)
    return _planned(LevelPlan(state, ship), [Defence(ship.sheet.fits[index].id, ()) for index, _ in plain])


def _helping(state: BattleState, ship: ShipState, friends: list[str], never: tuple[str, ...]) -> tuple[Defence, ...]:
    plan = LevelPlan(state, ship)
    plain, _ = _guns(ship, never)
    orders = [Defence(ship.sheet.fits[index].id, (name,)) for name in friends for index, _ in plain]
    return _planned(plan, orders)


def _planned(plan: LevelPlan, orders: list[Defence]) -> tuple[Defence, ...]:
    """Those of some orders that can be carried out beside each other, up to a level that is enough."""
    given: list[Defence] = []
    made = 0.0
    for order in orders:
        if made < ENOUGH and not plan.take(order):
            given.append(order)
            made += level_mean(plan.shares[-1].guard)
    return tuple(given)


def _guns(ship: ShipState, never: tuple[str, ...]) -> tuple[list[tuple[int, Guard]], list[tuple[int, Guard]]]:
    """A ship's point defence worth more as that than as guns: what fires on and on, and what fires once."""
    plain, bursts = [], []
    for index, fit in enumerate(ship.sheet.fits):
        guard = guard_of(ship, index)
        if guard is None or not ship.alive[index] or fit.type in never:
            continue
        if guard.in_bursts:
            bursts.append((index, guard))
        elif guard.by_itself or fit.size == 1:
            plain.append((index, guard))
    return sorted(plain, key=lambda one: not one[1].by_itself), bursts
