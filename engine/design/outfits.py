"""The systems of a record sheet where every system is bought by mass, in canonical order.

Rules: Continuum "System status display" 2.4, "Core systems" 10.3 [pc.design]
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from engine.core.sheet import Fit
from engine.design.loads import feeding, load_of
from engine.design.tonnage import mount_arcs, ware_of
from engine.design.value import Design, Fitting
from engine.pricelists.ware import Ware
from engine.ruleset import RuleSet

CORE = ("bridge", "life-support", "power-core")


def fits(design: Design, rules: RuleSet) -> tuple[Fit, ...]:
    """The fits: systems in the design's order, then drive, ftl and the core systems, which matter only by an option.

    `size` of a fit is its class, or what a freely sized one holds in its own units (mass of craft, berths, cargo); of
    the FTL drive, the mass a tug transfers. `flags` are its upgrades and then the modifications of the craft in it.
    """
    numbers: dict[str, int] = {}
    made: list[Fit] = []
    for fitting in design.systems:
        ware = ware_of(fitting, rules)
        if ware is None:
            continue
        for _ in range(fitting.count):
            numbers[fitting.type] = numbers.get(fitting.type, 0) + 1
            made.append(_fit(f"{fitting.type}-{numbers[fitting.type]}", fitting, ware, design, rules))
    if design.thrust > 0:
        made.append(Fit("drive", "drive", "", ()))
    if design.ftl != "none":
        made.append(Fit("ftl", "ftl", "advanced" if design.advanced_tug else "", (), size=design.tows))
    made += [Fit(name, name, "", ()) for name in CORE]
    return tuple(made)


def _fit(id_: str, fitting: Fitting, ware: Ware, design: Design, rules: RuleSet) -> Fit:
    return Fit(
        id_,
        fitting.type,
        fitting.variant,
        mount_arcs(fitting, ware, design, rules),
        ware.offensive,
        ware.expendable,
        fitting.size or floor(fitting.mass * Fraction(ware.room)),
        fitting.turret,
        (*fitting.flags, *fitting.mods),
        fitting.mass,
        load_of(fitting, design),
        next(iter(feeding(fitting, design)), ""),
    )
