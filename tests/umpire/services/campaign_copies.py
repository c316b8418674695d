"""Copies of a campaign, made quickly by copying its rows, to measure what a tick costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import uuid4

from django.db.models import Model

from campaign import models
from campaign.lineage import lineage_write

Row = TypeVar("Row", bound=Model)


def copy_campaign(
    campaign: models.Campaign,
    many: int = 1,
    *,
    sources: Mapping[str, str] | None = None,
    **changed: Any,
) -> list[models.Campaign]:
    """Create copies of a campaign with people, snapshots, stages, drafts, entries and battles.

    Reports and the ledger are not copied, so a copy can be waited for, but not resolved.

    Args:
        sources: Sources of orders by faction key, where they differ.
        changed: Fields of the campaign that differ from the original.
    """
    return [_copy(campaign, sources or {}, changed) for _ in range(many)]


def _copy(
    campaign: models.Campaign, sources: Mapping[str, str], changed: Mapping[str, Any]
) -> models.Campaign:
    head = campaign.head_branch
    assert head is not None
    campaign_copy = _copy_row(campaign, **{**changed, "public_id": uuid4(), "head_branch": None})
    branch = _copy_row(head, campaign=campaign_copy)
    lineage_write(branch=branch)
    models.Campaign.objects.filter(pk=campaign_copy.pk).update(head_branch=branch)
    campaign_copy.head_branch = branch
    factions = {
        row.pk: _copy_row(row, campaign=campaign_copy)
        for row in models.Faction.objects.filter(campaign=campaign)
    }
    for part in models.Membership.objects.filter(campaign=campaign):
        _copy_row(part, campaign=campaign_copy, faction=factions.get(part.faction_id or 0))
    battles = {
        row.pk: _copy_row(row, branch=branch, public_id=uuid4())
        for row in models.Battle.objects.filter(branch=head)
    }
    truths: dict[int | None, models.Snapshot] = {}
    for truth in models.Snapshot.objects.filter(branch=head).order_by("seq"):
        truths[truth.pk] = _copy_row(truth, branch=branch, parent=truths.get(truth.parent_id))
    for stage in models.Stage.objects.filter(branch=head):
        copy = _copy_row(
            stage,
            branch=branch,
            battle=battles.get(stage.battle_id or 0),
            from_snapshot=truths[stage.from_snapshot_id],
            to_snapshot=truths.get(stage.to_snapshot_id),
        )
        for draft in models.Draft.objects.filter(stage=stage):
            _copy_row(draft, stage=copy, faction=factions[draft.faction_id])
        for entry in models.Submission.objects.filter(stage=stage).select_related("faction"):
            source = (
                sources.get(entry.faction.key, entry.source)
                if stage.kind == "orders"
                else entry.source
            )
            _copy_row(entry, stage=copy, faction=factions[entry.faction_id], source=source)
    return campaign_copy


def _copy_row(row: Row, **changed: Any) -> Row:
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    del fields["id"]
    for name, value in changed.items():
        fields.pop(f"{name}_id", None)
        fields[name] = value
    return type(row)._default_manager.create(**fields)
