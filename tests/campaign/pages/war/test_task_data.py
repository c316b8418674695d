"""Tables of choices in phases of craft, point defence and damage control: cells match the form's
fields, and figures are the engine's.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign.forms.battle.control_form import control_rows
from campaign.forms.battle.craft_attack_form import attack_rows
from campaign.forms.battle.craft_data import craft_data
from campaign.forms.battle.craft_form import craft_rows, flight_rows
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.fire_data import fires_data, targets_data
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.ordnance_form import defence_rows
from campaign.forms.battle.phase_forms import fire_rows
from campaign.forms.battle.task_data import tasks_data
from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.captains.continuum.expected_attacks import expected_attacks, expected_point_defence
from engine.core.orders import Plot
from engine.known_battle import known_battle
from engine.order_requests.plot import plot_faults
from engine.pieces.group import Group
from tests.campaign.pages.war.test_fight_craft import sight
from tests.engine.battle.carriers import duel, start_in_flight
from tests.engine.control.hulls import play_to_control
from tests.engine.control.test_boarding import boarded_battle
from tests.engine.craft.carrier_battles import N1, N2, carriers, launch, turn
from tests.engine.craft.test_scramble import attacked, raid
from tests.engine.defences.battles import play_turns, start_battle


def _count_cells(rows: tuple[OrderRow, ...], tasks: dict[str, Any]) -> int:
    """Check that each cell is a value that the row's fields offer; return the number of cells."""
    offered = {
        pick.name: {value for value, _ in pick.options} for row in rows for pick in row.picks
    }
    count = 0
    for task in tasks.values():
        for row in task["rows"]:
            for _, _, value, _ in row["cells"].values():
                assert all(value in offered[field] for field in row["fields"])
                count += 1
    return count


def _advised(battle: Battle, side: int) -> Any:
    return stops.advise(known_battle(battle, side), side, Doctrine(), "x")


@pytest.mark.rule("pc.fighter-targets")
def test_group_is_offered_targets_in_reach_with_expectations() -> None:
    battle = play_turns(
        carriers("standard", "standard", 16.0), turn(launch(), {N1: "to 60 31; face 12"})
    )
    form_sight = sight(battle)
    foe = next(key for key, _ in form_sight.other_ships())
    advice = {"attack": {N1: [{"weapon": "fighters", "target": foe}]}}
    rows = attack_rows(form_sight, {}, {})
    tasks = tasks_data("attack", form_sight, rows, attack_rows(form_sight, advice, {}))
    assert _count_cells(rows, tasks) == 1
    (row,) = tasks[N1]["rows"]
    # Six dice, each a hit on 4 or 5, two hits and a re-roll on 6: 0.8 points a die.
    assert row["cells"][foe][:3] == ["4.8", "points", foe]
    assert tasks[N1]["rings"] == [6.0, 12.0]
    assert tasks[N1]["captain"][f"target-{N1}-fighters"] == foe
    assert tasks[N1]["at"] == [60.0, 31.0]


def test_group_without_targets_has_no_table() -> None:
    form_sight = sight(
        play_turns(carriers("standard", "", 60.0), turn(launch(), {N1: "to 60 24; face 6"}))
    )
    group = form_sight.state.piece(Group, N1)
    assert expected_attacks(form_sight.state, group) == []
    assert tasks_data("attack", form_sight, attack_rows(form_sight, {}, {}), ())[N1]["rows"] == []


@pytest.mark.rule("pc.point-defence")
def test_identical_point_defence_shares_a_row() -> None:
    battle = attacked(raid(guard="pdsx3"))
    mine = frozenset(stops.side_view(battle, 1)["own"])
    form_sight = FormSight(known_battle(battle, 1).state, 1, mine, {})
    rows = defence_rows(form_sight, {}, {})
    tasks = tasks_data(
        "defend", form_sight, rows, defence_rows(form_sight, _advised(battle, 1), {})
    )
    assert _count_cells(rows, tasks)
    (row,) = (item for item in tasks["b1"]["rows"] if item["type"] == "pds")
    assert row["fields"] == [f"meet-b1-pds-{n}" for n in (1, 2, 3)]
    (foe,) = row["cells"]
    means = {
        item.mean
        for item in expected_point_defence(form_sight.state, form_sight.ships[0])
        if item.weapon.startswith("pds")
    }
    assert row["cells"][foe][0] == f"{3 * means.pop():.1f}"


@pytest.mark.rule("pc.damage-control", "pc.boarding")
def test_repair_and_boarding_parties_share_their_number() -> None:
    """Six parties and two marines against three boarders: the expected results, cell by cell."""
    battle = play_to_control(boarded_battle({"blue": {"marines": 3}}))
    form_sight = FormSight(
        known_battle(battle, 0).state, 0, frozenset(ship.id for ship in battle.state.ships), {}
    )
    rows = control_rows(form_sight, {}, {})
    tasks = tasks_data(
        "control", form_sight, rows, control_rows(form_sight, _advised(battle, 0), {})
    )
    assert tasks["n1"]["budget"] == [6, "parties"]
    assert _count_cells(rows, tasks) == sum(
        len(row["cells"]) for task in tasks.values() for row in task["rows"]
    )
    by_name = {row["name"]: row for row in tasks["n1"]["rows"]}
    parties, marines = (
        by_name["Parties against boarders wrecking the ship"],
        by_name["Marines against boarders wrecking the ship"],
    )
    assert parties["fields"] == [f"repel-n1-hull-{n}" for n in range(3)]
    assert [parties["cells"][n][0] for n in "123"] == [
        "0.5",
        "1.0",
        "1.0",
    ]  # a 6, 5 or 4 each: three at two
    assert [marines["cells"][n][0] for n in "12"] == ["0.5", "1.0"]
    assert ("free" in parties, marines["free"]) == (False, True)
    assert "boarded by 3 marines" in next(row.state for row in rows if row.key == "n1")
    captain = tasks["n1"]["captain"]
    assert [captain[f"repel-n1-hull-{n}"] for n in range(2)] == ["3", "3"]


@pytest.mark.rule("pc.boarding")
def test_boarders_see_expectations_but_not_the_defenders() -> None:
    battle = play_to_control(boarded_battle({"blue": {"marines": 3}}))
    form_sight = FormSight(known_battle(battle, 1).state, 1, frozenset({"e1", "e2"}), {})
    rows = control_rows(form_sight, {}, {})
    (row,) = (row for row in rows if row.key not in ("e1", "e2"))
    task = tasks_data("control", form_sight, rows, ())[row.key]
    (line,) = task["rows"]
    assert [line["cells"][n][0] for n in "0123"] == ["0.0", "0.5", "1.0", "1.5"]
    assert [line["cells"][n][1] for n in "0123"] == ["3 wrecking", "2 wrecking", "1 wrecking", ""]
    assert (
        row.state == "3 marines of yours aboard; 36 hull boxes left: "
        "the side that wrecks the last one captures the ship"
    )
    assert (task["still"], len(task["cols"])) == (True, 4)
    assert "parties" not in str(task)


@pytest.mark.rule("2e.dogfights")
def test_second_edition_fighters_engage_groups_in_reach() -> None:
    groups = (
        ("r1/fighter-bay-1", 50, 60, 3, 6),
        ("b1/fighter-bay-1", 58, 60, 9, 4),
        ("b1/fighter-bay-2", 90, 60, 9, 6),
    )
    battle = start_in_flight(duel(), *groups)
    mine = frozenset(group["id"] for group in stops.side_view(battle, 0)["groups"])
    form_sight = FormSight(known_battle(battle, 0).state, 0, mine, {})
    rows = flight_rows(form_sight, {}, {})
    (task,) = tasks_data("fighters", form_sight, rows, ()).values()
    assert _count_cells(rows, {"": task}) == 1, "the other is too far away"
    assert [heading for _, _, heading in task["cols"]] == ["8 MU"]
    assert task["point"] == "to-r1/fighter-bay-1"


@pytest.mark.rule("2e.fighters")
def test_second_edition_fighters_have_a_row_in_the_fire_table() -> None:
    groups = (
        ("r1/fighter-bay-1", 53, 60, 3, 6),
        ("r1/fighter-bay-2", 53, 60, 9, 6),
        ("b1/fighter-bay-1", 57, 62, 9, 4),
    )
    battle = start_in_flight(duel(), *groups, stop="engage")
    near = battle.state.ship_by_name("b1")
    near.x, near.y = 58, 60
    mine = frozenset(("r1", "r1/fighter-bay-1", "r1/fighter-bay-2"))
    form_sight = FormSight(known_battle(battle, 0).state, 0, mine, {"flight-3": "fighters 3"})
    fires = fires_data(
        form_sight, {"engage": [["r1/fighter-bay-1", [{"weapon": "fighters", "target": "b1"}]]]}
    )
    ahead, astern = (fires[f"r1/fighter-bay-{n}"] for n in (1, 2))
    # Six dice at no screen, each a hit on 4 or 5 and two on 6: 4 points; craft: one hit each, of
    # four that are there.
    assert ahead["bears"] == [{"b1": [6, 4.0, 4.0], "flight-3": [6, 4.0, 4.0]}]
    assert (ahead["captain"], ahead["firecons"], ahead["reach"]) == (
        [{"weapon": "fighters", "target": "b1"}],
        0,
        6.0,
    )
    assert astern["bears"] == [{}], "they face away"
    fields = {row.key: row.names for row in fire_rows(form_sight, {}, {})}
    assert "fire-r1/fighter-bay-1-fighters-0" in fields["r1/fighter-bay-1"]
    there = targets_data(form_sight)
    assert there["flight-3"] == {"left": 4, "ends": 4, "name": "fighters 3"}
    boxes = near.sheet.boxes + sum(map(sum, near.armour))
    assert (there["b1"]["left"], set(there)) == (boxes, {"b1", "flight-3"})


@pytest.mark.rule("pc.fighter-launch")
def test_craft_cards_show_place_range_and_launches() -> None:
    """Craft aboard fly half as far; cards write into fields of the form and the ship's plot."""
    battle = play_turns(carriers("standard", "standard", 40.0))
    form_sight = sight(battle)
    advice = {"plot": {"r1": "launch hangar-2"}, "fighters": {N1: "to 60 40", N2: "evade 4"}}
    data = craft_data(form_sight, advice)
    assert [(ship, bay, key) for ship, bay, _, key, _ in data["decks"]] == [
        ("r1", f"hangar-{n}", f"r1/hangar-{n}") for n in (1, 2, 3)
    ]
    ship, card = form_sight.ships[0], data["craft"][N1]
    carrier = data["carriers"]["r1"]
    ordered = Plot(launch=tuple(carrier["first"]))
    assert carrier["most"] == len(carrier["first"])
    assert not plot_faults(form_sight.state, ship, ordered)
    steering = Plot(turn=1, launch=ordered.launch)
    assert carrier["note"].lower() in plot_faults(form_sight.state, ship, steering)
    assert card == {
        "x": ship.x, "y": ship.y, "reach": 12.0, "ship": "r1", "bay": "hangar-1", "captain": {f"to-{N1}": "60 40"},
    }  # fmt: skip
    assert data["craft"][N2]["captain"] == {f"evades-{N2}": "4", "launch": "on"}
    offered = {name for row in craft_rows(form_sight, {}, {}) for name in row.names}
    captain_names = {
        name for card_data in data["craft"].values() for name in card_data["captain"]
    } - {"launch"}
    assert captain_names <= offered


@pytest.mark.rule("pc.fighter-types")
def test_craft_missile_card_shows_stock_and_several_places() -> None:
    document = carriers("missile", "", 20.0)
    document["sides"][0]["ships"][0]["groups"] = {
        "hangar-1": {"at": [60, 30], "course": 12, "craft": 4}
    }
    form_sight = sight(start_battle(document))
    shots = [
        {"weapon": "missiles", "at": [60, 40], "count": 3},
        {"weapon": "missiles", "at": [61, 40], "count": 1},
    ]
    (card,) = launch_data(form_sight, {"launch": {N1: shots}})["launches"]
    field = f"aim-{N1}-missiles"
    assert (card["many"], card["loads"], card["aim"]) == ([4, 4], [["", 4, 0.0, 24.0]], field)
    assert card["captain"] == {field: "60 40 3; 61 40 1"}
    assert card["arcs"] == ["F", "FS", "FP"]
