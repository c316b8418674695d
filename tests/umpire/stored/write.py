"""Writes the stored site of this release: `python -m tests.umpire.stored.write`.

Run it once for each release whose stored documents differ from those of the release before, in a
checkout of that release.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from pathlib import Path

from tests import shared

HERE = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="bj-stored-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
            "BLINDJUMP_VAR": folder,
            "CELERY_BROKER_URL": "memory://",
            "PUBLICATION_GRID": "0",
            shared.WHERE: folder,
        }
        import django

        django.setup()
        logging.disable(logging.CRITICAL)
        from django.core.management import call_command

        from config.backup import backup_write
        from engine.cli.release import version_of
        from tests.umpire.stored.site import BACKUP, RESULTS, results

        release = version_of().rpartition(".")[0]
        call_command("migrate", verbosity=0)
        play_site()
        backup_write(path=HERE / BACKUP.format(release))
        text = json.dumps(results(), indent=1, sort_keys=True)
        (HERE / RESULTS.format(release)).write_text(f"{text}\n")


def play_site() -> None:
    """Play the wars of the site to where the backup is made."""
    from campaign.models.campaign import Campaign
    from tests.umpire.services.online_war import OnlineWar
    from tests.umpire.services.table_war import TableWar
    from tests.umpire.services.wars import play_until, start_campaign
    from tests.umpire.stored.site import CAPTAINS, ONLINE, TABLE
    from umpire.services.tables import table_compare

    online = OnlineWar(umpire=True)
    online.play(most=4)
    online.seal("ember")
    table = TableWar()
    entered = table.agreed_entries(2)
    entered["ember"]["turns"] = 5
    for key, payload in entered.items():
        table.seal(key, payload)
    assert table_compare(stage=table.table("ember").stage.pk) == "differing"
    captains, stage = start_campaign(seed=7, admirals={"ember": "attack"})
    play_until("battles", stage)
    for campaign, name in (
        (online.campaign, ONLINE),
        (table.campaign, TABLE),
        (captains, CAPTAINS),
    ):
        Campaign.objects.filter(pk=campaign.pk).update(name=name)
    play_single()


def play_single() -> None:
    """Play a single battle of Continuum, online, to its fourth decision."""
    from django.contrib.auth.models import User

    from campaign.access import viewer_of
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import membership_add
    from campaign.services.scenarios import scenario_import
    from campaign.services.seats import campaign_begin, campaign_open
    from tests.umpire.stored.site import SINGLE, play_battle

    host = User.objects.create_user("host")
    scenario = scenario_import(scenario=fixture_scenario("con-am-12"))
    campaign = campaign_open(user=host, scenario=scenario, battles="online", name=SINGLE)
    for key in ("nac", "esu"):
        user = User.objects.create_user(key)
        faction = campaign.factions.get(key=key)
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    campaign_begin(viewer=viewer_of(host, campaign.public_id), unattended=True)
    play_battle(SINGLE, phases=4)


if __name__ == "__main__":
    main()
