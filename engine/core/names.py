"""Which names are allowed for ships, sides, fleets, classes, campaigns and accounts."""

from __future__ import annotations

import unicodedata

from engine.core.canonical import is_encoded_float
from engine.core.reason import reason

LONGEST_NAME = 120  # characters

# Invisible characters that change the text: controls, direction marks and other format characters,
# surrogates, line and paragraph separators.
INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")

UNASSIGNED = "Cn"

# Further characters that leave no mark: fillers, variation selectors, the empty Braille cell.
INVISIBLE = dict.fromkeys(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
    )
)
# Cyrillic, Greek and a few other letters, dashes and apostrophes, and the characters they resemble.
LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονıɡ‐‒–—−’‘ʼ",
    "ABESIJKMHOPCTYXaeopcyxsijhdqwlABEZHIKMNOPTYXovig-----" + "'" * 3,
)


def name_fault(name: str, most: int = LONGEST_NAME) -> str:
    """Return the reason why a name is not allowed, or "" if it is.

    Args:
        most: The largest number of characters.
    """
    if not name.strip():
        return reason("name-must-not-empty", "a name must not be empty")
    if len(name) > most:
        return reason("name-most-characters", "a name can have at most {} characters", most)
    if name != name.strip():
        return reason("name-no-space-ends", "a name must not begin or end with a space")
    return character_fault(name)


def character_fault(text: str, allowed: str = "") -> str:
    """Return a reason if a text has characters that are not allowed, or "".

    These are invisible ones other than those in `allowed`, and those that Unicode has not assigned:
    a later version may give them another form, which would change hashes. A text that
    `encode_floats` could have written is not allowed either, because it would be read as a number.
    """
    if is_encoded_float(text):
        return reason("text-like-a-number", "'{}' is how this site writes a number", text)
    if text.isascii() and text.isprintable():
        return ""
    for letter in text:
        if unicodedata.category(letter) == UNASSIGNED:
            return reason(
                "character-unassigned",
                "the character U+{:04X} is not allowed: Unicode has not assigned it",
                ord(letter),
            )
        if unicodedata.category(letter) in INVISIBLE_CATEGORIES and letter not in allowed:
            return reason(
                "character-u-not-allowed",
                "the character U+{:04X} is not allowed: it is a control character or invisible",
                ord(letter),
            )
    return ""


def name_skeleton(name: str) -> str:
    """Return a form of a name that is equal for names that look alike.

    It ignores case, width, spaces, invisible characters, and letters of other alphabets that look
    the same in print.
    """
    visible = unicodedata.normalize("NFKC", name.translate(INVISIBLE)).translate(LOOK_ALIKES)
    return " ".join(visible.casefold().split())
