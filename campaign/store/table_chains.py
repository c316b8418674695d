"""The chain of hashes over the record of a battle at a table.

Entries of release 1.0 have no chain. The chain of the first entry after them covers them all.
"""

from __future__ import annotations

from datetime import UTC

from campaign.models.campaign import Branch
from campaign.models.table_record import TableEntry
from engine.core import fair


def record_begin(branch: Branch, week: int, battle: str) -> str:
    """Return the hash before the first entry of a battle's record, by the battle's key."""
    campaign = branch.campaign
    return fair.table_chain_begin(campaign.seed, campaign.dice_key, branch.number, week, battle)


def record_link(last: str, entry: TableEntry) -> str:
    """Return the hash of an entry, with its faction, chained onto the one before."""
    return fair.table_chain_link(
        last,
        {
            "number": entry.number,
            "faction": entry.faction.key,
            "key": str(entry.key),
            "body": entry.body,
            "visible_body": entry.visible_body,
            "at": entry.at.astimezone(UTC).isoformat(),
        },
    )


def record_chain(battle: int, begin: str) -> list[tuple[TableEntry, str]]:
    """Return all entries of a battle's record with the hashes that they should have."""
    last = begin
    links = []
    for entry in (
        TableEntry.objects.filter(battle_id=battle).select_related("faction").order_by("number")
    ):
        last = record_link(last, entry)
        links.append((entry, last))
    return links


def last_link(battle: int, begin: str) -> str:
    """Return the hash of the newest entry of a battle's record; without entries, that before it."""
    newest = TableEntry.objects.filter(battle_id=battle).order_by("-number")
    stored = newest.values_list("chain", flat=True)[:1]
    if stored and stored[0] is not None:
        return stored[0]
    links = record_chain(battle, begin)
    return links[-1][1] if links else begin
