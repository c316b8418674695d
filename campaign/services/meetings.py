"""Meetings with others as a player may imagine them: the question as it is written down, and its
battles.

All of it is made of his View, which is read anew as it was shown to him, and of the published
scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from campaign.belief.estimate import Estimate, estimate
from campaign.belief.forces import Belief
from campaign.belief.meetings import Question
from campaign.belief.odds import SampleResult, fight_samples
from campaign.errors import NotFound
from campaign.models.campaign import Campaign, Faction
from campaign.rules.encountered_classes import EncounteredClass, classes_in_report
from campaign.rules.foreign_classes import fully_scanned_classes
from campaign.rules.queries import ship_classes, with_classes, with_known_designs
from campaign.rules.scenario import ShipClass
from campaign.services.foreign_classes import classes_in_battle
from campaign.sight.reports import BattleSummary, list_battles, read_battle_report
from campaign.sight.views import Sight, sight_after
from campaign.store.documents import scenario_of
from engine.core.cache import Cache
from engine.core.phrase import phrase

MOST_BATTLES = 159  # fought of one meeting

# By campaign, faction, hash of the View and the seq it came with; and by faction and battle what
# its report told.
_beliefs: Cache[tuple[str, str, str, int], Belief] = Cache(32)
_estimates: Cache[str, tuple[Estimate | None]] = Cache(256)  # by the key of their question
_encounters: Cache[tuple[int, str, int], tuple[EncounteredClass, ...]] = Cache(1024)


def belief_of(campaign: Campaign, faction: Faction, sight: Sight) -> Belief:
    """All that a faction's View, and the reports of its battles until then, let it believe."""

    def build() -> Belief:
        scenario = with_classes(
            with_known_designs(scenario_of(campaign), sight.view),
            foreign_designs(campaign, faction, sight.seq),
        )
        return Belief(scenario, sight.view, encountered_classes(campaign, faction, sight.seq))

    return _beliefs.get_or_make(
        (str(campaign.public_id), faction.key, sight.etag, sight.seq), build
    )


def encountered_classes(campaign: Campaign, faction: Faction, seq: int) -> list[EncounteredClass]:
    """The classes that a faction has met in the battles of which it was told by then."""
    return [
        encounter
        for _, encounters in _battles_until(campaign, faction, seq)
        for encounter in encounters
    ]


def foreign_designs(campaign: Campaign, faction: Faction, seq: int) -> tuple[ShipClass, ...]:
    """The classes of others' own design whose whole record sheets a faction was handed in battles
    that were over and told by then. Sheets are read only of battles in which it met such a class.
    """
    scenario = scenario_of(campaign)
    published = ship_classes(scenario)
    return fully_scanned_classes(
        scenario,
        (
            foreign
            for battle, encounters in _battles_until(campaign, faction, seq)
            if any(item.cls not in published for item in encounters)
            for foreign in classes_in_battle(campaign, faction, battle.id)
        ),
    )


def _battles_until(
    campaign: Campaign, faction: Faction, seq: int
) -> Iterator[tuple[BattleSummary, tuple[EncounteredClass, ...]]]:
    """The battles of which a faction was told by then, each with the classes it met there."""
    for battle in list_battles(campaign, faction):
        if battle.seq <= seq:
            yield (
                battle,
                _encounters.get_or_make(
                    (faction.pk, battle.id, battle.seq),
                    partial(_encounters_in, campaign, faction, battle),
                ),
            )


def _encounters_in(
    campaign: Campaign, faction: Faction, battle: BattleSummary
) -> tuple[EncounteredClass, ...]:
    return classes_in_report(read_battle_report(campaign, faction, battle.id)[2], battle.hex)


def meeting_question(
    campaign: Campaign, faction: Faction, sight: Sight, question: Question, rules: str
) -> dict[str, Any]:
    """A question as it is written down. `rules`: the version its battles are fought by."""
    return {
        "campaign": str(campaign.public_id),
        "faction": faction.key,
        "seq": sight.seq,
        "view": sight.etag,
        "rules": rules,
        "asked": asdict(question) | {"fleets": list(question.fleets)},
    }


def meeting_battles(document: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """The battles of a question by their numbers, each as [result, share lost, share they lost,
    anybody met, a fleet was there].

    Raises NotThere where the faction was shown another View than the one it asked by.
    """
    belief, question = _belief_and_question(document)

    def battle(number: int) -> list[Any]:
        (sample,) = fight_samples(belief, question, (number,), document["rules"])
        return [sample.result, sample.mine, sample.theirs, sample.was_fought, sample.fleet]

    return battle


def estimate_for(document: Mapping[str, Any], key: str) -> Estimate | None:
    """What strengths alone tell of a question, for who waits for its first battle; None where they
    tell nothing. `key`: of the question's row. Raises NotThere as above.
    """
    return _estimates.get_or_make(key, lambda: (estimate(*_belief_and_question(document)),))[0]


def _belief_and_question(document: Mapping[str, Any]) -> tuple[Belief, Question]:
    """What was believed when a question was asked, and the question. Raises NotThere as above."""
    faction = Faction.objects.select_related("campaign__scenario").get(
        campaign__public_id=document["campaign"], key=document["faction"]
    )
    past_sight = sight_after(faction.campaign, faction, document["seq"])
    if past_sight.etag != document["view"]:
        raise NotFound(phrase("there is no such view"))
    question = Question(**(document["asked"] | {"fleets": tuple(document["asked"]["fleets"])}))
    return belief_of(faction.campaign, faction, past_sight), question


def results_of(samples: Sequence[Sequence[Any]]) -> list[SampleResult]:
    """What came of battles, read back."""
    return [SampleResult(*sample) for sample in samples]
