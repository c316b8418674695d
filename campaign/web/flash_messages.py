"""Confirmations shown once on the next page, in the language the reader uses then.

Django stores such messages as plain text, and a `Phrase` as plain text is English. This storage
keeps the phrase itself in the session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.session import SessionStorage
from typing_extensions import override

from engine.core.phrase import Phrase, localize
from engine.core.phrase_data import phrase_data, restore_phrase

# No user text can start like this: forms reject NUL, and `add` strips it.
STORED_PHRASE = "\0phrase:"


class FlashStorage(SessionStorage):
    """Messages in the session, with phrases kept as data."""

    @override
    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        if isinstance(message, Phrase):
            text = STORED_PHRASE + json.dumps(phrase_data(message))
        else:
            text = str(message).lstrip("\0")
        super().add(level, text, extra_tags)

    @override
    def __iter__(self) -> Iterator[Message]:
        for message in super().__iter__():
            text = _in_active_language(str(message.message))
            yield Message(message.level, text, message.extra_tags)


def _in_active_language(text: str) -> str:
    """Return a stored message in the active language."""
    if not text.startswith(STORED_PHRASE):
        return text
    return localize(restore_phrase(json.loads(text.removeprefix(STORED_PHRASE))))
