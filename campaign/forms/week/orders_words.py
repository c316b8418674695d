"""Orders in plain words, for who has to read back what he sealed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from campaign.forms.week.conditional_orders import answer_words
from campaign.forms.week.order_parts import TARGETS, choice_words, items, listed
from campaign.forms.week.rearming import rearm_words
from campaign.rules.fleet_names import new_fleet_name
from campaign.rules.queries import plain_class
from campaign.rules.scenario import Scenario
from campaign.rules.view import View, Work
from campaign.web.seat_marks import power_names
from campaign.words.sayings import place_words
from engine.core.phrase import joined_phrases, phrase
from engine.english import capital, counted_noun, system_words

# what a key that names nothing of the faction any more begins with, after the faction's own -> what it named
GONE = {"f": phrase("a fleet that is gone"), "s": phrase("a ship that is gone"), "d": phrase("a counter that is gone")}


def orders_words(scenario: Scenario, view: View, payload: Mapping[str, Any]) -> tuple[str, ...]:
    """One line an order, in the order of the parts; an empty payload says so. What cannot be read stays as it is."""
    names = {fleet.key: fleet.name for fleet in view.fleets} | {ship.key: ship.name for ship in view.ships}
    names |= {dummy.key: dummy.name for dummy in view.dummies}
    for item in items(payload, "detach"):
        into = str(item.get("into"))
        names.setdefault(into, str(item.get("name") or new_fleet_name(into)))
    powers = power_names(scenario)

    def named(key: object) -> str:
        part = str(key).rpartition("/")[2]
        gone = next((words for mark, words in GONE.items() if part.startswith(mark)), str(key))
        return names.get(str(key), gone)

    def place(label: object) -> str:
        return place_words(scenario, str(label))

    lines = [_deployed(scenario, item) for item in items(payload, "deploy")]
    lines += [phrase("{} is your own design", item.get("class")) for item in items(payload, "designs")]
    for item in items(payload, "dummies"):
        name = names.setdefault(str(item.get("dummy")), f"dummy {str(item.get('dummy')).rpartition('/d')[2]}")
        done = phrase("removed from the map") if item.get("remove") else phrase("placed at {}", place(item.get("hex")))
        lines.append(phrase("{} is {}", capital(name), done))
    for item in items(payload, "settings"):
        lines += _setting(named(item.get("fleet")), item)
    for item in items(payload, "detach"):
        ships = joined_phrases(", ", (named(key) for key in listed(item.get("ships"))))
        line = phrase("{} → {}", ships, named(item.get("into")))
        lines.append(phrase("{}, with {}", line, _decoys(item["decoys"])) if item.get("decoys") else line)
    for item in items(payload, "dock"):
        lines.append(phrase("{} {}", named(item.get("ship")), _dock(item)))
    lines += [_built(scenario, named, item) for item in items(payload, "build")]
    works = {work.key: work for work in view.works}
    for key in listed(payload.get("cancel")):
        work = works.get(str(key))
        lines.append(
            phrase("Work that is done is cancelled") if work is None else phrase("{} is cancelled", _work(named, work))
        )
    lines += [rearm_words(named(item.get("ship")), item) for item in items(payload, "refit")]
    for item in items(payload, "tow"):
        towed = joined_phrases(", ", (named(key) for key in listed(item.get("ships"))))
        lines.append(
            f"{named(item.get('tug'))} " + (phrase("has {} in tow", towed) if towed else phrase("casts off its tow"))
        )
    weasels = payload.get("weasels")
    lines += [phrase("{} switches its weasel on", named(key)) for key in listed(weasels)]
    for item in items(payload, "decide"):
        toward = powers.get(str(item.get("toward")), str(item.get("toward")))
        lines.append(
            phrase("At {}: {} toward {}", place(item.get("hex")), choice_words(str(item.get("choice"))), toward)
        )
    for item in items(payload, "moves"):
        path = listed(item.get("path"))
        fleet, goal = named(item.get("fleet")), place(item.get("to") or (path[-1] if path else "?"))
        way = " ".join(str(label) for label in path)
        lines.append(phrase("{} moves to {} by {}", fleet, goal, way) if way else phrase("{} moves to {}", fleet, goal))
    return tuple(lines) or (phrase("No orders: nothing changes."),)


def _deployed(scenario: Scenario, item: Mapping[str, Any]) -> str:
    counts: dict[str, int] = {}
    for ship in listed(item.get("ships")):
        if isinstance(ship, list) and ship:
            counts[str(ship[0])] = counts.get(str(ship[0]), 0) + 1
    ships = joined_phrases(
        ", ", (phrase("{} × {}", count, plain_class(cls)) for cls, count in counts.items())
    ) or phrase("no ships")
    if item.get("decoys"):
        ships = joined_phrases(", ", (ships, _decoys(item["decoys"])))
    return phrase("{} at {}: {}", item.get("name"), place_words(scenario, str(item.get("hex"))), ships)


def _built(scenario: Scenario, named: Callable[[object], str], item: Mapping[str, Any]) -> str:
    where, cls = place_words(scenario, str(item.get("hex"))), plain_class(str(item.get("cls")))
    if item.get("ship"):
        return phrase("The yard at {} rebuilds {} as {}", where, named(item.get("ship")), cls)
    return phrase("The yard at {} builds {}, {}", where, item.get("name"), cls)


def _work(named: Callable[[object], str], work: Work) -> str:
    return phrase("Rebuilding {}", named(work.ship)) if work.ship else phrase("Building {}", work.name)


def _decoys(many: object) -> str:
    return counted_noun(many, "decoy") if isinstance(many, int) else phrase("{} decoys", many)


def _setting(name: str, item: Mapping[str, Any]) -> list[str]:
    lines = []
    if item.get("name") is not None:
        lines.append(phrase("{} is renamed {}", name, item["name"]))
    if item.get("standing"):
        lines.append(phrase("{}: standing order {}", name, choice_words(str(item["standing"]))))
    if item.get("answers") is not None:
        conditions = joined_phrases("; ", map(answer_words, items(item, "answers")))
        lines.append(
            phrase("{}: {}", name, conditions) if conditions else phrase("{}: its conditions are taken back", name)
        )
    if item.get("decoys_on"):
        lines.append(phrase("{} deploys {} on arrival", name, _decoys(item["decoys_on"])))
    doctrine = item.get("doctrine")
    if isinstance(doctrine, dict):
        lines.append(phrase("{}: in battle {}", name, doctrine_words(doctrine)))
    return lines


def doctrine_words(doctrine: Mapping[str, Any]) -> str:
    """A doctrine in one line."""
    range_ = doctrine.get("range")
    off = doctrine.get("break_off", 60)
    targets = str(doctrine.get("targets", "dangerous"))
    parts = [
        phrase("fights at its weapons' best range") if range_ is None else phrase("fights at {} MU", range_),
        phrase("fires at {}", dict(TARGETS).get(targets, targets)),
        phrase("never breaks off") if off == 100 else phrase("breaks off at losses of {}%", off),
    ]
    if doctrine.get("flee"):
        parts.append(phrase("withdraws at once"))
    return joined_phrases(", ", parts)


def _dock(item: Mapping[str, Any]) -> str:
    parts = ["docks"]
    repair = listed(item.get("repair"))
    if repair:
        parts.append("repairs " + joined_phrases(", ", (system_words(str(system)) for system in repair)))
    if item.get("replenish"):
        parts.append("replenishes")
    if item.get("scuttle"):
        parts.append(phrase("is scuttled rather than captured"))
    return joined_phrases(", ", parts)
