"""A weapon of both editions added by one file: bought, ordered, fired, logged, seen, valued,
stored.

No other module knows it except by its row, which the test registers and removes again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from campaign.forms.battle.fight_form import (
    can_aim_at_system,
    can_fire_at_point,
    modes_of,
    weapons_of,
)
from campaign.rules.class_cards import fitting_words
from campaign.rules.rearming import settings_of
from campaign.words.battle.log import SideNames, line_of
from engine import stops
from engine.battle import battle_from, fight, start
from engine.captains.common.doctrine import doctrine_from, known_systems
from engine.captains.common.expected_damage import DefenceProfile, mean_effects
from engine.captains.common.foes import SCREENED, own_armament
from engine.captains.continuum.strength import strength
from engine.cli.design import DesignLimits, price_design
from engine.core.dice import Dice
from engine.core.sheet import Sheet
from engine.design.techbase import TechBase
from engine.english import system_words
from engine.notation.designs import design_json, load_sheet, parse_design
from engine.notation.ftlibship_export import to_ftlibship
from engine.notation.ftlibship_import import from_ftlibship
from engine.ruleset import ruleset
from engine.view.event_reader import read_event
from engine.view.side_log import side_log
from engine.view.side_view import observe
from engine.weapons.registry import temporary_weapons, weapon_of
from engine.weapons.weapon import NO_WEAPON
from tests.engine.battle.table import play, replays, setup, vessel
from tests.engine.extension.toy_lance import BY_EDITION, CONTINUUM, TYPE
from tests.engine.guns.duels import ship
from tests.engine.guns.duels import table as later_table

FIRST = f"{TYPE}-1"
EACH_EDITION = pytest.mark.parametrize("edition", BY_EDITION)


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with (
        temporary_weapons("second-edition", BY_EDITION["second-edition"]),
        temporary_weapons("continuum", CONTINUUM),
    ):
        yield
    assert [weapon_of(edition, TYPE) for edition in BY_EDITION] == [NO_WEAPON, NO_WEAPON]
    assert TYPE not in known_systems()
    assert system_words(FIRST) == "heat lance 1"


def duel(edition: str, distance: float = 8.0, **more: Any) -> dict[str, Any]:
    """Return `r1` with two lances that bear ahead, and `b1` so far ahead of it and unarmed."""
    if edition == "continuum":
        red = ship("r1", 60, 20, f"{TYPE}@F {TYPE}@F", **more)
        return later_table([red], [ship("b1", 60, 20 + distance, "", course=6)], options=())
    lances = f"{TYPE}:F {TYPE}:F"
    return setup([vessel("r1", 60, 20, lances, **more)], [vessel("b1", 60, 20 + distance, "", 6)])


def design_of(edition: str) -> dict[str, Any]:
    design: dict[str, Any] = duel(edition)["sides"][0]["ships"][0]["design"]
    return design


def sheet_of(edition: str) -> Sheet:
    return load_sheet(design_of(edition))


@EACH_EDITION
def test_weapon_is_bought_and_checked(edition: str) -> None:
    design = design_of(edition)
    answer = price_design(parse_design(design))
    bare = price_design(
        parse_design(
            design | {"systems": [system for system in design["systems"] if system["type"] != TYPE]}
        )
    )
    assert answer["violations"] == []
    assert answer["mass_used"] - bare["mass_used"] == 2 * 3
    assert answer["points"] - bare["points"] == 2 * (11 if edition == "second-edition" else 3 * 4)
    crooked = design | {"systems": [{"type": TYPE, "arcs": ["A", "F"]}]}
    assert price_design(parse_design(crooked))["violations"]


def test_yard_without_its_technology_lacks_it() -> None:
    design = parse_design(design_of("continuum"))
    lacks = price_design(design, limits=DesignLimits(TechBase("", ())))["violations"]
    assert [fault["code"] for fault in lacks if fault["where"].startswith("systems[1]")] == [
        "missing-technology"
    ]
    had = price_design(design, limits=DesignLimits(TechBase("", ("meson",))))["violations"]
    assert not [fault for fault in had if fault["where"].startswith("systems[1]")]


@EACH_EDITION
def test_weapon_is_on_the_sheet_and_stored(edition: str) -> None:
    design = parse_design(design_of(edition))
    assert parse_design(json.loads(json.dumps(design_json(design)))) == design
    assert [fit.id for fit in sheet_of(edition).fits if fit.type == TYPE] == [FIRST, f"{TYPE}-2"]


def test_ship_builder_has_its_own_name_for_it() -> None:
    design = parse_design(design_of("continuum"))
    theirs = to_ftlibship(design, ruleset("continuum"))
    assert [item["name"] for item in theirs["weapons"]] == ["heatLance", "heatLance"]
    back, _ = from_ftlibship(json.loads(json.dumps(theirs)))
    assert sum(item.get("count", 1) for item in back["systems"] if item["type"] == TYPE) == 2


@EACH_EDITION
def test_orders_name_it_and_follow_its_row(edition: str) -> None:
    initial_battle = start(duel(edition), {})
    battle = initial_battle if initial_battle.state.stop == "engage" else play_to_fire(edition)
    orders = {"engage": {"r1": [{"weapon": FIRST, "target": "b1"}]}}
    assert stops.read_orders(battle, 0, orders)[1] == ()
    for key, value in (("mode", "hot"), ("system", "drive"), ("at", [1, 2])):
        wrong = {"engage": {"r1": [{"weapon": FIRST, "target": "b1", key: value}]}}
        assert [fault.where for fault in stops.read_orders(battle, 0, wrong)[1]] == [
            f"engage.r1[0].{key}"
        ]


def play_to_fire(edition: str) -> Any:
    """Return a duel at its first fire phase."""
    battle = start(duel(edition), {})
    plots: dict[int, object] = {side: {"plot": {}} for side in (0, 1)}
    return stops.resolve_documents(battle, plots, Dice("toy"))[0]


@EACH_EDITION
def test_weapon_fires_and_each_side_reads_it(edition: str) -> None:
    engage = {
        "engage": {
            "r1": [{"weapon": FIRST, "target": "b1"}, {"weapon": f"{TYPE}-2", "target": "b1"}]
        }
    }
    dice = {"second-edition": [6, 5, 4, 1], "continuum": [5, 4, 1, 1, 1, 1]}[edition]
    initial_battle = start(duel(edition), {})
    battle = play(duel(edition), [engage], beam=dice, threshold=[1] * 50)
    fires = [line for line in battle.events_json if line["event"] == "fire"]
    assert [(line["weapon"], line["hits"]) for line in fires] == {
        "second-edition": [(FIRST, 3), (f"{TYPE}-2", 0)],
        "continuum": [(FIRST, 2), (f"{TYPE}-2", 0)],
    }[edition]
    assert battle.state.ship_by_name("b1").damage == fires[0]["hits"]
    assert replays(initial_battle, battle)
    for side in (0, 1):
        lines = [
            line
            for line in side_log(battle.events, initial_battle.state, side)
            if line["event"] == "fire"
        ]
        assert [line["hits"] for line in lines] == [line["hits"] for line in fires]


@EACH_EDITION
def test_weapon_does_nothing_beyond_its_range(edition: str) -> None:
    battle = play(duel(edition, 25.0), [{"engage": {"r1": [{"weapon": FIRST, "target": "b1"}]}}])
    assert [line["event"] for line in battle.events_json if "weapon" in line] == ["shot-refused"]


def test_plot_sets_it() -> None:
    orders = {"plot": {"r1": f"set {FIRST} narrow"}}
    assert stops.read_orders(start(duel("continuum", 20.0), {}), 0, orders)[1] == ()
    wrong = {"plot": {"r1": f"set {FIRST} hot"}}
    assert [
        fault.code for fault in stops.read_orders(start(duel("continuum"), {}), 0, wrong)[1]
    ] != []
    engage = {
        "engage": {
            "r1": [{"weapon": FIRST, "target": "b1"}, {"weapon": f"{TYPE}-2", "target": "b1"}]
        }
    }
    battle = play(duel("continuum", 20.0), [orders | engage], beam=[4, 4])
    fires = [line for line in battle.events_json if line["event"] == "fire"]
    assert [(line["weapon"], line["mode"], line["hits"]) for line in fires] == [
        (FIRST, "narrow", 2)
    ]
    assert settings_of(TYPE) == ("wide", "narrow")


@EACH_EDITION
def test_enemy_sees_it_and_the_battle_is_stored(edition: str) -> None:
    battle = play_to_fire(edition)
    contact = next(item for item in observe(battle.state, 1).contacts if item.id == "r1")
    assert contact.sheet is not None
    assert [fit.id for fit in contact.sheet.fits if fit.type == TYPE] == [FIRST, f"{TYPE}-2"]
    assert [item["class"] for item in stops.side_view(battle, 1)["contacts"]] == [contact.sheet.cls]
    stored = battle_from(json.loads(json.dumps(battle.to_json())))
    assert stored.to_json() == battle.to_json()
    assert (
        stored.state.ship_by_name("r1").profile.weapons[
            stored.state.ship_by_name("r1").profile.index_of[FIRST]
        ]
        is BY_EDITION[edition]
    )


@EACH_EDITION
def test_captains_use_its_dice(edition: str) -> None:
    battle = start(duel(edition), {})
    armed, bare = battle.state.ship_by_name("r1"), battle.state.ship_by_name("b1")
    assert strength(armed) > strength(bare) == 0
    if edition == "continuum":
        fit = armed.sheet.fits[armed.profile.index_of[FIRST]]
        assert (
            mean_effects(CONTINUUM, fit, "wide", DefenceProfile())[0].plain
            > mean_effects(CONTINUUM, fit, "narrow", DefenceProfile())[0].plain
            > 1
        )
    else:
        table = own_armament(armed, ()).table(
            SCREENED[2], 0.0
        )  # two of them; nine MU are three steps of range
        assert table.rows[:7] == pytest.approx((2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0))
    fought = fight(battle, {}, Dice("toy"), "toy", max_turns=3)
    assert any(line["event"] == "fire" and line["weapon"] == FIRST for line in fought.events_json)
    never = {"red": doctrine_from({"never": [TYPE]})}
    spared = fight(battle, never, Dice("toy"), "toy", max_turns=3)
    assert not any(line["event"] == "fire" for line in spared.events_json)


@EACH_EDITION
def test_pages_have_words_and_fields_for_it(edition: str) -> None:
    assert system_words(FIRST) == "Heat-Lance 1"
    assert fitting_words(parse_design(design_of(edition)).systems[-1]).startswith("Heat-Lance")
    battle = play(
        duel(edition),
        [{"engage": {"r1": [{"weapon": FIRST, "target": "b1"}]}}],
        beam=[6, 5, 4],
        re_roll=[1],
    )
    line = next(line for line in battle.events_json if line["event"] == "fire")
    log_line = line_of(read_event(line), SideNames({"r1": "Wasp", "b1": "Hornet"}))
    assert log_line is not None
    assert log_line.words.startswith("Wasp fires Heat-Lance 1")
    asked = dict(weapons_of(battle.state.ship_by_name("r1")))
    assert list(asked) == [FIRST, f"{TYPE}-2"]
    assert modes_of(asked[FIRST]) == ()
    assert (can_aim_at_system(asked[FIRST]), can_fire_at_point(asked[FIRST])) == (
        False,
        False,
    )


def test_type_is_registered_once() -> None:
    with pytest.raises(ValueError, match=TYPE), temporary_weapons("continuum", CONTINUUM):
        pass
    assert weapon_of("continuum", TYPE) is CONTINUUM
