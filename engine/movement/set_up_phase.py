"""The set-up phase: the sides place bodies, then ships, all at once or in turn; turn 1 begins.

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
[pc.placing-in-turn]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.combat.detection import passive_scans
from engine.core.deployment import BY_SHIP, SetUpStage
from engine.core.kinds import AWAY_AT_START, FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.battle import (
    BodiesSetUp,
    BodySetUp,
    SetUpEnded,
    SetUpTurn,
    ShipSetUp,
    StationSetUp,
)
from engine.events.event import require_value
from engine.notation.body_places import find_body_faults, propose_bodies
from engine.notation.placing import Place, place_ships, settle_open_ships
from engine.pieces.group import Group


def set_up_ships(table: Table, places: Mapping[str, Place]) -> None:
    """Place what the sides place now, and go on to the next side or to turn 1.

    Ships and bodies without a valid place are where their captain proposed.
    """
    state = table.state
    stage = require_value(state.set_up)
    if stage.bodies:
        _set_up_bodies(table, stage, places)
        _pass_body_turn(table)
        return
    for side in range(len(state.sides)):
        if stage.is_asked(side):
            _set_up_side(table, stage, side, places)
    _pass_turn(table)
    if state.set_up is None:
        passive_scans(table)


def _set_up_bodies(table: Table, stage: SetUpStage, places: Mapping[str, Place]) -> None:
    """Place the bodies of the side whose turn it is."""
    state = table.state
    side = require_value(stage.side)
    due = sorted(stage.bodies_due(side), key=lambda body: body.id not in places)
    for body in due[: stage.most_bodies(side)]:
        place = places.get(body.id, {})
        if not place or find_body_faults(state, {body.id: place}, ""):
            at = propose_bodies(
                require_value(state.set_up), side, state.table, state.pieces, state.ships
            )[body.id]
            place = {"at": at}
        x, y = place["at"]
        ship = next((ship for ship in state.ships if ship.id == body.id), None)
        if ship is None:
            table.carry_out(BodySetUp(table.turn, body.id, (float(x), float(y))))
        else:
            course = place.get("course", ship.course)
            table.carry_out(StationSetUp(table.turn, ship.id, (float(x), float(y)), course))


def _pass_body_turn(table: Table) -> None:
    """Give the turn to the side that places the next body, or go on to the ships."""
    state = table.state
    stage = require_value(state.set_up)
    if stage.bodies:
        side = stage.bodies[0].by
        if side is None:
            side = (require_value(stage.side) + 1) % len(state.sides)
        table.carry_out(SetUpTurn(table.turn, state.sides[side]))
        return
    table.carry_out(BodiesSetUp(table.turn))
    stage = require_value(state.set_up)
    if not stage.open_ids:
        table.carry_out(SetUpEnded(table.turn))
        passive_scans(table)
    elif stage.side is not None:
        _call_side(table, stage, stage.side)


def _call_side(table: Table, stage: SetUpStage, side: int) -> None:
    """Give the turn to a side, or to the next one that has ships to place."""
    state = table.state
    while not stage.ships_of(side, state.ships):
        side = (side + 1) % len(state.sides)
    table.carry_out(SetUpTurn(table.turn, state.sides[side]))


def _set_up_side(table: Table, stage: SetUpStage, side: int, places: Mapping[str, Place]) -> None:
    """Place the ships of a side that are due, and report where they are."""
    state = table.state
    ships = _due_ships(state, stage, side, places)
    settle_open_ships(state, side)
    chosen: dict[str, Place] = {ship.id: places[ship.id] for ship in ships if ship.id in places}
    flights = {piece.id for piece in state.pieces_of(Group)}
    _place_if_valid(table, side, chosen)
    _keep_one_on_table(state, side, ships)
    launched: dict[str, list[tuple[str, str]]] = {}
    for group in state.pieces_of(Group):
        if group.id not in flights:
            launched.setdefault(group.ship, []).append((group.bay, group.contact))
    for ship in ships:
        table.tell(
            ShipSetUp,
            ship.id,
            at=(ship.x, ship.y),
            course=ship.course,
            velocity=ship.velocity,
            drift=ship.drift,
            status=ship.status,
            due=ship.due,
            dock=ship.dock,
            docking=ship.docking,
            facts=ship.facts(),
            flights=tuple(launched.get(ship.id, ())),
        )
        state.set_up = require_value(state.set_up).without(ship.id)


def _due_ships(
    state: BattleState, stage: SetUpStage, side: int, places: Mapping[str, Place]
) -> list[ShipState]:
    """Return the ships that a side places now: by ship those that it chose, then the next ones."""
    ships = stage.ships_of(side, state.ships)
    if stage.plan.manner != BY_SHIP:
        return ships
    ships.sort(key=lambda ship: (stage.plan.rank(ship), ship.id not in places))
    return ships[: stage.plan.step]


def _place_if_valid(table: Table, side: int, chosen: Mapping[str, Place]) -> None:
    """Place ships where their side has chosen, leaving out places that are not valid together."""
    trial = table.state.copy()
    if not place_ships(trial, side, chosen, ""):
        place_ships(table.state, side, chosen, "")
        return
    for ship_id, place in chosen.items():
        trial = table.state.copy()
        if not place_ships(trial, side, {ship_id: place}, ""):
            place_ships(table.state, side, {ship_id: place}, "")


def _keep_one_on_table(state: BattleState, side: int, placed: Sequence[ShipState]) -> None:
    """Put a ship of a side on the table if allies together have held all of them back.

    Args:
        placed: The ships that the side places now. Others stay as they are: earlier ones have been
            reported, and the battle file keeps some in FTL.
    """
    real_ships = [ship for ship in state.ships if ship.owner == side and not ship.dummy]
    if any(ship.status not in AWAY_AT_START for ship in real_ships):
        return
    for ship in placed:
        if not ship.dummy:
            ship.status, ship.due = FIGHTING, 0
            return


def _pass_turn(table: Table) -> None:
    """Give the turn to the next side that has ships to place, or end the set-up."""
    state = table.state
    stage = require_value(state.set_up)
    if not stage.open_ids or stage.side is None:
        table.carry_out(SetUpEnded(table.turn))
        return
    _call_side(table, stage, (stage.side + 1) % len(state.sides))
