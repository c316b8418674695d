"""Critical hits on hangars: they check first, may explode, and lost rows make the check harder."""

from __future__ import annotations

from typing import Any

import pytest

from engine.continuum.damage import apply_damage
from engine.core.kinds import DESTROYED, PLAIN
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.view.side_log import side_log
from tests.engine.battle.table import scripted
from tests.engine.craft.carrier_battles import N1, carriers, turn
from tests.engine.defences.battles import play_turns, start_battle

pytestmark = pytest.mark.rule("pc.hangar-criticals")

OPTION = ("hangar-criticals",)
ROW = 10  # boxes of each of its three rows


def damage_carrier(
    points: int, type_: str = "standard", options: tuple[str, ...] = OPTION, **dice: list[int]
) -> tuple[ShipState, list[Any]]:
    """Return `r1`, with three hangars of that type, after so much damage at once, and its log."""
    state = start_battle(carriers(type_, "", options=options)).state
    log: list[Any] = []
    table = Table(state, scripted(**dice).at("turn-1"), log.append)
    ship = state.ship_by_name("r1")
    apply_damage(table, ship, (TypedDamage(points, PLAIN),), "fire:b1")
    return ship, log


def lines(log: list[Any], *events: str) -> list[Any]:
    return [event for event in log if event.kind in events]


def test_hangars_check_first_and_once() -> None:
    ship, log = damage_carrier(ROW, threshold=[6, 1, 1, *[1] * 12], hangar=[3])
    first, then = lines(log, "system-check", "threshold")
    assert [name for name, _ in first.rolls] == ["hangar-1", "hangar-2", "hangar-3"]
    assert first.lost == ("hangar-1",)
    assert not any(name.startswith("hangar") for name, _ in then.rolls)
    assert ship.stock[ship.profile.index_of["hangar-1"]] == 0
    assert ship.damage == ROW


@pytest.mark.parametrize(("die", "points"), [(1, 2), (2, 2), (3, 0)])
def test_die_of_1_or_2_explodes_for_a_d3(die: int, points: int) -> None:
    ship, log = damage_carrier(ROW, threshold=[6, 1, 1, *[1] * 12], hangar=[die], damage=[4])
    assert ship.damage == ROW + points
    assert [event.points for event in lines(log, "hangar-checked")] == [points]


def test_armour_does_not_stop_an_internal_explosion() -> None:
    document = carriers("standard", "", options=OPTION)
    document["sides"][0]["ships"][0]["design"]["armour"] = [[5, 0]]
    state = start_battle(document).state
    ship = state.ship_by_name("r1")
    table = Table(
        state, scripted(threshold=[6, 1, 1, *[1] * 12], hangar=[1], damage=[6]).at("turn-1"), None
    )
    ship.armour = ((5, 0),)
    ship.damage = ROW - 1
    apply_damage(table, ship, (TypedDamage(6, PLAIN),), "fire:b1")
    assert ship.damage == ROW + 3


@pytest.mark.parametrize("type_", ["missile", "torpedo", "mkp"])
def test_armed_craft_aboard_double_the_explosion(type_: str) -> None:
    assert (
        damage_carrier(ROW, type_, threshold=[6, 1, 1, *[1] * 12], hangar=[1], damage=[6])[0].damage
        == ROW + 6
    )


def test_two_rows_make_the_check_harder() -> None:
    """Two rows: systems are lost on a 5 less one, and an explosion happens up to a 3."""
    ship, log = damage_carrier(2 * ROW, threshold=[4, 1, 1, *[1] * 12], hangar=[3], damage=[1])
    assert [event.explodes_to for event in lines(log, "hangar-checked")] == [3]
    assert ship.damage == 2 * ROW + 1


def test_row_ended_by_an_explosion_makes_later_checks_harder() -> None:
    """Fire ends the first row, the explosion the second: 5 less one for everything but hangars."""
    ship, log = damage_carrier(
        2 * ROW - 1, threshold=[6, 1, 1, *[4] * 3, *[1] * 12], hangar=[1], damage=[2]
    )
    (check,) = lines(log, "threshold")
    assert (check.row, check.loses_on) == (2, 4)
    assert len(check.lost) == 3
    assert len(lines(log, "system-check")) == 1
    assert ship.damage == 2 * ROW


def test_ship_may_be_destroyed_by_its_hangar() -> None:
    ship, log = damage_carrier(3 * ROW - 1, threshold=[6, 1, 1], hangar=[1], damage=[6])
    assert ship.status == DESTROYED
    assert [event.cause for event in lines(log, "destroyed")] == ["hangar"]


def test_combat_landing_obstructs_the_decks() -> None:
    document = carriers("standard", "", options=OPTION)
    document["sides"][0]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 22], "course": 6}}
    battle = play_turns(document, turn(fighters={N1: "land r1 at once"}))
    ship = battle.state.ship_by_name("r1")
    assert ship.record.fouled
    log: list[Any] = []
    table = Table(
        battle.state,
        scripted(threshold=[6, 1, 1, *[1] * 12], hangar=[3], damage=[1]).at("turn-2"),
        log.append,
    )
    apply_damage(table, ship, (TypedDamage(ROW, PLAIN),), "fire:b1")
    assert [event.explodes_to for event in lines(log, "hangar-checked")] == [3]
    (own,), (others,) = (
        [line for line in side_log(log, battle.state, side) if line["event"] == "hangar-checked"]
        for side in (0, 1)
    )
    assert own["explodes_to"] == 3
    assert "explodes_to" not in others
    assert [others[key] for key in ("die", "points")] == [3, own["points"]]


def test_hangar_is_a_normal_system_without_the_option() -> None:
    _, log = damage_carrier(ROW, options=(), threshold=[*[1] * 20])
    assert lines(log, "system-check", "hangar-checked") == []
    assert any(name == "hangar-1" for name, _ in lines(log, "threshold")[0].rolls)
