"""Which foreign classes a faction may compare: those it has read in battle.

Otherwise different worlds look the same.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from typing import Any

import pytest

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question, build_imagined_battle
from campaign.models import Report
from campaign.rules.class_figures import CPV, MASS, NAMES, POINTS, SIZE, SYSTEMS, THRUST
from campaign.rules.foreign_classes import (
    ForeignClass,
    merge_readings,
    read_at_phases,
    read_in_report,
)
from campaign.rules.upgrades import REPORTS
from campaign.rules.view import Sighting
from campaign.services.meetings import belief_of
from campaign.sight.views import current_sight
from engine.battle import Battle
from engine.core.kinds import ScanDetail
from engine.known_battle import known_battle
from engine.stops import side_view
from tests.access import client_requests
from tests.campaign.api.calls import caller, fault_places, json_of
from tests.campaign.pages.general.browser_pages import browser, page
from tests.engine.secrecy.test_closed_sheets import ABOARD
from tests.engine.secrecy.test_closed_sheets import world as closed_world
from tests.engine.secrecy.test_stores_continuum import CRAFT, FAR, STANDARD, carrier
from tests.engine.secrecy.test_stores_continuum import world as open_world
from tests.engine.secrecy.worlds import RED
from tests.umpire.services.wars import campaign_at

pytestmark = pytest.mark.rule("pc.sensors")
SIDES = ["red", "blue"]
CLOSED = "advanced-sensors"


def sheet(battle: Battle, *, is_asked: bool = True) -> dict[str, Any]:
    """Return red's stored sheet of a phase."""
    payload: dict[str, Any] = {"battle": "b", "at": RED, "sides": SIDES, "week": 2, "number": 0}
    payload |= {"view": side_view(battle, RED)}
    payload |= {"battle_document": known_battle(battle, RED).to_json()} if is_asked else {}
    stored_payload: dict[str, Any] = json.loads(json.dumps(payload))
    return stored_payload


def report(battle: Battle) -> dict[str, Any]:
    return {"sides": SIDES, "side": "red", "phases": [None, sheet(battle)["view"]]}


def known_classes(battle: Battle) -> dict[str, tuple[ForeignClass, ...]]:
    """Return what red has learned in every possible way."""
    return {
        "asked": read_at_phases([sheet(battle)]),
        "not asked": read_at_phases([sheet(battle, is_asked=False)]),
        "by captains": read_in_report(report(battle), 2),
    }


def battle_after_scan(aboard: str, reading: ScanDetail) -> Battle:
    battle = closed_world(aboard)
    ship = battle.state.ship_by_name("b")
    ship.record = ship.record.with_values(scan_levels={str(RED): int(reading)})
    return battle


@pytest.mark.parametrize("options", [(), (CLOSED,)], ids=["open", "closed"])
@pytest.mark.parametrize("craft", CRAFT)
def test_unscanned_bay_contents_and_cost_stay_unknown(craft: str, options: tuple[str, ...]) -> None:
    here, there = (
        known_classes(open_world(blue=carrier(bays), options=options))
        for bays in (STANDARD, CRAFT[craft])
    )
    assert here == there
    if not options:
        (ship,) = (seen_ship for seen_ship in here["asked"] if seen_ship.name == "Carrier")
        assert not {POINTS, CPV} & set(ship.figures)
        assert (ship.is_complete, ship.figures[MASS]) == (False, "300")
        assert ship.figures[SYSTEMS].count("unknown load") == len(STANDARD)
        assert "6 standard" not in ship.figures[SYSTEMS]
        (escort,) = (seen_ship for seen_ship in here["asked"] if seen_ship.name == "Escort")
        assert (escort.is_complete, set(escort.figures)) == (True, set(NAMES))


@pytest.mark.parametrize("aboard", [name for name in ABOARD if name != "beams"])
def test_partial_sheet_has_only_scanned_facts(aboard: str) -> None:
    assert known_classes(closed_world("beams")) == known_classes(closed_world(aboard))
    read_designs = {
        read_designs: known_classes(battle_after_scan("beams", read_designs))
        for read_designs in (ScanDetail.NOTHING, ScanDetail.MASS, ScanDetail.DRIVE)
    }
    for way in ("asked", "not asked", "by captains"):
        (nothing,), (mass,), (drive,) = (read_designs[much][way] for much in read_designs)
        assert (set(nothing.figures), nothing.design, nothing.is_complete) == ({SIZE}, None, False)
        assert (set(mass.figures), mass.figures[MASS]) == ({SIZE, MASS}, "90")
        assert (set(drive.figures), drive.figures[THRUST]) == ({SIZE, MASS, THRUST, SYSTEMS}, "4")
        assert drive.figures[SYSTEMS] == "no screens; others unknown"
        assert drive.design is None
    (full_reading,) = known_classes(battle_after_scan("beams", ScanDetail.SYSTEMS))["asked"]
    assert (full_reading.is_complete, set(full_reading.figures)) == (True, set(NAMES))


def test_bogey_reveals_nothing_and_readings_are_not_combined() -> None:
    assert not any(known_classes(open_world(at=FAR)).values())
    early, late = (
        ForeignClass("blue", "Gull", week, reading, {SIZE: str(week)})
        for week, reading in ((1, 1), (2, 1))
    )
    fuller = ForeignClass("blue", "Gull", 0, 2, {MASS: "9"})
    assert merge_readings([late, early]) == {("blue", "Gull"): late}
    assert merge_readings([late, fuller, early]) == {("blue", "Gull"): fuller}
    sheets = [
        sheet(battle_after_scan("beams", ScanDetail.DRIVE)),
        sheet(closed_world("beams"), is_asked=False),
    ]
    (foreign_class,) = read_at_phases(sheets)
    assert foreign_class.detail == ScanDetail.DRIVE


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_comparison_of_known_classes_is_equal_in_both_worlds() -> None:
    campaign, stage = campaign_at("orders", "lafayette-continuum")
    nac, other = (caller(key, campaign, "player", key) for key in ("nac", "esu"))
    where = f"/designs/compare/?war={campaign.public_id}&first=seen/blue/Carrier&second="
    sides = {
        "war": str(campaign.public_id),
        "first": {"key": "seen/blue/Carrier"},
        "second": {"key": "seen/blue/Escort"},
    }
    pages = []
    for bays in (STANDARD, CRAFT["other types"]):
        with client_requests.roll_back():
            client_requests.clear_caches()
            Report.objects.create(
                public_id=uuid.UUID(int=1), branch=stage.branch, seq=0, week=2, stage="battles",
                faction=campaign.factions.get(key="nac"), kind="phase", subject="x#0", schema=1,
                body=sheet(open_world(blue=carrier(bays))),
            )  # fmt: skip
            text = page(browser("nac"), f"{where}seen/blue/Escort").text
            compared = json_of(nac.post("/api/designs/compare/", sides))
            pages.append((text, compared))
            assert fault_places(nac.post("/api/designs/odds/", sides)) == ["first"]
            mine = page(browser("nac"), f"{where}continuum/Frigate").text
            assert "seen/blue/Carrier" not in page(browser("esu"), f"{where}continuum/Frigate").text
            assert fault_places(other.post("/api/designs/compare/", sides)) == ["first", "second"]
    assert pages[0] == pages[1]
    text, compared = pages[0]
    assert (
        "About Carrier (blue, met in week 2) you know only what your side has scanned in battle."
        in mine
    )
    assert "Expected damage" in mine
    assert "Simulate the battle" not in text
    figures = {
        line["name"]: (line["first"], line["second"] != "unknown") for line in compared["figures"]
    }
    assert figures["Points"] == ("unknown", True)
    assert (compared["first_count"], bool(compared["fire"])) == (None, True)
    assert stage.week == 1


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_odds_use_only_fully_known_foreign_designs() -> None:
    campaign, stage = campaign_at("orders", "lafayette-continuum")
    reader, hex_ = campaign.factions.get(key="nac"), "0101"
    sight_of_reader = current_sight(campaign, reader)
    scan = Sighting(sight_of_reader.view.week, hex_, "esu", (("capital", 1), ("escort", 3)))
    sight_of_reader = replace(
        sight_of_reader, view=replace(sight_of_reader.view, sightings=(scan,))
    )
    battle = str(uuid.UUID(int=2))

    def add_report(number: int, kind: str, body: Any) -> None:
        Report.objects.create(
            public_id=uuid.UUID(int=number), branch=stage.branch, seq=sight_of_reader.seq, week=1, stage="battles",
            faction=reader, kind=kind, subject=f"x#{number}", schema=REPORTS[kind].schema,
            body=body | {"battle": battle},
        )  # fmt: skip

    forces, files = [], []
    for bays in (STANDARD, CRAFT["other types"]):
        with client_requests.roll_back():
            client_requests.clear_caches()
            read_in_it = sheet(open_world(blue=carrier(bays))) | {"sides": ["nac", "esu"]}
            phases = [read_in_it["view"] | {"log": []}]
            ended = {
                "sides": ["nac", "esu"],
                "side": "nac",
                "phases": phases,
                "hex": hex_,
                "turns": 3,
                "winner": None,
            }
            add_report(3, "battle", ended)
            before = belief_of(campaign, reader, sight_of_reader)
            client_requests.clear_caches()
            add_report(4, "phase", read_in_it)
            belief = belief_of(campaign, reader, sight_of_reader)
            assert (
                belief_of(
                    campaign, reader, replace(sight_of_reader, seq=sight_of_reader.seq - 1)
                ).classes
                == before.classes
            )
        new_classes = set(belief.classes) - set(before.classes)
        assert new_classes == {"esu/Escort"}  # the contents of the other's bays are unknown
        assert belief.classes["esu/Escort"].design["class"] == "Escort"
        forces.append([belief.force(hex_, "esu", number) for number in range(40)])
        classes_drawn = {ship.cls for force in forces[-1] for ship in force.ships}
        assert "esu/Escort" in classes_drawn
        assert all(
            "esu/Escort" not in {ship.cls for ship in before.force(hex_, "esu", n).ships}
            for n in range(40)
        )
        toward_us = Belief(
            belief.scenario,
            replace(sight_of_reader.view, sightings=(replace(scan, faction="nac"),)),
            belief.encounters,
        )
        assert not any(
            "/" in ship.cls for n in range(40) for ship in toward_us.force(hex_, "nac", n).ships
        )
        files.append(
            [
                build_imagined_battle(
                    belief, Question(hex_, "esu", (sight_of_reader.view.fleets[0].key,)), n
                )
                for n in range(5)
            ]
        )
    assert forces[0] == forces[1]
    assert files[0] == files[1]
    assert all(files[0])
