"""The scenario and the world, indexed once per stage.

The indexes hold classes, sides, and the fleets and ships in each system hex. Rules read them
instead of searching all fleets again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from campaign.rules.queries import can_jump, empty_holders, ships_by_fleet, with_all_designs
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.ship_sections import is_carried
from campaign.rules.world import Engagement, Fleet, Ship, World

FleetsByFaction = Mapping[str, Sequence[Fleet]]  # the fleets of each faction in one hex


class ScenarioIndex:
    """A scenario's ship classes by name, each faction's side, and its systems by hex."""

    __slots__ = ("classes", "factions", "scenario", "side", "system_at")

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.classes: dict[str, ShipClass] = {cls.name: cls for cls in scenario.catalogue}
        self.factions: tuple[str, ...] = tuple(sorted(faction.id for faction in scenario.factions))
        self.side: dict[str, str] = {
            faction.id: faction.alliance or faction.id for faction in scenario.factions
        }
        self.system_at: dict[str, StarSystem] = {system.hex: system for system in scenario.systems}

    def are_hostile(self, a: str, b: str) -> bool:
        """Return whether two factions are on different sides."""
        return self.side[a] != self.side[b]

    def sight_groups(self, side: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the groups of factions that share what these allies see.

        If the scenario lets allies share their sight, one group contains all allies, present or
        not. Otherwise each faction of the side forms its own group.
        """
        if not self.scenario.shared_sight:
            return [(faction,) for faction in side]
        alliance = self.side[side[0]]
        return [tuple(faction for faction in self.factions if self.side[faction] == alliance)]

    def points(self, ships: Iterable[Ship]) -> int:
        """Return the total points of ships, by their classes."""
        return sum(self.classes[ship.cls].points for ship in ships)

    def can_leave(self, ship: Ship, fleet_ships: Sequence[Ship]) -> bool:
        """Return whether a ship can leave under FTL.

        It can if it is not docked and has a working FTL drive, is in tow, or is carried by another
        section that has such a drive.

        Args:
            fleet_ships: The ships among which a section's other sections are found.

        Rules: 2E "Non-FTL ships" [camp.non-ftl]; 2E "FTL tugs and tenders" [camp.tugs]; Continuum
        13.15 [pc.starbases]
        """
        if ship.docked:
            return False
        return (
            bool(ship.tug)
            or can_jump(self.classes[ship.cls], ship)
            or is_carried(self.classes, ship, fleet_ships)
        )

    def is_operational(self, ship: Ship) -> bool:
        """Return whether a ship counts for superiority.

        It counts if it is not helpless and has a working FireCon and a working offensive weapon.

        Rules: 2E "Campaign set-up" [camp.superiority]
        """
        if ship.is_helpless:
            return False
        cls, lost_systems = self.classes[ship.cls], ship.lost
        if not lost_systems and not ship.stock:
            return bool(cls.firecons and cls.weapons)
        empty = empty_holders(ship)
        has_firecon = any(id_ not in lost_systems for id_ in cls.firecons)
        return has_firecon and any(
            id_ not in lost_systems and id_ not in empty for id_ in cls.weapons
        )


def index_scenario(scenario: Scenario, world: World) -> ScenarioIndex:
    """Return the index of a world's scenario, including the classes that factions designed."""
    return ScenarioIndex(with_all_designs(scenario, world))


class WorldIndex:
    """A world's fleets by hex and faction, and its ships by fleet.

    Fleets that wait to enter the map are left out. Factions, fleets and ships are in the order of
    their keys.

    Attributes:
        at: The fleets in each system hex that are not in FTL space, by hex and faction.
        ships_of: The ships of each fleet.
    """

    __slots__ = ("_index", "_world", "at", "ships_of")

    def __init__(
        self, index: ScenarioIndex, world: World, known_ships: dict[str, list[Ship]] | None = None
    ) -> None:
        """Index a world.

        Args:
            known_ships: The world's ships by fleet, if the caller has them already.
        """
        self._index, self._world = index, world
        ships_of = ships_by_fleet(world.ships) if known_ships is None else known_ships
        self.ships_of: dict[str, list[Ship]] = ships_of
        waiting = self._waiting_entries()
        result: dict[str, dict[str, list[Fleet]]] = {}
        system_at = index.system_at
        for fleet in world.fleets:
            if fleet.hex not in system_at or fleet.in_ftl or fleet.key not in ships_of:
                continue
            if waiting and not fleet.back and (fleet.faction, fleet.hex) in waiting:
                continue
            result.setdefault(fleet.hex, {}).setdefault(fleet.faction, []).append(fleet)
        self.at: dict[str, dict[str, list[Fleet]]] = {
            hex_: dict(sorted(result[hex_].items())) for hex_ in sorted(result)
        }

    def fleets_in_deep_space(self) -> dict[str, FleetsByFaction]:
        """Return the fleets in hexes without a system, by hex and faction.

        Computed on demand, because most weeks do not need it.
        """
        waiting = self._waiting_entries()
        result: dict[str, dict[str, list[Fleet]]] = {}
        for fleet in self._world.fleets:
            if fleet.hex in self._index.system_at or fleet.in_ftl or fleet.key not in self.ships_of:
                continue
            if not fleet.back and (fleet.faction, fleet.hex) in waiting:
                continue
            result.setdefault(fleet.hex, {}).setdefault(fleet.faction, []).append(fleet)
        return dict(result)

    def _waiting_entries(self) -> set[tuple[str, str]]:
        """Return the (faction, hex) of all map entries in later weeks."""
        entries = self._index.scenario.entries
        result: set[tuple[str, str]] = set()
        for entry in entries:
            if entry.week > self._world.week:
                result.add((entry.faction, entry.hex))
        return result

    def present(self, hex_: str) -> FleetsByFaction:
        """Return the fleets in a hex, by faction."""
        return self.at.get(hex_, {})

    def ships(self, hex_: str, faction: str) -> list[Ship]:
        """Return a faction's ships in a system hex, including docked ones."""
        ships: list[Ship] = []
        for fleet in self.present(hex_).get(faction, ()):
            ships += self.ships_of[fleet.key]
        return ships


def sort_by_key(world: World) -> World:
    """Return the same world with its tuples sorted by key, so that input order has no effect."""
    return replace(
        world,
        fleets=tuple(sorted(world.fleets, key=attrgetter("key"))),
        ships=tuple(sorted(world.ships, key=attrgetter("key"))),
        holdings=tuple(sorted(world.holdings, key=attrgetter("system"))),
        contacts=tuple(sorted(world.contacts, key=attrgetter("hex", "a", "b"))),
        scans=tuple(sorted(world.scans, key=attrgetter("hex", "viewer", "target"))),
        pairs=tuple(sorted(world.pairs, key=attrgetter("hex", "a", "b"))),
        engagements=tuple(sorted(world.engagements, key=attrgetter("key"))),
        losses=tuple(sorted(world.losses, key=attrgetter("week", "ship.key"))),
        dummies=tuple(sorted(world.dummies, key=attrgetter("key"))),
        marks=tuple(sorted(world.marks, key=attrgetter("key"))),
        reserve=tuple(sorted(world.reserve)),
    )


def hex_of_fighting_fleets(
    fleets: Iterable[Fleet], engagements: Iterable[Engagement]
) -> dict[str, str]:
    """Return the hex of each fleet that is in a battle, by the fleet's key."""
    fighting = set()
    for engagement in engagements:
        for side in engagement.sides:
            fighting |= {(engagement.hex, faction) for faction in side}
    hex_of = {}
    for fleet in fleets:
        if not fleet.in_ftl and (fleet.hex, fleet.faction) in fighting:
            hex_of[fleet.key] = fleet.hex
    return hex_of
