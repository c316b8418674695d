"""A faction's view on the star map: fleets, contacts with age, holders, open markers. Pure.

Everything comes from the view and the public scenario. It is drawn as a picture and written as a
list. An open mark shows only what everybody can see on the map, never what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.ground_targets import damage_words
from campaign.rules.own_keys import page_id
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sightings
from campaign.rules.starmap import FleetMoves, reachable_hexes, star_map
from campaign.rules.system_terrain import system_text
from campaign.rules.view import Fleet, Marker, Ship, View
from campaign.web.hexmap import centre, facility_words, hexes_path, way_path
from campaign.web.seat_marks import NOBODY, power_names, seat_classes
from campaign.words.common import (
    battle_words,
    count_by_classification,
    place_words,
    sighting_age_words,
    strength_words,
)
from engine.core.phrase import counted_noun, join_phrases, phrase
from engine.english import noun_for

# Offsets from a hex's centre to the marks of its factions, in order.
MARK_OFFSETS = ((13, 6), (-13, 6), (13, -7), (-13, -7))
MOST_LETTERS = 4  # characters of the numbers on a mark; longer ones become a count


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
    names = {system.hex: system.name for system in scenario.systems}
    return Chart(
        week=view.week,
        stage=view.stage,
        stacks=_stacks(fleets, view, chosen, names),
        contacts=chart_contacts(scenario, view),
        systems=chart_systems(scenario, view),
        fights=tuple((battle_words(scenario, label), *centre(label)) for label in view.fighting),
        chosen=next((fleet for fleet in fleets if fleet.key == chosen), None),
        reach=tuple((label, steps, names.get(label, "")) for label, steps in reach),
        reach_path=hexes_path(label for label, _ in reach),
        ways=tuple(
            Way(fleet, way_path(path), *centre(path[-1])) for fleet, path in ways if len(path) > 1
        ),
        is_scanned=bool(view.sightings),
    )


def own_fleets(scenario: Scenario, view: View) -> tuple[OwnFleet, ...]:
    """Return the viewer's fleets in words, in hex order."""
    ships_of = ships_by_fleet(view.ships)
    places = {system.hex: system.name for system in scenario.systems}
    powers = power_names(scenario)
    moves = FleetMoves(scenario, view)
    fleets = []
    for fleet in sorted(view.fleets, key=lambda f: (f.hex, _number(f.key))):
        ships = ships_of.get(fleet.key, [])
        may_move = view.stage == StageKind.ORDERS and moves.may_move(fleet.key)
        counts = count_by_classification(scenario, ships)
        fleets.append(
            OwnFleet(
                key=fleet.key,
                name=fleet.name,
                hex=fleet.hex,
                place=phrase("{} ({})", places[fleet.hex], fleet.hex)
                if fleet.hex in places
                else fleet.hex,
                ship_count=len(ships),
                strength=strength_words(counts),
                decoys=fleet.decoys,
                notes=_notes(fleet, ships, may_move, view, powers),
                may_move=may_move,
                counts=counts,
                in_ftl=fleet.in_ftl,
            )
        )
    return tuple(fleets)


def _number(key: str) -> tuple[str, int]:
    head, _, tail = key.rpartition("/f")
    return head, int(tail) if tail.isdigit() else 0


def _notes(
    fleet: Fleet, ships: list[Ship], may_move: bool, view: View, powers: Mapping[str, str]
) -> tuple[str, ...]:
    if view.markers:
        in_ftl = phrase("in FTL space")
    else:
        in_ftl = phrase("in FTL space, unseen")
    notes = [in_ftl] if fleet.in_ftl else []
    if fleet.must_leave:
        notes.append(phrase("must leave this week"))
    if fleet.hex in view.fighting:
        notes.append(phrase("in battle"))
    here = [touch for touch in view.in_contact if touch.hex == fleet.hex]
    notes += [
        phrase("in contact with {}: {}", powers[touch.toward], phrase(touch.state))
        for touch in here
    ]
    docked = sum(ship.docked for ship in ships)
    damaged = sum(bool(ship.damage or ship.lost) for ship in ships)
    counts = ((docked, phrase("docked")), (damaged, phrase("damaged")))
    notes += [phrase("{} {}", number, state) for number, state in counts if number]
    if fleet.decoys_out:
        notes.append(phrase("{} deployed", counted_noun(fleet.decoys_out, "decoy")))
    if view.stage == StageKind.ORDERS and not may_move:
        notes.append(phrase("cannot move"))
    return tuple(notes)


def _stacks(
    fleets: Iterable[OwnFleet], view: View, chosen: str, names: Mapping[str, str]
) -> tuple[ChartStack, ...]:
    by_hex: dict[str, list[OwnFleet]] = {}
    for fleet in fleets:
        by_hex.setdefault(fleet.hex, []).append(fleet)
    unseen = {fleet.key for fleet in view.fleets if fleet.in_ftl}
    stacks = []
    for label, here in sorted(by_hex.items()):
        x, y = centre(label)
        if len(here) == 1:
            name = here[0].name
        else:
            name = phrase("{} fleets", len(here))
        ships = sum(fleet.ship_count for fleet in here)
        hidden = all(fleet.key in unseen for fleet in here)
        stacks.append(
            ChartStack(
                label,
                x,
                y,
                name,
                ships,
                tuple(here),
                hidden,
                any(f.key == chosen for f in here),
                label in names,
            )
        )
    return tuple(stacks)


# Stages in which the contacts of this week's scans are still there
MEETING_STAGES = (StageKind.DECISIONS, StageKind.BATTLES)


def chart_contacts(scenario: Scenario, view: View) -> tuple[ChartContact, ...]:
    """Return the newest sighting of each faction in each hex with any ships, in hex order."""
    shades = seat_classes(scenario)
    names = power_names(scenario)
    occupied_hexes = {fleet.hex for fleet in view.fleets if not fleet.in_ftl}
    touching = {(touch.hex, touch.toward) for touch in view.in_contact}
    contacts = []
    for (label, faction), sighting in sorted(newest_sightings(view).items()):
        count = sum(number for _, number in sighting.counts)
        if not count:
            continue
        x, y = centre(label)
        age = view.week - sighting.week
        contacts.append(
            ChartContact(
                hex=label,
                x=x,
                y=y,
                place=place_words(scenario, label),
                faction=faction,
                name=names[faction],
                colour=shades[faction],
                count=count,
                counts=sighting.counts,
                words=strength_words(sighting.counts),
                week=sighting.week,
                age=age,
                age_words=sighting_age_words(view, sighting),
                is_gone=label in occupied_hexes
                and (label, faction) not in touching
                and not (age == 0 and view.stage in MEETING_STAGES),
            )
        )
    return tuple(contacts)


def chart_systems(scenario: Scenario, view: View) -> tuple[ChartSystem, ...]:
    """Return the systems as the viewer last knew them, in hex order."""
    systems = {system.id: system for system in scenario.systems}
    names = power_names(scenario)
    shades = seat_classes(scenario)
    fleets_with_ships = {ship.fleet for ship in view.ships}
    there = set()
    for fleet in view.fleets:
        if not fleet.in_ftl and fleet.key in fleets_with_ships:
            there.add(fleet.hex)
    chart_rows = []
    for system_state in view.systems:
        system = systems[system_state.system]
        x, y = centre(system.hex)
        chart_rows.append(
            ChartSystem(
                system=system.id,
                name=system.name,
                hex=system.hex,
                x=x,
                y=y,
                is_settled=system.settled,
                facility=facility_words(system.facility.kind) if system.facility else "",
                power=system_state.holder or "",
                holder=names.get(system_state.holder, system_state.holder)
                if system_state.holder
                else phrase("nobody"),
                colour=shades.get(system_state.holder or "", NOBODY),
                state=system_state.state,
                week=system_state.week,
                week_words=phrase("from the start")
                if system_state.week == 0
                else phrase("week {}", system_state.week),
                is_present=system.hex in there,
                about=join_phrases(
                    "; ", filter(None, (system_text(scenario, system), damage_words(view, system)))
                ),
            )
        )
    return tuple(sorted(chart_rows, key=lambda hold: hold.hex))


def routes_of(
    scenario: Scenario, view: View, moves: Iterable[tuple[str, tuple[str, ...], str]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return routes for the map from moves (fleet, path, to), skipping invalid ones.

    Each begins at its fleet's hex.
    """
    here = {fleet.key: fleet.hex for fleet in view.fleets}
    plan = star_map(scenario)
    routes = []
    for fleet, path, to in moves:
        start = here.get(fleet)
        if start is None:
            continue
        legs = (
            path or (plan.route(start, to, scenario.hexes_per_week) if plan.has(to) else None) or ()
        )
        if legs and all(plan.has(label) for label in legs):
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
    own_dummies = tuple(
        OwnDummy(
            dummy.name,
            dummy.hex,
            *centre(dummy.hex),
            place_words(scenario, dummy.hex),
            codes.get(dummy.key, 0),
            page_id("fleet", dummy.key),
            dummy.key,
        )
        for dummy in view.dummies
    )
    return OpenMarks(tuple(_other_marks(scenario, view)), own_dummies, codes, view.reserve)


def _other_marks(scenario: Scenario, view: View) -> Iterable[OpenMark]:
    markers_at: dict[tuple[str, str], list[Marker]] = {}
    for marker in view.markers:
        if marker.faction != view.faction:
            markers_at.setdefault((marker.hex, marker.faction), []).append(marker)
    shades = seat_classes(scenario)
    names = power_names(scenario)
    marks_in_hex: dict[str, int] = {}
    for (label, faction), markers in sorted(markers_at.items()):
        x, y = centre(label)
        right, below = MARK_OFFSETS[marks_in_hex.get(label, 0) % len(MARK_OFFSETS)]
        marks_in_hex[label] = marks_in_hex.get(label, 0) + 1
        numbers = [str(marker.code) for marker in markers]
        yield OpenMark(
            hex=label,
            x=x + right,
            y=y + below,
            place=place_words(scenario, label),
            faction=faction,
            name=names[faction],
            colour=shades[faction],
            label=_label(numbers),
            words=phrase("{} {}", noun_for(len(numbers), "marker"), join_phrases(", ", numbers)),
            lines=tuple((marker.code, _origin_words(scenario, marker)) for marker in markers),
            ways=tuple(
                sorted(
                    {
                        way_path((marker.previous_hex, label))
                        for marker in markers
                        if marker.previous_hex not in ("", label)
                    }
                )
            ),
        )


def _label(numbers: list[str]) -> str:
    """Return the text of a mark: the numbers, or their count."""
    all_of_them = " ".join(numbers)
    if len(all_of_them) <= MOST_LETTERS:
        return all_of_them
    return f"{len(numbers)}x"


def _origin_words(scenario: Scenario, marker: Marker) -> str:
    """Return where a marker came from, in words."""
    if not marker.previous_hex:
        return "new"
    if marker.previous_hex == marker.hex:
        return "stayed"
    return phrase("from {}", place_words(scenario, marker.previous_hex))
