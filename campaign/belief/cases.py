"""Two cases of what waits at a place out of sight: the published garrison, alone or with a fleet.

The fleet is the strongest contact that can be there by the time of the meeting: the faction's own
sightings, each with as many weeks of movement as have passed since. True fleets are never used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

from campaign.belief.forces import Belief, BelievedForce, Decoys
from campaign.rules.starmap import travel_weeks
from campaign.rules.view import Sighting

Case = Literal["", "garrison", "fleet"]  # ""; whatever may be there, with its likelihood


def arrival_week(belief: Belief, fleets: Collection[str], hex_: str) -> int:
    """Return the week in which the last of these own fleets is at a hex, if it sets out now.

    A fleet that is ordered to move this week arrives this week after one week of movement.
    """
    weeks = [0]
    for fleet in belief.view.fleets:
        if fleet.key in fleets:
            weeks.append(travel_weeks(belief.scenario, fleet.hex, hex_) or 0)
    return belief.view.week + max(0, max(weeks) - 1)


def case_force(
    belief: Belief,
    case: Case,
    hex_: str,
    toward: str,
    week: int,
    number: int,
    decoys: Decoys = "likely",
) -> BelievedForce:
    """Return one sample of the force of a case.

    Args:
        case: "garrison" or "fleet". Without a contact that can be there both are the same.
        week: In which the meeting would be.
        number: The number of the sample.
    """
    ships = belief.garrison_ships(hex_, toward)
    contact = strongest_contact(belief, hex_, toward, week) if case == "fleet" else None
    if contact is None:
        return BelievedForce(ships)
    dice = belief.dice(hex_, toward, case, week, decoys, number)
    fleet, drone_count = belief.fleet_in(contact, decoys, dice)
    drones = ((contact.faction, drone_count),) if drone_count else ()
    return BelievedForce((*ships, *fleet), drones)


def strongest_contact(belief: Belief, hex_: str, toward: str, week: int) -> Sighting | None:
    """Return the strongest contact of a faction that can be at a hex in a week.

    Contacts without ships that can move do not count. Of equally strong ones the newest counts.
    """
    best: tuple[float, int, str] | None = None
    strongest: Sighting | None = None
    for sighting in belief.view.sightings:
        if sighting.faction != toward or not _can_come(belief, sighting, hex_, week):
            continue
        strength = _strength(belief, sighting)
        rank = (strength, sighting.week, sighting.hex)
        if strength and (best is None or rank > best):
            best, strongest = rank, sighting
    return strongest


def _can_come(belief: Belief, sighting: Sighting, hex_: str, week: int) -> bool:
    """Return whether ships seen somewhere can be at a hex by a week."""
    weeks = travel_weeks(belief.scenario, sighting.hex, hex_)
    return weeks is not None and weeks <= week - sighting.week


def _strength(belief: Belief, sighting: Sighting) -> float:
    """Return the points of a contact's ships that can move, by the mean of their kind."""
    points: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for cls in belief.classes.values():
        if cls.ftl:
            points[cls.classification] += cls.points
            classes[cls.classification] += 1
    total = 0.0
    for kind, count in belief.mobile_counts(sighting).items():
        if classes[kind]:
            total += count * points[kind] / classes[kind]
    return total
