"""The forms of ordnance launches beside the plots, and of point defence. Pure.

A launcher without a target point does not fire. A ship without point defence orders spreads its
point defence over its attackers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.http import QueryDict

from campaign.forms.battle.boat_guard_form import DEFENCE_TARGET, boat_payload, boat_rows
from campaign.forms.battle.fight_form import (
    SHIP_TARGET,
    FormSight,
    OrderRow,
    parse_point,
    point_text,
    shapeable_launchers,
)
from campaign.forms.battle.plot_form import plot_rows
from campaign.forms.field import (
    Checkbox,
    ChoiceField,
    Fields,
    Option,
    Select,
    TextField,
    TickField,
    as_mapping,
    item_at,
    one_or_more,
)
from campaign.rules.codec import as_list
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
from engine.weapons.weapon import Weapon

# The fields of launches and point defence
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

Faults = Mapping[str, tuple[str, ...]]  # messages by ship or group


class DefenceWeapon(NamedTuple):
    """A ship's weapon that can fire point defence now."""

    fit: Fit
    guard: Guard | None  # None if it fires at boats with its own dice
    target_ids: tuple[str, ...]  # what it can fire at; empty if point defence works by level


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
    result = []
    for row in rows:
        result.append(_with_launches(row, ships[row.key], launch_orders.get(row.key, ()), sight))
    for marker in staged_markers(sight):
        result.append(_stage_row(sight, marker, launch_orders.get(marker.id, ()), faults))
    return tuple(result)


def launch_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the launches by ship and further stages by marker in the form; empty without any."""
    orders_by_key: dict[str, Any] = {}
    for ship in sight.ships:
        launches = []
        for fit, grades in launchers(ship):
            launch = _submitted_launch(ship, fit, grades, post)
            if launch is not None:
                launches.append(launch)
        if launches:
            orders_by_key[ship.id] = launches
    for marker in staged_markers(sight):
        if point := AIM.text(post, marker.id):
            orders_by_key[marker.id] = [{"weapon": STAGE_ORDER, "at": parse_point(point)}]
    if orders_by_key:
        return {LAUNCH: orders_by_key}
    return {}


def _submitted_launch(
    ship: ShipState, fit: Fit, grades: Mapping[str, int], post: QueryDict
) -> dict[str, Any] | None:
    """Return a launcher's order in the form, or None if it has no target."""
    if target := SHIP_TARGET.text(post, ship.id, fit.id):
        return {"weapon": fit.id, "target": target}
    point = AIM.text(post, ship.id, fit.id)
    if not point:
        return None
    order: dict[str, Any] = {"weapon": fit.id, "at": parse_point(point)}
    if len(grades) > 1 and (load := LOAD.text(post, ship.id, fit.id)):
        order["load"] = load
    if FUSE.text(post, ship.id, fit.id):
        order["fuse"] = OPEN
    return order


def _with_launches(
    row: OrderRow, ship: ShipState, orders: Iterable[Mapping[str, Any]], sight: FormSight
) -> OrderRow:
    """Return a ship's row with the fields of its launchers added, filled from its orders."""
    order_by_weapon = {str(order.get("weapon")): order for order in orders}
    fields = Fields(row.picks, row.ticks, row.inputs)
    for fit, grades in launchers(ship):
        fields += _launcher_fields(
            sight, ship, fit=fit, grades=grades, order=order_by_weapon.get(fit.id, {})
        )
    full_row = replace(row, picks=fields.picks, ticks=fields.ticks, inputs=fields.inputs)
    return replace(full_row, extra_names=full_row.names - row.names)


def _launcher_fields(
    sight: FormSight,
    ship: ShipState,
    fit: Fit,
    grades: Mapping[str, int],
    order: Mapping[str, Any],
) -> Fields:
    """Return the fields of one launcher: its target ship or point, its fuse and its load.

    Args:
        grades: The remaining rounds by grade, if the launcher has a magazine.
    """
    label = _launcher_label(fit, grades)
    if _names_a_ship(ship, fit):
        options = (("", "none"), *sight.other_ships(), *hostile_boats(sight))
        return Fields(
            picks=(
                _launch_target(
                    ship, fit, order=order, label=phrase("{}: fire at", label), options=options
                ),
            )
        )
    picks = []
    ticks = []
    if SHAPED_BOLTS in sight.state.terms.options and fit.id in shapeable_launchers(ship):
        bolt_label = phrase("{}: fire a shaped bolt at", label)
        options = (("", "none"), *sight.other_ships())
        picks.append(_launch_target(ship, fit, order=order, label=bolt_label, options=options))
    action = phrase("burst flak") if FLAK in fit.flags else "launch"
    aim = AIM.draw(
        ship.id,
        fit.id,
        label=phrase("{}: {} at x, y", label, action),
        value=point_text(order),
        hint=POINT_HINT,
    )
    if _is_fusable(ship, fit):
        fuse_label = phrase("{}: explodes at that point", label)
        ticks.append(FUSE.draw(ship.id, fit.id, label=fuse_label, on=order.get("fuse") == OPEN))
    if len(grades) > 1:
        picks.append(
            LOAD.draw(
                ship.id,
                fit.id,
                label=phrase("{}: load", label),
                options=(FIRST, *((grade, grade) for grade in grades)),
                chosen=str(order.get("load", "")),
            )
        )
    return Fields(tuple(picks), tuple(ticks), (aim,))


def _launcher_label(fit: Fit, grades: Mapping[str, int]) -> str:
    """Return a launcher's name, with its remaining rounds by grade if it has a magazine."""
    label = system_words(fit.id)
    loads = [phrase("{} {}", number, grade) for grade, number in grades.items()]
    if loads_text := join_phrases(", ", loads):
        label += phrase(" ({})", loads_text)
    return label


def _launch_target(
    ship: ShipState, fit: Fit, order: Mapping[str, Any], label: str, options: Iterable[Option]
) -> Select:
    """Return the field for the ship that a launcher fires at."""
    return SHIP_TARGET.draw(
        ship.id, fit.id, label=label, options=options, chosen=str(order.get("target", ""))
    )


def launchers(ship: ShipState) -> list[tuple[Fit, dict[str, int]]]:
    """Return a ship's launchers with their remaining rounds by grade, and its guns with flak."""
    if ship.status != FIGHTING or ship.dummy:
        return []
    result: list[tuple[Fit, dict[str, int]]] = []
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        if not ship.alive[place]:
            continue
        if FLAK in fit.flags:
            result.append((fit, {}))
        rounds_by_grade = _rounds_ready(ship, place, fit, weapon)
        if rounds_by_grade is not None:
            result.append((fit, rounds_by_grade))
    return result


def _rounds_ready(ship: ShipState, place: int, fit: Fit, weapon: Weapon) -> dict[str, int] | None:
    """Return what a launcher can fire by grade, or None if it can fire nothing.

    It is empty for launchers without a magazine.
    """
    if weapon.ordnance is None:
        return None
    if weapon.ordnance.endless:
        return {}
    if weapon.once:
        return {} if ship.stock[place] else None
    if not fit.magazine:
        return None
    return _rounds_in_magazine(ship, fit.magazine) or None


def _rounds_in_magazine(ship: ShipState, magazine: str) -> dict[str, int]:
    """Return the number of rounds left in a magazine by grade, without grades used up."""
    rounds_by_grade = {}
    for name, number in stock_in(ship, ship.profile.index_of[magazine]).items():
        if number:
            rounds_by_grade[name.partition("/")[2]] = number
    return rounds_by_grade


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
    return row is not None and row.bursts is not None and not row.explodes_where_aimed


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
    """Return the row of ordnance in flight, with the field for where its next stage flies."""
    key = marker.id
    order = next(iter(orders), {})
    state = phrase(
        "at {:.0f}, {:.0f}, facing {}; without a point it flies straight on",
        marker.x,
        marker.y,
        marker.course,
    )
    name = phrase("{} of {}", system_words(key), sight.display_name(marker.ship))
    aim = AIM.draw(
        key, label=phrase("Further stage: fly to x, y"), value=point_text(order), hint=POINT_HINT
    )
    return OrderRow(
        key=key,
        name=capitalize_first(name),
        state=state,
        inputs=(aim,),
        faults=faults.get(key, ()),
    )


def defence_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each ship with point defence and for each squadron that can guard others."""
    entry_by_key = as_mapping(payload.get(DEFEND))
    # The entry of a ship that scrambles groups is a mapping, of other ships the list of its fire.
    fire_by_key = {}
    for key, entry in entry_by_key.items():
        fire_by_key[key] = entry.get(FIRE) if isinstance(entry, Mapping) else entry
    orders = orders_in(fire_by_key)
    rows = []
    for ship, weapons in _ships_with_defence(sight):
        row = _defence_row(
            sight, ship, weapons, orders.get(ship.id, ()), holds_fire=fire_by_key.get(ship.id) == []
        )
        scramble_picks = _scramble_picks(sight, ship, entry_by_key.get(ship.id))
        rows.append(
            replace(row, picks=(*row.picks, *scramble_picks), faults=faults.get(ship.id, ()))
        )
    return (*rows, *boat_rows(sight, orders, _targets_to_meet(sight), faults))


def _scramble_picks(sight: FormSight, ship: ShipState, ship_entry: object) -> list[Select]:
    """Return fields for the groups that an attacked ship scrambles, at most two."""
    bays = bays_able_to_scramble(sight.state, ship)
    bays_ordered = as_list(as_mapping(ship_entry).get(SCRAMBLE))
    options: tuple[Option, ...] = (("", "nobody"), *((bay, system_words(bay)) for bay in bays))
    labels = (phrase("Scramble at once, before any fire"), phrase("Also scramble"))
    picks: list[Select] = []
    for place, label in enumerate(labels[: len(bays)]):
        bay = item_at(bays_ordered, place, "")
        picks.append(SCRAMBLED.draw(place, ship.id, label=label, options=options, chosen=bay))
    return picks


def defence_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the point defence orders in the form by ship; ships without any are left out."""
    orders_by_ship: dict[str, Any] = {}
    works_by_level = is_by_level(sight.state)
    for ship, weapons in _ships_with_defence(sight):
        if works_by_level:
            orders = _submitted_level_orders(ship, weapons, post)
        else:
            orders = _submitted_defence_fire(ship, weapons, post)
        has_fire_order = bool(orders or HOLDS.text(post, ship.id))
        bays = [bay for place in range(2) if (bay := SCRAMBLED.text(post, place, ship.id))]
        if bays:
            orders_by_ship[ship.id] = {SCRAMBLE: bays}
            if has_fire_order:
                orders_by_ship[ship.id][FIRE] = orders
        elif has_fire_order:
            orders_by_ship[ship.id] = orders
    return orders_by_ship | boat_payload(sight, post)


def _submitted_level_orders(
    ship: ShipState, weapons: Iterable[DefenceWeapon], post: QueryDict
) -> list[dict[str, Any]]:
    """Return the form's orders for which ship each weapon protects, if defence works by level."""
    uses_craft = bool(BY_SCREENS.text(post, ship.id))
    orders: list[dict[str, Any]] = []
    for weapon in weapons:
        protected = DEFENCE_TARGET.text(post, ship.id, weapon.fit.id)
        if protected == ship.id:
            # Craft that screen the ship defend it instead of its weapons
            if not uses_craft:
                orders.append({"weapon": weapon.fit.id})
        elif protected:
            orders.append({"weapon": weapon.fit.id, "target": protected})
    if uses_craft:
        orders.append({"weapon": SCREENS})
    return orders


def _submitted_defence_fire(
    ship: ShipState, weapons: Iterable[DefenceWeapon], post: QueryDict
) -> list[dict[str, Any]]:
    """Return the form's orders for what each point defence weapon of a ship fires at."""
    orders: list[dict[str, Any]] = []
    for weapon in weapons:
        item = (ship.id, weapon.fit.id)
        is_area = weapon.guard is not None and weapon.guard.is_area_defence
        may_be_area = _may_fire_as_area(ship, weapon.guard)
        first = DEFENCE_TARGET.text(post, *item)
        second = SECOND_DIE.text(post, *item) if is_area or may_be_area else ""
        mode = DEFENCE_MODE.text(post, *item) if may_be_area else ""
        if not first and not second:
            continue
        order: dict[str, Any] = {"weapon": weapon.fit.id, "target": first or second}
        if first and second:
            order["target"] = [first, second]
            order["mode"] = SPLIT if is_area else AREA
        elif mode:
            order["mode"] = mode
        orders.append(order)
    return orders


def _targets_to_meet(sight: FormSight) -> list[Option]:
    """Return everything hostile that point defence can fire at, with descriptions."""
    targets: list[Option] = []
    for group_id, name in sight.other_groups():
        if sight.is_hostile(sight.state.piece(Group, group_id).side):
            targets.append((group_id, name))
    for marker in _attacking_markers(sight):
        targets.append((marker.id, marker_words(sight, marker)))
    return targets


def _defence_row(
    sight: FormSight,
    ship: ShipState,
    weapons: list[DefenceWeapon],
    orders: Iterable[Mapping[str, Any]],
    *,
    holds_fire: bool,
) -> OrderRow:
    """Return a ship's row of point defence, filled from its orders.

    Args:
        holds_fire: Whether its orders are to fire no point defence at all.
    """
    order_by_weapon = {str(order.get("weapon")): order for order in orders}
    if is_by_level(sight.state):
        return _level_row(sight, ship, weapons, order_by_weapon, holds_fire=holds_fire)
    possible_targets = _targets_to_meet(sight)
    picks: list[Select] = []
    for weapon in weapons:
        targets: list[Option] = [("", "none")]
        targets += [target for target in possible_targets if target[0] in weapon.target_ids]
        picks += _defence_picks(ship, weapon, targets, order_by_weapon.get(weapon.fit.id, {}))
    attackers = []
    for piece in attackers_of_ship(sight.state, ship):
        is_group = isinstance(piece, Group)
        attackers.append(sight.display_name(piece.id) if is_group else system_words(piece.id))
    state = phrase("attacked by {}; {}", join_phrases(", ", attackers) or "nothing", SPREADS)
    return OrderRow(
        key=ship.id,
        name=sight.display_name(ship.id),
        state=state,
        picks=tuple(picks),
        ticks=(_hold_fire_tick(ship, is_on=holds_fire),),
    )


def _hold_fire_tick(ship: ShipState, *, is_on: bool) -> Checkbox:
    return HOLDS.draw(ship.id, label=phrase("fire no point defence at all"), on=is_on)


def _defence_picks(
    ship: ShipState, weapon: DefenceWeapon, targets: list[Option], order: Mapping[str, Any]
) -> Iterator[Select]:
    """Yield a point defence weapon's fields: its target, its second die and its mode.

    Only a weapon that fires as area defence has a second die, and only one that may or may not do
    so has a mode.
    """
    item = (ship.id, weapon.fit.id)
    label = system_words(weapon.fit.id)
    ordered_targets = one_or_more(order.get("target", ""))
    first = str(item_at(ordered_targets, 0, ""))
    second = str(item_at(ordered_targets, 1, ""))
    yield DEFENCE_TARGET.draw(*item, label=label, options=targets, chosen=first)
    may_be_area = _may_fire_as_area(ship, weapon.guard)
    is_area = weapon.guard is not None and weapon.guard.is_area_defence
    if is_area or may_be_area:
        second_label = phrase("{}: its second die at", label)
        yield SECOND_DIE.draw(*item, label=second_label, options=targets, chosen=second)
    if may_be_area:
        yield DEFENCE_MODE.draw(
            *item,
            label=phrase("{}: mode", label),
            options=DEFENCE_MODES,
            chosen=str(order.get("mode", "")),
        )


def _level_row(
    sight: FormSight,
    ship: ShipState,
    weapons: list[DefenceWeapon],
    order_by_weapon: Mapping[str, Mapping[str, Any]],
    *,
    holds_fire: bool,
) -> OrderRow:
    """Return the row of a ship if point defence works by level: which ship each weapon protects."""
    options: list[Option] = [("", "nobody")]
    for name in attacked_ship_ids(sight.state):
        if not sight.is_hostile(sight.state.ship(name).commander):
            options.append((name, sight.display_name(name)))
    picks = []
    for weapon in weapons:
        order = order_by_weapon.get(weapon.fit.id)
        # An order without a target protects the ship itself
        protected = "" if order is None else str(order.get("target", ship.id))
        label = phrase("{}: protects", system_words(weapon.fit.id))
        picks.append(
            DEFENCE_TARGET.draw(
                ship.id, weapon.fit.id, label=label, options=options, chosen=protected
            )
        )
    ticks = [_hold_fire_tick(ship, is_on=holds_fire)]
    if free_screens(sight.state, ship):
        label = phrase("craft screening it defend it instead of its weapons")
        ticks.append(BY_SCREENS.draw(ship.id, label=label, on=SCREENS in order_by_weapon))
    return OrderRow(
        key=ship.id,
        name=sight.display_name(ship.id),
        state=phrase("attacked by {}; {}", _attacker_counts(sight, ship) or "nothing", OWN_LEVEL),
        picks=tuple(picks),
        ticks=tuple(ticks),
    )


def _attacker_counts(sight: FormSight, ship: ShipState) -> str:
    """Return how many markers and groups attack a ship in words, or "" if none do."""
    markers = sum(marker.target == ship.id for marker in _attacking_markers(sight))
    groups = sum(isinstance(piece, Group) for piece in attackers_of_ship(sight.state, ship))
    counts = ((markers, "marker"), (groups, "group"))
    parts = [counted_noun(number, noun) for number, noun in counts if number]
    return join_phrases(" and ", parts)


def _ships_with_defence(sight: FormSight) -> list[tuple[ShipState, list[DefenceWeapon]]]:
    """Return the ships that can fire point defence or scramble groups now, with their weapons."""
    result: list[tuple[ShipState, list[DefenceWeapon]]] = []
    for ship in sight.ships:
        weapons = [] if defence_fault(sight.state, ship) else _defence_weapons(sight, ship)
        if weapons or bays_able_to_scramble(sight.state, ship) or _has_free_screens(sight, ship):
            result.append((ship, weapons))
    return result


def _has_free_screens(sight: FormSight, ship: ShipState) -> bool:
    """Return whether craft beside a ship can add to its level."""
    return is_by_level(sight.state) and bool(free_screens(sight.state, ship))


def _defence_weapons(sight: FormSight, ship: ShipState) -> list[DefenceWeapon]:
    """Return a ship's working weapons that can fire point defence at a target now.

    If point defence works by level, weapons have no targets and all working ones are returned.
    """
    weapons: list[DefenceWeapon] = []
    works_by_level = is_by_level(sight.state)
    targets_by_weapon = {} if works_by_level else open_targets(sight.state, ship)
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        is_used_up = weapon.once and not ship.stock[place]
        if not ship.alive[place] or is_used_up:
            continue
        guard = guard_of(ship, place)
        can_fire = guard is not None if works_by_level else fit.id in targets_by_weapon
        if can_fire:
            weapons.append(DefenceWeapon(fit, guard, targets_by_weapon.get(fit.id, ())))
    return weapons


def _may_fire_as_area(ship: ShipState, guard: Guard | None) -> bool:
    """Return whether a weapon can fire as area defence."""
    return (
        guard is not None
        and guard.can_be_area_defence
        and working_count_of(ship, "advanced-firecon") > 0
    )


def _attacking_markers(sight: FormSight) -> list[Marker]:
    """Return hostile ordnance that attacks ships now, or explodes among them."""
    markers: list[Marker] = []
    for marker in ordnance_to_meet(sight.state):
        if sight.is_hostile(marker.side):
            markers.append(marker)
    return markers


def marker_words(sight: FormSight, marker: Marker) -> str:
    """Return a marker's description in the form: what it is and what it attacks."""
    name = system_words(marker.id)
    kind_text = phrase(marker.row(sight.state).word)
    if target := marker.target or marker.target_boats:
        return phrase("{}, {} at {}", name, kind_text, sight.display_name(target))
    if marker in in_flight(sight.state):
        return phrase("{}, {}, flies on", name, kind_text)
    return phrase("{}, {}, about to explode", name, kind_text)


def orders_in(entry: object) -> dict[str, list[Mapping[str, Any]]]:
    """Return a payload's orders by ship, skipping anything that does not have their shape."""
    if not isinstance(entry, Mapping):
        return {}
    result: dict[str, list[Mapping[str, Any]]] = {}
    for name, order_list in entry.items():
        if isinstance(order_list, list):
            result[str(name)] = [order for order in order_list if isinstance(order, Mapping)]
    return result
