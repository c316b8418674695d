"""Craft, packs, mines and cargo: counted in battle, refilled at a base, lost with their hold."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.bases import remaining_shortages
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import Dock, Orders
from campaign.rules.perception import build_view
from campaign.rules.queries import empty_holders
from campaign.rules.scenario import Facility, Manifest, Reinforcement
from campaign.rules.view import Notice
from campaign.rules.world import Cargo, Engagement, Ship, World
from campaign.words.notices import lines_of
from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.versions import NEWEST
from tests.umpire.adjudication.small_sector import (
    COLONY,
    PORT,
    ROCK,
    battle,
    codes,
    decide,
    fleet,
    resolve,
    scenario,
    ship_of,
    week_through,
    world,
)
from umpire.adjudication.aftermath import cargo_after
from umpire.adjudication.battles import battle_doctrines, battle_result, battle_setup
from umpire.adjudication.outcome import BattleResult, ShipAfter

FIELD = scenario()
YARD = Facility("dockyard", repairs=True, replenishes=True, fighters=True)
DEPOT = Facility("depot", replenishes=True)
SHORT = (("fighter-bay-1", 2), ("fighter-bay-2", 0), ("pack-1", 0))


def carrier_after_docking(
    base: Facility, dice: tuple[int, ...] = (), repair: tuple[str, ...] = (), **hurt: Any
) -> Ship:
    """Return red's carrier after a week of replenishment at Port with this base."""
    field = scenario(base=base)
    before = world(
        field, fleet("red/f1", PORT, "Carrier"), ships={"red/f1/1": {"stock": SHORT, **hurt}}
    )
    orders = {"red": Orders(dock=(Dock("red/f1/1", repair, replenish=True),))}
    return ship_of(
        week_through(field, before, orders=orders, dice={"repair": dice}).world, "red/f1/1"
    )


@pytest.mark.rule("camp.replenish")
def test_week_at_a_base_with_fighters_fills_everything() -> None:
    assert carrier_after_docking(YARD).stock == ()


@pytest.mark.rule("camp.replenish", "camp.facility-limits")
def test_base_without_fighters_fills_packs_only() -> None:
    assert carrier_after_docking(DEPOT).stock == (("fighter-bay-1", 2), ("fighter-bay-2", 0))
    assert carrier_after_docking(Facility("yard", repairs=True)).stock == SHORT


@pytest.mark.rule("camp.replenish", "camp.system-repairs")
def test_lost_bay_is_filled_after_its_repair() -> None:
    damage: dict[str, Any] = {"lost": ("fighter-bay-2",)}
    assert carrier_after_docking(YARD, **damage).stock == (("fighter-bay-2", 0),)
    failed = carrier_after_docking(YARD, (2,), ("fighter-bay-2",), **damage)
    assert (failed.lost, failed.stock) == (("fighter-bay-2",), (("fighter-bay-2", 0),))
    mended = carrier_after_docking(YARD, (3,), ("fighter-bay-2",), **damage)
    assert (mended.lost, mended.stock) == ((), ())


@pytest.mark.rule("camp.replenish")
def test_bay_repaired_without_fighters_stays_empty() -> None:
    base = Facility("yard", repairs=True, replenishes=True)
    ship_after = carrier_after_docking(
        base, (6,), ("fighter-bay-1",), lost=("fighter-bay-1",), stock=()
    )
    assert (ship_after.lost, ship_after.stock) == ((), (("fighter-bay-1", 0),))


@pytest.mark.rule("camp.replenish")
def test_remaining_shortage_is_known_in_advance() -> None:
    ship = Ship("red/s1", "red", "Hood", "Carrier", "red/f1", stock=SHORT, lost=("pack-1",))
    assert remaining_shortages(YARD, ship) == (("pack-1", 0),)
    assert remaining_shortages(DEPOT, ship) == SHORT
    assert empty_holders(ship) == {"fighter-bay-2", "pack-1"}


@pytest.mark.rule("camp.replenish")
def test_full_ship_gets_no_notice() -> None:
    before = world(scenario(base=YARD), fleet("red/f1", PORT, "Carrier"))
    orders = {"red": Orders(dock=(Dock("red/f1/1", replenish=True),))}
    assert "replenished" not in codes(
        week_through(scenario(base=YARD), before, orders=orders), "red"
    )


# --- through a battle


def duel() -> World:
    before = world(
        FIELD,
        fleet("red/f1", ROCK, "Carrier", "Tanker"),
        fleet("blue/f1", ROCK, "Carrier"),
        ships={
            "red/f1/1": {"stock": (("pack-1", 0),)},
            "red/f1/2": {"cargo": Cargo("colonists", 100, 100)},
        },
    )
    choices = decide(red=(ROCK, "blue", "fight"), blue=(ROCK, "red", "fight"))
    return resolve(FIELD, resolve(FIELD, before).world, choices).world


@pytest.mark.rule("camp.replenish")
def test_battle_file_has_incomplete_stocks() -> None:
    before = duel()
    document = battle_setup(FIELD, before, before.engagements[0], salt=b"salt")
    ships = {ship["id"]: ship for side in document["sides"] for ship in side["ships"]}
    assert ships["red/f1/1"]["stock"] == {"pack-1": 0}
    assert ships["red/f1/1"]["lost"] == []
    assert "stock" not in ships["blue/f1/1"]


@pytest.mark.rule("camp.replenish")
def test_engine_stocks_are_returned_sorted() -> None:
    before = duel()
    stock_left = {"pack-1": 0, "fighter-bay-2": 3}
    state: dict[str, Any] = {"damage": 0, "lost": [], "status": "fighting"}
    ships = {key: dict(state) for key in ("red/f1/1", "red/f1/2", "blue/f1/1")}
    ships["red/f1/1"]["stock"] = stock_left
    ended = {"ships": ships, "terms": {"rules": NEWEST}}
    result = battle_result(FIELD, before, before.engagements[0], ended, None, 4)
    stock_of = {item.ship: item.stock for item in result.ships}
    assert stock_of == {
        "blue/f1/1": (),
        "red/f1/1": (("fighter-bay-2", 3), ("pack-1", 0)),
        "red/f1/2": (),
    }


def battle_with(before: World, **changes: Any) -> BattleResult:
    """Return the battle's result with changes of single ships, by key with `/` as `_`."""
    result = battle(before, None)
    ships = [
        ShipAfter(**{**{"ship": i.ship, "damage": i.damage, "lost": i.lost, "stock": i.stock, "status": i.status},
                     **changes.get(i.ship.replace("/", "_"), {})})
        for i in result.ships
    ]  # fmt: skip
    return BattleResult(result.engagement, tuple(ships), (), 4, None)


@pytest.mark.rule("camp.replenish", "camp.hidden")
def test_used_stores_are_reported_to_the_owner() -> None:
    before = duel()
    stock_left = (("fighter-bay-1", 4), ("fighter-bay-2", 0), ("pack-1", 0))
    outcome = resolve(FIELD, before, results=[battle_with(before, red_f1_1={"stock": stock_left})])
    assert ship_of(outcome.world, "red/f1/1").stock == stock_left
    assert [event.facts for event in outcome.week_events if event.code == "stores"] == [
        (("ship", "Carrier 1"), ("fighter-bay-1", 4), ("fighter-bay-2", 0))
    ]
    assert codes(outcome, "blue").count("stores") == 0
    views = {
        name: repr(build_view(FIELD, outcome.world, name, None, ())) for name in ("red", "blue")
    }
    assert ("fighter-bay-1" in views["red"], "fighter-bay-1" in views["blue"]) == (True, False)


@pytest.mark.rule("camp.superiority", "camp.replenish")
def test_empty_weapon_does_not_count() -> None:
    damage = {"lost": ("battery-1",)}
    for stock, superior in (((), "red"), ((("pack-1", 0),), None)):
        before = world(
            FIELD, fleet("red/f1", ROCK, "Cruiser"), ships={"red/f1/1": {**damage, "stock": stock}}
        )
        world_after = week_through(FIELD, before).world
        assert (
            next(item for item in world_after.holdings if item.system == "rock").superior
            == superior
        )


# --- cargo and passengers


@pytest.mark.rule("2e.cargo")
@pytest.mark.parametrize(
    ("people_left", "before", "after", "expected"),
    [
        (100, 0, 0, 100),
        (100, 0, 4, 50),  # half of eight boxes, half the load
        (100, 0, 3, 62),
        (62, 3, 4, 50),  # two battles have the same effect as one
        (100, 0, 9, 0),
        (50, 0, 4, 0),  # the repaired hold was empty, and now the other half is too
        (10, 0, 4, 0),
        (50, 4, 0, 50),  # a repair does not bring cargo back
    ],
)
def test_cargo_is_lost_in_proportion_to_the_hull(
    people_left: int, before: int, after: int, expected: int
) -> None:
    assert cargo_after(Cargo("colonists", 100, people_left), 8, before, after).remaining == expected


@pytest.mark.rule("2e.cargo", "camp.hidden")
def test_lost_cargo_is_reported_and_sinks_with_its_ship() -> None:
    before = duel()
    outcome = resolve(FIELD, before, results=[battle_with(before, red_f1_2={"damage": 5})])
    assert ship_of(outcome.world, "red/f1/2").cargo == Cargo("colonists", 100, 66)
    assert codes(outcome, "red").count("cargo-lost") == 1
    assert codes(outcome, "blue").count("cargo-lost") == 0
    sunk = resolve(
        FIELD, before, results=[battle_with(before, red_f1_2={"damage": 15, "status": "destroyed"})]
    )
    facts = next(dict(item.facts) for item in sunk.week_events if item.code == "cargo-lost")
    assert (facts["lost"], facts["remaining"]) == (100, 0)


@pytest.mark.rule("2e.cargo")
def test_ships_are_loaded_when_they_enter_the_war() -> None:
    field = scenario(
        cargo=(Manifest("red", "Tanker", "colonists", 400),),
        defaults=(("red", ()), ("blue", ())),
        reinforcements=(
            Reinforcement("convoy", "red", 4, COLONY, "Convoy", (("Cruiser", 1), ("Tanker", 1))),
        ),
    )
    world_after = week_through(field, world(field, fleet("blue/f1", PORT, "Tanker"))).world
    loaded = {ship.cls: ship.cargo for ship in world_after.ships if ship.faction == "red"}
    assert loaded == {"Cruiser": None, "Tanker": Cargo("colonists", 400, 400)}
    assert ship_of(world_after, "blue/f1/1").cargo is None


# --- words


@pytest.mark.parametrize(
    ("code", "facts", "words"),
    [
        (
            "stores",
            {
                "ship": "Hood",
                "fighter-bay-1": 4,
                "fighter-bay-2": 0,
                "minelayer-1": 1,
                "submunition-1": 0,
            },
            "Hood is short of stores: fighter bay 1 with 4 craft, fighter bay 2 empty, minelayer 1 with 1 mine, "
            "submunition 1 used up.",
        ),
        (
            "cargo-lost",
            {"ship": "Ark", "what": "colonists", "lost": 40, "remaining": 60},
            "Ark lost 40 colonists; 60 left.",
        ),
        (
            "cargo-lost",
            {"ship": "Ark", "what": "ore", "lost": 4, "remaining": 0},
            "Ark lost 4 ore; none left.",
        ),
        ("tow-ended", {"ship": "Guard 1"}, "Guard 1 was released from tow for the battle."),
        (
            "prize",
            {"class": "Cruiser", "owner": "blue", "cause": "hulk", "ship": "Cruiser prize 3"},
            "A Cruiser of Blue, found drifting, is your prize. It is now Cruiser prize 3, under a prize crew.",
        ),
        (
            "prize",
            {"class": "Cruiser", "owner": "blue", "cause": "captured", "ship": "Cruiser prize 3"},
            "A Cruiser of Blue, boarded, is your prize. It is now Cruiser prize 3, under a prize crew.",
        ),
        (
            "recovered",
            {"ship": "Hood", "class": "Cruiser", "cause": "struck"},
            "Hood (Cruiser) was recovered after its surrender. It is laid up until a base repairs it.",
        ),
        ("in-service", {"ship": "Hood"}, "Hood is back in service."),
        (
            "ship-lost",
            {"ship": "Hood", "class": "Cruiser", "cause": "hulk", "captor": "blue"},
            "You lost Hood (Cruiser): left adrift as a hulk; Blue now has it.",
        ),
        (
            "ship-lost",
            {"ship": "Hood", "class": "Cruiser", "cause": "struck"},
            "You lost Hood (Cruiser): surrendered.",
        ),
        (
            "taken-at-dock",
            {"class": "Cruiser", "owner": "blue", "cause": "captured", "ship": "Cruiser prize 1"},
            "You took a Cruiser of Blue in dock. It is now Cruiser prize 1, under a prize crew.",
        ),
        (
            "taken-at-dock",
            {"class": "Cruiser", "owner": "blue", "cause": "captured"},
            "You took a Cruiser of Blue in dock.",
        ),
    ],
)
def test_notices_for_the_owner(code: str, facts: dict[str, str | int], words: str) -> None:
    (line,) = lines_of(FIELD, "red", [Notice(3, "battles", code, ROCK, tuple(facts.items()))])
    assert (line.words, line.place) == (words, "Rock")


# --- the engine's own battle


@pytest.mark.rule("camp.replenish")
def test_carrier_stock_returns_from_the_battle() -> None:
    lafayette = fixture_scenario("lafayette")
    hudson = next(system.hex for system in lafayette.systems if system.id == "hudson")
    before = world(
        lafayette,
        fleet("esu/f1", hudson, "Fleet Carrier", "Heavy Cruiser"),
        fleet("nac/f1", hudson, "Heavy Cruiser"),
        stage="battles",
        ships={
            "esu/f1/1": {
                "stock": (("fighter-bay-1", 3), ("fighter-bay-2", 0)),
                "lost": ("fighter-bay-2",),
            }
        },
        engagements=(Engagement("k", hudson, (("esu",), ("nac",)), (("esu", "nac"),)),),
    )
    (engagement,) = before.engagements
    battle = start(battle_setup(lafayette, before, engagement, salt=b"secret"))
    assert battle.to_json()["ships"]["esu/f1/1"]["stock"] == {
        "fighter-bay-1": 3,
        "fighter-bay-2": 0,
    }
    doctrines = battle_doctrines(lafayette, before, engagement, {})
    last = fight(battle, doctrines, Dice(7), "captains", 6, log=False)
    result = battle_result(lafayette, before, engagement, last.to_json(), last.winner, last.turn)
    stock = dict(next(item for item in result.ships if item.ship == "esu/f1/1").stock)
    assert stock["fighter-bay-1"] <= 3
    assert stock["fighter-bay-2"] == 0
