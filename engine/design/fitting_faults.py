"""What is wrong with a single fitting of a design that takes mass for everything.

Rules: Continuum "Ship construction summary" 14, "Fire arcs" 4.2, "Turrets" 5.22 [pc.design] [pc.arcs]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation, place
from engine.design.loads import load_faults
from engine.design.tonnage import is_broadside, ware_of
from engine.design.value import Design, Fitting
from engine.pricelists.ware import Ware
from engine.ruleset import HullRow, RuleSet

Faults = Iterator[Violation]

PLAIN_NUMBERS = (1, 3, 6)  # of arcs, that need not be said where a mount is sold in no other way


def fitting_faults(design: Design, number: int, hull: HullRow, rules: RuleSet) -> Faults:
    """Every fault of the fitting of that number. One that could not be read has no type and is passed over."""
    fitting = design.systems[number]
    if not fitting.type:
        return
    where = place("systems", number)
    if fitting.count < 1:
        yield Violation(f"{where}.count", "count", "a count is 1 or more")
    ware = ware_of(fitting, rules)
    if ware is None:
        yield from _unknown(fitting, rules, where)
        return
    if ware.kinds and design.kind not in ware.kinds:
        yield Violation(where, "other-kind", f"only {' and '.join(ware.kinds)} ships carry a {ware.name}")
    if ware.classifications and not hull.any_system and rules.size(design.mass).name not in ware.classifications:
        size = rules.size(design.mass).name
        words = f"a {ware.name} needs a hull of {' or '.join(ware.classifications)} size, not {size}"
        yield Violation(where, "classification", words)
    if ware.free and fitting.mass < 1:
        yield Violation(f"{where}.mass", "mass-missing", f"a {ware.name} says how much mass it takes, 1 or more")
    if not ware.free and fitting.mass:
        yield Violation(f"{where}.mass", "mass-not-asked", f"the mass of a {ware.name} is not chosen")
    yield from _arcs(fitting, ware, rules, f"{where}.arcs")
    for flag in fitting.flags:
        if flag not in ware.flags:
            yield Violation(f"{where}.{flag}", "upgrade-not-sold", f"a {ware.name} has no {flag}")
    if fitting.turret and not ware.turreted:
        yield Violation(f"{where}.turret", "not-for-turrets", f"a {ware.name} cannot be mounted in a turret")
    if fitting.magazine and not ware.fires:
        yield Violation(f"{where}.magazine", "magazine-not-asked", f"no magazine feeds a {ware.name}")
    yield from load_faults(fitting, ware, design, where)


def _unknown(fitting: Fitting, rules: RuleSet, where: str) -> Faults:
    rows = rules.wares.get(fitting.type, ())
    if not rows:
        yield Violation(f"{where}.type", "unknown-system", f"{rules.edition} has no system {fitting.type!r}")
        return
    models = list(dict.fromkeys(row.model for row in rows))
    if fitting.variant not in models:
        known = ", ".join(model or "(none)" for model in models)
        words = f"{rules.edition} has no {fitting.type} of the model {fitting.variant!r}; known: {known}"
        yield Violation(f"{where}.model", "unknown-variant", words)
    sizes = [row.size for row in rows if row.model == (fitting.variant if fitting.variant in models else models[0])]
    if fitting.size not in sizes:
        if sizes == [0]:
            yield Violation(f"{where}.class", "class-not-asked", f"a {fitting.type} has no classes")
            return
        words = f"a {fitting.type} is of a class: {', '.join(str(size) for size in sizes)}"
        yield Violation(f"{where}.class", "unknown-class", words)


def _arcs(fitting: Fitting, ware: Ware, rules: RuleSet, where: str) -> Faults:
    """The arcs of a mount need not lie side by side; what counts is how many it is sold with.

    Rules: Continuum "Fire arcs", "Broadside arcs" 4.2, "Turrets" 5.22 [pc.arcs]
    """
    arcs = fitting.arcs
    unknown = [arc for arc in arcs if arc not in rules.arcs]
    if unknown:
        yield Violation(where, "unknown-arc", f"no arc {', '.join(unknown)}; known: {', '.join(rules.arcs)}")
    if any(arcs.count(arc) > 1 for arc in arcs):
        yield Violation(where, "arc-twice", "an arc is given twice")
    if fitting.turret:
        if arcs:
            yield Violation(where, "arcs-in-turret", "a weapon in a turret bears where the turret is turned")
        return
    if ware.forward:
        if arcs and not unknown and set(arcs) != {rules.arcs[0]}:
            yield Violation(where, "arc-not-fore", f"a {ware.name} bears through {rules.arcs[0]} only")
        return
    if not ware.mounts:
        if arcs:
            yield Violation(where, "arcs-not-asked", f"a {ware.name} is not mounted to arcs")
        return
    sold = [number for number, _ in ware.mounts]
    if not arcs:
        if len(sold) > 1 or sold[0] not in PLAIN_NUMBERS:
            yield Violation(where, "arcs-missing", f"a {ware.name} bears through {_numbers(sold)} arcs")
        return
    if unknown or (ware.broadside and is_broadside(arcs, rules)):
        return
    if ware.broadside and len(set(arcs)) == 2 and 2 not in sold:
        yield Violation(where, "arcs-not-broadside", f"two arcs of a {ware.name} are the two of one side")
    elif len(set(arcs)) not in sold:
        words = f"a {ware.name} bears through {_numbers(sold)} arcs, not {len(set(arcs))}"
        yield Violation(where, "arcs-number", words)


def _numbers(numbers: list[int]) -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
