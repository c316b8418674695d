"""Deployments: where fleets may be placed, and where they are if the battle file does not say."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RuleViolations
from engine.core.zones import Box
from engine.notation.battles import read_battle
from engine.notation.deployments import zones_for

SCOUT = {
    "class": "Scout",
    "edition": "second-edition",
    "kind": "warship",
    "mass": 4,
    "thrust": 8,
    "ftl": "standard",
}


def battle(
    kind: str | dict[str, Any],
    first: list[dict[str, Any]],
    second: list[dict[str, Any]],
    **more: Any,
) -> dict[str, Any]:
    def ships(letter: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"id": f"{letter}{number}", "design": {**SCOUT, "systems": []}, "velocity": 4, **ship}
            for number, ship in enumerate(entries, 1)
        ]

    sides = [{"name": "a", "ships": ships("a", first)}, {"name": "b", "ships": ships("b", second)}]
    return {"edition": "second-edition", "deployment": kind, "sides": sides, **more}


def faults(document: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolations) as caught:
        read_battle(document, {})
    return [(fault.where, fault.code) for fault in caught.value.violations]


@pytest.mark.rule("pc.deployment")
def test_meeting_engagement_places_fleets_at_the_short_edges() -> None:
    state = read_battle(battle("meeting", [{}, {}], [{}]), {}).state
    assert [(ship.id, ship.x, ship.y, ship.course) for ship in state.ships] == [
        ("a1", 3.0, 16.0, 3),
        ("a2", 3.0, 32.0, 3),
        ("b1", 69.0, 24.0, 9),
    ]


@pytest.mark.rule("pc.deployment")
def test_ship_placed_deeper_than_six_mu_is_a_fault() -> None:
    document = battle(
        "meeting", [{"at": [6, 10], "course": 12}, {"at": [6.5, 10]}], [{"at": [60, 10]}]
    )
    assert faults(document) == [
        ("sides[0].ships[1].at", "deployment"),
        ("sides[1].ships[0].at", "deployment"),
    ]


@pytest.mark.rule("pc.deployment")
def test_converging_fleets_use_half_the_long_edges_and_three_courses() -> None:
    state = read_battle(battle("converging", [{"course": 1}], [{}]), {}).state
    assert [(ship.x, ship.y, ship.course) for ship in state.ships] == [
        (18.0, 3.0, 1),
        (18.0, 45.0, 6),
    ]
    document = battle(
        "converging",
        [{"at": [40, 3]}, {"at": [4, 3], "course": 3}],
        [{"at": [4, 45], "course": 12}],
    )
    assert faults(document) == [
        ("sides[0].ships[0].at", "deployment"),
        ("sides[0].ships[1].course", "deployment"),
        ("sides[1].ships[0].course", "deployment"),
    ]


@pytest.mark.rule("pc.deployment")
def test_defender_uses_its_half_and_ftl_entries_follow_the_file() -> None:
    document = battle(
        "defence",
        [{"at": [36, 40], "course": 6}],
        [{"at": [30, 30], "course": 9, "ftl_entry": 2}, {}],
    )
    state = read_battle(document, {}).state
    assert [(ship.x, ship.y) for ship in state.ships] == [(36.0, 40.0), (30.0, 30.0), (69.0, 24.0)]
    document = battle("defence", [{"at": [37, 40], "course": 6}], [{}])
    assert faults(document) == [("sides[0].ships[0].at", "deployment")]


@pytest.mark.rule("pc.deployment")
def test_tall_table_has_its_short_edges_at_bottom_and_top() -> None:
    (first,), (second,) = zones_for("meeting", (48.0, 72.0))
    assert (first.ahead, second.ahead) == (12, 6)
    assert first.box == Box(0.0, 48.0, 0.0, 6.0)
    assert second.box == Box(0.0, 48.0, 66.0, 72.0)
    (first,), _ = zones_for("converging", (48.0, 72.0))
    assert (first.ahead, first.courses, first.box) == (3, (2, 3, 4), Box(0.0, 6.0, 0.0, 36.0))


def test_deployment_needs_two_sides_and_a_known_name() -> None:
    document = battle("meeting", [{"at": [3, 3], "course": 3}], [{"at": [69, 3], "course": 9}])
    document["sides"].append({"name": "c", "ships": []})
    assert faults(document) == [("deployment", "deployment-sides")]
    assert ("deployment", "unknown-deployment") in faults(
        battle("siege", [{"at": [3, 3], "course": 3}], [])
    )
