"""Whole wars through the HTTP API, on PostgreSQL and the Redis protocol, with real server and
worker processes.
"""

from __future__ import annotations

import pytest

from campaign.rules.scenario import Scenario
from engine.core.canonical import digest
from tests.site.running import Site
from tests.wars.player import Player
from tests.wars.record_checks import PlayerRecord, check_records
from tests.wars.script import Script, start_war

WEEK = ("orders", "decisions", "battles")
WEEKS = 3  # until what is checked has occurred; other wars here are played to their ends
CAPITAL = "1408"
MAX_STAGES = 40


def fight_weeks(scripts: list[Script], scenario: Scenario) -> None:
    """Play until the orders of the week after the last one that is played."""
    for _ in range(1 + WEEKS * len(WEEK)):
        ordinals = {script.play(scenario) for script in scripts}
        assert len(ordinals) == 1
        sheet = scripts[0].wait(ordinals.pop())
    assert (sheet["stage"]["week"], sheet["stage"]["kind"]) == (WEEKS + 1, "orders")


def check_the_ledger(scripts: list[Script]) -> None:
    """Check that rows form a chain and contain the digests of all receipts, in faction order."""
    rows = scripts[0].get("ledger/")["rows"]
    assert [row["seq"] for row in rows] == list(range(len(rows)))
    by_faction = sorted(scripts, key=lambda script: str(script.receipts[0]["faction"]))
    for row, before in zip(rows, [None, *rows], strict=False):
        assert before is None or row["prev_hash"] == before["hash"]
        assert row["hash"] == digest([row["prev_hash"], row["body"]])
        assert row["body"]["digests"] == [
            script.receipts[row["seq"]]["digest"] for script in by_faction
        ]
        assert set(row["body"]) == set(rows[0]["body"])
    for script in scripts:
        assert script.get("ledger/")["rows"] == rows


def check_what_each_saw(scripts: list[Script]) -> int:
    """Check that old views stay and documents are the faction's own; return the number of battles."""
    battle_count = 0
    for script in scripts:
        mine = script.get("")["faction"]
        for answer in list(script.views_by_stage.values())[1:]:
            view = answer["view"]
            assert script.get(f"view/?week={view['week']}&stage={view['stage']}") == answer
            assert {fleet["faction"] for fleet in view["fleets"]} <= {mine}
        battles = script.get("battles/")["battles"]
        battle_count += len(battles)
        for battle in battles:
            body = script.get(f"battles/{battle['id']}/")
            assert mine in body["side"].split("+")
            for other in scripts:
                if other is not script:
                    assert other.call("GET", f"battles/{battle['id']}/").status == 404
        reports = script.get("reports/")["reports"]
        assert len({report["id"] for report in reports}) == len(reports)
        for other in scripts:
            if other is not script:
                assert other.call("GET", f"reports/{reports[-1]['id']}/").status == 404
    return battle_count


def test_weeks_of_three_powers(site: Site) -> None:
    """With three factions a stage closes early only because this campaign's timetable says so."""
    players = {"halcyon": "hal", "karst": "kay", "thessaly": "tess"}
    campaign = start_war(site, "three-powers", players, "solo")
    scripts = [Script(site, name, campaign) for name in players.values()]
    scenario = scripts[0].scenario()
    fight_weeks(scripts, scenario)
    assert check_what_each_saw(scripts) >= 2
    check_the_ledger(scripts)


@pytest.mark.rule("camp.tech-base")
def test_weeks_of_continuum_lafayette(site: Site) -> None:
    """With the two example factions: captains fight with armour, repairs and core systems.

    Used-up stores stay so, a prize belongs to its captor, and no answer has foreign names. The
    invader leaves the capital alone, because taking it would end the war early.
    """
    campaign = start_war(site, "lafayette-continuum", {"esu": "valya", "nac": "ned"})
    valya = Player(
        site,
        "valya",
        campaign,
        "bold",
        spared=(CAPITAL,),
        faction="esu",
        others=("nac",),
        record=PlayerRecord("esu"),
    )
    ned = Player(site, "ned", campaign, faction="nac", others=("esu",), record=PlayerRecord("nac"))
    scripts: list[Script] = [valya, ned]
    scenario = scripts[0].scenario()
    assert (scenario.edition, scenario.options) == ("continuum", ("core-systems",))
    fight_weeks(scripts, scenario)
    *stages, open_stage = scripts[0].get("stages/")["stages"]
    assert [(stage["week"], stage["kind"]) for stage in stages] == [
        (0, "deploy"),
        *((week, kind) for week in range(1, WEEKS + 1) for kind in WEEK),
    ]
    assert {stage["status"] for stage in stages} == {"resolved"}
    assert open_stage["status"] == "open"
    assert check_what_each_saw(scripts) >= 2
    check_the_ledger(scripts)
    kinds = {
        line["event"]
        for battle in scripts[0].get("battles/")["battles"]
        for phase in scripts[0].get(f"battles/{battle['id']}/")["phases"]
        for line in phase["log"]
    }
    assert {"fire", "threshold", "repair"} <= kinds
    assert check_records([valya.gather_record(), ned.gather_record()]).faults == []


def test_battles_fought_online_by_two_programs(site: Site) -> None:
    """Every battle is fought phase by phase over the API; everything else is like in any war."""
    campaign = start_war(site, "first-steps", {"ember": "ela", "frost": "finn"}, battles="online")
    scripts = [Script(site, "ela", campaign, "bold"), Script(site, "finn", campaign, "bold")]
    scenario = scripts[0].scenario()
    for _ in range(MAX_STAGES):
        ordinals = {script.play(scenario) for script in scripts}
        assert len(ordinals) == 1
        sheet = scripts[0].fight_on(scripts[1:], ordinals.pop())
        if sheet["state"] == "over":
            break
    assert sheet["stage"] is None
    results = {script.get("view/")["view"]["result"] for script in scripts}
    assert len(results) == 1
    assert results <= {condition.result for condition in scenario.victory}
    assert check_what_each_saw(scripts) >= 2
    check_the_ledger(scripts)
    assert scripts[0].call("GET", "orders/").status == 409
    kinds = {stage["kind"] for stage in scripts[0].get("stages/")["stages"]}
    assert kinds == {"deploy", *WEEK}
    for script, other in zip(scripts, reversed(scripts), strict=True):
        fights = script.get("fights/")["fights"]
        assert {fight["state"] for fight in fights} == {"over"}
        battle_by_id = {battle["id"]: battle for battle in script.get("battles/")["battles"]}
        assert {fight["id"] for fight in fights} == set(battle_by_id)
        for fight in fights:
            path = f"fights/{fight['id']}/"
            first, document = script.get(path + "phases/0/"), script.get(f"battles/{fight['id']}/")
            assert document["phases"][0] == first["before"] | {"log": first["log"]}
            assert document["chain"][0] == first["chain"]
            assert other.call("GET", path).status == 404
        sealed = [receipt["digest"] for receipt in script.battle_receipts]
        receipts_of_players = [
            receipt_row
            for fight in fights
            for receipt_row in script.get(f"fights/{fight['id']}/receipts/")["receipts"]
        ]
        assert sealed
        assert {
            receipt_row["digest"]
            for receipt_row in receipts_of_players
            if receipt_row["source"] == "player"
        } == set(sealed)
