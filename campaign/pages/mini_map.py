"""A small star map of what a faction knows, to look at and to open the large one by: geometry, and where its marks lie.

The drawing is as the large map's (`campaign.pages.hexmap`); marks and words are laid out in steps of `unit`, of which
30 are the drawing's width, so that words are about 12 px high where it is 400 px wide. Marks are put where nothing else
lies, as far as that can be. Pure: a View and the published scenario.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.pages.chart import Chart, open_marks
from campaign.pages.hexmap import MARGIN, centre, outline, size
from campaign.pages.placing import Drawing, Placed
from campaign.pages.seat_marks import NOBODY, seat_classes, seats
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.phrase import joined_phrases, phrase

UNITS = 30  # of the drawing's width
MOST_NAMES = 16  # systems that all have their names; of more, those that matter to the viewer
OLD = 3  # weeks from which a contact is an outline alone
# Where a mark may lie, from its place in units; the first that is free.
AROUND = ((1.7, -1.9), (-1.7, -1.9), (2.4, -0.4), (-2.4, -0.4), (1.7, 2.9), (-1.7, 2.9), (0.0, -3.2), (0.0, 3.6))


@dataclass(frozen=True, slots=True)
class MiniSystem:
    """A system: where, and whose it was when last known. `name`: empty where it has no room; `at`: its place."""

    x: float
    y: float
    seat: str
    settled: bool
    fight: bool
    name: str
    at: Placed


@dataclass(frozen=True, slots=True)
class MiniMark:
    """A fleet of one's own, a contact, or others' open markers (`hollow`). `at_x`, `at_y`: its place; `x`, `y`: where
    it is drawn; `count`: of ships, or of markers. A `hollow` fleet of one's own is in FTL space.
    """

    at_x: float
    at_y: float
    x: float
    y: float
    seat: str
    emblem: int
    own: bool
    hollow: bool
    count: int
    age: int
    words: str

    @property
    def faded(self) -> int:
        """How far its body fades with age, in steps from 0."""
        return min(self.age, OLD)


@dataclass(frozen=True, slots=True)
class MiniMap:
    width: int
    height: int
    rim: str
    unit: float
    links: tuple[tuple[int, int, int, int], ...]
    systems: tuple[MiniSystem, ...]
    marks: tuple[MiniMark, ...]


def mini_map(scenario: Scenario, view: View, known: Chart) -> MiniMap:
    """The map of a View. `known`: its chart."""
    width, height = size(scenario.columns, scenario.rows)
    unit = width / UNITS
    room = Drawing(width, height, unit)
    for system in scenario.systems:
        room.take(*centre(system.hex), 0.6)
    return MiniMap(
        width=width + MARGIN,
        height=height + MARGIN,
        rim=outline(scenario.columns, scenario.rows),
        unit=round(unit, 2),
        links=tuple((*centre(link.a), *centre(link.b)) for link in scenario.links),
        systems=tuple(_systems(scenario, view, known, room)),
        marks=tuple(_marks(scenario, view, known, room)),
    )


def _systems(scenario: Scenario, view: View, known: Chart, room: Drawing) -> Iterable[MiniSystem]:
    colours = {hold.hex: hold.colour for hold in known.holds}
    fighting, here = set(view.fighting), {fleet.hex for fleet in view.fleets}
    all_named = len(scenario.systems) <= MOST_NAMES
    for system in sorted(scenario.systems, key=lambda one: (not one.settled, one.hex)):
        x, y = centre(system.hex)
        named = all_named or system.settled or system.hex in here
        name = room.name(x, y, system.name, needed=all_named) if named else None
        yield MiniSystem(
            x=x,
            y=y,
            seat=colours.get(system.hex, NOBODY),
            settled=system.settled,
            fight=system.hex in fighting,
            name=system.name if name else "",
            at=name or (x, y, "middle"),
        )


def _marks(scenario: Scenario, view: View, known: Chart, room: Drawing) -> Iterable[MiniMark]:
    numbers, colours = seats(scenario), seat_classes(scenario)
    mine = (colours[view.faction], numbers[view.faction])
    for stack in known.stacks:
        words = joined_phrases("; ", (phrase("{}: {}", fleet.name, fleet.strength) for fleet in stack.fleets))
        yield _mark(room, (stack.x, stack.y), mine, True, stack.hidden, stack.ships, 0, words)
    for contact in known.contacts:
        if not contact.gone:
            whose = (contact.colour, numbers.get(contact.faction, 0))
            words = phrase("{}, {}: {}", contact.name, contact.age_words, contact.words)
            yield _mark(room, (contact.x, contact.y), whose, False, False, contact.count, contact.age, words)
    for mark in () if (marks := open_marks(scenario, view)) is None else marks.others:
        whose, words = (mark.colour, numbers.get(mark.faction, 0)), phrase("{}: {}", mark.name, mark.words)
        yield _mark(room, centre(mark.hex), whose, False, True, len(mark.lines), 0, words)


def _mark(
    room: Drawing,
    place: tuple[int, int],
    whose: tuple[str, int],
    own: bool,
    hollow: bool,
    count: int,
    age: int,
    words: str,
) -> MiniMark:
    unit, (x, y), (seat, emblem) = room.unit, place, whose
    wide = 1.6 if own else 1.9 if not age else 2.5
    boxes = [
        (x + (dx - wide) * unit, y + (dy - 0.8) * unit, x + (dx + wide) * unit, y + (dy + 0.8) * unit)
        for dx, dy in AROUND
    ]
    dx, dy = AROUND[room.best(boxes)]
    return MiniMark(
        x, y, round(x + dx * unit, 1), round(y + dy * unit, 1), seat, emblem, own, hollow, count, age, words
    )
