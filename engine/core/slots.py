"""What belongs to a word of a plot, as whoever asks for orders may ask for it: which of what a ship
has or its side knows of, how many, and how each is set.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordDescription:
    """What a word is called, and what it does, in plain words. `usual`: ships say it often."""

    label: str
    help: str = ""
    usual: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some ids or words.

    `bare`: what the word means without any, where it may stand alone.
    """

    label: str
    values: tuple[str, ...]
    bare: str = ""


@dataclass(frozen=True, slots=True)
class SomeOf:
    """One or more of some ids, in turn, `most` at most."""

    label: str
    values: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`.

    `signed`: it is written with its sign, and is never 0.
    """

    label: str
    least: int
    most: int
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """A system of the ship that is set to one of some values; `now`: what it is set to; `help`:
    what that does.
    """

    system: str
    label: str
    values: tuple[str, ...]
    now: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class EachOf:
    """Systems that are set each by itself: the word is said once for each."""

    settings: tuple[Setting, ...]


Slot = OneOf | SomeOf | Number | EachOf
