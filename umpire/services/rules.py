"""The host changes a war over to newer rules. It counts from the beginning of the next week on: never within a battle.

The act says versions and a week, nothing else, and stands under the ledger row of the stage in which it is done.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.models.campaign import Campaign
from campaign.models.ledger import RULES
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.rules import RulesRecord, rules_of
from campaign.services.acts import act_write, stage_needed
from campaign.services.seats import campaign_held
from campaign.stored import scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.versions import PLAYED, newer
from umpire.services.control import keeper

SINGLE = "a single battle keeps the rules it began with"
LAST_WEEK = "the last week of the war has begun: it keeps its rules to the end"


def change_refused(campaign: Campaign, week: int) -> str:
    """Why the rules cannot be changed over in a week; empty where they can."""
    scenario = scenario_of(campaign)
    if is_skirmish(scenario):
        return SINGLE
    return LAST_WEEK if week >= scenario.weeks else ""


def rules_change(
    *, viewer: Viewer, version: str, stage: int | None = None, reason: str = "", now: datetime | None = None
) -> RulesRecord:
    """Have the war played by another version from its next week on; the record after it. Again the same: nothing.

    The version in force takes back a change that is still to come. `stage`: the ordinal of the stage that is meant.
    Raises NotThere for other than hosts and umpires, RuleViolations, NotAllowed, NotStarted, AlreadyOver,
    StageIsClosed.
    """
    moment = keeper(viewer, now)
    with transaction.atomic():
        campaign = campaign_held(viewer.campaign)
        held = stage_needed(campaign, stage)
        if words := change_refused(campaign, held.week):
            raise NotAllowed(words)
        record, first = rules_of(campaign), held.week + 1
        known = record.at(held.week)
        if version not in PLAYED:
            words = f"no rules {version!r}; known: {', '.join(PLAYED)}"
            raise RuleViolations([Violation("version", "unknown-rules", words)])
        if newer(known, version):
            words = f"the war is played by the rules {known}: it does not go back to {version}"
            raise RuleViolations([Violation("version", "older-rules", words)])
        if record.at(first) != version:
            act_write(
                campaign=campaign,
                stage=held,
                actor=viewer.user,
                verb=RULES,
                facts={"from": known, "to": version, "week": first},
                reason=reason,
                now=moment,
            )
    return rules_of(campaign)
