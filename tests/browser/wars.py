"""Played wars, created in a running site's environment.

`python -m tests.browser.wars NAME [UMPIRE [WHICH]]` prints the campaign's public id. Computers have
played both sides of Lafayette to the orders of the fourth week; then the user of that name takes
over the NAC. With an umpire two finished wars are added, Lafayette and a single battle, with their
ids on the same line. `guest`: the first war has a guest of the player (`NAME-guest`), and is in the
gallery. `pictures` also creates a battle about to be fought at a table, and small wars for the
umpire.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

PLAYER, UMPIRE = "iris", "judge"  # seed of the wars that the tests share
GUEST = f"{PLAYER}-guest"
MIDDLE = (4, "orders")
SEED = 7


def main(name: str, umpire: str = "", which: str = "") -> None:
    """Create the wars and print where they are."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()

    people = {"player": _user(name)}
    if umpire:
        people["umpire"] = _user(umpire)
    guests = {"guest": _user(f"{name}-guest")} if which == "guest" else {}
    wars = [_war("lafayette", MIDDLE, people | guests)]
    if umpire:
        wars += [_war("lafayette", None, people), _war("first-battle", None, people)]
    if which == "pictures":
        wars.append(_make_table_battle(people))
        _more_to_umpire(people["umpire"])
    print(*wars)


def _user(name: str) -> Any:
    """Return the user of that name, created if necessary."""
    from django.contrib.auth.models import User

    from tests.site.people import PASSWORD

    return User.objects.filter(username=name).first() or User.objects.create_user(
        name, password=PASSWORD
    )


def _make_table_battle(people: Mapping[str, Any]) -> str:
    """Create a single battle that the player and the umpire are about to fight at a table."""
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.wars import campaign_start, seed_from

    scenario = scenario_import(scenario=fixture_scenario("meeting-engagement"))
    campaign = campaign_create(
        scenario=scenario, battles="table", seed=seed_from(SEED), dice_key="table"
    )
    membership_add(
        campaign=campaign,
        user=people["player"],
        role="player",
        faction=campaign.factions.get(key="nac"),
    )
    membership_add(campaign=campaign, user=people["umpire"], role="umpire")
    campaign_start(campaign=campaign)
    return str(campaign.public_id)


def _more_to_umpire(umpire: Any) -> None:
    """Create small wars of the umpire with different tasks: six running and one not begun."""
    from datetime import timedelta

    from django.contrib.auth.models import User
    from django.utils import timezone

    from campaign.models import Campaign, Stage
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.wars import campaign_start, seed_from

    scenario = scenario_import(scenario=fixture_scenario("first-steps"))
    names = (
        "Club night",
        "Winter war",
        "Gredel League",
        "School of war",
        "Long road",
        "Rain at Parley",
        "Three Suns",
    )
    for number, name in enumerate(names):
        campaign = campaign_create(
            scenario=scenario, seed=seed_from(number), dice_key=f"table-{number}"
        )
        Campaign.objects.filter(pk=campaign.pk).update(name=name)
        membership_add(campaign=campaign, user=umpire, role="umpire")
        for faction in campaign.factions.order_by("key")[: 1 if number == 3 else 2]:
            user = User.objects.create_user(f"{faction.key}-{number}")
            membership_add(campaign=campaign, user=user, role="player", faction=faction)
        if name == names[-1]:
            continue
        stage = campaign_start(campaign=campaign)
        closes = timezone.now() + timedelta(hours=5 + 17 * number)
        Stage.objects.filter(pk=stage.pk).update(closes=closes if number != 4 else None)
        if number == 2:
            Campaign.objects.filter(pk=campaign.pk).update(
                paused_at=timezone.now() - timedelta(hours=3)
            )


def _war(slug: str, until: tuple[int, str] | None, people: Mapping[str, Any]) -> str:
    """Play a war with computers to that stage, or to its end; then these people join it."""
    from campaign.models import Campaign, Stage
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.stages import stage_resolve
    from umpire.services.wars import campaign_start, seed_from

    campaign = campaign_create(
        scenario=scenario_import(scenario=fixture_scenario(slug)),
        admirals={"nac": "bold", "esu": "bold"},
        seed=seed_from(SEED),
        dice_key="lafayette",
    )
    if "guest" in people:
        Campaign.objects.filter(pk=campaign.pk).update(ruleset={**campaign.ruleset, "gallery": 2})
        campaign.refresh_from_db()
    stage: Stage | None = campaign_start(campaign=campaign)
    while stage is not None and (stage.week, stage.kind) != until:
        resolution = stage_resolve(stage=stage.pk, force=True)
        assert resolution is not None
        stage = resolution.next
    assert (stage is None) == (until is None), "the war ended before that"
    for role, user in people.items():
        faction = campaign.factions.get(key="nac") if role in ("player", "guest") else None
        membership_add(campaign=campaign, user=user, role=role, faction=faction)
    return str(campaign.public_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
