"""Battles that workers fight for somebody who wants to know his odds, and what came of them.

Nobody else sees it.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.kinds import SimulationEnd, SimulationKind, values_of
from campaign.models.constraints import one_of, sha_check


class Reckoning(models.Model):
    """The battles of one question.

    `key`: the hash of the question and of what else decides its battles.

    `fought` of the `wanted` ones are over, `samples` says how, in their order. `until`: how long
    somebody waits for more; who has gone needs none. `ending`: what ended them early. `spent`:
    milliseconds of processor time. `tries`: how often work was begun since it was last written
    down. `pace`: battles fought in each step of the clock, decided by the first ones
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
        """Whether more of its battles are to be fought."""
        return not self.ending and self.fought < self.wanted
