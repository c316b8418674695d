"""Noninterference of the whole site: no address shows a player anything hidden.

Each pair of wars is stored twice, equal in everything the player may know; the answers at every
address of the resolver must be byte for byte equal, and cost the same queries.
"""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest
from django.conf import settings

from campaign.access import GUESTS_READ
from campaign.pages.people import seats
from tests.access import client_requests, site_routes
from tests.access.histories import (
    LONG_SEED,
    TIMELINE,
    History,
    build_history,
    draw_frame,
    draw_progress,
)
from tests.access.leaks import LEAKS
from tests.access.private_rows import CAMPAIGN
from tests.access.route_requests import NEEDS_A_LINE, ROUTE_REQUESTS
from umpire.pages import acts

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.hidden")]
# Each of these pairs gets every fortieth request in turn, and one long war gets everything
# (see `test_queries`). Together they cover every stage, before, in and after a war, of
# every scenario; the player is host, has sealed, has a draft, shares allies' sight, waits for a
# resolution, or none of these.
TURNS = 40
PAIRS = (3, 0, 4, 5, 6, 14, 18, 20, 22, 25)
# Each of these groups has every stage of a war in weeks: the first requests own things at every
# second address, the other at the rest. The other pairs, of a set-up and of four powers, at all.
GROUPS = ((3, 4, 5, 25), (6, 18, 20, 22))
OUTSIDE_OF = PAIRS[:5]  # pairs that also get addresses outside of wars
ON_POSTGRES = (
    "postgresql" in settings.DATABASES["default"]["ENGINE"]
)  # one more pair, for its orders and numbers
OUTSIDE = (
    "accounts/",
    "health/",
    "metrics",
    "api/health/",
    "api/schema/",
    "api/docs/",
    "api/scenarios/",
)
VERBS: dict[str, Collection[str]] = {  # methods that these addresses allow
    "c/<uuid:c>/seats/<slug:verb>/": seats.ACTS,
    "c/<uuid:c>/umpire/act/<slug:verb>/": acts.UMPIRE_ACTS,
    "c/<uuid:c>/host/act/<slug:verb>/": acts.HOST_ACTS,
}
MAX_PAIRS = 25  # pairs that an inserted leak may need to be found


def test_every_route_is_listed() -> None:
    routes = {route.route for route in site_routes.all_routes()}
    assert sorted(routes - set(ROUTE_REQUESTS)) == [], NEEDS_A_LINE
    assert sorted(set(ROUTE_REQUESTS) - routes) == [], "these addresses are gone"


def test_unlisted_route_error_says_where_to_list_it() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"route_requests\.py: c/new/"):
        ROUTE_REQUESTS["c/new/"]


def test_pairs_cover_every_stage_of_every_kind_of_war() -> None:
    frames = [draw_frame(seed, random.Random(f"history {seed}")) for seed in (*PAIRS, LONG_SEED)]
    assert {timeline[-1] for *_, timeline in frames} >= {*TIMELINE, (2, "over")}
    slugs = {scenario.slug for scenario, *_ in frames}
    assert slugs == {"lafayette", "lafayette-continuum", "three-powers", "four-powers"}
    assert {(scenario.open_play, timeline[-1][1]) for scenario, _, timeline in frames} >= {
        (open_play, stage) for open_play in (False, True) for stage in ("orders", "over")
    }
    assert {scenario.shared_sight for scenario, *_ in frames} == {False, True}
    for group in GROUPS:
        assert {frames[PAIRS.index(seed)][2][-1][1] for seed in group} == {
            *("orders", "decisions", "battles", "over"),
        }
    assert all(
        set(had) == {False, True}
        for had in zip(*map(draw_progress, (*PAIRS, LONG_SEED)), strict=True)
    )


def test_planted_leaks_meet_battles_with_and_without_open_decisions() -> None:
    """A player who has not sealed may not learn whether the foe has; only such a pair finds that
    leak.
    """
    endings = {
        (draw_frame(seed, random.Random(f"history {seed}"))[2][-1][1], draw_progress(seed).sealed)
        for seed in range(MAX_PAIRS)
    }
    assert endings >= {("battles", True), ("battles", False)}


@pytest.mark.parametrize("seed", PAIRS[:1] if ON_POSTGRES else PAIRS)
def test_hidden_things_change_no_byte_of_any_answer(seed: int) -> None:
    pair = build_history(seed)
    guesses = site_routes.guesses_of(pair)
    asks: list[client_requests.Request] = []
    for number, route in enumerate(site_routes.all_routes()):
        if route.route in ROUTE_REQUESTS:
            reach = ROUTE_REQUESTS[route.route]
            requests = site_routes.requests_for(route, reach, guesses, CAMPAIGN)
            asks += _of_this_pair(seed, number, route.route, requests)
    # A guest's pages follow from the player's.
    assert client_requests.differences(pair, asks, _read_by_guests(pair, guesses)) == []


def _turn_of(seed: int) -> int:
    """Return the first of the requests that a pair gets; the pairs' turns are spread evenly."""
    return PAIRS.index(seed) * TURNS // len(PAIRS)


def _read_by_guests(pair: History, guesses: site_routes.Guesses) -> list[client_requests.Request]:
    """Return a guest's requests: own things, and one guess at each address."""
    requests = []
    for route in site_routes.all_routes():
        if route.name in GUESTS_READ:
            asks = site_routes.requests_for(
                route,
                ROUTE_REQUESTS.get(route.route, site_routes.RouteRequests()),
                guesses,
                CAMPAIGN,
            )
            requests += [ask for ask in asks if ask.method == "get"]
    return requests[_turn_of(pair.seed) :: TURNS]


def _of_this_pair(
    seed: int, number: int, route: str, asks: list[client_requests.Request]
) -> list[client_requests.Request]:
    """Return the requests of a pair at a route: own things, and every fortieth in turn, on SQLite.

    Of methods that an address does not allow one is requested.

    Args:
        number: The place of the route in the resolver.
    """
    if route.startswith(OUTSIDE) and seed not in OUTSIDE_OF:
        return []
    if allowed_verbs := VERBS.get(route):
        asks = [ask for ask in asks if ask.path.split("/")[-2] in (*allowed_verbs, "nothing")]
    if ON_POSTGRES:
        return asks[:1]
    own = [] if seed in GROUPS[number % 2] else asks[:1]
    return [*own, *asks[1 + _turn_of(seed) :: TURNS]]


@pytest.mark.any_database
@pytest.mark.urls("tests.access.leaks")
def test_planted_leaks_are_found() -> None:
    """Test the test: some pair finds each address with a leak."""
    missed = {leak.__name__ for leak in LEAKS}
    for seed in range(MAX_PAIRS):
        pair = build_history(seed)
        hexes = site_routes.guesses_of(pair).hexes
        asks = [
            client_requests.Request("get", f"/leak/{CAMPAIGN}/{name}/?hex={hex_}")
            for name in sorted(missed)
            for hex_ in hexes[-3:-1] or hexes
        ]
        missed -= {
            ask.path.split("/")[3] for ask, *_ in client_requests.find_differences(pair, asks)
        }
        if not missed:
            break
    assert missed == set()


@pytest.mark.urls("tests.access.leaks")
def test_unlisted_route_fails() -> None:
    routes = {route.route for route in site_routes.all_routes()}
    assert len(routes - set(ROUTE_REQUESTS)) == len(LEAKS)
