"""What the page of an online battle shows during the set-up: zones, proposals, chosen places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.set_up_form import (
    BEGINS,
    COURSE,
    ENTRY_TURN,
    FORMATION,
    FORMATIONS,
    VELOCITY,
    X,
    Y,
    bodies_to_place,
    may_wait_in_ftl,
    placeable_ships,
)
from campaign.forms.field import Select, as_mapping, for_scripts
from campaign.pages.table.table_data import Colours
from campaign.services.phases import set_up_in_formation
from campaign.store.battle_documents import PhaseSheet
from engine.core.deployment import BY_SHIP
from engine.core.phrase import phrase
from engine.core.state import SET_UP
from engine.core.zones import FIRST_ENTRY, Zone
from engine.english import counted_noun

FIELDS = for_scripts(x=X, y=Y, course=COURSE, velocity=VELOCITY, entry=ENTRY_TURN, begins=BEGINS)


def set_up_data(sheet: PhaseSheet, sight: FormSight, colours: Colours) -> dict[str, Any]:
    """Return the data of the page's script.

    It has the zones, the captain's proposal and those in each formation, by ship, and the first
    turn in which ships that are held back may drop out of FTL; 0 if none may. `step` is the number
    of ships that the side places now; 0: all. `placeable` are the ids of those from which it
    chooses. `bodies` are the bodies that it places, with their names and radii.
    """
    formations = {}
    for name, _ in FORMATIONS[1:]:
        formations[name] = set_up_in_formation(sheet, name)[SET_UP]
    return {
        "zones": zones_data(sight, colours),
        "captain": as_mapping(sheet["advice"]).get(SET_UP, {}),
        "formations": formations,
        "ftl": FIRST_ENTRY if may_wait_in_ftl(sight) else 0,
        "step": sheet["view"]["set_up"]["step"] if is_by_ship(sheet) else 0,
        "placeable": [ship.id for ship in placeable_ships(sight)],
        "bodies": _bodies_data(sight),
        "fields": FIELDS,
    }


def _bodies_data(sight: FormSight) -> list[dict[str, Any]]:
    """Return the bodies that the reader places now for the page's script."""
    bodies = []
    for body in bodies_to_place(sight):
        name = sight.display_name(body.id)
        bodies.append({"id": body.id, "name": name, "r": body.radius})
    return bodies


def is_by_ship(sheet: PhaseSheet) -> bool:
    """Return whether the sides of a battle place ships in turn now."""
    set_up = sheet["view"]["set_up"]
    return "bodies" not in set_up and set_up["manner"] == BY_SHIP


def set_up_task(sheet: PhaseSheet) -> str:
    """Return the task of a side that places bodies, or ships in turn; "" for the usual one."""
    set_up = sheet["view"]["set_up"]
    if "bodies" in set_up:
        return phrase("Place asteroids, terrain or stations")
    if not is_by_ship(sheet):
        return ""
    count = min(set_up["step"], len(set_up["to_place"]))
    return phrase("Place {}", counted_noun(count, "ship"))


def zones_data(sight: FormSight, colours: Colours) -> list[dict[str, Any]]:
    """Return the zones of all sides as shapes on the table; own ones last, so they lie on top."""
    stage = sight.state.set_up
    if stage is None:
        return []
    centres: dict[str, tuple[float, float]] = {}
    for ship in sight.state.ships:
        centres[ship.id] = ship.x, ship.y
    for piece in sight.state.pieces:
        centres[piece.id] = piece.x, piece.y
    shapes = []
    for side, zones in enumerate(stage.plan.zones):
        for zone in zones:
            shape = _shape(zone, centres)
            shapes.append({**shape, "own": side == sight.side, "seat": colours.of(side)})
    return sorted(shapes, key=lambda shape: bool(shape["own"]))


def _shape(zone: Zone, centres: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return a zone as a rectangle and, if it is around something, a circle."""
    box = zone.box
    shape: dict[str, Any] = {
        "box": [box.left, box.bottom, box.right, box.top],
        "ahead": zone.ahead,
        "circle": None,
    }
    if zone.near in centres:
        shape["circle"] = [*centres[zone.near], zone.near_mu]
    return shape


def formation_field() -> Select:
    """Return the field that sets up all ships in a formation."""
    return FORMATION.draw(label=phrase("Formation"), options=FORMATIONS)


def with_places(sheet: PhaseSheet, payload: Mapping[str, Any]) -> PhaseSheet:
    """Return a sheet of the set-up with the side's ships where the orders place them."""
    places = as_mapping(payload.get(SET_UP))
    view = sheet["view"]
    own: dict[str, Any] = {}
    for key, ship in view["own"].items():
        own[key] = {**ship, **_drawable(as_mapping(places.get(key)))}
    return {**sheet, "view": {**view, "own": own}}


def _drawable(place: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a place that can be drawn; orders in a draft may be anything."""
    parts: dict[str, Any] = {}
    at = place.get("at")
    if isinstance(at, list) and len(at) == 2 and all(type(n) in (int, float) for n in at):
        parts["at"] = at
    for key in ("course", "velocity"):
        if type(place.get(key)) is int:
            parts[key] = place[key]
    return parts
