"""A faction's view on the star map: fleets, contacts with age, holders, open markers. Pure.

Everything comes from the view and the public scenario. It is drawn as a picture and written as a
list. An open mark shows only what everybody can see on the map, never what it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.goods import goods_words
from campaign.rules.ground_targets import damage_words
from campaign.rules.own_keys import page_id
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.sightings import newest_sightings
from campaign.rules.starmap import FleetMoves, reachable_hexes, star_map
from campaign.rules.system_mines import known_mines_words
from campaign.rules.system_terrain import system_text
from campaign.rules.view import Fleet, Marker, Ship, View
from campaign.web.hexmap import centre, facility_words, hexes_path, way_path
from campaign.web.seat_marks import NOBODY, power_names, seat_classes
from campaign.web.station_words import lines_by_system
from campaign.words.common import (
    battle_words,
    count_by_classification,
    departure_words,
    place_words,
    sighting_age_words,
    strength_words,
)
from engine.core.phrase import counted_noun, join_phrases, phrase
from engine.english import noun_for

# Offsets from a hex's centre to the marks of its factions, in order.
MARK_OFFSETS = ((13, 6), (-13, 6), (13, -7), (-13, -7))
MAX_LETTERS = 4  # characters of the numbers on a mark; longer ones become a count


@dataclass(frozen=True, slots=True)
class OwnFleet:
    """One of the viewer's fleets, in words."""

    key: str
    name: str
    hex: str
    place: str
    ship_count: int
    strength: str  # ships by classification
    decoys: int
    notes: tuple[str, ...]
    may_move: bool
    counts: tuple[tuple[str, int], ...]
    in_ftl: bool

    @property
    def anchor(self) -> str:
        """Its element id."""
        return page_id("fleet", self.key)


@dataclass(frozen=True, slots=True)
class ChartStack:
    """The viewer's fleets in one hex, as one mark."""

    hex: str
    x: int
    y: int
    label: str
    ship_count: int
    fleets: tuple[OwnFleet, ...]
    is_hidden: bool
    is_chosen: bool
    star: bool


@dataclass(frozen=True, slots=True)
class ChartContact:
    """The last sighting of a hostile faction in a hex."""

    hex: str
    x: int
    y: int
    place: str
    faction: str
    name: str
    colour: str
    count: int
    counts: tuple[tuple[str, int], ...]
    words: str
    week: int
    age: int  # weeks
    age_words: str
    is_gone: bool  # the viewer is in the hex and the contact is not


@dataclass(frozen=True, slots=True)
class ChartSystem:
    """A system as the viewer last knew it."""

    system: str
    name: str
    hex: str
    x: int
    y: int
    is_settled: bool
    facility: str
    power: str
    holder: str
    colour: str
    state: str
    week: int
    week_words: str
    is_present: bool
    about: str


@dataclass(frozen=True, slots=True)
class Way:
    """A route on the map, ordered in the draft."""

    fleet: str
    path: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A view on the map."""

    week: int
    stage: str
    stacks: tuple[ChartStack, ...]
    contacts: tuple[ChartContact, ...]
    systems: tuple[ChartSystem, ...]
    fights: tuple[tuple[str, int, int], ...]  # (the battle's name, x, y)
    chosen: OwnFleet | None
    reach: tuple[tuple[str, int, str], ...]  # (hex, steps, name) for the chosen fleet
    reach_path: str  # outline of the reach
    ways: tuple[Way, ...]
    is_scanned: bool  # whether there ever was a scan

    @property
    def window_start(self) -> tuple[int, int] | None:
        """The centre of the initial section: the chosen fleet, or most of the viewer's ships."""
        best = max(self.stacks, key=lambda stack: (stack.is_chosen, stack.ship_count), default=None)
        if best is None:
            return None
        return (best.x, best.y)

    @property
    def fleets(self) -> tuple[OwnFleet, ...]:
        """The viewer's fleets in hex order."""
        fleets: list[OwnFleet] = []
        for stack in self.stacks:
            for fleet in stack.fleets:
                fleets.append(fleet)
        return tuple(fleets)


def chart(
    scenario: Scenario,
    view: View,
    *,
    chosen: str = "",
    ways: Iterable[tuple[str, tuple[str, ...]]] = (),
) -> Chart:
    """Return the chart of a view.

    Args:
        chosen: The fleet whose reach is shown.
        ways: (fleet, hexes from its present one) of each route.
    """
    fleets = own_fleets(scenario, view)
    reach = reachable_hexes(scenario, view, chosen) if chosen else ()
    system_names = {system.hex: system.name for system in scenario.systems}
    ways_drawn = []
    for fleet, path in ways:
        if len(path) > 1:
            ways_drawn.append(Way(fleet, way_path(path), *centre(path[-1])))
    return Chart(
        week=view.week,
        stage=view.stage,
        stacks=_stacks(fleets, view, chosen, system_names),
        contacts=chart_contacts(scenario, view),
        systems=chart_systems(scenario, view),
        fights=tuple((battle_words(scenario, label), *centre(label)) for label in view.fighting),
        chosen=next((fleet for fleet in fleets if fleet.key == chosen), None),
        reach=tuple((label, steps, system_names.get(label, "")) for label, steps in reach),
        reach_path=hexes_path(label for label, _ in reach),
        ways=tuple(ways_drawn),
        is_scanned=bool(view.sightings),
    )


def own_fleets(scenario: Scenario, view: View) -> tuple[OwnFleet, ...]:
    """Return the viewer's fleets in words, in hex order."""
    ships_of = ships_by_fleet(view.ships)
    system_names = {system.hex: system.name for system in scenario.systems}
    moves = FleetMoves(scenario, view)
    fleets = []
    for fleet in sorted(view.fleets, key=lambda fleet: (fleet.hex, _fleet_number(fleet.key))):
        ships = ships_of.get(fleet.key, [])
        may_move = view.stage == StageKind.ORDERS and moves.may_move(fleet.key)
        counts = count_by_classification(scenario, ships)
        place = fleet.hex
        if fleet.hex in system_names:
            place = phrase("{} ({})", system_names[fleet.hex], fleet.hex)
        fleets.append(
            OwnFleet(
                key=fleet.key,
                name=fleet.name,
                hex=fleet.hex,
                place=place,
                ship_count=len(ships),
                strength=strength_words(counts),
                decoys=fleet.decoys,
                notes=_notes(scenario, view, fleet, ships, may_move=may_move),
                may_move=may_move,
                counts=counts,
                in_ftl=fleet.in_ftl,
            )
        )
    return tuple(fleets)


def _fleet_number(key: str) -> tuple[str, int]:
    """Return a fleet's faction and its number, for sorting."""
    faction, _, number = key.rpartition("/f")
    return faction, int(number) if number.isdigit() else 0


def _notes(
    scenario: Scenario, view: View, fleet: Fleet, ships: list[Ship], *, may_move: bool
) -> tuple[str, ...]:
    """Return the state of a fleet in words: where it is, its contacts, its ships."""
    notes = []
    if fleet.in_ftl:
        notes.append(phrase("in FTL space"))
    if departure := departure_words(scenario, view, fleet):
        notes.append(departure)
    if fleet.hex in view.fighting:
        notes.append(phrase("in battle"))
    for contact in view.in_contact:
        # Fleets in FTL space are out of contact, even if other fleets of theirs are not
        if contact.hex == fleet.hex and not fleet.in_ftl:
            state = phrase(contact.state)
            name = power_names(scenario)[contact.toward]
            notes.append(phrase("in contact with {}: {}", name, state))
    notes += _ship_notes(ships)
    if fleet.decoys_out:
        notes.append(phrase("{} deployed", counted_noun(fleet.decoys_out, "decoy")))
    if view.stage == StageKind.ORDERS and not may_move:
        notes.append(phrase("cannot move"))
    return tuple(notes)


def _ship_notes(ships: list[Ship]) -> list[str]:
    """Return how many ships are docked and damaged, in words."""
    docked = sum(ship.docked for ship in ships)
    damaged = sum(bool(ship.damage or ship.lost) for ship in ships)
    counts = ((docked, phrase("docked")), (damaged, phrase("damaged")))
    return [phrase("{} {}", number, state) for number, state in counts if number]


def _stacks(
    fleets: Iterable[OwnFleet], view: View, chosen: str, system_names: Mapping[str, str]
) -> tuple[ChartStack, ...]:
    """Return the viewer's fleets as one mark for each hex.

    Args:
        chosen: The fleet whose reach is shown.
        system_names: By hex.
    """
    fleets_by_hex: dict[str, list[OwnFleet]] = {}
    for fleet in fleets:
        fleets_by_hex.setdefault(fleet.hex, []).append(fleet)
    keys_in_ftl = {fleet.key for fleet in view.fleets if fleet.in_ftl}
    stacks = []
    for label, fleets_here in sorted(fleets_by_hex.items()):
        x, y = centre(label)
        title = fleets_here[0].name
        if len(fleets_here) > 1:
            title = phrase("{} fleets", len(fleets_here))
        stacks.append(
            ChartStack(
                hex=label,
                x=x,
                y=y,
                label=title,
                ship_count=sum(fleet.ship_count for fleet in fleets_here),
                fleets=tuple(fleets_here),
                is_hidden=all(fleet.key in keys_in_ftl for fleet in fleets_here),
                is_chosen=any(fleet.key == chosen for fleet in fleets_here),
                star=label in system_names,
            )
        )
    return tuple(stacks)


# Stages in which the contacts of this week's scans are still there
MEETING_STAGES = (StageKind.DECISIONS, StageKind.BATTLES)


def chart_contacts(scenario: Scenario, view: View) -> tuple[ChartContact, ...]:
    """Return the newest sighting of each faction in each hex with any ships, in hex order."""
    colours = seat_classes(scenario)
    names = power_names(scenario)
    occupied_hexes = {fleet.hex for fleet in view.fleets if not fleet.in_ftl}
    in_contact = {(contact.hex, contact.toward) for contact in view.in_contact}
    contacts = []
    for (label, faction), sighting in sorted(newest_sightings(view).items()):
        count = sum(number for _, number in sighting.counts)
        if not count:
            continue
        x, y = centre(label)
        age = view.week - sighting.week
        is_just_met = age == 0 and view.stage in MEETING_STAGES
        is_still_there = (label, faction) in in_contact or is_just_met
        contacts.append(
            ChartContact(
                hex=label,
                x=x,
                y=y,
                place=place_words(scenario, label),
                faction=faction,
                name=names[faction],
                colour=colours[faction],
                count=count,
                counts=sighting.counts,
                words=strength_words(sighting.counts),
                week=sighting.week,
                age=age,
                age_words=sighting_age_words(view, sighting),
                is_gone=label in occupied_hexes and not is_still_there,
            )
        )
    return tuple(contacts)


def chart_systems(scenario: Scenario, view: View) -> tuple[ChartSystem, ...]:
    """Return the systems as the viewer last knew them, in hex order."""
    systems = {system.id: system for system in scenario.systems}
    names = power_names(scenario)
    colours = seat_classes(scenario)
    own_hexes = _hexes_with_ships(view)
    station_lines = lines_by_system(scenario, view)
    result = []
    for known_system in view.systems:
        system = systems[known_system.system]
        x, y = centre(system.hex)
        holder = known_system.holder or ""
        facility = system.facility
        result.append(
            ChartSystem(
                system=system.id,
                name=system.name,
                hex=system.hex,
                x=x,
                y=y,
                is_settled=system.settled,
                facility=facility_words(facility.kind) if facility else "",
                power=holder,
                holder=names.get(holder, holder) if holder else phrase("nobody"),
                colour=colours.get(holder, NOBODY),
                state=known_system.state,
                week=known_system.week,
                week_words=_week_words(known_system.week),
                is_present=system.hex in own_hexes,
                about=_about_system(scenario, view, system, station_lines.get(system.id, ())),
            )
        )
    return tuple(sorted(result, key=lambda chart_system: chart_system.hex))


def _hexes_with_ships(view: View) -> set[str]:
    """Return the hexes where the viewer has ships outside FTL space."""
    fleets_with_ships = {ship.fleet for ship in view.ships}
    hexes = set()
    for fleet in view.fleets:
        if not fleet.in_ftl and fleet.key in fleets_with_ships:
            hexes.add(fleet.hex)
    return hexes


def _week_words(week: int) -> str:
    """Return the week of the viewer's knowledge in words."""
    if week == 0:
        return phrase("start of the war")
    return phrase("week {}", week)


def _about_system(
    scenario: Scenario, view: View, system: StarSystem, station_lines: Sequence[str]
) -> str:
    """Return a system's terrain, ground targets, goods, stations and gates in words."""
    texts = (
        system_text(scenario, system),
        damage_words(view, system),
        goods_words(view, system.id),
        known_mines_words(view, system),
        *station_lines,
    )
    return join_phrases("; ", [text for text in texts if text])


def routes_of(
    scenario: Scenario, view: View, moves: Iterable[tuple[str, tuple[str, ...], str]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return routes for the map from moves (fleet, path, to), skipping invalid ones.

    Each begins at its fleet's hex.
    """
    hex_of_fleet = {fleet.key: fleet.hex for fleet in view.fleets}
    plain_map = star_map(scenario)
    routes = []
    for fleet, path, destination in moves:
        start = hex_of_fleet.get(fleet)
        if start is None:
            continue
        legs = path
        if not legs and plain_map.has(destination):
            legs = plain_map.route(start, destination, scenario.hexes_per_week) or ()
        if legs and all(plain_map.has(label) for label in legs):
            routes.append((fleet, (start, *legs)))
    return routes


@dataclass(frozen=True, slots=True)
class OpenMark:
    """The markers of one faction in one hex."""

    hex: str
    x: int
    y: int
    place: str
    faction: str
    name: str
    colour: str
    label: str  # their numbers, or how many
    words: str
    lines: tuple[tuple[int, str], ...]
    ways: tuple[str, ...]  # routes since the week before


@dataclass(frozen=True, slots=True)
class OwnDummy:
    """One of the viewer's dummy counters."""

    name: str
    hex: str
    x: int
    y: int
    place: str
    marker: int  # the number that other factions see
    anchor: str
    key: str


@dataclass(frozen=True, slots=True)
class OpenMarks:
    """The open markers on the map."""

    other_marks: tuple[OpenMark, ...]  # of other factions
    dummies: tuple[OwnDummy, ...]
    codes: Mapping[str, int]  # the numbers other factions see for own fleets
    reserve: int


def open_marks(scenario: Scenario, view: View) -> OpenMarks | None:
    """Return the open markers of a view, or None with hidden movement."""
    if not scenario.open_play:
        return None
    codes = {mark.key: mark.code for mark in view.marks}
    own_dummies = []
    for dummy in view.dummies:
        x, y = centre(dummy.hex)
        own_dummies.append(
            OwnDummy(
                name=dummy.name,
                hex=dummy.hex,
                x=x,
                y=y,
                place=place_words(scenario, dummy.hex),
                marker=codes.get(dummy.key, 0),
                anchor=page_id("fleet", dummy.key),
                key=dummy.key,
            )
        )
    return OpenMarks(
        other_marks=tuple(_other_marks(scenario, view)),
        dummies=tuple(own_dummies),
        codes=codes,
        reserve=view.reserve,
    )


def _other_marks(scenario: Scenario, view: View) -> Iterable[OpenMark]:
    """Yield the marks of other factions; several in one hex are drawn beside each other."""
    markers_at: dict[tuple[str, str], list[Marker]] = {}
    for marker in view.markers:
        if marker.faction != view.faction:
            markers_at.setdefault((marker.hex, marker.faction), []).append(marker)
    colours = seat_classes(scenario)
    names = power_names(scenario)
    marks_in_hex: Counter[str] = Counter()
    for (label, faction), markers in sorted(markers_at.items()):
        x, y = centre(label)
        offset_x, offset_y = MARK_OFFSETS[marks_in_hex[label] % len(MARK_OFFSETS)]
        marks_in_hex[label] += 1
        numbers = [str(marker.code) for marker in markers]
        yield OpenMark(
            hex=label,
            x=x + offset_x,
            y=y + offset_y,
            place=place_words(scenario, label),
            faction=faction,
            name=names[faction],
            colour=colours[faction],
            label=_mark_label(numbers),
            words=phrase("{} {}", noun_for(len(numbers), "marker"), join_phrases(", ", numbers)),
            lines=tuple((marker.code, _origin_words(scenario, marker)) for marker in markers),
            ways=_ways_to(label, markers),
        )


def _ways_to(label: str, markers: Iterable[Marker]) -> tuple[str, ...]:
    """Return the routes of markers into a hex since the week before, as path data."""
    origins = {marker.previous_hex for marker in markers} - {"", label}
    return tuple(sorted(way_path((origin, label)) for origin in origins))


def _mark_label(numbers: list[str]) -> str:
    """Return the text of a mark: the numbers of its markers, or how many there are."""
    text = " ".join(numbers)
    if len(text) <= MAX_LETTERS:
        return text
    return f"{len(numbers)}x"


def _origin_words(scenario: Scenario, marker: Marker) -> str:
    """Return where a marker came from, in words."""
    if not marker.previous_hex:
        return "new"
    if marker.previous_hex == marker.hex:
        return "stayed"
    return phrase("from {}", place_words(scenario, marker.previous_hex))
