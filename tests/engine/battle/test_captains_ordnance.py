"""Captains with torpedoes, needle beams, packs and nova cannons: when they use them, and that it
pays.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import begin, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.state import BattleState
from engine.notation.battles import read_battle
from engine.pieces.nova import Nova
from engine.view.side_view import observe
from tests.engine.battle.table import classes, gunship, setup, vessel
from tools.bench.systems import ENTRIES, battle_file, fight_mirrored


def start_at(*sides: list[dict[str, Any]], stop: str = "engage") -> BattleState:
    state = start(setup(*sides), classes()).state
    state.stop = stop
    return state


def fires(state: BattleState, **doctrine: Any) -> tuple[Fire, ...]:
    """Return the fire that red's captain orders for its first ship."""
    orders = Captain(Doctrine(**doctrine), Dice(1)).fire(observe(state, 0))
    return orders[0][1] if orders else ()


def weapon_names(fired: tuple[Fire, ...]) -> list[str]:
    return [fire.weapon for fire in fired]


@pytest.mark.parametrize("name", ["pulse-torpedoes", "needle-beams", "submunitions", "nova-cannon"])
def test_fleet_using_the_system_beats_one_that_does_not(name: str) -> None:
    battles = 48 if name == "needle-beams" else 20
    score = fight_mirrored(ENTRIES[name], battles)
    assert score.wins > score.losses + battles // 6
    assert score.share > 0.55


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("pulse-torpedoes", "torpedo"),
        ("needle-beams", "needle"),
        ("submunitions", "pack"),
        ("nova-cannon", "nova-armed"),
    ],
)
def test_captain_obeys_never(name: str, kind: str) -> None:
    battle = begin(read_battle(battle_file(ENTRIES[name]), {}))
    doctrine = Doctrine(never=ENTRIES[name].never)
    ended = fight(battle, {"red": doctrine, "blue": Doctrine()}, Dice(3), "3")
    users = [event.ship for event in ended.events if event.kind == kind]  # type: ignore[attr-defined]
    assert users
    assert not [ship for ship in users if ship.startswith("r")]


@pytest.mark.rule("2e.pulse-torpedoes", "2e.fire-control")
@pytest.mark.parametrize(("distance", "weapons"), [(8, ["pulse-torpedo-1"]), (30, [])])
def test_only_firecon_goes_to_the_better_weapon(distance: float, weapons: list[str]) -> None:
    state = start_at(
        [vessel("r1", 60, 20, "pulse-torpedo battery:C", mass=14)],
        [gunship("b1", 60, 20 + distance, "C")],
    )
    assert weapon_names(fires(state)) == weapons
    strong = start_at(
        [vessel("r1", 60, 20, "pulse-torpedo battery:A", mass=18)], [gunship("b1", 60, 42, "C")]
    )
    assert weapon_names(fires(strong)) == ["battery-1"]


@pytest.mark.rule("2e.pulse-torpedoes")
def test_torpedoes_and_guns_share_firecons() -> None:
    state = start_at(
        [vessel("r1", 60, 20, "pulse-torpedo battery:A", mass=30)], [gunship("b1", 60, 30, "C")]
    )
    assert weapon_names(fires(state)) == ["pulse-torpedo-1", "battery-1"]
    assert weapon_names(fires(state, never=("pulse-torpedo",))) == ["battery-1"]


@pytest.mark.rule("2e.needle-beams")
@pytest.mark.parametrize(
    ("target", "system"),
    [
        ({"mass": 40}, "drive"),
        ({"mass": 12}, "firecon-1"),
        ({"mass": 40, "lost": ["firecon-1", "firecon-2"]}, "firecon-3"),
        ({"mass": 40, "lost": ["drive", "drive"]}, "firecon-1"),
    ],
)
def test_needles_aim_at_drives_and_last_firecons(target: dict[str, Any], system: str) -> None:
    enemy = gunship("b1", 60, 26, "AAA" if target["mass"] == 40 else "AA", **target)
    fired = fires(start_at([vessel("r1", 60, 20, "needle needle", mass=30)], [enemy]))
    assert [(fire.weapon, fire.system) for fire in fired] == [
        ("needle-1", system),
        ("needle-2", system),
    ]


@pytest.mark.rule("2e.needle-beams")
def test_needles_aim_at_the_ftl_drive_of_a_leaving_ship() -> None:
    state = start_at([vessel("r1", 60, 20, "needle", mass=30)], [gunship("b1", 60, 26, "AAA")])
    state.ship_by_name("b1").warm = True
    assert [fire.system for fire in fires(state)] == ["ftl"]


@pytest.mark.rule("2e.submunitions")
@pytest.mark.parametrize(
    ("distance", "damage", "packs"),
    [(6, 0, 2), (12, 0, 2), (12.5, 0, 0), (12.5, 4, 2), (18.5, 4, 0)],
)
def test_packs_wait_for_a_good_range(distance: float, damage: int, packs: int) -> None:
    boat = vessel("r1", 60, 20, "submunition submunition", mass=12, damage=damage)
    assert len(fires(start_at([boat], [gunship("b1", 60, 20 + distance, "C")]))) == packs


@pytest.mark.rule("2e.submunitions")
def test_fired_pack_is_not_ordered_again() -> None:
    boat = vessel("r1", 60, 20, "submunition submunition", mass=12, stock={"submunition-1": 0})
    assert weapon_names(fires(start_at([boat], [gunship("b1", 60, 26, "C")]))) == ["submunition-2"]


def armed_by(state: BattleState, **doctrine: Any) -> bool:
    plots = Captain(Doctrine(**doctrine), Dice(1)).plots(observe(state, 0))
    return "r1" in plots and plots["r1"].nova


@pytest.mark.rule("2e.nova-cannon")
def test_nova_cannon_is_armed_for_trapped_targets_without_friends_in_line() -> None:
    monitor = vessel("r1", 60, 20, "nova-cannon battery:B", mass=90)
    base = gunship("b1", 60, 40, "AAAA", mass=90, thrust=1)
    friend = gunship("r2", 60, 32, "C")
    assert armed_by(start_at([monitor], [base], stop="plot"))
    assert not armed_by(start_at([monitor], [base], stop="plot"), never=("nova-cannon",))
    assert not armed_by(start_at([monitor, friend], [base], stop="plot"))
    assert not armed_by(start_at([monitor | {"lost": ["nova-cannon-1"]}], [base], stop="plot"))


@pytest.mark.rule("2e.nova-cannon")
@pytest.mark.parametrize(
    ("friend", "fired"), [((80, 32), ["nova-cannon-1"]), ((60, 32), []), ((60.5, 50), [])]
)
def test_armed_nova_cannon_does_not_fire_through_friends(
    friend: tuple[float, float], fired: list[str]
) -> None:
    monitor = vessel("r1", 60, 20, "nova-cannon battery:B", mass=90)
    state = start_at([monitor, gunship("r2", *friend, "")], [gunship("b1", 60, 40, "A")])
    state.ship_by_name("r1").armed = True
    assert weapon_names(fires(state)) == fired


@pytest.mark.rule("2e.nova-cannon")
def test_captain_flies_out_of_a_template() -> None:
    state = start_at(
        [gunship("r1", 60, 60, "A", course=3, velocity=6)],
        [gunship("b1", 60, 20, "A")],
        stop="plot",
    )
    battle = start(
        setup([gunship("r1", 60, 60, "A", course=3, velocity=6)], [gunship("b1", 60, 20, "A")]),
        classes(),
    )
    plain = Captain(Doctrine(), Dice(1)).plots(observe(state, 0))
    ends = []
    for novas in ([], [Nova("nova-0-1", 1, ShipId("b1"), 66, 50, 12, 1)]):
        battle.state.pieces = list(novas)
        plots = Captain(Doctrine(), Dice(1)).plots(observe(battle.state, 0))
        ends.append(plots.get("r1"))
    assert ends[0] == plain.get("r1")
    assert ends[0] != ends[1]
