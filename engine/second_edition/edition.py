"""The rule set of the second edition, with everything in which it differs from other rulebooks.

Rules: 2E "Ship design and points costs", "Non-FTL ships", "Tugs", "Starbases", "Q ships"
[2e.design]; 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from fractions import Fraction

from engine.combat.detection import scan_fault
from engine.combat.nova import nova_fault
from engine.combat.unidentified import DECOY
from engine.core.edition import Edition
from engine.core.geometry import ARC_BITS
from engine.core.kinds import FtlDrive, HullKind
from engine.core.terms import ASTEROID_DESTRUCTION, SHARED, Option
from engine.craft.fighters import STANDARD
from engine.design import table_pricing
from engine.design.table_pricing import design_violations
from engine.design.value import Notation, Yard
from engine.fighters.hangars import launch_fault
from engine.movement.docking import docking_fault, installation_fault
from engine.movement.rams import ram_fault
from engine.notation.orders import Grammar
from engine.order_requests.engage import FIRE_REQUEST
from engine.order_requests.flights import FLIGHT_REQUEST
from engine.order_requests.plot import PLOT_REQUEST, no_ftl_fault
from engine.pieces.mine import mine_fault
from engine.ruleset import ClassificationRow, HullRow, RuleSet
from engine.second_edition import sequence
from engine.second_edition.damage import mark_damage_points
from engine.second_edition.fire_phase import shot_at
from engine.second_edition.mines import detonate_mine
from engine.second_edition.movement import limits, plot_fault
from engine.sequences import Phase, Sequence, end_turn
from engine.ship_profiles import ProfileRules
from engine.systems.defences import HIGHEST_SCREEN as HIGHEST_LEVEL
from engine.systems.defences import SCREENS
from engine.systems.outfit import FIGHTER_BAYS, FIRE_CONTROL, MINESWEEPERS
from engine.systems.sensors import WEASELS, scans_by_mass

HALF = Fraction(1, 2)
THREE_QUARTERS = Fraction(3, 4)
QUARTER = Fraction(1, 4)
TENTH = Fraction(1, 10)
STARSHIP = ((FtlDrive.NONE, 0), (FtlDrive.STANDARD, 1))  # points per MASS of each FTL drive
TUG = (*STARSHIP, (FtlDrive.TUG, 3))
UNPOWERED = ((FtlDrive.NONE, 0),)

WARSHIP, MERCHANT, Q_SHIP, INSTALLATION = HullKind

YARD = Yard(
    Notation(
        kinds=(WARSHIP, MERCHANT, Q_SHIP, INSTALLATION),
        edition=Edition.SECOND_EDITION,
        variant_keys=(("weasel", "class"),),
    ),
    table_pricing.figures,
    design_violations,
    table_pricing.fits,
    table_pricing.costs,
)

# fmt: off
SECOND_EDITION = RuleSet(
    edition=Edition.SECOND_EDITION,
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
        #        kind          civil  hull            damage   capacity no FTL
        #        MASS from, to, most thrust, drives
        HullRow(WARSHIP,      False, Fraction(2),    HALF,    HALF,    THREE_QUARTERS,
                1, 100, 8, STARSHIP),
        HullRow(MERCHANT,     False, Fraction(3, 2), QUARTER, TENTH,   TENTH,
                2, 100, 8, TUG,
                classification="merchant", firecons=1, thrust_per_mass=1, civil_systems_only=True),
        HullRow(Q_SHIP,       False, Fraction(3, 2), QUARTER, HALF,    HALF,
                2, 100, 8, STARSHIP,
                classification="merchant", firecons=1),
        HullRow(INSTALLATION, False, Fraction(2),    HALF,    HALF,    HALF,
                1, None, 0, UNPOWERED,
                classification="installation", rows=4, any_arc=True, any_system=True),
        HullRow(INSTALLATION, True,  Fraction(3, 2), QUARTER, TENTH,   TENTH,
                1, None, 0, UNPOWERED,
                classification="installation", rows=4, firecons=1, any_arc=True, any_system=True),
    ),
    yard=YARD,
    choices=(
        Option(
            ASTEROID_DESTRUCTION,
            "Asteroids can be destroyed",
            "Guns may fire at asteroids.",
            "2E Asteroids",
        ),
        *SHARED,
    ),
    idle=(),
    decoy=DECOY,
    profile=ProfileRules(
        ARC_BITS,
        (6, 5, 4),
        HIGHEST_LEVEL,
        ("firecon",),
        ("screen",),
        {"fighter-bay": ("fighters", STANDARD.id)},
    ),
    grammar=Grammar(),
    sequence=Sequence(
        (
            Phase(PLOT_REQUEST, sequence.move),
            Phase(FLIGHT_REQUEST, sequence.fly, passed_over=True),
            Phase(FIRE_REQUEST, sequence.engage),
        ),
        end_turn,
    ),
    harm=mark_damage_points,
    detonate_mine=detonate_mine,
    plot_checks=(plot_fault, nova_fault, mine_fault, installation_fault),
    table_checks=(scan_fault, launch_fault, no_ftl_fault, ram_fault, docking_fault),
    limits=limits,
    shot_at=shot_at,
    active_scans=scans_by_mass,
    ships_return=True,
)
# fmt: on
