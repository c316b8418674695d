"""Battles for the umpire: who fought, and how each ended; its replay is `umpire.pages.battle_replay`.

He enters what came of a battle at a table, in place of its players.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.drawings.strips import Strip
from campaign.errors import StageIsClosed
from campaign.kinds import BattleMode, BattleStatus
from campaign.models.battle import Battle
from campaign.models.battle import Battle as BattleRow
from campaign.pages.battle_log import SideNames
from campaign.pages.seat_marks import power_names, seat_classes
from campaign.pages.ship_drawings import hull_strip
from campaign.pages.table_form import form_rows, table_payload
from campaign.rules.queries import in_truth, plain_class, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.world import World
from campaign.selectors.truth import battle_of, battles_of, snapshot_before_battles, stops_of, world_of
from campaign.stored import scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import CAPTURED, DESTROYED, FIGHTING, STRUCK, ShipStatus
from engine.core.phrase import joined_phrases, phrase
from engine.english import short_name, system_words
from engine.notation.battles import read_battle
from umpire.pages.desk import ASKED, battle_row, branch_of, page, show
from umpire.services.records import start_of
from umpire.services.tables import table_enter

FAULTY = 422


@dataclass(frozen=True, slots=True)
class After:
    """A ship after its battle. `kind`: its classification; `hull`: its strip."""

    name: str
    cls: str
    kind: str
    hull: Strip
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
    """A side of a battle, as it came out of it. `key`: its name in the engine; `decoys`: drones it brought."""

    key: str
    name: str
    shade: str
    ships: tuple[After, ...]
    gone: int
    decoys: int

    @property
    def marked(self) -> tuple[After, ...]:
        """The ships of which there is more to tell than that they are there."""
        return tuple(ship for ship in self.ships if ship.hurt)

    @property
    def unhurt(self) -> list[tuple[str, str]]:
        """The others by their classes: (class, names)."""
        found: dict[str, list[str]] = {}
        for ship in self.ships:
            if not ship.hurt:
                found.setdefault(ship.cls, []).append(ship.name)
        return [(cls, joined_phrases(", ", names)) for cls, names in found.items()]


@page(umpire=True)
def battles(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Every battle of the war, the latest first."""
    scenario, c = scenario_of(viewer.campaign), viewer.campaign.public_id
    rows = [battle_row(scenario, row, "umpire-battle", c=c) for row in battles_of(branch=branch_of(viewer.campaign))]
    return show(request, viewer, "battles", "battles", battles=rows[::-1])


@page(umpire=True)
def battle(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """One battle: who fought, how each ship came out of it, and the way to its replay."""
    return battle_page(request, viewer, public_id, "umpire-battle", "battles")


def battle_page(
    request: HttpRequest, viewer: Viewer, public_id: uuid.UUID, door: str, tab: str, here: str = "desk"
) -> HttpResponse:
    """A battle told whole, on the umpire's desk or in the story. `door`: the name of its address."""
    branch, scenario = branch_of(viewer.campaign), scenario_of(viewer.campaign)
    row = battle_of(branch=branch, public_id=public_id)
    world = world_of(snapshot_before_battles(battle=row))
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
        told=stops_of(battle=row).exists(),
    )


def sides_of(scenario: Scenario, world: World, row: Battle) -> tuple[Side, ...]:
    """The sides with their ships: as they came out where the battle is fought, else as they go in."""
    powers, shades = power_names(scenario), seat_classes(scenario)
    after = {item["ship"]: item for item in (row.result or {}).get("ships", ())}
    found = []
    for part in row.start["sides"]:
        brought = {ship["id"] for ship in part["ships"]}
        ships = _ships(scenario, world, brought, after)
        found.append(
            Side(
                key=part["name"],
                name=joined_phrases(" and ", (powers[power] for power in part["name"].split("+"))),
                shade=shades[part["name"].partition("+")[0]],
                ships=ships,
                gone=sum(ship.end in (DESTROYED.label, CAPTURED.label, STRUCK.label) for ship in ships),
                decoys=sum(bool(ship.get("dummy")) for ship in part["ships"]),
            )
        )
    return tuple(found)


def _ships(
    scenario: Scenario, world: World, brought: set[str], after: Mapping[str, Mapping[str, Any]]
) -> tuple[After, ...]:
    scenario = in_truth(scenario, world)
    classes = ship_classes(scenario)
    rows = []
    for ship in world.ships:
        if ship.key in brought:
            end = after.get(ship.key, {"damage": ship.damage, "lost": ship.lost, "status": ""})
            rows.append(
                After(
                    name=ship.name,
                    cls=plain_class(ship.cls),
                    kind=classes[ship.cls].classification,
                    hull=hull_strip(scenario, classes[ship.cls], end["damage"]),
                    damage=end["damage"],
                    points=classes[ship.cls].damage_points,
                    lost=joined_phrases(", ", (system_words(system) for system in end["lost"])),
                    end=ShipStatus(end["status"]).label if end["status"] else "",
                )
            )
    return tuple(sorted(rows, key=lambda ship: (-ship.points, ship.cls, ship.name)))


def true_names(world: World, row: Battle) -> SideNames:
    """The true name of everything on the table, decoy drones among them. Where ships of several factions bear the same
    name, each has its faction's id before it.
    """
    here = {ship["id"] for part in row.start["sides"] for ship in part["ships"]}
    bearers: dict[str, set[str]] = {}
    for ship in world.ships:
        if ship.key in here:
            bearers.setdefault(ship.name, set()).add(ship.faction)
    known = {
        ship.key: f"{short_name(ship.faction)} {ship.name}" if len(bearers.get(ship.name, ())) > 1 else ship.name
        for ship in world.ships
    }
    fleets = {fleet.key: fleet.name for fleet in world.fleets}
    count: Counter[str] = Counter()
    for part in row.start["sides"]:
        for ship in part["ships"]:
            if ship.get("dummy"):
                fleet = ship["id"].rpartition("/")[0]
                count[fleet] += 1
                known[ship["id"]] = phrase("Decoy {} of {}", count[fleet], fleets.get(fleet, fleet))
    return SideNames(known)


@page(umpire=True, methods=ASKED)
def result(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """The form of a battle's whole result, every ship of it."""
    row = battle_of(branch=branch_of(viewer.campaign), public_id=public_id)
    if row.mode != BattleMode.TABLE or row.status != BattleStatus.WAITING:
        messages.warning(request, phrase("This battle does not wait for a result from a table."))
        return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)
    ships = read_battle(start_of(row), {}).state.ships
    if request.method != "POST":
        ends = {ship.id: {"status": FIGHTING, "damage": ship.damage, "lost": list(ship.lost())} for ship in ships}
        return _page(request, viewer, row, {"turns": 1, "ships": ends}, ())
    payload = table_payload(ships, (), request.POST, str(row.start["edition"]))
    try:
        table_enter(viewer=viewer, battle=row, payload=payload)
    except RuleViolations as refused:
        return _page(request, viewer, row, payload, refused.listed)
    except StageIsClosed as refused:
        messages.warning(request, phrase("Nothing was entered: {}.", refused.words))
    else:
        messages.success(request, phrase("The result is entered; the battle is over."))
    return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)


def _page(
    request: HttpRequest, viewer: Viewer, row: BattleRow, payload: dict[str, Any], found: tuple[Violation, ...]
) -> HttpResponse:
    scenario = scenario_of(viewer.campaign)
    names = dict(true_names(world_of(snapshot_before_battles(battle=row)), row).known)
    powers = power_names(scenario)
    sides = [str(part["name"]) for part in row.start["sides"]]
    called = {name: joined_phrases(" and ", (powers.get(part, part) for part in name.split("+"))) for name in sides}
    ships = read_battle(start_of(row), {}).state.ships
    rows = form_rows(ships, (), payload, names, found)
    sorted_by_side = [
        (called[name], [line for line, ship in zip(rows, ships, strict=True) if sides[ship.owner] == name])
        for name in sides
    ]
    response = show(
        request,
        viewer,
        "battle_result",
        "battles",
        row=battle_row(scenario, row),
        battle=row,
        sides=sorted_by_side,
        turns=payload.get("turns", 1),
        captors=list(called.items()),
        faults=found,
        general=[fault.message for fault in found if not fault.where.startswith("ships.")],
    )
    response.status_code = FAULTY if found else 200
    return response
