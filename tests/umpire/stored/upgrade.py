"""Upgrades the stored site of a release by migrations, plays on, and checks everything.

The database of DATABASE_URL has no tables. Prints as JSON how many rows of the ledger are as the
release wrote them, how many came since, and the leaf names of the first new one.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main(release: str) -> None:
    """Upgrade the site of a release."""
    import django

    django.setup()
    from django.core.management import call_command

    from campaign.models import Campaign, LedgerRow, Stage
    from tests.umpire.services.wars import attack
    from tests.umpire.stored.site import BACKUP, CAPTAINS, HERE, lines
    from umpire.services.stages import stage_resolve

    call_command("restore", str(HERE / BACKUP.format(release)), migrate=True, stdout=sys.stderr)
    kept = 0
    for line in lines(release):
        if line.get("model") == "campaign.ledgerrow":
            before = line["row"]
            row = LedgerRow.objects.get(pk=before["id"])
            assert (row.body, row.hash) == (before["body"], before["hash"]), before
            kept += 1
    branch = Campaign.objects.get(name=CAPTAINS).head_branch
    stage = Stage.objects.get(branch=branch, battle__isnull=True, status="open")
    resolution = stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert resolution is not None
    new = resolution.row
    call_command("verify_campaign", "--all", "--deep", stdout=sys.stderr)
    count = LedgerRow.objects.count()
    print(json.dumps({"kept": kept, "new": count - kept, "leaves": sorted(new.leaves or {})}))


if __name__ == "__main__":
    main(sys.argv[1])
