"""Mass and points where the summary tables and the sections about systems differ."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.core.errors import RuleViolations
from engine.core.terms import TABLE_PRICES, TABLE_SENSORS
from engine.core.versions import CHANGES, SENSOR_PRICES, changes_between
from engine.documents import state_document, state_from
from tests.engine.design.continuum_designs import ALL, added, faults_of, ship, system_entry

# (type, entry, mass and points by its section, mass and points by the tables) on a ship of mass 100
DIFFERENCES: list[tuple[str, dict[str, Any], tuple[int, int], tuple[int, int]]] = [
    ("advanced-firecon", {}, (1, 5), (1, 8)),
    ("adfc", {}, (2, 8), (1, 8)),
    ("enhanced-sensors", {}, (4, 24), (2, 8)),
    ("superior-sensors", {}, (8, 48), (4, 16)),
    ("fighter-rack", {}, (6, 6), (6, 18)),
    ("cloaking-device", {}, (1, 25), (5, 50)),
    ("cloaking-field", {}, (1, 100), (10, 100)),
    ("launch-tube", {"catapult": True}, (3, 10), (4, 12)),
    ("k-gun", {"class": 1, "model": "short", "count": 2}, (3, 12), (2, 8)),
]


@pytest.mark.rule("pc.price-conflicts")
@pytest.mark.parametrize(("type_", "entry", "by_section", "by_table"), DIFFERENCES)
def test_tables_decide_by_an_option(
    type_: str, entry: dict[str, Any], by_section: tuple[int, int], by_table: tuple[int, int]
) -> None:
    system = {"type": type_, **entry}
    assert added([system], ("catapults",)) == by_section
    assert added([system], ("catapults", TABLE_PRICES)) == by_table


@pytest.mark.rule("pc.price-conflicts")
def test_tables_sell_light_k_guns_singly() -> None:
    gun = system_entry("k-gun", 1, ALL, model="short")
    assert faults_of([gun]) == [("systems[0]", "not-in-pairs")]
    assert faults_of([gun], options=(TABLE_PRICES,)) == []


@pytest.mark.rule("pc.price-conflicts", "pc.sensors")
def test_sensors_cost_what_their_section_says() -> None:
    sensors = {"type": "superior-sensors"}
    assert added([sensors]) == (8, 48)
    assert added([sensors], (TABLE_SENSORS,)) == (4, 16)


@pytest.mark.rule("pc.price-conflicts")
def test_battles_of_older_rules_keep_the_price_of_sensors() -> None:
    heavy = ship([{"type": "hold", "mass": 86}, {"type": "superior-sensors"}])
    sides = [
        {
            "name": name,
            "ships": [{"id": name, "design": heavy, "at": [x, 9], "course": 3, "velocity": 0}],
        }
        for name, x in (("red", 9), ("blue", 40))
    ]
    file = {"edition": "continuum", "sides": sides}
    with pytest.raises(RuleViolations) as refused:
        start(file)
    assert {fault.code for fault in refused.value.violations} == {"over-capacity"}
    state = start({**file, "rules": "1.0"}).state
    # hull 100, boxes 20, sensors 16
    assert {ship.sheet.points for ship in state_from(state_document(state)).ships} == {136}
    upgraded = start({**file, "rules": "1.1", "options": [TABLE_SENSORS]}).state
    assert {ship.sheet.points for ship in upgraded.ships} == {136}


def test_upgrading_a_war_does_not_change_its_prices() -> None:
    assert SENSOR_PRICES in CHANGES
    assert SENSOR_PRICES not in changes_between("1.0", "1.1", "continuum", ())
