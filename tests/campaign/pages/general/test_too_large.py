"""Far too large forms are refused before they are read, and the page names the limit."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver

from campaign.models import Draft, ShipClass
from campaign.rules.limits import BODY, DESIGNS, FIELD, FIELDS, FORM, LARGE
from tests.access.site_routes import PART
from tests.campaign.pages.general.browser_pages import browser, lobby, read_page
from tests.campaign.pages.general.test_classes import HUNTER, seat_player
from tests.umpire.services.wars import campaign_of, play_until, start_campaign

pytestmark = pytest.mark.django_db
DEAR = 2.0  # seconds of processor time: four times the allowed cost, for slow and busy machines


def pages(patterns: Any = None, before: str = "") -> list[str]:
    """Return every route outside the API."""
    routes: list[str] = []
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            routes += pages(pattern.url_patterns, route)
        elif not route.startswith("api/"):
            routes.append(route)
    return routes


def check_post(
    client: Client, path: str, body: Any, status: int, words: str = "", **extra: Any
) -> None:
    before = time.process_time()
    answer = client.post(path, body, **extra)
    assert time.process_time() - before < DEAR, path
    assert answer.status_code == status, (path, answer.status_code)
    assert len(answer.content) < 1_000_000
    assert words in read_page(answer).text


FORMED = {"content_type": "application/x-www-form-urlencoded"}


def test_every_page_refuses_oversized_input() -> None:
    campaign, host, _ = lobby()
    ids = {"c": str(campaign.public_id)}
    tried = 0
    for route in pages():
        path = "/" + PART.sub(lambda match: ids.get(match[1] or match[2], "1"), route).strip("^$")
        check_post(host, path, b"a=" + b"x" * FORM, 413, "200 KB", **FORMED)
        check_post(host, path, {"a": SimpleUploadedFile("a", b"x" * BODY)}, 413, "1 MB")
        check_post(Client(), path, b"a=" + b"x" * LARGE, 413, "20 KB", **FORMED)
        tried += 1
    assert tried > 40


def test_forms_limit_fields_and_characters() -> None:
    client, where = seat_player(start_campaign("lafayette-continuum")[0])
    body = "&".join(f"a{n}=1" for n in range(FIELDS + 1)).encode()
    check_post(client, f"{where}orders/", body, 413, f"{FIELDS} fields", **FORMED)
    check_post(
        client, f"{where}orders/", {"name-nac/f1": "x" * (FIELD + 1)}, 413, f"{FIELD} characters"
    )
    check_post(
        client,
        f"{where}classes/",
        {"act": "check", "text": "x" * (DESIGNS.characters + 1)},
        413,
        "characters",
    )
    files = {
        "act": "save",
        "file": SimpleUploadedFile("a", b"{}"),
        "more": SimpleUploadedFile("b", b"{}"),
    }
    check_post(client, f"{where}classes/", files, 413, "one file")


def test_page_repeats_limited_input() -> None:
    """A quotation mark takes six bytes on a page, so a megabyte of them became six."""
    client, where = seat_player(
        play_until("orders", start_campaign("lafayette-continuum")[1]).branch.campaign
    )
    page = client.get(f"{where}orders/").content.decode()
    stage = re.findall(r'name="stage" value="(\d+)"', page)[0]
    names = sorted(set(re.findall(r'name="(name-[^"]+)"', page)))
    assert len(names) > 10
    form = {"stage": stage, "version": "0", "action": "save"}
    check_post(
        client, f"{where}orders/", {**form, **dict.fromkeys(names, "'" * 4500)}, 413, "100 KB"
    )
    assert not Draft.objects.exists()
    assert client.post(f"{where}orders/", {**form, names[0]: "'" * 4500}).status_code == 302
    assert len(client.get(f"{where}orders/").content) < 1_000_000
    check_post(
        client,
        f"{where}classes/",
        {"act": "check", "text": '"' * DESIGNS.characters},
        413,
        "too many quotation marks",
    )
    twice = ",".join(f'{{"{"é" * 700}":1,"{"é" * 700}":1}}' for _ in range(100))
    check_post(client, f"{where}classes/", {"act": "check", "text": f"[{twice}]"}, 422, "the key")
    quoted = ",".join(f"""{{"{"'" * 300}":1,"{"'" * 300}":1}}""" for _ in range(100))
    check_post(client, f"{where}classes/", {"act": "check", "text": f"[{quoted}]"}, 422, "the key")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- " * 12_500, "nested too deeply"),
        ("[" + "x, " * 49_000 + "]", "10,000 values"),
        (json.dumps([{**HUNTER, "systems": [{"type": "pds"}] * 20}] * 100), "entries of systems"),
        (json.dumps({**HUNTER, "class": "x/Hunter"}), "/"),
    ],
)
def test_design_file_costs_little_whatever_it_contains(text: str, words: str) -> None:
    client, where = seat_player(campaign_of("lafayette-continuum"))
    for act in ("check", "save"):
        file = SimpleUploadedFile("designs.yaml", text.encode())
        check_post(
            client, f"{where}classes/", {"act": act, "source": "design", "file": file}, 422, words
        )
    assert not ShipClass.objects.filter(faction__isnull=False).exists()


@override_settings(HEAVY_RATE=2)
def test_expensive_page_actions_share_a_rate_limit() -> None:
    client, where = seat_player(campaign_of("lafayette-continuum"))
    design = {"act": "check", "source": "design", "text": json.dumps(HUNTER)}
    check_post(client, f"{where}classes/", design, 200)
    check_post(client, f"{where}classes/", design | {"text": " " * LARGE + design["text"]}, 200)
    answer = client.post(f"{where}classes/", design)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert "Nothing was changed" in read_page(answer).text
    assert client.post("/profile/", {"a": ["x" * 4000] * 6}).status_code == 429
    assert client.get(f"{where}classes/").status_code == 200
    assert browser("nac").get("/").status_code == 200
