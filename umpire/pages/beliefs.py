"""Biggest misjudgements of a war: what a faction believed about a place, and the truth. Pure.

For finished wars, whose truth is public. A belief is what a faction's map showed: its newest scan
of a hex that no later one replaced, and the systems it thought its own. Errors are weighted by the
ships concerned: a capital ship counts as four escorts, a cruiser as two. For an error that lasted
several weeks its worst moment counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.queries import ships_by_fleet, side_of, with_all_designs, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.web.chart import ChartContact, chart_contacts, chart_systems
from campaign.web.seat_marks import power_names
from campaign.words.common import count_by_classification, place_words, strength_words
from engine.core.phrase import phrase

WEIGHTS: Mapping[str, int] = {"capital": 4, "cruiser": 2, "escort": 1}
# Stages at which players decide on what they believe
DECISION_STAGES = (StageKind.ORDERS.value, StageKind.DECISIONS.value)
MAX_ERRORS = 10
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WrongBelief:
    """A misjudgement."""

    seq: int  # of the moment
    week: int
    faction: str  # that believed it
    hex: str
    size: int  # of the error, in escorts
    title: str
    believed: str
    was: str


def greatest_errors(
    scenario: Scenario,
    moments: Iterable[tuple[int, World, Mapping[str, View]]],
    most: int = MAX_ERRORS,
) -> tuple[WrongBelief, ...]:
    """Return the greatest errors of a war, worst first.

    Each faction has at most one for the same place and enemy.

    Args:
        moments: (seq, the true world, each faction's view) of each moment.
    """
    worst: dict[tuple[str, str, str], WrongBelief] = {}
    for seq, world, views in moments:
        if world.stage not in DECISION_STAGES:
            continue
        truth = _ships_by_place(scenario, world)
        for faction, view in sorted(views.items()):
            moment = _Moment(scenario, seq, faction, view, truth)
            for foe, error in (*moment.scan_errors(), *moment.undetected_ships()):
                key = (faction, error.hex, foe)
                if key not in worst or worst[key].size < error.size:
                    worst[key] = error
    ranked = sorted(worst.values(), key=lambda item: (-item.size, item.seq, item.faction, item.hex))
    return tuple(ranked[:most])


@dataclass(frozen=True, slots=True)
class _Moment:
    """A faction's view at a moment of the war, beside the truth.

    Attributes:
        truth: The ships of each faction in each hex, by (hex, faction) and classification.
    """

    scenario: Scenario
    seq: int
    faction: str
    view: View
    truth: Mapping[tuple[str, str], Counts]

    def scan_errors(self) -> Iterator[tuple[str, WrongBelief]]:
        """Yield the errors in contacts on the faction's map, each with the enemy it concerns."""
        for contact in self._contacts():
            true = self.truth.get((contact.hex, contact.faction), {})
            size = _difference(dict(contact.counts), true)
            if not size:
                continue
            place = place_words(self.scenario, contact.hex)
            names = power_names(self.scenario)
            if contact.age:
                when = phrase("scanned in week {}", contact.week)
            else:
                when = phrase("scanned that week")
            if true:
                title = phrase("Not what it seemed at {}", place)
            else:
                title = phrase("No contact left at {}", place)
            believed = phrase(
                "{} believed that {} of {} were there, {}",
                names[self.faction],
                contact.words,
                names[contact.faction],
                when,
            )
            yield (
                contact.faction,
                self._error(contact.hex, contact.faction, size, title=title, believed=believed),
            )

    def undetected_ships(self) -> Iterator[tuple[str, WrongBelief]]:
        """Yield the enemies that a faction did not see in systems it thought its side's own."""
        names = power_names(self.scenario)
        side = side_of(self.scenario, self.faction)
        seen_factions = {(contact.hex, contact.faction) for contact in self._contacts()}
        believed = phrase(
            "{} thought its own side held it, and found nobody there", names[self.faction]
        )
        visible = with_known_designs(self.scenario, self.view)
        for hold in chart_systems(visible, self.view):
            if hold.power not in side:
                continue
            for (hex_, foe), true in sorted(self.truth.items()):
                if hex_ == hold.hex and foe not in side and (hex_, foe) not in seen_factions:
                    title = phrase("Undetected at {}", place_words(self.scenario, hex_))
                    size = _difference({}, true)
                    yield foe, self._error(hex_, foe, size, title=title, believed=believed)

    def _contacts(self) -> list[ChartContact]:
        """Return the contacts on the faction's map, without those known to be gone."""
        visible = with_known_designs(self.scenario, self.view)
        return [item for item in chart_contacts(visible, self.view) if not item.is_gone]

    def _error(self, hex_: str, foe: str, size: int, *, title: str, believed: str) -> WrongBelief:
        """Return an error about an enemy in a hex."""
        return WrongBelief(
            seq=self.seq,
            week=self.view.week,
            faction=self.faction,
            hex=hex_,
            size=size,
            title=title,
            believed=believed,
            was=_truth_text(self.truth.get((hex_, foe), {}), power_names(self.scenario)[foe]),
        )


def _truth_text(true: Counts, foe: str) -> str:
    """Return what was really there, the largest ships first."""
    if not true:
        return phrase("In fact: no ships of {}", foe)
    weighted = [(kind, true[kind]) for kind in WEIGHTS if true.get(kind)]
    others = [(kind, count) for kind, count in true.items() if kind not in WEIGHTS]
    return phrase("In fact: {} of {}", strength_words((*weighted, *others)), foe)


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
