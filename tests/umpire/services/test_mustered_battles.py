"""Battles by points: sealed force lists, what the other side learns of them, and the battle."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest

from campaign.models import Campaign, Stage
from campaign.services.phases import fights_of, newest_sheet
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from tests.sealing import stop_seal
from tests.umpire.services.mustered_battle import (
    FLEET,
    deployment,
    muster,
    open_stage,
    seal,
    start_mustered,
)
from umpire.services.battle_phases import phase_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.one-off")]


RANDOM = ("battle", "chain")  # parts of a sheet that follow from the random id of its campaign


def sheet_of(campaign: Campaign, faction: str) -> Any:
    row = campaign.factions.get(key=faction)
    (fight,) = fights_of(campaign, row)
    return newest_sheet(campaign, row, fight)


def seal_set_up(campaign: Campaign) -> None:
    """Take the captains' proposals of both sides, and go on to turn 1."""
    for faction in ("red", "blue"):
        row = campaign.factions.get(key=faction)
        (fight,) = fights_of(campaign, row)
        advice = sheet_of(campaign, faction)["advice"]
        stop_seal(fight=fight, faction=row, payload=advice)
    stage = Stage.objects.get(battle__branch=campaign.head_branch, status="open")
    assert phase_resolve(stage=stage.pk)


def test_two_players_choose_their_ships_set_up_and_begin() -> None:
    campaign = start_mustered(limits=["escorted"])
    stage = open_stage(campaign)
    assert (stage.kind, stage.week) == ("deploy", 0)
    muster(campaign, red=deployment(*FLEET, decoys=2), blue=deployment(("Destroyer", "Basilisk")))
    assert open_stage(campaign).kind == "battles"
    sheet = sheet_of(campaign, "red")
    assert (sheet["kind"], sorted(sheet["mine"])) == (
        "set_up",
        ["red/f1/d1", "red/f1/d2", "red/s1", "red/s2", "red/s3"],
    )
    seal_set_up(campaign)
    sheet = sheet_of(campaign, "blue")
    assert (sheet["kind"], sheet["turn"]) == ("plot", 1)
    contacts = sheet["view"]["contacts"]
    assert len(contacts) == 5
    assert all("class" not in contact for contact in contacts)


@pytest.mark.any_database
def test_who_seals_nothing_gets_the_proposed_fleet() -> None:
    campaign = start_mustered()
    muster(campaign, red=deployment(*FLEET))
    scenario = scenario_of(campaign)
    (fleet,) = dict(scenario.defaults)["blue"]
    assert len(sheet_of(campaign, "blue")["mine"]) == sum(count for _, count in fleet.ships)


MANY = tuple(("Scout Ship", f"S{number}") for number in range(61))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("battle", "ships", "decoys", "fault"),
    [
        ({"points": 300}, FLEET, 0, ("deploy", "over-budget")),
        ({}, FLEET[1:2], 2, ("deploy[0].decoys", "too-many-decoys")),
        ({"limits": ["patrol"]}, FLEET[:1], 0, ("deploy", "over-half")),
        (
            {"points": 900, "limits": ["patrol"]},
            (("Battleship", "Lion"), *FLEET),
            0,
            ("deploy[0].ships[0][0]", "capital-on-patrol"),
        ),
        (
            {"barred": ["screen"]},
            (FLEET[1], ("Heavy Cruiser", "Lion")),
            0,
            ("deploy[0].ships[1][0]", "barred"),
        ),
        ({"points": 9000}, MANY, 0, ("deploy", "too-many-ships")),
    ],
)
def test_force_lists_obey_the_limits(
    battle: dict[str, Any],
    ships: tuple[tuple[str, str], ...],
    decoys: int,
    fault: tuple[str, str],
) -> None:
    campaign = start_mustered(**battle)
    with pytest.raises(RuleViolations) as refused:
        seal(campaign, "red", deployment(*ships, decoys=decoys))
    assert [(found.where, found.code) for found in refused.value.violations] == [fault]


@pytest.mark.any_database
def test_one_side_learns_nothing_of_the_other_ones_list() -> None:
    """Two worlds that differ in blue's sealed list: red reads the same bytes until ships meet.

    Digests are the same in both, because the dice depend on them.
    """
    lists = (
        deployment(("Destroyer", "Basilisk")),
        deployment(("Heavy Cruiser", "Gorgon"), ("Frigate", "Gnat"), decoys=1),
    )
    read: list[str] = []
    for blue in lists:
        campaign = start_mustered(dice_key="twin")
        with mock.patch("engine.core.fair.orders_digest", lambda payload, nonce, share: 2 * nonce):
            seal(campaign, "blue", blue)
            muster(campaign, red=deployment(*FLEET))
        sheet = {
            key: value for key, value in sheet_of(campaign, "red").items() if key not in RANDOM
        }
        view = current_sight(campaign, campaign.factions.get(key="red")).view
        read.append(json.dumps(sheet, sort_keys=True) + repr(view))
    assert read[0] == read[1]


@pytest.mark.any_database
def test_own_designs_and_fixed_ships_take_part() -> None:
    """Red chooses a ship of its own design; blue has the ships that the scenario gives it."""
    sides = [
        {"name": "red", "muster": {}},
        {"name": "blue", "ships": [{"id": "b1", "class": "Destroyer"}]},
    ]
    campaign = start_mustered(sides=sides)
    classes = {cls.name: cls for cls in scenario_of(campaign).catalogue}
    design = {**classes["Destroyer"].design, "class": "Otter"}
    design.pop("printed", None)
    muster(campaign, red=deployment(("red/Otter", "First"), designs=(design,)))
    red_sheet = sheet_of(campaign, "red")
    assert red_sheet["mine"] == ["red/s1"]
    assert "Otter" in red_sheet["battle_document"]["designs"]
    assert sheet_of(campaign, "blue")["mine"] == ["b1"]
