"""Weapons and loads in the form of a week's orders, and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.http import QueryDict

from campaign.forms.faults import Faults
from campaign.forms.week.order_form import week_form
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.rearming import rearm_payload, rearm_rows
from campaign.orders.refit import refit_words
from campaign.rules.perception import build_view
from campaign.rules.queries import ship_classes
from tests.campaign.rules import space, yards
from tests.campaign.rules.space import HOME, fleet, ship

pytestmark = pytest.mark.rule("camp.refit")
WAR = yards.scenario()
RAIDER = ship("red/s1", "red/f1", "Raider")
VIEW = build_view(WAR, space.world(fleet("red/f1", HOME), RAIDER), "red", None, ())
CLASS = ship_classes(WAR)["Raider"]


def post_fields(**fields: str) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(
        {f"set-red/s1-{system.replace('_', '-')}": value for system, value in fields.items()}
    )
    return query


def test_weapons_are_set_anywhere_and_loads_at_a_base() -> None:
    away = rearm_rows(CLASS, RAIDER, {}, at_base=False)
    assert [(row.field, row.modes, row.current_setting, row.new_setting) for row in away] == [
        ("set-red/s1-pulser-1", ("medium", "short", "long"), "medium", "medium")
    ]
    at_base = rearm_rows(CLASS, RAIDER, {}, at_base=True)
    assert [(row.words, row.modes, row.current_setting) for row in at_base[1:]] == [
        ("magazine 1", (), "3 standard")
    ]


def test_form_shows_draft_and_current_settings() -> None:
    set_long = replace(RAIDER, settings=(("pulser-1", "long"),))
    payload = {"refit": [{"ship": "red/s1", "system": "magazine-1", "setting": "2 standard"}]}
    rows = rearm_rows(CLASS, set_long, payload, at_base=False)
    assert [(row.current_setting, row.new_setting, row.is_changed) for row in rows] == [
        ("long", "long", False),
        ("3 standard", "2 standard", True),
    ]
    undone = rearm_rows(
        CLASS, set_long, {"refit": [{"ship": "red/s1", "system": "pulser-1"}]}, at_base=False
    )
    assert [(row.new_setting, row.is_changed) for row in undone] == [("medium", True)]


def test_a_fleet_with_a_ship_to_be_refitted_shows_its_ships_unfolded() -> None:
    payload = {"refit": [{"ship": "red/s1", "system": "pulser-1", "setting": "short"}]}
    (place,) = week_form(WAR, VIEW, payload, Faults())
    assert place.fleets[0].has_ship_orders
    assert place.fleets[0].are_ships_open
    (untouched,) = week_form(WAR, VIEW, {}, Faults())
    assert not untouched.fleets[0].are_ships_open


def test_only_changes_are_ordered() -> None:
    assert (
        rearm_payload(WAR, VIEW, post_fields(pulser_1="medium", magazine_1=" 3  standard ")) == []
    )
    assert rearm_payload(WAR, VIEW, post_fields(pulser_1="short", magazine_1="2 standard")) == [
        {"ship": "red/s1", "system": "pulser-1", "setting": "short"},
        {"ship": "red/s1", "system": "magazine-1", "setting": "2 standard"},
    ]
    long = replace(VIEW, ships=(replace(RAIDER, settings=(("pulser-1", "long"),)),))
    assert rearm_payload(WAR, long, post_fields(pulser_1="medium")) == [
        {"ship": "red/s1", "system": "pulser-1", "setting": ""}
    ]


def test_refits_are_read_back() -> None:
    payload = {"refit": [{"ship": "red/s1", "system": "pulser-1", "setting": "short"}]}
    assert orders_words(WAR, VIEW, payload) == ("HMS s1: pulser 1 is set to short",)
    assert (
        refit_words("HMS s1", {"system": "hangar-1", "setting": ""})
        == "HMS s1: hangar 1 is loaded as designed"
    )
