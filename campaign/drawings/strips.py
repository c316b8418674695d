"""A ship's hull as a strip: armour as circles, boxes of the damage track, a gap at each threshold.

Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.drawings.condition import Layers
from engine.core.phrase import phrase

HEIGHT = 10
CIRCLE = 5.0  # the width of a box of armour
AFTER_ARMOUR = 2.0
BOX_GAP = 0.8
AT_THRESHOLD = 2.4  # the gap between rows
# The width of a box by the largest number of boxes.
WIDTHS = ((26, 3.4), (40, 2.6))
LEAST_WIDTH = 2.0
MAX_BOXES = 80  # longer hulls are drawn as bars, each row in proportion to its boxes
BARS_WIDTH = 240.0


@dataclass(frozen=True, slots=True)
class Strip:
    """A hull strip: paths of intact and lost hull and armour.

    Attributes:
        armour: The path of the armour that is left.
        alt: The same in words.
    """

    width: float
    intact_path: str
    lost_path: str
    armour: str
    armour_lost: str
    alt: str


def strip(rows: Sequence[int], damage: int, armour: Layers = (), armour_now: Layers = ()) -> Strip:
    """Draw the strip of a hull.

    Args:
        armour: The boxes of each layer when undamaged.
        armour_now: Those left.
    """
    full_armour = sum(map(sum, armour))
    armour_left = sum(map(sum, armour_now)) if armour_now else full_armour
    boxes = sum(rows)
    damage = min(damage, boxes)
    path = _StripPath()
    if full_armour and full_armour <= MAX_BOXES:
        path.add_armour(full_armour, armour_left)
    hit_so_far = 0
    for row in rows:
        boxes_hit = max(0, min(row, damage - hit_so_far))
        if boxes > MAX_BOXES:
            path.add_bar(row, boxes_hit, box_width=BARS_WIDTH / boxes)
        else:
            path.add_boxes(row, boxes_hit, width=_box_width(boxes))
        hit_so_far += row
    return Strip(
        width=round(max(path.x - AT_THRESHOLD, 1), 1),
        intact_path=path.intact,
        lost_path=path.lost,
        armour=path.armour,
        armour_lost=path.armour_lost,
        alt=_alt_text(boxes - damage, boxes, armour_left, full_armour),
    )


def _box_width(boxes: int) -> float:
    """Return the width of a box of a hull of so many boxes."""
    for most, width in WIDTHS:
        if boxes <= most:
            return width
    return LEAST_WIDTH


class _StripPath:
    """Draws a strip from left to right."""

    def __init__(self) -> None:
        self.x = 0.0
        self.intact = ""
        self.lost = ""
        self.armour = ""
        self.armour_lost = ""

    def add_armour(self, boxes: int, boxes_left: int) -> None:
        """Add a circle for each box of armour."""
        for number in range(boxes):
            circle = f"M{self.x:.1f} 5a1.9 1.9 0 1 1 3.8 0a1.9 1.9 0 1 1-3.8 0z"
            if number < boxes_left:
                self.armour += circle
            else:
                self.armour_lost += circle
            self.x += CIRCLE
        self.x += AFTER_ARMOUR

    def add_bar(self, boxes: int, boxes_hit: int, *, box_width: float) -> None:
        """Add a row of the hull as a bar."""
        hit_width = boxes_hit * box_width
        intact_width = (boxes - boxes_hit) * box_width
        if boxes_hit:
            self.lost += f"M{self.x:.1f} 1.4h{hit_width:.1f}v7.2h-{hit_width:.1f}z"
        if intact_width:
            start = self.x + hit_width
            self.intact += f"M{start:.1f} 1h{intact_width:.1f}v8h-{intact_width:.1f}z"
        self.x += boxes * box_width
        self.x += AT_THRESHOLD

    def add_boxes(self, boxes: int, boxes_hit: int, *, width: float) -> None:
        """Add a row of the hull, box by box."""
        for number in range(boxes):
            if number < boxes_hit:
                inner = width - 0.7
                self.lost += f"M{self.x + 0.35:.1f} 1.4h{inner:.1f}v7.2h-{inner:.1f}z"
            else:
                self.intact += f"M{self.x:.1f} 1h{width:.1f}v8h-{width:.1f}z"
            self.x += width + BOX_GAP
        self.x += AT_THRESHOLD


def _alt_text(boxes_left: int, boxes: int, armour_left: int, full_armour: int) -> str:
    """Return a strip in words."""
    alt = phrase("hull {} of {}", boxes_left, boxes)
    if not full_armour:
        return alt
    if armour_left == full_armour:
        return phrase("{}, armour {}", alt, armour_left)
    return phrase("{}, armour {} of {}", alt, armour_left, full_armour)
