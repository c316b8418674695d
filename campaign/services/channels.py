"""Messages by people's own channels (Discord, Slack, Telegram and so on), by apprise: as plain
text, and never waiting.

A message names a campaign, which its host has named: what a service would take for a mention of
everybody, for a link under other words or for its own marks is shown as it is written. A service
that says "later" is asked later, by the outbox: apprise would sleep until then, and hold up what
waits behind.

    channel_post(url, body, link, trusted) -> Answer   only Discord says how long to wait: apprise keeps other answers
    discord_words(words) -> str                        an answer to a command in Discord, as written and short enough
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings

from campaign.services.answers import REFUSED, DeliveryResult, bounded
from campaign.services.destinations import channel_of
from engine.core.phrase import phrase

MARKS = re.compile(r"([\\*_~`|<>\[\]#])")  # of the Markdown that Discord reads in every text
MOST_UNITS = 2000  # of UTF-16 in a message of Discord's
SENDER = phrase("Blind Jump")
ZERO_WIDTH_SPACE = "\u200b"  # not seen: "@everyone" with it calls nobody


class RetryLater(OSError):
    """The service takes nothing until later."""


@dataclass(slots=True)
class PauseRecorder:
    """In place of apprise's pause before a request.

    `wanted`: the one that a service asked for, None for none.
    """

    requested_pause: timedelta | None = None

    def __call__(self, *_: Any, wait: float | None = None, **__: Any) -> None:
        if wait:
            self.requested_pause = bounded(wait)
            raise RetryLater


def channel_post(*, url: str, body: str, link: str, trusted: bool = False) -> DeliveryResult:
    """Post a message, with the address of its page, to the channel of an apprise address; what
    comes of it.

    `trusted`: the address comes from the settings, not from a user, and may lead anywhere.
    """
    from apprise import (
        Apprise,
        AppriseAsset,
        NotifyBase,
        NotifyFormat,
    )  # here, and not with every start of the site

    asset = AppriseAsset(
        app_id=SENDER,
        app_desc=SENDER,
        app_url=settings.SITE_URL,
        image_url_mask="",
        image_url_logo="",
    )
    host = Apprise.instantiate(url, asset=asset) if trusted else channel_of(url, asset)
    if not isinstance(host, NotifyBase):
        return REFUSED
    channel = Apprise(host, asset=asset)
    host.throttle = pause = PauseRecorder()
    words = _escape_markdown(body) if host.secure_protocol == "discord" else _without_mentions(body)
    is_accepted = bool(channel.notify(body=f"{words}\n\n{link}\n", body_format=NotifyFormat.TEXT))
    return DeliveryResult(is_accepted, pause.requested_pause)


def discord_words(words: str) -> str:
    """Words as Discord shows them as they are; what is beyond its limit is cut off."""
    text, units = _escape_markdown(words), 0
    for n, letter in enumerate(text):
        units += 1 if letter < "\U00010000" else 2
        if units > MOST_UNITS:
            return f"{text[: n - 2]}…"
    return text


def _escape_markdown(words: str) -> str:
    return MARKS.sub(r"\\\1", _without_mentions(words))


def _without_mentions(words: str) -> str:
    return words.replace("@", f"@{ZERO_WIDTH_SPACE}")
