"""The star map: labels, neighbours, distances, routes; portals, gates and closed hexes."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules import hexes
from campaign.rules.scenario import Link
from campaign.rules.starmap import StarMap, reachable_hexes, star_map, travel_weeks
from tests.campaign.rules import space

COLUMNS, ROWS = 14, 11
LINKS = (
    Link("portal", "0202", "1310", 0),
    Link("gate", "0210", "1302", 3),
    Link("gate", "0711", "0701", 2),
)
CLOSED = ("0603", "0604", "0704", "0705", "0805", "0909")

labels = st.sampled_from(hexes.labels(COLUMNS, ROWS))
maps = st.sampled_from(
    [
        StarMap(COLUMNS, ROWS, links, closed)
        for links in ((), LINKS, LINKS[1:])
        for closed in ((), CLOSED)
    ]
)


@pytest.mark.rule("camp.map")
@given(st.integers(1, 99), st.integers(1, 99))
def test_labels_round_trip_through_axial_coordinates(column: int, row: int) -> None:
    label = f"{column:02d}{row:02d}"
    assert hexes.label_at(*hexes.axial(label)) == label


@pytest.mark.rule("camp.map")
def test_columns_are_flat_topped_and_odd_ones_higher() -> None:
    assert hexes.neighbours("0303", 9, 9) == ("0202", "0203", "0302", "0304", "0402", "0403")
    assert hexes.neighbours("0403", 9, 9) == ("0303", "0304", "0402", "0404", "0503", "0504")
    assert hexes.neighbours("0101", 9, 9) == ("0102", "0201")


@pytest.mark.rule("camp.map")
@pytest.mark.parametrize("text", ["", "101", "01011", "0001", "0100", "1a01", "٠١٠١", "-101"])
def test_invalid_label_is_refused(text: str) -> None:
    assert not hexes.is_label(text)
    with pytest.raises(ValueError, match="is not a hex"):
        hexes.axial(text)


@pytest.mark.rule("camp.map")
@given(maps, labels, labels)
def test_distances_equal_the_graph_distances(chart: StarMap, a: str, b: str) -> None:
    if not (chart.has(a) and chart.has(b)):
        assert chart.distance(a, b) is None
        return
    steps = int(nx.dijkstra_path_length(chart.graph, a, b, weight="steps"))
    assert chart.distance(a, b) == steps
    assert chart.distance(a, b, 4) == (steps if steps <= 4 else None)
    assert chart.is_within(a, b, steps)
    assert not chart.is_within(a, b, steps - 1)


@pytest.mark.rule("camp.map")
@given(maps, labels, labels)
def test_routes_are_shortest_with_the_smallest_labels(chart: StarMap, a: str, b: str) -> None:
    route = chart.route(a, b)
    if route is None:
        assert chart.distance(a, b) is None
        return
    assert chart.path_cost(a, route) == chart.distance(a, b)
    assert (route[-1:] or (a,)) == (b,)
    weights = nx.dijkstra_path_length(chart.graph, a, b, weight="weight")
    best = min(
        tuple(path[1:]) for path in nx.all_shortest_paths(chart.graph, a, b, weight="weight")
    )
    assert route == best
    assert weights == sum(
        chart.graph[x][y]["weight"] for x, y in zip((a, *route), route, strict=False)
    )


@pytest.mark.rule("camp.map")
@given(maps, labels, st.integers(0, 6))
def test_range_contains_every_hex_within_the_steps(chart: StarMap, a: str, steps: int) -> None:
    near = chart.reach(a, steps)
    everywhere = [(label, chart.distance(a, label, steps)) for label in hexes.labels(COLUMNS, ROWS)]
    assert list(near) == [(label, far) for label, far in everywhere if far is not None]


@pytest.mark.rule("camp.map")
def test_portal_is_free_gate_has_a_cost_and_closed_hex_is_blocked() -> None:
    chart = StarMap(COLUMNS, ROWS, LINKS, CLOSED)
    assert chart.distance("0202", "1310") == 0
    assert chart.route("0202", "1310") == ("1310",)
    assert chart.distance("0210", "1302") == 3
    assert chart.path_cost("0210", ("1302",)) == 3
    assert chart.path_cost("0602", ("0603",)) is None
    assert not chart.has("0603")
    assert chart.step("0101", "0103") is None


@pytest.mark.rule("camp.map")
def test_cheapest_of_parallel_links_counts() -> None:
    chart = StarMap(
        5,
        5,
        (
            Link("gate", "0101", "0102", 4),
            Link("gate", "0101", "0505", 3),
            Link("gate", "0505", "0101", 2),
        ),
        (),
    )
    assert chart.distance("0101", "0102") == 1
    assert chart.distance("0101", "0505") == 2


def test_enclosed_hex_is_unreachable() -> None:
    chart = StarMap(5, 5, (), ("0102", "0201"))
    assert chart.distance("0101", "0303") is None
    assert chart.route("0101", "0303") is None
    assert chart.reach("0101", 6) == (("0101", 0),)
    assert chart.step_aside("0101") is None


def test_equal_scenarios_share_a_map() -> None:
    assert star_map(space.scenario()) is star_map(space.scenario(name="Another"))


@pytest.mark.rule("camp.ftl-move")
def test_fleet_reaches_hexes_within_a_weeks_move() -> None:
    own_view = space.view(space.fleet("red/f1"), space.ship("red/s1", "red/f1"))
    near = dict(reachable_hexes(space.scenario(), own_view, "red/f1"))
    assert near["0304"] == 1
    assert max(near.values()) == 6
    assert space.HOME not in near
    assert len(near) == sum(
        1 <= hexes.distance(space.HOME, label) <= 6 for label in hexes.labels(12, 12)
    )


@pytest.mark.rule("camp.non-ftl")
@pytest.mark.parametrize(
    "crew",
    [
        {"cls": "Guard"},
        {"lost": ("ftl",)},
        {"docked": True},
    ],
)
def test_fleet_with_an_immobile_ship_reaches_nothing(crew: dict[str, Any]) -> None:
    own_view = space.view(
        space.fleet("red/f1"),
        space.ship("red/s1", "red/f1"),
        space.ship("red/s2", "red/f1", **crew),
    )
    assert reachable_hexes(space.scenario(), own_view, "red/f1") == ()
    assert reachable_hexes(space.scenario(), own_view, "red/f9") == ()


def test_weeks_of_travel_count_steps() -> None:
    scenario = space.scenario()
    assert travel_weeks(scenario, "0101", "0101") == 0
    assert travel_weeks(scenario, "0101", "0107") == 1
    assert travel_weeks(scenario, "0101", "0108") == 2
    assert travel_weeks(space.scenario(closed=("0102", "0201")), "0101", "0303") is None
