"""Rolls a war back in processes of which each is killed after another statement that writes.

Prints as JSON how many were killed, and whether one of them left anything behind. The last process
gets to the end. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
WRITES = ("INSERT", "UPDATE", "DELETE")


def main() -> None:
    """Roll a war back until it gets to the end, then check all that is stored."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    campaign, ordinal = begin()
    before = state_of(campaign)
    killed = 0
    changed = []
    while run_child(lambda place=killed: roll_back(campaign, ordinal, place)) == -signal.SIGKILL:
        if state_of(campaign) != before:
            changed.append(killed)
        killed += 1
    connection.close()
    after = state_of(campaign)
    call_command("verify_campaign", "--all", "--deep", stdout=sys.stderr)
    print(json.dumps({"killed": killed, "changed": changed, "branches": after["branches"]}))


def begin() -> tuple[int, int]:
    """Return a war in its second week, by its primary key, and the ordinal of its first orders."""
    from django.contrib.auth.models import User

    from campaign.services.campaigns import membership_add
    from tests.umpire.services.wars import play_until, resolve_stage, start_campaign

    campaign, stage = start_campaign(seed=7)
    stage = play_until("orders", stage)
    user = User.objects.create_user("uma")
    membership_add(campaign=campaign, user=user, role="umpire")
    following = resolve_stage(stage).next
    assert following is not None
    play_until("orders", following)
    return campaign.pk, stage.ordinal


def state_of(campaign: int) -> dict[str, Any]:
    """Return what a rollback changes."""
    from campaign.models import Act, Branch, Campaign, Fleet, LedgerRow, Notification, Ship, Stage

    stages = Stage.objects.order_by("pk").values_list("pk", "status")
    return {
        "head": Campaign.objects.get(pk=campaign).head_branch_id,
        "branches": Branch.objects.count(),
        "stages": list(stages),
        "ships": list(Ship.objects.order_by("pk").values_list("pk", "branch")),
        "counts": [table.objects.count() for table in (Act, Fleet, LedgerRow, Notification)],
    }


def run_child(work: Any) -> int:
    """Run something in a process of its own, and return its exit status, negative for a signal."""
    from django.db import connection

    connection.close()
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def roll_back(campaign: int, ordinal: int, place: int) -> None:
    """Roll the war back, but die after some statements that write."""
    from django.contrib.auth.models import User
    from django.db import connection

    from campaign.access import viewer_of
    from campaign.models import Campaign
    from umpire.services.history import Place, head_place, history_take_back

    viewer = viewer_of(
        User.objects.get(username="uma"), Campaign.objects.get(pk=campaign).public_id
    )
    written = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal written
        result = execute(sql, params, many, context)
        if sql.startswith(WRITES):
            if written == place:
                os.kill(os.getpid(), signal.SIGKILL)
            written += 1
        return result

    with connection.execute_wrapper(count):
        head = head_place(viewer.campaign)
        history_take_back(viewer=viewer, to=Place(1, ordinal), head=head, reason="a mistake")


if __name__ == "__main__":
    main()
