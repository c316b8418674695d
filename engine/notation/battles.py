"""Reads battle files: sides, ships, orders and dice, with the place of every fault.

`engine.notation.battle_file` declares the entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.captains.common.doctrine import Doctrine, doctrine_from
from engine.core.dice import Dice, ScriptedDice
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.ids import ShipId
from engine.core.limits import DEFAULT_MAX_TURNS, SHIPS_OF_A_BATTLE
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import BOARDERS, ShipState
from engine.core.state import PLOT, BattleState
from engine.core.terms import ADVANCED_SENSORS, BOARDING, KNOWN_CONTACTS, Terms, design_options
from engine.core.versions import RANDOM_MOUNTS, played_versions
from engine.design.restrictions import NO_RESTRICTIONS, Restrictions
from engine.design.value import Design
from engine.notation.auto_point_defence import read_auto_point_defence
from engine.notation.based import read_based
from engine.notation.battle_craft import put_groups, read_groups, read_pilots
from engine.notation.battle_file import FILE_KEYS, SIDE_KEYS
from engine.notation.battle_ships import (
    Deployment,
    check_contact_codes,
    check_decoys,
    read_pair,
    read_ship,
)
from engine.notation.battle_squadrons import read_squadrons
from engine.notation.boarding import agrees_on_boarding
from engine.notation.deployments import read_deployment, settle_edges
from engine.notation.fire import FireNames
from engine.notation.flak import flak_with_launches
from engine.notation.fleet_limits import check_fleets, read_fleet_limits, read_muster
from engine.notation.gates import MAX_GATES, read_gates
from engine.notation.ground import MAX_SITES, read_ground, site_names
from engine.notation.mines import MAX_MINES, read_mines
from engine.notation.multi_role import read_multi_role
from engine.notation.open_bodies import place_open_bodies
from engine.notation.orbits import read_orbits
from engine.notation.reading import Reader, is_pair, ship_entries
from engine.notation.restrictions import check_barred, read_restrictions
from engine.notation.riders import read_riders
from engine.notation.sections import read_sections
from engine.notation.set_up import (
    SetUp,
    finish_set_up,
    is_installation,
    places_of_ships,
    read_set_up,
)
from engine.notation.stands import read_stands
from engine.notation.terms import MAX_ROCKS, asteroid_names, read_asteroids, read_terms
from engine.notation.terrain import MAX_TERRAIN, read_terrain
from engine.order_requests.base import TurnOrders
from engine.pieces.asteroid import AsteroidField
from engine.ruleset import ruleset
from engine.sequences import asks

PURPOSES = (
    "initiative",
    "beam",
    "re-roll",
    "to-hit",
    "damage",
    "double",
    "threshold",
    "point-defence",
    "fighter",
    "dogfight",
    "missiles",
    "repair",
    "sensor",
    "ecm",
    "ftl",
    "direction",
    "distance",
    "ram",
    "boarding",
    "mine",
    "sweep",
    "re-entry",
    "disengage",
    "core",
    "reactor",
    "morale",
    "collision",
    "flare",
    "dust",
    "emergency-thrust",
    "arc",
    "asteroid",
    "regeneration",
    "charge",
    "reflex",
    "debris",
    "atmosphere",
    "ortillery",
    "re-arm",
    "ace",
    "scramble",
    "hangar",
    "gate",
    "set-up",
    "mount",
)
TABLE = (72.0, 48.0)
MAX_TURNS = 1000
# The longest lists that a battle file may have. Longer ones are refused before anything is read.
MAX_LENGTHS: dict[str, int] = {
    "sides": 16,
    "hostile": 120,
    "no_quarter": 120,
    "options": 100,
    "victory": 100,
    "asteroids": MAX_ROCKS,
    "turns": MAX_TURNS,
    "terrain": MAX_TERRAIN,
    "mines": MAX_MINES,
    "ground": MAX_SITES,
    "gates": MAX_GATES,
    "flares": MAX_TURNS,
    "barred": 100,
    "allowed": 100,
    "limits": 100,
}


def fire_names_of(
    ships: list[ShipState], rocks: Sequence[str] = (), *, closed_sheets: bool = False
) -> FireNames:
    """Return the names that orders of a battle file may use: ships, groups and asteroids, by id.

    Every bay with craft counts, because its group may launch later.
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    groups = {}
    for ship in ships:
        for bay in ship.profile.bays:
            groups[f"{ship.id}/{ship.sheet.fits[bay].id}"] = ship
    sheets: dict[str, Sheet] = {ship.id: ship.cover or ship.sheet for ship in ships}
    return FireNames(
        ships_by_id,
        groups,
        {name: name for name in (*ships_by_id, *groups, *rocks)},
        sheets,
        closed_sheets=closed_sheets,
    )


def read_turns(
    reader: Reader,
    document: Mapping[object, object],
    sides: list[str],
    ships: list[ShipState],
    terms: Terms,
    rocks: Sequence[str] = (),
) -> tuple[TurnOrders, ...]:
    """Return the `turns` of a battle file; faults go to the reader."""
    closed_sheets = ADVANCED_SENSORS in terms.options and terms.follows(RANDOM_MOUNTS)
    names = fire_names_of(ships, rocks, closed_sheets=closed_sheets)
    turns = []
    for number, item in enumerate(reader.items(document, "turns", default=())):
        where = fault_path("turns", number)
        if not isinstance(item, Mapping):
            reader.fault(
                where,
                "not-a-mapping",
                phrase("a turn must be an object with plot, fighters, engage and control entries"),
            )
            continue
        reader.keys(item, [key for ask in asks() for key in ask.keys], where)
        item = flak_with_launches(item)
        turns.append(read_turn(reader, item, where=f"{where}.", names=names, sides=sides))
    return tuple(turns)


def read_turn(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    names: FireNames,
    sides: Sequence[str],
) -> TurnOrders:
    """Return the orders of one turn; faults go to the reader.

    Args:
        where: The place of the turn in the file, with a trailing dot.
    """
    return TurnOrders({ask.key: ask.parse(reader, item, where, names, sides) for ask in asks()})


@dataclass(frozen=True, slots=True)
class BattleFile:
    """The contents of a battle file.

    Attributes:
        state: The battle before its first turn.
        turns: The orders that the file gives.
        scripted: Dice by purpose, None if the seed decides.
        captains: Whether captains give the orders of later turns.
        field: Asteroids that dice have yet to place or to set adrift.
        set_up: What the file says about setting up.
        restrictions: What no ship may carry or be.
    """

    edition: str
    options: tuple[str, ...]
    state: BattleState
    turns: tuple[TurnOrders, ...]
    scripted: dict[str, list[int]] | None
    seed: int
    captains: bool
    max_turns: int
    doctrines: dict[str, Doctrine]
    field: AsteroidField | None = None
    set_up: SetUp | None = None
    restrictions: Restrictions = NO_RESTRICTIONS

    def dice(self) -> Dice:
        """Return the file's scripted dice, or else dice from its seed."""
        if self.scripted is None:
            return Dice(self.seed)
        return ScriptedDice(self.scripted)


def read_battle(document: Any, classes: Mapping[str, Design]) -> BattleFile:
    """Return a battle from its file.

    Args:
        classes: The ship classes that the file may name.

    Raises:
        RuleViolations: With all faults.
    """
    if not isinstance(document, Mapping):
        raise RuleViolations(
            [
                Violation(
                    "", "not-a-mapping", phrase("a battle must be an object with keys and values")
                )
            ]
        )
    if too_many := _too_many(document):
        raise RuleViolations(too_many)
    reader = Reader()
    reader.keys(document, FILE_KEYS, "")
    edition = reader.text(document, "edition")
    options, agreed = _options(reader, document, edition)
    table = _table_size(reader, document)
    document, set_up = _read_start(reader, document, table, classes)
    bogeys = _bogeys(reader, document, agreed)
    ground = Deployment(
        edition,
        options=agreed,
        table=table,
        bogeys=bogeys,
        classes=classes,
        restrictions=read_restrictions(reader, document, edition),
        multi_role=read_multi_role(reader, document, edition),
    )
    names, ships, doctrines = _sides(reader, document, ground)
    check_fleets(reader, document, read_fleet_limits(reader, document), ships, agreed)
    hostile = _hostile(reader, document, names)
    if edition in EDITIONS:
        read_auto_point_defence(reader, document, edition, ships)
    _read_boarders(reader, document, names, ships)
    terms = read_terms(
        reader, document, options, sides=names, ships=ships, multi_role=ground.multi_role
    )
    if edition in EDITIONS:
        terms = replace(terms, edition=Edition(edition))
    kept_ships = [ship for ship in ships if not set_up.decides(ship.id)]
    rocks, field = read_asteroids(reader, document, table, kept_ships)
    sections = read_sections(reader, document, edition, ships)
    read_stands(reader, document, edition, ships)
    read_riders(reader, document, edition, ships)
    read_pilots(reader, document, ships, agreed)
    read_squadrons(reader, document, ships, agreed)
    terrain = read_terrain(
        reader,
        document,
        edition=edition if edition in EDITIONS else "",
        options=agreed,
        table=table,
    )
    read_orbits(reader, document, ships, terrain)
    targets = read_ground(reader, document, names, terrain)
    mines = read_mines(reader, document, names, table)
    gates = read_gates(reader, document, names, ships, table=table)
    pieces = [*rocks, *terrain, *gates]
    finish_set_up(reader, set_up, ships, pieces, table=table, hostile=hostile)
    groups = [
        *read_groups(reader, document, ships, table),
        *read_based(reader, document, edition, agreed, ships=ships, table=table),
    ]
    aimed = [*asteroid_names(rocks, field, options), *site_names(document)]
    turns = read_turns(reader, document, sides=names, ships=ships, terms=terms, rocks=aimed)
    scripted = _script(reader, document)
    seed = reader.number(document, "seed", default=0)
    if scripted is not None and "seed" in document:
        reader.fault("seed", "dice-and-seed", phrase("a battle needs either dice or a seed"))
    max_turns = _max_turns(reader, document)
    captains = reader.flag(document, "captains")
    if reader.faults:
        raise RuleViolations(set_up.move_faults(reader.faults))
    state = BattleState(
        sides=tuple(names),
        hostile=hostile,
        table=table,
        bogeys=bogeys,
        turn=1,
        stop=PLOT,
        ships=ships,
        terms=terms,
    )
    state.pieces = [*rocks, *terrain, *sections, *mines, *targets, *gates]
    put_groups(state, groups)
    return BattleFile(
        edition,
        options,
        state,
        turns,
        scripted=scripted,
        seed=seed,
        captains=captains,
        max_turns=max_turns,
        doctrines=doctrines,
        field=field,
        set_up=set_up,
        restrictions=ground.restrictions,
    )


def _read_start(
    reader: Reader,
    document: Mapping[Any, Any],
    table: tuple[float, float],
    classes: Mapping[str, Design],
) -> tuple[Mapping[Any, Any], SetUp]:
    """Return a battle file in which all ships and bodies have places, and what sides may choose."""
    installations = []
    for _, ship in ship_entries(document):
        if is_installation(ship, classes):
            installations.append(str(ship.get("id")))
    bodies = place_open_bodies(reader, document, table, installations)
    document = bodies.document
    plan = read_deployment(reader, document, table)
    if plan is not None:
        places = places_of_ships(document)
        centres = {name: at for name, at in places.items() if name in installations}
        plan = settle_edges(reader, plan, document, table, centres)
    document, set_up = read_set_up(reader, document, plan, table, classes)
    set_up.bodies = bodies.bodies
    set_up.is_rolled = bodies.is_rolled
    set_up.chosen_rocks = bodies.chosen_rocks
    return document, set_up


def _options(
    reader: Reader, document: Mapping[object, object], edition: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the options of a battle file, and those by which its ships are read.

    The second are empty if an option is unknown: that is reported once, not for every ship.
    """
    options = tuple(str(option) for option in reader.items(document, "options", default=()))
    agreed = options
    if edition:
        try:
            ruleset(edition, options)
        except RuleViolations as unknown:
            reader.faults.extend(unknown.violations)
            agreed = ()
    if edition in EDITIONS and document.get("rules") in played_versions():
        agreed = design_options(edition, agreed, str(document["rules"]))
    if edition == Edition.CONTINUUM and BOARDING not in options and agrees_on_boarding(document):
        return (*options, BOARDING), (*agreed, BOARDING)
    return options, agreed


def _table_size(reader: Reader, document: Mapping[object, object]) -> tuple[float, float]:
    """Return the width and height of the table in MU."""
    table = read_pair(reader, data=document, key="table", where="", default=TABLE)
    if min(table) <= 0:
        reader.fault("table", "table-size", phrase("a table needs a width and a height above 0 MU"))
    return table


def _bogeys(reader: Reader, document: Mapping[object, object], options: Sequence[str]) -> bool:
    """Return whether contacts begin as bogeys."""
    bogeys = reader.flag(document, "bogeys")
    if bogeys and KNOWN_CONTACTS in options:
        reader.fault(
            "bogeys",
            "known-contacts",
            phrase("the optional rule '{}' does not allow bogeys", KNOWN_CONTACTS),
        )
    return bogeys


def _max_turns(reader: Reader, document: Mapping[object, object]) -> int:
    """Return the turn after which captains end the battle."""
    max_turns = reader.number(document, "max_turns", default=DEFAULT_MAX_TURNS)
    if not 1 <= max_turns <= MAX_TURNS:
        reader.fault("max_turns", "max-turns", f"max_turns must be from 1 to {MAX_TURNS}")
    return max_turns


def _read_boarders(
    reader: Reader,
    document: Mapping[object, object],
    names: Sequence[str],
    ships: Sequence[ShipState],
) -> None:
    """Record on the ships the boarders that are aboard since an earlier turn.

    The entry is `{"esu": {"marines": 2, "parties": 0}}`.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    for where, item in ship_entries(document):
        if "boarders" not in item:
            continue
        spot = f"{where}.boarders"
        entry = item["boarders"]
        if not isinstance(entry, Mapping):
            reader.fault(spot, "not-a-mapping", phrase("expected marines and parties by side"))
            continue
        boarders = _boarders_by_side(reader, entry, spot, names)
        ship = ships_by_id.get(str(item.get("id")))
        if ship is not None:
            ship.set_boarders(boarders)


def _boarders_by_side(
    reader: Reader, entry: Mapping[object, object], spot: str, names: Sequence[str]
) -> dict[int, tuple[int, int]]:
    """Return the marines and parties aboard a ship, by the number of their side."""
    result: dict[int, tuple[int, int]] = {}
    for name, units in entry.items():
        where = f"{spot}.{name}"
        if name not in names or not isinstance(units, Mapping):
            reader.fault(
                where,
                "boarders",
                phrase("expected a side, with its marines and parties"),
            )
            continue
        reader.keys(units, BOARDERS, where)
        marines, parties = (reader.number(units, kind, where, default=0) for kind in BOARDERS)
        if min(marines, parties) < 0:
            reader.fault(where, "boarders", phrase("expected numbers of 0 or more"))
        result[names.index(str(name))] = (marines, parties)
    return result


def _too_many(document: Mapping[object, object]) -> list[Violation]:
    """Return a fault for every list of a battle file that is too long."""
    faults = []
    for key, most in MAX_LENGTHS.items():
        value = document.get(key)
        if isinstance(value, (list, tuple)) and len(value) > most:
            faults.append(
                Violation(
                    key,
                    f"too-many-{key}",
                    phrase("a battle file can have at most {} {}, not {}", most, key, len(value)),
                )
            )
    ship_count = _count_ships(document.get("sides"))
    if ship_count > SHIPS_OF_A_BATTLE:
        faults.append(
            Violation(
                "sides",
                "too-many-ships",
                phrase("a battle can have at most {} ships, not {}", SHIPS_OF_A_BATTLE, ship_count),
            )
        )
    return faults


def _count_ships(sides: object) -> int:
    """Return how many ships the sides of a battle file list; parts of another shape have none."""
    count = 0
    for side in sides if isinstance(sides, list) else ():
        ships = side.get("ships") if isinstance(side, Mapping) else None
        if isinstance(ships, (list, tuple)):
            count += len(ships)
    return count


def _sides(
    reader: Reader, document: Mapping[object, object], ground: Deployment
) -> tuple[list[str], list[ShipState], dict[str, Doctrine]]:
    """Return the names of the sides, the ships of all, and the doctrines by side."""
    names: list[str] = []
    ships: list[ShipState] = []
    doctrines: dict[str, Doctrine] = {}
    spots: list[str] = []
    sides = reader.items(document, "sides")
    if len(sides) < 2 and "sides" in document:
        reader.fault("sides", "too-few-sides", phrase("a battle needs at least two sides"))
    for number, side in enumerate(sides):
        where = fault_path("sides", number)
        if not isinstance(side, Mapping):
            reader.fault(where, "not-a-mapping", phrase("a side needs a name and ships"))
            names.append("")  # keeps the numbers of the later sides right
            continue
        reader.keys(side, SIDE_KEYS, where)
        name = reader.text(side, "name", where)
        if name and name in names:
            reader.fault(
                f"{where}.name", "side-twice", phrase("two sides have the name '{}'", name)
            )
        names.append(name)
        doctrine = _doctrine(reader, side, where)
        if doctrine is not None:
            doctrines[name] = doctrine
        ids = {ship.id for ship in ships}
        own_ships = _ships_of_side(reader, side, where, number, ids=ids, ground=ground)
        check_decoys(reader, f"{where}.ships", name, [ship for _, ship in own_ships])
        for spot, ship in own_ships:
            spots.append(spot)
            ships.append(ship)
    check_contact_codes(reader, spots, ships)
    return names, ships, doctrines


def _ships_of_side(
    reader: Reader,
    side: Mapping[object, object],
    where: str,
    number: int,
    *,
    ids: set[ShipId],
    ground: Deployment,
) -> list[tuple[str, ShipState]]:
    """Return the readable ships of a side, each with its place in the file.

    Args:
        ids: The ids of the ships read so far; those of this side are added.
    """
    result = []
    if read_muster(reader, side, where):
        return []
    for row, item in enumerate(reader.items(side, "ships", where)):
        spot = f"{where}.{fault_path('ships', row)}"
        ship = read_ship(reader, item, where=spot, side=number, ground=ground)
        if ship is None or not isinstance(item, Mapping):
            continue
        if not ship.dummy:
            check_barred(reader, item, spot, ship.sheet, ground.restrictions)
        if ship.id in ids:
            reader.fault(f"{spot}.id", "id-twice", phrase("two ships have the id '{}'", ship.id))
        ids.add(ship.id)
        result.append((spot, ship))
    return result


def _doctrine(reader: Reader, side: Mapping[object, object], where: str) -> Doctrine | None:
    """Return the doctrine of a side, None if its entry has faults."""
    doctrine = side.get("doctrine", {})
    if not isinstance(doctrine, Mapping):
        reader.fault(f"{where}.doctrine", "not-a-mapping", phrase("a doctrine must be an object"))
        return None
    try:
        return doctrine_from(doctrine, f"{where}.doctrine")
    except RuleViolations as bad:
        reader.faults.extend(bad.violations)
        return None


def _hostile(
    reader: Reader, document: Mapping[object, object], names: list[str]
) -> tuple[int, ...]:
    """Return the bits of each side's enemies; by default all sides are hostile to each other."""
    all_sides = (1 << len(names)) - 1
    if "hostile" not in document:
        return tuple(all_sides & ~(1 << side) for side in range(len(names)))
    bits = [0] * len(names)
    for number, pair in enumerate(reader.items(document, "hostile")):
        where = fault_path("hostile", number)
        if not is_pair(pair) or pair[0] not in names or pair[1] not in names:
            words = phrase("expected a pair of two sides; choose from {}", ", ".join(names))
            reader.fault(where, "hostile-pair", words)
            continue
        first = names.index(pair[0])
        second = names.index(pair[1])
        if first == second:
            reader.fault(where, "hostile-pair", phrase("a side cannot fight itself"))
        bits[first] |= 1 << second
        bits[second] |= 1 << first
    return tuple(bits)


def _script(reader: Reader, document: Mapping[object, object]) -> dict[str, list[int]] | None:
    """Return the queues of scripted dice, or None."""
    if "dice" not in document:
        return None
    data = document["dice"]
    if not isinstance(data, Mapping):
        reader.fault("dice", "not-a-mapping", phrase("dice must be lists of numbers by purpose"))
        return {}
    queues: dict[str, list[int]] = {}
    for purpose, values in data.items():
        if purpose not in PURPOSES:
            words = phrase(
                "no die is rolled for '{}'; choose from {}", purpose, ", ".join(PURPOSES)
            )
            reader.fault(f"dice.{purpose}", "unknown-purpose", words)
        elif not isinstance(values, list) or not all(
            isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 12 for die in values
        ):
            reader.fault(
                f"dice.{purpose}",
                "not-dice",
                phrase("expected a list of whole numbers from 1 (to 6, or 12)"),
            )
        else:
            queues[purpose] = values
    return queues
