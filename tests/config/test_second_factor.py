"""The second factor for its owner: set up, asked for, recovered, turned off; phone and codes lost."""

from __future__ import annotations

import re
import time
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough pass phrase"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "", PASSWORD)


def page_text(client: Client, name: str, **form: str) -> str:
    """Return a page's text after redirects; with data, the answer to the form.

    Each page has one heading, no inline style, and at most one filled button.
    """
    path = reverse(name)
    answer: Any = client.post(path, form, follow=True) if form else client.get(path, follow=True)
    assert answer.status_code == 200
    text: str = answer.content.decode()
    assert text.count("<h1") == 1
    assert "style=" not in text
    main = text.partition('id="main"')[2].partition("</main>")[0]
    buttons = re.findall(r'<(?:button|a role="button")([^>]*)>', main)
    assert (
        len([button for button in buttons if "class=" not in button and "hidden" not in button])
        <= 1
    ), buttons
    return main


def code_of(secret: str, later: int = 0) -> str:
    """Return what an app with this secret shows, in groups as apps do.

    Args:
        later: Half minutes from now.
    """
    code: str = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))
    return f"{code[:3]} {code[3:]}"


def test_second_factor_is_set_up_used_and_turned_off(ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="ada@war.example", primary=True, verified=False)
    client = Client()
    client.post(reverse("account_login"), {"login": "ada", "password": PASSWORD})
    assert "Your password alone is enough to log in" in page_text(client, "mfa_index")
    assert "Confirm your password" in page_text(client, "mfa_activate_totp"), (
        "whoever finds a browser open sets up nothing"
    )
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    again = page_text(client, "mfa_activate_totp")
    secret = re.findall(r'value="([A-Z2-7]{16,})"', again)[0]
    assert f'href="otpauth://totp/ada?secret={secret}&amp;issuer=Blind%20Jump"' in again
    assert 'src="data:image/svg+xml;base64,' in again
    wrong = page_text(client, "mfa_activate_totp", code="000000x")
    assert "Incorrect code" in wrong
    assert secret in wrong, "the key that was scanned is still the one"
    codes = re.findall(
        r"<li><code>(\d{8})</code>", page_text(client, "mfa_activate_totp", code=code_of(secret))
    )
    assert len(codes) == 10
    assert codes == client.get(reverse("mfa_download_recovery_codes")).content.decode().split()
    assert "Left: 10 of 10" in page_text(client, "mfa_index")

    away = Client()
    away.post(reverse("account_login"), {"login": "ada", "password": PASSWORD})
    assert "_auth_user_id" not in away.session
    assert "Your password was right" in page_text(away, "mfa_authenticate")
    assert "Incorrect code" in page_text(away, "mfa_authenticate", code="12345678")
    assert away.post(reverse("mfa_authenticate"), {"code": codes[3]}).status_code == 302
    assert away.session["_auth_user_id"] == str(ada.pk)
    assert "Left: 9 of 10" in page_text(away, "mfa_index")
    third = Client()
    third.post(reverse("account_login"), {"login": "ada", "password": PASSWORD})
    assert "Incorrect code" in page_text(third, "mfa_authenticate", code=codes[3]), (
        "each works once"
    )

    new = page_text(client, "mfa_generate_recovery_codes", go="")
    assert set(re.findall(r"<li><code>(\d{8})</code>", new)).isdisjoint(codes)
    assert "Incorrect code" in page_text(third, "mfa_authenticate", code=codes[4])

    assert "Turn off two-factor authentication?" in page_text(client, "mfa_deactivate_totp")
    assert "Your password alone is enough to log in" in page_text(
        client, "mfa_deactivate_totp", go=""
    )
    free = Client()
    assert (
        free.post(reverse("account_login"), {"login": "ada", "password": PASSWORD}).status_code
        == 302
    )
    assert free.session["_auth_user_id"] == str(ada.pk)


def test_second_factor_confirms_identity_instead_of_the_password(ada: User) -> None:
    secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={"secret": secret})
    client = Client()
    client.force_login(ada)
    page_html = page_text(client, "mfa_deactivate_totp")
    assert "Confirm your password" in page_html
    other = re.findall(r'href="([^"]*)">Use a code', page_html)
    assert other == [
        f"{reverse('mfa_reauthenticate')}?next={reverse('mfa_deactivate_totp').replace('/', '%2F')}"
    ]
    page = client.get(other[0]).content.decode()
    assert "Use your password instead" in page
    response = client.post(
        other[0], {"code": code_of(secret), "next": reverse("mfa_deactivate_totp")}, follow=True
    )
    assert b"Turn off two-factor authentication?" in response.content


def test_user_without_phone_and_codes_is_let_in_by_the_server_command(ada: User) -> None:
    Authenticator.objects.create(
        user=ada, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"}
    )
    with pytest.raises(CommandError, match="no user called eve"):
        call_command("second_factor_off", "eve", stdout=StringIO())
    output = StringIO()
    call_command("second_factor_off", "ada", stdout=output)
    assert "ada now logs in with the password alone" in output.getvalue()
    assert not Authenticator.objects.exists()
    with pytest.raises(CommandError, match="no second factor"):
        call_command("second_factor_off", "ada", stdout=StringIO())
