"""The public ledger.

Each stage of each week writes one row of the same form, so that it never reveals who met.

A body of schema 3: {schema, branch, seq, week, stage, again, rules_version, release, source,
digests, shares, closed_at, round, past, outcome, opening}.

- `again`: how often this stage of this week was opened before on the line.
- `release`: the newest rules of the release that resolved the stage by `rules_version`.
- `source`: the hash of its sources (`campaign.rules.sources`).
- `digests`, `shares`: one per faction, in faction order. A share is 32 random bytes of a faction;
  the server fills them in from the seed until players send their own.
- `past`: the hash of all digests and shares up to this row (`engine.core.fair.entropy_link`).
- `round`: of a public source of randomness; null, because no war has one yet.
- `outcome`: the root over blinded leaves (`campaign.rules.outcome_leaves`).
- `opening`: in the first row of a branch, what it starts from; otherwise null.

`hash` is the digest of [prev_hash, body]; the first row's prev_hash is the campaign's genesis. Rows
of schema 1 were written by release 1.0; they are {schema, week, stage, rules_version, release,
digests, outcome}. The first row of schema 3 in their wars covers in its leaves what they left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet, Value

from campaign.kinds import StageKind
from campaign.lineage import of_line, played_on_line
from campaign.models.campaign import Branch, Campaign, Excuse, Faction, Membership
from campaign.models.knowledge import BATTLE_REPORT, STAGE_REPORT, Report, View
from campaign.models.ledger import UMPIRES_ONLY, Act, LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.models.table_record import TableEntry
from campaign.models.truth import Snapshot
from campaign.rules.outcome_leaves import (
    EntryParts,
    StageRecord,
    leaf_digests,
    report_digest,
    told_digest,
)
from campaign.rules.sources import source_of
from campaign.selectors.entropy import entropy_before, genesis, opening_of, row_before
from campaign.selectors.proofs import outcome_tree
from campaign.services.umpire_access import access_digests
from campaign.store.documents import LEDGER_SCHEMA
from campaign.store.table_chains import last_link, record_begin
from campaign.store.war_dice import entry_share
from engine.core import fair
from engine.core.canonical import digest, encode_floats
from engine.core.versions import NEWEST
from engine.core.war_dice import Moment

SETTING_SCHEMA = 2
EXCUSED = "excused"  # among seats: a faction that is excused for the week
REPORTS_OF_STAGES = (STAGE_REPORT, BATTLE_REPORT)  # all other kinds are handed out during battles


@dataclass(frozen=True, slots=True)
class StageDigests:
    """The digests of what computing a stage gave, by faction or by the key of a battle.

    Attributes:
        told: See `campaign.rules.outcome_leaves.told_digest`.
        battles: See `campaign.rules.outcome_leaves.battle_digest`.
    """

    snapshot: str
    events: str
    views: Mapping[str, str]
    told: Mapping[str, str]
    battles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row of the ledger that is ready to be written; the fields are those of `LedgerRow`."""

    seq: int
    prev_hash: str
    body: dict[str, Any]
    leaves: dict[str, str]
    setting: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StageEntropy:
    """What a closed stage adds to the entropy chain of its branch.

    Attributes:
        last: The row before.
        opening: See `campaign.selectors.entropy.opening_of`.
        shares: One per faction, as `digests`.
        before: The link before the stage.
        after: The link with it.
    """

    last: LedgerRow | None
    opening: dict[str, Any] | None
    digests: list[str]
    shares: list[str]
    before: str
    after: str

    @property
    def seq(self) -> int:
        """Return the number of the stage's row."""
        return 0 if self.last is None else self.last.seq + 1

    def moment(self, stage: Stage) -> Moment:
        """Return the stage as the keys of its dice need it."""
        return Moment(stage.week, stage.kind, stage.ordinal, self.digests, self.after)


def stage_entropy(stage: Stage, entries: Sequence[Submission]) -> StageEntropy:
    """Return what a closed stage adds to the entropy chain.

    Args:
        entries: Those that were not unsealed, in faction order.
    """
    last = row_before(stage.branch, stage.ordinal)
    opening = opening_of(stage.branch, last)
    before = entropy_before(stage.branch, last, opening)
    digests = [entry.digest for entry in entries]
    shares = [entry_share(stage, entry) for entry in entries]
    seq = 0 if last is None else last.seq + 1
    after = fair.entropy_link(before, seq, digests, shares)
    return StageEntropy(last, opening, digests, shares, before, after)


def row_of(
    stage: Stage,
    computed: StageDigests,
    *,
    entries: Sequence[Submission],
    entropy: StageEntropy,
    factions: Sequence[Faction],
    rules_version: str,
) -> NewRow:
    """Return the ledger row of a closed stage from what was computed and what is stored.

    Args:
        entries: All revisions, from `stage_entries`.
        entropy: From `stage_entropy`.
    """
    branch = stage.branch
    seq = entropy.seq
    last = entropy.last
    is_first = is_first_of_schema(last)
    setting = _setting_of(stage, factions, None if is_first else last)
    leaves = leaf_digests(
        stage_record(stage, computed, entries=entries, setting=setting, is_first=is_first)
    )
    body = {
        "schema": LEDGER_SCHEMA,
        "branch": branch.number,
        "seq": seq,
        "week": stage.week,
        "stage": stage.kind,
        "again": stage.again,
        "rules_version": rules_version,
        "release": NEWEST,
        "source": source_of(),
        "digests": entropy.digests,
        "shares": entropy.shares,
        "closed_at": _instant(stage.closed_at),
        "round": None,
        "past": entropy.after,
        "outcome": outcome_of(stage, seq, leaves),
        "opening": entropy.opening,
    }
    prev_hash = genesis(branch.campaign) if last is None else last.hash
    return NewRow(seq, prev_hash, body, leaves, setting)


def outcome_of(stage: Stage, seq: int, leaves: Mapping[str, str]) -> str:
    """Return the root over a row's leaves.

    Args:
        seq: The row's number.
    """
    return outcome_tree(stage.branch, seq, leaves).root


def ledger_append(*, stage: Stage, row: NewRow) -> LedgerRow:
    """Append a row to the branch's ledger. The caller has locked the stage.

    A row that was not made for the end of the ledger is refused by the database.
    """
    return LedgerRow.objects.create(
        branch_id=stage.branch_id,
        seq=row.seq,
        stage=stage,
        schema=LEDGER_SCHEMA,
        body=row.body,
        prev_hash=row.prev_hash,
        hash=fair.row_hash(row.prev_hash, row.body),
        leaves=row.leaves,
        setting=row.setting,
    )


def is_first_of_schema(last: LedgerRow | None) -> bool:
    """Return whether a row is the first of schema 3 in its war, by the row before."""
    return last is None or last.schema < LEDGER_SCHEMA


# What a row covers


def stage_record(
    stage: Stage,
    computed: StageDigests,
    *,
    entries: Sequence[Submission],
    setting: Mapping[str, Any],
    is_first: bool,
) -> StageRecord:
    """Return what a stage left behind: what was computed, and what was stored while it was open.

    Args:
        entries: All revisions.
        is_first: Whether the row is the first of its war of schema 3.
    """
    public_acts: list[str] = []
    umpire_acts: list[str] = []
    for act in Act.objects.filter(stage=stage).order_by("pk"):
        acts = umpire_acts if act.verb in UMPIRES_ONLY else public_acts
        acts.append(digest(act.body))
    return StageRecord(
        snapshot=computed.snapshot,
        events=computed.events,
        views=computed.views,
        told=computed.told,
        sheets=_sheets_of(stage, list(computed.views)),
        battles=computed.battles,
        tables=_table_chains(stage),
        acts=public_acts,
        umpire_acts=umpire_acts,
        entries=_entry_parts(entries),
        setting=setting,
        first=first_digests(stage.branch) if is_first else None,
    )


def stage_entries(stage: Stage) -> list[Submission]:
    """Return all entries of a stage, also those that were unsealed, by faction and revision."""
    entries = Submission.objects.filter(stage=stage).select_related("faction")
    return sorted(entries, key=lambda entry: (entry.faction.key, entry.revision))


def live_entries(entries: Sequence[Submission]) -> list[Submission]:
    """Return the entries that were not unsealed."""
    return [entry for entry in entries if entry.withdrawn_at is None]


def sealed_entries(stage: Stage) -> list[Submission]:
    """Return the sealed entries of a stage in faction order."""
    return live_entries(stage_entries(stage))


def _entry_parts(entries: Sequence[Submission]) -> dict[str, EntryParts]:
    """Return how each faction's orders were sealed."""
    withdrawn: dict[str, list[str]] = {}
    parts = {}
    for entry in entries:
        key = entry.faction.key
        if entry.withdrawn_at is not None:
            withdrawn.setdefault(key, []).append(entry.digest)
    for entry in live_entries(entries):
        key = entry.faction.key
        parts[key] = EntryParts(
            entry.source, _instant(entry.sealed_at), tuple(withdrawn.get(key, ()))
        )
    return parts


def _sheets_of(stage: Stage, factions: Sequence[str]) -> dict[str, str]:
    """Return the digests of what each faction was handed for the battles of a stage."""
    handed: dict[str, list[tuple[str, str, str]]] = {key: [] for key in factions}
    if stage.kind == StageKind.BATTLES:
        rows = Report.objects.filter(branch=stage.branch_id, seq=stage.from_snapshot.seq)
        for report in _reports(rows.exclude(kind__in=REPORTS_OF_STAGES)):
            handed[report[0]].append(report[1:])
    return {key: told_digest(reports) for key, reports in handed.items()}


def _reports(rows: QuerySet[Report]) -> list[tuple[str, str, str, str]]:
    """Return faction, kind, subject and digest of reports; those of release 1.0 are read whole."""
    result = []
    old = []
    for pk, key, kind, subject, sha256 in rows.values_list(
        "pk", "faction__key", "kind", "subject", "sha256"
    ):
        if sha256 is None:
            old.append(pk)
        else:
            result.append((key, kind, subject, sha256))
    for row in Report.objects.filter(pk__in=old).select_related("faction") if old else ():
        result.append((row.faction.key, row.kind, row.subject, report_digest(row.body)))
    return result


def _table_chains(stage: Stage) -> dict[str, str]:
    """Return the last chains of the records of a stage's battles at a table."""
    if stage.kind != StageKind.BATTLES:
        return {}
    entries = TableEntry.objects.filter(
        battle__branch=stage.branch_id, battle__week=stage.week
    ).order_by("number")
    newest = {}
    for battle, key, chain in entries.values_list("battle_id", "battle__key", "chain"):
        newest[key] = (battle, chain)
    chains = {}
    for key, (battle, chain) in newest.items():
        begin = record_begin(stage.branch, stage.week, key)
        chains[key] = chain or last_link(battle, begin)
    return chains


def _setting_of(
    stage: Stage, factions: Sequence[Faction], last: LedgerRow | None
) -> dict[str, Any]:
    """Return the admirals, excuses, seats and timetable of a stage, and what umpires opened in it.

    `opened` has digests, because archives contain no user names. What is opened while a stage is
    closed is covered twice, by its row and by the next one, so that nothing is left out.

    Args:
        last: The row before; None in the first row of schema 3, which also covers the acts from
            before the war.
    """
    campaign = stage.branch.campaign
    seats = Membership.objects.filter(campaign=campaign).values_list("role", "faction__key")
    excuses = Excuse.objects.filter(faction__campaign=campaign, week=stage.week)
    excuses = played_on_line(excuses, stage.branch_id)
    excused = excuses.annotate(role=Value(EXCUSED)).values_list("role", "faction__key")
    closed_before = None if last is None else datetime.fromisoformat(last.body["closed_at"])
    held = []
    free = []
    for role, faction in seats.union(excused, all=True):
        if role == EXCUSED:
            free.append(faction)
        else:
            held.append([role, faction or ""])
    setting: dict[str, Any] = {
        "schema": SETTING_SCHEMA,
        "admirals": {faction.key: faction.admiral for faction in factions},
        "excused": sorted(free),
        "seats": sorted(held),
        "timetable": encode_floats(campaign.timetable),
        "opened": access_digests(campaign, closed_before),
    }
    if last is None:
        setting["acts_before"] = acts_before(campaign)
    return setting


def acts_before(campaign: Campaign) -> list[str]:
    """Return the digests of the acts from before the war, oldest first."""
    rows = Act.objects.filter(campaign=campaign, stage__isnull=True, at__lte=campaign.started_at)
    return [digest(act.body) for act in rows.order_by("pk")]


def first_digests(branch: Branch) -> tuple[str, dict[str, str]]:
    """Return the digests of the first world on the line of a branch, and of its first views."""
    snapshot = of_line(Snapshot.objects.all(), branch.pk).order_by("seq")[0]
    views = View.objects.filter(snapshot=snapshot).select_related("faction")
    return digest(snapshot.world), {view.faction.key: digest(view.body) for view in views}


def _instant(moment: datetime | None) -> str:
    """Return a moment as it is hashed."""
    if moment is None:
        raise ValueError("the stage is not closed")
    return moment.astimezone(UTC).isoformat()
