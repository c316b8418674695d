"""What the umpire's API answers and takes. Times are ISO 8601."""

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

    `happenings`: what happened on the way here, each with its audience.
    """

    seq: int
    week: int
    stage: StageText
    sha256: str
    world: World
    happenings: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GalleryWar:
    """A war in the public gallery: the last week that is shown, whether it is over, the address of
    its page.
    """

    id: str
    name: str
    scenario: str
    until: int
    over: bool
    page: str


@dataclass(frozen=True, slots=True)
class GalleryList:
    """The wars in the public gallery, the newest first."""

    wars: list[GalleryWar]


@dataclass(frozen=True, slots=True)
class SeatAtStage:
    """A faction at a stage: who plays it, and whether its envelope is there."""

    faction: str
    players: tuple[str, ...]
    admiral: str | None
    sealed_at: datetime | None
    excused: bool
    awaited: bool


@dataclass(frozen=True, slots=True)
class UmpireStage:
    """A stage, and where each faction stands with it."""

    stage: StageSheet
    seats: list[SeatAtStage]


@dataclass(frozen=True, slots=True)
class UmpireStageList:
    """Stages, oldest first."""

    stages: list[UmpireStage]


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """A sealed entry. `withdrawn_at`: it was unsealed and does not count."""

    faction: str
    revision: int
    source: SourceText
    author: str
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntryList:
    """A stage and all its sealed entries."""

    stage: StageSheet
    entries: list[SealedEntry]


@dataclass(frozen=True, slots=True)
class UmpireBattle:
    """A battle. `result`: null until it is fought."""

    id: str
    week: int
    key: str
    mode: str
    status: str
    result: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class UmpireBattleList:
    """Battles of a week, or of all."""

    battles: list[UmpireBattle]


@dataclass(frozen=True, slots=True)
class UmpireStop:
    """One stop: who chose what, and what happened then."""

    seq: int
    inputs: dict[str, Any]
    events: list[dict[str, Any]]
    chain: str


@dataclass(frozen=True, slots=True)
class UmpireBattleSheet:
    """A battle, whole. `start`: the engine's set-up."""

    id: str
    week: int
    key: str
    mode: str
    status: str
    start: dict[str, Any]
    result: dict[str, Any] | None
    stops: list[UmpireStop]


@dataclass(frozen=True, slots=True)
class ActLine:
    """What a host or an umpire did. `body` is what the ledger covers."""

    verb: str
    actor: str
    at: datetime
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActList:
    """What hosts and umpires did, newest first."""

    acts: list[ActLine]


@dataclass(frozen=True, slots=True)
class TroubleSheet:
    """What waits for an umpire in a war.

    `urgent`: it needs the umpire; else a stage is about to close with somebody missing.

    `since`: when it began, null where nobody knows; `until`: when the stage closes. `page` and
    `resource`: where it is dealt with, null where nothing can be done there. `stage`: the ordinal
    of the war's stage now.
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
    """What waits for an umpire: what needs the umpire first."""

    troubles: list[TroubleSheet]


# --- acts


@dataclass(frozen=True, slots=True)
class Resolving:
    """The ordinal of the stage that is meant, so that a repeated call closes no other."""

    stage: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangingRules:
    """`version`: by which the war is played from its next week on.

    `stage`: the ordinal of the stage that is meant.
    """

    version: str
    stage: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fighting:
    """`mode`: captains, online or table."""

    mode: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Extending:
    """`hours` more than the stage had, or `until` then. `stage`: its ordinal."""

    stage: int
    hours: int | None = None
    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why it is done, as the record of the act keeps it."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pausing:
    """Why the clock stops, and when it goes on by itself (null: not at all)."""

    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reminding:
    """The ordinal of the stage that is meant."""

    stage: int


@dataclass(frozen=True, slots=True)
class Reminded:
    """How many reminders are on the way."""

    reminders: int


@dataclass(frozen=True, slots=True)
class WarMeant:
    """A war, by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class StageMeant:
    """A war, by its id, and the ordinal of the stage that is meant."""

    id: str
    stage: int


@dataclass(frozen=True, slots=True)
class RemindingWars:
    """The wars in which everybody who has not sealed is reminded."""

    wars: list[StageMeant]


@dataclass(frozen=True, slots=True)
class ExtendingWars:
    """`hours` more than each of these stages had, or `until` then."""

    wars: list[StageMeant]
    hours: int | None = None
    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PausingWars:
    """The wars whose clocks stand until a time."""

    wars: list[WarMeant]
    until: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WarRefusal:
    """Why nothing was done in a war: a stable code, and words."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class WarActed:
    """What became of an act in a war. `why_not`: null where it was done.

    `reminders`: how many are on the way; `closes`: the new deadline; `paused_until`: when the clock
    goes on; each of them null where the act was another one, or was not done.
    """

    campaign: str
    name: str
    done: bool
    reminders: int | None
    closes: datetime | None
    paused_until: datetime | None
    why_not: WarRefusal | None


@dataclass(frozen=True, slots=True)
class WarsActed:
    """What became of an act in several wars, in the order of the call."""

    wars: list[WarActed]


@dataclass(frozen=True, slots=True)
class Remedying:
    """The ordinal of the stage that cannot be computed, and how it goes on.

    `way`: `again` (as it was), `plain` (captains without search), `smaller` (battles of fewer
    ships), or, for umpires, `by-hand` (results are entered). The last three are for the stage of
    battles alone.
    """

    stage: int
    way: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resuming:
    """Why the clock goes on.

    `unattended`: computer admirals play the war on although no faction has a player.
    """

    reason: str = ""
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class Excusing:
    """A faction's key and a week (null: this one)."""

    faction: str
    week: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ExcuseSheet:
    """A faction, and the week in which nobody waits for it."""

    faction: str
    week: int


@dataclass(frozen=True, slots=True)
class PasswordFor:
    """The user of the campaign who has lost the password."""

    username: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """The path of a link that works once; null where the call is repeated by its
    Idempotency-Key.
    """

    path: str | None


@dataclass(frozen=True, slots=True)
class EnteringResult(ResultDraft):
    """A whole result, every ship by its id, and why it is entered.

    `round`: the round that the umpire has seen.
    """

    reason: str = ""
    round: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimDifference:
    """A difference between sealed results.

    `ship`: empty for the whole battle; `said`: by the faction that says it.
    """

    ship: str
    part: str
    said: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableClaimsSheet:
    """What is claimed about a battle at a table.

    `missing`: sides that have sealed nothing; `record`: the phones' one.

    `round`: the round of results that is open. `claims`: the newest sealed result by faction.
    """

    id: str
    round: int
    missing: list[str]
    claims: dict[str, dict[str, Any]]
    record: dict[str, Any] | None
    differences: list[ClaimDifference]
