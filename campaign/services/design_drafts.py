"""A faction's own ship designs in a war: list, save, import, export and delete them.

Only the faction's own rows are read. Drafts have no effect on the war: orders contain a copy of
what is built.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from campaign.errors import InUse, NotFound, NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.models.ship_class import ShipClass as ShipClassRow
from campaign.rules.designs import MAX_DESIGNS, DesignReview, review_design
from campaign.rules.public_ids import outside_id
from campaign.rules.queries import own_class_name
from campaign.rules.scenario import Scenario, ShipClass
from campaign.services.design_texts import designs_of
from campaign.sight.views import current_sight
from campaign.store.documents import CLASS_SCHEMA, scenario_of
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.notation.reading import DocumentPart, RejectedPart, make_parts

MAX_DRAFTS = MAX_DESIGNS  # drafts of a faction
NO_CLASS = phrase("there is no such class")


def design_drafts_of(campaign: Campaign, faction: Faction) -> list[ShipClassRow]:
    """Return the newest draft of each of a faction's own classes, by name."""
    rows = ShipClassRow.objects.filter(
        campaign=campaign, faction=faction, superseded_by__isnull=True
    )
    return list(rows.order_by("name"))


def design_draft_of(campaign: Campaign, faction: Faction, public_id: str) -> ShipClassRow:
    """Return one draft by its public id. Raises NotFound."""
    try:
        design_id = uuid.UUID(public_id)
    except ValueError as error:
        raise NotFound(NO_CLASS) from error
    row = next(
        (row for row in design_drafts_of(campaign, faction) if row.public_id == design_id), None
    )
    if row is None:
        raise NotFound(NO_CLASS)
    return row


def draft_classes(
    scenario: Scenario, faction: str, rows: Sequence[ShipClassRow]
) -> dict[str, ShipClass]:
    """Return the classes of legal drafts by the names used in orders."""
    reviews = (review_design(scenario, faction, row.design).cls for row in rows)
    return {cls.name: cls for cls in reviews if cls is not None}


@transaction.atomic
def class_save(*, campaign: Campaign, faction: Faction, document: object) -> ShipClassRow:
    """Save a design to a faction's classes; it supersedes one of the same name.

    Raises:
        RuleViolations: All faults of the design.
    """
    return _import_designs(campaign, faction, [DocumentPart("", "", document)], partial=False)[0][0]


@transaction.atomic
def classes_import(
    *, campaign: Campaign, faction: Faction, text: str, source: str, partial: bool = False
) -> tuple[tuple[ShipClassRow, ...], tuple[RejectedPart, ...]]:
    """Save the designs of a document.

    Args:
        source: design, ftlibship or ftjava.
        partial: Save those that can be built and return the others; otherwise save all or none.

    Raises:
        RuleViolations: The document cannot be parsed, or without `partial` a design has faults.
    """
    return _import_designs(campaign, faction, designs_of(text, source), partial=partial)


@transaction.atomic
def class_delete(*, campaign: Campaign, faction: Faction, public_id: str) -> None:
    """Delete a class of the faction with all its earlier versions.

    Raises:
        NotFound: The faction has no such draft.
        InUse: Ships of the class are in service.
    """
    row = design_draft_of(campaign, faction, public_id)
    if own_class_name(faction.key, row.name) in _classes_in_service(campaign, faction):
        raise InUse(phrase("there are ships of the class '{}'", row.name))
    _delete_versions(campaign, faction, row.name)


def _classes_in_service(campaign: Campaign, faction: Faction) -> set[str]:
    """Return the classes of the faction's present ships."""
    try:
        return {ship.cls for ship in current_sight(campaign, faction).view.ships}
    except NoViewer:
        return set()


def _import_designs(
    campaign: Campaign, faction: Faction, entries: Sequence[DocumentPart], *, partial: bool
) -> tuple[tuple[ShipClassRow, ...], tuple[RejectedPart, ...]]:
    reviews, left_out = make_parts(
        entries, BuildableCheck(scenario_of(campaign), faction.key), partial=partial
    )
    return _save_all(campaign, faction, reviews), left_out


@dataclass(slots=True)
class BuildableCheck:
    """Checks that a faction can build each of several designs and that their names differ."""

    scenario: Scenario
    faction: str
    names: set[str] = field(default_factory=set)

    def __call__(self, document: object) -> DesignReview:
        """Review a design for the faction. Raises RuleViolations."""
        review = review_design(self.scenario, self.faction, document)
        faults = list(review.faults)
        if review.name and review.name in self.names:
            faults.append(
                Violation(
                    "class", "class-twice", phrase("the class '{}' is listed twice", review.name)
                )
            )
        if faults:
            raise RuleViolations(faults)
        self.names.add(review.name)
        return review


def _save_all(
    campaign: Campaign, faction: Faction, designs: list[DesignReview]
) -> tuple[ShipClassRow, ...]:
    Faction.objects.select_for_update().get(pk=faction.pk)  # one save at a time
    names = (
        _rows(campaign, faction).filter(superseded_by__isnull=True).values_list("name", flat=True)
    )
    if len({*names, *(item.name for item in designs)}) > MAX_DRAFTS:
        raise RuleViolations(
            [
                Violation(
                    "class",
                    "too-many-classes",
                    phrase("a faction can have at most {} classes", MAX_DRAFTS),
                )
            ]
        )
    return tuple(_save(campaign, faction, item) for item in designs)


def _save(campaign: Campaign, faction: Faction, item: DesignReview) -> ShipClassRow:
    sha256 = digest([item.name, item.design])
    rows = _rows(campaign, faction).filter(name=item.name)
    newest = rows.filter(superseded_by__isnull=True).first()
    if newest is not None and newest.sha256 == sha256:
        return newest
    if rows.filter(sha256=sha256).exists():  # same as an earlier version: start the history again
        _delete_versions(campaign, faction, item.name)
        newest = None
    if item.cls is None:
        raise ValueError("a design with faults cannot be saved")
    return ShipClassRow.objects.create(
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


def _delete_versions(campaign: Campaign, faction: Faction, name: str) -> None:
    """Delete all drafts of a name in one statement, because versions refer to each other."""
    rows = _rows(campaign, faction).filter(name=name)
    rows._raw_delete(rows.db)


def _rows(campaign: Campaign, faction: Faction) -> QuerySet[ShipClassRow]:
    return ShipClassRow.objects.filter(campaign=campaign, faction=faction)
