"""Calls of the API that named an Idempotency-Key are remembered for a while, and then forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta

from campaign.models.account import IdempotentCall

REMEMBERED = timedelta(days=7)


def calls_forget(*, now: datetime) -> int:
    """Forget the answers older than a week; how many."""
    return IdempotentCall.objects.filter(created_at__lt=now - REMEMBERED).delete()[0]
