"""How a replay takes each kind of event: who fires at whom, what follows from it, what is one moment together.

A kind that no table here names is a moment of its own, with the events of its kind that follow each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.documents import KINDS, kinds
from engine.events.event import LogOrder


@dataclass(frozen=True, slots=True)
class Shooting:
    """Where an event of fire names who fires and at what; `down`: its hits are craft or missiles shot down."""

    who: str
    at: str
    down: bool = False


SHOOTING: Final = {
    "shot": Shooting("ship", "target"),
    "fire": Shooting("ship", "target"),
    "torpedo": Shooting("ship", "target"),
    "needle": Shooting("ship", "target"),
    "pack": Shooting("ship", "target"),
    "fighters-fired": Shooting("group", "target"),
    "boats-fired": Shooting("group", "target"),
    "point-defence": Shooting("ship", "target", down=True),
    "craft-met": Shooting("ship", "group", down=True),
    "group-shot-at": Shooting("ship", "group", down=True),
    "ordnance-met": Shooting("ship", "marker", down=True),
    "marker-met": Shooting("group", "marker", down=True),
    "boats-met-craft": Shooting("group", "prey", down=True),
    "boats-met-ordnance": Shooting("group", "marker", down=True),
}
# What comes of fire or of a move, and is told with it where it is about somebody who took part.
FOLLOWS: Final = frozenset(
    (
        *("damaged", "absorbed", "threshold", "system-check", "system-lost", "destroyed", "adrift", "core-hit"),
        *("craft-lost", "spent", "round-drawn", "noted", "marked", "arc", "shot-refused", "reflected", "burned"),
        *("ftl-exit", "left-table", "escaped", "carried-off", "captured", "colours-struck", "struck"),
    )
)
# Kinds that are one moment together.
TOGETHER: Final = {
    **dict.fromkeys(("revealed", "dummy-found", "scanning", "scan-failed", "uncovered"), "sensors"),
    **dict.fromkeys(("order-refused", "flight-refused", "shot-refused"), "refused"),
    **dict.fromkeys(FOLLOWS - {"arc", "shot-refused", "left-table", "escaped", "carried-off"}, "checks"),
    **dict.fromkeys(("left-table", "escaped", "carried-off", "gave-up", "returned", "disengaged"), "edge"),
    **dict.fromkeys(("gate-set", "gate-shut", "gate-passed", "gates-gone"), "gates"),
    **dict.fromkeys(("repair", "regenerated", "reactor", "charge", "rearmed"), "repairs"),
    **dict.fromkeys(("fought-aboard", "boarders-checked", "won-back", "captured", "colours-struck"), "boarding"),
}
MOVING: Final = frozenset(("moved", "flown", "flown-on"))


def on_the_way(kind: str) -> bool:
    """Whether what happens belongs to the moves of ships."""
    cls = KINDS.get(kind) or kinds().get(kind)
    return kind in MOVING or (cls is not None and cls.log_order in (LogOrder.ON_THE_WAY, LogOrder.BEFALLS))


def group_of(kind: str) -> str:
    """The name of the events that are one moment with this kind."""
    return TOGETHER.get(kind) or ("moves" if on_the_way(kind) else kind)
