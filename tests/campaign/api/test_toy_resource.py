"""A toy resource of the API in one file: a faction's fleets in a hex, and the motto they serve
under.

It follows docs/how-to/add-an-api-resource.md step by step; the rest of the program does not know
it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from django.apps.registry import Apps
from django.db import IntegrityError, connection, models, transaction
from django.http import HttpResponse
from django.test import override_settings
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request

from campaign.access import Viewer, require
from campaign.api.requests import body_of
from campaign.api.resource import Resource, json_response, json_response_if_changed, visible_faction
from campaign.api.schema import Query, documented
from campaign.api.urls import HERE
from campaign.models.campaign import Faction
from campaign.sight.views import current_sight
from config.urls import urlpatterns as of_the_site
from engine.core.errors import RuleViolations, Violation
from tests.access import client_requests, stored_wars
from tests.access.histories import History, build_history
from tests.access.private_rows import CAMPAIGN, HIDDEN
from tests.campaign.api.calls import NOT_THERE, fault_places, json_of, war_at

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TAG = "garrisons"
HEX = Query("hex", "The hex to count in, as `0704`.", needed=True)
LONGEST_MOTTO = 40  # characters

# --- the model: of a real one, a module of campaign/models/ and a migration

TOYS = Apps()  # a separate registry, so the program does not find the toy
TOYS.register_model("campaign", Faction)


class MottoRow(models.Model):
    """A faction's motto, for its players and guests."""

    faction = models.OneToOneField(Faction, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST_MOTTO)
    objects: ClassVar[models.Manager[MottoRow]] = (
        models.Manager()
    )  # a real model does not need this line

    class Meta:
        app_label = "campaign"
        apps = TOYS
        constraints = (
            models.CheckConstraint(condition=~models.Q(text=""), name="motto_says_something"),
        )

    def __str__(self) -> str:
        return f"motto of faction {self.faction.key}"


# --- the service: of a real one, a module of campaign/services/


def motto_of(faction: Faction) -> str:
    """Return a faction's motto, or ""."""
    row = MottoRow.objects.filter(faction=faction).first()
    return "" if row is None else row.text


def motto_write(*, viewer: Viewer, text: str) -> None:
    """Replace the motto; an empty text removes it.

    Raises:
        RuleViolations: The motto is too long.
        NotThere: The faction does not exist.
    """
    faction = require(viewer, play=True).faction
    if len(text) > LONGEST_MOTTO:
        raise RuleViolations(
            [Violation("motto", "too-long", f"at most {LONGEST_MOTTO} characters")]
        )
    if not text:
        MottoRow.objects.filter(faction=faction).delete()
        return
    MottoRow.objects.update_or_create(faction=faction, defaults={"text": text})


# --- the resource


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
        problems=(404,),
        etag="read",
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the garrison from the faction's view alone.

        Raises:
            RuleViolations: The hex is missing.
        """
        viewer = self.viewer(campaign, see=True)
        hex_ = request.query_params.get("hex", "")
        if not hex_:
            raise RuleViolations([Violation("hex", "missing", "must be given")])
        faction = visible_faction(viewer)
        sight_now = current_sight(viewer.campaign, faction)
        fleets = [fleet.key for fleet in sight_now.view.fleets if fleet.hex == hex_]
        garrison = Garrison(hex_, fleets, motto_of(faction))
        key = sight_now.etag, garrison.hex, garrison.motto
        return json_response_if_changed(
            request, garrison, hashlib.sha256(repr(key).encode()).hexdigest()
        )

    @documented(
        "garrison_motto",
        "Give the garrisons another motto",
        {200: Motto},
        body_type=Motto,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def put(self, request: Request, campaign: str) -> HttpResponse:
        """Store the motto; only the faction's players may.

        Raises:
            RuleViolations: The motto is too long.
        """
        viewer = self.viewer(campaign, play=True)
        motto = body_of(request, Motto).motto
        motto_write(viewer=viewer, text=motto)
        return json_response(Motto(motto))


api_patterns = [path(HERE + "garrison/", GarrisonResource.as_view(), name="api-garrison")]
urlpatterns = [path("api/", include(api_patterns)), *of_the_site]


@pytest.fixture(autouse=True)
def _with_the_toy(db: None) -> Iterator[None]:
    """Add the toy's address, and its table for the test's transaction."""
    sql, values = connection.schema_editor().table_sql(MottoRow)
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
    with override_settings(ROOT_URLCONF=__name__):
        yield


def test_faction_reads_only_its_own_garrison() -> None:
    war = war_at("orders")
    here = current_sight(war.campaign, war.campaign.factions.get(key="ember")).view.fleets[0]
    own = json_of(war.ember.get(f"garrison/?hex={here.hex}"))
    assert here.key in own["fleets"]
    assert here.key not in json_of(war.frost.get(f"garrison/?hex={here.hex}"))["fleets"]
    for nobody in (war.host, war.observer, war.stranger):
        answered = nobody.get(f"garrison/?hex={here.hex}")
        assert (answered.status_code, answered.content) == (404, NOT_THERE)


def test_unchanged_answer_is_not_sent_again() -> None:
    war = war_at("orders")
    first = war.ember.get("garrison/?hex=0101")
    assert (
        war.ember.get("garrison/?hex=0101", If_None_Match=first.headers["ETag"]).status_code == 304
    )
    assert json_of(war.ember.put("garrison/", {"motto": "Hold"})) == {"motto": "Hold"}
    again = war.ember.get("garrison/?hex=0101", If_None_Match=first.headers["ETag"])
    assert json_of(again)["motto"] == "Hold"
    assert json_of(war.frost.get("garrison/?hex=0101"))["motto"] == ""
    json_of(war.ember.put("garrison/", {"motto": "Of two\nlines"}))  # no header can hold it
    assert json_of(war.ember.get("garrison/?hex=0101"))["motto"] == "Of two\nlines"


def test_database_enforces_the_rules_of_a_motto() -> None:
    war = war_at("orders")
    json_of(war.ember.put("garrison/", {"motto": "Hold"}))
    json_of(war.ember.put("garrison/", {"motto": "Hold on"}))
    ember = war.campaign.factions.get(key="ember")
    assert motto_of(ember) == "Hold on"
    for text in ("Twice", ""):
        with pytest.raises(IntegrityError), transaction.atomic():
            MottoRow.objects.create(faction=ember, text=text)
    json_of(war.ember.put("garrison/", {"motto": ""}))
    assert not MottoRow.objects.exists()


def write_mottoes(dice: random.Random, factions: dict[str, Faction], viewer: str) -> None:
    """Store a motto of the viewer's, the same in both worlds, and hidden ones of all others."""
    for key in dice.sample(sorted(factions), len(factions)):
        text = "Hold" if key == viewer else f"{HIDDEN} {dice.random()}"
        MottoRow.objects.create(faction=factions[key], text=text)


def test_data_of_others_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare two worlds.

    For a real model `write_mottoes` belongs in tests/access/private_rows.py, where `store` calls
    it.
    """
    store = stored_wars.store

    def store_with_mottoes(pair: History, side: int) -> stored_wars.StoredWar:
        stored_world = store(pair, side)
        factions = {row.key: row for row in stored_world.campaign.factions.all()}
        write_mottoes(random.Random(f"mottoes {pair.seed} {side}"), factions, pair.viewer)
        return stored_world

    monkeypatch.setattr(client_requests, "store", store_with_mottoes)
    pair = build_history(3)
    where = f"/api/campaigns/{CAMPAIGN}/garrison/"
    reads = [client_requests.Request("get", f"{where}?hex={hex_}") for hex_ in ("0101", "0404")]
    writes = [
        client_requests.Request("put", where, {"motto": text}, True) for text in ("Advance", "")
    ]
    assert client_requests.differences(pair, [*reads, *writes]) == []
    monkeypatch.setattr(__name__ + ".motto_of", lambda _: MottoRow.objects.order_by("text")[1].text)
    assert client_requests.differences(pair, reads), (
        "a motto of others that gets into an answer is found"
    )


def test_every_fault_is_named_at_its_place() -> None:
    war = war_at("orders")
    assert fault_places(war.ember.get("garrison/")) == ["hex"]
    assert fault_places(war.ember.put("garrison/", {"motto": "x" * 41})) == ["motto"]
    assert fault_places(war.ember.put("garrison/", {"motto": 5, "more": 1})) == ["more", "motto"]
    assert not MottoRow.objects.exists()
    assert war.ember.post("garrison/").status_code == 405


def test_schema_describes_the_resource() -> None:
    make: Any = SchemaGenerator
    generator = make(urlconf=__name__)
    document = generator.get_schema(request=None, public=True)
    described = document["paths"]["/api/campaigns/{campaign}/garrison/"]
    assert {"200", "304", "401", "404", "422", "429"} <= set(described["get"]["responses"])
    assert document["components"]["schemas"]["Garrison"]["required"] == ["hex", "fleets", "motto"]
