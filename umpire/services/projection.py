"""The head world as rows for lists and search.

Only changed keys are written; a rebuild gives the same rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from campaign.models.campaign import Branch
from campaign.models.truth import FacilityState, Fleet, Projected, Repair, Ship
from campaign.rules.scenario import Scenario
from campaign.rules.stations import has_facility, true_stations
from campaign.rules.world import World
from campaign.selectors.truth import world_of
from campaign.store.documents import scenario_of
from engine.core.phrase import phrase

Rows = dict[type[Projected], dict[str, dict[str, Any]]]
TableRows = dict[str, dict[str, Any]]
TABLES: tuple[type[Projected], ...] = (Fleet, Ship, FacilityState, Repair)
BATCH = 500


def projection_rows(scenario: Scenario, world: World | None) -> Rows:
    """Return all rows of a world, by table and key."""
    if world is None:
        return {table: {} for table in TABLES}
    hexes = {fleet.key: fleet.hex for fleet in world.fleets}
    return {
        Fleet: _fleet_rows(world),
        Ship: _ship_rows(world, hexes),
        FacilityState: _facility_rows(scenario, world),
        Repair: _repair_rows(world, hexes),
    }


def _fleet_rows(world: World) -> TableRows:
    """Return the rows of the fleets by key."""
    ships = Counter(ship.fleet for ship in world.ships)
    rows = {}
    for fleet in world.fleets:
        rows[fleet.key] = {
            "faction": fleet.faction,
            "name": fleet.name,
            "hex": fleet.hex,
            "in_ftl": fleet.in_ftl,
            "must_leave": fleet.must_leave,
            "decoys": fleet.decoys + fleet.decoys_out,
            "ships": ships[fleet.key],
        }
    return rows


def _ship_rows(world: World, hexes: Mapping[str, str]) -> TableRows:
    """Return the rows of the ships by key.

    Args:
        hexes: The fleets' hexes by key.
    """
    rows = {}
    for ship in world.ships:
        cargo = ""
        if ship.cargo is not None:
            cargo = phrase("{} of {} {}", ship.cargo.remaining, ship.cargo.amount, ship.cargo.what)
        rows[ship.key] = {
            "faction": ship.faction,
            "name": ship.name,
            "cls": ship.cls,
            "fleet": ship.fleet,
            "hex": hexes[ship.fleet],
            "damage": ship.damage,
            "lost": list(ship.lost),
            "docked": ship.docked,
            "stock": [list(item) for item in ship.stock],
            "tug": ship.tug,
            "laid_up": ship.laid_up,
            "settings": [list(item) for item in ship.settings],
            "cargo": cargo,
        }
    return rows


def _facility_rows(scenario: Scenario, world: World) -> TableRows:
    """Return the rows of the systems that are or can be held, by system."""
    kinds = {}
    stations = true_stations(scenario, world)
    for system in scenario.systems:
        if system.facility and has_facility(system, stations):
            kinds[system.id] = system.facility.kind
    rows = {}
    for holding in world.holdings:
        rows[holding.system] = {
            "holder": holding.holder or "",
            "since": holding.since,
            "state": holding.state,
            "superior": holding.superior or "",
            "facility": kinds.get(holding.system, ""),
        }
    return rows


def _repair_rows(world: World, hexes: Mapping[str, str]) -> TableRows:
    """Return the rows of the docked ships that need repairs, by key."""
    rows = {}
    for ship in world.ships:
        if ship.docked and (ship.damage or ship.lost):
            rows[ship.key] = {
                "faction": ship.faction,
                "hex": hexes[ship.fleet],
                "damage": ship.damage,
                "systems": list(ship.repair or ship.lost),
            }
    return rows


def projection_write(*, branch: Branch, before: Rows, after: Rows) -> int:
    """Write changed rows and delete obsolete ones; return how many rows were touched."""
    touched = 0
    for table in TABLES:
        old = before[table]
        new = after[table]
        changed = []
        for key, row in new.items():
            if old.get(key) != row:
                changed.append(table(branch=branch, key=key, **row))
        if changed:
            columns = []
            for field in table._meta.concrete_fields:
                if field.name not in ("id", "branch", "key"):
                    columns.append(field.name)
            table._default_manager.bulk_create(
                changed,
                batch_size=BATCH,
                update_conflicts=True,
                unique_fields=["branch", "key"],
                update_fields=columns,
            )
        removed = sorted(set(old) - set(new))
        for start in range(0, len(removed), BATCH):
            table._default_manager.filter(
                branch=branch, key__in=removed[start : start + BATCH]
            ).delete()
        touched += len(changed) + len(removed)
    return touched


def projection_clear(*, branch: Branch) -> None:
    """Delete a branch's projection."""
    for table in TABLES:
        table._default_manager.filter(branch=branch).delete()


@transaction.atomic
def projection_rebuild(*, branch: Branch) -> int:
    """Delete a branch's projection and write it again from its head; return the number of rows."""
    projection_clear(branch=branch)
    scenario = scenario_of(branch.campaign)
    world = None if branch.head is None else world_of(branch.head)
    return projection_write(
        branch=branch,
        before=projection_rows(scenario, None),  # no rows: all were deleted
        after=projection_rows(scenario, world),
    )
