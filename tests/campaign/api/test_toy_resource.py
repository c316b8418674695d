"""A toy resource of the API in one file: a faction's fleets in a hex, and the motto they serve under.

It follows CONTRIBUTING's chapter "How to add an API resource" step by step, and nothing else of the program knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import override_settings
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, answer, answer_if_changed, seen_of
from campaign.api.schema import Query, documented
from campaign.api.urls import HERE
from campaign.sight.views import sight
from config.urls import urlpatterns as of_the_site
from engine.core.errors import RuleViolations, Violation
from tests.campaign.api.calls import NOT_THERE, places, shown, war_at

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TAG = "garrisons"
HEX = Query("hex", "The hex to count in, as `0704`.", needed=True)
LONGEST_MOTTO = 40  # characters
MOTTOES: dict[str, str] = {}  # by campaign and faction; a real resource writes by a service


@dataclass(frozen=True, slots=True)
class Garrison:
    """The caller's fleets in a hex, by key, and the motto they serve under."""

    hex: str
    fleets: list[str]
    motto: str


@dataclass(frozen=True, slots=True)
class Motto:
    """The motto of all garrisons of a faction."""

    motto: str


class GarrisonResource(Resource):
    """The garrison of one hex."""

    @documented(
        "garrison",
        "The caller's fleets in a hex",
        {200: Garrison},
        query=(HEX,),
        problems=(404, 409),
        etag="read",
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Read from the faction's view alone. Raises RuleViolations without a hex."""
        viewer = self.viewer(campaign, see=True)
        hex_ = request.query_params.get("hex", "")
        if not hex_:
            raise RuleViolations([Violation("hex", "missing", "must be given")])
        faction = seen_of(viewer)
        known = sight(viewer.campaign, faction)
        fleets = [fleet.key for fleet in known.view.fleets if fleet.hex == hex_]
        motto = MOTTOES.get(f"{campaign}/{faction.key}", "")
        return answer_if_changed(request, Garrison(hex_, fleets, motto), f"{known.etag}-{hex_}-{motto}")

    @documented(
        "garrison_motto",
        "Give the garrisons another motto",
        {200: Motto},
        takes=Motto,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def put(self, request: Request, campaign: str) -> HttpResponse:
        """Those who play the faction. Raises RuleViolations for a motto that is too long."""
        viewer = self.viewer(campaign, play=True)
        motto = body_of(request, Motto).motto
        if len(motto) > LONGEST_MOTTO:
            raise RuleViolations([Violation("motto", "too-long", f"at most {LONGEST_MOTTO} characters")])
        MOTTOES[f"{campaign}/{seen_of(viewer).key}"] = motto
        return answer(Motto(motto))


api_patterns = [path(HERE + "garrison/", GarrisonResource.as_view(), name="api-garrison")]
urlpatterns = [path("api/", include(api_patterns)), *of_the_site]


@pytest.fixture(autouse=True)
def _with_the_toy() -> Iterator[None]:
    MOTTOES.clear()
    with override_settings(ROOT_URLCONF=__name__):
        yield


def test_each_faction_reads_its_own_garrison_and_nobody_else_finds_it() -> None:
    war = war_at("orders")
    here = sight(war.campaign, war.campaign.factions.get(key="ember")).view.fleets[0]
    own = shown(war.ember.get(f"garrison/?hex={here.hex}"))
    assert here.key in own["fleets"]
    assert here.key not in shown(war.frost.get(f"garrison/?hex={here.hex}"))["fleets"]
    for nobody in (war.host, war.observer, war.stranger):
        answered = nobody.get(f"garrison/?hex={here.hex}")
        assert (answered.status_code, answered.content) == (404, NOT_THERE)


def test_what_is_unchanged_is_not_sent_again_and_a_motto_changes_it() -> None:
    war = war_at("orders")
    first = war.ember.get("garrison/?hex=0101")
    assert war.ember.get("garrison/?hex=0101", If_None_Match=first.headers["ETag"]).status_code == 304
    assert shown(war.ember.put("garrison/", {"motto": "Hold"})) == {"motto": "Hold"}
    again = war.ember.get("garrison/?hex=0101", If_None_Match=first.headers["ETag"])
    assert shown(again)["motto"] == "Hold"
    assert shown(war.frost.get("garrison/?hex=0101"))["motto"] == ""


def test_every_fault_is_named_at_its_place() -> None:
    war = war_at("orders")
    assert places(war.ember.get("garrison/")) == ["hex"]
    assert places(war.ember.put("garrison/", {"motto": "x" * 41})) == ["motto"]
    assert places(war.ember.put("garrison/", {"motto": 5, "more": 1})) == ["more", "motto"]
    assert MOTTOES == {}
    assert war.ember.post("garrison/").status_code == 405


def test_the_document_describes_it() -> None:
    make: Any = SchemaGenerator
    generator = make(urlconf=__name__)
    document = generator.get_schema(request=None, public=True)
    described = document["paths"]["/api/campaigns/{campaign}/garrison/"]
    assert {"200", "304", "401", "404", "409", "422", "429"} <= set(described["get"]["responses"])
    assert document["components"]["schemas"]["Garrison"]["required"] == ["hex", "fleets", "motto"]
