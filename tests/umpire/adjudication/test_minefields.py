"""Mines of systems: laid and swept by orders, on the tables of battles, and who knows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.events.mines import MinesSeen, places_in
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.lay import LAY, Lay
from campaign.orders.sweep import SWEEP
from campaign.orders.validation import order_violations
from campaign.rules import perception
from campaign.rules.codec import encode, from_document, to_document
from campaign.rules.orders import Dock, Move, Orders
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.scenario import PlacedMine
from campaign.rules.set_up_sheets import sheet_of_side
from campaign.rules.system_mines import (
    MAX_MINES,
    initial_mines,
    known_mines_words,
    stock_after_laying,
)
from campaign.rules.view import KnownMine, Sighting, View
from campaign.rules.world import Engagement, Holding, Mine, World
from campaign.words.notices import lines_of
from engine.battle import start
from engine.pieces.mine import Mine as MinePiece
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    MINELAYER,
    PORT,
    ROCK,
    battle,
    fleet,
    resolve,
    scenario,
    stand_off,
    world,
)
from umpire.adjudication.battles import battle_result, battle_setup
from umpire.adjudication.outcome import StageOutcome

pytestmark = pytest.mark.rule("camp.minefields")

WAR = scenario(("green", "red", "blue"), {"red": "pact", "green": "pact"})
LAYER = "red/f1/1"
FIELD = Engagement(f"{ROCK}/w3/blue+red", ROCK, (("blue",), ("red",)), (("blue", "red"),))


def mine(faction: str, x: int = 0, y: int = 0, system: str = "rock") -> Mine:
    return Mine(system, faction, x * 1000, y * 1000)


def layer(hex_: str = ROCK, *others: Any, **changes: Any) -> World:
    return world(WAR, fleet("red/f1", hex_, "Minelayer", "Destroyer"), *others, **changes)


def lay(*at: tuple[int, int], ship: str = LAYER) -> Orders:
    return Orders(other_kinds=(Lay(ship, at),))


def faults(before: World, orders: Orders) -> list[tuple[str, str]]:
    view = build_view(WAR, before, "red", None, ())
    return [(fault.where, fault.code) for fault in order_violations(WAR, view, orders)]


def week_end(before: World, orders: Orders, **dice: list[int]) -> StageOutcome:
    """Return the end of a week in which only red gives orders, without a battle."""
    moved = resolve(WAR, before, {"red": orders}).world
    return resolve(WAR, resolve(WAR, moved).world, dice=dice)


# --- laying


def test_mines_are_laid_before_the_ship_moves() -> None:
    orders = replace(lay((-6, 4), (0, 0)), moves=(Move("red/f1", to=DEEP),))
    assert faults(layer(), orders) == []
    outcome = resolve(WAR, layer(), {"red": orders})
    assert outcome.world.mines == (mine("red", -6, 4), mine("red"))
    assert outcome.world.fleets[0].hex == DEEP
    assert outcome.world.ships[0].stock == (("minelayer-1", 1),)
    notices = notices_by_faction(outcome.week_events, 3, "orders")
    assert [line.words for line in lines_of(WAR, "red", notices["red"])] == [
        "Minelayer 1 laid 2 mines."
    ]
    assert set(notices) == {"red"}


@pytest.mark.parametrize(
    ("before", "orders", "expected"),
    [
        (layer(), lay((19, 0), (0, 13)), [("at[0]", "off-middle"), ("at[1]", "off-middle")]),
        (layer(), lay(*[(0, 0)] * 4), [("ship", "no-mines")]),
        (layer(), lay((0, 0), ship="red/f1/2"), [("ship", "no-mines")]),
        (layer(ships={LAYER: {"lost": ("minelayer-1",)}}), lay((0, 0)), [("ship", "no-mines")]),
        (
            layer(ships={LAYER: {"stock": (("minelayer-1", 0),)}}),
            lay(),
            [("ship", "no-mines"), ("at", "no-places")],
        ),
        (layer(ROCK, ships={LAYER: {"laid_up": True}}), lay((0, 0)), [("ship", "docked")]),
        (layer(DEEP), lay((0, 0)), [("ship", "not-there")]),
        (layer(), lay((0, 0), ship="blue/f1/1"), [("ship", "unknown-ship")]),
        (
            layer(
                ROCK, fleet("blue/f1", ROCK, "Cruiser"), contacts=(stand_off(ROCK, "blue", "red"),)
            ),
            lay((0, 0)),
            [("ship", "disturbed")],
        ),
        (layer(mines=(mine("red"),) * (MAX_MINES - 1)), lay((0, 0), (1, 1)), [("at", "too-many")]),
    ],
)
def test_faults_of_laying(before: World, orders: Orders, expected: list[tuple[str, str]]) -> None:
    assert faults(before, orders) == sorted((f"lay[0].{where}", code) for where, code in expected)


def test_ship_lays_once() -> None:
    twice = Orders(other_kinds=(Lay(LAYER, ((0, 0),)), Lay(LAYER, ((1, 1),))))
    assert faults(layer(), twice) == [("lay[1].ship", "twice")]


def test_orders_are_stored_typed_and_worded() -> None:
    orders = replace(lay((-6, 4)), sweep=(LAYER,))
    payload = {"schema": 1, "lay": [{"ship": LAYER, "at": [[-6, 4]]}], "sweep": [LAYER]}
    assert orders_payload(orders) == payload
    assert parse_orders(payload) == (orders, ())
    posted = {"red/f1": {"lay_1": "-6,4 here 1,x", "sweep_1": "on"}}
    assert LAY.from_form(posted) == [{"ship": "red/1", "at": [[-6, 4], "here", "1,x"]}]
    assert SWEEP.from_form(posted) == ["red/1"]
    _, form_faults = parse_orders({"lay": LAY.from_form(posted)})
    assert [fault.where for fault in form_faults] == ["lay[0].at[1]", "lay[0].at[2]"]
    assert LAY.changes(payload["lay"], {}) == ["lays 1 mine"]  # type: ignore[arg-type]


def test_page_offers_a_plan_of_the_middle_of_the_table() -> None:
    view = build_view(WAR, layer(mines=(mine("red", 3, -2), mine("blue"))), "red", None, ())
    (control,) = LAY.fleet_controls(WAR, view, "red/f1", ships=view.ships, items=())
    assert control.plan is not None
    assert control.kind == "places"
    assert (control.plan.half_width, control.plan.half_depth, control.plan.most) == (18, 12, 3)
    assert control.plan.mines == ((3, -2),)


# --- sweeping


def test_minesweeper_rolls_a_die_for_each_hostile_mine() -> None:
    mines = (mine("blue"), mine("blue", 1), mine("blue", 2), mine("green"), mine("red"))
    outcome = week_end(
        layer(mines=mines), Orders(sweep=(LAYER,)), sweep=[3, 2, 1], mine=[6, 4], threshold=[1] * 9
    )
    assert outcome.world.mines == (mine("blue", 1), mine("green"), mine("red"))
    assert outcome.world.ships[0].damage == 3
    notices = notices_by_faction(outcome.week_events, 3, "battles")
    words = [line.words for line in lines_of(WAR, "red", notices["red"])]
    assert words[1:] == [
        "Minelayer 1 swept 1 mine and missed 1; 1 exploded and did 3 damage.",
        "You know of 2 mines of others here.",
    ]
    assert [line.words for line in lines_of(WAR, "blue", notices["blue"])] == [
        "You lost 2 mines here."
    ]
    assert not any(ship.sweeps for ship in outcome.world.ships)


def test_mines_can_destroy_a_minesweeper() -> None:
    before = layer(mines=(mine("blue"),) * 3, ships={LAYER: {"damage": 9}})
    outcome = week_end(before, Orders(sweep=(LAYER,)), sweep=[1], mine=[6, 6])
    assert [(loss.ship.key, loss.cause) for loss in outcome.world.losses] == [(LAYER, "destroyed")]
    assert [ship.key for ship in outcome.world.ships] == ["red/f1/2"]
    assert outcome.world.mines == (mine("blue"),) * 2


@pytest.mark.parametrize(
    "before",
    [
        layer(ROCK, fleet("blue/f1", ROCK, "Cruiser"), mines=(mine("blue"),)),
        layer(DEEP, mines=(mine("blue"),)),
        layer(PORT, mines=(mine("blue"),), ships={LAYER: {"laid_up": True}}),
    ],
)
def test_nobody_sweeps_beside_a_foe_or_in_deep_space(before: World) -> None:
    outcome = week_end(before, Orders(sweep=(LAYER,)))
    assert outcome.world.mines == (mine("blue"),)
    codes = [event.code for event in outcome.week_events if "red" in event.audience]
    assert "sweep-prevented" in codes
    assert "mines-swept" not in codes


def test_only_minesweepers_sweep() -> None:
    assert faults(layer(), Orders(sweep=("red/f1/2", LAYER, LAYER, "red/f9/1"))) == [
        ("sweep[0]", "no-sweeper"),
        ("sweep[2]", "twice"),
        ("sweep[3]", "unknown-ship"),
    ]


# --- battles


def field(*mines: Mine) -> World:
    red = fleet("red/f1", ROCK, "Minelayer")
    blue = fleet("blue/f1", ROCK, "Minelayer")
    return world(WAR, red, blue, stage="battles", engagements=(FIELD,), mines=mines)


def test_battle_has_the_mines_of_its_system() -> None:
    """Mines of an absent ally count for the side; those of an absent foe count for no side."""
    war = scenario(("green", "red", "blue", "amber"), {"red": "pact", "green": "pact"})
    mines = (
        mine("amber"),
        mine("blue", -6, 4),
        mine("green", 1),
        mine("red", 40),
        mine("red", 9, 9, "port"),
    )
    file = battle_setup(war, field(*mines), FIELD, salt=b"salt")
    assert file["mines"] == [
        {"side": None, "at": [36, 24]},
        {"side": "blue", "at": [30, 28]},
        {"side": "red", "at": [37, 24]},
    ]
    sheet = sheet_of_side(file, ROCK, "red", {"red/f1/1"})
    assert '"mines"' in sheet.file


def test_mines_left_on_the_table_stay_in_the_system() -> None:
    """Mines that were on the table and are gone are gone; those beyond its edge stay."""
    before = field(mine("blue", -6, 4), mine("blue", 5), mine("red", 40))
    battle_before = start(battle_setup(WAR, before, FIELD, salt=b"salt"))
    state = battle_before.state
    state.remove(("mine-2",))
    state.pieces.append(MinePiece("red/f1/1/minelayer-1/1", 1, 40.5, 24, laid_turn=1, known_to=2))
    result = battle_result(WAR, before, FIELD, battle_before.to_json(), None, 4)
    assert result.mines == (("blue", -6000, 4000), ("red", 4500, 0), ("red", 40000, 0))
    outcome = resolve(WAR, before, results=(result,))
    assert outcome.world.mines == tuple(Mine("rock", *item) for item in result.mines)
    notices = [event for event in outcome.week_events if isinstance(event, MinesSeen)]
    assert {event.audience: places_in(event.places) for event in notices} == {
        ("blue",): [(4500, 0), (40000, 0)],
        ("red",): [(-6000, 4000)],
    }


def test_battles_by_older_rules_leave_no_mines() -> None:
    before = field()
    file = battle_setup(WAR, before, FIELD, salt=b"salt", rules="1.0")
    older = start(file)
    older.state.pieces.append(MinePiece("x/minelayer-1/1", 0, 40, 24, laid_turn=1, known_to=1))
    assert battle_result(WAR, before, FIELD, older.to_json(), None, 4).mines is None


# --- who knows what


def test_mines_of_others_are_unknown_until_they_are_swept_or_fought_among() -> None:
    before = layer(mines=(mine("blue", 2), mine("red")))
    view = build_view(WAR, before, "red", None, ())
    assert [item.faction for item in view.mines] == ["red"]
    outcome = week_end(before, Orders(sweep=(LAYER,)), sweep=[2])
    after = build_view(WAR, outcome.world, "red", view, notices_of(outcome))
    assert [(item.faction, item.x, item.week) for item in after.mines] == [
        ("", 2000, 3),
        ("red", 0, 4),
    ]
    rock = next(system for system in WAR.systems if system.id == "rock")
    assert known_mines_words(after, rock) == "1 mine of your own, 1 other mine (week 3)"
    gone = replace(outcome.world, mines=(mine("red"),))
    later = build_view(WAR, gone, "red", after, ())
    assert later.mines == after.mines
    fought = week_end(gone, Orders(sweep=(LAYER,)))
    searched = build_view(WAR, fought.world, "red", later, notices_of(fought))
    assert [item.faction for item in searched.mines] == ["red"]
    assert from_document(View, to_document(after)) == after


def notices_of(outcome: StageOutcome) -> Any:
    return notices_by_faction(outcome.week_events, 3, "battles").get("red", ())


def views_of_blue(orders: Orders) -> list[bytes]:
    """Return blue's views in a week of red's orders, while blue is beside the minefield."""
    before = layer(ROCK, fleet("blue/f1", COLONY, "Cruiser"), mines=(mine("red", 7),))
    stages = [before]
    for sealed in ({"red": orders}, {}, {}):
        stages.append(resolve(WAR, stages[-1], sealed).world)
    return [encode(build_view(WAR, stage, "blue", None, ())) for stage in stages]


def test_sealed_lay_changes_nothing_that_others_know(monkeypatch: pytest.MonkeyPatch) -> None:
    assert views_of_blue(lay((1, 1))) == views_of_blue(Orders())

    def leak(_scenario: Any, leaked: World, *_: Any, **__: Any) -> Any:
        return tuple(KnownMine(item.system, "", item.x, item.y, 1) for item in leaked.mines)

    monkeypatch.setattr(perception, "_known_mines", leak)
    assert views_of_blue(lay((1, 1))) != views_of_blue(Orders())


def test_foreign_mines_change_no_fault_and_no_offer() -> None:
    empty = layer()
    mined = layer(mines=(mine("blue", 1, 1),) * MAX_MINES)
    orders = replace(lay((1, 1)), sweep=(LAYER,))
    assert faults(empty, orders) == faults(mined, orders) == []
    views = [build_view(WAR, before, "red", None, ()) for before in (empty, mined)]
    assert encode(views[0]) == encode(views[1])


def test_war_begins_with_the_mines_of_its_scenario() -> None:
    placed = PlacedMine("blue", (-6, 4))
    systems = tuple(
        replace(system, mines=(placed,)) if system.id == "rock" else system
        for system in WAR.systems
    )
    assert initial_mines(replace(WAR, systems=systems)) == (mine("blue", -6, 4),)


def test_battle_without_mines_clears_old_charts() -> None:
    before = field()
    view = replace(
        build_view(WAR, before, "red", None, ()),
        mines=(KnownMine("rock", "", 2000, 0, 1),),
    )
    outcome = resolve(WAR, before, results=(battle(before, red="left"),))
    assert build_view(WAR, outcome.world, "red", view, notices_of(outcome)).mines == ()


def test_laid_mines_come_from_all_minelayers() -> None:
    cls = replace(
        MINELAYER,
        systems=(*MINELAYER.systems, "minelayer-2"),
        stock=(("minelayer-1", 3), ("minelayer-2", 3)),
    )
    ship = layer().ships[0]
    assert stock_after_laying(cls, ship, 4) == {"minelayer-1": 0, "minelayer-2": 2}


def test_admirals_lay_mines_where_foes_can_come_and_sweep_always() -> None:
    sighting = Sighting(3, COLONY, "blue", (("cruiser", 2),))
    holdings = (Holding("rock", "red", 1),)
    view = build_view(WAR, layer(holdings=holdings, mines=(mine("red", -12),)), "red", None, ())
    assert LAY.advise(WAR, view, Orders()) == ()
    threatened = replace(view, sightings=(sighting,))
    (advised,) = LAY.advise(WAR, threatened, Orders())
    assert advised == Lay(LAYER, ((-12, 6), (-12, -6), (-12, 12)))
    orders = Orders(other_kinds=(advised,), sweep=SWEEP.advise(WAR, view, Orders()))
    assert orders.sweep == (LAYER,)
    assert order_violations(WAR, threatened, orders) == ()
    old = replace(view, sightings=(replace(sighting, week=0),))
    assert LAY.advise(WAR, old, Orders()) == ()
    assert LAY.advise(WAR, threatened, Orders(dock=(Dock(LAYER, (), True, False),))) == ()
