"""What a name may be, wherever somebody gives one: to a ship, a side, a fleet, a class, a campaign,
an account.
"""

from __future__ import annotations

import unicodedata

from engine.core.reason import reason

LONGEST_NAME = 120  # characters

# Characters that are not seen but change what is: controls, marks of direction and other format
# characters, halves of character pairs, separators of lines and paragraphs.
INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")

# Further characters of which a name shows nothing: fillers, selectors of variants, the empty
# Braille cell.
INVISIBLE = dict.fromkeys(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
    )
)
# Cyrillic and Greek letters, a few others, dashes and apostrophes, and what they look like.
LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονıɡ‐‒–—−’‘ʼ",
    "ABESIJKMHOPCTYXaeopcyxsijhdqwlABEZHIKMNOPTYXovig-----" + "'" * 3,
)


def name_fault(name: str, most: int = LONGEST_NAME) -> str:
    """The reason why a name is forbidden, in words; "" for one that is in order.

    `most`: characters.
    """
    if not name.strip():
        return reason("name-must-not-empty", "a name must not be empty")
    if len(name) > most:
        return reason("name-most-characters", "a name has at most {} characters", most)
    if name != name.strip():
        return reason("name-no-space-ends", "a name has no space at its ends")
    return character_fault(name)


def character_fault(text: str, allowed: str = "") -> str:
    """Words where a text has characters that cannot be seen, such as marks of direction, but for
    those `allowed`.
    """
    if text.isascii() and text.isprintable():
        return ""
    for letter in text:
        if unicodedata.category(letter) in INVISIBLE_CATEGORIES and letter not in allowed:
            return reason(
                "character-u-not-allowed",
                "the character U+{:04X} is not allowed: it is a control character or cannot be seen",
                ord(letter),
            )
    return ""


def name_skeleton(name: str) -> str:
    """A name's look: equal for two names that a reader would take for the same.

    Cases, widths, spaces, what is not seen, and letters of another alphabet that print alike do not
    count.
    """
    visible = unicodedata.normalize("NFKC", name.translate(INVISIBLE)).translate(LOOK_ALIKES)
    return " ".join(visible.casefold().split())
