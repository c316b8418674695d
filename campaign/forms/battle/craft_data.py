"""Data of the craft cards beside the plots: position, range, carrier, the captain's order. Pure.

    {craft: {group: {x, y, reach, ship?, bay?, captain: {field: value}}},
     decks: [[ship, bay, words, group, short]], limits: {ship: [most, [bay]]},
     carriers: {ship: {name, most, first: [bay], note, aboard: [[words, why]]}}}

A group with `ship` is still aboard and flies if the ship launches it from `bay`. A card writes the
form's own fields, and `launch` into its ship's order; the engine decides which of these are valid
together. `short` is an alternative name of the bay in orders. `limits` tells how many of these bays
a ship can launch per turn, if it has more. `carriers` tells for each ship with craft aboard how
many groups it can launch, the first bays of as many, what a launch excludes, and why others stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.forms.battle.craft_form import craft_rows, group_name
from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.task_data import filled_fields
from campaign.forms.field import as_mapping
from campaign.words.design_faults import with_names
from campaign.words.plot_text import bay_ids, plot_parts
from engine.core.orders import Plot
from engine.core.phrase import capitalize_first, phrase
from engine.core.ship import ShipState
from engine.craft.roles import row_in
from engine.english import counted_noun, system_words
from engine.order_requests.plot import plot_faults
from engine.pieces.group import groups_from
from engine.systems.outfit import short_bay_name

LAUNCH_TURN_DIVISOR = 2  # craft fly half as far in the turn of their launch


def craft_data(sight: FormSight, advice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cards of a side's craft at its plots.

    Args:
        advice: The captain's proposal.
    """
    captain = {row.key: filled_fields(row) for row in craft_rows(sight, advice, {})}
    craft: dict[str, dict[str, Any]] = {}
    decks: list[list[str]] = []
    for group in sight.groups:
        if group.row.endurance:
            craft[group.id] = {
                "x": round(group.x, 2),
                "y": round(group.y, 2),
                "reach": group.row.speed,
            }
    for ship in sight.ships:
        bays_advised = _bays_launched_by_advice(ship, advice)
        for name, index in groups_from(ship):
            bay = ship.sheet.fits[index].id
            if not _is_bay_ready(sight, ship, index, bay):
                continue
            label = _bay_label(sight, ship, index, name)
            decks.append([ship.id, bay, label, name, short_bay_name(bay)])
            if name in captain:
                craft[name] = {
                    "x": ship.x,
                    "y": ship.y,
                    "reach": row_in(ship, index).speed / LAUNCH_TURN_DIVISOR,
                    "ship": ship.id,
                    "bay": bay,
                }
                if bay in bays_advised:
                    captain[name]["launch"] = "on"
    for key, card in craft.items():
        card["captain"] = captain.get(key, {})
    return {
        "craft": craft,
        "decks": decks,
        "limits": _launch_limits(sight, decks),
        "carriers": _carriers(sight),
    }


def _carriers(sight: FormSight) -> dict[str, dict[str, Any]]:
    """Return what each ship with craft aboard can launch this turn, by asking the engine."""
    carriers: dict[str, dict[str, Any]] = {}
    for ship in sight.ships:
        first: list[str] = []
        aboard: list[list[str]] = []
        for name, index in groups_from(ship):
            bay = ship.sheet.fits[index].id
            if not ship.stock[index]:
                continue
            faults = plot_faults(sight.state, ship, Plot(launch=(bay,)))
            if faults:
                label = _bay_label(sight, ship, index, name)
                aboard.append([label, with_names(faults[0], {bay: system_words(bay)})])
            elif _can_launch(sight, ship.id, [*first, bay]):
                first.append(bay)
        if first or aboard:
            carriers[ship.id] = {
                "name": sight.display_name(ship.id),
                "most": len(first),
                "first": first,
                "note": _excluded_by_launch(sight, ship, first),
                "aboard": aboard,
            }
    return carriers


def _excluded_by_launch(sight: FormSight, ship: ShipState, bays: Sequence[str]) -> str:
    """Return why a ship that launches cannot turn, or "" if it can, or can do neither."""
    turn_faults = plot_faults(sight.state, ship, Plot(turn=1))
    if not bays or turn_faults:
        return ""
    faults = plot_faults(sight.state, ship, Plot(turn=1, launch=tuple(bays)))
    return capitalize_first(faults[0]) if faults else ""


def ids_of_groups(ship: ShipState) -> list[str]:
    """Return the ids of a ship's groups, in flight or still aboard."""
    return [group for group, _ in groups_from(ship)]


def _bay_label(sight: FormSight, ship: ShipState, index: int, group: str) -> str:
    """Return the name, kind and number of craft of a group aboard, in words."""
    row = row_in(ship, index)
    craft_word = (row.word or "fighters").removesuffix("s")
    count = counted_noun(ship.stock[index], craft_word)
    return phrase("{}: {}", group_name(sight, group, row), count)


def _launch_limits(
    sight: FormSight, decks: Iterable[Sequence[str]]
) -> dict[str, tuple[int, list[str]]]:
    """Find ships with more ready bays than they can launch in a turn, by asking the engine.

    Returns:
        For each such ship the number of launches and the bays that share this limit.
    """
    ready_bays: dict[str, list[str]] = {}
    for ship, bay, *_ in decks:
        ready_bays.setdefault(ship, []).append(bay)
    limits: dict[str, tuple[int, list[str]]] = {}
    for key, bays in ready_bays.items():
        launched: list[str] = []
        for bay in bays:
            if _can_launch(sight, key, [*launched, bay]):
                launched.append(bay)
        bays_left = [bay for bay in bays if bay not in launched]
        if not bays_left:
            continue
        sharing = []
        for bay in launched:
            if _can_launch(sight, key, _with_bay_replaced(launched, bay, bays_left[0])):
                sharing.append(bay)
        limits[key] = (len(sharing), [*sharing, *bays_left])
    return limits


def _with_bay_replaced(bays: Sequence[str], old_bay: str, new_bay: str) -> list[str]:
    """Return the bays with one replaced by another."""
    return [new_bay if bay == old_bay else bay for bay in bays]


def _can_launch(sight: FormSight, key: str, bays: Iterable[str]) -> bool:
    """Return whether a ship can launch from all these bays in one turn."""
    return not plot_faults(sight.state, sight.state.ship_by_name(key), Plot(launch=tuple(bays)))


def _bays_launched_by_advice(ship: ShipState, advice: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the bays that a ship's plot launches from in the captain's proposal."""
    words = as_mapping(advice.get("plot")).get(ship.id)
    part = plot_parts(words if isinstance(words, str) else "", ship.sheet.edition).get("launch")
    if part is None or part.plot is None:
        return ()
    return bay_ids(ship, part.plot.launch)


def _is_bay_ready(sight: FormSight, ship: ShipState, index: int, bay: str) -> bool:
    """Return whether a bay has craft that its ship could launch now as its only order."""
    return bool(ship.alive[index] and ship.stock[index]) and not plot_faults(
        sight.state, ship, Plot(launch=(bay,))
    )
