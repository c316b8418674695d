"""What a side knows of a captured ship: the captor never its id, its owner no more of its sheet.

Two worlds are equal in all that a side may know; all that it sees, and its advice and faults, must
be equal in both. Inserted leaks show that the comparison works.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.combat.capture import take_over
from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.documents import replay
from engine.events.event import Event
from engine.events.movement import OrderRefused, ShipMoved
from engine.known_battle import known_battle
from engine.pieces.group import Group
from engine.pieces.mine import Mine, MineBlasted
from engine.view import side_view
from engine.view.side_log import SideListener, side_log
from engine.view.side_view import Contact, observe
from tests.engine.battle.table import classes, setup
from tests.engine.battle.table import vessel as second_edition
from tests.engine.extension import toy_boarding
from tests.engine.guns.duels import ship as continuum
from tests.engine.guns.duels import table
from tests.engine.secrecy.worlds import ContactDice

RED, BLUE = 0, 1
FITTED = "battery:B battery:B fighter-bay minelayer"
GUESSED = ("z", "b1", "n77", "a", "r1")  # names under which somebody may try to order a ship
Tweak = Callable[[ShipState], None]


@pytest.fixture(autouse=True)
def _boarding(monkeypatch: pytest.MonkeyPatch) -> None:
    toy_boarding.in_use(monkeypatch)


def fleets(names: dict[str, str], order: tuple[str, ...]) -> list[list[dict[str, Any]]]:
    """Return red's ship beside blue's carrier.

    Args:
        names: Blue's ids for the codes z, y and x; its roster is in this order.
    """
    blue = {
        "z": second_edition(names["z"], 60, 23, FITTED, 3, contact="z", velocity=4),
        "y": second_edition(names["y"], 66, 40, "battery:B", 6, contact="y"),
        "x": second_edition(names["x"], 50, 40, "battery:B", 6, contact="x"),
    }
    for code, ship in blue.items():
        ship["design"]["class"] = f"Gunship {code}"
    return [
        [second_edition("r1", 60, 20, "battery:B", contact="q")],
        [blue[code] for code in order],
    ]


def played(battle: Battle, side: int, tweak: Tweak = lambda ship: None) -> str:
    """Return all that a side sees while red captures the ship `z` and fights on with it.

    Args:
        tweak: A change of the ship once it is captured.
    """
    true = {ship.contact: ship.id for ship in battle.state.ships}
    dice = ContactDice("taken", battle.state)
    own: tuple[Any, ...] = (
        {RED: {"plot": {"r1": ""}}, BLUE: {"plot": {true["z"]: "launch fighter-bay-1"}}},
        {RED: {"seize": {"r1": "z"}}},
        {BLUE: {"fighters": {f"{true['z']}/fighter-bay-1": "to 62 30"}}},
        {RED: {"engage": {"TAKEN": [{"weapon": "battery-1", "target": "y"}]}}},
        {RED: {"plot": {"TAKEN": "P1; mine"}}},
    )
    records: list[Any] = []
    seq, is_captured = 0, False
    while battle.turn < 3 and battle.state.stop != "over":
        ours = observe(battle.state, RED).to_json()["own"]
        name = next((name for name, ship in ours.items() if "owner" in ship), "")
        stop_orders = json.loads(
            json.dumps(own[seq] if seq < len(own) else {}).replace("TAKEN", name)
        )
        stop_orders = {int(number): orders for number, orders in stop_orders.items()}
        view = observe(battle.state, side).to_json()
        side_battle = known_battle(battle, side)
        advice = stops.advise(side_battle, side, Doctrine(), "seed")
        assert stops.advise(battle, side, Doctrine(), "seed") == advice
        records += [view, side_battle.to_json(), advice, stops.awaited_sides(battle)]
        for name in GUESSED:
            faults = stops.read_orders(side_battle, side, {battle.state.stop: {name: "?"}})[1]
            records.append([(fault.where, fault.code, fault.message) for fault in faults])
        battle = battle_from(json.loads(json.dumps(battle.to_json())))
        before = battle.state
        battle, stop = stops.resolve_documents(battle, stop_orders, dice, seq)
        records.append(side_log(stop.events, before, side))
        if not is_captured and battle.state.ship(true["z"]).is_taken_over:
            is_captured = True
            tweak(battle.state.ship(true["z"]))
        seq += 1
    assert is_captured
    return json.dumps(records)


def captor() -> tuple[str, str]:
    """Return red's readings in two worlds with different ids and roster of blue's."""
    return (
        played(
            start(setup(*fleets({"z": "b1", "y": "b2", "x": "b3"}, ("z", "y", "x"))), classes()),
            RED,
        ),
        played(
            start(setup(*fleets({"z": "n77", "y": "a", "x": "m5"}, ("x", "y", "z"))), classes()),
            RED,
        ),
    )


def spend_and_mark(ship: ShipState) -> None:
    """Change what only the commander of a ship knows: its stock and its facts."""
    ship.stock = [max(0, count - 1) for count in ship.stock]
    ship.record = ship.record.with_values(
        charge={"battery-1": 2}, setting={"battery-1": 1}, cloaked=0
    )
    ship.this_turn = ship.this_turn.with_values(reflex=True)


def owner() -> tuple[str, str]:
    """Return blue's readings in two worlds that differ in what it can no longer see."""
    document = setup(*fleets({"z": "b1", "y": "b2", "x": "b3"}, ("z", "y", "x")))
    return played(start(document, classes()), BLUE), played(
        start(document, classes()), BLUE, spend_and_mark
    )


def test_captor_learns_nothing_of_the_owners_roster() -> None:
    first, second = captor()
    assert first == second
    assert '"z/fighter' not in first, "the craft in flight are blue's"
    assert '"z/minelayer-1/1"' in first


def test_owner_learns_nothing_more_of_its_sheet() -> None:
    first, second = owner()
    assert first == second
    assert "mine-laid" not in first


@pytest.mark.parametrize("leak", ["sign", "sheet"])
def test_planted_id_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "sign":
        monkeypatch.setattr(ShipState, "call_sign", property(lambda self: self.id))
    else:
        monkeypatch.setattr(side_view, "_with_own_names", lambda ship, names: ship)
    first, second = captor()
    assert first != second


@pytest.mark.parametrize("leak", ["mine", "private", "view"])
def test_planted_leak_to_the_owner_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "mine":  # it still learns what only its own ships can notice
        begin = SideListener.__init__

        def leaky_init(self: SideListener, state: Any, side: int) -> None:
            begin(self, state, side)
            self.mine = {ship.id for ship in state.ships if ship.owner == side}

        monkeypatch.setattr(SideListener, "__init__", leaky_init)
        document = setup(*fleets({"z": "b1", "y": "b2", "x": "b3"}, ("z", "y", "x")))
        assert "mine-laid" in played(start(document, classes()), BLUE)
        return
    if leak == "private":
        honest = Contact.__init__

        def leaky(self: Contact, ship: Any, hostile: bool, name: str) -> None:
            honest(self, ship, hostile, name)
            self.record = ship.record

        monkeypatch.setattr(Contact, "__init__", leaky)
    else:
        truth = observe

        def seeing(state: Any, side: int, *, lent: bool = False) -> Any:
            view = truth(state, side, lent=lent)
            view.own_ships += [
                ship.copy() for ship in state.ships if ship.owner == side != ship.commander
            ]
            return view

        monkeypatch.setattr("tests.engine.secrecy.test_taken_ships.observe", seeing)
    first, second = owner()
    assert first != second


def carriers() -> Battle:
    """Return red's ship beside blue's two carriers; the first has launched one of its two groups."""
    blue = [
        second_edition("b1", 60, 23, "fighter-bay fighter-bay", 3, contact="z"),
        second_edition(
            "b2", 60, 30, "fighter-bay fighter-bay", 6, contact="y", stock={"fighter-bay-1": 0}
        ),
    ]
    battle = start(setup([second_edition("r1", 60, 20, "battery:B", contact="q")], blue), classes())
    battle, _ = stops.resolve_documents(
        battle, {BLUE: {"plot": {"b1": "launch fighter-bay-1"}}}, Dice(1)
    )
    battle, _ = stops.resolve_documents(battle, {RED: {"seize": {"r1": "z"}}}, Dice(1))
    return battle


def test_flying_craft_stay_with_their_side_and_those_aboard_change() -> None:
    battle = carriers()
    (group,) = battle.state.pieces_of(Group)
    assert (group.side, group.ship, battle.state.stop) == (BLUE, "b1", "fighters")
    assert stops.awaited_sides(battle) == (BLUE,)
    blue_battle = known_battle(battle, BLUE)
    for sheet in (battle, blue_battle):
        faults = stops.read_orders(sheet, BLUE, {"fighters": {group.id: "land b1"}})[1]
        assert "ships of their own side" in faults[0].message
        assert stops.read_orders(sheet, BLUE, {"fighters": {group.id: "land b2"}})[1] == (), (
            "its home is no home now"
        )
    battle, _ = stops.resolve_documents(
        battle, {BLUE: {"fighters": {group.id: "to 60 32"}}}, Dice(1)
    )
    battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    before = battle.state
    battle, stop = stops.resolve_documents(
        battle, {RED: {"plot": {"z": "launch fighter-bay-2"}}}, Dice(1)
    )
    assert [(item.id, item.side) for item in battle.state.pieces_of(Group)] == [
        ("b1/fighter-bay-1", BLUE),
        ("z/fighter-bay-2", RED),
    ]
    logs = [side_log(stop.events, before, side) for side in (RED, BLUE)]
    launched = [next(line for line in log if line["event"] == "launched") for log in logs]
    assert [(line["ship"], line["group"]) for line in launched] == [
        ("z", "z/fighter-bay-2"),
        ("b1", "flight-2"),
    ]
    view = side_view.observe(battle.state, RED).to_json()
    assert [(item["id"], item["ship"]) for item in view["groups"]] == [("z/fighter-bay-2", "z")]
    assert [item["id"] for item in view["flyers"]] == ["flight-1"]
    battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    for sheet in (battle, known_battle(battle, RED)):
        assert stops.read_orders(sheet, RED, {"fighters": {"z/fighter-bay-2": "to 62 24"}})[1] == ()
    assert replay(before, stop.events).pieces_of(Group)[1].id == "z/fighter-bay-2"


def test_layer_is_told_of_its_mine_after_the_ship_was_captured() -> None:
    battle = carriers()
    battle.state.pieces += [Mine("b1/minelayer-1/1", BLUE, 5.0, 5.0, 1, 1 << BLUE)]
    burnt = [MineBlasted(1, ShipId("b1"), "b1/minelayer-1/1")]
    logs = [side_log(burnt, battle.state, side) for side in (RED, BLUE)]
    assert logs == [
        [],
        [{"event": "mine-blasted", "turn": 1, "ship": "b1", "mine": "b1/minelayer-1/1"}],
    ]


def test_ship_captured_under_a_cloaking_field_is_hidden_from_its_owner() -> None:
    red = continuum("r1", 60, 20, "beam:2@ALL", contact="q")
    blue = [
        continuum("b1", 60, 40, "cloaking-field", contact="z"),
        continuum("b2", 90, 40, "", contact="y"),
    ]
    battle = start(table([red], blue), {})
    ship = battle.state.ship_by_name("b1")
    ship.cloak("field")
    before = battle.state.copy()
    log: list[Event] = []
    take_over(Table(battle.state, Dice(1), log.append), ship, RED, "boarded")
    log.append(OrderRefused(1, ShipId("b1"), "roll", "why"))
    log.append(ShipMoved(1, ShipId("b1"), ((60.0, 40.0), (61.0, 41.0), (62.0, 42.0)), 3, 4))
    for start_, events in ((before, log), (battle.state, log[1:])):
        heard = [[line["event"] for line in side_log(events, start_, side)] for side in (RED, BLUE)]
        assert [lines[-1:] for lines in heard] == [
            ["moved"],
            ["taken-over"] if events is log else [],
        ]
    views = [observe(battle.state, side).to_json() for side in (RED, BLUE)]
    assert sorted(views[RED]["own"]) == ["r1", "z"]
    assert [contact["id"] for contact in views[BLUE]["contacts"]] == ["q"]
    assert [view["markers"][0]["id"] for view in views] == ["z", "b1"]


def test_faults_name_a_captured_ship_as_its_commander_does() -> None:
    """The whole battle is judged, not a side's knowledge; neither place nor words have its true id."""
    battle = start(setup(*fleets({"z": "b1", "y": "b2", "x": "b3"}, ("z", "y", "x"))), classes())
    while battle.state.stop != "plot":
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    state = battle.state
    take_over(Table(state, Dice(1), lambda event: None), state.ship(ShipId("b1")), RED, "boarded")
    (fault,) = stops.read_orders(battle, RED, {"plot": {"z": "+40"}})[1]
    assert fault.where == "plot.z"
    assert fault.message.startswith("z: ")
    assert "b1" not in fault.message
