"""Boarding at the stop of damage control, as tables of choices: who repels, what boarders do, what to expect. Pure.

What a reader may know is in it and nothing else: people aboard his own ships, his own aboard others, marines of others
as far as he has seen them lost. Rows as `campaign.forms.battle.task_data` has them.
Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from typing import Any

from campaign.forms.battle.boarding_form import REPEL, REPELLING_MARINES, boxes_left, hostile_in
from campaign.forms.battle.fight_form import FormSight, OrderRow
from engine.continuum.boarding import KILLS_ON, REPELS_ON
from engine.continuum.damage_control import MOST_PARTIES
from engine.core.kinds import ADRIFT
from engine.core.orders import AT_HULL, AT_MARINES
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.systems.outfit import MARINES, marines_of, parties_of

SIDES = 6  # of a die
TASKS = ((AT_HULL, phrase("that wreck")), (AT_MARINES, phrase("at marines")))
FELLS = (SIDES + 1 - KILLS_ON) / SIDES  # the chance of a marine, or of a boarder that fights one


def repel_rows(seen: FormSight, ship: ShipState, row: OrderRow) -> list[dict[str, Any]]:
    """Of a ship of one's own with boarders aboard: parties at each of them, and marines that fire, by what these do."""
    found: list[dict[str, Any]] = []
    there = sum(hostile_in(seen, ship))
    for task, words in TASKS:
        fields = [REPEL.name(ship.id, task, place) for place in REPEL.places(row.names, ship.id, task)]
        if fields:
            cells = {}
            parties = parties_of(ship)
            for sent in range(1, min(MOST_PARTIES, parties) + 1):
                met = min(len(fields), parties // sent)  # as far as the parties reach
                mean = met * (SIDES + 1 - REPELS_ON + sent) / SIDES
                title = phrase(
                    "{} at each of {}: {} of 6 to fell it, {:.1f} of {} boarders to expect",
                    sent,
                    met,
                    sent,
                    mean,
                    there,
                )
                cells[str(sent)] = [f"{mean:.1f}", phrase("felled"), str(sent), title]
            found.append(
                {
                    "name": phrase("Parties at boarders {}", words),
                    "type": "damage-control",
                    "fields": fields,
                    "cells": cells,
                }
            )
        fires = REPELLING_MARINES.name(ship.id, task)
        if fires in row.names and marines_of(ship):
            cells = {}
            for sent in range(1, len(marines_of(ship)) + 1):
                mean = min(sent * FELLS, there)
                cells[str(sent)] = [
                    f"{mean:.1f}",
                    phrase("felled"),
                    str(sent),
                    phrase("{:.1f} of {} boarders to expect", mean, there),
                ]
            name = phrase("Marines at boarders {}", words)
            found.append({"name": name, "type": "marines", "fields": [fires], "cells": cells, "free": True})
    return found


def board_table(ship: ShipState, row: OrderRow) -> dict[str, Any]:
    """Of a ship of others with people of the side aboard: so many fight its marines, the rest wreck it."""
    (pick,) = row.picks
    most, left = len(pick.options) - 1, boxes_left(ship)
    if ship.status in ADRIFT or not ship.billeted():
        return {"head": "", "cols": [], "rows": []}
    foes = sum(fit.type == MARINES and alive > 0 for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True))
    cells = {}
    for sent in range(most + 1):
        fells, wreck = min(sent * FELLS, foes), most - sent
        takes = phrase("takes it") if wreck >= left else phrase("{} wreck", wreck) if wreck else ""
        title = phrase(
            "{:.1f} of {} marines to expect, {} of {} hull boxes if nobody of yours falls", fells, foes, wreck, left
        )
        cells[str(sent)] = [f"{fells:.1f}", takes, str(sent), title]
    rows = [{"name": phrase("At its marines"), "type": "marines", "fields": [pick.name], "cells": cells}]
    cols = [[str(sent), str(sent), ""] for sent in range(most + 1)]
    return {"head": phrase("How many; the rest wreck it"), "cols": cols, "rows": rows, "still": True}
