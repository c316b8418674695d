"""The field values of a draft of a week's orders, without the form around them.

A page shows the whole form of only one fleet. This module knows the values of the others. Scripts
keep them as data. A form submitted without scripts is completed with them, so that saving one fleet
loses nothing of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from campaign.forms.field import Field
from campaign.forms.week import week_fields as fields
from campaign.forms.week.conditional_orders import answer_rows
from campaign.forms.week.order_parts import doctrine_fields, items
from campaign.forms.week.towing import Towing
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.move import MOVE
from campaign.orders.refit import REFIT
from campaign.orders.registry import fleet_controls, orders_by_fleet
from campaign.orders.settings import SETTINGS
from campaign.orders.weasels import WEASELS
from campaign.rules.codec import as_list
from campaign.rules.orders import STANDARD
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.view import View

ON = "on"  # value of a ticked box without a value of its own


@dataclass(slots=True)
class FleetFields:
    """A draft's values for a fleet and its ships: texts by name, and ticks as (name, value)."""

    texts: dict[str, str] = field(default_factory=dict)
    ticks: list[tuple[str, str]] = field(default_factory=list)

    def for_script(self) -> dict[str, Any]:
        """Return the values as data for scripts."""
        return {"texts": self.texts, "ticks": self.ticks}


def draft_fields(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    plans: Mapping[str, str],
) -> dict[str, FleetFields]:
    """Return the fields of a draft by fleet, including fleets that it forms.

    A missing field has the value of an untouched form. Movement and standing order are always
    present.

    Args:
        plans: The form texts of further weeks' plans, by fleet.
    """
    return _Draft(scenario, view, payload, plans).fleets


def complete_form(post: QueryDict, draft: Mapping[str, FleetFields]) -> QueryDict:
    """Complete a submitted form with the fields of fleets whose form was missing."""
    missing = []
    for key, fleet_fields in draft.items():
        if not fields.STANDING.is_sent(post, key):
            missing.append(fleet_fields)
    if not missing:
        return post
    complete_post = post.copy()
    for fleet_fields in missing:
        for name, value in fleet_fields.texts.items():
            if name not in post:
                complete_post[name] = value
        for name, value in fleet_fields.ticks:
            if name not in post:
                complete_post.appendlist(name, value)
    return complete_post


class _Draft:
    """Builds the fields of a draft. `plans` are the texts of further weeks' plans, by fleet."""

    def __init__(
        self,
        scenario: Scenario,
        view: View,
        payload: Mapping[str, Any],
        plans: Mapping[str, str],
    ) -> None:
        self.view = view
        self.own_fleets = {fleet.key: fleet for fleet in view.fleets}
        self.home_fleet_of = {ship.key: ship.fleet for ship in view.ships}
        self.fleets = {key: FleetFields() for key in self.own_fleets}
        self._read_orders(payload)
        self._read_tows(Towing(scenario, view, payload).tug_of)
        self._drop_fleets_not_formed()
        for key in self.fleets:
            self._add_always_present(key, plans)
        self._read_controls(scenario, payload)

    def _read_orders(self, payload: Mapping[str, Any]) -> None:
        for item in items(payload, DETACH.key):
            self._detach(item)
        for item in items(payload, MOVE.key):
            self._move(item)
        for item in items(payload, SETTINGS.key):
            self._setting(item)
        for item in items(payload, DOCK.key):
            self._dock(item)
        for key in _keys(payload.get(WEASELS.key)):
            self._tick(fields.WEASEL, key)
        for item in items(payload, REFIT.key):
            ship = str(item.get("ship"))
            name = fields.SETTING.name(ship, item.get("system"))
            self._ship_text(ship, name, str(item.get("setting") or ""))

    def _read_tows(self, tug_of: Mapping[str, str]) -> None:
        for ship in self.view.ships:
            tug = tug_of.get(ship.key, "")
            if tug != ship.tug:
                self._ship_text(ship.key, fields.TOW.name(ship.key), tug)

    def _drop_fleets_not_formed(self) -> None:
        """Drop new fleets that no ship is sent to."""
        existing_keys = {*self.own_fleets, *self._destinations()}
        self.fleets = {key: entry for key, entry in self.fleets.items() if key in existing_keys}

    def _add_always_present(self, key: str, plans: Mapping[str, str]) -> None:
        """Add the fields that every fleet has, whatever it is ordered."""
        texts = self.fleets[key].texts
        for field_always_present in (fields.MOVE, fields.PATH, fields.STANDING):
            texts.setdefault(field_always_present.name(key), "")
        texts[fields.PLAN.name(key)] = plans.get(key, "")

    def _read_controls(self, scenario: Scenario, payload: Mapping[str, Any]) -> None:
        """Add the values of the controls that kinds of orders bring."""
        fleet_orders = orders_by_fleet(payload, self.view.ships)
        ships_of = ships_by_fleet(self.view.ships)
        for key, fleet_fields in self.fleets.items():
            ships = ships_of.get(key, ())
            orders = fleet_orders.get(key, {})
            for control in fleet_controls(scenario, self.view, key, ships=ships, of_fleet=orders):
                name = fields.CONTROL.name(control.name, key)
                if control.value and control.kind == "flag":
                    fleet_fields.ticks.append((name, ON))
                elif control.value:
                    fleet_fields.texts[name] = control.value
                if control.amount is not None and control.amount.value:
                    amount_name = fields.CONTROL.name(control.amount.name, key)
                    fleet_fields.texts[amount_name] = control.amount.value

    def _fleet(self, key: str) -> FleetFields:
        """Return the fields of a fleet, which are added if it is new."""
        return self.fleets.setdefault(key, FleetFields())

    def _ship_text(self, ship: str, name: str, value: str) -> None:
        """Add a ship's field to its fleet; ships of others are skipped."""
        if ship in self.home_fleet_of:
            self._fleet(self.home_fleet_of[ship]).texts[name] = value

    def _tick(self, box: Field, ship: str, value: str = ON) -> None:
        """Tick a ship's box; ships of others are skipped."""
        if ship in self.home_fleet_of:
            self._fleet(self.home_fleet_of[ship]).ticks.append((box.name(ship), value))

    def _detach(self, item: Mapping[str, Any]) -> None:
        into = str(item.get("into"))
        for ship in _keys(item.get("ships")):
            self._ship_text(ship, fields.TO.name(ship), into)
        texts = self._fleet(into).texts
        if into not in self.own_fleets:
            texts[fields.NAME.name(into)] = str(item.get("name") or "")
        if item.get("decoys"):
            texts[fields.ALONG.name(into)] = str(item["decoys"])

    def _move(self, item: Mapping[str, Any]) -> None:
        key = str(item.get("fleet"))
        texts = self._fleet(key).texts
        texts[fields.MOVE.name(key)] = str(item.get("to") or "")
        texts[fields.PATH.name(key)] = " ".join(map(str, as_list(item.get("path"))))

    def _setting(self, item: Mapping[str, Any]) -> None:
        key = str(item.get("fleet"))
        fleet_fields = self._fleet(key)
        for part, box in (
            ("name", fields.NAME),
            ("standing", fields.STANDING),
            ("decoys_on", fields.DECOYS_ON),
            ("decoy_thrust", fields.DECOY_THRUST),
        ):
            if item.get(part) is not None:
                fleet_fields.texts[box.name(key)] = str(item[part])
        if "answers" in item:
            self._answers(key, items(item, "answers"))
        if item.get("doctrine"):
            self._doctrine(key, item)

    def _answers(self, key: str, answers: list[dict[str, Any]]) -> None:
        texts = self.fleets[key].texts
        for row in answer_rows(answers):
            texts[fields.ANSWER_OF.name(key, row.n)] = row.of
            texts[fields.ANSWER_LEAST.name(key, row.n)] = row.least
            texts[fields.ANSWER_MOST.name(key, row.n)] = row.most
            texts[fields.ANSWER_CHOICE.name(key, row.n)] = row.choice

    def _doctrine(self, key: str, item: Mapping[str, Any]) -> None:
        origin = self.own_fleets.get(key) or self.own_fleets.get(self._origin_of(key))
        doctrine, _ = doctrine_fields(origin.doctrine if origin else STANDARD, item)
        fleet_fields = self.fleets[key]
        for part, form_field in fields.DOCTRINE.items():
            if form_field is not fields.FLEE:
                fleet_fields.texts[form_field.name(key)] = str(doctrine[part])
        if doctrine["flee"]:
            fleet_fields.ticks.append((fields.FLEE.name(key), ON))

    def _origin_of(self, key: str) -> str:
        """Return the fleet from which a newly formed fleet takes its doctrine."""
        origins = []
        for ship, fleet in self.home_fleet_of.items():
            if self._destination(ship) == key:
                origins.append(fleet)
        return min(origins, default="")

    def _destinations(self) -> set[str]:
        """Return the fleets that ships are sent to."""
        return {self._destination(ship) for ship in self.home_fleet_of} - {""}

    def _destination(self, ship: str) -> str:
        """Return the fleet that a ship is sent to, or ""."""
        fleet_fields = self.fleets.get(self.home_fleet_of[ship], FleetFields())
        return fleet_fields.texts.get(fields.TO.name(ship), "")

    def _dock(self, item: Mapping[str, Any]) -> None:
        ship = str(item.get("ship"))
        self._tick(fields.DOCK, ship)
        for system in _keys(item.get("repair")):
            self._tick(fields.REPAIR, ship, system)
        for part, box in (("replenish", fields.REPLENISH), ("scuttle", fields.SCUTTLE)):
            if item.get(part) is True:
                self._tick(box, ship)


def _keys(value: object) -> Iterable[str]:
    """Return the texts of a list, skipping anything else."""
    return [key for key in as_list(value) if isinstance(key, str)]
