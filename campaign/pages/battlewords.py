"""A battle's log in words, as one side reads it: every ship under the name by which that side knows it.

Ships of others are called by what is known of them: `Bogey 3f2a` until identified, then their class and a letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.pages.battlesayings import Line, line_of

__all__ = ["Line", "Names", "bogey", "is_drone", "line_of", "names_of", "stops_of"]
BAY, FLIGHT = "fighter-bay-", "flight-"


@dataclass(frozen=True, slots=True)
class Names:
    """What the viewer calls the ships of a battle. `hidden`: those not identified yet where the log has come to."""

    known: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)

    def of(self, ship: object) -> str:
        """A ship, a fighter group (`n1/fighter-bay-1`, or the others' `flight-3`) or what else a log names."""
        key = str(ship)
        home, _, part = key.rpartition("/")
        if key.startswith(FLIGHT) and key not in self.known:
            return f"fighters {key.removeprefix(FLIGHT)}"
        if home and part.startswith(BAY):
            return f"{self.of(home)}'s fighters ({part.removeprefix(BAY)})"
        return bogey(key) if key in self.hidden else self.known.get(key, bogey(key))

    def bogey(self, code: object) -> str:
        """What an unidentified contact is called."""
        return bogey(str(code))

    def at(self, stop: Mapping[str, Any]) -> Names:
        """The names as they were when a stop began: a bogey stays a bogey until it is scanned."""
        seen = {str(contact["id"]) for contact in stop["contacts"] if "class" in contact} | set(stop["own"])
        return Names(self.known, set(self.known) - seen)


def bogey(code: str) -> str:
    """What an unidentified contact is called."""
    return f"Bogey {code[:4]}"


def names_of(body: Mapping[str, Any], own: Mapping[str, str]) -> Names:
    """The names of all ships in a battle report. `own`: the viewer's ships by key."""
    known: dict[str, str] = {}
    used: dict[str, int] = {}
    allied = drones = 0

    def identified(code: str, cls: str) -> None:
        if code not in known:
            used[cls] = used.get(cls, 0) + 1
            known[code] = f"{cls} {_letter(used[cls])}"

    for stop in stops_of(body):
        for key in sorted(stop["own"]):
            if key not in known:
                drones += is_drone(key)
                allied += key not in own and not is_drone(key)
                known[key] = own.get(key) or (f"Decoy {drones}" if is_drone(key) else f"Allied ship {allied}")
        for contact in stop["contacts"]:
            if "class" in contact:
                identified(str(contact["id"]), str(contact["class"]))
        for event in stop["log"]:
            if event["event"] == "revealed" and event["ship"] not in stop["own"]:
                identified(str(event["ship"]), str(event["cls"]))
    return Names(known)


def is_drone(key: str) -> bool:
    """Whether a key of one's own side is a decoy drone's."""
    return "/d" in key


def _letter(n: int) -> str:
    return chr(64 + n) if n <= 26 else str(n)


def stops_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a battle this side was at."""
    return [stop for stop in body["stops"] if stop]
