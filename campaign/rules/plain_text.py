"""Plain text that users write: its stored form, and its faults."""

from __future__ import annotations

from engine.core.errors import Violation
from engine.core.names import character_fault
from engine.core.phrase import phrase


def tidy_text(text: str) -> str:
    """Return a text as it is stored, without trailing blanks or empty lines before and after it."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()


def text_faults(text: str, max_length: int, noun: str) -> list[Violation]:
    """Return the faults of a text: too many characters, or unreadable ones.

    Args:
        noun: What the text is, for the message.
    """
    faults = []
    if len(text) > max_length:
        words = phrase("{} can have at most {} characters", noun, max_length)
        faults.append(Violation("text", "too-long", words))
    words = character_fault(text, allowed="\n\t")
    if words:
        faults.append(Violation("text", "characters", words))
    return faults
