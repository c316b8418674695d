"""What a battle is fought by: an edition with its options, as a frozen value, and the systems a ship may carry."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.design.yards import Yard

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
class HullRow:
    """What a kind of hull costs and holds; military and civil hulls of one kind are two rows.

    `hull_points`, `damage_points`, `capacity` and `capacity_without_ftl` are shares of the MASS, all rounded up;
    `ftl` names the drives it may have, each with its points per MASS. An empty `classification`, and a zero in `rows`,
    `firecons` or `thrust_per_mass`, mean: as the classification row of its MASS says. `mass_to` None: no limit.
    `civil_systems_only`: merchants' systems. `any_arc`: it may fire aft. `any_system`: no system asks for its size.
    `mass_suggested`: the mass beyond which there is a warning.
    """

    kind: str
    civil: bool
    hull_points: Fraction
    damage_points: Fraction
    capacity: Fraction
    capacity_without_ftl: Fraction
    mass_from: int
    mass_to: int | None
    thrust_to: int
    ftl: tuple[tuple[str, int], ...]
    classification: str = ""
    rows: int = 0
    firecons: int = 0
    thrust_per_mass: int = 0
    civil_systems_only: bool = False
    any_arc: bool = False
    any_system: bool = False
    mass_suggested: int | None = None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An edition and its options. A campaign pins name, options and version; no class hierarchy, no `if edition`.

    `arcs` is the edition's arc list in its order, fore first, round the ship; no ship fires offensive weapons through
    `blind_arcs`. `systems` is every system that can be bought, by (type, variant);
    `classifications` stand by rising MASS; `hulls` are the kinds of ship, by (kind, civil). `yard` is how its designs
    are written, measured, judged and fitted out.
    """

    edition: str
    version: int
    arcs: tuple[str, ...]
    blind_arcs: tuple[str, ...]
    systems: tuple[SystemSpec, ...]
    classifications: tuple[ClassificationRow, ...]
    hulls: tuple[HullRow, ...]
    yard: Yard
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

    def hull(self, kind: str, civil: bool = False) -> HullRow | None:
        """The row of a kind of hull, or None where this edition has no such kind."""
        for row in self.hulls:
            if row.kind == kind and row.civil == civil:
                return row
        return None

    def size(self, mass: int) -> ClassificationRow:
        """The classification row a MASS falls into; the lowest one for less than any."""
        found = self.classifications[0]
        for row in self.classifications:
            if row.mass_from <= mass:
                found = row
        return found
