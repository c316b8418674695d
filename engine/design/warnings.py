"""Warnings before a design is built: needed options, discouraged sizes, systems without effect.

Rules: Continuum "Mass rating" 13.4 [pc.classification]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation, fault_path
from engine.core.kinds import HullKind
from engine.core.reason import reason
from engine.core.terms import FLAWED_DESIGNS, RAMMING_ABILITY
from engine.design.loads import craft_in_fitting
from engine.design.mass_pricing import system_price_of
from engine.design.techbase import option_fault
from engine.design.value import Design, hull_row
from engine.english import system_words
from engine.prices.continuum import UPGRADE_OPTIONS
from engine.ruleset import RuleSet


def needed_options(design: Design, rules: RuleSet) -> tuple[str, ...]:
    """Return the options that a design needs, in the edition's order.

    Rules: Continuum 5.14, 5.16, 7.23-7.25, 13.12, 13.13 [pc.design]
    """
    needed = [option for _, option in _needs(design, rules)]
    return tuple(option for option in rules.known_options if option in needed)


def missing_options(design: Design, rules: RuleSet) -> tuple[Violation, ...]:
    """Return a fault for each option that a design needs and that is not in force."""
    options: list[Violation] = []
    for where, option in _needs(design, rules):
        if option not in rules.options:
            options.append(option_fault(where, option))
    return tuple(options)


def _needs(design: Design, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield (place, option) for everything that needs an option."""
    if design.flawed:
        yield "flawed", FLAWED_DESIGNS
    if design.rams:
        yield "rams", RAMMING_ABILITY
    for number, fitting in enumerate(design.systems):
        where = fault_path("systems", number)
        system_price = system_price_of(fitting, rules)
        if system_price is not None and system_price.option:
            yield where, system_price.option
        if system_price is not None:
            for row, _ in craft_in_fitting(fitting, system_price, design.edition):
                if row.option:
                    yield f"{where}.load", row.option
        for flag in fitting.flags:
            yield f"{where}.{flag}", UPGRADE_OPTIONS.get(flag, flag)


def design_warnings(design: Design, rules: RuleSet) -> tuple[Violation, ...]:
    """Return the warnings about a design, each with its place; none makes it illegal."""
    return (*_size(design, rules), *_idle(design, rules))


def _size(design: Design, rules: RuleSet) -> Iterator[Violation]:
    """Yield a warning if a unit is larger than the rulebook suggests.

    Rules: Continuum "Mass rating" 13.4 [pc.classification]
    """
    if rules.hull(design.kind) is None:
        return
    suggested = hull_row(design, rules).mass_suggested
    if suggested is not None and design.mass > suggested:
        words = reason(
            "better-kept-mass-larger",
            "a {} should not exceed mass {}; build larger units in sections",
            HullKind.label_of(design.kind),
            suggested,
        )
        yield Violation("mass", "mass-suggested", words)


def _idle(design: Design, rules: RuleSet) -> Iterator[Violation]:
    """Yield a warning for each system that has no effect in a battle."""
    for number, fitting in enumerate(design.systems):
        if fitting.type in rules.idle:
            words = reason(
                "no-effect-battle-book",
                "{}: has no effect in a battle, because the rulebook has no rule for it",
                system_words(fitting.type),
            )
            yield Violation(fault_path("systems", number), "idle-system", words)
