"""What both set-up forms offer to attach a ship to: nothing that the rules would refuse."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.forms.set_up_choices import attachment_from, attachment_of, begin_options
from engine.battle import start
from engine.notation.placing import find_place_faults
from tests.engine.battle.test_set_up import STATION, battle

pytestmark = pytest.mark.rule("pc.deployment")


def offered(first: list[dict[str, Any]], gates: tuple[str, ...] = (), **zone: Any) -> list[str]:
    """Return the values offered for the first ship of a side."""
    zones = {"nac": {"edge": "left", **zone}, "esu": {"edge": "right"}}
    now = start(battle({"zones": zones}, first=first), asks_set_up=True)
    stage = now.state.set_up
    assert stage is not None
    ship = now.state.ship_by_name("n1")
    options = begin_options(now.state, ship, stage.plan.zones[0], gates, str)
    for value, _ in options:
        key, _, _ = value.partition(":")
        if key == "docked":
            place = {"at": [3, 24], **attachment_from(value)}
            assert find_place_faults(now.state, {"n1": place}, "") == []
    return [value for value, _ in options]


def test_docks_are_offered_where_the_zone_allows_them() -> None:
    station = {"design": STATION, "at": [3, 24], "course": 12, "velocity": 0}
    assert offered([{}, station]) == ["docked:n2"]
    assert offered([{}, station], docked=False) == []
    assert offered([{}, {}]) == []


def test_gates_are_those_through_which_a_ship_came() -> None:
    assert offered([{}], gates=("gate-0303",)) == ["gate:gate-0303"]
    assert offered([{"design": STATION, "at": [3, 3], "course": 3, "velocity": 0}], ("g",)) == []


@pytest.mark.parametrize("value", ["docked:n2", "carried:n3", "orbit:planet-1", "gate:north", ""])
def test_choice_and_place_are_inverse(value: str) -> None:
    assert attachment_of(attachment_from(value)) == value


def test_unknown_choice_says_nothing() -> None:
    assert attachment_from("towed:n2") == {}
    assert attachment_from("docked:") == {}
