"""How captains use fighters and anti-fighter weapons."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.ids import GroupId
from engine.core.orders import Flight, Plot
from engine.fighters.strikes import separation
from engine.pieces.group import Group
from engine.view.side_view import observe
from tests.engine.battle.carriers import deck, start_in_flight
from tests.engine.battle.table import at, classes, setup, ship
from tools.bench.systems import ENTRIES, fight_mirrored

A, B = "r1/fighter-bay-1", "b1/fighter-bay-1"


def captain(
    battle: Battle, side: int = 0, **doctrine: Any
) -> tuple[dict[str, Plot], dict[str, Flight], dict[str, Any]]:
    """Return a captain's plots, flights and fire for a table at any phase."""
    view, captain = observe(battle.state, side), Captain(Doctrine(**doctrine), Dice(1))
    return captain.plots(view), captain.flights(view), dict(captain.fire(view))


@pytest.mark.rule("2e.fighters")
def test_fleet_launching_fighters_beats_one_that_does_not() -> None:
    score = fight_mirrored(ENTRIES["fighters"], 30)
    assert score.wins > score.losses + 15
    assert score.share > 0.8


@pytest.mark.rule("2e.anti-fighter")
def test_fleet_escorting_its_friends_beats_one_that_does_not() -> None:
    score = fight_mirrored(ENTRIES["area-defence"], 60)
    assert score.wins > score.losses
    assert score.share > 0.53


@pytest.mark.rule("2e.fighters")
def test_fighters_are_launched_near_an_enemy_from_full_bays() -> None:
    red = deck("r1", 20, 60, 3, bays=4, stock={"fighter-bay-1": 2}, velocity=4)
    far, near = (start(setup([red], [deck("b1", x, 60)]), classes()) for x in (100, 64))
    assert captain(far)[0].get("r1", Plot()).launch == ()
    assert captain(near)[0]["r1"] == Plot(launch=("fighter-bay-2", "fighter-bay-3"))
    assert captain(near, never=("fighter-bay",))[0].get("r1", Plot()).launch == ()
    assert captain(near, style="straight")[0] == {}
    carrier = near.state.ship_by_name("r1")
    bay = "fighter-bay-2"
    Group.launch(near.state, carrier, bay, contact="flight-9", at=(20, 60), course=3, turn=0)
    carrier.stock[carrier.profile.index_of[bay]] = 6  # craft of another ship
    assert captain(near)[0]["r1"].launch == ("fighter-bay-3", "fighter-bay-4")


@pytest.mark.rule("2e.fighters")
def test_carrier_avoids_guns_while_it_has_fighters() -> None:
    red = ship("r1", "Light Carrier", 20, 60, 3, 6)
    document = setup([red], [deck("b1", 90, 60, 9, guns="AAAA", velocity=0, mass=60, thrust=0)])

    def nearest(never: tuple[str, ...]) -> float:
        distances: list[float] = []
        doctrines = {"red": Doctrine(never=never), "blue": Doctrine(style="straight")}
        fight(
            start(document, classes()), doctrines, Dice(1), "1", 12,
            lambda stop: distances.append(separation(stop.after.ship_by_name("r1"), stop.after.ship_by_name("b1"))),
        )  # fmt: skip
        return min(distances)

    assert nearest(()) > nearest(("fighter-bay",)) + 5


@pytest.mark.rule("2e.fighters")
def test_fighters_attack_the_most_vulnerable_ship() -> None:
    blue = [deck("b1", 60, 76, 6, pdaf=12, screens=3), deck("b2", 72, 72, 6, guns="AA")]
    battle = start_in_flight(setup([deck("r1", 20, 20, bays=1)], blue), (A, 60, 60, 12, 6))
    flight = captain(battle)[1][A]
    assert flight.to is not None
    assert (flight.to[0] - 72) ** 2 + (flight.to[1] - 72) ** 2 <= 36
    battle.state.piece(Group, A).x, battle.state.piece(Group, A).y = flight.to
    battle.state.piece(Group, A).course = flight.face
    assert captain(battle)[2][A][0].targets[0] == at(battle, "b2").contact


@pytest.mark.rule("2e.dogfights")
def test_threatening_fighters_are_intercepted() -> None:
    document = setup([deck("r1", 50, 60, bays=1)], [deck("b1", 110, 110, bays=1)])
    battle = start_in_flight(document, (A, 50, 64, 3, 6), (B, 58, 62, 9, 6))
    assert captain(battle)[1][A].dogfight == "flight-2"
    battle.state.piece(Group, B).dogfight = GroupId(A)
    assert captain(battle)[1][A] == Flight()


@pytest.mark.rule("2e.fighters")
@pytest.mark.parametrize(("craft", "flee"), [(1, False), (6, True)])
def test_remnants_land_and_all_land_when_the_side_leaves(craft: int, flee: bool) -> None:
    document = setup([deck("r1", 50, 60, bays=1)], [deck("b1", 60, 66, pdaf=6)])
    battle = start_in_flight(document, (A, 52, 60, 3, craft))
    view, captain = (
        observe(battle.state, 0),
        Captain(Doctrine(flee=flee), Dice(1), fleeing=int(flee)),
    )
    assert captain.flights(view) == {A: Flight(land="r1")}
    battle.state.ship_by_name("r1").swerved = True
    assert captain.flights(observe(battle.state, 0))[A].to == (50, 60)


@pytest.mark.rule("2e.anti-fighter")
def test_area_defence_covers_the_attacked_friend_first() -> None:
    red = [deck("r1", 60, 60, guns="AA"), deck("r2", 65, 60, adaf=2, mass=40)]
    document = setup(red, [deck("b1", 60, 75, 6, bays=1)])
    battle = start_in_flight(document, (B, 55, 60, 3, 6), stop="engage")
    fire = Captain(Doctrine(), Dice(1)).fire(observe(battle.state, 0))
    assert [name for name, _ in fire] == ["r2", "r1"]
    assert [(shot.weapon, shot.targets) for shot in fire[0][1]] == [
        ("adaf-1", ("flight-1",)),
        ("adaf-2", ("flight-1",)),
    ]
    silent = Captain(Doctrine(never=("adaf",)), Dice(1)).fire(observe(battle.state, 0))
    assert [name for name, _ in silent] == ["r1"]


ROCK = {"at": [60, 63], "radius": 1}


@pytest.mark.rule("2e.asteroids", "2e.fighters", "2e.anti-fighter")
@pytest.mark.parametrize(("asteroids", "fires"), [([], True), ([ROCK], False)])
def test_asteroids_block_fire_at_and_by_fighters(asteroids: list[Any], fires: bool) -> None:
    document = setup([deck("r1", 60, 60, adaf=1, mass=40)], [deck("b1", 60, 90, 6, bays=1)]) | {
        "asteroids": asteroids
    }
    battle = start_in_flight(document, (B, 60, 65.5, 6, 6), stop="engage")
    flak, strike = (
        Captain(Doctrine(), Dice(1)).fire(observe(battle.state, side)) for side in (0, 1)
    )
    assert any(shot.weapon == "adaf-1" for _, shots in flak for shot in shots) is fires
    assert any(name == B for name, _ in strike) is fires


@pytest.mark.rule("2e.dogfights", "2e.anti-fighter")
def test_nobody_fires_into_a_dogfight() -> None:
    red = [deck("r1", 60, 60, bays=2), deck("r2", 60, 62, adaf=1, mass=40)]
    battle = start_in_flight(
        setup(red, [deck("b1", 60, 90, 6, bays=1)]),
        (A, 60, 64, 12, 6),
        (B, 60, 65, 6, 6),
        stop="engage",
    )
    aimed = [
        shots
        for _, fires in Captain(Doctrine(), Dice(1)).fire(observe(battle.state, 0))
        for shots in fires
    ]
    assert any("flight-2" in shot.targets for shot in aimed)
    battle.state.piece(Group, B).dogfight = GroupId(A)
    aimed = [
        shots
        for _, fires in Captain(Doctrine(), Dice(1)).fire(observe(battle.state, 0))
        for shots in fires
    ]
    assert not any("flight-2" in shot.targets for shot in aimed)
