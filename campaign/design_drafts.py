"""A faction's drawer: the classes of its own design. Only its own rows are read; nothing is resolved by them.

Documents go in as ours (JSON or YAML) or as ships of the ftLibShip builder, and come out as all three.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

import yaml

from campaign.errors import NotThere
from campaign.limits import DESIGNS, MOST_SYSTEMS
from campaign.models.campaign import Campaign, Faction
from campaign.models.ship_class import ShipClass as ShipClassRow
from campaign.rules.designs import MOST_DESIGNS, judged
from campaign.rules.scenario import Scenario, ShipClass
from engine.core.errors import RuleViolations, Violation, place
from engine.notation.designs import parse_design
from engine.notation.documents import read_document
from engine.notation.ftlibship_read import from_ftlibship
from engine.notation.ftlibship_write import to_ftlibship
from engine.notation.reading import below
from engine.ruleset import ruleset

FTLIBSHIP = "ftlibship"
SOURCES = ("design", FTLIBSHIP)
FORMS = ("json", "yaml", FTLIBSHIP)
MOST = MOST_DESIGNS  # drawings of a faction, and designs of a document
NO_CLASS = "there is no such class"


def design_drafts_of(campaign: Campaign, faction: Faction) -> list[ShipClassRow]:
    """The newest drawing of each class of a faction's own, by name."""
    rows = ShipClassRow.objects.filter(campaign=campaign, faction=faction, superseded_by__isnull=True)
    return list(rows.order_by("name"))


def design_draft_of(campaign: Campaign, faction: Faction, public_id: str) -> ShipClassRow:
    """One drawing by its outside id. Raises NotThere."""
    try:
        wanted = uuid.UUID(public_id)
    except ValueError as error:
        raise NotThere(NO_CLASS) from error
    row = next((row for row in design_drafts_of(campaign, faction) if row.public_id == wanted), None)
    if row is None:
        raise NotThere(NO_CLASS)
    return row


def draft_classes(scenario: Scenario, faction: str, rows: Sequence[ShipClassRow]) -> dict[str, ShipClass]:
    """The classes of drawings by what orders call them; one that rules allow no more makes none."""
    found = (judged(scenario, faction, row.design).cls for row in rows)
    return {cls.name: cls for cls in found if cls is not None}


def documents_of(text: str, source: str) -> list[tuple[str, Any]]:
    """The designs of a text with their places, ftLibShip's as ours: one, or a list. Raises RuleViolations."""
    value = read_document(text, DESIGNS)
    many = value if isinstance(value, list) else [value]
    if not many or len(many) > MOST:
        raise RuleViolations([Violation("", "wrong-length", f"1 to {MOST} designs are read at once")])
    if sum(map(_entries, many)) > MOST_SYSTEMS:
        words = f"the designs of a document have up to {MOST_SYSTEMS} entries of systems together"
        raise RuleViolations([Violation("", "too-many-systems", words)])
    found: list[tuple[str, Any]] = []
    unread: list[Violation] = []
    for number, item in enumerate(many):
        where = place(number) if isinstance(value, list) else ""
        try:
            found.append((where, from_ftlibship(item)[0] if source == FTLIBSHIP else item))
        except RuleViolations as error:
            unread.extend(below(where, error.violations))
    if unread:
        raise RuleViolations(unread)
    return found


def _entries(item: object) -> int:
    """How many systems a design lists, ours or ftLibShip's."""
    lists = [value for value in item.values() if isinstance(value, list)] if isinstance(item, dict) else []
    return sum(map(len, lists))


def exported(scenario: Scenario, designs: Sequence[dict[str, Any]], form: str) -> str:
    """Designs as one document: ours in JSON or YAML, or ftLibShip's JSON.

    Raises RuleViolations where ftLibShip has no word for something.
    """
    if form == "yaml":
        return yaml.safe_dump(list(designs), sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    written: list[dict[str, Any]] = list(designs)
    if form == FTLIBSHIP:
        written = []
        faults: list[Violation] = []
        rules = ruleset(scenario.edition, scenario.options)
        for number, design in enumerate(designs):
            try:
                written.append(to_ftlibship(parse_design(design, options=scenario.options), rules))
            except RuleViolations as error:
                faults.extend(below(place(number), error.violations))
        if faults:
            raise RuleViolations(faults)
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"
