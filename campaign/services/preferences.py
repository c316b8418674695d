"""A user's preferences (time zone, messages, appearance) and their calendar feed.

The calendar (iCalendar) contains the deadlines of all of a user's campaigns, which the campaigns'
pages show to everyone. The same deadlines give the same bytes, independent of when they are
requested and of how long a stage took to resolve.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import BigIntegerField
from django.utils import timezone

from campaign.models.account import THEMES, FeedToken, Preference
from campaign.models.stage import Stage
from campaign.rules.help_texts import guide_ids
from campaign.rules.timetable import zone_exists
from campaign.selectors.heads import head_at
from campaign.services.destinations import CHANNELS, channel_of
from campaign.store.prepared import PreparedRows
from campaign.store.publication import waiting_condition
from campaign.words.languages import in_language, languages
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase

if TYPE_CHECKING:
    from icalendar import Event

PREFERENCE = PreparedRows(
    lambda user: Preference.objects.filter(user_id=user), parameters=(BigIntegerField(),)
)
TOKEN_BYTES = 24
MAX_URLS = 5  # channels of a user
LONGEST_URL = 300  # characters

PRODUCT = phrase("-//Blind Jump//deadlines//EN")
# What closes, by kind of stage.
TITLES = {
    "deploy": phrase("deployment closes"),
    "orders": phrase("orders for week {week} close"),
    "decisions": phrase("decisions for week {week} close"),
    "battles": phrase("battles in week {week} close"),
}
REMINDER = timedelta(hours=-24)  # before a deadline
REFRESH = timedelta(hours=1)  # how often calendar programs should ask again


def preference_of(user: AbstractBaseUser) -> Preference:
    """Return the user's preferences, or unsaved defaults."""
    return PREFERENCE.first(user.pk) or Preference(user_id=user.pk)


@transaction.atomic
def preference_save(  # noqa: PLR0913 -- the settings of an account
    *,
    user: AbstractBaseUser,
    zone: str | None = None,
    email: bool | None = None,
    apprise_urls: Sequence[str] | None = None,
    theme: str | None = None,
    language: str | None = None,
    messages: bool | None = None,
    sealed_mail: bool | None = None,
    single_keys: bool | None = None,
) -> Preference:
    """Store the given preferences; None leaves one unchanged.

    Raises:
        RuleViolations: All faults.
    """
    urls = None
    if apprise_urls is not None:
        urls = [url.strip() for url in apprise_urls if url.strip()]
    violations = _appearance_violations(zone=zone, theme=theme, language=language)
    violations += _url_violations(urls or ())
    if violations:
        raise RuleViolations(violations)
    values = {
        "zone": zone,
        "email": email,
        "apprise_urls": urls,
        "theme": theme,
        "messages": messages,
        "sealed_mail": sealed_mail,
        "single_keys": single_keys,
        "language": language,
    }
    given_values = {name: value for name, value in values.items() if value is not None}
    Preference.objects.update_or_create(user_id=user.pk, defaults=given_values)
    return preference_of(user)


def language_seen(*, user: AbstractBaseUser, language: str) -> None:
    """Keep the language of the browser in which a user logged in, for what is sent to them."""
    defaults = {"seen_language": language}
    Preference.objects.update_or_create(user_id=user.pk, defaults=defaults)


def _appearance_violations(
    *, zone: str | None, theme: str | None, language: str | None
) -> list[Violation]:
    """Return the faults of a time zone, a theme and a language, where they are given."""
    violations = []
    if zone and not zone_exists(zone):
        words = phrase("must be a time zone such as Europe/Berlin")
        violations.append(Violation("zone", "unknown-zone", words))
    if theme is not None and theme not in THEMES:
        words = phrase("must be one of {}", ", ".join(THEMES))
        violations.append(Violation("theme", "unknown-theme", words))
    if language and language not in languages():
        words = phrase("must be one of {}", ", ".join(languages()))
        violations.append(Violation("language", "unknown-language", words))
    return violations


@transaction.atomic
def guide_mark_done(*, user: AbstractBaseUser, steps: Collection[str]) -> None:
    """Mark steps of the guided war as done, so that they are hidden. Ignores unknown ids."""
    preference, _ = Preference.objects.select_for_update().get_or_create(user_id=user.pk)
    steps_done = sorted((set(preference.completed_guide_steps) | set(steps)) & guide_ids())
    if steps_done != preference.completed_guide_steps:
        preference.completed_guide_steps = steps_done
        preference.save(update_fields=["completed_guide_steps"])


def guide_restart(*, user: AbstractBaseUser) -> None:
    """Show the user all steps of the guided war again."""
    Preference.objects.filter(user_id=user.pk).update(completed_guide_steps=[])


@transaction.atomic
def feed_token_rotate(*, user: AbstractBaseUser, now: datetime | None = None) -> str:
    """Return a new secret for the user's calendar address; the old one stops working."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    FeedToken.objects.update_or_create(
        user_id=user.pk, defaults={"sha256": _hash(token), "created_at": now or timezone.now()}
    )
    return token


def feed_token_forget(*, user: AbstractBaseUser) -> None:
    """Delete the user's calendar address."""
    FeedToken.objects.filter(user_id=user.pk).delete()


def feed_user(*, token: str) -> AbstractBaseUser | None:
    """Return the active user whose calendar this secret opens, or None."""
    rows = FeedToken.objects.filter(sha256=_hash(token), user__is_active=True)
    row = rows.select_related("user").first()
    if row is None:
        return None
    return row.user


def _url_violations(urls: Sequence[str]) -> list[Violation]:
    """Return the faults of a user's channels: each one's, and that there are too many."""
    violations = []
    if len(urls) > MAX_URLS:
        violations.append(
            Violation("apprise_urls", "too-many", phrase("at most {} channels", MAX_URLS))
        )
    for n, url in enumerate(urls[:MAX_URLS]):
        if words := _url_fault(url):
            violations.append(Violation(fault_path("apprise_urls", n), "bad-channel", words))
    return violations


def _url_fault(url: str) -> str:
    """Return the fault of a channel's address, or an empty text. It never repeats the address."""
    if len(url) > LONGEST_URL:
        return phrase("must have at most {} characters", LONGEST_URL)
    if "?" in url:
        return phrase("must have no options after a question mark")
    if channel_of(url) is not None:
        return ""
    return phrase("must be an Apprise address of {} or ntfy.sh", ", ".join(CHANNELS.values()))


def _hash(token: str) -> str:
    """Return the hash of a secret address, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def calendar_of(user: AbstractBaseUser) -> bytes:
    """Return the user's calendar in the current language.

    It has one event for each campaign whose stage has a deadline, until the next stage opens. The
    description is the head of the war's ledger when the stage opened.
    """
    from icalendar import Calendar  # imported here, so that the site starts without it

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", phrase("Blind Jump"))
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    stages = Stage.objects.filter(
        waiting_condition(timezone.now()),
        branch__headed__memberships__user_id=user.pk,
        closes__isnull=False,
    ).select_related("branch__campaign")
    for stage in stages.distinct().order_by("closes", "pk"):
        calendar.add_component(_event(stage))
    return bytes(calendar.to_ical())


def _event(stage: Stage) -> Event:
    """Return the calendar event of a stage's deadline, with a reminder."""
    from icalendar import Alarm, Event

    campaign = stage.branch.campaign
    is_paused = campaign.paused_at is not None
    title = in_language(phrase("{}: {}", campaign.name, TITLES[stage.kind].format(week=stage.week)))
    event = Event()
    event.add("uid", f"{campaign.public_id}-{stage.branch.number}-{stage.ordinal}@blindjump")
    event.add("dtstamp", stage.opens)
    event.add("dtstart", stage.closes)
    event.add("summary", in_language(phrase("{} (paused)", title)) if is_paused else title)
    event.add("status", "TENTATIVE" if is_paused else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    head = head_at(campaign, stage.branch, stage.opens)
    if head is not None:
        event.add("description", in_language(phrase("Ledger: {}", head.short_name)))
    if settings.SITE_URL:
        event.add("url", f"{settings.SITE_URL}/c/{campaign.public_id}/")
    reminder = Alarm()
    reminder.add("action", "DISPLAY")
    reminder.add("description", title)
    reminder.add("trigger", REMINDER)
    event.add_component(reminder)
    return event
