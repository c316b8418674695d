"""Fleet morale, an option: a fleet with heavy losses withdraws.

Its ships leave for good as they can, under FTL or over an edge, and may fire on the way. Other
sides are not notified.

Rules: Continuum "Fleet morale" 12.8 [pc.morale]
"""

from __future__ import annotations

from engine.combat.line_of_sight import is_blocked
from engine.continuum.legs import leg_of
from engine.core.geometry import NEAR, Point, dist
from engine.core.kinds import DESTROYED, FIGHTING, HULK, INSTALLATION
from engine.core.orders import HOLD, Plot
from engine.core.reason import reason
from engine.core.ship import BERTHED, FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.battle import FleetWithdrew

NO_RAMS = reason("no-rams", "its fleet is withdrawing: it cannot ram")
TOO_NEAR = reason(
    "withdrawing-too-near",
    "its fleet is withdrawing: it may not end its move closer to the nearest enemy than if it "
    "flew straight on",
)
LYING_STILL = reason(
    "lies-to", "its fleet is withdrawing: a ship at rest that has thrust cannot fire"
)


def losses(state: BattleState, side: int) -> tuple[int, int]:
    """Return the mass a side has lost and the mass it came with.

    Destroyed, derelict and captured ships are lost. Installations and decoys do not count.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    fleet = []
    for ship in state.ships:
        if ship.owner == side and not ship.dummy and ship.sheet.kind != INSTALLATION:
            fleet.append(ship)
    lost_ships = []
    for ship in fleet:
        if ship.status in (DESTROYED, HULK) or ship.is_taken_over:
            lost_ships.append(ship)
    return sum(ship.sheet.mass for ship in lost_ships), sum(ship.sheet.mass for ship in fleet)


def is_withdrawing(state: BattleState, side: int) -> bool:
    """Return whether a side's fleet withdraws.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    return any(ship.record.withdrawing for ship in state.ships if ship.commander == side)


def check_losses(table: Table) -> None:
    """Let each side with too many losses withdraw from now on, at the end of a turn.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    state = table.state
    for side, name in enumerate(state.sides):
        lost_mass, total_mass = losses(state, side)
        reached = (
            lost_mass > 0
            and lost_mass * 100 >= state.terms.withdrawal_percentage(side) * total_mass
        )
        if reached and state.in_play(side) and not is_withdrawing(state, side):
            table.carry_out(FleetWithdrew(table.turn, name, lost_mass, total_mass))


def withdrawal_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship of a withdrawing fleet cannot fly a plot, or "".

    The plot must not end nearer to the nearest visible enemy than drifting on would, unless that
    leads into a body.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    if not ship.record.withdrawing or ship.status != FIGHTING or plot.ftl:
        return ""
    if plot.ram:
        return NO_RAMS
    if not plot.steers() or ship.docking != FREE:
        return ""
    start = (ship.x, ship.y)
    drift_end = leg_of(ship, HOLD).path[-1]
    enemy = _nearest_enemy(state, ship)
    if enemy is None or is_blocked(state.pieces, start, drift_end):
        return ""
    if dist(leg_of(ship, plot).path[-1], enemy) < dist(drift_end, enemy) - NEAR:
        return TOO_NEAR
    return ""


def _nearest_enemy(state: BattleState, ship: ShipState) -> Point | None:
    """Return the place of the nearest enemy that a ship sees, or None."""
    enemies = []
    for other in state.ships:
        if (
            other.status == FIGHTING
            and other.docking != BERTHED
            and state.hostile[ship.commander] >> other.commander & 1
        ):
            enemies.append((other.x, other.y))
    return min(enemies, key=lambda enemy: (dist((ship.x, ship.y), enemy), enemy), default=None)


def idle_fault(ship: ShipState) -> str:
    """Return the reason why a ship of a withdrawing fleet cannot fire, or "".

    A ship that could move but stays at rest does not fire.

    Rules: Continuum "Fleet morale" 12.8 [pc.morale]
    """
    if not ship.record.withdrawing or not ship.thrust or ship.docking != FREE or ship.record.tug:
        return ""
    if ship.drift is None:
        moves = ship.velocity
    else:
        moves = max(map(abs, ship.drift)) > NEAR
    if moves or ship.sheet.kind == INSTALLATION:
        return ""
    return LYING_STILL
