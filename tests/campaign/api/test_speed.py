"""The number of queries a call may cost: counted, never timed."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.campaign.api.calls import Caller, War, json_of, war_at
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
TOKEN, VIEWER = 1, 1

# path: number of queries, besides those for the caller and their access
COSTS = {
    "": 7,  # the next action: view, entry, battles; the rules; the head of the ledger
    "stages/": 1,
    "ledger/": 3,  # two of them for whether the war is over, and for the row that ends it
    "rules/": 2,
    "seats/": 2,
    "map/": 0,
    "view/": 2,
    "view/?week=0&stage=deploy": 3,
    "fleets/": 2,
    "ships/": 2,
    "mines/": 2,
    "contacts/": 3,  # one of them for whether the view was opened before
    "reach/?fleet=ember/f1": 2,
    # The newest view and the reports up to it are read once a stage
    "reports/": 2,
    "battles/": 2,
    "orders/": 4,  # one of them for how the stage closes
    "orders/default/": 3,
    "receipts/": 2,  # one of them for the ledger's heads
    "receipts/0/": 2,
}


def cost(caller: Caller, path: str) -> int:
    """Return the number of queries of a call."""
    with CaptureQueriesContext(connection) as queries:
        json_of(caller.get(path))
    return len(queries)


def paths_over_budget(war: War) -> dict[str, int]:
    """Return the paths that cost too much."""
    costs = {path: cost(war.ember, path) - TOKEN - VIEWER for path in COSTS}
    return {path: queries for path, queries in costs.items() if queries > COSTS[path]}


@pytest.fixture
def war() -> War:
    war = war_at("orders")
    resolve_stage(war.stage)
    for path in COSTS:  # the scenario is read once
        json_of(war.ember.get(path))
    return war


@pytest.mark.any_database
def test_call_costs_a_fixed_number_of_queries(war: War) -> None:
    assert paths_over_budget(war) == {}


@pytest.mark.any_database
def test_later_week_costs_no_more(war: War) -> None:
    for _ in range(3):
        stage = type(war.stage).objects.get(status="open")
        resolve_stage(stage)
    json_of(war.ember.get("view/"))  # opened for the first time, which is recorded
    assert paths_over_budget(war) == {}


@pytest.mark.any_database
def test_player_queries_never_touch_the_truth(war: War) -> None:
    hidden = ("snapshot", "fleet", "ship", "facilitystate", "repair", "battle", "battlephase")
    for path in (*COSTS, "invites/", "/api/campaigns/", "/api/me/", "/api/scenarios/"):
        with CaptureQueriesContext(connection) as queries:
            json_of(war.ember.get(path))
        for query in queries.captured_queries:
            sql = query["sql"].lower()
            assert not [
                name
                for name in hidden
                if f'from "campaign_{name}"' in sql or f'join "campaign_{name}"' in sql
            ]
