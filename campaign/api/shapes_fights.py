"""Battles fought online in the API, as types."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from campaign.api.problems import Fault
from campaign.api.shapes_orders import SealMark, Source

StopKind = Literal["plot", "fighters", "engage", "control", "over"]
FightState = Literal["open", "sealed", "waiting", "over"]


@dataclass(frozen=True, slots=True)
class StopLine:
    """A stop of a battle as I was told of it. `asked`: it waited for my orders."""

    number: int
    turn: int
    kind: StopKind
    asked: bool


@dataclass(frozen=True, slots=True)
class FightLine:
    """A battle online. `stop`: its newest; `state`: open (it waits for my orders), sealed, waiting (for others), over.

    `opens` and `closes`: of the stop where it asks me; `closes` is null too where it waits for the orders.
    """

    id: str
    week: int
    hex: str
    side: str
    state: FightState
    stop: StopLine
    opens: datetime | None
    closes: datetime | None


@dataclass(frozen=True, slots=True)
class FightList:
    fights: list[FightLine]


@dataclass(frozen=True, slots=True)
class FightSheet:
    """A battle online as it stands. `mine`: ids of the ships and fighter groups I order; `view`: what my side sees now.

    `log`: what happened since the stop before. `known`: where I am asked, the battle as my side knows it, a document of
    the engine with the designs of its ships; my orders are judged by it. `stops`: all so far, the newest last.
    """

    id: str
    week: int
    hex: str
    side: str
    sides: list[str]
    table: list[float]
    state: FightState
    stop: StopLine
    opens: datetime | None
    closes: datetime | None
    mine: list[str]
    view: dict[str, Any]
    log: list[dict[str, Any]]
    known: dict[str, Any] | None
    winner: str | None
    chain: str
    stops: list[StopLine]


@dataclass(frozen=True, slots=True)
class StopSheet:
    """A resolved stop: what my side saw before it, what happened, what it saw after it, and the stop's hash."""

    battle: str
    stop: StopLine
    before: dict[str, Any]
    log: list[dict[str, Any]]
    after: dict[str, Any]
    chain: str


@dataclass(frozen=True, slots=True)
class RepairJob:
    """A system of a ship and the parties sent to it, one to three: they repair it with a die no higher than they are
    many.
    """

    system: str
    parties: int


@dataclass(frozen=True, slots=True)
class DamageControl:
    """A ship's damage control. `view.own.SHIP.parties` and `.repairable` tell what can be sent where.

    `dump` and `abandon`: of a power core out of control (`notes.reactor`), where the parties cannot bring it back:
    without it the ship only drifts, left alone it explodes some time.
    """

    repairs: list[RepairJob]
    dump: bool = False
    abandon: bool = False


@dataclass(frozen=True, slots=True)
class StopOrders:
    """Orders at a stop: the entry of its kind alone. `battle`, `week`, `hex` and `stop`, where given, must fit.

    `plot`: texts by ship; `fighters`: texts by group; `engage`: [{weapon, target, system?}] by ship, or a list of
    [ship, fire] in firing order; `pursue`: beside `engage`, go after a side that disengages; `control`: damage control
    by ship. Own ships and groups by id, others by contact.
    """

    plot: dict[str, str] | None = None
    fighters: dict[str, str] | None = None
    engage: dict[str, list[dict[str, Any]]] | list[tuple[str, list[dict[str, Any]]]] | None = None
    pursue: bool = False
    control: dict[str, DamageControl] | None = None
    schema: Literal[1] = 1
    battle: str = ""
    week: int = 0
    hex: str = ""
    stop: int = 0


@dataclass(frozen=True, slots=True)
class StopOrdersSheet:
    """My orders at the stop now. `orders`: what is sealed, else the draft; `draft`: its version.

    The first draft is what my captain advises. `violations`: what keeps the draft from being sealed.
    """

    battle: str
    stop: StopLine
    opens: datetime
    closes: datetime | None
    draft: int
    orders: dict[str, Any]
    violations: list[Fault]
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class StopDefault:
    """What my captain orders at the stop now: it is done where I seal nothing."""

    battle: str
    stop: StopLine
    orders: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StopSealing:
    """`nonce`: 16 bytes in hexadecimal made by the client. `orders`: these instead of the draft (see StopOrders)."""

    nonce: str = ""
    orders: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StopReceipt:
    """Sealed orders of a stop. The digest is SHA-256 of their canonical JSON and the nonce's bytes."""

    battle: str
    stop: int
    kind: str
    faction: str
    revision: int
    source: Source
    orders: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class StopReceiptList:
    receipts: list[StopReceipt]
