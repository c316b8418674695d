"""The orbital table: it lies above a planet, and who flies over an edge goes round and comes in
over the opposite one.

Rules: Continuum "Orbital table" 17.7 [pc.planets]
"""

from __future__ import annotations

from engine.core.geometry import NEAR, Point
from engine.core.kinds import RETURNING, Edge
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ORBITAL_TABLE
from engine.events.orbits import WentRoundPlanet

OPPOSITE = {
    Edge.LEFT: Edge.RIGHT,
    Edge.RIGHT: Edge.LEFT,
    Edge.TOP: Edge.BOTTOM,
    Edge.BOTTOM: Edge.TOP,
}
ASIDE = 6.0  # MU along the edge by which it may come in elsewhere
# Turns that a ship takes round, by the least thrust that has them.
TURNS = ((5, 3), (2, 4), (0, 5))


def turns_round(thrust: int) -> int:
    """The turns after which a ship of so much thrust comes in again.

    Rules: Continuum "Orbital table" 17.7
    """
    return next(turns for least, turns in TURNS if thrust >= least)


def fly_round_planet(table: Table, ship: ShipState, edge: str, at: Point) -> None:
    """A ship leaves the table over an edge for a way round the planet.

    Rules: Continuum "Orbital table" 17.7
    """
    width, height = table.state.table
    opposite = (width - at[0], height - at[1])  # as far from the corner diagonally opposite
    due = table.turn + turns_round(ship.thrust)
    table.carry_out(
        WentRoundPlanet(table.turn, ship.id, edge, at, OPPOSITE[Edge(edge)], opposite, due)
    )


def round_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a ship cannot come in where its plot says, "" where it can: within 6 MU of
    where its way round leads, on its own course. Rules: Continuum "Orbital table" 17.7 [pc.planets]
    """
    if ORBITAL_TABLE not in state.terms.options or ship.status != RETURNING or plot.enter is None:
        return ""
    x, y, course = plot.enter
    along = abs(y - ship.y) if ship.edge in (Edge.LEFT, Edge.RIGHT) else abs(x - ship.x)
    across = abs(x - ship.x) if ship.edge in (Edge.LEFT, Edge.RIGHT) else abs(y - ship.y)
    if course != ship.course or along > ASIDE + NEAR or across > NEAR or not _on(state.table, x, y):
        return reason(
            "comes-course-within-mu",
            "it comes in on course {}, on the {}, within {:g} MU of ({:g}, {:g})",
            *(ship.course, Edge.label_of(ship.edge), ASIDE, ship.x, ship.y),
        )
    return ""


def _on(table: Point, x: float, y: float) -> bool:
    return -NEAR <= x <= table[0] + NEAR and -NEAR <= y <= table[1] + NEAR


def entry_point(state: BattleState, ship: ShipState, plot: Plot) -> tuple[Point, int]:
    """Where a ship comes in, and on which course: where its plot says, else right opposite to where
    it left.
    """
    if plot.enter is None or round_fault(state, ship, plot):
        return (ship.x, ship.y), ship.course
    return plot.enter[:2], plot.enter[2]
