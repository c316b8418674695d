"""A small star map of what a faction knows, to look at and to open the large one by: geometry, and
where its marks lie.

The drawing is as the large map's (`campaign.web.hexmap`); marks and words are laid out in steps of
`unit`, of which 30 are the drawing's width, so that words are about 12 px high where it is 400 px
wide. Marks are put where nothing else lies, as far as that can be; where there are many, those near
each other share one. Pure: a View and the published scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.chart import Chart, ChartContact, ChartStack, open_marks
from campaign.web.hexmap import MARGIN, centre, outline, size
from campaign.web.label_placement import LabelSpace, Placement
from campaign.web.seat_marks import NOBODY, seat_classes, seats
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

M = TypeVar("M", ChartStack, ChartContact)

UNITS = 30  # of the drawing's width
MOST_NAMES = 16  # systems that all have their names; of more, those that matter to the viewer
MOST_MARKS = 24  # stacks and contacts that each have their mark; of more, those of a square are one
SQUARE = 4  # units, its side
OLD = 3  # weeks from which a contact is an outline alone
# Where a mark may lie, from its place in units; the first that is free.
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
    """A system: where, and whose it was when last known.

    `name`: empty where it has no room; `at`: its place.
    """

    x: float
    y: float
    seat: str
    is_settled: bool
    has_fight: bool
    name: str
    at: Placement


@dataclass(frozen=True, slots=True)
class MiniMark:
    """A fleet of one's own, a contact, or others' open markers (`hollow`).

    `at_x`, `at_y`: its place; `x`, `y`: where it is drawn; `count`: of ships, or of markers. A
    `hollow` fleet of one's own is in FTL space.
    """

    at_x: float
    at_y: float
    x: float
    y: float
    seat: str
    emblem: int
    is_own: bool
    is_hollow: bool
    count: int
    age: int
    words: str

    @property
    def faded(self) -> int:
        """How far its body fades with age, in steps from 0."""
        return min(self.age, OLD)


@dataclass(frozen=True, slots=True)
class MiniMap:
    """A small map, ready to be drawn, in the units of its drawing.

    `unit`: the height of its letters.
    """

    width: int
    height: int
    rim: str
    unit: float
    links: tuple[tuple[int, int, int, int], ...]
    systems: tuple[MiniSystem, ...]
    marks: tuple[MiniMark, ...]


def mini_map(scenario: Scenario, view: View, star_chart: Chart) -> MiniMap:
    """The map of a View. `known`: its chart."""
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
    colours = {hold.hex: hold.colour for hold in star_chart.systems}
    fighting, here = set(view.fighting), {fleet.hex for fleet in view.fleets}
    names_all = len(scenario.systems) <= MOST_NAMES
    for system in sorted(
        scenario.systems, key=lambda candidate: (not candidate.settled, candidate.hex)
    ):
        x, y = centre(system.hex)
        is_named = names_all or system.settled or system.hex in here
        name = label_space.place_name(x, y, system.name, needed=names_all) if is_named else None
        yield MiniSystem(
            x=x,
            y=y,
            seat=colours.get(system.hex, NOBODY),
            is_settled=system.settled,
            has_fight=system.hex in fighting,
            name=system.name if name else "",
            at=name or (x, y, "middle"),
        )


def _marks(
    scenario: Scenario, view: View, star_chart: Chart, label_space: LabelSpace
) -> Iterable[MiniMark]:
    numbers, colours = seats(scenario), seat_classes(scenario)
    mine = (colours[view.faction], numbers[view.faction])
    for stacks in _group_marks(star_chart.stacks, label_space):
        first = max(stacks, key=lambda stack: stack.ship_count)
        ships, hidden = (
            sum(stack.ship_count for stack in stacks),
            all(stack.is_hidden for stack in stacks),
        )
        yield _mark(
            label_space, (first.x, first.y), mine, True, hidden, ships, 0, _stacks_words(stacks)
        )
    present_contacts = [contact for contact in star_chart.contacts if not contact.is_gone]
    for contacts in _group_marks(
        present_contacts, label_space, lambda contact: (contact.faction, min(contact.age, OLD))
    ):
        largest = max(contacts, key=lambda contact: contact.count)
        owner, count = (
            (largest.colour, numbers.get(largest.faction, 0)),
            sum(contact.count for contact in contacts),
        )
        words = join_phrases(
            "; ", (phrase("{}, {}: {}", c.name, c.age_words, c.words) for c in contacts)
        )
        yield _mark(
            label_space, (largest.x, largest.y), owner, False, False, count, largest.age, words
        )
    for mark in () if (marks := open_marks(scenario, view)) is None else marks.other_marks:
        owner, words = (
            (mark.colour, numbers.get(mark.faction, 0)),
            phrase("{}: {}", mark.name, mark.words),
        )
        yield _mark(label_space, centre(mark.hex), owner, False, True, len(mark.lines), 0, words)


def _group_marks(
    items: Sequence[M], label_space: LabelSpace, group_key: Callable[[M], Hashable] = lambda _: None
) -> list[list[M]]:
    """What has a mark of its own, or, of many, those that are `alike` in each square of the
    drawing.
    """
    if len(items) <= MOST_MARKS:
        return [[item] for item in items]
    groups: dict[Hashable, list[M]] = {}
    side = SQUARE * label_space.unit
    for item in items:
        groups.setdefault((int(item.x // side), int(item.y // side), group_key(item)), []).append(
            item
        )
    return list(groups.values())


def _stacks_words(stacks: Sequence[ChartStack]) -> str:
    fleets = [fleet for stack in stacks for fleet in stack.fleets]
    if len(stacks) > 1:
        ships = sum(stack.ship_count for stack in stacks)
        return phrase("{}, {}", counted_noun(len(fleets), "fleet"), counted_noun(ships, "ship"))
    return join_phrases("; ", (phrase("{}: {}", fleet.name, fleet.strength) for fleet in fleets))


def _mark(
    label_space: LabelSpace,
    place: tuple[int, int],
    owner: tuple[str, int],
    is_own: bool,
    is_hollow: bool,
    count: int,
    age: int,
    words: str,
) -> MiniMark:
    unit, (x, y), (seat, emblem) = label_space.unit, place, owner
    wide = 1.6 if is_own else 1.9 if not age else 2.5
    boxes = [
        (
            x + (dx - wide) * unit,
            y + (dy - 0.8) * unit,
            x + (dx + wide) * unit,
            y + (dy + 0.8) * unit,
        )
        for dx, dy in MARK_OFFSETS
    ]
    dx, dy = MARK_OFFSETS[label_space.occupy_best(boxes)]
    return MiniMark(
        x,
        y,
        round(x + dx * unit, 1),
        round(y + dy * unit, 1),
        seat,
        emblem,
        is_own,
        is_hollow,
        count,
        age,
        words,
    )
