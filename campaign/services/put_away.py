"""Finished wars that a user has put away from their list of wars, and brings back."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from campaign.models.campaign import Membership


def war_put_away(*, user: AbstractBaseUser, campaign: uuid.UUID) -> None:
    """Put a user's war away; their list shows it folded away once it is over."""
    rows = Membership.objects.filter(user_id=user.pk, campaign__public_id=campaign)
    rows.filter(put_away_at__isnull=True).update(put_away_at=timezone.now())


def war_bring_back(*, user: AbstractBaseUser, campaign: uuid.UUID) -> None:
    """Bring back a war that a user has put away."""
    rows = Membership.objects.filter(user_id=user.pk, campaign__public_id=campaign)
    rows.update(put_away_at=None)
