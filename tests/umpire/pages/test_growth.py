"""Lists of campaigns: each further campaign costs its share of work, and no further query."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client

from campaign.kinds import Role
from campaign.store.documents import scenario_of
from engine.core.cache import clear_all_caches
from tests.campaign.api.calls import caller
from tests.growth import check_growth, work_of
from tests.umpire.services.campaign_copies import copy_campaign
from tests.umpire.services.wars import start_campaign

pytestmark = pytest.mark.django_db

WARS = 10
LISTS = {
    "/": Role.PLAYER,
    "/umpire/": Role.UMPIRE,
    "/api/me/": Role.PLAYER,
    "/api/campaigns/": Role.PLAYER,
    "/api/umpire/troubles/": Role.UMPIRE,
}


@pytest.mark.parametrize("address", LISTS)
def test_list_cost_grows_linearly_with_campaigns(address: str) -> None:
    campaign = start_campaign()[0]
    role = LISTS[address]
    faction = campaign.factions.earliest("key").key if role == Role.PLAYER else ""
    reader = caller("somebody", campaign, role, faction)
    browser = Client()
    browser.force_login(reader.user)
    get = partial(reader.get if address.startswith("/api/") else browser.get, address)
    get()  # loads modules and templates
    clear_all_caches()
    scenario_of(campaign)  # once for all campaigns
    work = []
    for _ in range(3):
        work.append(work_of(get))
        assert work[-1].answer.status_code == 200
        copy_campaign(campaign, WARS)
    base, few, many = work
    check_growth(address, few, many, base)
