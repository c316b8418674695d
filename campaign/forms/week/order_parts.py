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
from campaign.orders.order import Control, listed
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.system_terrain import terrain_words
from campaign.rules.view import SCAN, Cargo, Doctrine, Sighting, View
from campaign.web.seat_marks import power_names
from campaign.words.sayings import counted, place_words, seen_when, strength_words
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
    hurt: str
    lost: tuple[str, ...]
    grounded: str
    part: str
    mass: int
    into: str
    can_dock: bool
    docked: bool
    docks: bool
    repairs: tuple[tuple[str, str, bool], ...]
    can_replenish: bool
    replenish: bool
    scuttle: bool
    weasel: str
    weasel_on: bool
    laid_up: bool
    short: tuple[str, ...]
    cargo: str
    tugs: tuple[Target, ...]
    tug: str
    refits: tuple[Any, ...]
    faults: tuple[PageFault, ...]

    @property
    def refitted(self) -> bool:
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
    new: bool
    used: bool
    hex: str
    place: str
    title: str
    name: str
    strength: str
    folded: bool
    size: int
    ships: tuple[OrderedShip, ...]
    stuck: str
    needs: str
    cripples: bool
    must_leave: bool
    to: str
    path: str
    plan: str
    plan_words: str
    reach: str
    standing: str
    stands: str
    standing_now: str
    answers: tuple[AnswerRow, ...]
    answers_tag: str
    doctrine: Mapping[str, Any]
    doctrine_changed: bool
    decoys: int
    decoys_on: str
    along: str
    controls: tuple[Control, ...]
    faults: tuple[PageFault, ...]
    says: str = ""
    trouble: str = ""
    joins: tuple[Target, ...] = ()

    @property
    def ships_busy(self) -> bool:
        """Whether the draft orders any ship of it something."""
        return bool(self.along) or any(
            s.into or s.docks or s.tug or s.weasel_on or s.refitted for s in self.ships
        )

    @property
    def ships_open(self) -> bool:
        """Whether its ships should be seen at once: they dock, go elsewhere, or have faults."""
        return bool(self.along) or any(
            s.into or s.docks or s.tug or s.refitted or s.faults for s in self.ships
        )


@dataclass(frozen=True, slots=True)
class Choosing:
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
    seen_how: str
    own: str
    own_ships: int
    stuck: int
    lies_there: str
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
    choosing: tuple[Choosing, ...]

    @property
    def forming(self) -> bool:
        """Whether the draft forms a fleet here."""
        return any(block.used for block in self.slots)


def items(payload: Mapping[str, Any], part: str) -> list[dict[str, Any]]:
    """The items of a part that can be read at all."""
    return [item for item in listed(payload.get(part)) if isinstance(item, dict)]


def doctrine_fields(before: Doctrine, setting: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The doctrine to show, and whether the draft changes it."""
    given = setting.get("doctrine")
    asked = given if isinstance(given, dict) else {}
    shown = {
        "range": asked.get("range", before.range),
        "targets": asked.get("targets", before.targets),
        "break_off": asked.get("break_off", before.break_off),
        "flee": asked.get("flee", before.flee),
    }
    return shown | {"range": "" if shown["range"] is None else shown["range"]}, bool(asked)


def choosing(
    scenario: Scenario,
    view: View,
    label: str,
    toward: str,
    state: str,
    fixed: str,
    decides: Mapping[tuple[str, str], Mapping[str, Any]],
    faults: Faults,
    default: str = "",
) -> Choosing:
    """A choice to be made, with the last scan of the other side and one's own strength there."""
    scan = newest_sighting(view, label, toward)
    classes, here = (
        ship_classes(scenario),
        {f.key for f in view.fleets if f.hex == label and not f.in_ftl},
    )
    crew = [ship for ship in view.ships if ship.fleet in here]
    names = power_names(scenario)
    standing = [
        f.standing for f in sorted(view.fleets, key=lambda f: f.key) if f.key in here and f.standing
    ]
    id_ = decide_anchor(label, toward)
    return Choosing(
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
        scan_age="" if scan is None else seen_when(view, scan),
        seen_how=_seen_how(view, scan),
        own=strength_words(counted(scenario, crew)),
        own_ships=len(crew),
        stuck=sum(1 for ship in crew if not (ship.tug or can_jump(classes[ship.cls], ship))),
        lies_there=next(
            (terrain_words(system.terrain) for system in scenario.systems if system.hex == label),
            "",
        ),
        fixed=choice_words(fixed),
        faults=faults.at(id_),
    )


def _seen_how(view: View, sighting: Sighting | None) -> str:
    """How and when the other side was seen, in words."""
    if sighting is None:
        return phrase("long range scan")
    when = seen_when(view, sighting)
    return phrase("long range scan, {}", when) if sighting.source == SCAN else when


def cargo_words(cargo: Cargo | None) -> str:
    """The cargo of a ship in words: 300 of 400 colonists."""
    return "" if cargo is None else phrase("{} of {} {}", cargo.left, cargo.amount, cargo.what)


def decided(payload: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The decisions of a payload by hex and faction."""
    return {
        (str(item.get("hex")), str(item.get("toward"))): item
        for item in items(payload, DECIDE_ORDER.key)
    }
