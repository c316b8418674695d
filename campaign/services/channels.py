"""Send messages through users' own channels (Discord, Slack, Telegram and others) with apprise.

Messages are plain text. A message contains the campaign's name, which its host chose. So anything
that a service could take for a mention, a disguised link or markup is escaped. When a service asks
to wait, the outbox tries again later: apprise would sleep and delay all following messages. Only
Discord says how long to wait, because apprise does not pass on other answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings

from campaign.services.answers import REFUSED, DeliveryResult, limited_pause
from campaign.services.destinations import channel_of
from engine.core.phrase import phrase

MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")  # Markdown that Discord interprets in any text
MAX_MESSAGE_UNITS = 2000  # UTF-16 units; Discord's limit for a message
SENDER = phrase("Blind Jump")
ZERO_WIDTH_SPACE = "\u200b"  # invisible; "@everyone" with it notifies no one


class RetryLater(OSError):
    """The service accepts nothing until later."""


@dataclass(slots=True)
class PauseRecorder:
    """A replacement for apprise's pause before a request, which does not wait but gives up.

    Attributes:
        requested_pause: The pause that a service asked for, or None.
    """

    requested_pause: timedelta | None = None

    def __call__(self, *_: Any, wait: float | None = None, **__: Any) -> None:
        """Record a pause and raise RetryLater; apprise calls this before each request."""
        if wait:
            self.requested_pause = limited_pause(wait)
            raise RetryLater


def channel_post(*, url: str, body: str, link: str, trusted: bool = False) -> DeliveryResult:
    """Post a message with a link to its page to the channel of an apprise address.

    Args:
        trusted: The address comes from the settings, not from a user, and may lead anywhere.
    """
    # Imported here, so that the site starts without it.
    from apprise import Apprise, AppriseAsset, NotifyBase, NotifyFormat

    asset = AppriseAsset(
        app_id=SENDER,
        app_desc=SENDER,
        app_url=settings.SITE_URL,
        image_url_mask="",
        image_url_logo="",
    )
    if trusted:
        service = Apprise.instantiate(url, asset=asset)
    else:
        service = channel_of(url, asset)
    if not isinstance(service, NotifyBase):
        return REFUSED
    channel = Apprise(service, asset=asset)
    recorder = PauseRecorder()
    service.throttle = recorder
    if service.secure_protocol == "discord":
        words = _escape_markdown(body)
    else:
        words = _without_mentions(body)
    is_accepted = bool(channel.notify(body=f"{words}\n\n{link}\n", body_format=NotifyFormat.TEXT))
    return DeliveryResult(is_accepted, recorder.requested_pause)


def discord_words(words: str) -> str:
    """Escape a text so that Discord shows it unchanged, and cut it off at Discord's limit."""
    text = _escape_markdown(words)
    units = 0
    for index, character in enumerate(text):
        units += 1 if character < "\U00010000" else 2  # UTF-16 needs two units from there on
        if units > MAX_MESSAGE_UNITS:
            return f"{text[: index - 2]}…"
    return text


def _escape_markdown(words: str) -> str:
    """Escape Markdown and mentions."""
    return MARKDOWN.sub(r"\\\1", _without_mentions(words))


def _without_mentions(words: str) -> str:
    """Break up mentions such as `@everyone`, so that they notify no one."""
    return words.replace("@", f"@{ZERO_WIDTH_SPACE}")
