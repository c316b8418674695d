"""A replay whole: who fought, every unit with its names, every moment; and the document of it that
scripts read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from campaign.replays.moments import Moment, Piece, moments_of
from campaign.replays.sentences import Sentence
from campaign.replays.units import GROUPS, Point, SideLookup, UnitState
from campaign.words.battle.log import SideNames, contact_name, stops_of
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.phrase import phrase
from engine.pieces.group_events import GroupLaunched
from engine.view.event_reader import read_events_of

FIGHTER: Final = "fighter"  # the silhouette of a group of craft
USUAL: Final = "cruiser"  # and of a ship whose kind nobody told
Class = tuple[str, str]  # a class and its classification
Places = Mapping[str, tuple[int, str]]  # of each unit its place among all, and its name


@dataclass(frozen=True, slots=True)
class ReplaySide:
    """A side of a battle.

    `seat`: that of its first faction, which gives colour and emblem; 0 where it is not known.
    """

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A ship or group of craft.

    `bogey`: what it was called before it was identified, "" where it never was unknown.

    `cls`: its class, as far as it became known; `size`: its silhouette; `rows`: boxes of its hull
    by rows and `armour` boxes, where its own side reads them.
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
    """A battle to be played again.

    `mine`: the place of the reader's side among `sides`, -1 where he sees the truth.
    """

    table: tuple[float, float]
    sides: tuple[ReplaySide, ...]
    own_side: int
    units: Mapping[str, Unit]
    moments: tuple[Moment, ...]

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns there are, in order."""
        return tuple(dict.fromkeys(moment.turn for moment in self.moments))


def replay_of(
    body: Mapping[str, Any],
    names: SideNames,
    sides: Sequence[ReplaySide],
    mine: int,
    sided: SideLookup,
    classes: Mapping[str, Class],
) -> Replay:
    """A replay from a battle report, or from the stops told so far.

    `classes`: of the reader's own ships by key.
    """
    moments = moments_of(body, names, max(mine, 0), sided)
    width, height = body["table"]
    return Replay((width, height), tuple(sides), mine, _units(body, names, classes), tuple(moments))


def _units(
    body: Mapping[str, Any], names: SideNames, classes: Mapping[str, Class]
) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    groups: dict[str, None] = {}
    for stop in stops_of(body):
        for key, ship in sorted(stop["own"].items()):
            if key not in units:
                cls, size = classes.get(key, ("", USUAL))
                armour = sum(sum(layer) for layer in ship.get("armour", ()))
                units[key] = Unit(key, names.of(key), "", cls, size, _rows(ship), armour)
        for contact in stop["contacts"]:
            key = str(contact["id"])
            cls, unit_before = str(contact.get("class", "")), units.get(key)
            if unit_before is None or (cls and not unit_before.cls):
                bogey = contact_name(key) if unit_before is not None or not cls else ""
                units[key] = Unit(key, names.of(key), bogey, cls, str(contact["classification"]))
        groups |= dict.fromkeys(str(group["id"]) for key in GROUPS for group in stop.get(key, ()))
        groups |= dict.fromkeys(event.group for event in read_events_of(stop["log"], GroupLaunched))
    for key in groups:
        units.setdefault(key, Unit(key, names.of(key), "", phrase("craft"), FIGHTER))
    return units


def _rows(ship: Mapping[str, Any]) -> tuple[int, ...]:
    """The boxes of a hull by rows, when whole: what is lost stood in the first of them."""
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


# The document. Units go by their places, what is empty is left out, tables lie in it once; dice are
# read from the pages of the turns when somebody wants them.


def document_of(replay: Replay) -> dict[str, Any]:
    """The replay as `static/js/battle_replay.js` reads it."""
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
    return {name: value for name, value in document.items() if value not in ([], {}, None)}


def _short(path: Sequence[Point]) -> list[list[float]]:
    """Places without the fraction of whole numbers."""
    return [[int(part) if part == int(part) else part for part in place] for place in path]


def _parts(sentence: Sentence, places: Places) -> list[Any]:
    """Words as they are, a unit as [its place], with its name where it was called otherwise
    then.
    """
    return [part if isinstance(part, str) else _unit_part(part, places) for part in sentence]


def _unit_part(part: tuple[str, str], places: Places) -> Any:
    key, name = part
    if key not in places:
        return name
    place, usual = places[key]
    return [place] if name == usual else [place, name]


def _change(key: str, changes: UnitState, moment: Moment) -> dict[str, Any]:
    """What is otherwise afterwards.

    Where a path led it there, the path says where; else both parts of its place.
    """
    path = moment.paths.get(key)
    if path is None:
        return dict(changes)
    x, y = changes.get("x", path[-1][0]), changes.get("y", path[-1][1])
    rest = {name: value for name, value in changes.items() if name not in ("x", "y")}
    return rest if (x, y) == path[-1] else {**rest, "x": x, "y": y}


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
