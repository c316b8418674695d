"""Patches: what an umpire can correct in the world, a frozen value for each kind. Pure.

A patch names its faults in a world, changes it, and returns its inverse. What a faction remembers,
dice, orders, weeks and the results of battles that are over are not in the list: views follow from
the world, and a war is rolled back to correct the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from campaign.rules.fleet_names import used_names
from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import last_number
from campaign.rules.world import Contact, Fleet, Holding, ObjectiveState, World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.patch import (
    Patch,
    faction_faults,
    fleet_faults,
    fleet_of,
    hex_faults,
    hex_of,
    number_faults,
    system_faults,
    undocked,
)
from umpire.adjudication.ship_patches import (
    Rename,
    ShipAdd,
    ShipDamage,
    ShipRemove,
    ShipStatus,
    ShipStock,
    ShipSystems,
    ShipToFleet,
)
from umpire.adjudication.world_rows import with_row, without_row

MOST_POINTS = 100_000  # of a faction's funds
MOST_DECOYS = 99  # of a fleet
MOST_REACHED = 100_000  # of an objective


@dataclass(frozen=True, slots=True)
class MoveFleet(Patch):
    """Moves a fleet to another hex. Its ships are no longer docked, its decoys are taken in."""

    code: ClassVar[str] = "move-fleet"
    moves: ClassVar[bool] = True
    fleet: str
    hex: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        return fleet_faults(world, self.fleet) + hex_faults(index, self.hex)

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the fleet at its new hex."""
        fleet = replace(
            fleet_of(world, self.fleet), hex=self.hex, back="", must_leave=False, decoys_out=0
        )
        world = with_row(world, "fleets", fleet)
        for ship in world.ships:
            if ship.fleet == self.fleet and ship.docked:
                world = with_row(world, "ships", undocked(ship))
        return world


@dataclass(frozen=True, slots=True)
class FleetAdd(Patch):
    """Adds a fleet; later patches of the ruling put ships into it."""

    code: ClassVar[str] = "fleet-add"
    moves: ClassVar[bool] = True
    faction: str
    name: str
    hex: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = name_faults(self.name, "name") + hex_faults(index, self.hex)
        faults += faction_faults(index, self.faction)
        if self.name in used_names(world.fleets, self.faction):
            faults.append(Violation("name", "used", phrase("another fleet has this name")))
        if index.scenario.open_play:
            words = phrase("with open markers, ships arrive as reinforcements")
            faults.append(Violation("faction", "open-markers", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the fleet under the next free key."""
        keys = [fleet.key for fleet in world.fleets if fleet.faction == self.faction]
        key = f"{self.faction}/f{last_number(keys) + 1}"
        return with_row(world, "fleets", Fleet(key, self.faction, self.name, self.hex))


@dataclass(frozen=True, slots=True)
class Decoys(Patch):
    """Sets how many decoys a fleet has aboard."""

    code: ClassVar[str] = "decoys"
    fleet: str
    decoys: int

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = fleet_faults(world, self.fleet)
        if not index.scenario.decoys:
            faults.append(Violation("decoys", "no-decoys", phrase("this war has no decoys")))
        return faults + number_faults("decoys", self.decoys, MOST_DECOYS)

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the fleet's decoys."""
        fleet = replace(fleet_of(world, self.fleet), decoys=self.decoys)
        return with_row(world, "fleets", fleet)


@dataclass(frozen=True, slots=True)
class Holder(Patch):
    """Sets who holds a system from this week on; empty: nobody."""

    code: ClassVar[str] = "holder"
    moves: ClassVar[bool] = True
    system: str
    holder: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = system_faults(world, self.system)
        if self.holder:
            faults += faction_faults(index, self.holder, "holder")
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the holding."""
        holder = self.holder or None
        holding = Holding(self.system, holder, since=world.week, superior=holder)
        return with_row(world, "holdings", holding)


@dataclass(frozen=True, slots=True)
class SetContact(Patch):
    """Sets whether two hostile factions are in a stand-off or contest a system."""

    code: ClassVar[str] = "contact"
    moves: ClassVar[bool] = True
    system: str
    a: str
    b: str
    state: Literal["stand-off", "contested", "none"]

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = system_faults(world, self.system)
        faults += faction_faults(index, self.a, "a") + faction_faults(index, self.b, "b")
        if faults:
            return faults
        if not index.are_hostile(self.a, self.b):
            words = phrase("the two factions are not hostile")
            return [Violation("b", "not-hostile", words)]
        hex_ = hex_of(index, self.system)
        present = {fleet.faction for fleet in world.fleets if fleet.hex == hex_}
        if self.state != "none" and not {self.a, self.b} <= present:
            words = phrase("both factions need a fleet there")
            faults.append(Violation("system", "absent", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the contact, and the system as it follows from its contacts."""
        hex_ = hex_of(index, self.system)
        first, second = sorted((self.a, self.b))
        holding = next(item for item in world.holdings if item.system == self.system)
        world = without_row(world, "contacts", f"{hex_}/{first}/{second}")
        if self.state != "none":
            inner = holding.holder if holding.holder in (first, second) else ""
            contact = Contact(hex_, first, second, self.state, inner or "")
            world = with_row(world, "contacts", contact)
        states = {contact.state for contact in world.contacts if contact.hex == hex_}
        if "contested" in states:
            holding = replace(holding, state="contested", holder=None, superior=None)
        else:
            holding = replace(holding, state="stand-off" if states else "held")
        return with_row(world, "holdings", holding)


@dataclass(frozen=True, slots=True)
class Funds(Patch):
    """Sets a faction's points for building ships."""

    code: ClassVar[str] = "funds"
    faction: str
    points: int

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = faction_faults(index, self.faction)
        if not faults and self.faction not in dict(world.funds):
            words = phrase("this faction builds no ships")
            faults.append(Violation("faction", "no-funds", words))
        return faults + number_faults("points", self.points, MOST_POINTS)

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the faction's points."""
        return with_row(world, "funds", (self.faction, self.points))


@dataclass(frozen=True, slots=True)
class CancelWork(Patch):
    """Cancels the work of a yard. What it cost comes back only by a patch of funds."""

    code: ClassVar[str] = "work"
    work: str

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        if any(work.key == self.work for work in world.works):
            return []
        return [Violation("work", "unknown-work", phrase("choose work of a yard"))]

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world without the work."""
        works = tuple(work for work in world.works if work.key != self.work)
        return replace(world, works=works)


@dataclass(frozen=True, slots=True)
class ObjectiveNote(Patch):
    """Sets the number that an objective has reached."""

    code: ClassVar[str] = "objective-note"
    objective: str
    reached: int

    def violations(self, index: ScenarioIndex, world: World) -> list[Violation]:
        """Return all faults."""
        faults = number_faults("reached", self.reached, MOST_REACHED)
        if all(state.key != self.objective for state in world.objectives):
            words = phrase("choose an objective that has been measured")
            faults.append(Violation("objective", "unknown-objective", words))
        return faults

    def apply(self, index: ScenarioIndex, world: World) -> World:
        """Return the world with the objective's number."""
        states: dict[str, ObjectiveState] = {state.key: state for state in world.objectives}
        state = replace(states[self.objective], reached=self.reached)
        return with_row(world, "objectives", state)


PATCHES: tuple[type[Patch], ...] = (
    *(MoveFleet, Rename, ShipDamage, ShipSystems, ShipStock, ShipStatus, ShipAdd, ShipRemove),
    *(ShipToFleet, FleetAdd, Holder, SetContact, Funds, CancelWork, Decoys, ObjectiveNote),
)
