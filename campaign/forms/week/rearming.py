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
    new_setting: str  # as drafted, else the current one

    @property
    def is_changed(self) -> bool:
        """Whether the draft changes its setting or load."""
        return self.new_setting != self.current_setting


def rearm_rows(
    cls: ShipClass, ship: Ship, payload: Mapping[str, Any], *, at_base: bool
) -> tuple[RearmRow, ...]:
    """Return the systems of a ship that can be set now, and loaded if `at_base`."""
    new_settings = {}
    for item in items(payload, REFIT.key):
        if item.get("ship") == ship.key:
            new_settings[str(item.get("system"))] = str(item.get("setting", ""))
    rows = []
    for settable in settables(cls):
        if settable.modes or at_base or settable.id in new_settings:
            rows.append(_row(cls, ship, settable, new_settings))
    return tuple(rows)


def _row(
    cls: ShipClass, ship: Ship, settable: Settable, new_settings: Mapping[str, str]
) -> RearmRow:
    """Return a system with its current and its drafted setting."""
    current_setting = setting_of(cls, ship, settable.id)
    return RearmRow(
        field=SETTING.name(ship.key, settable.id),
        words=system_words(settable.id),
        modes=settable.modes,
        current_setting=current_setting,
        # An order with an empty setting restores the usual one
        new_setting=new_settings.get(settable.id, current_setting) or settable.usual,
    )


def rearm_payload(scenario: Scenario, view: View, post: QueryDict) -> list[dict[str, Any]]:
    """Return the settings and loads in the form that differ from the present ones."""
    classes = ship_classes(scenario)
    entries = []
    for ship in view.ships:
        cls = classes[ship.cls]
        for settable in settables(cls):
            if not SETTING.is_sent(post, ship.key, settable.id):
                continue
            text = " ".join(SETTING.text(post, ship.key, settable.id).split())
            new_setting = text or settable.usual
            if new_setting != setting_of(cls, ship, settable.id):
                # The usual setting is ordered as an empty one
                setting = "" if new_setting == settable.usual else new_setting
                entries.append({"ship": ship.key, "system": settable.id, "setting": setting})
    return entries
