"""Types of the umpire API's requests and responses. Times are ISO 8601."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaign.api.shapes import OrdersJson, StageSheet
from campaign.api.tables import ResultDraft
from campaign.kinds import SourceText, StageText
from campaign.rules.world import World
from umpire.troubles import TroubleKind


@dataclass(frozen=True, slots=True)
class WorldSheet:
    """The truth after a stage.

    Attributes:
        week_events: The events of that stage, each with its audience.
    """

    seq: int
    week: int
    stage: StageText
    sha256: str
    world: World
    week_events: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GalleryWar:
    """A war in the public gallery.

    Attributes:
        until: The last week that is shown.
        over: Whether the war is over.
        page: The address of its page.
    """

    id: str
    name: str
    scenario: str
    until: int
    over: bool
    page: str


@dataclass(frozen=True, slots=True)
class GalleryList:
    """The wars in the public gallery, newest first."""

    wars: list[GalleryWar]


@dataclass(frozen=True, slots=True)
class SeatAtStage:
    """A faction at a stage: its players, and whether its envelope is sealed.

    Attributes:
        late: It was sealed after the deadline.
    """

    faction: str
    players: tuple[str, ...]
    admiral: str | None
    sealed_at: datetime | None
    late: bool
    excused: bool
    awaited: bool


@dataclass(frozen=True, slots=True)
class UmpireStage:
    """A stage, and the state of each faction in it."""

    stage: StageSheet
    seats: list[SeatAtStage]


@dataclass(frozen=True, slots=True)
class UmpireStageList:
    """Stages, oldest first."""

    stages: list[UmpireStage]


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """A sealed entry.

    Attributes:
        late: It was sealed after the deadline.
        withdrawn_at: When it was unsealed, so that it does not count.
    """

    faction: str
    revision: int
    source: SourceText
    author: str
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime
    late: bool
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntryList:
    """A stage and all its sealed entries."""

    stage: StageSheet
    entries: list[SealedEntry]


@dataclass(frozen=True, slots=True)
class UmpireBattle:
    """A battle.

    Attributes:
        result: Null until it is fought.
    """

    id: str
    week: int
    key: str
    mode: str
    status: str
    result: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class UmpireBattleList:
    """Battles of one or all weeks."""

    battles: list[UmpireBattle]


@dataclass(frozen=True, slots=True)
class UmpirePhase:
    """One phase: each side's choices, and the events."""

    seq: int
    inputs: dict[str, Any]
    events: list[dict[str, Any]]
    chain: str


@dataclass(frozen=True, slots=True)
class UmpireBattleSheet:
    """A complete battle.

    Attributes:
        start: The engine's set-up.
    """

    id: str
    week: int
    key: str
    mode: str
    status: str
    start: dict[str, Any]
    result: dict[str, Any] | None
    phases: list[UmpirePhase]


@dataclass(frozen=True, slots=True)
class ActLine:
    """An act of a host or umpire.

    Attributes:
        body: The part that the ledger covers.
    """

    verb: str
    actor: str
    at: datetime
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActList:
    """Acts of hosts and umpires, newest first."""

    acts: list[ActLine]


@dataclass(frozen=True, slots=True)
class TroubleSheet:
    """A trouble that waits for an umpire in a war.

    Attributes:
        stage: The ordinal of the war's present stage.
        urgent: It needs the umpire; otherwise a stage with missing entries is about to close.
        since: When it began; null if unknown.
        until: When the stage closes.
        page: The page that deals with it; null if nothing can be done.
        resource: The API resource that deals with it; null if nothing can be done.
    """

    campaign: str
    name: str
    stage: int | None
    kind: TroubleKind
    urgent: bool
    text: str
    faction: str | None
    since: datetime | None
    until: datetime | None
    page: str | None
    resource: str | None


@dataclass(frozen=True, slots=True)
class TroubleList:
    """Troubles that wait for an umpire, urgent ones first."""

    troubles: list[TroubleSheet]


# Acts


@dataclass(frozen=True, slots=True)
class Resolving:
    """A stage to close, or to let go on.

    Attributes:
        stage: The ordinal of the intended stage, so that a repeated call closes no other.
    """

    stage: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangingRules:
    """A change of a war's rules from its next week on.

    Attributes:
        version: The new version.
        stage: The ordinal of the intended stage.
    """

    version: str
    stage: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fighting:
    """How a battle shall be fought.

    Attributes:
        mode: captains, online or table.
    """

    mode: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Extending:
    """More time for a stage: either hours or a new deadline.

    Attributes:
        stage: Its ordinal.
        hours: Hours after its present deadline.
        until: The new deadline.
    """

    stage: int
    hours: int | None = None
    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """The recorded reason of an act."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pausing:
    """Why the clock stops, and when it restarts.

    Attributes:
        until: Null for no automatic restart.
    """

    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reminding:
    """The ordinal of the intended stage."""

    stage: int


@dataclass(frozen=True, slots=True)
class Reminded:
    """The number of reminders that are being sent."""

    reminders: int


@dataclass(frozen=True, slots=True)
class WarChoice:
    """A war by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A war by its id, and the ordinal of the intended stage."""

    id: str
    stage: int


@dataclass(frozen=True, slots=True)
class RemindingWars:
    """The wars in which all players who have not sealed are reminded."""

    wars: list[StageChoice]


@dataclass(frozen=True, slots=True)
class ExtendingWars:
    """More time for stages of several wars: either hours or a new deadline.

    Attributes:
        hours: Hours after the present deadline of each.
        until: The new deadline.
    """

    wars: list[StageChoice]
    hours: int | None = None
    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PausingWars:
    """The wars whose clocks are stopped until a time."""

    wars: list[WarChoice]
    until: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WarRefusal:
    """Why an act was refused in a war: a stable code, and a message."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class WarOutcome:
    """The result of an act in a war. Values of other acts, or of refused ones, are null.

    Attributes:
        reminders: How many are being sent.
        closes: The new deadline.
        paused_until: When the clock restarts.
        refusal: Null if the act was done.
    """

    campaign: str
    name: str
    succeeded: bool
    reminders: int | None
    closes: datetime | None
    paused_until: datetime | None
    refusal: WarRefusal | None


@dataclass(frozen=True, slots=True)
class WarOutcomes:
    """The results of an act in several wars, in the order of the call."""

    wars: list[WarOutcome]


@dataclass(frozen=True, slots=True)
class Rebuilding:
    """A request to compute damaged records of a war again."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class RebuildSheet:
    """What was computed again.

    Attributes:
        rebuilt: How many records were replaced.
        faults: What is left, in words; it comes back from a backup only.
        checked_at: When the war was checked afterwards.
    """

    rebuilt: int
    faults: list[str]
    checked_at: datetime


@dataclass(frozen=True, slots=True)
class Remedying:
    """A remedy for a stage that cannot be computed.

    Attributes:
        stage: Its ordinal.
        way: `again` (unchanged) or, for battles only, `plain` (captains without search), `smaller`
            (fewer ships) or, for umpires, `by-hand` (results are entered).
    """

    stage: int
    way: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AcceptingLate:
    """Late orders in the open stage.

    Attributes:
        stage: The ordinal of the intended stage.
        hours: How long they are accepted after its deadline; 0: not any longer.
    """

    stage: int
    hours: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HoldingStage:
    """A hold of the next stage, or its release.

    Attributes:
        stage: The ordinal of the stage before it.
        held: False to release it.
    """

    stage: int
    held: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resuming:
    """Why the clock restarts.

    Attributes:
        unattended: Computer admirals continue the war although no faction has a player.
    """

    reason: str = ""
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class Excusing:
    """A faction to excuse for a week.

    Attributes:
        week: Null for the present one.
    """

    faction: str
    week: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ExcuseSheet:
    """A faction, and the week in which no stage waits for it."""

    faction: str
    week: int


@dataclass(frozen=True, slots=True)
class PasswordFor:
    """A user of the campaign with a lost password."""

    username: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """A link that works once.

    Attributes:
        path: Null if the call is repeated with its Idempotency-Key.
    """

    path: str | None


@dataclass(frozen=True, slots=True)
class EnteringResult(ResultDraft):
    """A complete result with all ships by id, and why it is entered.

    Attributes:
        round: The round that the umpire has seen.
    """

    reason: str = ""
    round: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimDifference:
    """A difference between sealed results.

    Attributes:
        ship: Empty for the whole battle.
        claims: The values by faction.
    """

    ship: str
    part: str
    claims: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableClaimsSheet:
    """The claims about a battle at a table.

    Attributes:
        round: The open round of results.
        missing: Sides that have sealed nothing.
        claims: The newest sealed result by faction.
        record: The phone record.
    """

    id: str
    round: int
    missing: list[str]
    claims: dict[str, dict[str, Any]]
    record: dict[str, Any] | None
    differences: list[ClaimDifference]
