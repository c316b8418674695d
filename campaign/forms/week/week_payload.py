"""Conversion of a week's form to the payload of orders, the JSON format of the API.

No rule is checked here. Invalid numbers stay text and unknown values stay in, so that the rules can
report each fault with its path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from campaign.forms.field import SEPARATOR, Payload, text
from campaign.forms.week import week_fields as fields
from campaign.forms.week.conditional_orders import answers_payload, condition
from campaign.forms.week.set_up_form import set_up_items
from campaign.forms.week.towing import tow_list
from campaign.orders.decide import DECIDE
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.move import MOVE
from campaign.orders.registry import orders_of_controls
from campaign.orders.set_up import SET_UP
from campaign.orders.settings import MAX_ANSWERS, SETTINGS
from campaign.orders.take_command import TAKE_COMMAND
from campaign.orders.tow import TOW
from campaign.orders.weasels import WEASELS
from campaign.rules.fleet_names import new_fleet_name
from campaign.rules.orders import STANDARD
from campaign.rules.view import Answer, Doctrine, Fleet, View
from engine.core.phrase import localize, phrase

PATH_SEPARATORS = re.compile(r"[\s,;>→-]+")  # between the hexes of a path


def sort_keys(keys: Iterable[str]) -> list[str]:
    """Return keys sorted by their numbers: `ember/f2` before `ember/f10`."""
    return sorted(keys, key=lambda key: (*_split_number(key), key))


def _split_number(key: str) -> tuple[str, int]:
    """Return a key without the number at its end, and that number (0 if there is none)."""
    match = re.fullmatch(r"(.*?)([0-9]{1,9})", key)
    if match:
        return (match[1], int(match[2]))
    return (key, 0)


def proposed_fleet_name(key: str) -> str:
    """Return the form's name for a new fleet in the player's language: `Flotte 7` for `esu/f7`."""
    return localize(phrase("Fleet {}", key.partition("/f")[2]))


def week_payload(view: View, post: QueryDict) -> Payload:
    """Return the orders of a week."""
    own_fleets = {fleet.key: fleet for fleet in view.fleets}
    detach = _detach(view, own_fleets, post)
    formed_keys = {item["into"] for item in detach} - set(own_fleets)
    new_keys = sort_keys((_formed_fleets(post) | formed_keys) - set(own_fleets))
    keys_with_ships = _fleets_with_ships(view, detach)
    fleets = [key for key in own_fleets if key in keys_with_ships]
    fleets += [key for key in new_keys if key in formed_keys]
    contacts = [(contact.hex, contact.toward) for contact in view.in_contact]
    return _without_empty(
        {
            SETTINGS.key: _settings(view, own_fleets, detach, fleets=fleets, post=post),
            DETACH.key: detach,
            DOCK.key: _dock(view, post),
            WEASELS.key: [ship.key for ship in view.ships if fields.WEASEL.is_sent(post, ship.key)],
            DECIDE.key: decide_list(contacts, post),
            MOVE.key: _moves([*own_fleets, *new_keys], post),
            TOW.key: tow_list(view.ships, _tugs(view, post)),
            **orders_of_controls(_controls(fleets, post)),
        }
    )


def decisions_payload(view: View, post: QueryDict) -> Payload:
    """Return the decisions of a week, and who commands the battles that may follow."""
    contacts = []
    for decision in view.open_decisions:
        if decision.fixed is None:
            contacts.append((decision.hex, decision.toward))
    commands = []
    for label in dict.fromkeys(decision.hex for decision in view.open_decisions):
        commander = fields.COMMAND.read(post, label)
        if commander:
            commands.append({"hex": label, "by": commander})
    return _without_empty(
        {DECIDE.key: decide_list(contacts, post), TAKE_COMMAND.key: commands},
    )


def battles_payload(view: View, post: QueryDict) -> Payload:
    """Return the doctrines of the fleets that fight this week, and the set-up of their battles."""
    settings = []
    for fleet in view.fleets:
        doctrine = doctrine_of(fleet.doctrine, fleet.key, post)
        if doctrine is not None:
            settings.append({"fleet": fleet.key, "doctrine": doctrine})
    return _without_empty({SETTINGS.key: settings, SET_UP.key: set_up_items(view, post)})


def decide_list(contacts: Iterable[tuple[str, str]], post: QueryDict) -> list[Payload]:
    """Return the choices made for each (hex, faction); missing ones are left out."""
    decisions = []
    for label, toward in contacts:
        choice = fields.DECIDE.read(post, label, toward)
        if choice:
            decisions.append({"hex": label, "toward": toward, "choice": choice})
    return decisions


def answers_in(before: Sequence[Answer], key: str, post: QueryDict) -> list[dict[str, Any]] | None:
    """Return the conditions of a fleet, or None if they are unchanged or not in the form."""
    if not fields.ANSWER_CHOICE.is_sent(post, key, 0):
        return None
    answers = []
    for number in range(MAX_ANSWERS):
        choice = fields.ANSWER_CHOICE.read(post, key, number)
        if choice:
            most = fields.ANSWER_MOST.read(post, key, number)
            answers.append(
                condition(
                    choice,
                    of=fields.ANSWER_OF.read(post, key, number),
                    least=fields.ANSWER_LEAST.read(post, key, number) or 0,
                    most=None if most == "" else most,
                )
            )
    if answers == answers_payload(before):
        return None
    return answers


def doctrine_of(before: Doctrine, key: str, post: QueryDict) -> Payload | None:
    """Return the doctrine, or None if it is unchanged or not in the form."""
    if not fields.TARGETS.is_sent(post, key):
        return None
    range_value = fields.RANGE.read(post, key)
    losses = fields.BREAK_OFF.read(post, key)
    speed = fields.SPEED.read(post, key)
    reserve = fields.RESERVE.read(post, key)
    doctrine: Payload = {
        "range": None if range_value == "" else range_value,
        "targets": fields.TARGETS.read(post, key),
        "break_off": 100 if losses == "" else losses,
        "flee": fields.FLEE.is_sent(post, key),
        "formation": fields.FORMATION.read(post, key),
        "speed": None if speed == "" else speed,
        "reserve": 0 if reserve == "" else reserve,
    }
    unchanged = all(doctrine[part] == getattr(before, part) for part in fields.DOCTRINE)
    if unchanged:
        return None
    for part in ("formation", "speed", "reserve"):
        if doctrine[part] == getattr(STANDARD, part):
            del doctrine[part]
    return doctrine


def _formed_fleets(post: QueryDict) -> set[str]:
    """Return the keys of fleets for which a field that can form a new fleet is filled."""
    filled_names = [name for name in post if text(post, name)]
    fleets: set[str] = set()
    for field in fields.NEW_FLEET:
        fleets.update(field.name_suffixes(filled_names))
    return fleets


def _controls(fleets: Iterable[str], post: QueryDict) -> dict[str, dict[str, str]]:
    """Return the values of the controls added by kinds of orders, by fleet and control."""
    values_by_fleet: dict[str, dict[str, str]] = {fleet: {} for fleet in fleets}
    for suffix in fields.CONTROL.name_suffixes(post):
        control, _, fleet = suffix.partition(SEPARATOR)
        value = fields.CONTROL.text(post, suffix)
        if fleet in values_by_fleet and value:
            values_by_fleet[fleet][control] = value
    return values_by_fleet


def _fleets_with_ships(view: View, detach: Iterable[Payload]) -> set[str]:
    """Return the fleets that still have ships after these detachments; only they have settings."""
    new_fleet_of = {}
    for item in detach:
        for ship in item["ships"]:
            new_fleet_of[ship] = str(item["into"])
    return {new_fleet_of.get(ship.key, ship.fleet) for ship in view.ships}


def _without_empty(parts: Mapping[str, list[Any]]) -> Payload:
    """Return a payload of these parts, without those that have no items."""
    return {"schema": 1} | {part: items for part, items in parts.items() if items}


def _detach(view: View, own_fleets: Mapping[str, Fleet], post: QueryDict) -> list[Payload]:
    """Return the ships that the form sends to other fleets, by fleet."""
    ships_by_target: dict[str, list[str]] = {}
    target_of = _target_fleets(view, post)
    for ship in view.ships:
        target = target_of[ship.key]
        if target and target != ship.fleet:
            ships_by_target.setdefault(target, []).append(ship.key)
    entries = []
    for target in sort_keys(ships_by_target):
        item: Payload = {"ships": ships_by_target[target], "into": target}
        name = fields.NAME.read(post, target)
        if not name and proposed_fleet_name(target) != new_fleet_name(target):
            # Without a name in its orders, the fleet would get an English one
            name = proposed_fleet_name(target)
        if name and target not in own_fleets:
            item["name"] = name
        if decoys := fields.ALONG.read(post, target):
            item["decoys"] = decoys
        entries.append(item)
    return entries


def _target_fleets(view: View, post: QueryDict) -> dict[str, str]:
    """Return the fleet that each ship is to be in, or "" if the form does not say.

    A ship goes where its own field or the one of its whole fleet sends it. A towed ship without
    either joins its tug's fleet.
    """
    ordered = {}
    for ship in view.ships:
        own_target = fields.TO.read(post, ship.key)
        ordered[ship.key] = own_target or fields.MERGE.read(post, ship.fleet)
    present_fleet_of = {ship.key: ship.fleet for ship in view.ships}
    tug_of = _tugs(view, post)
    targets = {}
    for ship in view.ships:
        tug = tug_of.get(ship.key, "")
        fleet_of_tug = ordered.get(tug) or present_fleet_of.get(tug, "")
        targets[ship.key] = ordered[ship.key] or fleet_of_tug
    return targets


def _tugs(view: View, post: QueryDict) -> dict[str, str]:
    """Return the tug that the form assigns to each ship."""
    tug_of = {}
    for ship in view.ships:
        if fields.TOW.is_sent(post, ship.key):
            tug_of[ship.key] = fields.TOW.text(post, ship.key)
    return tug_of


def _settings(
    view: View,
    own_fleets: Mapping[str, Fleet],
    detach: list[Payload],
    *,
    fleets: Iterable[str],
    post: QueryDict,
) -> list[Payload]:
    """Return the settings that the form changes, by fleet.

    A new fleet has the settings of the fleet that its first ship comes from, so only differences
    from these are ordered.
    """
    fleet_of = {ship.key: ship.fleet for ship in view.ships}
    origins = {item["into"]: min(fleet_of[ship] for ship in item["ships"]) for item in detach}
    entries = []
    for key in fleets:
        before = own_fleets.get(key) or own_fleets.get(origins.get(key, ""))
        item: Payload = {"fleet": key}
        name = fields.NAME.read(post, key)
        if key in own_fleets and fields.NAME.is_sent(post, key) and name != own_fleets[key].name:
            item["name"] = name
        item |= _changed_settings(before, key, post)
        if decoys := fields.DECOYS_ON.read(post, key):
            item["decoys_on"] = decoys
        item |= _changed_decoy_thrust(before, key, post)
        if len(item) > 1:
            entries.append(item)
    return entries


def _changed_decoy_thrust(before: Fleet | None, key: str, post: QueryDict) -> Payload:
    """Return the thrust of a fleet's decoys if it changes; 0 if the field was cleared."""
    if not fields.DECOY_THRUST.is_sent(post, key):
        return {}
    thrust = fields.DECOY_THRUST.read(post, key) or 0
    present = 0 if before is None else before.decoy_thrust or 0
    return {} if thrust == present else {"decoy_thrust": thrust}


def _changed_settings(before: Fleet | None, key: str, post: QueryDict) -> Payload:
    """Return a fleet's standing order, conditions and doctrine, as far as they change."""
    changes: Payload = {}
    standing = fields.STANDING.read(post, key)
    if standing and (before is None or standing != before.standing):
        changes["standing"] = standing
    answers = answers_in(() if before is None else before.answers, key, post)
    if answers is not None:
        changes["answers"] = answers
    doctrine = doctrine_of(STANDARD if before is None else before.doctrine, key, post)
    if doctrine is not None:
        changes["doctrine"] = doctrine
    return changes


def _dock(view: View, post: QueryDict) -> list[Payload]:
    """Return the ships to dock, and what is done to them there."""
    entries = []
    for ship in view.ships:
        repairs = [str(system) for system in post.getlist(fields.REPAIR.name(ship.key))]
        item: Payload = {"ship": ship.key}
        if repairs:
            item["repair"] = repairs
        if fields.REPLENISH.is_sent(post, ship.key):
            item["replenish"] = True
        if fields.SCUTTLE.is_sent(post, ship.key):
            item["scuttle"] = True
        if fields.DOCK.is_sent(post, ship.key) or len(item) > 1:
            entries.append(item)
    return entries


def _moves(keys: Iterable[str], post: QueryDict) -> list[Payload]:
    """Return the moves in the form of these fleets, by destination and by path."""
    entries = []
    for key in keys:
        destination = fields.MOVE.read(post, key)
        path_text = fields.PATH.read(post, key)
        path = [label for label in PATH_SEPARATORS.split(path_text) if label]
        item: Payload = {"fleet": key}
        if len(path) == 1 and not destination:
            item["to"] = path[0]  # a single hex is a destination, without a fixed route
        elif path:
            item["path"] = path
        if destination and (not path or path[-1] != destination):
            item["to"] = destination
        if len(item) > 1:
            entries.append(item)
    return entries
