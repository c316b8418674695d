"""The umpire enters what came of a battle at a table, in place of its players."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.errors import StageIsClosed
from campaign.kinds import BattleMode, BattleStatus
from campaign.models.battle import Battle as BattleRow
from campaign.pages.table_form import form_rows, table_payload
from campaign.selectors.truth import battle_of, snapshot_before_battles, world_of
from campaign.stored import scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FIGHTING
from engine.notation.battles import read_battle
from umpire.pages.battles import true_names
from umpire.pages.desk import ASKED, battle_row, branch_of, page, show
from umpire.services.records import start_of
from umpire.services.tables import table_enter

FAULTY = 422


@page(umpire=True, methods=ASKED)
def result(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """The form of a battle's whole result, every ship of it."""
    row = battle_of(branch=branch_of(viewer.campaign), public_id=public_id)
    if row.mode != BattleMode.TABLE or row.status != BattleStatus.WAITING:
        messages.warning(request, "This battle does not wait for a result from a table.")
        return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)
    ships = read_battle(start_of(row), {}).state.ships
    if request.method != "POST":
        ends = {ship.id: {"status": FIGHTING, "damage": ship.damage, "lost": list(ship.lost())} for ship in ships}
        return _page(request, viewer, row, {"turns": 1, "ships": ends}, ())
    payload = table_payload(ships, (), request.POST)
    try:
        table_enter(viewer=viewer, battle=row, payload=payload)
    except RuleViolations as refused:
        return _page(request, viewer, row, payload, refused.listed)
    except StageIsClosed as refused:
        messages.warning(request, f"Nothing was entered: {refused}.")
    else:
        messages.success(request, "The result is entered; the battle is over.")
    return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)


def _page(
    request: HttpRequest, viewer: Viewer, row: BattleRow, payload: dict[str, Any], found: tuple[Violation, ...]
) -> HttpResponse:
    scenario = scenario_of(viewer.campaign)
    names = dict(true_names(world_of(snapshot_before_battles(battle=row)), row).known)
    powers = {power.id: power.name for power in scenario.factions}
    sides = [str(part["name"]) for part in row.start["sides"]]
    called = {name: " and ".join(powers.get(part, part) for part in name.split("+")) for name in sides}
    ships = read_battle(start_of(row), {}).state.ships
    rows = form_rows(ships, (), payload, names, found)
    sorted_by_side = [
        (called[name], [line for line, ship in zip(rows, ships, strict=True) if sides[ship.side] == name])
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
