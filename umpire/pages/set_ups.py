"""The set-up of a battle that has not begun, with the ships of all sides, for the umpire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.models.battle import Battle
from campaign.orders.set_up import place_words
from campaign.pages.table.table_data import Colours
from campaign.pages.table.tables import SetUp, set_up
from campaign.rules.scenario import Scenario
from campaign.web.seat_marks import seats
from engine.battle import begin
from engine.notation.battles import read_battle
from engine.notation.set_up import PLACE_KEYS
from engine.pieces.registry import kinds
from engine.view.side_view import observe
from umpire.pages.frame import side_words
from umpire.services.online_set_ups import planned_start


@dataclass(frozen=True, slots=True)
class SideSetUp:
    """Where the ships of a side begin: each ship's name and its place in words."""

    name: str
    ships: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TrueSetUp:
    """The set-up of all sides: the drawing and the places in words."""

    drawing: SetUp
    sides: tuple[SideSetUp, ...]


def true_set_up(scenario: Scenario, row: Battle, names: Mapping[str, str]) -> TrueSetUp | None:
    """Return the set-up of a battle as it is sealed now; None if its sides do not set up.

    Args:
        names: The names of all ships and drones by id.
    """
    if not isinstance(row.start.get("deployment"), Mapping):
        return None
    file: Mapping[str, Any] = planned_start(row)
    state = begin(read_battle(file, {})).state
    chosen = file.get("set_up", {})
    places = dict(chosen) if isinstance(chosen, Mapping | list) else {}
    colours = Colours(seats(scenario), tuple(state.sides), "")
    markers: list[dict[str, Any]] = []
    sides = []
    for side in file["sides"]:
        rows = []
        for ship in side["ships"]:
            entry = {**ship, **places.get(ship["id"], {})}
            number = list(state.sides).index(side["name"])
            markers.append({**entry, "side": number, "class": ""})
            place = {key: entry[key] for key in PLACE_KEYS if key in entry}
            rows.append((names[ship["id"]], place_words(place)))
        sides.append(SideSetUp(side_words(scenario, side["name"]), tuple(rows)))
    view: Mapping[str, Any] = observe(state, 0).to_json()
    seen = {key: view[key] for kind in kinds() for key in kind.view_keys if key in view}
    sheet = {"table": file["table"], "own": [], "contacts": markers, "seen": seen}
    return TrueSetUp(set_up(sheet, names, colours), tuple(sides))
