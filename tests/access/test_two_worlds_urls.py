"""Noninterference of the whole site: no address tells a player anything of what is hidden from him.

Each pair of wars is stored twice, equal in everything the player may know; what he is answered at every address of the
resolver must be equal to the last byte, and cost the same queries.
"""

from __future__ import annotations

import pytest
from django.conf import settings

from campaign.fairness import outside_id
from tests.access import asking, reach
from tests.access.histories import history
from tests.access.leaks import LEAKS
from tests.access.papers import ID_SECRET
from tests.access.reached import REACHED

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.hidden")]
PAIRS = 25
ON_POSTGRES = "postgresql" in settings.DATABASES["default"]["ENGINE"]  # a pair more, for its orders and numbers
MIDDLE = 39  # a pair in the third week, with battles behind it, whose player hosts
CAMPAIGN = str(outside_id(ID_SECRET, "campaign", ""))


def test_every_route_is_on_the_list() -> None:
    known = {route.route for route in reach.routes()}
    assert sorted(known - set(REACHED)) == [], "a new address needs a line in tests/access/reached.py"
    assert sorted(set(REACHED) - known) == [], "these addresses are gone"


@pytest.mark.parametrize("seed", range(0, PAIRS, PAIRS if ON_POSTGRES else 2))
def test_hidden_things_change_no_byte_of_any_answer(seed: int) -> None:
    pair = history(seed)
    known = reach.guesses(pair)
    asks = [
        ask
        for route in reach.routes()
        if route.route in REACHED
        for ask in _of_this_pair(seed, reach.asks(route, REACHED[route.route], known, CAMPAIGN))
    ]
    assert asking.differences(pair, asks) == []


def _of_this_pair(seed: int, asks: list[asking.Ask]) -> list[asking.Ask]:
    """All that is asked at a route in every fifth pair; in the others what is his own, and every other ask in turn."""
    return asks if seed % 5 == 0 else [*asks[:1], *asks[1 + seed // 2 % 2 :: 2]]


@pytest.mark.any_database
def test_the_player_is_shown_what_is_his_and_nothing_breaks() -> None:
    """The harness itself: the first request at every route is answered as listed, and nothing with an error."""
    pair = history(MIDDLE)
    known = reach.guesses(pair)
    asked = {
        route.route: reach.asks(route, REACHED.get(route.route, reach.Reach()), known, CAMPAIGN)
        for route in reach.routes()
    }
    answers = iter(asking.both(pair, [ask for asks in asked.values() for ask in asks])[0])
    found = {}
    for route, asks in asked.items():
        got = [next(answers).status for _ in asks]
        if max(got) >= 500 or (route in REACHED and got[0] != REACHED[route].status):
            found[route] = got
    assert found == {}


@pytest.mark.urls("tests.access.leaks")
def test_every_planted_leak_is_found() -> None:
    """The test is tested: an address that leaks in one way each is found out by some pair."""
    missed = {leak.__name__ for leak in LEAKS}
    for seed in range(PAIRS):
        pair = history(seed)
        hexes = reach.guesses(pair).hexes
        asks = [
            asking.Ask("get", f"/leak/{CAMPAIGN}/{name}/?hex={hex_}")
            for name in sorted(missed)
            for hex_ in hexes[-3:-1] or hexes
        ]
        missed -= {ask.path.split("/")[3] for ask, *_ in asking.differing(pair, asks)}
        if not missed:
            break
    assert missed == set()


@pytest.mark.urls("tests.access.leaks")
def test_a_route_that_is_not_listed_fails() -> None:
    known = {route.route for route in reach.routes()}
    assert len(known - set(REACHED)) == len(LEAKS)
