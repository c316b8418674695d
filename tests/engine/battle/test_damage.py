"""Damage tracks, threshold checks, drives, cargo."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.notation.designs import sheet_of
from engine.second_edition.damage import boxes_left, cargo_left
from tests.engine.battle.table import at, classes, events_of, fire, gunship, play, setup, ship


def damage_class(
    cls: str, damage: int, *, before: int = 0, lost: list[str] | None = None, **dice: list[int]
) -> Any:
    """A class takes exactly `damage` points from class C batteries (each die a 5 does 1, a 6 does 2
    unscreened).
    """
    count = damage
    shooter = gunship("r1", 60, 60, "C" * count, mass=100, thrust=2)
    target = ship("b1", cls, 60, 66, damage=before, lost=lost or [])
    turn = {"engage": {"r1": fire(*((f"battery-{n + 1}", "b1") for n in range(count)))}}
    return play(setup([shooter], [target]), [turn], **dice)


@pytest.mark.rule("2e.thresholds")
def test_finished_row_checks_every_system_once_in_order() -> None:
    battle = damage_class("Destroyer", 3, beam=[5, 5, 5], threshold=[1, 2, 6, 3, 5, 6, 4, 1])
    check = events_of(battle, "threshold")[0]
    fits = [fit.id for fit in sheet_of(classes()["Destroyer"]).fits]
    assert [name for name, _ in check.rolls] == fits
    assert fits == [
        "battery-1",
        "battery-2",
        "battery-3",
        "pdaf-1",
        "pdaf-2",
        "firecon-1",
        "drive",
        "ftl",
    ]
    assert (check.row, check.loses_on) == (1, 6)
    assert at(battle, "b1").lost_systems() == ("battery-3", "firecon-1")


@pytest.mark.rule("2e.thresholds")
def test_no_check_before_the_row_ends() -> None:
    assert not events_of(damage_class("Destroyer", 2, beam=[5, 5]), "threshold")


@pytest.mark.rule("2e.thresholds")
@pytest.mark.parametrize(("row", "before", "loses_on"), [(1, 9, 6), (2, 19, 5), (3, 29, 4)])
def test_each_row_has_a_worse_threshold(row: int, before: int, loses_on: int) -> None:
    systems = len(sheet_of(classes()["Superdreadnought"]).fits)
    battle = damage_class(
        "Superdreadnought", 1, before=before, beam=[6], threshold=[loses_on - 1] * systems
    )
    check = events_of(battle, "threshold")[0]
    assert (check.row, check.loses_on) == (row, loses_on)
    assert check.lost == ()


@pytest.mark.rule("2e.thresholds")
def test_volley_across_two_rows_makes_both_checks() -> None:
    # A light cruiser's rows are 3, 4 and 4; its one screen lets 5 do one point.
    whole = [1] * 10
    battle = damage_class(
        "Light Cruiser", 7, beam=[5] * 7, threshold=[6, 1, 1, 1, 1, 1, 1, 1, 1, 1, *whole[1:]]
    )
    checks = events_of(battle, "threshold")
    assert [(check.row, check.loses_on) for check in checks] == [(1, 6), (2, 5)]
    assert checks[0].lost == ("battery-1",)
    assert len(checks[1].rolls) == len(checks[0].rolls) - 1


@pytest.mark.rule("2e.thresholds")
def test_drive_is_halved_then_lost() -> None:
    # Canonical order of a light cruiser: 3 batteries, screen, 2 PDAF, 2 FireCons, drive, ftl.
    first = [1, 1, 1, 1, 1, 1, 1, 1, 6, 1]
    battle = damage_class("Light Cruiser", 3, beam=[5] * 3, threshold=first)
    assert (at(battle, "b1").lost_systems(), at(battle, "b1").thrust) == (("drive",), 3)
    second = [1, 1, 1, 1, 1, 1, 1, 1, 5, 1]
    battle = damage_class(
        "Light Cruiser", 4, before=3, lost=["drive"], beam=[5] * 4, threshold=second
    )
    assert (at(battle, "b1").lost_systems(), at(battle, "b1").thrust) == (("drive", "drive"), 0)


@pytest.mark.rule("2e.thresholds")
def test_destroyed_ship_makes_no_check() -> None:
    battle = damage_class("Destroyer", 7, beam=[6] * 7)
    assert at(battle, "b1").status == "destroyed"
    assert at(battle, "b1").damage == 7
    assert not events_of(battle, "threshold")


@pytest.mark.rule("2e.thresholds")
def test_empty_row_makes_no_check() -> None:
    assert sheet_of(classes()["Courier"]).rows == (0, 1)
    battle = damage_class("Courier", 1, beam=[4])
    assert at(battle, "b1").status == "destroyed"
    assert not events_of(battle, "threshold")


@pytest.mark.rule("2e.thresholds")
def test_damage_affects_the_next_ship_to_fire() -> None:
    document = setup([gunship("r1", 60, 60, "C")], [ship("b1", "Destroyer", 60, 66, 6, damage=2)])
    turn = {"engage": {"r1": fire(("battery-1", "b1")), "b1": fire(("battery-2", "r1"))}}
    battle = play(document, [turn], initiative=[6, 1], beam=[4], threshold=[1, 1, 1, 1, 1, 6, 1, 1])
    assert [shot.ship for shot in events_of(battle, "shot")] == ["r1"]
    assert events_of(battle, "shot-refused")[0].reason == "it has no working FireCon"


@pytest.mark.rule("2e.record-sheet")
def test_boxes_are_marked_from_the_top_row() -> None:
    sheet = sheet_of(classes()["Heavy Cruiser"])
    assert sheet.rows == (5, 5, 6)
    assert [boxes_left(sheet, damage) for damage in (0, 4, 7, 16)] == [
        [5, 5, 6],
        [1, 5, 6],
        [0, 3, 6],
        [0, 0, 0],
    ]


@pytest.mark.rule("2e.cargo")
def test_example_half_the_damage_points_half_the_cargo() -> None:
    survey = sheet_of(classes()["Survey Cruiser"])
    assert cargo_left(survey, 6) == Fraction(1, 2)
    assert cargo_left(survey, 0) == 1
    assert cargo_left(survey, 12) == 0


@pytest.mark.rule("2e.cargo")
def test_merchant_shows_its_remaining_cargo() -> None:
    document = damage_class("Heavy Freighter", 2, beam=[5, 5]).to_json()
    assert document["ships"]["b1"]["cargo_left"] == "13/15"
    assert "cargo_left" not in document["ships"]["r1"]


@pytest.mark.rule("2e.thresholds")
def test_example_fleet_carrier_losing_two_of_six_bays_has_four() -> None:
    fits = [fit.id for fit in sheet_of(classes()["Fleet Carrier"]).fits]
    rolls = [6 if name in ("fighter-bay-2", "fighter-bay-5") else 1 for name in fits]
    carrier = at(damage_class("Fleet Carrier", 1, before=11, beam=[6], threshold=rolls), "b1")
    assert carrier.lost_systems() == ("fighter-bay-2", "fighter-bay-5")
    assert (
        sum(
            alive
            for fit, alive in zip(carrier.sheet.fits, carrier.alive, strict=True)
            if fit.type == "fighter-bay"
        )
        == 4
    )
