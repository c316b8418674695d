"""Battle files by points: what each side's ships may cost and consist of."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cli.battle import battle_file
from engine.core.errors import RuleViolations

CRUISER, CAPITAL = "Heavy Cruiser", "Battleship"  # the cruiser costs 238 points
ESCORT = "Destroyer"
NO_DRIVE = {"class": "Rampart Defence Monitor"}


def faults(
    first: list[Any], second: list[Any] | None, edition: str = "second-edition", **keys: Any
) -> list[tuple[str, str]]:
    """Return the places and codes of a battle between ships given by class or by their keys.

    Without ships the second side has yet to choose them.
    """
    sides: list[dict[str, Any]] = []
    for name, ships in (("nac", first), ("esu", second)):
        if ships is None:
            sides.append({"name": name, "muster": {}})
            continue
        entries = []
        for number, ship in enumerate(ships):
            entry = {"class": ship} if isinstance(ship, str) else ship
            entries.append({"id": f"{name}{number}", "course": 3, "velocity": 6, **entry})
        sides.append({"name": name, "ships": entries})
    document = {
        "edition": edition,
        "bogeys": True,
        "sides": sides,
        "deployment": {"kind": "converging"},
        **keys,
    }
    for side, course in zip(sides, (12, 6), strict=True):
        for entry in side.get("ships", ()):
            entry["course"] = course
    try:
        battle_file(document)
    except RuleViolations as refused:
        return [(fault.where, fault.code) for fault in refused.violations]
    return []


def test_points_include_decoys() -> None:
    """A decoy drone costs 20 points."""
    drone = {"dummy": True}
    assert faults([ESCORT], [CRUISER], points=238) == []
    assert faults([ESCORT], [CRUISER, drone], points=257) == [("sides[1]", "too-many-points")]
    assert faults([ESCORT], [CRUISER, drone], points=258) == []
    assert faults([ESCORT], [CAPITAL]) == []


def test_limits_of_composition_name_side_and_ship() -> None:
    assert faults([ESCORT, ESCORT], [{"dummy": True}, CAPITAL], limits=["patrol"]) == [
        ("sides[1].ships[1]", "capital-on-patrol")
    ]
    assert faults([CRUISER], [ESCORT], limits=["patrol"]) == [("sides[0]", "over-half")]
    assert faults([CAPITAL, CRUISER, ESCORT], [CAPITAL, CRUISER], limits=["escorted"]) == [
        ("sides[1]", "unescorted")
    ]


def test_ships_without_ftl_need_an_agreement() -> None:
    """Battles without limits, such as those around a station, do not ask for drives."""
    fleets = ([NO_DRIVE], ["Frigate"], "continuum")
    assert faults(*fleets) == []
    assert faults(*fleets, points=2000) == [("sides[0].ships[0]", "no-ftl")]
    assert faults(*fleets, points=2000, without_ftl=True) == []


def test_combat_points_limit_continuum_fleets() -> None:
    """The Sovereign Battleship costs 473 points and 522 combat points."""
    fleets = (["Frigate"], ["Sovereign Battleship"], "continuum")
    assert faults(*fleets, points=480) == []
    assert faults(*fleets, points=480, value="cpv") == [("sides[1]", "too-many-points")]
    assert faults([ESCORT], [CRUISER], value="cpv") == [("value", "unknown-value")]


def test_identical_fleets_have_the_same_ships() -> None:
    assert faults([ESCORT, CRUISER], [CRUISER, ESCORT], identical=True) == []
    assert faults([ESCORT], [ESCORT, ESCORT], identical=True) == [("sides[1]", "not-identical")]
    assert faults([ESCORT], [ESCORT, {"dummy": True}], identical=True) == [
        ("sides[1]", "not-identical")
    ]


def test_a_side_that_has_yet_to_choose_its_ships_cannot_fight() -> None:
    assert faults([CRUISER], None, points=100) == [
        ("sides[1]", "no-ships"),
        ("sides[0]", "too-many-points"),
    ]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"points": 0}, ("points", "points")),
        ({"points": "many"}, ("points", "not-a-number")),
        ({"limits": ["small"]}, ("limits[0]", "unknown-limit")),
        ({"value": "gold"}, ("value", "unknown-value")),
        ({"without_ftl": 1}, ("without_ftl", "not-a-flag")),
        ({"identical": "yes"}, ("identical", "not-a-flag")),
    ],
)
def test_faults_of_the_keys(keys: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults([ESCORT], [ESCORT], **keys) == [fault]
