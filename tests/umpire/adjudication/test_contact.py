"""Contacts since an earlier week: lasting stand-offs, contested systems, withdrawal before
movement.
"""

from __future__ import annotations

import pytest

from campaign.rules.orders import Decision, Dock, Move, Orders
from campaign.rules.world import Contact, World
from tests.umpire.adjudication.small_sector import (
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
STAND_OFF = (stand_off(PORT, "red", "blue", "red"),)


def stand_off_world(*red: str, at_week: int = 3) -> World:
    return world(
        FIELD,
        fleet("red/f1", PORT, *(red or ("Cruiser",)), back="0302"),
        fleet("blue/f1", PORT, "Cruiser", back="0404"),
        contacts=STAND_OFF,
        at_week=at_week,
    )


@pytest.mark.rule("camp.stand-off")
def test_stand_off_lasts_until_a_choice_and_the_occupant_stays_inside() -> None:
    world_after = week_through(
        FIELD, world(FIELD, fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", PORT, "Cruiser"))
    ).world
    for _ in range(3):
        assert world_after.contacts == STAND_OFF
        assert (holding(world_after, "port").holder, holding(world_after, "port").state) == (
            "red",
            "stand-off",
        )
        world_after = week_through(FIELD, world_after).world


@pytest.mark.rule("camp.stand-off")
def test_nobody_is_inside_an_unheld_system() -> None:
    before = world(FIELD, fleet("red/f1", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Cruiser"))
    world_after = week_through(FIELD, before).world
    assert world_after.contacts == (stand_off(ROCK, "red", "blue"),)
    assert holding(world_after, "rock").holder is None


@pytest.mark.rule("camp.stand-off")
def test_stand_off_reveals_nothing_more() -> None:
    outcome = resolve(FIELD, stand_off_world())
    assert [event.code for event in outcome.week_events] == ["decided", "scan", "scan"]
    assert {scan.counts for scan in outcome.world.scans} == {(("cruiser", 1),)}


@pytest.mark.rule("camp.stand-off")
def test_factions_in_contact_choose_with_their_orders() -> None:
    contact_world = resolve(FIELD, stand_off_world(), decide(red=(PORT, "blue", "fight"))).world
    (pair,) = contact_world.pairs
    assert (pair.choice_a, pair.choice_b, pair.settled) == ("stand-off", "fight", "battle")
    ready = resolve(FIELD, contact_world, decide(red=(PORT, "blue", "stand-off"))).world
    assert [item.hostile for item in ready.engagements] == [(("blue", "red"),)]


@pytest.mark.rule("camp.stand-off")
def test_moving_out_of_a_stand_off_needs_no_die() -> None:
    contact_world = resolve(FIELD, stand_off_world(), move(blue={"blue/f1": COLONY})).world
    assert (fleet_of(contact_world, "blue/f1").hex, contact_world.pairs) == (COLONY, ())


@pytest.mark.rule("camp.stand-off")
@pytest.mark.parametrize("die", [1, 5, 6])
def test_moving_out_is_rolled_if_the_other_fights(die: int) -> None:
    orders = move(blue={"blue/f1": COLONY}) | decide(red=(PORT, "blue", "fight"))
    contact_world = resolve(FIELD, stand_off_world(), orders, {"catch": [die]}).world
    assert fleet_of(contact_world, "blue/f1").hex == (PORT if die == 6 else COLONY)
    ready = resolve(FIELD, contact_world).world
    assert [item.caught for item in ready.engagements] == ([("blue",)] if die == 6 else [])


@pytest.mark.rule("camp.stand-off")
def test_withdrawal_without_a_move_goes_one_hex_back() -> None:
    contact_world = resolve(FIELD, stand_off_world(), decide(blue=(PORT, "red", "withdraw"))).world
    assert (fleet_of(contact_world, "blue/f1").hex, fleet_of(contact_world, "blue/f1").in_ftl) == (
        "0404",
        False,
    )


@pytest.mark.rule("camp.stand-off")
def test_one_moving_fleet_takes_its_whole_faction_out() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser", back="0404"),
        fleet("blue/f2", PORT, "Destroyer", back="0202"),
        contacts=STAND_OFF,
    )
    contact_world = resolve(FIELD, before, move(blue={"blue/f1": COLONY})).world
    assert [fleet_of(contact_world, key).hex for key in ("blue/f1", "blue/f2")] == [COLONY, "0202"]


@pytest.mark.rule("camp.non-ftl")
def test_immobile_ships_stay_in_contact() -> None:
    contact_world = resolve(
        FIELD, stand_off_world("Guard", "Cruiser"), decide(red=(PORT, "blue", "withdraw"))
    ).world
    assert {key: fleet_of(contact_world, key).hex for key in ("red/f1", "red/f1.2")} == {
        "red/f1": "0302",
        "red/f1.2": PORT,
    }
    assert [(pair.a, pair.b, pair.settled) for pair in contact_world.pairs] == [
        ("blue", "red", "apart")
    ]
    assert resolve(FIELD, contact_world).world.contacts == STAND_OFF


@pytest.mark.rule("camp.stand-off")
def test_reinforcements_share_the_choice_in_a_stand_off() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        fleet("blue/f2", DEEP, "Battleship"),
        contacts=STAND_OFF,
    )
    orders = move(blue={"blue/f2": PORT})
    orders["blue"] = Orders(
        moves=orders["blue"].moves, decide=(Decision(PORT, "red", "stand-off"),)
    )
    contact_world = resolve(FIELD, before, orders).world
    (pair,) = contact_world.pairs
    assert (pair.settled, pair.choice_a) == ("apart", "stand-off")
    assert [scan.counts for scan in contact_world.scans if scan.viewer == "red"] == [
        (("capital", 1), ("cruiser", 1))
    ]


@pytest.mark.rule("camp.meeting")
def test_newcomer_meets_both_sides_of_a_stand_off() -> None:
    three = scenario(("red", "blue", "green"))
    before = world(
        three,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        fleet("green/f1", DEEP, "Battleship"),
        contacts=STAND_OFF,
    )
    contact_world = resolve(three, before, move(green={"green/f1": PORT})).world
    assert [(pair.a, pair.b, pair.settled) for pair in contact_world.pairs] == [
        ("blue", "green", None),
        ("blue", "red", "apart"),
        ("green", "red", None),
    ]
    ready = resolve(
        three,
        contact_world,
        decide(green=(PORT, "blue", "fight"), blue=(PORT, "green", "stand-off")),
    ).world
    assert [item.sides for item in ready.engagements] == [(("blue",), ("green",))]
    assert [(item.a, item.b, item.inner) for item in ready.contacts] == [
        ("blue", "red", "red"),
        ("green", "red", "red"),
    ]


@pytest.mark.rule("camp.must-leave")
def test_system_left_by_both_is_held_by_nobody() -> None:
    orders = decide(red=(PORT, "blue", "withdraw"), blue=(PORT, "red", "withdraw"))
    world_after = week_through(FIELD, stand_off_world(), orders=orders).world
    assert (holding(world_after, "port").holder, holding(world_after, "port").since) == (None, 3)
    assert holding(week_through(FIELD, world_after).world, "port").holder == "red"


# --- after a battle


def fight_decisions() -> dict[str, Orders]:
    return decide(red=(PORT, "blue", "fight"))


@pytest.mark.rule("camp.contested")
@pytest.mark.parametrize("status", ["left", "fighting"])
def test_battle_without_a_winner_contests_the_system(status: str) -> None:
    outcome = week_through(FIELD, stand_off_world(), orders=fight_decisions(), blue=status)
    assert outcome.world.contacts == (Contact(PORT, "blue", "red", "contested", ""),)
    assert holding(outcome.world, "port").holder is None
    assert (holding(outcome.world, "port").state, holding(outcome.world, "port").superior) == (
        "contested",
        None,
    )
    assert "contested" in codes(outcome, "blue")


@pytest.mark.rule("camp.contested")
def test_contested_system_needs_new_choices() -> None:
    world_after = week_through(
        FIELD, stand_off_world(), orders=fight_decisions(), blue="left"
    ).world
    rejoined = resolve(FIELD, world_after, fight_decisions()).world
    assert [pair.settled for pair in rejoined.pairs] == ["battle"]
    calmed = week_through(FIELD, world_after).world
    assert (holding(calmed, "port").state, holding(calmed, "port").holder) == ("stand-off", None)
    fled = week_through(FIELD, world_after, orders=move(blue={"blue/f1": COLONY})).world
    assert (holding(fled, "port").state, holding(fled, "port").holder) == ("held", "red")


@pytest.mark.rule("camp.battle")
def test_ships_that_left_by_ftl_must_move_on() -> None:
    outcome = week_through(
        FIELD, stand_off_world("Cruiser", "Destroyer"), orders=fight_decisions(), red_f1_1="ftl"
    )
    world_after = outcome.world
    departed, stayed = fleet_of(world_after, "red/f1"), fleet_of(world_after, "red/f1.2")
    assert (departed.in_ftl, departed.must_leave, stayed.in_ftl) == (True, True, False)
    assert (ship_of(world_after, "red/f1/1").fleet, ship_of(world_after, "red/f1/2").fleet) == (
        "red/f1",
        "red/f1.2",
    )
    assert [item.state for item in world_after.contacts] == ["contested"]


@pytest.mark.rule("camp.battle")
def test_last_side_present_holds_the_field() -> None:
    outcome = week_through(FIELD, stand_off_world(), orders=fight_decisions(), red="destroyed")
    world_after = outcome.world
    assert (
        world_after.contacts,
        holding(world_after, "port").holder,
        holding(world_after, "port").superior,
    ) == (
        (),
        "blue",
        "blue",
    )
    assert [(loss.ship.key, loss.week, loss.hex, loss.cause) for loss in world_after.losses] == [
        ("red/f1/1", 3, PORT, "destroyed")
    ]
    assert [item.key for item in world_after.fleets] == ["blue/f1"]
    (event,) = [item for item in outcome.week_events if item.code == "ship-lost"]
    assert event.audience == ("red",)


@pytest.mark.rule("camp.battle")
def test_battle_report_names_losses_but_not_escapes() -> None:
    outcome = week_through(
        FIELD, stand_off_world(), orders=fight_decisions(), red="ftl", blue="destroyed"
    )
    (event,) = [item for item in outcome.week_events if item.code == "battle-over"]
    assert dict(event.facts) == {"turns": 5, "winner": "", "blue-lost": 1, "red-lost": 0}


@pytest.mark.rule("camp.repairs")
def test_docked_ships_do_not_fight() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser", "Destroyer"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/2": {"docked": True}},
        contacts=STAND_OFF,
    )
    orders = {"red": Orders(decide=(Decision(PORT, "blue", "fight"),), dock=(Dock("red/f1/2"),))}
    world_after = week_through(
        FIELD, before, orders=orders, red="destroyed", blue="destroyed"
    ).world
    assert [ship.key for ship in world_after.ships] == ["red/f1/2"]


@pytest.mark.rule("camp.stand-off")
def test_caught_fleet_does_not_move() -> None:
    orders = {
        "blue": Orders(moves=(Move("blue/f1", to=COLONY),)),
        "red": Orders(decide=(Decision(PORT, "blue", "fight"),)),
    }
    outcome = resolve(FIELD, stand_off_world(), orders, {"catch": [6]})
    assert fleet_of(outcome.world, "blue/f1").hex == PORT
    assert codes(outcome, "blue") == ["chase", "decided", "scan"]
