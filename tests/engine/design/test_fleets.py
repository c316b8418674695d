"""Fleets for a single battle: points, shares by classification, ships without FTL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.core.sheet import Sheet
from engine.design.fleets import fleet_violations, points_by_classification
from engine.notation.designs import load_sheet
from tests.engine.design.continuum_designs import ship, system_entry


def hull(mass: int, **more: Any) -> Sheet:
    """Return a bare hull: mass plus 10% of boxes in points, with an FTL drive by default."""
    return load_sheet(ship(mass=mass, boxes=mass // 10, **({"ftl": "standard"} | more)))


ESCORT, CRUISER, CAPITAL = hull(40), hull(80), hull(120)
RIDER = hull(60, ftl="none")


def codes(*args: Any, **more: Any) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in fleet_violations(*args, **more)]


@pytest.mark.rule("pc.fleet-composition")
def test_fleet_stays_within_its_points() -> None:
    total = ESCORT.points + CRUISER.points
    assert codes([ESCORT, CRUISER], total) == []
    assert codes([ESCORT, CRUISER], total - 1) == [("", "too-many-points")]


@pytest.mark.rule("pc.fleet-composition")
def test_patrol_has_no_capital_ships_and_half_its_points_in_cruisers() -> None:
    assert CRUISER.points == 2 * ESCORT.points
    assert codes([CRUISER, ESCORT, ESCORT], limits=["patrol"]) == []
    assert codes([CRUISER, ESCORT], limits=["patrol"]) == [("", "over-half")]
    assert codes([CAPITAL, ESCORT], limits=["patrol"]) == [("ships[0]", "capital-on-patrol")]


@pytest.mark.rule("pc.fleet-composition")
def test_capital_ships_with_fighters_take_at_most_half() -> None:
    assert codes([CAPITAL, CRUISER, ESCORT], limits=["half-capitals"]) == []
    winged = load_sheet(
        ship(
            [system_entry("combined-hangar", load={"standard": 6})],
            mass=120,
            boxes=12,
            ftl="standard",
        )
    )
    assert codes([winged, CRUISER, ESCORT], limits=["half-capitals"]) == [("", "over-half")]


@pytest.mark.rule("pc.fleet-composition")
def test_small_carriers_may_be_barred() -> None:
    def carrier(mass: int) -> Sheet:
        return load_sheet(
            ship(
                [system_entry("combined-hangar", load={"standard": 6})],
                mass=mass,
                boxes=12,
                ftl="standard",
            )
        )

    large, small = carrier(120), carrier(40)
    assert codes([large, small], limits=["half-capitals"]) == [("", "over-half")]
    assert codes([large, small, CRUISER], limits=["no-small-carriers"]) == [
        ("ships[1]", "small-carrier")
    ]


@pytest.mark.rule("pc.fleet-composition")
def test_capital_ship_needs_a_cruiser_and_an_escort() -> None:
    assert codes([CAPITAL, CRUISER, ESCORT], limits=["escorted"]) == []
    assert codes([CAPITAL, CAPITAL, CRUISER, ESCORT, ESCORT], limits=["escorted"]) == [
        ("", "unescorted")
    ]
    assert codes([CAPITAL], limits=["escorted"]) == [("", "unescorted")] * 2
    assert codes([ESCORT], limits=["escorted"]) == []


@pytest.mark.rule("pc.pulse-torpedoes")
def test_all_or_none_of_a_fleets_torpedoes_are_overloadable() -> None:
    plain, short, upgraded = (
        hull(80, systems=[system_entry("pulse-torpedo", 0, ["F"], **more)])
        for more in ({}, {"model": "short"}, {"overload": True})
    )
    assert codes([upgraded, short, upgraded]) == []
    assert codes([plain, short]) == []
    assert codes([upgraded, short, plain]) == [("ships[2]", "all-or-none")]


@pytest.mark.rule("pc.system-defence")
def test_ships_without_ftl_need_agreement() -> None:
    assert codes([ESCORT, RIDER]) == [("ships[1]", "no-ftl")]
    assert codes([ESCORT, RIDER], without_ftl=True) == []


@pytest.mark.rule("pc.system-defence")
@pytest.mark.parametrize(
    ("mother", "riders", "stranded"),
    [
        (hull(120, ftl={"tug": 60}), [60], []),
        (hull(120, ftl={"tug": 59}), [60], ["ships[1]"]),
        (hull(120, ftl={"tug": 60}), [30, 30], []),
        (hull(120, ftl={"tug": 60}), [30, 60], ["ships[1]"]),  # the largest is stowed first
        (hull(300, ftl={"tug": 100}), [70], ["ships[1]"]),  # too large for a battlerider
        (hull(120, systems=[system_entry("tender-bay", mass=45)]), [30], []),
        (hull(120, systems=[system_entry("tender-bay", mass=44)]), [30], ["ships[1]"]),
    ],
)
def test_battleriders_need_motherships(
    mother: Sheet, riders: list[int], stranded: list[str]
) -> None:
    fleet = [mother, *(hull(mass, ftl="none") for mass in riders)]
    assert codes(fleet) == [(where, "no-ftl") for where in stranded]


@pytest.mark.rule("pc.fleet-composition")
def test_command_prices_a_fleet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fleet.json"
    design = ship(mass=60, boxes=6)
    file.write_text(
        json.dumps(
            {
                "edition": "continuum",
                "ships": ["Heavy Cruiser", {"class": "Frigate", "count": 2}, {"design": design}],
                "points": 400,
                "limits": ["escorted"],
            }
        )
    )
    assert main(["fleet", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["class"] for row in answer["ships"]] == [
        "Heavy Cruiser",
        "Frigate",
        "Frigate",
        "Test Ship",
    ]
    assert answer["points"] == sum(row["points"] for row in answer["ships"])
    assert answer["by_classification"] == {"cruiser": 289 + 72, "escort": 148}
    assert [fault["code"] for fault in answer["violations"]] == ["too-many-points", "no-ftl"]


@pytest.mark.parametrize(
    ("fleet", "faults"),
    [
        ([], [("", "not-a-mapping")]),
        ({"edition": "continuum"}, [("ships", "missing")]),
        ({"edition": "third", "ships": []}, [("edition", "unknown-edition")]),
        (
            {
                "edition": "continuum",
                "ships": [
                    "Nix",
                    5,
                    {"class": "Frigate", "count": 0},
                    {"class": "Frigate", "design": {}},
                ],
                "limits": ["few"],
                "of": 1,
            },
            [
                ("of", "unknown-key"),
                ("limits[0]", "unknown-limit"),
                ("ships[0].class", "unknown-class"),
                ("ships[1]", "class-or-design"),
                ("ships[2].count", "count"),
                ("ships[3]", "class-or-design"),
            ],
        ),
        (
            {"edition": "continuum", "ships": [{"design": ship(boxes=1)}]},
            [("ships[0].design.hull.boxes", "too-few-boxes")],
        ),
    ],
)
def test_unreadable_fleet_lists_every_fault(
    fleet: Any, faults: list[tuple[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fleet.json"
    file.write_text(json.dumps(fleet))
    assert main(["fleet", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert [
        (fault["where"], fault["code"]) for fault in json.loads(output.err)["violations"]
    ] == faults


def test_points_by_classification_are_in_order() -> None:
    assert list(points_by_classification([CRUISER, ESCORT, CRUISER])) == ["cruiser", "escort"]
