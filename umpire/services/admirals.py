"""Who writes a faction's orders when its players have sealed none: a computer admiral, or the default orders.

First its standing orders hold. Where the timetable says so, a computer admiral takes over after some weeks without
orders, until its players seal again; excused weeks do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaign import models
from campaign.models.stage import ADMIRAL, DEFAULT
from campaign.rules.orders import Orders
from campaign.rules.orders_default import default_orders
from campaign.rules.queries import in_sight
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.sight import sight_closed
from campaign.stored import scenario_of
from engine.core.dice import Dice, KeyedDice
from umpire.admirals import orders_for
from umpire.admirals.character import STEADY
from umpire.services.absence import is_absent

ADMIRAL_STREAM = "admiral"

# (scenario, what the faction knows, the admiral's character, dice of his own) -> orders
Admiral = Callable[[Scenario, View, str, Dice], Orders]


@dataclass(frozen=True, slots=True)
class Entry:
    """Orders for a faction that sealed none, and whose they are."""

    orders: Orders
    source: str


def entry_for(stage: models.Stage, faction: models.Faction, admiral: Admiral) -> Entry:
    """The entry of a faction that sealed none. The same however often it is asked: the admiral's dice are keyed."""
    view = sight_closed(stage, faction).view
    scenario = in_sight(scenario_of(stage.branch.campaign), view)
    character = faction.admiral or (STEADY.name if is_absent(stage, faction) else "")
    if not character:
        return Entry(default_orders(scenario, view), DEFAULT)
    dice = admiral_dice(stage).at(faction.key)
    return Entry(admiral(scenario, view, character, dice), ADMIRAL)


def admiral_dice(stage: models.Stage) -> KeyedDice:
    """The admirals' own stream: never the dice of the stage itself."""
    campaign = stage.branch.campaign
    context = (campaign.dice_key, stage.branch.number, stage.week, stage.kind, ADMIRAL_STREAM)
    return KeyedDice(bytes.fromhex(campaign.seed), context)


# Who leads where a faction has a computer admiral.
computer_admiral: Admiral = orders_for
