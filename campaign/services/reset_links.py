"""Password reset links whose mail could not be sent at once: the outbox tries again.

The row holds no link. The link is made when the mail is sent, so nothing stored opens an account.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from smtplib import SMTPException

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation

from campaign.models.account import Notification
from campaign.services.answers import ACCEPTED, REFUSED, DeliveryResult
from campaign.services.mails import mail_headers
from campaign.services.preferences import preference_of
from campaign.words.languages import in_language
from engine.core.phrase import phrase

KEY_PREFIX = "password-reset/"  # of the keys of these rows in the outbox
SUBJECT = phrase("Your new password")
TEXT = phrase(
    "Somebody asked for a new password for your account {}. If it was not you, do nothing.\n\n"
    "Choose a new password:\n{}"
)


def reset_links_queue(*, users: Iterable[AbstractBaseUser], now: datetime) -> None:
    """Write an outbox row for each user who is to get a reset link by mail."""
    rows = []
    for user in users:
        rows.append(
            Notification(
                user_id=user.pk,
                dedupe_key=f"{KEY_PREFIX}{user.pk}/{now:%Y%m%dT%H%M%S}",
                body=SUBJECT,
                due_at=now,
            )
        )
    Notification.objects.bulk_create(rows, ignore_conflicts=True)


def is_reset_link(row: Notification) -> bool:
    """Return whether an outbox row is for a password reset link."""
    return row.dedupe_key.startswith(KEY_PREFIX)


def reset_link_send(*, user: AbstractBaseUser, address: str) -> DeliveryResult:
    """Mail a password reset link, valid from now on, in the user's language."""
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), token])
    with translation.override(preference_of(user).message_language):
        subject = in_language(SUBJECT)
        text = in_language(TEXT.format(user.get_username(), f"{settings.SITE_URL}{path}"))
    try:
        EmailMessage(subject, f"{text}\n", to=[address], headers=mail_headers()).send()
    except (SMTPException, OSError):  # still unreachable: the outbox tries again
        return REFUSED
    return ACCEPTED
