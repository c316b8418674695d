"""What is pencilled on a ship's sheet beside its systems: a number to each note, by the note's name.

A note about one system is named by the note and the system (`charge:wave-gun-1`). Rules that need one add it here.
"""

from __future__ import annotations

from collections.abc import Mapping

# Notes that the end of a turn wipes out.
THRUST_USED = "thrust-used"  # points of thrust its main drive spent this turn
JAMMING = "jamming"  # which ECM is switched on this turn, bits: OWN_SUITES, AREA_SUITES
OWN_SUITES, AREA_SUITES = 1, 2
REFLEX = "reflex"  # 1: its reflex field is up this turn
DETONATING = "detonating"  # 1: it blows itself up this turn
OVERLOADED = "overloaded"  # overloaded:SYSTEM: 1: a torpedo tube is loaded hotter than it should be
OFF_LINE = "off-line"  # off-line:SYSTEM: 1: its setting is being changed
OF_THE_TURN = (THRUST_USED, JAMMING, REFLEX, DETONATING, OVERLOADED, OFF_LINE)

# Notes that last.
FOR_GOOD = "for-good"  # for-good:SYSTEM: lost for the rest of the battle, whatever its parties do
ROLLED = "rolled"  # 1: it flies upside down
SETTING = "setting"  # setting:SYSTEM: the place of its setting in the system's list
FACING = "facing"  # facing:TURRET: the place of the arc it faces in the turret's list
FIRED = "fired"  # fired:SYSTEM: the turn it last fired in, of what cannot fire in the next
CHARGE = "charge"  # charge:SYSTEM: what its capacitors hold
CLOAKED = "cloaked"  # the turn at the end of whose movement it shows itself again
VEILED = "veiled"  # 1: a cloaking device hides it from fire control
MARKER_X, MARKER_Y = "marker-x", "marker-y"  # where it vanished under a cloaking field, in MU times MILLI
MILLI = 1000
UNREAD = "unread"  # the turn in which it came out of a cloaking field: how fast it flies nobody has seen yet
STEALTH_OFF = "stealth-off"  # 1: its stealth fields are switched off
STEALTH_ACTIVE = "stealth-active"  # 1: its fire control scans actively in spite of its stealth
SCARRED = "scarred"  # scarred:LAYER: regenerative armour boxes of a layer beyond repair
DEFENCES = (VEILED, MARKER_X, MARKER_Y, UNREAD, STEALTH_OFF, STEALTH_ACTIVE, SCARRED)
OUT_OF_CONTROL = "out-of-control"  # the last turn in which nobody commands it, FOREVER: to the end of the battle
AIR_FAILS = "air-fails"  # the turn after which there is nothing left to breathe
REACTOR = "reactor"  # the least die at a turn's end with which its power core explodes
CORES = (OUT_OF_CONTROL, AIR_FAILS, REACTOR)
# What is pencilled beside each core system when it is hit.
CORE_NOTES = {"bridge": OUT_OF_CONTROL, "life-support": AIR_FAILS, "power-core": REACTOR}
TURNED = "turned"  # the turn in which a ship of little thrust last turned
EMERGENCIES = "emergencies"  # how often it has tried emergency thrust
SQUADRON = "squadron"  # the place, among its side's ships from 1, of the ship that leads its squadron
FLIGHT = (TURNED, EMERGENCIES, SQUADRON)
LASTING = (FOR_GOOD, ROLLED, SETTING, FACING, FIRED, CHARGE, CLOAKED, *DEFENCES, *CORES, *FLIGHT)
FOREVER = 9999

# Notes that stay on the sheet from one battle to the next; turns count from the one that begins.
KEPT = (FOR_GOOD, SCARRED, *CORES)
OF_TURNS = (OUT_OF_CONTROL, AIR_FAILS)  # whose number is a turn

# Notes that everybody reads off the model or the table; the others are for its own side alone.
OPEN_NOTES = (
    *(THRUST_USED, FOR_GOOD, ROLLED, FACING, JAMMING, VEILED, STEALTH_OFF, STEALTH_ACTIVE, SCARRED),
    *(*CORES, TURNED, EMERGENCIES),
)

# Notes on which screens and FireCons depend.
RECOMPUTING = (JAMMING, VEILED)


def note(name: str, system: str) -> str:
    """The name of a note about one system."""
    return f"{name}:{system}"


def open_notes(notes: Mapping[str, int]) -> dict[str, int]:
    """The notes that other sides can read. Rules: Continuum "Information" 2.6 [pc.open-book]"""
    return {name: value for name, value in notes.items() if name.partition(":")[0] in OPEN_NOTES}


def kept_notes(notes: Mapping[str, int], turn: int) -> dict[str, int]:
    """The notes that a battle which ended in turn `turn` leaves for the next, in the order of their names.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    found: dict[str, int] = {}
    for name, value in sorted(notes.items()):
        kind = name.partition(":")[0]
        left = value - turn if kind in OF_TURNS and value != FOREVER else value
        if kind in KEPT and left > 0:
            found[name] = left
    return found


def wipe(notes: dict[str, int]) -> bool:
    """The end of a turn: what was noted for it alone is wiped out; whether screens or FireCons depended on any."""
    gone = [name for name in notes if name.partition(":")[0] in OF_THE_TURN]
    for name in gone:
        del notes[name]
    return any(name in RECOMPUTING for name in gone)


def marker_of(notes: Mapping[str, int]) -> tuple[float, float]:
    """Where the marker of a ship under a cloaking field lies. Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]"""
    return notes[MARKER_X] / MILLI, notes[MARKER_Y] / MILLI


def mark(notes: dict[str, int], at: tuple[float, float]) -> None:
    """Write down where the marker lies."""
    notes[MARKER_X], notes[MARKER_Y] = round(at[0] * MILLI), round(at[1] * MILLI)
