"""What the forms of orders are made of, in words: fleets, ships, and choices with the scan and
one's own strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from campaign.forms.faults import Faults, PageFault
from campaign.forms.week.week_fields import DECIDE
from campaign.orders.decide import DECIDE as DECIDE_ORDER
from campaign.orders.decide import choice_words, decide_anchor
from campaign.orders.order import Control, as_list
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.system_terrain import terrain_words
from campaign.rules.view import SCAN, Cargo, Doctrine, Sighting, View
from campaign.web.seat_marks import power_names
from campaign.words.common import (
    count_by_classification,
    place_words,
    sighting_age_words,
    strength_words,
)
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class Target:
    """A fleet that ships may be sent to, or a tug that may have them in tow."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class OrderedShip:
    """A ship with its orders.

    `hull`: its silhouette and strip, as HTML. `repairs`: (system, its words, whether ticked).
    `weasel`: what it emits, or empty. `grounded`: why it cannot jump by itself. `part`: what it is
    a section of. `mass`: where gates take only so much. `tugs`: what could have it in tow; `tug`:
    what is to. `short` and `cargo`: what is left of its stores and its load. `refits`: rows of
    `campaign.forms.week.rearming`.
    """

    key: str
    id: str
    name: str
    cls: str
    classification: str
    hull: SafeString
    damage_text: str
    lost_systems: tuple[str, ...]
    grounded_reason: str
    part: str
    mass: int
    into: str
    can_dock: bool
    is_docked: bool
    is_to_dock: bool
    repairs: tuple[tuple[str, str, bool], ...]
    can_replenish: bool
    replenish: bool
    scuttle: bool
    weasel: str
    is_weasel_on: bool
    is_laid_up: bool
    stock_left: tuple[str, ...]
    cargo: str
    tugs: tuple[Target, ...]
    tug: str
    refits: tuple[Any, ...]
    faults: tuple[PageFault, ...]

    @property
    def is_refitted(self) -> bool:
        """Whether the draft sets or loads anything of it otherwise."""
        return any(row.changed for row in self.refits)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A standing order with a condition in the form: its number, and what stands in its fields."""

    n: int
    of: str
    least: str
    most: str
    choice: str


@dataclass(frozen=True, slots=True)
class FleetBlock:
    """A fleet, or one that may be formed here (`new`), with its orders.

    `stuck`: why it cannot move whatever is ordered, or empty. `needs`: what it lacks before it can;
    `cripples`: some of its ships keep the others from going.

    `folded`: a row without controls, and without `ships`. `size`: its ships. `joins`: fleets that
    its ships may go to. `says`, `trouble`: what it does by the draft, and what is wrong with that.
    """

    key: str
    id: str
    is_new: bool
    is_used: bool
    hex: str
    place: str
    title: str
    name: str
    strength: str
    is_folded: bool
    ship_count: int
    ships: tuple[OrderedShip, ...]
    stuck_reason: str
    needs: str
    has_stuck_ships: bool
    must_leave: bool
    to: str
    path: str
    plan: str
    plan_words: str
    reach: str
    standing: str
    standing_in_force: str
    standing_in_force_words: str
    answers: tuple[AnswerRow, ...]
    answers_tag: str
    doctrine: Mapping[str, Any]
    is_doctrine_changed: bool
    decoys: int
    decoys_on: str
    decoys_along: str
    controls: tuple[Control, ...]
    faults: tuple[PageFault, ...]
    line_text: str = ""
    problem: str = ""
    targets: tuple[Target, ...] = ()

    @property
    def has_ship_orders(self) -> bool:
        """Whether the draft orders any ship of it something."""
        return bool(self.decoys_along) or any(
            s.into or s.is_to_dock or s.tug or s.is_weasel_on or s.is_refitted for s in self.ships
        )

    @property
    def are_ships_open(self) -> bool:
        """Whether its ships should be seen at once: they dock, go elsewhere, or have faults."""
        return bool(self.decoys_along) or any(
            s.into or s.is_to_dock or s.tug or s.is_refitted or s.faults for s in self.ships
        )


@dataclass(frozen=True, slots=True)
class EncounterChoice:
    """A choice toward a hostile faction in contact or just met.

    `default`: what is done without one; `lies_there`: what will be on the table of a battle,
    whoever else is there.
    """

    id: str
    field: str
    hex: str
    place: str
    toward: str
    name: str
    state: str
    choice: str
    default: str
    scan: str
    scan_age: str
    scan_source: str
    own_strength: str
    own_ship_count: int
    stuck_count: int
    terrain: str
    fixed: str
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A hex with fleets of the viewer's."""

    hex: str
    place: str
    base: str
    can_dock: bool
    fleets: tuple[FleetBlock, ...]
    slots: tuple[FleetBlock, ...]
    targets: tuple[Target, ...]
    choices: tuple[EncounterChoice, ...]

    @property
    def is_forming(self) -> bool:
        """Whether the draft forms a fleet here."""
        return any(block.is_used for block in self.slots)


def items(payload: Mapping[str, Any], part: str) -> list[dict[str, Any]]:
    """The items of a part that can be read at all."""
    return [item for item in as_list(payload.get(part)) if isinstance(item, dict)]


def doctrine_fields(before: Doctrine, setting: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The doctrine to show, and whether the draft changes it."""
    doctrine_entry = setting.get("doctrine")
    changes = doctrine_entry if isinstance(doctrine_entry, dict) else {}
    values = {
        "range": changes.get("range", before.range),
        "targets": changes.get("targets", before.targets),
        "break_off": changes.get("break_off", before.break_off),
        "flee": changes.get("flee", before.flee),
    }
    return values | {"range": "" if values["range"] is None else values["range"]}, bool(changes)


def encounter_choice(
    scenario: Scenario,
    view: View,
    label: str,
    toward: str,
    state: str,
    fixed: str,
    decides: Mapping[tuple[str, str], Mapping[str, Any]],
    faults: Faults,
    default: str = "",
) -> EncounterChoice:
    """A choice to be made, with the last scan of the other side and one's own strength there."""
    scan = newest_sighting(view, label, toward)
    classes, here = (
        ship_classes(scenario),
        {f.key for f in view.fleets if f.hex == label and not f.in_ftl},
    )
    own_ships = [ship for ship in view.ships if ship.fleet in here]
    names = power_names(scenario)
    standing = [
        f.standing for f in sorted(view.fleets, key=lambda f: f.key) if f.key in here and f.standing
    ]
    id_ = decide_anchor(label, toward)
    return EncounterChoice(
        id=id_,
        field=DECIDE.name(label, toward),
        hex=label,
        place=place_words(scenario, label),
        toward=toward,
        name=names.get(toward, toward),
        state=state,
        choice=str(decides.get((label, toward), {}).get("choice", "")),
        default=choice_words(default or (standing[0] if standing else "stand-off") or ""),
        scan="" if scan is None else strength_words(scan.counts),
        scan_age="" if scan is None else sighting_age_words(view, scan),
        scan_source=_scan_source(view, scan),
        own_strength=strength_words(count_by_classification(scenario, own_ships)),
        own_ship_count=len(own_ships),
        stuck_count=sum(
            1 for ship in own_ships if not (ship.tug or can_jump(classes[ship.cls], ship))
        ),
        terrain=next(
            (terrain_words(system.terrain) for system in scenario.systems if system.hex == label),
            "",
        ),
        fixed=choice_words(fixed),
        faults=faults.at(id_),
    )


def _scan_source(view: View, sighting: Sighting | None) -> str:
    """How and when the other side was seen, in words."""
    if sighting is None:
        return phrase("long range scan")
    when = sighting_age_words(view, sighting)
    return phrase("long range scan, {}", when) if sighting.source == SCAN else when


def cargo_words(cargo: Cargo | None) -> str:
    """The cargo of a ship in words: 300 of 400 colonists."""
    return "" if cargo is None else phrase("{} of {} {}", cargo.left, cargo.amount, cargo.what)


def decisions_by_contact(payload: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The decisions of a payload by hex and faction."""
    return {
        (str(item.get("hex")), str(item.get("toward"))): item
        for item in items(payload, DECIDE_ORDER.key)
    }
