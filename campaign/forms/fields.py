"""From the fields of a form to the payload of orders, the same JSON that the API takes. No rule is asked here.

What is not a number stays text, what is unknown stays in: the rules name the fault and its place. Field names are
`<what>-<key>`, keys being the faction's own: `move-ember/f2`, `repair-ember/s4`. Tows are read here, too, and said in
words: what could have a ship in tow is asked of the View alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from campaign.forms.field import number, text
from campaign.forms.week import field_names as names
from campaign.forms.week.conditional_orders import as_given, condition
from campaign.forms.week.order_parts import Target, items
from campaign.orders.order import listed
from campaign.orders.registry import orders_of_controls
from campaign.rules.fleet_violations import MOST_ANSWERS
from campaign.rules.orders import STANDARD
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.towing import can_tow
from campaign.rules.view import Answer, Cargo, Doctrine, Fleet, Ship, View
from engine.core.phrase import phrase

Payload = dict[str, Any]
DOCTRINE_PARTS = ("range", "targets", "break_off", "flee")


class Towing:
    """The tugs of a faction and who is in tow of which, by the draft where it says so: `tug_of[ship]`."""

    def __init__(self, scenario: Scenario, view: View, payload: Mapping[str, Any]) -> None:
        self.classes = ship_classes(scenario)
        self._ships = {ship.key: ship for ship in view.ships}
        self._fleets = {fleet.key: fleet for fleet in view.fleets}
        self._tugs = [ship for ship in view.ships if can_tow(self.classes[ship.cls], ship)]
        ordered = {str(item.get("tug")): listed(item.get("ships")) for item in items(payload, "tow")}
        self.tug_of = {ship.key: ship.tug for ship in view.ships if ship.tug and ship.tug not in ordered}
        for tug, ships in ordered.items():
            self.tug_of |= {ship: tug for ship in ships if isinstance(ship, str)}

    def tugs_for(self, ship: Ship, fleet: Fleet) -> tuple[Target, ...]:
        """The tugs in the same hex, in the same state, that are great enough for a ship, each with its load.

        None for a ship that is in nobody's tow and has a drive of its own: it needs none.
        """
        cls = self.classes[ship.cls]
        if can_jump(cls, ship) and ship.key not in self.tug_of and not ship.tug:
            return ()
        mass = cls.mass
        return tuple(
            Target(tug.key, phrase("{}, MASS {} of {} taken", tug.name, self._load(tug), self.classes[tug.cls].room))
            for tug in self._tugs
            if tug.key != ship.key
            and max(self.classes[tug.cls].rooms(tug.lost)) >= mass
            and _state(self._fleets[tug.fleet]) == _state(fleet)
        )

    def _load(self, tug: Ship) -> int:
        towed = (key for key, by in self.tug_of.items() if by == tug.key and key in self._ships)
        return sum(self.classes[self._ships[key].cls].mass for key in towed)


def _state(fleet: Fleet) -> tuple[str, bool, bool]:
    return fleet.hex, fleet.in_ftl, fleet.must_leave


def tow_list(ships: Iterable[Ship], wanted: Mapping[str, str]) -> list[dict[str, Any]]:
    """The tow orders of a form: `wanted` says for each ship which tug is to have it, or none.

    A tug is named where what it has in tow changes; one named without ships puts down all.
    """
    ships = tuple(ships)
    after = {ship.key: wanted.get(ship.key, ship.tug) for ship in ships}
    changed = {ship.tug for ship in ships if after[ship.key] != ship.tug}
    changed |= {after[ship.key] for ship in ships if after[ship.key] != ship.tug}
    found: list[dict[str, Any]] = []
    for tug in sorted(changed - {""}):
        towed = [key for key, by in after.items() if by == tug]
        found.append({"tug": tug, "ships": towed} if towed else {"tug": tug})
    return found


def cargo_words(cargo: Cargo | None) -> str:
    """The cargo of a ship in words: 300 of 400 colonists."""
    return "" if cargo is None else phrase("{} of {} {}", cargo.left, cargo.amount, cargo.what)


def order(keys: Iterable[str]) -> list[str]:
    """Own keys in the order of their numbers."""
    return sorted(keys, key=lambda key: (*_split(key), key))


def _split(key: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.*?)([0-9]{1,9})", key)
    return (match[1], int(match[2])) if match else (key, 0)


def week_payload(view: View, posted: QueryDict) -> Payload:
    """The orders of a week."""
    fleets = {fleet.key: fleet for fleet in view.fleets}
    detach = _detach(view, fleets, posted)
    formed = {item["into"] for item in detach} - set(fleets)
    named = {name.partition("-")[2] for name in posted if name.startswith(names.NEW_FLEET) and text(posted, name)}
    new = order((named | formed) - set(fleets))
    left = _left(view, detach)
    kept = [key for key in fleets if key in left] + [key for key in new if key in formed]
    return _without_empty(
        {
            "settings": _settings(view, fleets, detach, kept, posted),
            "detach": detach,
            "dock": _dock(view, posted),
            "weasels": [ship.key for ship in view.ships if f"{names.WEASEL}{ship.key}" in posted],
            "decide": decide_list(((touch.hex, touch.toward) for touch in view.in_contact), posted),
            "moves": _moves([*fleets, *new], posted),
            "tow": tow_list(view.ships, _tugs(view, posted)),
            **orders_of_controls(_controls(kept, posted)),
        }
    )


def _controls(fleets: Iterable[str], posted: QueryDict) -> dict[str, dict[str, str]]:
    """What the controls that kinds of orders bring say of each fleet, by their names."""
    found: dict[str, dict[str, str]] = {fleet: {} for fleet in fleets}
    for name in posted:
        if name.startswith(names.CONTROL) and text(posted, name):
            control, _, fleet = name.removeprefix(names.CONTROL).partition("-")
            if fleet in found:
                found[fleet][control] = text(posted, name)
    return found


def _left(view: View, detach: Iterable[Payload]) -> set[str]:
    """The fleets that still have ships after these detachments; one that is merged has no settings."""
    into = {ship: str(item["into"]) for item in detach for ship in item["ships"]}
    return {into.get(ship.key, ship.fleet) for ship in view.ships}


def decisions_payload(view: View, posted: QueryDict) -> Payload:
    """The decisions of a week."""
    asked = ((item.hex, item.toward) for item in view.asked if item.fixed is None)
    return _without_empty({"decide": decide_list(asked, posted)})


def battles_payload(view: View, posted: QueryDict) -> Payload:
    """The doctrine of the fleets that fight this week."""
    settings = []
    for fleet in view.fleets:
        doctrine = doctrine_of(fleet.doctrine, fleet.key, posted)
        if doctrine is not None:
            settings.append({"fleet": fleet.key, "doctrine": doctrine})
    return _without_empty({"settings": settings})


def decide_list(about: Iterable[tuple[str, str]], posted: QueryDict) -> list[Payload]:
    """The choices given toward each faction at each hex; none given, none written."""
    found = []
    for hex_, toward in about:
        choice = text(posted, f"decide-{hex_}-{toward}")
        if choice:
            found.append({"hex": hex_, "toward": toward, "choice": choice})
    return found


def _without_empty(parts: Mapping[str, list[Any]]) -> Payload:
    return {"schema": 1} | {part: items for part, items in parts.items() if items}


def _detach(view: View, fleets: Mapping[str, Fleet], posted: QueryDict) -> list[Payload]:
    going: dict[str, list[str]] = {}
    tugs = _tugs(view, posted)
    goes = {
        ship.key: text(posted, f"{names.TO}{ship.key}") or text(posted, f"{names.MERGE}{ship.fleet}")
        for ship in view.ships
    }
    homes = {ship.key: ship.fleet for ship in view.ships}
    for ship in view.ships:
        tug = tugs.get(ship.key, "")  # a ship in tow goes to its tug's fleet, unless the form sends it elsewhere
        into = goes[ship.key] or (goes.get(tug) or homes.get(tug, "") if tug else "")
        if into and into != ship.fleet:
            going.setdefault(into, []).append(ship.key)
    found = []
    for into in order(going):
        item: Payload = {"ships": going[into], "into": into}
        name, along = text(posted, f"{names.NAME}{into}"), text(posted, f"{names.ALONG}{into}")
        if name and into not in fleets:
            item["name"] = name
        if along and along != "0":
            item["decoys"] = number(along)
        found.append(item)
    return found


def _tugs(view: View, posted: QueryDict) -> dict[str, str]:
    """What is to have each ship in tow that the form asks it of."""
    fields = {ship.key: f"{names.TOW}{ship.key}" for ship in view.ships}
    return {key: text(posted, name) for key, name in fields.items() if name in posted}


def _settings(
    view: View, fleets: Mapping[str, Fleet], detach: list[Payload], keys: Iterable[str], posted: QueryDict
) -> list[Payload]:
    home = {ship.key: ship.fleet for ship in view.ships}
    origin = {item["into"]: min(home[ship] for ship in item["ships"]) for item in detach}
    found = []
    for key in keys:
        before = fleets.get(key) or fleets.get(origin.get(key, ""))
        item: Payload = {"fleet": key}
        name = text(posted, f"{names.NAME}{key}")
        standing = text(posted, f"{names.STANDING}{key}")
        on = text(posted, f"{names.DECOYS_ON}{key}")
        if key in fleets and f"{names.NAME}{key}" in posted and name != fleets[key].name:
            item["name"] = name
        if standing and (before is None or standing != before.standing):
            item["standing"] = standing
        answers = answers_in(() if before is None else before.answers, key, posted)
        if answers is not None:
            item["answers"] = answers
        doctrine = doctrine_of(STANDARD if before is None else before.doctrine, key, posted)
        if doctrine is not None:
            item["doctrine"] = doctrine
        if on and on != "0":
            item["decoys_on"] = number(on)
        if len(item) > 1:
            found.append(item)
    return found


def answers_in(before: Sequence[Answer], key: str, posted: QueryDict) -> list[dict[str, Any]] | None:
    """The conditions of a fleet as the form says them; None where they are what they were, or not in the form."""
    if names.answer_field("choice", key, 0) not in posted:
        return None
    found = []
    for n in range(MOST_ANSWERS):
        parts = (text(posted, names.answer_field(part, key, n)) for part in names.ANSWER_PARTS)
        of, least, most, choice = parts
        if choice:
            found.append(condition(choice, of, number(least or "0"), number(most) if most else None))
    return None if found == as_given(before) else found


def doctrine_of(before: Doctrine, key: str, posted: QueryDict) -> Payload | None:
    """The doctrine in the form; None where it is what it was, or not in the form."""
    if f"{names.TARGETS}{key}" not in posted:
        return None
    given: Payload = {
        "range": number(text(posted, f"{names.RANGE}{key}")) if text(posted, f"{names.RANGE}{key}") else None,
        "targets": text(posted, f"{names.TARGETS}{key}"),
        "break_off": number(text(posted, f"{names.BREAK_OFF}{key}") or "100"),
        "flee": f"{names.FLEE}{key}" in posted,
    }
    return None if all(given[part] == getattr(before, part) for part in DOCTRINE_PARTS) else given


def _dock(view: View, posted: QueryDict) -> list[Payload]:
    found = []
    for ship in view.ships:
        repair = [str(system) for system in posted.getlist(f"{names.REPAIR}{ship.key}")]
        item: Payload = {"ship": ship.key}
        if repair:
            item["repair"] = repair
        for what, name in (("replenish", names.REPLENISH), ("scuttle", names.SCUTTLE)):
            if f"{name}{ship.key}" in posted:
                item[what] = True
        if f"{names.DOCK}{ship.key}" in posted or len(item) > 1:
            found.append(item)
    return found


def _moves(keys: Iterable[str], posted: QueryDict) -> list[Payload]:
    found = []
    for key in keys:
        to = text(posted, f"{names.MOVE}{key}")
        path = [label for label in re.split(r"[\s,;>→-]+", text(posted, f"{names.PATH}{key}")) if label]
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
