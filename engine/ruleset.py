"""What a battle is fought by: an edition with its options, as a frozen value, and the systems a ship may carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ArcRule = Literal["none", "adjacent", "one", "fore"]
Kind = Literal["warship", "merchant", "q-ship", "installation"]


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A row of the systems table: what fitting one costs and where it may stand.

    `variant` tells the rows of one type apart (battery A, B, C; weasel cruiser, capital). `points_per_arc` is added
    for every arc, the first included. `kinds` and `classifications` that are empty mean: any.
    """

    type: str
    variant: str
    title: str
    mass: int
    points: int
    rule: str
    points_per_arc: int = 0
    arcs: ArcRule = "none"
    most: int | None = None
    civil: bool = False  # merchants may carry it
    most_on_merchant: int | None = None
    classifications: tuple[str, ...] = ()
    offensive: bool = False
    expendable: bool = False


@dataclass(frozen=True, slots=True)
class ClassificationRow:
    """What a classification brings: MASS from, rows of the damage track, standard FireCons, thrust points per MASS."""

    name: str
    mass_from: int
    rows: int
    firecons: int
    thrust_per_mass: int


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An edition and its options. A campaign pins name, options and version; no class hierarchy, no `if edition`.

    `arcs` is the edition's arc list in its order; `systems` every system that can be bought, by (type, variant).
    """

    edition: str
    version: int
    arcs: tuple[str, ...]
    systems: tuple[SystemSpec, ...]
    classifications: tuple[ClassificationRow, ...]
    known_options: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def system(self, type_: str, variant: str = "") -> SystemSpec | None:
        """The row of a system, or None where this edition has no such thing."""
        for spec in self.systems:
            if spec.type == type_ and spec.variant == variant:
                return spec
        return None

    def variants(self, type_: str) -> tuple[SystemSpec, ...]:
        return tuple(spec for spec in self.systems if spec.type == type_)
