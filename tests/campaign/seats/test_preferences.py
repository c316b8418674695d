"""What users choose, and the secret of their calendar."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from campaign.models import FeedToken, Preference
from campaign.services.preferences import (
    feed_token_forget,
    feed_token_rotate,
    feed_user,
    preference_of,
    preference_save,
)
from engine.core.errors import RuleViolations

pytestmark = pytest.mark.django_db
DISCORD = "discord://123456789/abcdefghijklmnop"


@pytest.fixture
def vera() -> User:
    return User.objects.create_user("vera")


def test_defaults_apply_without_a_choice(vera: User) -> None:
    chosen = preference_of(vera)
    assert (chosen.zone, chosen.email, chosen.apprise_urls, chosen.theme) == ("", True, [], "auto")
    assert not Preference.objects.exists()


def test_omitted_preferences_stay(vera: User) -> None:
    preference_save(user=vera, zone="Europe/Berlin", email=False, apprise_urls=[f" {DISCORD} ", ""])
    chosen = preference_save(user=vera, theme="dark")
    assert (chosen.zone, chosen.email, chosen.apprise_urls) == ("Europe/Berlin", False, [DISCORD])
    assert preference_save(user=vera, zone="", apprise_urls=[]).apprise_urls == []
    assert Preference.objects.count() == 1


def test_all_faults_are_reported_and_nothing_stored(vera: User) -> None:
    with pytest.raises(RuleViolations) as refused:
        preference_save(
            user=vera, zone="Nowhere", theme="pink", apprise_urls=[DISCORD, "gibberish"]
        )
    assert [fault.where for fault in refused.value.violations] == [
        "zone",
        "theme",
        "apprise_urls[1]",
    ]
    assert not Preference.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "json://127.0.0.1:8000/",
        "xml://localhost",
        "form://10.0.0.1/",
        "syslog://",
        "mailto://user:secret@example.org",
        "ntfy://10.0.0.1/topic",
        "gotify://localhost/token",
        "file:///etc/passwd",
        "https://example.org/hook",
        f"{DISCORD}?verify=no",
        "discord://" + "a" * 300,
        r"ntfys://10.0.0.1\.ntfy.sh/topic",
        r"https://10.0.0.1\@discord.com/api/webhooks/1/abc",
        "https://discord.com.example.org/api/webhooks/123456789/abcdefghijklmnop",
    ],
)
def test_notification_cannot_target_an_internal_machine(vera: User, url: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        preference_save(user=vera, apprise_urls=[url])
    assert [fault.code for fault in refused.value.violations] == ["bad-channel"]
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", [DISCORD, "ntfy://our-table", "tgram://123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678/1"]
)
def test_common_channels_are_accepted(vera: User, url: str) -> None:
    assert preference_save(user=vera, apprise_urls=[url]).apprise_urls == [url]


def test_at_most_five_channels(vera: User) -> None:
    with pytest.raises(RuleViolations) as refused:
        preference_save(user=vera, apprise_urls=[DISCORD] * 6)
    assert [fault.code for fault in refused.value.violations] == ["too-many"]


def test_calendar_secret_is_shown_once_and_replaced(vera: User) -> None:
    first = feed_token_rotate(user=vera)
    assert feed_user(token=first) == vera
    assert first not in str(FeedToken.objects.values_list().get())
    second = feed_token_rotate(user=vera)
    assert (feed_user(token=first), feed_user(token=second)) == (None, vera)
    assert FeedToken.objects.count() == 1
    User.objects.update(is_active=False)
    assert feed_user(token=second) is None
    User.objects.update(is_active=True)
    feed_token_forget(user=vera)
    assert feed_user(token=second) is None
