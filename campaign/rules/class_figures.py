"""The figures of a class by name, for comparing two classes. All functions are pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.rules.class_cards import fitting_words
from engine.core.kinds import FtlDrive
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.design.value import Design, Figures
from engine.notation.designs import parse_design
from engine.ruleset import ruleset

POINTS = phrase("Points")
CPV = phrase("CPV")
MASS = phrase("Mass")
SIZE = phrase("Size")
THRUST = phrase("Thrust")
FTL = capitalize_first(phrase("FTL drive"))
HULL = phrase("Hull")
ARMOUR = phrase("Armour")
SYSTEMS = phrase("Systems")
NAMES = (POINTS, CPV, MASS, SIZE, THRUST, FTL, HULL, ARMOUR, SYSTEMS)
NONE = phrase("none")
NOT_APPLICABLE = "–"
ADVANCED = "advanced"


def figures_of(document: Mapping[str, Any], options: Sequence[str] = ()) -> Figures:
    """Return the figures of a design. Raises RuleViolations for an invalid document."""
    return _figures(parse_design(document, options=options), options)


def _figures(design: Design, options: Sequence[str]) -> Figures:
    """Return the figures of a design under its edition's rules."""
    rules = ruleset(design.edition, options)
    return rules.yard.figures(design, rules)


def describe_figures(document: Mapping[str, Any], options: Sequence[str] = ()) -> dict[str, str]:
    """Return the figures as texts by name. Raises RuleViolations for an invalid document."""
    design = parse_design(document, options=options)
    figures = _figures(design, options)
    return {
        POINTS: str(figures.points),
        CPV: NOT_APPLICABLE if figures.cpv is None else str(figures.cpv),
        MASS: phrase("{}, {} of {} used", design.mass, figures.mass_used, figures.capacity),
        SIZE: phrase(figures.classification),
        THRUST: thrust_words(design.thrust, design.drive),
        FTL: NONE if design.ftl == FtlDrive.NONE else phrase(str(design.ftl)),
        HULL: " + ".join(map(str, figures.rows)),
        ARMOUR: " + ".join(str(sum(layer)) for layer in design.armour) or NONE,
        SYSTEMS: join_phrases("; ", [fitting_words(item) for item in design.systems]) or NONE,
    }


def thrust_words(thrust: int, drive: str) -> str:
    """Return the text of a thrust, noting an advanced drive."""
    if drive == ADVANCED:
        return phrase("{}, advanced drive", thrust)
    return str(thrust)
