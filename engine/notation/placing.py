"""The places that a side gives its ships in the set-up phase of a battle.

A place has the keys of an entry of `set_up` in a battle file, and the same checks
(`engine.notation.set_up`).

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.deployment import BY_SHIP, SetUpStage
from engine.core.errors import Violation, fault_path
from engine.core.geometry import initial_drift
from engine.core.ids import NO_SHIP
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.terms import NO_FTL
from engine.notation import start_words
from engine.notation.battle_craft import put_groups, read_groups
from engine.notation.battle_ships import read_place
from engine.notation.body_places import find_body_faults
from engine.notation.gates import note_gate_entries
from engine.notation.orbits import read_orbits
from engine.notation.reading import Reader, join_place
from engine.notation.riders import read_riders
from engine.notation.set_up import SetUp, SetUpCheck, with_entry
from engine.notation.stands import read_stands
from engine.notation.terms import dock_ships, read_ftl_entries
from engine.pieces.gate import Gate

Place = Mapping[str, Any]


def place_ships(
    state: BattleState, side: int, places: Mapping[str, Place], where: str
) -> list[Violation]:
    """Put ships of a side where it has chosen, in place, and return the faults of the places.

    Args:
        places: The place of each ship by its id.
        where: The path of the places in their document.
    """
    faults: list[Violation] = []
    ships: list[ShipState] = []
    rows: list[Mapping[Any, Any]] = []
    for ship in state.ships:
        if ship.id not in places:
            continue
        row = _row_of(ship, places[ship.id])
        reader = Reader()
        _put_on_table(reader, state, ship, row, where=_row_path(0))
        faults += _faults_at_places(reader.faults, places, [ship], where)
        if not reader.faults:
            ships.append(ship)
            rows.append(row)
    document: dict[object, object] = {
        "edition": state.terms.edition,
        "sides": [{"ships": rows}],
    }
    reader = Reader()
    _read_special_places(reader, document, state)
    readable_places: dict[str, Place] = {ship.id: places[ship.id] for ship in ships}
    _check(reader, state, side, readable_places, ships=ships, where=where)
    return faults + _faults_at_places(reader.faults, places, ships, where)


def _row_of(ship: ShipState, place: Place) -> Mapping[Any, Any]:
    """Return the entry of a ship in the small battle file by which places are read."""
    proposal = {
        "id": ship.id,
        "at": [ship.x, ship.y],
        "course": ship.course,
        "velocity": ship.velocity,
    }
    return with_entry(proposal, place)


def _row_path(number: int) -> str:
    """Return the path of a row in the small battle file by which places are read."""
    return join_place(fault_path("sides", 0), fault_path("ships", number))


def _put_on_table(
    reader: Reader, state: BattleState, ship: ShipState, row: Mapping[Any, Any], where: str
) -> None:
    """Put a ship on the table at its place, course and velocity."""
    at, course, velocity = read_place(reader, row, where, state.table)
    facing = course
    if "facing" in row and ship.drift is None:
        words = phrase("only a ship in vector movement can face away from its course")
        reader.fault(f"{where}.facing", "facing", words)
    elif "facing" in row:
        facing = reader.number(row, "facing", where)
        if not 1 <= facing <= 12:
            reader.fault(f"{where}.facing", "facing", start_words.COURSES)
    if ship.drift is not None and 1 <= course <= 12:
        ship.drift = initial_drift(course, velocity)
    ship.x, ship.y = at
    ship.course, ship.velocity = facing, velocity
    ship.status, ship.due = FIGHTING, 0
    ship.dock, ship.docking = NO_SHIP, FREE


def _read_special_places(
    reader: Reader, document: Mapping[object, object], state: BattleState
) -> None:
    """Put ships in FTL space, docks, orbits and on stands, and craft in flight."""
    ships, edition = state.ships, state.terms.edition
    read_ftl_entries(reader, document, ships, no_ftl=NO_FTL in state.terms.options)
    dock_ships(reader, document, ships, dict(state.terms.berths))
    read_stands(reader, document, edition, ships)
    read_riders(reader, document, edition, ships)
    groups = read_groups(reader, document, ships, state.table)
    read_orbits(reader, document, ships, state.pieces)
    note_gate_entries(reader, document, ships, state.pieces_of(Gate))
    if not reader.faults:
        put_groups(state, groups)


def _check(
    reader: Reader,
    state: BattleState,
    side: int,
    places: Mapping[str, Place],
    *,
    ships: Sequence[ShipState],
    where: str,
) -> None:
    """Report places that the side's zone does not allow."""
    stage = state.set_up
    assert stage is not None
    set_up = _set_up_of(stage, places, ships, where)
    set_up.unplaced = [ship.id for ship in state.ships if ship.id not in places]
    for ship in state.ships:
        if ship.sheet.kind == INSTALLATION and ship.id not in stage.open_ids:
            set_up.fixed.add(ship.id)
    seen = [ship for ship in state.ships if not stage.hides(ship, side)]
    check = SetUpCheck(reader, set_up, seen, state.pieces, state.table, state.hostile)
    check.check_side(side)


def _set_up_of(
    stage: SetUpStage, places: Mapping[str, Place], ships: Sequence[ShipState], where: str
) -> SetUp:
    """Return the places as the set-up of a battle file."""
    set_up = SetUp(stage.plan, open_gates=stage.open_gates)
    for number, ship in enumerate(ships):
        set_up.entry_places[ship.id] = f"{where}.{ship.id}"
        set_up.entry_keys[ship.id] = tuple(places[ship.id])
        set_up.ship_places[ship.id] = _row_path(number)
    return set_up


def _faults_at_places(
    faults: Sequence[Violation],
    places: Mapping[str, Place],
    ships: Sequence[ShipState],
    where: str,
) -> list[Violation]:
    """Return faults with their paths in the document of the places."""
    path_by_row = {_row_path(number): f"{where}.{ship.id}" for number, ship in enumerate(ships)}
    keys_by_path = {f"{where}.{ship.id}": places[ship.id] for ship in ships}
    result = []
    for fault in faults:
        path = fault.where
        for row_path, ship_path in path_by_row.items():
            if path.startswith(row_path):
                path = ship_path + path.removeprefix(row_path)
                break
        owner, is_group, _ = path.partition(".groups.")
        if is_group and "aloft" in keys_by_path.get(owner, ()):
            fault = Violation(f"{owner}.aloft", "aloft", fault.message)
        elif path.startswith("sides["):
            fault = Violation(where, fault.code, fault.message)
        else:
            fault = Violation(path, fault.code, fault.message)
        result.append(fault)
    return result


def settle_open_ships(state: BattleState, side: int) -> None:
    """Move ships that a side has still to place, if the place proposed for them is not valid."""
    stage = state.set_up
    assert stage is not None
    set_up = SetUp(stage.plan, unplaced=list(stage.open_ids))
    seen = [ship for ship in state.ships if not stage.hides(ship, side)]
    check = SetUpCheck(Reader(), set_up, seen, state.pieces, state.table, state.hostile)
    check.place_open_ships(side)


def find_place_faults(
    state: BattleState, places: Mapping[str, Place], where: str
) -> list[Violation]:
    """Return the faults of the places that one side gives now; nothing is changed."""
    stage = state.set_up
    assert stage is not None
    if stage.bodies:
        return find_body_faults(state, places, where)
    faults = turn_faults_at(state, places, where)
    sides = {ship.owner for ship in state.ships if ship.id in places}
    if faults or not sides:
        return faults
    return place_ships(state.copy(), min(sides), places, where)


def turn_faults_at(state: BattleState, places: Mapping[str, Place], where: str) -> list[Violation]:
    """Return a fault for each ship that cannot be placed now."""
    stage = state.set_up
    assert stage is not None
    faults = []
    placed: list[ShipState] = []
    for ship in state.ships:
        if ship.id not in places:
            continue
        if not stage.is_asked(ship.owner) or ship.id not in stage.open_ids:
            words = phrase("it is not this ship's turn")
            faults.append(Violation(f"{where}.{ship.id}", "out-of-turn", words))
        else:
            placed.append(ship)
    if stage.plan.manner != BY_SHIP or not placed:
        return faults
    own = stage.ships_of(placed[0].owner, state.ships)
    remaining = [ship for ship in own if ship not in placed]
    earliest = min((stage.plan.rank(ship) for ship in remaining), default=len(stage.plan.order))
    for number, ship in enumerate(sorted(placed, key=stage.plan.rank)):
        if number >= stage.plan.step or stage.plan.rank(ship) > earliest:
            words = phrase("it is not this ship's turn")
            faults.append(Violation(f"{where}.{ship.id}", "out-of-turn", words))
    return faults
