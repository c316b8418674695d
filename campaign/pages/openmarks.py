"""Open markers on the star map: everybody's fleets as numbers, and one's own dummy counters. Pure values.

From the View alone. A mark says what lies on the map for all to see; what is behind it stands nowhere here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.pages.chart import colours
from campaign.pages.faults import slug
from campaign.pages.hexmap import centre, way_path
from campaign.pages.sayings import place_words
from campaign.rules.scenario import Scenario
from campaign.rules.view import Marker, View
from engine.english import plural

# from a hex's centre to the marks of the factions there, one after the other
BESIDE = ((13, 6), (-13, 6), (13, -7), (-13, -7))
MOST_LETTERS = 4  # of the numbers on a mark; more are counted


@dataclass(frozen=True, slots=True)
class OpenMark:
    """The markers of one faction in one hex. `label`: their numbers, or how many; `ways`: from a week before."""

    hex: str
    x: int
    y: int
    place: str
    faction: str
    name: str
    colour: str
    label: str
    words: str
    lines: tuple[tuple[int, str], ...]
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnDummy:
    """One of the viewer's dummy counters. `marker`: the number others read."""

    name: str
    hex: str
    x: int
    y: int
    place: str
    marker: int
    anchor: str
    key: str


@dataclass(frozen=True, slots=True)
class OpenMarks:
    """What lies open on the map. `others`: the marks of other factions; `codes`: what others read for own fleets."""

    others: tuple[OpenMark, ...]
    dummies: tuple[OwnDummy, ...]
    codes: Mapping[str, int]
    reserve: int


def open_marks(scenario: Scenario, view: View) -> OpenMarks | None:
    """The open markers of a view; None where movement is hidden."""
    if not scenario.open_play:
        return None
    codes = {mark.key: mark.code for mark in view.marks}
    own = tuple(
        OwnDummy(
            dummy.name,
            dummy.hex,
            *centre(dummy.hex),
            place_words(scenario, dummy.hex),
            codes.get(dummy.key, 0),
            slug("fleet", dummy.key),
            dummy.key,
        )
        for dummy in view.dummies
    )
    return OpenMarks(tuple(_others(scenario, view)), own, codes, view.reserve)


def _others(scenario: Scenario, view: View) -> Iterable[OpenMark]:
    found: dict[tuple[str, str], list[Marker]] = {}
    for marker in view.markers:
        if marker.faction != view.faction:
            found.setdefault((marker.hex, marker.faction), []).append(marker)
    shades = colours(scenario, view.faction)
    names = {power.id: power.name for power in scenario.factions}
    taken: dict[str, int] = {}
    for (label, faction), markers in sorted(found.items()):
        x, y = centre(label)
        right, below = BESIDE[taken.get(label, 0) % len(BESIDE)]
        taken[label] = taken.get(label, 0) + 1
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
            words=f"{'marker' if len(numbers) == 1 else plural('marker')} {', '.join(numbers)}",
            lines=tuple((marker.code, _came(scenario, marker)) for marker in markers),
            ways=tuple(sorted({way_path((marker.was, label)) for marker in markers if marker.was not in ("", label)})),
        )


def _label(numbers: list[str]) -> str:
    """What stands on a mark: the numbers, or how many there are."""
    all_of_them = " ".join(numbers)
    return all_of_them if len(all_of_them) <= MOST_LETTERS else f"{len(numbers)}x"


def _came(scenario: Scenario, marker: Marker) -> str:
    """How a marker came where it is, in words."""
    if not marker.was:
        return "new"
    return "stayed" if marker.was == marker.hex else f"from {place_words(scenario, marker.was)}"
