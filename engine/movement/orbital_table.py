"""The orbital table, above a planet: ships that leave over an edge come back over the opposite one.

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
MAX_SHIFT = 6.0  # MU along the edge by which the player may shift the entry point
# (least thrust, turns that a ship needs to go round)
TURNS = ((5, 3), (2, 4), (0, 5))


def turns_round(thrust: int) -> int:
    """Return the number of turns after which a ship of this thrust comes in again.

    Rules: Continuum "Orbital table" 17.7
    """
    return next(turns for least, turns in TURNS if thrust >= least)


def fly_round_planet(table: Table, ship: ShipState, edge: str, at: Point) -> None:
    """Take a ship off the table over an edge to go round the planet.

    Rules: Continuum "Orbital table" 17.7
    """
    width, height = table.state.table
    opposite = (width - at[0], height - at[1])  # the same place, measured from the opposite corner
    due = table.turn + turns_round(ship.thrust)
    table.carry_out(
        WentRoundPlanet(
            table.turn,
            ship.id,
            edge=edge,
            at=at,
            comes_over=OPPOSITE[Edge(edge)],
            comes_at=opposite,
            due=due,
        )
    )


def round_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot come in where its plot says, or "" if it can.

    It must enter within 6 MU of the point where its orbit leads, on its own course.

    Rules: Continuum "Orbital table" 17.7 [pc.planets]
    """
    if ORBITAL_TABLE not in state.terms.options or ship.status != RETURNING or plot.enter is None:
        return ""
    x, y, course = plot.enter
    if ship.edge in (Edge.LEFT, Edge.RIGHT):
        along_edge, across_edge = abs(y - ship.y), abs(x - ship.x)
    else:
        along_edge, across_edge = abs(x - ship.x), abs(y - ship.y)
    is_near = along_edge <= MAX_SHIFT + NEAR and across_edge <= NEAR
    if course != ship.course or not is_near or not _is_on_table(state.table, x, y):
        return reason(
            "comes-course-within-mu",
            "it must enter on course {} over the {}, within {:g} MU of ({:g}, {:g})",
            *(ship.course, Edge.label_of(ship.edge), MAX_SHIFT, ship.x, ship.y),
        )
    return ""


def _is_on_table(table: Point, x: float, y: float) -> bool:
    """Return whether a place is on a table of this width and height."""
    return -NEAR <= x <= table[0] + NEAR and -NEAR <= y <= table[1] + NEAR


def entry_point(state: BattleState, ship: ShipState, plot: Plot) -> tuple[Point, int]:
    """Return where and on which course a ship enters: as plotted, or opposite to where it left."""
    if plot.enter is None or round_fault(state, ship, plot):
        return (ship.x, ship.y), ship.course
    return plot.enter[:2], plot.enter[2]
