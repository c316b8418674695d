"""The stages of a war with which a fork can begin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaign.kinds import StageEnding, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage
from campaign.rules.codec import from_document
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.selectors.rules import rules_of
from campaign.selectors.truth import world_of
from campaign.store.documents import true_scenario_of
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication.set_ups import views_with_set_ups
from umpire.adjudication.stage_results import battle_files


def fork_stages(campaign: Campaign, now: datetime | None = None) -> list[Stage]:
    """Return the stages from which a fork can begin, newest first.

    These are the stages of the week on the line whose beginning is public, as the last ruling left
    them. Nothing in the ledger covers the world before the first stage, so it is not among them.
    """
    if campaign.head_branch_id is None:
        return []
    stages = Stage.objects.filter(battle__isnull=True, ordinal__gt=0)
    stages = stages.filter(opens__lte=now or timezone.now()).exclude(status=StageStatus.LEFT)
    on_line = played_on_line(stages.exclude(how=StageEnding.RULED), campaign.head_branch_id)
    return list(on_line.select_related("branch").order_by("-ordinal"))


def fork_weeks(campaign: Campaign) -> list[Stage]:
    """Return the orders stages among the stages from which a fork can begin, newest first."""
    return [stage for stage in fork_stages(campaign) if stage.kind == StageKind.ORDERS]


def has_placed_asteroids(stage: Stage) -> bool:
    """Return whether players already know asteroids that the war's dice have placed for a stage.

    The dice of a fork would place others. The sequence of ships and the places that captains
    propose depend on dice too, but nothing requires a fork to repeat them.
    """
    if stage.kind != StageKind.BATTLES:
        return False
    snapshot = stage.from_snapshot
    world = world_of(snapshot)
    rules = rules_of(stage.branch).version_in(world.week)
    scenario = true_scenario_of(stage.branch.campaign)
    files = dict(_battle_files_by_key(scenario, world, rules))
    rows = ViewRow.objects.filter(snapshot=snapshot).select_related("faction")
    views = {row.faction.key: from_document(View, row.body) for row in rows}
    others = views_with_set_ups(views, world, files)
    return any(_fields_of(view) != _fields_of(others[key]) for key, view in views.items())


def _battle_files_by_key(
    scenario: Scenario, world: World, rules: str
) -> Iterator[tuple[str, BattleFileDocument]]:
    """Yield the files of the battles of a world with other dice than those of its war."""
    for engagement, file in battle_files(scenario, world, lambda _: b"other dice", rules):
        yield engagement.key, file


def _fields_of(view: View) -> list[dict[str, Any]]:
    """Return what a view knows of the tables of its battles before the set-up, without ships."""
    fields = []
    for sheet in view.set_ups:
        file = json.loads(sheet.file)
        file.pop("sides")
        fields.append(file)
    return fields
