"""Data for the deployment page's scripts: the map, budgets, classes as small sheets, presets.

Everything comes from the reader's view, the public scenario, own designs and own draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import DEPLOY_SCRIPT
from campaign.orders.decide import CHOICES
from campaign.orders.order import as_list
from campaign.rules.class_cards import build_card
from campaign.rules.forces import LIMIT_APPLIES_FROM, places_of
from campaign.rules.queries import budgets_of, own_class_name, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.web import chart_data
from campaign.web.chart import Chart

Data = dict[str, Any]


def deploy_data(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    titles: Mapping[str, str],
    classes_on_offer: Mapping[str, Iterable[str]],
    presets: Iterable[Data],
    star_chart: Chart,
) -> Data:
    """Return the data of the page.

    Args:
        titles: The name of each budget.
        classes_on_offer: The classes each budget may buy, in list order.
        presets: (id, title, deploy) of each ready-made force.
        star_chart: The view's chart.
    """
    faction = view.faction
    classes = ship_classes(scenario)
    class_names = {cls for names in classes_on_offer.values() for cls in names} | _used(payload)
    return {
        "me": faction,
        "ground": chart_data.static_map_data(scenario),
        "moment": chart_data.moment_data(scenario, view, star_chart),
        "budgets": [
            {
                "id": budget.id,
                "title": titles[budget.id],
                "points": budget.points,
                "ftl": budget.ftl,
                "places": list(places_of(scenario, budget)),
                "classes": list(classes_on_offer[budget.id]),
            }
            for budget in budgets_of(scenario, faction).values()
        ],
        "classes": {
            name: _sheet(scenario, faction, classes[name])
            for name in sorted(class_names)
            if name in classes
        },
        "deploy": items(payload, "deploy"),
        "fields": DEPLOY_SCRIPT,
        "presets": list(presets),
        "decoys": scenario.decoy_points if scenario.decoys else None,
        "limit": list(scenario.classification_limit),
        "few": LIMIT_APPLIES_FROM,
        "choices": [list(choice) for choice in CHOICES],
    }


def _used(payload: Mapping[str, Any]) -> set[str]:
    ships = (ship for item in items(payload, "deploy") for ship in as_list(item.get("ships")))
    return {str(ship[0]) for ship in ships if isinstance(ship, list) and ship}


def _sheet(scenario: Scenario, faction: str, cls: ShipClass) -> Data:
    """Return a class as a small sheet: its hull rows from the top, and its systems."""
    figures = {
        "points": cls.points,
        "kind": cls.classification,
        "mass": cls.mass,
        "thrust": cls.thrust,
        "ftl": cls.ftl,
    }
    is_own = cls.name.startswith(own_class_name(faction, ""))
    if not cls.design:
        return {
            **figures,
            "called": cls.name,
            "rows": [cls.damage_points],
            "armour": 0,
            "systems": [],
            "own": is_own,
        }
    card = build_card(scenario, faction, cls, is_own=is_own)
    return {
        **figures,
        "called": card.display_name,
        "design": card.design_name,
        "rows": list(card.rows),
        "armour": sum(standard + regenerative for standard, regenerative in card.armour),
        "systems": list(card.systems),
        "own": is_own,
    }
