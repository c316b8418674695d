"""How captains use mines, minesweepers, active sensors and Q ships."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.battle import Battle, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.pieces.mine import Mine
from engine.view.side_view import observe
from tests.engine.battle.table import classes, events_of, setup, ship
from tests.engine.field.ships import fitted_cruiser
from tools.bench.systems import ENTRIES, fight_mirrored


def plots_of(battle: Battle, side: int = 0, **doctrine: Any) -> dict[str, Any]:
    return Captain(replace(Doctrine(), **doctrine), Dice(1)).plots(observe(battle.state, side))


@pytest.mark.rule("2e.mines")
@pytest.mark.parametrize("entry", ["mines", "q-ships"])
def test_fleet_using_mines_beats_one_that_does_not(entry: str) -> None:
    score = fight_mirrored(ENTRIES[entry], 40)
    assert score.wins > score.losses
    assert score.share > 0.53


@pytest.mark.rule("2e.mines")
def test_mines_are_laid_in_front_of_approaching_enemies() -> None:
    for course, laid in ((6, True), (12, False)):
        document = setup(
            [fitted_cruiser("r1", 60, 60, "minelayer", course=3, velocity=6)],
            [ship("b1", "Frigate", 60, 84, course, 12)],
        )
        battle = start(document, classes())
        assert bool(plots_of(battle)["r1"].mines) is laid
        assert not plots_of(battle, never=("minelayer",))["r1"].mines


@pytest.mark.rule("2e.mines")
def test_fleeing_ship_lays_mines_for_the_pursuer() -> None:
    document = setup(
        [fitted_cruiser("r1", 60, 60, "minelayer", course=12, velocity=8)],
        [ship("b1", "Frigate", 60, 50, 12, 8)],
    )
    battle = start(document, classes())
    assert plots_of(battle, flee=True)["r1"].mines


@pytest.mark.rule("2e.mines")
def test_sweepers_work_near_known_mines_or_minelayers() -> None:
    document = setup(
        [fitted_cruiser("r1", 60, 60, "minesweeper", velocity=10)],
        [ship("b1", "Frigate", 110, 110, 12, 0)],
    )
    battle = start(document, classes())
    plot = plots_of(battle)["r1"]
    assert not plot.sweep
    turned = battle.state.copy()
    turned.pieces.append(Mine("b1/minelayer-1/1", 1, 62.0, 60.0, 0, 3))
    battle.state = turned
    assert plots_of(battle)["r1"].sweep
    assert not plots_of(battle, never=("minesweeper",)).get("r1", plot).sweep
    turned.pieces_of(Mine)[0].known_to = 2  # no ship of red's knows of it
    assert not plots_of(battle)["r1"].sweep
    layers = setup(
        [fitted_cruiser("r1", 60, 60, "minesweeper", velocity=10)],
        [fitted_cruiser("b1", 110, 110, "minelayer")],
    )
    assert plots_of(start(layers, classes()))["r1"].sweep


def hidden(*red: dict[str, Any], y: float = 108) -> Battle:
    """Return red at the lower edge against one contact, all out of passive range."""
    return start(
        setup(list(red), [ship("b1", "Frigate", 60, y, 6, 0, contact="B")], bogeys=True), classes()
    )


@pytest.mark.rule("2e.sensors")
def test_identified_ships_scan_everything() -> None:
    battle = hidden(ship("r1", "Battleship", 60, 60, 3, 0))
    assert not any(plot.scan for plot in plots_of(battle).values())
    battle.state.ship_by_name("r1").bogey = False
    assert plots_of(battle)["r1"].scan == ("B",)
    assert not any(plot.scan for plot in plots_of(battle, flee=True).values())


@pytest.mark.rule("2e.sensors")
def test_hidden_fleet_reveals_its_least_escort_near_contacts() -> None:
    fleet = [
        ship("r1", "Battleship", 60, 60, 3, 0),
        ship("r2", "Frigate", 52, 62, 3, 0),
        ship("r3", "Courier", 56, 62, 3, 0),
    ]
    assert plots_of(hidden(*fleet, y=106))["r3"].scan == ("B",)
    assert not any(plot.scan for plot in plots_of(hidden(*fleet, y=118)).values())


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize(
    "quiet",
    [
        ship("r1", "Weasel Scout", 60, 62, 3, 0),
        ship("r1", "Q Ship", 60, 62, 3, 0),
        ship("r1", "Heavy Freighter", 60, 62, 3, 0),
        ship("r1", "Superdreadnought", 60, 62, 3, 0),
    ],
)
def test_important_ships_are_never_revealed_by_a_scan(quiet: dict[str, Any]) -> None:
    battle = hidden(quiet, y=104)
    assert not any(plot.scan for plot in plots_of(battle).values())


@pytest.mark.rule("2e.q-ships")
@pytest.mark.parametrize("seed", range(4))
def test_q_ship_keeps_its_cover_until_its_target_is_near(seed: int) -> None:
    document = setup(
        [ship("q", "Q Ship", 10, 60, 3, 4)], [ship("b1", "Light Cruiser", 100, 60, 9, 6)]
    )
    battle = fight(start(document, classes()), {}, Dice(seed), str(seed), 20)
    (uncovering,) = events_of(battle, "uncovered")
    assert uncovering.cause == "fires"
    ranges = [
        event.range
        for event in events_of(battle, "shot")
        if event.ship == "q" and event.turn == uncovering.turn
    ]
    assert ranges
    assert min(ranges) <= 36
    assert all(
        event.turn >= uncovering.turn for event in events_of(battle, "shot") if event.ship == "q"
    )
