"""Fleet morale, an option: a commander who has lost too much of his fleet withdraws, and what his
ships do then.

They leave as each can, under FTL or over an edge, for good; they fire on their way. Nothing of it
is told to others.
Rules: Continuum "Fleet morale" 12.8 [pc.morale]
"""

from __future__ import annotations

from math import dist

from engine.combat.line_of_sight import is_blocked
from engine.continuum.legs import leg_of
from engine.core.geometry import NEAR, Point
from engine.core.kinds import DESTROYED, FIGHTING, HULK, INSTALLATION
from engine.core.orders import HOLD, Plot
from engine.core.reason import reason
from engine.core.ship import BERTHED, FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.battle import FleetWithdrew

NO_RAMS = reason("no-rams", "its fleet withdraws, and rams nobody")
TOO_NEAR = reason(
    "withdrawing-too-near",
    "its fleet withdraws: this ends nearer to the enemy that is nearest than flying on would",
)
LYING_STILL = reason("lies-to", "its fleet withdraws: who lies still and has thrust does not fire")


def losses(state: BattleState, side: int) -> tuple[int, int]:
    """The mass that a side has lost, and the mass it came with: what is destroyed, adrift or in
    others' hands counts as lost; installations and drones are no part of the fleet.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    fleet = [
        ship
        for ship in state.ships
        if ship.owner == side and not ship.dummy and ship.sheet.kind != INSTALLATION
    ]
    lost_ships = [ship for ship in fleet if ship.status in (DESTROYED, HULK) or ship.is_taken_over]
    return sum(ship.sheet.mass for ship in lost_ships), sum(ship.sheet.mass for ship in fleet)


def is_withdrawing(state: BattleState, side: int) -> bool:
    """Whether a side's commander withdraws. Rules: Continuum "Fleet morale" 12.8 [pc.morale]"""
    return any(ship.record.withdrawing for ship in state.ships if ship.commander == side)


def check_losses(table: Table) -> None:
    """A turn's end, where fleets have morale: whoever has lost his share withdraws from now on, and
    does not think better of it.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    state = table.state
    for side, name in enumerate(state.sides):
        lost_mass, total_mass = losses(state, side)
        reached = (
            lost_mass > 0 and lost_mass * 100 >= state.terms.share_of_losses(side) * total_mass
        )
        if reached and state.in_play(side) and not is_withdrawing(state, side):
            table.carry_out(FleetWithdrew(table.turn, name, lost_mass, total_mass))


def withdrawal_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a plot does not do for a ship whose fleet withdraws, "" where it does: it must
    not bring the ship nearer to the nearest enemy in sight than flying on as it does, unless that
    led into a body.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    if not ship.record.withdrawing or ship.status != FIGHTING or plot.ftl:
        return ""
    if plot.ram:
        return NO_RAMS
    if not plot.steers() or ship.docking != FREE:
        return ""
    here, on = (ship.x, ship.y), leg_of(ship, HOLD).path[-1]
    foe = _nearest(state, ship)
    if foe is None or is_blocked(state.pieces, here, on):
        return ""
    return TOO_NEAR if dist(leg_of(ship, plot).path[-1], foe) < dist(on, foe) - NEAR else ""


def _nearest(state: BattleState, ship: ShipState) -> Point | None:
    """Where the nearest enemy is that a ship sees, None where it sees none."""
    foes = [
        (other.x, other.y)
        for other in state.ships
        if other.status == FIGHTING
        and other.docking != BERTHED
        and state.hostile[ship.commander] >> other.commander & 1
    ]
    return min(foes, key=lambda foe: (dist((ship.x, ship.y), foe), foe), default=None)


def idle_fault(ship: ShipState) -> str:
    """The reason why a ship of a fleet that withdraws does not fire, "" where it may: it could make
    way, and does not.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    if not ship.record.withdrawing or not ship.thrust or ship.docking != FREE or ship.record.tug:
        return ""
    moves = ship.velocity if ship.drift is None else max(map(abs, ship.drift)) > NEAR
    return "" if moves or ship.sheet.kind == INSTALLATION else LYING_STILL
