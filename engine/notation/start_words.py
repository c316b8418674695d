"""Faults of where ships begin, which players read in their own language.

Other faults of battle files are only read by the authors of such files, and stay in English
(`tools.catalogue`).
"""

from __future__ import annotations

from engine.core.phrase import phrase

ENTRY_TURN = phrase("expected the turn in which it drops out of FTL")
NO_DECOY = phrase("a decoy cannot come out of a gate")
GRAVITY_WELL = phrase("no ship can drop out of FTL this deep in a gravity well")
FTL_DRIVE = phrase("only a ship with a working FTL drive can drop out of FTL")
OWN_INSTALLATION = phrase("expected an installation of its own side")
GATE_AND_TURN = phrase("expected a gate of this table, and the turn as ftl_entry")
UNUSABLE_GATE = phrase("its side cannot use this gate in this battle")
TWO_NUMBERS = phrase("expected two numbers, for example [10, 24]")
COURSES = phrase("courses go from 1 to 12")
LEAST_VELOCITY = phrase("a velocity must be 0 or more")


def dock_reach(reach: float) -> str:
    """Return the fault of a ship that is too far from the installation at which it is docked."""
    return phrase("a docked ship must be within {:g} MU of its installation", reach)


def gate_velocity(rating: int) -> str:
    """Return the fault of a ship that is too fast for a gate."""
    return phrase("a ship that comes out of a gate flies at most {} MU, its drive's rating", rating)


def off_table(x: float, y: float) -> str:
    """Return the fault of a place that is not on the table."""
    return phrase("({:g}, {:g}) is not on the table", x, y)
