"""A turn of a battle from one side's report: a drawing of ships, moves and shots, and log lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaign.words.battle.log import LogLine, SideNames, lines_of, phases_of
from campaign.words.battle.scans import facts_of_contact, sheet_facts_words
from engine.core.kinds import CLOAKED, FIGHTING, HULK
from engine.core.phrase import join_phrases, phrase
from engine.design.designations import ROLES
from engine.english import kind_words
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
        """Whether nothing but moves happened."""
        return not self.lines


def turn_drawing(
    body: Mapping[str, Any], names: SideNames, number: int, height: float
) -> TurnDrawing:
    """Return one turn as the viewer saw it.

    Args:
        body: The side's report of the battle.
        height: Of the table in MU; the drawing's y axis points down.
    """
    events: list[Event] = []
    log_lines: list[LogLine] = []
    phases = [phase for phase in phases_of(body) if phase["turn"] == number]
    for phase in phases:
        events += read_events(phase["log"])
        log_lines += lines_of(phase, names.at(phase))
    last_phase = phases[-1]
    pieces = _pieces(last_phase, events, names.at(last_phase), height)
    shots = [event for event in events if isinstance(event, SHOTS)]
    return TurnDrawing(
        number=number,
        pieces=tuple(_with_labels(pieces, shots)),
        fire=tuple(
            _fire_lines(shots, {piece.id: piece for piece in pieces}, set(phases[0]["own"]))
        ),
        moves=tuple(line for line in log_lines if line.kind == "moved"),
        lines=tuple(line for line in log_lines if line.kind != "moved"),
    )


def _pieces(
    phase: Mapping[str, Any], events: Iterable[Event], names: SideNames, height: float
) -> list[TablePiece]:
    """Return the ships on the table at the end of a phase, with their moves of the turn."""
    tracks = {}
    for event in events:
        if isinstance(event, ShipMoved):
            tracks[str(event.ship)] = _track(event.path, height)
    pieces = []
    for key, ship in sorted(phase["own"].items()):
        if ship["status"] in ON_TABLE:
            pieces.append(_own_piece(key, ship, names=names, tracks=tracks, height=height))
    for contact in phase["contacts"]:
        pieces.append(_contact_piece(contact, names, tracks, height))
    return pieces


def _with_labels(
    pieces: Iterable[TablePiece], shots: Iterable[BeamsFired | GunFired]
) -> Iterator[TablePiece]:
    """Yield the pieces, with labels for contacts and for ships that fired or were fired at."""
    ids_in_shots = set()
    for shot in shots:
        ids_in_shots |= {str(shot.ship), shot.target}
    for piece in pieces:
        yield replace(piece, has_label=piece.side != "own" or piece.id in ids_in_shots)


def _own_piece(
    key: str, ship: Mapping[str, Any], names: SideNames, tracks: Mapping[str, str], height: float
) -> TablePiece:
    """Return one of the side's ships on the drawing."""
    words = phrase("{}, velocity {}", names.of(key), ship["velocity"])
    if ship["damage"]:
        words = phrase("{}, {} damage", words, ship["damage"])
    x, y = ship["at"]
    return TablePiece(
        id=key,
        name=names.of(key),
        side="own",
        x=units(x),
        y=units(height - y),
        turn=_degrees(ship["course"]),
        track=tracks.get(key, ""),
        is_bogey=False,
        words=words,
        has_label=False,
    )


def _contact_piece(
    contact: Mapping[str, Any], names: SideNames, tracks: Mapping[str, str], height: float
) -> TablePiece:
    """Return a foreign ship on the drawing, with what a scan showed of it."""
    key = str(contact["id"])
    velocity = phrase("unknown") if contact["velocity"] is None else contact["velocity"]
    kind = kind_words(contact["classification"])
    if role := contact.get("role"):
        kind = phrase("{}, {}", kind, ROLES[role])
    words = phrase("{}, {}, velocity {}", names.of(key), kind, velocity)
    if contact.get("damage") and "scan_detail" not in contact:
        words = phrase("{}, {} damage", words, contact["damage"])
    if contact.get("scan_detail"):
        words = join_phrases("; ", (words, sheet_facts_words(facts_of_contact(contact))))
    x, y = contact["at"]
    return TablePiece(
        id=key,
        name=names.of(key),
        side="foe",
        x=units(x),
        y=units(height - y),
        turn=_degrees(contact["course"]),
        track=tracks.get(key, ""),
        is_bogey="class" not in contact,
        words=words,
        has_label=True,
    )


def _degrees(course: Any) -> int:
    """Return the angle of a course, which is a clock direction from 1 to 12."""
    return int(course) % 12 * 30


def _track(path: Iterable[tuple[float, float]], height: float) -> str:
    """Return a move as an SVG path."""
    return "M" + " ".join(f"{units(x)} {units(height - y)}" for x, y in path)


def units(value: float) -> int:
    """Return a length on the table, in MU, in drawing units."""
    return round(value * SCALE)


def _fire_lines(
    shots: Iterable[BeamsFired | GunFired],
    piece_by_id: Mapping[str, TablePiece],
    own_ids: set[str],
) -> list[FireLine]:
    """Return one line for each firing ship and target; it is a hit if any of the shots was."""
    is_hit_by_pair: dict[tuple[str, str], bool] = {}
    for shot in shots:
        pair = shot.ship, shot.target
        is_hit_by_pair[pair] = is_hit_by_pair.get(pair, False) or bool(shot.hits)
    lines: list[FireLine] = []
    for (ship, target), is_hit in is_hit_by_pair.items():
        if ship in piece_by_id and target in piece_by_id:
            lines.append(
                FireLine(
                    x1=piece_by_id[ship].x,
                    y1=piece_by_id[ship].y,
                    x2=piece_by_id[target].x,
                    y2=piece_by_id[target].y,
                    is_hit=is_hit,
                    is_own=ship in own_ids,
                )
            )
    return lines
