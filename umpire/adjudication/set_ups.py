"""The set-up of battles in a week: what each faction knows before it, and what it has chosen.

A battle file of `umpire.adjudication.battles` has all ships in the places of their captain's
proposal. Orders and doctrines change these before the first die of the battle is rolled.

Rules: Continuum "Deployment" 18.1 [pc.deployment] [camp.table-set-up]; 2E "Entering battle under
FTL drive" [camp.ftl-ambush]; Continuum "Stands" 3.7 [camp.stands]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from campaign.rules.orders import BattleSetUp, Orders
from campaign.rules.set_up_sheets import settle_places, sheet_of_side, side_with_doctrine
from campaign.rules.view import SetUpSheet, View
from campaign.rules.world import Engagement, World
from engine.core.deployment import BY_SHIP
from engine.core.errors import RuleViolations
from engine.notation.battle_file import BattleFileDocument, SideEntry
from umpire.adjudication.battles import side_name


def has_set_up(file: BattleFileDocument) -> bool:
    """Return whether the sides of a battle set up in zones, each all its ships at once."""
    deployment = file.get("deployment")
    return isinstance(deployment, Mapping) and deployment.get("manner") != BY_SHIP


def views_with_set_ups(
    views: Mapping[str, View],
    world: World,
    files: Mapping[str, BattleFileDocument],
) -> dict[str, View]:
    """Return views with what each faction knows of its battles before it sets up.

    Args:
        views: The views after the stage before, by faction.
        files: The battle files by the keys of the engagements.
    """
    result = dict(views)
    for faction, view in views.items():
        sheets = _sheets_of(world, files, faction)
        if sheets:
            result[faction] = replace(view, set_ups=sheets)
    return result


def _sheets_of(
    world: World, files: Mapping[str, BattleFileDocument], faction: str
) -> tuple[SetUpSheet, ...]:
    """Return what a faction knows of each of its battles, sorted by hex."""
    own_ids = {ship.key for ship in world.ships if ship.faction == faction}
    own_fleets = {fleet.key for fleet in world.fleets if fleet.faction == faction}
    sheets = []
    for engagement in world.engagements:
        file = files.get(engagement.key)
        side = next((side for side in engagement.sides if faction in side), None)
        if file is None or side is None or not has_set_up(file):
            continue
        ids = set(own_ids)
        for entry in file["sides"]:
            for ship in entry["ships"]:
                if ship.get("dummy") and ship["id"].rpartition("/")[0] in own_fleets:
                    ids.add(ship["id"])
        sheets.append(sheet_of_side(file, engagement.hex, side_name(side), ids))
    return tuple(sorted(sheets, key=lambda sheet: sheet.hex))


def with_set_ups(
    file: BattleFileDocument,
    engagement: Engagement,
    orders: Mapping[str, Orders],
    doctrines: Mapping[str, Mapping[str, Any]],
) -> BattleFileDocument:
    """Return a battle file with what the sides have chosen for their set-up.

    The choices are left out if the battle no longer allows them, because it was made smaller since.

    Args:
        file: The battle file with all ships in the places of their captain's proposal.
        orders: The sealed orders of the battles stage by faction, without faults.
        doctrines: The doctrine of each side by the side's name.
    """
    if not has_set_up(file):
        return file
    sides: list[SideEntry] = []
    places: dict[str, Any] = {}
    for side, entry in zip(engagement.sides, file["sides"], strict=True):
        formation = ""
        for faction in side:
            for item in orders.get(faction, Orders()).set_up:
                if item.hex == engagement.hex:
                    formation = formation or item.formation
                    places.update(item.ships)
        sides.append(side_with_doctrine(entry, doctrines[entry["name"]], formation, places))
    chosen = cast(BattleFileDocument, {**file, "sides": sides})
    if places:
        chosen["set_up"] = {**cast(dict[str, Any], file.get("set_up", {})), **places}
    if chosen == file:
        return file
    try:
        return settle_places(chosen)
    except RuleViolations:
        return file


def with_sealed_places(
    orders: Mapping[str, Orders], hex_: str, sealed: Iterable[tuple[str, Mapping[str, Any]]]
) -> dict[str, Orders]:
    """Return the week's orders by faction with the places that were sealed in a battle itself.

    These take precedence over the places in the week's orders.

    Args:
        sealed: Factions and the places of their ships, the oldest first.
    """
    result = dict(orders)
    for faction, places in sealed:
        own = result.get(faction, Orders())
        old = next((item for item in own.set_up if item.hex == hex_), BattleSetUp(hex_))
        item = replace(old, ships={**old.ships, **places})
        others = tuple(other for other in own.set_up if other.hex != hex_)
        result[faction] = replace(own, set_up=(*others, item))
    return result
