"""Every cell of the table of decisions for two factions; several factions and alliances."""

from __future__ import annotations

import pytest

from campaign.rules.orders import Dock, Orders
from campaign.rules.scenario import Choice
from campaign.rules.world import Answer, World
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations
from tests.umpire.adjudication.field import (
    COLONY,
    PORT,
    ROCK,
    choose,
    codes,
    decide,
    fleet,
    fleet_of,
    holding,
    move,
    resolve,
    scenario,
    world,
)

FIELD = scenario()
THREE = scenario(("red", "blue", "green"))
PACT = scenario(("red", "blue", "green", "amber"), {"red": "pact", "green": "pact"})


def met(red: str = "Cruiser", blue: str = "Cruiser") -> World:
    return world(
        FIELD, fleet("red/f1", ROCK, red, back="0306"), fleet("blue/f1", ROCK, blue, back="0308")
    )


def both(red: Choice, blue: Choice) -> dict[str, object]:
    return {"red": (ROCK, "blue", red), "blue": (ROCK, "red", blue)}


def after(found: World, *keys: str) -> list[str]:
    """What each fleet is doing: here or in FTL space (and must leave)."""
    states = []
    for key in keys:
        one = fleet_of(found, key)
        assert one.in_ftl == one.must_leave
        states.append("ftl" if one.in_ftl else "here")
    return states


@pytest.mark.rule("camp.decision")
@pytest.mark.parametrize(
    ("red", "blue", "battle", "states", "contacts"),
    [
        ("fight", "fight", True, ["here", "here"], 0),
        ("fight", "stand-off", True, ["here", "here"], 0),
        ("stand-off", "fight", True, ["here", "here"], 0),
        ("stand-off", "stand-off", False, ["here", "here"], 1),
        ("stand-off", "withdraw", False, ["here", "ftl"], 0),
        ("withdraw", "stand-off", False, ["ftl", "here"], 0),
        ("withdraw", "withdraw", False, ["ftl", "ftl"], 0),
    ],
)
def test_the_table_without_a_die(
    red: Choice, blue: Choice, battle: bool, states: list[str], contacts: int
) -> None:
    found = choose(FIELD, met(), decide(**both(red, blue))).world
    assert found.stage == "battles"
    assert (bool(found.engagements), after(found, "red/f1", "blue/f1"), len(found.contacts)) == (
        battle,
        states,
        contacts,
    )


@pytest.mark.rule("camp.decision")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("runner", ["red", "blue"])
def test_one_who_withdraws_is_caught_on_a_six(runner: str, die: int) -> None:
    fighter = "blue" if runner == "red" else "red"
    orders = decide(**{runner: (ROCK, fighter, "withdraw"), fighter: (ROCK, runner, "fight")})
    outcome = choose(FIELD, met(), orders, {"catch": [die]})
    found = outcome.world
    if die == 6:
        (engagement,) = found.engagements
        assert (engagement.caught, engagement.hostile) == ((runner,), (("blue", "red"),))
        assert after(found, "red/f1", "blue/f1") == ["here", "here"]
    else:
        assert found.engagements == ()
        assert after(found, f"{runner}/f1", f"{fighter}/f1") == ["ftl", "here"]
    (told,) = [item for item in outcome.week_events if item.code == "chase"]
    assert (told.audience, dict(told.facts)["die"]) == (("blue", "red"), die)


@pytest.mark.rule("camp.decision")
@pytest.mark.parametrize(
    ("answers", "standing", "states"),
    [
        ((Answer("withdraw", "", least=1),), None, ["ftl", "here"]),
        ((Answer("withdraw", "cruiser", least=2),), None, ["here", "here"]),  # only one is read
        ((Answer("withdraw", "cruiser", least=2),), "withdraw", ["ftl", "here"]),
        ((Answer("withdraw", "capital", most=0),), None, ["ftl", "here"]),
        (
            (Answer("withdraw", "cruiser", least=1, most=1), Answer("fight", "", least=1)),
            None,
            ["ftl", "here"],
        ),
        ((Answer("stand-off", "cruiser", least=1),), "withdraw", ["here", "here"]),
        (
            (Answer("withdraw", "escort", least=1), Answer("stand-off", "", most=3)),
            "withdraw",
            ["here", "here"],
        ),
    ],
)
def test_the_first_condition_that_what_is_read_meets_counts_before_the_standing_order(
    answers: tuple[Answer, ...], standing: Choice | None, states: list[str]
) -> None:
    """Red reads one cruiser of blue's."""
    here = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", standing=standing, answers=answers),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    found = choose(FIELD, here, {})
    assert after(found.world, "red/f1", "blue/f1") == states


@pytest.mark.rule("camp.decision")
def test_a_decision_that_is_sealed_counts_before_every_condition() -> None:
    answers = (Answer("withdraw", "", least=1),)
    here = world(
        FIELD, fleet("red/f1", ROCK, "Cruiser", answers=answers), fleet("blue/f1", ROCK, "Cruiser")
    )
    found = choose(FIELD, here, decide(red=(ROCK, "blue", "stand-off")))
    assert after(found.world, "red/f1", "blue/f1") == ["here", "here"]


@pytest.mark.rule("camp.decision")
def test_who_decides_nothing_follows_the_standing_order_else_stands_off() -> None:
    standing = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", standing="withdraw"),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    assert after(choose(FIELD, standing, {}).world, "red/f1", "blue/f1") == ["ftl", "here"]
    assert choose(FIELD, met(), {}).world.contacts[0].state == "stand-off"


@pytest.mark.rule("camp.decision")
def test_the_choices_are_revealed_to_both_and_to_nobody_else() -> None:
    before = world(
        THREE,
        fleet("red/f1", ROCK, "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        fleet("green/f1", PORT, "Cruiser"),
    )
    outcome = choose(THREE, before, decide(**both("fight", "stand-off")))
    (told,) = [item for item in outcome.week_events if item.code == "decided" and item.hex == ROCK]
    assert told.audience == ("blue", "red")
    assert dict(told.facts) == {
        "a": "blue",
        "a-choice": "stand-off",
        "b": "red",
        "b-choice": "fight",
        "came-to": "battle",
    }
    assert codes(outcome, "green") == []


@pytest.mark.rule("camp.must-leave")
def test_when_both_withdraw_both_must_leave_and_the_system_is_nobodys_this_week() -> None:
    before = world(
        FIELD, fleet("red/f1", PORT, "Cruiser", back="0302"), fleet("blue/f1", PORT, "Cruiser")
    )
    orders = decide(red=(PORT, "blue", "withdraw"), blue=(PORT, "red", "withdraw"))
    found = resolve(FIELD, choose(FIELD, before, orders).world).world
    assert holding(found, "port").holder is None
    assert after(found, "red/f1", "blue/f1") == ["ftl", "ftl"]
    moved = resolve(FIELD, found).world
    assert (fleet_of(moved, "red/f1").hex, fleet_of(moved, "red/f1").must_leave) == ("0302", False)
    assert fleet_of(moved, "blue/f1").hex != PORT
    again = resolve(FIELD, resolve(FIELD, moved).world).world
    assert holding(again, "port").holder == "red"


@pytest.mark.rule("camp.must-leave")
def test_a_fleet_in_ftl_space_meets_nobody_and_moves_as_ordered() -> None:
    gone = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", in_ftl=True, must_leave=True),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    found = resolve(FIELD, gone, move(red={"red/f1": COLONY})).world
    assert (found.pairs, fleet_of(found, "red/f1").hex, fleet_of(found, "red/f1").in_ftl) == (
        (),
        COLONY,
        False,
    )


@pytest.mark.rule("camp.non-ftl")
def test_ships_that_cannot_leave_stand_off_while_the_others_leave() -> None:
    before = world(
        FIELD, fleet("red/f1", ROCK, "Guard", "Cruiser"), fleet("blue/f1", ROCK, "Cruiser")
    )
    found = choose(FIELD, before, decide(**both("withdraw", "stand-off"))).world
    assert after(found, "red/f1", "red/f1.2", "blue/f1") == ["ftl", "here", "here"]
    assert {ship.key: ship.fleet for ship in found.ships if ship.faction == "red"} == {
        "red/f1/1": "red/f1.2",
        "red/f1/2": "red/f1",
    }
    assert [contact.state for contact in found.contacts] == ["stand-off"]


@pytest.mark.rule("camp.non-ftl")
@pytest.mark.parametrize(("die", "left"), [(5, ["red/f1.2"]), (6, ["red/f1"])])
def test_ships_that_cannot_leave_are_fought_while_the_others_dice(
    die: int, left: list[str]
) -> None:
    before = world(
        FIELD, fleet("red/f1", ROCK, "Guard", "Cruiser"), fleet("blue/f1", ROCK, "Cruiser")
    )
    found = choose(FIELD, before, decide(**both("withdraw", "fight")), {"catch": [die]}).world
    assert len(found.engagements) == 1
    assert [item.key for item in found.fleets if item.faction == "red" and not item.in_ftl] == left


@pytest.mark.rule("camp.non-ftl")
def test_a_ship_whose_ftl_is_lost_stays_behind() -> None:
    before = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        ships={"red/f1/2": {"lost": ("ftl",)}},
    )
    found = choose(FIELD, before, decide(**both("withdraw", "withdraw"))).world
    assert [ship.fleet for ship in found.ships if ship.faction == "red"] == ["red/f1", "red/f1.2"]
    assert after(found, "red/f1", "red/f1.2") == ["ftl", "here"]


@pytest.mark.rule("camp.repairs")
def test_docked_ships_neither_fight_nor_leave_and_are_overrun_by_an_attack() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"docked": True}},
    )
    orders = decide(red=(PORT, "blue", "fight"), blue=(PORT, "red", "fight"))
    met_ = resolve(FIELD, before, {"red": Orders(dock=(Dock("red/f1/1"),))}).world
    found = resolve(FIELD, met_, orders).world
    assert (found.engagements, found.contacts) == ((), ())
    glaring = resolve(
        FIELD, met_, decide(red=(PORT, "blue", "fight"), blue=(PORT, "red", "stand-off"))
    ).world
    assert (glaring.engagements, [item.state for item in glaring.contacts]) == ((), ["stand-off"])


# --- several factions


@pytest.mark.rule("camp.decision")
def test_pairs_are_settled_at_the_same_moment_and_a_withdrawer_dices_against_each_that_fights_it() -> (
    None
):
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "withdraw")],
        blue=[(ROCK, "red", "fight"), (ROCK, "green", "stand-off")],
        green=[(ROCK, "red", "fight"), (ROCK, "blue", "stand-off")],
    )
    away = choose(THREE, before, orders, {"catch": [5, 5]}).world
    assert after(away, "red/f1") == ["ftl"]
    assert [(item.a, item.b) for item in away.contacts] == [("blue", "green")]
    caught = choose(THREE, before, orders, {"catch": [1, 6]}).world
    (engagement,) = caught.engagements
    assert (engagement.sides, engagement.caught) == ((("green",), ("red",)), ("red",))
    assert [(item.a, item.b) for item in caught.contacts] == [("blue", "green"), ("blue", "red")]


@pytest.mark.rule("camp.decision")
def test_a_battle_holds_one_who_withdraws_from_another() -> None:
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "fight")],
        blue=[(ROCK, "red", "fight"), (ROCK, "green", "stand-off")],
        green=[(ROCK, "red", "stand-off"), (ROCK, "blue", "stand-off")],
    )
    found = choose(THREE, before, orders, {"catch": [2]}).world
    (engagement,) = found.engagements
    assert (engagement.hostile, engagement.caught) == ((("green", "red"),), ())
    assert after(found, "red/f1") == ["here"]


@pytest.mark.rule("camp.battle")
def test_pairs_linked_by_battle_are_one_battle_of_factions_not_all_hostile_in_it() -> None:
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "fight"), (ROCK, "green", "stand-off")],
        blue=[(ROCK, "red", "stand-off"), (ROCK, "green", "fight")],
        green=[(ROCK, "red", "stand-off"), (ROCK, "blue", "stand-off")],
    )
    found = choose(THREE, before, orders).world
    (engagement,) = found.engagements
    assert engagement.sides == (("blue",), ("green",), ("red",))
    assert engagement.hostile == (("blue", "green"), ("blue", "red"))
    assert [(item.a, item.b) for item in found.contacts] == [("green", "red")]


@pytest.mark.rule("camp.battle")
def test_allies_are_one_side() -> None:
    before = world(
        PACT, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(blue=[(ROCK, "red", "fight"), (ROCK, "green", "fight")])
    (engagement,) = choose(PACT, before, orders).world.engagements
    assert engagement.sides == (("blue",), ("green", "red"))
    assert engagement.hostile == (("blue", "green"), ("blue", "red"))


@pytest.mark.rule("camp.battle")
def test_an_ally_that_no_battle_links_is_not_in_it() -> None:
    before = world(
        PACT, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    found = choose(PACT, before, decide(red=(ROCK, "blue", "fight"))).world
    (engagement,) = found.engagements
    assert engagement.sides == (("blue",), ("red",))
    assert [(item.a, item.b) for item in found.contacts] == [("blue", "green")]


@pytest.mark.rule("camp.battle")
def test_two_fights_in_one_hex_that_nothing_links_are_two_battles() -> None:
    four = scenario(("red", "blue", "green", "amber"))
    before = world(
        four, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("amber", "blue", "green", "red"))
    )
    found = choose(
        four, before, decide(red=(ROCK, "blue", "fight"), green=(ROCK, "amber", "fight"))
    ).world
    assert [item.sides for item in found.engagements] == [
        (("amber",), ("green",)),
        (("blue",), ("red",)),
    ]
    assert len({item.key for item in found.engagements}) == 2
    assert len(found.contacts) == 4


@pytest.mark.rule("camp.decision")
def test_dice_are_keyed_by_hex_and_pair_not_by_order() -> None:
    dice = KeyedDice(b"seed", ["campaign", 1])
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "withdraw")],
        blue=[(ROCK, "red", "fight")],
        green=[(ROCK, "red", "fight")],
    )
    found = resolve(THREE, resolve(THREE, before).world, orders, dice)
    expected = {
        name: KeyedDice(b"seed", ["campaign", 1]).at(ROCK).roll("catch", f"red>{name}")
        for name in ("blue", "green")
    }
    thrown = {
        dict(item.facts)["fights"]: dict(item.facts)["die"]
        for item in found.week_events
        if item.code == "chase"
    }
    assert thrown == expected


@pytest.mark.rule("camp.battle")
def test_a_battle_without_a_result_stops_the_week_and_names_it() -> None:
    ready = choose(FIELD, met(), decide(**both("fight", "fight"))).world
    with pytest.raises(RuleViolations) as caught:
        resolve(FIELD, ready)
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        (ready.engagements[0].key, "no-result")
    ]
