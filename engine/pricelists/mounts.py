"""What the classes of weapons that look like beams weigh by their arcs, several families alike.

Rules: Continuum "Direct fire weapons" 5.3-5.12, 14.4 [pc.design]
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.pricelists.ware import Mounts, Ware, all_round, by_arcs, one_arc

HALF_OF_FIVE = Fraction(5, 2)  # two batteries take 5 mass
RATE = 3  # points for each mass

# class: mass by arcs
LIGHT: dict[int, Mounts] = {  # beams, EMP projectors, transporters, gravitic guns
    1: all_round(1),
    2: by_arcs(three=2, six=3),
    3: one_arc(4, more=1, most=6),
    4: one_arc(8, more=2, most=6),
}
HEAVY: dict[int, Mounts] = {  # plasma cannon, grasers, phasers
    1: by_arcs(three=1, six=2),
    2: by_arcs(three=4, six=6),
    3: one_arc(8, more=2, most=6),
    4: one_arc(16, more=4, most=6),
}
NIMBLE = by_arcs(one=2, three=3, six=4)  # Gatling batteries, particle arrays, meson projectors, pulsers


def by_class(
    type_: str, title: str, rule: str, mounts: Mapping[int, Mounts], needs: str, **more: Any
) -> tuple[Ware, ...]:
    """The rows of a weapon sold by classes, each with its mass by arcs; `needs`: the technology of all."""
    return tuple(
        Ware(
            type_, f"{title} {size}", rule, size, mounts=by_number, offensive=True, turreted=True, needs=(needs,),
            **{"rate": RATE, **more},
        )
        for size, by_number in mounts.items()
    )  # fmt: skip


def nimble(type_: str, title: str, rule: str, rate: int, needs: str, broadside: int | Fraction = 0) -> Ware:
    """The row of a weapon without classes; with a `broadside` those are sold by twos."""
    return Ware(
        type_, title, rule, mounts=NIMBLE, rate=rate, offensive=True, turreted=True,
        broadside=broadside, in_pairs="broadside" if broadside else None, needs=(needs,),
    )  # fmt: skip
