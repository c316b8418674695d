"""How a replay treats each class of event: who fires at whom, consequences, grouping in moments.

Events of a class without an entry here form a moment with adjacent events of their kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.events.battle import SideDisengaged
from engine.events.boarding import (
    BoardersChecked,
    BoardingFight,
    ShipCaptured,
    ShipRecaptured,
    ShipSurrendered,
)
from engine.events.damage import (
    ArmourAbsorbed,
    ArmourRegenerated,
    ChargeRolled,
    CoreHit,
    ExplosionDamage,
    FactNoted,
    OpenFactNoted,
    ReactorRolled,
    ReflexFieldRolled,
    RepairRolled,
    ShipBecameDerelict,
    ShipDamaged,
    ShipDestroyed,
    SystemChecked,
    SystemLost,
    ThresholdChecked,
)
from engine.events.detection import (
    ContactIdentified,
    DummyIdentified,
    QShipUncovered,
    ScanFailed,
    Scanning,
)
from engine.events.event import Event, LogOrder
from engine.events.fire import (
    ArcRolled,
    AreaFireHit,
    BeamsFired,
    GunFired,
    NeedleFired,
    PackFired,
    PointDefence,
    RoundUsed,
    ShotRefused,
    TorpedoFired,
    WeaponUsed,
)
from engine.events.movement import (
    FtlExit,
    LeftTable,
    OrderRefused,
    ReturnGivenUp,
    ShipCarriedOff,
    ShipEscaped,
    ShipMoved,
    ShipReturned,
)
from engine.pieces.craft_events import (
    BoatsFired,
    CraftEmpFired,
    GroupFiredAtOrdnance,
    GroupShotAt,
    PointDefenceAtCraft,
    SecondaryMove,
)
from engine.pieces.gate import GatePassed, GateSet, GateShut, GatesRemoved
from engine.pieces.group import CraftLost
from engine.pieces.group_events import FightersFired, FlightRefused, GroupMoved
from engine.pieces.guard_events import BoatsFiredAtCraft, BoatsFiredAtOrdnance
from engine.pieces.hangar_events import GroupRearmed
from engine.pieces.marker import PointDefenceAtOrdnance


@dataclass(frozen=True, slots=True)
class Shot:
    """The fire of one weapon, or group, at one target.

    Attributes:
        hits: 0 if the event does not say.
        range: MU.
        weapon: Empty if none is named.
        mode: Empty if none is named.
        shoots_down: Whether its hits are craft or missiles shot down.
        at_ordnance: Whether its target is ordnance.
        by_group: Whether a group of craft fires.
    """

    shooter: str
    target: str
    hits: int
    range: float
    weapon: str = ""
    mode: str = ""
    shoots_down: bool = False
    at_ordnance: bool = False
    by_group: bool = False


FIRING: Final = frozenset(
    (
        *(GunFired, BeamsFired, TorpedoFired, PackFired, NeedleFired, FightersFired, BoatsFired),
        CraftEmpFired,
        *(
            PointDefence,
            PointDefenceAtCraft,
            GroupShotAt,
            PointDefenceAtOrdnance,
            GroupFiredAtOrdnance,
            BoatsFiredAtOrdnance,
            BoatsFiredAtCraft,
        ),
    )
)


def shot_of(event: Event) -> Shot | None:
    """Return the shot in an event of fire, or None for other events."""
    if type(event) not in FIRING:
        return None
    if isinstance(event, (GunFired, BeamsFired, TorpedoFired, PackFired)):
        return Shot(
            shooter=event.ship,
            target=event.target,
            hits=event.hits,
            range=event.range,
            weapon=event.weapon,
            mode=event.mode if isinstance(event, GunFired) else "",
        )
    if isinstance(event, NeedleFired):
        return Shot(
            shooter=event.ship,
            target=event.target,
            hits=0,
            range=event.range,
            weapon=event.weapon,
        )
    if isinstance(event, (FightersFired, BoatsFired, CraftEmpFired)):
        return Shot(
            shooter=event.group,
            target=event.target,
            hits=event.hits,
            range=event.range,
            by_group=True,
        )
    return _defensive_shot_of(event)


def _defensive_shot_of(event: Event) -> Shot | None:
    """Return a shot at craft or ordnance, or None for other events."""
    if isinstance(event, PointDefence):
        return Shot(
            shooter=event.ship,
            target=event.target,
            hits=event.hits,
            range=event.range,
            weapon=event.weapon,
            shoots_down=True,
        )
    if isinstance(event, (PointDefenceAtCraft, GroupShotAt)):
        return Shot(
            shooter=event.ship,
            target=event.group,
            hits=event.hits,
            range=event.range,
            weapon=event.weapon,
            shoots_down=True,
        )
    if isinstance(event, PointDefenceAtOrdnance):
        return Shot(
            shooter=event.ship,
            target=event.marker,
            hits=event.hits,
            range=event.range,
            weapon=event.weapon,
            shoots_down=True,
            at_ordnance=True,
        )
    if isinstance(event, (GroupFiredAtOrdnance, BoatsFiredAtOrdnance)):
        return Shot(
            shooter=event.group,
            target=event.marker,
            hits=event.hits,
            range=event.range,
            shoots_down=True,
            at_ordnance=True,
            by_group=True,
        )
    if isinstance(event, BoatsFiredAtCraft):
        return Shot(
            shooter=event.group,
            target=event.target,
            hits=event.hits,
            range=event.range,
            shoots_down=True,
            by_group=True,
        )
    return None


CHECKS_GROUP: Final = "checks"
# Consequences for ships that were fired at or that moved.
SHIP_CONSEQUENCES: Final = (
    *(
        ShipDamaged,
        ArmourAbsorbed,
        ThresholdChecked,
        SystemChecked,
        SystemLost,
        ShipDestroyed,
        ShipBecameDerelict,
        CoreHit,
    ),
    *(
        CraftLost,
        WeaponUsed,
        RoundUsed,
        FactNoted,
        OpenFactNoted,
        ReflexFieldRolled,
        ExplosionDamage,
        FtlExit,
        AreaFireHit,
    ),
)
# Consequences of fire or a move, shown with it if they affect a participant.
CONSEQUENCES: Final = frozenset(
    (
        *SHIP_CONSEQUENCES,
        ArcRolled,
        ShotRefused,
        LeftTable,
        ShipEscaped,
        ShipCarriedOff,
        ShipCaptured,
        ShipSurrendered,
    )
)
# Event classes that share a moment, with the name of their group.
GROUP_NAMES: Final[dict[type[Event], str]] = {
    **dict.fromkeys(
        (ContactIdentified, DummyIdentified, Scanning, ScanFailed, QShipUncovered), "sensors"
    ),
    **dict.fromkeys((OrderRefused, FlightRefused, ShotRefused), "refused"),
    **dict.fromkeys(SHIP_CONSEQUENCES, CHECKS_GROUP),
    **dict.fromkeys(
        (LeftTable, ShipEscaped, ShipCarriedOff, ReturnGivenUp, ShipReturned, SideDisengaged),
        "edge",
    ),
    **dict.fromkeys((GateSet, GateShut, GatePassed, GatesRemoved), "gates"),
    **dict.fromkeys(
        (RepairRolled, ArmourRegenerated, ReactorRolled, ChargeRolled, GroupRearmed), "repairs"
    ),
    **dict.fromkeys(
        (BoardingFight, BoardersChecked, ShipRecaptured, ShipCaptured, ShipSurrendered), "boarding"
    ),
}
MOVING: Final = (ShipMoved, GroupMoved, SecondaryMove)


def belongs_to_moves(event: Event) -> bool:
    """Return whether an event belongs to the ships' moves."""
    return isinstance(event, MOVING) or event.log_order in (LogOrder.ON_THE_WAY, LogOrder.BEFALLS)


def group_of(event: Event) -> str:
    """Return the name of the group of events that form a moment with this one."""
    name = GROUP_NAMES.get(type(event))
    if name:
        return name
    if belongs_to_moves(event):
        return "moves"
    return event.kind
