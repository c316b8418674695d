"""The odds of meetings as a player was shown them last before sealing the decisions.

They are stored with the draft of the decisions, which nobody but its faction reads. The result of a
battle is shown beside them.
"""

from __future__ import annotations

from typing import TypedDict

from django.contrib.auth.models import AbstractBaseUser

from campaign.belief.meetings import Question
from campaign.belief.odds import odds_of
from campaign.kinds import SimulationKind, StageKind
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Draft, Stage
from campaign.selectors.envelopes import OF_BATTLE_STAGE
from campaign.selectors.rules import rules_now
from campaign.services.meetings import meeting_question, results_of
from campaign.services.simulations import simulation_of
from campaign.sight.views import Sight


class ShownOdds(TypedDict):
    """The odds of a meeting: how many battles were simulated, and how many of them won."""

    hex: str
    toward: str
    won: int
    runs: int


def shown_odds_keep(
    *, user: AbstractBaseUser, campaign: Campaign, faction: Faction, stage: Stage, sight: Sight
) -> None:
    """Store the odds that the page of decisions showed a player last, for each meeting.

    Args:
        sight: What the faction knows in this stage.
    """
    rules = rules_now(campaign).version_in(sight.view.week)
    kept: list[ShownOdds] = []
    for item in sight.view.open_decisions:
        question = Question(hex=item.hex, toward=item.toward)
        document = meeting_question(campaign, faction, sight, question, rules)
        row = simulation_of(user, SimulationKind.MEETING, document)
        odds = odds_of([] if row is None else results_of(row.samples))
        if odds.runs:
            kept.append(ShownOdds(hex=item.hex, toward=item.toward, won=odds.wins, runs=odds.runs))
    Draft.objects.filter(stage=stage, faction=faction).update(shown_odds=kept or None)


def shown_odds_of(campaign: Campaign, faction: Faction, week: int) -> list[ShownOdds]:
    """Return the odds that a faction was shown before it sealed the decisions of a week."""
    drafts = Draft.objects.filter(
        faction=faction, stage__week=week, stage__kind=StageKind.DECISIONS
    )
    on_branch = played_on_line(drafts, campaign.head_branch_id, *OF_BATTLE_STAGE)
    newest = on_branch.order_by("-stage__ordinal").first()
    return [] if newest is None else list(newest.shown_odds or ())
