"""The JSON documents that a side is shown: its view, and the lines of its log.

They are used by reports, pages and the API. `engine.view.side_view` and `engine.view.side_log` make
them. Each kind of piece or event adds its own entries.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from engine.documents import ShipDocument


class OwnShipDocument(ShipDocument):
    """A ship as its own side sees it; `engine.view.side_view` explains the entries."""

    owner: NotRequired[int]
    dummy: NotRequired[bool]
    cover: NotRequired[str]
    sweeping: NotRequired[bool]
    aboard: NotRequired[str]
    notes: NotRequired[dict[str, int]]
    parties: NotRequired[int]
    repairable: NotRequired[list[str]]


# A ship that another side commands. `owner` is set if a third side owns it. `class` and what
# follows it are set once it is identified; `role` then says that it is a carrier or a mothership.
# `scan_detail` and what follows it are set only for a closed record sheet, as far as scans have
# shown it.
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
        "role": NotRequired[str],
        "class": NotRequired[str],
        "damage": NotRequired[int],
        "lost": NotRequired[list[str]],
        "armour": NotRequired[list[list[int]]],
        "notes": NotRequired[dict[str, int]],
        "scan_detail": NotRequired[int],
        "mass": NotRequired[int],
        "thrust": NotRequired[int],
        "drive": NotRequired[str],
        "systems": NotRequired[list[str]],
        "loads": NotRequired[dict[str, dict[str, int]]],
        "stock": NotRequired[dict[str, int]],
    },
)


class MarkerDocument(TypedDict):
    """The marker where a ship vanished under a cloaking field."""

    id: str
    at: list[float]


class OrdnanceDocument(TypedDict):
    """Ordnance at its target point; only its own side sees `grade` and `fuse`."""

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


class SetUpDocument(TypedDict):
    """The set-up of a battle as a side knows it.

    Attributes:
        manner: sealed, by-side or by-ship.
        side: The side whose turn it is; None: all sides set up at once.
        step: How many ships a side places at a time, by-ship.
        order: The classifications that are placed first, by-ship.
        to_place: The ids of its ships that are still to be placed, in the order of the file.
        zones: The zones of each side (`engine.core.zones.zone_json`).
        bodies: The names of the bodies that it can place, before anybody places ships.
    """

    manner: str
    side: str | None
    step: int
    order: list[str]
    to_place: list[str]
    zones: dict[str, list[dict[str, Any]]]
    bodies: NotRequired[list[str]]


class FiringDocument(TypedDict):
    """The fire phase ship by ship as a side knows it.

    Attributes:
        order: The sides in the order in which they fire.
        side: The side that names its next ship; None: the sides name the targets of their fighters.
        fired: The ids of its ships that have fired.
        passed: The sides that fire no more in this phase.
    """

    order: list[str]
    side: str | None
    fired: list[str]
    passed: list[str]


PieceDocument = dict[str, Any]  # a piece as a side sees it


class ViewDocument(TypedDict):
    """A side's view in a phase.

    The lists of pieces are those of the existing kinds; another kind adds its own.
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
    set_up: NotRequired[SetUpDocument]
    firing: NotRequired[FiringDocument]


LogLine = dict[str, Any]  # `event`, `turn`, and the fields of the kind of event


class StopViewDocument(ViewDocument):
    """A phase as a side saw it: its view when it chose orders, and its log of what followed."""

    log: list[LogLine]
