"""What a battle is fought by: an edition with its options, as a frozen value, and the systems a ship may carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.core.options import known
from engine.design.yards import Yard
from engine.pricelists.spec import SystemSpec
from engine.pricelists.ware import Ware, by_type
from engine.weapons.registry import derived, specs_of, wares_of

Kind = Literal["warship", "merchant", "q-ship", "installation"]


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
    `blind_arcs`. `fittings` are the systems sold by the piece that are no weapons, by (type, variant);
    `classifications` stand by rising MASS; `hulls` are the kinds of ship, by (kind, civil). `yard` is how its designs
    are written, measured, judged and fitted out.
    """

    edition: str
    version: int
    arcs: tuple[str, ...]
    blind_arcs: tuple[str, ...]
    fittings: tuple[SystemSpec, ...]
    classifications: tuple[ClassificationRow, ...]
    hulls: tuple[HullRow, ...]
    yard: Yard
    options: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[SystemSpec, ...]:
        """Every system sold by the piece, weapons first."""
        return (*specs_of(self.edition), *self.fittings)

    @property
    def wares(self) -> Mapping[str, tuple[Ware, ...]]:
        """Every system sold by mass: rows by type, weapons first."""
        return _wares(self.edition, self.yard)

    @property
    def known_options(self) -> tuple[str, ...]:
        """The names of the edition's options, in its own order."""
        return known(self.edition)

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


@derived
def _wares(edition: str, yard: Yard) -> Mapping[str, tuple[Ware, ...]]:
    return by_type((*wares_of(edition), *yard.price_list))
