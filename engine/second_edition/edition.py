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
from engine.core.terms import (
    ASTEROID_DESTRUCTION,
    FIRE_BY_SHIP,
    FIXED_TABLE,
    KNOWN_CONTACTS,
    MOVING_TABLE,
    NO_DECOYS,
    NO_RAMMING,
    RAM_ON,
    SHARED,
    Option,
)
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
from engine.second_edition.fire_by_ship import open_fire_phase
from engine.second_edition.fire_phase import shot_at
from engine.second_edition.luck import counted_dice
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
    notation=Notation(
        kinds=(WARSHIP, MERCHANT, Q_SHIP, INSTALLATION),
        edition=Edition.SECOND_EDITION,
        variant_keys=(("weasel", "class"),),
    ),
    figures=table_pricing.figures,
    violations=design_violations,
    fits=table_pricing.fits,
    costs=table_pricing.costs,
)

# fmt: off
SECOND_EDITION = RuleSet(
    edition=Edition.SECOND_EDITION,
    version=1,
    arcs=("F", "S", "A", "P"),
    blind_arcs=("A",),
    fittings=(*SCREENS, *FIGHTER_BAYS, *MINESWEEPERS, *FIRE_CONTROL, *WEASELS),
    classifications=(
        ClassificationRow("escort", mass_from=1, rows=2, firecons=1, thrust_per_mass=4),
        ClassificationRow("cruiser", mass_from=19, rows=3, firecons=2, thrust_per_mass=2),
        ClassificationRow("capital", mass_from=37, rows=4, firecons=3, thrust_per_mass=1),
    ),
    hulls=(
        HullRow(
            kind=WARSHIP, civil=False, hull_points=Fraction(2), damage_points=HALF,
            capacity=HALF, capacity_without_ftl=THREE_QUARTERS,
            mass_from=1, mass_to=100, thrust_to=8, ftl=STARSHIP,
        ),
        HullRow(
            kind=MERCHANT, civil=False, hull_points=Fraction(3, 2), damage_points=QUARTER,
            capacity=TENTH, capacity_without_ftl=TENTH,
            mass_from=2, mass_to=100, thrust_to=8, ftl=TUG,
            classification="merchant", firecons=1, thrust_per_mass=1, civil_systems_only=True,
        ),
        HullRow(
            kind=Q_SHIP, civil=False, hull_points=Fraction(3, 2), damage_points=QUARTER,
            capacity=HALF, capacity_without_ftl=HALF,
            mass_from=2, mass_to=100, thrust_to=8, ftl=STARSHIP,
            classification="merchant", firecons=1,
        ),
        HullRow(
            kind=INSTALLATION, civil=False, hull_points=Fraction(2), damage_points=HALF,
            capacity=HALF, capacity_without_ftl=HALF,
            mass_from=1, mass_to=None, thrust_to=0, ftl=UNPOWERED,
            classification="installation", rows=4, any_arc=True, any_system=True,
        ),
        HullRow(
            kind=INSTALLATION, civil=True, hull_points=Fraction(3, 2), damage_points=QUARTER,
            capacity=TENTH, capacity_without_ftl=TENTH,
            mass_from=1, mass_to=None, thrust_to=0, ftl=UNPOWERED,
            classification="installation", rows=4, firecons=1, any_arc=True, any_system=True,
        ),
    ),
    yard=YARD,
    choices=(
        Option(
            ASTEROID_DESTRUCTION,
            "Asteroids can be destroyed",
            "Guns may fire at asteroids that have damage boxes.",
            "2E Asteroids",
        ),
        *SHARED,
        Option(
            NO_RAMMING,
            "No rams",
            "Ships may not ram.",
            "2E Ramming",
            alone=RAM_ON,
        ),
        Option(
            FIXED_TABLE,
            "Fixed table",
            "In battles of a war the table does not move with the battle: a ship that leaves it "
            "has left the battle.",
            "2E The moving table",
            alone=(MOVING_TABLE,),
        ),
        Option(
            KNOWN_CONTACTS,
            "Known contacts",
            "All ships are identified from the start of a battle: there are no bogeys and no "
            "decoys.",
            "2E Sensors",
        ),
        Option(
            NO_DECOYS,
            "No decoys",
            "There are no decoys that pose as ships.",
            "2E Dummy bogeys",
        ),
        Option(
            FIRE_BY_SHIP,
            "Fire ship by ship",
            "In single battles online whose phases close after ten minutes or less: a side names "
            "its next ship to fire after it has seen the fire before.",
            "2E Sequence of play",
        ),
    ),
    idle=(),
    decoy=DECOY,
    profile=ProfileRules(
        arc_bits=ARC_BITS,
        loses_on=(6, 5, 4),
        most_screens=HIGHEST_LEVEL,
        firecons=("firecon",),
        screens=("screen",),
        bays={"fighter-bay": ("fighters", STANDARD.id)},
    ),
    grammar=Grammar(),
    sequence=Sequence(
        (
            Phase(PLOT_REQUEST, sequence.move),
            Phase(FLIGHT_REQUEST, sequence.fly, passed_over=True),
            Phase(FIRE_REQUEST, sequence.engage, opens=open_fire_phase),
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
    counted_dice=counted_dice,
    ships_return=True,
)
# fmt: on
