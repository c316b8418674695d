"""Battles fought online, in the API: where they stand, what my side sees, my orders at a stop, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from django.http import HttpResponse
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import override

from campaign import battle_documents
from campaign.access import Viewer
from campaign.api.closed import stop_closed
from campaign.api.envelopes import Desk, RouteNames, check_resource, draft_resource, seal_resource, unseal_resource
from campaign.api.problems import Fault, Refusal
from campaign.api.resource import Resource, answer, answer_if_changed, own
from campaign.api.schema import documented
from campaign.api.shapes import SealMark
from campaign.errors import NotThere, StageIsClosed
from campaign.kinds import FactionBattleState, FactionBattleText, SourceText
from campaign.models.campaign import Faction
from campaign.models.stage import Submission
from campaign.services import stops
from campaign.services.stops import Fight, entries_at_stops, fight_of, fights_of, sheet_now
from campaign.sight.reports import OVER, StopTold, stop_read
from campaign.stop_titles import STOPS
from engine.sequences import entries_at

StopKind = Annotated[str, Field(json_schema_extra={"enum": [*STOPS, OVER]})]

TAG = "fights"


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
    without it the ship only drifts, left alone it explodes some time. Of a boarded ship `repel`: parties
    sent against one boarder each, and what he does (`hull` or `marines`): [3, "hull"]; `marines`: how many of its
    marines fire at either.
    """

    repairs: list[RepairJob] = field(default_factory=list)
    dump: bool = False
    abandon: bool = False
    repel: list[tuple[int, str]] = field(default_factory=list)
    marines: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Boarders:
    """What my boarders aboard another ship do: `at_marines` of them fight its marines, the others wreck it."""

    at_marines: int = 0


@dataclass(frozen=True, slots=True)
class StopOrders:
    """Orders at a stop: the entry of its kind alone. `battle`, `week`, `hex` and `stop`, where given, must fit.

    `plot`: texts by ship, a move and words between semicolons (`P2+4; roll`): `ftl`, `stay`, `enter` x y course,
    `launch` bays, `leave`, `undock`, `nova`, `sweep`, `mine` [MU ...], `scan` contacts, `ram` or `dock` one; of
    Continuum, where moves are two turns (`P1S1`) or burns (`TP2 MD6`), also `alone`, `squadron` ship, `roll`, `et`,
    `else` move, `board` ship marines [parties], `tow` ships, `detach`, `bear` ship, `gate`, `activate` or
    `deactivate` gate, `orbit`, `swing` points, `bombard` targets, `turret` turret arc, `set` system setting,
    `overload`, `charge` or `shaped` systems, `cloak` turns, `jam` [suites], `reflex`, `stealth` to, `detonate`.
    `fighters`: texts by group; `engage`: [{weapon, target, system?}] by ship, or a list of [ship, fire] in firing
    order; `pursue`: beside `engage`, go after a side that disengages; `control`: damage control by ship; `board`:
    beside it, my boarders by the ship they are aboard (`view.boarders`). Of Continuum: `launch` and `secondary`
    beside `plot`, by ship, marker or group; `attack` of groups, an ace's own target beside that of his group;
    `defend`, point defence by ship, or {scramble: [bay], fire: [...]}, and what gunboats on guard meet, by group,
    [{weapon: "boats", target, count?}]; beside `plot` and `defend`, `officers` true by
    ship leaves point defence to its officers for the rest of the battle, false takes it back. docs/orders.md has their
    shapes.
    Own ships and groups by id, others by contact.
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


@dataclass(frozen=True, slots=True)
class OwnFight:
    """The caller's place in a battle."""

    viewer: Viewer
    faction: Faction
    fight: Fight

    @property
    def at(self) -> str:
        """Where the battle stands for him."""
        return f"{self.fight.last.number}-{self.fight.state}"

    @property
    def tag(self) -> str:
        """Changes with the stop, with every save and with every seal: what he was told, and his own doing."""
        draft, sealed = self.fight.draft, self.fight.sealed
        return f"{self.at}-{draft.version if draft else 0}-{sealed.revision if sealed else 0}"

    def sheet(self) -> battle_documents.StopSheet:
        """The battle as the caller's side sees it now."""
        return sheet_now(self.viewer.campaign, self.faction, self.fight)


class FightListResource(Resource):
    """The caller's battles online."""

    @documented("fights", "The faction's battles fought online", {200: FightList}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Those going on and those over, each with its newest stop and whether it waits for the caller's orders."""
        viewer = self.viewer(campaign, play=True)
        return answer(FightList([_fight(fight) for fight in fights_of(viewer.campaign, own(viewer))]))


class FightResource(Resource):
    """One of them."""

    @documented(
        "fight",
        "The present state of an online battle: the stop, what the side sees, what happened since the previous stop",
        {200: FightSheet},
        etag="read",
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """What the side sees, the ships it orders, the log since the stop before and all stops so far."""
        own_fight = own_fight_of(self.viewer(campaign, play=True), fight)
        sheet, line = own_fight.sheet(), _fight(own_fight.fight)
        whole = FightSheet(
            id=line.id,
            week=line.week,
            hex=line.hex,
            side=line.side,
            sides=sheet["sides"],
            table=sheet["table"],
            state=line.state,
            stop=line.stop,
            opens=line.opens,
            closes=line.closes,
            mine=sheet["mine"],
            view=cast(battle_documents.Document, sheet["view"]),
            log=sheet["log"],
            known=cast("battle_documents.Document | None", sheet.get("known")),
            winner=sheet["winner"],
            chain=sheet["chain"],
            stops=[stop_line(stop) for stop in own_fight.fight.stops],
        )
        return answer_if_changed(request, whole, own_fight.tag)


class FightStopResource(Resource):
    """A resolved stop."""

    @documented(
        "fight_stop",
        "A resolved stop of an online battle: the side's view before and after it, and the log as the side saw it",
        {200: StopSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str, number: int) -> HttpResponse:
        """The stop by its number, counted from 0. The newest stop is not resolved yet: it is 404, as is one that never
        was.
        """
        own_fight = own_fight_of(self.viewer(campaign, play=True), fight)
        stops = own_fight.fight.stops
        if not 0 <= number < len(stops) - 1:
            raise NotThere("there is no such stop")
        before, after = (
            stop_read(own_fight.viewer.campaign, own_fight.faction, own_fight.fight.id, stop.number)
            for stop in stops[number : number + 2]
        )
        line = stop_line(stops[number])
        shown, left = (cast(battle_documents.Document, sheet["view"]) for sheet in (before, after))
        return answer(StopSheet(own_fight.fight.id, line, shown, after["log"], left, after["chain"]))


class FightReceiptListResource(Resource):
    """What was sealed in a battle by or for the caller's faction."""

    @documented(
        "fight_receipts",
        "Everything sealed in a battle by or for the faction, newest first, with orders and nonces",
        {200: StopReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """Withdrawn entries stay on the list and say when they were withdrawn."""
        own_fight = own_fight_of(self.viewer(campaign, play=True), fight)
        rows = entries_at_stops(own_fight.fight, own_fight.faction)
        return answer(StopReceiptList([receipt_sheet(row, own_fight) for row in rows]))


def own_fight_of(viewer: Viewer, battle: str) -> OwnFight:
    """The caller's place in a battle of his faction. Raises NotThere."""
    faction = own(viewer)
    return OwnFight(viewer, faction, fight_of(viewer.campaign, faction, battle))


def stop_line(stop: StopTold) -> StopLine:
    """A stop as the API shows it."""
    return StopLine(stop.number, stop.turn, stop.kind, stop.asked)


def _fight(fight: Fight) -> FightLine:
    last, stage = fight.last, fight.stage
    asked = stage is not None and fight.state != FactionBattleState.OVER
    return FightLine(
        id=fight.id,
        week=last.week,
        hex=last.hex,
        side=last.side,
        state=fight.state,
        stop=stop_line(last),
        opens=stage.opens if stage is not None and asked else None,
        closes=stage.closes if stage is not None and asked else None,
    )


def receipt_sheet(row: Submission, own_fight: OwnFight) -> StopReceipt:
    """A sealed entry of a stop as the API shows it."""
    return StopReceipt(
        battle=own_fight.fight.id,
        stop=row.stage.ordinal,
        kind=row.stage.kind,
        faction=own_fight.faction.key,
        revision=row.revision,
        source=row.source,
        orders=row.payload,
        nonce=row.nonce,
        digest=row.digest,
        sealed_at=row.sealed_at,
        withdrawn_at=row.withdrawn_at,
    )


class StopDesk(Desk):
    """The orders at the stop now."""

    names = RouteNames(draft="fight_orders", stem="fight", tag=TAG, what="orders", when="present stop")
    sheet_type, takes, sealing_type, receipt_type = StopOrdersSheet, StopOrders, StopSealing, StopReceipt

    def __init__(self, viewer: Viewer, own_fight: OwnFight) -> None:
        """Raises StageIsClosed where no stop asks him."""
        super().__init__(viewer, stops.StopOrders(own_fight.fight, own_fight.faction))
        self.own_fight = own_fight

    @classmethod
    def of(cls, viewer: Viewer, **where: Any) -> StopDesk:
        """The desk of the battle `where["fight"]`. Raises NotThere, and Refusal where no stop asks."""
        own_fight = own_fight_of(viewer, where["fight"])
        try:
            return cls(viewer, own_fight)
        except StageIsClosed as refused:
            asked = [stop for stop in own_fight.fight.stops if stop.asked]
            raise stop_closed(own_fight.fight, asked[-1]) if asked else refused from refused

    @property
    def at(self) -> str:
        """The number of the newest stop and how the battle stands for the faction."""
        return self.own_fight.at

    def sheet(self) -> StopOrdersSheet:
        """The orders that are sealed, else the draft (the captain's advice at first), with the stop they are for."""
        fight, stage = self.own_fight.fight, self.document.stage
        orders = self.envelope.payload or {}
        return StopOrdersSheet(
            battle=fight.id,
            stop=stop_line(fight.last),
            opens=stage.opens,
            closes=stage.closes,
            draft=self.envelope.version,
            orders=orders,
            violations=self.violations,
            sealed=self.mark,
        )

    def receipt(self, row: Submission) -> StopReceipt:
        """An entry with its orders, nonce and digest."""
        return receipt_sheet(row, self.own_fight)

    @override
    def meant(self, payload: object) -> None:
        """Raises Refusal for orders that name an earlier stop of the battle, or that this stop does not take and an
        earlier one did: they come too late.
        """
        if not isinstance(payload, Mapping):
            return
        fight, number = self.own_fight.fight, payload.get("stop", self.own_fight.fight.last.number)
        named = {part for part in payload if part not in stops.ENVELOPE and payload[part]}
        here = number == fight.last.number and named <= {*entries_at(fight.last.kind)}
        if payload.get("battle", fight.id) not in ("", fight.id) or here:
            return
        for stop in reversed(fight.stops[:-1]):
            meant = named <= {*entries_at(stop.kind)} if number == fight.last.number else number == stop.number
            if stop.asked and meant:
                raise stop_closed(fight, stop)

    @override
    def closed(self, refused: StageIsClosed) -> Refusal:
        """With the stop that closed meanwhile, and how the battle stands now."""
        fight = self.own_fight.fight
        now = stops.fight_of(self.viewer.campaign, self.own_fight.faction, fight.id)
        return stop_closed(now, fight.last)


FightOrdersResource = draft_resource(StopDesk)
FightCheckResource = check_resource(StopDesk)
FightSealResource = seal_resource(StopDesk)
FightUnsealResource = unseal_resource(StopDesk)


class FightDefaultResource(Resource):
    """What is done where nothing is sealed."""

    @documented(
        "fight_default",
        "The captain's orders for the present stop, used if nothing is sealed",
        {200: StopDefault},
        problems=(404, 409),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """The captain's orders as the faction's side sees the battle. 409 where no stop asks the faction."""
        desk = StopDesk.of(self.viewer(campaign, play=True), fight=fight)
        last = desk.own_fight.fight.last
        return answer(StopDefault(last.battle, stop_line(last), desk.document.default()))
