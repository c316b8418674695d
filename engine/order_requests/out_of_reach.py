"""Whether a fire phase can be skipped because all sides see that nothing is in reach.

Only ranges decide, from positions and from what record sheets show. Arcs, damage and remaining
ammunition are ignored. Where anything is hidden the phase takes place: skipping it must not depend
on hidden facts.
"""

from __future__ import annotations

from math import inf

from engine.core.geometry import NEAR, dist
from engine.core.kinds import CLOAKED, FIGHTING, LEFT_TABLE, ON_TABLE, RETURNING, HullKind
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS, ASTEROID_DESTRUCTION, BOARDING, MOVING_TABLE
from engine.pieces.group import Group
from engine.weapons.weapon import Trait, Weapon

BURST = 6.0  # MU around the point aimed at; no burst has a larger radius
MAY_HIDE_GUNS = (HullKind.MERCHANT, HullKind.Q_SHIP)  # a Q ship appears as a merchant


def nobody_can_fire(state: BattleState) -> bool:
    """Return whether all sides know that no unit has a target in reach and no side may pursue.

    Args:
        state: The battle at its fire phase, after all movement.
    """
    if _something_is_hidden(state) or _may_choose_more(state):
        return False
    groups = state.pieces_of(Group)
    targets: list[ShipState | Group] = [ship for ship in state.ships if ship.status in ON_TABLE]
    targets += groups
    for ship in state.ships:
        if ship.status == FIGHTING:
            reach = _farthest_shot(state, ship)
            if _has_target_within(state, ship, targets, reach):
                return False
    return not any(
        _has_target_within(state, group, targets, _farthest_attack(group)) for group in groups
    )


def _has_target_within(
    state: BattleState, shooter: ShipState | Group, targets: list[ShipState | Group], reach: float
) -> bool:
    """Return whether any of these targets is hostile to a shooter and within its reach in MU."""
    return any(
        _are_hostile(state, shooter, target) and _distance(shooter, target) <= reach + NEAR
        for target in targets
    )


def _something_is_hidden(state: BattleState) -> bool:
    """Return whether a side might not know everything that other sides have on the table."""
    if ADVANCED_SENSORS in state.terms.options:
        return True
    return any(
        ship.status == CLOAKED
        or (ship.status == FIGHTING and (ship.bogey or ship.sheet.kind in MAY_HIDE_GUNS))
        for ship in state.ships
    )


def _may_choose_more(state: BattleState) -> bool:
    """Return whether sides have other decisions than fire: pursuit, or rocks to shoot at."""
    options = state.terms.options
    if MOVING_TABLE in options and any(
        ship.status in (LEFT_TABLE, RETURNING) for ship in state.ships
    ):
        return True
    return ASTEROID_DESTRUCTION in options and any(piece.has_boxes for piece in state.pieces)


def _farthest_shot(state: BattleState, ship: ShipState) -> float:
    """Return the longest reach in MU of a ship's weapons, working or not."""
    pairs = zip(ship.sheet.fits, ship.profile.weapons, strict=True)
    aimed = [(fit, weapon) for fit, weapon in pairs if weapon.is_aimed]
    if BOARDING in state.terms.options and any(
        Trait.CREWED_SHOTS in weapon.traits for _, weapon in aimed
    ):
        return inf  # it may transfer people to any ship of its own side
    if any(weapon.along for _, weapon in aimed):
        return inf  # it hits along a line across the whole table
    return max((longest_reach(fit, weapon) for fit, weapon in aimed), default=0.0)


def longest_reach(fit: Fit, weapon: Weapon) -> float:
    """Return a weapon's longest reach in MU, including the burst of fire at a point."""
    modes = (*weapon.modes, *weapon.at_system, *weapon.at_point)
    return max(weapon.reach(fit, mode) for mode in modes) + (BURST if weapon.at_point else 0.0)


def _farthest_attack(group: Group) -> float:
    """Return a group's reach in MU; Continuum's craft have attacked before this phase."""
    if group.row.endurance:
        return -inf
    return max((armament.reach for armament in group.row.armaments), default=0.0)


def _are_hostile(state: BattleState, shooter: ShipState | Group, target: ShipState | Group) -> bool:
    """Return whether the commander of a target is hostile to that of a shooter."""
    return bool(state.hostile[shooter.commander] >> target.commander & 1)


def _distance(first: ShipState | Group, second: ShipState | Group) -> float:
    """Return the MU between two units."""
    return dist((first.x, first.y), (second.x, second.y))
