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

HALF_TURN = 6  # course points
# Fields that the plot scripts write
PLOT_FIELDS = for_scripts(order=ORDER_TEXT, was=ORDER_BEFORE, land=LAND)


def plots_data(
    sight: FormSight, payload: Mapping[str, Any], advice: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return each ship on the table that takes a plot, by id.

    Each is {order, captain, main, turning, pivot, pressed, whole, drift, bow, cover, steady}.
    `main` and `turning` are the points of thrust and of turns, `pivot` is set if the ship can turn
    about without moving, `pressed` holds both with emergency thrust. `whole` is set under
    Continuum, `drift` is the velocity under vector movement, `bow` the number of clock points by
    which its arcs are rotated. `steady` lists the words it can plot only if it keeps course and
    velocity.

    Args:
        advice: The captain's proposal.
    """
    orders = _plot_texts(payload)
    advised_orders = _plot_texts(advice)
    result: dict[str, dict[str, Any]] = {}
    for ship in sight.ships:
        if ship.status in MOVING and ship.status != RETURNING:
            result[ship.id] = {
                "order": orders.get(ship.id, ""),
                "captain": advised_orders.get(ship.id, ""),
            } | _ship_data(sight, ship)
    return result


def _plot_texts(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return a payload's plots as text by ship."""
    plots = payload.get(PLOT)
    if isinstance(plots, Mapping):
        return {str(key): str(text) for key, text in plots.items()}
    return {}


def _ship_data(sight: FormSight, ship: ShipState) -> dict[str, Any]:
    """Return a ship's position, arcs, limits of movement and words that exclude a move."""
    state = sight.state
    ship_data = arcs_data(ship)
    if steady_words := _words_without_move(state, ship):
        ship_data["steady"] = steady_words
    ship_data |= _thrust_limits(state, ship)
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
        cover[arc] = [round(band, 1) for band in bands]
    data: dict[str, Any] = {
        "x": ship.x,
        "y": ship.y,
        "course": ship.course,
        "v": ship.velocity,
        "cover": cover,
    }
    if ship.sheet.beta:
        data["bow"] = 1
    return data


def _thrust_limits(state: BattleState, ship: ShipState) -> dict[str, Any]:
    """Return a ship's thrust points and how many of them can turn it, for plain moves."""
    most_turning, most_main = rules_of(ship.sheet.edition).limits(state, ship)

    def can_plot(plot: Plot) -> bool:
        return not plot_faults(state, ship, plot)

    def most_points(limit: int, plot_with: Callable[[int], Plot]) -> int:
        """Return the largest number of points up to the limit that the ship can plot, or 0."""
        for points in range(limit, 0, -1):
            if can_plot(plot_with(points)):
                return points
        return 0

    if ship.drift is not None:
        return {
            "main": most_points(most_main, lambda points: Plot(burns=((MAIN_DRIVE, points),))),
            "turning": most_points(most_turning, lambda points: Plot(burns=((PUSHES[0], points),))),
        }
    can_pivot = not ship.velocity and can_plot(Plot(turn=HALF_TURN))
    # A ship that also thrusts does not pivot, so the usual limit of turns applies
    thrust = 1 if can_pivot else 0
    limits: dict[str, Any] = {
        "main": most_points(most_main, lambda points: Plot(thrust=points)),
        "turning": most_points(most_turning, lambda points: Plot(turn=points, thrust=thrust)),
    }
    if can_pivot:
        limits["pivot"] = True
    return limits


def _words_without_move(state: BattleState, ship: ShipState) -> list[str]:
    """Return the single words, and `launch`, that this ship can only plot without any move."""
    edition = state.terms.edition
    least_move = "+1" if ship.drift is None else f"{MAIN_DRIVE}1"

    def can_plot(text: str) -> bool:
        plot, _ = parse_plot(text, "", edition)
        return plot is not None and not plot_faults(state, ship, plot)

    if not can_plot(least_move):
        return []
    result: list[str] = []
    for order in (*_single_words(edition), *_one_launch(ship)):
        if can_plot(order) and not can_plot(f"{least_move}; {order}"):
            result.append(order.partition(" ")[0])
    return result


def _single_words(edition: Edition) -> list[str]:
    """Return the words of an edition's plots that take no arguments, and `mine`."""
    grammar = rules_of(edition).grammar
    words = [*grammar.flags, "mine"]
    for kind in grammar.further:
        if kind.slots is FurtherOrder.slots:  # not overridden: the word has no slots
            words.append(kind.word())
    return words


def _one_launch(ship: ShipState) -> list[str]:
    """Return the order that launches a ship's first bay with craft, or nothing if it has none."""
    for bay in ship.profile.bays:
        if ship.alive[bay] and ship.stock[bay]:
            return [f"launch {ship.sheet.fits[bay].id}"]
    return []
