"""A single battle as a campaign: a scenario made from a battle file, its first world, its end.

It has one system and one week with the battles stage only: the fleets are on the table from the
start. The scenario contains the complete battle file, with the designs of its ships in place of
their class names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import combinations
from typing import Any

from campaign.kinds import StageKind
from campaign.rules.designs import ship_class
from campaign.rules.scenario import Condition, Faction, Scenario, StarSystem
from campaign.rules.world import Doctrine, Engagement, Fleet, Holding, Ship, World
from engine.core.errors import RuleViolations, fault_path
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.notation.battles import read_battle
from engine.notation.reading import Reader

KEYS = ("slug", "version", "name", "edition", "intro", "battle", "factions")
# Keys of a battle file that are left out, because a campaign has its own.
DROPPED = ("seed", "dice", "captains", "turns", "rules")
FORCE = phrase("The force")  # name of each side's only fleet
SYSTEM = "the-field"  # the id of the only system
HEX = "0202"  # its hex
SIZE = 3  # columns and rows of the map
WEEK = 1


def skirmish_scenario(
    data: Mapping[object, object], battle: Mapping[str, Any], sheets: Mapping[str, Sheet]
) -> Scenario:
    """Return the scenario of a single battle. Raises RuleViolations with the faults of both files.

    Args:
        data: The scenario file.
        battle: The battle file.
        sheets: The ship classes.
    """
    reader = Reader()
    reader.keys(data, KEYS, "")
    texts = {key: reader.text(data, key) for key in ("slug", "name", "edition")}
    intro = reader.prose(data, "intro")
    version = reader.number(data, "version", default=1)
    factions = _read_factions(reader, data)
    document = _with_designs(reader, battle, sheets)
    names = sorted(str(side.get("name")) for side in document["sides"])
    if [faction.id for faction in factions] != names:
        reader.fault(
            "factions",
            "other-sides",
            phrase("the factions must be the battle's sides: {}", ", ".join(names)),
        )
    if reader.faults:
        raise RuleViolations(reader.faults)
    file = read_battle(document, {})
    width, height = file.state.table
    classes = [ship_class(ship.sheet) for ship in file.state.ships]
    catalogue = {cls.name: cls for cls in classes}
    return Scenario(
        slug=texts["slug"],
        version=version,
        name=texts["name"],
        edition=texts["edition"],
        options=file.options,
        weeks=WEEK,
        hexes_per_week=1,
        columns=SIZE,
        rows=SIZE,
        table=(int(width), int(height)),
        factions=tuple(factions),
        systems=(StarSystem(id=SYSTEM, name=texts["name"], hex=HEX, owner=None, settled=False),),
        links=(),
        closed=(),
        entries=(),
        budgets=(),
        defaults=tuple((faction.id, ()) for faction in factions),
        reinforcements=(),
        victory=(),
        catalogue=tuple(catalogue[name] for name in sorted(catalogue)),
        intro=intro,
        battle=document,
        restrictions=file.restrictions,
    )


def _read_factions(reader: Reader, data: Mapping[object, object]) -> list[Faction]:
    """Read the factions of a scenario file, sorted by id."""
    factions = []
    for number, item in enumerate(reader.items(data, "factions")):
        where = fault_path("factions", number)
        if isinstance(item, Mapping):
            reader.keys(item, ("id", "name"), where)
            id_ = reader.text(item, "id", where)
            factions.append(Faction(id_, reader.text(item, "name", where)))
        else:
            reader.fault(where, "not-a-mapping", phrase("a faction needs an id and a name"))
    return sorted(factions, key=lambda faction: faction.id)


def _with_designs(
    reader: Reader, battle: Mapping[str, Any], sheets: Mapping[str, Sheet]
) -> dict[str, Any]:
    """Return the battle file with the design of every ship, without its dice and orders."""
    sides = []
    for number, side in enumerate(battle.get("sides", ())):
        ships = []
        for row, ship in enumerate(side.get("ships", ())):
            cls = ship.get("class")
            if cls is not None and cls not in sheets:
                where = f"battle.{fault_path('sides', number)}.{fault_path('ships', row)}.class"
                reader.fault(where, "unknown-class", phrase("no class '{}'", cls))
            elif cls is not None:
                ship = {key: value for key, value in ship.items() if key != "class"}
                ship["design"] = sheets[cls].design
            ships.append(ship)
        sides.append({**side, "ships": ships})
    document = {key: value for key, value in battle.items() if key not in DROPPED}
    document["sides"] = sides
    return document


def skirmish_world(scenario: Scenario) -> World:
    """Return the world of a single battle: fleets in contact, and the battle to be fought."""
    state = read_battle(scenario.battle, {}).state
    fleets = []
    ships: list[Ship] = []
    sides = scenario.battle["sides"]
    names = [str(side["name"]) for side in sides]
    for number, side in enumerate(sides):
        name = names[number]
        fleet = Fleet(
            key=f"{name}/f1",
            faction=name,
            name=FORCE,
            hex=HEX,
            doctrine=_doctrine(side.get("doctrine", {})),
        )
        fleets.append(fleet)
        ships += _campaign_ships(fleet, [ship for ship in state.ships if ship.owner == number])
    pairs = []
    for a, b in combinations(range(len(names)), 2):
        if state.hostile[a] >> b & 1:
            first, second = sorted((names[a], names[b]))
            pairs.append((first, second))
    engagement = Engagement(
        key=f"{HEX}/w{WEEK}/{'+'.join(sorted(names))}",
        hex=HEX,
        sides=tuple((name,) for name in names),
        hostile=tuple(sorted(pairs)),
    )
    return World(
        week=WEEK,
        stage=StageKind.BATTLES,
        fleets=tuple(sorted(fleets, key=lambda fleet: fleet.key)),
        ships=tuple(sorted(ships, key=lambda ship: ship.key)),
        holdings=(Holding(SYSTEM, None, 0),),
        engagements=(engagement,),
    )


def _doctrine(document: Mapping[str, Any]) -> Doctrine:
    """Return the doctrine of a side's captain, without the parts that fleets do not have."""
    names = {field.name for field in fields(Doctrine)}
    return Doctrine(**{name: value for name, value in document.items() if name in names})


def _campaign_ships(fleet: Fleet, battle_ships: Iterable[ShipState]) -> list[Ship]:
    """Return the ships of a side as ships of its fleet, named by class and number."""
    ships = []
    counts: Counter[str] = Counter()
    for ship in battle_ships:
        if ship.dummy:
            continue
        cls = ship.sheet.cls
        counts[cls] += 1
        ships.append(
            Ship(
                key=ship.id,
                faction=fleet.faction,
                name=f"{cls} {counts[cls]}",
                cls=cls,
                fleet=fleet.key,
                damage=ship.damage,
                lost=ship.lost_systems(),
            )
        )
    return ships


def skirmish_end(scenario: Scenario, winner: str | None) -> Condition:
    """Return the result of a single battle: victory of the winner, or a draw."""
    name = next((faction.name for faction in scenario.factions if faction.id == winner), None)
    if name is None:
        return Condition("draw")
    return Condition(phrase("{} victory", name), winner)


def is_skirmish(scenario: Scenario) -> bool:
    """Return whether the scenario is a single battle."""
    return bool(scenario.battle)
