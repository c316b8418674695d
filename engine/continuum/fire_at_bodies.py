"""Fire at asteroids that can be broken, an option.

Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
"""

from __future__ import annotations

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import is_blocked
from engine.continuum.aiming import arcs_to, firing_arcs
from engine.continuum.fire_control import (
    FireControl,
    FirePhase,
    fire_mode_of,
    spend_shot,
)
from engine.core.geometry import NEAR, dist
from engine.core.orders import Fire
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.pieces.asteroid import Asteroid, AsteroidShot, find_breakable
from engine.pieces.piece import Piece
from engine.weapons.weapon import points_of


def aim_at_rock(
    state: BattleState, ship: ShipState, index: int, fire: Fire, name: str
) -> tuple[Asteroid, Shot] | None:
    """Return the named asteroid and the shot at it before any die, or None if illegal.

    The battle must use the option, and the asteroid must be whole, in range, in arc and in sight.
    It has no screens, no armour and no systems.

    Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
    """
    if ASTEROID_DESTRUCTION not in state.terms.options:
        return None
    rock = find_breakable(state, name)
    if rock is None:
        return None
    shot = unscreened_shot(state, ship, index=index, fire=fire, piece=rock)
    if shot is None:
        return None
    shot.velocity = round(rock.speed)
    return rock, shot


def unscreened_shot(
    state: BattleState, ship: ShipState, index: int, fire: Fire, piece: Piece
) -> Shot | None:
    """Return the shot of a weapon at a piece before any die, or None if it may not fire.

    The piece must be in range, in arc and in sight; nothing on it can be picked out. A piece on the
    line between two arcs is in both.

    Args:
        index: The weapon's place in `fits`.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    mode = fire_mode_of(ship, index, fire.mode)
    if fire.system or mode in weapon.at_system:
        return None
    distance = dist((piece.x, piece.y), (ship.x, ship.y))
    if distance > weapon.reach(fit, mode) + NEAR:
        return None
    if not firing_arcs(state, ship, index, distance) & arcs_to(ship, piece.x, piece.y):
        return None
    obstacles = [obstacle for obstacle in state.pieces if obstacle is not piece]
    if is_blocked(obstacles, (ship.x, ship.y), (piece.x, piece.y)):
        return None
    return Shot(
        subject=f"{ship.id}/{fit.id}",
        distance=distance,
        true_distance=distance,
        size=fit.size,
        variant=fit.variant,
        flags=fit.flags,
        mode=mode,
    )


def aim_weapon(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, piece: Piece
) -> str:
    """Set a weapon, its turret and a FireCon to a piece for the turn; return the fault, or ""."""
    index = ship.profile.index_of[fire.weapon]
    gun = ship.profile.weapons[index]
    if fault := control.set_weapon(ship, index, piece.id):
        return fault
    reveal_ship(phase.table, ship, fire.weapon)
    control.fired += [index] if fire.mode in gun.twice else [index, index]
    return ""


def fire_at_rock(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, rock: Asteroid, shot: Shot
) -> str:
    """Roll a weapon's dice against an asteroid and apply the damage; return the fault, or "".

    Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
    """
    index = ship.profile.index_of[fire.weapon]
    gun = ship.profile.weapons[index]
    assert gun.fire is not None
    if fault := aim_weapon(phase, ship, fire=fire, control=control, piece=rock):
        return fault
    effect = gun.fire(shot, phase.table.dice)
    points = points_of(effect)
    if phase.table.listens:
        dice = (*effect.dice, *effect.damage)
        phase.table.tell(
            AsteroidShot,
            ship=ship.id,
            weapon=fire.weapon,
            rock=rock.id,
            range=shot.true_distance,
            dice=dice,
            hits=points,
        )
    spend_shot(phase.table, ship, index=index, mode=shot.mode, effect=effect)
    rock.take_damage(phase.table, points, f"fire:{ship.id}")
    return ""
