"""The names of the fields in the form of a week's orders: what is written here, and a key after it.

The keys are the faction's own: `move-ember/f2`, `repair-ember/s4`. Templates and scripts take the
names from here.
"""

from __future__ import annotations

# of a fleet
MOVE = "move-"
PATH = "path-"
PLAN = "plan-"
STANDING = "standing-"
NAME = "name-"
ALONG = "along-"
MERGE = "merge-"
DECOYS_ON = "decoys-on-"
ANSWER = "answer-"  # with the part's name before the key, and the condition's number after it
RANGE = "range-"
TARGETS = "targets-"
BREAK_OFF = "break_off-"
FLEE = "flee-"
CONTROL = "control-"  # with the control's name before the key
# of a ship
TO = "to-"
TOW = "tow-"
DOCK = "dock-"
REPAIR = "repair-"
REPLENISH = "replenish-"
SCUTTLE = "scuttle-"
WEASEL = "weasel-"
SET = "set-"  # with the system after the ship's key

ANSWER_PARTS = ("of", "least", "most", "choice")
NEW_FLEET = (MOVE, PATH, NAME, ALONG, STANDING)  # what forms a fleet that is not there yet
NAMES = {
    "move": MOVE,
    "path": PATH,
    "plan": PLAN,
    "standing": STANDING,
    "name": NAME,
    "along": ALONG,
    "merge": MERGE,
    "decoys_on": DECOYS_ON,
    "answer": ANSWER,
    "range": RANGE,
    "targets": TARGETS,
    "break_off": BREAK_OFF,
    "flee": FLEE,
    "control": CONTROL,
    "to": TO,
    "tow": TOW,
    "dock": DOCK,
    "repair": REPAIR,
    "replenish": REPLENISH,
    "scuttle": SCUTTLE,
    "weasel": WEASEL,
}


def answer_field(part: str, fleet: str, number: int) -> str:
    """The name of a field of one of a fleet's conditions."""
    return f"{ANSWER}{part}-{fleet}-{number}"


def control_field(control: str, fleet: str) -> str:
    """The name of the field of a control that a kind of order brings."""
    return f"{CONTROL}{control}-{fleet}"


def setting_field(ship: str, system: str) -> str:
    """The name of the field that sets or loads one of a ship's systems."""
    return f"{SET}{ship}-{system}"
