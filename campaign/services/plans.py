"""Plans: hexes that a faction's fleets are to visit in later weeks, stored beside its draft.

No other faction sees them. `campaign.rules.plans` says what is left of them now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, CharField, PositiveSmallIntegerField

from campaign.models.campaign import Faction
from campaign.models.plan import Plan
from campaign.models.stage import Stage
from campaign.store.prepared import PreparedValues

PLANS = PreparedValues(
    lambda branch, faction: (
        Plan.objects.filter(branch_id=branch, faction_id=faction)
        .order_by("fleet")
        .values_list("fleet", "goals", "week")
    ),
    parameters=(BigIntegerField(), BigIntegerField()),
    columns=(CharField(), CharField(), PositiveSmallIntegerField()),
)


def plans_save(*, stage: Stage, faction: Faction, goals: Mapping[str, tuple[str, ...]]) -> None:
    """Replace a faction's plans; a fleet without goals has no plan."""
    rows = []
    for fleet, labels in goals.items():
        if labels:
            rows.append(
                Plan(
                    branch_id=stage.branch_id,
                    faction=faction,
                    fleet=fleet,
                    goals=" ".join(labels),
                    week=stage.week,
                )
            )
    with transaction.atomic():
        Plan.objects.filter(branch_id=stage.branch_id, faction=faction).delete()
        Plan.objects.bulk_create(rows)


def plans_of(*, stage: Stage, faction: Faction) -> dict[str, tuple[tuple[str, ...], int]]:
    """Return a faction's plans by fleet as written: hexes, and the week of writing."""
    rows: list[tuple[Any, ...]] = PLANS.tuples(stage.branch_id, faction.pk)
    return {fleet: (tuple(goals.split()), week) for fleet, goals, week in rows}
