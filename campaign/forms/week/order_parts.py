"""The parts of the order forms: fleets, ships, and encounter choices with scan and own strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from campaign.forms.faults import Faults, PageFault
from campaign.forms.week.week_fields import DECIDE, DOCTRINE
from campaign.orders.decide import DECIDE as DECIDE_ORDER
from campaign.orders.decide import choice_words, decide_anchor
from campaign.orders.order import Control
from campaign.rules.codec import as_list
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.system_terrain import terrain_words
from campaign.rules.view import SCAN, Cargo, Doctrine, Fleet, Sighting, View
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
    """A fleet that ships can be sent to, or a tug that can tow them."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class OrderedShip:
    """A ship with its orders."""

    key: str
    id: str
    name: str
    cls: str
    classification: str
    hull: SafeString  # silhouette and damage track as HTML
    damage_text: str
    lost_systems: tuple[str, ...]
    grounded_reason: str  # why it cannot jump without a tug
    part: str  # the ship that it is a section of
    mass: int  # shown if gates limit it
    into: str  # fleet that it is sent to
    can_dock: bool
    is_docked: bool
    is_to_dock: bool
    repairs: tuple[tuple[str, str, bool], ...]  # (system, label, ticked)
    can_replenish: bool
    replenish: bool
    scuttle: bool
    weasel: str  # what it emits, or empty
    is_weasel_on: bool
    is_laid_up: bool
    stock_left: tuple[str, ...]  # remaining stores
    cargo: str  # remaining cargo
    tugs: tuple[Target, ...]  # ships that can tow it
    tug: str  # the tug that the draft chooses
    refits: tuple[Any, ...]  # rows of `campaign.forms.week.rearming`
    faults: tuple[PageFault, ...]

    @property
    def is_refitted(self) -> bool:
        """Whether the draft changes one of its settings or loads."""
        return any(row.is_changed for row in self.refits)

    @property
    def is_rearranged(self) -> bool:
        """Whether the draft sends it to another fleet, a dock or a tug, or refits it."""
        return bool(self.into or self.is_to_dock or self.tug or self.is_refitted)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A conditional standing order in the form: its number and field values."""

    n: int
    of: str  # kind of contact
    least: str
    most: str
    choice: str


@dataclass(frozen=True, slots=True)
class FleetBlock:
    """A fleet, or one that can be formed here, with its orders."""

    key: str
    id: str
    is_new: bool  # it does not exist yet
    is_used: bool
    hex: str
    place: str
    title: str
    name: str
    strength: str
    is_folded: bool  # shown as a row without controls and ships
    ship_count: int
    ships: tuple[OrderedShip, ...]
    stuck_reason: str  # why it cannot move under any orders, or empty
    needs: str  # what must be done before it can move
    has_stuck_ships: bool  # some of its ships keep the others from moving
    must_leave: bool
    to: str  # destination
    path: str  # hexes of a fixed route
    plan: str  # destinations of further weeks
    plan_words: str
    plan_example: str  # the name of a place on this map
    reach: str  # options of its destinations, as HTML
    standing: str  # standing order of the draft
    standing_in_force: str
    standing_in_force_words: str
    answers: tuple[AnswerRow, ...]
    answers_tag: str
    doctrine: Mapping[str, Any]
    is_doctrine_changed: bool
    decoys: int
    decoys_on: str
    decoy_thrust: str  # "" if its decoys fly as fast as the ships they pass for
    can_set_decoy_thrust: bool
    decoys_along: str
    controls: tuple[Control, ...]
    faults: tuple[PageFault, ...]
    line_text: str = ""  # what it does under the draft
    problem: str = ""
    targets: tuple[Target, ...] = ()  # fleets that its ships can join

    @property
    def has_ship_orders(self) -> bool:
        """Whether the draft has orders for any of its ships."""
        return bool(self.decoys_along) or any(
            ship.is_rearranged or ship.is_weasel_on for ship in self.ships
        )

    @property
    def are_ships_open(self) -> bool:
        """Whether to show its ships unfolded: some dock, leave, refit or have faults."""
        return bool(self.decoys_along) or any(
            ship.is_rearranged or ship.faults for ship in self.ships
        )


@dataclass(frozen=True, slots=True)
class EncounterChoice:
    """A choice about a hostile faction in contact or just met."""

    id: str
    field: str
    hex: str
    place: str
    toward: str
    name: str
    state: str
    choice: str
    default: str  # the choice if none is made, in words
    default_choice: str  # the same, as in orders
    scan: str
    scan_age: str
    scan_source: str
    own_strength: str
    own_ship_count: int
    stuck_count: int
    terrain: str  # what will be on the battle's table in any case
    fixed: str
    faults: tuple[PageFault, ...]

    @property
    def chosen(self) -> str:
        """The choice that the form shows as chosen."""
        return self.choice or self.default_choice


@dataclass(frozen=True, slots=True)
class Place:
    """A hex with fleets of the viewer."""

    hex: str
    place: str  # its name in words
    base: str  # what the base there does, in words, or empty
    can_dock: bool
    fleets: tuple[FleetBlock, ...]
    slots: tuple[FleetBlock, ...]  # fleets that can be formed
    targets: tuple[Target, ...]
    choices: tuple[EncounterChoice, ...]

    @property
    def is_forming(self) -> bool:
        """Whether the draft forms a fleet here."""
        return any(block.is_used for block in self.slots)


def items(payload: Mapping[str, Any], part: str) -> list[dict[str, Any]]:
    """Return the readable items of a part."""
    return [item for item in as_list(payload.get(part)) if isinstance(item, dict)]


def doctrine_fields(before: Doctrine, setting: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the doctrine to show, and whether the draft changes it.

    Args:
        before: The doctrine in force.
        setting: The fleet's settings in the draft.
    """
    entry = setting.get("doctrine")
    changes = entry if isinstance(entry, dict) else {}
    values = {part: changes.get(part, getattr(before, part)) for part in DOCTRINE}
    for part in ("range", "speed"):
        if values[part] is None:
            values[part] = ""
    values["reserve"] = values["reserve"] or ""
    return values, bool(changes)


def encounter_choice(  # noqa: PLR0913 -- what one choice shows
    scenario: Scenario,
    view: View,
    *,
    label: str,
    toward: str,
    state: str,
    decisions: Mapping[tuple[str, str], Mapping[str, Any]],
    faults: Faults,
    fixed: str = "",
    default: str = "",
) -> EncounterChoice:
    """Return an encounter choice, with the other side's last scan and the own strength.

    Args:
        label: The hex.
        toward: The other faction.
        state: The state of their encounter.
        decisions: The draft's decisions by hex and faction.
        fixed: The choice that is already fixed, if it is.
        default: The choice if none is made; by default the standing order of the fleets there.
    """
    scan = newest_sighting(view, label, toward)
    classes = ship_classes(scenario)
    fleets_here = [fleet for fleet in view.fleets if fleet.hex == label and not fleet.in_ftl]
    keys_here = {fleet.key for fleet in fleets_here}
    own_ships = [ship for ship in view.ships if ship.fleet in keys_here]
    stuck_ships = []
    for ship in own_ships:
        if not ship.tug and not can_jump(classes[ship.cls], ship):
            stuck_ships.append(ship)
    element_id = decide_anchor(label, toward)
    default_choice = default or _standing_order(fleets_here)
    return EncounterChoice(
        id=element_id,
        field=DECIDE.name(label, toward),
        hex=label,
        place=place_words(scenario, label),
        toward=toward,
        name=power_names(scenario).get(toward, toward),
        state=state,
        choice=str(decisions.get((label, toward), {}).get("choice", "")),
        default=choice_words(default_choice),
        default_choice=default_choice,
        scan="" if scan is None else strength_words(scan.counts),
        scan_age="" if scan is None else sighting_age_words(view, scan),
        scan_source=_scan_source(view, scan),
        own_strength=strength_words(count_by_classification(scenario, own_ships)),
        own_ship_count=len(own_ships),
        stuck_count=len(stuck_ships),
        terrain=_terrain_at(scenario, label),
        fixed=choice_words(fixed),
        faults=faults.at(element_id),
    )


def _standing_order(fleets: list[Fleet]) -> str:
    """Return the standing order of the first fleet that has one; without any, they stand off."""
    for fleet in sorted(fleets, key=lambda fleet: fleet.key):
        if fleet.standing:
            return fleet.standing
    return "stand-off"


def _terrain_at(scenario: Scenario, label: str) -> str:
    """Return what is on the table of any battle in a hex, in words."""
    for system in scenario.systems:
        if system.hex == label:
            return terrain_words(system.terrain, system.drift)
    return ""


def _scan_source(view: View, sighting: Sighting | None) -> str:
    """Return how and when the other side was seen, in words."""
    if sighting is None:
        return phrase("long range scan")
    age = sighting_age_words(view, sighting)
    if sighting.source == SCAN:
        return phrase("long range scan, {}", age)
    return age


def cargo_words(cargo: Cargo | None) -> str:
    """Return a ship's cargo in words: 300 of 400 colonists."""
    if cargo is None:
        return ""
    return phrase("{} of {} {}", cargo.remaining, cargo.amount, cargo.what)


def decisions_by_contact(payload: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the decisions of a payload by hex and faction."""
    result: dict[tuple[str, str], dict[str, Any]] = {}
    for item in items(payload, DECIDE_ORDER.key):
        result[(str(item.get("hex")), str(item.get("toward")))] = item
    return result
