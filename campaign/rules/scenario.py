"""A scenario as a value: the public map, the factions, their budgets and the victory conditions.

It never changes once a campaign uses it. Hexes are labels CCRR (column, row, from 01). `systems`,
`factions` and `catalogue` are sorted by their keys.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.core.limits import DEFAULT_MAX_TURNS, DUMMIES
from engine.core.terms import WITHDRAWS_AT
from engine.core.transport import TENDER_BAY
from engine.design.restrictions import NO_RESTRICTIONS, Restrictions
from engine.design.techbase import RECOMMENDED, TechBase

Choice = Literal["fight", "stand-off", "withdraw"]
ObjectiveKind = Literal["hold", "deliver", "bring", "destroy", "save", "lose-less", "ruins", "deny"]
GoodsKind = Literal["cargo", "passengers", "troops", "specialists"]
Measure = Literal["ships", "points"]
FactionNames = tuple[str, tuple[tuple[str, str], ...]]  # its id; its name of each class
MAX_DUMMIES = DUMMIES


ACES_BOUGHT = "bought"  # value of `Scenario.aces`


@dataclass(frozen=True, slots=True)
class Faction:
    """A faction of the war.

    Attributes:
        alliance: Factions of one alliance are one side; None: no allies.
        tech_base: What its yards can build; None: everything.
        construction: Points a week for building ships.
        withdraws_at: Per cent of its mass lost after which it withdraws from a battle, with that
            option.
        navy: Whose yards built its ships, with that option.
        no_quarter: The factions with which it never exchanges surrenders, with that option.
        movement: How its ships move, vector or courses, with mixed movement; "": by courses.
        ram_on: The lowest die with which its crews ram; None: as the options say.
        dogfights: The figures of its fighters in dogfights by actions.
    """

    id: str
    name: str
    alliance: str | None = None
    tech_base: TechBase | None = None
    construction: int = 0
    withdraws_at: int = WITHDRAWS_AT
    navy: str = ""
    no_quarter: tuple[str, ...] = ()
    movement: str = ""
    ram_on: int | None = None
    dogfights: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facility:
    """The facility of a naval base.

    Attributes:
        repair_mass_limit: The greatest MASS that it repairs; None: any.
        yard: The mass of its shipyard, which builds and modifies twice that in a week; 0: none.
    """

    kind: str
    repairs: bool = False
    repair_mass_limit: int | None = None
    replenishes: bool = False
    fighters: bool = False
    yard: int = 0


@dataclass(frozen=True, slots=True)
class GroundTarget:
    """An installation of a faction on a planet.

    Attributes:
        boxes: Its strength, which only ortillery reduces.
        name: Its name, or "".
    """

    faction: str
    planet: str
    boxes: int
    name: str = ""


# The drift of asteroids: {course, speed in MU a turn}, "roll" if dice decide it, "" without any.
Drift = dict[str, int] | str


@dataclass(frozen=True, slots=True)
class PlacedMine:
    """A mine that is in a system when the war begins.

    Attributes:
        at: Its place in MU from the middle of the table.
    """

    faction: str
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Station:
    """An installation of a faction in a star system, there from the start of the war.

    Attributes:
        cls: Its class, an installation.
        at: Its place in battles, in MU from the middle of the table.
        base: Whether the facility of its system is this station.
        berths: The MASS of the ships that each of its internal bays takes.
        course: The course on which it moves in battles.
        velocity: Its velocity in battles, in MU a turn.
        gate: The id of the link whose end in this system it carries, or "".
    """

    id: str
    cls: str
    faction: str
    name: str
    at: tuple[int, int] = (0, 0)
    base: bool = False
    berths: tuple[int, ...] = ()
    course: int = 12
    velocity: int = 0
    gate: str = ""

    @property
    def key(self) -> str:
        """Return the key of its fleet and of its ship at the start: `nac/high`."""
        return f"{self.faction}/{self.id}"


@dataclass(frozen=True, slots=True)
class StarSystem:
    """A star system of the map.

    Attributes:
        terrain: The terrain of battles there, with positions relative to the middle of the table
            (`campaign.rules.system_terrain`).
        ground: The ground targets on its planets, numbered from 1
            (`campaign.rules.ground_targets`).
        income: Points a week for building, for the faction with superiority, else for the
            undisturbed holder.
        hyper_limit: Whether no ship can enter or leave FTL in battles there.
        stations: The stations at the start of the war, in the order of the file.
        drift: How its asteroids drift.
        mines: The mines that are there when the war begins.
    """

    id: str
    name: str
    hex: str
    owner: str | None
    settled: bool
    facility: Facility | None = None
    note: str = ""
    terrain: tuple[dict[str, Any], ...] = ()
    ground: tuple[GroundTarget, ...] = ()
    income: int = 0
    hyper_limit: bool = False
    stations: tuple[Station, ...] = ()
    drift: Drift = ""
    mines: tuple[PlacedMine, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUpRules:
    """How the sides set up for battles.

    Attributes:
        manner: In secret, or the holder of a settled system first and in the open.
        velocity: The least and the greatest velocity at the start, in MU a turn.
        ftl: Whether sides that came this week may hold ships back in FTL.
    """

    manner: Literal["sealed", "by-side"] = "sealed"
    velocity: tuple[int, int] = (0, 24)
    ftl: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A portal, gate or jump point between two hexes.

    Attributes:
        cost: Steps of a week's move; 0 for portals by default.
        mass: The transfer mass, which limits the ships of each faction in a week; None: no limit,
            as for natural links.
        id: The id by which stations name it, or "".
        open: Whether all factions may use it, or only the side that holds its ends.
    """

    kind: str
    a: str
    b: str
    cost: int = 1
    mass: int | None = None
    id: str = ""
    open: Literal["all", "holder"] = "all"


@dataclass(frozen=True, slots=True)
class Budget:
    """Points to spend on one part of a force.

    Attributes:
        ftl: required (every ship has a drive), none (system defence ships, bound to the system) or
            any.
        deploy: Ids of the systems where its fleets may begin; ("any",): any system; ("entry",): the
            faction's entry hex.
        week: The week at whose start its fleets arrive, with `deploy` ("entry",) or a system; 0:
            they are there when the war begins.
    """

    id: str
    faction: str
    points: int
    ftl: Literal["required", "none", "any"]
    deploy: tuple[str, ...]
    week: int = 0


@dataclass(frozen=True, slots=True)
class FleetPick:
    """A fleet of a force list.

    Attributes:
        hex: Where it begins.
        ships: Pairs of a class and a number of ships.
        decoys: The number of decoy drones.
    """

    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, int], ...]
    decoys: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """The hex and the week in which a faction's mobile force enters the map."""

    faction: str
    hex: str
    week: int


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """Ships that arrive at the start of `week` at `hex`, paid for in the scenario."""

    id: str
    faction: str
    week: int
    hex: str
    name: str
    ships: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cargo, or passengers, of every ship of a class of a faction when it enters the war."""

    faction: str
    cls: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Goods:
    """A kind of goods that ships load and land.

    Attributes:
        at: Pairs of a system and the amount there at the start.
    """

    name: str
    kind: GoodsKind
    at: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective of a faction: a measure, the number wanted, and points.

    `campaign.rules.objectives` measures it. Only some of the attributes concern each kind.

    Attributes:
        by: The last week that counts.
        secret: Whether only its faction knows it during the war.
        text: The author's own words; "": the program's.
        number: How many systems, ships, targets, points or units of goods are wanted; for
            `lose-less` the greatest loss that is no loss of points.
        systems: The systems that count for `hold`: ("settled",), ("all",), or ids.
        including: The systems that `hold` requires among them.
        weeks: For how many weeks in a row `hold` wants superiority.
        at_end: Whether `hold` counts in week `by` alone; otherwise its best week counts.
        what: The goods to deliver.
        to: Where to deliver goods (systems) or bring ships (systems or hexes).
        ships: The ships that count: "all", a classification or a class.
        ship_names: The names of the ships that count, instead of `ships`.
        of: The faction or alliance whose ships or ground targets count, or the objective to deny,
            as `faction/id`.
        measure: Whether losses count in ships or in points.
    """

    id: str
    faction: str
    kind: ObjectiveKind
    points: int
    by: int
    secret: bool = False
    text: str = ""
    number: int = 1
    systems: tuple[str, ...] = ()
    including: tuple[str, ...] = ()
    weeks: int = 1
    at_end: bool = False
    what: str = ""
    to: tuple[str, ...] = ()
    ships: str = ""
    ship_names: tuple[str, ...] = ()
    of: str = ""
    measure: Measure = "ships"

    @property
    def key(self) -> str:
        """Return how other objectives name it: `esu/sink`."""
        return f"{self.faction}/{self.id}"

    @property
    def counts_ships(self) -> bool:
        """Return whether `ships` or `ship_names` say which ships count."""
        return self.kind in ("bring", "destroy", "save")

    @property
    def is_judged_at_end(self) -> bool:
        """Return whether what is true in week `by` counts, and nothing before it."""
        return self.at_end or self.kind in ("save", "lose-less", "deny")


@dataclass(frozen=True, slots=True)
class Judging:
    """How objectives decide the war.

    Attributes:
        first: Whether a side that achieves all of its objectives wins at once.
        margin: The greatest lead of the best side, in thousandths, that is still a draw.
    """

    first: bool = True
    margin: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A victory condition.

    It holds if `by` has superiority in `at_least` systems, `including` those named, if `at_least`
    ground targets of the faction `ruins` are in ruins, or if `score_of` has at least the share
    `share` of the points of its objectives. Without `by`, `ruins` and `score_of` it always holds.

    Attributes:
        by: A faction or alliance.
        of: The systems that count: "settled", "all", or ids.
        total: Whether it ends the war as soon as it holds.
        score_of: A faction or alliance.
        share: In thousandths.
    """

    result: str
    winner: str | None = None
    by: str | None = None
    of: tuple[str, ...] = ("settled",)
    at_least: int = 0
    including: tuple[str, ...] = ()
    total: bool = False
    ruins: str = ""
    score_of: str = ""
    share: int = 0

    @property
    def is_unconditional(self) -> bool:
        """Return whether it always holds, as the last condition of a war must."""
        return self.by is None and not self.ruins and not self.score_of

    def counts(self, system: StarSystem) -> bool:
        """Return whether superiority in this system counts."""
        return "all" in self.of or system.id in self.of or ("settled" in self.of and system.settled)


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A ship class as the campaign needs it, of the catalogue or of a faction's own design.

    The name of a faction's own class begins with the faction: `esu/Hunter`.

    Attributes:
        systems: The engine's system ids in canonical order, including drive and ftl.
        weapons: The ids of offensive systems.
        firecons: The ids of its FireCons.
        stock: (system, full amount) of each bay, pack and minelayer.
        design: The engine's complete design.
        tug: Whether its FTL drive carries other ships.
        transfers: The MASS of other ships that it carries; 0: the design does not say.
    """

    name: str
    classification: str
    mass: int
    thrust: int
    ftl: bool
    points: int
    damage_points: int
    systems: tuple[str, ...]
    weapons: tuple[str, ...]
    firecons: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    weasel: str  # "" or the classification that its weasel shows
    design: dict[str, Any] = field(default_factory=dict)
    tug: bool = False
    transfers: int = 0

    @property
    def bays(self) -> tuple[tuple[str, int], ...]:
        """Return the tender bays of its design by id, with the MASS of ships that each holds.

        Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
        """
        fittings = []
        for item in self.design.get("systems", ()):
            if item["type"] == TENDER_BAY:
                fittings.append(item)
        sizes = []
        for item in fittings:
            for _ in range(item.get("count", 1)):
                sizes.append(int(item.get("mass", 0)) * 2 // 3)
        result: list[tuple[str, int]] = []
        for number, size in enumerate(sizes, 1):
            result.append((f"{TENDER_BAY}-{number}", size))
        return tuple(result)

    def transport_capacities(self, lost: Collection[str] = ()) -> tuple[int, ...]:
        """Return the MASS of ships that each tender bay and the FTL field of a tug carry.

        The field carries what the design says, by default the tug's own MASS. Lost systems do not
        count.

        Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6
        [pc.tugs]
        """
        bays = tuple(size for name, size in self.bays if name not in lost)
        if self.tug:
            return (*bays, self.transfers or self.mass)
        return bays

    @property
    def transport_capacity(self) -> int:
        """Return the greatest MASS that it carries in total, in tow and in its bays."""
        return sum(self.transport_capacities())


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, read from its file: the map, who fights with what, and how the war is won."""

    slug: str
    version: int
    name: str
    edition: str
    options: tuple[str, ...]
    weeks: int
    hexes_per_week: int
    columns: int
    rows: int
    table: tuple[int, int]
    factions: tuple[Faction, ...]
    systems: tuple[StarSystem, ...]
    links: tuple[Link, ...]
    closed: tuple[str, ...]
    entries: tuple[Entry, ...]
    budgets: tuple[Budget, ...]
    defaults: tuple[tuple[str, tuple[FleetPick, ...]], ...]  # (faction, its default force list)
    reinforcements: tuple[Reinforcement, ...]
    victory: tuple[Condition, ...]  # the first that holds at the end counts
    catalogue: tuple[ShipClass, ...]
    # (faction, ((class, its name), ...))
    class_names: tuple[FactionNames, ...] = ()
    # The greatest share of ships of one classification, as a fraction
    classification_limit: tuple[int, int] = (1, 2)
    decoys: bool = True
    decoy_points: int = 20
    shared_sight: bool = False
    intro: str = ""
    # The battle file of a single battle (see `skirmish`).
    battle: dict[str, Any] = field(default_factory=dict)
    cargo: tuple[Manifest, ...] = ()  # sorted by faction and class
    open_play: bool = False  # every fleet has a public marker on the map
    # Dummy counters of each faction with open markers; None: as many as fleets at the start.
    dummies: int | None = None
    tech_choices: int = RECOMMENDED  # the most choices in a faction's tech base
    patrols: bool = False  # fleets that stay in their hex may scan the neighbouring hexes
    objectives: tuple[Objective, ...] = ()  # sorted by faction, then in the order of the file
    judging: Judging = Judging()
    goods: tuple[Goods, ...] = ()  # sorted by name
    capacity: tuple[tuple[str, int], ...] = ()  # (class, units of goods that a ship of it carries)
    restrictions: Restrictions = NO_RESTRICTIONS  # what nobody may build or bring
    # (class, vector or courses): classes that move in another way than their faction
    class_movement: tuple[tuple[str, str], ...] = ()
    max_turns: int = DEFAULT_MAX_TURNS  # the turn after which a battle ends
    set_up: SetUpRules = SetUpRules()
    multi_role: tuple[str, ...] = ()  # the types that multi-role fighters can be fitted out as
    aces: str = ""  # "bought": pilots are bought at the deployment, and no dice are rolled

    @property
    def objectives_decide_end(self) -> bool:
        """Return whether objectives decide after the last week: no result always applies."""
        return not any(condition.is_unconditional for condition in self.victory)
