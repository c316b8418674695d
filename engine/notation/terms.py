"""The agreed terms of a battle file: victory, jump edges, rams, berths, FTL entry and asteroids.

The entries are `victory: [{winner: esu, ships: [f1, f2, f3], fate: escaped, least: 2, at_end:
false, reason: "..."}]` (without winner: a draw), `jump_edge: {esu: right}`, `no_quarter: [[esu,
nac]]`, `asteroids: [{at: [30, 20], radius: 1, boxes: 0}]` or `{roll: true, radius: 1, apart: 12,
boxes: 0}`, `drift: {course: 4, speed: 3}` or `roll`, and `rules: "1.0"` (see
`engine.core.versions`; the default is the newest). A side may have `ram_on: 4`, `withdraws_at: 40`
and `navy: esu`; a ship may have `berths: [20, 20]`, `docked: base` and `ftl_entry: 3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from engine.core.dice import Dice
from engine.core.errors import RuleViolations, fault_path
from engine.core.geometry import squared_length, squared_limit
from engine.core.kinds import FIGHTING, INBOUND, INSTALLATION, Fate
from engine.core.phrase import phrase
from engine.core.ship import BERTHED, DOCKED, ShipState
from engine.core.terms import (
    ASTEROID_DESTRUCTION,
    CIVIL_WAR,
    FLEET_MORALE,
    MOVING_TABLE,
    NO_FTL,
    NO_RAMMING,
    STRIKING,
    WITHDRAWS_AT,
    Terms,
    VictoryCondition,
)
from engine.core.versions import NEWEST, played_versions
from engine.core.victory import SCORINGS, can_jump
from engine.movement.docking import ATTACHED, fit_in_berths
from engine.movement.edges import EDGES
from engine.notation import start_words
from engine.notation.battle_file import CONDITION_KEYS, BattleFileDocument
from engine.notation.battle_ships import read_position
from engine.notation.ground import site_names
from engine.notation.laid_bodies import with_laid_bodies
from engine.notation.open_bodies import PLACE
from engine.notation.reading import Reader, is_pair, ship_entries
from engine.pieces.asteroid import ADDED, Asteroid, AsteroidField, roll_places
from engine.ruleset import rules_of

ROCK_KEYS = ("at", "radius", "boxes")
ROLL_KEYS = ("roll", "count", "radius", "apart", "boxes")
MAX_ROCKS, LARGEST = 100, 12  # asteroids on a table, MU of radius
ROLL = "roll"
COUNT = "count"
MAX_ROLLED = 6 + ADDED
MAX_COUNT = 30
TRIES = 20  # fields that are tried before a table counts as too small

Document = Mapping[object, object]


def read_terms(
    reader: Reader,
    document: Document,
    options: tuple[str, ...],
    sides: list[str],
    ships: list[ShipState],
    multi_role: tuple[str, ...] = (),
) -> Terms:
    """Return the agreed terms of a battle file; faults go to the reader.

    Args:
        multi_role: The types that the players chose for multi-role fighters.
    """
    jump_edges = _jump_edges(reader, document, sides)
    if jump_edges and MOVING_TABLE in options:
        reader.fault("jump_edge", "jump-edge", phrase("a moving table cannot have a jump edge"))
    rules = read_rules(reader, document)
    read_ftl_entries(reader, document, ships, no_ftl=NO_FTL in options)
    return Terms(
        options,
        victory=tuple(
            _victory(reader, document, sides, [*(ship.id for ship in ships), *site_names(document)])
        ),
        jump_edges=jump_edges,
        ram_on=_ram_on(reader, document, len(sides), options),
        berths=_berths(reader, document, ships),
        scoring=reader.choice(document, "scoring", SCORINGS) if "scoring" in document else "",
        rules=rules,
        withdraws_at=_withdraws_at(reader, document, len(sides), options),
        navies=_navies(reader, document, len(sides), options),
        no_quarter=_no_quarter(reader, document, sides, options),
        multi_role=multi_role,
    )


def read_rules(reader: Reader, document: Document) -> str:
    """Return the version of the rules for a battle file, by default the newest."""
    if "rules" not in document:
        return NEWEST
    return reader.choice(document, "rules", played_versions()) or NEWEST


def _victory(
    reader: Reader, document: Document, sides: list[str], ships: list[str]
) -> Iterator[VictoryCondition]:
    """Yield the victory conditions of a file.

    Args:
        ships: The ids that conditions may name.
    """
    ship_ids = set(ships)
    for number, item in enumerate(reader.items(document, "victory", default=())):
        where = fault_path("victory", number)
        if not isinstance(item, Mapping):
            reader.fault(
                where,
                "not-a-mapping",
                phrase("a condition needs ships, their fate and the winner"),
            )
            continue
        reader.keys(item, CONDITION_KEYS, where)
        winner = reader.text(item, "winner", where, default="")
        if winner and winner not in sides:
            reader.fault(
                f"{where}.winner",
                "unknown-side",
                phrase("no side is called '{}'; choose from {}", winner, ", ".join(sides)),
            )
        names = [str(name) for name in reader.items(item, "ships", where)]
        for name in names:
            if name not in ship_ids:
                reader.fault(
                    f"{where}.ships", "unknown-ship", phrase("no ship has the id '{}'", name)
                )
        fate = reader.choice(item, "fate", tuple(Fate), where)
        least = reader.number(item, "least", where, default=1)
        if least < 1:
            reader.fault(f"{where}.least", "least", phrase("expected a number of 1 or more"))
        reason_text = reader.prose(item, "reason", where)
        yield VictoryCondition(
            winner,
            ships=tuple(names),
            fate=Fate(fate or Fate.DESTROYED),
            least=least,
            at_end=reader.flag(item, "at_end", where),
            reason=reason_text,
        )


def _jump_edges(
    reader: Reader, document: Document, sides: list[str]
) -> tuple[tuple[int, str], ...]:
    """Return the edge over which each side may jump, by the number of the side."""
    edges = document.get("jump_edge", {})
    if not isinstance(edges, Mapping):
        reader.fault(
            "jump_edge",
            "not-a-mapping",
            phrase("expected the edge of each side that may jump there"),
        )
        return ()
    for side, edge in edges.items():
        if side not in sides or not isinstance(edge, str) or edge not in EDGES:
            words = phrase(
                "expected a side and an edge; sides: {}; edges: {}",
                ", ".join(sides),
                ", ".join(EDGES),
            )
            reader.fault(f"jump_edge.{side}", "jump-edge", words)
    result: list[tuple[int, str]] = []
    for number, side in enumerate(sides):
        if side in edges:
            result.append((number, str(edges[side])))
    return tuple(result)


def _ram_on(
    reader: Reader, document: Document, sides: int, options: tuple[str, ...]
) -> tuple[int, ...]:
    """Return the lowest die with which each side's crews ram, empty if no side says."""
    side_entries = []
    for item in reader.items(document, "sides", default=()):
        if isinstance(item, Mapping):
            side_entries.append(item)
    if len(side_entries) != sides or all("ram_on" not in item for item in side_entries):
        return ()
    dice = []
    for n, item in enumerate(side_entries):
        dice.append(reader.number(item, "ram_on", fault_path("sides", n), default=6))
    for number, die in enumerate(dice):
        if NO_RAMMING in options:
            reader.fault(
                f"{fault_path('sides', number)}.ram_on",
                "no-ramming",
                phrase("ramming is not allowed in this battle"),
            )
        elif not 1 <= die <= 6:
            reader.fault(
                f"{fault_path('sides', number)}.ram_on",
                "ram-on",
                phrase("expected a die from 1 to 6"),
            )
    return tuple(dice)


def _side_entries(reader: Reader, document: Document, sides: int, key: str) -> list[Document]:
    """Return the entries of all sides, or empty if any is malformed or none has the key."""
    entries = []
    for item in reader.items(document, "sides", default=()):
        if isinstance(item, Mapping):
            entries.append(item)
    if len(entries) == sides and any(key in item for item in entries):
        return entries
    return []


def _not_agreed(reader: Reader, option: str, options: tuple[str, ...], where: str) -> None:
    """Report a fault if the option that gives an entry its meaning is not in force."""
    if option not in options:
        reader.fault(where, "not-agreed", phrase("this needs the optional rule '{}'", option))


def _withdraws_at(
    reader: Reader, document: Document, sides: int, options: tuple[str, ...]
) -> tuple[int, ...]:
    """Return the percentage of mass lost at which each side withdraws, empty if no side says."""
    shares: list[int] = []
    for number, item in enumerate(_side_entries(reader, document, sides, "withdraws_at")):
        where = f"{fault_path('sides', number)}.withdraws_at"
        share = reader.number(
            item, "withdraws_at", fault_path("sides", number), default=WITHDRAWS_AT
        )
        if "withdraws_at" in item:
            _not_agreed(reader, FLEET_MORALE, options, where)
        if not 1 <= share <= 100:
            reader.fault(
                where,
                "withdraws-at",
                phrase("expected a percentage from 1 to 100 (100: it fights to the last)"),
            )
        shares.append(share)
    return tuple(shares)


def _navies(
    reader: Reader, document: Document, sides: int, options: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the navy that built each side's ships, empty if no side says."""
    navies: list[str] = []
    for number, item in enumerate(_side_entries(reader, document, sides, "navy")):
        if "navy" in item:
            _not_agreed(reader, CIVIL_WAR, options, f"{fault_path('sides', number)}.navy")
        navies.append(reader.text(item, "navy", fault_path("sides", number), default=""))
    return tuple(navies)


def _no_quarter(
    reader: Reader, document: Document, sides: list[str], options: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of sides whose ships never strike to each other."""
    pairs: list[tuple[int, int]] = []
    for number, pair in enumerate(reader.items(document, "no_quarter", default=())):
        where = fault_path("no_quarter", number)
        _not_agreed(reader, STRIKING, options, where)
        if is_pair(pair) and pair[0] != pair[1] and pair[0] in sides and pair[1] in sides:
            pairs.append((sides.index(pair[0]), sides.index(pair[1])))
        else:
            words = phrase("expected a pair of two sides; choose from {}", ", ".join(sides))
            reader.fault(where, "no-quarter", words)
    return tuple(pairs)


def read_ftl_entries(
    reader: Reader, document: Document, ships: list[ShipState], *, no_ftl: bool
) -> None:
    """Put ships in FTL space, and record the turn in which they drop out of it.

    Args:
        no_ftl: Whether no ship can drop out of FTL in this battle.

    Rules: 2E "Entering battle under FTL drive" [2e.ftl-entry]; Continuum "Hyper limit" 11.2
    [pc.ftl-entry]
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    for where, item in ship_entries(document):
        ship = ships_by_id.get(str(item.get("id")))
        if "ftl_entry" not in item or ship is None:
            continue
        spot = f"{where}.ftl_entry"
        turn = reader.number(item, "ftl_entry", where)
        if turn < 1:
            reader.fault(spot, "ftl-entry", start_words.ENTRY_TURN)
        elif "gate" in item:  # needs no FTL drive
            if ship.dummy:
                reader.fault(f"{where}.gate", "gate", start_words.NO_DECOY)
        elif no_ftl:
            reader.fault(spot, "no-ftl", start_words.GRAVITY_WELL)
        elif not can_jump(ship) or ship.dummy:
            reader.fault(spot, "ftl-entry", start_words.FTL_DRIVE)
        ship.status, ship.due = INBOUND, turn


def _berths(
    reader: Reader, document: Document, ships: list[ShipState]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the berths of installations, and dock the ships that begin docked.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    berths: dict[str, tuple[int, ...]] = {}
    for where, item in ship_entries(document):
        ship = ships_by_id.get(str(item.get("id")))
        if "berths" in item and ship is not None:
            berths[ship.id] = _berth_masses(reader, item, where, ship)
    dock_ships(reader, document, ships, berths)
    return tuple(berths.items())


def dock_ships(
    reader: Reader,
    document: Document,
    ships: list[ShipState],
    berths: Mapping[str, tuple[int, ...]],
) -> None:
    """Dock the ships that begin docked, the largest first, in a berth if they fit in one.

    Args:
        berths: The mass that each berth of each installation takes.
    """
    ships_by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    docking: list[tuple[str, ShipState, ShipState | None]] = []
    for where, item in ship_entries(document):
        ship = ships_by_id.get(str(item.get("id")))
        if "docked" in item and ship is not None:
            docking.append((f"{where}.docked", ship, ships_by_id.get(str(item["docked"]))))
    for where, ship, base in sorted(docking, key=lambda item: -item[1].sheet.mass):
        _begin_docked(reader, ship, base, berths=berths, ships=ships, where=where)


def _berth_masses(reader: Reader, item: Document, where: str, ship: ShipState) -> tuple[int, ...]:
    """Return the mass that each berth of an installation takes."""
    entries = reader.items(item, "berths", where)
    masses = tuple(mass for mass in entries if isinstance(mass, int) and mass > 0)
    if ship.sheet.kind != INSTALLATION or len(masses) < len(entries):
        reader.fault(
            f"{where}.berths",
            "berths",
            phrase("expected the mass that each bay of an installation takes"),
        )
    return masses


def _begin_docked(
    reader: Reader,
    ship: ShipState,
    base: ShipState | None,
    *,
    berths: Mapping[str, tuple[int, ...]],
    ships: list[ShipState],
    where: str,
) -> None:
    """Dock a ship at a base, in a berth if it fits in one of those left.

    Args:
        berths: The mass that each berth of each installation takes.
        ships: All ships, of which some are docked already.
    """
    rules = rules_of(ship.sheet.edition).docking
    if base is None or not _can_dock(ship, base, at_ships=rules.at_ships):
        return reader.fault(where, "docked", start_words.OWN_INSTALLATION)
    if squared_length(ship.x - base.x, ship.y - base.y) > squared_limit(rules.reach):
        reader.fault(
            where,
            "docked",
            start_words.dock_reach(rules.reach),
        )
    masses = []
    for other in ships:
        if other.dock == base.id and other.docking == BERTHED:
            masses.append(other.sheet.mass)
    masses.append(ship.sheet.mass)
    ship.dock = base.id
    ship.docking = BERTHED if fit_in_berths(masses, berths.get(base.id, ())) else DOCKED
    assert ship.docking in ATTACHED
    ship.course, ship.velocity, ship.screens = base.course, base.velocity, base.screens
    return None


def _can_dock(ship: ShipState, base: ShipState, *, at_ships: bool) -> bool:
    """Return whether a ship can begin docked at another unit of its side.

    Args:
        at_ships: Whether the edition lets ships dock at ships as well as at installations.
    """
    if base is ship or base.commander != ship.commander or ship.status != FIGHTING:
        return False
    return base.sheet.kind == INSTALLATION or (at_ships and not base.dock)


def read_asteroids(
    reader: Reader, document: Document, table: tuple[float, float], ships: list[ShipState]
) -> tuple[list[Asteroid], AsteroidField | None]:
    """Return the asteroids of a file, and the field that dice have yet to place or set adrift.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    entry = document.get("asteroids", ())
    drift, rolled = read_drift(reader, document)
    if isinstance(entry, Mapping):
        return [], _rolled_field(reader, entry, table, drift)
    rocks = []
    for number, item in enumerate(reader.items(document, "asteroids", default=())):
        where = fault_path("asteroids", number)
        if not isinstance(item, Mapping):
            reader.fault(
                where, "not-a-mapping", phrase("an asteroid needs a position and a radius")
            )
            continue
        reader.keys(item, ROCK_KEYS, where)
        x, y = read_position(reader, item, where, table)
        radius, boxes = _body(reader, item, where)
        if any(squared_length(ship.x - x, ship.y - y) < radius * radius for ship in ships):
            reader.fault(
                f"{where}.at", "rock-on-ship", phrase("a ship starts inside this asteroid")
            )
        course, speed = drift or (12, 0)
        rocks.append(
            Asteroid(
                f"rock-{number + 1}",
                x,
                y,
                radius=radius,
                course=course,
                speed=float(speed),
                boxes=boxes,
            )
        )
    field = None
    if rolled and rocks:
        field = AsteroidField(radius=0.0, spacing=0.0, boxes=0, is_rolled=False, drift=None)
    return rocks, field


def laid_asteroids(document: BattleFileDocument) -> list[dict[str, Any]]:
    """Return the asteroids of a valid battle file with their places, also those of dice.

    Raises:
        RuleViolations: The table has no room for the asteroids that dice place.
    """
    entry = document.get("asteroids", [])
    if not isinstance(entry, Mapping):
        return list(entry)
    width, height = document["table"]
    if PLACE in entry:
        return list(with_laid_bodies(cast(Document, document))["asteroids"])
    field = _rolled_field(Reader(), cast(Document, entry), (width, height), drift=None)
    obstacles = []
    for _, ship in ship_entries(cast(Document, document)):
        design = ship.get("design")
        if isinstance(design, Mapping) and design.get("kind") == INSTALLATION and "at" in ship:
            obstacles.append((ship["at"][0], ship["at"][1]))
    dice = Dice(document.get("seed", 0))
    places = roll_places((width, height), field, obstacles, dice)
    return [{"at": [x, y], "radius": field.radius, "boxes": field.boxes} for x, y in places]


def has_room_for(entry: Document, table: tuple[float, float]) -> bool:
    """Return whether an empty table has room for a valid field of asteroids that dice place.

    If dice roll the number, there must be room for the smallest.
    """
    field = _rolled_field(Reader(), entry, table, drift=None)
    least = replace(field, count=field.count or ADDED + 1)
    try:
        roll_places(table, least, (), Dice(0), tries=TRIES)
    except RuleViolations:
        return False
    return True


def _rolled_field(
    reader: Reader, entry: Document, table: tuple[float, float], drift: tuple[int, int] | None
) -> AsteroidField:
    """Return a field of asteroids whose places dice decide."""
    reader.keys(entry, ROLL_KEYS, "asteroids")
    count = reader.number(entry, COUNT, "asteroids", default=0)
    if COUNT in entry and not 1 <= count <= MAX_COUNT:
        words = phrase("a field has 1 to {} asteroids", MAX_COUNT)
        reader.fault(f"asteroids.{COUNT}", COUNT, words)
    if (entry.get(ROLL) is True) == (COUNT in entry):
        words = phrase("asteroids must be a list, or have either roll: true or a count")
        reader.fault("asteroids.roll", "asteroids", words)
    radius, boxes = _body(reader, entry, "asteroids")
    spacing = _measure(reader, entry, "apart", "asteroids", default=12.0, most=max(table))
    return AsteroidField(radius, spacing, boxes, is_rolled=True, drift=drift, count=count)


def _body(reader: Reader, data: Document, where: str) -> tuple[float, int]:
    """Return the radius of asteroids in MU, and their damage points."""
    boxes = reader.number(data, "boxes", where, default=0)
    if boxes < 0:
        reader.fault(
            f"{where}.boxes", "boxes", phrase("damage points must be 0 (indestructible) or more")
        )
    return _measure(reader, data, "radius", where, default=1.0, most=LARGEST), boxes


def _measure(
    reader: Reader, data: Document, key: str, where: str, *, default: float, most: float
) -> float:
    """Return a length in MU, above 0."""
    value = data.get(key, default)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most:
        return float(value)
    reader.fault(
        f"{where}.{key}",
        f"rock-{key}",
        phrase("expected a number of MU above 0, at most {:g}", most),
    )
    return default


def read_drift(reader: Reader, document: Document) -> tuple[tuple[int, int] | None, bool]:
    """Return the asteroids' (course, speed), None if dice decide, and whether they do."""
    entry = document.get("drift")
    if entry is None:
        return (12, 0), False
    if entry == ROLL:
        return None, True
    if not isinstance(entry, Mapping):
        reader.fault("drift", "drift", phrase("expected a course and a speed, or the word roll"))
        return None, False
    reader.keys(entry, ("course", "speed"), "drift")
    course = reader.number(entry, "course", "drift")
    speed = reader.number(entry, "speed", "drift")
    if not 1 <= course <= 12 or not 0 <= speed <= 100:
        reader.fault(
            "drift", "drift", phrase("courses go from 1 to 12, speeds from 0 to 100 MU a turn")
        )
        return None, False
    return (course, speed), False


def asteroid_names(
    rocks: list[Asteroid], rolled: AsteroidField | None, options: tuple[str, ...]
) -> list[str]:
    """Return the asteroids at which orders may aim, and the chunks that they may leave."""
    if ASTEROID_DESTRUCTION not in options:
        return []
    numbers = range(0)
    if rolled is not None and rolled.is_rolled:
        numbers = range(1, (rolled.count or MAX_ROLLED) + 1)
    return [rock.id for rock in rocks] + [f"rock-{number}" for number in numbers]
