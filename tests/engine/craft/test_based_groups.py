"""Fighter groups that fly from bases off the table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.victory import scores
from engine.notation.battles import read_battle
from engine.pieces.group import Group
from engine.view.side_view import observe

pytestmark = pytest.mark.rule("2e.first-battle", "2e.base-fighters")


def document(*based: Any, edition: str = "second-edition") -> dict[str, Any]:
    """Return two frigates that meet; red has groups from bases."""
    sides = []
    for name, at, course in (("red", [6, 18], 3), ("blue", [42, 18], 9)):
        ship = {"id": name, "design": frigate(edition), "at": at, "course": course, "velocity": 8}
        sides.append({"name": name, "ships": [ship]})
    sides[0]["based"] = list(based)
    return {"edition": edition, "seed": 3, "table": [48, 36], "sides": sides}


def frigate(edition: str) -> dict[str, Any]:
    """Return the design of a small ship of either edition."""
    design: dict[str, Any] = {"class": "Frigate", "edition": edition, "kind": "warship"}
    design |= {"mass": 10, "thrust": 4, "ftl": "standard"}
    if edition == "continuum":
        return design | {"hull": {"boxes": 4, "rows": 4}, "systems": []}
    return design | {"systems": [{"type": "pdaf"}]}


def faults(*based: Any, edition: str = "second-edition") -> set[tuple[str, str]]:
    with pytest.raises(RuleViolations) as refused:
        read_battle(document(*based, edition=edition), {})
    return {(fault.where, fault.code) for fault in refused.value.violations}


def test_groups_begin_at_their_places_and_head_inward() -> None:
    entries = ({"load": {"standard": 4}, "at": [0, 24]}, {"at": [48, 9], "course": 10})
    state = read_battle(document(*entries), {}).state
    groups = list(state.pieces_of(Group))
    assert [(group.x, group.y, group.course, group.craft) for group in groups] == [
        (0, 24, 3, 4),
        (48, 9, 10, 6),
    ]
    assert [ship.status for ship in state.ships] == ["fighting", "fighting", "based"]
    assert state.in_play(0) == state.ships[:1]


def test_continuum_has_groups_of_any_type() -> None:
    entry = {"load": {"torpedo": 6}, "mods": ["fast"], "at": [0, 24]}
    state = read_battle(document(entry, edition="continuum"), {}).state
    (group,) = state.pieces_of(Group)
    assert (group.row.type, group.craft) == ("torpedo", 6)


def test_captains_fly_them_and_survivors_return_to_their_base() -> None:
    battle = start(document({"at": [0, 24]}))
    ended = fight(battle, {}, Dice(3), "seed", max_turns=2)
    moved = [event for event in ended.events if event.kind == "group-moved"]
    assert {event.to_json()["group"] for event in moved} == {"red-base/fighter-bay-1"}
    base = ended.state.ships[-1]
    assert sum(base.stock[bay] for bay in base.profile.bays) > 0
    assert scores(ended.state)[1] == scores(battle.state)[1] == 0


def test_the_other_side_sees_the_group_and_not_its_base() -> None:
    state = read_battle(document({"at": [0, 24]}), {}).state
    view = json.dumps(observe(state, 1).to_json())
    assert "flight-1" in view
    assert "base" not in view


def test_faults() -> None:
    assert faults({"at": [90, 24]}) == {("sides[0].based[0].at", "off-table")}
    assert faults({}) == {("sides[0].based[0].at", "not-a-pair")}
    assert faults({"at": [0, 1], "load": {"standard": 9}, "course": 13, "x": 1}) == {
        ("sides[0].based[0].x", "unknown-key"),
        ("sides[0].based[0].load", "load"),
        ("sides[0].based[0].course", "course"),
    }
    assert faults({"at": [0, 1], "load": {"torpedo": 6}}) == {("sides[0].based[0].load", "load")}
    assert faults({"at": [0, 1], "load": {"cannon": 6}}, edition="continuum") != set()
    assert faults(3) == {("sides[0].based[0]", "not-a-mapping")}
    assert faults(*[{"at": [0, 1]}] * 13) == {("sides[0].based", "too-many")}


@pytest.mark.rule("2e.scenario-variants")
def test_printed_variants_of_a_battle_are_possible_together() -> None:
    """Moving asteroids and station, a chosen velocity, torpedoes, and fighters from a base."""
    battle = document({"at": [0, 24]})
    station = {
        "class": "Station",
        "edition": "second-edition",
        "kind": "installation",
        "mass": 200,
        "systems": [{"type": "screen"}],
    }
    battle["sides"][1]["ships"].append({"id": "station", "design": station})
    battle["sides"][0]["ships"][0]["design"] = {
        **frigate("second-edition"),
        "mass": 20,
        "systems": [{"type": "pulse-torpedo", "arcs": ["F"]}],
    }
    battle |= {"asteroids": {"count": 2}, "drift": "roll", "deployment": {"kind": "meeting"}}
    battle["set_up"] = {
        "red": {"at": [3, 18], "course": 3, "velocity": 10},
        "station": {"at": [45, 30], "course": 9, "velocity": 3},
    }
    ended = fight(start(battle), {}, Dice(3), "seed", max_turns=1)
    assert {"drifted", "group-moved"} <= {event.kind for event in ended.events}
    moved = ended.state.ship_by_name("station")
    assert (moved.x, moved.velocity) == (42, 3)
    before = start(battle).state.ship_by_name("red")
    assert (before.velocity, before.sheet.fits[0].type) == (10, "pulse-torpedo")
