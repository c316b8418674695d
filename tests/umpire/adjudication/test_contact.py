"""Those in contact since an earlier week: stand-offs that last, contested systems, withdrawing
before movement.
"""

from __future__ import annotations

import pytest

from campaign.rules.orders import Decide, Dock, Move, Orders
from campaign.rules.world import Contact, World
from tests.umpire.adjudication.field import (
    COLONY,
    DEEP,
    PORT,
    ROCK,
    codes,
    decide,
    fleet,
    fleet_of,
    holding,
    move,
    resolve,
    scenario,
    ship_of,
    stand_off,
    week_through,
    world,
)

FIELD = scenario()
GLARE = (stand_off(PORT, "red", "blue", "red"),)


def glaring(*red: str, at_week: int = 3) -> World:
    return world(
        FIELD,
        fleet("red/f1", PORT, *(red or ("Cruiser",)), back="0302"),
        fleet("blue/f1", PORT, "Cruiser", back="0404"),
        contacts=GLARE,
        at_week=at_week,
    )


@pytest.mark.rule("camp.stand-off")
def test_a_stand_off_lasts_until_somebody_chooses_otherwise_and_the_occupant_stays_inside() -> None:
    found = week_through(
        FIELD, world(FIELD, fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", PORT, "Cruiser"))
    ).world
    for _ in range(3):
        assert found.contacts == GLARE
        assert (holding(found, "port").holder, holding(found, "port").state) == ("red", "stand-off")
        found = week_through(FIELD, found).world


@pytest.mark.rule("camp.stand-off")
def test_neither_inside_where_nobody_held_the_system() -> None:
    before = world(FIELD, fleet("red/f1", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Cruiser"))
    found = week_through(FIELD, before).world
    assert found.contacts == (stand_off(ROCK, "red", "blue"),)
    assert holding(found, "rock").holder is None


@pytest.mark.rule("camp.stand-off")
def test_nothing_more_is_learnt_in_a_stand_off() -> None:
    found = resolve(FIELD, glaring())
    assert [told.code for told in found.week_events] == ["decided", "scan", "scan"]
    assert {scan.counts for scan in found.world.scans} == {(("cruiser", 1),)}


@pytest.mark.rule("camp.stand-off")
def test_the_choice_of_those_in_contact_comes_with_the_orders_and_is_not_asked_again() -> None:
    found = resolve(FIELD, glaring(), decide(red=(PORT, "blue", "fight"))).world
    (pair,) = found.pairs
    assert (pair.choice_a, pair.choice_b, pair.settled) == ("stand-off", "fight", "battle")
    ready = resolve(FIELD, found, decide(red=(PORT, "blue", "stand-off"))).world
    assert [item.hostile for item in ready.engagements] == [(("blue", "red"),)]


@pytest.mark.rule("camp.stand-off")
def test_moving_out_is_withdrawing_and_needs_no_die_where_the_other_stands_off() -> None:
    found = resolve(FIELD, glaring(), move(blue={"blue/f1": COLONY})).world
    assert (fleet_of(found, "blue/f1").hex, found.pairs) == (COLONY, ())


@pytest.mark.rule("camp.stand-off")
@pytest.mark.parametrize("die", [1, 5, 6])
def test_moving_out_is_diced_before_movement_where_the_other_fights(die: int) -> None:
    orders = move(blue={"blue/f1": COLONY}) | decide(red=(PORT, "blue", "fight"))
    met = resolve(FIELD, glaring(), orders, {"catch": [die]}).world
    assert fleet_of(met, "blue/f1").hex == (PORT if die == 6 else COLONY)
    ready = resolve(FIELD, met).world
    assert [item.caught for item in ready.engagements] == ([("blue",)] if die == 6 else [])


@pytest.mark.rule("camp.stand-off")
def test_who_withdraws_without_a_move_goes_one_hex_back_the_way_it_came() -> None:
    found = resolve(FIELD, glaring(), decide(blue=(PORT, "red", "withdraw"))).world
    assert (fleet_of(found, "blue/f1").hex, fleet_of(found, "blue/f1").in_ftl) == ("0404", False)


@pytest.mark.rule("camp.stand-off")
def test_one_fleet_that_moves_out_takes_all_of_its_faction_with_it() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser", back="0404"),
        fleet("blue/f2", PORT, "Destroyer", back="0202"),
        contacts=GLARE,
    )
    found = resolve(FIELD, before, move(blue={"blue/f1": COLONY})).world
    assert [fleet_of(found, key).hex for key in ("blue/f1", "blue/f2")] == [COLONY, "0202"]


@pytest.mark.rule("camp.non-ftl")
def test_what_cannot_leave_stays_in_contact_while_the_others_move() -> None:
    found = resolve(
        FIELD, glaring("Guard", "Cruiser"), decide(red=(PORT, "blue", "withdraw"))
    ).world
    assert {key: fleet_of(found, key).hex for key in ("red/f1", "red/f1.2")} == {
        "red/f1": "0302",
        "red/f1.2": PORT,
    }
    assert [(pair.a, pair.b, pair.settled) for pair in found.pairs] == [("blue", "red", "apart")]
    assert resolve(FIELD, found).world.contacts == GLARE


@pytest.mark.rule("camp.stand-off")
def test_reinforcements_of_a_stand_off_are_bound_by_the_choice_given() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        fleet("blue/f2", DEEP, "Battleship"),
        contacts=GLARE,
    )
    orders = move(blue={"blue/f2": PORT})
    orders["blue"] = Orders(moves=orders["blue"].moves, decide=(Decide(PORT, "red", "stand-off"),))
    met = resolve(FIELD, before, orders).world
    (pair,) = met.pairs
    assert (pair.settled, pair.choice_a) == ("apart", "stand-off")
    assert [scan.counts for scan in met.scans if scan.viewer == "red"] == [
        (("capital", 1), ("cruiser", 1))
    ]


@pytest.mark.rule("camp.meeting")
def test_a_newcomer_meets_those_who_glare_and_may_draw_one_into_battle() -> None:
    three = scenario(("red", "blue", "green"))
    before = world(
        three,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        fleet("green/f1", DEEP, "Battleship"),
        contacts=GLARE,
    )
    met = resolve(three, before, move(green={"green/f1": PORT})).world
    assert [(pair.a, pair.b, pair.settled) for pair in met.pairs] == [
        ("blue", "green", None),
        ("blue", "red", "apart"),
        ("green", "red", None),
    ]
    ready = resolve(
        three, met, decide(green=(PORT, "blue", "fight"), blue=(PORT, "green", "stand-off"))
    ).world
    assert [item.sides for item in ready.engagements] == [(("blue",), ("green",))]
    assert [(item.a, item.b, item.inner) for item in ready.contacts] == [
        ("blue", "red", "red"),
        ("green", "red", "red"),
    ]


@pytest.mark.rule("camp.must-leave")
def test_when_both_leave_a_stand_off_the_system_is_nobodys_this_week() -> None:
    orders = decide(red=(PORT, "blue", "withdraw"), blue=(PORT, "red", "withdraw"))
    found = week_through(FIELD, glaring(), orders=orders).world
    assert (holding(found, "port").holder, holding(found, "port").since) == (None, 3)
    assert holding(week_through(FIELD, found).world, "port").holder == "red"


# --- after a battle


def fighting() -> dict[str, Orders]:
    return decide(red=(PORT, "blue", "fight"))


@pytest.mark.rule("camp.contested")
@pytest.mark.parametrize("status", ["left", "fighting"])
def test_where_both_remain_after_a_battle_the_system_is_contested_and_nobodys(status: str) -> None:
    outcome = week_through(FIELD, glaring(), orders=fighting(), blue=status)
    assert outcome.world.contacts == (Contact(PORT, "blue", "red", "contested", ""),)
    assert holding(outcome.world, "port").holder is None
    assert (holding(outcome.world, "port").state, holding(outcome.world, "port").superior) == (
        "contested",
        None,
    )
    assert "contested" in codes(outcome, "blue")


@pytest.mark.rule("camp.contested")
def test_a_contested_system_asks_for_a_new_choice_in_the_next_week() -> None:
    found = week_through(FIELD, glaring(), orders=fighting(), blue="left").world
    rejoined = resolve(FIELD, found, fighting()).world
    assert [pair.settled for pair in rejoined.pairs] == ["battle"]
    calmed = week_through(FIELD, found).world
    assert (holding(calmed, "port").state, holding(calmed, "port").holder) == ("stand-off", None)
    fled = week_through(FIELD, found, orders=move(blue={"blue/f1": COLONY})).world
    assert (holding(fled, "port").state, holding(fled, "port").holder) == ("held", "red")


@pytest.mark.rule("camp.battle")
def test_ships_that_left_under_ftl_are_out_of_the_system_and_must_move_on() -> None:
    outcome = week_through(
        FIELD, glaring("Cruiser", "Destroyer"), orders=fighting(), red_f1_1="ftl"
    )
    found = outcome.world
    gone, stayed = fleet_of(found, "red/f1"), fleet_of(found, "red/f1.2")
    assert (gone.in_ftl, gone.must_leave, stayed.in_ftl) == (True, True, False)
    assert (ship_of(found, "red/f1/1").fleet, ship_of(found, "red/f1/2").fleet) == (
        "red/f1",
        "red/f1.2",
    )
    assert [item.state for item in found.contacts] == ["contested"]


@pytest.mark.rule("camp.battle")
def test_the_side_that_is_left_alone_holds_the_field() -> None:
    outcome = week_through(FIELD, glaring(), orders=fighting(), red="destroyed")
    found = outcome.world
    assert (found.contacts, holding(found, "port").holder, holding(found, "port").superior) == (
        (),
        "blue",
        "blue",
    )
    assert [(loss.ship.key, loss.week, loss.hex, loss.how) for loss in found.losses] == [
        ("red/f1/1", 3, PORT, "destroyed")
    ]
    assert [item.key for item in found.fleets] == ["blue/f1"]
    (told,) = [item for item in outcome.week_events if item.code == "ship-lost"]
    assert told.audience == ("red",)


@pytest.mark.rule("camp.battle")
def test_the_report_of_a_battle_says_who_fell_but_not_who_got_away() -> None:
    outcome = week_through(FIELD, glaring(), orders=fighting(), red="ftl", blue="destroyed")
    (told,) = [item for item in outcome.week_events if item.code == "battle-over"]
    assert dict(told.facts) == {"turns": 5, "winner": "", "blue-lost": 1, "red-lost": 0}


@pytest.mark.rule("camp.repairs")
def test_docked_ships_take_no_part_in_a_battle() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser", "Destroyer"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/2": {"docked": True}},
        contacts=GLARE,
    )
    orders = {"red": Orders(decide=(Decide(PORT, "blue", "fight"),), dock=(Dock("red/f1/2"),))}
    found = week_through(FIELD, before, orders=orders, red="destroyed", blue="destroyed").world
    assert [ship.key for ship in found.ships] == ["red/f1/2"]


@pytest.mark.rule("camp.stand-off")
def test_a_move_of_who_is_caught_is_not_made() -> None:
    orders = {
        "blue": Orders(moves=(Move("blue/f1", to=COLONY),)),
        "red": Orders(decide=(Decide(PORT, "blue", "fight"),)),
    }
    outcome = resolve(FIELD, glaring(), orders, {"catch": [6]})
    assert fleet_of(outcome.world, "blue/f1").hex == PORT
    assert codes(outcome, "blue") == ["chase", "decided", "scan"]
