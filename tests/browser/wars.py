"""A war in its middle, made in a running site's own environment: `python -m tests.browser.wars NAME`.

Computers have led both sides of Lafayette to the orders of the fourth week; now the one of that name leads the NAC.
Prints the campaign's public id.
"""

from __future__ import annotations

import os
import sys

MIDDLE = (4, "orders")
SEED = 7


def main(name: str) -> None:
    """Make the war and print where it is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User

    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from tests.site.people import PASSWORD
    from umpire.services.stages import stage_resolve
    from umpire.services.starting import campaign_start
    from umpire.services.wars import seed_from

    campaign = campaign_create(
        scenario=scenario_import(scenario=fixture_scenario("lafayette")),
        admirals={"nac": "bold", "esu": "bold"},
        seed=seed_from(SEED),
        dice_key="lafayette",
    )
    stage = campaign_start(campaign=campaign)
    while (stage.week, stage.kind) != MIDDLE:
        resolution = stage_resolve(stage=stage.pk, force=True)
        assert resolution is not None
        assert resolution.next is not None, "the war ended before that"
        stage = resolution.next
    user = User.objects.create_user(name, password=PASSWORD)
    membership_add(campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="nac"))
    print(campaign.public_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
