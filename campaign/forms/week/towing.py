"""Tows in the form of a week's orders: possible tugs, and the tow orders.

The possible tugs come from the view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.forms.week.order_parts import Target, items
from campaign.orders.order import as_list
from campaign.orders.tow import TOW
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
        ordered = {}
        for item in items(payload, TOW.key):
            ordered[str(item.get("tug"))] = as_list(item.get("ships"))
        self.tug_of = {
            ship.key: ship.tug for ship in view.ships if ship.tug and ship.tug not in ordered
        }
        for tug, ships in ordered.items():
            self.tug_of |= {ship: tug for ship in ships if isinstance(ship, str)}

    def tugs_for(self, ship: Ship, fleet: Fleet) -> tuple[Target, ...]:
        """Return the tugs in the same hex and state that can tow a ship, with their loads.

        A ship with its own drive that is not in tow needs no tug, so it gets none.
        """
        cls = self.classes[ship.cls]
        if can_jump(cls, ship) and ship.key not in self.tug_of and not ship.tug:
            return ()
        mass = cls.mass
        result: list[Target] = []
        for tug in self._tugs:
            if (
                tug.key != ship.key
                and max(self.classes[tug.cls].transport_capacities(tug.lost)) >= mass
                and _state(self._fleets[tug.fleet]) == _state(fleet)
            ):
                result.append(
                    Target(
                        tug.key,
                        phrase(
                            "{}, MASS {} of {} in use",
                            tug.name,
                            self._load(tug),
                            self.classes[tug.cls].transport_capacity,
                        ),
                    )
                )
        return tuple(result)

    def _load(self, tug: Ship) -> int:
        towed = (key for key, by in self.tug_of.items() if by == tug.key and key in self._ships)
        return sum(self.classes[self._ships[key].cls].mass for key in towed)


def _state(fleet: Fleet) -> tuple[str, bool, bool]:
    return fleet.hex, fleet.in_ftl, fleet.must_leave


def tow_list(ships: Iterable[Ship], tug_of_ship: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the tow orders of a form.

    A tug is named if its tow changes; named without ships, it releases all.

    Args:
        tug_of_ship: The wanted tug of each ship, or "" for none.
    """
    ships = tuple(ships)
    after = {ship.key: tug_of_ship.get(ship.key, ship.tug) for ship in ships}
    changed = {ship.tug for ship in ships if after[ship.key] != ship.tug}
    changed |= {after[ship.key] for ship in ships if after[ship.key] != ship.tug}
    entries: list[dict[str, Any]] = []
    for tug in sorted(changed - {""}):
        towed = [key for key, by in after.items() if by == tug]
        entries.append({"tug": tug, "ships": towed} if towed else {"tug": tug})
    return entries
