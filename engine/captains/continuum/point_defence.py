"""A captain's point defence, where orders improve on what ships do unordered, and scrambles.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Continuum "Scrambling fighter groups" 8.3
[pc.scramble]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.captains.common.doctrine import CaptainContext, Doctrine
from engine.captains.common.fighter_tactics import MIN_CRAFT, mean_craft_taken
from engine.captains.continuum.anti_boat_fire import boat_defence_orders, boats_worth_firing_at
from engine.captains.continuum.defence_level_tactics import level_orders
from engine.captains.continuum.guard_boat_tactics import Threat, guard_orders
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
    if is_by_level(state):
        return _defences_by_level(context, view, state)
    hostile = state.hostile[view.side]
    foes = [ship for ship in state.ships if hostile >> ship.commander & 1]
    plan = _DefencePlan(state, foes, _all_threats(state, view), context.doctrine.never)
    orders: dict[str, tuple[Defence, ...]] = {}
    boats_left = boats_worth_firing_at(state, view)
    for ship in view.own_ships:
        if ship.status != FIGHTING:
            continue
        if bays := bays_to_scramble(state, ship, context.doctrine):
            orders[ship.id] = (Defence(SCRAMBLE, bays, BY_ITSELF),)
            continue
        shots = ShotPlan(state, ship)
        ship_orders = _orders_of(plan, ship, shots)
        if ship_orders:
            orders[ship.id] = tuple(ship_orders)
        guns = boat_defence_orders(
            state, ship, shots, boats_by_group=boats_left, never=context.doctrine.never
        )
        if guns:
            orders[ship.id] = (*(ship_orders or _spread(state, ship)), *guns)
    return orders | guard_orders(state, view, plan.unmet())


@dataclass(slots=True)
class _DefencePlan:
    """The point defence of a side, so far.

    Attributes:
        foes: Hostile ships, which guns could fire at instead.
        hits: The hits expected so far at each threat, by its id.
    """

    state: BattleState
    foes: list[ShipState]
    threats: list[_Threat]
    never: tuple[str, ...]
    hits: dict[str, float] = field(default_factory=dict)

    def hits_on(self, threat: _Threat) -> float:
        """Return the hits expected so far at a threat."""
        return self.hits.get(threat.prey.id, 0.0)

    def unmet(self) -> list[Threat]:
        """Return each threat, whether it attacks a ship, and how much of it may survive."""
        result = []
        for threat in self.threats:
            remaining = threat.size - self.hits_on(threat)
            result.append(Threat(threat.prey, bool(threat.target), remaining))
        return result


def _defences_by_level(
    context: CaptainContext, view: SideView, state: BattleState
) -> dict[str, tuple[Defence, ...]]:
    """Return point defence with the rule of levels: what ships count for, and scrambles."""
    hostile = state.hostile[view.side]
    attacked: list[str] = []
    for marker in attackers(state):
        if hostile >> marker.side & 1:
            attacked.append(marker.target)
    attacked += [threat.target for threat in _craft_threats(state, view)]
    orders = level_orders(view, state, attacked, context.doctrine.never)
    for ship in view.own_ships:
        if bays := bays_to_scramble(state, ship, context.doctrine):
            orders[ship.id] = (Defence(SCRAMBLE, bays, BY_ITSELF),)
    return orders


def _all_threats(state: BattleState, view: SideView) -> list[_Threat]:
    """Return what attacks the side's ships: ordnance, craft, then units that attack no ship."""
    hostile = state.hostile[view.side]
    threats = []
    for marker in attackers(state):
        if hostile >> marker.side & 1:
            threats.append(_Threat(marker, marker.target, marker.strength))
    threats += _craft_threats(state, view)
    for prey in _unaimed_prey(state, hostile):
        size = prey.craft if isinstance(prey, Group) else prey.strength
        threats.append(_Threat(prey, "", size))
    return threats


def _craft_threats(state: BattleState, view: SideView) -> list[_Threat]:
    """Return the groups of craft that attack the side's ships, once for each ship."""
    threats = []
    for ship in view.own_ships:
        for attacker in attackers_of_ship(state, ship):
            if isinstance(attacker, Group):
                threats.append(_Threat(attacker, ship.id, attacker.craft))
    return threats


def _orders_of(plan: _DefencePlan, ship: ShipState, shots: ShotPlan) -> list[Defence]:
    """Return a ship's orders: each weapon at the most urgent threat that it can still help with."""

    def urgency(threat: _Threat) -> tuple[bool, bool, float]:
        return threat.target != ship.id, not threat.target, plan.hits_on(threat)

    orders: list[Defence] = []
    for index in _by_their_worth(plan.state, ship, plan.foes, plan.never):
        guard = guard_of(ship, index)
        assert guard is not None
        has_advanced_firecon = working_count_of(ship, "advanced-firecon") > 0
        mode = AREA if guard.can_be_area_defence and has_advanced_firecon else ""
        once = ship.profile.weapons[index].once
        reach = guard.reach(mode)
        for threat in sorted(plan.threats, key=urgency):
            if not _is_worth_a_shot(plan, ship, threat, reach_mu=reach, once=once):
                continue
            order = Defence(ship.sheet.fits[index].id, (threat.prey.id,), mode)
            if not shots.take(order):
                orders.append(order)
                dice = max(guard.dice, SALVO_DICE if once else 1)
                plan.hits[threat.prey.id] = plan.hits_on(threat) + KILLS_PER_DIE * dice
                break
    return orders


def _is_worth_a_shot(
    plan: _DefencePlan, ship: ShipState, threat: _Threat, *, reach_mu: float, once: bool
) -> bool:
    """Return whether a weapon should fire at a threat: something is left of it, and it is in reach.

    One-shot weapons are kept for several hits on an attacker of ships.
    """
    remaining = threat.size - plan.hits_on(threat)
    if remaining <= 0:
        return False
    if once and (not threat.target or remaining < SALVO_DICE):
        return False
    if not threat.target or reach_mu > SUPPORT_REACH:
        return True
    attacked = plan.state.ship_by_name(threat.target)
    return ship_distance(ship, attacked) <= SUPPORT_REACH + NEAR


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
    places = []
    for index, fit in enumerate(ship.sheet.fits):
        if not ship.alive[index] or fit.type in never or guard_of(ship, index) is None:
            continue
        if _is_light(ship, index) or not _bears_on_foe(state, ship, index, foes):
            places.append(index)
    return sorted(
        places, key=lambda index: (ship.profile.weapons[index].once, not _by_itself(ship, index))
    )


def _by_itself(ship: ShipState, index: int) -> bool:
    """Return whether a weapon fires as point defence without orders."""
    guard = guard_of(ship, index)
    return guard is not None and guard.fires_without_orders


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
    raiders = [group for group in attackers_of(state, ship) if not group.row.berth]
    if sum(group.craft for group in raiders) < MIN_CRAFT:
        return ()
    strengths = {}
    for bay in bays_able_to_scramble(state, ship):
        index = ship.profile.index_of[bay]
        craft_taken = ship.stock[index] * mean_craft_taken(craft_type(ship.profile.craft[index]))
        if ship.sheet.fits[index].type not in doctrine.never and craft_taken >= WORTH_A_SCRAMBLE:
            strengths[bay] = craft_taken
    bays: tuple[str, ...] = ()
    for bay in sorted(strengths, key=lambda bay: (-strengths[bay], bay)):
        if len(bays) < len(raiders) and not scramble_fault(state, ship, (*bays, bay)):
            bays = (*bays, bay)
    return bays
