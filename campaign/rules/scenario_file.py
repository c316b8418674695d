"""Reading of scenario files: from the mapping of the YAML to a Scenario, or to all its faults.

Reading never stops at a fault: what can be read is read and judged
(`campaign.rules.scenario_checks`), so that one run shows all faults. The scenarios in
`fixtures/scenarios` show every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from campaign.rules.designs import ship_class
from campaign.rules.ground_targets import read_targets
from campaign.rules.hexes import MAX_COLUMNS, MAX_ROWS
from campaign.rules.mine_file import read_placed_mines
from campaign.rules.navies import NO_NAVIES, ClassNames
from campaign.rules.objective_file import (
    read_capacity,
    read_goods,
    read_judging,
    read_objectives,
)
from campaign.rules.pilots import read_aces
from campaign.rules.scenario import (
    MAX_DUMMIES,
    Budget,
    Condition,
    Drift,
    Entry,
    Facility,
    Faction,
    FleetPick,
    Link,
    Manifest,
    Reinforcement,
    Scenario,
    StarSystem,
)
from campaign.rules.scenario_checks import scenario_faults
from campaign.rules.scenario_pieces import NO_BASES, Bases, ScenarioParts, Table
from campaign.rules.scenario_set_up import read_set_up_rules
from campaign.rules.station_file import LINK_OPEN, read_stations, with_station_base
from campaign.rules.system_terrain import read_system_drift, read_system_terrain
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.terms import (
    DOGFIGHT_ACTIONS,
    MIXED_MOVEMENT,
    NO_DECOYS,
    NO_RAMMING,
    VECTOR,
    WITHDRAWS_AT,
)
from engine.design.techbase import RECOMMENDED, TechBase
from engine.notation.battle_squadrons import read_figures
from engine.notation.multi_role import read_multi_role
from engine.notation.reading import join_place
from engine.notation.restrictions import RESTRICTION_KEYS, read_restrictions
from engine.notation.tech_bases import read_base

FULL = 1000  # thousandths of a score
MAX_CHOICES = 100  # technologies that a tech base may choose in any campaign

# The keys of a file, in the order in which files are written.
TOP_KEYS = (
    *("slug", "version", "name", "edition", "options", "weeks", "hexes_per_week", "map", "table"),
    *("intro", "factions", "entries", "systems", "links", "closed", "decoys", "shared_sight"),
    *("classification_limit", "forces", "open_play", "dummies", "tech_choices", "patrols"),
    *("reinforcements", "victory", "class_names", "cargo"),
    *("objectives", "judging", "goods", "capacity"),
    *RESTRICTION_KEYS,
    *("class_movement", "battles", "set_up", "multi_role", "aces"),
)
FACTION_KEYS = (
    *("id", "name", "alliance", "tech_base", "construction"),
    *("withdraws_at", "navy", "no_quarter", "movement", "ram_on", "dogfights"),
)
SYSTEM_KEYS = (
    *("id", "name", "hex", "owner", "settled", "facility", "note", "terrain", "ground"),
    *("income", "hyper_limit", "stations", "drift", "mines"),
)
LINK_KEYS = ("id", "kind", "a", "b", "cost", "transfer_mass", "open")
MOVEMENTS = (VECTOR, "courses")
LONGEST_BATTLE = 100  # turns
# The steps of each kind of link if the file does not say.
LINK_KINDS = {
    "portal": 0,
    "gate": 1,
    "jump-point": 1,
}
FTL = ("required", "none", "any")
BUDGET_KEYS = ("points", "ftl", "deploy", "week")
DEFAULT_TABLE = (72, 48)  # MU


def _choice_count(value: object) -> int:
    """Return the number of choices, or the default for a value reported as a fault elsewhere."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return RECOMMENDED


def parse_scenario(
    data: object,
    sheets: Mapping[str, Sheet],
    bases: Bases = NO_BASES,
    navies: ClassNames = NO_NAVIES,
) -> Scenario:
    """Return the scenario of a file's mapping. Raises RuleViolations with all faults.

    Args:
        sheets: The ship classes that it may name.
        bases: The tech bases that it may name.
        navies: The lists of class names that it may name.
    """
    scenario, faults = read_scenario(data, sheets, bases, navies)
    if faults:
        raise RuleViolations(faults)
    return scenario


def read_scenario(
    data: object,
    sheets: Mapping[str, Sheet],
    bases: Bases = NO_BASES,
    navies: ClassNames = NO_NAVIES,
) -> tuple[Scenario, tuple[Violation, ...]]:
    """Return the readable part of a scenario and all its faults, sorted by place.

    The scenario is usable only if there is no fault.
    """
    file = ScenarioForm(data if isinstance(data, Mapping) else {}, bases, navies)
    if not isinstance(data, Mapping):
        words = phrase("a scenario must be an object (keys and values)")
        return file.scenario(sheets), (Violation("", "not-a-table", words),)
    scenario = file.scenario(sheets)
    return scenario, tuple(sorted({*file.reader.faults, *scenario_faults(scenario, file.draft)}))


class ScenarioForm(ScenarioParts):
    """The parts of a scenario file, read one by one."""

    def scenario(self, sheets: Mapping[str, Sheet]) -> Scenario:
        """Return the scenario, with usable values in place of those that have faults."""
        data = self.data
        reader = self.reader
        reader.keys(data, TOP_KEYS, "")
        size = self.table(data, "map", ("columns", "rows"))
        table = self.battle_table()
        decoys = self.table(data, "decoys", ("allowed", "points"), optional=True)
        are_decoys_allowed = NO_DECOYS not in self.options
        if "allowed" in decoys:
            are_decoys_allowed = reader.flag(decoys, "allowed", "decoys")
        factions = tuple(self.factions())
        systems = tuple(self.systems(table))
        weeks = self.number(data, "weeks", "", low=1, high=520)
        return Scenario(
            slug=self.ident(data, "slug"),
            version=self.number(data, "version", "", low=1, default=1),
            name=reader.text(data, "name"),
            edition=reader.text(data, "edition"),
            options=self.options,
            weeks=weeks,
            hexes_per_week=self.number(data, "hexes_per_week", "", low=1, high=50, default=6),
            columns=self.map_size(size, "columns", MAX_COLUMNS),
            rows=self.map_size(size, "rows", MAX_ROWS),
            table=table,
            factions=tuple(sorted(factions, key=lambda faction: faction.id)),
            systems=tuple(sorted(systems, key=lambda system: system.id)),
            links=tuple(self.links()),
            closed=tuple(sorted(self.closed_hexes())),
            entries=tuple(self.entries()),
            budgets=tuple(sorted(self.budgets(systems), key=lambda budget: budget.id)),
            defaults=tuple(sorted(self.defaults(systems))),
            reinforcements=tuple(self.reinforcements(systems)),
            victory=tuple(self.victory()),
            catalogue=tuple(ship_class(sheets[name]) for name in sorted(sheets)),
            class_names=tuple(self.class_names(sheets)),
            classification_limit=self.fraction(data, "classification_limit"),
            decoys=are_decoys_allowed,
            decoy_points=self.number(decoys, "points", "decoys", low=0, default=20),
            shared_sight=reader.flag(data, "shared_sight"),
            intro=reader.prose(data, "intro", default=""),
            cargo=tuple(sorted(self.cargo(), key=lambda item: (item.faction, item.cls))),
            open_play=reader.flag(data, "open_play"),
            tech_choices=self.tech_choices(),
            patrols=reader.flag(data, "patrols"),
            dummies=self.dummies(),
            objectives=tuple(read_objectives(self, weeks)),
            judging=read_judging(self),
            goods=tuple(read_goods(self)),
            capacity=tuple(read_capacity(self)),
            restrictions=read_restrictions(reader, data, str(data.get("edition"))),
            class_movement=tuple(self.class_movement()),
            max_turns=self.max_turns(),
            set_up=read_set_up_rules(reader, data),
            multi_role=read_multi_role(reader, data, str(data.get("edition"))),
            aces=read_aces(reader, data, self.options),
        )

    def battle_table(self) -> tuple[int, int]:
        """Return the width and depth of the battles' table in MU."""
        lengths = []
        for n, item in self.numbered_items(self.data, "table", DEFAULT_TABLE):
            where = fault_path("table", n)
            lengths.append(self.whole_number(item, where, low=1, high=1000))
        if len(lengths) == 2:
            width, depth = lengths
            return width, depth
        words = phrase("give the width and depth of the table in MU")
        self.reader.fault("table", "not-a-size", words)
        return DEFAULT_TABLE

    def map_size(self, size: Table, key: str, most: int) -> int:
        """Return the columns or rows of the map; the most there can be if they have a fault."""
        return self.number(size, key, "map", low=1, high=most, otherwise=most)

    def closed_hexes(self) -> Iterator[str]:
        """Yield the hexes that no fleet can enter."""
        for n, item in self.numbered_items(self.data, "closed", ()):
            yield self.hex_value(item, fault_path("closed", n))

    def dummies(self) -> int | None:
        """Return the dummy counters of each faction; None if the file leaves them out."""
        if self.data.get("dummies") is None:
            return None
        return self.number(self.data, "dummies", "", low=0, high=MAX_DUMMIES)

    def factions(self) -> Iterator[Faction]:
        """Yield the factions, in the order of the file."""
        for where, row in self.rows("factions", FACTION_KEYS):
            self.draft.factions.append(where)
            alliance = None
            if row.get("alliance") is not None:
                alliance = self.ident(row, "alliance", where)
            yield Faction(
                id=self.ident(row, "id", where),
                name=self.reader.text(row, "name", where),
                alliance=alliance,
                tech_base=self.tech_base(row, join_place(where, "tech_base")),
                construction=self.number(
                    row, "construction", where, low=0, high=100_000, default=0
                ),
                withdraws_at=self.number(
                    row, "withdraws_at", where, low=1, high=100, default=WITHDRAWS_AT
                ),
                navy=self.reader.text(row, "navy", where, default=""),
                no_quarter=self.no_quarter(row, where),
                movement=self.movement(row, "movement", where),
                ram_on=self.ram_on(row, where),
                dogfights=self.dogfights(row, where),
            )

    def no_quarter(self, row: Table, where: str) -> tuple[str, ...]:
        """Return the factions with which a faction never exchanges surrenders, sorted."""
        spot = join_place(where, "no_quarter")
        foes = []
        for _, item in self.numbered_items(row, "no_quarter", (), where):
            foes.append(self.reader.text_value(item, spot))
        self.draft.faction_refs.extend((spot, name) for name in foes)
        return tuple(sorted(foes))

    def movement(self, row: Table, key: str, where: str) -> str:
        """Return how a faction or a class moves; "" if the file leaves it out.

        Rules: Continuum "Vector movement system" 12.12 [camp.mixed-drives]
        """
        if key not in row:
            return ""
        movement = self.reader.choice(row, key, MOVEMENTS, where)
        if MIXED_MOVEMENT not in self.options:
            words = phrase("this needs the optional rule '{}'", MIXED_MOVEMENT)
            self.reader.fault(join_place(where, key), "movement", words)
        return movement

    def class_movement(self) -> Iterator[tuple[str, str]]:
        """Yield the classes that move in another way than their faction, and how."""
        table = self.table(self.data, "class_movement", (), optional=True)
        for cls in sorted(str(key) for key in table):
            self.draft.class_refs.append((fault_path("class_movement", cls), cls))
            yield cls, self.movement(table, cls, "class_movement")

    def ram_on(self, row: Table, where: str) -> int | None:
        """Return the lowest die with which a faction's crews ram; None if the file has none.

        Rules: 2E "Collisions and ramming" [camp.side-daring]
        """
        if "ram_on" not in row:
            return None
        die = self.reader.number(row, "ram_on", where)
        spot = join_place(where, "ram_on")
        if NO_RAMMING in self.options:
            self.reader.fault(spot, NO_RAMMING, phrase("ramming is not allowed in this war"))
        elif not 2 <= die <= 6:
            self.reader.fault(spot, "ram-on", phrase("expected a die from 2 to 6"))
        return die

    def dogfights(self, row: Table, where: str) -> dict[str, Any]:
        """Return the figures of a faction's fighters in dogfights by actions.

        Rules: Dogfight actions [dog.actions]
        """
        if "dogfights" not in row:
            return {}
        spot = join_place(where, "dogfights")
        if DOGFIGHT_ACTIONS not in self.options:
            words = phrase("these values need the optional rule '{}'", DOGFIGHT_ACTIONS)
            self.reader.fault(spot, "no-squadrons", words)
        figures = self.table(row, "dogfights", (), where)
        read_figures(self.reader, figures, spot)
        return {str(key): value for key, value in figures.items()}

    def max_turns(self) -> int:
        """Return the turn after which a battle of the war ends."""
        battles = self.table(self.data, "battles", ("max_turns",), optional=True)
        return self.number(
            battles, "max_turns", "battles", low=1, high=LONGEST_BATTLE, default=DEFAULT_MAX_TURNS
        )

    def tech_choices(self) -> int:
        """Return how many choices a tech base may have in this war."""
        return self.number(
            self.data,
            "tech_choices",
            "",
            low=0,
            high=MAX_CHOICES,
            default=RECOMMENDED,
            otherwise=RECOMMENDED,
        )

    def tech_base(self, row: Table, where: str) -> TechBase | None:
        """Return a faction's tech base: a bundled one by name, or a list of technologies.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        value = row.get("tech_base")
        if value is None:
            return None
        if isinstance(value, str):
            if value not in self.bases:
                names = ", ".join(sorted(self.bases)) or phrase("none")
                words = phrase("there is no tech base '{}'; choose from {}", value, names)
                self.reader.fault(where, "unknown-tech-base", words)
                return None
            value = self.bases[value]
        base, faults = read_base(
            value, where, _choice_count(self.data.get("tech_choices")), self.options
        )
        self.reader.faults.extend(faults)
        return base

    def systems(self, table: tuple[int, int]) -> Iterator[StarSystem]:
        """Yield the star systems, in the order of the file.

        Args:
            table: The size of battles in MU, for their terrain.
        """
        for where, row in self.rows("systems", SYSTEM_KEYS):
            terrain = self.terrain(row, table, where)
            stations = read_stations(self, row, table, where)
            system = StarSystem(
                id=self.ident(row, "id", where),
                name=self.reader.text(row, "name", where),
                hex=self.hex(row, "hex", where),
                owner=self.owner(row, "owner", where),
                settled=self.reader.flag(row, "settled", where),
                facility=with_station_base(self.facility(row, where), stations),
                note=self.reader.prose(row, "note", where, default=""),
                terrain=terrain,
                ground=read_targets(
                    self.reader, row.get("ground", []), join_place(where, "ground"), terrain
                ),
                income=self.number(row, "income", where, low=0, high=100_000, default=0),
                hyper_limit=self.reader.flag(row, "hyper_limit", where),
                stations=stations,
                drift=self.drift(row, where),
                mines=read_placed_mines(self, row, table, where),
            )
            for n, target in enumerate(system.ground):
                self.draft.faction_refs.append(
                    (f"{where}.ground{fault_path(n)}.faction", target.faction)
                )
            self.draft.systems.append((where, system))
            yield system

    def terrain(self, row: Table, table: tuple[int, int], where: str) -> tuple[dict[str, Any], ...]:
        """Return the terrain of a system; empty if the edition is unknown."""
        edition = self.data.get("edition")
        rows = self.reader.items(row, "terrain", where, default=())
        if not rows or edition not in EDITIONS:
            return ()
        entries, faults = read_system_terrain(rows, str(edition), table, where)
        self.reader.faults.extend(faults)
        return entries

    def drift(self, row: Table, where: str) -> Drift:
        """Return how the asteroids of a system drift."""
        rows = row.get("terrain")
        terrain = rows if isinstance(rows, (list, tuple)) else ()
        return read_system_drift(self.reader, row, terrain, where)

    def facility(self, row: Table, where: str) -> Facility | None:
        """Return the facility of a system, or None."""
        if row.get("facility") is None:
            return None
        allowed_keys = ("kind", "repairs", "repair_mass_limit", "replenishes", "fighters", "yard")
        data = self.table(row, "facility", allowed_keys, where)
        spot = join_place(where, "facility")
        limit = None
        if data.get("repair_mass_limit") is not None:
            limit = self.number(data, "repair_mass_limit", spot, low=1)
        return Facility(
            kind=self.reader.text(data, "kind", spot),
            repairs=self.reader.flag(data, "repairs", spot),
            repair_mass_limit=limit,
            replenishes=self.reader.flag(data, "replenishes", spot),
            fighters=self.reader.flag(data, "fighters", spot),
            yard=self.number(data, "yard", spot, low=0, high=10_000, default=0),
        )

    def links(self) -> Iterator[Link]:
        """Yield the portals, gates and jump points, in the order of the file."""
        for where, row in self.rows("links", LINK_KEYS):
            kind = self.reader.choice(row, "kind", tuple(LINK_KINDS), where)
            default_cost = LINK_KINDS.get(kind, 1)
            mass = None
            if row.get("transfer_mass") is not None:
                mass = self.number(row, "transfer_mass", where, low=1, high=1_000_000)
            link = Link(
                kind=kind,
                a=self.hex(row, "a", where),
                b=self.hex(row, "b", where),
                cost=self.number(row, "cost", where, low=0, high=50, default=default_cost),
                mass=mass,
                id=self.ident(row, "id", where) if "id" in row else "",
                open=self.link_access(row, where),
            )
            self.draft.links.append((where, link))
            yield link

    def link_access(self, row: Table, where: str) -> Literal["all", "holder"]:
        """Return whether all factions may use a link, or only the side that holds its ends."""
        choice = "all"
        if "open" in row:
            choice = self.reader.choice(row, "open", LINK_OPEN, where) or choice
        return cast(Literal["all", "holder"], choice)

    def entries(self) -> Iterator[Entry]:
        """Yield where and when the mobile forces of factions enter the map."""
        for where, row in self.rows("entries", ("faction", "hex", "week")):
            week = self.number(row, "week", where, low=1, default=1)
            entry = Entry(self.power(row, "faction", where), self.hex(row, "hex", where), week)
            self.draft.entries.append((where, entry))
            yield entry

    def forces(self) -> Iterator[tuple[str, str, Table]]:
        """Yield the faction, place and table of every force."""
        forces = self.table(self.data, "forces", ())
        for faction in sorted(str(key) for key in forces):
            spot = fault_path("forces", faction)
            yield faction, spot, self.table(forces, faction, (), "forces")

    def budgets(self, systems: tuple[StarSystem, ...]) -> Iterator[Budget]:
        """Yield the budgets of all forces, and a budget for the defence of each system."""
        for faction, where, force in self.forces():
            self.draft.faction_refs.append((where, faction))
            self.reader.keys(force, ("budgets", "system_defence", "default"), where)
            budgets = self.table(force, "budgets", (), where)
            for key in sorted(str(key) for key in budgets):
                spot = f"{where}.budgets.{key}"
                row = self.table(budgets, key, BUDGET_KEYS, f"{where}.budgets")
                ftl = self.reader.choice(row, "ftl", FTL, spot) or "any"
                yield Budget(
                    id=f"{faction}/{key}",
                    faction=faction,
                    points=self.number(row, "points", spot, low=0),
                    ftl=cast(Literal["required", "none", "any"], ftl),
                    deploy=self.deploy(row, spot, faction, systems),
                    week=self.week_of_arrival(row, spot),
                )
            yield from self.defence_budgets(faction, where, force)

    def week_of_arrival(self, row: Table, where: str) -> int:
        """Return the week in which the fleets of a budget arrive; 0 if they are there already."""
        if "week" not in row:
            return 0
        week = self.reader.number(row, "week", where)
        weeks = self.data.get("weeks")
        is_number = week == row["week"]
        if is_number and isinstance(weeks, int) and not 1 <= week <= weeks:
            words = phrase("the war has weeks 1 to {}", weeks)
            self.reader.fault(join_place(where, "week"), "week", words)
        return week

    def defence_budgets(self, faction: str, where: str, force: Table) -> Iterator[Budget]:
        """Yield the budget of a faction for the defence of each system."""
        defence = self.table(force, "system_defence", (), where, optional=True)
        for system in sorted(str(key) for key in defence):
            spot = f"{where}.system_defence.{system}"
            self.draft.system_refs.append((spot, system))
            yield Budget(
                id=f"{faction}/{system}",
                faction=faction,
                points=self.whole_number(defence[system], spot, low=0, high=1_000_000),
                ftl="none",
                deploy=(system,),
            )

    def deploy(
        self, row: Table, where: str, faction: str, systems: tuple[StarSystem, ...]
    ) -> tuple[str, ...]:
        """Return where a budget's fleets begin: listed systems, or the words any, entry or own."""
        value = row.get("deploy")
        spot = join_place(where, "deploy")
        if value in ("any", "entry"):
            if value == "entry":
                self.draft.enter.append((spot, faction))
            return (str(value),)
        if value == "own":
            return tuple(sorted(system.id for system in systems if system.owner == faction))
        system_ids = []
        for n, item in self.numbered_items(row, "deploy", (), where):
            self.draft.system_refs.append((f"{spot}[{n}]", str(item)))
            system_ids.append(str(item))
        if not system_ids:
            self.reader.fault(
                spot, "no-place", phrase("use any, own or entry, or list the systems")
            )
        return tuple(sorted(system_ids)) or ("any",)

    def defaults(
        self, systems: tuple[StarSystem, ...]
    ) -> Iterator[tuple[str, tuple[FleetPick, ...]]]:
        """Yield each faction with its default force list."""
        for faction, where, force in self.forces():
            allowed_keys = ("name", "budget", "at", "ships", "decoys")
            picks = []
            for spot, row in self.rows("default", allowed_keys, force, where):
                budget = self.reader.text(row, "budget", spot)
                pick = FleetPick(
                    name=self.reader.text(row, "name", spot),
                    budget=f"{faction}/{budget}",
                    hex=self.at(row, spot, systems, faction),
                    ships=self.ships(row, spot),
                    decoys=self.number(row, "decoys", spot, low=0, default=0),
                )
                self.draft.picks.append((spot, faction, pick))
                picks.append(pick)
            yield faction, tuple(sorted(picks, key=lambda pick: pick.name))

    def at(self, row: Table, where: str, systems: tuple[StarSystem, ...], faction: str) -> str:
        """Return a hex given by its label, by the system in it, or as the faction's `entry`."""
        value = row.get("at")
        hexes = {system.id: system.hex for system in systems}
        if isinstance(value, str) and value in hexes:
            return hexes[value]
        if value == "entry":
            self.draft.enter.append((join_place(where, "at"), faction))
            for _, entry in self.draft.entries:
                if entry.faction == faction:
                    return entry.hex
            return ""
        return self.hex(row, "at", where)

    def ships(self, row: Table, where: str) -> tuple[tuple[str, int], ...]:
        """Return pairs of a class and a number of ships, sorted."""
        table = self.table(row, "ships", (), where)
        ships: list[tuple[str, int]] = []
        for name in sorted(map(str, table)):
            count = self.whole_number(table[name], f"{where}.ships.{name}", low=1, high=1000)
            ships.append((name, count))
        return tuple(ships)

    def reinforcements(self, systems: tuple[StarSystem, ...]) -> Iterator[Reinforcement]:
        """Yield the ships that arrive during the war, in the order of the file."""
        for where, row in self.rows(
            "reinforcements", ("id", "faction", "week", "at", "name", "ships")
        ):
            faction = self.power(row, "faction", where)
            arrival = Reinforcement(
                id=self.ident(row, "id", where),
                faction=faction,
                week=self.number(row, "week", where, low=1),
                hex=self.at(row, where, systems, faction),
                name=self.reader.text(row, "name", where),
                ships=self.ships(row, where),
            )
            self.draft.arrivals.append((where, arrival))
            yield arrival

    def victory(self) -> Iterator[Condition]:
        """Yield the results of the war with their conditions, in the order of the file."""
        for where, row in self.rows(
            "victory", ("result", "winner", "superiority", "total", "ruins", "score")
        ):
            score = self.table(row, "score", ("of", "share"), where, optional=True)
            score_spot = join_place(where, "score")
            has_score = row.get("score") is not None
            ruins = self.table(row, "ruins", ("of", "at_least"), where, optional=True)
            has_ruins = row.get("ruins") is not None
            allowed_keys = ("by", "of", "at_least", "including")
            superiority = self.table(row, "superiority", allowed_keys, where, optional=True)
            spot = join_place(where, "superiority")
            ruins_spot = join_place(where, "ruins")
            winner = None
            if row.get("winner") is not None:
                winner = self.reader.text(row, "winner", where)
            by = None
            if row.get("superiority") is not None:
                by = self.reader.text(superiority, "by", spot)
            if has_ruins:
                at_least = self.number(ruins, "at_least", ruins_spot, low=0, default=0)
            else:
                at_least = self.number(superiority, "at_least", spot, low=0, default=0)
            condition = Condition(
                result=self.reader.text(row, "result", where),
                winner=winner,
                by=by,
                of=self.counted_systems(superiority, spot),
                at_least=at_least,
                including=self.texts(superiority, "including", spot),
                total=self.reader.flag(row, "total", where),
                ruins=self.power(ruins, "of", ruins_spot) if has_ruins else "",
                score_of=self.reader.text(score, "of", score_spot) if has_score else "",
                share=self.number(score, "share", score_spot, low=1, high=FULL) if has_score else 0,
            )
            self.draft.conditions.append((where, condition))
            yield condition

    def counted_systems(self, superiority: Table, where: str) -> tuple[str, ...]:
        """Return the systems that count for a condition: "settled", "all", or their ids."""
        value = superiority.get("of", "settled")
        if isinstance(value, str):
            return (value,)
        return self.texts(superiority, "of", where)

    def texts(self, data: Table, key: str, where: str) -> tuple[str, ...]:
        """Return the items of a list as texts."""
        return tuple(str(item) for _, item in self.numbered_items(data, key, (), where))

    def cargo(self) -> Iterator[Manifest]:
        """Yield the cargo of classes, in the order of the file."""
        for where, row in self.rows("cargo", ("faction", "class", "what", "amount")):
            cls = self.reader.text(row, "class", where)
            self.draft.class_refs.append((join_place(where, "class"), cls))
            manifest = Manifest(
                faction=self.power(row, "faction", where),
                cls=cls,
                what=self.reader.text(row, "what", where),
                amount=self.number(row, "amount", where, low=1),
            )
            self.draft.cargo.append((where, manifest))
            yield manifest

    def class_names(
        self, sheets: Mapping[str, Sheet]
    ) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """Yield each faction with its names for classes, as pairs of a class and a name.

        A list of names is written out here, without the classes that this rulebook does not have.
        """
        table = self.table(self.data, "class_names", (), optional=True)
        for faction in sorted(str(key) for key in table):
            where = fault_path("class_names", faction)
            self.draft.faction_refs.append((where, faction))
            names = table[faction]
            if isinstance(names, str):
                names = self.navy_names(names, where)
                yield faction, tuple(pair for pair in sorted(names.items()) if pair[0] in sheets)
            else:
                yield faction, tuple(self.own_class_names(table, faction))

    def navy_names(self, navy: str, where: str) -> Mapping[str, str]:
        """Return the names of a list; none, with a fault, if there is no such list."""
        if not navy:
            self.reader.fault(where, "unknown-navy", phrase("choose a list"))
            return {}
        if navy not in self.navies:
            words = phrase(
                "'{}' is not a list of names; choose from {}", navy, ", ".join(self.navies)
            )
            self.reader.fault(where, "unknown-navy", words)
            return {}
        return self.navies[navy]

    def own_class_names(self, table: Table, faction: str) -> Iterator[tuple[str, str]]:
        """Yield the classes that a faction calls by names of its own, with these names."""
        where = fault_path("class_names", faction)
        names = cast(Mapping[Any, object], self.table(table, faction, (), "class_names"))
        for cls in sorted(map(str, names)):
            self.draft.class_refs.append((f"{where}.{cls}", cls))
            yield cls, self.reader.text(names, cls, where)
