"""Lists of campaigns: each campaign more costs its share of work and no query more."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.kinds import Role
from campaign.services.campaigns import membership_add
from tests.steps import MOST_GROWTH, count_steps
from tests.umpire.services.many import copied
from tests.umpire.services.wars import started

pytestmark = pytest.mark.django_db

WARS = 10
PAGES = {"/": Role.PLAYER, "/umpire/": Role.UMPIRE}


def work_of(client: Client, page: str) -> tuple[int, int]:
    """Return the queries and the steps of a page."""
    with CaptureQueriesContext(connection) as queries:
        steps, answer = count_steps(partial(client.get, page))
    assert answer.status_code == 200
    return len(queries), steps


@pytest.mark.parametrize("page", PAGES)
def test_a_list_of_campaigns_grows_with_them(page: str) -> None:
    campaign = started()[0]
    user = User.objects.create_user("somebody")
    role = PAGES[page]
    faction = campaign.factions.earliest("key") if role == Role.PLAYER else None
    membership_add(campaign=campaign, user=user, role=role, faction=faction)
    client = Client()
    client.force_login(user)
    client.get(page)  # modules and templates are loaded
    one = work_of(client, page)
    copied(campaign, WARS)
    few = work_of(client, page)
    copied(campaign, WARS)
    many = work_of(client, page)
    assert one[0] == few[0] == many[0]
    assert (many[1] - one[1]) / (few[1] - one[1]) <= MOST_GROWTH
