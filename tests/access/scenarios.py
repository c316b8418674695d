"""The scenarios of pairs of worlds: both rulebooks, two, three and four factions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Faction, Scenario

FOUR_POWERS = "four-powers"
REBELS = "marches"


@cache
def scenario_of_slug(slug: str) -> Scenario:
    """Return an included scenario, or the one with four factions."""
    return _four_powers() if slug == FOUR_POWERS else fixture_scenario(slug)


def _four_powers() -> Scenario:
    """Return the three powers with one's fleets at Scarp as a fourth."""
    three = fixture_scenario("three-powers")
    karst = next(faction for faction in three.factions if faction.id == "karst")
    scarp = next(system for system in three.systems if system.id == "scarp")
    budgets = []
    for budget in three.budgets:
        if budget.faction == karst.id and budget.id == "mobile":
            budgets.append(
                replace(budget, deploy=tuple(key for key in budget.deploy if key != scarp.id))
            )
            budgets.append(replace(budget, faction=REBELS, deploy=(scarp.id,)))
        else:
            budgets.append(replace(budget, faction=REBELS) if budget.id == scarp.id else budget)
    defaults = dict(three.defaults)
    rebel_picks = tuple(pick for pick in defaults[karst.id] if pick.hex == scarp.hex)
    defaults[karst.id] = tuple(pick for pick in defaults[karst.id] if pick not in rebel_picks)
    return replace(
        three,
        slug=FOUR_POWERS,
        factions=tuple(
            sorted((*three.factions, replace(karst, id=REBELS, name="Marches of Scarp")), key=_id)
        ),
        systems=tuple(
            replace(owned_system, owner=REBELS) if owned_system is scarp else owned_system
            for owned_system in three.systems
        ),
        budgets=tuple(budgets),
        defaults=tuple(sorted({**defaults, REBELS: rebel_picks}.items())),
    )


def _id(faction: Faction) -> str:
    return faction.id
