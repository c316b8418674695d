"""The form of attacking craft: targets, second moves, aces and dogfights. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.craft_form import (
    COURSES,
    NOBODY,
    SECOND_FACE,
    SECOND_MOVE,
    destination_text,
    group_name,
    read_flight,
    second_move_text,
    state_words,
    texts_by_key,
)
from campaign.forms.battle.dogfight_form import dogfight_fields, with_actions
from campaign.forms.battle.fight_form import (
    SYSTEM,
    FormSight,
    OrderRow,
    system_text,
)
from campaign.forms.battle.ordnance_form import (
    POINT_HINT,
    Faults,
    orders_in,
)
from campaign.forms.field import (
    Checkbox,
    ChoiceField,
    Fields,
    Input,
    Option,
    Select,
    TextField,
    TickField,
    item_at,
    number,
    one_or_more,
)
from campaign.words.system_names import system_id
from engine.continuum.craft.moves import is_robot
from engine.continuum.craft.pilots import ACE_ALONE, whole_group_aims
from engine.continuum.craft.targets import helps_others, orders_losses
from engine.continuum.defence_level import is_by_level
from engine.core.kinds import ACE
from engine.core.phrase import phrase
from engine.english import system_words
from engine.order_requests.attack import ATTACK
from engine.order_requests.craft_flights import SECONDARY
from engine.pieces.group import Group
from engine.pieces.marker import Marker

CARRIED = TextField("carry")
ATTACK_TARGET = ChoiceField("target")
SPLIT_TARGET = ChoiceField("split")
PRESS = TickField("press")
ACE_SYSTEM = TextField("ace")
ACE_DUEL = TickField("duel")
ASSIST = ChoiceField("assist")
ROUND_COUNT = TextField("count")
LOSSES = ChoiceField("losses")

TROOPS = ("marines", "parties")  # who a group can carry aboard a ship, by key of the order


def attack_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each group: a second move, and the target of each weapon."""
    attack_orders = orders_in(payload.get(ATTACK))
    second_moves = texts_by_key(payload, SECONDARY)
    result: list[OrderRow] = []
    for group in sight.groups:
        orders = attack_orders.get(group.id, ())
        row = _attack_row(sight, group, orders, second_moves.get(group.id, ""))
        result.append(replace(row, faults=faults.get(group.id, ())))
    return tuple(result)


def _attack_row(
    sight: FormSight,
    group: Group,
    attack_orders: Sequence[Mapping[str, Any]],
    second_move: object,
) -> OrderRow:
    """Return a group's row, filled from its orders."""
    orders = {}
    for order in attack_orders:
        if order.get("target"):
            orders[str(order.get("weapon"))] = order
    fields = Fields(
        picks=(
            *_target_picks(sight, group, orders),
            *_assist_pick(sight, group, orders.values()),
            *_losses_pick(sight, group, orders.values()),
        )
    )
    if not is_robot(group.row):
        fields += _second_move_fields(group, second_move)
    fields += Fields(inputs=tuple(_boat_inputs(group, orders)))
    dogfight_picks, dogfight_inputs = dogfight_fields(sight, group, attack_orders)
    fields += Fields(picks=tuple(dogfight_picks), inputs=tuple(dogfight_inputs))
    is_pressed = any(order.get("press") for order in orders.values())
    press_label = phrase("press on even if intercepted")
    fields += Fields(ticks=(PRESS.draw(group.id, label=press_label, on=is_pressed),))
    if group.pilots == ACE:
        system_input, duel_tick = _ace_fields(group.id, orders.get(ACE_ALONE))
        system_inputs = () if whole_group_aims(group) else (system_input,)
        duel_ticks = () if dogfight_picks else (duel_tick,)
        fields += Fields(inputs=system_inputs, ticks=duel_ticks)
    return OrderRow(
        key=group.id,
        name=group_name(sight, group.id, group.row),
        state=state_words(group),
        picks=fields.picks,
        ticks=fields.ticks,
        inputs=fields.inputs,
    )


def _second_move_fields(group: Group, second_move: object) -> Fields:
    """Return the fields for where a group flies before it attacks, and its course then."""
    flight, _ = read_flight(second_move)
    move_input = SECOND_MOVE.draw(
        group.id,
        label=phrase("First fly on to x, y (1 endurance)"),
        value=destination_text(flight),
        hint=POINT_HINT,
    )
    face_pick = SECOND_FACE.draw(
        group.id, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)
    )
    return Fields(picks=(face_pick,), inputs=(move_input,))


def _target_picks(
    sight: FormSight, group: Group, orders: Mapping[str, Mapping[str, Any]]
) -> Iterator[Select]:
    """Yield the field for each weapon's target, and for where half of the guns' hits go."""
    options = (NOBODY, *sight.other_ships(), *sight.other_groups(), *_hostile_markers(sight))
    for weapon in _ready_weapons(group):
        targets = one_or_more(orders.get(weapon, {}).get("target", ""))
        first = str(item_at(targets, 0, ""))
        second = str(item_at(targets, 1, ""))
        label = phrase("{} at", system_words(weapon).capitalize())
        yield ATTACK_TARGET.draw(group.id, weapon, label=label, options=options, chosen=first)
        if weapon == group.row.guns.name:
            label = phrase("Half of the hits at")
            yield SPLIT_TARGET.draw(group.id, weapon, label=label, options=options, chosen=second)


def _ace_fields(key: str, ace_order: Mapping[str, Any] | None) -> tuple[Input, Checkbox]:
    """Return the fields for an ace's aimed system and for its duel.

    An ace with an order of its own that aims at no system duels with the other group's ace.
    """
    system = "" if ace_order is None else system_text(ace_order)
    system_input = ACE_SYSTEM.draw(
        key,
        label=phrase("Its ace aims at the ship's system"),
        value=system,
        hint=system_words("drive"),
    )
    is_duelling = ace_order is not None and not system
    duel_label = phrase("its ace attacks the other group's ace")
    return system_input, ACE_DUEL.draw(key, label=duel_label, on=is_duelling)


def _assist_pick(
    sight: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]
) -> list[Select]:
    """Return the field for the group that this one helps, if point defence works by level."""
    other_groups = []
    for other in sight.groups:
        if other is not group:
            other_groups.append((other.id, group_name(sight, other.id, other.row)))
    if not (is_by_level(sight.state) and other_groups and helps_others(group)):
        return []
    helped_group = next((str(order["assist"]) for order in orders if order.get("assist")), "")
    return [
        ASSIST.draw(
            group.id,
            label=phrase("Hold fire and support instead"),
            options=(NOBODY, *other_groups),
            chosen=helped_group,
        )
    ]


def _losses_pick(
    sight: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]
) -> list[Select]:
    """Return the field for a group's place in the order of losses among groups of its type."""
    alike = [other for other in sight.groups if other.row is group.row]
    if len(alike) < 2 or not orders_losses(sight.state):
        return []
    options = [("", phrase("evenly")), *((str(n), str(n)) for n in range(1, len(alike) + 1))]
    place = next((str(order["falls"]) for order in orders if order.get("falls")), "")
    label = phrase("Takes losses of its type in place")
    return [LOSSES.draw(group.id, label=label, options=options, chosen=place)]


def _boat_inputs(group: Group, orders: Mapping[str, Mapping[str, Any]]) -> list[Input]:
    """Return a group's fields beside the target: aimed system, rounds, and troops to land."""
    inputs: list[Input] = []
    for armament in group.row.armaments:
        order = orders.get(armament.name, {})
        item = (group.id, armament.name)
        if armament.snipes or armament.jams:
            inputs.append(
                SYSTEM.draw(
                    *item,
                    label=phrase("Aim at the system"),
                    value=system_text(order),
                    hint=system_words("drive"),
                )
            )
        for troops in TROOPS if armament.lands else ():
            label = phrase("Number of {} to carry", phrase(troops))
            value = str(order.get(troops) or "")
            inputs.append(CARRIED.draw(*item, troops, label=label, value=value, hint="3"))
        if armament.with_ships and armament.rounds > 1:
            label = phrase("Rounds per boat (empty: all)")
            count = str(order.get("count") or "")
            inputs.append(ROUND_COUNT.draw(*item, label=label, value=count, hint="1"))
    return inputs


def attack_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the attacks in the form by group; groups without attacks are left out."""
    orders_by_group: dict[str, Any] = {}
    for group in sight.groups:
        orders: list[dict[str, Any]] = []
        for weapon in _ready_weapons(group):
            aim = _submitted_aim(group, weapon, post)
            if aim is not None:
                orders.append(
                    {"weapon": weapon} | aim | _submitted_details(sight, group, weapon, post)
                )
                orders += _submitted_ace_order(sight, group, weapon=weapon, aim=aim, post=post)
        if orders := with_actions(group, post, orders):
            orders_by_group[group.id] = orders
    return orders_by_group


def _submitted_aim(group: Group, weapon: str, post: QueryDict) -> dict[str, Any] | None:
    """Return a weapon's target or its two targets in the form, or None if it has none."""
    target = ATTACK_TARGET.text(post, group.id, weapon)
    if not target:
        return None
    second = SPLIT_TARGET.text(post, group.id, weapon)
    if second:
        return {"target": [target, second], "split": True}
    return {"target": target}


def _submitted_details(
    sight: FormSight, group: Group, weapon: str, post: QueryDict
) -> dict[str, Any]:
    """Return the form's entries about a weapon's attack, except its targets."""
    details: dict[str, Any] = {}
    if PRESS.text(post, group.id):
        details["press"] = True
    if system := system_id(SYSTEM.text(post, group.id, weapon), sight.state.terms.edition):
        details["system"] = system
    if rounds := ROUND_COUNT.text(post, group.id, weapon):
        details["count"] = number(rounds)
    for troops in TROOPS:
        if count := CARRIED.text(post, group.id, weapon, troops):
            details[troops] = number(count)
    if place := LOSSES.text(post, group.id):
        details["falls"] = number(place)
    if helped_group := ASSIST.text(post, group.id):
        details["assist"] = helped_group
    return details


def _submitted_ace_order(
    sight: FormSight, group: Group, weapon: str, aim: Mapping[str, Any], post: QueryDict
) -> list[dict[str, Any]]:
    """Return the ace's own order, which goes with the group's guns; none if it has no order."""
    if weapon != group.row.guns.name:
        return []
    if system := system_id(ACE_SYSTEM.text(post, group.id), sight.state.terms.edition):
        return [{"weapon": ACE_ALONE, **aim, "system": system}]
    if ACE_DUEL.text(post, group.id):
        return [{"weapon": ACE_ALONE, **aim}]
    return []


def secondary_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the second moves of piloted groups in the form."""
    moves = {}
    for group in sight.groups:
        if move := second_move_text(group.id, post):
            moves[group.id] = move
    if moves:
        return {SECONDARY: moves}
    return {}


def _ready_weapons(group: Group) -> list[str]:
    """Return the names of a group's weapons that fire and have rounds left."""
    names: list[str] = []
    for armament in group.row.armaments:
        if armament.fires() and (not armament.rounds or group.rounds(armament)):
            names.append(armament.name)
    return names


def _hostile_markers(sight: FormSight) -> Iterable[Option]:
    """Yield the hostile ordnance on the table as options."""
    for marker in sight.state.pieces_of(Marker):
        if sight.is_hostile(marker.side):
            kind = phrase(marker.row(sight.state).word)
            yield marker.id, phrase("{}, {}", system_words(marker.id), kind)
