"""The geometry of the map: neighbours touch, the edge is closed, and nothing is drawn per hex."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.hexes import labels, neighbours
from campaign.web.hexmap import HEIGHT, centre, hexes_path, map_background, outline, size

SMALL = fixture_scenario("first-steps")
KARST = fixture_scenario("three-powers")


@pytest.mark.rule("camp.map")
def test_neighbouring_hexes_touch_in_the_drawing() -> None:
    for here in labels(10, 7):
        near = {
            there
            for there in labels(10, 7)
            if 0 < math.dist(centre(here), centre(there)) < HEIGHT * 1.1
        }
        assert near == set(neighbours(here, 10, 7))


@pytest.mark.rule("camp.map")
def test_odd_columns_are_half_a_hex_higher() -> None:
    (_, odd), (_, even) = centre("0101"), centre("0201")
    assert even - odd == HEIGHT // 2
    assert centre("0102")[1] - odd == HEIGHT


def test_everything_is_inside_the_drawing() -> None:
    width, height = size(10, 7)
    points = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) (\d+)", outline(10, 7))]
    assert all(0 < x < width and 0 < y < height for x, y in points)
    assert len(set(points)) == len(points)


def test_grid_is_one_pattern_for_any_size() -> None:
    small, large = (map_background(s, s.slug) for s in (SMALL, KARST))
    assert small.layers.count("<pattern") == large.layers.count("<pattern") == 1
    assert small.layers.count("<path") < 15
    assert large.layers.count("<polygon") == 0


def test_background_is_cached_by_content() -> None:
    other = dataclasses.replace(SMALL, name="Another")
    assert map_background(SMALL, "one") is map_background(other, "one")
    assert map_background(SMALL, "one") is not map_background(SMALL, "two")


def test_names_are_escaped_in_the_drawing() -> None:
    evil = dataclasses.replace(SMALL.systems[0], name="<script>alert(1)</script>")
    layers = map_background(dataclasses.replace(SMALL, systems=(evil,)), "evil").layers
    assert "<script>" not in layers
    assert "&lt;script&gt;" in layers


def test_hex_outline_is_closed() -> None:
    x, y = centre("0304")
    assert hexes_path(["0304"]) == f"M{x + 24} {y}l-12 21h-24l-12-21 12-21h24z"
