"""The forms of craft express what orders do, through a whole battle; own groups have their ships'
names.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from campaign.words.battle.log import SideNames, line_of
from engine import stops
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.continuum.craft.targets import attackers_of
from engine.core.dice import Dice
from engine.core.state import OVER
from engine.notation.files import classes_for
from engine.view.event_reader import read_events
from engine.view.side_log import side_log
from tests.campaign.pages.war.test_fight_later import orders_from_form, orders_from_form_of
from tests.campaign.pages.war.test_fight_ordnance import rows
from tests.engine.craft.carrier_battles import carriers
from tests.engine.defences.battles import start_battle

FILE = Path(__file__).resolve().parents[4] / "fixtures" / "battles" / "carrier-strike.yaml"
NAMES = SideNames({"n1": "Aerie 1", "n2": "Aerie 2", "e1": "Zarya"})
TURNS = 6


def strike() -> Battle:
    """Return two light carriers against a fleet carrier, before the first turn."""
    document = yaml.safe_load(FILE.read_text("utf-8"))
    return start(document, classes_for(document))


def _by_weapon(key: str, entry: Any) -> Any:
    """Return orders in the form's order of weapons, without empty plots; neither matters."""
    if key == "plot":
        return {ship: plot for ship, plot in entry.items() if plot}
    if key != "defend":
        return entry
    return {
        ship: sorted(orders, key=lambda order: str(order["weapon"]))
        for ship, orders in entry.items()
    }


def test_captain_orders_survive_the_forms_of_a_carrier_battle() -> None:
    """At every phase both sides' proposals pass through the form unchanged."""
    battle, times_ordered = strike(), Counter[str]()
    while battle.state.stop != OVER and battle.state.turn <= TURNS:
        orders_by_side = {}
        for side in stops.awaited_sides(battle):
            orders = stops.advise(battle, side, Doctrine(), "captains")
            back = orders_from_form_of(battle, side, dict(orders))
            for key, entry in orders.items():
                assert _by_weapon(key, back.get(key, type(entry)())) == _by_weapon(key, entry), (
                    battle.state.turn,
                    key,
                )
                times_ordered[key] += bool(entry)
            orders_by_side[side] = orders
        battle, _ = stops.resolve_documents(battle, orders_by_side, Dice(battle.state.turn))
    assert {"plot", "fighters", "attack", "secondary", "defend", "engage"} <= {
        key for key in times_ordered if times_ordered[key]
    }


def test_only_ships_with_targets_are_asked_for_point_defence() -> None:
    """A ship without attackers and ADFC has no row; weapons without a target in arc have no choice."""
    battle, asked_count = strike(), 0
    while battle.state.stop != OVER and battle.state.turn <= TURNS:
        orders_by_side = {
            side: stops.advise(battle, side, Doctrine(), "captains")
            for side in stops.awaited_sides(battle)
        }
        if battle.state.stop == "defend":
            for side in orders_by_side:
                for key, row in rows(battle, side, dict(orders_by_side[side])).items():
                    asked_count += 1
                    assert attackers_of(battle.state, battle.state.ship_by_name(key)), key
                    assert all(len(pick.options) > 1 for pick in row.picks)
        battle, _ = stops.resolve_documents(battle, orders_by_side, Dice(battle.state.turn))
    assert asked_count


def test_own_groups_are_named_after_ships_and_others_by_number() -> None:
    assert NAMES.of("n1/hangar-2") == "Aerie 1's fighters B"
    assert NAMES.of("n1/combined-hangar-1") == "Aerie 1's fighters CA"
    assert NAMES.of("n2/gunboat-rack-1") == "Aerie 2's gunboats GA"
    assert NAMES.of("n1/fighter-bay-3") == "Aerie 1's fighters C"
    assert NAMES.of("flight-7") == "fighters 7"
    assert (NAMES.code("n1/hangar-2"), NAMES.code("n2/hangar-2")) == ("AB", "AeB")
    assert (NAMES.code("flight-7"), NAMES.code("e1")) == ("F7", "")


def test_names_of_groups_stay_when_ships_arrive_and_are_never_shared() -> None:
    ships = {"n1": "Aerie Light Carrier 1", "n2": "Aerie Escort Carrier 1", "n3": "Light Carrier 1"}
    late = {**ships, "n4": "Argus Carrier 1"}
    bays = [f"{ship}/{bay}" for ship in late for bay in ("hangar-1", "gunboat-rack-1")]
    names = [SideNames(late).of(bay) for bay in bays]
    codes = [SideNames(late).code(bay) for bay in bays]
    assert len(set(names)) == len(set(codes)) == len(bays)
    assert (names[0], names[3]) == ("Aerie 1's fighters A", "Aerie Escort Carrier 1's gunboats GA")
    assert names[4] == "Light Carrier 1's fighters A"
    assert [SideNames(ships).code(bay) for bay in bays[:6]] == codes[:6]


def test_log_lines_are_capitalised_and_contain_no_key() -> None:
    battle = strike()
    lines: list[str] = []
    for _ in range(12):
        orders_by_side = {
            side: stops.advise(battle, side, Doctrine(), "captains")
            for side in stops.awaited_sides(battle)
        }
        battle, phase = stops.resolve_documents(battle, orders_by_side, Dice(7))
        lines += [
            line.words
            for event in read_events(side_log(phase.events, battle.state, 0))
            if (line := line_of(event, NAMES))
        ]
    assert any(line.startswith("Fighters ") for line in lines)
    assert any("Aerie 1's fighters A" in line for line in lines)
    assert all(line[0] == line[0].upper() for line in lines)
    assert not [
        line for line in lines if "flight-" in line or "planet-" in line or "hangar-" in line
    ]


def test_multi_role_loads_survive_the_form() -> None:
    document = carriers("multi-role", "")
    document["sides"][0]["ships"][0]["settings"] = {"hangar-2": "interceptor"}
    battle = start_battle(document)
    orders = {"plot": {"r1": "launch hangar-1; set hangar-1 attack"}}
    assert orders_from_form(battle, orders) == orders
    row = rows(battle, 0, orders)["r1"]
    picks = [pick for control in row.more_controls or () for pick in control.fields.picks]
    chosen = {pick.label: pick.chosen for pick in picks if pick.label.startswith("Fit out")}
    assert chosen == {
        f"Fit out hangar {n} as": (role,)
        for n, role in ((1, "attack"), (2, "interceptor"), (3, "standard"))
    }
