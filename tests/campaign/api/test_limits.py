"""Far too large requests at every entrance of the API are refused early, with a short answer."""

from __future__ import annotations

import fcntl
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.urls import URLResolver, get_resolver

from campaign.models import Campaign, Draft, ShipClass
from campaign.models.account import HeavyUse
from campaign.rules.limits import BODY, DESIGNS, LARGE
from campaign.services import heavy
from tests.campaign.api.calls import Caller, War, caller, json_of, problem_of, war_at
from tests.campaign.rules.yards import design
from tests.umpire.services.wars import start_campaign

pytestmark = pytest.mark.django_db
DEAR = 2.0  # seconds of processor time: four times the allowed cost, for slow and busy machines
LONGEST_ANSWER = 1_000_000


@pytest.fixture
def war() -> War:
    return war_at("orders")


@pytest.fixture
def nac() -> Caller:
    campaign, _ = start_campaign("lafayette-continuum")
    return caller("nac", campaign, "player", "nac")


def send_request(caller: Caller, method: str, path: str, body: bytes) -> Any:
    """Return the answer, which must have cost little and be short."""
    before = time.process_time()
    answer = caller.request(method, path, body, If_Match="*")
    assert time.process_time() - before < DEAR, path
    assert len(answer.content) < LONGEST_ANSWER, path
    assert answer.status_code < 500, path
    return answer


BODIES = {
    "beyond all limits": b'"' + b"x" * BODY + b'"',
    "nested": b'{"orders": ' + b"[" * 900 + b"]" * 900 + b"}",
    "wide": json.dumps({"moves": [1] * 60_000}).encode(),
    "a key twice": b'{"stage": 1, "stage": 2}',
}


def entrances() -> Iterator[tuple[str, str]]:
    """Return (method, address) of everything in the API that takes a body, except the log-in."""
    for prefix, pattern in _patterns(get_resolver().url_patterns, ""):
        kind = getattr(pattern.callback, "cls", None)
        for method in ("post", "put", "patch"):
            if prefix.startswith("api/") and hasattr(kind, method) and prefix != "api/token/":
                yield method, prefix


def _patterns(patterns: Any, before: str) -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, before + str(pattern.pattern))
        else:
            yield before + str(pattern.pattern), pattern


@pytest.mark.any_database
@override_settings(HEAVY_RATE=10**6)
def test_every_address_refuses_oversized_input(war: War) -> None:
    """`war` has every kind of person; each address is called by somebody who may."""
    values = {"<str:campaign>": str(war.campaign.public_id), "<str:faction>": "ember"}
    tried = 0
    for method, route in entrances():
        path = f"/{route}"
        for part, value in values.items():
            path = path.replace(part, value)
        requester = war.umpire if "/umpire/" in route else war.ember
        for name, body in BODIES.items():
            answer = send_request(requester, method.upper(), re.sub("<.*?>", "x", path), body)
            tried += 1
            if "<" not in path and answer.status_code not in (403, 404, 409):
                assert answer.status_code in (
                    (413,) if name == "beyond all limits" else (400, 422)
                ), (path, name)
                assert answer.json().get("detail") or answer.json()["violations"][0]["message"]
    assert tried > 100


def test_error_names_the_limit(war: War) -> None:
    assert problem_of(war.ember.put("orders/", b"x" * (BODY + 1)), 413, "too-large")[
        "detail"
    ].endswith("1 MB")
    for body, code, words in (
        (b'{"moves": ' + b"[" * 20 + b"]" * 20 + b"}", "too-deep", "16 levels"),
        (json.dumps({"moves": [1] * 60_000}).encode(), "too-many-values", "20000 values"),
        (b'{"moves": [], "moves": []}', "key-twice", "'moves'"),
        (b'{"moves": %s}' % (b"9" * 30), "number", "18 digits"),
    ):
        (fault,) = problem_of(war.ember.put("orders/", body, If_Match="*"), 422, "violations")[
            "violations"
        ]
        assert fault["code"] == code
        assert words in fault["message"]


def test_too_many_orders_are_not_judged_one_by_one(war: War) -> None:
    moves = [{"fleet": "ember/f1", "to": "9999"} for _ in range(6000)]
    (fault,) = problem_of(
        send_request(war.ember, "PUT", "orders/", _json(moves=moves)), 422, "violations"
    )["violations"]
    assert (fault["where"], fault["code"]) == ("moves", "too-many")
    for part, order in {
        "settings": {"fleet": "ember/f1"},
        "detach": {"ships": [], "into": "ember/f9"},
        "dock": {"ship": "ember/s1"},
        "weasels": "ember/s1",
        "tow": {"tug": "ember/s1"},
        "decide": {"hex": "0101", "toward": "frost", "choice": "fight"},
        "dummies": {"dummy": "ember/d1"},
        "refit": {"ship": "ember/s1", "system": "x", "setting": "x"},
    }.items():
        problem = problem_of(
            send_request(war.ember, "PUT", "orders/", _json(**{part: [order] * 4000})),
            422,
            "violations",
        )
        assert [(fault["where"], fault["code"]) for fault in problem["violations"]] == [
            (part, "too-many")
        ]
    path = send_request(
        war.ember, "PUT", "orders/", _json(moves=[{"fleet": "ember/f1", "path": ["0101"] * 15_000}])
    )
    assert problem_of(path, 422, "violations")["violations"][0]["where"] == "moves[0].path"
    assert not Draft.objects.filter(faction__key="ember", stage=war.stage).exists()


def _json(**parts: Any) -> bytes:
    return json.dumps({"schema": 1, **parts}).encode()


def test_hundred_faults_are_listed_and_the_rest_counted(war: War) -> None:
    body = json.dumps({"schema": 1, **{f"key-{n}": n for n in range(2500)}}).encode()
    violations = json_of(send_request(war.ember, "POST", "orders/check/", body))["violations"]
    assert len(violations) == 101
    assert violations[-1] == {
        "code": "more-faults",
        "where": "",
        "message": "2400 more faults are not listed",
    }


def test_faults_quoting_input_stay_short(war: War) -> None:
    for letter in ("\U0001f600", "é", "'", "\\\\", "x"):
        twice = f'{{"{letter * 1000}":1,"{letter * 1000}":1}}'
        body = f"[{','.join([twice] * 95)}]".encode()
        violations = problem_of(send_request(war.ember, "PUT", "orders/", body), 422, "violations")[
            "violations"
        ]
        assert len(violations) == 95
        assert len(json.dumps(violations)) < 150_000
        assert all(fault["message"].endswith("…") for fault in violations)


HUNTER = design("Hunter", {"type": "beam", "class": 1})


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- " * 12_500, "too-deep"),
        ("\n".join(f"{'  ' * n}a:" for n in range(150)), "too-deep"),
        ("[" + "x, " * 49_000 + "]", "too-many-values"),
        ("a: " + "!!map {" * 5000, "tag"),
        ("x" * (DESIGNS.characters + 1), "too-long"),
        (json.dumps([HUNTER] * 101), "wrong-length"),
        (json.dumps([HUNTER | {"systems": [{"type": "pds"}] * 20}] * 100), "too-many-systems"),
    ],
)
def test_design_text_costs_little_whatever_it_contains(nac: Caller, text: str, code: str) -> None:
    answer = send_request(nac, "POST", "classes/import/", json.dumps({"text": text}).encode())
    assert problem_of(answer, 422, "violations")["violations"][0]["code"] == code
    assert not ShipClass.objects.filter(faction__isnull=False).exists()


def test_design_of_forty_thousand_systems_costs_little(nac: Caller) -> None:
    for count, code in ((9000, "too-many-systems"), (40_000, "too-many-values")):
        body = json.dumps({"design": HUNTER | {"systems": [{"type": "pds"}] * count}}).encode()
        answer = send_request(nac, "POST", "classes/check/", body)
        violations = json.loads(answer.content)["violations"]
        assert violations[0]["code"] == code


@pytest.mark.any_database
def test_largest_accepted_input_costs_little(nac: Caller) -> None:
    """The document has the most and largest designs allowed, all different, full of launchers."""
    parts = [{"type": kind} for kind in ("magazine", "salvo-launcher", "turret", "beam", "pds")] * 3
    designs = [HUNTER | {"class": f"Hunter {n}", "systems": parts} for n in range(100)]
    answer = send_request(
        nac, "POST", "classes/import/", json.dumps({"text": json.dumps(designs)}).encode()
    )
    assert len(problem_of(answer, 422, "violations")["violations"]) == 101


# --- heavy requests


@override_settings(HEAVY_RATE=3)
def test_expensive_actions_have_a_rate_limit_per_account(nac: Caller) -> None:
    esu = Caller(*_second(nac))
    for _ in range(3):
        json_of(nac.post("classes/check/", {"design": HUNTER}))
    answer = nac.post("classes/check/", {"design": HUNTER})
    problem_of(answer, 429, "too-often")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    problem_of(nac.post("classes/", {"design": HUNTER}), 429, "too-often")
    problem_of(nac.put("orders/", b'{"schema": 1}' + b" " * LARGE), 429, "too-often")
    json_of(nac.get("classes/"))
    json_of(nac.get("orders/"))
    json_of(esu.post("classes/check/", {"design": HUNTER}))


@override_settings(HEAVY_RATE=1)
def test_rate_count_restarts_each_minute_and_failures_count(nac: Caller) -> None:
    assert nac.post("classes/import/", {"text": ""}).status_code == 422
    problem_of(nac.post("classes/import/", {"text": ""}), 429, "too-often")
    HeavyUse.objects.update(minute=1)
    assert nac.post("classes/import/", {"text": ""}).status_code == 422
    assert HeavyUse.objects.get().count == 1


def _second(first: Caller) -> tuple[Any, str, str]:
    from campaign.models import Campaign

    other_caller = caller("esu", Campaign.objects.get(public_id=first.at), "player", "esu")
    return other_caller.user, other_caller.token, other_caller.at


def test_few_expensive_actions_run_at_once(
    nac: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Other processes hold the slots by locks on their files."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    monkeypatch.setattr(heavy, "PATIENCE", 0.1)
    json_of(nac.post("classes/check/", {"design": HUNTER}))
    lock_files = [(tmp_path / "run" / f"heavy-{n}.lock").open("ab") for n in range(heavy.PLACES)]
    for file in lock_files:
        fcntl.flock(file, fcntl.LOCK_EX)
    answer = nac.post("classes/check/", {"design": HUNTER})
    problem_of(answer, 503, "busy")
    assert int(answer.headers["Retry-After"]) >= 0
    json_of(nac.get("orders/"))
    lock_files[0].close()
    json_of(nac.post("classes/check/", {"design": HUNTER}))
    json_of(nac.post("classes/check/", {"design": HUNTER}))  # the slot was released
    lock_files[1].close()


def test_account_occupies_one_slot_and_blocks_nobody_else(
    nac: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One account sends heavy requests all the time; it waits for itself, and others are served."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    monkeypatch.setattr(heavy, "PATIENCE", 0.1)
    esu = caller("esu", Campaign.objects.get(public_id=nac.at), "player", "esu")
    with heavy.heavy_act(nac.user):
        problem_of(nac.post("classes/check/", {"design": HUNTER}), 503, "busy")
        json_of(esu.post("classes/check/", {"design": HUNTER}))
    json_of(nac.post("classes/check/", {"design": HUNTER}))
