"""A ship design as a value: what the yard is told to build, before anything is priced or judged."""

from __future__ import annotations

from dataclasses import dataclass

VARIANT_KEYS = {"battery": "battery", "weasel": "class"}  # the key that tells the rows of a type apart


@dataclass(frozen=True, slots=True)
class Fitting:
    """`count` systems of one row of the price table, all mounted alike. `arcs` as written; () means none were given."""

    type: str
    variant: str = ""
    arcs: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Design:
    """A class of ship. MASS and thrust are whole numbers; `ftl` names the drive; `civil` tells civil installations.

    `printed` holds figures a rulebook prints beside the class (points, damage_points), as notes that change nothing.
    """

    cls: str
    edition: str
    kind: str
    mass: int
    thrust: int
    ftl: str
    systems: tuple[Fitting, ...] = ()
    civil: bool = False
    printed: tuple[tuple[str, int], ...] = ()
