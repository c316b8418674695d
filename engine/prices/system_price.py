"""The rows of price lists: mass and points of a system by class, model and number of arcs.

Masses and rates are whole numbers or Fractions, never floats.

Rules: Continuum "Ship construction summary" 14
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

ArcRule = Literal["none", "adjacent", "one", "fore"]

Mounts = tuple[tuple[int, int | Fraction], ...]  # (number of arcs, mass), the fewest arcs first

HALF = Fraction(1, 2)

# Groups of systems that players can agree to do without.
CORE, FIGHTERS, GUNBOATS = "core", "fighters", "gunboats"
MISSILES, MINES, WEASEL_GROUP = "missiles", "mines", "weasels"


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A row of the table of systems sold by the piece.

    Attributes:
        variant: Distinguishes the rows of one type (battery A, B, C; weasel cruiser, capital).
        points_per_arc: Additional points for every arc, including the first.
        most: The most that a ship may carry.
        classifications: The classifications that may carry it; empty means any.
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
    group: str = ""  # see CORE; a weapon's group is in its own row


@dataclass(frozen=True, slots=True)
class SystemPrice:
    """A row of the price list of systems sold by mass.

    Its mass depends on its arcs (`mounts`), or is fixed (`mass`), a share of the ship's mass
    (`share`), or chosen in the design (`free`). Its points are `rate` for each mass, plus `points`,
    plus `ship_rate` for each mass of the ship.

    Attributes:
        rates: (occasion, rate): with an option in force or a type of system aboard, this rate
            replaces rate and points.
        broadside: The mass of a mount with the two port or the two starboard arcs.
        in_pairs: The mount that is sold only in pairs ("" for any, "broadside"), or None.
        forward: Whether it bears only straight ahead.
        limit: The group of systems of which a ship may have one for every 50 mass.
        most: The most of one type on a ship.
        flags: The upgrades it may have.
        room: Its capacity for each mass, in units of its own.
        option: The option that players must have agreed on.
        unless: The option with which it is excluded.
        weightless: (option, mass): with the option it takes no mass on ships above that mass.
        grows: (option, share): with the option it takes that share of the ship's mass, at least
            `mass`, and its points grow in proportion.
        needs: The technologies that it needs, all of them (`engine.design.technologies`).
        fires: The loads of a magazine that it launches.
        by_option: (option, values): the values that an option replaces, as (field, value).
    """

    type: str
    title: str
    rule: str
    size: int = 0
    model: str = ""
    mounts: Mounts = ()
    mass: int = 0
    share: Fraction = Fraction(0)
    free: bool = False
    rate: int | Fraction = 0
    points: int = 0
    ship_rate: Fraction = Fraction(0)
    rates: tuple[tuple[str, int], ...] = ()
    broadside: int | Fraction = 0
    in_pairs: str | None = None
    forward: bool = False
    offensive: bool = False
    expendable: bool = False
    limit: str = ""
    most: int = 0
    kinds: tuple[str, ...] = ()
    classifications: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    room: int | Fraction = 0
    holds: str = ""
    turreted: bool = False
    unless: str = ""
    option: str = ""
    weightless: tuple[str, int] = ("", 0)
    grows: tuple[str, Fraction] = ("", Fraction(0))
    needs: tuple[str, ...] = ()
    fires: tuple[str, ...] = ()
    by_option: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()
    group: str = ""  # see CORE; a weapon's group is in its own row

    @property
    def name(self) -> str:
        """Its name as people write it: `beam 3`, `k-gun 2 long`."""
        return " ".join(word for word in (self.type, str(self.size or ""), self.model) if word)


def with_options(
    system_prices: Sequence[SystemPrice], options: Sequence[str]
) -> tuple[SystemPrice, ...]:
    """Return the rows of a price list as they are with these options.

    Rules: Continuum "Ship construction summary" 14 [pc.price-conflicts]
    """
    result: list[SystemPrice] = []
    for price in system_prices:
        values: dict[str, Any] = {}
        for option, replaced in price.by_option:
            if option in options:
                values |= dict(replaced)
        result.append(replace(price, **values) if values else price)
    return tuple(result)


def by_type(system_prices: Sequence[SystemPrice]) -> dict[str, tuple[SystemPrice, ...]]:
    """Return the rows of each type, in the order of the list."""
    result: dict[str, tuple[SystemPrice, ...]] = {}
    for price in system_prices:
        result[price.type] = (*result.get(price.type, ()), price)
    return result


def all_round(mass: int | Fraction) -> Mounts:
    """Return the mount of a system sold only with all six arcs."""
    return ((6, mass),)


def three_arcs(mass: int) -> Mounts:
    """Return the mount of a system sold only with three arcs."""
    return ((3, mass),)


def one_arc(mass: int, mass_per_arc: int = 0, most: int = 1) -> Mounts:
    """Return a mount with one arc, and up to `most`; each additional arc adds `mass_per_arc`."""
    result = []
    for arcs in range(1, most + 1):
        result.append((arcs, mass + mass_per_arc * (arcs - 1)))
    return tuple(result)


def by_arcs(**masses: int) -> Mounts:
    """Return the mass by number of arcs: by_arcs(one=2, three=3, six=4)."""
    return tuple((ARC_COUNTS[word], mass) for word, mass in masses.items())


ARC_COUNTS = {"one": 1, "two": 2, "three": 3, "six": 6}


HALF_OF_FIVE = Fraction(5, 2)  # two batteries take 5 mass
RATE = 3  # points for each mass

# Class: mass by arcs.
LIGHT: dict[int, Mounts] = {  # beams, EMP projectors, transporters, gravitic guns
    1: all_round(1),
    2: by_arcs(three=2, six=3),
    3: one_arc(4, mass_per_arc=1, most=6),
    4: one_arc(8, mass_per_arc=2, most=6),
}
HEAVY: dict[int, Mounts] = {  # plasma cannon, grasers, phasers
    1: by_arcs(three=1, six=2),
    2: by_arcs(three=4, six=6),
    3: one_arc(8, mass_per_arc=2, most=6),
    4: one_arc(16, mass_per_arc=4, most=6),
}
# The mounts of Gatling batteries, particle arrays, meson projectors, pulsers.
UNCLASSED_MOUNTS = by_arcs(one=2, three=3, six=4)


def by_class(
    type_: str, title: str, rule: str, mounts: Mapping[int, Mounts], needs: str, **extra: Any
) -> tuple[SystemPrice, ...]:
    """Return the rows of a weapon with classes, each with its mass by arcs.

    Args:
        needs: The technology that every class needs.
    """
    result: list[SystemPrice] = []
    for size, by_number in mounts.items():
        result.append(
            SystemPrice(
                type_,
                f"{title} {size}",
                rule,
                size,
                mounts=by_number,
                offensive=True,
                turreted=True,
                needs=(needs,),
                **{"rate": RATE, **extra},
            )
        )
    return tuple(result)


def without_classes(
    type_: str, title: str, rule: str, rate: int, needs: str, broadside: int | Fraction = 0
) -> SystemPrice:
    """Return the row of a weapon without classes.

    Args:
        broadside: The mass of a broadside mount, which is sold in pairs; 0 if there is none.
    """
    return SystemPrice(
        type_,
        title,
        rule,
        mounts=UNCLASSED_MOUNTS,
        rate=rate,
        offensive=True,
        turreted=True,
        broadside=broadside,
        in_pairs="broadside" if broadside else None,
        needs=(needs,),
    )
