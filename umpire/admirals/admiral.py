"""The admiral: orders for any stage, from what his faction may know and his own dice."""

from __future__ import annotations

from dataclasses import replace

from campaign.kinds import StageKind
from campaign.rules.orders import Decide, FleetSetting, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.dice import Dice
from umpire.admirals.character import Character, character
from umpire.admirals.choosing import choose, doctrine
from umpire.admirals.deploying import deployment
from umpire.admirals.feints import counters, feints
from umpire.admirals.marching import week_orders
from umpire.admirals.picture import Picture


def orders_for(scenario: Scenario, view: View, name: str, dice: Dice) -> Orders:
    """Lawful orders for the stage the View stands in, by an admiral of the named character ("": steady).

    Raises RuleViolations for an unknown character.
    """
    leads = character(name)
    if view.stage == StageKind.DEPLOY:
        orders = deployment(scenario, view.faction, leads, dice)
        return replace(orders, dummies=counters(scenario, view.faction, orders.deploy))
    if view.stage == StageKind.ORDERS:
        orders = week_orders(Picture(scenario, view), leads, dice)
        return replace(orders, moves=(*orders.moves, *feints(scenario, view, orders.moves, dice)))
    if view.stage == StageKind.DECISIONS:
        return _decisions(Picture(scenario, view), leads, dice)
    if view.stage == StageKind.BATTLES:
        return _doctrines(Picture(scenario, view), leads)
    return Orders()


def _decisions(picture: Picture, leads: Character, dice: Dice) -> Orders:
    asked = [item for item in picture.view.asked if item.fixed is None]
    decide = [Decide(item.hex, item.toward, choose(picture, leads, item.hex, item.toward, dice)) for item in asked]
    return Orders(decide=tuple(sorted(decide, key=lambda item: (item.hex, item.toward))))


def _doctrines(picture: Picture, leads: Character) -> Orders:
    settings = [
        FleetSetting(fleet.key, doctrine=doctrine(picture, leads, fleet.hex))
        for fleet in picture.view.fleets
        if fleet.hex in picture.view.fighting and not fleet.in_ftl
    ]
    return Orders(settings=tuple(sorted(settings, key=lambda item: item.fleet)))
