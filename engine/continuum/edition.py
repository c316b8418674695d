"""Continuum's row: in all of this it differs from other rulebooks.

Rules: Continuum "Ship classifications" 2.3, "Mass rating" 13.4 [pc.classification]; Continuum "Sequence of play" 2.6
[pc.sequence]
"""

from __future__ import annotations

from fractions import Fraction

from engine.asks.control import CONTROLS
from engine.asks.engage import ENGAGEMENTS
from engine.asks.plot import PLOTS
from engine.combat.decoys import DECOY
from engine.combat.detection import scan_fault
from engine.combat.nova import nova_fault
from engine.continuum import sequence
from engine.continuum.cores import command_fault
from engine.continuum.defence_orders import veil_fault
from engine.continuum.drives import limits, move_fault
from engine.continuum.options import OPTIONS
from engine.continuum.squadrons import squadron_fault
from engine.continuum.thresholds import harm
from engine.continuum.weapon_orders import rest_fault
from engine.core.edition import Edition
from engine.core.geometry import SIX_ARC_BITS
from engine.core.orders import PLOT_FLAGS
from engine.design import soundness, tonnage
from engine.design.value import Notation, Yard
from engine.fighters.hangars import launch_fault
from engine.movement.docking import docking_fault, installation_fault
from engine.movement.mines import mine_fault
from engine.movement.plots import no_ftl_fault
from engine.movement.rams import ram_fault
from engine.notation.words import WORDS, Grammar
from engine.pricelists.continuum import DEFENCES, ORDNANCE, OUTFIT
from engine.ruleset import ClassificationRow, HullRow, RuleSet
from engine.sequences import Phase, Sequence
from engine.ship_profiles import ProfileRules

ANY_FTL = (("none", 0), ("standard", 1), ("advanced", 1), ("tug", 1))  # points per MASS of each FTL drive
WHOLE, NOTHING = Fraction(1), Fraction(0)
SUGGESTED, LARGEST = 300, 3000  # mass of a ship: what the book suggests, what fits on a record sheet

YARD = Yard(
    Notation(
        kinds=("warship", "merchant", "installation"),
        edition=Edition.CONTINUUM,
        design_keys=("hull", "drive", "armour", "stealth", "streamlining", "flawed", "orientation"),
        system_keys=("class", "mass", "turret", "magazine", "load", "mods", "flak", "overload", "catapult"),
        model_key="model",
    ),
    tonnage.figures,
    soundness.design_violations,
    tonnage.fits,
    (*ORDNANCE, *DEFENCES, *OUTFIT),
)


# fmt: off
CONTINUUM = RuleSet(
    edition=Edition.CONTINUUM,
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
    yard=YARD,
    choices=OPTIONS,
    idle=(
        *("magazine", "minesweeper", "adfc", "advanced-adfc", "shroud"),
        *("hangar", "combined-hangar", "launch-tube", "fighter-rack", "gunboat-rack", "boat-bay", "tender-bay"),
        "ortillery",
    ),
    decoy={**DECOY, "hull": {"boxes": 1, "rows": 4}},
    profile=ProfileRules(
        SIX_ARC_BITS, (6, 5, 4, 3, 2), 2, ("firecon", "advanced-firecon", "advanced-firecon"),
        ("screen", "advanced-screen"), {}, ("drive", "cloaking-field"),
    ),
    grammar=Grammar(PLOT_FLAGS, WORDS, double_turn=True, burns=True, otherwise=True),
    sequence=Sequence(
        (
            Phase(PLOTS, sequence.move),
            Phase(ENGAGEMENTS, sequence.engage),
            Phase(CONTROLS, sequence.control, passed_over=True),
        ),
        sequence.finish,
    ),
    harm=harm,
    plot_checks=(command_fault, nova_fault, mine_fault, scan_fault, installation_fault),
    table_checks=(
        *(move_fault, squadron_fault, rest_fault, launch_fault, no_ftl_fault, ram_fault, docking_fault, veil_fault),
    ),
    limits=limits,
    ships_return=False,
)
# fmt: on
