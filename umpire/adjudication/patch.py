"""The base class of patches, the patch that puts rows back, and what patches ask for. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import ConfigDict

from campaign.kinds import StageKind
from campaign.rules.starmap import star_map
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.world_rows import (
    RowChange,
    changes_back,
    has_changed,
    put_back,
    with_row,
    without_row,
)

NOT_NOW = "not-now"  # the code of the fault of what is possible only in another kind of stage


@dataclass(frozen=True, slots=True)
class Patch:
    """A correction of the world.

    Attributes:
        code: Its kind in documents.
        moves: Whether it changes who is where, which is possible only while orders are open: later
            in a week, meetings and battles follow from where everybody is.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    code: ClassVar[str] = ""
    moves: ClassVar[bool] = False

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults of the patch in a world."""
        raise NotImplementedError

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the corrected world. The patch has no faults in `world`."""
        raise NotImplementedError

    def inverse(self, index: ScenarioIndex, world: World) -> Patch:
        """Return the patch that makes `world` again of the corrected one."""
        return Restore(changes_back(self.apply(index, world), world))


@dataclass(frozen=True, slots=True)
class Restore(Patch):
    """Puts rows back, if they still are as the ruling left them that is to be undone."""

    code: ClassVar[str] = "restore"
    rows: tuple[RowChange, ...]

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return a fault for each row that has changed since."""
        faults = []
        for row in self.rows:
            if has_changed(world, row):
                words = phrase("{} has changed since", _name_of(row))
                faults.append(Violation(f"rows.{row.table}.{row.key}", "changed-since", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with all rows put back."""
        for row in self.rows:
            world = put_back(world, row)
        return world


def _name_of(row: RowChange) -> str:
    """Return what a row is about, by its name or key."""
    value = row.now or row.then
    if isinstance(value, dict):
        ship = value.get("ship")
        named = ship if isinstance(ship, dict) else value
        return str(named.get("name") or row.key)
    return row.key or phrase("the work of the yards")


def stage_faults(patch: Patch, world: World) -> list[Violation]:
    """Return the fault of a patch that is not possible in the stage of a world."""
    if not patch.moves or world.stage == StageKind.ORDERS:
        return []
    words = phrase("this can be corrected only while orders are open")
    return [Violation("kind", NOT_NOW, words)]


# What several patches ask for


def ship_of(world: World, key: str) -> Ship:
    """Return a ship by its key."""
    return next(ship for ship in world.ships if ship.key == key)


def fleet_of(world: World, key: str) -> Fleet:
    """Return a fleet by its key."""
    return next(fleet for fleet in world.fleets if fleet.key == key)


def hex_of(index: ScenarioIndex, system: str) -> str:
    """Return the hex of a system."""
    return next(item.hex for item in index.scenario.systems if item.id == system)


def ship_faults(world: World, key: str, where: str = "ship") -> list[Violation]:
    """Return the fault of a key that is not that of a ship."""
    if any(ship.key == key for ship in world.ships):
        return []
    return [Violation(where, "unknown-ship", phrase("choose a ship that is in the war now"))]


def fleet_faults(world: World, key: str) -> list[Violation]:
    """Return the fault of a key that is not that of a fleet."""
    if any(fleet.key == key for fleet in world.fleets):
        return []
    return [Violation("fleet", "unknown-fleet", phrase("choose a fleet that is in the war now"))]


def faction_faults(index: ScenarioIndex, key: str, where: str = "faction") -> list[Violation]:
    """Return the fault of a key that is not that of a faction."""
    if key in index.factions:
        return []
    return [Violation(where, "unknown-faction", phrase("choose a faction"))]


def system_faults(world: World, key: str) -> list[Violation]:
    """Return the fault of a key that is not that of a system with a holding."""
    if any(holding.system == key for holding in world.holdings):
        return []
    return [Violation("system", "unknown-system", phrase("choose a system"))]


def hex_faults(index: ScenarioIndex, label: str) -> list[Violation]:
    """Return the fault of a label that is not that of a hex of the map."""
    if star_map(index.scenario).has(label):
        return []
    return [Violation("hex", "unknown-hex", phrase("must be a hex of the map"))]


def number_faults(where: str, number: int, most: int) -> list[Violation]:
    """Return the fault of a number that is not from 0 to `most`."""
    if 0 <= number <= most:
        return []
    return [Violation(where, "bad-number", phrase("must be from 0 to {}", most))]


def undocked(ship: Ship) -> Ship:
    """Return a ship that is not docked, without what it asked its base for."""
    return replace(ship, docked=False, repair=(), replenish=False, refit=())


def released(world: World, tug: str) -> World:
    """Return the world with the ships free that a ship has in tow."""
    for ship in world.ships:
        if ship.tug == tug:
            world = with_row(world, "ships", replace(ship, tug=""))
    return world


def without_empty_fleet(world: World, key: str) -> World:
    """Return the world without a fleet if it has no ships left."""
    if any(ship.fleet == key for ship in world.ships):
        return world
    return without_row(world, "fleets", key)
