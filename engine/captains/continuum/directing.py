"""Which of a ship's fire its FireCons can direct: a captain orders nothing beyond that.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]
"""

from __future__ import annotations

from dataclasses import replace

from engine.continuum.fire_control import FireControl, way_of
from engine.core.orders import Fire
from engine.core.ship import ShipState


def directed(ship: ShipState, fires: tuple[Fire, ...]) -> tuple[Fire, ...]:
    """A ship's fire in its order, each as long as a FireCon is free for it or set to its target; what would find none
    goes first at another of its targets to which one is set, or is left out.
    """
    control = FireControl()
    found: list[Fire] = []
    for fire in fires:
        index = ship.profile.index_of[fire.weapon]
        weapon = ship.profile.weapons[index]
        if not fire.targets or not (weapon.controlled or weapon.along):
            found.append(fire)
            continue
        system = fire.system if way_of(ship, index, fire.mode) in weapon.snipes else ""
        free = ship.firecons - control.used()
        first = next((name for name in fire.targets if control.needs(name, system) <= free), None)
        if first is None:
            continue
        control.set_to(first, system)
        rest = tuple(name for name in fire.targets if name != first)
        found.append(fire if first == fire.targets[0] else replace(fire, targets=(first, *rest)))
    return tuple(found)
