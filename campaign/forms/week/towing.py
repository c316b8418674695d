"""Tows in the form of a week's orders: possible tugs, and the tow orders.

The possible tugs come from the view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.forms.week.order_parts import Target, items
from campaign.orders.tow import TOW
from campaign.rules.codec import as_list
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.towing import can_tow
from campaign.rules.view import Fleet, Ship, View
from engine.core.phrase import phrase


class Towing:
    """A faction's tugs and the ships they tow under the draft: `tug_of[ship]`."""

    def __init__(self, scenario: Scenario, view: View, payload: Mapping[str, Any]) -> None:
        self.classes = ship_classes(scenario)
        self._ships = {ship.key: ship for ship in view.ships}
        self._fleets = {fleet.key: fleet for fleet in view.fleets}
        self._tugs = [ship for ship in view.ships if can_tow(self.classes[ship.cls], ship)]
        self.tug_of = self._tugs_after(payload)

    def _tugs_after(self, payload: Mapping[str, Any]) -> dict[str, str]:
        """Return the tug of each towed ship: as the draft orders, else as it is now."""
        towed_by_tug = {}
        for item in items(payload, TOW.key):
            towed_by_tug[str(item.get("tug"))] = as_list(item.get("ships"))
        tug_of = {}
        for ship in self._ships.values():
            if ship.tug and ship.tug not in towed_by_tug:
                tug_of[ship.key] = ship.tug
        for tug, ships in towed_by_tug.items():
            for key in ships:
                if isinstance(key, str):
                    tug_of[key] = tug
        return tug_of

    def tugs_for(self, ship: Ship, fleet: Fleet) -> tuple[Target, ...]:
        """Return the tugs in the same hex and state that can tow a ship, with their loads.

        A ship with its own drive that is not in tow needs no tug, so it gets none.
        """
        cls = self.classes[ship.cls]
        is_in_tow = ship.key in self.tug_of or bool(ship.tug)
        if can_jump(cls, ship) and not is_in_tow:
            return ()
        result: list[Target] = []
        for tug in self._tugs:
            tug_class = self.classes[tug.cls]
            is_strong_enough = max(tug_class.transport_capacities(tug.lost)) >= cls.mass
            is_beside = _position(self._fleets[tug.fleet]) == _position(fleet)
            if tug.key != ship.key and is_strong_enough and is_beside:
                words = phrase(
                    "{}, MASS {} of {} in use",
                    tug.name,
                    self._towed_mass(tug),
                    tug_class.transport_capacity,
                )
                result.append(Target(tug.key, words))
        return tuple(result)

    def _towed_mass(self, tug: Ship) -> int:
        """Return the mass of the ships that a tug tows under the draft."""
        mass = 0
        for key, tug_key in self.tug_of.items():
            if tug_key == tug.key and key in self._ships:
                mass += self.classes[self._ships[key].cls].mass
        return mass


def _position(fleet: Fleet) -> tuple[str, bool, bool]:
    """Return what a tug's fleet must have in common with the fleet of a ship in tow."""
    return fleet.hex, fleet.in_ftl, fleet.must_leave


def tow_list(ships: Iterable[Ship], tug_of_ship: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tow orders of a form.

    A tug is named if its tow changes; named without ships, it releases all.

    Args:
        tug_of_ship: The wanted tug of each ship, or "" for none.
    """
    new_tug_of = {}
    changed_tugs = set()
    for ship in ships:
        new_tug = tug_of_ship.get(ship.key, ship.tug)
        new_tug_of[ship.key] = new_tug
        if new_tug != ship.tug:
            changed_tugs |= {ship.tug, new_tug}
    entries: list[dict[str, Any]] = []
    for tug in sorted(changed_tugs - {""}):
        towed = [key for key, tug_key in new_tug_of.items() if tug_key == tug]
        entries.append({"tug": tug, "ships": towed} if towed else {"tug": tug})
    return entries
