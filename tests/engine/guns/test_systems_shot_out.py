"""Phase 13: systems hit by needle beams, phasers, commandos and EMP projectors, before the checks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.continuum.checks import systems_tested
from engine.continuum.fire_phase import fire_phase
from engine.core.orders import Fire
from engine.core.table import Table
from tests.engine.battle.table import at, classes, events_of, replays, scripted
from tests.engine.guns.duels import duel, play, ship, table, volley

NO_SYSTEM = "no target in range, in its arc and in sight has that system in working order"


def whys(battle: Any) -> list[str]:
    return [refused.reason for refused in events_of(battle, "shot-refused")]


def needle(system: str, *weapons: str) -> dict[str, Any]:
    return volley(*(weapons or ("needle-1",)), system=system)


@pytest.mark.rule("pc.needle-beams")
@pytest.mark.parametrize(
    ("die", "damage", "lost"), [(3, 0, ()), (4, 1, ()), (5, 1, ()), (6, 1, ("screen-1",))]
)
def test_needle_does_a_point_on_a_four_and_destroys_the_system_on_a_six(
    die: int, damage: int, lost: tuple[str, ...]
) -> None:
    battle = play(duel("needle:1@F+FS", fitted="screen screen"), [needle("screen-1")], to_hit=[die])
    assert (at(battle, "b1").damage, at(battle, "b1").lost_systems()) == (damage, lost)
    assert at(battle, "b1").screens == 2 - len(lost)


@pytest.mark.rule("pc.needle-beams")
@pytest.mark.parametrize(
    ("distance", "dice"), [(12, 4), (12.1, 3), (24, 3), (36, 2), (48, 1), (48.1, 0)]
)
def test_class_4_needle_rolls_a_die_less_in_each_band(distance: float, dice: int) -> None:
    document = duel("needle:4@F superior-sensors", distance)
    battle = play(document, [needle("drive")], to_hit=[1] * dice)
    assert [len(shot.dice) for shot in events_of(battle, "fire")] == ([dice] if dice else [])


@pytest.mark.rule("pc.needle-beams")
@pytest.mark.parametrize(
    ("sensors", "reach"),
    [("", 12), ("enhanced-sensors", 24), ("enhanced-sensorsx2", 48), ("superior-sensors", 48)],
)
def test_distant_systems_need_better_sensors(sensors: str, reach: int) -> None:
    dice = 5 - -(-reach // 12)
    battle = play(
        duel(f"needle:4@F {sensors}", reach), [needle("drive")], to_hit=[6] + [1] * (dice - 1)
    )
    assert (at(battle, "b1").damage, at(battle, "b1").lost_systems()) == (1, ("drive",))
    if reach < 48:
        farther = duel(f"needle:4@F {sensors}", reach + 0.1)
        blind = play(farther, [needle("drive")], to_hit=[6, 4, 3][: dice - 1])
        assert not whys(blind)
        assert (at(blind, "b1").damage, at(blind, "b1").lost_systems()) == (min(dice - 1, 2), ())


@pytest.mark.rule("pc.needle-beams")
def test_sensor_suite_aims_at_one_distant_system() -> None:
    document = duel("needle:2@Fx3 enhanced-sensors", 20, ours={"firecons": "x3"})
    orders = [
        {"weapon": f"needle-{n}", "target": "b1", "system": system}
        for n, system in enumerate(("drive", "ftl", "drive"), 1)
    ]
    battle = play(document, [{"engage": {"r1": orders}}], to_hit=[6, 6, 6])
    assert (at(battle, "b1").damage, at(battle, "b1").lost_systems()) == (3, ("drive", "drive"))


@pytest.mark.rule("pc.needle-beams", "pc.fire-control")
def test_needle_without_system_shares_the_targets_firecon() -> None:
    document = duel("needle:2@Fx2", 20, ours={"firecons": "x1"})
    orders = [
        {"weapon": f"needle-{n}", "target": "b1", "system": name}
        for n, name in enumerate(("drive", "ftl"), 1)
    ]
    battle = play(document, [{"engage": {"r1": orders}}], to_hit=[5, 6])
    assert (whys(battle), at(battle, "b1").damage, at(battle, "b1").lost_systems()) == ([], 2, ())


@pytest.mark.rule("pc.needle-beams", "pc.phasers")
def test_phaser_as_needle_does_its_point_beyond_sensor_range() -> None:
    document = duel("phaser:2@F+FS+FP advanced-firecon", 20)
    battle = play(document, [volley("phaser-1", mode="needle", system="ftl")], to_hit=[6])
    assert (whys(battle), at(battle, "b1").damage, at(battle, "b1").lost_systems()) == ([], 1, ())


@pytest.mark.rule("pc.needle-beams")
@pytest.mark.parametrize("system", ["bridge", "life-support", "power-core"])
def test_core_systems_cannot_be_needled(system: str) -> None:
    assert whys(play(duel("needle:1@F+FS"), [needle(system)])) == [NO_SYSTEM]


@pytest.mark.rule("pc.needle-beams", "pc.damage-control")
def test_needled_system_cannot_be_repaired() -> None:
    document = duel("needle:1@F+FS")
    repair = {"control": {"b1": {"repairs": [{"system": "ftl", "parties": 3}]}}}
    battle = play(document, [needle("ftl") | repair], to_hit=[6])
    assert at(battle, "b1").lost_systems() == ("ftl",)
    assert [mark.note for mark in events_of(battle, "marked")] == ["irreparable:ftl"]
    assert not events_of(battle, "repair")


@pytest.mark.rule("pc.needle-beams")
def test_drive_is_halved_then_lost() -> None:
    document = duel("needle:1@F+FSx2", thrust=6)
    battle = play(document, [needle("drive", "needle-1", "needle-2")], to_hit=[6, 6])
    assert at(battle, "b1").lost_systems() == ("drive", "drive")
    assert at(battle, "b1").thrust == 0


@pytest.mark.rule("pc.needle-beams", "pc.sequence")
def test_needled_system_works_this_phase_and_is_gone_before_checks() -> None:
    document = table(
        [ship("r1", 60, 20, "needle:1@F+FS beam:5@F")],
        [ship("b1", 60, 30, "beam:1", 6, mass=80, boxes=8, rows=4)],
    )
    orders = {
        "r1": [
            {"weapon": "needle-1", "target": "b1", "system": "beam-1"},
            {"weapon": "beam-1", "target": "b1"},
        ],
        "b1": [{"weapon": "beam-1", "target": "r1"}],
    }
    battle = play(
        document, [{"engage": orders}], initiative=[6, 1], to_hit=[6], beam=[4, 1, 1, 1, 1, 4]
    )
    assert at(battle, "r1").damage == 1
    kinds = [event.kind for event in battle.events]
    assert kinds.index("system-lost") < kinds.index("threshold")
    [check] = events_of(battle, "threshold")
    assert "beam-1" not in [name for name, _ in check.rolls]


@pytest.mark.rule("pc.needle-beams", "pc.holofield")
def test_needles_do_nothing_in_a_holofield() -> None:
    battle = play(duel("needle:2@F", 10, fitted="holofield"), [needle("drive")], to_hit=[6, 6])
    assert (at(battle, "b1").damage, at(battle, "b1").lost_systems()) == (0, ())


@pytest.mark.rule("pc.phasers", "pc.needle-beams")
def test_phaser_needles_with_an_advanced_firecon() -> None:
    snipe = volley("phaser-1", system="ftl", mode="needle")
    battle = play(
        duel("phaser:2@FP+F+FS advanced-firecon", fitted="screen screen"), [snipe], to_hit=[4, 6]
    )
    assert (at(battle, "b1").damage, at(battle, "b1").lost_systems()) == (2, ("ftl",))
    without = play(duel("phaser:2@FP+F+FS"), [snipe])
    assert whys(without) == ["it needs an advanced FireCon for that"]


def raid(*dice: int, **more: Any) -> Any:
    document = duel("transporter:1 marines marines", fitted=more.pop("fitted", ""), **more)
    turn = volley("transporter-1", system=more.pop("system", "ftl"), mode="raid")
    return play(document, [turn], beam=[4], boarding=list(dice))


@pytest.mark.rule("pc.transporters")
@pytest.mark.parametrize(
    ("dice", "destroyed", "marines"),
    [((1,), False, 2), ((2,), False, 1), ((3,), False, 1), ((4, 4), False, 2), ((4, 3), False, 1), ((5,), True, 1),
     ((6,), True, 2)],
)  # fmt: skip
def test_raid_results(dice: tuple[int, ...], destroyed: bool, marines: int) -> None:
    battle = raid(*dice)
    assert at(battle, "b1").lost_systems() == (("ftl",) if destroyed else ())
    assert 2 - at(battle, "r1").lost_systems().count("marines-1") == marines
    [shot] = events_of(battle, "fire")
    assert (shot.mode, shot.dice, shot.damage) == ("raid", (4,), dice)


@pytest.mark.rule("pc.transporters", "pc.damage-control")
def test_raided_system_stays_destroyed() -> None:
    assert "irreparable:ftl" in at(raid(6), "b1").facts()


@pytest.mark.rule("pc.transporters")
def test_raid_that_is_not_transported_rolls_nothing() -> None:
    document = duel("transporter:1 marines", fitted="screen")
    battle = play(document, [volley("transporter-1", system="ftl", mode="raid")], beam=[4])
    assert at(battle, "b1").lost_systems() == ()


@pytest.mark.rule("pc.transporters")
@pytest.mark.parametrize("system", ["bridge", "suicide-charge-1"])
def test_raiders_cannot_reach_protected_systems(system: str) -> None:
    document = duel("transporter:1 marines", fitted="suicide-charge")
    assert whys(play(document, [volley("transporter-1", system=system, mode="raid")])) == [
        NO_SYSTEM
    ]


@pytest.mark.rule("pc.transporters")
def test_raids_need_marines_and_landings_anybody() -> None:
    document = duel("transporter:1")
    assert whys(play(document, [volley("transporter-1", system="ftl", mode="raid")])) == [
        "it has no marines left to send"
    ]
    battle = play(document, [volley("transporter-1")], beam=[6])
    [shot] = events_of(battle, "fire")
    assert shot.hits == 2  # units landed; there is no re-roll


@pytest.mark.rule("pc.transporters")
def test_marines_raid_once_a_turn() -> None:
    document = duel("transporter:1x2 marines")
    for dice in ([6], [2]):  # returned, or lost
        battle = play(
            document,
            [volley("transporter-1", "transporter-2", system="ftl", mode="raid")],
            beam=[4],
            boarding=dice,
        )
        assert whys(battle) == ["it has no marines left to send"]


@pytest.mark.rule("pc.transporters")
def test_landed_people_wait_for_boarding_and_are_limited_by_those_aboard() -> None:
    document = duel("transporter:2@ALL transporter:2@ALL", mass=100, ours={"mass": 40, "boxes": 10})
    battle = start({**document, "options": [*document.get("options", ()), "boarding"]}, classes())
    shots = tuple(Fire(f"transporter-{n}", ("b1",), boarders=(0, 2)) for n in (1, 2))
    dice = scripted(beam=[6, 6, 6, 6])
    aftermath = fire_phase(Table(battle.state, dice, turn=1), {0: [("r1", shots)]})
    assert aftermath.landed == [("b1", 0, 2, "r1")]  # a ship of 40 mass has two parties


@pytest.mark.rule("pc.emp")
def test_worked_seven_hits_are_seven_tests_at_four() -> None:
    document = duel("emp:4@F emp:3@F", 10, fitted="firecon screen", mass=200)
    spread = [
        "firecon-1",
        "firecon-1",
        "firecon-2",
        "firecon-2",
        "firecon-3",
        "firecon-3",
        "screen-1",
    ]
    orders = [
        {"weapon": "emp-1", "target": "b1", "system": spread[:4]},
        {"weapon": "emp-2", "target": "b1", "system": spread[4:]},
    ]
    battle = play(
        document, [{"engage": {"r1": orders}}], beam=[5] * 7, threshold=[3, 4, 1, 2, 3, 3, 6]
    )
    [check] = events_of(battle, "system-check")
    assert (check.loses_on, [name for name, _ in check.rolls]) == (4, spread)
    assert check.lost == ("firecon-1", "screen-1")
    assert (at(battle, "b1").damage, at(battle, "b1").firecons, at(battle, "b1").screens) == (
        0,
        2,
        0,
    )


@pytest.mark.rule("pc.emp")
@pytest.mark.parametrize(("hits", "loses_on"), [(1, 6), (2, 5), (3, 4), (4, 4)])
def test_number_of_hits_decides_the_die(hits: int, loses_on: int) -> None:
    dice = [5] * hits + [1] * (4 - hits)
    battle = play(
        duel("emp:4@F"), [volley("emp-1", system="drive")], beam=dice, threshold=[loses_on] * hits
    )
    [check] = events_of(battle, "system-check")
    assert (check.loses_on, len(check.rolls)) == (loses_on, hits)
    assert at(battle, "b1").lost_systems() == ("drive",) * min(hits, 2)


@pytest.mark.rule("pc.emp")
def test_hits_of_several_ships_add_up() -> None:
    document = table(
        [ship("r1", 60, 20, "emp:1"), ship("r2", 62, 20, "emp:1")], [ship("b1", 60, 30, "")]
    )
    orders = {
        name: [{"weapon": "emp-1", "target": "b1", "system": ["ftl"]}] for name in ("r1", "r2")
    }
    battle = play(document, [{"engage": orders}], beam=[4, 4], threshold=[5, 1])
    [check] = events_of(battle, "system-check")
    assert (check.loses_on, check.rolls, check.lost) == (5, (("ftl", 5), ("ftl", 1)), ("ftl",))


@pytest.mark.rule("pc.emp", "pc.thresholds")
def test_finished_rows_add_to_the_test_and_the_check_follows() -> None:
    document = duel("emp:1 beam:5@F", fitted="", mass=80, boxes=8, rows=4)
    orders = [
        {"weapon": "emp-1", "target": "b1", "system": ["ftl"]},
        {"weapon": "beam-1", "target": "b1"},
    ]
    battle = play(
        document, [{"engage": {"r1": orders}}], beam=[4, 4, 4, 4, 4, 1], threshold=[4, *([1] * 20)]
    )
    [check] = events_of(battle, "system-check")
    assert (check.loses_on, check.lost) == (4, ("ftl",))
    [rows] = events_of(battle, "threshold")
    assert "ftl" not in [name for name, _ in rows.rolls]


@pytest.mark.rule("pc.emp", "pc.damage-control")
def test_parties_repair_emp_losses() -> None:
    repair = {"control": {"b1": {"repairs": [{"system": "ftl", "parties": 2}]}}}
    battle = play(
        duel("emp:1"), [volley("emp-1", system="ftl") | repair], beam=[4], threshold=[6], repair=[2]
    )
    assert at(battle, "b1").lost_systems() == ()


@pytest.mark.rule("pc.emp")
def test_hits_are_distributed_over_named_systems_or_all_electronics() -> None:
    target = start(
        duel("beam:1", fitted="advanced-firecon screen beam:1 ecm"), classes()
    ).state.ship_by_name("b1")
    assert systems_tested(target, 3, ("ftl", "screen-1")) == ("ftl", "screen-1", "ftl")
    assert systems_tested(target, 2, ("beam-1", "screen-1")) == ("screen-1", "screen-1")
    everything = (
        "advanced-firecon-1",
        "firecon-1",
        "firecon-2",
        "drive",
        "screen-1",
        "ecm-1",
        "ftl",
    )
    assert systems_tested(target, 8, ()) == (*everything, "advanced-firecon-1")
    target.alive = [0] * len(target.alive)
    assert systems_tested(target, 2, ()) == ()


def test_needles_emp_and_raids_replay() -> None:
    document = duel("needle:1@F+FS emp:1 transporter:1 marines", fitted="screen")
    orders = [
        {"weapon": "needle-1", "target": "b1", "system": "ftl"},
        {"weapon": "emp-1", "target": "b1", "system": ["drive"]},
        {"weapon": "transporter-1", "target": "b1", "system": "screen-1", "mode": "raid"},
    ]
    battle = start(document, classes())
    document_ours = {"engage": {"r1": orders}}
    ended = play(document, [document_ours], to_hit=[6], beam=[4, 5], boarding=[5], threshold=[6])
    assert at(ended, "b1").lost_systems() == ("screen-1", "drive", "ftl")
    assert replays(battle, ended)
