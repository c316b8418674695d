"""Who is let in where: every address under a campaign, asked by everybody there can be.

A row of the matrix is a route of the resolver, a column a person. Whoever is not let in gets the
answer for a campaign that does not exist, to the last byte; whoever is not logged in is sent to the
login, or told by the API to log in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from campaign.access import GUESTS_READ
from tests.access import asking, reach
from tests.access.asking import Answer, Ask
from tests.access.histories import history
from tests.access.papers import CAMPAIGN
from tests.access.reached import API, API_UMPIRE, PAGES_UMPIRE, REACHED, C
from tests.access.stored import Stored, store

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MIDDLE = 7  # a pair in the third week whose player does not host
NOWHERE = "0" * 8 + "-0000-4000-8000-" + "0" * 12
PLAYERS = frozenset({"viewer", "staff", "rival"})
EVERYBODY = frozenset({*PLAYERS, "host", "umpire", "observer"})
PART = re.compile(r":(\w+)>")
PEOPLE = ("anonymous", "stranger", "elsewhere", "guest", *sorted(EVERYBODY))

# Routes for every member of the campaign; all others are for players, hosts or umpires, by where
# they stand.
FOR_ALL = {
    C,
    C + "public/",
    C + "seats/<slug:verb>/",
    *(C + tail for tail in ("gazette/", "gazette/<int:week>/")),  # their edition for everybody
    API + "gazette/<int:week>/",
    *(
        API + tail
        for tail in (
            "",
            "stages/",
            "ledger/",
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
FOR_ANYBODY = {C + "join/<str:token>/", API + "join/"}  # who holds an invitation has no part yet
FOR_HOSTS = {C + "host/", C + "host/act/<slug:verb>/"} | {
    API + tail for tail in ("start/", "seats/take/", "gallery/weeks/")
}
HANDING_OVER = {API + "seats/computer/"}
OVERHEARD = {C + "messages/all/"}  # of the pair of this matrix, whose umpire reads all
IN_THE_END = {
    C + "story/",
    C + "gazette/chronicle/",
    *(C + f"story/battles/<uuid:public_id>/{tail}" for tail in ("", "replay/")),
}
LEAVING = "api-seat-leave"
PUT = {API + "memos/<int:week>/"}  # what is neither read nor posted there
UNFOUGHT = {
    C + "umpire/battles/<uuid:public_id>/replay/"
}  # of this pair's battles nothing is stored turn by turn
# battles are there for who asked for them, and nobody here has; a fleet's part of the orders for
# who names one
UNASKED = {API + "odds/<str:meeting>/", "c/<str:c>/orders/fleet/"}
CLOCK = {
    f"{API}umpire/{act}/"
    for act in ("resolve", "extend", "pause", "resume", "excuse", "rules", "remedy")
}
UMPIRES = {C + tail for tail in PAGES_UMPIRE if tail.startswith("umpire/")} | {
    f"{API}umpire/{tail}" for tail in API_UMPIRE
}


def let_in(route: reach.Route) -> frozenset[str]:
    """Who is let in at a route.

    A guest is where he is named, and at nothing that others than his faction may read.
    """
    found = _let_in(route.route)
    return (
        found | {"guest"}
        if found & PLAYERS and (route.name in GUESTS_READ or route.name == LEAVING)
        else found
    )


def _let_in(route: str) -> frozenset[str]:
    if route in FOR_ALL:
        return EVERYBODY
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


def under_a_campaign() -> list[reach.Route]:
    return [route for route in reach.routes() if {"c", "campaign"} & set(route.parts)]


@pytest.fixture(scope="module")
def stored(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stored]:
    """The war, stored once: what is asked is undone, request by request."""
    with django_db_blocker.unblock(), asking.undone():
        with asking.still():
            found = store(history(MIDDLE), 0)
        yield found


def client_for(stored: Stored, name: str) -> str:
    """The stored name of a person of the matrix."""
    rival = f"player-{history(MIDDLE).others[0]}"
    return {"rival": rival, "anonymous": ""}.get(name, name)


def answers(stored: Stored, name: str, asks: list[Ask]) -> list[Answer]:
    return asking.answers(stored, client_for(stored, name), asks)


def first_asks(campaign: str) -> dict[str, Ask]:
    """A request that each route takes, with the viewer's own things (the umpire's at his desk), at
    a campaign.
    """
    known = reach.guesses(history(MIDDLE)).parts
    theirs = {"battle": reach.true_battles(history(MIDDLE))[:1], "verb": ["extend"]}
    theirs["public_id"] = theirs["battle"]
    found = {}
    for route in under_a_campaign():
        mine = {**known, **theirs} if "umpire" in route.route or "host" in route.route else known
        parts = {part: mine[part][0] for part in route.parts if part in mine}
        path = route.path(c=campaign, campaign=campaign, **parts)
        method = (
            "delete"
            if "invite" in route.parts
            else "post"
            if REACHED[route.route].status == 405
            else "get"
        )
        method = "put" if route.route in PUT else method
        found[route.route] = Ask(
            method, path, None if method == "get" else {}, json=route.api and method != "get"
        )
    return found


def without_the_id(answer: Answer) -> tuple[int, bytes]:
    body = answer.body.replace(CAMPAIGN.encode(), b"*").replace(NOWHERE.encode(), b"*")
    return answer.status, body


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("name", PEOPLE)
def test_every_address_lets_in_whom_it_should_and_is_not_there_for_others(
    stored: Stored, name: str
) -> None:
    here, nowhere = first_asks(CAMPAIGN), first_asks(NOWHERE)
    with asking.still():
        got = dict(zip(here, answers(stored, name, list(here.values())), strict=True))
        missing = dict(zip(nowhere, answers(stored, name, list(nowhere.values())), strict=True))
    wrong, let = {}, {route.route: let_in(route) for route in under_a_campaign()}
    for route, answer in got.items():
        if route in FOR_ANYBODY:
            continue
        if name == "anonymous":
            expected = answer.status == (401 if route.startswith("api/") else 302)
            same = route.startswith("api/") or answer.told()[1] != ()
            fine = expected and same and without_the_id(answer) == without_the_id(missing[route])
        elif name in let[route]:
            fine = answer.status != 401 and without_the_id(answer) != without_the_id(missing[route])
        else:
            fine = answer.status == 404 and without_the_id(answer) == without_the_id(missing[route])
        if not fine:
            wrong[route] = (answer.status, missing[route].status, name in let[route])
    assert wrong == {}


@pytest.mark.rule("camp.hidden")
def test_what_is_hidden_and_what_does_not_exist_is_one_answer(stored: Stored) -> None:
    """Guessed ids: reports, battles, ships, receipts, invitations of others, at every route that
    takes such an id.
    """
    known = reach.guesses(history(MIDDLE))
    own = {
        "report": 2,
        "battle": 1,
        "public_id": 1,
        "invite": 1,
        "fight": 2,
        "drawing": 1,
        "ship": 2,
    }
    told = {}
    with asking.still():
        for route in under_a_campaign():
            parts = [part for part in route.parts if part in own]
            if parts and "umpire" not in route.route and "story" not in route.route:
                here = known.parts[parts[0]][own[parts[0]] :]
                guessed = (
                    here if parts[0] == "ship" else [x for x in here if len(x) == len(NOWHERE)]
                )
                writes = REACHED[route.route].status == 405
                method = "delete" if "invite" in parts else "post" if writes else "get"
                data: dict[str, Any] | None = {} if method == "post" else None
                paths = [
                    route.path(c=CAMPAIGN, campaign=CAMPAIGN, number="0", **{parts[0]: x})
                    for x in guessed
                ]
                asks = [Ask(method, path, data, json=data is not None) for path in paths]
                bodies = {answer.told()[::2] for answer in answers(stored, "viewer", asks)}
                told[route.route] = (
                    len(bodies),
                    {status for status, _ in bodies},
                    len(guessed) > 1,
                )
    assert told
    assert {route: found for route, found in told.items() if found[:2] != (1, {404})} == {}


def test_a_guest_reads_what_the_faction_reads_and_every_address_that_is_named_for_him_is_there(
    stored: Stored,
) -> None:
    named = [route for route in under_a_campaign() if route.name in GUESTS_READ]
    assert {route.name for route in named} == GUESTS_READ
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
    asks = [Ask("get", f"/api/campaigns/{CAMPAIGN}/{tail}/") for tail in tails]
    with asking.still():
        mine, guests = (answers(stored, name, asks) for name in ("viewer", "guest"))
    assert [one.status for one in mine] == [200] * len(tails)
    assert [one.body for one in guests] == [one.body for one in mine]


def test_the_same_page_is_another_for_the_rival(stored: Stored) -> None:
    """A player of another faction is let in everywhere a player is, and finds his own things
    there.
    """
    asks = [
        Ask("get", f"/api/campaigns/{CAMPAIGN}/{part}/")
        for part in ("view", "ships", "reports", "receipts")
    ]
    with asking.still():
        mine, theirs = (answers(stored, name, asks) for name in ("viewer", "rival"))
    assert all(
        one.status == other.status == 200 and one.body != other.body
        for one, other in zip(mine, theirs, strict=True)
    )
