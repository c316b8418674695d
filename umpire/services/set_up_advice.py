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
    """Return the advice for the ships that a side places now.

    Places of the week's orders that are not lawful are left to the captain.

    Args:
        battle: As the side knows it.
        items: What the sealed orders of the side's factions say about this battle.
        chooses: Let the captain choose a formation if nothing names one.
    """
    stage = battle.state.set_up
    assert stage is not None
    formation = next((item.formation for item in items if item.formation), doctrine.formation)
    own = [ship for ship in battle.state.ships if ship.owner == side]
    if chooses and not formation:
        formation = choose_formation(own)
    doctrine = replace(doctrine, formation=formation)
    wanted: dict[str, Place] = {}
    for item in items:
        wanted |= item.ships
    chosen = _lawful_places(battle, stage, side, wanted)
    trial, positions = _with_places(battle, stage, side, chosen)
    advice = cast(dict[str, Any], advise(trial, side, doctrine, seed))
    places: dict[str, Any] = {}
    for id_, place in chosen.items():
        proposal = advice[SET_UP].pop(id_, None) or positions[id_]
        places[id_] = {**proposal, **place}
    if stage.plan.manner == BY_SHIP:
        for id_, place in advice[SET_UP].items():
            if len(places) < stage.plan.step:
                places[id_] = place
    else:
        places |= advice[SET_UP]
    order = [ship.id for ship in own if ship.id in places]
    return cast(OrdersDocument, {**advice, SET_UP: {id_: places[id_] for id_ in order}})


def _lawful_places(
    battle: Battle, stage: SetUpStage, side: int, wanted: Mapping[str, Place]
) -> dict[str, Place]:
    """Return the lawful places among those wanted for ships that may be placed now."""
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
