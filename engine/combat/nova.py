"""The nova cannon: armed by the plot, fired along the bow.

Its blast on the table is in `engine.pieces.nova`.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Nova cannon" 7.23 [pc.nova-cannon]
"""

from __future__ import annotations

from dataclasses import replace

from engine.combat.detection import reveal_ship
from engine.combat.q_ships import FIRES, reveal
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.fire import NovaArmed, ShotRefused
from engine.pieces.nova import Nova
from engine.pieces.piece import Harm
from engine.weapons.weapon import Trait

CANNON = Trait.ARMED_BY_PLOT
ALL_POWER = reason("all-power", "its nova cannon takes all its power")


def nova_fault(ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot arm its nova cannon, or "" if it can.

    It needs a working cannon, a cold FTL drive, and a plot that asks power for nothing else.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    if not plot.nova:
        return ""
    has_cannon = any(ship.alive[place] for place in ship.profile.having.get(CANNON, ()))
    if ship.status != FIGHTING or not has_cannon:
        return reason("no-working-nova-cannon", "it has no working nova cannon")
    if ship.warm:
        return reason(
            "about-to-jump-no-nova",
            "its FTL drive is about to engage: it cannot arm its nova cannon",
        )
    if replace(plot, nova=False) != Plot():
        return reason(
            "ship-arms-nova-cannon",
            "a ship that arms its nova cannon has no power for anything else: it cannot "
            "thrust, turn or carry out other orders",
        )
    return ""


def arm(table: Table, ship: ShipState) -> None:
    """Arm a ship's nova cannon: until the end of the turn it has no other power and no screens.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    if ship.cover is not None:
        reveal(table, ship, FIRES)
    ship.arm_nova_cannon()
    table.tell(NovaArmed, ship.id)


def may_shoot(ship: ShipState, fire: Fire) -> bool:
    """Return whether an armed ship's order fires a working nova cannon."""
    index = ship.profile.index_of[fire.weapon]
    return CANNON in ship.profile.weapons[index].traits and ship.alive[index] > 0


def fire_nova(
    table: Table, ship: ShipState, fires: tuple[Fire, ...], harm: Harm | None = None
) -> None:
    """Take an armed ship's firing turn: its first working nova cannon fires along the bow.

    The ship has power for nothing else; its other shots are refused.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    has_fired = False
    for fire in fires:
        if has_fired or not may_shoot(ship, fire):
            table.tell(
                ShotRefused,
                ship=ship.id,
                weapon=fire.weapon,
                targets=fire.targets,
                reason=ALL_POWER,
            )
            continue
        has_fired = True
        reveal_ship(table, ship)
        Nova.fire(table, ship, fire.weapon, harm)
