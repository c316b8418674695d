"""Asteroids that dice have placed before a stage begins.

They stand in the views from which battles are planned, so the stage cannot begin with other dice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from campaign.kinds import StageKind
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


def has_placed_asteroids(stage: Stage) -> bool:
    """Return whether players already know asteroids that the war's dice have placed for a stage.

    Other dice would place others. The sequence of ships and the places that captains propose depend
    on dice too, but nothing requires a fork or a rollback to repeat them.
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
