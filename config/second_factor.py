"""Two-factor authentication: forms for codes, and a reset for users who lost their codes."""

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
    """A form that asks for a code. Spaces are removed, because apps show codes in groups."""

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
    """The form that asks for a code at login."""


class CodeAgainForm(CodeFormBase, forms.ReauthenticateForm):  # type: ignore[misc]
    """The form that asks for a code again before the account changes."""


class FirstCodeForm(CodeFormBase, ActivateTOTPForm):  # type: ignore[misc]
    """The form for the first code of an app, which turns two-factor authentication on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.pop(
            "autofocus"
        )  # the page has instructions above the field


def second_factor_end(user: AbstractUser) -> bool:
    """Turn off two-factor authentication with its recovery codes; return whether it was on."""
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    return bool(deleted)
