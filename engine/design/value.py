"""A ship design as a value, its hull, its record sheet, and the yard that prices and checks it.

The editions' yards differ in how designs are written, measured, checked and fitted out. A rule set
contains its Yard; callers use that instead of asking for the edition.

Rules: 2E "'Standard' and 'special' hulls", "Non-FTL ships", "Starbases", "'Q' ships" [2e.design];
Continuum 13 [pc.design]
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FtlDrive, HullKind
from engine.core.reason import reason
from engine.core.sheet import Fit, Sheet
from engine.prices.system_price import SystemPrice
from engine.ruleset import HullRow, RuleSet
from engine.weapons.registry import weapon_of


@dataclass(frozen=True, slots=True)
class Fitting:
    """One or more identically mounted systems of one price list row.

    Attributes:
        variant: The model (battery A, B, C; long range torpedo).
        arcs: The arcs as written; empty if none were given.
        size: The class of a weapon that has classes.
        mass: The mass of a freely sized system.
        turret: The id of the turret that contains it.
        magazine: The id of the magazine that feeds it.
        load: Its contents, as (kind, number).
        mods: The modifications of its fighters or gunboats.
        flags: Its own upgrades (flak, overload, catapult).
    """

    type: str
    variant: str = ""
    arcs: tuple[str, ...] = ()
    count: int = 1
    size: int = 0
    mass: int = 0
    turret: str = ""
    magazine: str = ""
    load: tuple[tuple[str, int], ...] = ()
    mods: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Design:
    """A class of ship.

    The fields from `boxes` to `spot` belong to editions with freely designed hulls.

    Attributes:
        ftl: The kind of FTL drive.
        civil: Whether an installation is civil.
        printed: Figures printed in a rulebook (points, damage_points), as notes without effect.
        boxes: Hull boxes, in `hull_rows` rows.
        drive: standard or advanced.
        tows: The mass that a tug transfers.
        advanced_tug: Whether a tug has an advanced FTL drive.
        armour: (standard, regenerative) boxes of each layer, the innermost first.
        stealth: The level of a stealth hull.
        streamlining: none, partial or full.
        rams: Whether it is built to ram.
        beta: Whether arcs are rotated by 30 degrees to starboard.
        total_mass: The mass that a section's drives move; 0 means its own.
        of: The whole of which it is a section; "" for a complete ship.
        spot: The section's place in the whole, in MU (course 12 is up).
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
    boxes: int = 0
    hull_rows: int = 0
    drive: str = "standard"
    tows: int = 0
    advanced_tug: bool = False
    armour: tuple[tuple[int, int], ...] = ()
    stealth: int = 0
    streamlining: str = "none"
    flawed: bool = False
    rams: bool = False
    beta: bool = False
    total_mass: int = 0
    of: str = ""
    spot: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a design.

    Attributes:
        points: The points that count in a battle, by the options of the rule set.
        rows: The boxes of each row of the damage track, top row first.
        crew: The box, counted along the track, with which each crew factor is lost.
        cpv: The combat points value, None if the edition has none.
    """

    mass_used: int
    capacity: int
    points: int
    rows: tuple[int, ...]
    classification: str
    crew: tuple[int, ...] | None = None
    cpv: int | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """The mass and points of one row of a design, including contents."""

    mass: Fraction
    points: int


@dataclass(frozen=True, slots=True)
class Notation:
    """The keys of designs and systems that only this edition has.

    Attributes:
        variant_keys: (type, key) for types whose models have a key of their own.
        model_key: The key for models of all other types; "" if they have no models.
    """

    kinds: tuple[str, ...]
    edition: str
    design_keys: tuple[str, ...] = ()
    system_keys: tuple[str, ...] = ()
    variant_keys: tuple[tuple[str, str], ...] = ()
    model_key: str = ""

    def variant_key(self, type_: str) -> str:
        """Return the key under which a type of system gives its model, or ""."""
        own = weapon_of(self.edition, type_).model_key
        return own or next((key for of, key in self.variant_keys if of == type_), self.model_key)


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """An edition's functions for designs, and its price list of systems other than weapons.

    Attributes:
        violations: Returns every fault of a design; the third argument names unreadable keys.
        fits: Returns the systems of the record sheet, for legal designs and for drafts; systems
            that are not sold are skipped.
        costs: Returns the cost of each row of the design, None for systems that are not sold.
        price_list: The systems sold by mass, without weapons.
    """

    notation: Notation
    figures: Callable[[Design, RuleSet], Figures]
    violations: Callable[[Design, RuleSet, Collection[str]], tuple[Violation, ...]]
    fits: Callable[[Design, RuleSet], tuple[Fit, ...]]
    costs: Callable[[Design, RuleSet], tuple[Cost | None, ...]]
    price_list: tuple[SystemPrice, ...] = ()


def hull_row(design: Design, rules: RuleSet) -> HullRow:
    """Return the hull's row; a civil hull falls back to the row of its kind.

    Raises:
        RuleViolations: If the edition has no such kind of hull.
    """
    row = rules.hull(design.kind, design.civil) or rules.hull(design.kind)
    if row is None:
        raise RuleViolations(
            [
                Violation(
                    "kind",
                    "unknown-kind",
                    reason(
                        "edition-has-no-kind", "{} has no kind {!r}", rules.edition, design.kind
                    ),
                )
            ]
        )
    return row


def classification(design: Design, rules: RuleSet) -> str:
    """Return escort, cruiser, capital, merchant or installation; a Q ship passes for a merchant.

    Rules: 2E [2e.design]
    """
    return hull_row(design, rules).classification or rules.size(design.mass).name


def share(mass: int, part: Fraction) -> int:
    """Return a share of a MASS, rounded up, at least 0."""
    return max(0, ceil(mass * part))


def damage_points(design: Design, rules: RuleSet) -> int:
    """Return half the MASS for military hulls, a quarter for merchants, rounded up.

    Rules: 2E "Ship design" [2e.design]
    """
    return share(design.mass, hull_row(design, rules).damage_points)


def track_rows(design: Design, rules: RuleSet) -> tuple[int, ...]:
    """Return the boxes of each row of the damage track, top row first.

    The bottom rows get the surplus.

    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """
    rows = hull_row(design, rules).rows or rules.size(design.mass).rows
    each, surplus = divmod(damage_points(design, rules), rows)
    return tuple(each + (1 if row >= rows - surplus else 0) for row in range(rows))


def capacity(design: Design, rules: RuleSet) -> int:
    """Return the MASS of systems that the hull holds; warships without FTL hold more.

    Rules: 2E "Non-FTL ships" [2e.design]
    """
    row = hull_row(design, rules)
    return share(
        design.mass, row.capacity_without_ftl if design.ftl == FtlDrive.NONE else row.capacity
    )


def standard_firecons(design: Design, rules: RuleSet) -> int:
    """Return the number of FireCons included with the classification.

    Rules: 2E "Fire control systems" [2e.fire-control]
    """
    return hull_row(design, rules).firecons or rules.size(design.mass).firecons


def record_sheet(design: Design, rules: RuleSet, document: dict[str, Any]) -> Sheet:
    """Return the record sheet of a legal design.

    Systems are in the canonical order of the edition's yard.

    Args:
        document: The design as JSON, which the sheet keeps.
    """
    yard = rules.yard
    figures = yard.figures(design, rules)
    return Sheet(
        cls=design.cls,
        edition=rules.edition,
        kind=HullKind(design.kind),
        classification=figures.classification,
        mass=design.mass,
        thrust=design.thrust,
        ftl=design.ftl,
        points=figures.points,
        boxes=sum(figures.rows),
        rows=figures.rows,
        fits=yard.fits(design, rules),
        design=document,
        drive=design.drive,
        armour=design.armour,
        stealth=design.stealth,
        crew=figures.crew or (),
        beta=design.beta,
        flawed=design.flawed,
        rams=design.rams,
        streamlining=design.streamlining,
    )
