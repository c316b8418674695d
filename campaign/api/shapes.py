"""Types of the API's requests and responses; JSON and OpenAPI document are made from them.

Times are ISO 8601.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.kinds import (
    MessageMode,
    MessageModeText,
    RoleText,
    RollbackConsent,
    RollbackPower,
    SourceText,
    StageText,
    StatusText,
)
from campaign.rules.scenario import Scenario
from campaign.selectors.next_action import Task
from campaign.web.problems import Fault

# Scenarios


@dataclass(frozen=True, slots=True)
class Power:
    """A faction of a scenario or a campaign."""

    key: str
    name: str
    alliance: str | None


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    """A summary of a scenario.

    Attributes:
        weeks: Its length.
    """

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
    """A complete scenario, which is public."""

    sha256: str
    scenario: Scenario


# Campaigns


@dataclass(frozen=True, slots=True)
class StageSheet:
    """A stage.

    Attributes:
        ordinal: Counts from 0 (the deployment).
        closes: Its deadline; null without one.
        grace_until: Until when orders are accepted after the deadline; null: not at all. Once the
            deadline has passed, `closes` is this instant too.
        publishes_at: For a closed stage, when its outcome is expected and the next stage opens
            (later, if that time passes); null if it may come at any moment. For a resolved stage,
            when that was.
    """

    ordinal: int
    week: int
    kind: StageText
    status: StatusText
    opens: datetime
    closes: datetime | None
    grace_until: datetime | None
    publishes_at: datetime | None


@dataclass(frozen=True, slots=True)
class Starting:
    """How to start a war.

    Attributes:
        computers: Keys of the factions that you expect computer admirals to play; null accepts any.
        unattended: Start even if no faction has a player, as a war of computer admirals.
    """

    computers: list[str] | None = None
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class StageList:
    """Stages, oldest first."""

    stages: list[StageSheet]


@dataclass(frozen=True, slots=True)
class WantedAction:
    """The next thing that a campaign needs from the caller.

    Attributes:
        task: begin or unbegun before the war, over after it; resolving while a stage is closed;
            deploy, orders, decisions or doctrine to seal that document; fight for orders in an
            online battle, table for the result of a battle at a table; wait if there is nothing to
            do now; umpire, host or watch for members who do not play.
        due: Whether the campaign waits for the caller.
        closes: The deadline; null without one.
        battle: The id of the battle for fight or table.
        decision_count: The number of systems in which the caller's fleets have to decide; with 0,
            an empty sheet of decisions is sealed.
    """

    task: Task
    due: bool
    closes: datetime | None
    battle: str | None
    decision_count: int


WarState = Literal["lobby", "war", "over"]


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A campaign of the caller (`Part`), its state, and what it needs from the caller."""

    campaign: str
    name: str
    roles: list[RoleText]
    faction: str | None
    state: WarState
    paused: bool
    stage: StageSheet | None
    wants: WantedAction


@dataclass(frozen=True, slots=True)
class CampaignList:
    """The caller's campaigns."""

    campaigns: list[CampaignLine]


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """The head of a ledger: one hash over its public rows, signed by the site.

    Attributes:
        size: The number of rows.
        root: The root of RFC 9162 over the 32 bytes of their hashes, in hexadecimal.
        name: Size and beginning of the root, as in mails and on pages.
        note: The signed checkpoint (C2SP); the key is at /.well-known/blindjump-key.
    """

    size: int
    root: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """A campaign as all its members know it, with the caller's own seat.

    Attributes:
        barred: Systems and kinds of ships that may not be used.
        allowed: The only systems that may be used; null for all that are not barred.
        open_play: Each fleet is an open marker on the map.
        dummies: Each faction's dummy counters in open play; null for as many as its fleets at the
            start.
        bots: Bots may take seats.
        beacon: Public random values of drand are mixed into the dice.
        messages: How messages between members are delivered.
        umpire_reads: The umpire reads messages between factions, too.
        rollback: umpire, or vote: an umpire also needs the consent of the sides to roll back.
        rollback_consent: all, or two-thirds of the sides with players must agree in such a vote.
        stage: Null before and after the war.
        faction: The faction that the caller plays.
        guest_of: The faction whose view the caller reads as its guest.
        ledger_head: The present head of the public ledger; null before its first row.
    """

    id: str
    name: str
    scenario: str
    scenario_version: int
    edition: str
    options: list[str]
    barred: list[str]
    allowed: list[str] | None
    open_play: bool
    dummies: int | None
    bots: bool
    beacon: bool
    messages: MessageModeText
    umpire_reads: bool
    rollback: str
    rollback_consent: str
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
    ledger_head: LedgerHead | None
    wants: WantedAction


@dataclass(frozen=True, slots=True)
class CampaignNew:
    """A campaign to open. Null values take the scenario's setting.

    Attributes:
        timetable: solo, live, evening, daily, or a custom table (docs/reference/api.md).
        play: The faction that the caller plays.
        umpire: The caller is the umpire, and does not play.
        admirals: Character of the computer admiral (steady, bold, cautious) by faction key, used
            while the faction has no player.
        battles: How battles are fought: captains, mixed (by captains, or by players who take
            command), online or table.
        open_play: Each fleet is an open marker on the map, without its strength.
        dummies: How many dummy counters each faction has in open play.
        options: The edition's options in force (docs/reference/options.md).
        barred: Systems and kinds of ships that may not be used. With neither this nor `allowed`,
            the scenario's lists count.
        allowed: The only systems that may be used.
        class_names: The list of names that a faction uses for its classes (such as nac), by faction
            key; the other factions use the scenario's names.
        bots: Bots may take seats.
        beacon: Public random values of drand are mixed into the dice; 422 if the site cannot get
            them.
        messages: off, at-once, or sealed (those between factions are delivered when the stage is
            resolved).
        umpire_reads: The umpire reads messages between factions, too.
        rollback: umpire, or vote: an umpire also needs the consent of the sides to roll back.
            Without an umpire the sides always vote.
        rollback_consent: all, or two-thirds of the sides with players must agree in such a vote.
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
    barred: list[str] | None = None
    allowed: list[str] | None = None
    class_names: dict[str, str] = field(default_factory=dict)
    bots: bool = False
    beacon: bool = False
    messages: MessageModeText = MessageMode.OFF
    umpire_reads: bool = False
    rollback: str = RollbackPower.UMPIRE
    rollback_consent: str = RollbackConsent.ALL


@dataclass(frozen=True, slots=True)
class Unsealing:
    """How orders are unsealed.

    Attributes:
        word: The withdrawal word: 32 random bytes in hexadecimal that the client made for the seal;
            the nonce is the first 16 bytes of their SHA-256. It proves that the caller's side
            unsealed the orders. Without it, only the site's own record shows that.
    """

    word: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty body."""


# Orders as they are stored: an `OrderSet` without default values.
OrdersJson = Annotated[dict[str, Any], WithJsonSchema({"x-shape": "OrderSet"})]


@dataclass(frozen=True, slots=True)
class SealMark:
    """The seal of orders, and how to recognise it."""

    revision: int
    digest: str
    sealed_at: datetime
    source: SourceText


@dataclass(frozen=True, slots=True)
class DocumentFaults:
    """All faults of a document that was checked and not stored.

    Attributes:
        warnings: What is valid but advised against, such as a deployment with mixed drives.
    """

    violations: list[Fault]
    warnings: list[Fault]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that a version changed.

    Attributes:
        version: The version that changed it.
    """

    version: str
    words: str


@dataclass(frozen=True, slots=True)
class RulesChangeover:
    """A switch of the war to another version of the rules at the beginning of a week.

    Attributes:
        by: Who ordered it; null for an update of the site.
    """

    week: int
    before: str
    after: str
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules of a war.

    Attributes:
        first_version: The version at the beginning of the war.
        now: The version used this week.
        recorded: The version recorded for this week; it differs if this release does not support it
            any more.
        coming: The next switch.
        past: Earlier switches.
        changes: What `newest` would change in this war, in words.
        everywhere: What changed in all wars since this one began, because the old rule no longer
            exists.
    """

    first_version: str
    now: str
    recorded: str
    newest: str
    known_versions: list[str]
    coming: RulesChangeover | None
    past: list[RulesChangeover]
    changes: list[RuleChange]
    everywhere: list[RuleChange]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row of the ledger.

    Attributes:
        body: Week, stage, the factions' digests, the outcome's root, `rules_version` (the rules by
            which the stage was resolved) and `release` (the newest rules of the release that
            resolved it).
        hash: Chains it to the row before.
    """

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerProof:
    """A proof that the outcome of a row covers a result that you know.

    The data of a leaf are the bytes of `blind` and the canonical JSON of [`name`, `digest`]; the
    tree is that of RFC 9162.

    Attributes:
        name: What it covers, such as `view/nac`.
        digest: SHA-256 of it.
        index: The place of the leaf among `size` leaves. It says nothing.
        hashes: From the leaf's neighbour to the top of the tree.
    """

    name: str
    digest: str
    blind: str
    index: int
    size: int
    hashes: list[str]


@dataclass(frozen=True, slots=True)
class LedgerProofs:
    """The proofs that you may have of a row of the ledger.

    Attributes:
        outcome: The root to which each proof leads.
    """

    seq: int
    outcome: str
    proofs: list[LedgerProof]


@dataclass(frozen=True, slots=True)
class LedgerOpening:
    """What the ledger began with. It is published after the war.

    Attributes:
        genesis: The `prev_hash` of the first row is its digest. Its `scenario` is the digest of the
            list of `salt` and the hash of `scenario`. In wars that began with rules 1.0 it is that
            hash, and there is no salt.
        scenario: The document of the scenario, with all objectives.
    """

    genesis: dict[str, Any]
    salt: str | None
    scenario: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    """The rows of the public ledger, oldest first, and what it began with after the war.

    Attributes:
        end: The last row, which publishes the seed when the story may be told; null before.
    """

    opening: LedgerOpening | None
    rows: list[LedgerLine]
    end: LedgerLine | None
