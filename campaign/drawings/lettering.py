"""Approximate widths of texts in a sans serif font, to prevent overlaps. Pure functions."""

from __future__ import annotations

from typing import Final

NARROW = "fijlrtI.,:;'|!()[]- "
WIDE = "mwMWQ@%&+"
# Average advances of letters as fractions of the font size.
NARROW_ADVANCE = 0.34
WIDE_ADVANCE = 0.92
CAPITAL_ADVANCE = 0.7
OTHER_ADVANCE = 0.58
BEYOND_LATIN_ADVANCE = 1.02
LAST_LATIN: Final = "\u052f"  # up to here Latin, Greek and Cyrillic letters are about equally wide


def width_of(text: str, size: float) -> float:
    """Return the approximate width of a text at a font size."""
    return size * sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    """Return how far a letter moves the next one, as a fraction of the font size."""
    if letter in NARROW:
        return NARROW_ADVANCE
    if letter in WIDE:
        return WIDE_ADVANCE
    if letter > LAST_LATIN:
        return BEYOND_LATIN_ADVANCE
    if letter.isupper():
        return CAPITAL_ADVANCE
    return OTHER_ADVANCE


def fit_text(text: str, max_width: float, size: float, least: float) -> tuple[str, float]:
    """Return a text and font size that fit a width: first smaller letters, then truncation."""
    width = width_of(text, size)
    if width <= max_width:
        return text, size
    smaller = max(least, round(size * max_width / width - 0.05, 1))
    return truncate(text, max_width, smaller), smaller


def truncate(text: str, max_width: float, size: float) -> str:
    """Truncate a text with an ellipsis so that it fits a width."""
    if width_of(text, size) <= max_width:
        return text
    while text and width_of(f"{text}…", size) > max_width:
        text = text[:-1]
    return f"{text.rstrip()}…"
