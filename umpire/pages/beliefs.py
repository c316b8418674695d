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
from campaign.web.chart import chart_contacts, chart_systems
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
        there = _ships_by_place(scenario, world)
        for faction, view in sorted(views.items()):
            for foe, error in _errors(scenario, seq, there, faction, view):
                key = (faction, error.hex, foe)
                if key not in worst or worst[key].size < error.size:
                    worst[key] = error
    return tuple(
        sorted(worst.values(), key=lambda item: (-item.size, item.seq, item.faction, item.hex))[
            :most
        ]
    )


def _errors(
    scenario: Scenario, seq: int, there: Mapping[tuple[str, str], Counts], faction: str, view: View
) -> Iterator[tuple[str, WrongBelief]]:
    """Yield a faction's errors at a moment, each with the enemy it concerns."""
    names = power_names(scenario)
    visible = with_known_designs(scenario, view)
    checked = set()
    for contact in chart_contacts(visible, view):
        if contact.is_gone:
            continue
        checked.add((contact.hex, contact.faction))
        true = there.get((contact.hex, contact.faction), {})
        size = _difference(dict(contact.counts), true)
        if size:
            place = place_words(scenario, contact.hex)
            foe = names[contact.faction]
            if not contact.age:
                aged = phrase("scanned that week")
            else:
                aged = phrase("scanned in week {}", contact.week)
            if true:
                title = phrase("Not what it seemed at {}", place)
            else:
                title = phrase("No contact left at {}", place)
            believed = phrase(
                "{} believed that {} of {} were there, {}", names[faction], contact.words, foe, aged
            )
            yield (
                contact.faction,
                WrongBelief(
                    seq,
                    view.week,
                    faction,
                    contact.hex,
                    size,
                    title,
                    believed,
                    _truth_text(true, foe),
                ),
            )
    side = side_of(scenario, faction)
    for hold in chart_systems(visible, view):
        if hold.power not in side:
            continue
        for (hex_, foe), true in sorted(there.items()):
            if hex_ == hold.hex and foe not in side and (hex_, foe) not in checked:
                place = place_words(scenario, hex_)
                believed = phrase(
                    "{} thought its own side held it, and found nobody there", names[faction]
                )
                error = WrongBelief(
                    *(seq, view.week, faction, hex_, _difference({}, true)),
                    *(phrase("Undetected at {}", place), believed, _truth_text(true, names[foe])),
                )
                yield foe, error


def _truth_text(true: Counts, foe: str) -> str:
    order = [(kind, true[kind]) for kind in WEIGHTS if true.get(kind)]
    others = [(kind, count) for kind, count in true.items() if kind not in WEIGHTS]
    if true:
        return phrase("In fact: {} of {}", strength_words((*order, *others)), foe)
    return phrase("In fact: no ships of {}", foe)


def _difference(believed: Counts, true: Counts) -> int:
    kinds = {*believed, *true}
    return sum(
        WEIGHTS.get(kind, 1) * abs(believed.get(kind, 0) - true.get(kind, 0)) for kind in kinds
    )


def _ships_by_place(scenario: Scenario, world: World) -> dict[tuple[str, str], Counts]:
    """Return each faction's ships in each hex by classification, without those in FTL space."""
    truth = with_all_designs(scenario, world)
    ships_of = ships_by_fleet(world.ships)
    result: dict[tuple[str, str], dict[str, int]] = {}
    for fleet in world.fleets:
        if not fleet.in_ftl:
            here = result.setdefault((fleet.hex, fleet.faction), {})
            for kind, count in count_by_classification(truth, ships_of.get(fleet.key, ())):
                here[kind] = here.get(kind, 0) + count
    return {place: counts for place, counts in result.items() if counts}
