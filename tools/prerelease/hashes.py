"""Computes all hashes of a moved site anew: documents, orders, chains of battles, the ledger.

Documents name hashes of other rows (a sheet of an online battle names the chain so far). These are
replaced by the new hashes of the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch
from campaign.models.knowledge import Report, View
from campaign.models.ledger import RULES, Act, LedgerRow
from campaign.models.scenario import Scenario
from campaign.models.ship_class import ShipClass
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Snapshot
from campaign.selectors.entropy import genesis
from campaign.services.acts import act_write
from engine.core.canonical import digest
from engine.core.fair import orders_digest, row_hash
from tools.prerelease import FIRST_RULES
from tools.prerelease.tables import from_json, old_rows
from umpire.adjudication.fighting import PhaseRecord, chain_link
from umpire.services.fighting import chain_begin
from umpire.services.ledger import sealed_entries
from umpire.services.ledger_checks import first_outcome, first_parent

CHUNK = 200  # rows in memory at a time
OLD_HASH = "moved_from"  # in the last row of a ledger: the hash of this row before the move
REASON = (
    "This site was moved to release 1.0.0. Its records were rewritten in the form of that release, "
    "and all hashes were computed again. The last hash before was {}."
)


@dataclass(frozen=True, slots=True)
class OldHead:
    """The last row of a branch's ledger before the move."""

    branch: Branch
    hash: str


def compute_hashes() -> list[OldHead]:
    """Compute all hashes anew; return the old heads of all ledgers."""
    _hash_documents()
    new_hashes = _hash_orders()
    new_hashes.update(_hash_battles(new_hashes))
    for report in _rows(Report.objects.all()):
        _update(report, body=_replaced(report.body, new_hashes))
    return _hash_ledgers()


def record_move(heads: Iterable[OldHead], rules: Mapping[int, str], now: datetime) -> None:
    """Write an act into the public record of every begun war, which names the old head.

    Args:
        rules: The version of the rules before the move, by campaign.
    """
    for head in heads:
        campaign = head.branch.campaign
        if campaign.head_branch_id != head.branch.pk:
            continue
        snapshot = head.branch.head or head.branch.parent
        stage = Stage.objects.filter(
            branch=head.branch, battle__isnull=True, to_snapshot__isnull=True
        ).first()
        act_write(
            campaign=campaign,
            stage=stage,
            actor=None,
            verb=RULES,
            facts={
                "from": rules[campaign.pk],
                "to": FIRST_RULES,
                "week": snapshot.week if snapshot else 0,
            },
            reason=REASON.format(head.hash),
            now=now,
        )


def _hash_documents() -> None:
    for scenario in _rows(Scenario.objects.all()):
        _update(scenario, sha256=digest(scenario.body))
    for snapshot in _rows(Snapshot.objects.all()):
        _update(snapshot, sha256=digest(snapshot.world))
    for view in _rows(View.objects.all()):
        _update(view, sha256=digest(view.body))
    for ship_class in _rows(ShipClass.objects.all()):
        _update(ship_class, sha256=digest([ship_class.name, ship_class.design]))
    for act in _rows(Act.objects.all()):
        _update(act, sha256=digest(act.body))


def _hash_orders() -> dict[str, str]:
    """Compute the digests of sealed orders; return the new digests by the old ones."""
    new_digests: dict[str, str] = {}
    for entry in _rows(Submission.objects.all()):
        new_digest = orders_digest(entry.payload, entry.nonce)
        new_digests[entry.digest] = new_digest
        _update(entry, digest=new_digest)
    return new_digests


def _hash_battles(new_digests: Mapping[str, str]) -> dict[str, str]:
    """Compute the chains of all battles; return the new hashes by the old ones."""
    new_chains: dict[str, str] = {}
    old_starts = {row["id"]: row["start"] for row in old_rows("campaign_battle", ("id", "start"))}
    for battle in _rows(Battle.objects.select_related("branch__campaign")):
        last = chain_begin(battle)
        moved_start = battle.start
        battle.start = from_json(old_starts[battle.pk])
        new_chains[chain_begin(battle)] = last
        battle.start = moved_start
        for stop in BattlePhase.objects.filter(battle=battle).order_by("seq"):
            inputs = _replaced(stop.inputs, new_digests)
            last = chain_link(last, PhaseRecord(inputs, stop.events, stop.views))
            new_chains[stop.chain] = last
            _update(stop, inputs=inputs, chain=last)
    return new_chains


def _hash_ledgers() -> list[OldHead]:
    heads = []
    for branch in Branch.objects.select_related("campaign").order_by("pk"):
        query = LedgerRow.objects.filter(branch=branch).select_related("stage__branch__campaign")
        rows = list(query.order_by("seq"))
        if not rows:
            continue
        head = OldHead(branch, rows[-1].hash)
        parent = first_parent(branch)
        last = genesis(branch.campaign) if parent is None else parent.hash
        for row in rows:
            digests = [entry.digest for entry in sealed_entries(row.stage)]
            outcome = first_outcome(row.stage)
            body = {**row.body, "digests": digests, "outcome": outcome}
            if row is rows[-1]:
                body[OLD_HASH] = head.hash
            new_hash = row_hash(last, body)
            _update(row, body=body, prev_hash=last, hash=new_hash)
            last = new_hash
        heads.append(head)
    return heads


def _rows(query: QuerySet[Any]) -> Iterable[Any]:
    """Yield rows by id in chunks, so that rows may be changed meanwhile."""
    last = 0
    while rows := list(query.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        yield from rows
        last = rows[-1].pk


def _update(row: Model, **values: Any) -> None:
    """Write the values that differ."""
    if any(getattr(row, name) != value for name, value in values.items()):
        type(row)._base_manager.filter(pk=row.pk).update(**values)


def _replaced(part: Any, new_hashes: Mapping[str, str]) -> Any:
    """Return a document, or a part of one, with the new hashes."""
    if isinstance(part, dict):
        return {key: _replaced(value, new_hashes) for key, value in part.items()}
    if isinstance(part, list):
        return [_replaced(item, new_hashes) for item in part]
    return new_hashes.get(part, part) if isinstance(part, str) else part
