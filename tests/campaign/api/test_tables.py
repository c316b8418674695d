"""Battles at tables over the API: the sheet, the results, their differences, the umpire's decision."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaign.models import Battle, BattlePhase
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.wars import attack
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare

pytestmark = pytest.mark.django_db


def caller(war: TableWar, name: str) -> Caller:
    user = war.umpire if name == "umpire" else war.people[name]
    return Caller(user, token_make(user=user), str(war.campaign.public_id))


@pytest.mark.any_database
def test_result_is_saved_sealed_compared_and_accepted() -> None:
    war = TableWar()
    ship, code = war.first_ship("frost"), war.codes()[war.first_ship("frost")]
    callers = {key: caller(war, key) for key in ("ember", "frost")}
    (line,) = callers["ember"].get("tables/").json()["tables"]
    assert (line["hex"], line["round"], line["open"]) == ("0804", 0, True)
    ids = {
        key: each_caller.get("tables/").json()["tables"][0]["id"]
        for key, each_caller in callers.items()
    }
    assert callers["ember"].get(f"tables/{ids['frost']}/").status_code == 404
    for key, name, damage in (("ember", code, 3), ("frost", ship, 2)):
        where = f"tables/{ids[key]}/"
        answer = callers[key].get(where)
        result = {part: answer.json()["result"][part] for part in ("schema", "turns", "ships")}
        result["ships"][name]["damage"] = damage
        assert callers[key].put(where, result).status_code == 428
        saved = callers[key].put(where, result, If_Match=answer.headers["ETag"])
        assert saved.status_code == 200
        assert callers[key].put(where, result, If_Match=answer.headers["ETag"]).status_code == 412
        sealed = callers[key].post(f"{where}seal/")
        assert sealed.status_code == 201
        assert sealed.json()["result"]["ships"][name]["damage"] == damage
        again = callers[key].post(f"{where}seal/")
        assert (again.status_code, again.json()) == (200, sealed.json())
        other = callers[key].post(f"{where}seal/", {"result": {**result, "turns": 9}})
        assert other.json()["code"] == "already-sealed"
    assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    answer = callers["ember"].get(f"tables/{ids['ember']}/").json()
    assert answer["checks"][0]["differences"] == [
        {"ship": code, "part": "damage", "claims": {"ember": 3, "frost": 2}}
    ]
    assert (answer["round"], answer["sealed"]) == (1, None)
    answer["result"]["ships"][code]["damage"] = 2
    again = callers["ember"].post(f"tables/{ids['ember']}/seal/", {"result": answer["result"]})
    assert again.status_code == 201
    assert callers["ember"].post(f"tables/{ids['ember']}/unseal/").json()["sealed"] is None
    callers["ember"].post(f"tables/{ids['ember']}/seal/", {"result": answer["result"]})
    assert callers["frost"].post(f"tables/{ids['frost']}/seal/").status_code == 201
    assert table_compare(stage=war.table("ember").stage.pk) == "agreed"
    assert callers["frost"].post(f"tables/{ids['frost']}/unseal/").json()["code"] == "stage-closed"


@pytest.mark.any_database
def test_all_faults_are_reported_with_their_places() -> None:
    war = TableWar()
    ember = caller(war, "ember")
    where = f"tables/{war.table('ember').id}/"
    answer = ember.get(where)
    result: dict[str, Any] = {
        "turns": 0,
        "ships": {**answer.json()["result"]["ships"], "nobody": {}},
    }
    result["ships"][war.first_ship("ember")]["damage"] = -1
    faulty_places = [
        "turns",
        "ships.nobody.status",
        "ships.nobody.damage",
        f"ships.{war.first_ship('ember')}.damage",
        "ships.nobody",
    ]
    assert [
        violation["where"]
        for violation in ember.post(f"{where}check/", result).json()["violations"]
    ] == faulty_places
    assert ember.get(where).json()["draft"] == 1
    saved = ember.put(where, result, If_Match="*")
    assert sorted(violation["where"] for violation in saved.json()["violations"]) == sorted(
        faulty_places
    )  # databases may order keys differently
    assert (saved.status_code, saved.json()["draft"]) == (200, 2)
    refused = ember.post(f"{where}seal/")
    assert sorted(violation["where"] for violation in refused.json()["violations"]) == sorted(
        f"result.{place}" for place in faulty_places
    )
    assert ember.get(where).json()["sealed"] is None


@pytest.mark.any_database
def test_umpire_result_counts_and_only_the_umpire_enters_it() -> None:
    war = TableWar(umpire=True)
    umpire, ember = caller(war, "umpire"), caller(war, "ember")
    ids = [ship["id"] for side in war.battle.start["sides"] for ship in side["ships"]]
    result = {"turns": 5, "ships": {id_: {"status": "left", "damage": 0} for id_ in ids}}
    where = f"umpire/battles/{war.battle.public_id}/result/"
    assert ember.post(where, result).status_code == 404
    faulty = umpire.post(where, {"turns": 5, "ships": {}})
    assert len(faulty.json()["violations"]) == len(ids)
    assert umpire.post(where, result).json() == {"battle": str(war.battle.public_id), "round": 0}
    assert umpire.post(where, result).json()["code"] == "stage-closed"
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert BattlePhase.objects.get(battle=war.battle).inputs["by"] == "umpire"


def test_umpire_enters_a_result_by_form() -> None:
    war = TableWar(umpire=True)
    client = Client()
    client.force_login(war.umpire)
    base = f"/c/{war.campaign.public_id}/umpire/battles/{war.battle.public_id}/"
    assert f"{base}result/" in client.get(base).content.decode()
    ids = [ship["id"] for side in war.battle.start["sides"] for ship in side["ships"]]
    form = {
        "turns": "3",
        **{f"status-{id_}": "left" for id_ in ids},
        **{f"damage-{id_}": "0" for id_ in ids},
    }
    page = client.get(f"{base}result/")
    assert page.status_code == 200
    faulty = client.post(f"{base}result/", {**form, f"damage-{war.first_ship('ember')}": "999"})
    assert faulty.status_code == 422
    assert "999 is more than its" in faulty.content.decode()
    assert client.post(f"{base}result/", form).status_code == 302
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert Battle.objects.get(pk=war.battle.pk).status == "fought"
    assert client.get(f"{base}result/").status_code == 302


def test_campaign_is_opened_with_its_battle_mode() -> None:
    war = TableWar()
    ember = caller(war, "ember")
    assert ember.get("").json()["battles"] == "table"
    answer = ember.post("/api/campaigns/", {"scenario": "first-steps", "battles": "table"})
    assert answer.json()["battles"] == "table"
    refused = ember.post("/api/campaigns/", {"scenario": "first-steps", "battles": "duel"})
    assert [violation["code"] for violation in refused.json()["violations"]] == ["unknown-mode"]


def test_table_record_is_kept_over_the_api_and_becomes_the_result() -> None:
    war = TableWar(umpire=True)
    ember, frost = (caller(war, key) for key in ("ember", "frost"))
    where, theirs = (f"tables/{war.table(key).id}/record/" for key in ("ember", "frost"))
    ship, code = war.first_ship("ember"), war.codes()[war.first_ship("ember")]

    def entry(number: int, **fields: Any) -> dict[str, Any]:
        return {"key": str(uuid.UUID(int=number)), "entry": fields}

    marks = [
        entry(1, kind="shown", ship=ship),
        entry(2, kind="boxes", ship=ship, first=1, last=2, off=True),
    ]
    body = {"entries": [*marks, entry(3, kind="boxes", ship="nobody", first=1, last=1, off=True)]}
    report = ember.post(where, body).json()
    assert [len(row["violations"]) for row in report["outcomes"][:2]] == [0, 0]
    assert report["outcomes"][2]["violations"][0]["where"] == "ship"
    assert report["record"]["ships"][ship]["crossed"] == [1, 2]
    assert ember.post(where, body).json()["record"] == report["record"]  # sent twice, recorded once
    throw = {"entries": [entry(8, kind="throw", about="", dice=2)]}
    (outcome,) = ember.post(where, throw).json()["outcomes"]
    assert ember.post(where, throw).json()["outcomes"] == [outcome]
    reveal = {"kind": "reveal", "number": outcome["number"]}
    show = {"entries": [{**entry(9), "entry": reveal}]}
    shown = [ember.post(where, show).json()["record"] for _ in range(2)]
    assert shown[0] == shown[1]
    assert (shown[0]["reserved"], len(shown[0]["entries"][-1]["entry"]["rolls"])) == ([], 2)
    set_up = {"kind": "set_up", "places": {}}
    ember.post(where, {"entries": [entry(5, **set_up)]})
    frost.post(theirs, {"entries": [entry(6, **set_up)]})
    ember.post(where, {"entries": [entry(7, kind="phase", turn=1, phase=0)]})
    frost_record = frost.get(theirs).json()
    assert (
        frost_record["turn"],
        frost_record["phase"],
        frost_record["contacts"][code]["damage"],
    ) == (1, "plots", 2)
    plot = {"kind": "plot", "turn": 1, "orders": {ship: "P2+3"}}
    assert ember.post(where, {"entries": [entry(4, **plot)]}).json()["record"]["sealed"] == [
        "ember"
    ]
    frost_record = frost.get(theirs)
    assert (
        frost_record.json()["sealed"],
        frost_record.json()["plots"],
        b"P2+3" in frost_record.content,
    ) == (
        ["ember"],
        {},
        False,
    )
    assert ember.get(f"tables/{war.table('frost').id}/record/").status_code == 404
    assert caller(war, "umpire").get(where).status_code == 404
    proposal = ember.post(f"{where}result/").json()
    assert (proposal["draft"], proposal["result"]["ships"][ship]["damage"]) == (2, 2)
    ember.post(f"tables/{war.table('ember').id}/seal/")
    assert ember.post(f"{where}result/").json()["code"] == "already-sealed"
