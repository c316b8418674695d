"""Kill each act on a war's history after every statement that writes, on PostgreSQL.

    .venv/bin/python -m tools.bench.kills

The gate kills after every statement on SQLite, and after each fourth one on PostgreSQL, because each
kill costs a process and a connection there. This takes some minutes. It prints how many processes of
each act were killed, and ends with exit status 1 if one left a part of its act behind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.real_postgres import run_postgres

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "umpire" / "services" / "killed_acts.py"


def main() -> int:
    """Do each act until it gets to the end, and return the exit status."""
    with run_postgres() as url:
        environment = {**os.environ, "DATABASE_URL": url}
        migrate = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity=0"]
        subprocess.run(migrate, env=environment, check=True)
        run = subprocess.run(
            [sys.executable, str(SCRIPT)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if run.returncode:
        return run.returncode
    is_whole = True
    for act, found in json.loads(run.stdout.splitlines()[-1]).items():
        print(f"{act}: {found['killed']} killed, {len(found['changed'])} left a part behind")
        is_whole = is_whole and found["done"] and not found["changed"]
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
