"""What an admiral has built: the strongest ships of his navy's usual classes that his points pay
for.
"""

from __future__ import annotations

from campaign.rules.orders import Build
from campaign.rules.queries import class_name, furnished
from campaign.rules.scenario import ShipClass
from campaign.rules.yards import own_yards
from umpire.admirals.picture import Picture


def builds(picture: Picture) -> tuple[Build, ...]:
    """One new ship at the yard that takes the largest, where nothing waits there and the points are
    at hand.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    view = picture.view
    if not view.funds or view.works or picture.weeks_left < 1:
        return ()
    scenario = furnished(picture.scenario, view.classes)
    yards = own_yards(scenario, view, {fleet.key: fleet for fleet in view.fleets}, view.ships)
    yards = {label: mass for label, mass in yards.items() if not picture.enemies.get(label, 0.0)}
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
    strengths = picture.reckoner.strengths

    def fits(cls: ShipClass) -> bool:
        return (
            cls.name in usual
            and cls.ftl
            and bool(cls.weapons)
            and cls.mass <= yards[label]
            and cls.points <= view.funds
        )

    found = [cls for cls in scenario.catalogue if fits(cls)]
    if not found:
        return ()
    best = max(found, key=lambda cls: (strengths[cls.name], cls.name))
    title = class_name(scenario, view.faction, best.name)
    taken = {ship.name for ship in view.ships} | {lost.name for lost in view.losses}
    number = next(n for n in range(1, len(taken) + 2) if f"{title} {n}" not in taken)
    return (Build(label, best.name, f"{title} {number}"),)
