"""Accounts: sign-up, the one-time link for the first account, and forms with this site's labels.

Sign-up needs an invitation. Opening a valid invitation, or the server's one-time first link, stores
it as `INVITED` in the session. It is checked again when the account is created: an invitation
creates one account, and none once it is used, revoked or expired. The link of a tournament creates
an account for each place that is left, which the account takes. With SIGNUP=open anyone may sign
up.
"""

from __future__ import annotations

from http import HTTPStatus
from smtplib import SMTPException
from typing import Any, cast

import structlog
from allauth.account import forms as allauth_forms
from allauth.account import views
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.core import signing
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.errors import NotAllowed, NotFound
from campaign.rules.timetable import zone_exists
from campaign.services.destinations import mailbox_fault
from campaign.services.invites import INVITED, invite_allows_sign_up, invite_sign_up
from campaign.services.mails import mail_headers
from campaign.services.preferences import language_seen, preference_save
from campaign.services.reset_links import reset_links_queue
from campaign.services.tournaments import (
    tournament_allows_sign_up,
    tournament_invitation,
    tournament_join,
)
from campaign.web.common import keep_language
from campaign.web.push_browser import end_push_at_logout, keep_push_at_login
from campaign.words.languages import in_language, language_of
from config.logins import device_remember
from engine.core.phrase import phrase

log = structlog.get_logger(__name__)

PASSWORD_RULE = phrase(
    "At least ten characters. Not a common password, not only digits, not similar to your user "
    "name."
)
LABELS = {
    "login": phrase("User name or e-mail address"),
    "username": phrase("User name"),
    "email": phrase("E-mail address"),
    "password": phrase("Password"),
    "password1": phrase("Password"),
    "password2": phrase("Confirm password"),
    "oldpassword": phrase("Current password"),
}
OPTIONAL = phrase("E-mail address (optional)")

FIRST = "first"  # the invitation of the first account, which runs the server
SALT = "blindjump.first-account"
FIRST_LINK_LIVES = 7 * 24 * 60 * 60  # seconds
FIRST_ACCOUNT_LOCK = 0x626A31


class LabelledForm:
    """A form with this site's labels and short help texts, without placeholders."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            if name == "email" and not field.required:
                field.label = OPTIONAL
            if name == "password1":
                field.help_text = in_language(PASSWORD_RULE)
            else:
                field.help_text = ""
            field.widget.attrs.pop("placeholder", None)


class LoginForm(LabelledForm, allauth_forms.LoginForm):  # type: ignore[misc]
    """The login form."""


class SignupForm(LabelledForm, allauth_forms.SignupForm):  # type: ignore[misc]
    """The sign-up form: name, optional e-mail address, and password.

    The browser's language and time zone are stored with the account until its owner changes them,
    so that e-mails and notifications use them from the start.
    """

    def save(self, request: HttpRequest) -> AbstractUser:
        user: AbstractUser = super().save(request)
        zone = request.POST.get("zone", "")
        preference_save(
            user=user,
            zone=zone if zone_exists(zone) else None,
            language=translation.get_language(),
        )
        return user


class ChangePasswordForm(LabelledForm, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    """The form that changes a password."""


class ResetPasswordForm(LabelledForm, allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    """The form that requests a link for a new password.

    Only a few e-mails are sent to one address in a short time; the response is always the same. So
    an enemy who keeps requesting links for a player cannot flood the mailbox or stop the player
    from requesting one. While the mail server is down, links are queued in the outbox and sent
    later.
    """

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address: str = self.cleaned_data["email"]
        if ratelimit.consume(request, action="reset_mail", key=address.lower()):
            try:
                super().save(request, **kwargs)
            except (SMTPException, OSError) as error:
                log.warning("mail-away", reason=type(error).__name__)
                reset_links_queue(users=self.users, now=timezone.now())
        return address


class ResetPasswordKeyForm(LabelledForm, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """The form that sets a new password."""


class ReauthenticateForm(LabelledForm, allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form that asks for the password again."""


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up by invitation; the first account runs the server."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Do nothing: only `config.logins` counts wrong passwords."""

    def clean_email(self, email: str) -> str:
        return public_mailbox(super().clean_email(email))

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        device_remember(request, response, user)
        keep_push_at_login(request, response, user)
        language_seen(user=user, language=language_of(request, ""))
        return response

    def render_mail(
        self,
        template_prefix: str,
        email: str,
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Return allauth's e-mail with the headers that all e-mails of the site have."""
        return super().render_mail(
            template_prefix, email, context, headers=mail_headers() | (headers or {})
        )

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if settings.SIGNUP_OPEN:
            return True
        invited = str(request.session.get(INVITED, ""))
        if invited == FIRST:
            return not accounts_exist()
        if link := tournament_invitation(invited):
            return tournament_allows_sign_up(public_id=link.tournament, token=link.token)
        return invite_allows_sign_up(public_id=invited)

    def save_user(
        self, request: HttpRequest, user: Any, form: Any, commit: bool = True
    ) -> AbstractUser:
        saved: AbstractUser = super().save_user(request, user, form, commit=False)
        invited = str(request.session.pop(INVITED, ""))
        try:
            with transaction.atomic():
                self.admit(saved, invited)
                if commit:
                    saved.save()
        except (NotFound, NotAllowed) as error:  # just used by another sign-up, or revoked
            raise ImmediateHttpResponse(redirect("account_signup")) from error
        return saved

    def admit(self, user: AbstractUser, invited: str) -> None:
        """Use up the invitation of a new account, or make the first account a server owner.

        Raises:
            NotFound: The invitation is no longer valid.
            NotAllowed: The tournament has no place left.
        """
        link = tournament_invitation(invited)
        if link and not settings.SIGNUP_OPEN:
            user.save()
            tournament_join(user=user, public_id=link.tournament, token=link.token)
        elif invited == FIRST:
            one_at_a_time()
            user.is_staff = not accounts_exist()
            if not (user.is_staff or settings.SIGNUP_OPEN):
                raise NotFound(phrase("the first account already exists"))
        elif not settings.SIGNUP_OPEN:
            invite_sign_up(public_id=invited)


def public_mailbox(address: str) -> str:
    """Return an e-mail address unchanged if it is empty or a public internet address.

    Raises:
        ValidationError: The address is of another kind.
    """
    fault = mailbox_fault(address) if address else ""
    if fault:
        raise forms.ValidationError(in_language(fault))
    return address


def one_at_a_time() -> None:
    """Lock the creation of the first account until the transaction ends.

    On SQLite the transaction itself is the lock.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FIRST_ACCOUNT_LOCK])


def accounts_exist() -> bool:
    """Return whether any account exists."""
    return get_user_model().objects.exists()


def first_link() -> str:
    """Return the path for creating the first account; invalid once an account exists."""
    return reverse("welcome", args=[signing.dumps(FIRST, salt=SALT)])


@never_cache
@require_safe
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """Send a visitor with a valid first link to sign-up, while no account exists."""
    try:
        signing.loads(token, salt=SALT, max_age=FIRST_LINK_LIVES)
    except signing.BadSignature:
        raise Http404 from None
    if accounts_exist():
        raise Http404
    request.session[INVITED] = FIRST
    return redirect("account_signup")


def password_change(request: HttpRequest) -> HttpResponse:
    """Show allauth's page for changing the password.

    The device used stays known and keeps its notifications; all other devices do not.
    """
    response: HttpResponse = views.password_change(request)
    if (
        request.user.is_authenticated
        and request.method == "POST"
        and response.status_code == HTTPStatus.FOUND
    ):
        device_remember(request, response, request.user)
        keep_push_at_login(request, response, request.user)
    return response


def logout(request: HttpRequest) -> HttpResponse:
    """Show allauth's logout page, and turn off notifications in this browser.

    The browser keeps the account's language, because the next page shows a message in it.
    """
    user = request.user if request.user.is_authenticated else None
    response: HttpResponse = views.logout(request)
    if user is not None and not request.user.is_authenticated:
        end_push_at_logout(request, response, user)
        keep_language(request, response, translation.get_language())
    return response


class EmailForm(forms.Form):
    """The form for the address that receives messages; empty for none."""

    email = forms.EmailField(label=phrase("E-mail address"), required=False, max_length=254)

    def clean_email(self) -> str:
        address: str = self.cleaned_data["email"]
        return public_mailbox(address)


def mail_context(_request: HttpRequest) -> dict[str, bool]:
    """Return for all templates whether the server sends e-mail."""
    return {"sends_mail": settings.MAIL_IS_SENT}


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def email(request: HttpRequest) -> HttpResponse:
    """Show and change the account's e-mail address."""
    user = cast(AbstractUser, request.user)
    form = EmailForm(request.POST or None, initial={"email": user.email}, label_suffix="")
    if request.method == "POST" and form.is_valid():
        email_save(user, form.cleaned_data["email"])
        messages.success(request, phrase("Your e-mail address has been saved."))
        return redirect("account_email")
    return render(request, "account/email.html", {"form": form})


def email_save(user: AbstractUser, address: str) -> None:
    """Replace all e-mail addresses of an account with this one."""
    with transaction.atomic():
        EmailAddress.objects.filter(user=user).delete()
        if address:
            EmailAddress.objects.create(
                user=user, email=address.lower(), primary=True, verified=False
            )
        user.email = address
        user.save(update_fields=["email"])
