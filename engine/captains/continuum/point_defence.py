"""A captain's point defence, where orders improve on what ships do unordered, and scrambles.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Continuum "Scrambling fighter groups" 8.3
[pc.scramble]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.captains.common.doctrine import CaptainContext, Doctrine
from engine.captains.common.fighter_tactics import MIN_CRAFT, mean_craft_taken
from engine.captains.continuum.anti_boat_fire import boat_defence_orders, boats_worth_firing_at
from engine.captains.continuum.defence_level_tactics import level_orders
from engine.captains.continuum.guard_boat_tactics import guard_orders
from engine.captains.continuum.targets import visible_state
from engine.continuum import aiming
from engine.continuum.craft.scramble import bays_able_to_scramble, scramble_fault
from engine.continuum.craft.targets import attackers_of, is_engaged
from engine.continuum.defence_level import is_by_level
from engine.continuum.defence_plans import (
    ShotPlan,
    attackers,
    attackers_of_ship,
    guard_of,
    in_flight,
)
from engine.continuum.defences import ship_distance
from engine.continuum.fire_control import fire_mode_of, working_count_of
from engine.core.geometry import NEAR
from engine.core.kinds import FIGHTING
from engine.core.orders import BY_ITSELF, SCRAMBLE, Defence, Fire
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.registry import craft_type
from engine.pieces.group import Group
from engine.pieces.point_defence_targets import IncomingUnit
from engine.view.side_view import SideView
from engine.weapons.guard import AREA, SUPPORT_REACH

KILLS_PER_DIE = 0.8  # mean number of missiles that a point defence die destroys
SALVO_DICE = 3.0  # hits on a salvo that are worth a one-shot weapon


@dataclass(frozen=True, slots=True)
class _Threat:
    """An attacker of a ship of the side.

    Attributes:
        prey: The ordnance or craft.
        target: The id of the ship; "" for units that attack no ship.
        size: How much of it there is to destroy.
    """

    prey: IncomingUnit
    target: str
    size: int


def defences(context: CaptainContext, view: SideView) -> dict[str, tuple[Defence, ...]]:
    """Return point defence where it improves on what ships and boats do unordered.

    Ships that are attacked have orders, and those that guard others by ADFC.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """
    state = visible_state(view)
    hostile = state.hostile[view.side]
    markers = [marker for marker in attackers(state) if hostile >> marker.side & 1]
    if is_by_level(state):
        flown_at = [
            ship.id
            for ship in view.own_ships
            for threat in attackers_of_ship(state, ship)
            if isinstance(threat, Group)
        ]
        scrambling = {
            ship.id: bays
            for ship in view.own_ships
            if (bays := bays_to_scramble(state, ship, context.doctrine))
        }
        shared = level_orders(
            view, state, [*(marker.target for marker in markers), *flown_at], context.doctrine.never
        )
        return shared | {
            name: (Defence(SCRAMBLE, bays, BY_ITSELF),) for name, bays in scrambling.items()
        }
    foes = [ship for ship in state.ships if hostile >> ship.commander & 1]
    coming = [
        *(_Threat(marker, marker.target, marker.strength) for marker in markers),
        *(
            _Threat(group, ship.id, group.craft)
            for ship in view.own_ships
            for group in attackers_of_ship(state, ship)
            if isinstance(group, Group)
        ),
        *(
            _Threat(prey, "", prey.craft if isinstance(prey, Group) else prey.strength)
            for prey in _unaimed_prey(state, hostile)
        ),
    ]
    orders: dict[str, tuple[Defence, ...]] = {}
    hits: dict[str, float] = {}
    boats_left = boats_worth_firing_at(state, view)
    for ship in (ship for ship in view.own_ships if ship.status == FIGHTING):
        if bays := bays_to_scramble(state, ship, context.doctrine):
            orders[ship.id] = (Defence(SCRAMBLE, bays, BY_ITSELF),)
            continue
        plan = ShotPlan(state, ship)
        ship_orders: list[Defence] = []
        for index in _by_their_worth(state, ship, foes, context.doctrine.never):
            guard = guard_of(ship, index)
            assert guard is not None
            once = ship.profile.weapons[index].once
            mode = AREA if guard.as_area and working_count_of(ship, "advanced-firecon") else ""
            far = guard.reach(mode) > SUPPORT_REACH
            for threat in sorted(
                coming,
                key=lambda threat: (
                    threat.target != ship.id,
                    not threat.target,
                    hits.get(threat.prey.id, 0.0),
                ),
            ):
                hits_planned = hits.get(threat.prey.id, 0.0)
                out = (
                    threat.target
                    and not far
                    and ship_distance(ship, state.ship_by_name(threat.target))
                    > SUPPORT_REACH + NEAR
                )
                if (
                    hits_planned >= threat.size
                    or out
                    or (once and (not threat.target or threat.size - hits_planned < SALVO_DICE))
                ):
                    continue
                order = Defence(ship.sheet.fits[index].id, (threat.prey.id,), mode)
                if not plan.take(order):
                    ship_orders.append(order)
                    hits[threat.prey.id] = hits_planned + KILLS_PER_DIE * max(
                        guard.dice, SALVO_DICE if once else 1
                    )
                    break
        if ship_orders:
            orders[ship.id] = tuple(ship_orders)
        guns = boat_defence_orders(
            state, ship, plan, boats_by_group=boats_left, never=context.doctrine.never
        )
        if guns:
            orders[ship.id] = (*(ship_orders or _spread(state, ship)), *guns)
    unmet = [
        (threat.prey, bool(threat.target), threat.size - hits.get(threat.prey.id, 0.0))
        for threat in coming
    ]
    return orders | guard_orders(state, view, unmet)


def _spread(state: BattleState, ship: ShipState) -> tuple[Defence, ...]:
    """Return what a ship's point defence does unordered, as orders."""
    plan = ShotPlan(state, ship)
    plan.plan_without_orders()
    result: list[Defence] = []
    for shot in plan.shots:
        result.append(Defence(ship.sheet.fits[shot.index].id, (shot.prey.id,)))
    return tuple(result)


def _unaimed_prey(state: BattleState, hostile: int) -> list[IncomingUnit]:
    """Return hostile units that attack no ship but that an ADFC may fire at: missiles and craft."""
    prey: list[IncomingUnit] = [
        *in_flight(state),
        *(group for group in state.pieces_of(Group) if not is_engaged(state, group)),
    ]
    return [piece for piece in prey if hostile >> piece.side & 1]


def _by_their_worth(
    state: BattleState, ship: ShipState, foes: list[ShipState], never: tuple[str, ...]
) -> list[int]:
    """Return the indexes of a ship's point defence in the order in which it is given targets.

    Systems with no other use come first, then the smallest guns and those without a foe to fire at,
    then one-shot weapons.
    """
    places = [
        index
        for index, fit in enumerate(ship.sheet.fits)
        if ship.alive[index]
        and fit.type not in never
        and guard_of(ship, index) is not None
        and (_is_light(ship, index) or not _bears_on_foe(state, ship, index, foes))
    ]
    return sorted(
        places, key=lambda index: (ship.profile.weapons[index].once, not _by_itself(ship, index))
    )


def _by_itself(ship: ShipState, index: int) -> bool:
    guard = guard_of(ship, index)
    return guard is not None and guard.by_itself


def _bears_on_foe(state: BattleState, ship: ShipState, index: int, foes: list[ShipState]) -> bool:
    """Return whether a weapon has a foe to fire at later in the turn; nothing moves until then."""
    fire = Fire(ship.sheet.fits[index].id, ())
    mode = fire_mode_of(ship, index, "")
    return any(
        aiming.aim(state, ship, index, fire, mode=mode, target=foe) is not None for foe in foes
    )


def _is_light(ship: ShipState, index: int) -> bool:
    """Return whether a weapon is worth more as point defence than as a gun."""
    fit = ship.sheet.fits[index]
    return _by_itself(ship, index) or fit.size == 1 or ship.profile.weapons[index].once


WORTH_A_SCRAMBLE = 2.0  # mean number of craft a group must destroy in a dogfight to be scrambled


def bays_to_scramble(state: BattleState, ship: ShipState, doctrine: Doctrine) -> tuple[str, ...]:
    """Return the bays whose groups a ship under fighter attack scrambles, the strongest first.

    A few attackers are not worth it, because a mishap may wreck the bay.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    rows = {}
    for bay in bays_able_to_scramble(state, ship):
        rows[bay] = craft_type(ship.profile.craft[ship.profile.index_of[bay]])
    able = {}
    for bay, row in rows.items():
        if ship.sheet.fits[ship.profile.index_of[bay]].type not in doctrine.never:
            able[bay] = ship.stock[ship.profile.index_of[bay]] * mean_craft_taken(row)
    raiders = [group for group in attackers_of(state, ship) if not group.row.berth]
    able = {
        bay: craft_taken for bay, craft_taken in able.items() if craft_taken >= WORTH_A_SCRAMBLE
    }
    if sum(group.craft for group in raiders) < MIN_CRAFT:
        return ()
    bays: tuple[str, ...] = ()
    for bay in sorted(able, key=lambda bay: (-able[bay], bay)):
        if len(bays) < len(raiders) and not scramble_fault(state, ship, (*bays, bay)):
            bays = (*bays, bay)
    return bays
