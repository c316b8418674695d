"""What the newest checks of wars have found."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max, Sum

from campaign.models.check import Check


def newest_faulty(campaigns: Iterable[int]) -> dict[int, Check]:
    """Return the newest check of each of these wars that found a fault, by the war's primary key.

    A war whose newest check found none is not among them.
    """
    newest = Check.objects.filter(campaign__in=campaigns).values("campaign")
    keys = newest.annotate(last=Max("pk")).values("last")
    checks = {}
    for check in Check.objects.filter(pk__in=keys, faults__gt=0):
        checks[check.campaign_id] = check
    return checks


def faults_found() -> int:
    """Return how many faults the newest checks of all wars found."""
    newest = Check.objects.values("campaign").annotate(last=Max("pk")).values("last")
    total = Check.objects.filter(pk__in=newest).aggregate(faults=Sum("faults"))
    return total["faults"] or 0
