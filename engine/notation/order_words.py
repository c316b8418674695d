"""What follows a further word of a plot, read: nothing, names, a number, some of a few words.

Each function gives what was found, or raises a ValueError that says what belongs there.
"""

from __future__ import annotations


def nothing(words: list[str]) -> None:
    """For a word that stands alone."""
    if words:
        raise ValueError("nothing is needed here")


def names(words: list[str], least: int, most: int, what: str) -> tuple[str, ...]:
    """From `least` to `most` names; commas part them as spaces do."""
    found = parted(words)
    if not least <= len(found) <= most:
        raise ValueError(f"{what} is needed here")
    return found


def whole(words: list[str], least: int, most: int, what: str) -> int:
    """One whole number."""
    if len(words) != 1 or not words[0].isdecimal() or not least <= int(words[0]) <= most:
        raise ValueError(f"{what}, a whole number from {least} to {most}, is needed here")
    return int(words[0])


def some(words: list[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Some of a few known words, each once."""
    found = tuple(word.lower() for word in parted(words))
    if any(word not in known for word in found) or len(set(found)) < len(found):
        raise ValueError(f"{' or '.join(known)} is needed here, or nothing")
    return found


def one(words: list[str], known: tuple[str, ...]) -> str:
    """One of a few known words."""
    if len(words) != 1 or words[0].lower() not in known:
        raise ValueError(f"one of {', '.join(known)} is needed here")
    return words[0].lower()


def paired(words: list[str], what: str) -> tuple[str, str]:
    """A system and what it is to be set to."""
    if len(words) != 2:
        raise ValueError(f"{what} are needed here")
    return words[0].lower(), words[1]


def parted(words: list[str]) -> tuple[str, ...]:
    """The words, parted by commas as by spaces."""
    return tuple(" ".join(words).replace(",", " ").split())
