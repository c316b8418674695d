"""Store scenarios and ship classes.

Stored rows never change: changed content becomes a new version.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from campaign.models.scenario import ClosedHex, Link, StarMap, System
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.models.ship_class import ShipClass as ShipClassRow
from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.rules.scenario import Scenario, ShipClass
from campaign.store.documents import CLASS_SCHEMA
from engine.core.canonical import digest


@transaction.atomic
def scenario_import(*, scenario: Scenario) -> ScenarioRow:
    """Store a scenario with its map as a new version, unless the newest version is the same."""
    newest = ScenarioRow.objects.filter(slug=scenario.slug).order_by("-version").first()
    if newest is not None:
        if newest.sha256 == digest(to_document(replace(scenario, version=newest.version))):
            return newest
        scenario = replace(scenario, version=max(scenario.version, newest.version + 1))
    document = to_document(scenario)
    row = ScenarioRow.objects.create(
        slug=scenario.slug,
        version=scenario.version,
        name=scenario.name,
        sha256=digest(document),
        schema=document["schema"],
        body=document,
    )
    _map_create(row, scenario)
    return row


def scenarios_load() -> tuple[ScenarioRow, ...]:
    """Store the scenarios that come with the project and return their rows."""
    result: list[ScenarioRow] = []
    for slug in fixture_scenarios():
        result.append(scenario_import(scenario=fixture_scenario(slug)))
    return tuple(result)


def scenarios_stored() -> dict[str, int]:
    """Return the newest stored version of each public scenario, by slug."""
    public = ScenarioRow.objects.filter(private__isnull=True).order_by("version")
    return dict(public.values_list("slug", "version"))


@transaction.atomic
def ship_classes_import(*, classes: Iterable[ShipClass]) -> tuple[ShipClassRow, ...]:
    """Return the catalogue's rows of these classes; a changed design supersedes the old row."""
    return tuple([_ship_class_import(ship_class) for ship_class in classes])


def _ship_class_import(ship_class: ShipClass) -> ShipClassRow:
    """Return the catalogue's row of a class with this design, which is created if it is new."""
    sha256 = digest([ship_class.name, ship_class.design])
    versions = ShipClassRow.objects.filter(campaign__isnull=True, name=ship_class.name)
    newest = versions.filter(superseded_by__isnull=True).first()
    if newest is not None and newest.sha256 == sha256:
        return newest
    same_design = versions.filter(sha256=sha256).first()
    if same_design is not None:
        return same_design
    return ShipClassRow.objects.create(
        public_id=uuid.UUID(hex=digest(["ship class", ship_class.name, sha256])[:32]),
        name=ship_class.name,
        mass=ship_class.mass,
        points=ship_class.points,
        classification=ship_class.classification,
        schema=CLASS_SCHEMA,
        design=ship_class.design,
        sha256=sha256,
        supersedes=newest,
    )


def _map_create(row: ScenarioRow, scenario: Scenario) -> None:
    """Store the map of a scenario: its systems, links and closed hexes."""
    starmap = StarMap.objects.create(scenario=row, columns=scenario.columns, rows=scenario.rows)
    systems = []
    for system in scenario.systems:
        systems.append(
            System(
                starmap=starmap,
                key=system.id,
                name=system.name,
                hex=system.hex,
                owner=system.owner or "",
                settled=system.settled,
                facility=system.facility.kind if system.facility else "",
            )
        )
    links = []
    for link in scenario.links:
        links.append(Link(starmap=starmap, kind=link.kind, a=link.a, b=link.b, cost=link.cost))
    closed_hexes = [ClosedHex(starmap=starmap, hex=hex_) for hex_ in scenario.closed]
    System.objects.bulk_create(systems)
    Link.objects.bulk_create(links)
    ClosedHex.objects.bulk_create(closed_hexes)
