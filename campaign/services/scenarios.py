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
    rows = []
    for ship_class in classes:
        sha256 = digest([ship_class.name, ship_class.design])
        newest = ShipClassRow.objects.filter(
            campaign__isnull=True, name=ship_class.name, superseded_by__isnull=True
        ).first()
        if newest is None or newest.sha256 != sha256:
            again = ShipClassRow.objects.filter(
                campaign__isnull=True, name=ship_class.name, sha256=sha256
            ).first()
            newest = again or ShipClassRow.objects.create(
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
        rows.append(newest)
    return tuple(rows)


def _map_create(row: ScenarioRow, scenario: Scenario) -> None:
    starmap = StarMap.objects.create(scenario=row, columns=scenario.columns, rows=scenario.rows)
    System.objects.bulk_create(
        System(
            starmap=starmap,
            key=system.id,
            name=system.name,
            hex=system.hex,
            owner=system.owner or "",
            settled=system.settled,
            facility=system.facility.kind if system.facility else "",
        )
        for system in scenario.systems
    )
    Link.objects.bulk_create(
        Link(starmap=starmap, kind=link.kind, a=link.a, b=link.b, cost=link.cost)
        for link in scenario.links
    )
    ClosedHex.objects.bulk_create(
        ClosedHex(starmap=starmap, hex=closed) for closed in scenario.closed
    )
