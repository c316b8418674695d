"""Lists of saved things cost their share for each row and no further query, on pages and in the
API.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from campaign import models
from campaign.kinds import MessageMode
from campaign.models.design_library import LibraryDesign
from engine.core.cache import clear_all_caches
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tests.campaign.api.calls import War, war_at
from tests.growth import check_growth, work_of
from tests.rulesets import write_ruleset

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ROWS = 12


def messages(war: War, count: int) -> None:
    now = timezone.now()
    write_ruleset(war.campaign, war.campaign.ruleset | {"messages": MessageMode.AT_ONCE})
    frost = war.campaign.factions.get(key="frost")
    ember = war.campaign.factions.get(key="ember")
    models.Message.objects.bulk_create(
        models.Message(
            public_id=uuid4(),
            campaign=war.campaign,
            sender=frost,
            receiver=ember,
            author=war.frost.user,
            text=f"Message {number}",
            week=1,
            stage="orders",
            written_at=now,
            delivered_at=now,
        )
        for number in range(count)
    )


def designs(war: War, count: int) -> None:
    document = design_json(next(iter(fixture_classes("second-edition").values())))
    LibraryDesign.objects.bulk_create(
        LibraryDesign(
            user=war.ember.user,
            public_id=uuid4(),
            name=f"Class {number}",
            edition="second-edition",
            schema=1,
            design=document,
            changed_at=timezone.now(),
        )
        for number in range(count)
    )


LISTS: dict[str, Callable[[War, int], None]] = {
    "messages/": messages,
    "/c/{}/messages/": messages,
    "/api/designs/": designs,
    "/designs/": designs,
}


@pytest.mark.parametrize("address", LISTS)
def test_list_size_grows_with_its_rows(address: str) -> None:
    war = war_at("orders")
    browser = Client()
    browser.force_login(war.ember.user)
    is_api = address.startswith("/api/") or not address.startswith("/")
    ask = war.ember.get if is_api else browser.get
    get = partial(ask, address.format(war.ember.at))
    LISTS[address](war, 1)
    get()  # loads modules and templates
    clear_all_caches()
    work = []
    for _ in range(3):
        work.append(work_of(get))
        assert work[-1].answer.status_code == 200
        LISTS[address](war, ROWS)
    one_row, few_rows, many_rows = work
    check_growth(address, few_rows, many_rows, one_row)
