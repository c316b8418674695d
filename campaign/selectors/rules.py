"""The version of the rules that a war uses in each week, and changes of it.

All of it is public. A change-over is an act (`campaign.models.ledger.RULES`) with facts {from, to,
week}, and takes effect at the beginning of that week. Of several for one week the last counts.
"""

from __future__ import annotations

from django.db.models import BigIntegerField, Q

from campaign.lineage import on_line
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import RULES, Act
from campaign.rules.rules_record import ChangeOver, RulesRecord, rules_record
from campaign.store.prepared import PreparedRows

RULES_ACTS = PreparedRows(
    lambda campaign, branch: Act.objects.filter(
        Q(stage__isnull=True) | on_line(branch, "stage__ordinal", "lt"),
        campaign_id=campaign,
        verb=RULES,
    ).order_by("pk"),
    parameters=(BigIntegerField(), BigIntegerField()),
    related=("actor",),
)


def rules_now(campaign: Campaign) -> RulesRecord:
    """Return the recorded rules of a war on its head branch."""
    branch = campaign.head_branch
    if branch is None:
        raise ValueError("a campaign has a branch")
    branch.campaign = campaign
    return rules_of(branch)


def rules_of(branch: Branch) -> RulesRecord:
    """Return the recorded rules of a war on the line of a branch."""
    change_overs = []
    for act in RULES_ACTS.rows(branch.campaign_id, branch.pk):
        facts = act.body["facts"]
        change_overs.append(
            ChangeOver(
                week=facts["week"],
                before=facts["from"],
                after=facts["to"],
                by=act.actor.get_username() if act.actor else "",
                at=act.at,
            )
        )
    return rules_record(branch.campaign.ruleset, change_overs)
