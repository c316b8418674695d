"""Meetings with others as a player may imagine them: the question as it is written down, and its battles.

All of it is made of his View, which is read anew as it was shown to him, and of the published scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question
from campaign.belief.odds import Imagined, imagine
from campaign.errors import NotThere
from campaign.models.campaign import Campaign, Faction
from campaign.process_cache import ProcessCache
from campaign.rules.queries import in_sight
from campaign.sight import Sight, sight_then
from campaign.stored import scenario_of
from engine.core.phrase import phrase

MOST_BATTLES = 159  # fought of one meeting

_beliefs: ProcessCache[tuple[str, str, str], Belief] = ProcessCache(32)  # by campaign, faction and hash of the View


def belief_of(campaign: Campaign, faction: Faction, sight: Sight) -> Belief:
    """All that a faction's View lets it believe."""
    return _beliefs.made(
        (str(campaign.public_id), faction.key, sight.etag),
        lambda: Belief(in_sight(scenario_of(campaign), sight.view), sight.view),
    )


def meeting_asked(campaign: Campaign, faction: Faction, sight: Sight, question: Question, rules: str) -> dict[str, Any]:
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
    """The battles of a question by their numbers, each as [result, share lost, share they lost, anybody met].

    Raises NotThere where the faction was shown another View than the one it asked by.
    """
    faction = Faction.objects.select_related("campaign__scenario").get(
        campaign__public_id=asked["campaign"], key=asked["faction"]
    )
    seen = sight_then(faction.campaign, faction, asked["seq"])
    if seen.etag != asked["view"]:
        raise NotThere(phrase("there is no such view"))
    belief = belief_of(faction.campaign, faction, seen)
    question = Question(**(asked["asked"] | {"fleets": tuple(asked["asked"]["fleets"])}))

    def battle(number: int) -> list[Any]:
        (sample,) = imagine(belief, question, (number,), asked["rules"])
        return [sample.result, sample.mine, sample.theirs, sample.met]

    return battle


def imagined_of(samples: Sequence[Sequence[Any]]) -> list[Imagined]:
    """What came of battles, read back."""
    return [Imagined(*sample) for sample in samples]
