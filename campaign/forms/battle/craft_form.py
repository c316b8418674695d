"""The forms of fighters and other craft. Pure.

Under the second edition groups have a phase of their own. Under Continuum they get flight orders
beside the plots, and attack orders after all have moved. A Continuum group that is still aboard
follows its flight order if its ship launches it this turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import (
    ORDER_TEXT,
    SHIP_TARGET,
    FormSight,
    OrderRow,
    anchor,
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
from engine.craft.craft_type import CraftType
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
    flight_rows_shown = []
    for key, row, state in _orderable_groups(sight):
        flight_rows_shown.append(
            _flight_row(
                sight,
                key,
                row,
                state,
                flights.get(key, ""),
                second_moves.get(key, ""),
                faults.get(key, ()),
            )
        )
    launch_orders = orders_in(payload.get(LAUNCH))
    loaded = []
    for group in sight.groups:
        if any(launchable_loads(group)):
            loaded.append(_load_row(sight, group, launch_orders.get(group.id, ())))
    return (*flight_rows_shown, *loaded)


def plot_and_flight_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return what the form orders beside the plots: launches, flights and robots' second moves."""
    flights = {
        key: words for key, _, _ in _orderable_groups(sight) if (words := _order_text(key, post))
    }
    second_moves = {
        key: words
        for key, row, _ in _orderable_groups(sight)
        if is_robot(row) and (words := second_move_text(key, post))
    }
    entries = {FIGHTERS: flights, SECONDARY: second_moves}
    launched = launch_payload(sight, post).get(LAUNCH, {}) | _loads_payload(sight, post)
    launch_entry = {LAUNCH: launched} if launched else {}
    return launch_entry | {key: orders for key, orders in entries.items() if orders}


def _load_row(sight: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]) -> OrderRow:
    """Return the row for what a group in flight launches before movement.

    A spread has several target points; other loads target a ship. Faults appear in the group's
    other row.
    """
    orders_given = list(orders)
    picks: list[Select] = []
    inputs: list[Input] = []
    for load in launchable_loads(group):
        own_orders = [order for order in orders_given if order.get("weapon") == load.name]
        key = f"{group.id}-{load.name}"
        rounds_left = group.rounds(load)
        label = phrase("{} ({} left)", system_words(load.name).capitalize(), rounds_left)
        if load.at_target:
            targets = (NOBODY, *sight.other_ships(), *hostile_boats(sight))
            picks.append(
                SHIP_TARGET.draw(
                    key,
                    label=phrase("{}: fire at", label),
                    options=targets,
                    chosen=str(own_orders[0].get("target", "")) if own_orders else "",
                )
            )
        if load.dropped or load.at_target:
            if own_orders:
                count = str(own_orders[0].get("count") or (rounds_left if load.dropped else ""))
            else:
                count = ""
            if load.dropped:
                words = phrase("{}: number to drop", label)
            else:
                words = phrase("{}: number", label)
            inputs.append(ROUNDS.draw(key, label=words, value=count, hint="1"))
        else:
            points = "; ".join(
                f"{point_text(order)} {order.get('count') or ''}".strip() for order in own_orders
            )
            words = phrase("{}: launch at x, y; number", label)
            inputs.append(AIM.draw(key, label=words, value=points, hint=f"{POINT_HINT} 3; 26 32 3"))
    name = phrase("{}: launch", group_name(sight, group.id, group.row))
    state = phrase("before any movement, if a hostile ship is within 12 MU")
    return OrderRow(
        f"{group.id}/load",
        anchor(f"{group.id}-load"),
        name,
        state,
        tuple(picks),
        (),
        tuple(inputs),
        None,
        (),
    )


def _loads_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the groups' launches in the form."""
    orders_by_group: dict[str, Any] = {}
    for group in sight.groups:
        orders: list[dict[str, Any]] = []
        for load in launchable_loads(group):
            key = f"{group.id}-{load.name}"
            rounds = ROUNDS.text(post, key)
            aimed = (SHIP_TARGET if load.at_target else AIM).text(post, key)
            count_entry = {"count": number(rounds)} if rounds else {}
            if load.dropped:
                orders += [{"weapon": load.name} | count_entry] if rounds else []
            elif load.at_target:
                orders += [{"weapon": load.name, "target": aimed} | count_entry] if aimed else []
            else:
                orders += [
                    {"weapon": load.name} | _aim_entry(point)
                    for point in aimed.split(";")
                    if point.strip()
                ]
        if orders:
            orders_by_group[group.id] = orders
    return orders_by_group


def _aim_entry(words: str) -> dict[str, Any]:
    """Parse target point and missile count from `24 30 3`; invalid numbers stay text."""
    parts = words.replace(",", " ").split()
    count = parts.pop() if len(parts) == 3 else ""
    count_entry: dict[str, Any]
    if count:
        count_entry = {"count": number(count)}
    else:
        count_entry = {}
    return {"at": parse_point(" ".join(parts))} | count_entry


def texts_by_key(payload: Mapping[str, Any], entry: str) -> Mapping[str, Any]:
    entry_value = payload.get(entry)
    if isinstance(entry_value, Mapping):
        return entry_value
    return {}


def read_flight(words: object) -> tuple[Flight, str]:
    """Return a group's orders from their text, and the text itself if it cannot be parsed."""
    flight, wrong = parse_flight(words if isinstance(words, str) else "", "")
    return flight or STAY, str(words) if flight is None or wrong else ""


def _orderable_groups(sight: FormSight) -> list[tuple[str, CraftType, str]]:
    """Return name, type and state of the groups that can get flight orders, under Continuum."""
    movable_groups = (group for group in sight.groups if group.row.endurance)
    result: list[tuple[str, CraftType, str]] = []
    for group in movable_groups:
        result.append((group.id, group.row, state_words(group)))
    flying = {group.id for group in sight.state.pieces_of(Group)}
    for ship in sight.ships:
        for name, index in groups_from(ship):
            bay = ship.sheet.fits[index].id
            row = row_in(ship, index)
            if (
                row.endurance
                and name not in flying
                and not launch_fault(sight.state, ship, Plot(launch=(bay,)))
            ):
                words = phrase(
                    "{} craft aboard: if its ship launches it, it flies half as far",
                    ship.stock[index],
                )
                result.append((name, row, words))
    return result


def state_words(group: Group) -> str:
    endurance_left = group.endurance - group.used_endurance
    where = phrase(
        "{} craft at {:.0f}, {:.0f}, facing {}", group.craft, group.x, group.y, group.course
    )
    words = phrase(
        "{}, endurance {} of {}, up to {:g} MU",
        where,
        endurance_left,
        group.endurance,
        group.row.speed,
    )
    if group.pilots in (ACE, TURKEY):
        return join_phrases(", ", (words, Pilots.label_of(group.pilots)))
    return words


def _flight_row(
    sight: FormSight,
    key: str,
    row: CraftType,
    state: str,
    words: object,
    second_words: object,
    faults: tuple[str, ...],
) -> OrderRow:
    flight, raw = read_flight(words)
    own_ships = []
    for ship in sight.ships:
        if ship.status == FIGHTING:
            own_ships.append((ship.id, sight.names.get(ship.id, ship.id)))
    groups = []
    for group in sight.groups:
        if group.id != key:
            groups.append((group.id, sight.names.get(group.id, group.id)))
    decks = []
    for option in own_ships:
        if sight.state.ship_by_name(option[0]).profile.bays:
            decks.append(option)
    attacked_ship = next((group.last_target for group in sight.groups if group.id == key), "")
    pursuit_targets = (
        [(attacked_ship, sight.names.get(attacked_ship, attacked_ship))] if attacked_ship else []
    )
    picks = [
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        SCREEN.draw(
            key,
            label=phrase("Ship or group it screens"),
            options=(NOBODY, *own_ships, *groups),
            chosen=flight.screen,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *decks), chosen=flight.land),
    ]
    if pursuit_targets:
        picks.append(
            PURSUE.draw(
                key,
                label=phrase("Stay with the ship it attacked"),
                options=(NOBODY, *pursuit_targets),
                chosen=flight.pursue,
            )
        )
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
    if is_robot(row):
        second, _ = read_flight(second_words)
        inputs.append(
            SECOND_MOVE.draw(
                key,
                label=phrase("Second move, to x, y"),
                value=destination_text(second),
                hint=POINT_HINT,
            )
        )
    return OrderRow(
        key=key,
        id=anchor(key),
        name=group_name(sight, key, row),
        state=state,
        picks=tuple(picks),
        ticks=(
            COMBAT_LANDING.draw(
                key,
                label=phrase("combat landing: at once, then it cannot fly again"),
                on=flight.at_once,
            ),
        ),
        inputs=tuple(inputs),
        raw=ORDER_TEXT.draw(
            key, label=phrase("Write the order as text instead"), value=raw, hint=ORDER_HINT
        ),
        faults=faults,
    )


def group_name(sight: FormSight, key: str, row: CraftType) -> str:
    kind = join_phrases(" ", map(kind_words, (*row.id.split("+")[1:], row.type)))
    ship, _, bay = key.partition("/")  # for a group that is still aboard
    ship_and_bay = sight.names.get(key) or phrase(
        "{}, {}", sight.names.get(ship, ship), system_words(bay).lower()
    )
    return phrase("{}, {}", ship_and_bay, kind)


def destination_text(flight: Flight) -> str:
    if flight.to is None:
        return ""
    return f"{flight.to[0]:g} {flight.to[1]:g}"


def _order_text(key: str, post: QueryDict) -> str:
    """Return a group's order as text from the form."""
    if raw := ORDER_TEXT.text(post, key):
        return raw
    word_fields = (("to", FLY_TO), ("screen", SCREEN), ("pursue", PURSUE))
    parts = [f"{word} {value}" for word, field in word_fields if (value := field.text(post, key))]
    if ship := LAND.text(post, key):
        parts.append(f"land {ship} at once" if COMBAT_LANDING.text(post, key) else f"land {ship}")
    if (face := FACE.text(post, key)) not in ("", "0"):
        parts.append(f"face {face}")
    if evades := EVADE_FROM.text(post, key):
        parts.append(f"evade {evades}")
    return "; ".join(parts)


def second_move_text(key: str, post: QueryDict) -> str:
    to = SECOND_MOVE.text(post, key)
    face = SECOND_FACE.text(post, key)
    parts = [*([f"to {to}"] if to else []), *([f"face {face}"] if face not in ("", "0") else [])]
    return "; ".join(parts)


def flight_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each fighter group in flight."""
    flight_texts = texts_by_key(payload, FIGHTERS)
    rows = []
    for group in sight.groups:
        key = group.id
        flight, raw = read_flight(flight_texts.get(key, ""))
        rows.append(
            OrderRow(
                key=key,
                id=anchor(key),
                name=sight.names.get(key, key),
                state=phrase(
                    "{} craft at {:.0f}, {:.0f}, facing {}",
                    group.craft,
                    group.x,
                    group.y,
                    group.course,
                ),
                picks=_picks(sight, key, flight),
                ticks=(
                    EVADE.draw(key, label=phrase("evade instead of dogfighting"), on=flight.evade),
                ),
                inputs=(
                    FLY_TO.draw(
                        key,
                        label=phrase("Fly to x, y"),
                        value=destination_text(flight),
                        hint=POINT_HINT,
                    ),
                ),
                raw=ORDER_TEXT.draw(
                    key, label=phrase("Write the order as text instead"), value=raw, hint=ORDER_HINT
                ),
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
    word_fields = (("to", FLY_TO), ("dogfight", DOGFIGHT), ("land", LAND), ("face", FACE))
    pairs = [(word, field.text(post, key)) for word, field in word_fields]
    parts = [f"{word} {value}" for word, value in pairs if value not in ("", "0")]
    parts += ["evade"] if EVADE.text(post, key) else []
    return "; ".join(parts)


def _picks(sight: FormSight, key: str, flight: Flight) -> tuple[Select, ...]:
    decks = []
    for ship in sight.state.ships:
        if ship.commander == sight.side and ship.status == FIGHTING and ship.profile.bays:
            decks.append((ship.id, sight.names.get(ship.id, ship.id)))
    return (
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        DOGFIGHT.draw(
            key,
            label=phrase("Dogfight with"),
            options=(NOBODY, *sight.other_groups()),
            chosen=flight.dogfight,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *decks), chosen=flight.land),
    )
