"""The Lafayette file with faults put in, and the faults found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

from campaign.rules.files import SCENARIOS, SHIPS, fixture_class_names, load_sheets, read_yaml
from campaign.rules.scenario_file import read_scenario
from engine.core.sheet import Sheet
from tests.campaign.rules.space import places_and_codes

File = dict[str, Any]
Spoil = Callable[[File], object]
Fault = tuple[str, Spoil, list[str]]  # name, change, and "place code" of each fault to find


@cache
def sheets() -> dict[str, Sheet]:
    return load_sheets(SHIPS / "second-edition.yaml")


@cache
def lafayette() -> File:
    scenario_file: File = read_yaml(SCENARIOS / "lafayette.yaml")
    return scenario_file


def spoil_lafayette(*spoils: Spoil) -> tuple[File, list[str]]:
    """Return the Lafayette file with faults, and "place code" of those found; reading must not
    change
    it.
    """
    data = copy.deepcopy(lafayette())
    for spoil in spoils:
        spoil(data)
    before = copy.deepcopy(data)
    _, faults = read_scenario(data, sheets(), navies=fixture_class_names())
    assert data == before
    return data, [f"{where} {code}" for where, code in places_and_codes(faults)]


def set_value(value: object, *path: str | int) -> Spoil:
    """Set a value at a path of keys and indexes."""
    return lambda data: _inside(data, path).__setitem__(path[-1], value)


def take(*path: str | int) -> Spoil:
    """Remove what is at a path."""
    return lambda data: _inside(data, path).__delitem__(path[-1])


def add(value: object, *path: str | int) -> Spoil:
    """Append to the list at a path, which is created if it is missing."""
    return lambda data: _inside(data, path).setdefault(path[-1], []).append(value)


def _inside(data: File, path: tuple[str | int, ...]) -> Any:
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    return place
