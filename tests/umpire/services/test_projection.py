"""The projection: always what a rebuild from the head would give, written for changed keys only."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Branch, Fleet, Ship, Stage
from campaign.selectors.lists import fleets_of, repairs_of, ships_of, systems_of
from campaign.stored import scenario_of, world_of
from tests.umpire.services.wars import ATTACK, attack, brought_to, campaign_of, resolved, started
from umpire.services.projection import TABLES, projection_rebuild, projection_rows, projection_write
from umpire.services.stages import Resolution
from umpire.services.wars import war_run

pytestmark = pytest.mark.django_db


def stored() -> dict[str, list[dict[str, object]]]:
    """Every projected row, without its row number."""
    return {
        table.__name__: [
            {key: value for key, value in row.items() if key != "id"}
            for row in table._default_manager.order_by("branch_id", "key").values()
        ]
        for table in TABLES
    }


def test_after_every_stage_the_projection_is_what_a_rebuild_gives() -> None:
    campaign = campaign_of(seed=3, admirals={"ember": ATTACK})

    def check(resolution: Resolution) -> None:
        written = stored()
        projection_rebuild(branch=Branch.objects.get())
        assert stored() == written

    war_run(campaign=campaign, progress=check, admiral=attack)
    assert Ship.objects.exists()


def test_only_changed_keys_are_written() -> None:
    _, stage = started(admirals={"ember": ATTACK})
    stage = brought_to("orders", stage)
    before = {row.key: row.pk for row in Fleet.objects.all()}
    assert before
    with CaptureQueriesContext(connection) as queries:
        resolved(stage)
    written = [query["sql"] for query in queries.captured_queries if 'INTO "campaign_ship"' in query["sql"]]
    assert sum(sql.count("frost/") for sql in written) == 0  # they held on: not one of their ships is written
    assert sum(sql.count("ember/s") for sql in written) >= 4
    assert {row.key: row.pk for row in Fleet.objects.all()} == before


def test_nothing_changed_is_nothing_written() -> None:
    _, stage = started()
    stage = brought_to("orders", stage)
    scenario = scenario_of(stage.branch.campaign)
    rows = projection_rows(scenario, world_of(stage.from_snapshot))
    with CaptureQueriesContext(connection) as queries:
        assert projection_write(branch=stage.branch, before=rows, after=rows) == 0
    assert len(queries) == 0


def test_the_umpires_lists_are_the_world() -> None:
    _, stage = started(admirals={"ember": ATTACK})
    stage = brought_to("decisions", stage)
    branch = Stage.objects.get(pk=stage.pk).branch
    world = world_of(stage.from_snapshot)
    assert [row.key for row in fleets_of(branch=branch)] == [fleet.key for fleet in world.fleets]
    assert [row.key for row in ships_of(branch=branch)] == [ship.key for ship in world.ships]
    assert [row.key for row in systems_of(branch=branch)] == [holding.system for holding in world.holdings]
    at_frost = {row.faction for row in fleets_of(branch=branch, hex="0804")}
    assert at_frost == {"ember", "frost"}
    assert {row.faction for row in fleets_of(branch=branch, faction="frost")} == {"frost"}
    assert list(repairs_of(branch=branch)) == []
