"""A single battle by points, whose players choose their ships before it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from campaign.models import Campaign, Stage
from campaign.rules.files import scenario_from
from campaign.rules.skirmish import FORCE, HEX
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from tests.sealing import orders_seal
from umpire.services.stages import stage_resolve
from umpire.services.wars import campaign_start, seed_from

SIDES = ("red", "blue")
FLEET = (("Light Cruiser", "Victory"), ("Destroyer", "Adder"), ("Frigate", "Wasp"))


def scenario_file(**battle: Any) -> dict[str, Any]:
    """Return the scenario of a battle of 600 points a side, with other keys of its battle file."""
    return {
        "slug": "patrol",
        "name": "Patrol",
        "edition": "second-edition",
        "battle": {
            "points": 600,
            "bogeys": True,
            "sides": [{"name": name, "muster": {}} for name in SIDES],
            **battle,
        },
        "factions": [{"id": name, "name": name.capitalize()} for name in SIDES],
    }


def deployment(
    *ships: tuple[str, str], decoys: int = 0, designs: tuple[Any, ...] = ()
) -> dict[str, Any]:
    """Return the orders of a force list with ships by class and name."""
    fleet: dict[str, Any] = {"name": str(FORCE), "budget": "fleet", "hex": HEX}
    fleet |= {"ships": [list(ship) for ship in ships], "decoys": decoys}
    return {"deploy": [fleet], **({"designs": list(designs)} if designs else {})}


def start_mustered(*, dice_key: str = "muster", **battle: Any) -> Campaign:
    """Return a campaign of two players at the choice of their ships."""
    scenario = scenario_from(scenario_file(**battle))
    campaign = campaign_create(
        scenario=scenario_import(scenario=scenario),
        battles="online",
        seed=seed_from(7),
        dice_key=dice_key,
    )
    for faction in campaign.factions.all():
        user, _ = User.objects.get_or_create(username=f"{faction.key}-player")
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    campaign_start(campaign=campaign)
    campaign.refresh_from_db()
    return campaign


def open_stage(campaign: Campaign) -> Stage:
    """Return the open stage of the week."""
    return Stage.objects.get(branch=campaign.head_branch, battle=None, status="open")


def seal(campaign: Campaign, faction: str, orders: dict[str, Any]) -> None:
    """Seal the force list of a faction."""
    row = campaign.factions.get(key=faction)
    orders_seal(stage=open_stage(campaign), faction=row, payload=orders)


def muster(campaign: Campaign, **lists: dict[str, Any]) -> None:
    """Seal the force lists of factions and begin the battle."""
    for faction, orders in lists.items():
        seal(campaign, faction, orders)
    assert stage_resolve(stage=open_stage(campaign).pk, force=True) is not None
    campaign.refresh_from_db()
