"""A type of craft added by one row: it flies, fires, tires, lands, is seen, valued and stored.

`bomber`: eight to a group, slow, two dice at ships, none at craft, two attacks. It carries a bomb,
which uses both attacks, and flares that may be fired beside the guns. `hot` makes any type 50%
faster and easier to hit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from campaign.pages.table.table_markers import table_markers
from campaign.words.battle.log import SideNames, line_of
from engine.battle import Battle, battle_from
from engine.captains.common.fighter_tactics import (
    mean_craft_taken,
    points_of,
    points_with,
    weapon_at,
)
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.core.orders import Flight
from engine.core.rolls import Effect, Shot, plain_damage
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, CraftType, Mod
from engine.craft.fighters import STANDARD
from engine.craft.registry import craft_type, temporary_types
from engine.documents import replay
from engine.events.event import Event
from engine.fighters.flights import flight_fault
from engine.fighters.hangars import free_places
from engine.fighters.strikes import shoot_at_group
from engine.pieces.group import Group
from engine.ship_profiles import capacity, craft_type_of_bay, profile_of
from engine.stops import resolve_documents, side_view
from engine.view.event_reader import read_event
from engine.view.worded_log import worded_line
from tests.engine.battle.carriers import deck, start_in_flight
from tests.engine.battle.table import scripted, setup

if TYPE_CHECKING:
    from engine.view.side_view import Contact

A = "r1/fighter-bay-1"
KEEN = 4  # the least die with which a gun hits


def guns(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Roll two dice a craft, ignoring screens: a point for each 4 and more."""
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(2 * craft))
    return Effect(thrown, damage_types=plain_damage(sum(die >= KEEN for die in thrown)))


def bomb(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Do a point for each 4 and more; two more for a target of MASS 100."""
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(
        thrown,
        damage_types=plain_damage(sum(die >= KEEN for die in thrown) + craft * (shot.mass // 50)),
    )


def dazzle(_shot: Shot, _dice: Dice, craft: int) -> Effect:
    """Do a point for each flare."""
    return Effect((), damage_types=plain_damage(craft))


def last_shots(shot: Shot, dice: Dice, craft: int) -> Effect:
    """Fire without endurance: a craft for each 6."""
    thrown = tuple(dice.roll(shot.purpose, shot.subject) for _ in range(craft))
    return Effect(thrown, craft=sum(die == 6 for die in thrown))


BOMBER = CraftType(
    "bomber",
    "bomber",
    Armament(at_ships=guns, reach=4.0),
    (
        Armament("bombs", at_ships=bomb, rounds=1, drain=2),
        Armament("flares", at_ships=dazzle, rounds=2, combinable=True),
    ),
    exhausted_fire=last_shots,
    full=8,
    speed=8.0,
    endurance=2,
    word="bombers",
)
HOT = Mod("hot", lambda row: replace(row, speed=row.speed * 1.5, modifier=1))


@pytest.fixture(autouse=True)
def bombers() -> Iterator[None]:
    with temporary_types(Edition.SECOND_EDITION, "fighters", [BOMBER], [HOT]):
        yield
    with pytest.raises(KeyError):
        craft_type("bomber")


def test_modified_type_is_a_row_of_its_own() -> None:
    assert (craft_type("bomber+hot").speed, craft_type("standard+hot").speed) == (12.0, 18.0)
    assert craft_type("standard") is STANDARD
    for unknown in ("standard+cold", "blimp"):
        with pytest.raises(KeyError):
            craft_type(unknown)
    with (
        pytest.raises(ValueError, match="bomber"),
        temporary_types(Edition.SECOND_EDITION, "fighters", [BOMBER]),
    ):
        pass


def bombing(type_: str = "bomber") -> Battle:
    """Return red's group `A` of that type, right ahead of `b1`."""
    battle = start_in_flight(
        setup([deck("r1", 60, 20, bays=1)], [deck("b1", 60, 60, course=6)]), (A, 60.0, 40.0, 12, 6)
    )
    group = battle.state.piece(Group, A)
    target = next(ship for ship in battle.state.ships if ship.owner == 1)
    target.bogey = False
    group.type, group.craft, group.x, group.y, group.course = type_, 8, target.x, target.y - 3, 12
    carrier = battle.state.ship_by_name("r1")
    kind, *mods = type_.split("+")
    bay = replace(carrier.sheet.fits[0], load=((kind, 8),), flags=tuple(mods))
    carrier.sheet = replace(carrier.sheet, fits=(bay, *carrier.sheet.fits[1:]))
    carrier.profile = profile_of(carrier.sheet)
    battle.state.stop = "engage"
    return battle


def fires(
    battle: Battle, *fires: tuple[str, str], turns: str = "bombs"
) -> tuple[Battle, list[dict[str, Any]]]:
    """Let `A` fire (weapon, target); return the battle afterwards and its events."""
    order = {"engage": {A: [{"weapon": weapon, "target": target} for weapon, target in fires]}}
    after, stop = resolve_documents(battle, {0: order}, Dice(turns))
    assert replay(battle.state, stop.events).pieces_of(Group) == after.state.pieces_of(Group)
    after.state.stop = "engage"
    return after, [worded_line(event.to_json()) for event in stop.events]


def foe(battle: Battle) -> ShipState:
    return next(ship for ship in battle.state.ships if ship.owner == 1)


def test_it_flies_as_far_as_its_row_says() -> None:
    state: BattleState = bombing().state
    group = state.piece(Group, A)
    faults = {
        far: flight_fault(state, group, Flight(to=(group.x, group.y - far))) for far in (8.0, 10.0)
    }
    assert faults == {8.0: "", 10.0: "it can fly only 8 MU a turn"}
    group.type = "bomber+hot"
    assert flight_fault(state, group, Flight(to=(group.x, group.y - 10.0))) == ""


def test_its_dice_and_endurance_are_stored() -> None:
    battle, target = bombing(), foe(bombing()).contact
    battle, events = fires(battle, ("fighters", target))
    (fired,) = (line for line in events if line["event"] == "fighters-fired")
    assert (len(fired["dice"]), fired["hits"]) == (16, sum(die >= KEEN for die in fired["dice"]))
    assert battle.state.piece(Group, A).used_endurance == 1
    _, events = fires(battle, ("bombs", target))
    assert [line["reason_text"] for line in events if line["event"] == "shot-refused"] == [
        "its endurance is used up"
    ]
    battle, _ = fires(battle, ("fighters", target))
    group = battle.state.piece(Group, A)
    assert (group.used_endurance, group.is_exhausted) == (2, True)
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.state.piece(Group, A) == group
    _, events = fires(battle, ("fighters", target))
    assert [line["reason_text"] for line in events if line["event"] == "shot-refused"] == [
        "its endurance is used up"
    ]


def test_load_is_fired_once_completely() -> None:
    battle, target = bombing(), foe(bombing()).contact
    after, events = fires(battle, ("bombs", target))
    (fired,) = (line for line in events if line["event"] == "fighters-fired")
    assert (fired["armament"], len(fired["dice"]), fired["hits"]) == (
        "bombs",
        8,
        sum(die >= KEEN for die in fired["dice"]) + 16,
    )
    line = line_of(read_event(fired), SideNames({}))
    assert line is not None
    assert line.words.count(" fire bombs at ") == 1
    group = after.state.piece(Group, A)
    assert (group.loads, group.used_endurance) == ({"bombs": 0}, 2)
    group.used_endurance = 0
    again = battle_from(json.loads(json.dumps(after.to_json())))
    assert again.state.piece(Group, A).loads == {"bombs": 0}
    _, events = fires(after, ("bombs", target))
    assert [line["reason_text"] for line in events if line["event"] == "shot-refused"] == [
        "it has no bombs left"
    ]
    with pytest.raises(RuleViolations, match="no 'depth charges'; it has fighters, bombs, flares"):
        fires(after, ("depth charges", target))


def test_only_marked_loads_are_fired_beside_the_guns() -> None:
    battle, target = bombing(), foe(bombing()).contact
    after, events = fires(battle, ("fighters", target), ("flares", target))
    lines = [
        (line["armament"], line["hits"]) for line in events if line["event"] == "fighters-fired"
    ]
    assert [how for how, _ in lines] == ["strike", "flares"]
    assert lines[1][1] == 16
    assert after.state.piece(Group, A).loads == {"flares": 0}
    battle = bombing()
    _, events = fires(battle, ("fighters", target), ("bombs", target))
    assert [line["reason_text"] for line in events if line["event"] == "shot-refused"] == [
        "its bombs cannot be fired together with fighters"
    ]


def test_lost_craft_lose_their_loads() -> None:
    group = bombing().state.piece(Group, A)
    flares = group.row.loads[1]
    assert group.rounds(flares) == 16
    group.craft = 3
    assert group.rounds(flares) == 6
    group.loads = {"flares": 4}
    assert group.rounds(flares) == 4


def test_exhausted_craft_use_last_shots_against_craft() -> None:
    battle = bombing()
    group = battle.state.piece(Group, A)
    assert group.fire_fault(group.row.guns, at_ship=False) == "its fighters have no effect on craft"
    heard: list[Event] = []
    table = Table(battle.state, scripted(dogfight=[6, 6, 5, 4, 3, 2, 1, 1]), heard.append)
    assert (shoot_at_group(table, group, group, "dogfight", "dogfight"), heard) == (0, [])
    group.used_endurance = 2
    assert shoot_at_group(table, group, group, "dogfight", "dogfight") == 2
    assert [event.kind for event in heard] == ["fighters-fired"]


def test_modification_changes_the_dice_against_it() -> None:
    shot = Shot("x", 0.0, 0.0, purpose="dogfight", modifier=craft_type("bomber+hot").modifier)
    plainly = Shot("x", 0.0, 0.0, purpose="dogfight")
    thrown = STANDARD.guns.at_craft(plainly, Dice("hits"), 30)
    easier = STANDARD.guns.at_craft(shot, Dice("hits"), 30)
    assert thrown.dice == easier.dice
    assert (thrown.craft, easier.craft) == tuple(
        sum((0, 0, 0, 0, 1, 1, 2)[min(die + more, 6)] for die in thrown.dice) for more in (0, 1)
    )


def test_bay_holds_its_own_craft_only() -> None:
    bays = {"fighter-bay": ("fighters", "standard")}
    bay = Fit("fighter-bay-1", "fighter-bay", "", (), load=(("bomber", 5),), flags=("hot",))
    assert craft_type_of_bay("second-edition", bays, bay) == "bomber+hot"
    assert capacity("second-edition", bay) == 5
    assert capacity("second-edition", replace(bay, load=())) == 6
    assert craft_type_of_bay("second-edition", bays, replace(bay, load=())) == "standard"
    battle = bombing()
    ship, group = battle.state.ship_by_name("r1"), battle.state.piece(Group, A)
    assert (free_places(ship, "bomber"), free_places(ship, "standard")) == (8, 0)
    group.come_aboard(battle.state, ship, 7)
    assert (ship.stock[0], free_places(ship, "bomber"), group.craft) == (7, 1, 1)


def test_each_side_sees_the_type_and_its_own_side_the_loads() -> None:
    battle = bombing()
    group = battle.state.piece(Group, A)
    group.loads = {"flares": 4}
    own, foreign = side_view(battle, 0)["groups"][0], side_view(battle, 1)["flyers"][0]
    assert (own["type"], foreign["type"]) == ("bomber", "bomber")
    assert (own["loads"], "loads" in foreign) == ({"flares": 4}, False)
    (marker,) = table_markers(side_view(battle, 1), SideNames({}), 120.0)
    assert "8 bombers" in marker.words
    group.type, group.loads = STANDARD.id, {}
    assert not {"type", "loads"} & set(side_view(battle, 0)["groups"][0])


def test_captains_use_its_dice_and_best_load() -> None:
    assert (points_of(BOMBER, 0), points_of(BOMBER, 2), mean_craft_taken(BOMBER)) == (1.0, 1.0, 0.0)
    assert points_of(STANDARD, 0) > points_of(STANDARD, 2) > 0
    assert mean_craft_taken(STANDARD) == 4 / 6
    assert points_with(BOMBER.loads[0], 0) == 0.5
    group = bombing().state.piece(Group, A)
    target = cast("Contact", foe(bombing()))
    assert weapon_at(group, target) == "flares"
    group.loads = {"flares": 0}
    assert weapon_at(group, target) == "fighters"
