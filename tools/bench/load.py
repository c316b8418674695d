"""Measure a thousand campaigns due in the same minute, then two hundred players at once.

`python -m tools.bench.load [--campaigns N] [--players N] [--seconds S] [--database
sqlite|postgresql|both]`; past results are in tools/bench/results.md. The site runs as in
production: the embedded worker with two processes and a broker of files, and the web server of
bin/serve, each in its own process. The database is new: the embedded one, a PostgreSQL started for
the run (without fsync), or an empty one given by `--at`, a DATABASE_URL.

Due at once: every campaign is Lafayette with two players who have sealed nothing, so computer
admirals write orders, too. The time runs from the moment when all stages are due until all are
resolved. Then the stored rows are checked: each stage has one ledger row, one snapshot, and one run
of its job.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
DATABASES = ("sqlite", "postgresql")
PATIENCE, ENDS_WITHIN = 1800.0, 60.0  # seconds
LOOKS_EVERY = 0.25


def main(arguments: Sequence[str]) -> int:
    """Measure each database in its own process; return how many failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.load", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--campaigns", type=int, default=1000, help="due at once (default: 1000)")
    parser.add_argument(
        "--stages", type=int, default=2, help="stages that are due, one after another (default: 2)"
    )
    parser.add_argument(
        "--players", type=int, default=200, help="who poll and order at once (default: 200)"
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="for which they do so (default: 60)"
    )
    parser.add_argument(
        "--rate", type=float, default=50.0, help="requests a second of all together (default: 50)"
    )
    parser.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    parser.add_argument("--at", metavar="URL", help="an empty database to measure on instead")
    options = parser.parse_args(arguments)
    if options.at:
        return measure(options)
    failed = 0
    for name in DATABASES if options.database == "both" else (options.database,):
        print(f"{name}: {options.campaigns} campaigns, {options.players} players", flush=True)
        with database(name) as url:
            again = [sys.executable, "-m", "tools.bench.load", *arguments, "--at", url]
            failed += subprocess.run(again, cwd=ROOT, check=False).returncode != 0
    return failed


def measure(options: argparse.Namespace) -> int:
    """Measure both on one database; print problems, and return 1 if there are any."""
    with tempfile.TemporaryDirectory(prefix="bj-load-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": options.at,
            "BLINDJUMP_VAR": folder,
            "CELERY_BROKER_URL": "",
            "ALLOWED_HOSTS": "127.0.0.1",
            "LOG_LEVEL": "WARNING",
        }
        import django

        django.setup()
        from django.core.management import call_command

        from tools.bench import load_players

        call_command("migrate", verbosity=0)
        started = time.perf_counter()
        campaigns = wars(options.campaigns, options.players)
        print(f"  set up in {time.perf_counter() - started:.0f} s", flush=True)
        faults = []
        with process("-m", "config.worker") as worker:
            warm_up()
            for _ in range(options.stages):
                faults += due_at_once(campaigns, worker)
            faults += load_players.measure(options, worker)
    for line in faults:
        print(f"  WRONG: {line}")
    return 1 if faults else 0


@contextmanager
def database(name: str) -> Iterator[str]:
    """Yield the address of a new database of a kind."""
    with ExitStack() as stack:
        if name == "postgresql":
            from tests import real_postgres

            yield stack.enter_context(real_postgres.run_postgres())
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bj-load-"))
            yield f"sqlite:///{folder}/load.sqlite3"


@contextmanager
def process(*arguments: str) -> Iterator[int]:
    """Run a Python process with its children while the block runs, and yield its id.

    If it ends early, its log is shown.
    """
    with tempfile.TemporaryFile() as log:
        running = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=log, stderr=log)
        try:
            yield running.pid
            if running.poll() is not None:
                log.seek(0)
                raise SystemExit(
                    f"{arguments} ended: {log.read()[-2000:].decode(errors='replace')}"
                )
        finally:
            running.terminate()
            try:
                running.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def wars(count: int, players: int) -> list[int]:
    """Return campaigns with two players each; every player has as many as needed.

    The last one warms the worker up.
    """
    from django.contrib.auth.models import User
    from django.db import transaction

    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.wars import campaign_start

    scenario = scenario_import(scenario=fixture_scenario("lafayette"))
    users = User.objects.bulk_create(
        User(username=f"player{n}", password="!") for n in range(max(2, players))
    )
    rows = []
    with transaction.atomic():
        for number in range(count + 1):
            campaign = campaign_create(scenario=scenario)
            campaign.factions.update(admiral="steady")
            for seat, faction in enumerate(campaign.factions.order_by("key")):
                user = users[(2 * number + seat) % len(users)]
                membership_add(campaign=campaign, user=user, role="player", faction=faction)
            campaign_start(campaign=campaign)
            rows.append(campaign.pk)
    return rows


def warm_up() -> None:
    """Wait until the worker has resolved a stage of the last campaign."""
    from campaign.models import Campaign

    last = Campaign.objects.order_by("-pk")[0]
    _await(_make_due([last.pk]))


def due_at_once(campaigns: Sequence[int], worker: int) -> list[str]:
    """Make the open stage of every campaign but the last due now; print the time, return problems."""
    from django.db import connection

    from campaign.models import Stage

    server = _server_of(connection)
    before = (cpu_of(worker), cpu_of(server))
    started = time.perf_counter()
    stages = _make_due(campaigns[:-1])
    _await(stages)
    wall = time.perf_counter() - started
    by_worker, by_server = cpu_of(worker) - before[0], cpu_of(server) - before[1]
    kind = Stage.objects.get(pk=stages[0]).kind
    print(
        f"  {len(stages)} x {kind} due at once: resolved in {wall:.1f} s by {_runs(stages)} runs;"
        f" CPU {by_worker:.1f} s of the worker ({1000 * by_worker / len(stages):.1f} ms each)"
        + (f", {by_server:.1f} s of the database" if server else "")
        + f"; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return _wrong(stages)


def _make_due(campaigns: Sequence[int]) -> list[int]:
    """Return the open stages of campaigns, which are now all due."""
    from django.utils import timezone

    from campaign.models import Stage

    now = timezone.now()
    bounds = {"branch__campaign__gte": campaigns[0], "branch__campaign__lte": campaigns[-1]}
    stages = Stage.objects.filter(**bounds, status="open")
    rows = list(stages.values_list("pk", flat=True))
    Stage.objects.filter(**bounds, status="resolved").update(publishes_at=now - timedelta(days=1))
    stages.update(opens=now - timedelta(days=1), closes=now)
    return rows


def _await(stages: Sequence[int]) -> None:
    """Wait until all these rows are resolved."""
    from campaign.models import Stage

    waiting = Stage.objects.filter(pk__range=(min(stages), max(stages))).exclude(status="resolved")
    deadline = time.monotonic() + PATIENCE
    while set(stages) & set(waiting.values_list("pk", flat=True)):
        if time.monotonic() > deadline:
            raise SystemExit("the stages are not resolved")
        time.sleep(LOOKS_EVERY)


def _wrong(stages: Sequence[int]) -> list[str]:
    """Return what shows that one of these stages was not resolved exactly once."""
    from django.db.models import Count

    from campaign.models import LedgerRow, Snapshot, Stage

    rows = Stage.objects.filter(
        pk__range=(min(stages), max(stages)), pk__in=Stage.objects.filter(battle__isnull=True)
    )
    faults = []
    ledger = LedgerRow.objects.filter(stage__in=rows).values("stage").annotate(many=Count("pk"))
    if sorted(row["stage"] for row in ledger if row["many"] == 1) != sorted(stages):
        faults.append("a stage without exactly one row of the ledger")
    behind = (
        Snapshot.objects.filter(parent__in=rows.values("from_snapshot"))
        .values("parent")
        .annotate(many=Count("pk"))
    )
    if [row["many"] for row in behind] != [1] * len(stages):
        faults.append("a stage without exactly one snapshot behind it")
    return faults


def _runs(stages: Sequence[int]) -> int:
    """Return how often a worker started one of these stages, or sent a heartbeat for it."""
    from django.db.models import Sum

    from jobs.models import Job

    keys = [f"umpire.stage_resolve/{stage}" for stage in stages]
    parts = [keys[first : first + 500] for first in range(0, len(keys), 500)]
    return sum(
        Job.objects.filter(dedupe_key__in=part).aggregate(many=Sum("beats"))["many"] or 0
        for part in parts
    )


def cpu_of(parent: int) -> float:
    """Return the processor seconds of a process and all its children, or 0 if it is gone."""
    if not parent:
        return 0.0
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            ticks[int(entry.name)] = sum(
                int(process_id) for process_id in fields[11:15]
            )  # its own time, and that of children that have ended
    total, pending = 0, [parent]
    while pending:
        process_id = pending.pop()
        total += ticks.get(process_id, 0)
        pending += children.get(process_id, [])
    return total / float(os.sysconf("SC_CLK_TCK"))


def _server_of(connection: Any) -> int:
    """Return the id of the PostgreSQL process on this machine, or 0."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        note = Path(cursor.fetchone()[0]) / "postmaster.pid"
    return int(note.read_text().split()[0]) if note.is_file() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
