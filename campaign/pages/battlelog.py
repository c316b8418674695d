"""A battle as one side saw it, turn by turn: who was where, what happened, in words. From that side's report alone.

Ships of others are called as `campaign.pages.battlewords` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaign.pages.battlewords import Line, Names, line_of, stops_of
from engine.english import system_words

DESTROYED = "destroyed"
SHOTS = ("shot", "fire")  # events that are drawn as lines from who fires to whom
ON_TABLE = ("fighting", "hulk", "cloaked")
ENTERED = {"fighting": "", "left": "left the table", "ftl": "left under FTL", "scanned": "was a decoy"}
SCALE = 10  # of the drawing, for each MU


@dataclass(frozen=True, slots=True)
class Piece:
    """A ship on the drawing. `turn` in degrees; `track`: the path of its move; `label`: with its name beside it."""

    id: str
    name: str
    side: str
    x: int
    y: int
    turn: int
    track: str
    bogey: bool
    words: str
    label: bool


@dataclass(frozen=True, slots=True)
class Fire:
    """A shot on the drawing."""

    x1: int
    y1: int
    x2: int
    y2: int
    hit: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Turn:
    number: int
    pieces: tuple[Piece, ...]
    fire: tuple[Fire, ...]
    moves: tuple[Line, ...]
    lines: tuple[Line, ...]

    @property
    def quiet(self) -> bool:
        return not self.lines


@dataclass(frozen=True, slots=True)
class Fate:
    """A ship at the end, as far as the viewer saw. `how` is empty where it still fights."""

    name: str
    cls: str
    own: bool
    damage: int
    lost: str
    how: str


def turn_numbers(body: Mapping[str, Any]) -> tuple[int, ...]:
    """The turns of a battle, in order."""
    return tuple(sorted({int(stop["turn"]) for stop in stops_of(body)}))


def turn_of(body: Mapping[str, Any], names: Names, number: int, height: float) -> Turn:
    """One turn as the viewer saw it. `height`: of the table, in MU; the drawing has its y downwards."""
    stops = [stop for stop in stops_of(body) if stop["turn"] == number]
    log = [event for stop in stops for event in stop["log"]]
    tracks = {event["ship"]: _track(event["path"], height) for event in log if event["event"] == "moved"}
    own = set(stops[0]["own"])
    last = stops[-1]
    told = [line for stop in stops for line in _told(stop, names.at(stop))]
    names = names.at(last)
    there = [(key, ship) for key, ship in sorted(last["own"].items()) if ship["status"] in ON_TABLE]
    pieces = [_own_piece(key, ship, names, tracks, height) for key, ship in there]
    pieces += [_contact_piece(contact, names, tracks, height) for contact in last["contacts"]]
    spots = {piece.id: piece for piece in pieces}
    firing = {event[part] for event in log if event["event"] in SHOTS for part in ("ship", "target")}
    pieces = [replace(piece, label=piece.side != "own" or piece.id in firing) for piece in pieces]
    moves = [line for line in told if line.kind == "moved"]
    lines = [line for line in told if line.kind != "moved"]
    return Turn(number, tuple(pieces), tuple(_fire(log, spots, own)), tuple(moves), tuple(lines))


def _told(stop: Mapping[str, Any], names: Names) -> Iterable[Line]:
    for event in stop["log"]:
        if event["event"] == "revealed":
            names.hidden.discard(event["ship"])
        line = line_of(event, names)
        if line is not None:
            yield line


def _own_piece(key: str, ship: Mapping[str, Any], names: Names, tracks: Mapping[str, str], height: float) -> Piece:
    words = f"{names.of(key)}, velocity {ship['velocity']}"
    if ship["damage"]:
        words += f", {ship['damage']} damage"
    x, y = ship["at"]
    turn = int(ship["course"]) % 12 * 30
    return Piece(key, names.of(key), "own", units(x), units(height - y), turn, tracks.get(key, ""), False, words, False)


def _contact_piece(contact: Mapping[str, Any], names: Names, tracks: Mapping[str, str], height: float) -> Piece:
    unknown, key = "class" not in contact, str(contact["id"])
    name = names.of(key)
    velocity = "unknown" if contact["velocity"] is None else contact["velocity"]
    words = f"{name}, {contact['classification']}, velocity {velocity}"
    if contact.get("damage"):
        words += f", {contact['damage']} damage"
    x, y = contact["at"]
    turn = int(contact["course"]) % 12 * 30
    return Piece(key, name, "foe", units(x), units(height - y), turn, tracks.get(key, ""), unknown, words, True)


def _track(path: Iterable[tuple[float, float]], height: float) -> str:
    return "M" + " ".join(f"{units(x)} {units(height - y)}" for x, y in path)


def units(value: float) -> int:
    """A length of the table, in MU, on the drawing."""
    return round(value * SCALE)


def _fire(log: Iterable[Mapping[str, Any]], spots: Mapping[str, Piece], own: set[str]) -> list[Fire]:
    shots: dict[tuple[str, str], bool] = {}
    for event in log:
        if event["event"] in SHOTS:
            pair = str(event["ship"]), str(event["target"])
            shots[pair] = shots.get(pair, False) or bool(event["hits"])
    return [
        Fire(spots[a].x, spots[a].y, spots[b].x, spots[b].y, hit, a in own)
        for (a, b), hit in shots.items()
        if a in spots and b in spots
    ]


def fates(body: Mapping[str, Any], names: Names, classes: Mapping[str, str]) -> tuple[Fate, ...]:
    """Every ship the viewer saw, with its end. `classes`: of the viewer's own ships by key."""
    stops = stops_of(body)
    ends: dict[str, str] = {}
    marks: dict[str, int] = {}
    lost: dict[str, list[str]] = {}
    for stop in stops:
        for event in stop["log"]:
            key = str(event.get("ship", ""))
            if event["event"] == "destroyed" or (event["event"] == "ftl-exit" and event["outcome"] == "exploded"):
                ends[key] = DESTROYED
            elif event["event"] == "ftl-exit" and event["outcome"] in ("safe", "blast-others", "strained"):
                ends[key] = "left under FTL"
            elif event["event"] == "left-table":
                ends[key] = "left the table"
            elif event["event"] == "adrift":
                ends[key] = "adrift"
            elif event["event"] == "repair" and event["done"] and event["system"] in lost.get(key, ()):
                lost[key].remove(event["system"])
            elif event["event"] in ("system-check", "system-lost"):
                lost.setdefault(key, []).extend(event["lost"] if "lost" in event else [event["system"]])
            elif event["event"] == "returned":
                ends.pop(key, None)
            elif event["event"] == "dummy-found":
                ends[key] = "was a decoy"
            elif event["event"] == "damaged":
                marks[key] = int(event["total"])
            elif event["event"] == "threshold":
                lost.setdefault(key, []).extend(str(system) for system in event["lost"])
            elif event["event"] == "entered":
                ends[key] = ENTERED.get(event["status"], event["status"])
                marks[key], lost[key] = int(event["damage"]), list(event["lost"])
    own = sorted({key for stop in stops for key in stop["own"]}, key=names.of)
    others: dict[str, str] = {}
    for stop in stops:
        others |= {
            str(contact["id"]): str(contact.get("class", contact["classification"])) for contact in stop["contacts"]
        }

    def fate(key: str, cls: str, mine: bool) -> Fate:
        gone = ", ".join(system_words(system) for system in lost.get(key, ()))
        return Fate(names.of(key), cls, mine, marks.get(key, 0), gone, ends.get(key, ""))

    found = [fate(key, classes.get(key, "decoy drone" if key in names.drones else "ally's ship"), True) for key in own]
    return (*found, *(fate(key, others[key], False) for key in sorted(others, key=names.of)))
