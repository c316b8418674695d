"""Battles that workers fight to answer a user's question about odds. No other user sees them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.kinds import SimulationEnd, SimulationKind, values_of
from campaign.models.constraints import one_of, sha_check


class Simulation(models.Model):
    """A simulation: the battles that answer one question.

    Attributes:
        key: The hash of the question and of all else that decides its battles.
        battles_wanted: How many battles are to be fought.
        battles_done: How many are over.
        samples: Their results, in order.
        until: How long the user waits for more; simulations without a waiting user stop.
        ending: Why they ended early.
        milliseconds_used: Processor time in milliseconds.
        tries: How many times work was started since progress was last saved.
        pace: Battles in each step of the clock, decided by the first ones
            (`campaign.services.simulation_work`); 0 before.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="simulations"
    )
    public_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=64)
    question = models.JSONField()
    battles_wanted = models.PositiveSmallIntegerField()
    battles_done = models.PositiveSmallIntegerField(default=0)
    samples = models.JSONField(default=list)
    until = models.DateTimeField()
    ending = models.CharField(max_length=16, blank=True)
    milliseconds_used = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    pace = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="simulation_once_a_question"),
            sha_check("simulation", "key"),
            one_of("simulation", "kind", values_of(SimulationKind)),
            one_of("simulation", "ending", ("", *values_of(SimulationEnd))),
            models.CheckConstraint(
                condition=Q(battles_done__lte=F("battles_wanted")),
                name="simulation_done_at_most_wanted",
            ),
        )
        indexes = (models.Index(fields=("until",), name="simulation_by_until"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    @property
    def open(self) -> bool:
        """Return whether more of its battles are to be fought."""
        return not self.ending and self.battles_done < self.battles_wanted
