"""Account pages and mails, mostly allauth's, use the same style: German says du."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import allauth
import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import translation
from django.utils.translation import trim_whitespace

from config.allauth_texts import TEXTS
from tests.sources import ROOT

TEMPLATES = Path(allauth.__file__).parent / "templates"
TRANSLATE_TAG = re.compile(
    r"""\{%\s*trans(?:late)?\s+(["'])(.*?)\1|\{%\s*blocktrans(?:late)?\b(.*?)%\}(.*?)\{%\s*endblocktrans""",
    re.S,
)
FILLED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
STRANGER = re.compile(r"\b(?:Sie|Ihr\w*|Ihnen)\b")
OFF = re.compile(r"phone|webauthn|passkey|code_|_code|trust|base_reauth")  # not shown on this site


def _texts() -> Iterator[str]:
    """Return texts of allauth's templates that this site shows without a template of its own."""
    for part in ("account", "mfa"):
        for path in sorted((TEMPLATES / part).rglob("*.*")):
            name = path.relative_to(TEMPLATES).as_posix()
            if OFF.search(name) or (ROOT / "templates" / name).exists():
                continue
            for _, short, options, long in TRANSLATE_TAG.findall(path.read_text(encoding="utf-8")):
                text = FILLED.sub(r"%(\1)s", long.replace("%", "%%")) if long else short
                yield trim_whitespace(text) if "trimmed" in options.split() else text


def test_account_pages_never_say_sie() -> None:
    with translation.override("de"):
        translations = {text: translation.gettext(text) for text in {*_texts(), *TEXTS}}
    off = ("security key", "code to", "verification code is")
    assert {
        text
        for text, words in translations.items()
        if STRANGER.search(words) and not any(word in text for word in off)
    } == set()
    assert all(text != words for text, words in translations.items() if text in TEXTS)


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.parametrize(
    ("language", "words"), [("de", "dein Passwort"), ("fr", "votre mot de passe")]
)
def test_password_mail_is_in_the_reader_language(client: Client, language: str, words: str) -> None:
    User.objects.create_user("anna", email="anna@example.org", password="not-so-secret-1")
    page = client.get("/accounts/password/reset/", headers={"Accept-Language": language})
    assert page.headers["Content-Language"] == language
    client.post(
        "/accounts/password/reset/",
        {"email": "anna@example.org"},
        headers={"Accept-Language": language},
    )
    (letter,) = mail.outbox
    assert "anna" in letter.body
    assert words in f"{letter.subject} {letter.body}"
