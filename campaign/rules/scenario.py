"""A scenario as a value: the public map, the factions, their budgets and what wins.

Immutable once a campaign has it.

Hexes are labels CCRR (column, row, from 01). `systems`, `factions` and `catalogue` are sorted by
their keys.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.core.limits import DUMMIES
from engine.core.terms import WITHDRAWS_AT
from engine.core.transport import TENDER_BAY
from engine.design.techbase import RECOMMENDED, TechBase

Choice = Literal["fight", "stand-off", "withdraw"]
MOST_DUMMIES = DUMMIES


@dataclass(frozen=True, slots=True)
class Faction:
    """A power of the war. Factions of one alliance are one side; None stands alone.

    `tech_base`: what its yards can build; None: everything. `construction`: points a week to build
    ships with. `withdraws_at`, `navy`, `no_quarter`, where the war has such options: the per cent
    of its mass that it loses before it withdraws from a battle, whose yards built its ships, the
    factions with which it never exchanges surrenders.
    """

    id: str
    name: str
    alliance: str | None = None
    tech_base: TechBase | None = None
    construction: int = 0
    withdraws_at: int = WITHDRAWS_AT
    navy: str = ""
    no_quarter: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facility:
    """The facility of a naval base. `repair_mass_limit` is the greatest MASS it repairs; None: any.

    `yard`: the mass of its shipyard, which builds and modifies twice that a week; 0: it has none.
    """

    kind: str
    repairs: bool = False
    repair_mass_limit: int | None = None
    replenishes: bool = False
    fighters: bool = False
    yard: int = 0


@dataclass(frozen=True, slots=True)
class GroundTarget:
    """What a faction has on a planet of a system: its boxes, which ortillery alone marks off.

    `name`: "" for none.
    """

    faction: str
    planet: str
    boxes: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class StarSystem:
    """A star system of the map.

    `terrain`: what lies on the table of battles there, placed from its middle
    (`campaign.rules.system_terrain`). `ground`: the ground targets on its planets, numbered from 1
    (`campaign.rules.ground_targets`).
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


@dataclass(frozen=True, slots=True)
class Link:
    """A portal (0 hexes), gate or jump point between two hexes, at `cost` steps of a week's move.

    `mass`: its transfer mass, of the ships that it takes for each faction a week; None: any, as
    natural ones do.
    """

    kind: str
    a: str
    b: str
    cost: int = 1
    mass: int | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Points to spend on one part of a force.

    `deploy`: system ids where its fleets may begin; ("any",) any system; ("entry",) the faction's
    entry hex. `ftl`: required (every ship has a drive) or none (system defence ships, bound to the
    system).
    """

    id: str
    faction: str
    points: int
    ftl: Literal["required", "none", "any"]
    deploy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FleetPick:
    """A fleet of a force list: its name, where it begins (a hex) and its ships as (class, how
    many); decoy drones.
    """

    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, int], ...]
    decoys: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """The place and the week at which a faction's mobile force enters the map."""

    faction: str
    hex: str
    week: int


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """Ships that arrive at the start of `week` at `hex`, paid for beforehand."""

    id: str
    faction: str
    week: int
    hex: str
    name: str
    ships: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cargo of every ship of a class of a faction when it enters the war: `what` in words,
    passengers too.
    """

    faction: str
    cls: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Condition:
    """A victory condition: `by` (a faction or alliance) holds superiority in `at_least` systems,
    `including` those; or `at_least` ground targets of the faction `ruins` lie in ruins.

    `of`: "settled", "all", or named system ids. Neither `by` nor `ruins`: it always holds. `total`:
    ends the war as soon as it holds.
    """

    result: str
    winner: str | None = None
    by: str | None = None
    of: tuple[str, ...] = ("settled",)
    at_least: int = 0
    including: tuple[str, ...] = ()
    total: bool = False
    ruins: str = ""

    @property
    def is_unconditional(self) -> bool:
        """Whether it holds whatever happens: the last word of a war."""
        return self.by is None and not self.ruins

    def counts(self, system: StarSystem) -> bool:
        """Whether superiority in this system is counted."""
        return "all" in self.of or system.id in self.of or ("settled" in self.of and system.settled)


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A class as the campaign needs it, of the catalogue or a faction's own; `design` is the
    engine's design, whole.

    A class of a faction's own design is called after it and the faction: `esu/Hunter`.

    `systems` are the engine's system ids in canonical order (drive and ftl among them), `weapons`
    the offensive ones, `firecons` its FireCons. `stock`: (system, full) of each bay, pack and
    minelayer. `tug`: its FTL drive carries others; `transfers`: so much MASS of them, where a
    design says it.
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
    weasel: str  # "" or the classification its weasel emits
    design: dict[str, Any] = field(default_factory=dict)
    tug: bool = False
    transfers: int = 0

    @property
    def bays(self) -> tuple[tuple[str, int], ...]:
        """The tender bays of its design, by their ids, with the MASS of ships that each holds.

        Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
        """
        fittings = [item for item in self.design.get("systems", ()) if item["type"] == TENDER_BAY]
        sizes = [
            int(item.get("mass", 0)) * 2 // 3
            for item in fittings
            for _ in range(item.get("count", 1))
        ]
        return tuple((f"{TENDER_BAY}-{number}", size) for number, size in enumerate(sizes, 1))

    def transport_capacities(self, lost: Collection[str] = ()) -> tuple[int, ...]:
        """The MASS of ships that each tender bay takes along, and the field of a tug: what its
        drive transfers, else up to its own; without systems that are lost.

        Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6
        [pc.tugs]
        """
        bays = tuple(size for name, size in self.bays if name not in lost)
        return (*bays, self.transfers or self.mass) if self.tug else bays

    @property
    def transport_capacity(self) -> int:
        """The MASS that it takes along at most, in tow and in its bays."""
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
    victory: tuple[Condition, ...]  # first that holds at the end
    catalogue: tuple[ShipClass, ...]
    class_names: tuple[
        tuple[str, tuple[tuple[str, str], ...]], ...
    ] = ()  # (faction, ((class, its name), ...))
    classification_limit: tuple[int, int] = (1, 2)  # of the number of ships, as a fraction
    decoys: bool = True
    decoy_points: int = 20
    shared_sight: bool = False
    intro: str = ""
    battle: dict[str, Any] = field(
        default_factory=dict
    )  # a single battle: its battle file (see `skirmish`)
    cargo: tuple[Manifest, ...] = ()  # sorted by faction and class
    open_play: bool = False  # every fleet lies open on the map as a marker
    dummies: int | None = (
        None  # dummy counters of each faction then; None: as many as it has fleets at the start
    )
    tech_choices: int = RECOMMENDED  # the most a faction's tech base may take
    patrols: bool = False  # fleets that stay in their hex may scan the hexes next to it
