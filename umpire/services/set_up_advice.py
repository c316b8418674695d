"""The set-up that a captain advises in an online battle, with what the week's orders want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, cast

from campaign.rules.orders import BattleSetUp
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.captains.line_up import choose_formation, proposed_place
from engine.core.deployment import BY_SHIP, SetUpStage
from engine.core.orders import OrdersDocument
from engine.core.state import SET_UP
from engine.notation.placing import Place, find_place_faults, place_ships
from engine.stops import advise

# Keys of a place that say where a ship is; a place with others alone only changes its movement.
POSITION_KEYS = frozenset(("at", "ftl_entry", "gate", "docked", "carried", "orbit", "stand"))


def set_up_advice(
    battle: Battle,
    side: int,
    doctrine: Doctrine,
    items: Sequence[BattleSetUp],
    seed: str,
    *,
    chooses: bool,
) -> OrdersDocument:
    """Return the advice for the bodies or ships that a side places now.

    The captain chooses for ships whose places in the week's orders are not valid.

    Args:
        battle: As the side knows it.
        items: What the sealed orders of the side's factions say about this battle.
        chooses: Let the captain choose a formation if nothing names one.
    """
    stage = battle.state.set_up
    assert stage is not None
    if stage.bodies:
        return advise(battle, side, doctrine, seed)
    own_ships = [ship for ship in battle.state.ships if ship.owner == side]
    formation = next((item.formation for item in items if item.formation), doctrine.formation)
    if chooses and not formation:
        formation = choose_formation(own_ships)
    wanted: dict[str, Place] = {}
    for item in items:
        wanted |= item.ships
    ordered = _valid_places(battle, stage, side, wanted)
    trial, positions = _with_places(battle, stage, side, ordered)
    advice = cast(dict[str, Any], advise(trial, side, replace(doctrine, formation=formation), seed))
    proposals = advice[SET_UP]
    places: dict[str, Any] = {}
    for id_, place in ordered.items():
        places[id_] = {**(proposals.pop(id_, None) or positions[id_]), **place}
    room = stage.plan.step - len(places) if stage.plan.manner == BY_SHIP else len(proposals)
    places |= dict(list(proposals.items())[: max(room, 0)])
    in_order = {ship.id: places[ship.id] for ship in own_ships if ship.id in places}
    return cast(OrdersDocument, {**advice, SET_UP: in_order})


def _valid_places(
    battle: Battle, stage: SetUpStage, side: int, wanted: Mapping[str, Place]
) -> dict[str, Place]:
    """Return the valid places among those wanted for ships that may be placed now."""
    chosen: dict[str, Place] = {}
    for ship in stage.placeable(side, battle.state.ships) if stage.is_asked(side) else ():
        place = wanted.get(ship.id)
        if place and not find_place_faults(battle.state, {ship.id: place}, ""):
            chosen[ship.id] = place
    if stage.plan.manner == BY_SHIP:
        chosen = dict(list(chosen.items())[: stage.plan.step])
    return chosen


def _with_places(
    battle: Battle, stage: SetUpStage, side: int, chosen: Mapping[str, Place]
) -> tuple[Battle, dict[str, Place]]:
    """Return a copy of a battle whose ships are where orders put them, and their places."""
    positions = {id_: place for id_, place in chosen.items() if POSITION_KEYS & place.keys()}
    state = battle.state.copy()
    if positions:
        place_ships(state, side, positions, "")
    state.set_up = reduce(SetUpStage.without, positions, stage)
    places = {ship.id: proposed_place(ship) for ship in state.ships if ship.id in positions}
    trial = Battle(battle.edition, battle.options, state, winner=None, events=[])
    return trial, cast(dict[str, Place], places)
