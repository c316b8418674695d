"""A campaign and its factions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.constraints import sha_check
from campaign.models.scenario import Scenario


class Campaign(models.Model):
    """A war.

    `ruleset`: {edition, options, rules_version, battles}; `battles`, how battles are fought (captains, online, table),
    is captains where it is absent; `single` where it is one battle and nothing else. `timetable`: see
    `campaign.services.timetable`. `seed` (32 bytes, hex) makes the dice and is secret until the end; its SHA-256 is
    public. `dice_key` stands for the campaign in the keys of its dice. `id_secret` (32 bytes, hex) makes the ids that
    players see and is never published. While `paused_at` is set, nothing falls due.
    """

    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=200)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="campaigns")
    ruleset = models.JSONField()
    timetable = models.JSONField()
    seed = models.CharField(max_length=64)
    seed_sha256 = models.CharField(max_length=64)
    dice_key = models.CharField(max_length=80)
    id_secret = models.CharField(max_length=64)
    head_branch = models.OneToOneField("Branch", on_delete=models.PROTECT, null=True, related_name="headed")
    forked_from = models.ForeignKey("Snapshot", on_delete=models.PROTECT, null=True, related_name="forks")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            sha_check("campaign", "seed_sha256"),
            models.CheckConstraint(
                condition=Q(seed__length=64, id_secret__length=64) & ~Q(seed=models.F("id_secret")),
                name="campaign_secrets_are_whole",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Faction(models.Model):
    """A power of the war; `key` is its id in the scenario.

    `admiral`: the character of the computer admiral that leads it where its players have sealed nothing; empty: the
    default orders. `seals_empty`: its players have chosen that sheets with nothing to decide are sealed for them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="factions")
    key = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    alliance = models.CharField(max_length=80, blank=True)
    admiral = models.CharField(max_length=80, blank=True)
    seals_empty = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("campaign", "key"), name="faction_one_of_a_key"),
            models.CheckConstraint(condition=~Q(key=""), name="faction_has_a_key"),
        )

    def __str__(self) -> str:
        return self.name
