"""A complete replay: sides, units with their names, moments; and its document for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from campaign.replays.moments import Moment, Piece, moments_of
from campaign.replays.sentences import Sentence
from campaign.replays.units import GROUPS, Point, SideLookup, UnitState
from campaign.words.battle.log import SideNames, contact_name, phases_of
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.phrase import phrase
from engine.pieces.group_events import GroupLaunched
from engine.view.event_reader import read_events_of

FIGHTER: Final = "fighter"  # silhouette of a group of craft
USUAL: Final = "cruiser"  # silhouette of a ship of unknown kind
Class = tuple[str, str]  # class and classification
Places = Mapping[str, tuple[int, str]]  # place among all units, and name, by unit


@dataclass(frozen=True, slots=True)
class ReplaySide:
    """A side of a battle.

    Attributes:
        seat: That of its first faction, which gives colour and emblem; 0 if unknown.
    """

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A ship or group of craft.

    Attributes:
        bogey: Its name before it was identified; empty if it was always known.
        cls: Its class, as far as known.
        size: Its silhouette.
        rows: Hull boxes by rows, if its own side reads the replay.
        armour: Armour boxes, if its own side reads the replay.
    """

    key: str
    name: str
    bogey: str
    cls: str
    size: str
    rows: tuple[int, ...] = ()
    armour: int = 0


@dataclass(frozen=True, slots=True)
class Replay:
    """A battle to replay.

    Attributes:
        own_side: The place of the reader's side in `sides`; -1 if the reader sees the truth.
    """

    table: tuple[float, float]
    sides: tuple[ReplaySide, ...]
    own_side: int
    units: Mapping[str, Unit]
    moments: tuple[Moment, ...]

    @property
    def turns(self) -> tuple[int, ...]:
        """Return its turns in order."""
        return tuple(dict.fromkeys(moment.turn for moment in self.moments))


def replay_of(
    body: Mapping[str, Any],
    names: SideNames,
    sides: Sequence[ReplaySide],
    mine: int,
    sided: SideLookup,
    classes: Mapping[str, Class],
) -> Replay:
    """Make a replay from a battle report, or from the phases reported so far.

    Args:
        mine: The place of the reader's side.
        sided: Converts a side's number in views to its place.
        classes: Classes of the reader's own ships by key.
    """
    moments = moments_of(body, names, max(mine, 0), sided)
    width, height = body["table"]
    return Replay((width, height), tuple(sides), mine, _units(body, names, classes), tuple(moments))


def _units(
    body: Mapping[str, Any], names: SideNames, classes: Mapping[str, Class]
) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    groups: dict[str, None] = {}
    for phase in phases_of(body):
        for key, ship in sorted(phase["own"].items()):
            if key not in units:
                cls, size = classes.get(key, ("", USUAL))
                armour = sum(sum(layer) for layer in ship.get("armour", ()))
                units[key] = Unit(key, names.of(key), "", cls, size, _rows(ship), armour)
        for contact in phase["contacts"]:
            key = str(contact["id"])
            cls = str(contact.get("class", ""))
            unit_before = units.get(key)
            if unit_before is None or (cls and not unit_before.cls):
                if unit_before is not None or not cls:
                    bogey = contact_name(key)
                else:
                    bogey = ""
                units[key] = Unit(key, names.of(key), bogey, cls, str(contact["classification"]))
        groups |= dict.fromkeys(str(group["id"]) for key in GROUPS for group in phase.get(key, ()))
        groups |= dict.fromkeys(
            event.group for event in read_events_of(phase["log"], GroupLaunched)
        )
    for key in groups:
        units.setdefault(key, Unit(key, names.of(key), "", phrase("craft"), FIGHTER))
    return units


def _rows(ship: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the boxes of an undamaged hull by rows; damage fills the first rows."""
    boxes_left = [int(boxes) for boxes in ship["boxes_left"]]
    damage = int(ship["damage"])
    if damage and boxes_left:
        row_hit = next((n for n, boxes in enumerate(boxes_left) if boxes), len(boxes_left) - 1)
        share, remainder = divmod(damage, row_hit + 1)
        boxes_left = [
            boxes + (share + (n < remainder) if n <= row_hit else 0)
            for n, boxes in enumerate(boxes_left)
        ]
    return tuple(boxes_left)


# The document. Units are indexes, empty values are left out, and equal tables are stored once. Dice
# are loaded from the pages of the turns on demand.


def document_of(replay: Replay) -> dict[str, Any]:
    """Return the replay as a document for `static/js/battle_replay.js`."""
    places = {key: (n, unit.name) for n, (key, unit) in enumerate(replay.units.items())}
    lying: list[tuple[Piece, ...]] = []
    phases = list(dict.fromkeys(moment.phase for moment in replay.moments))
    return {
        "table": list(replay.table),
        "wreck": ShipStatus.label_of(DESTROYED),
        "mine": replay.own_side,
        "sides": [{"name": side.name, "seat": side.seat} for side in replay.sides],
        "units": [_unit(unit) for unit in replay.units.values()],
        "moments": [_moment(moment, places, lying, phases) for moment in replay.moments],
        "phases": phases,
        "pieces": [[_piece(piece) for piece in pieces] for pieces in lying],
    }


def _unit(unit: Unit) -> dict[str, Any]:
    document: dict[str, Any] = {"name": unit.name, "size": unit.size}
    extra = {"bogey": unit.bogey, "cls": unit.cls, "rows": list(unit.rows), "armour": unit.armour}
    return document | {name: value for name, value in extra.items() if value}


def _moment(
    moment: Moment, places: Places, lying: list[tuple[Piece, ...]], phases: Sequence[str]
) -> dict[str, Any]:
    if moment.pieces not in lying:
        lying.append(moment.pieces)
    document: dict[str, Any] = {
        "t": moment.turn,
        "p": phases.index(moment.phase),
        "k": moment.kind,
        "say": [_parts(words, places) for words in moment.sentences],
        "end": [[_parts(words, places), int(dead)] for words, dead in moment.ends],
        "who": places[moment.shooter][0] if moment.shooter in places else None,
        "shots": [[places[key][0], hits] for key, hits in moment.shots.items() if key in places],
        "paths": {
            places[key][0]: _short(path) for key, path in moment.paths.items() if key in places
        },
        "set": {
            places[key][0]: _change(key, changes, moment)
            for key, changes in moment.changes.items()
            if key in places
        },
        "on": lying.index(moment.pieces) or None,
    }
    result: dict[str, Any] = {}
    for name, value in document.items():
        if value not in ([], {}, None):
            result[name] = value
    return result


def _short(path: Sequence[Point]) -> list[list[float]]:
    """Return points with whole numbers as integers."""
    result: list[list[float]] = []
    for place in path:
        result.append([int(part) if part == int(part) else part for part in place])
    return result


def _parts(sentence: Sentence, places: Places) -> list[Any]:
    """Return words unchanged, and a unit as [its index] with its name if that differed then."""
    parts: list[Any] = []
    for part in sentence:
        parts.append(part if isinstance(part, str) else _unit_part(part, places))
    return parts


def _unit_part(part: tuple[str, str], places: Places) -> Any:
    key, name = part
    if key not in places:
        return name
    place, usual = places[key]
    if name == usual:
        return [place]
    return [place, name]


def _change(key: str, changes: UnitState, moment: Moment) -> dict[str, Any]:
    """Return a unit's changes; its place only if it is not the end of its path."""
    path = moment.paths.get(key)
    if path is None:
        return dict(changes)
    x = changes.get("x", path[-1][0])
    y = changes.get("y", path[-1][1])
    rest = {name: value for name, value in changes.items() if name not in ("x", "y")}
    if (x, y) == path[-1]:
        return rest
    return {**rest, "x": x, "y": y}


def _piece(piece: Piece) -> dict[str, Any]:
    document: dict[str, Any] = {
        "kind": piece.kind,
        "x": piece.x,
        "y": piece.y,
        "words": piece.words,
    }
    return (
        document
        | ({"r": piece.r} if piece.r else {})
        | ({} if piece.side is None else {"s": piece.side})
    )


__all__ = ["Class", "Replay", "ReplaySide", "Unit", "document_of", "replay_of"]
