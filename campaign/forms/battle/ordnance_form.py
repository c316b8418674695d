"""The forms of ordnance launches beside the plots, and of point defence. Pure.

A launcher without a target point does not fire. A ship without point defence orders spreads its
point defence over its attackers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.boat_guard_form import DEFENCE_TARGET, boat_payload, boat_rows
from campaign.forms.battle.fight_form import (
    SHIP_TARGET,
    FormSight,
    OrderRow,
    anchor,
    parse_point,
    point_text,
    shapeable_launchers,
)
from campaign.forms.battle.plot_form import plot_rows
from campaign.forms.field import ChoiceField, Option, Select, TextField, TickField
from engine.continuum.craft.level_runs import free_screens
from engine.continuum.craft.scramble import bays_able_to_scramble
from engine.continuum.defence_level import attacked_ship_ids, is_by_level
from engine.continuum.defence_plans import (
    attackers_of_ship,
    defence_fault,
    guard_of,
    in_flight,
    open_targets,
    ordnance_to_meet,
)
from engine.continuum.fire_control import working_count_of
from engine.continuum.launching import STAGE_ORDER, STAGES
from engine.core.kinds import FIGHTING
from engine.core.orders import SCRAMBLE, SCREENS
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.terms import FLAK, SHAPED_BOLTS
from engine.english import counted_noun, system_words
from engine.order_requests.defend import DEFEND, FIRE
from engine.order_requests.launch import LAUNCH
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.ship_profiles import stock_in
from engine.weapons.guard import AREA, SPLIT, Guard
from engine.weapons.ordnance import OPEN

LOAD = ChoiceField("load")
FUSE = TickField("fuse")
AIM = TextField("aim")
SCRAMBLED = ChoiceField("scramble")
BY_SCREENS = TickField("screens")
HOLDS = TickField("holds")
DEFENCE_MODE = ChoiceField("way")
SECOND_DIE = ChoiceField("second")

POINT_HINT = "24 30"
SPREADS = phrase("without a choice, its point defence is spread over its attackers")
OWN_LEVEL = phrase("without a choice, its PDS and ADS protect the ship itself")
FIRST: Option = ("", phrase("first one available"))
DEFENCE_MODES: tuple[Option, ...] = (("", "normal"), (AREA, phrase("as area defence")))

Faults = Mapping[str, tuple[str, ...]]
# A weapon used for point defence, None if it fires at boats with its own dice; and the ids of its
# possible targets.
Gun = tuple[Fit, Guard | None, tuple[str, ...]]


def launch_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return the rows of the plots with launches, and of ordnance that has a further stage."""
    return rows_with_launches(sight, plot_rows(sight, payload, faults), payload, faults)


def rows_with_launches(
    sight: FormSight, rows: Iterable[OrderRow], payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Add launches to these rows, and a row for all ordnance that has a further stage."""
    launch_orders = orders_in(payload.get(LAUNCH))
    ships: dict[str, ShipState] = {ship.id: ship for ship in sight.ships}
    ship_rows = []
    for row in rows:
        ship_rows.append(_with_launches(row, ships[row.key], launch_orders.get(row.key, ()), sight))
    return (
        *ship_rows,
        *(
            _stage_row(sight, marker, launch_orders.get(marker.id, ()), faults)
            for marker in staged_markers(sight)
        ),
    )


def launch_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the launches by ship and further stages by marker in the form; empty without any."""
    orders_by_key: dict[str, Any] = {}
    for ship in sight.ships:
        launches: list[dict[str, Any]] = []
        for fit, grades in launchers(ship):
            if target := SHIP_TARGET.text(post, ship.id, fit.id):
                launches.append({"weapon": fit.id, "target": target})
                continue
            if len(grades) > 1:
                load = LOAD.text(post, ship.id, fit.id)
            else:
                load = ""
            fuse = {"fuse": OPEN} if FUSE.text(post, ship.id, fit.id) else {}
            if at := AIM.text(post, ship.id, fit.id):
                launches.append(
                    {"weapon": fit.id, "at": parse_point(at)}
                    | ({"load": load} if load else {})
                    | fuse
                )
        if launches:
            orders_by_key[ship.id] = launches
    for marker in staged_markers(sight):
        if at := AIM.text(post, marker.id):
            orders_by_key[marker.id] = [{"weapon": STAGE_ORDER, "at": parse_point(at)}]
    if orders_by_key:
        return {LAUNCH: orders_by_key}
    return {}


def _with_launches(
    row: OrderRow, ship: ShipState, orders: Iterable[Mapping[str, Any]], sight: FormSight
) -> OrderRow:
    order_by_weapon = {str(order.get("weapon")): order for order in orders}
    picks = list(row.picks)
    ticks = list(row.ticks)
    inputs = list(row.inputs)
    for fit, grades in launchers(ship):
        order = order_by_weapon.get(fit.id, {})
        label = system_words(fit.id)
        if loads_text := join_phrases(
            ", ", (phrase("{} {}", number, grade) for grade, number in grades.items())
        ):
            label += phrase(" ({})", loads_text)
        if _names_a_ship(ship, fit):
            targets = (("", "none"), *sight.other_ships(), *hostile_boats(sight))
            picks.append(
                SHIP_TARGET.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: fire at", label),
                    options=targets,
                    chosen=str(order.get("target", "")),
                )
            )
            continue
        if SHAPED_BOLTS in sight.state.terms.options and fit.id in shapeable_launchers(ship):
            targets = (("", "none"), *sight.other_ships())
            aimed = str(order.get("target", ""))
            picks.append(
                SHIP_TARGET.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: fire a shaped bolt at", label),
                    options=targets,
                    chosen=aimed,
                )
            )
        point = point_text(order)
        if FLAK in fit.flags:
            words = phrase("burst flak")
        else:
            words = "launch"
        inputs.append(
            AIM.draw(
                ship.id,
                fit.id,
                label=phrase("{}: {} at x, y", label, words),
                value=point,
                hint=POINT_HINT,
            )
        )
        if _is_fusable(ship, fit):
            set_open = order.get("fuse") == OPEN
            ticks.append(
                FUSE.draw(
                    ship.id, fit.id, label=phrase("{}: explodes at that point", label), on=set_open
                )
            )
        if len(grades) > 1:
            options = (FIRST, *((grade, grade) for grade in grades))
            picks.append(
                LOAD.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: load", label),
                    options=options,
                    chosen=str(order.get("load", "")),
                )
            )
    full_row = replace(row, picks=tuple(picks), ticks=tuple(ticks), inputs=tuple(inputs))
    return replace(full_row, extra_names=full_row.names - row.names)


def launchers(ship: ShipState) -> list[tuple[Fit, dict[str, int]]]:
    """Return a ship's launchers with their remaining rounds by grade, and its guns with flak."""
    if ship.status != FIGHTING or ship.dummy:
        return []
    result: list[tuple[Fit, dict[str, int]]] = []
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        if FLAK in fit.flags and ship.alive[place]:
            result.append((fit, {}))
        if weapon.ordnance is None or not ship.alive[place]:
            continue
        if weapon.ordnance.endless:
            result.append((fit, {}))
        elif weapon.once:
            result += [(fit, {})] if ship.stock[place] else []
        elif fit.magazine:
            rounds_by_name = stock_in(ship, ship.profile.index_of[fit.magazine])
            grades = {}
            for name, number in rounds_by_name.items():
                if number:
                    grades[name.partition("/")[2]] = number
            result += [(fit, grades)] if grades else []
    return result


def _names_a_ship(ship: ShipState, fit: Fit) -> bool:
    """Return whether a launcher targets a ship instead of a point."""
    row = ship.profile.weapons[ship.profile.index_of[fit.id]].ordnance
    return row is not None and bool(row.needs)


def hostile_boats(sight: FormSight) -> list[Option]:
    """Return foreign gunboats, which rockets can target."""
    boats: list[Option] = []
    for option in sight.other_groups():
        if sight.state.piece(Group, option[0]).row.berth:
            boats.append(option)
    return boats


def _is_fusable(ship: ShipState, fit: Fit) -> bool:
    """Return whether a launcher's missiles can be fused to explode at their target point."""
    row = ship.profile.weapons[ship.profile.index_of[fit.id]].ordnance
    return row is not None and row.bursts is not None and not row.by_itself


def staged_markers(sight: FormSight) -> list[Marker]:
    """Return the faction's ordnance on the table that has a further stage."""
    markers: list[Marker] = []
    for marker in sight.state.pieces_of(Marker):
        if (
            marker.id in sight.commanded
            and marker.side == sight.side
            and marker.stage < STAGES.get(marker.grade, 1)
        ):
            markers.append(marker)
    return markers


def _stage_row(
    sight: FormSight, marker: Marker, orders: Iterable[Mapping[str, Any]], faults: Faults
) -> OrderRow:
    key = marker.id
    order = next(iter(orders), {})
    state = phrase(
        "at {:.0f}, {:.0f}, facing {}; without a point it flies straight on",
        marker.x,
        marker.y,
        marker.course,
    )
    name = phrase("{} of {}", system_words(key), sight.names.get(marker.ship, marker.ship))
    aim = AIM.draw(
        key, label=phrase("Further stage: fly to x, y"), value=point_text(order), hint=POINT_HINT
    )
    return OrderRow(
        key, anchor(key), capitalize_first(name), state, (), (), (aim,), None, faults.get(key, ())
    )


def defence_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each ship with point defence and for each squadron that can guard others."""
    entry = payload.get(DEFEND)
    entry_by_ship = entry if isinstance(entry, Mapping) else {}
    fire = {}
    for name, ship_entry in entry_by_ship.items():
        if isinstance(ship_entry, Mapping):
            fire[name] = ship_entry.get(FIRE)
        else:
            fire[name] = ship_entry
    orders = orders_in(fire)
    rows = []
    for ship, guns in _ships_with_defence(sight):
        holds_fire = fire.get(ship.id) == []
        row = _defence_row(
            sight, ship, guns, orders.get(ship.id, ()), faults.get(ship.id, ()), holds=holds_fire
        )
        rows.append(
            replace(
                row, picks=(*row.picks, *_scramble_picks(sight, ship, entry_by_ship.get(ship.id)))
            )
        )
    return (*rows, *boat_rows(sight, orders, _targets_to_meet(sight), faults))


def _scramble_picks(sight: FormSight, ship: ShipState, ship_entry: object) -> list[Select]:
    """Return fields for the groups that an attacked ship scrambles, at most two."""
    bays = bays_able_to_scramble(sight.state, ship)
    scramble_entry = ship_entry.get(SCRAMBLE) if isinstance(ship_entry, Mapping) else None
    chosen_bays = [*map(str, scramble_entry if isinstance(scramble_entry, list) else ()), "", ""]
    options: tuple[Option, ...] = (("", "nobody"), *((bay, system_words(bay)) for bay in bays))
    words = (phrase("Scramble at once, before any fire"), phrase("Also scramble"))
    picks: list[Select] = []
    for place in range(min(len(bays), 2)):
        picks.append(
            SCRAMBLED.draw(
                place, ship.id, label=words[place], options=options, chosen=chosen_bays[place]
            )
        )
    return picks


def defence_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the point defence orders in the form by ship; ships without any are left out."""
    orders_by_ship: dict[str, Any] = {}
    level = is_by_level(sight.state)
    for ship, guns in _ships_with_defence(sight):
        orders: list[dict[str, Any]] = []
        for fit, guard, _ in guns:
            name = f"{ship.id}-{fit.id}"
            if level:
                guarded = DEFENCE_TARGET.text(post, name)
                if guarded and not (guarded == ship.id and BY_SCREENS.text(post, ship.id)):
                    orders.append(
                        {"weapon": fit.id} | ({"target": guarded} if guarded != ship.id else {})
                    )
                continue
            first = DEFENCE_TARGET.text(post, name)
            mode = DEFENCE_MODE.text(post, name) if _may_fire_as_area(ship, guard) else ""
            area = guard is not None and guard.area
            second = SECOND_DIE.text(post, name) if area or _may_fire_as_area(ship, guard) else ""
            if first and second:
                orders.append(
                    {"weapon": fit.id, "target": [first, second], "mode": SPLIT if area else AREA}
                )
            elif first or second:
                orders.append(
                    {"weapon": fit.id, "target": first or second} | ({"mode": mode} if mode else {})
                )
        if level and BY_SCREENS.text(post, ship.id):
            orders.append({"weapon": SCREENS})
        bays = [bay for place in range(2) if (bay := SCRAMBLED.text(post, place, ship.id))]
        fires = bool(orders or HOLDS.text(post, ship.id))
        if bays:
            orders_by_ship[ship.id] = {SCRAMBLE: bays} | ({FIRE: orders} if fires else {})
        elif fires:
            orders_by_ship[ship.id] = orders
    return orders_by_ship | boat_payload(sight, post)


def _targets_to_meet(sight: FormSight) -> list[Option]:
    """Return everything hostile that point defence can fire at, with descriptions."""
    craft = []
    for option in sight.other_groups():
        if sight.state.hostile[sight.side] >> _side_of(sight, option[0]) & 1:
            craft.append(option)
    return [
        *craft,
        *((marker.id, marker_words(sight, marker)) for marker in _attacking_markers(sight)),
    ]


def _defence_row(
    sight: FormSight,
    ship: ShipState,
    guns: list[Gun],
    orders: Iterable[Mapping[str, Any]],
    faults: tuple[str, ...],
    *,
    holds: bool,
) -> OrderRow:
    order_by_weapon = {str(item.get("weapon")): item for item in orders}
    if is_by_level(sight.state):
        return _level_row(sight, ship, guns, order_by_weapon, faults, holds=holds)
    foes = _targets_to_meet(sight)
    key, picks = ship.id, []
    for fit, guard, at in guns:
        targets: tuple[Option, ...] = (("", "none"), *(item for item in foes if item[0] in at))
        item = order_by_weapon.get(fit.id, {})
        label = system_words(fit.id)
        name = f"{ship.id}-{fit.id}"
        target = item.get("target", "")
        first, second = (*map(str, target if isinstance(target, list) else [target]), "", "")[:2]
        picks.append(DEFENCE_TARGET.draw(name, label=label, options=targets, chosen=first))
        if (guard is not None and guard.area) or _may_fire_as_area(ship, guard):
            picks.append(
                SECOND_DIE.draw(
                    name,
                    label=phrase("{}: its second die at", label),
                    options=targets,
                    chosen=second,
                )
            )
        if _may_fire_as_area(ship, guard):
            picks.append(
                DEFENCE_MODE.draw(
                    name,
                    label=phrase("{}: mode", label),
                    options=DEFENCE_MODES,
                    chosen=str(item.get("mode", "")),
                )
            )
    at_it = [
        sight.names.get(item.id, item.id) if isinstance(item, Group) else system_words(item.id)
        for item in attackers_of_ship(sight.state, ship)
    ]
    state = phrase("attacked by {}; {}", join_phrases(", ", at_it) or "nothing", SPREADS)
    ticks = (HOLDS.draw(key, label=phrase("fire no point defence at all"), on=holds),)
    return OrderRow(
        key, anchor(key), sight.names.get(key, key), state, tuple(picks), ticks, (), None, faults
    )


def _level_row(
    sight: FormSight,
    ship: ShipState,
    guns: list[Gun],
    order_by_weapon: Mapping[str, Mapping[str, Any]],
    faults: tuple[str, ...],
    *,
    holds: bool,
) -> OrderRow:
    """Return the row of a ship if point defence works by level: which ship each weapon protects."""
    key = ship.id
    friends = []
    for name in attacked_ship_ids(sight.state):
        if not sight.state.hostile[sight.side] >> sight.state.ship(name).commander & 1:
            friends.append(name)
    guarded: tuple[Option, ...] = (
        ("", "nobody"),
        *((name, sight.names.get(name, name)) for name in friends),
    )
    picks = []
    for fit, _, _ in guns:
        item = order_by_weapon.get(fit.id)
        if item is None:
            chosen = ""
        else:
            chosen = str(item.get("target", key))
        picks.append(
            DEFENCE_TARGET.draw(
                key,
                fit.id,
                label=phrase("{}: protects", system_words(fit.id)),
                options=guarded,
                chosen=chosen,
            )
        )
    markers = sum(marker.target == key for marker in _attacking_markers(sight))
    groups = sum(isinstance(item, Group) for item in attackers_of_ship(sight.state, ship))
    counts = ((markers, "marker"), (groups, "group"))
    at_it = join_phrases(" and ", (counted_noun(number, noun) for number, noun in counts if number))
    state = phrase("attacked by {}; {}", at_it or "nothing", OWN_LEVEL)
    ticks = [HOLDS.draw(key, label=phrase("fire no point defence at all"), on=holds)]
    if free_screens(sight.state, ship):
        words = phrase("craft screening it defend it instead of its weapons")
        ticks.append(BY_SCREENS.draw(key, label=words, on=SCREENS in order_by_weapon))
    return OrderRow(
        key,
        anchor(key),
        sight.names.get(key, key),
        state,
        tuple(picks),
        tuple(ticks),
        (),
        None,
        faults,
    )


def _ships_with_defence(sight: FormSight) -> list[tuple[ShipState, list[Gun]]]:
    """Return the ships that can fire point defence now, with their weapons, or scramble groups."""
    ready = ((ship, [] if defence_fault(ship) else _guns(sight, ship)) for ship in sight.ships)
    result: list[tuple[ShipState, list[Gun]]] = []
    for ship, guns in ready:
        if guns or bays_able_to_scramble(sight.state, ship) or _has_free_screens(sight, ship):
            result.append((ship, guns))
    return result


def _has_free_screens(sight: FormSight, ship: ShipState) -> bool:
    """Return whether craft beside a ship can add to its level."""
    return is_by_level(sight.state) and bool(free_screens(sight.state, ship))


def _guns(sight: FormSight, ship: ShipState) -> list[Gun]:
    """Return a ship's weapons that can fire point defence at a target now; by level, at all."""
    guns: list[Gun] = []
    at = None if is_by_level(sight.state) else open_targets(sight.state, ship)
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        guard = guard_of(ship, place)
        ready = ship.alive[place] and not (weapon.once and not ship.stock[place])
        if ready and (guard is not None if at is None else fit.id in at):
            guns.append((fit, guard, () if at is None else at[fit.id]))
    return guns


def _may_fire_as_area(ship: ShipState, guard: Guard | None) -> bool:
    """Return whether a weapon can fire as area defence."""
    return guard is not None and guard.as_area and working_count_of(ship, "advanced-firecon") > 0


def _attacking_markers(sight: FormSight) -> list[Marker]:
    """Return hostile ordnance that attacks ships now, or explodes among them."""
    markers: list[Marker] = []
    for marker in ordnance_to_meet(sight.state):
        if sight.state.hostile[sight.side] >> marker.side & 1:
            markers.append(marker)
    return markers


def _side_of(sight: FormSight, name: str) -> int:
    return sight.state.piece(Group, name).side


def marker_words(sight: FormSight, marker: Marker) -> str:
    """Return a marker's description in the form: what it is and what it attacks."""
    name = system_words(marker.id)
    kind_text = phrase(marker.row(sight.state).word)
    if target := marker.target or marker.target_boats:
        return phrase("{}, {} at {}", name, kind_text, sight.names.get(target, target))
    if marker in in_flight(sight.state):
        return phrase("{}, {}, flies on", name, kind_text)
    return phrase("{}, {}, about to explode", name, kind_text)


def orders_in(entry: object) -> dict[str, list[Mapping[str, Any]]]:
    """Return a payload's orders by ship, skipping anything that does not have their shape."""
    entry_items = entry.items() if isinstance(entry, Mapping) else ()
    result: dict[str, list[Mapping[str, Any]]] = {}
    for name, order_list in entry_items:
        if isinstance(order_list, list):
            result[str(name)] = [order for order in order_list if isinstance(order, Mapping)]
    return result
