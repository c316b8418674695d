"""The projection: always what a rebuild from the head would give, written for changed keys only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Branch, Fleet, Ship, Stage
from campaign.rules.world import Cargo
from campaign.selectors.truth import fleets_of, repairs_of, ships_of, systems_of, world_of
from campaign.store.documents import scenario_of
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
    written = [
        query["sql"] for query in queries.captured_queries if 'INTO "campaign_ship"' in query["sql"]
    ]
    assert (
        sum(sql.count("frost/") for sql in written) == 0
    )  # they held on: not one of their ships is written
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
    assert [row.key for row in systems_of(branch=branch)] == [
        holding.system for holding in world.holdings
    ]
    at_frost = {row.faction for row in fleets_of(branch=branch, hex="0804")}
    assert at_frost == {"ember", "frost"}
    assert {row.faction for row in fleets_of(branch=branch, faction="frost")} == {"frost"}
    assert list(repairs_of(branch=branch)) == []


@pytest.mark.rule("camp.tugs", "camp.prizes", "camp.replenish")
def test_stores_tows_prizes_and_cargo_stand_in_the_rows_and_narrow_the_lists() -> None:
    _, stage = started()
    stage = brought_to("orders", stage)
    branch, scenario = stage.branch, scenario_of(stage.branch.campaign)
    world = world_of(stage.from_snapshot)
    one, two, three, *others = world.ships
    changed = (
        replace(one, stock=(("fighter-bay-1", 4),), cargo=Cargo("colonists", 100, 60)),
        replace(two, tug=one.key),
        replace(three, laid_up=True),
    )
    after = projection_rows(scenario, replace(world, ships=(*changed, *others)))
    assert (
        projection_write(branch=branch, before=projection_rows(scenario, world), after=after) == 3
    )
    row = ships_of(branch=branch).get(key=one.key)
    assert (row.stock, row.cargo) == ([["fighter-bay-1", 4]], "60 of 100 colonists")
    found = {
        condition: ([ship.key for ship in ships_of(branch=branch, condition=condition)])
        for condition in ("short", "towed", "laid-up", "docked")
    }
    assert found == {"short": [one.key], "towed": [two.key], "laid-up": [three.key], "docked": []}
    fleets = {
        condition: [f.key for f in fleets_of(branch=branch, condition=condition)]
        for condition in found
    }
    assert fleets == {
        "short": [one.fleet],
        "towed": [two.fleet],
        "laid-up": [three.fleet],
        "docked": [],
    }
