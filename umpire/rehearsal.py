"""Wars in memory: played stage by stage by the rules of a stored war, and stored nowhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.validation import order_violations
from campaign.rules.known_objectives import known_scenario
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from campaign.rules.world import Engagement, World
from engine.battle import fight
from engine.battle import start as begin
from engine.captains.common.doctrine import STRAIGHT
from engine.core.dice import Dice, KeyedDice, LeadingDice
from engine.core.errors import RuleViolations
from engine.notation.battle_file import BattleFileDocument
from engine.view.contact_fates import fates_by_events
from umpire.adjudication.battles import (
    battle_doctrines,
    battle_result,
    battle_setup,
    total_contacts_seen,
)
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.set_ups import views_with_set_ups, with_set_ups
from umpire.adjudication.week import create_world, resolve
from umpire.admirals import orders_for
from umpire.admirals.character import Character

ADMIRALS = "admirals"
CAPTAINS = "captains"


@dataclass(frozen=True, slots=True)
class PlayedStage:
    """A stage that was played.

    Attributes:
        before: The world before it.
        views: The views before it, by faction.
        setups: The battle file of each engagement before its first die, by the engagement's key.
        results: The result of each engagement, by its key.
    """

    before: World
    views: Mapping[str, View]
    orders: Mapping[str, Orders]
    setups: Mapping[str, BattleFileDocument]
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


class WarInMemory:
    """A war that is played stage by stage and stored nowhere.

    The same scenario, seed, start and orders give the same war on every machine.

    Attributes:
        factions: The ids of all factions, sorted.
        world: The truth now.
        views: What each faction knows now.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        world: World | None = None,
        views: Mapping[str, View] | None = None,
    ) -> None:
        """Begin a war.

        Args:
            seed: Decides all dice.
            world: Where the war begins; None: at the deployment, or with a single battle.
            views: What each faction knows of that world; None: what it would see without a past.
        """
        self.scenario = scenario
        self.factions = sorted(faction.id for faction in scenario.factions)
        self.world = create_world(scenario) if world is None else world
        self._secret = hashlib.sha256(f"rehearsal {seed}".encode()).digest()
        self._files = self._battle_files()
        if views is None:
            views = {
                faction: build_view(scenario, self.world, faction, None, ())
                for faction in self.factions
            }
        self.views = views_with_set_ups(views, self.world, self._files)

    @property
    def is_over(self) -> bool:
        """Return whether no stage is left to play."""
        return self.world.stage == StageKind.OVER

    def admiral_orders(self, faction: str, character: str | Character = "") -> Orders:
        """Return a computer admiral's orders for the current stage.

        Args:
            character: The admiral, by name or as a value; "": the steady admiral.
        """
        dice = KeyedDice(self._secret, (*self._context, ADMIRALS)).at(faction)
        view = self.views[faction]
        scenario = with_known_designs(known_scenario(self.scenario, faction), view)
        scenario = with_known_gates(scenario, view)
        return orders_for(scenario, view, character, dice)

    def play_stage(
        self,
        orders: Mapping[str, Orders],
        *,
        captains: bool = True,
        first_dice: LeadingDice | None = None,
    ) -> PlayedStage:
        """Play the current stage and go on to the next one.

        Args:
            orders: The orders of each faction; a faction without orders gets the default ones.
            captains: Whether captains steer the ships in battles. Without captains, ships fly
                straight and fire at the nearest target.
            first_dice: Dice that are rolled before those of the seed, but not in battles.
        """
        world = self.world
        dice = KeyedDice(self._secret, self._context)
        setups: dict[str, BattleFileDocument] = {}
        results: dict[str, BattleResult] = {}
        for engagement in world.engagements if world.stage == StageKind.BATTLES else ():
            doctrines = battle_doctrines(self.scenario, world, engagement, orders)
            setup = with_set_ups(self._files[engagement.key], engagement, orders, doctrines)
            setups[engagement.key] = setup
            results[engagement.key] = self._fight(engagement, setup, doctrines, dice, captains)
        stage_dice: Dice = dice
        if first_dice is not None:
            stage_dice = first_dice.followed_by(dice)
        outcome = resolve(self.scenario, world, orders, results, stage_dice)
        played = PlayedStage(world, self.views, orders, setups, results, outcome)
        notices = notices_by_faction(outcome.week_events, world.week, world.stage)
        views = {}
        for faction in self.factions:
            views[faction] = build_view(
                self.scenario,
                outcome.world,
                faction,
                self.views[faction],
                notices.get(faction, ()),
            )
        self.world = outcome.world
        self._files = self._battle_files()
        self.views = views_with_set_ups(views, self.world, self._files)
        return played

    def _battle_files(self) -> dict[str, BattleFileDocument]:
        """Return the file of each battle to be fought now, by the key of its engagement."""
        files: dict[str, BattleFileDocument] = {}
        if self.world.stage == StageKind.BATTLES:
            for engagement in self.world.engagements:
                files[engagement.key] = battle_setup(
                    self.scenario, self.world, engagement, salt=self._secret
                )
        return files

    @property
    def _context(self) -> tuple[str | int, ...]:
        """Return the beginning of the key of every die of the current stage."""
        return self.scenario.slug, self.world.week, self.world.stage

    def _fight(
        self,
        engagement: Engagement,
        setup: BattleFileDocument,
        doctrines: dict[str, dict[str, Any]],
        dice: KeyedDice,
        captains: bool,
    ) -> BattleResult:
        if not captains:
            doctrines = {
                side: {**doctrine, "style": STRAIGHT} for side, doctrine in doctrines.items()
            }
        opening = begin(setup)
        captains_seed = self._secret + f"{CAPTAINS} {engagement.key}".encode()
        battle = fight(
            opening,
            doctrines,
            dice.at(f"battle/{engagement.key}"),
            hashlib.sha256(captains_seed).hexdigest(),
        )
        contacts_seen = total_contacts_seen(
            self.scenario,
            self.world,
            battle.state.sides,
            partial(fates_by_events, opening.state, battle.events, battle.state),
        )
        return battle_result(
            self.scenario,
            self.world,
            engagement,
            state=battle.to_json(),
            winner=battle.winner,
            turns=battle.turn,
            contacts_seen=contacts_seen,
        )


def play(
    scenario: Scenario,
    characters: Mapping[str, str | Character],
    seed: int,
    *,
    captains: bool = True,
    on_stage: Callable[[PlayedStage], None] | None = None,
    world: World | None = None,
    views: Mapping[str, View] | None = None,
) -> RehearsedWar:
    """Play a war of computer admirals to its end.

    The same scenario, characters and seed give the same war on every machine.

    Args:
        characters: The admiral of each faction, as a name or a `Character`. A faction without one
            gets the steady admiral.
        captains: Whether captains steer the ships in battles. Without captains, ships fly straight
            and fire at the nearest target.
        on_stage: Called with every stage after it was played.
        world: See `WarInMemory`.
        views: See `WarInMemory`.

    Raises:
        RuleViolations: An admiral gave invalid orders.
    """
    war = WarInMemory(scenario, seed, world, views)
    history: list[PlayedStage] = []
    while not war.is_over:
        orders: dict[str, Orders] = {}
        for faction in war.factions:
            orders[faction] = war.admiral_orders(faction, characters.get(faction, ""))
            faults = order_violations(scenario, war.views[faction], orders[faction], faction)
            if faults:
                raise RuleViolations(faults)
        played = war.play_stage(orders, captains=captains)
        history.append(played)
        if on_stage is not None:
            on_stage(played)
    world = war.world
    return RehearsedWar(seed, world.result or "", world.winner, world.week, world, tuple(history))
