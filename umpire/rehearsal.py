"""A whole war in memory, played by computer admirals and captains.

The war follows the same rules as a stored one, but nothing is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.validation import order_violations
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Engagement, World
from engine.battle import fight
from engine.battle import start as begin
from engine.captains.common.doctrine import STRAIGHT
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations
from engine.view.contact_fates import fates_by_events
from umpire.adjudication.battles import (
    battle_doctrines,
    battle_result,
    battle_setup,
    total_contacts_seen,
)
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.week import create_world, resolve
from umpire.admirals import orders_for
from umpire.admirals.character import Character

ADMIRALS = "admirals"
CAPTAINS = "captains"


@dataclass(frozen=True, slots=True)
class PlayedStage:
    """A stage that was played: the world before it, views, orders, battles and outcome."""

    before: World
    views: Mapping[str, View]
    orders: Mapping[str, Orders]
    results: Mapping[str, BattleResult]
    outcome: StageOutcome


@dataclass(frozen=True, slots=True)
class RehearsedWar:
    """A war that is over.

    Attributes:
        weeks: The number of weeks it took.
        history: Every stage, the deployment first.
    """

    seed: int
    result: str
    winner: str | None
    weeks: int
    world: World
    history: tuple[PlayedStage, ...]


def play(
    scenario: Scenario,
    characters: Mapping[str, str | Character],
    seed: int,
    *,
    captains: bool = True,
    on_stage: Callable[[PlayedStage], None] | None = None,
) -> RehearsedWar:
    """Play a war to its end.

    The same scenario, characters and seed give the same war on every machine.

    Args:
        characters: The admiral of each faction, as a name or a `Character`. A faction without one
            gets the steady admiral.
        captains: Whether captains steer the ships in battles. Without captains, ships fly straight
            and fire at the nearest target.
        on_stage: Called with every stage after it was played.

    Raises:
        RuleViolations: An admiral gave unlawful orders.
    """
    secret = hashlib.sha256(f"rehearsal {seed}".encode()).digest()
    factions = sorted(faction.id for faction in scenario.factions)
    world = create_world(scenario)
    views = {}
    for faction in factions:
        views[faction] = build_view(scenario, world, faction, None, ())
    history: list[PlayedStage] = []
    while world.stage != StageKind.OVER:
        context = (scenario.slug, world.week, world.stage)
        admirals = KeyedDice(secret, (*context, ADMIRALS))
        orders: dict[str, Orders] = {}
        for faction in factions:
            visible = with_known_designs(scenario, views[faction])
            orders[faction] = orders_for(
                visible, views[faction], characters.get(faction, ""), admirals.at(faction)
            )
            faults = order_violations(scenario, views[faction], orders[faction], faction)
            if faults:
                raise RuleViolations(faults)
        dice = KeyedDice(secret, context)
        results: dict[str, BattleResult] = {}
        if world.stage == StageKind.BATTLES:
            for engagement in world.engagements:
                doctrines = battle_doctrines(scenario, world, engagement, orders)
                if not captains:
                    doctrines = {side: {**doctrines[side], "style": STRAIGHT} for side in doctrines}
                results[engagement.key] = _fight_battle(
                    scenario, world, engagement, doctrines=doctrines, dice=dice, secret=secret
                )
        outcome = resolve(scenario, world, orders, results, dice)
        played = PlayedStage(world, views, orders, results, outcome)
        views = _views_after(scenario, played)
        world = outcome.world
        history.append(played)
        if on_stage is not None:
            on_stage(played)
    return RehearsedWar(
        seed=seed,
        result=world.result or "",
        winner=world.winner,
        weeks=world.week,
        world=world,
        history=tuple(history),
    )


def _fight_battle(
    scenario: Scenario,
    world: World,
    engagement: Engagement,
    *,
    doctrines: Mapping[str, Mapping[str, Any]],
    dice: KeyedDice,
    secret: bytes,
) -> BattleResult:
    """Fight a battle to its end, with a captain for each side.

    Args:
        doctrines: The doctrine of each side, by the side's name.
        secret: From which contact codes and the captains' own choices follow.
    """
    opening = begin(battle_setup(scenario, world, engagement, salt=secret))
    battle = fight(
        opening,
        doctrines,
        dice.at(f"battle/{engagement.key}"),
        hashlib.sha256(secret + f"{CAPTAINS} {engagement.key}".encode()).hexdigest(),
    )
    contacts_seen = total_contacts_seen(
        scenario,
        world,
        battle.state.sides,
        partial(fates_by_events, opening.state, battle.events, battle.state),
    )
    return battle_result(
        scenario,
        world,
        engagement,
        state=battle.to_json(),
        winner=battle.winner,
        turns=battle.turn,
        contacts_seen=contacts_seen,
    )


def _views_after(scenario: Scenario, played: PlayedStage) -> dict[str, View]:
    """Return what each faction knows after a stage."""
    outcome = played.outcome
    notices = notices_by_faction(outcome.week_events, played.before.week, played.before.stage)
    views = {}
    for faction, previous in played.views.items():
        faction_notices = notices.get(faction, ())
        views[faction] = build_view(scenario, outcome.world, faction, previous, faction_notices)
    return views
