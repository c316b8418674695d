"""Which options players must have agreed on before a design may be used at all.

The yard prices and judges such ships without asking; whoever lays down what may be built asks here.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation, place
from engine.core.terms import FLAWED_DESIGNS
from engine.design.tonnage import ware_of
from engine.design.value import Design
from engine.pricelists.outfit import UPGRADE_OPTIONS
from engine.ruleset import RuleSet


def needed_options(design: Design, rules: RuleSet) -> tuple[str, ...]:
    """The options the design needs, in the edition's order.

    Rules: Continuum 5.14, 5.16, 7.23-7.25, 13.12, 13.13 [pc.design]
    """
    needed = [option for _, option in _needs(design, rules)]
    return tuple(option for option in rules.known_options if option in needed)


def not_agreed(design: Design, rules: RuleSet) -> tuple[Violation, ...]:
    """What the design needs and the options in force do not hold, each at the place of what needs it."""
    return tuple(
        Violation(where, "not-agreed", f"needs the option '{option}', which is not in force")
        for where, option in _needs(design, rules)
        if option not in rules.options
    )


def _needs(design: Design, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """(place, option) of everything that needs one."""
    if design.flawed:
        yield "flawed", FLAWED_DESIGNS
    for number, fitting in enumerate(design.systems):
        where = place("systems", number)
        ware = ware_of(fitting, rules)
        if ware is not None and ware.option:
            yield where, ware.option
        for flag in fitting.flags:
            yield f"{where}.{flag}", UPGRADE_OPTIONS.get(flag, flag)
