"""Odds of an imagined meeting with hostile forces: the stored question and its battles.

Everything is derived from the faction's view, read again as it was shown, and from the published
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
from campaign.rules.foreign_classes import ForeignClass, fully_scanned_classes
from campaign.rules.queries import ship_classes, with_classes, with_known_designs
from campaign.rules.scenario import ShipClass
from campaign.services.foreign_classes import classes_in_battle
from campaign.sight.reports import BattleSummary, list_battles, read_battle_report
from campaign.sight.views import Sight, sight_after
from campaign.store.documents import scenario_of
from engine.core.cache import Cache
from engine.core.phrase import phrase

MAX_BATTLES = 159  # for one meeting

# Keys: campaign, faction, hash of the view and its seq; or faction, battle and seq of its report.
_beliefs: Cache[tuple[str, str, str, int], Belief] = Cache(32)
_estimates: Cache[str, tuple[Estimate | None]] = Cache(256)  # by the key of the question
_encounters: Cache[tuple[int, str, int], tuple[EncounteredClass, ...]] = Cache(1024)


def belief_of(campaign: Campaign, faction: Faction, sight: Sight) -> Belief:
    """Return what a faction can believe from a view and the reports of battles up to then."""

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
    """Return the classes a faction met in battles whose reports it had by then.

    Args:
        seq: Number of the faction's view that says when.
    """
    classes: list[EncounteredClass] = []
    for _, encounters in _battles_until(campaign, faction, seq):
        classes += encounters
    return classes


def encounters_by_week(
    campaign: Campaign, faction: Faction, seq: int
) -> list[tuple[int, EncounteredClass]]:
    """Return the same classes, each with the week of its battle."""
    result = []
    for battle, encounters in _battles_until(campaign, faction, seq):
        result += [(battle.week, encounter) for encounter in encounters]
    return result


def foreign_designs(campaign: Campaign, faction: Faction, seq: int) -> tuple[ShipClass, ...]:
    """Return other factions' own classes whose complete record sheets a faction saw in battles.

    Only battles with a report by then count. Sheets are read only for battles in which the faction
    met a class that is not published.
    """
    scenario = scenario_of(campaign)
    published = ship_classes(scenario)
    classes: list[ForeignClass] = []
    for battle, encounters in _battles_until(campaign, faction, seq):
        if any(encounter.cls not in published for encounter in encounters):
            classes += classes_in_battle(campaign, faction, battle.id)
    return fully_scanned_classes(scenario, classes)


def _battles_until(
    campaign: Campaign, faction: Faction, seq: int
) -> Iterator[tuple[BattleSummary, tuple[EncounteredClass, ...]]]:
    """Yield the battles whose reports a faction had by then, each with the classes it met."""
    for battle in list_battles(campaign, faction):
        if battle.seq <= seq:
            encounters = _encounters.get_or_make(
                (faction.pk, battle.id, battle.seq),
                partial(_encounters_in, campaign, faction, battle),
            )
            yield battle, encounters


def _encounters_in(
    campaign: Campaign, faction: Faction, battle: BattleSummary
) -> tuple[EncounteredClass, ...]:
    """Read the classes that a faction met from the report of a battle."""
    _, _, body = read_battle_report(campaign, faction, battle.id)
    return classes_in_report(body, battle.hex)


def meeting_question(
    campaign: Campaign, faction: Faction, sight: Sight, question: Question, rules: str
) -> dict[str, Any]:
    """Return a question as stored.

    Args:
        rules: Version of the rules by which its battles are fought.
    """
    return {
        "campaign": str(campaign.public_id),
        "faction": faction.key,
        "seq": sight.seq,
        "view": sight.etag,
        "rules": rules,
        "asked": asdict(question) | {"fleets": list(question.fleets)},
    }


def meeting_battles(document: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """Return a function that fights the question's battle of a given number.

    Its result is [result, share lost, share the others lost, whether a battle was fought, whether a
    fleet was there].

    Raises:
        NotFound: The faction was shown another view than the question names.
    """
    belief, question = _restore_question(document)

    def fight_battle(number: int) -> list[Any]:
        (sample,) = fight_samples(belief, question, (number,), document["rules"])
        return [sample.result, sample.mine, sample.theirs, sample.was_fought, sample.fleet]

    return fight_battle


def estimate_for(document: Mapping[str, Any], key: str) -> Estimate | None:
    """Estimate a question from strengths alone, to show before its first battle is fought.

    Args:
        key: Key of the question's row.

    Returns:
        None if strengths say nothing.

    Raises:
        NotFound: The faction was shown another view than the question names.
    """

    def build() -> tuple[Estimate | None]:
        belief, question = _restore_question(document)
        return (estimate(belief, question),)

    (result,) = _estimates.get_or_make(key, build)
    return result


def _restore_question(document: Mapping[str, Any]) -> tuple[Belief, Question]:
    """Restore the belief at the time of a question, and the question. Raises NotFound."""
    faction = Faction.objects.select_related("campaign__scenario").get(
        campaign__public_id=document["campaign"], key=document["faction"]
    )
    past_sight = sight_after(faction.campaign, faction, document["seq"])
    if past_sight.etag != document["view"]:
        raise NotFound(phrase("there is no such view"))
    stored_question = document["asked"]
    fleets = tuple(stored_question["fleets"])
    question = Question(**(stored_question | {"fleets": fleets}))
    return belief_of(faction.campaign, faction, past_sight), question


def results_of(samples: Sequence[Sequence[Any]]) -> list[SampleResult]:
    """Restore results of battles from stored samples."""
    return [SampleResult(*sample) for sample in samples]
