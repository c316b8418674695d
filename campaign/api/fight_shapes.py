"""Types of the API for online battles: their state, phases, orders in a phase, and receipts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from campaign.api.shapes import SealMark
from campaign.kinds import FactionBattleText, SourceText
from campaign.sight.reports import OVER
from campaign.web.problems import Fault
from campaign.words.battle.phase_titles import PHASES

PhaseKind = Annotated[str, Field(json_schema_extra={"enum": [*PHASES, OVER]})]


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A phase of a battle, as reported to the faction.

    Attributes:
        needs_orders: It waited for the faction's orders.
    """

    number: int
    turn: int
    kind: PhaseKind
    needs_orders: bool


@dataclass(frozen=True, slots=True)
class FightLine:
    """An online battle.

    Attributes:
        state: open (it waits for the faction's orders), sealed, waiting (for others) or over.
        phase: Its newest phase.
        opens: When that phase opened, if it asks the faction.
        closes: When it closes; null also if it waits for all orders.
        captain_finishes: The captain's orders are sealed in every further phase.
    """

    id: str
    week: int
    hex: str
    side: str
    state: FactionBattleText
    phase: PhaseLine
    opens: datetime | None
    closes: datetime | None
    captain_finishes: bool


@dataclass(frozen=True, slots=True)
class FightCaptain:
    """Who gives the orders in all further phases: the captain, or the player again."""

    finishes: bool


@dataclass(frozen=True, slots=True)
class FightList:
    """Online battles, earliest first."""

    fights: list[FightLine]


@dataclass(frozen=True, slots=True)
class FightSheet:
    """The present state of an online battle.

    Attributes:
        mine: Ids of the ships and fighter groups that the faction orders.
        view: What its side sees now.
        zones: During the set-up: the zones of each side by name, as in `view.set_up`; {} after it.
        log: What happened since the phase before.
        battle_document: If the faction is asked: the battle as its side knows it, a document of the
            engine with the designs of its ships, by which orders are checked.
        phases: All phases so far, newest last.
    """

    id: str
    week: int
    hex: str
    side: str
    sides: list[str]
    table: list[float]
    state: FactionBattleText
    phase: PhaseLine
    opens: datetime | None
    closes: datetime | None
    captain_finishes: bool
    mine: list[str]
    view: dict[str, Any]
    zones: dict[str, list[dict[str, Any]]]
    log: list[dict[str, Any]]
    battle_document: dict[str, Any] | None
    winner: str | None
    chain: str
    phases: list[PhaseLine]


@dataclass(frozen=True, slots=True)
class PhaseSheet:
    """A resolved phase: what the side saw before and after it, its log, and the phase's hash."""

    battle: str
    phase: PhaseLine
    before: dict[str, Any]
    log: list[dict[str, Any]]
    after: dict[str, Any]
    chain: str


@dataclass(frozen=True, slots=True)
class RepairJob:
    """A system of a ship and the parties sent to it.

    Attributes:
        parties: One to three; they repair it on a die roll up to their number.
    """

    system: str
    parties: int


@dataclass(frozen=True, slots=True)
class DamageControl:
    """A ship's damage control.

    `view.own.SHIP.parties` and `.repairable` show what can be sent where.

    Attributes:
        dump: Eject a power core that is out of control (`notes.reactor`) if the parties cannot save
            it; the ship then only drifts. Left alone it explodes at some point.
        abandon: Abandon such a ship.
        repel: On a boarded ship: parties sent against one boarder each, with what it does (`hull`
            or `marines`): [3, "hull"].
        marines: How many of the ship's marines fire at each kind of boarder.
    """

    repairs: list[RepairJob] = field(default_factory=list)
    dump: bool = False
    abandon: bool = False
    repel: list[tuple[int, str]] = field(default_factory=list)
    marines: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Boarders:
    """Orders to the faction's boarders aboard another ship.

    Attributes:
        at_marines: How many fight its marines; the others wreck it.
    """

    at_marines: int = 0


@dataclass(frozen=True, slots=True)
class PhaseOrders:
    """Orders in a phase: only the entry of its kind.

    `battle`, `week`, `hex` and `stop` (its number) must match the phase if given.

    `set_up`: before the first turn, by ship, {at, course, velocity} and what else an entry of
    `set_up` in a battle file may have: facing, ftl_entry, gate, docked, carried, orbit, stand,
    aloft.

    `plot`: texts by ship, a move and words between semicolons (`P2+4; roll`): `ftl`, `stay`,
    `enter` x y course, `launch` bays, `leave`, `undock`, `nova`, `sweep`, `mine` [MU ...], `scan`
    contacts, `ram` or `dock` one; of Continuum, where moves are two turns (`P1S1`) or burns (`TP2
    MD6`), also `alone`, `squadron` ship, `roll`, `et`, `else` move, `board` ship marines [parties],
    `tow` ships, `detach`, `bear` ship, `gate`, `activate` or `deactivate` gate, `orbit`, `swing`
    points, `bombard` targets, `turret` turret arc, `set` system setting, `overload`, `charge` or
    `shaped` systems, `cloak` turns, `jam` [suites], `reflex`, `stealth` to, `detonate`.

    `fighters`: texts by group. `engage`: [{weapon, target, system?}] by ship, or a list of [ship,
    fire] in firing order; with the option fire-by-ship only the ship that fires next, or none to
    pass. `pursue`: beside `engage`, follow a side that disengages. `lets`: beside
    `engage`, in Continuum battles of three sides or more, the other sides in the order in which
    they act whenever the faction's side wins the initiative; [] leaves it to the dice. `control`:
    damage control by ship. `board`: beside it, the faction's boarders by the ship they are aboard
    (`view.boarders`).

    Of Continuum: `launch` and `secondary` beside `plot`, by ship, marker or group. `attack` of
    groups; an ace's target is separate from that of its group. `defend`: point defence by ship, or
    {scramble: [bay], fire: [...]}, and the targets of gunboats on guard, by group, [{weapon:
    "boats", target, count?}]. Beside `plot` and `defend`, `officers` true by ship leaves point
    defence to the ship's officers for the rest of the battle, false takes it back.

    docs/reference/orders.md describes their formats. Own ships and groups are named by id, others
    by contact.
    """

    set_up: dict[str, dict[str, Any]] | None = None
    plot: dict[str, str] | None = None
    fighters: dict[str, str] | None = None
    engage: dict[str, list[dict[str, Any]]] | list[tuple[str, list[dict[str, Any]]]] | None = None
    pursue: bool = False
    lets: list[str] | None = None
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
class PhaseOrdersSheet:
    """The faction's orders in the present phase.

    Attributes:
        draft: The draft's version; the first draft is the captain's advice.
        orders: What is sealed, or else the draft.
        violations: The faults that keep the draft from being sealed.
    """

    battle: str
    phase: PhaseLine
    opens: datetime
    closes: datetime | None
    draft: int
    orders: dict[str, Any]
    violations: list[Fault]
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class PhaseDefault:
    """The captain's orders in the present phase, which apply if the faction seals nothing."""

    battle: str
    phase: PhaseLine
    orders: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PhaseSealing:
    """What to seal in a phase.

    Attributes:
        nonce: 16 bytes in hexadecimal, made by the client.
        share: 32 random bytes in hexadecimal, made by the client, which enter the dice.
        orders: Orders to seal instead of the draft (see PhaseOrders).
    """

    nonce: str = ""
    share: str = ""
    orders: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PhaseReceipt:
    """Sealed orders of a phase.

    Attributes:
        digest: SHA-256 of the orders' canonical JSON and the nonce's bytes,
            followed by the SHA-256 of the share\'s bytes if the client made one.
        share: Of the client; null if the server fills it in.
        signed: The receipt, signed by the site (see `ReceiptSheet`).
        signed_unsealing: That it was unsealed, signed by the site; null otherwise.
    """

    battle: str
    phase: int
    kind: str
    faction: str
    revision: int
    source: SourceText
    orders: dict[str, Any]
    nonce: str
    share: str | None
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None
    signed: str
    signed_unsealing: str | None


@dataclass(frozen=True, slots=True)
class PhaseReceiptList:
    """All sealed entries of a battle, newest first."""

    receipts: list[PhaseReceipt]
