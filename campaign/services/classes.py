"""A faction's own classes: saved, imported, struck off. What is built is copied into orders: these stay papers."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from campaign.design_drafts import MOST, design_draft_of, documents_of
from campaign.errors import InUse, NoViewer
from campaign.fairness import outside_id
from campaign.models.campaign import Campaign, Faction
from campaign.models.ship_class import ShipClass
from campaign.rules.designs import Judged, judged
from campaign.rules.queries import own_class
from campaign.sight import sight
from campaign.stored import CLASS_SCHEMA, scenario_of
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation


@transaction.atomic
def class_save(*, campaign: Campaign, faction: Faction, document: object) -> ShipClass:
    """Save a design to a faction's classes; one of its name is superseded. Raises RuleViolations with every fault."""
    return _saved(campaign, faction, _lawful(campaign, faction, [("", document)]))[0]


@transaction.atomic
def classes_import(*, campaign: Campaign, faction: Faction, text: str, source: str) -> tuple[ShipClass, ...]:
    """Save the designs of a document, all or none. `source`: design, or ftlibship. Raises RuleViolations."""
    return _saved(campaign, faction, _lawful(campaign, faction, documents_of(text, source)))


@transaction.atomic
def class_delete(*, campaign: Campaign, faction: Faction, public_id: str) -> None:
    """Strike a class off the faction's list, with what it superseded. Raises NotThere, and InUse where it has ships."""
    row = design_draft_of(campaign, faction, public_id)
    if own_class(faction.key, row.name) in _sailed(campaign, faction):
        raise InUse(f"there are ships of the class '{row.name}'")
    _strike(campaign, faction, row.name)


def _sailed(campaign: Campaign, faction: Faction) -> set[str]:
    """The classes of which the faction has ships now."""
    try:
        return {ship.cls for ship in sight(campaign, faction).view.ships}
    except NoViewer:
        return set()


def _lawful(campaign: Campaign, faction: Faction, documents: list[tuple[str, object]]) -> list[Judged]:
    """The designs, each one that can be built. Raises RuleViolations."""
    scenario = scenario_of(campaign)
    found = [judged(scenario, faction.key, document, where) for where, document in documents]
    faults = [fault for item in found for fault in item.faults]
    names: set[str] = set()
    for (where, _), item in zip(documents, found, strict=True):
        if item.name and item.name in names:
            faults.append(Violation(f"{where}.class", "class-twice", f"the class '{item.name}' is given twice"))
        names.add(item.name)
    if faults:
        raise RuleViolations(faults)
    return found


def _saved(campaign: Campaign, faction: Faction, designs: list[Judged]) -> tuple[ShipClass, ...]:
    Faction.objects.select_for_update().get(pk=faction.pk)  # one who saves at a time
    known = _rows(campaign, faction).filter(superseded_by__isnull=True).values_list("name", flat=True)
    if len({*known, *(item.name for item in designs)}) > MOST:
        raise RuleViolations([Violation("class", "too-many-classes", f"a faction can have at most {MOST} classes")])
    return tuple(_save(campaign, faction, item) for item in designs)


def _save(campaign: Campaign, faction: Faction, item: Judged) -> ShipClass:
    sha256 = digest([item.name, item.design])
    rows = _rows(campaign, faction).filter(name=item.name)
    newest = rows.filter(superseded_by__isnull=True).first()
    if newest is not None and newest.sha256 == sha256:
        return newest
    if rows.filter(sha256=sha256).exists():  # drawn as it once was: the list begins anew
        _strike(campaign, faction, item.name)
        newest = None
    if item.cls is None:
        raise ValueError("a design with faults cannot be saved")
    return ShipClass.objects.create(
        campaign=campaign,
        faction=faction,
        public_id=outside_id(campaign.id_secret, "class", f"{item.name}/{sha256}", faction.key),
        name=item.name,
        mass=item.cls.mass,
        points=item.cls.points,
        classification=item.cls.classification,
        schema=CLASS_SCHEMA,
        design=item.design,
        sha256=sha256,
        supersedes=newest,
    )


def _strike(campaign: Campaign, faction: Faction, name: str) -> None:
    """All drawings of a name, in one statement: what supersedes another goes together with it."""
    rows = _rows(campaign, faction).filter(name=name)
    rows._raw_delete(rows.db)


def _rows(campaign: Campaign, faction: Faction) -> QuerySet[ShipClass]:
    return ShipClass.objects.filter(campaign=campaign, faction=faction)
