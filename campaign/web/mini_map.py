"""A small star map of a faction's knowledge, which links to the large one: geometry and marks.

The coordinates are those of the large map (`campaign.web.hexmap`). Marks and words are placed in
steps of `unit`, 30 to the drawing's width, so that letters are about 12 px high at 400 px width.
Marks avoid other marks as far as possible; if there are many, those near each other are merged.
Pure function of a view and the published scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.chart import Chart, ChartContact, ChartStack, OwnFleet, open_marks
from campaign.web.hexmap import MARGIN, centre, outline, size
from campaign.web.label_placement import LabelSpace, Placement
from campaign.web.seat_marks import NOBODY, seat_classes, seats
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

Item = TypeVar("Item", ChartStack, ChartContact)

UNITS = 30  # to the drawing's width
# Systems up to which all names are shown; above, only those that matter to the viewer
MAX_NAMES = 16
MAX_MARKS = 24  # stacks and contacts up to which each has a mark; above, one mark per square
SQUARE = 4  # side of such a square, in units
OLD = 3  # weeks after which a contact is only an outline
# Offsets of a mark from its place, in units; the first free one is used.
MARK_OFFSETS = (
    (1.7, -1.9),
    (-1.7, -1.9),
    (2.4, -0.4),
    (-2.4, -0.4),
    (1.7, 2.9),
    (-1.7, 2.9),
    (0.0, -3.2),
    (0.0, 3.6),
)


@dataclass(frozen=True, slots=True)
class MiniSystem:
    """A system, its last known holder, and whether the viewer has ships there."""

    x: float
    y: float
    seat: str
    is_settled: bool
    is_present: bool
    has_fight: bool
    name: str  # empty if there is no room
    at: Placement  # position of the name


@dataclass(frozen=True, slots=True)
class MiniMark:
    """An own fleet, a contact, or other factions' open markers."""

    at_x: float  # its true position
    at_y: float
    x: float  # where it is drawn
    y: float
    seat: str
    emblem: int
    is_own: bool
    is_hollow: bool  # open markers, or an own fleet in FTL space
    count: int  # of ships, or of markers
    age: int  # weeks
    words: str

    @property
    def faded(self) -> int:
        """How far it fades with age, in steps from 0."""
        return min(self.age, OLD)


@dataclass(frozen=True, slots=True)
class MiniMap:
    """A small map ready to be drawn, in drawing units."""

    width: int
    height: int
    rim: str
    unit: float  # letter height
    links: tuple[tuple[int, int, int, int], ...]
    systems: tuple[MiniSystem, ...]
    marks: tuple[MiniMark, ...]


def mini_map(scenario: Scenario, view: View, star_chart: Chart) -> MiniMap:
    """Return the map of a view.

    Args:
        star_chart: The view's chart.
    """
    width, height = size(scenario.columns, scenario.rows)
    unit = width / UNITS
    label_space = LabelSpace(width, height, unit)
    for system in scenario.systems:
        label_space.occupy_circle(*centre(system.hex), 0.6)
    return MiniMap(
        width=width + MARGIN,
        height=height + MARGIN,
        rim=outline(scenario.columns, scenario.rows),
        unit=round(unit, 2),
        links=tuple((*centre(link.a), *centre(link.b)) for link in scenario.links),
        systems=tuple(_systems(scenario, view, star_chart, label_space)),
        marks=tuple(_marks(scenario, view, star_chart, label_space)),
    )


def _systems(
    scenario: Scenario, view: View, star_chart: Chart, label_space: LabelSpace
) -> Iterable[MiniSystem]:
    """Yield the systems, settled ones first, so that these get names while there is room."""
    colours = {system.hex: system.colour for system in star_chart.systems}
    own_hexes = {fleet.hex for fleet in view.fleets}
    present_hexes = {system.hex for system in star_chart.systems if system.is_present}
    names_all = len(scenario.systems) <= MAX_NAMES
    for system in sorted(scenario.systems, key=lambda system: (not system.settled, system.hex)):
        x, y = centre(system.hex)
        placement = None
        if names_all or system.settled or system.hex in own_hexes:
            placement = label_space.place_name(x, y, system.name, needed=names_all)
        yield MiniSystem(
            x=x,
            y=y,
            seat=colours.get(system.hex, NOBODY),
            is_settled=system.settled,
            is_present=system.hex in present_hexes,
            has_fight=system.hex in view.fighting,
            name=system.name if placement else "",
            at=placement or (x, y, "middle"),
        )


def _marks(
    scenario: Scenario, view: View, star_chart: Chart, label_space: LabelSpace
) -> Iterable[MiniMark]:
    """Yield the marks of own fleets, of contacts and of open markers, each where there is room."""
    seat_numbers = seats(scenario)
    own_seat = (seat_classes(scenario)[view.faction], seat_numbers[view.faction])
    for stacks in _group_items(star_chart.stacks, label_space):
        largest_stack = max(stacks, key=lambda stack: stack.ship_count)
        yield _mark(
            label_space,
            (largest_stack.x, largest_stack.y),
            owner=own_seat,
            is_own=True,
            is_hollow=all(stack.is_hidden for stack in stacks),
            count=sum(stack.ship_count for stack in stacks),
            age=0,
            words=_stacks_words(stacks),
        )
    present_contacts = [contact for contact in star_chart.contacts if not contact.is_gone]
    for contacts in _group_items(
        present_contacts, label_space, lambda contact: (contact.faction, min(contact.age, OLD))
    ):
        largest = max(contacts, key=lambda contact: contact.count)
        yield _mark(
            label_space,
            (largest.x, largest.y),
            owner=(largest.colour, seat_numbers.get(largest.faction, 0)),
            is_own=False,
            is_hollow=False,
            count=sum(contact.count for contact in contacts),
            age=largest.age,
            words=_contacts_words(contacts),
        )
    marks = open_marks(scenario, view)
    for mark in marks.other_marks if marks else ():
        yield _mark(
            label_space,
            centre(mark.hex),
            owner=(mark.colour, seat_numbers.get(mark.faction, 0)),
            is_own=False,
            is_hollow=True,
            count=len(mark.lines),
            age=0,
            words=phrase("{}: {}", mark.name, mark.words),
        )


def _group_items(
    items: Sequence[Item],
    label_space: LabelSpace,
    group_key: Callable[[Item], Hashable] = lambda _: None,
) -> list[list[Item]]:
    """Return groups that share a mark: single items, or if there are many, those of a square.

    Args:
        group_key: Only items with equal keys share a mark.
    """
    if len(items) <= MAX_MARKS:
        return [[item] for item in items]
    groups: dict[Hashable, list[Item]] = {}
    side = SQUARE * label_space.unit
    for item in items:
        square = (int(item.x // side), int(item.y // side))
        groups.setdefault((square, group_key(item)), []).append(item)
    return list(groups.values())


def _stacks_words(stacks: Sequence[ChartStack]) -> str:
    """Return the fleets of some stacks in words, or only their number if the stacks are merged."""
    fleets: list[OwnFleet] = []
    for stack in stacks:
        fleets += stack.fleets
    if len(stacks) > 1:
        ship_count = sum(stack.ship_count for stack in stacks)
        fleet_text = counted_noun(len(fleets), "fleet")
        return phrase("{}, {}", fleet_text, counted_noun(ship_count, "ship"))
    return join_phrases("; ", (phrase("{}: {}", fleet.name, fleet.strength) for fleet in fleets))


def _contacts_words(contacts: Iterable[ChartContact]) -> str:
    """Return some contacts in words: who, how long ago, and what was seen."""
    parts = []
    for contact in contacts:
        parts.append(phrase("{}, {}: {}", contact.name, contact.age_words, contact.words))
    return join_phrases("; ", parts)


def _mark(
    label_space: LabelSpace,
    position: tuple[int, int],
    *,
    owner: tuple[str, int],
    is_own: bool,
    is_hollow: bool,
    count: int,
    age: int,
    words: str,
) -> MiniMark:
    """Return a mark beside its position, where it covers least.

    Args:
        owner: CSS class and number of its faction's seat.
        count: The number of its ships or markers.
        age: Of the knowledge, in weeks.
    """
    unit = label_space.unit
    x, y = position
    # Half the width in units; an old contact also shows its age
    half_width = 1.6 if is_own else 1.9
    if not is_own and age:
        half_width = 2.5
    boxes = []
    for dx, dy in MARK_OFFSETS:
        boxes.append(
            (
                x + (dx - half_width) * unit,
                y + (dy - 0.8) * unit,
                x + (dx + half_width) * unit,
                y + (dy + 0.8) * unit,
            )
        )
    dx, dy = MARK_OFFSETS[label_space.occupy_best(boxes)]
    seat, emblem = owner
    return MiniMark(
        at_x=x,
        at_y=y,
        x=round(x + dx * unit, 1),
        y=round(y + dy * unit, 1),
        seat=seat,
        emblem=emblem,
        is_own=is_own,
        is_hollow=is_hollow,
        count=count,
        age=age,
        words=words,
    )
