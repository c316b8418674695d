"""A ship design as a value, before anything is priced or judged; its hull, what a yard makes of it,
and its record sheet.

What differs between the yards of the editions (how designs are written, measured, judged and fitted
out) is a Yard, which a rule set carries: whoever wants a design's figures, faults or systems asks
that, and no edition.
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
    """`count` systems of one row of the price list, all mounted alike.

    `arcs` as written; () means none were given.

    `variant` is the model (battery A, B, C; long range torpedo), `size` the class of a weapon that
    has classes, `mass` what a thing that is sized freely takes of the ship. `turret` and `magazine`
    name the system it stands in or is fed from. `load` is what it holds, as (kind, number); `mods`
    are what its fighters or gunboats were modified with, `flags` what the system itself was
    upgraded with (flak, overload, catapult).
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

    MASS and thrust are whole numbers; `ftl` names the drive; `civil` tells civil installations.

    What editions with chosen hulls add: `boxes` in `hull_rows` rows; `drive` standard or advanced;
    `tows`, the mass a tug transfers, `advanced_tug` with an advanced drive; `armour`, (standard,
    regenerative) boxes of each layer, the innermost first; `stealth`, the level of a stealth hull;
    `streamlining` none, partial or full; `flawed`; `rams`, built to ram; `beta`, arcs turned by 30
    degrees to starboard; `whole`, the mass that a section's drives move, 0: its own; `of` and
    `spot`, of what it is a section and where in it, in MU (course 12 is up), "": it is whole
    itself. `printed` holds figures a rulebook prints beside the class (points, damage_points), as
    notes that change nothing.
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
    whole: int = 0
    of: str = ""
    spot: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a design. `rows`: boxes of each row of the damage track, upper row first.

    `crew`: the box, counted along the track, with which each crew factor is lost; `cpv`: the combat
    points value, None where the edition has none. `points` is what a battle counts, by the options
    of the rule set.
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
    """The cost of one row of a design: mass and points of all its systems, with what they hold."""

    mass: Fraction
    points: int


@dataclass(frozen=True, slots=True)
class Notation:
    """The keys of a design and of a system that this edition has beside those all have.

    `variant_keys`: (type, key) of the text that tells the models of a type apart; `model_key` does
    so for every other type, "" where no other has models.
    """

    kinds: tuple[str, ...]
    edition: str
    design_keys: tuple[str, ...] = ()
    system_keys: tuple[str, ...] = ()
    variant_keys: tuple[tuple[str, str], ...] = ()
    model_key: str = ""

    def variant_key(self, type_: str) -> str:
        own = weapon_of(self.edition, type_).model_key
        return own or next((key for of, key in self.variant_keys if of == type_), self.model_key)


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """The functions a design goes through, and what those that sell by mass ask for what is no
    weapon.

    `violations(design, rules, unread)`: every fault; `unread` names the keys that could not be
    read. `fits` is asked for legal designs, and for drafts to be drawn; what is not sold it leaves
    out. `costs`: of each row of the design, None of one that is not sold.
    """

    notation: Notation
    figures: Callable[[Design, RuleSet], Figures]
    violations: Callable[[Design, RuleSet, Collection[str]], tuple[Violation, ...]]
    fits: Callable[[Design, RuleSet], tuple[Fit, ...]]
    costs: Callable[[Design, RuleSet], tuple[Cost | None, ...]]
    price_list: tuple[SystemPrice, ...] = ()


def hull_row(design: Design, rules: RuleSet) -> HullRow:
    """The row of the design's hull; a civil hull of a kind that has none counts as the plain one.

    Raises RuleViolations where the edition has no such kind.
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
    """escort, cruiser, capital, merchant or installation; a Q ship passes for a merchant.

    Rules: 2E [2e.design]
    """
    return hull_row(design, rules).classification or rules.size(design.mass).name


def share(mass: int, part: Fraction) -> int:
    """A share of a MASS, rounded up; nothing of less than nothing."""
    return max(0, ceil(mass * part))


def damage_points(design: Design, rules: RuleSet) -> int:
    """Half the MASS for military hulls, a quarter for merchants', rounded up.

    Rules: 2E "Ship design" [2e.design]
    """
    return share(design.mass, hull_row(design, rules).damage_points)


def track_rows(design: Design, rules: RuleSet) -> tuple[int, ...]:
    """The boxes of each row of the damage track, upper row first; the lower rows take the surplus.

    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """
    rows = hull_row(design, rules).rows or rules.size(design.mass).rows
    each, surplus = divmod(damage_points(design, rules), rows)
    return tuple(each + (1 if row >= rows - surplus else 0) for row in range(rows))


def capacity(design: Design, rules: RuleSet) -> int:
    """The MASS of systems the hull holds; warships without FTL hold more.

    Rules: 2E "Non-FTL ships" [2e.design]
    """
    row = hull_row(design, rules)
    return share(
        design.mass, row.capacity_without_ftl if design.ftl == FtlDrive.NONE else row.capacity
    )


def standard_firecons(design: Design, rules: RuleSet) -> int:
    """The FireCons that come with the classification.

    Rules: 2E "Fire control systems" [2e.fire-control]
    """
    return hull_row(design, rules).firecons or rules.size(design.mass).firecons


def record_sheet(design: Design, rules: RuleSet, document: dict[str, Any]) -> Sheet:
    """The record sheet of a design that was judged legal; `document` is the design as JSON, kept
    with it.

    Systems stand in canonical order, as the edition's yard fits them.
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
