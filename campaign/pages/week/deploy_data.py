"""What the deployment's desk is made of beside its form: the map, budgets, classes as small sheets,
beginnings.

Everything is the reader's View, the public scenario, his own designs and his own draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import DEPLOY_SCRIPT
from campaign.orders.decide import CHOICES
from campaign.orders.order import listed
from campaign.rules.class_cards import card_of
from campaign.rules.forces import FEW, places_of
from campaign.rules.queries import budgets_of, own_class, ship_classes
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
    sold: Mapping[str, Iterable[str]],
    presets: Iterable[Data],
    known: Chart,
) -> Data:
    """The data of the page.

    `titles`, `sold`: by budget its name, and the classes it may buy in the order of its list;
    `presets`: (id, title, deploy) of each force to begin with; `known`: the view's chart.
    """
    faction, classes = view.faction, ship_classes(scenario)
    shown = {cls for names in sold.values() for cls in names} | _used(payload)
    return {
        "me": faction,
        "ground": chart_data.ground(scenario),
        "moment": chart_data.moment(scenario, view, known),
        "budgets": [
            {
                "id": budget.id,
                "title": titles[budget.id],
                "points": budget.points,
                "ftl": budget.ftl,
                "places": list(places_of(scenario, budget)),
                "classes": list(sold[budget.id]),
            }
            for budget in budgets_of(scenario, faction).values()
        ],
        "classes": {
            name: _sheet(scenario, faction, classes[name])
            for name in sorted(shown)
            if name in classes
        },
        "deploy": items(payload, "deploy"),
        "fields": DEPLOY_SCRIPT,
        "presets": list(presets),
        "decoys": scenario.decoy_points if scenario.decoys else None,
        "limit": list(scenario.classification_limit),
        "few": FEW,
        "choices": [list(choice) for choice in CHOICES],
    }


def _used(payload: Mapping[str, Any]) -> set[str]:
    ships = (ship for item in items(payload, "deploy") for ship in listed(item.get("ships")))
    return {str(ship[0]) for ship in ships if isinstance(ship, list) and ship}


def _sheet(scenario: Scenario, faction: str, cls: ShipClass) -> Data:
    """A class as a small sheet: its boxes row by row, upper row first, and what is aboard."""
    found = {
        "points": cls.points,
        "kind": cls.classification,
        "mass": cls.mass,
        "thrust": cls.thrust,
        "ftl": cls.ftl,
    }
    own = cls.name.startswith(own_class(faction, ""))
    if not cls.design:
        return {
            **found,
            "called": cls.name,
            "rows": [cls.damage_points],
            "armour": 0,
            "systems": [],
            "own": own,
        }
    card = card_of(scenario, faction, cls, own=own)
    return {
        **found,
        "called": card.called,
        "design": card.design_name,
        "rows": list(card.rows),
        "armour": sum(standard + regenerative for standard, regenerative in card.armour),
        "systems": list(card.systems),
        "own": own,
    }
