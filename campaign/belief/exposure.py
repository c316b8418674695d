"""What others may know of one's own fleets, reckoned from one's own reports and from what is public; never from scans
of theirs, which nobody is shown.

Who meets a fleet in a system reads it, and so does a settlement; who met it where it stood before knows how far it may
have gone. What nobody of ours could notice cannot be ruled out, so nothing here says more than "may".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from campaign.rules.battle_entries import DECOY_LABEL, label
from campaign.rules.queries import greatest_first, ship_classes, ships_by_fleet, side_of, systems_by_hex
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.view import Fleet, Ship, View


class Seen(StrEnum):
    """Whether others know of a fleet."""

    CERTAINLY = "certainly"
    POSSIBLY = "possibly"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Exposed:
    """A fleet of one's own as others may know it. `by`: factions, by their ids; `reads`: what a long range scan of it
    reads; `why`: met, settlement, allies, marker, before (met at the hex it came from), or nothing.
    """

    fleet: Fleet
    seen: Seen
    by: tuple[str, ...]
    why: str
    reads: tuple[tuple[str, int], ...]


def exposure(scenario: Scenario, view: View) -> tuple[Exposed, ...]:
    """Every fleet of a faction, in the order of their keys."""
    crews, classes, systems = ships_by_fleet(view.ships), ship_classes(scenario), systems_by_hex(scenario)
    return tuple(
        _exposed(scenario, view, fleet, _reads(classes, fleet, crews.get(fleet.key, [])), systems.get(fleet.hex))
        for fleet in view.fleets
    )


def _exposed(
    scenario: Scenario, view: View, fleet: Fleet, reads: tuple[tuple[str, int], ...], system: StarSystem | None
) -> Exposed:
    if not fleet.in_ftl:
        met = _met(view, fleet.hex, 0)
        ours = side_of(scenario, view.faction)
        owner = system.owner if system is not None and system.settled else None
        settled = {owner} if owner is not None and owner not in ours else set()
        if met or settled:
            certain = _told(scenario, {*met, *settled}) if scenario.shared_sight else {*met, *settled}
            return Exposed(fleet, Seen.CERTAINLY, tuple(sorted(certain)), "met" if met else "settlement", reads)
    if scenario.open_play and any(mark.key == fleet.key for mark in view.marks):
        others = sorted(power.id for power in scenario.factions if power.id != view.faction)
        return Exposed(fleet, Seen.POSSIBLY, tuple(others), "marker", ())
    before = _met(view, fleet.hex, 1) | (_met(view, fleet.back, 1) if fleet.back else set())
    if before:
        return Exposed(fleet, Seen.POSSIBLY, tuple(sorted(_told(scenario, before))), "before", ())
    return Exposed(fleet, Seen.NOT, (), "", ())


def _met(view: View, hex_: str, weeks: int) -> set[str]:
    """The hostile factions whose ships were met at a hex this week (`weeks` 0), or also in that many weeks before."""
    return {
        item.faction
        for item in view.sightings
        if item.hex == hex_ and item.counts and view.week - weeks <= item.week <= view.week
    }


def _told(scenario: Scenario, factions: Iterable[str]) -> set[str]:
    """Those factions and their allies, who may be told."""
    return {ally for faction in factions for ally in side_of(scenario, faction)}


def _reads(classes: Mapping[str, ShipClass], fleet: Fleet, crew: list[Ship]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for ship in crew:
        kind = label(classes, ship)
        counts[kind] = counts.get(kind, 0) + 1
    drones = min(fleet.decoys_out, len(crew))
    if drones:
        counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + drones
    return greatest_first(counts)
