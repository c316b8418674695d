"""The documents that a side is shown, by their entries: its view, and a line of its log.

They travel as JSON through reports, pages and the API; what makes them stands in
`engine.view.side_view` and `engine.view.side_log`. A kind of piece, or of event, brings entries of
its own.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from engine.documents import ShipDocument


class OwnShipDocument(ShipDocument):
    """A ship as its own side is shown it; `engine.view.side_view` says what each entry is."""

    owner: NotRequired[int]
    dummy: NotRequired[bool]
    cover: NotRequired[str]
    sweeping: NotRequired[bool]
    aboard: NotRequired[str]
    notes: NotRequired[dict[str, int]]
    parties: NotRequired[int]
    repairable: NotRequired[list[str]]


# A ship that another side commands: `owner` where yet another owns it. `class` and what follows it
# only once it is identified; `told` and what follows it, where its record sheet lies closed, as far
# as scans have told of it.
ContactDocument = TypedDict(
    "ContactDocument",
    {
        "id": str,
        "side": int,
        "at": list[float],
        "course": int,
        "velocity": int | None,
        "classification": str,
        "status": str,
        "owner": NotRequired[int],
        "class": NotRequired[str],
        "damage": NotRequired[int],
        "lost": NotRequired[list[str]],
        "armour": NotRequired[list[list[int]]],
        "notes": NotRequired[dict[str, int]],
        "told": NotRequired[int],
        "mass": NotRequired[int],
        "thrust": NotRequired[int],
        "drive": NotRequired[str],
        "systems": NotRequired[list[str]],
    },
)


class MarkerDocument(TypedDict):
    """The marker where a ship vanished under a cloaking field."""

    id: str
    at: list[float]


class OrdnanceDocument(TypedDict):
    """Ordnance that lies where it was aimed. `grade` and `fuse` its own side alone is shown."""

    id: str
    side: int
    ship: str
    type: str
    rating: int
    x: float
    y: float
    strength: int
    launched: int
    grade: NotRequired[str]
    fuse: NotRequired[str]
    course: int
    stage: int
    target: str
    killed: int


PieceDocument = dict[str, Any]  # a piece as its kind shows it to a side


class ViewDocument(TypedDict):
    """A side's view at a stop.

    The lists of pieces are those of the kinds there are; another kind adds its own.
    """

    turn: int
    stop: str
    own: dict[str, OwnShipDocument]
    contacts: list[ContactDocument]
    groups: NotRequired[list[PieceDocument]]
    flyers: NotRequired[list[PieceDocument]]
    mines: NotRequired[list[PieceDocument]]
    rocks: NotRequired[list[PieceDocument]]
    novas: NotRequired[list[PieceDocument]]
    clouds: NotRequired[list[PieceDocument]]
    debris: NotRequired[list[PieceDocument]]
    stars: NotRequired[list[PieceDocument]]
    sections: NotRequired[list[PieceDocument]]
    gates: NotRequired[list[PieceDocument]]
    markers: NotRequired[list[MarkerDocument]]
    boarders: NotRequired[dict[str, dict[str, int]]]
    ordnance: NotRequired[list[OrdnanceDocument]]


LogLine = dict[str, Any]  # `event`, `turn`, and what the event's kind says


class StopViewDocument(ViewDocument):
    """A stop as a side saw it: its view when it chose, and the log of what happened then as it read
    it.
    """

    log: list[LogLine]
