"""The set-up of a battle that has not begun, with the ships of all sides, for the umpire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from campaign.models.battle import Battle
from campaign.orders.set_up import place_words
from campaign.rules.scenario import Scenario
from campaign.web.seat_marks import seats
from campaign.web.turn_drawings import units
from engine.battle import begin
from engine.core.state import BattleState
from engine.notation.battles import read_battle
from engine.notation.laid_bodies import with_laid_bodies
from engine.notation.set_up import PLACE_KEYS
from umpire.pages.frame import side_words
from umpire.services.online_set_ups import planned_start

DEGREES_PER_COURSE = 30


@dataclass(frozen=True, slots=True)
class ShipMark:
    """A ship on the drawing, in drawing units and degrees."""

    name: str
    seat: int
    x: int
    y: int
    turn: int
    has_place: bool = True
    is_own: bool = True
    is_bogey: bool = False


@dataclass(frozen=True, slots=True)
class BodyMark:
    """A body on the drawing, in drawing units."""

    x: int
    y: int
    r: int
    kind: str = "rock"


@dataclass(frozen=True, slots=True)
class Drawing:
    """The table at the start of a battle, in drawing units."""

    width: int
    height: int
    markers: tuple[ShipMark, ...]
    objects: tuple[BodyMark, ...]

    @property
    def middle_x(self) -> float:
        """The middle of the drawing. Names right of it run to the left, so that none is cut off."""
        return self.width / 2


@dataclass(frozen=True, slots=True)
class SideSetUp:
    """Where the ships of a side begin: each ship's name and its place in words."""

    name: str
    ships: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TrueSetUp:
    """The set-up of all sides: the drawing and the places in words."""

    drawing: Drawing
    sides: tuple[SideSetUp, ...]


def true_set_up(scenario: Scenario, row: Battle, names: Mapping[str, str]) -> TrueSetUp | None:
    """Return the set-up of a battle as it is sealed now; None if its sides do not set up.

    Args:
        names: The names of all ships and decoys by id.
    """
    if not isinstance(row.start.get("deployment"), Mapping):
        return None
    file: Mapping[str, Any] = with_laid_bodies(cast(dict[str, Any], planned_start(row)))
    places: Mapping[str, Any] = file.get("set_up", {})
    state = begin(read_battle(file, {})).state
    sides = []
    for side in file["sides"]:
        ships = []
        for ship in side["ships"]:
            entry = {**ship, **places.get(ship["id"], {})}
            place = {key: entry[key] for key in PLACE_KEYS if key in entry}
            ships.append((names[ship["id"]], place_words(place)))
        sides.append(SideSetUp(side_words(scenario, side["name"]), tuple(ships)))
    return TrueSetUp(_drawing(state, names, seats(scenario)), tuple(sides))


def _drawing(
    state: BattleState, names: Mapping[str, str], seat_by_power: Mapping[str, int]
) -> Drawing:
    """Return the drawing of all ships, also those in FTL, where they begin or drop out."""
    width, height = state.table
    markers = []
    for ship in state.ships:
        power = state.sides[ship.owner].partition("+")[0]
        markers.append(
            ShipMark(
                name=names[ship.id],
                seat=seat_by_power.get(power, 0),
                x=units(ship.x),
                y=units(height - ship.y),
                turn=ship.course % 12 * DEGREES_PER_COURSE,
            )
        )
    bodies = []
    for piece in state.pieces:
        if piece.body:
            bodies.append(BodyMark(units(piece.x), units(height - piece.y), units(piece.size)))
    return Drawing(units(width), units(height), tuple(markers), tuple(bodies))
