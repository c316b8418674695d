"""The cost of pages grows in proportion to the systems on the map, for players and umpires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.test import Client

from campaign.kinds import Role
from campaign.rules.files import fixture_scenario
from campaign.rules.hexes import labels
from campaign.rules.scenario import Scenario, StarSystem
from campaign.services.campaigns import campaign_create
from campaign.services.scenarios import scenario_import
from engine.core.cache import clear_all_caches
from tests.campaign.api.calls import caller
from tests.growth import Work, check_growth, uncounted, work_of
from tests.umpire.services.wars import play_until
from umpire.services.wars import campaign_start, seed_from

pytestmark = pytest.mark.django_db

SYSTEMS = 24
COLUMNS, ROWS, SYSTEM_SPACING = 32, 12, 4  # hexes per system
PLAYER_PAGES = ("", "map/", "orders/", "odds/?hex={}&toward=frost")
UMPIRE_PAGES = ("umpire/", "umpire/map/", "public/")


def with_systems(more: int) -> Scenario:
    """Return the small scenario on a large map, with so many more systems."""
    played = fixture_scenario("first-steps")
    occupied = {system.hex for system in played.systems} | {entry.hex for entry in played.entries}
    free = [label for label in labels(COLUMNS, ROWS) if label not in occupied]
    systems = tuple(
        StarSystem(f"far-{label}", f"Far {label}", label, None, number % 5 == 0)
        for number, label in enumerate(free[::SYSTEM_SPACING][:more])
    )
    return replace(
        played,
        slug=f"growth-{more}",
        columns=COLUMNS,
        rows=ROWS,
        systems=(*played.systems, *systems),
    )


def work_with(
    systems: int, work_of: Callable[[Callable[[], Any]], Work] = work_of
) -> dict[str, Work]:
    """Return the work of each page of a war with so many more systems."""
    scenario = with_systems(systems)
    campaign = campaign_create(
        scenario=scenario_import(scenario=scenario),
        seed=seed_from(7),
        dice_key="growth",
    )
    play_until("orders", campaign_start(campaign=campaign))
    campaign.refresh_from_db()
    player = caller(f"player-{systems}", campaign, Role.PLAYER, "ember")
    umpire = caller(f"umpire-{systems}", campaign, Role.UMPIRE)
    goal = next(system.hex for system in scenario.systems if system.owner == "frost")
    work = {}
    for viewer, pages in ((player, PLAYER_PAGES), (umpire, UMPIRE_PAGES)):
        browser = Client()
        browser.force_login(viewer.user)
        for page in pages:
            work[page] = work_of(partial(browser.get, f"/c/{viewer.at}/{page.format(goal)}"))
            assert work[page].answer.status_code == 200, page
    work["API of systems"] = work_of(partial(umpire.get, "umpire/systems/"))
    return work


def test_page_cost_grows_linearly_with_systems() -> None:
    work_with(1, uncounted)  # loads modules and templates
    clear_all_caches()
    none, few, many = (work_with(systems) for systems in (0, SYSTEMS, 2 * SYSTEMS))
    for page in few:
        check_growth(page or "war room", few[page], many[page], none[page])
