"""The forms of fighters and other craft. Pure.

Under the second edition groups have a phase of their own. Under Continuum they get flight orders
beside the plots, and attack orders after all have moved. A Continuum group that is still aboard
follows its flight order if its ship launches it this turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.http import QueryDict

from campaign.forms.battle.fight_form import (
    ORDER_TEXT,
    SHIP_TARGET,
    FormSight,
    OrderRow,
    parse_point,
    point_text,
)
from campaign.forms.battle.ordnance_form import (
    AIM,
    POINT_HINT,
    Faults,
    hostile_boats,
    launch_payload,
    launch_rows,
    orders_in,
)
from campaign.forms.field import (
    ChoiceField,
    Fields,
    Input,
    Option,
    Select,
    TextField,
    TickField,
    number,
)
from engine.continuum.craft.decks import launch_fault
from engine.continuum.craft.loads import launchable_loads
from engine.continuum.craft.moves import is_robot
from engine.core.kinds import ACE, FIGHTING, TURKEY, Pilots
from engine.core.orders import STAY, Flight, Plot
from engine.core.phrase import join_phrases, phrase
from engine.core.state import FIGHTERS
from engine.craft.craft_type import Armament, CraftType
from engine.craft.roles import row_in
from engine.english import kind_words, system_words
from engine.order_requests.craft_flights import SECONDARY
from engine.order_requests.flights import parse_flight
from engine.order_requests.launch import LAUNCH
from engine.pieces.group import Group, groups_from

ROUNDS = TextField("rounds")
FLY_TO = TextField("to")
SCREEN = ChoiceField("screen")
PURSUE = ChoiceField("pursue")
LAND = ChoiceField("land")
COMBAT_LANDING = TickField("at_once")
FACE = ChoiceField("face")
EVADE_FROM = TextField("evades")
SECOND_MOVE = TextField("again")
SECOND_FACE = ChoiceField("again-face")
EVADE = TickField("evade")
DOGFIGHT = ChoiceField("dogfight")

ORDER_HINT = f"to {POINT_HINT}; face 3"
NOBODY: Option = ("", phrase("none"))
COURSES: tuple[Option, ...] = (
    ("0", phrase("direction of flight")),
    *((str(n), str(n)) for n in range(1, 13)),
)


def plot_and_flight_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return the rows of plots with launches, and of groups in flight or ready for launch."""
    return (*launch_rows(sight, payload, faults), *craft_rows(sight, payload, faults))


def craft_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return the rows of groups beside the plots: their flights and what they launch."""
    flights = texts_by_key(payload, FIGHTERS)
    second_moves = texts_by_key(payload, SECONDARY)
    rows = []
    for group in _orderable_groups(sight):
        key = group.key
        row = _flight_row(sight, group, flights.get(key, ""), second_moves.get(key, ""))
        rows.append(replace(row, faults=faults.get(key, ())))
    launch_orders = orders_in(payload.get(LAUNCH))
    for group_in_flight in sight.groups:
        if any(launchable_loads(group_in_flight)):
            orders = launch_orders.get(group_in_flight.id, [])
            rows.append(_load_row(sight, group_in_flight, orders))
    return tuple(rows)


def launch_and_flight_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return what the form orders in addition to plots: launches, flights, robots' second moves."""
    flights: dict[str, str] = {}
    second_moves: dict[str, str] = {}
    for group in _orderable_groups(sight):
        if order := _order_text(group.key, post):
            flights[group.key] = order
        if is_robot(group.row) and (move := second_move_text(group.key, post)):
            second_moves[group.key] = move
    launches = launch_payload(sight, post).get(LAUNCH, {}) | _loads_payload(sight, post)
    entries = {LAUNCH: launches, FIGHTERS: flights, SECONDARY: second_moves}
    return {key: orders for key, orders in entries.items() if orders}


def _load_row(sight: FormSight, group: Group, orders: list[Mapping[str, Any]]) -> OrderRow:
    """Return the row for what a group in flight launches before movement.

    Faults appear in the group's other row.
    """
    fields = Fields()
    for load in launchable_loads(group):
        load_orders = [order for order in orders if order.get("weapon") == load.name]
        fields += _load_fields(sight, group, load, load_orders)
    return OrderRow(
        key=f"{group.id}/load",
        name=phrase("{}: launch", group_name(sight, group.id, group.row)),
        state=phrase("before any movement, if a hostile ship is within 12 MU"),
        picks=fields.picks,
        inputs=fields.inputs,
    )


def _load_fields(
    sight: FormSight, group: Group, load: Armament, orders: list[Mapping[str, Any]]
) -> Fields:
    """Return the fields of one load: its target ship and number, or its target points.

    Missiles launched at points can have several; the field lists all of them with their numbers.
    """
    key = f"{group.id}-{load.name}"
    rounds_left = group.rounds(load)
    order = orders[0] if orders else {}
    label = phrase("{} ({} left)", system_words(load.name).capitalize(), rounds_left)
    if load.dropped:
        count = str(order.get("count") or rounds_left) if order else ""
        drop_label = phrase("{}: number to drop", label)
        return Fields(inputs=(ROUNDS.draw(key, label=drop_label, value=count, hint="1"),))
    if load.at_target:
        target_pick = SHIP_TARGET.draw(
            key,
            label=phrase("{}: fire at", label),
            options=(NOBODY, *sight.other_ships(), *hostile_boats(sight)),
            chosen=str(order.get("target", "")),
        )
        count = str(order.get("count") or "")
        count_input = ROUNDS.draw(key, label=phrase("{}: number", label), value=count, hint="1")
        return Fields(picks=(target_pick,), inputs=(count_input,))
    points = []
    for point_order in orders:
        points.append(f"{point_text(point_order)} {point_order.get('count') or ''}".strip())
    aim = AIM.draw(
        key,
        label=phrase("{}: launch at x, y; number", label),
        value="; ".join(points),
        hint=f"{POINT_HINT} 3; 26 32 3",
    )
    return Fields(inputs=(aim,))


def _loads_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the groups' launches in the form."""
    orders_by_group: dict[str, Any] = {}
    for group in sight.groups:
        orders: list[dict[str, Any]] = []
        for load in launchable_loads(group):
            orders += _submitted_load_orders(group, load, post)
        if orders:
            orders_by_group[group.id] = orders
    return orders_by_group


def _submitted_load_orders(group: Group, load: Armament, post: QueryDict) -> list[dict[str, Any]]:
    """Return the orders for one load in the form: one for each target point or target ship."""
    key = f"{group.id}-{load.name}"
    order: dict[str, Any] = {"weapon": load.name}
    if not load.dropped and not load.at_target:
        points = [point for point in AIM.text(post, key).split(";") if point.strip()]
        return [order | _aim_entry(point) for point in points]
    rounds = ROUNDS.text(post, key)
    if load.at_target and not load.dropped:
        target = SHIP_TARGET.text(post, key)
        if not target:
            return []
        order["target"] = target
    elif not rounds:
        return []
    if rounds:
        order["count"] = number(rounds)
    return [order]


def _aim_entry(words: str) -> dict[str, Any]:
    """Parse target point and missile count from `24 30 3`; invalid numbers stay text."""
    parts = words.replace(",", " ").split()
    if len(parts) == 3:
        return {"at": parse_point(" ".join(parts[:2])), "count": number(parts[2])}
    return {"at": parse_point(" ".join(parts))}


def texts_by_key(payload: Mapping[str, Any], entry: str) -> Mapping[str, Any]:
    """Return a payload's entry with order texts by group; empty if it is no mapping."""
    entry_value = payload.get(entry)
    if isinstance(entry_value, Mapping):
        return entry_value
    return {}


def read_flight(words: object) -> tuple[Flight, str]:
    """Return a group's orders from their text, and the text itself if it cannot be parsed."""
    flight, faults = parse_flight(words if isinstance(words, str) else "", "")
    if flight is None:
        return STAY, str(words)
    return flight, str(words) if faults else ""


class OrderableGroup(NamedTuple):
    """A group in flight or still aboard that can get flight orders."""

    key: str
    row: CraftType
    state: str  # what it can do now, in words


def _orderable_groups(sight: FormSight) -> list[OrderableGroup]:
    """Return the groups that can get flight orders under Continuum: in flight, then aboard."""
    result: list[OrderableGroup] = []
    for group in sight.groups:
        if group.row.endurance:
            result.append(OrderableGroup(group.id, group.row, state_words(group)))
    flying_ids = {group.id for group in sight.state.pieces_of(Group)}
    for ship in sight.ships:
        for name, index in groups_from(ship):
            row = row_in(ship, index)
            if not row.endurance or name in flying_ids:
                continue
            launch = Plot(launch=(ship.sheet.fits[index].id,))
            if not launch_fault(sight.state, ship, launch):
                state = phrase(
                    "{} craft aboard: if its ship launches it, it flies half as far",
                    ship.stock[index],
                )
                result.append(OrderableGroup(name, row, state))
    return result


def state_words(group: Group) -> str:
    """Return a Continuum group's number, position, endurance, speed and pilots in words."""
    words = phrase(
        "{}, endurance {} of {}, up to {:g} MU",
        _position_words(group),
        group.endurance - group.used_endurance,
        group.endurance,
        group.row.speed,
    )
    if group.pilots in (ACE, TURKEY):
        return join_phrases(", ", (words, Pilots.label_of(group.pilots)))
    return words


def _position_words(group: Group) -> str:
    return phrase(
        "{} craft at {:.0f}, {:.0f}, facing {}", group.craft, group.x, group.y, group.course
    )


def _flight_row(
    sight: FormSight, group: OrderableGroup, words: object, second_words: object
) -> OrderRow:
    """Return the row of a group's flight order, filled from its text.

    Args:
        second_words: The text of a robot's second move.
    """
    key = group.key
    flight, raw = read_flight(words)
    inputs = [
        FLY_TO.draw(
            key, label=phrase("Fly to x, y"), value=destination_text(flight), hint=POINT_HINT
        ),
        EVADE_FROM.draw(
            key,
            label=phrase("Evade if one ship fires this many weapons at it"),
            value=str(flight.evades_at or ""),
            hint="4",
        ),
    ]
    if is_robot(group.row):
        second, _ = read_flight(second_words)
        second_label = phrase("Second move, to x, y")
        inputs.append(
            SECOND_MOVE.draw(
                key, label=second_label, value=destination_text(second), hint=POINT_HINT
            )
        )
    landing_label = phrase("combat landing: at once, then it cannot fly again")
    return OrderRow(
        key=key,
        name=group_name(sight, key, group.row),
        state=group.state,
        picks=_flight_picks(sight, key, flight),
        ticks=(COMBAT_LANDING.draw(key, label=landing_label, on=flight.at_once),),
        inputs=tuple(inputs),
        raw=_raw_order(key, raw),
    )


def _raw_order(key: str, text: str) -> Input:
    """Return the field for a flight order as text."""
    label = phrase("Write the order as text instead")
    return ORDER_TEXT.draw(key, label=label, value=text, hint=ORDER_HINT)


def _flight_picks(sight: FormSight, key: str, flight: Flight) -> tuple[Select, ...]:
    """Return a group's selects: its course, what it screens, where it lands, whom it pursues."""
    own_ships: list[Option] = []
    carriers: list[Option] = []
    for ship in sight.ships:
        if ship.status == FIGHTING:
            own_ships.append((ship.id, sight.display_name(ship.id)))
            if ship.profile.bays:
                carriers.append(own_ships[-1])
    other_own_groups: list[Option] = []
    attacked_ship = ""
    for group in sight.groups:
        if group.id == key:
            attacked_ship = group.last_target
        else:
            other_own_groups.append((group.id, sight.display_name(group.id)))
    picks = [
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        SCREEN.draw(
            key,
            label=phrase("Ship or group it screens"),
            options=(NOBODY, *own_ships, *other_own_groups),
            chosen=flight.screen,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *carriers), chosen=flight.land),
    ]
    if attacked_ship:
        picks.append(
            PURSUE.draw(
                key,
                label=phrase("Stay with the ship it attacked"),
                options=(NOBODY, (attacked_ship, sight.display_name(attacked_ship))),
                chosen=flight.pursue,
            )
        )
    return tuple(picks)


def group_name(sight: FormSight, key: str, row: CraftType) -> str:
    """Return a group's name with its kind."""
    modifications = row.id.split("+")[1:]
    kind = join_phrases(" ", map(kind_words, (*modifications, row.type)))
    return phrase("{}, {}", sight.display_name(key), kind)


def destination_text(flight: Flight) -> str:
    """Return where a flight order goes as text, like `24 30`; empty if it stays."""
    if flight.to is None:
        return ""
    return f"{flight.to[0]:g} {flight.to[1]:g}"


def _order_text(key: str, post: QueryDict) -> str:
    """Return a Continuum group's flight order as text from the form."""
    if raw := ORDER_TEXT.text(post, key):
        return raw
    parts = []
    for word, field in (("to", FLY_TO), ("screen", SCREEN), ("pursue", PURSUE)):
        if value := field.text(post, key):
            parts.append(f"{word} {value}")
    if ship := LAND.text(post, key):
        parts.append(f"land {ship} at once" if COMBAT_LANDING.text(post, key) else f"land {ship}")
    if (face := FACE.text(post, key)) not in ("", "0"):
        parts.append(f"face {face}")
    if evades := EVADE_FROM.text(post, key):
        parts.append(f"evade {evades}")
    return "; ".join(parts)


def second_move_text(key: str, post: QueryDict) -> str:
    """Return a group's second move as text from the form."""
    parts = []
    if destination := SECOND_MOVE.text(post, key):
        parts.append(f"to {destination}")
    if (face := SECOND_FACE.text(post, key)) not in ("", "0"):
        parts.append(f"face {face}")
    return "; ".join(parts)


def flight_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each fighter group in flight."""
    flight_texts = texts_by_key(payload, FIGHTERS)
    evade_label = phrase("evade instead of dogfighting")
    rows = []
    for group in sight.groups:
        key = group.id
        flight, raw = read_flight(flight_texts.get(key, ""))
        destination = FLY_TO.draw(
            key, label=phrase("Fly to x, y"), value=destination_text(flight), hint=POINT_HINT
        )
        rows.append(
            OrderRow(
                key=key,
                name=sight.display_name(key),
                state=_position_words(group),
                picks=_fighter_picks(sight, key, flight),
                ticks=(EVADE.draw(key, label=evade_label, on=flight.evade),),
                inputs=(destination,),
                raw=_raw_order(key, raw),
                faults=faults.get(key, ()),
            )
        )
    return tuple(rows)


def flight_payload(sight: FormSight, post: QueryDict) -> dict[str, str]:
    """Return the fighters' orders in the form by group; groups that stay are left out."""
    orders: dict[str, str] = {}
    for group in sight.groups:
        words = ORDER_TEXT.text(post, group.id) or _flight_text(group.id, post)
        if words:
            orders[group.id] = words
    return orders


def _flight_text(key: str, post: QueryDict) -> str:
    """Return a fighter group's order as text from the fields of the form."""
    word_fields = (("to", FLY_TO), ("dogfight", DOGFIGHT), ("land", LAND), ("face", FACE))
    parts = []
    for word, field in word_fields:
        value = field.text(post, key)
        if value not in ("", "0"):
            parts.append(f"{word} {value}")
    if EVADE.text(post, key):
        parts.append("evade")
    return "; ".join(parts)


def _fighter_picks(sight: FormSight, key: str, flight: Flight) -> tuple[Select, ...]:
    """Return a fighter group's selects: its course, its dogfight and where it lands."""
    carriers = []
    for ship in sight.state.ships:
        if ship.commander == sight.side and ship.status == FIGHTING and ship.profile.bays:
            carriers.append((ship.id, sight.display_name(ship.id)))
    return (
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        DOGFIGHT.draw(
            key,
            label=phrase("Dogfight with"),
            options=(NOBODY, *sight.other_groups()),
            chosen=flight.dogfight,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *carriers), chosen=flight.land),
    )
