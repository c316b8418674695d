"""Which options players must have agreed on before a design may be used at all.

The yard prices and judges such ships without asking; whoever lays down what may be built compares this with the
options in force.
"""

from __future__ import annotations

from engine.design.tonnage import ware_of
from engine.design.value import Design
from engine.pricelists.outfit import UPGRADE_OPTIONS
from engine.ruleset import RuleSet
from engine.terms import FLAWED_DESIGNS


def needed_options(design: Design, rules: RuleSet) -> tuple[str, ...]:
    """The options the design needs, in the edition's order.

    Rules: Continuum 5.14, 5.16, 7.23-7.25, 13.12, 13.13 [pc.design]
    """
    needed = [FLAWED_DESIGNS] if design.flawed else []
    for fitting in design.systems:
        ware = ware_of(fitting, rules)
        if ware is not None and ware.option:
            needed.append(ware.option)
        needed += [UPGRADE_OPTIONS.get(flag, flag) for flag in fitting.flags]
    return tuple(option for option in rules.known_options if option in needed)
