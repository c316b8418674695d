"""What is not forbidden, but should be known before a design is built: sizes the book advises against, idle systems.

Rules: Continuum "Mass rating" 13.4 [pc.classification]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation, place
from engine.design.hulls import hull_row
from engine.design.value import Design
from engine.ruleset import RuleSet
from engine.weapons.registry import types_with
from engine.weapons.weapon import Trait


def design_warnings(design: Design, rules: RuleSet) -> tuple[Violation, ...]:
    """What should be known of a design before it is built, each with its place. None of it forbids anything."""
    return (*_size(design, rules), *_idle(design, rules))


def _size(design: Design, rules: RuleSet) -> Iterator[Violation]:
    """Rules: Continuum "Mass rating" 13.4 [pc.classification]"""
    if rules.hull(design.kind) is None:
        return
    suggested = hull_row(design, rules).mass_suggested
    if suggested is not None and design.mass > suggested:
        words = f"a {design.kind} is better kept to mass {suggested}; larger things are built in sections"
        yield Violation("mass", "mass-suggested", words)


def idle_types(rules: RuleSet) -> tuple[str, ...]:
    """The types that do nothing in a battle yet."""
    return (*types_with(rules.edition, Trait.IDLE), *rules.idle)


def _idle(design: Design, rules: RuleSet) -> Iterator[Violation]:
    idle = idle_types(rules)
    for number, fitting in enumerate(design.systems):
        if fitting.type in idle:
            words = f"{fitting.type.replace('-', ' ')}: does nothing in a battle yet"
            yield Violation(place("systems", number), "idle-system", words)
