"""The forms of boarding: who boards, who repels boarders, what the side's boarders do. Pure.

On a boarded ship, one to three damage control parties together attack one boarder, and marines fire
at boarders. On a ship the side has boarded, some boarders fight its marines and the others wreck
it. The tables of choices show what to expect of each, as in `campaign.forms.battle.task_data`. They
contain only what the reader may know: people aboard the side's own ships, its own people aboard
others, and foreign marines unless their loss was seen.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow, anchor
from campaign.forms.field import ChoiceField, Option, Select, number
from engine.continuum.boarding import KILLS_ON, REPELS_ON, boarded_ships
from engine.continuum.damage_control import MOST_PARTIES
from engine.core.kinds import DERELICT_STATUSES
from engine.core.orders import AT_HULL, AT_MARINES
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.english import counted_noun
from engine.order_requests.board import BOARD
from engine.systems.outfit import MARINES, marines_of, parties_of

REPEL = ChoiceField("repel")
REPELLING_MARINES = ChoiceField("marines")
ABOARD = ChoiceField("aboard")
BOARDERS = ChoiceField("board")

TASKS = (
    (AT_HULL, phrase("wrecks the ship"), phrase("wreck the ship")),
    (AT_MARINES, phrase("fights its marines"), phrase("fight its marines")),
)
SIDES = 6  # of a die
TASK_LABELS = ((AT_HULL, phrase("wrecking the ship")), (AT_MARINES, phrase("fighting marines")))
# The chance of a kill, for a marine or for a boarder who fights one
KILL_CHANCE = (SIDES + 1 - KILLS_ON) / SIDES


Faults = Mapping[str, tuple[str, ...]]


def people_words(marines: int, parties: int) -> str:
    """Return a number of marines and parties in words."""
    counts_and_nouns = ((marines, "marine"), (parties, "party"))
    return join_phrases(
        " and ", (counted_noun(count, noun) for count, noun in counts_and_nouns if count)
    ) or phrase("nobody")


def hostiles_aboard(sight: FormSight, ship: ShipState) -> tuple[int, int]:
    """Return how many hostile marines and parties are aboard one of the side's ships."""
    foes = sight.state.hostile[ship.commander]
    hostile_people = []
    for side, people_aboard in ship.boarders_by_side().items():
        if foes >> side & 1:
            hostile_people.append(people_aboard)
    return sum(marines for marines, _ in hostile_people), sum(
        parties for _, parties in hostile_people
    )


def repel_picks(sight: FormSight, ship: ShipState, order: Mapping[Any, Any]) -> tuple[Select, ...]:
    """Return the fields for repelling boarders.

    For each boarder a number of parties, by what the boarders do; for each task a number of
    marines.
    """
    repel_order = order.get("repel")
    teams = []
    for team in repel_order if isinstance(repel_order, list) else ():
        if isinstance(team, list) and len(team) == 2:
            teams.append(team)
    marines = order.get("marines")
    most = min(sum(hostiles_aboard(sight, ship)), parties_of(ship))
    picks: list[Select] = []
    for task, does, do in TASKS:
        counts_ordered = [str(count) for count, at in teams if at == task]
        for place in range(max(most, len(counts_ordered))):
            if place < len(counts_ordered):
                chosen = counts_ordered[place]
            else:
                chosen = ""
            options = _with(
                chosen,
                (("", phrase("none")), *((str(n), str(n)) for n in range(1, MOST_PARTIES + 1))),
            )
            label = phrase("Parties against boarder {}, who {}", place + 1, does)
            picks.append(
                REPEL.draw(ship.id, task, place, label=label, options=options, chosen=chosen)
            )
        if isinstance(marines, Mapping):
            chosen = str(marines.get(task, ""))
        else:
            chosen = ""
        counts = tuple((str(n), str(n)) for n in range(len(marines_of(ship)) + 1))
        options = _with(chosen, (("", phrase("automatic")), *counts))
        picks.append(
            REPELLING_MARINES.draw(
                ship.id,
                task,
                label=phrase("Marines against boarders who {}", do),
                options=options,
                chosen=chosen,
            )
        )
    return tuple(picks)


def aboard_picks(ship: ShipState, name: str, label: str, fire: Mapping[str, Any]) -> list[Select]:
    """Return the fields for how many people a weapon sends aboard another ship.

    Args:
        name: Part of the field names, from ship and weapon.
    """
    picks: list[Select] = []
    for kind, kind_name, most, unsaid in (
        ("marines", phrase("marines"), len(marines_of(ship)), phrase("one per hit")),
        ("parties", phrase("parties"), parties_of(ship), phrase("none")),
    ):
        chosen = str(fire[kind]) if kind in fire else ""
        counts = tuple((str(n), str(n)) for n in range(most + 1))
        options = _with(chosen, (("", unsaid), *counts))
        picks.append(
            ABOARD.draw(
                name,
                kind,
                label=phrase("{}: {} sent aboard", label, kind_name),
                options=options,
                chosen=chosen,
            )
        )
    return picks


def boarders_payload(ship: ShipState, name: str, post: QueryDict) -> dict[str, Any]:
    """Return how many people a weapon sends aboard, as in the form.

    A blank field means one marine per hit, but no parties.
    """
    marines, parties = (ABOARD.text(post, name, kind) for kind in ("marines", "parties"))
    if not marines and not parties:
        return {}
    return {
        "marines": number(marines) if marines else len(marines_of(ship)),
        "parties": number(parties or "0"),
    }


def _with(chosen: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the options, with the chosen value added if it is missing."""
    if any(value == chosen for value, _ in options):
        return options
    return (*options, (chosen, chosen))


def repel_payload(ship: ShipState, post: QueryDict) -> dict[str, Any]:
    """Return the form's orders about boarders aboard a ship."""
    teams: list[list[Any]] = []
    for task, _, _ in TASKS:
        counts = (
            REPEL.text(post, ship.id, task, place) for place in REPEL.places(post, ship.id, task)
        )
        teams += [[number(count_text), task] for count_text in counts if count_text]
    marines = {
        task: count_field
        for task, _, _ in TASKS
        if (count_field := REPELLING_MARINES.text(post, ship.id, task))
    }
    order: dict[str, Any]
    if teams:
        order = {"repel": teams}
    else:
        order = {}
    return order | (
        {"marines": {task: number(count_field) for task, count_field in marines.items()}}
        if marines
        else {}
    )


def board_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each foreign ship with the side's boarders aboard."""
    board_entry = payload.get(BOARD)
    orders = board_entry if isinstance(board_entry, Mapping) else {}
    rows = []
    for ship, marines, parties in ships_boarded(sight):
        order = orders.get(ship.id)
        if isinstance(order, Mapping):
            chosen = str(order.get("at_marines", 0))
        else:
            chosen = "0"
        options = tuple((str(n), str(n)) for n in range(marines + parties + 1))
        pick = BOARDERS.draw(
            ship.id,
            label=phrase("Boarders who fight its marines; the others wreck the ship"),
            options=options,
            chosen=chosen,
        )
        name = sight.names.get(ship.id, ship.id)
        state_text = _state_words(sight, ship, people_words(marines, parties))
        rows.append(
            OrderRow(
                ship.id,
                anchor(ship.id),
                name,
                state_text,
                (pick,),
                (),
                (),
                None,
                faults.get(ship.id, ()),
            )
        )
    return tuple(rows)


def _state_words(sight: FormSight, ship: ShipState, aboard: str) -> str:
    """Return the situation aboard a foreign ship in words, as far as the side knows."""
    if ship.owner == sight.side:
        return phrase(
            "{} of yours aboard; it was your ship: you regain it when nobody else is left aboard",
            aboard,
        )
    if ship.status in DERELICT_STATUSES:
        return phrase(
            "{} of yours aboard; nobody commands it: it is yours when nobody else is left aboard",
            aboard,
        )
    boxes = remaining_boxes(ship)
    return phrase(
        "{} of yours aboard; {} hull boxes left: the side that wrecks the last one captures "
        "the ship",
        aboard,
        boxes,
    )


def board_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the boarders' orders in the form; without an entry all wreck the ship."""
    counts = {
        ship.id: number(BOARDERS.text(post, ship.id) or "0") for ship, _, _ in ships_boarded(sight)
    }
    boards = {name: {"at_marines": count} for name, count in counts.items() if count}
    if boards:
        return {BOARD: boards}
    return {}


def ships_boarded(sight: FormSight) -> list[tuple[ShipState, int, int]]:
    """Return the foreign ships with the side's people aboard: (ship, marines, parties)."""
    ships = []
    for ship in boarded_ships(sight.state):
        if ship.commander != sight.side and sight.side in ship.boarders_by_side():
            ships.append(ship)
    return [(ship, *ship.boarders_by_side()[sight.side]) for ship in ships]


def remaining_boxes(ship: ShipState) -> int:
    """Return the hull boxes not yet marked off, as far as known."""
    return ship.sheet.boxes - ship.damage


def repel_rows(sight: FormSight, ship: ShipState, row: OrderRow) -> list[dict[str, Any]]:
    """Return the table rows for a boarded ship: parties per boarder, and marines that fire."""
    rows: list[dict[str, Any]] = []
    hostile_count = sum(hostiles_aboard(sight, ship))
    for task, words in TASK_LABELS:
        fields = []
        for place in REPEL.places(row.names, ship.id, task):
            fields.append(REPEL.name(ship.id, task, place))
        if fields:
            cells = {}
            parties = parties_of(ship)
            for count in range(1, min(MOST_PARTIES, parties) + 1):
                # As far as there are enough parties
                boarders_met = min(len(fields), parties // count)
                mean = boarders_met * (SIDES + 1 - REPELS_ON + count) / SIDES
                title = phrase(
                    "{} against each of {}: {} in 6 to kill it, {:.1f} of {} boarders expected",
                    count,
                    boarders_met,
                    count,
                    mean,
                    hostile_count,
                )
                cells[str(count)] = [f"{mean:.1f}", phrase("killed"), str(count), title]
            rows.append(
                {
                    "name": phrase("Parties against boarders {}", words),
                    "type": "damage-control",
                    "fields": fields,
                    "cells": cells,
                }
            )
        fires = REPELLING_MARINES.name(ship.id, task)
        if fires in row.names and marines_of(ship):
            cells = {}
            for count in range(1, len(marines_of(ship)) + 1):
                mean = min(count * KILL_CHANCE, hostile_count)
                cells[str(count)] = [
                    f"{mean:.1f}",
                    phrase("killed"),
                    str(count),
                    phrase("{:.1f} of {} boarders expected", mean, hostile_count),
                ]
            name = phrase("Marines against boarders {}", words)
            rows.append(
                {"name": name, "type": "marines", "fields": [fires], "cells": cells, "free": True}
            )
    return rows


def board_table(ship: ShipState, row: OrderRow) -> dict[str, Any]:
    """Return the table for a foreign ship: how many boarders fight its marines.

    The other boarders wreck the ship.
    """
    (pick,) = row.picks
    most = len(pick.options) - 1
    remaining = remaining_boxes(ship)
    if ship.status in DERELICT_STATUSES or not ship.boarders_by_side():
        return {"head": "", "cols": [], "rows": []}
    foes = sum(
        fit.type == MARINES and alive > 0
        for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True)
    )
    cells = {}
    for count in range(most + 1):
        fells = min(count * KILL_CHANCE, foes)
        wreck = most - count
        if wreck >= remaining:
            effect_text = phrase("captures it")
        else:
            effect_text = phrase("{} wrecking", wreck) if wreck else ""
        title = phrase(
            "{:.1f} of {} marines expected, {} of {} hull boxes if you lose nobody",
            fells,
            foes,
            wreck,
            remaining,
        )
        cells[str(count)] = [f"{fells:.1f}", effect_text, str(count), title]
    rows = [
        {
            "name": phrase("Fighting its marines"),
            "type": "marines",
            "fields": [pick.name],
            "cells": cells,
        }
    ]
    cols = [[str(count), str(count), ""] for count in range(most + 1)]
    return {
        "head": phrase("Number (the others wreck the ship)"),
        "cols": cols,
        "rows": rows,
        "still": True,
    }
