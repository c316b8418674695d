"""A player's own fleets at a glance: where, what, and what is out of the ordinary with them. From his View alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.rules.queries import ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Fleet, Ship, View
from engine.english import counted_noun

ORDER = ("capital", "cruiser", "escort")


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet in a row. `counts`: ships by classification; `notes`: (words, tone of a badge)."""

    key: str
    name: str
    hex: str
    place: str
    counts: tuple[tuple[str, int], ...]
    ships: int
    notes: tuple[tuple[str, str], ...]


def fleet_lines(scenario: Scenario, view: View) -> tuple[FleetLine, ...]:
    """The viewer's fleets, by the place where they stand."""
    classes, crews = ship_classes(scenario), ships_by_fleet(view.ships)
    places = {system.hex: system.name for system in scenario.systems}
    lines = [
        FleetLine(
            key=fleet.key,
            name=fleet.name,
            hex=fleet.hex,
            place=places.get(fleet.hex, "open space"),
            counts=counted(classes, crews.get(fleet.key, ())),
            ships=len(crews.get(fleet.key, ())),
            notes=_notes(fleet, crews.get(fleet.key, ()), view),
        )
        for fleet in view.fleets
    ]
    return tuple(sorted(lines, key=lambda line: (line.place == "open space", line.place, line.hex, line.name)))


def counted(classes: dict[str, ShipClass], ships: Iterable[Ship]) -> tuple[tuple[str, int], ...]:
    """Ships by classification, the greatest first."""
    found: dict[str, int] = {}
    for ship in ships:
        kind = classes[ship.cls].classification
        found[kind] = found.get(kind, 0) + 1
    rank = {kind: n for n, kind in enumerate(ORDER)}
    return tuple(sorted(found.items(), key=lambda item: (rank.get(item[0], len(rank)), item[0])))


def _notes(fleet: Fleet, crew: Iterable[Ship], view: View) -> tuple[tuple[str, str], ...]:
    crew, notes = tuple(crew), []
    if fleet.hex in view.fighting:
        notes.append(("in battle", "bad"))
    if fleet.in_ftl:
        notes.append(("in FTL space", "info"))
    if fleet.must_leave:
        notes.append(("must move this week", "warm"))
    if any(touch.hex == fleet.hex for touch in view.in_contact) and not fleet.in_ftl:
        notes.append(("in contact", "warm"))
    if docked := sum(ship.docked for ship in crew):
        notes.append((f"{docked} docked", "quiet"))
    if towed := sum(bool(ship.tug) for ship in crew):
        notes.append((f"{towed} in tow", "quiet"))
    if laid_up := sum(ship.laid_up for ship in crew):
        notes.append((f"{laid_up} laid up", "warm"))
    if hurt := sum(bool(ship.damage or ship.lost) for ship in crew):
        notes.append((f"{hurt} damaged", "bad"))
    if fleet.decoys or fleet.decoys_out:
        out = f", {fleet.decoys_out} deployed" if fleet.decoys_out else ""
        notes.append((f"{counted_noun(fleet.decoys, 'decoy')}{out}", "quiet"))
    return tuple(notes)
