"""Anti-fighter weapons: figure 6, targets without orders, and the timing of fighter attacks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.core.ids import ShipId
from engine.core.ship import BERTHED
from engine.pieces.asteroid import Asteroid
from tests.engine.battle.carriers import craft, deck, resolve_next, start_in_flight, strike
from tests.engine.battle.table import at, events_of, setup

pytestmark = pytest.mark.rule("2e.anti-fighter")

X, Y, Z = (f"b1/fighter-bay-{n}" for n in (1, 2, 3))


def figure_six(**b: Any) -> Battle:
    """Return ship A with point defence, and B 6 MU off with area defence.

    X attacks A, Y is near B, Z is near no ship.
    """
    red = [deck("A", 60, 60, pdaf=2), deck("B", 66, 60, **({"adaf": 2, "pdaf": 1} | b))]
    return start_in_flight(
        setup(red, [deck("b1", 10, 100, bays=3)]),
        (X, 55, 60, 3, 6), (Y, 70, 62, 3, 6), (Z, 80, 60, 3, 6), stop="engage",
    )  # fmt: skip


def flak(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"weapon": weapon, "target": target} for weapon, target in pairs]


def test_figure_six_attacked_ship_fires_only_at_its_attacker() -> None:
    orders = {"A": flak(("pdaf-1", X), ("pdaf-2", Y)), X: strike("A")}
    after = resolve_next(figure_six(), {"engage": orders}, point_defence=[4, 1], fighter=[1] * 5)
    assert [
        (event.weapon, event.target, event.hits) for event in events_of(after, "point-defence")
    ] == [
        ("pdaf-1", X, 1),
        ("pdaf-2", X, 0),  # not at Y: the order goes to a target that it may fire at
    ]
    assert [event.targets for event in events_of(after, "shot-refused")] == [(Y,)]


def test_figure_six_area_defence_reaches_y_but_not_z() -> None:
    orders = {"B": flak(("adaf-1", Y), ("adaf-2", X)), X: strike("A")}
    after = resolve_next(
        figure_six(), {"engage": orders}, point_defence=[6, 5, 1, 1], fighter=[1] * 5
    )
    shots = [(event.ship, event.target, event.hits) for event in events_of(after, "point-defence")]
    assert shots == [("B", Y, 2), ("B", X, 1), ("A", X, 0), ("A", X, 0)]
    assert craft(after) == {X: 5, Y: 4, Z: 6}
    away = resolve_next(
        figure_six(), {"engage": {"B": flak(("adaf-1", Z), ("adaf-2", X), ("pdaf-1", Y))}}
    )
    assert [event.weapon for event in events_of(away, "shot-refused")] == [
        "adaf-1",
        "adaf-2",
        "pdaf-1",
    ]


def test_area_defence_covers_friends_within_6_mu() -> None:
    battle = figure_six()
    at(battle, "B").x = 66.1
    orders = {"B": flak(("adaf-1", X)), X: strike("A")}
    after = resolve_next(battle, {"engage": orders}, point_defence=[1, 1], fighter=[1] * 6)
    assert [event.ship for event in events_of(after, "shot-refused")] == ["B"]


def test_defensive_fire_for_a_friend_does_not_start_the_strike() -> None:
    orders: dict[str, Any] = {"B": flak(("adaf-1", X)), X: strike("A")}
    after = resolve_next(figure_six(), {"engage": orders}, point_defence=[6, 6, 4], fighter=[6])
    kinds = [
        event.kind for event in after.events if event.kind in ("point-defence", "fighters-fired")
    ]
    assert kinds == ["point-defence"] * 3 + ["fighters-fired"]
    assert events_of(after, "fighters-fired")[0].dice == (6,)
    fire_orders = {
        "engage": [["A", flak(("pdaf-1", X))], ["B", flak(("adaf-1", X))], [X, strike("A")]]
    }
    after = resolve_next(figure_six(), fire_orders, point_defence=[1, 1, 6], fighter=[1] * 6)
    kinds = [
        event.kind for event in after.events if event.kind in ("point-defence", "fighters-fired")
    ]
    assert kinds == ["point-defence"] * 2 + ["fighters-fired", "point-defence"]
    assert craft(after)[X] == 4


@pytest.mark.parametrize(("die", "survivors"), [(1, 6), (2, 6), (3, 6), (4, 5), (5, 5), (6, 4)])
def test_anti_fighter_die_kills_none_one_or_two(die: int, survivors: int) -> None:
    document = setup([deck("r1", 60, 60, pdaf=1)], [deck("b1", 10, 100, bays=1)])
    battle = start_in_flight(document, (X, 60, 65, 6, 6), stop="engage")
    after = resolve_next(
        battle, {"engage": {X: strike("r1")}}, point_defence=[die], fighter=[1] * survivors
    )
    assert craft(after) == {X: survivors}


def test_default_defence_spreads_all_weapons_evenly() -> None:
    document = setup([deck("r1", 60, 60, pdaf=3, adaf=2)], [deck("b1", 10, 100, bays=3)])
    battle = start_in_flight(
        document, (X, 60, 65, 6, 2), (Y, 65, 60, 9, 2), (Z, 60, 55, 3, 2), stop="engage"
    )
    orders = {"engage": {X: strike("r1"), Y: strike("r1")}}
    after = resolve_next(battle, orders, point_defence=[1] * 5, fighter=[1] * 4)
    shots = [(event.weapon, event.target) for event in events_of(after, "point-defence")]
    assert shots == [("pdaf-1", X), ("pdaf-2", Y), ("pdaf-3", X), ("adaf-1", Y), ("adaf-2", X)]


def test_ordered_weapons_count_in_the_even_spread() -> None:
    document = setup([deck("r1", 60, 60, pdaf=3)], [deck("b1", 10, 100, bays=3)])
    battle = start_in_flight(document, (X, 60, 65, 6, 2), (Y, 65, 60, 9, 2), stop="engage")
    orders = {"engage": {"r1": flak(("pdaf-3", X)), X: strike("r1"), Y: strike("r1")}}
    after = resolve_next(battle, orders, point_defence=[1] * 3, fighter=[1] * 4)
    shots = [(event.weapon, event.target) for event in events_of(after, "point-defence")]
    assert shots == [("pdaf-3", X), ("pdaf-1", Y), ("pdaf-2", X)]


@pytest.mark.rule("2e.fire-control")
def test_point_defence_needs_no_firecon_and_covers_all_arcs() -> None:
    ship = deck("r1", 60, 60, 12, pdaf=1, guns="A", lost=["firecon-1", "firecon-2", "firecon-3"])
    battle = start_in_flight(
        setup([ship], [deck("b1", 10, 100, bays=1)]), (X, 60, 55, 12, 1), stop="engage"
    )
    at(battle, "r1").warm = at(battle, "r1").holds_fire = True
    after = resolve_next(battle, {"engage": {X: strike("r1")}}, point_defence=[4])
    assert craft(after) == {}


def test_lost_or_powerless_weapons_do_not_defend() -> None:
    for state in ("lost", "armed"):
        ship = deck("r1", 60, 60, 12, pdaf=1, lost=["pdaf-1"] if state == "lost" else [])
        battle = start_in_flight(
            setup([ship], [deck("b1", 10, 100, bays=1)]), (X, 60, 55, 12, 1), stop="engage"
        )
        at(battle, "r1").armed = state == "armed"
        after = resolve_next(battle, {"engage": {X: strike("r1")}}, fighter=[4])
        assert at(after, "r1").damage == 1


@pytest.mark.rule("2e.sequence")
def test_fighters_strike_after_the_fire_of_their_target() -> None:
    red = [deck("r1", 60, 60, pdaf=1), deck("r2", 80, 60, guns="A"), deck("r3", 100, 60)]
    battle = start_in_flight(
        setup(red, [deck("b1", 80, 80, 6, bays=3)]),
        (X, 60, 65, 6, 1), (Y, 80, 65, 6, 1), (Z, 100, 65, 6, 1), stop="engage",
    )  # fmt: skip
    orders = {
        "r2": [{"weapon": "battery-1", "target": "b1"}],
        X: strike("r1"), Y: strike("r2"), Z: strike("r3"),
    }  # fmt: skip
    after = resolve_next(
        battle, {"engage": orders}, beam=[1, 1], point_defence=[1], fighter=[4, 5, 6]
    )
    event_kinds = [
        (event.kind, event.to_json().get("ship") or event.to_json()["group"])
        for event in after.events
        if event.kind in ("shot", "point-defence", "fighters-fired")
    ]
    assert event_kinds == [
        ("shot", "r2"), ("fighters-fired", Y), ("point-defence", "r1"), ("fighters-fired", X), ("fighters-fired", Z),
    ]  # fmt: skip
    assert [at(after, name).damage for name in ("r1", "r2", "r3")] == [1, 1, 2]


def test_attack_on_a_vanished_target_is_lost() -> None:
    document = setup([deck("r1", 60, 60, damage=49)], [deck("b1", 60, 80, 6, bays=3)])
    battle = start_in_flight(document, (X, 60, 65, 6, 1), (Y, 60, 55, 12, 1), stop="engage")
    after = resolve_next(battle, {"engage": {X: strike("r1"), Y: strike("r1")}}, fighter=[4])
    assert [event.reason for event in events_of(after, "shot-refused")] == ["its target is gone"]


def test_batteries_do_not_fire_at_fighters() -> None:
    document = setup([deck("r1", 60, 60, guns="AA")], [deck("b1", 60, 70, 6, bays=1)])
    battle = start_in_flight(document, (X, 60, 65, 6, 6), stop="engage")
    orders = [{"weapon": "battery-1", "target": [X, "b1"]}, {"weapon": "battery-2", "target": X}]
    after = resolve_next(battle, {"engage": {"r1": orders}}, beam=[4, 1, 1])
    assert (at(after, "b1").damage, craft(after)) == (1, {X: 6})
    assert [event.reason for event in events_of(after, "shot-refused")] == [
        "only anti-fighter weapons can fire at fighters"
    ]


@pytest.mark.rule("2e.asteroids")
def test_asteroid_blocks_area_defence() -> None:
    battle = figure_six()
    battle.state.pieces.append(Asteroid("rock-1", 68, 61, 0.5))
    after = resolve_next(battle, {"engage": {"B": flak(("adaf-1", Y))}})
    assert [event.ship for event in events_of(after, "shot-refused")] == ["B"]


@pytest.mark.rule("2e.sensors")
def test_bogey_is_not_attacked_and_area_defence_reveals_it() -> None:
    battle = figure_six()
    at(battle, "A").bogey = at(battle, "B").bogey = True
    orders = {"B": flak(("adaf-1", Y)), X: strike("A")}
    after = resolve_next(battle, {"engage": orders}, point_defence=[1])
    assert (at(after, "A").bogey, at(after, "B").bogey) == (True, False)
    assert [event.ship for event in events_of(after, "shot-refused")] == [X]


def test_area_defence_covers_allies_and_spares_them() -> None:
    red, gold = [deck("B", 66, 60, adaf=1)], [deck("A", 60, 60, bays=1)]
    document = setup(
        red, [deck("b1", 10, 100, bays=1)], gold, hostile=[["red", "blue"], ["blue", "gold"]]
    )
    battle = start_in_flight(
        document, (X, 55, 60, 3, 6), ("A/fighter-bay-1", 66, 62, 3, 6), stop="engage"
    )
    orders = {"B": flak(("adaf-1", X)), X: strike("A")}
    assert (
        craft(resolve_next(battle, {"engage": orders}, point_defence=[6], fighter=[1] * 4))[X] == 4
    )
    after = resolve_next(battle, {"engage": {"B": flak(("adaf-1", "A/fighter-bay-1"))}})
    assert len(events_of(after, "shot-refused")) == 1


@pytest.mark.rule("2e.installations")
def test_ship_inside_an_installation_is_out_of_fighter_combat() -> None:
    battle = figure_six()
    for ship in (at(battle, "A"), at(battle, "B")):
        ship.dock, ship.docking = ShipId("b1"), BERTHED
    after = resolve_next(battle, {"engage": {"B": flak(("adaf-1", Y)), X: strike("A")}})
    assert sorted(event.ship for event in events_of(after, "shot-refused")) == ["B", X]
