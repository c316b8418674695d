"""What is compressed, and that no compressed answer has a secret beside a stranger's input."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest
from django.urls import resolve

from campaign.rules.public_ids import outside_id
from config.middleware import COMPRESSED_ROUTES, SAFE_QUERY_KEYS
from tests.access import client_requests, site_routes
from tests.access.client_requests import Answer, Request
from tests.access.histories import build_history
from tests.access.private_rows import ID_SECRET
from tests.access.stored_wars import store

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WAR = 63  # a pair in the third week whose player is not the host and has not sealed
SEALED = 7  # one whose player has sealed
CAMPAIGN = str(outside_id(ID_SECRET, "campaign", ""))
LARGEST = {"map", "ship-sheets", "class-sheets"}  # pages that exceed 100 kB in a large war
CHOSEN = "90417826"  # by a stranger
BY_A_LINK = (
    "User-Agent",
    "Referer",
    "Accept-Language",
    "HX-Current-URL",
    "HX-Target",
    "HX-Trigger",
    "HX-Prompt",
)
ACCEPTED = (("Accept-Encoding", "gzip, deflate, br"),)
HEADERS = (*ACCEPTED, *((name, f"https://{CHOSEN}.example.org/{CHOSEN}") for name in BY_A_LINK))
SECRET_WORDS = re.compile(
    rb"(?<![\w/.-])[\w-]{30,}(?![\w.-])"
)  # the secret of a link, token or nonce
# hashes, ids and words
HARMLESS_WORDS = re.compile(
    rb"[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+(?:[-_][a-z0-9]+)+"
)
FORM = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}(?=")|(?<=X-CSRFToken&quot;: &quot;)\w{64}(?=&quot;)'
)


def iter_requests(of_umpires: bool) -> Iterator[Request]:
    """Yield GET requests with allowed compression, with what a stranger's link can add."""
    guesses = site_routes.guesses_of(build_history(WAR))
    true_parts = (
        dict.fromkeys(("public_id", "battle"), site_routes.true_battles(build_history(WAR)))
        if of_umpires
        else {}
    )
    query = "&".join(f"{name}={CHOSEN}" for name in sorted(SAFE_QUERY_KEYS))
    for route in site_routes.all_routes():
        if route.name in COMPRESSED_ROUTES and of_umpires == ("umpire" in route.name):
            values = {**guesses.parts, **true_parts}
            parts = {part: values[part][0] for part in route.parts if part not in ("c", "campaign")}
            path = route.path(c=CAMPAIGN, campaign=CAMPAIGN, **parts)
            yield from (
                Request("get", address, headers=HEADERS) for address in (path, f"{path}?{query}")
            )


def is_compressed(answer: Answer) -> bool:
    return dict(answer.headers).get("Content-Encoding") == "gzip"


def test_listed_views_exist() -> None:
    assert {route.name for route in site_routes.all_routes()} >= COMPRESSED_ROUTES


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("name", ["viewer", "umpire"])
def test_compressed_answers_contain_no_secret_or_foreign_input(name: str) -> None:
    with client_requests.silence_logs():
        client = client_requests.client_of(store(build_history(WAR), 0).people[name])
        view_names = set()
        for ask in iter_requests(name == "umpire"):
            answer = client_requests.send_request(client, ask)
            if not is_compressed(answer):
                continue
            view_names.add(resolve(ask.path.partition("?")[0]).view_name)
            body = gzip.decompress(answer.body)
            assert answer.status == 200, ask
            assert "Accept-Encoding" in dict(answer.headers)["Vary"], ask
            assert len(answer.body) < len(body), ask
            assert CHOSEN.encode() not in body, ask
            assert not [
                secret
                for secret in SECRET_WORDS.findall(FORM.sub(b"", body))
                if not HARMLESS_WORDS.fullmatch(secret)
            ], ask
    expected = (
        {"umpire-map", "api-umpire-world"}
        if name == "umpire"
        else LARGEST | {"orders", "api-view", "battle"}
    )
    assert view_names >= expected


def test_page_with_a_seal_nonce_is_not_compressed() -> None:
    assert (build_history(WAR).sealed, build_history(SEALED).sealed) == (False, True)
    with client_requests.silence_logs():
        client = client_requests.client_of(store(build_history(SEALED), 0).people["viewer"])
        answer = client.get(f"/c/{CAMPAIGN}/orders/", headers=dict(ACCEPTED))
        chart = client.get(f"/c/{CAMPAIGN}/map/", headers=dict(ACCEPTED))
    assert b"data-nonce-used" in answer.content
    assert "Content-Encoding" not in answer.headers
    assert "no-transform" in answer.headers["Cache-Control"]
    assert chart.headers["Content-Encoding"] == "gzip"


def test_links_refusals_and_outside_forms_are_not_compressed() -> None:
    with client_requests.silence_logs():
        client = client_requests.client_of(store(build_history(WAR), 0).people["host"])
        invited = {"role": "observer", "number": "0"}
        response = client.post(
            f"/c/{CAMPAIGN}/seats/invite/", invited, follow=True, headers=dict(ACCEPTED)
        )
        requests = [
            Request("get", path, headers=ACCEPTED)
            for path in (f"/c/{CAMPAIGN}/reports/999/", "/me/")
        ]
        answers = [client_requests.send_request(client, request) for request in requests]
    assert (response.status_code, b"/join/" in response.content) == (200, True)
    assert "Content-Encoding" not in response.headers
    assert [answer.status for answer in answers] == [404, 200]
    assert not any(map(is_compressed, answers))


def test_compressed_length_is_randomised() -> None:
    with client_requests.silence_logs():
        client = client_requests.client_of(store(build_history(WAR), 0).people["viewer"])
        path = f"/c/{CAMPAIGN}/reports/"
        assert (
            "Content-Encoding"
            not in client.get(f"{path}?search={CHOSEN}", headers=dict(ACCEPTED)).headers
        )
        lengths = {len(client.get(path, headers=dict(ACCEPTED)).content) for _ in range(10)}
    assert len(lengths) > 1
