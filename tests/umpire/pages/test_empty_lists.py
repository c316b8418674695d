"""The umpire's lists in a war without fleets.

In a file of its own, because other tests of these pages share a war.
"""

from __future__ import annotations

import pytest

from tests.umpire.pages.staffed_war import make_staffed_war

pytestmark = pytest.mark.django_db


def test_lists_without_a_search_do_not_ask_to_change_it() -> None:
    desk = make_staffed_war(kind="deploy", week=0)
    for name in ("umpire-fleets", "umpire-ships"):
        page = desk.client("umpire").get(desk.url(name)).content.decode()
        assert "There are none on the map now." in page
        assert "Change the search" not in page
