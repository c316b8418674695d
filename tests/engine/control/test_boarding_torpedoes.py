"""Boarding torpedoes: hits, magazines, and the marines that they bring."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, play_orders, start
from engine.core.errors import RuleViolations
from engine.core.kinds import HULL
from engine.events.fire import NO_TARGET
from engine.notation.battles import read_battle
from engine.ship_profiles import stock_now
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import classes, scripted
from tests.engine.control.hulls import lost_systems, replays
from tests.engine.guns.duels import duel, play, points, shoot, volley
from tests.engine.guns.duels import ship as armed
from tests.engine.guns.duels import table as laid_out

RED, BLUE = 0, 1
MAGAZINE = {"type": "magazine", "mass": 3, "load": {"boarding": 3}}
LAUNCHER = {"type": "boarding-torpedo", "arcs": ["FP", "F", "FS"]}


def tubes(
    many: int = 1, distance: float = 10.0, *, magazines: int = 1, **target: Any
) -> dict[str, Any]:
    """Return `r1` with launchers and magazines of three torpedoes; boarding is allowed by default."""
    options = target.pop("options", ("boarding",))
    ours = target.pop("ours", {})
    file = duel("beam:1@ALL", distance, options=options, ours=ours, **target)
    systems = file["sides"][0]["ships"][0]["design"]["systems"]
    feeds = [
        {"magazine": f"magazine-{1 + number % magazines}"} if magazines else {}
        for number in range(many)
    ]
    systems += [*(LAUNCHER | feed for feed in feeds), *([MAGAZINE] * magazines)]
    return file


def events_of(battle: Battle, kind: str) -> list[Any]:
    return [event for event in battle.events if event.kind == kind]


@pytest.mark.rule("pc.boarding-torpedoes")
@pytest.mark.parametrize(("distance", "needed"), [(6, 2), (6.1, 3), (18, 4), (24, 5), (30, 6)])
def test_torpedo_hits_for_a_point_past_armour_with_two_marines(
    distance: float, needed: int
) -> None:
    missed = shoot("boarding-torpedo", distance, to_hit=[needed - 1])
    assert (missed.needed, missed.damage_types, missed.marines_landed) == (needed, (), 0)
    hit = shoot("boarding-torpedo", distance, advanced=2, screens=2, to_hit=[needed])
    assert (points(hit), hit.marines_landed) == ([(1, HULL, 0)], 2)


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_torpedo_marines_fight_the_same_turn() -> None:
    document = tubes(armour=[[5, 0]], fitted="marines")
    battle = play(document, [volley("boarding-torpedo-1")], to_hit=[3], boarding=[1])
    theirs = battle.state.ship_by_name("b1")
    assert theirs.armour == ((5, 0),)
    assert theirs.damage == 1 + 2  # by the torpedo, and by the marines it brought
    assert theirs.boarders_by_side() == {RED: (2, 0)}
    (boarded,) = events_of(battle, "boarded")
    assert (boarded.side, boarded.marines, boarded.parties) == ("red", 2, 0)
    assert not battle.state.ship_by_name("r1").record.marines_away


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_file_with_a_boarding_torpedo_implies_the_option() -> None:
    turns = {"turns": [volley("boarding-torpedo-1")], "dice": {"to-hit": [3], "initiative": [1, 2]}}
    document = tubes(options=()) | turns
    file = read_battle(document, classes())
    battle = play_orders(start(document, classes()), file.dice(), file.turns)
    assert battle.options == ("boarding",)
    assert battle.state.ship_by_name("b1").boarders_by_side() == {RED: (2, 0)}


@pytest.mark.rule("pc.boarding-torpedoes")
def test_each_shot_uses_a_torpedo_of_the_magazine() -> None:
    document = tubes(2)
    turns = [volley("boarding-torpedo-1", "boarding-torpedo-2")] * 2
    battle = play(document, turns, to_hit=[1, 2, 1])
    assert stock_now(battle.state.ship_by_name("r1"))["magazine-1/boarding"] == 0
    assert [event.remaining for event in events_of(battle, "round-used")] == [2, 1, 0]
    (refused,) = events_of(battle, "shot-refused")
    assert refused.reason == "its magazine-1 has no torpedo left"


@pytest.mark.rule("pc.boarding-torpedoes")
def test_launcher_uses_its_own_magazine() -> None:
    document = tubes(2, magazines=2)
    document["sides"][0]["ships"][0]["lost"] = ["magazine-2"]
    battle = play(document, [volley("boarding-torpedo-1", "boarding-torpedo-2")], to_hit=[1])
    assert [event.reason for event in events_of(battle, "shot-refused")] == [
        "its magazine-2 is out of action"
    ]


@pytest.mark.rule("pc.boarding-torpedoes", "pc.damage-control")
def test_repaired_magazine_has_its_torpedoes() -> None:
    document = tubes(ours={"lost": ["magazine-1"]})
    repair = {"control": {"r1": {"repairs": [{"system": "magazine-1", "parties": 3}]}}}
    battle = play(document, [repair, volley("boarding-torpedo-1")], repair=[3], to_hit=[1])
    assert lost_systems(battle.state.ship_by_name("r1")) == []
    assert stock_now(battle.state.ship_by_name("r1"))["magazine-1/boarding"] == 2


@pytest.mark.rule("pc.salvo-missiles")
def test_lost_missile_magazine_loses_its_missiles() -> None:
    document = tubes()
    systems = document["sides"][0]["ships"][0]["design"]["systems"]
    systems += [
        {"type": "salvo-launcher", "arcs": ["FP", "F", "FS"]},
        {"type": "magazine", "mass": 4},
    ]
    document["sides"][0]["ships"][0] |= {"lost": ["magazine-2"]}
    repair = {"control": {"r1": {"repairs": [{"system": "magazine-2", "parties": 3}]}}}
    battle = play(document, [repair])
    assert lost_systems(battle.state.ship_by_name("r1")) == ["magazine-2"]
    assert stock_now(battle.state.ship_by_name("r1"))["magazine-2/standard"] == 0


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_side_is_told_that_nobody_boards_without_the_option() -> None:
    initial_battle = start(tubes(options=()), classes())
    after_plot, _ = stops.resolve_documents(initial_battle, {}, scripted())
    shot = {"engage": {"r1": [{"weapon": "boarding-torpedo-1", "target": "b1"}]}}
    battle, _ = stops.resolve_documents(
        after_plot, {RED: shot}, scripted(to_hit=[3], initiative=[1, 2])
    )
    theirs = battle.state.ship_by_name("b1")
    assert (theirs.damage, theirs.boarders_by_side()) == (1, {})
    logs = [
        [line["event"] for line in side_log(battle.events, initial_battle.state, side)]
        for side in (RED, BLUE)
    ]
    assert [log.count("landing-not-agreed") for log in logs] == [1, 0]


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_torpedo_marines_fall_before_ship_marines() -> None:
    document = tubes(2, fitted="marinesx3")
    document["sides"][0]["ships"][0]["design"]["systems"] += [
        {"type": "marines"},
        {"type": "transporter", "class": 1},
    ]
    fires = volley("boarding-torpedo-1", "transporter-1")
    battle = play(document, [fires], to_hit=[3], beam=[4], boarding=[4, 4, 1])
    ours, theirs = battle.state.ship_by_name("r1"), battle.state.ship_by_name("b1")
    assert theirs.boarders_by_side() == {RED: (1, 0)}
    assert lost_systems(ours) == []
    assert list(ours.record.marines_away) == ["marines-1"]
    assert not theirs.record.by_torpedo
    fallen = play(document, [fires], to_hit=[3], beam=[4], boarding=[4, 4, 4])
    assert fallen.state.ship_by_name("b1").boarders_by_side() == {}
    assert lost_systems(fallen.state.ship_by_name("r1")) == ["marines-1"]


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_same_turn_check_spares_arriving_marines() -> None:
    battle = play(tubes(damage=9), [volley("boarding-torpedo-1")], to_hit=[3], threshold=[1] * 40)
    assert events_of(battle, "threshold")
    assert not events_of(battle, "boarders-checked")


@pytest.mark.rule("pc.boarding-torpedoes", "pc.fire-at-fighters")
@pytest.mark.parametrize("weapon", ["boarding-torpedo-1", "transporter-1"])
def test_boarding_torpedoes_cannot_target_craft(weapon: str) -> None:
    document = tubes()
    ours = document["sides"][0]["ships"][0]["design"]["systems"]
    ours += [{"type": "marines"}, {"type": "transporter", "class": 1}]
    document["sides"][1]["ships"][0]["design"]["systems"] += [
        {"type": "launch-tube"},
        {"type": "hangar", "load": {"standard": 6}},
    ]
    document["sides"][1]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 26], "course": 6}}
    group = read_battle(document, {}).state.pieces[0].id
    battle = play(document, [{"engage": {"r1": [{"weapon": weapon, "target": group}]}}])
    assert [event.reason for event in events_of(battle, "shot-refused")] == [NO_TARGET]


@pytest.mark.rule("pc.boarding-torpedoes")
def test_launcher_needs_a_magazine() -> None:
    with pytest.raises(RuleViolations, match="magazine"):
        read_battle(tubes(magazines=0), {})


@pytest.mark.rule("pc.boarding-torpedoes", "pc.boarding")
def test_third_side_sees_the_shot_but_no_marines() -> None:
    document = tubes()
    document["sides"].append({"name": "green", "ships": [armed("g1", 100, 100, "beam:1@ALL")]})
    file = laid_out([], options=("boarding",)) | document
    battle = play(file, [volley("boarding-torpedo-1")], to_hit=[3], boarding=[])
    assert [
        side for side in range(3) if "boarded" in str(side_log(battle.events, battle.state, side))
    ] == [RED, BLUE]
    assert "by-torpedo" not in str(observe(battle.state, 2).to_json())
    sides = [
        side
        for side in range(3)
        if "round-used" in str(side_log(battle.events, battle.state, side))
    ]
    assert sides == [RED], "what is left in a magazine its own side alone knows"
    assert "fire" in [event["event"] for event in side_log(battle.events, battle.state, 2)]


@pytest.mark.rule("pc.boarding-torpedoes")
def test_battle_replays_from_its_log() -> None:
    document = tubes(2)
    after = play(
        document, [volley("boarding-torpedo-1", "boarding-torpedo-2")], to_hit=[3, 1], boarding=[1]
    )
    assert replays(start(document), after)
