"""Text that people write and that stays text: how it is kept, and what is wrong with it."""

from __future__ import annotations

from engine.core.errors import Violation
from engine.core.names import character_fault
from engine.core.phrase import phrase


def tidy_text(text: str) -> str:
    """A text as it is kept: lines without blanks at their ends, nothing empty before or after."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()


def text_faults(text: str, max_length: int, noun: str) -> list[Violation]:
    """What keeps a text from being kept: more than `most` characters, or some that nobody can read.

    `what` it is.
    """
    faults = (
        [Violation("text", "too-long", phrase("{} has at most {} characters", noun, max_length))]
        if len(text) > max_length
        else []
    )
    words = character_fault(text, allowed="\n\t")
    return [*faults, *([Violation("text", "characters", words)] if words else [])]
