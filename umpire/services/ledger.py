"""The public ledger.

Each stage of each week writes one row of the same form, so that it never reveals who met.

A body: {schema, week, stage, rules_version, release, digests (one per faction, in faction order),
outcome}. `release`: the newest rules of the release that resolved the stage by `rules_version`.
`outcome` is a salted root over the stage's results: the chains of its battles, rulings (acts while
it was open), events, the snapshot and the views. `hash` is the digest of [prev_hash, body]; the
first row's prev_hash is the campaign's genesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaign.kinds import StageKind
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign
from campaign.models.knowledge import View
from campaign.models.ledger import Act, LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.selectors.genesis import genesis_parts
from campaign.store.documents import LEDGER_SCHEMA
from engine.core import fair
from engine.core.canonical import digest
from engine.core.phrase import phrase
from engine.core.versions import NEWEST


@dataclass(frozen=True, slots=True)
class OutcomeLeaves:
    """The digests of a stage's results: the leaves under a row's `outcome`."""

    battles: tuple[tuple[str, str], ...]  # battle key and last chain hash, sorted
    rulings: tuple[str, ...]
    events_digest: str
    snapshot: str
    views: tuple[str, ...]  # in faction order


def genesis(campaign: Campaign) -> str:
    """Return the digest before the first row."""
    return fair.genesis_hash(genesis_parts(campaign))


def outcome_root(stage: Stage, leaves: OutcomeLeaves) -> str:
    """Return the salted root of a stage's results."""
    branch = stage.branch
    campaign = branch.campaign
    salt = fair.outcome_salt(campaign.seed, campaign.dice_key, branch.number, stage.ordinal)
    return fair.outcome_root(
        salt,
        {
            "battles": [list(pair) for pair in leaves.battles],
            "rulings": list(leaves.rulings),
            "happenings": leaves.events_digest,
            "snapshot": leaves.snapshot,
            "views": list(leaves.views),
        },
    )


def ledger_body(
    stage: Stage, digests: Sequence[str], leaves: OutcomeLeaves, rules_version: str
) -> dict[str, Any]:
    """Return a row's public body."""
    return {
        "schema": LEDGER_SCHEMA,
        "week": stage.week,
        "stage": stage.kind,
        "rules_version": rules_version,
        "release": NEWEST,
        "digests": list(digests),
        "outcome": outcome_root(stage, leaves),
    }


def ledger_append(*, stage: Stage, body: dict[str, Any]) -> LedgerRow:
    """Append a row to the branch's ledger. The caller has locked the stage."""
    last = LedgerRow.objects.filter(branch_id=stage.branch_id).order_by("-seq").first()
    seq, prev_hash = (0, previous_hash(stage.branch)) if last is None else (last.seq + 1, last.hash)
    return LedgerRow.objects.create(
        branch_id=stage.branch_id,
        seq=seq,
        stage=stage,
        schema=LEDGER_SCHEMA,
        body=body,
        prev_hash=prev_hash,
        hash=fair.row_hash(prev_hash, body),
    )


def ledger_faults(*, branch: Branch) -> tuple[str, ...]:
    """Return all faults of a branch's ledger in order: chain, digests of orders, outcomes."""
    faults: list[str] = []
    prev_hash = previous_hash(branch)
    rows = (
        LedgerRow.objects.filter(branch=branch)
        .select_related("stage__branch__campaign")
        .order_by("seq")
    )
    for seq, row in enumerate(rows):
        where = phrase("row {} (week {}, {})", row.seq, row.stage.week, row.stage.kind)
        if row.seq != seq:
            faults.append(phrase("{}: row {} is missing", where, seq))
        if row.prev_hash != prev_hash or row.hash != fair.row_hash(row.prev_hash, row.body):
            faults.append(phrase("{}: the chain is broken", where))
        prev_hash = row.hash
        digests = [entry.digest for entry in sealed_entries(row.stage)]
        if [fair.orders_digest(e.payload, e.nonce) for e in sealed_entries(row.stage)] != digests:
            faults.append(phrase("{}: orders do not match their digests", where))
        if digests != row.body["digests"]:
            faults.append(phrase("{}: the digests are not those of the sealed orders", where))
        if row.body["outcome"] != outcome_root(row.stage, stored_leaves(row.stage)):
            faults.append(phrase("{}: the outcome differs from the stored one", where))
    return tuple(faults)


def sealed_entries(stage: Stage) -> list[Submission]:
    """Return the sealed entries of a stage in faction order."""
    entries = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    return sorted(entries.select_related("faction"), key=lambda entry: entry.faction.key)


def stored_leaves(stage: Stage) -> OutcomeLeaves:
    """Recompute the leaves of a resolved stage from stored rows."""
    snapshot = stage.to_snapshot
    if snapshot is None:
        raise ValueError("the stage is not resolved")
    views = View.objects.filter(snapshot=snapshot).select_related("faction")
    return OutcomeLeaves(
        battles=battle_chains(stage),
        rulings=act_digests(stage),
        events_digest=digest(snapshot.events),
        snapshot=digest(snapshot.world),
        views=tuple(digest(view.body) for view in sorted(views, key=lambda view: view.faction.key)),
    )


def act_digests(stage: Stage) -> tuple[str, ...]:
    """Return the digests of a stage's acts, earliest first; a closed stage gets no more."""
    digests: list[str] = []
    for act in Act.objects.filter(stage=stage).order_by("pk"):
        digests.append(digest(act.body))
    return tuple(digests)


def battle_chains(stage: Stage) -> tuple[tuple[str, str], ...]:
    """Return key and last chain hash of the battles fought in a stage."""
    battles = (
        Battle.objects.filter(branch_id=stage.branch_id, week=stage.week)
        if stage.kind == StageKind.BATTLES
        else ()
    )
    chains = []
    for battle in battles:
        last = battle.phases.order_by("-seq").first()
        chains.append((battle.key, last.chain if last else ""))
    return tuple(sorted(chains))


def previous_hash(branch: Branch) -> str:
    """Return the hash before a branch's first row.

    That is the hash of the row that wrote the snapshot it starts from, or the genesis.
    """
    if branch.parent_id is not None:
        row = LedgerRow.objects.filter(stage__to_snapshot_id=branch.parent_id).first()
        if row is not None:
            last: str = row.hash
            return last
    return genesis(branch.campaign)
