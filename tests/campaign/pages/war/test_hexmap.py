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
def test_hexes_that_touch_on_the_map_touch_on_the_drawing_and_no_others() -> None:
    for here in labels(10, 7):
        near = {
            there
            for there in labels(10, 7)
            if 0 < math.dist(centre(here), centre(there)) < HEIGHT * 1.1
        }
        assert near == set(neighbours(here, 10, 7))


@pytest.mark.rule("camp.map")
def test_odd_columns_stand_half_a_hex_higher() -> None:
    (_, odd), (_, even) = centre("0101"), centre("0201")
    assert even - odd == HEIGHT // 2
    assert centre("0102")[1] - odd == HEIGHT


def test_everything_lies_on_the_drawing() -> None:
    width, height = size(10, 7)
    points = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) (\d+)", outline(10, 7))]
    assert all(0 < x < width and 0 < y < height for x, y in points)
    assert len(set(points)) == len(points)


def test_the_grid_is_one_pattern_however_large_the_map() -> None:
    small, large = (map_background(s, s.slug) for s in (SMALL, KARST))
    assert small.layers.count("<pattern") == large.layers.count("<pattern") == 1
    assert small.layers.count("<path") < 15
    assert large.layers.count("<polygon") == 0


def test_a_drawn_ground_is_kept_by_its_content() -> None:
    other = dataclasses.replace(SMALL, name="Another")
    assert map_background(SMALL, "one") is map_background(other, "one")
    assert map_background(SMALL, "one") is not map_background(SMALL, "two")


def test_names_cannot_break_out_of_the_drawing() -> None:
    evil = dataclasses.replace(SMALL.systems[0], name="<script>alert(1)</script>")
    layers = map_background(dataclasses.replace(SMALL, systems=(evil,)), "evil").layers
    assert "<script>" not in layers
    assert "&lt;script&gt;" in layers


def test_an_outline_of_hexes_is_closed_and_starts_at_the_right_corner() -> None:
    x, y = centre("0304")
    assert hexes_path(["0304"]) == f"M{x + 24} {y}l-12 21h-24l-12-21 12-21h24z"
