"""A single battle as a campaign: a scenario made from a battle file, its first world, its end.

It has one system and one week with the battles stage only: the fleets are on the table from the
start, unless sides choose their ships in a deployment before it (`campaign.rules.muster`). The
scenario contains the complete battle file, with the designs of its ships in place of their class
names.

Rules: 2E "Advanced scenarios" [camp.own-battles]
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from typing import Any

from campaign.kinds import StageKind
from campaign.rules.designs import ship_class
from campaign.rules.muster import (
    battle_with_fleets,
    deployment_of,
    example_battle,
    limits_of,
    muster_options,
    mustering_sides,
    name_of,
    proposed_entries,
    proposed_fleet,
)
from campaign.rules.navies import NO_NAVIES, ClassNames
from campaign.rules.queries import ONLY_BUDGET, victory_words
from campaign.rules.scenario import (
    Budget,
    Condition,
    Faction,
    FleetPick,
    Scenario,
    ShipClass,
    StarSystem,
)
from campaign.rules.scenario_file import ScenarioForm
from campaign.rules.scenario_pieces import NO_BASES, Bases
from campaign.rules.world import Doctrine, Engagement, Fleet, Holding, Ship, World
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import BASED
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.terms import NO_DECOYS
from engine.design.fleets import DECOY_POINTS
from engine.design.restrictions import class_fault
from engine.notation.battles import BattleFile, read_battle
from engine.notation.fleet_limits import IDENTICAL, MUSTER, NO_SHIPS, POINTS, read_muster
from engine.notation.reading import Reader, join_place, prefix_places, ship_entries
from engine.notation.restrictions import read_restrictions
from engine.ruleset import rules_of

KEYS = ("slug", "version", "name", "edition", "intro", "battle", "factions", "class_names")
FACTION_KEYS = ("id", "name")
MUSTER_KEYS = ("tech_base", "movement")  # of factions that choose their ships
# Keys of a bundled battle file that are left out, because a campaign has its own. An own scenario
# cannot have them.
DROPPED = ("seed", "dice", "captains", "turns", "rules")
BATTLE = "battle"  # the key of the battle file in a scenario
FORCE = phrase("The force")  # name of each side's only fleet
SYSTEM = "the-field"  # the id of the only system
HEX = "0202"  # its hex
SIZE = 3  # columns and rows of the map
WEEK = 1


def skirmish_scenario(
    data: Mapping[object, object],
    battle: Mapping[Any, Any],
    sheets: Mapping[str, Sheet],
    bases: Bases = NO_BASES,
    navies: ClassNames = NO_NAVIES,
) -> Scenario:
    """Return the scenario of a single battle. Raises RuleViolations with the faults of both files.

    Args:
        data: The scenario file.
        battle: The battle file; its sides are mappings.
        sheets: The ship classes.
        bases: The bundled tech bases by name.
        navies: The lists of class names that it may name.
    """
    file = _SkirmishFile(data, battle, sheets, bases, navies)
    scenario = file.scenario()
    if scenario is None:
        raise RuleViolations(file.faults)
    return scenario


def _whole(value: Any) -> Any:
    """Return a value of a document with whole numbers instead of floats, which have no fraction."""
    if isinstance(value, float):
        return int(value)
    if isinstance(value, Mapping):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(item) for item in value]
    return value


def _fraction_faults(value: object, where: str) -> Iterator[Violation]:
    """Yield a fault for each number with a fraction: stored scenarios have whole numbers alone."""
    if isinstance(value, float) and not value.is_integer():
        yield Violation(where, "not-whole", phrase("must be a whole number"))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _fraction_faults(item, join_place(where, str(key)))
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _fraction_faults(item, f"{where}[{number}]")


def unreadable_skirmish(data: Mapping[object, object]) -> Scenario:
    """Return a scenario with nothing but the name and rulebook of a battle that has faults."""
    return Scenario(
        slug="",
        version=1,
        name=str(data.get("name") or ""),
        edition=str(data.get("edition") or ""),
        options=(),
        weeks=WEEK,
        hexes_per_week=1,
        columns=SIZE,
        rows=SIZE,
        table=(72, 48),
        factions=(),
        systems=(),
        links=(),
        closed=(),
        entries=(),
        budgets=(),
        defaults=(),
        reinforcements=(),
        victory=(),
        catalogue=(),
    )


def own_battle_faults(battle: Mapping[str, Any]) -> list[Violation]:
    """Return the faults that keep the battle file of an own scenario from being read.

    These are keys that belong to a campaign, numbers with fractions, and sides or ships that are no
    objects.
    """
    faults = list(_fraction_faults(battle, ""))
    for key in DROPPED:
        if key in battle:
            words = phrase("a scenario cannot have this key; the campaign decides it")
            faults.append(Violation(key, "unknown-key", words))
    sides = battle.get("sides")
    if not isinstance(sides, list):
        return [*faults, Violation("sides", "not-a-list", phrase("expected a list"))]
    no_table = phrase("must be an object (keys and values)")
    for number, side in enumerate(sides):
        where = fault_path("sides", number)
        if not isinstance(side, dict):
            faults.append(Violation(where, "not-a-table", no_table))
            continue
        ships = side.get("ships", [])
        if not isinstance(ships, list):
            words = phrase("expected a list")
            faults.append(Violation(f"{where}.ships", "not-a-list", words))
            continue
        for row, ship in enumerate(ships):
            if not isinstance(ship, dict):
                spot = f"{where}.{fault_path('ships', row)}"
                faults.append(Violation(spot, "not-a-table", no_table))
    return faults


class _SkirmishFile:
    """The scenario file of a single battle while it is read."""

    def __init__(
        self,
        data: Mapping[object, object],
        battle: Mapping[Any, Any],
        sheets: Mapping[str, Sheet],
        bases: Bases,
        navies: ClassNames,
    ) -> None:
        self.data = data
        self.sheets = sheets
        self.form = ScenarioForm({**data, "options": battle.get("options", [])}, bases, navies)
        self.reader = self.form.reader
        self.musters = mustering_sides(battle)
        if self.musters:
            battle = {**battle, "deployment": deployment_of(battle)}
        self.battle = battle

    @property
    def faults(self) -> list[Violation]:
        """All faults found so far, each once."""
        return list(dict.fromkeys(self.reader.faults))

    def scenario(self) -> Scenario | None:
        """Return the scenario, or None if its file has faults."""
        reader = self.reader
        reader.keys(self.data, KEYS, "")
        slug = self.form.ident(self.data, "slug")
        name = reader.text(self.data, "name")
        edition = reader.text(self.data, "edition")
        if edition and self.battle.get("edition") != edition:
            words = phrase("a battle has the rulebook of its scenario")
            reader.fault(f"{BATTLE}.edition", "other-edition", words)
        intro = reader.prose(self.data, "intro", default="")
        version = reader.number(self.data, "version", default=1)
        factions = self._factions()
        class_names = self._class_names([faction.id for faction in factions])
        document = self._with_designs()
        proposal = self._proposal()
        file = self._read_battle(document, proposal)
        if reader.faults or file is None:
            return None
        width, height = file.state.table
        defaults = []
        for faction in factions:
            defaults.append((faction.id, _default_fleets(faction.id, self.musters, proposal)))
        return Scenario(
            slug=slug,
            version=version,
            name=name,
            edition=edition,
            options=muster_options(self.battle, file.options),
            weeks=WEEK,
            hexes_per_week=1,
            columns=SIZE,
            rows=SIZE,
            table=(int(width), int(height)),
            factions=tuple(factions),
            class_names=class_names,
            systems=(StarSystem(id=SYSTEM, name=name, hex=HEX, owner=None, settled=False),),
            links=(),
            closed=(),
            entries=(),
            budgets=tuple(self._budgets()),
            defaults=tuple(defaults),
            reinforcements=(),
            victory=(),
            catalogue=self._catalogue(file),
            classification_limit=(1, 1),
            decoys=file.state.bogeys and NO_DECOYS not in file.options,
            decoy_points=DECOY_POINTS,
            intro=intro,
            battle=_whole({**document, "table": [width, height]}),
            restrictions=file.restrictions,
        )

    def _class_names(
        self, factions: Sequence[str]
    ) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Return the names of classes by faction."""
        class_names = tuple(self.form.class_names(self.sheets))
        for faction, _ in class_names:
            if faction not in factions:
                words = phrase("'{}' is not a faction of this battle", faction)
                self.reader.fault(fault_path("class_names", faction), "unknown-faction", words)
        return class_names

    def _factions(self) -> list[Faction]:
        """Return the factions, sorted by id, which must be the sides of the battle."""
        keys = (*FACTION_KEYS, *MUSTER_KEYS) if self.musters else FACTION_KEYS
        factions = []
        for where, item in self.form.rows("factions", keys):
            factions.append(
                Faction(
                    self.form.ident(item, "id", where),
                    self.reader.text(item, "name", where),
                    tech_base=self.form.tech_base(item, f"{where}.tech_base"),
                    movement=self.form.movement(item, "movement", where),
                )
            )
        factions.sort(key=lambda faction: faction.id)
        names = sorted(name_of(side) for side in self.battle["sides"])
        if [faction.id for faction in factions] != names:
            words = phrase("the factions must be the battle's sides: {}", ", ".join(names))
            self.reader.fault("factions", "other-sides", words)
        return factions

    def _with_designs(self) -> dict[str, Any]:
        """Return the battle file with the design of every ship, without its dice and orders."""
        sides = []
        for number, side in enumerate(self.battle["sides"]):
            if MUSTER in side:
                self._check_muster(side, fault_path("sides", number))
                sides.append(side)
                continue
            ships = []
            for row, ship in enumerate(side.get("ships", ())):
                where = f"{BATTLE}.{fault_path('sides', number)}.{fault_path('ships', row)}"
                ships.append(self._with_design(ship, where))
            sides.append({**side, "ships": ships})
        document = {key: value for key, value in self.battle.items() if key not in DROPPED}
        document["sides"] = sides
        return document

    def _check_muster(self, side: Mapping[Any, Any], where: str) -> None:
        """Report faults of a side that chooses its ships; that it has none yet is no fault."""
        reader = Reader()
        read_muster(reader, side, where)
        faults = [fault for fault in reader.faults if fault.code != NO_SHIPS]
        self.reader.faults += prefix_places(BATTLE, faults)

    def _with_design(self, ship: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        cls = ship.get("class")
        if cls is None:
            return ship
        if not isinstance(cls, str) or cls not in self.sheets:
            self.reader.fault(f"{where}.class", "unknown-class", phrase("no class '{}'", cls))
            return ship
        result = {key: value for key, value in ship.items() if key != "class"}
        result["design"] = self.sheets[cls].design
        return result

    def _proposal(self) -> dict[str, int]:
        """Return the proposed fleet of sides that choose their ships, by class."""
        if not self.musters:
            return {}
        if POINTS not in self.battle:
            words = phrase("a battle whose sides choose their ships needs a number of points")
            self.reader.fault(f"{BATTLE}.{POINTS}", "missing", words)
            return {}
        if self.battle.get(IDENTICAL):
            words = phrase("sides that choose their ships in secret cannot have identical ones")
            self.reader.fault(f"{BATTLE}.{IDENTICAL}", MUSTER, words)
        limits = limits_of(self.battle)
        proposal = proposed_fleet(self._allowed_sheets(), limits, self.form.options)
        if not proposal and limits.points:
            words = phrase("no fleet of the catalogue satisfies these points and limits")
            self.reader.fault(f"{BATTLE}.{POINTS}", "no-fleet", words)
        return proposal

    def _allowed_sheets(self) -> list[Sheet]:
        """Return the classes that have, and are, nothing that is barred in the battle."""
        edition = str(self.battle.get("edition"))
        restrictions = read_restrictions(Reader(), self.battle, edition)
        if restrictions.is_empty:
            return list(self.sheets.values())
        rules = rules_of(edition)
        return [
            sheet
            for sheet in self.sheets.values()
            if class_fault(sheet.design, restrictions, rules) is None
        ]

    def _read_battle(
        self, document: Mapping[str, Any], proposal: Mapping[str, int]
    ) -> BattleFile | None:
        """Return the battle with the proposed fleets, or None if its file has faults."""
        if any(fault.code == "unknown-class" for fault in self.reader.faults):
            return None
        if self.musters and not proposal:
            return None
        # Nothing in the file can name these ids, because the ships of a side are not chosen yet.
        secret = hashlib.sha256(repr(document).encode()).hexdigest()
        ships_by_side = {}
        for name in self.musters:
            prefix = f"{name}/{secret[:12]}-"
            ships_by_side[name] = proposed_entries(prefix, proposal, self.sheets)
        try:
            return read_battle(battle_with_fleets(document, ships_by_side), {})
        except RuleViolations as refused:
            self.reader.faults += prefix_places(BATTLE, self._in_file(refused.violations))
            return None

    def _in_file(self, faults: Iterable[Violation]) -> Iterator[Violation]:
        """Yield faults, those of a class's design at the class that the file names."""
        for fault in faults:
            ship_place, is_design, _ = fault.where.partition(".design")
            if is_design and ship_place in self._named_classes():
                yield Violation(f"{ship_place}.class", fault.code, fault.message)
            else:
                yield fault

    def _named_classes(self) -> set[str]:
        """Return the places of ships of which the file names the class."""
        return {where for where, ship in ship_entries(self.battle) if "class" in ship}

    def _budgets(self) -> Iterator[Budget]:
        """Yield the budget of each side that chooses its ships."""
        for name in sorted(self.musters):
            yield Budget(
                id=ONLY_BUDGET,
                faction=name,
                points=self.battle[POINTS],
                ftl="any" if self.battle.get("without_ftl") else "required",
                deploy=(SYSTEM,),
            )

    def _catalogue(self, file: BattleFile) -> tuple[ShipClass, ...]:
        """Return the classes of all ships, and those that sides may choose, sorted by name."""
        classes = {ship.sheet.cls: ship_class(ship.sheet) for ship in file.state.ships}
        if self.musters:
            for sheet in self.sheets.values():
                classes[sheet.cls] = ship_class(sheet)
        return tuple(classes[name] for name in sorted(classes))


def _default_fleets(
    faction: str, musters: Collection[str], proposal: Mapping[str, int]
) -> tuple[FleetPick, ...]:
    """Return the force list of a faction: the proposed fleet, if it chooses its ships."""
    if faction not in musters:
        return ()
    return (FleetPick(str(FORCE), ONLY_BUDGET, HEX, tuple(proposal.items())),)


def skirmish_world(scenario: Scenario) -> World:
    """Return the world of a single battle: before the deployment, or at the battle.

    There is a deployment only if sides choose their ships.
    """
    holdings = (Holding(SYSTEM, None, 0),)
    if mustering_sides(scenario.battle):
        return World(week=0, stage=StageKind.DEPLOY, fleets=(), ships=(), holdings=holdings)
    return deployed_skirmish_world(scenario, (), ())


def deployed_skirmish_world(
    scenario: Scenario, fleets: Sequence[Fleet], ships: Sequence[Ship]
) -> World:
    """Return the world at the battle: fleets in contact, and the battle to be fought.

    Args:
        fleets: The fleets of the sides that chose them.
        ships: The ships of these fleets.
    """
    state = read_battle(example_battle(scenario), {}).state
    all_fleets = [replace(fleet, decoys=0, decoys_out=fleet.decoys) for fleet in fleets]
    all_ships = list(ships)
    sides = scenario.battle["sides"]
    names = [name_of(side) for side in sides]
    for number, side in enumerate(sides):
        if MUSTER in side:
            continue
        fleet = Fleet(
            key=f"{names[number]}/f1",
            faction=names[number],
            name=FORCE,
            hex=HEX,
            doctrine=_doctrine(side.get("doctrine", {})),
        )
        all_fleets.append(fleet)
        side_ships = [ship for ship in state.ships if ship.owner == number]
        all_ships += _campaign_ships(fleet, side_ships)
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
        fleets=tuple(sorted(all_fleets, key=lambda fleet: fleet.key)),
        ships=tuple(sorted(all_ships, key=lambda ship: ship.key)),
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
        if ship.dummy or ship.status == BASED:
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
    if winner is None or not any(faction.id == winner for faction in scenario.factions):
        return Condition("draw")
    return Condition(victory_words(scenario, winner), winner)


def is_skirmish(scenario: Scenario) -> bool:
    """Return whether the scenario is a single battle."""
    return bool(scenario.battle)
