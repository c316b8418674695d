"""Scenarios that users wrote: the file being edited, the version they play, and its balance.

No other user is offered any of them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.kinds import BalanceEnd, values_of
from campaign.models.constraints import one_of, sha_check
from campaign.models.scenario import Scenario


class ScenarioDraft(models.Model):
    """A scenario file that its owner edits, valid or not.

    Attributes:
        text: The YAML.
        faults: How many faults it had when it was saved.
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
    """A mark that a stored scenario is private: only its owner can open campaigns from it.

    It stays hidden after the owner's account is deleted.
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
    """A series of wars between computer admirals in a user's own scenario.

    Attributes:
        run: How many times such a series was requested.
        text: The scenario file at the time of the request.
        war_sha256: The hash of all inputs of these wars, including the version of the rules.
        place: Which of the site's few places it holds while its wars are played.
        ending: How its `wars` ended.
        handicap_ending: How the search for a handicap ended.
        side: The faction that the handicap makes stronger.
        before: The file before a handicap was applied.
        after_sha256: The hash of the file with the handicap.
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
    handicap_ending = models.CharField(max_length=16, blank=True)
    before = models.TextField(blank=True)
    after_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (
            sha_check("scenario_balance", "war_sha256"),
            one_of("scenario_balance", "ending", ("", *values_of(BalanceEnd))),
            one_of("scenario_balance", "handicap_ending", ("", *values_of(BalanceEnd))),
            models.CheckConstraint(
                condition=Q(place__isnull=False) | ~Q(ending=""),
                name="scenario_balance_is_played_or_over",
            ),
        )

    def __str__(self) -> str:
        return f"balance of {self.draft}"


class BalancePart(models.Model):
    """One worker's share of the wars of a balance: those whose seeds leave the remainder `number`.

    Attributes:
        step: 0 for the scenario as written, else the size of the handicap in steps.
        played: How many of its wars are over.
        counts: Their results: (result, winner or null, weeks, number of wars).
        failed_seeds: Seeds of wars that could not be played.
        milliseconds_used: Processor time in milliseconds.
        tries: How many times work was started since progress was last saved.
    """

    balance = models.ForeignKey(ScenarioBalance, on_delete=models.CASCADE, related_name="parts")
    step = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    played = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=list)
    failed_seeds = models.JSONField(default=list)
    milliseconds_used = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("balance", "step", "number"), name="balance_part_once_a_step"
            ),
        )

    def __str__(self) -> str:
        return f"{self.balance}: step {self.step}, part {self.number}"
