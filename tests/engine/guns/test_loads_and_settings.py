"""Weapons with settings or loads: pulsers, fusion arrays, torpedoes; and faults in battle files."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.continuum.weapon_orders import ChargeWaveGuns, Overload, SetWeapon, TurnTurret
from engine.core.errors import RuleViolations
from engine.core.kinds import PIERCING
from engine.notation.orders import parse_plot
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import duel, play, points, shoot, volley

HOT = "pulse-torpedo@F/overload"
TUBE = "pulse-torpedo-1"


def refused(battle: Any) -> list[str]:
    return [event.reason for event in events_of(battle, "order-refused")]


def whys(battle: Any) -> list[str]:
    return [event.reason for event in events_of(battle, "shot-refused")]


def hot(distance: float = 4.0, model: str = "") -> dict[str, Any]:
    word = f"pulse-torpedo:{model}@F/overload" if model else HOT
    return duel(word, distance, options=("overload",))


OVERLOAD = {"plot": {"r1": "overload pulse-torpedo-1"}}


@pytest.mark.rule("pc.pulse-torpedoes")
@pytest.mark.parametrize(("model", "shorter", "width"), [("", "short", 4.0), ("long", "", 6.0)])
def test_overloaded_tube_uses_the_shorter_range_for_two_more_points_past_armour(
    model: str, shorter: str, width: float
) -> None:
    for band in range(5):
        effect = shoot(
            "pulse-torpedo",
            width * (band + 1),
            variant=model,
            mode="overload",
            to_hit=[band + 2],
            damage=[1],
        )
        assert (effect.needed, points(effect)) == (band + 2, [(3, PIERCING, 0)])
    weakened = shoot(
        "pulse-torpedo", 4, variant=model, mode="overload", advanced=2, to_hit=[6], damage=[6]
    )
    assert points(weakened) == [(6, PIERCING, 0)]


@pytest.mark.rule("pc.pulse-torpedoes")
def test_overload_is_plotted_and_reduces_the_range() -> None:
    [shot] = events_of(play(hot(20), [OVERLOAD | volley(TUBE)], to_hit=[6], damage=[6]), "fire")
    assert (shot.mode, shot.needed, shot.hits) == ("overload", 6, 8)
    assert whys(play(hot(20.1), [OVERLOAD | volley(TUBE)])) == [
        "no target in range, in its arcs and in sight"
    ]
    assert not whys(play(hot(20.1), [volley(TUBE)], to_hit=[1]))


@pytest.mark.rule("pc.pulse-torpedoes")
@pytest.mark.parametrize(("dice", "lost"), [([1, 1], ("pulse-torpedo-1",)), ([1, 2], ())])
def test_two_ones_destroy_an_overloaded_tube(dice: list[int], lost: tuple[str, ...]) -> None:
    battle = play(hot(), [OVERLOAD | volley(TUBE)], to_hit=dice)
    assert at(battle, "r1").lost_systems() == lost
    assert ("irreparable:pulse-torpedo-1" in at(battle, "r1").facts()) == bool(lost)
    assert replays(start(hot(), classes()), battle)


@pytest.mark.rule("pc.pulse-torpedoes")
def test_one_does_not_harm_an_ordinary_shot() -> None:
    assert shoot("pulse-torpedo", 5, to_hit=[1]).dice == (1,)


@pytest.mark.rule("pc.pulse-torpedoes")
def test_tube_that_fired_last_turn_cannot_be_overloaded() -> None:
    battle = play(
        hot(), [volley(TUBE), OVERLOAD | volley(TUBE), OVERLOAD], to_hit=[2, 1], damage=[1]
    )
    assert (
        refused(battle) == ["'pulse-torpedo-1' fired last turn"] * 2
    )  # the order is refused, the tube fires normally


@pytest.mark.rule("pc.pulse-torpedoes")
def test_overloaded_but_unfired_tube_counts_as_fired() -> None:
    battle = play(hot(), [OVERLOAD, OVERLOAD, OVERLOAD | volley(TUBE)], to_hit=[6], damage=[1])
    assert refused(battle) == ["'pulse-torpedo-1' fired last turn"]
    assert [shot.mode for shot in events_of(battle, "fire")] == ["overload"]


@pytest.mark.rule("pc.pulse-torpedoes")
@pytest.mark.parametrize("word", ["pulse-torpedo@F", "pulse-torpedo:short@F"])
def test_only_upgraded_tubes_can_be_overloaded(word: str) -> None:
    battle = play(duel(word, 4), [OVERLOAD])
    assert refused(battle) == ["it has no 'pulse-torpedo-1' that can be overloaded"]


@pytest.mark.rule("pc.pulse-torpedoes")
@pytest.mark.parametrize(
    ("plot", "setting", "mode", "reach"),
    [("", "", "standard", 30), ("set pulse-torpedo-1 long", "", "long", 45),
     ("set pulse-torpedo-1 short", "", "short", 20), ("", "long", "long", 45),
     ("set pulse-torpedo-1 standard", "long", "standard", 30)],
)  # fmt: skip
def test_variable_tube_fires_by_its_setting(
    plot: str, setting: str, mode: str, reach: float
) -> None:
    ours = {"settings": {TUBE: setting}} if setting else {}
    for distance, shots in ((reach, [mode]), (reach + 0.1, [])):
        document = duel("pulse-torpedo:variable@F", distance, ours=ours)
        battle = play(document, [{"plot": {"r1": plot}} | volley(TUBE)], to_hit=[1] * len(shots))
        assert [shot.mode for shot in events_of(battle, "fire")] == shots


@pytest.mark.rule("pc.pulse-torpedoes")
def test_setting_lasts_and_is_secret() -> None:
    document = duel("pulse-torpedo:variable@F", 40)
    battle = play(
        document, [{"plot": {"r1": "set pulse-torpedo-1 long"}}, volley(TUBE)], to_hit=[1]
    )
    assert [shot.mode for shot in events_of(battle, "fire")] == ["long"]
    assert [noted.note for noted in events_of(battle, "noted")] == ["setting:pulse-torpedo-1"]


@pytest.mark.rule("pc.fusion-array")
def test_fusion_array_is_offline_while_its_setting_changes() -> None:
    document = duel("fusion-array@F", 33, ours={"settings": {"fusion-array-1": "flare"}})
    change = {"plot": {"r1": "set fusion-array-1 torpedo"}}
    battle = play(
        document,
        [change | volley("fusion-array-1"), volley("fusion-array-1")],
        to_hit=[1],
        beam=[4],
    )
    assert whys(battle) == ["it cannot be used while its setting is being changed"]
    assert [(shot.mode, shot.needed, shot.hits) for shot in events_of(battle, "fire")] == [
        ("torpedo", 1, 1)
    ]
    unchanged = play(
        document,
        [{"plot": {"r1": "set fusion-array-1 flare"}} | volley("fusion-array-1")],
        to_hit=[1],
    )
    assert not whys(unchanged)


@pytest.mark.rule("pc.pulsers")
def test_pulsers_are_set_before_the_battle_only() -> None:
    document = duel("pulser@F", 40, ours={"settings": {"pulser-1": "long"}})
    battle = play(document, [{"plot": {"r1": "set pulser-1 short"}} | volley("pulser-1")], beam=[4])
    assert refused(battle) == ["pulsers can be set only before a battle"]
    assert at(battle, "b1").damage == 1


@pytest.mark.parametrize(
    ("word", "why"),
    [("set fusion-array-1 wide", "'fusion-array-1' can be set to one of flare, torpedo"),
     ("set fusion-array-2 flare", "it has no 'fusion-array-2' that can be set"),
     ("set turret-1 F", "it has no 'turret-1' that can be set")],
)  # fmt: skip
@pytest.mark.rule("pc.fusion-array")
def test_impossible_settings(word: str, why: str) -> None:
    assert refused(play(duel("fusion-array@F"), [{"plot": {"r1": word}}])) == [why]


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"pulser-1": "wide"}, "setting"), ({"beam-1": "short"}, "no-setting"), (["pulser-1"], "not-a-mapping"),
     ({"pulser-1": ["short"]}, "setting")],
)  # fmt: skip
@pytest.mark.rule("pc.pulsers")
def test_setting_faults_in_a_battle_file(settings: Any, code: str) -> None:
    with pytest.raises(RuleViolations) as bad:
        start(duel("pulser@F beam:1", ours={"settings": settings}), classes())
    assert [fault.code for fault in bad.value.violations] == [code]
    assert bad.value.violations[0].where.startswith("sides[0].ships[0].settings")


@pytest.mark.parametrize(
    ("shot", "code"),
    [({"weapon": "beam-1", "target": "b1", "mode": "wide"}, "unknown-mode"),
     ({"weapon": "beam-1", "at": [1, 2]}, "no-point"),
     ({"weapon": "k-gun-1", "target": "b1", "mode": "flak"}, "no-point"),
     ({"weapon": "phaser-1", "target": "b1", "mode": "needle"}, "needle-system"),
     ({"weapon": "phaser-1", "target": "b1", "system": "ftl"}, "needle-system"),
     ({"weapon": "emp-1", "target": "b1", "system": ["ftl", "wings"]}, "unknown-system")],
)  # fmt: skip
@pytest.mark.rule("pc.phasers", "pc.k-guns", "pc.emp")
def test_fire_order_faults(shot: dict[str, Any], code: str) -> None:
    document = duel("beam:1 k-gun:2@F/flak phaser:1@ALL emp:1", options=("flak",))
    with pytest.raises(RuleViolations) as bad:
        play(document, [{"engage": {"r1": [shot]}}])
    assert [fault.code for fault in bad.value.violations] == [code]


@pytest.mark.rule("pc.turrets", "pc.pulse-torpedoes", "pc.wave-gun")
def test_weapon_words_round_trip() -> None:
    text = (
        "SET Fusion-array-1 Torpedo; set pulse-torpedo-2 long; turret turret-1 fs; "
        "overload pulse-torpedo-1, pulse-torpedo-3; charge wave-gun-1"
    )
    plot, faults = parse_plot(text, "plot", "continuum")
    assert plot is not None
    assert not faults
    assert plot.further == (
        SetWeapon("fusion-array-1", "torpedo"),
        SetWeapon("pulse-torpedo-2", "long"),
        TurnTurret("turret-1", "FS"),
        Overload(("pulse-torpedo-1", "pulse-torpedo-3")),
        ChargeWaveGuns(("wave-gun-1",)),
    )
    assert plot.find(SetWeapon) == SetWeapon("fusion-array-1", "torpedo")
    assert parse_plot(plot.words(), "plot", "continuum") == (plot, ())


@pytest.mark.parametrize(
    "text", ["set pulser-1", "turret turret-1", "overload", "charge", "set a b c"]
)
@pytest.mark.rule("pc.turrets")
def test_incomplete_weapon_words(text: str) -> None:
    _, [fault] = parse_plot(text, "plot", "continuum")
    assert fault.code == f"plot-{text.split()[0]}"
