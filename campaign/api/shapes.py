"""What the API answers and takes, as types: they make the JSON and the OpenAPI document alike. Times are ISO 8601."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.rules.orders import Orders
from campaign.rules.scenario import Link, Scenario, StarSystem
from campaign.rules.view import Asked, Fleet, Ship, Sighting, StageKind, Touch, View

Role = Literal["player", "staff", "host", "umpire", "observer"]
Status = Literal["open", "closed", "resolved"]
Source = Literal["player", "standing", "default", "admiral", "umpire"]


# --- accounts


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login. `username` may be an e-mail address."""

    username: str
    password: str


@dataclass(frozen=True, slots=True)
class TokenMade:
    """A token, to be read this once."""

    token: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part in a campaign. `faction`: its key, for players and staff."""

    campaign: str
    name: str
    roles: list[Role]
    faction: str | None


@dataclass(frozen=True, slots=True)
class Me:
    username: str
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class Health:
    status: Literal["ok"]


# --- scenarios


@dataclass(frozen=True, slots=True)
class Power:
    """A faction of a scenario or a campaign."""

    key: str
    name: str
    alliance: str | None


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    slug: str
    version: int
    name: str
    edition: str
    weeks: int
    factions: list[Power]
    intro: str


@dataclass(frozen=True, slots=True)
class ScenarioList:
    scenarios: list[ScenarioLine]


@dataclass(frozen=True, slots=True)
class ScenarioSheet:
    """A scenario, whole: it is public."""

    sha256: str
    scenario: Scenario


# --- campaigns


@dataclass(frozen=True, slots=True)
class StageSheet:
    """A stage. `ordinal` counts from 0 (the deployment). `closes`: null where it waits for the orders."""

    ordinal: int
    week: int
    kind: StageKind
    status: Status
    opens: datetime
    closes: datetime | None


@dataclass(frozen=True, slots=True)
class StageList:
    stages: list[StageSheet]


@dataclass(frozen=True, slots=True)
class CampaignList:
    campaigns: list[Part]


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """A campaign as everybody in it knows it, with the caller's own part. `stage`: null before the war and after it."""

    id: str
    name: str
    scenario: str
    scenario_version: int
    edition: str
    options: list[str]
    rules_version: str
    timetable: dict[str, Any]
    seed_sha256: str
    state: Literal["lobby", "war", "over"]
    paused: bool
    stage: StageSheet | None
    factions: list[Power]
    roles: list[Role]
    faction: str | None


@dataclass(frozen=True, slots=True)
class CampaignNew:
    """A campaign to open. `timetable`: solo, evening, daily, or a table of one's own (docs/api.md).

    `play`: the faction its maker leads; or `umpire`: he is its umpire, and does not play. `admirals`: faction key to
    the character of the computer admiral (steady, bold, cautious) who leads it while nobody plays it.
    """

    scenario: str
    name: str = ""
    timetable: str | dict[str, Any] = "solo"
    zone: str = "UTC"
    play: str = ""
    umpire: bool = False
    admirals: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactionNamed:
    """A faction by its key."""

    faction: str


@dataclass(frozen=True, slots=True)
class ToComputer:
    """A faction and the character of the computer admiral (steady, bold, cautious) who shall lead it."""

    faction: str
    character: str = "steady"


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """A faction's seat. `admiral`: the computer admiral who leads it where its players seal nothing."""

    faction: str
    name: str
    players: list[str]
    staff: list[str]
    admiral: str | None


@dataclass(frozen=True, slots=True)
class SeatList:
    seats: list[SeatSheet]
    hosts: list[str]
    umpires: list[str]
    observers: list[str]


@dataclass(frozen=True, slots=True)
class InviteNew:
    """A seat to offer, for so many days: players and staff belong to a faction, nobody else does."""

    role: Role = "player"
    faction: str = ""
    days: int = 14


@dataclass(frozen=True, slots=True)
class InviteSheet:
    """An open invitation. Its token is told once, to who made it."""

    id: str
    role: Role
    faction: str | None
    expires: datetime


@dataclass(frozen=True, slots=True)
class InviteMade:
    """An invitation with its token; `token` is null where the call is repeated by its Idempotency-Key."""

    id: str
    role: Role
    faction: str | None
    expires: datetime
    token: str | None


@dataclass(frozen=True, slots=True)
class InviteList:
    invites: list[InviteSheet]


@dataclass(frozen=True, slots=True)
class Joining:
    token: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """A body without anything in it."""


# --- the map and what a faction knows


@dataclass(frozen=True, slots=True)
class MapSheet:
    """The public map: hexes CCRR, flat top, odd columns up."""

    columns: int
    rows: int
    hexes_per_week: int
    systems: list[StarSystem]
    links: list[Link]
    closed: list[str]


@dataclass(frozen=True, slots=True)
class Step:
    hex: str
    steps: int


@dataclass(frozen=True, slots=True)
class ReachSheet:
    fleet: str
    hexes: list[Step]


@dataclass(frozen=True, slots=True)
class ViewSheet:
    """All a faction knew when the stage of `view` stood open."""

    seq: int
    view: View


@dataclass(frozen=True, slots=True)
class FleetList:
    week: int
    stage: StageKind
    fleets: tuple[Fleet, ...]


@dataclass(frozen=True, slots=True)
class ShipList:
    week: int
    stage: StageKind
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """What was scanned, who is in contact, what is asked, and where a battle is to be fought."""

    week: int
    stage: StageKind
    sightings: tuple[Sighting, ...]
    in_contact: tuple[Touch, ...]
    asked: tuple[Asked, ...]
    fighting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report addressed to the caller's faction. `stage`: the stage it tells of."""

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]


@dataclass(frozen=True, slots=True)
class ReportList:
    reports: list[ReportLine]


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """A report. A stage's body has `notices`, a battle's what the battle resource tells."""

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BattleLine:
    """A battle the caller's faction was in. `side`: its side's name; `winner`: a side's name or null."""

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None


@dataclass(frozen=True, slots=True)
class BattleList:
    battles: list[BattleLine]


@dataclass(frozen=True, slots=True)
class BattleSheet:
    """A battle as the caller's side saw it: `stops` one by one, `chain` their hashes."""

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None
    chain: list[str]
    stops: list[dict[str, Any] | None]


# --- orders


@dataclass(frozen=True, slots=True)
class OrderSet(Orders):
    """The whole set of orders of a stage; a stage reads the parts that are its own and refuses the rest."""

    schema: Literal[1] = 1


# Orders as they are stored: an `OrderSet`, what is left at its default left out.
OrdersJson = Annotated[dict[str, Any], WithJsonSchema({"x-shape": "OrderSet"})]


@dataclass(frozen=True, slots=True)
class SealMark:
    """That orders are sealed, and how they can be recognised."""

    revision: int
    digest: str
    sealed_at: datetime
    source: Source


@dataclass(frozen=True, slots=True)
class OrdersSheet:
    """The orders of the stage now. `orders`: what is sealed, else the draft; `draft`: its version (0: none yet)."""

    faction: str
    stage: StageSheet
    draft: int
    orders: OrdersJson
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class DefaultSheet:
    """What the faction does in the stage now where nothing is sealed."""

    faction: str
    stage: StageSheet
    orders: OrdersJson


@dataclass(frozen=True, slots=True)
class Sealing:
    """`nonce`: 16 bytes in hexadecimal made by the client. `orders`: these instead of the draft."""

    nonce: str = ""
    orders: OrdersJson | None = None


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A sealed entry. `withdrawn_at`: it was unsealed and does not count."""

    stage: StageSheet
    revision: int
    source: Source
    author: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReceiptList:
    receipts: list[ReceiptLine]


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """With orders and nonce the digest can be computed again: SHA-256 of canonical JSON and the nonce's bytes."""

    stage: StageSheet
    faction: str
    revision: int
    source: Source
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row: `body` holds week, stage, the factions' digests and the outcome's root; `hash` chains it on the last."""

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    rows: list[LedgerLine]
