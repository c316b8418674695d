"""Ships that an admiral builds: the strongest affordable ones of the navy's usual classes."""

from __future__ import annotations

from campaign.rules.orders import Build
from campaign.rules.queries import class_name, with_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.yards import own_yards
from umpire.admirals.situation import Situation


def build_orders(situation: Situation, whole_view: View) -> tuple[Build, ...]:
    """Order a new ship at the largest safe yard, if funds allow and no other is being built.

    Args:
        whole_view: The view with the ships of convoys, whose names are taken too.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    view = situation.view
    if not view.funds or view.works or situation.weeks_left < 1:
        return ()
    scenario = with_classes(situation.scenario, view.classes)
    yards = own_yards(scenario, view, {fleet.key: fleet for fleet in view.fleets}, view.ships)
    safe_yards = [hex_ for hex_ in yards if not situation.enemies.get(hex_, 0.0)]
    if not safe_yards:
        return ()
    hex_ = min(safe_yards, key=lambda hex_: (-yards[hex_], hex_))
    buildable = _usual_warships(scenario, view, largest=yards[hex_])
    if not buildable:
        return ()
    strengths = situation.estimator.strengths
    best = max(buildable, key=lambda cls: (strengths[cls.name], cls.name))
    name = _free_name(whole_view, class_name(scenario, view.faction, best.name))
    return (Build(hex_, best.name, name),)


def _usual_warships(scenario: Scenario, view: View, *, largest: int) -> list[ShipClass]:
    """Return the warships with FTL drives of a faction's force list that it can pay for.

    Args:
        largest: The mass of the largest ship that its yard can build.
    """
    usual_classes = _usual_classes(scenario, view.faction)
    buildable = []
    for cls in scenario.catalogue:
        is_usual_warship = cls.name in usual_classes and cls.ftl and cls.weapons
        if is_usual_warship and cls.mass <= largest and cls.points <= view.funds:
            buildable.append(cls)
    return buildable


def _usual_classes(scenario: Scenario, faction: str) -> set[str]:
    """Return the classes in a faction's default force list."""
    force = dict(scenario.defaults).get(faction, ())
    classes = set()
    for fleet in force:
        classes |= {cls for cls, _ in fleet.ships}
    return classes


def _free_name(view: View, class_title: str) -> str:
    """Return a ship's name that no own ship has or had: the name of its class and a number."""
    used_names = {ship.name for ship in view.ships} | {loss.name for loss in view.losses}
    number = 1
    while f"{class_title} {number}" in used_names:
        number += 1
    return f"{class_title} {number}"
