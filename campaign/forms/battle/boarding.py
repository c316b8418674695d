"""The forms of boarding: who is sent aboard, who repels boarders, what boarders of one's own do
there. Pure.

Of a boarded ship each party, or two or three together, goes at one boarder; its marines fire at
some. Of a ship with people of the side aboard: how many fight its marines, the others wreck it.

The tables of choices say what to expect of each, as `campaign.forms.battle.task_data` has them.
They hold what a reader may know: people aboard the side's own ships, its own aboard others, marines
of others as far as their loss was seen.
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
TASK_LABELS = ((AT_HULL, phrase("that wreck")), (AT_MARINES, phrase("at marines")))
KILL_CHANCE = (
    SIDES + 1 - KILLS_ON
) / SIDES  # the chance of a marine, or of a boarder that fights one


Faults = Mapping[str, tuple[str, ...]]


def people_words(marines: int, parties: int) -> str:
    """So many marines and parties, in words."""
    counts_and_nouns = ((marines, "marine"), (parties, "party"))
    return join_phrases(
        " and ", (counted_noun(count, noun) for count, noun in counts_and_nouns if count)
    ) or phrase("nobody")


def hostiles_aboard(sight: FormSight, ship: ShipState) -> tuple[int, int]:
    """The people of hostile sides aboard a ship of one's own: marines and parties."""
    foes = sight.state.hostile[ship.commander]
    hostile_people = [
        people_aboard for side, people_aboard in ship.boarders_by_side().items() if foes >> side & 1
    ]
    return sum(marines for marines, _ in hostile_people), sum(
        parties for _, parties in hostile_people
    )


def repel_picks(sight: FormSight, ship: ShipState, order: Mapping[Any, Any]) -> tuple[Select, ...]:
    """Who goes at boarders: parties at one each, by what these do, and how many marines fire at
    either.
    """
    repel_order = order.get("repel")
    teams = [
        team
        for team in (repel_order if isinstance(repel_order, list) else ())
        if isinstance(team, list) and len(team) == 2
    ]
    marines = order.get("marines")
    most = min(sum(hostiles_aboard(sight, ship)), parties_of(ship))
    picks: list[Select] = []
    for task, does, do in TASKS:
        counts_ordered = [str(count) for count, at in teams if at == task]
        for place in range(max(most, len(counts_ordered))):
            chosen = counts_ordered[place] if place < len(counts_ordered) else ""
            options = _with(
                chosen,
                (("", phrase("none")), *((str(n), str(n)) for n in range(1, MOST_PARTIES + 1))),
            )
            label = phrase("Parties at boarder {} that {}", place + 1, does)
            picks.append(
                REPEL.draw(ship.id, task, place, label=label, options=options, chosen=chosen)
            )
        chosen = str(marines.get(task, "")) if isinstance(marines, Mapping) else ""
        counts = tuple((str(n), str(n)) for n in range(len(marines_of(ship)) + 1))
        options = _with(chosen, (("", phrase("as it comes")), *counts))
        picks.append(
            REPELLING_MARINES.draw(
                ship.id,
                task,
                label=phrase("Marines that fire at boarders that {}", do),
                options=options,
                chosen=chosen,
            )
        )
    return tuple(picks)


def aboard_picks(ship: ShipState, name: str, label: str, fire: Mapping[str, Any]) -> list[Select]:
    """Whom a weapon sends aboard another ship, of those a ship has.

    `name`: of its fields, ship and weapon.
    """
    picks: list[Select] = []
    for kind, kind_name, most, unsaid in (
        ("marines", phrase("marines"), len(marines_of(ship)), phrase("one a hit")),
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
    """Whom the form says a weapon sends aboard: of marines all that hit where it does not say, of
    parties none.
    """
    marines, parties = (ABOARD.text(post, name, kind) for kind in ("marines", "parties"))
    if not marines and not parties:
        return {}
    return {
        "marines": number(marines) if marines else len(marines_of(ship)),
        "parties": number(parties or "0"),
    }


def _with(chosen: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Options with one more where something else is said already."""
    return options if any(value == chosen for value, _ in options) else (*options, (chosen, chosen))


def repel_payload(ship: ShipState, post: QueryDict) -> dict[str, Any]:
    """What the form says of boarders aboard a ship."""
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
    order: dict[str, Any] = {"repel": teams} if teams else {}
    return order | (
        {"marines": {task: number(count_field) for task, count_field in marines.items()}}
        if marines
        else {}
    )


def board_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """A row for every ship of others that the side's boarders are aboard."""
    board_entry = payload.get(BOARD)
    orders = board_entry if isinstance(board_entry, Mapping) else {}
    rows = []
    for ship, marines, parties in ships_boarded(sight):
        order = orders.get(ship.id)
        chosen = str(order.get("at_marines", 0)) if isinstance(order, Mapping) else "0"
        options = tuple((str(n), str(n)) for n in range(marines + parties + 1))
        pick = BOARDERS.draw(
            ship.id,
            label=phrase("Boarders that fight its marines; the others wreck it"),
            options=options,
            chosen=chosen,
        )
        name, state_text = (
            sight.names.get(ship.id, ship.id),
            _state_words(sight, ship, people_words(marines, parties)),
        )
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
    """How it stands aboard a ship of others, as far as the side knows."""
    if ship.owner == sight.side:
        return phrase(
            "{} of yours aboard; it was yours: you have it again when nobody else is left aboard",
            aboard,
        )
    if ship.status in DERELICT_STATUSES:
        return phrase(
            "{} of yours aboard; nobody sails it: it is yours when no others are left aboard",
            aboard,
        )
    boxes = remaining_boxes(ship)
    return phrase(
        "{} of yours aboard; {} hull boxes left: whoever wrecks the last has it", aboard, boxes
    )


def board_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """The entry of what boarders do, as the form says it; without one all wreck."""
    counts = {
        ship.id: number(BOARDERS.text(post, ship.id) or "0") for ship, _, _ in ships_boarded(sight)
    }
    boards = {name: {"at_marines": count} for name, count in counts.items() if count}
    return {BOARD: boards} if boards else {}


def ships_boarded(sight: FormSight) -> list[tuple[ShipState, int, int]]:
    """The ships of others with people of the side aboard: so many marines and parties."""
    ships = [
        ship
        for ship in boarded_ships(sight.state)
        if ship.commander != sight.side and sight.side in ship.boarders_by_side()
    ]
    return [(ship, *ship.boarders_by_side()[sight.side]) for ship in ships]


def remaining_boxes(ship: ShipState) -> int:
    """The boxes of a ship's hull that are not marked off, as far as is known."""
    return ship.sheet.boxes - ship.damage


def repel_rows(sight: FormSight, ship: ShipState, row: OrderRow) -> list[dict[str, Any]]:
    """Of a ship of one's own with boarders aboard: parties at each of them, and marines that fire,
    by what these do.
    """
    rows: list[dict[str, Any]] = []
    hostile_count = sum(hostiles_aboard(sight, ship))
    for task, words in TASK_LABELS:
        fields = [
            REPEL.name(ship.id, task, place) for place in REPEL.places(row.names, ship.id, task)
        ]
        if fields:
            cells = {}
            parties = parties_of(ship)
            for count in range(1, min(MOST_PARTIES, parties) + 1):
                boarders_met = min(len(fields), parties // count)  # as far as the parties reach
                mean = boarders_met * (SIDES + 1 - REPELS_ON + count) / SIDES
                title = phrase(
                    "{} at each of {}: {} of 6 to fell it, {:.1f} of {} boarders to expect",
                    count,
                    boarders_met,
                    count,
                    mean,
                    hostile_count,
                )
                cells[str(count)] = [f"{mean:.1f}", phrase("felled"), str(count), title]
            rows.append(
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
            for count in range(1, len(marines_of(ship)) + 1):
                mean = min(count * KILL_CHANCE, hostile_count)
                cells[str(count)] = [
                    f"{mean:.1f}",
                    phrase("felled"),
                    str(count),
                    phrase("{:.1f} of {} boarders to expect", mean, hostile_count),
                ]
            name = phrase("Marines at boarders {}", words)
            rows.append(
                {"name": name, "type": "marines", "fields": [fires], "cells": cells, "free": True}
            )
    return rows


def board_table(ship: ShipState, row: OrderRow) -> dict[str, Any]:
    """Of a ship of others with people of the side aboard: so many fight its marines, the rest wreck
    it.
    """
    (pick,) = row.picks
    most, remaining = len(pick.options) - 1, remaining_boxes(ship)
    if ship.status in DERELICT_STATUSES or not ship.boarders_by_side():
        return {"head": "", "cols": [], "rows": []}
    foes = sum(
        fit.type == MARINES and alive > 0
        for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True)
    )
    cells = {}
    for count in range(most + 1):
        fells, wreck = min(count * KILL_CHANCE, foes), most - count
        effect_text = (
            phrase("takes it") if wreck >= remaining else phrase("{} wreck", wreck) if wreck else ""
        )
        title = phrase(
            "{:.1f} of {} marines to expect, {} of {} hull boxes if nobody of yours falls",
            fells,
            foes,
            wreck,
            remaining,
        )
        cells[str(count)] = [f"{fells:.1f}", effect_text, str(count), title]
    rows = [
        {"name": phrase("At its marines"), "type": "marines", "fields": [pick.name], "cells": cells}
    ]
    cols = [[str(count), str(count), ""] for count in range(most + 1)]
    return {
        "head": phrase("How many; the rest wreck it"),
        "cols": cols,
        "rows": rows,
        "still": True,
    }
