"""The projection equals a rebuild from the head, and is written for changed keys only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Branch, Fleet, Ship, Stage
from campaign.rules.world import Cargo
from campaign.selectors.truth import fleets_of, repairs_of, ships_of, systems_of, world_of
from campaign.store.documents import scenario_of
from tests.umpire.services.wars import (
    ATTACK,
    attack,
    campaign_of,
    play_until,
    resolve_stage,
    start_campaign,
)
from umpire.services.projection import TABLES, projection_rebuild, projection_rows, projection_write
from umpire.services.stages import Resolution
from umpire.services.wars import war_run

pytestmark = pytest.mark.django_db


def stored_projection() -> dict[str, list[dict[str, object]]]:
    """Return every projected row without its id."""
    return {
        table.__name__: [
            {key: value for key, value in row.items() if key != "id"}
            for row in table._default_manager.order_by("branch_id", "key").values()
        ]
        for table in TABLES
    }


def test_projection_equals_a_rebuild_after_every_stage() -> None:
    campaign = campaign_of(seed=3, admirals={"ember": ATTACK})

    def check(resolution: Resolution) -> None:
        rows_before = stored_projection()
        projection_rebuild(branch=Branch.objects.get())
        assert stored_projection() == rows_before

    war_run(campaign=campaign, progress=check, admiral=attack)
    assert Ship.objects.exists()


def test_only_changed_keys_are_written() -> None:
    _, stage = start_campaign(admirals={"ember": ATTACK})
    stage = play_until("orders", stage)
    before = {row.key: row.pk for row in Fleet.objects.all()}
    assert before
    with CaptureQueriesContext(connection) as queries:
        resolve_stage(stage)
    inserts = [
        query["sql"] for query in queries.captured_queries if 'INTO "campaign_ship"' in query["sql"]
    ]
    assert (
        sum(sql.count("frost/") for sql in inserts) == 0
    )  # they held their position: none of their ships is written
    assert sum(sql.count("ember/s") for sql in inserts) >= 4
    assert {row.key: row.pk for row in Fleet.objects.all()} == before


def test_unchanged_world_writes_nothing() -> None:
    _, stage = start_campaign()
    stage = play_until("orders", stage)
    scenario = scenario_of(stage.branch.campaign)
    rows = projection_rows(scenario, world_of(stage.from_snapshot))
    with CaptureQueriesContext(connection) as queries:
        assert projection_write(branch=stage.branch, before=rows, after=rows) == 0
    assert len(queries) == 0


def test_umpire_lists_equal_the_world() -> None:
    _, stage = start_campaign(admirals={"ember": ATTACK})
    stage = play_until("decisions", stage)
    branch = Stage.objects.get(pk=stage.pk).branch
    world = world_of(stage.from_snapshot)
    assert [row.key for row in fleets_of(branch=branch)] == [fleet.key for fleet in world.fleets]
    assert [row.key for row in ships_of(branch=branch)] == [ship.key for ship in world.ships]
    assert [row.key for row in systems_of(branch=branch)] == [
        holding.system for holding in world.holdings
    ]
    at_frost = {row.faction for row in fleets_of(branch=branch, hex="0804")}
    assert at_frost == {"ember", "frost"}
    assert {row.faction for row in fleets_of(branch=branch, faction="frost")} == {"frost"}
    assert list(repairs_of(branch=branch)) == []


@pytest.mark.rule("camp.tugs", "camp.prizes", "camp.replenish")
def test_stores_tows_prizes_and_cargo_are_rows_and_filters() -> None:
    _, stage = start_campaign()
    stage = play_until("orders", stage)
    branch, scenario = stage.branch, scenario_of(stage.branch.campaign)
    world = world_of(stage.from_snapshot)
    first, two, three, *others = world.ships
    changed = (
        replace(first, stock=(("fighter-bay-1", 4),), cargo=Cargo("colonists", 100, 60)),
        replace(two, tug=first.key),
        replace(three, laid_up=True),
    )
    after = projection_rows(scenario, replace(world, ships=(*changed, *others)))
    assert (
        projection_write(branch=branch, before=projection_rows(scenario, world), after=after) == 3
    )
    row = ships_of(branch=branch).get(key=first.key)
    assert (row.stock, row.cargo) == ([["fighter-bay-1", 4]], "60 of 100 colonists")
    keys_by_condition = {
        condition: ([ship.key for ship in ships_of(branch=branch, condition=condition)])
        for condition in ("short", "towed", "laid-up", "docked")
    }
    assert keys_by_condition == {
        "short": [first.key],
        "towed": [two.key],
        "laid-up": [three.key],
        "docked": [],
    }
    fleets = {
        condition: [f.key for f in fleets_of(branch=branch, condition=condition)]
        for condition in keys_by_condition
    }
    assert fleets == {
        "short": [first.fleet],
        "towed": [two.fleet],
        "laid-up": [three.fleet],
        "docked": [],
    }
