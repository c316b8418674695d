"""What the API answers and takes, as types: they make the JSON and the OpenAPI document alike. Times are ISO 8601."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.api.problems import Fault
from campaign.kinds import MessageMode, MessageModeText, Role, RoleText, SourceText, StageText, StatusText
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.selectors.next_action import Task

# --- accounts


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login. `username` may be an e-mail address; `read_only`: the token shall only read."""

    username: str
    password: str
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class TokenMade:
    """A token, to be read this once. A `read_only` one may GET and nothing else."""

    token: str
    read_only: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part in a campaign. `faction`: its key, for players and staff."""

    campaign: str
    name: str
    roles: list[RoleText]
    faction: str | None


@dataclass(frozen=True, slots=True)
class Me:
    """A user name, and the user's parts in campaigns. `bot`: the account is a program's."""

    username: str
    bot: bool
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class BotSaid:
    """Whether the account is a program's, as everybody in its wars is told."""

    bot: bool


@dataclass(frozen=True, slots=True)
class Health:
    """That the server answers."""

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
    """A scenario in short: version, edition, length in weeks, factions and introduction."""

    slug: str
    version: int
    name: str
    edition: str
    weeks: int
    factions: list[Power]
    intro: str


@dataclass(frozen=True, slots=True)
class ScenarioList:
    """Scenarios by slug."""

    scenarios: list[ScenarioLine]


@dataclass(frozen=True, slots=True)
class ScenarioSheet:
    """A scenario, whole: it is public."""

    sha256: str
    scenario: Scenario


# --- campaigns


@dataclass(frozen=True, slots=True)
class StageSheet:
    """A stage. `ordinal` counts from 0 (the deployment). `closes`: null where it waits for the orders.

    `publishes_at`: of a closed stage, when its outcome is expected and the next stage opens (once that has passed, a
    later instant); null where it may come at any moment. Of a resolved stage, when that was.
    """

    ordinal: int
    week: int
    kind: StageText
    status: StatusText
    opens: datetime
    closes: datetime | None
    publishes_at: datetime | None


@dataclass(frozen=True, slots=True)
class StageList:
    """Stages, oldest first."""

    stages: list[StageSheet]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a campaign wants of the caller next. `due`: it waits for him. `closes`: until when, null where it waits.

    `task`: begin or unbegun before the war, over after it; resolving while a stage is closed; deploy, orders, decisions
    or doctrine to seal that at the stage; fight for orders in a battle online, table for the result of one at a table
    (`battle`: its id); wait where there is nothing to do now; umpire, host or watch of who does not play.
    """

    task: Task
    due: bool
    closes: datetime | None
    battle: str | None


WarState = Literal["lobby", "war", "over"]


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A part in a campaign (`Part`), how that stands, and what it wants of the caller, as its own sheet says."""

    campaign: str
    name: str
    roles: list[RoleText]
    faction: str | None
    state: WarState
    paused: bool
    stage: StageSheet | None
    wants: Wanted


@dataclass(frozen=True, slots=True)
class CampaignList:
    """The caller's campaigns."""

    campaigns: list[CampaignLine]


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """A campaign as everybody in it knows it, with the caller's own part. `stage`: null before the war and after it.

    `open_play`: every fleet lies open on the map as a marker. `dummies`: each faction's dummy counters then; null: as
    many as it has fleets at the start. `bots`: accounts of programs may take seats. `messages`: how messages between
    its people go; `umpire_reads`: the umpire reads those between factions, too. `faction`: the one that the caller
    plays; `guest_of`: the one whose papers he reads as its guest.
    """

    id: str
    name: str
    scenario: str
    scenario_version: int
    edition: str
    options: list[str]
    open_play: bool
    dummies: int | None
    bots: bool
    messages: MessageModeText
    umpire_reads: bool
    rules_version: str
    battles: str
    timetable: dict[str, Any]
    seed_sha256: str
    state: WarState
    paused: bool
    stage: StageSheet | None
    factions: list[Power]
    roles: list[RoleText]
    faction: str | None
    guest_of: str | None
    wants: Wanted


@dataclass(frozen=True, slots=True)
class CampaignNew:
    """A campaign to open. `timetable`: solo, evening, daily, or a table of one's own (docs/api.md).

    `play`: the faction its maker leads; or `umpire`: he is its umpire, and does not play. `admirals`: faction key to
    the character of the computer admiral (steady, bold, cautious) who leads it while nobody plays it. `battles`: how
    they are fought (captains, online, table). `open_play`: every fleet lies open on the map as a marker, its strength
    does not; `dummies`: how many dummy counters each faction has then. `options`: those of the edition that are in
    force (docs/options.md). Null: as the scenario says. `bots`: accounts of programs may take seats. `messages`: off,
    at-once, or sealed (they go out when the stage is resolved); `umpire_reads`: the umpire reads those between
    factions, too.
    """

    scenario: str
    name: str = ""
    timetable: str | dict[str, Any] = "solo"
    zone: str = "UTC"
    play: str = ""
    umpire: bool = False
    admirals: dict[str, str] = field(default_factory=dict)
    battles: str = ""
    open_play: bool | None = None
    dummies: int | None = None
    options: list[str] | None = None
    bots: bool = False
    messages: MessageModeText = MessageMode.OFF
    umpire_reads: bool = False


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
    """A faction's seat. `admiral`: the computer admiral who leads it where its players seal nothing. `until`: by the
    user names of staff who stand in for a player, when their seats end. `guests`: who reads what it reads.
    """

    faction: str
    name: str
    players: list[str]
    staff: list[str]
    admiral: str | None
    until: dict[str, datetime]
    guests: list[str]


@dataclass(frozen=True, slots=True)
class SeatList:
    """The seats of all factions, and who else takes part, by user name. `bots`: who of all these is a program."""

    seats: list[SeatSheet]
    hosts: list[str]
    umpires: list[str]
    observers: list[str]
    bots: list[str]


@dataclass(frozen=True, slots=True)
class InviteNew:
    """A seat to offer, for so many days: players, staff and guests belong to a faction, nobody else does. `until`: when
    the seat of staff ends by itself, who stands in for a player; without it it does not.
    """

    role: RoleText = Role.PLAYER
    faction: str = ""
    days: int = 14
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class InviteSheet:
    """An open invitation. Its token is told once, to who made it. `until`: when the seat itself ends."""

    id: str
    role: RoleText
    faction: str | None
    expires: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class InviteMade:
    """An invitation with its token; `token` is null where the call is repeated by its Idempotency-Key."""

    id: str
    role: RoleText
    faction: str | None
    expires: datetime
    until: datetime | None
    token: str | None


@dataclass(frozen=True, slots=True)
class InviteList:
    """Open invitations, oldest first."""

    invites: list[InviteSheet]


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Somebody, by user name."""

    name: str


@dataclass(frozen=True, slots=True)
class Joining:
    """The token from the link of an invitation."""

    token: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """A body without anything in it."""


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
    source: SourceText


@dataclass(frozen=True, slots=True)
class OrdersSheet:
    """The orders of the stage now. `orders`: what is sealed, else the draft; `draft`: its version (0: none yet).

    `violations`: what keeps the draft from being sealed.
    """

    faction: str
    stage: StageSheet
    draft: int
    orders: OrdersJson
    violations: list[Fault]
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class DocumentFaults:
    """All that is wrong with what was handed in; nothing was kept."""

    violations: list[Fault]


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
    source: SourceText
    author: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReceiptList:
    """Sealed entries, newest first."""

    receipts: list[ReceiptLine]


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """With orders and nonce the digest can be computed again: SHA-256 of canonical JSON and the nonce's bytes."""

    stage: StageSheet
    faction: str
    revision: int
    source: SourceText
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that a version changed. `version`: since which."""

    version: str
    words: str


@dataclass(frozen=True, slots=True)
class RulesTurn:
    """The war goes over to another version of the rules as a week begins. `by`: who had it so; null: an update."""

    week: int
    before: str
    after: str
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules of a war. `begun`: the version it began with; `now`: by which the week is played; `recorded`: what the
    record names for it, another one where this release does not play that any more.

    `coming`: the change-over to come, `past` those that have been. `changes`: what `newest` would change in this war,
    in words; `everywhere`: what changed in every war since it began, because what was before is not kept.
    """

    begun: str
    now: str
    recorded: str
    newest: str
    known: list[str]
    coming: RulesTurn | None
    past: list[RulesTurn]
    changes: list[RuleChange]
    everywhere: list[RuleChange]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row: `body` holds week, stage, the factions' digests and the outcome's root; `hash` chains it on the last.

    `rules_version`: by which rules the stage was resolved, `release`: the newest of the release that did so.
    """

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    """The rows of the public ledger, oldest first."""

    rows: list[LedgerLine]
