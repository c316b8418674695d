"""Ships aboard others: tender bays, battleriders and motherships, hits, and movement."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, fight, start
from engine.continuum.riders import share_carrier_fate
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import CARRIED, DESTROYED, FIGHTING, FTL, LEFT_TABLE
from engine.core.table import Table
from engine.core.victory import scores
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, hull, plot_fault_text, table
from tests.engine.battle.table import at, events_of, play, replays, scripted

pytestmark = pytest.mark.rule("pc.tugs")

BAY = {"type": "tender-bay", "mass": 90}  # room for mass 60
GUN = [{"type": "firecon"}, {"type": "beam", "class": 1}]


def mother(*systems: dict[str, Any], **more: Any) -> dict[str, Any]:
    return hull(
        "m1",
        200,
        200,
        12,
        5,
        **{"mass": 300, "boxes": 40, "systems": [*GUN, *(systems or (BAY,))], **more},
    )


def rider(id_: str = "r1", **more: Any) -> dict[str, Any]:
    return hull(
        id_, 0, 0, 12, 0, **{"mass": 40, "boxes": 20, "ftl": "none", "carried": "m1", **more}
    )


def brood(*more: dict[str, Any], **terms: Any) -> dict[str, Any]:
    return table(mother(), rider(), *more, **terms)


# Room.


@pytest.mark.rule("pc.boat-bays")
@pytest.mark.parametrize(
    ("systems", "ftl", "masses", "fits"),
    [
        ([BAY], "standard", [40, 20], True),
        ([BAY], "standard", [40, 21], False),
        ([{"type": "tender-bay", "mass": 30}], "standard", [20], True),
        ([{"type": "tender-bay", "mass": 30}], "standard", [10, 10], True),
        ([{"type": "tender-bay", "mass": 30}] * 2, "standard", [30], False),
        (GUN, {"tug": 60}, [60], True),
        (GUN, {"tug": 60}, [40, 30], False),
        ([], "standard", [10], False),
    ],
)
def test_bays_hold_two_thirds_of_their_mass_and_tug_fields_their_transfer(
    systems: list[dict[str, Any]], ftl: Any, masses: list[int], fits: bool
) -> None:
    carrier = mother(*systems, ftl=ftl) if systems else mother({"type": "hold", "mass": 90})
    riders = [rider(f"r{n}", mass=mass, boxes=mass // 5) for n, mass in enumerate(masses)]
    document = table(carrier, *riders)
    if fits:
        assert {ship.status for ship in start(document).state.ships[1:-1]} == {CARRIED}
    else:
        with pytest.raises(RuleViolations, match="no room"):
            start(document)


# Detaching and going aboard.


def test_rider_detaches_with_its_motherships_motion() -> None:
    battle = fly(brood(), {}, {"m1": "+1", "r1": "detach; +2"})
    ship = at(battle, "r1")
    assert (ship.status, ship.course, ship.velocity) == (FIGHTING, 12, 7)
    assert (ship.x, ship.y) == (200, 212), "from where the mothership was as the turn began"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+1", "must detach first"),
        ("P6; detach", "thrust"),
        ("detach; -6", "cannot be reduced"),
        ("detach", ""),
    ],
)
def test_carried_ship_has_no_other_order(text: str, words: str) -> None:
    fault_text = plot_fault_text(brood(), "r1", text)
    assert words in fault_text
    assert bool(words) == bool(fault_text)


def test_rider_detaches_the_turn_after_ftl_entry_at_the_earliest() -> None:
    document = table(mother(ftl_entry=1), rider())
    battle = fly(document, {"r1": "detach"}, direction=[3], distance=[4])
    assert [event.ship for event in events_of(battle, "order-refused")] == ["r1"]
    assert at(battle, "r1").status == CARRIED
    battle = fly(document, {}, {"r1": "detach"}, direction=[3], distance=[4])
    assert (at(battle, "r1").status, at(battle, "r1").x) == (FIGHTING, at(battle, "m1").x)


def test_ship_docking_at_free_bays_is_taken_aboard() -> None:
    loose = hull("r2", 201, 200, 12, 5, mass=20, boxes=6, ftl="none")
    battle = fly(table(mother(), loose), {"r2": "dock m1"}, {}, {"m1": "P1"})
    assert at(battle, "r2").status == CARRIED
    assert at(battle, "m1").course == 11
    assert not events_of(battle, "order-refused")
    battle = fly(table(mother(), {**loose, "carried": "m1"} | {"at": [0, 0]}), {"r2": "detach"})
    assert at(battle, "r2").status == FIGHTING


# Hits.


def shot_at(*plots: dict[str, str], **more: Any) -> Battle:
    """Fire three points of beams at the mothership with its riders aboard."""
    document = table(
        hull(
            "m1",
            200,
            200,
            12,
            0,
            mass=300,
            boxes=40,
            systems=[*GUN, BAY, {"type": "screen"}],
            armour=[[2, 0]],
        ),
        rider(**more),
        blue=[
            hull(
                "b1",
                200,
                210,
                6,
                0,
                systems=[{"type": "firecon"}, *[{"type": "beam", "class": 1}] * 3],
            )
        ],
    )
    beams = [{"weapon": f"beam-{n}", "target": "m1"} for n in (1, 2, 3)]
    turns = [{"plot": plot} for plot in plots[:-1]] + [
        {"plot": plots[-1] if plots else {}, "engage": {"b1": beams}}
    ]
    battle = play(document, turns, initiative=[1, 2] * len(turns), beam=[5, 5, 5])
    assert replays(start(document), battle)
    return battle


def test_carried_ship_is_no_target_and_its_mothership_takes_damage() -> None:
    battle = shot_at()
    assert (at(battle, "m1").armour, at(battle, "m1").damage, at(battle, "r1").damage) == (
        ((0, 0),),
        1,
        0,
    )
    assert "r1" not in [contact.id for contact in observe(battle.state, 1).contacts]


def test_rider_may_take_fire_behind_the_motherships_screens() -> None:
    battle = shot_at({"m1": "bear r1"})
    assert (at(battle, "m1").armour, at(battle, "m1").damage) == (((2, 0),), 0)
    assert at(battle, "r1").damage == 3


def test_order_holds_until_replaced_or_detached() -> None:
    assert at(shot_at({"m1": "bear r1"}, {}), "r1").damage == 3
    assert at(shot_at({"m1": "bear r1"}, {"m1": "bear m1"}), "r1").damage == 0
    assert at(shot_at({"m1": "bear r1"}, {"r1": "detach"}), "m1").damage == 1


def test_rider_armour_counts_and_it_can_be_lost() -> None:
    assert at(shot_at({"m1": "bear r1"}, armour=[[1, 0]]), "r1").damage == 2
    battle = shot_at({"m1": "bear r1"}, boxes=4, damage=2)
    assert at(battle, "r1").status == DESTROYED


def test_only_a_carried_rider_takes_the_fire() -> None:
    assert "not aboard" in plot_fault_text(brood(hull("n1", 210, 200)), "m1", "bear n1")


def test_others_see_no_hits_on_carried_riders() -> None:
    battle = shot_at({"m1": "bear r1"})
    log = side_log(battle.events, start(shot_at_file()).state, 1)
    assert "r1" not in str(log)
    assert "bearer" not in str(log)


def shot_at_file() -> dict[str, Any]:
    return table(hull("m1", 200, 200, 12, 0, mass=300, boxes=40, systems=[*GUN, BAY]), rider())


# Movement together.


def test_riders_go_along_through_ftl_edges_and_gates() -> None:
    assert at(fly(brood(), {"m1": "ftl"}, {}), "r1").status == FTL
    edge = table(mother(at=[200, 397]), rider())
    edge["sides"][0]["ships"][0]["at"] = [200, 397]
    assert at(fly(edge, {}), "r1").status == LEFT_TABLE
    gate = {"id": "north", "at": [200, 203], "mass": 340, "active": True}
    battle = fly(brood(gates=[gate]), {"m1": "gate north"})
    assert at(battle, "r1").status == FTL
    assert events_of(battle, "gate-passed")[0].used_mass == 340
    assert "at most mass 339" in plot_fault_text(
        brood(gates=[{**gate, "mass": 339}]), "m1", "gate north"
    )


def test_failed_jump_hurts_riders_with_their_mothership() -> None:
    near = hull("n1", 202, 199, 12, 5)
    battle = fly(brood(near), {"m1": "ftl"}, {}, ftl=[3], damage=[2, 4])
    assert (at(battle, "m1").damage, at(battle, "r1").damage) == (2, 4)
    battle = fly(brood(near), {"m1": "ftl"}, {}, ftl=[6], damage=[1, 1])
    assert {at(battle, name).status for name in ("m1", "r1")} == {DESTROYED}


def test_carried_riders_are_lost_with_their_mothership() -> None:
    battle = fly(brood(options=("core-systems",)), {})
    battle.state.ship_by_name("m1").destroy()
    share_carrier_fate(Table(battle.state, scripted()))
    assert at(battle, "r1").status == DESTROYED


def test_riders_without_a_mothership_are_lost_in_a_battle_by_points() -> None:
    document = brood(scoring="losses")
    state = start(document).state.copy()
    assert scores(state) == (0, 0)
    ship, carrier = state.ship_by_name("r1"), state.ship_by_name("m1")
    state.detach(ship, (100, 100), 12, 0, None)
    assert scores(state) == (0, 0)
    carrier.destroy()
    assert scores(state) == (0, ship.sheet.points + carrier.sheet.points)


# Secrecy, files, captains.


def test_only_its_own_side_sees_carried_riders() -> None:
    state = start(brood()).state
    mine = observe(state, 0).to_json()["own"]["r1"]
    assert (mine["status"], mine["aboard"]) == ("carried", "m1")
    view = observe(state, 1).to_json()
    assert "r1" not in str(view)
    bare = observe(start(table(mother())).state, 1).to_json()
    assert view == bare, "with riders and without it looks the same"


def test_others_log_is_equal_until_a_rider_detaches() -> None:
    logs = []
    for document in (brood(), table(mother())):
        battle = fly(document, {"m1": "+1"}, {"m1": "P1"})
        logs.append(side_log(battle.events, start(document).state, 1))
    assert logs[0] == logs[1]
    battle = fly(brood(), {"r1": "detach"})
    assert "detached" in [
        line["event"] for line in side_log(battle.events, start(brood()).state, 1)
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"carried": "b1"}, "carried"),
        ({"carried": "r1"}, "carried"),
        ({"carried": "zz"}, "carried"),
        ({"ftl_entry": 2, "ftl": "standard"}, "carried"),
    ],
)
def test_faults_of_carried_ships_are_named(change: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        start(table(mother(), rider(**change)))
    assert code in [fault.code for fault in refused.value.violations]


def test_captains_detach_riders_near_an_enemy() -> None:
    document = table(
        hull("m1", 20, 24, 3, 4, mass=300, boxes=40, systems=[*GUN, BAY]), rider(),
        blue=[hull("b1", 60, 24, 9, 4)],
    )  # fmt: skip
    document["table"] = [72, 48]
    ended = fight(start(document), {}, Dice(3), "captains", 3)
    assert [event.subject for event in ended.events if event.kind == "detached"] == ["r1"]
    fled = fight(start(document), {"red": {"flee": True}}, Dice(3), "captains", 6)
    assert not [event for event in fled.events if event.kind == "detached"]
    assert fled.state.ship_by_name("r1").status == fled.state.ship_by_name("m1").status == FTL


def test_fleeing_captain_waits_for_a_rider_alongside() -> None:
    loose = hull("r2", 201, 200, 12, 5, mass=20, boxes=6, ftl="none")
    document = table(mother(), loose, blue=[hull("b1", 220, 240, 6, 4)])
    ended = fight(fly(document, {"r2": "dock m1"}), {"red": {"flee": True}}, Dice(3), "captains", 6)
    assert not [event for event in ended.events if event.kind == "order-refused"]
    assert ended.state.ship_by_name("r2").status in (CARRIED, FTL)
