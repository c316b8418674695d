"""Entries that players make while they fight a battle at a table. Append-only."""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Faction


class TableEntry(models.Model):
    """An entry of a battle's record (`campaign.rules.table_record`).

    Attributes:
        key: The sender's own id of the entry, so that what is sent twice is stored once.
        number: Its place in the record.
        body: The entry, for the faction that made it alone.
        visible_body: What others may read of it; empty: nothing.
        chain: The hash over this entry and the chain of the one before; null in entries of release
            1.0, which the first chain after them covers.
    """

    battle = models.ForeignKey("Battle", on_delete=models.PROTECT, related_name="table_entries")
    faction = models.ForeignKey(Faction, on_delete=models.PROTECT, related_name="table_entries")
    key = models.UUIDField()
    number = models.PositiveIntegerField()
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()
    visible_body = models.JSONField()
    at = models.DateTimeField()
    # Null, not empty: a column of an append-only table is added without writing its rows again.
    chain = models.CharField(max_length=64, null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("battle", "faction", "key"), name="table_entry_once"),
            models.UniqueConstraint(
                fields=("battle", "number"), name="table_entry_one_of_a_number"
            ),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of battle {self.battle_id}"
