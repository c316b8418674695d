"""A battle's log in words, as one side reads it: every ship under the name by which that side knows it.

A ship of others has one name before the battle, in it and afterwards: what is known of it and the beginning of its
contact code, `Bogey 3f2a` until it is identified, then `Destroyer 3f2a`, also when it is gone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.pages.battlesayings import Line, line_of
from engine.sequences import asks

__all__ = ["Line", "Names", "contact_name", "line_of", "names_of", "own_names", "stops_of"]
BAY, FLIGHT = "fighter-bay-", "flight-"
CODE = re.compile(r"[0-9a-f]{10}")
ORDER = tuple(ask.key for ask in asks())
When = tuple[int, int, int]  # of an identification: turn, stop of the turn, 0 at its beginning or 1 in it


@dataclass(frozen=True, slots=True)
class Names:
    """What the viewer calls the ships of a battle. `hidden`: those not identified yet where the log has come to.

    `since`: when each was identified; `drones`: his own side's decoy drones.
    """

    known: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)
    since: Mapping[str, When] = field(default_factory=dict)
    drones: frozenset[str] = frozenset()

    def of(self, ship: object) -> str:
        """A ship, a fighter group (`n1/fighter-bay-1`, or the others' `flight-3`) or what else a log names."""
        key = str(ship)
        home, _, part = key.rpartition("/")
        if key.startswith(FLIGHT) and key not in self.known:
            return f"fighters {key.removeprefix(FLIGHT)}"
        if home and part.startswith(BAY):
            return f"{self.of(home)}'s fighters ({part.removeprefix(BAY)})"
        return contact_name(key) if key in self.hidden else self.known.get(key, contact_name(key))

    def bogey(self, code: object) -> str:
        """What an unidentified contact is called."""
        return contact_name(str(code))

    def at(self, stop: Mapping[str, Any]) -> Names:
        """The names as they were when a stop began: a bogey stays a bogey until it is scanned, and no longer."""
        now = _when(stop, 0)
        hidden = {code for code, when in self.since.items() if when > now}
        return Names(self.known, hidden, self.since, self.drones)


def contact_name(code: str, cls: str = "Bogey") -> str:
    """What a ship of others is called. `cls`: its class, once it is identified."""
    tag = code if CODE.fullmatch(code) else hashlib.sha256(code.encode()).hexdigest()
    return f"{cls} {tag[:4]}"


def own_names(ships: Iterable[tuple[str, bool]], own: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """The names of a side's own ships, by keys each with whether it is a drone; and the drones.

    `own`: the viewer's ships by key; what is neither his nor a drone is an ally's.
    """
    known: dict[str, str] = {}
    drones: list[str] = []
    allied = 0
    for key, dummy in ships:
        if key in own:
            known[key] = own[key]
        elif dummy:
            drones.append(key)
            known[key] = f"Decoy {len(drones)}"
        else:
            allied += 1
            known[key] = f"Allied ship {allied}"
    return known, frozenset(drones)


def names_of(body: Mapping[str, Any], own: Mapping[str, str]) -> Names:
    """The names of all ships in a battle report, or in what was told so far. `own`: the viewer's ships by key."""
    known: dict[str, str] = {}
    since: dict[str, When] = {}

    def identified(code: str, cls: str, when: When) -> None:
        if code not in since:
            since[code], known[code] = when, contact_name(code, cls)

    ours: dict[str, bool] = {}
    for stop in stops_of(body):
        for key in sorted(stop["own"]):
            ours.setdefault(key, bool(stop["own"][key].get("dummy")))
        for contact in stop["contacts"]:
            if "class" in contact:
                identified(str(contact["id"]), str(contact["class"]), _when(stop, 0))
        for event in stop["log"]:
            if event["event"] == "revealed" and event["ship"] not in stop["own"]:
                identified(str(event["ship"]), str(event["cls"]), _when(stop, 1))
    named, drones = own_names(ours.items(), own)
    return Names({**known, **named}, since=since, drones=drones)


def _when(stop: Mapping[str, Any], part: int) -> When:
    kind = stop.get("stop")
    return int(stop["turn"]), ORDER.index(kind) if kind in ORDER else len(ORDER), part


def stops_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a battle this side was at."""
    return [stop for stop in body["stops"] if stop]
