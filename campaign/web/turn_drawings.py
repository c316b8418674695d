"""A turn of a battle from one side's report: a drawing of ships, moves and shots, and log lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaign.words.battle.log import LogLine, SideNames, line_of, phases_of
from campaign.words.battle.scans import facts_of_contact, sheet_facts_words
from engine.core.kinds import CLOAKED, FIGHTING, HULK
from engine.core.phrase import join_phrases, phrase
from engine.english import kind_words
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired
from engine.events.movement import ShipMoved
from engine.view.event_reader import read_events

SCALE = 10  # drawing units per MU
ON_TABLE = (FIGHTING, HULK, CLOAKED)
SHOTS = (BeamsFired, GunFired)  # events drawn as lines from the firing ship to its target


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A ship on the drawing."""

    id: str
    name: str
    side: str
    x: int
    y: int
    turn: int  # degrees
    track: str  # SVG path of its move
    is_bogey: bool
    words: str
    has_label: bool  # its name is shown beside it


@dataclass(frozen=True, slots=True)
class FireLine:
    """A shot on the drawing."""

    x1: int
    y1: int
    x2: int
    y2: int
    is_hit: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class TurnDrawing:
    """A turn: its drawing after the last phase, the log lines of moves, and the other log lines."""

    number: int
    pieces: tuple[TablePiece, ...]
    fire: tuple[FireLine, ...]
    moves: tuple[LogLine, ...]
    lines: tuple[LogLine, ...]

    @property
    def is_quiet(self) -> bool:
        return not self.lines


def turn_drawing(
    body: Mapping[str, Any], names: SideNames, number: int, height: float
) -> TurnDrawing:
    """Return one turn as the viewer saw it.

    Args:
        height: Of the table in MU; the drawing's y axis points down.
    """
    phases = [phase for phase in phases_of(body) if phase["turn"] == number]
    logs = [read_events(phase["log"]) for phase in phases]
    log = []
    for events in logs:
        for event in events:
            log.append(event)
    tracks = {}
    for event in log:
        if isinstance(event, ShipMoved):
            tracks[str(event.ship)] = _track(event.path, height)
    own_ids = set(phases[0]["own"])
    last = phases[-1]
    log_lines = []
    for phase, events in zip(phases, logs, strict=True):
        for line in _log_lines(events, names.at(phase)):
            log_lines.append(line)
    names = names.at(last)
    there = []
    for key, ship in sorted(last["own"].items()):
        if ship["status"] in ON_TABLE:
            there.append((key, ship))
    pieces = [_own_piece(key, ship, names, tracks, height) for key, ship in there]
    pieces += [_contact_piece(contact, names, tracks, height) for contact in last["contacts"]]
    spots = {piece.id: piece for piece in pieces}
    shots = [event for event in log if isinstance(event, SHOTS)]
    firing = {str(event.ship) for event in shots} | {event.target for event in shots}
    pieces = [
        replace(piece, has_label=piece.side != "own" or piece.id in firing) for piece in pieces
    ]
    moves = [line for line in log_lines if line.kind == "moved"]
    lines = [line for line in log_lines if line.kind != "moved"]
    return TurnDrawing(
        number, tuple(pieces), tuple(_fire_lines(shots, spots, own_ids)), tuple(moves), tuple(lines)
    )


def _log_lines(events: Iterable[Event], names: SideNames) -> Iterable[LogLine]:
    for event in events:
        if isinstance(event, ContactIdentified):
            names.hidden.discard(event.ship)
        line = line_of(event, names)
        if line is not None:
            yield line


def _own_piece(
    key: str, ship: Mapping[str, Any], names: SideNames, tracks: Mapping[str, str], height: float
) -> TablePiece:
    words = phrase("{}, velocity {}", names.of(key), ship["velocity"])
    if ship["damage"]:
        words = phrase("{}, {} damage", words, ship["damage"])
    x, y = ship["at"]
    turn = int(ship["course"]) % 12 * 30
    return TablePiece(
        key,
        names.of(key),
        "own",
        units(x),
        units(height - y),
        turn,
        tracks.get(key, ""),
        False,
        words,
        False,
    )


def _contact_piece(
    contact: Mapping[str, Any], names: SideNames, tracks: Mapping[str, str], height: float
) -> TablePiece:
    unknown = "class" not in contact
    key = str(contact["id"])
    name = names.of(key)
    if contact["velocity"] is None:
        velocity = phrase("unknown")
    else:
        velocity = contact["velocity"]
    words = phrase("{}, {}, velocity {}", name, kind_words(contact["classification"]), velocity)
    if contact.get("damage") and "scan_detail" not in contact:
        words = phrase("{}, {} damage", words, contact["damage"])
    if contact.get("scan_detail"):
        words = join_phrases("; ", (words, sheet_facts_words(facts_of_contact(contact))))
    x, y = contact["at"]
    turn = int(contact["course"]) % 12 * 30
    return TablePiece(
        key,
        name,
        "foe",
        units(x),
        units(height - y),
        turn,
        tracks.get(key, ""),
        unknown,
        words,
        True,
    )


def _track(path: Iterable[tuple[float, float]], height: float) -> str:
    return "M" + " ".join(f"{units(x)} {units(height - y)}" for x, y in path)


def units(value: float) -> int:
    """Return a length on the table, in MU, in drawing units."""
    return round(value * SCALE)


def _fire_lines(
    events: Iterable[BeamsFired | GunFired], spots: Mapping[str, TablePiece], own_ids: set[str]
) -> list[FireLine]:
    shots: dict[tuple[str, str], bool] = {}
    for event in events:
        pair = event.ship, event.target
        shots[pair] = shots.get(pair, False) or bool(event.hits)
    lines: list[FireLine] = []
    for (a, b), is_hit in shots.items():
        if a in spots and b in spots:
            lines.append(
                FireLine(spots[a].x, spots[a].y, spots[b].x, spots[b].y, is_hit, a in own_ids)
            )
    return lines
