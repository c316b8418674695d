"""Proposals to change a war, on which its sides vote. Everybody in the war may read them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.kinds import ProposalKind, ProposalState
from campaign.models.campaign import Campaign, Faction
from campaign.models.constraints import one_of


class Proposal(models.Model):
    """A proposal that needs the consent of every side with players.

    Attributes:
        body: What is proposed. For a rollback {schema, head, to, dice, reason}; `head` and `to`
            name a snapshot as "<branch>-<seq>". For an umpire {schema, user, name}. For a fork
            {schema, from, week, stage, name, play, admirals}; `from` names the stage as
            "<branch>-<ordinal>", and `war` is added when the fork has been created: its public id.
            For a reveal {schema, war, name}: id and name of the war whose story is published.
        closes: Sides that have not answered by then have not consented.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=16)
    body = models.JSONField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    opened_at = models.DateTimeField()
    closes = models.DateTimeField()
    state = models.CharField(max_length=16, default=ProposalState.OPEN)

    class Meta:
        constraints = (
            one_of("proposal", "kind", tuple(ProposalKind)),
            one_of("proposal", "state", tuple(ProposalState)),
            models.UniqueConstraint(
                fields=("campaign",),
                condition=Q(state=ProposalState.OPEN),
                name="proposal_one_open_a_campaign",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.campaign_id} ({self.state})"


class Consent(models.Model):
    """A side's answer to a proposal, given once by one of its players."""

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="consents")
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="consents")
    answer = models.BooleanField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("proposal", "faction"), name="consent_once_a_faction"),
        )

    def __str__(self) -> str:
        return f"{self.faction_id}: {self.answer}"
