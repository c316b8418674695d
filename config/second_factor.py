"""The second factor: forms for its codes in the site's words, and the way out for who has lost
phone and codes.
"""

from __future__ import annotations

from typing import Any

from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.contrib.auth.models import AbstractUser

from engine.core.phrase import phrase

CODE_INPUT_ATTRIBUTES = {
    "inputmode": "numeric",
    "autocapitalize": "off",
    "spellcheck": "false",
    "autofocus": True,
}


class CodeFormBase:
    """A form that asks for a code. Apps show theirs in groups, and people copy them so."""

    fields: dict[str, Any]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        field = self.fields["code"]
        field.label = phrase("Code")
        field.widget.attrs.pop("placeholder", None)
        field.widget.attrs.update(CODE_INPUT_ATTRIBUTES)

    def clean_code(self) -> str:
        self.cleaned_data["code"] = "".join(self.cleaned_data["code"].split())
        code: str = super().clean_code()  # type: ignore[misc]
        return code


class CodeForm(CodeFormBase, forms.AuthenticateForm):  # type: ignore[misc]
    """The code that is asked for at the login."""


class CodeAgainForm(CodeFormBase, forms.ReauthenticateForm):  # type: ignore[misc]
    """A code once more, before the account changes."""


class FirstCodeForm(CodeFormBase, ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app, which turns the second factor on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.pop(
            "autofocus"
        )  # what is to be done first stands above it


def second_factor_end(user: AbstractUser) -> bool:
    """Let the password alone log in again: app and recovery codes are forgotten.

    Whether there was anything.
    """
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    return bool(deleted)
