"""The cost of pages and lists of a finished war grows in proportion to its weeks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.test import Client

from campaign.kinds import Role
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.files import fixture_scenario
from campaign.services.campaigns import campaign_create
from campaign.services.scenarios import scenario_import
from engine.core.cache import clear_all_caches
from tests.campaign.api.calls import caller
from tests.growth import Work, check_growth, uncounted, work_of
from tests.umpire.services.wars import ATTACK, resolve_stage
from umpire.services.wars import campaign_start, seed_from

pytestmark = pytest.mark.django_db

WEEKS = 2
PLAYER_PAGES = ("", "reports/", "gazette/", "gazette/chronicle/", "receipts/", "ships/ember/s1/")
PLAYER_LISTS = ("stages/", "ledger/", "reports/", "receipts/", "battles/")
UMPIRE_PAGES = (
    *("umpire/", "umpire/reports/", "umpire/stages/", "umpire/ledger/"),
    *("story/", "story/film/", "result/"),
)
UMPIRE_LISTS = ("umpire/stages/", "umpire/battles/")
# The whole war on one page, built once when it is over and stored: each week has its own rows.
ARCHIVES = ("page gazette/chronicle/", "page story/")


def war_of(weeks: int) -> Campaign:
    """Return a war that ended after so many weeks, with a battle in the first."""
    scenario = replace(fixture_scenario("first-steps"), slug=f"growth-{weeks}", weeks=weeks)
    campaign = campaign_create(
        scenario=scenario_import(scenario=scenario),
        admirals={"ember": ATTACK},
        seed=seed_from(7),
        dice_key="growth",
    )
    stage: Stage | None = campaign_start(campaign=campaign)
    while stage is not None:
        stage = resolve_stage(stage).next
    campaign.refresh_from_db()
    return campaign


def work_with(
    weeks: int, work_of: Callable[[Callable[[], Any]], Work] = work_of
) -> dict[str, Work]:
    """Return the work of each page and list of a war of so many weeks."""
    campaign = war_of(weeks)
    player = caller(f"player-{weeks}", campaign, Role.PLAYER, "ember")
    umpire = caller(f"umpire-{weeks}", campaign, Role.UMPIRE)
    work = {}
    for viewer, pages, lists in (
        (player, PLAYER_PAGES, PLAYER_LISTS),
        (umpire, UMPIRE_PAGES, UMPIRE_LISTS),
    ):
        browser = Client()
        browser.force_login(viewer.user)
        for page in pages:
            work[f"page {page}"] = work_of(partial(browser.get, f"/c/{viewer.at}/{page}"))
        for name in lists:
            work[f"list {name}"] = work_of(partial(viewer.get, name))
    for name, measurement in work.items():
        assert measurement.answer.status_code == 200, name
    return work


def test_past_page_cost_grows_linearly_with_weeks() -> None:
    work_with(1, uncounted)  # loads modules and templates
    clear_all_caches()
    base, few, many = (work_with(weeks) for weeks in (2, 2 + WEEKS, 2 + 2 * WEEKS))
    for name in few:
        check_growth(name, few[name], many[name], base[name], asks_for_each=name in ARCHIVES)
