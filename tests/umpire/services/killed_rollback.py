"""Rolls a war back, forks it and starts the fork, in processes that are killed one by one.

Each is killed after another statement that writes; the last one gets to the end. Prints as JSON for
each act how many were killed, and which of them left anything behind. The database is that of
DATABASE_URL.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
WRITES = ("INSERT", "UPDATE", "DELETE")


def main() -> None:
    """Do each act until it gets to the end, then check all that is stored."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    campaign, ordinal = begin()
    answer = {"rollback": kill(campaign, lambda: roll_back(campaign, ordinal))}
    branches = state_of(campaign)["branches"]
    answer |= {"fork": kill(campaign, lambda: fork(campaign))}
    answer |= {"start": kill(campaign, start_fork)}
    connection.close()
    call_command("verify_campaign", "--all", "--deep", stdout=sys.stderr)
    print(json.dumps({**answer, "branches": branches}))


def kill(campaign: int, work: Callable[[], object]) -> dict[str, Any]:
    """Do something in processes that are killed, until one gets to the end."""
    before = state_of(campaign)
    killed = 0
    changed = []
    while run_child(lambda place=killed: run_until(place, work)) == -signal.SIGKILL:
        if state_of(campaign) != before:
            changed.append(killed)
        killed += 1
    return {"killed": killed, "changed": changed, "done": state_of(campaign) != before}


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
    from campaign.models import (
        Act,
        Branch,
        Campaign,
        Fleet,
        LedgerRow,
        Membership,
        Notification,
        Ship,
        Snapshot,
        Stage,
        View,
    )

    tables = (Act, Campaign, Fleet, LedgerRow, Membership, Notification, Snapshot, View)
    stages = Stage.objects.order_by("pk").values_list("pk", "status")
    return {
        "head": Campaign.objects.get(pk=campaign).head_branch_id,
        "branches": Branch.objects.count(),
        "stages": list(stages),
        "ships": list(Ship.objects.order_by("pk").values_list("pk", "branch")),
        "counts": [table.objects.count() for table in tables],
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


def roll_back(campaign: int, ordinal: int) -> None:
    """Roll the war back."""
    from umpire.services.history import Place, head_place, history_take_back

    viewer = viewer_in(campaign)
    head = head_place(viewer.campaign)
    history_take_back(viewer=viewer, to=Place(1, ordinal), head=head, reason="a mistake")


def fork(campaign: int) -> None:
    """Fork the war from its first week, as if it had no umpire."""
    from unittest import mock

    from umpire.services import forks

    with mock.patch.object(forks, "fork_refusal", return_value=""):
        forks.history_fork(viewer=viewer_in(campaign), week=1)


def start_fork() -> None:
    """Start the fork."""
    from campaign.models import Campaign
    from umpire.services.wars import campaign_start

    campaign_start(campaign=Campaign.objects.get(forked_from__isnull=False))


def viewer_in(campaign: int) -> Any:
    """Return the umpire."""
    from django.contrib.auth.models import User

    from campaign.access import viewer_of
    from campaign.models import Campaign

    user = User.objects.get(username="uma")
    return viewer_of(user, Campaign.objects.get(pk=campaign).public_id)


def run_until(place: int, work: Callable[[], object]) -> None:
    """Do something, but die after some statements that write."""
    from django.db import connection

    write_count = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal write_count
        result = execute(sql, params, many, context)
        if sql.startswith(WRITES):
            if write_count == place:
                os.kill(os.getpid(), signal.SIGKILL)
            write_count += 1
        return result

    with connection.execute_wrapper(count):
        work()


if __name__ == "__main__":
    main()
