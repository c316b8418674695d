"""A ship's hull as a strip: armour as circles, boxes of the damage track, a gap at each threshold.

Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.drawings.condition import Layers
from engine.core.phrase import phrase

HEIGHT = 10
CIRCLE, AFTER_ARMOUR, BOX_GAP, AT_THRESHOLD = 5.0, 2.0, 0.8, 2.4
# The width of a box by the largest number of boxes.
WIDTHS = ((26, 3.4), (40, 2.6))
LEAST = 2.0
MOST_BOXES = 80  # longer hulls are drawn as bars, each row in proportion to its boxes
BARS = 240.0


@dataclass(frozen=True, slots=True)
class Strip:
    """A hull strip: paths of intact and lost hull and armour.

    Attributes:
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
    x, plates, plates_lost = 0.0, "", ""
    full = sum(map(sum, armour))
    now = sum(map(sum, armour_now)) if armour_now else full
    if full and full <= MOST_BOXES:
        for n in range(full):
            path = f"M{x:.1f} 5a1.9 1.9 0 1 1 3.8 0a1.9 1.9 0 1 1-3.8 0z"
            plates, plates_lost = (
                (plates + path, plates_lost) if n < now else (plates, plates_lost + path)
            )
            x += CIRCLE
        x += AFTER_ARMOUR
    total = sum(rows)
    damage = min(damage, total)
    bars = total > MOST_BOXES
    wide = next((width for most, width in WIDTHS if total <= most), LEAST)
    intact, crossed, before = "", "", 0
    for row in rows:
        boxes_hit = max(0, min(row, damage - before))
        if bars:
            share = BARS / total
            crossed += (
                f"M{x:.1f} 1.4h{boxes_hit * share:.1f}v7.2h-{boxes_hit * share:.1f}z"
                if boxes_hit
                else ""
            )
            rest = (row - boxes_hit) * share
            intact += f"M{x + boxes_hit * share:.1f} 1h{rest:.1f}v8h-{rest:.1f}z" if rest else ""
            x += row * share
        else:
            for n in range(row):
                if n < boxes_hit:
                    crossed += f"M{x + 0.35:.1f} 1.4h{wide - 0.7:.1f}v7.2h-{wide - 0.7:.1f}z"
                else:
                    intact += f"M{x:.1f} 1h{wide:.1f}v8h-{wide:.1f}z"
                x += wide + BOX_GAP
        before += row
        x += AT_THRESHOLD
    alt = phrase("hull {} of {}", total - damage, total)
    if full:
        if now == full:
            alt = phrase("{}, armour {}", alt, now)
        else:
            alt = phrase("{}, armour {} of {}", alt, now, full)
    return Strip(round(max(x - AT_THRESHOLD, 1), 1), intact, crossed, plates, plates_lost, alt)
