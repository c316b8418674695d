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
from typing import Any, NamedTuple

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.field import (
    ChoiceField,
    Option,
    Select,
    as_mapping,
    item_at,
    number,
)
from campaign.rules.codec import as_list
from engine.continuum.boarding import KILLS_ON, REPELS_ON, boarded_ships
from engine.continuum.damage_control import MAX_PARTIES
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


class BoarderTask(NamedTuple):
    """What a boarder does aboard, by its key in orders and in words."""

    key: str
    one: str  # "Parties against boarder 2, who ..."
    many: str  # "Marines against boarders who ..."
    label: str  # "Parties against boarders ..."


TASKS = (
    BoarderTask(
        AT_HULL,
        one=phrase("wrecks the ship"),
        many=phrase("wreck the ship"),
        label=phrase("wrecking the ship"),
    ),
    BoarderTask(
        AT_MARINES,
        one=phrase("fights its marines"),
        many=phrase("fight its marines"),
        label=phrase("fighting marines"),
    ),
)
DIE_SIDES = 6
# The chance of a kill, for a marine or for a boarder who fights one
KILL_CHANCE = (DIE_SIDES + 1 - KILLS_ON) / DIE_SIDES


Faults = Mapping[str, tuple[str, ...]]  # messages by ship


def people_words(marines: int, parties: int) -> str:
    """Return a number of marines and parties in words."""
    counts = ((marines, "marine"), (parties, "party"))
    parts = [counted_noun(count, noun) for count, noun in counts if count]
    return join_phrases(" and ", parts) or phrase("nobody")


def hostiles_aboard(sight: FormSight, ship: ShipState) -> tuple[int, int]:
    """Return how many hostile marines and parties are aboard one of the side's ships."""
    hostile_sides = sight.state.hostile[ship.commander]
    hostile_marines = 0
    hostile_parties = 0
    for side, (marines, parties) in ship.boarders_by_side().items():
        if hostile_sides >> side & 1:
            hostile_marines += marines
            hostile_parties += parties
    return hostile_marines, hostile_parties


def repel_picks(sight: FormSight, ship: ShipState, order: Mapping[Any, Any]) -> tuple[Select, ...]:
    """Return the fields for repelling boarders.

    For each boarder a number of parties, by what the boarders do; for each task a number of
    marines.
    """
    teams = []
    for team in as_list(order.get("repel")):
        if isinstance(team, list) and len(team) == 2:
            teams.append(team)
    marines_by_task = as_mapping(order.get("marines"))
    most_teams = min(sum(hostiles_aboard(sight, ship)), parties_of(ship))
    picks: list[Select] = []
    for task in TASKS:
        counts = [str(count) for count, task_ordered in teams if task_ordered == task.key]
        for place in range(max(most_teams, len(counts))):
            count = item_at(counts, place, "")
            picks.append(_team_pick(ship, task, place, count))
        picks.append(_marines_pick(ship, task, str(marines_by_task.get(task.key, ""))))
    return tuple(picks)


def _team_pick(ship: ShipState, task: BoarderTask, place: int, count: str) -> Select:
    """Return the field for the number of parties that attack one boarder."""
    counts = ((str(number), str(number)) for number in range(1, MAX_PARTIES + 1))
    return REPEL.draw(
        ship.id,
        task.key,
        place,
        label=phrase("Parties against boarder {}, who {}", place + 1, task.one),
        options=_with_value(count, (("", phrase("none")), *counts)),
        chosen=count,
    )


def _marines_pick(ship: ShipState, task: BoarderTask, count: str) -> Select:
    """Return the field for the number of marines that fire at the boarders with a task."""
    counts = ((str(number), str(number)) for number in range(len(marines_of(ship)) + 1))
    return REPELLING_MARINES.draw(
        ship.id,
        task.key,
        label=phrase("Marines against boarders who {}", task.many),
        options=_with_value(count, (("", phrase("automatic")), *counts)),
        chosen=count,
    )


def aboard_picks(ship: ShipState, name: str, label: str, fire: Mapping[str, Any]) -> list[Select]:
    """Return the fields for how many people a weapon sends aboard another ship.

    Args:
        name: Part of the field names, from ship and weapon.
    """
    picks: list[Select] = []
    for kind, kind_name, most, blank_label in (
        ("marines", phrase("marines"), len(marines_of(ship)), phrase("one per hit")),
        ("parties", phrase("parties"), parties_of(ship), phrase("none")),
    ):
        value = str(fire[kind]) if kind in fire else ""
        counts = ((str(number), str(number)) for number in range(most + 1))
        picks.append(
            ABOARD.draw(
                name,
                kind,
                label=phrase("{}: {} sent aboard", label, kind_name),
                options=_with_value(value, (("", blank_label), *counts)),
                chosen=value,
            )
        )
    return picks


def boarders_payload(ship: ShipState, name: str, post: QueryDict) -> dict[str, Any]:
    """Return how many people a weapon sends aboard, as in the form; empty if it gives no number.

    If only parties are given, all marines may go, one per hit.
    """
    marines = ABOARD.text(post, name, "marines")
    parties = ABOARD.text(post, name, "parties")
    if not marines and not parties:
        return {}
    return {
        "marines": number(marines) if marines else len(marines_of(ship)),
        "parties": number(parties or "0"),
    }


def _with_value(value: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the options, with this value added if it is missing."""
    if any(option == value for option, _ in options):
        return options
    return (*options, (value, value))


def repel_payload(ship: ShipState, post: QueryDict) -> dict[str, Any]:
    """Return the form's orders about boarders aboard a ship."""
    teams: list[list[Any]] = []
    marines: dict[str, Any] = {}
    for task in TASKS:
        for place in REPEL.places(post, ship.id, task.key):
            if count := REPEL.text(post, ship.id, task.key, place):
                teams.append([number(count), task.key])
        if count := REPELLING_MARINES.text(post, ship.id, task.key):
            marines[task.key] = number(count)
    order: dict[str, Any] = {}
    if teams:
        order["repel"] = teams
    if marines:
        order["marines"] = marines
    return order


def board_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """Return a row for each foreign ship with the side's boarders aboard."""
    orders = as_mapping(payload.get(BOARD))
    rows = []
    for ship, marines, parties in ships_boarded(sight):
        fighter_count = as_mapping(orders.get(ship.id)).get("at_marines", 0)
        pick = BOARDERS.draw(
            ship.id,
            label=phrase("Boarders who fight its marines; the others wreck the ship"),
            options=((str(count), str(count)) for count in range(marines + parties + 1)),
            chosen=fighter_count,
        )
        rows.append(
            OrderRow(
                key=ship.id,
                name=sight.display_name(ship.id),
                state=_state_words(sight, ship, people_words(marines, parties)),
                picks=(pick,),
                faults=faults.get(ship.id, ()),
            )
        )
    return tuple(rows)


def _state_words(sight: FormSight, ship: ShipState, aboard: str) -> str:
    """Return the situation aboard a foreign ship in words, as far as the side knows.

    Args:
        aboard: The side's people aboard, in words.
    """
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
    return phrase(
        "{} of yours aboard; {} hull boxes left: the side that wrecks the last one captures "
        "the ship",
        aboard,
        remaining_boxes(ship),
    )


def board_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the boarders' orders in the form; without an entry all wreck the ship."""
    orders = {}
    for ship, _, _ in ships_boarded(sight):
        if count := number(BOARDERS.text(post, ship.id) or "0"):
            orders[ship.id] = {"at_marines": count}
    if orders:
        return {BOARD: orders}
    return {}


def ships_boarded(sight: FormSight) -> list[tuple[ShipState, int, int]]:
    """Return the foreign ships with the side's people aboard: (ship, marines, parties)."""
    result = []
    for ship in boarded_ships(sight.state):
        people_by_side = ship.boarders_by_side()
        if ship.commander != sight.side and sight.side in people_by_side:
            marines, parties = people_by_side[sight.side]
            result.append((ship, marines, parties))
    return result


def remaining_boxes(ship: ShipState) -> int:
    """Return the hull boxes not yet marked off, as far as known."""
    return ship.sheet.boxes - ship.damage


def repel_rows(sight: FormSight, ship: ShipState, row: OrderRow) -> list[dict[str, Any]]:
    """Return the table rows for a boarded ship: parties per boarder, and marines that fire."""
    rows: list[dict[str, Any]] = []
    hostile_count = sum(hostiles_aboard(sight, ship))
    for task in TASKS:
        team_fields = []
        for place in REPEL.places(row.names, ship.id, task.key):
            team_fields.append(REPEL.name(ship.id, task.key, place))
        if team_fields:
            rows.append(
                {
                    "name": phrase("Parties against boarders {}", task.label),
                    "type": "damage-control",
                    "fields": team_fields,
                    "cells": _team_cells(parties_of(ship), len(team_fields), hostile_count),
                }
            )
        marines_field = REPELLING_MARINES.name(ship.id, task.key)
        if marines_field in row.names and marines_of(ship):
            rows.append(
                {
                    "name": phrase("Marines against boarders {}", task.label),
                    "type": "marines",
                    "fields": [marines_field],
                    "cells": _marines_cells(len(marines_of(ship)), hostile_count),
                    "free": True,
                }
            )
    return rows


def _team_cells(parties: int, boarders: int, hostile_count: int) -> dict[str, list[str]]:
    """Return what to expect by number of parties against each boarder.

    Args:
        boarders: The number of boarders with the same task.
        hostile_count: The number of all hostile people aboard.
    """
    cells = {}
    for count in range(1, min(MAX_PARTIES, parties) + 1):
        boarders_met = min(boarders, parties // count)  # as far as there are enough parties
        mean = boarders_met * (DIE_SIDES + 1 - REPELS_ON + count) / DIE_SIDES
        title = phrase(
            "{} against each of {}: {} in 6 to kill it, {:.1f} of {} boarders expected",
            count,
            boarders_met,
            count,
            mean,
            hostile_count,
        )
        cells[str(count)] = [f"{mean:.1f}", phrase("killed"), str(count), title]
    return cells


def _marines_cells(marines: int, hostile_count: int) -> dict[str, list[str]]:
    """Return table cells: how many boarders each number of marines can expect to kill."""
    cells = {}
    for count in range(1, marines + 1):
        mean = min(count * KILL_CHANCE, hostile_count)
        title = phrase("{:.1f} of {} boarders expected", mean, hostile_count)
        cells[str(count)] = [f"{mean:.1f}", phrase("killed"), str(count), title]
    return cells


def board_table(ship: ShipState, row: OrderRow) -> dict[str, Any]:
    """Return the table for a foreign ship: how many boarders fight its marines.

    The other boarders wreck the ship.
    """
    (pick,) = row.picks
    boarder_count = len(pick.options) - 1
    if ship.status in DERELICT_STATUSES or not ship.boarders_by_side():
        return {"head": "", "cols": [], "rows": []}
    marine_count = 0
    for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True):
        marine_count += fit.type == MARINES and alive > 0
    cells = {}
    for count in range(boarder_count + 1):
        cells[str(count)] = _boarding_cell(
            fighting=count,
            wrecking=boarder_count - count,
            marines=marine_count,
            boxes_left=remaining_boxes(ship),
        )
    table_row = {
        "name": phrase("Fighting its marines"),
        "type": "marines",
        "fields": [pick.name],
        "cells": cells,
    }
    return {
        "head": phrase("Number (the others wreck the ship)"),
        "cols": [[str(count), str(count), ""] for count in range(boarder_count + 1)],
        "rows": [table_row],
        "still": True,
    }


def _boarding_cell(*, fighting: int, wrecking: int, marines: int, boxes_left: int) -> list[str]:
    """Return what to expect if so many boarders fight a ship's marines and so many wreck it."""
    kills = min(fighting * KILL_CHANCE, marines)
    effect = ""
    if wrecking >= boxes_left:
        effect = phrase("captures it")
    elif wrecking:
        effect = phrase("{} wrecking", wrecking)
    title = phrase(
        "{:.1f} of {} marines expected, {} of {} hull boxes if you lose nobody",
        kills,
        marines,
        wrecking,
        boxes_left,
    )
    return [f"{kills:.1f}", effect, str(fighting), title]
