"""A battle's log in words, as one side reads it: every ship under the name by which that side knows it.

Ships of others are called by what is known of them: `Bogey 3f2a` until identified, then their class and a letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.pages.orderparts import system_words

EDGES = {"top": "upper", "bottom": "lower", "left": "left", "right": "right"}
EXITS = {
    "safe": "jumps to FTL safely",
    "failed": "fails to jump",
    "no-drive": "cannot jump: its drive is out",
    "blast-others": "jumps, and the blast strikes what is near",
    "exploded": "is torn apart by its own FTL jump",
}


@dataclass(frozen=True, slots=True)
class Names:
    """What the viewer calls the ships of a battle. `hidden`: those not identified yet where the log has come to."""

    known: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)

    def of(self, ship: object) -> str:
        key = str(ship)
        return bogey(key) if key in self.hidden else self.known.get(key, bogey(key))

    def at(self, stop: Mapping[str, Any]) -> Names:
        """The names as they were when a stop began: a bogey stays a bogey until it is scanned."""
        seen = {str(contact["id"]) for contact in stop["contacts"] if "class" in contact} | set(stop["own"])
        return Names(self.known, set(self.known) - seen)


def bogey(code: str) -> str:
    """What an unidentified contact is called."""
    return f"Bogey {code[:4]}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log. `kind` colours it; `detail`: the dice."""

    kind: str
    words: str
    detail: str = ""


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


def line_of(event: Mapping[str, Any], names: Names) -> Line | None:
    """A log line in words; None for what says nothing to a reader."""
    kind, ship = event["event"], names.of(event.get("ship", ""))
    dice = " ".join(str(die) for die in event.get("dice", ()))
    if kind == "moved":
        return Line(kind, f"{ship} moves to course {event['course']}, velocity {event['velocity']}")
    if kind == "shot":
        hits = event["hits"]
        made = "misses" if not hits else f"hits for {hits}"
        shields = f", screens {event['screens']}" if event["screens"] else ""
        words = f"{ship} fires {system_words(event['weapon'])} at {names.of(event['target'])} and {made}"
        return Line(
            "hit" if hits else "miss", words, f"{event['range']:.0f} MU, arc {event['arc']}{shields}, dice {dice}"
        )
    if kind == "damaged":
        return Line(kind, f"{ship} takes {event['points']} ({event['total']} in all)")
    if kind == "threshold":
        lost = ", ".join(system_words(system) for system in event["lost"])
        rolls = ", ".join(f"{system_words(system)} {die}" for system, die in event["rolls"])
        return Line(
            kind,
            f"{ship} checks its systems: {'loses ' + lost if lost else 'all hold'}",
            f"lost on {event['loses_on']}+: {rolls}",
        )
    if kind == "destroyed":
        return Line(kind, f"{ship} is destroyed")
    if kind == "revealed":
        if event["ship"] != event["contact"]:
            return Line(kind, f"{ship} is identified by the other side")
        return Line(kind, f"{bogey(event['contact'])} is identified: {ship}")
    if kind == "dummy-found":
        if event["ship"] != event["contact"]:
            return Line(kind, f"{ship} is found out by the other side")
        return Line(kind, f"{bogey(event['contact'])} was a decoy drone")
    if kind == "left-table":
        back = "does not come back" if not event["due"] else f"may come back in turn {event['due']}"
        return Line(
            kind,
            f"{ship} leaves over the {EDGES.get(event['edge'], event['edge'])} edge and {back}",
            f"die {event['die']}",
        )
    if kind == "returned":
        return Line(kind, f"{ship} comes back")
    if kind == "gave-up":
        return Line(kind, f"{ship} stays away for good")
    if kind == "ftl-warming":
        return Line(kind, f"{ship} warms up its FTL drive")
    if kind == "ftl-exit":
        return Line(
            kind,
            f"{ship} {EXITS.get(event['outcome'], event['outcome'])}",
            f"die {event['die']}" if event["die"] else "",
        )
    if kind == "initiative":
        rolls = ", ".join(f"{side} {die}" for side, die in event["rolls"])
        return Line(kind, f"Fire order: {', '.join(event['order'])}", f"dice {rolls}")
    if kind == "order-refused":
        return Line(kind, f"{ship} cannot carry out {event['order']}: {event['why']}")
    if kind == "shot-refused":
        return Line(kind, f"{ship} holds the fire of {system_words(event['weapon'])}: {event['why']}")
    if kind == "arc":
        return Line(kind, f"{ship} takes {names.of(event['target'])} in arc {event['arc']}", f"die {event['die']}")
    if kind == "battle-over":
        return Line(kind, f"The battle is over: {event['why']}")
    return None
