"""Rare actions of craft under captains: bombs laid ahead of a ship, and duels of aces."""

from __future__ import annotations

import pytest

from engine.battle import fight
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    E1,
    N1,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

RACK = "gunboat-rack-1"
HOLDS = {"velocity": 6, "course": 6}


def captain() -> Captain:
    return Captain(Doctrine(), Dice("a"))


@pytest.mark.rule("pc.gunboats")
class TestBombers:
    def test_bombers_are_launched(self) -> None:
        plots = captain().plots(observe(start_battle(squadrons("plasma-bomber", 40.0)).state, 0))
        assert plots["r1"].launch

    def test_bombers_fly_to_the_targets_next_position(self) -> None:
        """b1 moves from y 62 at 6 MU a turn: it is at 56 after this turn, at 50 after the next."""
        document = squadrons("plasma-bomber", 42.0, b=HOLDS)
        battle = play_turns(
            document, turn(launch(RACK), {S1: "to 60 29"}), turn(fighters={S1: "to 60 34"})
        )
        ship = ship_of(battle, "b1")
        view = observe(battle.state, 0)
        red_captain = captain()
        red_captain.plots(view)
        flight = red_captain.flights(view)[S1]
        assert flight.to is not None
        assert flight.to == pytest.approx((60.0, ship.y - 12.0), abs=0.1)

    def test_bombers_drop_everything_and_escape(self) -> None:
        document = squadrons("plasma-bomber", 42.0, b=HOLDS, r={"velocity": 0})
        battle = play_turns(
            document, turn(launch(RACK), {S1: "to 60 29"}), turn(fighters={S1: "to 60 44"})
        )
        view = observe(battle.state, 0)
        red_captain = captain()
        red_captain.plots(view)
        dropped = red_captain.launches(view)[S1]
        assert [(load.weapon, load.count) for load in dropped] == [("plasma-bolts", 12)]
        to = red_captain.flights(view)[S1].to
        assert to is not None
        assert ((to[0] - 60.0) ** 2 + (to[1] - 44.0) ** 2) ** 0.5 > 6.0

    def test_bombers_avoid_own_ships(self) -> None:
        document = squadrons("plasma-bomber", 16.0, b={"velocity": 0})
        battle = play_turns(document, turn(launch(RACK), {S1: "to 60 28"}))
        group(battle, S1).y = 27.0
        ship_of(battle, "b1").y = 28.0
        view = observe(battle.state, 0)
        red_captain = captain()
        red_captain.plots(view)
        assert S1 not in red_captain.launches(view)

    def test_captains_bombers_drop_bombs(self) -> None:
        document = squadrons("plasma-bomber", 40.0, guard="pds", b={"boxes": 60}, r={"velocity": 4})
        ended = fight(
            start_battle(document), {"red": Doctrine(), "blue": Doctrine()}, Dice("b"), "b"
        )
        assert log_lines(ended, "craft-launched")
        assert log_lines(ended, "ordnance-burst")


@pytest.mark.rule("pc.aces")
class TestDuels:
    @pytest.mark.parametrize(
        ("ours", "known_pilots", "duels"), [(3, "ace", True), (6, "ace", False), (3, "", False)]
    )
    def test_ace_attacks_another_visible_ace(
        self, ours: int, known_pilots: str, *, duels: bool
    ) -> None:
        document = carriers("interceptor", "standard", 40.0, options=("aces",))
        for side in document["sides"]:
            side["ships"][0]["pilots"] = {
                "hangar-1": "ace",
                "hangar-2": "average",
                "hangar-3": "average",
            }
        orders = turn(launch() | {"b1": "launch hangar-1"}, {N1: "to 60 32", E1: "to 60 48"})
        battle = play_turns(
            document, orders, turn(fighters={N1: "to 60 40; face 12", E1: "to 60 43; face 6"})
        )
        group(battle, N1).craft = ours
        group(battle, E1).known_pilots = known_pilots
        attacks = captain().attacks(observe(battle.state, 0))[N1]
        assert flying_groups(battle) == [N1, E1]
        assert ("ace" in [attack.weapon for attack in attacks]) is duels
