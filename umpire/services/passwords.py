"""A link by which a player who lost his password chooses a new one. It works once and not for long."""

from __future__ import annotations

from datetime import datetime

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth import get_user_model
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign import models
from campaign.access import Viewer, need
from campaign.errors import NotAllowed, NotThere
from campaign.models.campaign import UMPIRE
from campaign.models.ledger import PASSWORD_LINK
from campaign.services.acts import act_write, stage_held


def password_link(*, viewer: Viewer, username: str, reason: str = "", now: datetime | None = None) -> str:
    """The path of a link for a user of this campaign; it is shown to its umpire and stored nowhere.

    For umpires alone: whoever holds the link can log in as that player, and nobody else may see his papers. So it is
    also refused for an account that is seated where this umpire is not the umpire, or that runs the server. Raises
    NotThere, NotAllowed.
    """
    campaign = need(viewer, umpire=True).campaign
    users = get_user_model()._default_manager.filter(memberships__campaign=campaign, username=username)
    user = users.distinct().first()
    if user is None:
        raise NotThere("there is no such player")
    own = models.Membership.objects.filter(user_id=viewer.user.pk, role=UMPIRE).values("campaign_id")
    elsewhere = models.Membership.objects.filter(user_id=user.pk).exclude(campaign_id__in=own)
    if user.is_staff or user.is_superuser or elsewhere.exists():
        raise NotAllowed("only the person who runs the server can reset the password of this account")
    with transaction.atomic():
        act_write(
            campaign=campaign,
            stage=stage_held(campaign),
            actor=viewer.user,
            verb=PASSWORD_LINK,
            facts={"names": [user.get_username()]},
            reason=reason,
            now=now or timezone.now(),
        )
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
