"""The jump gates of a battle file, and the ships that arrive through them.

The entry is `gates: [{id: gate-1, at: [60, 24], mass: 400, side: esu, active: true, facing: 3}]`.
`kind` is gate (the default), portal or jump-point; `to` is the gate on this table at which a portal
lets ships out. `ship` names a base of the file that carries a jump gate or portal: the gate takes
its place and mass from the base and is lost with it. A ship with `ftl_entry` and `gate` arrives
through that gate.

Rules: Continuum "Jump gates and portals", "Natural jump gates" 11.9, 11.10 [pc.gates]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.continuum.gates import SYSTEMS
from engine.core.edition import Edition
from engine.core.errors import fault_path
from engine.core.geometry import Point
from engine.core.ids import NO_SHIP
from engine.core.kinds import INBOUND, GateShape
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.notation import start_words
from engine.notation.battle_ships import read_position
from engine.notation.reading import Reader, ship_entries
from engine.pieces.gate import CLOSED, Gate
from engine.pieces.piece import NOBODY

MAX_GATES = 20
MAX_MASS = 100_000
GATE_KEYS = ("id", "at", "mass", "kind", "side", "active", "facing", "to", "ship")
WORDS = (phrase("expected a list of gates"), phrase("a gate needs an id and a position"))


def read_gates(
    reader: Reader,
    document: Mapping[object, object],
    names: Sequence[str],
    ships: Sequence[ShipState],
    table: Point,
) -> list[Gate]:
    """Return the gates of a file, and record on ships by which gate they arrive.

    Faults go to the reader.

    Args:
        names: The names of the sides.
    """
    if "gates" in document and document.get("edition") != Edition.CONTINUUM:
        reader.fault("gates", "gates", phrase("gates need the Continuum edition"))
        return []
    gates: list[Gate] = []
    for item, where in reader.rows(document.get("gates", []), GATE_KEYS, "gates", WORDS):
        gate = _read_gate(reader, item, where, names, ships=ships, table=table)
        gate.number = len(gates) + 1
        if not gate.id or " " in gate.id or gate.id in [other.id for other in gates]:
            reader.fault(
                f"{where}.id",
                "gate-id",
                phrase("expected a unique name without spaces"),
            )
        gates.append(gate)
    _check_ends(reader, gates)
    note_gate_entries(reader, document, ships, gates)
    return gates


def _check_ends(reader: Reader, gates: Sequence[Gate]) -> None:
    """Report gates with an exit that are no portals, or whose exit is no other gate."""
    for number, gate in enumerate(gates):
        other_ids = [other.id for other in gates if other is not gate]
        if gate.end and (gate.end not in other_ids or gate.shape != GateShape.PORTAL):
            reader.fault(
                f"{fault_path('gates', number)}.to",
                "gate-to",
                phrase("a portal must lead to another gate of this table"),
            )


def _read_gate(
    reader: Reader,
    item: Mapping[Any, Any],
    where: str,
    names: Sequence[str],
    ships: Sequence[ShipState],
    table: Point,
) -> Gate:
    """Return one gate; its number in the file is still 0."""
    name = reader.text(item, "id", where)
    shape: str = GateShape.GATE
    if "kind" in item:
        shape = reader.choice(item, "kind", tuple(GateShape), where)
    base = _base(reader, item, where, ships) if "ship" in item else None
    mass = reader.number(item, "mass", where, default=0)
    if base is not None:
        x, y = base.x, base.y
        shape, mass = _shape_and_mass(base)
        _check_left_out(reader, item, where)
    else:
        x, y = read_position(reader, item, where, table)
    _check_mass(reader, where, shape, mass)
    side = reader.choice(item, "side", names, where) if "side" in item else ""
    facing = _facing(reader, item, where)
    is_open = reader.flag(item, "active", where) or not mass
    return Gate(
        id=name,
        x=x,
        y=y,
        number=0,
        shape=GateShape(shape or GateShape.GATE),
        mass=mass,
        used_mass=0,
        opens=0 if is_open else CLOSED,
        controller=names.index(side) if side else NOBODY,
        ship=base.id if base is not None else NO_SHIP,
        facing=facing,
        end=reader.text(item, "to", where, default=""),
    )


def _facing(reader: Reader, item: Mapping[Any, Any], where: str) -> int:
    """Return the course on which ships must enter a gate; 0: any."""
    facing = reader.number(item, "facing", where, default=0)
    if "facing" in item and not 1 <= facing <= 12:
        reader.fault(
            f"{where}.facing",
            "gate-facing",
            phrase("expected the course on which ships enter, 1 to 12"),
        )
    return facing


def _shape_and_mass(base: ShipState) -> tuple[GateShape, int]:
    """Return the shape of the gate that a base carries, and the mass it transfers in a turn."""
    system = next(
        (type_ for type_ in SYSTEMS if type_ in base.profile.indexes_by_type), "jump-gate"
    )
    places = base.profile.indexes_by_type.get(system, ())
    return SYSTEMS[system], sum(base.sheet.fits[index].size for index in places)


def _check_left_out(reader: Reader, item: Mapping[Any, Any], where: str) -> None:
    """Report what a gate must not give itself because it follows from its base."""
    for key in ("at", "mass", "kind", "side"):
        if key in item:
            reader.fault(
                f"{where}.{key}",
                "gate-of-a-base",
                phrase("leave this out: it follows from the base that holds the gate"),
            )


def _check_mass(reader: Reader, where: str, shape: str, mass: int) -> None:
    """Report a mass that a gate of this shape cannot transfer in a turn."""
    if not 0 <= mass <= MAX_MASS:
        reader.fault(
            f"{where}.mass",
            "gate-mass",
            phrase("expected the mass it transfers in a turn; leave it out for no limit"),
        )
    if shape == GateShape.JUMP_POINT and mass:
        reader.fault(f"{where}.mass", "gate-mass", phrase("a jump point has no mass limit"))


def _base(
    reader: Reader, item: Mapping[Any, Any], where: str, ships: Sequence[ShipState]
) -> ShipState | None:
    """Return the base that carries a gate."""
    name = reader.text(item, "ship", where)
    base = next((ship for ship in ships if ship.id == name), None)
    if base is None or not any(type_ in base.profile.indexes_by_type for type_ in SYSTEMS):
        reader.fault(
            f"{where}.ship",
            "gate-ship",
            phrase("expected a base with a {}", " or ".join(SYSTEMS)),
        )
        return None
    base.bogey = False  # everybody recognises it
    return base


def note_gate_entries(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    gates: Sequence[Gate],
) -> None:
    """Record on ships by which gate they arrive.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    gates_by_id = {gate.id: gate for gate in reversed(gates)}
    for spot, item in ship_entries(document):
        if "gate" not in item:
            continue
        where = f"{spot}.gate"
        name = item["gate"]
        gate = gates_by_id.get(name) if isinstance(name, str) else None
        ship = ships_by_id.get(str(item.get("id")))
        if gate is None or ship is None or ship.status != INBOUND:
            reader.fault(where, "gate", start_words.GATE_AND_TURN)
        elif ship.velocity > ship.sheet.thrust:
            reader.fault(where, "gate", start_words.gate_velocity(ship.sheet.thrust))
        else:
            ship.record = ship.record.with_values(by_gate=gate.number)


def read_open_gates(reader: Reader, document: Mapping[Any, Any]) -> dict[str, tuple[str, ...]]:
    """Return the gates out of which ships may come, by ship, for ships whose entry lists them."""
    result: dict[str, tuple[str, ...]] = {}
    for where, ship in ship_entries(document):
        if "gates" in ship:
            names = reader.items(ship, "gates", where)
            result[str(ship.get("id"))] = tuple(str(name) for name in names)
    return result


def usable_gates(
    state: BattleState, ship: ShipState, open_gates: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the gates of a battle out of which a ship may come when its side sets up.

    Args:
        open_gates: The gates listed for each ship that has a list.
    """
    gates = state.pieces_of(Gate)
    return gates_open_to(ship, gates, state.ships, state.hostile, open_gates)


def gates_open_to(
    ship: ShipState,
    gates: Iterable[Gate],
    ships: Sequence[ShipState],
    hostile: Sequence[int],
    open_gates: Mapping[str, Sequence[str]],
) -> list[str]:
    """Return the gates out of which a ship may come when its side sets up.

    They are those that its entry lists, without a list those that no enemy of its side controls.

    Args:
        hostile: The bits of each side's enemies.
        open_gates: The gates listed for each ship that has a list.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    result = []
    for gate in gates:
        base = next((other for other in ships if gate.ship and other.id == gate.ship), None)
        holder = base.owner if base is not None else gate.controller
        is_enemy = holder != NOBODY and bool(hostile[ship.owner] >> holder & 1)
        listed = open_gates.get(ship.id)
        if gate.id in listed if listed is not None else not is_enemy:
            result.append(gate.id)
    return result


def gates_of(state: BattleState) -> list[dict[str, object]]:
    """Return the gates on the table as entries of a battle file.

    `opens` is the turn from which a gate takes ships; null means closed.
    """
    return [_gate_entry(state, gate) for gate in state.pieces_of(Gate)]


def _gate_entry(state: BattleState, gate: Gate) -> dict[str, object]:
    """Return a gate as an entry of a battle file; what has its default is left out."""
    entry: dict[str, object] = {"id": gate.id, "at": [gate.x, gate.y], "kind": gate.shape}
    if gate.mass:
        entry["mass"] = gate.mass
    if gate.ship:
        entry["ship"] = gate.ship
    if gate.controller != NOBODY:
        entry["side"] = state.sides[gate.controller]
    if gate.facing:
        entry["facing"] = gate.facing
    if gate.end:
        entry["to"] = gate.end
    entry["opens"] = None if gate.opens == CLOSED else gate.opens
    return entry
