"""What the API answers and takes, as types: they make the JSON and the OpenAPI document alike. Times are ISO 8601."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from campaign.kinds import Role, RoleText, StageText, StatusText
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
    stages: list[StageSheet]


@dataclass(frozen=True, slots=True)
class CampaignList:
    campaigns: list[Part]


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


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """A campaign as everybody in it knows it, with the caller's own part. `stage`: null before the war and after it.

    `open_play`: every fleet lies open on the map as a marker. `dummies`: each faction's dummy counters then; null: as
    many as it has fleets at the start.
    """

    id: str
    name: str
    scenario: str
    scenario_version: int
    edition: str
    options: list[str]
    open_play: bool
    dummies: int | None
    rules_version: str
    battles: str
    timetable: dict[str, Any]
    seed_sha256: str
    state: Literal["lobby", "war", "over"]
    paused: bool
    stage: StageSheet | None
    factions: list[Power]
    roles: list[RoleText]
    faction: str | None
    wants: Wanted


@dataclass(frozen=True, slots=True)
class CampaignNew:
    """A campaign to open. `timetable`: solo, evening, daily, or a table of one's own (docs/api.md).

    `play`: the faction its maker leads; or `umpire`: he is its umpire, and does not play. `admirals`: faction key to
    the character of the computer admiral (steady, bold, cautious) who leads it while nobody plays it. `battles`: how
    they are fought (captains, online, table). `open_play`: every fleet lies open on the map as a marker, its strength
    does not; `dummies`: how many dummy counters each faction has then. `options`: those of the edition that are in
    force (docs/options.md). Null: as the scenario says.
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

    role: RoleText = Role.PLAYER
    faction: str = ""
    days: int = 14


@dataclass(frozen=True, slots=True)
class InviteSheet:
    """An open invitation. Its token is told once, to who made it."""

    id: str
    role: RoleText
    faction: str | None
    expires: datetime


@dataclass(frozen=True, slots=True)
class InviteMade:
    """An invitation with its token; `token` is null where the call is repeated by its Idempotency-Key."""

    id: str
    role: RoleText
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
