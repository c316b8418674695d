"""What lies between a weapon and its target by Continuum: range bands, screens, fields and cloaks make the shot.

Rules: Continuum "Defensive screens" 4.7 [pc.screens]
"""

from __future__ import annotations

from engine.orders import Fire
from engine.rolls import Shot
from engine.state import BattleState, ShipState


def shot_at(_state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState) -> Shot:
    """The shot of a ship's weapon (its place in `fits`) at a target, before any die.

    Rules: Continuum "Defensive screens" 4.7 [pc.screens]
    """
    fit = ship.sheet.fits[index]
    distance = ((target.x - ship.x) ** 2 + (target.y - ship.y) ** 2) ** 0.5
    return Shot(
        f"{ship.id}/{fit.id}",
        distance,
        distance,
        fit.size,
        fit.variant,
        fit.flags,
        fire.mode,
        screens=target.screens,
        mass=target.sheet.mass,
        velocity=target.velocity,
    )
