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
from campaign.errors import NotThere
from campaign.models.campaign import Campaign, Faction
from campaign.rules.classes_met import ClassMet, met_in_battle
from campaign.rules.foreign_classes import designs_read
from campaign.rules.queries import furnished, in_sight, ship_classes
from campaign.rules.scenario import ShipClass
from campaign.services.foreign_classes import read_in_a_battle
from campaign.sight.reports import BattleTold, battle_read, battles_told
from campaign.sight.views import Sight, sight_then
from campaign.store.documents import scenario_of
from engine.core.cache import Cache
from engine.core.phrase import phrase

MOST_BATTLES = 159  # fought of one meeting

# By campaign, faction, hash of the View and the seq it came with; and by faction and battle what
# its report told.
_beliefs: Cache[tuple[str, str, str, int], Belief] = Cache(32)
_estimates: Cache[str, tuple[Estimate | None]] = Cache(256)  # by the key of their question
_met: Cache[tuple[int, str, int], tuple[ClassMet, ...]] = Cache(1024)


def belief_of(campaign: Campaign, faction: Faction, sight: Sight) -> Belief:
    """All that a faction's View, and the reports of its battles until then, let it believe."""

    def made() -> Belief:
        scenario = furnished(
            in_sight(scenario_of(campaign), sight.view),
            foreign_designs(campaign, faction, sight.seq),
        )
        return Belief(scenario, sight.view, classes_met(campaign, faction, sight.seq))

    return _beliefs.made((str(campaign.public_id), faction.key, sight.etag, sight.seq), made)


def classes_met(campaign: Campaign, faction: Faction, seq: int) -> list[ClassMet]:
    """The classes that a faction has met in the battles of which it was told by then."""
    return [one for _, met in _battles_until(campaign, faction, seq) for one in met]


def foreign_designs(campaign: Campaign, faction: Faction, seq: int) -> tuple[ShipClass, ...]:
    """The classes of others' own design whose whole record sheets a faction was handed in battles
    that were over and told by then. Sheets are read only of battles in which it met such a class.
    """
    scenario = scenario_of(campaign)
    published = ship_classes(scenario)
    return designs_read(
        scenario,
        (
            one
            for told, met in _battles_until(campaign, faction, seq)
            if any(item.cls not in published for item in met)
            for one in read_in_a_battle(campaign, faction, told.id)
        ),
    )


def _battles_until(
    campaign: Campaign, faction: Faction, seq: int
) -> Iterator[tuple[BattleTold, tuple[ClassMet, ...]]]:
    """The battles of which a faction was told by then, each with the classes it met there."""
    for told in battles_told(campaign, faction):
        if told.seq <= seq:
            yield (
                told,
                _met.made(
                    (faction.pk, told.id, told.seq), partial(_met_in, campaign, faction, told)
                ),
            )


def _met_in(campaign: Campaign, faction: Faction, told: BattleTold) -> tuple[ClassMet, ...]:
    return met_in_battle(battle_read(campaign, faction, told.id)[2], told.hex)


def meeting_asked(
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


def meeting_battles(asked: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """The battles of a question by their numbers, each as [result, share lost, share they lost,
    anybody met, a fleet was there].

    Raises NotThere where the faction was shown another View than the one it asked by.
    """
    belief, question = _asked_by(asked)

    def battle(number: int) -> list[Any]:
        (sample,) = fight_samples(belief, question, (number,), asked["rules"])
        return [sample.result, sample.mine, sample.theirs, sample.met, sample.fleet]

    return battle


def estimated(asked: Mapping[str, Any], key: str) -> Estimate | None:
    """What strengths alone tell of a question, for who waits for its first battle; None where they
    tell nothing. `key`: of the question's row. Raises NotThere as above.
    """
    return _estimates.made(key, lambda: (estimate(*_asked_by(asked)),))[0]


def _asked_by(asked: Mapping[str, Any]) -> tuple[Belief, Question]:
    """What was believed when a question was asked, and the question. Raises NotThere as above."""
    faction = Faction.objects.select_related("campaign__scenario").get(
        campaign__public_id=asked["campaign"], key=asked["faction"]
    )
    seen = sight_then(faction.campaign, faction, asked["seq"])
    if seen.etag != asked["view"]:
        raise NotThere(phrase("there is no such view"))
    question = Question(**(asked["asked"] | {"fleets": tuple(asked["asked"]["fleets"])}))
    return belief_of(faction.campaign, faction, seen), question


def results_of(samples: Sequence[Sequence[Any]]) -> list[SampleResult]:
    """What came of battles, read back."""
    return [SampleResult(*sample) for sample in samples]
