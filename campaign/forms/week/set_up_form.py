"""The form of the set-up for the battles of a week: a picture of the table and a row for each ship.

An empty field means that the captain decides it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.faults import Faults, PageFault
from campaign.forms.field import Payload, as_mapping, coordinate
from campaign.forms.set_up_choices import (
    ATTACHMENTS,
    ZONE_RULE,
    attachment_from,
    attachment_of,
    begin_options,
    stand_options,
)
from campaign.forms.week import week_fields as fields
from campaign.forms.week.order_parts import items
from campaign.orders.set_up import SET_UP, set_up_anchor
from campaign.orders.settings import SETTINGS
from campaign.rules.queries import ship_classes, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.set_up_sheets import (
    known_file,
    own_entries,
    own_ids,
    side_with_doctrine,
    with_settled_places,
)
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import SetUpSheet, View
from campaign.words.common import place_words
from engine.core.deployment import BY_SIDE, DeploymentPlan
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.zones import Zone
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from engine.notation.battles import BattleFile, read_battle
from engine.notation.gates import usable_gates

# Of a place, the keys that have fields of their own.
FORM_KEYS = ("at", "course", "velocity", "ftl_entry", "stand", *ATTACHMENTS)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a select."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ShipPlace:
    """A ship of the set-up form.

    Attributes:
        key: Its id in the battle.
        values: The texts of its fields.
        proposed: The values that its captain proposes.
        begins: What it may be attached to, with the choice of the draft; empty if nothing.
        stands: The stands that it may share with others; empty if none.
        more: What the draft says besides the fields, as JSON.
    """

    key: str
    id: str
    name: str
    cls: str
    values: Mapping[str, str]
    proposed: Mapping[str, str]
    begins: tuple[Choice, ...]
    stands: tuple[Choice, ...]
    more: str
    faults: tuple[PageFault, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the draft says anything about it, or has a fault there."""
        chosen = [choice for choice in (*self.begins, *self.stands) if choice.is_chosen]
        is_attached = any(choice.value for choice in chosen)
        return bool(self.faults or self.more or is_attached or any(self.values.values()))


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A part of a zone on the picture, y downwards, in MU as text."""

    x: str
    y: str
    width: str
    height: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Dot:
    """A ship or body on the picture, y downwards, in MU as text; `turn` is in degrees."""

    x: str
    y: str
    name: str
    r: str = ""
    turn: int = 0


@dataclass(frozen=True, slots=True)
class BattlePlan:
    """The set-up form of a battle.

    Attributes:
        view_box: The part of the picture's plane that is shown.
        openness: Who sees the set-up of the faction, and when.
        zone_rule: Which situation gives which zone; empty in a single battle.
        limits: What the faction's zone allows, in words.
    """

    hex: str
    id: str
    place: str
    view_box: str
    width: str
    height: str
    zones: tuple[Rectangle, ...]
    bodies: tuple[Dot, ...]
    markers: tuple[Dot, ...]
    openness: str
    zone_rule: str
    limits: tuple[str, ...]
    has_ftl: bool
    formation: str
    ships: tuple[ShipPlace, ...]
    faults: tuple[PageFault, ...]

    @property
    def is_opened(self) -> bool:
        """Whether the draft says anything about single ships."""
        return any(ship.is_changed for ship in self.ships)


def set_up_items(view: View, post: QueryDict) -> list[Payload]:
    """Return the set-ups of a form; battles without any choice are left out."""
    result = []
    for sheet in view.set_ups:
        online = _json_object(fields.SET_UP_ONLINE.text(post, sheet.hex))
        if online:
            result.append(dict(online))
            continue
        ships = {}
        for key in own_ids(sheet):
            place = _posted_place(post, key)
            if place:
                ships[key] = place
        item: Payload = {"hex": sheet.hex}
        if ships:
            item["ships"] = ships
        formation = fields.SET_UP_FORMATION.read(post, sheet.hex)
        if formation:
            item["formation"] = formation
        if len(item) > 1:
            result.append(item)
    return result


def _posted_place(post: QueryDict, key: str) -> Payload:
    """Return the place of a ship in a form, without what its captain decides."""
    place: Payload = dict(_json_object(fields.PLACE_MORE.text(post, key)))
    x, y = fields.PLACE_X.text(post, key), fields.PLACE_Y.text(post, key)
    if x or y:
        place["at"] = [coordinate(x), coordinate(y)]
    numbers = {
        "course": fields.PLACE_COURSE,
        "velocity": fields.PLACE_VELOCITY,
        "ftl_entry": fields.PLACE_FTL,
    }
    for part, field in numbers.items():
        value = field.read(post, key)
        if value != "":
            place[part] = value
    place |= attachment_from(fields.PLACE_BEGINS.text(post, key))
    if stand := fields.PLACE_STAND.text(post, key):
        place["stand"] = stand
    return place


def _json_object(text: str) -> Mapping[str, Any]:
    try:
        return as_mapping(json.loads(text or "{}"))
    except ValueError:
        return {}


def battle_plans(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    online_hexes: Collection[str],
) -> tuple[BattlePlan, ...]:
    """Return the set-up form of each battle of the faction, sorted by hex.

    Args:
        online_hexes: Where it fights online, and so sets up on the page of the battle.
    """
    plans = []
    for sheet in view.set_ups:
        if sheet.hex not in online_hexes:
            draft = _draft_of(sheet, payload)
            doctrine = _leading_doctrine(scenario, view, sheet.hex, payload)
            plans.append(_battle_plan(scenario, view, sheet, draft, doctrine, faults))
    return tuple(plans)


def online_set_ups(
    view: View, payload: Mapping[str, Any], online_hexes: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """Return the name and value of a hidden field for each online battle that a draft sets up.

    Such a battle is set up on its own page; these fields keep what the draft says about it.
    """
    result = []
    for sheet in view.set_ups:
        draft = _draft_of(sheet, payload)
        if sheet.hex in online_hexes and draft:
            result.append((fields.SET_UP_ONLINE.name(sheet.hex), json.dumps(draft)))
    return tuple(result)


def planned_ships(
    scenario: Scenario, view: View, sheet: SetUpSheet, payload: Mapping[str, Any]
) -> list[ShipEntry]:
    """Return a faction's ships of a battle where its orders, or else its captain, place them.

    Orders with faults leave all ships to the captain.
    """
    file = known_file(scenario, view, sheet)
    draft = _draft_of(sheet, payload)
    doctrine = _leading_doctrine(scenario, view, sheet.hex, payload)
    formation = str(draft.get("formation") or "")
    places = {str(key): place for key, place in as_mapping(draft.get("ships")).items()}
    planned, _ = _proposal(file, sheet, doctrine, formation, places)
    return [{**ship, **places.get(ship["id"], {})} for ship in own_entries(planned, sheet)]


def _draft_of(sheet: SetUpSheet, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what orders say about the set-up of a battle."""
    for item in items(payload, SET_UP.key):
        if item.get("hex") == sheet.hex:
            return item
    return {}


def _leading_doctrine(
    scenario: Scenario, view: View, hex_: str, payload: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the doctrine of the faction's fleet in a battle that has the most points."""
    classes = ship_classes(with_known_designs(scenario, view))
    points: dict[str, int] = {}
    for fleet in view.fleets:
        if fleet.hex == hex_ and not fleet.in_ftl:
            points[fleet.key] = 0
            for ship in view.ships:
                if ship.fleet == fleet.key and not (ship.is_helpless or ship.station):
                    points[fleet.key] += classes[ship.cls].points
    if not points:
        return {}
    strongest = min(points, key=lambda key: (-points[key], key))
    for item in items(payload, SETTINGS.key):
        if item.get("fleet") == strongest and isinstance(item.get("doctrine"), dict):
            return as_mapping(item["doctrine"])
    fleet = next(fleet for fleet in view.fleets if fleet.key == strongest)
    return {
        "formation": fleet.doctrine.formation,
        "speed": fleet.doctrine.speed,
        "reserve": fleet.doctrine.reserve,
    }


def _battle_plan(
    scenario: Scenario,
    view: View,
    sheet: SetUpSheet,
    draft: Mapping[str, Any],
    doctrine: Mapping[str, Any],
    faults: Faults,
) -> BattlePlan:
    file = known_file(scenario, view, sheet)
    formation = str(draft.get("formation") or "")
    proposed, battle = _proposal(file, sheet, doctrine, formation, {})
    chosen = as_mapping(draft.get("ships"))
    choices = _Choices(view, sheet, battle)
    ships = []
    for entry in own_entries(proposed, sheet):
        if "fixed" in entry or "docked" in entry:  # their places are not up to the player
            continue
        place = as_mapping(chosen.get(entry["id"]))
        ships.append(_ship_place(entry, place, choices, faults))
    width, height = battle.state.table
    plan = battle.set_up.plan if battle.set_up is not None else None
    own_side = list(battle.state.sides).index(sheet.side)
    zones: list[Rectangle] = []
    own_zones: Sequence[Zone] = ()
    if plan is not None:
        own_zones = plan.zones[own_side]
        for number, parts in enumerate(plan.zones):
            zones += [_rectangle(zone, height, is_own=number == own_side) for zone in parts]
    bodies = [
        Dot(_mu(piece.x), _mu(height - piece.y), piece.id, _mu(piece.size))
        for piece in battle.state.pieces
        if piece.body
    ]
    return BattlePlan(
        hex=sheet.hex,
        id=set_up_anchor(sheet.hex),
        place=place_words(scenario, sheet.hex),
        view_box=f"-1 -1 {_mu(width + 2)} {_mu(height + 2)}",
        width=_mu(width),
        height=_mu(height),
        zones=tuple(zones),
        bodies=tuple(bodies),
        markers=tuple(_marker(ship, height) for ship in ships),
        openness=_openness_words(plan, own_side),
        zone_rule="" if is_skirmish(scenario) else ZONE_RULE,
        limits=tuple(_limit_words(zone) for zone in own_zones),
        has_ftl=any(zone.ftl for zone in own_zones) or choices.has_gates,
        formation=formation,
        ships=tuple(ships),
        faults=faults.at(set_up_anchor(sheet.hex)),
    )


def _proposal(
    file: BattleFileDocument,
    sheet: SetUpSheet,
    doctrine: Mapping[str, Any],
    formation: str,
    places: Mapping[str, Any],
) -> tuple[BattleFileDocument, BattleFile]:
    """Return the battle file with the places that the captain proposes, and what it says.

    A draft with faults leaves the places of the usual ranks.

    Args:
        places: The places of the ships that were placed one by one.
    """
    sides = []
    for side in file["sides"]:
        if side["name"] == sheet.side:
            side = side_with_doctrine(side, doctrine, formation, places)
        sides.append(side)
    chosen: BattleFileDocument = {**file, "sides": sides}
    if places:
        chosen["set_up"] = dict(places)
    try:
        battle_file = read_battle(chosen, {})
        return with_settled_places(chosen, battle_file), battle_file
    except RuleViolations:
        return file, read_battle(file, {})


class _Choices:
    """What the ships of a faction may be attached to in a battle.

    Attributes:
        ships: Its ships by id, without decoys.
        has_gates: Whether any of them came through a gate.
    """

    def __init__(self, view: View, sheet: SetUpSheet, battle: BattleFile) -> None:
        self.ships = {ship.key: ship for ship in view.ships}
        self._state = battle.state
        plan = battle.set_up.plan if battle.set_up is not None else None
        own_side = list(battle.state.sides).index(sheet.side)
        self._zones = plan.zones[own_side] if plan is not None else ()
        self._own = [ship for ship in battle.state.ships if ship.owner == own_side]
        self._set_up = battle.set_up
        self.has_gates = any(self._gates(ship) for ship in self._own)

    def begins(self, key: str, place: Mapping[str, Any]) -> tuple[Choice, ...]:
        """Return what a ship may be attached to."""
        state_ship = self._state.ship_by_name(key)
        gates = self._gates(state_ship)
        options = begin_options(self._state, state_ship, self._zones, gates, self._name_of)
        return _choices((("", phrase("as your captain proposes")), *options), attachment_of(place))

    def stands(self, key: str, place: Mapping[str, Any]) -> tuple[Choice, ...]:
        """Return the stands that a ship may share with others."""
        options = stand_options(self._own, self._state.ship_by_name(key))
        return _choices((("", phrase("alone")), *options), str(place.get("stand", "")))

    def _gates(self, ship: ShipState) -> list[str]:
        """Return the gates out of which a ship may come."""
        if self._set_up is None:
            return []
        return usable_gates(self._state, ship, self._set_up.open_gates)

    def _name_of(self, key: str) -> str:
        ship = self.ships.get(key)
        return key if ship is None else ship.name


def _choices(options: Sequence[tuple[str, str]], chosen: str) -> tuple[Choice, ...]:
    """Return options of a select; none if there is only one and no other is chosen."""
    values = [value for value, _ in options]
    if chosen not in values:
        options = (*options, (chosen, chosen))
    if len(options) < 2:
        return ()
    return tuple(Choice(value, label, value == chosen) for value, label in options)


def _ship_place(
    entry: ShipEntry, place: Mapping[str, Any], choices: _Choices, faults: Faults
) -> ShipPlace:
    """Return the row of a ship; a decoy has no ship."""
    key = entry["id"]
    ship = choices.ships.get(key)
    x, y = entry["at"]
    at = place.get("at")
    pair = at if isinstance(at, list) and len(at) == 2 else ["", ""]
    more = {part: value for part, value in place.items() if part not in FORM_KEYS}
    return ShipPlace(
        key=key,
        id=set_up_anchor(key),
        name=ship.name if ship is not None else phrase("Decoy {}", key.rpartition("/d")[2]),
        cls=phrase(ship.cls) if ship is not None else "",
        values={
            "x": str(pair[0]),
            "y": str(pair[1]),
            "course": str(place.get("course", "")),
            "velocity": str(place.get("velocity", "")),
            "ftl_entry": str(place.get("ftl_entry", "")),
        },
        proposed={
            "x": _mu(x),
            "y": _mu(y),
            "course": str(entry["course"]),
            "velocity": str(entry["velocity"]),
            "ftl_entry": str(entry.get("ftl_entry", "")),
        },
        begins=choices.begins(key, place),
        stands=choices.stands(key, place),
        more=json.dumps(more) if more else "",
        faults=faults.at(set_up_anchor(key)),
    )


def _marker(ship: ShipPlace, height: float) -> Dot:
    """Return a ship on the picture: where the draft places it, else where its captain does."""
    return Dot(
        x=_mu(_shown_number(ship, "x")),
        y=_mu(height - _shown_number(ship, "y")),
        name=ship.name,
        turn=int(_shown_number(ship, "course")) % 12 * 30,
    )


def _mu(number: float) -> str:
    return f"{number:g}"


def _shown_number(ship: ShipPlace, part: str) -> float:
    for text in (ship.values[part], ship.proposed[part]):
        value = coordinate(text)
        if not isinstance(value, str):
            return value
    return 0.0


def _rectangle(zone: Zone, height: float, *, is_own: bool) -> Rectangle:
    box = zone.box
    return Rectangle(
        x=_mu(box.left),
        y=_mu(height - box.top),
        width=_mu(box.right - box.left),
        height=_mu(box.top - box.bottom),
        is_own=is_own,
    )


def _openness_words(plan: DeploymentPlan | None, own_side: int) -> str:
    """Return who sees the side's set-up and when, in a battle that captains set up."""
    if plan is None or plan.manner != BY_SIDE:
        return phrase("The enemy sees your set-up only when the battle begins.")
    if plan.first == own_side:
        return phrase(
            "You set up first and in the open: the enemy's captain sees your ships and then places "
            "those that the enemy has not placed."
        )
    return phrase(
        "The enemy sets up first and in the open, but you seal at the same time: your captain sees "
        "its ships and then places those that you have not placed."
    )


def _limit_words(zone: Zone) -> str:
    """Return what a part of a zone allows, in words."""
    box = zone.box
    least, most = zone.velocity
    return phrase(
        "Your zone: x from {:g} to {:g}, y from {:g} to {:g}, velocity {} to {}",
        box.left,
        box.right,
        box.bottom,
        box.top,
        least,
        most,
    )
