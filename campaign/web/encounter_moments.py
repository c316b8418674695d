"""The moment of an encounter: both fleets, and what the meeting decides, as the reader knows it.

Made only from the reader's view and the published scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.drawings.moment import Force, Moment, MomentSide, MomentSize, Ships, draw_moment
from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.queries import are_hostile, ship_classes, sort_by_count, system_at
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.view import Fleet, Ship, View
from campaign.web.seat_marks import power_names, seats
from campaign.words.common import count_by_classification, place_name, strength_words
from engine.core.phrase import phrase
from engine.english import counted_noun, join_names, short_name


def encounter_moment(
    scenario: Scenario, view: View, hex_: str, toward: str, size: MomentSize = MomentSize.HERO
) -> Moment:
    """Return the picture of an encounter, as the reader's scan shows it.

    Args:
        toward: The other faction.
    """
    own_ships = own_ships_at(view, hex_)
    newest = newest_sighting(view, hex_, toward)
    counts = {} if newest is None else dict(newest.counts)
    numbers = seats(scenario)
    classes = ship_classes(scenario)
    own_counts = count_by_classification(scenario, own_ships)
    points = sum(classes[ship.cls].points for ship in own_ships)
    fleet_names = join_names([fleet.name for fleet in _own_fleets_at(view, hex_)])
    decoys = most_decoys(scenario, counts)
    left = MomentSide(
        name=phrase("You"),
        figures=counted_noun(len(own_ships), "ship"),
        detail=strength_words(own_counts),
        note=phrase("{}, {} points", fleet_names, points),
        forces=(Force(numbers.get(view.faction, 0), _drawn_ships(own_counts)),),
        is_own=True,
    )
    right = MomentSide(
        name=power_names(scenario).get(toward, toward),
        figures=counted_noun(sum(counts.values()), "contact"),
        detail="" if newest is None else strength_words(newest.counts),
        note=phrase("Dashed: an escort, or a decoy that looks like one") if decoys else "",
        short_name=short_name(toward),
        forces=(Force(numbers.get(toward, 0), _drawn_ships(sort_by_count(counts), maybe=decoys)),),
    )
    if size != MomentSize.HERO:  # it has no room for more than how many there are
        left = replace(left, detail="", note="")
        right = replace(right, detail="", note="")
    system = system_at(scenario, hex_)
    superior = "" if system is None else _superior_at(view, system.id)
    return draw_moment(
        size,
        left,
        right,
        place=place_name(scenario, hex_),
        when=_when(scenario, view, superior),
        outcome="" if system is None else _stakes(scenario, view, superior),
        alt=phrase(
            "Your ships: {}. Their contacts: {}. Of these up to {} may be decoys.",
            len(own_ships),
            sum(counts.values()),
            decoys,
        ),
    )


def largest_meeting(scenario: Scenario, view: View) -> Moment | None:
    """Return the encounter with the most ships of those that wait for a decision, or None."""
    meetings = _open_meetings(view)
    if not meetings:
        return None
    hex_, toward = max(meetings, key=lambda meeting: _ships_at(view, *meeting))
    return encounter_moment(scenario, view, hex_, toward, MomentSize.CARD)


def meetings_headline(scenario: Scenario, view: View) -> str:
    """Return where the encounters are that wait for a decision, as a headline; "" without any."""
    places = dict.fromkeys(place_name(scenario, hex_) for hex_, _ in _open_meetings(view))
    return phrase("You have met them at {}", join_names(list(places))) if places else ""


def _open_meetings(view: View) -> list[tuple[str, str]]:
    """Return the hex and the other faction of each encounter that waits for a decision."""
    return [(item.hex, item.toward) for item in view.open_decisions if not item.fixed]


def _ships_at(view: View, hex_: str, toward: str) -> int:
    """Return the own ships in a hex and those of a faction in its newest scan."""
    newest = newest_sighting(view, hex_, toward)
    contacts = 0 if newest is None else sum(dict(newest.counts).values())
    return len(own_ships_at(view, hex_)) + contacts


def _drawn_ships(counts: Iterable[tuple[str, int]], maybe: int = 0) -> tuple[Ships, ...]:
    """Return ships by classification for a picture.

    Args:
        maybe: How many of the escorts may be decoys.
    """
    ships = []
    for kind, count in counts:
        doubtful = min(maybe, count) if kind == DECOY_LABEL else 0
        ships.append(Ships(kind=kind, count=count, maybe=doubtful))
    return tuple(ships)


def _superior_at(view: View, system: str) -> str:
    """Return who had superiority in a system when the reader last knew it, or ""."""
    for known in view.systems:
        if known.system == system:
            return known.superior or ""
    return ""


def _when(scenario: Scenario, view: View, superior: str) -> str:
    """Return the week of an encounter, and who has superiority there."""
    if not superior:
        return phrase("Week {}", view.week)
    return phrase("Week {} · held by {}", view.week, power_names(scenario).get(superior, superior))


def _stakes(scenario: Scenario, view: View, superior: str) -> str:
    """Return what an encounter decides for the war, in a sentence.

    Rules: 2E "Superiority" [camp.superiority]
    """
    if not superior:
        return phrase("Whoever has the only warships left here holds the system.")
    if superior == view.faction:
        return phrase("You hold this system. If only their warships are left, it is theirs.")
    if are_hostile(scenario, superior, view.faction):
        return phrase("They hold this system. If only your warships are left, it is yours.")
    return phrase(
        "Your allies hold this system. If only their enemies' warships are left, it is lost."
    )


def own_ships_at(view: View, hex_: str) -> list[Ship]:
    """Return the viewer's ships in a hex, without fleets in FTL space."""
    fleet_keys = {fleet.key for fleet in _own_fleets_at(view, hex_)}
    return [ship for ship in view.ships if ship.fleet in fleet_keys]


def _own_fleets_at(view: View, hex_: str) -> list[Fleet]:
    """Return the viewer's fleets in a hex, without those in FTL space."""
    return [fleet for fleet in view.fleets if fleet.hex == hex_ and not fleet.in_ftl]


def most_decoys(scenario: Scenario, counts: Mapping[str, int]) -> int:
    """Return how many of the scanned escorts may be decoys: at most one for each real ship."""
    if not scenario.decoys:
        return 0
    return min(counts.get(DECOY_LABEL, 0), sum(counts.values()) // 2)
