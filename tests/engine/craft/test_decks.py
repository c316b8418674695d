"""Launching, landing and rearming craft of Continuum, each rule with scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.facts import FOREVER
from engine.pieces.group import Group
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    CARRIER,
    N1,
    N2,
    N3,
    carriers,
    flying_groups,
    group,
    launch,
    turn,
)
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of


def refused(document: dict[str, Any], *turns: dict[str, Any], **dice: list[int]) -> list[str]:
    return [
        line["reason_text"]
        for line in log_lines(play_turns(document, *turns, **dice), "order-refused")
    ]


@pytest.mark.rule("pc.fighter-launch")
class TestLaunching:
    def test_tube_launches_one_group_a_turn(self) -> None:
        battle = play_turns(carriers("standard", ""), turn(launch("hangar-1", "hangar-2")))
        assert flying_groups(battle) == [N1, N2]
        assert ship_of(battle, "r1").stock[ship_of(battle, "r1").profile.index_of["hangar-1"]] == 0
        assert refused(
            carriers("standard", ""), turn(launch("hangar-1", "hangar-2", "hangar-3"))
        ) == ["its launch tubes can launch 2 groups a turn, not 3"]

    def test_thrusting_ship_launches_only_by_catapult(self) -> None:
        plot = {"r1": "+1; launch hangar-1"}
        assert refused(carriers("standard", ""), turn(plot)) == [
            "a ship that launches fighters must keep its course and velocity"
        ]
        document = carriers("standard", "", options=("catapults",))
        for system in document["sides"][0]["ships"][0]["design"]["systems"]:
            if system["type"] == "launch-tube":
                system["catapult"] = True
        assert flying_groups(play_turns(document, turn(plot))) == [N1]

    def test_combined_hangars_launch_all_and_recover_half(self) -> None:
        document = facing("combined-hangarx3", "", 40.0, options=("combined-hangars",))
        for system in document["sides"][0]["ships"][0]["design"]["systems"]:
            if system["type"] == "combined-hangar":
                system["load"] = {"standard": 6}
        bays = ("combined-hangar-1", "combined-hangar-2", "combined-hangar-3")
        land = {f"r1/{bay}": "land r1" for bay in bays}
        battle = play_turns(document, turn(launch(*bays)), turn(fighters=land), re_arm=[3, 3])
        assert flying_groups(battle) == ["r1/combined-hangar-3"]
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
            "r1 can recover no more groups this turn"
        ]

    def test_captain_lands_groups_in_the_order_of_their_bays(self) -> None:
        """The group of hangar-1 lands first, and leaves no room for that of hangar-2."""
        document = carriers("standard", "", options=())
        turns = turn(launch("hangar-2")), turn(launch("hangar-1"))
        state = play_turns({**document, "rules": "1.1"}, *turns).state
        ship = next(ship for ship in state.ships if ship.id == "r1")
        ship.alive[ship.profile.index_of["hangar-2"]] = False
        for name, craft in ((N1, 6), (N2, 3)):
            flying = state.piece(Group, name)
            flying.craft, flying.used_endurance = craft, 9
        captain = Captain(Doctrine(), Dice("a"))
        view = observe(state, 0)
        captain.plots(view)
        flights = captain.flights(view)
        assert [name for name, flight in flights.items() if flight.land] == [N1]

    def test_empty_hangar_holds_nobody(self) -> None:
        assert refused(facing(CARRIER, "", 40.0), turn(launch())) == [
            "it has no 'hangar-1' with its own craft"
        ]

    def test_nobody_launches_or_lands_without_a_tube(self) -> None:
        document = carriers("standard", "", r={"lost": ["launch-tube-1", "launch-tube-2"]})
        assert refused(document, turn(launch())) == [
            "its launch tubes can launch 0 groups a turn, not 1"
        ]

    def test_launched_group_moves_half_as_far(self) -> None:
        document = carriers("standard", "")
        assert group(play_turns(document, turn(launch(), {N1: "to 60 32"})), N1).y == 32.0
        battle = play_turns(document, turn(launch(), {N1: "to 60 33"}))
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
            ("it can fly only 12 MU")
        ]

    def test_busy_decks_disable_area_fire_control(self) -> None:
        document = carriers("standard", "standard", 12.0, beside="pds adfc")
        other = {"id": "r2", "at": [60, 24], "course": 12, "velocity": 0}
        document["sides"][0]["ships"].append({**document["sides"][0]["ships"][0], **other})
        orders = turn(
            launch(ship="r1") | launch(ship="b1"), {"b1/hangar-1": "to 60 27; face 6"},
            attack={"b1/hangar-1": "fighters>r2"}, defend={"r1": [{"weapon": "pds-1", "target": "b1/hangar-1"}]},
        )  # fmt: skip
        battle = play_turns(document, orders, point_defence=[1], fighter=[1] * 6)
        assert "its ship launches or recovers craft this turn, so its ADFC does not work" in [
            line["reason_text"] for line in log_lines(battle, "shot-refused")
        ]


@pytest.mark.rule("pc.rearming")
class TestRearming:
    @pytest.mark.parametrize(("die", "ready"), [(1, FOREVER), (2, 4), (5, 4), (6, 3)])
    def test_die_decides_when_a_group_is_rearmed(self, die: int, ready: int) -> None:
        battle = play_turns(
            carriers("standard", ""), turn(launch()), turn(fighters={N1: "land r1"}), re_arm=[die]
        )
        assert ship_of(battle, "r1").record.ready == {"hangar-1": ready}
        assert log_lines(battle, "rearmed")[0]["ready"] == (0 if ready == FOREVER else ready)

    def test_group_does_not_fly_before_it_is_rearmed(self) -> None:
        turns = turn(launch()), turn(fighters={N1: "land r1"})
        document = carriers("standard", "")
        assert refused(document, *turns, turn(launch()), re_arm=[2]) == [
            "the group of hangar-1 is not ready before turn 4"
        ]
        battle = play_turns(document, *turns, turn(), turn(launch()), re_arm=[2])
        assert (flying_groups(battle), group(battle, N1).used_endurance) == ([N1], 0)

    def test_combat_landing_grounds_all_craft_aboard(self) -> None:
        up = turn(launch("hangar-1", "hangar-2")), turn(launch("hangar-3"))
        down = turn(fighters=dict.fromkeys((N1, N2, N3), "land r1 at once"))
        battle = play_turns(carriers("standard", ""), *up, down)
        assert flying_groups(battle) == []
        assert set(ship_of(battle, "r1").record.ready.values()) == {FOREVER}


@pytest.mark.rule("pc.fighter-racks")
def test_racks_launch_all_at_once_and_recover_nobody() -> None:
    document = facing("fighter-rackx3", "", 40.0)
    for system in document["sides"][0]["ships"][0]["design"]["systems"]:
        if system["type"] == "fighter-rack":
            system |= {"load": {"standard": 6}, "mods": ["robot"]}
    bays = ("fighter-rack-1", "fighter-rack-2", "fighter-rack-3")
    battle = play_turns(
        document, turn(launch(*bays)), turn(fighters={"r1/fighter-rack-1": "land r1"})
    )
    assert len(flying_groups(battle)) == 3
    assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
        "fighters can land only on ships of their own side with hangars"
    ]
