"""Shapes of the API about battles fought online: where one stands, its stops, orders at a stop,
receipts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from campaign.api.shapes import SealMark
from campaign.kinds import FactionBattleText, SourceText
from campaign.sight.reports import OVER
from campaign.web.problems import Fault
from campaign.words.battle.phase_titles import STOPS

StopKind = Annotated[str, Field(json_schema_extra={"enum": [*STOPS, OVER]})]


@dataclass(frozen=True, slots=True)
class StopLine:
    """A stop of a battle as I was told of it. `asked`: it waited for my orders."""

    number: int
    turn: int
    kind: StopKind
    asked: bool


@dataclass(frozen=True, slots=True)
class FightLine:
    """A battle online.

    `stop`: its newest; `state`: open (it waits for my orders), sealed, waiting (for others), over.

    `opens` and `closes`: of the stop where it asks me; `closes` is null too where it waits for the
    orders.
    """

    id: str
    week: int
    hex: str
    side: str
    state: FactionBattleText
    stop: StopLine
    opens: datetime | None
    closes: datetime | None


@dataclass(frozen=True, slots=True)
class FightList:
    """Battles online, the earliest first."""

    fights: list[FightLine]


@dataclass(frozen=True, slots=True)
class FightSheet:
    """A battle online as it stands.

    `mine`: ids of the ships and fighter groups I order; `view`: what my side sees now.

    `log`: what happened since the stop before. `known`: where I am asked, the battle as my side
    knows it, a document of the engine with the designs of its ships; my orders are judged by it.
    `stops`: all so far, the newest last.
    """

    id: str
    week: int
    hex: str
    side: str
    sides: list[str]
    table: list[float]
    state: FactionBattleText
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
    """A resolved stop: what my side saw before it, what happened, what it saw after it, and the
    stop's hash.
    """

    battle: str
    stop: StopLine
    before: dict[str, Any]
    log: list[dict[str, Any]]
    after: dict[str, Any]
    chain: str


@dataclass(frozen=True, slots=True)
class RepairJob:
    """A system of a ship and the parties sent to it, one to three: they repair it with a die no
    higher than they are many.
    """

    system: str
    parties: int


@dataclass(frozen=True, slots=True)
class DamageControl:
    """A ship's damage control.

    `view.own.SHIP.parties` and `.repairable` tell what can be sent where.

    `dump` and `abandon`: of a power core out of control (`notes.reactor`), where the parties cannot
    bring it back: without it the ship only drifts, left alone it explodes some time. Of a boarded
    ship `repel`: parties sent against one boarder each, and what he does (`hull` or `marines`): [3,
    "hull"]; `marines`: how many of its marines fire at either.
    """

    repairs: list[RepairJob] = field(default_factory=list)
    dump: bool = False
    abandon: bool = False
    repel: list[tuple[int, str]] = field(default_factory=list)
    marines: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Boarders:
    """What my boarders aboard another ship do: `at_marines` of them fight its marines, the others
    wreck it.
    """

    at_marines: int = 0


@dataclass(frozen=True, slots=True)
class StopOrders:
    """Orders at a stop: the entry of its kind alone.

    `battle`, `week`, `hex` and `stop`, where given, must fit.

    `plot`: texts by ship, a move and words between semicolons (`P2+4; roll`): `ftl`, `stay`,
    `enter` x y course, `launch` bays, `leave`, `undock`, `nova`, `sweep`, `mine` [MU ...], `scan`
    contacts, `ram` or `dock` one; of Continuum, where moves are two turns (`P1S1`) or burns (`TP2
    MD6`), also `alone`, `squadron` ship, `roll`, `et`, `else` move, `board` ship marines [parties],
    `tow` ships, `detach`, `bear` ship, `gate`, `activate` or `deactivate` gate, `orbit`, `swing`
    points, `bombard` targets, `turret` turret arc, `set` system setting, `overload`, `charge` or
    `shaped` systems, `cloak` turns, `jam` [suites], `reflex`, `stealth` to, `detonate`. `fighters`:
    texts by group; `engage`: [{weapon, target, system?}] by ship, or a list of [ship, fire] in
    firing order; `pursue`: beside `engage`, go after a side that disengages; `control`: damage
    control by ship; `board`: beside it, my boarders by the ship they are aboard (`view.boarders`).
    Of Continuum: `launch` and `secondary` beside `plot`, by ship, marker or group; `attack` of
    groups, an ace's own target beside that of his group; `defend`, point defence by ship, or
    {scramble: [bay], fire: [...]}, and what gunboats on guard meet, by group, [{weapon: "boats",
    target, count?}]; beside `plot` and `defend`, `officers` true by ship leaves point defence to
    its officers for the rest of the battle, false takes it back. docs/reference/orders.md has their
    shapes. Own ships and groups by id, others by contact.
    """

    plot: dict[str, str] | None = None
    fighters: dict[str, str] | None = None
    engage: dict[str, list[dict[str, Any]]] | list[tuple[str, list[dict[str, Any]]]] | None = None
    pursue: bool = False
    launch: dict[str, list[dict[str, Any]]] | None = None
    secondary: dict[str, str] | None = None
    attack: dict[str, list[dict[str, Any]]] | None = None
    defend: dict[str, list[dict[str, Any]] | dict[str, Any]] | None = None
    officers: dict[str, bool] | None = None
    control: dict[str, DamageControl] | None = None
    board: dict[str, Boarders] | None = None
    schema: Literal[1] = 1
    battle: str = ""
    week: int = 0
    hex: str = ""
    stop: int = 0


@dataclass(frozen=True, slots=True)
class StopOrdersSheet:
    """My orders at the stop now. `orders`: what is sealed, else the draft; `draft`: its version.

    The first draft is what my captain advises. `violations`: what keeps the draft from being
    sealed.
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
    """`nonce`: 16 bytes in hexadecimal made by the client.

    `orders`: these instead of the draft (see StopOrders).
    """

    nonce: str = ""
    orders: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StopReceipt:
    """Sealed orders of a stop.

    The digest is SHA-256 of their canonical JSON and the nonce's bytes.
    """

    battle: str
    stop: int
    kind: str
    faction: str
    revision: int
    source: SourceText
    orders: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class StopReceiptList:
    """Everything sealed in a battle, newest first."""

    receipts: list[StopReceipt]
