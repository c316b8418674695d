"""The editions as explicit tuples: what can be bought, how ships are classed, what each kind of hull holds.

Rules: 2E "Ship design and points costs", "Non-FTL ships", "Tugs", "Starbases", "Q ships" [2e.design]; Continuum "Ship
classifications" 2.3, "Mass rating" 13.4 [pc.classification]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from engine.core.errors import RuleViolations, Violation
from engine.core.options import option_violations
from engine.design import frames, outfits, soundness, tabled
from engine.design.legality import design_violations
from engine.design.yards import Notation, Yard
from engine.pricelists.defences import DEFENCES
from engine.pricelists.ordnance import ORDNANCE
from engine.pricelists.outfit import OUTFIT
from engine.ruleset import ClassificationRow, HullRow, RuleSet
from engine.systems.bays import FIGHTER_BAYS
from engine.systems.fire_control import FIRE_CONTROL
from engine.systems.screens import SCREENS
from engine.systems.sensors import WEASELS
from engine.systems.sweepers import MINESWEEPERS

HALF, QUARTER, TENTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)
STARSHIP = (("none", 0), ("standard", 1))  # points per MASS of each FTL drive
TUG = (*STARSHIP, ("tug", 3))
UNPOWERED = (("none", 0),)
ANY_FTL = (*STARSHIP, ("advanced", 1), ("tug", 1))
WHOLE, NOTHING = Fraction(1), Fraction(0)
SUGGESTED, LARGEST = 300, 3000  # mass of a ship by Continuum: what the book suggests, what fits on a record sheet

TABLED = Yard(
    Notation(
        kinds=("warship", "merchant", "q-ship", "installation"),
        edition="second-edition",
        variant_keys=(("weasel", "class"),),
    ),
    tabled.figures,
    design_violations,
    tabled.fits,
)
BY_MASS = Yard(
    Notation(
        kinds=("warship", "merchant", "installation"),
        edition="continuum",
        design_keys=("hull", "drive", "armour", "stealth", "streamlining", "flawed", "orientation"),
        system_keys=("class", "mass", "turret", "magazine", "load", "mods", "flak", "overload", "catapult"),
        model_key="model",
    ),
    frames.figures,
    soundness.design_violations,
    outfits.fits,
    (*ORDNANCE, *DEFENCES, *OUTFIT),
)

# fmt: off
SECOND_EDITION = RuleSet(
    edition="second-edition",
    version=1,
    arcs=("F", "S", "A", "P"),
    blind_arcs=("A",),
    fittings=(*SCREENS, *FIGHTER_BAYS, *MINESWEEPERS, *FIRE_CONTROL, *WEASELS),
    classifications=(
        #                 name   from MASS rows FireCons thrust per MASS
        ClassificationRow("escort",     1,   2,       1,              4),
        ClassificationRow("cruiser",   19,   3,       2,              2),
        ClassificationRow("capital",   37,   4,       3,              1),
    ),
    hulls=(
        #        kind      civil         hull     damage  capacity     no FTL  MASS from, to  thrust
        HullRow("warship",  False, Fraction(2),    HALF,    HALF, Fraction(3, 4), 1,  100, 8, STARSHIP),
        HullRow("merchant", False, Fraction(3, 2), QUARTER, TENTH, TENTH,         2,  100, 8, TUG,
                classification="merchant", firecons=1, thrust_per_mass=1, civil_systems_only=True),
        HullRow("q-ship",   False, Fraction(3, 2), QUARTER, HALF, HALF,           2,  100, 8, STARSHIP,
                classification="merchant", firecons=1),
        HullRow("installation", False, Fraction(2), HALF, HALF, HALF,             1, None, 0, UNPOWERED,
                classification="installation", rows=4, any_arc=True, any_system=True),
        HullRow("installation", True, Fraction(3, 2), QUARTER, TENTH, TENTH,      1, None, 0, UNPOWERED,
                classification="installation", rows=4, firecons=1, any_arc=True, any_system=True),
    ),
    yard=TABLED,
)

CONTINUUM = RuleSet(
    edition="continuum",
    version=1,
    arcs=("F", "FS", "AS", "A", "AP", "FP"),
    blind_arcs=("A",),
    fittings=(),
    classifications=(
        #                 name   from mass; the rows and FireCons a designer chooses, thrust is bought by mass
        ClassificationRow("escort",     1, 0, 0, 0),
        ClassificationRow("cruiser",   45, 0, 0, 0),
        ClassificationRow("capital",   91, 0, 0, 0),
    ),
    hulls=(
        #        kind      civil   hull points, boxes are chosen; all mass is for systems   mass from, to  thrust
        HullRow("warship",      False, WHOLE, NOTHING, WHOLE, WHOLE, 1, LARGEST, 20, ANY_FTL,
                mass_suggested=SUGGESTED),
        HullRow("merchant",     False, WHOLE, NOTHING, WHOLE, WHOLE, 1, LARGEST, 20, ANY_FTL,
                classification="merchant", mass_suggested=SUGGESTED),
        HullRow("installation", False, WHOLE, NOTHING, WHOLE, WHOLE, 1, None,  0, ANY_FTL,
                classification="installation", any_arc=True, any_system=True),
        HullRow("installation", True,  WHOLE, NOTHING, WHOLE, WHOLE, 1, None,  0, ANY_FTL,
                classification="installation", any_arc=True, any_system=True),
    ),
    yard=BY_MASS,
)
# fmt: on

EDITIONS = (SECOND_EDITION, CONTINUUM)


def ruleset(edition: str, options: Sequence[str] = ()) -> RuleSet:
    """The rule set of an edition with these options, each once and in the edition's own order.

    Raises RuleViolations where the edition or an option is unknown (the message lists the known ones), and where
    options do not go together.
    """
    found = next((rules for rules in EDITIONS if rules.edition == edition), None)
    if found is None:
        names = ", ".join(rules.edition for rules in EDITIONS)
        raise RuleViolations([Violation("edition", "unknown-edition", f"no edition {edition!r}; known: {names}")])
    faults = option_violations(edition, options)
    if faults:
        raise RuleViolations(faults)
    if not options:
        return found
    return replace(found, options=tuple(option for option in found.known_options if option in options))
