"""Data of the craft cards beside the plots: position, range, carrier, the captain's order. Pure.

    {craft: {group: {x, y, reach, ship?, bay?, captain: {field: value}}},
     decks: [[ship, bay, words, group, short]], limits: {ship: [most, [bay]]}}

A group with `ship` is still aboard and flies if the ship launches it from `bay`. A card writes the
form's own fields, and `launch` into its ship's order; the engine decides which of these are valid
together. `short` is an alternative name of the bay in orders. `limits` tells how many of these bays
a ship can launch per turn, if it has more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.forms.battle.craft_form import craft_rows
from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.task_data import filled_fields
from campaign.words.plot_text import bay_ids, plot_parts
from engine.core.orders import Plot
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.craft.roles import row_in
from engine.english import counted_noun, system_words
from engine.order_requests.plot import plot_faults
from engine.pieces.group import groups_from
from engine.systems.outfit import short_bay_name

LAUNCHED = 2  # MU less of movement in the turn of launch


def craft_data(sight: FormSight, advice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cards of a side's craft at its plots."""
    captain = {row.key: filled_fields(row) for row in craft_rows(sight, advice, {})}
    advised = advice.get("plot")
    plots = advised if isinstance(advised, Mapping) else {}
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
        for name, index in groups_from(ship):
            bay = ship.sheet.fits[index].id
            row = row_in(ship, index)
            if not _is_bay_ready(sight, ship, index, bay):
                continue
            words = counted_noun(ship.stock[index], (row.word or "fighters").removesuffix("s"))
            bay_label = phrase(
                "{}, {}: {}", sight.names.get(ship.id, ship.id), system_words(bay), words
            )
            decks.append([ship.id, bay, bay_label, name, short_bay_name(bay)])
            if name in captain:
                reach = row.speed / LAUNCHED
                craft[name] = {
                    "x": ship.x,
                    "y": ship.y,
                    "reach": reach,
                    "ship": ship.id,
                    "bay": bay,
                }
                if bay in _bays_launched(ship, plots.get(ship.id)):
                    captain[name]["launch"] = "on"
    for key, card in craft.items():
        card["captain"] = captain.get(key, {})
    return {"craft": craft, "decks": decks, "limits": _launch_limits(sight, decks)}


def _launch_limits(
    sight: FormSight, decks: Iterable[Sequence[str]]
) -> dict[str, tuple[int, list[str]]]:
    """Find ships with more ready bays than they can launch in a turn, by asking the engine.

    Returns:
        For each such ship the number of launches and the bays that share this limit.
    """
    ready: dict[str, list[str]] = {}
    for ship, bay, *_ in decks:
        ready.setdefault(ship, []).append(bay)
    limits: dict[str, tuple[int, list[str]]] = {}
    for key, bays in ready.items():
        launched: list[str] = []
        for bay in bays:
            if _can_launch(sight, key, [*launched, bay]):
                launched.append(bay)
        bays_left = [bay for bay in bays if bay not in launched]
        if bays_left:
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


def _bays_launched(ship: ShipState, words: object) -> tuple[str, ...]:
    """Return the bays that a plot launches from."""
    part = plot_parts(words if isinstance(words, str) else "", ship.sheet.edition).get("launch")
    if part is None or part.plot is None:
        return ()
    return bay_ids(ship, part.plot.launch)


def _is_bay_ready(sight: FormSight, ship: ShipState, index: int, bay: str) -> bool:
    """Return whether a bay has craft that its ship could launch now as its only order."""
    return bool(ship.alive[index] and ship.stock[index]) and not plot_faults(
        sight.state, ship, Plot(launch=(bay,))
    )
