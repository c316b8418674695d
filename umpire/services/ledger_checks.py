"""Faults of a stored ledger: rows that do not follow from each other or from what is stored.

Rows of schema 1 are recomputed by their own formula. For rows of schema 3 each leaf is compared, so
a fault names what was changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from campaign.kinds import StageEnding, StageKind, StageStatus
from campaign.lineage import own_parent
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Faction
from campaign.models.knowledge import Report, View
from campaign.models.ledger import Act, LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Ruling
from campaign.rules.beacon import SignedRound, has_beacon, round_after
from campaign.rules.outcome_leaves import (
    ACTS,
    ReportParts,
    StageRecord,
    battle_digest,
    leaf_digests,
    report_digest,
    ruling_digest,
    told_digest,
)
from campaign.selectors.beacon import went_on_without
from campaign.selectors.entropy import entropy_before, genesis, opening_of, parent_row
from campaign.services.umpire_access import access_digests
from campaign.store.documents import LEDGER_SCHEMA
from campaign.store.table_chains import record_begin, record_chain
from campaign.store.war_dice import war_dice
from engine.core import fair
from engine.core.canonical import digest
from engine.core.phrase import phrase
from engine.core.war_dice import Moment
from umpire.services.ledger import (
    REPORTS_OF_STAGES,
    StageDigests,
    acts_before,
    closing_record,
    is_first_of_schema,
    outcome_of,
    row_digests,
    row_shares,
    stage_entries,
    stage_record,
)


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is wrong with a row, or with what it covers.

    Attributes:
        subject: `ROW`, `ORDERS`, or the first part of the name of a leaf.
    """

    subject: str
    words: str


ROW = "row"
ORDERS = "orders"


def ledger_faults(*, branch: Branch) -> tuple[str, ...]:
    """Return all faults of a branch's ledger in order: chain, digests of orders, outcomes."""
    faults: list[str] = []
    last = first_parent(branch)
    rows = (
        LedgerRow.objects.filter(branch=branch)
        .select_related("stage__branch__campaign__scenario", "stage__to_snapshot")
        .order_by("seq")
    )
    for row in rows:
        where = row_words(row)
        faults.extend(phrase("{}: {}", where, fault.words) for fault in row_faults(row, last))
        last = row
    return tuple(faults)


def row_words(row: LedgerRow) -> str:
    """Return the place of a row in words."""
    return phrase("row {} (week {}, {})", row.seq, row.stage.week, row.stage.kind)


def first_parent(branch: Branch) -> LedgerRow | None:
    """Return the row before the first one of a branch; None at the beginning of a war."""
    return parent_row(own_parent(branch))


def row_faults(row: LedgerRow, last: LedgerRow | None) -> Iterator[RowFault]:
    """Yield the faults of a row.

    Args:
        last: The row before.
    """
    for words in _chain_faults(row, last):
        yield RowFault(ROW, words)
    entries = stage_entries(row.stage)
    digests = row_digests(row.stage, entries, _faction_keys(row.stage))
    if not all(is_digest_right(entry) for entry in entries):
        yield RowFault(ORDERS, phrase("orders do not match their digests"))
    if digests != row.body.get("digests"):
        yield RowFault(ORDERS, phrase("the digests are not those of the sealed orders"))
    if row.schema < LEDGER_SCHEMA:
        if row.body.get("outcome") != first_outcome(row.stage):
            yield RowFault(ROW, phrase("the outcome differs from the stored one"))
        return
    for words in _body_faults(row, last):
        yield RowFault(ROW, words)
    yield from _leaf_faults(row, last)


def is_digest_right(entry: Submission) -> bool:
    """Return whether the digest of a sealed entry is that of what was sealed."""
    return fair.orders_digest(entry.payload, entry.nonce, entry.share) == entry.digest


def _chain_faults(row: LedgerRow, last: LedgerRow | None) -> Iterator[str]:
    """Yield the faults of a row's place in the chain."""
    expected = 0 if last is None else last.seq + 1
    if row.seq != expected:
        yield phrase("row {} is missing", expected)
    prev_hash = genesis(row.stage.branch.campaign) if last is None else last.hash
    if row.prev_hash != prev_hash or row.hash != fair.row_hash(row.prev_hash, row.body):
        yield phrase("the chain is broken")


def _body_faults(row: LedgerRow, last: LedgerRow | None) -> Iterator[str]:
    """Yield the faults of a row's body, apart from its outcome."""
    stage = row.stage
    body = row.body
    shares = row_shares(stage, stage_entries(stage), _faction_keys(stage))
    opening = opening_of(stage.branch, last)
    signed = _round_of(stage, body)
    beacon = "" if signed is None else signed.randomness
    digests = body.get("digests", [])
    expected = {
        "branch": stage.branch.number,
        "seq": row.seq,
        "week": stage.week,
        "stage": stage.kind,
        "shares": shares,
        "opening": opening,
        "round": None if signed is None else signed.for_row,
        "past": fair.entropy_link(
            entropy_before(stage.branch, last, opening), row.seq, digests, shares, beacon
        ),
    }
    for key, value in expected.items():
        if body.get(key) != value:
            yield phrase("“{}” is not what follows from the database", key)
    if _lacks_beacon(stage):
        yield phrase("the public random value is missing")
    if not _is_instant_of(stage, body.get("closed_at")):
        yield phrase("“{}” is not what follows from the database", "closed_at")


def _round_of(stage: Stage, body: Mapping[str, Any]) -> SignedRound | None:
    """Return the public random value in the dice of a stage, by the closing that its row states."""
    if stage.beacon_signature is None or not isinstance(body.get("closed_at"), str):
        return None
    closed_at = datetime.fromisoformat(body["closed_at"])
    return SignedRound(round_after(closed_at), stage.beacon_signature)


def _lacks_beacon(stage: Stage) -> bool:
    """Return whether a stage was played without the public random value that it needs."""
    if not has_beacon(stage.branch.campaign.ruleset) or stage.how != StageEnding.PLAYED:
        return False
    return stage.beacon_signature is None and not went_on_without(stage)


def _is_instant_of(stage: Stage, closed_at: object) -> bool:
    """Return whether a row can state this instant of closing.

    The stage's own may be earlier: that of a clock that was ahead is corrected later.
    """
    if stage.closed_at is None or not isinstance(closed_at, str):
        return False
    return stage.closed_at <= datetime.fromisoformat(closed_at)


def _leaf_faults(row: LedgerRow, last: LedgerRow | None) -> Iterator[RowFault]:
    """Yield what of a stage's results differs from what its row covers."""
    stage = row.stage
    stored = row.leaves or {}
    if row.body.get("outcome") != outcome_of(stage, row.seq, stored):
        yield RowFault(ROW, phrase("the outcome differs from the stored one"))
    computed = leaf_digests(_stored_record(row, last))
    for name in sorted({*stored, *computed}):
        if stored.get(name) != computed.get(name):
            yield RowFault(name.partition("/")[0], leaf_words(name))
    yield from _setting_faults(row)


def _setting_faults(row: LedgerRow) -> Iterator[RowFault]:
    """Yield which acts that the setting of a row covers are no longer those in the database."""
    before = (row.setting or {}).get("acts_before")
    if before is not None and before != acts_before(row.stage.branch.campaign):
        yield RowFault(ACTS, phrase("the acts from before the war were changed"))
    opened = (row.setting or {}).get("opened")
    if opened and not set(opened) <= set(access_digests(row.stage.branch.campaign)):
        yield RowFault(ACTS, phrase("the list of what umpires opened was changed"))


def _stored_record(row: LedgerRow, last: LedgerRow | None) -> StageRecord:
    """Return what a resolved stage left behind, from the documents as they are stored now."""
    stage = row.stage
    entries = stage_entries(stage)
    setting = row.setting or {}
    is_first = is_first_of_schema(last)
    if stage.status == StageStatus.LEFT:
        record = closing_record(stage, entries=entries, setting=setting, is_first=is_first)
    else:
        computed = _stored_digests(stage, row.body)
        record = stage_record(
            stage,
            computed,
            entries=entries,
            setting=setting,
            is_first=is_first,
            ruling=_ruling_digest(stage),
        )
    tables = {}
    for battle in _battles(stage):
        begin = record_begin(stage.branch, stage.week, battle.key)
        links = record_chain(battle.pk, begin)
        if links:
            tables[battle.key] = links[-1][1]
    return replace(record, sheets=_sheet_digests(stage, record.sheets), tables=tables)


def _sheet_digests(stage: Stage, recorded: Mapping[str, str]) -> Mapping[str, str]:
    """Recompute the digests of what each faction was handed for the battles of a stage.

    Args:
        recorded: The recorded digests by faction; those of other stages are not recomputed.
    """
    if stage.kind != StageKind.BATTLES:
        return recorded
    rows = Report.objects.filter(branch=stage.branch_id, seq=stage.from_snapshot.seq)
    return _report_digests(rows.exclude(kind__in=REPORTS_OF_STAGES), list(recorded))


def _ruling_digest(stage: Stage) -> str:
    """Return the digest of the ruling that closed a stage; empty if it was played."""
    if stage.how != StageEnding.RULED:
        return ""
    ruling = Ruling.objects.get(stage=stage)
    return ruling_digest(ruling.number, ruling.patch, ruling.audience)


def _stored_digests(stage: Stage, body: Mapping[str, Any]) -> StageDigests:
    """Recompute the digests of a resolved stage's results.

    Args:
        body: Of its row.
    """
    snapshot = stage.to_snapshot
    if snapshot is None:
        raise ValueError("the stage is not resolved")
    views = {}
    for view in View.objects.filter(snapshot=snapshot).select_related("faction"):
        views[view.faction.key] = digest(view.body)
    reports = Report.objects.filter(
        branch=stage.branch_id, seq=snapshot.seq, kind__in=REPORTS_OF_STAGES
    )
    dice = war_dice(stage.branch)
    entropy = str(body.get("past", ""))
    moment = Moment(stage.week, stage.kind, stage.ordinal, body["digests"], entropy)
    battles = {}
    for battle in _battles(stage):
        last = battle.phases.order_by("-seq").first()
        chain = last.chain if last else ""
        key_sha256 = dice.battle_commitment(moment, battle.key)
        battles[battle.key] = battle_digest(battle.start, chain, battle.result or {}, key_sha256)
    return StageDigests(
        snapshot=digest(snapshot.world),
        events=digest(snapshot.events),
        views=views,
        told=_report_digests(reports, _faction_keys(stage)),
        battles=battles,
    )


def _faction_keys(stage: Stage) -> list[str]:
    """Return the keys of all factions of a war in order."""
    factions = Faction.objects.filter(campaign=stage.branch.campaign_id).order_by("key")
    return list(factions.values_list("key", flat=True))


def _report_digests(reports: QuerySet[Report], factions: Sequence[str]) -> dict[str, str]:
    """Return the digests of each faction's reports."""
    parts_of: dict[str, list[ReportParts]] = {key: [] for key in factions}
    for report in reports.select_related("faction"):
        parts = (report.kind, report.subject, report_digest(report.body))
        parts_of[report.faction.key].append(parts)
    return {key: told_digest(parts) for key, parts in parts_of.items()}


def _battles(stage: Stage) -> list[Battle]:
    """Return the battles fought in a stage."""
    if stage.kind != StageKind.BATTLES:
        return []
    return list(Battle.objects.filter(branch=stage.branch_id, week=stage.week).order_by("key"))


LEAF_WORDS = {
    "snapshot": phrase("the world was changed"),
    "happenings": phrase("the events were changed"),
    "acts": phrase("the acts were changed"),
    "act": phrase("an act of an umpire was changed"),
    "entries": phrase("who sealed when was changed"),
    "ruling": phrase("the ruling was changed"),
    "setting": phrase("the stored seats, admirals or timetable were changed"),
    "first": phrase("the first world or a first view was changed"),
    "left": phrase("the world with which the abandoned timeline ended was changed"),
    "view": phrase("the view of {} was changed"),
    "told": phrase("the reports to {} were changed"),
    "sheets": phrase("the sheets for {} were changed"),
    "battle": phrase("the battle {} was changed"),
    "table": phrase("the record of the battle {} was changed"),
    "entry": phrase("who sealed for {} when was changed"),
}


def leaf_words(name: str) -> str:
    """Return in words that the content of a leaf differs."""
    kind, _, key = name.partition("/")
    return phrase(LEAF_WORDS.get(kind, phrase("something unknown was added: {}")), key or name)


# Rows of schema 1


def first_outcome(stage: Stage) -> str:
    """Return the outcome of a stage by the formula of rows of schema 1."""
    chains = {}
    for battle in _battles(stage):
        last = battle.phases.order_by("-seq").first()
        chains[battle.key] = last.chain if last else ""
    return first_root(stage, _stored_digests(stage, {"digests": []}), chains)


def first_root(stage: Stage, digests: StageDigests, chains: Mapping[str, str]) -> str:
    """Return the outcome by the formula of rows of schema 1.

    Args:
        chains: The last hash of each battle by key.
    """
    branch = stage.branch
    campaign = branch.campaign
    acts = Act.objects.filter(stage=stage).order_by("pk")
    salt = fair.outcome_salt(campaign.seed, campaign.dice_key, branch.number, stage.ordinal)
    leaves = {
        "battles": [[key, chains[key]] for key in sorted(chains)],
        "rulings": [digest(act.body) for act in acts],
        "happenings": digests.events,
        "snapshot": digests.snapshot,
        "views": [digests.views[key] for key in sorted(digests.views)],
    }
    return fair.outcome_root(salt, leaves)
