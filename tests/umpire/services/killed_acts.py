"""Changes a war's history and writes its archive, in processes that are killed one by one.

Each is killed after another statement that writes; the last one gets to the end. A number as
argument leaves out statements: with 3, each third one kills. Prints as JSON for each act how many
were killed, and which of them left a part of it behind. The database is that of DATABASE_URL.
`verify_campaign --all --deep` must find no fault after all acts but the last.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
WRITES = ("INSERT", "UPDATE", "DELETE")
STEPS = 2  # transactions of a resolution before its outcome: it closes, and all have orders
LINES = 40  # of an archive, between two kills
OLDER = b"an older archive"


def main() -> None:
    """Do each act until it gets to the end, then check all that is stored."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    campaign, ordinal, fleet = begin()
    gc.disable()  # each child would copy the memory that a collection touches
    kill_act = partial(kill, campaign, int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    answer = {
        "ruling": kill_act(lambda: rule(campaign, fleet)),
        "undo": kill_act(lambda: undo(campaign)),
        "held": kill_act(lambda: hold(campaign, fleet)),
        "made": kill_act(lambda: resolve(campaign), steps=STEPS),
        "rollback": kill_act(lambda: roll_back(campaign, ordinal)),
        "fork": kill_act(lambda: fork(campaign)),
        "start": kill_act(start_fork),
        "archive": kill_archive(campaign),
    }
    connection.close()
    call_command("verify_campaign", "--all", "--deep", stdout=sys.stderr)
    # That check refuses a seed that is published while the war goes on, as it does here.
    answer["reveal"] = kill_act(lambda: reveal(campaign))
    print(json.dumps(answer))


def kill(campaign: int, stride: int, work: Callable[[], object], steps: int = 0) -> dict[str, Any]:
    """Do something in processes that are killed, until one gets to the end.

    Args:
        stride: Of so many statements, kill after one.
        steps: How many transactions it has before the one that decides.
    """
    before = state_of(campaign)
    killed = place = 0
    changed = []
    while run_child(partial(run_until, place, work)) == -signal.SIGKILL:
        killed += 1
        place += stride
        if (state := state_of(campaign)) == before:
            continue
        if steps and state["outcome"] == before["outcome"]:
            steps -= 1
            before = state
            place = 0
        else:
            changed.append(killed)
    return {"killed": killed, "changed": changed, "done": state_of(campaign) != before}


def kill_archive(campaign: int) -> dict[str, Any]:
    """Write an archive in processes that are killed, until one gets to the end.

    What they leave behind under another name counts as a change if it is taken for an archive.
    """
    killed = 0
    changed = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "war.jsonl"
        file.write_bytes(OLDER)
        while run_child(partial(write_archive, campaign, file, killed)) == -signal.SIGKILL:
            part = file.with_name("war.jsonl.part")
            if file.read_bytes() != OLDER or is_archive(part):
                changed.append(killed)
            killed += 1
        done = file.read_bytes() != OLDER and list(Path(folder).iterdir()) == [file]
    return {"killed": killed, "changed": changed, "done": done}


def is_archive(part: Path) -> bool:
    """Return whether a file that lacks its end is taken for an archive."""
    from proof.__main__ import verify_file
    from proof.check import Options
    from proof.findings import Exit, Level

    lines = part.read_bytes().splitlines()
    if lines and b'"kind":"end"' in lines[-1]:
        return False  # it is whole, and only its name was missing
    return verify_file(part, Options(level=Level.INTEGRITY)).exit != Exit.UNREADABLE


def begin() -> tuple[int, int, str]:
    """Return a war in its second week, the ordinal of its first orders, and a fleet.

    One side has sealed orders and the other has a draft.
    """
    from django.contrib.auth.models import User

    from campaign.models import Draft
    from campaign.services.campaigns import membership_add
    from tests.sealing import orders_seal
    from tests.umpire.services.wars import play_until, resolve_stage, start_campaign

    # The children need not import these again.
    from umpire.services import archives, forks, history, rulings  # noqa: F401

    campaign, stage = start_campaign(seed=7)
    stage = play_until("orders", stage)
    user = User.objects.create_user("uma")
    membership_add(campaign=campaign, user=user, role="umpire")
    following = resolve_stage(stage).next
    assert following is not None
    second = play_until("orders", following)
    ember, frost = campaign.factions.order_by("key")
    orders_seal(stage=second, faction=ember, payload={"schema": 1})
    Draft.objects.create(stage=second, faction=frost, payload={"schema": 1}, version=1)
    fleets = second.from_snapshot.world["body"]["fleets"]
    fleet = next(item["key"] for item in fleets if item["faction"] == ember.key)
    return campaign.pk, stage.ordinal, fleet


def state_of(campaign: int) -> dict[str, Any]:
    """Return what the acts change: the number of all rows, and the rows that are updated."""
    from campaign.models import Branch, Campaign, Ship, Stage

    counts = row_counts()
    outcome = {name: counts[name] for name in ("LedgerRow", "Ruling", "Snapshot", "View")}
    stages = Stage.objects.order_by("pk").values_list("pk", "status", "to_snapshot")
    branches = Branch.objects.order_by("pk").values_list("pk", "head", "left_at")
    return {
        "head": Campaign.objects.get(pk=campaign).head_branch_id,
        "started": Campaign.objects.filter(started_at__isnull=False).count(),
        "branches": list(branches),
        "stages": list(stages),
        "ships": list(Ship.objects.order_by("pk").values_list("pk", "branch", "fleet", "name")),
        "counts": counts,
        "outcome": outcome,
    }


def row_counts() -> dict[str, int]:
    """Return the number of rows by the name of their model, in one query."""
    from django.apps import apps
    from django.db import connection

    models = list(apps.get_app_config("campaign").get_models())
    parts = [f"(SELECT COUNT(*) FROM {model._meta.db_table})" for model in models]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}")
        counts = cursor.fetchone()
    return dict(zip([model.__name__ for model in models], counts, strict=True))


def run_child(work: Any) -> int:
    """Run something in a process of its own, and return its exit status, negative for a signal."""
    from django.db import connection

    connection.close()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            if status:
                traceback.print_exc()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    result = os.waitstatus_to_exitcode(status)
    assert result in (0, -signal.SIGKILL)
    return result


def rule(campaign: int, fleet: str) -> None:
    """Move a fleet by a ruling at once."""
    from umpire.adjudication.patches import MoveFleet
    from umpire.adjudication.rulings import Ruling
    from umpire.services.rulings import ruling_make

    ruling = Ruling((MoveFleet(fleet, "0101"),), "a mistake")
    ruling_make(viewer=viewer_in(campaign), ruling=ruling, hold=False)


def undo(campaign: int) -> None:
    """Undo that ruling."""
    from umpire.services.rulings import ruling_make, undoing

    viewer = viewer_in(campaign)
    ruling = undoing(viewer=viewer, number=1, reason="no")
    ruling_make(viewer=viewer, ruling=ruling, hold=False)


def hold(campaign: int, fleet: str) -> None:
    """Hold a ruling until the next stage."""
    from umpire.adjudication.rulings import Ruling
    from umpire.adjudication.ship_patches import Rename
    from umpire.services.rulings import ruling_make

    ruling = Ruling((Rename(fleet, "Home guard"),), "a name")
    ruling_make(viewer=viewer_in(campaign), ruling=ruling, hold=True)


def resolve(campaign: int) -> None:
    """Resolve the open stage; the ruling that waits is made in the next one."""
    from campaign.models import Stage
    from tests.umpire.services.wars import resolve_stage

    stages = Stage.objects.filter(branch__campaign=campaign, battle__isnull=True)
    resolve_stage(stages.get(status__in=("open", "closed")))


def roll_back(campaign: int, ordinal: int) -> None:
    """Roll the war back."""
    from umpire.services.history import Place, head_place, history_take_back

    viewer = viewer_in(campaign)
    head = head_place(viewer.campaign)
    history_take_back(viewer=viewer, to=Place(1, ordinal), head=head, reason="a mistake")


def fork(campaign: int) -> None:
    """Fork the war from its first week, as if it had no umpire."""
    from umpire.services import fork_rights, forks, history

    with mock.patch.object(fork_rights, "fork_power", return_value=history.Power.ALONE):
        forks.history_fork(viewer=viewer_in(campaign), week=1)


def start_fork() -> None:
    """Start the fork."""
    from campaign.models import Campaign
    from umpire.services.wars import campaign_start

    campaign_start(campaign=Campaign.objects.get(forked_from__isnull=False))


def reveal(campaign: int) -> None:
    """Publish the war's seed, as if it were over."""
    from campaign.models import Campaign
    from umpire.services import reveal as reveals

    with mock.patch.object(reveals, "may_be_public", return_value=True):
        reveals.seed_reveal(campaign=Campaign.objects.get(pk=campaign))


def write_archive(campaign: int, file: Path, place: int) -> None:
    """Write the war's archive, as if it were over, but die after some lines, or before it has its name."""
    from django.core.management import call_command

    from campaign.models import Campaign
    from umpire.management.commands import archive
    from umpire.services import archives

    lines_of = archives.archive_file
    replace = os.replace
    points = 0

    def survive() -> None:
        nonlocal points
        if points == place:
            die()
        points += 1

    def survived_lines(war: Campaign, *, names: bool) -> Iterator[bytes]:
        for number, line in enumerate(lines_of(war, names=names)):
            if number % LINES == 0:
                survive()
            yield line

    def survived_replace(*files: Path) -> None:
        survive()
        replace(*files)

    row = Campaign.objects.get(pk=campaign)
    with (
        mock.patch.object(archives, "may_be_public", return_value=True),
        mock.patch.object(archive, "seed_reveal"),
        mock.patch.object(archive, "archive_file", survived_lines),
        mock.patch("os.replace", survived_replace),
    ):
        call_command("archive", str(row.public_id), str(file), stdout=sys.stderr)


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
                die()
            write_count += 1
        return result

    with connection.execute_wrapper(count):
        work()


def die() -> None:
    """End the process without any cleaning up, as in a power cut."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
