"""One war for all tests of a module; each test changes it in a transaction that is rolled back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from campaign.models import Stage
from tests.umpire.pages.staffed_war import StaffedWar, make_staffed_war


@pytest.fixture(scope="module")
def war(django_db_setup: None, django_db_blocker: Any) -> Iterator[StaffedWar]:
    """Return the war, created once and removed at the end of the module."""
    with django_db_blocker.unblock():
        outer = transaction.atomic()
        outer.__enter__()
        try:
            yield make_staffed_war()
        finally:
            transaction.set_rollback(True)
            outer.__exit__(None, None, None)


@pytest.fixture
def desk(war: StaffedWar, db: None) -> StaffedWar:
    """The war as it was made."""
    war.campaign.refresh_from_db()
    return StaffedWar(war.campaign, Stage.objects.get(pk=war.stage.pk), war.battle, war.people)
