"""A worker process for tests, with a slow kind of job that writes notes.

`work` runs the embedded worker. `desk` obeys each line of its input and answers with every row as a
line of JSON: `ask N FOLDER` queues N jobs that write notes in a folder and wait there for the file
`go`; `back N` acts as if the clock had been set back by N hours, so all times in the rows are
further ahead; `look` does nothing more.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
SLOW = "tests.slow"


def slow(args: Mapping[str, Any]) -> int:
    """Note the beginning, wait for the file, note the end."""
    folder = Path(args["folder"])
    note(folder, f"begin {args['number']}")
    while not (folder / "go").exists():
        time.sleep(0.05)
    note(folder, f"end {args['number']}")
    return int(args["number"])


def note(folder: Path, line: str) -> None:
    with (folder / "notes").open("a") as notes:
        notes.write(line + "\n")


def main(part: str) -> None:
    import django

    django.setup()
    from config import worker
    from jobs.kinds import kind_register

    kind_register(kind=SLOW, handler="tests.jobs.worker_process.slow")
    if part == "work":
        sys.exit(worker.main([]))
    for line in sys.stdin:
        print(json.dumps(run_command(*line.split())), flush=True)


def run_command(command: str, *args: str) -> list[dict[str, Any]]:
    """Obey a line; return every row."""
    from django.db.models import F

    from jobs.models import Job
    from jobs.services import job_enqueue

    if command == "ask":
        many, folder = args
        for number in range(int(many)):
            job_enqueue(
                kind=SLOW, args={"number": number, "folder": folder}, dedupe_key=f"{SLOW}/{number}"
            )
    if command == "back":
        hours = timedelta(hours=int(args[0]))
        Job.objects.update(
            send_at=F("send_at") + hours,
            asked_at=F("asked_at") + hours,
            done_at=F("done_at") + hours,
        )
    rows = (
        Job.objects.filter(kind=SLOW).order_by("pk").values("args", "status", "attempts", "result")
    )
    return [dict(row) for row in rows]


if __name__ == "__main__":
    main(*sys.argv[1:])
