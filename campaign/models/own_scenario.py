"""Scenarios of a user's own: the file that he edits, what he opened campaigns of, how even computer
admirals find it.

Nobody else is offered any of it.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.kinds import BalanceEnd, values_of
from campaign.models.constraints import one_of, sha_check
from campaign.models.scenario import Scenario


class ScenarioDraft(models.Model):
    """A scenario file that its owner edits, lawful or not.

    `text` is its YAML, `faults` how many it had when kept.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="scenario_drafts"
    )
    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=120)
    edition = models.CharField(max_length=20, blank=True)
    text = models.TextField()
    faults = models.PositiveIntegerField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="scenario_draft_has_a_text"),
        )
        indexes = (models.Index(fields=("user", "name"), name="scenario_draft_by_name"),)

    def __str__(self) -> str:
        return self.name


class PrivateScenario(models.Model):
    """Marks a stored scenario as its owner's: he alone opens campaigns of it.

    It stays hidden when he is gone.
    """

    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, related_name="private")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="private_scenarios",
    )

    def __str__(self) -> str:
        return f"private: {self.scenario}"


class ScenarioBalance(models.Model):
    """Many wars of computer admirals in a scenario of one's own, as its file stood when they were
    asked for (`text`).

    `run` counts how often they were asked for. `war_sha256`: of all that decides these wars, the
    version of the rules included. `place`: which of the site's few places it holds while wars of it
    are played. `ending`: how its `wars` ended, `sought`: how the search for a handicap did; `side`:
    the faction that it makes stronger. `before`: the file before a handicap was applied,
    `after_sha256`: of the file that it then was.
    """

    draft = models.OneToOneField(ScenarioDraft, on_delete=models.CASCADE, related_name="balance")
    run = models.PositiveIntegerField(default=1)
    text = models.TextField()
    war_sha256 = models.CharField(max_length=64)
    wars = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField(null=True, unique=True)
    asked_at = models.DateTimeField()
    ending = models.CharField(max_length=16, blank=True)
    side = models.CharField(max_length=60, blank=True)
    sought = models.CharField(max_length=16, blank=True)
    before = models.TextField(blank=True)
    after_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (
            sha_check("scenario_balance", "war_sha256"),
            one_of("scenario_balance", "ending", ("", *values_of(BalanceEnd))),
            one_of("scenario_balance", "sought", ("", *values_of(BalanceEnd))),
            models.CheckConstraint(
                condition=Q(place__isnull=False) | ~Q(ending=""),
                name="scenario_balance_is_played_or_over",
            ),
        )

    def __str__(self) -> str:
        return f"balance of {self.draft}"


class BalancePart(models.Model):
    """A worker's part of such wars: those whose seeds leave the rest `number`.

    `step`: 0 for the scenario as it stands, else so much of a handicap.

    `played` of them are over: `counts` says how, as (result, winner or none, weeks, how many);
    `died`: seeds of those that could not be played. `spent`: milliseconds of processor time.
    `tries`: how often work was begun since it was last written down.
    """

    balance = models.ForeignKey(ScenarioBalance, on_delete=models.CASCADE, related_name="parts")
    step = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    played = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=list)
    died = models.JSONField(default=list)
    spent = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("balance", "step", "number"), name="balance_part_once_a_step"
            ),
        )

    def __str__(self) -> str:
        return f"{self.balance}: step {self.step}, part {self.number}"
