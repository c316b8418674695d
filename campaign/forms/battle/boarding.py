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
from engine.asks.board import BOARD
from engine.continuum.boarding import KILLS_ON, REPELS_ON, boarded
from engine.continuum.damage_control import MOST_PARTIES
from engine.core.kinds import ADRIFT
from engine.core.orders import AT_HULL, AT_MARINES
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.english import counted_noun
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
FELLS = (SIDES + 1 - KILLS_ON) / SIDES  # the chance of a marine, or of a boarder that fights one


Faults = Mapping[str, tuple[str, ...]]


def people(marines: int, parties: int) -> str:
    """So many marines and parties, in words."""
    both = ((marines, "marine"), (parties, "party"))
    return joined_phrases(
        " and ", (counted_noun(many, noun) for many, noun in both if many)
    ) or phrase("nobody")


def hostile_in(seen: FormSight, ship: ShipState) -> tuple[int, int]:
    """The people of hostile sides aboard a ship of one's own: marines and parties."""
    foes = seen.state.hostile[ship.commander]
    there = [both for side, both in ship.billeted().items() if foes >> side & 1]
    return sum(marines for marines, _ in there), sum(parties for _, parties in there)


def repel_picks(seen: FormSight, ship: ShipState, asked: Mapping[Any, Any]) -> tuple[Select, ...]:
    """Who goes at boarders: parties at one each, by what these do, and how many marines fire at
    either.
    """
    given = asked.get("repel")
    teams = [
        one
        for one in (given if isinstance(given, list) else ())
        if isinstance(one, list) and len(one) == 2
    ]
    marines = asked.get("marines")
    most = min(sum(hostile_in(seen, ship)), parties_of(ship))
    found: list[Select] = []
    for task, does, do in TASKS:
        said = [str(sent) for sent, at in teams if at == task]
        for place in range(max(most, len(said))):
            chosen = said[place] if place < len(said) else ""
            options = _with(
                chosen,
                (("", phrase("none")), *((str(n), str(n)) for n in range(1, MOST_PARTIES + 1))),
            )
            label = phrase("Parties at boarder {} that {}", place + 1, does)
            found.append(
                REPEL.draw(ship.id, task, place, label=label, options=options, chosen=chosen)
            )
        chosen = str(marines.get(task, "")) if isinstance(marines, Mapping) else ""
        counts = tuple((str(n), str(n)) for n in range(len(marines_of(ship)) + 1))
        options = _with(chosen, (("", phrase("as it comes")), *counts))
        found.append(
            REPELLING_MARINES.draw(
                ship.id,
                task,
                label=phrase("Marines that fire at boarders that {}", do),
                options=options,
                chosen=chosen,
            )
        )
    return tuple(found)


def aboard_picks(ship: ShipState, name: str, label: str, fire: Mapping[str, Any]) -> list[Select]:
    """Whom a weapon sends aboard another ship, of those a ship has.

    `name`: of its fields, ship and weapon.
    """
    found: list[Select] = []
    for who, called, most, unsaid in (
        ("marines", phrase("marines"), len(marines_of(ship)), phrase("one a hit")),
        ("parties", phrase("parties"), parties_of(ship), phrase("none")),
    ):
        chosen = str(fire[who]) if who in fire else ""
        counts = tuple((str(n), str(n)) for n in range(most + 1))
        options = _with(chosen, (("", unsaid), *counts))
        found.append(
            ABOARD.draw(
                name,
                who,
                label=phrase("{}: {} sent aboard", label, called),
                options=options,
                chosen=chosen,
            )
        )
    return found


def aboard_sent(ship: ShipState, name: str, posted: QueryDict) -> dict[str, Any]:
    """Whom the form says a weapon sends aboard: of marines all that hit where it does not say, of
    parties none.
    """
    marines, parties = (ABOARD.text(posted, name, who) for who in ("marines", "parties"))
    if not marines and not parties:
        return {}
    return {
        "marines": number(marines) if marines else len(marines_of(ship)),
        "parties": number(parties or "0"),
    }


def _with(chosen: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Options with one more where something else is said already."""
    return options if any(value == chosen for value, _ in options) else (*options, (chosen, chosen))


def repelled(ship: ShipState, posted: QueryDict) -> dict[str, Any]:
    """What the form says of boarders aboard a ship."""
    teams: list[list[Any]] = []
    for task, _, _ in TASKS:
        counts = (
            REPEL.text(posted, ship.id, task, place)
            for place in REPEL.places(posted, ship.id, task)
        )
        teams += [[number(sent), task] for sent in counts if sent]
    marines = {
        task: said
        for task, _, _ in TASKS
        if (said := REPELLING_MARINES.text(posted, ship.id, task))
    }
    found: dict[str, Any] = {"repel": teams} if teams else {}
    return found | (
        {"marines": {task: number(said) for task, said in marines.items()}} if marines else {}
    )


def board_rows(seen: FormSight, payload: Mapping[str, Any], faults: Faults) -> tuple[OrderRow, ...]:
    """A row for every ship of others that the side's boarders are aboard."""
    given = payload.get(BOARD)
    said = given if isinstance(given, Mapping) else {}
    rows = []
    for ship, marines, parties in boarded_by(seen):
        asked = said.get(ship.id)
        chosen = str(asked.get("at_marines", 0)) if isinstance(asked, Mapping) else "0"
        options = tuple((str(n), str(n)) for n in range(marines + parties + 1))
        pick = BOARDERS.draw(
            ship.id,
            label=phrase("Boarders that fight its marines; the others wreck it"),
            options=options,
            chosen=chosen,
        )
        name, told = seen.names.get(ship.id, ship.id), _told(seen, ship, people(marines, parties))
        rows.append(
            OrderRow(
                ship.id, anchor(ship.id), name, told, (pick,), (), (), None, faults.get(ship.id, ())
            )
        )
    return tuple(rows)


def _told(seen: FormSight, ship: ShipState, aboard: str) -> str:
    """How it stands aboard a ship of others, as far as the side knows."""
    if ship.owner == seen.side:
        return phrase(
            "{} of yours aboard; it was yours: you have it again when nobody else is left aboard",
            aboard,
        )
    if ship.status in ADRIFT:
        return phrase(
            "{} of yours aboard; nobody sails it: it is yours when no others are left aboard",
            aboard,
        )
    left = boxes_left(ship)
    return phrase(
        "{} of yours aboard; {} hull boxes left: whoever wrecks the last has it", aboard, left
    )


def board_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """The entry of what boarders do, as the form says it; without one all wreck."""
    found = {
        ship.id: number(BOARDERS.text(posted, ship.id) or "0") for ship, _, _ in boarded_by(seen)
    }
    boards = {name: {"at_marines": many} for name, many in found.items() if many}
    return {BOARD: boards} if boards else {}


def boarded_by(seen: FormSight) -> list[tuple[ShipState, int, int]]:
    """The ships of others with people of the side aboard: so many marines and parties."""
    ships = [
        ship
        for ship in boarded(seen.state)
        if ship.commander != seen.side and seen.side in ship.billeted()
    ]
    return [(ship, *ship.billeted()[seen.side]) for ship in ships]


def boxes_left(ship: ShipState) -> int:
    """The boxes of a ship's hull that are not marked off, as far as is known."""
    return ship.sheet.boxes - ship.damage


def repel_rows(seen: FormSight, ship: ShipState, row: OrderRow) -> list[dict[str, Any]]:
    """Of a ship of one's own with boarders aboard: parties at each of them, and marines that fire,
    by what these do.
    """
    found: list[dict[str, Any]] = []
    there = sum(hostile_in(seen, ship))
    for task, words in TASK_LABELS:
        fields = [
            REPEL.name(ship.id, task, place) for place in REPEL.places(row.names, ship.id, task)
        ]
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
            found.append(
                {"name": name, "type": "marines", "fields": [fires], "cells": cells, "free": True}
            )
    return found


def board_table(ship: ShipState, row: OrderRow) -> dict[str, Any]:
    """Of a ship of others with people of the side aboard: so many fight its marines, the rest wreck
    it.
    """
    (pick,) = row.picks
    most, left = len(pick.options) - 1, boxes_left(ship)
    if ship.status in ADRIFT or not ship.billeted():
        return {"head": "", "cols": [], "rows": []}
    foes = sum(
        fit.type == MARINES and alive > 0
        for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True)
    )
    cells = {}
    for sent in range(most + 1):
        fells, wreck = min(sent * FELLS, foes), most - sent
        takes = phrase("takes it") if wreck >= left else phrase("{} wreck", wreck) if wreck else ""
        title = phrase(
            "{:.1f} of {} marines to expect, {} of {} hull boxes if nobody of yours falls",
            fells,
            foes,
            wreck,
            left,
        )
        cells[str(sent)] = [f"{fells:.1f}", takes, str(sent), title]
    rows = [
        {"name": phrase("At its marines"), "type": "marines", "fields": [pick.name], "cells": cells}
    ]
    cols = [[str(sent), str(sent), ""] for sent in range(most + 1)]
    return {
        "head": phrase("How many; the rest wreck it"),
        "cols": cols,
        "rows": rows,
        "still": True,
    }
