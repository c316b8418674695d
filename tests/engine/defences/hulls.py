"""Ships of Continuum built without a design, for rules that need none: systems, armour, stealth."""

from __future__ import annotations

from typing import Any

from engine.core.edition import Edition
from engine.core.ids import ShipId
from engine.core.kinds import HullKind
from engine.core.sheet import Fit, Sheet
from engine.core.ship import ShipState
from engine.core.state import PLOT, BattleState
from engine.core.terms import Terms
from engine.ship_profiles import new_ship

ALL_ROUND = ("F", "FS", "AS", "A", "AP", "FP")


def sheet_of(systems: str, **more: Any) -> Sheet:
    """Return a sheet with four rows of five boxes and systems: `screen screen area-screen ecm`."""
    numbers: dict[str, int] = {}
    fits = []
    for type_ in ("firecon " + systems).split():
        numbers[type_] = numbers.get(type_, 0) + 1
        model = "small" if type_.startswith("spinal") else ""
        fits.append(Fit(f"{type_}-{numbers[type_]}", type_, model, ALL_ROUND, size=1))
    fits += [Fit("drive", "drive", "", ()), Fit("ftl", "ftl", "", ())]
    rows = more.pop("rows", (5, 5, 5, 5))
    return Sheet(
        more.pop("cls", "Hull"),
        Edition.CONTINUUM,
        HullKind.WARSHIP,
        "cruiser",
        100,
        6,
        "standard",
        300,
        sum(rows),
        rows,
        tuple(fits),
        **more,
    )


def hull(
    id_: str,
    systems: str = "",
    at: tuple[float, float] = (10.0, 10.0),
    side: int = 0,
    velocity: int = 0,
    **more: Any,
) -> ShipState:
    """Return a ship on course 12; `armour`, `stealth` and `rows` are its sheet's."""
    return new_ship(ShipId(id_), side, sheet_of(systems, **more), at, 12, velocity)


def battle_of(*ships: ShipState, hostile: tuple[int, ...] = (2, 1)) -> BattleState:
    """Return two sides at war; ships with `side=1` are the other's."""
    names = ("red", "blue", "gold")[: len(hostile)]
    terms = Terms(edition=Edition.CONTINUUM)
    return BattleState(names, hostile, (72.0, 48.0), False, 1, PLOT, list(ships), terms)
