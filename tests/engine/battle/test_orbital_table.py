"""The orbital table: ships that leave it fly round the planet; and planets placed by options."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import FIGHTING, LEFT_TABLE, RETURNING
from engine.notation.battles import read_battle
from engine.notation.terrain import terrain_of
from engine.view.side_log import side_log
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table

OPTIONS = ("orbital-table",)


def leaving(thrust: int = 4, **more: Any) -> dict[str, Any]:
    """Return `r1` on course 2, about to leave a table of 120 by 120 at its upper edge, (60, 120)."""
    own = ship("r1", 57, 114.804, "", 1, velocity=12, thrust=thrust)
    return table([own], [ship("b1", 10, 60, "")], options=OPTIONS, **more)


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("thrust", "turns"), [(1, 5), (2, 4), (4, 4), (5, 3), (8, 3)])
def test_ship_returns_over_the_opposite_edge_after_its_thrusts_turns(
    thrust: int, turns: int
) -> None:
    document = leaving(thrust)
    away = play(document, [{} for _ in range(turns)])
    assert at(away, "r1").status == RETURNING
    back = play(document, [{} for _ in range(turns + 1)])
    flown = at(back, "r1")
    assert (flown.status, flown.course, flown.velocity) == (FIGHTING, 1, 12)
    (came,) = events_of(back, "returned")
    assert came.at == pytest.approx((60, 0), abs=1e-2)  # as far from the diagonally opposite corner
    assert (flown.x, flown.y) == pytest.approx((66, 10.392), abs=1e-2)
    assert replays(start(document, classes()), back)


@pytest.mark.rule("pc.planets")
def test_ship_may_return_within_6_mu_and_turn_at_once() -> None:
    turns: list[dict[str, Any]] = [{} for _ in range(5)]
    beside = play(leaving(), [*turns[:4], {"plot": {"r1": "enter 66 0 1; +2"}}])
    assert (at(beside, "r1").velocity, events_of(beside, "returned")[0].at) == (14, (66, 0))
    for wrong in ("enter 67 0 1", "enter 60 0 2", "enter 60 120 1", "enter 60 1 1"):
        refused = play(leaving(), [*turns[:4], {"plot": {"r1": wrong}}])
        assert "must enter on course 1" in events_of(refused, "order-refused")[0].reason
        assert events_of(refused, "returned")[0].at == pytest.approx((60, 0), abs=1e-2)


@pytest.mark.rule("pc.planets")
def test_leaving_ship_is_gone_and_its_return_hidden() -> None:
    gone = play(leaving(), [{"plot": {"r1": "leave"}}])
    assert at(gone, "r1").status == LEFT_TABLE
    battle = play(leaving(), [{}])
    initial_battle = start(leaving(), classes())
    (own,) = side_log(events_of(battle, "went-round"), initial_battle.state, 0)
    (foe,) = side_log(events_of(battle, "went-round"), initial_battle.state, 1)
    assert own["due"] == 5
    assert "due" not in foe


@pytest.mark.rule("pc.planets")
def test_captains_fight_on_an_orbital_table() -> None:
    document = leaving()
    ended = fight(start(document, classes()), {}, Dice(2), "captains", 8)
    assert not events_of(ended, "order-refused")


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize("other", ["moving-table", "table-return"])
def test_orbital_table_excludes_other_table_options(other: str) -> None:
    with pytest.raises(RuleViolations, match="cannot both"):
        read_battle(leaving() | {"options": [*OPTIONS, other]}, classes())


@pytest.mark.rule("pc.planets")
def test_options_place_a_planet_away_from_ships() -> None:
    ships = [ship("r1", 60, 60, "")], [ship("b1", 10, 60, "")]
    laid = start(table(*ships, options=("planets",)), classes(), Dice(4))
    terrain: list[dict[str, Any]] = terrain_of(laid.state)
    (planet,) = terrain
    assert planet["kind"] == "planet"
    assert len(planet["gravity"]) == 3
    assert 5 <= planet["atmosphere"] <= 10
    assert abs(planet["at"][0] - 60) + abs(planet["at"][1] - 60) >= planet["radius"]
    simple = start(table(*ships, options=("simple-planet",)), classes(), Dice(4))
    assert terrain_of(simple.state)[0]["simple"]
    own = {"kind": "planet", "at": [20, 20], "radius": 3}
    battle = start(table(*ships, options=("planets",), terrain=[own]), classes(), Dice(4))
    assert terrain_of(battle.state) == [own]
