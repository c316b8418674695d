"""What dice of the second edition do, for the luck account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.luck import (
    COMMON,
    Counting,
    Event,
    Outcome,
    Outcomes,
    Part,
    hit_or_miss,
    plain_dice,
    pmf_of_torpedo,
)
from engine.events.fire import BeamsFired, NeedleFired, PackFired, PointDefence, TorpedoFired
from engine.pieces.group_events import FightersFired
from engine.pieces.mine import MineFired
from engine.systems.defences import BEAM_POINTS
from engine.weapons.needles import KILLS_ON
from engine.weapons.point_defence import KILLS

STRIKE = "strike"  # armament of fighters that fire at a ship


def counted_dice(start: Mapping[str, Any]) -> Mapping[str, Counting]:  # noqa: ARG001
    """Return the functions that count dice, by the kind of event.

    Args:
        start: The file of the battle; unused here, but editions share the signature.
    """
    return COUNTED


def _shot(event: Event) -> Outcomes:
    """Return the outcome of a battery's fire in the second edition."""
    return plain_dice(Part.BEAMS, event["ship"], BEAM_POINTS[event["screens"]], event)


def _pack(event: Event) -> Outcomes:
    """Return the outcome of a submunition pack in the second edition."""
    return plain_dice(Part.SUBMUNITIONS, event["ship"], BEAM_POINTS[0], event)


def _point_defence(event: Event) -> Outcomes:
    """Return the outcome of anti-fighter fire in the second edition."""
    return plain_dice(Part.POINT_DEFENCE, event["ship"], KILLS, event)


def _mine(event: Event) -> Outcomes:
    """Return the outcome of a mine in the second edition; a high number is bad for its victim."""
    return plain_dice(Part.MINES, event["ship"], BEAM_POINTS[event["screens"]], event)


def _fighters(event: Event) -> Outcomes:
    """Return the outcome of the fire of fighters in the second edition."""
    if event["armament"] == STRIKE:
        return plain_dice(Part.FIGHTERS, event["group"], BEAM_POINTS[event["screens"]], event)
    return plain_dice(Part.DOGFIGHTS, event["group"], KILLS, event)


def _torpedo(event: Event) -> Outcomes:
    """Return the outcome of a torpedo in the second edition."""
    needed = event["needed"]
    dice = 2 if event["die"] >= needed else 1
    return (Outcome(Part.TORPEDOES, event["ship"], pmf_of_torpedo(needed), 1, event["hits"], dice),)


def _needle(event: Event) -> Outcomes:
    """Return whether a needle beam of the second edition knocked out its system."""
    return hit_or_miss(Part.NEEDLES, event["ship"], KILLS_ON, event["die"])


COUNTED: Mapping[str, Counting] = {
    **COMMON,
    BeamsFired.kind: _shot,
    TorpedoFired.kind: _torpedo,
    NeedleFired.kind: _needle,
    PackFired.kind: _pack,
    PointDefence.kind: _point_defence,
    MineFired.kind: _mine,
    FightersFired.kind: _fighters,
}
