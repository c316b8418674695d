"""A captain's fire at gunboats, and at fighters with what is laid on them well: what takes many of
them is worth more there than at ships.

Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]; Continuum "K-guns" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.expected import THROWS, EvenDice
from engine.captains.common.gunnery import directed, fire_at
from engine.captains.common.range_tables import usable
from engine.captains.continuum.aims import fires_at_all
from engine.continuum.boats_met import meets_boats
from engine.continuum.craft.targets import fought
from engine.continuum.defence_plans import ShotPlan
from engine.continuum.fire_at_craft import BOAT_VELOCITY, aim_at_group, fired_at
from engine.core.orders import Defence, Fire, FireOrders
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import no_fire
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.weapon import Weapon, by_a_six

LEAST = 1.0  # boats that a ship takes in the mean, or it fires at ships
BY_LUCK = 0.2  # fighters that any weapon takes of them in the mean, or little more
ENOUGH = 1.25  # times the boats there are: more need not be thrown at them


def boats_left(state: BattleState, view: SideView) -> dict[str, float]:
    """The hostile gunboats in flight, as many of each squadron as are worth firing at."""
    boats = [one for one in view.others_of(Group) if one.row.berth and _feared(state, view, one)]
    return {one.id: one.craft * ENOUGH for one in boats}


def _feared(state: BattleState, view: SideView, group: Group) -> bool:
    """Whether hostile craft are worth a ship's fire: they can do something to ships, and are in no
    fight.
    """
    harms = any(
        one.at_ships is not no_fire or one.launches or one.lands for one in group.row.armaments
    )
    return harms and view.is_hostile(group) and not fought(state, group)


def in_defence(
    state: BattleState,
    ship: ShipState,
    plan: ShotPlan,
    left: dict[str, float],
    never: tuple[str, ...],
) -> tuple[Defence, ...]:
    """The weapons of a ship that meet boats before these fire, where that takes many of them.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    if not any(boats > 0 for boats in left.values()) or not fires_at_all(ship) or ship.armed:
        return ()
    given = []
    for fire in _fires(state, ship, left, never):
        order = Defence(fire.weapon, fire.targets)
        if (
            meets_boats(ship, ship.profile.index_of[fire.weapon])
            and not fire.mode
            and not plan.take(order)
        ):
            given.append(order)
    return tuple(given)


def at_boats(
    state: BattleState, view: SideView, orders: FireOrders, never: tuple[str, ...]
) -> FireOrders:
    """A side's fire with that of ships at gunboats and fighters before it, as much as those are
    likely to need.
    """
    craft = [one for one in view.others_of(Group) if _feared(state, view, one)]
    if not craft:
        return orders
    left: dict[str, float] = {one.id: one.craft * ENOUGH for one in craft}
    listed = dict(orders)
    for ship in view.own:
        if fires_at_all(ship) and not ship.armed:
            fires = _fires(state, ship, left, never)
            used = [fire.weapon for fire in fires]
            if fires:
                others = (fire for fire in listed.get(ship.id, ()) if fire.weapon not in used)
                listed[ship.id] = directed(ship, (*fires, *others))
    return list(listed.items())


def _fires(
    state: BattleState, ship: ShipState, left: dict[str, float], never: tuple[str, ...]
) -> tuple[Fire, ...]:
    """A ship's fire at the squadron of which it takes most; `left`: boats of each that nobody is
    likely to take yet.
    """
    best: tuple[float, str, list[tuple[float, str]]] = (0.0, "", [])
    for name, boats in left.items():
        able = _able(state, ship, name, never) if boats > 0 else []
        taken = min(sum(hits for hits, _ in able), boats)
        if taken > best[0]:
            best = (taken, name, able)
    taken, name, able = best
    if taken < LEAST:
        return ()
    fires: list[Fire] = []
    for hits, weapon in able:
        if left[name] > 0:
            left[name] -= hits
            fires.append(fire_at(weapon, (name,)))
    return tuple(fires)


def _able(
    state: BattleState, ship: ShipState, name: str, never: tuple[str, ...]
) -> list[tuple[float, str]]:
    """What of a ship bears on a squadron: the boats that each weapon takes in the mean, and its id.

    What is fired once is kept for ships.
    """
    found: list[tuple[float, str]] = []
    squadron = state.find(Group, name)
    fighters = squadron is not None and not squadron.row.berth
    for index, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        if weapon.fire is None or not weapon.aimed or weapon.scarce or weapon.along:
            continue
        if fighters and weapon.at_fighters is by_a_six:
            continue
        if (
            fit.id in ship.this_turn.defended
            or fit.id in ship.this_turn.burst
            or not usable(ship, index, fit.type, never)
        ):
            continue
        if weapon.controlled and not ship.firecons:
            continue
        aimed = aim_at_group(state, ship, index, Fire(fit.id, (name,)), name)
        if aimed is not None:
            group, shot = aimed
            boats, away = group.row.berth > 0, float(round(shot.distance))
            screens = shot.screens, shot.advanced
            hits = _hits(weapon, _alike(fit), shot.mode, away, shot.modifier, screens, boats)
            found += [(hits, fit.id)] if boats or hits > BY_LUCK else []
    return sorted(found, reverse=True)


def _alike(fit: Fit) -> Fit:
    """A system as its dice see it, so that the mean of those alike is worked out once."""
    return replace(fit, id=fit.type, arcs=(), turret="")


def _hits(
    weapon: Weapon,
    fit: Fit,
    mode: str,
    away: float,
    modifier: int,
    screens: tuple[int, int],
    boats: bool,
) -> float:
    """The gunboats, or fighters, that a weapon takes so many MU away, in the mean."""
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        shot = Shot("", away, away, fit.size, fit.variant, fit.flags, mode, modifier=modifier)
        shot.velocity, shot.mass = BOAT_VELOCITY, 1
        shot.screens, shot.advanced = screens
        total += fired_at(weapon, shot, dice, boats=boats).craft
    return total / THROWS
