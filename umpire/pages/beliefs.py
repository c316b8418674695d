"""Biggest misjudgements of a war: what a faction believed about a place, and the truth. Pure.

For finished wars, whose truth is public. A belief is what a faction's map showed: its newest scan
of a hex that no later one replaced, and the hexes at its side's systems where it saw nobody. Only
errors that could hurt count: those near the systems that the faction thought its side's own, and
where its own fleets are. Errors are weighted by the ships concerned: a capital ship counts as four
escorts, a cruiser as two. For an error that lasted several weeks its worst moment counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.hexes import distance
from campaign.rules.queries import ships_by_fleet, side_of, with_all_designs, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.web.chart import ChartContact, ChartSystem, chart_contacts, chart_systems
from campaign.words.common import count_by_classification
from engine.core.phrase import phrase
from engine.english import Count, counted_noun, short_name

WEIGHTS: Mapping[str, int] = {"capital": 4, "cruiser": 2, "escort": 1}
# Stages at which players decide on what they believe
DECISION_STAGES = (StageKind.ORDERS.value, StageKind.DECISIONS.value)
MAX_ERRORS = 6
SMALLEST_SHARE = 10  # an error counts if it is at least this part of the greatest
BESIDE = 1  # hexes from a system in which an undetected fleet counts as an error about it
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WrongBelief:
    """A misjudgement.

    Attributes:
        seq: The number of the moment.
        faction: That believed it.
        foe: About which it was wrong.
        hex: The hex concerned.
        about: The hex by which errors that lasted are recognised: that of the system, if the
            undetected ships were beside it.
        size: The error, in escorts.
        difference: The ships believed to be there, less those that were.
    """

    seq: int
    week: int
    faction: str
    foe: str
    hex: str
    about: str
    size: int
    difference: int
    title: str
    words: str


def greatest_errors(
    errors: Iterable[WrongBelief], most: int = MAX_ERRORS
) -> tuple[WrongBelief, ...]:
    """Return the greatest of these errors, in the sequence of the war.

    Each faction has at most one for the same place and enemy, and one at the same moment. Errors
    about the types of ships alone are left out, and those that are small beside the greatest.
    """
    worst: dict[tuple[str, str, str], WrongBelief] = {}
    for error in errors:
        key = (error.faction, error.about, error.foe)
        if error.difference and (key not in worst or worst[key].size < error.size):
            worst[key] = error
    ranked = sorted(worst.values(), key=lambda item: (-item.size, item.seq, item.faction, item.hex))
    chosen: dict[tuple[int, str], WrongBelief] = {}
    for error in ranked:
        if len(chosen) < most and error.size * SMALLEST_SHARE >= ranked[0].size:
            chosen.setdefault((error.seq, error.faction), error)
    return tuple(sorted(chosen.values(), key=lambda item: (item.seq, item.faction)))


def errors_at(
    scenario: Scenario, seq: int, world: World, views: Mapping[str, View]
) -> list[WrongBelief]:
    """Return the errors of all factions at a moment.

    Args:
        seq: The number of the moment.
        views: What each faction knew.
    """
    truth = _ships_by_place(scenario, world)
    errors: list[WrongBelief] = []
    for faction, view in sorted(views.items()):
        moment = _moment(scenario, seq, faction, view, truth)
        errors += moment.scan_errors()
        errors += moment.undetected_ships()
    return errors


def _moment(
    scenario: Scenario,
    seq: int,
    faction: str,
    view: View,
    truth: Mapping[tuple[str, str], Counts],
) -> _Moment:
    """Return a faction's view at a moment with what the faction thinks of the map."""
    known = with_known_designs(scenario, view)
    side = side_of(known, faction)
    contacts = [item for item in chart_contacts(known, view) if not item.is_gone]
    own_systems = [item for item in chart_systems(known, view) if item.power in side]
    return _Moment(known, seq, faction, view, truth, contacts, own_systems)


@dataclass(frozen=True)
class _Moment:
    """A faction's view at a moment of the war, beside the truth.

    Attributes:
        scenario: With the classes that the faction knows.
        truth: The ships of each faction in each hex, by (hex, faction) and classification.
        contacts: On the faction's map, without those known to be gone.
        own_systems: That the faction thinks its side's own.
    """

    scenario: Scenario
    seq: int
    faction: str
    view: View
    truth: Mapping[tuple[str, str], Counts]
    contacts: list[ChartContact]
    own_systems: list[ChartSystem]

    def scan_errors(self) -> Iterator[WrongBelief]:
        """Yield the errors in contacts near the faction's systems and at its fleets."""
        for contact in self.contacts:
            true = self.truth.get((contact.hex, contact.faction), {})
            size = _difference(dict(contact.counts), true)
            if size and self._matters(contact.hex):
                yield self._error(
                    contact.hex,
                    contact.hex,
                    contact.faction,
                    size,
                    believed=contact.count,
                    title=self._scan_title(contact, sum(true.values())),
                    words=self._scan_words(contact, sum(true.values())),
                )

    def undetected_ships(self) -> Iterator[WrongBelief]:
        """Yield the enemies that a faction did not see in its side's systems or beside them."""
        side = side_of(self.scenario, self.faction)
        seen = {(contact.hex, contact.faction) for contact in self.contacts}
        for (hex_, foe), true in sorted(self.truth.items()):
            if foe in side or (hex_, foe) in seen:
                continue
            system = self._nearest_system(hex_)
            if system is None:
                continue
            if system.hex == hex_:
                title = phrase("Undetected at {}", system.name)
            else:
                title = phrase("Undetected beside {}", system.name)
            ships = counted_noun(sum(true.values()), "ship")
            yield self._error(
                hex_,
                system.hex,
                foe,
                _difference({}, true),
                believed=0,
                title=title,
                words=phrase(
                    "{} knows nothing of {} of {}",
                    short_name(self.faction),
                    ships,
                    short_name(foe),
                ),
            )

    def _matters(self, hex_: str) -> bool:
        """Return whether a fleet there could reach the faction's systems, or is at its fleets."""
        if any(fleet.hex == hex_ for fleet in self.view.fleets):
            return True
        reach = self.scenario.hexes_per_week
        return any(distance(hex_, system.hex) <= reach for system in self.own_systems)

    def _nearest_system(self, hex_: str) -> ChartSystem | None:
        """Return the side's system in a hex or beside it, the nearest first."""
        near = []
        for system in self.own_systems:
            away = distance(hex_, system.hex)
            if away <= BESIDE:
                near.append((away, system.hex, system))
        return min(near)[2] if near else None

    def _scan_title(self, contact: ChartContact, true: int) -> str:
        """Return the title of an error in a contact."""
        place = self._place(contact.hex)
        if not true:
            return phrase("No contact left at {}", place)
        if contact.count == true:
            return phrase("Not what it seemed at {}", place)
        ships = counted_noun(abs(contact.count - true), "ship")
        if contact.count > true:
            return phrase("{} too many at {}", ships, place)
        return phrase("{} too few at {}", ships, place)

    def _scan_words(self, contact: ChartContact, true: int) -> str:
        """Return an error in a contact as a sentence."""
        name = short_name(self.faction)
        ships = counted_noun(contact.count, "ship")
        foe = short_name(contact.faction)
        if contact.count == true:
            return phrase("{} takes {} of {} for other types", name, ships, foe)
        if contact.age:
            return phrase(
                "{} expects {} of {}, as in week {}; the true number is {}",
                name,
                ships,
                foe,
                contact.week,
                Count(true),
            )
        return phrase("{} counts {} of {}; the true number is {}", name, ships, foe, Count(true))

    def _place(self, hex_: str) -> str:
        """Return the name of the system in a hex, or the hex."""
        for system in self.scenario.systems:
            if system.hex == hex_:
                return system.name
        return phrase("hex {}", hex_)

    def _error(
        self, hex_: str, about: str, foe: str, size: int, *, believed: int, title: str, words: str
    ) -> WrongBelief:
        """Return an error about an enemy in a hex."""
        true = sum(self.truth.get((hex_, foe), {}).values())
        return WrongBelief(
            seq=self.seq,
            week=self.view.week,
            faction=self.faction,
            foe=foe,
            hex=hex_,
            about=about,
            size=size,
            difference=believed - true,
            title=title,
            words=words,
        )


def _difference(believed: Counts, true: Counts) -> int:
    """Return how far two counts of ships differ, in escorts."""
    total = 0
    for kind in sorted({*believed, *true}):
        total += WEIGHTS.get(kind, 1) * abs(believed.get(kind, 0) - true.get(kind, 0))
    return total


def _ships_by_place(scenario: Scenario, world: World) -> dict[tuple[str, str], Counts]:
    """Return each faction's ships in each hex by classification, without those in FTL space."""
    truth = with_all_designs(scenario, world)
    ships_of = ships_by_fleet(world.ships)
    result: dict[tuple[str, str], dict[str, int]] = {}
    for fleet in world.fleets:
        if not fleet.in_ftl:
            counts_here = result.setdefault((fleet.hex, fleet.faction), {})
            for kind, count in count_by_classification(truth, ships_of.get(fleet.key, ())):
                counts_here[kind] = counts_here.get(kind, 0) + count
    return {place: counts for place, counts in result.items() if counts}
