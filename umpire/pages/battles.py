"""Battles for the umpire: who fought, and how each ended.

Replays are in `umpire.pages.battle_replay`, the form for a tabletop result in
`umpire.pages.battle_result`.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.drawings.strips import Strip
from campaign.kinds import BattleStatus, StageStatus
from campaign.models.battle import Battle
from campaign.rules.queries import ship_classes, short_class_name, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.world import World
from campaign.selectors.truth import (
    battle_of,
    battles_of,
    phases_of,
    snapshot_before_battles,
    world_of,
)
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import seat_classes
from campaign.web.ship_drawings import hull_strip
from campaign.words.battle.log import SideNames
from engine.core.kinds import CAPTURED, DESTROYED, FIGHTING, SHIP_SURRENDERED, ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.english import short_name, system_words
from umpire.pages.frame import battle_row, branch_of, page, show, side_words
from umpire.pages.set_ups import true_set_up

LOST_LABELS = (DESTROYED.label, CAPTURED.label, SHIP_SURRENDERED.label)


@dataclass(frozen=True, slots=True)
class ShipOutcome:
    """A ship after its battle."""

    name: str
    cls: str
    kind: str  # classification
    hull: Strip  # damage track
    damage: int
    points: int
    lost: str
    end: str

    @property
    def hurt(self) -> bool:
        """Whether it is damaged, or no longer on the table."""
        return bool(self.damage or self.lost or self.end not in ("", FIGHTING.label))


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a battle and its outcome."""

    key: str  # its name in the engine
    name: str
    shade: str
    ships: tuple[ShipOutcome, ...]
    lost_count: int
    decoys: int  # decoys it brought

    @property
    def changed_ships(self) -> tuple[ShipOutcome, ...]:
        """The ships that were damaged or left the table."""
        return tuple(ship for ship in self.ships if ship.hurt)

    @property
    def unhurt(self) -> list[tuple[str, str]]:
        """The other ships by class: (class, names)."""
        result: dict[str, list[str]] = {}
        for ship in self.ships:
            if not ship.hurt:
                result.setdefault(ship.cls, []).append(ship.name)
        return [(cls, join_phrases(", ", names)) for cls, names in result.items()]


@page(umpire=True)
def battles(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List every battle of the war, newest first."""
    scenario = scenario_of(viewer.campaign)
    c = viewer.campaign.public_id
    rows = []
    for row in battles_of(branch=branch_of(viewer.campaign)):
        rows.append(battle_row(scenario, row, "umpire-battle", c=c))
    return show(request, viewer, "battles", "battles", battles=rows[::-1])


@page(umpire=True)
def battle(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """Show one battle: who fought, and what happened to each ship."""
    return battle_page(request, viewer, public_id, "umpire-battle", "battles")


def battle_page(
    request: HttpRequest,
    viewer: Viewer,
    public_id: uuid.UUID,
    door: str,
    tab: str,
    here: str = "desk",
) -> HttpResponse:
    """Show a battle with all sides revealed, among the umpire's pages or in the story.

    Args:
        door: URL name of the page.
    """
    branch = branch_of(viewer.campaign)
    scenario = scenario_of(viewer.campaign)
    row = battle_of(branch=branch, public_id=public_id)
    world = world_of(snapshot_before_battles(battle=row))
    has_log = phases_of(battle=row).exists()
    set_up = None
    if not has_log and row.status == BattleStatus.WAITING:
        set_up = true_set_up(scenario, row, true_names(world, row).name_by_key)
    return show(
        request,
        viewer,
        "battle",
        tab,
        here=here,
        door=door,
        row=battle_row(scenario, row),
        battle=row,
        sides=sides_of(scenario, world, row),
        replay="story-replay" if door == "story-battle" else "umpire-replay",
        has_log=has_log,
        true_set_up=set_up,
        has_table_result=row.status == BattleStatus.WAITING
        and not row.stages.exclude(status=StageStatus.RESOLVED).exists(),
    )


def sides_of(scenario: Scenario, world: World, row: Battle) -> tuple[Side, ...]:
    """Return the sides with their ships: after the battle if it was fought, else before it."""
    shades = seat_classes(scenario)
    after = {item["ship"]: item for item in (row.result or {}).get("ships", ())}
    sides = []
    for part in row.start["sides"]:
        ids = {ship["id"] for ship in part["ships"]}
        ships = _ships(scenario, world, ids, after)
        lost_ships = [ship for ship in ships if ship.end in LOST_LABELS]
        decoys = [ship for ship in part["ships"] if ship.get("dummy")]
        sides.append(
            Side(
                key=part["name"],
                name=side_words(scenario, part["name"]),
                shade=shades[part["name"].partition("+")[0]],
                ships=ships,
                lost_count=len(lost_ships),
                decoys=len(decoys),
            )
        )
    return tuple(sides)


def _ships(
    scenario: Scenario, world: World, ids: set[str], after: Mapping[str, Mapping[str, Any]]
) -> tuple[ShipOutcome, ...]:
    """Return the ships with these ids, the largest first.

    Args:
        after: The ends of ships in the battle's result, by id.
    """
    scenario = with_all_designs(scenario, world)
    classes = ship_classes(scenario)
    rows = []
    for ship in world.ships:
        if ship.key in ids:
            end = after.get(ship.key, {"damage": ship.damage, "lost": ship.lost, "status": ""})
            rows.append(
                ShipOutcome(
                    name=ship.name,
                    cls=phrase(short_class_name(ship.cls)),
                    kind=classes[ship.cls].classification,
                    hull=hull_strip(scenario, classes[ship.cls], end["damage"]),
                    damage=end["damage"],
                    points=classes[ship.cls].damage_points,
                    lost=join_phrases(", ", (system_words(system) for system in end["lost"])),
                    end=ShipStatus(end["status"]).label if end["status"] else "",
                )
            )
    return tuple(sorted(rows, key=lambda ship: (-ship.points, ship.cls, ship.name)))


def true_names(world: World, row: Battle, shown: Container[str] | None = None) -> SideNames:
    """Return the true names of everything on the table, decoy drones included.

    Ships of several factions with the same name get their faction's id as a prefix.

    Args:
        shown: The ids of the ships that the reader is shown; by default all.
    """
    entries = list(chain.from_iterable(side["ships"] for side in row.start["sides"]))
    if shown is not None:
        entries = [entry for entry in entries if entry["id"] in shown]
    ids = {entry["id"] for entry in entries}
    factions_with: dict[str, set[str]] = {}  # factions that have a ship of a name
    for ship in world.ships:
        if ship.key in ids:
            factions_with.setdefault(ship.name, set()).add(ship.faction)
    name_of = {}
    for ship in world.ships:
        if len(factions_with.get(ship.name, ())) > 1:
            name_of[ship.key] = f"{short_name(ship.faction)} {ship.name}"
        else:
            name_of[ship.key] = ship.name
    fleet_names = {fleet.key: fleet.name for fleet in world.fleets}
    decoy_count: Counter[str] = Counter()
    for entry in entries:
        if entry.get("dummy"):
            fleet = entry["id"].rpartition("/")[0]
            decoy_count[fleet] += 1
            fleet_name = fleet_names.get(fleet, fleet)
            name_of[entry["id"]] = phrase("Decoy {} of {}", decoy_count[fleet], fleet_name)
    return SideNames(name_of)
