"""Computer captains: better than a simple rule, without bias, and true to their doctrine."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.battle import ResolvedStop, begin, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine, doctrine_from
from engine.captains.common.foes import MEAN_POINTS
from engine.captains.common.retreat import loss_share
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.geometry import AFT, arcs_of
from engine.documents import state_document
from engine.notation.battles import read_battle
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, gunship, setup, ship
from tests.engine.battle.test_anything import battle as any_battle

CAPTAIN = Doctrine()
STRAIGHT = Doctrine(style="straight")


def mixed_squadrons() -> dict[str, Any]:
    """Return two equal mixed squadrons, mirrored about the table's middle."""
    names = ["Battleship", "Heavy Cruiser", "Light Cruiser", "Destroyer", "Destroyer", "Frigate"]
    red = [ship(f"r{n}", name, 6, 12 + 7 * n, 3, 6) for n, name in enumerate(names)]
    blue = [ship(f"b{n}", name, 90, 60 - 12 - 7 * n, 9, 6) for n, name in enumerate(names)]
    return setup(red, blue, table=[96, 60])


def count_wins(
    document: dict[str, Any], first: Doctrine, second: Doctrine, seeds: range
) -> tuple[int, int]:
    """Return the battles won by the first and by the second side's captain."""
    battle = start(document, classes())
    names = battle.state.sides
    counts = {names[0]: 0, names[1]: 0, None: 0}
    for seed in seeds:
        doctrines = {names[0]: first, names[1]: second}
        counts[fight(battle, doctrines, Dice(f"d{seed}"), f"c{seed}", log=False).winner] += 1
    return counts[names[0]], counts[names[1]]


def test_equal_captains_win_equally_often() -> None:
    # Three standard errors of the difference in 100 tosses of a fair coin are 30;
    # tools.bench.mirrored fights 4,000.
    red, blue = count_wins(mixed_squadrons(), CAPTAIN, CAPTAIN, range(1000, 1100))
    assert abs(red - blue) <= 30


def test_captain_sees_only_its_view() -> None:
    initial_battle = start(
        setup([gunship("r1", 60, 10, "A")], [gunship("b1", 60, 90, "A", 6)], bogeys=True), classes()
    )
    changed = start(
        setup([gunship("r1", 60, 10, "A")], [gunship("b1", 60, 90, "BBBB", 6)], bogeys=True),
        classes(),
    )
    views = [observe(battle.state, 0) for battle in (initial_battle, changed)]
    assert Captain(CAPTAIN, Dice(1)).plots(views[0]) == Captain(CAPTAIN, Dice(1)).plots(views[1])


@pytest.mark.parametrize("seed", range(3))
def test_captain_does_not_change_its_input(seed: int) -> None:
    ended = ""

    def unchanged(stop: ResolvedStop) -> None:
        nonlocal ended
        assert not ended or json.dumps(state_document(stop.before)) == ended
        ended = json.dumps(state_document(stop.after))

    file = read_battle(any_battle(Random(seed)), classes())
    fight(begin(file), {}, Dice(seed), str(seed), on_stop=unchanged)
    assert ended


def test_captain_keeps_its_target_out_of_its_aft_arc() -> None:
    # The enemy is dead astern, out of range of all guns: after two turns of search it is no longer
    # there.
    document = setup(
        [ship("r1", "Light Cruiser", 60, 60, 12, 4)],
        [gunship("b1", 60, 30, "C", thrust=0, ftl="none")],
    )
    battle = start(document, classes())
    ended = fight(battle, {"red": CAPTAIN, "blue": STRAIGHT}, Dice(1), "1", 3)
    red, blue = at(ended, "r1"), at(ended, "b1")
    assert blue.status != "fighting" or arcs_of(blue.x - red.x, blue.y - red.y, red.course) != AFT


def test_captain_concentrates_its_fire() -> None:
    red = [gunship(f"r{n}", 56 + 2 * n, 60, "BB") for n in range(4)]
    blue = [gunship(f"b{n}", 56 + 2 * n, 68, "B", 6, mass=24) for n in range(4)]
    view = observe(start(setup(red, blue), classes()).state, 0)
    firsts = [fires[0].targets[0] for _, fires in Captain(CAPTAIN, Dice(1)).fire(view)]
    assert len(firsts) == 4
    assert len(set(firsts)) == 1


def test_fire_is_distributed_by_remaining_boxes() -> None:
    # Eighteen batteries bear on a destroyer of 11 boxes and on two cruisers, and can be expected to
    # do 43 points.
    red = [gunship(f"r{n}", 50 + 4 * n, 60, "AAA") for n in range(6)]
    small = gunship("destroyer", 60, 70, "AAA", 6, mass=22)
    large = [gunship(f"cruiser-{n}", 50 + 20 * n, 71, "AA", 6, mass=40) for n in range(2)]
    view = observe(start(setup(red, [small, *large]), classes()).state, 0)
    fired = [fire for _, fires in Captain(CAPTAIN, Dice(1)).fire(view) for fire in fires]
    first = Counter(fire.targets[0] for fire in fired)
    points = 3 * MEAN_POINTS[0]
    assert len(fired) == 18
    assert 11 <= first["destroyer"] * points <= 1.25 * 11
    assert first["cruiser-0"] + first["cruiser-1"] >= 6
    assert all("destroyer" in fire.targets for fire in fired)  # it may have been lucky


@pytest.mark.parametrize(
    ("targets", "expected"), [("nearest", "near"), ("weakest", "weak"), ("strongest", "strong")]
)
def test_targets_follow_the_doctrine(targets: str, expected: str) -> None:
    blue = [
        gunship("near", 60, 63, "C", 6, mass=24),
        gunship("weak", 62, 70, "C", 6, mass=8),
        gunship("strong", 58, 70, "AAAAAA", 6, mass=100),
    ]
    view = observe(start(setup([gunship("r1", 60, 60, "A")], blue), classes()).state, 0)
    (_, fires), *_ = Captain(Doctrine(targets=targets), Dice(1)).fire(view)
    assert fires[0].targets[0] == expected


@pytest.mark.rule("2e.ftl-exit")
def test_fleeing_captain_leaves_by_ftl() -> None:
    red = [ship(f"r{n}", "Destroyer", 60 + 12 * n, 20, 12, 6) for n in range(3)]
    document = setup(red, [gunship("b1", 60, 110, "C", 6)])
    ended = fight(start(document, classes()), {"red": {"flee": True}, "blue": {}}, Dice(1), "1")
    assert [at(ended, f"r{n}").status for n in range(3)] == ["ftl"] * 3
    assert ended.winner == "blue"


@pytest.mark.rule("2e.leaving-table")
def test_fleeing_ship_without_ftl_leaves_over_the_edge() -> None:
    red = [ship("r1", "System Defence Ship", 60, 20, 12, 6)]
    document = setup(red, [gunship("b1", 60, 110, "C", 6, thrust=0, ftl="none")])
    ended = fight(start(document, classes()), {"red": {"flee": True}}, Dice(1), "1", 60)
    assert at(ended, "r1").status == "left"


def test_captain_breaks_off_at_its_losses() -> None:
    hurt = ship("r1", "Heavy Cruiser", 60, 20, 12, 6, damage=9)
    document = setup([hurt], [ship("b1", "Superdreadnought", 60, 100, 6, 2)])
    battle = start(document, classes())
    assert loss_share(battle.state.ships[:1]) == pytest.approx(56.25)
    for share, status in ((50, "ftl"), (60, "fighting")):
        ended = fight(battle, {"red": Doctrine(break_off=share), "blue": STRAIGHT}, Dice(1), "1", 3)
        assert at(ended, "r1").status == status


def test_captains_stay_on_the_table() -> None:
    lost = 0
    for seed in range(20):
        ended = fight(start(mixed_squadrons(), classes()), {}, Dice(seed), str(seed))
        lost += sum(state.status in ("left", "returning") for state in ended.state.ships)
    assert lost <= 4  # of 240 ships


def test_every_doctrine_fault_is_named() -> None:
    with pytest.raises(RuleViolations) as caught:
        doctrine_from(
            {"range": 99, "targets": "all", "break_off": "x", "flee": 1, "style": "odd", "luck": 6},
            "d",
        )
    places = [fault.where for fault in caught.value.violations]
    assert places == ["d.luck", "d.range", "d.targets", "d.break_off", "d.flee", "d.style"]
    for never, wrong in (
        (["needle", "ray"], "d.never[1]"),
        ([["needle"]], "d.never[0]"),
        ("needle", "d.never"),
    ):
        with pytest.raises(RuleViolations) as caught:
            doctrine_from({"never": never}, "d")
        assert [(fault.where, fault.code) for fault in caught.value.violations] == [
            (wrong, "doctrine-never")
        ]


def test_doctrine_round_trips() -> None:
    doctrine = Doctrine(range=12, targets="weakest", never=("needle", "nova-cannon"))
    assert doctrine_from(json.loads(json.dumps(doctrine.to_json()))) == doctrine


@pytest.mark.rule("2e.ftl-exit")
def test_fleeing_ship_warming_up_saves_thrust_for_a_jump_edge() -> None:
    document = setup([gunship("r1", 60, 40, "A", velocity=4)], [gunship("b1", 60, 110, "C", 6)])
    battle = start(document | {"jump_edge": {"red": "right"}}, classes())
    captain = Captain(Doctrine(flee=True), Dice(1), fleeing=1)
    assert captain.plots(observe(battle.state, 0))["r1"].steers()
    battle.state.ship_by_name("r1").warm = True
    assert captain.plots(observe(battle.state, 0)) == {}
