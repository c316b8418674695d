"""What a faction learns over the API: the map, its views, reports and battles."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from campaign.models import Faction, View
from campaign.rules.codec import to_document
from campaign.services.preferences import preference_save
from campaign.sight.views import current_sight
from tests.campaign.api.calls import War, caller, fault_places, json_of, problem_of, war_at
from tests.umpire.services.wars import FROST_STAYS, campaign_at, resolve_stage

pytestmark = pytest.mark.django_db
THEN = "week=0&stage=deploy"


@pytest.fixture
def war() -> War:
    return war_at("orders")


def after_a_battle() -> War:
    """Return a war in its second week, after a battle of Ember's."""
    war = war_at("battles", admirals={"ember": "attack"}, seed=FROST_STAYS)
    stage = war.stage
    while not json_of(war.ember.get("battles/"))["battles"]:
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    return war


def test_map_is_that_of_the_scenario(war: War) -> None:
    sheet = json_of(war.observer.get("map/"))
    scenario = json_of(war.observer.get(f"/api/scenarios/{war.campaign.scenario.slug}/"))[
        "scenario"
    ]
    assert (sheet["systems"], sheet["closed"], sheet["columns"]) == (
        scenario["systems"],
        scenario["closed"],
        scenario["columns"],
    )
    tag = war.observer.get("map/").headers["ETag"]
    assert war.frost.get("map/", If_None_Match=f'"x", {tag}').status_code == 304


def test_view_is_what_the_faction_knows_and_its_etag_the_view_hash(war: War) -> None:
    faction = Faction.objects.get(key="ember")
    answer = war.ember.get("view/")
    assert json_of(answer)["view"] == to_document(current_sight(war.campaign, faction).view)["body"]
    assert (
        answer.headers["ETag"]
        == f'"{View.objects.filter(faction=faction).order_by("-seq")[0].sha256}"'
    )
    unchanged = war.ember.get("view/", If_None_Match=answer.headers["ETag"])
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    view = json_of(answer)["view"]
    assert json_of(war.ember.get("fleets/"))["fleets"] == view["fleets"]
    assert json_of(war.ember.get("ships/"))["ships"] == view["ships"]
    assert json_of(war.ember.get("contacts/"))["sightings"] == view["sightings"]


def test_view_contains_nothing_of_other_factions(war: War) -> None:
    theirs = [fleet["key"] for fleet in json_of(war.frost.get("fleets/"))["fleets"]]
    assert theirs
    for path in ("view/", "fleets/", "ships/", "contacts/", "reports/", "orders/default/"):
        text = war.ember.get(path).content.decode()
        assert not [key for key in theirs if key in text]


def test_past_weeks_are_shown_as_seen_then(war: War) -> None:
    before = json_of(war.ember.get(f"view/?{THEN}"))
    assert (before["seq"], before["view"]["stage"], before["view"]["fleets"]) == (0, "deploy", [])
    assert json_of(war.ember.get("view/?week=1&stage=orders")) == json_of(war.ember.get("view/"))
    assert json_of(war.ember.get(f"fleets/?{THEN}"))["fleets"] == []
    assert fault_places(war.ember.get("view/?week=1")) == ["stage"]
    assert fault_places(war.ember.get("view/?stage=orders")) == ["week"]
    assert fault_places(war.ember.get("view/?week=one&stage=orders")) == ["week"]
    assert fault_places(war.ember.get("view/?week=1&stage=lunch")) == ["stage"]


def test_range_is_for_own_fleets_only(war: War) -> None:
    fleets = json_of(war.ember.get("fleets/"))["fleets"]
    reaches = {
        fleet["key"]: json_of(war.ember.get(f"reach/?fleet={fleet['key']}"))["hexes"]
        for fleet in fleets
    }
    assert any(reaches.values())
    assert fault_places(war.ember.get("reach/")) == ["fleet"]


LASTED = {
    "en": "You (won|lost) the battle; it lasted",
    "de": "das Gefecht (gewonnen|verloren)",
    "fr": "la bataille\xa0; elle a",
}


def text_of(page: str) -> str:
    """Return the text of a page without its tags."""
    return re.sub(r"[ \n]+", " ", html.unescape(re.sub("<[^>]*>", "", page)))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("language", "headers", "chosen"),
    [("en", {}, ""), ("de", {"Accept-Language": "de-AT, en;q=0.5"}, "fr"), ("fr", {}, "fr")],
)
def test_report_equals_its_page_in_the_reader_language(
    language: str, headers: dict[str, str], chosen: str
) -> None:
    war = after_a_battle()
    preference_save(user=war.ember.user, language=chosen)
    lines_by_report = {}
    for line in json_of(war.ember.get("reports/"))["reports"]:
        answer = war.ember.get(f"reports/{line['id']}/", **headers)
        assert answer.headers["Content-Language"] == language
        lines_by_report[line["kind"], line["seq"]] = [
            report_line["words"] for report_line in json_of(answer)["lines"]
        ]
    preference_save(user=war.ember.user, language=language)
    pages = Client()
    pages.force_login(war.ember.user)
    for (kind, seq), words in lines_by_report.items():
        if kind == "battle":
            assert re.search(LASTED[language], words[0]), words
        elif seq:
            page = text_of(
                pages.get(f"/c/{war.campaign.public_id}/reports/{seq}/").content.decode()
            )
            assert [report_line for report_line in words if report_line not in page] == []
    assert len([words for words in lines_by_report.values() if words]) > 4


def test_reports_are_listed_and_read(war: War) -> None:
    lines = json_of(war.ember.get("reports/"))["reports"]
    assert [(line["seq"], line["week"], line["stage"], line["kind"]) for line in lines] == [
        (0, 0, "start", "stage"),
        (1, 0, "deploy", "stage"),
    ]
    body = json_of(war.ember.get(f"reports/{lines[1]['id']}/"))
    assert "notices" in body["body"]
    assert json_of(war.ember.get("reports/?week=5"))["reports"] == []


@pytest.mark.any_database
def test_battle_is_described_as_the_own_side_saw_it() -> None:
    war = after_a_battle()
    mine, theirs = (
        json_of(caller.get("battles/"))["battles"][0] for caller in (war.ember, war.frost)
    )
    assert mine["id"] != theirs["id"]
    assert (mine["week"], mine["hex"], mine["turns"]) == (
        theirs["week"],
        theirs["hex"],
        theirs["turns"],
    )
    battle = json_of(war.ember.get(f"battles/{mine['id']}/"))
    assert len(battle["phases"]) == len(battle["chain"]) > 0
    problem_of(war.ember.get(f"battles/{theirs['id']}/"), 404)
    kinds = {line["kind"] for line in json_of(war.ember.get("reports/"))["reports"]}
    assert kinds == {"stage", "battle"}


def test_stages_and_ledger_are_equal_for_all(war: War) -> None:
    for path in ("stages/", "ledger/"):
        answers = {caller.get(path).content for caller in war.callers[:5]}
        assert len(answers) == 1
    assert [stage["kind"] for stage in json_of(war.ember.get("stages/"))["stages"]] == [
        "deploy",
        "orders",
    ]
    assert [row["seq"] for row in json_of(war.ember.get("ledger/"))["rows"]] == [0]


@pytest.mark.any_database
def test_mines_are_those_that_the_faction_knows() -> None:
    campaign, _ = campaign_at("orders", slug="convoy-to-baffin")
    known = {}
    for faction in ("nac", "esu"):
        player = caller(faction, campaign, "player", faction)
        known[faction] = json_of(player.get("mines/"))["mines"]
    own = {"system": "merrills", "own": True, "week": 1}
    assert known == {"nac": [{**own, "at": [-12, y]} for y in (-6, 0, 6)], "esu": []}
    public = json_of(player.get("map/"))["systems"]
    public += json_of(player.get("/api/scenarios/convoy-to-baffin/"))["scenario"]["systems"]
    assert [system["mines"] for system in public] == [[]] * len(public)
