"""Biggest misjudgements: what a faction thought stood at a place, against what stood there. Pure.

For when the war is over and its truth is open to all. A belief is what a faction's map showed: its
newest reading of a hex that no later one has taken back, and the systems it thought its own. Errors
are weighed by the ships by which they were wrong, a capital ship as four escorts and a cruiser as
two. Of one that stood for weeks its worst moment counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.queries import in_sight, in_truth, ships_by_fleet, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.web.chart import contacts_of, holds_of
from campaign.web.seat_marks import power_names
from campaign.words.sayings import counted, place_words, strength_words
from engine.core.phrase import phrase

WEIGHTS: Mapping[str, int] = {"capital": 4, "cruiser": 2, "escort": 1}
MOMENTS = (
    StageKind.ORDERS.value,
    StageKind.DECISIONS.value,
)  # those at which people decide by what they believe
MOST = 10
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WrongBelief:
    """An error.

    `seq`: of the moment; `faction`: who believed it; `size`: by how much it was wrong, in escorts.
    """

    seq: int
    week: int
    faction: str
    hex: str
    size: int
    title: str
    believed: str
    was: str


def greatest_errors(
    scenario: Scenario, moments: Iterable[tuple[int, World, Mapping[str, View]]], most: int = MOST
) -> tuple[WrongBelief, ...]:
    """The greatest errors of a war, the worst first, each place and foe once a faction.

    `moments`: the number of each with the world, and what every faction knew then.
    """
    worst: dict[tuple[str, str, str], WrongBelief] = {}
    for seq, world, views in moments:
        if world.stage not in MOMENTS:
            continue
        there = _standing(scenario, world)
        for faction, view in sorted(views.items()):
            for foe, error in _errors(scenario, seq, there, faction, view):
                key = (faction, error.hex, foe)
                if key not in worst or worst[key].size < error.size:
                    worst[key] = error
    return tuple(
        sorted(worst.values(), key=lambda one: (-one.size, one.seq, one.faction, one.hex))[:most]
    )


def _errors(
    scenario: Scenario, seq: int, there: Mapping[tuple[str, str], Counts], faction: str, view: View
) -> Iterator[tuple[str, WrongBelief]]:
    """What a faction has wrong at a moment, with the foe that it is about."""
    names = power_names(scenario)
    known = in_sight(scenario, view)
    read = set()
    for contact in contacts_of(known, view):
        if contact.gone:
            continue
        read.add((contact.hex, contact.faction))
        true = there.get((contact.hex, contact.faction), {})
        size = _apart(dict(contact.counts), true)
        if size:
            place, foe = place_words(scenario, contact.hex), names[contact.faction]
            aged = (
                phrase("read that week")
                if not contact.age
                else phrase("read in week {}", contact.week)
            )
            title = (
                phrase("Not what it seemed at {}", place)
                if true
                else phrase("No contact left at {}", place)
            )
            believed = phrase(
                "{} believed {} of {} there, {}", names[faction], contact.words, foe, aged
            )
            yield (
                contact.faction,
                WrongBelief(
                    seq, view.week, faction, contact.hex, size, title, believed, _was(true, foe)
                ),
            )
    side = side_of(scenario, faction)
    for hold in holds_of(known, view):
        if hold.power not in side:
            continue
        for (hex_, foe), true in sorted(there.items()):
            if hex_ == hold.hex and foe not in side and (hex_, foe) not in read:
                place = place_words(scenario, hex_)
                believed = phrase(
                    "{} thought it held by its own side, and read nobody there", names[faction]
                )
                error = WrongBelief(
                    *(seq, view.week, faction, hex_, _apart({}, true)),
                    *(phrase("Unseen at {}", place), believed, _was(true, names[foe])),
                )
                yield foe, error


def _was(true: Counts, foe: str) -> str:
    order = [(kind, true[kind]) for kind in WEIGHTS if true.get(kind)]
    others = [(kind, many) for kind, many in true.items() if kind not in WEIGHTS]
    return (
        phrase("In truth: {} of {}", strength_words((*order, *others)), foe)
        if true
        else phrase("In truth: nothing of {}", foe)
    )


def _apart(believed: Counts, true: Counts) -> int:
    kinds = {*believed, *true}
    return sum(
        WEIGHTS.get(kind, 1) * abs(believed.get(kind, 0) - true.get(kind, 0)) for kind in kinds
    )


def _standing(scenario: Scenario, world: World) -> dict[tuple[str, str], Counts]:
    """The ships of each faction at each hex by classification, without those in FTL space."""
    told, crews = in_truth(scenario, world), ships_by_fleet(world.ships)
    found: dict[tuple[str, str], dict[str, int]] = {}
    for fleet in world.fleets:
        if not fleet.in_ftl:
            here = found.setdefault((fleet.hex, fleet.faction), {})
            for kind, many in counted(told, crews.get(fleet.key, ())):
                here[kind] = here.get(kind, 0) + many
    return {place: counts for place, counts in found.items() if counts}
