"""Towing: linking, moving both by one drive, letting go, and the capacity of a tug's FTL drive."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.kinds import FTL
from engine.events.event import Event
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, hull, plot_fault_text, table
from tests.engine.battle.table import at, events_of

pytestmark = pytest.mark.rule("pc.towing")

WRECK = {"mass": 160, "boxes": 40, "lost": ["drive", "drive"]}


def salvage(**more: Any) -> dict[str, Any]:
    """Return the book's salvage ship (MASS 80, thrust 4) beside a drifting dreadnought of 160.

    The dreadnought moves at 3 on course 9.
    """
    tug = hull("t", 200, 200, 9, 3, **{"mass": 80, "thrust": 4, **more.pop("tug", {})})
    return table(tug, hull("d", 202, 200, 9, 3, **{**WRECK, **more.pop("towed", {})}), **more)


def ship_of_a_tug(tows: int = 160, *, advanced: bool = False) -> dict[str, Any]:
    return {"ftl": {"tug": tows, "advanced": advanced}, "mass": 120}


def test_tug_moves_both_after_two_turns_by_their_total_mass() -> None:
    battle = fly(salvage(), {"t": "tow d"}, {"t": "tow d"})
    assert at(battle, "t").thrust == 1, "80 x 4 = 320 for a mass of 240"
    battle = fly(salvage(), {"t": "tow d"}, {"t": "tow d"}, {"t": "tow d; P1"}, {"t": "tow d; +1"})
    tug, towed = at(battle, "t"), at(battle, "d")
    assert (tug.course, tug.velocity, towed.course, towed.velocity) == (8, 4, 8, 4)
    place = towed.x - tug.x, towed.y - tug.y
    assert place == pytest.approx((2 * 3**0.5 / 2, 1)), "2 MU behind, as in line ahead"
    assert not events_of(battle, "order-refused")


def test_tug_has_no_more_thrust() -> None:
    battle = fly(salvage(), {"t": "tow d"}, {"t": "tow d"}, {"t": "tow d; +2"})
    assert [event.ship for event in events_of(battle, "order-refused")] == ["t"]


def test_tug_links_one_ship_a_turn_and_may_tow_several() -> None:
    other = hull("o", 199, 201, 9, 3, mass=40, boxes=6, thrust=0)
    document = salvage(tug=ship_of_a_tug())
    document["sides"][0]["ships"].append(other)
    battle = fly(document, {"t": "tow d o"}, {"t": "tow d o"})
    assert at(battle, "t").record.towing == 200, "a turn for each"
    assert [event.ship for event in events_of(battle, "in-tow") if event.turns] == ["d", "o"]


def test_own_movement_restarts_the_linking() -> None:
    battle = fly(salvage(), {"t": "tow d"}, {"t": "tow d; +1"}, {"t": "tow d; -1"})
    assert [(event.turn, event.turns) for event in events_of(battle, "in-tow")] == [
        (1, 0),
        (1, 1),
        (2, 0),
        (3, 1),
    ]
    assert not at(battle, "t").record.towing


def test_link_holds_with_equal_moves() -> None:
    battle = fly(
        salvage(towed={"lost": []}),
        {"t": "tow d; +1", "d": "+1"},
        {"t": "tow d; -1", "d": "-1"},
        {"t": "tow d"},
    )
    assert at(battle, "t").record.towing == 160


def test_towed_ship_has_no_move_and_is_released_if_not_named() -> None:
    plots = [{"t": "tow d"}, {"t": "tow d"}]
    battle = fly(
        salvage(towed={"lost": []}), *plots, {"t": "tow d", "d": "+1"}, {"t": "", "d": "+1"}
    )
    assert [event.turn for event in events_of(battle, "order-refused")] == [3, 4], (
        "judged before it is let go"
    )
    assert not at(battle, "d").record.tug
    assert at(battle, "t").thrust == 4


@pytest.mark.parametrize(
    ("place", "more", "words"),
    [
        ((204, 200, 9, 3), {}, "must be within 3 MU"),
        ((202, 200, 9, 4), {}, "must be within 3 MU on the same course and at the same velocity"),
        ((202, 200, 8, 3), {}, "must be within 3 MU on the same course and at the same velocity"),
        (
            (202, 200, 9, 3),
            {"kind": "installation", "thrust": 0, "ftl": "none"},
            "no ship can tow that much mass",
        ),
    ],
)
def test_only_close_ships_with_equal_motion_are_towed(
    place: tuple[float, float, int, int], more: dict[str, Any], words: str
) -> None:
    assert words in plot_fault_text(
        table(hull("t", 200, 200, 9, 3), hull("d", *place, **more)), "t", "tow d"
    )


def test_enemies_and_unknown_ships_cannot_be_towed() -> None:
    document = table(
        hull("t", 200, 200), hull("d", 201, 200), hull("o", 200, 201), blue=[hull("b1", 200, 202)]
    )
    for name in ("b1", "zz", "t"):
        assert "another ship of its side" in plot_fault_text(document, "t", f"tow {name}")
    assert "only a tug can tow several" in plot_fault_text(document, "t", "tow d o")
    assert not plot_fault_text(document, "t", "tow d")


@pytest.mark.rule("pc.tugs")
@pytest.mark.parametrize(("tows", "gone"), [(160, True), (159, False)])
def test_tug_takes_its_tow_into_ftl_up_to_its_capacity(tows: int, gone: bool) -> None:
    document = salvage(tug=ship_of_a_tug(tows, advanced=not gone))
    battle = fly(document, {"t": "tow d"}, {"t": "tow d; ftl"}, {"t": "tow d"})
    assert at(battle, "t").status == FTL
    assert (at(battle, "d").status == FTL) is gone
    if not gone:
        assert at(battle, "d").x == pytest.approx(202 - 9), "it drifts on"


@pytest.mark.rule("pc.tugs")
@pytest.mark.parametrize(
    ("first", "second", "apart", "gone"),
    [
        (ship_of_a_tug(80, advanced=True), ship_of_a_tug(80, advanced=True), 0, True),
        (ship_of_a_tug(80, advanced=True), ship_of_a_tug(79, advanced=True), 0, False),
        (ship_of_a_tug(80, advanced=True), ship_of_a_tug(80), 0, False),
        (ship_of_a_tug(80), ship_of_a_tug(80, advanced=True), 0, False),
        (ship_of_a_tug(80, advanced=True), ship_of_a_tug(80, advanced=True), 4, False),
    ],
)
@pytest.mark.parametrize("before", [False, True])
def test_example_two_advanced_tugs_tow_a_heavier_ship_together(
    first: dict[str, Any], second: dict[str, Any], apart: float, gone: bool, before: bool
) -> None:
    document = salvage(tug=first)
    ships = document["sides"][0]["ships"]
    ships.insert(0 if before else len(ships), hull("h", 198 - apart, 200, 9, 3, **second))
    orders = {"t": "tow d; ftl", "h": "ftl"}
    battle = fly(
        document,
        {"t": "tow d"},
        orders,
        {"t": "tow d"},
        ftl=[3] * 2,
        damage=[1] * 12,
        threshold=[1] * 60,
    )
    assert at(battle, "t").status == at(battle, "h").status == FTL
    assert (at(battle, "d").status == FTL) is gone


@pytest.mark.rule("pc.tugs")
def test_tug_that_stays_behind_contributes_nothing() -> None:
    document = salvage(tug=ship_of_a_tug(80, advanced=True))
    document["sides"][0]["ships"].append(
        hull("h", 198, 200, 9, 3, **ship_of_a_tug(80, advanced=True))
    )
    battle = fly(document, {"t": "tow d"}, {"t": "tow d; ftl"}, {"t": "tow d"})
    assert at(battle, "d").status != FTL


def test_other_sides_see_the_thrust_but_not_the_link() -> None:
    worlds = [fly(salvage(), {"t": order}, {"t": order}) for order in ("tow d", "")]
    for battle in worlds:
        for event in side_log(list[Event](battle.events), fly(salvage()).state, 1):
            assert event["event"] != "in-tow"
    open_notes = [
        contact.get("notes", {}) for contact in observe(worlds[0].state, 1).to_json()["contacts"]
    ]
    assert {"towing": 160} in open_notes
    assert not any("tug" in note or "link" in note for notes in open_notes for note in notes)
