"""The true world on the star map: all fleets, holders and encounters.

For the umpire, and for everybody after the war. Pure functions from a scenario and a world to marks
for the drawing and rows for the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from campaign.rules.queries import ships_by_fleet, with_all_designs
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.starmap import named_hexes
from campaign.rules.stations import Stations, has_facility, true_stations
from campaign.rules.world import Engagement, Fleet, Ship, World
from campaign.web.hexmap import MapBackground, centre, map_background, names_layer, way_path
from campaign.web.seat_marks import power_names, seat_classes
from campaign.words.common import count_by_classification, departure_words, strength_words
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, short_name
from umpire.pages.meetings import older_contacts, undecided_pairs

SPREAD = 18  # between the marks of several factions in one hex
OFFSET_X, OFFSET_Y = 3, 2  # of the first mark, from the centre


@dataclass(frozen=True, slots=True)
class TrueFleet:
    """A fleet in words."""

    key: str
    name: str
    faction: str
    shade: str
    hex: str
    place: str
    ships: int
    strength: str
    points: int
    notes: tuple[str, ...]  # anything unusual about it


@dataclass(frozen=True, slots=True)
class FleetMark:
    """The fleets of one faction in one hex, as one mark."""

    hex: str
    x: int
    y: int
    shade: str
    ships: int
    words: str
    hidden: bool
    ways: tuple[str, ...]  # routes to where they came from


@dataclass(frozen=True, slots=True)
class SystemHolder:
    """The present holder of a system, in words."""

    name: str
    hex: str
    x: int
    y: int
    shade: str  # CSS class of the holder
    holder: str
    short: str  # name on the map
    superior: str  # name on the map
    superior_shade: str
    state: str
    since: str
    facility: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two factions that meet, or a battle: its place and state."""

    hex: str
    x: int
    y: int
    place: str
    words: str
    battle: bool


@dataclass(frozen=True, slots=True)
class WorldDrawing:
    """A world, ready to be drawn and listed."""

    width: int
    height: int
    layers: str
    names: str
    marks: tuple[FleetMark, ...]
    fleets: tuple[TrueFleet, ...]
    holds: tuple[SystemHolder, ...]
    encounters: tuple[Encounter, ...]
    key: tuple[tuple[str, str], ...]  # (faction's name, CSS class)


def draw_world(scenario: Scenario, sha256: str, world: World) -> WorldDrawing:
    """Return the world as a picture.

    Args:
        sha256: Hash of the scenario.
    """
    land: MapBackground = map_background(scenario, sha256)
    shades = seat_classes(scenario)
    fleets = true_fleets(scenario, world)
    return WorldDrawing(
        width=land.width,
        height=land.height,
        layers=land.layers_beside,
        names=names_layer(scenario),
        marks=_marks(world, fleets, shades),
        fleets=fleets,
        holds=_holds(scenario, world, shades),
        encounters=encounters(scenario, world),
        key=tuple((faction.name, shades[faction.id]) for faction in scenario.factions),
    )


def true_fleets(scenario: Scenario, world: World) -> tuple[TrueFleet, ...]:
    """Return every fleet and dummy counter in words, by faction and hex."""
    scenario = with_all_designs(scenario, world)
    ships_of = ships_by_fleet(world.ships)
    shades = seat_classes(scenario)
    places = named_hexes(scenario)
    points = {cls.name: cls.points for cls in scenario.catalogue}
    result = []
    counters = {dummy.key for dummy in world.dummies}
    fleets = sorted(
        (*world.fleets, *world.dummies), key=attrgetter("faction", "hex", "name", "key")
    )
    for fleet in fleets:
        ships = ships_of.get(fleet.key, [])
        if fleet.key in counters:
            strength = phrase("a dummy counter")
        else:
            strength = strength_words(count_by_classification(scenario, ships))
        result.append(
            TrueFleet(
                key=fleet.key,
                name=fleet.name,
                faction=fleet.faction,
                shade=shades[fleet.faction],
                hex=fleet.hex,
                place=places.get(fleet.hex, phrase("hex {}", fleet.hex)),
                ships=len(ships),
                strength=strength,
                points=sum(points[ship.cls] for ship in ships),
                notes=_notes(scenario, world, fleet, ships),
            )
        )
    return tuple(result)


def encounters(scenario: Scenario, world: World) -> tuple[Encounter, ...]:
    """Return the encounters by hex: contacts, new encounters and battles."""
    names = power_names(scenario)
    result: list[tuple[str, str, bool]] = []  # hex, words, whether it is a battle
    for engagement in world.engagements:
        result.append((engagement.hex, _battle_words(names, engagement), True))
    for pair in undecided_pairs(world):
        words = phrase("{} and {} meet", names[pair.a], names[pair.b])
        if pair.settled:
            words = join_phrases(", ", (words, phrase(pair.settled)))
        result.append((pair.hex, words, False))
    for contact in older_contacts(world):
        words = phrase("{} and {}, {}", names[contact.a], names[contact.b], phrase(contact.state))
        result.append((contact.hex, words, False))
    result.sort(key=lambda item: (item[0], not item[2], item[1]))
    places = named_hexes(scenario)
    encounters = []
    for hex_, words, is_battle in result:
        x, y = centre(hex_)
        place = places.get(hex_, phrase("hex {}", hex_))
        encounters.append(Encounter(hex=hex_, x=x, y=y, place=place, words=words, battle=is_battle))
    return tuple(encounters)


def _battle_words(names: Mapping[str, str], engagement: Engagement) -> str:
    """Return who fights a battle, and who was caught withdrawing."""
    sides = []
    for side in engagement.sides:
        sides.append(join_phrases(" and ", [names[power] for power in side]))
    words = phrase("battle, {}", join_phrases(" against ", sides))
    if not engagement.caught:
        return words
    caught = join_phrases(", ", [names[power] for power in engagement.caught])
    return phrase("{}; caught withdrawing: {}", words, caught)


def _notes(scenario: Scenario, world: World, fleet: Fleet, ships: list[Ship]) -> tuple[str, ...]:
    """Return what is unusual about a fleet and its ships, one note each."""
    notes = []
    if fleet.in_ftl:
        notes.append(phrase("in FTL space, unseen"))
    if departure := departure_words(scenario, world, fleet):
        notes.append(departure)
    if count := fleet.decoys + fleet.decoys_out:
        decoys = counted_noun(count, "decoy")
        deployed = fleet.decoys_out
        notes.append(phrase("{}, {} deployed", decoys, deployed) if deployed else decoys)
    if weasels := [ship for ship in ships if ship.weasel_on]:
        notes.append(phrase("{} on", counted_noun(len(weasels), "weasel")))
    for words, is_so in SHIP_NOTES:
        if count := sum(map(is_so, ships)):
            notes.append(words.format(count))
    return tuple(notes)


# Notes about ships with a count, and whether a ship counts.
SHIP_NOTES: tuple[tuple[str, Callable[[Ship], bool]], ...] = (
    (phrase("{} docked"), lambda ship: ship.docked),
    (phrase("{} in tow"), lambda ship: bool(ship.tug)),
    (phrase("{} laid up"), lambda ship: ship.laid_up),
    (phrase("{} damaged"), lambda ship: bool(ship.damage or ship.lost)),
)


def _marks(
    world: World, fleets: tuple[TrueFleet, ...], shades: dict[str, str]
) -> tuple[FleetMark, ...]:
    """Return a mark for the fleets of each faction in each hex, side by side."""
    fleet_of = {fleet.key: fleet for fleet in (*world.fleets, *world.dummies)}
    stacks: dict[str, dict[str, list[TrueFleet]]] = {}
    for fleet in fleets:
        stacks.setdefault(fleet.hex, {}).setdefault(fleet.faction, []).append(fleet)
    marks = []
    for hex_, fleets_by_faction in sorted(stacks.items()):
        x, y = centre(hex_)
        for number, (faction, stack) in enumerate(sorted(fleets_by_faction.items())):
            world_fleets = [fleet_of[fleet.key] for fleet in stack]
            came_from = {fleet.back for fleet in world_fleets} - {"", hex_}
            words = [phrase("{}, {}", fleet.name, fleet.strength) for fleet in stack]
            marks.append(
                FleetMark(
                    hex=hex_,
                    x=x + OFFSET_X + number * SPREAD,
                    y=y + OFFSET_Y,
                    shade=shades[faction],
                    ships=sum(fleet.ships for fleet in stack),
                    words=join_phrases("; ", words),
                    hidden=all(fleet.in_ftl for fleet in world_fleets),
                    ways=tuple(way_path((back, hex_)) for back in sorted(came_from)),
                )
            )
    return tuple(marks)


def _facility_words(system: StarSystem, stations: Stations) -> str:
    """Return the kind of a system's facility; "" without one."""
    if system.facility is None or not has_facility(system, stations):
        return ""
    return system.facility.kind.replace("-", " ")


def _holds(scenario: Scenario, world: World, shades: dict[str, str]) -> tuple[SystemHolder, ...]:
    """Return the holder of every system, settled systems first."""
    systems = {system.id: system for system in scenario.systems}
    names = power_names(scenario)
    stations = true_stations(scenario, world)
    result = []
    for holding in world.holdings:
        system = systems[holding.system]
        x, y = centre(system.hex)
        holder = holding.holder or ""
        superior = holding.superior or ""
        result.append(
            SystemHolder(
                name=system.name,
                hex=system.hex,
                x=x,
                y=y,
                shade=shades.get(holder, "nobody"),
                holder=names.get(holder, phrase("nobody")),
                short=short_name(holder) if holder else phrase("nobody"),
                superior=short_name(superior) if superior else phrase("nobody"),
                superior_shade=shades.get(superior, "nobody"),
                state=holding.state,
                since=phrase("week {}", holding.since) if holding.since else phrase("the start"),
                facility=_facility_words(system, stations),
                settled=system.settled,
            )
        )
    return tuple(sorted(result, key=lambda hold: (not hold.settled, hold.name)))
