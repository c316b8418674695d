"""What a captain reckons: how strong a contact is, where it will be, and what fire is worth at a range."""

from __future__ import annotations

from engine.core.geometry import COURSES
from engine.core.kinds import INSTALLATION
from engine.systems.defences import BEAM_POINTS
from engine.view.side_view import Contact

# Mean damage points of a beam die against each level of screens.
MEAN_POINTS = tuple(sum(points[1:]) / 6 for points in BEAM_POINTS)

# Where the three numbers of an arc begin in a ship's `power`, by the arc's bit (or bits, on a line); -1: aft, no fire.
ARC_AT: tuple[int, ...] = (-1, 0, 3, 0, -1, -1, 3, -1, 6, 0, -1, -1, 6, -1, -1, -1)

# What a bogey may be, by the classification its drive shows: power (dice by arc and band), boxes, screens.
GUESS: dict[str, tuple[tuple[int, ...], int, int]] = {
    "escort": ((3, 2, 0, 3, 2, 0, 3, 2, 0), 6, 0),
    "cruiser": ((7, 4, 0, 7, 4, 0, 7, 4, 0), 13, 1),
    "capital": ((14, 9, 4, 8, 5, 2, 8, 5, 2), 26, 2),
    "merchant": ((1, 0, 0, 1, 0, 0, 1, 0, 0), 18, 1),
    "installation": ((12, 8, 4, 12, 8, 4, 12, 8, 4), 60, 2),
}


class Foe:
    """A hostile contact as a captain reckons with it: where its next move takes it if it flies on, and its worth.

    `left`: boxes it has left; `power` as of a ship; `threat`: dice it throws at short range, its best arc.
    """

    __slots__ = ("contact", "left", "power", "screens", "threat", "ux", "uy", "weight", "x", "y")

    def __init__(self, contact: Contact, ahead: bool) -> None:
        self.contact = contact
        self.ux, self.uy = COURSES[contact.course]
        step = contact.velocity if ahead else 0
        self.x = contact.x + self.ux * step
        self.y = contact.y + self.uy * step
        if contact.sheet is None:
            self.power, self.left, self.screens = GUESS[contact.label]
        else:
            self.power = contact.power
            self.left = contact.sheet.boxes - contact.damage
            self.screens = contact.screens
        if contact.label == INSTALLATION:  # it fires in every direction: whatever it faces counts as ahead
            self.ux = self.uy = 0.0
        self.threat = max(self.power[0], self.power[3], self.power[6])
        if contact.profile is not None:
            self.threat += contact.profile.feared
        self.weight = 1.0


def weigh(foes: list[Foe], targets: str) -> None:
    """Set each foe's weight, its mean about 1, by the target priority of a doctrine."""
    if targets == "dangerous":
        worth = [(foe.threat + 0.5) / (foe.left + 2.0) for foe in foes]
    elif targets == "weakest":
        worth = [1.0 / (foe.left + 1.0) for foe in foes]
    elif targets == "strongest":
        worth = [float(foe.threat * foe.left + 1) for foe in foes]
    else:
        return
    mean = sum(worth) / len(worth) if worth else 1.0
    for foe, value in zip(foes, worth, strict=True):
        foe.weight = 0.35 + 0.65 * value / mean
