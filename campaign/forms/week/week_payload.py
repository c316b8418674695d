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
from campaign.forms.week.towing import tow_list
from campaign.orders.decide import DECIDE
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.move import MOVE
from campaign.orders.registry import orders_of_controls
from campaign.orders.settings import MOST_ANSWERS, SETTINGS
from campaign.orders.tow import TOW
from campaign.orders.weasels import WEASELS
from campaign.rules.orders import STANDARD
from campaign.rules.view import Answer, Doctrine, Fleet, View

SEPARATORS = re.compile(r"[\s,;>→-]+")  # between the hexes of a path


def sort_keys(keys: Iterable[str]) -> list[str]:
    """Return keys sorted by their numbers."""
    return sorted(keys, key=lambda key: (*_split(key), key))


def _split(key: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.*?)([0-9]{1,9})", key)
    if match:
        return (match[1], int(match[2]))
    return (key, 0)


def week_payload(view: View, post: QueryDict) -> Payload:
    """Return the orders of a week."""
    own_fleets = {fleet.key: fleet for fleet in view.fleets}
    detach = _detach(view, own_fleets, post)
    formed = {item["into"] for item in detach} - set(own_fleets)
    new = sort_keys((_formed_fleets(post) | formed) - set(own_fleets))
    fleets_with_ships = _fleets_with_ships(view, detach)
    fleets_shown = [key for key in own_fleets if key in fleets_with_ships] + [
        key for key in new if key in formed
    ]
    weasels = [ship.key for ship in view.ships if fields.WEASEL.is_sent(post, ship.key)]
    in_contact = ((touch.hex, touch.toward) for touch in view.in_contact)
    return _without_empty(
        {
            SETTINGS.key: _settings(view, own_fleets, detach, fleets_shown, post),
            DETACH.key: detach,
            DOCK.key: _dock(view, post),
            WEASELS.key: weasels,
            DECIDE.key: decide_list(in_contact, post),
            MOVE.key: _moves([*own_fleets, *new], post),
            TOW.key: tow_list(view.ships, _tugs(view, post)),
            **orders_of_controls(_controls(fleets_shown, post)),
        }
    )


def decisions_payload(view: View, post: QueryDict) -> Payload:
    """Return the decisions of a week."""
    contacts = ((item.hex, item.toward) for item in view.open_decisions if item.fixed is None)
    return _without_empty({DECIDE.key: decide_list(contacts, post)})


def battles_payload(view: View, post: QueryDict) -> Payload:
    """Return the doctrines of the fleets that fight this week."""
    settings = []
    for fleet in view.fleets:
        doctrine = doctrine_of(fleet.doctrine, fleet.key, post)
        if doctrine is not None:
            settings.append({"fleet": fleet.key, "doctrine": doctrine})
    return _without_empty({SETTINGS.key: settings})


def decide_list(about: Iterable[tuple[str, str]], post: QueryDict) -> list[Payload]:
    """Return the choices made for each hex and faction; missing ones are left out."""
    decisions = []
    for hex_, toward in about:
        choice = fields.DECIDE.read(post, hex_, toward)
        if choice:
            decisions.append({"hex": hex_, "toward": toward, "choice": choice})
    return decisions


def answers_in(
    before: Sequence[Answer],
    key: str,
    post: QueryDict,
) -> list[dict[str, Any]] | None:
    """Return the conditions of a fleet, or None if they are unchanged or not in the form."""
    if not fields.ANSWER_CHOICE.is_sent(post, key, 0):
        return None
    answers = []
    for n in range(MOST_ANSWERS):
        choice = fields.ANSWER_CHOICE.read(post, key, n)
        if choice:
            of = fields.ANSWER_OF.read(post, key, n)
            least = fields.ANSWER_LEAST.read(post, key, n) or 0
            most = fields.ANSWER_MOST.read(post, key, n)
            answers.append(condition(choice, of, least, None if most == "" else most))
    if answers == answers_payload(before):
        return None
    return answers


def doctrine_of(before: Doctrine, key: str, post: QueryDict) -> Payload | None:
    """Return the doctrine, or None if it is unchanged or not in the form."""
    if not fields.TARGETS.is_sent(post, key):
        return None
    range_value = fields.RANGE.read(post, key)
    losses = fields.BREAK_OFF.read(post, key)
    doctrine: Payload = {
        "range": None if range_value == "" else range_value,
        "targets": fields.TARGETS.read(post, key),
        "break_off": 100 if losses == "" else losses,
        "flee": fields.FLEE.is_sent(post, key),
    }
    unchanged = all(doctrine[part] == getattr(before, part) for part in fields.DOCTRINE)
    if unchanged:
        return None
    return doctrine


def _formed_fleets(post: QueryDict) -> set[str]:
    """Return the keys of fleets for which a field that can form a new fleet is filled."""
    filled_names = [name for name in post if text(post, name)]
    fleets: set[str] = set()
    for field in fields.NEW_FLEET:
        for key in field.name_suffixes(filled_names):
            fleets.add(key)
    return fleets


def _controls(fleets: Iterable[str], post: QueryDict) -> dict[str, dict[str, str]]:
    """Return the values of the controls added by kinds of orders, by fleet and control."""
    values_by_fleet: dict[str, dict[str, str]] = {fleet: {} for fleet in fleets}
    for rest in fields.CONTROL.name_suffixes(post):
        control, _, fleet = rest.partition(SEPARATOR)
        value = fields.CONTROL.text(post, rest)
        if fleet in values_by_fleet and value:
            values_by_fleet[fleet][control] = value
    return values_by_fleet


def _fleets_with_ships(view: View, detach: Iterable[Payload]) -> set[str]:
    """Return the fleets that still have ships after these detachments; only they have settings."""
    into = {}
    for item in detach:
        for ship in item["ships"]:
            into[ship] = str(item["into"])
    return {into.get(ship.key, ship.fleet) for ship in view.ships}


def _without_empty(parts: Mapping[str, list[Any]]) -> Payload:
    return {"schema": 1} | {part: items for part, items in parts.items() if items}


def _detach(view: View, own_fleets: Mapping[str, Fleet], post: QueryDict) -> list[Payload]:
    going: dict[str, list[str]] = {}
    tugs = _tugs(view, post)
    destinations = {}
    for ship in view.ships:
        alone = fields.TO.read(post, ship.key)
        destinations[ship.key] = alone or fields.MERGE.read(post, ship.fleet)
    homes = {ship.key: ship.fleet for ship in view.ships}
    for ship in view.ships:
        # A towed ship joins its tug's fleet, unless the form sends it elsewhere.
        tug = tugs.get(ship.key, "")
        into = destinations[ship.key] or (
            destinations.get(tug) or homes.get(tug, "") if tug else ""
        )
        if into and into != ship.fleet:
            going.setdefault(into, []).append(ship.key)
    entries = []
    for into in sort_keys(going):
        item: Payload = {"ships": going[into], "into": into}
        name = fields.NAME.read(post, into)
        along = fields.ALONG.read(post, into)
        if name and into not in own_fleets:
            item["name"] = name
        if along:
            item["decoys"] = along
        entries.append(item)
    return entries


def _tugs(view: View, post: QueryDict) -> dict[str, str]:
    """Return the tug that the form assigns to each ship."""
    keys = (ship.key for ship in view.ships if fields.TOW.is_sent(post, ship.key))
    return {key: fields.TOW.text(post, key) for key in keys}


def _settings(
    view: View,
    own_fleets: Mapping[str, Fleet],
    detach: list[Payload],
    keys: Iterable[str],
    post: QueryDict,
) -> list[Payload]:
    home = {ship.key: ship.fleet for ship in view.ships}
    origin = {item["into"]: min(home[ship] for ship in item["ships"]) for item in detach}
    entries = []
    for key in keys:
        before = own_fleets.get(key) or own_fleets.get(origin.get(key, ""))
        item: Payload = {"fleet": key}
        name = fields.NAME.read(post, key)
        standing = fields.STANDING.read(post, key)
        decoys = fields.DECOYS_ON.read(post, key)
        if key in own_fleets and fields.NAME.is_sent(post, key) and name != own_fleets[key].name:
            item["name"] = name
        if standing and (before is None or standing != before.standing):
            item["standing"] = standing
        answers = answers_in(() if before is None else before.answers, key, post)
        if answers is not None:
            item["answers"] = answers
        doctrine = doctrine_of(STANDARD if before is None else before.doctrine, key, post)
        if doctrine is not None:
            item["doctrine"] = doctrine
        if decoys:
            item["decoys_on"] = decoys
        if len(item) > 1:
            entries.append(item)
    return entries


def _dock(view: View, post: QueryDict) -> list[Payload]:
    entries = []
    for ship in view.ships:
        repair = [str(system) for system in post.getlist(fields.REPAIR.name(ship.key))]
        item: Payload = {"ship": ship.key}
        if repair:
            item["repair"] = repair
        if fields.REPLENISH.is_sent(post, ship.key):
            item["replenish"] = True
        if fields.SCUTTLE.is_sent(post, ship.key):
            item["scuttle"] = True
        if fields.DOCK.is_sent(post, ship.key) or len(item) > 1:
            entries.append(item)
    return entries


def _moves(keys: Iterable[str], post: QueryDict) -> list[Payload]:
    entries = []
    for key in keys:
        to = fields.MOVE.read(post, key)
        path = [label for label in SEPARATORS.split(fields.PATH.read(post, key)) if label]
        item: Payload = {"fleet": key}
        if len(path) == 1 and not to:
            item["to"] = path[0]  # a single hex is a destination, without a fixed route
        elif path:
            item["path"] = path
        if to and (not path or path[-1] != to):
            item["to"] = to
        if len(item) > 1:
            entries.append(item)
    return entries
