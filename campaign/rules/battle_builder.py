"""The form of a single battle: its fields, its rows, and the file that it makes.

It uses the same fields and functions as the scenario editor (`campaign.rules.scenario_editing`).
A side with no ships in the form chooses its ships before the battle.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.battle_rows import (
    BASED_GROUP,
    CONDITIONS_GROUP,
    VICTORY,
    based_rows,
    condition_rows,
    set_based_rows,
    set_condition_rows,
)
from campaign.rules.form_fields import Field, Group, Of, Section
from campaign.rules.muster import deployment_of
from engine.core.edition import EDITIONS
from engine.core.errors import fault_path
from engine.core.kinds import Fate, GateShape
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import phrase
from engine.core.victory import LOSSES
from engine.design.fleets import ESCORTED, HALF_CAPITALS, NO_SMALL_CARRIERS, PATROL
from engine.notation.based import BASED_KEY
from engine.notation.fleet_limits import MUSTER
from engine.notation.open_bodies import BOTH, BY, PLACE
from engine.notation.terms import COUNT, ROLL

Document = dict[str, Any]
Row = dict[str, Any]

# Rows of the form whose places in the file are the lists of asteroids and of gates.
ASTEROID = "asteroid"
JUMP_POINT = str(GateShape.JUMP_POINT)

# The labels of values that the form offers, by kind.
MENUS: dict[Of, dict[str, str]] = {
    "edges": {
        "left": phrase("the left edge"),
        "right": phrase("the right edge"),
        "top": phrase("the top edge"),
        "bottom": phrase("the bottom edge"),
    },
    "fleet-values": {"points": phrase("points"), "cpv": phrase("combat points (Continuum)")},
    "fleet-limits": {
        PATROL: phrase("patrol: no capital ships, at most half the points in cruisers"),
        HALF_CAPITALS: phrase("at most half the points in capital ships"),
        ESCORTED: phrase("a cruiser and an escort for each capital ship"),
        NO_SMALL_CARRIERS: phrase("only capital ships carry fighters or gunboats"),
    },
    "terrain-kinds": {
        ASTEROID: phrase("asteroid"),
        "cloud": phrase("dust cloud"),
        "field": phrase("field of small asteroids"),
        "debris": phrase("battle debris"),
        "planet": phrase("planet"),
        JUMP_POINT: phrase("jump point"),
    },
    "deployments": {
        "meeting": phrase("meeting at the short edges"),
        "converging": phrase("converging along the long edges"),
        "defence": phrase("the first side defends its half"),
        "stand-off": phrase("after a stand-off"),
        "caught": phrase("the first side was caught fleeing"),
        "ambush": phrase("the second side ambushes the first"),
    },
    "set-up-manners": {
        "sealed": phrase("in secret"),
        "by-side": phrase("one side after the other, in the open"),
        "by-ship": phrase("in turn, ship by ship"),
    },
    "pilot-sources": {
        "dice": phrase("dice decide, at the deployment"),
        "bought": phrase("bought at the deployment, for 18 points each"),
    },
    "fates": {
        Fate.DESTROYED: phrase("destroyed or captured"),
        Fate.STRANDED: phrase("destroyed, or left without an FTL drive"),
        Fate.ESCAPED: phrase("escaped into FTL"),
        Fate.DAMAGED: phrase("damaged: counts points of damage"),
    },
    "scorings": {LOSSES: phrase("who has lost fewer points when the turns are over")},
}

SIDES_GROUP, TERRAIN_GROUP = "battle-sides", "battle-terrain"
LEAST_SIDES, MOST_SIDES = 2, 6
NEUTRAL_NAVIES = ("ember", "frost")  # of the project's own universe
# Keys of battle files, and of factions.
SIDES, TERRAIN, ASTEROIDS, DRIFT, GATES = "sides", "terrain", "asteroids", "drift", "gates"
MOVEMENT = "movement"

RULES_FIELDS = (
    Field("name", phrase("Name")),
    Field("edition", phrase("Rules"), "choice", of="editions"),
    Field("battle.options", phrase("Optional rules"), "ticks", of="options"),
    Field(
        "battle.barred",
        phrase("Not allowed"),
        "ticks",
        phrase("sides may not bring these; the list is public"),
        of="restrictions",
    ),
    Field(
        "battle.multi_role",
        phrase("Types of multi-role fighters"),
        "ticks",
        phrase("Continuum only: exactly three; none: standard, interceptor and attack fighters"),
        of="craft-types",
    ),
)
SIDE_FIELDS = (
    Field("name", phrase("Name")),
    Field(
        "ships",
        phrase("Ships"),
        "ships",
        phrase("without any, the side chooses its ships in secret; 0 removes a class"),
        of="classes",
    ),
    Field(
        "navy",
        phrase("Class names"),
        "choice",
        phrase("what this side calls its classes of ships; empty: as in the rulebook"),
        of="navies",
    ),
    Field("jump_edge", phrase("Escapes into FTL over this edge"), "choice", of="edges"),
    Field(
        MOVEMENT,
        phrase("Movement of its ships"),
        "choice",
        phrase("Continuum only, with the rule “Mixed movement”"),
        of="movements",
    ),
)
POINTS_FIELDS = (
    Field("battle.points", phrase("Points a side"), "number"),
    Field("battle.value", phrase("Counted as"), "choice", of="fleet-values"),
    Field("battle.limits", phrase("Limits of composition"), "ticks", of="fleet-limits"),
    Field("battle.without_ftl", phrase("Ships without FTL drives may take part"), "flag"),
    Field("battle.identical", phrase("All sides have the same ships"), "flag"),
    Field("battle.bogeys", phrase("Contacts begin as bogeys, and sides may have decoys"), "flag"),
)
TABLE_FIELDS = (
    Field(
        "battle.table",
        phrase("Table in MU"),
        "pair",
        parts=(phrase("Width"), phrase("Depth")),
    ),
    Field(
        "battle.asteroids.count",
        phrase("Asteroids, placed by dice"),
        "choice",
        of="asteroid-counts",
        places=("battle.asteroids.roll",),
    ),
    Field(
        "battle.asteroids.place",
        phrase("Asteroids, placed by the sides"),
        "choice",
        phrase("the sides place them in turn when they set up"),
        of="asteroid-counts",
    ),
    Field(
        "battle.asteroids.apart",
        phrase("Least distance between them in MU"),
        "number",
        phrase("12 if empty; asteroids that the sides place are as far from the edges"),
    ),
    Field(
        "battle.asteroids.boxes",
        phrase("Damage boxes of each of them"),
        "number",
        phrase("with the rule “Asteroids can be destroyed”; empty: nothing breaks them"),
    ),
    Field(
        "battle.drift.course",
        phrase("Drift of the asteroids"),
        "choice",
        of="drifts",
        places=("battle.drift",),
    ),
    Field("battle.drift.speed", phrase("Speed of the drift in MU"), "number"),
)
TERRAIN_FIELDS = (
    Field("kind", phrase("Kind"), "choice", of="terrain-kinds"),
    Field(
        "at",
        phrase("Place in MU"),
        "pair",
        phrase("from the lower left corner"),
        parts=(phrase("across"), phrase("up")),
    ),
    Field(
        "radius",
        phrase("Radius in MU"),
        "number",
        only=(ASTEROID, "cloud", "field", "debris", "planet"),
    ),
    Field(
        "boxes",
        phrase("Damage boxes"),
        "number",
        phrase("with the rule “Asteroids can be destroyed”; empty: nothing breaks them"),
        only=(ASTEROID,),
    ),
)
START_FIELDS = (
    Field("battle.deployment.kind", phrase("Deployment"), "choice", of="deployments"),
    Field("battle.deployment.manner", phrase("Sides set up"), "choice", of="set-up-manners"),
    Field("battle.scoring", phrase("Winner"), "choice", of="scorings"),
    Field(
        "battle.max_turns",
        phrase("Turns after which the battle ends"),
        "number",
        phrase("30 if empty"),
    ),
)
CONDITION_FIELDS = (
    Field("winner", phrase("Winner"), "choice", of="winners"),
    Field("ships", phrase("Ships"), "choice", of="battle-ships"),
    Field("fate", phrase("What happens to them"), "choice", of="fates"),
    Field("least", phrase("To how many of them"), "number", phrase("1 if empty")),
    Field("reason", phrase("Words for the result"), hint=phrase("such as: the convoy escaped")),
    Field("at_end", phrase("Counts only when the battle is over"), "flag"),
)
BASED_FIELDS = (
    Field("faction", phrase("Side"), "choice", of="factions"),
    Field("craft", phrase("Type"), "choice", of="fighters", places=("load",)),
    Field("number", phrase("Number"), "number", phrase("6 if empty")),
    Field(
        "at",
        phrase("Place in MU"),
        "pair",
        phrase("from the lower left corner"),
        parts=(phrase("across"), phrase("up")),
    ),
    Field("course", phrase("Course"), "choice", of="clock-courses"),
)
BATTLE_SECTION = Section(
    "battle",
    phrase("The battle"),
    ("slug", "version", "name", "edition", "intro", "battle", "factions", "class_names"),
    (
        Group("battle-rules", phrase("Rules"), "battle", RULES_FIELDS, single=True),
        Group(
            SIDES_GROUP,
            phrase("Sides"),
            phrase("side"),
            SIDE_FIELDS,
            add_label=phrase("Add a side"),
        ),
        Group("battle-points", phrase("Points and limits"), "battle", POINTS_FIELDS, single=True),
        Group("battle-table", phrase("Table"), "battle", TABLE_FIELDS, single=True),
        Group(
            TERRAIN_GROUP,
            phrase("Terrain"),
            phrase("terrain"),
            TERRAIN_FIELDS,
            hint=phrase(
                "The second edition has asteroids only. In Continuum, optional rules can place "
                "terrain by dice."
            ),
            add_label=phrase("Add terrain"),
        ),
        Group(
            BASED_GROUP,
            phrase("Fighters from bases off the table"),
            phrase("group"),
            BASED_FIELDS,
            hint=phrase("Their base takes no part in the battle. Usually there are none."),
            add_label=phrase("Add a group"),
        ),
        Group("battle-start", phrase("Beginning and end"), "battle", START_FIELDS, single=True),
        Group(
            CONDITIONS_GROUP,
            phrase("Victory conditions"),
            phrase("condition"),
            CONDITION_FIELDS,
            hint=phrase(
                "The first condition that holds decides the battle. Conditions count ships, so "
                "they need a side whose ships you choose above. Usually there are none: the last "
                "side on the table wins."
            ),
            add_label=phrase("Add a condition"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Start:
    """A ready-made battle with which the form begins.

    Attributes:
        keys: Its keys of the battle file; the others are those of any new battle.
    """

    title: str
    words: str
    keys: Mapping[str, Any]


STARTS = {
    "": Start(
        phrase("Battle by points"), phrase("1,500 points a side, any ships, an empty table."), {}
    ),
    "patrol": Start(
        phrase("Patrol"),
        phrase(
            "1,500 points a side, no capital ships, at most half the points in cruisers, six "
            "asteroids. After 12 turns the side that lost fewer points wins."
        ),
        {"limits": [PATROL], ASTEROIDS: {"count": 6}, "scoring": LOSSES, "max_turns": 12},
    ),
    "fleets": Start(
        phrase("Fleet action"),
        phrase(
            "3,000 points a side, at most half of them in capital ships, each with a cruiser and "
            "an escort, on a large table."
        ),
        {"points": 3000, "limits": [HALF_CAPITALS, ESCORTED], "table": [96, 60]},
    ),
    "ambush": Start(
        phrase("Ambush"),
        phrase("1,500 points a side; the second side waits around the first one."),
        {"deployment": {"kind": "ambush"}},
    ),
}


def new_battle(names: Sequence[str], start: str = "") -> Document:
    """Return the file of a new battle, by default 1,500 points a side without limits.

    Args:
        names: The names of the battle and of its two sides, in the reader's language.
        start: One of `STARTS`.

    Rules: 2E "The first battle", "The advanced scenarios" [2e.scenario-variants]
    """
    title, *sides = names
    ids = ("red", "blue")
    return {
        "slug": "battle",
        "name": title,
        "edition": EDITIONS[0].value,
        "battle": {
            "points": 1500,
            "bogeys": True,
            "table": [72, 48],
            "deployment": {"kind": "meeting"},
            "sides": [{"name": id_, MUSTER: {}} for id_ in ids],
            **STARTS[start].keys,
        },
        "factions": [{"id": id_, "name": name} for id_, name in zip(ids, sides, strict=True)],
        "class_names": dict(zip(ids, NEUTRAL_NAVIES, strict=True)),
    }


def finish(document: Document) -> Document:
    """Return the file that a form made, with what follows from it."""
    result = copy.deepcopy(document)
    battle = result["battle"]
    battle.setdefault(SIDES, [])
    if len(battle[SIDES]) != LEAST_SIDES:
        battle.pop("deployment", None)
    battle["deployment"] = deployment_of(battle)
    asteroids = battle.get(ASTEROIDS)
    if isinstance(asteroids, dict):
        if asteroids.get(COUNT) == ROLL:
            asteroids.pop(COUNT)
            asteroids[ROLL] = True
        if asteroids.keys() <= {"boxes", "apart"}:  # of no asteroids
            battle.pop(ASTEROIDS)
    for key in (ASTEROIDS, DRIFT):
        if not battle.get(key):
            battle.pop(key, None)
    drift = battle.get(DRIFT)
    if isinstance(drift, dict) and drift.get("course") == ROLL:
        battle[DRIFT] = ROLL
    elif isinstance(drift, dict) and "course" not in drift:
        battle.pop(DRIFT)
    asteroids = battle.get(ASTEROIDS)
    if isinstance(asteroids, dict) and PLACE in asteroids:
        asteroids.setdefault(BY, BOTH)
    return result


def form_document(document: Document) -> Document:
    """Return a file with the notations that the form has fields for; the reverse of `finish`."""
    result = copy.deepcopy(document)
    battle = result.get("battle")
    if not isinstance(battle, dict):
        return result
    if battle.get(DRIFT) == ROLL:
        battle[DRIFT] = {"course": ROLL}
    asteroids = battle.get(ASTEROIDS)
    if isinstance(asteroids, dict) and asteroids.get(ROLL) is True and COUNT not in asteroids:
        asteroids.pop(ROLL)
        asteroids[COUNT] = ROLL
    return result


def can_be_edited(document: Mapping[str, Any]) -> bool:
    """Return whether the form shows a scenario: a single battle with its own battle file."""
    battle = document.get("battle")
    if not isinstance(battle, dict):
        return False
    bodies = [battle.get(TERRAIN, []), battle.get(VICTORY, []), battle.get(GATES, [])]
    for side in battle.get(SIDES) or ():
        bodies.append(side.get(BASED_KEY, []))
    if not isinstance(battle.get(ASTEROIDS, {}), dict):
        bodies.append(battle[ASTEROIDS])
    for rows in bodies:
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return False
    drift = battle.get(DRIFT, {})
    return isinstance(drift, dict) or drift == ROLL


def side_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each side, with the name of its faction."""
    factions = {row.get("id"): row for row in document.get("factions") or ()}
    edges = document["battle"].get("jump_edge") or {}
    navies = document.get("class_names") or {}
    for number, side in enumerate(document["battle"].get(SIDES) or ()):
        id_ = side.get("name")
        faction = factions.get(id_, {})
        row = {"id": id_, "name": faction.get("name", id_), "side": side}
        if MOVEMENT in faction:
            row[MOVEMENT] = faction[MOVEMENT]
        if "ships" in side:
            row["ships"] = _counted(side["ships"])
            row |= _shared_movement(side["ships"])
        if isinstance(edges, dict) and id_ in edges:
            row["jump_edge"] = edges[id_]
        if isinstance(navies, dict) and isinstance(navies.get(id_), str):
            row["navy"] = navies[id_]
        yield f"battle.{fault_path(SIDES, number)}", row


def _shared_movement(ships: Any) -> Row:
    """Return how all ships of a side move, if the file says it of each; empty otherwise."""
    movements = {ship.get(MOVEMENT) for ship in ships} if isinstance(ships, list) else set()
    if len(movements) == 1 and None not in movements:
        return {MOVEMENT: movements.pop()}
    return {}


def _counted(ships: Any) -> Any:
    """Return ships as numbers by class, if they differ in nothing else."""
    if not isinstance(ships, list):
        return ships
    counts: Counter[str] = Counter()
    shared_keys = {"id", "class", *_shared_movement(ships)}
    for ship in ships:
        if set(ship) != shared_keys:
            return ships
        counts[str(ship["class"])] += 1
    return dict(counts)


def set_side_rows(document: Document, rows: list[Row]) -> None:
    """Store sides in the file, and their factions."""
    factions = {row.get("id"): row for row in document.get("factions") or ()}
    used_ids: set[str] = set()
    sides = []
    new_factions = []
    edges = {}
    own_names = _own_class_names(document)
    class_names = {}
    for row in rows:
        id_ = _side_id(row, used_ids)
        side = {key: value for key, value in row.get("side", {}).items() if key != MUSTER}
        side |= {"name": id_}
        side.pop("ships", None)
        movement = {MOVEMENT: row[MOVEMENT]} if row.get(MOVEMENT) else {}
        side |= _ships_or_muster(id_, row.get("ships"), movement)
        sides.append(side)
        name = row.get("name") or id_.replace("-", " ").capitalize()
        faction = {**factions.get(id_, {}), "id": id_, "name": name}
        faction.pop(MOVEMENT, None)
        new_factions.append(faction | movement if MUSTER in side else faction)
        if row.get("jump_edge"):
            edges[id_] = row["jump_edge"]
        if row.get("navy"):
            class_names[id_] = row["navy"]
        elif id_ in own_names:
            class_names[id_] = own_names[id_]
    document["battle"][SIDES] = sides
    document["factions"] = new_factions
    document["battle"].pop("jump_edge", None)
    if edges:
        document["battle"]["jump_edge"] = edges
    document.pop("class_names", None)
    if class_names:
        document["class_names"] = class_names


def _own_class_names(document: Document) -> Row:
    """Return the class names that are written in the file instead of a navy's list, by side."""
    names = document.get("class_names")
    if not isinstance(names, dict):
        return {}
    return {side: table for side, table in names.items() if isinstance(table, dict)}


def _side_id(row: Row, used_ids: set[str]) -> str:
    """Return the id of a side, or an unused one for a new side."""
    id_ = row.get("id")
    number = len(used_ids) + 1
    while not isinstance(id_, str) or id_ in used_ids:
        id_ = f"side-{number}"
        number += 1
    used_ids.add(id_)
    return id_


def _ships_or_muster(side: str, ships: Any, movement: Row) -> Row:
    """Return the ships of a side, or that it chooses them.

    Args:
        movement: The entry that says how all of them move, if they do not as usual.
    """
    if not ships:
        return {MUSTER: {}}
    if not isinstance(ships, dict):
        return {"ships": ships}
    if sum(count for count in ships.values() if isinstance(count, int)) > SHIPS_OF_A_WAR:
        return {"ships": ships}
    entries: list[Row] = []
    for cls, count in ships.items():
        for _ in range(count if isinstance(count, int) else 1):
            id_ = f"{side}-{len(entries) + 1}"
            entries.append({"id": id_, "class": str(cls), **movement})
    return {"ships": entries}


def terrain_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each piece of terrain, each asteroid with a place, and each jump point."""
    battle = document["battle"]
    rocks = battle.get(ASTEROIDS)
    for number, row in enumerate(rocks if isinstance(rocks, list) else ()):
        yield f"battle.{fault_path(ASTEROIDS, number)}", {"kind": ASTEROID, **row}
    for number, row in enumerate(battle.get(TERRAIN) or ()):
        yield f"battle.{fault_path(TERRAIN, number)}", row
    for number, row in enumerate(battle.get(GATES) or ()):
        if _is_jump_point(row):
            yield f"battle.{fault_path(GATES, number)}", row


def _is_jump_point(gate: Row) -> bool:
    """Return whether a gate is a jump point about which a row of the form says everything."""
    return gate.get("kind") == JUMP_POINT and set(gate) <= {"id", "kind", "at"}


def set_terrain_rows(document: Document, rows: list[Row]) -> None:
    """Store the terrain in the file; asteroids with places replace those without."""
    battle = document["battle"]
    rocks = []
    terrain = []
    gates = [gate for gate in battle.get(GATES) or () if not _is_jump_point(gate)]
    used_ids = {gate.get("id") for gate in gates}
    for row in rows:
        id_ = row.pop("id", None)
        if row.get("kind") == JUMP_POINT:
            gates.append({"id": _gate_id(id_, used_ids), **row})
        elif row.get("kind") == ASTEROID:
            rocks.append({key: value for key, value in row.items() if key != "kind"})
        else:
            terrain.append(row)
    for key, entries in ((TERRAIN, terrain), (GATES, gates)):
        battle.pop(key, None)
        if entries:
            battle[key] = entries
    if rocks:
        battle[ASTEROIDS] = rocks
    elif isinstance(battle.get(ASTEROIDS), list):
        battle.pop(ASTEROIDS)


def _gate_id(id_: Any, used_ids: set[Any]) -> str:
    """Return the id of a jump point, or an unused one for a new one."""
    number = 1
    while not isinstance(id_, str) or id_ in used_ids:
        id_ = f"{JUMP_POINT}-{number}"
        number += 1
    used_ids.add(id_)
    return id_


# Read and store the rows of the groups that are not lists of the file.
READERS: dict[str, Callable[[Document], Iterator[tuple[str, Row]]]] = {
    SIDES_GROUP: side_rows,
    TERRAIN_GROUP: terrain_rows,
    CONDITIONS_GROUP: condition_rows,
    BASED_GROUP: based_rows,
}
WRITERS: dict[str, Callable[[Document, list[Row]], None]] = {
    SIDES_GROUP: set_side_rows,
    TERRAIN_GROUP: set_terrain_rows,
    CONDITIONS_GROUP: set_condition_rows,
    BASED_GROUP: set_based_rows,
}
