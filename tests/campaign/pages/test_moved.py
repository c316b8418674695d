"""Old addresses of pages lead to the new ones."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import resolve

from campaign.pages.moved import MOVED

ID = "00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize(("old", "new"), sorted(MOVED.items()))
def test_old_address_redirects_and_keeps_its_query(old: str, new: str) -> None:
    answer = Client().get("/" + old.replace("<str:war>", ID) + "?week=2")
    assert (answer.status_code, answer["Location"]) == (301, new % {"war": ID} + "?week=2")
    assert resolve(new % {"war": ID}).url_name
