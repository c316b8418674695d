"""Data for the deployment page's scripts: the map, budgets, classes as small sheets, presets.

Everything comes from the reader's view, the public scenario, own designs and own draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import DEPLOY_SCRIPT
from campaign.orders.decide import CHOICES
from campaign.rules.class_cards import build_card
from campaign.rules.codec import as_list
from campaign.rules.forces import LIMIT_APPLIES_FROM, places_of
from campaign.rules.pilots import ACE_POINTS, piloted_bays
from campaign.rules.queries import budgets_of, own_class_name, ship_classes
from campaign.rules.scenario import ACES_BOUGHT, Scenario, ShipClass
from campaign.rules.view import View
from campaign.web import chart_data
from campaign.web.chart import Chart
from engine.combat.unidentified import decoy_drives

Data = dict[str, Any]


def deploy_data(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    star_chart: Chart,
    *,
    titles: Mapping[str, str],
    classes_on_offer: Mapping[str, Iterable[str]],
    presets: Iterable[Data],
) -> Data:
    """Return the data of the page.

    Args:
        star_chart: The view's chart.
        titles: The name of each budget.
        classes_on_offer: The classes each budget may buy, in list order.
        presets: (id, title, deploy) of each ready-made force.
    """
    faction = view.faction
    budgets = []
    for budget in budgets_of(scenario, faction).values():
        budgets.append(
            {
                "id": budget.id,
                "title": titles[budget.id],
                "points": budget.points,
                "ftl": budget.ftl,
                "places": list(places_of(scenario, budget)),
                "classes": list(classes_on_offer[budget.id]),
            }
        )
    class_names = _used_classes(payload).union(*classes_on_offer.values())
    class_data = {}
    for name, cls in sorted(ship_classes(scenario).items()):
        if name in class_names:
            class_data[name] = _class_data(scenario, faction, cls)
    return {
        "me": faction,
        "ground": chart_data.static_map_data(scenario),
        "moment": chart_data.moment_data(scenario, view, star_chart),
        "budgets": budgets,
        "classes": class_data,
        "deploy": items(payload, "deploy"),
        "fields": DEPLOY_SCRIPT,
        "presets": list(presets),
        "decoys": scenario.decoy_points if scenario.decoys else None,
        "decoyThrust": decoy_drives(scenario.edition),
        "aces": ACE_POINTS if scenario.aces == ACES_BOUGHT else None,
        "limit": list(scenario.classification_limit),
        "few": LIMIT_APPLIES_FROM,
        "choices": [list(choice) for choice in CHOICES],
    }


def _used_classes(payload: Mapping[str, Any]) -> set[str]:
    """Return the classes of the ships in a draft."""
    classes = set()
    for item in items(payload, "deploy"):
        for ship in as_list(item.get("ships")):
            if isinstance(ship, list) and ship:
                classes.add(str(ship[0]))
    return classes


def _class_data(scenario: Scenario, faction: str, cls: ShipClass) -> Data:
    """Return a class as a small sheet: its hull rows from the top, and its systems."""
    figures = {
        "points": cls.points,
        "groups": len(piloted_bays(cls)),
        "kind": cls.classification,
        "mass": cls.mass,
        "thrust": cls.thrust,
        "ftl": cls.ftl,
    }
    is_own = cls.name.startswith(own_class_name(faction, ""))
    if not cls.design:
        return {
            **figures,
            "name": cls.name,
            "rows": [cls.damage_points],
            "armour": 0,
            "systems": [],
            "own": is_own,
        }
    card = build_card(scenario, faction, cls, is_own=is_own)
    return {
        **figures,
        "name": card.display_name,
        "design": card.design_name,
        "rows": list(card.rows),
        "armour": sum(map(sum, card.armour)),
        "systems": list(card.systems),
        "own": is_own,
    }
