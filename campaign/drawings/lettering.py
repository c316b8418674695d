"""Approximate widths of texts in a sans serif font, to prevent overlaps. Pure functions."""

from __future__ import annotations

from typing import Final

NARROW, WIDE = "fijlrtI.,:;'|!()[]- ", "mwMWQ@%&+"
# Average advances as fractions of the font size.
THIN, BROAD, CAPITAL, USUAL, BEYOND_LATIN = 0.34, 0.92, 0.7, 0.58, 1.02
LAST_LATIN: Final = "\u052f"  # up to here Latin, Greek and Cyrillic letters are about equally wide


def width_of(text: str, size: float) -> float:
    """Return the approximate width of a text at a font size."""
    return size * sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    if letter in NARROW:
        return THIN
    if letter in WIDE:
        return BROAD
    if letter > LAST_LATIN:
        return BEYOND_LATIN
    if letter.isupper():
        return CAPITAL
    return USUAL


def fit_text(text: str, max_width: float, size: float, least: float) -> tuple[str, float]:
    """Return a text and font size that fit a width: first smaller letters, then truncation."""
    wide = width_of(text, size)
    if wide <= max_width:
        return text, size
    smaller = max(least, round(size * max_width / wide - 0.05, 1))
    return truncate(text, max_width, smaller), smaller


def truncate(text: str, max_width: float, size: float) -> str:
    """Truncate a text with an ellipsis so that it fits a width."""
    if width_of(text, size) <= max_width:
        return text
    while text and width_of(f"{text}…", size) > max_width:
        text = text[:-1]
    return f"{text.rstrip()}…"
