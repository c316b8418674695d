"""Fire of Continuum's ships at asteroids that can be broken.

Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
"""

from __future__ import annotations

from engine.combat.detection import give_away
from engine.combat.lines import blocked
from engine.continuum.aiming import arcs_to, bearing
from engine.continuum.fire_control import NO_FIRECON, OTHER_TARGET, FireControl, FirePhase, pay, way_of
from engine.core.geometry import NEAR
from engine.core.orders import Fire
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.pieces.asteroid import Rock, RockShot, breakable
from engine.weapons.weapon import points_of


def aim_at_rock(state: BattleState, ship: ShipState, index: int, fire: Fire, name: str) -> tuple[Rock, Shot] | None:
    """The asteroid of that name and the shot at it, before any die, where a weapon may fire at one: agreed, whole, in
    range, arc and sight. It has no screens, no armour and nothing to be picked out.

    One on the line between two arcs is in both. Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
    """
    rock = breakable(state, name) if ASTEROID_DESTRUCTION in state.terms.options else None
    fit, weapon = ship.sheet.fits[index], ship.profile.weapons[index]
    mode = way_of(ship, index, fire.mode)
    if rock is None or fire.system or mode in weapon.at_system:
        return None
    distance = float(((rock.x - ship.x) ** 2 + (rock.y - ship.y) ** 2) ** 0.5)
    if distance > weapon.reach(fit, mode) + NEAR:
        return None
    if not bearing(state, ship, index, distance) & arcs_to(ship, rock.x, rock.y):
        return None
    if blocked([other for other in state.pieces if other is not rock], (ship.x, ship.y), (rock.x, rock.y)):
        return None
    velocity = round(rock.speed)
    shot = Shot(f"{ship.id}/{fit.id}", distance, distance, fit.size, fit.variant, fit.flags, mode, velocity=velocity)
    return rock, shot


def fire_at_rock(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, rock: Rock, shot: Shot) -> str:
    """A weapon's dice at an asteroid, and the damage points that they do; why it does not fire, "" where it did.

    Rules: Continuum "Damage to asteroids" 17.1 [pc.planetoids]
    """
    index = ship.profile.index_of[fire.weapon]
    gun = ship.profile.weapons[index]
    fit = ship.sheet.fits[index]
    assert gun.fire is not None
    if fit.turret and control.turrets.get(fit.turret, rock.id) != rock.id:
        return OTHER_TARGET
    if gun.controlled and control.used() + control.needs(rock.id, "") > ship.firecons:
        return NO_FIRECON
    if gun.controlled:
        control.set_to(rock.id, "")
    if fit.turret:
        control.turrets[fit.turret] = rock.id
    give_away(phase.table, ship, fire.weapon)
    control.fired += [index] if fire.mode in gun.twice else [index, index]
    effect = gun.fire(shot, phase.table.dice)
    points = points_of(effect)
    if phase.table.listens:
        dice = (*effect.dice, *effect.damage)
        phase.table.tell(RockShot, ship.id, fire.weapon, rock.id, shot.true_distance, dice, points)
    pay(phase.table, ship, index, shot.mode, effect)
    rock.take(phase.table, points, f"fire:{ship.id}")
    return ""
