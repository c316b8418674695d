"""The set-up of a battle file: where ships begin, as their sides have chosen.

`set_up` is a table by ship. If ships are placed in turn, it is a list of pairs in that order:

    set_up: {n1: {at: [3, 20], course: 3, velocity: 8}, n2: {ftl_entry: 3, at: [30, 24], course: 9}}

Its entries replace the same keys of the ship. Ships that are placed nowhere form a line in their
zone.

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]; 2E "Entering
battle under FTL drive" [2e.ftl-entry]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.core.deployment import (
    BY_SHIP,
    DeploymentPlan,
    OpenBody,
    Zones,
    entry_places,
    line_places,
    settle_ship,
)
from engine.core.errors import Violation, fault_path
from engine.core.geometry import Point
from engine.core.kinds import AWAY_AT_START, INBOUND, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.core.victory import can_jump
from engine.core.zones import (
    FIRST_ENTRY,
    FROM_ENTRIES,
    LAST_ENTRY,
    Surroundings,
    Zone,
    is_clear_of,
    is_in_body,
    parts_at,
)
from engine.design.value import Design
from engine.notation import start_words
from engine.notation.battle_ships import read_pair
from engine.notation.gates import gates_open_to, read_open_gates
from engine.notation.reading import Reader, ship_entries
from engine.pieces.gate import Gate
from engine.pieces.piece import Piece

PLACE_KEYS = (
    *("at", "course", "velocity", "facing", "ftl_entry", "gate"),
    *("docked", "carried", "orbit", "stand", "aloft"),
)
USUAL_VELOCITY = 8  # MU a turn of ships that say nothing else; installations are at rest


@dataclass(slots=True)
class SetUp:
    """What a battle file says about setting up.

    Attributes:
        plan: The deployment; None: ships may begin anywhere.
        entry_places: The place in the file of each ship's set-up entry, by the ship's id.
        entry_keys: The keys of each ship's set-up entry, by the ship's id.
        ship_places: The place in the file of each ship, by its id.
        unplaced: The ids of ships for which neither the file nor a set-up names a place.
        fixed: The ids of ships that stay where the file has them, also outside their zone.
        open_gates: The gates out of which a ship may come, for ships whose entry lists them.
        bodies: The bodies without a chosen place, in the order of placing.
        is_rolled: Whether a die decides how many asteroids there are; the file has the most.
        chosen_rocks: The paths of the set-up entries of asteroids, by name.
    """

    plan: DeploymentPlan | None
    entry_places: dict[str, str] = field(default_factory=dict)
    entry_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ship_places: dict[str, str] = field(default_factory=dict)
    unplaced: list[str] = field(default_factory=list)
    fixed: set[str] = field(default_factory=set)
    open_gates: Mapping[str, Sequence[str]] = field(default_factory=dict)
    bodies: tuple[OpenBody, ...] = ()
    is_rolled: bool = False
    chosen_rocks: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_table(self) -> bool:
        """Return whether the deployment is a table, so that ships need no course and velocity."""
        return self.plan is not None and self.plan.is_table

    def decides(self, ship_id: str) -> bool:
        """Return whether a ship's place is set up, and not given with the ship."""
        return ship_id in self.entry_places or ship_id in self.unplaced

    def move_faults(self, faults: list[Violation]) -> list[Violation]:
        """Return faults with the place of a ship's set-up entry where the value comes from it."""
        entries = {}
        for ship_id, where in self.entry_places.items():
            entries[self.ship_places.get(ship_id, "")] = (where, self.entry_keys[ship_id])
        result = []
        for fault in faults:
            ship_place, _, key = fault.where.rpartition(".")
            where, keys = entries.get(ship_place, ("", ()))
            owner_place, is_group, _ = fault.where.partition(".groups.")
            if key in keys:
                fault = Violation(f"{where}.{key}", fault.code, fault.message)
            elif is_group and "aloft" in entries.get(owner_place, ("", ()))[1]:
                where, _ = entries[owner_place]
                fault = Violation(f"{where}.aloft", "aloft", fault.message)
            result.append(fault)
        return result

    def place_of(self, ship_id: str, ship_place: str, key: str) -> str:
        """Return the place in the file of a value of a ship's set-up."""
        return f"{self.entry_places.get(ship_id, ship_place)}.{key}"


def read_set_up(
    reader: Reader,
    document: Mapping[Any, Any],
    plan: DeploymentPlan | None,
    table: Point,
    classes: Mapping[str, Design],
) -> tuple[Mapping[Any, Any], SetUp]:
    """Return the battle file with every ship in its place, and what was said about it.

    Faults of the entries go to the reader; `finish_set_up` finds those that follow from the ships.

    Args:
        classes: The classes that the file may name.
    """
    set_up = SetUp(plan)
    entries = dict(_entries(reader, document, set_up))
    _read_fixed(reader, document, set_up, entries)
    set_up.open_gates = read_open_gates(reader, document)
    sides = document.get("sides")
    if not isinstance(sides, list) or (plan is None and not entries):
        return document, set_up
    centres = places_of_ships(document)
    placed = []
    for number, side in enumerate(sides):
        zones = plan.zones[number] if plan is not None and number < len(plan.zones) else ()
        zones = tuple(zone.around(table, centres) for zone in zones)
        placed.append(_place_side(side, zones, entries, set_up, classes))
    for where, ship in ship_entries(document):
        set_up.ship_places[str(ship.get("id"))] = where
    for ship_id, where in set_up.entry_places.items():
        if ship_id not in set_up.ship_places:
            reader.fault(where, "unknown-ship", phrase("there is no ship '{}'", ship_id))
    return {**document, "sides": placed}, set_up


def _read_fixed(
    reader: Reader,
    document: Mapping[Any, Any],
    set_up: SetUp,
    entries: dict[str, Mapping[Any, Any]],
) -> None:
    """Note the ships that their side cannot place, and remove their set-up entries as faults."""
    for where, ship in ship_entries(document):
        ship_id = str(ship.get("id"))
        if not reader.flag(ship, "fixed", where):
            continue
        set_up.fixed.add(ship_id)
        if entries.pop(ship_id, None) is not None:
            words = phrase("this ship stays where it is: it cannot be placed")
            reader.fault(set_up.entry_places[ship_id], "fixed", words)


def _entries(
    reader: Reader, document: Mapping[Any, Any], set_up: SetUp
) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """Yield the set-up entry of each ship, and note its place in the file."""
    value = document.get("set_up", {})
    in_turn = set_up.plan is not None and set_up.plan.manner == BY_SHIP
    rows: list[tuple[str, object, object]] = []
    if isinstance(value, Mapping):
        rows = [(f"set_up.{key}", key, entry) for key, entry in value.items()]
    elif isinstance(value, list) and in_turn:
        for number, pair in enumerate(value):
            where = fault_path("set_up", number)
            if isinstance(pair, (list, tuple)) and len(pair) == 2:
                rows.append((where, pair[0], pair[1]))
            else:
                reader.fault(where, "not-a-pair", phrase("expected a ship and its place"))
    else:
        reader.fault("set_up", "not-a-mapping", phrase("expected the place of each ship by its id"))
    for where, key, entry in rows:
        if not isinstance(entry, Mapping):
            reader.fault(where, "not-a-mapping", phrase("expected at, course and velocity"))
            continue
        if str(key) in set_up.entry_places:
            reader.fault(where, "twice", phrase("the ship '{}' is placed twice", key))
        reader.keys(entry, PLACE_KEYS, where)
        set_up.entry_places[str(key)] = where
        set_up.entry_keys[str(key)] = tuple(entry)
        yield str(key), entry


def _place_side(
    side: object,
    zones: Zones,
    entries: Mapping[str, Mapping[Any, Any]],
    set_up: SetUp,
    classes: Mapping[str, Design],
) -> object:
    """Return a side with its set-up entries; ships without a place get one in a line for now."""
    if not isinstance(side, Mapping) or not isinstance(side.get("ships"), list):
        return side
    ships = []
    open_numbers = []
    for number, ship in enumerate(side["ships"]):
        if isinstance(ship, Mapping):
            ship = with_entry(ship, entries.get(str(ship.get("id")), {}))
            if "at" not in ship and zones:
                open_numbers.append(number)
        ships.append(ship)
    if not zones:
        return {**side, "ships": ships}
    line = line_places(zones[0], len(open_numbers))
    for number, place in zip(open_numbers, line, strict=True):
        ships[number] = {**ships[number], "at": list(place)}
        set_up.unplaced.append(str(ships[number].get("id")))
    speed = _usual_speed(side)
    for number, ship in enumerate(ships):
        if not isinstance(ship, Mapping):
            continue
        zone = _zone_of(ship, zones)
        ships[number] = {"course": zone.usual_course, **ship}
        if set_up.is_table and "velocity" not in ship:
            is_moving = not is_installation(ship, classes)
            ships[number]["velocity"] = zone.usual_velocity(speed) if is_moving else 0
    return {**side, "ships": ships}


def with_entry(ship: Mapping[Any, Any], entry: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a ship with its set-up entry; bays that begin aloft become groups in flight."""
    result = {**ship, **{key: value for key, value in entry.items() if key in PLACE_KEYS}}
    bays = result.pop("aloft", ())
    if isinstance(bays, (list, tuple)) and bays and "at" in result:
        groups = dict(result.get("groups", {}))
        for bay in bays:
            groups[str(bay)] = {"at": result["at"], "course": result.get("course", 12)}
        result["groups"] = groups
    return result


def _usual_speed(side: Mapping[Any, Any]) -> int:
    """Return the velocity that the doctrine of a side gives its ships."""
    doctrine = side.get("doctrine")
    speed = doctrine.get("speed") if isinstance(doctrine, Mapping) else None
    if isinstance(speed, int) and not isinstance(speed, bool):
        return speed
    return USUAL_VELOCITY


def places_of_ships(document: Mapping[Any, Any]) -> dict[str, Point]:
    """Return the places of the ships that have one in a battle file, by id."""
    scratch = Reader()
    places = {}
    for _, ship in ship_entries(document):
        if "at" in ship:
            at = read_pair(scratch, data=ship, key="at", where="", default=None)
            places[str(ship.get("id"))] = at
    return places


def is_installation(ship: Mapping[Any, Any], classes: Mapping[str, Design]) -> bool:
    """Return whether the class or the design of a ship is an installation."""
    design = ship.get("design")
    if isinstance(design, Mapping):
        return bool(design.get("kind") == INSTALLATION)
    ship_class = classes.get(str(ship.get("class")))
    return ship_class is not None and ship_class.kind == INSTALLATION


def _zone_of(ship: Mapping[Any, Any], zones: Zones) -> Zone:
    """Return the part of a zone in which a ship is; the first part for ships outside."""
    scratch = Reader()
    at = read_pair(scratch, data=ship, key="at", where="", default=None)
    for zone in zones:
        if not scratch.faults and zone.box.contains(at):
            return zone
    return zones[0]


def finish_set_up(
    reader: Reader,
    set_up: SetUp,
    ships: Sequence[ShipState],
    pieces: Sequence[Piece],
    table: tuple[float, float],
    hostile: Sequence[int],
) -> None:
    """Find valid places for the ships that have none, and check those of all others.

    Args:
        hostile: The bits of each side's enemies.
    """
    if set_up.plan is None and not set_up.entry_places:
        return
    check = SetUpCheck(reader, set_up, ships, pieces, table, hostile)
    for number in range(len(hostile)):
        check.place_open_ships(number)
    for number in range(len(hostile)):
        check.check_side(number)
    if set_up.plan is not None and set_up.plan.first is not None:
        reader.faults.extend(turn_faults(set_up, ships, set_up.plan.first, len(hostile)))


class SetUpCheck:
    """The places of all ships of a battle, checked against the zones of their sides."""

    def __init__(
        self,
        reader: Reader,
        set_up: SetUp,
        ships: Sequence[ShipState],
        pieces: Sequence[Piece],
        table: tuple[float, float],
        hostile: Sequence[int],
    ) -> None:
        self._reader = reader
        self._set_up = set_up
        self._ships = ships
        self._pieces = pieces
        self._table = table
        self._hostile = hostile

    def place_open_ships(self, side: int) -> None:
        """Move each ship of a side that has no valid place yet to the nearest one."""
        zones = self._zones(side)
        own = [ship for ship in self._ships if ship.owner == side]
        due = [ship for ship in own if ship.id in self._set_up.unplaced]
        if not zones or not due:
            return
        for ship in settle_invalid_ships(due, own, zones, self.surroundings(side)):
            words = phrase("there is no valid place left in the zone of its side")
            self._reader.fault(self._place_of(ship, "at"), "deployment", words)

    def check_side(self, side: int) -> None:
        """Report the faults of a side's places."""
        own = [ship for ship in self._ships if ship.owner == side]
        if not own:
            return
        around = self.surroundings(side)
        real_ships = [ship for ship in own if not ship.dummy]
        is_held_back = all(ship.status in AWAY_AT_START for ship in real_ships)
        if is_held_back and any(ship.id in self._set_up.entry_places for ship in real_ships):
            words = phrase("at least one ship that is no decoy must be on the table in turn 1")
            self._reader.fault(fault_path("sides", side), "nobody-there", words)
        for ship in own:
            is_set_up = ship.id in self._set_up.entry_places
            self._check_start(ship)
            if ship.status == INBOUND:
                if is_set_up:
                    self._check_entry(ship)
                continue
            if is_set_up or ship.id not in self._set_up.unplaced:
                self._check_place(ship, around, is_set_up=is_set_up)
            elif self._is_limited(ship):
                self._check_movement(ship, self._zones(side))

    def _is_limited(self, ship: ShipState) -> bool:
        """Return whether the limits of its zone hold for a ship without a place of its own."""
        is_free = ship.docking == FREE and ship.id not in self._set_up.fixed
        return is_free and self._set_up.is_table

    def _check_start(self, ship: ShipState) -> None:
        """Report what the zone of a ship forbids: orbits, docks or craft in flight."""
        zones = self._zones(ship.owner)
        if not zones:
            return
        limits = (
            ("orbit", any(zone.orbit for zone in zones), phrase("no ship may begin in orbit")),
            ("docked", any(zone.docked for zone in zones), phrase("no ship may begin docked")),
            ("aloft", any(zone.aloft for zone in zones), phrase("no craft may begin in flight")),
        )
        for key, is_allowed, words in limits:
            if not is_allowed and key in self._set_up.entry_keys.get(ship.id, ()):
                self._reader.fault(self._place_of(ship, key), key, words)

    def _check_entry(self, ship: ShipState) -> None:
        """Report a ship that is held back in FTL space against the limits of its zone."""
        zones = self._zones(ship.owner)
        where = self._place_of(ship, "ftl_entry")
        comes_through_gate = "gate" in self._set_up.entry_keys[ship.id]
        if comes_through_gate:
            self._check_gate(ship)
        if not zones or not can_jump(ship) or comes_through_gate:
            return
        if not any(zone.ftl for zone in zones):
            words = phrase("this side cannot hold ships back in FTL space")
            self._reader.fault(where, "ftl-entry", words)
        elif not FIRST_ENTRY <= ship.due <= LAST_ENTRY:
            words = phrase("ships drop out of FTL in turns {} to {}", FIRST_ENTRY, LAST_ENTRY)
            self._reader.fault(where, "ftl-entry", words)

    def _check_gate(self, ship: ShipState) -> None:
        """Report a ship that comes out of a gate which its side cannot use."""
        gates = [piece for piece in self._pieces if isinstance(piece, Gate)]
        gate = next((gate for gate in gates if gate.number == ship.record.by_gate), None)
        usable = gates_open_to(ship, gates, self._ships, self._hostile, self._set_up.open_gates)
        if gate is not None and gate.id not in usable:
            where = self._place_of(ship, "gate")
            self._reader.fault(where, "gate", start_words.UNUSABLE_GATE)

    def _check_place(self, ship: ShipState, around: Surroundings, *, is_set_up: bool) -> None:
        point = (ship.x, ship.y)
        if is_set_up and is_in_body(point, around.bodies):
            words = phrase("a ship cannot begin inside a body")
            self._reader.fault(self._place_of(ship, "at"), "in-body", words)
            return
        zones = self._zones(ship.owner)
        if not zones or ship.docking != FREE or ship.id in self._set_up.fixed:
            return
        parts = parts_at(point, zones, around)
        if not parts:
            self._reader.fault(
                self._place_of(ship, "at"), "deployment", _outside_words(ship, zones)
            )
            return
        self._check_movement(ship, parts)

    def _check_movement(self, ship: ShipState, parts: Sequence[Zone]) -> None:
        """Report a course and a velocity that no part of a zone allows."""
        if not any(part.allows_course(ship.course) for part in parts):
            courses = ", ".join(map(str, parts[0].courses))
            words = phrase("this deployment allows courses {}", courses)
            self._reader.fault(self._place_of(ship, "course"), "deployment", words)
        is_at_rest = ship.sheet.kind == INSTALLATION and not ship.velocity
        if not is_at_rest and not any(part.allows_velocity(ship.velocity) for part in parts):
            least, most = parts[0].velocity
            words = phrase("this deployment allows velocities from {} to {}", least, most)
            self._reader.fault(self._place_of(ship, "velocity"), "velocity", words)

    def _zones(self, side: int) -> Zones:
        plan = self._set_up.plan
        return plan.zones[side] if plan is not None and side < len(plan.zones) else ()

    def surroundings(self, side: int) -> Surroundings:
        """Return what limits the places of a side's ships."""
        enemies = enemies_on_table(self._ships, self._hostile, side)
        return surroundings_of(self._table, self._pieces, self._ships, enemies)

    def _place_of(self, ship: ShipState, key: str) -> str:
        return self._set_up.place_of(ship.id, self._set_up.ship_places.get(ship.id, ""), key)


def turn_faults(
    set_up: SetUp, ships: Sequence[ShipState], first: int, side_count: int
) -> list[Violation]:
    """Return the fault of the first ship that is placed out of turn, if ships are placed in turn.

    A side with no ships left is passed over.

    Args:
        first: The number of the side that begins.

    Rules: Continuum "Introductory scenario" 4.12 [pc.deployment]
    """
    plan = set_up.plan
    if plan is None or plan.manner != BY_SHIP:
        return []
    by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    rows = [by_id[key] for key in set_up.entry_places if key in by_id]
    side = first
    placed = 0
    for number, ship in enumerate(rows):
        later = rows[number:]
        while not any(other.owner == side for other in later):
            side = (side + 1) % side_count
            placed = 0
        if ship.owner != side or _is_later_class(ship, later, plan):
            words = phrase("it is not this ship's turn")
            return [Violation(set_up.entry_places[ship.id], "out-of-turn", words)]
        placed += 1
        if placed == plan.step:
            side = (side + 1) % side_count
            placed = 0
    return []


def _is_later_class(ship: ShipState, later: Sequence[ShipState], plan: DeploymentPlan) -> bool:
    """Return whether a ship of an earlier classification is still to be placed."""
    rank = plan.rank(ship)
    return any(plan.rank(other) < rank for other in later if other.owner == ship.owner)


class Unit(Protocol):
    """Something on the table: a ship of a battle, or a contact that a side sees."""

    @property
    def id(self) -> str:
        """Its id or code."""

    @property
    def x(self) -> float:
        """Its place along the width of the table, in MU."""

    @property
    def y(self) -> float:
        """Its place along the height of the table, in MU."""


def surroundings_of(
    table: tuple[float, float],
    pieces: Sequence[Piece],
    units: Iterable[Unit],
    enemies: Iterable[Unit],
) -> Surroundings:
    """Return what limits the places of a side's ships.

    Args:
        units: Ships near which a zone may be.
    """
    centres: dict[str, Point] = {piece.id: (piece.x, piece.y) for piece in pieces}
    centres |= {unit.id: (unit.x, unit.y) for unit in units}
    bodies = [((piece.x, piece.y), piece.size) for piece in pieces if piece.body]
    return Surroundings(table, centres, bodies, [(enemy.x, enemy.y) for enemy in enemies])


def enemies_on_table(
    ships: Iterable[ShipState], hostile: Sequence[int], side: int
) -> list[ShipState]:
    """Return the enemies of a side, without those in FTL space and bases off the table."""
    enemies = [ship for ship in ships if hostile[side] >> ship.owner & 1]
    return [ship for ship in enemies if ship.status not in AWAY_AT_START]


def settle_invalid_ships(
    due: Sequence[ShipState],
    side_ships: Sequence[ShipState],
    zones: Zones,
    around: Surroundings,
) -> list[ShipState]:
    """Move ships that are where they may not be to the nearest valid places.

    Ships also move away from where ships of their side drop out of FTL, if there is room.

    Args:
        due: The ships to move.
        side_ships: All ships of the side.

    Returns:
        The ships for which there is no valid place.
    """
    homeless = []
    entries = entry_places(side_ships)
    for ship in due:
        at = (ship.x, ship.y)
        is_valid = bool(parts_at(at, zones, around))
        if ship.status == INBOUND or (is_valid and is_clear_of(at, entries, FROM_ENTRIES)):
            continue
        taken = [(other.x, other.y) for other in side_ships if other is not ship]
        if settle_ship(ship, zones, around, wanted=at, taken=taken, entries=entries):
            continue
        if not is_valid and not settle_ship(ship, zones, around, wanted=at, taken=taken):
            homeless.append(ship)
    return homeless


def _outside_words(ship: ShipState, zones: Zones) -> str:
    """Return the fault of a place outside its zone."""
    box = zones[0].box
    return phrase(
        "({:g}, {:g}) is outside the deployment area of its side, ({:g}, {:g}) to ({:g}, {:g})",
        ship.x,
        ship.y,
        box.left,
        box.bottom,
        box.right,
        box.top,
    )
