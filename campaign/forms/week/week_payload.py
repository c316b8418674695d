"""From the fields of a week's form to the payload of orders, the JSON that the API takes.

No rule is asked here. What is not a number stays text, what is unknown stays in: the rules name
the fault and its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from campaign.forms.field import SEP, Payload, text
from campaign.forms.week import week_fields as fields
from campaign.forms.week.conditional_orders import as_given, condition
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

BETWEEN = re.compile(r"[\s,;>→-]+")  # hexes of a path


def order(keys: Iterable[str]) -> list[str]:
    """Own keys in the order of their numbers."""
    return sorted(keys, key=lambda key: (*_split(key), key))


def _split(key: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.*?)([0-9]{1,9})", key)
    return (match[1], int(match[2])) if match else (key, 0)


def week_payload(view: View, posted: QueryDict) -> Payload:
    """The orders of a week."""
    own = {fleet.key: fleet for fleet in view.fleets}
    detach = _detach(view, own, posted)
    formed = {item["into"] for item in detach} - set(own)
    new = order((_named(posted) | formed) - set(own))
    left = _left(view, detach)
    kept = [key for key in own if key in left] + [key for key in new if key in formed]
    weasels = [ship.key for ship in view.ships if fields.WEASEL.is_sent(posted, ship.key)]
    in_contact = ((touch.hex, touch.toward) for touch in view.in_contact)
    return _without_empty(
        {
            SETTINGS.key: _settings(view, own, detach, kept, posted),
            DETACH.key: detach,
            DOCK.key: _dock(view, posted),
            WEASELS.key: weasels,
            DECIDE.key: decide_list(in_contact, posted),
            MOVE.key: _moves([*own, *new], posted),
            TOW.key: tow_list(view.ships, _tugs(view, posted)),
            **orders_of_controls(_controls(kept, posted)),
        }
    )


def decisions_payload(view: View, posted: QueryDict) -> Payload:
    """The decisions of a week."""
    asked = ((item.hex, item.toward) for item in view.asked if item.fixed is None)
    return _without_empty({DECIDE.key: decide_list(asked, posted)})


def battles_payload(view: View, posted: QueryDict) -> Payload:
    """The doctrine of the fleets that fight this week."""
    settings = []
    for fleet in view.fleets:
        doctrine = doctrine_of(fleet.doctrine, fleet.key, posted)
        if doctrine is not None:
            settings.append({"fleet": fleet.key, "doctrine": doctrine})
    return _without_empty({SETTINGS.key: settings})


def decide_list(about: Iterable[tuple[str, str]], posted: QueryDict) -> list[Payload]:
    """The choices given toward each faction at each hex; none given, none written."""
    found = []
    for hex_, toward in about:
        choice = fields.DECIDE.read(posted, hex_, toward)
        if choice:
            found.append({"hex": hex_, "toward": toward, "choice": choice})
    return found


def answers_in(
    before: Sequence[Answer],
    key: str,
    posted: QueryDict,
) -> list[dict[str, Any]] | None:
    """Return the conditions of a fleet; None where they are unchanged or not in the form."""
    if not fields.ANSWER_CHOICE.is_sent(posted, key, 0):
        return None
    found = []
    for n in range(MOST_ANSWERS):
        choice = fields.ANSWER_CHOICE.read(posted, key, n)
        if choice:
            of = fields.ANSWER_OF.read(posted, key, n)
            least = fields.ANSWER_LEAST.read(posted, key, n) or 0
            most = fields.ANSWER_MOST.read(posted, key, n)
            found.append(condition(choice, of, least, None if most == "" else most))
    return None if found == as_given(before) else found


def doctrine_of(before: Doctrine, key: str, posted: QueryDict) -> Payload | None:
    """Return the doctrine; None where it is unchanged or not in the form."""
    if not fields.TARGETS.is_sent(posted, key):
        return None
    far = fields.RANGE.read(posted, key)
    losses = fields.BREAK_OFF.read(posted, key)
    given: Payload = {
        "range": None if far == "" else far,
        "targets": fields.TARGETS.read(posted, key),
        "break_off": 100 if losses == "" else losses,
        "flee": fields.FLEE.is_sent(posted, key),
    }
    unchanged = all(given[part] == getattr(before, part) for part in fields.DOCTRINE)
    return None if unchanged else given


def _named(posted: QueryDict) -> set[str]:
    """The keys of fleets of which a field that forms a new one says something."""
    said = [name for name in posted if text(posted, name)]
    return {key for field in fields.NEW_FLEET for key in field.rests(said)}


def _controls(fleets: Iterable[str], posted: QueryDict) -> dict[str, dict[str, str]]:
    """What the controls that kinds of orders bring say of each fleet, by their names."""
    found: dict[str, dict[str, str]] = {fleet: {} for fleet in fleets}
    for rest in fields.CONTROL.rests(posted):
        control, _, fleet = rest.partition(SEP)
        value = fields.CONTROL.text(posted, rest)
        if fleet in found and value:
            found[fleet][control] = value
    return found


def _left(view: View, detach: Iterable[Payload]) -> set[str]:
    """The fleets that still have ships after these detachments: no others have settings."""
    into = {ship: str(item["into"]) for item in detach for ship in item["ships"]}
    return {into.get(ship.key, ship.fleet) for ship in view.ships}


def _without_empty(parts: Mapping[str, list[Any]]) -> Payload:
    return {"schema": 1} | {part: items for part, items in parts.items() if items}


def _detach(view: View, own: Mapping[str, Fleet], posted: QueryDict) -> list[Payload]:
    going: dict[str, list[str]] = {}
    tugs = _tugs(view, posted)
    goes = {}
    for ship in view.ships:
        alone = fields.TO.read(posted, ship.key)
        goes[ship.key] = alone or fields.MERGE.read(posted, ship.fleet)
    homes = {ship.key: ship.fleet for ship in view.ships}
    for ship in view.ships:
        # a ship in tow goes to its tug's fleet, unless the form sends it elsewhere
        tug = tugs.get(ship.key, "")
        into = goes[ship.key] or (goes.get(tug) or homes.get(tug, "") if tug else "")
        if into and into != ship.fleet:
            going.setdefault(into, []).append(ship.key)
    found = []
    for into in order(going):
        item: Payload = {"ships": going[into], "into": into}
        name = fields.NAME.read(posted, into)
        along = fields.ALONG.read(posted, into)
        if name and into not in own:
            item["name"] = name
        if along:
            item["decoys"] = along
        found.append(item)
    return found


def _tugs(view: View, posted: QueryDict) -> dict[str, str]:
    """What is to have each ship in tow that the form asks it of."""
    asked = (ship.key for ship in view.ships if fields.TOW.is_sent(posted, ship.key))
    return {key: fields.TOW.text(posted, key) for key in asked}


def _settings(
    view: View,
    own: Mapping[str, Fleet],
    detach: list[Payload],
    keys: Iterable[str],
    posted: QueryDict,
) -> list[Payload]:
    home = {ship.key: ship.fleet for ship in view.ships}
    origin = {item["into"]: min(home[ship] for ship in item["ships"]) for item in detach}
    found = []
    for key in keys:
        before = own.get(key) or own.get(origin.get(key, ""))
        item: Payload = {"fleet": key}
        name = fields.NAME.read(posted, key)
        standing = fields.STANDING.read(posted, key)
        decoys = fields.DECOYS_ON.read(posted, key)
        if key in own and fields.NAME.is_sent(posted, key) and name != own[key].name:
            item["name"] = name
        if standing and (before is None or standing != before.standing):
            item["standing"] = standing
        answers = answers_in(() if before is None else before.answers, key, posted)
        if answers is not None:
            item["answers"] = answers
        doctrine = doctrine_of(STANDARD if before is None else before.doctrine, key, posted)
        if doctrine is not None:
            item["doctrine"] = doctrine
        if decoys:
            item["decoys_on"] = decoys
        if len(item) > 1:
            found.append(item)
    return found


def _dock(view: View, posted: QueryDict) -> list[Payload]:
    found = []
    for ship in view.ships:
        repair = [str(system) for system in posted.getlist(fields.REPAIR.name(ship.key))]
        item: Payload = {"ship": ship.key}
        if repair:
            item["repair"] = repair
        if fields.REPLENISH.is_sent(posted, ship.key):
            item["replenish"] = True
        if fields.SCUTTLE.is_sent(posted, ship.key):
            item["scuttle"] = True
        if fields.DOCK.is_sent(posted, ship.key) or len(item) > 1:
            found.append(item)
    return found


def _moves(keys: Iterable[str], posted: QueryDict) -> list[Payload]:
    found = []
    for key in keys:
        to = fields.MOVE.read(posted, key)
        path = [label for label in BETWEEN.split(fields.PATH.read(posted, key)) if label]
        item: Payload = {"fleet": key}
        if len(path) == 1 and not to:
            item["to"] = path[0]  # one hex is where it goes, by whatever way
        elif path:
            item["path"] = path
        if to and (not path or path[-1] != to):
            item["to"] = to
        if len(item) > 1:
            found.append(item)
    return found
