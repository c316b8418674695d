"""The form of the set-up: where each ship begins, how fast, and on which course. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow, parse_point
from campaign.forms.field import (
    Checkbox,
    ChoiceField,
    Input,
    NumberField,
    Option,
    Select,
    TextField,
    TickField,
    as_mapping,
)
from campaign.forms.set_up_choices import (
    attachment_from,
    attachment_of,
    begin_options,
    stand_options,
)
from engine.core.deployment import OpenBody
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import SET_UP
from engine.core.zones import FIRST_ENTRY, LAST_ENTRY
from engine.english import system_words
from engine.notation.gates import usable_gates

X = TextField("x")
Y = TextField("y")
COURSE = NumberField("course", least=1, most=12)
VELOCITY = NumberField("velocity")
ENTRY_TURN = NumberField("entry", least=FIRST_ENTRY, most=LAST_ENTRY)
FACING = NumberField("facing", least=1, most=12)
BEGINS = ChoiceField("begins")  # where the ship is attached: `docked:base`, `orbit:planet-1`
ALOFT = TickField("aloft")
STAND = ChoiceField("stand")
FORMATION = ChoiceField("formation")

FORMATIONS: tuple[Option, ...] = (
    ("", phrase("as placed")),
    ("ranks", phrase("ranks")),
    ("line", phrase("line")),
    ("column", phrase("column")),
    ("wedge", phrase("wedge")),
    ("screen", phrase("screen of escorts")),
)

Faults = Mapping[str, tuple[str, ...]]  # messages by ship


def ships_to_place(sight: FormSight) -> list[ShipState]:
    """Return the ships of which the reader places some or all now, in the order of placing."""
    stage = sight.state.set_up
    if stage is None or stage.bodies or not stage.is_asked(sight.side):
        return []
    return stage.ships_of(sight.side, sight.ships)


def bodies_to_place(sight: FormSight) -> list[OpenBody]:
    """Return the bodies that the reader places now: of those placed in turn only the next one."""
    stage = sight.state.set_up
    if stage is None:
        return []
    due = [body for body in stage.bodies_due(sight.side) if body.id in sight.commanded]
    return due[: stage.most_bodies(sight.side)]


def placeable_ships(sight: FormSight) -> list[ShipState]:
    """Return the ships from which the reader chooses now; others have to wait."""
    stage = sight.state.set_up
    if stage is None or stage.bodies or not stage.is_asked(sight.side):
        return []
    return stage.placeable(sight.side, sight.ships)


def set_up_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each body or ship that is placed now."""
    places = as_mapping(payload.get(SET_UP))
    rows = []
    for body in bodies_to_place(sight):
        rows.append(
            OrderRow(
                key=body.id,
                name=sight.display_name(body.id),
                inputs=_body_inputs(sight, body, as_mapping(places.get(body.id))),
                faults=faults.get(body.id, ()),
            )
        )
    for ship in ships_to_place(sight):
        place = as_mapping(places.get(ship.id))
        rows.append(
            OrderRow(
                key=ship.id,
                name=sight.display_name(ship.id),
                inputs=_inputs(sight, ship, place),
                picks=_picks(sight, ship, place),
                ticks=_ticks(sight, ship, place),
                faults=faults.get(ship.id, ()),
            )
        )
    return tuple(rows)


def _body_inputs(sight: FormSight, body: OpenBody, place: Mapping[str, Any]) -> tuple[Input, ...]:
    """Return the fields for the place of a body, and for the course of an installation."""
    inputs = _place_inputs(body.id, place)
    if any(ship.id == body.id for ship in sight.state.ships):
        value = place.get("course", "")
        inputs.append(COURSE.draw(body.id, label=phrase("Course"), value=value))
    return tuple(inputs)


def _place_inputs(key: str, place: Mapping[str, Any]) -> list[Input]:
    """Return the fields for the place of a body or ship."""
    at = place.get("at")
    x, y = at if isinstance(at, list | tuple) and len(at) == 2 else ("", "")
    return [
        X.draw(key, label=phrase("x"), value=_number_text(x), hint="12"),
        Y.draw(key, label=phrase("y"), value=_number_text(y), hint="24"),
    ]


def _inputs(sight: FormSight, ship: ShipState, place: Mapping[str, Any]) -> tuple[Input, ...]:
    """Return the fields for place, course, velocity, and what else the rules let a ship choose."""
    inputs = [
        *_place_inputs(ship.id, place),
        COURSE.draw(ship.id, label=phrase("Course"), value=place.get("course", "")),
        VELOCITY.draw(ship.id, label=phrase("Velocity"), value=place.get("velocity", "")),
    ]
    if ship.drift is not None:
        value = place.get("facing", "")
        inputs.append(FACING.draw(ship.id, label=phrase("Facing"), value=value))
    if may_wait_in_ftl(sight) or "ftl_entry" in place or _gates(sight, ship):
        value = place.get("ftl_entry", "")
        inputs.append(ENTRY_TURN.draw(ship.id, label=phrase("FTL turn"), value=value))
    return tuple(inputs)


def may_wait_in_ftl(sight: FormSight) -> bool:
    """Return whether the reader's side may hold ships back in FTL."""
    stage = sight.state.set_up
    return stage is not None and any(zone.ftl for zone in stage.plan.zones[sight.side])


def _number_text(value: object) -> str:
    """Return a coordinate without needless decimals."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _gates(sight: FormSight, ship: ShipState) -> list[str]:
    """Return the gates out of which a ship may come."""
    stage = sight.state.set_up
    return usable_gates(sight.state, ship, stage.open_gates) if stage is not None else []


def _picks(sight: FormSight, ship: ShipState, place: Mapping[str, Any]) -> tuple[Select, ...]:
    """Return the fields for what a ship is attached to, and the stand that it shares."""
    stage = sight.state.set_up
    assert stage is not None
    picks = []
    zones = stage.plan.zones[sight.side]
    options = begin_options(sight.state, ship, zones, _gates(sight, ship), sight.display_name)
    chosen = attachment_of(place)
    if options or chosen:
        all_options = (("", phrase("on the table")), *options)
        label = phrase("Begins")
        picks.append(BEGINS.draw(ship.id, label=label, chosen=chosen, options=all_options))
    stands = stand_options(placeable_ships(sight), ship)
    if stands or "stand" in place:
        all_options = (("", phrase("alone")), *stands)
        chosen = str(place.get("stand", ""))
        label = phrase("Stand")
        picks.append(STAND.draw(ship.id, label=label, chosen=chosen, options=all_options))
    return tuple(picks)


def _ticks(sight: FormSight, ship: ShipState, place: Mapping[str, Any]) -> tuple[Checkbox, ...]:
    """Return a box for each bay whose craft may begin in flight."""
    stage = sight.state.set_up
    assert stage is not None
    chosen = place.get("aloft", ())
    if not any(zone.aloft for zone in stage.plan.zones[sight.side]):
        return ()
    ticks = []
    for index in ship.profile.bays:
        bay = ship.sheet.fits[index].id
        label = phrase("{} in flight", system_words(bay))
        is_on = isinstance(chosen, list) and bay in chosen
        ticks.append(ALOFT.draw(ship.id, bay, label=label, on=is_on))
    return tuple(ticks)


def set_up_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the places in the submitted form, without those whose fields are empty."""
    places: dict[str, Any] = {}
    for body in bodies_to_place(sight):
        if place := _submitted_point(body.id, post):
            places[body.id] = place
    for ship in ships_to_place(sight):
        if place := _submitted_place(ship, post):
            places[ship.id] = place
    return places


def _submitted_point(key: str, post: QueryDict) -> dict[str, Any]:
    """Return the place and the course of a body or ship in the submitted form."""
    place: dict[str, Any] = {}
    at = parse_point(f"{X.text(post, key)} {Y.text(post, key)}")
    if at:
        place["at"] = at
    if (course := COURSE.read(post, key)) != "":
        place["course"] = course
    return place


def _submitted_place(ship: ShipState, post: QueryDict) -> dict[str, Any]:
    """Return the place of a ship in the submitted form."""
    place = _submitted_point(ship.id, post)
    for key, number_field in (
        ("velocity", VELOCITY),
        ("facing", FACING),
        ("ftl_entry", ENTRY_TURN),
    ):
        if (value := number_field.read(post, ship.id)) != "":
            place[key] = value
    place |= attachment_from(BEGINS.text(post, ship.id))
    if stand := STAND.text(post, ship.id):
        place["stand"] = stand
    bays = [ship.sheet.fits[index].id for index in ship.profile.bays]
    aloft = [bay for bay in bays if ALOFT.read(post, ship.id, bay)]
    if aloft:
        place["aloft"] = aloft
    return place
