"""Ships that an admiral builds: the strongest affordable ones of the navy's usual classes."""

from __future__ import annotations

from campaign.rules.orders import Build
from campaign.rules.queries import class_name, with_classes
from campaign.rules.scenario import ShipClass
from campaign.rules.yards import own_yards
from umpire.admirals.situation import Situation


def build_orders(situation: Situation) -> tuple[Build, ...]:
    """Order a new ship at the largest safe yard, if funds allow and no other is being built.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    view = situation.view
    if not view.funds or view.works or situation.weeks_left < 1:
        return ()
    scenario = with_classes(situation.scenario, view.classes)
    yards = own_yards(scenario, view, {fleet.key: fleet for fleet in view.fleets}, view.ships)
    yards = {label: mass for label, mass in yards.items() if not situation.enemies.get(label, 0.0)}
    if not yards:
        return ()
    label = max(sorted(yards), key=lambda label: yards[label])
    usual = {
        cls
        for faction, force in scenario.defaults
        for fleet in force
        for cls, _ in fleet.ships
        if faction == view.faction
    }
    strengths = situation.estimator.strengths

    def fits(cls: ShipClass) -> bool:
        return (
            cls.name in usual
            and cls.ftl
            and bool(cls.weapons)
            and cls.mass <= yards[label]
            and cls.points <= view.funds
        )

    buildable = [cls for cls in scenario.catalogue if fits(cls)]
    if not buildable:
        return ()
    best = max(buildable, key=lambda cls: (strengths[cls.name], cls.name))
    title = class_name(scenario, view.faction, best.name)
    used_names = {ship.name for ship in view.ships} | {loss.name for loss in view.losses}
    number = next(n for n in range(1, len(used_names) + 2) if f"{title} {n}" not in used_names)
    return (Build(label, best.name, f"{title} {number}"),)
