"""The tables of choices at the stops of craft, point defence and damage control: cells say what the
form's fields take, and figures are the engine's.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign.forms.battle.craft_data import craft_data
from campaign.forms.battle.craft_form import attack_rows, craft_rows, flight_rows
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.fire_data import fires_data, targets_data
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.ordnance_form import defence_rows
from campaign.forms.battle.stop_forms import control_rows, fire_rows
from campaign.forms.battle.task_data import tasks_data
from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.captains.continuum.sorties import intercepts, sorties
from engine.known_battle import known_battle
from engine.pieces.group import Group
from tests.campaign.pages.war.test_fight_craft import sight
from tests.engine.battle.flightdeck import aloft, duel
from tests.engine.control.hulls import at_control
from tests.engine.control.test_boarding import held
from tests.engine.craft.deck import N1, N2, carriers, launch, turn
from tests.engine.craft.test_scramble import attacked, raid
from tests.engine.defences.wall import begun, fought


def _takes(rows: tuple[OrderRow, ...], tasks: dict[str, Any]) -> int:
    """Every cell's value is one that each of its row's fields offers; how many there are."""
    offered = {
        pick.name: {value for value, _ in pick.options} for row in rows for pick in row.picks
    }
    found = 0
    for task in tasks.values():
        for row in task["rows"]:
            for _, _, value, _ in row["cells"].values():
                assert all(value in offered[field] for field in row["fields"])
                found += 1
    return found


def _advised(battle: Battle, side: int) -> Any:
    return stops.advise(known_battle(battle, side), side, Doctrine(), "x")


@pytest.mark.rule("pc.fighter-targets")
def test_a_group_is_offered_what_it_reaches_with_what_it_may_expect() -> None:
    battle = fought(
        carriers("standard", "standard", 16.0), turn(launch(), {N1: "to 60 31; face 12"})
    )
    seen = sight(battle)
    foe = next(key for key, _ in seen.others())
    advice = {"attack": {N1: [{"weapon": "fighters", "target": foe}]}}
    rows = attack_rows(seen, {}, {})
    tasks = tasks_data("attack", seen, rows, attack_rows(seen, advice, {}))
    assert _takes(rows, tasks) == 1
    (row,) = tasks[N1]["rows"]
    # Six dice, each a hit on 4 or 5, two on 6 and thrown again: 0.8 points a die.
    assert row["cells"][foe][:3] == ["4.8", "points", foe]
    assert tasks[N1]["rings"] == [6.0, 12.0]
    assert tasks[N1]["captain"][f"target-{N1}-fighters"] == foe
    assert tasks[N1]["at"] == [60.0, 31.0]


def test_who_reaches_nobody_has_no_table() -> None:
    seen = sight(fought(carriers("standard", "", 60.0), turn(launch(), {N1: "to 60 24; face 6"})))
    group = seen.state.piece(Group, N1)
    assert sorties(seen.state, group) == []
    assert tasks_data("attack", seen, attack_rows(seen, {}, {}), ())[N1]["rows"] == []


@pytest.mark.rule("pc.point-defence")
def test_point_defence_that_is_alike_stands_in_one_row() -> None:
    battle = attacked(raid(guard="pdsx3"))
    mine = frozenset(stops.side_view(battle, 1)["own"])
    seen = FormSight(known_battle(battle, 1).state, 1, mine, {})
    rows = defence_rows(seen, {}, {})
    tasks = tasks_data("defend", seen, rows, defence_rows(seen, _advised(battle, 1), {}))
    assert _takes(rows, tasks)
    (row,) = (one for one in tasks["b1"]["rows"] if one["type"] == "pds")
    assert row["fields"] == [f"meet-b1-pds-{n}" for n in (1, 2, 3)]
    (foe,) = row["cells"]
    each = {
        one.mean for one in intercepts(seen.state, seen.ships[0]) if one.weapon.startswith("pds")
    }
    assert row["cells"][foe][0] == f"{3 * each.pop():.1f}"


@pytest.mark.rule("pc.damage-control", "pc.boarding")
def test_parties_share_what_there_is_with_those_at_boarders() -> None:
    """Six parties and two marines against three boarders: what either may expect, cell by cell."""
    battle = at_control(held({"blue": {"marines": 3}}))
    seen = FormSight(
        known_battle(battle, 0).state, 0, frozenset(ship.id for ship in battle.state.ships), {}
    )
    rows = control_rows(seen, {}, {})
    tasks = tasks_data("control", seen, rows, control_rows(seen, _advised(battle, 0), {}))
    assert tasks["n1"]["budget"] == [6, "parties"]
    assert _takes(rows, tasks) == sum(
        len(row["cells"]) for task in tasks.values() for row in task["rows"]
    )
    by_name = {row["name"]: row for row in tasks["n1"]["rows"]}
    parties, marines = (
        by_name["Parties at boarders that wreck"],
        by_name["Marines at boarders that wreck"],
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
def test_boarders_know_what_they_may_expect_and_nothing_of_who_is_behind_the_hull() -> None:
    battle = at_control(held({"blue": {"marines": 3}}))
    seen = FormSight(known_battle(battle, 1).state, 1, frozenset({"e1", "e2"}), {})
    rows = control_rows(seen, {}, {})
    (row,) = (row for row in rows if row.key not in ("e1", "e2"))
    task = tasks_data("control", seen, rows, ())[row.key]
    (line,) = task["rows"]
    assert [line["cells"][n][0] for n in "0123"] == ["0.0", "0.5", "1.0", "1.5"]
    assert [line["cells"][n][1] for n in "0123"] == ["3 wreck", "2 wreck", "1 wreck", ""]
    assert (
        row.state == "3 marines of yours aboard; 36 hull boxes left: whoever wrecks the last has it"
    )
    assert (task["still"], len(task["cols"])) == (True, 4)
    assert "parties" not in str(task)


@pytest.mark.rule("2e.dogfights")
def test_fighters_of_the_second_edition_meet_those_they_can_reach() -> None:
    groups = (
        ("r1/fighter-bay-1", 50, 60, 3, 6),
        ("b1/fighter-bay-1", 58, 60, 9, 4),
        ("b1/fighter-bay-2", 90, 60, 9, 6),
    )
    battle = aloft(duel(), *groups)
    mine = frozenset(group["id"] for group in stops.side_view(battle, 0)["groups"])
    seen = FormSight(known_battle(battle, 0).state, 0, mine, {})
    rows = flight_rows(seen, {}, {})
    (task,) = tasks_data("fighters", seen, rows, ()).values()
    assert _takes(rows, {"": task}) == 1, "the other is too far away"
    assert [said for _, _, said in task["cols"]] == ["8 MU"]
    assert task["point"] == "to-r1/fighter-bay-1"


@pytest.mark.rule("2e.fighters")
def test_fighters_of_the_second_edition_have_a_row_among_those_that_fire() -> None:
    groups = (
        ("r1/fighter-bay-1", 53, 60, 3, 6),
        ("r1/fighter-bay-2", 53, 60, 9, 6),
        ("b1/fighter-bay-1", 57, 62, 9, 4),
    )
    battle = aloft(duel(), *groups, stop="engage")
    near = battle.state.named("b1")
    near.x, near.y = 58, 60
    mine = frozenset(("r1", "r1/fighter-bay-1", "r1/fighter-bay-2"))
    seen = FormSight(known_battle(battle, 0).state, 0, mine, {"flight-3": "fighters 3"})
    found = fires_data(
        seen, {"engage": [["r1/fighter-bay-1", [{"weapon": "fighters", "target": "b1"}]]]}
    )
    ahead, astern = (found[f"r1/fighter-bay-{n}"] for n in (1, 2))
    # Six dice at no screen, each a hit on 4 or 5 and two on 6: 4 points; craft: a hit each, of four
    # that are there.
    assert ahead["bears"] == [{"b1": [6, 4.0, 4.0], "flight-3": [6, 4.0, 4.0]}]
    assert (ahead["captain"], ahead["firecons"], ahead["reach"]) == (
        [{"weapon": "fighters", "target": "b1"}],
        0,
        6.0,
    )
    assert astern["bears"] == [{}], "they face away"
    fields = {row.key: row.names for row in fire_rows(seen, {}, {})}
    assert "fire-r1/fighter-bay-1-fighters-0" in fields["r1/fighter-bay-1"]
    there = targets_data(seen)
    assert there["flight-3"] == {"left": 4, "ends": 4, "name": "fighters 3"}
    boxes = near.sheet.boxes + sum(map(sum, near.armour))
    assert (there["b1"]["left"], set(there)) == (boxes, {"b1", "flight-3"})


@pytest.mark.rule("pc.fighter-launch")
def test_cards_of_craft_say_where_they_are_how_far_they_fly_and_what_may_launch() -> None:
    """What is aboard flies half as far; what a card writes are fields of the form and the ship's
    word.
    """
    begun = fought(carriers("standard", "standard", 40.0))
    seen = sight(begun)
    advice = {"plot": {"r1": "launch hangar-2"}, "fighters": {N1: "to 60 40", N2: "evade 4"}}
    found = craft_data(seen, advice)
    assert [(ship, bay, key) for ship, bay, _, key, _ in found["decks"]] == [
        ("r1", f"hangar-{n}", f"r1/hangar-{n}") for n in (1, 2, 3)
    ]
    ship, card = seen.ships[0], found["craft"][N1]
    assert card == {
        "x": ship.x, "y": ship.y, "reach": 12.0, "ship": "r1", "bay": "hangar-1", "captain": {f"to-{N1}": "60 40"},
    }  # fmt: skip
    assert found["craft"][N2]["captain"] == {f"evades-{N2}": "4", "launch": "on"}
    offered = {name for row in craft_rows(seen, {}, {}) for name in row.names}
    said = {name for one in found["craft"].values() for name in one["captain"]} - {"launch"}
    assert said <= offered


@pytest.mark.rule("pc.fighter-types")
def test_missiles_of_craft_have_a_card_with_what_is_left_and_several_places() -> None:
    document = carriers("missile", "", 20.0)
    document["sides"][0]["ships"][0]["groups"] = {
        "hangar-1": {"at": [60, 30], "course": 12, "craft": 4}
    }
    seen = sight(begun(document))
    shots = [
        {"weapon": "missiles", "at": [60, 40], "count": 3},
        {"weapon": "missiles", "at": [61, 40], "count": 1},
    ]
    (card,) = launch_data(seen, {"launch": {N1: shots}})["launches"]
    field = f"aim-{N1}-missiles"
    assert (card["many"], card["loads"], card["aim"]) == ([4, 4], [["", 4, 0.0, 24.0]], field)
    assert card["captain"] == {field: "60 40 3; 61 40 1"}
    assert card["arcs"] == ["F", "FS", "FP"]
