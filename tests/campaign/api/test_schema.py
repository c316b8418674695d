"""The OpenAPI document is complete, valid, without warnings, and matches the API's answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import make_dataclass, replace
from datetime import timedelta
from functools import cache
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from drf_spectacular.plumbing import ComponentRegistry
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from campaign.api.schema import ShapeExtension, shape
from campaign.models import Stage
from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.rules.message_rules import MessageRules
from campaign.services.scenarios import scenario_import
from campaign.services.tokens import token_make
from config.wsgi import application
from engine.core.versions import NEWEST
from tests.campaign.api.calls import War, json_of, problem_of, war_at
from tests.rulesets import write_ruleset
from tests.umpire.services.tournament_site import open_tournament
from tests.umpire.services.wars import SMALL

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
AS_IT_IS = {"Accept-Encoding": "identity"}  # the test client does not decompress
EXAMPLES = 3
PASSWORD = "a long enough sentence"
DESIGN = {
    "class": "Moth",
    "edition": "second-edition",
    "kind": "warship",
    "mass": 4,
    "thrust": 4,
    "ftl": "standard",
}
# Valid bodies for operations where random ones would hardly be valid.
GOOD: dict[str, dict[str, Any]] = {
    "/api/designs/": {"design": DESIGN},
    "/api/designs/{design}/": {"design": DESIGN},
    "/api/designs/check/": {"design": DESIGN},
    "/api/designs/import/": {"text": json.dumps(DESIGN)},
    "/api/designs/compare/": {"first": {"design": DESIGN}, "second": {"design": DESIGN}},
    "/api/designs/odds/": {"first": {"design": DESIGN}, "second": {"design": DESIGN}, "battles": 1},
    "/api/own-scenarios/": {"copy_of": SMALL},
    "/api/own-scenarios/check/": {"text": "name: Small"},
    "/api/own-scenarios/{scenario}/": {"text": "name: Small"},
    "/api/own-scenarios/{scenario}/balance/": {"wars": 20},
    "/api/tournaments/": {"name": "Cup", "scenario": "patrol"},
    "/api/tournaments/{tournament}/rounds/": {"number": 1},
    "/api/tournaments/{tournament}/remove/": {"number": 2},
    "/api/token/": {"username": "ember", "password": PASSWORD},
    "/api/campaigns/": {"scenario": SMALL, "play": "frost", "timetable": "daily"},
    "/api/campaigns/{campaign}/invites/": {"role": "staff", "faction": "ember", "days": 3},
    "/api/campaigns/{campaign}/messages/": {"text": "Well met.", "to": ["frost"]},
    "/api/campaigns/{campaign}/messages/read/": {"ids": []},
    "/api/campaigns/{campaign}/odds/": {
        "hex": "0804",
        "toward": "frost",
        "fleets": ["ember/f1"],
        "battles": 1,
    },
    "/api/campaigns/{campaign}/orders/": {"schema": 1},
    "/api/campaigns/{campaign}/orders/check/": {"schema": 1},
    "/api/campaigns/{campaign}/orders/seal/": {"orders": {"schema": 1}},
    "/api/campaigns/{campaign}/seats/computer/": {"faction": "ember"},
    "/api/campaigns/{campaign}/seats/send-away/": {"name": "nobody"},
    "/api/campaigns/{campaign}/gallery/": {"may_be_shown": False},
    "/api/campaigns/{campaign}/gallery/weeks/": {"weeks": None},
    "/api/umpire/remind/": {"wars": [{"id": "{campaign}", "stage": 1}]},
    "/api/umpire/extend/": {"wars": [{"id": "{campaign}", "stage": 1}], "hours": 3},
    "/api/umpire/pause/": {"wars": [{"id": "{campaign}"}], "until": "{tomorrow}"},
    "/api/campaigns/{campaign}/umpire/events/": {
        "kind": "report",
        "factions": ["ember"],
        "week": 2,
        "at": "battles",
        "text": "Smoke over Frost.",
    },
    "/api/campaigns/{campaign}/umpire/rulings/": {"patches": [], "reason": "x", "hold": True},
    "/api/campaigns/{campaign}/umpire/marks/": {"hex": "0804", "text": "watch this"},
    "/api/campaigns/{campaign}/timelines/": {"to": "1-0", "head": "1-1", "reason": "an error"},
    "/api/campaigns/{campaign}/timelines/answer/": {"proposal": 1, "answer": "agree"},
    "/api/campaigns/{campaign}/forks/": {"week": 1},
    "/api/campaigns/{campaign}/moments/": {"battle": "x", "turn": 1, "title": "Contact"},
    "/api/campaigns/{campaign}/umpire/excuse/": {"faction": "ember", "week": 2},
    "/api/campaigns/{campaign}/umpire/grace/": {"stage": 1, "hours": 3},
    "/api/campaigns/{campaign}/umpire/hold/": {"stage": 1},
    "/api/campaigns/{campaign}/umpire/no-beacon/": {"stage": 1},
    "/api/campaigns/{campaign}/umpire/extend/": {"stage": 1, "hours": 3},
    "/api/campaigns/{campaign}/umpire/pause/": {"reason": "a week off"},
    "/api/campaigns/{campaign}/umpire/password-link/": {"username": "frost"},
    "/api/campaigns/{campaign}/umpire/remind/": {"stage": 1},
    "/api/campaigns/{campaign}/umpire/resolve/": {"stage": 1},
    "/api/campaigns/{campaign}/umpire/rules/": {"stage": 1, "version": NEWEST},
}
# Operations without a success in this war: it has begun, all seats are taken, nobody has fought, no
# scenario is uneven, and the site has no scenario for a battle of the day.
NOT_NOW = {
    "GET /api/daily/",
    "POST /api/daily/",
    "GET /api/daily/{day}/",
    "GET /api/campaigns/{campaign}/archive/",
    "GET /api/campaigns/{campaign}/luck/",
    "POST /api/campaigns/{campaign}/reveal/",
    "POST /api/campaigns/{campaign}/moments/",
    "DELETE /api/campaigns/{campaign}/moments/{moment}/",
    "POST /api/campaigns/{campaign}/moments/{moment}/agree/",
    *(f"POST /api/own-scenarios/{{scenario}}/handicap/{act}" for act in ("", "apply/", "undo/")),
    "POST /api/campaigns/{campaign}/timelines/",
    "POST /api/campaigns/{campaign}/timelines/answer/",
    "POST /api/campaigns/{campaign}/forks/",
    "POST /api/campaigns/{campaign}/umpire/no-beacon/",
    "POST /api/tournaments/{tournament}/join/",
    "POST /api/tournaments/{tournament}/leave/",
    "POST /api/tournaments/{tournament}/deadline/",
    "POST /api/tournaments/{tournament}/result/",
    "POST /api/campaigns/{campaign}/seats/send-away/",
    "GET /api/campaigns/{campaign}/gazette/{week}/",
    "POST /api/campaigns/{campaign}/start/",
    "POST /api/campaigns/{campaign}/seats/take/",
    "POST /api/campaigns/{campaign}/join/",
    "POST /api/campaigns/{campaign}/classes/",
    "POST /api/campaigns/{campaign}/classes/import/",
    "GET /api/campaigns/{campaign}/battles/{battle}/",
    "POST /api/campaigns/{campaign}/umpire/remedy/",
    "GET /api/campaigns/{campaign}/umpire/battles/{battle}/",
    "POST /api/campaigns/{campaign}/umpire/battles/{battle}/mode/",
    *(
        f"{verb} /api/campaigns/{{campaign}}/umpire/battles/{{battle}}/result/"
        for verb in ("GET", "POST")
    ),
    "GET /api/campaigns/{campaign}/tables/{battle}/",
    "PUT /api/campaigns/{campaign}/tables/{battle}/",
    "POST /api/campaigns/{campaign}/tables/{battle}/check/",
    "GET /api/campaigns/{campaign}/tables/{battle}/receipts/",
    "GET /api/campaigns/{campaign}/tables/{battle}/record/",
    "POST /api/campaigns/{campaign}/tables/{battle}/record/",
    "POST /api/campaigns/{campaign}/tables/{battle}/record/result/",
    "POST /api/campaigns/{campaign}/tables/{battle}/seal/",
    "POST /api/campaigns/{campaign}/tables/{battle}/unseal/",
    "GET /api/campaigns/{campaign}/fights/{fight}/",
    # Numbers of things that the war mostly does not have.
    "PUT /api/campaigns/{campaign}/memos/{week}/",
    "GET /api/campaigns/{campaign}/fights/{fight}/phases/{number}/",
    "GET /api/campaigns/{campaign}/fights/{fight}/orders/",
    "PUT /api/campaigns/{campaign}/fights/{fight}/orders/",
    "GET /api/campaigns/{campaign}/fights/{fight}/orders/default/",
    "POST /api/campaigns/{campaign}/fights/{fight}/orders/check/",
    "POST /api/campaigns/{campaign}/fights/{fight}/orders/seal/",
    "POST /api/campaigns/{campaign}/fights/{fight}/orders/unseal/",
    "POST /api/campaigns/{campaign}/fights/{fight}/captain/",
    "GET /api/campaigns/{campaign}/fights/{fight}/receipts/",
}
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
NOT_DESCRIBED = {"api-schema", "api-docs", "api-nowhere"}


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document as served."""
    body: dict[str, Any] = json.loads(Client().get("/api/schema/").content)
    return body


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return (method, path, entry) of every operation."""
    for path, methods in document()["paths"].items():
        for method, entry in methods.items():
            yield method, path, entry


@pytest.mark.any_database
@pytest.mark.django_db
def test_document_is_valid_without_warnings() -> None:
    out, err = StringIO(), StringIO()
    call_command(
        "spectacular",
        "--fail-on-warn",
        "--validate",
        "--format",
        "openapi-json",
        stdout=out,
        stderr=err,
    )
    assert json.loads(out.getvalue())["openapi"].startswith("3.1")
    assert err.getvalue() == ""


def test_every_address_is_in_the_document() -> None:
    patterns = get_resolver().reverse_dict
    names = {
        key for key in patterns if isinstance(key, str) and key.startswith("api-")
    } - NOT_DESCRIBED
    shapes = {re.sub(r"%\((\w+)\)s", r"{\1}", patterns.getlist(name)[0][0][0][0]) for name in names}
    assert {path.removeprefix("/") for path in document()["paths"]} == shapes


def test_every_operation_lists_its_failures() -> None:
    for method, path, entry in operations():
        answers = set(entry["responses"])
        assert "429" in answers, path
        assert entry["operationId"]
        assert entry["summary"]
        if entry.get("security") != [] and path != "/api/health/":
            assert "401" in answers or path == "/api/health/", path
        if method in ("post", "put") and path != "/api/token/":
            assert {"400", "401", "403", "409", "413", "415", "422"} <= answers, path
        if "{campaign}" in path:
            assert "404" in answers, path
        for status, answer in entry["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"]


def test_order_types_are_described() -> None:
    shapes = document()["components"]["schemas"]
    assert set(shapes["OrderSet"]["properties"]) >= {"deploy", "moves", "decide", "dock", "schema"}
    assert shapes["Decision"]["properties"]["choice"]["enum"] == ["fight", "stand-off", "withdraw"]
    put = document()["paths"]["/api/campaigns/{campaign}/orders/"]["put"]
    assert put["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/OrderSet"
    }


def test_docstring_attributes_describe_properties() -> None:
    shapes = document()["components"]["schemas"]
    properties = shapes["StageSheet"]["properties"]
    assert properties["closes"]["description"] == "Its deadline; null without one."
    assert properties["publishes_at"]["description"].endswith("when that was.")
    unknown = [name for name in shapes if "Attributes:" in shapes[name].get("description", "")]
    assert unknown == [], "their docstrings name attributes that they do not have"


def page_of_somebody() -> Any:
    """Return the page as a logged-in user sees it."""
    client = Client()
    client.force_login(User.objects.create_user("reads-the-docs"))
    return client.get("/api/docs/")


@pytest.mark.django_db
def test_docs_page_loads_no_foreign_or_inline_script() -> None:
    page = Client().get("/api/docs/")
    text = page.content.decode()
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r" on\w+=| style=", text)
    sources = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', text)
    assert sum("swagger-ui" in source for source in sources) == 3
    for source in sources:
        assert source.startswith("/")
        assert source.startswith("/api/docs/") or finders.find(source.removeprefix("/static/")), (
            source
        )
    assert "Log out" in page_of_somebody().content.decode(), "it stands in the frame of all pages"
    script = Client().get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert b"/api/schema/" in script.content
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.fixture
def one_connection(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server's code use the test's database connection and its transaction."""
    monkeypatch.setattr(BaseDatabaseWrapper, "close_if_unusable_or_obsolete", lambda self: None)


@pytest.mark.any_database
@pytest.mark.usefixtures("one_connection")
def test_answers_match_the_document() -> None:
    war = war_at("orders")
    war.ember.user.set_password(PASSWORD)
    war.ember.user.save()
    token_make(user=war.ember.user, name="another program")
    war = replace(war, ember=replace(war.ember, token=token_make(user=war.ember.user)))
    ruled = {**war.campaign.ruleset, **MessageRules("at-once", umpire_reads=True).ruleset_entries()}
    write_ruleset(war.campaign, ruled)
    Stage.objects.filter(pk=war.stage.pk).update(closes=war.stage.opens + timedelta(days=1))
    invite = json_of(war.ember.post("invites/", {"role": "staff", "faction": "ember"}), 201)
    values = {
        "campaign": str(war.campaign.public_id),
        "slug": SMALL,
        "faction": "ember",
        "ordinal": 0,
        "invite": invite["id"],
        "drawing": json_of(war.ember.post("classes/", {"design": DESIGN}), 201)["id"],
        "design": json_of(war.ember.post("/api/designs/", {"design": DESIGN}), 201)["id"],
        "odds": json_of(war.ember.post("/api/designs/odds/", GOOD["/api/designs/odds/"]))["id"],
        "meeting": json_of(war.ember.post("odds/", GOOD["/api/campaigns/{campaign}/odds/"]))["id"],
        "scenario": json_of(war.ember.post("/api/own-scenarios/", {"copy_of": "first-steps"}), 201)[
            "id"
        ],
        "tournament": str(open_tournament("ann", "bob", "cat", by="ember").public_id),
        "report": json_of(war.ember.get("reports/"))["reports"][0]["id"],
        "number": 0,  # of the ledger's first row
        "token": json_of(war.ember.get("/api/tokens/"))["tokens"][0]["id"],
    }
    answered: dict[str, set[int]] = {}
    for result in schemathesis.openapi.from_wsgi("/api/schema/", application).get_all_operations():
        operation: Any = result.ok()
        answered[f"{operation.method.upper()} {operation.path}"] = _tried(operation, war, values)
    assert len(answered) == len(list(operations()))
    refused_always = {name for name, statuses in answered.items() if min(statuses) >= 400}
    assert sorted(refused_always - NOT_NOW) == [], (
        "no question to these was answered: give each a good one, its body in GOOD or the whole call in _tried, "
        "or put it into NOT_NOW where this war has no good answer"
    )
    assert sorted(NOT_NOW - refused_always) == [], "these were answered: take them off NOT_NOW"


@pytest.mark.any_database
@pytest.mark.usefixtures("one_connection")
def test_every_scenario_answer_matches_the_document() -> None:
    login = {
        "Authorization": f"Token {token_make(user=User.objects.create_user('vera'))}",
        **AS_IT_IS,
    }
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application)
    requests: list[tuple[str, dict[str, str]]] = [("/api/scenarios/", {})]
    for slug in fixture_scenarios():
        scenario_import(scenario=fixture_scenario(slug))
        requests.append(("/api/scenarios/{slug}/", {"slug": slug}))
    for path, filled in requests:
        case = schema[path]["GET"].Case(path_parameters=filled, headers=login)
        assert case.call_and_validate(checks=list(CHECKS)).status_code == 200


def test_types_with_equal_names_are_kept_apart() -> None:
    """The entries of a scenario once had the schema of the umpire's sealed entries."""
    shapes = document()["components"]["schemas"]
    assert set(shapes["Entry"]["properties"]) == {"faction", "hex", "week"}
    assert "nonce" in shapes["SealedEntry"]["properties"]
    auto: Any = SimpleNamespace(registry=ComponentRegistry())
    twins = [make_dataclass("Twin", [(name, int)]) for name in ("a", "b")]
    first, second = (make_dataclass(f"Of{n}", [("twin", twin)]) for n, twin in enumerate(twins))
    for _ in range(2):
        ShapeExtension(shape(first)).map_serializer(auto, "response")  # type: ignore[no-untyped-call]
    with pytest.raises(ValueError, match="Twin"):
        ShapeExtension(shape(second)).map_serializer(auto, "response")  # type: ignore[no-untyped-call]


def test_query_numbers_have_limits_in_the_document() -> None:
    parameters = [
        (path, parameter)
        for _, path, entry in operations()
        for parameter in entry.get("parameters", ())
        if parameter["in"] == "query"
        and parameter["schema"].get("type") == "integer"
        and "422" in entry["responses"]
    ]
    assert len(parameters) > 15
    for path, parameter in parameters:
        assert "minimum" in parameter["schema"], path
        assert parameter["name"] == "page" or "maximum" in parameter["schema"], path


@pytest.mark.any_database
@pytest.mark.django_db
def test_invalid_query_numbers_are_refused() -> None:
    war = war_at("orders")
    for caller, path in ((war.umpire, "umpire/fleets/?page_size="), (war.ember, "reports/?week=")):
        for number in ("null", "-1", "1.5", "9" * 10, "", "\u0663"):
            violations = problem_of(caller.get(path + number), 422, "violations")["violations"]
            assert [fault["code"] for fault in violations] == ["not-a-number"], (path, number)
    assert len(json_of(war.umpire.get("umpire/fleets/?page_size=1"))["results"]) == 1
    assert json_of(war.umpire.get("umpire/fleets/?page_size=200"))["results"]


def _tried(operation: Any, war: War, values: dict[str, Any]) -> set[int]:
    """Send some good and bad requests to one operation, as somebody who may; return the answers.

    All changes are rolled back.
    """
    path, answered, caller = operation.path, set(), war.ember
    if "/umpire/" in path:
        caller = war.umpire
    elif path.endswith(("/start/", "/take/", "/computer/", "/weeks/")):
        caller = war.host
    anonymous = path == "/api/token/" and operation.method == "post"
    login = AS_IT_IS | ({} if anonymous else {"Authorization": f"Token {caller.token}"})
    parameter_names = {parameter.name for parameter in operation.path_parameters}

    def answer(case: Any) -> None:
        case.path_parameters.update(
            {name: value for name, value in values.items() if name in parameter_names}
        )
        case.headers.update(login)
        if "If-Match" in case.headers or operation.method == "put":
            case.headers["If-Match"] = "*"
        with transaction.atomic():
            answered.add(case.call_and_validate(checks=CHECKS).status_code)
            transaction.set_rollback(True)

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        answer(case)

    ask()
    if path in GOOD and operation.method in ("post", "put"):
        body = _filled(GOOD[path], war)
        answer(
            operation.Case(path_parameters={}, headers={}, body=body, media_type="application/json")
        )
    if path.endswith("/umpire/factions/{faction}/view/"):
        answer(operation.Case(path_parameters={}, headers={}))
    if path.endswith("/reach/"):
        fleets = json_of(war.ember.get("fleets/"))["fleets"]
        answer(operation.Case(path_parameters={}, headers={}, query={"fleet": fleets[0]["key"]}))
    return answered


def _filled(body: dict[str, Any], war: War) -> Any:
    """Return a valid body with the campaign's id and a future time filled in."""
    text = json.dumps(body).replace("{campaign}", str(war.campaign.public_id))
    tomorrow = timezone.now() + timedelta(days=1)
    return json.loads(text.replace("{tomorrow}", tomorrow.isoformat()))
