"""A single battle as a campaign: a scenario made from a battle file, its first world, its end.

It has one system and one week with the battles stage only: the fleets are on the table from the
start. The scenario contains the complete battle file, with the designs of its ships in place of
their class names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from campaign.kinds import StageKind
from campaign.rules.designs import ship_class
from campaign.rules.scenario import Condition, Faction, Scenario, StarSystem
from campaign.rules.world import Doctrine, Engagement, Fleet, Holding, Ship, World
from engine.core.errors import RuleViolations, fault_path
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.notation.battles import read_battle
from engine.notation.reading import Reader

KEYS = ("slug", "version", "name", "edition", "intro", "battle", "factions")
DROPPED = ("seed", "dice", "captains", "turns", "rules")  # of a battle file: a campaign has its own
SYSTEM, HEX, SIZE = "the-field", "0202", 3
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
        systems=(StarSystem(SYSTEM, texts["name"], HEX, None, False),),
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
                ship = {key: value for key, value in ship.items() if key != "class"} | {
                    "design": sheets[cls].design
                }
            ships.append(ship)
        sides.append({**side, "ships": ships})
    return {key: value for key, value in battle.items() if key not in DROPPED} | {"sides": sides}


def skirmish_world(scenario: Scenario) -> World:
    """Return the world of a single battle: fleets in contact, and the battle to be fought."""
    file = read_battle(scenario.battle, {})
    fleets = []
    ships = []
    names = [str(side["name"]) for side in scenario.battle["sides"]]
    for name, side in zip(names, scenario.battle["sides"], strict=True):
        doctrine_fields = {field.name for field in fields(Doctrine)}
        doctrine = {
            key: value for key, value in side.get("doctrine", {}).items() if key in doctrine_fields
        }
        fleet = Fleet(f"{name}/f1", name, phrase("The force"), HEX, doctrine=Doctrine(**doctrine))
        fleets.append(fleet)
        count: dict[str, int] = {}
        for ship in file.state.ships:
            if ship.owner == names.index(name) and not ship.dummy:
                cls = ship.sheet.cls
                count[cls] = count.get(cls, 0) + 1
                ships.append(
                    Ship(
                        key=ship.id,
                        faction=name,
                        name=f"{cls} {count[cls]}",
                        cls=cls,
                        fleet=fleet.key,
                        damage=ship.damage,
                        lost=ship.lost_systems(),
                    )
                )
    pairs = tuple(
        cast("tuple[str, str]", tuple(sorted((names[a], names[b]))))
        for a in range(len(names))
        for b in range(a + 1, len(names))
        if file.state.hostile[a] >> b & 1
    )
    key = f"{HEX}/w{WEEK}/{'+'.join(sorted(names))}"
    return World(
        week=WEEK,
        stage=StageKind.BATTLES,
        fleets=tuple(sorted(fleets, key=lambda fleet: fleet.key)),
        ships=tuple(sorted(ships, key=lambda ship: ship.key)),
        holdings=(Holding(SYSTEM, None, 0),),
        engagements=(Engagement(key, HEX, tuple((name,) for name in names), tuple(sorted(pairs))),),
    )


def skirmish_end(scenario: Scenario, winner: str | None) -> Condition:
    """Return the result of a single battle: victory of the winner, or a draw."""
    name = next((faction.name for faction in scenario.factions if faction.id == winner), None)
    if name is None:
        return Condition("draw")
    return Condition(phrase("{} victory", name), winner)


def is_skirmish(scenario: Scenario) -> bool:
    """Return whether the scenario is a single battle."""
    return bool(scenario.battle)
