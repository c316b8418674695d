"""Wars for browsers, made in a running site's own environment: `python -m tests.browser.wars KIND NAME...`.

Kinds: `table`: Ember, Frost and an umpire, by name; stages close when the umpire says so. `alone`: the one name leads
Ember, a computer Frost, and stages close as soon as he has sealed. `lafayette`: the one name leads the NAC in the fourth
week. Prints the campaign's public id. People are made where they do not exist yet.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

MID_WAR = (4, "orders")


def main(arguments: Sequence[str]) -> None:
    """Make the war of a kind and print where it is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    kind, *names = arguments
    print({"table": _table, "alone": _alone, "lafayette": _lafayette}[kind](names))


def _table(names: Sequence[str]) -> str:
    ember, frost, umpire = names
    return _war("first-steps", {ember: ("player", "ember"), frost: ("player", "frost"), umpire: ("umpire", "")}, False)


def _alone(names: Sequence[str]) -> str:
    return _war("first-steps", {names[0]: ("player", "ember")}, True, {"frost": "bold"})


def _lafayette(names: Sequence[str]) -> str:
    return _war("lafayette", {names[0]: ("player", "nac")}, None, {"nac": "bold", "esu": "bold"}, MID_WAR)


def _war(
    slug: str,
    seats: dict[str, tuple[str, str]],
    early_close: bool | None,
    admirals: dict[str, str] | None = None,
    until: tuple[int, str] | None = None,
) -> str:
    """A war begun, and led by computers up to a week and a stage before anybody sits down."""
    from django.contrib.auth.models import User

    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from tests.site.people import PASSWORD
    from umpire.services.stages import stage_resolve
    from umpire.services.starting import campaign_start
    from umpire.services.wars import seed_from

    campaign = campaign_create(
        scenario=scenario_import(scenario=fixture_scenario(slug)),
        admirals=admirals,
        seed=seed_from(7),
        dice_key=slug,
        timetable={"schema": 1, "zone": "UTC", "hours": {}, "early_close": early_close},
    )
    stage = campaign_start(campaign=campaign)
    while until is not None and (stage.week, stage.kind) != until:
        resolution = stage_resolve(stage=stage.pk, force=True)
        assert resolution is not None
        assert resolution.next is not None, "the war ended before that"
        stage = resolution.next
    for name, (role, key) in seats.items():
        user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
        faction = campaign.factions.get(key=key) if key else None
        membership_add(campaign=campaign, user=user, role=role, faction=faction)
    return str(campaign.public_id)


if __name__ == "__main__":
    main(sys.argv[1:])
