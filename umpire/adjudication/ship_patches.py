"""Patches of ships. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from campaign.rules.fleet_names import used_names
from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import initial_cargo, last_number
from campaign.rules.rearming import full_stock_of
from campaign.rules.towing import can_tow
from campaign.rules.world import Loss, Ship, World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.patch import (
    Patch,
    fleet_faults,
    fleet_of,
    number_faults,
    released,
    ship_faults,
    ship_of,
    undocked,
    without_empty_fleet,
)
from umpire.adjudication.world_rows import with_row, without_row


@dataclass(frozen=True, slots=True)
class Rename(Patch):
    """Gives a ship or a fleet another name."""

    code: ClassVar[str] = "rename"
    subject: str
    name: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = name_faults(self.name, "name")
        fleet = next((item for item in world.fleets if item.key == self.subject), None)
        if fleet is not None and self.name in used_names(world.fleets, fleet.faction):
            words = phrase("another fleet has this name")
            faults.append(Violation("name", "used", words))
        if fleet is None:
            faults += ship_faults(world, self.subject, "subject")
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the new name."""
        for table, rows in (("fleets", world.fleets), ("ships", world.ships)):
            for row in rows:
                if row.key == self.subject:
                    world = with_row(world, table, replace(row, name=self.name))
        return world


@dataclass(frozen=True, slots=True)
class ShipDamage(Patch):
    """Sets the damage of a ship, in damage points."""

    code: ClassVar[str] = "ship-damage"
    ship: str
    damage: int

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = ship_faults(world, self.ship)
        if not faults:
            most = index.classes[ship_of(world, self.ship).cls].damage_points - 1
            faults += number_faults("damage", self.damage, most)
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship's damage."""
        ship = ship_of(world, self.ship)
        return with_row(world, "ships", replace(ship, damage=self.damage))


@dataclass(frozen=True, slots=True)
class ShipSystems(Patch):
    """Sets which systems of a ship are lost, by the engine's ids; `drive` may be lost twice."""

    code: ClassVar[str] = "ship-systems"
    ship: str
    lost: tuple[str, ...]

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = ship_faults(world, self.ship)
        if faults:
            return faults
        systems = index.classes[ship_of(world, self.ship).cls].systems
        for system, times in sorted(Counter(self.lost).items()):
            if system not in systems:
                words = phrase("{} is not aboard", system)
                faults.append(Violation("lost", "not-fitted", words))
            elif times > (2 if system == "drive" else 1):
                words = phrase("{} is lost too often", system)
                faults.append(Violation("lost", "lost-too-often", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship's systems, in canonical order."""
        ship = ship_of(world, self.ship)
        counts = Counter(self.lost)
        lost: list[str] = []
        for system in index.classes[ship.cls].systems:
            lost += [system] * counts.pop(system, 0)
        return with_row(world, "ships", replace(ship, lost=tuple(lost)))


@dataclass(frozen=True, slots=True)
class ShipStock(Patch):
    """Sets what is left in a ship's stores: (store, amount). Those that are not named are full."""

    code: ClassVar[str] = "ship-stock"
    ship: str
    stock: tuple[tuple[str, int], ...]

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = ship_faults(world, self.ship)
        if faults:
            return faults
        ship = ship_of(world, self.ship)
        full = dict(full_stock_of(index.classes[ship.cls], ship))
        names = [store for store, _ in self.stock]
        if len(set(names)) != len(names):
            faults.append(Violation("stock", "twice", phrase("name each store once")))
        for store, amount in self.stock:
            if store not in full:
                words = phrase("{} is not aboard", store)
                faults.append(Violation("stock", "not-fitted", words))
            else:
                faults += number_faults("stock", amount, full[store])
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship's stores; full ones are not listed."""
        ship = ship_of(world, self.ship)
        full = dict(full_stock_of(index.classes[ship.cls], ship))
        stock = tuple(sorted(item for item in self.stock if item[1] != full[item[0]]))
        return with_row(world, "ships", replace(ship, stock=stock))


@dataclass(frozen=True, slots=True)
class ShipStatus(Patch):
    """Sets whether a ship is docked or laid up, and which ship of its fleet has it in tow."""

    code: ClassVar[str] = "ship-status"
    ship: str
    docked: bool
    laid_up: bool
    tug: str = ""

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = ship_faults(world, self.ship)
        if faults:
            return faults
        ship = ship_of(world, self.ship)
        system = index.system_at.get(fleet_of(world, ship.fleet).hex)
        if self.docked and (system is None or system.facility is None):
            words = phrase("there is no base in its hex")
            faults.append(Violation("docked", "no-base", words))
        if self.docked and self.tug:
            words = phrase("a ship in tow cannot be docked")
            faults.append(Violation("tug", "docked", words))
        if self.tug:
            faults += self._tug_faults(index, world, ship)
        return faults

    def _tug_faults(self, index: ScenarioIndex, world: World, ship: Ship) -> list[Violation]:
        """Return the faults of the ship that is to tow it."""
        tug = next((item for item in world.ships if item.key == self.tug), None)
        if tug is None or tug.fleet != ship.fleet or tug.key == ship.key:
            words = phrase("choose another ship of its fleet")
            return [Violation("tug", "unknown-ship", words)]
        if not can_tow(index.classes[tug.cls], tug):
            return [Violation("tug", "cannot-tow", phrase("{} cannot tow", tug.name))]
        return []

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship's status."""
        ship = ship_of(world, self.ship)
        if not self.docked:
            ship = undocked(ship)
        changed = replace(ship, docked=self.docked, laid_up=self.laid_up, tug=self.tug)
        world = with_row(world, "ships", changed)
        return released(world, self.ship) if changed.is_helpless or changed.tug else world


@dataclass(frozen=True, slots=True)
class ShipAdd(Patch):
    """Adds an undamaged ship of a class to a fleet."""

    code: ClassVar[str] = "ship-add"
    moves: ClassVar[bool] = True
    fleet: str
    cls: str
    name: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = fleet_faults(world, self.fleet) + name_faults(self.name, "name")
        if self.cls not in index.classes:
            words = phrase("there is no class '{}'", self.cls)
            faults.append(Violation("cls", "unknown-class", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship under the next free key."""
        faction = fleet_of(world, self.fleet).faction
        keys = []
        for ship in (*world.ships, *(loss.ship for loss in world.losses)):
            if ship.key.startswith(f"{faction}/s"):
                keys.append(ship.key)
        ship = Ship(
            key=f"{faction}/s{last_number(keys) + 1}",
            faction=faction,
            name=self.name,
            cls=self.cls,
            fleet=self.fleet,
            cargo=initial_cargo(index.scenario, faction, self.cls),
        )
        return with_row(world, "ships", ship)


@dataclass(frozen=True, slots=True)
class ShipRemove(Patch):
    """Removes a ship, which counts as lost. A fleet without other ships is gone with it."""

    code: ClassVar[str] = "ship-remove"
    moves: ClassVar[bool] = True
    ship: str
    cause: Literal["destroyed", "struck", "hulk", "scuttled"]

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        return ship_faults(world, self.ship)

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world without the ship, with its loss."""
        ship = ship_of(world, self.ship)
        hex_ = fleet_of(world, ship.fleet).hex
        world = released(without_row(world, "ships", self.ship), self.ship)
        world = with_row(world, "losses", Loss(ship, world.week, hex_, self.cause))
        return without_empty_fleet(world, ship.fleet)


@dataclass(frozen=True, slots=True)
class ShipToFleet(Patch):
    """Puts a ship into another fleet of its faction in the same hex."""

    code: ClassVar[str] = "ship-to-fleet"
    moves: ClassVar[bool] = True
    ship: str
    fleet: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = ship_faults(world, self.ship) + fleet_faults(world, self.fleet)
        if faults:
            return faults
        ship = ship_of(world, self.ship)
        fleet = fleet_of(world, self.fleet)
        if fleet.faction != ship.faction or fleet.hex != fleet_of(world, ship.fleet).hex:
            words = phrase("choose another fleet of its faction in the same hex")
            faults.append(Violation("fleet", "elsewhere", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the ship in its new fleet, not in tow and towing nothing."""
        ship = ship_of(world, self.ship)
        if ship.fleet == self.fleet:
            return world
        world = released(world, self.ship)
        world = with_row(world, "ships", replace(ship, fleet=self.fleet, tug=""))
        return without_empty_fleet(world, ship.fleet)
