"""E-mails of the site: their headers, the reason for each, and how to stop them.

The link that stops them needs no login (RFC 8058): it is signed, and can only turn off the mails of
one account.
"""

from __future__ import annotations

from email.utils import make_msgid
from smtplib import SMTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation

from campaign.models.account import Preference
from campaign.services.answers import ACCEPTED, REFUSED, DeliveryResult
from campaign.services.preferences import preference_of
from campaign.words.languages import in_language
from engine.core.phrase import phrase

LONGEST_SUBJECT = 120  # characters
STOP_SALT = "blindjump.mail-stop"
REASON = phrase(
    "You get this mail because you take part in this campaign and have mails turned on."
)
ASKED = phrase("You get this mail because you asked for it.")
KEEP_HEAD = phrase(
    "If you keep this mail, nobody can change the war's past without contradicting it:"
)
STOP = phrase("Stop these mails: {}")


def mail_send(
    *, user: AbstractBaseUser, address: str, body: str, path: str, signed_head: str = ""
) -> DeliveryResult:
    """Send a message of the outbox to a user's address.

    Args:
        body: The message in the user's language; its first line is the subject.
        path: The page that the message is about.
        signed_head: The signed head of the war's ledger, which the mail keeps for its reader.
    """
    stop_url = settings.SITE_URL + mail_stop_path(user)
    stop_headers = {
        "List-Unsubscribe": f"<{stop_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    mail = EmailMessage(
        subject=_subject(body),
        body=_text(
            user, body, link=settings.SITE_URL + path, stop_url=stop_url, signed_head=signed_head
        ),
        to=[address],
        headers=mail_headers() | stop_headers,
    )
    try:
        mail.send()
    except (SMTPException, OSError):  # refused or unreachable: the outbox tries again
        return REFUSED
    return ACCEPTED


def mail_pdf_send(
    *, user: AbstractBaseUser, address: str, body: str, path: str, pdf: bytes, file_name: str
) -> None:
    """Send a PDF that a user asked for to the user's address.

    Args:
        body: The message in the user's language; its first line is the subject.
        path: The page that the PDF is about.

    Raises:
        SMTPException, OSError: It was refused, or the mail server cannot be reached.
    """
    with translation.override(preference_of(user).message_language):
        reason = in_language(ASKED)
    mail = EmailMessage(
        subject=_subject(body),
        body=f"{body}\n\n{settings.SITE_URL}{path}\n\n-- \n{reason}\n",
        to=[address],
        headers=mail_headers(),
    )
    mail.attach(file_name, pdf, "application/pdf")
    mail.send()


def mail_headers() -> dict[str, str]:
    """Return the headers of all automatic mails (RFC 3834, RFC 5322)."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return {"Auto-Submitted": "auto-generated", "Message-ID": make_msgid(domain=host)}


def mail_stop_path(user: AbstractBaseUser) -> str:
    """Return the path of the page that turns off a user's mails."""
    return reverse("mail-stop", args=[signing.dumps(user.pk, salt=STOP_SALT)])


def mail_stop_user(token: str) -> AbstractBaseUser | None:
    """Return the user whose mails a token turns off, or None if this site did not sign it."""
    try:
        user_id = signing.loads(token, salt=STOP_SALT)
    except signing.BadSignature:
        return None
    return get_user_model().objects.filter(pk=user_id).first()


def mail_stop(*, user: AbstractBaseUser) -> None:
    """Turn off a user's mails; other channels stay on."""
    off = {"email": False, "sealed_mail": False}
    Preference.objects.update_or_create(user_id=user.pk, defaults=off)


def _subject(body: str) -> str:
    """Return the first line of the message; the sender's name already says Blind Jump."""
    return " ".join(body.partition("\n")[0].split())[:LONGEST_SUBJECT].removesuffix(".")


def _text(user: AbstractBaseUser, body: str, *, link: str, stop_url: str, signed_head: str) -> str:
    """Return the message with its link and the signed head, and below them how to stop mails.

    What the site adds is in the user's language.
    """
    with translation.override(preference_of(user).message_language):
        reason = in_language(REASON)
        stop = in_language(STOP.format(stop_url))
        keep = f"{in_language(KEEP_HEAD)}\n\n{signed_head}\n" if signed_head else ""
    return f"{body}\n\n{link}\n\n{keep}-- \n{reason}\n{stop}\n"
