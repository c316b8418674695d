"""What the API answers and takes, as types: they make the JSON and the OpenAPI document alike.

Times are ISO 8601.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.kinds import MessageMode, MessageModeText, RoleText, SourceText, StageText, StatusText
from campaign.rules.scenario import Scenario
from campaign.selectors.next_action import Task
from campaign.web.problems import Fault

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
    """A stage.

    `ordinal` counts from 0 (the deployment). `closes`: null where it waits for the orders.

    `publishes_at`: of a closed stage, when its outcome is expected and the next stage opens (once
    that has passed, a later instant); null where it may come at any moment. Of a resolved stage,
    when that was.
    """

    ordinal: int
    week: int
    kind: StageText
    status: StatusText
    opens: datetime
    closes: datetime | None
    publishes_at: datetime | None


@dataclass(frozen=True, slots=True)
class Starting:
    """How a war is to begin.

    `computers`: the keys of the factions that computer admirals are expected to lead; null:
    whichever have no player. `unattended`: begin although none has one, as a war of computer
    admirals.
    """

    computers: list[str] | None = None
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class StageList:
    """Stages, oldest first."""

    stages: list[StageSheet]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a campaign wants of the caller next.

    `due`: it waits for him. `closes`: until when, null where it waits.

    `task`: begin or unbegun before the war, over after it; resolving while a stage is closed;
    deploy, orders, decisions or doctrine to seal that at the stage; fight for orders in a battle
    online, table for the result of one at a table (`battle`: its id); wait where there is nothing
    to do now; umpire, host or watch of who does not play. `met`: the systems in which the caller's
    fleets have to decide, 0 where a sheet of decisions is sealed with nothing in it.
    """

    task: Task
    due: bool
    closes: datetime | None
    battle: str | None
    met: int


WarState = Literal["lobby", "war", "over"]


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A part in a campaign (`Part`), how that stands, and what it wants of the caller, as its own
    sheet says.
    """

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
    """A campaign as everybody in it knows it, with the caller's own part.

    `stage`: null before the war and after it.

    `open_play`: every fleet lies open on the map as a marker. `dummies`: each faction's dummy
    counters then; null: as many as it has fleets at the start. `bots`: accounts of programs may
    take seats. `messages`: how messages between its people go; `umpire_reads`: the umpire reads
    those between factions, too. `faction`: the one that the caller plays; `guest_of`: the one whose
    papers he reads as its guest.
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
    """A campaign to open.

    `timetable`: solo, evening, daily, or a table of one's own (docs/reference/api.md).

    `play`: the faction its maker leads; or `umpire`: he is its umpire, and does not play.
    `admirals`: faction key to the character of the computer admiral (steady, bold, cautious) who
    leads it while nobody plays it. `battles`: how they are fought (captains, online, table).
    `open_play`: every fleet lies open on the map as a marker, its strength does not; `dummies`: how
    many dummy counters each faction has then. `options`: those of the edition that are in force
    (docs/reference/options.md). Null: as the scenario says. `bots`: accounts of programs may take
    seats. `messages`: off, at-once, or sealed (those between factions go out when the stage is
    resolved); `umpire_reads`: the umpire reads these, too.
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
class Nothing:
    """A body without anything in it."""


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
class DocumentFaults:
    """All that is wrong with what was handed in; nothing was kept."""

    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that a version changed. `version`: since which."""

    version: str
    words: str


@dataclass(frozen=True, slots=True)
class RulesTurn:
    """The war goes over to another version of the rules as a week begins.

    `by`: who had it so; null: an update.
    """

    week: int
    before: str
    after: str
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules of a war.

    `begun`: the version it began with; `now`: by which the week is played; `recorded`: what the
    record names for it, another one where this release does not play that any more.

    `coming`: the change-over to come, `past` those that have been. `changes`: what `newest` would
    change in this war, in words; `everywhere`: what changed in every war since it began, because
    what was before is not kept.
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
    """A row: `body` holds week, stage, the factions' digests and the outcome's root; `hash` chains
    it on the last.

    `rules_version`: by which rules the stage was resolved, `release`: the newest of the release
    that did so.
    """

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    """The rows of the public ledger, oldest first."""

    rows: list[LedgerLine]
