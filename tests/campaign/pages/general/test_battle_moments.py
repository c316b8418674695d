"""What the moment of a battle says of the ships that its reader saw."""

from __future__ import annotations

from typing import Any

from campaign.drawings.moment import UNKNOWN
from campaign.web.battle_moments import tally_of

PHASE: dict[str, Any] = {
    "own": {"NAC-1": {}, "NAC-2": {}, "NAC-3": {"dummy": True}},
    "contacts": [
        {"id": "A", "side": 1, "classification": "cruiser"},
        {"id": "B", "side": 1, "classification": "cruiser"},
        {"id": "C", "side": 1, "classification": "escort"},
        {"id": "D", "side": 1, "classification": "capital"},
    ],
    "log": [
        {"turn": 1, "event": "destroyed", "ship": "NAC-2", "cause": "fire"},
        {"turn": 1, "event": "destroyed", "ship": "A", "cause": "fire"},
        {"turn": 1, "event": "dummy-identified", "ship": "C", "contact": "C", "by": "NAC-1"},
        {
            "turn": 1,
            "event": "left-table",
            "ship": "D",
            "edge": "north",
            "at": [1, 1],
            "die": 1,
            "due": 0,
        },
    ],
}
BODY: dict[str, Any] = {"side": "NAC", "sides": ["NAC", "ESU"], "phases": [None, PHASE]}


def test_losses_decoys_and_ships_that_left_are_told_apart() -> None:
    """The sentence after a lost battle counts neither decoys nor ships that left the table."""
    tally = tally_of(BODY, {"NAC-1": "capital"})
    assert (tally.own.count, tally.own.lost, tally.own.stayed) == (2, 1, 1)
    assert {ships.kind for ships in tally.own.ships} == {"capital", UNKNOWN}
    (theirs,) = tally.others
    assert (theirs.count, theirs.lost, theirs.decoys, theirs.away) == (3, 1, 1, 1)
    assert theirs.stayed == 1
