"""The scenario and the world indexed once per stage: classes, sides, who is in which system hex,
with which ships.

Rules read these indexes; none of them walks over all fleets again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from campaign.rules.queries import can_jump, empty_holders, ships_by_fleet, with_all_designs
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.ship_sections import is_carried
from campaign.rules.world import Fleet, Ship, World

FleetsByFaction = Mapping[str, Sequence[Fleet]]  # the fleets of each faction in one hex


class ScenarioIndex:
    """A scenario, indexed: its ship classes, the side each faction is on, its systems by hex."""

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
        """Whether two factions are of different sides."""
        return self.side[a] != self.side[b]

    def sight_groups(self, side: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the groups of factions to whom the sight of these allies is told alike.

        One group with all allies, present or not, where the scenario lets them share their sight;
        else each faction of the side by itself.
        """
        if not self.scenario.shared_sight:
            return [(faction,) for faction in side]
        alliance = self.side[side[0]]
        return [tuple(faction for faction in self.factions if self.side[faction] == alliance)]

    def points(self, ships: Iterable[Ship]) -> int:
        """The points of ships together, by their classes."""
        return sum(self.classes[ship.cls].points for ship in ships)

    def can_leave(self, ship: Ship, fleet_ships: Sequence[Ship]) -> bool:
        """Whether a ship can go under FTL: by a drive of its own that works, in tow of one, or as a
        section of what has one among the `crew`, and not docked.

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
        """Whether a ship counts for superiority: not helpless, with a FireCon and an offensive
        weapon that work.

        Rules: 2E "Campaign set-up" [camp.superiority]
        """
        if ship.is_helpless:
            return False
        cls, lost = self.classes[ship.cls], ship.lost
        if not lost and not ship.stock:
            return bool(cls.firecons and cls.weapons)
        empty = empty_holders(ship)
        return any(id_ not in lost for id_ in cls.firecons) and any(
            id_ not in lost and id_ not in empty for id_ in cls.weapons
        )


def index_scenario(scenario: Scenario, world: World) -> ScenarioIndex:
    """The book of a world, in which the classes of the factions' own designs stand too."""
    return ScenarioIndex(with_all_designs(scenario, world))


class WorldIndex:
    """A world, indexed: `at[hex][faction]` are the fleets in a system hex, not in FTL;
    `ships_of[fleet]` its ships.

    Fleets that wait to enter the map are nowhere. Factions, fleets and ships stand in the order of
    their keys.
    """

    __slots__ = ("_index", "_world", "at", "ships_of")

    def __init__(
        self, index: ScenarioIndex, world: World, known_ships: dict[str, list[Ship]] | None = None
    ) -> None:
        """`crews`: the world's ships by fleet, where they are known."""
        self._index, self._world = index, world
        ships_of = self.ships_of = (
            ships_by_fleet(world.ships) if known_ships is None else known_ships
        )
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

        Most weeks have no use for them.
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
        """Return where whose fleets have not entered the map yet, as (faction, hex)."""
        entries = self._index.scenario.entries
        return {(entry.faction, entry.hex) for entry in entries if entry.week > self._world.week}

    def present(self, hex_: str) -> FleetsByFaction:
        """The fleets in a hex, by faction."""
        return self.at.get(hex_, {})

    def ships(self, hex_: str, faction: str) -> list[Ship]:
        """A faction's ships in a system hex, docked ones too."""
        return [
            ship
            for fleet in self.present(hex_).get(faction, ())
            for ship in self.ships_of[fleet.key]
        ]


def sort_by_key(world: World) -> World:
    """The same world with fleets and ships in the order of their keys: the order of the input means
    nothing.
    """
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
