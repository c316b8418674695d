"""Access: every address of a campaign, requested by every kind of person.

A row of the matrix is a route of the resolver, a column a person. People without access get exactly
the answer for a missing campaign; without a log-in they are sent to it, or told by the API to log
in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from campaign.access import GUESTS_READ
from tests.access import client_requests, site_routes
from tests.access.client_requests import Answer, Request
from tests.access.histories import build_history
from tests.access.private_rows import CAMPAIGN
from tests.access.route_requests import API, API_UMPIRE, PAGES_UMPIRE, ROUTE_REQUESTS, C
from tests.access.stored_wars import StoredWar, store
from tests.access.war_secrets import leaked, secrets_of_dice, secrets_of_orders

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MIDDLE = 7  # a pair in the third week whose player is not the host
NOWHERE = "0" * 8 + "-0000-4000-8000-" + "0" * 12
PLAYERS = frozenset({"viewer", "staff", "rival"})
ALL_MEMBERS = frozenset({*PLAYERS, "host", "umpire", "observer"})
PART = re.compile(r":(\w+)>")
PEOPLE = ("anonymous", "stranger", "elsewhere", "guest", *sorted(ALL_MEMBERS))

# Routes for every member of the campaign; all others are for players, hosts or umpires, depending
# on their package.
FOR_ALL = {
    C,
    C + "public/",
    *(C + tail for tail in ("rollback/", "ledger/", "check/")),
    C + "fork/",
    C + "seats/<slug:verb>/",
    C + "more/",
    *(
        C + tail
        for tail in (
            "gazette/",
            "gazette/<int:week>/",
            "gazette/<int:week>.pdf",
            "gazette/<int:week>/mail/",
        )
    ),  # their edition for everybody
    API + "gazette/<int:week>/",
    *(
        API + tail
        for tail in (
            "",
            "stages/",
            "ledger/",
            "ledger/head/",
            "timelines/",
            "timelines/answer/",
            "forks/",
            "reveal/",
            "ledger/<int:number>/proofs/",
            "rules/",
            "seats/",
            "seats/leave/",
            "map/",
            "invites/",
            "gallery/",
        )
    ),
}
OF_SEATS = {C + "messages/", C + "messages/to/<slug:key>/"} | {
    f"{API}messages/{tail}" for tail in ("", "read/")
}
FOR_ANYBODY = {C + "join/<str:token>/", API + "join/"}  # holders of an invitation have no role yet
FOR_HOSTS = {C + "host/", C + "host/act/<slug:verb>/"} | {
    API + tail for tail in ("start/", "seats/take/", "gallery/weeks/")
}
HANDING_OVER = {API + "seats/computer/"}
OVERHEARD = {C + "messages/all/"}  # of this matrix's pair, whose umpire reads all
IN_THE_END = {
    C + "story/",
    C + "result/",
    C + "story/film/",
    C + "battles/<uuid:battle>/moment/",
    C + "story/umpires/",
    C + "story/luck/",
    C + "story/archive/",
    API + "archive/",
    API + "luck/",
    C + "gazette/chronicle/",
    *(C + f"story/battles/<uuid:public_id>/{tail}" for tail in ("", "replay/")),
}
LEAVING = "api-seat-leave"
PUT_ROUTES = {API + "memos/<int:week>/"}  # neither GET nor POST is allowed there
UNFOUGHT = {
    C + "umpire/battles/<uuid:public_id>/replay/"
}  # this pair's battles are not stored turn by turn
# battles are only there for those who asked for them, and nobody here has; a fleet's part of the
# orders only with its name; this pair's war was never rolled back, and has no public moments
UNASKED = {
    API + "odds/<str:meeting>/",
    *(API + f"moments/<str:moment>/{tail}" for tail in ("", "agree/")),
    "c/<str:c>/orders/fleet/",
    C + "timelines/<int:number>/",
    C + "timelines/<int:number>/map/",
}
CLOCK = {
    f"{API}umpire/{act}/"
    for act in ("resolve", "extend", "pause", "resume", "excuse", "rules", "remedy", "no-beacon")
}
UMPIRES = {C + tail for tail in PAGES_UMPIRE if tail.startswith("umpire/")} | {
    f"{API}umpire/{tail}" for tail in API_UMPIRE
}


def allowed_people(route: site_routes.Route) -> frozenset[str]:
    """Return the people with access to a route.

    A guest has access where named, and to nothing that only other factions may read.
    """
    allowed = _allowed_people(route.route)
    return (
        allowed | {"guest"}
        if allowed & PLAYERS and (route.name in GUESTS_READ or route.name == LEAVING)
        else allowed
    )


def _allowed_people(route: str) -> frozenset[str]:
    if route in FOR_ALL:
        return ALL_MEMBERS
    if route in OF_SEATS:
        return PLAYERS | {"umpire"}
    if route in OVERHEARD:
        return frozenset({"umpire"})
    if route in IN_THE_END | UNFOUGHT | UNASKED:
        return frozenset()
    if route in FOR_HOSTS:
        return frozenset({"host"})
    if route == API + "invites/<str:invite>/":
        return PLAYERS - {"rival"} | {"host"}  # an invitation to the viewer's faction
    if {"battle", "report", "fight", "drawing", "ship"} & set(
        PART.findall(route)
    ) and route not in UMPIRES:
        return PLAYERS - {"rival"}  # ids of the viewer's faction
    if route in HANDING_OVER or route in CLOCK:
        return frozenset({"host", "umpire"})
    if route in UMPIRES:
        return frozenset({"umpire"})
    return PLAYERS


def campaign_routes() -> list[site_routes.Route]:
    return [route for route in site_routes.all_routes() if {"c", "campaign"} & set(route.parts)]


@pytest.fixture(scope="module")
def stored(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[StoredWar]:
    """Return the war, stored once; each request is rolled back."""
    with django_db_blocker.unblock(), client_requests.roll_back():
        with client_requests.freeze_randomness():
            stored_war = store(build_history(MIDDLE), 0)
        yield stored_war


def client_for(stored_war: StoredWar, name: str) -> str:
    """Return the stored name of a person of the matrix."""
    rival = f"player-{build_history(MIDDLE).others[0]}"
    return {"rival": rival, "anonymous": ""}.get(name, name)


def answers(stored_war: StoredWar, name: str, asks: list[Request]) -> list[Answer]:
    return client_requests.answers(stored_war, client_for(stored_war, name), asks)


def first_requests(campaign: str) -> dict[str, Request]:
    """Return a valid request for each route of a campaign, with the viewer's or umpire's own
    things.
    """
    guesses = site_routes.guesses_of(build_history(MIDDLE)).parts
    hidden_parts = {
        "battle": site_routes.true_battles(build_history(MIDDLE))[:1],
        "verb": ["extend"],
    }
    hidden_parts["public_id"] = hidden_parts["battle"]
    requests = {}
    for route in campaign_routes():
        mine = (
            {**guesses, **hidden_parts}
            if "umpire" in route.route or "host" in route.route
            else guesses
        )
        parts = {part: mine[part][0] for part in route.parts if part in mine}
        path = route.path(c=campaign, campaign=campaign, **parts)
        method = (
            "delete"
            if "invite" in route.parts or route.name == "api-moment"
            else "post"
            if ROUTE_REQUESTS[route.route].status == 405
            else "get"
        )
        method = "put" if route.route in PUT_ROUTES else method
        requests[route.route] = Request(
            method, path, None if method == "get" else {}, json=route.api and method != "get"
        )
    return requests


def without_the_id(answer: Answer) -> tuple[int, bytes]:
    body = answer.body.replace(CAMPAIGN.encode(), b"*").replace(NOWHERE.encode(), b"*")
    return answer.status, body


def routes_to_try(name: str) -> list[str]:
    """Return the routes that a person tries.

    The staff and the rival go through the viewer's doors, so that they try only those that are
    closed to them. Without any seat a stranger is refused where a player of another war is.
    """
    routes = [route for route in campaign_routes() if route.route not in FOR_ANYBODY]
    if name in {"staff", "rival"}:
        routes = [route for route in routes if name not in allowed_people(route)]
    if name == "stranger":
        routes = routes[::4]
    return [route.route for route in routes]


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("name", PEOPLE)
def test_each_address_admits_only_its_readers(stored: StoredWar, name: str) -> None:
    routes = routes_to_try(name)
    here, nowhere = first_requests(CAMPAIGN), first_requests(NOWHERE)
    admits = {route.route: name in allowed_people(route) for route in campaign_routes()}
    with client_requests.freeze_randomness():
        asks = [here[route] for route in routes]
        answer_of = dict(zip(routes, answers(stored, name, asks), strict=True))
        # An answer other than 404 to a reader differs from that of a missing campaign.
        unsure = [route for route in routes if not admits[route] or answer_of[route].status == 404]
        asks = [nowhere[route] for route in unsure]
        missing = dict(zip(unsure, answers(stored, name, asks), strict=True))
    wrong = {}
    for route, answer in answer_of.items():
        is_like_missing = route in missing and without_the_id(answer) == without_the_id(
            missing[route]
        )
        if name == "anonymous":
            is_right = is_like_missing and answer.status == (
                401 if route.startswith("api/") else 302
            )
        elif admits[route]:
            is_right = answer.status != 401 and not is_like_missing
        else:
            is_right = answer.status == 404 and is_like_missing
        if not is_right:
            wrong[route] = (answer.status, admits[route])
    assert wrong == {}
    assert leaked(answer_of, secrets_before(stored, name)) == []


def secrets_before(stored: StoredWar, name: str) -> dict[str, str]:
    """Return what a person must not read before the end of the war.

    An umpire may read all orders, but no key: the dice of later weeks follow from it.
    """
    found = secrets_of_dice(stored.campaign)
    if name == "umpire":
        return found
    rival = stored.campaign.factions.get(key=build_history(MIDDLE).others[0])
    own = {"rival": rival, "observer": None, "host": None}.get(name, stored.faction)
    return found | secrets_of_orders(stored.campaign, own)


def test_search_finds_a_key_in_a_body(stored: StoredWar) -> None:
    secrets = secrets_before(stored, "viewer")
    assert len(secrets) > 50
    assert {"key of a stage", "key of a phase"} <= set(secrets.values())
    body = f'{{"seed": "{stored.campaign.seed.upper()}", "x": "{"0" * 64}"}}'.encode()
    answer = Answer(200, (), body, (), 0)
    assert leaked({"here": answer}, secrets) == [("here", "seed")]


@pytest.mark.rule("camp.hidden")
def test_hidden_and_missing_objects_get_the_same_answer(stored: StoredWar) -> None:
    """Guessed ids of others' reports, battles, ships, receipts and invitations, at every such
    route.
    """
    guesses = site_routes.guesses_of(build_history(MIDDLE))
    own_count = {
        "report": 2,
        "battle": 1,
        "public_id": 1,
        "invite": 1,
        "fight": 2,
        "drawing": 1,
        "ship": 2,
    }
    statuses = {}
    with client_requests.freeze_randomness():
        for route in campaign_routes():
            parts = [part for part in route.parts if part in own_count]
            if parts and "umpire" not in route.route and "story" not in route.route:
                here = guesses.parts[parts[0]][own_count[parts[0]] :]
                guessed = (
                    here if parts[0] == "ship" else [x for x in here if len(x) == len(NOWHERE)]
                )
                writes = ROUTE_REQUESTS[route.route].status == 405
                method = "delete" if "invite" in parts else "post" if writes else "get"
                data: dict[str, Any] | None = {} if method == "post" else None
                paths = [
                    route.path(c=CAMPAIGN, campaign=CAMPAIGN, number="0", **{parts[0]: x})
                    for x in guessed
                ]
                asks = [Request(method, path, data, json=data is not None) for path in paths]
                bodies = {answer.visible_parts()[::2] for answer in answers(stored, "viewer", asks)}
                statuses[route.route] = (
                    len(bodies),
                    {status for status, _ in bodies},
                    len(guessed) > 1,
                )
    assert statuses
    assert {
        route: outcome for route, outcome in statuses.items() if outcome[:2] != (1, {404})
    } == {}


def test_guest_reads_what_the_faction_reads(
    stored: StoredWar,
) -> None:
    guest_routes = [route for route in campaign_routes() if route.name in GUESTS_READ]
    assert {route.name for route in guest_routes} == GUESTS_READ
    tails = (
        "view",
        "fleets",
        "ships",
        "contacts",
        "reports",
        "battles",
        "gazette/1",
        "map",
        "stages",
        "rules",
    )
    asks = [Request("get", f"/api/campaigns/{CAMPAIGN}/{tail}/") for tail in tails]
    with client_requests.freeze_randomness():
        mine, guests = (answers(stored, name, asks) for name in ("viewer", "guest"))
    assert [answer.status for answer in mine] == [200] * len(tails)
    assert [answer.body for answer in guests] == [answer.body for answer in mine]


def test_rival_sees_a_different_page(stored: StoredWar) -> None:
    """A player of another faction has access wherever players have, and finds other things there."""
    asks = [
        Request("get", f"/api/campaigns/{CAMPAIGN}/{part}/")
        for part in ("view", "ships", "reports", "receipts")
    ]
    with client_requests.freeze_randomness():
        mine, rival_answers = (answers(stored, name, asks) for name in ("viewer", "rival"))
    assert all(
        viewer_answer.status == other.status == 200 and viewer_answer.body != other.body
        for viewer_answer, other in zip(mine, rival_answers, strict=True)
    )
