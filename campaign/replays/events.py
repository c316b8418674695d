"""How a replay takes each class of event: who fires at whom, what follows from it, what is one
moment together.

A class that no table here names is a moment of its own, with the events of its kind that follow
each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.events.battle import Disengaged
from engine.events.boarding import BoardersChecked, Captured, ColoursStruck, FoughtAboard, WonBack
from engine.events.damage import (
    Absorbed,
    Adrift,
    Burned,
    ChargeRolled,
    CoreHit,
    Damaged,
    Destroyed,
    Marked,
    Noted,
    ReactorRolled,
    Reflected,
    Regenerated,
    Repaired,
    SystemChecked,
    SystemLost,
    Threshold,
)
from engine.events.detection import DummyFound, Revealed, ScanFailed, Scanning, Uncovered
from engine.events.event import Event, LogOrder
from engine.events.fire import (
    ArcRolled,
    BeamsFired,
    GunFired,
    NeedleFired,
    PackFired,
    PointDefence,
    RoundDrawn,
    ShotRefused,
    Spent,
    Struck,
    TorpedoFired,
)
from engine.events.movement import (
    CarriedOff,
    Escaped,
    FtlExit,
    GaveUp,
    LeftTable,
    Moved,
    OrderRefused,
    Returned,
)
from engine.pieces.craft_events import BoatsFired, CraftMet, FlownOn, GroupShotAt, MarkerMet
from engine.pieces.gate import GatePassed, GateSet, GatesGone, GateShut
from engine.pieces.group import CraftLost
from engine.pieces.group_events import FightersFired, FlightRefused, Flown
from engine.pieces.guard_events import BoatsMetCraft, BoatsMetOrdnance
from engine.pieces.hangar_events import Rearmed
from engine.pieces.marker import OrdnanceMet


@dataclass(frozen=True, slots=True)
class Shot:
    """The fire of one weapon, or group, at one target.

    `hits`: 0 where the event does not say. `range` in MU. `weapon` and `mode` are "" where none is
    named. `down`: its hits are craft or missiles shot down. `at_marker`: its target is ordnance.
    """

    who: str
    at: str
    hits: int
    range: float
    weapon: str = ""
    mode: str = ""
    down: bool = False
    at_marker: bool = False
    by_group: bool = False


FIRING: Final = frozenset(
    (
        *(GunFired, BeamsFired, TorpedoFired, PackFired, NeedleFired, FightersFired, BoatsFired),
        *(
            PointDefence,
            CraftMet,
            GroupShotAt,
            OrdnanceMet,
            MarkerMet,
            BoatsMetOrdnance,
            BoatsMetCraft,
        ),
    )
)


def shot_of(event: Event) -> Shot | None:
    """Return the shot that an event of fire tells of, None for other events."""
    if type(event) not in FIRING:
        return None
    if isinstance(event, GunFired):
        return Shot(event.ship, event.target, event.hits, event.range, event.weapon, event.mode)
    if isinstance(event, (BeamsFired, TorpedoFired, PackFired)):
        return Shot(event.ship, event.target, event.hits, event.range, event.weapon)
    if isinstance(event, NeedleFired):
        return Shot(event.ship, event.target, 0, event.range, event.weapon)
    if isinstance(event, (FightersFired, BoatsFired)):
        return Shot(event.group, event.target, event.hits, event.range, by_group=True)
    if isinstance(event, PointDefence):
        return Shot(event.ship, event.target, event.hits, event.range, event.weapon, down=True)
    if isinstance(event, (CraftMet, GroupShotAt)):
        return Shot(event.ship, event.group, event.hits, event.range, event.weapon, down=True)
    if isinstance(event, OrdnanceMet):
        return Shot(
            event.ship,
            event.marker,
            event.hits,
            event.range,
            event.weapon,
            down=True,
            at_marker=True,
        )
    if isinstance(event, (MarkerMet, BoatsMetOrdnance)):
        return Shot(
            event.group,
            event.marker,
            event.hits,
            event.range,
            down=True,
            at_marker=True,
            by_group=True,
        )
    if isinstance(event, BoatsMetCraft):
        return Shot(event.group, event.prey, event.hits, event.range, down=True, by_group=True)
    return None


# What befalls those that were fired at, or that moved.
CHECKS: Final = (
    *(Damaged, Absorbed, Threshold, SystemChecked, SystemLost, Destroyed, Adrift, CoreHit),
    *(CraftLost, Spent, RoundDrawn, Noted, Marked, Reflected, Burned, FtlExit, Struck),
)
# What comes of fire or of a move, and is told with it where it is about somebody who took part.
FOLLOWS: Final = frozenset(
    (*CHECKS, ArcRolled, ShotRefused, LeftTable, Escaped, CarriedOff, Captured, ColoursStruck)
)
# Classes that are one moment together, by its name.
TOGETHER: Final[dict[type[Event], str]] = {
    **dict.fromkeys((Revealed, DummyFound, Scanning, ScanFailed, Uncovered), "sensors"),
    **dict.fromkeys((OrderRefused, FlightRefused, ShotRefused), "refused"),
    **dict.fromkeys(CHECKS, "checks"),
    **dict.fromkeys((LeftTable, Escaped, CarriedOff, GaveUp, Returned, Disengaged), "edge"),
    **dict.fromkeys((GateSet, GateShut, GatePassed, GatesGone), "gates"),
    **dict.fromkeys((Repaired, Regenerated, ReactorRolled, ChargeRolled, Rearmed), "repairs"),
    **dict.fromkeys((FoughtAboard, BoardersChecked, WonBack, Captured, ColoursStruck), "boarding"),
}
MOVING: Final = (Moved, Flown, FlownOn)


def on_the_way(event: Event) -> bool:
    """Whether what happens belongs to the moves of ships."""
    return isinstance(event, MOVING) or event.log_order in (LogOrder.ON_THE_WAY, LogOrder.BEFALLS)


def group_of(event: Event) -> str:
    """The name of the events that are one moment with this one."""
    return TOGETHER.get(type(event)) or ("moves" if on_the_way(event) else event.kind)
