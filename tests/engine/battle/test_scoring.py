"""The introductory scenario of Continuum: forces, six turns, and points for damaged ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.battle import Battle, battle_from, begin, fight, start
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, FTL, LEFT_TABLE
from engine.core.state import OVER
from engine.core.victory import points_lost, scores
from engine.documents import ship_json
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from engine.ship_profiles import stock_now
from engine.view.worded_log import worded_line
from tests.engine.guns.duels import ship as hull

FILE = Path(__file__).resolve().parents[3] / "fixtures" / "battles" / "meeting-engagement.yaml"


def start_scored(**more: Any) -> Battle:
    document: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return start(document | more, fixture_classes("continuum"), Dice(1))


@pytest.mark.rule("pc.intro-scenario")
def test_each_side_has_two_cruisers_of_26_boxes_and_three_frigates() -> None:
    state = start_scored().state
    for side in (0, 1):
        ships = [ship for ship in state.ships if ship.owner == side]
        assert [ship.sheet.cls for ship in ships] == ["Heavy Cruiser"] * 2 + ["Frigate"] * 3
        cruiser = ships[0]
        guns = [f"{fit.type} {fit.size}" for fit in cruiser.sheet.fits if fit.type == "beam"]
        assert sorted(guns) == ["beam 1", "beam 2", "beam 2", "beam 2", "beam 3", "beam 3"]
        assert (cruiser.sheet.thrust, cruiser.sheet.boxes, cruiser.firecons, cruiser.screens) == (
            4,
            26,
            2,
            1,
        )
        assert sum(map(sum, cruiser.armour)) == 5


@pytest.mark.rule("pc.intro-scenario")
def test_damage_scores_a_quarter_half_or_all_of_the_points() -> None:
    ship = start_scored().state.ship_by_name("n1")
    points = ship.sheet.points
    assert points_lost(ship) == 0
    ship.damage = 1
    assert points_lost(ship) == points // 4
    ship.damage = 13  # of rows 7/7/6/6
    assert points_lost(ship) == points // 4
    ship.damage = 14
    assert points_lost(ship) == points // 2
    for status in (DESTROYED, LEFT_TABLE, FTL):
        ship.status = status
        assert points_lost(ship) == points


@pytest.mark.rule("pc.intro-scenario")
@pytest.mark.parametrize("types", [("beam",), ("firecon",), ("drive",)])
def test_ship_without_weapons_firecons_or_thrust_is_crippled(
    types: tuple[str, ...],
) -> None:
    ship = start_scored().state.ship_by_name("n1")
    for index, fit in enumerate(ship.sheet.fits):
        if fit.type in types:
            ship.alive[index] = 0
    ship.recompute()
    assert points_lost(ship) == ship.sheet.points // 2


@pytest.mark.rule("pc.intro-scenario")
def test_higher_score_wins_after_six_turns() -> None:
    battle = fight(start_scored(), {}, Dice(4), "captains", 6)
    assert battle.state.stop == OVER
    assert battle.turn <= 6
    nac, esu = scores(battle.state)
    assert battle.winner == ("nac" if nac > esu else "esu" if esu > nac else None)
    assert (
        worded_line(battle.events_json[-1])["reason_text"] == f"points scored: nac {nac}, esu {esu}"
    )


def test_equal_scores_draw_and_an_unknown_scoring_is_a_fault() -> None:
    battle = fight(
        start_scored(), {"nac": {"style": "straight", "flee": False}}, Dice(4), "captains", 1
    )
    assert (battle.winner, scores(battle.state)) == (None, (0, 0))
    with pytest.raises(RuleViolations) as caught:
        start_scored(scoring="glory")
    assert [fault.where for fault in caught.value.violations] == ["scoring"]


@pytest.mark.rule("pc.armour")
def test_lost_armour_is_kept_in_the_stock_and_returns() -> None:
    battle = start_scored()
    ship = battle.state.ship_by_name("n1")
    assert "stock" not in ship_json(ship)
    ship.armour = ((2, 0),)
    assert ship_json(ship)["stock"] == {"armour-1": 2}
    again = start_scored(sides=_with_stock({"armour-1": 2})).state.ship_by_name("n1")
    assert again.armour == ((2, 0),)
    assert stock_now(again)["armour-1"] == 2
    with pytest.raises(RuleViolations) as caught:
        start_scored(sides=_with_stock({"armour-1": 6}))
    assert [fault.where for fault in caught.value.violations] == [
        "sides[0].ships[0].stock.armour-1"
    ]


def _with_stock(stock: dict[str, int]) -> list[dict[str, Any]]:
    document: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    sides: list[dict[str, Any]] = document["sides"]
    sides[0]["ships"][0]["stock"] = stock
    return sides


@pytest.mark.rule("pc.intro-scenario", "pc.cloaks")
@pytest.mark.parametrize("cloak", ["cloaking-field", "tuffley-cloak", "cloaking-device"])
@pytest.mark.parametrize(("turns", "counts"), [(1, False), (5, False), (6, True), (9, True)])
def test_ship_cloaked_after_the_last_turn_counts_as_destroyed(
    cloak: str, turns: int, counts: bool
) -> None:
    """The cloak lasts so many turns from the first; the end of the battle uncovers the ship."""
    document: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    hidden: dict[str, Any] = hull("n1", 3, 18, f"beam:1 {cloak}", 3, velocity=6, boxes=90)
    document["sides"][0]["ships"][0] = hidden
    document["turns"] = [{"plot": {"n1": f"cloak {turns}"}}]
    file = read_battle(document, fixture_classes("continuum"))
    still = {"style": "straight"}
    ended = fight(
        begin(file, Dice(1)), {"nac": still, "esu": still}, Dice(4), "captains", 6, turns=file.turns
    )
    ship = ended.state.ship_by_name("n1")
    assert (ended.state.stop, ended.turn, ship.status) == (OVER, 6, "fighting")
    assert (points_lost(ship) == ship.sheet.points) == counts
    assert points_lost(
        battle_from(json.loads(json.dumps(ended.to_json()))).state.ship_by_name("n1")
    ) == points_lost(ship)
    nac, esu = scores(ended.state)
    assert (
        worded_line(ended.events_json[-1])["reason_text"] == f"points scored: nac {nac}, esu {esu}"
    )
    assert esu >= points_lost(ship)
    assert ended.winner == ("nac" if nac > esu else "esu" if esu > nac else None)
