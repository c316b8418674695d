"""The ways out for a stage that the server cannot compute, in words (`umpire.services.quarantine`)."""

from __future__ import annotations

from campaign.access import Viewer
from campaign.models.stage import Stage
from engine.core.phrase import phrase
from umpire.services.computing import PLAIN
from umpire.services.quarantine import AGAIN, BY_HAND, MOST_SHIPS, SMALLER, ways_open

WAY_WORDS = {
    AGAIN: phrase("Try again as it is"),
    PLAIN: phrase("Captains without search: ships hold their course and fire at the nearest enemy"),
    SMALLER: phrase(
        "Smaller battles: each side's ships are drawn by lot, {} in all; the others stay out unharmed", MOST_SHIPS
    ),
    BY_HAND: phrase("Results by hand: the battles are fought at a table, and you enter how they ended"),
}


def ways_shown(viewer: Viewer, stage: Stage | None) -> list[tuple[str, str]]:
    """Return the ways that a host or umpire may choose, each with its words."""
    return [] if stage is None else [(way, WAY_WORDS[way]) for way in ways_open(viewer, stage)]
