"""Weapon settings and the loads of magazines and hangars in the form of a week's orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import SETTING
from campaign.orders.refit import REFIT
from campaign.rules.queries import ship_classes
from campaign.rules.rearming import Settable, settables, setting_of
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship, View
from engine.english import system_words


@dataclass(frozen=True, slots=True)
class RearmRow:
    """A system in the form."""

    field: str
    words: str
    modes: tuple[str, ...]  # possible settings; without any, a base loads it as given by text
    current_setting: str
    new_setting: str  # as drafted, else as it is

    @property
    def is_changed(self) -> bool:
        return self.new_setting != self.current_setting


def rearm_rows(
    cls: ShipClass, ship: Ship, payload: Mapping[str, Any], *, at_base: bool
) -> tuple[RearmRow, ...]:
    """Return the systems of a ship that can be set now, and loaded if `at_base`."""
    new_settings = {
        str(item.get("system")): str(item.get("setting", ""))
        for item in items(payload, REFIT.key)
        if item.get("ship") == ship.key
    }
    return tuple(
        _row(cls, ship, item, new_settings)
        for item in settables(cls)
        if item.modes or at_base or item.id in new_settings
    )


def _row(cls: ShipClass, ship: Ship, item: Settable, new_settings: Mapping[str, str]) -> RearmRow:
    now = setting_of(cls, ship, item.id)
    new_setting = new_settings.get(item.id, now) or item.usual
    return RearmRow(
        SETTING.name(ship.key, item.id), system_words(item.id), item.modes, now, new_setting
    )


def rearm_payload(scenario: Scenario, view: View, post: QueryDict) -> list[dict[str, Any]]:
    """Return the settings and loads in the form that differ from the present ones."""
    classes = ship_classes(scenario)
    entries = []
    for ship in view.ships:
        for item in settables(classes[ship.cls]):
            new_setting = " ".join(SETTING.text(post, ship.key, item.id).split()) or item.usual
            is_sent = SETTING.is_sent(post, ship.key, item.id)
            if is_sent and new_setting != setting_of(classes[ship.cls], ship, item.id):
                if new_setting == item.usual:
                    setting = ""
                else:
                    setting = new_setting
                entries.append({"ship": ship.key, "system": item.id, "setting": setting})
    return entries
