"""Battles that workers fight to answer a user's question about odds. No other user sees them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.kinds import SimulationEnd, SimulationKind, values_of
from campaign.models.constraints import one_of, sha_check


class Reckoning(models.Model):
    """A simulation: the battles that answer one question.

    Attributes:
        key: The hash of the question and of all else that decides its battles.
        wanted: How many battles are to be fought.
        fought: How many are over.
        samples: Their results, in order.
        until: How long the user waits for more; simulations without a waiting user stop.
        ending: Why they ended early.
        spent: Processor time in milliseconds.
        tries: How many times work was started since progress was last saved.
        pace: Battles in each step of the clock, decided by the first ones
            (`campaign.services.simulation_work`); 0 before.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reckonings"
    )
    public_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=64)
    question = models.JSONField()
    wanted = models.PositiveSmallIntegerField()
    fought = models.PositiveSmallIntegerField(default=0)
    samples = models.JSONField(default=list)
    until = models.DateTimeField()
    ending = models.CharField(max_length=16, blank=True)
    spent = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    pace = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="reckoning_once_a_question"),
            sha_check("reckoning", "key"),
            one_of("reckoning", "kind", values_of(SimulationKind)),
            one_of("reckoning", "ending", ("", *values_of(SimulationEnd))),
            models.CheckConstraint(
                condition=Q(fought__lte=F("wanted")), name="reckoning_fights_what_is_wanted"
            ),
        )
        indexes = (models.Index(fields=("until",), name="reckoning_by_until"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    @property
    def open(self) -> bool:
        """Return whether more of its battles are to be fought."""
        return not self.ending and self.fought < self.wanted
