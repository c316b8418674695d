"""The forms of accounts, in the site's words."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from allauth.core import ratelimit
from django.http import HttpRequest

PASSWORD_RULE = "At least ten characters. Not a common password, not only digits, not similar to your user name."  # noqa: S105
LABELS = {
    "login": "User name or e-mail address",
    "username": "User name",
    "email": "E-mail address",
    "password": "Password",
    "password1": "Password",
    "password2": "Confirm password",
    "oldpassword": "Current password",
}
OPTIONAL = " (optional)"


class Worded:
    """Our labels, short advice, nothing written into the fields."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            if name == "email" and not field.required:
                field.label += OPTIONAL
            field.help_text = PASSWORD_RULE if name == "password1" else ""
            field.widget.attrs.pop("placeholder", None)


class LoginForm(Worded, forms.LoginForm):  # type: ignore[misc]
    """Name and password."""


class SignupForm(Worded, forms.SignupForm):  # type: ignore[misc]
    """Name, perhaps an address, a password."""


class ChangePasswordForm(Worded, forms.ChangePasswordForm):  # type: ignore[misc]
    """The password until now and a new one."""


class ResetPasswordForm(Worded, forms.ResetPasswordForm):  # type: ignore[misc]
    """Where the link for a new password goes.

    More than a few in a short time are not sent, and the answer is the same: an enemy who asks for somebody's link
    again and again neither fills his mailbox nor keeps him from asking.
    """

    def save(self, request: HttpRequest, **told: Any) -> str:
        address: str = self.cleaned_data["email"]
        if ratelimit.consume(request, action="reset_mail", key=address.lower()):
            super().save(request, **told)
        return address


class ResetPasswordKeyForm(Worded, forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password."""


class ReauthenticateForm(Worded, forms.ReauthenticateForm):  # type: ignore[misc]
    """The password once more."""
