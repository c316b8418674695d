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

from campaign.services.answers import REFUSED, Answer, bounded
from campaign.services.destinations import channel_of
from engine.core.phrase import phrase

MARKS = re.compile(r"([\\*_~`|<>\[\]#])")  # of the Markdown that Discord reads in every text
MOST_UNITS = 2000  # of UTF-16 in a message of Discord's
SENDER = phrase("Blind Jump")
APART = "\u200b"  # not seen: "@everyone" with it calls nobody


class Later(OSError):
    """The service takes nothing until later."""


@dataclass(slots=True)
class Unpaused:
    """In place of apprise's pause before a request.

    `wanted`: the one that a service asked for, None for none.
    """

    wanted: timedelta | None = None

    def __call__(self, *_: Any, wait: float | None = None, **__: Any) -> None:
        if wait:
            self.wanted = bounded(wait)
            raise Later


def channel_post(*, url: str, body: str, link: str, trusted: bool = False) -> Answer:
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
    host.throttle = pause = Unpaused()
    words = _as_written(body) if host.secure_protocol == "discord" else _uncalled(body)
    taken = bool(channel.notify(body=f"{words}\n\n{link}\n", body_format=NotifyFormat.TEXT))
    return Answer(taken, pause.wanted)


def discord_words(words: str) -> str:
    """Words as Discord shows them as they are; what is beyond its limit is cut off."""
    found, units = _as_written(words), 0
    for n, letter in enumerate(found):
        units += 1 if letter < "\U00010000" else 2
        if units > MOST_UNITS:
            return f"{found[: n - 2]}…"
    return found


def _as_written(words: str) -> str:
    return MARKS.sub(r"\\\1", _uncalled(words))


def _uncalled(words: str) -> str:
    return words.replace("@", f"@{APART}")
