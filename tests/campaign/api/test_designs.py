"""One's own shelf and the design bench over the API: kept, priced, compared, fought; nobody
else's.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models.shelf import ShelfDesign
from campaign.services.design_drafts import class_save
from campaign.services.tokens import token_make
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tests.campaign.api.calls import Caller, caller, refused, shown
from tests.campaign.rules.yards import design
from tests.umpire.services.wars import started
from tests.working import worked

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
        for fault in refused(answer, 422, "violations")["violations"]
    ]


def test_a_design_is_kept_changed_exported_and_thrown_away_by_its_owner_alone(ann: Caller) -> None:
    bob = person("bob")
    made = ann.post(API, {"design": HUNTER, "notes": "fast"}, **{"Idempotency-Key": "1"})
    line = shown(made, 201)
    assert (line["name"], line["edition"], line["notes"]) == ("Hunter", "continuum", "fast")
    where = made.headers["Location"]
    assert (
        shown(ann.post(API, {"design": HUNTER, "notes": "fast"}, **{"Idempotency-Key": "1"}), 201)
        == line
    )
    assert [one["id"] for one in shown(ann.get(API))["designs"]] == [line["id"]]
    for answer in (
        bob.get(where),
        bob.put(where, {"design": OLD}),
        bob.delete(where),
        ann.get(f"{API}x/"),
    ):
        refused(answer, 404)
    assert shown(bob.get(API)) == {"designs": [], "most": 200}
    changed = shown(ann.put(where, {"design": {**HUNTER, "thrust": 5}}))
    assert (changed["id"], changed["notes"], changed["design"]["thrust"]) == (line["id"], "", 5)
    text = shown(ann.get(f"{API}export/?form=yaml"))
    assert len(shown(bob.post(f"{API}import/", {"text": text["text"]}), 201)["designs"]) == 1
    unreadable = {"text": '[{"class": 1}]', "source": "design"}
    assert places(bob.post(f"{API}import/", unreadable))
    assert ShelfDesign.objects.count() == 2
    assert ann.delete(where).status_code == 204
    refused(ann.get(where), 404)


def test_a_fleet_is_kept_whole_or_but_for_what_cannot_be_read(ann: Caller) -> None:
    """A game of FTJava with two sisters, a planet and a ship with a machine nobody knows."""
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
    assert shown(ann.get(API))["designs"] == []
    told = shown(ann.post(f"{API}import/", {**game, "partial": True}), 201)
    assert [one["name"] for one in told["designs"]] == ["Tern"]
    assert [
        (one["where"], one["name"], one["violations"][0]["code"]) for one in told["left_out"]
    ] == [
        ("[2]", "Haven (Planet)", "no-ship"),
        ("[3]", "Box", "unknown-system"),
    ]
    assert "line 2: Tardis" in told["left_out"][1]["violations"][0]["message"]
    bad = {"text": f"<Player>{ships[2]}{ships[3]}</Player>", "source": "ftjava", "partial": True}
    assert [code for _, code in places(ann.post(f"{API}import/", bad))] == [
        "no-ship",
        "unknown-system",
    ]
    many = {"text": f"<Player>{ships[0] * 101}</Player>", "source": "ftjava", "partial": True}
    assert places(ann.post(f"{API}import/", many)) == [("", "too-many-ships")]
    weapons = "<PointDefense/><Scattergun/>" * 800
    odd = (
        "<Ship><Mass>20</Mass><ClassName>A</ClassName>"
        f"<Weapons>{weapons}</Weapons><Hull type='Weak'/></Ship>"
    )
    assert places(ann.post(f"{API}import/", {**many, "text": odd})) == [("", "too-many-systems")]
    assert [one["name"] for one in shown(ann.get(API))["designs"]] == ["Tern"]


def test_the_bench_prices_every_row_and_names_every_fault_and_keeps_nothing(ann: Caller) -> None:
    good = shown(ann.post(f"{API}check/", {"design": HUNTER}))
    assert good["violations"] == []
    assert good["figures"]["mass"] == good["figures"]["capacity"] == HUNTER["mass"]
    assert good["left"] == HUNTER["mass"] - good["figures"]["mass_used"]
    assert [row["words"] for row in good["systems"]][-1] == "PDS"
    assert all(row["mass"] and row["points"] for row in good["systems"])
    bad = shown(ann.post(f"{API}check/", {"design": {**HUNTER, "mass": 20}}))
    assert (bad["left"] < 0, {one["code"] for one in bad["violations"]}) == (
        True,
        {"over-capacity"},
    )
    none = shown(ann.post(f"{API}check/", {"design": {"class": "x"}}))
    assert none["figures"] is None
    assert none["violations"]
    assert not ShelfDesign.objects.exists()


def test_classes_are_compared_and_equal_points_of_them_fought(ann: Caller) -> None:
    kept = shown(ann.post(API, {"design": HUNTER}), 201)
    own = {"key": f"shelf/{kept['id']}"}
    both = {"first": own, "second": {"design": {**HUNTER, "class": "Chaser"}}}
    found = shown(ann.post(f"{API}compare/", both))
    assert (found["first"], found["second"]) == ("Hunter (my designs)", "Chaser")
    assert (found["first_many"], found["second_many"], found["figures"][0]["name"]) == (
        1,
        1,
        "Points",
    )
    assert found["fire"]
    assert all(row["first"] == row["second"] for row in found["fire"])
    odds = shown(ann.post(f"{API}odds/", {**both, "battles": 2}))
    assert (odds["runs"], odds["wanted"], odds["working"], odds["first"]) == (0, 2, True, None)
    worked()
    told = shown(ann.get(f"{API}odds/{odds['id']}/"))
    assert (told["id"], told["runs"], told["working"], told["ended"]) == (odds["id"], 2, False, "")
    assert told["first"]["wins"] + told["second"]["wins"] + told["draws"] in range(99, 102)
    assert told["second"]["name"] == "Chaser"
    more = shown(ann.post(f"{API}odds/", {**both, "battles": 4}))
    assert (more["id"], more["runs"], more["working"]) == (odds["id"], 2, True)
    assert ann.delete(f"{API}odds/{odds['id']}/").status_code == 204
    worked()
    assert shown(ann.get(f"{API}odds/{odds['id']}/"))["runs"] == 2
    worked()
    assert (
        shown(ann.get(f"{API}odds/{odds['id']}/"))["runs"] == 4
    )  # whoever looks waits for the rest
    refused(person("bob").get(f"{API}odds/{odds['id']}/"), 404)
    refused(person("carl").delete(f"{API}odds/x/"), 404)
    assert places(ann.post(f"{API}odds/", {**both, "battles": 401})) == [
        ("battles", "out-of-range")
    ]
    other = places(ann.post(f"{API}compare/", {"first": own, "second": {"design": OLD}}))
    assert other == [("second", "other-edition")]
    unknown = {"first": {"key": "continuum/None"}, "second": {"design": {"class": "x"}}}
    wrong = places(ann.post(f"{API}compare/", unknown))
    assert wrong[0] == ("first", "unknown-class")
    assert {where.split(".")[0] for where, _ in wrong[1:]} == {"second"}
    assert places(person("dora").post(f"{API}compare/", both)) == [("first", "unknown-class")]


def test_classes_of_a_war_are_known_to_those_who_play_in_it_alone() -> None:
    campaign, _ = started("lafayette-continuum")
    nac, esu, watcher = (
        caller(name, campaign, role, faction)
        for name, role, faction in (
            ("nac", "player", "nac"),
            ("esu", "player", "esu"),
            ("watcher", "observer", ""),
        )
    )
    class_save(campaign=campaign, faction=campaign.factions.get(key="nac"), document=HUNTER)
    asked = {
        "first": {"key": "war/Hunter"},
        "second": {"design": HUNTER},
        "war": str(campaign.public_id),
    }
    assert shown(nac.post(f"{API}compare/", asked))["first"] == f"Hunter ({campaign.name})"
    assert places(esu.post(f"{API}compare/", asked)) == [("first", "unknown-class")]
    refused(watcher.post(f"{API}compare/", asked), 404)
    refused(person("x").post(f"{API}odds/", asked), 404)


def test_strangers_and_tokens_that_only_read_come_no_further(ann: Caller) -> None:
    for path in ("", "check/", "import/", "export/", "compare/", "odds/", "x/"):
        assert Client().get(f"{API}{path}").status_code == 401
    reader = person("reader", read_only=True)
    assert shown(reader.get(API))["designs"] == []
    refused(reader.post(API, {"design": HUNTER}), 403, "read-only-token")


def test_a_shelf_costs_one_query_whatever_stands_on_it(ann: Caller) -> None:
    shown(ann.get(API))
    costs = []
    for number in (1, 5):
        for n in range(number):
            shown(ann.post(API, {"design": {**HUNTER, "class": f"Hunter {number}{n}"}}), 201)
        with CaptureQueriesContext(connection) as queries:
            shown(ann.get(API))
        costs.append(len(queries))
    assert costs == [2, 2]  # who calls, and his shelf
