"""The same call twice at the same moment, on a database with real concurrency."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from campaign.models import Campaign, IdempotentCall, Submission
from tests.campaign.api.calls import lobby, war_at
from tests.umpire.services.wars import SMALL

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
CALLERS = 4


def at_once(call: Callable[[], Any]) -> list[Any]:
    """Return the answers of callers who all call at the same moment."""
    barrier, answers = threading.Barrier(CALLERS), []

    def run_act() -> None:
        try:
            barrier.wait()
            answers.append(call())
        finally:
            connection.close()

    threads = [threading.Thread(target=run_act) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_one_idempotency_key_opens_one_campaign() -> None:
    _, host, _ = lobby()
    before = Campaign.objects.count()
    answers = at_once(
        lambda: host.post("/api/campaigns/", {"scenario": SMALL}, Idempotency_Key="k")
    )
    assert [answer.status_code for answer in answers] == [201] * CALLERS
    assert len({answer.content for answer in answers}) == 1
    assert (Campaign.objects.count(), IdempotentCall.objects.count()) == (before + 1, 1)


def test_one_of_many_saves_wins_and_the_others_are_refused() -> None:
    war = war_at("orders")
    tag = war.ember.get("orders/").headers["ETag"]
    answers = at_once(lambda: war.ember.put("orders/", {"schema": 1}, If_Match=tag))
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * (CALLERS - 1)


def test_many_seals_make_one_submission() -> None:
    war = war_at("orders")
    answers = at_once(lambda: war.ember.post("orders/seal/", {"orders": {"schema": 1}}))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses.count(201) == 1
    assert set(statuses) <= {200, 201, 409}
    assert Submission.objects.filter(stage=war.stage, withdrawn_at__isnull=True).count() == 1
