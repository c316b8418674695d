"""The form of attacking craft: targets, second moves, aces and dogfights. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    anchor,
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
    Input,
    Option,
    Select,
    TextField,
    TickField,
    number,
)
from campaign.words.system_names import system_id
from engine.continuum.craft.moves import is_robot
from engine.continuum.craft.pilots import ACE_ALONE
from engine.continuum.craft.targets import helps_others
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


def attack_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each group: a second move, and the target of each weapon."""
    attack_orders = orders_in(payload.get(ATTACK))
    second_moves = texts_by_key(payload, SECONDARY)
    result: list[OrderRow] = []
    for group in sight.groups:
        result.append(
            _attack_row(
                sight,
                group,
                attack_orders.get(group.id, ()),
                second_moves.get(group.id, ""),
                faults.get(group.id, ()),
            )
        )
    return tuple(result)


def _attack_row(
    sight: FormSight,
    group: Group,
    attack_orders: Sequence[Mapping[str, Any]],
    second_move: object,
    faults: tuple[str, ...],
) -> OrderRow:
    key = group.id
    orders = {}
    for item in attack_orders:
        if item.get("target"):
            orders[str(item.get("weapon"))] = item
    picks = [*_target_picks(sight, group, orders), *_assist_pick(sight, group, orders.values())]
    inputs: list[Input] = []
    if not is_robot(group.row):
        flight, _ = read_flight(second_move)
        inputs.append(
            SECOND_MOVE.draw(
                key,
                label=phrase("First fly on to x, y (1 endurance)"),
                value=destination_text(flight),
                hint=POINT_HINT,
            )
        )
        picks.append(
            SECOND_FACE.draw(
                key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)
            )
        )
    inputs += _boat_inputs(group, orders)
    dogfight_picks, dogfight_inputs = dogfight_fields(sight, group, attack_orders)
    picks += dogfight_picks
    inputs += dogfight_inputs
    press = any(item.get("press") for item in orders.values())
    ticks = [PRESS.draw(key, label=phrase("press on even if intercepted"), on=bool(press))]
    if group.pilots == ACE:
        system_input, duel_tick = _ace_fields(key, orders.get(ACE_ALONE))
        inputs.append(system_input)
        if not dogfight_picks:
            ticks.append(duel_tick)
    return OrderRow(
        key,
        anchor(key),
        group_name(sight, key, group.row),
        state_words(group),
        tuple(picks),
        tuple(ticks),
        tuple(inputs),
        None,
        faults,
    )


def _target_picks(
    sight: FormSight, group: Group, orders: Mapping[str, Mapping[str, Any]]
) -> Iterator[Select]:
    """Yield the field for each weapon's target, and for where half of the guns' hits go."""
    key = group.id
    targets = (NOBODY, *sight.other_ships(), *sight.other_groups(), *_markers(sight))
    for item in _armaments(group):
        target = orders.get(item, {}).get("target", "")
        chosen = [*map(str, target if isinstance(target, list) else [target]), "", ""]
        label = phrase("{} at", system_words(item).capitalize())
        yield ATTACK_TARGET.draw(key, item, label=label, options=targets, chosen=chosen[0])
        if item == group.row.guns.name:
            label = phrase("Half of the hits at")
            yield SPLIT_TARGET.draw(key, item, label=label, options=targets, chosen=chosen[1])


def _ace_fields(key: str, ace_order: Mapping[str, Any] | None) -> tuple[Input, Checkbox]:
    """Return the fields for an ace's aimed system and for its duel."""
    if ace_order is None:
        system = ""
    else:
        system = system_text(ace_order)
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
    for item in sight.groups:
        if item is not group:
            other_groups.append((item.id, group_name(sight, item.id, item.row)))
    if not (is_by_level(sight.state) and other_groups and helps_others(group)):
        return []
    helped = next((str(item["assist"]) for item in orders if item.get("assist")), "")
    return [
        ASSIST.draw(
            group.id,
            label=phrase("Hold fire and support instead"),
            options=(NOBODY, *other_groups),
            chosen=helped,
        )
    ]


def _boat_inputs(group: Group, orders: Mapping[str, Mapping[str, Any]]) -> list[Input]:
    """Return a group's fields beside the target: aimed system, rounds, and troops to land."""
    inputs: list[Input] = []
    for armament in group.row.armaments:
        order = orders.get(armament.name, {})
        if armament.snipes:
            inputs.append(
                SYSTEM.draw(
                    group.id,
                    armament.name,
                    label=phrase("Aim at the system"),
                    value=system_text(order),
                    hint=system_words("drive"),
                )
            )
        for kind in ("marines", "parties") if armament.lands else ():
            value = str(order.get(kind) or "")
            inputs.append(
                CARRIED.draw(
                    group.id,
                    armament.name,
                    kind,
                    label=phrase("Number of {} to carry", phrase(kind)),
                    value=value,
                    hint="3",
                )
            )
        if armament.with_ships and armament.rounds > 1:
            count = str(order.get("count") or "")
            inputs.append(
                ROUND_COUNT.draw(
                    group.id,
                    armament.name,
                    label=phrase("Rounds per boat (empty: all)"),
                    value=count,
                    hint="1",
                )
            )
    return inputs


def attack_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the attacks in the form by group; groups without attacks are left out."""
    orders_by_group: dict[str, Any] = {}
    edition = sight.state.terms.edition
    for group in sight.groups:
        orders: list[dict[str, Any]] = []
        for weapon in _armaments(group):
            target = ATTACK_TARGET.text(post, group.id, weapon)
            second = SPLIT_TARGET.text(post, group.id, weapon)
            if not target:
                continue
            aim: dict[str, Any]
            if second:
                aim = {"target": [target, second], "split": True}
            else:
                aim = {"target": target}
            press = {"press": True} if PRESS.text(post, group.id) else {}
            system = system_id(SYSTEM.text(post, group.id, weapon), edition)
            rounds = ROUND_COUNT.text(post, group.id, weapon)
            further: dict[str, Any]
            if system:
                further = {"system": system}
            else:
                further = {}
            further |= {"count": number(rounds)} if rounds else {}
            for kind in ("marines", "parties"):
                if count_text := CARRIED.text(post, group.id, weapon, kind):
                    further[kind] = number(count_text)
            further |= {"assist": helped} if (helped := ASSIST.text(post, group.id)) else {}
            orders.append({"weapon": weapon} | aim | press | further)
            system = system_id(ACE_SYSTEM.text(post, group.id), edition)
            if weapon == group.row.guns.name and (system or ACE_DUEL.text(post, group.id)):
                orders.append({"weapon": ACE_ALONE} | aim | ({"system": system} if system else {}))
        if orders := with_actions(group, post, orders):
            orders_by_group[group.id] = orders
    return orders_by_group


def secondary_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the second moves of piloted groups in the form."""
    moves = {
        group.id: words for group in sight.groups if (words := second_move_text(group.id, post))
    }
    if moves:
        return {SECONDARY: moves}
    return {}


def _armaments(group: Group) -> list[str]:
    armaments: list[str] = []
    for armament in group.row.armaments:
        if armament.fires() and (not armament.rounds or group.rounds(armament)):
            armaments.append(armament.name)
    return armaments


def _markers(sight: FormSight) -> Iterable[Option]:
    for marker in sight.state.pieces_of(Marker):
        if sight.state.hostile[sight.side] >> marker.side & 1:
            yield (
                marker.id,
                phrase("{}, {}", system_words(marker.id), phrase(marker.row(sight.state).word)),
            )
