"""Data of the plotting table: orders, the captain's orders, possible moves and arcs of own ships.

Pure. It finds the limits of turn and thrust by asking the engine. So whatever stops a ship from
moving also removes its points from the table. Scripts draw with this data; only the engine judges
sealed orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from campaign.forms.battle.craft_form import LAND
from campaign.forms.battle.fight_form import ORDER_TEXT, FormSight
from campaign.forms.battle.plot_form import MOVING, ORDER_BEFORE
from campaign.forms.field import for_scripts
from engine.captains.continuum.expected_fire import arc_coverage
from engine.continuum.drives import UseEmergencyThrust
from engine.core.edition import Edition
from engine.core.kinds import RETURNING
from engine.core.orders import MAIN_DRIVE, PUSHES, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import PLOT, BattleState
from engine.notation.orders import parse_plot
from engine.order_requests.plot import plot_faults
from engine.order_requests.plot_choices import possible_slots
from engine.ruleset import rules_of

ABOUT = 6  # course points of a half turn
# Fields that the plot scripts write
PLOT_FIELDS = for_scripts(order=ORDER_TEXT, was=ORDER_BEFORE, land=LAND)


def plots_data(
    sight: FormSight, payload: Mapping[str, Any], advice: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return each ship on the table that takes a plot, by id.

    Each is {order, captain, main, turning, pivot, pressed, whole, drift, bow, cover, steady}.
    `pressed` holds the main and turning points with emergency thrust, `bow` the number of clock
    points by which its arcs are rotated, `steady` the words it can plot only if it keeps course and
    velocity.
    """
    orders, advised = (_texts(document) for document in (payload, advice))
    result: dict[str, dict[str, Any]] = {}
    for ship in sight.ships:
        if ship.status in MOVING and ship.status != RETURNING:
            result[ship.id] = {
                "order": orders.get(ship.id, ""),
                "captain": advised.get(ship.id, ""),
            } | _ship(sight, ship)
    return result


def _texts(payload: Mapping[str, Any]) -> dict[str, str]:
    plots = payload.get(PLOT)
    if isinstance(plots, Mapping):
        return {str(key): str(text) for key, text in plots.items()}
    return {}


def _ship(sight: FormSight, ship: ShipState) -> dict[str, Any]:
    state = sight.state
    steady = _lone_words(state, ship)
    ship_data = (
        arcs_data(ship) | ({"steady": steady} if steady else {}) | _thrust_limits(state, ship)
    )
    if state.terms.edition == Edition.CONTINUUM:
        ship_data["whole"] = True
    if possible_slots(state, ship, UseEmergencyThrust) is not None:
        turning, main = rules_of(ship.sheet.edition).limits(state, ship)
        ship_data["pressed"] = {"main": main, "turning": turning}
    if ship.drift is not None:
        ship_data["drift"] = list(ship.drift)
    return ship_data


def arcs_data(ship: ShipState) -> dict[str, Any]:
    """Return a ship's position and arcs of fire: {x, y, course, v, cover, bow}."""
    cover = {}
    for arc, bands in arc_coverage(ship).items():
        cover[arc] = [round(number, 1) for number in bands]
    position: dict[str, Any] = {
        "x": ship.x,
        "y": ship.y,
        "course": ship.course,
        "v": ship.velocity,
        "cover": cover,
    }
    return position | ({"bow": 1} if ship.sheet.beta else {})


def _thrust_limits(state: BattleState, ship: ShipState) -> dict[str, Any]:
    """Return a ship's thrust points and how many of them can turn it, for plain moves."""
    turning, main = rules_of(ship.sheet.edition).limits(state, ship)

    def can(plot: Plot) -> bool:
        return not plot_faults(state, ship, plot)

    def most(limit: int, plot: Callable[[int], Plot]) -> int:
        return next((points for points in range(limit, 0, -1) if can(plot(points))), 0)

    if ship.drift is not None:
        return {
            "main": most(main, lambda points: Plot(burns=((MAIN_DRIVE, points),))),
            "turning": most(turning, lambda points: Plot(burns=((PUSHES[0], points),))),
        }
    pivot = not ship.velocity and can(Plot(turn=ABOUT))
    limits: dict[str, Any] = {
        "main": most(main, lambda points: Plot(thrust=points)),
        "turning": most(turning, lambda points: Plot(turn=points, thrust=1 if pivot else 0)),
    }
    return limits | ({"pivot": True} if pivot else {})


def _lone_words(state: BattleState, ship: ShipState) -> list[str]:
    """Return the single words, and `launch`, that this ship can only plot without any move."""
    edition = state.terms.edition
    grammar = rules_of(state.terms.edition).grammar
    bays = []
    for bay in ship.profile.bays:
        if ship.alive[bay] and ship.stock[bay]:
            bays.append(ship.sheet.fits[bay].id)
    alone = []
    for kind in grammar.further:
        if kind.slots is FurtherOrder.slots:
            alone.append(kind.word())
    least = "+1" if ship.drift is None else f"{MAIN_DRIVE}1"

    def able(text: str) -> bool:
        plot, _ = parse_plot(text, "", edition)
        return plot is not None and not plot_faults(state, ship, plot)

    words = (
        [*grammar.flags, "mine", *alone, *[f"launch {bay}" for bay in bays[:1]]]
        if able(least)
        else []
    )
    result: list[str] = []
    for word in words:
        if able(word) and not able(f"{least}; {word}"):
            result.append(word.partition(" ")[0])
    return result
