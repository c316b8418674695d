"""The arguments of a word of a plot, for forms: choices, numbers and settings of systems."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordDescription:
    """The label and help of a word of an order; players often give the `usual` ones."""

    label: str
    help: str = ""
    usual: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """A choice of one id or word.

    Attributes:
        bare: What the word means without an argument, if that is allowed.
    """

    label: str
    values: tuple[str, ...]
    bare: str = ""


@dataclass(frozen=True, slots=True)
class SomeOf:
    """A choice of one or more ids in order, at most `most`."""

    label: str
    values: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`.

    Attributes:
        signed: It is written with its sign and is never 0.
    """

    label: str
    least: int
    most: int
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """A system of the ship that can be set to one of several values.

    Attributes:
        now: The present value.
        help: What the setting does.
    """

    system: str
    label: str
    values: tuple[str, ...]
    now: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class EachOf:
    """Systems that are set one by one; the word is written once for each."""

    settings: tuple[Setting, ...]


Slot = OneOf | SomeOf | Number | EachOf
