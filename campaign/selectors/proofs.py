"""Proofs that a ledger row covers a single result, for those who know that result.

A reader gets proofs of the acts that all may read; as a faction, of its own view, reports and
orders and of its battles; as an umpire, of the acts that umpires read. All others come with the
archive after the war.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import BATTLE_REPORT, Report
from campaign.models.ledger import LedgerRow
from campaign.rules.outcome_leaves import ACT, ACTS, BATTLE, ENTRY, SHEETS, TABLE, TOLD, VIEW
from campaign.store.documents import stored_scenario
from campaign.store.publication import public_ledger
from engine.core import fair
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class LeafProof:
    """A proof that a row's outcome covers a leaf.

    Attributes:
        name: Of the leaf (`campaign.rules.outcome_leaves`).
        digest: Of what the leaf covers.
        blind: 32 bytes that hide the leaf, in hexadecimal.
        index: The place of the leaf among `size` leaves, which says nothing.
        hashes: From the leaf's neighbour to the top of the tree.
    """

    name: str
    digest: str
    blind: str
    index: int
    size: int
    hashes: tuple[str, ...]


def leaf_proofs(viewer: Viewer, number: int, now: datetime) -> tuple[LedgerRow, list[LeafProof]]:
    """Return a row of the ledger, and the proofs that a viewer may have of it.

    Raises:
        NotFound: There is no such public row, or it is one of release 1.0.
    """
    rows = played_on_line(LedgerRow.objects.all(), viewer.campaign.head_branch_id or 0, "seq")
    row = public_ledger(rows, now).filter(seq=number).select_related("branch").first()
    if row is None or row.leaves is None:
        raise NotFound(phrase("there are no proofs of this row"))
    row.branch.campaign = viewer.campaign
    return row, proofs_of(row, _visible_names(viewer, row))


def proofs_of(row: LedgerRow, names: Iterable[str]) -> list[LeafProof]:
    """Return the proofs of those of the named leaves that a row has."""
    leaves = row.leaves or {}
    keys = outcome_keys(row.branch, row.seq)
    tree = outcome_tree(row.branch, row.seq, leaves)
    proofs = []
    for name in names:
        if name in leaves:
            index, hashes = tree.proof_of(name)
            proofs.append(
                LeafProof(
                    name=name,
                    digest=leaves[name],
                    blind=fair.leaf_blind(keys.blind, name),
                    index=index,
                    size=len(tree.names),
                    hashes=tuple(hashes),
                )
            )
    return proofs


def outcome_tree(branch: Branch, seq: int, leaves: Mapping[str, str]) -> fair.OutcomeTree:
    """Return the tree over the leaves of a branch's row."""
    return fair.outcome_tree(outcome_keys(branch, seq), leaves, slots_of(branch.campaign))


def outcome_keys(branch: Branch, seq: int) -> fair.OutcomeKeys:
    """Return the keys of the outcome of a branch's row."""
    campaign = branch.campaign
    return fair.outcome_keys(campaign.seed, campaign.dice_key, branch.number, seq)


def slots_of(campaign: Campaign) -> int:
    """Return how many leaves the outcomes of a campaign have."""
    return fair.slots_of(len(stored_scenario(campaign.scenario).systems))


def _visible_names(viewer: Viewer, row: LedgerRow) -> Iterator[str]:
    """Yield the names of the leaves of which a viewer may have proofs."""
    yield ACTS
    if viewer.umpires:
        yield from sorted(name for name in row.leaves or {} if name.startswith(f"{ACT}/"))
    faction = viewer.visible_faction
    if faction is not None:
        yield from _leaves_of(faction, row)


def faction_leaves(faction: Faction, row: LedgerRow) -> list[str]:
    """Return the names of the leaves of which a faction may have proofs."""
    return [ACTS, *_leaves_of(faction, row)]


def _leaves_of(faction: Faction, row: LedgerRow) -> Iterator[str]:
    """Yield the names of the leaves about a faction."""
    for kind in (VIEW, TOLD, SHEETS, ENTRY):
        yield f"{kind}/{faction.key}"
    for battle in battles_of(faction, row):
        yield f"{BATTLE}/{battle}"
        yield f"{TABLE}/{battle}"


def battles_of(faction: Faction, row: LedgerRow) -> list[str]:
    """Return the keys of the battles of a row's stage in which a faction fought."""
    reports = Report.objects.filter(
        branch=row.branch_id, seq=row.seq + 1, faction=faction, kind=BATTLE_REPORT
    )
    return sorted(reports.values_list("subject", flat=True))
