"""The caller's design library and the designer over the API: saved, priced, compared, fought."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models.design_library import LibraryDesign
from campaign.services.design_drafts import class_save
from campaign.services.tokens import token_make
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tests.campaign.api.calls import Caller, caller, json_of, problem_of
from tests.campaign.rules.yards import design
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.wars import start_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.rule("pc.design")]
API = "/api/designs/"
HUNTER = design(
    "Hunter", {"type": "graser", "class": 1, "arcs": ["FP", "F", "FS"]}, {"type": "pds"}
)
OLD = design_json(next(iter(fixture_classes("second-edition").values())))


def person(name: str, read_only: bool = False) -> Caller:
    user = User.objects.create_user(name)
    return Caller(user, token_make(user=user, read_only=read_only), "")


@pytest.fixture
def ann() -> Caller:
    return person("ann")


def places(answer: Any) -> list[tuple[str, str]]:
    return [
        (fault["where"], fault["code"])
        for fault in problem_of(answer, 422, "violations")["violations"]
    ]


def test_only_the_owner_saves_changes_exports_and_deletes_a_design(ann: Caller) -> None:
    bob = person("bob")
    created = ann.post(API, {"design": HUNTER, "notes": "fast"}, **{"Idempotency-Key": "1"})
    line = json_of(created, 201)
    assert (line["name"], line["edition"], line["notes"]) == ("Hunter", "continuum", "fast")
    where = created.headers["Location"]
    assert (
        json_of(ann.post(API, {"design": HUNTER, "notes": "fast"}, **{"Idempotency-Key": "1"}), 201)
        == line
    )
    assert [row["id"] for row in json_of(ann.get(API))["designs"]] == [line["id"]]
    for answer in (
        bob.get(where),
        bob.put(where, {"design": OLD}),
        bob.delete(where),
        ann.get(f"{API}x/"),
    ):
        problem_of(answer, 404)
    assert json_of(bob.get(API)) == {"designs": [], "most": 200}
    changed = json_of(ann.put(where, {"design": {**HUNTER, "thrust": 5}}))
    assert (changed["id"], changed["notes"], changed["design"]["thrust"]) == (line["id"], "", 5)
    text = json_of(ann.get(f"{API}export/?form=yaml"))
    assert len(json_of(bob.post(f"{API}import/", {"text": text["text"]}), 201)["designs"]) == 1
    unreadable = {"text": '[{"class": 1}]', "source": "design"}
    assert places(bob.post(f"{API}import/", unreadable))
    assert LibraryDesign.objects.count() == 2
    assert ann.delete(where).status_code == 204
    problem_of(ann.get(where), 404)


def test_fleet_is_imported_whole_or_without_unreadable_designs(ann: Caller) -> None:
    """The file is an FTJava game with two sister ships, a planet, and a ship with an unknown
    system.
    """
    hull = '<Mass>20</Mass><MainDrive initialThrust="6"/><Hull type="Weak"/>'
    gun = '<Weapons><BeamBattery rating="1"/></Weapons>'
    ships = [f"<Ship><ClassName>Tern</ClassName>{hull}{gun}</Ship>"] * 2
    ships.append(f"<Ship><ClassName>Haven</ClassName><ShipClass>Planet</ShipClass>{hull}</Ship>")
    ships.append(f"<Ship><ClassName>Box</ClassName>{hull}<Weapons>\n<Tardis/></Weapons></Ship>")
    game = {
        "text": f"<GameEngine><Player>{''.join(ships)}</Player></GameEngine>",
        "source": "ftjava",
    }
    assert places(ann.post(f"{API}import/", game)) == [
        ("[2].Ship", "no-ship"),
        ("[3].Tardis", "unknown-system"),
    ]
    assert json_of(ann.get(API))["designs"] == []
    report = json_of(ann.post(f"{API}import/", {**game, "partial": True}), 201)
    assert [row["name"] for row in report["designs"]] == ["Tern"]
    assert [
        (row["where"], row["name"], row["violations"][0]["code"]) for row in report["left_out"]
    ] == [
        ("[2]", "Haven (Planet)", "no-ship"),
        ("[3]", "Box", "unknown-system"),
    ]
    assert "line 2: Tardis" in report["left_out"][1]["violations"][0]["message"]
    bad = {"text": f"<Player>{ships[2]}{ships[3]}</Player>", "source": "ftjava", "partial": True}
    assert [code for _, code in places(ann.post(f"{API}import/", bad))] == [
        "no-ship",
        "unknown-system",
    ]
    oversized = {"text": f"<Player>{ships[0] * 101}</Player>", "source": "ftjava", "partial": True}
    assert places(ann.post(f"{API}import/", oversized)) == [("", "too-many-ships")]
    weapons = "<PointDefense/><Scattergun/>" * 800
    odd = (
        "<Ship><Mass>20</Mass><ClassName>A</ClassName>"
        f"<Weapons>{weapons}</Weapons><Hull type='Weak'/></Ship>"
    )
    assert places(ann.post(f"{API}import/", {**oversized, "text": odd})) == [
        ("", "too-many-systems")
    ]
    assert [row["name"] for row in json_of(ann.get(API))["designs"]] == ["Tern"]


def test_design_check_prices_each_row_and_saves_nothing(ann: Caller) -> None:
    good = json_of(ann.post(f"{API}check/", {"design": HUNTER}))
    assert good["violations"] == []
    assert good["figures"]["mass"] == good["figures"]["capacity"] == HUNTER["mass"]
    assert good["mass_left"] == HUNTER["mass"] - good["figures"]["mass_used"]
    assert [row["words"] for row in good["systems"]][-1] == "PDS"
    assert all(row["mass"] and row["points"] for row in good["systems"])
    bad = json_of(ann.post(f"{API}check/", {"design": {**HUNTER, "mass": 20}}))
    assert (bad["mass_left"] < 0, {violation["code"] for violation in bad["violations"]}) == (
        True,
        {"over-capacity"},
    )
    none = json_of(ann.post(f"{API}check/", {"design": {"class": "x"}}))
    assert none["figures"] is None
    assert none["violations"]
    assert not LibraryDesign.objects.exists()


def test_classes_are_compared_and_fought_at_equal_points(ann: Caller) -> None:
    saved = json_of(ann.post(API, {"design": HUNTER}), 201)
    own_class = {"key": f"library/{saved['id']}"}
    request = {"first": own_class, "second": {"design": {**HUNTER, "class": "Chaser"}}}
    comparison = json_of(ann.post(f"{API}compare/", request))
    assert (comparison["first"], comparison["second"]) == ("Hunter (your designs)", "Chaser")
    assert (
        comparison["first_count"],
        comparison["second_count"],
        comparison["figures"][0]["name"],
    ) == (
        1,
        1,
        "Points",
    )
    assert comparison["fire"]
    assert all(row["first"] == row["second"] for row in comparison["fire"])
    odds = json_of(ann.post(f"{API}odds/", {**request, "battles": 2}))
    assert (odds["battles_done"], odds["battles_wanted"], odds["working"], odds["first"]) == (
        0,
        2,
        True,
        None,
    )
    run_waiting_jobs()
    report = json_of(ann.get(f"{API}odds/{odds['id']}/"))
    assert (report["id"], report["battles_done"], report["working"], report["ended"]) == (
        odds["id"],
        2,
        False,
        "",
    )
    assert report["first"]["wins"] + report["second"]["wins"] + report["draws"] in range(99, 102)
    assert report["second"]["name"] == "Chaser"
    longer_odds = json_of(ann.post(f"{API}odds/", {**request, "battles": 4}))
    assert (longer_odds["id"], longer_odds["battles_done"], longer_odds["working"]) == (
        odds["id"],
        2,
        True,
    )
    assert ann.delete(f"{API}odds/{odds['id']}/").status_code == 204
    run_waiting_jobs()
    assert json_of(ann.get(f"{API}odds/{odds['id']}/"))["battles_done"] == 2
    run_waiting_jobs()
    assert (
        json_of(ann.get(f"{API}odds/{odds['id']}/"))["battles_done"] == 4
    )  # the caller waits for the rest
    problem_of(person("bob").get(f"{API}odds/{odds['id']}/"), 404)
    problem_of(person("carl").delete(f"{API}odds/x/"), 404)
    assert places(ann.post(f"{API}odds/", {**request, "battles": 401})) == [
        ("battles", "out-of-range")
    ]
    refused_places = places(
        ann.post(f"{API}compare/", {"first": own_class, "second": {"design": OLD}})
    )
    assert refused_places == [("second", "other-edition")]
    unknown = {"first": {"key": "continuum/None"}, "second": {"design": {"class": "x"}}}
    wrong = places(ann.post(f"{API}compare/", unknown))
    assert wrong[0] == ("first", "unknown-class")
    assert {where.split(".")[0] for where, _ in wrong[1:]} == {"second"}
    assert places(person("dora").post(f"{API}compare/", request)) == [("first", "unknown-class")]


def test_only_players_of_a_war_know_its_classes() -> None:
    campaign, _ = start_campaign("lafayette-continuum")
    nac, esu, watcher = (
        caller(name, campaign, role, faction)
        for name, role, faction in (
            ("nac", "player", "nac"),
            ("esu", "player", "esu"),
            ("watcher", "observer", ""),
        )
    )
    class_save(campaign=campaign, faction=campaign.factions.get(key="nac"), document=HUNTER)
    request = {
        "first": {"key": "war/Hunter"},
        "second": {"design": HUNTER},
        "war": str(campaign.public_id),
    }
    assert json_of(nac.post(f"{API}compare/", request))["first"] == f"Hunter ({campaign.name})"
    assert places(esu.post(f"{API}compare/", request)) == [("first", "unknown-class")]
    problem_of(watcher.post(f"{API}compare/", request), 404)
    problem_of(person("x").post(f"{API}odds/", request), 404)


def test_strangers_and_read_only_tokens_are_refused(ann: Caller) -> None:
    for path in ("", "check/", "import/", "export/", "compare/", "odds/", "x/"):
        assert Client().get(f"{API}{path}").status_code == 401
    reader = person("reader", read_only=True)
    assert json_of(reader.get(API))["designs"] == []
    problem_of(reader.post(API, {"design": HUNTER}), 403, "read-only-token")


def test_design_library_costs_one_query(ann: Caller) -> None:
    json_of(ann.get(API))
    costs = []
    for number in (1, 5):
        for n in range(number):
            json_of(ann.post(API, {"design": {**HUNTER, "class": f"Hunter {number}{n}"}}), 201)
        with CaptureQueriesContext(connection) as queries:
            json_of(ann.get(API))
        costs.append(len(queries))
    assert costs == [2, 2]  # the caller and their library
