"""The public ledger.

Each stage of each week writes one row of the same form, so that it never reveals who met.

A body of schema 3: {schema, branch, seq, week, stage, again, rules_version, release, source,
digests, shares, closed_at, round, past, outcome, opening}.

- `again`: how often this stage of this week was opened before on the line.
- `release`: the newest rules of the release that resolved the stage by `rules_version`.
- `source`: the hash of its sources (`campaign.rules.sources`).
- `digests`, `shares`: one per faction, in faction order. A share is 32 random bytes of a faction;
  the server fills in those that no client sent, from the seed.
- `past`: the hash of all digests and shares up to this row (`engine.core.fair.entropy_link`).
- `round`: {number, randomness} of the public random value in the dice of the stage
  (`campaign.selectors.beacon`); null without one.
- `outcome`: the root over blinded leaves (`campaign.rules.outcome_leaves`).
- `opening`: in the first row of a branch, what it starts from; otherwise null.

A rollback ends the branch that it leaves with a row for its open stage (`closing_row_of`). It has
the same form, a digest for each faction, and leaves for what was sealed but none for results.

`hash` is the digest of [prev_hash, body]; the first row's prev_hash is the campaign's genesis. Rows
of schema 1 were written by release 1.0; they are {schema, week, stage, rules_version, release,
digests, outcome}. The first row of schema 3 in their wars covers in its leaves what they left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet, Value

from campaign.kinds import StageKind, StageStatus
from campaign.lineage import of_line, played_on_line
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Excuse, Faction, Membership
from campaign.models.knowledge import BATTLE_REPORT, STAGE_REPORT, Report, View
from campaign.models.ledger import UMPIRES_ONLY, Act, LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.models.table_record import TableEntry
from campaign.models.truth import Snapshot
from campaign.rules.beacon import SignedRound
from campaign.rules.outcome_leaves import (
    EntryParts,
    StageRecord,
    battle_digest,
    leaf_digests,
    report_digest,
    told_digest,
)
from campaign.rules.sources import source_of
from campaign.selectors.beacon import signed_round
from campaign.selectors.entropy import entropy_before, genesis, opening_of, row_before
from campaign.selectors.proofs import outcome_tree
from campaign.selectors.rules import rules_of
from campaign.services.umpire_access import access_digests
from campaign.store.documents import LEDGER_SCHEMA
from campaign.store.table_chains import last_link, record_begin
from campaign.store.war_dice import entry_share, war_dice
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
    setting: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StageEntropy:
    """What a closed stage adds to the entropy chain of its branch.

    Attributes:
        last: The row before.
        opening: See `campaign.selectors.entropy.opening_of`.
        shares: One per faction, as `digests`.
        signed: The public random value in the dice of the stage.
        before: The link before the stage.
        after: The link with it.
    """

    last: LedgerRow | None
    opening: dict[str, Any] | None
    digests: list[str]
    shares: list[str]
    signed: SignedRound | None
    before: str
    after: str

    @property
    def seq(self) -> int:
        """Return the number of the stage's row."""
        return 0 if self.last is None else self.last.seq + 1

    def moment(self, stage: Stage) -> Moment:
        """Return the stage as the keys of its dice need it."""
        return Moment(stage.week, stage.kind, stage.ordinal, self.digests, self.after)


def stage_entropy(
    stage: Stage,
    entries: Sequence[Submission],
    factions: Sequence[str] = (),
    *,
    is_played: bool = True,
) -> StageEntropy:
    """Return what a closed stage adds to the entropy chain.

    Args:
        entries: In faction order.
        factions: The keys of all factions in order, if the stage was abandoned.
        is_played: Use False for a stage that rolls no dice, and so needs no public random value.

    Raises:
        BeaconMissing: The stage waits for its public random value.
    """
    signed = signed_round(stage) if is_played else None
    last = row_before(stage.branch, stage.ordinal)
    opening = opening_of(stage.branch, last)
    before = entropy_before(stage.branch, last, opening)
    digests = row_digests(stage, entries, factions)
    shares = row_shares(stage, entries, factions)
    seq = 0 if last is None else last.seq + 1
    beacon = "" if signed is None else signed.randomness
    after = fair.entropy_link(before, seq, digests, shares, beacon)
    return StageEntropy(last, opening, digests, shares, signed, before, after)


def row_of(
    stage: Stage,
    computed: StageDigests,
    *,
    entries: Sequence[Submission],
    entropy: StageEntropy,
    factions: Sequence[Faction],
    rules_version: str,
    ruling: str = "",
) -> NewRow:
    """Return the ledger row of a closed stage from what was computed and what is stored.

    Args:
        entries: All revisions, from `stage_entries`.
        entropy: From `stage_entropy`.
        ruling: As in `stage_record`.
    """
    last = entropy.last
    is_first = is_first_of_schema(last)
    setting = _setting_of(stage, factions, None if is_first else last)
    record = stage_record(
        stage, computed, entries=entries, setting=setting, is_first=is_first, ruling=ruling
    )
    return _new_row(stage, entropy, record, rules_version)


def closing_row_of(stage: Stage) -> NewRow:
    """Return the row with which an abandoned timeline ends, from its stage that was not played."""
    branch = stage.branch
    entries = stage_entries(stage)
    factions = list(Faction.objects.filter(campaign=branch.campaign_id).order_by("key"))
    entropy = stage_entropy(stage, entries, [faction.key for faction in factions], is_played=False)
    is_first = is_first_of_schema(entropy.last)
    setting = _setting_of(stage, factions, None if is_first else entropy.last)
    record = closing_record(stage, entries=entries, setting=setting, is_first=is_first)
    rules = rules_of(branch).version_in(stage.week)
    return _new_row(stage, entropy, record, rules)


def _new_row(
    stage: Stage, entropy: StageEntropy, record: StageRecord, rules_version: str
) -> NewRow:
    """Return a row over what a stage left behind."""
    branch = stage.branch
    seq = entropy.seq
    last = entropy.last
    leaves = leaf_digests(record)
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
        "round": None if entropy.signed is None else entropy.signed.for_row,
        "past": entropy.after,
        "outcome": outcome_of(stage, seq, leaves),
        "opening": entropy.opening,
    }
    prev_hash = genesis(branch.campaign) if last is None else last.hash
    return NewRow(seq, prev_hash, body, leaves, record.setting)


def row_digests(stage: Stage, entries: Sequence[Submission], factions: Sequence[str]) -> list[str]:
    """Return the digests of a row: those of the sealed orders, in faction order.

    If the stage was abandoned, factions that had not sealed have a digest from the seed.

    Args:
        factions: Their keys, in order.
    """
    live = live_entries(entries)
    if stage.status != StageStatus.LEFT:
        return [entry.digest for entry in live]
    campaign = stage.branch.campaign
    place = (campaign.seed, campaign.dice_key, stage.branch.number, stage.ordinal)
    sealed = {entry.faction.key: entry.digest for entry in live}
    digests = []
    for faction in factions:
        digests.append(sealed.get(faction) or fair.unsealed_digest(*place, faction))
    return digests


def row_shares(stage: Stage, entries: Sequence[Submission], factions: Sequence[str]) -> list[str]:
    """Return the shares of a row, in the order of its digests.

    Args:
        factions: As for `row_digests`.
    """
    live = live_entries(entries)
    if stage.status != StageStatus.LEFT:
        return [entry_share(stage, entry) for entry in live]
    dice = war_dice(stage.branch)
    sealed = {entry.faction.key: entry_share(stage, entry) for entry in live}
    shares = []
    for faction in factions:
        shares.append(sealed.get(faction) or dice.share(stage.ordinal, faction))
    return shares


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
    ruling: str = "",
) -> StageRecord:
    """Return what a stage left behind: what was computed, and what was stored while it was open.

    Args:
        entries: All revisions.
        is_first: Whether the row is the first of its war of schema 3.
        ruling: The digest of the ruling that closed the stage; empty if it was played.
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
        ruling=ruling,
    )


def closing_record(
    stage: Stage,
    *,
    entries: Sequence[Submission],
    setting: Mapping[str, Any],
    is_first: bool,
) -> StageRecord:
    """Return what a stage left behind that was not played, because the war was rolled back.

    Its battles are covered as far as they were fought.

    Args:
        entries: All revisions.
        is_first: Whether the row is the first of its war of schema 3.
    """
    keys = Faction.objects.filter(campaign=stage.branch.campaign_id).values_list("key", flat=True)
    computed = StageDigests(
        snapshot="",
        events="",
        views=dict.fromkeys(keys, ""),
        told={},
        battles=_unfinished_battles(stage),
    )
    record = stage_record(stage, computed, entries=entries, setting=setting, is_first=is_first)
    last_world = digest(stage.from_snapshot.world)
    return replace(record, snapshot=None, events=None, views={}, left=last_world)


def _unfinished_battles(stage: Stage) -> dict[str, str]:
    """Return the digests of the battles of a stage, which have no results, by key."""
    if stage.kind != StageKind.BATTLES:
        return {}
    battles = {}
    for battle in Battle.objects.filter(branch=stage.branch_id, week=stage.week):
        chains = battle.phases.order_by("-seq").values_list("chain", flat=True)
        battles[battle.key] = battle_digest(battle.start, chains.first() or "", {})
    return battles


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
            entry.source,
            _instant(entry.sealed_at),
            tuple(withdrawn.get(key, ())),
            share_by_server=entry.share is None,
        )
    return parts


def _sheets_of(stage: Stage, factions: Sequence[str]) -> dict[str, str]:
    """Return the digests of what each faction was handed for the battles of a stage."""
    sheets: dict[str, list[tuple[str, str, str]]] = {key: [] for key in factions}
    if stage.kind == StageKind.BATTLES:
        rows = Report.objects.filter(branch=stage.branch_id, seq=stage.from_snapshot.seq)
        for report in _reports(rows.exclude(kind__in=REPORTS_OF_STAGES)):
            sheets[report[0]].append(report[1:])
    return {key: told_digest(reports) for key, reports in sheets.items()}


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
    excuse_rows = excuses.annotate(role=Value(EXCUSED)).values_list("role", "faction__key")
    closed_before = None if last is None else datetime.fromisoformat(last.body["closed_at"])
    seats_taken = []
    excused_factions = []
    for role, faction in seats.union(excuse_rows, all=True):
        if role == EXCUSED:
            excused_factions.append(faction)
        else:
            seats_taken.append([role, faction or ""])
    setting: dict[str, Any] = {
        "schema": SETTING_SCHEMA,
        "admirals": {faction.key: faction.admiral for faction in factions},
        "excused": sorted(excused_factions),
        "seats": sorted(seats_taken),
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
