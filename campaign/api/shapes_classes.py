"""What the API takes and answers about ship classes and tech bases, as types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from campaign.api.problems import Fault
from campaign.rules.classcards import ClassCard

Form = Literal["json", "yaml", "ftlibship"]


@dataclass(frozen=True, slots=True)
class ClassLine:
    """A class of my faction. `id`: of a drawing of my own, null for a class of the war's catalogue."""

    id: str | None
    card: ClassCard


@dataclass(frozen=True, slots=True)
class ClassList:
    classes: list[ClassLine]


@dataclass(frozen=True, slots=True)
class DesignGiven:
    """A design: the JSON of this project (docs/designs.md)."""

    design: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DesignText:
    """Designs as a text: one or a list of them, ours in JSON or YAML (`design`), or ships of ftLibShip."""

    text: str
    source: Literal["design", "ftlibship"] = "design"


@dataclass(frozen=True, slots=True)
class DesignCheck:
    """What a yard says of a design. `card`: its figures, null where it cannot be built; every fault with its place.

    `warnings`: what does not forbid it but should be known.
    """

    card: ClassCard | None
    violations: list[Fault]
    warnings: list[Fault]


@dataclass(frozen=True, slots=True)
class ClassText:
    """My faction's own designs as one text."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class TechLine:
    """A technology of the master list. `choices`: what naming it costs."""

    id: str
    name: str
    section: str
    choices: int


@dataclass(frozen=True, slots=True)
class TechBaseSheet:
    """What my faction's yards can build. Without a tech base (`has`: false) everything.

    `chosen`: what it named; `along`: what it has for nothing; `lacking`: what it has not. `most`: the campaign's limit.
    """

    has: bool
    name: str
    choices: int
    most: int
    chosen: list[TechLine]
    along: list[TechLine]
    lacking: list[TechLine]
