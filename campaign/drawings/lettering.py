"""How wide words are, about, in a page's own sans serif: enough to keep them from running into each
other. Pure.
"""

from __future__ import annotations

from typing import Final

NARROW, WIDE = "fijlrtI.,:;'|!()[]- ", "mwMWQ@%&+"
# Average advances, as shares of the size.
THIN, BROAD, CAPITAL, USUAL, BEYOND_LATIN = 0.34, 0.92, 0.7, 0.58, 1.02
LAST_LATIN: Final = "\u052f"  # Latin, Greek and Cyrillic letters are about as wide as each other


def width_of(text: str, size: float) -> float:
    """How wide a text is, set in letters of a size."""
    return size * sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    if letter in NARROW:
        return THIN
    if letter in WIDE:
        return BROAD
    if letter > LAST_LATIN:
        return BEYOND_LATIN
    return CAPITAL if letter.isupper() else USUAL


def fit_text(text: str, max_width: float, size: float, least: float) -> tuple[str, float]:
    """The text and its size such that it fits into a room: smaller letters first, down to the
    least; then it is cut.
    """
    wide = width_of(text, size)
    if wide <= max_width:
        return text, size
    smaller = max(least, round(size * max_width / wide - 0.05, 1))
    return truncate(text, max_width, smaller), smaller


def truncate(text: str, max_width: float, size: float) -> str:
    """The text, or as much of it as there is room for, with an ellipsis."""
    if width_of(text, size) <= max_width:
        return text
    while text and width_of(f"{text}…", size) > max_width:
        text = text[:-1]
    return f"{text.rstrip()}…"
