"""Detach: ships leave their fleets and join or form another. It splits, merges and transfers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import (
    OrderContext,
    OwnForces,
    Wording,
    tables,
)
from campaign.orders.settings import decoy_words
from campaign.orders.ship_lists import ShipListOrder, names_of_ships
from campaign.rules.codec import as_list
from campaign.rules.fleet_names import new_fleet_name
from campaign.rules.fleet_violations import name_faults
from campaign.rules.movement import apply_detach
from campaign.rules.orders import Detachment, Orders
from campaign.rules.world import Fleet
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason


class DetachOrder(ShipListOrder):
    """The detachments of a week."""

    key = "detach"
    value = Detachment
    fault_anchor = ("fleet", "into")
    ship_names = ("ships",)
    lines = (
        Line(
            "detach",
            "detach SHIP [SHIP ...] into FLEET [name NAME] [decoys N]",
            (
                Word("ships", "list"),
                Word("into", keyword="into"),
                Word("name", keyword="name", is_optional=True),
                Word("decoys", "number", keyword="decoys", is_optional=True),
            ),
        ),
    )

    def sort_key(self, item: Detachment) -> tuple[Any, ...]:
        return (item.ships, item.into, repr(item))

    def judge(self, context: OrderContext) -> list[Violation]:
        faults = self._faults(context)
        if faults:
            formed = frozenset(item.into for item in self.items(context.orders))
            context.detachments_failed = True
            context.fleets_not_formed = formed - set(context.fleets)
        else:
            self.carry_out(context, context.orders)
        return faults

    def _faults(self, context: OrderContext) -> list[Violation]:
        """Return the faults of detachments.

        Rules: 2E "The campaign map" [camp.fleets]
        """
        fleets = context.fleets
        faults: list[Violation] = []
        ship_place: dict[str, int] = {}
        first_place: dict[str, int] = {}
        for n, item in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            if item.into in first_place:
                words = reason(
                    "already-formed-detach-name",
                    "{} is already formed in detach[{}]: list all its ships there",
                    item.into,
                    first_place[item.into],
                )
                faults.append(Violation(f"{where}.into", "twice", words))
            first_place.setdefault(item.into, n)
            into = fleets.get(item.into)
            faults += _new_fleet_faults(context.view.faction, item, into, where)
            if not item.ships:
                words = reason("name-ships-detach", "list the ships to detach")
                faults.append(Violation(f"{where}.ships", "no-ships", words))
            for m, key in enumerate(item.ships):
                spot = f"{where}.ships[{m}]"
                faults += _ship_faults(context, item, key, where=spot, ship_place=ship_place)
                ship_place.setdefault(key, n)
            known_ships = [context.ships[key] for key in item.ships if key in context.ships]
            source_keys = {ship.fleet for ship in known_ships}
            sources = [fleets[key] for key in sorted(source_keys)]
            faults += _together_faults(sources, into, f"{where}.ships")
            faults += _decoy_faults(sources, item.decoys, f"{where}.decoys")
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        detachments = self.items(orders)
        if detachments:
            own.fleets, ships = apply_detach(own.fleets, own.ships, detachments)
            own.change_ships(ships)

    def name_new(self, wording: Wording, items: Sequence[Any]) -> None:
        for item in tables(items):
            into = str(item.get("into"))
            wording.names.setdefault(into, str(item.get("name") or new_fleet_name(into)))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            into = wording.name_of(item.get("into"))
            line = phrase("{} → {}", names_of_ships(wording, item), into)
            if item.get("decoys"):
                line = phrase("{}, with {}", line, decoy_words(item["decoys"]))
            lines.append(line)
        return lines

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        """Return the orders without the other ships, which have histories of their own."""
        result: list[Any] = []
        for item in super().about_ship(items, ship, fleets):
            result.append({**item, "ships": [ship]})
        return result

    def fleets_joined(self, payload: Mapping[str, Any], ship: str) -> list[str]:
        """Return the fleets that a ship is detached into."""
        orders = self.about_ship(as_list(payload.get(self.key)), ship, ())
        return [str(item.get("into")) for item in orders]


def _ship_faults(
    context: OrderContext,
    item: Detachment,
    key: str,
    *,
    where: str,
    ship_place: Mapping[str, int],
) -> list[Violation]:
    """Return the fault of a ship to detach: unknown, detached twice, or in that fleet already.

    Args:
        ship_place: The ships of earlier detachments, with the numbers of these.
    """
    ship = context.ships.get(key)
    if ship is None:
        return [context.unknown_ship(where, key)]
    if key in ship_place:
        words = reason(
            "already-detached-detach",
            "{} is already detached in detach[{}]",
            ship.name,
            ship_place[key],
        )
        return [Violation(where, "twice", words)]
    if ship.station:
        words = reason("station-never-moves", "{} is a station and never moves", ship.name)
        return [Violation(where, "station", words)]
    if ship.fleet == item.into:
        words = reason("already-fleet", "{} is already in that fleet", ship.name)
        return [Violation(where, "goes-nowhere", words)]
    return []


def _new_fleet_faults(
    faction: str,
    item: Detachment,
    into: Fleet | None,
    where: str,
) -> list[Violation]:
    """Return the faults of the key and the name of a detachment's new fleet."""
    faults: list[Violation] = []
    new_key = rf"{re.escape(faction)}/f[1-9][0-9]{{0,5}}"
    if into is None and not re.fullmatch(new_key, item.into):
        words = reason(
            "not-your-fleet-new",
            "'{}' is not your fleet; a new fleet needs a key like {}/f12",
            item.into,
            faction,
        )
        faults.append(Violation(f"{where}.into", "bad-key", words))
    if item.name and into is not None:
        words = reason(
            "name-use-settings-rename",
            "{} already has a name; use settings to rename it",
            into.name,
        )
        faults.append(Violation(f"{where}.name", "not-new", words))
    elif item.name:
        faults += name_faults(item.name, f"{where}.name")
    return faults


def _together_faults(sources: list[Fleet], into: Fleet | None, where: str) -> list[Violation]:
    """Return the fault of fleets that cannot exchange ships: apart, or only some must leave."""
    fleets = sources if into is None else [*sources, into]
    if len({fleet.hex for fleet in fleets}) > 1:
        words = reason("ships-change-fleets-only", "ships change fleets only within one hex")
        return [Violation(where, "not-together", words)]
    if len({(fleet.in_ftl, fleet.must_leave) for fleet in fleets}) > 1:
        words = reason(
            "fleets-leave-fleets-not",
            "a fleet that must leave cannot exchange ships with one that may stay",
        )
        return [Violation(where, "not-together", words)]
    return []


def _decoy_faults(sources: list[Fleet], decoys: int, where: str) -> list[Violation]:
    """Return the fault of more decoys than the fleets that the ships leave have aboard."""
    aboard = sum(fleet.decoys for fleet in sources)
    if 0 <= decoys <= aboard:
        return []
    words = reason(
        "decoys-taken-along-fleets",
        "{} decoys are ordered to come along; the fleets they leave have {} aboard",
        decoys,
        aboard,
    )
    return [Violation(where, "too-many-decoys", words)]


DETACH = DetachOrder()
