"""The places that the sides give to bodies in the set-up phase, before they place ships.

Bodies that the sides place in turn come first, one at a time; then each side places its own.

Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]; Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.deployment import OpenBody, SetUpStage
from engine.core.errors import Violation
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.core.zones import is_in_body
from engine.notation import start_words
from engine.notation.battle_ships import read_pair
from engine.notation.open_bodies import STATION_PLACE_KEYS, free_place, place_fault
from engine.notation.reading import Reader, join_place
from engine.notation.set_up import Unit
from engine.pieces.asteroid import Asteroid
from engine.pieces.piece import Piece

Place = Mapping[str, Any]


def find_body_faults(
    state: BattleState, places: Mapping[str, Place], where: str
) -> list[Violation]:
    """Return the faults of the places that a side gives to bodies now; nothing is changed.

    Args:
        places: The place of each body by its name, and nothing else.
        where: The path of the places in their document.
    """
    stage = state.set_up
    assert stage is not None
    side = stage.side if stage.side is not None else 0
    due = {body.id: body for body in stage.bodies_due(side)}
    reader = Reader()
    chosen: dict[str, Point] = {}
    for name, place in places.items():
        spot = f"{where}.{name}"
        if name not in due or len(chosen) >= stage.most_bodies(side):
            reader.fault(spot, "out-of-turn", phrase("it is not this body's turn"))
            continue
        before = len(reader.faults)
        at = _read_place(reader, state, place, spot)
        if len(reader.faults) > before:
            continue
        occupied_places = [*_others(stage, due[name], state.pieces), *chosen.values()]
        if words := place_fault(at, due[name], occupied_places, state.table):
            reader.fault(join_place(spot, "at"), "deployment", words)
        elif _is_on_ship(state, stage, due[name], at):
            words = phrase("a ship is where this body would be")
            reader.fault(join_place(spot, "at"), "in-body", words)
        chosen[name] = at
    return reader.faults


def _read_place(reader: Reader, state: BattleState, place: Mapping[Any, Any], spot: str) -> Point:
    """Return the point of a place; faults go to the reader."""
    is_ship = any(spot.endswith(f".{ship.id}") for ship in state.ships)
    reader.keys(place, STATION_PLACE_KEYS if is_ship else ("at",), spot)
    if "course" in place and not 1 <= reader.number(place, "course", spot) <= 12:
        reader.fault(join_place(spot, "course"), "course", start_words.COURSES)
    return read_pair(reader, data=place, key="at", where=spot, default=None)


def _others(stage: SetUpStage, body: OpenBody, pieces: Iterable[Piece]) -> list[Point]:
    """Return the places of the bodies from which a body keeps its distance."""
    places = []
    for piece in pieces:
        counts = isinstance(piece, Asteroid) if body.is_asteroid else piece.body
        if counts and piece.id not in stage.body_ids:
            places.append((piece.x, piece.y))
    return places


def _is_on_ship(state: BattleState, stage: SetUpStage, body: OpenBody, at: Point) -> bool:
    """Return whether a ship that has its place is inside a body at a point."""
    for ship in state.ships:
        has_place = ship.id not in stage.open_ids and ship.id not in stage.body_ids
        if not has_place or ship.status != FIGHTING:
            continue
        if is_in_body((ship.x, ship.y), [(at, body.radius)]):
            return True
    return False


def propose_bodies(
    stage: SetUpStage,
    side: int,
    table: Point,
    pieces: Sequence[Piece],
    units: Sequence[Unit],
) -> dict[str, Point]:
    """Return where a captain would place the bodies that its side places now, by name.

    Each is as far from the others as possible, so that no part of the table is without cover.

    Args:
        units: The ships and contacts on the table.
    """
    ships = []
    for unit in units:
        if unit.id not in stage.open_ids and unit.id not in stage.body_ids:
            ships.append((unit.x, unit.y))
    places: dict[str, Point] = {}
    for body in stage.bodies_due(side)[: stage.most_bodies(side)]:
        occupied_places = [*_others(stage, body, pieces), *places.values()]
        place = free_place(table, occupied_places, ships, body.apart)
        places[body.id] = place or (table[0] / 2, table[1] / 2)
    return places
