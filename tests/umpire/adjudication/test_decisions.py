"""Every cell of the decision table for two factions; then several factions and alliances."""

from __future__ import annotations

import pytest

from campaign.rules.orders import Dock, Orders
from campaign.rules.scenario import Choice
from campaign.rules.world import Answer, World
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations
from tests.umpire.adjudication.small_sector import (
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


def meeting(red: str = "Cruiser", blue: str = "Cruiser") -> World:
    return world(
        FIELD, fleet("red/f1", ROCK, red, back="0306"), fleet("blue/f1", ROCK, blue, back="0308")
    )


def choices_of_both(red: Choice, blue: Choice) -> dict[str, object]:
    return {"red": (ROCK, "blue", red), "blue": (ROCK, "red", blue)}


def fleet_states(state: World, *keys: str) -> list[str]:
    """Return the state of each fleet: here, or in FTL space and leaving."""
    states = []
    for key in keys:
        unit = fleet_of(state, key)
        assert unit.in_ftl == unit.must_leave
        states.append("ftl" if unit.in_ftl else "here")
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
def test_choices_without_a_die(
    red: Choice, blue: Choice, battle: bool, states: list[str], contacts: int
) -> None:
    world_after = choose(FIELD, meeting(), decide(**choices_of_both(red, blue))).world
    assert world_after.stage == "battles"
    assert (
        bool(world_after.engagements),
        fleet_states(world_after, "red/f1", "blue/f1"),
        len(world_after.contacts),
    ) == (
        battle,
        states,
        contacts,
    )


@pytest.mark.rule("camp.decision")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("runner", ["red", "blue"])
def test_withdrawing_faction_is_caught_on_a_six(runner: str, die: int) -> None:
    fighter = "blue" if runner == "red" else "red"
    orders = decide(**{runner: (ROCK, fighter, "withdraw"), fighter: (ROCK, runner, "fight")})
    outcome = choose(FIELD, meeting(), orders, {"catch": [die]})
    world_after = outcome.world
    if die == 6:
        (engagement,) = world_after.engagements
        assert (engagement.caught, engagement.hostile) == ((runner,), (("blue", "red"),))
        assert fleet_states(world_after, "red/f1", "blue/f1") == ["here", "here"]
    else:
        assert world_after.engagements == ()
        assert fleet_states(world_after, f"{runner}/f1", f"{fighter}/f1") == ["ftl", "here"]
    (event,) = [item for item in outcome.week_events if item.code == "chase"]
    assert (event.audience, dict(event.facts)["die"]) == (("blue", "red"), die)


@pytest.mark.rule("camp.decision")
@pytest.mark.parametrize(
    ("answers", "standing", "states"),
    [
        ((Answer("withdraw", "", least=1),), None, ["ftl", "here"]),
        # Only one ship is scanned
        ((Answer("withdraw", "cruiser", least=2),), None, ["here", "here"]),
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
def test_first_matching_condition_precedes_the_standing_order(
    answers: tuple[Answer, ...], standing: Choice | None, states: list[str]
) -> None:
    """Red scans one cruiser of blue's."""
    here = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", standing=standing, answers=answers),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    outcome = choose(FIELD, here, {})
    assert fleet_states(outcome.world, "red/f1", "blue/f1") == states


@pytest.mark.rule("camp.decision")
def test_sealed_decision_precedes_conditions() -> None:
    answers = (Answer("withdraw", "", least=1),)
    here = world(
        FIELD, fleet("red/f1", ROCK, "Cruiser", answers=answers), fleet("blue/f1", ROCK, "Cruiser")
    )
    outcome = choose(FIELD, here, decide(red=(ROCK, "blue", "stand-off")))
    assert fleet_states(outcome.world, "red/f1", "blue/f1") == ["here", "here"]


@pytest.mark.rule("camp.decision")
def test_default_is_the_standing_order_or_a_stand_off() -> None:
    standing = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", standing="withdraw"),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    assert fleet_states(choose(FIELD, standing, {}).world, "red/f1", "blue/f1") == ["ftl", "here"]
    assert choose(FIELD, meeting(), {}).world.contacts[0].state == "stand-off"


@pytest.mark.rule("camp.decision")
def test_choices_are_revealed_to_both_only() -> None:
    before = world(
        THREE,
        fleet("red/f1", ROCK, "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        fleet("green/f1", PORT, "Cruiser"),
    )
    outcome = choose(THREE, before, decide(**choices_of_both("fight", "stand-off")))
    (event,) = [item for item in outcome.week_events if item.code == "decided" and item.hex == ROCK]
    assert event.audience == ("blue", "red")
    assert dict(event.facts) == {
        "a": "blue",
        "a-choice": "stand-off",
        "b": "red",
        "b-choice": "fight",
        "outcome": "battle",
    }
    assert codes(outcome, "green") == []


@pytest.mark.rule("camp.must-leave")
def test_both_withdraw_and_the_system_is_held_by_nobody() -> None:
    before = world(
        FIELD, fleet("red/f1", PORT, "Cruiser", back="0302"), fleet("blue/f1", PORT, "Cruiser")
    )
    orders = decide(red=(PORT, "blue", "withdraw"), blue=(PORT, "red", "withdraw"))
    world_after = resolve(FIELD, choose(FIELD, before, orders).world).world
    assert holding(world_after, "port").holder is None
    assert fleet_states(world_after, "red/f1", "blue/f1") == ["ftl", "ftl"]
    next_world = resolve(FIELD, world_after).world
    assert (fleet_of(next_world, "red/f1").hex, fleet_of(next_world, "red/f1").must_leave) == (
        "0302",
        False,
    )
    assert fleet_of(next_world, "blue/f1").hex != PORT
    again = resolve(FIELD, resolve(FIELD, next_world).world).world
    assert holding(again, "port").holder == "red"


@pytest.mark.rule("camp.must-leave")
def test_fleet_in_ftl_space_meets_nobody() -> None:
    world_before = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", in_ftl=True, must_leave=True),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    world_after = resolve(FIELD, world_before, move(red={"red/f1": COLONY})).world
    assert (
        world_after.pairs,
        fleet_of(world_after, "red/f1").hex,
        fleet_of(world_after, "red/f1").in_ftl,
    ) == (
        (),
        COLONY,
        False,
    )


@pytest.mark.rule("camp.non-ftl")
def test_immobile_ships_stand_off_while_others_leave() -> None:
    before = world(
        FIELD, fleet("red/f1", ROCK, "Guard", "Cruiser"), fleet("blue/f1", ROCK, "Cruiser")
    )
    world_after = choose(FIELD, before, decide(**choices_of_both("withdraw", "stand-off"))).world
    assert fleet_states(world_after, "red/f1", "red/f1.2", "blue/f1") == ["ftl", "here", "here"]
    assert {ship.key: ship.fleet for ship in world_after.ships if ship.faction == "red"} == {
        "red/f1/1": "red/f1.2",
        "red/f1/2": "red/f1",
    }
    assert [contact.state for contact in world_after.contacts] == ["stand-off"]
    names = [item.name for item in world_after.fleets if item.faction == "red"]
    assert len(set(names)) == 2, "players and typed orders tell the fleets apart by name"


@pytest.mark.rule("camp.non-ftl")
@pytest.mark.parametrize(("die", "leaving"), [(5, ["red/f1.2"]), (6, ["red/f1"])])
def test_immobile_ships_are_attacked_while_others_roll(die: int, leaving: list[str]) -> None:
    before = world(
        FIELD, fleet("red/f1", ROCK, "Guard", "Cruiser"), fleet("blue/f1", ROCK, "Cruiser")
    )
    world_after = choose(
        FIELD, before, decide(**choices_of_both("withdraw", "fight")), {"catch": [die]}
    ).world
    assert len(world_after.engagements) == 1
    assert [
        item.key for item in world_after.fleets if item.faction == "red" and not item.in_ftl
    ] == leaving


@pytest.mark.rule("camp.non-ftl")
def test_ship_without_ftl_stays_behind() -> None:
    before = world(
        FIELD,
        fleet("red/f1", ROCK, "Cruiser", "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        ships={"red/f1/2": {"lost": ("ftl",)}},
    )
    world_after = choose(FIELD, before, decide(**choices_of_both("withdraw", "withdraw"))).world
    assert [ship.fleet for ship in world_after.ships if ship.faction == "red"] == [
        "red/f1",
        "red/f1.2",
    ]
    assert fleet_states(world_after, "red/f1", "red/f1.2") == ["ftl", "here"]


@pytest.mark.rule("camp.repairs")
def test_docked_ships_stay_out_and_are_overrun() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"docked": True}},
    )
    orders = decide(red=(PORT, "blue", "fight"), blue=(PORT, "red", "fight"))
    contact_world = resolve(FIELD, before, {"red": Orders(dock=(Dock("red/f1/1"),))}).world
    world_after = resolve(FIELD, contact_world, orders).world
    assert (world_after.engagements, world_after.contacts) == ((), ())
    glaring = resolve(
        FIELD, contact_world, decide(red=(PORT, "blue", "fight"), blue=(PORT, "red", "stand-off"))
    ).world
    assert (glaring.engagements, [item.state for item in glaring.contacts]) == ((), ["stand-off"])


# --- several factions


@pytest.mark.rule("camp.decision")
def test_pairs_are_settled_at_once_with_a_die_per_pursuer() -> None:
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "withdraw")],
        blue=[(ROCK, "red", "fight"), (ROCK, "green", "stand-off")],
        green=[(ROCK, "red", "fight"), (ROCK, "blue", "stand-off")],
    )
    away = choose(THREE, before, orders, {"catch": [5, 5]}).world
    assert fleet_states(away, "red/f1") == ["ftl"]
    assert [(item.a, item.b) for item in away.contacts] == [("blue", "green")]
    caught = choose(THREE, before, orders, {"catch": [1, 6]}).world
    (engagement,) = caught.engagements
    assert (engagement.sides, engagement.caught) == ((("green",), ("red",)), ("red",))
    assert [(item.a, item.b) for item in caught.contacts] == [("blue", "green"), ("blue", "red")]


@pytest.mark.rule("camp.decision")
def test_battle_holds_a_faction_withdrawing_from_another() -> None:
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "fight")],
        blue=[(ROCK, "red", "fight"), (ROCK, "green", "stand-off")],
        green=[(ROCK, "red", "stand-off"), (ROCK, "blue", "stand-off")],
    )
    world_after = choose(THREE, before, orders, {"catch": [2]}).world
    (engagement,) = world_after.engagements
    assert (engagement.hostile, engagement.caught) == ((("green", "red"),), ())
    assert fleet_states(world_after, "red/f1") == ["here"]


@pytest.mark.rule("camp.battle")
def test_linked_battles_are_one() -> None:
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "fight"), (ROCK, "green", "stand-off")],
        blue=[(ROCK, "red", "stand-off"), (ROCK, "green", "fight")],
        green=[(ROCK, "red", "stand-off"), (ROCK, "blue", "stand-off")],
    )
    world_after = choose(THREE, before, orders).world
    (engagement,) = world_after.engagements
    assert engagement.sides == (("blue",), ("green",), ("red",))
    assert engagement.hostile == (("blue", "green"), ("blue", "red"))
    assert [(item.a, item.b) for item in world_after.contacts] == [("green", "red")]


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
def test_unlinked_ally_stays_out() -> None:
    before = world(
        PACT, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    world_after = choose(PACT, before, decide(red=(ROCK, "blue", "fight"))).world
    (engagement,) = world_after.engagements
    assert engagement.sides == (("blue",), ("red",))
    assert [(item.a, item.b) for item in world_after.contacts] == [("blue", "green")]


@pytest.mark.rule("camp.battle")
def test_unlinked_fights_in_a_hex_are_two_battles() -> None:
    four = scenario(("red", "blue", "green", "amber"))
    before = world(
        four, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("amber", "blue", "green", "red"))
    )
    world_after = choose(
        four, before, decide(red=(ROCK, "blue", "fight"), green=(ROCK, "amber", "fight"))
    ).world
    assert [item.sides for item in world_after.engagements] == [
        (("amber",), ("green",)),
        (("blue",), ("red",)),
    ]
    assert len({item.key for item in world_after.engagements}) == 2
    assert len(world_after.contacts) == 4


@pytest.mark.rule("camp.decision")
def test_dice_are_keyed_by_hex_and_pair() -> None:
    dice = KeyedDice(b"seed", ["campaign", 1])
    before = world(
        THREE, *(fleet(f"{name}/f1", ROCK, "Cruiser") for name in ("blue", "green", "red"))
    )
    orders = decide(
        red=[(ROCK, "blue", "withdraw"), (ROCK, "green", "withdraw")],
        blue=[(ROCK, "red", "fight")],
        green=[(ROCK, "red", "fight")],
    )
    outcome = resolve(THREE, resolve(THREE, before).world, orders, dice)
    expected = {
        name: KeyedDice(b"seed", ["campaign", 1]).at(ROCK).roll("catch", f"red>{name}")
        for name in ("blue", "green")
    }
    dice_rolled = {
        dict(item.facts)["fights"]: dict(item.facts)["die"]
        for item in outcome.week_events
        if item.code == "chase"
    }
    assert dice_rolled == expected


@pytest.mark.rule("camp.battle")
def test_missing_battle_result_stops_the_week() -> None:
    ready = choose(FIELD, meeting(), decide(**choices_of_both("fight", "fight"))).world
    with pytest.raises(RuleViolations) as caught:
        resolve(FIELD, ready)
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        (ready.engagements[0].key, "no-result")
    ]
