"""Wave guns, nova cannons and flak: weapons with an area."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import duel, play, ship, table

SF = ("science-fiction",)
CHARGE: dict[str, Any] = {"plot": {"r1": "charge wave-gun-1"}}
WAVE: dict[str, Any] = {"engage": {"r1": [{"weapon": "wave-gun-1"}]}}
NOVA: dict[str, Any] = {"plot": {"r1": "nova"}, "engage": {"r1": [{"weapon": "nova-cannon-1"}]}}


def whys(battle: Any) -> list[str]:
    return [refused.reason for refused in events_of(battle, "shot-refused")]


def gunboat(distance: float = 10.0, **more: Any) -> dict[str, Any]:
    return duel("wave-gun", distance, options=SF, **more)


@pytest.mark.rule("pc.wave-gun")
def test_wave_gun_charges_six_and_fires_in_any_later_turn() -> None:
    turns = [CHARGE | WAVE, CHARGE, WAVE, WAVE]
    battle = play(gunboat(), turns, charge=[5, 1], damage=[1] * 4)
    assert whys(battle) == ["its capacitors are not charged"] * 2
    assert [noted.value for noted in events_of(battle, "noted")] == [5, 6, 0]
    assert at(battle, "b1").damage == 4


@pytest.mark.rule("pc.wave-gun")
def test_charged_gun_takes_no_more() -> None:
    battle = play(gunboat(), [CHARGE, CHARGE], charge=[6])
    assert [refused.reason for refused in events_of(battle, "order-refused")] == [
        "'wave-gun-1' is charged"
    ]


def fire_at(*targets: dict[str, Any], systems: str = "wave-gun", **dice: list[int]) -> Any:
    document = table([ship("r1", 60, 20, systems)], list(targets), options=SF)
    return play(document, [CHARGE | WAVE], charge=[6], **dice)


@pytest.mark.rule("pc.wave-gun")
@pytest.mark.parametrize(
    ("right", "ahead", "dice"),
    [(0, 1, 4), (1, 12, 4), (1.01, 12, 3), (1.5, 20, 3), (1.51, 20, 0), (1.5, 24, 3), (2, 30, 2), (2.01, 30, 0),
     (0, 38, 2), (0, 38.01, 0), (0, -1.01, 0)],
)  # fmt: skip
def test_template_grows_and_hits_each_ship_once(right: float, ahead: float, dice: int) -> None:
    battle = fire_at(ship("b1", 60 + right, 20 + ahead, "screen"), damage=[2] * dice)
    assert [len(shot.damage) for shot in events_of(battle, "fire")] == ([dice] if dice else [])
    assert at(battle, "b1").damage == 2 * dice


@pytest.mark.rule("pc.wave-gun", "pc.armour", "pc.advanced-screens")
def test_wave_passes_armour_and_advanced_screens_count() -> None:
    battle = fire_at(ship("b1", 60, 30, "advanced-screen", armour=[[5, 0]]), damage=[1, 3, 4, 6])
    assert (at(battle, "b1").damage, at(battle, "b1").armour) == (10, ((5, 0),))


@pytest.mark.rule("pc.wave-gun")
def test_firing_ship_fires_nothing_else_and_may_manoeuvre() -> None:
    document = table([ship("r1", 60, 20, "wave-gun meson@F")], [ship("b1", 60, 30, "")], options=SF)
    turn = {
        "plot": {"r1": "charge wave-gun-1; +1"},
        "engage": {"r1": [{"weapon": "meson-1", "target": "b1"}, {"weapon": "wave-gun-1"}]},
    }
    battle = play(document, [turn], charge=[6], damage=[1] * 4)
    assert whys(battle) == ["its ship fires its wave gun, so nothing else can fire"]
    assert (at(battle, "r1").velocity, at(battle, "b1").damage) == (1, 4)


@pytest.mark.rule("pc.wave-gun", "pc.screens")
@pytest.mark.parametrize(("side", "damage"), [("F", 1), ("FS", 0)])
def test_firing_ship_has_no_bow_screens(side: str, damage: int) -> None:
    x, y = {"F": (60, 30), "FS": (70, 24)}[side]
    document = table(
        [ship("r1", 60, 20, "wave-gun screen screen")],
        [ship("b1", x, y, "meson@ALL", 6)],
        options=SF,
    )
    shot = {"b1": [{"weapon": "meson-1", "target": "r1"}]}
    turn = CHARGE | {"engage": WAVE["engage"] | shot}
    battle = play(document, [turn], charge=[6], initiative=[1, 6], beam=[4], damage=[1] * 4)
    assert at(battle, "r1").damage == damage
    quiet = play(document, [{"engage": shot}], beam=[4])
    assert at(quiet, "r1").damage == 0


@pytest.mark.rule("pc.wave-gun", "pc.needle-beams")
def test_needled_gun_releases_its_charge() -> None:
    document = table(
        [ship("r1", 60, 20, "wave-gun", armour=[[5, 0]])],
        [ship("b1", 60, 30, "needle:1@F+FS", 6)],
        options=SF,
    )
    turn = {"engage": {"b1": [{"weapon": "needle-1", "target": "r1", "system": "wave-gun-1"}]}}
    battle = play(document, [CHARGE | turn], charge=[4], to_hit=[6])
    ours = at(battle, "r1")
    assert (ours.damage, sum(map(sum, ours.armour)), ours.facts()) == (
        4,
        4,
        {"irreparable:wave-gun-1": 1},
    )


@pytest.mark.rule("pc.wave-gun", "pc.thresholds")
def test_released_charge_may_end_the_next_row() -> None:
    document = table(
        [ship("r1", 60, 20, "wave-gun", mass=60, boxes=10, rows=5)],
        [ship("b1", 60, 30, "meson@F", 6)],
        options=SF,
    )
    turn = {"engage": {"b1": [{"weapon": "meson-1", "target": "r1"}]}}
    battle = play(
        document, [CHARGE | turn], charge=[3], beam=[6], re_roll=[1], threshold=[1, 1, 6] + [1] * 20
    )
    assert [check.row for check in events_of(battle, "threshold")] == [1, 2]
    assert at(battle, "r1").damage == 5


@pytest.mark.rule("pc.wave-gun")
def test_wave_replays() -> None:
    ended = play(gunboat(), [CHARGE, CHARGE | WAVE, CHARGE], charge=[2, 6, 3], damage=[2] * 4)
    assert replays(start(gunboat(), classes()), ended)


def cannon(*targets: dict[str, Any], systems: str = "nova-cannon", **more: Any) -> dict[str, Any]:
    return table([ship("r1", 60, 10, systems, **more)], list(targets), options=SF)


@pytest.mark.rule("pc.nova-cannon")
@pytest.mark.parametrize(
    ("turn", "x", "y", "dice"),
    [(1, 60, 34, 6), (1, 61, 16, 6), (1, 61.01, 20, 0), (1, 60, 14.9, 0), (2, 62, 50, 4), (2, 62.01, 50, 0),
     (3, 63, 82, 2), (3, 63.01, 70, 0)],
)  # fmt: skip
def test_nova_template_turn_by_turn(turn: int, x: float, y: float, dice: int) -> None:
    document = cannon(ship("b1", x, y, "", boxes=40), ship("b2", 110, 110, ""))
    battle = play(document, [NOVA, {}, {}], damage=[1] * 12)
    struck = [len(hit.dice) for hit in events_of(battle, "nova-struck") if hit.turn == turn]
    assert struck == ([dice] if dice else [])


@pytest.mark.rule("pc.nova-cannon", "pc.armour", "pc.screens")
def test_screens_and_armour_do_not_help() -> None:
    battle = play(
        cannon(ship("b1", 60, 30, "advanced-screen", armour=[[9, 0]])), [NOVA], damage=[2] * 6
    )
    assert (at(battle, "b1").damage, at(battle, "b1").armour) == (12, ((9, 0),))


@pytest.mark.rule("pc.nova-cannon", "pc.thresholds")
def test_nova_damage_is_checked_with_the_turns_fire() -> None:
    document = cannon(ship("b1", 60, 30, "", 6), systems="nova-cannon")
    document["sides"][0]["ships"].append(ship("r2", 60, 40, "meson@ALL", 6))
    turn = NOVA | {"engage": NOVA["engage"] | {"r2": [{"weapon": "meson-1", "target": "b1"}]}}
    battle = play(document, [turn], damage=[3] * 6, beam=[6], re_roll=[1])
    [check] = events_of(battle, "threshold")
    assert (check.ship, check.row, check.loses_on) == (
        "b1",
        2,
        4,
    )  # both rows in one check, one more on each die


@pytest.mark.rule("pc.nova-cannon")
def test_arming_takes_thrust_screens_and_other_weapons() -> None:
    document = cannon(
        ship("b1", 60, 30, "meson@F", 6, boxes=60),
        systems="nova-cannon screen screen meson@F",
        velocity=4,
    )
    turn = {
        "plot": {"r1": "nova"},
        "engage": {
            "r1": [{"weapon": "meson-1", "target": "b1"}, {"weapon": "nova-cannon-1"}],
            "b1": [{"weapon": "meson-1", "target": "r1"}],
        },
    }
    battle = play(document, [turn], initiative=[6, 1], damage=[1] * 6, beam=[4])
    assert at(battle, "r1").damage == 1
    assert whys(battle) == ["its nova cannon takes all its power"]
    assert (at(battle, "r1").screens, at(battle, "r1").armed) == (2, False)
    mixed = play(document, [{"plot": {"r1": "nova; +1"}}])
    assert "no power for anything else" in events_of(mixed, "order-refused")[0].reason


@pytest.mark.rule("pc.nova-cannon")
def test_unarmed_cannon_does_not_fire() -> None:
    document = cannon(ship("b1", 60, 30, ""))
    battle = play(document, [{"plot": {"r1": "nova"}}, {"engage": NOVA["engage"]}])
    assert whys(battle) == ["it was not armed this turn"]


@pytest.mark.rule("pc.nova-cannon")
def test_nova_replays() -> None:
    document = cannon(ship("b1", 60, 50, "", boxes=40))
    assert replays(start(document, classes()), play(document, [NOVA, {}, {}], damage=[1] * 6))


def flak(*shots: tuple[str, float, float]) -> dict[str, Any]:
    return {
        "engage": {"r1": [{"weapon": gun, "mode": "flak", "at": [x, y]} for gun, x, y in shots]}
    }


def gunners(systems: str, *others: dict[str, Any], **more: Any) -> dict[str, Any]:
    return table([ship("r1", 60, 20, systems, **more)], list(others), options=("flak",))


@pytest.mark.rule("pc.k-guns")
@pytest.mark.parametrize(("die", "damage"), [(1, 1), (2, 0), (6, 0)])
def test_ship_within_2_of_a_burst_takes_a_point_on_a_one(die: int, damage: int) -> None:
    document = gunners("k-gun:2@F/flak", ship("b1", 60, 32, ""), ship("b2", 60, 32.01, ""))
    battle = play(document, [flak(("k-gun-1", 60, 30))], damage=[die])
    assert [at(battle, name).damage for name in ("b1", "b2")] == [damage, 0]
    [burst] = events_of(battle, "flak")
    assert (burst.at, burst.radius) == ((60.0, 30.0), 2.0)


@pytest.mark.rule("pc.k-guns")
@pytest.mark.parametrize(("model", "reach"), [("", 18), ("long", 24), ("short", 12)])
def test_flak_range(model: str, reach: float) -> None:
    word = f"k-gun:3:{model}@F/flak" if model else "k-gun:3@F/flak"
    document = gunners(word, ship("b1", 110, 110, ""))
    assert events_of(play(document, [flak(("k-gun-1", 60, 20 + reach))]), "flak")
    assert whys(play(document, [flak(("k-gun-1", 60, 20.1 + reach))])) == [
        "that point is outside its range or arc"
    ]
    assert whys(play(document, [flak(("k-gun-1", 70, 20))])) == [
        "that point is outside its range or arc"
    ]


@pytest.mark.rule("pc.k-guns", "pc.fire-control")
def test_each_burst_takes_a_firecon_and_the_gun() -> None:
    document = gunners("k-gun:2@F/flak k-gun:2@F/flak meson@F", ship("b1", 60, 30, ""), firecons="")
    orders = flak(("k-gun-1", 60, 25), ("k-gun-2", 60, 26))
    orders["engage"]["r1"] += [
        {"weapon": "meson-1", "target": "b1"},
        {"weapon": "k-gun-1", "target": "b1"},
    ]
    battle = play(document, [orders], beam=[4])
    assert whys(battle) == ["each burst needs a FireCon", "it has already fired this turn"]
    assert at(battle, "b1").damage == 1


@pytest.mark.rule("pc.k-guns")
def test_gun_without_ammunition_fires_no_flak() -> None:
    document = table([ship("r1", 60, 20, "k-gun:2@F")], [ship("b1", 60, 30, "")])
    assert whys(play(document, [flak(("k-gun-1", 60, 25))])) == ["it has no flak ammunition"]


@pytest.mark.rule("pc.k-guns")
def test_flak_precedes_other_fire_and_endangers_friends() -> None:
    document = gunners("k-gun:2@F/flak meson@F", ship("b1", 60, 30, ""))
    document["sides"][0]["ships"].append(ship("r2", 61, 30, ""))
    orders = flak(("k-gun-1", 60, 30))
    orders["engage"]["r1"].insert(0, {"weapon": "meson-1", "target": "b1"})
    battle = play(document, [orders], damage=[1, 2], beam=[1])
    assert [(shot.mode, shot.target) for shot in events_of(battle, "fire")] == [
        ("flak", "r2"),
        ("flak", "b1"),
        ("", "b1"),
    ]
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.wave-gun", "pc.ftl-exit")
def test_warming_ship_fires_no_wave() -> None:
    battery = play(gunboat(), [CHARGE, {"plot": {"r1": "ftl"}} | WAVE], charge=[6])
    assert whys(battery) == ["its ship cannot fire this turn"]
