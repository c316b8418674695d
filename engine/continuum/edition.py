"""The rule set of Continuum and its options.

Rules: Continuum "Ship classifications" 2.3, "Mass rating" 13.4 [pc.classification]; Continuum
"Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.combat.detection import scan_fault
from engine.combat.nova import nova_fault
from engine.combat.unidentified import DECOY
from engine.continuum import sequence
from engine.continuum.aiming import shot_at
from engine.continuum.boarding_orders import BoardAlongside
from engine.continuum.cores import command_fault
from engine.continuum.craft.decks import launch_fault
from engine.continuum.damage import mark_damage_points
from engine.continuum.defence_orders import (
    Cloak,
    Detonate,
    Jam,
    RaiseReflexField,
    SwitchStealth,
    hidden_fault,
)
from engine.continuum.drives import Roll, UseEmergencyThrust, move_fault, plot_limits
from engine.continuum.fleet_morale import withdrawal_fault
from engine.continuum.gates import ActivateGate, EnterGate, ShutGate
from engine.continuum.luck import counted_dice
from engine.continuum.mines import detonate_mine
from engine.continuum.orbits import MakeOrbit, SwingBy, orbit_fault
from engine.continuum.ortillery import Bombard
from engine.continuum.readings import blinding_fault, scans_of
from engine.continuum.riders import BearDamage, Detach, carried_fault
from engine.continuum.sections import section_fault
from engine.continuum.squadrons import FallIn, FlyAlone, squadron_fault
from engine.continuum.terrain import place_terrain
from engine.continuum.towing import Tow, tow_fault
from engine.continuum.weapon_orders import (
    ChargeWaveGuns,
    Overload,
    SetWeapon,
    ShapeBolt,
    TurnTurret,
    rest_fault,
)
from engine.core.edition import Edition
from engine.core.geometry import SIX_ARC_BITS
from engine.core.kinds import FtlDrive, HullKind
from engine.core.orders import PLOT_FLAGS
from engine.core.terms import (
    ACES,
    ADVANCED_MISSILES,
    ADVANCED_SENSORS,
    AFT_FIRE,
    ASTEROID_DESTRUCTION,
    BATTLE_DEBRIS,
    BOARDING,
    CATAPULTS,
    CIVIL_WAR,
    CLOUDS,
    COMBINED_HANGARS,
    CORE_SYSTEMS,
    CPV,
    DOCKED_FIRE,
    DOGFIGHT_ACTIONS,
    DRIVE_DAMAGE,
    EMERGENCY_THRUST,
    FIGHTER_MORALE,
    FIGHTERS_AND_GUNBOATS,
    FLAK,
    FLARES,
    FLAWED_DESIGNS,
    FLEET_MORALE,
    FREE_ADFC,
    HANGAR_CRITICALS,
    JUMP_POINTS,
    KNOCKED_OFF_COURSE,
    KNOWN_CONTACTS,
    LATE_STRIKING,
    MIXED_MOVEMENT,
    MOVING_TABLE,
    MULTI_ROLE,
    NAMED_CRAFT,
    NO_DECOYS,
    NO_MULTI_STAGE,
    NO_RAMMING,
    NO_REPAIRS,
    NO_SHORT_K_GUNS,
    ONE_NAVY,
    ORBITAL_TABLE,
    OVERLOAD,
    PLANETS,
    POINT_DEFENCE_COSTS,
    POINT_DEFENCE_LEVEL,
    RAM_ON,
    RAMMING_ABILITY,
    REACTOR_BREACH,
    REAR_ATTACK,
    REFUSE_DOGFIGHTS,
    SCATTERGUN_FOUR,
    SCIENCE_FICTION,
    SENSOR_ECM,
    SENSORS_BY_RANGE,
    SHAPED_BOLTS,
    SHARED,
    SHARED_ORBITS,
    SHORT_SPINES,
    SIMPLE_PLANET,
    STRIKING,
    SWARMS,
    TABLE_PRICES,
    TABLE_RETURN,
    TABLE_SENSORS,
    VECTOR,
    WIDE_LOCK_ON,
    Option,
)
from engine.design import mass_design_faults, mass_pricing
from engine.design.value import Notation, Yard
from engine.movement.docking import docking_fault, installation_fault
from engine.movement.orbital_table import round_fault
from engine.movement.rams import ram_fault
from engine.notation.orders import Grammar
from engine.order_requests.attack import ATTACK_REQUEST
from engine.order_requests.auto_point_defence import AUTO_POINT_DEFENCE_REQUEST
from engine.order_requests.board import BOARDER_REQUEST
from engine.order_requests.control import CONTROL_REQUEST
from engine.order_requests.craft_flights import PLOTTED_FLIGHT_REQUEST, SECONDARY_REQUEST
from engine.order_requests.defend import POINT_DEFENCE_REQUEST
from engine.order_requests.engage import FIRE_REQUEST
from engine.order_requests.launch import LAUNCH_REQUEST
from engine.order_requests.order_of_others import ORDER_OF_OTHERS_REQUEST
from engine.order_requests.plot import PLOT_REQUEST, no_ftl_fault
from engine.pieces.mine import mine_fault
from engine.prices.continuum import DEFENCES, ORDNANCE, OUTFIT
from engine.ruleset import AsteroidRules, ClassificationRow, DockingRules, HullRow, RuleSet
from engine.sequences import Phase, Sequence
from engine.ship_profiles import ProfileRules

OPTIONS = (
    Option(VECTOR, "Vector movement",
           "Ships keep drifting while they turn: course and facing can differ.",
           "Continuum 12.12", alone=(VECTOR, MIXED_MOVEMENT)),
    Option(MIXED_MOVEMENT, "Mixed movement",
           "Some ships use vector movement, the others course movement.",
           "Continuum 12.12", alone=(VECTOR, MIXED_MOVEMENT)),
    Option(WIDE_LOCK_ON, "Wide lock-on",
           "Missiles lock on to ships in vector movement within 6 MU, as to all others, "
           "instead of 3.",
           "Continuum 6.3", needs=VECTOR),
    Option(EMERGENCY_THRUST, "Emergency thrust",
           "50% more thrust, and more than half of it for turns, at the risk of damaging the "
           "drive.",
           "Continuum 3.6"),
    Option(TABLE_RETURN, "Ships may return",
           "A ship that leaves the table rolls a die: on 4 to 6 it returns after that many turns.",
           "Continuum 3.9", alone=(ORBITAL_TABLE,)),
    *SHARED,
    Option(NO_RAMMING, "No rams",
           "Ships may not ram.", "Continuum 16.7", alone=(*RAM_ON, RAMMING_ABILITY)),
    Option(ASTEROID_DESTRUCTION, "Asteroids can be destroyed",
           "Weapons may fire at asteroids that have damage boxes.", "Continuum 17.1"),
    Option(CLOUDS, "Clouds",
           "One to three clouds are on the table, unless the battle has its own: they hide "
           "ships, weaken beams and damage fast ships.", "Continuum 17.2"),
    Option(FLARES, "Solar flares",
           "Roll a die each turn: on a 6 the star flares, and FireCons and better sensors may "
           "burn out.",
           "Continuum 17.3"),
    Option(SWARMS, "Meteor swarm",
           "A swarm of meteors drifts across the table, unless the battle has its own.",
           "Continuum 17.4"),
    Option(JUMP_POINTS, "Disorienting jump points",
           "A ship that comes out of a jump point takes no orders until the next turn.",
           "Continuum 11.10"),
    Option(BATTLE_DEBRIS, "Battle debris",
           "A ship destroyed by fire may blow up; its debris flies on for a turn.",
           "Continuum 17.5"),
    Option(PLANETS, "A planet",
           "A planet is placed in the middle of the table, unless the battle has its own. It "
           "has gravity; ships can orbit it and land.",
           "Continuum 17.8, 17.9", alone=(PLANETS, SIMPLE_PLANET)),
    Option(SIMPLE_PLANET, "A simple planet",
           "A planet with the simple rules is placed in the middle of the table, unless the "
           "battle has its own.", "Continuum 17.10", alone=(PLANETS, SIMPLE_PLANET)),
    Option(ORBITAL_TABLE, "Orbital table",
           "The table is part of an orbit: a ship that leaves it flies round the planet below "
           "and returns over the opposite edge in three to five turns.",
           "Continuum 17.7", alone=(MOVING_TABLE, TABLE_RETURN)),
    Option(SHARED_ORBITS, "Crowded orbits",
           "Ships of several sides may share a point of an orbit. There they fire at each "
           "other at range 1 MU, through any arc.", "Continuum 17.8"),
    Option(AFT_FIRE, "Fire through the stern",
           "A ship that used no thrust may fire aft.", "Continuum 4.2"),
    Option(REAR_ATTACK, "Attacks from astern",
           "Fire through a ship's rear arc ignores its armour.", "Continuum 4.10"),
    Option(DOCKED_FIRE, "Docked ships fire",
           "A ship that is docked outside another may fire its weapons, but cannot launch missiles "
           "or craft.",
           "Continuum 13.15"),
    Option(DRIVE_DAMAGE, "Fragile drives",
           "If two or more rows end at once, the drive is checked twice.", "Continuum 4.11"),
    Option(KNOCKED_OFF_COURSE, "Knocked off course",
           "A threshold check may turn the ship by one point; in vector movement its drift can "
           "change too.",
           "Continuum 12.11"),
    Option(KNOWN_CONTACTS, "Known contacts",
           "All ships are identified from the start of a battle: there are no bogeys and no "
           "decoys.",
           "Continuum 12.1"),
    Option(ADVANCED_SENSORS, "Closed record sheets",
           "Enemies see only a ship's class. Scans with enhanced or superior sensors show what "
           "is aboard.", "Continuum 12.2"),
    Option(SENSORS_BY_RANGE, "Sensors by range",
           "Scans of closed record sheets roll no die: within 24 MU enhanced sensors show the "
           "systems with their craft and missiles, within 36 MU superior sensors show everything, "
           "with what is left in stores. Superior sensors identify contacts to 48 MU.",
           "Continuum 13.13", needs=ADVANCED_SENSORS, alone=(SENSOR_ECM,)),
    Option(NO_DECOYS, "No decoys",
           "There are no decoys that pose as ships, and no weasels.",
           "Continuum 12.3", of_designs=True),
    Option(SENSOR_ECM, "ECM against sensors",
           "Active ECM removes a die from such scans, friendly and hostile.",
           "Continuum 12.4", needs=ADVANCED_SENSORS),
    Option(CORE_SYSTEMS, "Core systems",
           "Bridge, life support and power core can be hit.", "Continuum 10.3"),
    Option(REACTOR_BREACH, "Reactor breaches",
           "A power core that explodes damages ships nearby.",
           "Continuum 10.3", needs=CORE_SYSTEMS),
    Option(NO_REPAIRS, "No damage control",
           "Systems that are knocked out cannot be repaired before the end of the battle.",
           "Continuum 18.2"),
    Option(BOARDING, "Boarding",
           "Marines and damage control parties may board and capture other ships.",
           "Continuum 12.7"),
    Option(FIGHTER_MORALE, "Fighter morale",
           "A group that has lost fighters rolls a die before it attacks. If the roll is "
           "higher than the number of fighters left, it breaks off.", "Continuum 8.17"),
    Option(ACES, "Aces and turkeys",
           "Roll a die for each group of fighters: on a 6 it has an ace, on a 1 all its pilots "
           "are turkeys.", "Continuum 8.18"),
    Option(DOGFIGHT_ACTIONS, "Dogfight actions",
           "Fighters in a dogfight act in turn: they engage, break off, or stay on target. "
           "Each action uses fuel.", "Dogfight actions", alone=(REFUSE_DOGFIGHTS,)),
    Option(REFUSE_DOGFIGHTS, "Refusing dogfights",
           "Fighters that have not moved may fly on when other fighters attack them; slower "
           "attackers cannot fire.", "Continuum 8.10", alone=(DOGFIGHT_ACTIONS,)),
    Option(FLEET_MORALE, "Fleet morale",
           "A fleet withdraws once it has lost half of its mass, or the share that the battle "
           "sets.",
           "Continuum 12.8"),
    Option(STRIKING, "Striking the colours",
           "At each threshold check the ship also rolls, at the same odds, to see whether it "
           "surrenders to the nearest enemy.", "Continuum 12.9"),
    Option(LATE_STRIKING, "No early surrender",
           "Ships surrender at the odds of losing a core system, never at the end of their "
           "first row.",
           "Continuum 12.9", needs=STRIKING),
    Option(CIVIL_WAR, "Civil war",
           "If the ships of both sides come from the same navy, direct fire adds 1 to its dice.",
           "Continuum 12.10"),
    Option(POINT_DEFENCE_LEVEL, "Point defence by level",
           "All defences of a ship add up to one level, and every attack on it rolls against "
           "that level.",
           "Fighters by point defence level 1.2"),
    Option(ADVANCED_MISSILES, "Advanced heavy missiles",
           "Heavy missiles roll one band lower against point defence levels.",
           "Fighters by point defence level 1.3", needs=POINT_DEFENCE_LEVEL),
    Option(POINT_DEFENCE_COSTS, "Expensive area defence",
           "Area defence fire control takes 1/40 of its ship's mass, at least 2, and an attack "
           "fighter costs 5 points.",
           "Fighters by point defence level 1.7", of_designs=True,
           alone=(POINT_DEFENCE_COSTS, FREE_ADFC, TABLE_PRICES)),
    Option(OVERLOAD, "Overloaded torpedoes",
           "Pulse torpedoes may be overloaded.", "Continuum 5.14", of_designs=True),
    Option(FLAK, "Flak",
           "K-guns may carry shells that burst among fighters and missiles.",
           "Continuum 5.16", of_designs=True),
    Option(NO_MULTI_STAGE, "No multi-stage missiles",
           "There are no two-stage missiles.", "Continuum 6.6", of_designs=True),
    Option(NO_SHORT_K_GUNS, "No light K-guns",
           "There are no class 1 short range K-guns.", "Continuum 5.16", of_designs=True),
    Option(SHAPED_BOLTS, "Shaped plasma bolts",
           "A plasma bolt may be shaped and fired at a ship like a projectile.", "Continuum 6.8"),
    Option(MULTI_ROLE, "Wider multi-role fighters",
           "Multi-role fighters may be fitted out as missile fighters and assault shuttles too.",
           "Continuum 8.15"),
    Option(FIGHTERS_AND_GUNBOATS, "Fighters and gunboats",
           "A tech base may include both fighters and gunboats.",
           "Continuum 15.8", of_designs=True),
    Option(NAMED_CRAFT, "Craft that the book only names",
           "There are EMP, needle and rocket fighters, and EMP, gravitic and boarding torpedo "
           "gunboats, with figures of our own.", "Continuum 9.1, 15.1", of_designs=True),
    Option(FLAWED_DESIGNS, "Flawed designs",
           "Ships may be built cheaply, but hits may blow them up.",
           "Continuum 13.13", of_designs=True),
    Option(RAMMING_ABILITY, "Ships built to ram",
           "For 1 point per mass, ships may be built whose crews ram without a roll.",
           "Continuum 16.7", of_designs=True, alone=(NO_RAMMING,)),
    Option(HANGAR_CRITICALS, "Critical hits on hangars",
           "A hangar that is hit may burn; hangars are cheaper.",
           "Continuum 10.2", of_designs=True),
    Option(CATAPULTS, "Catapults",
           "Launch tubes may launch fighters from a ship that uses thrust.",
           "Continuum 13.12", of_designs=True),
    Option(SCATTERGUN_FOUR, "Scatterguns of four dice",
           "A scattergun rolls four point defence dice against fighters and missiles, not one die "
           "that counts as it shows.", "Continuum 8.8"),
    Option(SHORT_SPINES, "Shorter spinal mounts",
           "Medium spinal mounts reach 32 MU and class 3 heavy grasers 48 MU, as in the quick "
           "reference.", "Continuum 14"),
    Option(ONE_NAVY, "One navy, one kind of drive",
           "All ships that a side builds have the same kind of drive, of FTL drive and of hangar.",
           "Continuum 13.10, 13.12", of_designs=True),
    Option(COMBINED_HANGARS, "Combined hangars",
           "Hangars with their own launch gear.", "Continuum 13.12", of_designs=True),
    Option(FREE_ADFC, "Area defence without mass",
           "Area defence fire control takes no mass on ships of more than mass 20.",
           "Continuum 7.10", of_designs=True, alone=(POINT_DEFENCE_COSTS, FREE_ADFC)),
    Option(CPV, "Combat points",
           "A hull costs its mass squared, divided by 100: large ships are more expensive.",
           "Continuum 18.3", of_designs=True),
    Option(TABLE_PRICES, "Prices of the summary tables",
           "Where the summary tables and the description of a system differ, the tables decide its "
           "mass and points: FireCons, ADFCs, sensors, cloaks, fighter racks, catapults and light "
           "K-guns.",
           "Continuum 14", of_designs=True, alone=(POINT_DEFENCE_COSTS, TABLE_SENSORS)),
    Option(TABLE_SENSORS, "Sensors at table prices",
           "Enhanced sensors take 2 mass and cost 8 points, superior sensors 4 mass and 16 points.",
           "Continuum 14.3", of_designs=True, alone=(TABLE_PRICES,)),
    Option(SCIENCE_FICTION, "Wonder weapons",
           "Nova cannons, wave guns and reflex fields may be fitted.",
           "Continuum 7.23-7.25", of_designs=True),
)  # fmt: skip


# Points per MASS of each FTL drive.
ANY_FTL = tuple((drive, int(drive != FtlDrive.NONE)) for drive in FtlDrive)
WHOLE, NOTHING = Fraction(1), Fraction(0)
# Mass of a ship: the rulebook's suggestion, and what fits on a record sheet.
SUGGESTED, LARGEST = 300, 3000
MAX_THRUST = 20

# The systems that hold craft: the family, and the type if the design names none ("" for empty).
BAYS = {
    **dict.fromkeys(("hangar", "combined-hangar", "fighter-rack"), ("fighters", "")),
    **dict.fromkeys(("gunboat-rack", "boat-bay"), ("gunboats", "")),
}

WARSHIP, MERCHANT, INSTALLATION = HullKind.WARSHIP, HullKind.MERCHANT, HullKind.INSTALLATION

YARD = Yard(
    notation=Notation(
        kinds=(WARSHIP, MERCHANT, INSTALLATION),
        edition=Edition.CONTINUUM,
        design_keys=(
            "hull",
            "drive",
            "armour",
            "stealth",
            "streamlining",
            "flawed",
            "rams",
            "orientation",
            "total_mass",
            "section",
        ),
        system_keys=(
            "class",
            "mass",
            "turret",
            "magazine",
            "load",
            "mods",
            "flak",
            "overload",
            "catapult",
        ),
        model_key="model",
    ),
    figures=mass_pricing.figures,
    violations=mass_design_faults.design_violations,
    fits=mass_pricing.fits,
    costs=mass_pricing.costs,
    price_list=(*ORDNANCE, *DEFENCES, *OUTFIT),
)


def _hull(
    kind: HullKind,
    *,
    civil: bool = False,
    mass_to: int | None = LARGEST,
    thrust_to: int = MAX_THRUST,
    **columns: Any,
) -> HullRow:
    """Return the row of a kind of hull: its boxes are chosen, and all its mass is for systems.

    Args:
        columns: Further fields of the row.
    """
    return HullRow(
        kind=kind,
        civil=civil,
        hull_points=WHOLE,
        damage_points=NOTHING,
        capacity=WHOLE,
        capacity_without_ftl=WHOLE,
        mass_from=1,
        mass_to=mass_to,
        thrust_to=thrust_to,
        ftl=ANY_FTL,
        **columns,
    )


# fmt: off
CONTINUUM = RuleSet(
    edition=Edition.CONTINUUM,
    version=1,
    arcs=("F", "FS", "AS", "A", "AP", "FP"),
    blind_arcs=("A",),
    fittings=(),
    classifications=(
        # The designer chooses rows and FireCons, and buys thrust by mass.
        ClassificationRow("escort",  mass_from=1,  rows=0, firecons=0, thrust_per_mass=0),
        ClassificationRow("cruiser", mass_from=45, rows=0, firecons=0, thrust_per_mass=0),
        ClassificationRow("capital", mass_from=91, rows=0, firecons=0, thrust_per_mass=0),
    ),
    hulls=(
        _hull(WARSHIP, mass_suggested=SUGGESTED),
        _hull(MERCHANT, classification="merchant", mass_suggested=SUGGESTED),
        _hull(INSTALLATION, mass_to=None, thrust_to=0, classification="installation",
              any_arc=True, any_system=True),
        _hull(INSTALLATION, civil=True, mass_to=None, thrust_to=0, classification="installation",
              any_arc=True, any_system=True),
    ),
    yard=YARD,
    choices=OPTIONS,
    idle=(
        *("shroud",),
    ),
    decoy={**DECOY, "hull": {"boxes": 1, "rows": 4}},
    swift_decoy={**DECOY, "mass": 20, "thrust": 16, "hull": {"boxes": 2, "rows": 4}},
    profile=ProfileRules(
        arc_bits=SIX_ARC_BITS,
        loses_on=(6, 5, 4, 3, 2),
        most_screens=2,
        firecons=("firecon", "advanced-firecon", "advanced-firecon"),
        screens=("screen", "advanced-screen"),
        bays=BAYS,
        twice=("drive", "cloaking-field"),
    ),
    grammar=Grammar(
        PLOT_FLAGS,
        (FlyAlone, BoardAlongside, Bombard, ChargeWaveGuns, Cloak, Detonate, UseEmergencyThrust,
         Jam, MakeOrbit, Overload, RaiseReflexField, Roll, SetWeapon, ShapeBolt, FallIn, SwingBy,
         SwitchStealth, Tow, TurnTurret, EnterGate, ActivateGate, ShutGate, Detach, BearDamage),
        double_turn=True, burns=True, otherwise=True,
    ),
    sequence=Sequence(
        (
            Phase(PLOT_REQUEST, sequence.move,
                  further_asks=(LAUNCH_REQUEST, PLOTTED_FLIGHT_REQUEST, SECONDARY_REQUEST,
                                AUTO_POINT_DEFENCE_REQUEST)),
            Phase(ATTACK_REQUEST, sequence.attack, passed_over=True,
                  further_asks=(SECONDARY_REQUEST,)),
            Phase(POINT_DEFENCE_REQUEST, sequence.defend, passed_over=True,
                  unasked=sequence.resolve_unopposed, further_asks=(AUTO_POINT_DEFENCE_REQUEST,)),
            Phase(FIRE_REQUEST, sequence.engage, further_asks=(ORDER_OF_OTHERS_REQUEST,)),
            Phase(CONTROL_REQUEST, sequence.control, passed_over=True,
                  further_asks=(BOARDER_REQUEST,)),
        ),
        sequence.finish,
    ),
    harm=mark_damage_points,
    detonate_mine=detonate_mine,
    plot_checks=(command_fault, nova_fault, mine_fault, installation_fault),
    table_checks=(
        *(scan_fault, blinding_fault),
        *(move_fault, squadron_fault, rest_fault, launch_fault, no_ftl_fault, ram_fault),
        *(docking_fault, hidden_fault, carried_fault, section_fault, tow_fault),
        *(withdrawal_fault, orbit_fault, round_fault),
    ),
    limits=plot_limits,
    shot_at=shot_at,
    active_scans=scans_of,
    counted_dice=counted_dice,
    ships_return=False,
    docking=DockingRules(reach=3.0, at_ships=True),
    asteroids=AsteroidRules(at_end=True, advanced=2, chunks=6),
    terrain=place_terrain,
)
# fmt: on
