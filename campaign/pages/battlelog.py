"""A battle as one side saw it, turn by turn: who was where, what happened, in words. From that side's report alone.

Ships of others are called by what is known of them: `Bogey 3f2a` until identified, then their class and a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.orderform import system_words

SCALE = 10  # of the drawing, for each MU
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
    """What the viewer calls the ships of a battle."""

    known: Mapping[str, str]

    def of(self, ship: object) -> str:
        key = str(ship)
        return self.known.get(key) or f"Bogey {key[:4]}"

    def many(self, ships: Iterable[object]) -> str:
        return ", ".join(self.of(ship) for ship in ships)


@dataclass(frozen=True, slots=True)
class Piece:
    """A ship on the drawing. `track`: the path of its move this turn; `points`: its arrowhead."""

    id: str
    name: str
    side: str
    x: str
    y: str
    turn: int
    track: str
    bogey: bool
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log. `kind` colours it; `detail`: the dice."""

    kind: str
    words: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Fire:
    """A shot on the drawing."""

    x1: str
    y1: str
    x2: str
    y2: str
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


def names_of(body: Mapping[str, Any], own: Mapping[str, str]) -> Names:
    """The names of all ships in a battle report. `own`: the viewer's ships by key."""
    known: dict[str, str] = {}
    used: dict[str, int] = {}
    allied = 0
    for stop in _stops(body):
        for key in sorted(stop["own"]):
            if key not in known:
                allied += key not in own
                known[key] = own.get(key) or f"Allied ship {allied}"
        for contact in stop["contacts"]:
            if "class" in contact and contact["id"] not in known:
                cls = str(contact["class"])
                used[cls] = used.get(cls, 0) + 1
                known[contact["id"]] = f"{cls} {_letter(used[cls])}"
    return Names(known)


def _letter(n: int) -> str:
    return chr(64 + n) if n <= 26 else str(n)


def _stops(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [stop for stop in body["stops"] if stop]


def turn_numbers(body: Mapping[str, Any]) -> tuple[int, ...]:
    """The turns of a battle, in order."""
    return tuple(sorted({int(stop["turn"]) for stop in _stops(body)}))


def turn_of(body: Mapping[str, Any], names: Names, number: int, height: float) -> Turn:
    """One turn as the viewer saw it. `height`: of the table, in MU; the drawing has its y downwards."""
    stops = [stop for stop in _stops(body) if stop["turn"] == number]
    log = [event for stop in stops for event in stop["log"]]
    tracks = {event["ship"]: _track(event["path"], height) for event in log if event["event"] == "moved"}
    own = set(stops[0]["own"])
    last = stops[-1]
    there = [(key, ship) for key, ship in sorted(last["own"].items()) if ship["status"] == "fighting"]
    pieces = [_own_piece(key, ship, names, tracks, height) for key, ship in there]
    pieces += [_contact_piece(contact, names, tracks, height) for contact in last["contacts"]]
    spots = {piece.id: piece for piece in pieces}
    moves = [line for event in log if event["event"] == "moved" and (line := _line(event, names))]
    lines = [line for event in log if event["event"] != "moved" and (line := _line(event, names))]
    return Turn(number, tuple(pieces), tuple(_fire(log, spots, own)), tuple(moves), tuple(lines))


def _own_piece(key: str, ship: Mapping[str, Any], names: Names, tracks: Mapping[str, str], height: float) -> Piece:
    words = f"{names.of(key)}, velocity {ship['velocity']}"
    if ship["damage"]:
        words += f", {ship['damage']} damage"
    x, y = ship["at"]
    turn = int(ship["course"]) % 12 * 30
    return Piece(key, names.of(key), "own", _units(x), _units(height - y), turn, tracks.get(key, ""), False, words)


def _contact_piece(contact: Mapping[str, Any], names: Names, tracks: Mapping[str, str], height: float) -> Piece:
    bogey, key = "class" not in contact, str(contact["id"])
    name = names.of(key)
    words = f"{name}, {contact['classification']}, velocity {contact['velocity']}"
    if contact.get("damage"):
        words += f", {contact['damage']} damage"
    x, y = contact["at"]
    turn = int(contact["course"]) % 12 * 30
    return Piece(key, name, "foe", _units(x), _units(height - y), turn, tracks.get(key, ""), bogey, words)


def _track(path: Iterable[tuple[float, float]], height: float) -> str:
    return "M" + " ".join(f"{_units(x)} {_units(height - y)}" for x, y in path)


def _units(value: float) -> str:
    return f"{value * SCALE:.0f}"


def _fire(log: Iterable[Mapping[str, Any]], spots: Mapping[str, Piece], own: set[str]) -> list[Fire]:
    shots: dict[tuple[str, str], bool] = {}
    for event in log:
        if event["event"] == "shot":
            pair = str(event["ship"]), str(event["target"])
            shots[pair] = shots.get(pair, False) or bool(event["hits"])
    return [
        Fire(spots[a].x, spots[a].y, spots[b].x, spots[b].y, hit, a in own)
        for (a, b), hit in shots.items()
        if a in spots and b in spots
    ]


def _line(event: Mapping[str, Any], names: Names) -> Line | None:
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
        return Line(kind, f"Bogey {str(event['contact'])[:4]} is identified: {event['cls']}")
    if kind == "dummy-found":
        return Line(kind, f"Bogey {str(event['contact'])[:4]} was a decoy drone")
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


def fates(body: Mapping[str, Any], names: Names, classes: Mapping[str, str]) -> tuple[Fate, ...]:
    """Every ship the viewer saw, with its end. `classes`: of the viewer's own ships by key."""
    stops = _stops(body)
    ends: dict[str, str] = {}
    marks: dict[str, int] = {}
    lost: dict[str, list[str]] = {}
    for stop in stops:
        for event in stop["log"]:
            key = str(event.get("ship", ""))
            if event["event"] == "destroyed" or (event["event"] == "ftl-exit" and event["outcome"] == "exploded"):
                ends[key] = "destroyed"
            elif event["event"] == "ftl-exit" and event["outcome"] in ("safe", "blast-others"):
                ends[key] = "left under FTL"
            elif event["event"] == "left-table":
                ends[key] = "left the field"
            elif event["event"] == "returned":
                ends.pop(key, None)
            elif event["event"] == "dummy-found":
                ends[str(event["contact"])] = "decoy"
            elif event["event"] == "damaged":
                marks[key] = int(event["total"])
            elif event["event"] == "threshold":
                lost.setdefault(key, []).extend(str(system) for system in event["lost"])
    own = sorted({key for stop in stops for key in stop["own"]}, key=names.of)
    others: dict[str, str] = {}
    for stop in stops:
        others |= {
            str(contact["id"]): str(contact.get("class", contact["classification"])) for contact in stop["contacts"]
        }

    def fate(key: str, cls: str, mine: bool) -> Fate:
        gone = ", ".join(system_words(system) for system in lost.get(key, ()))
        return Fate(names.of(key), cls, mine, marks.get(key, 0), gone, ends.get(key, ""))

    found = [fate(key, classes.get(key, "ship"), True) for key in own]
    return (*found, *(fate(key, others[key], False) for key in sorted(others, key=names.of)))
