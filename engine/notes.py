"""What is pencilled on a ship's sheet beside its systems: a number to each note, by the note's name.

A note about one system is named by the note and the system (`charge:wave-gun-1`). Rules that need one add it here.
"""

from __future__ import annotations

from collections.abc import Mapping

# Notes that the end of a turn wipes out.
THRUST_USED = "thrust-used"  # points of thrust its main drive spent this turn
OF_THE_TURN = (THRUST_USED,)

# Notes that last.
FOR_GOOD = "for-good"  # for-good:SYSTEM: lost for the rest of the battle, whatever its parties do
ROLLED = "rolled"  # 1: it flies upside down
SETTING = "setting"  # setting:SYSTEM: the place of its setting in the system's list
CLOAKED = "cloaked"  # the turn at the end of whose movement it shows itself again
LASTING = (FOR_GOOD, ROLLED, SETTING, CLOAKED)

# Notes that everybody reads off the model or the table; the others are for its own side alone.
OPEN_NOTES = (THRUST_USED, FOR_GOOD, ROLLED)


def note(name: str, system: str) -> str:
    """The name of a note about one system."""
    return f"{name}:{system}"


def open_notes(notes: Mapping[str, int]) -> dict[str, int]:
    """The notes that other sides can read. Rules: Continuum "Information" 2.6 [pc.open-book]"""
    return {name: value for name, value in notes.items() if name.partition(":")[0] in OPEN_NOTES}


def wipe(notes: dict[str, int]) -> None:
    """The end of a turn: what was noted for this turn alone is wiped out."""
    for name in [name for name in notes if name.partition(":")[0] in OF_THE_TURN]:
        del notes[name]
