"""Craft with FTL drives: they arrive in flight, and return after their ships."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.table import Table
from engine.fighters.hangars import come_home
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    N1,
    N2,
    N3,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

FTL = ("ftl",)
ALL = launch("hangar-1", "hangar-2", "hangar-3")
BAY = "r1/boat-bay-1"


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "order-refused", "flight-refused")]


def bay_boats() -> dict[str, Any]:
    """Return `r1` with boats that have FTL drives in a bay."""
    document = squadrons("beam", 60.0, beside="boat-bay")
    bay = next(
        system
        for system in document["sides"][0]["ships"][0]["design"]["systems"]
        if system["type"] == "boat-bay"
    )
    bay |= {"mass": 36, "load": {"beam": 6}, "mods": ["ftl"]}
    return document


@pytest.mark.rule("pc.fighter-types")
class TestFtlFighters:
    def test_ftl_fighters_begin_in_flight_with_endurance_used(self) -> None:
        battle = play_turns(carriers("standard", "", 60.0, mods=FTL), turn(ALL))
        assert flying_groups(battle) == [N1, N2, N3]  # through two tubes
        assert {group(battle, name).used_endurance for name in (N1, N2, N3)} == {1}

    def test_long_range_ftl_fighters_have_eight_left(self) -> None:
        battle = play_turns(carriers("standard", "", 60.0, mods=("long-range", "ftl")), turn(ALL))
        assert group(battle, N1).row.endurance - group(battle, N1).used_endurance == 8

    def test_ftl_fighters_fly_a_full_move_and_their_ship_manoeuvres(self) -> None:
        orders = turn(
            {"r1": "P1 +1; launch hangar-1 hangar-2 hangar-3"}, {N1: "to 60 44", N2: "to 60 44.1"}
        )
        battle = play_turns(carriers("standard", "", 60.0, mods=FTL), orders)
        assert refusals(battle) == ["it can fly only 24 MU"]
        assert (group(battle, N1).y, ship_of(battle, "r1").course) == (44.0, 11)

    def test_other_fighters_are_launched_normally(self) -> None:
        battle = play_turns(carriers("standard", "", 60.0), turn(ALL))
        assert (refusals(battle), flying_groups(battle)) == (
            ["its launch tubes can launch 2 groups a turn, not 3"],
            [],
        )
        battle = play_turns(carriers("standard", "", 60.0), turn(launch(), {N1: "to 60 44"}))
        assert refusals(battle) == ["it can fly only 12 MU"]

    def test_ftl_fighters_need_tubes_after_the_first_turn(self) -> None:
        battle = play_turns(carriers("standard", "", 60.0, mods=FTL), turn(), turn(ALL))
        assert refusals(battle) == ["its launch tubes can launch 2 groups a turn, not 3"]
        battle = play_turns(
            carriers("standard", "", 60.0, mods=FTL), turn(), turn(launch(), {N1: "to 60 44"})
        )
        assert (refusals(battle), group(battle, N1).used_endurance) == (
            ["it can fly only 12 MU"],
            0,
        )

    def test_file_with_flying_ftl_fighters_counts_an_endurance(self) -> None:
        document = carriers("standard", "", 60.0, mods=FTL)
        document["sides"][0]["ships"][0]["groups"] = {
            "hangar-1": {"at": [60, 24]}, "hangar-2": {"at": [60, 24], "endurance": 6}, "hangar-3": {}
        }  # fmt: skip
        battle = start_battle(document)
        assert (group(battle, N1).used_endurance, group(battle, N2).used_endurance) == (1, 0)

    def test_ftl_fighters_follow_their_ship_and_others_are_lost(self) -> None:
        for mods, home in ((FTL, 6), ((), 0)):
            battle = play_turns(carriers("standard", "", 60.0, mods=mods), turn(launch()))
            ship = ship_of(battle, "r1")
            ship.status = type(ship.status)("ftl")
            come_home(Table(battle.state, Dice("a")))
            assert (flying_groups(battle), ship.stock[ship.profile.index_of["hangar-1"]]) == (
                [],
                home,
            )

    def test_ftl_drive_costs_a_point_each(self) -> None:
        documents = [
            carriers("standard", "", mods=mods)["sides"][0]["ships"][0] for mods in ((), FTL)
        ]
        plain, ftl = (points_of(document) for document in documents)
        assert ftl - plain == 18


def points_of(ship: dict[str, Any]) -> int:
    document = carriers("standard", "")
    document["sides"][0]["ships"][0] = ship
    return ship_of(start_battle(document), "r1").sheet.points


@pytest.mark.rule("pc.gunboats")
class TestFtlBoats:
    def test_ftl_fighters_travel_without_cost(self) -> None:
        orders = turn({"r1": "P1; launch boat-bay-1"}, {BAY: "to 60 38"})
        battle = play_turns(bay_boats(), orders)
        assert (refusals(battle), group(battle, BAY).used_endurance, group(battle, BAY).y) == (
            [],
            0,
            38.0,
        )

    def test_rack_boats_do_not_travel(self) -> None:
        battle = play_turns(squadrons("beam", 60.0), turn({"r1": "P1; launch gunboat-rack-1"}))
        assert (refusals(battle), flying_groups(battle)) == (
            ["a ship that launches fighters must keep its course and velocity"],
            [],
        )
        assert S1 not in flying_groups(battle)


@pytest.mark.rule("pc.fighter-types", "pc.gunboats")
class TestCaptainsWithFtlCraft:
    def test_all_ftl_fighters_travel(self) -> None:
        document = carriers("attack", "", 40.0, mods=FTL, r={"velocity": 4})
        plots = Captain(Doctrine(), Dice("a")).plots(observe(start_battle(document).state, 0))
        assert sorted(plots["r1"].launch) == ["hangar-1", "hangar-2", "hangar-3"]
