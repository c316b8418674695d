"""The true world on the star map: all fleets, holders and encounters.

For the umpire, and for everybody after the war. Pure functions from a scenario and a world to marks
for the drawing and rows for the lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.rules.queries import ships_by_fleet, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.rules.world import Fleet, Ship, World
from campaign.web.hexmap import MapBackground, centre, map_background, names_layer, way_path
from campaign.web.seat_marks import power_names, seat_classes
from campaign.words.common import count_by_classification, strength_words
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, short_name

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
    for fleet in sorted(
        (*world.fleets, *world.dummies),
        key=lambda item: (item.faction, item.hex, item.name, item.key),
    ):
        ships = ships_of.get(fleet.key, [])
        result.append(
            TrueFleet(
                key=fleet.key,
                name=fleet.name,
                faction=fleet.faction,
                shade=shades[fleet.faction],
                hex=fleet.hex,
                place=places.get(fleet.hex, phrase("hex {}", fleet.hex)),
                ships=len(ships),
                strength=phrase("a dummy counter")
                if fleet.key in counters
                else strength_words(count_by_classification(scenario, ships)),
                points=sum(points[ship.cls] for ship in ships),
                notes=_notes(fleet, ships),
            )
        )
    return tuple(result)


def encounters(scenario: Scenario, world: World) -> tuple[Encounter, ...]:
    """Return the encounters by hex: contacts, new encounters and battles."""
    names = power_names(scenario)
    result: list[tuple[str, str, bool]] = []
    for engagement in world.engagements:
        sides = join_phrases(
            " against ",
            (join_phrases(" and ", (names[power] for power in side)) for side in engagement.sides),
        )
        words = phrase("battle, {}", sides)
        caught = join_phrases(", ", (names[power] for power in engagement.caught))
        if engagement.caught:
            words = phrase("{}; caught withdrawing: {}", words, caught)
        result.append((engagement.hex, words, True))
    battle_hexes = {engagement.hex for engagement in world.engagements}
    for pair in world.pairs:
        if pair.hex not in battle_hexes:
            words = phrase("{} and {} meet", names[pair.a], names[pair.b])
            if pair.settled:
                words = join_phrases(", ", (words, phrase(pair.settled)))
            result.append((pair.hex, words, False))
    paired = {(pair.hex, pair.a, pair.b) for pair in world.pairs}
    result += [
        (
            contact.hex,
            phrase("{} and {}, {}", names[contact.a], names[contact.b], contact.state),
            False,
        )
        for contact in world.contacts
        if (contact.hex, contact.a, contact.b) not in paired and contact.hex not in battle_hexes
    ]
    places = named_hexes(scenario)
    return tuple(
        Encounter(label, *centre(label), places.get(label, phrase("hex {}", label)), words, battle)
        for label, words, battle in sorted(result, key=lambda item: (item[0], not item[2], item[1]))
    )


def _notes(fleet: Fleet, ships: list[Ship]) -> tuple[str, ...]:
    notes = []
    if fleet.in_ftl:
        notes.append(phrase("in FTL space, unseen"))
    if fleet.must_leave:
        notes.append(phrase("must move this week"))
    if drones := fleet.decoys + fleet.decoys_out:
        decoys = counted_noun(drones, "decoy")
        out = fleet.decoys_out
        notes.append(phrase("{}, {} deployed", decoys, out) if out else decoys)
    if weasels := sum(ship.weasel_on for ship in ships):
        notes.append(phrase("{} on", counted_noun(weasels, "weasel")))
    if docked := sum(ship.docked for ship in ships):
        notes.append(phrase("{} docked", docked))
    if towed := sum(bool(ship.tug) for ship in ships):
        notes.append(phrase("{} in tow", towed))
    if laid_up := sum(ship.laid_up for ship in ships):
        notes.append(phrase("{} laid up", laid_up))
    if hurt := sum(bool(ship.damage or ship.lost) for ship in ships):
        notes.append(phrase("{} damaged", hurt))
    return tuple(notes)


def _marks(
    world: World, fleets: tuple[TrueFleet, ...], shades: dict[str, str]
) -> tuple[FleetMark, ...]:
    rows = {fleet.key: fleet for fleet in (*world.fleets, *world.dummies)}
    stacks: dict[str, dict[str, list[TrueFleet]]] = {}
    for fleet in fleets:
        stacks.setdefault(fleet.hex, {}).setdefault(fleet.faction, []).append(fleet)
    marks = []
    for label, powers in sorted(stacks.items()):
        x, y = centre(label)
        for n, (faction, here) in enumerate(sorted(powers.items())):
            came_from = sorted({rows[fleet.key].back for fleet in here if rows[fleet.key].back})
            marks.append(
                FleetMark(
                    hex=label,
                    x=x + OFFSET_X + n * SPREAD,
                    y=y + OFFSET_Y,
                    shade=shades[faction],
                    ships=sum(fleet.ships for fleet in here),
                    words=join_phrases(
                        "; ", (phrase("{}, {}", fleet.name, fleet.strength) for fleet in here)
                    ),
                    hidden=all(rows[fleet.key].in_ftl for fleet in here),
                    ways=tuple(way_path((back, label)) for back in came_from if back != label),
                )
            )
    return tuple(marks)


def _holds(scenario: Scenario, world: World, shades: dict[str, str]) -> tuple[SystemHolder, ...]:
    systems = {system.id: system for system in scenario.systems}
    names = power_names(scenario)
    result = []
    for holding in world.holdings:
        system = systems[holding.system]
        result.append(
            SystemHolder(
                name=system.name,
                hex=system.hex,
                x=centre(system.hex)[0],
                y=centre(system.hex)[1],
                shade=shades[holding.holder] if holding.holder else "nobody",
                holder=names[holding.holder] if holding.holder else phrase("nobody"),
                short=short_name(holding.holder) if holding.holder else phrase("nobody"),
                superior=short_name(holding.superior) if holding.superior else phrase("nobody"),
                superior_shade=shades[holding.superior] if holding.superior else "nobody",
                state=holding.state,
                since=phrase("week {}", holding.since) if holding.since else phrase("the start"),
                facility=system.facility.kind.replace("-", " ") if system.facility else "",
                settled=system.settled,
            )
        )
    return tuple(sorted(result, key=lambda hold: (not hold.settled, hold.name)))
